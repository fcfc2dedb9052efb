//! What the loop is told.

use crate::motion::{MotionOptions, TrackOptions};

/// Options of the loop.
#[derive(Debug, Clone, Default)]
pub struct LiveOptions {
    pub motion: MotionOptions,
    pub tracks: TrackOptions,
    pub settle: SettleOptions,
    pub umpire: UmpireOptions,
}

/// When and how a still view is read.
#[derive(Debug, Clone, PartialEq)]
pub struct SettleOptions {
    /// Frames that are fused into one picture, at most. Default 5: more take longer, and what is
    /// left of the error is mostly bias, which no number of frames removes.
    pub fuse_frames: usize,
    /// Foreground that no piece explains, in areas of the smallest piece: more is a hand, and the
    /// view is not read. Default 1.5; less waits for every new shadow, more reads past fingers.
    pub unexplained_pieces: f64,
    /// After so many seconds without any motion what is unexplained is taken for granted: a cup, a
    /// shadow. Default 6: nobody keeps a hand that still.
    pub absorb_secs: f64,
    /// While nothing happens the picture of the settled board is taken again this often, in
    /// seconds: slow light is learned. Default 5.
    pub renew_secs: f64,
    /// A fixed camera has moved when the paint lies farther than this from its place, in pixels of
    /// a picture 1920 wide. Default 0.3: about a quarter of a millimetre.
    pub moved_px: f64,
    /// Places of paint that are looked at for that. Default 600: fewer are not good to 0.3 px.
    pub check_stations: usize,
    /// Seconds before a settled view of which frames are kept as evidence, and how many.
    /// Default 3 s, 6 frames; more fills the ledger.
    pub before_secs: f64,
    pub before_frames: usize,
}

impl Default for SettleOptions {
    fn default() -> Self {
        Self {
            fuse_frames: 5,
            unexplained_pieces: 1.5,
            absorb_secs: 6.0,
            renew_secs: 5.0,
            moved_px: 0.3,
            check_stations: 600,
            before_secs: 3.0,
            before_frames: 6,
        }
    }
}

/// When what was seen is sure.
#[derive(Debug, Clone, PartialEq)]
pub struct UmpireOptions {
    /// A piece that lies within this of its old place has not moved, in mm, beside three standard
    /// deviations. Default 0.8: what differs between two views of a piece that nobody touched.
    pub same_place_mm: f64,
    /// Below this confidence a single observation (a pocket, a bank, a count) is asked about.
    /// Default 0.9.
    pub sure: f64,
    /// Below this confidence in the whole event a person is asked. Default 0.9: single doubts are
    /// asked about one by one; this catches many small ones together.
    pub ask_below: f64,
    /// Whether each game begins with a lag for colour (C1). Default false: then the first two pucks
    /// are the first two shots.
    pub lag: bool,
    /// Two things that enter within this time are one, in seconds. Default 0.35: a piece on its way
    /// may be seen in two parts.
    pub one_shot_secs: f64,
    /// How near a pocket's edge a piece was last seen that fell into it, in diameters of the piece,
    /// beside what it moved in a frame and a half. Default 0.75.
    pub pocket_diameters: f64,
}

impl Default for UmpireOptions {
    fn default() -> Self {
        Self {
            same_place_mm: 0.8,
            sure: 0.9,
            ask_below: 0.9,
            lag: false,
            one_shot_secs: 0.35,
            pocket_diameters: 0.75,
        }
    }
}
