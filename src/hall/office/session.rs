//! The office's loop: what tables tell is taken in, what they lack is asked for, commands are given
//! until they are answered.

use std::{
    collections::HashMap,
    sync::mpsc,
    time::{Duration, Instant},
};

use tokio::{
    sync::{mpsc as tokio_mpsc, oneshot},
    task::JoinHandle,
};

use super::{
    CopyView, Floor, Office, assign, book_path,
    copies::{self, Job, News},
    deliver::{self, Delivered},
    write_whole,
};
use crate::{
    hall::{
        command::Order,
        link::{Heard, Link, LinkOptions, Message, Teller},
        seal::Sealed,
        topics::{
            self, About, Answer, AskMessage, EntryMessage, FilePart, OFFLINE, ONLINE, TableState,
            of_all_offices, of_all_tables, of_office, of_pairings, of_result, office_of, table_of,
        },
        tournament::{Book, Outcome, ResultRow, Stage},
    },
    ledger::{Hash, Head},
};

const TICK: Duration = Duration::from_millis(100);
/// A command without an answer is given again after this long.
const AGAIN: Duration = Duration::from_secs(2);
/// A copy that is behind and does not move for this long asks for what it lacks.
const BEHIND: Duration = Duration::from_secs(2);
/// A webhook that failed is tried again after this long.
const DELIVER_AGAIN: Duration = Duration::from_secs(10);
/// Largest file that is put together from parts, bytes.
const LARGEST_FILE: u64 = 64 << 20;

pub struct Session {
    office: Office,
    /// This machine's name among the offices of its hall.
    id: String,
    teller: Option<Teller>,
    jobs: mpsc::Sender<Job>,
    news: tokio_mpsc::UnboundedReceiver<News>,
    /// Files of which parts are there.
    parts: HashMap<(String, Hash), Vec<u8>>,
    /// The book's revision that was written and told.
    told_book: Option<u64>,
    written_book: Option<u64>,
    delivered: Delivered,
    posting: Option<JoinHandle<(ResultRow, Result<(), String>)>>,
    post_after: Instant,
    was_lost: bool,
}

impl Session {
    pub fn new(office: Office) -> Session {
        let (jobs, waiting) = mpsc::channel();
        let (sender, news) = tokio_mpsc::unbounded_channel();
        let data = office.options().data.clone();
        let delivered = Delivered::load(&data);
        // Without its thread no copy is kept, which the first job that cannot be given says.
        let worker = std::thread::Builder::new().name("copies".to_owned());
        if let Err(error) = worker.spawn(move || copies::work(&data, &waiting, &sender)) {
            (office.options().say)(&format!("copies cannot be kept: {error}"));
        }
        Session {
            id: format!("{:08x}", rand::random::<u32>()),
            teller: None,
            jobs,
            news,
            parts: HashMap::new(),
            told_book: None,
            written_book: None,
            delivered,
            posting: None,
            post_after: Instant::now(),
            was_lost: false,
            office,
        }
    }

    fn say(&self, words: &str) {
        (self.office.options().say)(words);
    }

    pub async fn run(mut self, mut stop: oneshot::Receiver<()>) {
        let address = self.office.options().address.clone();
        let hall = address.hall.clone();
        let own = of_office(&hall, &self.id);
        let mut hear = of_all_tables(&hall);
        hear.extend([of_all_offices(&hall), of_pairings(&hall)]);
        let mut link = Link::keep(LinkOptions {
            hear,
            retry: self.office.options().retry,
            ..LinkOptions::new(address, format!("linecall-{hall}-hall-{}", self.id), (own.clone(), OFFLINE))
        });
        let mut changed = self.office.watch();
        let mut tick = tokio::time::interval(TICK);
        loop {
            tokio::select! {
                _ = &mut stop => break,
                heard = link.heard.recv() => match heard {
                    Some(heard) => self.hear(heard, &own).await,
                    None => break,
                },
                news = self.news.recv() => match news {
                    Some(news) => self.take_news(news),
                    None => break,
                },
                _ = tick.tick() => self.tend().await,
                told = changed.changed() => if told.is_ok() { self.give_due().await },
            }
        }
        if let Some(teller) = &self.teller {
            if let Ok(gone) = teller.keep(&own, OFFLINE.as_bytes().to_vec()).await {
                // The broker says it all the same, a little later.
                let _ = tokio::time::timeout(Duration::from_secs(1), gone.wait()).await;
            }
            teller.leave().await;
        }
    }

