//! Learned boards against true ones.
//!
//! In: photos of unknown tables (as `simulate --random --unknown` makes them), each with its own board
//! file. Every board is learned from its photo with the shipped board of its kind as the template and the
//! true width as the one length by tape. Out: how far the learned lines lie from the true ones, and how the
//! photo with pieces is scored with the learned and with the true board.

use std::path::Path;

use rayon::prelude::*;
use serde::Serialize;

use super::{
    EvaluateError, EvaluateOptions, PhotoEvaluation, Summary, TruePhoto, aligned, compare::compare,
    summarise, summary::quantile, truth::Truth,
};
use crate::{
    board::{Board, End, Line},
    camera::Camera,
    capture::{Picture, load_photo},
    geometry::{Paint, Point, Vector},
    learn::{LearnOptions, LearnRequest, Learned, Tape, learn},
    score::{Known, Scorer, StageTimes},
};

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

/// The figures of one category.
#[derive(Debug, Clone, Serialize)]
pub struct LearnedSummary {
    pub category: String,
    pub tables: usize,
    pub refused: usize,
    /// True lines in view that the template has.
    pub lines: usize,
    pub missed: usize,
    pub wrong: usize,
    pub offset_median_mm: Option<f64>,
    pub offset_p95_mm: Option<f64>,
    pub width_median_mm: Option<f64>,
    pub width_p95_mm: Option<f64>,
    pub diameter_median_mm: Option<f64>,
    pub learn_secs: f64,
    pub by_learned: Summary,
    pub by_true: Summary,
    /// Median error with the learned boards by that with the true ones, over photos scored with both.
    pub error_ratio: Option<f64>,
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

/// How a learned board lies on the true one: square boards may be learned turned, and of long tables one
/// end is seen only, so that places are measured from there.
struct Alignment {
    turns: usize,
    learned_size: Vector,
    true_size: Vector,
    is_two_ended: bool,
}

impl Alignment {
    fn of(truth: &Board, learned: &Learned, camera: &Camera) -> Self {
        let size = |board: &Board| Vector::new(board.surface.width_mm, board.surface.length_mm);
        let of_turns = |turns: usize| Self {
            turns,
            learned_size: size(&learned.board),
            true_size: size(truth),
            is_two_ended: truth.is_two_ended(),
        };
        let all: &[usize] = if truth.is_two_ended() { &[0, 2] } else { &[0, 1, 2, 3] };
        // The reading under which both cameras see the surface's corners in the same places.
        let Some(Some(seen)) = learned.cameras.first() else { return of_turns(0) };
        let apart = |alignment: &Self| -> f64 {
            let corner = |p: &Point| {
                let q = alignment.true_place(*p);
                let a = seen.image_from_board(p.x, p.y, 0.0)?;
                let b = camera.image_from_board(q.x, q.y, 0.0)?;
                Some((a - b).norm())
            };
            let [w, l] = [learned.board.surface.width_mm, learned.board.surface.length_mm];
            let y0 = if alignment.is_two_ended { l - w } else { 0.0 };
            let places = [Point::new(0.0, l), Point::new(w, l), Point::new(0.0, y0), Point::new(w, y0)];
            places.iter().map(|p| corner(p).unwrap_or(1e6)).sum()
        };
        let turned = all.iter().map(|turns| of_turns(*turns));
        turned.min_by(|a, b| apart(a).total_cmp(&apart(b))).unwrap_or_else(|| of_turns(0))
    }

    /// From the learned board's coordinates to the true one's.
    fn true_place(&self, p: Point) -> Point {
        let mut from_middle = p.coords - self.learned_size / 2.0;
        if self.is_two_ended {
            // Both count from the far end.
            from_middle.y = p.y - self.learned_size.y + self.true_size.y / 2.0;
        }
        let turned = (0..self.turns).fold(from_middle, |v, _| Vector::new(-v.y, v.x));
        Point::from(turned + self.true_size / 2.0)
    }

    fn on_truth(&self, paint: &Paint) -> Paint {
        let place = |p: Point| self.true_place(p);
        let mut paint = *paint;
        match &mut paint {
            Paint::Stroke { from, to, .. } => (*from, *to) = (place(*from), place(*to)),
            Paint::Ring { centre, .. } | Paint::Spot { centre, .. } => *centre = place(*centre),
            Paint::Arc { centre, start_rad, .. } => {
                *centre = place(*centre);
                *start_rad += self.turns as f64 * std::f64::consts::FRAC_PI_2;
            }
        }
        paint
    }

