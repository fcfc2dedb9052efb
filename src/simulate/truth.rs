//! What is true of a scene, as JSON beside its photo: where every piece lies, what it touches,
//! what it scores, and where it is seen.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use crate::board::{Board, BoardSide, End, LineRole};
use crate::calls::{self, CallOptions, PaintEdge, PieceState, Sighting};
use crate::geometry::{Disc, Paint, Point};

use super::load::{Piece, Scene};
use super::paint::{displaced, paint_offset_mm};
use super::render::Renderer;
use super::scene::{Extrinsics, ObjectKind, ObjectPart};

/// The truth file. Fields beyond these may be added, none is renamed.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Truth {
    pub category: String,
    pub board: String,
    pub numerals: bool,
    pub empty: bool,
    pub calibration_image: Option<String>,
    pub image_size: [u32; 2],
    pub intrinsics: crate::camera::Lens,
    pub extrinsics: Extrinsics,
    pub pixel_convention: String,
    pub pieces: Vec<PieceTruth>,
    pub tally: Option<Map<String, Value>>,
    pub foreign_objects: Vec<Value>,
    /// What only some scenes have: `phase` and `shot` of a frame, `condition` of the light.
    #[serde(flatten)]
    pub more: Map<String, Value>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct PieceTruth {
    pub colour: String,
    pub x_mm: f64,
    pub y_mm: f64,
    pub z_mm: f64,
    pub diameter_mm: f64,
    pub height_mm: f64,
    pub stacked_on: Option<usize>,
    /// Rim to the nearest line by the drawing, negative when over it.
    pub gap_mm: Option<f64>,
    /// Rim to the nearest paint as it really lies.
    pub painted_gap_mm: Option<f64>,
    pub nearest_line: Option<String>,
    pub touches: Vec<String>,
    /// The area that holds the centre, whatever the rim touches.
    pub centre_area: Option<String>,
    /// The area it scores in.
    pub area: Option<String>,
    /// Middle of the base and of the top face in the picture.
    pub px: [f64; 2],
    pub px_top: [f64; 2],
    pub in_view: bool,
    /// Share of its image that nothing hides.
    pub visible_fraction: f64,
    /// What only some boards and sequences have.
    #[serde(flatten)]
    pub more: Map<String, Value>,
}

const PIXEL_CONVENTION: &str = "centre of the top-left pixel is (0, 0)";

fn rounded(value: f64, digits: i32) -> f64 {
    let scale = 10_f64.powi(digits);
    (value * scale).round() / scale
}

impl Truth {
    pub fn of(scene: &Scene, renderer: &Renderer) -> Truth {
        let board = &scene.board;
        let (played, parked): (Vec<usize>, Vec<usize>) =
            (0..scene.pieces.len()).partition(|index| scene.pieces[*index].parked.is_none());
        let mut pieces: Vec<_> = played.iter().map(|index| piece_truth(scene, renderer, *index)).collect();
        let in_play: Vec<&Piece> = played.iter().map(|index| &scene.pieces[*index]).collect();
        let tally = tally(board, scene.file.end, &in_play, &mut pieces);
        let objects = scene.file.objects.iter().map(object_truth);
        let parked = parked.iter().map(|index| parked_truth(&scene.pieces[*index]));
        let pose = &scene.camera.pose;
        let rotation = std::array::from_fn(|i| std::array::from_fn(|j| pose.rotation.matrix()[(i, j)]));
        Truth {
            category: scene.file.category.clone().unwrap_or_else(|| "simulated".to_owned()),
            board: board.id.clone(),
            numerals: scene.file.look.numerals.unwrap_or(!board.numerals.is_empty()),
            empty: played.is_empty(),
            calibration_image: scene.file.calibration_image.clone(),
            image_size: scene.camera.image_size,
            intrinsics: scene.camera.lens,
            extrinsics: Extrinsics { rotation, translation_mm: pose.translation_mm.into() },
            pixel_convention: PIXEL_CONVENTION.to_owned(),
            pieces,
            tally,
            foreign_objects: objects.chain(parked).collect(),
            more: Map::new(),
        }
    }
}

fn object_truth(object: &ObjectPart) -> Value {
    let mut value = json!({"kind": object.kind, "x": object.x_mm, "y": object.y_mm});
    if let Some(fields) = value.as_object_mut() {
        if let Some(z) = object.z_mm {
            fields.insert("z".to_owned(), json!(z));
        }
        if let Some(d) = object.diameter_mm {
            fields.insert("d".to_owned(), json!(d));
        }
        if matches!(object.kind, ObjectKind::Hand | ObjectKind::Head | ObjectKind::Phone | ObjectKind::Beam) {
            fields.insert("angle".to_owned(), json!(object.angle_deg));
        }
    }
    value
}

/// A piece out of play: a thing on the table like others.
fn parked_truth(piece: &Piece) -> Value {
    json!({
        "kind": "piece", "colour": piece.colour, "parked": piece.parked, "x": rounded(piece.x_mm, 2),
        "y": rounded(piece.y_mm, 2), "z": rounded(piece.z_mm, 2), "d": rounded(2.0 * piece.radius_mm, 2),
    })
}

