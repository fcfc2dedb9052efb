//! What the decoder's process tells the program that reads it.
//!
//! A message is a line of JSON; a frame's line is followed by its pixels, red, green, blue, row by
//! row. First a [`Message::Head`], then frames, then [`Message::Ended`] or [`Message::Failed`].

use std::io::{self, BufRead, Read, Write};

use serde::{Deserialize, Serialize};

/// What a video states about itself; nothing where it does not.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct VideoHead {
    /// The decoder's version: one of another build is refused, its messages may differ.
    pub version: String,
    pub fps: Option<f64>,
    pub frames: Option<u64>,
    pub size: Option<[u32; 2]>,
}

/// A frame without its pixels.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct FrameHead {
    pub size: [u32; 2],
    /// Milliseconds since the video's start, as the video states them.
    pub stated_ms: Option<f64>,
}

impl FrameHead {
    fn bytes(&self) -> usize {
        self.size.iter().map(|&side| side as usize).product::<usize>() * 3
    }
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Message {
    Head(VideoHead),
    Frame(FrameHead),
    /// No further frame. OpenCV does not tell an end from a failure.
    Ended,
    /// Why there is no video, or no further frame.
    Failed(String),
}

impl Message {
    pub fn write(&self, out: &mut impl Write) -> io::Result<()> {
        serde_json::to_writer(&mut *out, self)?;
        out.write_all(b"\n")
    }

    pub(super) fn read(from: &mut impl BufRead) -> io::Result<Self> {
        let mut line = Vec::new();
        if from.read_until(b'\n', &mut line)? == 0 {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        Ok(serde_json::from_slice(&line)?)
    }
}

/// The pixels that follow a frame's line.
pub(super) fn read_pixels(head: &FrameHead, from: &mut impl Read) -> io::Result<Vec<u8>> {
    let mut pixels = Vec::new();
    if from.take(head.bytes() as u64).read_to_end(&mut pixels)? < head.bytes() {
        return Err(io::ErrorKind::UnexpectedEof.into());
    }
    Ok(pixels)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_told_is_heard_and_what_is_cut_off_is_noticed() {
        let head = FrameHead { size: [3, 2], stated_ms: Some(12.5) };
        let pixels: Vec<u8> = (0..18).map(|value| value * 7).collect();
        let mut told = Vec::new();
        Message::Frame(head).write(&mut told).expect("memory takes everything");
        told.extend(&pixels);
        Message::Failed("the cable\nis out".to_owned()).write(&mut told).expect("memory takes everything");

        let mut from = told.as_slice();
        assert_eq!(Message::read(&mut from).expect("a line"), Message::Frame(head));
        assert_eq!(read_pixels(&head, &mut from).expect("whole"), pixels);
        let failed = Message::Failed("the cable\nis out".to_owned());
        assert_eq!(Message::read(&mut from).expect("a line"), failed);
        assert!(Message::read(&mut from).is_err());

        let mut cut = &told[..told.len() - 40];
        assert!(Message::read(&mut cut).is_ok() && read_pixels(&head, &mut cut).is_err());
    }
}
