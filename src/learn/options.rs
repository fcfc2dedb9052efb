//! How a board is learned.

use crate::register::{FindOptions, RefineOptions};

crate::options::options! {
    /// How a board is learned from photos. Lightness and colours are in units of CIE L*a*b*.
    #[derive(Debug, Clone)]
    pub struct LearnOptions {
        /// How the surface's outline is looked for, and how the camera is fitted to lines that were found.
        #[serde(skip)]
        pub find: FindOptions = FindOptions::default(),
        #[serde(skip)]
        pub refine: RefineOptions = RefineOptions::default(),
        /// Cells along the longer side where the way that the surface lies is still open (500).
        pub rough_cells: usize = 500,
        /// Cells of the rectified surface along its longer side, at most (1600). More shows thinner lines and takes longer.
        pub most_cells: usize = 1600,
        /// Lines are compared with what lies so far to either side of their middle, mm (3 for thin ones, 7 for wide ones).
        pub line_gaps_mm: Vec<f64> = vec![3.0, 7.0],
        /// The least darkness of a line against the wood, in the mean over its length (0.8), and in standard deviations of
        /// what the wood shows along the same stretch (4). Less takes grain for lines, more drops worn ones.
        pub least_line: f64 = 0.8,
        pub least_clearness: f64 = 4.0,
        /// The least such standard deviation (0.12): a rendered surface has none.
        pub least_noise: f64 = 0.12,
        /// The least share of a line's length that is darker than both its sides (0.5). Grain is by chance at a third.
        pub least_continuity: f64 = 0.5,
        /// What the wood shows is learned so far to either side at least, mm (50).
        pub noise_reach_mm: f64 = 50.0,
        /// Blur of photos, which widens thin lines, in cells (1.2).
        pub blur_px: f64 = 1.2,
        /// How far a line may lie from where the template, brought to size, has it: as shares of its distance from its side
        /// (0.6 to 1.6). Makers differ.
        pub distance_range: [f64; 2] = [0.6, 1.6],
        /// How far makers usually differ in that, as a standard deviation of the logarithm (0.3), and what leaving out a line
        /// of the template costs against that (2.5).
        pub distance_spread: f64 = 0.3,
        pub leaving_out: f64 = 2.5,
        /// How far other lines and circles may lie from where the lines around them put them, as a share of the width (0.035).
        pub reach_share: f64 = 0.035,
        /// The same once the board is known from the picture itself (0.012).
        pub near_share: f64 = 0.012,
        /// The least strength of a circle (3), and how its radius may differ from the template's (0.55 to 1.5).
        pub least_circle: f64 = 3.0,
        pub radius_range: [f64; 2] = [0.55, 1.5],
        /// How pockets may differ from the template's (0.8 to 2), and the least step of lightness at their edge (6).
        pub pocket_range: [f64; 2] = [0.8, 2.0],
        pub least_pocket: f64 = 6.0,
        /// Pieces: the least difference from the wood (14), how round a thing must be, as a share of the disc of its size that
        /// it fills and of it that the disc holds (0.8), and how pieces' diameters may differ from the template's (0.7 to 2.3).
        pub least_piece: f32 = 14.0,
        pub least_round: f64 = 0.8,
        pub diameter_range: [f64; 2] = [0.7, 2.3],
        /// Two things of the same kind differ in size by at most this share (0.12), and in colour by this much (24).
        pub same_size: f64 = 0.12,
        pub same_colour: f32 = 24.0,
        /// Print that the template does not have: the least difference from the wood around it (9), and as so many times what
        /// the wood shows by itself (4), within squares of that side in mm (60); the least area of one, mm² (20), and how many are kept, the largest (24); gaps within one print, mm (6); how far around it the
        /// file says that print may be, mm (2); and how near to the surface's sides nothing is looked for, mm (12).
        pub least_print: f32 = 9.0,
        pub print_noises: f64 = 4.0,
        pub usual_mm: f64 = 60.0,
        pub least_print_mm2: f64 = 20.0,
        pub most_prints: usize = 24,
        pub print_gap_mm: f64 = 6.0,
        pub print_margin_mm: f64 = 2.0,
        pub edge_mm: f64 = 12.0,
        /// How well a learned length is known at best, mm (1).
        pub least_accuracy_mm: f64 = 1.0,
        /// The same as a share of the width where a side is cut by the picture (0.01), or no length is given (0.05).
        pub cut_share: f64 = 0.01,
        pub usual_share: f64 = 0.05,
        /// What an outline counts against the share of the template that is seen from it (0.5).
        pub outline_weight: f64 = 0.5,
        /// How far lines may lie beside the board as it is known so far while the camera is fitted to them, as a share of the
        /// width (0.004).
        pub fit_share: f64 = 0.004,
        /// A circle that differs from the wood by so much is filled (14).
        pub least_fill: f32 = 14.0,
        /// Steps of colour within an outline that may be the surface's own sides: how far within, as shares of the width (0.04 to
        /// 0.17), how strong at least (5), and the share of places along a side that must show it (0.7).
        pub inner_range: [f64; 2] = [0.04, 0.17],
        pub least_inner: f64 = 5.0,
        pub inner_places: f64 = 0.7,
        /// A picture shows a board if this share of the board's print that would be in view is seen (0.5).
        pub least_found: f64 = 0.5,
        /// How often lines are measured and the camera is fitted to them (3).
        pub rounds: usize = 3,
        /// Diameters of pieces that are tried, as shares of what round things look like (0.86 to 1.07), and how many (8); those
        /// whose rims are seen nearly as much as the best one's count (0.97).
        pub size_range: [f64; 2] = [0.86, 1.07],
        pub sizes: usize = 8,
        pub nearly_seen: f64 = 0.97,
    }
}

impl LearnOptions {
    pub(super) fn tried_sizes(&self) -> impl Iterator<Item = f64> {
        let ([least, most], sizes) = (self.size_range, self.sizes.max(2));
        (0..sizes).map(move |i| least + (most - least) * i as f64 / (sizes - 1) as f64)
    }
}
