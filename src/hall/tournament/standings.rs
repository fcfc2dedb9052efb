//! Standings: matches won, then the points of all games (the measure of K13).

use serde::Serialize;

use super::Book;

/// One side's place.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Place {
    /// Sides that nothing tells apart share a place.
    pub place: usize,
    pub name: String,
    pub played: u32,
    pub won: u32,
    pub undecided: u32,
    pub lost: u32,
    pub games_won: i64,
    pub games_lost: i64,
    pub points: i64,
    pub points_against: i64,
}

impl Place {
    fn rank(&self) -> (u32, i64) {
        (self.won, self.points)
    }
}

/// The table of all sides that have a known name in some pairing. Byes count as nothing.
pub fn standings(book: &Book) -> Vec<Place> {
    let mut places: Vec<Place> = Vec::new();
    for pairing in &book.pairings {
        for side in pairing.seats.iter().filter_map(|seat| seat.side()) {
            if places.iter().all(|place| place.name != side.name) {
                places.push(Place {
                    place: 0,
                    name: side.name.clone(),
                    played: 0,
                    won: 0,
                    undecided: 0,
                    lost: 0,
                    games_won: 0,
                    games_lost: 0,
                    points: 0,
                    points_against: 0,
                });
            }
        }
        let Some(outcome) = pairing.outcome().filter(|outcome| outcome.status != "bye") else { continue };
        for side in pairing.seats.iter().filter_map(|seat| seat.side()) {
            let Some(place) = places.iter_mut().find(|place| place.name == side.name) else { continue };
            place.played += 1;
            match &outcome.winner {
                Some(winner) if *winner == side.name => place.won += 1,
                Some(_) => place.lost += 1,
                None => place.undecided += 1,
            }
            for standing in &outcome.sides {
                let (games, points) = match standing.name == side.name {
                    true => (&mut place.games_won, &mut place.points),
                    false => (&mut place.games_lost, &mut place.points_against),
                };
                *games += standing.games;
                *points += standing.points;
            }
        }
    }
    places.sort_by(|a, b| b.rank().cmp(&a.rank()).then(a.name.cmp(&b.name)));
    let mut last: Option<((u32, i64), usize)> = None;
    for (index, place) in places.iter_mut().enumerate() {
        place.place = match last {
            Some((rank, number)) if rank == place.rank() => number,
            _ => index + 1,
        };
        last = Some((place.rank(), place.place));
    }
    places
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::{
        super::{Draw, Entrant, Form, Outcome},
        *,
    };
    use crate::hall::topics::SideStanding;

    #[test]
    fn wins_come_first_then_points_and_equals_share_a_place() {
        let entrants = ["a", "b", "c", "d"].map(|name| Entrant { name: name.into(), players: None });
        let draw = Draw {
            form: Form::RoundRobin,
            game: "court".into(),
            options: Default::default(),
            entrants: entrants.into(),
        };
        let mut book = Book::default();
        book.add(draw.pairings().unwrap()).unwrap();
        let side = |name: &str, games, points| SideStanding {
            name: name.into(),
            players: Vec::new(),
            colour: "red".into(),
            score: 0,
            games,
            points,
        };
        for id in book.pairings.iter().map(|p| p.id.clone()).collect::<Vec<_>>() {
            let names: Vec<String> = book.get(&id).unwrap().seats.iter().map(|s| s.words()).collect();
            // The earlier letter wins, a with more points than the others.
            let (winner, loser) = (names.iter().min().unwrap(), names.iter().max().unwrap());
            let won = Outcome {
                status: "won".into(),
                winner: Some(winner.clone()),
                sides: vec![side(winner, 2, if winner == "a" { 50 } else { 40 }), side(loser, 1, 30)],
                table: None,
                ledger: None,
                match_number: None,
                entry: None,
                entry_hash: None,
                decided_by: None,
                at: jiff::Timestamp::UNIX_EPOCH,
            };
            book.settle(&id, won).unwrap();
        }
        let table = standings(&book);
        let order: Vec<(&str, usize, u32)> =
            table.iter().map(|p| (p.name.as_str(), p.place, p.won)).collect();
        assert_eq!(order, [("a", 1, 3), ("b", 2, 2), ("c", 3, 1), ("d", 4, 0)]);
        assert_eq!((table[0].points, table[0].points_against, table[0].games_won), (150, 90, 6));
        assert_eq!(super::standings(&Book::default()), []);
    }
}
