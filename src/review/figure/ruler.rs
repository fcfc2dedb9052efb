//! The gap on a ruler: where it lies with its error bar, and what is called from where on.

use std::fmt::Write;

use super::{WIDTH, length_words, nice_length, tone};
use crate::review::{
    Against, Gap, Tone,
    markup::{N, text},
};

const HEIGHT: f64 = 33.0;
const AXIS: f64 = 24.0;
const TOP: f64 = 1.0;
/// Where the error bar lies, and how far up the zero line reaches: not into the words.
const BAR: f64 = 18.0;
const BAR_TOP: f64 = 14.0;
/// Beside the ruler's ends.
const MARGIN: f64 = 2.0;

pub(in crate::review) fn ruler(gap: &Gap) -> String {
    let called_mm = gap.called_from_mm;
    let reach_mm = (1.08 * gap.gap_mm.abs() + 1.25 * called_mm).max(2.0 * called_mm).max(1e-3);
    let x = |mm: f64| WIDTH / 2.0 + mm / reach_mm * (WIDTH / 2.0 - MARGIN);
    let [left, right] = [-reach_mm, reach_mm].map(x);
    let mut svg = format!(
        "<svg class=\"drawing ruler\" viewBox=\"0 0 {} {HEIGHT}\" role=\"img\" aria-label=\"{}\">",
        N(WIDTH),
        text(&format!("{}: {}", gap.name, gap.stated())),
    );
    let mut zone = |class: &str, from: f64, to: f64| {
        let _ = write!(
            svg,
            "<rect class=\"zone {class}\" x=\"{}\" y=\"{TOP}\" width=\"{}\" height=\"{}\"/>",
            N(from),
            N(to - from),
            N(AXIS - TOP)
        );
    };
    let [below, above] = gap.tones;
    zone(tone(below), left, x(-called_mm));
    zone(tone(Tone::Open), x(-called_mm), x(called_mm));
    zone(tone(above), x(called_mm), right);
    let mut label = |class: &str, at: f64, y: f64, words: &str| {
        let _ = write!(svg, "<text class=\"{class}\" x=\"{}\" y=\"{}\">{}</text>", N(at), N(y), text(words));
    };
    label("zone-name start", left + 1.0, TOP + 3.8, &gap.below);
    label("zone-name end", right - 1.0, TOP + 3.8, &gap.above);
    let outer_width = x(-called_mm) - left;
    let room = 2.0 * called_mm / reach_mm * (WIDTH / 2.0 - MARGIN);
    if room > 18.0 && outer_width > 0.0 {
        label("zone-name middle", x(0.0), TOP + 3.8, "too close");
    }
    let step_mm = nice_length(reach_mm / 1.9);
    let ticks = (reach_mm / step_mm).floor() as i32;
    for tick in -ticks..=ticks {
        let mm = f64::from(tick) * step_mm;
        let shown_mm = if gap.against == Against::Piece { mm.abs() } else { mm };
        label("tick-name", x(mm), AXIS + 6.0, &length_words(shown_mm));
    }
    let _ = write!(svg, "<path class=\"axis\" d=\"M{} {AXIS}H{}", N(left), N(right));
    let small = (reach_mm / (step_mm / 5.0)).floor() as i32;
    for tick in -small..=small {
        let long = if tick % 5 == 0 { 2.4 } else { 1.2 };
        let _ = write!(svg, "M{} {AXIS}v{long}", N(x(f64::from(tick) * step_mm / 5.0)));
    }
    let _ = write!(svg, "\"/><path class=\"zero\" d=\"M{} {BAR_TOP}V{}\"/>", N(x(0.0)), N(AXIS + 2.4));
    let y = BAR;
    let [low, high] = [gap.gap_mm - called_mm, gap.gap_mm + called_mm].map(x);
    let _ = write!(
        svg,
        "<path class=\"whisker\" d=\"M{low} {y}H{high}M{low} {y1}V{y2}M{high} {y1}V{y2}\"/>\
         <line class=\"sigma\" x1=\"{}\" x2=\"{}\" y1=\"{y}\" y2=\"{y}\"/>\
         <circle class=\"measured-gap\" data-gap-mm=\"{}\" cx=\"{}\" cy=\"{y}\" r=\"1.5\"/>",
        N(x(gap.gap_mm - gap.sigma_mm)),
        N(x(gap.gap_mm + gap.sigma_mm)),
        N(gap.gap_mm),
        N(x(gap.gap_mm)),
        low = N(low),
        high = N(high),
        y1 = N(y - 1.5),
        y2 = N(y + 1.5),
    );
    // Half of the widest such words.
    const HALF: f64 = 23.0;
    let (stated, at) = (gap.stated(), x(gap.gap_mm).clamp(left + HALF, right - HALF));
    let _ = write!(
        svg,
        "<text class=\"stated\" x=\"{}\" y=\"{}\">{stated}</text></svg>",
        N(at),
        N(BAR_TOP - 2.2)
    );
    svg
}
