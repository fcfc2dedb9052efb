//! What a method sees of one piece: the picture around it, the camera, the neighbours, and the
//! scalar in which piece and board differ.

use std::cell::RefCell;

use super::{
    contour::{EdgeSeen, directions},
    solid::{Eye, Shadow},
    view::{Patch, PlaneView},
};
use crate::geometry::Point;

pub(super) struct Scene<'a> {
    pub patch: &'a Patch,
    /// The board plane.
    pub ground: PlaneView,
    pub eye: Eye,
    /// Other pieces near enough to cover or to touch this one.
    pub neighbours: &'a [Shadow],
    /// Where the edges of the contour that was fitted last are noted, if anybody asks.
    pub edges: Option<&'a RefCell<Vec<EdgeSeen>>>,
}

impl Scene<'_> {
    /// Whether a neighbour, grown by `margin_mm`, covers a point of the board plane.
    pub fn covered(&self, p: Point, margin_mm: f64) -> bool {
        self.neighbours.iter().any(|shadow| shadow.is_within(p, margin_mm))
    }
}

/// The scalar of a colour in which a piece's face is darker than the board: linear light projected
/// on (board - face), using only the channels whose difference has one sign, the dominant one. Dropping
/// the others keeps an edge monotonic when light and shadow change along it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Shade {
    weights: [f32; 3],
    face: f32,
    board: f32,
}

/// Squared sine of the angle between two colours below which they have one hue.
const HUES_APART_MIN: f32 = 0.02;

impl Shade {
    pub fn between(face: [f32; 3], board: [f32; 3]) -> Option<Self> {
        Self::preferring_lighter(face, board, 1.0)
    }

    /// The same for a piece whose shadow lies beside it: channels in which it is lighter than the board count `worth`
    /// times as much in the choice, because no shadow looks like a piece in them.
    pub fn preferring_lighter(face: [f32; 3], board: [f32; 3], worth: f32) -> Option<Self> {
        let difference: [f32; 3] = std::array::from_fn(|i| board[i] - face[i]);
        let of_sign = |sign: f32| difference.map(|d| if d * sign > 0.0 { d } else { 0.0 });
        let norm = |d: [f32; 3]| d.iter().map(|v| v * v).sum::<f32>().sqrt();
        let (darker, lighter) = (of_sign(1.0), of_sign(-1.0));
        let kept = if norm(darker) >= worth * norm(lighter) { darker } else { lighter };
        let length = norm(kept);
        if length.is_nan() || length <= 1e-4 {
            return None;
        }
        let weights = kept.map(|v| v / length);
        let dot = |c: [f32; 3]| weights.iter().zip(c).map(|(w, v)| w * v).sum::<f32>();
        Some(Self { weights, face: dot(face), board: dot(board) })
    }

    /// The scalar in which face and board are alike (both 1), so that only light and shadow change it; `None`
    /// where their hues do not differ enough to have one.
    pub fn alike(face: [f32; 3], board: [f32; 3]) -> Option<Self> {
        let dot = |a: [f32; 3], b: [f32; 3]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f32>();
        let (of_face, of_both, of_board) = (dot(face, face), dot(face, board), dot(board, board));
        let hues_apart = of_face * of_board - of_both * of_both;
        if hues_apart.is_nan() || hues_apart <= HUES_APART_MIN * of_face * of_board {
            return None;
        }
        // The shortest weights that give 1 for both.
        let (by_face, by_board) = ((of_board - of_both) / hues_apart, (of_face - of_both) / hues_apart);
        let weights = std::array::from_fn(|c| by_face * face[c] + by_board * board[c]);
        Some(Self { weights, face: 1.0, board: 1.0 })
    }

    #[inline]
    pub fn of(&self, light: [f32; 3]) -> f32 {
        self.weights[0] * light[0] + self.weights[1] * light[1] + self.weights[2] * light[2]
    }

    /// The face's own light against the contrast: how much the shading of a rounded rim can move
    /// a half-level crossing.
    pub fn glow(&self) -> f64 {
        f64::from(self.face.abs() / self.contrast())
    }

    /// The same with a contrast of at most `contrast`: metal that mirrors a lamp is brighter than
    /// what most of a cap's contour stands against.
    pub fn at_most(self, contrast: f32) -> Self {
        Self { board: self.board.min(self.face + contrast), ..self }
    }

    /// How far a shade is from the face's on the way to the board's: 0 the face, 1 the board.
    pub fn away_from_face(&self, shade: f32) -> f64 {
        f64::from((shade - self.face) / self.contrast())
    }

    /// What noise is held against: the contrast, or the light itself where both sides are alike.
    pub fn depth(&self) -> f32 {
        if self.contrast() > 0.0 { self.contrast() } else { self.board.abs() }
    }

    /// Board minus face: positive.
    pub fn contrast(&self) -> f32 {
        self.board - self.face
    }
}

/// Median colour of the samples around a circle's rings in a plane.
pub(super) fn median_colour(
    patch: &Patch,
    view: &PlaneView,
    centre: Point,
    radii_mm: &[f64],
    count: usize,
    skip: impl Fn(Point) -> bool,
) -> Option<[f32; 3]> {
    let mut channels = [0; 3].map(|_| Vec::with_capacity(count * radii_mm.len()));
    for &radius in radii_mm {
        for direction in directions(count) {
            let p = centre + direction * radius;
            if skip(p) {
                continue;
            }
            let Some(light) = patch.sample(view.pixel(p)) else { continue };
            for (channel, value) in channels.iter_mut().zip(light) {
                channel.push(value);
            }
        }
    }
    let middle = channels[0].len() / 2;
    if channels[0].is_empty() {
        return None;
    }
    Some(channels.map(|mut values| *values.select_nth_unstable_by(middle, f32::total_cmp).1))
}
