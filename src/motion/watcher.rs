//! Frame after frame: is something moving, and what is there that was not there before?
//!
//! In: small grey pictures with their times, and after every settled view where its pieces lie.
//! Out: an [`Activity`] a frame. Three plates are compared with: the *anchor*, a frame since which
//! nothing moved; the *reference*, the last settled view; and the *background*, the board as it
//! looks under no piece, learned from settled views. What looks like neither of the last two is in
//! the foreground: a piece on its way, or a hand.

use image::GrayImage;

use super::{
    Blob, MotionOptions, SmallView,
    blobs::blobs,
    compare::{Common, Plate, changes, common_change},
};
use crate::{board::Board, camera::Camera, geometry::Disc};

/// What a frame shows.
#[derive(Debug, Clone, Default)]
pub struct Activity {
    pub time_secs: f64,
    /// Whether something has moved since the frame before.
    pub moving: bool,
    /// For how long nothing has moved, and in how many frames.
    pub still_secs: f64,
    pub still_frames: usize,
    /// Things that are neither board nor pieces of the last settled view.
    pub foreground: Vec<Blob>,
    /// The light of the whole picture has changed with this frame.
    pub light_changed: bool,
}

impl Activity {
    /// Whether the view is still for long enough to be read.
    pub fn is_still(&self, options: &MotionOptions) -> bool {
        // Times of frames are sums of fractions.
        self.still_secs >= options.still_secs - 1e-6 && self.still_frames >= options.still_frames
    }

    pub fn foreground_mm2(&self) -> f64 {
        self.foreground.iter().map(|blob| blob.area_mm2).sum()
    }
}

struct Anchor {
    plate: Plate,
    since_secs: f64,
    frames: usize,
}

struct Settled {
    reference: Plate,
    background: Plate,
    bare: Vec<Bare>,
    /// Cells that pieces covered when the view was settled, or their shadows.
    covered: Vec<bool>,
}

/// Whether it is known how a cell looks with nothing on it. Where it is not, nothing that shows there is held
/// against a view.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Bare {
    Known,
    /// A piece has covered it in every settled view so far, or in every one since the light changed.
    Covered,
    /// When the light changed, it changed otherwise than the whole picture did: a new shadow, or a thing that
    /// came or moved in that very frame.
    Dazzled,
}

/// Watches one camera.
pub struct Watcher {
    options: MotionOptions,
    view: SmallView,
    anchor: Option<Anchor>,
    settled: Option<Settled>,
    foreground: Vec<Blob>,
    light: Vec<f32>,
    scratch: [Vec<f32>; 2],
    /// Cells that have changed since the anchor.
    changed: Vec<bool>,
}

/// A piece darkens the board around it: cells this far beyond its rim are not learned, as a share
/// of its radius.
const SHADOW_SHARE: f64 = 0.5;

impl Watcher {
    pub fn new(board: &Board, camera: &Camera, options: &MotionOptions) -> Self {
        Self {
            view: SmallView::new(board, camera, options),
            options: options.clone(),
            anchor: None,
            settled: None,
            foreground: Vec::new(),
            light: Vec::new(),
            scratch: Default::default(),
            changed: Vec::new(),
        }
    }

    pub fn view(&self) -> &SmallView {
        &self.view
    }

    /// Takes the next frame. A picture of another size than the camera's is as good as a picture of
    /// nothing but motion.
    pub fn push(&mut self, small: &GrayImage, time_secs: f64) -> Activity {
        if small.as_raw().len() != self.view.len() {
            self.anchor = None;
            return Activity { time_secs, moving: true, ..Activity::default() };
        }
        self.light.clear();
        self.light.extend(small.as_raw().iter().map(|value| f32::from(*value)));
        let (moving, light_changed) = self.compare_with_anchor(time_secs);
        let was_quiet = self.foreground.is_empty();
        if moving || light_changed {
            self.anchor = Some(Anchor {
                plate: Plate::new(&self.view, self.light.clone()),
                since_secs: time_secs,
                frames: 1,
            });
        }
        let is_only_light =
            light_changed && was_quiet && self.changed_share() < self.options.light_left_share;
        if light_changed {
            self.dazzle();
        }
        if is_only_light {
            self.relight();
        } else if moving || light_changed {
            self.see_foreground();
        }
        let (still_secs, still_frames) = match &self.anchor {
            Some(anchor) => (time_secs - anchor.since_secs, anchor.frames),
            None => (0.0, 0),
        };
        Activity {
            time_secs,
            moving: moving && !is_only_light,
            still_secs,
            still_frames,
            foreground: self.foreground.clone(),
            light_changed,
        }
    }

