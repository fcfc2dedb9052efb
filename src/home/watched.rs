//! What is watched, as a person names it, and how it is opened.

use std::path::PathBuf;

use crate::capture::{
    DeviceOptions, Driver, LiveOptions, PacedSource, RecordingOptions, SentFrames, Source, SourceError, Wish,
    is_stream, open_device, open_recording, open_stream, without_credentials,
};

#[derive(Clone, PartialEq, Eq)]
pub enum WatchedSource {
    /// A camera of this computer, by its number.
    Device(u32),
    /// A network camera's address.
    Stream(String),
    /// A video file or a folder of frames.
    Recording(PathBuf),
    /// A phone whose browser sends its camera's pictures.
    Phone,
}

/// How a source is opened.
#[derive(Debug, Clone)]
pub struct Opening {
    /// Width and height that a camera is asked for.
    pub size: [u32; 2],
    /// Frames a second that a camera is asked for, or that a folder of frames was taken with.
    pub fps: f64,
    pub driver: Driver,
    /// The frame that a recording begins with.
    pub first_frame: u64,
}

impl Default for Opening {
    fn default() -> Self {
        let Wish { size, fps, .. } = Wish::default();
        Self { size, fps, driver: Driver::default(), first_frame: 0 }
    }
}

/// How a phone's camera is named.
const PHONE: &str = "phone";

impl WatchedSource {
    pub fn open(&self, how: &Opening, phone: &SentFrames) -> Result<Box<dyn Source>, SourceError> {
        Ok(match self {
            WatchedSource::Device(device) => {
                let wish = Wish { size: how.size, fps: how.fps, ..Wish::default() };
                let options =
                    DeviceOptions { device: *device, wish, driver: how.driver, ..DeviceOptions::default() };
                open_device(&options)?
            }
            WatchedSource::Stream(address) => open_stream(address, &LiveOptions::default())?,
            WatchedSource::Recording(path) => {
                let recording = open_recording(path, &RecordingOptions { folder_fps: how.fps })?;
                Box::new(PacedSource::new(recording, how.first_frame))
            }
            WatchedSource::Phone => Box::new(phone.source(PHONE, LiveOptions::default())?),
        })
    }

    pub fn is_recording(&self) -> bool {
        matches!(self, WatchedSource::Recording(_))
    }

    /// As it is kept and read again; an address with its password.
    pub fn text(&self) -> String {
        match self {
            WatchedSource::Device(device) => device.to_string(),
            WatchedSource::Stream(address) => address.clone(),
            WatchedSource::Recording(path) => path.display().to_string(),
            WatchedSource::Phone => PHONE.to_owned(),
        }
    }

    /// For people; without a password.
    pub fn words(&self) -> String {
        match self {
            WatchedSource::Device(device) => format!("camera {device}"),
            WatchedSource::Stream(address) => without_credentials(address),
            WatchedSource::Recording(path) => {
                path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned()
            }
            WatchedSource::Phone => "a phone".to_owned(),
        }
    }
}

// An address may have a password in it.
impl std::fmt::Debug for WatchedSource {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            WatchedSource::Recording(path) => write!(f, "{}", path.display()),
            other => f.write_str(&other.words()),
        }
    }
}

impl std::str::FromStr for WatchedSource {
    type Err = std::convert::Infallible;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let number = text.strip_prefix("/dev/video").unwrap_or(text);
        Ok(match number.parse() {
            Ok(device) => WatchedSource::Device(device),
            Err(_) if is_stream(text) => WatchedSource::Stream(text.to_owned()),
            Err(_) if text == PHONE => WatchedSource::Phone,
            Err(_) => WatchedSource::Recording(text.into()),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_source_is_told_by_how_it_is_written() {
        let shown =
            |text: &str| format!("{:?}", text.parse::<WatchedSource>().unwrap_or(WatchedSource::Device(9)));
        assert_eq!(shown("0"), "camera 0");
        assert_eq!(shown("/dev/video2"), "camera 2");
        assert_eq!(shown("rtsp://ann:s3cret@camera/1"), "rtsp://camera/1");
        assert_eq!(shown("http://phone:8080/video"), "http://phone:8080/video");
        assert_eq!(shown("frames/court"), "frames/court");
        assert_eq!(shown("phone"), "a phone");
    }
}
