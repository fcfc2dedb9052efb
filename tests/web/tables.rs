//! Set-up's first step: the table is chosen by its picture, or learned from a photo.

use fantoccini::{
    Client, Locator,
    actions::{InputSource, MOUSE_BUTTON_LEFT, MouseActions, PointerAction, TouchActions},
};
use linecall::{
    board::{Board, Line},
    geometry::Paint,
};
use serde_json::{Value, json};

use super::{
    accessible::{axe, findings},
    pages::{choose_table, fill, fits, named, places_of, press, shows, until},
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
fn a_table_is_learned_from_a_photo_on_a_laptop() {
    learn_a_table(Screen::DESK, "desk");
}

#[test]
fn a_table_is_learned_from_a_photo_on_a_phone() {
    learn_a_table(Screen::PHONE, "phone");
}

const PHOTO: &str = "carrom-oblique-phone/000";
/// The surface's corners: near left, near right, far right, far left.
const CORNERS: [[f64; 2]; 4] = [[0.0, 0.0], [740.0, 0.0], [740.0, 740.0], [0.0, 740.0]];
/// What is dragged: nothing else hangs on it.
const DRAGGED: &str = "outer-circle";

/// Photo, outline, one length, lines, one of them dragged, a name, a match: by mouse, or by finger.
fn learn_a_table(screen: Screen, name: &'static str) {
    let server = Server::start();
    let url = server.url("/setup");
    let photo = fixture(&format!("{PHOTO}.jpg"));
    let corner = places_of(&format!("{PHOTO}.json"), CORNERS)[0];
    let axe = axe();
    let hand = Hand { is_finger: screen.is_phone };
    browse(screen, async move |client: Client| {
        client.goto(&url).await.unwrap();
        press(&client, "Mine is not here").await;
        screenshot(&client, &format!("learn-photo-{name}")).await;
        let input = client.find(Locator::Css("#table-file")).await.unwrap();
        input.send_keys(&photo.display().to_string()).await.unwrap();
        until(&client, "the outline", "document.querySelector('#table-stage img')?.naturalWidth > 1000 && document.querySelectorAll('#table-stage .corner').length === 4").await;
        screenshot(&client, &format!("learn-outline-{name}")).await;
        fits(&client, "the outline").await;
        // A wrong corner is put right.
        drag_corner(&client, &hand, [corner[0] + 60.0, corner[1] - 50.0]).await;
        drag_corner(&client, &hand, corner).await;
        let kind = client.find(Locator::Css("#kind")).await.unwrap();
        kind.select_by_value("carrom-icf").await.unwrap();
        fill(&client, "#width", "29 in").await;
        shows(&client, "That is 736.6 mm, 73.7 cm or 29.00 inches.").await;
        press(&client, "Find its lines").await;
        until(&client, "the lines", "document.querySelectorAll('#table-stage .line').length > 12").await;
        screenshot(&client, &format!("learn-lines-{name}")).await;
        fits(&client, "the lines").await;
        assert_eq!(findings(&client, &axe).await, Vec::<Value>::new());
        change_lines(&client, &hand, name).await;
        fill(&client, "#table-name", "Kitchen table").await;
        press(&client, "Save this table").await;
        until(
            &client,
            "the table",
            "document.querySelector('[data-board=kitchen-table][aria-pressed=true]')",
        )
        .await;
        shows(&client, "The match is played on Kitchen table.").await;
        screenshot(&client, &format!("learn-kept-{name}")).await;
        start_a_match(&client).await;
    });
    assert_eq!(server.state()["match"]["board"], "kitchen-table");
    let file = server.path("data/linecall/boards/kitchen-table.toml");
    let board = Board::load(&file).unwrap();
    assert_eq!((board.name.as_str(), board.surface.width_mm), ("Kitchen table", 736.6));
    let circle = line(&board, DRAGGED);
    let Paint::Ring { centre, .. } = circle.paint else { panic!("{circle:?}") };
    let moved_mm = (centre - nalgebra::Point2::new(368.3, 368.3)).norm();
    assert!((10.0..80.0).contains(&moved_mm), "dragged by {moved_mm} mm");
    assert!(std::fs::read_to_string(&file).unwrap().contains("Placed by hand."));
    // It is a table like any other from now on, also for the command line.
    let listed = server.get("/api/boards");
    let mine =
        listed["boards"].as_array().unwrap().iter().find(|board| board["id"] == "kitchen-table").unwrap();
    assert_eq!(mine["own"], true);
}

fn line<'b>(board: &'b Board, name: &str) -> &'b Line {
    board.lines.iter().find(|line| line.name == name).unwrap()
}

