//! The picture around one piece, and the ways between its pixels and planes above the board.
//!
//! In: a picture and a camera. Out: a [`Patch`] of linear light, and a [`LocalRays`] (pixel →
//! plane) as cheap as the camera's own [`PlaneView`] (plane → pixel).

use nalgebra::{Matrix3, Point2, Vector2};

use crate::{
    camera::{Camera, Pixel},
    capture::{Picture, whole_pixel},
    geometry::Point,
};

use super::scene::Shade;
pub(super) use crate::camera::PlaneView;

/// A rectangle of the picture in linear light.
#[derive(Debug, Clone, Default)]
pub(super) struct Patch {
    left: i64,
    top: i64,
    width: usize,
    height: usize,
    /// A channel each, row by row.
    light: [Vec<f32>; 3],
}

/// Of every so many pixels one is looked at for noise, both ways.
const NOISE_STEP: usize = 3;
/// Median size of the sum of four independent deviations of 1.
const MEDIAN_OF_FOUR: f32 = 2.0 * 0.6745;
/// Part of a limit below which no rounding brings a number to it.
const PLAINLY: f32 = 0.999;
/// Part of the noise that is left when a patch is smoothed once, and how often it is at most: more would smooth
/// away a cap's ring.
const NOISE_LEFT: f32 = 3.0 / 8.0;
const SMOOTHED_MOST: usize = 2;

/// A patch in the one scalar that tells a piece from what is around it.
pub(super) struct ShadedPatch<'a> {
    patch: &'a Patch,
    pub shade: Shade,
    values: Vec<f32>,
}

impl Patch {
    /// Reads the part of the picture within `reach_px` of `centre`; whatever lies outside the
    /// picture is left out.
    pub fn read(&mut self, picture: &Picture, centre: Pixel, reach_px: f64) {
        let [width, height] = picture.size().map(i64::from);
        let clamp = |value: f64, limit: i64| (value.clamp(-1e9, 1e9) as i64).clamp(0, limit);
        self.left = clamp((centre.x - reach_px).floor(), width);
        self.top = clamp((centre.y - reach_px).floor(), height);
        let right = clamp((centre.x + reach_px).ceil() + 1.0, width);
        let bottom = clamp((centre.y + reach_px).ceil() + 1.0, height);
        self.width = (right - self.left).max(0) as usize;
        self.height = (bottom - self.top).max(0) as usize;
        for channel in &mut self.light {
            channel.clear();
            channel.reserve(self.width * self.height);
        }
        for y in self.top..self.top + self.height as i64 {
            picture.read_linear_row(self.left as u32, y as u32, self.width as u32, &mut self.light);
        }
    }

    /// Linear light between pixels (bilinear); `None` outside the patch.
    #[inline]
    pub fn sample(&self, at: Pixel) -> Option<[f32; 3]> {
        let (u, v) = (at.x - self.left as f64, at.y - self.top as f64);
        let inside = u >= 0.0 && v >= 0.0 && u < self.width as f64 - 1.0 && v < self.height as f64 - 1.0;
        if !inside {
            return None;
        }
        // A patch is a part of a picture, and through 32 bits the way is shorter.
        let (x, y) = (u as i32, v as i32);
        let (fx, fy) = ((u - f64::from(x)) as f32, (v - f64::from(y)) as f32);
        let first = y as usize * self.width + x as usize;
        Some([0, 1, 2].map(|channel| between_pixels(&self.light[channel], first, self.width, fx, fy)))
    }