    async fn hear(&mut self, heard: Heard, own: &str) {
        match heard {
            Heard::Connected(teller) => {
                if std::mem::take(&mut self.was_lost) {
                    self.say("the broker is there again");
                }
                // What cannot be told now is told on the next connection.
                let _ = teller.keep(own, ONLINE.as_bytes().to_vec()).await;
                self.told_book = None;
                self.teller = Some(teller);
                self.office.change(|floor| {
                    floor.lost = None;
                    let now = Instant::now();
                    floor.orders.iter_mut().for_each(|given| given.due = now);
                });
            }
            Heard::Lost(why) => {
                self.teller = None;
                if !std::mem::replace(&mut self.was_lost, true) {
                    self.say(&format!("the broker is not there ({why}); tables go on by themselves"));
                }
                self.office.change(|floor| {
                    floor.lost = Some(why);
                    floor.offices.clear();
                });
            }
            Heard::Message(message) => self.take(message),
        }
    }

    fn take(&mut self, message: Message) {
        let hall = self.office.hall().to_owned();
        let Message { topic, payload } = message;
        if let Some((table, about)) = table_of(&hall, &topic) {
            self.take_of_table(table, about, &payload);
        } else if let Some(office) = office_of(&hall, &topic) {
            self.office.change(|floor| match payload == ONLINE.as_bytes() {
                true => floor.offices.insert(office.to_owned()),
                false => floor.offices.remove(office),
            });
        } else if topic == of_pairings(&hall) {
            self.take_book(&topic, &payload);
        }
    }

    /// Pairings of another office of this hall, where they are newer.
    fn take_book(&mut self, topic: &str, payload: &[u8]) {
        let key = self.office.key().public();
        let opened =
            Sealed::parse(payload).and_then(|sealed| sealed.opened(topic, &[key]).map(str::to_owned));
        let book = match opened {
            Ok(text) => serde_json::from_str::<Book>(&text).map_err(|error| error.to_string()),
            Err(error) => Err(error.to_string()),
        };
        match book {
            Ok(book) => self.office.change(|floor| {
                if book.revision > floor.book.revision {
                    floor.book = book;
                }
            }),
            Err(why) => self.say(&format!("pairings on the broker were not taken: {why}")),
        }
    }

    fn take_of_table(&mut self, table: &str, about: About, payload: &[u8]) {
        let name = table.to_owned();
        let wrong = |office: &Office, error: topics::PayloadError| {
            office.change(|floor| {
                floor.tables.entry(name.clone()).or_default().fault = Some(error.to_string())
            });
        };
        match about {
            About::Availability => self.office.change(|floor| {
                floor.tables.entry(table.to_owned()).or_default().online = payload == ONLINE.as_bytes();
            }),
            About::State => match topics::read::<TableState>(payload) {
                Ok(state) => {
                    let origin = state.ledger.clone();
                    let is_new = self.office.change(|floor| {
                        let view = floor.tables.entry(table.to_owned()).or_default();
                        view.heard = Some(state.at);
                        let is_new = !view.copies.contains_key(&origin.hash);
                        view.state = Some(state);
                        is_new
                    });
                    if is_new {
                        self.work(Job::Know { table: table.to_owned(), origin });
                    }
                }
                Err(error) => wrong(&self.office, error),
            },
            About::Entries => match topics::read::<EntryMessage>(payload) {
                Ok(message) => self.work(Job::Entry { table: table.to_owned(), message: Box::new(message) }),
                Err(error) => wrong(&self.office, error),
            },
            About::Ask => match topics::read::<AskMessage>(payload) {
                Ok(ask) => {
                    self.office
                        .change(|floor| floor.tables.entry(table.to_owned()).or_default().ask = Some(ask));
                }
                Err(error) => wrong(&self.office, error),
            },
            About::Answer => match topics::read::<Answer>(payload) {
                Ok(answer) => self.office.change(|floor| answered(floor, answer)),
                Err(error) => wrong(&self.office, error),
            },
            About::File => match topics::read::<FilePart>(payload) {
                Ok(part) => self.take_part(table, part),
                Err(error) => wrong(&self.office, error),
            },
            About::Command => {}
        }
    }

    /// Parts come in order; a file that is not what it is named is not taken.
    fn take_part(&mut self, table: &str, part: FilePart) {
        let key = (table.to_owned(), part.hash);
        if part.size > LARGEST_FILE {
            return;
        }
        let bytes = self.parts.entry(key.clone()).or_default();
        if part.offset == 0 {
            bytes.clear();
        }
        if bytes.len() as u64 != part.offset {
            return;
        }
        bytes.extend(part.bytes.0);
        if bytes.len() as u64 >= part.size
            && let Some(bytes) = self.parts.remove(&key)
            && Hash::of_bytes(&bytes) == part.hash
        {
            self.work(Job::Frame { table: table.to_owned(), ledger: part.ledger, bytes });
        }
    }

