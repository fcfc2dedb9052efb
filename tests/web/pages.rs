//! The pages in a real browser, as people use them.

use fantoccini::{
    Client, Locator,
    actions::{InputSource, MOUSE_BUTTON_LEFT, MouseActions, PointerAction},
};
use serde_json::{Value, json};

use super::{api::upload, server::Server};
use crate::browser::{Screen, browse, screenshot};
use crate::{replay, score::fixture};

pub const TV: Screen = Screen { width: 1920, height: 1080, is_phone: false, is_dark: true };
pub const TABLET: Screen = Screen { width: 1024, height: 768, is_phone: false, is_dark: false };

pub use crate::browser::acts::{PATIENCE, fill, fits, named, press, score, shows, until};

/// Starts a match, enters half rounds, corrects one, finishes a game and undoes across its end: all
/// with one thumb on a phone.
#[test]
fn a_referee_plays_a_match_on_a_phone() {
    let server = Server::start();
    let url = server.url("/referee");
    browse(Screen::PHONE, async move |client: Client| {
        client.goto(&url).await.unwrap();
        press(&client, "Start a match").await;
        fill(&client, "#side-0", "Ann").await;
        fill(&client, "#side-1", "Bo <b>&").await;
        press(&client, "50").await;
        screenshot(&client, "referee-new-match-phone").await;
        fits(&client, "the form of a new match").await;
        press(&client, "Start the match").await;
        score(&client, "Ann", 0).await;
        // Names are text, whatever they look like.
        score(&client, "Bo <b>&", 0).await;

        press(&client, "Enter a half round").await;
        for name in ["Add red in 10 (10)", "Add red in 8 left (8)", "Add blue in 7 left (7)"] {
            press(&client, "Add a piece by name").await;
            press(&client, name).await;
        }
        shows(&client, "Ann +18, Bo <b>& +7").await;
        screenshot(&client, "referee-entry-phone").await;
        fits(&client, "an entry").await;
        press(&client, "Record").await;
        score(&client, "Ann", 18).await;

        // A call is corrected: red 2 touches a line.
        press(&client, "Half round 1").await;
        press(&client, "Correct it").await;
        press(&client, "Change red 2").await;
        press(&client, "Touching the line of 8 left").await;
        shows(&client, "Ann +10, Bo <b>& +7").await;
        press(&client, "Record the correction").await;
        score(&client, "Ann", 10).await;
        shows(&client, "corrected by Referee").await;

        // 40 more: the game is Ann's, and the next begins with the next half round.
        press(&client, "Enter a half round").await;
        for _ in 0..4 {
            press(&client, "Add a piece by name").await;
            press(&client, "Add red in 10 (10)").await;
        }
        shows(&client, "Ann +40").await;
        press(&client, "Record").await;
        shows(&client, "Ann wins game 1").await;
        press(&client, "Enter a half round").await;
        press(&client, "Add a piece by name").await;
        press(&client, "Add blue in 8 right (8)").await;
        shows(&client, "Bo <b>& +8").await;
        press(&client, "Record").await;
        score(&client, "Bo <b>&", 8).await;
        score(&client, "Ann", 0).await;
        screenshot(&client, "referee-second-game-phone").await;

        // Without the 40 the first game was not over: everything after follows.
        press(&client, "Half round 2").await;
        press(&client, "Undo it").await;
        press(&client, "Undo it").await;
        score(&client, "Ann", 10).await;
        score(&client, "Bo <b>&", 15).await;
        shows(&client, "games 0\u{2013}0").await;
        screenshot(&client, "referee-undone-phone").await;
        fits(&client, "the referee's page").await;
    });
    let log = server.get("/api/log");
    let stands: Vec<bool> =
        log["events"].as_array().unwrap().iter().map(|e| e["stands"].as_bool().unwrap()).collect();
    assert_eq!(stands, [true, true, true, false, true, true], "{log}");
}

