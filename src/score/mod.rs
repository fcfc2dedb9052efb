//! One photo from pixels to tally: the pipeline, and its report.
//!
//! In: a picture, a board, a game, and what is known of the camera. Out: a [`PhotoReport`]: pieces
//! in millimetres, calls with gaps and probabilities, the tally and what could change it; or the
//! reason why there is none. The stages run in the order of the data: register, detect, measure,
//! paint, calls, tally.

mod batch;
mod look;
mod pipeline;
mod report;
mod room;
mod table;

pub use batch::in_order;
pub use look::{LookOptions, Seen, SeenPaint, Sight, look, look_at};
pub use pipeline::{Known, Prepared, ScoreError, ScoreOptions, Scored, Scorer, StageTimes};
pub use report::{DoubtReport, ForeignReport, PhotoReport, PieceReport, RegistrationReport};
pub use room::RoomOptions;
pub use table::{photo_table, tally_words};
