//! A close-up: the photo's pixels, what was fitted to them, and the gap as a dimension.

use std::fmt::Write;

use super::{length_words, nice_length};
use crate::review::{
    CloseUp, Dimension, Shape, ShapeKind,
    markup::{N, path, text},
};

/// The width of a letter against its height, on average.
const LETTER: f64 = 0.64;
const TEXT: f64 = 3.6;

/// The drawing. `index` tells the page's close-ups apart; `tight` is the tightest window, marked
/// in wider ones.
pub(in crate::review) fn close_up(view: &CloseUp, index: usize, tight: Option<&CloseUp>) -> String {
    let scale = view.enlargement;
    let [width, height] = view.size_mm.map(|side| side * scale);
    let mut svg = format!(
        "<svg class=\"drawing\" viewBox=\"0 0 {} {}\" role=\"img\" aria-label=\"{}\">\
         <clipPath id=\"window-{index}\"><rect width=\"{0}\" height=\"{1}\"/></clipPath>\
         <rect class=\"unseen\" width=\"{0}\" height=\"{1}\"/><g clip-path=\"url(#window-{index})\">",
        N(width),
        N(height),
        text(&view.title),
    );
    // Writing to a string cannot fail, here and below.
    let [a, b, c, d, e, f] = view.window_from_picture.map(|n| n * scale);
    let _ = write!(
        svg,
        "<image class=\"pixels\" width=\"{}\" height=\"{}\" preserveAspectRatio=\"none\" \
         transform=\"matrix({a:.8} {b:.8} {c:.8} {d:.8} {e:.6} {f:.6})\" href=\"{}\"/>",
        view.picture.size_px[0],
        view.picture.size_px[1],
        view.picture.data_uri(),
    );
    svg += "<defs>";
    for (number, shape) in view.shapes.iter().enumerate() {
        let d = path(shape.points.iter().map(|p| p.map(|n| n * scale)));
        let _ = write!(svg, "<path id=\"shape-{index}-{number}\" d=\"{d}\"/>");
    }
    svg += "</defs>";
    let used = |number: usize, part: &str, shape: &Shape, more: &str| {
        format!("<use class=\"{part} {}\"{more} href=\"#shape-{index}-{number}\"/>", class(shape.kind))
    };
    // All bands lie below all lines.
    for (number, shape) in view.shapes.iter().enumerate().filter(|(_, shape)| shape.sigma_mm > 0.0) {
        let width = format!(" stroke-width=\"{}\"", N(2.0 * shape.sigma_mm * scale));
        svg += &used(number, "band", shape, &width);
    }
    for (number, shape) in view.shapes.iter().enumerate() {
        svg += &used(number, "halo", shape, "");
        svg += &used(number, "line", shape, "");
    }
    if let (Some(tight), Some(Dimension { from, to, .. })) = (tight, &view.dimension) {
        let [w, h] = tight.size_mm.map(|side| side * scale);
        let (x, y) = ((from[0] + to[0]) / 2.0 * scale - w / 2.0, (from[1] + to[1]) / 2.0 * scale - h / 2.0);
        let _ = write!(
            svg,
            "<rect class=\"inset\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"/>",
            N(x),
            N(y),
            N(w),
            N(h)
        );
    }
    if let Some(gap) = &view.dimension {
        dimension(&mut svg, gap, scale, [width, height]);
    }
    svg += "</g>";
    scale_bar(&mut svg, scale, height);
    svg + "</svg>"
}

fn class(kind: ShapeKind) -> &'static str {
    match kind {
        ShapeKind::Footprint => "footprint",
        ShapeKind::VisibleOutline => "outline",
        ShapeKind::OtherPiece => "other",
        ShapeKind::MeasuredEdge => "measured",
        ShapeKind::AssumedEdge => "assumed",
        ShapeKind::DrawnPaint => "drawn",
        ShapeKind::SurfaceEdge => "surface",
        ShapeKind::Front => "front",
        ShapeKind::OtherFront => "other-front",
    }
}

/// What a close-up's lines mean, in the order of the legend: class and words.
pub(in crate::review) fn kinds(view: &CloseUp) -> Vec<(&'static str, &'static str)> {
    let all = [
        (ShapeKind::Footprint, "where the piece stands, ±1 σ"),
        (ShapeKind::VisibleOutline, "outline that the camera sees"),
        (ShapeKind::MeasuredEdge, "edge of the paint, measured, ±1 σ"),
        (ShapeKind::AssumedEdge, "edge of the paint, as drawn: not measured"),
        (ShapeKind::SurfaceEdge, "edge of the board or of a pocket"),
        (ShapeKind::Front, "its front"),
        (ShapeKind::OtherFront, "the other's front"),
        (ShapeKind::DrawnPaint, "paint as the board file draws it"),
        (ShapeKind::OtherPiece, "other pieces"),
    ];
    let [width, height] = view.size_mm;
    // A stretch is shown if the box around it meets the window: what is curved has short ones.
    let meets = |a: f64, b: f64, limit: f64| a.min(b) <= limit && a.max(b) >= 0.0;
    let is_shown = |shape: &Shape| {
        let mut stretches = shape.points.windows(2);
        stretches.any(|ends| meets(ends[0][0], ends[1][0], width) && meets(ends[0][1], ends[1][1], height))
    };
    all.into_iter()
        .filter(|(kind, _)| view.shapes.iter().any(|shape| shape.kind == *kind && is_shown(shape)))
        .map(|(kind, words)| (class(kind), words))
        .collect()
}

