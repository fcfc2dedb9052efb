//! The quadrilateral around a region: straight lines along its contour, and the four of them that hold it best.

use image::Luma;
use imageproc::{contours::find_contours, drawing::draw_polygon_mut, point::Point as GridPoint};
use nalgebra::{Matrix2, Vector2};

use super::{OutlineSearch, region::Mask};
use crate::camera::Pixel;

/// Four corners in the small picture, and how well they hold their region.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Quadrilateral {
    /// Clockwise as seen.
    pub corners: [Pixel; 4],
    pub overlap: f64,
}

/// A straight line: all points with `normal · p = offset`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct ImageLine {
    pub normal: Vector2<f64>,
    pub offset: f64,
}

impl ImageLine {
    pub fn through(a: Pixel, b: Pixel) -> Option<Self> {
        let along = (b - a).try_normalize(f64::MIN_POSITIVE)?;
        let normal = Vector2::new(-along.y, along.x);
        Some(Self { normal, offset: normal.dot(&a.coords) })
    }

    pub fn distance(&self, p: Pixel) -> f64 {
        self.normal.dot(&p.coords) - self.offset
    }

    /// Where two lines cross; `None` for lines that are nearly parallel.
    pub fn crossing(&self, other: &Self) -> Option<Pixel> {
        /// The least sine of the angle between two sides of a surface.
        const LEAST_SINE: f64 = 0.15;
        let both = Matrix2::from_rows(&[self.normal.transpose(), other.normal.transpose()]);
        if both.determinant().abs() < LEAST_SINE {
            return None;
        }
        let place = both.lu().solve(&Vector2::new(self.offset, other.offset))?;
        Some(Pixel::from(place))
    }
}

/// The four lines that hold a region best; sides may be the picture's borders.
pub(super) fn around(region: &Mask, options: &OutlineSearch) -> Option<Quadrilateral> {
    let (width, height) = region.dimensions();
    let contour = longest_contour(region)?;
    let (w, h) = (f64::from(width) - 1.0, f64::from(height) - 1.0);
    let margin = options.border_px;
    let inner: Vec<Pixel> = contour
        .into_iter()
        .filter(|p| p.x >= margin && p.y >= margin && p.x <= w - margin && p.y <= h - margin)
        .collect();
    let mut lines = straight_lines(inner, region, options);
    let border = |normal, offset| ImageLine { normal, offset };
    let (across, down) = (Vector2::x(), Vector2::y());
    lines.extend([border(across, 0.0), border(across, w), border(down, 0.0), border(down, h)]);
    best_four(&lines, region)
}

fn longest_contour(region: &Mask) -> Option<Vec<Pixel>> {
    let contours = find_contours::<i32>(region);
    let longest = contours.into_iter().max_by_key(|contour| contour.points.len())?;
    Some(longest.points.iter().map(|p| Pixel::new(f64::from(p.x), f64::from(p.y))).collect())
}

/// Lines along a contour, the longest first: each takes its points out of the vote for the next.
fn straight_lines(mut points: Vec<Pixel>, region: &Mask, options: &OutlineSearch) -> Vec<ImageLine> {
    let mut lines = Vec::new();
    while lines.len() < options.most_lines && points.len() >= options.least_line_points {
        let Some(line) = strongest_line(&points, region, options) else { break };
        lines.push(line);
        points.retain(|p| line.distance(*p).abs() > 2.0 * options.line_reach_px);
    }
    lines
}

/// The line with most points beside it, by a vote over directions and offsets, then fitted to its points.
fn strongest_line(points: &[Pixel], region: &Mask, options: &OutlineSearch) -> Option<ImageLine> {
    /// Directions that are tried, a degree apart.
    const DIRECTIONS: usize = 180;
    let cell_px = options.line_reach_px;
    let reach_px = f64::from(region.width()).hypot(f64::from(region.height()));
    let cells = (2.0 * reach_px / cell_px) as usize + 1;
    let mut best: Option<(u32, ImageLine)> = None;
    let mut votes = vec![0_u32; cells];
    for direction in 0..DIRECTIONS {
        let angle = direction as f64 * std::f64::consts::PI / DIRECTIONS as f64;
        let normal = Vector2::new(angle.cos(), angle.sin());
        votes.fill(0);
        for p in points {
            votes[((normal.dot(&p.coords) + reach_px) / cell_px) as usize] += 1;
        }
        for (cell, pair) in votes.windows(2).enumerate() {
            let count = pair[0] + pair[1];
            if best.is_none_or(|(most, _)| count > most) {
                let offset = (cell as f64 + 1.0) * cell_px - reach_px;
                best = Some((count, ImageLine { normal, offset }));
            }
        }
    }
    let (count, mut line) = best?;
    if (count as usize) < options.least_line_points {
        return None;
    }
    for _ in 0..3 {
        let near: Vec<Pixel> =
            points.iter().copied().filter(|p| line.distance(*p).abs() < options.line_reach_px).collect();
        line = fitted(&near)?;
    }
    Some(line)
}

