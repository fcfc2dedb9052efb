//! Where the call is: on the whole photo, and on the board.

use std::fmt::Write;

use super::WIDTH;
use crate::review::{
    Plan, WholeView,
    markup::{N, path, text},
};

/// The photo with the place marked. Units are the photo's pixels.
pub(in crate::review) fn whole_view(view: &WholeView) -> String {
    let [width, height] = view.photo_size_px;
    let mark = path(view.mark.iter().copied());
    let stroke = f64::from(width.max(height)) / 260.0;
    format!(
        "<svg class=\"drawing whole\" viewBox=\"0 0 {width} {height}\" role=\"img\" aria-label=\"The whole photo\">\
         <image width=\"{width}\" height=\"{height}\" preserveAspectRatio=\"none\" href=\"{}\"/>\
         <path class=\"mark-halo\" stroke-width=\"{}\" d=\"{mark}Z\"/>\
         <path class=\"mark\" stroke-width=\"{}\" d=\"{mark}Z\"/></svg>",
        view.picture.data_uri(),
        N(stroke * 2.2),
        N(stroke),
    )
}

/// The board to scale with its pieces.
pub(in crate::review) fn plan(plan: &Plan) -> String {
    let [long, wide] = plan.size_mm;
    let scale = WIDTH / long.max(1.0);
    let height = wide * scale;
    let at = |p: [f64; 2]| p.map(|n| n * scale);
    let [one, two] = plan.surface.map(at);
    let (low, high) = ([one[0].min(two[0]), one[1].min(two[1])], [one[0].max(two[0]), one[1].max(two[1])]);
    let mut svg = format!(
        "<svg class=\"drawing plan\" viewBox=\"0 0 {} {}\" role=\"img\" aria-label=\"The pieces on the board\">\
         <clipPath id=\"board\"><rect width=\"{0}\" height=\"{1}\"/></clipPath>\
         <rect class=\"around\" width=\"{0}\" height=\"{1}\"/>\
         <rect class=\"board\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"/>\
         <g clip-path=\"url(#board)\"><path class=\"paint\" d=\"",
        N(WIDTH),
        N(height),
        N(low[0]),
        N(low[1]),
        N(high[0] - low[0]),
        N(high[1] - low[1]),
    );
    for outline in &plan.paint {
        svg += &path(outline.iter().map(|p| at(*p)));
        svg.push('Z');
    }
    svg += "\"/>";
    let circle = |svg: &mut String, class: &str, centre: [f64; 2], radius: f64, fill: &str| {
        let [x, y] = at(centre);
        let _ = write!(
            svg,
            "<circle class=\"{class}\"{fill} cx=\"{}\" cy=\"{}\" r=\"{}\"/>",
            N(x),
            N(y),
            N(radius)
        );
    };
    for pocket in &plan.pockets {
        circle(&mut svg, "pocket", pocket.centre, pocket.radius_mm * scale, "");
    }
    for piece in &plan.pieces {
        let [r, g, b] = piece.colour;
        let fill = format!(" fill=\"#{r:02x}{g:02x}{b:02x}\"");
        circle(&mut svg, "piece", piece.centre, piece.radius_mm * scale, &fill);
    }
    let marked = || plan.pieces.iter().filter(|piece| piece.marked);
    for piece in marked() {
        circle(&mut svg, "marked", piece.centre, piece.radius_mm * scale + 1.4, "");
    }
    let discs: Vec<([f64; 2], f64)> =
        plan.pieces.iter().map(|piece| (at(piece.centre), piece.radius_mm * scale)).collect();
    let mut names: Vec<Label> = Vec::new();
    for piece in marked() {
        let disc = (at(piece.centre), piece.radius_mm * scale + 1.4);
        let name = Label::beside(disc, &piece.name, [WIDTH, height], &discs, &names);
        let _ = write!(
            svg,
            "<text class=\"piece-name\" x=\"{}\" y=\"{}\">{}</text>",
            N(name.middle[0]),
            N(name.middle[1] + LETTER / 2.0),
            text(&piece.name)
        );
        names.push(name);
    }
    svg + "</g></svg>"
}

/// Height of a capital of a piece's name, and width of a letter, in drawing units.
const LETTER: f64 = 2.5;
const LETTER_WIDTH: f64 = 2.1;
/// Between a mark and its name.
const BESIDE: f64 = 0.8;

/// A piece's name on the plan.
struct Label {
    middle: [f64; 2],
    half: [f64; 2],
}

impl Label {
    /// Below or above a disc, toward the board's middle, or beside it: where it covers least.
    fn beside(
        (centre, radius): ([f64; 2], f64),
        name: &str,
        size: [f64; 2],
        discs: &[([f64; 2], f64)],
        names: &[Label],
    ) -> Label {
        let half = [name.chars().count() as f64 * LETTER_WIDTH / 2.0, LETTER / 2.0];
        let [away_x, away_y] = [radius + BESIDE + half[0], radius + BESIDE + half[1]];
        let inward = if centre[1] < size[1] / 2.0 { away_y } else { -away_y };
        let places = [[0.0, inward], [0.0, -inward], [away_x, 0.0], [-away_x, 0.0]];
        let label = |[dx, dy]: [f64; 2]| Label {
            middle: [
                (centre[0] + dx).clamp(half[0], (size[0] - half[0]).max(half[0])),
                (centre[1] + dy).clamp(half[1], (size[1] - half[1]).max(half[1])),
            ],
            half,
        };
        let covered = |label: &Label| {
            let names = names.iter().filter(|other| label.meets(other.middle, other.half)).count();
            let discs = discs.iter().filter(|(at, radius)| label.meets(*at, [*radius; 2])).count();
            2 * names + discs
        };
        let [first, rest @ ..] = places.map(label);
        rest.into_iter().fold(first, |best, next| if covered(&next) < covered(&best) { next } else { best })
    }

    fn meets(&self, middle: [f64; 2], half: [f64; 2]) -> bool {
        (0..2).all(|axis| (self.middle[axis] - middle[axis]).abs() < self.half[axis] + half[axis])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_neighbours_do_not_lie_on_each_other() {
        let discs = [([50.0, 10.0], 2.0), ([53.0, 13.0], 2.0)];
        let mut names = Vec::new();
        for (name, disc) in ["red 2", "blue 5"].into_iter().zip(discs) {
            let label = Label::beside(disc, name, [92.0, 40.0], &discs, &names);
            assert!(!names.iter().any(|other: &Label| label.meets(other.middle, other.half)));
            assert!(!discs.iter().any(|(at, radius)| label.meets(*at, [*radius; 2])));
            names.push(label);
        }
        let corner = Label::beside(([0.0, 0.0], 2.0), "striker 4", [92.0, 40.0], &[], &[]);
        assert!(corner.middle[0] >= corner.half[0] && corner.middle[1] >= corner.half[1]);
    }
}
