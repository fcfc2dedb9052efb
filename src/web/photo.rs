//! A photo goes up and is scored: by itself, or into the match.

use std::sync::Arc;

use axum::{
    Json,
    body::Bytes,
    extract::{Multipart, Path, State},
    http::header,
    response::{IntoResponse, Response},
};
use serde_json::{Value, json};

use super::{
    Site,
    changes::{Signed, change},
    failure::{WebError, blocking},
    upload::{self, Upload},
};
use crate::{
    annotate::{AnnotateOptions, annotated_photo},
    board::{BoardFile, End},
    capture::Picture,
    desk::{Proposal, Taken},
    identify::{Finder, IdentifyOptions},
    ledger::{Doubtful, EncodedFrame, KnownPlace, ViewEvidence},
    rules::GameId,
    score::{Known, PhotoReport, Scored, Scorer, StageTimes},
};

/// A photo that was scored, and everything its pages need.
pub(super) struct ScoredPhoto {
    pub name: String,
    pub bytes: Bytes,
    pub picture: Picture,
    pub scorer: Scorer,
    pub scored: Scored,
    board: BoardFile,
    annotated: Vec<u8>,
}

/// Scores a photo. Its board is found by its own lines; which board it is, too, where none was chosen.
pub(super) async fn score(State(site): State<Arc<Site>>, form: Multipart) -> Result<Json<Value>, WebError> {
    let upload = upload::read(form).await?;
    let _turn = site.measuring.acquire().await.map_err(|error| WebError::Broken(error.to_string()))?;
    let measured_for = site.clone();
    let photo = blocking(move || scored(&measured_for, upload)).await?;
    let report = json!(photo.scored.report);
    let can_record = is_frame_game(photo.scorer.game);
    let id = site.photos.put(photo);
    Ok(Json(json!({
        "id": id,
        "report": report,
        "can_record": can_record,
        "annotated": format!("/api/photo/{id}/annotated"),
    })))
}

/// The games of which one photo shows a whole frame.
fn is_frame_game(game: GameId) -> bool {
    matches!(game, GameId::Court | GameId::LongBoard | GameId::Association)
}

fn scored(site: &Site, upload: Upload) -> Result<ScoredPhoto, WebError> {
    let Upload { name, bytes, board, end } = upload;
    let end = match end.as_str() {
        "near" => End::Near,
        _ => End::Far,
    };
    let unusable = |error: &dyn std::fmt::Display| WebError::Unusable(error.to_string());
    let picture = upload::decode(&name, &bytes, &site.options.uploads)?;
    let (scorer, scored) = match board.as_str() {
        "" => found(site, &name, &picture, end)?,
        named => {
            let board = site.board(named)?;
            let scorer = Scorer::new((*board).clone(), None, end, site.options.score.clone())
                .map_err(|e| unusable(&e))?;
            let scored = scorer
                .score(&name, &picture, &Known::Nothing, &mut StageTimes::default())
                .map_err(|error| unusable(&error.words(&name)))?;
            (scorer, scored)
        }
    };
    let file = site.board_file(&scorer.board.id)?;
    let drawn = annotated_photo(&picture, &scorer.board, &scored, &AnnotateOptions::default());
    let annotated = jpeg(&drawn.map_err(|e| unusable(&e))?)?;
    Ok(ScoredPhoto { name, bytes, picture, scorer, scored, board: file, annotated })
}

/// Scores a photo on the board that it shows, of those that can be chosen.
fn found(site: &Site, name: &str, picture: &Picture, end: End) -> Result<(Scorer, Scored), WebError> {
    let unusable = |words: String| WebError::Unusable(words);
    let boards = site.boards();
    let finder = Finder::new(&boards, None, end, &site.options.score, IdentifyOptions::default())
        .map_err(|error| unusable(error.to_string()))?;
    let (scorer, scored) = finder
        .score(name, picture, None, &mut StageTimes::default())
        .map_err(|error| unusable(error.words(name)))?;
    Ok((scorer.clone(), scored))
}

/// Quality of pictures for people: drawn lines stay sharp.
const JPEG_QUALITY: u8 = 88;

pub(super) fn jpeg(picture: &image::RgbImage) -> Result<Vec<u8>, WebError> {
    let mut bytes = Vec::new();
    let encoder = image::codecs::jpeg::JpegEncoder::new_with_quality(&mut bytes, JPEG_QUALITY);
    picture.write_with_encoder(encoder).map_err(|error| WebError::Broken(error.to_string()))?;
    Ok(bytes)
}

impl Site {
    pub(super) fn photo(&self, id: &str) -> Result<Arc<ScoredPhoto>, WebError> {
        let gone = || WebError::NotFound("this photo is not kept any more: upload it again".to_owned());
        self.photos.get(id).ok_or_else(gone)
    }
}

pub(super) async fn annotated(
    State(site): State<Arc<Site>>,
    Path(id): Path<String>,
) -> Result<Response, WebError> {
    let photo = site.photo(&id)?;
    Ok(([(header::CONTENT_TYPE, "image/jpeg")], photo.annotated.clone()).into_response())
}

/// Hands the photo's frame to the desk, as a camera would.
pub(super) async fn record(
    State(site): State<Arc<Site>>,
    Path(id): Path<String>,
    Json(signed): Json<Signed>,
) -> Result<Json<Value>, WebError> {
    let photo = site.photo(&id)?;
    if !is_frame_game(photo.scorer.game) {
        return Err(WebError::Unusable(
            "a photo of this game shows no whole frame: enter the strikes".to_owned(),
        ));
    }
    change(&site, move |desk| {
        signed.name()?;
        let taken = desk.propose(proposal(desk, &photo)?)?;
        Ok(match taken {
            Taken::Recorded { number } => json!({ "event": number }),
            Taken::Asked { id, why } => json!({ "asked": id, "why": why }),
        })
    })
    .await
}

fn proposal(desk: &crate::desk::Desk, photo: &ScoredPhoto) -> Result<Proposal, WebError> {
    let report = &photo.scored.report;
    Ok(Proposal {
        event: desk.frame_event(report)?,
        confidence: confidence(report),
        doubts: report.doubts.iter().map(doubtful).chain(uncalled(report)).collect(),
        evidence: Some(ViewEvidence {
            source: photo.name.clone(),
            frame: EncodedFrame(photo.bytes.to_vec()),
            around: Vec::new(),
            report: report.clone(),
            registration: photo.scored.registration.clone(),
            known: KnownPlace::Nothing,
            board: photo.board.clone(),
            camera: None,
            colours: None,
            options: crate::options::as_toml(&photo.scorer.options),
        }),
    })
}

/// A tally that leaves pieces out is not sure, whatever the others say.
fn confidence(report: &PhotoReport) -> f64 {
    if report.uncalled.is_empty() { report.tally_probability } else { 0.0 }
}

fn doubtful(doubt: &crate::score::DoubtReport) -> Doubtful {
    Doubtful {
        about: doubt.about.clone(),
        probability: doubt.probability,
        piece: Some(doubt.piece),
        against: doubt.against,
        question: None,
    }
}

fn uncalled(report: &PhotoReport) -> impl Iterator<Item = Doubtful> + '_ {
    report.uncalled.iter().map(|piece| Doubtful {
        about: "stacked".to_owned(),
        probability: 1.0,
        piece: Some(*piece),
        against: None,
        question: Some(format!("Piece {piece} cannot be called and is left out: what does it score?")),
    })
}
