//! Solids that a ray can meet: rounded cylinders and rounded blocks.
//!
//! In: a ray. Out: the distance along it, the normal and which part was met. Flat and straight
//! parts are met in closed form, so their edges are exact; only rounded rims are marched along their
//! signed distance, to [`MARCH_TOLERANCE_MM`].

use nalgebra::{Point3, Vector3};

/// A marched ray stops this near to the surface.
pub const MARCH_TOLERANCE_MM: f64 = 2e-4;
const MARCH_STEPS: usize = 96;

/// Length of a plane vector; `hypot` guards against overflow that millimetres never reach, at ten
/// times the cost.
#[inline]
pub fn length(x: f64, y: f64) -> f64 {
    (x * x + y * y).sqrt()
}

#[derive(Debug, Clone, Copy)]
pub struct Ray {
    pub origin: Point3<f64>,
    /// Unit length.
    pub along: Vector3<f64>,
}

impl Ray {
    pub fn at(&self, t: f64) -> Point3<f64> {
        self.origin + self.along * t
    }
}

/// Where a ray meets a solid.
#[derive(Debug, Clone, Copy)]
pub struct Meeting {
    pub t: f64,
    pub normal: Vector3<f64>,
    pub part: Part,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub enum Part {
    Top,
    Rim,
    Side,
    Base,
}

/// An upright cylinder with rounded rims.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Cylinder {
    pub x: f64,
    pub y: f64,
    pub base: f64,
    pub top: f64,
    pub radius: f64,
    pub top_rim: f64,
    pub base_rim: f64,
}

impl Cylinder {
    fn rounding_at(&self, z: f64) -> f64 {
        if z > (self.base + self.top) / 2.0 { self.top_rim } else { self.base_rim }
    }

    /// Radius of the body at a height.
    pub fn radius_at(&self, z: f64) -> f64 {
        let from_end = (self.top - z).min(z - self.base).max(0.0);
        let rim = self.rounding_at(z);
        if from_end >= rim {
            return self.radius;
        }
        let up = rim - from_end;
        self.radius - rim + (rim * rim - up * up).max(0.0).sqrt()
    }

    fn distance(&self, p: Point3<f64>) -> f64 {
        let r = length(p.x - self.x, p.y - self.y);
        let half = (self.top - self.base) / 2.0;
        let rim = self.rounding_at(p.z);
        let (out, up) = (r - self.radius + rim, (p.z - self.base - half).abs() - half + rim);
        length(out.max(0.0), up.max(0.0)) + out.max(up).min(0.0) - rim
    }

    fn normal(&self, p: Point3<f64>) -> Vector3<f64> {
        let (dx, dy) = (p.x - self.x, p.y - self.y);
        let r = length(dx, dy).max(1e-12);
        let middle = (self.base + self.top) / 2.0;
        let half = (self.top - self.base) / 2.0;
        let rim = self.rounding_at(p.z);
        let (out, up) = ((r - self.radius + rim).max(0.0), ((p.z - middle).abs() - half + rim).max(0.0));
        let n = Vector3::new(dx / r * out, dy / r * out, up * (p.z - middle).signum());
        n.try_normalize(1e-12).unwrap_or_else(Vector3::z)
    }

