//! Why an event is refused: every reason, in words for people, some of them waivable by name.

use std::fmt;

/// One reason. The words say what was wrong and what was expected.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum Reason {
    #[error("the match is over ({0}), so nothing more can be played")]
    MatchOver(String),
    #[error("{event:?} is not an event of {game}; it has {expected}")]
    NotAnEventOf { event: &'static str, game: &'static str, expected: &'static str },
    #[error("{field:?} does not belong in {game}{hint}")]
    FieldNotTaken { field: &'static str, game: &'static str, hint: &'static str },
    #[error("no side plays {found:?}; expected {expected}")]
    UnknownColour { found: String, expected: String },
    #[error(
        "{found} {colour} pieces, but there are only {at_most} (the referee can waive \"too-many-pieces\")"
    )]
    TooManyPieces { colour: String, found: usize, at_most: usize },
    #[error("{found} pieces in one frame; expected at most {at_most}")]
    CrowdedFrame { found: usize, at_most: usize },
    #[error("piece {piece}: no area is called {found:?}; expected one of {expected}, or null")]
    UnknownArea { piece: usize, found: String, expected: String },
    #[error("piece {piece}: expected a position (x_mm and y_mm) or an area, found {found}")]
    PositionOrArea { piece: usize, found: &'static str },
    #[error("piece {piece}: {field:?} goes with {with} only")]
    GoesWith { piece: usize, field: &'static str, with: &'static str },
    #[error("piece {piece}: {field} is {value}; expected {expected}")]
    NotALength { piece: usize, field: &'static str, value: f64, expected: &'static str },
    #[error(
        "piece {piece}: ({x_mm}, {y_mm}) lies {beyond_mm:.0} mm off the board (the referee can waive \"off-the-board\")"
    )]
    OffTheBoard { piece: usize, x_mm: f64, y_mm: f64, beyond_mm: f64 },
    #[error("the areas leave open which of {first} and {second} is ahead (L3); give their positions")]
    OrderOpen { first: String, second: String },
    #[error("no side is called {found:?}; expected {expected}")]
    UnknownSide { found: String, expected: String },
    #[error("a lag is between the two sides; found {0:?} twice")]
    LagAgainstOneself(String),
    #[error("a lag has two pucks, the first side's and the second's; found {0}")]
    LagPieces(usize),
    #[error("a lag comes before a game's first frame (C1)")]
    LateLag,
    #[error("{0} has lagged nearest and has to choose a colour first (C1)")]
    ChoiceDue(String),
    #[error("the lag was too close to call; lag again (C1)")]
    LagAgain,
    #[error("nobody has a colour to choose: expected a lag first (C1; the referee can waive \"no-lag\")")]
    NoLag,
    #[error("{found} cannot choose: {expected} has the choice (C1)")]
    NotTheChooser { found: String, expected: String },
    #[error("the game is tied at or over its mark: expected a play-off rock, not a frame (N6)")]
    PlayoffDue,
    #[error("a play-off rock is only shot when a game is tied at or over its mark (N6)")]
    NoPlayoff,
    #[error("expected a {expected} rock: {why} (N6; the referee can waive \"rock-order\")")]
    RockOrder { expected: String, why: &'static str },
    #[error("{wanted} {colour} gone in one strike, but only {left} on the board")]
    NoneLeft { colour: String, wanted: usize, left: usize },
    #[error("\"disturbed\" is for the first turn of a game only (K3)")]
    NotTheFirstTurn,
    #[error("pieces are gone, so the centre group was disturbed (K3)")]
    DisturbedAfterAll,
    #[error("\"called\" is missing: expected \"made\" or \"missed\" (U10)")]
    CalledMissing,
    #[error("\"called\" is \"made\", but neither an own disc nor the green one was pocketed (U10)")]
    NothingMade,
    #[error("no owed penalty was paid by the event before, so none can be forgotten (K11)")]
    NothingForgotten,
    #[error("there is no reason called {found:?} to waive; expected one of {expected}")]
    UnknownWaiver { found: String, expected: String },

    #[error("{0}")]
    Malformed(String),
    #[error(
        "expected the match itself first: {{\"type\": \"match\", \"game\": …, \"sides\": […]}}, found {0:?}"
    )]
    NoMatch(&'static str),
    #[error("a second match; expected one match a file")]
    SecondMatch,
    #[error("no game is called {found:?}; expected one of {expected}")]
    UnknownGame { found: String, expected: String },
    #[error("{game} does not take the option {option:?}; it takes {expected}")]
    OptionNotTaken { option: &'static str, game: &'static str, expected: String },
    #[error("the option {option:?} is {found}; expected {expected}")]
    OptionValue { option: &'static str, found: i64, expected: String },
    #[error("expected two sides, found {0}")]
    NotTwoSides(usize),
    #[error("side {0} has no name")]
    NoName(usize),
    #[error("two are called {0:?}; every side and player needs a name of its own")]
    SameName(String),
    #[error("{game} is not played with {found:?}; expected {expected}")]
    ColourOfGame { found: String, game: &'static str, expected: String },
    #[error("both sides play {0:?}")]
    SameColour(String),
    #[error("{name:?} has {found} players; in doubles a side has two (\"players\": [\"…\", \"…\"])")]
    NotTwoPlayers { name: String, found: usize },
    #[error("{0:?} has \"players\", which belongs to doubles only")]
    PlayersInSingles(String),

    #[error("event {event} is not an earlier event of this match{hint}")]
    NoSuchEvent { event: usize, hint: &'static str },
    #[error("event {0} is undone and cannot be corrected again (undo its undo first)")]
    AlreadyUndone(usize),
    #[error("event 0 is the match itself: it can be overruled, not undone")]
    MatchUndone,
    #[error("event {event} is {found:?}; {with:?} cannot take its place")]
    WrongReplacement { event: usize, found: &'static str, with: &'static str },
    #[error("this would make event {event} (line {}) impossible: {reasons}", event + 1)]
    MakesImpossible { event: usize, reasons: Refusal },
}

impl Reason {
    /// The name by which a referee can waive it, where the rules can go on without it.
    pub fn waiver(&self) -> Option<&'static str> {
        match self {
            Reason::TooManyPieces { .. } => Some("too-many-pieces"),
            Reason::OffTheBoard { .. } => Some("off-the-board"),
            Reason::NoLag => Some("no-lag"),
            Reason::RockOrder { .. } => Some("rock-order"),
            _ => None,
        }
    }
}

/// The names of all reasons that can be waived.
pub const WAIVERS: [&str; 4] = ["too-many-pieces", "off-the-board", "no-lag", "rock-order"];

/// Every reason why an event was refused; at least one.
#[derive(Debug, Clone, PartialEq)]
pub struct Refusal(pub Vec<Reason>);

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, reason) in self.0.iter().enumerate() {
            write!(f, "{}{reason}", if i == 0 { "" } else { "; " })?;
        }
        Ok(())
    }
}

