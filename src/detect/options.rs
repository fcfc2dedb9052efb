//! Every threshold of detection, in one place.

use super::TaughtColours;

/// Options of [`super::detect`]. "Stops" are factors of two of linear light: a step of one stop is
/// a face that is twice as bright as what lies beside it, in the channel where they differ most.
#[derive(Debug, Clone, PartialEq)]
pub struct DetectOptions {
    /// Cells of the rectified view across the smallest piece. More finds weaker rims, and costs
    /// time with its square.
    pub cells_per_diameter: f64,
    /// Light added to every channel before its logarithm, as a fraction of the surface's own:
    /// keeps noise in the dark from looking like colour. More hides the hue of dark pieces.
    pub dark_floor: f64,

    /// Brightness steps a cell below which a cell of the view does not vote, in stops. Less finds
    /// paler pieces, and lets wood grain vote.
    pub vote_step_min: f32,
    /// Steps from which a cell has its whole vote, in stops.
    pub vote_step_full: f32,
    /// Part of a rim that must have voted for a place to be looked at in the full picture. Less
    /// finds pieces that are mostly hidden, and costs time.
    pub vote_rim_min: f32,
    /// How far the middle of a place must be from the bare surface, in stops, in one channel.
    pub place_step_min: f32,
    /// A place whose middle is further than this many standard deviations from every kind is not
    /// looked at.
    pub place_distance_max: f64,
    /// At most this many places are looked at, the best voted first.
    pub places_max: usize,

    /// Rays around a place along which its rim is looked for.
    pub rays: usize,
    /// Steps across the rim that count in full, in stops; less for a face that itself differs less
    /// from the surface, but not less than the second. Less sees the rims of pale pieces, and takes
    /// noise in dim light for rims.
    pub rim_step_full: f32,
    pub rim_step_min: f32,
    /// Part of the bare surface's own edges that a rim must be stronger than. More asks for stronger rims
    /// on worn boards and in noisy pictures.
    pub texture_share: f64,
    /// How many times as strong a full edge must be. More takes less noise for rims, and misses pale
    /// pieces on rough wood.
    pub texture_factor: f32,
    /// How far a voted place may be off, in millimetres.
    pub place_tolerance_mm: f64,
    /// How far a rim may be from where the piece's diameter puts it, in millimetres.
    pub rim_tolerance_mm: f64,
    /// Part of the visible rim that must be seen. Less finds pieces in bad light, and takes other
    /// round things for pieces.
    pub rim_min: f32,
    /// The same for a face that is pale or uneven, as texture and print are.
    pub doubtful_rim_min: f32,
    /// A face that differs from the surface by less is pale, in stops: all edges of its rim must go the
    /// same way.
    pub pale_max: f32,
    /// The same for a piece whose coloured cap shows a whole rim of its own: the metal ring around
    /// it mirrors the board and hides its edge.
    pub capped_rim_min: f32,
    /// Part of a cap's rim that must be seen for [`DetectOptions::capped_rim_min`] to apply.
    pub cap_min: f32,
    /// What tells a cap's metal ring from surface in shadow: its hue, more light, or much less, in stops.
    /// Less takes a smaller disc's shadow for a ring, more misses dull rings.
    pub ring_hue_min: f32,
    pub ring_brighter_min: f32,
    pub ring_darker_min: f32,
    /// Part of the ring that must show it.
    pub ring_part_min: f32,
    /// Part of the whole rim that must be in view (not under another piece, not out of the
    /// picture).
    pub visible_min: f32,

    /// How far a face must be from the bare surface, in stops, in one channel at least.
    pub face_step_min: f32,
    /// A part of a face that differs by more than this from what lies at the same distance from its centre
    /// is uneven, in stops.
    pub uneven_step: f32,
    /// Part of a face that is uneven in an even one.
    pub even_max: f32,
    /// Part of a face that may be uneven at all: glare. More takes print for pieces, less loses glaring ones.
    pub uneven_max: f32,
    /// Standard deviation of a kind's brightness about its colour in the board file, in stops.
    pub brightness_sigma: f64,
    /// Standard deviation of a kind's hue about its colour in the board file, in stops.
    pub hue_sigma: f64,
    /// Standard deviation of the gloss on a face, as a part of the surface's own light.
    pub gloss_sigma: f64,
    /// A face further than this many standard deviations from every kind is no piece.
    pub kind_distance_max: f64,
    /// A face further than this from every kind needs [`DetectOptions::doubtful_rim_min`] of a rim. Less loses
    /// pieces in odd light, more takes nets and dark corners for pieces.
    pub doubtful_distance: f64,
    /// A face that coincides with a printed fill is that fill unless it differs from it by more, in
    /// stops.
    pub print_tolerance: f32,

