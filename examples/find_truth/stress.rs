//! The same scene through another camera from the same place, in worse light, partly covered.
//!
//! In: a photo with its true camera. Out: another photo with its own true camera. A camera that
//! only turns about its centre sees the same rays, so the new photo is exact where the old one
//! shows anything.

use image::{Rgb, RgbImage};
use linecall::camera::{Camera, Lens, Pose};
use nalgebra::{Rotation3, Vector3};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

const SIZES: [[u32; 2]; 4] = [[1280, 960], [960, 1280], [1600, 900], [1000, 1000]];

pub fn another_view(photo: &RgbImage, truth: &Camera, seed: u64) -> (RgbImage, Camera) {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let camera = another_camera(truth, &mut random);
    let mut picture = seen_by(photo, truth, &camera, &mut random);
    for _ in 0..random.random_range(0..4) {
        cover(&mut picture, &mut random);
    }
    let blur = random.random_range(0.0..1.3f32);
    if blur > 0.3 {
        picture = image::imageops::fast_blur(&picture, blur);
    }
    relight(&mut picture, &mut random);
    (picture, camera)
}

fn another_camera(truth: &Camera, random: &mut ChaCha8Rng) -> Camera {
    let image_size = SIZES[random.random_range(0..SIZES.len())];
    let diagonal = |[w, h]: [u32; 2]| f64::from(w).hypot(f64::from(h));
    let relative = truth.lens.fx / diagonal(truth.image_size) * random.random_range(0.65..1.15);
    let focal_px = relative * diagonal(image_size);
    // Distortion at the corner: from 15 % barrel to 4 % pincushion.
    let at_corner = if random.random_bool(0.5) { 0.0 } else { random.random_range(-0.15..0.04) };
    let lens = Lens { k1: at_corner * (2.0 * relative).powi(2), ..Lens::ideal(focal_px, image_size) };
    let mut tilt = || random.random_range(-6.0..6.0f64).to_radians();
    let turn = Rotation3::new(Vector3::new(tilt(), tilt(), 0.0));
    let roll = Rotation3::new(Vector3::z() * random.random_range(0.0..std::f64::consts::TAU));
    let turn = roll * turn;
    let pose =
        Pose { rotation: turn * truth.pose.rotation, translation_mm: turn * truth.pose.translation_mm };
    Camera { image_size, lens, pose }
}

fn seen_by(photo: &RgbImage, truth: &Camera, camera: &Camera, random: &mut ChaCha8Rng) -> RgbImage {
    let turn = truth.pose.rotation * camera.pose.rotation.inverse();
    let beyond: [u8; 3] = std::array::from_fn(|_| random.random_range(40..160));
    let [width, height] = camera.image_size;
    RgbImage::from_fn(width, height, |x, y| {
        let place = camera.lens.ray_from_pixel(f64::from(x), f64::from(y)).and_then(|(a, b)| {
            let ray = turn * Vector3::new(a, b, 1.0);
            (ray.z > 0.0).then(|| truth.lens.pixel_from_ray(ray.x / ray.z, ray.y / ray.z)).flatten()
        });
        let inside = |p: &nalgebra::Point2<f64>| {
            p.x >= 0.0
                && p.y >= 0.0
                && p.x < f64::from(photo.width() - 1)
                && p.y < f64::from(photo.height() - 1)
        };
        let Some(p) = place.filter(inside) else { return Rgb(beyond) };
        let (i, j) = (p.x as u32, p.y as u32);
        let (s, t) = (p.x - f64::from(i), p.y - f64::from(j));
        let at = |x, y, c: usize| f64::from(photo.get_pixel(x, y).0[c]);
        Rgb(std::array::from_fn(|c| {
            let above = at(i, j, c) * (1.0 - s) + at(i + 1, j, c) * s;
            let below = at(i, j + 1, c) * (1.0 - s) + at(i + 1, j + 1, c) * s;
            (above * (1.0 - t) + below * t).round() as u8
        }))
    })
}

/// Lays an ellipse or a box of one colour over part of the picture.
fn cover(picture: &mut RgbImage, random: &mut ChaCha8Rng) {
    let (w, h) = (f64::from(picture.width()), f64::from(picture.height()));
    let (cx, cy) = (random.random_range(0.0..w), random.random_range(0.0..h));
    let (a, b) = (random.random_range(0.03..0.14) * w, random.random_range(0.03..0.14) * h);
    let (sin, cos) = random.random_range(0.0..std::f64::consts::PI).sin_cos();
    let colour: [u8; 3] = std::array::from_fn(|_| random.random_range(20..230));
    let round = random.random_bool(0.6);
    for (x, y, pixel) in picture.enumerate_pixels_mut() {
        let (dx, dy) = (f64::from(x) - cx, f64::from(y) - cy);
        let (s, t) = ((dx * cos + dy * sin) / a, (dy * cos - dx * sin) / b);
        if if round { s * s + t * t < 1.0 } else { s.abs() < 1.0 && t.abs() < 1.0 } {
            *pixel = Rgb(colour);
        }
    }
}

/// Other brightness, colour cast, a shadow band, noise.
fn relight(picture: &mut RgbImage, random: &mut ChaCha8Rng) {
    let gain = random.random_range(0.25..1.15);
    let cast: [f64; 3] = std::array::from_fn(|_| gain * random.random_range(0.85..1.15));
    let noise = random.random_range(0.0..5.0);
    let (sin, cos) = random.random_range(0.0..std::f64::consts::PI).sin_cos();
    let width = f64::from(picture.width());
    let middle = random.random_range(-0.4..0.4) * width;
    let (half, depth) = (random.random_range(0.02..0.2) * width, random.random_range(0.3..1.0));
    let (ox, oy) = (width / 2.0, f64::from(picture.height()) / 2.0);
    for (x, y, pixel) in picture.enumerate_pixels_mut() {
        let across = (f64::from(x) - ox) * cos + (f64::from(y) - oy) * sin - middle;
        let shade = if across.abs() < half { depth } else { 1.0 };
        for (value, cast) in pixel.0.iter_mut().zip(cast) {
            let grain = noise * (random.random_range(-1.0..1.0) + random.random_range(-1.0..1.0f64));
            *value = (f64::from(*value) * cast * shade + grain).clamp(0.0, 255.0) as u8;
        }
    }
}
