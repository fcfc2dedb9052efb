//! From a scored photo to a dossier.

use super::{
    Basis, CloseUp, Dossier, Encoded, Head, Question, ReviewError, Shape, ShapeKind, WholeView, advice,
    close_up::{self, Window},
    colour,
    either_way::either_way,
    place::{self, Measured},
    plan::plan,
    question, words,
};
use crate::{
    annotate::project::segment,
    board::Board,
    calls::CallOptions,
    camera::PROGRAM,
    capture::Picture,
    geometry::{Point, Vector},
    measure::visible_outline,
    rules::catalogue::GameText,
    score::{Scored, Seen},
};

/// A scored photo and what it was scored with.
#[derive(Debug, Clone, Copy)]
pub struct Evidence<'a> {
    pub picture: &'a Picture,
    pub board: &'a Board,
    pub scored: &'a Scored,
    /// The options that the calls were made with.
    pub calls: &'a CallOptions,
    /// When the photo was taken, where that is known.
    pub taken_at: Option<&'a str>,
    /// SHA-256 of the photo's file, in hexadecimal digits.
    pub photo_sha256: Option<&'a str>,
}

#[derive(Debug, Clone)]
pub struct ReviewOptions {
    /// The tightest close-up shows at least this much of the board, in mm. Default 8: a line with
    /// its paint and some of the rim; less makes pixels larger than most people can read.
    pub tight_mm: f64,
    /// Room around the piece and the line in the wider close-up, in mm. Default 4.
    pub margin_mm: f64,
    /// Longer side of the picture of the whole view, in pixels. Default 1280: more makes pages
    /// heavier, and the close-ups have the photo's own pixels.
    pub whole_view_px: u32,
    /// JPEG quality of that picture. Default 82.
    pub whole_view_quality: u8,
}

impl Default for ReviewOptions {
    fn default() -> Self {
        Self { tight_mm: 8.0, margin_mm: 4.0, whole_view_px: 1280, whole_view_quality: 82 }
    }
}

/// Collects what there is to say about a piece (its id in the report): about what `about` names (a
/// line, `end`, `order`, `placement`), or what is closest about it.
pub fn from_photo(
    evidence: &Evidence,
    piece: Option<usize>,
    about: Option<&str>,
    options: &ReviewOptions,
) -> Result<Dossier, ReviewError> {
    let question = match piece {
        Some(id) => question::find(evidence, id, about)?,
        None => question::closest(evidence)?,
    };
    answered(evidence, &question, options)
}

/// The dossier of one question.
fn answered(
    evidence: &Evidence,
    question: &Question,
    options: &ReviewOptions,
) -> Result<Dossier, ReviewError> {
    let name = words::piece(evidence, question.piece());
    let out_of_sight = || ReviewError::OutOfSight { piece: name.clone() };
    if let Question::Colour { piece, other } = *question {
        let windows = colour::windows(evidence, piece, other, options).ok_or_else(out_of_sight)?;
        let (_, own) = windows.first().ok_or_else(out_of_sight)?;
        let colours = colour::colours(evidence, piece, other);
        return Ok(Dossier {
            id: None,
            about: question.name(evidence),
            head: colour::head(evidence, question, piece),
            gaps: Vec::new(),
            either_way: colour::either_way(evidence, piece, other),
            advice: colour::advice(colours.as_ref()),
            colours,
            close_ups: colour::close_ups(evidence, &windows)?,
            whole_view: whole_view(evidence, own, options)?,
            plan: plan(evidence, question),
            rules: words::rules(evidence, question),
            basis: basis(evidence, evidence.scored.seen[piece].measurement.centre),
            in_match: None,
            frames: Vec::new(),
            other_measurements: Vec::new(),
            verdicts: Vec::new(),
            ruled: None,
            verdict_form: None,
        });
    }
    let measured = place::all_measured(evidence, question);
    let first = measured.first().ok_or_else(out_of_sight)?;
    let windows = windows(evidence, question, first, options).ok_or_else(out_of_sight)?;
    let (tone, answer) = words::answer(evidence, question, &first.gap);
    let head = Head {
        piece: name.clone(),
        subject: words::subject(evidence, question),
        asked: words::asked(evidence, question),
        tone,
        answer,
        likelihood: words::likelihood(evidence, question, &first.gap),
        distrust: distrust(evidence, question),
    };
    let mut close_ups: Vec<CloseUp> = Vec::with_capacity(windows.len());
    for (index, (title, window)) in windows.iter().enumerate() {
        let shapes = shapes(evidence, question, &measured, window);
        // The widest shows the gap too small to write beside it, unless it is the only one.
        let is_told = index == 0 || index + 1 < windows.len();
        let label = is_told.then(|| format!("{} mm", first.gap.length_words()));
        let ends = ends_in(evidence, question, first, index);
        let dimension = window.dimension(ends, first.gap.gap_mm, label);
        close_ups.extend(window.close_up(title, evidence, shapes, dimension)?);
    }
    let (_, widest) = windows.last().ok_or_else(out_of_sight)?;
    let whole_view = whole_view(evidence, widest, options)?;
    let basis = basis(evidence, first.ends[0]);
    Ok(Dossier {
        id: None,
        about: question.name(evidence),
        head,
        either_way: either_way(evidence, question, &first.gap),
        advice: advice::advice(evidence, question, &first.gap, &basis),
        gaps: measured.into_iter().map(|measured| measured.gap).collect(),
        colours: None,
        close_ups,
        whole_view,
        plan: plan(evidence, question),
        rules: words::rules(evidence, question),
        basis,
        in_match: None,
        frames: Vec::new(),
        other_measurements: Vec::new(),
        verdicts: Vec::new(),
        ruled: None,
        verdict_form: None,
    })
}

