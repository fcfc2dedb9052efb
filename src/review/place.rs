//! A question in millimetres: the gap with its doubt, and where its two ends lie on the board.

use super::{Against, Evidence, Gap, Question, Share, Tone, words};
use crate::{
    board::{Board, End, LineRole},
    calls::{
        Contact, ContactCall, Order, OrderCall, Placement, brink, called_from_sigmas, farther, line_contact,
        striker_gaps,
    },
    geometry::{Paint, Point, Vector},
    score::Seen,
};

/// A measured gap on the board.
pub(super) struct Measured {
    pub gap: Gap,
    /// On the piece's rim, and on what it is measured against. `gap_mm` apart.
    pub ends: [Point; 2],
    /// The edge that faces the piece; none for another piece.
    pub edge: Option<Edge>,
    /// Deviation of the piece along the gap.
    pub piece_sigma_mm: f64,
}

/// The edge that a piece is measured against, beside it.
pub(super) struct Edge {
    pub points: Vec<Point>,
    pub sigma_mm: f64,
    /// The paint's width, for a window that shows all of it.
    pub width_mm: f64,
}

/// The way that is played.
pub(super) fn toward(end: End) -> Vector {
    match end {
        End::Far => Vector::y(),
        End::Near => -Vector::y(),
    }
}

/// The gap that decides a question; `None` where nothing was measured.
pub(super) fn measured(evidence: &Evidence, question: &Question) -> Option<Measured> {
    match *question {
        Question::Line { piece, line } => beside_line(evidence, piece, line),
        Question::End { piece } => over_end(evidence, piece),
        Question::Order { piece, against } => in_order(evidence, piece, against),
        Question::Placement { piece } => placed(evidence, piece)?.into_iter().next(),
        Question::Edge { piece } => over_edge(evidence, piece),
        // A colour is no length.
        Question::Colour { .. } => None,
    }
}

/// All gaps that a question rests on, the one that decides first.
pub(super) fn all_measured(evidence: &Evidence, question: &Question) -> Vec<Measured> {
    match *question {
        Question::Placement { piece } => placed(evidence, piece).unwrap_or_default(),
        _ => measured(evidence, question).into_iter().collect(),
    }
}

fn beside_line(evidence: &Evidence, piece: usize, line: usize) -> Option<Measured> {
    let Evidence { board, scored, calls, .. } = *evidence;
    let seen = scored.seen.get(piece)?;
    let paint_of = |line: usize| seen.paint_of(line);
    let contact = line_contact(board, scored.report.end, &seen.sighting(board), line, &paint_of, calls)?;
    let drawn = board.lines.get(line)?;
    let (centre, radius_mm) = (seen.measurement.centre, board.pieces[seen.candidate.kind].radius_mm());
    let outward = drawn.paint.outward(centre);
    let rim = centre - outward * radius_mm;
    let drawn_gap_mm = drawn.paint.signed_distance_mm(centre) - radius_mm;
    let looked_at = drawn_gap_mm <= calls.paint_reach_mm;
    let paint = if looked_at { seen.paint_of(line) } else { crate::calls::PaintEdge::default() };
    let piece_sigma_mm = (contact.sigma_mm.powi(2) - paint.sigma_mm.powi(2)).max(0.0).sqrt();
    let at = rim - outward * contact.gap_mm;
    let reach_mm = radius_mm + calls.paint_reach_mm;
    let edge = Edge {
        points: facing_edge(&drawn.paint, centre, paint.nearer_mm, at, reach_mm),
        sigma_mm: paint.sigma_mm,
        width_mm: drawn.paint.width_mm(),
    };
    let against = if paint.observed {
        Against::MeasuredPaint { nearer_mm: paint.nearer_mm }
    } else {
        Against::DrawnPaint
    };
    let mut shares = piece_shares(seen, outward, piece_sigma_mm);
    let paint_name = if paint.observed { "the paint's edge" } else { "the paint, as drawn" };
    shares.push(Share { name: paint_name.to_owned(), sigma_mm: paint.sigma_mm });
    let name = format!("{} to {}", words::piece(evidence, piece), words::line(drawn));
    // A striker must touch its two lines; nothing else should touch any.
    let is_base = matches!(drawn.role, LineRole::BaseRear | LineRole::BaseFront | LineRole::Base);
    let touches = match is_base && board.pieces[seen.candidate.kind].shooter {
        true => [("touching", Tone::Good), ("clear", Tone::Bad)],
        false => [("touching", Tone::Bad), ("clear", Tone::Good)],
    };
    let gap = gap(name, contact, touches, shares, against, evidence);
    Some(Measured { gap, ends: [rim, at], edge: Some(edge), piece_sigma_mm })
}