    /// Whether something moved, and whether the light of the whole picture changed. What moved is in the first
    /// scratch.
    fn compare_with_anchor(&mut self, time_secs: f64) -> (bool, bool) {
        let Some(anchor) = &mut self.anchor else {
            self.anchor = Some(Anchor {
                plate: Plate::new(&self.view, self.light.clone()),
                since_secs: time_secs,
                frames: 1,
            });
            return (false, false);
        };
        anchor.frames += 1;
        let common = common_change(&self.view, &anchor.plate, &self.light);
        let changed = &mut self.scratch[0];
        changes(&self.view, &anchor.plate, &self.light, &common, &self.options, changed);
        self.changed.clear();
        self.changed.extend(changed.iter().map(|changed| *changed > 0.0));
        let moving = !blobs(&self.view, changed, &self.options).is_empty();
        (moving, common.gain_most() > self.options.light_share)
    }

    /// Share of the board that has changed otherwise than the whole picture since the anchor.
    fn changed_share(&self) -> f32 {
        let inside = || self.changed.iter().zip(&self.view.inside).filter(|(_, inside)| **inside);
        let changed = inside().filter(|(changed, _)| **changed).count();
        changed as f32 / inside().count().max(1) as f32
    }

    fn see_foreground(&mut self) {
        let Some(settled) = &self.settled else { return };
        let common = common_change(&self.view, &settled.reference, &self.light);
        let [one, other] = &mut self.scratch;
        changes(&self.view, &settled.reference, &self.light, &common, &self.options, one);
        changes(&self.view, &settled.background, &self.light, &common, &self.options, other);
        for (cell, one) in one.iter_mut().enumerate() {
            *one = if settled.bare[cell] == Bare::Known { one.min(other[cell]) } else { 0.0 };
        }
        self.foreground = blobs(&self.view, one, &self.options);
        for blob in &mut self.foreground {
            let mut around = blob.cells.iter().flat_map(|cell| self.view.neighbours(*cell as usize));
            blob.beside_unknown = around.any(|cell| settled.bare[cell] == Bare::Dazzled);
        }
    }

    /// The light has changed: what has changed otherwise than the whole picture is not known until a view has
    /// settled.
    fn dazzle(&mut self) {
        let Some(settled) = &mut self.settled else { return };
        for (bare, changed) in settled.bare.iter_mut().zip(&self.scratch[0]) {
            if *changed > 0.0 {
                *bare = Bare::Dazzled;
            }
        }
    }

    /// The lamps have changed and nothing was in the way: what is seen is known in the new light. The board under
    /// the pieces is not, as the light there may be another; nor is what was dazzled, which stays what it was.
    fn relight(&mut self) {
        let Some(settled) = &mut self.settled else { return };
        let common = common_change(&self.view, &settled.reference, &self.light);
        let mut background = common.relit(&self.view, &settled.background);
        let mut reference = common.relit(&self.view, &settled.reference);
        for (cell, bare) in settled.bare.iter_mut().enumerate() {
            if *bare == Bare::Dazzled {
                continue;
            }
            // In little light a piece may look like the board: where one lies is known, not seen.
            if settled.covered[cell] {
                *bare = Bare::Covered;
            } else {
                background[cell] = self.light[cell];
            }
            reference[cell] = self.light[cell];
        }
        settled.reference = Plate::new(&self.view, reference);
        settled.background = Plate::new(&self.view, background);
        self.foreground.clear();
    }

    /// Tells the watcher that the present view is settled, and where its pieces lie.
    pub fn settle(&mut self, pieces: &[Disc]) {
        if self.light.len() != self.view.len() {
            return;
        }
        let (mut background, mut bare, is_new_light) = match self.settled.take() {
            Some(settled) => {
                let common = common_change(&self.view, &settled.reference, &self.light);
                let is_new_light = common.gain_most() > self.options.light_share;
                (common.relit(&self.view, &settled.background), settled.bare, is_new_light)
            }
            None => (self.light.clone(), vec![Bare::Covered; self.view.len()], false),
        };
        let mut covered = vec![false; self.view.len()];
        for piece in pieces {
            let reach_mm = piece.radius_mm * (1.0 + SHADOW_SHARE);
            for cell in self.view.cells_around(piece.centre, reach_mm) {
                covered[cell] = true;
            }
        }
        for (cell, light) in background.iter_mut().enumerate() {
            if !covered[cell] {
                *light = self.light[cell];
                bare[cell] = Bare::Known;
            } else if is_new_light || bare[cell] == Bare::Dazzled {
                bare[cell] = Bare::Covered;
            }
        }
        self.settled = Some(Settled {
            reference: Plate::new(&self.view, self.light.clone()),
            background: Plate::new(&self.view, background),
            bare,
            covered,
        });
        self.foreground.clear();
    }

