//! What a piece can turn out to be: every outcome that its measurement leaves open.

use super::{
    CallOptions, Contact, ContactCall, Lying, Outcome, PieceState,
    contact::{self, Meeting},
    doubt,
};
use crate::board::{Area, Board, End, LineRole};
use crate::geometry::{Point, Vector};

/// One way in which a call can come out, its names still the board's.
#[derive(Debug, Clone, Copy)]
pub(crate) struct OutcomeOn<'b> {
    pub state: PieceState,
    pub area: Option<&'b str>,
    pub points: Option<i32>,
    pub touching: bool,
    pub probability: f64,
}

impl From<&OutcomeOn<'_>> for Outcome {
    fn from(on: &OutcomeOn<'_>) -> Self {
        let OutcomeOn { state, area, points, touching, probability } = *on;
        Outcome { state, area: area.map(str::to_owned), points, touching, probability }
    }
}

/// A piece hangs, touches a line, touches none, lies on another, or is off.
const MOST_OUTCOMES: usize = 5;

/// Outcomes, likeliest first.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Outcomes<'b> {
    all: [Option<OutcomeOn<'b>>; MOST_OUTCOMES],
}

impl<'b> Outcomes<'b> {
    fn none() -> Self {
        Self { all: [None; MOST_OUTCOMES] }
    }

    /// Adds an outcome that is possible, after those that are as likely.
    fn add(&mut self, outcome: OutcomeOn<'b>) {
        if outcome.probability <= 0.0 {
            return;
        }
        let is_less_likely = |o: &OutcomeOn| o.probability < outcome.probability;
        let place = self.all.iter().position(|o| o.as_ref().is_none_or(is_less_likely));
        if let Some(place) = place {
            self.all[place..].rotate_right(1);
            self.all[place] = Some(outcome);
        }
    }

    pub fn iter(&self) -> impl Iterator<Item = &OutcomeOn<'b>> {
        self.all.iter().flatten()
    }

    pub fn likeliest(&self) -> Option<&OutcomeOn<'b>> {
        self.all[0].as_ref()
    }
}

/// The outcomes of one piece, their probabilities adding up to one.
pub(super) fn outcomes<'b>(
    board: &'b Board,
    end: End,
    lying: &Lying,
    radius_mm: f64,
    lines: &[Meeting],
    options: &CallOptions,
) -> Outcomes<'b> {
    let p_off = possible(probability_off(board, lying, options), options);
    let mut found = Outcomes::none();
    let p_stacked = match (lying.stacked, lying.may_be_stacked) {
        (true, _) => 1.0,
        // Where places score nothing, it counts the same on another.
        (false, true) if !board.areas.is_empty() => options.on_another,
        (false, _) => 0.0,
    };
    let p_in_play = 1.0 - p_off;
    on_the_surface(board, end, lying, radius_mm, lines, p_in_play * (1.0 - p_stacked), options, &mut found);
    found.add(not_scoring(PieceState::Stacked, None, p_in_play * p_stacked));
    found.add(not_scoring(PieceState::Off, zero_points(board), p_off));
    found
}

fn not_scoring(state: PieceState, points: Option<i32>, probability: f64) -> OutcomeOn<'static> {
    OutcomeOn { state, area: None, points, touching: false, probability }
}

fn zero_points(board: &Board) -> Option<i32> {
    (!board.areas.is_empty()).then_some(0)
}

/// A probability that cannot be told from certainty is certainty.
pub(super) fn possible(p: f64, options: &CallOptions) -> f64 {
    match doubt::contact_call(p, options) {
        ContactCall::Touching => 1.0,
        ContactCall::Clear => 0.0,
        ContactCall::TooClose => p,
    }
}

/// Adds what a piece can be that is on the surface, which it is with a probability of `p_on`.
#[allow(clippy::too_many_arguments)]
fn on_the_surface<'b>(
    board: &'b Board,
    end: End,
    lying_there: &Lying,
    radius_mm: f64,
    lines: &[Meeting],
    p_on: f64,
    options: &CallOptions,
    found: &mut Outcomes<'b>,
) {
    let overhang = contact::p_hanging(board, end, lying_there, radius_mm, options);
    let p_hanging = overhang.map_or(0.0, |(_, _, p)| possible(p, options));
    if let Some(hanging) = board.hanging.as_ref().filter(|_| p_hanging > 0.0) {
        found.add(OutcomeOn {
            state: PieceState::Hanging,
            area: Some(&hanging.area),
            points: Some(hanging.value),
            touching: false,
            probability: p_hanging * p_on,
        });
    }
    if p_hanging < 1.0 {
        for (touched, probability) in contacts(lines, options).into_iter().filter(|(_, p)| *p > 0.0) {
            let outcome = lying(board, end, lying_there, lines, touched);
            found.add(OutcomeOn { probability: probability * (1.0 - p_hanging) * p_on, ..outcome });
        }
    }
}

