//! Calls: a piece and the paint beside it become area, signed gap and probability of contact.
//!
//! In: a [`Board`], a [`Sighting`] (kind, footprint centre with covariance) and, where a picture
//! shows it, how far the paint lies off its drawing ([`PaintEdge`]). Out: a [`Call`] with every
//! outcome that the measurement leaves open. No pixels and no scores of games: vision and the
//! rules both call with this module, so a photo and a match file cannot disagree.

mod contact;
mod doubt;
mod order;
mod outcome;
mod placement;

#[cfg(test)]
mod tests;

use nalgebra::Matrix2;
use serde::{Deserialize, Serialize};

use crate::{
    board::{Board, End},
    geometry::{Point, Vector},
};

use contact::Gaps;
pub(crate) use contact::Meeting;
pub use doubt::{called_from_sigmas, probability_below};
pub use order::{LagCall, Order, OrderCall, farther, lag};
pub use outcome::Brink;
pub(crate) use outcome::Outcomes;
pub use placement::{Placement, PlacementCall, StrikerGaps, striker_gaps, striker_placement};

/// A piece as it was seen or told.
#[derive(Debug, Clone, PartialEq)]
pub struct Sighting {
    /// Name of its kind in the board file: a colour, `queen`, `striker`, `green`, `shooter`.
    pub kind: String,
    /// Centre of the footprint.
    pub centre: Point,
    /// Covariance of the centre, in mm².
    pub covariance: Matrix2<f64>,
    /// Whether it lies on another piece, or leans: then its footprint decides nothing.
    pub stacked: bool,
    /// Whether something shows under it that may be another piece; see [`CallOptions::on_another`].
    pub may_be_stacked: bool,
    /// Whether the measurement may be called from at all; see [`CallOptions::untrusted_sigma_mm`].
    pub trusted: bool,
}

impl Sighting {
    /// A position that is taken as true.
    pub fn exact(kind: &str, centre: Point) -> Self {
        Self::with_sigma(kind, centre, 0.0)
    }

    /// A position with the same standard deviation along every axis.
    pub fn with_sigma(kind: &str, centre: Point, sigma_mm: f64) -> Self {
        let covariance = Matrix2::identity() * (sigma_mm * sigma_mm);
        let (stacked, may_be_stacked) = (false, false);
        Self { kind: kind.to_owned(), centre, covariance, stacked, may_be_stacked, trusted: true }
    }

    /// Standard deviation of the centre along each axis, in the mean of both: as wide as calls take it.
    pub fn sigma_mm(&self, options: &CallOptions) -> f64 {
        self.lying().at_least((self.covariance.trace().max(0.0) / 2.0).sqrt(), options)
    }

    /// Standard deviation of the centre along the board's length.
    pub(crate) fn sigma_toward_mm(&self, end: End, options: &CallOptions) -> f64 {
        self.sigma_along_mm(contact::toward(end), options)
    }

    pub(crate) fn lying(&self) -> Lying {
        Lying {
            centre: self.centre,
            covariance: self.covariance,
            stacked: self.stacked,
            may_be_stacked: self.may_be_stacked,
            trusted: self.trusted,
            is_exact: self.trusted && self.covariance == Matrix2::zeros(),
        }
    }

    /// Standard deviation of the centre along the unit vector `along`.
    fn sigma_along_mm(&self, along: Vector, options: &CallOptions) -> f64 {
        self.lying().sigma_along_mm(along, options)
    }
}

/// A [`Sighting`] without its kind: what calls are made from.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Lying {
    pub centre: Point,
    pub covariance: Matrix2<f64>,
    pub stacked: bool,
    pub may_be_stacked: bool,
    pub trusted: bool,
    /// Whether there is no doubt at all about the centre.
    pub is_exact: bool,
}

impl Lying {
    /// A position with the same standard deviation along every axis.
    pub fn with_sigma(centre: Point, sigma_mm: f64) -> Self {
        let covariance = Matrix2::identity() * (sigma_mm * sigma_mm);
        let (stacked, may_be_stacked) = (false, false);
        Self { centre, covariance, stacked, may_be_stacked, trusted: true, is_exact: sigma_mm == 0.0 }
    }

    /// Standard deviation of the centre along the board's length.
    pub fn sigma_toward_mm(&self, end: End, options: &CallOptions) -> f64 {
        self.sigma_along_mm(contact::toward(end), options)
    }

