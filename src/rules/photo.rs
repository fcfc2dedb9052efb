//! The tally of one photo: calls in, points and doubts out, without a match around them.
//!
//! Shuffleboard photos are scored as the frame that they show. Of carrom photos the pieces in play
//! are counted, because what was pocketed before cannot be seen.

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::{
    BySide, GameId, Side,
    pucks::{Counting, Doubt, EXISTENCE, Puck, Pucks},
    setup::side_kinds,
};
use crate::{
    board::{Board, End, PieceKind},
    calls::{Call, CallOptions, Outcome, PieceState, Sighting},
};

/// A number for every colour, in the board file's order.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ColourTally(pub Vec<(String, i32)>);

impl Serialize for ColourTally {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(colour, number)| (colour, number)))
    }
}

impl<'de> Deserialize<'de> for ColourTally {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct InOrder;
        impl<'de> serde::de::Visitor<'de> for InOrder {
            type Value = ColourTally;

            fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str("a number for every colour")
            }

            fn visit_map<A: serde::de::MapAccess<'de>>(self, mut map: A) -> Result<ColourTally, A::Error> {
                let mut numbers = Vec::new();
                while let Some(entry) = map.next_entry()? {
                    numbers.push(entry);
                }
                Ok(ColourTally(numbers))
            }
        }
        deserializer.deserialize_map(InOrder)
    }
}

/// A call whose other outcome would change the tally.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct PhotoDoubt {
    /// Index of the piece in the photo's list.
    pub piece: usize,
    /// The other piece, where the order of two is in doubt (L3).
    pub against: Option<usize>,
    /// The line that is too close, `end` for a hanging piece, `order`, `edge` for the surface's or a
    /// pocket's edge, `existence` where it may be no piece, or be one after all.
    pub about: String,
    /// How likely the other outcome is.
    pub probability: f64,
    /// The tally that it would give.
    pub tally: ColourTally,
}

/// What a photo's calls come to.
#[derive(Debug, Clone, PartialEq)]
pub struct PhotoTally {
    /// Points by colour; in the carrom games the number of pieces in play.
    pub tally: ColourTally,
    /// How likely the tally is, all doubts together.
    pub probability: f64,
    /// What each piece scores, in the order given; `None` for one that scores nothing by its place
    /// (a carrom game's) or cannot be called (a stacked one).
    pub points: Vec<Option<i32>>,
    pub doubts: Vec<PhotoDoubt>,
    /// Pieces that cannot be called; the tally leaves them out.
    pub uncalled: Vec<usize>,
}

/// Tallies the calls of one photo of `game`'s `end`. What is likelier not there than there is left out, and doubted.
pub fn photo_tally(board: &Board, game: GameId, end: End, pieces: &[(Sighting, Call)]) -> PhotoTally {
    match game {
        GameId::Court | GameId::Association => frame(board, end, Counting::Every, pieces),
        GameId::LongBoard => frame(board, end, Counting::Leaders, pieces),
        GameId::Kagw | GameId::Ludington => in_play(board, pieces),
    }
}

fn frame(board: &Board, end: End, counting: Counting, pieces: &[(Sighting, Call)]) -> PhotoTally {
    let kinds: Vec<&PieceKind> = side_kinds(board).take(2).collect();
    let side_of = |kind: &str| match kinds.iter().position(|k| k.name == kind) {
        Some(0) => Some(Side::First),
        Some(_) => Some(Side::Second),
        None => None,
    };
    // Pucks that are scored, each with its place in the photo's list.
    let mut pucks = Pucks::new(counting, pieces.len());
    let mut indices = Vec::with_capacity(pieces.len());
    for (index, (sighting, call)) in pieces.iter().enumerate() {
        if let Some(side) = side_of(&sighting.kind).filter(|_| call.state != PieceState::Stacked) {
            let puck = Puck::called(side, call, sighting, board, end);
            let instead_of = if puck.is_there() { None } else { instead_of(board, index, pieces) };
            let instead_of = instead_of.and_then(|other| indices.iter().position(|i| *i == other));
            pucks.push(Puck { instead_of, ..puck });
            indices.push(index);
        }
    }
    let colours = |tally: BySide<i32>| {
        let number = |i: usize| if i == 0 { tally.first } else { tally.second };
        ColourTally(kinds.iter().enumerate().map(|(i, kind)| (kind.name.clone(), number(i))).collect())
    };
    let doubt = |doubt: Doubt| PhotoDoubt {
        piece: indices[doubt.piece],
        against: doubt.against.map(|piece| indices[piece]),
        about: doubt.about,
        probability: doubt.probability,
        tally: colours(doubt.tally),
    };
    let mut points = vec![None; pieces.len()];
    for (index, scored) in indices.iter().zip(pucks.points()) {
        points[*index] = Some(scored).filter(|_| is_there(&pieces[*index].0));
    }
    let score = pucks.score();
    PhotoTally {
        tally: colours(score.tally),
        probability: score.probability,
        points,
        doubts: score.doubts.map_or(Vec::new(), |all| all.doubts.into_iter().map(doubt).collect()),
        uncalled: uncalled(pieces),
    }
}

