//! What a camera offers, and the choice among it.

use std::fmt;

use serde::Serialize;

/// How a camera sends its pixels.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum PixelForm {
    /// A JPEG a frame: full size at full rate over USB 2, and kept as evidence as it came.
    Mjpeg,
    /// Uncompressed: no traces of compression, but slow over USB 2 (1080p at about 5 a second).
    Yuyv,
}

impl fmt::Display for PixelForm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            PixelForm::Mjpeg => "MJPEG",
            PixelForm::Yuyv => "YUYV",
        })
    }
}

/// One size, form and rate that a camera has.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Offer {
    /// Width and height in pixels.
    pub size: [u32; 2],
    pub form: PixelForm,
    /// Frames a second.
    pub fps: f64,
}

impl fmt::Display for Offer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [width, height] = self.size;
        write!(f, "{width} x {height} {} at {} a second", self.form, Rounded(self.fps))
    }
}

/// A rate without needless digits: 30, 29.97.
struct Rounded(f64);

impl fmt::Display for Rounded {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", (self.0 * 100.0).round() / 100.0)
    }
}

/// What is wished of a camera.
#[derive(Debug, Clone, PartialEq)]
pub struct Wish {
    /// Width and height in pixels. Default 1920 x 1080: half a millimetre a pixel from above a
    /// board. More is finer, and slower to read.
    pub size: [u32; 2],
    /// Frames a second. Default 30: a shot lasts a second or two. Less leaves more of them unseen.
    pub fps: f64,
    /// Default none: MJPEG where the camera has it at this size and rate, else YUYV.
    pub form: Option<PixelForm>,
}

impl Default for Wish {
    fn default() -> Self {
        Self { size: [1920, 1080], fps: 30.0, form: None }
    }
}

/// The offer nearest to the wish. The size comes first, because measuring depends on it: the wished
/// one, else the smallest that is larger, else the largest; then the rate: the lowest that is not
/// below the wish, else the highest; then the form.
pub fn choose(offers: &[Offer], wish: &Wish) -> Option<Offer> {
    let pixels = |[width, height]: [u32; 2]| u64::from(width) * u64::from(height);
    let rank = |offer: &Offer| {
        let covers = offer.size[0] >= wish.size[0] && offer.size[1] >= wish.size[1];
        let (above, below) =
            if covers { (pixels(offer.size), 0) } else { (0, u64::MAX - pixels(offer.size)) };
        // 29.97 is 30 to a person.
        let missing = (wish.fps - offer.fps - 0.05).max(0.0);
        let surplus = (offer.fps - wish.fps).max(0.0);
        let thousandths = |rate: f64| (rate * 1000.0) as u64;
        (!covers, below, above, thousandths(missing), thousandths(surplus), offer.form)
    };
    offers
        .iter()
        .filter(|offer| wish.form.is_none_or(|form| form == offer.form))
        .min_by_key(|offer| rank(offer))
        .copied()
}

#[cfg(test)]
mod tests {
    use super::PixelForm::{Mjpeg, Yuyv};
    use super::*;

    fn offer(width: u32, height: u32, form: PixelForm, fps: f64) -> Offer {
        Offer { size: [width, height], form, fps }
    }

    #[test]
    fn the_size_comes_first_then_the_rate_then_the_form() {
        let offers = [
            offer(640, 480, Yuyv, 30.0),
            offer(1280, 720, Mjpeg, 60.0),
            offer(1920, 1080, Yuyv, 5.0),
            offer(1920, 1080, Mjpeg, 29.97),
            offer(1920, 1080, Mjpeg, 60.0),
            offer(3840, 2160, Mjpeg, 30.0),
        ];
        let best = |wish: Wish| choose(&offers, &wish).unwrap();
        assert_eq!(best(Wish::default()), offers[3]);
        assert_eq!(best(Wish { fps: 50.0, ..Wish::default() }), offers[4]);
        assert_eq!(best(Wish { fps: 120.0, ..Wish::default() }), offers[4]);
        assert_eq!(best(Wish { form: Some(Yuyv), ..Wish::default() }), offers[2]);
        assert_eq!(best(Wish { size: [1600, 900], ..Wish::default() }), offers[3]);
        assert_eq!(best(Wish { size: [7680, 4320], ..Wish::default() }), offers[5]);
        assert_eq!(choose(&[], &Wish::default()), None);
    }

    #[test]
    fn raw_pictures_are_taken_where_they_are_as_fast_and_compressed_ones_are_absent() {
        let offers = [offer(1920, 1080, Yuyv, 30.0), offer(1920, 1080, Mjpeg, 15.0)];
        assert_eq!(choose(&offers, &Wish::default()), Some(offers[0]));
    }

    #[test]
    fn an_offer_reads_as_a_sentence() {
        assert_eq!(offer(1920, 1080, Mjpeg, 30.0).to_string(), "1920 x 1080 MJPEG at 30 a second");
        assert_eq!(offer(640, 480, Yuyv, 30000.0 / 1001.0).to_string(), "640 x 480 YUYV at 29.97 a second");
    }
}
