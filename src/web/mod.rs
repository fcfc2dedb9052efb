//! The web page: scoreboard, referee, calls, set-up, photos, an overlay, and the same for programs.
//!
//! In: a [`Desk`] and requests. Out: pages (embedded in the program, no internet needed), JSON
//! (described by [`OPENAPI`]) and a stream of states. Nothing is decided here: the desk takes every
//! change to the rules and the ledger, and pages show the state that comes back.
//!
//! [`make_app`] is the whole site as a router; [`start`] runs it beside a loop that is not async.
//! The way of a change: `guard` lets it in, `changes` hands it to the desk, `publish` tells everyone.

mod asked;
mod assets;
mod boards;
mod calls;
mod camera;
mod challenges;
mod changes;
mod connections;
mod deadline;
mod evenings;
mod events;
mod failure;
mod games;
mod guard;
mod home;
mod learned;
mod learning;
mod log;
mod options;
mod photo;
mod preview;
mod publish;
mod reaching;
mod review_page;
mod secrets;
mod server;
mod setup;
mod shelf;
mod snapshot;
mod stream;
mod table;
mod tries;
mod upload;

use std::sync::Arc;

use axum::{
    Router,
    extract::DefaultBodyLimit,
    middleware,
    routing::{get, post},
};
use tokio::sync::Semaphore;

pub(crate) use connections::serve as serve_connections;
pub use failure::WebError;
pub use guard::Access;
pub use options::{
    ConnectionLimits, NetworkSwitch, NetworkView, NewPin, PhoneCamera, SetupFiles, TakeCamera, UploadLimits,
    WebOptions,
};
pub use publish::Published;
pub use secrets::Secrets;
pub use server::{Running, start};
pub(crate) use tries::Tries;
pub use tries::TryLimits;

use crate::desk::Desk;

/// What every handler works with.
pub struct Site {
    desk: Desk,
    options: WebOptions,
    published: Published,
    guard: guard::Guard,
    streams: connections::Callers,
    photos: shelf::Shelf<photo::ScoredPhoto>,
    views: shelf::Shelf<setup::SetupPicture>,
    /// Photos that are measured at the same time: each takes all cores and much memory.
    measuring: Semaphore,
}

impl Site {
    /// Begins to publish the desk's state; must be called within a runtime.
    pub fn new(desk: Desk, options: WebOptions, access: Access) -> Arc<Site> {
        Arc::new(Site {
            published: Published::follow(desk.clone(), options.calm_ms, options.frames_shown),
            guard: guard::Guard::new(access, &options),
            streams: connections::Callers::of_streams(&options.connections),
            photos: shelf::Shelf::new(options.uploads.kept),
            views: shelf::Shelf::new(options.uploads.kept),
            measuring: Semaphore::new(options.uploads.at_once),
            desk,
            options,
        })
    }

    /// Ends all streams, so that a server can end.
    pub fn stop(&self) {
        self.published.stop();
    }
}

/// The JSON interface in OpenAPI's terms.
pub const OPENAPI: &str = include_str!("assets/openapi.json");

/// The whole site.
pub fn make_app(site: Arc<Site>) -> Router {
    let uploads = DefaultBodyLimit::max(site.options.uploads.max_bytes);
    let bodies = DefaultBodyLimit::max(site.options.max_json_bytes);
    let with_uploads = Router::new()
        .route("/api/photo", post(photo::score))
        .route("/api/setup/picture", post(setup::take))
        .route("/api/home/phone", post(home::phone_picture))
        .layer(uploads);
    Router::new()
        .route("/", get(assets::score))
        .route("/referee", get(assets::referee))
        .route("/calls", get(assets::calls))
        .route("/calls/{call}", get(review_page::of_call))
        .route("/photo", get(assets::photo))
        .route("/photo/{id}/{piece}", get(review_page::of_photo))
        .route("/setup", get(assets::setup))
        .route("/overlay", get(assets::overlay))
        .route("/start", get(assets::start))
        .route("/evenings", get(assets::evenings))
        .route("/api/evenings", get(evenings::list))
        .route("/api/evenings/{evening}/{number}/{file}", get(evenings::export))
        .route("/api/players", get(evenings::players))
        .route("/api/players/rename", post(evenings::rename))
        .route("/phone", get(assets::phone))
        .route("/join/{invitation}", get(guard::join))
        .route("/api/home", get(home::facts))
        .route("/api/home/source", post(home::choose_source))
        .route("/api/home/picture", get(home::picture))
        .route("/api/home/cameras", get(home::cameras))
        .route("/api/home/cameras/{device}/picture", get(home::camera_picture))
        .route("/api/reach", get(reaching::reach))
        .route("/api/reach/code.svg", get(reaching::code))
        .route("/api/reach/network", post(reaching::network))
        .route("/api/reach/pin", post(reaching::new_pin))
        .route("/api/session/invitation", post(guard::invitation))
        .route("/camera", get(assets::camera))
        .route("/api/camera", post(camera::wanted))
        .route("/api/camera/frames", get(camera::frames))
        .route("/assets/{name}", get(assets::asset))
        .route("/api/openapi.json", get(assets::openapi))
        .route("/api/state", get(stream::state))
        .route("/api/stream", get(stream::stream))
        .route("/api/events", get(events::stream).post(changes::append))
        .route("/api/events/{event}/undo", post(changes::undo))
        .route("/api/events/{event}/overrule", post(changes::overrule))
        .route("/api/log", get(log::log))
        .route("/api/match", post(changes::new_match))
        .route("/api/proposals/{id}", get(asked::asked))
        .route("/api/views/{id}/picture", get(asked::picture))
        .route("/api/proposals/{id}/confirm", post(changes::confirm))
        .route("/api/proposals/{id}/reject", post(changes::reject))
        .route("/api/policy", post(changes::policy))
        .route("/api/preview", post(preview::preview))
        .route("/api/calls", get(calls::list))
        .route("/api/calls/{call}/verdict", post(calls::verdict))
        .route("/api/challenges", get(challenges::list).post(challenges::challenge))
        .route("/api/challenges/limit", post(challenges::limit))
        .route("/api/boards", get(boards::list))
        .route("/api/boards/{id}", get(boards::board))
        .route("/api/boards/{id}/picture", get(boards::picture))
        .route("/api/games", get(games::list))
        .route("/api/photo/{id}/annotated", get(photo::annotated))
        .route("/api/photo/{id}/record", post(photo::record))
        .route("/api/setup", get(setup::facts))
        .route("/api/setup/grab", post(setup::grab))
        .route("/api/setup/picture/{id}", get(setup::picture))
        .route("/api/setup/table", post(learning::choose))
        .route("/api/setup/outline", post(learning::outline))
        .route("/api/setup/learn", post(learning::learn_table))
        .route("/api/setup/learned", post(learning::change))
        .route("/api/setup/keep", post(learning::keep))
        .route("/api/setup/find", post(setup::find))
        .route("/api/setup/fit", post(setup::fit))
        .route("/api/setup/save", post(setup::save))
        .route("/api/setup/teach", post(setup::teach))
        .route("/api/setup/file/{id}/{name}", get(setup::file))
        .route("/api/session", get(guard::session).post(guard::log_in))
        .layer(bodies)
        .merge(with_uploads)
        .fallback(assets::nothing)
        .layer(middleware::from_fn_with_state(site.clone(), guard::check))
        .layer(middleware::from_fn_with_state(site.clone(), deadline::limit))
        .with_state(site)
}
