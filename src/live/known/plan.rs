//! The board from above in small cells: what the state of its pieces is read from.
//!
//! In: a board, its camera, and a picture. Out: the colour of each cell of a square grid over the
//! surface and a margin around it, in factors of two. What shows the surface, a pocket's mouth or a
//! strip along the border is told once for a camera.

use crate::{
    board::{Board, LineRole},
    camera::Camera,
    capture::Picture,
    geometry::Point,
};

/// Colour of a cell in factors of two of the brightest.
pub type Stops = [f32; 3];

/// Not in the picture.
const OUT: u32 = u32::MAX;

/// Added to a pixel's value before its logarithm: noise of black is no colour.
const FLOOR: f32 = 8.0;

/// Places that a cell is read at, in shares of its side from its middle.
const READ_AT: [[f64; 2]; 4] = [[-0.25, -0.25], [0.25, -0.25], [-0.25, 0.25], [0.25, 0.25]];

/// Where the cells lie.
#[derive(Debug, Clone)]
pub struct Plan {
    pub width: usize,
    pub height: usize,
    pub cell_mm: f64,
    from: Point,
    pixels: Vec<[u32; 4]>,
    image_size: [u32; 2],
    /// In the picture.
    pub in_view: Vec<bool>,
    pub on_surface: Vec<bool>,
    /// In or beside a pocket's mouth: men can be seen lying there, and they are off the surface.
    pub in_pocket: Vec<bool>,
    /// The side whose base line a cell is on: near, right, far, left.
    pub base_side: Vec<Option<u8>>,
    /// Near the surface's border, where arms come in.
    pub at_border: Vec<bool>,
    stops: [f32; 256],
}

impl Plan {
    /// `cells_per_diameter`: of the smallest piece. `border_mm`: how wide the strip along the border is.
    pub fn new(board: &Board, camera: &Camera, cells_per_diameter: f64, border_mm: f64) -> Self {
        let smallest = board.pieces.iter().map(|kind| kind.diameter_mm).fold(f64::INFINITY, f64::min);
        let cell_mm = if smallest.is_finite() { smallest / cells_per_diameter } else { 4.0 };
        let margin_mm = if smallest.is_finite() { smallest } else { 0.0 };
        let (wide, long) = (board.surface.width_mm, board.surface.length_mm);
        let cells = |mm: f64| ((mm + 2.0 * margin_mm) / cell_mm).ceil() as usize;
        let (width, height) = (cells(wide), cells(long));
        let mut plan = Self {
            width,
            height,
            cell_mm,
            from: Point::new(-margin_mm, -margin_mm),
            pixels: Vec::with_capacity(width * height),
            image_size: camera.image_size,
            in_view: Vec::with_capacity(width * height),
            on_surface: Vec::with_capacity(width * height),
            in_pocket: Vec::with_capacity(width * height),
            base_side: Vec::with_capacity(width * height),
            at_border: Vec::with_capacity(width * height),
            stops: std::array::from_fn(|value| ((value as f32 + FLOOR) / 256.0).log2()),
        };
        let plane_mm = board.pieces.iter().map(|kind| kind.height_mm / 2.0).fold(0.0, f64::max);
        for cell in 0..width * height {
            let at = plan.point_at(cell);
            let pixels = READ_AT
                .map(|[x, y]| pixel_of(camera, Point::new(at.x + x * cell_mm, at.y + y * cell_mm), plane_mm));
            plan.in_view.push(!pixels.contains(&OUT));
            plan.pixels.push(pixels);
            let inward = [at.x, wide - at.x, at.y, long - at.y].into_iter().fold(f64::INFINITY, f64::min);
            plan.on_surface.push(inward > 0.0);
            plan.at_border.push((0.0..border_mm).contains(&inward));
            let on_base =
                board.lines.iter().filter(|line| is_base(line.role)).any(|line| {
                    line.paint.signed_distance_mm(at).abs() < line.paint.width_mm() / 2.0 + cell_mm
                });
            plan.base_side.push(on_base.then(|| side_of(board, at)));
            // A pocket's edge lies a cell off at most.
            let is_in = |pocket: &crate::board::Pocket| {
                (at - pocket.centre).norm() < pocket.radius_mm + 1.5 * cell_mm
            };
            plan.in_pocket.push(board.pockets.iter().any(is_in));
        }
        plan
    }

    pub fn len(&self) -> usize {
        self.width * self.height
    }

    /// The place of a cell's middle.
    pub fn point_at(&self, cell: usize) -> Point {
        let (x, y) = (cell % self.width, cell / self.width);
        let mm = |index: usize| (index as f64 + 0.5) * self.cell_mm;
        Point::new(self.from.x + mm(x), self.from.y + mm(y))
    }

    /// A cell's place from -1 to 1 over the plan.
    pub fn unit(&self, cell: usize) -> [f32; 2] {
        let unit = |index: usize, size: usize| 2.0 * index as f32 / size.max(2) as f32 - 1.0;
        [unit(cell % self.width, self.width), unit(cell / self.width, self.height)]
    }

    pub fn cell_mm2(&self) -> f64 {
        self.cell_mm * self.cell_mm
    }

