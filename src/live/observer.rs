//! The seeing half of the loop: frames in, settled views out.
//!
//! In: frames of a fixed camera in order. Out: a [`SettledView`] each time everything has come to
//! rest with no hand over the board: the fused picture, scored, and the [`Episode`] that led to it.
//! In every settled view the board's lines are checked; a camera that has moved is registered anew
//! and said so. Knows no game.

mod followed;

use std::{collections::VecDeque, sync::Arc};

use super::{
    KnownState, Launch, LiveOptions,
    camera_place::{CameraPlace, Place},
    doing::{Doing, men_are},
    fuse::fuse,
    known::Run,
    lying::{Lying, lying},
    persist::{Persisting, Placed, Sameness, persist},
};
use crate::{
    capture::{Frame, FrameError, Picture},
    geometry::Disc,
    motion::{Activity, Track, Tracker, Watcher},
    register::Registration,
    rules::GameId,
    score::{Prepared, ScoreError, Scored, Scorer, StageTimes},
};

use followed::Ready;

/// Why a frame could not be looked at.
#[derive(Debug, thiserror::Error)]
pub enum ObserveError {
    #[error(transparent)]
    Frame(#[from] FrameError),
    #[error(transparent)]
    Score(#[from] ScoreError),
}

/// What the loop is doing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, serde::Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Watching {
    /// No view has settled yet.
    #[default]
    Starting,
    Moving,
    /// Still, but something that is no piece lies or is held over the board.
    Hand,
    Settled,
    /// So little of the board's lines is to be seen that something must cover them.
    Covered,
    /// Nothing can be made out in the picture.
    Dark,
    /// The board's lines are not where they were, and could not be found again.
    Lost,
}

/// What happened between two settled views.
#[derive(Debug, Clone, Default)]
pub struct Episode {
    /// Frames in which something moved.
    pub moving_frames: usize,
    pub tracks: Vec<Track>,
    /// A hand was seen.
    pub hand: bool,
    pub light_changed: bool,
    pub from_secs: f64,
    pub to_secs: f64,
    /// Every piece was followed, so a strike with hands in the view is a launch that was seen.
    pub followed: bool,
    /// The striker was launched, as it was followed.
    pub launch: Option<Launch>,
    /// A launched striker's way in the open.
    pub striker: Option<Run>,
}

/// The camera was found moved.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Moved {
    /// `None`: the board is not seen any more.
    pub moved_px: Option<f64>,
    pub registered_again: bool,
    /// When it was last seen in its place.
    pub last_good_secs: f64,
}

/// A view in which everything is at rest.
#[derive(Debug, Clone)]
pub struct SettledView {
    pub time_secs: f64,
    /// The last frame of it.
    pub frame: Frame,
    /// The first of the still frames that led to it.
    pub first_frame: u64,
    /// What was measured: the mean of `fused` frames.
    pub picture: Arc<Picture>,
    pub fused: usize,
    pub scored: Scored,
    /// What lies there, also where the report of this one view has overlooked or invented a piece.
    pub pieces: Vec<Lying>,
    /// Those of them that lay there in the view before too and were not seen.
    pub overlooked: Vec<Lying>,
    /// Where that differs from the reports, in words.
    pub contradictions: Vec<String>,
    pub episode: Episode,
    /// The camera has moved since the settled view before.
    pub moved: Option<Moved>,
    /// Frames of the seconds before, oldest first.
    pub before: Vec<Frame>,
}

/// What a frame led to.
#[derive(Debug, Clone)]
pub enum Observed {
    Settled(Box<SettledView>),
    /// The camera has moved and its new place could not be found: nothing is called from here on.
    Lost(Moved),
}

/// Watches one board through one camera.
pub struct Observer {
    scorer: Scorer,
    known: Box<Prepared>,
    place: CameraPlace,
    options: LiveOptions,
    watcher: Watcher,
    tracker: Tracker,
    episode: Episode,
    /// The still frames, at most as many as are fused, spread over the time.
    window: Vec<Frame>,
    before: VecDeque<Frame>,
    examined: bool,
    watching: Watching,
    renewed_secs: f64,
    /// The pieces of the last settled view, and their footprints.
    lying: Vec<Lying>,
    pieces: Vec<Disc>,
    piece_mm2: [f64; 2],
    activity: Activity,
    unexplained_mm2: f64,
    /// Of boards that are struck on: every piece, from frame to frame.
    state: Option<KnownState>,
    /// A launch whose outcome is not known yet.
    pending: Option<Launch>,
    ready: Option<Ready>,
    last_frame: Option<Frame>,
    /// What was seen before the picture went dark.
    before_dark: Option<Watching>,
}

