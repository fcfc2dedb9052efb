//! Colours side by side: the piece's own against each that it could be.

use std::fmt::Write;

use super::WIDTH;
use crate::review::{
    Colours, KindColour,
    markup::{N, text},
    words,
};

const ROW: f64 = 17.0;
const SWATCH: f64 = 13.0;
/// Where the words begin.
const WORDS: f64 = 3.0 * SWATCH + 4.0;

pub(in crate::review) fn colours(colours: &Colours) -> String {
    let height = ROW * colours.kinds.len() as f64;
    let mut svg = format!(
        "<svg class=\"drawing swatches\" viewBox=\"0 0 {} {}\" role=\"img\" aria-label=\"{}\">",
        N(WIDTH),
        N(height),
        text(&format!("The colour of {} beside others", colours.piece)),
    );
    for (index, kind) in colours.kinds.iter().enumerate() {
        row(&mut svg, colours, kind, index as f64 * ROW);
    }
    svg + "</svg>"
}

/// Own colour, the others' here, and the board file's; each touches the next, so that the eye can
/// compare them.
fn row(svg: &mut String, colours: &Colours, kind: &KindColour, top: f64) {
    let swatches = [Some(colours.own), kind.here.map(|here| here.colour), Some(kind.drawn)];
    for (place, colour) in swatches.into_iter().enumerate() {
        let (x, y) = (place as f64 * SWATCH, top + 1.0);
        let fill = match colour {
            Some([r, g, b]) => format!("fill=\"#{r:02x}{g:02x}{b:02x}\""),
            None => "class=\"no-swatch\"".to_owned(),
        };
        // Writing to a string cannot fail, here and below.
        let _ = write!(
            svg,
            "<rect {fill} x=\"{}\" y=\"{}\" width=\"{SWATCH}\" height=\"{SWATCH}\"/>",
            N(x),
            N(y)
        );
    }
    let apart = match kind.here {
        Some(here) => format!("{:.2} stops from {}", here.apart_stops, others(here.pieces)),
        None => "no other lies here".to_owned(),
    };
    let lines = [
        ("swatch-name", format!("{}: {}", kind.name, words::percent(kind.probability))),
        ("swatch-words", apart),
        ("swatch-words", format!("{}, others, board file", colours.piece)),
    ];
    for (line, (class, words)) in lines.into_iter().enumerate() {
        let y = top + 5.0 + 4.3 * line as f64;
        let _ =
            write!(svg, "<text class=\"{class}\" x=\"{}\" y=\"{}\">{}</text>", N(WORDS), N(y), text(&words));
    }
}

fn others(pieces: usize) -> String {
    match pieces {
        1 => "1 other".to_owned(),
        more => format!("{more} others"),
    }
}
