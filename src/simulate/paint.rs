//! Paint on the surface: which colours cover a pixel's footprint, and how much of it.
//!
//! Coverage is in closed form: across a pixel an edge of paint is straight, so the covered share
//! of the pixel's square is the integral of a trapezoid. Edges are therefore exact at one sample
//! a pixel.

use nalgebra::Vector2;

use crate::board::Board;
use crate::geometry::{Paint, Point, Polygon, Vector};

use super::dress::{Dress, Mark, Print};
use super::grid::Grid;
use super::lettering;
use super::scene::{LookPart, offset_key};
use super::texture::{Rgb, linear, wear_left};

/// Steps on the board, in millimetres, that one pixel to the right and one down make.
#[derive(Debug, Clone, Copy)]
pub struct Footprint {
    pub right: Vector2<f64>,
    pub down: Vector2<f64>,
}

impl Footprint {
    pub fn scaled(&self, by: f64) -> Self {
        Self { right: self.right * by, down: self.down * by }
    }

    /// Side of a square of the same area.
    pub fn side_mm(&self) -> f64 {
        (self.right.x * self.down.y - self.right.y * self.down.x).abs().sqrt()
    }

    /// Share of the pixel on the inner side of a straight edge at signed distance `s_mm` from the
    /// pixel's middle, `outward` being the direction in which the distance grows.
    #[inline]
    pub fn share_inside(&self, s_mm: f64, outward: Vector) -> f64 {
        let (a, b) = (self.right.dot(&outward).abs(), self.down.dot(&outward).abs());
        let (wide, slim) = if a > b { (a, b) } else { (b, a) };
        let reach = (wide + slim) / 2.0;
        if s_mm >= reach {
            return 0.0;
        }
        if s_mm <= -reach {
            return 1.0;
        }
        if slim < 1e-6 * wide {
            return 0.5 - s_mm / wide;
        }
        let half_square = |x: f64| if x > 0.0 { x * x / 2.0 } else { 0.0 };
        let level = (wide - slim) / 2.0;
        let sum = half_square(-s_mm + reach) - half_square(-s_mm + level) - half_square(-s_mm - level)
            + half_square(-s_mm - reach);
        sum / (wide * slim)
    }
}

#[derive(Debug, Clone)]
struct Marking {
    mark: Mark,
    colour: Rgb,
    /// Markings of one group and colour merge; later groups lie on top.
    group: u16,
}

impl Marking {
    fn share(&self, p: Point, footprint: &Footprint) -> f64 {
        let band = |middle: f64, width: f64, outward: Vector| {
            footprint.share_inside(middle - width / 2.0, outward)
                - footprint.share_inside(middle + width / 2.0, outward)
        };
        let unit = |v: Vector, length: f64| if length > 1e-12 { v / length } else { Vector::x() };
        let paint = match &self.mark {
            Mark::Paint(paint) => paint,
            Mark::Filled(polygon) => return share_of_polygon(polygon, p, footprint),
        };
        match *paint {
            Paint::Ring { centre, radius_mm, width_mm } => {
                let v = p - centre;
                let r = v.norm();
                band(r - radius_mm, width_mm, unit(v, r))
            }
            Paint::Spot { centre, radius_mm } => {
                let v = p - centre;
                let r = v.norm();
                footprint.share_inside(r - radius_mm, unit(v, r))
            }
            Paint::Stroke { width_mm, .. } | Paint::Arc { width_mm, .. } => {
                let v = p - paint.nearest_on_middle(p);
                let d = v.norm();
                if d < 1e-9 {
                    // On the middle line itself the direction across is the stroke's own.
                    let across = across(paint);
                    return band(0.0, width_mm, across);
                }
                band(d, width_mm, v / d)
            }
        }
    }

    fn bounds(&self) -> ([f64; 2], [f64; 2]) {
        let paint = match &self.mark {
            Mark::Paint(paint) => *paint,
            Mark::Filled(polygon) => return bounds_of_polygon(polygon),
        };
        match paint {
            Paint::Stroke { from, to, width_mm } => {
                let r = width_mm / 2.0;
                ([from.x.min(to.x) - r, from.y.min(to.y) - r], [from.x.max(to.x) + r, from.y.max(to.y) + r])
            }
            Paint::Ring { centre, radius_mm, width_mm } | Paint::Arc { centre, radius_mm, width_mm, .. } => {
                let r = radius_mm + width_mm / 2.0;
                ([centre.x - r, centre.y - r], [centre.x + r, centre.y + r])
            }
            Paint::Spot { centre, radius_mm: r } => {
                ([centre.x - r, centre.y - r], [centre.x + r, centre.y + r])
            }
        }
    }
}

