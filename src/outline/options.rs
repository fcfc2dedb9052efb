//! How outlines are looked for.

/// How outlines are looked for. Lengths in px are of the small pictures that the search works on.
#[derive(Debug, Clone, PartialEq)]
pub struct OutlineSearch {
    /// Pictures whose shorter side is less are not searched, px (48).
    pub least_picture_px: u32,
    /// Longer sides of the pictures in which regions, and exact sides, are looked for (480 and 1440). Smaller ones hide
    /// grain and print and are faster; larger ones place the sides better.
    pub rough_px: u32,
    pub fine_px: u32,
    /// Radius of the median that takes out grain and thin print before regions are looked for, px (2).
    pub smooth_px: u32,
    /// How much a step of lightness counts against one of hue (0.6): lamps and shadows change lightness most.
    pub lightness_weight: f32,
    /// Places in the picture whose colour may be the surface's: across and down as shares, and half the side of the square
    /// that is averaged. The middle first: people aim at what they photograph.
    pub seeds: Vec<[f64; 3]>,
    /// How far from that colour the surface's may be, in units of perceptual colour: each is tried (14, 18, 22, 28). Smaller
    /// ones lose shaded parts, larger ones take in what lies around.
    pub colour_reaches: Vec<f32>,
    /// Gaps and spots that do not part a region, px (4).
    pub bridge_px: u8,
    /// The least region, as a share of the picture (0.06).
    pub least_region: f64,
    /// Lines along a contour: how far from one its points may be, px (2); how many points make one (25); how many are kept (7).
    pub line_reach_px: f64,
    pub least_line_points: usize,
    pub most_lines: usize,
    /// How far a side may be moved to a step of colour, px (10), and by how much more at one end than at the other (8).
    pub step_reach_px: f64,
    pub step_turn_px: f64,
    /// The least step, and the step from which on one is as plain as can be, in units of perceptual colour (4, 20).
    pub least_step: f64,
    pub plain_step: f64,
    /// A side within this distance of the picture's border over half of its length is the border's, px (3).
    pub border_px: f64,
    /// What steps count against overlap where outlines are put in order (0.3).
    pub steps_weight: f64,
    /// Outlines whose corners are all nearer than this share of the diagonal are the same (0.008).
    pub same_share: f64,
    /// How many are refined, and given (10 and 6).
    pub most_refined: usize,
    pub most_outlines: usize,
}

impl Default for OutlineSearch {
    fn default() -> Self {
        Self {
            least_picture_px: 48,
            rough_px: 480,
            fine_px: 1440,
            smooth_px: 2,
            lightness_weight: 0.6,
            seeds: vec![
                [0.5, 0.5, 0.2],
                [0.3, 0.5, 0.12],
                [0.7, 0.5, 0.12],
                [0.5, 0.35, 0.12],
                [0.5, 0.65, 0.12],
            ],
            colour_reaches: vec![14.0, 18.0, 22.0, 28.0],
            bridge_px: 4,
            least_region: 0.06,
            line_reach_px: 2.0,
            least_line_points: 25,
            most_lines: 7,
            step_reach_px: 10.0,
            step_turn_px: 8.0,
            least_step: 4.0,
            plain_step: 20.0,
            border_px: 3.0,
            steps_weight: 0.3,
            same_share: 0.008,
            most_refined: 10,
            most_outlines: 6,
        }
    }
}
