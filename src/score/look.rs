//! What is seen on a registered board: measured pieces, and the paint beside them.

use std::time::Instant;

use nalgebra::Matrix2;

use super::{RoomOptions, ScoreOptions, StageTimes, room};
use crate::{
    board::{Board, LineRole},
    calls::Sighting,
    capture::Picture,
    detect::{Candidate, Check, Detector, Foreign, Quantity, rest_checks, room_to_pockets},
    evidence::{Thing, Weights},
    geometry::{Disc, Point},
    measure::{ByCamera, Measurement, PaintEdge, measure, measure_paint, sigma_beside_paint_mm},
    register::Registration,
};

crate::options::options! {
    #[derive(Debug, Clone)]
    pub struct LookOptions {
        /// Standard deviation given to a piece that was found but could not be measured, in mm.
        /// Default 2: what detection promises. Such a piece never gets a confident close call.
        pub unmeasured_sigma_mm: f64 = 2.0,
        /// On a board that is only roughly known, a piece that could not be measured well is a pocket's net or edge if a pocket so
        /// many times as far off as the board file says would take it. Default 2.
        pub pocket_off_times: f64 = 2.0,
        /// Standard deviation of paint that was not measured about its drawing, in mm. Default 0.15:
        /// lines of a well-made table lie up to 0.17 mm off.
        pub drawn_paint_sigma_mm: f64 = 0.15,
        /// Below this probability a piece's colour is told as a doubt. Default 0.9: detection's
        /// probabilities are rough, and a doubt about every dark piece would hide the real ones.
        pub colour_sure: f64 = 0.9,
        /// How likely a round thing of a piece's size, in no kind's colour, is a piece all the same. Default 0.3: it may be a coin,
        /// or a piece in odd light; the tally, which leaves it out, is that much less sure for each.
        pub unknown_is_piece: f64 = 0.3,
        /// How likely the one left out of too many pieces of a kind is a piece, and one that was counted is none. Default 0.5: which
        /// of them it is, is hard to tell; lower, and a tally with the wrong one in it is sure.
        pub surplus_is_piece: f64 = 0.5,
        /// How likely a board of which nobody said where its ends are was read the right way round all the same, where most pieces
        /// lie at the end that nobody played to. Default 0.5: both ends look alike.
        pub other_end: f64 = 0.5,
        /// A fixed camera has moved when the board's paint lies farther than this from where the
        /// camera file expects it, in pixels. Default 1.5: about a millimetre; less would take noise
        /// and worn paint for movement. The photo is then registered by its own lines.
        pub moved_px: f64 = 1.5,
        /// Places of paint that are looked at to notice this. Default 150: more costs time.
        pub check_stations: usize = 150,
        pub room: RoomOptions = RoomOptions::default(),
    }
}

/// A piece that was found and measured.
#[derive(Debug, Clone)]
pub struct Seen {
    pub candidate: Candidate,
    pub measurement: Measurement,
    /// Whether `measurement` was measured; else it is the candidate's rough place.
    pub measured: bool,
    /// How likely it is that a piece lies there; `None` for one that is known to be there.
    pub p_exists: Option<f64>,
    /// The paint in reach.
    pub paint: Vec<SeenPaint>,
    drawn_paint_sigma_mm: f64,
}

impl Seen {
    /// A piece whose measurement and paint are taken as exact.
    pub fn exact(candidate: Candidate, measurement: Measurement) -> Self {
        Self {
            candidate,
            measurement,
            measured: true,
            p_exists: None,
            paint: Vec::new(),
            drawn_paint_sigma_mm: 0.0,
        }
    }

    /// The piece as calls take it.
    pub fn sighting(&self, board: &Board) -> Sighting {
        Sighting {
            kind: board.pieces[self.candidate.kind].name.clone(),
            centre: self.measurement.centre,
            covariance: self.measurement.covariance,
            stacked: self.candidate.stacked,
            may_be_stacked: self.candidate.base_sigma_mm > 0.0,
            trusted: self.measurement.trusted,
        }
    }

