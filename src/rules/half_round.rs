//! What the court and the long board share: a lag, a choice of colour, and half rounds of pucks.

use super::{
    GameId, Setup, Side, Standing,
    colour_choice::ColourChoice,
    event::{Event, Flag},
    frame,
    game::{self, Entry},
    pucks::{Counting, Pucks},
    reason::{Reason, Reasons, Refusal},
};

/// A validated event of either game.
#[derive(Debug)]
pub enum HalfRoundMove {
    Opening(Opening),
    Frame(Frame),
}

/// What comes before a game's first frame (C1, L1).
#[derive(Debug)]
pub enum Opening {
    Lag(Nearest),
    Choose { swap: bool },
}

/// The side whose puck was nearest; `None` when it was too close to call.
#[derive(Debug)]
pub struct Nearest(pub(super) Option<Side>);

/// A validated frame.
#[derive(Debug)]
pub struct Frame {
    pub(super) pucks: Pucks,
    /// A hand over the foul line was flagged (C2, L1).
    pub(super) hand_flagged: bool,
}

/// Settles who plays which colour, as far as the opening goes. Both games cite their first rule.
pub(super) fn apply_opening(
    opening: Opening,
    choice: &mut ColourChoice,
    game: GameId,
    standing: &Standing,
) -> Entry {
    match opening {
        Opening::Lag(Nearest(nearest)) => choice.lag(nearest),
        Opening::Choose { swap } => choice.choose(swap),
    }
    let mut entry = Entry::new(game, standing, None);
    entry.cites.add(1);
    entry
}

pub(super) fn validate(
    event: &Event,
    setup: &Setup,
    standing: &Standing,
    choice: &ColourChoice,
    before_first_frame: bool,
    counting: Counting,
) -> Result<HalfRoundMove, Refusal> {
    game::check_open(standing, setup)?;
    let mut reasons = Reasons::new(event.waivers());
    let play = match event {
        Event::Lag(lag) => {
            let nearest = choice.check_lag(lag, setup, before_first_frame, &mut reasons);
            HalfRoundMove::Opening(Opening::Lag(Nearest(nearest)))
        }
        Event::Choose(choose) => {
            let swap = choice.check_choose(choose, setup, before_first_frame, &mut reasons);
            HalfRoundMove::Opening(Opening::Choose { swap })
        }
        Event::Frame(event) => {
            choice.check_frame(setup, &mut reasons);
            let pucks = frame::validate(event, setup, &choice.colours, counting, &mut reasons);
            HalfRoundMove::Frame(Frame { pucks, hand_flagged: event.flags.contains(&Flag::Hand) })
        }
        other => {
            let (game, expected) = (setup.game.id(), "lag, choose and frame");
            reasons.add(Reason::NotAnEventOf { event: other.name(), game, expected });
            return Err(reasons.into_refusal());
        }
    };
    reasons.or(play)
}
