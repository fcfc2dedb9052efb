//! Photos of another quality than the fixtures: noise, glare. Each is a fixture's photo made worse here.

use linecall::{
    board::Board,
    capture::Picture,
    detect::{DetectOptions, detect},
};

use crate::{
    detect::{faults, photos, read},
    truth::true_camera,
};

/// Linear light of an 8-bit value, and back.
fn linear(value: u8) -> f64 {
    (f64::from(value) / 255.0).powf(2.2)
}

fn encoded(light: f64) -> u8 {
    (light.clamp(0.0, 1.0).powf(1.0 / 2.2) * 255.0).round() as u8
}

/// Numbers that look random, about 0 with a deviation of 1: the sum of four even ones.
struct Noise(u64);

impl Noise {
    fn draw(&mut self) -> f64 {
        let even = |state: &mut u64| {
            *state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (*state >> 40) as f64 / f64::from(1 << 24) - 0.5
        };
        (0..4).map(|_| even(&mut self.0)).sum::<f64>() * 3_f64.sqrt()
    }
}

/// A photo with `full` electrons in a white pixel: few in the dark.
fn noisy(picture: &Picture, full: f64) -> Picture {
    let mut noise = Noise(7);
    let mut rgb = picture.rgb().clone();
    for value in rgb.iter_mut() {
        let electrons = linear(*value) * full;
        *value = encoded((electrons + electrons.sqrt() * noise.draw() + 3.0 * noise.draw()) / full);
    }
    Picture::new(rgb)
}

/// A lamp's mirror image on the board, soft, with `strength` of a white pixel's light in its middle.
fn glaring(picture: &Picture, strength: f64) -> Picture {
    let [width, height] = picture.size().map(f64::from);
    let mut rgb = picture.rgb().clone();
    for (x, y, pixel) in rgb.enumerate_pixels_mut() {
        let (across, down) =
            ((f64::from(x) - 0.57 * width) / height, (f64::from(y) - 0.45 * height) / height);
        let glare = strength * (-(across.powi(2) + down.powi(2)) / 0.045).exp();
        pixel.0 = pixel.0.map(|value| encoded(linear(value) + glare));
    }
    Picture::new(rgb)
}

/// What is wrong with the pieces that are found in the fixtures of a folder, made worse.
fn faults_in(folders: &[&str], worse: impl Fn(&Picture) -> Picture) -> Vec<String> {
    let of_folder = |path: &std::path::Path| {
        folders.iter().any(|folder| path.parent().is_some_and(|parent| parent.ends_with(folder)))
    };
    let photos: Vec<_> = photos().into_iter().filter(|(path, _)| of_folder(path)).collect();
    assert!(!photos.is_empty());
    photos
        .iter()
        .flat_map(|(path, truth)| {
            let board = Board::named_or_at(truth["board"].as_str().unwrap()).unwrap();
            let picture = worse(&read(path));
            let found = detect(&picture, &board, &true_camera(truth), &DetectOptions::default());
            let faults = faults(&board, truth, &found);
            faults.into_iter().map(move |fault| format!("{}: {fault}", path.display()))
        })
        .collect()
}

#[test]
fn pieces_under_a_lamps_mirror_image_are_found_in_their_colours() {
    let faults =
        faults_in(&["court-overhead", "court-close-calls", "clutter", "carrom-overhead"], |picture| {
            glaring(picture, 0.3)
        });
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn pieces_in_the_noise_of_a_dim_room_are_found() {
    let faults =
        faults_in(&["court-overhead", "court-close-calls", "hard-light"], |picture| noisy(picture, 150.0));
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}
