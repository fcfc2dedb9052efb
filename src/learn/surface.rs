//! Where the surface lies in the picture, before anything is known of its print.
//!
//! In: a picture, the template, one length. Out: the template brought to the surface's size, and first cameras that see its
//! sides where the picture has them.

use nalgebra::Vector3;

use super::{
    LearnError, LearnOptions, LearnRequest, Tape,
    plane::{Plane, median_colour},
};
use crate::{
    board::{Board, BoardSide},
    camera::{Camera, Pose},
    capture::Picture,
    geometry::{Paint, Point, Polygon},
    outline::{Lab, surface_outlines},
    register::{cameras_from_corners, cameras_from_outline},
};

/// The template, so large as the tape says.
pub(super) fn sized(template: &Board, request: &LearnRequest) -> Board {
    let scale = match request.tape {
        Some(Tape::Width(mm)) => mm / template.surface.width_mm,
        Some(Tape::Length(mm)) => mm / template.surface.length_mm,
        // Pieces are measured on the surface, so they come last.
        Some(Tape::Piece(_)) | None => 1.0,
    };
    scaled(template, scale)
}

/// The same board, every length of it multiplied. Pieces come in few sizes, so they stay as they are.
pub(super) fn scaled(board: &Board, scale: f64) -> Board {
    let place = |p: Point| p * scale;
    let outline = |polygon: &Polygon| Polygon::new(polygon.vertices().iter().map(|p| place(*p)).collect());
    let mut scaled = board.clone();
    scaled.surface.width_mm *= scale;
    scaled.surface.length_mm *= scale;
    for line in &mut scaled.lines {
        line.paint = scaled_paint(&line.paint, scale);
    }
    scaled.areas.iter_mut().for_each(|area| area.polygon = outline(&area.polygon));
    for pocket in &mut scaled.pockets {
        (pocket.centre, pocket.radius_mm) = (place(pocket.centre), pocket.radius_mm * scale);
    }
    for numeral in &mut scaled.numerals {
        (numeral.centre, numeral.height_mm) = (place(numeral.centre), numeral.height_mm * scale);
    }
    for print in &mut scaled.prints {
        print.region = print.region.moved(place, scale);
    }
    scaled
}

/// Widths of paint are those of a brush, not of a board.
fn scaled_paint(paint: &Paint, scale: f64) -> Paint {
    let place = |p: Point| p * scale;
    match *paint {
        Paint::Stroke { from, to, width_mm } => Paint::Stroke { from: place(from), to: place(to), width_mm },
        Paint::Ring { centre, radius_mm, width_mm } => {
            Paint::Ring { centre: place(centre), radius_mm: radius_mm * scale, width_mm }
        }
        Paint::Spot { centre, radius_mm } => {
            Paint::Spot { centre: place(centre), radius_mm: radius_mm * scale }
        }
        Paint::Arc { centre, radius_mm, width_mm, start_rad, sweep_rad } => {
            Paint::Arc { centre: place(centre), radius_mm: radius_mm * scale, width_mm, start_rad, sweep_rad }
        }
    }
}

/// A camera that may have taken the picture.
#[derive(Debug, Clone)]
pub(super) struct First {
    pub camera: Camera,
    /// How much of the surface's outline is cut off by the picture's border, in sides.
    pub cut_sides: usize,
    /// Whether the board's near end is out of the picture.
    pub is_one_end: bool,
    /// How plain the outline is, 0 to 1.
    pub overlap: f64,
}

/// Cameras for every way in which the surface may lie in the picture.
pub(super) fn first_cameras(
    picture: &Picture,
    board: &Board,
    request: &LearnRequest,
    options: &LearnOptions,
) -> Result<Vec<First>, LearnError> {
    if let Some(corners) = request.corners {
        let cameras = cameras_from_corners(picture.size(), board, corners, &options.find)
            .map_err(|error| LearnError::NoSurface { reason: error.to_string() })?;
        let first = |camera| First { camera, cut_sides: 0, is_one_end: false, overlap: 1.0 };
        return Ok(cameras.into_iter().map(first).collect());
    }
    let outlines = surface_outlines(picture, &options.find.outline);
    if outlines.is_empty() {
        let reason = "no plank or square of one colour stands out; take the photo from above with the whole frame \
                      in view, or give its corners with --corners";
        return Err(LearnError::NoSurface { reason: reason.to_owned() });
    }
    let is_long = board.surface.length_mm > LONG * board.surface.width_mm;
    let firsts: Vec<First> = outlines
        .iter()
        .flat_map(|outline| {
            let cut_sides = 4 - outline.sides_seen();
            let cameras = cameras_from_outline(picture.size(), board, outline, &options.find);
            cameras.into_iter().map(move |camera| {
                let is_one_end = is_long && !is_in_picture(&camera, board, 0.0);
                First { camera, cut_sides, is_one_end, overlap: outline.overlap }
            })
        })
        .collect();
    if firsts.is_empty() {
        let reason = "an outline was found, but no camera above a board of this shape sees it so; give its corners \
                      with --corners";
        return Err(LearnError::NoSurface { reason: reason.to_owned() });
    }
    Ok(firsts)
}

/// A board so many times as long as wide is a long one, of which one end is in view as a rule.
const LONG: f64 = 1.5;

