//! `linecall hall`, and how a table joins one.

use std::{
    net::{SocketAddr, TcpListener},
    path::PathBuf,
    sync::Arc,
};

use super::Failure;
use crate::{
    desk::Desk,
    hall::{
        HallAddress, PublicKey, name_of,
        office::{self, OfficeOptions, check_webhook},
        page,
        table::{self, TableLink, TableOptions},
    },
    reach::links,
    rules::GameId,
    web::{Access, Secrets},
};

/// One page for a hall of tables: scores, questions for one referee, pairings and results.
#[derive(Debug, clap::Args)]
pub struct HallArguments {
    /// The broker and the hall's name on it: mqtt://BROKER/HALL, or mqtts://USER:PASSWORD@BROKER/HALL.
    #[arg(long, value_name = "ADDRESS")]
    broker: HallAddress,
    /// The certificate of the broker's own authority, in PEM; the system's are used without it.
    #[arg(long, value_name = "CA.pem")]
    ca: Option<PathBuf>,
    /// Where the hall keeps its copies of every table's ledger, its pairings and its key. Made where there is none.
    #[arg(long, value_name = "DIR")]
    data: PathBuf,
    /// The address of the page. On any other than this machine's own, changes need the PIN that is printed here.
    #[arg(long, value_name = "ADDR", default_value = "127.0.0.1:8090")]
    listen: SocketAddr,
    /// Fetch every frame from the tables, not only those of calls that somebody looks at.
    #[arg(long)]
    frames: bool,
    /// Send each signed result to this address by POST: http://HOST:PORT/PATH
    #[arg(long, value_name = "ADDRESS")]
    webhook: Option<String>,
}

pub fn run(arguments: &HallArguments) -> Result<(), Failure> {
    if let Some(address) = &arguments.webhook {
        check_webhook(address).map_err(Failure::usage)?;
    }
    let address = with_ca(arguments.broker.clone(), arguments.ca.as_ref())?;
    let listener = TcpListener::bind(arguments.listen).map_err(|error| {
        Failure::new(format!(
            "cannot listen on {}: {error}; choose another address with --listen",
            arguments.listen
        ))
    })?;
    let options = OfficeOptions {
        fetch_frames: arguments.frames,
        webhook: arguments.webhook.clone(),
        ..OfficeOptions::new(address.clone(), &arguments.data)
    };
    let running = office::open(options).map_err(Failure::new)?;
    let (access, pin) = match arguments.listen.ip().is_loopback() {
        true => (Access::Loopback, None),
        false => {
            let (secrets, pin) = Secrets::of_this_run(false);
            (Access::Network(Arc::new(secrets)), Some(pin))
        }
    };
    let served = page::serve(listener, running.office.clone(), access).map_err(Failure::new)?;
    let key = running.office.key().public();
    print!("{}", words(served.address(), pin.as_deref(), &address, &key));
    served.wait().map_err(Failure::new)
}

fn words(page: SocketAddr, pin: Option<&str>, broker: &HallAddress, key: &PublicKey) -> String {
    let link = links(page, "http", None).into_iter().next().unwrap_or_else(|| format!("http://{page}"));
    let link = link.trim_end_matches('/');
    let pin = match pin {
        Some(pin) => format!("PIN         {pin}  (needed to change anything)\n"),
        None => "Only this machine can connect; --listen 0.0.0.0:8090 opens it to the network.\n".to_owned(),
    };
    format!(
        "Tables      {link}/\n\
         Questions   {link}/questions\n\
         Tournament  {link}/tournament\n\
         Big screen  {link}/screen\n\
         Key         {key}\n\
         At a table  linecall live ... --hall {broker} --table-name table-1 --hall-key {key}\n\
         {pin}Ctrl-C ends it; the tables go on by themselves.\n"
    )
}

fn with_ca(address: HallAddress, ca: Option<&PathBuf>) -> Result<HallAddress, Failure> {
    match ca {
        Some(path) => address.with_ca(path).map_err(Failure::new),
        None => Ok(address),
    }
}

/// How a table takes part in a hall; shared by every command that records.
#[derive(Debug, Clone, Default, clap::Args)]
pub(super) struct JoinArguments {
    /// Take part in a hall: mqtt://BROKER/HALL, or mqtts://USER:PASSWORD@BROKER/HALL. The table works alone without it,
    /// and whenever the broker is not there.
    #[arg(long, value_name = "ADDRESS", requires = "table_name")]
    hall: Option<HallAddress>,
    /// This table's name in the hall, for example table-3; no other table has the same.
    #[arg(long, value_name = "NAME", requires = "hall", value_parser = name_of)]
    table_name: Option<String>,
    /// Take commands that are signed with this key, which linecall hall prints; may be given more than once. Without
    /// one the table only tells.
    #[arg(long, value_name = "KEY", requires = "hall")]
    hall_key: Vec<PublicKey>,
    /// The certificate of the broker's own authority, in PEM; the system's are used without it.
    #[arg(long, value_name = "CA.pem", requires = "hall")]
    hall_ca: Option<PathBuf>,
}

impl JoinArguments {
    /// Joins the hall that was named; `game` is the only one that this table's camera can watch.
    pub fn join(&self, desk: &Desk, game: Option<GameId>) -> Result<Option<TableLink>, Failure> {
        let (Some(hall), Some(name)) = (&self.hall, &self.table_name) else { return Ok(None) };
        let address = with_ca(hall.clone(), self.hall_ca.as_ref())?;
        let options = TableOptions {
            keys: self.hall_key.clone(),
            games: game.into_iter().collect(),
            ..TableOptions::new(address, name)
        };
        table::join(desk.clone(), options).map(Some).map_err(Failure::new)
    }
}
