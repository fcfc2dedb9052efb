//! A tournament as the KAGW sheet holds it: eight pairs, four tables, best of three, to the final.

use std::{
    collections::BTreeMap,
    io::{Read, Write},
    net::TcpListener,
    sync::{Arc, Mutex},
    time::Duration,
};

use linecall::{
    hall::{
        office::{self, OfficeOptions},
        page,
        seal::Sealed,
        topics::of_result,
        tournament::Stage,
    },
    web::Access,
};
use serde_json::Value;

use super::{
    broker::Broker,
    browser::{Screen, browse},
    club::{RETRY, SimTable, address, say, until},
};

const PAIRINGS: &str = "id,round,game,first,second,first_players,second_players,best_of,table
q1,quarter-final,kagw,Owls,Larks,Ann / Bo,Cy / Di,3,
q2,quarter-final,kagw,Wrens,Crows,Ed / Fi,Gus / Hal,3,
q3,quarter-final,kagw,Kites,Rooks,Ida / Jo,Kai / Lea,3,t3
q4,quarter-final,kagw,Swans,Terns,Max / Nia,Oli / Pam,3,
s1,semi-final,kagw,winner of q1,winner of q2,,,3,
s2,semi-final,kagw,winner of q3,winner of q4,,,3,
final,final,kagw,winner of s1,winner of s2,,,3,t1
";

/// A bridge to another program: takes what is posted.
fn bridge() -> (String, Arc<Mutex<Vec<Value>>>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("http://{}/results", listener.local_addr().unwrap());
    let taken: Arc<Mutex<Vec<Value>>> = Arc::default();
    let into = taken.clone();
    std::thread::spawn(move || {
        for socket in listener.incoming() {
            let mut socket = socket.unwrap();
            let mut text = Vec::new();
            let mut part = [0; 4096];
            let body = loop {
                let count = socket.read(&mut part).unwrap();
                text.extend(&part[..count]);
                let so_far = String::from_utf8_lossy(&text).into_owned();
                if let Some((head, body)) = so_far.split_once("\r\n\r\n") {
                    let length = head.to_lowercase().split_once("content-length: ").unwrap().1.to_owned();
                    let length: usize = length.lines().next().unwrap().trim().parse().unwrap();
                    if body.len() >= length {
                        break body.to_owned();
                    }
                }
                assert!(count > 0, "cut off: {so_far}");
            };
            into.lock().unwrap().push(serde_json::from_str(&body).unwrap());
            socket.write_all(b"HTTP/1.1 204 No Content\r\ncontent-length: 0\r\n\r\n").unwrap();
        }
    });
    (address, taken)
}

