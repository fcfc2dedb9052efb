//! Painted shapes as sets of points, with the signed distance to their edge.

use super::{Point, Vector, nearest_on_segment};

/// Paint on the board. Every shape is the set of points that the paint covers.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Paint {
    /// A straight line with round ends; `from` and `to` lie on its middle.
    Stroke { from: Point, to: Point, width_mm: f64 },
    /// A circle; `radius_mm` is measured to the middle of the ring.
    Ring { centre: Point, radius_mm: f64, width_mm: f64 },
    /// Part of a circle with round ends, from `start_rad` counter-clockwise over `sweep_rad`.
    Arc { centre: Point, radius_mm: f64, width_mm: f64, start_rad: f64, sweep_rad: f64 },
    /// A filled disc.
    Spot { centre: Point, radius_mm: f64 },
}

impl Paint {
    /// Distance from `p` to the paint's edge, negative inside the paint.
    pub fn signed_distance_mm(&self, p: Point) -> f64 {
        match *self {
            Paint::Stroke { from, to, width_mm } => {
                (p - nearest_on_segment(p, from, to)).norm() - width_mm / 2.0
            }
            Paint::Ring { centre, radius_mm, width_mm } => {
                ((p - centre).norm() - radius_mm).abs() - width_mm / 2.0
            }
            Paint::Arc { width_mm, .. } => (p - self.nearest_on_middle(p)).norm() - width_mm / 2.0,
            Paint::Spot { centre, radius_mm } => (p - centre).norm() - radius_mm,
        }
    }

    /// The nearest point of the paint's middle line (of its centre, for a spot).
    pub fn nearest_on_middle(&self, p: Point) -> Point {
        match *self {
            Paint::Stroke { from, to, .. } => nearest_on_segment(p, from, to),
            Paint::Ring { centre, radius_mm, .. } => centre + direction(p - centre) * radius_mm,
            Paint::Arc { centre, radius_mm, start_rad, sweep_rad, .. } => {
                let v = p - centre;
                let turned = (v.y.atan2(v.x) - start_rad).rem_euclid(std::f64::consts::TAU);
                if turned <= sweep_rad {
                    return centre + direction(v) * radius_mm;
                }
                let at = |angle: f64| centre + Vector::new(angle.cos(), angle.sin()) * radius_mm;
                let (start, end) = (at(start_rad), at(start_rad + sweep_rad));
                if (p - start).norm_squared() <= (p - end).norm_squared() { start } else { end }
            }
            Paint::Spot { centre, .. } => centre,
        }
    }

    /// Unit direction in which the distance to the paint grows fastest: from the paint to `p`.
    pub fn outward(&self, p: Point) -> Vector {
        match *self {
            Paint::Ring { centre, radius_mm, .. } => {
                let v = p - centre;
                if v.norm() < radius_mm { -direction(v) } else { direction(v) }
            }
            _ => direction(p - self.nearest_on_middle(p)),
        }
    }

    /// Whether the paint is certainly farther than `reach_mm` from `p`: a box around it is. Cheap,
    /// for looking at many lines of which few are near.
    pub fn is_beyond(&self, p: Point, reach_mm: f64) -> bool {
        let (low, high, half_mm) = match *self {
            Paint::Stroke { from, to, width_mm } => (from.inf(&to), from.sup(&to), width_mm / 2.0),
            Paint::Ring { centre, radius_mm, width_mm } | Paint::Arc { centre, radius_mm, width_mm, .. } => {
                (centre, centre, radius_mm + width_mm / 2.0)
            }
            Paint::Spot { centre, radius_mm } => (centre, centre, radius_mm),
        };
        // A little more, so that rounding never hides a touch.
        let reach_mm = reach_mm + half_mm + 1e-6;
        p.x < low.x - reach_mm || p.x > high.x + reach_mm || p.y < low.y - reach_mm || p.y > high.y + reach_mm
    }

    /// The paint's width; a spot's is its diameter.
    pub fn width_mm(&self) -> f64 {
        match *self {
            Paint::Stroke { width_mm, .. } | Paint::Ring { width_mm, .. } | Paint::Arc { width_mm, .. } => {
                width_mm
            }
            Paint::Spot { radius_mm, .. } => 2.0 * radius_mm,
        }
    }

    /// The same paint mirrored about the line y = `axis_y_mm`.
    pub fn mirrored_y(&self, axis_y_mm: f64) -> Paint {
        let flip = |p: Point| Point::new(p.x, 2.0 * axis_y_mm - p.y);
        match *self {
            Paint::Stroke { from, to, width_mm } => {
                Paint::Stroke { from: flip(from), to: flip(to), width_mm }
            }
            Paint::Ring { centre, radius_mm, width_mm } => {
                Paint::Ring { centre: flip(centre), radius_mm, width_mm }
            }
            Paint::Arc { centre, radius_mm, width_mm, start_rad, sweep_rad } => Paint::Arc {
                centre: flip(centre),
                radius_mm,
                width_mm,
                start_rad: -(start_rad + sweep_rad),
                sweep_rad,
            },
            Paint::Spot { centre, radius_mm } => Paint::Spot { centre: flip(centre), radius_mm },
        }
    }
}

/// Unit vector along `v`; an arbitrary but fixed one where `v` has no direction.
fn direction(v: Vector) -> Vector {
    v.try_normalize(0.0).unwrap_or_else(Vector::x)
}
