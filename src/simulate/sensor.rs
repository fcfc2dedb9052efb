//! From light to a picture file: blur, shake, vignetting, colour cast, noise, sRGB.
//!
//! Everything here is symmetrical about its pixel, so no edge moves. Noise comes from a hash of
//! seed, pixel and channel: the same with any number of threads.

use std::borrow::Cow;

use image::RgbImage;
use rayon::prelude::*;

use super::render::LightField;
use super::scene::PicturePart;
use super::texture::hash;
use crate::capture::srgb;

/// Variance of a channel at full light for noise 1, from counting photons.
const SHOT_VARIANCE: f64 = 6.0e-5;
/// Standard deviation of a dark pixel for noise 1.
const READ_SIGMA: f64 = 1.2e-3;
/// Entries of the table that encodes linear light.
const ENCODE_STEPS: usize = 1 << 14;
const NORMAL_STEPS: usize = 1 << 12;

/// Develops the light that fell on the sensor.
pub fn develop(light: &LightField, picture: &PicturePart, seed: u64) -> RgbImage {
    let light = shaken(blurred(Cow::Borrowed(light), picture.defocus_px), picture.shake_px);
    let (width, height) = (light.width, light.height);
    let encode = encoding_table();
    let normal = normal_quantiles();
    let noise_seed = picture.noise_seed;
    let seed = hash(seed as i32, (seed >> 32) as i32, 0x0150_1CE5)
        ^ hash(noise_seed as i32, (noise_seed >> 32) as i32, 0x0F00_D5EE);
    let gains = picture.cast.map(|gain| (gain * picture.exposure) as f32);
    let (noise, vignette) = (picture.noise, picture.vignette as f32);
    let (shot, read) =
        ((noise * noise * SHOT_VARIANCE) as f32, (noise * noise * READ_SIGMA * READ_SIGMA) as f32);
    let (cx, cy) = ((width as f32 - 1.0) / 2.0, (height as f32 - 1.0) / 2.0);
    let corner = (cx * cx + cy * cy).max(1.0);
    let mut bytes = vec![0_u8; width * height * 3];
    bytes.par_chunks_mut(width * 3).enumerate().for_each(|(y, row)| {
        for (x, rgb) in row.chunks_exact_mut(3).enumerate() {
            let (dx, dy) = (x as f32 - cx, y as f32 - cy);
            let fall = 1.0 - vignette * (dx * dx + dy * dy) / corner;
            let value = light.pixels[y * width + x];
            for (channel, byte) in rgb.iter_mut().enumerate() {
                let mut signal = value[channel] * gains[channel] * fall;
                if noise > 0.0 {
                    let draw = hash((x * 3 + channel) as i32, y as i32, seed);
                    // Clipped light carries no noise of its own: the clip below hides it.
                    let sigma = (shot * signal.clamp(0.0, 1.5) + read).sqrt();
                    signal += sigma * normal[(draw >> 20) as usize];
                }
                let step = signal.clamp(0.0, 1.0) * (ENCODE_STEPS - 1) as f32 + 0.5;
                *byte = encode[step as usize];
            }
        }
    });
    RgbImage::from_raw(width as u32, height as u32, bytes).unwrap_or_default()
}

/// The same light as 8-bit sRGB values before rounding, 0 to 255; for tests of exactness.
pub fn encoded(linear: f64) -> f64 {
    255.0 * srgb::encoded(linear.clamp(0.0, 1.0))
}

fn encoding_table() -> Vec<u8> {
    (0..ENCODE_STEPS).map(|i| encoded(i as f64 / (ENCODE_STEPS - 1) as f64).round() as u8).collect()
}

/// Normal quantiles at the middles of equal shares (Acklam's central approximation by bisection on
/// the error function would be slower and no better at this resolution).
fn normal_quantiles() -> Vec<f32> {
    (0..NORMAL_STEPS)
        .map(|i| {
            let p = (i as f64 + 0.5) / NORMAL_STEPS as f64;
            let tail = p.min(1.0 - p);
            let t = (-2.0 * tail.ln()).sqrt();
            // Abramowitz and Stegun 26.2.23, error below 4.5e-4.
            let z = t
                - (2.515_517 + t * (0.802_853 + t * 0.010_328))
                    / (1.0 + t * (1.432_788 + t * (0.189_269 + t * 0.001_308)));
            if p < 0.5 { -z as f32 } else { z as f32 }
        })
        .collect()
}

