//! Outcomes of many photos in a few figures.

use serde::Serialize;

use super::{
    PhotoEvaluation,
    compare::{PieceOutcome, TallyOutcome, Verdict},
};
use crate::score::StageTimes;

/// The figures of one category, or of all.
#[derive(Debug, Clone, Serialize)]
pub struct Summary {
    pub category: String,
    pub photos: usize,
    pub not_found: usize,
    /// True pieces that count (in view, at rest, not mostly covered) on boards that were found.
    pub pieces: usize,
    pub missed: usize,
    pub extra: usize,
    pub colour_wrong: usize,
    pub position: Option<PositionSummary>,
    pub calls: CallSummary,
    /// Areas and placements that are wrong and not left open.
    pub places_wrong: usize,
    pub tallies: TallySummary,
    /// Mean time a stage, in seconds a photo.
    pub times: StageTimes,
}

#[derive(Debug, Clone, Copy, Serialize)]
pub struct PositionSummary {
    pub median_mm: f64,
    pub p95_mm: f64,
    pub worst_mm: f64,
    /// Root mean square of error by stated sigma, an axis: 1 when sigma is honest.
    pub normalised_rms: f64,
    /// Share of pieces whose distance from the truth is beyond three sigma (1.1 % if errors were
    /// Gaussian with that sigma on both axes).
    pub beyond_3_sigma: f64,
    /// Share of measurements that say themselves they are not to be trusted.
    pub untrusted: f64,
}

#[derive(Debug, Clone, Copy, Default, Serialize)]
pub struct TallySummary {
    pub right: usize,
    /// Wrong, but the report says what is in doubt.
    pub wrong: usize,
    pub wrong_and_sure: usize,
    /// Right or wrong, with doubts.
    pub in_doubt: usize,
}

#[derive(Debug, Clone, Copy, Default, Serialize)]
pub struct CallSummary {
    pub right: usize,
    pub wrong: usize,
    pub wrong_and_sure: usize,
    pub open: usize,
    pub open_needlessly: usize,
}

/// Sums up photos under a name.
pub fn summarise<'a>(category: &str, photos: impl Iterator<Item = &'a PhotoEvaluation> + Clone) -> Summary {
    let count = photos.clone().count();
    let found: Vec<_> = photos.clone().filter_map(|photo| photo.outcome.as_ref().ok()).collect();
    let pieces: Vec<_> = found.iter().flat_map(|outcome| &outcome.pieces).collect();
    let missed = found.iter().map(|outcome| outcome.missed.len()).sum();
    let mut calls = CallSummary::default();
    for contact in pieces.iter().filter_map(|piece| piece.contact.as_ref()) {
        *match contact.verdict {
            Verdict::Right => &mut calls.right,
            Verdict::Wrong => &mut calls.wrong,
            Verdict::WrongAndSure => &mut calls.wrong_and_sure,
            Verdict::Open => &mut calls.open,
            Verdict::OpenNeedlessly => &mut calls.open_needlessly,
        } += 1;
    }
    Summary {
        category: category.to_owned(),
        photos: count,
        not_found: count - found.len(),
        pieces: pieces.len() + missed,
        missed,
        extra: found.iter().map(|outcome| outcome.extra.len()).sum(),
        colour_wrong: pieces.iter().filter(|piece| piece.colour != piece.reported_colour).count(),
        position: position_summary(&pieces),
        calls,
        places_wrong: pieces.iter().filter(|piece| piece.wrong_place.is_some()).count(),
        tallies: tally_summary(found.iter().filter_map(|outcome| outcome.tally.as_ref())),
        times: mean_times(photos.map(|photo| photo.times)),
    }
}

fn tally_summary<'a>(tallies: impl Iterator<Item = &'a TallyOutcome>) -> TallySummary {
    let mut summary = TallySummary::default();
    for tally in tallies {
        summary.in_doubt += usize::from(!tally.sure);
        *match (tally.right, tally.sure) {
            (true, _) => &mut summary.right,
            (false, false) => &mut summary.wrong,
            (false, true) => &mut summary.wrong_and_sure,
        } += 1;
    }
    summary
}

fn position_summary(pieces: &[&PieceOutcome]) -> Option<PositionSummary> {
    let mut errors: Vec<f64> = pieces.iter().map(|piece| piece.error_mm()).collect();
    errors.sort_by(f64::total_cmp);
    let share = |n: usize| n as f64 / pieces.len() as f64;
    let squares = pieces.iter().map(|piece| (piece.error_mm() / piece.sigma_mm).powi(2) / 2.0);
    Some(PositionSummary {
        median_mm: quantile(&errors, 0.5)?,
        p95_mm: quantile(&errors, 0.95)?,
        worst_mm: *errors.last()?,
        normalised_rms: (squares.sum::<f64>() / pieces.len() as f64).sqrt(),
        beyond_3_sigma: share(pieces.iter().filter(|p| p.error_mm() > 3.0 * p.sigma_mm).count()),
        untrusted: share(pieces.iter().filter(|p| !p.trusted).count()),
    })
}

/// The quantile of sorted values, between neighbours in proportion.
pub(super) fn quantile(sorted: &[f64], share: f64) -> Option<f64> {
    let last = sorted.len().checked_sub(1)?;
    let at = share * last as f64;
    let (low, high) = (at.floor() as usize, at.ceil() as usize);
    Some(sorted[low] + (sorted[high] - sorted[low]) * (at - low as f64))
}

fn mean_times(times: impl Iterator<Item = StageTimes> + Clone) -> StageTimes {
    let count = times.clone().count().max(1) as f64;
    let mean = |stage: fn(&StageTimes) -> f64| times.clone().map(|t| stage(&t)).sum::<f64>() / count;
    StageTimes {
        decode_secs: mean(|t| t.decode_secs),
        register_secs: mean(|t| t.register_secs),
        detect_secs: mean(|t| t.detect_secs),
        measure_secs: mean(|t| t.measure_secs),
        paint_secs: mean(|t| t.paint_secs),
        calls_secs: mean(|t| t.calls_secs),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_lie_between_neighbours() {
        assert_eq!(quantile(&[], 0.5), None);
        assert_eq!(quantile(&[3.0], 0.95), Some(3.0));
        assert_eq!(quantile(&[1.0, 2.0, 4.0], 0.5), Some(2.0));
        assert_eq!(quantile(&[0.0, 10.0], 0.95), Some(9.5));
    }
}
