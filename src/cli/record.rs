//! Scored photos into a ledger: what `linecall score --match` adds.

use std::{
    cell::Cell,
    path::{Path, PathBuf},
};

use super::{Failure, desk::open_desk};
use crate::{
    board::BoardFile,
    capture::{PhotoLimits, read_photo},
    desk::{Desk, DeskOptions, Policy},
    ledger::{Author, EncodedFrame, KnownPlace, ViewEvidence},
    rules::{
        Event, GameId,
        event::{MatchEvent, RawOptions, RawSide},
    },
    score::{Scored, Scorer},
};

/// What all photos of a batch have in common.
pub(super) struct Recorder {
    desk: Desk,
    known: KnownPlace,
    board: BoardFile,
    camera: Option<(String, String)>,
    colours: Option<(String, String)>,
    options: String,
    limits: PhotoLimits,
    /// Whether a photo was not recorded: frames count in their order, so none after it is.
    stopped: Cell<bool>,
}

/// What was given on the command line.
pub(super) struct Recording<'a> {
    pub ledger: &'a Path,
    /// The sides' names, for a ledger that has no match yet.
    pub sides: Option<&'a [String; 2]>,
    pub board: &'a str,
    pub camera: Option<&'a PathBuf>,
    pub colours: Option<&'a PathBuf>,
    pub known: KnownPlace,
}

impl Recorder {
    /// Opens the ledger, and begins a match in one that has none.
    pub fn open(recording: &Recording<'_>, scorer: &Scorer) -> Result<Recorder, Failure> {
        if matches!(scorer.game, GameId::Kagw | GameId::Ludington) {
            return Err(Failure::new(format!(
                "a photo of {} shows what lies there, not the strike that led to it, so it cannot be recorded: \
                 leave --match out; or film the board and give linecall replay the video (or photos of every \
                 strike in a folder) with --match; or enter the strikes on the page of linecall serve",
                scorer.game.id()
            )));
        }
        let board = super::named::board_file(recording.board)?;
        // A person hands in each photo: it counts as it was called, its doubts stand beside it.
        let options =
            DeskOptions { policy: Policy::Never, board: Some(board.clone()), ..DeskOptions::default() };
        let desk = open_desk(recording.ledger, options)?;
        match &desk.state().match_info {
            None => {
                let header = header(scorer, recording.sides);
                desk.new_match(header, Author::Program, None).map_err(Failure::new)?;
            }
            Some(playing) if playing.game != scorer.game.id() => {
                return Err(Failure::new(format!(
                    "{} has a match of {}, not of {}: record into another ledger",
                    recording.ledger.display(),
                    playing.game,
                    scorer.game.id()
                )));
            }
            Some(_) => {}
        }
        let options = crate::options::as_toml(&scorer.options);
        Ok(Recorder {
            desk,
            known: recording.known,
            board,
            camera: recording.camera.map(read_text).transpose()?,
            colours: recording.colours.map(read_text).transpose()?,
            options,
            limits: scorer.options.photo.clone(),
            stopped: Cell::new(false),
        })
    }

    /// No photo is recorded any more.
    pub fn stop(&self) {
        self.stopped.set(true);
    }

    /// Records a photo as the next frame of the match. Gives what to tell.
    pub fn record(&self, photo: &Path, scored: &Scored) -> Result<String, String> {
        let in_words = |error: &dyn std::fmt::Display| {
            self.stop();
            format!("{}: not recorded: {error}", photo.display())
        };
        if self.stopped.get() {
            return Err(in_words(&"a photo before it was not, and frames count in their order"));
        }
        let bytes = read_photo(photo, &self.limits).map_err(|error| in_words(&error))?;
        let mut report = scored.report.clone();
        report.times = None;
        let evidence = ViewEvidence {
            source: photo.display().to_string(),
            frame: EncodedFrame(bytes),
            around: Vec::new(),
            registration: scored.registration.clone(),
            known: self.known,
            board: self.board.clone(),
            camera: self.camera.clone(),
            colours: self.colours.clone(),
            options: self.options.clone(),
            report,
        };
        let event = self.desk.frame_event(&evidence.report).map_err(|error| in_words(&error))?;
        let number = self
            .desk
            .append_with_view(event, Author::Vision, evidence, None)
            .map_err(|error| in_words(&error))?;
        let state = self.desk.state();
        let scores = state.standing.as_ref().and_then(|standing| standing["scores"].as_object().cloned());
        let scores: Vec<String> =
            scores.unwrap_or_default().iter().map(|(name, points)| format!("{name} {points}")).collect();
        Ok(format!("{}: recorded as event {number}; score {}", photo.display(), scores.join(", ")))
    }
}

fn read_text(path: &PathBuf) -> Result<(String, String), Failure> {
    let text = std::fs::read_to_string(path)
        .map_err(|error| Failure::new(format!("cannot read {}: {error}", path.display())))?;
    Ok((path.display().to_string(), text))
}

/// The match's first line: sides by the names given, else by their colours.
fn header(scorer: &Scorer, names: Option<&[String; 2]>) -> Event {
    let kinds = scorer.board.pieces.iter().filter(|kind| !kind.shooter && kind.count > 1).take(2);
    let sides = kinds
        .enumerate()
        .map(|(index, kind)| RawSide {
            name: names.and_then(|names| names.get(index)).unwrap_or(&kind.name).clone(),
            colour: Some(kind.name.clone()),
            players: None,
        })
        .collect();
    Event::Match(MatchEvent { game: scorer.game.id().to_owned(), options: RawOptions::default(), sides })
}
