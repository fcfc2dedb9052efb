//! The board from straight above: the far end at the top, to scale.

use image::RgbImage;
use nalgebra::Point3;

use super::{AnnotateOptions, project::Projection};
use crate::{board::Board, camera::Camera, capture::Picture, geometry::Point};

/// Colour of what the photo does not show.
const UNSEEN: image::Rgb<u8> = image::Rgb([40, 40, 40]);

pub(crate) struct TopView<'a> {
    camera: &'a Camera,
    /// Far left corner of what is shown.
    corner: Point,
    px_per_mm: f64,
    size: [u32; 2],
}

impl<'a> TopView<'a> {
    /// The playing surface with a margin, cut to what the photo shows of it.
    pub(crate) fn new(board: &Board, camera: &'a Camera, options: &AnnotateOptions) -> Self {
        let (low, high) = seen_range(board, camera);
        let margin = nalgebra::Vector2::repeat(options.margin_mm);
        let (low, high) = (low - margin, high + margin);
        let span = high - low;
        let middle = low + span / 2.0;
        let photo_px_per_mm = camera.mm_per_px(middle).map_or(1.0, |mm| 1.0 / mm);
        let px_per_mm = photo_px_per_mm.min(options.top_view_px / span.x.max(span.y)).max(1e-3);
        let size = [span.x, span.y].map(|mm| (mm * px_per_mm).ceil().clamp(1.0, options.top_view_px) as u32);
        Self { camera, corner: Point::new(low.x, high.y), px_per_mm, size }
    }

    /// The photo turned into the view.
    pub(crate) fn rectified(&self, picture: &Picture) -> RgbImage {
        let [width, height] = picture.size().map(f64::from);
        RgbImage::from_fn(self.size[0], self.size[1], |x, y| {
            let point = self.board_point(f64::from(x) + 0.5, f64::from(y) + 0.5);
            let inside = |u: f64, v: f64| u >= 0.0 && v >= 0.0 && u <= width - 1.0 && v <= height - 1.0;
            match self.camera.image_from_board(point.x, point.y, 0.0) {
                Some(at) if inside(at.x, at.y) => between_pixels(picture.rgb(), at.x, at.y),
                _ => UNSEEN,
            }
        })
    }

    fn board_point(&self, x: f64, y: f64) -> Point {
        Point::new(self.corner.x + x / self.px_per_mm, self.corner.y - y / self.px_per_mm)
    }
}

/// Bilinear in the stored values: good enough for the eye. `u`, `v` lie inside the picture.
fn between_pixels(rgb: &RgbImage, u: f64, v: f64) -> image::Rgb<u8> {
    let (x, y) = (u as u32, v as u32);
    let (right, below) = ((x + 1).min(rgb.width() - 1), (y + 1).min(rgb.height() - 1));
    let (fx, fy) = (u - f64::from(x), v - f64::from(y));
    let [a, b, c, d] =
        [(x, y), (right, y), (x, below), (right, below)].map(|(x, y)| rgb.get_pixel(x, y).0.map(f64::from));
    image::Rgb(std::array::from_fn(|i| {
        let mixed = (a[i] * (1.0 - fx) + b[i] * fx) * (1.0 - fy) + (c[i] * (1.0 - fx) + d[i] * fx) * fy;
        mixed.round() as u8
    }))
}

/// The part of the surface that is in the picture, as lowest and highest coordinates.
pub(crate) fn seen_range(board: &Board, camera: &Camera) -> (Point, Point) {
    const STEPS: usize = 40;
    let (wide_mm, long_mm) = (board.surface.width_mm, board.surface.length_mm);
    let [width, height] = camera.image_size.map(f64::from);
    let mut low = Point::new(wide_mm, long_mm);
    let mut high = Point::new(0.0, 0.0);
    for i in 0..=STEPS {
        for j in 0..=STEPS {
            let p = Point::new(wide_mm * i as f64 / STEPS as f64, long_mm * j as f64 / STEPS as f64);
            let seen = camera
                .image_from_board(p.x, p.y, 0.0)
                .is_some_and(|at| at.x >= 0.0 && at.y >= 0.0 && at.x < width && at.y < height);
            if seen {
                low = low.inf(&p);
                high = high.sup(&p);
            }
        }
    }
    if low.x > high.x || low.y > high.y {
        return (Point::new(0.0, 0.0), Point::new(wide_mm, long_mm));
    }
    // What lies between two grid points may be seen too.
    let step = nalgebra::Vector2::new(wide_mm, long_mm) / STEPS as f64;
    let (low, high) = (low - step, high + step);
    (low.sup(&Point::new(0.0, 0.0)), high.inf(&Point::new(wide_mm, long_mm)))
}

impl Projection for TopView<'_> {
    /// What stands above the surface appears where the photo shows it: away from the camera.
    fn place(&self, p: Point3<f64>) -> Option<[f64; 2]> {
        let on_surface = if p.z == 0.0 {
            Point::new(p.x, p.y)
        } else {
            let at = self.camera.image_from_board(p.x, p.y, p.z)?;
            self.camera.board_from_image(at.x, at.y, 0.0)?
        };
        let from = on_surface - self.corner;
        Some([from.x * self.px_per_mm, -from.y * self.px_per_mm])
    }
}
