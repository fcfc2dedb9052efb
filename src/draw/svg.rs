//! Building SVG text, shape by shape.

use std::fmt::{self, Write};

use base64::Engine;
use base64::engine::general_purpose::STANDARD as BASE64;
use image::RgbImage;

use super::style::{Align, Ink, Style, TextStyle};
use super::{DrawError, font};

/// A drawing under construction; later shapes cover earlier ones. A shape with a coordinate that
/// is not finite is left out, because one such number would make the whole drawing unreadable.
#[derive(Debug, Clone, PartialEq)]
pub struct Svg {
    width: f64,
    height: f64,
    body: String,
}

impl Svg {
    /// An empty, transparent drawing.
    pub fn new(width: f64, height: f64) -> Self {
        Self { width, height, body: String::new() }
    }

    pub fn width(&self) -> f64 {
        self.width
    }

    pub fn height(&self) -> f64 {
        self.height
    }

    pub fn line(&mut self, from: [f64; 2], to: [f64; 2], style: &Style) {
        let attributes = [("x1", from[0]), ("y1", from[1]), ("x2", to[0]), ("y2", to[1])];
        self.shape("line", &attributes, style);
    }

    pub fn circle(&mut self, centre: [f64; 2], radius: f64, style: &Style) {
        self.shape("circle", &[("cx", centre[0]), ("cy", centre[1]), ("r", radius)], style);
    }

    /// A rectangle by its top left corner and its size.
    pub fn rectangle(&mut self, corner: [f64; 2], size: [f64; 2], style: &Style) {
        self.rounded_rectangle(corner, size, 0.0, style);
    }

    pub fn rounded_rectangle(&mut self, corner: [f64; 2], size: [f64; 2], radius: f64, style: &Style) {
        let attributes =
            [("x", corner[0]), ("y", corner[1]), ("width", size[0]), ("height", size[1]), ("rx", radius)];
        self.shape("rect", &attributes, style);
    }

    /// An open line through all points.
    pub fn polyline(&mut self, points: &[[f64; 2]], style: &Style) {
        self.points("polyline", points, style);
    }

    /// A closed outline through all points.
    pub fn polygon(&mut self, points: &[[f64; 2]], style: &Style) {
        self.points("polygon", points, style);
    }

    /// A path in SVG's own notation (`M 0 0 L 10 5 Z`), for arcs and curves.
    pub fn path(&mut self, notation: &str, style: &Style) {
        let element = format!("<path d=\"{}\"{}/>\n", escaped(notation), paint(style));
        self.body += &element;
    }

    /// Text whose position is on its baseline.
    pub fn text(&mut self, at: [f64; 2], text: &str, style: &TextStyle) {
        let [x, y] = at;
        if ![x, y, style.size, style.turn_deg].iter().all(|n| n.is_finite()) {
            return;
        }
        let anchor = match style.align {
            Align::Start => "start",
            Align::Middle => "middle",
            Align::End => "end",
        };
        let mut element = format!(
            "<text x=\"{}\" y=\"{}\" font-size=\"{}\" text-anchor=\"{anchor}\"",
            Number(x),
            Number(y),
            Number(style.size)
        );
        if style.bold {
            element += " font-weight=\"bold\"";
        }
        element += &ink_attribute("fill", style.ink);
        if let Some((ink, width)) = style.halo {
            element += &ink_attribute("stroke", ink);
            element += &format!(
                " stroke-width=\"{}\" stroke-linejoin=\"round\" paint-order=\"stroke\"",
                Number(width)
            );
        }
        if style.turn_deg != 0.0 {
            element +=
                &format!(" transform=\"rotate({} {} {})\"", Number(style.turn_deg), Number(x), Number(y));
        }
        element += &format!(">{}</text>\n", escaped(text));
        self.body += &element;
    }

    /// A picture within the drawing, embedded without loss. To draw over a whole photo,
    /// [`super::draw_over`] is much faster.
    pub fn picture(&mut self, corner: [f64; 2], size: [f64; 2], picture: &RgbImage) -> Result<(), DrawError> {
        let mut png = std::io::Cursor::new(Vec::new());
        picture.write_to(&mut png, image::ImageFormat::Png)?;
        let element = format!(
            "<image x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" preserveAspectRatio=\"none\" \
             href=\"data:image/png;base64,{}\"/>\n",
            Number(corner[0]),
            Number(corner[1]),
            Number(size[0]),
            Number(size[1]),
            BASE64.encode(png.get_ref())
        );
        self.body += &element;
        Ok(())
    }

