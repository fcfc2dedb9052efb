//! Calls against the geometry of the shipped boards.

use super::*;
use crate::board::BoardSide;

fn board(id: &str) -> Board {
    Board::named_or_at(id).unwrap()
}

fn exact(board: &Board, end: End, kind: &str, x_mm: f64, y_mm: f64) -> Call {
    let sighting = Sighting::exact(kind, Point::new(x_mm, y_mm));
    call(board, end, &sighting, &PaintEdge::as_drawn, &CallOptions::default()).unwrap()
}

fn doubtful(board: &Board, kind: &str, x_mm: f64, y_mm: f64, sigma_mm: f64) -> Call {
    let sighting = Sighting::with_sigma(kind, Point::new(x_mm, y_mm), sigma_mm);
    call(board, End::Far, &sighting, &PaintEdge::as_drawn, &CallOptions::default()).unwrap()
}

fn summary(call: &Call) -> (Option<&str>, PieceState, Option<i32>) {
    (call.area.as_deref(), call.state, call.points)
}

#[test]
fn a_puck_wholly_in_an_area_scores_it_at_either_end() {
    let court = board("carrom-court");
    for (x, y, area, points) in [
        (200.0, 1330.0, "10", 10),
        (160.0, 1450.0, "8-left", 8),
        (240.0, 1450.0, "8-right", 8),
        (150.0, 1600.0, "7-left", 7),
        (290.0, 1600.0, "7-right", 7),
        (200.0, 1765.0, "10-off", -10),
    ] {
        assert_eq!(
            summary(&exact(&court, End::Far, "red", x, y)),
            (Some(area), PieceState::Live, Some(points))
        );
        let near = exact(&court, End::Near, "red", x, 1830.0 - y);
        assert_eq!(summary(&near), (Some(area), PieceState::Live, Some(points)));
    }
}

#[test]
fn a_puck_touching_a_line_names_its_area_and_scores_nothing() {
    let court = board("carrom-court");
    // The paint of cross-8 ends at y = 1542; the rim of a puck at 1557 reaches it exactly.
    let touching = exact(&court, End::Far, "red", 150.0, 1557.0);
    assert_eq!(summary(&touching), (Some("7-left"), PieceState::Live, Some(0)));
    let contact = touching.contact.unwrap();
    assert_eq!(
        (contact.line.as_str(), contact.gap_mm, contact.call),
        ("cross-8", 0.0, ContactCall::Touching)
    );
    let clear = exact(&court, End::Far, "red", 150.0, 1557.01);
    assert_eq!(clear.points, Some(7));
    assert_eq!(clear.contact.unwrap().call, ContactCall::Clear);
}

#[test]
fn a_puck_must_clear_the_foul_line_to_be_live() {
    let court = board("carrom-court");
    for (y, state) in [
        (900.0, PieceState::Dead),
        (1120.0, PieceState::Dead),
        (1137.0, PieceState::Dead),
        (1137.1, PieceState::Live),
    ] {
        let call = exact(&court, End::Far, "blue", 100.0, y);
        assert_eq!(summary(&call), (None, state, Some(0)), "y = {y}");
        assert_eq!(exact(&court, End::Near, "blue", 100.0, 1830.0 - y).state, state);
    }
}

#[test]
fn on_the_long_board_a_touched_line_leaves_the_area_before_it() {
    let long = board("carrom-long-board");
    for (y, area, state, points) in [
        (1347.0, None, PieceState::Dead, 0),
        (1348.0, Some("1"), PieceState::Live, 1),
        (1614.0, Some("1"), PieceState::Live, 1),
        (1646.9, Some("1"), PieceState::Live, 1),
        (1648.0, Some("2"), PieceState::Live, 2),
        (1746.0, Some("2"), PieceState::Live, 2),
        (1748.0, Some("3"), PieceState::Live, 3),
        (1815.0, Some("3"), PieceState::Live, 3),
        (1815.1, Some("hanging"), PieceState::Hanging, 4),
        (1830.0, Some("hanging"), PieceState::Hanging, 4),
        (1830.1, None, PieceState::Off, 0),
    ] {
        let call = exact(&long, End::Far, "red", 200.0, y);
        assert_eq!(summary(&call), (area, state, Some(points)), "y = {y}");
        assert!(call.is_sure());
        assert_eq!(summary(&exact(&long, End::Near, "red", 200.0, 1830.0 - y)), (area, state, Some(points)));
    }
}

