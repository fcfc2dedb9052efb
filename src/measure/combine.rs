//! Several methods' estimates of the pieces of one set, made into one footprint each.
//!
//! In: for every piece of a set (pieces of one kind in one picture) what the silhouette and the
//! face's symmetry say, each with the noise that is its own and the bias that all pieces share:
//! light from one side shifts the look of every groove and of every rounded rim alike. Out: a
//! footprint with its covariance. The common difference between the methods shows the biases, and
//! each method takes as much of it as it was expected to have, and each piece as much as it was: what glare does to one
//! piece it does not do to the others.

use nalgebra::Matrix2;

use super::{MeasureOptions, estimate::Estimate};
use crate::geometry::{Point, Vector};

/// One method's estimate with its kinds of error.
#[derive(Debug, Clone, Copy)]
pub(super) struct Opinion {
    pub estimate: Estimate,
    /// Covariance of what differs from piece to piece.
    pub own: Matrix2<f64>,
    /// Expected covariance of what all pieces of the set share.
    pub common: Matrix2<f64>,
    /// Covariance of what it may have been misled by, as it shows itself. It widens the result, but takes no
    /// weight from the method: the other one is no better for it.
    pub suspected: Matrix2<f64>,
    /// Whether the method holds for this piece as far as it can tell itself.
    pub is_trusted: bool,
}

impl Opinion {
    /// Standard deviation of what is this piece's own, along an axis.
    pub fn sigma_mm(&self) -> f64 {
        (self.own.trace() / 2.0).sqrt()
    }
}

/// What two methods say of one piece.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Opinions {
    pub outline: Option<Opinion>,
    pub face: Option<Opinion>,
}

/// A footprint from all methods.
#[derive(Debug, Clone, Copy)]
pub(super) struct Combined {
    pub centre: Point,
    pub covariance: Matrix2<f64>,
    /// Squared disagreement of the methods against what was expected, a direction: about 1.
    pub disagreement: f64,
    /// Plain difference of the methods, in mm.
    pub split_mm: f64,
    /// Weight of the outline in the footprint, 0 to 1.
    pub outline_weight: f64,
}

/// Combines the opinions of one set's pieces.
pub(super) fn combine(set: &[Opinions], options: &MeasureOptions) -> Vec<Option<Combined>> {
    let bias = common_bias(set, options);
    set.iter().map(|piece| one(piece, &bias, options)).collect()
}

/// The methods' biases as far as their difference shows them.
#[derive(Clone, Copy)]
struct Bias {
    outline: Vector,
    face: Vector,
    /// What stays unknown of each, and what of that they share, once their difference is known as well as the
    /// pieces show it: plain faces show nothing, and leave the outline's bias as it was expected.
    outline_left: Matrix2<f64>,
    face_left: Matrix2<f64>,
    shared_left: Matrix2<f64>,
    /// What was expected of the pieces that showed it.
    outline_expected: Matrix2<f64>,
    face_expected: Matrix2<f64>,
}

impl Bias {
    /// What is expected of one piece, where no other shows more.
    fn expected(piece: &Opinions) -> Self {
        let common = |opinion: &Option<Opinion>| opinion.map_or_else(Matrix2::zeros, |o| o.common);
        let (outline, face) = (common(&piece.outline), common(&piece.face));
        Self {
            outline: Vector::zeros(),
            face: Vector::zeros(),
            outline_left: outline,
            face_left: face,
            shared_left: Matrix2::zeros(),
            outline_expected: outline,
            face_expected: face,
        }
    }

    /// The same for one piece: of what others show it has no more than was expected of it.
    fn of(&self, piece: &Opinions) -> Self {
        let part = |opinion: &Option<Opinion>, expected: &Matrix2<f64>| {
            let own = opinion.map_or(0.0, |opinion| opinion.common.trace());
            (own / expected.trace().max(f64::MIN_POSITIVE)).sqrt().min(1.0)
        };
        let outline = part(&piece.outline, &self.outline_expected);
        let face = part(&piece.face, &self.face_expected);
        Self {
            outline: self.outline * outline,
            face: self.face * face,
            outline_left: self.outline_left * outline.powi(2),
            face_left: self.face_left * face.powi(2),
            shared_left: self.shared_left * (outline * face),
            ..*self
        }
    }

    /// What stays unknown of a piece in which the outline has this share.
    fn left(&self, outline_share: &Matrix2<f64>) -> Matrix2<f64> {
        let face_share = Matrix2::identity() - outline_share;
        let shared = outline_share * self.shared_left * face_share.transpose();
        outline_share * self.outline_left * outline_share.transpose()
            + face_share * self.face_left * face_share.transpose()
            + shared
            + shared.transpose()
    }
}

