//! What all that is alike on a board says together.
//!
//! In: what is seen of each line, and which lines are alike. Out: for every line what makers meant by it: most of what is
//! seen of its like agrees, the rest was something else.

use super::{
    alike::{Alike, Middle},
    lines::Sought,
    plane::{median, median_colour},
    print::Seen,
};
use crate::{
    board::Board,
    geometry::{Paint, Point, Vector},
    outline::Lab,
};

/// What is known of a line and of its like.
#[derive(Debug, Clone)]
pub(super) struct Known {
    /// Where this line is.
    pub paint: Paint,
    /// How far those that are alike lie apart, one standard deviation.
    pub spread_mm: f64,
    /// How many of its like were seen, and would be in view.
    pub seen: usize,
    pub in_view: usize,
    /// Whether this very line was seen.
    pub is_seen: bool,
    pub clearness: f64,
    pub colour: Option<Lab>,
    pub fill: Option<Lab>,
}

/// For each line of `board` what is known; `None` where nothing like it was seen. `near_mm`: how far apart what is alike may
/// lie.
pub(super) fn agreed(
    board: &Board,
    alike: &Alike,
    sought: &[Sought<Seen>],
    near_mm: f64,
) -> Vec<Option<Known>> {
    let middle = Middle::of(board);
    let mut known = vec![None; board.lines.len()];
    for first in alike.firsts() {
        let samples: Vec<Sample> = alike
            .members(first)
            .flat_map(|(index, turns)| turns.iter().map(move |turn| (index, *turn)))
            .filter_map(|(index, turn)| match sought[index] {
                Sought::Found(seen) => {
                    let paint = middle.turn_back(turn, &seen.paint);
                    Some(Sample { index, places: places_of(&paint, &board.lines[first].paint), seen })
                }
                _ => None,
            })
            .collect();
        let Some(agreeing) = largest_group(&samples, near_mm) else { continue };
        let (paint, spread_mm) = mean(&agreeing, &board.lines[first].paint);
        let in_view = |index: usize| !matches!(sought[index], Sought::NotInView);
        let is_seen = |index: usize| agreeing.iter().any(|sample| sample.index == index);
        let members: Vec<_> = alike.members(first).collect();
        let colours: Vec<Lab> = agreeing.iter().filter_map(|sample| sample.seen.colour).collect();
        let fills: Vec<Lab> = agreeing.iter().filter_map(|sample| sample.seen.fill).collect();
        for &(index, turns) in &members {
            let Some(turn) = turns.first() else { continue };
            known[index] = Some(Known {
                paint: middle.turn(*turn, &paint),
                spread_mm,
                seen: members.iter().filter(|(index, _)| is_seen(*index)).count(),
                in_view: members.iter().filter(|(index, _)| in_view(*index)).count(),
                is_seen: is_seen(index),
                clearness: agreeing.iter().map(|sample| sample.seen.clearness).fold(0.0, f64::max),
                colour: median_colour(&colours),
                fill: median_colour(&fills),
            });
        }
    }
    known
}

/// Something that was seen, brought to where the first of its like is.
struct Sample {
    index: usize,
    /// Both ends of a straight line; of a circle its centre, and a place as far from it as its radius.
    places: [Point; 2],
    seen: Seen,
}

fn places_of(paint: &Paint, like: &Paint) -> [Point; 2] {
    match (*paint, *like) {
        (Paint::Stroke { from, to, .. }, Paint::Stroke { from: a, to: b, .. }) => {
            let is_along = (to - from).dot(&(b - a)) >= 0.0;
            if is_along { [from, to] } else { [to, from] }
        }
        (Paint::Stroke { from, to, .. }, _) => [from, to],
        (
            Paint::Ring { centre, radius_mm, .. }
            | Paint::Spot { centre, radius_mm }
            | Paint::Arc { centre, radius_mm, .. },
            _,
        ) => [centre, centre + Vector::new(radius_mm, 0.0)],
    }
}

