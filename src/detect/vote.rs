//! Places where a piece may lie, by voting.
//!
//! In: the view in stops. Out: [`Place`]s. Every cell at a brightness or colour edge votes for the
//! two centres from which it would be the rim of a piece of known radius. Straight lines spread
//! their votes; a rim gathers them in one cell. The silhouette of a solid is its top rim on the
//! side away from the camera and its base on the side towards it: both vote for the footprint.

use super::{DetectOptions, light::Stops, view::View};
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

/// An edge cell.
struct Edge {
    column: f32,
    row: f32,
    /// Unit direction of growing light.
    direction: [f32; 2],
    weight: f32,
}

/// A cap's rim votes for its piece's centre too, at these parts of the piece's radius.
const CAP_RADII: [f32; 2] = [0.76, 0.86];
/// What such a vote counts.
const CAP_WEIGHT: f32 = 0.6;
/// Part of the least step below which a cell's plain difference rules it out as an edge.
const FLAT_PART: f32 = 0.7;
/// Rows of edge cells that a rim leaves in the view.
const RIM_CELLS: f32 = 1.8;

/// `eye` is the camera's foot point and height.
pub fn places(
    view: &View,
    cells: &[Stops],
    eye: nalgebra::Point3<f64>,
    radii_mm: &[f64],
    options: &DetectOptions,
    can_be_piece: impl Fn(&Place) -> bool,
) -> Vec<Place> {
    let edges = edges(view, cells, options);
    let mut places = Vec::new();
    for (size, &radius_mm) in radii_mm.iter().enumerate() {
        let votes = gather(view, &edges, eye, radius_mm);
        let whole_rim = whole_rim(view, radius_mm);
        peaks(view, &votes, options.vote_rim_min * whole_rim, |centre, votes| {
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

/// Sobel steps in the channel where they are largest.
fn edges(view: &View, cells: &[Stops], options: &DetectOptions) -> Vec<Edge> {
    let width = view.width;
    let least = options.vote_step_min * options.vote_step_min;
    // A plain difference this small cannot become a step when it is smoothed, or only just.
    let flat_max = least * FLAT_PART * FLAT_PART;
    let mut edges = Vec::new();
    for row in 1..view.height - 1 {
        let above = &cells[(row - 1) * width..row * width];
        let here = &cells[row * width..(row + 1) * width];
        let below = &cells[(row + 1) * width..(row + 2) * width];
        for column in 1..width - 1 {
            let flat = (0..3).all(|c| {
                let across = here[column + 1][c] - here[column - 1][c];
                let down = below[column][c] - above[column][c];
                across * across + down * down < flat_max
            });
            if flat {
                continue;
            }
            let (mut best, mut steps) = (0.0_f32, [0.0_f32; 2]);
            for c in 0..3 {
                let at = |line: &[Stops], i: usize| line[i][c];
                let (l, r) = (column - 1, column + 1);
                let across = at(above, r) - at(above, l) + 2.0 * (at(here, r) - at(here, l)) + at(below, r)
                    - at(below, l);
                let down = at(below, l) - at(above, l)
                    + 2.0 * (at(below, column) - at(above, column))
                    + at(below, r)
                    - at(above, r);
                let square = across * across + down * down;
                if square > best {
                    best = square;
                    steps = [across, down];
                }
            }
            let square = best / 16.0;
            if square > least {
                let step = square.sqrt();
                let weight = ((step - options.vote_step_min)
                    / (options.vote_step_full - options.vote_step_min))
                    .min(1.0);
                let direction = steps.map(|s| s / (4.0 * step));
                edges.push(Edge { column: column as f32, row: row as f32, direction, weight });
            }
        }
    }
    edges
}

fn gather(view: &View, edges: &[Edge], eye: nalgebra::Point3<f64>, radius_mm: f64) -> Vec<f32> {
    let mut votes = vec![0.0_f32; view.len()];
    let radius = (radius_mm / view.pitch_mm) as f32;
    let (eye_column, eye_row) = view.cell_at(Point::new(eye.x, eye.y));
    let (eye_column, eye_row) = (eye_column as f32, eye_row as f32);
    // From where the view sees a point of the base to where it is.
    let stretch = (view.plane_mm / (eye.z - view.plane_mm)) as f32;
    let mut vote = |column: f32, row: f32, weight: f32| {
        let (x, y) = ((column + 0.5) as isize, (row + 0.5) as isize);
        if x >= 0 && y >= 0 && (x as usize) < view.width && (y as usize) < view.height {
            votes[y as usize * view.width + x as usize] += weight;
        }
    };
    for edge in edges {
        let away = [edge.column - eye_column, edge.row - eye_row];
        for side in [-1.0_f32, 1.0] {
            let inward = edge.direction.map(|d| d * side);
            let is_top_rim = inward[0] * away[0] + inward[1] * away[1] < 0.0;
            let lift = if is_top_rim { 0.0 } else { stretch };
            let (column, row) = (edge.column + away[0] * lift, edge.row + away[1] * lift);
            vote(column + inward[0] * radius, row + inward[1] * radius, edge.weight);
            for part in CAP_RADII {
                // A cap is part of the top, so its rim is seen at the top all around.
                let reach = radius * part;
                vote(
                    edge.column + inward[0] * reach,
                    edge.row + inward[1] * reach,
                    edge.weight * CAP_WEIGHT / CAP_RADII.len() as f32,
                );
            }
        }
    }
    votes
}

/// What the votes of a whole rim sum up to.
fn whole_rim(view: &View, radius_mm: f64) -> f32 {
    std::f32::consts::TAU * (radius_mm / view.pitch_mm) as f32 * RIM_CELLS
}

/// Local maxima of the votes summed over 3 x 3 cells.
fn peaks(view: &View, votes: &[f32], least: f32, mut found: impl FnMut(Point, f32)) {
    let width = view.width;
    let mut across = vec![0.0_f32; votes.len()];
    for (sum, three) in across[1..].iter_mut().zip(votes.windows(3)) {
        *sum = three[0] + three[1] + three[2];
    }
    let mut sums = vec![0.0_f32; votes.len()];
    for row in 1..view.height - 1 {
        let lines = [row - 1, row, row + 1].map(|line| &across[line * width..(line + 1) * width]);
        for (column, sum) in sums[row * width..(row + 1) * width].iter_mut().enumerate() {
            *sum = lines[0][column] + lines[1][column] + lines[2][column];
        }
    }
    for row in 2..view.height.saturating_sub(2) {
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
