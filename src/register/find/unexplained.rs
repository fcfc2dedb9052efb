//! Painted lines on the surface that the board does not have.
//!
//! In: a polished camera and the picture's edges. Out: the share of the straight painted lines on
//! the surface that no mark explains. Another board with some lines in the right places is told
//! apart by its other lines.

use nalgebra::Vector2;

use super::{
    FindOptions,
    pattern::Pattern,
    probe::{Across, look_across},
    segments::Segment,
    small::SmallPicture,
};
use crate::{
    board::Board,
    camera::Camera,
    geometry::{Paint, Point, Polygon},
};

/// Paint that a board does not have, where it lies on the board.
#[derive(Debug, Clone, PartialEq)]
pub struct ForeignPaint {
    /// Least x and y, greatest x and y.
    pub bounds_mm: [f64; 4],
    /// Whether it lies in one small place, as a maker's mark or a figure does.
    pub is_patch: bool,
}

/// Print that reaches over less than this share of the surface's width and length is a patch.
const PATCH_SHARE: f64 = 0.5;

/// Where the paint lies that the board does not have.
pub(super) fn foreign_paint(
    small: &SmallPicture,
    segments: &[Segment],
    board: &Board,
    pattern: &Pattern,
    camera: &Camera,
    options: &FindOptions,
) -> Option<ForeignPaint> {
    let lines = sorted_lines(small, segments, board, pattern, camera, options);
    let ends = || lines.unexplained.iter().flat_map(|line| line.ends);
    let low = ends().reduce(|a, b| a.inf(&b))?;
    let high = ends().reduce(|a, b| a.sup(&b))?;
    let size = high - low;
    let is_patch =
        size.x < PATCH_SHARE * board.surface.width_mm && size.y < PATCH_SHARE * board.surface.length_mm;
    Some(ForeignPaint { bounds_mm: [low.x, low.y, high.x, high.y], is_patch })
}

pub(super) fn share(
    small: &SmallPicture,
    segments: &[Segment],
    board: &Board,
    pattern: &Pattern,
    camera: &Camera,
    options: &FindOptions,
) -> f64 {
    if pattern.stroke_width_mm == 0.0 {
        return 0.0;
    }
    let Lines { explained, unexplained } = sorted_lines(small, segments, board, pattern, camera, options);
    if explained.is_empty() {
        return if unexplained.is_empty() { 0.0 } else { 1.0 };
    }
    let total = |lines: &[PaintedLine]| lines.iter().fold(0.0, |sum, line| sum + line.length_px);
    let (explained, unexplained) = (total(&explained), total(&unexplained));
    unexplained / (explained + unexplained).max(1e-9)
}

/// A straight edge of a painted line on the surface.
struct PaintedLine {
    contrast: f64,
    length_px: f64,
    ends: [Point; 2],
}

struct Lines {
    explained: Vec<PaintedLine>,
    /// Those about as strong as the board's own.
    unexplained: Vec<PaintedLine>,
}

/// The straight painted lines on the surface, those that the board has and those that it has not.
fn sorted_lines(
    small: &SmallPicture,
    segments: &[Segment],
    board: &Board,
    pattern: &Pattern,
    camera: &Camera,
    options: &FindOptions,
) -> Lines {
    let surface = Polygon::new(board.corners().to_vec());
    let middle = camera.mm_per_px(pattern.centre).unwrap_or(1.0);
    let (mut explained, mut unexplained) = (Vec::new(), Vec::new());
    for segment in segments.iter().filter(|s| s.length() >= options.least_line_px) {
        let board_point = |p: Vector2<f64>| camera.board_from_image(p.x, p.y, 0.0);
        let (Some(from), Some(to)) = (board_point(segment.from), board_point(segment.to)) else { continue };
        let centre = nalgebra::center(&from, &to);
        let mm_per_px = camera.mm_per_px(centre).unwrap_or(middle);
        let tolerance_mm = options.explained_px * mm_per_px;
        let near = |p: Point| {
            board.lines.iter().any(|line| match line.paint {
                Paint::Spot { .. } => false,
                paint => paint.signed_distance_mm(p) < tolerance_mm,
            })
        };
        let in_print =
            |p: Point| board.prints.iter().any(|print| print.region.signed_distance_mm(p) < tolerance_mm);
        // A star or a maker's words may have any lines, or none.
        if in_print(from) && in_print(to) {
            continue;
        }
        let is_explained = near(from) && near(centre) && near(to);
        let inside = |p: Point| surface.signed_distance_mm(p) < -tolerance_mm;
        let is_inside = inside(from) && inside(to);
        if !is_explained && !is_inside {
            continue;
        }
        let width_px = pattern.stroke_width_mm / mm_per_px;
        let Some(contrast) = line_contrast(small, segment, width_px, pattern.strokes_are_dark, options)
        else {
            continue;
        };
        let list = if is_explained { &mut explained } else { &mut unexplained };
        list.push(PaintedLine { contrast, length_px: segment.length(), ends: [from, to] });
    }
    // Only lines about as strong as the board's own count: grain and joints are fainter.
    explained.sort_by(|a: &PaintedLine, b| a.contrast.total_cmp(&b.contrast));
    if let Some(typical) = explained.get(explained.len() / 2).map(|line| line.contrast) {
        unexplained.retain(|line: &PaintedLine| line.contrast >= options.strong_line_share * typical);
    }
    Lines { explained, unexplained }
}

/// How strongly an edge belongs to a painted line of about the given width; `None` if to none.
fn line_contrast(
    small: &SmallPicture,
    segment: &Segment,
    width_px: f64,
    dark: bool,
    options: &FindOptions,
) -> Option<f64> {
    let along = (segment.to - segment.from) / segment.length();
    let normal = Vector2::new(-along.y, along.x);
    // The edge lies on the line's border, half a width from its middle.
    let reach_px = width_px / 2.0 + 1.0;
    let mut strengths: Vec<f64> = (0..options.line_tests)
        .filter_map(|i| {
            let at =
                segment.from + (segment.to - segment.from) * ((i as f64 + 0.5) / options.line_tests as f64);
            look_across(small, at, normal, Across::Bar { width_px, dark }, reach_px, 1, options)
        })
        .map(|seen| seen.strength)
        .filter(|&strength| strength >= 1.0)
        .collect();
    if (strengths.len() as f64) < options.line_tests_share * options.line_tests as f64 {
        return None;
    }
    strengths.sort_by(f64::total_cmp);
    strengths.get(strengths.len() / 2).copied()
}
