//! What the court and the long board share: a lag, a choice of colour, and half rounds of pucks.

use super::{
    Setup, Side, Standing,
    colour_choice::ColourChoice,
    event::{Event, Flag},
    frame, game,
    pucks::{Counting, Pucks},
    reason::{Reason, Reasons, Refusal},
};

/// A validated event of either game.
#[derive(Debug)]
pub enum HalfRoundMove {
    Lag(Nearest),
    Choose { swap: bool },
    Frame(Frame),
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
            HalfRoundMove::Lag(Nearest(choice.check_lag(lag, setup, before_first_frame, &mut reasons)))
        }
        Event::Choose(choose) => HalfRoundMove::Choose {
            swap: choice.check_choose(choose, setup, before_first_frame, &mut reasons),
        },
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
