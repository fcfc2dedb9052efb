//! A trace as files: for every stage a picture and what it shows as JSON.

use std::path::{Path, PathBuf};

use image::DynamicImage;
use serde_json::{Value, json};

use super::{PiecesTrace, SearchTrace, draw};
use crate::{
    annotate::{AnnotateOptions, TopView},
    board::Board,
    capture::Picture,
    draw::DrawError,
    output::{Inputs, Kind, OutputError, write, write_picture},
};

/// Why a trace could not be written.
#[derive(Debug, thiserror::Error)]
pub enum TraceError {
    #[error(transparent)]
    Output(#[from] OutputError),
    #[error("the picture of a stage cannot be drawn: {0}")]
    Draw(#[from] DrawError),
    #[error("cannot make the folder {path}: {source}")]
    Folder { path: PathBuf, source: std::io::Error },
}

/// Where the trace of one photo goes.
pub struct TraceTo<'a> {
    /// Made where there is none.
    pub folder: &'a Path,
    /// The photo's name in the files.
    pub photo: &'a str,
    /// Files that are not overwritten.
    pub inputs: &'a Inputs,
}

impl TraceTo<'_> {
    fn make_folder(&self) -> Result<(), TraceError> {
        let failed = |source| TraceError::Folder { path: self.folder.to_owned(), source };
        std::fs::create_dir_all(self.folder).map_err(failed)
    }

    fn picture(&self, stage: &str, picture: impl Into<DynamicImage>) -> Result<(), TraceError> {
        let path = self.folder.join(format!("{stage}.jpg"));
        Ok(write_picture(&path, Kind::Jpeg, &picture.into(), self.inputs)?)
    }

    fn values(&self, stage: &str, mut values: Value) -> Result<(), TraceError> {
        values["stage"] = stage.into();
        values["photo"] = self.photo.into();
        let text = serde_json::to_string_pretty(&values).unwrap_or_default() + "\n";
        Ok(write(&self.folder.join(format!("{stage}.json")), Kind::Trace, text.as_bytes(), self.inputs)?)
    }
}

/// How the board was looked for: its outline and its lines.
pub fn write_search(
    to: &TraceTo,
    picture: &Picture,
    board: &Board,
    trace: &SearchTrace,
) -> Result<(), TraceError> {
    to.make_folder()?;
    to.picture("1-outlines", draw::outlines(picture.rgb(), trace)?)?;
    let outline = |outline: &crate::outline::SurfaceOutline| {
        json!({
            "corners": outline.corners,
            "overlap": outline.overlap,
            "steps": outline.sides.map(|side| match side {
                crate::outline::OutlineSide::Step(step) => Some(step),
                crate::outline::OutlineSide::PictureBorder => None,
            }),
        })
    };
    to.values("1-outlines", json!({ "outlines": trace.outlines.iter().map(outline).collect::<Vec<_>>() }))?;
    to.picture("2-lines", draw::lines(picture.rgb(), trace, board)?)?;
    let lines = &trace.lines;
    let hypothesis = |verdict: &crate::register::Verdict| {
        json!({
            "score": verdict.score,
            "seen": verdict.seen,
            "chance": verdict.chance,
            "marks_seen": verdict.marks_seen,
            "marks_in_view": verdict.marks_in_view,
            "outline_seen": verdict.outline_seen,
            "unexplained": verdict.unexplained,
            "mark_nats": verdict.mark_nats,
        })
    };
    to.values(
        "2-lines",
        json!({
            "edges": lines.segments,
            "orientations": lines.orientations,
            "hypotheses": lines.hypotheses,
            "scores_before_polishing": lines.coarse_scores,
            "best": lines.verdicts.iter().map(hypothesis).collect::<Vec<_>>(),
            "refused": trace.refused,
        }),
    )
}

/// What was looked at on the board.
pub fn write_pieces(to: &TraceTo, picture: &Picture, trace: &PiecesTrace) -> Result<(), TraceError> {
    to.make_folder()?;
    let (board, registration) = (&trace.board, &trace.registration);
    to.picture("3-paint", draw::paint(picture.rgb(), trace)?)?;
    let names: Vec<&str> = board.lines.iter().map(|line| line.name.as_str()).collect();
    to.values(
        "3-paint",
        json!({
            "method": registration.method,
            "rms_px": registration.rms_px,
            "camera": registration.camera.pose.centre_mm(),
            "lines": names,
            "places": trace.paint,
        }),
    )?;
    let options = AnnotateOptions::default();
    let view = TopView::new(board, &registration.camera, &options);
    to.picture("4-view", view.rectified(picture))?;
    let detect = &trace.detect;
    to.values("4-view", json!({ "least_step_stops": detect.least_step, "smoothings": detect.smoothings }))?;
    for map in &detect.votes {
        let stage = format!("5-votes-{:.0}mm", 2.0 * map.radius_mm);
        to.picture(&stage, draw::votes(map))?;
        let most = map.parts.iter().copied().fold(0.0, f32::max);
        to.values(&stage, json!({ "pitch_mm": map.pitch_mm, "origin": map.origin, "most": most }))?;
    }
    to.picture("6-places", draw::places(picture.rgb(), trace)?)?;
    let kinds: Vec<&str> = board.pieces.iter().map(|kind| kind.name.as_str()).collect();
    to.values("6-places", json!({ "kinds": kinds, "places": detect.looked }))?;
    to.picture("7-edges", draw::edges(picture.rgb(), trace)?)?;
    let pieces = trace.sight.pieces.iter().zip(&trace.edges).enumerate();
    let piece = |(index, (seen, edges)): (usize, (&crate::score::Seen, &Vec<crate::measure::EdgeSeen>))| {
        json!({
            "id": index + 1,
            "kind": kinds[seen.candidate.kind],
            "centre": seen.measurement.centre,
            "covariance": seen.measurement.covariance,
            "trusted": seen.measurement.trusted,
            "edges": edges,
        })
    };
    let dropped = |(seen, check): &(crate::score::Seen, crate::detect::Check)| json!({ "kind": kinds[seen.candidate.kind], "centre": seen.measurement.centre, "reason": check });
    to.values(
        "7-edges",
        json!({
            "pieces": pieces.map(piece).collect::<Vec<_>>(),
            "dropped": trace.sight.dropped.iter().map(dropped).collect::<Vec<_>>(),
        }),
    )
}
