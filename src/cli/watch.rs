//! What `live` and `replay` share: which table is watched, and what is said about it.

use std::{
    path::{Path, PathBuf},
    sync::Arc,
    time::Duration,
};

use super::Failure;
use crate::{
    board::{Board, BoardFile, End},
    camera::CameraFile,
    desk::{Desk, DeskOptions, Policy, WaitForRoom},
    detect::TaughtColours,
    ledger::Author,
    live::{Draft, Ground, LiveOptions, Moved, Report, Taken},
    register::Registration,
    rules::{
        Event, GameId,
        event::{MatchEvent, RawOptions, RawSide},
    },
    score::Scorer,
};

/// The table that is watched.
#[derive(Debug, clap::Args)]
pub(super) struct TableArguments {
    /// The camera file, made by `linecall calibrate` or on the page; it names the board too.
    #[arg(long, value_name = "C.toml")]
    pub camera: Option<PathBuf>,
    /// The game that is played (see `linecall games`).
    #[arg(long, value_name = "G")]
    pub game: Option<String>,
    /// The board file, where the camera's board is not one that ships.
    #[arg(long, value_name = "B")]
    pub board: Option<String>,
    /// The end that is played to.
    #[arg(long, value_enum, default_value = "far")]
    pub end: super::score::EndArgument,
    /// Names of the two sides, the one that begins first; their colours when not given.
    #[arg(long, value_name = "NAME,NAME", conflicts_with = "start")]
    pub sides: Option<String>,
    /// A match file whose first line says who plays, and by which options.
    #[arg(long, value_name = "FILE.jsonl")]
    pub start: Option<PathBuf>,
    /// Each game begins with a lag for colour (C1): its first two pucks are no shots.
    #[arg(long)]
    pub lag: bool,
    /// Colours of the set, made by `linecall calibrate --teach`.
    #[arg(long, value_name = "COLOURS.toml")]
    pub colours: Option<PathBuf>,
    /// Options of the stages, as `linecall options` prints them; what the file leaves out has its default.
    #[arg(long, value_name = "OPTIONS.toml")]
    pub options: Option<PathBuf>,
}

/// The same, checked.
pub(super) struct Table {
    pub scorer: Scorer,
    pub registration: Registration,
    /// The match file's first line.
    pub header: Event,
    board_file: BoardFile,
    camera_file: (String, String),
    colours_file: Option<(String, String)>,
}

impl Table {
    /// What every view rests on.
    pub fn ground(&self) -> Ground {
        Ground {
            board: self.board_file.clone(),
            camera: self.camera_file.clone(),
            colours: self.colours_file.clone(),
            options: crate::options::as_toml(&self.scorer.options),
        }
    }
}

/// Which events a person confirms.
#[derive(Debug, Clone, Copy, clap::ValueEnum)]
pub(super) enum ConfirmArgument {
    /// Every one.
    Everything,
    /// Those that are in doubt.
    Doubts,
    /// None: the likeliest is recorded.
    Never,
}

impl From<ConfirmArgument> for Policy {
    fn from(argument: ConfirmArgument) -> Self {
        match argument {
            ConfirmArgument::Everything => Policy::Everything,
            ConfirmArgument::Doubts => Policy::Doubts,
            ConfirmArgument::Never => Policy::Never,
        }
    }
}

/// Opens a ledger's desk and takes up its match, or begins one.
pub(super) fn open_desk(
    ledger: &Path,
    table: &Table,
    confirm: ConfirmArgument,
    live: &LiveOptions,
) -> Result<Desk, Failure> {
    let options = DeskOptions {
        policy: confirm.into(),
        ask_below: live.umpire.ask_below,
        board: Some(table.board_file.clone()),
        wait_for_room: Some(wait_for_room()),
        ..DeskOptions::default()
    };
    let desk = super::desk::open_desk(ledger, options)?;
    match desk.game() {
        None => {
            desk.new_match(table.header.clone(), Author::Program, None).map_err(Failure::new)?;
        }
        Some(game) if game.setup().game != table.scorer.game => {
            return Err(Failure::new(format!(
                "the match in {} is {}, not {}: give another ledger, or that game",
                ledger.display(),
                game.setup().game.id(),
                table.scorer.game.id()
            )));
        }
        Some(_) => {}
    }
    Ok(desk)
}

/// A full disk does not end a match that is being watched.
pub(super) fn wait_for_room() -> WaitForRoom {
    let tell = |reason: &str| match reason {
        "" => eprintln!("linecall: there is room again, the match goes on"),
        reason => eprintln!("linecall: {reason}; waiting for it"),
    };
    WaitForRoom { every: Duration::from_secs(2), tell: Arc::new(tell) }
}

impl TableArguments {
    pub fn live_options(&self) -> Result<LiveOptions, Failure> {
        let mut options = super::options::load(self.options.as_deref())?.live;
        options.umpire.lag |= self.lag;
        Ok(options)
    }

