//! The ledger: nothing that was shown as recorded is lost, and nothing that was changed goes unnoticed.

mod crash;
mod damage;
mod disk;
mod tampering;

use std::{
    path::{Path, PathBuf},
    sync::{Arc, OnceLock},
};

use jiff::Timestamp;
use linecall::{
    board::{BoardFile, End},
    capture::{PhotoLimits, decode_photo, read_photo},
    desk::{Desk, DeskOptions, Policy},
    ledger::{
        Author, Content, EncodedFrame, KnownPlace, Ledger, LedgerError, LedgerOptions, NewEntry, NewView,
        Note, TimedFrame, ViewEvidence, verify,
    },
    rules::{Event, match_file},
    score::{Known, ScoreOptions, Scorer, StageTimes},
};
use tempfile::TempDir;

/// A clock that ticks a second an entry.
pub fn clock() -> linecall::ledger::Clock {
    let ticks = std::sync::atomic::AtomicI64::new(1_790_000_000);
    Arc::new(move || {
        Timestamp::from_second(ticks.fetch_add(1, std::sync::atomic::Ordering::Relaxed)).unwrap()
    })
}

pub fn now() -> Timestamp {
    Timestamp::from_second(1_790_000_000).unwrap()
}

pub fn options(policy: Policy) -> DeskOptions {
    DeskOptions { policy, clock: clock(), ..DeskOptions::default() }
}

pub fn event(json: &str) -> Event {
    match_file::parse(json.as_bytes()).unwrap_or_else(|refusal| panic!("{refusal}"))
}

pub const COURT: &str = r#"{"type":"match","game":"court","options":{"best_of":99},"sides":[{"name":"Ann","colour":"red"},{"name":"Bo","colour":"blue"}]}"#;
pub const FRAME: &str =
    r#"{"type":"frame","pieces":[{"colour":"red","area":"10"},{"colour":"blue","area":"7-left"}]}"#;

/// A photo scored as `linecall score` does.
pub fn scored(photo: &str, board: &str) -> ViewEvidence {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/photos").join(photo);
    let file = BoardFile::named_or_at(board).unwrap();
    let scorer = Scorer::new(file.board().unwrap(), None, End::Far, ScoreOptions::default()).unwrap();
    let bytes = read_photo(&path, &PhotoLimits::default()).unwrap();
    let picture = decode_photo(&bytes, &path, &PhotoLimits::default()).unwrap();
    let scored = scorer.score(photo, &picture, &Known::Nothing, &mut StageTimes::default()).unwrap();
    ViewEvidence {
        source: photo.to_owned(),
        frame: EncodedFrame(bytes),
        around: Vec::new(),
        report: scored.report,
        registration: scored.registration,
        known: KnownPlace::Nothing,
        board: file,
        camera: None,
        colours: None,
        options: format!("{:#?}", scorer.options),
    }
}

/// A court photo with close calls.
pub fn close_calls() -> ViewEvidence {
    static SCORED: OnceLock<ViewEvidence> = OnceLock::new();
    SCORED.get_or_init(|| scored("court-close-calls/001.jpg", "carrom-court")).clone()
}

/// A view whose frame is a small picture of its own.
pub fn small_view(number: usize) -> ViewEvidence {
    let picture =
        image::RgbImage::from_fn(96, 64, |x, y| image::Rgb([x as u8, y as u8, (number * 37 % 251) as u8]));
    let frame = EncodedFrame::lossless(&linecall::capture::Picture::new(picture)).unwrap();
    ViewEvidence { frame, source: format!("frame {number}"), ..close_calls() }
}

/// A ledger with a match of `frames` frames, every second one with a view.
pub fn recorded(frames: usize) -> (TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("match.ledger");
    let desk = Desk::open(&path, options(Policy::Never)).unwrap();
    desk.new_match(event(COURT), Author::referee("Cy"), None).unwrap();
    for number in 0..frames {
        match number % 2 {
            0 => desk.append_with_view(event(FRAME), Author::Vision, small_view(number), None).unwrap(),
            _ => desk.append(event(FRAME), Author::referee("Cy"), None).unwrap(),
        };
    }
    (folder, path)
}

/// A ledger of two frames with photos of full size.
pub fn recorded_photos() -> (TempDir, PathBuf) {
    let (folder, path) = recorded(0);
    let desk = Desk::open(&path, options(Policy::Never)).unwrap();
    for number in 0..2 {
        let mut evidence = close_calls();
        // Cameras pad their files: another file, the same picture.
        evidence.frame.0.push(number);
        desk.append_with_view(event(FRAME), Author::Vision, evidence, None).unwrap();
    }
    drop(desk);
    (folder, path)
}