fn common_bias(set: &[Opinions], options: &MeasureOptions) -> Option<Bias> {
    // Where the methods lie farther apart than can be trusted, it is no bias that the others share.
    let is_near = |(outline, face): &(Opinion, Opinion)| {
        (outline.estimate.centre - face.estimate.centre).norm() < options.trusted_split_mm
    };
    let both: Vec<(Opinion, Opinion)> =
        set.iter().filter_map(|o| o.outline.zip(o.face)).filter(is_near).collect();
    let count = both.len() as f64;
    if both.is_empty() {
        return None;
    }
    let differences: Vec<Vector> = both.iter().map(|(a, b)| a.estimate.centre - b.estimate.centre).collect();
    let median =
        Vector::new(median(differences.iter().map(|d| d.x)), median(differences.iter().map(|d| d.y)));
    // An information-weighted mean in which a piece far off the others' median counts little.
    let (mut weights, mut sum) = (Matrix2::zeros(), Vector::zeros());
    let (mut outline_prior, mut face_prior) = (Matrix2::zeros(), Matrix2::zeros());
    for ((a, b), d) in both.iter().zip(&differences) {
        let own = a.own + b.own;
        let inverse = own.try_inverse()?;
        let off = d - median;
        let surprise = off.dot(&(inverse * off)) / 2.0;
        let weight = inverse / (1.0 + surprise / 4.0);
        weights += weight;
        sum += weight * d;
        outline_prior += a.common / count;
        face_prior += b.common / count;
    }
    let of_mean = weights.try_inverse()?;
    let mean = of_mean * sum;
    let total = (outline_prior + face_prior + of_mean).try_inverse()?;
    Some(Bias {
        outline: outline_prior * total * mean,
        face: -(face_prior * total * mean),
        outline_left: outline_prior - outline_prior * total * outline_prior,
        face_left: face_prior - face_prior * total * face_prior,
        shared_left: outline_prior * total * face_prior,
        outline_expected: outline_prior,
        face_expected: face_prior,
    })
}

fn one(piece: &Opinions, bias: &Option<Bias>, options: &MeasureOptions) -> Option<Combined> {
    let place = |o: &Opinion, shift: Vector| o.estimate.centre - shift;
    let bias = bias.map_or_else(|| Bias::expected(piece), |bias| bias.of(piece));
    match (&piece.outline, &piece.face) {
        (Some(outline), Some(face)) => {
            let (a, b) = (place(outline, bias.outline), place(face, bias.face));
            let total = (outline.own + face.own).try_inverse()?;
            let outline_share = face.own * total;
            let apart = a - b;
            let disagreement = apart.dot(&(total * apart)) / 2.0;
            let own = outline_share * outline.own;
            // Methods that lie farther apart than can be trusted are no longer weighed: either may be right.
            let split = outline.estimate.centre - face.estimate.centre;
            let split_mm = split.norm();
            let beyond = (split_mm - options.trusted_split_mm) / split_mm.max(1e-9);
            let split = split * options.split_share.max(beyond);
            Some(Combined {
                centre: b + outline_share * apart,
                covariance: symmetric(
                    own * disagreement.max(1.0)
                        + bias.left(&outline_share)
                        + outline_share * outline.suspected * outline_share.transpose()
                        + split * split.transpose(),
                ),
                disagreement,
                split_mm,
                outline_weight: (outline_share.trace() / 2.0).clamp(0.0, 1.0),
            })
        }
        (Some(only), None) | (None, Some(only)) => {
            let is_outline = piece.outline.is_some();
            let (shift, left) =
                if is_outline { (bias.outline, bias.outline_left) } else { (bias.face, bias.face_left) };
            Some(Combined {
                centre: place(only, shift),
                covariance: symmetric(only.own + left + only.suspected),
                disagreement: 0.0,
                split_mm: 0.0,
                outline_weight: f64::from(u8::from(is_outline)),
            })
        }
        (None, None) => None,
    }
}

fn symmetric(m: Matrix2<f64>) -> Matrix2<f64> {
    (m + m.transpose()) / 2.0
}

