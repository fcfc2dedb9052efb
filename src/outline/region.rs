//! Regions of one colour: what may be a playing surface, as a mask.

use image::{GrayImage, Luma};
use imageproc::{
    distance_transform::Norm,
    morphology,
    region_labelling::{Connectivity, connected_components},
};
use rayon::prelude::*;

use super::{
    OutlineSearch,
    colours::{ColourPicture, Lab, apart},
};

/// White where the region is.
pub(super) type Mask = GrayImage;

const IN: Luma<u8> = Luma([255]);
const OUT: Luma<u8> = Luma([0]);

/// A region around every seed, as far as each reach of colour goes.
pub(super) fn regions(picture: &ColourPicture, options: &OutlineSearch) -> Vec<Mask> {
    let tries: Vec<(Window, f32)> = options
        .seeds
        .iter()
        .map(|&seed| Window::around(picture, seed))
        .flat_map(|window| options.colour_reaches.iter().map(move |&reach| (window, reach)))
        .collect();
    tries.par_iter().filter_map(|&(window, reach)| region(picture, window, reach, options)).collect()
}

/// The part of the picture whose colour may be the surface's.
#[derive(Debug, Clone, Copy)]
struct Window {
    left: usize,
    right: usize,
    top: usize,
    bottom: usize,
}

impl Window {
    fn around(picture: &ColourPicture, [across, down, half]: [f64; 3]) -> Self {
        let place = |share: f64, size: usize| ((share * size as f64) as usize).min(size);
        Self {
            left: place(across - half, picture.width),
            right: place(across + half, picture.width),
            top: place(down - half, picture.height),
            bottom: place(down + half, picture.height),
        }
    }

    fn places(self) -> impl Iterator<Item = (usize, usize)> {
        (self.top..self.bottom).flat_map(move |y| (self.left..self.right).map(move |x| (x, y)))
    }

    /// The usual colour in it: the mean of what is left when pieces and print are taken out.
    fn usual_colour(self, picture: &ColourPicture, options: &OutlineSearch) -> Option<Lab> {
        /// Share of the pixels that are nearest to the usual colour, and rounds in which it settles.
        const NEAREST: f64 = 0.6;
        const ROUNDS: usize = 4;
        let mut colours: Vec<Lab> = self.places().map(|(x, y)| picture.at(x, y)).collect();
        let mut usual = median(&colours)?;
        let keep = ((colours.len() as f64 * NEAREST) as usize).max(1);
        for _ in 0..ROUNDS {
            let far = |colour: &Lab| apart(*colour, usual, options.lightness_weight);
            colours.sort_by(|a, b| far(a).total_cmp(&far(b)));
            usual = colours[..keep].iter().sum::<Lab>() / keep as f32;
        }
        Some(usual)
    }
}

fn median(colours: &[Lab]) -> Option<Lab> {
    let middle = |channel: usize| {
        let mut values: Vec<f32> = colours.iter().map(|colour| colour[channel]).collect();
        values.sort_by(f32::total_cmp);
        values.get(values.len() / 2).copied()
    };
    Some(Lab::new(middle(0)?, middle(1)?, middle(2)?))
}

/// The connected region of a window's usual colour that fills most of the window, without holes.
fn region(picture: &ColourPicture, window: Window, reach: f32, options: &OutlineSearch) -> Option<Mask> {
    let usual = window.usual_colour(picture, options)?;
    let like = Mask::from_fn(picture.width as u32, picture.height as u32, |x, y| {
        let colour = picture.at(x as usize, y as usize);
        if apart(colour, usual, options.lightness_weight) < reach { IN } else { OUT }
    });
    let like = morphology::open(&like, Norm::LInf, options.bridge_px / 2);
    let labels = connected_components(&like, Connectivity::Four, OUT);
    let mut votes = std::collections::BTreeMap::<u32, usize>::new();
    for (x, y) in window.places() {
        *votes.entry(labels.get_pixel(x as u32, y as u32).0[0]).or_default() += 1;
    }
    votes.remove(&0);
    let (&label, _) = votes.iter().max_by_key(|(_, count)| **count)?;
    let alone = Mask::from_fn(labels.width(), labels.height(), |x, y| {
        if labels.get_pixel(x, y).0[0] == label { IN } else { OUT }
    });
    let whole = morphology::close(&without_holes(&alone), Norm::LInf, options.bridge_px);
    let share =
        whole.pixels().filter(|pixel| **pixel == IN).count() as f64 / (picture.width * picture.height) as f64;
    (share >= options.least_region).then_some(whole)
}

/// Holes are pieces, print and hands: what does not reach the picture's border belongs to the region.
fn without_holes(mask: &Mask) -> Mask {
    let (width, height) = mask.dimensions();
    let inverse = Mask::from_fn(width, height, |x, y| if *mask.get_pixel(x, y) == IN { OUT } else { IN });
    let labels = connected_components(&inverse, Connectivity::Four, OUT);
    let border = (0..width)
        .flat_map(|x| [(x, 0), (x, height - 1)])
        .chain((0..height).flat_map(|y| [(0, y), (width - 1, y)]));
    let outside: std::collections::BTreeSet<u32> =
        border.map(|(x, y)| labels.get_pixel(x, y).0[0]).filter(|label| *label != 0).collect();
    Mask::from_fn(width, height, |x, y| {
        let label = labels.get_pixel(x, y).0[0];
        if label == 0 || !outside.contains(&label) { IN } else { OUT }
    })
}
