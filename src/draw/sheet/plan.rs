//! The board itself, seen from above.

use super::legend::Legend;
use super::{BADGE_RADIUS, DARK, FAINT, View, badge, size};
use crate::board::{Board, BoardSide, End, EndKind, Line, Numeral, Print, PrintRegion};
use crate::draw::{Align, Ink, Style, Svg, TextStyle, text_width};
use crate::geometry::{Paint, Point, Polygon};

const POCKET: Ink = Ink::rgb(24, 22, 20);
/// Colours that tell neighbouring areas apart; laid thinly over the wood.
const TINTS: [Ink; 6] = [
    Ink::rgb(46, 134, 171),
    Ink::rgb(107, 153, 62),
    Ink::rgb(204, 150, 32),
    Ink::rgb(140, 84, 160),
    Ink::rgb(32, 148, 132),
    Ink::rgb(190, 80, 60),
];
const TINT_ALPHA: f64 = 0.16;
/// How strongly print is drawn that may be missing, and print whose shape is not known.
const OPTIONAL_ALPHA: f64 = 0.4;
const UNDESCRIBED_ALPHA: f64 = 0.12;
/// Neighbouring rails overlap by this, so that no paper shows between them.
const SEAM: f64 = 0.5;
/// Cap height of the font as a share of its size.
const CAP_HEIGHT: f64 = 0.73;

/// How wide what lies beyond each side is drawn: its rail or gutter.
pub(super) struct RailWidths {
    pub(super) near: f64,
    pub(super) right: f64,
    pub(super) far: f64,
    pub(super) left: f64,
}

pub(super) fn rail_widths_px(board: &Board, px_per_mm: f64) -> RailWidths {
    let of = |side: BoardSide| {
        let rails = board.rails.iter().filter(|rail| rail.side == side).map(|rail| rail.width_mm);
        let gutters = board.gutters.iter().filter(|g| g.side == side).map(|gutter| gutter.width_mm);
        rails.chain(gutters).sum::<f64>() * px_per_mm
    };
    RailWidths {
        near: of(BoardSide::Near),
        right: of(BoardSide::Right),
        far: of(BoardSide::Far),
        left: of(BoardSide::Left),
    }
}

pub(super) fn draw(svg: &mut Svg, board: &Board, view: &View, legend: &Legend) {
    sides(svg, board, view);
    let corners = board.corners().map(|p| view.at(p));
    svg.polygon(&corners, &Style::filled(board.surface.colour.into()));
    let mut names: Vec<&str> = Vec::new();
    for area in &board.areas {
        // An area has one tint at both ends.
        let index = names.iter().position(|name| *name == area.name).unwrap_or_else(|| {
            names.push(&area.name);
            names.len() - 1
        });
        let tint = TINTS[index % TINTS.len()];
        let outline: Vec<_> = area.polygon.vertices().iter().map(|p| view.at(*p)).collect();
        svg.polygon(&outline, &Style::filled(tint.alpha(TINT_ALPHA)));
    }
    for print in &board.prints {
        undescribed(svg, print, view);
    }
    for numeral in &board.numerals {
        printed(svg, numeral, view);
    }
    svg.clipped(&corners, |svg| {
        for line in &board.lines {
            paint(svg, line, view);
        }
    });
    for pocket in &board.pockets {
        svg.circle(view.at(pocket.centre), view.px(pocket.radius_mm), &Style::filled(POCKET));
    }
    for tag in &board.tags {
        tag_outline(svg, tag, view);
    }
    ends(svg, board, view);
    labels(svg, board, view, legend);
}

fn sides(svg: &mut Svg, board: &Board, view: &View) {
    let widths = rail_widths_px(board, view.scale.px_per_mm);
    let [width, length] = view.scale.surface_px;
    let rails = board.rails.iter().map(|rail| (rail.side, rail.width_mm, rail.colour));
    let gutters = board.gutters.iter().map(|gutter| (gutter.side, gutter.width_mm, gutter.colour));
    for (side, width_mm, colour) in rails.chain(gutters) {
        let thickness = view.px(width_mm);
        // Long ones reach round the corners of a frame.
        let whole = length + widths.far + widths.near;
        let (corner, size) = match side {
            BoardSide::Near => ([view.left - SEAM, view.top + length], [width + 2.0 * SEAM, thickness]),
            BoardSide::Far => ([view.left - SEAM, view.top - thickness], [width + 2.0 * SEAM, thickness]),
            BoardSide::Left => ([view.left - thickness, view.top - widths.far], [thickness, whole]),
            BoardSide::Right => ([view.left + width, view.top - widths.far], [thickness, whole]),
        };
        svg.rectangle(corner, size, &Style::filled(colour.into()));
    }
    for gutter in &board.gutters {
        sunken_edge(svg, board, gutter.side, view);
    }
}

/// The shade under the surface's edge, so that a gutter looks lower than it.
fn sunken_edge(svg: &mut Svg, board: &Board, side: BoardSide, view: &View) {
    const SHADE_PX: f64 = 7.0;
    let [near_left, near_right, far_right, far_left] = board.corners().map(|p| view.at(p));
    let (from, to) = match side {
        BoardSide::Near => (near_left, near_right),
        BoardSide::Right => (near_right, far_right),
        BoardSide::Far => (far_right, far_left),
        BoardSide::Left => (far_left, near_left),
    };
    svg.line(from, to, &Style::stroked(Ink::BLACK.alpha(0.35), 2.0 * SHADE_PX));
}