    fn work(&self, job: Job) {
        if self.jobs.send(job).is_err() {
            self.say("copies are not kept any more: start the hall again");
        }
    }

    fn take_news(&mut self, news: News) {
        match news {
            News::Head { table, ledger, head, gap, lacking, fault } => {
                let pairings = self.office.change(|floor| {
                    let view = floor.tables.entry(table.clone()).or_default();
                    let now = Instant::now();
                    let known = view.copies.get(&ledger);
                    let moved = match known {
                        Some(known) if known.head == head => known.moved,
                        _ => now,
                    };
                    // What is missing in between is asked for at once, and not again for a while.
                    let asked = known.and_then(|known| known.asked);
                    let moved =
                        if gap && asked.is_none_or(|at| now - at > BEHIND) { now - BEHIND } else { moved };
                    view.copies.insert(ledger, CopyView { head, lacking, moved, asked });
                    match fault {
                        Some(why) => {
                            view.fault = Some(format!("its entries are not as they were recorded: {why}"))
                        }
                        // What follows from the copy shows that it tells the truth again.
                        None if moved == now && !gap => view.fault = None,
                        None => {}
                    }
                    let of_match = |pairing: &&crate::hall::tournament::Pairing| {
                        assign::place_of(pairing).is_some_and(|(at, of, _)| at == table && of == ledger)
                    };
                    let of_match = floor.book.pairings.iter().filter(of_match);
                    of_match
                        .filter_map(|pairing| Some((pairing.id.clone(), assign::place_of(pairing)?.2)))
                        .collect::<Vec<_>>()
                });
                // Only the last one can still change.
                if let Some((pairing, match_number)) = pairings.into_iter().max_by_key(|(_, number)| *number)
                {
                    self.work(Job::Standing { pairing, table, ledger, match_number });
                }
            }
            News::Failed { table, why } => {
                self.office.change(|floor| floor.tables.entry(table).or_default().fault = Some(why));
            }
            News::Standing { pairing, table, ledger, head, playing } => {
                if !matches!(playing.status.as_str(), "won" | "undecided") {
                    return;
                }
                let outcome = outcome(table, ledger, head, *playing);
                let settled = self.office.with_book(|book| {
                    let is_of_person =
                        book.get(&pairing)?.outcome().is_some_and(|known| known.decided_by.is_some());
                    if is_of_person { Ok(false) } else { book.settle(&pairing, outcome) }
                });
                if let Err(error) = settled {
                    self.say(&error.to_string());
                }
            }
        }
    }

    async fn tend(&mut self) {
        let now = Instant::now();
        if self.office.look(|floor| !floor.orders.is_empty()) {
            self.office.lock().forget(now);
        }
        self.ask_for_what_lacks(now);
        let leads = self.office.look(|floor| floor.offices.first() == Some(&self.id));
        if leads && self.office.look(|floor| floor.book.automatic) {
            for (pairing, table) in self.office.look(assign::due) {
                if let Err(error) = self.office.assign(&pairing, &table, "the hall", false) {
                    self.say(&error.to_string());
                }
            }
        }
        self.give_due().await;
        self.keep_book().await;
        if leads {
            self.deliver().await;
        }
    }

    fn ask_for_what_lacks(&mut self, now: Instant) {
        let fetch = self.office.options().fetch_frames;
        let mut orders = Vec::new();
        for (name, table) in &mut self.office.lock().tables {
            let (Some(state), true) = (&table.state, table.online) else { continue };
            let (ledger, head) = (state.ledger.hash, state.head);
            let Some(copy) = table.copies.get_mut(&ledger) else { continue };
            let rested = now.duration_since(copy.moved) >= BEHIND
                && copy.asked.is_none_or(|at| now.duration_since(at) >= BEHIND);
            if !rested {
                continue;
            }
            if copy.head.seq < head.seq {
                copy.asked = Some(now);
                orders.push((name.clone(), ledger, Order::Entries { from: copy.head.seq + 1 }));
            } else if let Some(frame) = copy.lacking.first().filter(|_| fetch) {
                copy.asked = Some(now);
                orders.push((name.clone(), ledger, Order::File { hash: *frame }));
            }
        }
        for (table, ledger, order) in orders {
            let id = self.office.give(&table, ledger, "the hall", None, order);
            // Nobody answers these; they are asked again where they do not help.
            self.office.change(|floor| {
                if let Some(given) = floor.orders.iter_mut().find(|given| given.command.id == id) {
                    given.since = now.checked_sub(Duration::from_secs(590)).unwrap_or(now);
                }
            });
        }
    }

