//! Things that are no pieces: hands, heads, cups, coins, stickers, phones, buttons.

use nalgebra::{Point3, Vector2, Vector3};

use super::blob::{Blob, RoundCone};
use super::scene::{ObjectKind, ObjectPart};
use super::shapes::{Block, Cylinder};
use super::texture::{Rgb, linear};
use super::world::{Base, Material, Shape, Solid};

/// Longer than any board is wide.
const BEAM_MM: f64 = 1800.0;
const KNOB_MM: f64 = 14.0;

pub fn add(object: &ObjectPart, ground_z: f64, seed: u32, solids: &mut Vec<Solid>) {
    let z = object.z_mm.unwrap_or(ground_z);
    let colour =
        |default: Rgb| object.colour.as_deref().and_then(|text| text.parse().ok()).map_or(default, linear);
    let mut push = |shape: Shape, base: Base, gloss: f64, roughness: f64| {
        let material = Material { base, gloss, roughness };
        solids.push(Solid { shape, material, drift: Vector2::zeros(), piece: None, is_below: false });
    };
    let disc = |diameter: f64, height: f64, rim: f64| Cylinder {
        x: object.x_mm,
        y: object.y_mm,
        base: z,
        top: z + height,
        radius: diameter / 2.0,
        top_rim: rim,
        base_rim: rim.min(0.3),
    };
    match object.kind {
        ObjectKind::Coin => {
            let coin = disc(object.diameter_mm.unwrap_or(23.25), 2.0, 0.3);
            let grooves =
                vec![[coin.radius * 0.84, coin.radius * 0.06], [coin.radius * 0.38, coin.radius * 0.3]];
            let metal = colour(Rgb::new(0.45, 0.30, 0.12));
            push(Shape::Cylinder(coin), Base::Face { colour: metal, grooves }, 0.9, 0.5);
        }
        ObjectKind::Sticker => {
            let sticker = disc(object.diameter_mm.unwrap_or(30.0), 0.15, 0.0);
            push(Shape::Cylinder(sticker), Base::Plain(colour(Rgb::new(0.62, 0.05, 0.06))), 0.4, 0.4);
        }
        ObjectKind::Button => {
            let button = disc(object.diameter_mm.unwrap_or(21.0), 3.5, 1.2);
            let grooves = vec![[button.radius * 0.6, button.radius * 0.12]];
            push(
                Shape::Cylinder(button),
                Base::Face { colour: colour(Rgb::new(0.5, 0.06, 0.05)), grooves },
                0.8,
                0.3,
            );
        }
        ObjectKind::Cup => {
            let radius = object.diameter_mm.unwrap_or(80.0) / 2.0;
            let china = colour(Rgb::new(0.78, 0.77, 0.74));
            let cup = disc(2.0 * radius, 95.0, 1.5);
            let inside = Rgb::new(0.035, 0.016, 0.008);
            push(
                Shape::Cylinder(cup),
                Base::Filled { rim: china, inside, inner_radius: radius - 4.0 },
                1.0,
                0.15,
            );
            let (sin, cos) = object.angle_deg.to_radians().sin_cos();
            let at =
                |out: f64, up: f64| Point3::new(object.x_mm + cos * out, object.y_mm + sin * out, z + up);
            let bow = [
                at(radius - 2.0, 78.0),
                at(radius + 22.0, 74.0),
                at(radius + 27.0, 48.0),
                at(radius - 2.0, 22.0),
            ];
            let cones = bow
                .windows(2)
                .map(|pair| RoundCone { from: pair[0], to: pair[1], from_radius: 5.0, to_radius: 5.0 })
                .collect();
            push(Shape::Blob(Blob::new(cones, 4.0)), Base::Plain(china), 1.0, 0.15);
        }
        ObjectKind::Phone => {
            let (sin, cos) = object.angle_deg.to_radians().sin_cos();
            let long = object.diameter_mm.unwrap_or(147.0);
            let half = Vector3::new(long / 2.0, long * 0.245, 4.0);
            let body = Block {
                middle: Point3::new(object.x_mm, object.y_mm, z + 4.0),
                half,
                turn: [cos, sin],
                rounding: 3.0,
            };
            push(Shape::Block(body), Base::Plain(colour(Rgb::new(0.03, 0.03, 0.035))), 1.0, 0.25);
            let glass = Block {
                middle: Point3::new(object.x_mm, object.y_mm, z + 7.0),
                half: Vector3::new(half.x - 3.5, half.y - 3.5, 1.2),
                rounding: 0.4,
                ..body
            };
            push(Shape::Block(glass), Base::Screen, 1.6, 0.06);
        }
        ObjectKind::Head => {
            let radius = object.diameter_mm.unwrap_or(185.0) / 2.0;
            let (sin, cos) = object.angle_deg.to_radians().sin_cos();
            let at = |along: f64, up: f64| {
                Point3::new(object.x_mm + cos * along, object.y_mm + sin * along, z + up)
            };
            let round = |from, to, from_radius, to_radius| RoundCone { from, to, from_radius, to_radius };
            let hair =
                Blob::new(vec![round(at(-15.0, radius), at(20.0, radius), radius, 0.92 * radius)], 0.0);
            let back =
                Blob::new(vec![round(at(-150.0, 0.6 * radius), at(-500.0, 0.4 * radius), 150.0, 190.0)], 0.0);
            push(Shape::Blob(hair), Base::Plain(colour(Rgb::new(0.02, 0.015, 0.012))), 0.3, 0.6);
            let cloth = object.sleeve.as_deref().and_then(|text| text.parse().ok());
            let cloth = cloth.map_or(Rgb::new(0.05, 0.07, 0.12), linear);
            push(Shape::Blob(back), Base::Cloth { colour: cloth, seed }, 0.05, 0.8);
        }
        ObjectKind::Beam => {
            let (sin, cos) = object.angle_deg.to_radians().sin_cos();
            let thick = object.diameter_mm.unwrap_or(30.0);
            let body = Block {
                middle: Point3::new(object.x_mm, object.y_mm, z + thick / 2.0),
                half: Vector3::new(BEAM_MM / 2.0, thick / 2.0, thick / 2.0),
                turn: [cos, sin],
                rounding: 1.0,
            };
            push(Shape::Block(body), Base::Plain(colour(Rgb::new(0.02, 0.02, 0.022))), 0.9, 0.35);
        }
        ObjectKind::Knob => {
            let knob = disc(object.diameter_mm.unwrap_or(30.0), KNOB_MM, 1.0);
            let grooves = vec![[knob.radius * 0.35, knob.radius * 0.2]];
            let metal = colour(Rgb::new(0.05, 0.05, 0.055));
            push(Shape::Cylinder(knob), Base::Face { colour: metal, grooves }, 0.9, 0.4);
        }
        ObjectKind::Hand => {
            let skin = colour(Rgb::new(0.50, 0.26, 0.17));
            let (hand, sleeve) = hand(object, z);
            let said = object.sleeve.as_deref().and_then(|text| text.parse().ok());
            let sleeve_colour = said.map_or(Rgb::new(0.05, 0.07, 0.12), linear);
            push(Shape::Blob(hand), Base::Skin(skin), 0.5, 0.5);
            let cloth = Base::Cloth { colour: sleeve_colour, seed };
            push(Shape::Blob(sleeve), cloth, 0.05, 0.8);
        }
    }
}