fn over_end(evidence: &Evidence, piece: usize) -> Option<Measured> {
    let Evidence { board, scored, calls, .. } = *evidence;
    let seen = scored.seen.get(piece)?;
    let end = scored.report.end;
    let paint_of = |line: usize| seen.paint_of(line);
    let contact = crate::calls::call(board, end, &seen.sighting(board), &paint_of, calls)?.overhang?;
    let (centre, radius_mm) = (seen.measurement.centre, board.pieces[seen.candidate.kind].radius_mm());
    let along = toward(end);
    let rim = centre + along * radius_mm;
    let at = rim + along * contact.gap_mm;
    let wide_mm = board.surface.width_mm;
    let corner = |x_mm: f64| Point::new(x_mm, at.y);
    let edge = Edge {
        points: crate::annotate::project::segment(corner(0.0), corner(wide_mm)).collect(),
        sigma_mm: 0.0,
        width_mm: 0.0,
    };
    let piece_sigma_mm = contact.sigma_mm;
    let name = format!("{} to the {} end's edge", words::piece(evidence, piece), words::end(end));
    let shares = piece_shares(seen, along, piece_sigma_mm);
    let gap = gap(
        name,
        contact,
        [("hanging", Tone::Good), ("not hanging", Tone::Plain)],
        shares,
        Against::SurfaceEdge,
        evidence,
    );
    Some(Measured { gap, ends: [rim, at], edge: Some(edge), piece_sigma_mm })
}

/// The piece's centre and the edge beyond which nothing carries it.
fn over_edge(evidence: &Evidence, piece: usize) -> Option<Measured> {
    let Evidence { board, scored, calls, .. } = *evidence;
    let seen = scored.seen.get(piece)?;
    let (brink, contact) = brink(board, &seen.sighting(board), calls)?;
    let centre = seen.measurement.centre;
    let at = centre + brink.outward * contact.gap_mm;
    let points = match brink.pocket.and_then(|index| board.pockets.get(index)) {
        Some(pocket) => {
            outlines(&Paint::Spot { centre: pocket.centre, radius_mm: pocket.radius_mm }, 0.0).swap_remove(0)
        }
        None => {
            let aside = Vector::new(-brink.outward.y, brink.outward.x) * EDGE_SHOWN_MM;
            crate::annotate::project::segment(at - aside, at + aside).collect()
        }
    };
    let edge = Edge { points, sigma_mm: 0.0, width_mm: 0.0 };
    let (words_of_edge, beyond) = match brink.pocket {
        Some(_) => ("the pocket's edge", "in the pocket"),
        None => ("the board's edge", "off the board"),
    };
    let name = format!("the middle of {} to {words_of_edge}", words::piece(evidence, piece));
    let piece_sigma_mm = contact.sigma_mm;
    let shares = piece_shares(seen, brink.outward, piece_sigma_mm);
    let tones = [(beyond, Tone::Plain), ("in play", Tone::Plain)];
    let gap = gap(name, contact, tones, shares, Against::Brink, evidence);
    Some(Measured { gap, ends: [centre, at], edge: Some(edge), piece_sigma_mm })
}

/// How much of the board's edge is drawn to either side of a piece, in mm.
const EDGE_SHOWN_MM: f64 = 100.0;

