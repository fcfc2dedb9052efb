//! Random scenes: plausible photos of a board, for evaluation sets.
//!
//! A scene has two seeds: the rig's (board, wear, lens, pose: what a club has) and the photo's
//! (layout, light, exposure: what differs from shot to shot).

use nalgebra::{Point3, Rotation3, Vector3};

use crate::board::{Board, Colour, Make, PieceKind};
use crate::camera::Pose;
use crate::geometry::Point;

use super::dice::Dice;
use super::layout::random_pieces;
use super::scene::*;
use super::view::{Region, fitting_focal_px, looking_pose, looking_rotation, region_of_play};

/// How a photo is taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum View {
    /// A camera fixed above the board.
    Overhead,
    /// A phone in the hand, at 20 to 45 degrees.
    Phone,
}

impl View {
    pub fn name(self) -> &'static str {
        match self {
            View::Overhead => "overhead",
            View::Phone => "phone",
        }
    }
}

const RIG: u64 = 1;
const LAYOUT: u64 = 2;
const LIGHT: u64 = 3;
const RAILS: u64 = 4;

/// A scene of its own rig.
pub fn random_scene(board: &Board, view: View, seed: u64) -> SceneFile {
    random_scene_on_rig(board, view, seed, seed)
}

/// A scene of the rig of `rig_seed`: the same camera if it is a fixed one, the same board.
pub fn random_scene_on_rig(board: &Board, view: View, rig_seed: u64, seed: u64) -> SceneFile {
    let mut scene = empty_rig(board, view, rig_seed);
    if view == View::Phone {
        scene.camera = phone_camera(board, &mut Dice::new(seed, RIG));
    }
    let mut dice = Dice::new(seed, LAYOUT);
    scene.pieces = random_pieces(board, &mut dice);
    dress(board, &mut scene.pieces, rig_seed);
    let mut dice = Dice::new(seed, LIGHT);
    scene.light = random_light(board, &mut dice);
    scene.picture = random_picture(view, &mut dice);
    scene.objects = clutter(board, &scene.pieces, &mut dice);
    scene.seed = seed;
    scene
}

/// The empty board of a rig, in plain light.
pub fn empty_rig(board: &Board, view: View, rig_seed: u64) -> SceneFile {
    let mut dice = Dice::new(rig_seed, RIG);
    let mut scene = SceneFile::of_board(board.id.clone());
    scene.category = Some(format!("{}-{}", board.id, view.name()));
    scene.seed = rig_seed;
    scene.camera = match view {
        View::Overhead => overhead_camera(board, &mut dice),
        View::Phone => phone_camera(board, &mut dice),
    };
    scene.look = random_look(board, &mut dice);
    scene.look.rails = other_rails(&mut Dice::new(rig_seed, RAILS));
    let mut dice = Dice::new(rig_seed, LIGHT);
    scene.light = random_light(board, &mut dice);
    scene.light.shadow_band = None;
    scene.picture = random_picture(view, &mut dice);
    scene.picture.exposure = scene.picture.exposure.max(0.75);
    scene.picture.noise = scene.picture.noise.min(1.2);
    scene
}

fn overhead_camera(board: &Board, dice: &mut Dice) -> CameraPart {
    let region = region_of_play(board);
    let image_size = if board.is_two_ended() || dice.chance(0.5) { [1920, 1080] } else { [1440, 1440] };
    let quarter = if board.is_two_ended() { [90.0, 270.0] } else { [0.0, 90.0] }[dice.index(2)];
    let (tilt_deg, turn_deg) = (dice.between(0.0, 1.8), dice.between(0.0, 360.0));
    // Turning about the vertical and rolling back leaves the tilt in a random direction.
    let roll_deg = quarter - turn_deg + dice.bell(1.2);
    let middle = region.middle();
    let look_at = [middle.x + dice.bell(8.0), middle.y + dice.bell(8.0)];
    let height_mm = dice.between(1500.0, 2200.0);
    let pose = looking_pose(
        looking_rotation(tilt_deg, turn_deg, roll_deg),
        height_mm,
        nalgebra::Point2::from(look_at),
    );
    let focal_px = fitting_focal_px(&pose, image_size, &region) * dice.between(0.93, 1.0);
    let k1 = dice.between(-0.12, 0.06);
    Aim { height_mm, look_at, tilt_deg, turn_deg, roll_deg, focal_px }.with_lens(image_size, k1, dice)
}

