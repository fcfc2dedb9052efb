//! Aiming: how fast and in which direction a piece must start to do what is meant.
//!
//! In: places and the table's friction. Out: velocities. Closed forms of sliding with friction, so no
//! shot has to be tried out.

use crate::board::Pocket;
use crate::geometry::{Point, Vector, nearest_on_segment};

/// The velocity with which a piece comes to rest at a place, nothing in its way.
pub fn to_rest_at(from: Point, to: Point, friction_mm_s2: f64) -> Vector {
    let way = to - from;
    let distance = way.norm().max(1e-6);
    way * ((2.0 * friction_mm_s2 * distance).sqrt() / distance)
}

/// The same off a side that lies at `wall_x` for the piece's middle and throws back a share
/// `cushion` of the speed across it.
pub fn to_rest_off_a_side(from: Point, to: Point, wall_x: f64, cushion: f64, friction_mm_s2: f64) -> Vector {
    let (before, after) = ((wall_x - from.x).abs().max(1.0), (wall_x - to.x).abs());
    // Friction slows both parts of the speed alike, so only the cushion bends the way.
    let slope = (before + after / cushion) / (to.y - from.y);
    let up_before = before / slope;
    let first = before.hypot(up_before);
    let second = after.hypot(to.y - from.y - up_before);
    let kept = (1.0 + (cushion * slope).powi(2)) / (1.0 + slope * slope);
    let speed = (2.0 * friction_mm_s2 * (first + second / kept)).sqrt();
    let direction = Vector::new(slope * (wall_x - from.x).signum(), 1.0).normalize();
    direction * speed
}

/// A disc that is in the way or is meant.
#[derive(Debug, Clone, Copy)]
pub struct Target {
    pub index: usize,
    pub at: Point,
    pub radius_mm: f64,
    pub mass: f64,
}

/// A way to pocket a disc from a place of the striker.
#[derive(Debug, Clone, Copy)]
pub struct Pot {
    pub from: Point,
    pub direction: Vector,
    pub speed_mm_s: f64,
    /// Greater for shots that are easier.
    pub ease: f64,
}

/// The striker and the table it is shot on.
pub struct Shooter<'a> {
    pub radius_mm: f64,
    pub mass: f64,
    pub friction_mm_s2: f64,
    pub restitution: f64,
    pub pockets: &'a [Pocket],
}

/// Cuts thinner than this cosine are not tried.
const THINNEST_CUT: f64 = 0.45;
/// A pot is played faster than it need be by this factor.
const FIRMLY: f64 = 1.35;

impl Shooter<'_> {
    /// The easiest pot of one of the `wanted` discs from the `places` that the striker may have;
    /// `inward` is the way it must leave.
    pub fn easiest_pot(
        &self,
        places: &[Point],
        inward: Vector,
        wanted: &[Target],
        all: &[Target],
    ) -> Option<Pot> {
        let mut best: Option<Pot> = None;
        for from in places {
            for target in wanted {
                for pocket in self.pockets {
                    let Some(pot) = self.pot(*from, inward, target, pocket, all) else { continue };
                    if best.is_none_or(|best| pot.ease > best.ease) {
                        best = Some(pot);
                    }
                }
            }
        }
        best
    }

    fn pot(
        &self,
        from: Point,
        inward: Vector,
        target: &Target,
        pocket: &Pocket,
        all: &[Target],
    ) -> Option<Pot> {
        let to_pocket = pocket.centre - target.at;
        let second = to_pocket.norm();
        let line = to_pocket / second.max(1e-6);
        // Where the striker is when it meets the disc from behind.
        let ghost = target.at - line * (self.radius_mm + target.radius_mm);
        let way = ghost - from;
        let first = way.norm();
        let direction = way / first.max(1e-6);
        let cut = direction.dot(&line);
        if first < 5.0 || cut < THINNEST_CUT || direction.dot(&inward) < 0.2 {
            return None;
        }
        let blocked = |a: Point, b: Point, radius: f64| {
            all.iter().filter(|other| other.index != target.index).any(|other| {
                (other.at - nearest_on_segment(other.at, a, b)).norm() < radius + other.radius_mm
            })
        };
        if blocked(from, ghost, self.radius_mm) || blocked(target.at, pocket.centre, target.radius_mm) {
            return None;
        }
        let needed = (2.0 * self.friction_mm_s2 * second).sqrt() * FIRMLY;
        let given = (1.0 + self.restitution) * self.mass / (self.mass + target.mass) * cut;
        let at_impact = needed / given;
        let speed_mm_s = (at_impact * at_impact + 2.0 * self.friction_mm_s2 * first).sqrt();
        Some(Pot { from, direction, speed_mm_s, ease: cut / (first + 2.0 * second) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Board;
    use crate::simulate::SequencePart;
    use crate::simulate::physics::{Body, Left, Physics};

    fn body(at: Point, velocity_mm_s: Vector, radius_mm: f64) -> Body {
        Body { at, velocity_mm_s, radius_mm, mass: radius_mm * radius_mm, left: None }
    }

    #[test]
    fn shots_come_to_rest_where_they_are_meant_to() {
        let board = Board::named_or_at("association-table").expect("ships");
        let sequence = SequencePart::default();
        let physics = Physics::new(&board, &sequence);
        let r = 29.35;
        for i in 0..40 {
            let f = f64::from(i);
            let from = Point::new(80.0 + 8.0 * f, 60.0);
            let to = Point::new(254.0 + 180.0 * (f * 0.7).sin(), 3000.0 + 400.0 * (f * 1.1).cos());
            let mut straight = [body(from, to_rest_at(from, to, sequence.friction_mm_s2), r)];
            physics.advance(&mut straight, 9.0);
            assert!((straight[0].at - to).norm() < 1.0, "{i}: {} for {to}", straight[0].at);
            let wall = if i % 2 == 0 { r } else { board.surface.width_mm - r };
            let velocity = to_rest_off_a_side(from, to, wall, sequence.cushion, sequence.friction_mm_s2);
            let mut banked = [body(from, velocity, r)];
            physics.advance(&mut banked, 9.0);
            assert!((banked[0].at - to).norm() < 8.0, "{i}: {} for {to}", banked[0].at);
        }
    }

    #[test]
    fn an_easy_pot_goes_in() {
        let board = Board::named_or_at("carrom-icf").expect("ships");
        let sequence = SequencePart::default();
        let man = Target { index: 0, at: Point::new(560.0, 600.0), radius_mm: 15.5, mass: 240.25 };
        let shooter = Shooter {
            radius_mm: 20.65,
            mass: 20.65 * 20.65,
            friction_mm_s2: sequence.friction_mm_s2,
            restitution: sequence.restitution,
            pockets: &board.pockets,
        };
        let places: Vec<Point> = (0..9).map(|i| Point::new(200.0 + 42.0 * f64::from(i), 117.4)).collect();
        let pot = shooter.easiest_pot(&places, Vector::new(0.0, 1.0), &[man], &[man]).expect("is open");
        let mut bodies =
            [body(man.at, Vector::zeros(), 15.5), body(pot.from, pot.direction * pot.speed_mm_s, 20.65)];
        Physics::new(&board, &sequence).advance(&mut bodies, 6.0);
        assert_eq!(bodies[0].left, Some(Left::Pocketed));
    }
}
