//! What is wrong with a file of options: every fault, each with its line.
//!
//! A file is held against the defaults: what has another name, another type or another magnitude than any default is a slip.

use std::ops::Range;

use serde::Serialize;
use serde_json::Value;
use toml::{
    Spanned,
    de::{DeTable, DeValue},
};

use super::write::{is_section, values_of};
use crate::board::closest;

/// A number so many times its default is a slip, and would cost memory.
const MOST_TIMES: f64 = 1000.0;

/// All faults of a text against options of which `defaults` is one.
pub(super) fn faults(text: &str, defaults: &impl Serialize) -> Vec<String> {
    let table = match DeTable::parse(text) {
        Ok(table) => table,
        Err(error) => return vec![words(text, &error)],
    };
    let mut found = Vec::new();
    compare(text, "", table.get_ref(), &values_of(defaults), &mut found);
    found.sort_by_key(|(line, _)| *line);
    found.into_iter().map(|(line, fault)| format!("line {line}: {fault}")).collect()
}

/// A fault of the format in one line.
pub(super) fn words(text: &str, error: &toml::de::Error) -> String {
    let line = error.span().map_or(1, |span| line_of(text, &span));
    format!("line {line}: {}", error.message().lines().collect::<Vec<_>>().join(", "))
}

fn line_of(text: &str, span: &Range<usize>) -> usize {
    let before = &text.as_bytes()[..span.start.min(text.len())];
    before.iter().filter(|byte| **byte == b'\n').count() + 1
}

fn compare(text: &str, path: &str, table: &DeTable<'_>, default: &Value, found: &mut Vec<(usize, String)>) {
    let Some(known) = default.as_object() else { return };
    for (key, value) in table {
        let (name, line) = (key.get_ref().as_ref(), line_of(text, &key.span()));
        let full = if path.is_empty() { name.to_owned() } else { format!("{path}.{name}") };
        let Some(default) = known.get(name) else {
            found.push((line, unknown(path, name, known.iter())));
            continue;
        };
        match (value.get_ref(), default) {
            (DeValue::Table(inner), Value::Object(_)) => compare(text, &full, inner, default, found),
            _ => {
                if let Some(fault) = value_fault(&full, value, default) {
                    found.push((line, fault));
                }
            }
        }
    }
}

fn unknown<'v>(path: &str, name: &str, known: impl Iterator<Item = (&'v String, &'v Value)>) -> String {
    let known: Vec<(&str, bool)> = known.map(|(name, value)| (name.as_str(), is_section(value))).collect();
    let names: Vec<&str> = known.iter().map(|(name, _)| *name).collect();
    let place =
        if path.is_empty() { "a section or option".to_owned() } else { format!("an option of [{path}]") };
    let hint = match closest(name, &names) {
        Some(close) => format!("did you mean {close}?"),
        None if path.is_empty() => format!("expected one of {}", names.join(", ")),
        None => format!("`linecall options {path}` lists them"),
    };
    format!("{name} is not {place}; {hint}")
}

/// What is wrong with a value against the default that it replaces.
fn value_fault(name: &str, value: &Spanned<DeValue<'_>>, default: &Value) -> Option<String> {
    let expected = |what: &str| Some(format!("{name} must be {what}, as its default {default}"));
    match (value.get_ref(), default) {
        (DeValue::Boolean(_), Value::Bool(_)) | (DeValue::String(_), Value::String(_)) => None,
        (DeValue::Integer(integer), Value::Number(default)) => {
            let number = i64::from_str_radix(integer.as_str(), integer.radix()).ok().map(|n| n as f64);
            number_fault(name, number, default)
        }
        (DeValue::Float(float), Value::Number(default)) if default.is_f64() => {
            number_fault(name, float.as_str().parse().ok(), default)
        }
        (DeValue::Float(_), Value::Number(_)) => expected("a whole number"),
        (DeValue::Array(values), Value::Array(defaults)) => {
            let like = defaults.first()?;
            values.iter().find_map(|value| value_fault(name, value, like))
        }
        (_, Value::Bool(_)) => expected("true or false"),
        (_, Value::Number(_)) => expected("a number"),
        (_, Value::Array(_)) => expected("a list"),
        (_, Value::Object(_)) => expected("a table"),
        _ => None,
    }
}

fn number_fault(name: &str, number: Option<f64>, default: &serde_json::Number) -> Option<String> {
    let usual = default.as_f64().unwrap_or_default();
    match number {
        Some(number) if !number.is_finite() => {
            Some(format!("{name} must be a finite number, as its default {default}"))
        }
        None => Some(format!("{name} must be a number, as its default {default}")),
        Some(number) if usual != 0.0 && number.abs() > MOST_TIMES * usual.abs() => {
            Some(format!("{name} is more than {MOST_TIMES} times its default {default}"))
        }
        Some(number) if usual > 0.0 && number < 0.0 => {
            Some(format!("{name} must not be negative; its default is {default}"))
        }
        Some(_) => None,
    }
}
