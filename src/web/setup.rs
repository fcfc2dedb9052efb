//! Set-up: a picture of the camera, the board found in it or fitted to four corners, a camera file.

use std::sync::{Mutex, PoisonError};
use std::{path::Path as FilePath, sync::Arc};

use axum::{
    Json,
    extract::{Multipart, Path, State},
    http::header,
    response::{IntoResponse, Response},
};
use serde::Deserialize;
use serde_json::{Value, json};

use super::{
    Site, boards,
    failure::{WebError, blocking},
    learned::LearnedTable,
    photo::jpeg,
    upload::{self, Upload},
};
use crate::{
    board::{Board, End},
    calibrate::{CalibrateOptions, Calibration, Given, calibrate_camera, expected_curves},
    camera::{Camera, Pixel},
    capture::Picture,
    detect::{DetectOptions, Detection, Detector, TaughtColours},
    geometry::Point,
    home::{Home, Phase, TableInUse},
    identify::{Finder, IdentifyError, IdentifyOptions},
};

/// A picture that is being set up from.
pub(super) struct SetupPicture {
    name: String,
    pub(super) picture: Picture,
    /// As browsers show it.
    encoded: Vec<u8>,
    fitted: Mutex<Option<Fitted>>,
    /// The board that is being learned from it.
    pub(super) learned: Mutex<Option<LearnedTable>>,
}

#[derive(Clone)]
struct Fitted {
    board: Arc<Board>,
    calibration: Calibration,
    found: Detection,
}

/// What the page needs to begin.
pub(super) async fn facts(State(site): State<Arc<Site>>) -> Json<Value> {
    let of_match = site.desk.with_record(|record| record.state().setup().board.id.clone());
    let table = site.table().map(|table| table.id.clone());
    let is_camera = match &site.options.home {
        Some(home) => home.watcher.view().phase != Phase::None,
        None => site.options.current_frame.is_some(),
    };
    Json(json!({
        "boards": boards::names(&site),
        "board": table.or(of_match),
        "camera": is_camera,
        "file": site.options.setup.camera.as_ref().map(|path| path.display().to_string()),
    }))
}

/// A photo by the camera.
pub(super) async fn take(State(site): State<Arc<Site>>, form: Multipart) -> Result<Json<Value>, WebError> {
    let Upload { name, bytes, .. } = upload::read(form).await?;
    let _turn = site.measuring.acquire().await.map_err(|error| WebError::Broken(error.to_string()))?;
    let limits = site.options.uploads.clone();
    let taken = blocking(move || {
        let picture = upload::decode(&name, &bytes, &limits)?;
        ready(name, picture)
    });
    Ok(Json(keep(&site, taken.await?)))
}

/// The running camera's newest frame.
pub(super) async fn grab(State(site): State<Arc<Site>>) -> Result<Json<Value>, WebError> {
    let none = || WebError::Unusable("no camera is running: choose a photo instead".to_owned());
    let frame = site.options.current_frame.clone().ok_or_else(none)?;
    let grabbed = blocking(move || {
        let picture =
            frame().ok_or_else(|| WebError::Unusable("the camera has given no frame yet".to_owned()))?;
        ready("camera".to_owned(), picture)
    });
    Ok(Json(keep(&site, grabbed.await?)))
}

fn ready(name: String, picture: Picture) -> Result<SetupPicture, WebError> {
    let encoded = jpeg(picture.rgb())?;
    Ok(SetupPicture { name, picture, encoded, fitted: Mutex::new(None), learned: Mutex::new(None) })
}

fn keep(site: &Site, taken: SetupPicture) -> Value {
    let [width, height] = taken.picture.size();
    json!({ "id": site.views.put(taken), "width": width, "height": height })
}

impl Site {
    pub(super) fn setup_picture(&self, id: &str) -> Result<Arc<SetupPicture>, WebError> {
        let gone = || WebError::NotFound("this picture is not kept any more: take it again".to_owned());
        self.views.get(id).ok_or_else(gone)
    }
}