    /// Standard deviation of the centre along the unit vector `along`.
    fn sigma_along_mm(&self, along: Vector, options: &CallOptions) -> f64 {
        if self.is_exact {
            return 0.0;
        }
        self.at_least((along.transpose() * self.covariance * along).x.max(0.0).sqrt(), options)
    }

    /// A measured deviation, or a wider one where the measurement is not trusted.
    fn at_least(&self, sigma_mm: f64, options: &CallOptions) -> f64 {
        if self.trusted { sigma_mm } else { sigma_mm.max(options.untrusted_sigma_mm) }
    }

    /// What is farther away than this is plainly cleared, in mm: no doubt about the centre reaches so
    /// far. `None` where the doubt is greater than paint is looked for.
    fn plainly_clears_mm(&self, options: &CallOptions) -> Option<f64> {
        if self.is_exact {
            return Some(0.0);
        }
        // No direction has a greater sigma.
        let sigma_mm = self.at_least(self.covariance.trace().max(0.0).sqrt(), options);
        let reach_mm = options.paint_reach_mm;
        let p = doubt::probability_below(reach_mm, sigma_mm, options.tail_freedom);
        (doubt::contact_call(p, options) == ContactCall::Clear).then_some(reach_mm)
    }
}

/// Paint beside a piece as it was seen: how far its edge lies from the drawing.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct PaintEdge {
    /// Distance by which the paint's edge facing the piece is nearer to the piece than the board
    /// file says, in mm.
    pub nearer_mm: f64,
    /// Its standard deviation.
    pub sigma_mm: f64,
    /// Whether it was measured in the picture; else it is the drawing with its usual error.
    pub observed: bool,
    /// Standard deviation of the piece against this paint, without the paint's own, where both
    /// were measured in one picture: errors of the board plane are common to them and drop out.
    /// `None`: the piece's own covariance holds.
    pub piece_sigma_mm: Option<f64>,
}

impl PaintEdge {
    /// Paint that lies exactly as drawn: what holds for positions without a picture.
    pub fn as_drawn(_line: usize) -> PaintEdge {
        PaintEdge::default()
    }
}

crate::options::options! {
    /// When a measurement is good enough for a call.
    #[derive(Debug, Clone, Copy, PartialEq)]
    pub struct CallOptions {
        /// Probability from which an outcome is certain. 0.99 by default; higher leaves more calls to
        /// people, lower makes the program wrong more often.
        pub sure: f64 = 0.99,
        /// Degrees of freedom of the Student t distribution that measured lengths follow, with the
        /// stated sigma as its scale. 5 by default: 3 % lie beyond three sigma, as measured; a normal
        /// distribution (infinitely many) would promise 0.3 % and call too much.
        pub tail_freedom: u32 = 5,
        /// Least sigma in mm of a measurement that is not trusted. 2 by default: a piece that was found
        /// but not measured well is still in that neighbourhood, so only lines near it stay open.
        pub untrusted_sigma_mm: f64 = 2.0,
        /// Paint is asked for only when the drawn line is at most this far from the rim, in mm. 12 by
        /// default: wider costs time, narrower trusts the drawing more.
        pub paint_reach_mm: f64 = 12.0,
        /// How likely a piece lies on another where something shows under it that may be one. 0.3 by default: print and
        /// shadows look like that too; less is never asked about, more calls single pieces stacked.
        pub on_another: f64 = 0.3,
    }
}

/// What a call says about one line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ContactCall {
    Clear,
    Touching,
    TooClose,
}

/// A piece against the line that decides its call.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Contact {
    pub line: String,
    /// Rim to paint, negative when over it.
    pub gap_mm: f64,
    pub sigma_mm: f64,
    pub p_touching: f64,
    pub call: ContactCall,
}

/// What has become of a piece.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum PieceState {
    Live,
    /// Short of the foul line, or touching it (C5, N3).
    Dead,
    /// On the board with its footprint past an open end (L5).
    Hanging,
    /// Over a pocket or beyond the surface.
    Off,
    /// On another piece: not called.
    Stacked,
}

/// One way in which a call can come out.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Outcome {
    pub state: PieceState,
    /// The area the piece scores in, or would score in if it touched no line.
    pub area: Option<String>,
    /// What the area gives for it, before any rule that weighs pieces against each other (L3);
    /// `None` where the board has no areas or the piece cannot be called.
    pub points: Option<i32>,
    /// Whether it touches a line that keeps it from scoring.
    pub touching: bool,
    pub probability: f64,
}

