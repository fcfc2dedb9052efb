//! The board's body and the pieces as solids: rails, frames, banks, gutters, slab; plain, grooved
//! and capped pieces.

use nalgebra::{Point3, Vector2};

use crate::board::{Board, BoardSide, Colour, EndKind};

use super::load::{Piece, Scene};
use super::scene::MakePart;
use super::shapes::{Block, Cylinder};
use super::texture::{Rgb, Wood, linear};
use super::world::{Base, Grain, Material, SLAB_MM, Shape, Solid};

const GUTTER_WIDTH_MM: f64 = 150.0;
const GUTTER_DEPTH_MM: f64 = 80.0;
const CRADLE_WIDTH_MM: f64 = 35.0;
/// How far the cradle stands above the surface beyond gutters of the board's own.
const CRADLE_RISE_MM: f64 = 12.0;
const RAIL_ROUNDING_MM: f64 = 1.5;
/// A cap stands this share of the piece's height above its metal ring.
const CAP_PROUD_SHARE: f64 = 0.12;
/// Pieces are handled: their faces are scuffed, and lamps show as soft glows.
const PLASTIC_ROUGHNESS: f64 = 0.42;
const METAL_ROUGHNESS: f64 = 0.55;

/// Rails, frames, banks, gutters and the body of the board.
pub fn add_body(scene: &Scene, surface: &Wood, solids: &mut Vec<Solid>) {
    let board = &scene.board;
    let [width, length] = [board.surface.width_mm, board.surface.length_mm];
    let reach = |side| board.rails.iter().filter(|r| r.side == side).map(|r| r.width_mm).fold(0.0, f64::max);
    let (left, right) = (reach(BoardSide::Left), reach(BoardSide::Right));
    let (near, far) = (reach(BoardSide::Near), reach(BoardSide::Far));
    let mut fixed = |block: Block, material: Material, is_below: bool| {
        solids.push(Solid {
            shape: Shape::Block(block),
            material,
            drift: Vector2::zeros(),
            piece: None,
            is_below,
        });
    };
    let body = Wood { colour: surface.colour * 0.8, strip_mm: 0.0, seed: surface.seed ^ 0xB0D1, ..*surface };
    let raw = |wood: Wood, grain| Material { base: Base::Wood { wood, grain }, gloss: 0.25, roughness: 0.4 };
    // The plank is as thick as the gutters beside it are deep, so that they show its side.
    let slab_mm = board.gutters.iter().map(|gutter| gutter.depth_mm).fold(SLAB_MM, f64::max);
    fixed(
        Block::upright(
            Point3::new(-left, -near, -slab_mm),
            Point3::new(width + right, length + far, 0.0),
            0.0,
        ),
        raw(body, if length > width { Grain::AlongY } else { Grain::AlongX }),
        true,
    );
    let framed = near > 0.0 && far > 0.0 && left > 0.0 && right > 0.0;
    let other_rails: Option<Colour> = scene.file.look.rails.as_deref().and_then(|text| text.parse().ok());
    for (index, rail) in board.rails.iter().enumerate() {
        let w = rail.width_mm;
        let (from, to, along) = match rail.side {
            BoardSide::Left => ([-w, 0.0], [0.0, length], Grain::AlongY),
            BoardSide::Right => ([width, 0.0], [width + w, length], Grain::AlongY),
            BoardSide::Near => ([-left, -w], [width + right, 0.0], Grain::AlongX),
            BoardSide::Far => ([-left, length], [width + right, length + w], Grain::AlongX),
        };
        let colour = other_rails.unwrap_or(rail.colour);
        let wood = Wood {
            colour: linear(colour),
            contrast: 1.6,
            strip_mm: 0.0,
            seed: surface.seed ^ (0x4A11 + index as u32),
        };
        // Wood is redder than it is green; anything else is cloth on a cushion.
        let [r, g, _] = colour.0;
        let material = if let Some(gloss) = scene.dress.lacquer {
            let grain = if framed { Grain::Mitred } else { along };
            Material { base: Base::Wood { wood, grain }, gloss, roughness: 0.28 }
        } else if g > r {
            Material {
                base: Base::Cloth { colour: wood.colour, seed: wood.seed },
                gloss: 0.05,
                roughness: 0.7,
            }
        } else {
            raw(wood, if framed { Grain::Mitred } else { along })
        };
        let rounding_mm = rail.rounding_mm.unwrap_or(RAIL_ROUNDING_MM);
        // Rails that meet in a corner would show a rounded edge inside the joint.
        let lap = if framed && along == Grain::AlongY { rounding_mm } else { 0.0 };
        let block = Block::upright(
            Point3::new(from[0], from[1] - lap, -SLAB_MM),
            Point3::new(to[0], to[1] + lap, rail.height_mm),
            rounding_mm,
        );
        fixed(block, material, false);
    }
    if !board.gutters.is_empty() {
        add_gutters(board, surface, &mut fixed);
    } else if board.surface.ends == EndKind::Gutter {
        let high = board.rails.iter().map(|r| r.height_mm).fold(0.0, f64::max);
        let (x0, x1) = (-left - CRADLE_WIDTH_MM, width + right + CRADLE_WIDTH_MM);
        let (y0, y1) = (-near - GUTTER_WIDTH_MM, length + far + GUTTER_WIDTH_MM);
        let dark = Material {
            base: Base::Cloth { colour: Rgb::new(0.012, 0.012, 0.014), seed: surface.seed ^ 0xDA },
            gloss: 0.02,
            roughness: 0.8,
        };
        fixed(
            Block::upright(
                Point3::new(x0, y0, -GUTTER_DEPTH_MM - 40.0),
                Point3::new(x1, y1, -GUTTER_DEPTH_MM),
                0.0,
            ),
            dark,
            true,
        );
        let cradle = Wood {
            colour: Rgb::new(0.30, 0.14, 0.07),
            contrast: 1.5,
            strip_mm: 0.0,
            seed: surface.seed ^ 0xCAD1,
        };
        let w = CRADLE_WIDTH_MM;
        let walls = [
            ([x0, y0], [x0 + w, y1], Grain::AlongY),
            ([x1 - w, y0], [x1, y1], Grain::AlongY),
            ([x0 + w, y0 - w], [x1 - w, y0], Grain::AlongX),
            ([x0 + w, y1], [x1 - w, y1 + w], Grain::AlongX),
        ];
        for (from, to, grain) in walls {
            let block = Block::upright(
                Point3::new(from[0], from[1], -GUTTER_DEPTH_MM - 40.0),
                Point3::new(to[0], to[1], high),
                RAIL_ROUNDING_MM,
            );
            fixed(block, raw(cradle, grain), false);
        }
    }
}

