//! Who plays which colour: the lag and the choice after it (C1, L1).

use super::{
    BySide, Setup, Side,
    event::{ChooseEvent, LagEvent},
    frame::sighting,
    reason::{Reason, Reasons},
};
use crate::{
    calls::{self, CallOptions, OrderCall, PaintEdge},
    geometry::Point,
};

/// How far the choice of colour has come in the running game.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Choice {
    /// No lag: the colours are as they were.
    Standing,
    /// The side has lagged nearest and chooses.
    Due(Side),
    /// Too close to call.
    LagAgain,
    Made,
}

/// The colours of the sides.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct ColourChoice {
    pub colours: BySide<String>,
    choice: Choice,
}

impl ColourChoice {
    pub fn new(setup: &Setup) -> Self {
        Self { colours: setup.colours.clone(), choice: Choice::Standing }
    }

    pub fn to_choose(&self) -> Option<Side> {
        match self.choice {
            Choice::Due(side) => Some(side),
            _ => None,
        }
    }

    /// A new game: the colours stay unless they are lagged for again.
    pub fn next_game(&mut self) {
        self.choice = Choice::Standing;
    }

    /// Whether a frame may be played now.
    pub fn check_frame(&self, setup: &Setup, reasons: &mut Reasons<'_>) {
        match self.choice {
            Choice::Due(side) => reasons.add(Reason::ChoiceDue(setup.name(side).to_owned())),
            Choice::LagAgain => reasons.add(Reason::LagAgain),
            Choice::Standing | Choice::Made => {}
        }
    }

    /// The side that may choose after a lag; `None` when it was too close to call.
    pub fn check_lag(
        &self,
        event: &LagEvent,
        setup: &Setup,
        before_first_frame: bool,
        reasons: &mut Reasons<'_>,
    ) -> Option<Side> {
        match self.choice {
            Choice::Due(side) => reasons.add(Reason::ChoiceDue(setup.name(side).to_owned())),
            Choice::Made => reasons.add(Reason::LateLag),
            Choice::Standing | Choice::LagAgain if !before_first_frame => reasons.add(Reason::LateLag),
            Choice::Standing | Choice::LagAgain => {}
        }
        let mut side_named = |name: &String| {
            let side = setup.side_named(name);
            if side.is_none() {
                reasons.add(Reason::UnknownSide { found: name.clone(), expected: setup.names() });
            }
            side
        };
        let (first, second) = (side_named(&event.first)?, side_named(&event.second)?);
        if first == second {
            reasons.add(Reason::LagAgainstOneself(event.first.clone()));
        }
        let expects_pieces = !event.moved || !event.pieces.is_empty();
        if expects_pieces && event.pieces.len() != 2 {
            reasons.add(Reason::LagPieces(event.pieces.len()));
        }
        let kind = &setup.kind_of(Side::First, &self.colours.first).name;
        let mut pucks = Vec::with_capacity(2);
        for (index, piece) in event.pieces.iter().take(2).enumerate() {
            if let Some(colour) = &piece.colour {
                super::frame::side_of(colour, &self.colours, reasons);
            }
            let centre = Point::new(piece.x_mm, piece.y_mm);
            pucks.extend(sighting(kind, centre, piece.sigma_mm, index + 1, &setup.board, reasons));
        }
        // C1: a second puck that moved the first loses the choice, wherever both lie.
        if event.moved {
            return Some(first);
        }
        let [one, two] = pucks.as_slice() else { return None };
        let options = CallOptions::default();
        let lag = calls::lag(&setup.board, event.end, one, two, &|_, _| PaintEdge::default(), &options)?;
        match lag.order.call {
            OrderCall::First => Some(first),
            OrderCall::Second => Some(second),
            OrderCall::Equal | OrderCall::TooClose => None,
        }
    }

    pub fn lag(&mut self, nearest: Option<Side>) {
        self.choice = nearest.map_or(Choice::LagAgain, Choice::Due);
    }

    /// The side and whether its choice swaps the colours.
    pub fn check_choose(
        &self,
        event: &ChooseEvent,
        setup: &Setup,
        before_first_frame: bool,
        reasons: &mut Reasons<'_>,
    ) -> bool {
        let side = setup.side_named(&event.side);
        match (self.choice, side) {
            (_, None) => {
                reasons.add(Reason::UnknownSide { found: event.side.clone(), expected: setup.names() });
            }
            (Choice::Due(chooser), Some(side)) if chooser != side => {
                let expected = setup.name(chooser).to_owned();
                reasons.add(Reason::NotTheChooser { found: event.side.clone(), expected });
            }
            (Choice::LagAgain, _) => reasons.add(Reason::LagAgain),
            (Choice::Standing | Choice::Made, _) if before_first_frame => reasons.add(Reason::NoLag),
            (Choice::Standing | Choice::Made, _) => reasons.add(Reason::LateLag),
            (Choice::Due(_), _) => {}
        }
        let colour_of = super::frame::side_of(&event.colour, &self.colours, reasons);
        colour_of.is_some() && colour_of != side
    }

    pub fn choose(&mut self, swap: bool) {
        if swap {
            let BySide { first, second } = &mut self.colours;
            std::mem::swap(first, second);
        }
        self.choice = Choice::Made;
    }
}
