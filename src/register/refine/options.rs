//! What is known beforehand, and how the fine registration looks for paint and what it trusts.

use super::{OutlineOptions, ProfileOptions, SideOptions};
use crate::{board::Board, camera::Lens};

/// What is known of the camera besides the picture.
#[derive(Debug, Clone, Default)]
pub struct CameraPrior {
    /// The camera's height above the board by tape, and its standard deviation.
    pub height_mm: Option<(f64, f64)>,
    /// A calibrated lens (a lens file): kept as it is, but for what
    /// [`RefineOptions::lens_file`] allows.
    pub lens: Option<Lens>,
}

/// How uncertain a lens is before the board's lines are looked at, one standard deviation each.
#[derive(Debug, Clone, Copy, PartialEq, serde::Serialize, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LensSigmas {
    /// Of the focal length, as a share of it.
    pub focal_share: f64,
    /// Of the principal point, as a share of the picture's longer side.
    pub centre_share: f64,
    pub k1: f64,
    pub k2: f64,
    /// Of p1 and p2.
    pub tangential: f64,
}

crate::options::options! {
    /// How the fine registration looks for paint and what it trusts.
    #[derive(Debug, Clone, PartialEq)]
    pub struct RefineOptions {
        /// Search to either side of the expected line a round, px of a picture 1920 wide (larger ones
        /// search wider); the last is repeated until nothing moves (24, 10, 5, 3). The first must cover the first camera's error; wider finds the wrong
        /// line sooner.
        pub search_px: Vec<f64> = vec![24.0, 10.0, 5.0, 3.0],
        /// Rounds at the last search width, at most (4).
        pub last_rounds: usize = 4,
        /// Nothing moves: the step of the camera in the picture, px (0.01).
        pub settled_px: f64 = 0.01,
        /// Distance of stations along a line, px (4). Denser costs time and gains little: neighbours
        /// share their errors.
        pub spacing_px: f64 = 4.0,
        /// The same as a share of the search width (0.5), where that is more: the first, wide searches
        /// need few stations and would cost most.
        pub spacing_of_search: f64 = 0.5,
        /// Stations, at most (1500): large pictures get a wider spacing.
        pub max_stations: usize = 1500,
        /// Length along a line over which errors are shared (grain, wear, JPEG blocks), px (12).
        pub correlation_px: f64 = 12.0,
        /// What a profile must look like to count as paint.
        pub profile: ProfileOptions = ProfileOptions::default(),
        /// When and how rails are used besides the lines.
        pub outline: OutlineOptions = OutlineOptions::default(),
        /// When and how the sides of boards that are only roughly known are used instead.
        pub sides: SideOptions = SideOptions::default(),
        /// Least standard deviation of a single crossing, px (0.04).
        pub residual_floor_px: f64 = 0.04,
        /// Residuals beyond this many standard deviations do not count (4.7, Tukey's usual).
        pub outlier_sigmas: f64 = 4.7,
        /// How far paint usually lies beside its drawing at either end of a line, mm (0.08).
        pub paint_offset_mm: f64 = 0.08,
        /// Trust in `paint_offset_mm`, as a number of line ends, against what this board's own lines
        /// show (3). Less: boards with few lines judge themselves by them.
        pub paint_offset_weight: f64 = 3.0,
        /// The lens when nothing is known of it: focal length as a share of the picture's longer side
        /// (1.2), and its standard deviations (focal length within a factor of 1.5).
        pub usual_focal_share: f64 = 1.2,
        pub usual_lens: LensSigmas = LensSigmas { focal_share: 0.4, centre_share: 0.003, k1: 0.15, k2: 0.05, tangential: 0.0006, },
        /// The lens when a lens file is given.
        pub lens_file: LensSigmas = LensSigmas { focal_share: 0.003, centre_share: 0.0005, k1: 0.002, k2: 0.002, tangential: 0.0001, },
        /// How far a fixed camera may have moved to be noticed as moved rather than lost, px (16).
        pub check_search_px: f64 = 16.0,
        /// The same for the quick look that a camera which stands still passes, px (3). Wider costs
        /// time for every picture.
        pub check_near_px: f64 = 3.0,
        /// Share of the places in view at which that look must see paint (0.5), and the farthest that
        /// the board may seem to have moved, px (0.75); else it is looked at widely. Stricter costs
        /// time, laxer could miss a small bump.
        pub check_near_share: f64 = 0.5,
        pub check_still_px: f64 = 0.75,
        /// Places of rails that the quick look asks, at most (40), where the lines leave something
        /// open.
        pub check_rail_places: usize = 40,
        /// Fewest crossings a registration may rest on (40).
        pub min_edges: usize = 40,
        /// Of the stations in view, the share that must be found (0.15); pieces, hands and wear take
        /// the rest.
        pub min_found_share: f64 = 0.15,
        /// A line is missing where less than this share of its places in view agrees (0.2: grain and print give that by chance),
        /// if it has as many places in view as the second (8). Where of the other lines' places this share agrees (0.7), so that
        /// they are not worn, lines with this share of all places may be missing (0.4), under hands and things; more are
        /// elsewhere. More accepts boards whose lines were taken for others, less refuses covered ones.
        pub line_missing: f64 = 0.2,
        pub telling_places: usize = 8,
        pub line_shown: f64 = 0.7,
        pub most_missing: f64 = 0.4,
        /// Largest root mean square of the used residuals, as a share of the picture's longer side
        /// (0.0008: 1.5 px of 1920).
        pub max_rms_share: f64 = 0.0008,
    }
}

impl RefineOptions {
    /// The options for a board whose file says that it is only roughly known: its lines and rails may lie as
    /// far beside their drawing as that.
    pub(super) fn for_board(&self, board: &Board) -> Self {
        let widened = |offset_mm: f64| offset_mm.hypot(board.accuracy_mm);
        let outline = OutlineOptions { offset_mm: widened(self.outline.offset_mm), ..self.outline.clone() };
        Self { paint_offset_mm: widened(self.paint_offset_mm), outline, ..self.clone() }
    }
}
