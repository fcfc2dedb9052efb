//! `linecall serve`.

use std::{
    io::IsTerminal,
    net::{SocketAddr, TcpListener},
    path::{Path, PathBuf},
    sync::Arc,
};

use super::{
    Failure,
    desk::{ledger_or_evening, open_desk},
    hall::JoinArguments,
    named,
    outputs::check_all,
    watch::ConfirmArgument,
};
use crate::{
    board::{BoardFile, Origin},
    desk::DeskOptions,
    home::{DataFolder, Tell},
    output::{Inputs, Kind},
    reach::{ListenAddress, NAME, NamedInNetwork, Tls, TlsFiles, addresses, code_text, links},
    web::{Access, Secrets, SetupFiles, WebOptions, start},
};

/// Serves the web page of a match: scoreboard, referee, calls, photos and set-up.
#[derive(Debug, clap::Args)]
pub struct ServeArguments {
    /// The ledger to record into; made if there is none. This evening's when not given.
    #[arg(long = "match", value_name = "FILE")]
    ledger: Option<PathBuf>,
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
    #[command(flatten)]
    join: JoinArguments,
}

/// This machine only.
pub(super) const USUAL_ADDRESS: &str = "127.0.0.1:8080";

/// Where to listen and who may watch; shared by every command that serves the page.
#[derive(Debug, Clone, clap::Args)]
pub(super) struct ListenArguments {
    /// The address to listen on: 8080 for this machine only, :8080 for the whole network. On the network changes
    /// need the referee's PIN, which is shown once.
    #[arg(long, value_name = "ADDR", default_value = USUAL_ADDRESS)]
    pub listen: ListenAddress,
    #[command(flatten)]
    pub guard: GuardArguments,
}

/// Who may watch and change, on a network.
#[derive(Debug, Clone, Default, clap::Args)]
pub(super) struct GuardArguments {
    /// On a network, show the page only to those who have the whole link.
    #[arg(long)]
    pub watch_by_link: bool,
    /// Makes another referee's PIN; everybody has to give it anew.
    #[arg(long)]
    pub new_pin: bool,
    /// HTTPS with a certificate of this computer's own making, so that the PIN does not travel in clear and a phone
    /// can be the camera. Browsers ask once whether to trust it.
    #[arg(long)]
    pub tls: bool,
    /// HTTPS with this certificate, PEM.
    #[arg(long, value_name = "FILE", requires = "tls_key")]
    pub tls_certificate: Option<PathBuf>,
    /// Its key, PEM.
    #[arg(long, value_name = "FILE", requires = "tls_certificate")]
    pub tls_key: Option<PathBuf>,
}

/// A page that can be reached: a port of its own, and who may do what.
pub(super) struct Reached {
    pub listener: TcpListener,
    pub access: Access,
    pub tls: Option<Tls>,
    /// A PIN that nobody knows yet.
    fresh_pin: Option<String>,
    name: Option<NamedInNetwork>,
}

impl ListenArguments {
    /// Takes the port before anything else begins.
    pub fn bind(&self) -> Result<Reached, Failure> {
        self.bind_or_next(0)
    }

    /// The same, or on this machine one of so many ports after it, where it is taken.
    pub fn bind_or_next(&self, more: u16) -> Result<Reached, Failure> {
        let asked = self.listen.0;
        let last = if asked.ip().is_loopback() { asked.port().saturating_add(more) } else { asked.port() };
        let at = |port: u16| TcpListener::bind(SocketAddr::new(asked.ip(), port));
        let mut bound = at(asked.port());
        for port in asked.port()..last {
            bound = bound.or_else(|_| at(port + 1));
        }
        let listener = bound.map_err(|error| {
            Failure::new(format!("cannot listen on {asked}: {error}; choose another address with --listen"))
        })?;
        let address = listener.local_addr().map_err(Failure::new)?;
        let tls = self.guard.tls(address)?;
        if address.ip().is_loopback() {
            return Ok(Reached { listener, access: Access::Loopback, tls, fresh_pin: None, name: None });
        }
        let (secrets, fresh_pin) = match DataFolder::open(None) {
            Ok(data) => {
                Secrets::open(&data, self.guard.watch_by_link, self.guard.new_pin).map_err(Failure::new)?
            }
            Err(error) => {
                eprintln!("linecall: {error}; the PIN is of this run only");
                let (secrets, pin) = Secrets::of_this_run(self.guard.watch_by_link);
                (secrets, Some(pin))
            }
        };
        let name = match NamedInNetwork::announce(address, tls.is_some()) {
            Ok(name) => Some(name),
            Err(problem) => {
                eprintln!("linecall: {problem}");
                None
            }
        };
        Ok(Reached { listener, access: Access::Network(Arc::new(secrets)), tls, fresh_pin, name })
    }
}

