//! The board as the search sees it: marks to sample, levels to align, turns that look alike.
//!
//! In: a board file's paint, outline and rails. Out: a [`Pattern`].

use nalgebra::{Point3, Rotation2, Vector3};

use crate::{
    board::{Board, BoardSide, Colour, Line},
    geometry::{Paint, Point, Vector},
};

/// How far two lines may be apart and still be the same when a board is compared with its turned
/// self.
const SYMMETRY_TOLERANCE_MM: f64 = 1.0;

/// What a picture shows across a mark.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Look {
    /// A painted line: darker (or lighter) than the surface on both sides.
    Stroke { width_mm: f64, dark: bool },
    /// A step of brightness in either direction: an outline or a rail.
    Step,
}

/// A point of a mark where the picture is asked whether the mark is there.
#[derive(Debug, Clone, Copy)]
pub(super) struct Sample {
    pub at: Point3<f64>,
    /// Unit direction of the mark.
    pub along: Vector3<f64>,
    /// Length of the mark that this sample stands for.
    pub spacing_mm: f64,
    pub look: Look,
    pub weight: f64,
    /// Which mark it belongs to.
    pub mark: usize,
    /// Whether the mark is straight here.
    pub straight: bool,
    /// Not looked for by cameras this way from it. From beyond a rail the border is hidden, and the rail's
    /// upper edge is looked for in its place.
    pub not_from: Option<Vector3<f64>>,
}

/// A position across a family of parallel lines.
#[derive(Debug, Clone, Copy)]
pub(super) struct Level {
    pub at_mm: f64,
    pub weight: f64,
}

pub(super) struct Pattern {
    pub samples: Vec<Sample>,
    pub marks: usize,
    /// The y of lines that run along x, and the x of lines that run along y.
    pub y_levels: Vec<Level>,
    pub x_levels: Vec<Level>,
    pub centre: Point,
    /// Median width of the painted lines (0 without any), and whether they are darker than the
    /// surface.
    pub stroke_width_mm: f64,
    pub strokes_are_dark: bool,
    /// Quarter turns (0 to 3) that map the board's marks onto themselves.
    pub alike_turns: Vec<usize>,
}

struct Straight {
    from: Point3<f64>,
    to: Point3<f64>,
    look: Look,
    weight: f64,
    not_from: Option<Vector3<f64>>,
}

impl Pattern {
    /// Samples about every `spacing_mm`; `outline_weight` is what an outline counts next to paint.
    pub fn of(board: &Board, samples_wanted: usize, outline_weight: f64) -> Self {
        let mut straight = straight_paint(board);
        let mut widths: Vec<(f64, bool)> = straight
            .iter()
            .filter_map(|s| match s.look {
                Look::Stroke { width_mm, dark } => Some((width_mm, dark)),
                Look::Step => None,
            })
            .collect();
        widths.sort_by(|a, b| a.0.total_cmp(&b.0));
        let (stroke_width_mm, strokes_are_dark) =
            widths.get(widths.len() / 2).copied().unwrap_or((0.0, true));
        straight.extend(outline(board, outline_weight));
        let levels =
            |pick: fn(&Straight) -> Option<(f64, f64)>| merge_levels(straight.iter().filter_map(pick));
        let y_levels =
            levels(|s| is_level(s.from.y, s.to.y).then(|| (s.from.y, s.weight * (s.to - s.from).norm())));
        let x_levels =
            levels(|s| is_level(s.from.x, s.to.x).then(|| (s.from.x, s.weight * (s.to - s.from).norm())));
        let rings = round_paint(board);
        let total_mm: f64 = straight.iter().map(|s| (s.to - s.from).norm()).sum::<f64>()
            + rings.iter().map(|r| r.1 * r.3.abs()).sum::<f64>();
        let spacing_mm = (total_mm / samples_wanted.max(1) as f64).max(1.0);
        let mut samples = Vec::new();
        for (mark, line) in straight.iter().enumerate() {
            sample_straight(line, mark, spacing_mm, &mut samples);
        }
        for (index, &(centre, radius, start, sweep, look)) in rings.iter().enumerate() {
            let mark = straight.len() + index;
            let count = ((radius * sweep / spacing_mm).round() as usize).max(8);
            for i in 0..count {
                let angle = start + sweep * (i as f64 + 0.5) / count as f64;
                let (sin, cos) = angle.sin_cos();
                samples.push(Sample {
                    at: Point3::new(centre.x + radius * cos, centre.y + radius * sin, 0.0),
                    along: Vector3::new(-sin, cos, 0.0),
                    spacing_mm: radius * sweep / count as f64,
                    look,
                    weight: 1.0,
                    mark,
                    straight: false,
                    not_from: None,
                });
            }
        }
        let centre = Point::new(board.surface.width_mm / 2.0, board.surface.length_mm / 2.0);
        let alike_turns = (0..4).filter(|&turn| looks_alike(board, centre, turn)).collect();
        Self {
            samples,
            marks: straight.len() + rings.len(),
            y_levels,
            x_levels,
            centre,
            stroke_width_mm,
            strokes_are_dark,
            alike_turns,
        }
    }

