//! Strikes, from views that were told.

use super::*;
use crate::live::{
    Episode,
    half_round::tests::{puck, report},
};
use crate::motion::TrackPoint;

/// A way at ten frames a second.
fn way(places: &[[f64; 2]]) -> Track {
    let point = |(index, [x, y]): (usize, &[f64; 2])| TrackPoint {
        time_secs: index as f64 / 10.0,
        at: Point::new(*x, *y),
        area_mm2: 900.0,
        at_border: false,
    };
    Track { points: places.iter().enumerate().map(point).collect(), hand: false, ended: true }
}

/// A game of one view after another.
struct Watched {
    strikes: Strikes,
    board: Board,
    due: Due,
}

impl Watched {
    fn of(game: GameId) -> Self {
        let board = crate::rules::shipped(game).expect("ships");
        let due =
            Due { game, player: "Ann".into(), game_number: 1, side: 0, cushion: false, in_play: Vec::new() };
        Self { strikes: Strikes::default(), board: (*board).clone(), due }
    }

    /// The striker's name on this board, at a place.
    fn striker(&self, x_mm: f64, y_mm: f64) -> Lying {
        let kind = self.board.pieces.iter().find(|kind| kind.shooter).expect("has one");
        puck(&kind.name, x_mm, y_mm)
    }

    fn settles(&mut self, pieces: &[Lying], hand: bool, tracks: Vec<Track>) -> Option<Draft> {
        self.settles_after(pieces, Episode { tracks, hand, moving_frames: 5, ..Episode::default() })
    }

    fn settles_after(&mut self, pieces: &[Lying], episode: Episode) -> Option<Draft> {
        let report = report();
        let seen = Seen { pieces, report: &report, episode: &episode, overlooked: &[], contradictions: &[] };
        let findings = self.strikes.settled(&seen, &self.due, &self.board, &UmpireOptions::default());
        findings.into_iter().find_map(|finding| match finding {
            Finding::Draft(draft) => Some(*draft),
            _ => None,
        })
    }
}

fn strike(draft: &Draft) -> &StrikeEvent {
    match &draft.event {
        Event::Strike(event) => event,
        other => panic!("{other:?}"),
    }
}

fn asks(draft: &Draft, about: &str) -> bool {
    draft.doubts.iter().any(|doubt| doubt.about == about)
}

/// K3: the group at the centre lies still, may have been touched, or flies apart.
#[test]
fn a_break_that_disturbs_nothing_is_told_and_one_that_hardly_does_is_asked_about() {
    let broken = |white_to: [f64; 2]| {
        let mut watched = Watched::of(GameId::Kagw);
        let white = puck("white", 370.0, 370.0);
        let before = [white, watched.striker(370.0, 102.0)];
        let after = [puck("white", white_to[0], white_to[1]), watched.striker(420.0, 500.0)];
        assert!(watched.settles(&before, true, Vec::new()).is_none(), "nothing was struck yet");
        watched.settles(&after, false, vec![way(&[[375.0, 180.0], [420.0, 500.0]])]).expect("a strike")
    };
    let missed = broken([370.1, 370.0]);
    assert_eq!((strike(&missed).disturbed, asks(&missed, "break")), (Some(false), false));
    let maybe = broken([370.6, 370.0]);
    assert!(asks(&maybe, "break"), "{maybe:?}");
    let hit = broken([390.0, 430.0]);
    assert_eq!((strike(&hit).disturbed, asks(&hit, "break")), (None, false));
}

/// U6: any movement of the shooter is a shot, however short; what a measurement is off by is none.
#[test]
fn a_shooter_that_hardly_moved_was_shot() {
    let moved_by = |mm: f64| {
        let mut watched = Watched::of(GameId::Ludington);
        let disc = puck("white", 350.0, 350.0);
        let before = [disc.clone(), watched.striker(350.0, 60.0)];
        watched.settles(&before, true, Vec::new());
        let after = [disc, watched.striker(350.0, 60.0 + mm)];
        watched.settles(&after, false, Vec::new())
    };
    let shot = moved_by(3.0).expect("it moved");
    assert_eq!((strike(&shot), shot.doubts.len()), (&StrikeEvent::default(), 0));
    assert_eq!(moved_by(0.3), None);
}

