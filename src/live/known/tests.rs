//! The state of pieces under hands, from drawn pictures and told detections.

#![allow(clippy::unwrap_used)]

use super::*;
use crate::{capture::Picture, detect::Candidate, simulate::SceneFile};

const BOARD: [u8; 3] = [200, 190, 170];
const SKIN: [u8; 3] = [120, 80, 60];
const BLACK: [u8; 3] = [40, 40, 45];
const STRIKER: [u8; 3] = [60, 140, 110];

/// A board from above, with what is drawn on it, at 25 frames a second.
struct Table {
    board: Board,
    camera: Camera,
    state: KnownState,
    frame: u32,
}

/// What a frame shows.
#[derive(Default, Clone)]
struct Shown {
    black: Vec<[f64; 2]>,
    striker: Option<[f64; 2]>,
    /// Capsules from the left side: how far in they reach, and at which y.
    hands: Vec<[f64; 2]>,
    /// Detection overlooks what is under a hand and, so told, all men.
    overlooks: bool,
}

impl Table {
    fn new() -> Self {
        let mut board = (*crate::rules::shipped(crate::rules::GameId::Kagw).unwrap()).clone();
        board.surface.colour.0 = BOARD;
        for kind in &mut board.pieces {
            match kind.name.as_str() {
                "black" => kind.colour.0 = BLACK,
                "striker" => kind.colour.0 = STRIKER,
                _ => {}
            }
        }
        let scene = SceneFile::of_board(board.id.clone()).validate_on(board.clone(), "test").unwrap();
        let camera = scene.camera;
        let state = KnownState::new(&board, &camera, &KnownOptions::default()).unwrap();
        Self { board, camera, state, frame: 0 }
    }

    fn secs(&self) -> f64 {
        f64::from(self.frame) / 25.0
    }

    fn kind(&self, name: &str) -> usize {
        self.board.pieces.iter().position(|kind| kind.name == name).unwrap()
    }

    /// Shows frames. Gives the launches.
    fn show(&mut self, shown: &Shown, frames: u32) -> Vec<Launch> {
        let picture = Picture::new(self.draw(shown));
        let mut detection = Detection::default();
        let px = nalgebra::Point2::new(0.0, 0.0);
        let is_hidden = |at: &[f64; 2]| {
            shown.hands.iter().any(|[reach, y]| at[0] < reach + 30.0 && (at[1] - y).abs() < 60.0)
        };
        for at in shown.black.iter().filter(|at| !is_hidden(at) && !shown.overlooks) {
            let at = Point::new(at[0], at[1]);
            detection.pieces.push(Candidate::on_board(self.kind("black"), at, px));
        }
        if let Some([x, y]) = shown.striker.filter(|at| !is_hidden(at)) {
            detection.pieces.push(Candidate::on_board(self.kind("striker"), Point::new(x, y), px));
        }
        let mut launches = Vec::new();
        for _ in 0..frames {
            let secs = self.secs();
            launches.extend(self.state.push(&picture, &detection, secs));
            self.frame += 1;
        }
        launches
    }

    fn draw(&self, shown: &Shown) -> image::RgbImage {
        let [width, height] = self.camera.image_size;
        image::RgbImage::from_fn(width, height, |x, y| {
            let Some(at) = self.camera.board_from_image(f64::from(x), f64::from(y), 4.0) else {
                return image::Rgb(BOARD);
            };
            let within = |place: &[f64; 2], mm: f64| (at - Point::new(place[0], place[1])).norm() < mm;
            let is_hand = |[reach, y]: &[f64; 2]| {
                at.x < *reach && (at.y - y).abs() < 35.0 || within(&[*reach, *y], 35.0)
            };
            let colour = match shown {
                shown if shown.hands.iter().any(is_hand) => SKIN,
                shown if shown.striker.is_some_and(|striker| within(&striker, 20.6)) => STRIKER,
                shown if shown.black.iter().any(|black| within(black, 15.5)) => BLACK,
                _ => BOARD,
            };
            image::Rgb(colour)
        })
    }

    fn men(&self) -> Vec<(Presence, [i64; 2])> {
        let mut men: Vec<_> = self
            .state
            .men()
            .map(|man| (man.presence, [man.at.x.round() as i64, man.at.y.round() as i64]))
            .collect();
        men.sort_by_key(|man| man.1);
        men
    }
}

/// Bare board, men, and the striker ready on the left base line.
fn ready() -> Shown {
    Shown { black: vec![[370.0, 370.0], [520.0, 200.0]], striker: Some([117.0, 370.0]), ..Shown::default() }
}

