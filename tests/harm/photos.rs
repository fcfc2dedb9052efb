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

/// Photos that are sure and right as they are.
const PHOTOS: [&str; 9] = [
    "court-overhead/003.jpg",
    "court-close-calls/001.jpg",
    "court-close-calls/002.jpg",
    "court-oblique-phone/000.jpg",
    "clutter/001.jpg",
    "association-overhead/001.jpg",
    "longboard-overhead/002.jpg",
    "carrom-overhead/001.jpg",
    "ludington-overhead/001.jpg",
];

#[test]
fn damaged_photos_are_never_sure_and_wrong() {
    let tables: Vec<(Table, Scorer)> = PHOTOS
        .par_iter()
        .map(|photo| {
            let table = Table::new(photo);
            let scorer = table.scorer();
            let whole = table.judge(&scorer, &table.picture(), &Known::Nothing);
            assert_eq!(whole, Judged::SureAndRight, "{photo}");
            (table, scorer)
        })
        .collect();
    for form in [Form::AsTaken, Form::Restarts, Form::Progressive] {
        let whole: Vec<Vec<u8>> = tables.iter().map(|(table, _)| written(table, form)).collect();
        let mut dice = dice(3);
        let wanted = count(6);
        let (mut refused, mut decoded): (usize, Vec<Damaged>) = (0, Vec::new());
        let (mut judged, mut told) = (Vec::new(), Vec::new());
        while judged.len() + decoded.len() < wanted {
            let index = dice.random_range(0..tables.len());
            let bytes = damaged(&whole[index], &mut dice);
            match decode_photo(&bytes, &tables[index].0.path, &PhotoLimits::default()) {
                Ok(picture) => decoded.push(Damaged { index, bytes, picture }),
                Err(_) => refused += 1,
            }
            // So many at a time fit into memory.
            if decoded.len() == 16 || judged.len() + decoded.len() == wanted {
                let results: Vec<(Judged, Damaged)> = decoded
                    .par_drain(..)
                    .map(|photo| {
                        let (table, scorer) = &tables[photo.index];
                        (table.judge(scorer, &photo.picture, &Known::Nothing), photo)
                    })
                    .collect();
                for (result, photo) in results {
                    if result == Judged::SureAndWrong {
                        told.push(kept(&photo, form, told.len()));
                    }
                    judged.push(result);
                }
            }
        }
        println!("{form:?}: {refused} refused as damaged; {}", words(&judged));
        assert!(told.is_empty(), "{form:?}: {}; see {}", words(&judged), told.join(", "));
    }
}

/// A photo that still decodes.
struct Damaged {
    index: usize,
    bytes: Vec<u8>,
    picture: Picture,
}

/// Keeps a photo that was scored wrongly, for people to look at.
fn kept(photo: &Damaged, form: Form, number: usize) -> String {
    let name = format!("{form:?}-{number}-{}", PHOTOS[photo.index].replace('/', "-")).to_lowercase();
    let folder = std::env::temp_dir().join("linecall-harm");
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(folder.join(&name), &photo.bytes).unwrap();
    folder.join(name).display().to_string()
}
