//! The interface for programs: states, streams, changes, refusals, safety.

use std::{
    collections::BTreeSet,
    io::{BufRead, BufReader, Read, Write},
    net::TcpStream,
};

use serde_json::{Value, json};

use super::server::Server;
use crate::score::fixture;

/// A stream of server-sent events, read one by one.
struct Stream(BufReader<TcpStream>);

impl Stream {
    fn open(server: &Server, path: &str) -> Stream {
        let mut socket = TcpStream::connect(&server.address).unwrap();
        write!(socket, "GET {path} HTTP/1.1\r\nHost: {}\r\n\r\n", server.address).unwrap();
        Stream(BufReader::new(socket))
    }

    /// The next event's id and data.
    fn next(&mut self) -> (String, Value) {
        let (mut id, mut line) = (String::new(), String::new());
        loop {
            line.clear();
            assert_ne!(self.0.read_line(&mut line).unwrap(), 0, "the stream ended");
            if let Some(found) = line.strip_prefix("id: ") {
                id = found.trim().to_owned();
            }
            if let Some(data) = line.strip_prefix("data: ") {
                return (id, serde_json::from_str(data).unwrap());
            }
        }
    }
}

#[test]
fn a_match_is_played_and_watched() {
    let server = Server::start();
    assert_eq!(server.state()["match"], Value::Null);
    let mut stream = Stream::open(&server, "/api/stream");
    assert_eq!(stream.next().1["match"], Value::Null);

    server.begin_court();
    let (_, state) = stream.next();
    assert_eq!(state["match"]["game_name"], "Carrom court shuffleboard");
    assert_eq!(state["match"]["target"], 50);
    server.half_round(2);
    let (_, state) = stream.next();
    assert_eq!(state["standing"]["scores"], json!({"Ann": 20, "Bo": 7}));
    assert_eq!(state["table"]["source"], "told");
    assert_eq!(state["table"]["pieces"][0]["points"], 10);
    assert_eq!(state["latest"]["correction"], false);

    // Nothing of the kind is recorded by a preview.
    let (_, preview) = server.post(
        "/api/preview",
        json!({"event": {"type": "frame", "pieces": [{"colour": "blue", "area": "8-left"}]}, "replaces": 1}),
    );
    assert_eq!(preview["points"], json!({"Ann": 0, "Bo": 8}));
    assert_eq!(preview["standing"]["scores"], json!({"Ann": 0, "Bo": 8}));
    let refused = json!({"event": {"type": "frame", "pieces": [{"colour": "pink", "area": "8-left"}]}});
    assert!(server.post("/api/preview", refused).1["refused"].as_str().unwrap().contains("pink"));
    assert_eq!(server.state()["standing"]["scores"], json!({"Ann": 20, "Bo": 7}));

    server.record("/api/events/1/undo", json!({"why": "counted twice"}));
    let (_, state) = stream.next();
    assert_eq!(state["standing"]["scores"], json!({"Ann": 0, "Bo": 0}));
    assert_eq!(state["latest"], json!({"event": 2, "type": "undo", "correction": true}));
    server.record("/api/events/2/undo", json!({}));
    assert_eq!(server.state()["standing"]["scores"], json!({"Ann": 20, "Bo": 7}));

    let log = server.get("/api/log");
    assert_eq!(log["events"][1]["stands"], true);
    assert_eq!(log["events"][2]["stands"], false);
    assert_eq!(log["events"][2]["undone_by"], "Dee");
    assert_eq!(log["events"][1]["scores"], json!({"Ann": 20, "Bo": 7}));
}

#[test]
fn two_referees_do_not_lose_each_others_changes() {
    let server = Server::start();
    server.begin_court();
    let seen = server.state()["revision"].clone();
    let frame = |area: &str| json!({"type": "frame", "pieces": [{"colour": "red", "area": area}]});
    let by = |name: &str, area: &str| json!({"event": frame(area), "by": name, "based_on": seen});
    let (status, _) = server.post("/api/events", by("Dee", "10"));
    assert_eq!(status, 200);
    let (status, answer) = server.post("/api/events", by("Ed", "8-left"));
    assert_eq!(status, 409);
    assert!(answer["since"][0]["author"].as_str().unwrap().contains("Dee"), "{answer}");
    assert_eq!(server.state()["standing"]["scores"]["Ann"], 10);
}