#[test]
fn what_is_under_a_hand_stays_and_what_is_bare_is_gone() {
    let mut table = Table::new();
    table.show(&Shown::default(), 10);
    let all = Shown { striker: None, ..ready() };
    table.show(&all, 10);
    assert_eq!(table.men().len(), 2);
    let hand = Shown { hands: vec![[400.0, 370.0]], ..all.clone() };
    table.show(&hand, 25);
    assert_eq!(table.men(), [(Presence::Hidden, [370, 370]), (Presence::Seen, [520, 200])]);
    assert_eq!(table.state.hands_in_words().as_deref(), Some("a hand covers the left base line"));
    assert_eq!(table.state.unseen_men(), 1);
    // The hand has taken it.
    table.show(&Shown { black: vec![[520.0, 200.0]], ..all.clone() }, 6);
    assert_eq!(table.men(), [(Presence::Seen, [520, 200])]);
    // Detection overlooks the other one for a second: it stands out by itself.
    table.show(&Shown { black: vec![[520.0, 200.0]], overlooks: true, ..all.clone() }, 25);
    assert_eq!(table.men(), [(Presence::Seen, [520, 200])]);
    // And a man who comes where no one lay, and whom detection never finds, is one too.
    table.show(&Shown { black: vec![[520.0, 200.0], [200.0, 600.0]], overlooks: true, ..all }, 25);
    assert_eq!(table.men().len(), 2, "{:?}", table.men());
}

#[test]
fn a_striker_that_is_flicked_from_under_a_finger_is_launched() {
    let mut table = Table::new();
    table.show(&Shown::default(), 10);
    let held = Shown { hands: vec![[70.0, 350.0]], ..ready() };
    table.show(&ready(), 10);
    assert!(table.show(&held, 10).is_empty(), "it lies there");
    let going = Shown { striker: Some([300.0, 300.0]), ..held.clone() };
    let launches = table.show(&going, 1);
    let [launch] = launches[..] else { panic!("{launches:?}") };
    assert!((launch.from - Point::new(117.0, 370.0)).norm() < 5.0, "{launch:?}");
    assert!(launch.held, "{launch:?}");
    assert!(table.show(&going, 20).is_empty(), "once");
}

/// It looks like a strike, but the hand stays with it; and it may be let go anywhere but on a base line.
#[test]
fn a_striker_that_a_hand_slides_or_carries_is_not_launched() {
    let mut table = Table::new();
    table.show(&Shown::default(), 10);
    table.show(&ready(), 10);
    for step in 0..10 {
        let y = 370.0 + 25.0 * f64::from(step);
        let slid = Shown { striker: Some([117.0, y]), hands: vec![[80.0, y - 20.0]], ..ready() };
        assert!(table.show(&slid, 1).is_empty(), "slid to {y}");
    }
    let mut table = Table::new();
    table.show(&Shown::default(), 10);
    let elsewhere = Shown { striker: Some([370.0, 550.0]), ..ready() };
    table.show(&elsewhere, 10);
    assert!(table.show(&ready(), 10).is_empty(), "it was brought to the base line");
}

/// The first frames have a hand in them; two seconds later nothing of it is left.
#[test]
fn a_background_that_began_with_a_hand_heals() {
    let mut table = Table::new();
    let hand = Shown { hands: vec![[300.0, 500.0]], ..Shown::default() };
    table.show(&hand, 10);
    table.show(&Shown::default(), 50);
    assert!(!table.state.hands().is_there(), "{:?}", table.state.hands_in_words());
    table.show(&hand, 1);
    assert!(table.state.hands().is_there(), "it is a hand again");
}

/// A man in a pocket is off the surface: nothing that is waited for.
#[test]
fn a_man_in_a_pocket_is_no_hand() {
    let mut table = Table::new();
    table.show(&Shown::default(), 10);
    let pocket = table.board.pockets[0].centre;
    table.show(&Shown { black: vec![[pocket.x, pocket.y]], ..Shown::default() }, 10);
    assert!(table.men().is_empty(), "{:?}", table.men());
    assert!(!table.state.hands().is_there());
}

/// A man that is missing may lie under the hand: nothing is decided before that was seen.
#[test]
fn a_strike_is_decided_when_everything_was_seen() {
    let mut table = Table::new();
    table.show(&Shown::default(), 10);
    table.show(&ready(), 10);
    let gone = Shown {
        black: vec![[520.0, 200.0]],
        striker: Some([600.0, 600.0]),
        hands: vec![[250.0, 370.0]],
        ..Shown::default()
    };
    assert_eq!(table.show(&gone, 1).len(), 1);
    table.show(&gone, 50);
    assert!(!table.state.is_decided(table.secs()), "it may lie under the hand");
    table.show(&Shown { hands: Vec::new(), ..gone }, 20);
    assert!(table.state.is_decided(table.secs()));
}
