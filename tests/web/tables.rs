//! Set-up's first step: the table is chosen by its picture, or learned from a photo.

use fantoccini::{Client, Locator};
use serde_json::{Value, json};

use super::{
    pages::{choose_table, fill, fits, named, press, shows, until},
    server::Server,
};
use crate::{
    browser::{Screen, browse, screenshot},
    score::fixture,
};

#[test]
fn a_table_is_chosen_by_its_picture() {
    let server = Server::start();
    let url = server.url("/setup");
    browse(Screen::PHONE, async move |client: Client| {
        client.goto(&url).await.unwrap();
        let seen = "document.querySelectorAll('.tile img').length >= 5 &&
            [...document.querySelectorAll('.tile img')].every((n) => n.loading === 'lazy' || n.naturalWidth > 300)";
        until(&client, "the pictures", seen).await;
        shows(&client, "No table is chosen yet.").await;
        choose_table(&client, "carroms-ludington").await;
        shows(&client, "The match is played on").await;
        screenshot(&client, "tables-phone").await;
        fits(&client, "the tables").await;
        start_a_match(&client).await;
    });
    assert_eq!(server.state()["match"]["board"], "carroms-ludington");
}

/// From the chosen table to a match on it.
async fn start_a_match(client: &Client) {
    press(client, "Start a match on it").await;
    fill(client, "#side-0", "Ann").await;
    fill(client, "#side-1", "Bo").await;
    fits(client, "the form of a new match").await;
    press(client, "Start the match").await;
    until(
        client,
        "the referee's page",
        "location.pathname === '/referee' && document.querySelector('[data-score]')",
    )
    .await;
}

#[test]
fn pictures_of_tables_are_pictures() {
    let server = Server::start();
    for board in server.get("/api/boards")["boards"].as_array().unwrap() {
        let mut answer = ureq::get(server.url(board["picture"].as_str().unwrap())).call().unwrap();
        assert_eq!(answer.headers().get("content-type").unwrap(), "image/png");
        let picture = image::load_from_memory(&answer.body_mut().read_to_vec().unwrap()).unwrap();
        assert_eq!(picture.width(), 640, "{board}");
        assert!(picture.width() >= picture.height(), "long boards lie: {board}");
    }
}

#[test]
fn what_goes_wrong_is_told_on_the_page() {
    let server = Server::start();
    let url = server.url("/setup");
    let folder = tempfile::tempdir().unwrap();
    let (plain, broken) = (folder.path().join("plain.png"), folder.path().join("broken.jpg"));
    image::RgbImage::from_pixel(640, 480, image::Rgb([90, 90, 90])).save(&plain).unwrap();
    std::fs::write(&broken, "no picture").unwrap();
    browse(Screen::DESK, async move |client: Client| {
        client.goto(&url).await.unwrap();
        press(&client, "Mine is not here").await;
        let choose = async |path: &std::path::Path| {
            let input = client.find(Locator::Css("#table-file")).await.unwrap();
            input.send_keys(&path.display().to_string()).await.unwrap();
        };
        choose(&broken).await;
        until(&client, "the fault", "document.querySelector('#learn [role=alert]')?.innerText.length > 20")
            .await;
        choose(&plain).await;
        until(&client, "the rings", "document.querySelectorAll('#table-stage .corner').length === 4").await;
        let ring = client.find(Locator::Css("#table-stage [data-corner='1']")).await.unwrap();
        ring.send_keys("\u{e014}\u{e014}\u{e015}").await.unwrap();
        let moved = "document.activeElement.ariaLabel?.includes('at 565, 423')";
        until(&client, "the ring, moved by keys", moved).await;
        fill(&client, "#width", "wide").await;
        press(&client, "Find its lines").await;
        shows(&client, "Write the width as a number").await;
        fill(&client, "#width", "740").await;
        press(&client, "Find its lines").await;
        until(
            &client,
            "the reason",
            "document.querySelector('#learn-progress [role=alert]')?.innerText.length > 20",
        )
        .await;
        screenshot(&client, "learn-refused-desk").await;
        press(&client, "Cancel").await;
        named(&client, "Mine is not here").await;
    });
}

#[test]
fn refusals_of_learning_are_sentences() {
    let server = Server::start();
    let cases = [
        ("/api/setup/table", json!({"board": "nobody"}), 404, "no board is called"),
        ("/api/setup/outline", json!({"id": "x"}), 404, "take it again"),
        ("/api/setup/learn", json!({"id": "x", "kind": "carrom-icf"}), 404, "take it again"),
        ("/api/setup/learned", json!({"id": "x", "act": "undo"}), 404, "take it again"),
        ("/api/setup/keep", json!({"id": "x", "name": "a"}), 404, "take it again"),
    ];
    for (path, body, status, words) in cases {
        let (found, answer) = server.post(path, body);
        assert_eq!(found, status, "{path}: {answer}");
        assert!(answer["error"].as_str().unwrap_or_default().contains(words), "{path}: {answer}");
    }
    let photo = fixture("carrom-overhead/000.jpg");
    let form = ureq::unversioned::multipart::Form::new().file("photo", &photo).unwrap();
    let taken: Value =
        ureq::post(server.url("/api/setup/picture")).send(form).unwrap().body_mut().read_json().unwrap();
    let id = &taken["id"];
    let (status, answer) = server.post("/api/setup/keep", json!({"id": id, "name": "Mine"}));
    assert!(status == 422 && answer["error"].as_str().unwrap().contains("lines first"), "{answer}");
    let narrow = json!({"id": id, "kind": "carrom-icf", "width_mm": 3.0});
    let (status, answer) = server.post("/api/setup/learn", narrow);
    assert!(status == 422 && answer["error"].as_str().unwrap().contains("width"), "{answer}");
    assert!(!server.path("data").exists());
}
