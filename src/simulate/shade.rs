//! The light that a hit throws toward the camera.

use nalgebra::{Point3, Vector2, Vector3};

use crate::geometry::Point;

use super::light::*;
use super::limits::MAX_LAMPS;
use super::paint::Footprint;
use super::scene::Floor;
use super::shapes::{Part, Ray, length};
use super::texture::{Rgb, Wood, cloth, noise, stone};
use super::trace::{Hit, Seen};
use super::world::{Base, Grain, Shape, World};

/// What a surface looks like at one place, before any light.
struct Look {
    albedo: Rgb,
    normal: Vector3<f64>,
    gloss: f64,
    roughness: f64,
    metal: bool,
    /// Light let in under the surface: softens the terminator of skin.
    wrap: f64,
    /// Share of the light that a crevice lets through.
    open: f64,
}

impl Look {
    fn matt(albedo: Rgb, normal: Vector3<f64>) -> Self {
        Self { albedo, normal, gloss: 0.0, roughness: 1.0, metal: false, wrap: 0.0, open: 1.0 }
    }
}

/// Mirror reflection of plastic, lacquer and varnish at normal incidence.
const DIELECTRIC_REFLECTANCE: f64 = 0.04;
/// How much darker walls are than the ceiling, as mirrors show them.
const WALL_SHARE: f64 = 0.45;
/// Shuffleboard wax.
const POWDER: Rgb = Rgb::new(0.78, 0.74, 0.42);
const ROOM: Rgb = Rgb::new(0.16, 0.15, 0.14);

impl World {
    /// Radiance toward the ray's origin, in units in which a white card in the middle of the view
    /// has 1.
    pub fn shade(&self, ray: &Ray, hit: &Hit, footprint: &Footprint, time: f64) -> Rgb {
        let look = match hit.seen {
            Seen::Surface => self.surface_look(hit, footprint),
            Seen::Solid(index) if self.rails.contains(&index) && hit.part == Part::Top => {
                let look = self.solid_look(index, hit, footprint.side_mm(), time);
                let albedo = self.frame_coat.over(look.albedo, Point::new(hit.at.x, hit.at.y), footprint);
                Look { albedo, ..look }
            }
            Seen::Solid(index) => self.solid_look(index, hit, footprint.side_mm(), time),
            Seen::Floor => self.floor_look(hit, footprint.side_mm()),
            Seen::PocketWall => Look::matt(Rgb::new(0.05, 0.04, 0.03) * deep(hit.at.z), hit.normal),
            Seen::PocketNet => Look::matt(net(hit.at), hit.normal),
            Seen::Room => return ROOM,
        };
        self.lit(ray, hit, &look, time)
    }

    fn lit(&self, ray: &Ray, hit: &Hit, look: &Look, time: f64) -> Rgb {
        let own = if let Seen::Solid(index) = hit.seen { Some(index) } else { None };
        let (mut dome_hidden, mut lamp_seen) = (0.0, [1.0; MAX_LAMPS]);
        let mut items = self.near(hit.at);
        while let Some((index, cones, rest)) = self.next_solid(items) {
            items = rest;
            if Some(index) == own {
                continue;
            }
            let solid = &self.solids[index];
            if solid.is_below && hit.seen == Seen::Surface {
                continue;
            }
            let p = hit.at - Vector3::new(solid.drift.x * time, solid.drift.y * time, 0.0);
            match &solid.shape {
                Shape::Cylinder(s) => {
                    dome_hidden += dome_hidden_by_cylinder(p, look.normal, s);
                    for (lamp, seen) in self.lamps.iter().zip(&mut lamp_seen) {
                        *seen *= 1.0 - hidden_by_cylinder(lamp, p, s);
                    }
                }
                Shape::Block(s) => {
                    dome_hidden += dome_hidden_by_block(p, look.normal, s);
                    for (lamp, seen) in self.lamps.iter().zip(&mut lamp_seen) {
                        *seen *= 1.0 - hidden_by_block(lamp, p, s);
                    }
                }
                Shape::Blob(s) => {
                    let (mut hidden, mut most) = (0.0, [0.0_f64; MAX_LAMPS]);
                    let mut left = cones;
                    while left != 0 {
                        let cone = &s.cones[left.trailing_zeros() as usize];
                        left &= left - 1;
                        hidden += dome_hidden_by_cone(p, look.normal, cone);
                        for (lamp, most) in self.lamps.iter().zip(&mut most) {
                            *most = most.max(hidden_by_cone(lamp, p, cone));
                        }
                    }
                    dome_hidden += hidden.min(BLOB_MOST_HIDDEN);
                    for (seen, most) in lamp_seen.iter_mut().zip(&most) {
                        *seen *= 1.0 - most;
                    }
                }
            }
        }
        if let (Some(bar), Some(lamp)) = (&self.bar, self.lamps.first()) {
            lamp_seen[0] *= 1.0 - hidden_by_bar(lamp, hit.at, bar);
        }
        let open = look.open * (1.0 - dome_hidden.min(0.92));
        let up = (1.0 + look.normal.z) / 2.0;
        let ground = self.ground_glow(hit.at);
        let mut falling = self.ambient * (up * open) + ground * ((1.0 - up) * open);
        let view = -ray.along;
        let facing = look.normal.dot(&view).max(0.02);
        let mirrored = ray.along + look.normal * (2.0 * facing);
        let grazing = (1.0 - facing).powi(5);
        let reflectance = if look.metal {
            look.albedo
        } else {
            Rgb::repeat(
                (look.gloss
                    * (DIELECTRIC_REFLECTANCE
                        + (1.0 - DIELECTRIC_REFLECTANCE) * grazing * (1.0 - look.roughness)))
                    .min(1.0),
            )
        };
        let mut shine = Rgb::zeros();
        let bent =
            if look.wrap > 0.0 { (look.normal + Vector3::z() * look.wrap).normalize() } else { look.normal };
        for (lamp, seen) in self.lamps.iter().zip(&lamp_seen) {
            falling += lamp.irradiance(hit.at, bent) * (*seen * look.open);
            if look.gloss > 0.0 || look.metal {
                shine += highlight(lamp, hit.at, look, &view) * *seen;
            }
        }
        let scene_around = self.room_glow(&mirrored, &ground) * open;
        let reflected = reflectance.component_mul(&(shine + scene_around));
        if look.metal { reflected } else { look.albedo.component_mul(&falling) + reflected }
    }

