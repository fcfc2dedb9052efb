//! Brokers as processes of their own: started, killed, started again on the same port.

use std::{
    net::{TcpListener, TcpStream},
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    time::Duration,
};

const INSTALL: &str = "run  make test, which installs the brokers, or apt-get install mosquitto nats-server";

/// A port that nothing listens on.
pub fn free_port() -> u16 {
    TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port()
}

fn program(name: &str) -> PathBuf {
    let own = PathBuf::from("/usr/sbin").join(name);
    if own.exists() { own } else { PathBuf::from(name) }
}

/// A broker's process, with what it takes to start it again.
pub struct Broker {
    pub port: u16,
    program: &'static str,
    arguments: Vec<String>,
    child: Option<Child>,
    _folder: tempfile::TempDir,
}

impl Broker {
    /// Mosquitto with nothing kept on the disk: what a hall has does not hang on the broker.
    pub fn mosquitto() -> Broker {
        Broker::mosquitto_with("allow_anonymous true\n", |_| {})
    }

    pub fn mosquitto_with(more: &str, prepare: impl FnOnce(&Path)) -> Broker {
        let folder = tempfile::tempdir().unwrap();
        prepare(folder.path());
        let port = free_port();
        let more = more.replace("FOLDER", &folder.path().display().to_string());
        let config = folder.path().join("mosquitto.conf");
        let text = format!(
            "listener {port} 127.0.0.1\npersistence false\nmax_queued_messages 100000\nlog_type error\n{more}"
        );
        std::fs::write(&config, text).unwrap();
        let arguments = vec!["-c".to_owned(), config.display().to_string()];
        let mut broker = Broker { port, program: "mosquitto", arguments, child: None, _folder: folder };
        broker.start();
        broker
    }

    /// Three nodes of NATS with JetStream, each of which speaks MQTT.
    pub fn nats_cluster() -> Vec<Broker> {
        let ports: Vec<[u16; 3]> = (0..3).map(|_| [free_port(), free_port(), free_port()]).collect();
        let routes: Vec<String> =
            ports.iter().map(|[_, _, route]| format!("nats-route://127.0.0.1:{route}")).collect();
        let mut nodes: Vec<Broker> = ports
            .iter()
            .enumerate()
            .map(|(number, [client, mqtt, route])| {
                let folder = tempfile::tempdir().unwrap();
                let store = folder.path().join("store");
                let config = folder.path().join("nats.conf");
                let text = format!(
                    "server_name: n{number}\nlisten: \"127.0.0.1:{client}\"\nmax_payload: 8388608\n\
                     jetstream {{ store_dir: \"{}\", max_mem: 256MB, max_file: 1GB }}\nmqtt {{ listen: \"127.0.0.1:{mqtt}\" }}\n\
                     cluster {{ name: hall, listen: \"127.0.0.1:{route}\", routes: [{}] }}\n",
                    store.display(),
                    routes.join(", ")
                );
                std::fs::write(&config, text).unwrap();
                let arguments = vec!["-c".to_owned(), config.display().to_string()];
                Broker { port: *mqtt, program: "nats-server", arguments, child: None, _folder: folder }
            })
            .collect();
        nodes.iter_mut().for_each(Broker::spawn);
        nodes.iter().for_each(Broker::wait);
        nodes
    }

    pub fn start(&mut self) {
        self.spawn();
        self.wait();
    }

    fn spawn(&mut self) {
        let child = Command::new(program(self.program))
            .args(&self.arguments)
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap_or_else(|error| panic!("{} does not start: {error}; {INSTALL}", self.program));
        self.child = Some(child);
    }

    fn wait(&self) {
        for _ in 0..600 {
            if TcpStream::connect(("127.0.0.1", self.port)).is_ok() {
                return;
            }
            std::thread::sleep(Duration::from_millis(50));
        }
        panic!("{} does not listen", self.program);
    }

    /// As with kill -9.
    pub fn kill(&mut self) {
        if let Some(mut child) = self.child.take() {
            child.kill().unwrap();
            child.wait().unwrap();
        }
    }
}

impl Drop for Broker {
    fn drop(&mut self) {
        self.kill();
    }
}
