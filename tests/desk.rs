//! The desk: proposals, people, rules and the ledger at one table.

use linecall::{
    board::{Board, BoardFile},
    desk::{
        Correction, Desk, DeskError, DeskOptions, Judgement, Policy, Proposal, Taken, frame_event, history,
        match_file, record_of,
    },
    ledger::{Author, CallId, CameraMoved, Doubtful, Ledger, Note, Ruling, ViewEvidence},
    rules::{Event, Record, Recorded, match_file as file, report},
};
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::ledger::{COURT, FRAME, close_calls, event, options, scored};

/// A desk with a court match between Ann (red) and Bo (blue).
fn court(policy: Policy) -> (TempDir, Desk) {
    let folder = tempfile::tempdir().unwrap();
    let desk = Desk::open(&folder.path().join("a.ledger"), options(policy)).unwrap();
    desk.new_match(event(COURT), Author::referee("Cy"), None).unwrap();
    (folder, desk)
}

fn reopened(folder: &TempDir, desk: Desk) -> Desk {
    drop(desk);
    Desk::open(&folder.path().join("a.ledger"), options(Policy::Doubts)).unwrap()
}

fn scores(desk: &Desk) -> Value {
    desk.state().standing.as_ref().unwrap()["scores"].clone()
}

fn frame(red: &str, blue: &str) -> Event {
    event(&FRAME.replace("\"10\"", &format!("{red:?}")).replace("\"7-left\"", &format!("{blue:?}")))
}

fn sure(event: Event) -> Proposal {
    Proposal { event, evidence: None, confidence: 1.0, doubts: Vec::new() }
}

fn unsure(event: Event) -> Proposal {
    let doubt =
        Doubtful { about: "cross-10".into(), probability: 0.2, piece: Some(1), ..Doubtful::default() };
    Proposal { event, evidence: None, confidence: 0.8, doubts: vec![doubt] }
}

/// The state without what counts changes since the desk was opened.
fn lasting(desk: &Desk) -> Value {
    let mut state = serde_json::to_value(&*desk.state()).unwrap();
    state["tick"] = Value::Null;
    state["policy"] = Value::Null;
    state
}

#[test]
fn what_is_sure_counts_at_once_and_what_is_not_is_asked() {
    let (folder, desk) = court(Policy::Doubts);
    assert_eq!(desk.propose(sure(frame("10", "7-left"))).unwrap(), Taken::Recorded { number: 1 });
    assert_eq!(scores(&desk), json!({"Ann": 10, "Bo": 7}));
    let Taken::Asked { id, why } = desk.propose(unsure(frame("8-left", "8-right"))).unwrap() else {
        panic!("it was not asked")
    };
    assert!(why.contains("piece 1, cross-10"), "{why}");
    assert_eq!(scores(&desk), json!({"Ann": 10, "Bo": 7}), "an open proposal does not count");
    let before = lasting(&desk);

    // Open proposals survive.
    let desk = reopened(&folder, desk);
    assert_eq!(lasting(&desk), before);
    assert_eq!(desk.state().pending[0].id, id);
    assert_eq!(desk.confirm(id, None, "Cy", Some(desk.revision())).unwrap(), 2);
    assert_eq!(scores(&desk), json!({"Ann": 18, "Bo": 15}));
    let again = desk.confirm(id, None, "Di", None).unwrap_err().to_string();
    assert!(again.contains("it was confirmed by referee Cy"), "{again}");
}