    /// How far a centre may seem to be off an end without a rail, in millimetres. A piece whose
    /// centre is further out falls; more takes things beside the board for pieces.
    pub edge_tolerance_mm: f64,
    /// How far a rim may seem to be inside a rail, in millimetres: what a place and the rail's foot
    /// may be off. More takes rails' own edges for pieces.
    pub rail_tolerance_mm: f64,
    /// How far a centre may seem to be inside a pocket, in millimetres. More takes what lies in a
    /// pocket for a piece on the board.
    pub pocket_tolerance_mm: f64,
    /// Part of a rim that must be seen of a round thing that is told as foreign. Less warns of print
    /// and hands.
    pub foreign_rim_min: f32,

    /// Colours taught from a photo of the set; the board file's where there are none.
    pub taught: Option<TaughtColours>,
    /// Least probability of its kind for a thing to be a piece; below it is told as foreign. More
    /// loses pieces whose colour the light spoils, less takes shadows and print for pieces.
    pub kind_min: f64,

    /// How deep two pieces may seem to overlap before one must lie on the other, in millimetres.
    pub overlap_max_mm: f64,
    /// The same as [`DetectOptions::visible_min`] for a piece that lies under another one.
    pub stacked_visible_min: f32,
    /// Part of the visible rim that must be seen of a piece that lies under another one.
    pub stacked_rim_min: f32,
    /// The same as [`DetectOptions::kind_distance_max`] for such a piece.
    pub stacked_distance_max: f64,
    /// How dark a piece's own shadow can be, in stops: darker is a piece under it.
    pub shadow_max: f32,
    /// Standard deviation of a shadow's brightness beyond that, in stops.
    pub shadow_sigma: f32,
    /// Standard deviation of a shadow's hue about the surface's, in stops: pieces tint their shadows.
    pub shadow_tint_sigma: f32,
}

impl Default for DetectOptions {
    fn default() -> Self {
        Self {
            cells_per_diameter: 12.0,
            dark_floor: 0.06,
            vote_step_min: 0.12,
            vote_step_full: 0.45,
            vote_rim_min: 0.3,
            place_step_min: 0.15,
            place_distance_max: 4.0,
            places_max: 96,
            rays: 48,
            rim_step_full: 0.5,
            rim_step_min: 0.2,
            texture_share: 0.9,
            texture_factor: 1.5,
            place_tolerance_mm: 3.0,
            rim_tolerance_mm: 0.8,
            rim_min: 0.7,
            doubtful_rim_min: 0.82,
            pale_max: 0.5,
            capped_rim_min: 0.4,
            cap_min: 0.75,
            ring_hue_min: 0.25,
            ring_brighter_min: 0.3,
            ring_darker_min: 1.5,
            ring_part_min: 0.5,
            visible_min: 0.5,
            face_step_min: 0.22,
            uneven_step: 0.5,
            even_max: 0.36,
            uneven_max: 0.45,
            brightness_sigma: 0.65,
            hue_sigma: 0.45,
            gloss_sigma: 0.12,
            kind_distance_max: 3.0,
            doubtful_distance: 2.0,
            print_tolerance: 0.9,
            edge_tolerance_mm: 1.5,
            rail_tolerance_mm: 3.0,
            pocket_tolerance_mm: 2.0,
            foreign_rim_min: 0.9,
            taught: None,
            kind_min: 0.35,
            overlap_max_mm: 2.5,
            stacked_visible_min: 0.25,
            stacked_rim_min: 0.85,
            stacked_distance_max: 2.5,
            shadow_max: 1.8,
            shadow_sigma: 0.4,
            shadow_tint_sigma: 0.4,
        }
    }
}
