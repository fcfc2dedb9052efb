//! The open questions, each with a small picture of what it is about.

use std::{io::Cursor, path::Path};

use image::{codecs::jpeg::JpegEncoder, imageops};

use crate::{
    capture::{PhotoLimits, decode_photo},
    desk::{Desk, Pending},
    hall::topics::{AskMessage, OtherWay, Question, VERSION},
    ledger::{CarriedFile, Hash, Ledger},
};

/// The picture's longer side, pixels: enough to see what is asked on a phone, 10 to 20 KB.
const PICTURE_PX: u32 = 400;
/// How much is shown around the piece that is asked about, in its radii.
const AROUND: f64 = 5.0;
const QUALITY: u8 = 72;
/// Questions beyond this many wait for those before them all the same.
const WITH_PICTURE: usize = 3;

pub fn of(desk: &Desk, pending: &[Pending], ledger: &Ledger, name: Hash, revision: u64) -> AskMessage {
    let ways = desk.ways();
    let question = |(place, pending): (usize, &Pending)| {
        let ways = ways.iter().find(|ways| ways.id == pending.id);
        let words = ways.map_or_else(|| pending.event.name().to_owned(), |ways| ways.seen.words.clone());
        let picture = if place < WITH_PICTURE { picture(ledger, pending) } else { None };
        let mut question = Question::of(pending, words, picture);
        let otherwise = ways.map(|ways| ways.otherwise.as_slice()).unwrap_or_default();
        question.otherwise = otherwise
            .iter()
            .map(|way| OtherWay { words: way.words.clone(), event: way.event.clone() })
            .collect();
        question
    };
    let questions = pending.iter().enumerate().map(question).collect();
    AskMessage { v: VERSION, ledger: name, revision, questions }
}

/// The view around the piece in doubt; the whole view where no piece is named. A question without a
/// picture is still one.
fn picture(ledger: &Ledger, pending: &Pending) -> Option<CarriedFile> {
    let view = ledger.view(pending.view?).ok()?;
    let bytes = ledger.file(&view.facts.settled()?.hash?).ok()?;
    let photo = decode_photo(&bytes, Path::new("view"), &PhotoLimits::default()).ok()?;
    let rgb = photo.rgb();
    let piece = pending.doubts.iter().find_map(|doubt| doubt.piece);
    let piece = piece.and_then(|id| view.report.pieces.iter().find(|piece| piece.id == id));
    let part = match piece {
        Some(piece) => {
            let half = (piece.px_radius * AROUND).max(20.0);
            let from = |at: f64, size: u32| (at - half).clamp(0.0, f64::from(size.saturating_sub(1))) as u32;
            let (x, y) = (from(piece.px[0], rgb.width()), from(piece.px[1], rgb.height()));
            let side = (half * 2.0).ceil() as u32;
            let (width, height) = (side.min(rgb.width() - x), side.min(rgb.height() - y));
            imageops::crop_imm(rgb, x, y, width, height).to_image()
        }
        None => rgb.clone(),
    };
    let longer = part.width().max(part.height()).max(1);
    let scaled = |size: u32| (size * PICTURE_PX / longer).max(1);
    let small =
        imageops::resize(&part, scaled(part.width()), scaled(part.height()), imageops::FilterType::Triangle);
    let mut jpeg = Cursor::new(Vec::new());
    JpegEncoder::new_with_quality(&mut jpeg, QUALITY).encode_image(&small).ok()?;
    Some(CarriedFile(jpeg.into_inner()))
}