impl SetupPicture {
    fn fitted(&self) -> Result<Fitted, WebError> {
        let fitted = self.fitted.lock().unwrap_or_else(PoisonError::into_inner).clone();
        fitted.ok_or_else(|| WebError::Unusable("find the board first, or fit its corners".to_owned()))
    }
}

pub(super) async fn picture(
    State(site): State<Arc<Site>>,
    Path(id): Path<String>,
) -> Result<Response, WebError> {
    let picture = site.setup_picture(&id)?;
    let headers = [(header::CONTENT_TYPE, "image/jpeg"), (header::CACHE_CONTROL, "private, max-age=3600")];
    Ok((headers, picture.encoded.clone()).into_response())
}

#[derive(Debug, Deserialize)]
pub(super) struct Find {
    id: String,
}

/// Which table the picture shows, of all that are known, and where; or what to do where none or several fit.
pub(super) async fn find(
    State(site): State<Arc<Site>>,
    Json(Find { id }): Json<Find>,
) -> Result<Json<Value>, WebError> {
    let picture = site.setup_picture(&id)?;
    let measuring = Arc::clone(&site);
    let _turn = measuring.measuring.acquire().await.map_err(|error| WebError::Broken(error.to_string()))?;
    blocking(move || {
        let finder =
            Finder::new(&site.boards(), None, End::Far, &site.options.score, IdentifyOptions::default())
                .map_err(|error| WebError::Unusable(error.to_string()))?;
        let fitting = match finder.identify(&picture.picture, None) {
            Ok(fitting) => fitting,
            Err(IdentifyError::Several { fitting, .. }) => {
                let boards: Vec<&str> = fitting.iter().map(|fitting| fitting.board.as_str()).collect();
                return Ok(Json(json!({ "found": false, "several": boards })));
            }
            Err(refused) => {
                let why = refused.to_string();
                // What can be done at the command line stands behind a semicolon.
                let why = why.split(';').next().unwrap_or_default();
                return Ok(Json(json!({ "found": false, "several": [], "why": why })));
            }
        };
        let board = site.board(&fitting.board)?;
        let asked = Fit { id, board: board.id.clone(), corners: None, height_mm: None, at: Vec::new() };
        let fitted = fit_picture(&picture, board.clone(), &asked)?;
        let mut told = answer(&picture, &fitted, &[]);
        told["found"] = json!(true);
        told["board"] = json!(board.id);
        told["name"] = json!(board.name);
        told["games"] = json!(board.games);
        told["probability"] = json!(fitting.probability);
        *picture.fitted.lock().unwrap_or_else(PoisonError::into_inner) = Some(fitted);
        Ok(Json(told))
    })
    .await
}

#[derive(Debug, Deserialize)]
pub(super) struct Fit {
    id: String,
    board: String,
    /// Near left, near right, far right, far left, in the picture's pixels; none: find the board.
    #[serde(default)]
    corners: Option<[[f64; 2]; 4]>,
    #[serde(default)]
    height_mm: Option<f64>,
    /// Places on the board, in mm, that the page wants to know in the picture: its rings.
    #[serde(default)]
    at: Vec<[f64; 2]>,
}

/// Fits the camera to the picture and says how good it is.
pub(super) async fn fit(
    State(site): State<Arc<Site>>,
    Json(asked): Json<Fit>,
) -> Result<Json<Value>, WebError> {
    let picture = site.setup_picture(&asked.id)?;
    let board = site.board(&asked.board)?;
    let _turn = site.measuring.acquire().await.map_err(|error| WebError::Broken(error.to_string()))?;
    blocking(move || {
        let fitted = fit_picture(&picture, board, &asked)?;
        let answer = answer(&picture, &fitted, &asked.at);
        *picture.fitted.lock().unwrap_or_else(PoisonError::into_inner) = Some(fitted);
        Ok(Json(answer))
    })
    .await
}

