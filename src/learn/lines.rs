//! Which of the picture's straight lines are which of the template's.
//!
//! In: the rectified surface and the template, brought to its size. Out: for each straight line of the template the
//! [`Stroke`] that it is, or that none is there. Makers keep the order of lines and change the distances, so the lines along
//! a side are matched all together: in order, each near where the template has it, spaced as there. Lines that run
//! otherwise are looked for where those around them put them ([`Warp`]).

use super::{
    LearnOptions,
    plane::Plane,
    strokes::{Stretch, Stroke, strokes_along},
};
use crate::{
    board::{Board, BoardSide},
    geometry::{Paint, Point},
};

/// What became of a part of the template.
#[derive(Debug, Clone, Copy)]
pub(super) enum Sought<T> {
    Found(T),
    /// It would be in view and is not there.
    Missing,
    /// Its place is out of the picture, or it is of another shape than what is looked for.
    NotInView,
}

/// How far a line may lie from where the board has it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Reach {
    /// The board is a template: makers differ.
    Wide,
    /// The board is that of this surface, and the camera is known from the surface's outline.
    Known,
    /// The same, and the camera is known from the print.
    Near,
}

/// The straight lines of `template`, which has the surface's size already.
pub(super) fn match_lines(
    plane: &Plane,
    template: &Board,
    reach: Reach,
    options: &LearnOptions,
) -> (Vec<Sought<Stroke>>, Warp) {
    let mut sought = vec![Sought::NotInView; template.lines.len()];
    for side in [BoardSide::Near, BoardSide::Right, BoardSide::Far, BoardSide::Left] {
        match_side(plane, template, side, reach, &mut sought, options);
    }
    let found: Vec<Option<(Point, Point)>> = sought
        .iter()
        .map(|sought| match sought {
            Sought::Found(stroke) => Some((stroke.from, stroke.to)),
            _ => None,
        })
        .collect();
    let warp = Warp::of(template, &found);
    for (index, line) in template.lines.iter().enumerate() {
        let Paint::Stroke { from, to, .. } = line.paint else { continue };
        if side_of(template, from, to).is_some() {
            continue;
        }
        let (from, to) = (warp.place(from), warp.place(to));
        let reach_mm = reach.share(options) * template.surface.width_mm;
        let stretch = Stretch { from: inner(from, to), to: inner(to, from), reach_mm, turn_mm: reach_mm };
        sought[index] = if !is_in_view(plane, from, to) {
            Sought::NotInView
        } else {
            match strokes_along(plane, &stretch, options).first() {
                Some(stroke) => {
                    Sought::Found(Stroke { from: ends(stroke, from), to: ends(stroke, to), ..*stroke })
                }
                None => Sought::Missing,
            }
        };
    }
    for (line, sought) in template.lines.iter().zip(&mut sought) {
        let (Paint::Stroke { from, to, .. }, Sought::Found(stroke)) = (line.paint, sought) else { continue };
        (stroke.from, stroke.to) = (ends(stroke, warp.place(from)), ends(stroke, warp.place(to)));
    }
    (sought, warp)
}

impl Reach {
    pub fn share(self, options: &LearnOptions) -> f64 {
        match self {
            Reach::Wide | Reach::Known => options.reach_share,
            Reach::Near => options.near_share,
        }
    }

    /// The least and greatest distance from its side at which a line is looked for.
    fn distances_mm(self, distance_mm: f64, width_mm: f64, options: &LearnOptions) -> [f64; 2] {
        match self {
            Reach::Wide => options.distance_range.map(|share| share * distance_mm),
            Reach::Known | Reach::Near => {
                [-1.0, 1.0].map(|way| distance_mm + way * self.share(options) * width_mm)
            }
        }
    }
}

/// A place a little inward of a line's end: paint fades there and other lines meet it.
fn inner(end: Point, other: Point) -> Point {
    const INWARD: f64 = 0.08;
    end + (other - end) * INWARD
}

/// The place on a stroke's line that is nearest to an expected end.
fn ends(stroke: &Stroke, expected: Point) -> Point {
    let along = stroke.to - stroke.from;
    let share = (expected - stroke.from).dot(&along) / along.norm_squared().max(f64::MIN_POSITIVE);
    stroke.from + along * share
}

fn is_in_view(plane: &Plane, from: Point, to: Point) -> bool {
    const PLACES: usize = 24;
    const LEAST: f64 = 0.4;
    plane.share_in_view((0..PLACES).map(|i| from + (to - from) * ((i as f64 + 0.5) / PLACES as f64))) >= LEAST
}

