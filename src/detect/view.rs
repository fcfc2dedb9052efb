//! A small rectified view of the board, read through a precomputed map.
//!
//! In: board, camera and cell size. Out: for every cell of a grid on the plane of the pieces' tops,
//! which pixels show it and whether bare surface is expected there. Reading a picture through it
//! touches only those pixels.

use crate::{board::Board, camera::Camera, capture::Picture, geometry::Point};

use super::light::{Cell, Light, UNSEEN};

/// A grid over the board at the height of the pieces' tops.
#[derive(Debug, Clone)]
pub struct View {
    pub width: usize,
    pub height: usize,
    pub pitch_mm: f64,
    /// Centre of cell (0, 0).
    pub origin: Point,
    /// Height of the grid's plane above the surface.
    pub plane_mm: f64,
    /// For each cell the index of its pixel in the picture, or [`NO_PIXEL`].
    pixels: Vec<u32>,
    /// Cells that are in the picture, by picture row: the picture is read as it lies in memory, however
    /// the board lies in it.
    reading_order: Vec<Reading>,
    /// The other cells.
    unseen: Vec<u32>,
    /// Whether the cell and all around it are in the picture.
    pub inner: Vec<bool>,
    /// Whether the cell shows surface without any paint when no piece lies there.
    pub bare: Vec<bool>,
    /// Pixels of bare surface, spread evenly: a picture's exposure is taken from them.
    exposure_pixels: Vec<u32>,
    /// A cell is the mean of four pixels this far left, right, above and below its own.
    spread_px: u32,
    image_size: [u32; 2],
}

const NO_PIXEL: u32 = u32::MAX;

/// A cell, and where the upper left one of its four pixels starts in the picture's values.
#[derive(Debug, Clone, Copy, Default)]
struct Reading {
    cell: u32,
    first: u32,
}

/// About as many cells of bare surface give a picture's exposure.
const EXPOSURE_SAMPLES: usize = 600;

/// Nodes of the map are projected exactly every so many cells; between them it is interpolated
/// (within a tenth of a pixel for any view that shows a board).
const NODE_CELLS: usize = 8;

/// How far the view reaches beyond the surface, in piece radii: enough for the rim of a piece at
/// the border.
const MARGIN_RADII: f64 = 1.3;

/// Paint is kept away from "bare" cells by this much, in cells: the cell's own half and the
/// error of a registration.
const PAINT_MARGIN_CELLS: f64 = 1.0;

impl View {
    /// `None` when nothing of the board is in the picture.
    pub fn new(board: &Board, camera: &Camera, image_size: [u32; 2], pitch_mm: f64) -> Option<View> {
        let plane_mm = typical_height_mm(board);
        let margin_mm =
            MARGIN_RADII * board.pieces.iter().map(|kind| kind.radius_mm()).fold(0.0_f64, f64::max);
        let extent = [board.surface.width_mm, board.surface.length_mm].map(|side| side + 2.0 * margin_mm);
        let mut view = View {
            width: (extent[0] / pitch_mm).ceil() as usize + 1,
            height: (extent[1] / pitch_mm).ceil() as usize + 1,
            pitch_mm,
            origin: Point::new(-margin_mm, -margin_mm),
            plane_mm,
            pixels: Vec::new(),
            reading_order: Vec::new(),
            unseen: Vec::new(),
            inner: Vec::new(),
            bare: Vec::new(),
            exposure_pixels: Vec::new(),
            spread_px: 0,
            image_size,
        };
        view.crop_to_picture(camera)?;
        view.map_pixels(camera);
        view.mark_inner();
        view.mark_bare(board, camera);
        view.choose_exposure_pixels();
        Some(view)
    }

    pub fn len(&self) -> usize {
        self.width * self.height
    }

    /// Position of a cell on the view's plane.
    pub fn point_at(&self, column: f64, row: f64) -> Point {
        Point::new(self.origin.x + column * self.pitch_mm, self.origin.y + row * self.pitch_mm)
    }

    /// Cell coordinates of a point on the view's plane.
    pub fn cell_at(&self, p: Point) -> (f64, f64) {
        ((p.x - self.origin.x) / self.pitch_mm, (p.y - self.origin.y) / self.pitch_mm)
    }

    pub fn is_for(&self, picture: &Picture) -> bool {
        picture.size() == self.image_size
    }

    pub fn is_seen(&self, cell: usize) -> bool {
        self.pixels[cell] != NO_PIXEL
    }

