//! Half rounds played on paper: what lies there, and what was seen in between.

use super::*;
use crate::{
    geometry::Point,
    motion::{Track, TrackPoint},
    register::Method,
    rules::{ColourTally, GameId},
    score::RegistrationReport,
};

pub(in crate::live) fn report() -> PhotoReport {
    PhotoReport {
        photo: "view".into(),
        board: "carrom-court".into(),
        game: GameId::Court,
        end: End::Far,
        registration: RegistrationReport { method: Method::Camera, rms_px: 0.1, mm_per_px: Some(0.5) },
        pieces: Vec::new(),
        tally: ColourTally::default(),
        tally_probability: 1.0,
        doubts: Vec::new(),
        uncalled: Vec::new(),
        on_board: None,
        foreign: Vec::new(),
        times: None,
    }
}

pub(in crate::live) fn puck(kind: &str, x_mm: f64, y_mm: f64) -> Lying {
    let state = if y_mm < 1137.0 { PieceState::Dead } else { PieceState::Live };
    Lying { kind: kind.into(), x_mm, y_mm, sigma_mm: 0.1, state, id: 1 }
}

/// A thing that came in from the shooter's side and went its way.
pub(in crate::live) fn entering(x_mm: f64, to_y_mm: f64) -> Track {
    let point = |index: usize, y_mm: f64| TrackPoint {
        time_secs: index as f64 / 10.0,
        at: Point::new(x_mm, y_mm),
        area_mm2: 700.0,
        at_border: index == 0,
    };
    let points = (0..5).map(|i| point(i, 980.0 + (to_y_mm - 980.0) * i as f64 / 4.0)).collect();
    Track { points, hand: false, ended: true }
}

struct Played {
    half_round: HalfRound,
    board: Board,
    order: Order,
    lying: Vec<Lying>,
    findings: Vec<Finding>,
}

/// Four pucks each, red first, to the far end of a court.
pub fn court_order() -> Order {
    Order {
        colours: ["red".into(), "blue".into()],
        each: 4,
        end: End::Far,
        bank: false,
        dead_are_taken: true,
    }
}

impl Played {
    fn new() -> Self {
        let board = Board::named_or_at("carrom-court").expect("ships");
        let order = court_order();
        let mut played =
            Self { half_round: HalfRound::default(), board, order, lying: Vec::new(), findings: Vec::new() };
        played.settles(Episode::default());
        played
    }

    fn settles(&mut self, episode: Episode) {
        let report = report();
        let seen = Seen {
            pieces: &self.lying,
            report: &report,
            episode: &episode,
            overlooked: &[],
            contradictions: &[],
        };
        self.findings = self.half_round.settled(&seen, &self.order, &self.board, &UmpireOptions::default());
    }

    fn shoots(&mut self, kind: &str, x_mm: f64, y_mm: f64) {
        self.lying.push(puck(kind, x_mm, y_mm));
        self.settles(Episode { tracks: vec![entering(x_mm, y_mm)], moving_frames: 5, ..Episode::default() });
    }

    fn shoots_off(&mut self) {
        let tracks = vec![entering(100.0, 1820.0)];
        self.settles(Episode { tracks, moving_frames: 5, ..Episode::default() });
    }

    fn hand(&mut self) {
        self.settles(Episode { hand: true, moving_frames: 4, ..Episode::default() });
    }

    fn draft(&self) -> Option<&Draft> {
        self.findings.iter().find_map(|finding| match finding {
            Finding::Draft(draft) => Some(&**draft),
            _ => None,
        })
    }

    fn pieces(&self) -> Vec<(String, bool)> {
        let Some(Draft { event: Event::Frame(frame), .. }) = self.draft() else { return Vec::new() };
        frame.pieces.iter().map(|piece| (piece.colour.clone(), piece.x_mm.is_some())).collect()
    }
}

fn colour(shot: usize) -> &'static str {
    ["red", "blue"][shot % 2]
}

