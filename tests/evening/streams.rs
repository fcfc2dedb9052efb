//! Network cameras, as they are: a real RTSP server and a real MJPEG server on this machine.

use std::{
    io::{BufRead, BufReader},
    net::TcpListener,
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    time::Duration,
};

use linecall::capture::{Frame, Interruption, LiveOptions, Source, SourceError, open_stream};

/// So that tests need not wait long.
fn impatient() -> LiveOptions {
    LiveOptions {
        stall_after: Duration::from_millis(1500),
        first_pause: Duration::from_millis(50),
        longest_pause: Duration::from_millis(500),
        ..LiveOptions::default()
    }
}

/// A server that ends with its test.
struct Serving(Child);

impl Drop for Serving {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

impl Serving {
    fn signal(&self, name: &str) {
        let sent = Command::new("kill").args(["-s", name, &self.0.id().to_string()]).status().unwrap();
        assert!(sent.success());
    }
}

fn film() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/sequences/court")
}

/// The filmed half round over and over, by RTSP. Gives the port.
fn rtsp(port: u16, size: [u32; 2]) -> (Serving, u16) {
    let [width, height] = size;
    let pipeline = format!(
        "multifilesrc location={}/%03d.jpg loop=true caps=image/jpeg,framerate=10/1 ! jpegdec ! videoconvert ! \
         videoscale ! video/x-raw,width={width},height={height} ! vp8enc deadline=1 cpu-used=8 \
         keyframe-max-dist=10 target-bitrate=3000000 ! rtpvp8pay name=pay0",
        film().display()
    );
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/evening/rtsp_server.py");
    let mut child = Command::new("/usr/bin/python3")
        .arg(script)
        .args([port.to_string(), pipeline])
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let mut line = String::new();
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
    let port = line.trim().parse().unwrap_or_else(|_| {
        panic!("no RTSP server: make test installs python3-gi and gir1.2-gst-rtsp-server-1.0")
    });
    (Serving(child), port)
}

/// The same by HTTP, as a phone's app sends it, to one who connects.
fn mjpeg(port: u16, size: [u32; 2]) -> Serving {
    let [width, height] = size;
    let child = Command::new("ffmpeg")
        .args(["-loglevel", "error", "-re", "-stream_loop", "-1", "-framerate", "10", "-i"])
        .arg(film().join("%03d.jpg"))
        .args(["-vf", &format!("scale={width}:{height}"), "-c:v", "mjpeg", "-q:v", "3", "-f", "mpjpeg"])
        .args(["-content_type", "multipart/x-mixed-replace;boundary=ffmpeg", "-listen", "1"])
        .arg(format!("http://127.0.0.1:{port}/video"))
        .stdin(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap_or_else(|error| panic!("no ffmpeg ({error}): make test installs it"));
    Serving(child)
}

fn free_port() -> u16 {
    TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port()
}

/// Opens a stream whose server may not listen yet.
fn opened(address: &str) -> Box<dyn Source + Send> {
    for _ in 0..100 {
        match open_stream(address, &impatient()) {
            Ok(source) => return source,
            Err(_) => std::thread::sleep(Duration::from_millis(100)),
        }
    }
    panic!("{address} cannot be opened")
}

/// The next frame, and what was told before it.
fn next(source: &mut dyn Source, told: &mut Vec<Interruption>) -> Frame {
    loop {
        match source.next() {
            Ok(frame) => return frame.unwrap(),
            Err(SourceError::Interrupted(interruption)) => told.push(interruption),
            Err(error) => panic!("{error}"),
        }
        assert!(told.len() < 200, "it does not come back: {:?}", told.last());
    }
}

fn size(frame: &Frame) -> [u32; 2] {
    frame.picture().unwrap().size()
}

/// Reads until frames of a size come; gives what was told on the way.
fn until_size(source: &mut dyn Source, wanted: [u32; 2]) -> Vec<Interruption> {
    let mut told = Vec::new();
    for _ in 0..1000 {
        if size(&next(source, &mut told)) == wanted {
            return told;
        }
    }
    panic!("no pictures of {wanted:?}; told {told:?}")
}

#[test]
fn an_rtsp_camera_is_read_stalls_comes_back_and_changes_its_size() {
    let (server, port) = rtsp(0, [960, 540]);
    let address = format!("rtsp://ann:s3cret@127.0.0.1:{port}/table");
    let mut source = opened(&address);
    assert_eq!(source.about().name, format!("rtsp://127.0.0.1:{port}/table"));
    let mut told = Vec::new();
    assert_eq!(size(&next(&mut *source, &mut told)), [960, 540]);

    server.signal("STOP");
    let stalled = loop {
        match source.next() {
            Ok(_) => {}
            Err(SourceError::Interrupted(told)) => break told,
            Err(error) => panic!("{error}"),
        }
    };
    assert!(!stalled.to_string().contains("s3cret"), "{stalled}");
    server.signal("CONT");
    let before = source.rates().delivered;
    next(&mut *source, &mut told);
    assert!(source.rates().delivered > before);

    drop(server);
    let (_server, _) = rtsp(port, [640, 360]);
    let told = until_size(&mut *source, [640, 360]);
    assert!(!told.is_empty(), "that it went away is said");
    assert!(told.iter().all(|told| !told.to_string().contains("s3cret")));
}

#[test]
fn an_mjpeg_camera_is_read_and_comes_back_with_another_size() {
    let port = free_port();
    let server = mjpeg(port, [960, 540]);
    let mut source = opened(&format!("http://127.0.0.1:{port}/video"));
    let mut told = Vec::new();
    assert_eq!(size(&next(&mut *source, &mut told)), [960, 540]);
    drop(server);
    let _server = mjpeg(port, [640, 360]);
    let told = until_size(&mut *source, [640, 360]);
    assert!(!told.is_empty(), "that it went away is said");
}

/// The whole program on a stream behind a password, which stands nowhere afterwards.
#[test]
fn a_match_is_watched_over_rtsp_and_its_password_is_kept_nowhere() {
    let (_server, port) = rtsp(0, [960, 540]);
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    let calibrated = Command::new(env!("CARGO_BIN_EXE_linecall"))
        .arg("calibrate")
        .arg(film().join("000.jpg"))
        .args(["--board", "carrom-court", "--height", "1731", "-o"])
        .arg(path("camera.toml"))
        .output()
        .unwrap();
    assert!(calibrated.status.success(), "{}", String::from_utf8_lossy(&calibrated.stderr));
    let output = Command::new(env!("CARGO_BIN_EXE_linecall"))
        .env("XDG_DATA_HOME", path("data"))
        .args(["live", "--game", "court", "--frames", "60", "--source"])
        .arg(format!("rtsp://ann:s3cret@127.0.0.1:{port}/table"))
        .arg("--camera")
        .arg(path("camera.toml"))
        .arg("--match")
        .arg(path("match.ledger"))
        .output()
        .unwrap();
    let words = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{words}");
    assert!(words.contains("shot 1"), "{words}");
    assert!(!words.contains("s3cret"), "{words}");
    for file in std::fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().path()) {
        if file.is_file() {
            let bytes = std::fs::read(&file).unwrap();
            let is_in = bytes.windows(6).any(|window| window == b"s3cret");
            assert!(!is_in, "the password stands in {}", file.display());
        }
    }
}