impl Observer {
    pub fn new(scorer: Scorer, registration: Registration, options: LiveOptions) -> Self {
        let prepared = scorer.prepare(registration.clone());
        let watcher = Watcher::new(&scorer.board, &registration.camera, &options.motion);
        let area = |diameter_mm: f64| std::f64::consts::FRAC_PI_4 * diameter_mm * diameter_mm;
        let areas = || scorer.board.pieces.iter().map(|kind| area(kind.diameter_mm));
        let piece_mm2 = [areas().fold(f64::INFINITY, f64::min), areas().fold(0.0, f64::max)];
        let strikes = matches!(scorer.game, GameId::Kagw | GameId::Ludington);
        let state =
            strikes.then(|| KnownState::new(&scorer.board, &registration.camera, &options.known)).flatten();
        Self {
            known: Box::new(prepared),
            state,
            pending: None,
            ready: None,
            last_frame: None,
            before_dark: None,
            scorer,
            place: CameraPlace::new(registration),
            watcher,
            options,
            tracker: Tracker::default(),
            episode: Episode::default(),
            window: Vec::new(),
            before: VecDeque::new(),
            examined: false,
            watching: Watching::Starting,
            renewed_secs: 0.0,
            lying: Vec::new(),
            pieces: Vec::new(),
            piece_mm2,
            activity: Activity::default(),
            unexplained_mm2: 0.0,
        }
    }

    pub fn watching(&self) -> Watching {
        self.watching
    }

    /// What the last frame showed.
    pub fn activity(&self) -> &Activity {
        &self.activity
    }

    /// Foreground that no piece explained in the last view that was read, in mm².
    pub fn unexplained_mm2(&self) -> f64 {
        self.unexplained_mm2
    }

    /// Every piece, where each is followed.
    pub fn known(&self) -> Option<&KnownState> {
        self.state.as_ref()
    }

    pub fn scorer(&self) -> &Scorer {
        &self.scorer
    }

    /// Where the camera stands now.
    pub fn registration(&self) -> &Registration {
        self.place.registration()
    }

    /// Takes the next frame.
    pub fn push(&mut self, frame: &Frame) -> Result<Vec<Observed>, ObserveError> {
        let time_secs = frame.since_start.as_secs_f64();
        let small = frame.small_grey(self.watcher.view().reduction)?;
        if self.watcher.view().is_dark(&small.grey, self.options.settle.dark_level) {
            // Nothing is learned of it: what was known stays so until the picture comes back.
            self.before_dark = self.before_dark.or(Some(self.watching)).filter(|was| *was != Watching::Dark);
            self.watching = Watching::Dark;
            return Ok(Vec::new());
        }
        if let Some(before) = self.before_dark.take() {
            self.watching = before;
        }
        let activity = self.watcher.push(&small.grey, time_secs);
        self.remember(frame, time_secs);
        self.activity = activity.clone();
        self.gather(frame, &activity);
        let mut observed = self.know(frame, &activity)?;
        observed.extend(self.settle(frame, &activity)?);
        Ok(observed)
    }

    /// The source has ended: what is still open is told as far as it is known.
    pub fn finish(&mut self) -> Result<Vec<Observed>, ObserveError> {
        let (Some(launch), Some(frame)) = (self.pending.take(), self.last_frame.take()) else {
            return Ok(Vec::new());
        };
        Ok(vec![self.known_view(&frame, None, Some(launch))?])
    }

    /// Reads the view when everything is at rest and no hand is over the board.
    fn settle(&mut self, frame: &Frame, activity: &Activity) -> Result<Option<Observed>, ObserveError> {
        let time_secs = activity.time_secs;
        if activity.is_still(&self.options.motion) {
            if !self.examined {
                if self.state.as_ref().is_some_and(|state| state.hands().is_there()) {
                    self.waits_for_hand();
                    return Ok(None);
                }
                return self.examine(frame, activity);
            }
            let is_long = activity.still_secs >= self.options.settle.absorb_secs;
            match self.watching {
                Watching::Hand if self.state.is_none() && self.watcher.heal() => {
                    return self.examine(frame, activity);
                }
                Watching::Hand if is_long && self.state.is_none() && self.is_put_down_beside_the_pieces() => {
                    self.watcher.forget();
                    return self.examine(frame, activity);
                }
                Watching::Covered if is_long && !self.place.is_lost() => {
                    return self.examine(frame, activity);
                }
                _ if self.place.is_search_due(time_secs) => return self.examine(frame, activity),
                _ => {}
            }
            if self.watching == Watching::Settled
                && time_secs - self.renewed_secs >= self.options.settle.renew_secs
            {
                self.watcher.settle(&self.pieces);
                self.renewed_secs = time_secs;
            }
        }
        Ok(None)
    }