#[test]
fn entries_stream_from_where_a_program_left_off() {
    let server = Server::start();
    server.begin_court();
    server.half_round(1);
    let mut all = Stream::open(&server, "/api/events");
    let entries: Vec<(String, Value)> = (0..3).map(|_| all.next()).collect();
    let kinds: Vec<&Value> = entries.iter().map(|(_, entry)| &entry["kind"]).collect();
    assert_eq!(kinds, ["setting", "event", "event"]);
    assert_eq!(entries[2].1["event"]["type"], "frame");
    assert_eq!(entries[2].1["shown"]["scores"]["Ann"], 10);
    server.half_round(2);
    assert_eq!(all.next().1["shown"]["scores"]["Ann"], 30);
    let mut later = Stream::open(&server, &format!("/api/events?since={}", entries[2].0));
    assert_eq!(later.next().1["shown"]["scores"]["Ann"], 30);
}

#[test]
fn refusals_are_sentences() {
    let server = Server::start();
    let cases = [
        ("/api/events", json!({"event": {"type": "forgotten"}, "by": "Dee"}), 409, "no match has begun"),
        (
            "/api/match",
            json!({"event": {"type": "match", "game": "chess", "sides": []}, "by": "Dee"}),
            422,
            "chess",
        ),
        ("/api/events/7/undo", json!({"by": "Dee"}), 409, "no match has begun"),
        ("/api/proposals/3/confirm", json!({"by": "Dee"}), 409, "no open proposal"),
        ("/api/calls/x/verdict", json!({"by": "Dee", "ruling": "upheld"}), 404, "12.3"),
        ("/api/setup/fit", json!({"id": "x", "board": "carrom-court"}), 404, "take it again"),
        ("/api/photo/x/record", json!({"by": "Dee"}), 404, "upload it again"),
    ];
    for (path, body, status, words) in cases {
        let (found, answer) = server.post(path, body);
        assert_eq!(found, status, "{path}: {answer}");
        let sentence = answer["error"].as_str().unwrap_or_default();
        assert!(sentence.contains(words), "{path}: {sentence}");
    }
    server.begin_court();
    let nobody = json!({"event": {"type": "frame", "pieces": []}, "by": " \u{7} "});
    assert_eq!(server.post("/api/events", nobody).0, 422);
}

#[test]
fn a_board_is_asked_for_by_its_id_and_never_by_a_path() {
    let server = Server::start();
    assert_eq!(server.get("/api/boards/carrom-icf")["pockets"].as_array().unwrap().len(), 4);
    std::fs::copy("calibration/boards/carrom-court.toml", server.path("mine.toml")).unwrap();
    let path = server.path("mine.toml").display().to_string().replace('/', "%2F");
    for id in [path.as_str(), "..%2F..%2Fcalibration%2Fboards%2Fcarrom-court.toml", "nothing"] {
        let answer = ureq::get(server.url(&format!("/api/boards/{id}"))).call();
        assert!(matches!(answer, Err(ureq::Error::StatusCode(404))), "{id}");
    }
}

#[test]
fn pages_carry_strict_headers() {
    let server = Server::start();
    for path in ["/", "/referee", "/api/state", "/assets/score.js", "/nothing"] {
        let request = ureq::get(server.url(path)).config().http_status_as_error(false).build();
        let answer = request.call().unwrap();
        let header =
            |name: &str| answer.headers().get(name).and_then(|v| v.to_str().ok()).unwrap_or_default();
        let policy = header("content-security-policy");
        assert!(policy.contains("default-src 'none'") && !policy.contains("unsafe"), "{path}: {policy}");
        assert_eq!(header("x-content-type-options"), "nosniff", "{path}");
        assert_eq!(header("x-frame-options"), "DENY", "{path}");
        assert!(answer.headers().get("access-control-allow-origin").is_none(), "{path}");
    }
}

