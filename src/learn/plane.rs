//! The playing surface as seen from straight above, in perceptual colours.

use rayon::prelude::*;

use crate::{
    board::Colour,
    camera::Camera,
    capture::{Picture, srgb},
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
        let seen: Vec<Lab> =
            self.colours.iter().step_by(EVERY).copied().filter(|c| c.x.is_finite()).collect();
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

/// The usual colours of coarse cells, each over its neighbourhood.
pub(super) struct Nearby {
    every: usize,
    columns: usize,
    colours: Vec<Option<Lab>>,
}

impl Nearby {
    /// The usual colour around a cell of the plane.
    pub fn get(&self, column: usize, row: usize) -> Option<Lab> {
        let (x, y) = (column / self.every, row / self.every);
        self.colours.get(y * self.columns + x.min(self.columns.saturating_sub(1))).copied().flatten()
    }
}

impl Plane {
    /// The usual colour around each place, over squares of about that side.
    pub fn usual_nearby(&self, side_mm: f64) -> Nearby {
        let every = ((side_mm / 3.0 / self.cell_mm) as usize).max(2);
        let (columns, rows) = (self.columns.div_ceil(every), self.rows.div_ceil(every));
        let usual = |index: usize| {
            let (x, y) = (index % columns * every, index / columns * every);
            let across = x.saturating_sub(every)..(x + 2 * every).min(self.columns);
            let step = (every / 4).max(1);
            let seen: Vec<Lab> = (y.saturating_sub(every)..(y + 2 * every).min(self.rows))
                .step_by(step)
                .flat_map(|row| {
                    across.clone().step_by(step).map(move |column| self.colours[row * self.columns + column])
                })
                .filter(|colour| colour.x.is_finite())
                .collect();
            median_colour(&seen)
        };
        let colours = (0..columns * rows).into_par_iter().map(usual).collect();
        Nearby { every, columns, colours }
    }
}

/// The sRGB colour that looks so.
pub(super) fn colour_of(colour: Lab) -> Colour {
    let part = |t: f32| {
        if t > 6.0 / 29.0 { t.powi(3) } else { (t - 4.0 / 29.0) * (108.0 / 841.0) }
    };
    let y = (colour.x + 16.0) / 116.0;
    let (x, z) = (part(y + colour.y / 500.0) * 0.950_47, part(y - colour.z / 200.0) * 1.088_83);
    let y = part(y);
    let light = [
        3.240_454_2 * x - 1.537_138_5 * y - 0.498_531_4 * z,
        -0.969_266 * x + 1.876_010_8 * y + 0.041_556 * z,
        0.055_643_4 * x - 0.204_025_9 * y + 1.057_225_2 * z,
    ];
    Colour(light.map(|channel| (srgb::encoded(f64::from(channel).clamp(0.0, 1.0)) * 255.0).round() as u8))
}

/// How a colour of a file looks.
pub(super) fn lab_of(colour: Colour) -> Lab {
    lab(colour.0.map(|byte| srgb::linear(f64::from(byte) / 255.0) as f32))
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