    /// Light that the board and the floor throw up at a place, times its share of the view below.
    fn ground_glow(&self, p: Point3<f64>) -> Rgb {
        let over = p.x > -30.0 && p.y > -30.0 && p.x < self.size[0] + 30.0 && p.y < self.size[1] + 30.0;
        if over { self.surface.colour * 0.75 } else { self.floor_wood.colour * 0.6 }
    }

    /// What a mirror would show of the room in a direction, lamps apart.
    fn room_glow(&self, direction: &Vector3<f64>, ground: &Rgb) -> Rgb {
        if direction.z < 0.0 {
            return *ground;
        }
        let height = direction.z * direction.z;
        self.ambient * (WALL_SHARE + (1.0 - WALL_SHARE) * height) * 1.2
    }

    fn surface_look(&self, hit: &Hit, footprint: &Footprint) -> Look {
        let p = Point::new(hit.at.x, hit.at.y);
        let side = footprint.side_mm();
        let wood = if self.square {
            self.surface.albedo(p.x, p.y, side)
        } else {
            self.surface.albedo(p.y, p.x, side)
        };
        let albedo = self.coat.over(wood, p, footprint);
        let powder = self.dress.powder_at(p.y, p.x, self.seed);
        let albedo = albedo * (1.0 - powder) + POWDER * powder;
        // Varnish is never quite flat.
        let wavy = 0.004 * self.surface_gloss;
        let tilt = Vector3::new(
            noise(p.x / 31.0, p.y / 57.0, self.seed ^ 21),
            noise(p.x / 43.0, p.y / 37.0, self.seed ^ 22),
            0.0,
        );
        Look {
            albedo,
            normal: (Vector3::z() + tilt * wavy).normalize(),
            gloss: self.surface_gloss,
            roughness: 0.42 - 0.2 * self.surface_gloss,
            metal: false,
            wrap: 0.0,
            open: 1.0,
        }
    }

    fn floor_look(&self, hit: &Hit, side: f64) -> Look {
        let (x, y) = (hit.at.x, hit.at.y);
        let seed = self.floor_wood.seed;
        let (albedo, gloss) = match self.floor {
            Floor::Wood => (self.floor_wood.albedo(x, y, side), 0.3),
            Floor::Cloth => (self.floor_wood.colour * cloth(x, y, side, seed), 0.0),
            Floor::Stone => (self.floor_wood.colour * stone(x, y, side, seed), 0.3),
        };
        Look { gloss, roughness: 0.45, ..Look::matt(albedo, hit.normal) }
    }