#[test]
fn a_close_puck_has_both_outcomes_and_a_distant_one_only_one() {
    let court = board("carrom-court");
    let close = doubtful(&court, "red", 150.0, 1557.1, 0.1);
    assert_eq!(close.contact.as_ref().unwrap().call, ContactCall::TooClose);
    let points: Vec<_> = close.outcomes.iter().map(|o| o.points).collect();
    assert_eq!(points, [Some(7), Some(0)]);
    let total: f64 = close.outcomes.iter().map(|o| o.probability).sum();
    assert!((total - 1.0).abs() < 1e-12);
    assert!((close.outcomes[1].probability - close.contact.unwrap().p_touching).abs() < 1e-12);
    assert!(doubtful(&court, "red", 150.0, 1558.0, 0.1).is_sure());
    // 2.5 sigma would be a call under a normal distribution; the tails here are heavier.
    assert!(!doubtful(&court, "red", 150.0, 1557.25, 0.1).is_sure());
}

#[test]
fn what_is_not_trusted_is_reported_as_wide_as_it_is_called() {
    let options = CallOptions::default();
    let sighting = Sighting::with_sigma("red", Point::new(150.0, 1300.0), 0.05);
    assert!((sighting.sigma_mm(&options) - 0.05).abs() < 1e-12);
    let untrusted = Sighting { trusted: false, ..sighting };
    assert_eq!(untrusted.sigma_mm(&options), options.untrusted_sigma_mm);
    let wider = Sighting { covariance: Matrix2::identity() * 9.0, ..untrusted };
    assert!((wider.sigma_mm(&options) - 3.0).abs() < 1e-12);
}

#[test]
fn an_untrusted_measurement_is_never_a_confident_call_near_a_line() {
    let court = board("carrom-court");
    let at = |y: f64| {
        let sighting = Sighting { trusted: false, ..Sighting::with_sigma("red", Point::new(150.0, y), 0.05) };
        call(&court, End::Far, &sighting, &PaintEdge::as_drawn, &CallOptions::default()).unwrap()
    };
    assert_eq!(at(1560.0).contact.unwrap().call, ContactCall::TooClose);
    assert_eq!(at(1630.0).contact.unwrap().call, ContactCall::Clear);
}

#[test]
fn observed_paint_moves_the_gap_and_adds_its_doubt() {
    let court = board("carrom-court");
    let sighting = Sighting::with_sigma("red", Point::new(150.0, 1558.0), 0.03);
    let paint = |_| PaintEdge { nearer_mm: 1.5, sigma_mm: 0.04, observed: true, ..PaintEdge::default() };
    let contact =
        call(&court, End::Far, &sighting, &paint, &CallOptions::default()).unwrap().contact.unwrap();
    assert!((contact.gap_mm - -0.5).abs() < 1e-9);
    assert!((contact.sigma_mm - 0.05).abs() < 1e-9);
    assert_eq!(contact.call, ContactCall::Touching);
}

#[test]
fn a_surely_touched_line_decides_over_a_doubtful_one() {
    let court = board("carrom-court");
    let cross = court.lines.iter().position(|l| l.name == "cross-8").unwrap();
    // Over the centre line for certain, and near a cross line whose paint was hardly seen.
    let sighting = Sighting::with_sigma("red", Point::new(190.0, 1557.0), 0.05);
    let paint = |line| match line == cross {
        true => PaintEdge { nearer_mm: 8.0, sigma_mm: 10.0, observed: true, ..PaintEdge::default() },
        false => PaintEdge::default(),
    };
    let call = call(&court, End::Far, &sighting, &paint, &CallOptions::default()).unwrap();
    assert_eq!(call.contact.unwrap().line, "centre");
    assert_eq!(call.outcomes.len(), 1);
}

