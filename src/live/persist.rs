//! Pieces do not come and go by themselves.
//!
//! In: the pieces of the settled view before and of this one, and how much of each one's place has
//! changed in between. Out: the pieces as they must be. A piece that is not found again although
//! nothing has changed where it lay is still there; one that is found where nothing has changed was
//! there before and was overlooked. Either is told.

use super::lying::Lying;

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
    let mut pieces: Vec<Lying> = Vec::new();
    for found in after {
        let Lying { kind, x_mm, y_mm, .. } = found.piece;
        let there = before.iter().find(|old| near(old.piece, found.piece));
        match there {
            Some(old) if found.is_untouched(sameness) && old.piece.kind != *kind => {
                let was = &old.piece.kind;
                remarks.push(format!(
                    "the piece at x {x_mm:.0}, y {y_mm:.0} looks {kind} now and {was} before: which is it?"
                ));
                pieces.push(Lying { kind: was.clone(), ..found.piece.clone() });
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
    for old in before.iter().filter(|old| old.is_untouched(sameness)) {
        if !after.iter().any(|found| near(old.piece, found.piece)) {
            let Lying { kind, x_mm, y_mm, .. } = old.piece;
            remarks.push(format!(
                "the {kind} piece at x {x_mm:.0}, y {y_mm:.0} was not found again, but nothing has changed there"
            ));
            pieces.push(old.piece.clone());
        }
    }
    Persisting { pieces, overlooked, remarks }
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