    /// Everything that `draw` adds, seen only within the closed outline through `points`.
    pub fn clipped(&mut self, points: &[[f64; 2]], draw: impl FnOnce(&mut Svg)) {
        // The body's length is unique within the drawing, and the same in every run.
        let id = format!("clip{}", self.body.len());
        let mut inner = Svg::new(self.width, self.height);
        draw(&mut inner);
        let mut outline = Svg::new(self.width, self.height);
        outline.polygon(points, &Style::default());
        self.body += &format!(
            "<clipPath id=\"{id}\">{}</clipPath><g clip-path=\"url(#{id})\">\n{}</g>\n",
            outline.body.trim_end(),
            inner.body
        );
    }

    fn points(&mut self, name: &str, points: &[[f64; 2]], style: &Style) {
        if !points.iter().flatten().all(|n| n.is_finite()) {
            return;
        }
        let list: Vec<_> = points.iter().map(|&[x, y]| format!("{},{}", Number(x), Number(y))).collect();
        let element = format!("<{name} points=\"{}\"{}/>\n", list.join(" "), paint(style));
        self.body += &element;
    }

    fn shape(&mut self, name: &str, attributes: &[(&str, f64)], style: &Style) {
        if !attributes.iter().all(|(_, n)| n.is_finite()) {
            return;
        }
        let mut element = format!("<{name}");
        for (key, value) in attributes {
            element += &format!(" {key}=\"{}\"", Number(*value));
        }
        element += &paint(style);
        element += "/>\n";
        self.body += &element;
    }
}

/// The whole SVG file.
impl fmt::Display for Svg {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (width, height) = (Number(self.width), Number(self.height));
        writeln!(
            f,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
             viewBox=\"0 0 {width} {height}\" font-family=\"{}, sans-serif\">",
            font::FAMILY
        )?;
        f.write_str(&self.body)?;
        f.write_str("</svg>\n")
    }
}

fn paint(style: &Style) -> String {
    let mut attributes = match style.fill {
        Some(ink) => ink_attribute("fill", ink),
        None => " fill=\"none\"".to_owned(),
    };
    if let Some(ink) = style.stroke {
        attributes += &ink_attribute("stroke", ink);
        attributes += &format!(
            " stroke-width=\"{}\" stroke-linecap=\"round\" stroke-linejoin=\"round\"",
            Number(style.stroke_width)
        );
        if !style.dashes.is_empty() {
            let dashes: Vec<_> = style.dashes.iter().map(|d| Number(*d).to_string()).collect();
            attributes += &format!(" stroke-dasharray=\"{}\"", dashes.join(" "));
        }
    }
    attributes
}

fn ink_attribute(name: &str, ink: Ink) -> String {
    let [r, g, b] = ink.rgb;
    let mut attribute = format!(" {name}=\"#{r:02x}{g:02x}{b:02x}\"");
    if ink.alpha < 1.0 {
        attribute += &format!(" {name}-opacity=\"{}\"", Number(ink.alpha.max(0.0)));
    }
    attribute
}

/// Text as XML carries it; what XML cannot carry at all becomes the replacement character.
pub(crate) fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out += "&amp;",
            '<' => out += "&lt;",
            '>' => out += "&gt;",
            '"' => out += "&quot;",
            '\t' | '\n' | '\r' => out.push(' '),
            c if c.is_control() || matches!(c, '\u{fffe}' | '\u{ffff}') => out.push('\u{fffd}'),
            c => out.push(c),
        }
    }
    out
}

/// A number with at most three decimals: a drawing's unit is a pixel or a millimetre.
struct Number(f64);

impl fmt::Display for Number {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut text = String::new();
        write!(text, "{:.3}", self.0)?;
        let text = text.trim_end_matches('0').trim_end_matches('.');
        f.write_str(if text == "-0" { "0" } else { text })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_short() {
        let text: Vec<_> =
            [0.0, -0.0001, 1.5, 100.0, -2.0626, 1e6].iter().map(|n| Number(*n).to_string()).collect();
        assert_eq!(text, ["0", "0", "1.5", "100", "-2.063", "1000000"]);
    }

    #[test]
    fn text_cannot_break_out_of_the_drawing() {
        let mut svg = Svg::new(10.0, 10.0);
        svg.text([0.0, 5.0], "<b a=\"1\">&\u{0}\n", &TextStyle::new(3.0));
        assert!(svg.to_string().contains(">&lt;b a=&quot;1&quot;&gt;&amp;\u{fffd} </text>"));
    }

    #[test]
    fn shapes_without_a_place_are_left_out() {
        let mut svg = Svg::new(10.0, 10.0);
        let style = Style::filled(Ink::BLACK);
        svg.circle([f64::NAN, 1.0], 1.0, &style);
        svg.polygon(&[[0.0, 0.0], [f64::INFINITY, 0.0], [1.0, 1.0]], &style);
        svg.text([0.0, f64::NAN], "lost", &TextStyle::new(3.0));
        assert_eq!(svg, Svg::new(10.0, 10.0));
    }
}