    /// Cells whose middles lie within `radius_mm` of a place.
    pub fn cells_around(&self, at: Point, radius_mm: f64) -> impl Iterator<Item = usize> + use<> {
        let index = |mm: f64, size: usize| ((mm / self.cell_mm).floor().max(0.0) as usize).min(size);
        let (low, high) = (at - self.from, radius_mm);
        let columns = index(low.x - high, self.width)..index(low.x + high + self.cell_mm, self.width);
        let rows = index(low.y - high, self.height)..index(low.y + high + self.cell_mm, self.height);
        let (width, from, cell_mm) = (self.width, self.from, self.cell_mm);
        rows.flat_map(move |row| columns.clone().map(move |column| (column, row))).filter_map(
            move |(column, row)| {
                let x = from.x + (column as f64 + 0.5) * cell_mm - at.x;
                let y = from.y + (row as f64 + 0.5) * cell_mm - at.y;
                (x.hypot(y) <= radius_mm).then_some(row * width + column)
            },
        )
    }

    /// Share of a disc's cells that are so; `None` where it is out of view.
    pub fn share(&self, at: Point, radius_mm: f64, is_so: impl Fn(usize) -> bool) -> Option<f64> {
        let (mut count, mut so) = (0usize, 0usize);
        for cell in self.cells_around(at, radius_mm).filter(|cell| self.in_view[*cell]) {
            count += 1;
            so += usize::from(is_so(cell));
        }
        (count > 0).then(|| so as f64 / count as f64)
    }

    /// The colour of every cell. A picture of another size than the camera's gives none.
    pub fn read(&self, picture: &Picture, cells: &mut Vec<Stops>) -> bool {
        cells.clear();
        if picture.size() != self.image_size {
            return false;
        }
        let raw = picture.rgb().as_raw();
        for pixels in &self.pixels {
            let mut sum = [0.0f32; 3];
            for &pixel in pixels {
                let at = if pixel == OUT { 0 } else { 3 * pixel as usize };
                for (sum, value) in sum.iter_mut().zip(&raw[at..at + 3]) {
                    *sum += self.stops[usize::from(*value)];
                }
            }
            cells.push(sum.map(|sum| sum / 4.0));
        }
        true
    }

    /// Mixes colours into the pixels of cells.
    pub fn tint(&self, picture: &mut image::RgbImage, tint_of: impl Fn(usize) -> Option<[u8; 3]>) {
        for (cell, pixels) in self.pixels.iter().enumerate() {
            let Some(tint) = tint_of(cell) else { continue };
            for pixel in pixels.iter().filter(|pixel| **pixel != OUT) {
                let (x, y) = (pixel % self.image_size[0], pixel / self.image_size[0]);
                if x >= picture.width() || y >= picture.height() {
                    continue;
                }
                let seen = picture.get_pixel_mut(x, y);
                seen.0 = std::array::from_fn(|i| ((u16::from(seen.0[i]) + u16::from(tint[i])) / 2) as u8);
            }
        }
    }

    /// The four cells beside one and the four at its corners.
    pub fn neighbours(&self, cell: usize) -> impl Iterator<Item = usize> + use<> {
        let (width, height) = (self.width, self.height);
        let (x, y) = (cell % width, cell / width);
        let columns = x.saturating_sub(1)..(x + 2).min(width);
        let rows = y.saturating_sub(1)..(y + 2).min(height);
        rows.flat_map(move |row| columns.clone().map(move |column| row * width + column))
    }
}

/// Whether a line is a base line, or one of two.
pub fn is_base(role: LineRole) -> bool {
    matches!(role, LineRole::Base | LineRole::BaseFront | LineRole::BaseRear)
}

/// The side of the board that is nearest: near, right, far, left.
pub fn side_of(board: &Board, at: Point) -> u8 {
    let surface = &board.surface;
    let gaps = [at.y, surface.width_mm - at.x, surface.length_mm - at.y, at.x];
    (0..4u8).min_by(|a, b| gaps[usize::from(*a)].total_cmp(&gaps[usize::from(*b)])).unwrap_or(0)
}

fn pixel_of(camera: &Camera, at: Point, plane_mm: f64) -> u32 {
    let [wide, high] = camera.image_size;
    let Some(pixel) = camera.image_from_board(at.x, at.y, plane_mm) else { return OUT };
    let (x, y) = (pixel.x.round(), pixel.y.round());
    let is_inside = x >= 0.0 && y >= 0.0 && x < f64::from(wide) && y < f64::from(high);
    if is_inside { y as u32 * wide + x as u32 } else { OUT }
}

/// The largest difference of two colours over the channels.
pub fn apart(a: Stops, b: Stops) -> f32 {
    a.iter().zip(b).map(|(a, b)| (a - b).abs()).fold(0.0, f32::max)
}

pub fn dot(a: Stops, b: Stops) -> f32 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

pub fn minus(a: Stops, b: Stops) -> Stops {
    std::array::from_fn(|channel| a[channel] - b[channel])
}

/// The median of each channel; nothing of nothing.
pub fn median(colours: &mut [Stops]) -> Option<Stops> {
    if colours.is_empty() {
        return None;
    }
    let middle = colours.len() / 2;
    Some(std::array::from_fn(|channel| {
        colours.select_nth_unstable_by(middle, |a, b| a[channel].total_cmp(&b[channel])).1[channel]
    }))
}
