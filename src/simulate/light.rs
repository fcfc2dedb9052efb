//! How much light reaches a place: lamps with soft shadows, and the dome that fills them.
//!
//! Shadows are in closed form, so they are smooth and cost no random samples. Seen from a place,
//! a solid's cross-section at some height covers part of the lamp's disc, shrunk toward the place
//! by similar triangles; that share of the disc is dark. Tall solids take the darkest of several
//! heights.

use nalgebra::{Point3, Vector2, Vector3};

use super::blob::RoundCone;
use super::shapes::{Block, Cylinder, length};
use super::texture::Rgb;

/// A round lamp.
#[derive(Debug, Clone, Copy)]
pub struct Lamp {
    pub at: Point3<f64>,
    pub radius: f64,
    /// Irradiance times squared distance at normal incidence.
    pub power: Rgb,
}

impl Lamp {
    /// Irradiance at a place with this normal, nothing in the way. A lamp that is partly below
    /// the horizon of the place fades out instead of ending in a line.
    pub fn irradiance(&self, p: Point3<f64>, normal: Vector3<f64>) -> Rgb {
        let toward = self.at - p;
        let squared = toward.norm_squared();
        let distance = squared.sqrt();
        let cosine = normal.dot(&toward) / distance;
        let spread = (self.radius / distance).min(0.9);
        let seen = if cosine > spread {
            cosine
        } else {
            let above = (cosine + spread).max(0.0);
            above * above / (4.0 * spread)
        };
        self.power * (seen / squared)
    }
}

/// A bar high above the board that throws a band of shadow.
#[derive(Debug, Clone, Copy)]
pub struct Bar {
    pub middle: Point3<f64>,
    /// Unit direction across the bar.
    pub across: Vector2<f64>,
    pub half_width: f64,
}

/// Share of a unit disc beyond a chord at signed distance `t` from its centre.
#[inline]
fn disc_share(t: f64) -> f64 {
    if t <= -1.0 {
        1.0
    } else if t >= 1.0 {
        0.0
    } else {
        0.5 - t * (0.75 - 0.25 * t * t)
    }
}

/// Solids farther away than this many times their height hide nothing of the dome worth telling.
const DOME_REACH: f64 = 8.0;
/// Taller solids than this reach no farther.
const DOME_MOST_RISE_MM: f64 = 60.0;

/// How far a solid that rises `rise` above a place keeps the dome's light from it; nothing is hidden
/// beyond.
pub fn dome_reach_mm(rise: f64) -> f64 {
    DOME_REACH * rise.clamp(0.0, DOME_MOST_RISE_MM)
}

/// The same for a round cone, by its thickness; what it hides falls off faster than a wall's.
pub fn cone_dome_reach_mm(cone: &RoundCone) -> f64 {
    DOME_REACH * cone.most_radius().min(DOME_MOST_RISE_MM / 2.0)
}
/// Heights of a tall solid that are tried, at most.
const MOST_LEVELS: f64 = 10.0;

/// The lamp's disc as it shrinks toward a place: middle and radius at a height.
struct Shrunk {
    p: Point3<f64>,
    reach: Vector2<f64>,
    rise: f64,
    radius: f64,
}

impl Shrunk {
    fn new(lamp: &Lamp, p: Point3<f64>) -> Option<Self> {
        let rise = lamp.at.z - p.z;
        (rise > 1.0).then(|| Self {
            p,
            reach: Vector2::new(lamp.at.x - p.x, lamp.at.y - p.y),
            rise,
            radius: lamp.radius,
        })
    }

    #[inline]
    fn at(&self, z: f64) -> (f64, f64, f64) {
        let s = ((z - self.p.z) / self.rise).min(0.95);
        (self.p.x + s * self.reach.x, self.p.y + s * self.reach.y, (s * self.radius).max(1e-3))
    }

    /// Over how far the disc's middle moves between two heights.
    fn travel(&self, low: f64, high: f64) -> f64 {
        self.reach.norm() * (high - low) / self.rise
    }
}