    /// One quarter turn of each class of turns that look different.
    pub fn distinct_turns(&self) -> &'static [usize] {
        match self.alike_turns.len() {
            4 => &[0],
            2 => &[0, 1],
            _ => &[0, 1, 2, 3],
        }
    }
}

fn luma(colour: Colour) -> f64 {
    let [r, g, b] = colour.0.map(f64::from);
    0.3 * r + 0.59 * g + 0.11 * b
}

fn is_level(a: f64, b: f64) -> bool {
    (a - b).abs() < SYMMETRY_TOLERANCE_MM
}

/// Lines that every board of this kind has; others may be missing, and their absence says nothing.
fn sure_lines(board: &Board) -> impl Iterator<Item = &Line> {
    board.lines.iter().filter(|line| !line.optional)
}

fn straight_paint(board: &Board) -> Vec<Straight> {
    let surface = luma(board.surface.colour);
    let lift = |p: Point| Point3::new(p.x, p.y, 0.0);
    sure_lines(board)
        .filter_map(|line| match line.paint {
            Paint::Stroke { from, to, width_mm } => Some(Straight {
                from: lift(from),
                to: lift(to),
                look: Look::Stroke { width_mm, dark: luma(line.colour) < surface },
                weight: 1.0,
                not_from: None,
            }),
            _ => None,
        })
        .collect()
}

type Round = (Point, f64, f64, f64, Look);

fn round_paint(board: &Board) -> Vec<Round> {
    let surface = luma(board.surface.colour);
    sure_lines(board)
        .filter_map(|line| {
            let look = |width_mm| Look::Stroke { width_mm, dark: luma(line.colour) < surface };
            match line.paint {
                Paint::Ring { centre, radius_mm, width_mm } => {
                    // The ring of a filled circle has paint on its inner side: only a step is sure.
                    let look = if line.fill.is_some() { Look::Step } else { look(width_mm) };
                    Some((centre, radius_mm, 0.0, std::f64::consts::TAU, look))
                }
                Paint::Arc { centre, radius_mm, width_mm, start_rad, sweep_rad } => {
                    Some((centre, radius_mm, start_rad, sweep_rad, look(width_mm)))
                }
                _ => None,
            }
        })
        .collect()
}

/// The surface's border and, where there is a rail, the edges of the rail's top.
fn outline(board: &Board, weight: f64) -> Vec<Straight> {
    let [near_left, near_right, far_right, far_left] = board.corners();
    let sides = [
        (BoardSide::Near, near_left, near_right, Vector::new(0.0, -1.0)),
        (BoardSide::Right, near_right, far_right, Vector::new(1.0, 0.0)),
        (BoardSide::Far, far_right, far_left, Vector::new(0.0, 1.0)),
        (BoardSide::Left, far_left, near_left, Vector::new(-1.0, 0.0)),
    ];
    let mut edges = Vec::new();
    for (side, from, to, outward) in sides {
        let mut push = |out_mm: f64, z_mm: f64, weight: f64, not_from: Option<Vector3<f64>>| {
            let shift = |p: Point| Point3::new(p.x + outward.x * out_mm, p.y + outward.y * out_mm, z_mm);
            edges.push(Straight { from: shift(from), to: shift(to), look: Look::Step, weight, not_from });
        };
        let rails = || board.rails.iter().filter(|rail| rail.side == side);
        let beyond = outward.push(0.0);
        push(0.0, 0.0, weight, rails().next().map(|_| beyond));
        for rail in rails() {
            push(0.0, rail.height_mm, weight, Some(-beyond));
            push(rail.width_mm, rail.height_mm, weight / 2.0, None);
        }
    }
    edges
}