/// What is said about one piece.
#[derive(Debug, Clone, PartialEq)]
pub struct Call {
    /// As in the likeliest outcome, as are `state` and `points`.
    pub area: Option<String>,
    pub state: PieceState,
    pub points: Option<i32>,
    /// The nearest line that matters for the call.
    pub contact: Option<Contact>,
    /// The open end, as if it were a line: `touching` means that the piece hangs over it. Present
    /// where the board scores hanging pieces.
    pub overhang: Option<Contact>,
    /// Likeliest first; more than one only where the measurement leaves the call open.
    pub outcomes: Vec<Outcome>,
}

impl Call {
    /// Whether the measurement leaves only one outcome.
    pub fn is_sure(&self) -> bool {
        self.outcomes.len() == 1
    }
}

/// A piece against the board's line of that index, whether or not the line decides its call.
/// `None` for a kind or a line that the board file does not name.
pub fn line_contact(
    board: &Board,
    end: End,
    sighting: &Sighting,
    line: usize,
    paint: &dyn Fn(usize) -> PaintEdge,
    options: &CallOptions,
) -> Option<Contact> {
    let radius_mm = board.piece(&sighting.kind)?.radius_mm();
    board.lines.get(line)?;
    Some(contact::meet(board, line, end, sighting, radius_mm, paint, options).contact(board))
}

/// Calls one piece in play at `end`. `paint` gives the edge of the board's line of that index next
/// to this piece. `None` for a kind that the board file does not name.
pub fn call(
    board: &Board,
    end: End,
    sighting: &Sighting,
    paint: &dyn Fn(usize) -> PaintEdge,
    options: &CallOptions,
) -> Option<Call> {
    let radius_mm = board.piece(&sighting.kind)?.radius_mm();
    let lying = sighting.lying();
    let mut lines = Vec::with_capacity(board.lines.len());
    contact::lines_that_matter(board, end, &lying, radius_mm, paint, Gaps::All, options, &mut lines);
    let outcomes = outcome::outcomes(board, end, &lying, radius_mm, &lines, options);
    let likeliest = outcomes.likeliest()?;
    Some(Call {
        area: likeliest.area.map(str::to_owned),
        state: likeliest.state,
        points: likeliest.points,
        contact: contact::deciding(board, &lines),
        overhang: contact::overhang(board, end, &lying, radius_mm, options),
        outcomes: outcomes.iter().map(Outcome::from).collect(),
    })
}

/// What the rules need of a call: nothing is measured, named or copied that they do not ask for, so
/// that a long match folds quickly.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Outlook<'b> {
    pub outcomes: Outcomes<'b>,
    /// The line that is too close to call, or `end`, where there is one.
    pub too_close: Option<&'b str>,
}

/// The nearest edge beyond which a piece would have nothing under its centre, with the gap from the
/// centre: a pocket's mouth or the surface's own edge.
pub fn brink(board: &Board, sighting: &Sighting, options: &CallOptions) -> Option<(Brink, Contact)> {
    outcome::brink(board, &sighting.lying(), options)
}

/// The outlook for a piece of a told position: [`call`] with the paint as drawn. `meetings` is memory
/// that is used again from piece to piece.
pub(crate) fn outlook<'b>(
    board: &'b Board,
    end: End,
    lying: &Lying,
    radius_mm: f64,
    options: &CallOptions,
    meetings: &mut Vec<Meeting>,
) -> Outlook<'b> {
    contact::lines_that_matter(
        board,
        end,
        lying,
        radius_mm,
        &PaintEdge::as_drawn,
        Gaps::Near,
        options,
        meetings,
    );
    let outcomes = outcome::outcomes(board, end, lying, radius_mm, meetings, options);
    let is_sure = outcomes.iter().count() == 1;
    let too_close = if is_sure { None } else { too_close(board, end, lying, radius_mm, meetings, options) };
    Outlook { outcomes, too_close }
}

/// The open end or the line that leaves a call open.
fn too_close<'b>(
    board: &'b Board,
    end: End,
    lying: &Lying,
    radius_mm: f64,
    meetings: &[Meeting],
    options: &CallOptions,
) -> Option<&'b str> {
    let overhang = contact::overhang_call(board, end, lying, radius_mm, options);
    if overhang == Some(ContactCall::TooClose) {
        return Some(contact::OPEN_END);
    }
    let deciding = contact::deciding_meeting(meetings.iter())?;
    (deciding.call == ContactCall::TooClose).then(|| board.lines[deciding.line].name.as_str())
}
