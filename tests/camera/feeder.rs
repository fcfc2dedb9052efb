//! The camera: writes frames into the loopback device at a steady rate.

use std::{
    io::Write,
    path::Path,
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicU64, Ordering},
    },
    thread::{self, JoinHandle},
    time::{Duration, Instant},
};

use linecall::capture::{FolderSource, Frame, FrameImage, PixelForm, Source};
use v4l::{Device, Format, FourCC, video::Output};

/// What is fed: the bytes of each frame as the device takes them.
pub struct Frames {
    pub form: PixelForm,
    pub size: [u32; 2],
    pub bytes: Vec<Arc<[u8]>>,
}

pub fn form_named(name: &str) -> Option<PixelForm> {
    match name {
        "mjpeg" => Some(PixelForm::Mjpeg),
        "yuyv" => Some(PixelForm::Yuyv),
        _ => None,
    }
}

impl Frames {
    /// The pictures of a folder; they have one size.
    pub fn load(folder: &Path, form: PixelForm) -> Self {
        let mut source = FolderSource::open(folder, 30.0).unwrap();
        let frames: Vec<Frame> = std::iter::from_fn(|| source.next().unwrap()).collect();
        let size = frames[0].picture().unwrap().size();
        let bytes = frames
            .iter()
            .map(|frame| match (&frame.image, form) {
                (FrameImage::Encoded(bytes), PixelForm::Mjpeg) => Arc::clone(bytes),
                _ => {
                    let picture = frame.picture().unwrap();
                    assert_eq!(picture.size(), size, "{} has another size", frame.name);
                    yuyv(picture.rgb())
                }
            })
            .collect();
        Self { form, size, bytes }
    }
}

/// A picture as a webcam sends it: Rec. 601, brightness 16 to 235, one colour for two pixels.
fn yuyv(rgb: &image::RgbImage) -> Arc<[u8]> {
    let row = rgb.width() as usize * 3;
    let byte = |value: f64| value.round().clamp(0.0, 255.0) as u8;
    rgb.as_raw()
        .chunks_exact(row)
        .flat_map(|row| row.chunks_exact(6))
        .flat_map(|pair| {
            let [r0, g0, b0, r1, g1, b1] = std::array::from_fn(|i| f64::from(pair[i]) / 255.0);
            let luma = |r, g, b| 0.299 * r + 0.587 * g + 0.114 * b;
            let (y0, y1) = (luma(r0, g0, b0), luma(r1, g1, b1));
            let (r, b, y) = ((r0 + r1) / 2.0, (b0 + b1) / 2.0, (y0 + y1) / 2.0);
            let blue = 128.0 + 224.0 * 0.5 * (b - y) / (1.0 - 0.114);
            let red = 128.0 + 224.0 * 0.5 * (r - y) / (1.0 - 0.299);
            [byte(16.0 + 219.0 * y0), byte(blue), byte(16.0 + 219.0 * y1), byte(red)]
        })
        .collect()
}

/// The device as the camera sees it.
struct Feed(Device);

impl Feed {
    /// A reader of before may still hold the device in its own form: it lets go in a moment.
    fn open(frames: &Frames) -> Self {
        let until = Instant::now() + Duration::from_secs(20);
        loop {
            let refused = match Self::try_open(frames) {
                Ok(feed) => return feed,
                Err(refused) => refused,
            };
            assert!(Instant::now() < until, "{refused}");
            thread::sleep(Duration::from_millis(100));
        }
    }

    fn try_open(frames: &Frames) -> Result<Self, String> {
        let device = Device::new(0).map_err(|error| format!("/dev/video0: {error}"))?;
        let form = match frames.form {
            PixelForm::Mjpeg => FourCC::new(b"MJPG"),
            PixelForm::Yuyv => FourCC::new(b"YUYV"),
        };
        let [width, height] = frames.size;
        let asked = Format::new(width, height, form);
        let given = Output::set_format(&device, &asked).map_err(|error| format!("{asked}: {error}"))?;
        if (given.width, given.height, given.fourcc) != (width, height, form) {
            return Err(format!("the device stays at {given}"));
        }
        Ok(Self(device))
    }

