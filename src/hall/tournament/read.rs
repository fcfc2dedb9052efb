//! Pairings and entrants as organisers send them: CSV or JSON.

use serde::Deserialize;

use super::{Entrant, Pairing, Seat, Stage};
use crate::rules::event::{Play, RawOptions, RawSide};

#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    #[error("line {line}: {why}")]
    Line { line: u64, why: String },
    #[error("the JSON cannot be read: {0}")]
    Json(String),
    #[error("there is nothing in it")]
    Empty,
}

/// A pairing as it is written in a row or an object.
#[derive(Debug, Deserialize)]
struct Row {
    id: String,
    #[serde(default)]
    round: String,
    game: Option<String>,
    first: String,
    second: String,
    #[serde(default)]
    first_players: Players,
    #[serde(default)]
    second_players: Players,
    best_of: Option<i64>,
    target: Option<i64>,
    play: Option<Play>,
    table: Option<String>,
}

/// `Ann / Bo`, or a list.
#[derive(Debug, Default, Deserialize)]
#[serde(untagged)]
enum Players {
    #[default]
    None,
    Text(String),
    List(Vec<String>),
}

impl Players {
    fn names(self) -> Option<Vec<String>> {
        let names: Vec<String> = match self {
            Players::None => return None,
            Players::Text(text) => {
                text.split('/').map(|name| name.trim().to_owned()).filter(|name| !name.is_empty()).collect()
            }
            Players::List(names) => names,
        };
        (!names.is_empty()).then_some(names)
    }
}

impl Row {
    fn pairing(self, game: &str) -> Pairing {
        let seat = |name: &str, players: Players| {
            let name = name.trim();
            match name.to_lowercase() {
                lower if lower == "bye" => Seat::Bye,
                lower if lower.starts_with("winner of ") => {
                    Seat::WinnerOf(lower["winner of ".len()..].trim().to_owned())
                }
                _ => Seat::Side(RawSide { name: name.to_owned(), colour: None, players: players.names() }),
            }
        };
        let doubles = matches!(
            (&self.first_players, &self.second_players),
            (Players::Text(_) | Players::List(_), Players::Text(_) | Players::List(_))
        );
        let seats = [seat(&self.first, self.first_players), seat(&self.second, self.second_players)];
        let has_players = doubles && seats.iter().filter_map(Seat::side).all(|side| side.players.is_some());
        let play = self.play.or(has_players.then_some(Play::Doubles));
        Pairing {
            id: self.id.trim().to_owned(),
            round: self.round,
            game: self.game.filter(|game| !game.is_empty()).unwrap_or_else(|| game.to_owned()),
            options: RawOptions { play, best_of: self.best_of, target: self.target, ..RawOptions::default() },
            seats,
            table: self.table.filter(|table| !table.is_empty()),
            stage: Stage::Waiting,
        }
    }
}

/// Reads pairings; `game` is for those that name none.
pub fn read_pairings(text: &str, game: &str) -> Result<Vec<Pairing>, ReadError> {
    let rows: Vec<Row> = rows(text, "pairings")?;
    Ok(rows.into_iter().map(|row| row.pairing(game)).collect())
}

/// Reads who is entered: `name` and `players`, or one name a line.
pub fn read_entrants(text: &str) -> Result<Vec<Entrant>, ReadError> {
    #[derive(Deserialize)]
    struct Row {
        name: String,
        #[serde(default)]
        players: Players,
    }
    let has_header = text.trim_start().starts_with(['{', '['])
        || text.lines().next().is_some_and(|line| line.split(',').any(|name| name.trim() == "name"));
    let with_header = if has_header { text.to_owned() } else { format!("name\n{text}") };
    let rows: Vec<Row> = rows(&with_header, "entrants")?;
    let entrant = |row: Row| Entrant { name: row.name.trim().to_owned(), players: row.players.names() };
    Ok(rows.into_iter().map(entrant).filter(|entrant| !entrant.name.is_empty()).collect())
}

/// Rows of a CSV file with a header, of a JSON array, or of the array of that name in an object.
fn rows<T: serde::de::DeserializeOwned>(text: &str, name: &str) -> Result<Vec<T>, ReadError> {
    let text = text.trim_start_matches('\u{feff}').trim();
    if text.is_empty() {
        return Err(ReadError::Empty);
    }
    let json = |error: serde_json::Error| ReadError::Json(error.to_string());
    if text.starts_with('[') {
        return serde_json::from_str(text).map_err(json);
    }
    if text.starts_with('{') {
        let mut object: serde_json::Value = serde_json::from_str(text).map_err(json)?;
        return serde_json::from_value(object[name].take()).map_err(json);
    }
    // Spreadsheets of half of Europe write semicolons.
    let head = text.lines().next().unwrap_or_default();
    let delimiter = if head.contains(';') && !head.contains(',') { b';' } else { b',' };
    let mut reader = csv::ReaderBuilder::new()
        .delimiter(delimiter)
        .trim(csv::Trim::All)
        .flexible(true)
        .from_reader(text.as_bytes());
    let row = |row: Result<T, csv::Error>| {
        row.map_err(|error| {
            let line = error.position().map_or(0, csv::Position::line);
            ReadError::Line { line, why: error.to_string() }
        })
    };
    reader.deserialize().map(row).collect()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;

    #[test]
    fn the_same_pairings_come_as_csv_and_as_json() {
        let csv = "id,round,game,first,second,first_players,second_players,best_of,table\n\
                   1,round 1,kagw,Owls,Larks,Ann / Bo,Cy / Di,3,t1\n2,final,kagw,winner of 1,Wrens,,Ed / Fi,3,\n";
        let json = r#"{"pairings": [
            {"id": "1", "round": "round 1", "game": "kagw", "first": "Owls", "second": "Larks",
             "first_players": ["Ann", "Bo"], "second_players": ["Cy", "Di"], "best_of": 3, "table": "t1"},
            {"id": "2", "round": "final", "first": "winner of 1", "second": "Wrens", "second_players": "Ed / Fi", "best_of": 3, "play": null}]}"#;
        let (a, b) = (read_pairings(csv, "court").unwrap(), read_pairings(json, "kagw").unwrap());
        assert_eq!(a[0], b[0]);
        assert_eq!(a[0].options.play, Some(Play::Doubles));
        assert_eq!((a[0].table.as_deref(), a[1].table.as_deref()), (Some("t1"), None));
        assert_eq!(a[1].seats[0], Seat::WinnerOf("1".to_owned()));
        assert_eq!(read_pairings(&csv.replace(',', ";"), "court").unwrap(), a);
    }

    #[test]
    fn what_cannot_be_read_names_its_line() {
        let error = read_pairings("id,first,second,best_of\n1,a,b,3\n2,a,b,many\n", "court").unwrap_err();
        assert!(error.to_string().contains("line 3"), "{error}");
        assert!(read_pairings("", "court").is_err());
    }

    #[test]
    fn entrants_are_a_name_a_line_or_a_table() {
        assert_eq!(read_entrants("Owls\nLarks\n").unwrap().len(), 2);
        let pairs = read_entrants("name,players\nOwls,Ann / Bo\n").unwrap();
        assert_eq!(pairs[0].players.as_deref(), Some(["Ann".to_owned(), "Bo".to_owned()].as_slice()));
    }
}
