//! What a person chose, kept from one start to the next.

use serde::{Deserialize, Serialize};

use super::{DataFolder, DataFolderError, Renamed};
use crate::desk::Policy;

#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Settings {
    /// What is watched, as `live --source` takes it.
    pub source: Option<String>,
    /// The table's board.
    pub board: Option<String>,
    /// Which events a person confirms.
    pub policy: Option<Policy>,
    /// Whether phones and televisions of the network may connect.
    pub network: bool,
    /// Players who are shown under another name than the ledgers have.
    pub renamed: Renamed,
    /// Reviews that a side may ask for in a game; none: as many as it likes.
    pub reviews_a_game: Option<u32>,
}

impl Settings {
    /// What was chosen last; nothing where that cannot be read, as a fresh start needs nothing.
    pub fn load(data: &DataFolder) -> Settings {
        let text = std::fs::read_to_string(data.settings_file()).unwrap_or_default();
        serde_json::from_str(&text).unwrap_or_default()
    }

    pub fn save(&self, data: &DataFolder) -> Result<(), DataFolderError> {
        let path = data.settings_file();
        let text = serde_json::to_vec_pretty(self)
            .map_err(|error| DataFolderError::Write { path: path.clone(), source: error.into() })?;
        data.write(&path, &text, true)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_chosen_is_there_after_a_restart() {
        let folder = tempfile::tempdir().unwrap();
        let data = DataFolder::open(Some(folder.path())).unwrap();
        assert_eq!(Settings::load(&data), Settings::default());
        let chosen = Settings { source: Some("0".into()), network: true, ..Settings::default() };
        chosen.save(&data).unwrap();
        assert_eq!(Settings::load(&data), chosen);
        std::fs::write(data.settings_file(), "{\"source\": 3").unwrap();
        assert_eq!(Settings::load(&data), Settings::default());
    }
}
