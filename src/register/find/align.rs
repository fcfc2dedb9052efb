//! Where the board may lie, for one orientation: scale and place from its parallel lines.
//!
//! In: an orientation and the picture's edges. Out: [`Placement`]s, the best first. On the plane of
//! the board the edges along x become positions in y and those along y positions in x. Two such
//! positions set against two of the board's levels fix scale and place along one axis; the other
//! axis has the same scale, so one position fixes it.

use nalgebra::{Matrix3, Vector2};

use super::{
    FindOptions,
    pattern::{Level, Pattern},
    segments::Segment,
    vanishing::{Orientation, rectify},
};

/// `board_mm = height_mm * plane + offset_mm`, where the plane lies one unit below the camera.
#[derive(Debug, Clone, Copy)]
pub(super) struct Placement {
    pub rotation: Matrix3<f64>,
    pub focal: f64,
    /// The camera's height above the board.
    pub height_mm: f64,
    pub offset_mm: Vector2<f64>,
}

/// An edge along one axis of the plane.
struct Edge {
    /// Across it.
    position: f64,
    /// How far off its position may be.
    reach: f64,
    /// In the picture.
    length: f64,
}

/// How much edge there is at each position along one axis.
struct Profile {
    low: f64,
    per_bin: f64,
    /// Between -`missing_level_cost` (nothing) and 1 (a long edge).
    strength: Vec<f32>,
    /// Positions with the most edge.
    peaks: Vec<f64>,
}

impl Profile {
    fn at(&self, position: f64) -> Option<f64> {
        let bin = (position - self.low) / self.per_bin;
        (bin >= 0.0).then(|| self.strength.get(bin as usize)).flatten().map(|&s| f64::from(s))
    }

    fn fit(&self, levels: &[Level], height_mm: f64, offset_mm: f64) -> f64 {
        levels
            .iter()
            .filter_map(|level| Some(level.weight * self.at((level.at_mm - offset_mm) / height_mm)?))
            .sum()
    }
}

pub(super) fn placements(
    orientation: &Orientation,
    turn: usize,
    pattern: &Pattern,
    segments: &[Segment],
    half_size: Vector2<f64>,
    options: &FindOptions,
) -> Vec<Placement> {
    let rotation = turned(&orientation.rotation, turn);
    let place = |p: Vector2<f64>| rectify(&rotation, orientation.focal, p);
    let Some((low, high)) = extent(&place, half_size) else { return Vec::new() };
    let (mut along_x, mut along_y) = (Vec::new(), Vec::new());
    let tolerance = options.parallel_tolerance_deg.to_radians().tan();
    for segment in segments {
        let (Some(from), Some(to)) = (place(segment.from), place(segment.to)) else { continue };
        let (d, middle) = (to - from, (from + to) / 2.0);
        let length = segment.length();
        let along = (segment.to - segment.from) / length.max(f64::MIN_POSITIVE);
        let beside = segment.middle() + Vector2::new(-along.y, along.x) * options.profile_reach;
        // The same error in the picture is more on the plane the further away it is.
        let reach = place(beside).map_or_else(Vector2::zeros, |beside| (beside - middle).abs());
        if d.y.abs() < tolerance * d.x.abs() {
            along_x.push(Edge { position: middle.y, reach: reach.y, length });
        } else if d.x.abs() < tolerance * d.y.abs() {
            along_y.push(Edge { position: middle.x, reach: reach.x, length });
        }
    }
    let in_y = profile(&along_x, low.y, high.y, options);
    let in_x = profile(&along_y, low.x, high.x, options);
    let mut found = Vec::new();
    for (height_mm, offset_y, fit_y) in scales(&in_y, &pattern.y_levels, options) {
        for (offset_x, fit_x) in offsets(&in_x, &pattern.x_levels, height_mm, options) {
            found.push((height_mm, Vector2::new(offset_x, offset_y), fit_x + fit_y));
        }
    }
    for (height_mm, offset_x, fit_x) in scales(&in_x, &pattern.x_levels, options) {
        for (offset_y, fit_y) in offsets(&in_y, &pattern.y_levels, height_mm, options) {
            found.push((height_mm, Vector2::new(offset_x, offset_y), fit_x + fit_y));
        }
    }
    found.sort_by(|a, b| b.2.total_cmp(&a.2));
    found.truncate(options.max_placements);
    found
        .into_iter()
        .map(|(height_mm, offset_mm, _)| Placement {
            rotation,
            focal: orientation.focal,
            height_mm,
            offset_mm,
        })
        .collect()
}

/// The rotation for a board turned by quarter turns about its own z axis.
fn turned(rotation: &Matrix3<f64>, turn: usize) -> Matrix3<f64> {
    let (x, y, z) = (rotation.column(0), rotation.column(1), rotation.column(2));
    let (x, y) = match turn % 4 {
        0 => (x.into_owned(), y.into_owned()),
        1 => (y.into_owned(), -x),
        2 => (-x, -y),
        _ => (-y, x.into_owned()),
    };
    Matrix3::from_columns(&[x, y, z.into_owned()])
}