    fn write(&mut self, bytes: &[u8]) {
        let written = self.0.write(bytes).unwrap();
        assert_eq!(written, bytes.len(), "the device takes whole frames");
    }
}

/// How long everything rests after a shot, in seconds: players take their time.
const REST_SECS: f64 = 3.0;

/// The frames at rest that a film's story tells, which it shows twice each.
pub fn at_rest(story: &Path) -> Vec<usize> {
    let story: serde_json::Value = serde_json::from_slice(&std::fs::read(story).unwrap()).unwrap();
    let shots = story["shots"].as_array().unwrap().iter();
    let frames = shots.filter_map(|shot| shot["still_frames"].as_array()?.last()?.as_u64());
    frames.map(|frame| frame as usize).collect()
}

/// Feeds the first frame until `go` exists, then each frame once, `fps` a second, and those at rest
/// for as long as a player rests, then the last one until `go` is gone.
pub fn feed_once(frames: &Frames, fps: f64, at_rest: &[usize], go: &Path) {
    let mut feed = Feed::open(frames);
    let interval = Duration::from_secs_f64(1.0 / fps);
    let mut due = Instant::now();
    let mut send = |index: usize| {
        feed.write(&frames.bytes[index]);
        // A camera that is late is late; it does not hurry afterwards.
        due = (due + interval).max(Instant::now());
        thread::sleep(due.saturating_duration_since(Instant::now()));
    };
    while !go.exists() {
        send(0);
    }
    for index in 0..frames.bytes.len() {
        let times = if at_rest.contains(&index) { (REST_SECS * fps).ceil() as usize } else { 1 };
        (0..times).for_each(|_| send(index));
    }
    while go.exists() {
        send(frames.bytes.len() - 1);
    }
}

/// A camera on a thread, feeding the frames round and round until it is unplugged.
pub struct Feeder {
    unplugged: Arc<AtomicBool>,
    paused: Arc<AtomicBool>,
    fed: Arc<AtomicU64>,
    thread: Option<JoinHandle<()>>,
}

impl Feeder {
    pub fn plug_in(frames: Arc<Frames>, fps: f64) -> Self {
        let unplugged = Arc::new(AtomicBool::new(false));
        let paused = Arc::new(AtomicBool::new(false));
        let fed = Arc::new(AtomicU64::new(0));
        let told = (Arc::clone(&unplugged), Arc::clone(&paused), Arc::clone(&fed));
        let mut feed = Feed::open(&frames);
        let thread = thread::spawn(move || {
            let (unplugged, paused, fed) = told;
            let interval = Duration::from_secs_f64(1.0 / fps);
            let mut due = Instant::now();
            while !unplugged.load(Ordering::SeqCst) {
                if !paused.load(Ordering::SeqCst) {
                    let index = fed.fetch_add(1, Ordering::SeqCst) as usize % frames.bytes.len();
                    feed.write(&frames.bytes[index]);
                }
                // A camera that is late is late; it does not hurry afterwards.
                due = (due + interval).max(Instant::now());
                thread::sleep(due.saturating_duration_since(Instant::now()));
            }
        });
        Self { unplugged, paused, fed, thread: Some(thread) }
    }

    /// Stops sending, as a camera that hangs, or goes on.
    pub fn pause(&self, paused: bool) {
        self.paused.store(paused, Ordering::SeqCst);
    }

    pub fn fed(&self) -> u64 {
        self.fed.load(Ordering::SeqCst)
    }

    pub fn unplug(mut self) {
        self.unplugged.store(true, Ordering::SeqCst);
        self.thread.take().unwrap().join().unwrap();
    }
}
