//! Pieces in motion: discs that slide with friction, collide, bounce, fall and drop into pockets.
//!
//! In: pieces with velocities on a board. Out: the same a moment later, what left the board, and
//! who touched whom and which side, in order.
//! Time runs in fixed small steps, so every run is the same.

use crate::board::{Board, BoardSide, EndKind};
use crate::geometry::{Point, Vector};

use super::sequence::SequencePart;

/// A piece on the board, or one that has left it.
#[derive(Debug, Clone, PartialEq)]
pub struct Body {
    pub at: Point,
    pub velocity_mm_s: Vector,
    pub radius_mm: f64,
    pub mass: f64,
    pub left: Option<Left>,
}

/// How a piece left the board.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Left {
    OffTheEnd,
    OffTheSide,
    Pocketed,
    Removed,
}

impl Left {
    /// As stories tell it.
    pub fn name(self) -> &'static str {
        match self {
            Left::OffTheEnd => "off-the-end",
            Left::OffTheSide => "off-the-side",
            Left::Pocketed => "pocketed",
            Left::Removed => "removed",
        }
    }
}

/// A touch while pieces move, `secs` after the start of the step asked for.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Contact {
    pub secs: f64,
    pub body: usize,
    pub with: Touched,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Touched {
    Body(usize),
    /// A rail, bank or cushion.
    Side(BoardSide),
}

impl Body {
    pub fn is_moving(&self) -> bool {
        self.left.is_none() && self.velocity_mm_s != Vector::zeros()
    }
}

/// Length of a step. At 3 m/s a piece moves 1.5 mm: far less than any radius.
const STEP_SECS: f64 = 5e-4;
/// Overlapping discs are pushed apart this often a step; clusters need a few.
const SEPARATIONS: usize = 4;

pub struct Physics<'a> {
    board: &'a Board,
    sequence: &'a SequencePart,
}

impl<'a> Physics<'a> {
    pub fn new(board: &'a Board, sequence: &'a SequencePart) -> Self {
        Self { board, sequence }
    }

    /// Moves everything on by `secs`; what touched is given in order, the same pair only once.
    pub fn advance(&self, bodies: &mut [Body], secs: f64) -> Vec<Contact> {
        let mut met = Vec::new();
        let steps = (secs / STEP_SECS).round().max(1.0) as usize;
        let step = secs / steps as f64;
        for index in 0..steps {
            if !bodies.iter().any(Body::is_moving) {
                break;
            }
            let mut meet = |body: usize, with: Touched| {
                let secs = index as f64 * step;
                if !met.iter().any(|known: &Contact| known.body == body && known.with == with) {
                    met.push(Contact { secs, body, with });
                }
            };
            for (index, body) in bodies.iter_mut().enumerate().filter(|(_, body)| body.is_moving()) {
                if let Some(side) = self.slide(body, step) {
                    meet(index, Touched::Side(side));
                }
            }
            self.collide(bodies, &mut meet);
        }
        met
    }

    /// Moves a body on; the side that it bounced off or left over, if any.
    fn slide(&self, body: &mut Body, step: f64) -> Option<BoardSide> {
        let speed = body.velocity_mm_s.norm();
        let slower = speed - self.sequence.friction_mm_s2 * step;
        if slower <= 0.0 {
            // It stops within the step, after v² / 2a.
            body.at += body.velocity_mm_s * (speed / (2.0 * self.sequence.friction_mm_s2));
            body.velocity_mm_s = Vector::zeros();
        } else {
            let after = body.velocity_mm_s * (slower / speed);
            body.at += (body.velocity_mm_s + after) * (step / 2.0);
            body.velocity_mm_s = after;
        }
        let side = self.meet_the_sides(body);
        let over = |pocket: &crate::board::Pocket| (body.at - pocket.centre).norm() < pocket.radius_mm;
        if self.board.pockets.iter().any(over) {
            body.left = Some(Left::Pocketed);
        }
        side
    }

    fn meet_the_sides(&self, body: &mut Body) -> Option<BoardSide> {
        let mut met = None;
        let surface = &self.board.surface;
        let size = [surface.width_mm, surface.length_mm];
        for (side, axis, upper) in [
            (BoardSide::Left, 0, false),
            (BoardSide::Right, 0, true),
            (BoardSide::Near, 1, false),
            (BoardSide::Far, 1, true),
        ] {
            let railed = self.board.rails.iter().any(|rail| rail.side == side)
                || (axis == 1 && surface.ends == EndKind::Frame);
            let (outward, limit) = if upper { (1.0, size[axis]) } else { (-1.0, 0.0) };
            let beyond = (body.at[axis] - limit) * outward;
            if railed {
                if beyond > -body.radius_mm {
                    body.at[axis] = limit - outward * body.radius_mm;
                    let speed = body.velocity_mm_s[axis] * outward;
                    if speed > 0.0 {
                        met = Some(side);
                        body.velocity_mm_s[axis] *= -self.sequence.cushion;
                    }
                    if self.sequence.hop_mm_s.is_some_and(|hop| speed > hop) {
                        body.left = Some(Left::OffTheSide);
                    }
                }
            } else if beyond > 0.0 {
                body.left = Some(if axis == 1 { Left::OffTheEnd } else { Left::OffTheSide });
            }
        }
        met
    }

