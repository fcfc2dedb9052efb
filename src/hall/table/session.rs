//! The table's loop: what changes is told, what comes is done.

use std::{collections::VecDeque, path::Path, time::Duration};

use tokio::{
    sync::{broadcast, oneshot},
    time::{Instant, sleep_until},
};

use super::{
    OutboxError, TableOptions, ask, discovery,
    execute::{self, Executor},
    outbox::Outbox,
    state,
};
use crate::{
    desk::{Change, Desk},
    hall::{
        command::{Command, Order},
        link::{Heard, Link, LinkOptions, Message, Teller},
        topics::{About, FilePart, OFFLINE, ONLINE, PART_BYTES, Refused, VERSION, of_table},
    },
    ledger::{CarriedFile, Hash, Origin},
};

/// How often it is noted how far the ledger has been told.
const NOTE_EVERY: Duration = Duration::from_secs(1);
/// How often the state is told although nothing has changed: so that a hall sees that a table lives.
const BEAT: Duration = Duration::from_secs(10);

pub struct Session {
    desk: Desk,
    options: TableOptions,
    ledger: Origin,
    outbox: Outbox,
    executor: Executor,
    refused: Refused,
    teller: Option<Teller>,
    /// The questions that were told last.
    asked: Option<Vec<u64>>,
    /// When the state is to be told next.
    state_due: Instant,
    /// Parts of files that were asked for.
    parts: VecDeque<(Hash, Hash, Vec<u8>, usize)>,
    was_lost: bool,
}

impl Session {
    pub fn new(desk: Desk, options: TableOptions, path: &Path) -> Result<Session, OutboxError> {
        let topic = |about| of_table(&options.address.hall, &options.table, about);
        let hall = options.address.to_string();
        let outbox = Outbox::open(path, &hall, topic(About::Entries), options.window)?;
        let (ledger, entries) =
            desk.with_ledger(|ledger| Ok::<_, OutboxError>((ledger.origin()?, ledger.entries()?)))?;
        let executor = Executor::new(
            topic(About::Command),
            options.keys.clone(),
            options.games.clone(),
            ledger.hash,
            &entries,
        );
        Ok(Session {
            desk,
            options,
            ledger,
            outbox,
            executor,
            refused: Refused::default(),
            teller: None,
            asked: None,
            state_due: Instant::now(),
            parts: VecDeque::new(),
            was_lost: false,
        })
    }

    pub async fn run(mut self, mut stop: oneshot::Receiver<()>) {
        // Subscribed before the first look, so that nothing falls between them.
        let mut changes = self.desk.subscribe();
        let hall = &self.options.address.hall;
        let link = LinkOptions {
            hear: vec![self.topic(About::Command)],
            retry: self.options.retry,
            ..LinkOptions::new(
                self.options.address.clone(),
                format!("linecall-{hall}-{}", self.options.table),
                (self.topic(About::Availability), OFFLINE),
            )
        };
        let mut link = Link::keep(link);
        let mut note_due = Instant::now() + NOTE_EVERY;
        loop {
            tokio::select! {
                _ = &mut stop => break,
                heard = link.heard.recv() => match heard {
                    Some(heard) => self.hear(heard).await,
                    None => break,
                },
                change = changes.recv() => match change {
                    Ok(Change { recorded, .. }) => self.changed(recorded),
                    Err(broadcast::error::RecvError::Lagged(_)) => self.changed(true),
                    Err(broadcast::error::RecvError::Closed) => break,
                },
                told = self.outbox.acknowledged() => if told.is_err() {
                    self.outbox.begin_again();
                    self.teller = None;
                },
                () = sleep_until(self.state_due), if self.teller.is_some() => self.tell_state().await,
                () = sleep_until(note_due) => {
                    self.outbox.note();
                    note_due = Instant::now() + NOTE_EVERY;
                }
            }
            self.go_on().await;
        }
        self.outbox.note();
        if let Some(teller) = &self.teller {
            let gone = teller.keep(&self.topic(About::Availability), OFFLINE.as_bytes().to_vec()).await;
            if let Ok(gone) = gone {
                // The broker says it all the same, a little later.
                let _ = tokio::time::timeout(Duration::from_secs(1), gone.wait()).await;
            }
            teller.leave().await;
        }
    }

    fn topic(&self, about: About) -> String {
        of_table(&self.options.address.hall, &self.options.table, about)
    }

    fn say(&self, words: &str) {
        (self.options.say)(words);
    }

