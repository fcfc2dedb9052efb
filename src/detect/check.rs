//! What speaks for and against a piece at a place: named quantities, each with the limit that it is held to.
//!
//! Every way out of detection is one of these, so that what is rejected has a reason and a margin.

use nalgebra::Point2;
use serde::Serialize;

use super::light::Stops;
use crate::geometry::Point;

/// What is measured of a place.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Quantity {
    /// Part of a rim that votes for the place in the small view.
    Votes,
    /// How far the centre is inside where a piece can rest, in mm.
    InsideSides,
    /// How far the centre is outside every pocket, in mm.
    OutsidePockets,
    /// By how much the middle differs from the bare surface in the small view, in stops.
    MiddleStep,
    /// How far the middle is from the nearest kind in the small view, in standard deviations.
    MiddleDistance,
    /// Part of the whole rim that shows an edge at all.
    AnyRim,
    /// Distance from a piece that was found before, as part of the radius.
    FromPiece,
    /// Part of the visible rim that shows an edge.
    Rim,
    /// By how much the face differs from the surface, in stops, against what the surface's own texture shows.
    StepOverTexture,
    /// Part of the paint drawn under it that it hides.
    PaintHidden,
    /// Part of the face that is uneven.
    Unevenness,
    /// Samples of the face that nothing hides.
    FaceSamples,
    /// Part of the sides of a pale face that differ from it.
    SidesApart,
    /// Part of the rim that is seen where no paint is drawn.
    RimBesidePaint,
    /// By how much the face differs from the bare surface, in stops.
    FaceStep,
    /// Part of a printed disc's own outline that is seen there.
    PrintOutline,
    /// Distance from the middle of a printed disc, in mm.
    FromPrint,
    /// How far the face is from the nearest kind's colour, in standard deviations.
    KindDistance,
    /// How far the face is from a shadow's look, in standard deviations, against how far it is from the kind's.
    ShadowDistance,
    /// Part of what is seen that has the kind's colour.
    KindAllOver,
    /// Probability of its kind among all kinds of its size.
    KindProbability,
}

impl Quantity {
    /// For people.
    pub fn words(self) -> &'static str {
        match self {
            Self::Votes => "part of a rim that votes for it",
            Self::InsideSides => "room to the nearest side, mm",
            Self::OutsidePockets => "room to the nearest pocket, mm",
            Self::MiddleStep => "step of its middle from the bare surface, stops",
            Self::MiddleDistance => "its middle from the nearest kind's colour, deviations",
            Self::AnyRim => "part of the whole rim that shows an edge",
            Self::FromPiece => "distance from a piece found before, radii",
            Self::Rim => "part of the visible rim that shows an edge",
            Self::StepOverTexture => "step of the face over the surface's texture, stops",
            Self::PaintHidden => "part of the paint under it that is hidden",
            Self::Unevenness => "part of the face that is uneven",
            Self::FaceSamples => "samples of the face in view",
            Self::SidesApart => "part of its sides that differ from its face",
            Self::RimBesidePaint => "part of the rim seen where no paint is drawn",
            Self::FaceStep => "step of the face from the bare surface, stops",
            Self::PrintOutline => "part of the print's own outline that is seen",
            Self::FromPrint => "distance from the middle of a print, mm",
            Self::KindDistance => "face from the nearest kind's colour, deviations",
            Self::ShadowDistance => "face from a shadow's look, deviations",
            Self::KindAllOver => "part of it that has the kind's colour",
            Self::KindProbability => "probability of its kind",
        }
    }
}

/// On which side of its limit a quantity must be.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Bound {
    AtLeast,
    MoreThan,
    AtMost,
    LessThan,
}

/// A quantity held to its limit.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Check {
    pub quantity: Quantity,
    pub value: f64,
    pub bound: Bound,
    pub limit: f64,
    pub holds: bool,
    /// The option that sets the limit.
    pub option: &'static str,
    /// Why this limit and no other; empty where there is only one.
    pub because: &'static str,
}

impl Check {
    pub fn new(
        quantity: Quantity,
        value: impl Into<f64>,
        bound: Bound,
        limit: impl Into<f64>,
        option: &'static str,
    ) -> Self {
        let (value, limit) = (value.into(), limit.into());
        let holds = match bound {
            Bound::AtLeast => value >= limit,
            Bound::MoreThan => value > limit,
            Bound::AtMost => value <= limit,
            Bound::LessThan => value < limit,
        };
        Self { quantity, value, bound, limit, holds, option, because: "" }
    }

    pub fn at_least(q: Quantity, value: impl Into<f64>, limit: impl Into<f64>, option: &'static str) -> Self {
        Self::new(q, value, Bound::AtLeast, limit, option)
    }

    pub fn more_than(
        q: Quantity,
        value: impl Into<f64>,
        limit: impl Into<f64>,
        option: &'static str,
    ) -> Self {
        Self::new(q, value, Bound::MoreThan, limit, option)
    }

    pub fn at_most(q: Quantity, value: impl Into<f64>, limit: impl Into<f64>, option: &'static str) -> Self {
        Self::new(q, value, Bound::AtMost, limit, option)
    }

