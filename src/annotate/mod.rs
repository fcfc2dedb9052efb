//! Pictures that show a person why to believe a score.
//!
//! In: a photo and what was made of it ([`Scored`]). Out: the photo with rims, gaps and areas drawn
//! on it, the board's lines thin where the board file expects them (a mistake in the file shows at
//! once), close-ups of the narrow gaps, and the tally; and the same on a top view. The drawing
//! never decides anything: it shows the numbers of the report.

mod close_up;
mod label;
mod look;
mod panel;
pub(crate) mod project;
mod top_view;

pub(crate) use top_view::{TopView, seen_range};

use image::RgbImage;

use crate::{
    board::Board,
    capture::Picture,
    draw::{DrawError, Svg, draw_over},
    score::Scored,
};

/// How the drawings look. Lengths in "units": a unit is a 1000th of the picture's longer side, less
/// on narrow pictures.
#[derive(Debug, Clone)]
pub struct AnnotateOptions {
    /// Width of the footprint's circle, in units. Default 1.6.
    pub rim_units: f64,
    /// Width of expected lines, in units. Default 0.6: thin enough to see the paint beside them.
    pub line_units: f64,
    /// Height of letters, in units. Default 11.
    pub text_units: f64,
    /// Gaps wider than this are not drawn, in mm. Default 25: they decide nothing and would cover
    /// the photo.
    pub widest_gap_mm: f64,
    /// Gaps narrower than this (to either side of 0) get a close-up, in mm. Default 2.
    pub close_up_gap_mm: f64,
    /// At most so many close-ups, the narrowest gaps first. Default 6.
    pub close_ups: usize,
    /// How much of the board a close-up shows, in mm. Default 10.
    pub close_up_mm: f64,
    /// Longer side of a top view, in pixels at most. Default 2000.
    pub top_view_px: f64,
    /// What a top view shows around the playing surface, in mm. Default 30.
    pub margin_mm: f64,
}

impl Default for AnnotateOptions {
    fn default() -> Self {
        Self {
            rim_units: 1.6,
            line_units: 0.6,
            text_units: 11.0,
            widest_gap_mm: 25.0,
            close_up_gap_mm: 2.0,
            close_ups: 6,
            close_up_mm: 10.0,
            top_view_px: 2000.0,
            margin_mm: 30.0,
        }
    }
}

/// The photo with everything drawn on it, and close-ups of narrow gaps below it.
pub fn annotated_photo(
    picture: &Picture,
    board: &Board,
    scored: &Scored,
    options: &AnnotateOptions,
) -> Result<RgbImage, DrawError> {
    let projection = project::Photo::new(&scored.registration.camera);
    let photo = drawn(picture.rgb().clone(), &projection, board, scored, options)?;
    close_up::with_close_ups(photo, picture, board, scored, options)
}

/// The board from straight above, with everything drawn on it.
pub fn top_view(
    picture: &Picture,
    board: &Board,
    scored: &Scored,
    options: &AnnotateOptions,
) -> Result<RgbImage, DrawError> {
    let view = top_view::TopView::new(board, &scored.registration.camera, options);
    drawn(view.rectified(picture), &view, board, scored, options)
}

/// Draws on `canvas`, under a strip that says what the photo came to.
fn drawn(
    mut canvas: RgbImage,
    projection: &dyn project::Projection,
    board: &Board,
    scored: &Scored,
    options: &AnnotateOptions,
) -> Result<RgbImage, DrawError> {
    let size = [f64::from(canvas.width()), f64::from(canvas.height())];
    let look = look::Look::new(size, options);
    let mut svg = Svg::new(size[0], size[1]);
    look.expected_lines(&mut svg, projection, board);
    let mut labels = label::Labels::new(size);
    look.pieces(&mut svg, &mut labels, projection, board, scored);
    look.foreign(&mut svg, &mut labels, projection, board, scored);
    look.labels(&mut svg, &mut labels, projection, board, scored);
    draw_over(&mut canvas, &svg)?;
    panel::under_header(&canvas, &look, scored)
}
