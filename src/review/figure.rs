//! The drawings of a page. A unit of a drawing is a millimetre of paper; on a screen it scales.

mod close_up;
mod colours;
mod plan;
mod plot;
mod ruler;

pub(super) use close_up::{close_up, kinds};
pub(super) use colours::colours;
pub(super) use plan::{plan, whole_view};
pub(super) use plot::plot;
pub(super) use ruler::ruler;

/// The style sheet's name for what an answer is to the piece.
pub(super) fn tone(tone: super::Tone) -> &'static str {
    match tone {
        super::Tone::Good => "good",
        super::Tone::Bad => "bad",
        super::Tone::Plain => "plain",
        super::Tone::Open => "open",
    }
}

/// Width of every drawing.
const WIDTH: f64 = super::close_up::PAPER_MM[0];

/// Lengths that rulers and scales are divided by: 1, 2 and 5 times a power of ten.
fn nice_length(at_most: f64) -> f64 {
    if !(at_most > 0.0 && at_most.is_finite()) {
        return 1.0;
    }
    let power = 10f64.powf(at_most.log10().floor());
    [5.0, 2.0, 1.0].into_iter().map(|n| n * power).find(|n| *n <= at_most).unwrap_or(power)
}

/// A length without needless decimals.
fn length_words(value_mm: f64) -> String {
    let text = format!("{value_mm:.3}");
    text.trim_end_matches('0').trim_end_matches('.').replace('-', "−")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths_are_round() {
        let lengths: Vec<f64> = [0.07, 0.5, 3.4, 99.0, 1200.0].map(nice_length).into();
        for (found, expected) in lengths.iter().zip([0.05, 0.5, 2.0, 50.0, 1000.0]) {
            assert!((found / expected - 1.0).abs() < 1e-9, "{found} for {expected}");
        }
        assert_eq!(length_words(0.2), "0.2");
        assert_eq!(length_words(-0.05), "−0.05");
        assert_eq!(length_words(10.0), "10");
    }
}
