//! Pucks with everything they may turn out to be, and the tally with its doubts.
//!
//! In: pucks, each with one outcome or several. Out: a [`FrameScore`]: the likeliest tally, its
//! probability, every single call whose other outcome would change it, and all tallies that the
//! doubts together allow.

use std::collections::BTreeMap;

use super::{BySide, Side};
use crate::{
    board::{Board, End},
    calls::{
        Call, CallOptions, ContactCall, Lying, Order, OrderCall, Outcome, Outlook, PieceState, Sighting,
    },
    geometry::Point,
};

/// Combinations of outcomes that are weighed at most; the least doubtful calls beyond that are
/// taken as made.
const MOST_COMBINATIONS: usize = 4096;

/// How a frame's pucks make a tally.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Counting {
    /// Every puck scores (C6, N4).
    Every,
    /// Only pucks ahead of the other side's most distant one score (L3).
    Leaders,
}

/// One way in which a puck may have come to rest.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct PuckOutcome {
    pub value: i32,
    pub state: PieceState,
    pub touching: bool,
    pub probability: f64,
}

impl PuckOutcome {
    /// Scores nothing, for certain.
    pub fn gone(state: PieceState) -> Self {
        Self { value: 0, state, touching: false, probability: 1.0 }
    }

    fn counts_for_order(&self) -> bool {
        matches!(self.state, PieceState::Live | PieceState::Hanging)
    }
}

impl From<&Outcome> for PuckOutcome {
    fn from(outcome: &Outcome) -> Self {
        let Outcome { state, touching, probability, points, .. } = *outcome;
        Self { value: points.unwrap_or(0), state, touching, probability }
    }
}

/// Where a puck lies along the board, as far as it is known.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Place {
    /// Millimetres toward the scoring end.
    At {
        along_mm: f64,
        sigma_mm: f64,
    },
    /// Somewhere in a stretch.
    Between {
        from_mm: f64,
        to_mm: f64,
    },
    Nowhere,
}

impl Place {
    /// How far toward `end` a point lies.
    pub fn along_mm(p: Point, board: &Board, end: End) -> f64 {
        match end {
            End::Far => p.y,
            End::Near => board.surface.length_mm - p.y,
        }
    }
}

#[derive(Debug, Clone)]
pub(crate) struct Puck {
    pub side: Side,
    pub likeliest: PuckOutcome,
    /// The less likely ones.
    pub others: Vec<PuckOutcome>,
    pub place: Place,
    /// The line that is too close to call, where there is one.
    pub close_to: Option<String>,
    /// How likely it is there at all.
    pub p_exists: f64,
    /// The puck that it would be there instead of, because its side has no more.
    pub instead_of: Option<usize>,
}

impl Puck {
    pub fn sure(side: Side, outcome: PuckOutcome, place: Place) -> Self {
        let (others, close_to, instead_of) = (Vec::new(), None, None);
        Self { side, likeliest: outcome, others, place, close_to, p_exists: 1.0, instead_of }
    }

    /// A puck as it was called.
    pub fn called(side: Side, call: &Call, sighting: &Sighting, board: &Board, end: End) -> Self {
        let mut outcomes = call.outcomes.iter().map(PuckOutcome::from);
        let likeliest = outcomes.next().unwrap_or(PuckOutcome::gone(call.state));
        let close = [&call.overhang, &call.contact]
            .into_iter()
            .flatten()
            .find(|contact| !call.is_sure() && contact.call == ContactCall::TooClose);
        let place = Place::At {
            along_mm: Place::along_mm(sighting.centre, board, end),
            sigma_mm: sighting.sigma_toward_mm(end, &CallOptions::default()),
        };
        let close_to = close.map(|contact| contact.line.clone());
        let p_exists = sighting.exists(&CallOptions::default());
        Self { side, likeliest, others: outcomes.collect(), place, close_to, p_exists, instead_of: None }
    }

    /// A puck whose place was told.
    pub fn told(side: Side, outlook: &Outlook, lying: &Lying, board: &Board, end: End) -> Self {
        let mut outcomes = outlook.outcomes.iter().map(|o| PuckOutcome {
            value: o.points.unwrap_or(0),
            state: o.state,
            touching: o.touching,
            probability: o.probability,
        });
        let likeliest = outcomes.next().unwrap_or(PuckOutcome::gone(PieceState::Off));
        let place = Place::At {
            along_mm: Place::along_mm(lying.centre, board, end),
            sigma_mm: lying.sigma_toward_mm(end, &CallOptions::default()),
        };
        let close_to = outlook.too_close.map(str::to_owned);
        Self { side, likeliest, others: outcomes.collect(), place, close_to, p_exists: 1.0, instead_of: None }
    }

