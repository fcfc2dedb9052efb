//! The whole program behind its page: a folder for everything it keeps, the camera, and the loop between.
//!
//! In: what a person chooses on the page. Out: a camera that is watched, a table that is known, and an evening's
//! ledger. [`DataFolder`] says where things are kept, [`Settings`] what was chosen last, [`Watcher`] runs the camera.
//! Nothing here knows HTTP; `web` shows it, `cli` starts it.

mod data;
mod evening;
mod newest;
mod players;
mod settings;
mod table;
mod watched;
mod watcher;

pub use data::{DataFolder, DataFolderError};
pub use evening::{Evening, MatchLine, evening_of, matches_of};
pub use newest::{CurrentFrame, NewestFrame, Remembering};
pub use players::{PlayerFigures, Renamed, figures};
pub use settings::Settings;
pub use table::{TableInUse, TableInUseError};
pub use watched::{Opening, WatchedSource};
pub use watcher::{Phase, Tell, Watcher, WatcherOptions, WatcherView};

use std::{
    path::PathBuf,
    sync::{Arc, Mutex, PoisonError},
};

use crate::desk::{Desk, DeskError};

/// So many evenings back names are suggested from.
const EVENINGS_OF_NAMES: usize = 10;

/// Everything that a page needs of the program behind it.
pub struct Home {
    pub data: DataFolder,
    pub watcher: Watcher,
    /// A ledger that was named for all matches; without it, one an evening.
    ledger: Option<PathBuf>,
    settings: Mutex<Settings>,
}

impl Home {
    pub fn new(data: DataFolder, settings: Settings, ledger: Option<PathBuf>, watcher: Watcher) -> Arc<Home> {
        Arc::new(Home { data, watcher, ledger, settings: Mutex::new(settings) })
    }

    pub fn settings(&self) -> Settings {
        self.settings.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Changes what was chosen, and keeps it.
    pub fn choose(&self, change: impl FnOnce(&mut Settings)) -> Result<(), DataFolderError> {
        let mut settings = self.settings.lock().unwrap_or_else(PoisonError::into_inner);
        change(&mut settings);
        settings.save(&self.data)
    }

    /// Names that were played under, the newest first: what a new match may suggest.
    pub fn players(&self) -> Vec<String> {
        let mut names: Vec<String> = Vec::new();
        for path in self.data.evenings().iter().take(EVENINGS_OF_NAMES) {
            let evening = evening_of(path);
            for name in evening.matches.iter().rev().flat_map(|line| line.sides.clone()) {
                if !names.contains(&name) {
                    names.push(name);
                }
            }
        }
        names
    }

    /// A match that begins now belongs to this evening: the desk goes on in its ledger.
    pub fn turn_to_this_evening(&self, desk: &Desk) -> Result<(), DeskError> {
        let ledger = self.ledger.clone().unwrap_or_else(|| self.data.evening_now());
        if desk.with_ledger(|open| open.path() == ledger) {
            return Ok(());
        }
        desk.turn_to(&ledger)
    }
}
