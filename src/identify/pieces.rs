//! What the pieces say, where paint cannot tell two boards apart: on the wrong one they have the wrong size.

use super::{Fitting, IdentifyOptions, Possible};
use crate::{capture::Picture, detect::Detector};

/// For each board that fits, by its index, what its pieces say for it.
pub(super) fn nats(
    picture: &Picture,
    fitting: &[Fitting],
    possible: &[Possible],
    options: &IdentifyOptions,
) -> Vec<(usize, f64)> {
    let of = |fitting: &Fitting| {
        let scorer = &possible[fitting.index].scorer;
        let camera = &fitting.registration.camera;
        let detector = Detector::new(&scorer.board, camera, camera.image_size, &scorer.options.detect);
        let found = detector.detect(picture).pieces.len() as f64;
        (fitting.index, (found * options.piece_nats).min(options.most_piece_nats))
    };
    fitting.iter().map(of).collect()
}