    /// Keeps frames of the last seconds at a low rate.
    fn remember(&mut self, frame: &Frame, time_secs: f64) {
        let settle = &self.options.settle;
        let every_secs = settle.before_secs / settle.before_frames.max(1) as f64;
        let is_due = self
            .before
            .back()
            .is_none_or(|last| time_secs - last.since_start.as_secs_f64() >= every_secs - 1e-6);
        if is_due && settle.before_frames > 0 {
            self.before.push_back(frame.clone());
            while self.before.len() > settle.before_frames {
                self.before.pop_front();
            }
        }
    }

    fn gather(&mut self, frame: &Frame, activity: &Activity) {
        if activity.moving || activity.light_changed {
            self.window.clear();
            self.examined = false;
            self.episode.light_changed |= activity.light_changed;
        }
        if activity.moving {
            if self.watching != Watching::Starting && !self.place.is_lost() {
                self.watching = Watching::Moving;
            }
            self.episode.moving_frames += 1;
            self.tracker.push(activity, self.piece_mm2, &self.options.tracks);
        }
        if !self.examined {
            self.window.push(frame.clone());
        }
    }

    /// Reads a view that has come to rest.
    fn examine(&mut self, frame: &Frame, activity: &Activity) -> Result<Option<Observed>, ObserveError> {
        self.examined = true;
        let window = std::mem::take(&mut self.window);
        let (picture, fused) = self.fused(&window, frame)?;
        // Nobody keeps a hand that still: it is the camera, or the light.
        let search = activity.still_secs >= self.options.settle.absorb_secs
            || self.place.is_search_due(activity.time_secs);
        let settle = &self.options.settle;
        let place = self.place.check(&picture, &self.scorer, settle, activity.time_secs, search);
        let moved = match place {
            Place::Unmoved => None,
            Place::Covered => {
                self.episode.hand = true;
                if self.watching != Watching::Lost {
                    self.watching = Watching::Covered;
                }
                return Ok(None);
            }
            Place::Moved(moved) => {
                self.take_up(frame, activity.time_secs, moved.moved_px)?;
                Some(moved)
            }
            Place::Lost(moved) => {
                let was_lost = std::mem::replace(&mut self.watching, Watching::Lost) == Watching::Lost;
                return Ok((!was_lost).then_some(Observed::Lost(moved)));
            }
        };
        let scored =
            self.scorer.score_in_place(&frame.name, &picture, &self.known, &mut StageTimes::default())?;
        let discs = self.discs(&scored);
        let most_mm2 = self.options.settle.unexplained_pieces * self.piece_mm2[0];
        self.unexplained_mm2 = self.watcher.unexplained_mm2(&discs);
        if self.unexplained_mm2 > most_mm2 && self.watcher.heal() {
            self.unexplained_mm2 = self.watcher.unexplained_mm2(&discs);
        }
        if self.state.is_none() && self.unexplained_mm2 > most_mm2 {
            self.watching = Watching::Hand;
            self.episode.hand = true;
            return Ok(None);
        }
        let found = lying(&scored.report);
        let sigma_mm = self.scorer.options.look.unmeasured_sigma_mm;
        let Persisting { pieces, overlooked, remarks: contradictions } = match &self.state {
            Some(state) => {
                let pieces = match self.pending {
                    Some(_) => state.lying_after_strike(&found, sigma_mm),
                    None => state.lying(&found, sigma_mm),
                };
                Persisting { pieces, ..Persisting::default() }
            }
            None => self.persisting(&found, &discs),
        };
        let discs: Vec<Disc> = pieces.iter().map(|piece| self.disc(piece)).collect();
        self.watcher.settle(&discs);
        self.pieces = discs;
        self.lying = pieces.clone();
        self.watching = Watching::Settled;
        self.renewed_secs = activity.time_secs;
        self.place.was_good(activity.time_secs);
        let launch = self.pending.take();
        let mut episode = self.end_episode(activity.time_secs, launch);
        if moved.is_some() {
            // A bump moves every line of the board in the picture, which is no thing's way.
            let least_mm = 2.0 * (self.piece_mm2[0] / std::f64::consts::PI).sqrt();
            episode.tracks.retain(|track| track.reach_mm() > least_mm);
        }
        Ok(Some(Observed::Settled(Box::new(SettledView {
            time_secs: activity.time_secs,
            frame: frame.clone(),
            first_frame: window.first().map_or(frame.index, |first| first.index),
            picture,
            fused,
            pieces,
            overlooked,
            contradictions,
            scored,
            episode,
            moved,
            before: self.before.iter().cloned().collect(),
        }))))
    }