    /// Whether it is there, as far as that is known.
    pub fn is_there(&self) -> bool {
        self.p_exists >= 0.5
    }

    /// What decides between the likeliest outcome and another one.
    fn doubted(&self, other: usize) -> String {
        let is_stacked = |index: usize| self.outcome(index).state == PieceState::Stacked;
        match &self.close_to {
            _ if is_stacked(0) || is_stacked(other) => "stacked".to_owned(),
            Some(line) => line.clone(),
            None => "edge".to_owned(),
        }
    }

    fn outcome(&self, index: usize) -> &PuckOutcome {
        if index == 0 { &self.likeliest } else { &self.others[index - 1] }
    }
}

/// A call that could go the other way, and the tally it would give.
#[derive(Debug, Clone, PartialEq)]
pub struct Doubt {
    /// The piece's index in the frame.
    pub piece: usize,
    /// The other piece, where the order of two is in doubt.
    pub against: Option<usize>,
    /// The line that is too close, `end` for a hanging piece, `order` for an order of two, `stacked` for one that may
    /// lie on another, `edge` for one that may be off, `existence` for one that may not be there, or be there after all.
    pub about: String,
    /// How likely the other outcome is.
    pub probability: f64,
    pub tally: BySide<i32>,
}

/// The doubts of a frame.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct FrameDoubts {
    /// Every tally that is possible, likeliest first, with its probability.
    pub outcomes: Vec<(BySide<i32>, f64)>,
    pub doubts: Vec<Doubt>,
}

/// What a frame scores.
#[derive(Debug, Clone)]
pub(crate) struct FrameScore {
    pub tally: BySide<i32>,
    /// How likely `tally` is.
    pub probability: f64,
    /// `None` when every call is sure.
    pub doubts: Option<Box<FrameDoubts>>,
}

/// Whether one puck is ahead of another one.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Ahead {
    Yes,
    No,
    Equal,
    /// Too close to call; the probability that it is ahead.
    Perhaps(f64),
    /// Areas that do not tell.
    Open,
}

/// Something that can come out in several ways.
#[derive(Debug, Clone, Copy)]
enum Question {
    Puck(usize),
    /// Whether it is there.
    Existence(usize),
    /// Two pucks of different sides, the first one's side playing first.
    Order(usize, usize, f64),
}

/// What a doubt is about whose piece may not be there.
pub(crate) const EXISTENCE: &str = "existence";

/// Probability of the likelier of two answers, or the other one.
fn of_two(p: f64, answer: usize) -> f64 {
    if answer == 0 { p.max(1.0 - p) } else { p.min(1.0 - p) }
}

#[derive(Debug, Clone)]
pub(crate) struct Pucks {
    counting: Counting,
    pucks: Vec<Puck>,
}

impl Pucks {
    pub fn new(counting: Counting, capacity: usize) -> Self {
        Self { counting, pucks: Vec::with_capacity(capacity) }
    }

    pub fn push(&mut self, puck: Puck) {
        self.pucks.push(puck);
    }

    /// Whether a puck's likeliest outcome has the state.
    pub fn any_in(&self, state: PieceState) -> bool {
        self.pucks.iter().any(|puck| puck.likeliest.state == state)
    }

    pub fn score(&self) -> FrameScore {
        let likeliest = Answers::default();
        let tally = self.tally(&likeliest);
        let mut questions = self.questions();
        if questions.is_empty() {
            return FrameScore { tally, probability: 1.0, doubts: None };
        }
        // The most doubtful first, so that a bound on combinations leaves out the least doubtful.
        questions.sort_by(|a, b| self.probability(a, 0).total_cmp(&self.probability(b, 0)));
        let outcomes = self.outcomes(&questions);
        let weighed = outcomes.iter().find(|(t, _)| *t == tally).map_or(0.0, |(_, p)| *p);
        let probability = weighed * self.unweighed(&questions);
        let doubts = questions.iter().flat_map(|question| self.doubts_of(question, tally)).collect();
        FrameScore { tally, probability, doubts: Some(Box::new(FrameDoubts { outcomes, doubts })) }
    }

