//! The new pages: accessible, in another language, on a television.

use std::path::Path;

use fantoccini::Client;
use serde_json::{Value, json};

use super::server::{Program, court};
use crate::browser::{
    Screen,
    acts::{fits, press, score, shows, until},
    browse, screenshot,
};

const TV: Screen = Screen { width: 1920, height: 1080, is_phone: false, is_dark: true };

fn axe() -> String {
    let tools = Path::new(env!("CARGO_TARGET_TMPDIR")).join("../tools");
    let folders = std::fs::read_dir(tools).expect("axe-core is missing: .ci/setup test gets it").flatten();
    let script = folders.map(|folder| folder.path().join("axe.min.js")).find(|script| script.is_file());
    std::fs::read_to_string(script.expect("axe-core is missing: .ci/setup test gets it")).unwrap()
}

/// Serious findings of axe-core on the page that is shown.
async fn findings(client: &Client, axe: &str) -> Vec<Value> {
    client.execute(axe, Vec::new()).await.unwrap();
    let script = "const done = arguments[0];
        axe.run(document, {resultTypes: ['violations']}).then((found) => done(found.violations
          .filter((v) => v.impact === 'serious' || v.impact === 'critical')
          .map((v) => ({id: v.id, nodes: v.nodes.slice(0, 3).map((n) => n.html + ' ' + n.failureSummary)}))),
          (failed) => done([{id: String(failed)}]));";
    client.execute_async(script, Vec::new()).await.unwrap().as_array().unwrap().clone()
}

fn half_round(program: &Program, pieces: Value) {
    let event = json!({"by": "Dee", "event": {"type": "frame", "pieces": pieces}});
    let (status, answer, _) = program.post("/api/events", event, None);
    assert_eq!(status, 200, "{answer}");
}

#[test]
fn the_new_pages_have_no_serious_finding() {
    let program = Program::fresh("127.0.0.1:0", &[]);
    program.post("/api/match", court(), None);
    half_round(&program, json!([{"colour": "red", "area": "10"}]));
    program.post("/api/reach/network", json!({"on": true}), None);
    let urls = ["/start", "/evenings", "/phone", "/nowhere"].map(|path| (path, program.url(path)));
    for screen in [Screen::PHONE, Screen::DESK.dark()] {
        let urls = urls.clone();
        browse(screen, async move |client: Client| {
            let axe = axe();
            for (path, url) in urls {
                client.goto(&url).await.unwrap();
                let ready = match path {
                    "/start" => "document.querySelector('.reach img') && document.querySelector('.tile')",
                    "/evenings" => {
                        "document.querySelector('.match-row') && document.querySelector('.piece-open')"
                    }
                    _ => "document.querySelector('h1')",
                };
                until(&client, path, ready).await;
                let name = path.trim_start_matches('/');
                screenshot(&client, &format!("home-{name}-{}", screen.width)).await;
                fits(&client, path).await;
                assert_eq!(findings(&client, &axe).await, Vec::<Value>::new(), "{path}");
            }
        });
    }
}

#[test]
fn the_pages_speak_german() {
    let program = Program::fresh("127.0.0.1:0", &[]);
    program.post("/api/match", court(), None);
    half_round(&program, json!([{"colour": "red", "area": "8-left"}]));
    let (referee, board) = (program.url("/referee"), program.url("/"));
    browse(Screen::PHONE, async move |client: Client| {
        client.goto(&referee).await.unwrap();
        score(&client, "Ann", 8).await;
        press(&client, "Deutsch").await;
        shows(&client, "Schiedsrichter").await;
        shows(&client, "Halbe Runde 1").await;
        shows(&client, "Als Nächstes: halbe Runde").await;
        screenshot(&client, "referee-german-phone").await;
        client.goto(&board).await.unwrap();
        shows(&client, "ist dran").await;
        until(&client, "the language", "document.documentElement.lang === 'de'").await;
        press(&client, "English").await;
        shows(&client, "to play").await;
    });
}