fn note(text: &str) -> NewEntry {
    NewEntry {
        match_number: 1,
        number: None,
        at: now(),
        author: Author::Vision,
        content: Content::Note(Note { about: "test".into(), text: text.into(), confidence: None }),
        refers: None,
        view: NewView::None,
        shown: None,
    }
}

#[test]
fn what_was_recorded_is_there_again() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.ledger");
    let evidence = close_calls();
    let mut ledger = Ledger::record_into(&path, now(), LedgerOptions::default()).unwrap();
    let view = NewView::New(Box::new(evidence.clone()));
    let entries =
        ledger.append(vec![note("first"), NewEntry { view, ..note("with a view, ünïcode \u{0}") }]).unwrap();
    let head = ledger.head();
    drop(ledger);

    let ledger = Ledger::read(&path).unwrap();
    assert_eq!(ledger.head(), head);
    assert_eq!(ledger.entries().unwrap(), entries);
    let view = ledger.view(entries[1].view.unwrap()).unwrap();
    assert_eq!(view.report, evidence.report);
    let settled = view.facts.settled().unwrap().hash.unwrap();
    assert_eq!(ledger.file(&settled).unwrap(), evidence.frame.0);
    assert_eq!(ledger.text(&view.facts.board.hash).unwrap(), evidence.board.text);
    let registration = view.facts.registration.registration();
    assert_eq!(registration.camera, evidence.registration.camera, "to the last bit");
    assert_eq!(registration.covariance, evidence.registration.covariance);
    // Nothing is left beside it.
    drop(ledger);
    let files = std::fs::read_dir(folder.path()).unwrap().map(|file| file.unwrap().file_name());
    assert_eq!(files.collect::<Vec<_>>(), ["a.ledger"]);
}

#[test]
fn the_same_input_gives_the_same_chain() {
    let heads: Vec<_> = (0..2).map(|_| Ledger::read(&recorded(4).1).unwrap().head()).collect();
    assert_eq!(heads[0], heads[1]);
}

#[test]
fn a_batch_is_recorded_as_a_whole_or_not_at_all() {
    let folder = tempfile::tempdir().unwrap();
    let mut ledger =
        Ledger::record_into(&folder.path().join("a.ledger"), now(), LedgerOptions::default()).unwrap();
    ledger.append(vec![note("good")]).unwrap();
    let head = ledger.head();
    let bad = NewEntry { view: NewView::Stored(77), ..note("rests on nothing") };
    assert!(matches!(ledger.append(vec![note("first"), bad]), Err(LedgerError::NoSuch { .. })));
    assert_eq!((ledger.head(), ledger.entries().unwrap().len()), (head, 1));
    ledger.append(vec![note("goes on")]).unwrap();
    assert!(verify(&ledger, None).unwrap().is_whole());
}

#[test]
fn a_file_is_kept_once() {
    let (_folder, path) = recorded(6);
    let connection = rusqlite::Connection::open(&path).unwrap();
    let count = |sql: &str| connection.query_row(sql, [], |row| row.get::<_, i64>(0)).unwrap();
    assert_eq!(count("SELECT count(*) FROM views"), 3);
    // Three frames, one board file, one set of options.
    assert_eq!(count("SELECT count(*) FROM files"), 5);
}

#[test]
fn frames_are_kept_within_their_bounds_the_nearest_first() {
    let folder = tempfile::tempdir().unwrap();
    let frame = |bytes: usize, value: u8| EncodedFrame(vec![value; bytes]);
    let around = |secs: f64, value: u8| TimedFrame { frame: frame(1000, value), secs, report: None };
    let evidence = ViewEvidence {
        frame: frame(5000, 9),
        around: vec![around(-3.0, 1), around(-2.0, 2), around(-1.0, 3), around(0.5, 4)],
        ..close_calls()
    };
    let stored = |name: &str, max_frame_bytes: u64| {
        let options = LedgerOptions { max_frame_bytes, max_around_bytes: 3500, ..LedgerOptions::default() };
        let mut ledger = Ledger::record_into(&folder.path().join(name), now(), options).unwrap();
        let view = NewView::New(Box::new(evidence.clone()));
        let entries = ledger.append(vec![NewEntry { view, ..note("view") }]).unwrap();
        ledger.view(entries[0].view.unwrap()).unwrap().facts
    };
    let facts = stored("wide", 5000);
    assert_eq!(facts.frames.iter().map(|frame| frame.secs).collect::<Vec<_>>(), [-2.0, -1.0, 0.0, 0.5]);
    let settled = stored("narrow", 4999).settled().unwrap().clone();
    assert_eq!(settled.hash, None);
    assert!(settled.left_out.unwrap().contains("5000 bytes, more than the 4999"));
}
