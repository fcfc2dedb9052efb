//! Sources of frames: what is delivered is what was recorded, whole and in order.

use std::{path::Path, time::Duration};

use image::{GrayImage, ImageFormat, RgbImage};
use linecall::capture::{
    FilmSource, FolderSource, Frame, FrameImage, Pace, RecordingOptions, Reduction, Source, SourceError,
    load_photo, open_recording,
};
use linecall::simulate::{SceneFile, film, render};

/// A picture in which every place differs, smooth enough for a JPEG.
fn picture(width: u32, height: u32, shade: u8) -> RgbImage {
    RgbImage::from_fn(width, height, |x, y| {
        let wave = |t: f64| (127.0 + 90.0 * (t * 0.05).sin()) as u8;
        image::Rgb([wave(f64::from(x)), wave(f64::from(y)), shade])
    })
}

fn jpeg(picture: &RgbImage) -> Vec<u8> {
    let mut bytes = Vec::new();
    let encoder = image::codecs::jpeg::JpegEncoder::new_with_quality(&mut bytes, 95);
    picture.write_with_encoder(encoder).unwrap();
    bytes
}

fn encoded(bytes: Vec<u8>) -> Frame {
    Frame {
        index: 0,
        since_start: Duration::ZERO,
        name: "test.jpg".into(),
        image: FrameImage::Encoded(bytes.into()),
    }
}

fn all(source: &mut dyn Source) -> Vec<Frame> {
    std::iter::from_fn(|| source.next().unwrap()).collect()
}

fn mean_difference(a: &GrayImage, b: &GrayImage) -> f64 {
    assert_eq!(a.dimensions(), b.dimensions());
    let sum: u64 = a.as_raw().iter().zip(b.as_raw()).map(|(&a, &b)| u64::from(a.abs_diff(b))).sum();
    sum as f64 / a.as_raw().len() as f64
}

#[test]
fn a_folder_gives_its_pictures_in_name_order_and_nothing_else() {
    let folder = tempfile::tempdir().unwrap();
    for (name, shade) in [("b.JPG", 1), ("a.jpg", 0), ("c.png", 2)] {
        let format = if name.ends_with("png") { ImageFormat::Png } else { ImageFormat::Jpeg };
        picture(96, 64, shade * 50).save_with_format(folder.path().join(name), format).unwrap();
    }
    std::fs::write(folder.path().join("a.json"), "{}").unwrap();
    std::fs::write(folder.path().join("._a.jpg"), "what a Mac leaves behind").unwrap();
    std::fs::create_dir(folder.path().join("more.jpg")).unwrap();

    let mut source = FolderSource::open(folder.path(), 4.0).unwrap();
    assert_eq!((source.about().pace, source.about().frames), (Pace::Recorded, Some(3)));
    let frames = all(&mut source);
    let names: Vec<_> = frames.iter().map(|f| Path::new(&*f.name).file_name().unwrap().to_owned()).collect();
    assert_eq!(names, ["a.jpg", "b.JPG", "c.png"]);
    let times: Vec<_> = frames.iter().map(|frame| (frame.index, frame.since_start.as_millis())).collect();
    assert_eq!(times, [(0, 0), (1, 250), (2, 500)]);
    assert_eq!((source.rates().delivered, source.rates().dropped), (3, 0));

    // The pixels are those that `score` reads, and the file is kept as it was.
    for frame in &frames {
        let path = Path::new(&*frame.name);
        let photo = load_photo(path, &Default::default()).unwrap();
        assert_eq!(frame.picture().unwrap().rgb(), photo.rgb());
        assert_eq!(*frame.kept().unwrap().bytes, std::fs::read(path).unwrap());
    }
    assert_eq!(frames[0].kept().unwrap().media_type, "image/jpeg");
    assert_eq!(frames[2].kept().unwrap().media_type, "image/png");
}

#[test]
fn a_frame_that_cannot_be_read_is_told_and_the_next_one_comes() {
    let folder = tempfile::tempdir().unwrap();
    picture(96, 64, 0).save(folder.path().join("1.jpg")).unwrap();
    std::fs::write(folder.path().join("2.jpg"), []).unwrap();
    picture(96, 64, 0).save(folder.path().join("3.jpg")).unwrap();
    let mut source = FolderSource::open(folder.path(), 30.0).unwrap();
    assert_eq!(source.next().unwrap().unwrap().index, 0);
    let error = source.next().unwrap_err();
    assert!(error.passes() && error.to_string().contains("2.jpg"), "{error}");
    assert_eq!(source.next().unwrap().unwrap().index, 2);
    assert!(source.next().unwrap().is_none());
    assert!(source.next().unwrap().is_none());
}

