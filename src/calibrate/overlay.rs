//! The photo with the board's lines drawn where they are expected, to see a mistake at a glance.

use image::RgbImage;

use crate::{
    board::Board,
    camera::Camera,
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
    for line in &board.lines {
        for curve in edges_of(&line.paint) {
            draw_curve(&mut svg, camera, &curve, &edge);
        }
    }
    let corners = board.corners();
    for i in 0..corners.len() {
        draw_curve(&mut svg, camera, &straight(corners[i], corners[(i + 1) % corners.len()]), &outline);
    }
    draw_over(&mut drawn, &svg)?;
    Ok(drawn)
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

/// A curve on the board as the camera sees it. A drawing's pixel begins at its corner, a camera's
/// has its centre at a whole number: half a pixel between them.
fn draw_curve(svg: &mut Svg, camera: &Camera, curve: &[Point], style: &Style) {
    let mut run: Vec<[f64; 2]> = Vec::new();
    for p in curve {
        match camera.image_from_board(p.x, p.y, 0.0) {
            Some(at) => run.push([at.x + 0.5, at.y + 0.5]),
            None => {
                svg.polyline(&run, style);
                run.clear();
            }
        }
    }
    if run.len() > 1 {
        svg.polyline(&run, style);
    }
}
