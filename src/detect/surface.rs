//! The bare surface's own light, place by place.
//!
//! In: the view in stops and where bare surface is expected. Out: [`Surface`], the stops that bare
//! board has (or would have, under a piece) at any cell. Pieces, hands and shadows lie on "bare"
//! cells too, so a block takes the median of those cells that have the surface's usual hue, or where none has, as
//! under glare, that of the blocks around it.

use std::ops::Range;

use super::{
    SurfaceOptions,
    light::{Cell, Stops, brightness_and_hue, is_seen, largest, minus, stops_of_cell, stops_of_units},
    values::{CELLS_MAX, median_of_cells},
    view::View,
};

#[derive(Debug, Clone)]
pub struct Surface {
    blocks: Vec<Stops>,
    across: usize,
    down: usize,
    block_cells: f64,
}

/// Cells along a block's side: about one and a half pieces.
const BLOCK_CELLS: usize = 18;
/// Every so many cells of a block are read, both ways.
const STRIDE: usize = 3;

impl Surface {
    /// `usual` is the surface's median over the whole view.
    pub fn estimate(view: &View, cells: &[Cell], usual: Stops, options: &SurfaceOptions) -> Surface {
        let (across, down) = (view.width.div_ceil(BLOCK_CELLS), view.height.div_ceil(BLOCK_CELLS));
        const SAMPLES_MAX: usize = BLOCK_CELLS.div_ceil(STRIDE).pow(2);
        const { assert!(SAMPLES_MAX <= CELLS_MAX) };
        let mut gathered: Vec<Vec<Cell>> =
            (0..across * down).map(|_| Vec::with_capacity(SAMPLES_MAX)).collect();
        for row in (0..view.height).step_by(STRIDE) {
            for column in (0..view.width).step_by(STRIDE) {
                let cell = row * view.width + column;
                if view.bare[cell] && is_seen(cells[cell]) {
                    let block = row / BLOCK_CELLS * across + column / BLOCK_CELLS;
                    gathered[block].push(cells[cell]);
                }
            }
        }
        let usually = -options.darker_max..options.brighter_max;
        let known: Vec<Option<Stops>> =
            gathered.iter().map(|samples| surface_among(samples, usual, &usually, options)).collect();
        let blocks = fill_gaps(known, &gathered, across, down, usual, options);
        Surface { blocks, across, down, block_cells: BLOCK_CELLS as f64 }
    }

    /// Stops of bare surface at a cell, interpolated between blocks.
    pub fn at(&self, column: f64, row: f64) -> Stops {
        let place = |v: f64, count: usize| {
            let at = (v / self.block_cells - 0.5).clamp(0.0, (count - 1) as f64);
            let first = (at as usize).min(count.saturating_sub(2));
            (first, (first + 1).min(count - 1), (at - first as f64) as f32)
        };
        let (left, right, fx) = place(column, self.across);
        let (top, bottom, fy) = place(row, self.down);
        let block = |x: usize, y: usize| self.blocks[y * self.across + x];
        let (a, b, c, d) = (block(left, top), block(right, top), block(left, bottom), block(right, bottom));
        std::array::from_fn(|i| {
            (a[i] * (1.0 - fx) + b[i] * fx) * (1.0 - fy) + (c[i] * (1.0 - fx) + d[i] * fx) * fy
        })
    }
}

/// The median of those samples that are surface which looks about like `like`; `None` where there are few.
fn surface_among(
    samples: &[Cell],
    like: Stops,
    brighter: &Range<f32>,
    options: &SurfaceOptions,
) -> Option<Stops> {
    let is_surface = |cell: &&Cell| {
        let (brightness, hue) = brightness_and_hue(minus(stops_of_cell(**cell), like));
        largest(hue) < options.hue_tolerance && brighter.contains(&brightness)
    };
    let surface: Vec<Cell> = samples.iter().filter(is_surface).copied().collect();
    let is_known = surface.len() >= options.samples_min;
    is_known.then(|| median_of_cells(&surface)).flatten().map(stops_of_units)
}

/// Gives blocks without an estimate what of them looks like their nearest known neighbours, or those neighbours'
/// mean.
fn fill_gaps(
    mut known: Vec<Option<Stops>>,
    gathered: &[Vec<Cell>],
    across: usize,
    down: usize,
    usual: Stops,
    options: &SurfaceOptions,
) -> Vec<Stops> {
    let gradually = -options.block_step_max..options.block_step_max;
    if known.iter().all(Option::is_none) {
        return vec![usual; known.len()];
    }
    while known.iter().any(Option::is_none) {
        let before = known.clone();
        for y in 0..down {
            for x in 0..across {
                if before[y * across + x].is_some() {
                    continue;
                }
                let (mut sum, mut count) = ([0.0_f32; 3], 0.0_f32);
                for ny in y.saturating_sub(1)..(y + 2).min(down) {
                    for nx in x.saturating_sub(1)..(x + 2).min(across) {
                        if let Some(stops) = before[ny * across + nx] {
                            sum = std::array::from_fn(|c| sum[c] + stops[c]);
                            count += 1.0;
                        }
                    }
                }
                if count > 0.0 {
                    let around = sum.map(|v| v / count);
                    let own = surface_among(&gathered[y * across + x], around, &gradually, options);
                    known[y * across + x] = Some(own.unwrap_or(around));
                }
            }
        }
    }
    known.into_iter().flatten().collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::detect::light::UNITS_A_STOP;

    fn filled(blocks: &[Stops]) -> Vec<Stops> {
        let options = SurfaceOptions::default();
        let cell = |look: &Stops| {
            let [red, green, blue] = look.map(|stops| (stops * UNITS_A_STOP) as i16);
            [red, green, blue, 0]
        };
        let gathered: Vec<Vec<Cell>> = blocks.iter().map(|look| vec![cell(look); 20]).collect();
        let mut known = vec![None; blocks.len()];
        known[0] = Some(blocks[0]);
        fill_gaps(known, &gathered, blocks.len(), 1, blocks[0], &options)
    }

    #[test]
    fn the_surface_is_followed_into_glare() {
        let into_glare: Vec<Stops> =
            (0..6).map(|i| [0.125, 0.25, 0.375].map(|step| step * i as f32)).collect();
        assert_eq!(filled(&into_glare), into_glare);
    }

    #[test]
    fn what_lies_on_the_surface_is_not() {
        let board = [0.0; 3];
        assert_eq!(filled(&[board, [0.5, 0.9, 1.4], board, [-3.0; 3], board]), [board; 5]);
    }
}