    /// Reads the view into `cells`, whatever they were before.
    pub fn read(&self, picture: &Picture, light: &Light, cells: &mut Vec<Cell>) {
        cells.resize(self.len(), UNSEEN);
        for &cell in &self.unseen {
            cells[cell as usize] = UNSEEN;
        }
        // The two pixels of a cell in one row of the picture, and one value more.
        match self.spread_px {
            0 => self.read_rows::<4>(picture, light, cells),
            1 => self.read_rows::<10>(picture, light, cells),
            2 => self.read_rows::<16>(picture, light, cells),
            _ => self.read_far(picture, light, cells),
        }
    }

    /// [`View::read`] where the left and the right pixel of a cell are within `BYTES` of each other.
    fn read_rows<const BYTES: usize>(&self, picture: &Picture, light: &Light, cells: &mut [Cell]) {
        let (_, down) = self.spread_in_values();
        let above = picture.rgb().as_raw().as_slice();
        let below = above.get(2 * down..).unwrap_or_default();
        for reading in &self.reading_order {
            let (from, to) = (reading.first as usize, reading.first as usize + BYTES);
            let above = above.get(from..to).and_then(<[u8]>::first_chunk::<BYTES>);
            let below = below.get(from..to).and_then(<[u8]>::first_chunk::<BYTES>);
            cells[reading.cell as usize] = match (above, below) {
                (Some(above), Some(below)) => {
                    let (left, right) = (first_pixel(above), last_pixel(above));
                    let (left_below, right_below) = (first_pixel(below), last_pixel(below));
                    cell_of([left, right, left_below, right_below], light)
                }
                _ => UNSEEN,
            };
        }
    }

    /// [`View::read`] where they are any distance apart.
    fn read_far(&self, picture: &Picture, light: &Light, cells: &mut [Cell]) {
        let raw = picture.rgb().as_raw();
        let (across, down) = self.spread_in_values();
        let pixel_at = |at: usize| raw[at..].first_chunk::<4>().map_or(0, |four| u32::from_le_bytes(*four));
        for reading in &self.reading_order {
            let first = reading.first as usize;
            let corners = [first, first + 2 * across, first + 2 * down, first + 2 * (down + across)];
            cells[reading.cell as usize] = cell_of(corners.map(pixel_at), light);
        }
    }

    /// How far a cell's own pixel lies from its four pixels, across and down, in the picture's values.
    fn spread_in_values(&self) -> (usize, usize) {
        let across = 3 * self.spread_px as usize;
        (across, across * self.image_size[0] as usize)
    }

    /// Linear light of bare surface all over the view.
    pub fn bare_samples(&self, picture: &Picture) -> Vec<[f32; 3]> {
        let width = self.image_size[0];
        self.exposure_pixels.iter().map(|pixel| picture.linear(pixel % width, pixel / width)).collect()
    }

    /// Pixels of bare surface, spread evenly over the view.
    pub fn bare_pixels(&self) -> &[u32] {
        &self.exposure_pixels
    }

    fn choose_exposure_pixels(&mut self) {
        let bare: Vec<u32> =
            (0..self.len()).filter(|&i| self.bare[i] && self.is_seen(i)).map(|i| self.pixels[i]).collect();
        let stride = (bare.len() / EXPOSURE_SAMPLES).max(1);
        self.exposure_pixels = bare.into_iter().step_by(stride).collect();
    }

    /// Shrinks the grid to the part that the picture shows.
    fn crop_to_picture(&mut self, camera: &Camera) -> Option<()> {
        let [w, h] = self.image_size.map(f64::from);
        let (mut low, mut high) = ([usize::MAX; 2], [0_usize; 2]);
        for row in (0..self.height + NODE_CELLS).step_by(NODE_CELLS) {
            for column in (0..self.width + NODE_CELLS).step_by(NODE_CELLS) {
                let p = self.point_at(column as f64, row as f64);
                let seen = camera
                    .image_from_board(p.x, p.y, self.plane_mm)
                    .is_some_and(|px| px.x >= 0.0 && px.y >= 0.0 && px.x <= w - 1.0 && px.y <= h - 1.0);
                if seen {
                    low = [low[0].min(column), low[1].min(row)];
                    high = [high[0].max(column), high[1].max(row)];
                }
            }
        }
        if low[0] == usize::MAX {
            return None;
        }
        let first = [low[0].saturating_sub(NODE_CELLS), low[1].saturating_sub(NODE_CELLS)];
        let last = [(high[0] + NODE_CELLS).min(self.width), (high[1] + NODE_CELLS).min(self.height)];
        self.origin = self.point_at(first[0] as f64, first[1] as f64);
        (self.width, self.height) = (last[0] - first[0], last[1] - first[1]);
        (self.width > 2 && self.height > 2).then_some(())
    }

