//! Evaluation sets: folders of random photos with truth, and filmed sequences.

use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use rayon::prelude::*;
use serde_json::json;

use crate::board::{Board, BoardError};

use super::Reel;
use super::random::{View, empty_rig, random_scene_on_rig};
use super::scene::SceneFile;
use super::sequence::film;
use super::{PhotoError, Scene, SceneError, render};

/// What to make.
#[derive(Debug, Clone, Copy)]
pub struct SetOptions {
    pub photos: usize,
    pub view: View,
    pub seed: u64,
    /// Photos of one fixed camera, the empty board first. 20 by default; more share a camera and
    /// show less of what cameras do.
    pub photos_a_rig: usize,
}

impl Default for SetOptions {
    fn default() -> Self {
        Self { photos: 20, view: View::Overhead, seed: 1, photos_a_rig: 20 }
    }
}

#[derive(Debug, thiserror::Error)]
pub enum SetError {
    #[error("cannot make folder {path}: {source}")]
    Folder { path: PathBuf, source: std::io::Error },
    #[error(transparent)]
    Scene(#[from] SceneError),
    #[error(transparent)]
    Board(#[from] BoardError),
    #[error(transparent)]
    Photo(#[from] PhotoError),
    #[error("cannot write {path}: {source}")]
    Write { path: PathBuf, source: std::io::Error },
}

/// Frames that wait to be saved, at most; more would only need more memory.
const FRAMES_AT_ONCE: usize = 16;
/// Keeps the seeds of a set's rigs and photos apart.
const RIG_STRIDE: u64 = 1_000_003;
const PHOTO_STRIDE: u64 = 7919;

/// The scene of photo `index` of a set; overhead, the first of every rig is the empty board, which
/// the others name as their calibration image by the path `file_name` gives.
pub fn set_scene(
    board: &Board,
    options: &SetOptions,
    index: usize,
    file_name: impl Fn(usize) -> String,
) -> SceneFile {
    let rig = index / options.photos_a_rig.max(1);
    let first = rig * options.photos_a_rig.max(1);
    let rig_seed = options.seed.wrapping_mul(RIG_STRIDE).wrapping_add(rig as u64);
    let seed = rig_seed.wrapping_mul(PHOTO_STRIDE).wrapping_add(index as u64);
    match options.view {
        View::Overhead => {
            let mut scene = if index == first {
                empty_rig(board, View::Overhead, rig_seed)
            } else {
                random_scene_on_rig(board, View::Overhead, rig_seed, seed)
            };
            scene.calibration_image = Some(file_name(first));
            scene
        }
        View::Phone => random_scene_on_rig(board, View::Phone, rig_seed, seed),
    }
}

/// Renders a set into a folder, `000.jpg` with `000.json` and so on; `done` is told of each photo.
pub fn render_set(
    board: &Board,
    board_name: &str,
    options: &SetOptions,
    folder: &Path,
    done: &(dyn Fn() + Sync),
) -> Result<(), SetError> {
    make_folder(folder)?;
    let digits = options.photos.saturating_sub(1).to_string().len().max(3);
    let name = |index: usize| format!("{index:0digits$}.jpg");
    (0..options.photos).into_par_iter().try_for_each(|index| {
        let mut file = set_scene(board, options, index, name);
        file.board = board_name.to_owned();
        let scene = file.validate_on(board.clone(), &format!("photo {index} of the set"))?;
        render(&scene).save(&folder.join(name(index)))?;
        done();
        Ok(())
    })
}

/// Films a scene's sequence into a folder: frames with truth, and the story as `sequence.json`.
/// `begun` is told the number of frames, `done` of each frame.
pub fn render_sequence(
    scene: &Scene,
    folder: &Path,
    begun: &dyn Fn(usize),
    done: &(dyn Fn() + Sync),
) -> Result<(), SetError> {
    make_folder(folder)?;
    let sequence = film(scene)?;
    begun(sequence.frames.len());
    let name = frame_names(sequence.frames.len());
    let starts_empty = scene.pieces.is_empty();
    let mut reel = Reel::new();
    let mut last_tally = None;
    for frames in sequence.frames.chunks(FRAMES_AT_ONCE) {
        // A frame needs the light of the one before; saving needs nothing, and goes on beside it.
        let saved = Mutex::new(Ok(()));
        rayon::in_place_scope(|scope| {
            for frame in frames {
                let mut photo = reel.photo(&frame.scene);
                frame.complete(&mut photo.truth);
                if starts_empty {
                    photo.truth.calibration_image = Some(name(0));
                }
                last_tally = photo.truth.tally.clone();
                let path = folder.join(name(frame.index));
                let saved = &saved;
                scope.spawn(move |_| {
                    if let Err(error) = photo.save(&path) {
                        *saved.lock().unwrap_or_else(PoisonError::into_inner) = Err(error);
                    }
                    done();
                });
            }
        });
        saved.into_inner().unwrap_or_else(PoisonError::into_inner)?;
    }
    let mut story = sequence.story;
    story.insert("final_tally".to_owned(), json!(last_tally));
    let path = folder.join("sequence.json");
    let text = serde_json::to_string_pretty(&story).unwrap_or_default() + "\n";
    std::fs::write(&path, text).map_err(|source| SetError::Write { path, source })
}

/// Names of a sequence's frames, in order.
pub(super) fn frame_names(frames: usize) -> impl Fn(usize) -> String {
    let digits = frames.saturating_sub(1).to_string().len().max(3);
    move |index| format!("{index:0digits$}.jpg")
}

pub(super) fn make_folder(folder: &Path) -> Result<(), SetError> {
    std::fs::create_dir_all(folder).map_err(|source| SetError::Folder { path: folder.to_owned(), source })
}