    /// The patch as `shade` sees it; smoothed where its noise is more than `noise_max` of the contrast.
    pub fn shaded(&self, shade: Shade, noise_max: f64) -> ShadedPatch<'_> {
        let [red, green, blue] = &self.light;
        let channels = red.iter().zip(green).zip(blue);
        let mut values: Vec<f32> =
            channels.map(|((&red, &green), &blue)| shade.of([red, green, blue])).collect();
        let noise_max = noise_max as f32 * shade.depth();
        let mut noise = if self.is_quiet(&values, noise_max) { 0.0 } else { self.noise(&values) };
        for _ in 0..SMOOTHED_MOST {
            if noise <= noise_max {
                break;
            }
            self.smooth(&mut values);
            noise *= NOISE_LEFT;
        }
        ShadedPatch { patch: self, shade, values }
    }

    /// Visits, of what values differ from their neighbours by, the size of the mixed second difference, which plain
    /// edges and slopes leave at 0.
    #[inline]
    fn visit_differences(&self, values: &[f32], mut visit: impl FnMut(f32)) {
        let lines = || values.chunks_exact(self.width.max(1));
        for (above, below) in lines().zip(lines().skip(1)).step_by(NOISE_STEP) {
            let pairs = above.windows(2).zip(below.windows(2)).step_by(NOISE_STEP);
            pairs.for_each(|(above, below)| visit((above[0] - above[1] - below[0] + below[1]).abs()));
        }
    }

    /// Whether the noise is plainly below `noise_max`: for most patches counting tells, which is faster than a median.
    fn is_quiet(&self, values: &[f32], noise_max: f32) -> bool {
        let limit = noise_max * MEDIAN_OF_FOUR * PLAINLY;
        let (mut below, mut count) = (0, 0);
        self.visit_differences(values, |difference| {
            count += 1;
            below += usize::from(difference < limit);
        });
        2 * below > count
    }

    /// Standard deviation of what a value differs from its neighbours by, of the median.
    fn noise(&self, values: &[f32]) -> f32 {
        let mut differences = Vec::new();
        self.visit_differences(values, |difference| differences.push(difference));
        if differences.is_empty() {
            return 0.0;
        }
        let middle = differences.len() / 2;
        *differences.select_nth_unstable_by(middle, f32::total_cmp).1 / MEDIAN_OF_FOUR
    }

    /// Each value with its eight neighbours, weighted 1 2 1 both ways; the border stays.
    fn smooth(&self, values: &mut [f32]) {
        let (width, height) = (self.width, self.height);
        if width < 3 || height < 3 {
            return;
        }
        let mut across = values.to_vec();
        for (row, line) in across.chunks_exact_mut(width).enumerate() {
            for (value, three) in line[1..].iter_mut().zip(values[row * width..(row + 1) * width].windows(3))
            {
                *value = (three[0] + 2.0 * three[1] + three[2]) / 4.0;
            }
        }
        for row in 1..height - 1 {
            for at in row * width..(row + 1) * width {
                values[at] = (across[at - width] + 2.0 * across[at] + across[at + width]) / 4.0;
            }
        }
    }

    /// Visits the pixels of the patch inside a rectangle around `centre`, row by row; of every `stride`
    /// pixels one, shifted from row to row so that they stay evenly spread.
    #[inline]
    pub fn visit_pixels(
        &self,
        centre: Pixel,
        half_px: [f64; 2],
        stride: usize,
        mut visit: impl FnMut(Pixel, [f32; 3]),
    ) {
        // From the patch's own corner.
        let span = |centre: f64, half: f64, first: i64, length: usize| {
            let from = (centre - half).ceil().max(first as f64) as i64;
            let to = (centre + half).floor().min((first + length as i64 - 1) as f64) as i64;
            let [from, end] = [from, to + 1].map(|at| (at - first).max(0) as usize);
            from..end
        };
        let columns = span(centre.x, half_px[0], self.left, self.width);
        for row in span(centre.y, half_px[1], self.top, self.height) {
            let y = self.top + row as i64;
            let shift = (y as usize * (stride / 2 + 1)) % stride;
            let line = row * self.width..(row + 1) * self.width;
            let [red, green, blue] = self.light.each_ref().map(|channel| &channel[line.clone()]);
            for column in (columns.start + shift..columns.end).step_by(stride) {
                let light = [red[column], green[column], blue[column]];
                visit(Point2::new((self.left + column as i64) as f64, y as f64), light);
            }
        }
    }
}