#[test]
fn a_person_corrects_or_rejects() {
    let (_folder, desk) = court(Policy::Everything);
    let asked = |event| match desk.propose(sure(event)).unwrap() {
        Taken::Asked { id, .. } => id,
        Taken::Recorded { .. } => panic!("everything is asked"),
    };
    let id = asked(frame("10", "7-left"));
    let correction = Correction { event: frame("10-off", "7-left"), why: Some("it lies beyond".into()) };
    desk.confirm(id, Some(correction), "Cy", None).unwrap();
    assert_eq!(scores(&desk), json!({"Ann": -10, "Bo": 7}));
    let id = asked(frame("10", "10"));
    desk.reject(id, "Cy", Some("a hand"), None).unwrap();
    assert_eq!(scores(&desk), json!({"Ann": -10, "Bo": 7}));
    assert!(desk.state().pending.is_empty());
    assert!(matches!(desk.confirm(asked(frame("10", "10")), None, " ", None), Err(DeskError::NoName)));
}

#[test]
fn events_count_in_the_order_in_which_they_happened() {
    let (_folder, desk) = court(Policy::Doubts);
    let Taken::Asked { id: first, .. } = desk.propose(unsure(frame("10", "10"))).unwrap() else { panic!() };
    let Taken::Asked { id: second, why } = desk.propose(sure(frame("8-left", "8-left"))).unwrap() else {
        panic!("it must wait")
    };
    assert!(why.contains("earlier proposal"), "{why}");
    assert!(
        matches!(desk.confirm(second, None, "Cy", None), Err(DeskError::OutOfOrder { first: id }) if id == first)
    );
    // Once the first is decided, what only waited counts by itself.
    desk.reject(first, "Cy", None, None).unwrap();
    assert_eq!(scores(&desk), json!({"Ann": 8, "Bo": 8}));
    assert!(desk.state().pending.is_empty());
}

#[test]
fn what_the_rules_refuse_is_put_to_a_person_or_noted() {
    let five_reds = json!({"type": "frame", "pieces": vec![json!({"colour": "red", "area": "10"}); 5]});
    let five_reds = event(&five_reds.to_string());
    let (_folder, desk) = court(Policy::Doubts);
    let Taken::Asked { why, id } = desk.propose(sure(five_reds.clone())).unwrap() else { panic!() };
    assert!(why.contains("the rules do not allow it: 5 red pieces"), "{why}");
    assert!(desk.confirm(id, None, "Cy", None).unwrap_err().to_string().contains("5 red pieces"));
    let fewer = Correction { event: frame("10", "10"), why: None };
    assert_eq!(desk.confirm(id, Some(fewer), "Cy", None).unwrap(), 1);

    let (_folder, desk) = court(Policy::Never);
    assert!(matches!(desk.propose(sure(five_reds)), Err(DeskError::Refused(_))));
    assert!(desk.state().pending.is_empty());
    assert!(desk.state().notes[0].text.contains("was seen and not recorded"), "{:?}", desk.state().notes);
}

#[test]
fn without_a_match_nothing_is_recorded() {
    let folder = tempfile::tempdir().unwrap();
    let desk = Desk::open(&folder.path().join("a.ledger"), options(Policy::Doubts)).unwrap();
    assert!(matches!(desk.propose(sure(frame("10", "10"))), Err(DeskError::NoMatch)));
    assert!(matches!(desk.undo(None, "Cy", None, None), Err(DeskError::NoMatch)));
    assert!(desk.state().standing.is_none() && desk.revision() == 0);
}

#[test]
fn two_referees_do_not_lose_each_others_changes() {
    let (_folder, desk) = court(Policy::Doubts);
    let seen = desk.revision();
    desk.append(frame("10", "7-left"), Author::referee("Cy"), Some(seen)).unwrap();
    let stale = desk.append(frame("10", "7-left"), Author::referee("Di"), Some(seen)).unwrap_err();
    let words = stale.to_string();
    assert!(words.contains("referee Cy recorded event 1, frame"), "{words}");
    let DeskError::Stale { now, since, .. } = stale else { panic!("{words}") };
    assert_eq!((now, since.len()), (desk.revision(), 1));
    assert_eq!(scores(&desk), json!({"Ann": 10, "Bo": 7}), "nothing was recorded twice");
    // A note in between is no reason to refuse.
    let seen = desk.revision();
    let note = Note { about: "remark".into(), text: "a dog".into(), confidence: None };
    desk.note(note, Author::Vision, None).unwrap();
    assert!(desk.undo(None, "Di", None, Some(seen)).is_ok());
}