#[test]
fn a_half_round_is_over_when_all_eight_were_played() {
    let mut played = Played::new();
    for shot in 0..8 {
        assert!(played.draft().is_none(), "before shot {shot}");
        played.shoots(colour(shot), 40.0 + 40.0 * shot as f64, 1300.0);
    }
    let draft = played.draft().expect("all eight were played");
    assert!(draft.doubts.is_empty() && draft.confidence > 0.98, "{draft:?}");
    assert_eq!(played.pieces().len(), 8);
    // Nothing more is said until the board was cleared.
    played.hand();
    assert!(played.findings.is_empty());
    played.lying.clear();
    played.hand();
    assert_eq!(played.half_round.shots(), 0);
    played.shoots("red", 100.0, 1400.0);
    assert_eq!(played.half_round.shots(), 1);
}

#[test]
fn pucks_that_leave_the_board_are_counted() {
    let mut played = Played::new();
    for shot in 0..8 {
        match shot {
            2 | 5 => played.shoots_off(),
            _ => played.shoots(colour(shot), 40.0 + 40.0 * shot as f64, 1300.0),
        }
    }
    let gone: Vec<(String, bool)> = played.pieces().into_iter().filter(|(_, lies)| !lies).collect();
    assert_eq!(gone, [("red".to_owned(), false), ("blue".to_owned(), false)]);
    assert!(played.draft().is_some_and(|draft| draft.doubts.is_empty() && draft.confidence > 0.9));
}

#[test]
fn a_dead_puck_is_told_and_taken_away_by_a_hand() {
    let mut played = Played::new();
    played.shoots("red", 100.0, 1050.0);
    let told = |finding: &Finding| matches!(finding, Finding::Remark(remark) if remark.about == "dead-piece");
    assert!(played.findings.iter().any(told), "{:?}", played.findings);
    played.lying.clear();
    played.hand();
    assert_eq!((played.half_round.shots(), played.findings.len()), (1, 0));
    // Hand and next shot without a settled view in between.
    played.shoots("blue", 200.0, 1060.0);
    played.lying = vec![puck("red", 150.0, 1500.0)];
    let tracks = vec![entering(150.0, 1500.0)];
    played.settles(Episode { hand: true, tracks, moving_frames: 9, ..Episode::default() });
    assert_eq!(played.half_round.shots(), 3);
}

/// A dead puck beside the edge of the view: of the hand that takes it only fingers are seen.
#[test]
fn a_dead_puck_taken_at_the_edge_of_the_view_is_no_shot() {
    let mut played = Played::new();
    played.shoots("red", 380.0, 1000.0);
    played.lying.clear();
    let fingers = entering(380.0, 1090.0);
    played.settles(Episode { tracks: vec![fingers], moving_frames: 4, ..Episode::default() });
    assert_eq!(played.half_round.shots(), 1, "{:?}", played.findings);
    played.shoots("blue", 100.0, 1300.0);
    assert_eq!((played.half_round.shots(), played.half_round.asks.len()), (2, 0));
}

#[test]
fn a_puck_that_knocks_another_off_is_one_shot() {
    let mut played = Played::new();
    played.shoots("red", 100.0, 1300.0);
    played.lying = vec![puck("blue", 110.0, 1350.0)];
    played.settles(Episode { tracks: vec![entering(100.0, 1350.0)], moving_frames: 5, ..Episode::default() });
    assert_eq!(played.half_round.shots(), 2);
    assert!(played.half_round.asks.is_empty(), "{:?}", played.half_round.asks);
}

#[test]
fn a_puck_out_of_turn_is_asked_about() {
    let mut played = Played::new();
    played.shoots("blue", 100.0, 1300.0);
    assert_eq!(played.half_round.shots(), 2, "red's must have been played and left");
    for shot in 2..8 {
        played.shoots(colour(shot), 40.0 + 40.0 * shot as f64, 1400.0);
    }
    assert!(played.draft().is_some_and(|draft| !draft.doubts.is_empty()));
}

/// A thing that one frame shows.
fn glimpse() -> Episode {
    let mut track = entering(300.0, 1500.0);
    track.points.truncate(1);
    Episode { tracks: vec![track], moving_frames: 1, ..Episode::default() }
}