impl ShadedPatch<'_> {
    /// Reads the shades along a curve from `from` to `to` that is bent by `bend` in its middle;
    /// false where it leaves the patch.
    pub fn read(
        &self,
        [from, to]: [Pixel; 2],
        bend: Vector2<f64>,
        count: usize,
        shades: &mut Vec<f32>,
    ) -> bool {
        let patch = self.patch;
        let last = count.saturating_sub(1).max(1) as f32;
        let corner = Pixel::new(patch.left as f64, patch.top as f64);
        let (start, along) = ((from - corner).cast::<f32>(), (to - from).cast::<f32>());
        let bend = bend.cast::<f32>();
        let (width, height) = (patch.width as f32 - 1.0, patch.height as f32 - 1.0);
        let (above, below) = (self.values.as_slice(), self.values.get(patch.width..).unwrap_or_default());
        shades.clear();
        shades.resize(count.next_multiple_of(AT_ONCE), 0.0);
        let (chunks, _) = shades.as_chunks_mut::<AT_ONCE>();
        for (chunk, shades) in chunks.iter_mut().enumerate() {
            let first = (chunk * AT_ONCE) as f32;
            // What is beyond the curve's end is read at its end, and dropped.
            let s: [f32; AT_ONCE] = std::array::from_fn(|i| (first + i as f32) / last);
            let s = s.map(|s| if s < 1.0 { s } else { 1.0 });
            let curve = |start: f32, along: f32, bend: f32| -> [f32; AT_ONCE] {
                s.map(|s| start + along * s + bend * (4.0 * s * (1.0 - s)))
            };
            let (u, v) = (curve(start.x, along.x, bend.x), curve(start.y, along.y, bend.y));
            let is_inside = u
                .iter()
                .zip(&v)
                .fold(true, |inside, (&u, &v)| inside & (u >= 0.0) & (v >= 0.0) & (u < width) & (v < height));
            if !is_inside {
                return false;
            }
            let (x, y) = (u.map(whole_pixel), v.map(whole_pixel));
            let mut corners = [[0.0; AT_ONCE]; 4];
            for (i, (&x, &y)) in x.iter().zip(&y).enumerate() {
                let first = y as usize * patch.width + x as usize;
                let two = |values: &[f32]| values.get(first..).and_then(<[f32]>::first_chunk::<2>).copied();
                let (Some([a, b]), Some([c, d])) = (two(above), two(below)) else { return false };
                (corners[0][i], corners[1][i], corners[2][i], corners[3][i]) = (a, b, c, d);
            }
            let [a, b, c, d] = corners;
            *shades = std::array::from_fn(|i| {
                bilinear([a[i], b[i], c[i], d[i]], u[i] - x[i] as f32, v[i] - y[i] as f32)
            });
        }
        shades.truncate(count);
        true
    }
}

/// Shades of a curve that are worked out at once.
const AT_ONCE: usize = 8;

/// Bilinear between the pixel at `first`, the next one and the two below them.
#[inline]
fn between_pixels(values: &[f32], first: usize, width: usize, fx: f32, fy: f32) -> f32 {
    let (above, below) = (&values[first..first + 2], &values[first + width..first + width + 2]);
    bilinear([above[0], above[1], below[0], below[1]], fx, fy)
}

/// Between two values and the two below them.
#[inline]
fn bilinear([left, right, left_below, right_below]: [f32; 4], fx: f32, fy: f32) -> f32 {
    let over = left + (right - left) * fx;
    let under = left_below + (right_below - left_below) * fx;
    over + (under - over) * fy
}

/// Where pixels near one place meet planes above the board: the lens undone by a quadratic
/// through nine exact rays (a piece is small: the rest is below a thousandth of a pixel), then
/// the plane met exactly.
#[derive(Debug, Clone)]
pub(super) struct LocalRays {
    origin: Pixel,
    /// Coefficients of 1, u, v, u², uv, v² for the ray's x/z and y/z.
    quadratic: [[f64; 6]; 2],
    /// Turns (x/z, y/z, 1) into a homogeneous point of the plane.
    plane_from_ray: Matrix3<f64>,
}

impl LocalRays {
    /// Rays around `origin`, exact on a 3 x 3 grid that reaches `reach_px` either way; `None`
    /// where the lens images nothing.
    pub fn new(camera: &Camera, origin: Pixel, reach_px: f64, z_mm: f64) -> Option<Self> {
        let mut grid = [[(0.0, 0.0); 3]; 3];
        for (row, line) in grid.iter_mut().enumerate() {
            for (column, ray) in line.iter_mut().enumerate() {
                let (u, v) = (column as f64 - 1.0, row as f64 - 1.0);
                *ray = camera.lens.ray_from_pixel(origin.x + u * reach_px, origin.y + v * reach_px)?;
            }
        }
        let fit = |pick: fn((f64, f64)) -> f64| {
            let at = |row: usize, column: usize| pick(grid[row][column]);
            let middle = at(1, 1);
            let step = reach_px;
            let (left, right, above, below) = (at(1, 0), at(1, 2), at(0, 1), at(2, 1));
            [
                middle,
                (right - left) / (2.0 * step),
                (below - above) / (2.0 * step),
                (right + left - 2.0 * middle) / (2.0 * step * step),
                (at(2, 2) - at(2, 0) - at(0, 2) + at(0, 0)) / (4.0 * step * step),
                (below + above - 2.0 * middle) / (2.0 * step * step),
            ]
        };
        let ray_from_plane = *PlaneView::new(camera, z_mm).ray_from_plane();
        Some(Self {
            origin,
            quadratic: [fit(|ray| ray.0), fit(|ray| ray.1)],
            plane_from_ray: ray_from_plane.try_inverse()?,
        })
    }

