//! A video file, or a stream by its address, read by OpenCV in a process of its own.
//!
//! A file is a recording: every frame, in order. A stream is live: it belongs behind
//! [`super::NewestSource`], which opens it again when it breaks off.

mod decoder;
pub mod wire;

use std::{io::Read, path::Path, sync::Arc, time::Duration};

use image::RgbImage;

use decoder::Decoder;
pub use decoder::{Request, StreamRequest, program as decoder};
use wire::{Message, VideoHead};

use super::{
    Frame, FrameImage, Pace, Picture, Rates, Source, SourceError, SourceInfo, address::without_credentials,
    source::time_at, source::valid_rate,
};

/// A video, opened.
pub struct VideoSource {
    name: String,
    decoder: Decoder,
    pace: Pace,
    fps: f64,
    frames: Option<u64>,
    size: Option<[u32; 2]>,
    next: u64,
    last_time: Duration,
}

/// The rate of a video that does not state one.
const UNSTATED_FPS: f64 = 30.0;

impl VideoSource {
    /// Opens a video file.
    pub fn open(path: &Path) -> Result<Self, SourceError> {
        let name = path.display().to_string();
        let refused = |reason: String| SourceError::Open {
            name: name.clone(),
            reason,
            remedy: "give a video that OpenCV can read (MP4, AVI, MKV, …), or a folder of frames".to_owned(),
        };
        let start = start_of(path).map_err(|error| refused(error.to_string()))?;
        if !is_video(&start) {
            return Err(refused(NO_VIDEO.to_owned()));
        }
        Self::start(&name, &Request::File(path.to_owned()), Pace::Recorded, NO_VIDEO).map_err(refused)
    }

    /// Opens a stream by its address (`rtsp://…`, `http://…`).
    pub fn connect(stream: &StreamRequest) -> Result<Self, SourceError> {
        let request = Request::Stream(stream.clone());
        let address = stream.address.as_str();
        let shown = without_credentials(address);
        Self::start(&shown, &request, Pace::Live, "nothing answers, or it sends no video").map_err(|reason| {
            SourceError::Open {
                name: shown.clone(),
                reason: reason.replace(address, &shown),
                remedy: "check the address and that the camera is on the network".to_owned(),
            }
        })
    }

    /// `nothing`: what it means that there is no video.
    fn start(name: &str, request: &Request, pace: Pace, nothing: &str) -> Result<Self, String> {
        let mut decoder = Decoder::start(request)?;
        let head = match decoder.next() {
            Message::Head(head) => head,
            Message::Failed(reason) => return Err(reason),
            Message::Ended | Message::Frame(_) => return Err(nothing.to_owned()),
        };
        let VideoHead { version, fps, frames, size } = head;
        let expected = env!("CARGO_PKG_VERSION");
        if version != expected {
            return Err(format!("linecall-video is of version {version}, linecall of {expected}"));
        }
        let fps = fps.and_then(|fps| valid_rate(fps).ok()).unwrap_or(UNSTATED_FPS);
        let frames = frames.filter(|_| pace == Pace::Recorded);
        let name = name.to_owned();
        Ok(Self { name, decoder, pace, fps, frames, size, next: 0, last_time: Duration::ZERO })
    }

    /// No further frame. OpenCV does not tell an end from a failure, so that a file with much less
    /// than its header promises counts as broken off; the counts of some kinds are off by a few.
    fn ended(&self) -> Result<Option<Frame>, SourceError> {
        match (self.pace, self.frames) {
            (Pace::Live, _) => Err(self.broken_off("the stream ended".to_owned())),
            (_, Some(promised)) if self.next * 20 < promised * 19 => {
                Err(self.broken_off(format!("its header promises {promised} frames")))
            }
            _ => Ok(None),
        }
    }

    fn broken_off(&self, reason: String) -> SourceError {
        SourceError::BrokenOff { name: self.name.clone(), frames: self.next, reason }
    }

    /// The time that the video states, where it runs forward, else the time at its rate.
    fn time(&self, stated_ms: Option<f64>) -> Duration {
        let stated = stated_ms.and_then(|millis| Duration::try_from_secs_f64(millis / 1000.0).ok());
        match stated {
            Some(time) if self.next == 0 || time > self.last_time => time,
            _ if self.next == 0 => Duration::ZERO,
            _ => self.last_time + time_at(1, self.fps),
        }
    }
}

const NO_VIDEO: &str = "it is no video, or of an unknown kind";

/// The first bytes of a file: enough to know a video by.
fn start_of(path: &Path) -> std::io::Result<Vec<u8>> {
    let mut start = Vec::new();
    std::fs::File::open(path)?.take(16).read_to_end(&mut start)?;
    Ok(start)
}

/// Whether a file starts like a video: MP4 and MOV, AVI, MKV and WebM, MPEG, Ogg, FLV, WMV.
fn is_video(start: &[u8]) -> bool {
    const STARTS: [(usize, &[u8]); 11] = [
        (4, b"ftyp"),
        (4, b"moov"),
        (4, b"mdat"),
        (4, b"wide"),
        (8, b"AVI "),
        (0, b"\x1A\x45\xDF\xA3"),
        (0, b"\x00\x00\x01\xBA"),
        (0, b"\x47"),
        (0, b"OggS"),
        (0, b"FLV\x01"),
        (0, b"\x30\x26\xB2\x75"),
    ];
    STARTS.iter().any(|(at, mark)| start.get(*at..).is_some_and(|rest| rest.starts_with(mark)))
}

impl Source for VideoSource {
    fn next(&mut self) -> Result<Option<Frame>, SourceError> {
        let index = self.next;
        let head = match self.decoder.next() {
            Message::Frame(head) => head,
            Message::Failed(reason) => return Err(self.broken_off(reason)),
            Message::Ended | Message::Head(_) => return self.ended(),
        };
        let pixels = self.decoder.pixels(&head).map_err(|reason| self.broken_off(reason))?;
        let [width, height] = head.size;
        let Some(rgb) = RgbImage::from_raw(width, height, pixels) else { return self.ended() };
        let since_start = self.time(head.stated_ms);
        self.last_time = since_start;
        self.next += 1;
        Ok(Some(Frame {
            index,
            since_start,
            name: format!("{} frame {index}", self.name).into(),
            image: FrameImage::Decoded(Arc::new(Picture::new(rgb))),
        }))
    }

    fn about(&self) -> SourceInfo {
        SourceInfo {
            name: self.name.clone(),
            pace: self.pace,
            size: self.size,
            frames: self.frames,
            remarks: Vec::new(),
        }
    }

    fn rates(&self) -> Rates {
        Rates::recorded(self.next, Some(self.fps))
    }
}