/// A line is removed and taken back, one that play needs cannot go, another is dragged and shifted.
async fn change_lines(client: &Client, hand: &Hand, name: &str) {
    let count = "document.querySelectorAll('#table-stage .line').length";
    let all = client.execute(&format!("return {count};"), Vec::new()).await.unwrap().as_u64().unwrap();
    client.execute("document.querySelector('#all-lines').open = true; return 0;", Vec::new()).await.unwrap();
    press(client, "outer circle").await;
    press(client, "Remove it").await;
    until(client, "one line less", &format!("{count} === {}", all - 1)).await;
    press(client, "Undo the last change").await;
    until(client, "the line again", &format!("{count} === {all}")).await;
    press(client, "front near").await;
    let place = "document.querySelector('#line-place').innerText";
    let before = client.execute(&format!("return {place};"), Vec::new()).await.unwrap();
    press(client, "1 mm farther").await;
    until(client, "another place", &format!("{place} !== {before}")).await;
    press(client, "Remove it").await;
    shows(client, "cannot be removed, because play on this kind of table needs it").await;
    let [x, y] = grip(client, "outer circle").await;
    hand.drag(client, [x, y], [x + 24.0, y + 3.0]).await;
    until(
        client,
        "the circle's new place",
        "document.querySelector('#line-chosen b')?.innerText === 'outer circle'",
    )
    .await;
    screenshot(client, &format!("learn-dragged-{name}")).await;
    fits(client, "a chosen line").await;
}

/// A place of the screen where a line can be taken.
async fn grip(client: &Client, name: &str) -> [f64; 2] {
    let script = "
        const row = [...document.querySelectorAll('.line-row')].find((n) => n.innerText.startsWith(arguments[0]));
        const index = row.dataset.lineRow;
        document.getElementById('table-stage').scrollIntoView({block: 'center'});
        const curve = document.querySelector(`[data-line=\"${index}\"] .grip`);
        const to_screen = curve.getScreenCTM();
        for (let i = 0; i < 40; i += 1) {
          const at = curve.getPointAtLength(curve.getTotalLength() * i / 40).matrixTransform(to_screen);
          const hit = document.elementFromPoint(at.x, at.y)?.closest('[data-line]');
          if (hit && hit.dataset.line === index) return [Math.round(at.x), Math.round(at.y)];
        }
        return null;";
    let found = client.execute(script, vec![json!(name)]).await.unwrap();
    serde_json::from_value(found).unwrap_or_else(|_| panic!("{name} cannot be taken"))
}

/// What drags: a mouse or a finger.
struct Hand {
    is_finger: bool,
}

impl Hand {
    async fn drag(&self, client: &Client, from: [f64; 2], to: [f64; 2]) {
        let step =
            |to: [f64; 2]| PointerAction::MoveTo { duration: None, x: to[0].round(), y: to[1].round() };
        let between = [(from[0] + to[0]) / 2.0, (from[1] + to[1]) / 2.0];
        let (down, up) = (
            PointerAction::Down { button: MOUSE_BUTTON_LEFT },
            PointerAction::Up { button: MOUSE_BUTTON_LEFT },
        );
        if self.is_finger {
            let finger = TouchActions::new("finger".to_owned());
            let finger = finger.then(step(from)).then(down).then(step(between)).then(step(to)).then(up);
            client.perform_actions(finger).await.unwrap();
        } else {
            let mouse = MouseActions::new("mouse".to_owned());
            let mouse = mouse.then(step(from)).then(down).then(step(between)).then(step(to)).then(up);
            client.perform_actions(mouse).await.unwrap();
        }
    }
}

/// Drags the near left ring to a place of the photo.
async fn drag_corner(client: &Client, hand: &Hand, to: [f64; 2]) {
    let script = "
        const stage = document.getElementById('table-stage');
        stage.scrollIntoView({block: 'center'});
        const ring = stage.querySelector('[data-corner=\"0\"]').getBoundingClientRect();
        const photo = stage.querySelector('img');
        const box = photo.getBoundingClientRect();
        const scale = box.width / photo.naturalWidth;
        return [ring.left + 24, ring.top + 24, box.left + (arguments[0] + .5) * scale, box.top + (arguments[1] + .5) * scale, scale];";
    let found = client.execute(script, vec![json!(to[0]), json!(to[1])]).await.unwrap();
    let [x, y, to_x, to_y, scale] = serde_json::from_value::<[f64; 5]>(found).unwrap();
    hand.drag(client, [x, y], [to_x, to_y]).await;
    let (x, y) = (json!(to[0]), json!(to[1]));
    let there = format!(
        "(() => {{ const at = document.querySelector('#table-stage [data-corner=\"0\"]').ariaLabel.match(/at (-?\\d+), (-?\\d+)/);
           return Math.hypot(at[1] - {x}, at[2] - {y}) < {}; }})()",
        2.0 / scale + 1.0
    );
    until(client, "the corner's new place", &there).await;
}

/// Rings of a photo without an outline, keys, and what goes wrong: each is a sentence on the page.
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
