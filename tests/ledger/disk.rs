//! Full disks, read-only places, two programs at once.

use std::process::Command;

use linecall::{
    desk::{Desk, Policy},
    ledger::{Author, Ledger, LedgerError, LedgerOptions, verify},
};

use super::{COURT, FRAME, event, now, options, recorded, small_view};

#[test]
fn two_programs_cannot_record_into_one_ledger() {
    let (_folder, path) = recorded(1);
    let first = Desk::open(&path, options(Policy::Never)).unwrap();
    let second = Ledger::record_into(&path, now(), LedgerOptions::default()).unwrap_err();
    assert!(matches!(second, LedgerError::Locked { .. }));
    assert!(second.to_string().contains("another linecall is recording"), "{second}");
    // Looking at it meanwhile is fine, and shows what is recorded.
    first.append(event(FRAME), Author::Vision, None).unwrap();
    assert_eq!(Ledger::read(&path).unwrap().head().seq, first.revision());
    drop(first);
    assert!(Ledger::record_into(&path, now(), LedgerOptions::default()).is_ok());
}

#[test]
fn a_ledger_that_was_written_by_others_meanwhile_is_not_written() {
    let (_folder, path) = recorded(1);
    let desk = Desk::open(&path, options(Policy::Never)).unwrap();
    // Another program that took no lock.
    let connection = rusqlite::Connection::open(&path).unwrap();
    connection.execute_batch("UPDATE head SET seq = seq + 1").unwrap();
    let error = desk.append(event(FRAME), Author::Vision, None).unwrap_err().to_string();
    assert!(error.contains("another program wrote into the ledger"), "{error}");
}

/// A place where nobody, not even root, can make a file.
#[cfg(target_os = "linux")]
#[test]
fn a_read_only_place_is_told() {
    let path = std::path::Path::new("/sys/linecall-test.ledger");
    let error = Ledger::record_into(path, now(), LedgerOptions::default()).unwrap_err();
    assert!(matches!(error, LedgerError::ReadOnly { .. }), "{error}");
    assert!(error.to_string().contains("read-only"), "{error}");
}

/// A ledger on a read-only medium can be read: here, by a user who may not write.
#[cfg(unix)]
#[test]
fn a_read_only_ledger_can_be_read_and_not_recorded_into() {
    use std::os::unix::fs::PermissionsExt;
    let (folder, path) = recorded(2);
    let allow = |path: &std::path::Path, mode: u32| {
        std::fs::set_permissions(path, std::fs::Permissions::from_mode(mode)).unwrap();
    };
    // Root may write anywhere, so the program is run by somebody else, from where they can reach it.
    let program = folder.path().join("linecall");
    std::fs::copy(env!("CARGO_BIN_EXE_linecall"), &program).unwrap();
    allow(&path, 0o444);
    allow(folder.path(), 0o555);
    let run = |arguments: &[&str]| {
        let mut command = match is_root() {
            true => {
                let mut command = Command::new("setpriv");
                command.args(["--reuid=65534", "--regid=65534", "--clear-groups", "--"]).arg(&program);
                command
            }
            false => Command::new(&program),
        };
        let output = command.arg("review").arg(&path).args(arguments).output().unwrap();
        (
            output.status.code(),
            String::from_utf8(output.stdout).unwrap(),
            String::from_utf8(output.stderr).unwrap(),
        )
    };
    let (status, out, error) = run(&["--verify"]);
    assert_eq!((status, error.as_str()), (Some(0), ""), "{out}");
    assert!(out.contains("nothing was changed"), "{out}");
    let (status, _, error) = run(&["1.1", "--verdict", "upheld", "--by", "Cy"]);
    assert_eq!(status, Some(1));
    assert!(error.contains("read-only"), "{error}");
    allow(folder.path(), 0o755);
}

#[cfg(unix)]
fn is_root() -> bool {
    let output = Command::new("id").arg("-u").output().unwrap();
    output.stdout == b"0\n"
}

/// A disk that is full after so many kilobytes, as a process meets it: what was recorded before is
/// there, what was not is told, and the match goes on when there is room again.
#[cfg(unix)]
#[test]
fn on_a_full_disk_nothing_recorded_is_lost() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("full.ledger");
    let child = std::env::current_exe().unwrap();
    // Limits count blocks of 512 or 1024 bytes; the signal that would end the process is ignored,
    // so that writing fails as it does on a full disk.
    let script = "trap '' XFSZ; ulimit -f 2000; exec \"$0\" \"$@\"";
    let output = Command::new("bash")
        .args(["-c", script])
        .arg(child)
        .args(["ledger::crash::child_that_records", "--exact", "--nocapture"])
        .env(super::crash::CHILD, &path)
        .output()
        .unwrap();
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let shown = super::crash::last_shown(&text).expect("something was recorded before the disk was full");
    let told = text.lines().find(|line| line.contains("FAILED")).expect("the failure is told");
    assert!(told.contains("full") || told.contains("disk failed"), "{told}");
    let desk = Desk::open(&path, options(Policy::Never)).unwrap();
    assert_eq!(desk.state().match_info.as_ref().unwrap().events, shown + 1);
    desk.append_with_view(event(FRAME), Author::Vision, small_view(1), None).unwrap();
    drop(desk);
    assert!(verify(&Ledger::read(&path).unwrap(), None).unwrap().is_whole());
}

#[test]
fn a_match_needs_no_board_file_of_its_own() {
    let folder = tempfile::tempdir().unwrap();
    let desk = Desk::open(&folder.path().join("a.ledger"), options(Policy::Never)).unwrap();
    desk.new_match(event(COURT), Author::Program, None).unwrap();
    assert_eq!(desk.state().match_info.as_ref().unwrap().board, "carrom-court");
}