fn phone_camera(board: &Board, dice: &mut Dice) -> CameraPart {
    let region = region_of_play(board);
    let image_size = if dice.chance(0.3) { [1512, 2016] } else { [2016, 1512] };
    let tilt_deg = dice.between(20.0, 45.0);
    let (turn_deg, roll_deg) = (dice.between(0.0, 360.0), dice.bell(3.0));
    let focal_px = dice.between(1430.0, 1680.0);
    let wanted = focal_px / dice.between(0.86, 1.0);
    let rotation = looking_rotation(tilt_deg, turn_deg, roll_deg);
    let mut look_at = region.middle();
    let mut height_mm = PHONE_HEIGHTS_MM[1];
    // Aiming changes the height that fits, and the height the aim: both settle within a few rounds.
    for _ in 0..5 {
        height_mm = fitting_height_mm(rotation, look_at, image_size, &region, wanted);
        let pose = looking_pose(rotation, height_mm, look_at);
        look_at = centring_aim(&pose, &region).unwrap_or(look_at);
    }
    let look_at = [look_at.x + dice.bell(8.0), look_at.y + dice.bell(8.0)];
    let k1 = dice.between(-0.06, 0.08);
    Aim { height_mm, look_at, tilt_deg, turn_deg, roll_deg, focal_px }.with_lens(image_size, k1, dice)
}

const PHONE_HEIGHTS_MM: [f64; 2] = [250.0, 6000.0];

/// The height from which a lens of focal length `wanted` just shows the region: the nearer the
/// camera, the shorter the lens must be.
pub(super) fn fitting_height_mm(
    rotation: Rotation3<f64>,
    look_at: Point,
    image_size: [u32; 2],
    region: &Region,
    wanted: f64,
) -> f64 {
    let [mut low, mut high] = PHONE_HEIGHTS_MM;
    for _ in 0..40 {
        let middle = (low + high) / 2.0;
        let pose = looking_pose(rotation, middle, look_at);
        if fitting_focal_px(&pose, image_size, region) < wanted {
            low = middle;
        } else {
            high = middle;
        }
    }
    high
}

/// The place to look at so that the region's image comes to lie in the middle of the picture.
pub(super) fn centring_aim(pose: &Pose, region: &Region) -> Option<Point> {
    let (mut low, mut high) = ([f64::INFINITY; 2], [f64::NEG_INFINITY; 2]);
    for (x, y) in [
        (region.from.x, region.from.y),
        (region.to.x, region.from.y),
        (region.from.x, region.to.y),
        (region.to.x, region.to.y),
    ] {
        let c = pose.camera_from_board(Point3::new(x, y, 0.0));
        if c.z < 1.0 {
            return None;
        }
        for (i, ray) in [c.x / c.z, c.y / c.z].into_iter().enumerate() {
            low[i] = low[i].min(ray);
            high[i] = high[i].max(ray);
        }
    }
    let middle = Vector3::new((low[0] + high[0]) / 2.0, (low[1] + high[1]) / 2.0, 1.0);
    let ray = pose.rotation.inverse() * middle;
    let centre = pose.centre_mm();
    (ray.z < 0.0)
        .then(|| Point::new(centre.x - ray.x * centre.z / ray.z, centre.y - ray.y * centre.z / ray.z))
}

/// Where a camera hangs, and where it looks.
pub(super) struct Aim {
    pub height_mm: f64,
    pub look_at: [f64; 2],
    pub tilt_deg: f64,
    pub turn_deg: f64,
    pub roll_deg: f64,
    pub focal_px: f64,
}

impl Aim {
    /// The camera with a lens whose first coefficient is given and whose others are drawn.
    pub fn with_lens(self, image_size: [u32; 2], k1: f64, dice: &mut Dice) -> CameraPart {
        let middle = image_size.map(|side| (f64::from(side) - 1.0) / 2.0);
        CameraPart {
            image_size: Some(image_size),
            height_mm: Some(self.height_mm),
            look_at: Some(self.look_at),
            tilt_deg: Some(self.tilt_deg),
            turn_deg: Some(self.turn_deg),
            roll_deg: Some(self.roll_deg),
            focal_px: Some(self.focal_px),
            principal_point: Some(middle.map(|m| m + dice.bell(3.0))),
            k1: Some(k1),
            k2: Some(-0.3 * k1 * dice.between(0.0, 1.0)),
            p1: Some(dice.bell(0.0003)),
            p2: Some(dice.bell(0.0003)),
            ..CameraPart::default()
        }
    }
}

