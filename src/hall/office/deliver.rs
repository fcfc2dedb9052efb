//! Results on their way out: to files in the hall's folder, to a topic, and to a web address.

use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
    time::Duration,
};

use hyper::{Request, client::conn::http1, header};
use hyper_util::rt::TokioIo;

use super::write_whole;
use crate::{
    hall::{
        seal::Sealed,
        tournament::{Book, ResultRow, results, results_csv},
    },
    ledger::Hash,
};

const PATIENCE: Duration = Duration::from_secs(10);

/// Which results were delivered, by pairing; kept on the disk.
pub struct Delivered {
    path: PathBuf,
    known: BTreeMap<String, Hash>,
}

impl Delivered {
    pub fn load(data: &Path) -> Delivered {
        let path = data.join("delivered.json");
        let text = std::fs::read_to_string(&path).unwrap_or_default();
        // Without it results are delivered again, which says nothing new.
        Delivered { path, known: serde_json::from_str(&text).unwrap_or_default() }
    }

    /// Results that were not delivered as they now are.
    pub fn due(&self, book: &Book) -> Vec<ResultRow> {
        results(book).into_iter().filter(|row| self.known.get(&row.id) != Some(&mark(row))).collect()
    }

    pub fn done(&mut self, row: &ResultRow) {
        self.known.insert(row.id.clone(), mark(row));
        // As above.
        let _ = serde_json::to_vec(&self.known).map(|text| write_whole(&self.path, &text));
    }
}

fn mark(row: &ResultRow) -> Hash {
    Hash::of_bytes(&serde_json::to_vec(row).unwrap_or_default())
}

/// The results as files, for who takes them from there.
pub fn write_files(data: &Path, book: &Book) -> Result<(), String> {
    let rows = results(book);
    let json = serde_json::to_vec_pretty(&rows).map_err(|error| error.to_string())?;
    let csv = results_csv(&rows).map_err(|error| error.to_string())?;
    let write = |name: &str, bytes: &[u8]| {
        let path = data.join(name);
        write_whole(&path, bytes).map_err(|error| format!("{} cannot be written: {error}", path.display()))
    };
    write("results.json", &json)?;
    write("results.csv", csv.as_bytes())
}

/// Whether an address can be a webhook's.
pub fn check_webhook(address: &str) -> Result<(), String> {
    parts(address).map(|_| ())
}

fn parts(address: &str) -> Result<(&str, String, &str), String> {
    let wrong = || format!("{address:?} is no address for results: expected http://HOST:PORT/PATH");
    let rest = address.strip_prefix("http://").ok_or_else(wrong)?;
    let (host, path) = rest.find('/').map_or((rest, "/"), |slash| rest.split_at(slash));
    if host.is_empty() || host.contains('@') {
        return Err(wrong());
    }
    let has_port = host.rsplit_once(':').is_some_and(|(_, port)| port.parse::<u16>().is_ok());
    let place = if has_port { host.to_owned() } else { format!("{host}:80") };
    Ok((host, place, path))
}

/// Sends a signed result by POST. Anything but a status of 200 to 299 is a failure.
pub async fn post(address: String, result: Sealed) -> Result<(), String> {
    tokio::time::timeout(PATIENCE, post_now(&address, &result))
        .await
        .map_err(|_| format!("{address} did not answer within {} s", PATIENCE.as_secs()))?
}

async fn post_now(address: &str, result: &Sealed) -> Result<(), String> {
    let (host, place, path) = parts(address)?;
    let failed = |error: &dyn std::fmt::Display| format!("{address}: {error}");
    let socket = tokio::net::TcpStream::connect(&place).await.map_err(|error| failed(&error))?;
    let (mut sender, connection) =
        http1::handshake(TokioIo::new(socket)).await.map_err(|error| failed(&error))?;
    let driver = tokio::spawn(connection);
    let body = serde_json::to_string(result).map_err(|error| failed(&error))?;
    let request = Request::post(path)
        .header(header::HOST, host)
        .header(header::CONTENT_TYPE, "application/json")
        .header(header::CONTENT_LENGTH, body.len())
        .body(body)
        .map_err(|error| failed(&error))?;
    let answer = sender.send_request(request).await.map_err(|error| failed(&error));
    driver.abort();
    match answer?.status() {
        status if status.is_success() => Ok(()),
        status => Err(format!("{address} answered {status}")),
    }
}
