//! What an open camera sends, and how much of it came: the same whatever reads it.

use std::time::Instant;

use super::{Offer, Wish, device_name};
use crate::capture::{Frame, FrameImage, Pace, Rates, SourceInfo};

/// An open camera's own account.
pub(super) struct Delivered {
    pub(super) name: String,
    pub(super) offer: Offer,
    pub(super) remarks: Vec<String>,
    asked_fps: f64,
    started: Instant,
    frames: u64,
    damaged: u64,
}

impl Delivered {
    /// Begins to count; a camera that sends something else than was asked for is remarked upon.
    pub(super) fn new(device: u32, offer: Offer, wish: &Wish) -> Self {
        let name = device_name(device);
        let mut remarks = Vec::new();
        if offer.size != wish.size || (offer.fps - wish.fps).abs() > 0.1 {
            let [width, height] = wish.size;
            let asked = format!("{width} x {height} at {} a second was asked for", wish.fps);
            remarks.push(format!("{name} sends {offer}; {asked}"));
        }
        let started = Instant::now();
        Self { name, offer, remarks, asked_fps: wish.fps, started, frames: 0, damaged: 0 }
    }

    /// How many came whole.
    pub(super) fn frames(&self) -> u64 {
        self.frames
    }

    /// Counts what was read: the next frame, or none when it came damaged.
    pub(super) fn frame(&mut self, image: Option<FrameImage>) -> Option<Frame> {
        let Some(image) = image else {
            self.damaged += 1;
            return None;
        };
        let index = self.frames;
        self.frames += 1;
        let name = format!("{} frame {index}", self.name).into();
        Some(Frame { index, since_start: self.started.elapsed(), name, image })
    }

    pub(super) fn about(&self) -> SourceInfo {
        SourceInfo {
            name: format!("{}, {}", self.name, self.offer),
            pace: Pace::Live,
            size: Some(self.offer.size),
            frames: None,
            remarks: self.remarks.clone(),
        }
    }

    pub(super) fn rates(&self) -> Rates {
        Rates {
            delivered: self.frames,
            damaged: self.damaged,
            asked_fps: Some(self.asked_fps),
            ..Rates::default()
        }
    }
}
