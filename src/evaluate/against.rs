//! Two evaluations of the same photos, piece by piece.

use std::fmt::Write;

use super::{ContactOutcome, PhotoEvaluation, PhotoOutcome, PieceOutcome};
use crate::geometry::Point;

/// Places that differ by less than this, in mm, are the same: far below what decides a call.
const SAME_MM: f64 = 0.1;

/// What differs between two evaluations of the same photos, called by `names`, in words: a line a piece, and their number.
pub fn differences(one: &[PhotoEvaluation], two: &[PhotoEvaluation], names: [&str; 2]) -> String {
    let mut text = String::new();
    let mut count = 0;
    for (a, b) in one.iter().zip(two) {
        for line in of_photo(a, b, names) {
            count += 1;
            let _ = writeln!(text, "{}: {line}", a.name);
        }
    }
    let _ = match count {
        0 => writeln!(text, "{} photos: nothing differs", one.len()),
        _ => writeln!(text, "{} photos: {count} differences", one.len()),
    };
    text
}

fn of_photo(a: &PhotoEvaluation, b: &PhotoEvaluation, names: [&str; 2]) -> Vec<String> {
    match (&a.outcome, &b.outcome) {
        (Ok(a), Ok(b)) => of_outcomes(a, b, names),
        (Err(_), Err(_)) => Vec::new(),
        (Ok(_), Err(why)) => vec![format!("only {} scores it; {}: {why}", names[0], names[1])],
        (Err(why), Ok(_)) => vec![format!("only {} scores it; {}: {why}", names[1], names[0])],
    }
}

fn of_outcomes(a: &PhotoOutcome, b: &PhotoOutcome, names: [&str; 2]) -> Vec<String> {
    let mut lines = Vec::new();
    for piece in &a.pieces {
        match same_piece(piece, &b.pieces) {
            Some(other) => lines.extend(of_piece(piece, other)),
            None => lines.push(format!("{} {}: only {} finds it", piece.colour, at(piece.at), names[0])),
        }
    }
    let missing = b.pieces.iter().filter(|piece| same_piece(piece, &a.pieces).is_none());
    lines.extend(
        missing.map(|piece| format!("{} {}: only {} finds it", piece.colour, at(piece.at), names[1])),
    );
    for (own, others, name) in [(&a.extra, &b.extra, names[0]), (&b.extra, &a.extra, names[1])] {
        let is_alone = |extra: &Point| others.iter().all(|other| (other.at - extra).norm() > FAR_MM);
        let alone = own.iter().filter(|extra| is_alone(&extra.at));
        lines.extend(
            alone.map(|e| format!("{} {}: only {name} has it, and nothing is there", e.colour, at(e.at))),
        );
    }
    let tallies = [a, b].map(|outcome| outcome.tally.as_ref().map(|tally| tally.reported.clone()));
    if let [Some(a), Some(b)] = tallies
        && a != b
    {
        lines.push(format!("tally: {a}, then {b}"));
    }
    lines
}

/// True pieces farther apart than this, in mm, are two.
const FAR_MM: f64 = 5.0;

/// The same true piece in another outcome.
fn same_piece<'p>(piece: &PieceOutcome, among: &'p [PieceOutcome]) -> Option<&'p PieceOutcome> {
    among.iter().find(|other| other.colour == piece.colour && (other.at - piece.at).norm() < SAME_MM)
}

fn of_piece(a: &PieceOutcome, b: &PieceOutcome) -> Option<String> {
    let mut what = Vec::new();
    if a.reported_colour != b.reported_colour {
        what.push(format!("colour {}, then {}", a.reported_colour, b.reported_colour));
    }
    if (a.error_x_mm - b.error_x_mm).hypot(a.error_y_mm - b.error_y_mm) > SAME_MM {
        what.push(format!("off by {:.2} mm, then {:.2} mm", a.error_mm(), b.error_mm()));
    }
    if a.trusted != b.trusted {
        what.push(if a.trusted { "no longer trusted".to_owned() } else { "trusted now".to_owned() });
    }
    let said = |contact: &Option<ContactOutcome>| {
        contact
            .as_ref()
            .map_or("no line".to_owned(), |contact| format!("{} {:?}", contact.line, contact.verdict))
    };
    let is_other = |a: &ContactOutcome, b: &ContactOutcome| a.line != b.line || a.verdict != b.verdict;
    let contacts_differ = match (&a.contact, &b.contact) {
        (Some(a), Some(b)) => is_other(a, b),
        (None, None) => false,
        _ => true,
    };
    if contacts_differ {
        what.push(format!("{}, then {}", said(&a.contact), said(&b.contact)));
    }
    (!what.is_empty()).then(|| format!("{} {}: {}", a.colour, at(a.at), what.join("; ")))
}

fn at(place: Point) -> String {
    format!("at {:.0}, {:.0} mm", place.x, place.y)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evaluate::ExtraPiece;

    fn piece(x: f64, error_x_mm: f64) -> PieceOutcome {
        PieceOutcome {
            id: 1,
            colour: "red".to_owned(),
            reported_colour: "red".to_owned(),
            at: Point::new(x, 50.0),
            error_x_mm,
            error_y_mm: 0.0,
            sigma_mm: 0.2,
            trusted: true,
            contact: None,
            wrong_place: None,
        }
    }

    fn evaluation(pieces: Vec<PieceOutcome>, extra: Vec<ExtraPiece>) -> PhotoEvaluation {
        PhotoEvaluation {
            name: "a.jpg".to_owned(),
            category: String::new(),
            outcome: Ok(PhotoOutcome { pieces, extra, ..PhotoOutcome::default() }),
            times: Default::default(),
        }
    }

    #[test]
    fn what_one_finds_and_the_other_does_not_is_told() {
        let one = [evaluation(vec![piece(10.0, 0.1), piece(90.0, 0.0)], Vec::new())];
        let extra = ExtraPiece { colour: "blue".to_owned(), at: Point::new(5.0, 5.0) };
        let two = [evaluation(vec![piece(10.0, 0.9)], vec![extra])];
        let told = differences(&one, &two, ["a.toml", "b.toml"]);
        assert!(told.contains("a.jpg: red at 10, 50 mm: off by 0.10 mm, then 0.90 mm"), "{told}");
        assert!(told.contains("red at 90, 50 mm: only a.toml finds it"), "{told}");
        assert!(told.contains("blue at 5, 5 mm: only b.toml has it, and nothing is there"), "{told}");
        assert!(told.contains("1 photos: 3 differences"), "{told}");
    }

    #[test]
    fn the_same_twice_differs_in_nothing() {
        let one = [evaluation(vec![piece(10.0, 0.1)], Vec::new())];
        assert_eq!(differences(&one, &one, ["a", "b"]), "1 photos: nothing differs\n");
    }
}