    pub fn meet(&self, ray: &Ray) -> Option<Meeting> {
        let (ox, oy) = (ray.origin.x - self.x, ray.origin.y - self.y);
        let (dx, dy, dz) = (ray.along.x, ray.along.y, ray.along.z);
        let a = dx * dx + dy * dy;
        let b = ox * dx + oy * dy;
        let c = ox * ox + oy * oy - self.radius * self.radius;
        let (mut enter, mut leave) = (0.0_f64, f64::INFINITY);
        let mut by_side = false;
        if a > 1e-18 {
            let root = b * b - a * c;
            if root <= 0.0 {
                return None;
            }
            let root = root.sqrt();
            (enter, leave) = ((-b - root) / a, (-b + root) / a);
            by_side = true;
        } else if c > 0.0 {
            return None;
        }
        if dz.abs() > 1e-12 {
            let (t0, t1) = ((self.base - ray.origin.z) / dz, (self.top - ray.origin.z) / dz);
            let (first, last) = if t0 < t1 { (t0, t1) } else { (t1, t0) };
            if first > enter {
                (enter, by_side) = (first, false);
            }
            leave = leave.min(last);
        } else if ray.origin.z < self.base || ray.origin.z > self.top {
            return None;
        }
        if enter >= leave || enter <= 0.0 {
            return None;
        }
        let p = ray.at(enter);
        if by_side {
            if p.z >= self.base + self.base_rim && p.z <= self.top - self.top_rim {
                let normal = Vector3::new((p.x - self.x) / self.radius, (p.y - self.y) / self.radius, 0.0);
                return Some(Meeting { t: enter, normal, part: Part::Side });
            }
        } else {
            let flat = self.radius - if dz < 0.0 { self.top_rim } else { self.base_rim };
            let (px, py) = (p.x - self.x, p.y - self.y);
            if px * px + py * py <= flat * flat {
                let (normal, part) =
                    if dz < 0.0 { (Vector3::z(), Part::Top) } else { (-Vector3::z(), Part::Base) };
                return Some(Meeting { t: enter, normal, part });
            }
        }
        let t = march(ray, enter, leave, |p| self.distance(p))?;
        let p = ray.at(t);
        let normal = self.normal(p);
        let part = if normal.z > 1e-6 {
            Part::Rim
        } else if normal.z < -1e-6 {
            Part::Base
        } else {
            Part::Side
        };
        Some(Meeting { t, normal, part })
    }
}

/// A block, turned about the vertical, with all edges rounded alike.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Block {
    pub middle: Point3<f64>,
    pub half: Vector3<f64>,
    /// Cosine and sine of its turn.
    pub turn: [f64; 2],
    pub rounding: f64,
}

impl Block {
    pub fn upright(from: Point3<f64>, to: Point3<f64>, rounding: f64) -> Self {
        let half = (to - from) / 2.0;
        Self { middle: nalgebra::center(&from, &to), half, turn: [1.0, 0.0], rounding }
    }

    pub fn local_from_board(&self, v: Vector3<f64>) -> Vector3<f64> {
        let [c, s] = self.turn;
        Vector3::new(c * v.x + s * v.y, c * v.y - s * v.x, v.z)
    }

    fn board_from_local(&self, v: Vector3<f64>) -> Vector3<f64> {
        let [c, s] = self.turn;
        Vector3::new(c * v.x - s * v.y, s * v.x + c * v.y, v.z)
    }

    fn distance_local(&self, p: Vector3<f64>) -> f64 {
        let q = p.abs() - self.half.add_scalar(-self.rounding);
        let out = q.map(|v| v.max(0.0)).norm();
        out + q.max().min(0.0) - self.rounding
    }