    fn map_pixels(&mut self, camera: &Camera) {
        let nodes_across = self.width / NODE_CELLS + 2;
        let nodes_down = self.height / NODE_CELLS + 2;
        let mut nodes = Vec::with_capacity(nodes_across * nodes_down);
        for row in 0..nodes_down {
            for column in 0..nodes_across {
                let p = self.point_at((column * NODE_CELLS) as f64, (row * NODE_CELLS) as f64);
                nodes.push(camera.image_from_board(p.x, p.y, self.plane_mm));
            }
        }
        let middle = self.point_at(self.width as f64 / 2.0, self.height as f64 / 2.0);
        let px_per_cell = camera.mm_per_px(middle).map_or(1.0, |mm| self.pitch_mm / mm);
        self.spread_px = (px_per_cell / 4.0).round() as u32;
        let spread = f64::from(self.spread_px);
        let [w, h] = self.image_size.map(f64::from);
        self.pixels = Vec::with_capacity(self.len());
        for row in 0..self.height {
            let (node_row, fy) = (row / NODE_CELLS, (row % NODE_CELLS) as f64 / NODE_CELLS as f64);
            for column in 0..self.width {
                let (node_column, fx) =
                    (column / NODE_CELLS, (column % NODE_CELLS) as f64 / NODE_CELLS as f64);
                let first = node_row * nodes_across + node_column;
                let corners = [
                    nodes[first],
                    nodes[first + 1],
                    nodes[first + nodes_across],
                    nodes[first + nodes_across + 1],
                ];
                let pixel = match corners {
                    [Some(a), Some(b), Some(c), Some(d)] => {
                        let at = (a.coords * (1.0 - fx) + b.coords * fx) * (1.0 - fy)
                            + (c.coords * (1.0 - fx) + d.coords * fx) * fy;
                        let (x, y) = (at.x.round(), at.y.round());
                        // Not the last column: a pixel is read with one value of the next.
                        let inside =
                            x >= spread && y >= spread && x + spread < w - 1.0 && y + spread <= h - 1.0;
                        if inside { y as u32 * self.image_size[0] + x as u32 } else { NO_PIXEL }
                    }
                    _ => NO_PIXEL,
                };
                self.pixels.push(pixel);
            }
        }
        self.reading_order = self.cells_by_picture_row();
        self.unseen = (0..self.len()).filter(|&cell| !self.is_seen(cell)).map(|cell| cell as u32).collect();
    }

    /// The cells that are in the picture, picture row after picture row.
    fn cells_by_picture_row(&self) -> Vec<Reading> {
        let (across, down) = self.spread_in_values();
        let row_of = |pixel: u32| (pixel / self.image_size[0]) as usize;
        let mut ends = vec![0_usize; self.image_size[1] as usize];
        for &pixel in self.pixels.iter().filter(|&&pixel| pixel != NO_PIXEL) {
            ends[row_of(pixel)] += 1;
        }
        let mut total = 0;
        for end in &mut ends {
            total += *end;
            *end = total;
        }
        let mut order = vec![Reading::default(); total];
        for (cell, &pixel) in self.pixels.iter().enumerate().rev().filter(|(_, pixel)| **pixel != NO_PIXEL) {
            let end = &mut ends[row_of(pixel)];
            *end -= 1;
            let first = 3 * pixel as usize - across - down;
            order[*end] = Reading { cell: cell as u32, first: first as u32 };
        }
        order
    }

    fn mark_inner(&mut self) {
        self.inner = vec![false; self.len()];
        for row in 1..self.height - 1 {
            for column in 1..self.width - 1 {
                let is_inner = (row - 1..=row + 1)
                    .all(|y| (column - 1..=column + 1).all(|x| self.is_seen(y * self.width + x)));
                self.inner[row * self.width + column] = is_inner;
            }
        }
    }

