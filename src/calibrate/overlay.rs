//! The photo with the board's lines drawn where they are expected, to see a mistake at a glance.

use image::RgbImage;

use crate::{
    board::Board,
    camera::{Camera, Pixel},
    capture::Picture,
    draw::{DrawError, Ink, Style, Svg, draw_over},
    geometry::{Paint, Point},
};

/// Steps along a line or a circle; a lens bends them.
const STEPS: usize = 48;
const EDGE: Ink = Ink::rgb(0, 220, 90);
const OUTLINE: Ink = Ink::rgb(255, 170, 0);

/// Draws both edges of every line's paint, and the surface's outline.
pub fn draw_expected(picture: &Picture, board: &Board, camera: &Camera) -> Result<RgbImage, DrawError> {
    let mut drawn = picture.rgb().clone();
    let [w, h] = camera.image_size.map(f64::from);
    let mut svg = Svg::new(w, h);
    let stroke_px = (w.max(h) / 1920.0).max(1.0);
    let edge = Style::stroked(EDGE, stroke_px);
    let outline = Style::stroked(OUTLINE, stroke_px);
    let Expected { paint, surface } = expected_curves(board, camera);
    // A drawing's pixel begins at its corner, a camera's has its centre at a whole number.
    let in_drawing =
        |curve: &[Pixel]| -> Vec<[f64; 2]> { curve.iter().map(|p| [p.x + 0.5, p.y + 0.5]).collect() };
    for curve in &paint {
        svg.polyline(&in_drawing(curve), &edge);
    }
    for curve in &surface {
        svg.polyline(&in_drawing(curve), &outline);
    }
    draw_over(&mut drawn, &svg)?;
    Ok(drawn)
}

/// Where the board's paint and outline are expected in a picture, as curves of pixels.
#[derive(Debug, Clone, PartialEq)]
pub struct Expected {
    /// Both edges of every line's paint.
    pub paint: Vec<Vec<Pixel>>,
    /// The playing surface's sides.
    pub surface: Vec<Vec<Pixel>>,
}

/// Where a camera should see the board.
pub fn expected_curves(board: &Board, camera: &Camera) -> Expected {
    let edges = board.lines.iter().flat_map(|line| edges_of(&line.paint));
    let corners = board.corners();
    let sides = (0..corners.len()).map(|i| straight(corners[i], corners[(i + 1) % corners.len()]));
    Expected {
        paint: edges.flat_map(|curve| seen(camera, &curve)).collect(),
        surface: sides.flat_map(|curve| seen(camera, &curve)).collect(),
    }
}

fn straight(from: Point, to: Point) -> Vec<Point> {
    (0..=STEPS).map(|i| from + (to - from) * (i as f64 / STEPS as f64)).collect()
}

fn arc(centre: Point, radius_mm: f64, start_rad: f64, sweep_rad: f64) -> Vec<Point> {
    (0..=STEPS)
        .map(|i| {
            let angle = start_rad + sweep_rad * i as f64 / STEPS as f64;
            centre + crate::geometry::Vector::new(angle.cos(), angle.sin()) * radius_mm
        })
        .collect()
}

/// The two edges of a line's paint on the board; one for a spot.
fn edges_of(paint: &Paint) -> Vec<Vec<Point>> {
    let full = std::f64::consts::TAU;
    match *paint {
        Paint::Stroke { from, to, width_mm } => {
            let Some(along) = (to - from).try_normalize(f64::MIN_POSITIVE) else { return Vec::new() };
            let side = crate::geometry::Vector::new(-along.y, along.x) * (width_mm / 2.0);
            vec![straight(from + side, to + side), straight(from - side, to - side)]
        }
        Paint::Ring { centre, radius_mm, width_mm } => {
            [-0.5, 0.5].map(|k| arc(centre, radius_mm + k * width_mm, 0.0, full)).to_vec()
        }
        Paint::Arc { centre, radius_mm, width_mm, start_rad, sweep_rad } => {
            [-0.5, 0.5].map(|k| arc(centre, radius_mm + k * width_mm, start_rad, sweep_rad)).to_vec()
        }
        Paint::Spot { centre, radius_mm } => vec![arc(centre, radius_mm, 0.0, full)],
    }
}

/// A curve on the board as the camera sees it, in pieces where it goes out of the lens's reach.
fn seen(camera: &Camera, curve: &[Point]) -> Vec<Vec<Pixel>> {
    let mut runs = vec![Vec::new()];
    for p in curve {
        match (camera.image_from_board(p.x, p.y, 0.0), runs.last_mut()) {
            (Some(at), Some(run)) => run.push(at),
            _ => runs.push(Vec::new()),
        }
    }
    runs.retain(|run| run.len() > 1);
    runs
}
