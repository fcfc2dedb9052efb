//! `linecall replay` through the real program: a filmed half round, recordings that repeat it, and
//! runs that are killed.

use std::{
    io::{BufRead, BufReader},
    path::{Path, PathBuf},
    process::{Command, Output, Stdio},
    time::Duration,
};

use linecall::{
    desk::{Desk, DeskOptions},
    rules::{Event, match_file},
};
use serde_json::Value;
use tempfile::TempDir;

pub fn sequence() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/sequences/court")
}

fn linecall<S: AsRef<std::ffi::OsStr>>(arguments: impl IntoIterator<Item = S>) -> Output {
    Command::new(env!("CARGO_BIN_EXE_linecall")).args(arguments).output().unwrap()
}

fn words(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// A camera file for the sequence, made as a person would make it.
pub fn camera(folder: &TempDir) -> PathBuf {
    let file = folder.path().join("camera.toml");
    let photo = sequence().join("000.jpg");
    let output = linecall([
        "calibrate".as_ref(),
        photo.as_os_str(),
        "--board".as_ref(),
        "carrom-court".as_ref(),
        "--height".as_ref(),
        "1731".as_ref(),
        "-o".as_ref(),
        file.as_os_str(),
    ]);
    assert!(output.status.success(), "{}", words(&output));
    file
}

/// The half round filmed `times` times over, the board cleared in between.
fn repeated(folder: &TempDir, times: usize) -> PathBuf {
    let frames = folder.path().join("frames");
    std::fs::create_dir(&frames).unwrap();
    let mut names: Vec<PathBuf> = std::fs::read_dir(sequence())
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "jpg"))
        .collect();
    names.sort();
    for (index, name) in std::iter::repeat_n(&names, times).flatten().enumerate() {
        std::fs::copy(name, frames.join(format!("{index:05}.jpg"))).unwrap();
    }
    frames
}

pub fn replay(frames: &Path, camera: &Path, more: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_linecall"));
    command.arg("replay").arg(frames).args(["--fps", "4", "--game", "court", "--camera"]).arg(camera);
    command.args(more);
    command
}

/// The points of the sequence's end, as its story tells them.
fn true_tally() -> Value {
    let text = std::fs::read_to_string(sequence().join("sequence.json")).unwrap();
    serde_json::from_str::<Value>(&text).unwrap()["final_tally"].clone()
}

#[test]
fn the_filmed_half_round_has_the_true_tally() {
    let folder = TempDir::new().unwrap();
    let camera = camera(&folder);
    let output = replay(&sequence(), &camera, &["--json"]).output().unwrap();
    assert!(output.status.success(), "{}", words(&output));
    let record = match_file::play(&output.stdout, None).unwrap();
    let state = linecall::rules::report::json(&record);
    assert_eq!(state["scores"], true_tally(), "{}", words(&output));
    let events: Vec<Event> = String::from_utf8(output.stdout.clone())
        .unwrap()
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    let [Event::Match(_), Event::Frame(frame)] = &events[..] else { panic!("{events:?}") };
    // The dead puck was taken away; seven lie.
    assert_eq!(frame.pieces.iter().filter(|piece| piece.x_mm.is_some()).count(), 7);
    let told = words(&output);
    assert!(told.contains("shot 8: blue") && told.contains("has not cleared the foul line"), "{told}");
    assert!(!told.contains("to be confirmed"), "{told}");

    let again = replay(&sequence(), &camera, &["--json"]).output().unwrap();
    assert_eq!(again.stdout, output.stdout, "the same frames give the same bytes");
}

#[test]
fn a_replay_into_a_ledger_keeps_the_view_of_every_event() {
    let folder = TempDir::new().unwrap();
    let camera = camera(&folder);
    let ledger = folder.path().join("match.ledger");
    let ledger_text = ledger.to_str().unwrap();
    let output =
        replay(&sequence(), &camera, &["--match", ledger_text, "--sides", "Ann,Bo"]).output().unwrap();
    assert!(output.status.success(), "{}", words(&output));
    let desk = Desk::open(&ledger, DeskOptions::default()).unwrap();
    let state = desk.state();
    assert_eq!(state.standing.as_ref().unwrap()["scores"], serde_json::json!({"Ann": 17, "Bo": 13}));
    assert!(state.pending.is_empty(), "{:?}", state.pending);
    let view = state.last.as_ref().and_then(|last| last.view).expect("the frame rests on a view");
    let stored = desk.with_ledger(|ledger| ledger.view(view)).unwrap();
    assert_eq!(stored.report.pieces.len(), 7);
    assert!(stored.facts.frames.len() > 1, "the frames before are kept too");
    drop(desk);
    // Everything has been seen: a second run adds nothing.
    let again = replay(&sequence(), &camera, &["--match", ledger_text]).output().unwrap();
    assert!(again.status.success(), "{}", words(&again));
    let desk = Desk::open(&ledger, DeskOptions::default()).unwrap();
    assert_eq!(desk.state().match_info.as_ref().unwrap().events, 2);
}

