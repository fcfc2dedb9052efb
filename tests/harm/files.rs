//! Camera and board files with a number, a line or a byte changed.

use std::{
    path::Path,
    time::{Duration, Instant},
};

use linecall::{
    board::Board,
    calibrate::{CalibrateOptions, Given, calibrate_camera},
    camera::CameraFile,
    evaluate::Truth,
    register::Registration,
    score::Known,
};
use rand::RngExt;
use rand_chacha::ChaCha8Rng;

use crate::{
    count, dice,
    judge::{Judged, Table, scorer, words},
    one_of,
};

/// Numbers that slips and damage leave.
const ODD: [&str; 14] =
    ["0", "-1", "1e-300", "1e4", "3.6e10", "1e8", "1e300", "nan", "inf", "-inf", "true", "\"\"", "[]", "0.5"];

/// Where the numbers of a text begin and end.
fn numbers(text: &str) -> Vec<(usize, usize)> {
    let bytes = text.as_bytes();
    let is_part = |byte: u8| byte.is_ascii_digit() || matches!(byte, b'.' | b'-' | b'e' | b'+');
    let mut found = Vec::new();
    let mut at = 0;
    while at < bytes.len() {
        let begins = bytes[at].is_ascii_digit() || bytes[at] == b'-';
        let is_word = at > 0 && (bytes[at - 1].is_ascii_alphanumeric() || b"_-\"".contains(&bytes[at - 1]));
        if begins && !is_word {
            let end = (at..bytes.len()).find(|&end| !is_part(bytes[end])).unwrap_or(bytes.len());
            found.push((at, end));
            at = end;
        } else {
            at += 1;
        }
    }
    found
}

/// A file's text, changed somewhere.
fn changed(text: &str, dice: &mut ChaCha8Rng) -> String {
    let mut text = text.to_owned();
    let (start, end) = *one_of(&numbers(&text), dice);
    match dice.random_range(0..10) {
        0..3 => text.replace_range(start..end, one_of::<&str>(&ODD, dice)),
        3..5 => {
            let number: f64 = text[start..end].parse().unwrap_or(1.0);
            let factor = *one_of(&[-1.0, 0.1, 0.5, 0.9, 1.1, 2.0, 10.0, 1000.0], dice);
            text.replace_range(start..end, &format!("{}", number * factor));
        }
        5..8 => {
            let digits: Vec<usize> =
                (start..end).filter(|&at| text.as_bytes()[at].is_ascii_digit()).collect();
            if let Some(&at) = digits.get(dice.random_range(0..digits.len().max(1))) {
                text.replace_range(at..=at, &dice.random_range(0..10).to_string());
            }
        }
        8 => {
            let lines: Vec<&str> = text.lines().collect();
            let lost = dice.random_range(0..lines.len());
            let kept = lines.iter().enumerate().filter(|(index, _)| *index != lost);
            text = kept.map(|(_, line)| format!("{line}\n")).collect();
        }
        _ => {
            let at = dice.random_range(0..text.len());
            let other = char::from(dice.random_range(32..127_u8));
            if text.is_char_boundary(at) && text.is_char_boundary(at + 1) {
                text.replace_range(at..=at, &other.to_string());
            }
        }
    }
    text
}

/// How many are tried a photo that is scored: reading a file is quick, scoring is not.
const READ_A_SCORE: usize = 40;

#[test]
fn changed_camera_files_are_refused_or_do_no_harm() {
    let table = Table::new("court-overhead/003.jpg");
    let picture = table.picture();
    let height_mm = Truth::load(&table.path.with_extension("json")).unwrap().camera().pose.centre_mm().z;
    let given = Given { height_mm: Some(height_mm.round()), ..Given::default() };
    let photos = [("photo".to_owned(), picture.clone())];
    let made = calibrate_camera(&photos, &table.board, &given, &CalibrateOptions::default(), || ()).unwrap();
    let path = Path::new("camera.toml");
    let whole = made.file.text(path).unwrap();
    let scorer = table.scorer();
    let mut dice = dice(7);
    let (mut refused, mut judged, mut told) = (0, Vec::new(), Vec::new());
    let (mut longest, tries) = (Duration::ZERO, count(500));
    let scores = count(500 / READ_A_SCORE);
    for _ in 0..tries {
        let text = changed(&whole, &mut dice);
        let begun = Instant::now();
        let read = CameraFile::parse(&text, path);
        if let Ok(file) = &read
            && judged.len() < scores
        {
            let known = Known::Camera(Box::new(scorer.prepare(Registration::from(file))));
            let result = table.judge(&scorer, &picture, &known);
            if result == Judged::SureAndWrong {
                told.push(text);
            }
            judged.push(result);
        }
        refused += usize::from(read.is_err());
        longest = longest.max(begun.elapsed());
    }
    println!("{tries} camera files: {refused} refused; {}; the longest took {longest:.1?}", words(&judged));
    assert!(told.is_empty(), "{} sure and wrong, the first:\n{}", told.len(), told[0]);
    assert!(refused > tries / 4, "{refused} of {tries} refused");
}

#[test]
fn changed_board_files_are_refused_or_do_no_harm() {
    let table = Table::new("court-overhead/003.jpg");
    let picture = table.picture();
    let whole = include_str!("../../calibration/boards/carrom-court.toml");
    let mut dice = dice(11);
    let (mut refused, mut judged, mut told) = (0, Vec::new(), Vec::new());
    let tries = count(200);
    let scores = count(200 / READ_A_SCORE);
    for _ in 0..tries {
        let text = changed(whole, &mut dice);
        match Board::parse(&text, Path::new("board.toml")) {
            // Numbers that no picture can show, such as what an area is worth, are taken as they stand.
            Ok(board) if judged.len() < scores && is_same_game(&board, &table.board) => {
                let result = table.judge(&scorer(board), &picture, &Known::Nothing);
                if result == Judged::SureAndWrong {
                    told.push(difference(whole, &text));
                }
                judged.push(result);
            }
            Ok(_) => {}
            Err(_) => refused += 1,
        }
    }
    println!("{tries} board files: {refused} refused; {}", words(&judged));
    assert!(told.is_empty(), "sure and wrong:\n{}", told.join("\n"));
}

/// Whether two boards give areas the same points.
fn is_same_game(board: &Board, other: &Board) -> bool {
    let points = |board: &Board| -> Vec<String> {
        board.areas.iter().map(|area| format!("{} {:?}", area.name, area.value)).collect()
    };
    points(board) == points(other)
}

/// The lines that differ.
fn difference(whole: &str, text: &str) -> String {
    let lines = whole.lines().zip(text.lines()).find(|(old, new)| old != new);
    lines.map_or("a line more or less".to_owned(), |(old, new)| format!("{old}  →  {new}"))
}
