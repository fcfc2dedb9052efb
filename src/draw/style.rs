//! How shapes and text look.

/// A colour with its opacity (0 to 1).
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Ink {
    pub rgb: [u8; 3],
    pub alpha: f64,
}

impl Ink {
    pub const BLACK: Ink = Ink::rgb(0, 0, 0);
    pub const WHITE: Ink = Ink::rgb(255, 255, 255);

    pub const fn rgb(red: u8, green: u8, blue: u8) -> Self {
        Self { rgb: [red, green, blue], alpha: 1.0 }
    }

    /// The same colour with another opacity.
    pub const fn alpha(self, alpha: f64) -> Self {
        Self { alpha, ..self }
    }

    /// Mixed with `other`: 0 is this colour, 1 the other.
    pub fn mixed(self, other: Ink, share: f64) -> Self {
        let mix = |a: u8, b: u8| (f64::from(a) + (f64::from(b) - f64::from(a)) * share).round() as u8;
        Self { rgb: std::array::from_fn(|i| mix(self.rgb[i], other.rgb[i])), ..self }
    }
}

impl From<crate::board::Colour> for Ink {
    fn from(colour: crate::board::Colour) -> Self {
        Self { rgb: colour.0, alpha: 1.0 }
    }
}

/// How a shape is filled and outlined. Ends and corners of outlines are round.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Style {
    pub fill: Option<Ink>,
    pub stroke: Option<Ink>,
    pub stroke_width: f64,
    /// Lengths of dashes and the spaces between them; empty for a solid outline.
    pub dashes: Vec<f64>,
}

impl Style {
    pub fn filled(ink: Ink) -> Self {
        Self { fill: Some(ink), ..Self::default() }
    }

    pub fn stroked(ink: Ink, width: f64) -> Self {
        Self { stroke: Some(ink), stroke_width: width, ..Self::default() }
    }

    pub fn with_fill(self, ink: Ink) -> Self {
        Self { fill: Some(ink), ..self }
    }

    pub fn with_stroke(self, ink: Ink, width: f64) -> Self {
        Self { stroke: Some(ink), stroke_width: width, ..self }
    }

    pub fn dashed(self, dashes: &[f64]) -> Self {
        Self { dashes: dashes.to_vec(), ..self }
    }
}

/// Which point of a text its position is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Align {
    #[default]
    Start,
    Middle,
    End,
}

/// How text looks. Its position is on the baseline.
#[derive(Debug, Clone, PartialEq)]
pub struct TextStyle {
    pub size: f64,
    pub ink: Ink,
    pub bold: bool,
    pub align: Align,
    /// Clockwise turn about the text's position.
    pub turn_deg: f64,
    /// An outline behind the letters that keeps them legible on a photo: its colour and width.
    pub halo: Option<(Ink, f64)>,
}

impl TextStyle {
    pub fn new(size: f64) -> Self {
        Self { size, ink: Ink::BLACK, bold: false, align: Align::Start, turn_deg: 0.0, halo: None }
    }

    pub fn ink(self, ink: Ink) -> Self {
        Self { ink, ..self }
    }

    pub fn bold(self) -> Self {
        Self { bold: true, ..self }
    }

    pub fn align(self, align: Align) -> Self {
        Self { align, ..self }
    }

    pub fn turned(self, turn_deg: f64) -> Self {
        Self { turn_deg, ..self }
    }

    pub fn halo(self, ink: Ink, width: f64) -> Self {
        Self { halo: Some((ink, width)), ..self }
    }
}
