//! Places where a piece may lie, by voting.
//!
//! In: the view in stops. Out: [`Place`]s. Every cell at a brightness or colour edge votes for the
//! two centres from which it would be the rim of a piece of known radius. Straight lines spread
//! their votes; a rim gathers them in one cell. The silhouette of a solid is its top rim on the
//! side away from the camera and its base on the side towards it: both vote for the footprint.

use super::{
    DetectOptions,
    light::{Cell, UNITS_A_STOP},
    look::Solid,
    notes::Notes,
    view::View,
};
use crate::geometry::{Point, Vector};

/// A voted place.
#[derive(Debug, Clone, Copy)]
pub struct Place {
    pub centre: Point,
    /// Index of the radius it was voted for.
    pub size: usize,
    /// About the part of the rim that voted.
    pub votes: f32,
}

/// Part of a rim of one size that voted for each cell of the view.
#[derive(Debug, Clone)]
pub struct VoteMap {
    pub radius_mm: f64,
    pub width: usize,
    pub height: usize,
    /// Distance of two cells, and where the first one lies.
    pub pitch_mm: f64,
    pub origin: Point,
    /// By rows.
    pub parts: Vec<f32>,
}

impl VoteMap {
    /// The most votes within a cell of a place; `None` outside the view.
    pub fn near(&self, place: Point) -> Option<f32> {
        let at = (place - self.origin) / self.pitch_mm;
        let (column, row) = (at.x.round(), at.y.round());
        let is_inside = |at: f64, count: usize| (1.0..count as f64 - 1.0).contains(&at);
        if !is_inside(column, self.width) || !is_inside(row, self.height) {
            return None;
        }
        let (column, row) = (column as usize, row as usize);
        let rows =
            (row - 1..=row + 1).flat_map(|row| (column - 1..=column + 1).map(move |column| (row, column)));
        rows.map(|(row, column)| self.parts[row * self.width + column]).reduce(f32::max)
    }
}

/// An edge cell.
struct Edge {
    column: f32,
    row: f32,
    /// Unit direction of growing light.
    direction: [f32; 2],
    weight: f32,
}

/// What voting works in; see [`super::scratch`].
#[derive(Default)]
pub struct Ballot {
    edges: Vec<Edge>,
    /// Votes for each cell, their sums over three cells of a row, and over 3 x 3 cells.
    votes: Vec<f32>,
    across: Vec<f32>,
    sums: Vec<f32>,
}

/// Part of the least step below which a cell's plain difference rules it out as an edge.
const FLAT_PART: f32 = 0.7;
/// Rows of edge cells that a rim leaves in the view.
const RIM_CELLS: f32 = 1.8;

/// `eye` is the camera's foot point and height.
pub fn places(
    (view, cells): (&View, &[Cell]),
    eye: nalgebra::Point3<f64>,
    solids: &[Solid],
    options: &DetectOptions,
    ballot: &mut Ballot,
    notes: &Notes,
    can_be_piece: impl Fn(&Place) -> bool,
) -> Vec<Place> {
    let Ballot { edges, votes, across, sums } = ballot;
    find_edges(view, cells, options, edges);
    let mut places = Vec::new();
    for (size, solid) in solids.iter().enumerate() {
        gather(view, edges, eye, solid, options, votes);
        let whole_rim = whole_rim(view, solid.radius_mm);
        sum_threes([view.width, view.height], votes, across, sums);
        notes.note(|trace| {
            trace.votes.push(VoteMap {
                radius_mm: solid.radius_mm,
                width: view.width,
                height: view.height,
                pitch_mm: view.pitch_mm,
                origin: view.origin,
                parts: sums.iter().map(|votes| votes / whole_rim).collect(),
            })
        });
        peaks(view, votes, sums, options.vote_rim_min * whole_rim, |centre, votes| {
            let place = Place { centre, size, votes: votes / whole_rim };
            if can_be_piece(&place) {
                places.push(place);
            }
        });
    }
    places.sort_by(|a, b| {
        b.votes
            .total_cmp(&a.votes)
            .then(a.centre.y.total_cmp(&b.centre.y))
            .then(a.centre.x.total_cmp(&b.centre.x))
    });
    places.truncate(options.places_max);
    places
}

