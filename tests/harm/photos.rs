//! Photos with a few bytes changed, lost or put in twice: torn cards, broken downloads.

use linecall::{
    capture::{PhotoLimits, Picture, decode_photo},
    score::{Known, Scorer},
};
use rand::RngExt;
use rand_chacha::ChaCha8Rng;
use rayon::prelude::*;

use crate::{
    count, dice,
    judge::{Judged, Table, words},
    one_of,
};

/// How a JPEG is written.
#[derive(Debug, Clone, Copy)]
enum Form {
    /// As the camera wrote it.
    AsTaken,
    Restarts,
    /// As messengers send photos.
    Progressive,
}

fn written(table: &Table, form: Form) -> Vec<u8> {
    let bytes = std::fs::read(&table.path).unwrap();
    if matches!(form, Form::AsTaken) {
        return bytes;
    }
    let picture = image::load_from_memory(&bytes).unwrap().to_rgb8();
    let mut out = Vec::new();
    let mut encoder = jpeg_encoder::Encoder::new(&mut out, 92);
    match form {
        Form::Progressive => encoder.set_progressive(true),
        _ => encoder.set_restart_interval(40),
    }
    let [width, height] = [picture.width(), picture.height()].map(|side| side as u16);
    encoder.encode(picture.as_raw(), width, height, jpeg_encoder::ColorType::Rgb).unwrap();
    out
}

/// A little damage somewhere behind the header.
fn damaged(whole: &[u8], dice: &mut ChaCha8Rng) -> Vec<u8> {
    let mut bytes = whole.to_vec();
    let first = bytes.len() / 20;
    let mut place = |bytes: &Vec<u8>| dice.random_range(first..bytes.len() - 600);
    let at = place(&bytes);
    let from = place(&bytes);
    match dice.random_range(0..6) {
        // A sector that was never written, or holds another's content.
        0 => bytes[at..at + 512].fill(0),
        1 => bytes.copy_within(from..from + 512, at),
        2 => drop(bytes.drain(at..at + dice.random_range(1..400))),
        _ => {
            for _ in 0..dice.random_range(1..=3) {
                let at = dice.random_range(first..bytes.len() - 2);
                bytes[at] = dice.random_range(0..=255);
            }
        }
    }
    bytes
}

#[test]
fn damaged_photos_are_never_sure_and_wrong() {
    const PHOTOS: [&str; 4] = [
        "court-overhead/001.jpg",
        "court-oblique-phone/000.jpg",
        "longboard-overhead/001.jpg",
        "association-overhead/002.jpg",
    ];
    let tables: Vec<(Table, Scorer)> = PHOTOS
        .iter()
        .map(|photo| {
            let table = Table::new(photo);
            let scorer = table.scorer();
            (table, scorer)
        })
        .collect();
    for form in [Form::AsTaken, Form::Restarts, Form::Progressive] {
        let whole: Vec<Vec<u8>> = tables.iter().map(|(table, _)| written(table, form)).collect();
        let mut dice = dice(3);
        let wanted = count(6);
        let (mut refused, mut decoded): (usize, Vec<(usize, Picture)>) = (0, Vec::new());
        let mut judged = Vec::new();
        while judged.len() + decoded.len() < wanted {
            let index = *one_of(&[0, 1, 2, 3], &mut dice);
            let bytes = damaged(&whole[index], &mut dice);
            match decode_photo(&bytes, &tables[index].0.path, &PhotoLimits::default()) {
                Ok(picture) => decoded.push((index, picture)),
                Err(_) => refused += 1,
            }
            // So many at a time fit into memory.
            if decoded.len() == 16 || judged.len() + decoded.len() == wanted {
                judged.par_extend(decoded.par_drain(..).map(|(index, picture)| {
                    let (table, scorer) = &tables[index];
                    table.judge(scorer, &picture, &Known::Nothing)
                }));
            }
        }
        println!("{form:?}: {refused} refused as damaged; {}", words(&judged));
        assert!(!judged.contains(&Judged::SureAndWrong), "{form:?}: {}", words(&judged));
    }
}
