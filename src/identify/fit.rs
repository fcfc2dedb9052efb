//! Which boards fit a picture, each by its own checks, and what they explain of it.

use rayon::prelude::*;

use super::{IdentifyOptions, Possible};
use crate::{
    camera::{Camera, Pixel},
    register::{
        CameraPrior, Explained, FindOptions, Method, RefineOptions, Registration, SearchedPicture, by_lines,
        cameras_from_corners, cameras_from_tags, explained, refine_first, without_lines,
    },
};

/// A board that its own checks do not refuse.
pub(super) struct Fit {
    /// Its place among the possible boards.
    pub index: usize,
    pub registration: Registration,
    pub explained: Explained,
    most_mark_nats: f64,
}

impl Fit {
    /// What its marks say for it, each as much as one mark may.
    pub fn nats(&self) -> f64 {
        self.mark_nats().sum()
    }

    pub fn mark_nats(&self) -> impl Iterator<Item = f64> + '_ {
        self.explained.marks.iter().map(|nats| nats.clamp(-self.most_mark_nats, self.most_mark_nats))
    }
}

pub(super) fn fits(
    searched: &SearchedPicture,
    possible: &[Possible],
    corners: Option<[Pixel; 4]>,
    options: &IdentifyOptions,
) -> Vec<Fit> {
    let fit = |index: usize, registration: Registration| {
        let Possible { scorer, .. } = &possible[index];
        let explained = explained(searched, &scorer.board, &registration.camera, &scorer.options.find)?;
        Some(Fit { index, registration, explained, most_mark_nats: options.most_mark_nats })
    };
    let all: Vec<usize> = (0..possible.len()).collect();
    let placed = |index: &usize| {
        let found = match corners {
            Some(corners) => by_corners(searched, &possible[*index], corners),
            None => by_marks(searched, &possible[*index]),
        };
        fit(*index, found?)
    };
    let mut fits: Vec<Fit> = all.par_iter().filter_map(placed).collect();
    // What lines show plainly needs no outline; without any lines, the outline is all there is. A person's own boards are
    // always looked for: they are known less well, and there are few.
    let is_plain = fits.iter().any(|fit| fit.explained.is_convincing);
    let is_left =
        |index: &usize| (!is_plain || possible[*index].is_own) && fits.iter().all(|fit| fit.index != *index);
    let left: Vec<usize> = all.into_iter().filter(is_left).collect();
    if corners.is_none() && !left.is_empty() {
        // All at once beforehand: searches that run side by side would wait for it in each other's turn.
        searched.outlines(&possible[0].scorer.options.find);
        let placed = |index: &usize| {
            let scorer = &possible[*index].scorer;
            let most_outline_cameras = options.most_outline_cameras;
            let find = FindOptions { most_outline_cameras, ..scorer.options.find.clone() };
            let prior = CameraPrior::default();
            fit(*index, without_lines(searched, &scorer.board, &prior, &find, &scorer.options.refine)?)
        };
        fits.extend(left.par_iter().filter_map(placed).collect::<Vec<_>>());
    }
    fits.sort_by_key(|fit| fit.index);
    fits
}

/// By printed tags where the board has some, else by its lines.
fn by_marks(searched: &SearchedPicture, possible: &Possible) -> Option<Registration> {
    let scorer = &possible.scorer;
    let (find, refine) = (&scorer.options.find, &scorer.options.refine);
    let by_tags = || {
        let cameras = cameras_from_tags(searched.picture, &scorer.board).ok()?;
        refined(searched, possible, &cameras, refine, Method::Tags)
    };
    let by_lines = || by_lines(searched, &scorer.board, &CameraPrior::default(), find, refine).ok();
    if scorer.board.tags.is_empty() { by_lines() } else { by_tags().or_else(by_lines) }
}

fn by_corners(searched: &SearchedPicture, possible: &Possible, corners: [Pixel; 4]) -> Option<Registration> {
    let scorer = &possible.scorer;
    let size = searched.picture.size();
    let cameras = cameras_from_corners(size, &scorer.board, corners, &scorer.options.find).ok()?;
    refined(searched, possible, &cameras, &scorer.options.refine, Method::Corners)
}

fn refined(
    searched: &SearchedPicture,
    possible: &Possible,
    cameras: &[Camera],
    options: &RefineOptions,
    method: Method,
) -> Option<Registration> {
    let board = &possible.scorer.board;
    let found = refine_first(searched.picture, board, cameras, &CameraPrior::default(), options).ok()?;
    Some(Registration { method, ..found })
}