/// The side that a line runs along, and how far from it; `None` for lines that run along none.
fn side_of(board: &Board, from: Point, to: Point) -> Option<(BoardSide, f64)> {
    /// Lines that a camera saw are not quite level: so much across, as a share of their length.
    const LEVEL: f64 = 0.03;
    let (w, l) = (board.surface.width_mm, board.surface.length_mm);
    let (along, middle) = (to - from, nalgebra::center(&from, &to));
    if along.y.abs() < LEVEL * along.norm() {
        let (near, far) = (middle.y, l - middle.y);
        Some(if near < far { (BoardSide::Near, near) } else { (BoardSide::Far, far) })
    } else if along.x.abs() < LEVEL * along.norm() {
        let (left, right) = (middle.x, w - middle.x);
        Some(if left < right { (BoardSide::Left, left) } else { (BoardSide::Right, right) })
    } else {
        None
    }
}

/// A line of the template that runs along a side, with the strokes that it may be.
struct Row {
    line: usize,
    distance_mm: f64,
    /// Strokes with their distance from the side.
    may_be: Vec<(f64, Stroke)>,
}

fn match_side(
    plane: &Plane,
    template: &Board,
    side: BoardSide,
    reach: Reach,
    sought: &mut [Sought<Stroke>],
    options: &LearnOptions,
) {
    let mut rows: Vec<Row> = Vec::new();
    for (index, line) in template.lines.iter().enumerate() {
        let Paint::Stroke { from, to, .. } = line.paint else { continue };
        let Some((_, distance_mm)) = side_of(template, from, to).filter(|(of, _)| *of == side) else {
            continue;
        };
        if !is_in_view(plane, from, to) {
            continue;
        }
        sought[index] = Sought::Missing;
        let [least, most] = reach.distances_mm(distance_mm, template.surface.width_mm, options);
        let (middle_mm, reach_mm) = ((least + most) / 2.0, (most - least) / 2.0);
        let at = |p: Point| from_side(template, side, p, middle_mm);
        let (from, to) = (at(inner(from, to)), at(inner(to, from)));
        let turn_mm = 0.015 * (to - from).norm();
        let stretch = Stretch { from, to, reach_mm, turn_mm };
        let may_be = strokes_along(plane, &stretch, options)
            .into_iter()
            .take(MOST_CANDIDATES)
            .map(|stroke| (to_side(template, side, nalgebra::center(&stroke.from, &stroke.to)), stroke))
            .collect();
        rows.push(Row { line: index, distance_mm, may_be });
    }
    rows.sort_by(|a, b| a.distance_mm.total_cmp(&b.distance_mm));
    for (row, choice) in rows.iter().zip(best_choice(&rows, options)) {
        let Some((distance_mm, stroke)) = choice.map(|i| row.may_be[i]) else { continue };
        let Paint::Stroke { from, to, .. } = template.lines[row.line].paint else { continue };
        let end = |p: Point| ends(&stroke, from_side(template, side, p, distance_mm));
        sought[row.line] = Sought::Found(Stroke { from: end(from), to: end(to), ..stroke });
    }
}

/// Strokes that are weighed for a line, the clearest.
const MOST_CANDIDATES: usize = 8;

/// `p`, moved to lie so far from a side.
fn from_side(board: &Board, side: BoardSide, p: Point, distance_mm: f64) -> Point {
    let (w, l) = (board.surface.width_mm, board.surface.length_mm);
    match side {
        BoardSide::Near => Point::new(p.x, distance_mm),
        BoardSide::Far => Point::new(p.x, l - distance_mm),
        BoardSide::Left => Point::new(distance_mm, p.y),
        BoardSide::Right => Point::new(w - distance_mm, p.y),
    }
}

fn to_side(board: &Board, side: BoardSide, p: Point) -> f64 {
    let (w, l) = (board.surface.width_mm, board.surface.length_mm);
    match side {
        BoardSide::Near => p.y,
        BoardSide::Far => l - p.y,
        BoardSide::Left => p.x,
        BoardSide::Right => w - p.x,
    }
}

