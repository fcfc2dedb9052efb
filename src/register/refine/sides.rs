//! Whether a board's sides are where a camera expects them, and of which colour its rails are.
//!
//! In: the sights of the rails and a picture. Out: [`Sides`] and [`RailColours`]: boards of the same lines differ in their
//! sides, and a rail's outer edge may look like a side.

use nalgebra::Vector3;

use super::{
    border::{Ratios, median, share_of},
    line_ends,
    outline::{OutlineOptions, RailSight, as_shown},
};
use crate::{board::Board, camera::Camera, capture::Picture};

/// How many of a board's sides are seen where a camera expects them, whatever their colours.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Sides {
    /// Of which enough is in view.
    pub asked: usize,
    /// At which the hue changes, the light more than right beside them, or lines that run to them end.
    pub shown: usize,
    /// Of those, the ones at which it changes at once, or more than by any shadow along a rail.
    pub sharp: usize,
}

pub(super) fn sides_shown(
    sights: &[RailSight],
    board: &Board,
    camera: &Camera,
    picture: &Picture,
    options: &OutlineOptions,
) -> Sides {
    let shown = as_shown(sights.to_vec(), picture, options);
    let mut sides = Sides::default();
    let same_rail = |a: &RailSight, b: &RailSight| a.rail == b.rail;
    for (side, of_file) in shown.chunk_by(same_rail).zip(sights.chunk_by(same_rail)) {
        if side.len() < options.rail_colour_places {
            continue;
        }
        sides.asked += 1;
        let rail = &board.rails[side[0].rail];
        let ends_off_mm = line_ends::Ends::seen(board, rail, camera, picture, options).usual_off_mm();
        let lines_end_there = ends_off_mm.is_some_and(|off_mm| off_mm <= options.side_off_mm);
        // Whatever hue is seen beyond a wrong side changes there: against lines only the rail's own hue counts.
        let is_own_hue = side[0].rail_less_surface == of_file[0].rail_less_surface;
        let may_tell = ends_off_mm.is_none() || is_own_hue;
        if lines_end_there || may_tell && hue_changes_there(side, picture, options) {
            sides.shown += 1;
            sides.sharp += 1;
            continue;
        }
        if ends_off_mm.is_some() {
            // Lines that end elsewhere tell more than steps of light: rails have grain and shadows.
            continue;
        }
        let step_at = |off_mm: f64| {
            let steps: Vec<Vector3<f64>> =
                side.iter().filter_map(|sight| sight.step(picture, off_mm, options)).collect();
            let of = |channel: usize| median(steps.iter().map(|step| step[channel]));
            Vector3::new(of(0), of(1), of(2)).norm()
        };
        let alone = (options.side_alone_mm / SIDE_STEP_MM).ceil().max(1.0) as usize;
        let off = (options.side_off_mm / SIDE_STEP_MM).floor() as usize;
        let reach = (off + alone) as i32;
        let steps: Vec<f64> = (-reach..=reach).map(|i| step_at(f64::from(i) * SIDE_STEP_MM)).collect();
        // Where a rail's wall is seen, its upper edge may be the stronger one: a step need not be the strongest of all, but of
        // those around it.
        let peaks = steps.windows(2 * alone + 1).filter(|around| {
            let most = around.iter().copied().fold(0.0, f64::max);
            around[alone] >= options.side_step && around[alone] >= most
        });
        let is_sharp = |around: &[f64]| {
            around[alone] >= options.side_strong
                || around[0].max(around[2 * alone]) <= options.side_sharp * around[alone]
        };
        let sharp = peaks.map(is_sharp).reduce(|a, b| a || b);
        sides.shown += usize::from(sharp.is_some());
        sides.sharp += usize::from(sharp == Some(true));
    }
    sides
}

/// Whether what a camera takes for a side is its rail's outer edge: then the rail begins within it, in its own colour or in one
/// far darker than the surface. Dark rails on a dark floor look like floor, and their outer edges like sides.
pub(super) fn is_an_outer_edge(
    side: &[RailSight],
    board: &Board,
    picture: &Picture,
    options: &OutlineOptions,
) -> bool {
    let seen: Vec<Vector3<f64>> = side
        .iter()
        .filter_map(|sight| {
            // The middle of the rail that it would then be, and the surface as far beyond that rail's foot again.
            let width_px = board.rails[sight.rail].width_mm * sight.px_per_mm;
            let light = |offset_px: f64| sight.light(picture, offset_px, options);
            Some(light(-0.5 * width_px)? - light(-2.0 * width_px)?)
        })
        .collect();
    if seen.len() < options.rail_colour_places.max(1) {
        return false;
    }
    let usual = |of: fn(&Vector3<f64>) -> f64| median(seen.iter().map(of));
    let ratios = Ratios::new(usual(|light| light.x - light.y), usual(|light| light.z - light.y));
    let expected = side[0].rail_less_surface;
    let is_of_its_colour = expected.norm() >= options.telling_rail_colour
        && share_of(&ratios, &expected) >= options.outer_edge_share;
    let is_dark = usual(Vector3::max) <= -options.side_strong && ratios.norm() >= options.shown_rail_colour;
    is_of_its_colour || is_dark
}