/// Farthest that a corner may lie outside of the picture, in pictures: a camera over one end of a long
/// table sees a third of it.
const FARTHEST_CORNER: f64 = 10.0;
/// More places than any page asks for.
const MOST_PLACES: usize = 16;

/// Places that a page gave, if they are in or near the picture.
pub(super) fn near_places<const N: usize>(
    setup: &SetupPicture,
    places: [[f64; 2]; N],
) -> Result<[Pixel; N], WebError> {
    let [width, height] = setup.picture.size().map(f64::from);
    let near = |value: f64, size: f64| value.is_finite() && value.abs() <= FARTHEST_CORNER * size;
    if places.iter().any(|[x, y]| !near(*x, width) || !near(*y, height)) {
        return Err(WebError::Unusable("a corner lies far outside of the picture".to_owned()));
    }
    Ok(places.map(|[x, y]| Pixel::new(x, y)))
}

fn fit_picture(setup: &SetupPicture, board: Arc<Board>, asked: &Fit) -> Result<Fitted, WebError> {
    let corners = asked.corners.map(|corners| near_places(setup, corners)).transpose()?;
    if asked.height_mm.is_some_and(|mm| !mm.is_finite() || mm <= 0.0) {
        return Err(WebError::Unusable("the height is a length in mm above 0".to_owned()));
    }
    let given = Given { height_mm: asked.height_mm, lens: None, corners };
    let photos = [(setup.name.clone(), setup.picture.clone())];
    let calibration = calibrate_camera(&photos, &board, &given, &CalibrateOptions::default(), || {})
        .map_err(|error| WebError::Unusable(error.to_string()))?;
    let detector =
        Detector::new(&board, &calibration.file.camera, setup.picture.size(), &DetectOptions::default());
    let found = detector.detect_set(&[&setup.picture]).pop().unwrap_or_default();
    Ok(Fitted { board, calibration, found })
}

fn answer(setup: &SetupPicture, fitted: &Fitted, at: &[[f64; 2]]) -> Value {
    let Fitted { board, calibration, found } = fitted;
    let camera = &calibration.file.camera;
    let curves = |all: &[Vec<Pixel>]| -> Vec<Vec<[f64; 2]>> {
        all.iter().map(|curve| curve.iter().map(|p| tenths(*p)).collect()).collect()
    };
    let expected = expected_curves(board, camera);
    let seen = |[x, y]: &[f64; 2]| camera.image_from_board(*x, *y, 0.0).map(tenths);
    let rings: Vec<Option<[f64; 2]>> = at.iter().take(MOST_PLACES).map(seen).collect();
    let pieces = found.pieces.iter().map(|piece| {
        let kind = &board.pieces[piece.kind];
        let scale = camera.mm_per_px(piece.centre).unwrap_or(1.0);
        json!({
            "px": [piece.px.x, piece.px.y], "px_radius": kind.radius_mm() / scale, "colour": kind.name,
            "probability": piece.kind_probability,
        })
    });
    json!({
        "at": rings,
        "lines": curves(&expected.paint),
        "outline": curves(&expected.surface).concat(),
        "pieces": pieces.collect::<Vec<_>>(),
        "quality": quality(setup.picture.size(), board, calibration),
        "rms_px": calibration.file.quality.rms_px,
        "worst_mm": calibration.worst_piece.sigma_mm,
        "height_mm": camera.pose.centre_mm().z,
    })
}

pub(super) fn tenths(p: Pixel) -> [f64; 2] {
    [p.x, p.y].map(|v| (v * 10.0).round() / 10.0)
}

