//! Options written as TOML, with or without what they mean.

use serde::Serialize;
use serde_json::{Map, Value};

use super::{About, DECLARED, Options};

/// The values of some options as TOML, each on a line of its own.
pub fn as_toml(options: &impl Serialize) -> String {
    let mut text = String::new();
    if let Value::Object(values) = values_of(options) {
        write_table(&mut text, &[], &values, None);
    }
    text
}

/// The defaults with what each means: of all sections, or of those whose name begins with one of `sections`.
pub fn defaults(sections: &[String]) -> String {
    let mut text = String::new();
    if let Value::Object(values) = values_of(&Options::default()) {
        write_table(&mut text, &[], &values, about("Options"));
    }
    if sections.is_empty() {
        return text;
    }
    let is_asked = |block: &&str| {
        let head = block.lines().find_map(|line| line.strip_prefix('[')?.strip_suffix(']'));
        head.is_some_and(|head| {
            sections.iter().any(|asked| head == asked || head.starts_with(&format!("{asked}.")))
        })
    };
    let blocks: Vec<&str> = text.trim_end().split(SECTION).filter(is_asked).collect();
    if blocks.is_empty() { String::new() } else { blocks.join(SECTION) + "\n" }
}

/// The names of all sections.
pub fn sections() -> Vec<String> {
    let head = |line: &str| Some(line.strip_prefix('[')?.strip_suffix(']')?.to_owned());
    as_toml(&Options::default()).lines().filter_map(head).collect()
}

/// What stands between two sections.
const SECTION: &str = "\n\n";

/// As JSON keeps them: in the order of their declaration, and short numbers short.
pub(super) fn values_of(options: &impl Serialize) -> Value {
    // By way of text, which writes a number of single precision as it is declared.
    let text = serde_json::to_string(options).unwrap_or_default();
    serde_json::from_str(&text).unwrap_or_default()
}

fn about(kind: &str) -> Option<&'static About> {
    let name = kind.rsplit("::").next().unwrap_or(kind).trim();
    DECLARED.iter().copied().find(|about| about.name == name)
}

/// Whether a value is a section of its own: a range stands on one line.
pub(super) fn is_section(value: &Value) -> bool {
    value.as_object().is_some_and(|table| !table.keys().eq(["start", "end"]))
}

fn write_table(text: &mut String, path: &[&str], values: &Map<String, Value>, about: Option<&About>) {
    if let Some(about) = about {
        write_meaning(text, about.meaning);
    }
    let (sections, plain): (Vec<_>, Vec<_>) = values.iter().partition(|(_, value)| is_section(value));
    if !path.is_empty() && !plain.is_empty() {
        text.push_str(&format!("[{}]\n", path.join(".")));
    }
    let field = |name: &str| about.and_then(|about| about.fields.iter().find(|field| field.name == name));
    for (name, value) in plain {
        write_meaning(text, field(name).map_or(&[], |field| field.meaning));
        text.push_str(&format!("{name} = {}\n", inline(value)));
    }
    for (name, value) in sections {
        let Value::Object(values) = value else { continue };
        text.push('\n');
        let of_field = field(name);
        let of_kind =
            of_field.and_then(|field| self::about(field.kind)).map_or(&[][..], |about| about.meaning);
        let meaning = of_field.map_or(&[][..], |field| field.meaning);
        write_meaning(text, if meaning == of_kind { &[] } else { meaning });
        let path: Vec<&str> = path.iter().copied().chain([name.as_str()]).collect();
        write_table(text, &path, values, of_field.and_then(|field| self::about(field.kind)));
    }
}

/// Comments; links to other options become their names.
fn write_meaning(text: &mut String, lines: &[&str]) {
    for line in lines {
        let plain = line.trim().replace("[`", "").replace("`]", "").replace('`', "");
        let words = plain.split(' ').map(|word| match word.rsplit_once("::") {
            Some((_, name)) => name,
            None => word,
        });
        text.push_str(&format!("# {}\n", words.collect::<Vec<_>>().join(" ")));
    }
}

fn inline(value: &Value) -> String {
    match value {
        Value::Array(values) => format!("[{}]", values.iter().map(inline).collect::<Vec<_>>().join(", ")),
        Value::Object(table) => {
            let pairs: Vec<String> =
                table.iter().map(|(name, value)| format!("{name} = {}", inline(value))).collect();
            format!("{{ {} }}", pairs.join(", "))
        }
        plain => plain.to_string(),
    }
}