#[test]
fn many_hands_at_once_leave_one_history() {
    let (folder, desk) = court(Policy::Never);
    std::thread::scope(|scope| {
        for referee in ["Cy", "Di", "Ed"] {
            let desk = desk.clone();
            scope.spawn(move || {
                let mut done = 0;
                while done < 5 {
                    let seen = desk.revision();
                    match desk.append(frame("10", "7-left"), Author::referee(referee), Some(seen)) {
                        Ok(_) => done += 1,
                        Err(DeskError::Stale { .. }) => {}
                        Err(other) => panic!("{other}"),
                    }
                }
            });
        }
    });
    let state = lasting(&desk);
    assert_eq!(state["match"]["events"], 16);
    assert_eq!(lasting(&reopened(&folder, desk)), state);
}

#[test]
fn changes_are_told_to_threads_and_to_async_code() {
    let (_folder, desk) = court(Policy::Doubts);
    let mut listener = desk.subscribe();
    let thread = {
        let mut listener = desk.subscribe();
        std::thread::spawn(move || listener.blocking_recv().unwrap())
    };
    desk.append(frame("10", "10"), Author::Vision, None).unwrap();
    let told = thread.join().unwrap();
    assert_eq!((told.revision, told.recorded), (desk.revision(), true));
    let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
    assert_eq!(runtime.block_on(listener.recv()).unwrap(), told);
    desk.show_status(json!({"moving": true}));
    let shown = runtime.block_on(listener.recv()).unwrap();
    assert_eq!((shown.revision, shown.recorded), (told.revision, false));
    assert_eq!(desk.state().camera, Some(json!({"moving": true})));
    // What is refused is not told.
    assert!(desk.undo(Some(9), "Cy", None, None).is_err());
    assert!(listener.try_recv().is_err());
}

#[test]
fn a_frame_event_has_the_tally_of_its_photo() {
    let photos = [
        ("court-close-calls/001.jpg", "carrom-court"),
        ("court-overhead/001.jpg", "carrom-court"),
        ("association-overhead/002.jpg", "association-table"),
        ("longboard-overhead/001.jpg", "carrom-long-board"),
    ];
    for (photo, board) in photos {
        let evidence = scored(photo, board);
        let (first, second) = (&evidence.report.tally.0[0], &evidence.report.tally.0[1]);
        let header = json!({"type": "match", "game": evidence.report.game,
            "sides": [{"name": "Ann", "colour": first.0}, {"name": "Bo", "colour": second.0}]});
        let folder = tempfile::tempdir().unwrap();
        let desk = Desk::open(&folder.path().join("a.ledger"), options(Policy::Never)).unwrap();
        desk.new_match(event(&header.to_string()), Author::Program, None).unwrap();
        let event = desk.frame_event(&evidence.report).unwrap();
        desk.append_with_view(event, Author::Vision, evidence.clone(), None).unwrap();
        let state = desk.state();
        let own = &state.last.as_ref().unwrap().frame["scores"];
        assert_eq!(*own, json!({"Ann": first.1, "Bo": second.1}), "{photo}");
        assert_eq!(state.lying.as_ref().unwrap().pieces, evidence.report.pieces);
    }
}