/// A region of print whose shape no file describes: hatched by its colours, dashed around.
fn undescribed(svg: &mut Svg, print: &Print, view: &View) {
    let first = print.colours.first().map_or(FAINT, |colour| Ink::from(*colour));
    let style =
        Style::stroked(first.alpha(0.7), 1.2).dashed(&[4.0, 4.0]).with_fill(first.alpha(UNDESCRIBED_ALPHA));
    let middle = match &print.region {
        PrintRegion::Disc { centre, radius_mm } => {
            svg.circle(view.at(*centre), view.px(*radius_mm), &style);
            // Below the middle, which has marks of its own.
            view.at(Point::new(centre.x, centre.y - 0.6 * radius_mm))
        }
        PrintRegion::Polygon(polygon) => {
            let corners: Vec<_> = polygon.vertices().iter().map(|p| view.at(*p)).collect();
            svg.polygon(&corners, &style);
            let (low, high) = print.region.bounds(0.0);
            view.at(nalgebra::center(&low, &high))
        }
    };
    let words = TextStyle::new(size::SMALL).ink(first.mixed(DARK, 0.4)).align(Align::Middle);
    svg.text([middle[0], middle[1] + 4.0], &print.name, &words);
}

fn paint(svg: &mut Svg, line: &Line, view: &View) {
    let ink: Ink = Ink::from(line.colour).alpha(if line.optional { OPTIONAL_ALPHA } else { 1.0 });
    match line.paint {
        Paint::Stroke { from, to, width_mm } => {
            svg.line(view.at(from), view.at(to), &Style::stroked(ink, view.px(width_mm)));
        }
        Paint::Ring { centre, radius_mm, width_mm } => {
            let style = Style::stroked(ink, view.px(width_mm));
            let style = line.fill.map_or(style.clone(), |fill| {
                style.with_fill(Ink::from(fill).alpha(if line.optional { OPTIONAL_ALPHA } else { 1.0 }))
            });
            svg.circle(view.at(centre), view.px(radius_mm), &style);
        }
        Paint::Arc { centre, radius_mm, width_mm, start_rad, sweep_rad } => {
            const STEPS: u32 = 48;
            let points: Vec<_> = (0..=STEPS)
                .map(|i| {
                    let angle = start_rad + sweep_rad * f64::from(i) / f64::from(STEPS);
                    view.at(Point::new(
                        centre.x + radius_mm * angle.cos(),
                        centre.y + radius_mm * angle.sin(),
                    ))
                })
                .collect();
            svg.polyline(&points, &Style::stroked(ink, view.px(width_mm)));
        }
        Paint::Spot { centre, radius_mm } => {
            svg.circle(view.at(centre), view.px(radius_mm), &Style::filled(ink));
        }
    }
}

fn printed(svg: &mut Svg, numeral: &Numeral, view: &View) {
    let height = view.px(numeral.height_mm);
    let [x, y] = view.at(numeral.centre);
    // The text turns about its baseline's middle, half a letter below its centre.
    let turn = (-numeral.angle_deg).to_radians();
    let (down_x, down_y) = (-turn.sin() * height / 2.0, turn.cos() * height / 2.0);
    let ink = Ink::from(numeral.colour).alpha(if numeral.optional { 0.3 } else { 0.55 });
    let style =
        TextStyle::new(height / CAP_HEIGHT).ink(ink).align(Align::Middle).turned(-numeral.angle_deg).bold();
    svg.text([x + down_x, y + down_y], &numeral.text, &style);
}

fn tag_outline(svg: &mut Svg, tag: &crate::board::Tag, view: &View) {
    let (half, turn) = (tag.size_mm / 2.0, tag.angle_deg.to_radians());
    let corners = [[-half, -half], [half, -half], [half, half], [-half, half]].map(|[x, y]| {
        let (sin, cos) = turn.sin_cos();
        view.at(Point::new(tag.centre.x + x * cos - y * sin, tag.centre.y + x * sin + y * cos))
    });
    svg.polygon(&corners, &Style::stroked(DARK, 1.5).with_fill(Ink::WHITE));
    let style = TextStyle::new(size::SMALL).ink(DARK).align(Align::Middle);
    let [x, y] = view.at(tag.centre);
    svg.text([x, y + 4.0], &tag.id.to_string(), &style);
}

