//! A seam that only damage makes: from some block on, all that follows is brighter, darker or of another hue.
//!
//! In: a decoded JPEG, as it is stored. Out: how far down the seam lies, if there is one. A JPEG has each
//! block's mean as a difference from the block before, row by row. One wrong difference moves all blocks
//! after it, and the data still is what an encoder could have written. In the picture that is a step along
//! the border of a row of blocks, from one side to the other, of the same size on whatever lies there: the
//! edges of things change from one material to the next, and so do shadows. What is found are seams of hue: brightness
//! alone differs as much from block to block by texture.

use image::RgbImage;
use rayon::prelude::*;

/// Blocks are as high and wide.
const BLOCK: u32 = 8;
/// Coded units are one or two blocks high: the row in which the damage begins steps down by as much.
const STAIRS: [usize; 2] = [1, 2];
/// Smaller steps change no colour and no outline, in levels of 255.
const LEAST_STEP: f32 = 6.0;
/// How much the step may differ from place to place: by noise and texture, and as a share of it.
const TOLERANCE: f32 = 2.5;
const TOLERANCE_SHARE: f32 = 0.15;
/// Share of the width along which the step is the same.
const LEAST_SHARE: f32 = 0.75;
/// So much of the width must be neither white nor black, where steps are cut off.
const LEAST_SEEN: f32 = 0.4;
/// The materials along the step differ by so many levels at least: on one alone, an edge has one size too.
const LEAST_SPREAD: f32 = 24.0;

/// What lies at a row of blocks' upper border, a value for each block.
struct Border {
    /// Step in brightness and both colour differences; `None` where it is cut off.
    steps: Vec<Option<[f32; 3]>>,
    /// Brightness above.
    above: Vec<f32>,
}

/// How far down the picture its first seam lies, as a share of the height.
pub(super) fn find(image: &RgbImage) -> Option<f32> {
    let (width, height) = image.dimensions();
    let rows = height / BLOCK;
    if width < 16 * BLOCK || rows < 16 {
        return None;
    }
    // The border of row 0 is the picture's own; those next to it have too little around them.
    let borders: Vec<Border> = (1..rows - 1).into_par_iter().map(|row| border(image, row * BLOCK)).collect();
    let is_seam = |index: usize| {
        STAIRS.iter().any(|stair| {
            let below = borders.get(index + stair).unwrap_or(&borders[index]);
            (0..3).any(|channel| is_same_step(&borders[index], below, channel))
        })
    };
    let first = (0..borders.len()).into_par_iter().find_first(|&index| is_seam(index))?;
    Some((first + 1) as f32 / rows as f32)
}

fn border(image: &RgbImage, y: u32) -> Border {
    // Two rows each, one away from the border: colours at half density are smoothed across it.
    let [far_above, above, below, far_below] = [y - 7, y - 3, y + 1, y + 5].map(|top| means(image, top));
    let steps = (0..above.len()).map(|at| {
        let is_cut = |rgb: &[f32; 3]| rgb.iter().any(|level| !(5.0..=250.0).contains(level));
        if is_cut(&above[at]) || is_cut(&below[at]) {
            return None;
        }
        let [a2, a, b, b2] = [far_above[at], above[at], below[at], far_below[at]].map(brightness_and_colours);
        // What changes slowly goes on through the border.
        Some([0, 1, 2].map(|i| b[i] - a[i] - ((a[i] - a2[i]) + (b2[i] - b[i])) / 2.0))
    });
    Border {
        steps: steps.collect(),
        above: above.iter().map(|rgb| brightness_and_colours(*rgb)[0]).collect(),
    }
}

/// The mean colour of each block's width, over two rows.
fn means(image: &RgbImage, top: u32) -> Vec<[f32; 3]> {
    let row_bytes = image.width() as usize * 3;
    let rows = [top, (top + 1).min(image.height() - 1)]
        .map(|y| &image.as_raw()[y as usize * row_bytes..][..row_bytes]);
    let block_bytes = BLOCK as usize * 3;
    let blocks = rows[0].chunks_exact(block_bytes).zip(rows[1].chunks_exact(block_bytes));
    blocks
        .map(|(upper, lower)| {
            let mut sums = [0_u32; 3];
            for pixel in upper.chunks_exact(3).chain(lower.chunks_exact(3)) {
                (0..3).for_each(|i| sums[i] += u32::from(pixel[i]));
            }
            sums.map(|sum| sum as f32 / (2 * BLOCK) as f32)
        })
        .collect()
}