/// The line with the least squared distance from the points.
pub(super) fn fitted(points: &[Pixel]) -> Option<ImageLine> {
    if points.len() < 2 {
        return None;
    }
    let middle = points.iter().map(|p| p.coords).sum::<Vector2<f64>>() / points.len() as f64;
    let spread: Matrix2<f64> =
        points.iter().map(|p| (p.coords - middle) * (p.coords - middle).transpose()).sum();
    let eigen = spread.symmetric_eigen();
    let least = if eigen.eigenvalues[0] < eigen.eigenvalues[1] { 0 } else { 1 };
    let normal: Vector2<f64> = eigen.eigenvectors.column(least).into();
    Some(ImageLine { normal, offset: normal.dot(&middle) })
}

/// Tries every four lines as two pairs of opposite sides.
fn best_four(lines: &[ImageLine], region: &Mask) -> Option<Quadrilateral> {
    let mut best: Option<Quadrilateral> = None;
    for a in 0..lines.len() {
        for c in a + 1..lines.len() {
            for b in 0..lines.len() {
                for d in b + 1..lines.len() {
                    // Each pair of pairs once.
                    if b <= a || [b, d].contains(&c) || d == a {
                        continue;
                    }
                    let Some(corners) = corners_of(&lines[a], &lines[b], &lines[c], &lines[d], region) else {
                        continue;
                    };
                    let overlap = overlap(&corners, region);
                    if best.as_ref().is_none_or(|best| overlap > best.overlap) {
                        best = Some(Quadrilateral { corners, overlap });
                    }
                }
            }
        }
    }
    best
}

/// The corners of four lines that follow each other around a convex quadrilateral, clockwise as seen.
fn corners_of(
    a: &ImageLine,
    b: &ImageLine,
    c: &ImageLine,
    d: &ImageLine,
    region: &Mask,
) -> Option<[Pixel; 4]> {
    /// Twice the least area of a corner's triangle, px², and how far outside of the picture corners may lie, as a share of it.
    const LEAST_CORNER: f64 = 50.0;
    const BEYOND: f64 = 0.5;
    let corners = [a.crossing(b)?, b.crossing(c)?, c.crossing(d)?, d.crossing(a)?];
    let (w, h) = (f64::from(region.width()), f64::from(region.height()));
    let is_near = |p: &Pixel| {
        p.x > -BEYOND * w && p.x < (1.0 + BEYOND) * w && p.y > -BEYOND * h && p.y < (1.0 + BEYOND) * h
    };
    let turn = |i: usize| {
        let [p, q, r] = [corners[i], corners[(i + 1) % 4], corners[(i + 2) % 4]];
        (q - p).perp(&(r - q))
    };
    if !corners.iter().all(is_near) {
        return None;
    }
    // The picture's y axis points down, so a positive turn is clockwise as seen.
    if (0..4).all(|i| turn(i) > LEAST_CORNER) {
        Some(corners)
    } else if (0..4).all(|i| turn(i) < -LEAST_CORNER) {
        Some([corners[3], corners[2], corners[1], corners[0]])
    } else {
        None
    }
}

/// What is common to both as a share of what is in either, on every second pixel.
fn overlap(corners: &[Pixel; 4], region: &Mask) -> f64 {
    const EVERY: u32 = 3;
    let (width, height) = (region.width() / EVERY, region.height() / EVERY);
    let place = |p: &Pixel| {
        GridPoint::new((p.x / f64::from(EVERY)).round() as i32, (p.y / f64::from(EVERY)).round() as i32)
    };
    let polygon = corners.map(|p| place(&p));
    if polygon[0] == polygon[3] {
        return 0.0;
    }
    let mut drawn = Mask::new(width, height);
    draw_polygon_mut(&mut drawn, &polygon, Luma([255]));
    let (mut both, mut either) = (0_u32, 0_u32);
    for (x, y, pixel) in drawn.enumerate_pixels() {
        let (a, b) = (pixel.0[0] > 0, region.get_pixel(x * EVERY, y * EVERY).0[0] > 0);
        both += u32::from(a && b);
        either += u32::from(a || b);
    }
    f64::from(both) / f64::from(either.max(1))
}
