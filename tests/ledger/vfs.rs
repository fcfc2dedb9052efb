//! SQLite's file layer with a record of what it does, for a process of its own: every write and sync is
//! noted, and a disk can be full at a word. Everything else goes to the system's own layer.
// SQLite's interface to file layers is C.
#![allow(unsafe_code)]

use std::{
    ffi::{CStr, c_char, c_int, c_void},
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicBool, AtomicPtr, Ordering},
    },
};

use rusqlite::ffi;

/// What happened, in order.
#[derive(Debug, Clone, PartialEq)]
pub enum Deed {
    Write {
        file: String,
        at: u64,
        bytes: Vec<u8>,
    },
    Truncate {
        file: String,
        length: u64,
    },
    Sync {
        file: String,
    },
    Delete {
        file: String,
    },
    /// An event that was shown as recorded.
    Shown(usize),
}

static DEEDS: Mutex<Vec<Deed>> = Mutex::new(Vec::new());
static IS_FULL: AtomicBool = AtomicBool::new(false);
static REAL: AtomicPtr<ffi::sqlite3_vfs> = AtomicPtr::new(std::ptr::null_mut());

pub fn note(deed: Deed) {
    DEEDS.lock().unwrap_or_else(PoisonError::into_inner).push(deed);
}

pub fn take_deeds() -> Vec<Deed> {
    std::mem::take(&mut *DEEDS.lock().unwrap_or_else(PoisonError::into_inner))
}

/// Whether every write fails, as on a full disk.
pub fn set_full(is_full: bool) {
    IS_FULL.store(is_full, Ordering::SeqCst);
}

/// An open file: SQLite's head, its name, and behind it the system's own file.
#[repr(C)]
struct File {
    base: ffi::sqlite3_file,
    name: *const c_char,
}

/// Makes this layer the process's own. Once a process.
pub fn install() {
    // SAFETY: the system's layer lives as long as the process; ours is leaked, so that it does too.
    unsafe {
        let real = ffi::sqlite3_vfs_find(std::ptr::null());
        assert!(!real.is_null());
        REAL.store(real, Ordering::SeqCst);
        let mut vfs = *real;
        vfs.szOsFile = size_of::<File>() as c_int + (*real).szOsFile;
        vfs.zName = c"noting".as_ptr();
        vfs.pNext = std::ptr::null_mut();
        vfs.xOpen = Some(open);
        vfs.xDelete = Some(delete);
        assert_eq!(ffi::sqlite3_vfs_register(Box::leak(Box::new(vfs)), 1), ffi::SQLITE_OK);
    }
}

fn real_vfs() -> *mut ffi::sqlite3_vfs {
    REAL.load(Ordering::SeqCst)
}

/// The system's own file behind ours.
unsafe fn real(file: *mut ffi::sqlite3_file) -> *mut ffi::sqlite3_file {
    // SAFETY: SQLite allocated szOsFile bytes, as `install` asked.
    unsafe { file.cast::<u8>().add(size_of::<File>()).cast() }
}

unsafe fn name(file: *mut ffi::sqlite3_file) -> String {
    // SAFETY: SQLite keeps a file's name while the file is open.
    unsafe { text((*file.cast::<File>()).name) }
}

unsafe fn text(name: *const c_char) -> String {
    if name.is_null() {
        return "temporary".to_owned();
    }
    // SAFETY: names are C strings.
    let path = unsafe { CStr::from_ptr(name) }.to_string_lossy().into_owned();
    path.rsplit('/').next().unwrap_or_default().to_owned()
}

unsafe extern "C" fn open(
    _vfs: *mut ffi::sqlite3_vfs,
    name: *const c_char,
    file: *mut ffi::sqlite3_file,
    flags: c_int,
    out: *mut c_int,
) -> c_int {
    // SAFETY: as SQLite documents xOpen; on failure pMethods is null, so that nothing is closed.
    unsafe {
        (*file).pMethods = std::ptr::null();
        let result = (*real_vfs())
            .xOpen
            .map_or(ffi::SQLITE_ERROR, |call| call(real_vfs(), name, real(file), flags, out));
        if result == ffi::SQLITE_OK {
            (*file.cast::<File>()).name = name;
            (*file).pMethods = &raw const METHODS;
        }
        result
    }
}

unsafe extern "C" fn delete(_vfs: *mut ffi::sqlite3_vfs, name: *const c_char, sync: c_int) -> c_int {
    // SAFETY: handed on as it came.
    unsafe {
        note(Deed::Delete { file: text(name) });
        (*real_vfs()).xDelete.map_or(ffi::SQLITE_ERROR, |call| call(real_vfs(), name, sync))
    }
}

