//! People as they are at real tables: hands that stay, arms and heads in the picture, a striker that is slid along
//! its line, and nobody who waits for a camera.
//!
//! All of it has dice of its own, so that an evening without people stays what it was.

use super::{EveningError, Table};
use crate::{
    board::BoardSide,
    geometry::Point,
    simulate::{
        dice::Dice,
        scene::{ObjectKind, ObjectPart},
        stage::{Phase, Wear},
    },
};

const PEOPLE: u64 = 13;

/// Steps in which a striker is slid along its line, at most.
const SLIDES: usize = 6;
/// Frames that a hand stays beside a striker before it goes, at most.
const HELD: usize = 6;
/// The share of strikes before which the striker is put down elsewhere on the line first.
const SLID_SHARE: f64 = 0.6;
/// The share of turns in which somebody bends over a corner, or lays an arm over the border.
const HEAD_SHARE: f64 = 0.15;
const ARM_SHARE: f64 = 0.3;
/// How far over the border such an arm reaches, in mm.
const ARM_MM: std::ops::Range<f64> = 10.0..70.0;
/// How far outside a corner the middle of a head is, in mm.
const HEAD_OUT_MM: std::ops::Range<f64> = 10.0..60.0;

/// Strikers come in any colour.
const STRIKERS: [&str; 4] = ["#2f6f5a", "#2b5f9e", "#d08a1e", "#e8e0c8"];
const SKINS: [&str; 4] = ["#cc9676", "#966246", "#623e2e", "#e0b298"];
const SLEEVES: [&str; 4] = ["#282e3e", "#a06e32", "#c4c4be", "#782428"];

/// Who plays, and what they do besides.
pub struct People {
    dice: Dice,
    /// What each side wears.
    wear: [Wear; 2],
    pub striker: Option<String>,
}

impl People {
    pub fn new(seed: u64) -> Self {
        let mut dice = Dice::new(seed, PEOPLE);
        let wear = [(), ()].map(|()| {
            let skin = dice.pick(&SKINS).map(|skin| (*skin).to_owned());
            // Bare arms as often as sleeves.
            let sleeve =
                if dice.chance(0.5) { skin.clone() } else { dice.pick(&SLEEVES).map(|s| (*s).to_owned()) };
            Wear { skin, sleeve }
        });
        let striker = dice.pick(&STRIKERS).map(|colour| (*colour).to_owned());
        Self { dice, wear, striker }
    }

    /// How long nothing happens: nobody waits for a camera.
    pub fn pause(&mut self, most_frames: usize) -> usize {
        1 + self.dice.index(most_frames.max(1))
    }

    fn wear_of(&self, side: BoardSide) -> Wear {
        self.wear[usize::from(matches!(side, BoardSide::Far | BoardSide::Right))].clone()
    }
}

impl Table<'_> {
    /// A hand brings the striker, slides it to its place and stays there. Gives the frames.
    pub fn place_striker(
        &mut self,
        people: &mut People,
        (striker, side): (usize, BoardSide),
        at: Point,
        [from, to]: [Point; 2],
    ) -> Result<Vec<usize>, EveningError> {
        let dice = &mut people.dice;
        let mut way = vec![at];
        if dice.chance(SLID_SHARE) {
            let first = from + (to - from) * dice.between(0.2, 0.8);
            let steps = 2 + dice.index(SLIDES - 1);
            way = (0..=steps).map(|step| first + (at - first) * (step as f64 / steps as f64)).collect();
        }
        let held = 2 + dice.index(HELD - 1);
        self.stage.wear(people.wear_of(side));
        let frames = self.stage.place_and_stay(side, striker, &way)?;
        self.stage.hold(Phase::Still, held)?;
        Ok(frames)
    }

    /// Others come into the picture, or leave it. `free`: places that they keep clear of.
    pub fn others_move(&mut self, people: &mut People, sides: &[BoardSide]) {
        let [width, length] = [self.board.surface.width_mm, self.board.surface.length_mm];
        let region = crate::simulate::region_of_play(&self.board);
        let mut others = Vec::new();
        let dice = &mut people.dice;
        if dice.chance(ARM_SHARE)
            && let Some(side) = dice.pick(sides).copied()
        {
            let reach = dice.between(ARM_MM.start, ARM_MM.end);
            let along_x = dice.between(0.15, 0.85) * width;
            let along_y =
                region.from.y.max(0.0) + dice.between(0.15, 0.85) * (length - region.from.y.max(0.0));
            let at = match side {
                BoardSide::Near => Point::new(along_x, reach),
                BoardSide::Far => Point::new(along_x, length - reach),
                BoardSide::Left => Point::new(reach, along_y),
                BoardSide::Right => Point::new(width - reach, along_y),
            };
            let wear = people.wear_of(side);
            self.stage.wear(wear);
            others.push(self.stage.arm_at(side, at));
        }
        let dice = &mut people.dice;
        if dice.chance(HEAD_SHARE) {
            let out = dice.between(HEAD_OUT_MM.start, HEAD_OUT_MM.end);
            let right = dice.chance(0.5);
            let far = self.board.is_two_ended() || dice.chance(0.5);
            let x = if right { width + out } else { -out };
            let y = if far { length + out } else { -out };
            let middle = Point::new(width / 2.0, length / 2.0);
            others.push(ObjectPart {
                kind: ObjectKind::Head,
                x_mm: x,
                y_mm: y,
                z_mm: Some(180.0),
                angle_deg: (middle.y - y).atan2(middle.x - x).to_degrees(),
                diameter_mm: None,
                colour: None,
                sleeve: dice.pick(&SLEEVES).map(|sleeve| (*sleeve).to_owned()),
            });
        }
        self.stage.show_people(others);
    }

    /// Everybody steps back.
    pub fn others_leave(&mut self) {
        self.stage.show_people(Vec::new());
        self.stage.lift_resting_hand();
    }
}