impl std::error::Error for Refusal {}

impl From<Reason> for Refusal {
    fn from(reason: Reason) -> Self {
        Refusal(vec![reason])
    }
}

/// Collects reasons while an event is checked, and drops those that the referee waives.
#[derive(Debug)]
pub(super) struct Reasons<'a> {
    waived: &'a [String],
    found: Vec<Reason>,
}

impl<'a> Reasons<'a> {
    pub fn new(waived: &'a [String]) -> Self {
        let unknown = waived.iter().filter(|name| !WAIVERS.contains(&name.as_str()));
        let found = unknown
            .map(|name| Reason::UnknownWaiver { found: name.clone(), expected: WAIVERS.join(", ") })
            .collect();
        Self { waived, found }
    }

    pub fn add(&mut self, reason: Reason) {
        let waived = reason.waiver().is_some_and(|name| self.waived.iter().any(|w| w == name));
        if !waived {
            self.found.push(reason);
        }
    }

    pub fn is_empty(&self) -> bool {
        self.found.is_empty()
    }

    /// The reasons as an error; for when one was added.
    pub fn into_refusal(self) -> Refusal {
        Refusal(self.found)
    }

    /// `value` if nothing speaks against it.
    pub fn or<T>(self, value: T) -> Result<T, Refusal> {
        if self.found.is_empty() { Ok(value) } else { Err(Refusal(self.found)) }
    }
}