/// The part of the plane that the picture shows, as a box in the board's axes.
fn extent(
    place: &impl Fn(Vector2<f64>) -> Option<Vector2<f64>>,
    half_size: Vector2<f64>,
) -> Option<(Vector2<f64>, Vector2<f64>)> {
    /// Picture points along each axis that are placed.
    const PROBES: i32 = 4;
    let mut points = Vec::new();
    for i in -PROBES..=PROBES {
        for j in -PROBES..=PROBES {
            let p = Vector2::new(f64::from(i), f64::from(j)) / f64::from(PROBES);
            points.extend(place(half_size.component_mul(&p)));
        }
    }
    let low = points.iter().copied().reduce(|a, b| a.inf(&b))?;
    let high = points.iter().copied().reduce(|a, b| a.sup(&b))?;
    (high.x > low.x && high.y > low.y).then_some((low, high))
}

fn profile(edges: &[Edge], low: f64, high: f64, options: &FindOptions) -> Profile {
    let bins = options.profile_bins.max(8);
    let per_bin = (high - low) / bins as f64;
    let mut lengths = vec![0.0f64; bins];
    for &Edge { position, reach, length } in edges {
        let (centre, reach) = ((position - low) / per_bin, (reach / per_bin).max(1.0));
        let (from, to) = ((centre - reach).floor().max(0.0), (centre + reach).ceil().min(bins as f64 - 1.0));
        let mut bin = from;
        while bin <= to {
            let off = (bin + 0.5 - centre).abs() / (reach + 0.5);
            lengths[bin as usize] += length * (1.0 - off * off).max(0.0);
            bin += 1.0;
        }
    }
    let mut order: Vec<usize> = (0..bins)
        .filter(|&i| lengths[i] > 0.0)
        .filter(|&i| i == 0 || lengths[i - 1] <= lengths[i])
        .filter(|&i| i + 1 == bins || lengths[i + 1] < lengths[i])
        .collect();
    order.sort_by(|&a, &b| lengths[b].total_cmp(&lengths[a]).then(a.cmp(&b)));
    order.truncate(options.max_peaks);
    order.sort();
    let peaks = order.into_iter().map(|i| low + (i as f64 + 0.5) * per_bin).collect();
    let strength = lengths
        .into_iter()
        .map(|length| {
            let present = 1.0 - (-length / options.long_edge).exp();
            ((1.0 + options.missing_level_cost) * present - options.missing_level_cost) as f32
        })
        .collect();
    Profile { low, per_bin, strength, peaks }
}

/// Scales and offsets that set two peaks against two levels, the best first, alike ones once.
fn scales(profile: &Profile, levels: &[Level], options: &FindOptions) -> Vec<(f64, f64, f64)> {
    let mut found = Vec::new();
    for (i, a) in profile.peaks.iter().enumerate() {
        for b in &profile.peaks[i + 1..] {
            for (j, first) in levels.iter().enumerate() {
                for second in &levels[j + 1..] {
                    let height_mm = (second.at_mm - first.at_mm) / (b - a);
                    if !(options.min_height_mm..=options.max_height_mm).contains(&height_mm) {
                        continue;
                    }
                    let offset_mm = first.at_mm - height_mm * a;
                    found.push((height_mm, offset_mm, profile.fit(levels, height_mm, offset_mm)));
                }
            }
        }
    }
    found.sort_by(|a, b| b.2.total_cmp(&a.2));
    let mut kept: Vec<(f64, f64, f64)> = Vec::new();
    for new in found {
        if kept.len() == options.max_scales {
            break;
        }
        let alike = |old: &(f64, f64, f64)| {
            let at = |place: &(f64, f64, f64), level: &Level| (level.at_mm - place.1) / place.0;
            levels.iter().all(|l| (at(old, l) - at(&new, l)).abs() < 2.0 * profile.per_bin)
        };
        if !kept.iter().any(alike) {
            kept.push(new);
        }
    }
    kept
}

/// The best offsets for a given scale.
fn offsets(profile: &Profile, levels: &[Level], height_mm: f64, options: &FindOptions) -> Vec<(f64, f64)> {
    let mut found: Vec<(f64, f64)> = profile
        .peaks
        .iter()
        .flat_map(|peak| levels.iter().map(move |level| level.at_mm - height_mm * peak))
        .map(|offset_mm| (offset_mm, profile.fit(levels, height_mm, offset_mm)))
        .collect();
    found.sort_by(|a, b| b.1.total_cmp(&a.1));
    let mut kept: Vec<(f64, f64)> = Vec::new();
    for new in found {
        if kept.len() == options.max_offsets {
            break;
        }
        if !kept.iter().any(|old| (old.0 - new.0).abs() < 2.0 * profile.per_bin * height_mm) {
            kept.push(new);
        }
    }
    kept
}