/// A photo is uploaded and recorded; the referee is asked and corrects it; another photo's call is
/// disputed and overruled on its review page.
#[test]
fn a_photo_is_uploaded_confirmed_disputed_and_overruled() {
    let server = Server::start();
    server.begin_court();
    server.record("/api/policy", json!({"policy": "everything"}));
    let (photo, referee) = (server.url("/photo"), server.url("/referee"));
    let file = fixture("court-overhead/003.jpg");
    browse(TABLET, async move |client: Client| {
        client.goto(&photo).await.unwrap();
        until(&client, "the boards", "document.querySelector('#board').value === 'carrom-court'").await;
        let input = client.find(Locator::Css("#file")).await.unwrap();
        input.send_keys(&file.display().to_string()).await.unwrap();
        press(&client, "Score it").await;
        shows(&client, "red 17 and blue \u{2212}10").await;
        until(&client, "the annotated photo", "document.querySelector('.shot').naturalWidth > 1000").await;
        screenshot(&client, "photo-result-tablet").await;
        press(&client, "Record it in the match").await;
        shows(&client, "Handed to the desk.").await;

        // 17 is a 10 and a 7: the referee sees the 10 on a line.
        client.goto(&referee).await.unwrap();
        shows(&client, "The camera saw: half round").await;
        shows(&client, "Ann +17, Bo \u{2212}10").await;
        screenshot(&client, "referee-asked-tablet").await;
        let ten = "([...document.querySelectorAll('.piece-open')].find((n) => n.innerText.includes('+10')).click(), true)";
        until(&client, "the 10", ten).await;
        press(&client, "Touching the line of 10").await;
        shows(&client, "Ann +7, Bo \u{2212}10").await;
        press(&client, "Confirm").await;
        score(&client, "Ann", 7).await;
        score(&client, "Bo", -10).await;
    });
    let log = server.get("/api/log");
    assert_eq!(log["events"][1]["author"], "Referee", "{log}");

    // Without doubts a photo is recorded at once; one of its calls is disputed.
    server.record("/api/policy", json!({"policy": "doubts"}));
    let photo = upload(&server, "court-overhead/003.jpg");
    server.record(&format!("/api/photo/{}/record", photo["id"].as_str().unwrap()), json!({}));
    assert_eq!(server.state()["standing"]["scores"], json!({"Ann": 24, "Bo": -20}));
    let calls = server.get("/api/calls");
    let of_event = |call: &&Value| call["event"] == 2 && call["colour"] == "red" && call["points"] == 10;
    let call = calls["calls"].as_array().unwrap().iter().find(of_event).unwrap();
    let page = server.url(&format!("/calls/{}", call["id"].as_str().unwrap()));
    let list = server.url("/calls");
    browse(TABLET, async move |client: Client| {
        client.goto(&list).await.unwrap();
        shows(&client, "12 of 12").await;
        client.goto(&page).await.unwrap();
        fill(&client, "[name=by]", "Dee").await;
        fill(&client, "[name=why]", "seen with a loupe").await;
        client.find(Locator::Css("[value=overruled]")).await.unwrap().click().await.unwrap();
        press(&client, "Record the verdict").await;
        shows(&client, "Touching, by Dee").await;
        shows(&client, "measured clear").await;
        screenshot(&client, "review-overruled-tablet").await;
        client.goto(&list).await.unwrap();
        press(&client, "Ruled on").await;
        shows(&client, "2 of 12").await;
        shows(&client, "ruled by Dee; measured clear").await;
        screenshot(&client, "calls-ruled-tablet").await;
    });
    let state = server.state();
    assert_eq!(state["standing"]["scores"], json!({"Ann": 14, "Bo": -20}));
    assert_eq!(state["latest"]["correction"], true);
}