fn across(paint: &Paint) -> Vector {
    match *paint {
        Paint::Stroke { from, to, .. } => {
            let along = (to - from).try_normalize(1e-12).unwrap_or_else(Vector::x);
            Vector::new(-along.y, along.x)
        }
        _ => Vector::x(),
    }
}

/// Exact but for pixels that hold a corner.
fn share_of_polygon(polygon: &Polygon, p: Point, footprint: &Footprint) -> f64 {
    let nearest = polygon
        .sides()
        .map(|(a, b)| crate::geometry::nearest_on_segment(p, a, b))
        .min_by(|a, b| (p - a).norm_squared().total_cmp(&(p - b).norm_squared()));
    let Some(nearest) = nearest else { return 0.0 };
    let (away, sign) = (p - nearest, if polygon.contains(p) { -1.0 } else { 1.0 });
    let outward = away.try_normalize(1e-12).map_or_else(Vector::x, |v| v * sign);
    footprint.share_inside(sign * away.norm(), outward)
}

fn bounds_of_polygon(polygon: &Polygon) -> ([f64; 2], [f64; 2]) {
    let first = polygon.vertices().first().copied().unwrap_or_default();
    let (low, high) =
        polygon.vertices().iter().fold((first, first), |(low, high), p| (low.inf(p), high.sup(p)));
    (low.into(), high.into())
}

/// All paint of a board as it really lies, with its wear.
#[derive(Debug)]
pub struct Coat {
    markings: Vec<Marking>,
    grid: Grid,
    wear: f64,
    dress: Dress,
    seed: u32,
}

const CELL_MM: f64 = 12.0;
/// Footprints reach at most this far beyond a cell; coarser pictures widen it.
const LEAST_MARGIN_MM: f64 = 4.0;

impl Coat {
    pub fn new(board: &Board, look: &LookPart, dress: &Dress, most_footprint_mm: f64, seed: u32) -> Self {
        let mut markings = Vec::new();
        let mut fills = Vec::new();
        let mut prints = Vec::new();
        for line in &board.lines {
            let paint = displaced(&line.paint, paint_offset_mm(look, &line.name, line.end));
            if let (Some(fill), Paint::Ring { centre, radius_mm, .. }) = (line.fill, paint) {
                fills.push((Paint::Spot { centre, radius_mm }, linear(fill)));
            }
            markings.push((paint, linear(line.colour)));
        }
        if look.numerals.unwrap_or(!board.numerals.is_empty()) {
            for numeral in &board.numerals {
                let strokes = lettering::strokes(numeral);
                prints.extend(strokes.into_iter().map(|paint| (paint, linear(numeral.colour))));
            }
        }
        let painted = |layer: Vec<(Paint, Rgb)>| {
            layer.into_iter().map(|(paint, colour)| (Mark::Paint(paint), colour)).collect::<Vec<_>>()
        };
        let layers = [of_prints(&dress.prints), painted(prints), painted(fills), painted(markings)];
        let size = [board.surface.width_mm, board.surface.length_mm];
        Self::of_layers(layers, [[0.0; 2], size], look.wear, dress, most_footprint_mm, seed)
    }

    /// What is printed on the rails of a board.
    pub fn of_frame(
        board: &Board,
        look: &LookPart,
        dress: &Dress,
        most_footprint_mm: f64,
        seed: u32,
    ) -> Self {
        let widest = board.rails.iter().map(|rail| rail.width_mm).fold(0.0, f64::max);
        let size = [board.surface.width_mm + widest, board.surface.length_mm + widest];
        let layers = [of_prints(&dress.frame_prints)];
        Self::of_layers(layers, [[-widest; 2], size], look.wear, dress, most_footprint_mm, seed)
    }