    #[inline]
    pub fn point(&self, pixel: Pixel) -> Point {
        let (u, v) = (pixel.x - self.origin.x, pixel.y - self.origin.y);
        let ray = |c: &[f64; 6]| c[0] + u * (c[1] + u * c[3] + v * c[4]) + v * (c[2] + v * c[5]);
        let (x, y) = (ray(&self.quadratic[0]), ray(&self.quadratic[1]));
        let m = &self.plane_from_ray;
        let scale = 1.0 / (m[(2, 0)] * x + m[(2, 1)] * y + m[(2, 2)]);
        Point::new(
            (m[(0, 0)] * x + m[(0, 1)] * y + m[(0, 2)]) * scale,
            (m[(1, 0)] * x + m[(1, 1)] * y + m[(1, 2)]) * scale,
        )
    }
}

#[cfg(test)]
mod tests {
    use nalgebra::Vector3;

    use super::*;
    use crate::{
        camera::{Lens, Pose},
        geometry::Vector,
    };

    /// A patch of half dark and half light, each pixel off by up to `noise` either way.
    fn two_halves(noise: f32) -> Patch {
        let (width, height) = (40, 40);
        let off = |at: usize| {
            let mixed = (at as u32).wrapping_mul(2_654_435_761);
            let mixed = (mixed ^ (mixed >> 15)).wrapping_mul(2_246_822_519) >> 16;
            noise * (mixed as f32 / 32_768.0 - 1.0)
        };
        let value = |at: usize| (if at % width < width / 2 { 0.1 } else { 0.5 }) + off(at);
        let channel: Vec<f32> = (0..width * height).map(value).collect();
        Patch { left: 0, top: 0, width, height, light: [channel.clone(), channel.clone(), channel] }
    }

    fn shaded(patch: &Patch) -> Vec<f32> {
        let shade = Shade::between([0.1; 3], [0.5; 3]).unwrap();
        patch.shaded(shade, 0.08).values
    }

    #[test]
    fn a_noisy_patch_is_smoothed_and_a_clean_one_is_not() {
        let (clean, noisy) = (two_halves(0.01), two_halves(0.2));
        let as_read = |patch: &Patch| -> Vec<f32> {
            let shade = Shade::between([0.1; 3], [0.5; 3]).unwrap();
            patch.light[0].iter().map(|v| shade.of([*v; 3])).collect()
        };
        assert_eq!(shaded(&clean), as_read(&clean));
        let left = noisy.noise(&shaded(&noisy)) / noisy.noise(&as_read(&noisy));
        assert!(left < 0.4, "{left}");
    }

    #[test]
    fn what_is_counted_as_quiet_is_so_by_the_median() {
        for noise in [0.01, 0.1, 0.2] {
            let patch = two_halves(noise);
            let values = &patch.light[0];
            let by_median = patch.noise(values);
            assert!(patch.is_quiet(values, 1.01 * by_median), "{noise}");
            assert!(!patch.is_quiet(values, 0.99 * by_median), "{noise}");
        }
    }

    fn phone() -> Camera {
        let mut lens = Lens::ideal(1500.0, [2016, 1512]);
        (lens.k1, lens.k2, lens.p1, lens.p2) = (0.09, -0.12, 0.001, -0.0007);
        let pose =
            Pose::from_rotation_vector(Vector3::new(2.5, 0.3, -0.2), Vector3::new(-150.0, 300.0, 600.0));
        Camera { image_size: [2016, 1512], lens, pose }
    }

    #[test]
    fn plane_view_is_the_camera() {
        let camera = phone();
        let view = PlaneView::new(&camera, 12.0);
        let mut compared = 0;
        for x in [0.0, 130.0, 333.0] {
            for y in [0.0, 210.0, 420.0] {
                let Some(exact) = camera.image_from_board(x, y, 12.0) else { continue };
                assert!((view.pixel(Point::new(x, y)) - exact).norm() < 1e-9);
                compared += 1;
            }
        }
        assert!(compared > 3);
    }

    #[test]
    fn local_rays_undo_the_view_to_thousandths_of_a_pixel() {
        let camera = phone();
        let view = PlaneView::new(&camera, 12.0);
        let centre = Point::new(180.0, 260.0);
        let rays = LocalRays::new(&camera, view.pixel(centre), 60.0, 12.0).unwrap();
        for (dx, dy) in [(0.0, 0.0), (14.0, 3.0), (-9.0, 12.0), (-15.0, -15.0)] {
            let p = centre + Vector::new(dx, dy);
            assert!((rays.point(view.pixel(p)) - p).norm() < 0.002, "{dx} {dy}");
        }
    }
}
