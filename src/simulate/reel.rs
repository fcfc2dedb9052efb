//! Frames of one fixed camera, each rendered only where it differs from the one before.
//!
//! In: scenes in the order they are filmed. Out: the light of each, the same to the last bit as if it
//! had been rendered alone. What a piece or a hand changes is its own image and the places it keeps
//! light from; everything else of the frame before still holds. Another camera, lamp or board is
//! rendered in full.

use super::Photo;
use super::differences::Differences;
use super::load::Scene;
use super::render::{LightField, Renderer};
use super::scene::{LightPart, LookPart};
use super::sensor::develop;
use super::truth::Truth;
use crate::board::Board;
use crate::camera::Camera;

#[derive(Default)]
pub struct Reel {
    last: Option<Shown>,
}

struct Shown {
    fixed: Fixed,
    renderer: Renderer,
    light: LightField,
}

/// What decides a picture beside its pieces and objects.
#[derive(PartialEq)]
struct Fixed {
    board: Board,
    camera: Camera,
    seed: u64,
    look: LookPart,
    light: LightPart,
}

impl Fixed {
    fn of(scene: &Scene) -> Self {
        Self {
            board: scene.board.clone(),
            camera: scene.camera,
            seed: scene.file.seed,
            look: scene.file.look.clone(),
            light: scene.file.light.clone(),
        }
    }
}

impl Reel {
    pub fn new() -> Self {
        Self::default()
    }

    /// The light of the next scene.
    pub fn light(&mut self, scene: &Scene) -> &LightField {
        &self.show(scene).light
    }

    /// The photo of the next scene, with its truth.
    pub fn photo(&mut self, scene: &Scene) -> Photo {
        let shown = self.show(scene);
        let picture = develop(&shown.light, &scene.file.picture, scene.file.seed);
        let truth = Truth::of(scene, &shown.renderer);
        Photo { picture, truth, jpeg_quality: scene.file.picture.jpeg_quality }
    }

    fn show(&mut self, scene: &Scene) -> &Shown {
        let fixed = Fixed::of(scene);
        let shown = match self.last.take() {
            Some(before) if before.fixed == fixed => {
                let renderer = before.renderer.of_next(scene);
                let changes = Differences::between(&before.renderer.world, &renderer.world);
                let mut light = before.light;
                if !changes.is_empty() {
                    renderer.repaint(&mut light, &changes);
                }
                Shown { fixed, renderer, light }
            }
            _ => {
                let renderer = Renderer::new(scene);
                let light = renderer.light_field();
                Shown { fixed, renderer, light }
            }
        };
        self.last.insert(shown)
    }
}