/// The scoreboard on a television: it follows, says aloud only what a correction changed, and comes
/// back by itself after the server was killed, as the other pages do.
#[test]
fn the_scoreboard_follows_and_comes_back() {
    let mut server = Server::start();
    server.begin_court();
    server.half_round(2);
    let url = server.url("/");
    browse(TV, async move |client: Client| {
        client.goto(&url).await.unwrap();
        score(&client, "Ann", 20).await;
        score(&client, "Bo", 7).await;
        until(&client, "the drawn pieces", "document.querySelectorAll('.board [data-piece]').length === 3")
            .await;
        fits(&client, "the scoreboard").await;
        server.half_round(1);
        score(&client, "Ann", 30).await;
        let said = "document.getElementById('announcer').textContent";
        until(
            &client,
            "the call",
            &format!("{said} === 'Scored: Ann 10 and Bo 7. Total: Ann 30 and Bo 14.'"),
        )
        .await;
        let with = json!({"type": "frame", "pieces": [{"colour": "red", "area": "8-left"}, {"colour": "blue", "area": "7-left"}]});
        server.record("/api/events/2/overrule", json!({"with": with}));
        until(&client, "the correction", &format!("{said} === 'Correction: Ann 28.'")).await;
        screenshot(&client, "score-tv-dark").await;

        // The other pages are open too, each in a tab of its own.
        let scoreboard = client.window().await.unwrap();
        let mut others = Vec::new();
        for page in ["/referee", "/overlay", "/calls"] {
            let tab = client.new_window(true).await.unwrap().handle;
            client.switch_to_window(tab.clone()).await.unwrap();
            client.goto(&server.url(page)).await.unwrap();
            others.push((page, tab));
        }
        client.switch_to_window(scoreboard.clone()).await.unwrap();

        server.kill();
        until(&client, "the loss", "document.getElementById('link').dataset.state === 'lost'").await;
        server.start_again();
        until(&client, "the return", "document.getElementById('link').dataset.state === 'live'").await;
        score(&client, "Ann", 28).await;
        score(&client, "Bo", 14).await;
        server.half_round(1);
        score(&client, "Ann", 38).await;
        // Every page goes on where it was: nothing was loaded anew.
        until(&client, "the call", &format!("{said}.startsWith('Scored: Ann 10 and Bo 7.')")).await;
        for (page, tab) in others {
            client.switch_to_window(tab).await.unwrap();
            match page {
                "/calls" => {
                    until(&client, page, "document.getElementById('link').dataset.state === 'live'").await;
                }
                _ => score(&client, "Ann", 38).await,
            }
            if page == "/overlay" {
                screenshot(&client, "overlay-tv").await;
            }
        }
    });
}

/// A half round as a camera filmed it is on the scoreboard with the true tally, and its calls can be
/// reviewed with the frames before.
#[test]
fn a_filmed_half_round_is_on_the_page() {
    let folder = tempfile::tempdir().unwrap();
    let camera = replay::camera(&folder);
    let ledger = folder.path().join("match.ledger");
    let more = ["--match", ledger.to_str().unwrap(), "--sides", "Ann,Bo"];
    let output = replay::replay(&replay::sequence(), &camera, &more).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let server = Server::over(folder, "127.0.0.1:0", &[]);
    let (url, calls) = (server.url("/"), server.get("/api/calls"));
    let page = server.url(&format!("/calls/{}", calls["calls"][0]["id"].as_str().unwrap()));
    browse(TV, async move |client: Client| {
        client.goto(&url).await.unwrap();
        score(&client, "Ann", 17).await;
        score(&client, "Bo", 13).await;
        until(&client, "the pieces", "document.querySelectorAll('.board [data-piece]').length === 7").await;
        screenshot(&client, "score-filmed-tv").await;
        client.goto(&page).await.unwrap();
        until(&client, "the frames", "document.querySelectorAll('[data-frame]').length > 1").await;
        screenshot(&client, "review-filmed-tv").await;
    });
}

/// Set-up: the corners are dragged to where the photo shows them, the fit says how good it is, and
/// the camera file is written.
#[test]
fn a_camera_is_set_up_by_dragging_corners() {
    let server = Server::start();
    let url = server.url("/setup");
    let saved = server.path("camera.toml");
    // The camera sees one end only: its corners are those of the surface and of the foul line's ends.
    let file = fixture("court-overhead/003.jpg");
    let corners = places_of(
        "court-overhead/003.json",
        [[0.0, 1120.0], [400.0, 1120.0], [400.0, 1830.0], [0.0, 1830.0]],
    );
    browse(TABLET, async move |client: Client| {
        client.goto(&url).await.unwrap();
        choose_table(&client, "carrom-court").await;
        let input = client.find(Locator::Css("#file")).await.unwrap();
        input.send_keys(&file.display().to_string()).await.unwrap();
        until(&client, "the picture", "document.querySelector('.stage img').naturalWidth > 1000").await;
        for (index, corner) in corners.iter().enumerate() {
            drag(&client, index, *corner).await;
        }
        screenshot(&client, "setup-dragged-tablet").await;
        press(&client, "Fit these corners").await;
        until(&client, "the quality", "document.querySelectorAll('#quality [data-good]').length >= 4").await;
        until(&client, "the lines", "document.querySelectorAll('.fitted').length > 20").await;
        screenshot(&client, "setup-fitted-tablet").await;
        press(&client, "Save the camera file").await;
        shows(&client, "Saved:").await;
    });
    let camera = linecall::camera::CameraFile::load(&saved).unwrap();
    assert_eq!(camera.board, "carrom-court");
    assert!(camera.quality.rms_px < 1.0, "{:?}", camera.quality);
}

