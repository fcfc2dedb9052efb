//! Rulers along the board: where everything painted is, measured from the near left corner.

use super::plan::RailWidths;
use super::{ACCENT, DARK, FAINT, View, measure, size};
use crate::board::{Board, End};
use crate::draw::{Align, Style, Svg, TextStyle};
use crate::geometry::Paint;

/// Places nearer together than this are one mark on the ruler.
const SAME_MM: f64 = 0.05;
/// Between the board's edge and the labels, for the lines that lead to them.
const LEAD: f64 = 40.0;
/// Least distance between two labels.
const LABEL_STEP: f64 = 14.5;

pub(super) fn draw(svg: &mut Svg, board: &Board, view: &View, rails: &RailWidths) {
    let (width, length) = (board.surface.width_mm, board.surface.length_mm);
    along_length(svg, board, view, rails, &marks(board, |p| p[1], length));
    along_width(svg, board, view, rails, &marks(board, |p| p[0], width));
}

/// Where paint begins or ends along one axis, in ascending order, with both edges of the surface.
fn marks(board: &Board, axis: fn([f64; 2]) -> f64, size_mm: f64) -> Vec<f64> {
    let mut places = vec![0.0, size_mm];
    for line in &board.lines {
        match line.paint {
            Paint::Stroke { from, to, .. } => places.extend([axis([from.x, from.y]), axis([to.x, to.y])]),
            Paint::Ring { centre, .. } | Paint::Arc { centre, .. } | Paint::Spot { centre, .. } => {
                places.push(axis([centre.x, centre.y]));
            }
        }
    }
    places.extend(board.pockets.iter().map(|p| axis([p.centre.x, p.centre.y])));
    places.sort_by(f64::total_cmp);
    places.dedup_by(|a, b| (*a - *b).abs() < SAME_MM);
    places
}

fn along_length(svg: &mut Svg, board: &Board, view: &View, rails: &RailWidths, marks: &[f64]) {
    let length = board.surface.length_mm;
    let edge = view.left - rails.left;
    let places: Vec<_> = marks.iter().map(|y| view.at(crate::geometry::Point::new(0.0, *y))[1]).collect();
    // Down the sheet the board's y falls, so the labels are spread from the far end on.
    let downward: Vec<_> = places.iter().rev().copied().collect();
    let labels = spread(&downward, LABEL_STEP);
    for ((mm, place), label) in marks.iter().rev().zip(&downward).zip(&labels) {
        tick(svg, [[edge - 4.0, *place], [edge - 12.0, *place], [edge - LEAD + 6.0, *label]]);
        let whole = *mm == 0.0 || *mm == length;
        let style = TextStyle::new(size::SMALL).ink(if whole { ACCENT } else { DARK }).align(Align::End);
        let at = [edge - LEAD, *label + 4.0];
        svg.text(at, &measure(*mm), &if whole { style.clone().bold() } else { style.clone() });
        if board.is_two_ended() && *mm > length / 2.0 && !whole {
            let text = format!("({})", measure(length - *mm));
            svg.text([at[0] - 42.0, at[1]], &text, &style.ink(FAINT));
        }
    }
    let axis = [edge - LEAD - 92.0, view.top + view.scale.surface_px[1] / 2.0];
    let words =
        if board.is_two_ended() { "y from the near end (from the far end)" } else { "y from the near side" };
    let style = TextStyle::new(size::SMALL).ink(FAINT).align(Align::Middle).turned(-90.0);
    svg.text([axis[0].max(14.0), axis[1]], words, &style);
}

fn along_width(svg: &mut Svg, board: &Board, view: &View, rails: &RailWidths, marks: &[f64]) {
    let edge = view.top + view.scale.surface_px[1] + rails.near;
    let places: Vec<_> = marks.iter().map(|x| view.at(crate::geometry::Point::new(*x, 0.0))[0]).collect();
    let labels = spread(&places, LABEL_STEP);
    let last = marks.len().saturating_sub(1);
    for (i, ((mm, place), label)) in marks.iter().zip(&places).zip(&labels).enumerate() {
        tick(svg, [[*place, edge + 4.0], [*place, edge + 12.0], [*label, edge + LEAD - 6.0]]);
        let whole = i == 0 || i == last;
        let style = TextStyle::new(size::SMALL)
            .ink(if whole { ACCENT } else { DARK })
            .align(Align::End)
            .turned(-90.0);
        let at = [*label + 4.0, edge + LEAD];
        svg.text(at, &measure(*mm), &if whole { style.bold() } else { style });
    }
    let middle = view.left + view.scale.surface_px[0] / 2.0;
    let style = TextStyle::new(size::SMALL).ink(FAINT).align(Align::Middle);
    let unseen = if board.surface.unseen == Some(End::Near) { ", not seen yet" } else { "" };
    let words = format!("near end{unseen}  ·  x from the left, as the first player sees it");
    svg.text([middle, edge + LEAD + 56.0], &words, &style);
}

fn tick(svg: &mut Svg, points: [[f64; 2]; 3]) {
    svg.polyline(&points, &Style::stroked(FAINT, 0.8));
}

/// Moves ascending positions apart to at least `step`, each as little as it must.
fn spread(wanted: &[f64], step: f64) -> Vec<f64> {
    // Groups of labels that touch; each lies around the mean of what its members want.
    let mut groups: Vec<(f64, usize)> = Vec::new();
    for &place in wanted {
        let mut group = (place, 1);
        while let Some(&(centre, count)) = groups.last() {
            let room = step * (count + group.1) as f64 / 2.0;
            if group.0 - centre >= room {
                break;
            }
            groups.pop();
            let both = (count + group.1) as f64;
            // The mean of two touching groups, each weighed by its labels.
            group = ((centre * count as f64 + group.0 * group.1 as f64) / both, count + group.1);
        }
        groups.push(group);
    }
    groups
        .into_iter()
        .flat_map(|(centre, count)| {
            (0..count).map(move |i| centre + step * (i as f64 - (count as f64 - 1.0) / 2.0))
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_are_spread_in_order_and_never_closer_than_the_step() {
        let wanted = [0.0, 1.0, 2.0, 50.0, 51.0, 90.0, 90.5, 91.0, 200.0];
        let spread = spread(&wanted, 10.0);
        assert_eq!(spread.len(), wanted.len());
        for pair in spread.windows(2) {
            assert!(pair[1] - pair[0] >= 10.0 - 1e-9, "{spread:?}");
        }
        assert_eq!(spread[8], 200.0);
        assert_eq!(spread[3], 45.5);
    }

    #[test]
    fn marks_are_found_once_each() {
        let board = Board::named_or_at("carrom-long-board").unwrap();
        let marks = marks(&board, |p| p[1], 1830.0);
        assert_eq!(marks, [0.0, 100.0, 200.0, 500.0, 1330.0, 1630.0, 1730.0, 1830.0]);
    }
}
