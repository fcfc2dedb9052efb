//! The small grey picture that motion is seen in, and where its cells lie on the board.
//!
//! In: board, camera, and how small. Out: which cells show the board, and board places for cells.

use super::MotionOptions;
use crate::{board::Board, camera::Camera, capture::Reduction, geometry::Point};

/// Where the cells of the small picture lie.
#[derive(Debug, Clone)]
pub struct SmallView {
    pub width: usize,
    pub height: usize,
    pub reduction: Reduction,
    /// Whether a cell shows the board or what is close beside it.
    pub inside: Vec<bool>,
    /// Whether such a cell has a neighbour that does not.
    pub border: Vec<bool>,
    /// Whether the board has paint where a cell looks.
    pub paint: Vec<bool>,
    /// Area of a cell on the board in the middle of the view.
    pub cell_mm2: f64,
    camera: Camera,
    /// Height of the plane that cells are read on: half way up a piece.
    plane_mm: f64,
}

impl SmallView {
    pub fn new(board: &Board, camera: &Camera, options: &MotionOptions) -> Self {
        let [wide, high] = camera.image_size;
        let middle = camera.board_from_image(f64::from(wide) / 2.0, f64::from(high) / 2.0, 0.0);
        let mm_per_px = middle.and_then(|at| camera.mm_per_px(at)).unwrap_or(1.0);
        let smallest = board.pieces.iter().map(|kind| kind.diameter_mm).fold(f64::INFINITY, f64::min);
        let most = smallest / mm_per_px / options.piece_cells_min;
        let coarsest_first = [Reduction::Eighth, Reduction::Quarter];
        let fits = |reduction: &Reduction| f64::from(reduction.factor()) <= most;
        let reduction = coarsest_first.into_iter().find(fits).unwrap_or(Reduction::Half);
        let reduce = reduction.factor();
        let (width, height) = (wide.div_ceil(reduce) as usize, high.div_ceil(reduce) as usize);
        let plane_mm = board.pieces.iter().map(|kind| kind.height_mm / 2.0).fold(0.0, f64::max);
        let cell_mm2 = (mm_per_px * f64::from(reduce)).powi(2);
        let mut view = Self {
            width,
            height,
            reduction,
            inside: vec![false; width * height],
            border: vec![false; width * height],
            paint: vec![false; width * height],
            cell_mm2,
            camera: *camera,
            plane_mm,
        };
        view.mark(board, options.margin_mm);
        view
    }

    fn mark(&mut self, board: &Board, margin_mm: f64) {
        let (wide, long) = (board.surface.width_mm, board.surface.length_mm);
        for y in 0..self.height {
            for x in 0..self.width {
                let at = self.board_at(x as f64, y as f64);
                self.inside[y * self.width + x] = at.is_some_and(|p| {
                    p.x > -margin_mm && p.x < wide + margin_mm && p.y > -margin_mm && p.y < long + margin_mm
                });
            }
        }
        let reach_mm = self.cell_mm2.sqrt() / 2.0;
        for cell in (0..self.len()).filter(|cell| self.inside[*cell]) {
            let at = self.board_at((cell % self.width) as f64, (cell / self.width) as f64);
            let is_on =
                |at: Point| board.lines.iter().any(|line| line.paint.signed_distance_mm(at).abs() < reach_mm);
            self.paint[cell] = at.is_some_and(is_on);
        }
        for y in 0..self.height {
            for x in 0..self.width {
                let is_out = |dx: isize, dy: isize| {
                    let (x, y) = (x.wrapping_add_signed(dx), y.wrapping_add_signed(dy));
                    x >= self.width || y >= self.height || !self.inside[y * self.width + x]
                };
                let at = y * self.width + x;
                self.border[at] =
                    self.inside[at] && (is_out(-1, 0) || is_out(1, 0) || is_out(0, -1) || is_out(0, 1));
            }
        }
    }

    pub fn len(&self) -> usize {
        self.width * self.height
    }

    /// Whether nothing can be made out: no twentieth part of the board is brighter than that.
    pub fn is_dark(&self, small: &image::GrayImage, level: u8) -> bool {
        if small.as_raw().len() != self.len() {
            return false;
        }
        let inside = || small.as_raw().iter().zip(&self.inside).filter(|(_, inside)| **inside);
        let bright = inside().filter(|(value, _)| **value > level).count();
        20 * bright < inside().count()
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The board place that a place of the small picture shows.
    pub fn board_at(&self, x: f64, y: f64) -> Option<Point> {
        let scale = f64::from(self.reduction.factor());
        let pixel = |cell: f64| (cell + 0.5) * scale - 0.5;
        self.camera.board_from_image(pixel(x), pixel(y), self.plane_mm)
    }

    /// The place of the small picture that shows a place of the board.
    pub fn cell_at(&self, at: Point) -> Option<(f64, f64)> {
        let scale = f64::from(self.reduction.factor());
        let pixel = self.camera.image_from_board(at.x, at.y, self.plane_mm)?;
        Some(((pixel.x + 0.5) / scale - 0.5, (pixel.y + 0.5) / scale - 0.5))
    }

    /// A cell and those around it.
    pub fn neighbours(&self, cell: usize) -> impl Iterator<Item = usize> + use<> {
        let (width, height) = (self.width, self.height);
        let (x, y) = (cell % width, cell / width);
        let columns = x.saturating_sub(1)..(x + 2).min(width);
        let rows = y.saturating_sub(1)..(y + 2).min(height);
        rows.flat_map(move |row| columns.clone().map(move |column| row * width + column))
    }

    /// Cells within `reach_mm` of a place of the board.
    pub fn cells_around(&self, at: Point, reach_mm: f64) -> Vec<usize> {
        let Some((column, row)) = self.cell_at(at) else { return Vec::new() };
        let reach = reach_mm / self.cell_mm2.sqrt();
        let range = |middle: f64, size: usize| {
            let from = (middle - reach).floor().max(0.0) as usize;
            from..((middle + reach).ceil().max(-1.0) + 1.0).min(size as f64) as usize
        };
        let mut cells = Vec::new();
        for y in range(row, self.height) {
            for x in range(column, self.width) {
                if (x as f64 - column).hypot(y as f64 - row) <= reach {
                    cells.push(y * self.width + x);
                }
            }
        }
        cells
    }
}