fn in_order(evidence: &Evidence, piece: usize, against: usize) -> Option<Measured> {
    let Evidence { board, scored, calls, .. } = *evidence;
    let (one, other) = (scored.seen.get(piece)?, scored.seen.get(against)?);
    let end = scored.report.end;
    let along = toward(end);
    let Order { ahead_mm, sigma_mm, p_first, call } =
        farther(end, &one.sighting(board), &other.sighting(board), calls);
    // The order is by the centres; seen from the fronts it is the same for pieces of one size.
    let front = one.measurement.centre + along * board.pieces[one.candidate.kind].radius_mm();
    let contact = Contact {
        line: "order".to_owned(),
        gap_mm: -ahead_mm,
        sigma_mm,
        p_touching: p_first,
        call: match call {
            OrderCall::First => ContactCall::Touching,
            OrderCall::Second => ContactCall::Clear,
            OrderCall::Equal | OrderCall::TooClose => ContactCall::TooClose,
        },
    };
    let (piece_name, other_name) = (words::piece(evidence, piece), words::piece(evidence, against));
    // What the order counts with: a fit that is not trusted is good to no more than that.
    let own_sigma_mm = |seen: &Seen| seen.sighting(board).sigma_toward_mm(end, calls);
    let shares = vec![
        Share { name: format!("where {piece_name} lies"), sigma_mm: own_sigma_mm(one) },
        Share { name: format!("where {other_name} lies"), sigma_mm: own_sigma_mm(other) },
    ];
    let (ahead, behind) = (format!("{piece_name} ahead"), format!("{other_name} ahead"));
    let name = format!("{piece_name} to {other_name}, along the board");
    let gap =
        gap(name, contact, [(&ahead, Tone::Plain), (&behind, Tone::Plain)], shares, Against::Piece, evidence);
    let ends = [front, front - along * ahead_mm];
    Some(Measured { gap, ends, edge: None, piece_sigma_mm: own_sigma_mm(one) })
}

/// A striker's gaps, the one that its placement hangs on first.
fn placed(evidence: &Evidence, piece: usize) -> Option<Vec<Measured>> {
    let Evidence { board, scored, calls, .. } = *evidence;
    let seen = scored.seen.get(piece)?;
    let placement = scored.report.pieces.get(piece)?.placement?;
    let paint_of = |line: usize| seen.paint_of(line);
    let gaps = striker_gaps(board, &seen.sighting(board), &paint_of, calls)?;
    let mut lines = [gaps.front.0, gaps.rear.0];
    if gaps.rear.1.p_touching < gaps.front.1.p_touching {
        lines.reverse();
    }
    let mut all: Vec<Measured> =
        lines.iter().filter_map(|&line| beside_line(evidence, piece, line)).collect();
    // A moon that is farther away than the striker is wide is no part of the question.
    let width_mm = 2.0 * radius_mm(board, seen);
    if let Some((moon, contact)) = gaps.moon.filter(|(_, contact)| contact.gap_mm < width_mm) {
        let decides = contact.call != ContactCall::Clear;
        let reach = beside_line(evidence, piece, moon)?;
        let cover = gaps.uncovered.and_then(|contact| covering(evidence, piece, moon, contact));
        let covers = placement == Placement::Circle
            || cover.as_ref().is_some_and(|cover| cover.gap.call != ContactCall::Clear);
        let sigmas =
            |measured: &Measured| measured.gap.gap_mm.abs() / measured.gap.sigma_mm.max(f64::MIN_POSITIVE);
        // A moon is cut when it is reached and not covered: then both are told, and the one that came
        // nearer to being otherwise decides.
        let nearer_covered = cover.as_ref().is_some_and(|cover| sigmas(cover) < sigmas(&reach));
        let at = if decides { 0 } else { all.len() };
        all.insert(at, reach);
        if let Some(cover) = cover.filter(|_| covers || decides) {
            all.insert(if covers || nearer_covered { 0 } else { 1 }, cover);
        }
    }
    Some(all)
}

/// How far a moon reaches beyond the striker's rim.
fn covering(evidence: &Evidence, piece: usize, moon: usize, contact: Contact) -> Option<Measured> {
    let Evidence { board, scored, calls, .. } = *evidence;
    let seen = scored.seen.get(piece)?;
    let line = board.lines.get(moon)?;
    let (moon_centre, outer_mm) = match line.paint {
        Paint::Ring { centre, radius_mm, width_mm } => (centre, radius_mm + width_mm / 2.0),
        Paint::Spot { centre, radius_mm } => (centre, radius_mm),
        Paint::Stroke { .. } | Paint::Arc { .. } => return None,
    };
    let (centre, radius_mm) = (seen.measurement.centre, board.pieces[seen.candidate.kind].radius_mm());
    let away = (moon_centre - centre).try_normalize(0.0).unwrap_or_else(Vector::x);
    let (rim, at) = (centre + away * radius_mm, moon_centre + away * outer_mm);
    let piece_sigma_mm = contact.sigma_mm;
    let edge = Edge {
        points: outlines(&Paint::Spot { centre: moon_centre, radius_mm: outer_mm }, 0.0).swap_remove(0),
        sigma_mm: 0.0,
        width_mm: calls.paint_reach_mm,
    };
    let shares = piece_shares(seen, away, piece_sigma_mm);
    let name = format!("{}'s rim to the far side of {}", words::piece(evidence, piece), words::line(line));
    let gap = gap(
        name,
        contact,
        [("covering", Tone::Good), ("not covering", Tone::Bad)],
        shares,
        Against::DrawnPaint,
        evidence,
    );
    Some(Measured { gap, ends: [rim, at], edge: Some(edge), piece_sigma_mm })
}

