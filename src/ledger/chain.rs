//! The hash chain: what is hashed, and in which form.
//!
//! Every field goes in with its length before it, so that no two records have the same form. The
//! forms are part of the file format: they never change for a schema once shipped.

use std::fmt;

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use sha2::{Digest, Sha256};

/// A SHA-256 hash.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Hash(pub [u8; 32]);

impl Hash {
    /// The hash of a file's bytes, the same that `sha256sum` prints.
    pub fn of_bytes(bytes: &[u8]) -> Hash {
        Hash(Sha256::digest(bytes).into())
    }

    pub fn from_slice(bytes: &[u8]) -> Option<Hash> {
        bytes.try_into().ok().map(Hash)
    }

    /// Its first digits: enough to tell hashes apart for people.
    pub fn short(&self) -> String {
        self.to_string()[..12].to_owned()
    }
}

impl fmt::Display for Hash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl fmt::Debug for Hash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")
    }
}

impl std::str::FromStr for Hash {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Hash, Self::Err> {
        let wrong = "expected 64 hexadecimal digits";
        if text.len() != 64 || !text.is_ascii() {
            return Err(wrong);
        }
        let mut bytes = [0; 32];
        for (byte, digits) in bytes.iter_mut().zip(text.as_bytes().chunks_exact(2)) {
            let digits = std::str::from_utf8(digits).map_err(|_| wrong)?;
            *byte = u8::from_str_radix(digits, 16).map_err(|_| wrong)?;
        }
        Ok(Hash(bytes))
    }
}

impl Serialize for Hash {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Hash {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = std::borrow::Cow::<'de, str>::deserialize(deserializer)?;
        text.parse().map_err(serde::de::Error::custom)
    }
}

/// Feeds fields into a hash, each with its length.
struct Fields(Sha256);

impl Fields {
    fn of(what: &str) -> Fields {
        Fields(Sha256::new()).add(what.as_bytes())
    }

    fn add(mut self, bytes: &[u8]) -> Fields {
        self.0.update((bytes.len() as u64).to_be_bytes());
        self.0.update(bytes);
        self
    }

    fn number(self, number: i64) -> Fields {
        self.add(&number.to_be_bytes())
    }

    /// Nothing is told from an empty text.
    fn optional(self, bytes: Option<&[u8]>) -> Fields {
        match bytes {
            Some(bytes) => self.add(b"some").add(bytes),
            None => self.add(b"none"),
        }
    }

    fn finish(self) -> Hash {
        Hash(self.0.finalize().into())
    }
}

/// What the chain hangs on: the ledger's own facts.
/// `origin` says what it was made from, if not from nothing.
pub fn genesis(made_at: &str, program: &str, origin: &str) -> Hash {
    Fields::of("linecall ledger 1")
        .add(made_at.as_bytes())
        .add(program.as_bytes())
        .add(origin.as_bytes())
        .finish()
}

/// An entry's columns as they stand in the file.
#[derive(Debug, Clone, Copy)]
pub struct EntryColumns<'a> {
    pub seq: i64,
    pub kind: &'a str,
    pub match_number: i64,
    pub number: Option<i64>,
    pub at: &'a str,
    pub author: &'a str,
    pub body: &'a str,
    pub shown: Option<&'a str>,
    pub refers: Option<i64>,
    pub view_id: Option<i64>,
}

/// An entry's hash, from the hash before it and its view's.
pub fn entry(columns: &EntryColumns<'_>, view: Option<&Hash>, before: &Hash) -> Hash {
    let optional = |number: Option<i64>| number.map(i64::to_be_bytes);
    Fields::of("entry")
        .add(&before.0)
        .number(columns.seq)
        .add(columns.kind.as_bytes())
        .number(columns.match_number)
        .optional(optional(columns.number).as_ref().map(<[u8; 8]>::as_slice))
        .add(columns.at.as_bytes())
        .add(columns.author.as_bytes())
        .add(columns.body.as_bytes())
        .optional(columns.shown.map(str::as_bytes))
        .optional(optional(columns.refers).as_ref().map(<[u8; 8]>::as_slice))
        .optional(optional(columns.view_id).as_ref().map(<[u8; 8]>::as_slice))
        .optional(view.map(|hash| hash.0.as_slice()))
        .finish()
}

/// A view's hash. `facts` names its frames and files by their hashes.
pub fn view(report: &str, facts: &str) -> Hash {
    Fields::of("view").add(report.as_bytes()).add(facts.as_bytes()).finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hash_survives_its_text() {
        let hash = Hash::of_bytes(b"linecall");
        assert_eq!(hash.to_string().parse(), Ok(hash));
        for wrong in ["", "12", &"g".repeat(64), &"é".repeat(32)] {
            assert!(wrong.parse::<Hash>().is_err(), "{wrong}");
        }
    }

    #[test]
    fn fields_do_not_run_into_each_other() {
        assert_ne!(view("ab", "c"), view("a", "bc"));
        assert_ne!(genesis("1", "", "2"), genesis("1", "2", ""));
    }
}