/// Whether any of a board's sides lies on its rail's outer edge.
pub(super) fn is_on_an_outer_edge(
    sights: &[RailSight],
    board: &Board,
    picture: &Picture,
    options: &OutlineOptions,
) -> bool {
    sights.chunk_by(|a, b| a.rail == b.rail).any(|side| is_an_outer_edge(side, board, picture, options))
}

/// Whether the hue along a side changes where it would have to: shadows and gloss change the light along a rail, from one
/// place to the next and over millimetres, but hardly its hue.
fn hue_changes_there(side: &[RailSight], picture: &Picture, options: &OutlineOptions) -> bool {
    let is_telling = |sight: &&RailSight| {
        sight.rail_less_surface.norm() >= options.telling_rail_colour
            && options.side_off_mm * sight.px_per_mm >= options.blur_px
    };
    let asked: Vec<&RailSight> = side.iter().filter(is_telling).collect();
    let off_mm = |sight: &&RailSight| {
        // As far again as it may be off, so that a border which is farther away is found there.
        let search_px = 2.0 * options.side_off_mm * sight.px_per_mm;
        let off_px = sight.find(picture, search_px, options)?;
        Some((off_px / sight.px_per_mm).abs())
    };
    let found: Vec<f64> = asked.iter().filter_map(off_mm).collect();
    found.len() >= options.rail_colour_places
        && 2 * found.len() > asked.len()
        && median(found.into_iter()) <= options.side_off_mm
}

/// Distance between two places where a side is looked for, mm.
const SIDE_STEP_MM: f64 = 0.5;

/// How much the rails' colours differ from the surface's, as shares of what the board file says: about 1 on the right
/// board.
#[derive(Debug, Clone, Copy)]
pub(super) struct RailColours {
    /// Of all rails together.
    pub usual: f64,
    /// Of the rail that differs least: one side alone may have been taken for its rail's outer edge.
    pub least: f64,
}

/// `None` where too few places tell.
pub(super) fn rail_colours(
    sights: &[RailSight],
    picture: &Picture,
    options: &OutlineOptions,
) -> Option<RailColours> {
    let beside_px = options.blur_px + options.side_px / 2.0;
    let shares: Vec<(usize, f64)> = sights
        .iter()
        .filter(|sight| sight.rail_less_surface.norm() >= options.telling_rail_colour)
        .filter_map(|sight| {
            let seen = sight.difference(picture, beside_px, options)?;
            Some((sight.rail, share_of(&seen, &sight.rail_less_surface)))
        })
        .collect();
    let usual_of = |shares: &[(usize, f64)]| {
        let is_enough = shares.len() >= options.rail_colour_places.max(1);
        is_enough.then(|| median(shares.iter().map(|(_, share)| *share)))
    };
    let usual = usual_of(&shares)?;
    let each = shares.chunk_by(|a, b| a.0 == b.0).filter_map(usual_of);
    Some(RailColours { usual, least: each.fold(usual, f64::min) })
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::{super::outline::rail_sights, *};

    #[test]
    fn a_side_that_is_the_rails_outer_edge_is_told_by_its_colour() {
        let photo = std::path::Path::new(env!("CARGO_MANIFEST_DIR"))
            .join("fixtures/photos/longboard-overhead/001.jpg");
        let truth = crate::evaluate::Truth::load(&photo.with_extension("json")).unwrap();
        let mut board = Board::named_or_at(&truth.board).unwrap();
        let picture = crate::capture::load_photo(&photo, &Default::default()).unwrap();
        let options = OutlineOptions::default();
        let least = |board: &Board| {
            let sights = rail_sights(board, &truth.camera(), &options);
            rail_colours(&sights, &picture, &options).unwrap().least
        };
        let is_outer = |board: &Board| {
            let sights = rail_sights(board, &truth.camera(), &options);
            is_on_an_outer_edge(&sights, board, &picture, &options)
        };
        assert!(least(&board) > options.least_used_rail_colour && !is_outer(&board));
        board.surface.width_mm += board.rails[0].width_mm;
        assert!(least(&board) < options.least_used_rail_colour && is_outer(&board));
    }
}