#[test]
fn what_is_no_recording_is_refused_in_words() {
    let folder = tempfile::tempdir().unwrap();
    let open = |path: &Path, folder_fps| match open_recording(path, &RecordingOptions { folder_fps }) {
        Ok(_) => panic!("{path:?} opens"),
        Err(error) => error,
    };
    assert!(matches!(open(folder.path(), 30.0), SourceError::NoFrames { .. }));
    assert!(matches!(open(folder.path(), 0.0), SourceError::Rate { .. }));
    assert!(matches!(open(folder.path(), f64::NAN), SourceError::Rate { .. }));
    let text = folder.path().join("notes.mp4");
    std::fs::write(&text, "hello, I am a text").unwrap();
    for path in [&text, &folder.path().join("absent.mp4")] {
        let error = open(path, 30.0);
        assert!(matches!(error, SourceError::Open { .. }) && !error.passes(), "{error}");
        assert!(error.to_string().contains("folder of frames"), "{error}");
    }
}

#[test]
fn small_grey_pictures_are_means_of_squares_whatever_the_frame_is_made_of() {
    // No multiple of 8, so that the last squares are cut.
    let rgb = picture(321, 203, 80);
    let exact = Frame {
        image: FrameImage::Decoded(linecall::capture::Picture::new(rgb.clone()).into()),
        ..encoded(Vec::new())
    };
    for reduction in [Reduction::Half, Reduction::Quarter, Reduction::Eighth] {
        let small = exact.small_grey(reduction).unwrap();
        let factor = reduction.factor();
        assert_eq!(small.grey.dimensions(), (321_u32.div_ceil(factor), 203_u32.div_ceil(factor)));
        for (x, y) in [(0, 0), (small.grey.width() - 1, small.grey.height() - 1)] {
            let (mut sum, mut count) = (0.0, 0.0);
            for (px, py, pixel) in rgb.enumerate_pixels() {
                if px / factor == x && py / factor == y {
                    let [r, g, b] = pixel.0.map(f64::from);
                    sum += 0.299 * r + 0.587 * g + 0.114 * b;
                    count += 1.0;
                }
            }
            let found = f64::from(small.grey.get_pixel(x, y).0[0]);
            assert!((found - sum / count).abs() < 1.0, "{found} at {x}, {y}, expected {}", sum / count);
        }
        let from_jpeg = encoded(jpeg(&rgb)).small_grey(reduction).unwrap();
        let difference = mean_difference(&from_jpeg.grey, &small.grey);
        assert!(difference < 1.0, "{difference} grey levels at {reduction:?}");
        let mut png = Vec::new();
        rgb.write_to(&mut std::io::Cursor::new(&mut png), ImageFormat::Png).unwrap();
        assert_eq!(encoded(png).small_grey(reduction).unwrap(), small);
        let place = [37.25, 11.5];
        let back = small.small_from_frame(small.frame_from_small(place));
        assert!(back.iter().zip(place).all(|(a, b)| (a - b).abs() < 1e-12));
        assert_eq!(small.frame_from_small([0.0, 0.0])[0], f64::from(factor - 1) / 2.0);
    }
}

#[test]
fn a_jpeg_that_is_cut_off_gives_no_picture_of_any_size() {
    let whole = jpeg(&picture(320, 200, 10));
    let cut = encoded(whole[..whole.len() / 2].to_vec());
    assert!(cut.picture().unwrap_err().to_string().contains("cut off"));
    assert!(cut.small_grey(Reduction::Eighth).unwrap_err().to_string().contains("cut off"));
    let broken = encoded([&[0xFF, 0xD8, 0xFF, 0xD9][..], &[7; 40]].concat());
    assert!(broken.small_grey(Reduction::Eighth).is_err() && broken.picture().is_err());
}

#[test]
fn turned_photos_are_turned_in_every_size() {
    // A JPEG with the EXIF orientation "turn clockwise".
    let plain = jpeg(&picture(320, 200, 10));
    let exif: &[u8] =
        b"\xFF\xE1\x00\x22Exif\0\0II*\0\x08\0\0\0\x01\0\x12\x01\x03\0\x01\0\0\0\x06\0\0\0\0\0\0\0";
    let turned = encoded([&plain[..2], exif, &plain[2..]].concat());
    assert_eq!(turned.picture().unwrap().size(), [200, 320]);
    assert_eq!(turned.small_grey(Reduction::Quarter).unwrap().grey.dimensions(), (50, 80));
}

