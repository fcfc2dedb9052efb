//! Reads the tables of a TOML file field by field and keeps every fault, where serde alone would
//! stop at the first.

use std::ops::Range;

use toml::Spanned;
use toml::de::{DeTable, DeValue, ValueDeserializer};

use super::faults::FaultList;
use super::values::Value;

/// A value and the line of the file it stands on.
#[derive(Debug, Clone)]
pub(super) struct At<T> {
    pub(super) line: usize,
    pub(super) value: T,
}

/// The file's text, to turn byte offsets into lines and to quote what was found.
pub(super) struct Source<'i> {
    text: &'i str,
}

impl<'i> Source<'i> {
    pub(super) fn new(text: &'i str) -> Self {
        Self { text }
    }

    pub(super) fn line_of(&self, offset: usize) -> usize {
        let before = &self.text.as_bytes()[..offset.min(self.text.len())];
        before.iter().filter(|byte| **byte == b'\n').count() + 1
    }

    /// What stands at a place of the file, shortened.
    fn quote(&self, span: Range<usize>) -> String {
        const LONGEST: usize = 40;
        let found = self.text.get(span).unwrap_or_default().trim();
        let line = found.lines().next().unwrap_or_default();
        if line.len() == found.len() && line.chars().count() <= LONGEST {
            return line.to_owned();
        }
        line.chars().take(LONGEST).chain("…".chars()).collect()
    }
}

/// One table: `[surface]`, one of `[[lines]]`, or the whole file.
pub(super) struct TableReader<'r, 'i> {
    /// How faults call the table: `line "cross-10": `, or nothing for the file itself.
    pub(super) called: String,
    /// Where it begins.
    pub(super) line: usize,
    source: &'r Source<'i>,
    faults: &'r FaultList,
    unread: DeTable<'i>,
    known: Vec<&'static str>,
}

impl<'r, 'i> TableReader<'r, 'i> {
    /// The whole file.
    pub(super) fn root(table: DeTable<'i>, source: &'r Source<'i>, faults: &'r FaultList) -> Self {
        Self { called: String::new(), line: 1, source, faults, unread: table, known: Vec::new() }
    }

    pub(super) fn fault(&self, line: usize, what: impl std::fmt::Display) {
        self.faults.add(line, format!("{}{what}", self.called));
    }

    /// A field that must be there.
    pub(super) fn required<T: Value>(&mut self, name: &'static str) -> Option<At<T>> {
        if !self.has(name) {
            self.known.push(name);
            self.fault(self.line, format_args!("{name} is missing, expected {}", T::EXPECTED));
            return None;
        }
        self.optional(name)
    }

    /// A field that may be left out; one that is wrong is a fault and reads as absent.
    pub(super) fn optional<T: Value>(&mut self, name: &'static str) -> Option<At<T>> {
        let (key, value) = self.take(name)?;
        let span = value.span();
        let line = self.source.line_of(span.start.max(key.start));
        match T::deserialize(ValueDeserializer::from(value)) {
            Ok(value) => Some(At { line, value }),
            Err(_) => {
                let found = self.source.quote(span);
                self.fault(line, format_args!("{name} is {found}, expected {}", T::EXPECTED));
                None
            }
        }
    }

    /// A table within this one, such as `[surface]`, called `called` in faults.
    pub(super) fn table(&mut self, name: &'static str, called: &str) -> Option<TableReader<'r, 'i>> {
        let (key, value) = self.take(name)?;
        let line = self.source.line_of(key.start);
        match value.into_inner() {
            DeValue::Table(table) => Some(self.child(table, line, format!("{called}: "))),
            other => {
                self.fault(line, format_args!("{name} is {}, expected a table [{name}]", article(&other)));
                None
            }
        }
    }

    /// Every table of a list such as `[[lines]]`; `noun` is what faults call one of them.
    pub(super) fn list(&mut self, name: &'static str, noun: &str) -> Vec<TableReader<'r, 'i>> {
        let Some((key, value)) = self.take(name) else { return Vec::new() };
        let line = self.source.line_of(key.start);
        let DeValue::Array(entries) = value.into_inner() else {
            self.fault(line, format_args!("{name} is no list, expected tables [[{name}]]"));
            return Vec::new();
        };
        let mut readers = Vec::new();
        for (index, entry) in entries.into_iter().enumerate() {
            let line = self.source.line_of(entry.span().start);
            match entry.into_inner() {
                DeValue::Table(table) => {
                    let called = match table.iter().find(|(key, _)| key.get_ref() == "name") {
                        Some((_, name)) if name.get_ref().is_str() => {
                            format!("{noun} {:?}: ", name.get_ref().as_str().unwrap_or_default())
                        }
                        _ => format!("[[{name}]] number {}: ", index + 1),
                    };
                    readers.push(self.child(table, line, called));
                }
                other => {
                    let found = article(&other);
                    self.fault(
                        line,
                        format_args!("{name} number {} is {found}, expected a table", index + 1),
                    );
                }
            }
        }
        readers
    }

    /// Reports every field that nobody asked for.
    pub(super) fn finish(self) {
        for (key, _) in self.unread.iter() {
            let line = self.source.line_of(key.span().start);
            let hint = match closest(key.get_ref(), &self.known) {
                Some(name) => format!("did you mean {name}?"),
                None => format!("expected one of {}", self.known.join(", ")),
            };
            self.fault(line, format_args!("unknown field {:?}, {hint}", key.get_ref()));
        }
    }

    pub(super) fn has(&self, name: &str) -> bool {
        self.unread.iter().any(|(key, _)| key.get_ref() == name)
    }

    fn take(&mut self, name: &'static str) -> Option<(Range<usize>, Spanned<DeValue<'i>>)> {
        self.known.push(name);
        let key = self.unread.keys().find(|key| key.get_ref() == name)?.clone();
        let value = self.unread.remove(&key)?;
        Some((key.span(), value))
    }

    fn child(&self, table: DeTable<'i>, line: usize, called: String) -> TableReader<'r, 'i> {
        TableReader {
            called,
            line,
            source: self.source,
            faults: self.faults,
            unread: table,
            known: Vec::new(),
        }
    }
}

fn article(value: &DeValue<'_>) -> String {
    let kind = value.type_str();
    let article = if kind.starts_with(['a', 'e', 'i', 'o', 'u']) { "an" } else { "a" };
    format!("{article} {kind}")
}

/// The known name that a misspelt one most likely means.
pub(crate) fn closest<'k>(wrong: &str, known: &[&'k str]) -> Option<&'k str> {
    const FARTHEST: usize = 2;
    // Nobody misspells a name this long; the distance would only cost time.
    const LONGEST: usize = 40;
    if wrong.chars().count() > LONGEST {
        return None;
    }
    let nearest = known.iter().map(|name| (edits(wrong, name), *name)).min()?;
    (nearest.0 <= FARTHEST).then_some(nearest.1)
}

/// How many letters must be changed, added or left out to make one word of the other.
fn edits(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, y) in b.iter().enumerate() {
            let changed = diagonal + usize::from(x != *y);
            diagonal = row[j + 1];
            row[j + 1] = changed.min(row[j] + 1).min(diagonal + 1);
        }
    }
    row[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn misspelt_names_are_recognised() {
        let known = ["width_mm", "length_mm", "colour"];
        assert_eq!(closest("widht_mm", &known), Some("width_mm"));
        assert_eq!(closest("color", &known), Some("colour"));
        assert_eq!(closest("weight", &known), None);
        assert_eq!(edits("kitten", "sitting"), 3);
        assert_eq!(edits("", "abc"), 3);
    }
}