#[test]
fn a_glimpse_is_a_shot_when_the_next_turn_says_so_and_else_is_asked_about() {
    for (glimpsed_at, is_asked) in [(3, false), (7, true)] {
        let mut played = Played::new();
        for shot in 0..8 {
            match shot == glimpsed_at {
                true => played.settles(glimpse()),
                false => played.shoots(colour(shot), 40.0 + 40.0 * shot as f64, 1300.0),
            }
        }
        let draft = played.draft().expect("all eight were played");
        assert_eq!(!draft.doubts.is_empty(), is_asked, "shot {glimpsed_at}: {draft:?}");
    }
    // No shot: the colour whose turn it is comes, and the count contradicts it.
    let mut played = Played::new();
    played.shoots("red", 100.0, 1300.0);
    played.settles(glimpse());
    played.shoots("blue", 200.0, 1300.0);
    assert!(!played.half_round.asks.is_empty());
}

#[test]
fn a_puck_that_takes_the_place_of_its_like_is_a_shot() {
    let mut played = Played::new();
    played.shoots("red", 100.0, 1300.0);
    played.shoots("blue", 300.0, 1500.0);
    // Red knocks red off and stays: as many lie there as before.
    played.lying[0] = puck("red", 130.0, 1350.0);
    played.settles(Episode { tracks: vec![entering(100.0, 1350.0)], moving_frames: 5, ..Episode::default() });
    assert_eq!(played.half_round.shots(), 3);
    assert!(played.half_round.asks.is_empty(), "{:?}", played.half_round.asks);
}

#[test]
fn a_board_cleared_too_early_is_asked_about() {
    let mut played = Played::new();
    for shot in 0..6 {
        played.shoots(colour(shot), 40.0 + 40.0 * shot as f64, 1300.0);
    }
    played.lying.clear();
    played.hand();
    let draft = played.draft().expect("what lay there is not lost");
    assert_eq!(draft.rests_on, RestsOn::ViewBefore);
    assert!(!draft.doubts.is_empty());
    assert_eq!(played.half_round.shots(), 0);
}

#[test]
fn what_was_seen_survives_as_text() {
    let mut played = Played::new();
    played.shoots("red", 100.0, 1300.0);
    played.shoots_off();
    let text = serde_json::to_string(&played.half_round).expect("plain data");
    let back: HalfRound = serde_json::from_str(&text).expect("plain data");
    assert_eq!(back, played.half_round);
}

/// A puck that was knocked back lies outside the view, and the next shot brings it in again.
#[test]
fn a_puck_that_comes_back_into_the_view_is_no_shot() {
    let mut played = Played::new();
    played.shoots("red", 100.0, 1300.0);
    // Blue hits red and goes back out of the view.
    played.lying = vec![puck("red", 110.0, 1500.0)];
    played.settles(Episode { tracks: vec![entering(100.0, 1300.0)], moving_frames: 5, ..Episode::default() });
    assert_eq!((played.half_round.shots(), played.half_round.asks.len()), (2, 0));
    // Red comes in, and blue with it.
    played.lying.extend([puck("red", 200.0, 1400.0), puck("blue", 80.0, 1200.0)]);
    let tracks = vec![entering(200.0, 1400.0), entering(80.0, 1200.0)];
    played.settles(Episode { tracks, moving_frames: 5, ..Episode::default() });
    assert_eq!((played.half_round.shots(), played.half_round.asks.len()), (3, 1), "{:?}", played.half_round);
    // Of a colour of which none is gone both were played.
    let mut played = Played::new();
    played.lying.extend([puck("red", 200.0, 1400.0), puck("blue", 80.0, 1200.0)]);
    let tracks = vec![entering(200.0, 1400.0), entering(80.0, 1200.0)];
    played.settles(Episode { tracks, moving_frames: 5, ..Episode::default() });
    assert_eq!((played.half_round.shots(), played.half_round.asks.len()), (2, 0));
}

/// Rocks of an association table with banks in play.
struct BankPlay {
    board: Board,
    options: UmpireOptions,
    order: Order,
    half_round: HalfRound,
}

impl BankPlay {
    fn new() -> Self {
        Self {
            board: Board::named_or_at("association-table").expect("ships"),
            options: UmpireOptions::default(),
            order: Order { colours: ["red".into(), "yellow".into()], bank: true, ..court_order() },
            half_round: HalfRound::default(),
        }
    }

