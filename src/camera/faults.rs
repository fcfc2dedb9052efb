//! What is wrong with a camera or lens file: every fault in one go, each with its line.

use std::path::Path;

use toml::{Table, Value};

/// What a field must hold.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Kind {
    Text,
    Texts,
    Moment,
    OneOf(&'static [&'static str]),
    /// A finite number.
    Number,
    /// A finite number above 0.
    Positive,
    /// A whole number, 0 or above.
    Count,
    /// Width and height in pixels.
    Size,
    /// Three finite numbers.
    Triple,
    /// Rows of 1, 2, … numbers: the lower half of a symmetric matrix of this size whose diagonal
    /// is not negative.
    Triangle(usize),
    /// Tables that are checked elsewhere.
    Tables,
}

/// A field: its section (empty: before the first), name, kind, and whether it may be left out.
pub(super) type Field = (&'static str, &'static str, Kind, Need);

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Need {
    Required,
    Optional,
}

/// Every fault of a file, in the order of its lines: `FILE:LINE: what, expected what`.
pub(super) fn faults(text: &str, path: &Path, fields: &[Field]) -> Vec<String> {
    let at = |line: usize, what: String| format!("{}:{line}: {what}", path.display());
    let table = match text.parse::<Table>() {
        Ok(table) => table,
        Err(error) => {
            let offset = error.span().map_or(0, |span| span.start);
            return vec![at(line_at(text, offset), error.message().to_owned())];
        }
    };
    let mut found: Vec<(usize, String)> = Vec::new();
    for &(section, name, kind, need) in fields {
        let holder =
            if section.is_empty() { Some(&table) } else { table.get(section).and_then(Value::as_table) };
        let full = if section.is_empty() { name.to_owned() } else { format!("{section}.{name}") };
        match holder.and_then(|holder| holder.get(name)) {
            None if need == Need::Required => {
                let line = line_of(text, section, None).unwrap_or(1);
                found.push((line, format!("{full} is missing, expected {}", kind.expected())));
            }
            None => {}
            Some(value) if kind.accepts(value) => {}
            Some(value) => {
                let line = line_of(text, section, Some(name)).unwrap_or(1);
                found.push((line, format!("{full} is {}, expected {}", shortened(value), kind.expected())));
            }
        }
    }
    found.extend(unknown_fields(&table, text, fields));
    found.sort();
    found.into_iter().map(|(line, what)| at(line, what)).collect()
}

fn unknown_fields(table: &Table, text: &str, fields: &[Field]) -> Vec<(usize, String)> {
    let mut unknown = Vec::new();
    let is_section = |name: &str| fields.iter().any(|(section, ..)| *section == name);
    let is_field = |section: &str, name: &str| fields.iter().any(|(s, n, ..)| *s == section && *n == name);
    for (name, value) in table {
        match value {
            Value::Table(inner) if is_section(name) => {
                for key in inner.keys().filter(|key| !is_field(name, key)) {
                    let line = line_of(text, name, Some(key)).unwrap_or(1);
                    unknown.push((line, format!("unknown field {name}.{key}")));
                }
            }
            _ if is_field("", name) => {}
            _ => {
                let line = line_of(text, "", Some(name)).or_else(|| line_of(text, name, None)).unwrap_or(1);
                unknown.push((line, format!("unknown field {name}")));
            }
        }
    }
    unknown
}

fn line_at(text: &str, offset: usize) -> usize {
    text.bytes().take(offset).filter(|byte| *byte == b'\n').count() + 1
}

/// The line of a section's header, or of a field in it.
fn line_of(text: &str, section: &str, name: Option<&str>) -> Option<usize> {
    let mut current = String::new();
    for (index, line) in text.lines().enumerate() {
        let line = line.trim();
        if line.starts_with('[') && line.ends_with(']') && !line.contains('=') {
            current = line.trim_matches(['[', ']']).trim().to_owned();
            if name.is_none() && current == section {
                return Some(index + 1);
            }
        } else if let (Some(name), Some((key, _))) = (name, line.split_once('='))
            && current == section
            && key.trim().trim_matches('"') == name
        {
            return Some(index + 1);
        }
    }
    None
}

fn shortened(value: &Value) -> String {
    /// Characters of a wrong value that are shown.
    const LONGEST: usize = 40;
    let full = value.to_string().replace('\n', " ");
    if full.chars().count() <= LONGEST {
        full
    } else {
        full.chars().take(LONGEST).chain("…".chars()).collect()
    }
}

impl Kind {
    fn expected(self) -> String {
        match self {
            Kind::Text => "a text".into(),
            Kind::Texts => "a list of texts".into(),
            Kind::Moment => "a moment like \"2026-05-01T12:00:00Z\"".into(),
            Kind::OneOf(names) => choice(names),
            Kind::Number => "a finite number".into(),
            Kind::Positive => "a number above 0".into(),
            Kind::Count => "a whole number, 0 or above".into(),
            Kind::Size => "width and height in pixels like [1920, 1080]".into(),
            Kind::Triple => "three finite numbers".into(),
            Kind::Triangle(size) => {
                format!("{size} rows of 1, 2, … {size} finite numbers, the last of each 0 or above")
            }
            Kind::Tables => "a list of tables".into(),
        }
    }

    fn accepts(self, value: &Value) -> bool {
        match self {
            Kind::Text => value.is_str(),
            Kind::Texts => value.as_array().is_some_and(|list| list.iter().all(Value::is_str)),
            Kind::Moment => value.as_str().is_some_and(|text| text.parse::<jiff::Timestamp>().is_ok()),
            Kind::OneOf(names) => value.as_str().is_some_and(|text| names.contains(&text)),
            Kind::Number => number(value).is_some(),
            Kind::Positive => number(value).is_some_and(|n| n > 0.0),
            Kind::Count => value.as_integer().is_some_and(|n| n >= 0),
            Kind::Size => value.as_array().is_some_and(|sides| {
                let is_side = |v: &Value| v.as_integer().is_some_and(|n| n > 0 && n <= i64::from(u32::MAX));
                sides.len() == 2 && sides.iter().all(is_side)
            }),
            Kind::Triple => numbers(value).is_some_and(|list| list.len() == 3),
            Kind::Triangle(size) => value.as_array().is_some_and(|rows| {
                let is_row = |(i, row): (usize, &Value)| {
                    numbers(row).is_some_and(|row| row.len() == i + 1 && row[i] >= 0.0)
                };
                rows.len() == size && rows.iter().enumerate().all(is_row)
            }),
            Kind::Tables => value.as_array().is_some_and(|list| list.iter().all(Value::is_table)),
        }
    }
}

/// A number, written as a whole one or not.
fn number(value: &Value) -> Option<f64> {
    value.as_float().or_else(|| value.as_integer().map(|n| n as f64)).filter(|n| n.is_finite())
}

fn numbers(value: &Value) -> Option<Vec<f64>> {
    value.as_array()?.iter().map(number).collect()
}

/// `"a", "b" or "c"`.
fn choice(names: &[&str]) -> String {
    let quoted: Vec<String> = names.iter().map(|name| format!("{name:?}")).collect();
    match quoted.split_last() {
        Some((last, others)) if !others.is_empty() => format!("{} or {last}", others.join(", ")),
        _ => quoted.join(""),
    }
}