    /// The mean of the still frames. The first quarter of many is left out: what crept to a stop
    /// may still have crept there.
    fn fused(&self, window: &[Frame], frame: &Frame) -> Result<(Arc<Picture>, usize), ObserveError> {
        let still = &window[window.len() / 4..];
        let count = still.len().min(self.options.settle.fuse_frames.max(1));
        let chosen = (0..count).map(|i| &still[(i * still.len()) / count]);
        let pictures = chosen.map(Frame::picture).collect::<Result<Vec<_>, _>>()?;
        match fuse(&pictures) {
            Some(picture) => Ok((picture, pictures.len())),
            // None kept, or of different sizes, of which the scorer says what it expected.
            None => Ok((frame.picture()?, 1)),
        }
    }

    /// What lies there for good is taken for part of the scene: a cup, a shadow. What hides a place where a piece
    /// lay, or much of the board, is waited for.
    fn is_put_down_beside_the_pieces(&self) -> bool {
        let surface = &self.scorer.board.surface;
        let most_mm2 = self.options.settle.absorb_share * surface.width_mm * surface.length_mm;
        self.unexplained_mm2 < most_mm2
            && self
                .pieces
                .iter()
                .all(|piece| self.watcher.foreground_share(piece) < self.options.settle.changed_share)
    }

    fn discs(&self, scored: &Scored) -> Vec<Disc> {
        lying(&scored.report).iter().map(|piece| self.disc(piece)).collect()
    }

    fn disc(&self, piece: &Lying) -> Disc {
        let radius_mm = self.scorer.board.piece(&piece.kind).map_or(0.0, |kind| kind.radius_mm());
        Disc { centre: piece.at(), radius_mm }
    }

    /// The pieces, given that none comes or goes by itself.
    fn persisting(&mut self, found: &[Lying], discs: &[Disc]) -> Persisting {
        let new = self.watcher.changed_shares(discs);
        let old = self.watcher.changed_shares(&self.pieces);
        let placed = |(piece, changed_share)| Placed { piece, changed_share };
        let before: Vec<Placed<'_>> = self.lying.iter().zip(old).map(placed).collect();
        let after: Vec<Placed<'_>> = found.iter().zip(new).map(placed).collect();
        let smallest_mm = (self.piece_mm2[0] / std::f64::consts::PI).sqrt();
        let sameness = Sameness {
            changed_share: self.options.settle.changed_share,
            same_mm: self.options.settle.same_piece_radii * smallest_mm,
        };
        persist(&before, &after, &sameness)
    }

    /// Goes on with the camera where a person has set it up anew. Gives how far that is from where
    /// it was, in pixels over the surface in view.
    pub fn set_registration(&mut self, registration: Registration) -> f64 {
        let moved_px = self.place.set(registration.clone(), &self.scorer.board);
        let fresh = Observer::new(self.scorer.clone(), registration, self.options.clone());
        let lying = (std::mem::take(&mut self.lying), std::mem::take(&mut self.pieces));
        let place = self.place.clone();
        *self = Observer { place, ..fresh };
        (self.lying, self.pieces) = lying;
        moved_px
    }

    /// Goes on with the camera in its new place.
    fn take_up(&mut self, frame: &Frame, time_secs: f64, moved_px: Option<f64>) -> Result<(), ObserveError> {
        let prepared: Prepared = self.scorer.prepare(self.place.registration().clone());
        *self.known = prepared;
        let camera = &self.place.registration().camera;
        if let Some(state) = &mut self.state {
            state.seen_from(camera);
        }
        let cell_px = f64::from(self.watcher.view().reduction.factor());
        if moved_px.is_some_and(|moved_px| moved_px < cell_px / 4.0) {
            // A loose mount: cells show what they showed.
            return Ok(());
        }
        self.watcher =
            Watcher::new(&self.scorer.board, &self.place.registration().camera, &self.options.motion);
        let small = frame.small_grey(self.watcher.view().reduction)?;
        self.watcher.push(&small.grey, time_secs);
        Ok(())
    }
}