    fn collide(&self, bodies: &mut [Body], meet: &mut dyn FnMut(usize, Touched)) {
        for _ in 0..SEPARATIONS {
            let mut touched = false;
            for i in 0..bodies.len() {
                // Most bodies of a long evening have left.
                if bodies[i].left.is_some() {
                    continue;
                }
                for j in i + 1..bodies.len() {
                    let (head, tail) = bodies.split_at_mut(j);
                    let (a, b) = (&mut head[i], &mut tail[0]);
                    if a.left.is_some() || b.left.is_some() || !(a.is_moving() || b.is_moving()) {
                        continue;
                    }
                    let between = b.at - a.at;
                    let distance = between.norm();
                    let overlap = a.radius_mm + b.radius_mm - distance;
                    if overlap <= 0.0 {
                        continue;
                    }
                    let normal = if distance > 1e-9 { between / distance } else { Vector::x() };
                    let whole = a.mass + b.mass;
                    a.at -= normal * (overlap * b.mass / whole);
                    b.at += normal * (overlap * a.mass / whole);
                    let approach = (a.velocity_mm_s - b.velocity_mm_s).dot(&normal);
                    if approach > 0.0 {
                        let impulse = (1.0 + self.sequence.restitution) * approach * a.mass * b.mass / whole;
                        a.velocity_mm_s -= normal * (impulse / a.mass);
                        b.velocity_mm_s += normal * (impulse / b.mass);
                        meet(i, Touched::Body(j));
                    }
                    touched = true;
                }
            }
            if !touched {
                break;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn body(x: f64, y: f64, vx: f64, vy: f64) -> Body {
        Body {
            at: Point::new(x, y),
            velocity_mm_s: Vector::new(vx, vy),
            radius_mm: 15.0,
            mass: 1.0,
            left: None,
        }
    }

    fn court() -> Board {
        Board::named_or_at("carrom-court").expect("ships")
    }

    #[test]
    fn a_sliding_piece_stops_after_v_squared_by_twice_the_friction() {
        let (board, sequence) = (court(), SequencePart::default());
        let mut bodies = [body(200.0, 300.0, 0.0, 1000.0)];
        Physics::new(&board, &sequence).advance(&mut bodies, 5.0);
        let expected = 300.0 + 1000.0 * 1000.0 / (2.0 * sequence.friction_mm_s2);
        assert!((bodies[0].at.y - expected).abs() < 0.01, "{}", bodies[0].at.y);
        assert!(!bodies[0].is_moving());
    }

    /// Head on and with equal masses, a perfectly elastic blow hands the whole speed over.
    #[test]
    fn an_elastic_blow_keeps_momentum_and_energy() {
        let board = court();
        let sequence = SequencePart { restitution: 1.0, friction_mm_s2: 50.0, ..SequencePart::default() };
        let mut bodies = [body(190.0, 300.0, 0.0, 1500.0), body(200.0, 400.0, 0.0, 0.0)];
        let met = Physics::new(&board, &sequence).advance(&mut bodies, 0.06);
        assert_eq!(met.len(), 1);
        assert_eq!((met[0].body, met[0].with), (0, Touched::Body(1)));
        let sum = bodies[0].velocity_mm_s + bodies[1].velocity_mm_s;
        let energy: f64 = bodies.iter().map(|b| b.velocity_mm_s.norm_squared()).sum();
        assert!(sum.x.abs() < 1.0 && (sum.y - 1497.0).abs() < 3.0, "{sum}");
        assert!((energy.sqrt() - 1497.0).abs() < 5.0);
        assert!((bodies[0].at - bodies[1].at).norm() >= 30.0 - 1e-9);
    }

    #[test]
    fn rails_hold_ends_do_not_and_pockets_swallow() {
        let (board, sequence) = (court(), SequencePart::default());
        let mut bodies = [body(200.0, 900.0, 2000.0, 0.0), body(100.0, 1700.0, 0.0, 900.0)];
        let met = Physics::new(&board, &sequence).advance(&mut bodies, 5.0);
        assert_eq!((met[0].body, met[0].with), (0, Touched::Side(BoardSide::Right)));
        assert!(bodies[0].left.is_none() && bodies[0].at.x >= 15.0 && bodies[0].at.x <= 385.0);
        assert_eq!(bodies[1].left, Some(Left::OffTheEnd));
        let carrom = Board::named_or_at("carrom-icf").expect("ships");
        let mut man = [body(300.0, 300.0, -900.0, -900.0)];
        Physics::new(&carrom, &sequence).advance(&mut man, 5.0);
        assert_eq!(man[0].left, Some(Left::Pocketed));
    }

    #[test]
    fn only_a_hard_blow_hops_over_a_rail() {
        let board = court();
        let sequence = SequencePart { hop_mm_s: Some(1500.0), ..SequencePart::default() };
        let mut bodies = [body(200.0, 900.0, 2000.0, 0.0), body(200.0, 500.0, 1500.0, 0.0)];
        Physics::new(&board, &sequence).advance(&mut bodies, 5.0);
        assert_eq!(bodies[0].left, Some(Left::OffTheSide));
        assert_eq!(bodies[1].left, None);
    }
}
