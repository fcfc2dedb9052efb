//! Who is not believed: strangers, what was heard before, a table whose entries were changed.

use std::{sync::mpsc, time::Duration};

use linecall::{
    desk::Taken,
    hall::{
        HallKey,
        command::{Command, Order, new_id},
        topics::{About, EntryMessage, VERSION, of_table},
    },
    ledger::{Doubtful, Ledger},
    rules::event::{FrameEvent, FramePiece},
};
use rumqttc::{AsyncClient, Event, MqttOptions, Packet, PublishOptions, QoS};

use super::{
    broker::Broker,
    club::{SAID, SimTable, address, copy_is_whole, court, event, open_office, until},
};

/// Anybody on the broker: publishes, and hears everything.
pub struct Stranger {
    runtime: tokio::runtime::Runtime,
    client: AsyncClient,
    heard: mpsc::Receiver<(String, Vec<u8>)>,
}

impl Stranger {
    pub fn on(port: u16) -> Stranger {
        let runtime =
            tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap();
        let (sender, heard) = mpsc::channel();
        let (ready, is_ready) = mpsc::channel();
        let client = runtime.block_on(async {
            let mut options = MqttOptions::new(format!("stranger-{port}"), ("127.0.0.1", port));
            options.set_max_packet_size(8 << 20, 8 << 20);
            let (client, mut events) = AsyncClient::builder(options).capacity(64).build();
            client.try_subscribe("linecall/#", QoS::AtLeastOnce).unwrap();
            tokio::spawn(async move {
                while let Ok(event) = events.poll().await {
                    match event {
                        Event::Incoming(Packet::SubAck(_)) => ready.send(()).unwrap(),
                        Event::Incoming(Packet::Publish(publish)) => {
                            let topic = String::from_utf8_lossy(&publish.topic).into_owned();
                            if sender.send((topic, publish.payload.to_vec())).is_err() {
                                return;
                            }
                        }
                        _ => {}
                    }
                }
            });
            client
        });
        is_ready.recv_timeout(Duration::from_secs(10)).unwrap();
        Stranger { runtime, client, heard }
    }

    pub fn tell(&self, topic: &str, payload: Vec<u8>) {
        let told =
            self.client.publish_tracked(topic.to_owned(), payload, PublishOptions::new(QoS::AtLeastOnce));
        self.runtime.block_on(async { told.await.unwrap().wait_async().await.unwrap() });
    }

    /// The next message on a topic that is what it is looked for.
    pub fn hear(&self, topic: &str, mut wanted: impl FnMut(&[u8]) -> bool) -> Vec<u8> {
        loop {
            let (on, payload) = self.heard.recv_timeout(Duration::from_secs(20)).expect("a message");
            if on == topic && wanted(&payload) {
                return payload;
            }
        }
    }
}

fn pairing(table: &SimTable, header: &str) -> Command {
    let linecall::rules::Event::Match(header) = event(header) else { panic!("a match") };
    let order = Order::Pairing { pairing: "p1".into(), header, replace: false };
    let at = jiff::Timestamp::now();
    Command { v: VERSION, id: new_id(), ledger: table.ledger(), at, by: "Cy".into(), based_on: None, order }
}

#[test]
fn wrong_and_replayed_commands_and_strangers_are_refused_and_said() {
    let broker = Broker::mosquitto();
    let folder = tempfile::tempdir().unwrap();
    let club = address(&[broker.port], "club");
    let hall = open_office(club.clone(), &folder.path().join("hall"));
    let key = hall.office.key();
    let mut table = SimTable::open(folder.path(), "t-trust", club.clone(), Some(key), 1);
    until("the hall hears the table", || {
        hall.office.look(|floor| floor.tables.get("t-trust").is_some_and(|t| t.state.is_some()))
    });
    let stranger = Stranger::on(broker.port);
    let topic = of_table("club", "t-trust", About::Command);
    let command = pairing(&table, &court("Ann", "Bo"));
    let text = serde_json::to_string(&command).unwrap();
    let refused = |table: &SimTable, count: u64| {
        until(&format!("{count} commands are refused"), || {
            hall.office.look(|floor| {
                floor.tables["t-trust"].state.as_ref().is_some_and(|state| state.refused.count == count)
            })
        });
        assert_eq!(table.desk.revision(), 0, "nothing was recorded");
    };
    // Without a seal; with a stranger's; with the hall's name on it; for another table; changed after it was signed.
    stranger.tell(&topic, text.clone().into_bytes());
    refused(&table, 1);
    let theirs = HallKey::random().seal(&topic, text.clone());
    stranger.tell(&topic, serde_json::to_vec(&theirs).unwrap());
    refused(&table, 2);
    let mut borrowed = theirs;
    borrowed.key = key.public().to_string();
    stranger.tell(&topic, serde_json::to_vec(&borrowed).unwrap());
    refused(&table, 3);
    let other = key.seal(&of_table("club", "t2", About::Command), text.clone());
    stranger.tell(&topic, serde_json::to_vec(&other).unwrap());
    refused(&table, 4);
    let mut changed = key.seal(&topic, text.clone());
    changed.signed = changed.signed.replace("Bo", "Mallory");
    stranger.tell(&topic, serde_json::to_vec(&changed).unwrap());
    refused(&table, 5);
    assert!(
        SAID.lock().unwrap().iter().any(|said| said.contains("its signature is wrong")),
        "it is said at the table"
    );
    assert!(
        hall.office.look(|floor| floor.attention().iter().any(|(_, why)| why.contains("refused"))),
        "and in the hall"
    );

    // The real one begins the match, once.
    let real = serde_json::to_vec(&key.seal(&topic, text)).unwrap();
    stranger.tell(&topic, real.clone());
    until("the match has begun", || table.desk.game().is_some());
    (0..3).for_each(|_| {
        table.play_one();
    });
    // Finished, so that a new match would be taken; then what was heard before is said again.
    while table.play_one() {}
    let before = table.desk.revision();
    let answers = of_table("club", "t-trust", About::Answer);
    stranger.tell(&topic, real.clone());
    stranger.hear(&answers, |_| true);
    stranger.hear(&answers, |_| true);
    assert_eq!(table.desk.revision(), before, "a replay does nothing");
    // Nor after the table was started again.
    table.link = None;
    let (path, name) = (table.path.clone(), table.name.clone());
    drop(table);
    assert!(path.exists());
    let table = SimTable::open(folder.path(), &name, club, Some(key), 1);
    until("the table is back", || hall.office.look(|floor| floor.tables[&name].online));
    stranger.tell(&topic, real);
    let answer = stranger.hear(&answers, |_| true);
    assert!(String::from_utf8_lossy(&answer).contains("done before"), "{}", String::from_utf8_lossy(&answer));
    assert_eq!(table.desk.revision(), before);
}