/// What lies beyond the two ends, and which is which.
fn ends(svg: &mut Svg, board: &Board, view: &View) {
    let [width, length] = view.scale.surface_px;
    let open = board.surface.ends != EndKind::Frame;
    for y in [view.top, view.top + length] {
        if open {
            let style = Style::stroked(FAINT, 1.2).dashed(&[6.0, 5.0]);
            svg.line([view.left, y], [view.left + width, y], &style);
        }
    }
    let kind = match board.surface.ends {
        EndKind::Open => ", open",
        EndKind::Gutter => ", gutter beyond",
        EndKind::Frame => "",
    };
    let unseen = |end: End| if board.surface.unseen == Some(end) { ", not seen yet" } else { "" };
    let widths = rail_widths_px(board, view.scale.px_per_mm);
    let style = TextStyle::new(size::SMALL).ink(FAINT).align(Align::Middle);
    let middle = view.left + width / 2.0;
    svg.text([middle, view.top - widths.far - 8.0], &format!("far end{kind}{}", unseen(End::Far)), &style);
}

/// A circle on the sheet that a label must keep clear of.
struct Obstacle {
    centre: [f64; 2],
    radius: f64,
}

fn labels(svg: &mut Svg, board: &Board, view: &View, legend: &Legend) {
    let mut obstacles: Vec<Obstacle> = board
        .numerals
        .iter()
        .map(|numeral| {
            let height = view.px(numeral.height_mm);
            let width = text_width(&numeral.text, height / CAP_HEIGHT, true);
            Obstacle { centre: view.at(numeral.centre), radius: height.max(width) / 2.0 }
        })
        .collect();
    for line in &board.lines {
        let Some(number) = legend.number_of(&line.name) else { continue };
        let place = freest(badge_places(&line.paint, view), &obstacles);
        badge(svg, place, number);
        obstacles.push(Obstacle { centre: place, radius: BADGE_RADIUS });
    }
    for area in &board.areas {
        let place = inside(&area.polygon, view, &obstacles);
        let halo = Ink::from(board.surface.colour).alpha(0.8);
        let style = TextStyle::new(size::SMALL).ink(DARK).align(Align::Middle).halo(halo, 2.5);
        svg.text([place[0], place[1] - 1.0], &area.name, &style.clone().bold());
        let value = format!("{:+}", area.value).replace('-', "−");
        svg.text([place[0], place[1] + size::SMALL], &value, &style);
        obstacles.push(Obstacle { centre: place, radius: 2.0 * size::SMALL });
    }
}

/// Where a line's number may stand.
fn badge_places(paint: &Paint, view: &View) -> Vec<[f64; 2]> {
    const ALONG: [f64; 9] = [0.5, 0.4, 0.6, 0.3, 0.7, 0.2, 0.8, 0.1, 0.9];
    /// Rings smaller than this carry their number beside them.
    const WIDE_RING_PX: f64 = 30.0;
    match *paint {
        Paint::Stroke { from, to, .. } => ALONG.iter().map(|t| view.at(from + (to - from) * *t)).collect(),
        Paint::Ring { centre, radius_mm, .. }
        | Paint::Spot { centre, radius_mm }
        | Paint::Arc { centre, radius_mm, .. } => {
            let [x, y] = view.at(centre);
            let radius = view.px(radius_mm);
            let reach = if radius > WIDE_RING_PX { radius } else { radius + BADGE_RADIUS + 3.0 };
            (0..8)
                .map(|i| std::f64::consts::FRAC_PI_4 * (f64::from(i) + 0.5))
                .map(|angle| [x + reach * angle.cos(), y - reach * angle.sin()])
                .collect()
        }
    }
}

fn clearance(place: [f64; 2], obstacles: &[Obstacle]) -> f64 {
    obstacles
        .iter()
        .map(|o| (o.centre[0] - place[0]).hypot(o.centre[1] - place[1]) - o.radius)
        .fold(f64::INFINITY, f64::min)
}

/// The first of the places that has room, else the one with the most.
fn freest(places: Vec<[f64; 2]>, obstacles: &[Obstacle]) -> [f64; 2] {
    let enough = BADGE_RADIUS + 4.0;
    let best = places.iter().copied().max_by(|a, b| {
        let room = |p: [f64; 2]| clearance(p, obstacles).min(enough);
        // Among equals the earlier one, so that `max_by` does not take the last.
        room(*a).total_cmp(&room(*b)).then(std::cmp::Ordering::Greater)
    });
    best.unwrap_or_default()
}

/// The place within an area with the most room for its label.
fn inside(polygon: &Polygon, view: &View, obstacles: &[Obstacle]) -> [f64; 2] {
    const GRID: u32 = 24;
    let corners = polygon.vertices();
    let range = |of: fn(&Point) -> f64| {
        let values = corners.iter().map(of);
        (values.clone().fold(f64::INFINITY, f64::min), values.fold(f64::NEG_INFINITY, f64::max))
    };
    let ((left, right), (near, far)) = (range(|p| p.x), range(|p| p.y));
    let step = |from: f64, to: f64, i: u32| from + (to - from) * (f64::from(i) + 0.5) / f64::from(GRID);
    let mut best = (f64::NEG_INFINITY, Point::new((left + right) / 2.0, (near + far) / 2.0));
    for (i, j) in (0..GRID).flat_map(|i| (0..GRID).map(move |j| (i, j))) {
        let p = Point::new(step(left, right, i), step(near, far, j));
        let room = view.px(-polygon.signed_distance_mm(p)).min(clearance(view.at(p), obstacles));
        if room > best.0 {
            best = (room, p);
        }
    }
    view.at(best.1)
}
