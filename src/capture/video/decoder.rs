//! The decoder's process: `linecall-video`, beside the program.
//!
//! OpenCV's video module loads some 240 libraries, a fifth of a second before the first line of
//! `main`; whoever asks for a score need not wait for them. And a decoder that a broken stream
//! brings down does not take the match with it.

use std::{
    ffi::{OsStr, OsString},
    io::{self, BufReader},
    path::{Path, PathBuf},
    process::{Child, ChildStdout, Command, Stdio},
    time::Duration,
};

use super::wire::{FrameHead, Message, read_pixels};

const PROGRAM: &str = "linecall-video";

/// The variable that a stream's address is handed over in: it may have a password in it.
const ADDRESS: &str = "LINECALL_VIDEO_ADDRESS";

/// The variable that OpenCV takes options for streams from. Finding out what a camera sends takes five seconds without
/// them, and one is enough.
const STREAM_OPTIONS: &str = "OPENCV_FFMPEG_CAPTURE_OPTIONS";

/// What a decoder is asked to read.
#[derive(Debug, Clone, PartialEq)]
pub enum Request {
    File(PathBuf),
    Stream(StreamRequest),
}

/// A stream by its address.
#[derive(Debug, Clone, PartialEq)]
pub struct StreamRequest {
    pub address: String,
    /// How long opening may take: what it sends must be found out first, which takes seconds.
    pub open_within: Duration,
    /// How long each frame may take.
    pub frame_within: Duration,
}

impl Request {
    fn arguments(&self) -> Vec<OsString> {
        match self {
            Request::File(path) => vec!["file".into(), path.into()],
            Request::Stream(StreamRequest { open_within, frame_within, .. }) => {
                let [open, frame] = [open_within, frame_within].map(|within| within.as_millis().to_string());
                vec!["stream".into(), ADDRESS.into(), open.into(), frame.into()]
            }
        }
    }

    /// What is handed over where other people of the machine do not see it, as they see arguments.
    fn environment(&self) -> Option<(&'static str, &str)> {
        match self {
            Request::File(_) => None,
            Request::Stream(stream) => Some((ADDRESS, &stream.address)),
        }
    }

    /// Reads back what `arguments` wrote.
    pub fn from_arguments(
        arguments: &[OsString],
        environment: impl Fn(&str) -> Option<String>,
    ) -> Option<Self> {
        match arguments {
            [kind, path] if kind == "file" => Some(Request::File(path.into())),
            [kind, address, open, frame] if kind == "stream" => {
                let within = |millis: &OsString| Some(Duration::from_millis(millis.to_str()?.parse().ok()?));
                Some(Request::Stream(StreamRequest {
                    address: environment(address.to_str()?)?,
                    open_within: within(open)?,
                    frame_within: within(frame)?,
                }))
            }
            _ => None,
        }
    }
}

/// A running decoder; it is ended when this is dropped, and ends by itself when this program does.
pub(super) struct Decoder {
    child: Child,
    told: BufReader<ChildStdout>,
}

/// Bytes that are read at once: a frame of 1080p in a few dozen reads.
const BUFFER_BYTES: usize = 1 << 18;

impl Decoder {
    pub fn start(request: &Request) -> Result<Self, String> {
        let program = program()?;
        let mut command = Command::new(&program);
        command.args(request.arguments()).envs(request.environment());
        if matches!(request, Request::Stream(_)) && std::env::var_os(STREAM_OPTIONS).is_none() {
            command.env(STREAM_OPTIONS, "rtsp_transport;tcp|analyzeduration;1000000");
        }
        // Its standard input is never written to: that it closes is how it learns that we ended.
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        // Ctrl-C is for the program: it has something to say about the match before it ends.
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        let cannot = |error: io::Error| format!("{} cannot be started ({error})", program.display());
        let mut child = command.spawn().map_err(cannot)?;
        let told = child.stdout.take().ok_or_else(|| cannot(io::ErrorKind::BrokenPipe.into()))?;
        Ok(Self { child, told: BufReader::with_capacity(BUFFER_BYTES, told) })
    }

    /// The next message; a decoder that went down is one that failed.
    pub fn next(&mut self) -> Message {
        Message::read(&mut self.told).unwrap_or_else(|_| Message::Failed(self.went_down()))
    }

    pub fn pixels(&mut self, head: &FrameHead) -> Result<Vec<u8>, String> {
        read_pixels(head, &mut self.told).map_err(|_| self.went_down())
    }

    fn went_down(&mut self) -> String {
        let _ = self.child.kill();
        let how = self.child.wait().map_or_else(|error| error.to_string(), |status| status.to_string());
        format!("its decoder went down ({how})")
    }
}

impl Drop for Decoder {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

pub fn program() -> Result<PathBuf, String> {
    let file = format!("{PROGRAM}{}", std::env::consts::EXE_SUFFIX);
    let this = std::env::current_exe().map_err(|error| format!("{PROGRAM} cannot be found ({error})"))?;
    let folder = this.parent().unwrap_or(Path::new("."));
    // Cargo puts tests and benches into a folder beside the programs.
    let programs =
        if folder.file_name() == Some(OsStr::new("deps")) { folder.parent() } else { Some(folder) };
    programs
        .map(|programs| programs.join(&file))
        .filter(|path| path.is_file())
        .ok_or_else(|| format!("{PROGRAM}, which reads videos, is missing beside {}", this.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_request_survives_the_command_line() {
        let requests = [
            Request::File("a film.mp4".into()),
            Request::Stream(StreamRequest {
                address: "rtsp://ann:s3cret@camera/1".to_owned(),
                open_within: Duration::from_millis(15000),
                frame_within: Duration::from_millis(2500),
            }),
        ];
        for request in requests {
            let handed = request.environment().map(|(_, address)| address.to_owned());
            let read = Request::from_arguments(&request.arguments(), |_| handed.clone());
            assert_eq!(read.as_ref(), Some(&request));
            assert!(!format!("{:?}", request.arguments()).contains("s3cret"), "arguments are seen by all");
        }
        assert_eq!(Request::from_arguments(&["stream".into(), "x".into()], |_| None), None);
    }
}