/// Whether either corner of the end at `y_mm` is in the picture.
fn is_in_picture(camera: &Camera, board: &Board, y_mm: f64) -> bool {
    [0.0, board.surface.width_mm].iter().any(|x| is_seen(camera, Point::new(*x, y_mm)))
}

pub(super) fn is_seen(camera: &Camera, p: Point) -> bool {
    let [width, height] = camera.image_size.map(f64::from);
    camera
        .image_from_board(p.x, p.y, 0.0)
        .is_some_and(|at| at.x >= 0.0 && at.y >= 0.0 && at.x <= width - 1.0 && at.y <= height - 1.0)
}

/// The least rectangle that holds all of the surface that is in view, as its least and greatest corner.
pub(super) fn in_view(camera: &Camera, board: &Board) -> Option<(Point, Point)> {
    const STEPS: usize = 60;
    let (w, l) = (board.surface.width_mm, board.surface.length_mm);
    let places = (0..=STEPS)
        .flat_map(|i| (0..=STEPS).map(move |j| (i as f64 / STEPS as f64, j as f64 / STEPS as f64)));
    let seen = places.map(|(x, y)| Point::new(x * w, y * l)).filter(|p| is_seen(camera, *p));
    let bounds = seen.fold(None, |bounds: Option<(Point, Point)>, p| match bounds {
        Some((low, high)) => Some((low.inf(&p), high.sup(&p))),
        None => Some((p, p)),
    });
    bounds.filter(|(low, high)| high.x - low.x > 0.1 * w && high.y - low.y > 0.1 * w)
}

/// The camera moved so that the surface is what lies within steps of colour inside the outline: a gutter or tray of the
/// surface's own colour has the plainer outline. `None` where no such steps are seen on both long sides.
pub(super) fn within_gutter(
    plane: &Plane,
    board: &Board,
    camera: &Camera,
    options: &LearnOptions,
) -> Option<Camera> {
    let (w, l) = (board.surface.width_mm, board.surface.length_mm);
    let inset = |side| inner_step(plane, board, side, options);
    let (left_mm, right_mm) = (inset(BoardSide::Left)?, inset(BoardSide::Right)?);
    // A strip that is alike on both sides, or it is a shadow.
    if (left_mm / right_mm).ln().abs() > ALIKE {
        return None;
    }
    let usual_mm = (left_mm + right_mm) / 2.0;
    let far_mm = inset(BoardSide::Far).unwrap_or(usual_mm);
    let scale = w / (w - left_mm - right_mm);
    // What was at (left, l - far) is at (0, l) from now on, and all is larger.
    let origin = Vector3::new(left_mm, l - far_mm - l / scale, 0.0);
    let pose = Pose {
        rotation: camera.pose.rotation,
        translation_mm: (camera.pose.translation_mm + camera.pose.rotation * origin) * scale,
    };
    Some(Camera { pose, ..*camera })
}

/// Strips on two sides are alike if the logarithm of their widths differs by less.
const ALIKE: f64 = 0.5;

/// How far within a side the colour changes all along, mm.
fn inner_step(plane: &Plane, board: &Board, side: BoardSide, options: &LearnOptions) -> Option<f64> {
    const PLACES: usize = 60;
    /// Beside a step, the strips that are compared: their distance from it and their width, as shares of the surface's width.
    const GAP: f64 = 0.006;
    const STRIP: f64 = 0.03;
    let (w, l) = (board.surface.width_mm, board.surface.length_mm);
    let at = |share: f64, inset_mm: f64| match side {
        BoardSide::Left => Point::new(inset_mm, share * l),
        BoardSide::Right => Point::new(w - inset_mm, share * l),
        BoardSide::Near => Point::new(share * w, inset_mm),
        BoardSide::Far => Point::new(share * w, l - inset_mm),
    };
    let [least, most] = options.inner_range.map(|share| share * w);
    let step_mm = plane.cell_mm.max(0.003 * w);
    let count = ((most - least) / step_mm) as usize;
    let shares: Vec<f64> = (0..PLACES)
        .map(|i| 0.15 + 0.7 * (i as f64 + 0.5) / PLACES as f64)
        .filter(|share| plane.at(at(*share, least)).is_some())
        .collect();
    if shares.len() < PLACES / 3 {
        return None;
    }
    let strip = |share: f64, from_mm: f64, to_mm: f64| -> Option<Lab> {
        let colours: Vec<Lab> = (0..7)
            .filter_map(|i| plane.at(at(share, from_mm + (to_mm - from_mm) * f64::from(i) / 6.0)))
            .collect();
        median_colour(&colours)
    };
    let candidates = (0..count).filter_map(|i| {
        let inset_mm = least + i as f64 * step_mm;
        let steps: Vec<Lab> = shares
            .iter()
            .filter_map(|share| {
                let outer = strip(*share, inset_mm - (GAP + STRIP) * w, inset_mm - GAP * w)?;
                let inner = strip(*share, inset_mm + GAP * w, inset_mm + (GAP + STRIP) * w)?;
                Some(inner - outer)
            })
            .collect();
        let usual = median_colour(&steps)?;
        let size = f64::from(usual.norm());
        let agree = steps.iter().filter(|step| step.dot(&usual) > 0.5 * usual.norm_squared()).count();
        (size >= options.least_inner && agree as f64 >= options.inner_places * steps.len() as f64)
            .then_some((size, inset_mm))
    });
    candidates.max_by(|a, b| a.0.total_cmp(&b.0)).map(|(_, inset_mm)| inset_mm)
}
