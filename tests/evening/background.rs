//! What may not poison the picture of the bare board: darkness, people who stand still, a mount that shakes, light.

use std::sync::Arc;

use image::{Rgb, RgbImage};

use super::trial::{FPS, Film, Shown};

/// As if so much less light fell in: 1 is as it was.
pub fn lit(picture: &RgbImage, light: f32) -> RgbImage {
    let mut lit = picture.clone();
    for value in lit.iter_mut() {
        let linear = (f32::from(*value) / 255.0).powf(2.2) * light;
        *value = (255.0 * linear.min(1.0).powf(1.0 / 2.2)).round() as u8;
    }
    lit
}

/// Moved by parts of a pixel.
fn shifted(picture: &RgbImage, [dx, dy]: [f32; 2]) -> RgbImage {
    let (width, height) = picture.dimensions();
    RgbImage::from_fn(width, height, |x, y| {
        let (x, y) = (
            (x as f32 + dx).clamp(0.0, width as f32 - 1.001),
            (y as f32 + dy).clamp(0.0, height as f32 - 1.001),
        );
        let (left, top) = (x as u32, y as u32);
        let (fx, fy) = (x - left as f32, y - top as f32);
        let at = |x: u32, y: u32| picture.get_pixel(x, y).0.map(f32::from);
        let (a, b, c, d) = (at(left, top), at(left + 1, top), at(left, top + 1), at(left + 1, top + 1));
        Rgb(std::array::from_fn(|i| {
            let above = a[i] + (b[i] - a[i]) * fx;
            let below = c[i] + (d[i] - c[i]) * fx;
            (above + (below - above) * fy).round() as u8
        }))
    })
}

/// A person in dark clothes who leans in from the picture's lower edge: a soft shadow before them.
pub fn leaning(picture: &RgbImage, x: f32, reach: f32, half_width: f32) -> RgbImage {
    let (width, height) = picture.dimensions();
    let (middle, top) = (x * width as f32, (1.0 - reach) * height as f32);
    RgbImage::from_fn(width, height, |x, y| {
        let seen = *picture.get_pixel(x, y);
        let aside = (x as f32 - middle).abs() - half_width * width as f32;
        let out = aside.max(top - y as f32);
        match out {
            out if out <= 0.0 => {
                let fold = 12 * u8::from((x / 7 + y / 11) % 2 == 0);
                Rgb([38 + fold, 44 + fold, 60 + fold])
            }
            out if out < 25.0 => Rgb(seen.0.map(|value| (f32::from(value) * (0.75 + 0.01 * out)) as u8)),
            _ => seen,
        }
    })
}

/// The frame after the third shot has come to rest, and after the seventh.
const RESTS: [usize; 2] = [31, 51];

#[test]
fn twenty_seconds_of_dark_lose_nothing() {
    for (light, rests) in [(0.004, RESTS[0]), (0.02, RESTS[1]), (0.1, RESTS[0])] {
        let dark = |_: usize, last: &RgbImage| Shown::Picture(Arc::new(lit(last, light)));
        let film = Film::of(1).with_after(rests, (20.0 * FPS) as usize, dark);
        film.watched().assert_right_or_asked(&format!("light {light} after frame {rests}"), &film);
    }
}

/// The lamp goes out while pucks lie there and the rest of the evening is played in what is left.
#[test]
fn a_lamp_that_goes_out_for_good_loses_nothing() {
    let film = Film::of(1).each(|index, picture| lit(picture, if index > RESTS[0] { 0.3 } else { 1.0 }));
    film.watched().assert_right_or_asked("dimmed for good", &film);
}

#[test]
fn an_exposure_of_four_times_is_not_asked_about() {
    for (name, light) in [("brighter", 4.0), ("darker", 0.25)] {
        // A picture that is not burnt out at four times.
        let film = Film::of(1).each(|index, picture| {
            let dim = lit(picture, if light > 1.0 { 0.2 } else { 1.0 });
            lit(&dim, if index > RESTS[0] { light } else { 1.0 })
        });
        let outcome = film.watched();
        outcome.assert_right_or_asked(name, &film);
        assert_eq!(outcome.asked, 0, "{name}: {}", outcome.told.join("\n"));
    }
}

/// Somebody stands at the table for shots on end and hides part of it.
#[test]
fn a_person_who_stands_still_loses_nothing() {
    for (x, reach, half_width) in [(0.3, 0.45, 0.06), (0.9, 0.6, 0.05)] {
        let film = Film::of(2).each(|index, picture| match index {
            20..56 => leaning(picture, x, reach, half_width),
            _ => picture.clone(),
        });
        film.watched().assert_right_or_asked(&format!("a person at {x}"), &film);
    }
}

/// They stand there from the very first picture on.
#[test]
fn a_person_in_the_first_pictures_loses_nothing() {
    let film = Film::of(2).each(|index, picture| match index {
        0..16 => leaning(picture, 0.3, 0.45, 0.06),
        _ => picture.clone(),
    });
    film.watched().assert_right_or_asked("a person at first", &film);
}

/// A loose mount: every picture lies otherwise by 0.3 px.
#[test]
fn a_camera_that_always_shakes_records_what_it_sees() {
    let mut dice = 7_u64;
    let shakes: Vec<[f32; 2]> = (0..400)
        .map(|_| {
            std::array::from_fn(|_| {
                dice = dice.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                // Uniform, with a standard deviation of 0.3.
                ((dice >> 33) as f32 / (1u64 << 31) as f32 - 0.5) * 2.0 * 0.52
            })
        })
        .collect();
    let film = Film::of(2).each(|index, picture| shifted(picture, shakes[index]));
    film.watched().assert_right_or_asked("shaking", &film);
}