/// Cells where the light steps, in the channel where it does most.
fn find_edges(view: &View, cells: &[Cell], options: &DetectOptions, edges: &mut Vec<Edge>) {
    let width = view.width;
    let row_of = |row: usize| &cells[row * width..(row + 1) * width];
    let mut sobel = Sobel::new(width);
    let least_units = options.vote_step_min * SOBEL_WEIGHT * UNITS_A_STOP;
    edges.clear();
    edges.reserve(view.len() / EDGE_SHARE);
    for row in 1..view.height - 1 {
        let lines = [row_of(row - 1), row_of(row), row_of(row + 1)];
        sobel.read(lines, least_units);
        let inner = &view.inner[row * width..(row + 1) * width];
        for (column, (is_steep, is_inner)) in sobel.is_steep.iter().zip(inner).enumerate() {
            if *is_steep != [0; 4]
                && *is_inner
                && let Some((direction, weight)) = sobel.edge_at(lines, column, options)
            {
                edges.push(Edge { column: column as f32, row: row as f32, direction, weight });
            }
        }
    }
}

/// About one cell in so many is an edge.
const EDGE_SHARE: usize = 8;
/// A step from cell to cell is so much larger in a Sobel filter.
const SOBEL_WEIGHT: f32 = 4.0;

/// The Sobel filter over one row of cells, in their units: whole rows are worked through eight numbers
/// at a time, and only what is steep is looked at again.
struct Sobel {
    /// The three rows smoothed, and what the lower one has more than the upper.
    smooth: Vec<Cell>,
    fall: Vec<Cell>,
    across: Vec<Cell>,
    down: Vec<Cell>,
    /// Not zero where a step may be long enough.
    is_steep: Vec<Cell>,
}

impl Sobel {
    fn new(width: usize) -> Self {
        let row = || vec![[0; 4]; width];
        Self { smooth: row(), fall: row(), across: row(), down: row(), is_steep: row() }
    }

    // Indices, because many rows are walked together.
    #[allow(clippy::needless_range_loop)]
    fn read(&mut self, [above, here, below]: [&[Cell]; 3], least_units: f32) {
        // A step is at most the root of two times as long as its longer side, and no longer than both together.
        let least_longer = (least_units * std::f32::consts::FRAC_1_SQRT_2) as i16;
        let least_together = least_units as i16;
        let (above, here, below) = (above.as_flattened(), here.as_flattened(), below.as_flattened());
        let (smooth, fall) = (self.smooth.as_flattened_mut(), self.fall.as_flattened_mut());
        let rows = above.iter().zip(here).zip(below);
        for ((smooth, fall), ((above, here), below)) in smooth.iter_mut().zip(fall.iter_mut()).zip(rows) {
            *smooth = above.wrapping_add(*below).wrapping_add(here.wrapping_mul(2));
            *fall = below.wrapping_sub(*above);
        }
        // What lies left of a value, itself, and what lies right of it, from the second cell to the last but one.
        let (left, middle, right) = (0..smooth.len() - 8, 4..smooth.len() - 4, 8..smooth.len());
        let (smooth_left, smooth_right) = (&smooth[left.clone()], &smooth[right.clone()]);
        let (fall_left, fall_here, fall_right) = (&fall[left], &fall[middle.clone()], &fall[right]);
        let across = &mut self.across.as_flattened_mut()[middle.clone()];
        let down = &mut self.down.as_flattened_mut()[middle.clone()];
        let is_steep = &mut self.is_steep.as_flattened_mut()[middle];
        for i in 0..across.len() {
            across[i] = smooth_right[i].wrapping_sub(smooth_left[i]);
            down[i] = fall_left[i]
                .wrapping_add(fall_right[i])
                .wrapping_add(fall_here[i])
                .wrapping_add(fall_here[i]);
            let (across, down) =
                (across[i].max(across[i].wrapping_neg()), down[i].max(down[i].wrapping_neg()));
            let together = across.saturating_add(down);
            is_steep[i] = i16::from((across.max(down) >= least_longer) & (together >= least_together));
        }
    }