#[test]
fn eight_pairs_play_to_the_final_at_four_tables() {
    let broker = Broker::mosquitto();
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("hall");
    let club = address(&[broker.port], "club");
    let (webhook, posted) = bridge();
    let options = OfficeOptions {
        retry: RETRY,
        say,
        webhook: Some(webhook),
        ..OfficeOptions::new(club.clone(), &data)
    };
    let hall = office::open(options).unwrap();
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let served = page::serve(listener, hall.office.clone(), Access::Loopback).unwrap();
    let at = format!("http://{}", served.address());
    let mut tables: Vec<SimTable> = (1..=4)
        .map(|n| {
            SimTable::open(folder.path(), &format!("t{n}"), club.clone(), Some(hall.office.key()), 40 + n)
        })
        .collect();
    until("the tables are there", || {
        hall.office.look(|floor| floor.tables.values().filter(|t| t.state.is_some()).count() == 4)
    });

    // What cannot be played is refused whole, with the reason.
    let wrong = PAIRINGS.replace("q2,quarter-final,kagw", "q2,quarter-final,curling");
    let refused = ureq::post(format!("{at}/api/pairings"))
        .config()
        .http_status_as_error(false)
        .build()
        .send(wrong.as_str())
        .unwrap();
    assert_eq!(refused.status(), 400);
    let mut added = ureq::post(format!("{at}/api/pairings")).send(PAIRINGS).unwrap();
    assert_eq!(added.body_mut().read_json::<Value>().unwrap()["added"], 7);
    // One by hand, the others by themselves.
    ureq::post(format!("{at}/api/assign"))
        .send_json(serde_json::json!({ "pairing": "q1", "table": "t2", "by": "Cy" }))
        .unwrap();
    ureq::post(format!("{at}/api/automatic")).send_json(serde_json::json!({ "on": true })).unwrap();

    let mut played: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for _ in 0..20_000 {
        let stages = hall.office.look(|floor| {
            floor.book.pairings.iter().map(|p| (p.id.clone(), p.stage.clone())).collect::<Vec<_>>()
        });
        if stages.iter().all(|(_, stage)| matches!(stage, Stage::Done(_))) {
            break;
        }
        let mut moved = false;
        for table in &mut tables {
            let at = stages
                .iter()
                .find(|(_, stage)| matches!(stage, Stage::Playing { table: at, .. } if *at == table.name));
            if let Some((pairing, _)) = at {
                let rounds = played.entry(table.name.clone()).or_default();
                if rounds.last() != Some(pairing) {
                    rounds.push(pairing.clone());
                }
                moved |= table.play_one();
            }
        }
        // An undecided match (K13) is decided by a person.
        for (id, stage) in &stages {
            if let Stage::Done(outcome) = stage
                && outcome.winner.is_none()
            {
                let winner = outcome.sides[0].name.clone();
                ureq::post(format!("{at}/api/decide"))
                    .send_json(serde_json::json!({ "pairing": id, "winner": winner, "by": "Cy" }))
                    .unwrap();
            }
        }
        if !moved {
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    // What the hall says is what the tables' own desks say.
    let rows = hall.office.look(|floor| linecall::hall::tournament::results(&floor.book));
    assert_eq!(rows.len(), 7, "{played:?}");
    for row in &rows {
        let table = tables.iter().find(|table| Some(&table.name) == row.table.as_ref()).unwrap();
        let (entries, record) = table.desk.with_ledger(|ledger| {
            let entries = ledger.entries().unwrap();
            let record = linecall::desk::record_of(ledger, &entries, row.match_number.unwrap()).unwrap();
            (entries, record)
        });
        let standing = record.state().standing().clone();
        let own = standing.status.winner().map(|side| record.state().setup().name(side).to_owned());
        if row.decided_by.is_none() {
            assert_eq!(row.winner, own, "{}", row.id);
        }
        assert_eq!(row.first_games, Some(i64::from(standing.games.first)), "{}", row.id);
        let entry = &entries[row.entry.unwrap() as usize - 1];
        assert_eq!(Some(entry.hash), row.entry_hash, "{}", row.id);
    }
    let of = |id: &str| rows.iter().find(|row| row.id == id).unwrap();
    assert_eq!(
        (of("q1").table.as_deref(), of("q3").table.as_deref(), of("final").table.as_deref()),
        (Some("t2"), Some("t3"), Some("t1"))
    );
    let finalists = [of("s1").winner.clone(), of("s2").winner.clone()];
    assert_eq!([Some(of("final").first.clone()), Some(of("final").second.clone())], finalists);

    // The same rows as a file in the hall's folder, from the page, and by the signed way out.
    until("the files are written", || {
        std::fs::read_to_string(data.join("results.csv")).is_ok_and(|text| text.lines().count() == 8)
    });
    let served_csv =
        ureq::get(format!("{at}/results.csv")).call().unwrap().body_mut().read_to_string().unwrap();
    let mut reader = csv::Reader::from_reader(served_csv.as_bytes());
    let winners: BTreeMap<String, String> =
        reader.records().map(|row| row.unwrap()).map(|row| (row[0].to_owned(), row[6].to_owned())).collect();
    assert_eq!(winners.get("final"), of("final").winner.as_ref());
    let key = hall.office.key().public();
    until("the bridge has every result", || {
        let posted = posted.lock().unwrap();
        let ids: std::collections::BTreeSet<String> = posted
            .iter()
            .map(|sealed| {
                let sealed: Sealed = serde_json::from_value(sealed.clone()).unwrap();
                let row: Value = serde_json::from_str(&sealed.signed).unwrap();
                let id = row["id"].as_str().unwrap().to_owned();
                assert!(sealed.opened(&of_result("club", &id), std::slice::from_ref(&key)).is_ok());
                id
            })
            .collect();
        ids.len() == 7
    });
    look_at_it(at, of("final").winner.clone().unwrap());
}

/// In a browser, as the organiser sees it.
fn look_at_it(at: String, champion: String) {
    browse(Screen::DESK, async move |client| {
        client.goto(&format!("{at}/tournament")).await.unwrap();
        let table = client.find(fantoccini::Locator::Css("#pairings table")).await.unwrap();
        let text = table.text().await.unwrap();
        assert!(text.contains("final") && text.contains(&champion), "{text}");
        let standings = client.find(fantoccini::Locator::Css("#standings table")).await.unwrap();
        assert!(standings.text().await.unwrap().contains(&champion));
        super::pages::keep(&client, "tournament").await;
        client.goto(&format!("{at}/history")).await.unwrap();
        assert!(
            client
                .find(fantoccini::Locator::Css("main"))
                .await
                .unwrap()
                .text()
                .await
                .unwrap()
                .contains(&champion)
        );
    });
}