/// The line that is touched, with the probability of that, and that none is.
fn contacts<'a>(lines: &'a [Meeting], options: &CallOptions) -> [(Option<&'a Meeting>, f64); 2] {
    let deciding = contact::deciding_meeting(lines.iter().filter(|m| m.scores));
    let p = deciding.map_or(0.0, |m| possible(m.p_touching, options));
    [(deciding, p), (None, 1.0 - p)]
}

/// The piece lying flat, touching `touched` or nothing.
fn lying<'b>(
    board: &'b Board,
    end: End,
    lying: &Lying,
    lines: &[Meeting],
    touched: Option<&Meeting>,
) -> OutcomeOn<'b> {
    let is_touched =
        |m: &Meeting| touched.is_some_and(|t| t.line == m.line || m.call == ContactCall::Touching);
    let cleared = |m: &Meeting| m.beyond && !is_touched(m);
    let mut fouls = lines.iter().filter(|m| board.lines[m.line].role == LineRole::Foul);
    if fouls.any(|m| !cleared(m)) {
        return OutcomeOn { touching: touched.is_some(), ..not_scoring(PieceState::Dead, Some(0), 1.0) };
    }
    // How far back the line lies that leads into the area; `None` for an area the piece is not in.
    let entered = |area: &Area| match &area.clears {
        Some(name) => {
            lines.iter().find(|m| board.lines[m.line].name == *name && cleared(m)).map(|m| m.gap_mm)
        }
        None => area.polygon.contains(lying.centre).then_some(0.0),
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
    let area = area.map(|a| a.name.as_str());
    OutcomeOn { state: PieceState::Live, area, points, touching: touched.is_some(), probability: 1.0 }
}

/// Whether the piece has nothing under its centre: over a pocket, or beyond the surface.
/// (Nought where it cannot be told from certainty: see [`possible`].)
fn probability_off(board: &Board, lying: &Lying, options: &CallOptions) -> f64 {
    let clears_mm = lying.plainly_clears_mm(options).unwrap_or(f64::INFINITY);
    let near = brinks(board, lying.centre).filter(|brink| brink.gap_mm <= clears_mm);
    near.map(|brink| brink.p_beyond(lying, options)).fold(0.0, f64::max)
}

/// An edge beyond which a piece has nothing under its centre.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Brink {
    /// The pocket whose mouth it is, an index into the board's; none for the surface's own edge.
    pub pocket: Option<usize>,
    /// From the centre to the edge, negative beyond it.
    pub gap_mm: f64,
    /// The unit vector from the board over the edge.
    pub outward: Vector,
}

impl Brink {
    fn sigma_mm(&self, lying: &Lying, options: &CallOptions) -> f64 {
        lying.sigma_along_mm(self.outward, options)
    }

    fn p_beyond(&self, lying: &Lying, options: &CallOptions) -> f64 {
        let below = |gap_mm: f64| {
            doubt::probability_below(gap_mm, self.sigma_mm(lying, options), options.tail_freedom)
        };
        match self.pocket {
            Some(_) => below(self.gap_mm),
            // A centre exactly on the surface's edge still rests, so it asks for the strict inequality.
            None => 1.0 - below(-self.gap_mm),
        }
    }
}

fn brinks(board: &Board, p: Point) -> impl Iterator<Item = Brink> {
    let (width_mm, length_mm) = (board.surface.width_mm, board.surface.length_mm);
    let (x, y) = (Vector::x(), Vector::y());
    let sides = [(p.x, -x), (width_mm - p.x, x), (p.y, -y), (length_mm - p.y, y)];
    let sides = sides.into_iter().map(|(gap_mm, outward)| Brink { pocket: None, gap_mm, outward });
    let pockets = board.pockets.iter().enumerate().map(move |(index, pocket)| {
        let to = pocket.centre - p;
        let outward = to.try_normalize(0.0).unwrap_or(x);
        Brink { pocket: Some(index), gap_mm: to.norm() - pocket.radius_mm, outward }
    });
    sides.chain(pockets)
}

/// The nearest such edge, and how a piece's centre meets it: `Touching` is beyond.
pub(crate) fn brink(board: &Board, lying: &Lying, options: &CallOptions) -> Option<(Brink, Contact)> {
    let nearest = brinks(board, lying.centre).min_by(|a, b| a.gap_mm.total_cmp(&b.gap_mm))?;
    let (sigma_mm, p_touching) = (nearest.sigma_mm(lying, options), nearest.p_beyond(lying, options));
    let call = doubt::contact_call(p_touching, options);
    Some((nearest, Contact { line: "edge".to_owned(), gap_mm: nearest.gap_mm, sigma_mm, p_touching, call }))
}