/// Its way was lost while others moved, and found again on its way into a pocket.
#[test]
fn the_only_piece_that_is_gone_went_into_the_pocket_that_a_way_ends_in() {
    let gone = |end: [f64; 2]| {
        let mut watched = Watched::of(GameId::Ludington);
        let stays = puck("white", 350.0, 350.0);
        let before = [stays.clone(), puck("black", 380.0, 420.0), watched.striker(350.0, 60.0)];
        watched.settles(&before, true, Vec::new());
        let after = [stays, watched.striker(360.0, 300.0)];
        let struck = way(&[[352.0, 140.0], [356.0, 250.0], [360.0, 299.0]]);
        let mut lost = way(&[[end[0] - 80.0, end[1] - 80.0], end]);
        lost.points.iter_mut().for_each(|point| point.time_secs += 0.3);
        let mut seen = way(&[[440.0, 480.0]]);
        seen.points[0].time_secs = 0.2;
        watched.settles(&after, false, vec![struck, seen, lost]).expect("a strike")
    };
    let in_pocket = gone([600.0, 600.0]);
    assert_eq!((strike(&in_pocket).pocketed.len(), in_pocket.doubts.len()), (1, 0), "{in_pocket:?}");
    let elsewhere = gone([500.0, 300.0]);
    assert!(asks(&elsewhere, "pocketed"), "{elsewhere:?}");
}

/// Two lay side by side and are gone; one way leads into a pocket, and it is one piece's.
#[test]
fn a_way_into_a_pocket_is_not_that_of_two_pieces() {
    let mut watched = Watched::of(GameId::Kagw);
    let before = [puck("black", 414.0, 659.0), puck("black", 463.0, 684.0), watched.striker(424.0, 117.0)];
    watched.settles(&before, true, Vec::new());
    let struck = way(&[[423.0, 114.0], [438.0, 413.0], [447.0, 671.0], [426.0, 292.0]]);
    let mut sank = way(&[[396.0, 662.0], [316.0, 677.0], [239.0, 692.0], [107.0, 717.0], [53.0, 722.0]]);
    sank.points.iter_mut().for_each(|point| point.time_secs += 0.2);
    let after = [watched.striker(426.0, 292.0)];
    let draft = watched.settles(&after, false, vec![struck, sank]).expect("a strike");
    let asked = draft.doubts.iter().filter(|doubt| doubt.about == "pocketed").count();
    assert_eq!(asked, 1, "of the other one: {draft:?}");
}

/// A disc of the group was overlooked before the break, and went into a pocket in it: both views show as many.
#[test]
fn a_piece_that_goes_unseen_is_missed_by_its_count() {
    let broken = |in_play: u32| {
        let mut watched = Watched::of(GameId::Ludington);
        watched.due.in_play = vec![("white".into(), in_play), ("black".into(), 1), ("green".into(), 0)];
        let before = [puck("white", 350.0, 350.0), puck("black", 380.0, 420.0), watched.striker(350.0, 60.0)];
        watched.settles(&before, true, Vec::new());
        let after = [puck("white", 350.0, 450.0), watched.striker(360.0, 300.0)];
        let struck = way(&[[352.0, 140.0], [356.0, 250.0], [360.0, 299.0]]);
        let sank = way(&[[400.0, 440.0], [520.0, 540.0], [630.0, 635.0]]);
        watched.settles(&after, false, vec![struck, sank]).expect("a strike")
    };
    assert!(!asks(&broken(1), "count"), "{:?}", broken(1));
    assert!(asks(&broken(2), "count"), "{:?}", broken(2));
}

/// A hand brings the striker and flicks it before any view has settled, and stays: that was no
/// settled view with the striker ready, but pieces ran.
#[test]
fn a_strike_under_a_hand_that_never_left_is_asked_about() {
    let mut watched = Watched::of(GameId::Ludington);
    let (stays, goes) = (puck("white", 350.0, 350.0), puck("black", 380.0, 420.0));
    watched.settles(&[stays.clone(), goes.clone()], false, Vec::new());
    let after = [stays.clone(), puck("black", 380.0, 600.0), watched.striker(360.0, 300.0)];
    let ran = way(&[[380.0, 440.0], [380.0, 560.0], [380.0, 598.0]]);
    let draft = watched.settles(&after, true, vec![ran]).expect("pieces ran");
    assert!(asks(&draft, "hand") && !asks(&draft, "count"), "{draft:?}");

    // The striker still lay where it came to rest before.
    let mut watched = Watched::of(GameId::Ludington);
    let before = [stays.clone(), goes.clone(), watched.striker(600.0, 500.0)];
    watched.settles(&before, false, Vec::new());
    let after = [stays.clone(), watched.striker(380.0, 400.0)];
    let ran = way(&[[400.0, 440.0], [500.0, 540.0], [600.0, 640.0]]);
    let draft = watched.settles(&after, true, vec![ran]).expect("a piece ran into a pocket");
    assert_eq!(strike(&draft).pocketed, ["black"]);
    assert!(asks(&draft, "hand"), "{draft:?}");

    // A striker that is brought and nothing else: no strike.
    let mut watched = Watched::of(GameId::Ludington);
    watched.settles(&[stays.clone(), goes.clone()], false, Vec::new());
    let ready = [stays, goes, watched.striker(350.0, 60.0)];
    assert_eq!(watched.settles(&ready, true, Vec::new()), None);
}