fn sample_straight(line: &Straight, mark: usize, spacing_mm: f64, samples: &mut Vec<Sample>) {
    let v = line.to - line.from;
    let length = v.norm();
    let count = ((length / spacing_mm).round() as usize).max(3);
    for i in 0..count {
        samples.push(Sample {
            at: line.from + v * ((i as f64 + 0.5) / count as f64),
            along: v / length.max(1e-9),
            spacing_mm: length / count as f64,
            look: line.look,
            weight: line.weight,
            mark,
            straight: true,
            not_from: line.not_from,
        });
    }
}

/// Levels with their weights relative to the heaviest; lines at one level are added up.
fn merge_levels(found: impl Iterator<Item = (f64, f64)>) -> Vec<Level> {
    let mut levels: Vec<Level> = Vec::new();
    for (at_mm, weight) in found {
        match levels.iter_mut().find(|l| is_level(l.at_mm, at_mm)) {
            Some(level) => level.weight += weight,
            None => levels.push(Level { at_mm, weight }),
        }
    }
    let heaviest = levels.iter().map(|l| l.weight).fold(1e-9, f64::max);
    for level in &mut levels {
        level.weight = (level.weight / heaviest).sqrt();
    }
    levels.sort_by(|a, b| a.at_mm.total_cmp(&b.at_mm));
    levels
}

/// The board turned by `turn` quarter turns about the surface's centre.
pub(super) fn turned(p: Point, centre: Point, turn: usize) -> Point {
    centre + Rotation2::new(turn as f64 * std::f64::consts::FRAC_PI_2) * (p - centre)
}

/// The point half-way along an arc (of any other paint, its centre of coordinates).
fn arc_middle(paint: &Paint) -> Point {
    match *paint {
        Paint::Arc { centre, radius_mm, start_rad, sweep_rad, .. } => {
            let (sin, cos) = (start_rad + sweep_rad / 2.0).sin_cos();
            centre + Vector::new(cos, sin) * radius_mm
        }
        _ => Point::origin(),
    }
}

fn looks_alike(board: &Board, centre: Point, turn: usize) -> bool {
    let square = is_level(board.surface.width_mm, board.surface.length_mm);
    if turn % 2 == 1 && !square {
        return false;
    }
    let near = |a: Point, b: Point| (a - b).norm() < SYMMETRY_TOLERANCE_MM;
    sure_lines(board).all(|line| {
        sure_lines(board).any(|other| match (line.paint, other.paint) {
            (Paint::Stroke { from, to, width_mm: w }, Paint::Stroke { from: a, to: b, width_mm: v }) => {
                let (from, to) = (turned(from, centre, turn), turned(to, centre, turn));
                w == v && (near(from, a) && near(to, b) || near(from, b) && near(to, a))
            }
            (Paint::Ring { centre: c, radius_mm: r, .. }, Paint::Ring { centre: d, radius_mm: s, .. })
            | (Paint::Spot { centre: c, radius_mm: r }, Paint::Spot { centre: d, radius_mm: s }) => {
                is_level(r, s) && near(turned(c, centre, turn), d)
            }
            (Paint::Arc { sweep_rad: a, .. }, Paint::Arc { sweep_rad: b, .. }) => {
                (a - b).abs() < 0.01
                    && near(turned(arc_middle(&line.paint), centre, turn), arc_middle(&other.paint))
            }
            _ => false,
        })
    })
}
