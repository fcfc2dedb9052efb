//! The page as the whole program: which camera is watched, and what it shows.

use std::{
    io::Cursor,
    path::{Path as FilePath, PathBuf},
    sync::{Arc, Mutex, PoisonError},
};

use axum::{
    Json,
    body::Bytes,
    extract::{Path, Query, State},
    http::header,
    response::{IntoResponse, Response},
};
use image::imageops::FilterType;
use serde::Deserialize;
use serde_json::{Value, json};

use super::{
    Access, Site,
    failure::{WebError, blocking},
    photo::jpeg,
};
use crate::{
    capture::{Driver, Picture, decode_photo, list_devices},
    home::{Home, Opening, WatchedSource},
};

impl Site {
    /// The program behind the page.
    pub(super) fn home(&self) -> Result<&Arc<Home>, WebError> {
        self.options.home.as_ref().ok_or_else(|| {
            WebError::NotFound(
                "this program was started for one match: start linecall without a command to choose cameras here"
                    .to_owned(),
            )
        })
    }
}

/// Everything that the first page needs.
pub(super) async fn facts(State(site): State<Arc<Site>>) -> Result<Json<Value>, WebError> {
    let home = site.home()?.clone();
    blocking(move || {
        let settings = home.settings();
        let recordings: Vec<Value> = home
            .data
            .recordings()
            .iter()
            .map(|path| json!({ "source": path.display().to_string(), "name": name_of(path) }))
            .collect();
        Ok(Json(json!({
            "watcher": home.watcher.view(),
            "source": settings.source.as_deref().map(shown),
            "recordings": recordings,
            "recordings_folder": home.data.recordings_folder().display().to_string(),
            "any_file": is_local(&site),
            "data": home.data.root().display().to_string(),
            "players": home.players(),
        })))
    })
    .await
}

fn name_of(path: &FilePath) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

/// A source without its password.
fn shown(source: &str) -> String {
    let Ok(source) = source.parse::<WatchedSource>();
    source.words()
}

/// Whether everybody who can ask sits at this machine.
fn is_local(site: &Site) -> bool {
    matches!(site.guard.access(), Access::Loopback)
}

/// The cameras that are plugged in.
pub(super) async fn cameras(State(site): State<Arc<Site>>) -> Result<Json<Value>, WebError> {
    let _home = site.home()?;
    blocking(move || {
        let (devices, problem) = match list_devices(Driver::default()) {
            Ok(devices) => (devices, None),
            Err(error) => (Vec::new(), Some(error.to_string())),
        };
        let cameras: Vec<Value> = devices
            .iter()
            .map(|device| {
                json!({
                    "source": device.device.to_string(), "name": device.name, "place": device.place,
                    "problem": device.problem, "picture": format!("/api/home/cameras/{}/picture", device.device),
                })
            })
            .collect();
        Ok(Json(json!({ "cameras": cameras, "problem": problem })))
    })
    .await
}

/// A tile's width, in pixels.
const TILE_PX: u32 = 480;

/// What a camera that is not watched sees: it is opened for one frame.
pub(super) async fn camera_picture(
    State(site): State<Arc<Site>>,
    Path(device): Path<u32>,
) -> Result<Response, WebError> {
    // Opening the same camera twice at once only makes one of them fail.
    static OPENING: Mutex<()> = Mutex::new(());
    let home = site.home()?.clone();
    let chosen = WatchedSource::Device(device);
    let is_watched = home.watcher.view().source.is_some_and(|watched| watched == chosen.words());
    blocking(move || {
        let newest = if is_watched { home.watcher.current_frame()() } else { None };
        let picture = match newest {
            Some(picture) => picture,
            None => {
                let _one = OPENING.lock().unwrap_or_else(PoisonError::into_inner);
                first_frame(&chosen, &home)?
            }
        };
        small_jpeg(&picture, TILE_PX)
    })
    .await
}

fn first_frame(chosen: &WatchedSource, home: &Home) -> Result<Picture, WebError> {
    let unusable = |error: &dyn std::fmt::Display| WebError::Unusable(error.to_string());
    let mut source = chosen.open(&Opening::default(), &home.watcher.phone).map_err(|e| unusable(&e))?;
    let frame = source.next().map_err(|e| unusable(&e))?;
    let frame = frame.ok_or_else(|| WebError::Unusable("the camera gives no picture".to_owned()))?;
    frame.picture().map(|picture| (*picture).clone()).map_err(|e| unusable(&e))
}