/// Sunken strips with carpet as the board has them, and the cradle's walls beyond.
fn add_gutters(board: &Board, surface: &Wood, fixed: &mut impl FnMut(Block, Material, bool)) {
    let [width, length] = [board.surface.width_mm, board.surface.length_mm];
    let wide = |side| board.gutters.iter().filter(|g| g.side == side).map(|g| g.width_mm).fold(0.0, f64::max);
    let (left, right) = (wide(BoardSide::Left), wide(BoardSide::Right));
    let (near, far) = (wide(BoardSide::Near), wide(BoardSide::Far));
    for gutter in &board.gutters {
        let carpet = Base::Cloth { colour: linear(gutter.colour), seed: surface.seed ^ 0xCA47 };
        let carpet = Material { base: carpet, gloss: 0.02, roughness: 0.8 };
        let black = Base::Plain(Rgb::new(0.02, 0.019, 0.02));
        let wall = Material { base: black, gloss: 0.6, roughness: 0.35 };
        let (g, w, floor) = (gutter.width_mm, CRADLE_WIDTH_MM, -gutter.depth_mm);
        // Sides run past the ends, so that corners belong to one strip each.
        let (y0, y1) = (-near, length + far);
        let (x0, x1) = (-left - w, width + right + w);
        let (strip, edge) = match gutter.side {
            BoardSide::Left => ([-g, y0, 0.0, y1], [-g - w, y0, -g, y1]),
            BoardSide::Right => ([width, y0, width + g, y1], [width + g, y0, width + g + w, y1]),
            BoardSide::Near => ([0.0, -g, width, 0.0], [x0, -g - w, x1, -g]),
            BoardSide::Far => ([0.0, length, width, length + g], [x0, length + g, x1, length + g + w]),
        };
        for ([x0, y0, x1, y1], top, material) in [(strip, floor, carpet), (edge, CRADLE_RISE_MM, wall)] {
            let (low, high) = (Point3::new(x0, y0, floor - 40.0), Point3::new(x1, y1, top));
            let rounding = if top > floor { RAIL_ROUNDING_MM } else { 0.0 };
            fixed(Block::upright(low, high, rounding), material, top <= floor);
        }
    }
}

pub fn add_piece(piece: &Piece, index: usize, exposure_secs: f64, solids: &mut Vec<Solid>) {
    let drift = Vector2::from(piece.velocity_mm_s) * exposure_secs;
    let colour = linear(piece.paint);
    let body = Cylinder {
        x: piece.x_mm,
        y: piece.y_mm,
        base: piece.z_mm,
        top: piece.z_mm + piece.height_mm,
        radius: piece.radius_mm,
        top_rim: piece.rim_mm,
        base_rim: piece.base_rim_mm,
    };
    let mut push = |cylinder: Cylinder, base: Base, roughness: f64| {
        solids.push(Solid {
            shape: Shape::Cylinder(cylinder),
            material: Material { base, gloss: 0.7, roughness },
            drift,
            piece: Some(index),
            is_below: false,
        });
    };
    let r = piece.radius_mm;
    let face = |grooves: Vec<[f64; 2]>| Base::Face { colour, grooves };
    match piece.make {
        MakePart::Plain => push(body, face(Vec::new()), PLASTIC_ROUGHNESS),
        MakePart::Groove => push(body, face(vec![[0.55 * r, 0.07 * r]]), PLASTIC_ROUGHNESS),
        MakePart::Rings => {
            push(
                body,
                face(vec![[0.22 * r, 0.06 * r], [0.46 * r, 0.06 * r], [0.70 * r, 0.06 * r]]),
                PLASTIC_ROUGHNESS,
            );
        }
        MakePart::Cap => {
            let ring_top = body.top - CAP_PROUD_SHARE * piece.height_mm;
            let rim = piece.rim_mm.min(0.4 * (ring_top - body.base));
            push(
                Cylinder { top: ring_top, top_rim: rim, ..body },
                Base::Metal(Rgb::new(0.56, 0.56, 0.58)),
                METAL_ROUGHNESS,
            );
            let cap = Cylinder {
                base: ring_top - 0.5 * piece.height_mm,
                radius: piece.cap_radius_mm,
                top_rim: (0.4 * CAP_PROUD_SHARE * piece.height_mm).min(0.4 * piece.cap_radius_mm),
                base_rim: 0.0,
                ..body
            };
            push(cap, face(Vec::new()), PLASTIC_ROUGHNESS);
        }
    }
}