/// The striker was not seen where it lay ready; no hand was there when pieces ran.
#[test]
fn a_strike_with_a_striker_that_was_overlooked_is_asked_about() {
    let (stays, goes) = (puck("white", 350.0, 350.0), puck("black", 380.0, 420.0));
    let ran = || vec![way(&[[352.0, 140.0], [356.0, 250.0], [360.0, 299.0]])];
    let before = [stays.clone(), goes.clone()];
    let first_seen = |after: &dyn Fn(&Watched) -> Vec<Lying>, tracks: Vec<Track>| {
        let mut watched = Watched::of(GameId::Ludington);
        watched.settles(&before, true, Vec::new());
        let after = after(&watched);
        watched.settles(&after, false, tracks)
    };
    let came_to_rest = first_seen(
        &|watched| vec![stays.clone(), puck("black", 380.0, 600.0), watched.striker(360.0, 300.0)],
        ran(),
    );
    assert!(asks(&came_to_rest.expect("pieces ran"), "striker"));
    let hit_nothing =
        first_seen(&|watched| vec![stays.clone(), goes.clone(), watched.striker(360.0, 300.0)], ran());
    assert!(asks(&hit_nothing.expect("the striker ran"), "striker"));
    let gone_again = first_seen(&|_| vec![stays.clone()], ran());
    assert_eq!(strike(&gone_again.expect("a piece is gone")).pocketed, ["black"]);
    // Brought by what was not seen to be a hand: it lies ready, and the next strike is one.
    let brought =
        first_seen(&|watched| vec![stays.clone(), goes.clone(), watched.striker(350.0, 60.0)], Vec::new());
    assert_eq!(brought, None);
}

/// The striker went into a pocket under a hand that never left.
#[test]
fn a_strike_under_a_hand_that_leaves_no_striker_is_asked_about_while_a_game_runs() {
    let (stays, goes) = (puck("white", 350.0, 350.0), puck("black", 380.0, 420.0));
    let mut watched = Watched::of(GameId::Ludington);
    let ran = || vec![way(&[[400.0, 440.0], [500.0, 540.0], [600.0, 640.0]])];
    watched.settles(&[stays.clone(), goes.clone()], true, Vec::new());
    // Before the first strike of a game, hands set the pieces up.
    let moved = [puck("white", 350.0, 250.0), goes.clone()];
    assert_eq!(watched.settles(&moved, true, ran()), None);
    let ready = [stays.clone(), goes.clone(), watched.striker(350.0, 60.0)];
    watched.settles(&ready, true, Vec::new());
    let struck = [stays.clone(), goes, watched.striker(600.0, 500.0)];
    watched.settles(&struck, false, ran()).expect("a strike");
    let taken = [stays.clone(), puck("black", 380.0, 420.0)];
    assert_eq!(watched.settles(&taken, true, Vec::new()), None);
    let draft = watched.settles(&[stays], true, ran()).expect("a piece ran into a pocket");
    assert!(asks(&draft, "hand"), "{draft:?}");
}

/// A lamp went on just when the striker had been brought: no view settled before the strike, and the
/// new light hid every way.
#[test]
fn a_strike_that_a_lamp_hid_is_asked_about() {
    let mut watched = Watched::of(GameId::Ludington);
    let stays = puck("white", 350.0, 350.0);
    let before = [stays.clone(), puck("black", 380.0, 420.0), watched.striker(600.0, 500.0)];
    watched.settles(&before, false, Vec::new());
    let after = [stays, watched.striker(380.0, 400.0)];
    let lamp = Episode { hand: true, light_changed: true, moving_frames: 9, ..Episode::default() };
    let draft = watched.settles_after(&after, lamp).expect("a piece is gone");
    assert_eq!(strike(&draft).pocketed, ["black"]);
    assert!(asks(&draft, "hand"), "{draft:?}");
}
