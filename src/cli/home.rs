//! `linecall` without a command: the whole program behind its page.

use std::{
    io::IsTerminal,
    net::{Ipv4Addr, SocketAddr, TcpListener},
    path::PathBuf,
    sync::{Arc, Mutex, PoisonError},
};

use super::{
    Failure,
    desk::open_desk,
    serve::{ListenArguments, Reached},
};
use crate::{
    capture::Wish,
    desk::{Desk, DeskOptions},
    home::{DataFolder, Home, Opening, Settings, TableInUse, Tell, WatchedSource, Watcher, WatcherOptions},
    live::LiveOptions,
    output::use_data_folder,
    web::{Access, NetworkSwitch, NetworkView, NewPin, Running, Secrets, SetupFiles, WebOptions, start},
};

/// What the whole program takes.
#[derive(Debug, clap::Args)]
pub struct HomeArguments {
    /// The folder for everything that is kept: evenings, the camera's file, own boards, what was chosen. The usual one
    /// when not given.
    #[arg(long, value_name = "DIR")]
    data: Option<PathBuf>,
    /// What is watched: a camera's number, a network camera's address, a video file or a folder of frames; the page
    /// chooses it too.
    #[arg(long, value_name = "CAMERA|ADDRESS|FILE|DIR")]
    source: Option<WatchedSource>,
    /// Frames a second that the camera is asked for, or that a folder of frames was taken with.
    #[arg(long, value_name = "N", default_value_t = Wish::default().fps, value_parser = super::frame_rate)]
    fps: f64,
    #[command(flatten)]
    listen: ListenArguments,
    /// Opens the page in this computer's browser.
    #[arg(long)]
    open: bool,
}

/// What is watched from the start, and where the match is kept, for commands that become the whole program.
pub(super) struct Begin {
    pub data: Option<PathBuf>,
    pub source: Option<WatchedSource>,
    pub fps: f64,
    pub listen: ListenArguments,
    pub open: bool,
    /// A ledger other than the evening's.
    pub ledger: Option<PathBuf>,
    pub desk: DeskOptions,
    pub live: LiveOptions,
}

pub fn run(arguments: HomeArguments) -> Result<(), Failure> {
    let HomeArguments { data, source, fps, listen, open } = arguments;
    let (desk, live) = (DeskOptions::default(), LiveOptions::default());
    begin(Begin { data, source, fps, listen, open, ledger: None, desk, live })
}

/// The port for the network, beside the page of this machine.
const NETWORK_PORT: u16 = 8120;
/// Ports that are tried after the usual one, where it is taken.
const MORE_PORTS: u16 = 9;

pub(super) fn begin(begin: Begin) -> Result<(), Failure> {
    if let Some(data) = &begin.data {
        use_data_folder(data);
    }
    let data = DataFolder::open(begin.data.as_deref()).map_err(Failure::new)?;
    let reached = begin.listen.bind_or_next(MORE_PORTS)?;
    let tell: Tell = Arc::new(|words: &str| eprintln!("linecall: {words}"));
    let settings = Settings::load(&data);
    let table = match TableInUse::load(&data) {
        Ok(table) => table,
        Err(error) => {
            tell(&format!("{error}; set the camera up again on the page"));
            None
        }
    };
    let ledger = begin.ledger.clone().unwrap_or_else(|| data.evening_now());
    let options = DeskOptions {
        policy: settings.policy.unwrap_or(begin.desk.policy),
        board: table.as_ref().map(|table| table.board_file.clone()),
        wait_for_room: Some(super::watch::wait_for_room()),
        ..begin.desk
    };
    let desk = open_desk(&ledger, options)?;
    let opening = Opening { fps: begin.fps, ..Opening::default() };
    let watcher =
        WatcherOptions { opening, live: begin.live, end: crate::board::End::Far, tell: tell.clone() };
    let watcher = Watcher::start(desk.clone(), watcher).map_err(Failure::new)?;
    table.into_iter().for_each(|table| watcher.set_up(table));
    let chosen = begin.source.or_else(|| {
        let kept = settings.source.as_deref()?;
        kept.parse().ok()
    });
    if chosen.is_some() {
        watcher.watch(chosen);
    }
    let home = Home::new(data, settings, begin.ledger, watcher);
    let running = serve(&home, &desk, reached, tell)?;
    print!("{}", running.words);
    println!("Data        {}", home.data.root().display());
    println!("Ctrl-C ends it; nothing that was recorded is lost.");
    if begin.open {
        open_browser(&running.link);
    }
    running.page.wait().map_err(Failure::new)
}

/// The page, served.
struct Served {
    page: Running,
    words: String,
    link: String,
}

