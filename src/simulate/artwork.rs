//! Print whose shape no board file describes, as a maker might draw it: a star in a disc, words in any other region.
//!
//! In: a [`Print`]. Out: strokes with their colours, the lower ones first.

use crate::{
    board::{Colour, Numeral, Print, PrintRegion},
    geometry::{Paint, Point, Vector},
};

use super::lettering;

/// Points of a star, and how far out the corners between them lie, as a share of its radius.
const POINTS: usize = 8;
const CORNER_SHARE: f64 = 0.3;
/// A point is filled with so many strokes from its tip inward.
const FILLING: usize = 12;
/// What stands in a maker's words.
const WORDS: &str = "MADE HERE";
/// Width of a letter with its gap, as a share of its height.
const LETTER_SHARE: f64 = 0.9;

pub fn strokes(print: &Print) -> Vec<(Paint, Colour)> {
    match &print.region {
        PrintRegion::Disc { centre, radius_mm } => star(*centre, *radius_mm, &print.colours),
        PrintRegion::Polygon(_) => words(print),
    }
}

/// Points in turn of each colour, every one filled with strokes that grow wider inward.
fn star(centre: Point, radius_mm: f64, colours: &[Colour]) -> Vec<(Paint, Colour)> {
    let toward = |turns: f64| {
        let (sin, cos) = (std::f64::consts::TAU * turns).sin_cos();
        Vector::new(cos, sin)
    };
    let mut strokes = Vec::new();
    for point in 0..POINTS {
        let Some(&colour) = colours.get(point % colours.len().max(1)) else { continue };
        let turns = |half: f64| (point as f64 + half) / POINTS as f64;
        let tip = centre + toward(turns(0.0)) * radius_mm;
        let corners = [-0.5, 0.5].map(|half| centre + toward(turns(half)) * (CORNER_SHARE * radius_mm));
        for i in 0..=FILLING {
            let base = corners[0] + (corners[1] - corners[0]) * (i as f64 / FILLING as f64);
            let width_mm = 2.0 * (corners[1] - corners[0]).norm() / FILLING as f64;
            // A stroke as wide as the tip is sharp: it starts where the point is as wide as it.
            let from = tip + (base - tip) * (0.5 / FILLING as f64).max(width_mm / (2.0 * radius_mm));
            strokes.push((Paint::Stroke { from, to: base, width_mm: width_mm / 2.0 }, colour));
            strokes.push((Paint::Stroke { from: base, to: centre, width_mm }, colour));
        }
    }
    strokes
}

/// Words along the region's first side, in its first colour.
fn words(print: &Print) -> Vec<(Paint, Colour)> {
    let (PrintRegion::Polygon(polygon), Some(&colour)) = (&print.region, print.colours.first()) else {
        return Vec::new();
    };
    let &[a, b, .., d] = polygon.vertices() else { return Vec::new() };
    let (along, up) = (b - a, d - a);
    let letters = WORDS.chars().count() as f64;
    let height_mm = (0.8 * up.norm()).min(0.9 * along.norm() / (letters * LETTER_SHARE));
    let numeral = Numeral {
        text: WORDS.to_owned(),
        centre: a + (along + up) / 2.0,
        height_mm,
        angle_deg: along.y.atan2(along.x).to_degrees(),
        colour,
        optional: print.optional,
    };
    lettering::strokes(&numeral).into_iter().map(|paint| (paint, colour)).collect()
}
