//! Boards that fit alike, in words for people.

use super::{Difference, Fitting, apart::Length};

/// Differences that are worth a line: more is a list that nobody reads.
const MOST_TOLD: usize = 3;

pub(super) fn several(fitting: &[Fitting], apart: &[Difference]) -> String {
    let name = |fitting: &Fitting| format!("{} ({:.0} %)", fitting.board, 100.0 * fitting.probability);
    let names: Vec<String> = fitting.iter().map(name).collect();
    let [first, second] = [0, 1].map(|i| fitting.get(i).map_or("", |fitting| fitting.board.as_str()));
    let told: Vec<String> =
        apart.iter().take(MOST_TOLD).map(|difference| difference_words(difference, first, second)).collect();
    let told = match &told[..] {
        [] => "nothing in their files tells them apart".to_owned(),
        told => format!("what tells {first} from {second}: {}", told.join("; ")),
    };
    let count = if fitting.len() == 2 {
        "two boards fit".to_owned()
    } else {
        format!("{} boards fit", fitting.len())
    };
    format!("{count} this picture: {}; {told}. Name the right one: --board {first}", names.join(" and "))
}

fn difference_words(difference: &Difference, first: &str, second: &str) -> String {
    match difference {
        Difference::Line { board, line } => format!("only {board} has the line {line}"),
        Difference::Length { what, mm: [a, b] } => {
            let what = match what {
                Length::Across => "the surface's width is",
                Length::Along => "the surface's length is",
                Length::Piece => "a piece's diameter is",
                Length::PieceHeight => "a piece's height is",
                Length::RailHeight => "the rails' height is",
            };
            format!("{what} {a:.1} or {b:.1} mm")
        }
        Difference::Rails { has: [true, _] } => format!("{first} has rails, {second} has none"),
        Difference::Rails { .. } => format!("{second} has rails, {first} has none"),
    }
}
