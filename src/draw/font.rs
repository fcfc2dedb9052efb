//! The embedded fonts: for the rasteriser, and to measure text before it is placed.

use std::sync::{Arc, LazyLock};

use resvg::usvg::fontdb;
use skrifa::instance::{LocationRef, Size};
use skrifa::{FontRef, MetadataProvider};

/// The family name that drawings ask for.
pub(super) const FAMILY: &str = "DejaVu Sans";

const REGULAR: &[u8] = include_bytes!("font/DejaVuSans.ttf");
const BOLD: &[u8] = include_bytes!("font/DejaVuSans-Bold.ttf");

static DATABASE: LazyLock<Arc<fontdb::Database>> = LazyLock::new(|| {
    let mut database = fontdb::Database::new();
    for data in [REGULAR, BOLD] {
        database.load_font_source(fontdb::Source::Binary(Arc::new(data)));
    }
    // Any family a drawing names falls back to the embedded one.
    database.set_sans_serif_family(FAMILY);
    database.set_serif_family(FAMILY);
    database.set_monospace_family(FAMILY);
    Arc::new(database)
});

/// Only the embedded fonts: the machine's own would make pictures differ between machines.
pub(super) fn database() -> Arc<fontdb::Database> {
    Arc::clone(&DATABASE)
}

/// How wide a text is, in the units of `size`. Kerning is left out, so it is exact to a few
/// hundredths of the size: enough to place labels.
pub fn text_width(text: &str, size: f64, bold: bool) -> f64 {
    let Ok(font) = FontRef::new(if bold { BOLD } else { REGULAR }) else {
        // The embedded fonts are read by a test; a plain guess is better than no label.
        return text.chars().count() as f64 * size * 0.6;
    };
    let glyphs = font.charmap();
    let metrics = font.glyph_metrics(Size::new(size as f32), LocationRef::default());
    text.chars()
        .map(|c| metrics.advance_width(glyphs.map(c).unwrap_or_default()).unwrap_or_default())
        .map(f64::from)
        .sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn embedded_fonts_hold_every_sign_that_drawings_use() {
        for data in [REGULAR, BOLD] {
            let glyphs = FontRef::new(data).expect("the embedded font is readable").charmap();
            for sign in "0123456789 AZaz äöüßéñ ±×−≤≥≈σδ° … – • → ✓ ✗ ⚠ ⌀".chars()
            {
                assert!(glyphs.map(sign).is_some(), "no glyph for {sign:?}");
            }
        }
    }

    #[test]
    fn width_grows_with_text_size_and_weight() {
        let width = text_width("12.5 mm", 10.0, false);
        assert!((30.0..60.0).contains(&width), "{width}");
        assert!((text_width("12.5 mm", 20.0, false) - 2.0 * width).abs() < 1e-3);
        assert!(text_width("12.5 mm", 10.0, true) > width);
        assert_eq!(text_width("", 10.0, false), 0.0);
    }
}