fn serve(home: &Arc<Home>, desk: &Desk, reached: Reached, tell: Tell) -> Result<Served, Failure> {
    let options = options(home, tell);
    let is_local = matches!(reached.access, Access::Loopback);
    let network = is_local.then(|| Network::new(home.clone(), desk.clone(), options.clone()));
    if let Some(network) = network.as_ref().filter(|_| home.settings().network)
        && let Err(problem) = network.switch(true)
    {
        eprintln!("linecall: {problem}");
    }
    let options = WebOptions {
        tls: reached.tls.clone(),
        named: reached.name(),
        network: network.clone().map(Network::switcher),
        new_pin: network.map(Network::pin_changer),
        ..options
    };
    let page = start(
        reached.listener.try_clone().map_err(Failure::new)?,
        desk.clone(),
        options,
        reached.access.clone(),
    )
    .map_err(Failure::new)?;
    let words = reached.words(page.address());
    let link = reached.link(page.address());
    reached.keep_name();
    Ok(Served { page, words, link })
}

fn options(home: &Arc<Home>, tell: Tell) -> WebOptions {
    WebOptions {
        setup: SetupFiles { camera: Some(home.data.camera_file()), colours: Some(home.data.colours_file()) },
        current_frame: Some(home.watcher.current_frame()),
        home: Some(home.clone()),
        tell: Some(tell),
        ..WebOptions::default()
    }
}

/// The page for the network, beside that of this machine: opened and closed from there.
#[derive(Clone)]
struct Network(Arc<NetworkState>);

struct NetworkState {
    home: Arc<Home>,
    desk: Desk,
    options: WebOptions,
    open: Mutex<Option<Open>>,
}

struct Open {
    page: Running,
    secrets: Arc<Secrets>,
    named: bool,
    _name: Option<crate::reach::NamedInNetwork>,
}

impl Network {
    fn new(home: Arc<Home>, desk: Desk, options: WebOptions) -> Network {
        Network(Arc::new(NetworkState { home, desk, options, open: Mutex::default() }))
    }

    fn switch(&self, on: bool) -> Result<NetworkView, String> {
        let state = &self.0;
        let mut open = state.open.lock().unwrap_or_else(PoisonError::into_inner);
        let mut pin = None;
        match (on, open.is_some()) {
            (true, false) => {
                let (opened, fresh) = state.open()?;
                pin = fresh;
                *open = Some(opened);
            }
            (false, true) => *open = None,
            _ => {}
        }
        state.home.choose(|settings| settings.network = on).map_err(|error| error.to_string())?;
        Ok(view(open.as_ref(), pin))
    }

    fn switcher(self) -> NetworkSwitch {
        Arc::new(move |on| match on {
            Some(on) => self.switch(on),
            None => {
                let open = self.0.open.lock().unwrap_or_else(PoisonError::into_inner);
                Ok(view(open.as_ref(), None))
            }
        })
    }

    fn pin_changer(self) -> NewPin {
        Arc::new(move || {
            let open = self.0.open.lock().unwrap_or_else(PoisonError::into_inner);
            match open.as_ref() {
                Some(open) => open.secrets.change_pin(),
                None => Secrets::open(&self.0.home.data, false, false)?.0.change_pin(),
            }
        })
    }
}

impl NetworkState {
    fn open(&self) -> Result<(Open, Option<String>), String> {
        let everywhere = |port: u16| SocketAddr::from((Ipv4Addr::UNSPECIFIED, port));
        let listener = (NETWORK_PORT..=NETWORK_PORT + MORE_PORTS)
            .find_map(|port| TcpListener::bind(everywhere(port)).ok())
            .ok_or_else(|| format!("the ports {NETWORK_PORT} to {} are taken", NETWORK_PORT + MORE_PORTS))?;
        let address = listener.local_addr().map_err(|error| error.to_string())?;
        let (secrets, pin) =
            Secrets::open(&self.home.data, false, false).map_err(|error| error.to_string())?;
        let secrets = Arc::new(secrets);
        let name = crate::reach::NamedInNetwork::announce(address, false);
        let options =
            WebOptions { named: name.is_ok().then_some(crate::reach::NAME), ..self.options.clone() };
        let access = Access::Network(secrets.clone());
        let page = start(listener, self.desk.clone(), options, access).map_err(|error| error.to_string())?;
        Ok((Open { page, secrets, named: name.is_ok(), _name: name.ok() }, pin))
    }
}

fn view(open: Option<&Open>, pin: Option<String>) -> NetworkView {
    let links = open.map_or(Vec::new(), |open| {
        crate::reach::links(open.page.address(), "http", open.named.then_some(crate::reach::NAME))
    });
    NetworkView { on: open.is_some(), links, pin }
}

/// The desktop's browser, where there is one.
fn open_browser(link: &str) {
    let program = if cfg!(target_os = "macos") { "open" } else { "xdg-open" };
    let opened = std::process::Command::new(program)
        .arg(link)
        .stdin(std::process::Stdio::null())
        .stdout(std::process::Stdio::null())
        .stderr(std::process::Stdio::null())
        .spawn();
    if opened.is_err() && std::io::stderr().is_terminal() {
        eprintln!("linecall: open {link} in a browser");
    }
}
