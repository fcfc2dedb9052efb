//! Random layouts: where pieces come to lie in play, with more close calls than a real evening has.

use crate::board::{Board, BoardSide, End, EndKind, LineRole, PieceKind};
use crate::geometry::{Disc, Paint, Point, Vector};

use super::dice::Dice;
use super::scene::PiecePart;
use super::view::{Region, region_of_play};

/// Ways in which a piece comes to lie, with how often each is tried.
#[derive(Debug, Clone, Copy)]
enum Lie {
    Anywhere,
    InAnArea,
    /// A fraction of a millimetre to either side of touching a line.
    CloseCall,
    OnALine,
    AgainstAPiece,
    OverTheEnd,
    OnAPiece,
}

const SCORING: [(Lie, f64); 7] = [
    (Lie::Anywhere, 2.0),
    (Lie::InAnArea, 3.0),
    (Lie::CloseCall, 2.5),
    (Lie::OnALine, 1.2),
    (Lie::AgainstAPiece, 1.5),
    (Lie::OverTheEnd, 0.4),
    (Lie::OnAPiece, 0.08),
];
const CARROM: [(Lie, f64); 5] = [
    (Lie::Anywhere, 4.0),
    (Lie::AgainstAPiece, 4.0),
    (Lie::OnALine, 0.6),
    (Lie::CloseCall, 0.6),
    (Lie::OnAPiece, 0.05),
];
const TRIES: usize = 60;
/// Half the width of the band of gaps that counts as close.
const CLOSE_MM: f64 = 2.5;
/// Two pieces that "touch" are this far apart at most; overlapping ones would be no truth.
const TOUCHING_MM: f64 = 0.25;

/// Pieces for a photo of this board.
pub fn random_pieces(board: &Board, dice: &mut Dice) -> Vec<PiecePart> {
    let mut table = Table { board, region: on_surface(board), discs: Vec::new(), pieces: Vec::new() };
    let lies: &[(Lie, f64)] = if board.areas.is_empty() { &CARROM } else { &SCORING };
    let mut kinds: Vec<&PieceKind> = Vec::new();
    for kind in &board.pieces {
        let fewest = if kind.count > 1 { (kind.count / 3).max(1) } else { 0 };
        let count = fewest + dice.index(kind.count - fewest.min(kind.count) + 1);
        kinds.extend(std::iter::repeat_n(kind, count));
    }
    // Colours mix in the order they are laid down.
    for i in (1..kinds.len()).rev() {
        kinds.swap(i, dice.index(i + 1));
    }
    for kind in kinds {
        for _ in 0..TRIES {
            let lie = dice.weighted(lies, Lie::Anywhere);
            let placed = if kind.shooter && dice.chance(0.6) {
                table.on_a_base_line(kind, dice)
            } else {
                table.place(kind, lie, dice)
            };
            if placed {
                break;
            }
        }
    }
    table.pieces
}

/// The part of the surface that a view of play shows, dead strip included.
fn on_surface(board: &Board) -> Region {
    let region = region_of_play(board);
    Region {
        from: Point::new(0.0, region.from.y.max(0.0)),
        to: Point::new(board.surface.width_mm, board.surface.length_mm),
    }
}

struct Table<'a> {
    board: &'a Board,
    region: Region,
    discs: Vec<Disc>,
    pieces: Vec<PiecePart>,
}