#[test]
fn a_hanger_in_doubt_is_a_three_or_a_four() {
    let long = board("carrom-long-board");
    let call = doubtful(&long, "blue", 200.0, 1815.05, 0.1);
    assert_eq!(call.overhang.unwrap().call, ContactCall::TooClose);
    let points: Vec<_> = call.outcomes.iter().map(|o| o.points).collect();
    assert_eq!(points, [Some(4), Some(3)]);
}

#[test]
fn a_piece_over_a_pocket_is_off_and_one_on_another_is_not_called() {
    let icf = board("carrom-icf");
    assert_eq!(exact(&icf, End::Far, "white", 22.0, 30.0).state, PieceState::Off);
    assert_eq!(exact(&icf, End::Far, "white", 80.0, 80.0).state, PieceState::Live);
    assert_eq!(exact(&icf, End::Far, "white", 370.0, 370.0).points, None);
    let sighting = Sighting { stacked: true, ..Sighting::exact("white", Point::new(370.0, 370.0)) };
    let call = call(&icf, End::Far, &sighting, &PaintEdge::as_drawn, &CallOptions::default()).unwrap();
    assert_eq!((call.state, call.points), (PieceState::Stacked, None));
}

/// Something shows under a puck that may be another one: it lies in its area, or it scores nothing.
#[test]
fn a_puck_that_may_lie_on_another_may_score_nothing() {
    let court = board("carrom-court");
    let options = CallOptions::default();
    let sighting = Sighting { may_be_stacked: true, ..Sighting::exact("red", Point::new(200.0, 1300.0)) };
    let call = call(&court, End::Far, &sighting, &PaintEdge::as_drawn, &options).unwrap();
    let states: Vec<_> = call.outcomes.iter().map(|o| (o.state, o.points, o.probability)).collect();
    let on_another = options.on_another;
    assert_eq!(
        states,
        [(PieceState::Live, Some(10), 1.0 - on_another), (PieceState::Stacked, None, on_another)]
    );
}

#[test]
fn an_unknown_kind_is_not_called() {
    let court = board("carrom-court");
    let sighting = Sighting::exact("green", Point::new(0.0, 0.0));
    assert!(call(&court, End::Far, &sighting, &PaintEdge::as_drawn, &CallOptions::default()).is_none());
}

#[test]
fn k2_the_striker_is_on_both_lines_on_a_circle_cutting_a_moon_or_off() {
    let icf = board("carrom-icf");
    let at = |x: f64, y: f64, sigma_mm: f64| {
        let sighting = Sighting::with_sigma("striker", Point::new(x, y), sigma_mm);
        striker_placement(&icf, &sighting, &PaintEdge::as_drawn, &CallOptions::default()).unwrap()
    };
    let far = Some(BoardSide::Far);
    let cases = [
        // The striker reaches 20.65; the rear paint begins 635.5 and the front paint ends 607.7.
        (370.0, 624.0, Placement::BothLines, far),
        (370.0, 628.34, Placement::BothLines, far),
        (370.0, 628.36, Placement::OffLine, far),
        (370.0, 614.84, Placement::OffLine, far),
        // The moon (589.1, 622.6) has an outer radius of 16.9: covered within 3.75, cut within 37.55.
        (589.1, 622.6, Placement::Circle, far),
        (592.84, 622.6, Placement::Circle, far),
        (592.86, 622.6, Placement::CutsMoon, far),
        (551.56, 622.6, Placement::CutsMoon, far),
        (551.54, 622.6, Placement::BothLines, far),
    ];
    for (x, y, placement, base) in cases {
        let call = at(x, y, 0.0);
        assert_eq!((call.placement, call.base, call.sure), (placement, base, true), "{x}, {y}");
    }
    assert!(!at(551.56, 622.6, 0.1).sure);
    assert!(at(370.0, 624.0, 0.1).sure);
}