fn gap(
    name: String,
    contact: Contact,
    [below, above]: [(&str, Tone); 2],
    shares: Vec<Share>,
    against: Against,
    evidence: &Evidence,
) -> Gap {
    Gap {
        name,
        gap_mm: contact.gap_mm,
        sigma_mm: contact.sigma_mm,
        p_below: contact.p_touching,
        call: contact.call,
        called_from_mm: contact.sigma_mm * called_from_sigmas(evidence.calls),
        below: below.0.to_owned(),
        above: above.0.to_owned(),
        tones: [below.1, above.1],
        shares,
        against,
    }
}

/// What makes the piece's place uncertain along a direction.
fn piece_shares(seen: &Seen, along: Vector, piece_sigma_mm: f64) -> Vec<Share> {
    let own_mm = along.dot(&(seen.measurement.own * along)).max(0.0).sqrt();
    if !seen.measurement.trusted || own_mm > piece_sigma_mm {
        let name = if seen.measurement.trusted { "the piece's rim" } else { "a fit that is not trusted" };
        return vec![Share { name: name.to_owned(), sigma_mm: piece_sigma_mm }];
    }
    let camera_mm = (piece_sigma_mm.powi(2) - own_mm.powi(2)).max(0.0).sqrt();
    vec![
        Share { name: "the piece's rim".to_owned(), sigma_mm: own_mm },
        Share { name: "camera and lens".to_owned(), sigma_mm: camera_mm },
    ]
}

/// Step along outlines, in mm: close enough for a curve to look like one.
const STEP_MM: f64 = 1.0;

/// The closed outlines of paint that is wider by `grown_mm` on every side.
pub(super) fn outlines(paint: &Paint, grown_mm: f64) -> Vec<Vec<Point>> {
    let arc = |centre: Point, radius_mm: f64, from: f64, sweep: f64| {
        let steps = ((radius_mm * sweep.abs() / STEP_MM).ceil() as usize).clamp(12, 720);
        (0..=steps).map(move |step| {
            let angle = from + sweep * step as f64 / steps as f64;
            centre + Vector::new(angle.cos(), angle.sin()) * radius_mm
        })
    };
    let straight = |from: Point, to: Point| {
        let steps = (((to - from).norm() / STEP_MM).ceil() as usize).clamp(1, 4000);
        (0..=steps).map(move |step| from + (to - from) * (step as f64 / steps as f64))
    };
    let (pi, tau) = (std::f64::consts::PI, std::f64::consts::TAU);
    match *paint {
        Paint::Stroke { from, to, width_mm } => {
            let half_mm = (width_mm / 2.0 + grown_mm).max(0.0);
            let along = (to - from).try_normalize(0.0).unwrap_or_else(Vector::x);
            let left = Vector::new(-along.y, along.x);
            let side = left * half_mm;
            let turned = left.y.atan2(left.x);
            let mut all: Vec<Point> = straight(from + side, to + side).collect();
            all.extend(arc(to, half_mm, turned, -pi));
            all.extend(straight(to - side, from - side));
            all.extend(arc(from, half_mm, turned - pi, -pi));
            vec![all]
        }
        Paint::Ring { centre, radius_mm, width_mm } => [-1.0, 1.0]
            .iter()
            .map(|side| radius_mm + side * (width_mm / 2.0 + grown_mm))
            .filter(|radius_mm| *radius_mm > 0.0)
            .map(|radius_mm| arc(centre, radius_mm, 0.0, tau).collect())
            .collect(),
        Paint::Arc { centre, radius_mm, width_mm, start_rad, sweep_rad } => {
            let half_mm = (width_mm / 2.0 + grown_mm).max(0.0);
            let at = |angle: f64| centre + Vector::new(angle.cos(), angle.sin()) * radius_mm;
            let end_rad = start_rad + sweep_rad;
            let mut all: Vec<Point> = arc(centre, radius_mm + half_mm, start_rad, sweep_rad).collect();
            all.extend(arc(at(end_rad), half_mm, end_rad, pi));
            all.extend(arc(centre, (radius_mm - half_mm).max(0.0), end_rad, -sweep_rad));
            all.extend(arc(at(start_rad), half_mm, start_rad + pi, pi));
            vec![all]
        }
        Paint::Spot { centre, radius_mm } => {
            vec![arc(centre, (radius_mm + grown_mm).max(0.0), 0.0, tau).collect()]
        }
    }
}