/// Moves the stored paint: vision saw a line elsewhere than it is drawn, and the piece off it.
#[test]
fn what_vision_called_counts_though_the_drawing_says_otherwise() {
    let mut evidence = close_calls();
    let board = Board::named_or_at("carrom-court").unwrap();
    let (_folder, desk) = court(Policy::Never);
    let piece = &mut evidence.report.pieces[0];
    // In the drawing it lies across the line between 10 and 8-left.
    let line = board.lines.iter().find(|line| line.name == "cross-10").unwrap();
    let at = line.paint.nearest_on_middle(linecall::geometry::Point::new(200.0, 1400.0));
    (piece.x_mm, piece.y_mm, piece.sigma_mm) = (at.x, at.y, 0.05);
    piece.area = Some("10".into());
    piece.state = linecall::calls::PieceState::Live;
    let contact = piece.contact.as_mut().unwrap();
    (contact.gap_mm, contact.sigma_mm, contact.p_touching) = (0.9, 0.1, 0.0);
    contact.call = linecall::calls::ContactCall::Clear;
    let Event::Frame(frame) = desk.frame_event(&evidence.report).unwrap() else { panic!() };
    assert_eq!((frame.pieces[0].x_mm, &frame.pieces[0].area), (None, &Some(Some("10".to_owned()))));
}

/// A ledger whose event 1 rests on the photo with close calls.
fn with_close_calls() -> (TempDir, Desk, ViewEvidence) {
    let (folder, desk) = court(Policy::Never);
    let evidence = close_calls();
    let event = desk.frame_event(&evidence.report).unwrap();
    desk.append_with_view(event, Author::Vision, evidence.clone(), None).unwrap();
    (folder, desk, evidence)
}

#[test]
fn a_verdict_moves_the_score_and_leaves_its_trail() {
    let (folder, desk, evidence) = with_close_calls();
    let calls = desk.calls().unwrap();
    assert_eq!(calls.len(), evidence.report.pieces.len());
    let scoring = calls.iter().find(|call| call.contact.is_some() && call.points != Some(0)).unwrap();
    let (id, before) = (scoring.id, scores(&desk));
    assert_eq!(
        desk.verdict(
            id,
            Judgement { why: Some("looked at it"), ..Judgement::new(Ruling::Upheld, "Cy") },
            None
        )
        .unwrap(),
        None
    );
    assert_eq!(scores(&desk), before);

    let event = desk
        .verdict(
            id,
            Judgement { why: Some("paint under the rim"), ..Judgement::new(Ruling::Overruled, "Cy") },
            None,
        )
        .unwrap();
    assert_eq!(event, Some(2));
    let side = scoring.side.clone().unwrap();
    let points = i64::from(scoring.points.unwrap());
    assert_eq!(scores(&desk)[&side], before[&side].as_i64().unwrap() - points);
    let call = desk.calls().unwrap().into_iter().find(|call| call.id == id).unwrap();
    let verdict = call.verdict.unwrap();
    assert_eq!(
        (verdict.ruling, verdict.by.as_str(), verdict.carried_out_by),
        (Ruling::Overruled, "Cy", event)
    );
    assert!(call.overruled && !call.undone);

    // The other way round again: what touches by ruling is clear by the next.
    desk.undo(event, "Di", Some("it was clear after all"), None).unwrap();
    assert_eq!(scores(&desk), before);
    desk.verdict(id, Judgement::new(Ruling::Replay, "Di"), None).unwrap();
    assert_eq!(scores(&desk), json!({"Ann": 0, "Bo": 0}));
    assert!(desk.calls().unwrap().iter().all(|call| call.undone));
    let state = lasting(&desk);
    let desk = reopened(&folder, desk);
    assert_eq!(lasting(&desk), state);

    let lines = desk.with_ledger(|ledger| history(&ledger.entries().unwrap(), None));
    let told: Vec<&str> = lines.iter().map(|line| line.what.as_str()).collect();
    for words in [
        "overruled, by event 2: paint under the rim",
        "undoes event 2: it was clear after all",
        "replay, by event 4",
    ] {
        assert!(told.iter().any(|line| line.contains(words)), "{words} is not in {told:#?}");
    }
}