/// Share of the lamp that a cylinder hides from a place.
pub fn hidden_by_cylinder(lamp: &Lamp, p: Point3<f64>, solid: &Cylinder) -> f64 {
    let high = solid.top - 0.3 * solid.top_rim;
    let low = solid.base.max(p.z);
    if low >= high {
        return 0.0;
    }
    let Some(disc) = Shrunk::new(lamp, p) else { return 0.0 };
    let (x, y, r) = disc.at(high);
    let (dx, dy) = (p.x - solid.x, p.y - solid.y);
    let reach = solid.radius + r + length(x - p.x, y - p.y);
    if dx * dx + dy * dy > reach * reach {
        return 0.0;
    }
    let levels = (disc.travel(low, high) / (0.4 * solid.radius)).ceil().clamp(1.0, MOST_LEVELS);
    let mut most: f64 = 0.0;
    for level in 1..=levels as usize {
        let z = low + (high - low) * level as f64 / levels;
        let (x, y, r) = disc.at(z);
        let body = solid.radius_at(z);
        let away = length(x - solid.x, y - solid.y) - body;
        most = most.max(disc_share(away / r) * (body / r).min(1.0).powi(2));
    }
    most
}

/// Share of the lamp that a block hides from a place.
pub fn hidden_by_block(lamp: &Lamp, p: Point3<f64>, solid: &Block) -> f64 {
    let (base, high) = (solid.middle.z - solid.half.z, solid.middle.z + solid.half.z - 0.3 * solid.rounding);
    let low = base.max(p.z);
    if low >= high {
        return 0.0;
    }
    let Some(disc) = Shrunk::new(lamp, p) else { return 0.0 };
    let local =
        |x: f64, y: f64| solid.local_from_board(Vector3::new(x - solid.middle.x, y - solid.middle.y, 0.0));
    // Most places are nowhere near: the disc's whole way from the place misses the block.
    let (x, y, r) = disc.at(high);
    let (here, there) = (local(p.x, p.y), local(x, y));
    let misses =
        |i: usize| here[i].min(there[i]) - r > solid.half[i] || here[i].max(there[i]) + r < -solid.half[i];
    if misses(0) || misses(1) {
        return 0.0;
    }
    let slim = solid.half.x.min(solid.half.y);
    let levels = (disc.travel(low, high) / (0.8 * slim)).ceil().clamp(1.0, MOST_LEVELS);
    let mut most: f64 = 0.0;
    for level in 1..=levels as usize {
        let (x, y, r) = disc.at(low + (high - low) * level as f64 / levels);
        let q = local(x, y);
        let share = |place: f64, half: f64| disc_share((place - half) / r) - disc_share((place + half) / r);
        most = most.max(share(q.x, solid.half.x) * share(q.y, solid.half.y));
    }
    most
}

/// Share of the lamp that a round cone hides: its silhouette thrown from the lamp's middle.
pub fn hidden_by_cone(lamp: &Lamp, p: Point3<f64>, cone: &RoundCone) -> f64 {
    if cone.from.z.max(cone.to.z) <= p.z {
        return 0.0;
    }
    let thrown = |end: Point3<f64>, radius: f64| {
        let z = end.z.min(lamp.at.z - 10.0);
        let grow = (lamp.at.z - p.z) / (lamp.at.z - z);
        let q =
            Vector2::new(lamp.at.x, lamp.at.y) + Vector2::new(end.x - lamp.at.x, end.y - lamp.at.y) * grow;
        (q, radius * grow, lamp.radius * (grow - 1.0))
    };
    let (a, ra, sa) = thrown(cone.from, cone.from_radius);
    let (b, rb, sb) = thrown(cone.to, cone.to_radius);
    let axis = b - a;
    let here = Vector2::new(p.x, p.y);
    let along = ((here - a).dot(&axis) / axis.norm_squared().max(1e-9)).clamp(0.0, 1.0);
    let away = (here - a - axis * along).norm() - (ra + (rb - ra) * along);
    let soft = (sa + (sb - sa) * along).max(0.5);
    disc_share(away / soft)
}

