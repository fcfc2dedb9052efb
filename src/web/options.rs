//! How the site works.

use std::{net::SocketAddr, path::PathBuf, sync::Arc};

use tokio::sync::Semaphore;

use super::tries::TryLimits;
use crate::{
    board::BoardFile,
    camera::CameraFile,
    capture::{PhotoLimits, SentFrames},
    home::{CurrentFrame, DataFolderError, Home, Tell},
    reach::Tls,
    score::ScoreOptions,
};

/// Takes the camera file that set-up has written, for a loop that runs.
pub type TakeCamera = Arc<dyn Fn(CameraFile) + Send + Sync>;

#[derive(Clone)]
pub struct WebOptions {
    /// What is not recorded (pieces in motion, rates) is told at most once in this time, ms. Default
    /// 200: five times a second looks live, and a loop of 30 frames a second costs watchers nothing
    /// more. What is recorded is told at once.
    pub calm_ms: u64,
    /// How often a quiet stream says that it lives, s. Default 10: pages reconnect after 25 s of silence.
    pub beat_secs: u64,
    /// Largest JSON body, bytes. Default 256 KiB: a frame has at most 64 pieces.
    pub max_json_bytes: usize,
    /// Frames that the state lists, the newest. Default 12: what a page shows; `/api/log` has all.
    pub frames_shown: usize,
    pub uploads: UploadLimits,
    /// Wrong PINs that are heard.
    pub tries: TryLimits,
    /// Boards beside those that ship.
    pub boards: Vec<BoardFile>,
    pub setup: SetupFiles,
    pub score: ScoreOptions,
    /// The camera's newest frame, where one runs.
    pub current_frame: Option<CurrentFrame>,
    /// Told of a camera that was set up anew, where one runs.
    pub take_camera: Option<TakeCamera>,
    /// Where a phone's pictures go, where a phone is the camera.
    pub phone: Option<PhoneCamera>,
    pub connections: ConnectionLimits,
    /// The whole program, where the page is all of it: cameras are chosen and evenings kept.
    pub home: Option<Arc<Home>>,
    /// HTTPS; connections from this machine may do without.
    pub tls: Option<Tls>,
    /// Where it listens; known once it does.
    pub listening: Option<SocketAddr>,
    /// The name that the network knows this machine by, where it was announced.
    pub named: Option<&'static str>,
    /// Opens the page to the network or closes it again, where a person may choose.
    pub network: Option<NetworkSwitch>,
    /// Makes another PIN for the network, where this page is on this machine only.
    pub new_pin: Option<NewPin>,
    /// Says something to whoever started the program.
    pub tell: Option<Tell>,
}

/// Whether the network may connect, and how.
#[derive(Debug, Clone, Default, PartialEq, Eq, serde::Serialize)]
pub struct NetworkView {
    pub on: bool,
    pub links: Vec<String>,
    /// The referee's PIN, where it is new: it is shown once.
    pub pin: Option<String>,
}

pub type NewPin = Arc<dyn Fn() -> Result<String, DataFolderError> + Send + Sync>;

/// Opens or closes the page to the network; without a choice it tells how it stands.
pub type NetworkSwitch = Arc<dyn Fn(Option<bool>) -> Result<NetworkView, String> + Send + Sync>;
/// A phone as the camera, by the page `/camera`.
#[derive(Debug, Clone)]
pub struct PhoneCamera {
    pub frames: SentFrames,
    /// The size that its pictures must have: that of the camera file.
    pub size: [u32; 2],
    /// Largest picture, bytes. Default 8 MiB: a sharp JPEG of 4K.
    pub max_bytes: usize,
    /// One phone at a time.
    pub(super) place: Arc<Semaphore>,
}

impl PhoneCamera {
    pub fn new(frames: SentFrames, size: [u32; 2]) -> Self {
        Self { frames, size, max_bytes: 8 << 20, place: Arc::new(Semaphore::new(1)) }
    }
}

/// What a connection may cost.
#[derive(Debug, Clone)]
pub struct ConnectionLimits {
    /// Connections at once; further ones wait until one ends. Default 1024: every watcher holds one,
    /// a browser opens up to six, and a process has 1024 files by default elsewhere, too.
    pub at_once: usize,
    /// Connections at once from one address on the network; further ones are closed. Default 64: a
    /// club's whole room behind one router still fits.
    pub at_once_each: usize,
    /// The same from this machine. Default 512: a proxy on it brings everybody, and half is left for others.
    pub at_once_here: usize,
    /// Of an address's connections, those that may be streams of states, which stay open. Default 24 of 64, and
    /// likewise from this machine.
    pub streams_share: f64,
    /// A request's head must be there within so many seconds. Default 10.
    pub head_secs: u64,
    /// A request's body must be there within so many seconds. Default 120: a photo of 40 MB at
    /// 3 Mbit/s.
    pub body_secs: u64,
}

/// What an uploaded photo may cost.
#[derive(Debug, Clone)]
pub struct UploadLimits {
    /// Largest request, bytes. Default 40 MiB: above what phones take.
    pub max_bytes: usize,
    /// Largest picture, megapixels. Default 64: decoded 200 MB; a file that claims more is refused
    /// before it is decoded.
    pub max_megapixels: f64,
    /// Photos kept for their pages, the newest. Default 4, at up to 200 MB each.
    pub kept: usize,
    /// Photos measured at the same time. Default 1; others wait their turn.
    pub at_once: usize,
}

/// Where set-up writes. Without a file the page offers a download instead.
#[derive(Debug, Clone, Default)]
pub struct SetupFiles {
    pub camera: Option<PathBuf>,
    pub colours: Option<PathBuf>,
}

impl Default for ConnectionLimits {
    fn default() -> Self {
        Self {
            at_once: 1024,
            at_once_each: 64,
            at_once_here: 512,
            streams_share: 0.375,
            head_secs: 10,
            body_secs: 120,
        }
    }
}

impl Default for UploadLimits {
    fn default() -> Self {
        Self { max_bytes: 40 << 20, max_megapixels: 64.0, kept: 4, at_once: 1 }
    }
}

impl UploadLimits {
    pub(super) fn photo(&self) -> PhotoLimits {
        PhotoLimits {
            max_megapixels: self.max_megapixels,
            max_bytes: self.max_bytes as u64,
            ..PhotoLimits::default()
        }
    }
}

impl Default for WebOptions {
    fn default() -> Self {
        Self {
            calm_ms: 200,
            beat_secs: 10,
            max_json_bytes: 256 << 10,
            frames_shown: 12,
            uploads: UploadLimits::default(),
            tries: TryLimits::default(),
            boards: Vec::new(),
            setup: SetupFiles::default(),
            score: ScoreOptions::default(),
            current_frame: None,
            take_camera: None,
            phone: None,
            connections: ConnectionLimits::default(),
            home: None,
            tls: None,
            listening: None,
            named: None,
            network: None,
            new_pin: None,
            tell: None,
        }
    }
}
