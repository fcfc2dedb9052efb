//! A window on the photo as if seen from straight above, at a true scale.
//!
//! In: the camera, a place of the board and an enlargement. Out: a [`CloseUp`]: the photo's own
//! pixels, untouched, with the matrix that lays them out, and everything drawn over them. The
//! matrix is the camera's derivative at the gap, so the scale is exact there; the lens and the
//! slant bend it by a few percent at the window's border, where what is drawn bends along.

use nalgebra::{Matrix2, Point3, Vector2};

use super::{CloseUp, Dimension, Encoded, Evidence, Shape, ShapeKind};
use crate::{
    camera::{Camera, Pixel},
    geometry::Point,
};

/// What a close-up is printed as, in mm of paper.
pub(super) const PAPER_MM: [f64; 2] = [92.0, 64.0];

/// In windows of more pixels than this none can be seen: they are shown for the place, not for the
/// measure, and a page should stay light.
const SEEN_PIXELS: u32 = 120_000;
const JPEG_SIDE_PX: u32 = 1200;
const JPEG_QUALITY: u8 = 88;

/// Enlargements that can be said in a word.
const ENLARGEMENTS: [f64; 18] = [
    40.0,
    30.0,
    20.0,
    15.0,
    10.0,
    8.0,
    5.0,
    4.0,
    3.0,
    2.0,
    1.5,
    1.0,
    1.0 / 1.5,
    1.0 / 2.0,
    1.0 / 3.0,
    1.0 / 4.0,
    1.0 / 5.0,
    1.0 / 10.0,
];

/// The largest enlargement that still shows `wanted_mm` of the board both ways.
pub(super) fn enlargement(wanted_mm: f64) -> f64 {
    let shortest_mm = PAPER_MM[0].min(PAPER_MM[1]);
    ENLARGEMENTS
        .into_iter()
        .find(|e| shortest_mm / e >= wanted_mm)
        .unwrap_or(ENLARGEMENTS[ENLARGEMENTS.len() - 1])
}

/// A window on the board: where its places are shown.
pub(super) struct Window<'a> {
    camera: &'a Camera,
    /// The pixel in which the gap is seen.
    anchor_px: Pixel,
    /// Window millimetres of a step by one pixel.
    mm_from_px: Matrix2<f64>,
    /// Where the anchor is in the window.
    anchor_mm: Vector2<f64>,
    pub size_mm: [f64; 2],
    enlargement: f64,
    mm_per_px: f64,
}

impl<'a> Window<'a> {
    /// A window with the scale exact at `anchor` and `middle` in its middle; `None` where the camera
    /// does not see them.
    pub fn new(camera: &'a Camera, anchor: Point, middle: Point, enlargement: f64) -> Option<Self> {
        let seen = camera.project(Point3::new(anchor.x, anchor.y, 0.0))?;
        let px_by_mm: Matrix2<f64> = seen.by_point.fixed_view::<2, 2>(0, 0).into_owned();
        // The turn nearest to how the photo shows the board, so that the close-up looks like it.
        let svd = px_by_mm.svd(true, true);
        let turn = svd.u? * svd.v_t?;
        let mm_from_px = turn * px_by_mm.try_inverse()?;
        let size_mm = PAPER_MM.map(|side| side / enlargement);
        let mut window = Self {
            camera,
            anchor_px: seen.pixel,
            mm_from_px,
            anchor_mm: Vector2::zeros(),
            size_mm,
            enlargement,
            mm_per_px: camera.mm_per_px(anchor)?,
        };
        let [x, y] = window.on_surface(middle)?;
        window.anchor_mm = Vector2::new(size_mm[0] / 2.0 - x, size_mm[1] / 2.0 - y);
        Some(window)
    }

    pub fn place(&self, p: Point3<f64>) -> Option<[f64; 2]> {
        let px = self.camera.image_from_board(p.x, p.y, p.z)?;
        let at = self.anchor_mm + self.mm_from_px * (px - self.anchor_px);
        Some([at.x, at.y])
    }

    pub fn on_surface(&self, p: Point) -> Option<[f64; 2]> {
        self.place(Point3::new(p.x, p.y, 0.0))
    }

    /// A curve at height `z_mm`: its parts in and around the window.
    pub fn curve(&self, points: &[Point], z_mm: f64) -> Vec<Vec<[f64; 2]>> {
        let near =
            |at: &[f64; 2]| (0..2).all(|i| at[i] >= -0.5 * self.size_mm[i] && at[i] <= 1.5 * self.size_mm[i]);
        let mut parts: Vec<Vec<[f64; 2]>> = vec![Vec::new()];
        for p in points {
            let place = self.place(Point3::new(p.x, p.y, z_mm)).filter(near);
            match (place, parts.last_mut()) {
                (Some(at), Some(part)) => part.push(at),
                (None, Some(part)) if !part.is_empty() => parts.push(Vec::new()),
                _ => {}
            }
        }
        parts.retain(|part| part.len() > 1);
        parts
    }

