//! The strip above a picture that says what it came to.

use image::{RgbImage, imageops};

use super::look::{CLEAR, EXPECTED, Look, TOO_CLOSE, TOUCHING};
use crate::{
    draw::{Align, DrawError, Ink, Style, Svg, TextStyle, draw_over, text_width},
    score::{PhotoReport, Scored, tally_words},
};

/// Doubts that the strip names; the table and the JSON have all.
const MOST_DOUBTS: usize = 4;

const BACKGROUND: image::Rgb<u8> = image::Rgb([20, 23, 28]);

/// The picture with the strip above it. A strip of its own, because whatever is drawn on the
/// picture could cover a piece.
pub(super) fn under_header(picture: &RgbImage, look: &Look, scored: &Scored) -> Result<RgbImage, DrawError> {
    let text = look.options.text_units * look.unit;
    let lines = lines(&scored.report);
    let height = (text * (1.6 + 1.75 * (lines.len() + 1) as f64)).round() as u32;
    let mut canvas = RgbImage::from_pixel(picture.width(), picture.height() + height, BACKGROUND);
    imageops::replace(&mut canvas, picture, 0, i64::from(height));
    let mut svg = Svg::new(f64::from(canvas.width()), f64::from(canvas.height()));
    let mut baseline = text * 1.9;
    for (words, ink, size) in &lines {
        // A long line is set smaller rather than cut off.
        let room = f64::from(canvas.width()) - 2.0 * text;
        let size = (text * size).min(text * size * room / text_width(words, text * size, true).max(1.0));
        svg.text([text, baseline], words, &TextStyle::new(size).ink(*ink).bold());
        baseline += text * 1.75;
    }
    legend(&mut svg, text, baseline);
    draw_over(&mut canvas, &svg)?;
    Ok(canvas)
}

fn legend(svg: &mut Svg, text: f64, baseline: f64) {
    let entries = [
        (CLEAR, "clear"),
        (TOUCHING, "touching"),
        (TOO_CLOSE, "too close"),
        (EXPECTED, "board file"),
        (Ink::WHITE, "top rim"),
    ];
    let size = text * 0.85;
    let mut x = text;
    for (ink, words) in entries {
        svg.circle([x + size * 0.4, baseline - size * 0.35], size * 0.38, &Style::filled(ink));
        let style = TextStyle::new(size).ink(Ink::WHITE.alpha(0.8)).align(Align::Start);
        svg.text([x + size, baseline], words, &style);
        x += text_width(words, size, false) + size * 2.2;
    }
}

/// Words, colour, and size against the usual.
fn lines(report: &PhotoReport) -> Vec<(String, Ink, f64)> {
    let mut lines = Vec::new();
    lines.push((tally_words(&report.tally).replace(", ", "    "), Ink::WHITE, 1.5));
    for doubt in report.doubts.iter().take(MOST_DOUBTS) {
        let about = match doubt.about.as_str() {
            "existence" if doubt.piece > report.pieces.len() => "a piece after all?",
            "existence" => "no piece?",
            about => about,
        };
        let p = doubt.probability * 100.0;
        let words =
            format!("{}, {about}: with {p:.0} % the tally is {}", doubt.piece, tally_words(&doubt.tally));
        lines.push((words, TOO_CLOSE, 0.9));
    }
    if let Some(more) = report.doubts.len().checked_sub(MOST_DOUBTS).filter(|more| *more > 0) {
        lines.push((format!("and {more} more doubts"), TOO_CLOSE, 0.9));
    }
    let close = report.pieces.iter().filter(|piece| piece.is_close()).count();
    if close > 0 {
        lines.push((format!("{close} too close to call"), TOO_CLOSE, 1.0));
    }
    let unknown = report.foreign.iter().filter(|thing| thing.reason == "colour").count();
    if unknown > 0 {
        let things = if unknown == 1 { "thing" } else { "things" };
        let words = format!(
            "{unknown} round {things} of an unknown colour left out: the tally is right with {:.0} %",
            report.tally_probability * 100.0
        );
        lines.push((words, TOO_CLOSE, 1.0));
    }
    let what = format!("{}: {}, {}", report.photo, report.board, report.game.id());
    lines.push((what, Ink::WHITE.alpha(0.7), 0.9));
    lines
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;

    #[test]
    fn a_tally_that_leaves_unknown_things_out_says_so_in_the_picture() {
        let report = |things: serde_json::Value| -> PhotoReport {
            serde_json::from_value(serde_json::json!({
                "photo": "a.jpg", "board": "carrom-court", "game": "court", "end": "far",
                "registration": {"method": "lines", "rms_px": 0.1, "mm_per_px": 0.6},
                "pieces": [], "tally": {"red": 0, "blue": 0}, "tally_probability": 0.7, "doubts": [],
                "foreign": things,
            }))
            .unwrap()
        };
        let says = |things| lines(&report(things)).iter().any(|(words, ..)| words.contains("unknown colour"));
        let thing = |reason: &str| serde_json::json!({"x_mm": 200.0, "y_mm": 1400.0, "reason": reason});
        assert!(says(serde_json::json!([thing("colour"), thing("too-many")])));
        assert!(!says(serde_json::json!([thing("too-many")])));
    }
}