#[test]
fn raw_pictures_of_a_camera_become_the_colours_they_stand_for() {
    // Y U V of white, black, red and blue by Rec. 601, two pixels each.
    let colours: [([u8; 3], [u8; 3]); 4] = [
        ([235, 128, 128], [255, 255, 255]),
        ([16, 128, 128], [0, 0, 0]),
        ([81, 90, 240], [255, 0, 0]),
        ([41, 240, 110], [0, 0, 255]),
    ];
    let row: Vec<u8> = colours.iter().flat_map(|([y, u, v], _)| [*y, *u, *y, *v]).collect();
    let mut bytes = row.repeat(2);
    bytes.extend([99; 11]); // Buffers are longer than their pictures.
    let frame =
        Frame { image: FrameImage::Yuyv { size: [8, 2], bytes: bytes.into() }, ..encoded(Vec::new()) };
    let picture = frame.picture().unwrap();
    for (i, (_, expected)) in (0..).zip(colours) {
        for (x, y) in [(2 * i, 0), (2 * i + 1, 1)] {
            let found = picture.rgb().get_pixel(x, y).0;
            assert!(found.iter().zip(expected).all(|(&a, b)| a.abs_diff(b) <= 2), "{found:?} {expected:?}");
        }
    }
    let grey = frame.small_grey(Reduction::Half).unwrap().grey;
    assert_eq!((grey.get_pixel(0, 0).0[0], grey.get_pixel(1, 0).0[0]), (255, 0));
    // Kept without loss.
    let kept = frame.kept().unwrap();
    assert_eq!(kept.media_type, "image/png");
    assert_eq!(&image::load_from_memory(&kept.bytes).unwrap().into_rgb8(), picture.rgb());
    let short = Frame { image: FrameImage::Yuyv { size: [8, 2], bytes: vec![0; 31].into() }, ..frame };
    assert!(short.picture().is_err() && short.small_grey(Reduction::Half).is_err());
}

/// Writes frames of rising brightness as a video.
fn write_video(path: &Path, frames: u8) {
    use opencv::{core::*, prelude::*, videoio::VideoWriter};
    let form = VideoWriter::fourcc('M', 'J', 'P', 'G').unwrap();
    let mut writer = VideoWriter::new(path, form, 12.5, Size::new(160, 96), true).unwrap();
    for frame in 0..frames {
        let shade = Scalar::new(f64::from(frame) * 20.0, 100.0, 50.0, 0.0);
        writer.write(&Mat::new_rows_cols_with_default(96, 160, CV_8UC3, shade).unwrap()).unwrap();
    }
    writer.release().unwrap();
}

#[test]
fn a_video_gives_every_frame_with_its_time() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("match.avi");
    write_video(&path, 10);
    let mut source = open_recording(&path, &Default::default()).unwrap();
    let about = source.about();
    assert_eq!((about.pace, about.size, about.frames), (Pace::Recorded, Some([160, 96]), Some(10)));
    assert_eq!(source.rates().asked_fps, Some(12.5));
    let frames = all(&mut source);
    assert_eq!(frames.len(), 10);
    for frame in &frames {
        let expected = frame.index as f64 / 12.5;
        assert!((frame.since_start.as_secs_f64() - expected).abs() < 0.001, "{frame:?}");
        // Red, green, blue: OpenCV's order is turned round.
        let [r, g, b] = frame.picture().unwrap().rgb().get_pixel(80, 48).0;
        let off = [r.abs_diff(50), g.abs_diff(100), b.abs_diff(frame.index as u8 * 20)];
        assert!(off.iter().all(|&levels| levels <= 8), "{:?}", [r, g, b]);
    }
    assert_eq!(source.rates().analysed, 10);
    let kept = frames[3].kept().unwrap();
    let back = image::load_from_memory(&kept.bytes).unwrap().into_rgb8();
    assert_eq!(&back, frames[3].picture().unwrap().rgb());
}

/// The processes whose command line names a file.
#[cfg(target_os = "linux")]
fn processes_that_read(path: &Path) -> Vec<u32> {
    let named = path.as_os_str().as_encoded_bytes();
    std::fs::read_dir("/proc")
        .unwrap()
        .filter_map(|entry| entry.ok()?.file_name().to_str()?.parse().ok())
        .filter(|id: &u32| {
            let line = std::fs::read(format!("/proc/{id}/cmdline")).unwrap_or_default();
            line.split(|&byte| byte == 0).any(|argument| argument == named)
        })
        .collect()
}

