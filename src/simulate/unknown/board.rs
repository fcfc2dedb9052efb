//! A board whose every length is off, as another maker would have it.
//!
//! Coordinates go through a map that stretches each stretch between two of the board's own coordinates by
//! its own factor, the same from both sides and, on square boards, across and along. So sides stay alike,
//! lines still meet where they met, and what was drawn on a slanted line still ends on it.

use crate::board::{Board, BoardSide, Line, LineRole, PrintRegion};
use crate::geometry::{Paint, Point, Polygon, Vector, nearest_on_segment};

use super::super::dice::Dice;

/// How far lengths are off at most, as a share.
const OFF_SHARE: f64 = 0.10;
/// How far alike a maker's sides are, mm.
const SIDES_ALIKE_MM: f64 = 0.35;
/// Places this near to each other are the same in a drawing, mm.
const SAME_MM: f64 = 0.05;

/// A board like the template with lengths of its own.
pub fn varied(template: &Board, dice: &mut Dice) -> Board {
    let mut board = template.clone();
    board.accuracy_mm = 0.0;
    drop_some(&mut board, dice);
    let maps = Maps::random(&board, dice);
    let place = |p: Point| maps.place(&board, p);
    let mut widths = Factors::new(0.55, 1.3);
    let mut sizes = Factors::new(1.0 - OFF_SHARE, 1.0 + OFF_SHARE);
    let mut varied = board.clone();
    for line in &mut varied.lines {
        line.optional = false;
        line.accuracy_mm = None;
        line.paint = vary_paint(line, &place, &mut widths, &mut sizes, dice);
    }
    for area in &mut varied.areas {
        area.polygon = Polygon::new(area.polygon.vertices().iter().map(|p| place(*p)).collect());
    }
    for pocket in &mut varied.pockets {
        pocket.centre = place(pocket.centre);
        pocket.radius_mm *= sizes.of("pocket", dice);
    }
    for numeral in &mut varied.numerals {
        numeral.centre = place(numeral.centre);
        numeral.height_mm *= sizes.of("numeral", dice);
        numeral.optional = false;
    }
    for print in &mut varied.prints {
        print.region = match &print.region {
            PrintRegion::Disc { centre, radius_mm } => {
                PrintRegion::Disc { centre: place(*centre), radius_mm: *radius_mm }
            }
            PrintRegion::Polygon(p) => {
                PrintRegion::Polygon(Polygon::new(p.vertices().iter().map(|p| place(*p)).collect()))
            }
        };
    }
    for kind in &mut varied.pieces {
        let role = if kind.shooter { "shooter" } else { "piece" };
        kind.diameter_mm = hundredth(kind.diameter_mm * sizes.of(role, dice));
        kind.height_mm = hundredth(kind.height_mm * sizes.of("height", dice));
        kind.rim_mm = hundredth(kind.rim_mm);
        kind.accuracy_mm = None;
    }
    (varied.surface.width_mm, varied.surface.length_mm) = (maps.across.end(), maps.along.end());
    let size = (varied.surface.width_mm, varied.surface.length_mm);
    for line in &mut varied.lines {
        keep_on_surface(&mut line.paint, size);
    }
    if !board.is_two_ended() {
        set_sides_apart(&mut varied, dice);
    }
    double_some(&mut varied, dice);
    varied
}

fn hundredth(mm: f64) -> f64 {
    (mm * 100.0).round() / 100.0
}

/// Lines that decide nothing may be missing, all of a kind at once.
fn drop_some(board: &mut Board, dice: &mut Dice) {
    let mut kept = Factors::new(0.0, 1.0);
    board.lines.retain(|line| {
        let chance = if line.optional { 0.4 } else { 0.12 };
        let drawn = kept.of(&family(&line.name), dice);
        line.role != LineRole::Decoration || drawn > chance
    });
    board.prints.retain(|print| kept.of(&family(&print.name), dice) > 0.4);
    if dice.chance(0.35) {
        board.numerals.clear();
    }
}

/// What lines of all sides and ends have in common: the first word of their name.
fn family(name: &str) -> String {
    name.split('-').next().unwrap_or_default().to_owned()
}

/// A factor a family, drawn when it is first asked for.
struct Factors {
    range: [f64; 2],
    known: Vec<(String, f64)>,
}

