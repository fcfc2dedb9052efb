//! Twenty faults in a row during a match: the run goes on, each is said, and nothing wrong is recorded.

use std::sync::Arc;

use image::{Rgb, RgbImage};

use super::{
    background::lit,
    trial::{Film, Shown},
};

fn picture(made: RgbImage) -> Shown {
    Shown::Picture(Arc::new(made))
}

/// The picture of a camera that hangs elsewhere.
fn bumped(picture: &RgbImage, by: [i64; 2]) -> RgbImage {
    let (width, height) = picture.dimensions();
    let mut moved = RgbImage::from_pixel(width, height, Rgb([60, 55, 50]));
    image::imageops::overlay(&mut moved, picture, by[0], by[1]);
    moved
}

fn turned(picture: &RgbImage, degrees: f32) -> RgbImage {
    use imageproc::geometric_transformations::{Border, Interpolation, rotate_about_center};
    let beyond = Border::Constant(Rgb([60, 55, 50]));
    rotate_about_center(picture, degrees.to_radians(), Interpolation::Bilinear, beyond)
}

/// A patterned cloth over the left part of the picture.
fn covered(picture: &RgbImage, share: f32) -> RgbImage {
    let edge = (share * picture.width() as f32) as u32;
    let mut covered = picture.clone();
    for (x, y, pixel) in covered.enumerate_pixels_mut().filter(|(x, ..)| *x < edge) {
        let fold = 20 * u8::from((x / 9 + y / 13) % 2 == 0);
        pixel.0 = [90 + fold, 30 + fold, 110 + fold];
    }
    covered
}

fn noise(picture: &RgbImage) -> RgbImage {
    let mut dice = 99_u32;
    RgbImage::from_fn(picture.width(), picture.height(), |_, _| {
        dice = dice.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        Rgb([(dice >> 24) as u8, (dice >> 16) as u8, (dice >> 8) as u8])
    })
}

type Fault = (&'static str, usize, Box<dyn Fn(&RgbImage) -> Shown>);

fn faults() -> Vec<Fault> {
    let of = |name, count, make: fn(&RgbImage) -> Shown| -> Fault { (name, count, Box::new(make)) };
    vec![
        of("a cloth over a third", 40, |last| picture(covered(last, 0.35))),
        of("black frames", 20, |last| picture(RgbImage::new(last.width(), last.height()))),
        of("torn frames", 5, |_| Shown::Torn),
        of("bumped by 1 px and back", 12, |last| picture(bumped(last, [1, 0]))),
        of("bumped by 2 px and back", 12, |last| picture(bumped(last, [0, 2]))),
        of("bumped by 5 px and back", 12, |last| picture(bumped(last, [4, -3]))),
        of("bumped by 50 px and back", 40, |last| picture(bumped(last, [40, 30]))),
        of("turned by 2 degrees and back", 40, |last| picture(turned(last, 2.0))),
        of("turned away", 40, |last| {
            picture(RgbImage::from_pixel(last.width(), last.height(), Rgb([90, 80, 70])))
        }),
        of("covered by 85 %", 40, |last| picture(covered(last, 0.85))),
        of("exposure twice", 8, |last| picture(lit(last, 2.0))),
        of("exposure a quarter", 8, |last| picture(lit(last, 0.25))),
        of("one black frame", 1, |last| picture(RgbImage::new(last.width(), last.height()))),
        of("one torn frame", 1, |_| Shown::Torn),
        of("frames of another size", 4, |last| {
            picture(image::imageops::resize(last, 640, 360, image::imageops::FilterType::Triangle))
        }),
        of("noise", 8, |last| picture(noise(last))),
        of("white frames", 8, |last| {
            picture(RgbImage::from_pixel(last.width(), last.height(), Rgb([255, 255, 255])))
        }),
        of("turned by 8 degrees and back", 40, |last| picture(turned(last, 8.0))),
        of("a cloth over a half", 40, |last| picture(covered(last, 0.55))),
        of("a frame that stands still", 80, |last| picture(last.clone())),
    ]
}

/// Still frames after shots, at which a fault may come.
const RESTS: [usize; 6] = [7, 13, 31, 38, 45, 51];

#[test]
fn twenty_faults_in_a_row_end_nothing_and_each_is_said() {
    let half_rounds = 4;
    let mut film = Film::of(half_rounds);
    // From the last to the first, so that frames keep their numbers.
    let places: Vec<usize> =
        (0..half_rounds).flat_map(|half| RESTS.map(|rests| 60 * half + rests)).take(20).collect();
    for (place, (_, count, make)) in places.into_iter().zip(faults()).rev() {
        film = film.with_after(place, count, |_, last| make(last));
    }
    let outcome = film.watched();
    outcome.assert_not_wrong("twenty faults", &film);
    // What a fault hid for good may cost a half round; more must not be lost.
    assert!(outcome.recorded + 1 >= half_rounds, "{}", outcome.told.join("\n"));
    for words in ["covers", "dark", "not found", "is cut off"] {
        assert!(outcome.said.iter().any(|said| said.contains(words)), "{words}: {:?}", outcome.said);
    }
}