#[test]
fn the_farther_puck_leads_unless_it_is_too_close() {
    let at = |y: f64, sigma_mm: f64| Sighting::with_sigma("red", Point::new(100.0, y), sigma_mm);
    let options = CallOptions::default();
    let order = |a, b, end| farther(end, &a, &b, &options).call;
    assert_eq!(order(at(1701.0, 0.0), at(1700.0, 0.0), End::Far), OrderCall::First);
    assert_eq!(order(at(1701.0, 0.0), at(1700.0, 0.0), End::Near), OrderCall::Second);
    assert_eq!(order(at(1700.0, 0.0), at(1700.0, 0.0), End::Far), OrderCall::Equal);
    assert_eq!(order(at(1700.2, 0.1), at(1700.0, 0.1), End::Far), OrderCall::TooClose);
    let close = farther(End::Far, &at(1700.2, 0.1), &at(1700.0, 0.1), &options);
    assert!(close.p_first > 0.8 && close.p_first < 0.95);
}

#[test]
fn c1_the_lag_goes_to_the_puck_nearer_the_farthest_foul_line() {
    let court = board("carrom-court");
    let at = |y: f64, sigma_mm: f64| Sighting::with_sigma("red", Point::new(100.0, y), sigma_mm);
    let lag = |a: Sighting, b: Sighting| {
        lag(&court, End::Far, &a, &b, &|_, _| PaintEdge::default(), &CallOptions::default()).unwrap()
    };
    let short_and_past = lag(at(1090.0, 0.0), at(1160.0, 0.0));
    assert_eq!((short_and_past.first_mm, short_and_past.second_mm), (13.0, 23.0));
    assert_eq!(short_and_past.order.call, OrderCall::First);
    // Both touch: the centre nearer the line's middle wins.
    let both = lag(at(1110.0, 0.0), at(1125.0, 0.0));
    assert_eq!((both.first_mm, both.second_mm), (0.0, 0.0));
    assert_eq!(both.order.call, OrderCall::Second);
    assert_eq!(lag(at(1100.0, 0.0), at(1140.0, 0.0)).order.call, OrderCall::Equal);
    assert_eq!(lag(at(1100.0, 0.1), at(1140.1, 0.1)).order.call, OrderCall::TooClose);
}

/// The rules skip what is plainly cleared; that must not change what they find.
#[test]
fn an_outlook_is_what_the_whole_call_leaves_open() {
    let options = CallOptions::default();
    for id in ["carrom-court", "carrom-long-board", "association-table", "carrom-icf"] {
        let board = board(id);
        let kind = &board.pieces[0];
        let [wide, long] = [board.surface.width_mm, board.surface.length_mm];
        let steps = 60;
        let places = (0..steps * steps).map(|index| {
            let share = |step: usize| f64::from(step as u32) / f64::from(steps as u32 - 1);
            Point::new(wide * share(index % steps), long * share(index / steps))
        });
        for (index, at) in places.enumerate() {
            let sigma_mm = [0.0, 0.05, 0.3, 1.5, 8.0][index % 5];
            let sighting = Sighting::with_sigma(&kind.name, at, sigma_mm);
            let whole = call(&board, End::Far, &sighting, &PaintEdge::as_drawn, &options).unwrap();
            let lying = Lying::with_sigma(at, sigma_mm);
            let found = outlook(&board, End::Far, &lying, kind.radius_mm(), &options, &mut Vec::new());
            let found: Vec<Outcome> = found.outcomes.iter().map(Outcome::from).collect();
            assert_eq!(found, whole.outcomes, "{id} at {at} ± {sigma_mm}");
        }
    }
}
