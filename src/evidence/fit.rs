//! From samples to weights.

use super::{
    QUANTITIES, Sample, Weight, Weights, logistic,
    reliability::{Bin, reliability},
    values,
};

/// What came of a fit.
#[derive(Debug, Clone)]
pub struct FitReport {
    pub weights: Weights,
    /// Of places that the fit did not see.
    pub all_places: Vec<Bin>,
    /// The same of those that were taken for pieces.
    pub taken: Vec<Bin>,
}

#[derive(Debug, Clone, thiserror::Error)]
pub enum FitError {
    #[error(
        "{places} places in {photos} photos, {pieces} of them pieces, are too few to fit: at least {least} of either are \
         needed; make more with linecall simulate --random 40 --unknown"
    )]
    TooFew { photos: usize, places: usize, pieces: usize, least: usize },
    #[error("the equations have no solution: give more photos, of more boards and views")]
    Unsolvable,
}

/// Fewest pieces, and other things.
const LEAST: usize = 50;

/// Fits the weights to photos' samples. Every other photo is held out to say how good they are; then all are used.
pub fn fit(photos: &[Vec<Sample>], sets: Vec<String>) -> Result<FitReport, FitError> {
    let all: Vec<Sample> = photos.iter().flatten().copied().collect();
    let pieces = all.iter().filter(|sample| sample.is_piece).count();
    if pieces < LEAST || all.len() - pieces < LEAST {
        return Err(FitError::TooFew { photos: photos.len(), places: all.len(), pieces, least: LEAST });
    }
    let halves =
        [0, 1].map(|odd| -> Vec<Sample> { photos.iter().skip(odd).step_by(2).flatten().copied().collect() });
    let mut stated = Vec::new();
    for (seen, held_out) in [(&halves[0], &halves[1]), (&halves[1], &halves[0])] {
        let weights = weights_of(seen)?;
        stated.extend(held_out.iter().map(|s| (weights.p_exists(&s.thing), *s)));
    }
    let likelihood = |p: f64, truth: bool| if truth { p } else { 1.0 - p }.max(1e-12).ln();
    let places = stated.len() as f64;
    let common = pieces as f64 / all.len() as f64;
    let weights = Weights {
        version: env!("CARGO_PKG_VERSION").to_owned(),
        sets,
        photos: photos.len(),
        places: all.len(),
        pieces,
        held_out_nats: stated.iter().map(|(p, s)| likelihood(*p, s.is_piece)).sum::<f64>() / places,
        guess_nats: common * common.ln() + (1.0 - common) * (1.0 - common).ln(),
        ..weights_of(&all)?
    };
    let of = |is_asked: &dyn Fn(&Sample) -> bool| {
        let asked: Vec<(f64, bool)> =
            stated.iter().filter(|(_, s)| is_asked(s)).map(|(p, s)| (*p, s.is_piece)).collect();
        reliability(&asked)
    };
    Ok(FitReport { weights, all_places: of(&|_| true), taken: of(&|sample| sample.is_taken) })
}

fn weights_of(samples: &[Sample]) -> Result<Weights, FitError> {
    let rows: Vec<Vec<f64>> = samples.iter().map(|s| values(&s.thing).to_vec()).collect();
    let count = rows.len().max(1) as f64;
    let usual: Vec<(f64, f64)> = (0..QUANTITIES.len())
        .map(|column| {
            let mean = rows.iter().map(|row| row[column]).sum::<f64>() / count;
            let variance = rows.iter().map(|row| (row[column] - mean).powi(2)).sum::<f64>() / count;
            (mean, variance.sqrt().max(1e-6))
        })
        .collect();
    let scaled: Vec<Vec<f64>> = rows
        .iter()
        .map(|row| row.iter().zip(&usual).map(|(value, (mean, spread))| (value - mean) / spread).collect())
        .collect();
    let truths: Vec<bool> = samples.iter().map(|sample| sample.is_piece).collect();
    let (bias, nats) = logistic::regress(&scaled, &truths).ok_or(FitError::Unsolvable)?;
    let quantities = QUANTITIES
        .iter()
        .zip(usual)
        .zip(nats)
        .map(|(((name, _), (usual, spread)), nats)| Weight { name: (*name).to_owned(), usual, spread, nats })
        .collect();
    Ok(Weights {
        version: String::new(),
        sets: Vec::new(),
        photos: 0,
        places: 0,
        pieces: 0,
        held_out_nats: 0.0,
        guess_nats: 0.0,
        usual_nats: bias,
        quantities,
    })
}
