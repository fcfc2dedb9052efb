//! What runs inside the guest of `make camera-test`: a feeder that is the camera, and the checks of
//! our reading it. The device is v4l2loopback's `/dev/video0`.
//!
//! `camera check FRAMES MODULE` plays every check of the source. `camera feed FRAMES FORM FPS GO`
//! feeds the frames for a program beside it: the first stands until the file GO is there, the last
//! until it is gone. `camera verify LEDGER STORY` compares what that program recorded with what it
//! was shown.
#![allow(clippy::unwrap_used)]

#[cfg(target_os = "linux")]
mod check;
#[cfg(target_os = "linux")]
mod feeder;
#[cfg(target_os = "linux")]
mod verify;

#[cfg(target_os = "linux")]
fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match arguments[..] {
        ["check", frames, module] => check::run(frames.as_ref(), module.as_ref()),
        ["feed", frames, form, fps, go] => {
            let form = feeder::form_named(form).expect("mjpeg or yuyv");
            let at_rest = feeder::at_rest(&std::path::Path::new(frames).join("sequence.json"));
            let frames = feeder::Frames::load(frames.as_ref(), form);
            feeder::feed_once(&frames, fps.parse().unwrap(), &at_rest, go.as_ref());
        }
        ["verify", ledger, story] => verify::run(ledger.as_ref(), story.as_ref()),
        _ => {
            eprintln!(
                "camera check FRAMES MODULE | camera feed FRAMES mjpeg|yuyv FPS GO | \
                 camera verify LEDGER STORY"
            );
            std::process::exit(2);
        }
    }
}

#[cfg(not(target_os = "linux"))]
fn main() {
    eprintln!("the video device of this test is Linux's");
}
