//! The connection to a broker: what is heard, what is told, and coming back after a break.
//!
//! Every connection begins anew, with nothing kept from the one before: what has to arrive is told
//! again from where it is recorded, not from a queue in memory.

use std::time::Duration;

use rumqttc::{
    AsyncClient, Event, LastWill, Packet, PublishNotice, PublishOptions, QoS, SubscribeFilterInput,
};
use tokio::{sync::mpsc, task::JoinHandle};

use super::{address::HallAddress, topics::MAX_PACKET_BYTES};

/// How a broker is kept.
#[derive(Debug, Clone)]
pub struct LinkOptions {
    pub address: HallAddress,
    /// The same for the same table: a new connection ends the one before.
    pub client_id: String,
    /// Told by the broker when the connection breaks: topic and payload, retained.
    pub will: (String, &'static str),
    pub hear: Vec<String>,
    /// The shortest and the longest wait before the broker is tried again.
    pub retry: (Duration, Duration),
    /// A connection without a word for this long and a half is dead, s. Default 10.
    pub keep_alive_secs: u16,
}

impl LinkOptions {
    pub fn new(address: HallAddress, client_id: String, will: (String, &'static str)) -> LinkOptions {
        let retry = (Duration::from_millis(200), Duration::from_secs(5));
        LinkOptions { address, client_id, will, hear: Vec::new(), retry, keep_alive_secs: 10 }
    }
}

/// What a connection brings.
pub enum Heard {
    /// Connected, and everything asked for is heard from now on.
    Connected(Teller),
    Message(Message),
    /// Why the connection broke, or could not be made.
    Lost(String),
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Message {
    pub topic: String,
    pub payload: Vec<u8>,
}

/// Tells things on one connection.
#[derive(Clone)]
pub struct Teller {
    client: AsyncClient,
}

/// The connection broke: what was told may not have arrived.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the connection to the broker broke")]
pub struct Broken;

/// Done when the broker has acknowledged a message.
pub struct Told(PublishNotice);

impl Told {
    pub async fn wait(self) -> Result<(), Broken> {
        self.0.wait_async().await.map(|_| ()).map_err(|_| Broken)
    }
}

impl Teller {
    pub async fn tell(&self, topic: &str, payload: Vec<u8>) -> Result<Told, Broken> {
        self.publish(topic, payload, false).await
    }

    /// The broker keeps it for those who come later.
    pub async fn keep(&self, topic: &str, payload: Vec<u8>) -> Result<Told, Broken> {
        self.publish(topic, payload, true).await
    }

    async fn publish(&self, topic: &str, payload: Vec<u8>, retain: bool) -> Result<Told, Broken> {
        let options = PublishOptions::new(QoS::AtLeastOnce).retain(retain);
        self.client.publish_tracked(topic.to_owned(), payload, options).await.map(Told).map_err(|_| Broken)
    }

    /// Says goodbye, so that the broker does not tell the last will.
    pub async fn leave(&self) {
        // Who cannot be told is gone already.
        let _ = self.client.disconnect().await;
    }
}

/// A broker that is kept; let go when dropped.
pub struct Link {
    task: JoinHandle<()>,
    pub heard: mpsc::UnboundedReceiver<Heard>,
}

impl Drop for Link {
    fn drop(&mut self) {
        self.task.abort();
    }
}

impl Link {
    /// Connects, and connects again whenever that breaks. Must be called within a runtime.
    pub fn keep(options: LinkOptions) -> Link {
        let (sender, heard) = mpsc::unbounded_channel();
        Link { task: tokio::spawn(keep(options, sender)), heard }
    }
}

async fn keep(options: LinkOptions, heard: mpsc::UnboundedSender<Heard>) {
    let (shortest, longest) = options.retry;
    let mut wait = shortest;
    for attempt in rand::random_range(0..options.address.brokers.len().max(1)).. {
        let mut was_connected = false;
        let why = connection(&options, attempt, &heard, &mut was_connected).await;
        if heard.send(Heard::Lost(why)).is_err() {
            return;
        }
        wait = if was_connected { shortest } else { (wait * 2).min(longest) };
        // Forty tables do not come back in the same moment.
        tokio::time::sleep(wait.mul_f64(rand::random_range(0.5..1.0))).await;
    }
}

/// One connection until it breaks. Says why.
async fn connection(
    options: &LinkOptions,
    attempt: usize,
    heard: &mpsc::UnboundedSender<Heard>,
    was_connected: &mut bool,
) -> String {
    let mut mqtt = match options.address.options(&options.client_id, attempt) {
        Ok(mqtt) => mqtt,
        Err(why) => return why,
    };
    let (topic, payload) = &options.will;
    mqtt.set_keep_alive(options.keep_alive_secs)
        .set_clean_session(true)
        .set_max_packet_size(MAX_PACKET_BYTES, MAX_PACKET_BYTES)
        .set_last_will(LastWill::new(topic.clone(), *payload, QoS::AtLeastOnce, true));
    let (client, mut events) = AsyncClient::builder(mqtt).capacity(64).build();
    loop {
        let event = match events.poll().await {
            Ok(event) => event,
            Err(error) => return error.to_string(),
        };
        let connected = match event {
            Event::Incoming(Packet::ConnAck(_)) if options.hear.is_empty() => true,
            Event::Incoming(Packet::ConnAck(_)) => {
                let filters = options
                    .hear
                    .iter()
                    .map(|topic| SubscribeFilterInput::new(topic.clone(), QoS::AtLeastOnce));
                if let Err(error) = client.try_subscribe_many(filters) {
                    return error.to_string();
                }
                false
            }
            Event::Incoming(Packet::SubAck(_)) => true,
            Event::Incoming(Packet::Publish(publish)) => {
                let topic = String::from_utf8_lossy(&publish.topic).into_owned();
                let message = Message { topic, payload: publish.payload.to_vec() };
                if heard.send(Heard::Message(message)).is_err() {
                    return "nobody listens any more".to_owned();
                }
                false
            }
            _ => false,
        };
        if connected {
            *was_connected = true;
            if heard.send(Heard::Connected(Teller { client: client.clone() })).is_err() {
                return "nobody listens any more".to_owned();
            }
        }
    }
}