/// A hand laid flat with spread fingers and its forearm in a sleeve. Plan: x along the fingers,
/// the palm's middle at the origin.
fn hand(object: &ObjectPart, z: f64) -> (Blob, Blob) {
    let (sin, cos) = object.angle_deg.to_radians().sin_cos();
    let scale = object.diameter_mm.map_or(1.0, |width| width / 84.0);
    let at = |x: f64, y: f64, up: f64| {
        let (x, y) = (x * scale, y * scale);
        Point3::new(object.x_mm + cos * x - sin * y, object.y_mm + sin * x + cos * y, z + up * scale)
    };
    let bone = |from: Point3<f64>, to: Point3<f64>, from_radius: f64, to_radius: f64| RoundCone {
        from,
        to,
        from_radius: from_radius * scale,
        to_radius: to_radius * scale,
    };
    // Root and tip of each finger, and the radii there.
    let fingers = [
        ([38.0, 30.0], [98.0, 44.0], 10.0, 7.6),
        ([44.0, 10.0], [116.0, 14.0], 10.5, 7.8),
        ([42.0, -11.0], [108.0, -16.0], 10.0, 7.4),
        ([34.0, -30.0], [86.0, -44.0], 9.0, 6.6),
    ];
    let mut cones = Vec::new();
    for ([rx, ry], [tx, ty], root, tip) in fingers {
        let (kx, ky) = (rx + 0.52 * (tx - rx), ry + 0.52 * (ty - ry));
        let middle = (root + tip) / 2.0;
        cones.push(bone(at(rx, ry, 17.0), at(kx, ky, 24.0), root, middle));
        cones.push(bone(at(kx, ky, 24.0), at(tx, ty, tip), middle, tip));
        cones.push(bone(at(-42.0, 0.55 * ry, 24.0), at(rx, ry, 18.0), 15.0, 12.5));
    }
    cones.push(bone(at(-28.0, 30.0, 20.0), at(14.0, 52.0, 15.0), 14.0, 11.0));
    cones.push(bone(at(14.0, 52.0, 15.0), at(48.0, 64.0, 9.0), 11.0, 8.0));
    cones.push(bone(at(-45.0, 0.0, 26.0), at(-130.0, 0.0, 38.0), 25.0, 27.0));
    // Long enough that an arm over the board never ends there.
    let elbow = at(-440.0, 0.0, 72.0);
    let sleeve =
        vec![bone(at(-118.0, 0.0, 38.0), elbow, 35.0, 45.0), bone(elbow, at(-800.0, 0.0, 110.0), 45.0, 52.0)];
    (Blob::new(cones, 9.0 * scale), Blob::new(sleeve, 0.0))
}