fn apart_mm(a: &Sample, b: &Sample) -> f64 {
    (0..2).map(|i| (a.places[i] - b.places[i]).norm()).fold(0.0, f64::max)
}

/// The samples that agree with one of them, for the one with which the clearest agree.
fn largest_group(samples: &[Sample], near_mm: f64) -> Option<Vec<&Sample>> {
    let group = |of: &Sample| -> Vec<&Sample> {
        samples.iter().filter(|other| apart_mm(of, other) <= near_mm).collect()
    };
    let weight = |group: &[&Sample]| group.iter().map(|sample| sample.seen.clearness).sum::<f64>();
    samples.iter().map(group).max_by(|a, b| weight(a).total_cmp(&weight(b)))
}

/// The mean of samples as paint of the first's kind, and how far they lie from it.
fn mean(samples: &[&Sample], like: &Paint) -> (Paint, f64) {
    let weights: Vec<f64> = samples.iter().map(|sample| sample.seen.clearness.max(1e-6)).collect();
    let all: f64 = weights.iter().sum();
    let place = |i: usize| -> Point {
        let sum: Vector = samples.iter().zip(&weights).map(|(s, w)| s.places[i].coords * *w).sum();
        Point::from(sum / all)
    };
    let (from, to) = (place(0), place(1));
    let width_mm = median(samples.iter().map(|sample| sample.seen.paint.width_mm())).unwrap_or(1.0);
    let paint = match *like {
        Paint::Stroke { .. } => Paint::Stroke { from, to, width_mm },
        Paint::Ring { width_mm, .. } => Paint::Ring { centre: from, radius_mm: (to - from).norm(), width_mm },
        Paint::Spot { .. } => Paint::Spot { centre: from, radius_mm: (to - from).norm() },
        Paint::Arc { width_mm, start_rad, sweep_rad, .. } => {
            Paint::Arc { centre: from, radius_mm: (to - from).norm(), width_mm, start_rad, sweep_rad }
        }
    };
    // Along a line its ends are known less well, and matter less.
    let along = (to - from).try_normalize(f64::MIN_POSITIVE);
    let off = |sample: &&Sample, i: usize, at: Point| {
        let v = sample.places[i] - at;
        match (like, along) {
            (Paint::Stroke { .. }, Some(along)) => (v - along * along.dot(&v)).norm(),
            _ => v.norm(),
        }
    };
    let squares: f64 = samples
        .iter()
        .zip(&weights)
        .map(|(sample, w)| w * (off(sample, 0, from).powi(2) + off(sample, 1, to).powi(2)) / 2.0)
        .sum();
    (paint, (squares / all).sqrt())
}

/// What several pictures know of one line: the mean of those that agree with the clearest.
pub(super) fn mean_of(all: &[&Known], near_mm: f64) -> Option<Known> {
    let clearest = all.iter().max_by(|a, b| a.clearness.total_cmp(&b.clearness))?;
    let places = |known: &Known| places_of(&known.paint, &clearest.paint);
    let middle = places(clearest);
    let agree: Vec<&&Known> =
        all.iter().filter(|known| (0..2).all(|i| (places(known)[i] - middle[i]).norm() <= near_mm)).collect();
    let count = agree.len() as f64;
    let place =
        |i: usize| Point::from(agree.iter().map(|known| places(known)[i].coords).sum::<Vector>() / count);
    let (from, to) = (place(0), place(1));
    let paint = match clearest.paint {
        Paint::Stroke { width_mm, .. } => Paint::Stroke { from, to, width_mm },
        Paint::Ring { width_mm, .. } => Paint::Ring { centre: from, radius_mm: (to - from).norm(), width_mm },
        Paint::Spot { .. } => Paint::Spot { centre: from, radius_mm: (to - from).norm() },
        Paint::Arc { width_mm, start_rad, sweep_rad, .. } => {
            Paint::Arc { centre: from, radius_mm: (to - from).norm(), width_mm, start_rad, sweep_rad }
        }
    };
    let is_seen = agree.iter().any(|known| known.is_seen);
    Some(Known { paint, is_seen, ..(*clearest).clone() })
}
