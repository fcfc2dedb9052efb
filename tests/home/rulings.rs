//! A ruling is the call, everywhere.

use std::path::Path;

use fantoccini::Client;
use serde_json::{Value, json};

use super::server::{Program, court};
use crate::browser::{
    Screen,
    acts::{press, shows, until},
    browse, screenshot,
};

/// A photo goes up and is put to the referee.
fn asked(program: &Program) -> Value {
    assert_eq!(program.post("/api/match", court(), None).0, 200);
    program.post("/api/policy", json!({"policy": "everything"}), None);
    let photo = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/photos/court-overhead/003.jpg");
    let form = ureq::unversioned::multipart::Form::new()
        .text("board", "carrom-court")
        .text("end", "far")
        .file("photo", &photo)
        .unwrap();
    let mut scored = ureq::post(program.url("/api/photo")).send(form).unwrap();
    let scored: Value = scored.body_mut().read_json().unwrap();
    let id = scored["id"].as_str().unwrap();
    let (status, asked, _) = program.post(&format!("/api/photo/{id}/record"), json!({"by": "Dee"}), None);
    assert_eq!(status, 200, "{asked}");
    program.get("/api/state")["pending"][0].clone()
}

/// The red puck in the 10 is on the line, the referee says.
fn on_the_line(pending: &Value) -> Value {
    let shown = pending["pieces"].as_array().unwrap();
    let ten = shown.iter().position(|piece| piece["colour"] == "red" && piece["points"] == 10);
    let mut event = pending["event"].clone();
    event["pieces"][ten.expect("the 10")] = json!({"colour": "red", "area": "10", "touching": true});
    event
}

fn red_ten(program: &Program) -> Value {
    let calls = program.get("/api/calls")["calls"].clone();
    let calls = calls.as_array().unwrap();
    calls.iter().find(|call| call["colour"] == "red" && call["area"] == "10").cloned().expect("the 10")
}

fn page(program: &Program, call: &Value) -> String {
    let url = program.url(&format!("/calls/{}", call["id"].as_str().unwrap()));
    ureq::get(url).call().unwrap().body_mut().read_to_string().unwrap()
}

#[test]
fn a_ruling_inside_a_proposal_is_the_call_on_every_page() {
    let program = Program::fresh("127.0.0.1:0", &[]);
    let pending = asked(&program);
    let (id, event) = (pending["id"].clone(), on_the_line(&pending));
    let answer = json!({"by": "Dee", "event": event});
    let (status, confirmed, _) = program.post(&format!("/api/proposals/{id}/confirm"), answer, None);
    assert_eq!(status, 200, "{confirmed}");
    assert_eq!(program.get("/api/state")["standing"]["scores"], json!({"Ann": 7, "Bo": -10}));

    let call = red_ten(&program);
    assert_eq!(call["ruled"]["by"], "Dee", "{call}");
    assert_eq!((&call["contact"]["call"], &call["points"]), (&json!("touching"), &json!(0)), "{call}");
    assert_eq!(call["ruled"]["measured"], "clear", "{call}");
    // Its neighbours are as they were seen.
    let calls = program.get("/api/calls")["calls"].clone();
    let marked = calls.as_array().unwrap().iter().filter(|call| call["overruled"] == true).count();
    assert_eq!(marked, 1, "{calls}");
    assert_eq!(program.get("/api/state")["close_calls"], json!([]));
    // It lies where it was seen.
    let table = program.get("/api/state")["table"]["pieces"].clone();
    let lies = table.as_array().unwrap().iter().find(|piece| piece["x_mm"] == call["x_mm"]);
    assert_eq!(lies.expect("the piece in its place")["points"], 0, "{table}");
    let text = page(&program, &call);
    assert!(text.contains("<h1>Touching, by Dee</h1>") && text.contains("measured clear "), "{text}");
    assert!(text.contains("as ruled"), "the score either way is as ruled");
}

#[test]
fn an_overrule_turns_the_headline_and_a_second_one_turns_it_back() {
    let program = Program::fresh("127.0.0.1:0", &[]);
    let pending = asked(&program);
    program.post(&format!("/api/proposals/{}/confirm", pending["id"]), json!({"by": "Dee"}), None);
    let call = red_ten(&program);
    assert_eq!(call["overruled"], false, "{call}");
    let rule = |by: &str, ruling: &str| {
        let path = format!("/api/calls/{}/verdict", call["id"].as_str().unwrap());
        program.post(&path, json!({"by": by, "ruling": ruling}), None)
    };
    assert_eq!(rule("Cy", "overruled").0, 200);
    let ruled = red_ten(&program);
    assert_eq!(ruled["contact"]["call"], "touching", "{ruled}");
    assert!(page(&program, &ruled).contains("<h1>Touching, by Cy</h1>"));
    assert_eq!(program.get("/api/state")["standing"]["scores"], json!({"Ann": 7, "Bo": -10}));
}

