//! Where painted lines meet, and stay together when each is put where it was seen.
//!
//! In: a board whose lines meet as the maker meant it, and the same lines where a picture shows them, each a little beside
//! the next. Out: one place for every joint, on all lines through it, so that areas stay closed.

use super::assemble::is_needed;
use crate::{
    board::{Board, Line},
    geometry::{Paint, Point, Vector},
};

/// Something ends on a line if the line's middle is so near, mm.
const ON_MM: f64 = 0.6;
/// Rounds in which lines are fitted to their joints and joints to their lines. Each round halves what is left, or better.
const ROUNDS: usize = 60;

/// The places of a board at which lines end on lines, and at which areas have their corners.
#[derive(Debug, Clone)]
pub(super) struct Joints {
    joints: Vec<Joint>,
}

#[derive(Debug, Clone)]
struct Joint {
    /// Where the board has it.
    before: Point,
    now: Point,
    /// The lines through it.
    lines: Vec<usize>,
    /// What of it the surface's border holds.
    held: [Option<f64>; 2],
}

/// A straight line as it is fitted.
#[derive(Debug, Clone, Copy)]
struct Course {
    through: Point,
    along: Vector,
    /// How much it counts: lines that were seen count more than those that only moved along.
    weight: f64,
}

impl Joints {
    /// The joints of `board`, with `lines` in the places where they were seen. `near` says where a place of the board would be
    /// by what lies around it, `is_seen` which lines were seen themselves.
    pub fn of(board: &Board, lines: &[Line], is_seen: &[bool], near: impl Fn(Point) -> Point) -> Self {
        let size = [board.surface.width_mm, board.surface.length_mm];
        let mut joints: Vec<Joint> = Vec::new();
        for place in corners(board) {
            if joints.iter().any(|joint| (joint.before - place).norm() < ON_MM) {
                continue;
            }
            let through = (0..board.lines.len()).filter(|i| is_on(&board.lines[*i], place)).collect();
            let held = [0, 1].map(|axis| on_border(place[axis], size[axis]));
            joints.push(Joint { before: place, now: near(place), lines: through, held });
        }
        let mut this = Self { joints };
        this.settle(lines, is_seen);
        this
    }

    /// Where a place of the board is now, if it is a joint.
    pub fn place(&self, before: Point) -> Option<Point> {
        self.joints.iter().find(|joint| (joint.before - before).norm() < ON_MM).map(|joint| joint.now)
    }

    fn settle(&mut self, lines: &[Line], is_seen: &[bool]) {
        let mut courses: Vec<Option<Course>> = lines
            .iter()
            .zip(is_seen)
            .map(|(line, is_seen)| match line.paint {
                Paint::Stroke { from, to, .. } => {
                    Course::between(from, to, if *is_seen { 1.0 } else { 0.05 })
                }
                _ => None,
            })
            .collect();
        for round in 0..ROUNDS {
            for joint in &mut self.joints {
                joint.now = joint.best(&courses);
            }
            // What was seen of a line holds it less and less, so that in the end all lines go through their joints.
            let hold = 0.5_f64.powi(round as i32 / 4);
            for (index, (line, course)) in lines.iter().zip(&mut courses).enumerate() {
                let (Paint::Stroke { from, to, .. }, Some(course)) = (line.paint, course) else { continue };
                let on_it = self.joints.iter().filter(|joint| joint.lines.contains(&index));
                let mut places: Vec<(Point, f64)> = on_it.map(|joint| (joint.now, 1.0)).collect();
                if !places.is_empty() {
                    places.extend([(from, hold), (to, hold)]);
                    *course = Course::along(&places, course.weight).unwrap_or(*course);
                }
            }
        }
        for joint in &mut self.joints {
            joint.now = joint.best(&courses);
        }
    }
}

/// Ends of lines on other lines, and corners of areas.
fn corners(board: &Board) -> Vec<Point> {
    let ends_on_another = |index: usize, end: Point| {
        let mut others = board.lines.iter().enumerate().filter(|(other, _)| *other != index);
        others.any(|(_, line)| is_on(line, end))
    };
    let ends = board.lines.iter().enumerate().filter(|(_, line)| is_needed(line)).flat_map(
        |(index, line)| match line.paint {
            Paint::Stroke { from, to, .. } => {
                [from, to].into_iter().filter(|end| ends_on_another(index, *end)).collect()
            }
            _ => Vec::new(),
        },
    );
    let areas = board.areas.iter().flat_map(|area| area.polygon.vertices().to_vec());
    ends.chain(areas).collect()
}

