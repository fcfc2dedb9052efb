//! A desk's state as a hall shows it.

use serde_json::Value;

use super::TableOptions;
use crate::{
    camera::PROGRAM,
    desk::{CallSummary, Desk, DeskState},
    hall::topics::{CloseCall, Playing, Refused, SideStanding, TableState, VERSION},
    ledger::{CameraMoved, Head, Origin},
    rules::{Record, Side, catalogue::GameText, report},
};

/// Close calls that a hall is told of at most.
const CLOSE_CALLS: usize = 5;

pub fn of(
    desk: &Desk,
    state: &DeskState,
    ledger: &Origin,
    options: &TableOptions,
    refused: &Refused,
) -> TableState {
    let head: Head = desk.with_ledger(|ledger| ledger.head());
    let playing = desk.with_record(|record| playing(record, state)).flatten();
    TableState {
        v: VERSION,
        name: options.name.clone(),
        program: PROGRAM.to_owned(),
        at: jiff::Timestamp::now(),
        ledger: ledger.clone(),
        head,
        free: is_free(playing.as_ref()),
        playing,
        doing: state.camera.as_ref().and_then(doing),
        camera_moved: state.camera_moved.as_ref().map(moved_words),
        asks: state.pending.len(),
        close_calls: state.close_calls.iter().take(CLOSE_CALLS).map(close_call).collect(),
        games: options.games.iter().map(|game| game.id().to_owned()).collect(),
        refused: refused.clone(),
    }
}

/// Whether a pairing may begin here: nothing has been played of a match that is not over.
pub fn is_free(playing: Option<&Playing>) -> bool {
    playing
        .is_none_or(|playing| playing.events <= 1 || matches!(playing.status.as_str(), "won" | "undecided"))
}

pub fn playing(record: &Record, state: &DeskState) -> Option<Playing> {
    let info = state.match_info.as_ref()?;
    Some(Playing { number: info.number, header: info.header.clone(), ..standing(record) })
}

/// A match's standing, without its number.
pub fn standing(record: &Record) -> Playing {
    let json = report::json(record);
    let game = record.state();
    let setup = game.setup();
    let standing = game.standing();
    let of_side = |what: &str, name: &str| json[what][name].as_i64().unwrap_or(0);
    let side = |side: Side| {
        let name = setup.name(side);
        SideStanding {
            name: name.to_owned(),
            players: setup.sides[side].players.iter().flatten().cloned().collect(),
            colour: game.colours()[side].clone(),
            score: of_side("scores", name),
            games: of_side("games", name),
            points: of_side("points", name),
        }
    };
    let header = record.standing(0).or(record.events().first().map(|first| &first.event));
    Playing {
        number: 0,
        game: setup.game.id().to_owned(),
        game_name: GameText::of(setup.game).name.to_owned(),
        best_of: setup.options.best_of,
        header: header.cloned().unwrap_or(crate::rules::Event::Forgotten(Default::default())),
        status: standing.status.name().to_owned(),
        sides: Side::BOTH.map(side).to_vec(),
        winner: standing.status.winner().map(|side| setup.name(side).to_owned()),
        to_play: json["to_play"].as_str().map(str::to_owned),
        events: record.next_number(),
    }
}

fn doing(camera: &Value) -> Option<String> {
    let text = |key: &str| camera[key].as_str().map(|text| text.replace('-', " "));
    text("doing").or_else(|| text("watching"))
}

fn moved_words(moved: &CameraMoved) -> String {
    match (moved.registered_again, moved.moved_px) {
        (true, Some(px)) => format!("the camera was moved by {px:.0} px, and found its board again"),
        (false, Some(px)) => format!("the camera was moved by {px:.0} px: set it up again"),
        (_, None) => "the camera does not see the board any more: set it up again".to_owned(),
    }
}

fn close_call(call: &CallSummary) -> CloseCall {
    let area = call.area.as_deref().unwrap_or("no area");
    let gap = call.contact.as_ref().map_or(String::new(), |contact| {
        format!(", {:+.2} ± {:.2} mm from {}", contact.gap_mm, contact.sigma_mm, contact.line)
    });
    let words = format!("event {}: {} {} in {area}{gap}", call.event, call.colour, call.piece);
    CloseCall { id: call.id.to_string(), words, swing: call.swing }
}