    pub fn less_than(
        q: Quantity,
        value: impl Into<f64>,
        limit: impl Into<f64>,
        option: &'static str,
    ) -> Self {
        Self::new(q, value, Bound::LessThan, limit, option)
    }

    /// The same with why its limit applies.
    pub fn because(self, because: &'static str) -> Self {
        Self { because, ..self }
    }

    /// By how much it speaks for a piece; negative where it speaks against one.
    pub fn margin(&self) -> f64 {
        match self.bound {
            Bound::AtLeast | Bound::MoreThan => self.value - self.limit,
            Bound::AtMost | Bound::LessThan => self.limit - self.value,
        }
    }
}

/// What a thing with a face shows that says whether it is a piece, each by itself and without limits.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Evidence {
    /// Part of the visible rim that shows an edge.
    pub rim: f64,
    /// Part of the face that is uneven.
    pub unevenness: f64,
    /// By how much the face differs from the surface, in factors of two of what the surface's texture shows.
    pub over_texture: f64,
    /// How far the face is from the nearest kind's colour, in standard deviations.
    pub kind_distance: f64,
    /// Whether its hue is its own.
    pub has_hue: bool,
}

/// The checks of one place, in order.
#[derive(Debug, Default)]
pub struct Case {
    pub checks: Vec<Check>,
    /// Once a face was seen and held against the kinds.
    pub evidence: Option<Evidence>,
    /// Whether what follows a check that fails is asked as well: what it would be otherwise.
    to_the_end: bool,
}

impl Case {
    /// One that ends with the first check that fails.
    pub fn strict() -> Self {
        Self::default()
    }

    pub fn to_the_end() -> Self {
        Self { to_the_end: true, ..Self::default() }
    }

    /// Notes a check. `None` where the case is decided by it.
    pub fn ask(&mut self, check: Check) -> Option<()> {
        self.checks.push(check);
        (check.holds || self.to_the_end).then_some(())
    }
}

/// How a place came to be looked at.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Glance {
    /// A rim voted for it, and it was not looked at any closer.
    Voted,
    /// A rim voted for it.
    Looked,
    /// Once more, without the edges of what hides part of it.
    BesideOthers,
    /// Once more, for the weaker edges of a pale face with a hue of its own.
    Closer,
    /// As something that a hand lies over in part.
    HiddenInPart,
    /// As something under another piece.
    Under,
    /// Because somebody asked.
    Asked,
}

impl Glance {
    /// For people.
    pub fn words(self) -> &'static str {
        match self {
            Self::Voted => "a rim voted for it, and it was not looked at any closer",
            Self::Looked => "a rim voted for it, and it was looked at",
            Self::BesideOthers => "looked at again without what hides part of it",
            Self::Closer => "looked at again for weaker edges",
            Self::HiddenInPart => "looked at as partly hidden by something else",
            Self::Under => "looked at as lying under another piece",
            Self::Asked => "looked at because you asked",
        }
    }
}

/// What a place was taken for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Outcome {
    Piece,
    Foreign,
    Nothing,
}

/// A place that was looked at, and what came of it.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Looked {
    pub centre: Point,
    /// Where the middle of the top face would be seen.
    pub px: Option<Point2<f64>>,
    /// Index into the board's pieces of a kind of the size that was looked for.
    pub sized_like: usize,
    pub glance: Glance,
    pub outcome: Outcome,
    /// The kind that the face is nearest to, and how likely that is among those of its size.
    pub nearest: Option<(usize, f64)>,
    /// By how much its face differs from the surface around it, in stops.
    pub face_stops: Option<Stops>,
    /// In order; of a place that is no piece, the last one decided unless all were asked.
    pub checks: Vec<Check>,
    /// `None` where no face was seen.
    pub evidence: Option<Evidence>,
}

impl Looked {
    /// The first check that speaks against a piece.
    pub fn reason(&self) -> Option<&Check> {
        self.checks.iter().find(|check| !check.holds)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_margin_is_positive_where_a_check_holds() {
        for (value, limit) in [(0.5, 0.4), (0.4, 0.5), (-1.0, 0.0), (2.0, 2.0)] {
            for bound in [Bound::AtLeast, Bound::MoreThan, Bound::AtMost, Bound::LessThan] {
                let check = Check::new(Quantity::Rim, value, bound, limit, "detect.rim_min");
                let is_strict = matches!(bound, Bound::MoreThan | Bound::LessThan);
                let holds = if is_strict { check.margin() > 0.0 } else { check.margin() >= 0.0 };
                assert_eq!(check.holds, holds, "{check:?}");
            }
        }
    }

    #[test]
    fn a_strict_case_ends_with_the_first_check_that_fails() {
        let [good, bad] = [0.9, 0.1].map(|seen| Check::at_least(Quantity::Rim, seen, 0.7, "detect.rim_min"));
        let decided = |mut case: Case| {
            let decided = case.ask(good).and_then(|()| case.ask(bad)).and_then(|()| case.ask(good)).is_none();
            (decided, case.checks.len())
        };
        assert_eq!(decided(Case::strict()), (true, 2));
        assert_eq!(decided(Case::to_the_end()), (false, 3));
    }
}