fn median(values: impl Iterator<Item = f64>) -> f64 {
    let mut values: Vec<f64> = values.collect();
    let middle = values.len() / 2;
    if values.is_empty() { 0.0 } else { *values.select_nth_unstable_by(middle, f64::total_cmp).1 }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn opinion(x: f64, own: f64, common: f64) -> Option<Opinion> {
        let estimate = Estimate {
            centre: Point::new(x, 0.0),
            covariance: Matrix2::identity(),
            residual_mm: 0.0,
            share: 1.0,
            excess_mm: 0.0,
            near_mm: 0.0,
            near_sigma_mm: 0.0,
            outvoted: Vector::zeros(),
            height_mm: 0.0,
        };
        Some(Opinion {
            estimate,
            own: Matrix2::identity() * own * own,
            common: Matrix2::identity() * common * common,
            suspected: Matrix2::zeros(),
            is_trusted: true,
        })
    }

    /// Nothing added for the methods' plain difference.
    fn no_split() -> MeasureOptions {
        MeasureOptions { split_share: 0.0, trusted_split_mm: f64::INFINITY, ..MeasureOptions::default() }
    }

    #[test]
    fn methods_far_apart_leave_either_place_within_their_deviation() {
        let pale = Opinions { outline: opinion(3.6, 0.7, 0.2), face: opinion(0.0, 0.05, 0.2) };
        let combined = combine(&[pale], &MeasureOptions::default())[0].unwrap();
        let sigma_mm = (combined.covariance.trace() / 2.0).sqrt();
        assert!((combined.centre.x - 3.6).abs() < 3.0 * sigma_mm && combined.centre.x.abs() < 3.0 * sigma_mm);
    }

    #[test]
    fn plain_faces_leave_the_outlines_bias_open() {
        let plain = Opinions { outline: opinion(0.0, 0.05, 0.5), face: opinion(0.3, 20.0, 0.12) };
        let combined = combine(&[plain; 6], &no_split())[0].unwrap();
        assert!(combined.covariance[(0, 0)].sqrt() > 0.45, "{}", combined.covariance);
    }

    #[test]
    fn what_may_have_misled_the_outline_widens_but_does_not_move() {
        let plain = Opinions { outline: opinion(0.0, 0.1, 0.02), face: opinion(0.2, 0.1, 0.02) };
        let mut shaded = plain;
        if let Some(outline) = &mut shaded.outline {
            outline.suspected = Matrix2::identity() * 0.25;
        }
        let [plain, shaded] = [plain, shaded].map(|piece| combine(&[piece], &no_split())[0].unwrap());
        assert_eq!(plain.centre, shaded.centre);
        // Half of the weight is the outline's, so half of its half millimetre is in the result.
        let more = shaded.covariance[(0, 0)] - plain.covariance[(0, 0)];
        assert!((more.sqrt() - 0.25).abs() < 0.01, "{more}");
    }

    #[test]
    fn one_piece_is_weighed_by_the_whole_errors() {
        let set = [Opinions { outline: opinion(1.0, 0.3, 0.4), face: opinion(0.0, 0.6, 0.8) }];
        let combined = combine(&set, &no_split())[0].unwrap();
        // Variances 0.25 and 1: the outline has four fifths of the weight.
        assert!((combined.centre.x - 0.8).abs() < 1e-9, "{}", combined.centre.x);
    }

    #[test]
    fn a_shared_difference_is_the_likelier_methods_bias() {
        let piece = |x: f64| Opinions { outline: opinion(x, 0.05, 0.02), face: opinion(x + 0.3, 0.02, 0.2) };
        let set: Vec<Opinions> = (0..8).map(|i| piece(f64::from(i))).collect();
        for (i, combined) in combine(&set, &no_split()).into_iter().enumerate() {
            let combined = combined.unwrap();
            assert!((combined.centre.x - i as f64).abs() < 0.02, "{}", combined.centre.x);
            assert!(combined.covariance[(0, 0)].sqrt() < 0.04);
        }
    }

    /// One piece under glare, of which much may be expected, and others of which only the outline is known.
    #[test]
    fn what_glare_does_to_one_piece_it_does_not_do_to_the_others() {
        let glaring = Opinions { outline: opinion(0.8, 0.05, 0.8), face: opinion(0.0, 0.05, 0.1) };
        let plain = Opinions { outline: opinion(5.0, 0.05, 0.1), face: None };
        let combined = combine(&[glaring, plain, plain], &no_split());
        assert!((combined[1].unwrap().centre.x - 5.0).abs() < 0.12, "{:?}", combined[1]);
        let sigma_mm = combined[1].unwrap().covariance[(0, 0)].sqrt();
        assert!(sigma_mm < 0.1, "no more in doubt than it was: {sigma_mm}");
    }

    #[test]
    fn methods_too_far_apart_tell_nothing_of_the_other_pieces() {
        let options = MeasureOptions { split_share: 0.0, ..MeasureOptions::default() };
        let misled = Opinions { outline: opinion(2.0, 0.05, 0.1), face: opinion(0.0, 0.05, 0.1) };
        let plain = Opinions { outline: opinion(5.0, 0.05, 0.1), face: None };
        let combined = combine(&[misled, plain], &options);
        assert_eq!(combined[1].unwrap().centre.x, 5.0);
        assert!(combined[0].unwrap().covariance[(0, 0)].sqrt() > 0.5);
    }

    #[test]
    fn disagreement_widens() {
        let mut set: Vec<Opinions> = (0..8)
            .map(|_| Opinions { outline: opinion(0.0, 0.05, 0.02), face: opinion(0.0, 0.05, 0.02) })
            .collect();
        set[0].face = opinion(1.0, 0.05, 0.02);
        let combined = combine(&set, &no_split());
        let sigma = |i: usize| combined[i].unwrap().covariance[(0, 0)].sqrt();
        assert!(sigma(0) > 5.0 * sigma(1));
    }
}