    pub fn shapes(&self, kind: ShapeKind, points: &[Point], z_mm: f64, sigma_mm: f64) -> Vec<Shape> {
        let parts = self.curve(points, z_mm);
        parts.into_iter().map(|points| Shape { kind, points, sigma_mm }).collect()
    }

    pub fn dimension(&self, ends: [Point; 2], gap_mm: f64, label: Option<String>) -> Option<Dimension> {
        Some(Dimension { from: self.on_surface(ends[0])?, to: self.on_surface(ends[1])?, gap_mm, label })
    }

    /// The window's corners in the photo, from its upper left corner.
    pub fn corners_px(&self) -> Option<[[f64; 2]; 4]> {
        let px_from_mm = self.mm_from_px.try_inverse()?;
        let [width, height] = self.size_mm;
        Some([[0.0, 0.0], [width, 0.0], [width, height], [0.0, height]].map(|[x, y]| {
            let px = self.anchor_px + px_from_mm * (Vector2::new(x, y) - self.anchor_mm);
            // A pixel's corner is half a pixel up and left of its centre.
            [px.x + 0.5, px.y + 0.5]
        }))
    }

    /// The close-up with the photo's pixels below the shapes.
    pub fn close_up(
        &self,
        title: &str,
        evidence: &Evidence,
        shapes: Vec<Shape>,
        dimension: Option<Dimension>,
    ) -> Result<Option<CloseUp>, image::ImageError> {
        let Some(corners) = self.corners_px() else { return Ok(None) };
        let [width, height] = evidence.picture.size().map(f64::from);
        let range = |i: usize, limit: f64| {
            let of = |pick: fn(f64, f64) -> f64, first: f64| corners.iter().map(|c| c[i]).fold(first, pick);
            let low = of(f64::min, f64::INFINITY).floor().clamp(0.0, limit);
            let high = of(f64::max, f64::NEG_INFINITY).ceil().clamp(0.0, limit);
            (low as u32, (high - low) as u32)
        };
        let ((left, wide), (top, high)) = (range(0, width), range(1, height));
        if wide == 0 || high == 0 {
            return Ok(None);
        }
        let pixels = image::imageops::crop_imm(evidence.picture.rgb(), left, top, wide, high).to_image();
        let m = self.mm_from_px;
        let corner = Vector2::new(f64::from(left) - 0.5, f64::from(top) - 0.5);
        let at = self.anchor_mm + m * (corner - self.anchor_px.coords);
        let picture = if wide * high <= SEEN_PIXELS {
            Encoded::png(&pixels)?
        } else {
            Encoded::small_jpeg(&pixels, JPEG_SIDE_PX, JPEG_QUALITY)?
        };
        // A picture that was made smaller has larger pixels.
        let m = m * Matrix2::from_diagonal(&Vector2::new(
            f64::from(wide) / f64::from(picture.size_px[0]),
            f64::from(high) / f64::from(picture.size_px[1]),
        ));
        Ok(Some(CloseUp {
            title: title.to_owned(),
            size_mm: self.size_mm,
            enlargement: self.enlargement,
            picture,
            window_from_picture: [m[(0, 0)], m[(1, 0)], m[(0, 1)], m[(1, 1)], at.x, at.y],
            mm_per_px: self.mm_per_px,
            shapes,
            dimension,
        }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::camera::{Lens, Pose};
    use nalgebra::Vector3;

    fn slanted() -> Camera {
        Camera {
            image_size: [4000, 3000],
            lens: Lens {
                fx: 3000.0,
                fy: 3010.0,
                cx: 2000.0,
                cy: 1500.0,
                k1: -0.08,
                k2: 0.02,
                p1: 0.0005,
                p2: -0.0003,
                k3: 0.0,
            },
            pose: Pose::from_rotation_vector(
                Vector3::new(2.3, 0.2, -0.3),
                Vector3::new(-200.0, 300.0, 1500.0),
            ),
        }
    }

    #[test]
    fn lengths_at_the_gap_are_true_in_every_direction_from_a_slant() {
        let camera = slanted();
        let gap = Point::new(190.0, 260.0);
        let window = Window::new(&camera, gap, Point::new(195.0, 270.0), 8.0).expect("in view");
        for step in 0..12 {
            let along = nalgebra::Rotation2::new(f64::from(step) * 0.5) * Vector2::x();
            for length_mm in [0.1, 1.0, 4.0] {
                let ends = [gap - along * length_mm / 2.0, gap + along * length_mm / 2.0];
                let [a, b] = ends.map(|end| window.on_surface(end).expect("in view"));
                let shown_mm = (a[0] - b[0]).hypot(a[1] - b[1]);
                assert!((shown_mm - length_mm).abs() < 1e-3 * length_mm, "{shown_mm} for {length_mm}");
            }
        }
    }

    #[test]
    fn the_enlargement_leaves_room() {
        assert_eq!(enlargement(8.0), 8.0);
        assert_eq!(enlargement(42.0), 1.5);
        assert_eq!(enlargement(1e6), 0.1);
    }
}