fn blurred(light: Cow<'_, LightField>, sigma_px: f64) -> Cow<'_, LightField> {
    if sigma_px <= 0.05 {
        return light;
    }
    let reach = (3.5 * sigma_px).ceil() as usize;
    let weight = |i: usize| (-0.5 * (i as f64 / sigma_px).powi(2)).exp();
    let sum: f64 = weight(0) + 2.0 * (1..=reach).map(weight).sum::<f64>();
    let kernel: Vec<f32> = (0..=reach).map(|i| (weight(i) / sum) as f32).collect();
    let (width, height) = (light.width, light.height);
    let mut across = vec![[0.0_f32; 3]; width * height];
    across.par_chunks_mut(width).enumerate().for_each(|(y, out)| {
        let row = &light.pixels[y * width..(y + 1) * width];
        let blurred_at = |x: usize| {
            let mut sum = row[x].map(|v| v * kernel[0]);
            for (i, k) in kernel.iter().enumerate().skip(1) {
                let (a, b) = (row[x.saturating_sub(i)], row[(x + i).min(width - 1)]);
                for c in 0..3 {
                    sum[c] += k * (a[c] + b[c]);
                }
            }
            sum
        };
        // Between the borders every tap is a shifted copy of the row, which the compiler can add up
        // many at a time.
        let (first, last) = (reach.min(width), width.saturating_sub(reach).max(reach.min(width)));
        for x in (0..first).chain(last..width) {
            out[x] = blurred_at(x);
        }
        let (values, sums) = (row.as_flattened(), &mut out.as_flattened_mut()[3 * first..3 * last]);
        let shifted = |from: usize| &values[3 * from..3 * (from + last - first)];
        for (sum, v) in sums.iter_mut().zip(shifted(first)) {
            *sum = v * kernel[0];
        }
        if first < last {
            for (i, k) in kernel.iter().enumerate().skip(1) {
                for ((sum, a), b) in sums.iter_mut().zip(shifted(first - i)).zip(shifted(first + i)) {
                    *sum += k * (a + b);
                }
            }
        }
    });
    let mut pixels = vec![[0.0_f32; 3]; width * height];
    pixels.par_chunks_mut(width).enumerate().for_each(|(y, out)| {
        for (i, k) in kernel.iter().enumerate() {
            let (above, below) = (y.saturating_sub(i), (y + i).min(height - 1));
            let row = |y: usize| across[y * width..(y + 1) * width].as_flattened();
            let k = if i == 0 { k / 2.0 } else { *k };
            for ((sum, a), b) in out.as_flattened_mut().iter_mut().zip(row(above)).zip(row(below)) {
                *sum += k * (a + b);
            }
        }
    });
    Cow::Owned(LightField { width, height, pixels })
}

/// A straight move of the camera during the exposure, centred on its middle.
fn shaken(light: Cow<'_, LightField>, shake_px: [f64; 2]) -> Cow<'_, LightField> {
    let length = shake_px[0].hypot(shake_px[1]);
    if length < 0.05 {
        return light;
    }
    let taps = (2.0 * length).ceil().max(3.0) as usize;
    let (width, height) = (light.width, light.height);
    let steps: Vec<[f64; 2]> = (0..taps)
        .map(|i| {
            let t = (i as f64 + 0.5) / taps as f64 - 0.5;
            [shake_px[0] * t, shake_px[1] * t]
        })
        .collect();
    let read = |x: f64, y: f64| {
        let (x, y) = (x.clamp(0.0, (width - 1) as f64), y.clamp(0.0, (height - 1) as f64));
        let (x0, y0) = (x as usize, y as usize);
        let (x1, y1) = ((x0 + 1).min(width - 1), (y0 + 1).min(height - 1));
        let (fx, fy) = ((x - x0 as f64) as f32, (y - y0 as f64) as f32);
        let (a, b, c, d) = (light.at(x0, y0), light.at(x1, y0), light.at(x0, y1), light.at(x1, y1));
        std::array::from_fn::<f32, 3, _>(|i| {
            (a[i] * (1.0 - fx) + b[i] * fx) * (1.0 - fy) + (c[i] * (1.0 - fx) + d[i] * fx) * fy
        })
    };
    let mut pixels = vec![[0.0_f32; 3]; width * height];
    pixels.par_chunks_mut(width).enumerate().for_each(|(y, out)| {
        for (x, pixel) in out.iter_mut().enumerate() {
            for [dx, dy] in &steps {
                let value = read(x as f64 + dx, y as f64 + dy);
                for c in 0..3 {
                    pixel[c] += value[c] / taps as f32;
                }
            }
        }
    });
    Cow::Owned(LightField { width, height, pixels })
}
