//! What the loop is doing at a moment, in words, and over a whole run.
//!
//! In: the state of every frame. Out: [`Doing`] for terminals, pages and event streams, and at the
//! end of a run a [`Diary`]: the share of time by state, and a frame that shows the commonest one.

use std::collections::BTreeMap;

use serde::Serialize;

use super::Watching;

/// What the loop does, and what it waits for.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
pub struct Doing {
    pub watching: Watching,
    /// For people: "a hand covers the left base line", "two men are not seen".
    pub words: String,
}

/// How long each state lasted.
#[derive(Debug, Clone, Default)]
pub struct Diary {
    states: BTreeMap<String, Spent>,
    last: Option<(f64, String)>,
    total_secs: f64,
}

/// Time in one state.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Spent {
    pub secs: f64,
    /// The frame in the middle of its longest stretch.
    pub frame: u64,
    longest_secs: f64,
    stretch: Option<(f64, u64)>,
}

impl Diary {
    /// Takes the state that a frame shows.
    pub fn note(&mut self, words: &str, frame: u64, time_secs: f64) {
        if let Some((then, was)) = &self.last {
            let elapsed_secs = (time_secs - then).max(0.0);
            self.total_secs += elapsed_secs;
            if let Some(spent) = self.states.get_mut(was) {
                spent.secs += elapsed_secs;
            }
        }
        let is_new = self.last.as_ref().is_none_or(|(_, was)| was != words);
        let spent = self.states.entry(words.to_owned()).or_default();
        if is_new {
            spent.stretch = Some((time_secs, frame));
        }
        if let Some((since_secs, first)) = spent.stretch
            && time_secs - since_secs >= spent.longest_secs
        {
            spent.longest_secs = time_secs - since_secs;
            spent.frame = first + frame.saturating_sub(first) / 2;
        }
        self.last = Some((time_secs, words.to_owned()));
    }

    /// The states with their shares of the time, the longest first.
    pub fn shares(&self) -> Vec<(&str, f64, &Spent)> {
        let share = |spent: &Spent| if self.total_secs > 0.0 { spent.secs / self.total_secs } else { 1.0 };
        let mut shares: Vec<(&str, f64, &Spent)> =
            self.states.iter().map(|(words, spent)| (words.as_str(), share(spent), spent)).collect();
        shares.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(b.0)));
        shares
    }

    pub fn total_secs(&self) -> f64 {
        self.total_secs
    }
}

/// "one man is", "two men are".
pub fn men_are(count: usize) -> String {
    const SMALL: [&str; 10] = ["no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine"];
    let number = SMALL.get(count).map_or_else(|| count.to_string(), |word| (*word).to_owned());
    if count == 1 { format!("{number} man is") } else { format!("{number} men are") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_diary_knows_what_took_longest_and_shows_a_frame_of_it() {
        let mut diary = Diary::default();
        for frame in 0..100u64 {
            let words = if (20..90).contains(&frame) { "a hand is there" } else { "at rest" };
            diary.note(words, frame, frame as f64 / 10.0);
        }
        let shares = diary.shares();
        assert_eq!(shares[0].0, "a hand is there");
        assert!((shares[0].1 - 0.707).abs() < 0.01, "{shares:?}");
        assert!((50..60).contains(&shares[0].2.frame), "{shares:?}");
        assert!((shares.iter().map(|(_, share, _)| share).sum::<f64>() - 1.0).abs() < 1e-9);
    }

    #[test]
    fn men_are_counted_in_words() {
        assert_eq!([1, 2, 12].map(men_are), ["one man is", "two men are", "12 men are"]);
    }
}
