//! The outline of a solid piece as one eye sees it.
//!
//! In: a body of known diameter, height and rim rounding, and where the camera stands. Out: its
//! silhouette in the board plane, closed form. A horizontal disc at height z is seen, in the board
//! plane, as a circle scaled by H / (H - z) about the camera's foot point, so the silhouette is
//! the hull of such circles and its support function a maximum over the profile: the rounded top
//! rim on the side away from the foot point, the base edge on the near side.

use crate::{
    board::PieceKind,
    camera::{BehindRail, Camera},
    geometry::{Point, Vector},
};

/// The camera's centre: the point of the board below it, and its height.
#[derive(Debug, Clone, Copy)]
pub(super) struct Eye {
    pub foot: Point,
    pub height_mm: f64,
}

impl Eye {
    /// `None` for a camera that is not above the board.
    pub fn of(camera: &Camera) -> Option<Self> {
        let centre = camera.pose.centre_mm();
        (centre.z > 0.0 && centre.coords.iter().all(|v| v.is_finite()))
            .then(|| Self { foot: Point::new(centre.x, centre.y), height_mm: centre.z })
    }

    /// Magnification of the height `z_mm` when it is seen in the board plane.
    pub fn scale(&self, z_mm: f64) -> f64 {
        self.height_mm / (self.height_mm - z_mm)
    }

    /// Where a point at height `z_mm` is seen in the board plane.
    pub fn shadow(&self, p: Point, z_mm: f64) -> Point {
        self.foot + (p - self.foot) * self.scale(z_mm)
    }
}

/// A piece's body: a cylinder whose top edge is rounded.
#[derive(Debug, Clone, Copy)]
pub(super) struct Solid {
    pub radius_mm: f64,
    /// Height of the base above the board: not 0 on top of another piece.
    pub base_mm: f64,
    pub top_mm: f64,
    pub rim_mm: f64,
}

/// The silhouette's support in one direction.
#[derive(Debug, Clone, Copy)]
pub(super) struct Support {
    /// The outline's point, in the board plane.
    pub at: Point,
    /// Height of the body's point that is seen there.
    pub z_mm: f64,
    /// How far the outline moves when the footprint moves by one.
    pub by_centre: f64,
}

/// Fixed-point steps for the tangent to the rounded rim; the camera is hundreds of roundings
/// away, so each step gains two digits or more.
const TANGENT_STEPS: usize = 3;

impl Solid {
    pub fn of(kind: &PieceKind, base_mm: f64) -> Self {
        let rim_mm = kind.rim_mm.clamp(0.0, kind.height_mm.min(kind.radius_mm()));
        Self { radius_mm: kind.radius_mm(), base_mm, top_mm: base_mm + kind.height_mm, rim_mm }
    }

    /// The outline's outermost point along the unit direction `n`, for a footprint at `centre`.
    pub fn support(&self, eye: &Eye, centre: Point, n: Vector) -> Support {
        let from_foot = centre - eye.foot;
        let away = n.dot(&from_foot);
        let (radius_mm, z_mm) = if away + self.radius_mm > 0.0 {
            let (mut radius, mut z) = (self.radius_mm, self.top_mm);
            for _ in 0..TANGENT_STEPS {
                let slope = ((away + radius) / (eye.height_mm - z)).max(0.0);
                let cosine = 1.0 / (1.0 + slope * slope).sqrt();
                radius = self.radius_mm - self.rim_mm * (1.0 - cosine);
                z = self.top_mm - self.rim_mm * (1.0 - slope * cosine);
            }
            (radius, z)
        } else {
            (self.radius_mm, self.base_mm)
        };
        let scale = eye.scale(z_mm);
        let at = eye.foot + (from_foot + n * radius_mm) * scale;
        Support { at, z_mm, by_centre: scale }
    }
}

/// What is hidden of the board plane.
#[derive(Debug, Clone, Copy)]
pub(super) enum Shadow {
    Piece(PieceShadow),
    Rail(BehindRail),
}

impl Shadow {
    pub fn new(solid: &Solid, eye: &Eye, centre: Point) -> Self {
        Self::Piece(PieceShadow::new(solid, eye, centre))
    }

    /// Whether a point of the board plane is hidden, or less than `margin_mm` from being so.
    #[inline]
    pub fn is_within(&self, p: Point, margin_mm: f64) -> bool {
        match self {
            Self::Piece(shadow) => shadow.is_within(p, margin_mm),
            Self::Rail(behind) => behind.clear_mm(p) < margin_mm,
        }
    }
}

/// What a piece hides of the board plane: its silhouette without the rim's rounding, good to
/// tenths of a millimetre.
#[derive(Debug, Clone, Copy)]
pub(super) struct PieceShadow {
    /// Where the base's centre is seen, and how far from there the top's is.
    low: Point,
    rise: Vector,
    /// `rise` over its squared length: how far up a point is, as a share.
    up: Vector,
    /// Radius of the base, and what the top's has more, as they are seen.
    radius_mm: f64,
    growth_mm: f64,
}

