//! sRGB's curve between the values that pictures hold and linear light, both 0 to 1, and the brightness of JPEG.

/// Weights of red, green and blue in the brightness that JPEG keeps apart from colour (Rec. 601).
pub const BRIGHTNESS: [f64; 3] = [0.299, 0.587, 0.114];

/// Linear light of an encoded value.
pub fn linear(encoded: f64) -> f64 {
    if encoded <= 0.04045 { encoded / 12.92 } else { ((encoded + 0.055) / 1.055).powf(2.4) }
}

/// The value that stands for this much light.
pub fn encoded(linear: f64) -> f64 {
    if linear <= 0.003_130_8 { 12.92 * linear } else { 1.055 * linear.powf(1.0 / 2.4) - 0.055 }
}

/// The same as a picture holds it.
pub fn encoded_byte(linear: f64) -> u8 {
    (255.0 * encoded(linear)).round().clamp(0.0, 255.0) as u8
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_value_of_a_picture_survives_the_way_to_light_and_back() {
        for value in 0..=u8::MAX {
            assert_eq!(encoded_byte(linear(f64::from(value) / 255.0)), value);
        }
    }

    #[test]
    fn brightness_of_white_is_one() {
        assert!((BRIGHTNESS.iter().sum::<f64>() - 1.0).abs() < 1e-12);
    }
}
