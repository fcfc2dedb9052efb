//! Pieces do not come and go by themselves.
//!
//! In: the pieces of the settled view before and of this one, and how much of each one's place has
//! changed in between. Out: the pieces as they must be. A piece that is not found again although
//! nothing has changed where it lay is still there; one that is found where nothing has changed was
//! there before and was overlooked, or is part of a piece that lay there. Either is told.

use super::lying::Lying;
use crate::motion::nearest_first;

/// What tells one piece from another.
#[derive(Debug, Clone, Copy)]
pub struct Sameness {
    /// Share of a piece's place that must have changed for it to have come, gone or moved.
    pub changed_share: f64,
    /// Two findings within this are of one piece, in mm.
    pub same_mm: f64,
}

/// A piece with how much of its place has changed since the view before; `None` where that is not
/// known.
#[derive(Debug, Clone, Copy)]
pub struct Placed<'p> {
    pub piece: &'p Lying,
    pub changed_share: Option<f64>,
}

impl Placed<'_> {
    fn is_untouched(&self, sameness: &Sameness) -> bool {
        self.changed_share.is_some_and(|share| share < sameness.changed_share)
    }
}

/// What must lie there.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Persisting {
    pub pieces: Vec<Lying>,
    /// Those of them that must have lain there in the view before too, where they were overlooked.
    pub overlooked: Vec<Lying>,
    /// What about them contradicts the reports, in words.
    pub remarks: Vec<String>,
}

/// The pieces of this view, given the view before.
pub fn persist(before: &[Placed<'_>], after: &[Placed<'_>], sameness: &Sameness) -> Persisting {
    let mut remarks = Vec::new();
    let mut overlooked = Vec::new();
    let near = |a: &Lying, b: &Lying| (a.at() - b.at()).norm() < sameness.same_mm;
    let same = pairs(before, after, sameness.same_mm);
    let mut pieces: Vec<Lying> = Vec::new();
    for (index, found) in after.iter().enumerate() {
        let Lying { kind, x_mm, y_mm, .. } = found.piece;
        let there = same.iter().find(|(_, new)| *new == index).map(|(old, _)| &before[*old]);
        match there {
            Some(old) if found.is_untouched(sameness) && old.piece.kind != *kind => {
                let was = &old.piece.kind;
                remarks.push(format!(
                    "the piece at x {x_mm:.0}, y {y_mm:.0} looks {kind} now and {was} before: which is it?"
                ));
                pieces.push(Lying { kind: was.clone(), ..found.piece.clone() });
            }
            // Two cannot lie where one did, unless somebody has laid one on the other.
            None if found.is_untouched(sameness) && before.iter().any(|old| near(old.piece, found.piece)) => {
                remarks.push(format!(
                    "the piece at x {x_mm:.0}, y {y_mm:.0} looks like two, but nothing has changed there"
                ));
            }
            None if found.is_untouched(sameness) => {
                remarks.push(format!(
                    "a {kind} piece lies at x {x_mm:.0}, y {y_mm:.0}, where none was seen before and nothing \
                     has changed: is it one?"
                ));
                overlooked.push(found.piece.clone());
                pieces.push(found.piece.clone());
            }
            _ => pieces.push(found.piece.clone()),
        }
    }
    for (index, old) in before.iter().enumerate().filter(|(_, old)| old.is_untouched(sameness)) {
        if !same.iter().any(|(there, _)| *there == index) {
            let Lying { kind, x_mm, y_mm, .. } = old.piece;
            remarks.push(format!(
                "the {kind} piece at x {x_mm:.0}, y {y_mm:.0} was not found again, but nothing has changed there"
            ));
            pieces.push(old.piece.clone());
        }
    }
    Persisting { pieces, overlooked, remarks }
}

/// Which piece of the view before is which one now: indices of both, the nearest taken first, of the same kind before
/// others.
fn pairs(before: &[Placed<'_>], after: &[Placed<'_>], same_mm: f64) -> Vec<(usize, usize)> {
    let all = (0..before.len()).flat_map(|old| (0..after.len()).map(move |new| (old, new)));
    let near = all.filter_map(|(old, new)| {
        let (was, is) = (before[old].piece, after[new].piece);
        let apart_mm = (was.at() - is.at()).norm();
        // One of another kind comes after every one of the same.
        let after_mm = if was.kind == is.kind { 0.0 } else { same_mm };
        (apart_mm < same_mm).then_some((apart_mm + after_mm, old, new))
    });
    nearest_first(near.collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::calls::PieceState;

    const SAMENESS: Sameness = Sameness { changed_share: 0.12, same_mm: 12.0 };

    fn piece(kind: &str, x_mm: f64) -> Lying {
        Lying { kind: kind.into(), x_mm, y_mm: 50.0, sigma_mm: 0.1, state: PieceState::Live, id: 1 }
    }

    fn placed(pieces: &[Lying], changed_share: f64) -> Vec<Placed<'_>> {
        pieces.iter().map(|piece| Placed { piece, changed_share: Some(changed_share) }).collect()
    }

    #[test]
    fn a_piece_that_is_not_found_again_stays() {
        let before = [piece("red", 10.0), piece("blue", 90.0)];
        let after = [piece("red", 10.1)];
        let found = persist(&placed(&before, 0.0), &placed(&after, 0.0), &SAMENESS);
        assert_eq!((found.pieces.len(), found.remarks.len()), (2, 1));
        let found = persist(&placed(&before, 0.9), &placed(&after, 0.9), &SAMENESS);
        assert_eq!((found.pieces.len(), found.remarks.len()), (1, 0), "it went");
    }

    #[test]
    fn one_piece_does_not_become_two_where_nothing_has_changed() {
        let before = [piece("white", 16.0)];
        let after = [piece("white", 20.0), piece("white", 17.0)];
        let found = persist(&placed(&before, 0.0), &placed(&after, 0.0), &SAMENESS);
        assert_eq!((found.pieces, found.remarks.len()), (vec![piece("white", 17.0)], 1));
        let laid = persist(&placed(&before, 0.5), &placed(&after, 0.5), &SAMENESS);
        assert_eq!((laid.pieces.len(), laid.remarks.len()), (2, 0), "one was laid on it");
        // Nor do two become one.
        let found = persist(&placed(&after, 0.0), &placed(&before, 0.0), &SAMENESS);
        assert_eq!((found.pieces.len(), found.remarks.len()), (2, 1));
    }

    #[test]
    fn nothing_comes_or_turns_colour_where_nothing_has_changed() {
        let before = [piece("red", 10.0)];
        let after = [piece("blue", 10.1), piece("red", 70.0)];
        let found = persist(&placed(&before, 0.0), &placed(&after, 0.0), &SAMENESS);
        assert_eq!(found.pieces, [piece("red", 10.1), piece("red", 70.0)]);
        assert_eq!((found.overlooked.len(), found.remarks.len()), (1, 2));
        let found = persist(&placed(&before, 0.5), &placed(&after, 0.5), &SAMENESS);
        assert_eq!((found.pieces.len(), found.overlooked.len(), found.remarks.len()), (2, 0, 0));
    }
}
