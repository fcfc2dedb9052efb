//! What a run over a recording did: its states, its damage, and pictures of what it saw.

use std::{
    collections::BTreeMap,
    fs::File,
    io::{BufWriter, Write},
    path::{Path, PathBuf},
};

use super::Failure;
use crate::{
    capture::Frame,
    live::{Book, Diary, Doing, Session, Watching},
    output::{Inputs, Kind, TRACE_START, check},
};

/// What a run did so far.
#[derive(Default)]
pub(super) struct Run {
    pub time_secs: f64,
    pub events: u32,
    diary: Diary,
    /// Since when nothing can be seen, why, and whether that was said.
    trouble: Option<(f64, Watching, bool)>,
    /// Frames that gave no picture, by why.
    damaged: BTreeMap<String, u32>,
}

/// So few events a minute are little: something kept the loop from seeing more.
const LITTLE_A_MINUTE: f64 = 1.0;

/// Trouble that passes sooner is not worth telling.
const TROUBLE_SECS: f64 = 2.0;

/// States below this share of the time are not told.
const TOLD_SHARE: f64 = 0.03;

impl Run {
    /// A frame was looked at.
    pub fn frame(&mut self, frame: &Frame, words: &str) {
        self.time_secs = frame.since_start.as_secs_f64();
        self.diary.note(words, frame.index, self.time_secs);
    }

    /// What to say about a view that has been dark, covered or lost for a while, and when it is back: once each.
    pub fn trouble(&mut self, doing: &Doing) -> Option<String> {
        let watching = doing.watching;
        if !matches!(watching, Watching::Dark | Watching::Covered | Watching::Lost) {
            let (.., said) = self.trouble.take()?;
            return said.then(|| "the board is seen again; going on".to_owned());
        }
        let trouble = self.trouble.get_or_insert((self.time_secs, watching, false));
        if trouble.1 != watching {
            *trouble = (trouble.0, watching, false);
        }
        let is_due = !trouble.2 && self.time_secs - trouble.0 >= TROUBLE_SECS;
        trouble.2 |= is_due;
        is_due.then(|| format!("{}; nothing is called until it is seen again", doing.words))
    }

    /// A frame could not be looked at. Gives what to say: each reason once.
    pub fn damaged(&mut self, reason: &str) -> Option<String> {
        // The frame's own name comes first.
        let kind = reason.split_once(": ").map_or(reason, |(_, why)| why).to_owned();
        let count = self.damaged.entry(kind).or_insert(0);
        *count += 1;
        (*count == 1).then(|| format!("{reason}; passed over, as all such frames will be"))
    }

    /// Why little was recorded, where little was; empty else.
    pub fn summary(&self, trace: Option<&Path>) -> Vec<String> {
        let mut lines = Vec::new();
        let damaged: u32 = self.damaged.values().sum();
        if damaged > 0 {
            lines.push(format!("{damaged} frames could not be read and were passed over"));
        }
        let total_secs = self.diary.total_secs();
        if f64::from(self.events) >= (LITTLE_A_MINUTE * total_secs / 60.0).max(1.0) {
            return lines;
        }
        let recorded = match self.events {
            0 => "nothing was recorded".to_owned(),
            events => format!("only {events} of the match was recorded"),
        };
        let shares = self.diary.shares();
        let told: Vec<String> = shares
            .iter()
            .filter(|(_, share, _)| *share >= TOLD_SHARE)
            .map(|(words, share, _)| format!("{:.0} % {words}", share * 100.0))
            .collect();
        lines.push(format!("{recorded}. Of {total_secs:.1} s: {}", told.join("; ")));
        if let Some((words, _, spent)) = shares.first() {
            let picture = match trace {
                Some(folder) => format!("; pictures of it are in {}", folder.display()),
                None => "; --trace DIR writes pictures of what was seen".to_owned(),
            };
            lines.push(format!("most of the time: {words}; frame {} shows it{picture}", spent.frame));
        }
        lines
    }
}

/// Pictures with what the loop saw, and a line a frame.
pub(super) struct Trace {
    folder: PathBuf,
    lines: BufWriter<File>,
    last: String,
}

impl Trace {
    pub fn open(folder: &Path) -> Result<Self, Failure> {
        let failed = |error: std::io::Error| {
            Failure::new(format!(
                "cannot write into {}: {error}; give --trace another folder",
                folder.display()
            ))
        };
        std::fs::create_dir_all(folder).map_err(failed)?;
        let path = folder.join("trace.txt");
        check(&path, Kind::RunTrace, &Inputs::default())?;
        let mut lines = BufWriter::new(File::create(path).map_err(failed)?);
        writeln!(lines, "{TRACE_START} frame: state | what was seen").map_err(failed)?;
        Ok(Self { folder: folder.to_owned(), lines, last: String::new() })
    }