/// The strokes, one a row or none, that together speak most for the template: clear ones, in order, at about the
/// template's distances and spacings.
fn best_choice(rows: &[Row], options: &LearnOptions) -> Vec<Option<usize>> {
    /// What a stroke that is as clear as can be speaks for a line, and how clear that is, in standard deviations.
    const PLAIN: f64 = 4.0;
    const PLAINLY_CLEAR: f64 = 20.0;
    let off = |seen: f64, expected: f64| ((seen / expected).ln() / options.distance_spread).powi(2);
    // Best score of all rows up to each, for every choice of the last stroke that was taken.
    type State = (f64, Vec<Option<usize>>, Option<(f64, f64)>);
    let mut states: Vec<State> = vec![(0.0, Vec::new(), None)];
    for row in rows {
        let mut next: Vec<State> = Vec::new();
        for (score, chosen, last) in &states {
            let mut without = chosen.clone();
            without.push(None);
            next.push((score - options.leaving_out, without, *last));
            for (i, (distance_mm, stroke)) in row.may_be.iter().enumerate() {
                let clear = PLAIN * (stroke.clearness / PLAINLY_CLEAR).min(1.0);
                let spacing = match last {
                    Some((seen, _)) if *seen >= distance_mm - 1.0 => continue,
                    Some((seen, template)) => off(distance_mm - seen, row.distance_mm - template),
                    None => 0.0,
                };
                let mut with = chosen.clone();
                with.push(Some(i));
                let score = score + clear - 0.5 * off(*distance_mm, row.distance_mm) - 0.5 * spacing;
                next.push((score, with, Some((*distance_mm, row.distance_mm))));
            }
        }
        next.sort_by(|a, b| b.0.total_cmp(&a.0));
        next.truncate(STATES_KEPT);
        states = next;
    }
    states.into_iter().next().map_or(Vec::new(), |(_, chosen, _)| chosen)
}

/// Of the ways to match the rows so far, so many are followed.
const STATES_KEPT: usize = 200;

/// Where the surface's lines put a place of the template: between two lines that were found, in proportion.
#[derive(Debug, Clone)]
pub(super) struct Warp {
    x: Vec<(f64, f64)>,
    y: Vec<(f64, f64)>,
}

impl Warp {
    /// From the lines' places: `found` has both ends of each straight line that was found.
    pub fn of(template: &Board, found: &[Option<(Point, Point)>]) -> Self {
        let (w, l) = (template.surface.width_mm, template.surface.length_mm);
        let (mut x, mut y) = (vec![(0.0, 0.0), (w, w)], vec![(0.0, 0.0), (l, l)]);
        for (line, found) in template.lines.iter().zip(found) {
            let (Paint::Stroke { from, to, .. }, Some((found_from, found_to))) = (&line.paint, found) else {
                continue;
            };
            let middle = nalgebra::center(found_from, found_to);
            match side_of(template, *from, *to) {
                Some((BoardSide::Near | BoardSide::Far, _)) => y.push((from.y, middle.y)),
                Some((BoardSide::Left | BoardSide::Right, _)) => x.push((from.x, middle.x)),
                None => {}
            }
        }
        Self { x: in_order(x), y: in_order(y) }
    }

    pub fn place(&self, p: Point) -> Point {
        Point::new(interpolated(&self.x, p.x), interpolated(&self.y, p.y))
    }
}

/// Knots by the template's place, each once and rising.
fn in_order(mut knots: Vec<(f64, f64)>) -> Vec<(f64, f64)> {
    knots.sort_by(|a, b| a.0.total_cmp(&b.0));
    knots.dedup_by(|b, a| b.0 - a.0 < 1.0);
    let mut rising: Vec<(f64, f64)> = Vec::new();
    for knot in knots {
        if rising.last().is_none_or(|last| knot.1 > last.1) {
            rising.push(knot);
        }
    }
    rising
}

fn interpolated(knots: &[(f64, f64)], at: f64) -> f64 {
    let after = knots.partition_point(|knot| knot.0 < at).clamp(1, knots.len().max(2) - 1);
    let [Some(a), Some(b)] = [knots.get(after - 1), knots.get(after)] else { return at };
    a.1 + (b.1 - a.1) * (at - a.0) / (b.0 - a.0).max(f64::MIN_POSITIVE)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_between_lines_move_in_proportion() {
        let knots = in_order(vec![(740.0, 740.0), (0.0, 0.0), (100.0, 120.0), (640.0, 620.0)]);
        for (at, moved) in
            [(0.0, 0.0), (50.0, 60.0), (100.0, 120.0), (370.0, 370.0), (690.0, 680.0), (800.0, 812.0)]
        {
            assert!((interpolated(&knots, at) - moved).abs() < 1e-9, "{at}: {}", interpolated(&knots, at));
        }
    }
}