    /// Unit direction of growing light and weight of the edge at a cell; `None` where there is none.
    fn edge_at(
        &self,
        lines: [&[Cell]; 3],
        column: usize,
        options: &DetectOptions,
    ) -> Option<([f32; 2], f32)> {
        let (across, down) = (self.across[column], self.down[column]);
        let (mut best, mut steps) = (0, [0; 2]);
        for c in 0..3 {
            let (across, down) = (i32::from(across[c]), i32::from(down[c]));
            let square = across * across + down * down;
            if square > best {
                best = square;
                steps = [across, down];
            }
        }
        let least_units = options.vote_step_min * SOBEL_WEIGHT * UNITS_A_STOP;
        if best as f32 <= least_units * least_units || is_flat(lines, column, options) {
            return None;
        }
        let by_length = 1.0 / (best as f32).sqrt();
        let step = best as f32 * by_length / (SOBEL_WEIGHT * UNITS_A_STOP);
        let weight =
            ((step - options.vote_step_min) / (options.vote_step_full - options.vote_step_min)).min(1.0);
        Some((steps.map(|s| s as f32 * by_length), weight))
    }
}

/// Whether a cell's plain differences are too small for a step, whatever its neighbours say.
fn is_flat([above, here, below]: [&[Cell]; 3], column: usize, options: &DetectOptions) -> bool {
    let least_units = options.vote_step_min * FLAT_PART * UNITS_A_STOP;
    (0..3).all(|c| {
        let across = i32::from(here[column + 1][c]) - i32::from(here[column - 1][c]);
        let down = i32::from(below[column][c]) - i32::from(above[column][c]);
        ((across * across + down * down) as f32) < least_units * least_units
    })
}

fn gather(
    view: &View,
    edges: &[Edge],
    eye: nalgebra::Point3<f64>,
    solid: &Solid,
    options: &DetectOptions,
    votes: &mut Vec<f32>,
) {
    votes.clear();
    votes.resize(view.len(), 0.0);
    let radius = (solid.radius_mm / view.pitch_mm) as f32;
    let (eye_column, eye_row) = view.cell_at(Point::new(eye.x, eye.y));
    let (eye_column, eye_row) = (eye_column as f32, eye_row as f32);
    // From where the view sees a point of the base to where it is.
    let stretch = (view.plane_mm / (eye.z - view.plane_mm)) as f32;
    let cap_parts = solid.cap_part.map_or(options.cap_vote_radii, |part| [part as f32; 2]);
    let caps = cap_parts.map(|part| radius * part);
    let width = view.width as u32;
    // To either side: a rim of the whole radius, and the caps.
    let [cap, other_cap] = caps;
    let reaches = [-radius, -cap, -other_cap, radius, cap, other_cap];
    for edge in edges {
        let away = [edge.column - eye_column, edge.row - eye_row];
        let outward = edge.direction[0] * away[0] + edge.direction[1] * away[1];
        // Inward of a top rim is towards the camera. A cap is part of the top, so its rim is seen at the top
        // all around.
        let lift = |is_top_rim: bool| if is_top_rim { 0.0 } else { stretch };
        let lifts = [lift(outward > 0.0), 0.0, 0.0, lift(outward < 0.0), 0.0, 0.0];
        let cap_weight = edge.weight * options.cap_vote_weight / caps.len() as f32;
        let weights = [edge.weight, cap_weight, cap_weight, edge.weight, cap_weight, cap_weight];
        let along = |from: f32, away: f32, direction: f32| -> [u32; 6] {
            std::array::from_fn(|i| nearest_whole(from + away * lifts[i] + direction * reaches[i]))
        };
        let columns = along(edge.column, away[0], edge.direction[0]);
        let rows = along(edge.row, away[1], edge.direction[1]);
        for ((column, row), weight) in columns.into_iter().zip(rows).zip(weights) {
            // A row beyond the last one is beyond the votes as well.
            if column < width
                && let Some(votes) = votes.get_mut(row as usize * width as usize + column as usize)
            {
                *votes += weight;
            }
        }
    }
}

