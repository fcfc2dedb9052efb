//! What a table wears that no scene file says: print of any shape, on the surface and on the frame, worn
//! spots, powder, lacquer. Made by [`super::unknown`]; scenes from files wear nothing.

use crate::board::Colour;
use crate::geometry::{Paint, Point, Polygon};

use super::texture::noise;

/// A shape of paint in one colour.
#[derive(Debug, Clone, PartialEq)]
pub struct Print {
    pub mark: Mark,
    pub colour: Colour,
}

#[derive(Debug, Clone, PartialEq)]
pub enum Mark {
    Paint(Paint),
    Filled(Polygon),
}

impl Print {
    pub fn paint(paint: Paint, colour: Colour) -> Self {
        Self { mark: Mark::Paint(paint), colour }
    }

    pub fn filled(corners: Vec<Point>, colour: Colour) -> Self {
        Self { mark: Mark::Filled(Polygon::new(corners)), colour }
    }
}

#[derive(Debug, Clone, PartialEq, Default)]
pub struct Dress {
    /// Under the board's own paint.
    pub prints: Vec<Print>,
    /// On top of the rails.
    pub frame_prints: Vec<Print>,
    /// Share of the paint that play has worn off in patches, 0 to 1.
    pub worn_away: f64,
    /// Wax powder in streaks along the table, 0 to 1.
    pub powder: f64,
    /// Lacquered rails: the strength of their mirror.
    pub lacquer: Option<f64>,
}

/// Patches of bare wood are about so large.
const PATCH_MM: f64 = 70.0;
/// Scratches within them.
const SCRATCH_MM: f64 = 9.0;

impl Dress {
    /// What wear in patches leaves of paint at a place, 0 to 1.
    pub fn paint_left(&self, x: f64, y: f64, seed: u32) -> f64 {
        if self.worn_away <= 0.0 {
            return 1.0;
        }
        let patch = noise(x / PATCH_MM, y / PATCH_MM, seed ^ 0x9A7C)
            + 0.5 * noise(x / SCRATCH_MM, y / (2.0 * SCRATCH_MM), seed ^ 0x5C4A);
        // The noise is within -1.5 and 1.5, and mostly near 0.
        let bare = ((patch + 1.3 * (2.0 * self.worn_away - 1.0)) * 2.0).clamp(0.0, 1.0);
        1.0 - 0.93 * bare
    }

    /// The share of a place that powder covers; it lies in streaks along `along`.
    pub fn powder_at(&self, along: f64, across: f64, seed: u32) -> f64 {
        if self.powder <= 0.0 {
            return 0.0;
        }
        let streak = noise(across / 13.0, along / 260.0, seed ^ 0xF0D1)
            + 0.7 * noise(across / 55.0, along / 420.0, seed ^ 0xF0D2)
            + 0.5 * noise(across / 2.3, along / 6.0, seed ^ 0xF0D3);
        (self.powder * (streak + 0.1)).clamp(0.0, 0.8)
    }
}
