//! The pages of `linecall live`: a camera runs behind them.

use std::path::Path;

use fantoccini::{Client, Locator};
use linecall::{board::Board, detect::TaughtColours};
use serde_json::json;

use super::{
    pages::{TABLET, TV, fits, press, score, shows, until},
    server::Server,
};
use crate::browser::{Screen, browse, screenshot};
use crate::{replay, score::fixture};

/// A filmed half round through the whole program: the scoreboard shows the pieces as they come to
/// lie, the referee confirms what was seen, set-up shows the camera's own picture.
#[test]
fn a_filmed_half_round_is_tallied_live() {
    let folder = tempfile::tempdir().unwrap();
    replay::camera(&folder);
    let server = Server::live(folder, &replay::sequence(), "4", &["--confirm", "everything"]);
    let (board, referee, setup) = (server.url("/"), server.url("/referee"), server.url("/setup"));
    browse(TV, async move |client: Client| {
        client.goto(&board).await.unwrap();
        score(&client, "Ann", 0).await;
        let lying =
            |count: usize| format!("document.querySelectorAll('.board [data-piece]').length >= {count}");
        for count in [1, 3, 7] {
            until(&client, &format!("{count} pieces"), &lying(count)).await;
        }
        shows(&client, "The referee is asked").await;
        screenshot(&client, "score-live-tv").await;
    });
    browse(Screen::PHONE, async move |client: Client| {
        client.goto(&referee).await.unwrap();
        shows(&client, "The camera saw: half round").await;
        shows(&client, "Ann +17, Bo +13").await;
        screenshot(&client, "referee-live-phone").await;
        fits(&client, "the camera's question").await;
        press(&client, "Confirm").await;
        score(&client, "Ann", 17).await;
        score(&client, "Bo", 13).await;

        client.goto(&setup).await.unwrap();
        press(&client, "Take it from the camera").await;
        until(&client, "the camera's picture", "document.querySelector('.stage img').naturalWidth === 960")
            .await;
    });
    assert_eq!(server.state()["standing"]["scores"], json!({"Ann": 17, "Bo": 13}));
}

/// Still frames of the empty board, then the same from a camera that was knocked aside.
fn knocked(folder: &Path, by_px: u32) -> std::path::PathBuf {
    let frames = folder.join("frames");
    std::fs::create_dir(&frames).unwrap();
    let still = replay::sequence().join("000.jpg");
    let picture = image::open(&still).unwrap().to_rgb8();
    let mut moved = image::RgbImage::from_pixel(picture.width(), picture.height(), image::Rgb([60, 55, 50]));
    image::imageops::overlay(&mut moved, &picture, i64::from(by_px), i64::from(by_px / 2));
    let aside = folder.join("moved.png");
    moved.save(&aside).unwrap();
    // Ten a second: longer than anybody keeps a hand still.
    for index in 0..100 {
        let from = if index < 15 { &still } else { &aside };
        let ending = from.extension().unwrap().to_str().unwrap();
        std::fs::copy(from, frames.join(format!("{index:03}.{ending}"))).unwrap();
    }
    frames
}

/// A camera that was knocked farther aside than its check looks: the loop finds the board again,
/// every page says so, and set-up has a button that leads to a new camera file, which the loop takes
/// up at once.
#[test]
fn a_camera_that_was_moved_is_told_and_set_up_again() {
    let folder = tempfile::tempdir().unwrap();
    replay::camera(&folder);
    let frames = knocked(folder.path(), 90);
    let server = Server::live(folder, &frames, "10", &[]);
    let (referee, setup) = (server.url("/referee"), server.url("/setup"));
    browse(TABLET, async move |client: Client| {
        client.goto(&referee).await.unwrap();
        shows(&client, "The camera has moved by 1").await;
        shows(&client, "has found the board again").await;
        screenshot(&client, "referee-moved-tablet").await;
        client.goto(&setup).await.unwrap();
        shows(&client, "Its file is of where it was").await;
        press(&client, "Take a new picture").await;
        until(&client, "the picture", "document.querySelector('.stage img').naturalWidth === 960").await;
        press(&client, "Find the board").await;
        until(&client, "the quality", "document.querySelectorAll('#quality [data-good]').length >= 4").await;
        screenshot(&client, "setup-moved-tablet").await;
        press(&client, "Save the camera file").await;
        shows(&client, "Saved, and in use").await;
        until(&client, "no warning", "!document.querySelector('#moved .note')").await;
    });
    let history = server.get("/api/state");
    assert_eq!(history["camera_moved"], serde_json::Value::Null, "{history}");
}

/// A camera that is turned away from the board says that it does not see it, and what to do.
#[test]
fn a_camera_that_was_turned_away_is_told() {
    let folder = tempfile::tempdir().unwrap();
    replay::camera(&folder);
    let frames = knocked(folder.path(), 700);
    let server = Server::live(folder, &frames, "10", &[]);
    let (board, setup) = (server.url("/"), server.url("/setup"));
    browse(TABLET, async move |client: Client| {
        client.goto(&board).await.unwrap();
        shows(&client, "The camera does not see the board").await;
        client.goto(&setup).await.unwrap();
        shows(&client, "The camera does not find the board any more").await;
        screenshot(&client, "setup-lost-tablet").await;
    });
}

/// Colours are taught by tapping a piece in the picture and saying what it is.
#[test]
fn colours_are_taught_by_tapping_pieces() {
    let folder = tempfile::tempdir().unwrap();
    let colours = folder.path().join("colours.toml");
    let server = Server::over(folder, "127.0.0.1:0", &["--colours", colours.to_str().unwrap()]);
    let url = server.url("/setup");
    let file = fixture("court-overhead/003.jpg");
    let kinds = browse(TABLET, async move |client: Client| {
        client.goto(&url).await.unwrap();
        until(&client, "the boards", "document.querySelector('#board option')").await;
        let input = client.find(Locator::Css("#file")).await.unwrap();
        input.send_keys(&file.display().to_string()).await.unwrap();
        until(&client, "the picture", "document.querySelector('.stage img').naturalWidth > 1000").await;
        press(&client, "Find the board").await;
        until(&client, "the pieces", "document.querySelectorAll('.piece-mark').length === 6").await;
        let marks = client.find_all(Locator::Css(".piece-mark")).await.unwrap();
        for (index, mark) in marks.iter().enumerate() {
            mark.click().await.unwrap();
            until(&client, "the piece's choice", &format!("document.activeElement.id === 'piece-{index}'"))
                .await;
            until(
                &client,
                "its mark",
                &format!("document.querySelectorAll('.piece-mark')[{index}].classList.contains('chosen')"),
            )
            .await;
        }
        // The last one is no piece of this set.
        let last = marks.len() - 1;
        let choice = client.find(Locator::Css(&format!("#piece-{last}"))).await.unwrap();
        choice.select_by_value("").await.unwrap();
        screenshot(&client, "setup-taught-tablet").await;
        press(&client, "Save the colours").await;
        shows(&client, "Saved").await;
        let kinds = "return [...document.querySelectorAll('[data-taught]')].map((n) => n.value);";
        let kinds = client.execute(kinds, Vec::new()).await.unwrap();
        serde_json::from_value::<Vec<String>>(kinds).unwrap()
    });
    assert_eq!(kinds.len(), 6);
    let board = Board::named_or_at("carrom-court").unwrap();
    let taught = TaughtColours::load_for(&colours, &board).unwrap();
    let (red, blue) = (taught.stops["red"], taught.stops["blue"]);
    assert!(red[0] > red[2] && blue[2] > blue[0], "{taught:?}");
}