#[test]
fn every_close_call_can_be_overruled() {
    let (_folder, desk, evidence) = with_close_calls();
    let before = scores(&desk);
    for piece in &evidence.report.pieces {
        let id = CallId { match_number: 1, event: 1, piece: piece.id };
        let number = desk.verdict(id, Judgement::new(Ruling::Overruled, "Cy"), None).unwrap();
        desk.undo(number, "Cy", None, None).unwrap();
        assert_eq!(scores(&desk), before);
    }
    for (event, piece) in [(1, 99), (7, 1), (0, 1)] {
        let id = CallId { match_number: 1, event, piece };
        let refused = desk.verdict(id, Judgement::new(Ruling::Upheld, "Cy"), None).unwrap_err();
        assert!(matches!(refused, DeskError::NoSuchCall { .. }), "{refused}");
    }
}

/// A leader's line call on the long board: the area alone would leave the order open (L3).
#[test]
fn a_long_board_call_is_overruled_with_its_order_kept() {
    let folder = tempfile::tempdir().unwrap();
    let desk = Desk::open(&folder.path().join("a.ledger"), options(Policy::Never)).unwrap();
    let header = COURT.replace("court", "long-board");
    desk.new_match(event(&header), Author::Program, None).unwrap();
    let board = Board::named_or_at("carrom-long-board").unwrap();
    let area = board.areas_at(Default::default()).find(|area| area.name == "3").unwrap();
    let name = area.clears.clone().unwrap();
    let line = board.lines_at(Default::default()).find(|line| line.name == name).unwrap();
    let y = line.paint.nearest_on_middle(linecall::geometry::Point::new(200.0, 0.0)).y;
    let clear = y + line.paint.width_mm() / 2.0 + board.pieces[0].radius_mm() + 0.1;
    let frame = json!({"type": "frame", "pieces": [
        {"colour": "red", "x_mm": 150.0, "y_mm": clear, "sigma_mm": 0.1},
        {"colour": "blue", "x_mm": 250.0, "y_mm": clear - 2.0, "sigma_mm": 0.1}]});
    desk.append(event(&frame.to_string()), Author::Vision, None).unwrap();
    assert_eq!(scores(&desk), json!({"Ann": 3, "Bo": 0}));
    let id = CallId { match_number: 1, event: 1, piece: 1 };
    let close = desk.calls().unwrap();
    assert!(close[0].close && close[0].id == id, "{close:#?}");
    desk.verdict(id, Judgement::new(Ruling::Overruled, "Cy"), None).unwrap();
    assert_eq!(scores(&desk), json!({"Ann": 2, "Bo": 0}));
}

/// Two leaders so near to each other that their order is in doubt: the verdict turns it (L3).
#[test]
fn an_order_is_overruled_without_an_event_in_full() {
    let folder = tempfile::tempdir().unwrap();
    let desk = Desk::open(&folder.path().join("a.ledger"), options(Policy::Never)).unwrap();
    desk.new_match(event(&COURT.replace("court", "long-board")), Author::Program, None).unwrap();
    let frame = json!({"type": "frame", "pieces": [
        {"colour": "red", "x_mm": 150.0, "y_mm": 1700.15, "sigma_mm": 0.1},
        {"colour": "blue", "x_mm": 250.0, "y_mm": 1700.0, "sigma_mm": 0.1}]});
    desk.append(event(&frame.to_string()), Author::Vision, None).unwrap();
    let before = scores(&desk);
    assert!(before["Ann"].as_i64() > before["Bo"].as_i64(), "red leads: {before}");
    let calls = desk.calls().unwrap();
    let ordered = calls.iter().find(|call| call.doubts.iter().any(|doubt| doubt.about == "order"));
    let id = ordered.unwrap_or_else(|| panic!("{calls:#?}")).id;
    let about = Judgement { about: Some("order"), ..Judgement::new(Ruling::Overruled, "Cy") };
    let carried_out = desk.verdict(id, about, None).unwrap();
    let after = scores(&desk);
    assert_eq!((after["Ann"].clone(), after["Bo"].clone()), (before["Bo"].clone(), before["Ann"].clone()));
    // What was ruled is not asked again.
    let standing = desk.with_record(|record| record.standing(1).cloned()).flatten().unwrap();
    let Event::Frame(ruled) = standing else { panic!("{standing:?}") };
    assert!(ruled.pieces.iter().all(|piece| piece.sigma_mm.is_none()), "{ruled:?}");
    desk.undo(carried_out, "Cy", None, None).unwrap();
    // Nobody said what about: the order is its likeliest doubt.
    desk.verdict(id, Judgement::new(Ruling::Overruled, "Cy"), None).unwrap();
    assert_eq!(scores(&desk), after);
    let far = Judgement { about: Some("placement"), ..Judgement::new(Ruling::Overruled, "Cy") };
    assert!(matches!(desk.verdict(id, far, None), Err(DeskError::NeedsCorrection { .. })));
}