#[test]
fn foreign_pages_change_nothing() {
    let server = Server::start();
    let begin = json!({"by": "Eve", "event": {"type": "match", "game": "court", "sides": [{"name": "A"}, {"name": "B"}]}});
    for headers in
        [[("origin", "http://evil.example")], [("sec-fetch-site", "cross-site")], [("host", "evil.example")]]
    {
        let (status, answer) = server.post_with("/api/match", begin.clone(), &headers);
        assert_eq!(status, 403, "{headers:?}: {answer}");
    }
    assert_eq!(server.state()["match"], Value::Null);
}

#[test]
fn on_a_network_changes_need_the_pin() {
    let server = Server::start_with("0.0.0.0:0", &[]);
    let pin = server.words.split_once("PIN").unwrap().1.split_whitespace().next().unwrap().to_owned();
    let begin = json!({"by": "Dee", "event": {"type": "match", "game": "court", "sides": [{"name": "A"}, {"name": "B"}]}});
    assert_eq!(server.state()["match"], Value::Null, "watching is open");
    assert_eq!(server.post("/api/match", begin.clone()).0, 401);
    assert_eq!(server.post_with("/api/match", begin.clone(), &[("cookie", "linecall-referee=guess")]).0, 401);
    let wrong = if pin == "000000" { "000001" } else { "000000" };
    assert_eq!(server.post("/api/session", json!({"pin": wrong})).0, 403);
    let answer = ureq::post(server.url("/api/session")).send_json(json!({"pin": pin})).unwrap();
    let cookie = answer.headers().get("set-cookie").unwrap().to_str().unwrap().to_owned();
    assert!(cookie.contains("HttpOnly") && cookie.contains("SameSite=Strict"), "{cookie}");
    let cookie = cookie.split(';').next().unwrap();
    assert_eq!(server.post_with("/api/match", begin, &[("cookie", cookie)]).0, 200);
    for _ in 0..4 {
        server.post("/api/session", json!({"pin": wrong}));
    }
    let (status, answer) = server.post("/api/session", json!({"pin": pin}));
    assert_eq!(status, 429, "{answer}");
}

#[test]
fn watching_by_link_needs_the_whole_link() {
    let server = Server::start_with("0.0.0.0:0", &["--watch-by-link"]);
    let link = server.words.split_once("http://").unwrap().1.split_whitespace().next().unwrap().to_owned();
    let path = link.split_once('/').unwrap().1.to_owned();
    let get = |path: &str, cookie: &str| {
        let request = ureq::get(server.url(path)).config().http_status_as_error(false).max_redirects(0);
        request.build().header("cookie", cookie).call().unwrap()
    };
    assert_eq!(get("/api/state", "").status(), 403);
    let first = get(&format!("/{path}"), "");
    assert_eq!(first.status(), 303);
    let cookie =
        first.headers().get("set-cookie").unwrap().to_str().unwrap().split(';').next().unwrap().to_owned();
    assert_eq!(get("/api/state", &cookie).status(), 200);
}

