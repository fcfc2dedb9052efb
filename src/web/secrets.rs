//! What only some know: the referee's PIN, and who has given it. Kept as hashes, so that they survive a restart and a
//! stolen file opens nothing.

use std::{
    path::PathBuf,
    sync::{Mutex, MutexGuard, PoisonError},
};

use argon2::{
    Argon2,
    password_hash::{PasswordHasher, PasswordVerifier, phc::PasswordHash},
};
use rand::{RngExt, SeedableRng, rngs::StdRng};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use subtle::ConstantTimeEq;

use crate::home::{DataFolder, DataFolderError};

/// Who may change things, and who may watch.
#[derive(Debug)]
pub struct Secrets {
    kept: Mutex<Kept>,
    keep: Option<(DataFolder, PathBuf)>,
    /// Needed to watch, as `?key=` in the link; `None`: everyone may.
    pub watch_key: Option<String>,
}

/// As the file has it.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(default)]
struct Kept {
    /// Argon2, in the PHC's form.
    pin: String,
    /// SHA-256 of the tokens of referees who gave the PIN, the newest last.
    log_ins: Vec<String>,
    watch_key: Option<String>,
}

/// Referees' browsers that are remembered.
const LOG_INS: usize = 100;

impl Secrets {
    /// A new PIN that is kept nowhere.
    pub fn of_this_run(watch_by_link: bool) -> (Secrets, String) {
        let watch_key = watch_by_link.then(token);
        let secrets = Secrets { kept: Mutex::default(), keep: None, watch_key };
        let pin = random_pin();
        secrets.lock().pin = hash(&pin);
        (secrets, pin)
    }

    /// Those of the data folder. Beside them a new PIN, where there was none or `new_pin` asks for another: it is
    /// known only now.
    pub fn open(
        data: &DataFolder,
        watch_by_link: bool,
        new_pin: bool,
    ) -> Result<(Secrets, Option<String>), DataFolderError> {
        let path = data.secrets_file();
        let text = std::fs::read_to_string(&path).unwrap_or_default();
        let mut kept: Kept = serde_json::from_str(&text).unwrap_or_default();
        if watch_by_link {
            kept.watch_key.get_or_insert_with(token);
        }
        let watch_key = kept.watch_key.clone().filter(|_| watch_by_link);
        let is_new = kept.pin.is_empty() || new_pin;
        let secrets = Secrets { kept: Mutex::new(kept), keep: Some((data.clone(), path)), watch_key };
        if is_new {
            return secrets.change_pin().map(|pin| (secrets, Some(pin)));
        }
        secrets.save(&secrets.lock())?;
        Ok((secrets, None))
    }

    /// Another PIN; whoever was logged in has to give it.
    pub fn change_pin(&self) -> Result<String, DataFolderError> {
        let pin = random_pin();
        let mut kept = self.lock();
        kept.pin = hash(&pin);
        kept.log_ins.clear();
        self.save(&kept)?;
        Ok(pin)
    }

    /// Takes tens of milliseconds, so that many PINs cannot be tried.
    pub(crate) fn is_pin(&self, given: &str) -> bool {
        let pin = self.lock().pin.clone();
        let parsed = PasswordHash::new(&pin);
        parsed.is_ok_and(|pin| Argon2::default().verify_password(given.as_bytes(), &pin).is_ok())
    }

    /// A token for a browser that gave the PIN.
    pub(super) fn log_in(&self) -> String {
        let token = token();
        let mut kept = self.lock();
        kept.log_ins.push(digest(&token));
        let older = kept.log_ins.len().saturating_sub(LOG_INS);
        kept.log_ins.drain(..older);
        // Without a disk the log-in holds until the end of this run.
        let _ = self.save(&kept);
        token
    }

    pub(super) fn is_logged_in(&self, token: &str) -> bool {
        let given = digest(token);
        self.lock().log_ins.iter().any(|known| same(known, &given))
    }

    fn save(&self, kept: &Kept) -> Result<(), DataFolderError> {
        let Some((data, path)) = &self.keep else { return Ok(()) };
        let text = serde_json::to_vec_pretty(kept)
            .map_err(|error| DataFolderError::Write { path: path.clone(), source: error.into() })?;
        data.write(path, &text, true)
    }

    fn lock(&self) -> MutexGuard<'_, Kept> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn random() -> StdRng {
    StdRng::from_rng(&mut rand::rng())
}

fn random_pin() -> String {
    format!("{:06}", random().random_range(0..1_000_000))
}

/// 128 bits that nobody can guess.
pub(super) fn token() -> String {
    format!("{:032x}", random().random::<u128>())
}

fn digest(token: &str) -> String {
    Sha256::digest(token.as_bytes()).iter().map(|byte| format!("{byte:02x}")).collect()
}

fn hash(pin: &str) -> String {
    let salt: [u8; 16] = random().random();
    let hashed = Argon2::default().hash_password_with_salt(pin.as_bytes(), &salt);
    // An empty hash is no PIN's: nothing is opened.
    hashed.map(|hash| hash.to_string()).unwrap_or_default()
}

/// Equal, found out in a time that does not tell where they differ.
pub(super) fn same(given: &str, secret: &str) -> bool {
    given.as_bytes().ct_eq(secret.as_bytes()).into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pins_and_log_ins_survive_a_restart_and_are_not_in_the_file() {
        let folder = tempfile::tempdir().unwrap();
        let data = DataFolder::open(Some(folder.path())).unwrap();
        let (secrets, pin) = Secrets::open(&data, false, false).unwrap();
        let pin = pin.expect("a new PIN");
        assert!(pin.len() == 6 && pin.bytes().all(|b| b.is_ascii_digit()), "{pin}");
        let token = secrets.log_in();
        drop(secrets);
        let text = std::fs::read_to_string(data.secrets_file()).unwrap();
        assert!(!text.contains(&pin) && !text.contains(&token), "{text}");
        let (again, fresh) = Secrets::open(&data, false, false).unwrap();
        assert_eq!(fresh, None);
        assert!(again.is_pin(&pin) && !again.is_pin("12345") && again.is_logged_in(&token));
        let other = again.change_pin().unwrap();
        assert!(again.is_pin(&other) && !again.is_logged_in(&token), "a new PIN ends what was");
    }

    #[test]
    fn tokens_differ() {
        assert_ne!(super::token(), super::token());
        assert_eq!(super::token().len(), 32);
    }
}
