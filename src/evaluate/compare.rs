//! One photo's report against its truth.
//!
//! In: a report and a truth. Out: a [`PhotoOutcome`]: what became of every true piece, and what
//! was reported that is not there.

use super::{
    CameraSource, EvaluateOptions,
    truth::{TruePiece, Truth},
    turn,
};
use crate::{
    board::Board,
    calls::{CallOptions, Contact, ContactCall, PaintEdge, PieceState, Sighting, striker_placement},
    geometry::{Disc, Point},
    rules::ColourTally,
    score::{PhotoReport, PieceReport, tally_words},
};

/// What became of one photo.
#[derive(Debug, Clone, Default)]
pub struct PhotoOutcome {
    pub pieces: Vec<PieceOutcome>,
    pub missed: Vec<MissedPiece>,
    pub extra: Vec<ExtraPiece>,
    /// Of settled views of games that are tallied.
    pub tally: Option<TallyOutcome>,
}

/// A reported tally against the true one.
#[derive(Debug, Clone)]
pub struct TallyOutcome {
    pub reported: String,
    pub right: bool,
    /// Whether the report leaves no doubt about it.
    pub sure: bool,
    /// Whether the true tally is the reported one, or one that a doubt names.
    pub true_is_named: bool,
}

#[derive(Debug, Clone)]
pub struct MissedPiece {
    pub colour: String,
    pub at: Point,
}

#[derive(Debug, Clone)]
pub struct ExtraPiece {
    pub colour: String,
    pub at: Point,
}

/// A true piece that was found.
#[derive(Debug, Clone)]
pub struct PieceOutcome {
    pub id: usize,
    pub colour: String,
    pub reported_colour: String,
    pub at: Point,
    /// Reported minus true footprint centre.
    pub error_x_mm: f64,
    pub error_y_mm: f64,
    pub sigma_mm: f64,
    pub trusted: bool,
    pub contact: Option<ContactOutcome>,
    /// What the report says of its area, state or placement where that is wrong and no open call
    /// excuses it.
    pub wrong_place: Option<String>,
}

impl PieceOutcome {
    pub fn error_mm(&self) -> f64 {
        self.error_x_mm.hypot(self.error_y_mm)
    }
}

/// A reported contact with what is true of the same line.
#[derive(Debug, Clone)]
pub struct ContactOutcome {
    pub line: String,
    pub gap_mm: f64,
    pub sigma_mm: f64,
    pub p_touching: f64,
    pub true_gap_mm: f64,
    pub verdict: Verdict,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    Right,
    /// Called, and wrong, at a probability that is not called sure.
    Wrong,
    /// Called, wrong, and said to be sure: the worst a scorer can do.
    WrongAndSure,
    /// Left open where the truth is close.
    Open,
    /// Left open although the truth is not close.
    OpenNeedlessly,
}

/// Compares a report with the truth. A board that looks the same from each side does not show
/// which side is near, so it may be read turned, in a photo or when its camera is calibrated: the
/// truth is turned to the reading that fits best. Only the true camera knows the sides.
pub fn compare(
    report: &PhotoReport,
    truth: &Truth,
    board: &Board,
    options: &EvaluateOptions,
) -> PhotoOutcome {
    let turns = match options.camera {
        CameraSource::Truth => vec![0],
        CameraSource::File | CameraSource::None => turn::quarter_turns(board),
    };
    turns
        .into_iter()
        .map(|turns| compare_as_is(report, &turn::turned(truth, board, turns), board, options))
        .min_by_key(|outcome| outcome.missed.len() + outcome.extra.len())
        .unwrap_or_default()
}

fn compare_as_is(
    report: &PhotoReport,
    truth: &Truth,
    board: &Board,
    options: &EvaluateOptions,
) -> PhotoOutcome {
    let pairs = pair_pieces(report, truth, options);
    let mut outcome = PhotoOutcome::default();
    for (index, piece) in truth.pieces.iter().enumerate() {
        let at = Point::new(piece.x_mm, piece.y_mm);
        let counts = piece.in_view
            && !piece.moving
            && piece.visible_fraction.unwrap_or(1.0) >= options.min_visible_fraction;
        match pairs.iter().find(|pair| pair.truth == index) {
            Some(pair) if counts => {
                let reported = &report.pieces[pair.report];
                outcome.pieces.push(PieceOutcome {
                    id: reported.id,
                    colour: piece.colour.clone(),
                    reported_colour: reported.colour.clone(),
                    at,
                    error_x_mm: reported.x_mm - at.x,
                    error_y_mm: reported.y_mm - at.y,
                    sigma_mm: reported.sigma_mm,
                    trusted: reported.trusted,
                    contact: reported.contact.as_ref().and_then(|contact| {
                        let disc = Disc { centre: at, radius_mm: piece.diameter_mm / 2.0 };
                        judge_contact(contact, &disc, report, board, options)
                    }),
                    wrong_place: wrong_place(reported, piece, board),
                });
            }
            None if counts => outcome.missed.push(MissedPiece { colour: piece.colour.clone(), at }),
            _ => {}
        }
    }
    for (index, piece) in report.pieces.iter().enumerate() {
        let blurred = |moving: &TruePiece| {
            let reach_mm = options.moving_diameters * moving.diameter_mm;
            moving.moving && distance_mm(piece, moving.x_mm, moving.y_mm) <= reach_mm
        };
        if !pairs.iter().any(|pair| pair.report == index) && !truth.pieces.iter().any(blurred) {
            let at = Point::new(piece.x_mm, piece.y_mm);
            outcome.extra.push(ExtraPiece { colour: piece.colour.clone(), at });
        }
    }
    outcome.tally = judge_tally(report, truth);
    outcome
}

