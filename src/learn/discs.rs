//! Round things that lie on the surface: what size and colour the pieces have.
//!
//! In: the rectified surface and the print that is known. Out: [`Disc`]s, and what they say of the template's pieces. Only
//! things that lie alone are used: a size and a colour are wanted here, not a count.

use image::{GrayImage, Luma};
use imageproc::{
    distance_transform::Norm,
    morphology,
    region_labelling::{Connectivity, connected_components},
};

use super::{
    LearnOptions,
    plane::{Plane, median, median_colour},
};
use crate::{
    board::Board,
    geometry::{Paint, Point},
    outline::Lab,
};

/// A round thing.
#[derive(Debug, Clone, Copy)]
pub(super) struct Disc {
    pub centre: Point,
    pub diameter_mm: f64,
    pub colour: Lab,
}

/// A thing that is as full as an ellipse, whatever its proportions.
#[derive(Debug, Clone, Copy)]
pub(super) struct Blob {
    pub centre: Point,
    /// Second moments, mm².
    pub spread: nalgebra::Matrix2<f64>,
}

/// Round things that are no known print and lie in no pocket.
pub(super) fn discs_on(plane: &Plane, board: &Board, wood: Lab, options: &LearnOptions) -> Vec<Disc> {
    let [least_mm, most_mm] = sizes_mm(board, options);
    parts_on(plane, board, wood, options)
        .iter()
        .filter_map(|part| part.disc(plane, options))
        .filter(|disc| disc.diameter_mm >= least_mm && disc.diameter_mm <= most_mm)
        .filter(|disc| !is_print(disc, board) && !is_in_pocket(disc, board))
        .collect()
}

/// Things of about the size of pieces that may be pieces seen with a wrong scale along the board.
pub(super) fn blobs_on(plane: &Plane, board: &Board, wood: Lab, options: &LearnOptions) -> Vec<Blob> {
    let [least_mm, most_mm] = sizes_mm(board, options);
    let is_sized = |blob: &Blob| {
        let [across, along] = [0, 1].map(|axis| 4.0 * blob.spread[(axis, axis)].sqrt());
        across >= least_mm && across <= most_mm && along <= 2.5 * across && along >= 0.4 * across
    };
    let parts = parts_on(plane, board, wood, options);
    parts.iter().filter_map(|part| part.blob(plane, options)).filter(is_sized).collect()
}

/// The least and the greatest diameter that pieces may have.
fn sizes_mm(board: &Board, options: &LearnOptions) -> [f64; 2] {
    let [least, most] = options.diameter_range;
    let diameters = || board.pieces.iter().map(|kind| kind.diameter_mm);
    [least * diameters().fold(f64::INFINITY, f64::min), most * diameters().fold(0.0, f64::max)]
}

/// Connected things that differ from the wood.
fn parts_on(plane: &Plane, board: &Board, wood: Lab, options: &LearnOptions) -> Vec<Part> {
    let (columns, rows) = plane.size();
    let differs = |column: u32, row: u32| {
        let (_, colour) = plane.cell(column as usize, row as usize);
        // A dark wood in shade is still wood: lightness counts less.
        let far = colour.map_or(0.0, |c| Lab::new(0.6 * (c.x - wood.x), c.y - wood.y, c.z - wood.z).norm());
        Luma([if far > options.least_piece { 255_u8 } else { 0 }])
    };
    let mask = GrayImage::from_fn(columns as u32, rows as u32, differs);
    let smallest_mm = board.pieces.iter().map(|kind| kind.diameter_mm).fold(f64::INFINITY, f64::min);
    // Thin print that touches a piece is cut off.
    let thin = ((0.16 * smallest_mm / plane.cell_mm).round() as u8).clamp(1, 40);
    let mask = morphology::open(&mask, Norm::L2, thin);
    let labels = connected_components(&mask, Connectivity::Four, Luma([0]));
    let mut parts: std::collections::BTreeMap<u32, Part> = std::collections::BTreeMap::new();
    for (x, y, label) in labels.enumerate_pixels().filter(|(.., label)| label.0[0] != 0) {
        parts.entry(label.0[0]).or_default().add(x, y);
    }
    parts.into_values().collect()
}

/// The cells of a connected thing.
#[derive(Debug, Default)]
struct Part {
    cells: Vec<(u32, u32)>,
}

impl Part {
    fn add(&mut self, x: u32, y: u32) {
        self.cells.push((x, y));
    }