impl Factors {
    fn new(low: f64, high: f64) -> Self {
        Self { range: [low, high], known: Vec::new() }
    }

    fn of(&mut self, family: &str, dice: &mut Dice) -> f64 {
        if let Some((_, factor)) = self.known.iter().find(|(known, _)| known == family) {
            return *factor;
        }
        let factor = dice.between(self.range[0], self.range[1]);
        self.known.push((family.to_owned(), factor));
        factor
    }
}

fn vary_paint(
    line: &Line,
    place: &impl Fn(Point) -> Point,
    widths: &mut Factors,
    sizes: &mut Factors,
    dice: &mut Dice,
) -> Paint {
    let key = match line.role {
        LineRole::Decoration => family(&line.name),
        role => format!("{role:?}"),
    };
    let mut width = |mm: f64| hundredth((mm * widths.of(&key, dice)).max(1.0));
    match line.paint {
        Paint::Stroke { from, to, width_mm } => {
            Paint::Stroke { from: place(from), to: place(to), width_mm: width(width_mm) }
        }
        Paint::Ring { centre, radius_mm, width_mm } => {
            let width_mm = width(width_mm);
            let radius_mm = hundredth(radius_mm * sizes.of(&family(&line.name), dice));
            Paint::Ring { centre: place(centre), radius_mm, width_mm }
        }
        Paint::Spot { centre, radius_mm } => {
            let radius_mm = hundredth(radius_mm * sizes.of(&family(&line.name), dice));
            Paint::Spot { centre: place(centre), radius_mm }
        }
        Paint::Arc { centre, radius_mm, width_mm, start_rad, sweep_rad } => {
            let width_mm = width(width_mm);
            let radius_mm = hundredth(radius_mm * sizes.of(&family(&line.name), dice));
            Paint::Arc { centre: place(centre), radius_mm, width_mm, start_rad, sweep_rad }
        }
    }
}

/// Circles that a stretch brought over the border are made smaller.
fn keep_on_surface(paint: &mut Paint, (width, length): (f64, f64)) {
    let room = |p: Point| p.x.min(p.y).min(width - p.x).min(length - p.y);
    match paint {
        Paint::Ring { centre, radius_mm, width_mm } => {
            *radius_mm = radius_mm.min(room(*centre) - *width_mm);
        }
        Paint::Spot { centre, radius_mm } => *radius_mm = radius_mm.min(room(*centre) - 0.1),
        Paint::Stroke { .. } | Paint::Arc { .. } => {}
    }
}

/// Each side's base line lies a fraction of a millimetre elsewhere.
fn set_sides_apart(board: &mut Board, dice: &mut Dice) {
    let sides = [
        (BoardSide::Near, Vector::y()),
        (BoardSide::Right, -Vector::x()),
        (BoardSide::Far, -Vector::y()),
        (BoardSide::Left, Vector::x()),
    ];
    for (side, inward) in sides {
        let along = Vector::new(inward.y, -inward.x);
        let off = inward * dice.bell(SIDES_ALIKE_MM) + along * dice.bell(SIDES_ALIKE_MM);
        for line in board.lines.iter_mut().filter(|line| line.base == Some(side)) {
            line.paint = super::super::paint::displaced(&line.paint, off);
        }
    }
}

/// Now and then a thin second line beside every line of one role.
fn double_some(board: &mut Board, dice: &mut Dice) {
    if !dice.chance(0.25) {
        return;
    }
    let two_ended = board.is_two_ended();
    let role = if two_ended { LineRole::Foul } else { LineRole::BaseRear };
    let (beside, width_mm) = (dice.between(6.0, 11.0), dice.between(1.0, 1.6));
    let middle = Point::new(board.surface.width_mm / 2.0, board.surface.length_mm / 2.0);
    let doubled: Vec<Line> = board
        .lines
        .iter()
        .filter(|line| line.role == role)
        .filter_map(|line| {
            let Paint::Stroke { from, to, .. } = line.paint else { return None };
            let along = (to - from).try_normalize(1e-9)?;
            let across = Vector::new(-along.y, along.x);
            // Outward from the board's middle.
            let outward = if (from - middle).dot(&across) < 0.0 { -across } else { across };
            let moved = |p: Point| {
                let p = p + outward * beside;
                Point::new(hundredth(p.x), hundredth(p.y))
            };
            Some(Line {
                name: format!("second-{}", line.name),
                role: LineRole::Decoration,
                base: None,
                paint: Paint::Stroke { from: moved(from), to: moved(to), width_mm: hundredth(width_mm) },
                ..line.clone()
            })
        })
        .collect();
    board.lines.extend(doubled);
}