    fn solid_look(&self, index: usize, hit: &Hit, side: f64, time: f64) -> Look {
        let solid = &self.solids[index];
        let material = &solid.material;
        let mut look = Look {
            gloss: material.gloss,
            roughness: material.roughness,
            ..Look::matt(Rgb::zeros(), hit.normal)
        };
        let moved = solid.drift * time;
        let at = Point3::new(hit.at.x - moved.x, hit.at.y - moved.y, hit.at.z);
        match &material.base {
            Base::Plain(colour) => look.albedo = *colour,
            Base::Screen => look.albedo = Rgb::new(0.012, 0.013, 0.016),
            Base::Cloth { colour, seed } => look.albedo = colour * cloth(at.x, at.y, side, *seed),
            Base::Skin(colour) => {
                let mottle =
                    1.0 + 0.10 * noise(at.x / 9.0, at.y / 9.0, 3) + 0.05 * noise(at.x / 2.2, at.y / 2.2, 4);
                look.albedo = Rgb::new(colour.x, colour.y * mottle, colour.z * mottle);
                look.wrap = 0.25;
            }
            Base::Wood { wood, grain } => look.albedo = self.wood_look(wood, *grain, hit, side),
            Base::Metal(colour) => {
                look.albedo = *colour;
                look.metal = true;
                if let Shape::Cylinder(c) = &solid.shape {
                    // Turned metal is brushed in circles.
                    let angle = (at.y - c.y).atan2(at.x - c.x);
                    let brushed = noise(angle * 40.0, length(at.x - c.x, at.y - c.y) / 0.8, 11);
                    look.albedo *= 1.0 + 0.04 * brushed;
                }
            }
            Base::Face { colour, grooves } => {
                look.albedo = *colour;
                if let (Shape::Cylinder(c), Part::Top) = (&solid.shape, hit.part) {
                    grooved(&mut look, Vector2::new(at.x - c.x, at.y - c.y), grooves);
                }
            }
            Base::Filled { rim, inside, inner_radius } => {
                look.albedo = *rim;
                if let (Shape::Cylinder(c), Part::Top) = (&solid.shape, hit.part)
                    && length(at.x - c.x, at.y - c.y) < *inner_radius
                {
                    look.albedo = *inside;
                }
            }
        }
        look
    }

    fn wood_look(&self, wood: &Wood, grain: Grain, hit: &Hit, side: f64) -> Rgb {
        let (x, y, z) = (hit.at.x, hit.at.y, hit.at.z);
        match grain {
            Grain::AlongX => wood.albedo(x, y + z, side),
            Grain::AlongY => wood.albedo(y, x + z, side),
            Grain::Mitred => {
                // How far out of the surface along x and along y decides which rail it is.
                let out = |p: f64, size: f64| (-p).max(p - size).max(0.0);
                let (dx, dy) = (out(x, self.size[0]), out(y, self.size[1]));
                let seam =
                    if dx > 0.0 && dy > 0.0 { (1.0 - (dx - dy).abs() / 0.6).clamp(0.0, 1.0) } else { 0.0 };
                let albedo = if dx > dy {
                    let rail = Wood { seed: wood.seed ^ 0x77, ..*wood };
                    rail.albedo(y, x + z, side)
                } else {
                    wood.albedo(x, y + z, side)
                };
                albedo * (1.0 - 0.45 * seam)
            }
        }
    }
}

/// Turned grooves bend the normal and keep light out.
fn grooved(look: &mut Look, from_axis: Vector2<f64>, grooves: &[[f64; 2]]) {
    let r = from_axis.norm();
    for [radius, width] in grooves {
        let across = (r - radius) / (width / 2.0);
        if across.abs() < 1.0 && r > 1e-9 {
            let slope = 0.8 * (across * std::f64::consts::PI).sin();
            let outward = from_axis / r;
            look.normal = Vector3::new(slope * outward.x, slope * outward.y, 1.0).normalize();
            look.open = 1.0 - 0.55 * (1.0 - across * across);
        }
    }
}

fn deep(z: f64) -> f64 {
    (1.0 + z / 30.0).clamp(0.05, 1.0)
}

/// A pocket's net over darkness.
fn net(at: Point3<f64>) -> Rgb {
    let thread = |v: f64| (v / 5.0 - (v / 5.0).round()).abs() * 5.0 < 0.5;
    if thread(at.x + at.y) || thread(at.x - at.y) { Rgb::repeat(0.035) } else { Rgb::repeat(0.004) }
}

/// A lamp as a mirror of this roughness shows it, before reflectance.
fn highlight(lamp: &Lamp, p: Point3<f64>, look: &Look, view: &Vector3<f64>) -> Rgb {
    let toward = lamp.at - p;
    let squared = toward.norm_squared();
    let direction = toward / squared.sqrt();
    let lit = look.normal.dot(&direction);
    if lit <= 0.0 {
        return Rgb::zeros();
    }
    let half = direction + view;
    let along = look.normal.dot(&half).max(0.0);
    let cosine_squared = along * along / half.norm_squared().max(1e-12);
    let alpha = look.roughness * look.roughness;
    // A large lamp makes a large highlight.
    let wide = (alpha * alpha + lamp.radius * lamp.radius / (4.0 * squared)).min(1.0);
    let spread = cosine_squared * (wide - 1.0) + 1.0;
    let facing = look.normal.dot(view).max(0.1);
    lamp.power * (wide / (4.0 * spread * spread) * (lit / (lit + 0.1)) / facing / squared)
}
