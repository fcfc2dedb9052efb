//! The checks: what is read equals what is fed, and a camera that stalls or goes away comes back.

use std::{
    path::Path,
    process::Command,
    sync::Arc,
    thread,
    time::{Duration, Instant},
};

use linecall::capture::{
    DeviceOptions, Driver, Frame, FrameImage, Interruption, InterruptionKind, LiveOptions, PixelForm,
    Reduction, Source, SourceError, Wish, list_devices, open_device,
};

use crate::feeder::{Feeder, Frames};

/// Frames a second: raw pictures of this size are slower, as over USB.
fn fps(form: PixelForm) -> f64 {
    match form {
        PixelForm::Mjpeg => 30.0,
        PixelForm::Yuyv => 10.0,
    }
}

/// Frames that each reading looks at.
const READ: u64 = 100;
/// Patience: a guest on a busy computer stands still for a second now and then.
const STALL_AFTER: Duration = Duration::from_secs(3);

pub fn run(folder: &Path, module: &Path) {
    for form in [PixelForm::Mjpeg, PixelForm::Yuyv] {
        let frames = Arc::new(Frames::load(folder, form));
        let [width, height] = frames.size;
        println!(
            "{} frames of {width} x {height} as {form}, fed {} times a second",
            frames.bytes.len(),
            fps(form)
        );
        lists(&frames);
        for driver in [Driver::V4l2, Driver::Nokhwa] {
            reads(&frames, driver);
        }
        stalls(&frames);
        goes_away(&frames, module);
    }
    println!("every check passed");
}

fn options(frames: &Frames, driver: Driver) -> DeviceOptions {
    DeviceOptions {
        wish: Wish { size: frames.size, fps: fps(frames.form), form: None },
        live: LiveOptions { stall_after: STALL_AFTER, ..LiveOptions::default() },
        driver,
        ..DeviceOptions::default()
    }
}

/// The camera is listed with its form, size and rate.
fn lists(frames: &Arc<Frames>) {
    let feeder = Feeder::plug_in(Arc::clone(frames), fps(frames.form));
    thread::sleep(Duration::from_millis(300));
    for driver in [Driver::V4l2, Driver::Nokhwa] {
        let devices = list_devices(driver).unwrap();
        assert_eq!(devices.len(), 1, "{devices:?}");
        let offer = devices[0].formats.iter().find(|offer| offer.size == frames.size);
        let offer = offer.unwrap_or_else(|| panic!("{driver:?}: {:?}", devices[0]));
        assert_eq!(offer.form, frames.form);
        println!("  listed by {driver:?}: {}, {offer}", devices[0].name);
    }
    feeder.unplug();
}

/// Every frame that arrives is one that was fed, whole, and they arrive in order.
fn reads(frames: &Arc<Frames>, driver: Driver) {
    let feeder = Feeder::plug_in(Arc::clone(frames), fps(frames.form));
    thread::sleep(Duration::from_millis(300));
    let mut source = open_device(&options(frames, driver)).unwrap();
    let about = source.about();
    assert_eq!(about.size, Some(frames.size));
    println!("  read by {driver:?}: {}; {}", about.name, about.remarks.join("; "));
    let started = Instant::now();
    let mut last_index = None;
    let mut torn = 0;
    let (mut grey, mut whole) = (Duration::ZERO, Duration::ZERO);
    while source.rates().analysed < READ {
        let frame = next(source.as_mut());
        assert!(last_index < Some(frame.index), "{last_index:?} then {}", frame.index);
        last_index = Some(frame.index);
        if !was_fed(&frame, frames) {
            torn += 1;
            continue;
        }
        let looked = Instant::now();
        let small = frame.small_grey(Reduction::Eighth).unwrap();
        grey += looked.elapsed();
        assert_eq!(small.grey.width(), frames.size[0].div_ceil(8));
        let looked = Instant::now();
        assert_eq!(frame.picture().unwrap().size(), frames.size);
        whole += looked.elapsed();
    }
    let secs = started.elapsed().as_secs_f64();
    let rates = source.rates();
    assert_eq!(rates.interruptions, 0);
    assert_eq!(rates.delivered, rates.analysed + rates.dropped + u64::from(waiting(&rates)));
    let damaged = rates.damaged;
    assert!((torn + damaged) * 10 < READ, "{torn} torn, {damaged} damaged, of {READ}");
    let looked_at = (READ - torn) as f64;
    println!(
        "    {:.1} s: fed {}, delivered {} ({:.1} a second), analysed {} ({:.1} a second), dropped {}, \
         torn {torn}, damaged {damaged}; a frame {:.1} ms small and grey, {:.1} ms whole",
        secs,
        feeder.fed(),
        rates.delivered,
        rates.delivered as f64 / secs,
        rates.analysed,
        rates.analysed as f64 / secs,
        rates.dropped,
        grey.as_secs_f64() * 1000.0 / looked_at,
        whole.as_secs_f64() * 1000.0 / looked_at,
    );
    leave(source, feeder);
}