    fn mark_bare(&mut self, board: &Board, camera: &Camera) {
        let eye = camera.pose.centre_mm();
        // A cell's ray meets the surface beyond the point at the height of the pieces' tops.
        let stretch = eye.z / (eye.z - self.plane_mm);
        let ground = |p: Point| Point::new(eye.x + (p.x - eye.x) * stretch, eye.y + (p.y - eye.y) * stretch);
        let margin_mm = PAINT_MARGIN_CELLS * self.pitch_mm;
        let (w, l) = (board.surface.width_mm, board.surface.length_mm);
        self.bare = vec![false; self.len()];
        for row in 0..self.height {
            for column in 0..self.width {
                let p = ground(self.point_at(column as f64, row as f64));
                self.bare[row * self.width + column] =
                    p.x > margin_mm && p.y > margin_mm && p.x < w - margin_mm && p.y < l - margin_mm;
            }
        }
        let shrink = 1.0 / stretch;
        let lift = |p: Point| Point::new(eye.x + (p.x - eye.x) * shrink, eye.y + (p.y - eye.y) * shrink);
        let mut clear = |low: Point, high: Point, is_print: &dyn Fn(Point) -> bool| {
            let (low, high) = (self.cell_at(lift(low)), self.cell_at(lift(high)));
            let columns = clamp_range(low.0, high.0, self.width);
            for row in clamp_range(low.1, high.1, self.height) {
                for column in columns.clone() {
                    if is_print(ground(self.point_at(column as f64, row as f64))) {
                        self.bare[row * self.width + column] = false;
                    }
                }
            }
        };
        for line in &board.lines {
            let (low, high) = bounds(&line.paint, margin_mm);
            clear(low, high, &|p| covers(line, p, margin_mm));
        }
        for pocket in &board.pockets {
            let reach = nalgebra::Vector2::repeat(pocket.radius_mm + 2.0 * margin_mm);
            clear(pocket.centre - reach, pocket.centre + reach, &|p| (p - pocket.centre).norm() < reach.x);
        }
        for print in &board.prints {
            let (low, high) = print.region.bounds(margin_mm);
            clear(low, high, &|p| print.region.signed_distance_mm(p) < margin_mm);
        }
        for numeral in &board.numerals {
            // About 0.7 of its height a letter; a square holds it however it is turned.
            let half = numeral.height_mm * (0.35 * numeral.text.chars().count() as f64).max(0.5) + margin_mm;
            let reach = nalgebra::Vector2::repeat(half);
            clear(numeral.centre - reach, numeral.centre + reach, &|_| true);
        }
    }
}

/// The first pixel of some values and one value of the next, which no cell's pixel is the last of the
/// picture for.
#[inline]
fn first_pixel<const BYTES: usize>(values: &[u8; BYTES]) -> u32 {
    values.first_chunk::<4>().map_or(0, |four| u32::from_le_bytes(*four))
}

/// The same for the last pixel.
#[inline]
fn last_pixel<const BYTES: usize>(values: &[u8; BYTES]) -> u32 {
    values.last_chunk::<4>().map_or(0, |four| u32::from_le_bytes(*four))
}

/// The cell of four pixels; their fourth value does not matter.
#[inline]
fn cell_of(pixels: [u32; 4], light: &Light) -> Cell {
    // Red and blue are summed in the two halves of one number, green where it stands.
    let (mut red_and_blue, mut green) = (0, 0);
    for pixel in pixels {
        red_and_blue += pixel & 0x00FF_00FF;
        green += pixel & 0x0000_FF00;
    }
    light.cell_of_four(red_and_blue & 0xFFFF, green >> 8, red_and_blue >> 16)
}

/// Height of most of the board's pieces: the view's plane.
fn typical_height_mm(board: &Board) -> f64 {
    let most = board.pieces.iter().max_by_key(|kind| kind.count);
    most.map_or(0.0, |kind| kind.height_mm)
}

fn clamp_range(low: f64, high: f64, size: usize) -> std::ops::Range<usize> {
    let clamp = |v: f64| v.clamp(0.0, size as f64) as usize;
    clamp(low.min(high).floor())..clamp(low.max(high).ceil() + 1.0)
}

fn covers(line: &crate::board::Line, p: Point, margin_mm: f64) -> bool {
    use crate::geometry::Paint;
    let filled = matches!(line.paint, Paint::Ring { centre, radius_mm, .. }
        if line.fill.is_some() && (p - centre).norm() < radius_mm);
    filled || line.paint.signed_distance_mm(p) < margin_mm
}

/// A box around paint, with a margin.
fn bounds(paint: &crate::geometry::Paint, margin_mm: f64) -> (Point, Point) {
    use crate::geometry::Paint;
    let (low, high, reach) = match *paint {
        Paint::Stroke { from, to, width_mm } => (from.inf(&to), from.sup(&to), width_mm / 2.0),
        Paint::Ring { centre, radius_mm, width_mm } | Paint::Arc { centre, radius_mm, width_mm, .. } => {
            (centre, centre, radius_mm + width_mm / 2.0)
        }
        Paint::Spot { centre, radius_mm } => (centre, centre, radius_mm),
    };
    let reach = nalgebra::Vector2::repeat(reach + margin_mm);
    (low - reach, high + reach)
}