fn small_jpeg(picture: &Picture, width: u32) -> Result<Response, WebError> {
    let [w, h] = picture.size();
    let bytes = match w > width {
        true => {
            let height = (u64::from(h) * u64::from(width) / u64::from(w.max(1))).max(1) as u32;
            jpeg(&image::imageops::resize(picture.rgb(), width, height, FilterType::Triangle))?
        }
        false => jpeg(picture.rgb())?,
    };
    let headers = [(header::CONTENT_TYPE, "image/jpeg"), (header::CACHE_CONTROL, "no-store")];
    Ok((headers, bytes).into_response())
}

#[derive(Debug, Deserialize)]
pub(super) struct Wanted {
    width: Option<u32>,
}

/// The widest picture of the camera that pages are sent, in pixels.
const WIDEST_PX: u32 = 1920;

/// What the chosen camera shows now.
pub(super) async fn picture(
    State(site): State<Arc<Site>>,
    Query(Wanted { width }): Query<Wanted>,
) -> Result<Response, WebError> {
    let home = site.home()?.clone();
    blocking(move || {
        let newest = home.watcher.current_frame()();
        let picture =
            newest.ok_or_else(|| WebError::NotFound("the camera gives no picture yet".to_owned()))?;
        small_jpeg(&picture, width.unwrap_or(WIDEST_PX).clamp(16, WIDEST_PX))
    })
    .await
}

#[derive(Debug, Deserialize)]
pub(super) struct Source {
    /// A camera's number, a network camera's address, a recording, or `phone`; null: none.
    source: Option<String>,
}

/// Longest address or path of a source, in bytes.
const LONGEST_SOURCE: usize = 2000;

/// Chooses what is watched.
pub(super) async fn choose_source(
    State(site): State<Arc<Site>>,
    Json(Source { source }): Json<Source>,
) -> Result<Json<Value>, WebError> {
    let home = site.home()?.clone();
    let any_file = is_local(&site);
    blocking(move || {
        let chosen = source.as_deref().map(str::trim).filter(|source| !source.is_empty());
        if chosen.is_some_and(|chosen| chosen.len() > LONGEST_SOURCE) {
            return Err(WebError::Unusable("no camera's address is that long".to_owned()));
        }
        let chosen = chosen.map(|text| allowed(text, &home, any_file)).transpose()?;
        let kept = chosen.as_ref().map(WatchedSource::text);
        home.choose(|settings| settings.source = kept)
            .map_err(|error| WebError::Broken(error.to_string()))?;
        home.watcher.watch(chosen);
        Ok(Json(json!({ "watcher": home.watcher.view() })))
    })
    .await
}

/// From the network only what lies among the recordings may be opened; at this machine, any file.
fn allowed(text: &str, home: &Home, any_file: bool) -> Result<WatchedSource, WebError> {
    let Ok(chosen) = text.parse::<WatchedSource>();
    let WatchedSource::Recording(path) = &chosen else { return Ok(chosen) };
    let folder = home.data.recordings_folder();
    if path.components().count() == 1 && !path.exists() {
        let named = folder.join(path);
        return existing(named).map(WatchedSource::Recording);
    }
    let is_among = home.data.recordings().contains(path);
    match any_file || is_among {
        true => existing(path.clone()).map(WatchedSource::Recording),
        false => Err(WebError::Forbidden(format!(
            "from the network only recordings in {} may be opened",
            folder.display()
        ))),
    }
}

fn existing(path: PathBuf) -> Result<PathBuf, WebError> {
    match path.exists() {
        true => Ok(path),
        false => Err(WebError::Unusable(format!(
            "there is no {}: expected a camera's number, an address as rtsp://… or http://…, a video file or a folder \
             of pictures",
            path.display()
        ))),
    }
}

/// A picture of a phone whose browser is the camera.
pub(super) async fn phone_picture(
    State(site): State<Arc<Site>>,
    bytes: Bytes,
) -> Result<Json<Value>, WebError> {
    let home = site.home()?.clone();
    let limits = site.options.uploads.photo();
    blocking(move || {
        if home.watcher.view().source != Some(WatchedSource::Phone.words()) {
            return Err(WebError::Unusable("no phone is the camera now: choose it first".to_owned()));
        }
        // A broken picture is told to the phone that sent it, not to the match.
        let name = FilePath::new("phone.jpg");
        let reader = image::ImageReader::new(Cursor::new(&bytes)).with_guessed_format();
        let size = reader.ok().and_then(|reader| reader.into_dimensions().ok());
        if size.is_none() {
            decode_photo(&bytes, name, &limits).map_err(|error| WebError::Unusable(error.to_string()))?;
        }
        home.watcher.phone.send(bytes.to_vec()).map_err(|error| WebError::Unusable(error.to_string()))?;
        Ok(Json(json!({ "taken": true })))
    })
    .await
}