/// Paint that fits within so many pixels is sharp and as drawn; beyond the second it is neither.
const RMS_PX: [f64; 2] = [0.5, 1.2];
/// Pieces known to so many mm at the worst place make for few close calls; beyond the second, many.
const WORST_MM: [f64; 2] = [0.15, 0.5];
/// So many mm a pixel show a gap of 0.3 mm; beyond the second they do not.
const MM_PER_PX: [f64; 2] = [0.7, 1.2];
/// A gain by the camera's height that is worth a person's time, mm.
const WORTH_MM: f64 = 0.03;

/// How good a camera is, in plain words: `yes`, `so` (usable) or `no`.
fn quality(size: [u32; 2], board: &Board, calibration: &Calibration) -> Vec<Value> {
    let file = &calibration.file;
    let good = |value: f64, [fine, usable]: [f64; 2]| {
        if value <= fine {
            "yes"
        } else if value <= usable {
            "so"
        } else {
            "no"
        }
    };
    let row = |good: &str, words: String| json!({ "good": good, "words": words });
    let (whole, view_words) = whole_board(size, board, &file.camera);
    let mm_per_px = coarsest(board, &file.camera);
    let rms = file.quality.rms_px;
    let worst = &calibration.worst_piece;
    let mut rows = vec![
        row(
            good(rms, RMS_PX),
            format!(
                "The painted lines lie within {rms:.2} px of where they are expected, at {} places.",
                file.quality.edges
            ),
        ),
        row(whole, view_words),
        row(
            good(mm_per_px, MM_PER_PX),
            match good(mm_per_px, MM_PER_PX) {
                "yes" => format!("Sharp enough: {mm_per_px:.2} mm a pixel at the coarsest place."),
                _ => format!(
                    "Coarse: {mm_per_px:.2} mm a pixel at the coarsest place. Move the camera nearer or use more pixels."
                ),
            },
        ),
        row(
            good(worst.sigma_mm, WORST_MM),
            format!("Pieces are known to \u{b1}{:.2} mm at the worst place.", worst.sigma_mm),
        ),
    ];
    let gain = worst.sigma_mm - calibration.worst_piece_otherwise.sigma_mm;
    if file.origin.height_mm.is_none() && gain > WORTH_MM {
        rows.push(row(
            "so",
            format!(
                "With the camera's height by tape it would be \u{b1}{:.2} mm.",
                calibration.worst_piece_otherwise.sigma_mm
            ),
        ));
    }
    rows
}

/// Whether all scoring areas (or the whole surface) are in the picture.
fn whole_board(size: [u32; 2], board: &Board, camera: &Camera) -> (&'static str, String) {
    let [width, height] = size.map(f64::from);
    let inside = |p: &Point| {
        let seen = camera.image_from_board(p.x, p.y, 0.0);
        seen.is_some_and(|at| at.x >= 0.0 && at.y >= 0.0 && at.x <= width - 1.0 && at.y <= height - 1.0)
    };
    let end_in_view = |end| board.areas_at(end).flat_map(|area| area.polygon.vertices()).all(inside);
    let ends = [(crate::board::End::Far, "far"), (crate::board::End::Near, "near")];
    if board.corners().iter().all(inside) {
        return ("yes", "The whole board is in view.".to_owned());
    }
    let seen: Vec<&str> = ends
        .into_iter()
        .filter(|(end, _)| board.is_two_ended() && end_in_view(*end))
        .map(|(_, name)| name)
        .collect();
    match seen.as_slice() {
        [end] => ("yes", format!("The {end} end is in view with all its areas.")),
        [_, _] => ("yes", "Both ends are in view with all their areas.".to_owned()),
        _ => ("no", "Part of the board is outside of the picture: turn the camera or raise it.".to_owned()),
    }
}