/// Whether a frame is one of those that were fed, byte by byte. v4l2loopback writes into the buffer
/// that is being read when its reader is late, which a camera's driver does not: a few are torn.
fn was_fed(frame: &Frame, frames: &Frames) -> bool {
    let bytes = bytes(frame);
    frames.bytes.iter().any(|fed| **fed == *bytes)
}

/// Whether a frame was delivered that nobody took yet.
fn waiting(rates: &linecall::capture::Rates) -> bool {
    rates.delivered > rates.analysed + rates.dropped
}

/// A camera that hangs is told, and read again when it goes on.
fn stalls(frames: &Arc<Frames>) {
    let feeder = Feeder::plug_in(Arc::clone(frames), fps(frames.form));
    thread::sleep(Duration::from_millis(300));
    let mut source = open_device(&options(frames, Driver::V4l2)).unwrap();
    (0..10).for_each(|_| drop(next(source.as_mut())));
    feeder.pause(true);
    let told = trouble(source.as_mut());
    assert_eq!(told.kind, InterruptionKind::Stalled, "{told}");
    println!("  stalled: {told}");
    thread::sleep(Duration::from_millis(2500));
    let paused_at = feeder.fed();
    feeder.pause(false);
    let mut frame = frame_after_trouble(source.as_mut());
    while !was_fed(&frame, frames) {
        frame = next(source.as_mut());
    }
    println!(
        "    back {} frames later, {} interruptions",
        feeder.fed() - paused_at,
        source.rates().interruptions
    );
    (0..10).for_each(|_| drop(next(source.as_mut())));
    assert!(source.rates().interruptions >= 1);
    leave(source, feeder);
}

/// A camera whose device vanishes is told, and read again when it is back.
fn goes_away(frames: &Arc<Frames>, module: &Path) {
    let feeder = Feeder::plug_in(Arc::clone(frames), fps(frames.form));
    thread::sleep(Duration::from_millis(300));
    let mut source = open_device(&options(frames, Driver::V4l2)).unwrap();
    let before = (0..10).map(|_| next(source.as_mut()).index).last().unwrap();
    feeder.unplug();
    let mut kinds = vec![trouble(source.as_mut()).kind];
    // The device can vanish once the reader has let it go.
    while !busybox(&["rmmod", "v4l2loopback"]) {
        thread::sleep(Duration::from_millis(50));
    }
    assert!(!Path::new("/dev/video0").exists());
    let told = loop {
        let told = trouble(source.as_mut());
        kinds.push(told.kind);
        if told.reason.as_deref() == Some("there is no such camera") {
            break told;
        }
    };
    assert_eq!(told.kind, InterruptionKind::Closed);
    println!("  gone: {told}");
    thread::sleep(Duration::from_millis(1000));
    load(module);
    let feeder = Feeder::plug_in(Arc::clone(frames), fps(frames.form));
    let mut frame = frame_after_trouble(source.as_mut());
    while !was_fed(&frame, frames) {
        frame = next(source.as_mut());
    }
    assert!(frame.index > before);
    println!("    back after {kinds:?}");
    leave(source, feeder);
}

/// The reader leaves before the camera does: its thread ends with the next frame.
fn leave(source: Box<dyn Source + Send>, feeder: Feeder) {
    drop(source);
    let fed = feeder.fed();
    while feeder.fed() < fed + 10 {
        thread::sleep(Duration::from_millis(50));
    }
    feeder.unplug();
}

fn next(source: &mut dyn Source) -> Frame {
    source.next().unwrap().expect("a camera has no end")
}

fn trouble(source: &mut dyn Source) -> Interruption {
    loop {
        match source.next() {
            Ok(_) => {}
            Err(SourceError::Interrupted(told)) => return told,
            Err(error) => panic!("{error}"),
        }
    }
}

fn frame_after_trouble(source: &mut dyn Source) -> Frame {
    loop {
        match source.next() {
            Ok(frame) => return frame.expect("a camera has no end"),
            Err(error) => assert!(error.passes(), "{error}"),
        }
    }
}

fn bytes(frame: &Frame) -> Arc<[u8]> {
    match &frame.image {
        FrameImage::Encoded(bytes) | FrameImage::Yuyv { bytes, .. } => Arc::clone(bytes),
        FrameImage::Decoded(_) => panic!("a camera's frame is kept as it came"),
    }
}

fn load(module: &Path) {
    let module = module.to_str().unwrap();
    assert!(busybox(&["insmod", module, "video_nr=0", "exclusive_caps=1", "max_buffers=4"]));
    let until = Instant::now() + Duration::from_secs(5);
    while !Path::new("/dev/video0").exists() {
        assert!(Instant::now() < until, "no /dev/video0 after loading {module}");
        thread::sleep(Duration::from_millis(20));
    }
}

fn busybox(arguments: &[&str]) -> bool {
    let run = Command::new("/bin/busybox").args(arguments).stderr(std::process::Stdio::null()).status();
    run.unwrap().success()
}