fn uncalled(pieces: &[(Sighting, Call)]) -> Vec<usize> {
    let is_stacked =
        |(sighting, call): &(Sighting, Call)| call.state == PieceState::Stacked && is_there(sighting);
    let stacked = pieces.iter().enumerate().filter(|(_, piece)| is_stacked(piece));
    stacked.map(|(index, _)| index).collect()
}

/// Pieces on the surface by kind. One that lies on another is in play all the same (K14).
fn in_play(board: &Board, pieces: &[(Sighting, Call)]) -> PhotoTally {
    let kinds = || board.pieces.iter().filter(|kind| !kind.shooter);
    let off = |state: PieceState| state == PieceState::Off;
    let lies = |(sighting, call): &(Sighting, Call)| is_there(sighting) && !off(call.state);
    let count = |kind: &PieceKind, turned: Option<usize>| {
        let of_kind = pieces.iter().enumerate().filter(|(_, (sighting, _))| sighting.kind == kind.name);
        let lying = of_kind.filter(|(i, piece)| lies(piece) != (turned == Some(*i))).count();
        // One more than there are of a kind would be there instead of another.
        lying.min(kind.count) as i32
    };
    let tally = |turned: Option<usize>| {
        ColourTally(kinds().map(|kind| (kind.name.clone(), count(kind, turned))).collect())
    };
    let (likeliest, options) = (tally(None), CallOptions::default());
    let mut doubts = Vec::new();
    let mut probability = 1.0;
    let mut doubt = |piece: usize, about: &str, p: f64| {
        let tally = tally(Some(piece));
        if p > 0.0 && tally != likeliest {
            probability *= 1.0 - p;
            let about = about.to_owned();
            doubts.push(PhotoDoubt { piece, against: None, about, probability: p, tally });
        }
    };
    for (piece, (sighting, call)) in pieces.iter().enumerate() {
        let p_exists = sighting.exists(&options);
        let other = |outcome: &&Outcome| off(outcome.state) != off(call.state);
        let p_other: f64 = call.outcomes.iter().filter(other).map(|outcome| outcome.probability).sum();
        match (is_there(sighting), off(call.state)) {
            (true, is_off) => {
                doubt(piece, "edge", p_other);
                doubt(piece, EXISTENCE, if is_off { 0.0 } else { 1.0 - p_exists });
            }
            (false, false) => doubt(piece, EXISTENCE, p_exists * (1.0 - p_other)),
            (false, true) => {}
        }
    }
    let points = vec![None; pieces.len()];
    PhotoTally { tally: tally(None), probability, points, doubts, uncalled: Vec::new() }
}

fn is_there(sighting: &Sighting) -> bool {
    sighting.p_exists >= 0.5
}

/// The least certain piece of a left out one's kind, where the board has no more of them.
fn instead_of(board: &Board, left_out: usize, pieces: &[(Sighting, Call)]) -> Option<usize> {
    let kind = board.piece(&pieces[left_out].0.kind)?;
    let of_kind = || {
        let there = pieces.iter().enumerate().filter(|(_, (sighting, _))| is_there(sighting));
        there.filter(|(_, (sighting, _))| sighting.kind == kind.name)
    };
    let weakest = of_kind().min_by(|a, b| a.1.0.p_exists.total_cmp(&b.1.0.p_exists));
    weakest.filter(|_| of_kind().count() >= kind.count).map(|(index, _)| index)
}