#[test]
fn uploads_are_limited_and_no_photo_is_a_sentence() {
    let server = Server::start();
    let send = |bytes: &[u8]| {
        let mut body = b"--b\r\nContent-Disposition: form-data; name=\"board\"\r\n\r\ncarrom-court\r\n--b\r\nContent-Disposition: form-data; name=\"photo\"; filename=\"../x.jpg\"\r\n\r\n".to_vec();
        body.extend_from_slice(bytes);
        body.extend_from_slice(b"\r\n--b--\r\n");
        let mut socket = TcpStream::connect(&server.address).unwrap();
        let head = format!(
            "POST /api/photo HTTP/1.1\r\nHost: {}\r\nContent-Type: multipart/form-data; boundary=b\r\nConnection: close\r\nContent-Length: {}\r\n\r\n",
            server.address,
            body.len()
        );
        // A server that refuses early closes while we still write.
        let _ = socket.write_all(head.as_bytes()).and_then(|()| socket.write_all(&body));
        let mut answer = String::new();
        let _ = socket.read_to_string(&mut answer);
        answer
    };
    assert!(send(b"no picture").contains("x.jpg is not a picture"));
    // A header that claims 30 000 x 30 000 pixels is refused before anything is decoded.
    let mut huge = b"BM".to_vec();
    huge.extend([0; 12]);
    huge.extend([40, 0, 0, 0]);
    huge.extend(30_000i32.to_le_bytes());
    huge.extend(30_000i32.to_le_bytes());
    huge.extend([1, 0, 24, 0]);
    huge.extend([0; 24]);
    let answer = send(&huge);
    assert!(answer.contains("megapixels"), "{answer}");
    let answer = send(&vec![0; 41 << 20]);
    assert!(answer.is_empty() || answer.starts_with("HTTP/1.1 4"), "{}", &answer[..answer.len().min(200)]);
    assert_eq!(server.state()["match"], Value::Null, "the server lives");
}

/// A photo goes up, is recorded, and its frame is put to the referee where a call is too close.
#[test]
fn a_photo_is_scored_and_recorded() {
    let server = Server::start();
    server.begin_court();
    let photo = upload(&server, "court-overhead/003.jpg");
    assert_eq!(photo["report"]["tally"], json!({"red": 17, "blue": -10}));
    let id = photo["id"].as_str().unwrap();
    server.record(&format!("/api/photo/{id}/record"), json!({}));
    assert_eq!(server.state()["standing"]["scores"], json!({"Ann": 17, "Bo": -10}));
    assert_eq!(server.state()["table"]["source"], "view");
    let annotated = ureq::get(server.url(photo["annotated"].as_str().unwrap())).call().unwrap();
    assert_eq!(annotated.headers().get("content-type").unwrap(), "image/jpeg");
    let calls = server.get("/api/calls");
    assert_eq!(calls["calls"].as_array().unwrap().len(), 6);
    let page = format!("/calls/{}", calls["calls"][0]["id"].as_str().unwrap());
    let page = ureq::get(server.url(&page)).call().unwrap().body_mut().read_to_string().unwrap();
    assert!(
        page.contains("data-verdict-form") && !page.contains("<style>"),
        "{}",
        &page[..page.len().min(400)]
    );
}

pub fn upload(server: &Server, photo: &str) -> Value {
    let path = fixture(photo);
    let form =
        ureq::unversioned::multipart::Form::new().text("board", "carrom-court").file("photo", &path).unwrap();
    ureq::post(server.url("/api/photo")).send(form).unwrap().body_mut().read_json().unwrap()
}

/// Every route is described, and what is described is there.
#[test]
fn the_interface_is_as_described() {
    let server = Server::start();
    let described = server.get("/api/openapi.json");
    assert_eq!(described["openapi"], "3.1.0");
    let source = include_str!("../../src/web/mod.rs");
    let routes: BTreeSet<&str> =
        source.split(".route(\"").skip(1).map(|rest| rest.split('"').next().unwrap()).collect();
    let paths: BTreeSet<&str> = described["paths"].as_object().unwrap().keys().map(String::as_str).collect();
    assert_eq!(routes, paths);
    for (path, methods) in described["paths"].as_object().unwrap() {
        for method in methods.as_object().unwrap().keys() {
            if path == "/api/stream" || (path == "/api/events" && method == "get") {
                continue;
            }
            let url = server.url(&path.replace(['{', '}'], ""));
            let request = match method.as_str() {
                "get" => ureq::get(url).config().http_status_as_error(false).build().call(),
                _ => ureq::post(url).config().http_status_as_error(false).build().send_json(json!({})),
            };
            let status = request.unwrap().status().as_u16();
            assert_ne!(status, 405, "{method} {path}");
            assert!(status < 500, "{method} {path}: {status}");
        }
    }
}
