//! Pixels of a drawing.

use image::{RgbImage, Rgba, RgbaImage};
use resvg::tiny_skia::{Pixmap, PremultipliedColorU8, Transform};
use resvg::usvg;

use super::{DrawError, Svg, font};

/// The largest picture that is made: a scale typed wrong should be refused, not fill the memory.
pub const MAX_PIXELS: u64 = 150_000_000;

/// Draws into a new, transparent picture; `scale` is in pixels a unit of the drawing.
pub fn rasterise(svg: &Svg, scale: f64) -> Result<RgbaImage, DrawError> {
    let (width, height) = ((svg.width() * scale).ceil(), (svg.height() * scale).ceil());
    let pixmap = render(svg, width, height, scale)?;
    let mut picture = RgbaImage::new(pixmap.width(), pixmap.height());
    for (pixel, drawn) in picture.pixels_mut().zip(pixmap.pixels()) {
        let colour = drawn.demultiply();
        *pixel = Rgba([colour.red(), colour.green(), colour.blue(), colour.alpha()]);
    }
    Ok(picture)
}

/// Draws over a picture; one unit of the drawing is one pixel, and (0, 0) is the **corner** of the
/// top left pixel, so a place measured from that pixel's centre is drawn half a unit further.
pub fn draw_over(picture: &mut RgbImage, svg: &Svg) -> Result<(), DrawError> {
    let overlay = render(svg, f64::from(picture.width()), f64::from(picture.height()), 1.0)?;
    for (pixel, drawn) in picture.pixels_mut().zip(overlay.pixels()) {
        if drawn.alpha() > 0 {
            pixel.0 = over(pixel.0, *drawn);
        }
    }
    Ok(())
}

fn over(below: [u8; 3], drawn: PremultipliedColorU8) -> [u8; 3] {
    let uncovered = 255 - u32::from(drawn.alpha());
    let ink = [drawn.red(), drawn.green(), drawn.blue()];
    std::array::from_fn(|i| {
        let sum = u32::from(ink[i]) + (u32::from(below[i]) * uncovered + 127) / 255;
        sum.min(255) as u8
    })
}

fn render(svg: &Svg, width: f64, height: f64, scale: f64) -> Result<Pixmap, DrawError> {
    let wrong_size = || DrawError::Size { width, height };
    if !(width >= 1.0 && height >= 1.0 && width * height <= MAX_PIXELS as f64) {
        return Err(wrong_size());
    }
    let mut pixmap = Pixmap::new(width as u32, height as u32).ok_or_else(wrong_size)?;
    let options = usvg::Options {
        font_family: font::FAMILY.to_owned(),
        fontdb: font::database(),
        ..usvg::Options::default()
    };
    let tree = usvg::Tree::from_str(&svg.to_string(), &options)?;
    let scale = scale as f32;
    resvg::render(&tree, Transform::from_scale(scale, scale), &mut pixmap.as_mut());
    Ok(pixmap)
}

#[cfg(test)]
mod tests {
    use super::super::{Ink, Style, TextStyle};
    use super::*;

    const RED: Ink = Ink::rgb(200, 30, 40);

    #[test]
    fn a_filled_square_covers_exactly_its_pixels() {
        let mut svg = Svg::new(8.0, 6.0);
        svg.rectangle([2.0, 1.0], [3.0, 2.0], &Style::filled(RED));
        let picture = rasterise(&svg, 2.0).unwrap();
        assert_eq!(picture.dimensions(), (16, 12));
        for (x, y, pixel) in picture.enumerate_pixels() {
            let inside = (4..10).contains(&x) && (2..6).contains(&y);
            assert_eq!(pixel.0, if inside { [200, 30, 40, 255] } else { [0; 4] }, "at {x}, {y}");
        }
    }

    #[test]
    fn text_is_drawn_with_the_embedded_font() {
        for bold in [false, true] {
            let mut svg = Svg::new(60.0, 20.0);
            let style = TextStyle { bold, ..TextStyle::new(14.0) };
            svg.text([2.0, 15.0], "10 mm ±", &style);
            let picture = rasterise(&svg, 1.0).unwrap();
            let dark = picture.pixels().filter(|p| p.0[3] > 128).count();
            assert!((80..600).contains(&dark), "{dark} pixels of text");
        }
    }

    #[test]
    fn drawing_over_a_photo_leaves_the_rest_untouched() {
        let below = [90, 120, 60];
        let mut photo = RgbImage::from_pixel(10, 4, image::Rgb(below));
        let mut svg = Svg::new(10.0, 4.0);
        svg.rectangle([0.0, 0.0], [5.0, 4.0], &Style::filled(RED));
        svg.rectangle([5.0, 0.0], [2.0, 4.0], &Style::filled(Ink::WHITE.alpha(0.5)));
        draw_over(&mut photo, &svg).unwrap();
        assert_eq!(photo.get_pixel(2, 2).0, RED.rgb);
        assert_eq!(photo.get_pixel(9, 2).0, below);
        for (mixed, below) in photo.get_pixel(6, 2).0.into_iter().zip(below) {
            assert!((f64::from(mixed) - (255.0 + f64::from(below)) / 2.0).abs() <= 1.0);
        }
    }

    #[test]
    fn an_embedded_picture_is_shown() {
        let mut svg = Svg::new(4.0, 4.0);
        svg.picture([1.0, 1.0], [2.0, 2.0], &RgbImage::from_pixel(2, 2, image::Rgb([9, 200, 77]))).unwrap();
        let picture = rasterise(&svg, 1.0).unwrap();
        assert_eq!(picture.get_pixel(1, 1).0, [9, 200, 77, 255]);
        assert_eq!(picture.get_pixel(0, 0).0[3], 0);
    }

    #[test]
    fn clipping_hides_what_is_outside() {
        let mut svg = Svg::new(4.0, 4.0);
        let corner = [[0.0, 0.0], [2.0, 0.0], [2.0, 2.0], [0.0, 2.0]];
        svg.clipped(&corner, |svg| svg.rectangle([0.0, 0.0], [4.0, 4.0], &Style::filled(RED)));
        let picture = rasterise(&svg, 1.0).unwrap();
        assert_eq!(picture.get_pixel(1, 1).0[3], 255);
        assert_eq!(picture.get_pixel(3, 3).0[3], 0);
    }

    #[test]
    fn impossible_sizes_are_refused() {
        for (width, scale) in [(0.0, 1.0), (10.0, 0.0), (10.0, 1e9), (f64::NAN, 1.0), (10.0, -1.0)] {
            assert!(matches!(rasterise(&Svg::new(width, 10.0), scale), Err(DrawError::Size { .. })));
        }
    }
}
