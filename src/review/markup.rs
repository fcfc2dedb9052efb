//! Text and numbers as HTML and SVG carry them.

use std::fmt;

use crate::draw;

/// Text that cannot break out of an element or a quoted attribute.
pub(super) fn text(text: &str) -> String {
    draw::escaped(text)
}

/// A number with at most five decimals: a drawing's unit is a millimetre of paper.
pub(super) struct N(pub f64);

impl fmt::Display for N {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // One that is not finite would make the whole drawing unreadable.
        let value = if self.0.is_finite() { self.0 } else { 0.0 };
        let text = format!("{value:.5}");
        let text = text.trim_end_matches('0').trim_end_matches('.');
        f.write_str(if text == "-0" { "0" } else { text })
    }
}

/// A path through points.
pub(super) fn path(points: impl IntoIterator<Item = [f64; 2]>) -> String {
    let mut d = String::new();
    for (index, [x, y]) in points.into_iter().enumerate() {
        // A thousandth of a millimetre of paper is finer than any print.
        d += &format!("{}{:.3} {:.3}", if index == 0 { "M" } else { "L" }, x, y);
    }
    d
}