/// The paint's edge that faces `centre`, `nearer_mm` off its drawing, within reach of `at`.
fn facing_edge(paint: &Paint, centre: Point, nearer_mm: f64, at: Point, reach_mm: f64) -> Vec<Point> {
    let toward = paint.outward(centre);
    let faces = |p: &Point| {
        let outward = paint.outward(*p);
        (p - at).norm() <= reach_mm && outward.dot(&toward) > 0.0
    };
    let runs = outlines(paint, nearer_mm).into_iter().flat_map(|outline| runs(&outline, faces));
    // Of several, the one that passes the contact.
    let nearest = |run: &Vec<Point>| run.iter().map(|p| (p - at).norm()).fold(f64::INFINITY, f64::min);
    runs.min_by(|a, b| nearest(a).total_cmp(&nearest(b))).unwrap_or_default()
}

/// The stretches of a closed outline whose points are wanted.
pub(super) fn runs(outline: &[Point], wanted: impl Fn(&Point) -> bool) -> Vec<Vec<Point>> {
    // Starting at a point that is not wanted, no stretch is cut in two.
    let start = outline.iter().position(|p| !wanted(p)).unwrap_or(0);
    let mut all: Vec<Vec<Point>> = vec![Vec::new()];
    for point in outline[start..].iter().chain(&outline[..start]) {
        match all.last_mut() {
            Some(run) if wanted(point) => run.push(*point),
            Some(run) if !run.is_empty() => all.push(Vec::new()),
            _ => {}
        }
    }
    all.retain(|run| run.len() > 1);
    all
}

/// What the piece is called by people, for every piece of the board.
pub(super) fn radius_mm(board: &Board, seen: &Seen) -> f64 {
    board.pieces[seen.candidate.kind].radius_mm()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn outlines_lie_where_the_paint_ends() {
        let shapes = [
            Paint::Stroke { from: Point::new(20.0, 1720.0), to: Point::new(200.0, 1180.0), width_mm: 4.0 },
            Paint::Ring { centre: Point::new(150.0, 117.0), radius_mm: 15.9, width_mm: 2.0 },
            Paint::Arc {
                centre: Point::new(0.0, 0.0),
                radius_mm: 50.0,
                width_mm: 3.0,
                start_rad: 0.4,
                sweep_rad: 2.0,
            },
            Paint::Spot { centre: Point::new(5.0, 5.0), radius_mm: 6.0 },
        ];
        for paint in shapes {
            for grown_mm in [-0.3, 0.0, 0.2] {
                for p in outlines(&paint, grown_mm).concat() {
                    let distance_mm = paint.signed_distance_mm(p);
                    assert!((distance_mm - grown_mm).abs() < 1e-9, "{paint:?}: {distance_mm} for {grown_mm}");
                }
            }
        }
    }

    #[test]
    fn the_facing_edge_is_the_one_nearer_the_piece() {
        let line = Paint::Stroke { from: Point::new(0.0, 0.0), to: Point::new(100.0, 0.0), width_mm: 4.0 };
        let edge = facing_edge(&line, Point::new(50.0, 20.0), 0.25, Point::new(50.0, 2.25), 15.0);
        assert!(edge.len() > 20);
        assert!(edge.iter().all(|p| (p.y - 2.25).abs() < 1e-9 && (p.x - 50.0).abs() <= 15.0));
        let ring = Paint::Ring { centre: Point::new(0.0, 0.0), radius_mm: 20.0, width_mm: 2.0 };
        let inside = facing_edge(&ring, Point::new(8.0, 0.0), 0.0, Point::new(19.0, 0.0), 15.0);
        assert!(inside.iter().all(|p| (p.coords.norm() - 19.0).abs() < 1e-9));
        let outside = facing_edge(&ring, Point::new(38.0, 0.0), 0.0, Point::new(21.0, 0.0), 15.0);
        assert!(outside.iter().all(|p| (p.coords.norm() - 21.0).abs() < 1e-9));
    }
}
