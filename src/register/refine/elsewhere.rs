//! Lines whose paint is seen, but beside the place that the board file gives them: said where a board is
//! refused, so that nobody is told that a line in plain view shows no paint.
//!
//! In: fitted cameras and lines that show no paint within the last search. Out: those with paint all along at
//! one distance, found by the first, widest search.

use nalgebra::{Point3, Vector2};

use super::{
    RefineOptions, View,
    fit::Observation,
    look::{OutlineUse, look},
    size_scale,
};
use crate::{board::Board, camera::Camera, register::LineElsewhere};

/// Share of the places along a line that must show paint at about one distance, and how far they may spread
/// about their median, as a share of the search.
const LEAST_SHARE: f64 = 0.5;
const MOST_SPREAD: f64 = 0.15;

pub(super) fn lines_elsewhere(
    views: &[View],
    board: &Board,
    cameras: &[Camera],
    lines: &[usize],
    options: &RefineOptions,
) -> Vec<LineElsewhere> {
    let Some(camera) = cameras.first() else { return Vec::new() };
    let widest_px = options.search_px.first().copied().unwrap_or(0.0) * size_scale(camera.image_size);
    let looked = look(views, board, cameras, widest_px, OutlineUse::Nothing, options);
    let of_line = |&line: &usize| {
        let seen = looked.found.iter().filter(|found| found.group == line);
        let mut off: Vec<(f64, f64)> = seen.filter_map(|found| off(found, cameras)).collect();
        off.sort_by(|a, b| a.0.total_cmp(&b.0));
        let (median_px, off_mm) = *off.get(off.len() / 2)?;
        let agree = off.iter().filter(|(px, _)| (px - median_px).abs() <= MOST_SPREAD * widest_px).count();
        let is_there = agree as f64 >= LEAST_SHARE * looked.in_view[line] as f64;
        is_there.then(|| LineElsewhere { line: board.lines[line].name.clone(), off_mm: off_mm.abs() })
    };
    lines.iter().filter_map(of_line).collect()
}

/// How far paint lies beside its expected place, in px and in mm, with the sign of the first edge to the
/// second.
fn off(found: &Observation, cameras: &[Camera]) -> Option<(f64, f64)> {
    let camera = &cameras[found.pose];
    let [a, b] = found.edges;
    let middle = Point3::from((a.coords + b.coords) / 2.0);
    let seen = camera.project(middle)?;
    let off_px = found.across.dot(&(found.seen - seen.pixel));
    let px_per_mm: Vector2<f64> = seen.by_point * found.normal;
    Some((off_px, off_px / px_per_mm.norm().max(1e-9)))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;
    use crate::{capture::load_photo, evaluate::Truth, geometry::Paint};

    /// Painted in plain view, but 5 mm beside its drawing: it is said to be there, and how far off.
    #[test]
    fn a_line_beside_its_place_is_seen_and_its_distance_told() {
        let path =
            std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/photos/court-overhead/003.jpg");
        let truth = Truth::load(&path.with_extension("json")).unwrap();
        let picture = load_photo(&path, &Default::default()).unwrap();
        let mut board = Board::named_or_at("carrom-court").unwrap();
        let is_far = |line: &crate::board::Line| line.end == Some(crate::board::End::Far);
        let index = board.lines.iter().position(|line| line.name == "cross-8" && is_far(line)).unwrap();
        if let Paint::Stroke { from, to, .. } = &mut board.lines[index].paint {
            (from.y, to.y) = (from.y + 5.0, to.y + 5.0);
        }
        let views = [View { picture: &picture, pose: 0 }];
        let found = lines_elsewhere(&views, &board, &[truth.camera()], &[index], &RefineOptions::default());
        assert_eq!(found.len(), 1);
        assert_eq!(found[0].line, "cross-8");
        assert!((found[0].off_mm - 5.0).abs() < 0.3, "{found:?}");
    }
}
