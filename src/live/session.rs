//! Eye, umpire and record together: frames in, recorded events out.
//!
//! In: frames, and a [`Book`] that takes drafts: a score sheet in memory, or a desk with its ledger.
//! Out: a [`Report`] for everything that people should be told.

use super::{
    Doing, Draft, Finding, LiveOptions, Moved, ObserveError, Observed, Observer, Remark, RestsOn,
    SettledView, Watching,
    umpire::{Bookkeeping, Umpire},
};
use crate::{
    capture::Frame,
    register::Registration,
    rules::{AnyGame, Event, Record, Refusal},
    score::Scorer,
};

/// Takes what vision drafts.
pub trait Book {
    type Error: std::error::Error;

    /// The match as it stands; `None` before one has begun.
    fn game(&self) -> Option<AnyGame>;

    /// Records a draft, or asks a person. `view` is the settled view that it rests on.
    fn take(&mut self, draft: &Draft, view: &SettledView) -> Result<Taken, Self::Error>;

    fn remark(&mut self, remark: &Remark) -> Result<(), Self::Error>;

    fn camera_moved(&mut self, moved: &Moved) -> Result<(), Self::Error>;

    /// A view has settled, with the camera in its place, and everything about it has been taken.
    fn settled(&mut self, _view: &SettledView) {}
}

/// What became of a draft.
#[derive(Debug, Clone, PartialEq)]
pub enum Taken {
    Recorded {
        number: usize,
    },
    Asked {
        why: String,
    },
    /// Recorded before this run, by one that was cut off.
    Known,
}

/// Something to tell.
#[derive(Debug, Clone, PartialEq)]
pub enum Report {
    Shot { number: usize, colour: String },
    Remark(Remark),
    Event { event: Event, taken: Taken, draft: Box<Draft> },
    CameraMoved(Moved),
}

/// Why the loop could not go on with a frame.
#[derive(Debug, thiserror::Error)]
pub enum SessionError<E: std::error::Error> {
    #[error(transparent)]
    Observe(#[from] ObserveError),
    #[error(transparent)]
    Book(E),
}

/// One camera, one match.
pub struct Session<B> {
    observer: Observer,
    umpire: Umpire,
    pub book: B,
    last: Option<Box<SettledView>>,
}

impl<B: Book> Session<B> {
    pub fn new(scorer: Scorer, registration: Registration, options: LiveOptions, book: B) -> Self {
        let umpire = Umpire::new(scorer.game, &scorer.board, scorer.end, &options.umpire);
        Self { observer: Observer::new(scorer, registration, options), umpire, book, last: None }
    }

    /// Goes on with what was seen by a run before.
    pub fn resume(&mut self, books: Bookkeeping) {
        self.umpire.books = books;
    }

    pub fn books(&self) -> &Bookkeeping {
        &self.umpire.books
    }

    pub fn watching(&self) -> Watching {
        self.observer.watching()
    }

    /// What the loop does, and what it waits for, in words.
    pub fn doing(&self) -> Doing {
        self.observer.doing()
    }

    pub fn observer(&self) -> &Observer {
        &self.observer
    }

    /// Goes on with the camera where a person has set it up anew. Gives how far that is from where
    /// it was, in pixels.
    pub fn set_registration(&mut self, registration: Registration) -> f64 {
        self.observer.set_registration(registration)
    }

    /// The last settled view.
    pub fn last(&self) -> Option<&SettledView> {
        self.last.as_deref()
    }

    /// Takes a frame; reports in the order in which things happened. True beside them: a view has
    /// settled.
    pub fn push(&mut self, frame: &Frame) -> Result<(Vec<Report>, bool), SessionError<B::Error>> {
        let observed = self.observer.push(frame)?;
        self.take(observed)
    }

    /// The source has ended: what is still open is told as far as it is known.
    pub fn finish(&mut self) -> Result<(Vec<Report>, bool), SessionError<B::Error>> {
        let observed = self.observer.finish()?;
        self.take(observed)
    }

    fn take(&mut self, observed: Vec<Observed>) -> Result<(Vec<Report>, bool), SessionError<B::Error>> {
        let (mut reports, mut settled) = (Vec::new(), false);
        for seen in observed {
            match seen {
                Observed::Lost(moved) => {
                    self.book.camera_moved(&moved).map_err(SessionError::Book)?;
                    reports.push(Report::CameraMoved(moved));
                }
                Observed::Settled(view) => {
                    reports.extend(self.settled(view)?);
                    settled = true;
                }
            }
        }
        Ok((reports, settled))
    }

    fn settled(&mut self, view: Box<SettledView>) -> Result<Vec<Report>, SessionError<B::Error>> {
        let mut reports = Vec::new();
        if let Some(moved) = view.moved {
            self.book.camera_moved(&moved).map_err(SessionError::Book)?;
            reports.push(Report::CameraMoved(moved));
        }
        let findings = match self.book.game() {
            Some(game) => self.umpire.settled(&view, &game),
            None => Vec::new(),
        };
        let before = self.last.replace(view);
        let Some(view) = &self.last else { return Ok(reports) };
        for finding in findings {
            reports.push(match finding {
                Finding::Shot { number, colour } => Report::Shot { number, colour },
                Finding::Remark(remark) => {
                    self.book.remark(&remark).map_err(SessionError::Book)?;
                    Report::Remark(remark)
                }
                Finding::Draft(draft) => {
                    let rests_on = match draft.rests_on {
                        RestsOn::ThisView => view,
                        RestsOn::ViewBefore => before.as_ref().unwrap_or(view),
                    };
                    let taken = self.book.take(&draft, rests_on).map_err(SessionError::Book)?;
                    Report::Event { event: draft.event.clone(), taken, draft }
                }
            });
        }
        self.book.settled(view);
        Ok(reports)
    }
}

/// A score sheet in memory: for recordings that are only to be read. Nobody can be asked, so the
/// likeliest event is taken, and told as asked where it is in doubt.
pub struct Sheet {
    record: Record,
    next: usize,
    /// Below this confidence a person would be asked.
    pub ask_below: f64,
}

impl Sheet {
    /// A sheet whose first line is the match.
    pub fn open(header: Event, board: &crate::board::Board, ask_below: f64) -> Result<Self, Refusal> {
        let board = std::sync::Arc::new(board.clone());
        Ok(Self { record: Record::open(0, header, Some(board))?, next: 1, ask_below })
    }

    pub fn record(&self) -> &Record {
        &self.record
    }
}

impl Book for Sheet {
    type Error = std::convert::Infallible;

    fn game(&self) -> Option<AnyGame> {
        Some(self.record.state().clone())
    }

    fn take(&mut self, draft: &Draft, _view: &SettledView) -> Result<Taken, Self::Error> {
        if let Err(refusal) = self.record.push(self.next, draft.event.clone()) {
            return Ok(Taken::Asked { why: format!("the rules do not allow it: {refusal}") });
        }
        self.next += 1;
        let doubt = draft.doubts.first();
        match doubt {
            Some(doubt) => {
                Ok(Taken::Asked { why: doubt.question.clone().unwrap_or_else(|| doubt.about.clone()) })
            }
            None if draft.confidence < self.ask_below => {
                Ok(Taken::Asked { why: format!("sure to {:.0} % only", draft.confidence * 100.0) })
            }
            None => Ok(Taken::Recorded { number: self.next - 1 }),
        }
    }

    fn remark(&mut self, _remark: &Remark) -> Result<(), Self::Error> {
        Ok(())
    }

    fn camera_moved(&mut self, _moved: &Moved) -> Result<(), Self::Error> {
        Ok(())
    }
}
