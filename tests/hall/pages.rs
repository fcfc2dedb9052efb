//! The hall's pages in a real browser.

use std::net::TcpListener;

use fantoccini::{Client, Locator};
use linecall::{hall::page, web::Access};

use super::{
    broker::Broker,
    browser::{Screen, browse},
    club::{SimTable, address, court, open_office, until},
    trust::ask,
};

/// Keeps a picture of the page where HALL_PICTURES names a folder: to be looked at.
pub async fn keep(client: &Client, name: &str) {
    if let Ok(folder) = std::env::var("HALL_PICTURES") {
        let png = client.screenshot().await.unwrap();
        std::fs::write(format!("{folder}/{name}.png"), png).unwrap();
    }
}

#[test]
fn a_referee_answers_with_one_thumb_and_the_floor_follows() {
    let broker = Broker::mosquitto();
    let folder = tempfile::tempdir().unwrap();
    let club = address(&[broker.port], "club");
    let hall = open_office(club.clone(), &folder.path().join("hall"));
    let mut tables: Vec<SimTable> = (1..=6)
        .map(|n| {
            SimTable::open(folder.path(), &format!("table-{n}"), club.clone(), Some(hall.office.key()), n)
        })
        .collect();
    for table in &mut tables {
        table.begin(&court(&format!("{} home", table.name), "Guests <b>"));
        table.play_one();
    }
    ask(&tables[1]);
    // One table has gone silent.
    tables[4].link = None;
    until("the hall knows", || {
        hall.office.look(|floor| {
            let asks = floor
                .tables
                .get("table-2")
                .and_then(|t| t.ask.as_ref())
                .is_some_and(|ask| !ask.questions.is_empty());
            asks && floor.tables.len() == 6 && !floor.tables["table-5"].online
        })
    });
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let served = page::serve(listener, hall.office.clone(), Access::Loopback).unwrap();
    let at = format!("http://{}", served.address());
    let desk = tables[1].desk.clone();
    let floor_at = at.clone();
    browse(Screen::PHONE, async move |client| {
        client.goto(&format!("{at}/questions")).await.unwrap();
        client.find(Locator::Id("by")).await.unwrap().send_keys("Cy").await.unwrap();
        keep(&client, "questions-phone").await;
        client.find(Locator::Css("#questions button.main")).await.unwrap().click().await.unwrap();
        client
            .wait()
            .for_element(Locator::XPath("//*[@id='questions'][contains(., 'Nobody asks')]"))
            .await
            .unwrap();
        let wide = client
            .execute("return document.documentElement.scrollWidth > window.innerWidth", vec![])
            .await
            .unwrap();
        assert_eq!(wide, false, "the page fits a phone");
    });
    assert!(desk.state().pending.is_empty());
    let by = desk.with_ledger(|ledger| {
        ledger.entries().unwrap().iter().rev().find_map(|entry| entry.author.person().map(str::to_owned))
    });
    assert_eq!(by.as_deref(), Some("Cy"));
    browse(Screen { width: 1920, height: 1080, ..Screen::DESK }, async move |client| {
        client.goto(&floor_at).await.unwrap();
        let text = client.find(Locator::Id("attention")).await.unwrap().text().await.unwrap();
        assert!(text.contains("table-5"), "{text}");
        let card = client.find(Locator::Id("table-table-1")).await.unwrap().text().await.unwrap();
        assert!(card.contains("Guests <b>"), "names are text: {card}");
        keep(&client, "floor").await;
        client.goto(&format!("{floor_at}/screen")).await.unwrap();
        keep(&client, "screen").await;
    });
    drop(served);
}
