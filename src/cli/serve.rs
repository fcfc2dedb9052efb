//! `linecall serve`.

use std::{
    net::{SocketAddr, TcpListener},
    path::{Path, PathBuf},
};

use super::{Failure, desk::open_desk, named, outputs::check_all, watch::ConfirmArgument};
use crate::{
    board::{BoardFile, Origin},
    desk::DeskOptions,
    output::{Inputs, Kind},
    web::{Access, SetupFiles, WebOptions, start},
};

/// Serves the web page of a match: scoreboard, referee, calls, photos and set-up.
#[derive(Debug, clap::Args)]
pub struct ServeArguments {
    /// The ledger to record into; made if there is none.
    #[arg(long = "match", value_name = "FILE")]
    ledger: PathBuf,
    #[command(flatten)]
    listen: ListenArguments,
    /// A shipped board's id or the path of a board file; the game's own when not given.
    #[arg(long, value_name = "B")]
    board: Option<String>,
    /// The camera file that set-up writes; without it the page offers a download.
    #[arg(long, value_name = "C.toml")]
    camera: Option<PathBuf>,
    /// The colours file that set-up writes.
    #[arg(long, value_name = "COLOURS.toml")]
    colours: Option<PathBuf>,
    /// Which of the photos' frames are put to the referee before they count.
    #[arg(long, value_enum, default_value = "doubts")]
    confirm: ConfirmArgument,
}

/// Where to listen and who may watch; shared by every command that serves the page.
#[derive(Debug, Clone, clap::Args)]
pub(super) struct ListenArguments {
    /// The address to listen on. On any other than this machine's own, changes need the PIN that is
    /// printed here.
    #[arg(long, value_name = "ADDR", default_value = "127.0.0.1:8080")]
    pub listen: SocketAddr,
    /// On a network, show the page only to those who have the whole link.
    #[arg(long)]
    pub watch_by_link: bool,
}

impl ListenArguments {
    /// Takes the port before anything else begins.
    pub fn bind(&self) -> Result<(TcpListener, Access), Failure> {
        let listener = TcpListener::bind(self.listen).map_err(|error| {
            Failure::new(format!(
                "cannot listen on {}: {error}; choose another address with --listen",
                self.listen
            ))
        })?;
        Ok((listener, Access::of(self.listen, self.watch_by_link)))
    }
}

pub fn run(arguments: &ServeArguments) -> Result<(), Failure> {
    let mut outputs: Vec<_> = arguments.camera.iter().map(|path| (path.as_path(), Kind::Camera)).collect();
    outputs.extend(arguments.colours.iter().map(|path| (path.as_path(), Kind::Colours)));
    let inputs = arguments.board.iter().map(Path::new).chain([arguments.ledger.as_path()]);
    check_all(&Inputs::of(inputs), outputs)?;
    let (listener, access) = arguments.listen.bind()?;
    let board = arguments.board.as_deref().map(named::board_file).transpose()?;
    let options = WebOptions {
        boards: choices(board.as_ref())?,
        setup: SetupFiles { camera: arguments.camera.clone(), colours: arguments.colours.clone() },
        ..WebOptions::default()
    };
    let desk = DeskOptions { policy: arguments.confirm.into(), board, ..DeskOptions::default() };
    let desk = open_desk(&arguments.ledger, desk)?;
    let running = start(listener, desk, options, access.clone()).map_err(Failure::new)?;
    print!("{}", words(running.address(), &access, &arguments.ledger));
    running.wait().map_err(Failure::new)
}

/// The board that was named, then the person's own.
fn choices(named: Option<&BoardFile>) -> Result<Vec<BoardFile>, Failure> {
    let library = named::library()?;
    let named_id = named.and_then(|file| file.board().ok()).map(|board| board.id);
    let own = library.boards.iter().filter(|known| matches!(known.origin, Origin::Own(_)));
    let others = own.filter(|known| Some(&known.board.id) != named_id.as_ref());
    let others = others.map(|known| library.file_named_or_at(&known.board.id).map_err(Failure::new));
    named.cloned().map(Ok).into_iter().chain(others).collect()
}

/// What a person needs to know once the page is served.
pub(super) fn words(address: SocketAddr, access: &Access, ledger: &Path) -> String {
    let key = access.secrets().and_then(|secrets| secrets.watch_key.as_ref());
    let query = key.map_or(String::new(), |key| format!("?key={key}"));
    let host = if address.ip().is_unspecified() {
        format!("THIS-MACHINE:{}", address.port())
    } else {
        address.to_string()
    };
    let mut text = format!(
        "Scoreboard  http://{host}/{query}\n\
         Referee     http://{host}/referee{query}\n\
         Overlay     http://{host}/overlay{query}\n\
         Record      {}\n",
        ledger.display()
    );
    match access.secrets() {
        Some(secrets) => text += &format!("PIN         {}  (needed to change anything)\n", secrets.pin),
        None => text += "Only this machine can connect; --listen 0.0.0.0:8080 opens it to the network.\n",
    }
    text + "Ctrl-C ends it; nothing that was recorded is lost.\n"
}
