//! The pages by keys alone.

use fantoccini::Client;
use serde_json::{Value, json};

use super::{
    api::upload,
    pages::{TABLET, named, score, shows, until},
    server::Server,
};
use crate::browser::{browse, screenshot};

const ENTER: &str = "\u{e007}";
const ESCAPE: &str = "\u{e00c}";
const TAB: &str = "\u{e004}";

/// A match without a mouse: started, a half round entered, what the camera saw confirmed, a call
/// corrected, everything undone.
#[test]
fn keys_alone_are_enough() {
    let server = Server::start();
    let url = server.url("/referee");
    browse(TABLET, async move |client: Client| {
        client.goto(&url).await.unwrap();
        shows(&client, "No match yet").await;
        key(&client, "Start a match", ENTER).await;
        type_into(&client, "side-0", "Ann").await;
        type_into(&client, "side-1", "Bo").await;
        key(&client, "Start the match", ENTER).await;
        score(&client, "Ann", 0).await;
        key(&client, "Enter a half round", " ").await;
        key(&client, "Add a piece by name", ENTER).await;
        key(&client, "Add blue in 8 left", ENTER).await;
        shows(&client, "Bo +8").await;
        // The button that was pressed is still under the keys, though the page was drawn anew.
        until(&client, "the focus", "document.activeElement.innerText === 'Add a piece by name'").await;
        key(&client, "Record", ENTER).await;
        score(&client, "Bo", 8).await;

        // Escape leaves a question, and the focus is not lost.
        key(&client, "Half round 1", ENTER).await;
        key(&client, "Undo it", ENTER).await;
        shows(&client, "Undo \u{201c}Half round 1\u{201d}?").await;
        press_key(&client, ESCAPE).await;
        until(&client, "the page", "!document.querySelector('.veil')").await;
        score(&client, "Bo", 8).await;

        // The camera's proposal is confirmed.
        server.record("/api/policy", json!({"policy": "everything"}));
        let photo = upload(&server, "court-overhead/003.jpg");
        server.record(&format!("/api/photo/{}/record", photo["id"].as_str().unwrap()), json!({}));
        shows(&client, "The camera saw: half round").await;
        key(&client, "Confirm", ENTER).await;
        score(&client, "Ann", 17).await;
        score(&client, "Bo", -2).await;

        // A call of it is corrected: the 10 touches a line.
        key(&client, "Half round 2", ENTER).await;
        key(&client, "Correct it", ENTER).await;
        let ten = "[...document.querySelectorAll('.piece-open')].find((n) => n.innerText.includes('+10'))";
        until(&client, "the pieces", ten).await;
        tab_to(&client, "the 10", &format!("document.activeElement === {ten}")).await;
        press_key(&client, ENTER).await;
        key(&client, "Touching the line of 10", ENTER).await;
        shows(&client, "Ann +7, Bo \u{2212}10").await;
        key(&client, "Record the correction", ENTER).await;
        score(&client, "Ann", 7).await;
        screenshot(&client, "referee-keys-tablet").await;

        // And undone, correction and all.
        key(&client, "Half round 2", ENTER).await;
        key(&client, "Undo it", ENTER).await;
        shows(&client, "Undo “Half round 2”?").await;
        key(&client, "Undo it", ENTER).await;
        score(&client, "Ann", 0).await;
        score(&client, "Bo", 8).await;
    });
}

async fn press_key(client: &Client, key: &str) {
    client.active_element().await.unwrap().send_keys(key).await.unwrap();
}

/// Walks by Tab to the control of this name.
async fn tab_to(client: &Client, what: &str, is_there: &str) {
    for _ in 0..80 {
        let there = client.execute(&format!("return Boolean({is_there});"), Vec::new()).await.unwrap();
        if there == Value::Bool(true) {
            return;
        }
        press_key(client, TAB).await;
    }
    screenshot(client, "failed").await;
    panic!("Tab does not come to {what}");
}

async fn key(client: &Client, name: &str, with: &str) {
    named(client, name).await;
    let script = format!(
        "(document.activeElement.getAttribute('aria-label') || document.activeElement.innerText || '').trim().startsWith({})",
        json!(name)
    );
    tab_to(client, name, &script).await;
    press_key(client, with).await;
}

async fn type_into(client: &Client, id: &str, text: &str) {
    tab_to(client, id, &format!("document.activeElement.id === {}", json!(id))).await;
    press_key(client, text).await;
}
