//! The box that says what the photo came to.

use super::{
    label::{Box2, Labels},
    look::{CLEAR, EXPECTED, Look, PANEL, TOO_CLOSE, TOUCHING},
};
use crate::{
    draw::{Ink, Style, Svg, TextStyle, text_width},
    score::Scored,
};

/// Draws the box into the upper left corner and keeps labels off it.
pub(super) fn tally_box(svg: &mut Svg, labels: &mut Labels, look: &Look, scored: &Scored) {
    let text = look.options.text_units * look.unit * 1.2;
    let lines = lines(scored);
    let width = lines.iter().map(|(words, _)| text_width(words, text, true)).fold(0.0, f64::max);
    let legend =
        [(CLEAR, "clear"), (TOUCHING, "touching"), (TOO_CLOSE, "too close"), (EXPECTED, "board file")];
    let legend_text = text * 0.8;
    let entry = |words: &str| text_width(words, legend_text, false) + legend_text * 2.0;
    let legend_width: f64 = legend.iter().map(|(_, words)| entry(words)).sum();
    let size = [width.max(legend_width) + text * 1.6, text * (1.45 * (lines.len() + 1) as f64 + 0.7)];
    let corner = [text * 0.6; 2];
    svg.rounded_rectangle(corner, size, text * 0.4, &Style::filled(PANEL));
    labels.reserve(Box2 { low: [0.0, 0.0], high: [corner[0] + size[0], corner[1] + size[1]] });
    let left = corner[0] + text * 0.8;
    let mut baseline = corner[1] + text * 1.4;
    for (words, ink) in &lines {
        svg.text([left, baseline], words, &TextStyle::new(text).ink(*ink).bold());
        baseline += text * 1.45;
    }
    let mut x = left;
    for (ink, words) in legend {
        svg.circle(
            [x + legend_text * 0.4, baseline - legend_text * 0.33],
            legend_text * 0.36,
            &Style::filled(ink),
        );
        svg.text([x + legend_text, baseline], words, &TextStyle::new(legend_text).ink(Ink::WHITE));
        x += entry(words);
    }
}

fn lines(scored: &Scored) -> Vec<(String, Ink)> {
    let report = &scored.report;
    let mut lines = vec![(format!("{}, {}", report.board, report.game), Ink::WHITE.alpha(0.75))];
    if let Some(counts) = &report.on_board {
        let words: Vec<_> = counts.iter().map(|(name, count)| format!("{count} {name}")).collect();
        lines.push((words.join("  "), Ink::WHITE));
    }
    let close = report.pieces.iter().filter(|piece| piece.is_close()).count();
    if close > 0 {
        lines.push((format!("{close} too close to call"), TOO_CLOSE));
    }
    lines
}