/// A puck that was taken for the other side's: the verdict gives it to who played it.
#[test]
fn a_colour_is_overruled_without_an_event_in_full() {
    let (_folder, desk) = court(Policy::Never);
    let pieces = json!([{"colour": "red", "x_mm": 200.0, "y_mm": 1310.0, "sigma_mm": 0.1},
        {"colour": "blue", "x_mm": 120.0, "y_mm": 1640.0, "sigma_mm": 0.1}]);
    desk.append(event(&json!({"type": "frame", "pieces": pieces}).to_string()), Author::Vision, None)
        .unwrap();
    assert_eq!(scores(&desk), json!({"Ann": 10, "Bo": 7}));
    let id = CallId { match_number: 1, event: 1, piece: 1 };
    let about = |kind| Judgement { about: Some(kind), ..Judgement::new(Ruling::Overruled, "Cy") };
    let unknown = desk.verdict(id, about("colour pink"), None).unwrap_err();
    assert!(matches!(unknown, DeskError::NeedsCorrection { .. }), "{unknown}");
    desk.verdict(id, about("colour blue"), None).unwrap();
    assert_eq!(scores(&desk), json!({"Ann": 0, "Bo": 17}));
}

/// Colours are chosen anew for the second game: the first game's calls stay whose they were.
#[test]
fn a_calls_side_is_the_one_that_played_the_colour_then() {
    let (_folder, desk) = court(Policy::Never);
    let game = json!({"type": "frame", "pieces": vec![json!({"colour": "red", "area": "10"}); 4]});
    let target = desk.with_record(|record| record.state().setup().options.target).unwrap();
    for _ in 0..(target as usize).div_ceil(40) {
        desk.append(event(&game.to_string()), Author::referee("Cy"), None).unwrap();
    }
    let lag = json!({"type": "lag", "first": "Ann", "second": "Bo", "moved": true});
    desk.append(event(&lag.to_string()), Author::referee("Cy"), None).unwrap();
    let choose = json!({"type": "choose", "side": "Ann", "colour": "blue"});
    desk.append(event(&choose.to_string()), Author::referee("Cy"), None).unwrap();
    let last = desk.append(event(&game.to_string()), Author::referee("Cy"), None).unwrap();
    let calls = desk.calls().unwrap();
    for call in &calls {
        let expected = if call.event == last { "Bo" } else { "Ann" };
        assert_eq!((call.colour.as_str(), call.side.as_deref()), ("red", Some(expected)), "{call:?}");
    }
    assert!(calls.iter().any(|call| call.event == last) && calls.iter().any(|call| call.event == 1));
}

#[test]
fn calls_made_with_a_moved_camera_are_marked() {
    let (_folder, desk, _) = with_close_calls();
    let moved = CameraMoved { moved_px: Some(2.1), last_good_seq: 2, registered_again: true, set_up: false };
    desk.camera_moved(moved).unwrap();
    assert!(desk.calls().unwrap().iter().all(|call| call.camera_moved));
    desk.append_with_view(frame("10", "10"), Author::Vision, close_calls(), None).unwrap();
    let calls = desk.calls().unwrap();
    assert!(calls.iter().all(|call| call.camera_moved == (call.event == 1)));
}