#[test]
fn a_game_and_a_match_are_moments_of_their_own_on_the_television() {
    let program = Program::fresh("127.0.0.1:0", &[]);
    let mut begin = court();
    begin["event"]["options"] = json!({"target": 50, "best_of": 3});
    program.post("/api/match", begin, None);
    let tens = json!([{"colour": "red", "area": "10"}, {"colour": "red", "area": "10"}, {"colour": "red", "area": "10"}]);
    half_round(&program, tens.clone());
    half_round(&program, tens.clone());
    let (url, overlay) = (program.url("/"), program.url("/overlay"));
    browse(TV, async move |client: Client| {
        client.goto(&url).await.unwrap();
        shows(&client, "Ann wins game 1").await;
        screenshot(&client, "game-won-tv").await;
        half_round(&program, tens.clone());
        half_round(&program, tens);
        shows(&client, "Ann wins the match").await;
        until(&client, "nobody's turn", "!document.body.innerText.includes('to play')").await;
        screenshot(&client, "match-won-tv").await;
        client.goto(&overlay).await.unwrap();
        shows(&client, "Ann wins the match").await;
        screenshot(&client, "overlay-won-tv").await;
    });
}

/// Found by trying: with all eight counted the sheet of names was empty; two taps on one area changed the first puck.
#[test]
fn two_taps_on_an_area_add_two_pucks_and_eight_are_enough() {
    let program = Program::fresh("127.0.0.1:0", &[]);
    program.post("/api/match", court(), None);
    let url = program.url("/referee");
    browse(Screen::PHONE, async move |client: Client| {
        client.goto(&url).await.unwrap();
        press(&client, "Enter a half round").await;
        let tap = "(() => {
            const area = document.querySelector('[data-area=\"10\"]').getBoundingClientRect();
            const at = document.elementFromPoint(area.x + area.width / 2, area.y + area.height / 2);
            at.dispatchEvent(new MouseEvent('click', {bubbles: true}));
            return true;
        })()";
        until(&client, "the area", "document.querySelector('[data-area=\"10\"]')").await;
        for count in 1..=4 {
            until(&client, "a tap", tap).await;
            until(
                &client,
                "another puck",
                &format!("document.querySelectorAll('.board [data-piece]').length === {count}"),
            )
            .await;
        }
        press(&client, "blue").await;
        for count in 5..=8 {
            until(&client, "a tap", tap).await;
            until(
                &client,
                "another puck",
                &format!("document.querySelectorAll('.board [data-piece]').length === {count}"),
            )
            .await;
        }
        shows(&client, "All pieces are counted").await;
    });
}

#[test]
fn evenings_have_score_sheets_exports_and_players() {
    let program = Program::fresh("127.0.0.1:0", &[]);
    program.post("/api/match", court(), None);
    half_round(&program, json!([{"colour": "red", "area": "10"}, {"colour": "blue", "area": "7-left"}]));
    let evening = program.get("/api/evenings")["evenings"][0]["name"].as_str().unwrap().to_owned();
    let text = |file: &str| {
        let url = program.url(&format!("/api/evenings/{evening}/1/{file}"));
        ureq::get(url).call().unwrap().body_mut().read_to_string().unwrap()
    };
    assert!(text("sheet.html").contains("Ann"));
    assert!(text("match.csv").lines().count() >= 2);
    assert!(text("match.jsonl").starts_with("{\"type\":\"match\""));
    let players = program.get("/api/players")["players"].clone();
    let ann = players.as_array().unwrap().iter().find(|player| player["name"] == "Ann").unwrap();
    assert_eq!((&ann["half_rounds"], &ann["points"]), (&json!(1), &json!(10)), "{ann}");
    assert_eq!(program.post("/api/players/rename", json!({"name": "Ann", "to": "Anna"}), None).0, 200);
    assert_eq!(program.get("/api/evenings")["evenings"][0]["matches"][0]["sides"], json!(["Anna", "Bo"]));
}