#[test]
fn a_table_that_lies_about_its_entries_is_found_out_and_its_copy_stays_as_it_was() {
    let broker = Broker::mosquitto();
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("hall");
    let club = address(&[broker.port], "club");
    let hall = open_office(club.clone(), &data);
    let mut table = SimTable::open(folder.path(), "t1", club, Some(hall.office.key()), 3);
    table.begin(&court("Ann", "Bo"));
    (0..6).for_each(|_| {
        table.play_one();
    });
    let entries = copy_is_whole(&data, "t1", &table.path);
    let stranger = Stranger::on(broker.port);
    let ledger = Ledger::read(&table.path).unwrap();
    let origin = ledger.origin().unwrap();
    let topic = of_table("club", "t1", About::Entries);
    let fault = |why: &str| {
        until(why, || {
            hall.office
                .look(|floor| floor.tables["t1"].fault.as_ref().is_some_and(|fault| fault.contains(why)))
        });
    };
    let tell = |entry| {
        let message = EntryMessage { v: VERSION, ledger: origin.clone(), entry };
        stranger.tell(&topic, serde_json::to_vec(&message).unwrap());
    };
    let known = ledger.carried_after(3, 1).unwrap().remove(0);
    // An entry of before with another hash, then one to come that does not follow.
    let mut changed = known.clone();
    changed.hash.0[0] ^= 1;
    tell(changed);
    fault("came before with another content");
    let mut next = ledger.carried_after(entries as u64 - 1, 1).unwrap().remove(0);
    next.seq += 1;
    next.body = next.body.replace("red", "blue");
    tell(next);
    fault("does not follow");
    assert!(hall.office.look(|floor| floor.attention().iter().any(|(table, _)| *table == "t1")));
    // The table goes on, and what it tells is taken: the lie has left nothing behind.
    table.play_one();
    assert!(copy_is_whole(&data, "t1", &table.path) > entries);
    until("the fault is over", || hall.office.look(|floor| floor.tables["t1"].fault.is_none()));
}

#[test]
fn a_question_is_answered_in_the_hall_and_recorded_at_the_table_by_name() {
    let broker = Broker::mosquitto();
    let folder = tempfile::tempdir().unwrap();
    let club = address(&[broker.port], "club");
    let hall = open_office(club.clone(), &folder.path().join("hall"));
    let table = SimTable::open(folder.path(), "t1", club, Some(hall.office.key()), 3);
    table.begin(&court("Ann", "Bo"));
    let id = ask(&table);
    until("the question is there", || {
        hall.office.look(|floor| {
            floor.tables.get("t1").and_then(|t| t.ask.as_ref()).is_some_and(|ask| ask.questions.len() == 1)
        })
    });
    let order = Order::Confirm { question: id, event: None };
    let given = hall.office.command("t1", "Cy", None, order).unwrap();
    until("the table answers", || hall.office.look(|floor| floor.answer(&given).is_some()));
    let answer = hall.office.look(|floor| floor.answer(&given).cloned().unwrap());
    assert!(answer.done, "{}", answer.words);
    let entries = table.desk.with_ledger(|ledger| ledger.entries().unwrap());
    let decided =
        entries.iter().find(|entry| matches!(entry.content, linecall::ledger::Content::Decision(_))).unwrap();
    assert_eq!(decided.author.person(), Some("Cy"));
    until("nothing is asked any more", || {
        hall.office.look(|floor| floor.tables["t1"].ask.as_ref().is_some_and(|ask| ask.questions.is_empty()))
    });
}

/// Something that vision is not sure of.
pub fn ask(table: &SimTable) -> u64 {
    let areas = table.desk.game().unwrap().setup().board.areas.clone();
    let area = Some(Some(areas[0].name.clone()));
    let pieces = vec![FramePiece { colour: "red".into(), area, ..FramePiece::default() }];
    let (end, flags, waive, by) = Default::default();
    let event = linecall::rules::Event::Frame(FrameEvent { pieces, end, flags, waive, by });
    let doubts = vec![Doubtful { about: "7".into(), probability: 0.4, ..Doubtful::default() }];
    let taken =
        table.desk.propose(linecall::desk::Proposal { event, evidence: None, confidence: 0.6, doubts });
    match taken.unwrap() {
        Taken::Asked { id, .. } => id,
        other => panic!("{other:?}"),
    }
}