    /// Gives the commands whose time has come.
    async fn give_due(&mut self) {
        let Some(teller) = self.teller.clone() else { return };
        let now = Instant::now();
        let mut due = Vec::new();
        for given in &mut self.office.lock().orders {
            if given.answer.is_none() && given.due <= now {
                let once = !given.command.order.changes();
                given.due = now + if once { Duration::from_secs(3600) } else { AGAIN };
                due.push((given.topic.clone(), given.payload.clone()));
            }
        }
        for (topic, payload) in due {
            if teller.tell(&topic, payload).await.is_err() {
                return;
            }
        }
    }

    /// Writes the pairings to the disk, then tells other offices.
    async fn keep_book(&mut self) {
        let data = self.office.options().data.clone();
        let book = self.office.look(|floor| {
            let is_new =
                Some(floor.book.revision) != self.written_book || Some(floor.book.revision) != self.told_book;
            (is_new && floor.book.revision > 0).then(|| floor.book.clone())
        });
        let Some(book) = book else { return };
        let Ok(text) = serde_json::to_string(&book) else { return };
        if self.written_book != Some(book.revision) {
            let written = write_whole(&book_path(&data), text.as_bytes()).map_err(|error| error.to_string());
            if let Err(why) = written.and_then(|()| deliver::write_files(&data, &book)) {
                self.say(&format!("the pairings could not be written: {why}"));
                return;
            }
            self.written_book = Some(book.revision);
        }
        if let Some(teller) = &self.teller {
            let topic = of_pairings(self.office.hall());
            let sealed = self.office.key().seal(&topic, text);
            let payload = serde_json::to_vec(&sealed).unwrap_or_default();
            if teller.keep(&topic, payload).await.is_ok() {
                self.told_book = Some(book.revision);
            }
        }
    }

    /// Results to the broker and to the web address, one after the other.
    async fn deliver(&mut self) {
        if let Some(posting) = self.posting.take_if(|posting| posting.is_finished()) {
            match posting.await {
                Ok((row, Ok(()))) => self.delivered.done(&row),
                Ok((_, Err(why))) => {
                    self.say(&format!("a result could not be delivered: {why}"));
                    self.post_after = Instant::now() + DELIVER_AGAIN;
                }
                Err(_) => {}
            }
        }
        let (Some(teller), None) = (&self.teller, &self.posting) else { return };
        if self.post_after > Instant::now() {
            return;
        }
        let due = self.office.look(|floor| self.delivered.due(&floor.book));
        if due.len() != self.office.look(|floor| floor.undelivered) {
            self.office.change(|floor| floor.undelivered = due.len());
        }
        let Some(row) = due.into_iter().next() else { return };
        let topic = of_result(self.office.hall(), &row.id);
        let Ok(text) = serde_json::to_string(&row) else { return };
        let sealed = self.office.key().seal(&topic, text);
        if teller.keep(&topic, serde_json::to_vec(&sealed).unwrap_or_default()).await.is_err() {
            return;
        }
        match self.office.options().webhook.clone() {
            None => self.delivered.done(&row),
            Some(address) => {
                self.posting = Some(tokio::spawn(async move { (row, deliver::post(address, sealed).await) }));
            }
        }
    }
}

fn answered(floor: &mut Floor, answer: Answer) {
    let is_pairing = floor
        .book
        .pairings
        .iter()
        .any(|pairing| matches!(&pairing.stage, Stage::Sent { command, .. } if *command == answer.id));
    if is_pairing {
        floor.book.answered(&answer.id, answer.match_number.filter(|_| answer.done));
    }
    if let Some(given) = floor.orders.iter_mut().find(|given| given.command.id == answer.id) {
        given.answer = Some(answer);
        given.since = Instant::now();
    }
}

fn outcome(table: String, ledger: Hash, head: Head, playing: topics::Playing) -> Outcome {
    Outcome {
        status: playing.status,
        winner: playing.winner,
        sides: playing.sides,
        table: Some(table),
        ledger: Some(ledger),
        match_number: Some(playing.number),
        entry: Some(head.seq),
        entry_hash: Some(head.hash),
        decided_by: None,
        at: jiff::Timestamp::now(),
    }
}