impl GuardArguments {
    fn tls(&self, address: SocketAddr) -> Result<Option<Tls>, Failure> {
        if let (Some(certificate), Some(key)) = (self.tls_certificate.clone(), self.tls_key.clone()) {
            return Tls::of_files(&TlsFiles { certificate, key }).map(Some).map_err(Failure::new);
        }
        if !self.tls {
            return Ok(None);
        }
        let data = DataFolder::open(None).map_err(Failure::new)?;
        let own: Vec<_> = addresses(address).iter().map(SocketAddr::ip).collect();
        Tls::own(&data, &own).map(Some).map_err(Failure::new)
    }
}

impl Reached {
    /// The page's options, with how it is reached.
    pub fn options(&self, options: WebOptions) -> WebOptions {
        let tell: Tell = Arc::new(|words: &str| eprintln!("linecall: {words}"));
        WebOptions { tls: self.tls.clone(), named: self.name(), tell: Some(tell), ..options }
    }

    pub fn name(&self) -> Option<&'static str> {
        self.name.as_ref().map(|_| NAME)
    }

    /// The name is announced until the program ends.
    pub fn keep_name(self) {
        std::mem::forget(self.name);
    }

    /// The likeliest link.
    pub fn link(&self, address: SocketAddr) -> String {
        self.links(address).into_iter().next().unwrap_or_default()
    }

    fn links(&self, address: SocketAddr) -> Vec<String> {
        links(address, if self.tls.is_some() { "https" } else { "http" }, self.name())
    }

    /// What a person needs to know once the page is served.
    pub fn words(&self, address: SocketAddr) -> String {
        let secrets = self.access.secrets();
        let key = secrets.and_then(|secrets| secrets.watch_key.as_ref());
        let query = key.map_or(String::new(), |key| format!("?key={key}"));
        let all = self.links(address);
        let first = all.first().cloned().unwrap_or_default();
        let mut text = format!(
            "Scoreboard  {first}/{query}\n\
             Referee     {first}/referee{query}\n\
             Overlay     {first}/overlay{query}\n"
        );
        for other in all.iter().skip(1) {
            text += &format!("also        {other}/{query}\n");
        }
        match (secrets, &self.fresh_pin) {
            (Some(_), Some(pin)) => {
                text += &format!("PIN         {pin}  (needed to change anything; shown this once)\n");
            }
            (Some(_), None) => text += "PIN         as before  (--new-pin makes another)\n",
            (None, _) => {
                text += "Only this machine can connect; --listen :8080 opens it to the network.\n";
            }
        }
        if let Some(code) =
            secrets.and_then(|_| code_text(&format!("{first}/{query}"))).filter(|_| is_terminal())
        {
            text += &format!("{code}\n");
        }
        text
    }
}

/// Whether a person may scan what is printed.
fn is_terminal() -> bool {
    std::io::stdout().is_terminal()
}

pub fn run(arguments: &ServeArguments) -> Result<(), Failure> {
    let mut outputs: Vec<_> = arguments.camera.iter().map(|path| (path.as_path(), Kind::Camera)).collect();
    outputs.extend(arguments.colours.iter().map(|path| (path.as_path(), Kind::Colours)));
    let ledger = ledger_or_evening(arguments.ledger.as_deref())?;
    let inputs = arguments.board.iter().map(Path::new).chain([ledger.as_path()]);
    check_all(&Inputs::of(inputs), outputs)?;
    let reached = arguments.listen.bind()?;
    let board = arguments.board.as_deref().map(named::board_file).transpose()?;
    let options = WebOptions {
        boards: choices(board.as_ref())?,
        setup: SetupFiles { camera: arguments.camera.clone(), colours: arguments.colours.clone() },
        ..WebOptions::default()
    };
    let options = reached.options(options);
    let desk = DeskOptions { policy: arguments.confirm.into(), board, ..DeskOptions::default() };
    let desk = open_desk(&ledger, desk)?;
    let _hall = arguments.join.join(&desk, None)?;
    let listener = reached.listener.try_clone().map_err(Failure::new)?;
    let running = start(listener, desk, options, reached.access.clone()).map_err(Failure::new)?;
    print!("{}", words(&reached, running.address(), &ledger));
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

/// What a person needs to know once a match's page is served.
pub(super) fn words(reached: &Reached, address: SocketAddr, ledger: &Path) -> String {
    let record = format!("Record      {}\n", ledger.display());
    reached.words(address) + &record + "Ctrl-C ends it; nothing that was recorded is lost.\n"
}
