//! Drawings for people: board sheets, annotated photos, review pages.
//!
//! In: shapes and text in the drawing's own units (y down, origin at the top left). Out: SVG text,
//! or pixels. The fonts are embedded, so a drawing looks the same on every machine. SVG is the one
//! form of every drawing: it opens in a browser as it is, and [`rasterise`] makes a picture of it.
//!
//! ```
//! use linecall::draw::{Ink, Style, Svg, TextStyle, rasterise};
//!
//! let mut svg = Svg::new(120.0, 60.0);
//! svg.rectangle([0.0, 0.0], [120.0, 60.0], &Style::filled(Ink::WHITE));
//! svg.circle([30.0, 30.0], 20.0, &Style::stroked(Ink::rgb(184, 31, 42), 2.0));
//! svg.text([60.0, 34.0], "0.42 ± 0.07 mm", &TextStyle::new(7.0));
//! let picture = rasterise(&svg, 2.0)?;
//! assert_eq!(picture.dimensions(), (240, 120));
//! # Ok::<(), linecall::draw::DrawError>(())
//! ```

mod font;
mod raster;
mod sheet;
mod style;
mod svg;

pub use font::text_width;
pub use raster::{MAX_PIXELS, draw_over, rasterise};
pub use sheet::board_sheet;
pub use style::{Align, Ink, Style, TextStyle};
pub use svg::Svg;
pub(crate) use svg::escaped;

/// Why a drawing could not be made.
#[derive(Debug, thiserror::Error)]
pub enum DrawError {
    #[error("a drawing of {width} x {height} pixels cannot be made: expected 1 to {MAX_PIXELS} pixels")]
    Size { width: f64, height: f64 },
    #[error("the drawing is not valid SVG: {0}")]
    Svg(#[from] resvg::usvg::Error),
    #[error("the picture within the drawing cannot be encoded: {0}")]
    Picture(#[from] image::ImageError),
}
