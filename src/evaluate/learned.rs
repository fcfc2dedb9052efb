//! Learned boards against true ones.
//!
//! In: photos of unknown tables (as `simulate --random --unknown` makes them), each with its own board
//! file. Every board is learned from its photo with the shipped board of its kind as the template and the
//! true width as the one length by tape. Out: how far the learned lines lie from the true ones, and how the
//! photo with pieces is scored with the learned and with the true board.

mod alignment;
mod summary;

use rayon::prelude::*;
use serde::Serialize;

use super::{EvaluateError, EvaluateOptions, PhotoEvaluation, TruePhoto, compare::compare, truth::Truth};
use crate::{
    board::{Board, End, Line},
    camera::Camera,
    capture::{Picture, load_photo},
    geometry::{Paint, Point, Vector},
    learn::{LearnOptions, LearnRequest, Tape, learn},
    score::{Known, Scorer, StageTimes},
};

use alignment::Alignment;
pub use summary::{LearnedSummary, learned_table, summarise_learned};

/// Which photo of a table its board is learned from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum LearnFrom {
    /// The empty table, where there is such a photo.
    Empty,
    /// The photo with pieces.
    Pieces,
}

/// A learned line, circle or arc against the true one.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct LineOutcome {
    pub name: String,
    /// Between the true one's middle and the learned one: across it for lines, of centres for circles.
    pub offset_mm: f64,
    /// Learned less true.
    pub width_mm: f64,
    /// The same of circles' diameters.
    pub diameter_mm: Option<f64>,
}

/// What became of one table.
#[derive(Debug, Clone)]
pub struct LearnedEvaluation {
    pub name: String,
    pub category: String,
    /// Or why nothing was learned.
    pub lines: Result<LinesOutcome, String>,
    pub learn_secs: f64,
    /// The photo with pieces, scored with the learned and with the true board.
    pub by_learned: PhotoEvaluation,
    pub by_true: PhotoEvaluation,
}

#[derive(Debug, Clone, Default)]
pub struct LinesOutcome {
    pub matched: Vec<LineOutcome>,
    /// True lines in view that the learned board has not, though the template has them.
    pub missed: Vec<String>,
    /// Lines of the learned board that lie where no such line is.
    pub wrong: Vec<String>,
}

/// Lines of a name lie at most this far from their truth; what is farther is another line.
const SAME_LINE_MM: f64 = 15.0;
/// Lines of which a smaller share is in the picture cannot be asked for.
const SEEN_SHARE: f64 = 0.6;

/// Learns and judges every table that has its own board file beside it.
pub fn evaluate_learned(
    photos: &[TruePhoto],
    from: LearnFrom,
    options: &EvaluateOptions,
    learn_options: &LearnOptions,
    done: impl Fn() + Sync,
) -> Result<Vec<LearnedEvaluation>, EvaluateError> {
    let tables: Vec<(&TruePhoto, Option<&TruePhoto>)> = photos
        .iter()
        .filter(|photo| photo.truth.own_board.is_some() && !is_empty_one(photo))
        .map(|photo| {
            let own = &photo.truth.own_board;
            let is_its = |other: &&TruePhoto| {
                is_empty_one(other)
                    && other.truth.own_board == *own
                    && other.photo.parent() == photo.photo.parent()
            };
            (photo, photos.iter().find(is_its))
        })
        .collect();
    let evaluated: Result<Vec<_>, EvaluateError> = tables
        .par_iter()
        .map(|(photo, empty)| {
            let source = if from == LearnFrom::Empty { empty.unwrap_or(photo) } else { photo };
            let table = Table::new(photo, source, options);
            let evaluation = table?.evaluate(learn_options);
            done();
            Ok(evaluation)
        })
        .collect();
    evaluated
}

fn is_empty_one(photo: &TruePhoto) -> bool {
    photo.photo.file_stem().is_some_and(|stem| stem.to_string_lossy().ends_with("-empty"))
}

struct Table<'a> {
    photo: &'a TruePhoto,
    /// What is learned from.
    source: &'a TruePhoto,
    truth: Board,
    template: Board,
    options: &'a EvaluateOptions,
}