    /// The thing as a disc, if it is round and whole.
    fn disc(&self, plane: &Plane, options: &LearnOptions) -> Option<Disc> {
        let count = self.cells.len() as f64;
        let mean =
            |of: fn(&(u32, u32)) -> u32| self.cells.iter().map(|c| f64::from(of(c))).sum::<f64>() / count;
        let (x, y) = (mean(|c| c.0), mean(|c| c.1));
        // A hole in the middle (a glint, a ring) does not make it smaller: the farthest cells say how large it is.
        let mut far: Vec<f64> =
            self.cells.iter().map(|c| (f64::from(c.0) - x).hypot(f64::from(c.1) - y)).collect();
        far.sort_by(f64::total_cmp);
        let outer = far.get(far.len() * 95 / 100).copied()? / 0.95_f64.sqrt() + 0.5;
        let radius = self.narrow_radius((x, y)).min(outer);
        let (columns, rows) = plane.size();
        let reaches_out =
            |value: f64, size: usize| value - radius < 1.0 || value + radius > size as f64 - 2.0;
        let filled = count / (std::f64::consts::PI * outer * outer);
        let within = far.iter().filter(|r| **r <= outer + 1.0).count() as f64 / count;
        if filled < options.least_round
            || within < options.least_round
            || reaches_out(x, columns)
            || reaches_out(y, rows)
        {
            return None;
        }
        let (centre, _) = plane.cell(x.round() as usize, y.round() as usize);
        let inner: Vec<Lab> = self
            .cells
            .iter()
            .zip(self.cells.iter().map(|c| (f64::from(c.0) - x).hypot(f64::from(c.1) - y)))
            .filter(|(_, r)| *r < 0.7 * radius)
            .filter_map(|(c, _)| plane.cell(c.0 as usize, c.1 as usize).1)
            .collect();
        Some(Disc { centre, diameter_mm: 2.0 * radius * plane.cell_mm, colour: median_colour(&inner)? })
    }

    /// The thing as a blob, if it is as full as an ellipse of its spread and lies within the picture.
    fn blob(&self, plane: &Plane, options: &LearnOptions) -> Option<Blob> {
        /// An ellipse has this many times the root of its spread's determinant for an area.
        const FULL: f64 = 4.0 * std::f64::consts::PI;
        let (columns, rows) = plane.size();
        let is_inside =
            |&(x, y): &(u32, u32)| x > 1 && y > 1 && (x as usize) + 2 < columns && (y as usize) + 2 < rows;
        if !self.cells.iter().all(is_inside) {
            return None;
        }
        let count = self.cells.len() as f64;
        let at = |c: &(u32, u32)| nalgebra::Vector2::new(f64::from(c.0), f64::from(c.1));
        let middle = self.cells.iter().map(at).sum::<nalgebra::Vector2<f64>>() / count;
        let spread = self.cells.iter().map(|c| (at(c) - middle) * (at(c) - middle).transpose());
        let spread = spread.sum::<nalgebra::Matrix2<f64>>() / count;
        let full = count / (FULL * spread.determinant().max(0.0).sqrt());
        let (centre, _) = plane.cell(middle.x.round() as usize, middle.y.round() as usize);
        (full >= options.least_round && full <= 1.0 / options.least_round)
            .then_some(Blob { centre, spread: spread * plane.cell_mm.powi(2) })
    }

    /// Half the width across the narrow way: a camera that looks at an angle sees walls and skirts the other way.
    fn narrow_radius(&self, middle: (f64, f64)) -> f64 {
        /// Share of a disc's area left out at either end, and where it ends then, as a share of its radius.
        const TRIMMED: f64 = 0.01;
        const TRIMMED_AT: f64 = 0.934;
        let offsets = || self.cells.iter().map(|c| (f64::from(c.0) - middle.0, f64::from(c.1) - middle.1));
        let (xx, yy, xy) =
            offsets().fold((0.0, 0.0, 0.0), |sum, (x, y)| (sum.0 + x * x, sum.1 + y * y, sum.2 + x * y));
        let long_rad = 0.5 * (2.0 * xy).atan2(xx - yy);
        let (sin, cos) = long_rad.sin_cos();
        let mut across: Vec<f64> = offsets().map(|(x, y)| y * cos - x * sin).collect();
        across.sort_by(f64::total_cmp);
        let cut = (across.len() as f64 * TRIMMED) as usize;
        let ends = [across.get(cut), across.get(across.len().saturating_sub(cut + 1))];
        let [Some(low), Some(high)] = ends else { return 0.0 };
        (high - low) / 2.0 / TRIMMED_AT + 0.5
    }
}

/// Whether a thing lies where a circle of its size is printed.
fn is_print(disc: &Disc, board: &Board) -> bool {
    board.lines.iter().any(|line| match line.paint {
        Paint::Ring { centre, radius_mm, .. } | Paint::Spot { centre, radius_mm } => {
            (disc.centre - centre).norm() < 0.5 * radius_mm && disc.diameter_mm < 2.6 * radius_mm
        }
        Paint::Stroke { .. } | Paint::Arc { .. } => false,
    })
}