#[test]
fn a_second_match_begins_in_the_same_ledger() {
    let (folder, desk, _) = with_close_calls();
    desk.propose(unsure(frame("10", "10"))).unwrap();
    desk.new_match(
        event(
            &COURT
                .replace("court", "kagw")
                .replace("red", "white")
                .replace("blue", "black")
                .replace("99", "3"),
        ),
        Author::referee("Cy"),
        None,
    )
    .unwrap();
    assert_eq!(scores(&desk), json!({"Ann": 0, "Bo": 0}));
    desk.append(event(r#"{"type":"strike","pocketed":["white"]}"#), Author::Vision, None).unwrap();
    let state = lasting(&desk);
    assert_eq!((state["match"]["number"].clone(), state["match"]["game"].clone()), (json!(2), json!("kagw")));
    let desk = reopened(&folder, desk);
    assert_eq!(lasting(&desk), state);
    // The first match is still there, and its calls keep their names.
    let ledger = Ledger::read(&folder.path().join("a.ledger")).unwrap();
    let calls = linecall::desk::call_summaries(&ledger, &ledger.entries().expect("whole"), 1).unwrap();
    assert!(calls.iter().any(|call| call.id.to_string() == "1.1"));
    let late = desk.verdict(calls[0].id, Judgement::new(Ruling::Upheld, "Cy"), None).unwrap_err().to_string();
    assert!(late.contains("match 2 is the one that is played"), "{late}");
}

#[test]
fn a_board_file_of_ones_own_is_kept_with_the_match() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.ledger");
    let mut file = BoardFile::named_or_at("carrom-court").unwrap();
    file = BoardFile { name: "club.toml".into(), text: file.text.replace("value = 10\n", "value = 11\n") };
    assert!(file.text.contains("value = 11"));
    let with_board = DeskOptions { board: Some(file), ..options(Policy::Never) };
    let desk = Desk::open(&path, with_board).unwrap();
    desk.new_match(event(COURT), Author::Program, None).unwrap();
    desk.append(frame("10", "7-left"), Author::Vision, None).unwrap();
    assert_eq!(scores(&desk), json!({"Ann": 11, "Bo": 7}));
    // Without the file at hand, years later.
    let desk = reopened(&folder, desk);
    assert_eq!(scores(&desk), json!({"Ann": 11, "Bo": 7}));
}

/// Every fixture match through a desk: the state, the export and every score ever shown are those
/// of the match file.
#[test]
fn matches_come_out_of_the_ledger_as_they_went_in() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/matches");
    let mut matches = 0;
    for path in std::fs::read_dir(folder).unwrap().map(|file| file.unwrap().path()) {
        if path.extension().is_none_or(|ending| ending != "jsonl") {
            continue;
        }
        matches += 1;
        let bytes = std::fs::read(&path).unwrap();
        let expected = file::play(&bytes, None).unwrap();
        let out = tempfile::tempdir().unwrap();
        let desk = Desk::open(&out.path().join("a.ledger"), options(Policy::Never)).unwrap();
        for recorded in expected.events() {
            desk.append(recorded.event.clone(), Author::referee("Cy"), None).unwrap();
        }
        let state = desk.state();
        assert_eq!(*state.standing.as_ref().unwrap(), report::json(&expected), "{}", path.display());
        let ledger = Ledger::read(&out.path().join("a.ledger")).unwrap();
        let entries = ledger.entries().unwrap();
        let record = record_of(&ledger, &entries, 1).unwrap();
        let exported = match_file(&record).unwrap();
        assert_eq!(report::json(&file::play(exported.as_bytes(), None).unwrap()), report::json(&expected));

        let mut so_far: Vec<Recorded> = Vec::new();
        for entry in &entries {
            let Some((number, event)) = entry.event() else { continue };
            so_far.push(Recorded { number, event: event.clone() });
            let then = report::json(&Record::restore(so_far.clone(), None).unwrap());
            let shown = entry.shown.as_ref().unwrap();
            assert_eq!((&shown.scores, &shown.games), (&then["scores"], &then["games"]), "event {number}");
        }
    }
    assert!(matches >= 10);
}

