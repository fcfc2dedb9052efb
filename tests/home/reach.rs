//! Reaching the page from elsewhere.

use serde_json::json;

use super::server::{Program, court};

#[test]
fn on_a_network_real_addresses_are_told_and_a_pin_is_needed() {
    let program = Program::fresh("0.0.0.0:0", &[]);
    assert!(
        !program.words.contains("THIS-MACHINE") && !program.words.contains("0.0.0.0"),
        "{}",
        program.words
    );
    assert_eq!(program.post("/api/match", court(), None).0, 401);
    let (status, _, cookie) = program.post("/api/session", json!({ "pin": program.pin() }), None);
    assert_eq!(status, 200);
    assert_eq!(program.post("/api/match", court(), cookie.as_deref()).0, 200);
    let links = program.get("/api/reach")["links"].clone();
    assert!(links[0].as_str().unwrap().starts_with("http://"), "{links}");
    let code =
        ureq::get(program.url("/api/reach/code.svg")).call().unwrap().body_mut().read_to_string().unwrap();
    assert!(code.contains("<svg"));
}

#[test]
fn the_pin_and_log_ins_survive_a_restart_as_hashes() {
    let mut program = Program::fresh("0.0.0.0:0", &[]);
    let pin = program.pin();
    let cookie = program.post("/api/session", json!({ "pin": pin }), None).2;
    program.restart(&[]);
    assert!(!program.words.contains(&pin), "{}", program.words);
    assert_eq!(program.post("/api/policy", json!({"policy": "everything"}), cookie.as_deref()).0, 200);
    assert_eq!(program.post("/api/session", json!({ "pin": pin }), None).0, 200);
    let kept = std::fs::read_to_string(program.folder.path().join("secrets.json")).unwrap();
    assert!(!kept.contains(&pin), "{kept}");
    program.restart(&["--new-pin"]);
    assert_eq!(program.post("/api/policy", json!({"policy": "doubts"}), cookie.as_deref()).0, 401);
    assert_eq!(program.post("/api/session", json!({ "pin": pin }), None).0, 403);
}

#[test]
fn the_page_of_this_machine_opens_itself_to_the_network_and_closes_again() {
    let program = Program::fresh("127.0.0.1:0", &[]);
    let (status, opened, _) = program.post("/api/reach/network", json!({"on": true}), None);
    assert_eq!(status, 200, "{opened}");
    let port = opened["links"][0].as_str().unwrap().rsplit(':').next().unwrap().to_owned();
    let elsewhere = |path: &str| {
        ureq::get(format!("http://127.0.0.1:{port}{path}")).call().map(|answer| answer.status().as_u16())
    };
    assert_eq!(elsewhere("/api/state").unwrap(), 200);
    assert_eq!(opened["pin"].as_str().unwrap().len(), 6);
    // A phone is let in by a link that works once.
    let invitation = program.post("/api/session/invitation", json!({}), None).1;
    assert_eq!(invitation["minutes"], 10, "{invitation}");
    let closed = program.post("/api/reach/network", json!({"on": false}), None).1;
    assert_eq!(closed["links"], json!([]));
    assert!(elsewhere("/api/state").is_err());
}

#[test]
fn https_is_spoken_with_a_certificate_of_its_own() {
    let program = Program::fresh("0.0.0.0:0", &["--tls"]);
    assert!(program.words.contains("https://"), "{}", program.words);
    assert!(program.folder.path().join("tls/certificate.pem").is_file());
    // From this machine plain HTTP is as good.
    assert_eq!(program.get("/api/session")["needs_pin"], true);
    let port = program.address.rsplit(':').next().unwrap();
    let answer = std::process::Command::new("curl")
        .args(["--silent", "--insecure", &format!("https://localhost:{port}/api/session")])
        .output()
        .unwrap();
    assert!(String::from_utf8_lossy(&answer.stdout).contains("needs_pin"), "{answer:?}");
}
