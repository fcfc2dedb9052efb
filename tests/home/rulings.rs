//! A ruling is the call, everywhere.

use std::path::Path;

use serde_json::{Value, json};

use super::server::{Program, court};

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
