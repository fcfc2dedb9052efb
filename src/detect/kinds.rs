//! Which kind a face is of.
//!
//! In: by how many stops a face differs from the surface beside it. Out: how far it is from each
//! kind's colour, and with that a probability. Colours come from the board file (a prior that
//! holds under any light) or were taught from a photo of the very set.

use super::{
    DetectOptions,
    light::{Stops, brightness_and_hue, largest, linear_colour, minus, stops_between, with_gloss},
};
use crate::board::{Board, Colour};

/// What each kind of a board looks like against the bare surface, in stops.
#[derive(Debug, Clone, PartialEq)]
pub struct KindColours {
    kinds: Vec<Stops>,
    /// Each kind with each of the [`GLOSSES`] on it.
    glossy: Vec<[Stops; GLOSSES.len()]>,
}

/// Amounts of gloss that are tried, as parts of the surface's light.
pub const GLOSSES: [f32; 5] = [0.0, 0.04, 0.1, 0.2, 0.4];

/// A kind with how well a face fits it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct KindFit {
    pub kind: usize,
    /// In standard deviations.
    pub distance: f64,
    /// Among the kinds that were compared.
    pub probability: f64,
}

impl KindColours {
    /// Taught colours, and those of the board file for kinds that were not taught.
    pub fn of_board(board: &Board, options: &DetectOptions) -> KindColours {
        let taught = options.taught.as_ref().filter(|taught| taught.board == board.id);
        let taught_stops = |name: &str| taught.and_then(|taught| taught.stops.get(name)).copied();
        let surface = board.surface.colour;
        let floor = options.dark_floor as f32;
        let kinds: Vec<Stops> = board
            .pieces
            .iter()
            .map(|kind| {
                taught_stops(&kind.name).unwrap_or_else(|| stops_between(kind.colour, surface, floor))
            })
            .collect();
        Self::of_kinds(kinds)
    }

    fn of_kinds(kinds: Vec<Stops>) -> KindColours {
        let glossy = kinds.iter().map(|&kind| GLOSSES.map(|gloss| with_gloss(kind, gloss))).collect();
        KindColours { kinds, glossy }
    }

    /// The same on a surface that differs from the board file's by `surface`, in stops.
    fn on(&self, surface: Stops) -> KindColours {
        Self::of_kinds(self.kinds.iter().map(|&kind| minus(kind, surface)).collect())
    }

    /// What the kinds may look like in a picture whose surface shows `surface`, in linear light. Another hue than the board
    /// file's is the lamps' and the camera's, or the board is of another wood, or some of both: the pieces tell which.
    pub fn by_woods(&self, surface: [f32; 3], of_file: Colour, options: &DetectOptions) -> Vec<KindColours> {
        let stops = surface.map(|light| light.max(f32::MIN_POSITIVE).log2());
        let (_, hue) = brightness_and_hue(minus(stops, linear_colour(of_file).map(f32::log2)));
        let woods = match largest(hue) >= options.other_wood_hue {
            true => options.wood_shares.as_slice(),
            false => &[],
        };
        let as_in_file = std::iter::once(self.clone());
        as_in_file.chain(woods.iter().map(|share| self.on(hue.map(|v| share * v)))).collect()
    }

    /// The kind that a face is nearest to, of the given ones, and how far it is from it.
    pub fn nearest(
        &self,
        face: Stops,
        kinds: impl Iterator<Item = usize>,
        options: &DetectOptions,
    ) -> Option<(usize, f64)> {
        let distances = kinds.map(|kind| (kind, self.distance(kind, face, options)));
        distances.min_by(|a, b| a.1.total_cmp(&b.1).then(a.0.cmp(&b.0)))
    }

    /// Fits of the given kinds to a face, the best first.
    pub fn fits(
        &self,
        face: Stops,
        kinds: impl Iterator<Item = usize>,
        options: &DetectOptions,
    ) -> Vec<KindFit> {
        let mut fits: Vec<KindFit> = kinds
            .map(|kind| {
                let distance = self.distance(kind, face, options);
                KindFit { kind, distance, probability: (-distance * distance / 2.0).exp() }
            })
            .collect();
        fits.sort_by(|a, b| a.distance.total_cmp(&b.distance).then(a.kind.cmp(&b.kind)));
        let total: f64 = fits.iter().map(|fit| fit.probability).sum();
        for fit in &mut fits {
            fit.probability = if total > 0.0 { fit.probability / total } else { 0.0 };
        }
        fits
    }

    /// Whether a face that is far from its kind's colour is so for the light: that washes out a hue, or makes the surface around a
    /// piece darker than the piece, but not both. White on wood has some of blue's hue and is lighter than it.
    pub fn can_be_of(&self, kind: usize, face: Stops, options: &DetectOptions) -> bool {
        let ((light_of_kind, hue_of_kind), (light, hue)) =
            (brightness_and_hue(self.kinds[kind]), brightness_and_hue(face));
        let dot = |a: Stops, b: Stops| a.iter().zip(b).map(|(a, b)| a * b).sum::<f32>();
        let has_hue = largest(hue_of_kind) >= options.own_hue_min
            && dot(hue, hue_of_kind) >= options.strained_hue * dot(hue_of_kind, hue_of_kind);
        has_hue || (light > 0.0) == (light_of_kind > 0.0)
    }

    fn distance(&self, kind: usize, face: Stops, options: &DetectOptions) -> f64 {
        let at = |gloss: f32, glossy: Stops| {
            square_apart(face, glossy, options) + (f64::from(gloss) / options.gloss_sigma).powi(2)
        };
        let squares = GLOSSES.iter().zip(&self.glossy[kind]).map(|(&gloss, &glossy)| at(gloss, glossy));
        squares.fold(f64::INFINITY, f64::min).sqrt()
    }
}

/// Square of how far two looks are apart, in standard deviations of a kind.
pub fn square_apart(a: Stops, b: Stops, options: &DetectOptions) -> f64 {
    let (brightness, hue) = brightness_and_hue(minus(a, b));
    let hue = hue.iter().map(|v| f64::from(*v).powi(2)).sum::<f64>();
    (f64::from(brightness) / options.brightness_sigma).powi(2) + hue / options.hue_sigma.powi(2)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;

    #[test]
    fn every_kind_of_every_board_is_known_by_its_own_colour() {
        let options = DetectOptions::default();
        for board in Board::shipped().unwrap() {
            let colours = KindColours::of_board(&board, &options);
            for (kind, piece) in board.pieces.iter().enumerate() {
                let alike = (0..board.pieces.len())
                    .filter(|&k| (board.pieces[k].diameter_mm - piece.diameter_mm).abs() < 0.5);
                let fits = colours.fits(colours.kinds[kind], alike, &options);
                assert_eq!(fits[0].kind, kind, "{}: {}", board.id, piece.name);
                assert!(fits[0].probability > 0.95, "{}: {} {fits:?}", board.id, piece.name);
            }
        }
    }
}
