//! The small grey picture that motion is seen in, and where its cells lie on the board.
//!
//! In: board, camera, and how small. Out: which cells show the board, and board places for cells.

use image::GrayImage;

use super::MotionOptions;
use crate::{board::Board, camera::Camera, capture::Picture, geometry::Point};

/// Where the cells of the small picture lie.
#[derive(Debug, Clone)]
pub struct SmallView {
    pub width: usize,
    pub height: usize,
    /// Pixels of the frame that a cell measures across.
    pub reduce: u32,
    /// Whether a cell shows the board or what is close beside it.
    pub inside: Vec<bool>,
    /// Whether such a cell has a neighbour that does not.
    pub border: Vec<bool>,
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
        let mut reduce = 1;
        while reduce < options.reduce_most && f64::from(reduce * 2) <= most {
            reduce *= 2;
        }
        let (width, height) = (wide.div_ceil(reduce) as usize, high.div_ceil(reduce) as usize);
        let plane_mm = board.pieces.iter().map(|kind| kind.height_mm / 2.0).fold(0.0, f64::max);
        let cell_mm2 = (mm_per_px * f64::from(reduce)).powi(2);
        let mut view = Self {
            width,
            height,
            reduce,
            inside: vec![false; width * height],
            border: vec![false; width * height],
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
                    p.x > -margin_mm
                        && p.x < wide + margin_mm
                        && p.y > -margin_mm
                        && p.y < long + margin_mm
                });
            }
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

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The board place that a place of the small picture shows.
    pub fn board_at(&self, x: f64, y: f64) -> Option<Point> {
        let scale = f64::from(self.reduce);
        let pixel = |cell: f64| (cell + 0.5) * scale - 0.5;
        self.camera.board_from_image(pixel(x), pixel(y), self.plane_mm)
    }

    /// The place of the small picture that shows a place of the board.
    pub fn cell_at(&self, at: Point) -> Option<(f64, f64)> {
        let scale = f64::from(self.reduce);
        let pixel = self.camera.image_from_board(at.x, at.y, self.plane_mm)?;
        Some(((pixel.x + 0.5) / scale - 0.5, (pixel.y + 0.5) / scale - 0.5))
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

/// A picture reduced to the mean of blocks of pixels, grey: for sources that have no cheaper way.
pub fn small_grey(picture: &Picture, reduce: u32) -> GrayImage {
    let rgb = picture.rgb();
    let (wide, high) = (rgb.width() as usize, rgb.height() as usize);
    let reduce = reduce.max(1) as usize;
    let (width, height) = (wide.div_ceil(reduce), high.div_ceil(reduce));
    let raw = rgb.as_raw();
    let mut sums = vec![[0_u32; 2]; width];
    let mut out = Vec::with_capacity(width * height);
    for row in 0..height {
        sums.fill([0; 2]);
        for y in row * reduce..((row + 1) * reduce).min(high) {
            let line = &raw[y * wide * 3..(y + 1) * wide * 3];
            for (block, sum) in line.chunks(reduce * 3).zip(&mut sums) {
                for pixel in block.chunks_exact(3) {
                    sum[0] += u32::from(pixel[0]) * 77 + u32::from(pixel[1]) * 150 + u32::from(pixel[2]) * 29;
                }
                sum[1] += (block.len() / 3) as u32 * 256;
            }
        }
        out.extend(sums.iter().map(|[sum, weight]| (sum / (*weight).max(1)).min(255) as u8));
    }
    GrayImage::from_raw(width as u32, height as u32, out).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_small_picture_is_the_mean_of_its_blocks() {
        let picture = Picture::new(image::RgbImage::from_fn(10, 6, |x, _| {
            image::Rgb([if x < 4 { 200 } else { 40 }; 3])
        }));
        let small = small_grey(&picture, 4);
        assert_eq!(small.dimensions(), (3, 2));
        assert_eq!(small.as_raw(), &[200, 40, 40, 200, 40, 40]);
    }
}