#[test]
fn a_report_is_the_same_after_json() {
    let report = close_calls().report;
    let text = serde_json::to_string(&report).unwrap();
    let read: linecall::score::PhotoReport = serde_json::from_str(&text).unwrap();
    assert_eq!(read, report);
    assert_eq!(serde_json::to_string(&read).unwrap(), text);
}

#[test]
fn the_free_function_and_the_desk_make_the_same_frame() {
    let (_folder, desk, evidence) = with_close_calls();
    let record = file::play(COURT.as_bytes(), None).unwrap();
    let game = record.state();
    let free = frame_event(&evidence.report, game.setup(), game.colours());
    assert_eq!(desk.frame_event(&evidence.report).unwrap(), Event::Frame(free));
}

/// A question that nobody answers derails nothing: every match answered at once, and in one go at its end,
/// gives the same record; and what the rules expect meanwhile is the same.
#[test]
fn a_match_that_is_answered_in_one_go_is_the_one_that_was_answered_at_once() {
    let matches =
        ["court-singles", "long-board-singles", "association-bank", "kagw-singles", "ludington-singles"];
    for name in matches {
        let path = format!("{}/fixtures/matches/{name}.jsonl", env!("CARGO_MANIFEST_DIR"));
        let text = std::fs::read_to_string(path).unwrap();
        let mut lines = text.lines().filter(|line| !line.trim().is_empty()).map(event);
        let header = lines.next().unwrap();
        let by_people =
            |event: &Event| matches!(event, Event::Undo(_) | Event::Overrule(_) | Event::Forgotten(_));
        let seen: Vec<Event> = lines.take_while(|event| !by_people(event)).collect();
        assert!(seen.len() > 4, "{name}: {}", seen.len());
        let opened = |folder: &TempDir| {
            let desk = Desk::open(&folder.path().join("a.ledger"), options(Policy::Doubts)).unwrap();
            desk.new_match(header.clone(), Author::Program, None).unwrap();
            desk
        };
        let (one, other) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let (at_once, late) = (opened(&one), opened(&other));
        for (index, event) in seen.iter().enumerate() {
            // Only the first one is in doubt; those after it wait for it.
            let propose = |event: Event| if index == 0 { unsure(event) } else { sure(event) };
            if let Taken::Asked { id, .. } = at_once.propose(propose(event.clone())).unwrap() {
                at_once.confirm(id, None, "Cy", None).unwrap();
            }
            let Taken::Asked { why, .. } = late.propose(propose(event.clone())).unwrap() else {
                panic!("{name}: event {index} counts before the first one")
            };
            assert!(!why.contains("do not allow"), "{name}, event {index}: {why}");
            let (now, then) = (at_once.game().unwrap(), late.provisional_game().unwrap());
            assert_eq!(now.to_play(), then.to_play(), "{name} after event {index}");
            assert_eq!(now.next_on_board(), then.next_on_board(), "{name} after event {index}");
            assert_eq!(late.state().provisional, at_once.state().standing, "{name} after event {index}");
        }
        let first = late.state().pending[0].id;
        late.confirm(first, None, "Cy", None).unwrap();
        assert!(late.state().pending.is_empty(), "{name}: {:?}", late.state().pending);
        assert_eq!(late.state().standing, at_once.state().standing, "{name}");
        assert_eq!(late.state().provisional, None);
    }
}