    pub fn table(&self) -> Result<Table, Failure> {
        let path = self.camera.as_ref().ok_or_else(|| {
            Failure::usage(
                "--camera C.toml is missing: make one with linecall calibrate, or on the page of linecall",
            )
        })?;
        let camera_text = std::fs::read_to_string(path).map_err(|error| {
            Failure::new(format!(
                "cannot read the camera file {}: {error}; make one with linecall calibrate",
                path.display()
            ))
        })?;
        let file = CameraFile::parse(&camera_text, path).map_err(Failure::new)?;
        let named = self.board.as_deref().unwrap_or(&file.board);
        let board = super::named::board(named)?;
        if board.id != file.board {
            return Err(Failure::new(format!(
                "the camera file {} is for the board {}, not for {}: calibrate the camera at this board",
                path.display(),
                file.board,
                board.id
            )));
        }
        let header = match &self.start {
            Some(path) => Some(first_line(path)?),
            None => None,
        };
        let game = self.game.as_deref().or(match &header {
            Some(Event::Match(header)) => Some(header.game.as_str()),
            _ => None,
        });
        let mut options = super::options::load(self.options.as_deref())?.score();
        let mut colours_file = None;
        if let Some(path) = &self.colours {
            options.detect.taught = Some(TaughtColours::load_for(path, &board).map_err(Failure::new)?);
            let text = std::fs::read_to_string(path).map_err(Failure::new)?;
            colours_file = Some((path.display().to_string(), text));
        }
        let end: End = self.end.into();
        let scorer = Scorer::new(board, game, end, options)?;
        let header = match header {
            Some(header) => header,
            None => self.header(scorer.game, &scorer.board)?,
        };
        Ok(Table {
            registration: Registration::from(&file),
            scorer,
            header,
            board_file: super::named::board_file(named)?,
            camera_file: (path.display().to_string(), camera_text),
            colours_file,
        })
    }

    fn header(&self, game: GameId, board: &Board) -> Result<Event, Failure> {
        let colours: Vec<&str> = board
            .pieces
            .iter()
            .filter(|kind| !kind.shooter && kind.count > 1)
            .map(|kind| kind.name.as_str())
            .take(2)
            .collect();
        let names: Vec<String> = match &self.sides {
            Some(sides) => sides.split(',').map(|name| name.trim().to_owned()).collect(),
            None => colours.iter().map(|colour| (*colour).to_owned()).collect(),
        };
        if names.len() != 2 {
            return Err(Failure::usage(format!(
                "--sides has {} names; expected two, as in --sides Ann,Bo",
                names.len()
            )));
        }
        let side = |(name, colour): (&String, &&str)| RawSide {
            name: name.clone(),
            colour: Some((*colour).to_owned()),
            players: None,
        };
        Ok(Event::Match(MatchEvent {
            game: game.id().to_owned(),
            options: RawOptions::default(),
            sides: names.iter().zip(&colours).map(side).collect(),
        }))
    }
}

fn first_line(path: &Path) -> Result<Event, Failure> {
    let text = std::fs::read_to_string(path)
        .map_err(|error| Failure::new(format!("cannot read the match file {}: {error}", path.display())))?;
    let line = text.lines().find(|line| !line.trim().is_empty()).unwrap_or_default();
    match serde_json::from_str(line) {
        Ok(event @ Event::Match(_)) => Ok(event),
        Ok(other) => Err(Failure::new(format!(
            "{} begins with a {}; expected a match as its first line",
            path.display(),
            other.name()
        ))),
        Err(error) => Err(Failure::new(format!("{} line 1: {error}", path.display()))),
    }
}

/// A report in words.
pub(super) fn words(report: &Report) -> String {
    match report {
        Report::Shot { number, colour } => format!("shot {number}: {colour}"),
        Report::Remark(remark) => remark.text.clone(),
        Report::CameraMoved(moved) => moved_words(moved),
        Report::Event { event, taken, draft } => match taken {
            Taken::Recorded { number } => format!("recorded as event {number}: {}", event_words(event)),
            Taken::Known => format!("recorded before: {}", event_words(event)),
            Taken::Asked { why } => {
                format!("to be confirmed: {}{} ({why})", event_words(event), sure_words(draft))
            }
        },
    }
}

fn sure_words(draft: &Draft) -> String {
    format!(", sure to {:.1} %", draft.confidence * 100.0)
}

fn moved_words(moved: &Moved) -> String {
    let Moved { moved_px, registered_again, last_good_secs } = moved;
    let then = match registered_again {
        true => "its new place was found by the board's lines",
        false => "its new place was not found: calibrate it again",
    };
    let how = match moved_px {
        Some(moved_px) => format!("the camera has moved by {moved_px:.1} px"),
        None => "the board's lines are not to be seen: the camera was turned away, or it is dark".to_owned(),
    };
    format!("{how}; {then}; calls since {last_good_secs:.1} s are marked")
}

fn event_words(event: &Event) -> String {
    match event {
        Event::Frame(frame) => {
            let lying = frame.pieces.iter().filter(|piece| piece.x_mm.is_some()).count();
            format!("a half round, {lying} pieces on the board")
        }
        Event::Strike(strike) => {
            let mut words = match &strike.pocketed[..] {
                [] => "a strike, nothing pocketed".to_owned(),
                pocketed => format!("a strike, pocketed {}", pocketed.join(", ")),
            };
            if strike.striker != Default::default() {
                words += ", the striker is gone";
            }
            words
        }
        other => other.name().to_owned(),
    }
}