/// The coarsest scale on the surface that the picture shows, mm a pixel.
fn coarsest(board: &Board, camera: &Camera) -> f64 {
    const STEPS: usize = 8;
    let [width, height] = camera.image_size.map(f64::from);
    let at = |i: usize, size: f64| size * i as f64 / STEPS as f64;
    let places = (0..=STEPS)
        .flat_map(|i| (0..=STEPS).map(move |j| (i, j)))
        .map(|(i, j)| Point::new(at(i, board.surface.width_mm), at(j, board.surface.length_mm)));
    let in_view = |p: &Point| {
        camera
            .image_from_board(p.x, p.y, 0.0)
            .is_some_and(|at| at.x >= 0.0 && at.y >= 0.0 && at.x < width && at.y < height)
    };
    places.filter(in_view).filter_map(|p| camera.mm_per_px(p)).fold(0.0, f64::max)
}

#[derive(Debug, Deserialize)]
pub(super) struct Save {
    id: String,
}

/// Writes the camera file where the program was told to, or offers it as a download.
pub(super) async fn save(
    State(site): State<Arc<Site>>,
    Json(Save { id }): Json<Save>,
) -> Result<Json<Value>, WebError> {
    let picture = site.setup_picture(&id)?;
    let fitted = picture.fitted()?;
    if let Some(home) = site.options.home.clone() {
        return blocking(move || use_table(&site, &home, &fitted)).await;
    }
    if site.options.take_camera.is_some() {
        fits_the_loop(&site, &picture, &fitted)?;
    }
    match site.options.setup.camera.clone() {
        Some(path) => {
            let take_camera = site.options.take_camera.clone();
            blocking(move || {
                fitted.calibration.file.save(&path).map_err(|error| WebError::Broken(error.to_string()))?;
                if let Some(take) = &take_camera {
                    take(fitted.calibration.file);
                }
                Ok(Json(json!({ "saved": path.display().to_string(), "taken_up": take_camera.is_some() })))
            })
            .await
        }
        None => Ok(Json(download(&id, CAMERA_FILE))),
    }
}

/// Keeps the camera's file in the data folder; the camera watches this table from now on.
fn use_table(site: &Site, home: &Home, fitted: &Fitted) -> Result<Json<Value>, WebError> {
    let broken = |error: &dyn std::fmt::Display| WebError::Broken(error.to_string());
    let id = &fitted.board.id;
    let played_on = site.desk.game().filter(|game| !game.standing().status.is_over());
    let played_on = played_on.map(|game| game.setup().board.id.clone()).filter(|played| played != id);
    if let Some(played) = played_on.filter(|_| home.watcher.view().board.is_some()) {
        return Err(WebError::Unusable(format!(
            "the match that is being played is on the board {played}, not on {id}: finish it first, or choose that board"
        )));
    }
    let file = site.board_file(id)?;
    let (text, path) = (&fitted.calibration.file, home.data.camera_file());
    text.save(&path).map_err(|error| broken(&error))?;
    let table = TableInUse::of(text.clone(), file.clone(), &home.data).map_err(|error| broken(&error))?;
    home.choose(|settings| settings.board = Some(id.clone())).map_err(|error| broken(&error))?;
    site.desk.set_board(file);
    home.watcher.set_up(table);
    Ok(Json(json!({ "saved": path.display().to_string(), "taken_up": true, "board": id })))
}

/// A running camera's file is of its own board and of pictures of its own size.
fn fits_the_loop(site: &Site, picture: &SetupPicture, fitted: &Fitted) -> Result<(), WebError> {
    let watched = site.desk.with_record(|record| record.state().setup().board.id.clone());
    if let Some(watched) = watched.filter(|watched| *watched != fitted.board.id) {
        let (set_up, watched) = (&fitted.board.id, watched);
        return Err(WebError::Unusable(format!(
            "the camera watches the board {watched}, not {set_up}: choose that board, or start the program for this one"
        )));
    }
    let [width, height] = picture.picture.size();
    let frame = site.options.current_frame.as_ref().and_then(|frame| frame());
    match frame.map(|frame| frame.size()).filter(|size| *size != [width, height]) {
        Some([w, h]) => Err(WebError::Unusable(format!(
            "this photo has {width} x {height} pixels, the camera's pictures {w} x {h}: take it from the camera"
        ))),
        None => Ok(()),
    }
}