    /// What is recorded is told at once; the rest can wait a moment.
    fn changed(&mut self, recorded: bool) {
        let now = Instant::now();
        let due = if recorded { now } else { now + self.options.calm };
        self.state_due = self.state_due.min(due);
    }

    /// Hands over what there is to tell.
    async fn go_on(&mut self) {
        let Some(teller) = self.teller.clone() else { return };
        if let Err(error) = self.outbox.pump(&teller).await {
            self.say(&error.to_string());
        }
        if let Some((ledger, hash, bytes, offset)) = self.parts.pop_front() {
            let end = (offset + PART_BYTES).min(bytes.len());
            let part = FilePart {
                v: VERSION,
                ledger,
                hash,
                size: bytes.len() as u64,
                offset: offset as u64,
                bytes: CarriedFile(bytes[offset..end].to_vec()),
            };
            if self.tell(About::File, &part, false).await && end < bytes.len() {
                self.parts.push_front((ledger, hash, bytes, end));
            }
            // There is more, or there may be: the loop comes back at once.
            self.state_due = self.state_due.min(Instant::now() + Duration::from_millis(20));
        }
    }

    /// Whether it could be handed over.
    async fn tell(&self, about: About, payload: &impl serde::Serialize, keep: bool) -> bool {
        let (Some(teller), Ok(payload)) = (&self.teller, serde_json::to_vec(payload)) else { return false };
        let topic = self.topic(about);
        let told = match keep {
            true => teller.keep(&topic, payload).await,
            false => teller.tell(&topic, payload).await,
        };
        told.is_ok()
    }

    async fn hear(&mut self, heard: Heard) {
        match heard {
            Heard::Connected(teller) => {
                if std::mem::take(&mut self.was_lost) {
                    self.say(&format!("{} is there again", self.options.address));
                }
                self.outbox.begin_again();
                self.asked = None;
                let availability = self.topic(About::Availability);
                // What cannot be told now is told on the next connection.
                let _ = teller.keep(&availability, ONLINE.as_bytes().to_vec()).await;
                for (topic, config) in discovery::messages(&self.options) {
                    let _ = teller.keep(&topic, config.to_string().into_bytes()).await;
                }
                self.teller = Some(teller);
                self.tell_state().await;
            }
            Heard::Lost(why) => {
                self.teller = None;
                self.outbox.begin_again();
                if !std::mem::replace(&mut self.was_lost, true) {
                    let hall = &self.options.address;
                    self.say(&format!(
                        "{hall} is not there ({why}); the match goes on, the hall hears of it later"
                    ));
                }
            }
            Heard::Message(message) => self.command(&message).await,
        }
    }

    async fn tell_state(&mut self) {
        self.state_due = Instant::now() + BEAT;
        let desk_state = self.desk.state();
        let state = state::of(&self.desk, &desk_state, &self.ledger, &self.options, &self.refused);
        self.tell(About::State, &state, true).await;
        let open: Vec<u64> = desk_state.pending.iter().map(|pending| pending.id).collect();
        if self.asked.as_ref() != Some(&open)
            && let Some((ledger, _)) = self.outbox.present()
        {
            let revision = desk_state.revision;
            let questions = ask::of(&self.desk, &desk_state.pending, ledger, self.ledger.hash, revision);
            if self.tell(About::Ask, &questions, true).await {
                self.asked = Some(open);
            }
        }
    }

    async fn command(&mut self, message: &Message) {
        let command = match self.executor.read(&message.payload) {
            Ok(command) => command,
            Err(refusal) => {
                self.refused.count += 1;
                self.refused.last = Some(refusal.to_string());
                self.say(&refusal.to_string());
                self.changed(true);
                return;
            }
        };
        match &command.order {
            Order::Entries { from } => self.outbox.rewind(&command.ledger, *from),
            Order::File { hash } => self.send_file(&command, hash).await,
            _ => {
                let answer = self.executor.execute(&self.desk, &command);
                if !answer.done {
                    self.say(&format!("the hall's {} was not done: {}", command.order.words(), answer.words));
                }
                self.tell(About::Answer, &answer, false).await;
            }
        }
    }

    async fn send_file(&mut self, command: &Command, hash: &Hash) {
        let asked = self.parts.iter().any(|(_, known, ..)| known == hash);
        let read = self.outbox.ledger(&command.ledger).map(|ledger| ledger.file(hash));
        match read {
            Some(Ok(bytes)) if !asked => self.parts.push_back((command.ledger, *hash, bytes, 0)),
            Some(Err(error)) => {
                self.tell(About::Answer, &execute::no_file(&command.id, &error), false).await;
            }
            _ => {}
        }
    }
}
