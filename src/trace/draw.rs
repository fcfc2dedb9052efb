//! A picture of what each stage saw.

use image::{GrayImage, Luma, RgbImage};
use nalgebra::Point3;

use super::{PiecesTrace, SearchTrace};
use crate::{
    annotate::project::{Photo, Projection, circle, curves, paint_edges},
    board::Board,
    camera::{Camera, Pixel},
    detect::{Glance, Looked, Outcome, VoteMap},
    draw::{DrawError, Ink, Style, Svg, TextStyle, draw_over},
    geometry::Point,
};

const GOOD: Ink = Ink::rgb(40, 230, 90);
const DOUBTFUL: Ink = Ink::rgb(255, 190, 0);
const BAD: Ink = Ink::rgb(255, 50, 50);
const FAINT: Ink = Ink::rgb(120, 200, 255);

/// Lines are this many thousandths of the picture's longer side wide.
const LINE: f64 = 1.5;
/// Residuals are drawn so many times as long as they are.
const LONGER: f64 = 20.0;

/// A drawing over a photo: `draw` gets the canvas and a thousandth of its longer side.
fn over(photo: &RgbImage, draw: impl FnOnce(&mut Svg, f64)) -> Result<RgbImage, DrawError> {
    let (width, height) = (f64::from(photo.width()), f64::from(photo.height()));
    let mut svg = Svg::new(width, height);
    draw(&mut svg, width.max(height) / 1000.0);
    let mut canvas = photo.clone();
    draw_over(&mut canvas, &svg)?;
    Ok(canvas)
}

fn label(svg: &mut Svg, unit: f64, at: [f64; 2], text: &str, ink: Ink) {
    let style = TextStyle::new(11.0 * unit).ink(ink).halo(Ink::BLACK.alpha(0.6), 2.0 * unit);
    svg.text(at, text, &style);
}

/// Pixel centres are whole numbers in vision and halves in drawings.
fn on_canvas(px: Pixel) -> [f64; 2] {
    [px.x + 0.5, px.y + 0.5]
}

/// Outlines of surfaces, by their rank.
pub(super) fn outlines(photo: &RgbImage, trace: &SearchTrace) -> Result<RgbImage, DrawError> {
    over(photo, |svg, unit| {
        for (rank, outline) in trace.outlines.iter().enumerate().rev() {
            let ink = if rank == 0 { GOOD } else { FAINT };
            svg.polygon(&outline.corners.map(on_canvas), &Style::stroked(ink, LINE * unit));
            label(svg, unit, on_canvas(outline.corners[0]), &(rank + 1).to_string(), ink);
        }
    })
}

/// The board where the best hypothesis has it.
pub(super) fn lines(photo: &RgbImage, trace: &SearchTrace, board: &Board) -> Result<RgbImage, DrawError> {
    over(photo, |svg, unit| {
        let Some(camera) = &trace.lines.best else { return };
        let ink = if trace.refused.is_some() { BAD } else { GOOD };
        board_lines(svg, unit, board, camera, ink);
    })
}

fn board_lines(svg: &mut Svg, unit: f64, board: &Board, camera: &Camera, ink: Ink) {
    let projection = Photo::new(camera);
    for edge in board.lines.iter().flat_map(|line| paint_edges(&line.paint)) {
        for part in curves(&projection, edge.into_iter(), 0.0) {
            svg.polyline(&part, &Style::stroked(ink, LINE * unit));
        }
    }
}

/// Where paint was expected and where it is, residuals longer than they are.
pub(super) fn paint(photo: &RgbImage, trace: &PiecesTrace) -> Result<RgbImage, DrawError> {
    over(photo, |svg, unit| {
        for place in &trace.paint {
            let from = on_canvas(place.expected);
            match place.seen {
                None => svg.circle(from, unit, &Style::filled(BAD)),
                Some(seen) => {
                    let to = place.expected + (seen - place.expected) * LONGER;
                    svg.line(from, on_canvas(to), &Style::stroked(DOUBTFUL, LINE * unit));
                    svg.circle(from, 0.7 * unit, &Style::filled(GOOD));
                }
            }
        }
    })
}

/// Votes as light: white where a whole rim votes.
pub(super) fn votes(map: &VoteMap) -> GrayImage {
    GrayImage::from_fn(map.width as u32, map.height as u32, |column, row| {
        // The far end at the top, as in the top view.
        let row = map.height - 1 - row as usize;
        let part = map.parts[row * map.width + column as usize];
        Luma([(part.clamp(0.0, 1.0) * 255.0).round() as u8])
    })
}

/// Every place that was looked at, by its number in the file beside it.
pub(super) fn places(photo: &RgbImage, trace: &PiecesTrace) -> Result<RgbImage, DrawError> {
    let projection = Photo::new(&trace.registration.camera);
    over(photo, |svg, unit| {
        // What was found lies over what was not.
        let mut places: Vec<(usize, &Looked)> = trace.detect.looked.iter().enumerate().collect();
        places.sort_by_key(|(_, looked)| match looked.outcome {
            Outcome::Nothing => usize::from(looked.glance != Glance::Voted),
            Outcome::Foreign => 2,
            Outcome::Piece => 3,
        });
        for (number, looked) in places {
            let ink = match (looked.outcome, looked.glance) {
                (Outcome::Piece, _) => GOOD,
                (Outcome::Foreign, _) => DOUBTFUL,
                (Outcome::Nothing, Glance::Voted) => FAINT,
                (Outcome::Nothing, _) => BAD,
            };
            let kind = &trace.board.pieces[looked.sized_like];
            disc(svg, unit, &projection, looked.centre, [kind.radius_mm(), kind.height_mm], ink);
            if let Some(at) = projection.place(Point3::new(looked.centre.x, looked.centre.y, kind.height_mm))
            {
                label(svg, unit, at, &number.to_string(), ink);
            }
        }
    })
}

fn disc(svg: &mut Svg, unit: f64, projection: &Photo, centre: Point, [radius_mm, z_mm]: [f64; 2], ink: Ink) {
    for part in curves(projection, circle(centre, radius_mm), z_mm) {
        svg.polyline(&part, &Style::stroked(ink, LINE / 2.0 * unit));
    }
}

/// The edges that each piece was measured by, the larger the more they count.
pub(super) fn edges(photo: &RgbImage, trace: &PiecesTrace) -> Result<RgbImage, DrawError> {
    over(photo, |svg, unit| {
        for (index, (seen, edges)) in trace.sight.pieces.iter().zip(&trace.edges).enumerate() {
            let ink = if seen.measurement.trusted { GOOD } else { BAD };
            for edge in edges {
                svg.circle(
                    on_canvas(edge.px),
                    unit * (0.3 + 0.7 * edge.weight.clamp(0.0, 1.0)),
                    &Style::filled(ink),
                );
            }
            label(svg, unit, on_canvas(seen.measurement.px), &(index + 1).to_string(), ink);
        }
    })
}