/// The gap between two extension lines, as draughtsmen do it: arrows inside where there is room,
/// else from outside.
fn dimension(svg: &mut String, gap: &Dimension, scale: f64, size: [f64; 2]) {
    let (from, to) = (gap.from.map(|n| n * scale), gap.to.map(|n| n * scale));
    let _ = write!(
        svg,
        "<line class=\"gap\" data-gap-mm=\"{}\" x1=\"{}\" y1=\"{}\" x2=\"{}\" y2=\"{}\"/>\
         <circle class=\"gap-end\" cx=\"{1}\" cy=\"{2}\" r=\"0.7\"/><circle class=\"gap-end\" cx=\"{3}\" cy=\"{4}\" r=\"0.7\"/>",
        N(gap.gap_mm),
        N(from[0]),
        N(from[1]),
        N(to[0]),
        N(to[1])
    );
    let length = (to[0] - from[0]).hypot(to[1] - from[1]);
    let Some(label) = gap.label.as_ref().filter(|_| length > 1e-6) else { return };
    let along = [(to[0] - from[0]) / length, (to[1] - from[1]) / length];
    // To the right, or up where the gap is level.
    let side = if along[1].abs() > 0.3 {
        [along[1].abs(), -along[0] * along[1].signum()]
    } else {
        [along[1] * -along[0].signum(), -along[0].abs()]
    };
    let aside = |p: [f64; 2], by: f64| [p[0] + side[0] * by, p[1] + side[1] * by];
    const NEAR: f64 = 2.0;
    const AT: f64 = 11.0;
    const FAR: f64 = 13.0;
    const ARROW: f64 = 2.2;
    let mut draw = |from: [f64; 2], to: [f64; 2]| {
        let _ = write!(svg, "<path class=\"dimension\" d=\"{}\"/>", path([from, to]));
    };
    for p in [from, to] {
        draw(aside(p, NEAR), aside(p, FAR));
    }
    let (one, two) = (aside(from, AT), aside(to, AT));
    let inside = length > 4.0 * ARROW;
    let reach = if inside { 0.0 } else { 3.0 * ARROW };
    let step = |p: [f64; 2], by: f64| [p[0] + along[0] * by, p[1] + along[1] * by];
    if inside {
        draw(one, two);
    } else {
        draw(step(one, -reach), one);
        draw(two, step(two, reach));
    }
    let turn = if inside { 1.0 } else { -1.0 };
    for (tip, way) in [(one, turn), (two, -turn)] {
        let back = step(tip, way * ARROW);
        let wing = |by: f64| [back[0] + side[0] * by, back[1] + side[1] * by];
        let _ = write!(svg, "<path class=\"arrow\" d=\"{}Z\"/>", path([tip, wing(0.8), wing(-0.8)]));
    }
    let (half_w, half_h) = (label.chars().count() as f64 * TEXT * LETTER / 2.0 + 1.5, TEXT * 0.75);
    let middle = [(one[0] + two[0]) / 2.0, (one[1] + two[1]) / 2.0];
    // Beyond the extension lines, and within the window.
    let out = FAR - AT + 1.0 + half_w * side[0].abs() + half_h * side[1].abs();
    let at = [middle[0] + side[0] * out, middle[1] + side[1] * out];
    let at = [
        at[0].clamp(half_w + 1.0, size[0] - half_w - 1.0),
        at[1].clamp(half_h + 1.0, size[1] - half_h - 1.0),
    ];
    let _ = write!(
        svg,
        "<rect class=\"plate\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" rx=\"1\"/>\
         <text class=\"plate-text\" x=\"{}\" y=\"{}\">{}</text>",
        N(at[0] - half_w),
        N(at[1] - half_h),
        N(2.0 * half_w),
        N(2.0 * half_h),
        N(at[0]),
        N(at[1] + TEXT * 0.36),
        text(label),
    );
}

fn scale_bar(svg: &mut String, scale: f64, height: f64) {
    const LONGEST: f64 = 26.0;
    let mm = nice_length(LONGEST / scale);
    let (left, y, long) = (5.0, height - 4.5, mm * scale);
    let words = format!("{} mm", length_words(mm));
    let _ = write!(
        svg,
        "<g class=\"scale-bar\" data-mm=\"{}\"><rect class=\"plate\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"8.5\" rx=\"1\"/>\
         <path class=\"bar-ends\" d=\"M{left} {y1}V{y2}M{right} {y1}V{y2}\"/>\
         <line class=\"bar\" x1=\"{left}\" y1=\"{y}\" x2=\"{right}\" y2=\"{y}\"/>\
         <text class=\"plate-text\" x=\"{}\" y=\"{}\">{words}</text></g>",
        N(mm),
        N(left - 3.0),
        N(height - 10.5),
        N(long.max(words.len() as f64 * TEXT * LETTER) + 6.0),
        N(left + long.max(words.len() as f64 * TEXT * LETTER) / 2.0),
        N(y - 1.8),
        left = N(left),
        right = N(left + long),
        y = N(y),
        y1 = N(y - 1.0),
        y2 = N(y + 1.0),
    );
}