#[test]
fn a_call_that_is_upheld_says_who_upheld_it() {
    let program = Program::fresh("127.0.0.1:0", &[]);
    let pending = asked(&program);
    program.post(&format!("/api/proposals/{}/confirm", pending["id"]), json!({"by": "Dee"}), None);
    let call = red_ten(&program);
    let path = format!("/api/calls/{}/verdict", call["id"].as_str().unwrap());
    assert_eq!(program.post(&path, json!({"by": "Cy", "ruling": "upheld"}), None).0, 200);
    assert!(page(&program, &red_ten(&program)).contains("<h1>Clear, by Cy</h1>"));
}

#[test]
fn a_side_has_so_many_reviews_a_game_and_keeps_those_that_are_right() {
    let program = Program::fresh("127.0.0.1:0", &[]);
    let pending = asked(&program);
    program.post(&format!("/api/proposals/{}/confirm", pending["id"]), json!({"by": "Dee"}), None);
    assert_eq!(program.get("/api/challenges")["sides"][0]["left"], Value::Null);
    assert_eq!(program.post("/api/challenges/limit", json!({"limit": 1}), None).0, 200);
    let call = red_ten(&program)["id"].clone();
    let ask = || program.post("/api/challenges", json!({"side": "Bo", "call": call, "by": "Dee"}), None);
    let left = || program.get("/api/challenges")["sides"][1]["left"].clone();
    assert_eq!(ask().0, 200);
    assert_eq!(ask().0, 422, "one is open already");
    let path = format!("/api/calls/{}/verdict", call.as_str().unwrap());
    program.post(&path, json!({"by": "Cy", "ruling": "overruled"}), None);
    assert_eq!(left(), 1, "it was right");
    program.post(&path, json!({"by": "Cy", "ruling": "upheld"}), None);
    assert_eq!(left(), 0);
}

/// The referee's question has the picture, the gap and its bar; the TV shows the same.
#[test]
fn what_the_referee_is_asked_he_sees_and_so_does_the_room() {
    let program = Program::fresh("127.0.0.1:0", &[]);
    assert_eq!(program.post("/api/match", court(), None).0, 200);
    let photo = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/photos/hard-light/001.jpg");
    let form = ureq::unversioned::multipart::Form::new().text("board", "").file("photo", &photo).unwrap();
    let mut scored = ureq::post(program.url("/api/photo")).send(form).unwrap();
    let scored: Value = scored.body_mut().read_json().unwrap();
    program.post(
        &format!("/api/photo/{}/record", scored["id"].as_str().unwrap()),
        json!({"by": "Dee"}),
        None,
    );
    let state = program.get("/api/state");
    let doubts = state["pending"][0]["doubts"].as_array().expect("a question").len();
    assert!(doubts > 0, "{state}");
    let (tv, referee) = (program.url("/"), program.url("/referee"));
    let screen = Screen { width: 1920, height: 1080, is_phone: false, is_dark: true };
    browse(screen, async move |client: Client| {
        client.goto(&tv).await.unwrap();
        until(&client, "the place on the TV", "document.querySelector('.strip .close-up .place image')")
            .await;
        screenshot(&client, "asked-tv").await;
    });
    browse(Screen::PHONE, async move |client: Client| {
        client.goto(&referee).await.unwrap();
        let figures = format!("document.querySelectorAll('.asked .gap-bar').length >= {}", doubts.min(1));
        until(&client, "the gap and its bar", &figures).await;
        screenshot(&client, "asked-phone").await;
        press(&client, "On the line: 0").await;
        press(&client, "Confirm").await;
        shows(&client, "Half round 1").await;
    });
    let calls = program.get("/api/calls")["calls"].clone();
    let ruled = calls.as_array().unwrap().iter().find(|call| call["ruled"]["changed"] == true);
    let ruled = ruled.expect("a ruling");
    assert_eq!(
        (&ruled["ruled"]["by"], &ruled["contact"]["call"]),
        (&json!("Referee"), &json!("touching")),
        "{ruled}"
    );
}