    /// The true pieces in the learned board's coordinates, as that board is read with no turn: how a photo
    /// is read is found out when it is compared.
    fn truth_on_learned(&self, truth: &Truth) -> Truth {
        let mut truth = truth.clone();
        let shift = if self.is_two_ended {
            Vector::new(
                0.5 * (self.learned_size.x - self.true_size.x),
                self.learned_size.y - self.true_size.y,
            )
        } else {
            (self.learned_size - self.true_size) / 2.0
        };
        for piece in &mut truth.pieces {
            (piece.x_mm, piece.y_mm) = (piece.x_mm + shift.x, piece.y_mm + shift.y);
        }
        truth
    }
}

/// The figures of all categories, and of all tables together.
pub fn summarise_learned(evaluations: &[LearnedEvaluation]) -> Vec<LearnedSummary> {
    let mut categories: Vec<&str> = evaluations.iter().map(|table| table.category.as_str()).collect();
    categories.sort_unstable();
    categories.dedup();
    let of = |category: &str| -> Vec<&LearnedEvaluation> {
        evaluations.iter().filter(|table| table.category == category).collect()
    };
    let mut summaries: Vec<_> =
        categories.iter().map(|category| summary_of(category, &of(category))).collect();
    if summaries.len() > 1 {
        summaries.push(summary_of("total", &evaluations.iter().collect::<Vec<_>>()));
    }
    summaries
}

fn summary_of(category: &str, tables: &[&LearnedEvaluation]) -> LearnedSummary {
    let learned: Vec<&LinesOutcome> = tables.iter().filter_map(|table| table.lines.as_ref().ok()).collect();
    let matched: Vec<&LineOutcome> = learned.iter().flat_map(|lines| &lines.matched).collect();
    let sorted = |figure: &dyn Fn(&LineOutcome) -> Option<f64>| {
        let mut values: Vec<f64> = matched.iter().filter_map(|line| figure(line)).map(f64::abs).collect();
        values.sort_by(f64::total_cmp);
        values
    };
    let offsets = sorted(&|line| Some(line.offset_mm));
    let widths = sorted(&|line| Some(line.width_mm));
    let missed = learned.iter().map(|lines| lines.missed.len()).sum();
    LearnedSummary {
        category: category.to_owned(),
        tables: tables.len(),
        refused: tables.len() - learned.len(),
        lines: matched.len() + missed,
        missed,
        wrong: learned.iter().map(|lines| lines.wrong.len()).sum(),
        offset_median_mm: quantile(&offsets, 0.5),
        offset_p95_mm: quantile(&offsets, 0.95),
        width_median_mm: quantile(&widths, 0.5),
        width_p95_mm: quantile(&widths, 0.95),
        diameter_median_mm: quantile(&sorted(&|line| line.diameter_mm), 0.5),
        learn_secs: tables.iter().map(|table| table.learn_secs).sum::<f64>() / tables.len().max(1) as f64,
        by_learned: summarise(category, tables.iter().map(|table| &table.by_learned)),
        by_true: summarise(category, tables.iter().map(|table| &table.by_true)),
        error_ratio: error_ratio(tables),
    }
}

fn error_ratio(tables: &[&LearnedEvaluation]) -> Option<f64> {
    let both = tables.iter().filter(|t| t.by_learned.outcome.is_ok() && t.by_true.outcome.is_ok());
    let by_learned = summarise("", both.clone().map(|table| &table.by_learned)).position?;
    let by_true = summarise("", both.map(|table| &table.by_true)).position?;
    Some(by_learned.median_mm / by_true.median_mm)
}

/// One line a category; below it the tables from which nothing was learned, with the reason.
pub fn learned_table(summaries: &[LearnedSummary], evaluations: &[LearnedEvaluation]) -> String {
    let header = [
        "category",
        "tables",
        "refused",
        "lines",
        "missed",
        "wrong",
        "median",
        "95 %",
        "width",
        "95 %",
        "diameter",
        "s",
        "scored",
        "missed",
        "extra",
        "sure wrong",
        "by truth",
        "missed",
        "extra",
        "sure wrong",
        "ratio",
    ];
    let mut rows = vec![header.map(String::from).to_vec()];
    let or_dash = |value: Option<f64>| value.map_or("-".to_owned(), |value| format!("{value:.2}"));
    for s in summaries {
        let mut row = vec![s.category.clone()];
        row.extend([s.tables, s.refused, s.lines, s.missed, s.wrong].map(|count| count.to_string()));
        row.extend([s.offset_median_mm, s.offset_p95_mm, s.width_median_mm, s.width_p95_mm].map(or_dash));
        row.extend([s.diameter_median_mm, Some(s.learn_secs)].map(or_dash));
        for by in [&s.by_learned, &s.by_true] {
            let scored = by.photos - by.not_found;
            row.extend(
                [scored, by.missed, by.extra, by.tallies.wrong_and_sure].map(|count| count.to_string()),
            );
        }
        row.push(or_dash(s.error_ratio));
        rows.push(row);
    }
    let mut text = aligned(&rows);
    for table in evaluations {
        if let Err(reason) = &table.lines {
            text += &format!("{}: not learned: {reason}\n", table.name);
        }
    }
    text
}

/// Every table's own figures, for those who look for what to mend.
impl LearnedEvaluation {
    pub fn line(&self, folder: &Path) -> String {
        let name = folder.join(&self.name).display().to_string();
        let Ok(lines) = &self.lines else { return format!("{name}  not learned") };
        let mut offsets: Vec<f64> = lines.matched.iter().map(|line| line.offset_mm).collect();
        offsets.sort_by(f64::total_cmp);
        let worst = lines.matched.iter().max_by(|a, b| a.offset_mm.total_cmp(&b.offset_mm));
        let worst = worst.map_or_else(String::new, |line| format!("{} {:.2}", line.name, line.offset_mm));
        let scored = |by: &PhotoEvaluation| match &by.outcome {
            Ok(outcome) => {
                format!(
                    "{} found {} missed {} extra",
                    outcome.pieces.len(),
                    outcome.missed.len(),
                    outcome.extra.len()
                )
            }
            Err(reason) => format!("refused ({})", reason.lines().next().unwrap_or_default()),
        };
        format!(
            "{name}  lines {} median {:.2} worst {worst}; missed {:?}; wrong {:?}; learned: {}; true: {}",
            lines.matched.len(),
            quantile(&offsets, 0.5).unwrap_or(f64::NAN),
            lines.missed,
            lines.wrong,
            scored(&self.by_learned),
            scored(&self.by_true),
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::simulate::{View, unknown_table};

    /// A board that is learned turned by a quarter, from the same camera.
    #[test]
    fn a_board_learned_turned_is_laid_on_the_true_one() {
        let template = Board::named_or_at("carrom-icf").expect("a shipped board");
        let table = unknown_table(&template, 4).expect("a table");
        let camera = table.empty_photo(View::Phone).expect("a scene").camera;
        let size = Vector::new(table.board.surface.width_mm, table.board.surface.length_mm);
        for turns in 0..4 {
            let alignment =
                |turns| Alignment { turns, learned_size: size, true_size: size, is_two_ended: false };
            let back = alignment((4 - turns) % 4);
            let mut board = table.board.clone();
            board.lines.iter_mut().for_each(|line| line.paint = back.on_truth(&line.paint));
            // Where the learned board's places are seen is where the true ones are.
            let mut seen = camera;
            let turned = (0..turns).fold(nalgebra::Rotation3::identity(), |r, _| {
                r * nalgebra::Rotation3::from_axis_angle(
                    &nalgebra::Vector3::z_axis(),
                    std::f64::consts::FRAC_PI_2,
                )
            });
            let middle = nalgebra::Vector3::new(size.x / 2.0, size.y / 2.0, 0.0);
            seen.pose.translation_mm += camera.pose.rotation * (middle - turned * middle);
            seen.pose.rotation = camera.pose.rotation * turned;
            let learned = Learned {
                board,
                notes: crate::board::BoardNotes::default(),
                cameras: vec![Some(seen)],
                said: Vec::new(),
                found: 1.0,
            };
            let found = Alignment::of(&table.board, &learned, &camera);
            assert_eq!(found.turns, turns);
            for (line, learned) in table.board.lines.iter().zip(&learned.board.lines) {
                let off = offset_mm(&line.paint, &found.on_truth(&learned.paint));
                assert!(off < 1e-6, "{} lies {off} mm off, turned {turns} times", line.name);
            }
        }
    }

    #[test]
    fn of_a_long_table_places_count_from_the_far_end() {
        let alignment = Alignment {
            turns: 0,
            learned_size: Vector::new(400.0, 1500.0),
            true_size: Vector::new(400.0, 1800.0),
            is_two_ended: true,
        };
        let at = alignment.true_place(Point::new(100.0, 1400.0));
        assert!((at - Point::new(100.0, 1700.0)).norm() < 1e-9, "{at}");
    }
}
