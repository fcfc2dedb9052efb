//! Cells that changed, gathered into things.

use super::{MotionOptions, SmallView};
use crate::geometry::Point;

/// A thing in the small picture.
#[derive(Debug, Clone, PartialEq)]
pub struct Blob {
    /// Its middle on the board, weighted by how much each cell has changed.
    pub at: Point,
    pub area_mm2: f64,
    /// Greatest distance between two of its cells along x or y of the small picture, in mm.
    pub extent_mm: f64,
    /// Whether it reaches the border of what is watched: it can come from outside.
    pub at_border: bool,
    /// Whether it touches what is not known since the light changed: more of it may be there.
    pub beside_unknown: bool,
    /// Its cells in the small picture.
    pub cells: Vec<u32>,
}

/// Gathers changed cells. A lone one is noise.
pub fn blobs(view: &SmallView, changed: &[f32], options: &MotionOptions) -> Vec<Blob> {
    let mut open: Vec<bool> = changed.iter().map(|change| *change > 0.0).collect();
    let mut found = Vec::new();
    let mut stack = Vec::new();
    for first in 0..open.len() {
        if !open[first] {
            continue;
        }
        open[first] = false;
        stack.push(first);
        let mut cells = Vec::new();
        while let Some(at) = stack.pop() {
            cells.push(at as u32);
            for next in view.neighbours(at) {
                if open[next] {
                    open[next] = false;
                    stack.push(next);
                }
            }
        }
        if cells.len() >= options.blob_cells_min {
            cells.sort_unstable();
            found.extend(blob(view, changed, cells));
        }
    }
    found
}

fn blob(view: &SmallView, changed: &[f32], cells: Vec<u32>) -> Option<Blob> {
    let (mut sum, mut column, mut row) = (0.0, 0.0, 0.0);
    let (mut low, mut high) = ([usize::MAX; 2], [0; 2]);
    let mut at_border = false;
    for &cell in &cells {
        let cell = cell as usize;
        let (x, y) = (cell % view.width, cell / view.width);
        let weight = f64::from(changed[cell]);
        sum += weight;
        column += weight * x as f64;
        row += weight * y as f64;
        at_border |= view.border[cell];
        for (i, value) in [x, y].into_iter().enumerate() {
            low[i] = low[i].min(value);
            high[i] = high[i].max(value);
        }
    }
    let at = view.board_at(column / sum, row / sum)?;
    let extent = (high[0] - low[0]).max(high[1] - low[1]) + 1;
    Some(Blob {
        at,
        area_mm2: cells.len() as f64 * view.cell_mm2,
        extent_mm: extent as f64 * view.cell_mm2.sqrt(),
        at_border,
        beside_unknown: false,
        cells,
    })
}