/// The whole photo, with the place of a window marked.
fn whole_view(
    evidence: &Evidence,
    window: &Window,
    options: &ReviewOptions,
) -> Result<WholeView, ReviewError> {
    let rgb = evidence.picture.rgb();
    Ok(WholeView {
        picture: Encoded::small_jpeg(rgb, options.whole_view_px, options.whole_view_quality)?,
        photo_size_px: evidence.picture.size(),
        mark: window.corners_px().map(Vec::from).unwrap_or_default(),
    })
}

fn distrust(evidence: &Evidence, question: &Question) -> Option<String> {
    let other = match *question {
        Question::Order { against, .. } => words::distrust(evidence, against),
        _ => None,
    };
    let own = words::distrust(evidence, question.piece()).or(other);
    own.or_else(|| words::other_doubt(evidence, question.piece()))
}

fn basis(evidence: &Evidence, at: Point) -> Basis {
    let Evidence { board, scored, .. } = *evidence;
    let camera = &scored.registration.camera;
    let eye = camera.pose.centre_mm();
    let aside_mm = (Point::new(eye.x, eye.y) - at).norm();
    Basis {
        photo: scored.report.photo.clone(),
        taken_at: evidence.taken_at.map(str::to_owned),
        photo_sha256: evidence.photo_sha256.map(str::to_owned),
        board: format!("{} ({})", board.name, board.id),
        game: GameText::of(scored.report.game).name.to_owned(),
        registration: words::registration(scored.registration.method).to_owned(),
        rms_px: scored.registration.rms_px,
        edges: scored.registration.edges,
        camera_height_mm: eye.z,
        slant_deg: aside_mm.atan2(eye.z.max(1e-9)).to_degrees(),
        mm_per_px: camera.mm_per_px(at).unwrap_or(f64::NAN),
        program: PROGRAM.to_owned(),
    }
}

/// The gap's ends as the close-up of that number shows them: the second one of two fronts shows the
/// other piece's.
fn ends_in(evidence: &Evidence, question: &Question, measured: &Measured, index: usize) -> [Point; 2] {
    let [rim, at] = measured.ends;
    match *question {
        Question::Order { against, .. } if index == 1 => {
            let across = evidence.scored.seen[against].measurement.centre.x;
            [Point::new(across, rim.y), Point::new(across, at.y)]
        }
        _ => [rim, at],
    }
}

/// A gap so wide that its own close-up would be less than this much tighter than the one with the
/// whole piece needs none.
const LEAST_TIGHTER: f64 = 1.5;

