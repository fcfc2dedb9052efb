//! What the loop is told.

use super::KnownOptions;
use crate::motion::{MotionOptions, TrackOptions};

/// Options of the loop.
#[derive(Debug, Clone, Default, serde::Serialize, serde::Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct LiveOptions {
    pub motion: MotionOptions,
    pub tracks: TrackOptions,
    pub settle: SettleOptions,
    pub umpire: UmpireOptions,
    /// Of boards that are struck on.
    pub known: KnownOptions,
}

/// When and how a still view is read.
#[derive(Debug, Clone, PartialEq, serde::Serialize, serde::Deserialize)]
#[serde(default, deny_unknown_fields)]
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
    /// And by so many standard deviations of where it was and where it is now, at some place of the
    /// surface. Default 3: less takes what few lines leave open for a bump, more overlooks small ones.
    pub moved_sigmas: f64,
    /// Places of paint that are looked at for that. Default 600: fewer are not good to 0.3 px.
    pub check_stations: usize,
    /// Share of the paint that is usually seen which must be seen for the camera to be told moved or in place.
    /// Default 0.6: less takes what shows beside a cloth for a new place, more waits for sleeves.
    pub paint_share: f64,
    /// A camera that is lost is looked for again after so many seconds, and at most after so many, each time
    /// twice as long. Default 2 and 60: a search takes a second of a core.
    pub search_secs: f64,
    pub search_most_secs: f64,
    /// A picture of which no twentieth part of the board is brighter than this is dark, of 255. Default 20.
    pub dark_level: u8,
    /// What lies on more than this share of the surface is never taken for part of the scene. Default 0.05.
    pub absorb_share: f64,
    /// Share of a piece's place that must have changed for it to have come, gone or moved. Default
    /// 0.12: a shadow at its rim changes less.
    pub changed_share: f64,
    /// Two findings within this are of one piece, in radii of the smallest one. Default 0.8: no
    /// other fits between, and a piece that moved more has changed its place in the picture.
    pub same_piece_radii: f64,
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
            moved_sigmas: 3.0,
            check_stations: 600,
            paint_share: 0.6,
            search_secs: 2.0,
            search_most_secs: 60.0,
            dark_level: 20,
            absorb_share: 0.05,
            changed_share: 0.12,
            same_piece_radii: 0.8,
            before_secs: 3.0,
            before_frames: 6,
        }
    }
}

/// When what was seen is sure.
#[derive(Debug, Clone, PartialEq, serde::Serialize, serde::Deserialize)]
#[serde(default, deny_unknown_fields)]
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
    /// A hand that is seen within this of a puck that comes in has played it, in seconds. Default
    /// 0.15: a frame or two; more takes the hand that clears the board for the player's.
    pub hand_beside_secs: f64,
    /// How near a pocket's edge a piece was last seen that fell into it, in diameters of the piece,
    /// beside what it moved in a frame and a half. Default 0.75.
    pub pocket_diameters: f64,
    /// What went farther than this, in diameters of the striker, was struck, though a hand came before
    /// the view had settled: it is asked about. Default 4: fingers at a striker that lies ready move it
    /// less.
    pub run_diameters: f64,
    /// A way that begins within this of where a piece lay may be that piece's, in its radii. Default
    /// 6: at ten frames a second a piece has gone so far when it is first seen.
    pub own_way_radii: f64,
    /// Faster than this a piece can climb a frame and leave the board, in mm/s. Default 1500: more
    /// takes pieces that flew off for pocketed ones, less asks after every hard break.
    pub climbs_mm_s: f64,
    /// A place on a way is off by this much, in radii of the piece: it is read from a small picture
    /// and from blurred rims. Default 0.25; two standard deviations.
    pub track_error_radii: f64,
    /// Slower than this across the board, in mm/s, a piece has no direction that a side could turn
    /// round. Default 40.
    pub across_mm_s: f64,
    /// A way that turns by more than this, in degrees, has met something. Default 4: less takes
    /// errors of places for turns, more misses thin cuts.
    pub turn_deg: f64,
    pub trust: Trust,
}

impl Default for UmpireOptions {
    fn default() -> Self {
        Self {
            same_place_mm: 0.8,
            sure: 0.9,
            ask_below: 0.9,
            lag: false,
            one_shot_secs: 0.35,
            hand_beside_secs: 0.15,
            pocket_diameters: 0.75,
            run_diameters: 4.0,
            own_way_radii: 6.0,
            climbs_mm_s: 1500.0,
            track_error_radii: 0.25,
            across_mm_s: 40.0,
            turn_deg: 4.0,
            trust: Trust::default(),
        }
    }
}

/// How likely an observation of each kind is right, 0 to 1. They multiply to the confidence of an
/// event; those below [`UmpireOptions::sure`] are asked about one by one. Held against the truth of
/// simulated evenings of every game: of what is above `sure`, the README says how little was wrong.
#[derive(Debug, Clone, PartialEq, serde::Serialize, serde::Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Trust {
    /// A puck that came to rest was played, and it was its colour's turn. Default 0.999.
    pub came_to_rest: f64,
    /// No puck more lies there, but pieces were knocked about or something came in and left again,
    /// and no hand was there: one was played. Default 0.98.
    pub left_the_board: f64,
    /// A puck of the other colour came to rest, and as many were seen to come in as that makes.
    /// Default 0.95.
    pub turn_was_seen: f64,
    /// Something was seen for a moment and is gone: a puck was played that left the board. Default
    /// 0.8: it may have been a fly. The turn of the next puck decides; without one it is asked about.
    pub glimpsed: f64,
    /// A piece that turned round at a side has touched it. Default 0.97.
    pub side_turned: f64,
    /// A piece whose way led farther than the side has touched it, and one whose whole way keeps
    /// clear of the sides has not. Default 0.985.
    pub side_by_way: f64,
    /// A rock that was left lying when the next one was shot has touched a bank (N7): else it would have
    /// been taken away, and both sides watch for that. Default 0.99: seven of them go unasked.
    pub left_lying: f64,
    /// A piece that was last seen beside a pocket, or moving toward it, and too slow to leave the
    /// board fell into it. Default 0.98.
    pub pocket: f64,
    /// The same of a piece whose last way was not seen, in a strike too slow for any to leave the
    /// board. Default 0.94: two such pieces in one strike are asked about.
    pub pocket_unseen: f64,
    /// A striker that is this likely to have been placed right was (K2); a foul needs a sure call.
    /// Default 0.97: one that lies in the middle between its lines, its rim hardly seen on them, is at
    /// 0.98, and one that a millimetre decides about is below. Less misses fouls, more asks after pale
    /// strikers.
    pub placed_right: f64,
    /// A striker that a hand held until it went was placed right (K2): fouls of it are rare, and the other side
    /// watches. Default 0.97: asked about together with other doubts only.
    pub placement_held: f64,
    /// Whatever is only likelier than its contrary: always asked about. Default 0.6.
    pub guess: f64,
}

impl Default for Trust {
    fn default() -> Self {
        Self {
            came_to_rest: 0.999,
            left_the_board: 0.98,
            turn_was_seen: 0.95,
            glimpsed: 0.8,
            side_turned: 0.97,
            side_by_way: 0.985,
            left_lying: 0.99,
            pocket: 0.98,
            pocket_unseen: 0.94,
            placed_right: 0.97,
            placement_held: 0.97,
            guess: 0.6,
        }
    }
}