    /// Markings by layers, the lowest first, over a rectangle.
    fn of_layers<const LAYERS: usize>(
        layers: [Vec<(Mark, Rgb)>; LAYERS],
        [low, high]: [[f64; 2]; 2],
        wear: f64,
        dress: &Dress,
        most_footprint_mm: f64,
        seed: u32,
    ) -> Self {
        let mut coat = Vec::new();
        let mut group = 0;
        for layer in layers {
            let mut colours: Vec<Rgb> = Vec::new();
            for (mark, colour) in layer {
                let known = colours.iter().position(|c| *c == colour).unwrap_or_else(|| {
                    colours.push(colour);
                    colours.len() - 1
                });
                coat.push(Marking { mark, colour, group: group + known as u16 });
            }
            group += colours.len() as u16;
        }
        coat.sort_by_key(|marking| marking.group);
        let mut grid = Grid::over(low, high, CELL_MM);
        let margin = most_footprint_mm.max(LEAST_MARGIN_MM);
        for (index, marking) in coat.iter().enumerate() {
            let (low, high) = marking.bounds();
            if let Mark::Paint(Paint::Stroke { from, to, width_mm }) = marking.mark {
                // A long slanted stroke's bounds hold mostly empty cells.
                let near = |cell: Point, half_diagonal: f64| {
                    let d = (cell - crate::geometry::nearest_on_segment(cell, from, to)).norm();
                    d <= width_mm / 2.0 + margin + half_diagonal
                };
                grid.insert_where(low, high, margin, index, near);
            } else {
                grid.insert(low, high, margin, index);
            }
        }
        Self { markings: coat, grid, wear, dress: dress.clone(), seed }
    }

    /// The albedo of a footprint whose bare wood has this one.
    pub fn over(&self, wood: Rgb, p: Point, footprint: &Footprint) -> Rgb {
        let cell = self.grid.at(p.x, p.y);
        if cell.is_empty() {
            return wood;
        }
        let mut albedo = wood;
        let mut left = None;
        let mut i = 0;
        while i < cell.len() {
            let first = &self.markings[usize::from(cell[i])];
            let mut share: f64 = 0.0;
            while i < cell.len() && self.markings[usize::from(cell[i])].group == first.group {
                share = share.max(self.markings[usize::from(cell[i])].share(p, footprint));
                i += 1;
            }
            if share > 0.0 {
                let left = *left.get_or_insert_with(|| {
                    wear_left(p.x, p.y, footprint.side_mm(), self.wear, self.seed)
                        * self.dress.paint_left(p.x, p.y, self.seed)
                });
                let share = share * left;
                albedo = albedo * (1.0 - share) + first.colour * share;
            }
        }
        albedo
    }
}

fn of_prints(prints: &[Print]) -> Vec<(Mark, Rgb)> {
    prints.iter().map(|print| (print.mark.clone(), linear(print.colour))).collect()
}

/// How far a line's paint lies off its drawing.
pub fn paint_offset_mm(look: &LookPart, name: &str, end: Option<crate::board::End>) -> Vector {
    let offsets = &look.paint_offsets_mm;
    let offset = offsets.get(&offset_key(name, end)).or_else(|| offsets.get(name));
    offset.map_or_else(Vector::zeros, |[x, y]| Vector::new(*x, *y))
}

/// Paint moved by an offset.
pub fn displaced(paint: &Paint, by: Vector) -> Paint {
    let mut moved = *paint;
    match &mut moved {
        Paint::Stroke { from, to, .. } => {
            *from += by;
            *to += by;
        }
        Paint::Ring { centre, .. } | Paint::Arc { centre, .. } | Paint::Spot { centre, .. } => *centre += by,
    }
    moved
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The closed form against brute force over the pixel's square, for many directions.
    #[test]
    fn the_covered_share_of_a_pixel_is_exact() {
        for i in 0..300 {
            let f = f64::from(i);
            let angle = f * 0.37;
            let footprint = Footprint {
                right: Vector2::new(angle.cos(), angle.sin()) * 0.5,
                down: Vector2::new(-angle.sin(), angle.cos()) * (0.4 + 0.001 * f),
            };
            let outward = Vector::new((f * 0.11).cos(), (f * 0.11).sin());
            let s = 0.45 * (f * 0.7).sin();
            let n = 400;
            let mut inside = 0;
            for a in 0..n {
                for b in 0..n {
                    let (u, v) = (
                        (f64::from(a) + 0.5) / f64::from(n) - 0.5,
                        (f64::from(b) + 0.5) / f64::from(n) - 0.5,
                    );
                    let moved = footprint.right * u + footprint.down * v;
                    inside += u32::from(s + moved.dot(&outward) < 0.0);
                }
            }
            let brute = f64::from(inside) / f64::from(n * n);
            assert!((footprint.share_inside(s, outward) - brute).abs() < 2e-3, "case {i}");
        }
    }
}