/// Hands a call on to the system's own file.
macro_rules! on {
    ($file:expr, $method:ident $(, $argument:expr)*) => {
        // SAFETY: the real file is open, and its methods are those of the system's layer.
        unsafe {
            let file = real($file);
            (*(*file).pMethods).$method.map_or(ffi::SQLITE_ERROR, |call| call(file $(, $argument)*))
        }
    };
}

unsafe extern "C" fn close(file: *mut ffi::sqlite3_file) -> c_int {
    on!(file, xClose)
}

unsafe extern "C" fn read(file: *mut ffi::sqlite3_file, to: *mut c_void, count: c_int, at: i64) -> c_int {
    on!(file, xRead, to, count, at)
}

unsafe extern "C" fn write(
    file: *mut ffi::sqlite3_file,
    from: *const c_void,
    count: c_int,
    at: i64,
) -> c_int {
    if IS_FULL.load(Ordering::SeqCst) {
        return ffi::SQLITE_FULL;
    }
    // SAFETY: SQLite gives `count` bytes.
    let (bytes, file_name) =
        unsafe { (std::slice::from_raw_parts(from.cast::<u8>(), count as usize).to_vec(), name(file)) };
    note(Deed::Write { file: file_name, at: at as u64, bytes });
    on!(file, xWrite, from, count, at)
}

unsafe extern "C" fn truncate(file: *mut ffi::sqlite3_file, length: i64) -> c_int {
    // SAFETY: the file is open.
    note(Deed::Truncate { file: unsafe { name(file) }, length: length as u64 });
    on!(file, xTruncate, length)
}

unsafe extern "C" fn sync(file: *mut ffi::sqlite3_file, flags: c_int) -> c_int {
    let result = on!(file, xSync, flags);
    // SAFETY: the file is open.
    note(Deed::Sync { file: unsafe { name(file) } });
    result
}

unsafe extern "C" fn file_size(file: *mut ffi::sqlite3_file, size: *mut i64) -> c_int {
    on!(file, xFileSize, size)
}

unsafe extern "C" fn lock(file: *mut ffi::sqlite3_file, level: c_int) -> c_int {
    on!(file, xLock, level)
}

unsafe extern "C" fn unlock(file: *mut ffi::sqlite3_file, level: c_int) -> c_int {
    on!(file, xUnlock, level)
}

unsafe extern "C" fn check_lock(file: *mut ffi::sqlite3_file, out: *mut c_int) -> c_int {
    on!(file, xCheckReservedLock, out)
}

unsafe extern "C" fn control(file: *mut ffi::sqlite3_file, what: c_int, argument: *mut c_void) -> c_int {
    on!(file, xFileControl, what, argument)
}

unsafe extern "C" fn sector_size(file: *mut ffi::sqlite3_file) -> c_int {
    on!(file, xSectorSize)
}

unsafe extern "C" fn characteristics(_file: *mut ffi::sqlite3_file) -> c_int {
    // No promise of the disk's is relied on.
    0
}

unsafe extern "C" fn shm_map(
    file: *mut ffi::sqlite3_file,
    page: c_int,
    size: c_int,
    extend: c_int,
    out: *mut *mut c_void,
) -> c_int {
    on!(file, xShmMap, page, size, extend, out)
}

unsafe extern "C" fn shm_lock(file: *mut ffi::sqlite3_file, at: c_int, count: c_int, flags: c_int) -> c_int {
    on!(file, xShmLock, at, count, flags)
}

unsafe extern "C" fn shm_barrier(file: *mut ffi::sqlite3_file) {
    // SAFETY: as in `on!`.
    unsafe {
        let file = real(file);
        if let Some(call) = (*(*file).pMethods).xShmBarrier {
            call(file);
        }
    }
}

unsafe extern "C" fn shm_unmap(file: *mut ffi::sqlite3_file, delete: c_int) -> c_int {
    on!(file, xShmUnmap, delete)
}

static METHODS: ffi::sqlite3_io_methods = ffi::sqlite3_io_methods {
    // Version 2: with shared memory, without mapped files, which would be written past this layer.
    iVersion: 2,
    xClose: Some(close),
    xRead: Some(read),
    xWrite: Some(write),
    xTruncate: Some(truncate),
    xSync: Some(sync),
    xFileSize: Some(file_size),
    xLock: Some(lock),
    xUnlock: Some(unlock),
    xCheckReservedLock: Some(check_lock),
    xFileControl: Some(control),
    xSectorSize: Some(sector_size),
    xDeviceCharacteristics: Some(characteristics),
    xShmMap: Some(shm_map),
    xShmLock: Some(shm_lock),
    xShmBarrier: Some(shm_barrier),
    xShmUnmap: Some(shm_unmap),
    xFetch: None,
    xUnfetch: None,
};