#[test]
fn everything_can_be_put_to_a_person() {
    let folder = TempDir::new().unwrap();
    let camera = camera(&folder);
    let ledger = folder.path().join("match.ledger");
    let more = ["--match", ledger.to_str().unwrap(), "--confirm", "everything"];
    let output = replay(&sequence(), &camera, &more).output().unwrap();
    assert!(output.status.success(), "{}", words(&output));
    assert!(words(&output).contains("to be confirmed"), "{}", words(&output));
    let desk = Desk::open(&ledger, DeskOptions::default()).unwrap();
    let pending = desk.state().pending.clone();
    assert_eq!(pending.len(), 1);
    desk.confirm(pending[0].id, None, "Cy", None).unwrap();
    let scores = desk.state().standing.as_ref().unwrap()["scores"].clone();
    assert_eq!(scores, true_tally());
}

/// Kills a replay (-9) again and again; what it said was recorded is there, and every match goes on to its
/// true end. `LINECALL_KILLS` sets how often; a match that is through is followed by another.
#[test]
fn what_was_said_to_be_recorded_survives_being_killed() {
    let kills: u64 = std::env::var("LINECALL_KILLS").ok().and_then(|text| text.parse().ok()).unwrap_or(6);
    let folder = TempDir::new().unwrap();
    let camera = camera(&folder);
    // In doubles red leads both ends of a round, as it does in the film (C4).
    let start = folder.path().join("start.jsonl");
    let sides = r#"[{"name":"Ann","colour":"red","players":["Ann","Cy"]},{"name":"Bo","colour":"blue","players":["Bo","Di"]}]"#;
    let header =
        format!(r#"{{"type":"match","game":"court","options":{{"play":"doubles"}},"sides":{sides}}}"#);
    std::fs::write(&start, header).unwrap();
    let half_rounds = 2;
    let frames = repeated(&folder, half_rounds);
    let mut dice = 0x9e37_79b9_7f4a_7c15_u64;
    let (mut killed, mut matches) = (0, 0);
    while killed < kills {
        matches += 1;
        let ledger = folder.path().join(format!("match-{matches}.ledger"));
        let mut promised = 0;
        loop {
            let mut child = replay(&frames, &camera, &["--match", ledger.to_str().unwrap()])
                .arg("--start")
                .arg(&start)
                .stdout(Stdio::null())
                .stderr(Stdio::piped())
                .spawn()
                .unwrap();
            let stderr = child.stderr.take().unwrap();
            let reader = std::thread::spawn(move || {
                let lines = BufReader::new(stderr).lines().map_while(Result::ok);
                let number = |line: String| {
                    let after = line.split("recorded as event ").nth(1)?.split(':').next()?.to_owned();
                    after.parse::<usize>().ok()
                };
                lines.filter_map(number).max()
            });
            let is_killed = killed < kills && {
                dice = dice.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                std::thread::sleep(Duration::from_millis(30 + (dice >> 33) % 1200));
                let is_running = child.try_wait().unwrap().is_none();
                let _ = child.kill();
                is_running
            };
            killed += u64::from(is_killed);
            let status = child.wait().unwrap();
            promised = promised.max(reader.join().unwrap().unwrap_or(0));
            if ledger.exists() {
                let desk = Desk::open(&ledger, DeskOptions::default()).unwrap();
                let events = desk.state().match_info.as_ref().map_or(0, |info| info.events);
                assert!(
                    events > promised || promised == 0,
                    "event {promised} was promised, {events} are there"
                );
                assert!(events <= 1 + half_rounds, "nothing is recorded twice");
            }
            if !is_killed {
                assert!(status.success());
                break;
            }
        }
        let desk = Desk::open(&ledger, DeskOptions::default()).unwrap();
        let state = desk.state();
        assert!(state.pending.is_empty(), "{:?}", state.pending);
        let standing = state.standing.as_ref().unwrap();
        let scores = [17, 13].map(|points: i64| points * half_rounds as i64);
        assert_eq!(standing["scores"], serde_json::json!({"Ann": scores[0], "Bo": scores[1]}));
    }
    println!("killed {killed} times while it ran, in {matches} matches");
}

#[test]
fn a_recording_that_is_none_is_told() {
    let folder = TempDir::new().unwrap();
    let camera = camera(&folder);
    for (recording, expected) in [("nothing-there", "nothing-there"), ("empty", "has no frames")] {
        let path = folder.path().join(recording);
        if recording == "empty" {
            std::fs::create_dir(&path).unwrap();
        }
        let output = replay(&path, &camera, &[]).output().unwrap();
        assert_eq!(output.status.code(), Some(1));
        assert!(words(&output).contains(expected), "{}", words(&output));
    }
    let output = replay(&sequence(), &folder.path().join("none.toml"), &[]).output().unwrap();
    assert!(words(&output).contains("linecall calibrate"), "{}", words(&output));
}