/// The close-ups' windows, the tightest first.
fn windows<'a>(
    evidence: &Evidence<'a>,
    question: &Question,
    measured: &Measured,
    options: &ReviewOptions,
) -> Option<Vec<(String, Window<'a>)>> {
    let camera = &evidence.scored.registration.camera;
    let [rim, at] = measured.ends;
    let middle = nalgebra::center(&rim, &at);
    let gap_mm = measured.gap.gap_mm.abs();
    let tight = close_up::enlargement(options.tight_mm.max(1.5 * gap_mm + options.tight_mm / 2.0));
    let seen = evidence.scored.seen.get(question.piece())?;
    let footprint = |seen: &Seen| -> [Point; 2] {
        let reach = Vector::repeat(place::radius_mm(evidence.board, seen));
        [seen.measurement.centre - reach, seen.measurement.centre + reach]
    };
    let mut corners = vec![rim, at];
    corners.extend(footprint(seen));
    if let Some(edge) = &measured.edge {
        let beyond = (at - seen.measurement.centre).try_normalize(0.0).unwrap_or_else(Vector::x);
        corners.push(at + beyond * edge.width_mm);
    }
    let mut windows = Vec::new();
    if let Question::Order { piece, against } = *question {
        let other = evidence.scored.seen.get(against)?;
        corners.extend(footprint(other));
        // Each front in a window of its own, at one scale: pieces that lie far apart across the
        // board can be told by tenths all the same.
        let along = place::toward(evidence.scored.report.end);
        let other_front = other.measurement.centre + along * place::radius_mm(evidence.board, other);
        let other_middle = other_front + along * ((rim - other_front).dot(&along) / 2.0);
        for (index, middle) in [(piece, middle), (against, other_middle)] {
            let title = format!("The front of {}", words::piece(evidence, index));
            windows.push((title, Window::new(camera, middle, middle, tight)?));
        }
    } else {
        windows.push(("The gap".to_owned(), Window::new(camera, middle, middle, tight)?));
    }
    let low = corners.iter().fold(corners[0], |low, p| low.inf(p));
    let high = corners.iter().fold(corners[0], |high, p| high.sup(p));
    let span = high - low;
    let wanted_mm = span.x.max(span.y) + 2.0 * options.margin_mm;
    let title = match question {
        Question::Order { .. } => "Both pieces",
        Question::End { .. } => "The piece and the end",
        Question::Edge { .. } => "The piece and the edge",
        _ => "The piece and the line",
    };
    let widest = close_up::enlargement(wanted_mm);
    if tight <= widest * LEAST_TIGHTER && windows.len() == 1 {
        windows.clear();
    }
    let wide = Window::new(camera, middle, nalgebra::center(&low, &high), widest)?;
    windows.push((title.to_owned(), wide));
    Some(windows)
}

/// Outlines have enough points to look round at the tightest scale.
const OUTLINE_STEPS: usize = 180;

fn shapes(evidence: &Evidence, question: &Question, measured: &[Measured], window: &Window) -> Vec<Shape> {
    let Evidence { board, scored, .. } = *evidence;
    let mut shapes = Vec::new();
    for line in &board.lines {
        for outline in place::outlines(&line.paint, 0.0) {
            shapes.extend(window.shapes(ShapeKind::DrawnPaint, &outline, 0.0, 0.0));
        }
    }
    for edge in measured.iter().filter_map(|m| Some((m.edge.as_ref()?, m.gap.against))) {
        let kind = match edge.1 {
            super::Against::MeasuredPaint { .. } => ShapeKind::MeasuredEdge,
            super::Against::SurfaceEdge | super::Against::Brink => ShapeKind::SurfaceEdge,
            super::Against::DrawnPaint | super::Against::Piece => ShapeKind::AssumedEdge,
        };
        shapes.extend(window.shapes(kind, &edge.0.points, 0.0, edge.0.sigma_mm));
    }
    let round = |seen: &Seen| fine_circle(seen.measurement.centre, place::radius_mm(board, seen));
    let subject = question.piece();
    for (index, seen) in scored.seen.iter().enumerate() {
        let about = match *question {
            Question::Order { piece, against } => index == piece || index == against,
            _ => index == subject,
        };
        let base_mm = seen.candidate.base_mm;
        if !about {
            shapes.extend(window.shapes(ShapeKind::OtherPiece, &round(seen), base_mm, 0.0));
            continue;
        }
        let kind = &board.pieces[seen.candidate.kind];
        let camera = &scored.registration.camera;
        let seen_outline = visible_outline(camera, kind, base_mm, seen.measurement.centre, OUTLINE_STEPS);
        shapes.extend(window.shapes(ShapeKind::VisibleOutline, &seen_outline.unwrap_or_default(), 0.0, 0.0));
        let sigma_mm = match question {
            Question::Order { .. } => seen.sighting(board).sigma_toward_mm(scored.report.end, evidence.calls),
            _ => measured.first().map_or(0.0, |m| m.piece_sigma_mm),
        };
        let ring: Vec<Point> = fine_circle(seen.measurement.centre, kind.radius_mm());
        shapes.extend(window.shapes(ShapeKind::Footprint, &ring, base_mm, sigma_mm));
        if matches!(question, Question::Order { .. }) {
            let along = place::toward(scored.report.end);
            let front = seen.measurement.centre + along * kind.radius_mm();
            let across = [Point::new(0.0, front.y), Point::new(board.surface.width_mm, front.y)];
            let level: Vec<Point> = segment(across[0], across[1]).collect();
            let shape = if index == subject { ShapeKind::Front } else { ShapeKind::OtherFront };
            shapes.extend(window.shapes(shape, &level, 0.0, 0.0));
        }
    }
    shapes
}

pub(super) fn fine_circle(centre: Point, radius_mm: f64) -> Vec<Point> {
    (0..=4 * OUTLINE_STEPS)
        .map(|step| {
            let angle = std::f64::consts::TAU * step as f64 / (4 * OUTLINE_STEPS) as f64;
            centre + Vector::new(angle.cos(), angle.sin()) * radius_mm
        })
        .collect()
}
