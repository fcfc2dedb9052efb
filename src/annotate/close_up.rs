//! Close-ups of narrow gaps in a strip below the photo: tenths of a millimetre are less than a
//! pixel, and nobody believes what cannot be seen.

use image::{RgbImage, imageops};
use nalgebra::Point3;

use super::{
    AnnotateOptions,
    look::{EXPECTED, Look, PANEL, gap_ends, ink},
    project::{Photo, Projection, circle, curves, paint_edges},
};
use crate::{
    board::Board,
    capture::Picture,
    draw::{Align, DrawError, Ink, Style, Svg, TextStyle, draw_over, text_width},
    geometry::Point,
    score::{PieceReport, Scored, Seen},
};

/// A magnified part of the photo.
struct Window<'a> {
    photo: Photo<'a>,
    /// Upper left corner of the part, in the drawing's units of the photo.
    corner: [f64; 2],
    magnification: f64,
}

impl Projection for Window<'_> {
    fn place(&self, p: Point3<f64>) -> Option<[f64; 2]> {
        let at = self.photo.place(p)?;
        Some([0, 1].map(|i| (at[i] - self.corner[i]) * self.magnification))
    }
}

/// The photo with a strip of close-ups below it; as it is where no gap is narrow.
pub(super) fn with_close_ups(
    photo: RgbImage,
    picture: &Picture,
    board: &Board,
    scored: &Scored,
    options: &AnnotateOptions,
) -> Result<RgbImage, DrawError> {
    let mut narrow: Vec<(&PieceReport, &Seen, [Point; 2], f64)> = scored
        .report
        .pieces
        .iter()
        .zip(&scored.seen)
        .filter_map(|(piece, seen)| {
            let gap_mm = piece.contact.as_ref()?.gap_mm.abs();
            let ends = gap_ends(board, seen, piece, scored)?;
            (gap_mm <= options.close_up_gap_mm).then_some((piece, seen, ends, gap_mm))
        })
        .collect();
    narrow.sort_by(|a, b| a.3.total_cmp(&b.3).then(a.0.id.cmp(&b.0.id)));
    narrow.truncate(options.close_ups);
    if narrow.is_empty() {
        return Ok(photo);
    }
    let (width, height) = photo.dimensions();
    let tile = width / options.close_ups.max(1) as u32;
    let mut canvas = RgbImage::from_pixel(width, height + tile, image::Rgb([24, 26, 30]));
    imageops::replace(&mut canvas, &photo, 0, 0);
    for (index, (piece, seen, ends, _)) in narrow.into_iter().enumerate() {
        let close_up = close_up(tile, picture, board, scored, piece, seen, ends, options)?;
        imageops::replace(&mut canvas, &close_up, i64::from(tile) * index as i64, i64::from(height));
    }
    Ok(canvas)
}

#[allow(clippy::too_many_arguments)]
fn close_up(
    tile: u32,
    picture: &Picture,
    board: &Board,
    scored: &Scored,
    piece: &PieceReport,
    seen: &Seen,
    ends: [Point; 2],
    options: &AnnotateOptions,
) -> Result<RgbImage, DrawError> {
    let side = f64::from(tile);
    let camera = &scored.registration.camera;
    let photo = Photo::new(camera);
    let middle = photo.on_surface(ends[0]).unwrap_or([0.0, 0.0]);
    let px_per_mm = camera.mm_per_px(ends[0]).map_or(1.0, |mm| 1.0 / mm);
    let magnification = side / (options.close_up_mm * px_per_mm);
    let half = side / magnification / 2.0;
    let window = Window { photo, corner: [middle[0] - half, middle[1] - half], magnification };

    let mut enlarged = RgbImage::from_fn(tile, tile, |x, y| {
        let at = |value: u32, i: usize| (f64::from(value) + 0.5) / magnification + window.corner[i];
        pixel_or_black(picture.rgb(), at(x, 0).floor(), at(y, 1).floor())
    });
    let mut svg = Svg::new(side, side);
    let look = Look::new([side * 3.0; 2], options);
    let stroke = look.unit * 1.2;
    for line in &board.lines {
        for edge in paint_edges(&line.paint) {
            for part in curves(&window, edge.into_iter(), 0.0) {
                svg.polyline(&part, &Style::stroked(EXPECTED.alpha(0.55), stroke * 0.7));
            }
        }
    }
    let kind = &board.pieces[seen.candidate.kind];
    let base_mm = seen.candidate.base_mm;
    for (z_mm, ink, width) in
        [(base_mm + kind.height_mm, Ink::WHITE.alpha(0.7), 0.8), (base_mm, ink(piece), 1.6)]
    {
        for part in curves(&window, circle(seen.measurement.centre, kind.radius_mm()), z_mm) {
            svg.polyline(&part, &Style::stroked(ink, stroke * width));
        }
    }
    if let [Some(rim), Some(paint)] = ends.map(|end| window.on_surface(end)) {
        svg.line(rim, paint, &Style::stroked(ink(piece), stroke * 2.0));
        svg.circle(rim, stroke * 2.0, &Style::filled(ink(piece)));
        svg.circle(paint, stroke * 2.0, &Style::filled(EXPECTED));
    }
    caption(&mut svg, side, piece);
    svg.rectangle([0.0; 2], [side; 2], &Style::stroked(ink(piece), stroke));
    draw_over(&mut enlarged, &svg)?;
    Ok(enlarged)
}

fn caption(svg: &mut Svg, side: f64, piece: &PieceReport) {
    let Some(contact) = &piece.contact else { return };
    let text = side / 17.0;
    let sign = if contact.gap_mm < 0.0 { "−" } else { "+" };
    let lines = [
        format!("{} {}, {}", piece.colour, piece.id, contact.line),
        format!(
            "{sign}{:.2} ± {:.2} mm, touches {:.1} %",
            contact.gap_mm.abs(),
            contact.sigma_mm,
            contact.p_touching * 100.0
        ),
    ];
    svg.rectangle([0.0, side - text * 3.1], [side, text * 3.1], &Style::filled(PANEL));
    for (index, words) in lines.iter().enumerate() {
        let baseline = side - text * (3.1 - 1.2 - 1.3 * index as f64);
        let room = side * 0.96 / text_width(words, text, true).max(1.0);
        let style = TextStyle::new(text * room.min(1.0)).ink(Ink::WHITE).bold().align(Align::Middle);
        svg.text([side / 2.0, baseline], words, &style);
    }
}

fn pixel_or_black(rgb: &RgbImage, x: f64, y: f64) -> image::Rgb<u8> {
    let inside = x >= 0.0 && y >= 0.0 && x < f64::from(rgb.width()) && y < f64::from(rgb.height());
    if inside { *rgb.get_pixel(x as u32, y as u32) } else { image::Rgb([0; 3]) }
}