fn piece_truth(scene: &Scene, renderer: &Renderer, index: usize) -> PieceTruth {
    let piece = &scene.pieces[index];
    let board = &scene.board;
    let disc = Disc::new(piece.x_mm, piece.y_mm, piece.radius_mm);
    let end = scene.file.end;
    // Circles bound nothing a piece could be called on; strokes do.
    let gaps: Vec<_> = board
        .lines_at(end)
        .filter(|line| matches!(line.paint, Paint::Stroke { .. }))
        .map(|line| {
            let painted = displaced(&line.paint, paint_offset_mm(&scene.file.look, &line.name, line.end));
            (line, disc.gap_mm(&line.paint), disc.gap_mm(&painted))
        })
        .collect();
    let nearest = gaps.iter().min_by(|a, b| a.1.total_cmp(&b.1));
    let nearest_painted = gaps.iter().map(|gap| gap.2).min_by(f64::total_cmp);
    let touches: Vec<String> =
        gaps.iter().filter(|gap| gap.1 <= 0.0).map(|(line, ..)| line.name.clone()).collect();
    let centre_area =
        board.areas_at(end).find(|area| area.polygon.contains(disc.centre)).map(|area| area.name.clone());
    let project = |z: f64| scene.camera.image_from_board(piece.x_mm, piece.y_mm, z);
    let base = project(piece.z_mm);
    let top = project(piece.z_mm + piece.height_mm);
    let px = |p: Option<crate::camera::Pixel>| {
        p.map_or([f64::MIN, f64::MIN], |p| [rounded(p.x, 3), rounded(p.y, 3)])
    };
    let [width, height] = scene.camera.image_size.map(f64::from);
    let in_view = top.is_some_and(|p| p.x >= -0.5 && p.y >= -0.5 && p.x < width - 0.5 && p.y < height - 0.5);
    let middle = project(piece.z_mm + piece.height_mm / 2.0);
    let visible_fraction = middle.map_or(0.0, |m| {
        let reach = reach_px(scene, piece, m);
        renderer.visible_share(index, [m.x, m.y], reach)
    });
    let mut more = Map::new();
    let area = call(board, end, piece, &mut more);
    if board.piece(&piece.colour).is_some_and(|kind| kind.shooter)
        && board.lines.iter().any(|l| l.role == LineRole::Moon)
    {
        more.insert("striker".to_owned(), striker_truth(board, &disc));
    }
    if let Some(shot) = piece.shot {
        more.insert("shot".to_owned(), json!(shot));
    }
    PieceTruth {
        colour: piece.colour.clone(),
        x_mm: rounded(piece.x_mm, 4),
        y_mm: rounded(piece.y_mm, 4),
        z_mm: piece.z_mm,
        diameter_mm: 2.0 * piece.radius_mm,
        height_mm: piece.height_mm,
        stacked_on: piece.stacked_on,
        gap_mm: nearest.map(|gap| rounded(gap.1, 4)),
        painted_gap_mm: nearest_painted.map(|gap| rounded(gap, 4)),
        nearest_line: nearest.map(|(line, ..)| line.name.clone()),
        touches,
        centre_area: centre_area.filter(|_| board.hanging.is_none()),
        area,
        px: px(base),
        px_top: px(top),
        in_view,
        visible_fraction: rounded(visible_fraction, 2),
        more,
    }
}

/// How far from the image of its middle a piece's image reaches.
fn reach_px(scene: &Scene, piece: &Piece, middle: crate::camera::Pixel) -> f64 {
    let mut reach: f64 = 1.0;
    for i in 0..16 {
        let angle = f64::from(i) * std::f64::consts::TAU / 16.0;
        let (x, y) = (piece.x_mm + piece.radius_mm * angle.cos(), piece.y_mm + piece.radius_mm * angle.sin());
        for z in [piece.z_mm, piece.z_mm + piece.height_mm] {
            if let Some(p) = scene.camera.image_from_board(x, y, z) {
                reach = reach.max((p - middle).norm());
            }
        }
    }
    reach * 1.02
}

/// The area a piece scores in, and what else its board tells of it.
fn call(board: &Board, end: End, piece: &Piece, more: &mut Map<String, Value>) -> Option<String> {
    let mut sighting = Sighting::exact(&piece.colour, Point::new(piece.x_mm, piece.y_mm));
    sighting.stacked = piece.stacked_on.is_some();
    let called = calls::call(board, end, &sighting, &PaintEdge::as_drawn, &CallOptions::default())?;
    let value = called.points.unwrap_or(0);
    if board.areas.is_empty() {
        return None;
    }
    let disc = Disc { centre: sighting.centre, radius_mm: piece.radius_mm };
    if let Some(overhang) = &called.overhang {
        more.insert("overhang_mm".to_owned(), json!(rounded(-overhang.gap_mm, 4)));
        more.insert("hanger".to_owned(), json!(called.state == PieceState::Hanging));
        more.insert("area_value".to_owned(), json!(value));
    } else if let Some(foul) = board.lines_at(end).find(|line| line.role == LineRole::Foul) {
        more.insert("foul_gap_mm".to_owned(), json!(rounded(cleared_mm(&foul.paint, end, &disc), 4)));
        more.insert("value".to_owned(), json!(value));
    }
    more.insert("dead".to_owned(), json!(called.state == PieceState::Dead));
    more.insert("counts".to_owned(), json!(value != 0));
    called.area.filter(|_| value != 0)
}