/// A coordinate's way from the template to the board: straight between knots, the same from both ends.
#[derive(Clone)]
struct Map {
    knots: Vec<(f64, f64)>,
}

impl Map {
    /// Of coordinates between 0 and `size`, of which the drawing uses these.
    fn random(size: f64, used: &[f64], whole: f64, dice: &mut Dice) -> Self {
        let mut half: Vec<f64> = used.iter().map(|c| c.min(size - c)).filter(|c| *c > SAME_MM).collect();
        half.push(size / 2.0);
        half.sort_by(f64::total_cmp);
        half.dedup_by(|a, b| (*a - *b).abs() < SAME_MM);
        let mut near = vec![(0.0, 0.0)];
        let (mut last, mut at) = (0.0, 0.0);
        for knot in half {
            at += (knot - last) * whole * dice.between(1.0 - OFF_SHARE, 1.0 + OFF_SHARE);
            last = knot;
            near.push((knot, hundredth(at)));
        }
        let end = 2.0 * near.last().map_or(size / 2.0, |knot| knot.1);
        let far: Vec<(f64, f64)> = near.iter().rev().skip(1).map(|(c, m)| (size - c, end - m)).collect();
        near.extend(far);
        Self { knots: near }
    }

    fn of(&self, c: f64) -> f64 {
        let after = self.knots.partition_point(|knot| knot.0 < c - 1e-6).clamp(1, self.knots.len() - 1);
        let ((a, from), (b, to)) = (self.knots[after - 1], self.knots[after]);
        hundredth(from + (to - from) * ((c - a) / (b - a).max(1e-9)))
    }

    fn end(&self) -> f64 {
        self.knots.last().map_or(0.0, |knot| knot.1)
    }
}

struct Maps {
    across: Map,
    along: Map,
}

impl Maps {
    fn random(board: &Board, dice: &mut Dice) -> Self {
        let surface = &board.surface;
        let (mut xs, mut ys) = (Vec::new(), Vec::new());
        for line in &board.lines {
            let places = match line.paint {
                Paint::Stroke { from, to, .. } => vec![from, to],
                Paint::Ring { centre, .. } | Paint::Spot { centre, .. } | Paint::Arc { centre, .. } => {
                    vec![centre]
                }
            };
            xs.extend(places.iter().map(|p| p.x));
            ys.extend(places.iter().map(|p| p.y));
        }
        let whole = dice.between(1.0 - OFF_SHARE / 2.0, 1.0 + OFF_SHARE / 2.0);
        if !board.is_two_ended() && (surface.width_mm - surface.length_mm).abs() < 1.0 {
            xs.extend(ys);
            let both = Map::random(surface.width_mm, &xs, whole, dice);
            return Self { across: both.clone(), along: both };
        }
        let across = Map::random(surface.width_mm, &xs, whole, dice);
        Self { across, along: Map::random(surface.length_mm, &ys, whole, dice) }
    }

    /// Where a place of the template's drawing lies. What lay on a slanted line's way lies on it still.
    fn place(&self, template: &Board, p: Point) -> Point {
        let of = |p: Point| Point::new(self.across.of(p.x), self.along.of(p.y));
        let slanted = template.lines.iter().find_map(|line| {
            let Paint::Stroke { from, to, .. } = line.paint else { return None };
            let slanted =
                template.is_two_ended() && (from.x - to.x).abs() > 1.0 && (from.y - to.y).abs() > 1.0;
            let on_it = (p - nearest_on_segment(p, from, to)).norm() < SAME_MM;
            let at_an_end = (p - from).norm() < SAME_MM || (p - to).norm() < SAME_MM;
            (slanted && on_it && !at_an_end).then_some((of(from), of(to)))
        });
        let Some((from, to)) = slanted else { return of(p) };
        let y = self.along.of(p.y);
        let x = from.x + (to.x - from.x) * (y - from.y) / (to.y - from.y);
        Point::new(hundredth(x), y)
    }
}