    /// The paint of a line beside this piece; as drawn where it was not looked at.
    pub fn paint_of(&self, line: usize) -> PaintEdge {
        self.paint.iter().find(|seen| seen.line == line).map_or(
            PaintEdge {
                nearer_mm: 0.0,
                sigma_mm: self.drawn_paint_sigma_mm,
                observed: false,
                ..PaintEdge::default()
            },
            |seen| seen.edge,
        )
    }
}

/// A line's paint as seen beside a piece.
#[derive(Debug, Clone, Copy)]
pub struct SeenPaint {
    /// Index into [`Board::lines`].
    pub line: usize,
    pub edge: PaintEdge,
}

/// Everything that was seen on a board.
#[derive(Debug, Clone, Default)]
pub struct Sight {
    /// By kind, then by place, so that the order depends on the board and not on the way the
    /// picture was searched.
    pub pieces: Vec<Seen>,
    /// Round things that are no pieces.
    pub foreign: Vec<Foreign>,
    /// What was taken for a piece until it was measured, and why it is none.
    pub dropped: Vec<(Seen, Check)>,
}

/// Finds and measures the pieces and the paint beside them.
pub fn look(
    picture: &Picture,
    board: &Board,
    registration: &Registration,
    detector: &Detector,
    options: &ScoreOptions,
    times: &mut StageTimes,
) -> Sight {
    let started = Instant::now();
    let detection = detector.detect(picture);
    times.detect_secs = started.elapsed().as_secs_f64();
    let seen = look_at(picture, board, registration, detection.pieces, options, times);
    let mut sight = Sight { foreign: detection.foreign, ..Sight::default() };
    for seen in seen {
        match lies_in_an_edge(&seen, board, options) {
            Some(check) => sight.dropped.push((seen, check)),
            None => sight.pieces.push(seen),
        }
    }
    sight
}

/// Now that places are exact: what would lie in a pocket or in a rail is its edge, no piece.
fn lies_in_an_edge(seen: &Seen, board: &Board, options: &ScoreOptions) -> Option<Check> {
    let (at, radius_mm) = (seen.measurement.centre, board.pieces[seen.candidate.kind].radius_mm());
    if seen.measured {
        let off = rest_checks(board, at, radius_mm, &options.detect).into_iter().find(|check| !check.holds);
        if off.is_some() {
            return off;
        }
    }
    // Nets and edges of pockets that are known roughly cannot be measured well.
    let times_off = options.look.pocket_off_times;
    let room_mm = room_to_pockets(board, at, times_off, &options.detect);
    let check = Check::at_least(Quantity::OutsidePockets, room_mm, 0.0, "look.pocket_off_times")
        .because("it could not be measured well");
    (!seen.measurement.trusted && !check.holds).then_some(check)
}

/// [`look`] for pieces that are known to be there.
pub fn look_at(
    picture: &Picture,
    board: &Board,
    registration: &Registration,
    candidates: Vec<Candidate>,
    options: &ScoreOptions,
    times: &mut StageTimes,
) -> Vec<Seen> {
    let started = Instant::now();
    let measured = |candidates: Vec<Candidate>| -> Vec<Seen> {
        let mut measurements = measure(picture, board, registration, &candidates, &options.measure);
        measurements.resize(candidates.len(), None);
        let each = candidates.into_iter().zip(measurements);
        each.map(|(candidate, measured)| seen_piece(candidate, measured, board, registration, &options.look))
            .collect()
    };
    let eye = registration.camera.pose.centre_mm();
    let mut seen = measured(candidates);
    for piece in 0..seen.len() {
        let Some(lying) = room::laid_down(piece, &seen, board, eye, &options.look.room) else { continue };
        let lying = measured(lying);
        if room::is_free(piece, &lying, board, &options.look.room) {
            seen = lying;
        }
    }
    room::doubt_what_overlaps(&mut seen, board, &options.look.room);
    if let Some(weights) = Weights::shipped() {
        for seen in &mut seen {
            let is_trusted = seen.measured && seen.measurement.trusted;
            let thing = |evidence| Thing { evidence, is_trusted };
            seen.p_exists = seen.candidate.evidence.map(|evidence| weights.p_exists(&thing(evidence)));
        }
    }
    seen.sort_by(|a, b| {
        let key = |s: &Seen| (s.candidate.kind, s.measurement.centre.y, s.measurement.centre.x);
        let ((kind_a, y_a, x_a), (kind_b, y_b, x_b)) = (key(a), key(b));
        kind_a.cmp(&kind_b).then(y_a.total_cmp(&y_b)).then(x_a.total_cmp(&x_b))
    });
    let measured = Instant::now();
    times.measure_secs = (measured - started).as_secs_f64();

    look_at_paint(picture, board, registration, &mut seen, options);
    times.paint_secs = measured.elapsed().as_secs_f64();
    seen
}