    /// What each puck adds to the likeliest tally.
    pub fn points(&self) -> Vec<i32> {
        let likeliest = Answers::default();
        (0..self.pucks.len()).map(|i| self.points_of(i, &likeliest)).collect()
    }

    /// Two pucks whose order the tally needs and the areas leave open (L3).
    pub fn open_order(&self) -> Option<(usize, usize)> {
        if self.counting == Counting::Every {
            return None;
        }
        let in_play = |i: &usize| self.pucks[*i].likeliest.counts_for_order();
        let all = || (0..self.pucks.len()).filter(in_play);
        let against = |x: usize| all().filter(move |y| self.pucks[*y].side != self.pucks[x].side);
        // A puck that is surely not ahead of some other one scores nothing, whatever is open.
        let may_score = |x: usize| {
            against(x).all(|y| matches!(self.ahead(x, y), Ahead::Yes | Ahead::Open | Ahead::Perhaps(_)))
        };
        all().find_map(|x| {
            let y = against(x).find(|y| self.ahead(x, *y) == Ahead::Open)?;
            (may_score(x) || may_score(y)).then_some((x.min(y), x.max(y)))
        })
    }

    fn questions(&self) -> Vec<Question> {
        let in_doubt = self.pucks.iter().enumerate().filter(|(_, puck)| !puck.others.is_empty());
        let mut questions: Vec<_> = in_doubt.map(|(i, _)| Question::Puck(i)).collect();
        let is_doubtful = |i: &usize| !matches!(self.pucks[*i].p_exists, 0.0 | 1.0);
        questions.extend((0..self.pucks.len()).filter(is_doubtful).map(Question::Existence));
        if self.counting == Counting::Leaders {
            let of = |side: Side| (0..self.pucks.len()).filter(move |i| self.pucks[*i].side == side);
            for i in of(Side::First) {
                for j in of(Side::Second) {
                    if let Ahead::Perhaps(p) = self.ahead(i, j) {
                        questions.push(Question::Order(i, j, p));
                    }
                }
            }
        }
        questions
    }

    fn answers_to(&self, question: &Question) -> usize {
        match question {
            Question::Puck(i) => 1 + self.pucks[*i].others.len(),
            Question::Existence(_) | Question::Order(..) => 2,
        }
    }

    /// Probability of a question's answer; 0 is the likeliest.
    fn probability(&self, question: &Question, answer: usize) -> f64 {
        match question {
            Question::Puck(i) => self.pucks[*i].outcome(answer).probability,
            Question::Existence(i) => of_two(self.pucks[*i].p_exists, answer),
            Question::Order(_, _, p) => of_two(*p, answer),
        }
    }

    /// How many questions are weighed together, and their combinations.
    fn weighed(&self, questions: &[Question]) -> (usize, usize) {
        let mut combinations = 1;
        for (weighed, question) in questions.iter().enumerate() {
            if combinations * self.answers_to(question) > MOST_COMBINATIONS {
                return (weighed, combinations);
            }
            combinations *= self.answers_to(question);
        }
        (questions.len(), combinations)
    }

    /// How likely all questions beyond those have their likeliest answers.
    fn unweighed(&self, questions: &[Question]) -> f64 {
        let (weighed, _) = self.weighed(questions);
        questions[weighed..].iter().map(|question| self.probability(question, 0)).product()
    }

    /// Every tally that the questions together allow.
    fn outcomes(&self, questions: &[Question]) -> Vec<(BySide<i32>, f64)> {
        let (weighed, combinations) = self.weighed(questions);
        let mut tallies = BTreeMap::<BySide<i32>, f64>::new();
        for combination in 0..combinations {
            let mut rest = combination;
            let mut probability = 1.0;
            let mut answers = Answers::default();
            for question in &questions[..weighed] {
                let answer = rest % self.answers_to(question);
                rest /= self.answers_to(question);
                probability *= self.probability(question, answer);
                answers.give(question, answer);
            }
            *tallies.entry(self.tally(&answers)).or_default() += probability;
        }
        let mut tallies: Vec<_> = tallies.into_iter().collect();
        tallies.sort_by(|a, b| b.1.total_cmp(&a.1));
        tallies
    }

