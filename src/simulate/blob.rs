//! Blobs of round cones that flow into one another: hands, sleeves, the handle of a cup.
//!
//! In: a ray, and which cones can be near it. Out: where it meets the blob, by marching along the
//! signed distance.

use nalgebra::{Point3, Vector3};

use super::shapes::{Meeting, Part, Ray, march};

/// A cone with round ends: fingers, an arm, the handle of a cup.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RoundCone {
    pub from: Point3<f64>,
    pub to: Point3<f64>,
    pub from_radius: f64,
    pub to_radius: f64,
}

impl RoundCone {
    pub fn most_radius(&self) -> f64 {
        self.from_radius.max(self.to_radius)
    }

    pub fn bounds(&self) -> (Point3<f64>, Point3<f64>) {
        let reach = |radius: f64| Vector3::from_element(radius);
        let low = (self.from - reach(self.from_radius)).inf(&(self.to - reach(self.to_radius)));
        let high = (self.from + reach(self.from_radius)).sup(&(self.to + reach(self.to_radius)));
        (low, high)
    }
}

/// A cone with what every ray asks of it worked out.
#[derive(Debug, Clone, PartialEq)]
struct Bone {
    from: Point3<f64>,
    axis: Vector3<f64>,
    axis_by_length_squared: Vector3<f64>,
    length_squared: f64,
    from_radius: f64,
    taper: f64,
    most_radius: f64,
    /// A ball around it.
    middle: Point3<f64>,
    reach: f64,
}

impl Bone {
    fn new(cone: &RoundCone) -> Self {
        let axis = cone.to - cone.from;
        Self {
            from: cone.from,
            axis,
            axis_by_length_squared: axis / axis.norm_squared().max(1e-12),
            length_squared: axis.norm_squared(),
            from_radius: cone.from_radius,
            most_radius: cone.most_radius(),
            taper: cone.to_radius - cone.from_radius,
            middle: nalgebra::center(&cone.from, &cone.to),
            reach: axis.norm() / 2.0 + cone.most_radius(),
        }
    }

    /// Whether a ray comes as near to the axis as the cone is thick, and `more`.
    #[inline]
    fn is_near(&self, ray: &Ray, more: f64) -> bool {
        let from = self.from - ray.origin;
        let slant = self.axis.dot(&ray.along);
        let steep = self.length_squared - slant * slant;
        let place = slant * from.dot(&ray.along) - self.axis.dot(&from);
        let along = if steep > 1e-9 { (place / steep).clamp(0.0, 1.0) } else { 0.5 };
        let to_axis = from + self.axis * along;
        let ahead = to_axis.dot(&ray.along);
        let limit = self.most_radius + more;
        // A ray along the axis is always taken as near.
        steep <= 1e-9 || to_axis.norm_squared() - ahead * ahead < limit * limit
    }

    /// Distance to the surface; exact where both radii are equal, near enough for slim tapers.
    #[inline]
    fn distance(&self, p: Point3<f64>) -> f64 {
        let from = p - self.from;
        let along = from.dot(&self.axis_by_length_squared).clamp(0.0, 1.0);
        (from - self.axis * along).norm() - (self.from_radius + self.taper * along)
    }
}

/// Cones are chosen by the bits of one word.
pub const MOST_CONES: usize = 64;

/// Round cones that flow into one another.
#[derive(Debug, Clone, PartialEq)]
pub struct Blob {
    pub cones: Vec<RoundCone>,
    /// Over which length neighbours flow together; 0: not at all.
    pub blend: f64,
    bones: Vec<Bone>,
}

impl Blob {
    /// Takes at most [`MOST_CONES`]; what is more is left out.
    pub fn new(mut cones: Vec<RoundCone>, blend: f64) -> Self {
        cones.truncate(MOST_CONES);
        let bones = cones.iter().map(Bone::new).collect();
        Self { cones, blend, bones }
    }

    /// Distance to those cones whose bit is set.
    fn distance(&self, p: Point3<f64>, mut chosen: u64) -> f64 {
        let mut nearest = f64::INFINITY;
        while chosen != 0 {
            let index = chosen.trailing_zeros() as usize;
            chosen &= chosen - 1;
            let d = self.bones[index].distance(p);
            nearest = if self.blend > 0.0 && (d - nearest).abs() < self.blend {
                let h = (self.blend - (d - nearest).abs()) / self.blend;
                d.min(nearest) - h * h * self.blend / 4.0
            } else {
                nearest.min(d)
            };
        }
        nearest
    }

    /// Where a ray meets the blob, of which only the cones with their bit in `cones` can be near.
    pub fn meet(&self, ray: &Ray, mut cones: u64) -> Option<Meeting> {
        let (mut enter, mut leave, mut near) = (f64::INFINITY, 0.0_f64, 0_u64);
        while cones != 0 {
            let index = cones.trailing_zeros() as usize;
            cones &= cones - 1;
            let Some(bone) = self.bones.get(index) else { break };
            let toward = bone.middle - ray.origin;
            let along = toward.dot(&ray.along);
            let limit = bone.reach + self.blend;
            let half_chord_squared = limit * limit - (toward.norm_squared() - along * along);
            if half_chord_squared > 0.0 && bone.is_near(ray, self.blend) {
                let half_chord = half_chord_squared.sqrt();
                enter = enter.min(along - half_chord);
                leave = leave.max(along + half_chord);
                near |= 1 << index;
            }
        }
        let enter = enter.max(0.0);
        if near == 0 || enter >= leave {
            return None;
        }
        let t = march(ray, enter, leave, |p| self.distance(p, near))?;
        let p = ray.at(t);
        let step = 0.05;
        let slope = |v: Vector3<f64>| self.distance(p + v * step, near) - self.distance(p - v * step, near);
        let normal = Vector3::new(slope(Vector3::x()), slope(Vector3::y()), slope(Vector3::z()));
        let normal = normal.try_normalize(1e-12).unwrap_or_else(Vector3::z);
        Some(Meeting { t, normal, part: Part::Side })
    }
}
