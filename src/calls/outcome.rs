//! What a piece can turn out to be: every outcome that its measurement leaves open.

use super::{
    CallOptions, ContactCall, Outcome, PieceState, Sighting,
    contact::{self, Meeting},
    doubt,
};
use crate::board::{Area, Board, End, LineRole};

/// The outcomes of one piece, likeliest first, their probabilities adding up to one.
pub(super) fn outcomes(
    board: &Board,
    end: End,
    sighting: &Sighting,
    radius_mm: f64,
    lines: &[Meeting],
    options: &CallOptions,
) -> Vec<Outcome> {
    let rest = if sighting.stacked {
        vec![not_scoring(PieceState::Stacked, None, 1.0)]
    } else {
        on_the_surface(board, end, sighting, radius_mm, lines, options)
    };
    let p_off = possible(probability_off(board, sighting, options), options);
    let off = not_scoring(PieceState::Off, zero_points(board), p_off);
    let mut all: Vec<Outcome> = rest
        .into_iter()
        .map(|o| Outcome { probability: o.probability * (1.0 - p_off), ..o })
        .chain([off])
        .filter(|o| o.probability > 0.0)
        .collect();
    // A stable sort: equal probabilities keep the order above.
    all.sort_by(|a, b| b.probability.total_cmp(&a.probability));
    all
}

fn not_scoring(state: PieceState, points: Option<i32>, probability: f64) -> Outcome {
    Outcome { state, area: None, points, touching: false, probability }
}

fn zero_points(board: &Board) -> Option<i32> {
    (!board.areas.is_empty()).then_some(0)
}

/// A probability that cannot be told from certainty is certainty.
fn possible(p: f64, options: &CallOptions) -> f64 {
    match doubt::contact_call(p, options) {
        ContactCall::Touching => 1.0,
        ContactCall::Clear => 0.0,
        ContactCall::TooClose => p,
    }
}

fn on_the_surface(
    board: &Board,
    end: End,
    sighting: &Sighting,
    radius_mm: f64,
    lines: &[Meeting],
    options: &CallOptions,
) -> Vec<Outcome> {
    let mut found = Vec::with_capacity(2);
    let overhang = contact::overhang(board, end, sighting, radius_mm, options);
    let p_hanging = overhang.map_or(0.0, |o| possible(o.p_touching, options));
    if let Some(hanging) = board.hanging.as_ref().filter(|_| p_hanging > 0.0) {
        found.push(Outcome {
            state: PieceState::Hanging,
            area: Some(hanging.area.clone()),
            points: Some(hanging.value),
            touching: false,
            probability: p_hanging,
        });
    }
    if p_hanging < 1.0 {
        for (touched, probability) in contacts(lines, options) {
            let outcome = lying(board, end, sighting, lines, touched);
            found.push(Outcome { probability: probability * (1.0 - p_hanging), ..outcome });
        }
    }
    found
}

/// The line that is touched, if any, with the probability of that: one entry when it is sure.
fn contacts<'a>(lines: &'a [Meeting], options: &CallOptions) -> Vec<(Option<&'a Meeting>, f64)> {
    let deciding = contact::deciding_meeting(lines.iter().filter(|m| m.scores));
    let p = deciding.map_or(0.0, |m| possible(m.p_touching, options));
    [(deciding, p), (None, 1.0 - p)].into_iter().filter(|(_, p)| *p > 0.0).collect()
}

/// The piece lying flat, touching `touched` or nothing.
fn lying(
    board: &Board,
    end: End,
    sighting: &Sighting,
    lines: &[Meeting],
    touched: Option<&Meeting>,
) -> Outcome {
    let is_touched =
        |m: &Meeting| touched.is_some_and(|t| t.line == m.line || m.call == ContactCall::Touching);
    let cleared = |m: &Meeting| m.beyond && !is_touched(m);
    let mut fouls = lines.iter().filter(|m| board.lines[m.line].role == LineRole::Foul);
    if fouls.any(|m| !cleared(m)) {
        return Outcome { touching: touched.is_some(), ..not_scoring(PieceState::Dead, Some(0), 1.0) };
    }
    // How far back the line lies that leads into the area; `None` for an area the piece is not in.
    let entered = |area: &Area| match &area.clears {
        Some(name) => {
            lines.iter().find(|m| board.lines[m.line].name == *name && cleared(m)).map(|m| m.gap_mm)
        }
        None => area.polygon.contains(sighting.centre).then_some(0.0),
    };
    let area = board
        .areas_at(end)
        .filter_map(|area| Some((area, entered(area)?)))
        .min_by(|a, b| a.1.total_cmp(&b.1))
        .map(|(area, _)| area);
    let keeps_from_scoring = touched.is_some() && area.is_none_or(|a| a.clears.is_none());
    let points = match area {
        Some(area) if !keeps_from_scoring => Some(area.value),
        _ => zero_points(board),
    };
    let area = area.map(|a| a.name.clone());
    Outcome { state: PieceState::Live, area, points, touching: touched.is_some(), probability: 1.0 }
}

/// Whether the piece has nothing under its centre: over a pocket, or beyond the surface.
fn probability_off(board: &Board, sighting: &Sighting, options: &CallOptions) -> f64 {
    let below = |value_mm: f64, along| {
        let sigma_mm = sighting.sigma_along_mm(along, options);
        doubt::probability_below(value_mm, sigma_mm, options.tail_freedom)
    };
    let p = sighting.centre;
    let (width_mm, length_mm) = (board.surface.width_mm, board.surface.length_mm);
    let (x, y) = (nalgebra::Vector2::x(), nalgebra::Vector2::y());
    // A centre exactly on the edge still rests, so each side asks for the strict inequality.
    let sides = [(p.x, x), (width_mm - p.x, x), (p.y, y), (length_mm - p.y, y)];
    let beyond = sides.into_iter().map(|(inside_mm, along)| 1.0 - below(-inside_mm, along));
    let pocketed = board.pockets.iter().map(|pocket| {
        let from = p - pocket.centre;
        below(from.norm() - pocket.radius_mm, from.try_normalize(0.0).unwrap_or(x))
    });
    beyond.chain(pocketed).fold(0.0, f64::max)
}
