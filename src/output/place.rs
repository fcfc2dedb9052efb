//! Where this person's data is: one folder for all commands.

use std::{
    path::{Path, PathBuf},
    sync::OnceLock,
};

static CHOSEN: OnceLock<PathBuf> = OnceLock::new();

/// Puts the data of this run into a folder; the first choice stands.
pub fn use_data_folder(folder: &Path) {
    let _ = CHOSEN.set(folder.to_owned());
}

/// The folder for linecall's data: the one chosen, else `XDG_DATA_HOME/linecall` or what the system has for it.
pub fn data_folder() -> Option<PathBuf> {
    if let Some(chosen) = CHOSEN.get() {
        return Some(chosen.clone());
    }
    let set = |name: &str| std::env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
    let data = if let Some(data) = set("XDG_DATA_HOME") {
        data
    } else if cfg!(windows) {
        set("APPDATA")?
    } else if cfg!(target_os = "macos") {
        set("HOME")?.join("Library").join("Application Support")
    } else {
        set("HOME")?.join(".local").join("share")
    };
    Some(data.join("linecall"))
}