const CAMERA_FILE: &str = "camera.toml";
const COLOURS_FILE: &str = "colours.toml";

fn download(id: &str, name: &str) -> Value {
    json!({ "saved": name, "taken_up": false, "download": format!("/api/setup/file/{id}/{name}") })
}

#[derive(Debug, Deserialize)]
pub(super) struct Teach {
    id: String,
    /// What each found piece is, in their order; null: no piece.
    kinds: Vec<Option<String>>,
}

/// Keeps the colours of the set as a person named its pieces.
pub(super) async fn teach(
    State(site): State<Arc<Site>>,
    Json(Teach { id, kinds }): Json<Teach>,
) -> Result<Json<Value>, WebError> {
    let picture = site.setup_picture(&id)?;
    let mut fitted = picture.fitted()?;
    fitted.found = named(&fitted, &kinds)?;
    let taught = TaughtColours::of(&fitted.board, std::slice::from_ref(&fitted.found));
    *picture.fitted.lock().unwrap_or_else(PoisonError::into_inner) = Some(fitted);
    match site.options.setup.colours.clone() {
        Some(path) => {
            blocking(move || {
                taught.save(&path).map_err(|error| WebError::Broken(error.to_string()))?;
                let taken_up = site.options.home.as_ref().is_some_and(|home| take_up_colours(home));
                Ok(Json(json!({ "saved": path.display().to_string(), "taken_up": taken_up })))
            })
            .await
        }
        None => Ok(Json(download(&id, COLOURS_FILE))),
    }
}

/// The camera goes on with the table as it is kept now.
fn take_up_colours(home: &Home) -> bool {
    let table = TableInUse::load(&home.data).ok().flatten();
    let is_there = table.is_some();
    table.into_iter().for_each(|table| home.watcher.set_up(table));
    is_there
}

/// What was found, with the kinds that a person gave.
fn named(fitted: &Fitted, kinds: &[Option<String>]) -> Result<Detection, WebError> {
    let found = &fitted.found;
    if kinds.len() != found.pieces.len() {
        let (given, pieces) = (kinds.len(), found.pieces.len());
        return Err(WebError::Unusable(format!("{pieces} pieces were found, but {given} were named")));
    }
    let mut out = Detection { foreign: found.foreign.clone(), ..Detection::default() };
    for ((piece, face), kind) in found.pieces.iter().zip(&found.face_stops).zip(kinds) {
        let Some(name) = kind else { continue };
        let kind = fitted.board.pieces.iter().position(|kind| kind.name == *name);
        let kind =
            kind.ok_or_else(|| WebError::Unusable(format!("the board has no piece called {name:?}")))?;
        out.pieces.push(crate::detect::Candidate { kind, ..piece.clone() });
        out.face_stops.push(*face);
    }
    Ok(out)
}

/// A file of set-up as a download.
pub(super) async fn file(
    State(site): State<Arc<Site>>,
    Path((id, name)): Path<(String, String)>,
) -> Result<Response, WebError> {
    let fitted = site.setup_picture(&id)?.fitted()?;
    let broken = |error: &dyn std::fmt::Display| WebError::Broken(error.to_string());
    let text = match name.as_str() {
        CAMERA_FILE => fitted.calibration.file.text(FilePath::new(CAMERA_FILE)).map_err(|e| broken(&e))?,
        COLOURS_FILE => {
            toml::to_string(&TaughtColours::of(&fitted.board, std::slice::from_ref(&fitted.found)))
                .map_err(|e| broken(&e))?
        }
        _ => return Err(WebError::NotFound("there is no such file".to_owned())),
    };
    let headers = [
        (header::CONTENT_TYPE, "application/toml".to_owned()),
        (header::CONTENT_DISPOSITION, format!("attachment; filename=\"{name}\"")),
    ];
    Ok((headers, text).into_response())
}