/// As JPEG has them: brightness, blue and red difference.
fn brightness_and_colours([r, g, b]: [f32; 3]) -> [f32; 3] {
    let brightness = 0.299 * r + 0.587 * g + 0.114 * b;
    [brightness, 0.564 * (b - brightness), 0.713 * (r - brightness)]
}

/// Whether one step runs along the right part of a border and the left part of one below.
fn is_same_step(right: &Border, left: &Border, channel: usize) -> bool {
    let count = right.steps.len();
    let step = |border: &Border, at: usize| border.steps[at].map(|steps| steps[channel]);
    // The longer part is at least half of the width, so that its middle value is that of one of two halves.
    let halves = [
        (count / 2..count).filter_map(|at| step(right, at)).collect::<Vec<f32>>(),
        (0..count / 2).filter_map(|at| step(left, at)).collect(),
    ];
    halves.into_iter().filter_map(median).filter(|size| size.abs() >= LEAST_STEP).any(|size| {
        let tolerance = TOLERANCE.max(TOLERANCE_SHARE * size.abs());
        let fits = |border: &Border, at: usize| step(border, at).map(|step| (step - size).abs() <= tolerance);
        // From where on the upper border has it: the place with the most that fit.
        let counts = |of: Option<bool>| (i32::from(of == Some(true)), i32::from(of.is_some()));
        let mut fitting: i32 = (0..count).map(|at| counts(fits(right, at)).0).sum();
        let (mut best, mut from) = (fitting, 0);
        for at in 0..count {
            fitting += counts(fits(left, at)).0 - counts(fits(right, at)).0;
            if fitting > best {
                (best, from) = (fitting, at + 1);
            }
        }
        let part = |at: usize| if at < from { left } else { right };
        let seen = (0..count).filter(|&at| fits(part(at), at).is_some()).count();
        let mut levels: Vec<f32> =
            (0..count).filter(|&at| fits(part(at), at) == Some(true)).map(|at| part(at).above[at]).collect();
        levels.sort_by(f32::total_cmp);
        let level = |share: f32| levels.get((levels.len() as f32 * share) as usize).copied().unwrap_or(0.0);
        seen as f32 >= LEAST_SEEN * count as f32
            && best as f32 >= LEAST_SHARE * seen as f32
            && level(0.9) - level(0.1) >= LEAST_SPREAD
    })
}

fn median(mut values: Vec<f32>) -> Option<f32> {
    let middle = values.len() / 2;
    (!values.is_empty()).then(|| *values.select_nth_unstable_by(middle, f32::total_cmp).1)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;

    fn photo(name: &str) -> RgbImage {
        let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/photos").join(name);
        image::open(path).unwrap().to_rgb8()
    }

    /// All blocks from one on, moved in a direction of colour.
    fn torn(mut image: RgbImage, first_row: u32, from: u32, by: [i16; 3]) -> RgbImage {
        for (x, y, pixel) in image.enumerate_pixels_mut() {
            let row = y / 16;
            if row > first_row || row == first_row && x / 16 >= from {
                let moved = [0, 1, 2].map(|i| (i16::from(pixel.0[i]) + by[i]).clamp(0, 255) as u8);
                pixel.0 = moved;
            }
        }
        image
    }

    #[test]
    fn a_seam_of_hue_is_found_wherever_it_begins() {
        let court = photo("court-overhead/003.jpg");
        assert_eq!(find(&court), None);
        for (row, from) in [(11, 0), (30, 0), (30, 55), (34, 100), (57, 7)] {
            for by in [[-18, 0, 12], [12, 18, -10], [25, -10, 0], [0, -8, 30]] {
                let found = find(&torn(court.clone(), row, from, by));
                let expected = f64::from(row * 16) / f64::from(court.height());
                let near = found.is_some_and(|share| (f64::from(share) - expected).abs() < 0.03);
                assert!(near, "{row}, {from}, {by:?}: {found:?}");
            }
        }
    }

    #[test]
    fn edges_of_things_are_no_seams() {
        for name in ["carrom-overhead/001.jpg", "ludington-overhead/001.jpg", "hard-light/001.jpg"] {
            let whole = photo(name);
            // However the rows of blocks fall on the edges.
            for top in 0..8 {
                let (width, height) = (whole.width(), whole.height() - 8);
                let part = image::imageops::crop_imm(&whole, 0, top, width, height).to_image();
                assert_eq!(find(&part), None, "{name} from row {top}");
            }
        }
    }
}
