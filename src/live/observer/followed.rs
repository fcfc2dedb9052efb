//! The observer of a board that is struck on, and what it does in words.
//!
//! In: every frame, and the state of every piece ([`KnownState`]). Out: views with hands in them: one
//! of the board as it lay when the striker was launched, and one when everything that follows is known.

use super::{
    Doing, Episode, KnownState, Launch, Lying, ObserveError, Observed, Observer, SettledView, Watching,
    lying, men_are,
};
use crate::{capture::Frame, geometry::Point, motion::Activity, score::StageTimes};

/// The board when the striker last lay ready.
pub(super) struct Ready {
    frame: Frame,
    pieces: Vec<Lying>,
    /// Without the men that hands have put back since the last strike.
    struck: Vec<Lying>,
    has_put_back: bool,
}

impl Observer {
    /// Follows the pieces of a board that is struck on, whether hands are in the picture or not.
    pub(super) fn know(&mut self, frame: &Frame, activity: &Activity) -> Result<Vec<Observed>, ObserveError> {
        let Some(state) = self.state.as_mut().filter(|_| !self.place.is_lost()) else {
            return Ok(Vec::new());
        };
        let time_secs = activity.time_secs;
        let is_at_rest = self.watching == Watching::Settled && !activity.moving && !activity.light_changed;
        if is_at_rest && state.rests(time_secs) {
            return Ok(Vec::new());
        }
        if activity.light_changed {
            state.is_lit_anew();
        }
        let picture = frame.picture()?;
        let detection = self.known.detector.detect(&picture);
        let launch = state.push(&picture, &detection, time_secs);
        let is_decided = self.pending.is_some() && launch.is_none() && state.is_decided(time_secs);
        let is_ready = state.ready().is_some_and(|ready| ready.time_secs == time_secs);
        let sigma_mm = self.scorer.options.look.unmeasured_sigma_mm;
        let ready = is_ready.then(|| Ready {
            frame: frame.clone(),
            pieces: state.lying(&[], sigma_mm),
            struck: state.lying_after_strike(&[], sigma_mm),
            has_put_back: state.has_put_back(),
        });
        self.last_frame = Some(frame.clone());
        let mut observed = Vec::new();
        if let Some(launch) = launch {
            let before = self.ready.take();
            let frame = before.as_ref().map_or(frame, |ready| &ready.frame);
            let mut is_told = self.lies_ready(launch.from);
            if let Some(pending) = self.pending.replace(launch) {
                let struck = before.as_ref().map(|ready| ready.struck.clone());
                observed.push(self.known_view(frame, struck, Some(pending))?);
                is_told =
                    self.lies_ready(launch.from) && before.as_ref().is_none_or(|ready| !ready.has_put_back);
            }
            if !is_told {
                let pieces = before.as_ref().map(|ready| ready.pieces.clone());
                observed.push(self.known_view(frame, pieces, None)?);
            }
        } else if is_decided && let Some(launch) = self.pending.take() {
            observed.push(self.known_view(frame, None, Some(launch))?);
        }
        if ready.is_some() {
            self.ready = ready;
        }
        Ok(observed)
    }

    /// Whether the last view that was told has the striker where it was launched from.
    fn lies_ready(&self, from: Point) -> bool {
        let shooter = self.scorer.board.pieces.iter().find(|kind| kind.shooter);
        shooter.is_some_and(|shooter| {
            let is_there = |piece: &Lying| {
                piece.kind == shooter.name && (piece.at() - from).norm() < shooter.radius_mm()
            };
            self.lying.iter().any(is_there)
        })
    }

    /// A view with hands in it: what is hidden is as it was last seen.
    pub(super) fn known_view(
        &mut self,
        frame: &Frame,
        pieces: Option<Vec<Lying>>,
        launch: Option<Launch>,
    ) -> Result<Observed, ObserveError> {
        let picture = frame.picture()?;
        let scored =
            self.scorer.score_in_place(&frame.name, &picture, &self.known, &mut StageTimes::default())?;
        let sigma_mm = self.scorer.options.look.unmeasured_sigma_mm;
        let known = self.state.as_ref().map(|state| match launch {
            Some(_) => state.lying_after_strike(&lying(&scored.report), sigma_mm),
            None => state.lying(&lying(&scored.report), sigma_mm),
        });
        let pieces = pieces.or(known).unwrap_or_default();
        self.lying = pieces.clone();
        self.pieces = pieces.iter().map(|piece| self.disc(piece)).collect();
        let time_secs = frame.since_start.as_secs_f64();
        let mut episode = self.end_episode(time_secs, launch);
        episode.hand = true;
        Ok(Observed::Settled(Box::new(SettledView {
            time_secs,
            frame: frame.clone(),
            first_frame: frame.index,
            picture,
            fused: 1,
            pieces,
            overlooked: Vec::new(),
            contradictions: Vec::new(),
            scored,
            episode,
            moved: None,
            before: self.before.iter().cloned().collect(),
        })))
    }

    pub(super) fn end_episode(&mut self, time_secs: f64, launch: Option<Launch>) -> Episode {
        let mut episode = std::mem::take(&mut self.episode);
        episode.tracks = std::mem::take(&mut self.tracker).tracks;
        episode.hand |= episode.tracks.iter().any(|track| track.hand);
        episode.to_secs = time_secs;
        self.episode.from_secs = time_secs;
        episode.striker =
            launch.and_then(|launch| self.state.as_ref().and_then(|state| state.run_of(&launch)));
        episode.launch = launch;
        episode.followed = self.state.is_some();
        episode
    }

    /// A hand rests over the board: the view is read as soon as it has gone.
    pub(super) fn waits_for_hand(&mut self) {
        if !self.place.is_lost() && self.watching != Watching::Starting {
            self.watching = Watching::Hand;
        }
        self.episode.hand = true;
        // As many as the mean of them is taken of, and what is left out of them.
        let most = 2 * self.options.settle.fuse_frames;
        let surplus = self.window.len().saturating_sub(most);
        self.window.drain(..surplus);
    }

    /// Marks in a picture of the last frame what was seen in it.
    pub fn draw(&self, picture: &mut image::RgbImage) {
        match &self.state {
            Some(state) => state.draw(picture),
            None => self.watcher.draw(picture),
        }
    }

    /// What the loop does, and what it waits for, in words.
    pub fn doing(&self) -> Doing {
        let hands = self.state.as_ref().and_then(KnownState::hands_in_words);
        let unseen = self.state.as_ref().map_or(0, KnownState::unseen_men);
        let words = match self.watching {
            Watching::Starting => hands.unwrap_or_else(|| "the first view at rest is waited for".to_owned()),
            Watching::Lost => "the board's lines are not found: they are looked for again".to_owned(),
            Watching::Dark => "the picture is dark".to_owned(),
            Watching::Covered => "something covers the board's lines".to_owned(),
            _ if self.activity.light_changed => "the light changed".to_owned(),
            Watching::Hand | Watching::Moving if hands.is_some() => hands.unwrap_or_default(),
            Watching::Hand => "something that is no piece lies or is held over the board".to_owned(),
            Watching::Moving if unseen > 0 => format!("{} not seen", men_are(unseen)),
            Watching::Moving => "something moves".to_owned(),
            Watching::Settled => "everything is at rest".to_owned(),
        };
        Doing { watching: self.watching, words }
    }
}
