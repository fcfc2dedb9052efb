//! Of which kind a piece is: what speaks for each, and what hangs on it.

use std::cmp::Ordering;

use super::{
    CloseUp, Colours, EitherWay, Evidence, Head, KindColour, Outcome, Question, ReviewError, ReviewOptions,
    SeenColour, ShapeKind, Tone,
    close_up::{self, Window},
    either_way::tally_of_kind,
    photo::fine_circle,
    place, words,
};
use crate::{
    calls::called_from_sigmas,
    capture::srgb,
    geometry::{Point, Vector},
    score::{Seen, tally_words},
};

/// How doubts about colours begin; the kind's name follows.
pub(super) const ABOUT: &str = "colour ";

/// What the tally doubts about a piece's colour.
pub(super) fn questions(evidence: &Evidence, piece: usize) -> Vec<Question> {
    let doubts = evidence.scored.report.doubts.iter().filter(|doubt| doubt.piece == piece + 1);
    let other = |name: &str| evidence.board.pieces.iter().position(|kind| kind.name == name);
    let others = doubts.filter_map(|doubt| other(doubt.about.strip_prefix(ABOUT)?));
    others.map(|other| Question::Colour { piece, other }).collect()
}

/// How sure the colour is, as other calls count it: from none where it is even to those of a call
/// where it would be certain.
pub(super) fn sigmas(evidence: &Evidence, piece: usize) -> f64 {
    let p = evidence.scored.seen[piece].candidate.kind_probability;
    (2.0 * p - 1.0).max(0.0) * called_from_sigmas(evidence.calls)
}

pub(super) fn head(evidence: &Evidence, question: &Question, piece: usize) -> Head {
    let own = kind_name(evidence, piece);
    let p = evidence.scored.seen[piece].candidate.kind_probability;
    let certainty = words::capital(words::certainty(p.max(1.0 - p)));
    Head {
        piece: words::piece(evidence, piece),
        subject: words::subject(evidence, question),
        asked: words::asked(evidence, question),
        tone: Tone::Open,
        answer: format!("Probably {own}"),
        likelihood: format!("{certainty}: {} {own}, {} another.", words::percent(p), words::percent(1.0 - p)),
        distrust: words::distrust(evidence, piece),
    }
}

fn kind_name<'a>(evidence: &Evidence<'a>, piece: usize) -> &'a str {
    &evidence.board.pieces[evidence.scored.seen[piece].candidate.kind].name
}

/// The piece, the nearest one of its kind and the nearest of the other, all at one scale.
pub(super) fn windows<'a>(
    evidence: &Evidence<'a>,
    piece: usize,
    other: usize,
    options: &ReviewOptions,
) -> Option<Vec<(String, Window<'a>)>> {
    let seen = &evidence.scored.seen;
    let own = &seen[piece];
    let apart_mm = |index: usize| (seen[index].measurement.centre - own.measurement.centre).norm();
    let nearest = |kind: usize| {
        let of_kind = (0..seen.len()).filter(|&index| index != piece && seen[index].candidate.kind == kind);
        of_kind.min_by(|a, b| apart_mm(*a).partial_cmp(&apart_mm(*b)).unwrap_or(Ordering::Equal))
    };
    let shown = [Some(piece), nearest(own.candidate.kind), nearest(other)];
    let wide_mm = 2.0 * (place::radius_mm(evidence.board, own) + options.margin_mm);
    let scale = close_up::enlargement(wide_mm);
    let window = |index: usize| {
        let centre = seen[index].measurement.centre;
        let window = Window::new(&evidence.scored.registration.camera, centre, centre, scale)?;
        let name = words::capital(&words::piece(evidence, index));
        Some((if index == piece { name } else { format!("{name}, to compare") }, window))
    };
    shown.into_iter().flatten().map(window).collect()
}

pub(super) fn close_ups(
    evidence: &Evidence,
    windows: &[(String, Window)],
) -> Result<Vec<CloseUp>, ReviewError> {
    let mut close_ups = Vec::with_capacity(windows.len());
    for (title, window) in windows {
        let rings = evidence.scored.seen.iter().flat_map(|seen| {
            let ring = fine_circle(seen.measurement.centre, place::radius_mm(evidence.board, seen));
            window.shapes(ShapeKind::Footprint, &ring, seen.candidate.base_mm, 0.0)
        });
        close_ups.extend(window.close_up(title, evidence, rings.collect(), None)?);
    }
    Ok(close_ups)
}