pub(super) fn random_look(board: &Board, dice: &mut Dice) -> LookPart {
    let mut look = LookPart {
        wood: Some(tinted(board.surface.colour, 0.12, 0.05, dice).to_string()),
        grain: dice.between(0.5, 1.5),
        wear: if dice.chance(0.2) { 0.0 } else { dice.between(0.05, 0.6) },
        gloss: dice.between(0.15, 0.65),
        numerals: (!board.numerals.is_empty()).then(|| dice.chance(0.5)),
        floor: dice.weighted(&[(Floor::Wood, 2.0), (Floor::Cloth, 1.0), (Floor::Stone, 1.0)], Floor::Wood),
        ..LookPart::default()
    };
    if board.is_two_ended() && dice.chance(0.25) {
        look.strip_mm = dice.between(28.0, 60.0);
    }
    let floors = match look.floor {
        Floor::Wood => [Colour([92, 72, 58]), Colour([150, 116, 84]), Colour([60, 44, 36])],
        Floor::Cloth => [Colour([120, 124, 112]), Colour([70, 80, 98]), Colour([96, 60, 54])],
        Floor::Stone => [Colour([132, 134, 138]), Colour([78, 80, 84]), Colour([176, 172, 164])],
    };
    look.floor_colour = dice.pick(&floors).map(|colour| tinted(*colour, 0.15, 0.04, dice).to_string());
    if dice.chance(0.5) {
        for line in &board.lines {
            let key = offset_key(&line.name, line.end);
            look.paint_offsets_mm.insert(key, [dice.bell(0.06), dice.bell(0.06)]);
        }
    }
    look
}

/// Every other board has rails as its maker likes them: light and dark woods, paint, cloth.
fn other_rails(dice: &mut Dice) -> Option<String> {
    let colours = [
        Colour([206, 172, 128]),
        Colour([164, 122, 78]),
        Colour([72, 46, 36]),
        Colour([34, 33, 34]),
        Colour([224, 220, 212]),
        Colour([116, 48, 36]),
        Colour([34, 78, 58]),
        Colour([44, 62, 112]),
    ];
    let is_as_drawn = dice.chance(0.5);
    let colour = dice.pick(&colours).map(|colour| tinted(*colour, 0.2, 0.05, dice).to_string());
    colour.filter(|_| !is_as_drawn)
}

/// A colour made lighter or darker by a share, and its channels apart by another.
pub(super) fn tinted(colour: Colour, brightness: f64, hue: f64, dice: &mut Dice) -> Colour {
    let level = 1.0 + dice.between(-brightness, brightness);
    Colour(
        colour.0.map(|v| {
            (f64::from(v) * level * (1.0 + dice.between(-hue, hue))).round().clamp(0.0, 255.0) as u8
        }),
    )
}

/// Makes, rims and colours: a club's set is of one make.
pub(super) fn dress(board: &Board, pieces: &mut [PiecePart], rig_seed: u64) {
    let dice = &mut Dice::new(rig_seed, LAYOUT);
    let draw = dice.between(0.0, 1.0);
    let (rim, base_rim) = (dice.between(0.8, 1.2), dice.between(0.1, 0.5));
    let cap_share = dice.between(0.72, 0.82);
    let paints: Vec<(String, Colour)> =
        board.pieces.iter().map(|kind| (kind.name.clone(), tinted(kind.colour, 0.10, 0.05, dice))).collect();
    for piece in pieces {
        let Some(kind) = board.piece(&piece.colour) else { continue };
        let make = make_of(kind, draw);
        piece.make = Some(make);
        piece.rim_mm = Some(kind.rim_mm * rim);
        piece.base_rim_mm = Some(kind.rim_mm * rim * base_rim);
        if make == MakePart::Cap {
            piece.cap_diameter_mm = Some(kind.diameter_mm * cap_share);
        }
        piece.paint = paints.iter().find(|(name, _)| *name == piece.colour).map(|(_, c)| c.to_string());
    }
}

/// The make of a set's pieces, from one draw: tall weights have caps, flat men have rings.
fn make_of(kind: &PieceKind, draw: f64) -> MakePart {
    match kind.make {
        Make::Plain => return MakePart::Plain,
        Make::Groove => return MakePart::Groove,
        Make::Cap { .. } => return MakePart::Cap,
        Make::Any => {}
    }
    let (plain, groove, third) = if kind.diameter_mm > 45.0 {
        (0.2, 0.4, MakePart::Cap)
    } else if kind.height_mm > 10.0 {
        (0.35, 0.7, MakePart::Cap)
    } else {
        (0.3, 0.65, MakePart::Rings)
    };
    if draw < plain {
        MakePart::Plain
    } else if draw < groove {
        MakePart::Groove
    } else {
        third
    }
}

