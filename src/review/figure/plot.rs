//! The same gap in other frames, over time.

use std::fmt::Write;

use super::{WIDTH, length_words, nice_length};
use crate::review::{Gap, OtherMeasurement, markup::N};

const HEIGHT: f64 = 36.0;
const LEFT: f64 = 12.0;
const RIGHT: f64 = WIDTH - 3.0;
const TOP: f64 = 3.0;
const BOTTOM: f64 = 28.0;

/// The called frame's own gap is at 0 seconds.
pub(in crate::review) fn plot(gap: &Gap, others: &[OtherMeasurement]) -> String {
    let called = OtherMeasurement { at_secs: 0.0, gap_mm: gap.gap_mm, sigma_mm: gap.sigma_mm };
    let all = || others.iter().chain([&called]);
    let fold = |pick: fn(f64, f64) -> f64, first: f64, of: &dyn Fn(&OtherMeasurement) -> f64| {
        all().map(of).filter(|n| n.is_finite()).fold(first, pick)
    };
    let low = fold(f64::min, 0.0, &|m| m.gap_mm - m.sigma_mm);
    let high = fold(f64::max, 0.0, &|m| m.gap_mm + m.sigma_mm);
    let (room, first, last) = (
        (high - low).max(1e-3) * 0.1,
        fold(f64::min, 0.0, &|m| m.at_secs),
        fold(f64::max, 0.0, &|m| m.at_secs),
    );
    let (low, high) = (low - room, high + room);
    let span = (last - first).max(1e-3);
    let x = |secs: f64| LEFT + 3.0 + (secs - first) / span * (RIGHT - LEFT - 6.0);
    let y = |mm: f64| BOTTOM - (mm - low) / (high - low) * (BOTTOM - TOP);
    let mut svg = format!(
        "<svg class=\"drawing plot\" viewBox=\"0 0 {} {HEIGHT}\" role=\"img\" aria-label=\"The gap in {} frames\">\
         <path class=\"axis\" d=\"M{LEFT} {TOP}V{BOTTOM}H{RIGHT}\"/>\
         <path class=\"zero\" d=\"M{LEFT} {zero}H{RIGHT}\"/>",
        N(WIDTH),
        others.len() + 1,
        zero = N(y(0.0)),
    );
    let step = nice_length((high - low) / 2.5);
    for tick in (low / step).ceil() as i32..=(high / step).floor() as i32 {
        let mm = f64::from(tick) * step;
        let _ = write!(
            svg,
            "<text class=\"tick-name end\" x=\"{}\" y=\"{}\">{}</text>",
            N(LEFT - 1.5),
            N(y(mm) + 1.1),
            length_words(mm)
        );
    }
    let step = nice_length(span / 2.5);
    for tick in (first / step).ceil() as i32..=(last / step).floor() as i32 {
        let secs = f64::from(tick) * step;
        let _ = write!(
            svg,
            "<text class=\"tick-name\" x=\"{}\" y=\"{}\">{} s</text>",
            N(x(secs)),
            N(BOTTOM + 5.0),
            length_words(secs)
        );
    }
    for (index, m) in all().enumerate() {
        let class = if index == others.len() { "sample called" } else { "sample" };
        let _ = write!(
            svg,
            "<path class=\"{class}\" d=\"M{x} {}V{}\"/><circle class=\"{class}\" cx=\"{x}\" cy=\"{}\" r=\"0.9\"/>",
            N(y(m.gap_mm - m.sigma_mm)),
            N(y(m.gap_mm + m.sigma_mm)),
            N(y(m.gap_mm)),
            x = N(x(m.at_secs)),
        );
    }
    svg + "</svg>"
}
