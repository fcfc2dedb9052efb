//! A draw: plain single elimination or round robin, for a club that has nothing else.

use serde::{Deserialize, Serialize};

use super::{Form, Pairing, Seat, Stage};
use crate::rules::event::{RawOptions, RawSide};

/// With fewer a tournament is not held (KAGW, general rule 7).
pub const FEWEST: usize = 4;
const MOST: usize = 128;

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum DrawError {
    #[error("{0} entrants are too few: a tournament has at least {FEWEST}")]
    TooFew(usize),
    #[error("{0} entrants are too many: a draw has at most {MOST}")]
    TooMany(usize),
    #[error("{0} is entered twice")]
    Twice(String),
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Entrant {
    pub name: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub players: Option<Vec<String>>,
}

impl Entrant {
    fn seat(&self) -> Seat {
        Seat::Side(RawSide { name: self.name.clone(), colour: None, players: self.players.clone() })
    }
}

/// What is drawn.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Draw {
    pub form: Form,
    pub game: String,
    #[serde(default)]
    pub options: RawOptions,
    /// The best first, where they are seeded.
    pub entrants: Vec<Entrant>,
}

impl Draw {
    pub fn pairings(&self) -> Result<Vec<Pairing>, DrawError> {
        let count = self.entrants.len();
        if count < FEWEST {
            return Err(DrawError::TooFew(count));
        }
        if count > MOST {
            return Err(DrawError::TooMany(count));
        }
        for (place, entrant) in self.entrants.iter().enumerate() {
            if self.entrants[..place].iter().any(|before| before.name == entrant.name) {
                return Err(DrawError::Twice(entrant.name.clone()));
            }
        }
        Ok(match self.form {
            Form::SingleElimination => self.elimination(),
            Form::RoundRobin => self.round_robin(),
        })
    }

    fn pairing(&self, id: String, round: String, seats: [Seat; 2]) -> Pairing {
        let (game, options) = (self.game.clone(), self.options.clone());
        Pairing { id, round, game, options, seats, table: None, stage: Stage::Waiting }
    }

    /// The first seeds meet last; byes go to the first seeds.
    fn elimination(&self) -> Vec<Pairing> {
        let size = self.entrants.len().next_power_of_two();
        let seat = |seed: usize| self.entrants.get(seed).map_or(Seat::Bye, Entrant::seat);
        let mut seats: Vec<Seat> = seeds(size).into_iter().map(seat).collect();
        let mut pairings = Vec::new();
        let mut round = 1;
        while seats.len() > 1 {
            let words = match seats.len() {
                2 => "final".to_owned(),
                4 => "semi-final".to_owned(),
                8 => "quarter-final".to_owned(),
                _ => format!("round {round}"),
            };
            let mut next = Vec::new();
            for (number, pair) in seats.chunks_exact(2).enumerate() {
                let id = format!("r{round}-{}", number + 1);
                next.push(Seat::WinnerOf(id.clone()));
                pairings.push(self.pairing(id, words.clone(), [pair[0].clone(), pair[1].clone()]));
            }
            seats = next;
            round += 1;
        }
        pairings
    }

    /// Everybody meets everybody; with an odd number one rests in each round.
    fn round_robin(&self) -> Vec<Pairing> {
        let mut places: Vec<Option<usize>> = (0..self.entrants.len()).map(Some).collect();
        if places.len() % 2 == 1 {
            places.push(None);
        }
        let count = places.len();
        let mut pairings = Vec::new();
        for round in 1..count {
            let mut number = 0;
            for i in 0..count / 2 {
                let (Some(a), Some(b)) = (places[i], places[count - 1 - i]) else { continue };
                number += 1;
                // Who begins changes from round to round.
                let (a, b) = if round % 2 == 0 { (b, a) } else { (a, b) };
                let seats = [self.entrants[a].seat(), self.entrants[b].seat()];
                pairings.push(self.pairing(format!("r{round}-{number}"), format!("round {round}"), seats));
            }
            places[1..].rotate_right(1);
        }
        pairings
    }
}

/// Seeds in the order of their places: 0, 3, 1, 2 for four.
fn seeds(size: usize) -> Vec<usize> {
    let mut order = vec![0];
    while order.len() < size {
        let next = order.len() * 2;
        order = order
            .iter()
            .enumerate()
            .flat_map(|(i, &seed)| {
                let other = next - 1 - seed;
                if i % 2 == 0 { [seed, other] } else { [other, seed] }
            })
            .collect();
    }
    order
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::{super::Book, *};

    fn draw(form: Form, count: usize) -> Draw {
        let entrant = |i: usize| Entrant { name: format!("p{i}"), players: None };
        Draw {
            form,
            game: "court".into(),
            options: RawOptions::default(),
            entrants: (1..=count).map(entrant).collect(),
        }
    }

    #[test]
    fn the_first_seeds_meet_last_and_have_the_byes() {
        let mut book = Book::default();
        book.add(draw(Form::SingleElimination, 6).pairings().unwrap()).unwrap();
        let byes: Vec<&str> = book
            .pairings
            .iter()
            .filter_map(|p| p.outcome().filter(|o| o.status == "bye")?.winner.as_deref())
            .collect();
        assert_eq!(book.pairings.len(), 7);
        let mut sorted = byes.clone();
        sorted.sort_unstable();
        assert_eq!(sorted, ["p1", "p2"]);
        let halves = |name: &str| {
            book.pairings[..4].iter().position(|p| p.seats.iter().any(|s| s.words() == name)).unwrap() / 2
        };
        assert_ne!(halves("p1"), halves("p2"));
        for count in 4..=33 {
            let pairings = draw(Form::SingleElimination, count).pairings().unwrap();
            assert_eq!(pairings.len(), count.next_power_of_two() - 1);
            let mut book = Book::default();
            book.add(pairings).unwrap();
            // The first of each pairing wins, to the end.
            let next = |book: &Book| book.ready().next().map(|p| (p.id.clone(), p.seats[0].words()));
            while let Some((id, name)) = next(&book) {
                book.decide(&id, &name, "Cy", jiff::Timestamp::UNIX_EPOCH).unwrap();
            }
            assert!(book.pairings.iter().all(|p| p.outcome().is_some()), "{count}");
        }
    }

    #[test]
    fn everybody_meets_everybody_once_and_nobody_twice_in_a_round() {
        for count in 4..=9 {
            let pairings = draw(Form::RoundRobin, count).pairings().unwrap();
            let mut met = std::collections::BTreeSet::new();
            let mut in_round = std::collections::BTreeSet::new();
            for pairing in &pairings {
                let mut names = [pairing.seats[0].words(), pairing.seats[1].words()];
                for name in &names {
                    assert!(in_round.insert((pairing.round.clone(), name.clone())), "{count}");
                }
                names.sort();
                assert!(met.insert(names), "{count}");
            }
            assert_eq!(pairings.len(), count * (count - 1) / 2);
        }
    }

    #[test]
    fn too_few_are_no_tournament() {
        assert_eq!(draw(Form::RoundRobin, 3).pairings(), Err(DrawError::TooFew(3)));
    }
}