/// Chooses a table of set-up by its picture.
pub async fn choose_table(client: &Client, board: &str) {
    let tile = format!("[data-board=\"{board}\"]");
    let tile = client.wait().at_most(PATIENCE).for_element(Locator::Css(&tile)).await.unwrap();
    tile.click().await.unwrap();
    until(client, "the table", &format!("document.querySelector('[data-board={board}][aria-pressed=true]')"))
        .await;
}

/// Where a fixture's truth has places of the board, in pixels, but for the lens's bend.
pub fn places_of(truth: &str, places: [[f64; 2]; 4]) -> [[f64; 2]; 4] {
    let truth: Value = serde_json::from_slice(&std::fs::read(fixture(truth)).unwrap()).unwrap();
    let number = |value: &Value| value.as_f64().unwrap();
    let (r, t, k) = (&truth["extrinsics"]["R"], &truth["extrinsics"]["t"], &truth["intrinsics"]);
    places.map(|[x, y]| {
        let c: Vec<f64> =
            (0..3).map(|i| number(&r[i][0]) * x + number(&r[i][1]) * y + number(&t[i])).collect();
        [number(&k["fx"]) * c[0] / c[2] + number(&k["cx"]), number(&k["fy"]) * c[1] / c[2] + number(&k["cy"])]
    })
}

/// Drags a corner's ring by the mouse.
async fn drag(client: &Client, index: usize, to: [f64; 2]) {
    let script = "
        const ring = document.querySelector(`[data-corner=\"${arguments[0]}\"]`);
        ring.scrollIntoView({block: 'center'});
        const at = ring.getBoundingClientRect();
        const stage = document.getElementById('stage').getBoundingClientRect();
        const scale = stage.width / document.querySelector('.stage img').naturalWidth;
        return [at.left + 24, at.top + 24, stage.left, stage.top, scale];";
    let found = client.execute(script, vec![json!(index)]).await.unwrap();
    let [x, y, left, top, scale] = serde_json::from_value::<[f64; 5]>(found).unwrap();
    let target = [left + to[0] * scale, top + to[1] * scale];
    let mouse = MouseActions::new("mouse".to_owned())
        .then(PointerAction::MoveTo { duration: None, x: x.round(), y: y.round() })
        .then(PointerAction::Down { button: MOUSE_BUTTON_LEFT })
        .then(PointerAction::MoveTo { duration: None, x: target[0].round(), y: target[1].round() });
    client.perform_actions(mouse).await.unwrap();
    until(client, "the magnifier", "document.querySelector('.lens')").await;
    if index == 0 {
        screenshot(client, "setup-magnifier-tablet").await;
    }
    let up = MouseActions::new("mouse".to_owned()).then(PointerAction::Up { button: MOUSE_BUTTON_LEFT });
    client.perform_actions(up).await.unwrap();
}

/// Two referees: the second is told what the first did.
#[test]
fn the_second_of_two_referees_is_told() {
    let server = Server::start();
    server.begin_court();
    let url = server.url("/referee");
    browse(Screen::PHONE, async move |client: Client| {
        client.goto(&url).await.unwrap();
        press(&client, "Enter a half round").await;
        press(&client, "Add a piece by name").await;
        press(&client, "Add red in 10 (10)").await;
        shows(&client, "Ann +10").await;
        // The stream is held back, as by a bad network, while the first referee records.
        let hold = "const page = window; page.EventSource = null; const f = page.fetch;
            page.fetch = (path, init) => { if (init && init.body && path === '/api/events') {
              const body = JSON.parse(init.body); body.based_on = 2; init = Object.assign({}, init, {body: JSON.stringify(body)}); }
              return f(path, init); }; return true;";
        client.execute(hold, Vec::new()).await.unwrap();
        server.half_round(3);
        score(&client, "Ann", 30).await;
        press(&client, "Record").await;
        shows(&client, "Somebody was faster").await;
        shows(&client, "referee Dee").await;
        screenshot(&client, "referee-stale-phone").await;
        press(&client, "Look again").await;
        score(&client, "Ann", 30).await;
    });
}