fn seen_piece(
    candidate: Candidate,
    measured: Option<Measurement>,
    board: &Board,
    registration: &Registration,
    options: &LookOptions,
) -> Seen {
    let mut measurement = measured.clone().unwrap_or_else(|| {
        let radius_mm = board.pieces[candidate.kind].radius_mm();
        let px_per_mm = registration.camera.mm_per_px(candidate.centre).map_or(0.0, |mm| 1.0 / mm);
        Measurement {
            centre: candidate.centre,
            covariance: Matrix2::identity() * options.unmeasured_sigma_mm.powi(2),
            own: Matrix2::identity() * options.unmeasured_sigma_mm.powi(2),
            by_camera: ByCamera::zeros(),
            px: candidate.px,
            px_radius: radius_mm * px_per_mm,
            trusted: false,
        }
    });
    // A piece that lies higher than was taken lies nearer to the camera.
    let eye = registration.camera.pose.centre_mm();
    let slope = (measurement.centre - Point::new(eye.x, eye.y)) / eye.z;
    let by_base = slope * slope.transpose() * candidate.base_sigma_mm.powi(2);
    measurement.own += by_base;
    measurement.covariance += by_base;
    Seen {
        candidate,
        measurement,
        measured: measured.is_some(),
        p_exists: None,
        paint: Vec::new(),
        drawn_paint_sigma_mm: options.drawn_paint_sigma_mm.hypot(board.accuracy_mm),
    }
}

/// Measures the paint of every line that can decide about a piece and is in reach of it.
fn look_at_paint(
    picture: &Picture,
    board: &Board,
    registration: &Registration,
    seen: &mut [Seen],
    options: &ScoreOptions,
) {
    let reach_mm = options.calls.paint_reach_mm;
    let places: Vec<_> = seen.iter().map(|s| (s.candidate.kind, s.measurement.centre)).collect();
    for (piece, seen) in seen.iter_mut().enumerate() {
        let radius_mm = board.pieces[seen.candidate.kind].radius_mm();
        let disc = Disc { centre: seen.measurement.centre, radius_mm };
        for (line, drawn) in board.lines.iter().enumerate() {
            let gap_mm = disc.gap_mm(&drawn.paint);
            // A rim that has crossed the whole paint touches it, wherever exactly its edges are.
            let undecided = -drawn.paint.width_mm() - reach_mm < gap_mm && gap_mm <= reach_mm;
            if drawn.role == LineRole::Decoration || !undecided {
                continue;
            }
            let mut edge =
                measure_paint(picture, board, registration, line, piece, &places, &options.measure);
            if edge.observed && seen.measured {
                let toward_piece = drawn.paint.outward(disc.centre);
                let at = disc.centre - toward_piece * drawn.paint.signed_distance_mm(disc.centre);
                let sigma_mm = sigma_beside_paint_mm(registration, &seen.measurement, at, toward_piece);
                edge.piece_sigma_mm = Some(sigma_mm);
            }
            seen.paint.push(SeenPaint { line, edge });
        }
    }
}