/// Whether a place is on a line that play needs; decoration is joined to nothing.
fn is_on(line: &Line, p: Point) -> bool {
    let is_straight = matches!(line.paint, Paint::Stroke { .. });
    is_needed(line) && is_straight && (line.paint.nearest_on_middle(p) - p).norm() < ON_MM
}

fn on_border(at: f64, size: f64) -> Option<f64> {
    const BORDER_MM: f64 = 0.05;
    if at < BORDER_MM {
        Some(0.0)
    } else if at > size - BORDER_MM {
        Some(size)
    } else {
        None
    }
}

impl Joint {
    /// The place nearest to all lines through it.
    fn best(&self, courses: &[Option<Course>]) -> Point {
        /// What the joint's place so far counts against a line, and the surface's border.
        const SLACK: f64 = 1e-4;
        const BORDER: f64 = 1e4;
        let mut sum = nalgebra::Matrix2::identity() * SLACK;
        let mut toward = self.now.coords * SLACK;
        for course in self.lines.iter().filter_map(|line| courses[*line]) {
            let normal = Vector::new(-course.along.y, course.along.x);
            sum += normal * normal.transpose() * course.weight;
            toward += normal * normal.dot(&course.through.coords) * course.weight;
        }
        for (axis, held) in self.held.iter().enumerate() {
            if let Some(at) = held {
                sum[(axis, axis)] += BORDER;
                toward[axis] += BORDER * at;
            }
        }
        let mut place = sum.try_inverse().map_or(self.now, |inverse| Point::from(inverse * toward));
        for (axis, held) in self.held.iter().enumerate() {
            place[axis] = held.unwrap_or(place[axis]);
        }
        place
    }
}

impl Course {
    fn between(from: Point, to: Point, weight: f64) -> Option<Self> {
        let along = (to - from).try_normalize(f64::MIN_POSITIVE)?;
        Some(Self { through: nalgebra::center(&from, &to), along, weight })
    }

    /// The straight line nearest to weighted places.
    fn along(places: &[(Point, f64)], weight: f64) -> Option<Self> {
        let all: f64 = places.iter().map(|(_, w)| w).sum();
        let middle = Point::from(places.iter().map(|(p, w)| p.coords * *w).sum::<Vector>() / all);
        let spread: nalgebra::Matrix2<f64> =
            places.iter().map(|(p, w)| (p - middle) * (p - middle).transpose() * *w).sum();
        let eigen = spread.symmetric_eigen();
        let most = usize::from(eigen.eigenvalues[1] > eigen.eigenvalues[0]);
        let along: Vector = eigen.eigenvectors.column(most).into();
        along.norm().is_normal().then_some(Self { through: middle, along, weight })
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;

    /// Every line of a court a little beside its place and turned, as pictures show them.
    fn shaken(board: &Board) -> Vec<Line> {
        let mut lines = board.lines.clone();
        for (i, line) in lines.iter_mut().enumerate() {
            if let Paint::Stroke { from, to, .. } = &mut line.paint {
                let off = |k: usize| {
                    Vector::new(((7 * i + k) % 5) as f64 - 2.0, ((3 * i + 2 * k) % 7) as f64 - 3.0)
                };
                *from += off(0);
                *to += off(1);
            }
        }
        lines
    }

    #[test]
    fn lines_that_met_meet_again_near_where_they_were_seen() {
        let board = Board::named_or_at("carrom-court").unwrap();
        let lines = shaken(&board);
        let joints = Joints::of(&board, &lines, &vec![true; lines.len()], |p| p);
        assert!(joints.joints.len() > 20, "{}", joints.joints.len());
        for line in &board.lines {
            let Paint::Stroke { from, to, .. } = line.paint else { continue };
            let (Some(a), Some(b)) = (joints.place(from), joints.place(to)) else { continue };
            let along = (b - a).normalize();
            for joint in joints.joints.iter().filter(|joint| is_on(line, joint.before)) {
                let off_mm = along.perp(&(joint.now - a)).abs();
                assert!(off_mm < 0.05, "{} passes {off_mm:.2} mm from a joint", line.name);
            }
            assert!((a - from).norm() < 12.0 && (b - to).norm() < 12.0, "{} went to {a} {b}", line.name);
        }
    }

    #[test]
    fn what_lies_on_the_border_stays_there() {
        let board = Board::named_or_at("carrom-long-board").unwrap();
        let lines = shaken(&board);
        let joints = Joints::of(&board, &lines, &vec![true; lines.len()], |p| p);
        let l = board.surface.length_mm;
        assert!(joints.joints.iter().filter(|joint| joint.before.y > l - 0.01).all(|joint| joint.now.y == l));
    }
}
