//! Every page under axe-core, on a phone, a tablet and a television, in light and dark: no serious finding. And every page as a picture.

use std::path::Path;

use fantoccini::Client;
use serde_json::{Value, json};

use super::{
    api::upload,
    pages::{TABLET, TV, until},
    server::Server,
};
use crate::browser::{Screen, browse, overflow, screenshot};

const MISSING: &str = "axe-core is missing: `make test` gets it (.ci/setup test)";

fn axe() -> String {
    let tools = Path::new(env!("CARGO_TARGET_TMPDIR")).join("../tools");
    let folders = std::fs::read_dir(tools).expect(MISSING).flatten();
    let script = folders.map(|folder| folder.path().join("axe.min.js")).find(|script| script.is_file());
    std::fs::read_to_string(script.expect(MISSING)).unwrap()
}

/// A match with something on every page.
fn busy() -> (Server, Vec<(&'static str, String)>) {
    let server = Server::start();
    server.begin_court();
    server.half_round(2);
    let photo = upload(&server, "hard-light/001.jpg");
    let id = photo["id"].as_str().unwrap().to_owned();
    server.record(&format!("/api/photo/{id}/record"), json!({}));
    let pages = vec![
        ("score", server.url("/")),
        ("referee", server.url("/referee")),
        ("calls", server.url("/calls")),
        ("photo", server.url("/photo")),
        ("setup", server.url("/setup")),
        ("overlay", server.url("/overlay")),
        ("review", server.url(&format!("/photo/{id}/3"))),
    ];
    (server, pages)
}

/// Serious findings of axe-core on the page that is shown.
async fn findings(client: &Client, axe: &str) -> Vec<Value> {
    client.execute(axe, Vec::new()).await.unwrap();
    let script = "const done = arguments[0];
        axe.run(document, {resultTypes: ['violations']}).then((found) => done(found.violations
          .filter((v) => v.impact === 'serious' || v.impact === 'critical')
          .map((v) => ({id: v.id, help: v.help, nodes: v.nodes.slice(0, 3).map((n) => n.html + ' ' + n.failureSummary)}))),
          (failed) => done([{id: String(failed)}]));";
    let found = client.execute_async(script, Vec::new()).await.unwrap();
    found.as_array().unwrap().clone()
}

async fn ready(client: &Client, page: &str) {
    let script = match page {
        "score" | "referee" | "overlay" => "document.querySelector('[data-score]')",
        "calls" | "photo" | "setup" => "document.querySelector('#link[data-state=live]')",
        _ => "document.querySelector('main h1')",
    };
    until(client, page, script).await;
}

#[test]
fn pages_have_no_serious_findings_and_fit_their_screens() {
    let (_server, pages) = busy();
    let axe = axe();
    let screens = [
        ("phone", Screen::PHONE),
        ("phone-dark", Screen::PHONE.dark()),
        ("tablet", TABLET),
        ("tablet-dark", TABLET.dark()),
        ("tv", Screen { is_dark: false, ..TV }),
        ("tv-dark", TV),
    ];
    for (screen_name, screen) in screens {
        let (pages, axe) = (pages.clone(), axe.clone());
        browse(screen, async move |client: Client| {
            for (page, url) in pages {
                client.goto(&url).await.unwrap();
                ready(&client, page).await;
                screenshot(&client, &format!("{page}-{screen_name}")).await;
                let (beyond, culprit) = overflow(&client).await;
                assert!(beyond <= 1.0, "{page} on {screen_name} is {beyond} px too wide: {culprit}");
                let found = findings(&client, &axe).await;
                assert!(found.is_empty(), "{page} on {screen_name}: {}", json!(found));
            }
        });
    }
}