    /// Takes for board again what a thing left behind that was there when the board was learned: where the board has
    /// paint the picture shows its edges and the background does not. Gives whether there was any.
    pub fn heal(&mut self) -> bool {
        let Some(settled) = &mut self.settled else { return false };
        let common = common_change(&self.view, &settled.reference, &self.light);
        let mut background = common.relit(&self.view, &settled.background);
        let mut reference = common.relit(&self.view, &settled.reference);
        let now = Plate::new(&self.view, self.light.clone());
        let then = Plate::new(&self.view, background.clone());
        let is_ghost = |blob: &Blob| {
            let paint: Vec<usize> =
                blob.cells.iter().map(|cell| *cell as usize).filter(|cell| self.view.paint[*cell]).collect();
            let edges = |plate: &Plate| paint.iter().map(|cell| plate.step[*cell]).sum::<f32>();
            paint.len() >= self.options.ghost_cells_min
                && edges(&now) > self.options.ghost_times * edges(&then)
        };
        let ghosts: Vec<usize> =
            (0..self.foreground.len()).filter(|index| is_ghost(&self.foreground[*index])).collect();
        for index in ghosts.iter().rev() {
            let blob = self.foreground.remove(*index);
            for cell in blob.cells.iter().flat_map(|cell| self.view.neighbours(*cell as usize)) {
                (background[cell], reference[cell]) = (self.light[cell], self.light[cell]);
                settled.bare[cell] = Bare::Known;
                settled.covered[cell] = false;
            }
        }
        if ghosts.is_empty() {
            return false;
        }
        settled.background = Plate::new(&self.view, background);
        settled.reference = Plate::new(&self.view, reference);
        true
    }

    /// Foreground of the present view that these pieces do not explain, in mm².
    pub fn unexplained_mm2(&self, pieces: &[Disc]) -> f64 {
        let mut explained = vec![false; self.view.len()];
        for piece in pieces {
            for cell in self.view.cells_around(piece.centre, piece.radius_mm * (1.0 + SHADOW_SHARE)) {
                explained[cell] = true;
            }
        }
        let cells = self.foreground.iter().flat_map(|blob| &blob.cells);
        cells.filter(|cell| !explained[**cell as usize]).count() as f64 * self.view.cell_mm2
    }

    /// Marks the foreground in a whole picture.
    pub fn draw(&self, picture: &mut image::RgbImage) {
        let side = self.view.reduction.factor();
        for cell in self.foreground.iter().flat_map(|blob| &blob.cells) {
            let (x, y) = (*cell % self.view.width as u32 * side, *cell / self.view.width as u32 * side);
            for (x, y) in (y..y + side).flat_map(|y| (x..x + side).map(move |x| (x, y))) {
                if x < picture.width() && y < picture.height() {
                    let seen = picture.get_pixel_mut(x, y);
                    seen.0 = [seen.0[0] / 2 + 127, seen.0[1] / 2, seen.0[2] / 2 + 127];
                }
            }
        }
    }

    /// Share of a disc's cells in the foreground.
    pub fn foreground_share(&self, disc: &Disc) -> f64 {
        let cells = self.view.cells_around(disc.centre, disc.radius_mm);
        let is_in_front = |cell: &&usize| {
            self.foreground.iter().any(|blob| blob.cells.binary_search(&(**cell as u32)).is_ok())
        };
        let count = cells.iter().filter(is_in_front).count();
        if cells.is_empty() { 0.0 } else { count as f64 / cells.len() as f64 }
    }

    /// For each disc the share of its cells that look otherwise than in the last settled view;
    /// `None` where there is none, or the disc is out of view.
    pub fn changed_shares(&mut self, discs: &[Disc]) -> Vec<Option<f64>> {
        let Some(settled) = self.settled.as_ref().filter(|_| self.light.len() == self.view.len()) else {
            return vec![None; discs.len()];
        };
        let common = common_change(&self.view, &settled.reference, &self.light);
        let changed = &mut self.scratch[0];
        changes(&self.view, &settled.reference, &self.light, &common, &self.options, changed);
        let share = |disc: &Disc| {
            let cells = self.view.cells_around(disc.centre, disc.radius_mm);
            let count = cells.iter().filter(|cell| changed[**cell] > 0.0).count();
            (!cells.is_empty()).then(|| count as f64 / cells.len() as f64)
        };
        discs.iter().map(share).collect()
    }

    /// Forgets what the board looks like: the camera has moved, or something was put down for good.
    pub fn forget(&mut self) {
        self.settled = None;
        self.foreground.clear();
    }

    /// What the whole picture did since the last settled view.
    pub fn common(&self) -> Common {
        match &self.settled {
            Some(settled) if self.light.len() == self.view.len() => {
                common_change(&self.view, &settled.reference, &self.light)
            }
            _ => Common::nothing(),
        }
    }
}