pub(super) fn colours(evidence: &Evidence, piece: usize, other: usize) -> Option<Colours> {
    let seen = &evidence.scored.seen;
    let own_kind = seen[piece].candidate.kind;
    let own = face(evidence, &seen[piece])?;
    let p = seen[piece].candidate.kind_probability;
    let kind = |kind: usize, probability: f64| {
        let others = seen.iter().enumerate().filter(|(index, s)| *index != piece && s.candidate.kind == kind);
        let faces: Vec<[f64; 3]> = others.filter_map(|(_, seen)| face(evidence, seen)).collect();
        let here = median(&faces).map(|light| SeenColour {
            colour: srgb(light),
            pieces: faces.len(),
            apart_stops: apart_stops(own, light),
        });
        let drawn = &evidence.board.pieces[kind];
        KindColour { name: drawn.name.clone(), probability, here, drawn: drawn.colour.0 }
    };
    Some(Colours {
        piece: words::piece(evidence, piece),
        own: srgb(own),
        kinds: [kind(own_kind, p), kind(other, 1.0 - p)],
    })
}

/// The part of a face that is looked at, of its radius: its rim is rounded, and shaded.
const FACE_SHARE: f64 = 0.7;
/// Places along a radius, and around.
const RINGS: usize = 8;
const AROUND: usize = 24;

/// The middle tone of a face, in linear light; none where the camera does not see it.
fn face(evidence: &Evidence, seen: &Seen) -> Option<[f64; 3]> {
    let kind = &evidence.board.pieces[seen.candidate.kind];
    let camera = &evidence.scored.registration.camera;
    let z_mm = seen.candidate.base_mm + kind.height_mm;
    let places = (0..RINGS * AROUND).map(|index| {
        let reach_mm = kind.radius_mm() * FACE_SHARE * ((index / AROUND) as f64 + 0.5) / RINGS as f64;
        let angle = std::f64::consts::TAU * (index % AROUND) as f64 / AROUND as f64;
        seen.measurement.centre + Vector::new(angle.cos(), angle.sin()) * reach_mm
    });
    let light = |at: Point| {
        let px = camera.image_from_board(at.x, at.y, z_mm)?;
        evidence.picture.sample(px.x, px.y).map(|light| light.map(f64::from))
    };
    median(&places.filter_map(light).collect::<Vec<_>>())
}

/// The median of each channel.
fn median(light: &[[f64; 3]]) -> Option<[f64; 3]> {
    let middle = |channel: usize| {
        let mut values: Vec<f64> = light.iter().map(|light| light[channel]).collect();
        values.sort_by(f64::total_cmp);
        values.get(values.len() / 2).copied()
    };
    Some([middle(0)?, middle(1)?, middle(2)?])
}

/// What is darker than this differs by noise only, as a part of white.
const DARK: f64 = 0.002;

fn apart_stops(one: [f64; 3], other: [f64; 3]) -> f64 {
    let stops = |channel: usize| ((one[channel] + DARK) / (other[channel] + DARK)).log2();
    ((0..3).map(|channel| stops(channel).powi(2)).sum::<f64>() / 3.0).sqrt()
}

fn srgb(light: [f64; 3]) -> [u8; 3] {
    light.map(srgb::encoded_byte)
}

pub(super) fn either_way(evidence: &Evidence, piece: usize, other: usize) -> EitherWay {
    let way = |kind: usize, as_called: bool| {
        let (points, tally) = tally_of_kind(evidence, piece, kind)?;
        Some(Outcome { when: evidence.board.pieces[kind].name.clone(), as_called, points, tally })
    };
    let own = way(evidence.scored.seen[piece].candidate.kind, true);
    let other = way(other, false);
    let words = |way: &Option<Outcome>| {
        way.as_ref().map_or_else(String::new, |way| tally_words(&way.tally).replace('-', "\u{2212}"))
    };
    let meaning = format!("Tallied as the likelier: {}. The other way: {}.", words(&own), words(&other));
    EitherWay { below: own, above: other, meaning }
}

/// What would make the colour surer.
pub(super) fn advice(colours: Option<&Colours>) -> Vec<String> {
    let mut sentences = vec![
        "An even light that is not dim or coloured, and no glare on the face, tell colours best.".to_owned(),
        "linecall calibrate --teach learns the colours of this very set from a photo.".to_owned(),
    ];
    if colours.is_some_and(|colours| colours.kinds.iter().any(|kind| kind.here.is_none())) {
        sentences
            .push("With pieces of both colours in the photo they can be held against each other.".to_owned());
    }
    sentences
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_apart_are_told_in_stops() {
        let (grey, twice) = ([0.2, 0.2, 0.2], [0.4, 0.4, 0.4]);
        assert!((apart_stops(twice, grey) - 1.0).abs() < 0.02);
        assert_eq!(apart_stops(grey, grey), 0.0);
        assert_eq!(srgb([1.0, 0.0, 0.214_041]), [255, 0, 127]);
    }
}
