//! A video file, or a stream by its address, read by OpenCV.
//!
//! A file is a recording: every frame, in order. A stream is live: it belongs behind
//! [`super::NewestSource`], which opens it again when it breaks off.

use std::{io::Read, path::Path, sync::Arc, time::Duration};

use image::RgbImage;
use opencv::{
    core::{LogLevel, Mat, Vector, set_log_level},
    imgproc::{COLOR_BGR2RGB, cvt_color_def},
    prelude::*,
    videoio::{
        CAP_ANY, CAP_FFMPEG, CAP_PROP_FPS, CAP_PROP_FRAME_COUNT, CAP_PROP_FRAME_HEIGHT, CAP_PROP_FRAME_WIDTH,
        CAP_PROP_OPEN_TIMEOUT_MSEC, CAP_PROP_POS_MSEC, CAP_PROP_READ_TIMEOUT_MSEC, VideoCapture,
    },
};

use super::{
    Frame, FrameImage, Pace, Picture, Rates, Source, SourceError, SourceInfo, source::time_at,
    source::valid_rate,
};

/// A video, opened.
pub struct VideoSource {
    name: String,
    capture: VideoCapture,
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
            return Err(refused("it is no video, or of an unknown kind".to_owned()));
        }
        silence();
        let capture = VideoCapture::from_file(path, CAP_ANY).map_err(|error| refused(error.message))?;
        Self::reading(name.clone(), capture, Pace::Recorded)?
            .ok_or_else(|| refused("it is no video, or of an unknown kind".to_owned()))
    }

    /// Opens a stream by its address (`rtsp://…`, `http://…`). `timeout`: how long opening and
    /// each frame may take.
    pub fn connect(address: &str, timeout: Duration) -> Result<Self, SourceError> {
        let refused = |reason: String| SourceError::Open {
            name: address.to_owned(),
            reason,
            remedy: "check the address and that the camera is on the network".to_owned(),
        };
        silence();
        let millis = i32::try_from(timeout.as_millis()).unwrap_or(i32::MAX);
        let timeouts =
            Vector::from_slice(&[CAP_PROP_OPEN_TIMEOUT_MSEC, millis, CAP_PROP_READ_TIMEOUT_MSEC, millis]);
        let capture = VideoCapture::from_file_with_params(address, CAP_FFMPEG, &timeouts)
            .map_err(|error| refused(error.message))?;
        Self::reading(address.to_owned(), capture, Pace::Live)?
            .ok_or_else(|| refused("nothing answers, or it sends no video".to_owned()))
    }

    fn reading(name: String, capture: VideoCapture, pace: Pace) -> Result<Option<Self>, SourceError> {
        if !capture.is_opened().unwrap_or(false) {
            return Ok(None);
        }
        let property = |id| capture.get(id).ok().filter(|value| value.is_finite() && *value >= 1.0);
        let side = |id| property(id).map(|pixels| pixels as u32);
        let fps = property(CAP_PROP_FPS).and_then(|fps| valid_rate(fps).ok()).unwrap_or(UNSTATED_FPS);
        let frames = property(CAP_PROP_FRAME_COUNT).map(|frames| frames as u64);
        let size = side(CAP_PROP_FRAME_WIDTH).zip(side(CAP_PROP_FRAME_HEIGHT)).map(|(w, h)| [w, h]);
        let frames = frames.filter(|_| pace == Pace::Recorded);
        Ok(Some(Self { name, capture, pace, fps, frames, size, next: 0, last_time: Duration::ZERO }))
    }

    fn read(&mut self) -> opencv::Result<Option<RgbImage>> {
        let mut bgr = Mat::default();
        if !self.capture.read(&mut bgr)? || bgr.empty() {
            return Ok(None);
        }
        let mut rgb = Mat::default();
        cvt_color_def(&bgr, &mut rgb, COLOR_BGR2RGB)?;
        let size = [rgb.cols(), rgb.rows()].map(|side| u32::try_from(side).unwrap_or(0));
        Ok(RgbImage::from_raw(size[0], size[1], rgb.data_bytes()?.to_vec()))
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
    fn time(&self) -> Duration {
        let stated = self.capture.get(CAP_PROP_POS_MSEC).ok().filter(|millis| *millis > 0.0);
        let stated = stated.and_then(|millis| Duration::try_from_secs_f64(millis / 1000.0).ok());
        match stated {
            Some(time) if self.next == 0 || time > self.last_time => time,
            _ if self.next == 0 => Duration::ZERO,
            _ => self.last_time + time_at(1, self.fps),
        }
    }
}

/// OpenCV writes what it tries and fails to standard error; we say it once, in our words.
fn silence() {
    // It only fails for a level that does not exist.
    let _ = set_log_level(LogLevel::LOG_LEVEL_SILENT);
}

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
        let rgb = match self.read() {
            Ok(Some(rgb)) => rgb,
            Ok(None) => return self.ended(),
            Err(error) => return Err(self.broken_off(error.message)),
        };
        let since_start = self.time();
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
