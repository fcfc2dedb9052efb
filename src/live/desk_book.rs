//! A desk as a book: what vision drafts is proposed, with the settled view as evidence.
//!
//! Beside the ledger lies a small file with what the umpire has seen so far ([`Mark`]), renewed
//! after every settled view. A run that was cut off is taken up from there: events that the ledger
//! has already are not proposed twice.

use std::{
    io::Write,
    path::{Path, PathBuf},
};

use serde::{Deserialize, Serialize};

use super::{
    Bookkeeping, Draft, Moved, Remark, SettledView,
    session::{Book, Taken},
};
use crate::{
    board::BoardFile,
    capture::Frame,
    desk::{self, Desk, DeskError, Proposal},
    ledger::{
        Author, CameraMoved, Content, Doubtful, EncodedFrame, KnownPlace, Note, TimedFrame, ViewEvidence,
    },
    rules::AnyGame,
};

#[derive(Debug, thiserror::Error)]
pub enum DeskBookError {
    #[error(transparent)]
    Desk(#[from] DeskError),
    #[error("the settled view cannot be kept: {0}")]
    Picture(#[from] image::ImageError),
    #[error("the match in the ledger has no state: begin one first")]
    NoMatch,
    #[error("cannot write {path}: {source}")]
    Mark { path: PathBuf, source: std::io::Error },
}

/// What every view of a match rests on.
#[derive(Debug, Clone)]
pub struct Ground {
    pub board: BoardFile,
    /// The camera file's name and text.
    pub camera: (String, String),
    pub colours: Option<(String, String)>,
    /// The options of every stage, as text.
    pub options: String,
}

/// How far a run has come.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Mark {
    /// The source that was watched.
    pub source: String,
    /// The first frame of the last settled view's still frames: a recording is taken up here.
    pub frame: u64,
    /// The ledger's last entry that this knows of.
    pub revision: u64,
    pub books: Bookkeeping,
}

impl Mark {
    /// The file beside a ledger.
    pub fn path(ledger: &Path) -> PathBuf {
        let mut name = ledger.file_name().unwrap_or_default().to_owned();
        name.push("-watching.json");
        ledger.with_file_name(name)
    }

    /// The mark beside a ledger; `None` where there is none that can be read: then a run begins
    /// anew, and asks where it cannot know.
    pub fn load(ledger: &Path) -> Option<Mark> {
        serde_json::from_str(&std::fs::read_to_string(Mark::path(ledger)).ok()?).ok()
    }

    /// Under another name first, so that a crash leaves the old one or the new one.
    pub fn save(&self, ledger: &Path) -> Result<(), DeskBookError> {
        let path = Mark::path(ledger);
        let write = || -> std::io::Result<()> {
            let fresh = path.with_extension("json.new");
            let mut file = std::fs::File::create(&fresh)?;
            file.write_all(serde_json::to_string(self)?.as_bytes())?;
            file.sync_all()?;
            std::fs::rename(&fresh, &path)
        };
        write().map_err(|source| DeskBookError::Mark { path: path.clone(), source })
    }
}

/// A desk that takes drafts.
pub struct DeskBook {
    desk: Desk,
    ground: Ground,
    /// Events and proposals of vision that a run before has handed in after its last mark.
    known: usize,
    last_good_seq: u64,
}

impl DeskBook {
    /// `mark`: where the run before had come to.
    pub fn new(desk: Desk, ground: Ground, mark: Option<&Mark>) -> Result<Self, DeskBookError> {
        let known = match mark {
            Some(mark) => desk
                .with_ledger(|ledger| ledger.entries())
                .map_err(DeskError::from)?
                .into_iter()
                .filter(|entry| {
                    entry.seq > mark.revision
                        && entry.author == Author::Vision
                        && matches!(entry.content, Content::Event(_) | Content::Proposal(_))
                })
                .count(),
            None => 0,
        };
        let last_good_seq = desk.revision();
        Ok(Self { desk, ground, known, last_good_seq })
    }

    pub fn desk(&self) -> &Desk {
        &self.desk
    }

    /// A person has set the camera up anew: views rest on its new file (name and text) from now on.
    pub fn camera_set_up(&mut self, file: (String, String), moved_px: f64) -> Result<(), DeskBookError> {
        self.ground.camera = file;
        self.desk.camera_moved(CameraMoved {
            moved_px: Some(moved_px),
            last_good_seq: self.last_good_seq,
            registered_again: true,
            set_up: true,
        })?;
        Ok(())
    }

    fn evidence(&self, view: &SettledView) -> Result<ViewEvidence, DeskBookError> {
        let settled_secs = view.time_secs;
        let around = |frame: &Frame| {
            let kept = frame.kept().ok()?;
            Some(TimedFrame {
                frame: EncodedFrame(kept.bytes.into_owned()),
                secs: frame.since_start.as_secs_f64() - settled_secs,
                report: None,
            })
        };
        let before = view.before.iter().filter(|frame| frame.index != view.frame.index);
        Ok(ViewEvidence {
            source: view.frame.name.to_string(),
            // What was measured is the mean of frames, so that is what is kept, without loss.
            frame: match view.fused {
                0 | 1 => match view.frame.kept() {
                    Ok(kept) => EncodedFrame(kept.bytes.into_owned()),
                    Err(_) => EncodedFrame::lossless(&view.picture)?,
                },
                _ => EncodedFrame::lossless(&view.picture)?,
            },
            around: before.filter_map(around).collect(),
            report: view.scored.report.clone(),
            registration: view.scored.registration.clone(),
            known: KnownPlace::Camera,
            board: self.ground.board.clone(),
            camera: Some(self.ground.camera.clone()),
            colours: self.ground.colours.clone(),
            options: self.ground.options.clone(),
        })
    }
}

impl Book for DeskBook {
    type Error = DeskBookError;

    fn game(&self) -> Option<AnyGame> {
        self.desk.provisional_game()
    }

    fn take(&mut self, draft: &Draft, view: &SettledView) -> Result<Taken, DeskBookError> {
        if self.known > 0 {
            self.known -= 1;
            return Ok(Taken::Known);
        }
        let doubt = |doubt: &super::LiveDoubt| Doubtful {
            about: doubt.about.clone(),
            probability: doubt.probability,
            piece: doubt.piece,
            against: doubt.against,
            question: doubt.question.clone(),
        };
        let proposal = Proposal {
            event: draft.event.clone(),
            evidence: Some(self.evidence(view)?),
            confidence: draft.confidence,
            doubts: draft.doubts.iter().map(doubt).collect(),
        };
        Ok(match self.desk.propose(proposal)? {
            desk::Taken::Recorded { number } => Taken::Recorded { number },
            desk::Taken::Asked { why, .. } => Taken::Asked { why },
        })
    }

    fn remark(&mut self, remark: &Remark) -> Result<(), DeskBookError> {
        let Remark { about, text, confidence } = remark.clone();
        let note = Note { about, text, confidence: Some(confidence) };
        self.desk.note(note, Author::Vision, None)?;
        Ok(())
    }

    fn camera_moved(&mut self, moved: &Moved) -> Result<(), DeskBookError> {
        self.desk.camera_moved(CameraMoved {
            moved_px: moved.moved_px,
            last_good_seq: self.last_good_seq,
            registered_again: moved.registered_again,
            set_up: false,
        })?;
        Ok(())
    }

    fn settled(&mut self, view: &SettledView) {
        self.last_good_seq = self.desk.revision();
        self.desk.show_lying(Some(view.scored.report.clone()));
    }
}
