//! A plan of square cells that lists what may matter at a place.

use crate::geometry::Point;

/// Cells over a rectangle. Places outside of it belong to the nearest border cell, for what is
/// inserted as for what is asked, so nothing is lost there.
#[derive(Debug)]
pub struct Grid {
    low: [f64; 2],
    cell: f64,
    columns: usize,
    rows: usize,
    lists: Vec<Vec<u16>>,
}

/// Cells are made larger where a board would need more of them than this.
const MOST_CELLS: f64 = 250_000.0;

impl Grid {
    pub fn over(low: [f64; 2], high: [f64; 2], cell: f64) -> Self {
        let (width, length) = ((high[0] - low[0]).max(1.0), (high[1] - low[1]).max(1.0));
        let cell = cell.max((width * length / MOST_CELLS).sqrt());
        let (columns, rows) =
            ((width / cell).ceil().max(1.0) as usize, (length / cell).ceil().max(1.0) as usize);
        Self { low, cell, columns, rows, lists: vec![Vec::new(); columns * rows] }
    }

    fn column(&self, x: f64) -> usize {
        (((x - self.low[0]) / self.cell).max(0.0) as usize).min(self.columns - 1)
    }

    fn row(&self, y: f64) -> usize {
        (((y - self.low[1]) / self.cell).max(0.0) as usize).min(self.rows - 1)
    }

    pub fn insert(&mut self, low: [f64; 2], high: [f64; 2], margin: f64, index: usize) {
        self.insert_where(low, high, margin, index, |_, _| true);
    }

    /// Inserts into those cells of the rectangle whose middle and half diagonal `near` accepts.
    pub fn insert_where(
        &mut self,
        low: [f64; 2],
        high: [f64; 2],
        margin: f64,
        index: usize,
        near: impl Fn(Point, f64) -> bool,
    ) {
        let Ok(index) = u16::try_from(index) else { return };
        let half_diagonal = self.cell * std::f64::consts::FRAC_1_SQRT_2;
        for row in self.row(low[1] - margin)..=self.row(high[1] + margin) {
            for column in self.column(low[0] - margin)..=self.column(high[0] + margin) {
                let middle = Point::new(
                    self.low[0] + (column as f64 + 0.5) * self.cell,
                    self.low[1] + (row as f64 + 0.5) * self.cell,
                );
                if near(middle, half_diagonal) {
                    self.lists[row * self.columns + column].push(index);
                }
            }
        }
    }

    #[inline]
    pub fn at(&self, x: f64, y: f64) -> &[u16] {
        &self.lists[self.row(y) * self.columns + self.column(x)]
    }
}