impl<'a> Table<'a> {
    fn new(
        photo: &'a TruePhoto,
        source: &'a TruePhoto,
        options: &'a EvaluateOptions,
    ) -> Result<Self, EvaluateError> {
        let truth = Board::named_or_at(&photo.board_name(super::BoardSource::Own))?;
        let template = Board::named_or_at(&photo.truth.board)?;
        Ok(Self { photo, source, truth, template, options })
    }

    fn evaluate(&self, learn_options: &LearnOptions) -> LearnedEvaluation {
        let limits = &self.options.score.photo;
        let request = LearnRequest {
            tape: Some(Tape::Width(self.truth.surface.width_mm)),
            id: "learned".to_owned(),
            name: "Learned".to_owned(),
            ..LearnRequest::default()
        };
        let mut learn_secs = 0.0;
        let learned = load_photo(&self.source.photo, limits).map_err(|e| e.to_string()).and_then(|picture| {
            let started = std::time::Instant::now();
            let learned = learn(&[picture], &self.template, &request, learn_options);
            learn_secs = started.elapsed().as_secs_f64();
            learned.map_err(|e| e.to_string())
        });
        let picture = load_photo(&self.photo.photo, limits).map_err(|e| e.to_string());
        let by_true = self.scored(&picture, &self.truth, &self.photo.truth);
        let (lines, by_learned) = match learned {
            Ok(learned) => {
                let alignment = Alignment::of(&self.truth, &learned, &self.source.truth.camera());
                let truth = alignment.truth_on_learned(&self.photo.truth);
                let scored = self.scored(&picture, &learned.board, &truth);
                (Ok(self.compare_lines(&learned.board, &alignment)), scored)
            }
            Err(reason) => (Err(reason.clone()), self.outcome(Err(reason), StageTimes::default())),
        };
        let (name, category) = (self.photo.name.clone(), self.photo.category.clone());
        LearnedEvaluation { name, category, lines, learn_secs, by_learned, by_true }
    }

    fn scored(&self, picture: &Result<Picture, String>, board: &Board, truth: &Truth) -> PhotoEvaluation {
        let mut times = StageTimes::default();
        let outcome = picture.clone().and_then(|picture| {
            let scorer = Scorer::new(board.clone(), None, End::Far, self.options.score.clone())
                .map_err(|e| e.to_string())?;
            let scored = scorer.score(&self.photo.name, &picture, &Known::Nothing, &mut times);
            let scored = scored.map_err(|e| e.to_string())?;
            Ok(compare(&scored.report, truth, board, self.options))
        });
        self.outcome(outcome, times)
    }

    fn outcome(&self, outcome: Result<super::PhotoOutcome, String>, times: StageTimes) -> PhotoEvaluation {
        PhotoEvaluation {
            name: self.photo.name.clone(),
            category: self.photo.category.clone(),
            outcome,
            times,
        }
    }

    /// Lines of both boards that are in view, each true one with the nearest learned one of its kind.
    fn compare_lines(&self, learned: &Board, alignment: &Alignment) -> LinesOutcome {
        let camera = self.source.truth.camera();
        let mut left: Vec<(&Line, Paint)> = learned
            .lines
            .iter()
            .map(|line| (line, alignment.on_truth(&line.paint)))
            .filter(|(_, paint)| is_in_view(paint, &camera))
            .collect();
        let mut outcome = LinesOutcome::default();
        let known = |line: &&Line| self.template.lines.iter().any(|other| is_like(other, line));
        let seen = self.truth.lines.iter().filter(|line| is_in_view(&line.paint, &camera));
        for line in seen.clone().filter(known) {
            let offset = |paint: &Paint| offset_mm(&line.paint, paint);
            let nearest = left
                .iter()
                .enumerate()
                .filter(|(_, (other, _))| is_like(line, other))
                .map(|(index, (_, paint))| (index, offset(paint)))
                .min_by(|a, b| a.1.total_cmp(&b.1));
            match nearest {
                Some((index, offset_mm)) if offset_mm < SAME_LINE_MM => {
                    let (_, paint) = left.remove(index);
                    outcome.matched.push(LineOutcome {
                        name: line.name.clone(),
                        offset_mm,
                        width_mm: paint.width_mm() - line.paint.width_mm(),
                        diameter_mm: diameter_mm(&paint).zip(diameter_mm(&line.paint)).map(|(a, b)| a - b),
                    });
                }
                _ => outcome.missed.push(line.name.clone()),
            }
        }
        // What the template has not, but the table has, is rightly there.
        let there = |paint: &Paint| seen.clone().any(|line| offset_mm(&line.paint, paint) < 2.0);
        let wrong = left.iter().filter(|(_, paint)| !there(paint));
        outcome.wrong = wrong.map(|(line, _)| line.name.clone()).collect();
        outcome
    }
}