    /// The other answers to one question that change the tally.
    fn doubts_of(&self, question: &Question, tally: BySide<i32>) -> Vec<Doubt> {
        let doubt = |answer: usize| {
            let mut answers = Answers::default();
            answers.give(question, answer);
            let (piece, against, about) = match *question {
                Question::Puck(i) => (i, None, self.pucks[i].doubted(answer)),
                Question::Existence(i) => (i, None, EXISTENCE.to_owned()),
                Question::Order(i, j, _) => (i, Some(j), "order".to_owned()),
            };
            let probability = self.probability(question, answer);
            Doubt { piece, against, about, probability, tally: self.tally(&answers) }
        };
        (1..self.answers_to(question)).map(doubt).filter(|doubt| doubt.tally != tally).collect()
    }

    fn tally(&self, answers: &Answers) -> BySide<i32> {
        let mut tally = BySide::default();
        for (i, puck) in self.pucks.iter().enumerate() {
            tally[puck.side] += self.points_of(i, answers);
        }
        tally
    }

    fn points_of(&self, i: usize, answers: &Answers) -> i32 {
        let outcome = |i: usize| self.pucks[i].outcome(answers.of_puck(i));
        if !self.is_there(i, answers) {
            return 0;
        }
        if self.counting == Counting::Every {
            return outcome(i).value;
        }
        let leads = outcome(i).counts_for_order()
            && (0..self.pucks.len())
                .filter(|j| self.pucks[*j].side != self.pucks[i].side && outcome(*j).counts_for_order())
                .filter(|j| self.is_there(*j, answers))
                .all(|j| self.is_ahead(i, j, answers));
        if leads { outcome(i).value } else { 0 }
    }

    fn is_there(&self, i: usize, answers: &Answers) -> bool {
        let gives_way = |other: &usize| self.pucks[*other].instead_of == Some(i);
        let is_turned = answers.existence.iter().any(|turned| *turned == i || gives_way(turned));
        self.pucks[i].is_there() != is_turned
    }

    /// Asked from the first side's puck, so that the two answers for a pair never contradict.
    fn is_ahead(&self, i: usize, j: usize, answers: &Answers) -> bool {
        let i_is_first = self.pucks[i].side == Side::First;
        let (first, second) = if i_is_first { (i, j) } else { (j, i) };
        match self.ahead(first, second) {
            Ahead::Yes => i_is_first,
            Ahead::No => !i_is_first,
            Ahead::Equal | Ahead::Open => false,
            Ahead::Perhaps(p) => ((p >= 0.5) != answers.turned(first, second)) == i_is_first,
        }
    }

    fn ahead(&self, i: usize, j: usize) -> Ahead {
        let stretch = |place: Place| match place {
            Place::At { along_mm, .. } => Some((along_mm, along_mm)),
            Place::Between { from_mm, to_mm } => Some((from_mm, to_mm)),
            Place::Nowhere => None,
        };
        let (one, two) = (self.pucks[i].place, self.pucks[j].place);
        if let (Place::At { along_mm: a, sigma_mm: s }, Place::At { along_mm: b, sigma_mm: t }) = (one, two) {
            let order = Order::of(a - b, s.hypot(t), &CallOptions::default());
            return match order.call {
                OrderCall::First => Ahead::Yes,
                OrderCall::Second => Ahead::No,
                OrderCall::Equal => Ahead::Equal,
                OrderCall::TooClose => Ahead::Perhaps(order.p_first),
            };
        }
        match (stretch(one), stretch(two)) {
            (Some((from_mm, _)), Some((_, to_mm))) if from_mm >= to_mm => Ahead::Yes,
            (Some((_, to_mm)), Some((from_mm, _))) if to_mm <= from_mm => Ahead::No,
            (Some(_), Some(_)) => Ahead::Open,
            (Some(_), None) => Ahead::Yes,
            (None, _) => Ahead::No,
        }
    }
}

/// Answers that differ from the likeliest.
#[derive(Debug, Clone, Default)]
struct Answers {
    pucks: Vec<(usize, usize)>,
    existence: Vec<usize>,
    turned: Vec<(usize, usize)>,
}

impl Answers {
    fn give(&mut self, question: &Question, answer: usize) {
        match *question {
            _ if answer == 0 => {}
            Question::Puck(i) => self.pucks.push((i, answer)),
            Question::Existence(i) => self.existence.push(i),
            Question::Order(i, j, _) => self.turned.push((i, j)),
        }
    }

    fn of_puck(&self, i: usize) -> usize {
        self.pucks.iter().find(|(puck, _)| *puck == i).map_or(0, |(_, answer)| *answer)
    }

    fn turned(&self, first: usize, second: usize) -> bool {
        self.turned.contains(&(first, second))
    }
}