fn is_in_pocket(disc: &Disc, board: &Board) -> bool {
    board.pockets.iter().any(|pocket| (disc.centre - pocket.centre).norm() < 1.3 * pocket.radius_mm)
}

/// What the discs say of a board's pieces.
#[derive(Debug, Clone)]
pub(super) struct LearnedPieces {
    /// Diameter of the pieces that are played with, and of the one that is shot with.
    pub diameter_mm: Option<f64>,
    pub shooter_mm: Option<f64>,
    /// For each kind of the template, its colour where it was seen.
    pub colours: Vec<Option<Lab>>,
}

pub(super) fn pieces_of(
    discs: &[Disc],
    template: &Board,
    wanted: &[Lab],
    options: &LearnOptions,
) -> LearnedPieces {
    let man_mm = template.pieces.iter().filter(|k| !k.shooter).map(|k| k.diameter_mm).fold(0.0, f64::max);
    let [least, most] = options.diameter_range;
    let is_like = |disc: &Disc, mm: f64| (disc.diameter_mm / mm).ln().abs() < options.same_size;
    let may_be: Vec<&Disc> =
        discs.iter().filter(|d| (least * man_mm..most * man_mm).contains(&d.diameter_mm)).collect();
    // Most things of one size are the pieces; where as many are of another size, the one nearer to the template's.
    let votes = |mm: f64| {
        let alike = may_be.iter().filter(|disc| is_like(disc, mm)).count() as f64;
        alike - (mm / man_mm).ln().abs()
    };
    let typical = may_be.iter().map(|disc| disc.diameter_mm).max_by(|a, b| votes(*a).total_cmp(&votes(*b)));
    let diameter_mm = typical
        .and_then(|mm| median(may_be.iter().filter(|disc| is_like(disc, mm)).map(|disc| disc.diameter_mm)));
    let shooter = template.pieces.iter().find(|kind| kind.shooter);
    let shooter_mm = shooter.zip(diameter_mm).and_then(|(kind, man)| {
        let larger = discs.iter().filter(|disc| disc.diameter_mm > 1.2 * man);
        let expected = kind.diameter_mm * man / man_mm;
        larger
            .map(|disc| disc.diameter_mm)
            .min_by(|a, b| (a - expected).abs().total_cmp(&(b - expected).abs()))
    });
    let mut colours = vec![None; template.pieces.len()];
    if let Some(mm) = diameter_mm {
        let men: Vec<&Disc> = may_be.into_iter().filter(|disc| is_like(disc, mm)).collect();
        assign(&groups_by_colour(&men, options), template, wanted, false, &mut colours);
    }
    if let Some(mm) = shooter_mm {
        let shot: Vec<&Disc> = discs.iter().filter(|disc| is_like(disc, mm)).collect();
        assign(&groups_by_colour(&shot, options), template, wanted, true, &mut colours);
    }
    LearnedPieces { diameter_mm, shooter_mm, colours }
}

/// Discs of one colour, the most numerous first.
fn groups_by_colour(discs: &[&Disc], options: &LearnOptions) -> Vec<(Lab, usize)> {
    let mut groups: Vec<Vec<Lab>> = Vec::new();
    for disc in discs {
        let near = groups.iter_mut().find(|group| (group[0] - disc.colour).norm() < options.same_colour);
        match near {
            Some(group) => group.push(disc.colour),
            None => groups.push(vec![disc.colour]),
        }
    }
    let mut groups: Vec<(Lab, usize)> =
        groups.iter().filter_map(|group| Some((median_colour(group)?, group.len()))).collect();
    groups.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    groups
}

/// Gives each group of discs to the kind whose colour is nearest, each kind once.
fn assign(
    groups: &[(Lab, usize)],
    template: &Board,
    wanted: &[Lab],
    shooter: bool,
    colours: &mut [Option<Lab>],
) {
    let mut pairs: Vec<(f32, usize, usize)> = Vec::new();
    for (g, (colour, count)) in groups.iter().enumerate() {
        for (k, kind) in template.pieces.iter().enumerate() {
            if kind.shooter == shooter && *count <= kind.count {
                let d = colour - wanted[k];
                pairs.push((Lab::new(0.7 * d.x, d.y, d.z).norm(), g, k));
            }
        }
    }
    pairs.sort_by(|a, b| a.0.total_cmp(&b.0));
    let (mut taken, mut given) = (vec![false; groups.len()], vec![false; colours.len()]);
    for (_, g, k) in pairs {
        if !taken[g] && !given[k] {
            (taken[g], given[k]) = (true, true);
            colours[k] = Some(groups[g].0);
        }
    }
}
