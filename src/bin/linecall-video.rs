//! Decodes a video or a stream with OpenCV and writes its frames to standard output, in the form
//! of [`linecall::capture::video::wire`]. `linecall` starts it; it is of no use by itself.

use std::{
    io::{self, BufWriter, Read, Write},
    process::ExitCode,
    time::Duration,
};

use linecall::capture::video::{
    Request,
    wire::{FrameHead, Message, VideoHead},
};
use opencv::{
    core::{LogLevel, Mat, Vector, set_log_level},
    imgproc::{COLOR_BGR2RGB, cvt_color_def},
    prelude::*,
    videoio::{
        CAP_ANY, CAP_FFMPEG, CAP_PROP_FPS, CAP_PROP_FRAME_COUNT, CAP_PROP_FRAME_HEIGHT, CAP_PROP_FRAME_WIDTH,
        CAP_PROP_OPEN_TIMEOUT_MSEC, CAP_PROP_POS_MSEC, CAP_PROP_READ_TIMEOUT_MSEC, VideoCapture,
    },
};

fn main() -> ExitCode {
    let arguments: Vec<_> = std::env::args_os().skip(1).collect();
    let Some(request) = Request::from_arguments(&arguments, |name| std::env::var(name).ok()) else {
        eprintln!("linecall-video: linecall starts this program to read videos; it is of no use by itself");
        return ExitCode::from(2);
    };
    end_with_the_reader();
    let mut out = BufWriter::new(io::stdout().lock());
    // It fails when nobody reads any more: then there is nobody to tell either.
    match tell(&request, &mut out).and_then(|()| out.flush()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(_) => ExitCode::FAILURE,
    }
}

/// Standard input closes when the program that started this one ends, in whatever way. A stream
/// that hangs would keep us waiting otherwise.
fn end_with_the_reader() {
    std::thread::spawn(|| {
        let _ = io::stdin().lock().read_to_end(&mut Vec::new());
        std::process::exit(0);
    });
}

fn tell(request: &Request, out: &mut impl Write) -> io::Result<()> {
    // OpenCV writes what it tries and fails to standard error. It only fails for a level that does
    // not exist.
    let _ = set_log_level(LogLevel::LOG_LEVEL_SILENT);
    let mut capture = match open(request) {
        Ok(capture) => capture,
        Err(error) => return Message::Failed(error.message).write(out),
    };
    if !capture.is_opened().unwrap_or(false) {
        return Message::Ended.write(out);
    }
    Message::Head(head(&capture)).write(out)?;
    out.flush()?;
    let (mut bgr, mut rgb) = (Mat::default(), Mat::default());
    loop {
        let (frame, pixels) = match read(&mut capture, &mut bgr, &mut rgb) {
            Ok(Some(read)) => read,
            Ok(None) => return Message::Ended.write(out),
            Err(error) => return Message::Failed(error.message).write(out),
        };
        Message::Frame(frame).write(out)?;
        out.write_all(pixels)?;
        out.flush()?;
    }
}

fn open(request: &Request) -> opencv::Result<VideoCapture> {
    match request {
        Request::File(path) => VideoCapture::from_file(path, CAP_ANY),
        Request::Stream(stream) => {
            let millis = |within: Duration| i32::try_from(within.as_millis()).unwrap_or(i32::MAX);
            let (open, frame) = (millis(stream.open_within), millis(stream.frame_within));
            let timeouts =
                Vector::from_slice(&[CAP_PROP_OPEN_TIMEOUT_MSEC, open, CAP_PROP_READ_TIMEOUT_MSEC, frame]);
            VideoCapture::from_file_with_params(&stream.address, CAP_FFMPEG, &timeouts)
        }
    }
}

fn head(capture: &VideoCapture) -> VideoHead {
    let property = |id| capture.get(id).ok().filter(|value| value.is_finite() && *value >= 1.0);
    let side = |id| property(id).map(|pixels| pixels as u32);
    VideoHead {
        version: env!("CARGO_PKG_VERSION").to_owned(),
        fps: property(CAP_PROP_FPS),
        frames: property(CAP_PROP_FRAME_COUNT).map(|frames| frames as u64),
        size: side(CAP_PROP_FRAME_WIDTH).zip(side(CAP_PROP_FRAME_HEIGHT)).map(|(w, h)| [w, h]),
    }
}

fn read<'r>(
    capture: &mut VideoCapture,
    bgr: &mut Mat,
    rgb: &'r mut Mat,
) -> opencv::Result<Option<(FrameHead, &'r [u8])>> {
    if !capture.read(bgr)? || bgr.empty() {
        return Ok(None);
    }
    cvt_color_def(bgr, rgb, COLOR_BGR2RGB)?;
    let size = [rgb.cols(), rgb.rows()].map(|side| u32::try_from(side).unwrap_or(0));
    let stated_ms = capture.get(CAP_PROP_POS_MSEC).ok().filter(|millis| *millis > 0.0);
    Ok(Some((FrameHead { size, stated_ms }, rgb.data_bytes()?)))
}
