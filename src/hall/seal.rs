//! What a hall signs: commands to tables, pairings and results.
//!
//! A sealed text is signed as it stands, byte by byte, together with the topic that it is for, so that
//! it says nothing anywhere else.

use std::{
    fmt,
    io::Write,
    path::{Path, PathBuf},
};

use base64::{Engine, engine::general_purpose::STANDARD as BASE64};
use ed25519_dalek::{Signature, Signer, SigningKey, VerifyingKey};
use serde::{Deserialize, Serialize};

#[derive(Debug, thiserror::Error)]
pub enum SealError {
    #[error("it is not sealed as version 1 of the contract says: {0}")]
    Form(String),
    #[error("it is signed with a key that is not known here, {0}")]
    Stranger(String),
    #[error("its signature is wrong")]
    Wrong,
    #[error("{0:?} is no key of a hall: expected what linecall hall prints as its key")]
    NoKey(String),
    #[error("the hall's key {} cannot be used: {why}", path.display())]
    KeyFile { path: PathBuf, why: String },
}

/// A text with its signature.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Sealed {
    pub v: u32,
    /// JSON, as it was signed.
    pub signed: String,
    /// The key that it was signed with.
    pub key: String,
    pub signature: String,
}

impl Sealed {
    /// The text, if one of the keys has signed it for this topic.
    pub fn opened(&self, topic: &str, keys: &[PublicKey]) -> Result<&str, SealError> {
        if self.v != super::topics::VERSION {
            return Err(SealError::Form(format!("its version is {}", self.v)));
        }
        let key: PublicKey = self.key.parse()?;
        if !keys.contains(&key) {
            return Err(SealError::Stranger(self.key.clone()));
        }
        let signature = BASE64.decode(&self.signature).map_err(|_| SealError::Wrong)?;
        let signature = Signature::from_slice(&signature).map_err(|_| SealError::Wrong)?;
        key.0.verify_strict(&message(topic, &self.signed), &signature).map_err(|_| SealError::Wrong)?;
        Ok(&self.signed)
    }

    pub fn parse(payload: &[u8]) -> Result<Sealed, SealError> {
        serde_json::from_slice(payload).map_err(|error| SealError::Form(error.to_string()))
    }
}

fn message(topic: &str, text: &str) -> Vec<u8> {
    [b"linecall hall 1\n", topic.as_bytes(), b"\n", text.as_bytes()].concat()
}

/// What a table knows a hall by.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PublicKey(VerifyingKey);

impl fmt::Display for PublicKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&BASE64.encode(self.0.as_bytes()))
    }
}

impl std::str::FromStr for PublicKey {
    type Err = SealError;

    fn from_str(text: &str) -> Result<PublicKey, SealError> {
        let wrong = || SealError::NoKey(text.to_owned());
        let bytes: [u8; 32] =
            BASE64.decode(text.trim()).ok().and_then(|b| b.try_into().ok()).ok_or_else(wrong)?;
        VerifyingKey::from_bytes(&bytes).map(PublicKey).map_err(|_| wrong())
    }
}

/// A hall's own key.
#[derive(Clone)]
pub struct HallKey(SigningKey);

impl HallKey {
    pub fn random() -> HallKey {
        HallKey(SigningKey::from_bytes(&rand::random()))
    }

    /// The key in a file; made where there is none, for its owner's eyes only.
    pub fn load_or_make(path: &Path) -> Result<HallKey, SealError> {
        let failed = |why: String| SealError::KeyFile { path: path.to_owned(), why };
        match std::fs::read_to_string(path) {
            Ok(text) => {
                let bytes =
                    BASE64.decode(text.trim()).ok().and_then(|bytes| <[u8; 32]>::try_from(bytes).ok());
                let bytes = bytes.ok_or_else(|| failed("it is not one that a hall wrote".to_owned()))?;
                Ok(HallKey(SigningKey::from_bytes(&bytes)))
            }
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
                let key = HallKey::random();
                key.write(path).map_err(|error| failed(error.to_string()))?;
                Ok(key)
            }
            Err(error) => Err(failed(error.to_string())),
        }
    }

    fn write(&self, path: &Path) -> std::io::Result<()> {
        let mut options = std::fs::OpenOptions::new();
        options.write(true).create_new(true);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        let mut file = options.open(path)?;
        writeln!(file, "{}", BASE64.encode(self.0.to_bytes()))?;
        file.sync_all()
    }

    pub fn public(&self) -> PublicKey {
        PublicKey(self.0.verifying_key())
    }

    /// A text, signed for a topic.
    pub fn seal(&self, topic: &str, text: String) -> Sealed {
        let signature = self.0.sign(&message(topic, &text));
        Sealed {
            v: super::topics::VERSION,
            key: self.public().to_string(),
            signature: BASE64.encode(signature.to_bytes()),
            signed: text,
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;

    #[test]
    fn a_seal_holds_for_its_text_its_topic_and_known_keys() {
        let (hall, stranger) = (HallKey::random(), HallKey::random());
        let keys = [hall.public()];
        let sealed = hall.seal("linecall/club/1/command", "{}".to_owned());
        assert_eq!(sealed.opened("linecall/club/1/command", &keys).unwrap(), "{}");
        assert!(matches!(sealed.opened("linecall/club/2/command", &keys), Err(SealError::Wrong)));
        let changed = Sealed { signed: "[]".to_owned(), ..sealed.clone() };
        assert!(matches!(changed.opened("linecall/club/1/command", &keys), Err(SealError::Wrong)));
        let theirs = stranger.seal("linecall/club/1/command", "{}".to_owned());
        assert!(matches!(theirs.opened("linecall/club/1/command", &keys), Err(SealError::Stranger(_))));
        let lent = Sealed { key: keys[0].to_string(), ..theirs };
        assert!(matches!(lent.opened("linecall/club/1/command", &keys), Err(SealError::Wrong)));
    }

    #[test]
    fn a_key_is_made_once() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("hall.key");
        let made = HallKey::load_or_make(&path).unwrap().public();
        assert_eq!(HallKey::load_or_make(&path).unwrap().public(), made);
        assert_eq!(made.to_string().parse::<PublicKey>().unwrap(), made);
        std::fs::write(&path, "x").unwrap();
        assert!(HallKey::load_or_make(&path).is_err());
    }
}