/// The nearest whole number; of a negative one, something far beyond any cell. A sum with this number
/// has the whole part in its lowest bits, which is much faster than a checked conversion.
#[inline]
fn nearest_whole(value: f32) -> u32 {
    const WHOLE: f32 = 12_582_912.0;
    (value + WHOLE).to_bits().wrapping_sub(WHOLE.to_bits())
}

/// What the votes of a whole rim sum up to.
fn whole_rim(view: &View, radius_mm: f64) -> f32 {
    std::f32::consts::TAU * (radius_mm / view.pitch_mm) as f32 * RIM_CELLS
}

/// Votes summed over 3 x 3 cells.
fn sum_threes([width, height]: [usize; 2], votes: &[f32], across: &mut Vec<f32>, sums: &mut Vec<f32>) {
    across.resize(votes.len(), 0.0);
    sums.resize(votes.len(), 0.0);
    let inner = votes.len().saturating_sub(2);
    let threes = votes.iter().zip(&votes[1..]).zip(&votes[2..]);
    for (sum, ((left, here), right)) in across[1..1 + inner].iter_mut().zip(threes) {
        *sum = left + here + right;
    }
    // What has no three cells, or no three rows, around it: another view may have left something there.
    across[0] = 0.0;
    across[1 + inner..].fill(0.0);
    sums[..width].fill(0.0);
    sums[(height - 1) * width..].fill(0.0);
    for row in 1..height - 1 {
        let lines = [row - 1, row, row + 1].map(|line| &across[line * width..(line + 1) * width]);
        for (column, sum) in sums[row * width..(row + 1) * width].iter_mut().enumerate() {
            *sum = lines[0][column] + lines[1][column] + lines[2][column];
        }
    }
}

/// Local maxima of the votes summed over 3 x 3 cells.
fn peaks(view: &View, votes: &[f32], sums: &[f32], least: f32, mut found: impl FnMut(Point, f32)) {
    let width = view.width;
    for row in 2..view.height.saturating_sub(2) {
        // Few rows have one; this look at a whole row is a fast one.
        let high = sums[row * width..(row + 1) * width].iter().filter(|sum| **sum >= least).count();
        if high == 0 {
            continue;
        }
        for column in 2..width.saturating_sub(2) {
            let at = row * width + column;
            let value = sums[at];
            if value < least {
                continue;
            }
            let is_peak = (row - 2..=row + 2).all(|y| {
                (column - 2..=column + 2).all(|x| {
                    let other = sums[y * width + x];
                    other < value || (other == value && y * width + x >= at)
                })
            });
            if is_peak {
                // The centre of mass of the 3 x 3 cells around the peak.
                let (mut offset, mut mass) = (Vector::zeros(), 0.0);
                for (y, dy) in (row - 1..=row + 1).zip([-1.0, 0.0, 1.0]) {
                    for (x, dx) in (column - 1..=column + 1).zip([-1.0, 0.0, 1.0]) {
                        let m = f64::from(votes[y * width + x]);
                        offset += Vector::new(dx, dy) * m;
                        mass += m;
                    }
                }
                let offset = if mass > 0.0 { offset / mass } else { offset };
                found(view.point_at(column as f64 + offset.x, row as f64 + offset.y), value);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_another_view_left_behind_is_in_no_sum() {
        let votes: Vec<f32> = (0..20).map(|vote| vote as f32).collect();
        let sums_after = |left_behind: usize| {
            let (mut across, mut sums) = (vec![99.0; left_behind], vec![99.0; left_behind]);
            sum_threes([5, 4], &votes, &mut across, &mut sums);
            sums
        };
        let fresh = sums_after(0);
        assert_eq!(fresh[6], votes[0..3].iter().chain(&votes[5..8]).chain(&votes[10..13]).sum::<f32>());
        assert_eq!([sums_after(12), sums_after(50)], [fresh.clone(), fresh]);
    }
}
