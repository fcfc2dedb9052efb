//! A picture that boards are looked for in: what does not depend on the board is done once, when it is first
//! asked for.
//!
//! In: a picture. Out: its reduced form with edges, and the outlines in it. All searches of one picture must
//! have the same options, but for what they say of the board (`prefer_end`, `upside_down`, `bends`).

use std::sync::OnceLock;

use super::{
    FindOptions,
    evidence::EdgeMap,
    segments::{self, Segment},
    small::SmallPicture,
};
use crate::{
    capture::Picture,
    outline::{SurfaceOutline, surface_outlines},
    register::Missing,
};

/// A picture made ready for searches.
pub struct SearchedPicture<'a> {
    pub picture: &'a Picture,
    reduced: OnceLock<Result<Reduced, Missing>>,
    outlines: OnceLock<Vec<SurfaceOutline>>,
}

/// The reduced picture and its straight edges.
pub(super) struct Reduced {
    pub small: SmallPicture,
    pub segments: Vec<Segment>,
    pub map: EdgeMap,
}

impl<'a> SearchedPicture<'a> {
    pub fn new(picture: &'a Picture) -> Self {
        Self { picture, reduced: OnceLock::new(), outlines: OnceLock::new() }
    }

    pub(super) fn reduced(&self, options: &FindOptions) -> Result<&Reduced, &Missing> {
        self.reduced.get_or_init(|| reduce(self.picture, options)).as_ref()
    }

    /// What has the outline of a playing surface, the plainest first.
    pub(crate) fn outlines(&self, options: &FindOptions) -> &[SurfaceOutline] {
        self.outlines.get_or_init(|| surface_outlines(self.picture, &options.outline))
    }

    /// Whether paint can hardly be told from wood for want of light.
    pub(crate) fn is_dark(&self, options: &FindOptions) -> bool {
        self.reduced(options).is_ok_and(|reduced| reduced.small.is_dark)
    }
}

fn reduce(picture: &Picture, options: &FindOptions) -> Result<Reduced, Missing> {
    let [width, height] = picture.size();
    if width.min(height) < options.min_picture_px {
        return Err(Missing::Picture { width, height });
    }
    let broken =
        |error: opencv::Error| Missing::Other(format!("the picture could not be searched ({error})"));
    let small = SmallPicture::reduce(picture, options.working_px).map_err(broken)?;
    let segments = segments::detect(&small, options).map_err(broken)?;
    let map = EdgeMap::draw(&small, &segments, options.edge_reach_px, options);
    Ok(Reduced { small, segments, map })
}
