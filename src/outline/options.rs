//! How outlines are looked for.

crate::options::options! {
    /// How outlines are looked for. Lengths in px are of the small pictures that the search works on.
    #[derive(Debug, Clone, PartialEq)]
    pub struct OutlineSearch {
        /// Pictures whose shorter side is less are not searched, px (48).
        pub least_picture_px: u32 = 48,
        /// Longer sides of the pictures in which regions, and exact sides, are looked for (480 and 1440). Smaller ones hide
        /// grain and print and are faster; larger ones place the sides better.
        pub rough_px: u32 = 480,
        pub fine_px: u32 = 1440,
        /// Radius of the median that takes out grain and thin print before regions are looked for, px (2).
        pub smooth_px: u32 = 2,
        /// How much a step of lightness counts against one of hue (0.6): lamps and shadows change lightness most.
        pub lightness_weight: f32 = 0.6,
        /// Places in the picture whose colour may be the surface's: across and down as shares, and half the side of the square
        /// that is averaged. The middle first: people aim at what they photograph.
        pub seeds: Vec<[f64; 3]> = vec![ [0.5, 0.5, 0.2], [0.3, 0.5, 0.12], [0.7, 0.5, 0.12], [0.5, 0.35, 0.12], [0.5, 0.65, 0.12], ],
        /// How far from that colour the surface's may be, in units of perceptual colour: each is tried (14, 18, 22, 28). Smaller
        /// ones lose shaded parts, larger ones take in what lies around.
        pub colour_reaches: Vec<f32> = vec![14.0, 18.0, 22.0, 28.0],
        /// Gaps and spots that do not part a region, px (4).
        pub bridge_px: u8 = 4,
        /// The least region, as a share of the picture (0.06).
        pub least_region: f64 = 0.06,
        /// Lines along a contour: how far from one its points may be, px (2); how many points make one (25); how many are kept (7).
        pub line_reach_px: f64 = 2.0,
        pub least_line_points: usize = 25,
        pub most_lines: usize = 7,
        /// How far a side may be moved to a step of colour, px (10), and by how much more at one end than at the other (8).
        pub step_reach_px: f64 = 10.0,
        pub step_turn_px: f64 = 8.0,
        /// The least step, and the step from which on one is as plain as can be, in units of perceptual colour (4, 20).
        pub least_step: f64 = 4.0,
        pub plain_step: f64 = 20.0,
        /// A side within this distance of the picture's border over half of its length is the border's, px (3).
        pub border_px: f64 = 3.0,
        /// What steps count against overlap where outlines are put in order (0.3).
        pub steps_weight: f64 = 0.3,
        /// Outlines whose corners are all nearer than this share of the diagonal are the same (0.008).
        pub same_share: f64 = 0.008,
        /// How many are refined, and given (10 and 6).
        pub most_refined: usize = 10,
        pub most_outlines: usize = 6,
    }
}