/// Area and placement as the truth has them: `None` where the report agrees or leaves it open.
fn wrong_place(reported: &PieceReport, truth: &TruePiece, board: &Board) -> Option<String> {
    if reported.is_close() || reported.state == PieceState::Stacked {
        return None;
    }
    if let Some(placement) = reported.placement {
        // From the true place: truth files draw the moons elsewhere than some board files.
        let exact = Sighting::exact(&truth.colour, Point::new(truth.x_mm, truth.y_mm));
        let true_call = striker_placement(board, &exact, &PaintEdge::as_drawn, &CallOptions::default())?;
        let wrong = true_call.placement != placement && !reported.is_placement_open();
        return wrong.then(|| format!("{placement:?} for {:?}", true_call.placement));
    }
    // A piece that touches a line has no true area; the report names the one it would score in.
    let scores = match &reported.area {
        Some(area) if reported.is_scoring(board) => Some(area.as_str()),
        _ => None,
    };
    let wrong = !board.areas.is_empty() && scores != truth.area_name();
    wrong.then(|| format!("area {}", scores.unwrap_or("none")))
}

fn judge_tally(report: &PhotoReport, truth: &Truth) -> Option<TallyOutcome> {
    let expected = truth.tally.as_ref().filter(|_| !truth.is_moving())?;
    let is_true = |tally: &ColourTally| {
        tally.0.len() == expected.len()
            && tally.0.iter().all(|(colour, points)| expected.get(colour) == Some(points))
    };
    let right = is_true(&report.tally);
    Some(TallyOutcome {
        reported: tally_words(&report.tally),
        right,
        sure: report.doubts.is_empty() && report.uncalled.is_empty(),
        true_is_named: right || report.doubts.iter().any(|doubt| is_true(&doubt.tally)),
    })
}

struct Pair {
    truth: usize,
    report: usize,
}

/// Pairs reported with true pieces, the nearest first; one is used once. A piece of the right
/// colour goes before one of another, so that a stacked pair is not swapped.
fn pair_pieces(report: &PhotoReport, truth: &Truth, options: &EvaluateOptions) -> Vec<Pair> {
    let mut near = Vec::new();
    for (t, true_piece) in truth.pieces.iter().enumerate() {
        for (r, reported) in report.pieces.iter().enumerate() {
            let distance_mm = distance_mm(reported, true_piece.x_mm, true_piece.y_mm);
            if distance_mm <= options.match_radius_share * true_piece.diameter_mm / 2.0 {
                near.push((reported.colour != true_piece.colour, distance_mm, t, r));
            }
        }
    }
    near.sort_by(|a, b| a.0.cmp(&b.0).then(a.1.total_cmp(&b.1)).then((a.2, a.3).cmp(&(b.2, b.3))));
    let mut pairs: Vec<Pair> = Vec::new();
    for (_, _, truth, report) in near {
        if pairs.iter().all(|pair| pair.truth != truth && pair.report != report) {
            pairs.push(Pair { truth, report });
        }
    }
    pairs
}

fn distance_mm(piece: &PieceReport, x_mm: f64, y_mm: f64) -> f64 {
    (piece.x_mm - x_mm).hypot(piece.y_mm - y_mm)
}

/// Judges a contact by the drawing of the line that it names.
fn judge_contact(
    contact: &Contact,
    disc: &Disc,
    report: &PhotoReport,
    board: &Board,
    options: &EvaluateOptions,
) -> Option<ContactOutcome> {
    let true_gap_mm = board
        .lines_at(report.end)
        .filter(|line| line.name == contact.line)
        .map(|line| disc.gap_mm(&line.paint))
        .min_by(f64::total_cmp)?;
    let touching = true_gap_mm <= 0.0;
    let p_right = if touching { contact.p_touching } else { 1.0 - contact.p_touching };
    let verdict = match contact.call {
        ContactCall::TooClose if true_gap_mm.abs() < options.close_mm => Verdict::Open,
        ContactCall::TooClose => Verdict::OpenNeedlessly,
        call if (call == ContactCall::Touching) == touching => Verdict::Right,
        _ if p_right < 1.0 - options.sure_probability => Verdict::WrongAndSure,
        _ => Verdict::Wrong,
    };
    Some(ContactOutcome {
        line: contact.line.clone(),
        gap_mm: contact.gap_mm,
        sigma_mm: contact.sigma_mm,
        p_touching: contact.p_touching,
        true_gap_mm,
        verdict,
    })
}
