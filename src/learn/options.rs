//! How a board is learned.

use crate::register::{FindOptions, RefineOptions};

/// How a board is learned from photos. Lightness and colours are in units of CIE L*a*b*.
#[derive(Debug, Clone)]
pub struct LearnOptions {
    /// How the surface's outline is looked for, and how the camera is fitted to lines that were found.
    pub find: FindOptions,
    pub refine: RefineOptions,
    /// Cells along the longer side where the way that the surface lies is still open (500).
    pub rough_cells: usize,
    /// Cells of the rectified surface along its longer side, at most (1600). More shows thinner lines and takes longer.
    pub most_cells: usize,
    /// Lines are compared with what lies so far to either side of their middle, mm (3 for thin ones, 7 for wide ones).
    pub line_gaps_mm: Vec<f64>,
    /// The least darkness of a line against the wood, in the mean over its length (0.8), and in standard deviations of
    /// what the wood shows along the same stretch (4). Less takes grain for lines, more drops worn ones.
    pub least_line: f64,
    pub least_clearness: f64,
    /// The least such standard deviation (0.12): a rendered surface has none.
    pub least_noise: f64,
    /// The least share of a line's length that is darker than both its sides (0.5). Grain is by chance at a third.
    pub least_continuity: f64,
    /// What the wood shows is learned so far to either side at least, mm (50).
    pub noise_reach_mm: f64,
    /// Blur of photos, which widens thin lines, in cells (1.2).
    pub blur_px: f64,
    /// How far a line may lie from where the template, brought to size, has it: as shares of its distance from its side
    /// (0.6 to 1.6). Makers differ.
    pub distance_range: [f64; 2],
    /// How far makers usually differ in that, as a standard deviation of the logarithm (0.3), and what leaving out a line
    /// of the template costs against that (2.5).
    pub distance_spread: f64,
    pub leaving_out: f64,
    /// How far other lines and circles may lie from where the lines around them put them, as a share of the width (0.035).
    pub reach_share: f64,
    /// The same once the board is known from the picture itself (0.012).
    pub near_share: f64,
    /// The least strength of a circle (3), and how its radius may differ from the template's (0.55 to 1.5).
    pub least_circle: f64,
    pub radius_range: [f64; 2],
    /// How pockets may differ from the template's (0.8 to 2), and the least step of lightness at their edge (6).
    pub pocket_range: [f64; 2],
    pub least_pocket: f64,
    /// Pieces: the least difference from the wood (14), how round a thing must be, as a share of the disc of its size that
    /// it fills and of it that the disc holds (0.8), and how pieces' diameters may differ from the template's (0.7 to 2.3).
    pub least_piece: f32,
    pub least_round: f64,
    pub diameter_range: [f64; 2],
    /// Two things of the same kind differ in size by at most this share (0.12), and in colour by this much (24).
    pub same_size: f64,
    pub same_colour: f32,
    /// Print that the template does not have: the least difference from the wood around it (9), and as so many times what
    /// the wood shows by itself (4), within squares of that side in mm (60); the least area of one, mm² (20), and how many are kept, the largest (24); gaps within one print, mm (6); how far around it the
    /// file says that print may be, mm (2); and how near to the surface's sides nothing is looked for, mm (12).
    pub least_print: f32,
    pub print_noises: f64,
    pub usual_mm: f64,
    pub least_print_mm2: f64,
    pub most_prints: usize,
    pub print_gap_mm: f64,
    pub print_margin_mm: f64,
    pub edge_mm: f64,
    /// How well a learned length is known at best, mm (1).
    pub least_accuracy_mm: f64,
    /// The same as a share of the width where a side is cut by the picture (0.01), or no length is given (0.05).
    pub cut_share: f64,
    pub usual_share: f64,
    /// What an outline counts against the share of the template that is seen from it (0.5).
    pub outline_weight: f64,
    /// How far lines may lie beside the board as it is known so far while the camera is fitted to them, as a share of the
    /// width (0.004).
    pub fit_share: f64,
    /// A circle that differs from the wood by so much is filled (14).
    pub least_fill: f32,
    /// Steps of colour within an outline that may be the surface's own sides: how far within, as shares of the width (0.04 to
    /// 0.17), how strong at least (5), and the share of places along a side that must show it (0.7).
    pub inner_range: [f64; 2],
    pub least_inner: f64,
    pub inner_places: f64,
    /// A picture shows a board if this share of the board's print that would be in view is seen (0.5).
    pub least_found: f64,
    /// How often lines are measured and the camera is fitted to them (3).
    pub rounds: usize,
}

impl Default for LearnOptions {
    fn default() -> Self {
        Self {
            find: FindOptions::default(),
            refine: RefineOptions::default(),
            rough_cells: 500,
            most_cells: 1600,
            line_gaps_mm: vec![3.0, 7.0],
            least_line: 0.8,
            least_clearness: 4.0,
            least_noise: 0.12,
            least_continuity: 0.5,
            noise_reach_mm: 50.0,
            blur_px: 1.2,
            distance_range: [0.6, 1.6],
            distance_spread: 0.3,
            leaving_out: 2.5,
            reach_share: 0.035,
            near_share: 0.012,
            least_circle: 3.0,
            radius_range: [0.55, 1.5],
            pocket_range: [0.8, 2.0],
            least_pocket: 6.0,
            least_piece: 14.0,
            least_round: 0.8,
            diameter_range: [0.7, 2.3],
            same_size: 0.12,
            same_colour: 24.0,
            least_print: 9.0,
            print_noises: 4.0,
            usual_mm: 60.0,
            least_print_mm2: 20.0,
            most_prints: 24,
            print_gap_mm: 6.0,
            print_margin_mm: 2.0,
            edge_mm: 12.0,
            least_accuracy_mm: 1.0,
            cut_share: 0.01,
            usual_share: 0.05,
            outline_weight: 0.5,
            fit_share: 0.004,
            least_fill: 14.0,
            inner_range: [0.04, 0.17],
            least_inner: 5.0,
            inner_places: 0.7,
            least_found: 0.5,
            rounds: 3,
        }
    }
}