pub(super) fn random_light(board: &Board, dice: &mut Dice) -> LightPart {
    let middle = region_of_play(board).middle();
    let count = if dice.chance(0.35) { 2 } else { 1 };
    let lamps = (0..count)
        .map(|index| {
            let (angle, aside) = (dice.between(0.0, std::f64::consts::TAU), dice.between(300.0, 1300.0));
            LampPart {
                x_mm: middle.x + aside * angle.cos(),
                y_mm: middle.y + aside * angle.sin(),
                z_mm: dice.between(1400.0, 2600.0),
                radius_mm: dice.between(50.0, 350.0),
                strength: if index == 0 { 1.0 } else { dice.between(0.3, 0.8) },
                colour: None,
            }
        })
        .collect();
    let shadow_band = dice.chance(0.06).then(|| ShadowBand {
        x_mm: middle.x,
        y_mm: middle.y + dice.bell(80.0),
        angle_deg: dice.between(-60.0, 60.0),
        width_mm: dice.between(60.0, 160.0),
        height_mm: dice.between(60.0, 280.0),
    });
    LightPart { lamps, ambient: dice.between(0.3, 0.65), shadow_band }
}

pub(super) fn random_picture(view: View, dice: &mut Dice) -> PicturePart {
    let warm = dice.between(-0.12, 0.18);
    let dim = dice.chance(0.08);
    let shake = if view == View::Phone { dice.bell(0.3) } else { 0.0 };
    let shake_angle = dice.between(0.0, std::f64::consts::TAU);
    PicturePart {
        exposure: if dim { dice.between(0.18, 0.35) } else { dice.between(0.65, 1.02) },
        cast: [1.0 + warm, 1.0 + dice.bell(0.015), 1.0 - warm],
        vignette: dice.between(0.0, 0.25),
        defocus_px: if view == View::Phone { dice.between(0.5, 1.1) } else { dice.between(0.45, 0.9) },
        shake_px: [shake * shake_angle.cos(), shake * shake_angle.sin()],
        noise: if dim { dice.between(1.5, 2.5) } else { dice.between(0.4, 1.4) },
        noise_seed: 0,
        exposure_secs: 1.0 / 60.0,
        jpeg_quality: dice.between(86.0, 95.0) as u8,
    }
}

/// Now and then a thing that is no piece lies about; never over a piece.
fn clutter(board: &Board, pieces: &[PiecePart], dice: &mut Dice) -> Vec<ObjectPart> {
    if !dice.chance(0.08) {
        return Vec::new();
    }
    let region = region_of_play(board);
    let small = [ObjectKind::Coin, ObjectKind::Sticker, ObjectKind::Button];
    let mut objects = Vec::new();
    for _ in 0..1 + dice.index(2) {
        let kind = small[dice.index(small.len())];
        let (x_mm, y_mm) = (
            dice.between(30.0, board.surface.width_mm - 30.0),
            dice.between(region.from.y.max(0.0) + 30.0, region.to.y - 60.0),
        );
        let free = pieces.iter().all(|piece| (piece.x_mm - x_mm).hypot(piece.y_mm - y_mm) > 75.0);
        if free {
            let diameter_mm = Some(match kind {
                ObjectKind::Coin => dice.between(17.0, 26.0),
                ObjectKind::Button => dice.between(12.0, 22.0),
                _ => dice.between(15.0, 24.0),
            });
            objects.push(ObjectPart {
                kind,
                x_mm,
                y_mm,
                z_mm: None,
                angle_deg: 0.0,
                diameter_mm,
                colour: None,
                sleeve: None,
            });
        }
    }
    if dice.chance(0.5) {
        let (kind, beside) =
            if dice.chance(0.5) { (ObjectKind::Cup, 120.0) } else { (ObjectKind::Phone, 140.0) };
        let side = if dice.chance(0.5) { -beside } else { board.surface.width_mm + beside };
        objects.push(ObjectPart {
            kind,
            x_mm: side,
            y_mm: dice.between(region.from.y, region.to.y),
            z_mm: None,
            angle_deg: dice.between(0.0, 360.0),
            diameter_mm: None,
            colour: None,
            sleeve: None,
        });
    }
    objects
}