impl Table<'_> {
    fn place(&mut self, kind: &PieceKind, lie: Lie, dice: &mut Dice) -> bool {
        let r = kind.radius_mm();
        let Region { from, to } = self.region;
        let at = match lie {
            Lie::Anywhere => Some(Point::new(dice.between(from.x, to.x), dice.between(from.y, to.y))),
            Lie::InAnArea => self.in_an_area(dice),
            Lie::CloseCall => {
                self.beside_a_line(dice, |dice, width| r + width / 2.0 + dice.between(-CLOSE_MM, CLOSE_MM))
            }
            Lie::OnALine => self.beside_a_line(dice, |dice, _| dice.between(0.0, r)),
            Lie::AgainstAPiece => self.discs.get(dice.index(self.discs.len().max(1))).map(|other| {
                let angle = dice.between(0.0, std::f64::consts::TAU);
                let apart = other.radius_mm + r + dice.between(0.0, TOUCHING_MM);
                other.centre + Vector::new(angle.cos(), angle.sin()) * apart
            }),
            Lie::OverTheEnd => (self.board.surface.ends == EndKind::Open).then(|| {
                let over = dice.between(0.5, 0.8 * r);
                Point::new(dice.between(r, to.x - r), self.board.surface.length_mm - r + over)
            }),
            Lie::OnAPiece => return self.stack(kind, dice),
        };
        at.is_some_and(|at| self.put(kind, at, matches!(lie, Lie::OverTheEnd)))
    }

    fn in_an_area(&self, dice: &mut Dice) -> Option<Point> {
        let areas: Vec<_> = self.board.areas_at(End::Far).collect();
        let area = dice.pick(&areas)?;
        let xs: Vec<f64> = area.polygon.vertices().iter().map(|p| p.x).collect();
        let ys: Vec<f64> = area.polygon.vertices().iter().map(|p| p.y).collect();
        let ends = |v: &[f64]| {
            (
                v.iter().copied().fold(f64::INFINITY, f64::min),
                v.iter().copied().fold(f64::NEG_INFINITY, f64::max),
            )
        };
        let ((x0, x1), (y0, y1)) = (ends(&xs), ends(&ys));
        let at = Point::new(dice.between(x0, x1), dice.between(y0, y1));
        area.polygon.contains(at).then_some(at)
    }

    /// A place at some distance from the middle of a random straight line.
    fn beside_a_line(&self, dice: &mut Dice, away: impl Fn(&mut Dice, f64) -> f64) -> Option<Point> {
        let strokes: Vec<_> = self
            .board
            .lines_at(End::Far)
            .filter(|line| line.role != LineRole::Decoration)
            .filter_map(|line| match line.paint {
                Paint::Stroke { from, to, width_mm } => Some((from, to, width_mm)),
                _ => None,
            })
            .collect();
        let (from, to, width_mm) = *dice.pick(&strokes)?;
        let along = (to - from).try_normalize(1e-9)?;
        let across = Vector::new(-along.y, along.x) * if dice.chance(0.5) { 1.0 } else { -1.0 };
        let offset = away(dice, width_mm);
        Some(from + (to - from) * dice.between(0.02, 0.98) + across * offset)
    }

    /// A striker or shooter as players place it: on both lines, on a moon, or nearly so.
    fn on_a_base_line(&mut self, kind: &PieceKind, dice: &mut Dice) -> bool {
        let sides = [BoardSide::Near, BoardSide::Right, BoardSide::Far, BoardSide::Left];
        let side = sides[dice.index(sides.len())];
        let of_role = |role: LineRole| {
            self.board.lines.iter().filter(move |line| line.base == Some(side) && line.role == role)
        };
        if dice.chance(0.3) {
            let moons: Vec<Point> = of_role(LineRole::Moon)
                .filter_map(|line| match line.paint {
                    Paint::Ring { centre, .. } | Paint::Spot { centre, .. } => Some(centre),
                    _ => None,
                })
                .collect();
            if let Some(centre) = dice.pick(&moons) {
                let off = Vector::new(dice.bell(3.0), dice.bell(3.0));
                return self.put(kind, centre + off, false);
            }
        }
        let stroke = |line: &crate::board::Line| match line.paint {
            Paint::Stroke { from, to, .. } => Some((from, to)),
            _ => None,
        };
        let front = of_role(LineRole::BaseFront).chain(of_role(LineRole::Base)).find_map(stroke);
        let rear = of_role(LineRole::BaseRear).chain(of_role(LineRole::Base)).find_map(stroke);
        let (Some(front), Some(rear)) = (front, rear) else { return false };
        let share = dice.between(0.05, 0.95);
        let on = |(from, to): (Point, Point)| from + (to - from) * share;
        let middle = nalgebra::center(&on(front), &on(rear));
        let off = Vector::new(dice.bell(2.5), dice.bell(2.5));
        self.put(kind, middle + off, false)
    }

    fn stack(&mut self, kind: &PieceKind, dice: &mut Dice) -> bool {
        if self.discs.is_empty() {
            return false;
        }
        let lower = dice.index(self.discs.len());
        let (below, part) = (self.discs[lower], &self.pieces[lower]);
        let angle = dice.between(0.0, std::f64::consts::TAU);
        let off = Vector::new(angle.cos(), angle.sin()) * dice.between(0.0, 0.45) * below.radius_mm;
        let at = below.centre + off;
        let disc = Disc { centre: at, radius_mm: kind.radius_mm() };
        let hits = |(index, other): (usize, &Disc)| index != lower && overlap(other, &disc);
        if part.stacked_on.is_some() || self.discs.iter().enumerate().any(hits) {
            return false;
        }
        let mut piece = PiecePart::new(kind.name.clone(), at.x, at.y);
        piece.stacked_on = Some(lower);
        self.discs.push(disc);
        self.pieces.push(piece);
        true
    }

    /// Lays a piece down where there is room for it.
    fn put(&mut self, kind: &PieceKind, at: Point, may_hang: bool) -> bool {
        // Positions in files have four decimals; the scene has no others.
        let at = at.map(|v| (v * 1e4).round() / 1e4);
        let r = kind.radius_mm();
        let Region { from, to } = self.region;
        let end = if may_hang { 0.0 } else { r };
        let fits = at.x >= r && at.x <= to.x - r && at.y >= from.y + r && at.y <= to.y - end;
        let disc = Disc { centre: at, radius_mm: r };
        let over_a_pocket =
            self.board.pockets.iter().any(|pocket| (at - pocket.centre).norm() < pocket.radius_mm + 1.0);
        if !fits || over_a_pocket || self.discs.iter().any(|other| overlap(other, &disc)) {
            return false;
        }
        self.discs.push(disc);
        self.pieces.push(PiecePart::new(kind.name.clone(), at.x, at.y));
        true
    }
}

fn overlap(a: &Disc, b: &Disc) -> bool {
    (a.centre - b.centre).norm() < a.radius_mm + b.radius_mm
}
