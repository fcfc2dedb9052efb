//! The playing surface as seen from straight above, in perceptual colours.

use rayon::prelude::*;

use crate::{
    camera::Camera,
    capture::Picture,
    geometry::Point,
    outline::{Lab, lab},
};

/// A grid of colours over part of the board's plane.
pub(super) struct Plane {
    from: Point,
    pub cell_mm: f64,
    columns: usize,
    rows: usize,
    /// Row by row from the near left; not a number where the picture does not reach.
    colours: Vec<Lab>,
}

impl Plane {
    /// The rectangle from `from` to `to`, in cells about as large as the picture's pixels.
    pub fn rectify(picture: &Picture, camera: &Camera, from: Point, to: Point, most_cells: usize) -> Self {
        let size = to - from;
        let middle = nalgebra::center(&from, &to);
        let pixel_mm = camera.mm_per_px(middle).filter(|mm| mm.is_finite() && *mm > 0.0).unwrap_or(1.0);
        let cell_mm = pixel_mm.max(size.x.max(size.y) / most_cells as f64);
        let count = |mm: f64| ((mm / cell_mm).round() as usize).max(2);
        let (columns, rows) = (count(size.x), count(size.y));
        // Cells that are larger than a pixel are read at four places.
        let apart_mm = if cell_mm > 1.3 * pixel_mm { cell_mm / 4.0 } else { 0.0 };
        let colour = |column: usize, row: usize| -> Lab {
            let at = from + nalgebra::Vector2::new(column as f64 + 0.5, row as f64 + 0.5) * cell_mm;
            let places = [(-1.0, -1.0), (1.0, -1.0), (-1.0, 1.0), (1.0, 1.0)];
            let places = if apart_mm > 0.0 { &places[..] } else { &places[..1] };
            let mut light = [0.0_f32; 3];
            for (x, y) in places {
                let seen = camera
                    .image_from_board(at.x + x * apart_mm, at.y + y * apart_mm, 0.0)
                    .and_then(|p| picture.sample(p.x, p.y));
                let Some(seen) = seen else { return Lab::repeat(f32::NAN) };
                (0..3).for_each(|i| light[i] += seen[i] / places.len() as f32);
            }
            lab(light)
        };
        let colours =
            (0..rows).into_par_iter().flat_map_iter(|row| (0..columns).map(move |column| (column, row)));
        let colours = colours.map(|(column, row)| colour(column, row)).collect();
        Self { from, cell_mm, columns, rows, colours }
    }

    /// The colour at a place (bilinear); `None` where the picture does not reach.
    pub fn at(&self, p: Point) -> Option<Lab> {
        let place = (p - self.from) / self.cell_mm - nalgebra::Vector2::new(0.5, 0.5);
        let (x, y) = (place.x.max(0.0), place.y.max(0.0));
        if place.x < -0.5 || place.y < -0.5 {
            return None;
        }
        let (left, top) = (x as usize, y as usize);
        if left >= self.columns || top >= self.rows {
            return None;
        }
        let (right, below) = ((left + 1).min(self.columns - 1), (top + 1).min(self.rows - 1));
        let (fx, fy) = ((x - left as f64) as f32, (y - top as f64) as f32);
        let cell = |column: usize, row: usize| self.colours[row * self.columns + column];
        let one = cell(left, top) * (1.0 - fx) + cell(right, top) * fx;
        let other = cell(left, below) * (1.0 - fx) + cell(right, below) * fx;
        let colour = one * (1.0 - fy) + other * fy;
        colour.x.is_finite().then_some(colour)
    }

    pub fn size(&self) -> (usize, usize) {
        (self.columns, self.rows)
    }

    /// The middle of a cell, and its colour where the picture reaches it.
    pub fn cell(&self, column: usize, row: usize) -> (Point, Option<Lab>) {
        let at = self.from + nalgebra::Vector2::new(column as f64 + 0.5, row as f64 + 0.5) * self.cell_mm;
        let colour = self.colours[row * self.columns + column];
        (at, colour.x.is_finite().then_some(colour))
    }

    /// The usual colour: the median of each channel.
    pub fn usual_colour(&self) -> Option<Lab> {
        const EVERY: usize = 7;
        let seen: Vec<Lab> = self.colours.iter().step_by(EVERY).copied().filter(|c| c.x.is_finite()).collect();
        median_colour(&seen)
    }

    /// Share of a rectangle's cells that the picture reaches.
    pub fn share_in_view(&self, places: impl Iterator<Item = Point>) -> f64 {
        let (mut seen, mut all) = (0_usize, 0_usize);
        for p in places {
            all += 1;
            seen += usize::from(self.at(p).is_some());
        }
        seen as f64 / all.max(1) as f64
    }
}

pub(super) fn median_colour(colours: &[Lab]) -> Option<Lab> {
    let channel = |i: usize| median(colours.iter().map(|colour| f64::from(colour[i]))).map(|v| v as f32);
    Some(Lab::new(channel(0)?, channel(1)?, channel(2)?))
}

pub(super) fn median(values: impl Iterator<Item = f64>) -> Option<f64> {
    let mut values: Vec<f64> = values.filter(|value| value.is_finite()).collect();
    if values.is_empty() {
        return None;
    }
    let middle = values.len() / 2;
    Some(*values.select_nth_unstable_by(middle, f64::total_cmp).1)
}
