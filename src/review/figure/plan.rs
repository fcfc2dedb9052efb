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
    for piece in plan.pieces.iter().filter(|piece| piece.marked) {
        circle(&mut svg, "marked", piece.centre, piece.radius_mm * scale + 1.4, "");
        let [x, y] = at(piece.centre);
        let below = y < height / 2.0;
        let reach =
            piece.radius_mm * scale + if below { 5.4 } else { -1.4 - piece.radius_mm * scale * 2.0 - 1.0 };
        let x = x.clamp(8.0, WIDTH - 8.0);
        let _ = write!(
            svg,
            "<text class=\"piece-name\" x=\"{}\" y=\"{}\">{}</text>",
            N(x),
            N((y + reach).clamp(3.2, height - 1.0)),
            text(&piece.name)
        );
    }
    svg + "</g></svg>"
}