/// Whether two lines are of one kind, whatever side they are on: boards may be learned turned.
fn is_like(a: &Line, b: &Line) -> bool {
    let family = |line: &Line| line.name.split('-').next().unwrap_or_default().to_owned();
    let round = |paint: &Paint| !matches!(paint, Paint::Stroke { .. });
    a.role == b.role && round(&a.paint) == round(&b.paint) && (a.base.is_none() || family(a) == family(b))
}

fn diameter_mm(paint: &Paint) -> Option<f64> {
    match *paint {
        Paint::Stroke { .. } => None,
        Paint::Ring { radius_mm, .. } | Paint::Arc { radius_mm, .. } | Paint::Spot { radius_mm, .. } => {
            Some(2.0 * radius_mm)
        }
    }
}

/// How far the middle of `b` lies from that of `a`, at the middle of `a`; far apart where they are no pair.
fn offset_mm(a: &Paint, b: &Paint) -> f64 {
    match (*a, *b) {
        (Paint::Stroke { from, to, .. }, Paint::Stroke { from: c, to: d, .. }) => {
            let parallel = (to - from).normalize().dot(&(d - c).normalize()).abs() > 0.97;
            let middle = nalgebra::center(&from, &to);
            if parallel { (middle - b.nearest_on_middle(middle)).norm() } else { f64::INFINITY }
        }
        (Paint::Stroke { .. }, _) | (_, Paint::Stroke { .. }) => f64::INFINITY,
        _ => match (centre(a), centre(b), diameter_mm(a).zip(diameter_mm(b))) {
            // Circles about one middle are told apart by their size.
            (Some(p), Some(q), Some((d, e))) if (d - e).abs() < 0.3 * d.max(e) => (p - q).norm(),
            _ => f64::INFINITY,
        },
    }
}

fn centre(paint: &Paint) -> Option<Point> {
    match *paint {
        Paint::Stroke { .. } => None,
        Paint::Ring { centre, .. } | Paint::Arc { centre, .. } | Paint::Spot { centre, .. } => Some(centre),
    }
}

/// Whether most of some paint is inside the picture.
fn is_in_view(paint: &Paint, camera: &Camera) -> bool {
    const PLACES: u32 = 20;
    let at = |i: u32| {
        let share = f64::from(i) / f64::from(PLACES);
        match *paint {
            Paint::Stroke { from, to, .. } => from + (to - from) * share,
            Paint::Ring { centre, radius_mm, .. }
            | Paint::Arc { centre, radius_mm, .. }
            | Paint::Spot { centre, radius_mm } => {
                let (sin, cos) = (share * std::f64::consts::TAU).sin_cos();
                centre + Vector::new(cos, sin) * radius_mm
            }
        }
    };
    let [width, height] = camera.image_size.map(f64::from);
    let inside = (0..=PLACES).filter(|i| {
        let p = at(*i);
        camera
            .image_from_board(p.x, p.y, 0.0)
            .is_some_and(|p| p.x >= 0.0 && p.y >= 0.0 && p.x <= width - 1.0 && p.y <= height - 1.0)
    });
    inside.count() as f64 >= SEEN_SHARE * f64::from(PLACES + 1)
}
