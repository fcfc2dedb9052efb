//! Where a playing surface may lie in a picture, by its own outline.
//!
//! In: a picture. Out: [`SurfaceOutline`]s, the best first: quadrilaterals that hold one evenly coloured region, their sides
//! on the picture's colour steps. No board is known here, and no line of it is needed: a plank or a square of wood within a
//! frame, a gutter or a floor is enough. The steps: a small picture in perceptual colours (`colours`), regions of one
//! colour (`region`), straight lines along a region's contour and the quadrilateral that they make (`quadrilateral`),
//! sides moved to the strongest step of colour (`steps`).

mod colours;
mod options;
mod quadrilateral;
mod region;
mod steps;

use rayon::prelude::*;

use crate::{camera::Pixel, capture::Picture};

use self::{colours::ColourPicture, quadrilateral::Quadrilateral};
pub(crate) use colours::{Lab, lab};
pub use options::OutlineSearch;

/// A quadrilateral that may be the playing surface.
#[derive(Debug, Clone, PartialEq)]
pub struct SurfaceOutline {
    /// In the photo's pixels, clockwise as seen; corners may lie outside of the picture.
    pub corners: [Pixel; 4],
    /// The side from each corner to the next.
    pub sides: [OutlineSide; 4],
    /// How much of the region and of the quadrilateral is common to both, 0 to 1.
    pub overlap: f64,
}

/// What a side of an outline rests on.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum OutlineSide {
    /// A step of colour all along; how strong it is, in units of perceptual colour.
    Step(f64),
    /// The picture ends there: where the surface ends is unknown.
    PictureBorder,
}

impl OutlineSide {
    pub fn is_seen(self) -> bool {
        matches!(self, OutlineSide::Step(_))
    }
}

impl SurfaceOutline {
    pub fn sides_seen(&self) -> usize {
        self.sides.iter().filter(|side| side.is_seen()).count()
    }

    /// How plain the outline is: how well it holds its region, and how much of it is seen.
    fn plainness(&self, options: &OutlineSearch) -> f64 {
        let steps: f64 = self
            .sides
            .iter()
            .map(|side| match side {
                OutlineSide::Step(step) => (step / options.plain_step).min(1.0),
                OutlineSide::PictureBorder => 0.0,
            })
            .sum();
        self.overlap + options.steps_weight * steps / 4.0
    }
}

/// Everything in the picture that has the outline of a playing surface, the plainest first.
pub fn surface_outlines(picture: &Picture, options: &OutlineSearch) -> Vec<SurfaceOutline> {
    let [width, height] = picture.size();
    if width.min(height) < options.least_picture_px {
        return Vec::new();
    }
    let rough = ColourPicture::reduce(picture, options.rough_px, options.smooth_px);
    let fine = ColourPicture::reduce(picture, options.fine_px, 0);
    let quadrilaterals: Vec<Quadrilateral> = region::regions(&rough, options)
        .par_iter()
        .filter_map(|region| quadrilateral::around(region, options))
        .collect();
    let unsmoothed = ColourPicture::reduce(picture, options.rough_px, 0);
    let mut outlines: Vec<SurfaceOutline> = distinct(quadrilaterals, &rough, options)
        .par_iter()
        .flat_map_iter(|quadrilateral| {
            let nearby = steps::fitted(&unsmoothed, quadrilateral, options)?;
            let enlarged = nearby.scaled(rough.reduction / fine.reduction);
            Some(steps::fitted(&fine, &enlarged, options)?.outline(fine.reduction))
        })
        .collect();
    outlines.sort_by(|a, b| b.plainness(options).total_cmp(&a.plainness(options)));
    let mut kept: Vec<SurfaceOutline> = Vec::new();
    for outline in outlines {
        let close_px = options.same_share * f64::from(width).hypot(f64::from(height));
        if !kept.iter().any(|other| apart_px(&other.corners, &outline.corners) < close_px) {
            kept.push(outline);
        }
    }
    kept.truncate(options.most_outlines);
    kept
}

/// One of each kind: many regions give the same quadrilateral.
fn distinct(
    mut quadrilaterals: Vec<Quadrilateral>,
    picture: &ColourPicture,
    options: &OutlineSearch,
) -> Vec<Quadrilateral> {
    quadrilaterals.sort_by(|a, b| b.overlap.total_cmp(&a.overlap));
    let close_px = options.same_share * picture.diagonal_px();
    let mut kept: Vec<Quadrilateral> = Vec::new();
    for quadrilateral in quadrilaterals {
        if !kept.iter().any(|other| apart_px(&other.corners, &quadrilateral.corners) < close_px) {
            kept.push(quadrilateral);
        }
    }
    kept.truncate(options.most_refined);
    kept
}

/// The farthest that a corner of one lies from the same corner of the other, whichever corner they begin with.
fn apart_px(a: &[Pixel; 4], b: &[Pixel; 4]) -> f64 {
    let turned = |turn: usize| (0..4).map(|i| (a[i] - b[(i + turn) % 4]).norm()).fold(0.0, f64::max);
    (0..4).map(turned).fold(f64::INFINITY, f64::min)
}