impl PieceShadow {
    fn new(solid: &Solid, eye: &Eye, centre: Point) -> Self {
        let (low, high) = (eye.shadow(centre, solid.base_mm), eye.shadow(centre, solid.top_mm));
        let rise = high - low;
        let length_squared = rise.norm_squared();
        let up = if length_squared > 0.0 { rise / length_squared } else { Vector::zeros() };
        let [base, top] = [solid.base_mm, solid.top_mm].map(|z_mm| solid.radius_mm * eye.scale(z_mm));
        // From straight above the top hides everything below it.
        let radius_mm = if length_squared > 0.0 { base } else { top };
        Self { low, rise, up, radius_mm, growth_mm: top - radius_mm }
    }

    #[inline]
    fn is_within(&self, p: Point, margin_mm: f64) -> bool {
        let from_low = p - self.low;
        let share = from_low.dot(&self.up).clamp(0.0, 1.0);
        let reach_mm = margin_mm + self.radius_mm + self.growth_mm * share;
        reach_mm > 0.0 && (from_low - self.rise * share).norm_squared() < reach_mm * reach_mm
    }
}

/// The outline that a camera sees of a piece, closed, in the board plane: `steps` points of the
/// silhouette of a footprint at `centre`. `None` for a camera that is not above the board.
pub fn visible_outline(
    camera: &Camera,
    kind: &PieceKind,
    base_mm: f64,
    centre: Point,
    steps: usize,
) -> Option<Vec<Point>> {
    let eye = Eye::of(camera)?;
    let solid = Solid::of(kind, base_mm);
    let at = |step: usize| {
        let angle = std::f64::consts::TAU * step as f64 / steps.max(1) as f64;
        solid.support(&eye, centre, Vector::new(angle.cos(), angle.sin())).at
    };
    Some((0..=steps).map(at).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The support by brute force over the profile.
    fn brute(solid: &Solid, eye: &Eye, centre: Point, n: Vector) -> f64 {
        let seen = |radius: f64, z: f64| {
            let at = eye.foot + (centre - eye.foot + n * radius) * eye.scale(z);
            n.dot(&(at - eye.foot))
        };
        let mut best = seen(solid.radius_mm, solid.base_mm);
        for i in 0..=20_000 {
            let angle = std::f64::consts::FRAC_PI_2 * i as f64 / 20_000.0;
            let radius = solid.radius_mm - solid.rim_mm * (1.0 - angle.cos());
            best = best.max(seen(radius, solid.top_mm - solid.rim_mm * (1.0 - angle.sin())));
        }
        best
    }

    #[test]
    fn a_shadow_reaches_as_far_as_the_outline() {
        let solid = Solid { radius_mm: 15.0, base_mm: 0.0, top_mm: 12.0, rim_mm: 0.0 };
        for foot in [(200.0, 900.0), (101.0, 103.0)] {
            let eye = Eye { foot: Point::new(foot.0, foot.1), height_mm: 1200.0 };
            let centre = Point::new(101.0, 103.0);
            let shadow = Shadow::new(&solid, &eye, centre);
            for i in 0..12 {
                let n =
                    Vector::new((i as f64 * 30f64.to_radians()).cos(), (i as f64 * 30f64.to_radians()).sin());
                let outline = solid.support(&eye, centre, n).at;
                assert!(shadow.is_within(outline - n * 0.2, 0.0), "{foot:?} {i}");
                assert!(!shadow.is_within(outline + n * 0.2, 0.0), "{foot:?} {i}");
                assert!(shadow.is_within(outline + n * 0.2, 0.5), "{foot:?} {i}");
            }
        }
    }

    #[test]
    fn support_is_the_maximum_over_the_rounded_profile() {
        let solid = Solid { radius_mm: 15.0, base_mm: 0.0, top_mm: 12.0, rim_mm: 1.2 };
        for (foot, height_mm) in [((200.0, 900.0), 1700.0), ((190.0, 400.0), 450.0), ((100.0, 100.0), 900.0)]
        {
            let eye = Eye { foot: Point::new(foot.0, foot.1), height_mm };
            let centre = Point::new(101.0, 103.0);
            for i in 0..72 {
                let n =
                    Vector::new((i as f64 * 5f64.to_radians()).cos(), (i as f64 * 5f64.to_radians()).sin());
                let support = solid.support(&eye, centre, n);
                let reached = n.dot(&(support.at - eye.foot));
                assert!((reached - brute(&solid, &eye, centre, n)).abs() < 1e-6, "{i}");
            }
        }
    }
}
