//! A filmed half round of court with trouble put in, watched by the loop.

use std::{path::Path, process::Command, sync::Arc, time::Duration};

use image::RgbImage;
use linecall::{
    board::Board,
    camera::CameraFile,
    capture::{Frame, FrameImage, Picture},
    live::{LiveOptions, Report, Session, Sheet, Taken, Watching},
    register::Registration,
    rules::{Event, report},
    score::{ScoreOptions, Scorer},
};
use serde_json::{Value, json};

/// Frames a second of the film.
pub const FPS: f64 = 4.0;

/// What one frame brings.
#[derive(Clone)]
pub enum Shown {
    Picture(Arc<RgbImage>),
    /// Bytes that are no picture.
    Torn,
}

/// Half rounds, filmed, with the frames in which everything rests after a shot.
pub struct Film {
    pub shown: Vec<Shown>,
    pub half_rounds: usize,
    camera: CameraFile,
}

/// What became of it.
pub struct Outcome {
    /// Scores at the end, when all that was asked is confirmed as it was guessed.
    pub scores: Value,
    /// How many half rounds were recorded, and how many of them as questions.
    pub recorded: usize,
    pub asked: usize,
    /// Everything that was reported, and every state of the loop in words.
    pub told: Vec<String>,
    pub said: Vec<String>,
}

fn folder() -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/sequences/court")
}

fn camera() -> CameraFile {
    static MADE: std::sync::OnceLock<CameraFile> = std::sync::OnceLock::new();
    let make = || {
        let place = tempfile::tempdir().unwrap();
        let file = place.path().join("camera.toml");
        let made = Command::new(env!("CARGO_BIN_EXE_linecall"))
            .arg("calibrate")
            .arg(folder().join("000.jpg"))
            .args(["--board", "carrom-court", "--height", "1731", "-o"])
            .arg(&file)
            .output()
            .unwrap();
        assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
        CameraFile::parse(&std::fs::read_to_string(&file).unwrap(), &file).unwrap()
    };
    MADE.get_or_init(make).clone()
}

impl Film {
    /// The half round so many times over.
    pub fn of(half_rounds: usize) -> Self {
        let mut names: Vec<_> = std::fs::read_dir(folder())
            .unwrap()
            .map(|entry| entry.unwrap().path())
            .filter(|path| path.extension().is_some_and(|ending| ending == "jpg"))
            .collect();
        names.sort();
        let once: Vec<Shown> =
            names.iter().map(|name| Shown::Picture(Arc::new(image::open(name).unwrap().to_rgb8()))).collect();
        let shown = std::iter::repeat_n(once, half_rounds).flatten().collect();
        Self { shown, half_rounds, camera: camera() }
    }

    /// Every picture changed by its number.
    pub fn each(mut self, change: impl Fn(usize, &RgbImage) -> RgbImage) -> Self {
        for (index, shown) in self.shown.iter_mut().enumerate() {
            if let Shown::Picture(picture) = shown {
                *picture = Arc::new(change(index, picture));
            }
        }
        self
    }

    /// Frames put in after one: made from it.
    pub fn with_after(
        mut self,
        index: usize,
        count: usize,
        make: impl Fn(usize, &RgbImage) -> Shown,
    ) -> Self {
        let Shown::Picture(last) = self.shown[index].clone() else { panic!("frame {index} is no picture") };
        let put_in: Vec<Shown> = (0..count).map(|number| make(number, &last)).collect();
        self.shown.splice(index + 1..index + 1, put_in);
        self
    }

    pub fn true_scores(&self) -> Value {
        // In doubles red leads both ends of a round, as it does in the film (C4).
        json!({"Ann": 17 * self.half_rounds, "Bo": 13 * self.half_rounds})
    }

    /// Watches it. Nothing that a film shows may end the loop.
    pub fn watched(&self) -> Outcome {
        let board = Board::named_or_at("carrom-court").unwrap();
        let header: Event = serde_json::from_value(json!({
            "type": "match", "game": "court", "options": {"play": "doubles"},
            "sides": [{"name": "Ann", "colour": "red", "players": ["Ann", "Cy"]},
                      {"name": "Bo", "colour": "blue", "players": ["Bo", "Di"]}],
        }))
        .unwrap();
        let options = LiveOptions::default();
        let sheet = Sheet::open(header, &board, options.umpire.ask_below).unwrap();
        let scorer =
            Scorer::new(board.clone(), Some("court"), Default::default(), ScoreOptions::default()).unwrap();
        let mut session = Session::new(scorer, Registration::from(&self.camera), options, sheet);
        let mut outcome =
            Outcome { scores: Value::Null, recorded: 0, asked: 0, told: Vec::new(), said: Vec::new() };
        for (index, shown) in self.shown.iter().enumerate() {
            let image = match shown {
                Shown::Picture(picture) => {
                    FrameImage::Decoded(Arc::new(Picture::new(RgbImage::clone(picture))))
                }
                Shown::Torn => FrameImage::Encoded(Arc::from(&b"\xff\xd8\xff\xe0 torn"[..])),
            };
            let frame = Frame {
                index: index as u64,
                since_start: Duration::from_secs_f64(index as f64 / FPS),
                name: format!("frame {index}").into(),
                image,
            };
            match session.push(&frame) {
                Ok((reports, _)) => reports.iter().for_each(|report| outcome.take(index, report)),
                Err(error) => {
                    assert!(matches!(shown, Shown::Torn), "frame {index}: {error}");
                    outcome.say(error.to_string());
                }
            }
            let doing = session.doing();
            if !matches!(doing.watching, Watching::Settled | Watching::Moving | Watching::Starting) {
                outcome.say(doing.words);
            }
        }
        outcome.scores = report::json(session.book.record())["scores"].clone();
        outcome
    }
}

impl Outcome {
    fn say(&mut self, words: String) {
        if self.said.last() != Some(&words) {
            self.said.push(words);
        }
    }

    fn take(&mut self, index: usize, report: &Report) {
        if let Report::Event { taken, .. } = report {
            self.recorded += 1;
            self.asked += usize::from(matches!(taken, Taken::Asked { .. }));
        }
        self.told.push(format!("{index}: {report:?}").chars().take(300).collect());
    }

    /// What was recorded without a question is true.
    pub fn assert_right_or_asked(&self, name: &str, film: &Film) {
        let told = self.told.join("\n");
        println!(
            "{name}: {} of {} half rounds, {} asked, scores {}; said: {:?}",
            self.recorded, film.half_rounds, self.asked, self.scores, self.said
        );
        let is_right = self.scores == film.true_scores() && self.recorded == film.half_rounds;
        assert!(is_right || self.asked > 0, "{name}: {} and nothing asked\n{told}", self.scores);
        assert_eq!(self.recorded, film.half_rounds, "{name}: a half round was lost or invented\n{told}");
    }
}