#[cfg(target_os = "linux")]
#[test]
fn a_decoder_that_goes_down_is_a_video_that_broke_off() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("match.avi");
    write_video(&path, 60);
    let mut source = open_recording(&path, &Default::default()).unwrap();
    assert!(source.next().unwrap().is_some());
    let decoders = processes_that_read(&path);
    assert_eq!(decoders.len(), 1);
    let ended = std::process::Command::new("kill").args(["-9", &decoders[0].to_string()]).status().unwrap();
    assert!(ended.success());
    // What it had written already may still arrive.
    let error = loop {
        match source.next() {
            Ok(Some(_)) => {}
            Ok(None) => panic!("a decoder that was killed is taken for the end of the video"),
            Err(error) => break error,
        }
    };
    assert!(matches!(&error, SourceError::BrokenOff { frames: 1..60, .. }), "{error}");
    assert!(error.to_string().contains("went down"), "{error}");
}

#[cfg(target_os = "linux")]
#[test]
fn a_source_that_is_dropped_leaves_no_decoder_behind() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("match.avi");
    write_video(&path, 60);
    let source = open_recording(&path, &Default::default()).unwrap();
    assert_eq!(processes_that_read(&path).len(), 1);
    drop(source);
    assert_eq!(processes_that_read(&path), Vec::<u32>::new());
}

/// Loading the video libraries takes longer than opening a ledger of ten thousand events.
#[cfg(target_os = "linux")]
#[test]
fn the_program_itself_loads_no_video_libraries() {
    let loaded = |program: &str| {
        // The loader's own listing, instead of running the program.
        let run = std::process::Command::new(program).env("LD_TRACE_LOADED_OBJECTS", "1").output().unwrap();
        String::from_utf8(run.stdout).unwrap()
    };
    let [program, decoder] =
        [env!("CARGO_BIN_EXE_linecall"), env!("CARGO_BIN_EXE_linecall-video")].map(loaded);
    assert!(program.contains("libopencv_core"), "{program}");
    for library in ["libopencv_videoio", "libopencv_imgcodecs"] {
        assert!(decoder.contains(library), "{decoder}");
        assert!(!program.contains(library), "{program}");
    }
}

#[test]
fn the_simulator_is_a_source() {
    let text = r#"{"board": "carrom-court", "camera": {"image_size": [160, 90]},
        "sequence": {"fps": 2, "empty_frames": 1, "still_frames": 1, "shots": [
            {"colour": "red", "x_mm": 150, "y_mm": 60, "velocity_mm_s": [0, 1000]}]}}"#;
    let scene = SceneFile::parse(text, "test").unwrap().validate("test").unwrap();
    let mut source = FilmSource::new(&scene, "one shot").unwrap();
    let expected = film(&scene).unwrap().frames;
    assert_eq!(source.about().frames, Some(expected.len() as u64));
    let frames = all(&mut source);
    assert_eq!(frames.len(), expected.len());
    assert_eq!(frames[2].since_start, Duration::from_secs(1));
    assert_eq!(frames[2].picture().unwrap().rgb(), &render(&expected[2].scene).picture);
}

#[test]
fn cameras_are_listed_for_people_and_programs() {
    let list = |arguments: &[&str]| {
        let run =
            std::process::Command::new(env!("CARGO_BIN_EXE_linecall")).args(arguments).output().unwrap();
        assert!(run.status.success() && run.stderr.is_empty(), "{run:?}");
        String::from_utf8(run.stdout).unwrap()
    };
    // Whatever is plugged in here: both lists are of the same cameras, and none is explained.
    let cameras: Vec<serde_json::Value> = list(&["cameras", "--json"])
        .lines()
        .map(|line| serde_json::from_str(line).expect("one object a line"))
        .collect();
    let words = list(&["cameras"]);
    for camera in &cameras {
        assert!(words.contains(&format!(
            "camera {}: {}",
            camera["device"],
            camera["name"].as_str().unwrap()
        )));
    }
    assert_eq!(cameras.is_empty(), words.contains("linecall replay"), "{words}");
}

#[test]
fn a_camera_that_is_not_there_is_refused_with_what_to_do() {
    use linecall::capture::{DeviceOptions, Driver, open_device};
    for driver in [Driver::default(), Driver::Nokhwa] {
        let options = DeviceOptions { device: 4711, driver, ..Default::default() };
        let Err(error) = open_device(&options) else { panic!("opens") };
        assert!(!error.passes());
        let words = error.to_string();
        assert!(words.contains("camera 4711") && words.contains("linecall cameras"), "{words}");
    }
}
