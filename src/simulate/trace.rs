//! What a ray meets first: the surface, a solid, a pocket, the floor, or nothing.

use nalgebra::{Point3, Vector3};

use crate::geometry::Point;

use super::shapes::{Meeting, Part, Ray};
use super::world::{Shape, Solid, World};

#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Seen {
    Surface,
    Solid(usize),
    /// The wall or the net of a pocket.
    PocketWall,
    PocketNet,
    Floor,
    Room,
}

#[derive(Debug, Clone, Copy)]
pub struct Hit {
    pub at: Point3<f64>,
    pub normal: Vector3<f64>,
    pub seen: Seen,
    pub part: Part,
    pub distance: f64,
}

impl Hit {
    /// Tells apart what may have an edge in between.
    pub fn key(&self) -> u32 {
        let seen = match self.seen {
            Seen::Surface => 1,
            Seen::PocketWall => 2,
            Seen::PocketNet => 3,
            Seen::Floor => 4,
            Seen::Room => 5,
            Seen::Solid(index) => 8 + index as u32,
        };
        // A block's faces differ by normal: two sides of a rail are two surfaces.
        let facing = u32::from(self.normal.x.abs() > self.normal.y.abs());
        (seen << PART_BITS) | ((self.part as u32) << 1) | facing
    }
}

/// The low bits of a key, which tell parts of one thing apart.
pub const PART_BITS: u32 = 4;
/// A pocket's net hangs this far below the surface.
const NET_DEPTH_MM: f64 = 38.0;
const ROOM_DISTANCE_MM: f64 = 1e5;

impl World {
    /// `time`: -0.5 to 0.5 of the exposure.
    pub fn trace(&self, ray: &Ray, time: f64) -> Hit {
        let place = surface_place(ray);
        let on_surface =
            place.filter(|p| p.x >= 0.0 && p.y >= 0.0 && p.x <= self.size[0] && p.y <= self.size[1]);
        let pocket = on_surface.and_then(|p| {
            self.pockets.iter().find(|(centre, radius)| (p - centre).norm_squared() < radius * radius)
        });
        let mut best: Option<(usize, Meeting)> = None;
        let mut items = self.seen_at(place);
        while let Some((index, cones, rest)) = self.next_solid(items) {
            items = rest;
            let solid = &self.solids[index];
            // The slab's top is the surface itself, which has the say there.
            if solid.is_below && on_surface.is_some() {
                continue;
            }
            if let Some(meeting) = solid.meet(ray, time, cones)
                && best.is_none_or(|(_, b)| meeting.t < b.t)
            {
                best = Some((index, meeting));
            }
        }
        let ground = match pocket {
            Some((centre, radius)) => self.in_pocket(ray, *centre, *radius),
            None => self.ground(ray, on_surface),
        };
        match best {
            Some((index, m)) if m.t < ground.distance - 1e-7 => Hit {
                at: ray.at(m.t),
                normal: m.normal,
                seen: Seen::Solid(index),
                part: m.part,
                distance: m.t,
            },
            _ => ground,
        }
    }

    fn ground(&self, ray: &Ray, on_surface: Option<Point>) -> Hit {
        let flat = |seen: Seen, distance: f64| Hit {
            at: ray.at(distance),
            normal: Vector3::z(),
            seen,
            part: Part::Top,
            distance,
        };
        if on_surface.is_some() {
            return flat(Seen::Surface, -ray.origin.z / ray.along.z);
        }
        let distance = (self.floor_z - ray.origin.z) / ray.along.z;
        if ray.along.z < 0.0 && distance < ROOM_DISTANCE_MM {
            return flat(Seen::Floor, distance);
        }
        flat(Seen::Room, ROOM_DISTANCE_MM)
    }

    fn in_pocket(&self, ray: &Ray, centre: Point, radius: f64) -> Hit {
        let (ox, oy) = (ray.origin.x - centre.x, ray.origin.y - centre.y);
        let (dx, dy) = (ray.along.x, ray.along.y);
        let a = dx * dx + dy * dy;
        let b = ox * dx + oy * dy;
        let root = (b * b - a * (ox * ox + oy * oy - radius * radius)).max(0.0).sqrt();
        let wall = if a > 1e-18 { (-b + root) / a } else { f64::INFINITY };
        let net = (-NET_DEPTH_MM - ray.origin.z) / ray.along.z;
        let (distance, seen) = if wall < net { (wall, Seen::PocketWall) } else { (net, Seen::PocketNet) };
        let at = ray.at(distance);
        let normal = match seen {
            Seen::PocketWall => Vector3::new((centre.x - at.x) / radius, (centre.y - at.y) / radius, 0.0),
            _ => Vector3::z(),
        };
        Hit { at, normal, seen, part: Part::Side, distance }
    }

    /// Share of a piece's image that is seen: not hidden by anything, and inside the picture.
    pub fn seen_share(&self, piece: usize, rays: impl Iterator<Item = Option<Ray>>) -> f64 {
        let (mut whole, mut seen) = (0, 0);
        for ray in rays {
            let Some(ray) = ray else {
                whole += 1;
                continue;
            };
            let own = |solid: &Solid| solid.piece == Some(piece);
            if !self.solids.iter().any(|solid| own(solid) && solid.meet(&ray, 0.0, u64::MAX).is_some()) {
                continue;
            }
            whole += 1;
            if let Seen::Solid(index) = self.trace(&ray, 0.0).seen {
                seen += usize::from(own(&self.solids[index]));
            }
        }
        if whole == 0 { 0.0 } else { seen as f64 / whole as f64 }
    }
}

impl Solid {
    /// `cones`: those of a blob that can be near the ray.
    fn meet(&self, ray: &Ray, time: f64, cones: u64) -> Option<Meeting> {
        let moved = Vector3::new(self.drift.x * time, self.drift.y * time, 0.0);
        let ray = Ray { origin: ray.origin - moved, along: ray.along };
        match &self.shape {
            Shape::Cylinder(cylinder) => cylinder.meet(&ray),
            Shape::Block(block) => block.meet(&ray),
            Shape::Blob(blob) => blob.meet(&ray, cones),
        }
    }
}

/// Where a ray crosses the surface's plane, if it comes down to it.
pub fn surface_place(ray: &Ray) -> Option<Point> {
    (ray.along.z < -1e-9).then(|| {
        let t = -ray.origin.z / ray.along.z;
        Point::new(ray.origin.x + ray.along.x * t, ray.origin.y + ray.along.y * t)
    })
}