    /// Plays views one after the other; what is known of the first rock's bank after each.
    fn plays(mut self, views: Vec<(Vec<Lying>, Vec<Track>)>) -> Vec<Option<Banked>> {
        let report = report();
        let see = |(pieces, tracks): (Vec<Lying>, Vec<Track>)| {
            let episode = Episode { tracks, moving_frames: 5, ..Episode::default() };
            let seen = Seen {
                pieces: &pieces,
                report: &report,
                episode: &episode,
                overlooked: &[],
                contradictions: &[],
            };
            self.half_round.settled(&seen, &self.order, &self.board, &self.options);
            self.half_round.pucks.first().and_then(|puck| puck.banked)
        };
        views.into_iter().map(see).collect()
    }
}

fn rock(kind: &str, x_mm: f64, y_mm: f64) -> Lying {
    Lying { state: PieceState::Live, ..puck(kind, x_mm, y_mm) }
}

/// The way of a rock that came in over the view's border.
fn way(places: &[[f64; 2]]) -> Track {
    let point = |(index, [x, y]): (usize, &[f64; 2])| TrackPoint {
        time_secs: index as f64 / 10.0,
        at: Point::new(*x, *y),
        area_mm2: 2700.0,
        at_border: index == 0,
    };
    Track { points: places.iter().enumerate().map(point).collect(), hand: false, ended: true }
}

fn off_the_bank() -> Track {
    way(&[[120.0, 2500.0], [60.0, 2700.0], [45.0, 2880.0], [95.0, 3040.0]])
}

/// A rock of a colour hits another of its colour off the board and lies beside where it lay.
#[test]
fn of_two_like_rocks_that_met_nobody_knows_which_touched_the_bank() {
    let sure = UmpireOptions::default().sure;
    let met = |then: Track, rests: Lying| {
        let yellow = rock("yellow", 400.0, 3000.0);
        let views = vec![
            (Vec::new(), Vec::new()),
            (vec![rock("red", 95.0, 3040.0)], vec![off_the_bank()]),
            (vec![rock("red", 95.0, 3040.0), yellow.clone()], vec![off_the_bank()]),
            (vec![rests, yellow], vec![then, way(&[[95.0, 3120.0], [93.0, 3600.0]])]),
        ];
        BankPlay::new().plays(views)[3].expect("both ways were seen")
    };
    let straight = way(&[[100.0, 2500.0], [98.0, 2700.0], [96.0, 2880.0], [95.0, 2960.0]]);
    let unlike = met(straight, rock("red", 95.0, 2960.0));
    assert!(unlike.confidence < sure, "{unlike:?}");
    let alike = met(off_the_bank(), rock("red", 95.0, 3035.0));
    assert!(alike.touched && alike.confidence >= sure, "{alike:?}");
}

/// A rock that has touched no bank is taken away before the next shot (N7).
#[test]
fn a_rock_that_is_left_lying_has_touched_a_bank_by_what_the_players_saw() {
    let sure = UmpireOptions::default().sure;
    let left_lying = |way: Track| {
        let rests = way.last().expect("a way").at;
        let first = rock("red", rests.x, rests.y);
        let views = vec![
            (Vec::new(), Vec::new()),
            (vec![first.clone()], vec![way]),
            (vec![first, rock("yellow", 95.0, 3040.0)], vec![off_the_bank()]),
        ];
        let told = BankPlay::new().plays(views);
        (told[1].expect("its way was seen"), told[2].expect("it lies there"))
    };
    let either = way(&[[320.0, 2463.0], [313.0, 2510.0], [306.0, 2551.0], [301.0, 2585.0]]);
    let (unknown, heard) = left_lying(either);
    assert!(unknown.confidence < sure && heard.touched && heard.confidence >= sure, "{unknown:?} {heard:?}");
    let straight = way(&[[255.0, 2400.0], [255.0, 2500.0], [255.0, 2560.0], [255.0, 2585.0]]);
    let (denied, contradicted) = left_lying(straight);
    assert!(!denied.touched && denied.confidence >= sure, "{denied:?}");
    assert!(contradicted.confidence < sure, "the players saw what the camera did not: {contradicted:?}");
}
