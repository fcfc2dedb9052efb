//! From a fresh data folder to the first recorded tally, without a terminal.

use std::cell::Cell;

use fantoccini::Client;
use serde_json::json;

use super::server::Program;
use crate::browser::{
    Screen,
    acts::{fits, press, score, shows, until},
    browse, screenshot,
};

/// Taps a button, and counts it.
async fn tap(client: &Client, taps: &Cell<u32>, name: &str) {
    press(client, name).await;
    taps.set(taps.get() + 1);
}

/// The most taps that a new user needs.
const MOST_TAPS: u32 = 8;

fn first_tally(screen: Screen, name: &'static str) {
    let program = Program::fresh("127.0.0.1:0", &["--fps", "4"]);
    let url = program.url("/");
    let taps = browse(screen, async move |client: Client| {
        let taps = Cell::new(0);
        client.goto(&url).await.unwrap();
        shows(&client, "Which camera?").await;
        shows(&client, "half round").await;
        screenshot(&client, &format!("start-camera-{name}")).await;
        fits(&client, "the choice of a camera").await;
        tap(&client, &taps, "half round").await;
        shows(&client, "Is this your table?").await;
        shows(&client, "found by itself").await;
        until(&client, "the picture", "document.querySelector('#seen img').naturalWidth === 960").await;
        screenshot(&client, &format!("start-table-{name}")).await;
        fits(&client, "the table that was found").await;
        tap(&client, &taps, "Yes, go on").await;
        shows(&client, "Who plays?").await;
        screenshot(&client, &format!("start-players-{name}")).await;
        fits(&client, "the players").await;
        tap(&client, &taps, "Start the match").await;
        score(&client, "Red", 0).await;
        screenshot(&client, &format!("start-begun-{name}")).await;
        until(
            &client,
            "a tally or a question",
            "[...document.querySelectorAll('[data-score]')].some((n) => n.textContent !== '0') \
             || document.body.innerText.includes('The referee is asked')",
        )
        .await;
        let asked = client
            .execute("return document.body.innerText.includes('The referee is asked');", Vec::new())
            .await
            .unwrap();
        if asked == json!(true) {
            tap(&client, &taps, "Referee").await;
            tap(&client, &taps, "Confirm").await;
        }
        score(&client, "Red", 17).await;
        score(&client, "Blue", 13).await;
        screenshot(&client, &format!("start-tally-{name}")).await;
        taps.get()
    });
    assert!(taps <= MOST_TAPS, "{taps} taps");
    assert_eq!(program.get("/api/state")["standing"]["scores"], json!({"Red": 17, "Blue": 13}));
    // The evening is a ledger that is named by its date.
    let evenings = program.get("/api/evenings");
    let name = evenings["evenings"][0]["name"].as_str().unwrap();
    assert!(name.len() == 10 && name.starts_with("20"), "{evenings}");
    assert_eq!(evenings["evenings"][0]["matches"][0]["scores"], json!([17, 13]), "{evenings}");
}

#[test]
fn a_new_user_gets_from_the_first_page_to_a_tally_in_eight_taps() {
    first_tally(Screen::DESK, "desk");
}

#[test]
fn and_on_a_phone() {
    first_tally(Screen::PHONE, "phone");
}

/// What was chosen is there after a restart: the camera, its table, the match.
#[test]
fn a_restart_goes_on_where_it_stood() {
    let mut program = Program::fresh("127.0.0.1:0", &["--fps", "4"]);
    let source = program.get("/api/home")["recordings"][0]["source"].clone();
    assert_eq!(program.post("/api/home/source", json!({ "source": source }), None).0, 200);
    let picture = loop {
        let (status, answer, _) = program.post("/api/setup/grab", json!({}), None);
        if status == 200 {
            break answer["id"].clone();
        }
        std::thread::sleep(std::time::Duration::from_millis(50));
    };
    let (status, found, _) = program.post("/api/setup/find", json!({ "id": picture }), None);
    assert_eq!((status, &found["board"]), (200, &json!("carrom-court")), "{found}");
    assert_eq!(program.post("/api/setup/save", json!({ "id": picture }), None).0, 200);
    assert_eq!(program.post("/api/match", super::server::court(), None).0, 200);
    program.restart(&["--fps", "4"]);
    let home = program.get("/api/home");
    assert_eq!(home["watcher"]["board"], "carrom-court", "{home}");
    assert_eq!(program.get("/api/state")["match"]["game"], "court");
    // Another game over a running camera of another board is refused.
    let mut other = super::server::court();
    other["event"] = json!({"type": "match", "game": "kagw", "options": {}, "sides": [
        {"name": "Ann", "colour": "white"}, {"name": "Bo", "colour": "black"}]});
    let (status, refused, _) = program.post("/api/match", other, None);
    assert_eq!(status, 422, "{refused}");
    assert!(
        refused["error"].as_str().unwrap().contains("the camera watches the board carrom-court"),
        "{refused}"
    );
}