pub fn hidden_by_bar(lamp: &Lamp, p: Point3<f64>, bar: &Bar) -> f64 {
    if p.z >= bar.middle.z {
        return 0.0;
    }
    let Some(disc) = Shrunk::new(lamp, p) else { return 0.0 };
    let (x, y, r) = disc.at(bar.middle.z);
    let place = bar.across.dot(&Vector2::new(x - bar.middle.x, y - bar.middle.y));
    disc_share((place - bar.half_width) / r) - disc_share((place + bar.half_width) / r)
}

/// Share of the dome above a horizontal place that a wall hides, from `low` to `high` above the
/// place at a distance; half for a wall that touches.
#[inline]
fn wall_share(distance: f64, low: f64, high: f64) -> f64 {
    let d = distance.max(1e-3);
    0.5 * (d / length(d, low) - d / length(d, high))
}

/// Share of the dome that a cylinder hides from a place with this normal.
pub fn dome_hidden_by_cylinder(p: Point3<f64>, normal: Vector3<f64>, solid: &Cylinder) -> f64 {
    let (low, high) = ((solid.base - p.z).max(0.0), solid.top - p.z);
    if high <= 0.0 {
        return 0.0;
    }
    let (dx, dy) = (solid.x - p.x, solid.y - p.y);
    let between = length(dx, dy).max(1e-6);
    let distance = (between - solid.radius).max(0.0);
    let fade = 1.0 - distance / dome_reach_mm(high);
    if fade <= 0.0 {
        return 0.0;
    }
    let wide = (solid.radius / between).min(1.0).asin() * std::f64::consts::FRAC_2_PI;
    let facing = normal.z.max(0.0) + ((normal.x * dx + normal.y * dy) / between).max(0.0);
    wall_share(distance, low, high) * wide * facing * fade
}

pub fn dome_hidden_by_block(p: Point3<f64>, normal: Vector3<f64>, solid: &Block) -> f64 {
    let low = (solid.middle.z - solid.half.z - p.z).max(0.0);
    let high = solid.middle.z + solid.half.z - p.z;
    if high <= 0.0 {
        return 0.0;
    }
    let q = solid.local_from_board(p - solid.middle);
    let out = Vector2::new((q.x.abs() - solid.half.x).max(0.0), (q.y.abs() - solid.half.y).max(0.0));
    let distance = out.norm();
    let fade = 1.0 - distance / dome_reach_mm(high);
    if fade <= 0.0 {
        return 0.0;
    }
    let toward = solid.local_from_board(normal);
    let inward = if distance > 1e-9 {
        -(toward.x * out.x * q.x.signum() + toward.y * out.y * q.y.signum()) / distance
    } else {
        0.0
    };
    wall_share(distance, low, high) * (normal.z.max(0.0) + inward.max(0.0)).min(1.0) * fade
}

/// A blob hides what its cones do together, but never more than [`BLOB_MOST_HIDDEN`].
pub fn dome_hidden_by_cone(p: Point3<f64>, normal: Vector3<f64>, cone: &RoundCone) -> f64 {
    let axis = cone.to - cone.from;
    let along = ((p - cone.from).dot(&axis) / axis.norm_squared().max(1e-9)).clamp(0.0, 1.0);
    let toward = cone.from + axis * along - p;
    let reach = cone_dome_reach_mm(cone);
    let squared = toward.norm_squared();
    if squared >= reach * reach {
        return 0.0;
    }
    let radius = cone.from_radius + (cone.to_radius - cone.from_radius) * along;
    let distance = squared.sqrt().max(radius);
    let fade = (1.0 - distance / reach).max(0.0);
    0.5 * (radius / distance).powi(2) * (normal.dot(&toward) / distance).max(0.0) * fade
}

pub const BLOB_MOST_HIDDEN: f64 = 0.85;
