//! Where the camera is: the one place that knows.
//!
//! In: pictures in which the board can be looked at. Out: whether the camera is in place, was moved by
//! so much (and registered anew), sees too little of the board's lines to tell, or is lost. What hides
//! the lines is no reason to register anew: a new place must show about as much paint as the old one
//! did. A camera that is lost is looked for again and again, with longer waits in between, and nothing
//! is called meanwhile; it never ends an evening.

use nalgebra::Point3;

use super::{Moved, SettleOptions};
use crate::{
    board::Board,
    camera::Camera,
    capture::Picture,
    geometry::Point,
    register::{CameraPrior, CameraWatch, RefineOptions, Registration, moved_px, refine, surface_in_view},
    score::Scorer,
};

/// What a look at the camera's place says.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Place {
    Unmoved,
    /// Too little of the lines is to be seen to tell.
    Covered,
    /// It stands elsewhere, and is registered there.
    Moved(Moved),
    /// It is not where it was, and its new place was not found.
    Lost(Moved),
}

/// Owns where the camera is.
#[derive(Debug, Clone)]
pub struct CameraPlace {
    registration: Registration,
    watch: Option<CameraWatch>,
    /// Share of the paint's places that shows paint when nothing is in the way.
    usual_share: f64,
    last_good_secs: f64,
    lost: Option<Search>,
}

/// Looked for again.
#[derive(Debug, Clone, Copy)]
struct Search {
    next_secs: f64,
    wait_secs: f64,
}

impl CameraPlace {
    pub fn new(registration: Registration) -> Self {
        Self { registration, watch: None, usual_share: 0.0, last_good_secs: 0.0, lost: None }
    }

    pub fn registration(&self) -> &Registration {
        &self.registration
    }

    pub fn is_lost(&self) -> bool {
        self.lost.is_some()
    }

    /// Whether it is time to look for a lost camera again.
    pub fn is_search_due(&self, time_secs: f64) -> bool {
        self.lost.is_some_and(|search| time_secs >= search.next_secs)
    }

    /// A view was read with the camera in its place.
    pub fn was_good(&mut self, time_secs: f64) {
        self.last_good_secs = time_secs;
    }

    /// A person has set it up anew. Gives how far that is from where it was, in pixels.
    pub fn set(&mut self, registration: Registration, board: &Board) -> f64 {
        let moved_px = moved_px(board, &[self.registration.camera], &[registration.camera]);
        *self = Self { last_good_secs: self.last_good_secs, ..Self::new(registration) };
        moved_px
    }

    /// Looks at a picture. `search`: what hides the lines has been there for so long that nobody can be
    /// in the way, so the board is looked for all over the picture.
    pub fn check(
        &mut self,
        picture: &Picture,
        scorer: &Scorer,
        options: &SettleOptions,
        time_secs: f64,
        search: bool,
    ) -> Place {
        let watch = self.watch.get_or_insert_with(|| watch_of(&self.registration.camera, scorer, options));
        let check = watch.check(picture, &scorer.board);
        let camera = self.registration.camera;
        let allowed_px = options.moved_px * (f64::from(camera.image_size[0]) / 1920.0).max(0.5);
        let least_share = options.paint_share * self.usual_share;
        let place = match check {
            None => Place::Covered,
            Some(check) if check.found_share < least_share => Place::Covered,
            Some(check) if check.moved_px <= allowed_px => {
                self.usual_share = self.usual_share.max(check.found_share);
                Place::Unmoved
            }
            Some(check) => self.registered_anew(picture, scorer, options, check.moved_px),
        };
        let place = match place {
            Place::Covered if search => self.search(picture, scorer, options, time_secs),
            place => place,
        };
        if !matches!(place, Place::Lost(_) | Place::Covered) {
            self.lost = None;
        }
        place
    }

    /// The lines are seen elsewhere: the camera there, if that is farther than both places are open.
    fn registered_anew(
        &mut self,
        picture: &Picture,
        scorer: &Scorer,
        options: &SettleOptions,
        moved_px: f64,
    ) -> Place {
        let camera = self.registration.camera;
        let prior = CameraPrior { lens: Some(camera.lens), ..CameraPrior::default() };
        match refine(picture, &scorer.board, &camera, &prior, &scorer.options.refine) {
            Ok(found) if apart_sigmas(&scorer.board, &self.registration, &found) < options.moved_sigmas => {
                Place::Unmoved
            }
            Ok(found) if self.shows_as_much(&found, picture, scorer, options) => {
                self.move_to(found, moved_px)
            }
            // What was found near its place was no line of the board, or few are to be seen.
            _ => Place::Covered,
        }
    }

    /// Looks for the board all over the picture, as in one of a camera that nothing is known of.
    fn search(
        &mut self,
        picture: &Picture,
        scorer: &Scorer,
        options: &SettleOptions,
        time_secs: f64,
    ) -> Place {
        if let Ok(found) = scorer.find_again(picture, &self.registration.camera)
            && self.shows_as_much(&found, picture, scorer, options)
        {
            let px = moved_px(&scorer.board, &[self.registration.camera], &[found.camera]);
            return self.move_to(found, px);
        }
        let before = self.lost.map_or(options.search_secs / 2.0, |search| search.wait_secs);
        let wait_secs = (2.0 * before).min(options.search_most_secs);
        self.lost = Some(Search { next_secs: time_secs + wait_secs, wait_secs });
        let last_good_secs = self.last_good_secs;
        Place::Lost(Moved { moved_px: None, registered_again: false, last_good_secs })
    }

    fn move_to(&mut self, found: Registration, moved_px: f64) -> Place {
        self.registration = found;
        (self.watch, self.usual_share) = (None, 0.0);
        let last_good_secs = self.last_good_secs;
        Place::Moved(Moved { moved_px: Some(moved_px), registered_again: true, last_good_secs })
    }

    /// A place that shows much less paint than the old one was found in something else, or beside a cloth.
    fn shows_as_much(
        &self,
        found: &Registration,
        picture: &Picture,
        scorer: &Scorer,
        options: &SettleOptions,
    ) -> bool {
        let check = watch_of(&found.camera, scorer, options).check(picture, &scorer.board);
        let usual_share = if self.usual_share > 0.0 { self.usual_share } else { options.paint_share };
        check.is_some_and(|check| check.found_share >= options.paint_share * usual_share)
    }
}

fn watch_of(camera: &Camera, scorer: &Scorer, options: &SettleOptions) -> CameraWatch {
    let quick = RefineOptions { max_stations: options.check_stations, ..scorer.options.refine.clone() };
    CameraWatch::new(&scorer.board, camera, &quick)
}

/// How far apart two registrations place the board, in standard deviations of both, where they differ
/// most. A board with few lines leaves its far corners open: two looks differ there by more than any
/// allowance though nothing has moved.
fn apart_sigmas(board: &Board, before: &Registration, after: &Registration) -> f64 {
    let apart = |at: Point| {
        let pixel = before.camera.image_from_board(at.x, at.y, 0.0)?;
        let now = after.camera.board_from_image(pixel.x, pixel.y, 0.0)?;
        let place = Point3::new(at.x, at.y, 0.0);
        let known = |r: &Registration| r.camera.board_covariance_mm2(place, &r.covariance);
        let variance_mm2 = (known(before)? + known(after)?).symmetric_eigenvalues().max();
        Some((now - at).norm() / variance_mm2.max(f64::MIN_POSITIVE).sqrt())
    };
    surface_in_view(board, &before.camera).into_iter().filter_map(apart).fold(0.0, f64::max)
}
