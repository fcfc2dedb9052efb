//! A carrom match on the referee's page.

use fantoccini::Client;
use serde_json::json;

use super::{
    pages::{fits, press, score, shows, until},
    server::Server,
};
use crate::browser::{Screen, browse, screenshot};

/// Strikes are entered, judged before they are recorded, and corrected, with one thumb.
#[test]
fn strikes_are_entered_and_corrected_on_a_phone() {
    let server = Server::start();
    server.record(
        "/api/match",
        json!({"event": {"type": "match", "game": "kagw", "options": {"best_of": 1},
            "sides": [{"name": "Asha", "colour": "white"}, {"name": "Ravi", "colour": "black"}]}}),
    );
    let (referee, board) = (server.url("/referee"), server.url("/"));
    browse(Screen::PHONE, async move |client: Client| {
        client.goto(&referee).await.unwrap();
        press(&client, "Enter a strike").await;
        press(&client, "One white more pocketed").await;
        press(&client, "One white more pocketed").await;
        // Own pieces keep the turn (K5).
        shows(&client, "Asha plays next.").await;
        screenshot(&client, "referee-strike-phone").await;
        fits(&client, "a strike").await;
        press(&client, "Record").await;
        until(&client, "the record", "document.querySelectorAll('#log li').length === 2").await;

        // Nothing pocketed: the turn goes over.
        press(&client, "Enter a strike").await;
        shows(&client, "Ravi plays next.").await;
        press(&client, "Cancel").await;

        // The first strike had a foul: the striker went into a pocket too.
        press(&client, "Strike 1").await;
        press(&client, "Correct it").await;
        until(
            &client,
            "what was recorded",
            "[...document.querySelectorAll('.stepper b')].some((n) => n.innerText === '2')",
        )
        .await;
        press(&client, "pocketed").await;
        shows(&client, "Ravi plays next.").await;
        press(&client, "Hit too early").await;
        press(&client, "One white less pocketed").await;
        screenshot(&client, "referee-strike-corrected-phone").await;
        fits(&client, "a corrected strike").await;
        press(&client, "Record the correction").await;
        shows(&client, "corrected by Referee").await;
        client.goto(&board).await.unwrap();
        score(&client, "Ravi", 0).await;
        until(
            &client,
            "whose turn it is",
            "document.querySelector('.turn').closest('.side').innerText.includes('Ravi')",
        )
        .await;
        screenshot(&client, "score-kagw-phone").await;
    });
    let log = server.get("/api/log");
    assert_eq!(
        log["events"][1]["standing"],
        json!({"type": "strike", "pocketed": ["white"], "striker": "pocketed", "fouls": ["early-hit"]}),
        "{log}"
    );
    assert_eq!(server.state()["standing"]["to_play"], "Ravi");
}
