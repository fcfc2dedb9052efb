//! Motion: moving, something in view, settled; and the ways of things that move.
//!
//! In: small grey pictures of a fixed camera, frame by frame. Out: an [`Activity`] a frame (is
//! something moving, what is in the foreground, for how long has it been still) and [`Track`]s.
//! Light that changes and a camera that shakes are no motion. What a thing is and what follows
//! from it is decided elsewhere; nothing here knows a game.
//!
//! The steps, a file each: the small picture and its place on the board (`small`), two pictures
//! compared (`compare`), changed cells gathered into things (`blobs`), the state from frame to
//! frame (`watcher`), things followed (`tracks`), each with one of the frame before (`pairing`).

mod blobs;
mod compare;
mod options;
mod pairing;
mod small;
mod tracks;
mod watcher;

pub use blobs::Blob;
pub use compare::Common;
pub use options::MotionOptions;
pub(crate) use pairing::nearest_first;
pub use small::SmallView;
pub use tracks::{Track, TrackOptions, TrackPoint, Tracker};
pub use watcher::{Activity, Watcher};
