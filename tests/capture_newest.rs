//! Only the newest frame of a live source, and a camera that comes back: with cameras that act as
//! they are told.

use std::{
    sync::{Arc, Mutex, mpsc},
    thread,
    time::Duration,
};

use linecall::capture::{
    Frame, FrameImage, Interruption, InterruptionKind, LiveOptions, NewestSource, Opener, Pace, Picture,
    Rates, Source, SourceError, SourceInfo,
};

/// What a scripted camera does next.
enum Act {
    Frame,
    Fail,
    Panic,
}

/// A camera that acts as it is told, and is silent otherwise.
struct Scripted(mpsc::Receiver<Act>);

impl Source for Scripted {
    fn next(&mut self) -> Result<Option<Frame>, SourceError> {
        match self.0.recv() {
            Ok(Act::Frame) => Ok(Some(Frame {
                index: 0,
                since_start: Duration::ZERO,
                name: "test".into(),
                image: FrameImage::Decoded(Arc::new(Picture::new(image::RgbImage::new(2, 2)))),
            })),
            Ok(Act::Panic) => std::panic::resume_unwind(Box::new("a driver's mistake")),
            Ok(Act::Fail) | Err(_) => Err(SourceError::BrokenOff {
                name: "test".to_owned(),
                frames: 0,
                reason: "no such device".to_owned(),
            }),
        }
    }

    fn about(&self) -> SourceInfo {
        SourceInfo {
            name: "scripted".to_owned(),
            pace: Pace::Live,
            size: Some([2, 2]),
            frames: None,
            remarks: Vec::new(),
        }
    }

    fn rates(&self) -> Rates {
        Rates { asked_fps: Some(30.0), ..Rates::default() }
    }
}

/// A camera that can be plugged in: each receiver is one opening, an empty list refuses.
type Plugs = Arc<Mutex<Vec<mpsc::Receiver<Act>>>>;

fn plug_in(plugs: &Plugs) -> mpsc::Sender<Act> {
    let (act, acts) = mpsc::channel();
    plugs.lock().unwrap().push(acts);
    act
}

fn start(plugs: &Plugs, stall_after: Duration) -> Result<NewestSource, SourceError> {
    let plugs = Arc::clone(plugs);
    let open: Opener = Box::new(move || match plugs.lock().unwrap().pop() {
        Some(acts) => Ok(Box::new(Scripted(acts))),
        None => Err(SourceError::Open {
            name: "test".to_owned(),
            reason: "no such file".to_owned(),
            remedy: "plug it in".to_owned(),
        }),
    });
    let millis = Duration::from_millis;
    let options = LiveOptions {
        stall_after,
        first_pause: millis(1),
        longest_pause: millis(8),
        ..LiveOptions::default()
    };
    NewestSource::start("camera 0", open, options)
}

const LONG: Duration = Duration::from_secs(3600);

fn delivered(source: &NewestSource, frames: u64) {
    while source.rates().delivered < frames {
        thread::yield_now();
    }
}

fn interruption(source: &mut NewestSource) -> Interruption {
    match source.next() {
        Err(SourceError::Interrupted(told)) => told,
        other => panic!("{other:?}"),
    }
}

#[test]
fn the_newest_frame_is_delivered_and_the_others_counted() {
    let plugs = Plugs::default();
    let camera = plug_in(&plugs);
    let mut source = start(&plugs, LONG).unwrap();
    assert_eq!(source.about().size, Some([2, 2]));
    (0..5).for_each(|_| camera.send(Act::Frame).unwrap());
    delivered(&source, 5);
    let newest = source.next().unwrap().unwrap();
    assert_eq!(newest.index, 4);
    camera.send(Act::Frame).unwrap();
    let later = source.next().unwrap().unwrap();
    assert_eq!(later.index, 5);
    assert!(later.since_start > newest.since_start);
    let rates = source.rates();
    assert_eq!((rates.delivered, rates.analysed, rates.dropped, rates.interruptions), (6, 2, 4, 0));
    assert_eq!(rates.asked_fps, Some(30.0));
}

#[test]
fn what_cannot_be_opened_at_all_is_refused() {
    let Err(error) = start(&Plugs::default(), LONG) else { panic!("opens") };
    assert!(matches!(error, SourceError::Open { .. }) && !error.passes(), "{error}");
}

#[test]
fn a_camera_that_is_unplugged_is_told_and_comes_back() {
    let plugs = Plugs::default();
    let camera = plug_in(&plugs);
    let mut source = start(&plugs, LONG).unwrap();
    camera.send(Act::Frame).unwrap();
    delivered(&source, 1);
    camera.send(Act::Fail).unwrap();
    // What came before it went is not lost.
    assert_eq!(source.next().unwrap().unwrap().index, 0);
    let gone = interruption(&mut source);
    assert_eq!(gone.source, "camera 0");
    // The next report is about opening it, which fails as long as it is unplugged.
    let closed = if gone.kind == InterruptionKind::Gone { interruption(&mut source) } else { gone };
    assert_eq!(closed.kind, InterruptionKind::Closed);
    assert!(closed.to_string().contains("no such file"), "{closed}");
    let again = plug_in(&plugs);
    again.send(Act::Frame).unwrap();
    assert_eq!(source.next().unwrap().unwrap().index, 1);
    assert_eq!(source.rates().interruptions, 1);
}

/// It is opened in vain every few milliseconds, and nobody asks for a while.
#[test]
fn a_camera_that_stays_away_is_told_to_who_asks_late() {
    let plugs = Plugs::default();
    let camera = plug_in(&plugs);
    let mut source = start(&plugs, LONG).unwrap();
    camera.send(Act::Fail).unwrap();
    thread::sleep(Duration::from_millis(200));
    let (told, tells) = mpsc::channel();
    thread::spawn(move || told.send(interruption(&mut source).kind));
    assert_eq!(tells.recv_timeout(Duration::from_secs(30)), Ok(InterruptionKind::Closed));
}

#[test]
fn a_silent_camera_is_told_and_goes_on_when_frames_come() {
    let plugs = Plugs::default();
    let camera = plug_in(&plugs);
    let mut source = start(&plugs, Duration::from_millis(5)).unwrap();
    let stalled = interruption(&mut source);
    assert_eq!((stalled.kind, stalled.retry_in), (InterruptionKind::Stalled, None));
    assert_eq!(interruption(&mut source).kind, InterruptionKind::Stalled);
    camera.send(Act::Frame).unwrap();
    delivered(&source, 1);
    assert_eq!(source.next().unwrap().unwrap().index, 0);
    assert_eq!(source.rates().interruptions, 1);
}

#[test]
fn a_driver_that_panics_is_an_interruption() {
    let plugs = Plugs::default();
    let second = plug_in(&plugs);
    let first = plug_in(&plugs);
    let mut source = start(&plugs, LONG).unwrap();
    first.send(Act::Panic).unwrap();
    assert_eq!(interruption(&mut source).kind, InterruptionKind::Gone);
    second.send(Act::Frame).unwrap();
    assert_eq!(source.next().unwrap().unwrap().index, 0);
}