/// How far a disc's rim is beyond the paint of a line across the board, as seen by a shooter at
/// the other end; negative until it has cleared it.
fn cleared_mm(paint: &Paint, end: End, disc: &Disc) -> f64 {
    let Paint::Stroke { from, width_mm, .. } = *paint else { return f64::NEG_INFINITY };
    let beyond = match end {
        End::Far => disc.centre.y - from.y,
        End::Near => from.y - disc.centre.y,
    };
    beyond - disc.radius_mm - width_mm / 2.0
}

/// How a striker is placed on the base line nearest to it.
fn striker_truth(board: &Board, disc: &Disc) -> Value {
    let sides = [BoardSide::Near, BoardSide::Right, BoardSide::Far, BoardSide::Left];
    let on = |side: BoardSide, role: LineRole| {
        board
            .lines
            .iter()
            .filter(move |line| line.base == Some(side) && line.role == role)
            .map(|line| line.paint)
            .collect::<Vec<_>>()
    };
    let gap = |paints: &[Paint]| paints.iter().map(|p| disc.gap_mm(p)).fold(f64::INFINITY, f64::min);
    let Some((index, side)) = sides
        .into_iter()
        .enumerate()
        .min_by(|a, b| gap(&on(a.1, LineRole::BaseRear)).total_cmp(&gap(&on(b.1, LineRole::BaseRear))))
    else {
        return Value::Null;
    };
    let (rear, front) = (gap(&on(side, LineRole::BaseRear)), gap(&on(side, LineRole::BaseFront)));
    let from_side = match side {
        BoardSide::Near => disc.centre.y,
        BoardSide::Right => board.surface.width_mm - disc.centre.x,
        BoardSide::Far => board.surface.length_mm - disc.centre.y,
        BoardSide::Left => disc.centre.x,
    };
    let (mut nearest, mut covers, mut cuts) = (f64::INFINITY, false, false);
    for line in board.lines.iter().filter(|line| line.role == LineRole::Moon) {
        if let Paint::Ring { centre, radius_mm, width_mm } = line.paint {
            let between = (disc.centre - Point::from(centre)).norm();
            nearest = nearest.min(between);
            let outer = radius_mm + width_mm / 2.0;
            let covering = between + outer <= disc.radius_mm;
            covers |= covering;
            cuts |= !covering && disc.gap_mm(&line.paint) <= 0.0;
        }
    }
    let both = rear <= 0.0 && front <= 0.0;
    let placement = if cuts {
        "cuts-moon"
    } else if covers {
        "circle"
    } else if both {
        "both-lines"
    } else {
        "off-line"
    };
    json!({
        "side": index, "from_side_mm": rounded(from_side, 4), "rear_gap_mm": rounded(rear, 4),
        "front_gap_mm": rounded(front, 4), "touches_both_lines": both,
        "moon_centre_dist_mm": rounded(nearest, 4), "on_circle": covers, "cuts_moon": cuts, "placement": placement,
    })
}

/// Points a colour, for boards whose pieces score where they lie (C6, N4, L3).
fn tally(
    board: &Board,
    end: End,
    pieces: &[&Piece],
    truths: &mut [PieceTruth],
) -> Option<Map<String, Value>> {
    if board.areas.is_empty() {
        return None;
    }
    let colours: Vec<&str> = board.pieces.iter().map(|kind| kind.name.as_str()).collect();
    let mut points = vec![0_i64; colours.len()];
    if board.hanging.is_some() {
        // L3: only the leader's colour scores, with the pieces ahead of the other's most distant.
        let farness = |p: &Piece| if end == End::Far { p.y_mm } else { -p.y_mm };
        let ahead = |colour: &str, own: bool| {
            let of_colour = pieces.iter().filter(|p| (p.colour == colour) == own);
            of_colour.map(|p| farness(p)).fold(f64::NEG_INFINITY, f64::max)
        };
        for (piece, truth) in pieces.iter().zip(truths.iter_mut()) {
            let other = ahead(&piece.colour, false);
            let value = truth.more.get("area_value").and_then(Value::as_i64).unwrap_or(0);
            let counts = value > 0 && farness(piece) > other;
            truth.more.insert("counts".to_owned(), json!(counts));
            if let (true, Some(slot)) = (counts, colours.iter().position(|c| *c == piece.colour)) {
                points[slot] += value;
            }
        }
    } else {
        for truth in truths.iter() {
            let value = truth.more.get("value").and_then(Value::as_i64).unwrap_or(0);
            if let Some(slot) = colours.iter().position(|c| *c == truth.colour) {
                points[slot] += value;
            }
        }
    }
    Some(colours.iter().zip(points).map(|(colour, points)| ((*colour).to_owned(), json!(points))).collect())
}