    pub fn meet(&self, ray: &Ray) -> Option<Meeting> {
        let local = Ray {
            origin: Point3::from(self.local_from_board(ray.origin - self.middle)),
            along: self.local_from_board(ray.along),
        };
        let (mut enter, mut leave, mut axis) = (f64::NEG_INFINITY, f64::INFINITY, 2);
        for i in 0..3 {
            let (o, d) = (local.origin[i], local.along[i]);
            if d.abs() < 1e-12 {
                if o.abs() > self.half[i] {
                    return None;
                }
                continue;
            }
            let near = (-self.half[i] * d.signum() - o) / d;
            let far = (self.half[i] * d.signum() - o) / d;
            if near > enter {
                (enter, axis) = (near, i);
            }
            leave = leave.min(far);
        }
        if enter >= leave || enter <= 0.0 {
            return None;
        }
        let p = local.at(enter);
        let inner = self.half.add_scalar(-self.rounding);
        if (0..3).all(|i| i == axis || p[i].abs() <= inner[i]) {
            let mut normal = Vector3::zeros();
            normal[axis] = -local.along[axis].signum();
            let part = if axis == 2 { Part::Top } else { Part::Side };
            return Some(Meeting { t: enter, normal: self.board_from_local(normal), part });
        }
        let t = march(&local, enter, leave, |p| self.distance_local(p.coords))?;
        let p = local.at(t).coords;
        let normal = Vector3::from_fn(|i, _| (p[i].abs() - inner[i]).max(0.0) * p[i].signum());
        let normal = normal.try_normalize(1e-12).unwrap_or_else(Vector3::z);
        Some(Meeting { t, normal: self.board_from_local(normal), part: Part::Rim })
    }
}

/// Follows the ray from `enter` until the distance vanishes; `None` when it leaves first.
pub fn march(ray: &Ray, enter: f64, leave: f64, distance: impl Fn(Point3<f64>) -> f64) -> Option<f64> {
    let mut t = enter;
    for _ in 0..MARCH_STEPS {
        let d = distance(ray.at(t));
        if d < MARCH_TOLERANCE_MM {
            return Some(t);
        }
        t += d;
        if t > leave {
            return None;
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn puck() -> Cylinder {
        Cylinder { x: 10.0, y: 20.0, base: 0.0, top: 12.0, radius: 15.0, top_rim: 1.2, base_rim: 0.4 }
    }

    /// From straight above the silhouette is the full radius, and no ray misses inside of it.
    #[test]
    fn a_cylinders_silhouette_from_above_is_its_radius() {
        for i in 0..360 {
            let angle = f64::from(i).to_radians();
            let ray = |r: f64| Ray {
                origin: Point3::new(10.0 + r * angle.cos(), 20.0 + r * angle.sin(), 900.0),
                along: -Vector3::z(),
            };
            assert!(puck().meet(&ray(14.9995)).is_some());
            assert!(puck().meet(&ray(15.0005)).is_none());
        }
    }

    #[test]
    fn meetings_lie_on_the_body_and_normals_face_the_ray() {
        for i in 0..2000 {
            let f = f64::from(i);
            let origin = Point3::new(300.0 * (f * 0.7).sin(), 300.0 * (f * 1.3).cos(), 400.0);
            let target = Point3::new(10.0 + 10.0 * (f * 0.31).sin(), 20.0 + 10.0 * (f * 0.17).cos(), 6.0);
            let ray = Ray { origin, along: (target - origin).normalize() };
            let meeting = puck().meet(&ray).expect("aimed at the inside");
            let p = ray.at(meeting.t);
            assert!(puck().distance(p).abs() < 2.0 * MARCH_TOLERANCE_MM, "{p}");
            assert!(meeting.normal.dot(&ray.along) < 1e-3);
        }
    }

    #[test]
    fn a_turned_block_is_met_where_it_stands() {
        let (sin, cos) = 30_f64.to_radians().sin_cos();
        let block = Block {
            middle: Point3::new(0.0, 0.0, 5.0),
            half: Vector3::new(40.0, 20.0, 5.0),
            turn: [cos, sin],
            rounding: 2.0,
        };
        let down = |x: f64, y: f64| Ray { origin: Point3::new(x, y, 100.0), along: -Vector3::z() };
        let top = block.meet(&down(30.0 * cos, 30.0 * sin)).expect("on the long axis");
        assert!((top.t - 90.0).abs() < 1e-9 && top.part == Part::Top);
        assert!(block.meet(&down(30.0 * cos, -30.0 * sin)).is_none());
        assert!(
            block.meet(&down(39.9 * cos - 19.9 * sin, 39.9 * sin + 19.9 * cos)).is_none(),
            "round corner"
        );
    }
}