    /// Notes a frame, with a picture when the state has changed or a view was read.
    pub fn frame<B: Book>(
        &mut self,
        frame: &Frame,
        session: &Session<B>,
        settled: bool,
    ) -> Result<(), Failure> {
        let doing = session.doing();
        let failed =
            |error: String| Failure::new(format!("cannot write into {}: {error}", self.folder.display()));
        writeln!(self.lines, "{}: {} | {}", frame.index, doing.words, line(session, settled))
            .map_err(|error| failed(error.to_string()))?;
        if (doing.words != self.last || settled)
            && let Ok(picture) = frame.picture()
        {
            let mut picture = picture.rgb().clone();
            session.observer().draw(&mut picture);
            let state = format!("{:?}", doing.watching).to_lowercase();
            let path = self.folder.join(format!("{:06}-{state}.png", frame.index));
            picture.save(&path).map_err(|error| failed(error.to_string()))?;
        }
        self.last = doing.words;
        Ok(())
    }
}

/// What a frame showed, for finding out why something was seen or not.
fn line<B: Book>(session: &Session<B>, settled: bool) -> String {
    let activity = session.observer().activity();
    let border = |at_border: bool| if at_border { "b" } else { "" };
    let mut text = format!("{:?}", session.watching());
    text += if activity.moving { " moving" } else { "" };
    text += if activity.light_changed { " light" } else { "" };
    text += &format!(" still {:.2}", activity.still_secs);
    for blob in &activity.foreground {
        let crate::motion::Blob { at, area_mm2, extent_mm, at_border, .. } = blob;
        text +=
            &format!(" ({:.0},{:.0} {area_mm2:.0}mm2 {extent_mm:.0}mm{})", at.x, at.y, border(*at_border));
    }
    if let Some(known) = session.observer().known() {
        text += &format!("\n   known: {}", known.story());
    }
    let Some(view) = session.last().filter(|_| settled) else { return text };
    text += &format!(
        "\n   settled: {} fused, hand {}, moved {:?}, unexplained {:.0} mm2, launch {:?}, striker {:?}",
        view.fused,
        view.episode.hand,
        view.moved,
        session.observer().unexplained_mm2(),
        view.episode.launch,
        view.episode.striker
    );
    for track in &view.episode.tracks {
        text += if track.hand { "\n   hand" } else { "\n   track" };
        for point in &track.points {
            text += &format!(" {:.0},{:.0}{}", point.at.x, point.at.y, border(point.at_border));
        }
    }
    for piece in &view.pieces {
        text += &format!("\n   {} {:.1},{:.1} {:?}", piece.kind, piece.x_mm, piece.y_mm, piece.state);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::capture::{FrameImage, Picture};

    fn frames(run: &mut Run, count: u64, words: impl Fn(u64) -> &'static str) {
        let picture = std::sync::Arc::new(Picture::new(image::RgbImage::new(2, 2)));
        for index in 0..count {
            let frame = Frame {
                index,
                since_start: std::time::Duration::from_secs_f64(index as f64 / 10.0),
                name: "frame".into(),
                image: FrameImage::Decoded(std::sync::Arc::clone(&picture)),
            };
            run.frame(&frame, words(index));
        }
    }

    #[test]
    fn a_run_that_recorded_nothing_says_why() {
        let mut run = Run::default();
        frames(&mut run, 100, |index| match index {
            0..10 => "everything is at rest",
            _ => "a hand covers the left base line",
        });
        let summary = run.summary(None).join("\n");
        assert!(summary.contains("nothing was recorded"), "{summary}");
        assert!(summary.contains("90 % a hand covers the left base line"), "{summary}");
        assert!(summary.contains("frame 54 shows it"), "{summary}");
        run.events = 3;
        assert!(run.summary(None).is_empty(), "enough was recorded");
    }

    #[test]
    fn trouble_is_said_once_and_so_is_its_end() {
        let mut run = Run::default();
        let mut said = Vec::new();
        for step in 0..100 {
            run.time_secs = f64::from(step) / 10.0;
            let (watching, words) = match step {
                20..80 => (Watching::Dark, "the picture is dark"),
                _ => (Watching::Settled, "everything is at rest"),
            };
            said.extend(run.trouble(&Doing { watching, words: words.to_owned() }));
        }
        assert_eq!(said.len(), 2, "{said:?}");
        assert!(said[0].contains("dark") && said[1].contains("going on"), "{said:?}");
    }

    #[test]
    fn damage_is_said_once_a_kind_and_counted() {
        let mut run = Run::default();
        assert!(run.damaged("0001.jpg: the file is cut off").is_some());
        assert!(run.damaged("0002.jpg: the file is cut off").is_none());
        run.events = 1;
        assert_eq!(run.summary(None), ["2 frames could not be read and were passed over"]);
    }
}
