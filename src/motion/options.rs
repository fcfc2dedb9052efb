//! How motion is told from light, shake and noise.

/// Options of the watcher.
#[derive(Debug, Clone, PartialEq, serde::Serialize, serde::Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct MotionOptions {
    /// Cells of the small picture that the smallest piece measures across, at least. Default 4.5:
    /// fewer loses a piece's slow last millimetres, more costs time with their square.
    pub piece_cells_min: f64,
    /// Least change of a cell that counts, in steps of 255. Default 5: below it lies what is left
    /// of a camera's noise in the mean of a cell's pixels.
    pub step_min: f32,
    /// A change counts from so many standard deviations of the picture's own noise on. Default 6:
    /// less takes grain for motion, more loses pale pieces on pale wood.
    pub step_sigmas: f32,
    /// Share of the local contrast that is forgiven, in cells. Default 0.2: what is left of a
    /// camera's shake; more misses a slow creep.
    pub edge_cells: f32,
    /// Cells of a blob, at least. Default 3: less takes noise for motion.
    pub blob_cells_min: usize,
    /// A change of the whole picture's light by this share is a lamp or an exposure, not a thing.
    /// Default 0.04.
    pub light_share: f32,
    /// A change of light that leaves more than this share of the board otherwise than the whole picture is a thing
    /// that came or went. Default 0.25: new shadows are less, a cloth is more.
    pub light_left_share: f32,
    /// A thing has gone, and is left in the background alone, when the picture has so many times the background's
    /// edges where the board has paint, and that in so many cells. Default 1.5 and 6.
    pub ghost_times: f32,
    pub ghost_cells_min: usize,
    /// How long nothing may move for a view to be settled, in seconds. Default 0.2: a piece that
    /// slows down as on waxed wood creeps less than a millimetre in its last 0.05 s; longer is
    /// surer, and misses views between quick shots.
    pub still_secs: f64,
    /// Frames that must be still, at least. Default 2.
    pub still_frames: usize,
    /// How far around the surface a change counts, in mm. Default 25: a piece over the end is
    /// seen; people beside the board are not.
    pub margin_mm: f64,
}

impl Default for MotionOptions {
    fn default() -> Self {
        Self {
            piece_cells_min: 4.5,
            step_min: 5.0,
            step_sigmas: 6.0,
            edge_cells: 0.2,
            blob_cells_min: 3,
            light_share: 0.04,
            light_left_share: 0.25,
            ghost_times: 1.5,
            ghost_cells_min: 6,
            still_secs: 0.2,
            still_frames: 2,
            margin_mm: 25.0,
        }
    }
}
