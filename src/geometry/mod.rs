//! Points and lengths on the playing surface, and how far a disc's rim is from paint.
//!
//! In: shapes in millimetres. Out: signed distances in millimetres, negative inside. Rules and
//! vision both measure with this module, so a call made from a photo and one replayed from a
//! match file cannot differ.
//!
//! Board coordinates: the playing surface's near left corner is the origin, as the first shooter
//! stands; x to the right, y away from the shooter, z up from the surface.

mod paint;
mod polygon;

#[cfg(test)]
mod tests;

pub use paint::Paint;
pub use polygon::Polygon;

/// A position on the playing surface, in millimetres.
pub type Point = nalgebra::Point2<f64>;
/// A displacement on the playing surface, in millimetres.
pub type Vector = nalgebra::Vector2<f64>;

/// A piece's footprint: the circle where its body projects straight down onto the board.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Disc {
    pub centre: Point,
    pub radius_mm: f64,
}

impl Disc {
    pub fn new(x_mm: f64, y_mm: f64, radius_mm: f64) -> Self {
        Self { centre: Point::new(x_mm, y_mm), radius_mm }
    }

    /// Rim to paint: negative when the footprint lies over the paint.
    pub fn gap_mm(&self, paint: &Paint) -> f64 {
        paint.signed_distance_mm(self.centre) - self.radius_mm
    }
}

/// The point of a segment that is nearest to `p`.
pub fn nearest_on_segment(p: Point, from: Point, to: Point) -> Point {
    let along = to - from;
    let length_squared = along.norm_squared();
    if length_squared == 0.0 {
        return from;
    }
    let t = ((p - from).dot(&along) / length_squared).clamp(0.0, 1.0);
    from + along * t
}
