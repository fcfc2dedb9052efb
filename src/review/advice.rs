//! What would make a measurement surer.

use super::{Against, Basis, Evidence, Gap, Question};
use crate::{calls::ContactCall, register::Method};

/// A pixel from which on a sharper or nearer photo helps more than anything else, in mm.
const COARSE_PIXEL_MM: f64 = 0.35;
/// A view from which on height and rounding of the piece tell on the gap, in degrees off vertical.
const SLANTED_DEG: f64 = 25.0;

/// The least σ that a gap in a photo can be hoped to have, in mm: paint and rims are no sharper.
const FINEST_SIGMA_MM: f64 = 0.03;

/// A call of this probability needs no advice.
const BEYOND_DOUBT: f64 = 0.9999;

/// Sentences, the most helpful first; none for a call that nobody could doubt.
pub(super) fn advice(evidence: &Evidence, question: &Question, gap: &Gap, basis: &Basis) -> Vec<String> {
    let mut sentences = Vec::new();
    let seen = &evidence.scored.seen[question.piece()];
    if seen.candidate.stacked {
        return vec!["A person must decide what a stacked piece counts for.".to_owned()];
    }
    let p_called = gap.p_below.max(1.0 - gap.p_below);
    if gap.call != ContactCall::TooClose && p_called >= BEYOND_DOUBT && seen.measurement.trusted {
        return sentences;
    }
    if gap.call == ContactCall::TooClose && gap.gap_mm != 0.0 {
        let sigmas = gap.called_from_mm / gap.sigma_mm.max(f64::MIN_POSITIVE);
        let (gap_mm, needed_mm) = (gap.gap_mm.abs(), (gap.gap_mm.abs() / sigmas * 100.0).floor() / 100.0);
        sentences.push(match needed_mm {
            needed_mm if needed_mm < FINEST_SIGMA_MM => {
                format!("A gap of {gap_mm:.2} mm is less than a photo can tell: a feeler gauge may.")
            }
            needed_mm => format!(
                "A gap of {gap_mm:.2} mm is called when its σ is at most {needed_mm:.2} mm; here it is {:.2} mm.",
                gap.sigma_mm
            ),
        });
    }
    let largest = gap.shares.iter().max_by(|a, b| a.sigma_mm.total_cmp(&b.sigma_mm));
    if let Some(share) = largest.filter(|_| gap.shares.len() > 1) {
        sentences.push(format!("Most of the doubt comes from {} ({:.2} mm).", share.name, share.sigma_mm));
    }
    let is_trusted = |index: usize| evidence.scored.seen[index].measurement.trusted;
    let against = match *question {
        Question::Order { against, .. } => Some(against),
        _ => None,
    };
    if !is_trusted(question.piece()) || against.is_some_and(|against| !is_trusted(against)) {
        sentences.push("A photo that shows the whole rim, sharp and evenly lit, can be measured.".to_owned());
    }
    if basis.mm_per_px > COARSE_PIXEL_MM {
        sentences.push(format!(
            "One pixel is {:.2} mm here: a photo from nearer, or with more pixels, measures better.",
            basis.mm_per_px
        ));
    }
    if basis.slant_deg > SLANTED_DEG {
        sentences.push(format!(
            "The piece is seen {:.0}° from straight above: from above its height matters less.",
            basis.slant_deg
        ));
    }
    if evidence.scored.registration.method != Method::Camera {
        sentences.push(
            "A fixed camera with a camera file (linecall calibrate) knows its lens and its place better."
                .to_owned(),
        );
    }
    if gap.against == Against::DrawnPaint {
        sentences.push(
            "The paint beside the piece could not be measured and is taken as drawn: uncovered paint on both \
             sides of the piece would show where it is."
                .to_owned(),
        );
    }
    sentences
}
