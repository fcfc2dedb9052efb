//! What makers print: hub and star, arcs and arrow heads, words, logos, ornaments on the frame.
//!
//! What a board file can say becomes lines, arcs and numerals of the board; other shapes are drawn from
//! the table's dress, and the board gets a `[[prints]]` region that holds them.

use std::f64::consts::{FRAC_PI_2, FRAC_PI_4, TAU};

use crate::board::{Board, BoardSide, Colour, Line, LineRole, Numeral, Print as PrintPart, PrintRegion};
use crate::geometry::{Paint, Point, Polygon, Vector};

use super::super::dice::Dice;
use super::super::dress::{Dress, Print};
use super::super::lettering;
use super::super::scene::LookPart;

const RED: Colour = Colour([190, 44, 48]);
const INK: Colour = Colour([36, 33, 32]);
const CREAM: Colour = Colour([222, 210, 184]);
/// A hub is at most so large, its radius as a share of the width.
const HUB_SHARE: f64 = 0.04;
/// Words of letters that the lettering has.
const WORDS: [&str; 6] = ["CHAMPION", "PRECISION", "TITAN", "SUPREME", "MATCH ONE", "ORIGINAL"];

pub fn add(board: &mut Board, look: &mut LookPart, dress: &mut Dress, dice: &mut Dice) {
    board.prints.clear();
    if board.is_two_ended() {
        look.numerals = Some(!board.numerals.is_empty());
        if dice.chance(0.7) {
            logo(board, dress, dice);
        }
        return;
    }
    look.numerals = Some(true);
    if dice.chance(0.5) {
        moon_discs(board, dice);
    }
    centre(board, dress, dice);
    if !board.lines.iter().any(|line| matches!(line.paint, Paint::Arc { .. })) && dice.chance(0.7) {
        arcs(board, dress, dice);
    }
    if dice.chance(0.65) {
        words(board, dress, dice);
    }
    if dice.chance(0.4) {
        on_the_frame(board, dress, dice);
    }
}

fn hundredth(mm: f64) -> f64 {
    (mm * 100.0).round() / 100.0
}

fn middle(board: &Board) -> Point {
    Point::new(board.surface.width_mm / 2.0, board.surface.length_mm / 2.0)
}

fn decoration(name: String, paint: Paint, colour: Colour) -> Line {
    let role = LineRole::Decoration;
    Line { name, role, end: None, base: None, paint, colour, fill: None, optional: false, accuracy_mm: None }
}

/// Moons as a ring with a disc inside that does not reach it.
fn moon_discs(board: &mut Board, dice: &mut Dice) {
    let share = dice.between(0.72, 0.88);
    let mut discs = Vec::new();
    for line in board.lines.iter_mut().filter(|line| line.role == LineRole::Moon) {
        let (Some(fill), Paint::Ring { centre, radius_mm, .. }) = (line.fill.take(), line.paint) else {
            continue;
        };
        let spot = Paint::Spot { centre, radius_mm: hundredth(radius_mm * share) };
        discs.push(decoration(format!("disc-{}", line.name), spot, fill));
    }
    board.lines.extend(discs);
}

/// The circles about the board's middle, the smallest first.
fn central_rings(board: &Board) -> Vec<usize> {
    let middle = middle(board);
    let radius = |line: &Line| match line.paint {
        Paint::Ring { centre, radius_mm, .. } | Paint::Spot { centre, radius_mm } => {
            ((centre - middle).norm() < 2.0).then_some(radius_mm)
        }
        _ => None,
    };
    let mut rings: Vec<(usize, f64)> =
        board.lines.iter().enumerate().filter_map(|(i, line)| Some((i, radius(line)?))).collect();
    rings.sort_by(|a, b| a.1.total_cmp(&b.1));
    rings.into_iter().map(|ring| ring.0).collect()
}

/// A red hub, and in the outer circle a star of eight points, a mandala, or nothing.
fn centre(board: &mut Board, dress: &mut Dress, dice: &mut Dice) {
    let middle = middle(board);
    let rings = central_rings(board);
    let most_hub_mm = HUB_SHARE * board.surface.width_mm;
    let mut least = 0.5 * most_hub_mm;
    for index in &rings {
        let line = &mut board.lines[*index];
        match line.paint {
            Paint::Ring { radius_mm, .. } if radius_mm < most_hub_mm => {
                line.fill = dice.chance(0.75).then_some(RED);
                least = radius_mm;
            }
            Paint::Spot { radius_mm, .. } if radius_mm < most_hub_mm => line.colour = RED,
            _ => {}
        }
    }
    let Some(&outer) = rings.last() else { return };
    let Paint::Ring { radius_mm: most, width_mm, .. } = board.lines[outer].paint else { return };
    if most < 2.5 * least {
        return;
    }
    let most = most - width_mm;
    let drawn = match dice.between(0.0, 1.0) {
        pick if pick < 0.5 => star(middle, least, most),
        pick if pick < 0.75 => mandala(middle, least, most, dice),
        _ => return,
    };
    dress.prints.extend(drawn);
    board.prints.push(PrintPart {
        name: "star".to_owned(),
        region: PrintRegion::Disc { centre: middle, radius_mm: hundredth(most) },
        colours: vec![RED, INK],
        optional: true,
    });
}

fn at(middle: Point, radius: f64, angle: f64) -> Point {
    middle + Vector::new(angle.cos(), angle.sin()) * radius
}

/// Eight points, each half red and half black or outlined.
fn star(middle: Point, least: f64, most: f64) -> Vec<Print> {
    let mut prints = Vec::new();
    for i in 0..8 {
        let angle = f64::from(i) * FRAC_PI_4;
        let tip = at(middle, if i % 2 == 0 { most } else { 0.78 * most }, angle);
        let (left, right) = (
            at(middle, 1.25 * least, angle + FRAC_PI_4 / 2.0),
            at(middle, 1.25 * least, angle - FRAC_PI_4 / 2.0),
        );
        let root = at(middle, least, angle);
        prints.push(Print::filled(vec![tip, left, root], if i % 2 == 0 { INK } else { RED }));
        for (from, to) in [(tip, right), (right, root), (root, tip)] {
            prints.push(Print::paint(Paint::Stroke { from, to, width_mm: 1.0 }, INK));
        }
    }
    prints
}

/// Rings, spokes and small circles.
fn mandala(middle: Point, least: f64, most: f64, dice: &mut Dice) -> Vec<Print> {
    let width_mm = dice.between(1.5, 3.5);
    let count = [4, 6, 8][dice.index(3)];
    let inner = dice.between(0.45, 0.6) * most;
    let between = (inner + most) / 2.0;
    let mut prints = vec![
        Print::paint(Paint::Ring { centre: middle, radius_mm: inner, width_mm }, INK),
        Print::paint(Paint::Ring { centre: middle, radius_mm: 0.93 * most, width_mm: 1.5 }, INK),
    ];
    for i in 0..count {
        let angle = (f64::from(i) + 0.5) * TAU / f64::from(count);
        let (from, to) = (at(middle, 1.3 * least, angle), at(middle, inner, angle));
        prints.push(Print::paint(Paint::Stroke { from, to, width_mm }, INK));
        let centre = at(middle, between, angle + TAU / f64::from(count) / 2.0);
        let radius_mm = 0.16 * most;
        prints.push(Print::paint(Paint::Ring { centre, radius_mm, width_mm: 2.0 }, RED));
    }
    prints
}

/// Each diagonal's three-quarter arc about its arrow's inner end, and heads on arc and arrow.
fn arcs(board: &mut Board, dress: &mut Dress, dice: &mut Dice) {
    let middle = middle(board);
    let radius_mm = hundredth(31.75 * dice.between(0.8, 1.1));
    let width_mm = hundredth(dice.between(1.0, 2.0));
    let has_heads = dice.chance(0.8);
    let arrows: Vec<(String, Point, Point)> = board
        .lines
        .iter()
        .filter(|line| line.name.starts_with("arrow"))
        .filter_map(|line| match line.paint {
            Paint::Stroke { from, to, .. } => Some((line.name.clone(), from, to)),
            _ => None,
        })
        .collect();
    for (name, from, to) in arrows {
        let (inner, outer) =
            if (from - middle).norm() < (to - middle).norm() { (from, to) } else { (to, from) };
        let Some(inward) = (inner - outer).try_normalize(1e-9) else { continue };
        let centre = inner - inward * radius_mm;
        let centre = Point::new(hundredth(centre.x), hundredth(centre.y));
        let towards = inward.y.atan2(inward.x);
        // The gap of the three-quarter arc looks outward, to the corner.
        let start_rad = (towards + std::f64::consts::PI + FRAC_PI_4).rem_euclid(TAU);
        let start_rad = start_rad.to_degrees().round().to_radians();
        let sweep_rad = TAU - FRAC_PI_2;
        let paint = Paint::Arc { centre, radius_mm, width_mm, start_rad, sweep_rad };
        board.lines.push(decoration(name.replacen("arrow", "arc", 1), paint, INK));
        if has_heads {
            for (end, turn) in [(start_rad, -1.0), (start_rad + sweep_rad, 1.0)] {
                let along = Vector::new(-end.sin(), end.cos()) * turn;
                dress.prints.push(head(at(centre, radius_mm, end), along, 7.0));
            }
            dress.prints.push(head(outer, -inward, 9.0));
        }
    }
}

fn head(tip: Point, along: Vector, length: f64) -> Print {
    let across = Vector::new(-along.y, along.x) * (0.35 * length);
    let (tip, root) = (tip + along * (0.4 * length), tip - along * (0.6 * length));
    Print::filled(vec![tip, root + across, root - across], INK)
}

/// The maker's words beside two base lines that face each other, to be read from there.
fn words(board: &mut Board, dress: &mut Dress, dice: &mut Dice) {
    let sides = if dice.chance(0.5) {
        [BoardSide::Left, BoardSide::Right]
    } else {
        [BoardSide::Near, BoardSide::Far]
    };
    let colour = if dice.chance(0.5) { RED } else { INK };
    let height_mm = dice.between(9.0, 16.0);
    let outside = dice.chance(0.5);
    let along_share = dice.between(0.3, 0.7);
    for (index, side) in sides.into_iter().enumerate() {
        let depth = |line: &Line| match line.paint {
            Paint::Stroke { from, width_mm, .. } if line.base == Some(side) => Some(match side {
                BoardSide::Near => (from.y, width_mm),
                BoardSide::Far => (board.surface.length_mm - from.y, width_mm),
                BoardSide::Left => (from.x, width_mm),
                BoardSide::Right => (board.surface.width_mm - from.x, width_mm),
            }),
            _ => None,
        };
        let depths: Vec<(f64, f64)> = board.lines.iter().filter_map(depth).collect();
        let edges = depths.iter().map(|(at, width)| (at - width / 2.0, at + width / 2.0));
        let (least, most) = edges.fold((f64::INFINITY, 0.0_f64), |(l, m), (a, b)| (l.min(a), m.max(b)));
        let inward = if outside { least - 0.5 * height_mm - 6.0 } else { most + 0.5 * height_mm + 6.0 };
        let room = board.surface.width_mm / 2.0;
        if !(height_mm..room).contains(&inward) {
            continue;
        }
        let (w, l) = (board.surface.width_mm, board.surface.length_mm);
        let (centre, angle_deg) = match side {
            BoardSide::Near => (Point::new(w * along_share, inward), 0.0),
            BoardSide::Far => (Point::new(w * (1.0 - along_share), l - inward), 180.0),
            BoardSide::Left => (Point::new(inward, l * (1.0 - along_share)), 270.0),
            BoardSide::Right => (Point::new(w - inward, l * along_share), 90.0),
        };
        let text = WORDS[dice.index(WORDS.len())].to_owned();
        let drawn = Numeral { text, centre, height_mm, angle_deg, colour, optional: true };
        let corners = box_around(&drawn);
        dress.prints.extend(lettering::strokes(&drawn).into_iter().map(|paint| Print::paint(paint, colour)));
        board.prints.push(PrintPart {
            name: format!("words-{}", index + 1),
            region: PrintRegion::Polygon(Polygon::new(corners)),
            colours: vec![colour],
            optional: true,
        });
    }
}

/// The corners of a text's box, a little wider than the text.
fn box_around(text: &Numeral) -> Vec<Point> {
    let half_height = 0.6 * text.height_mm;
    let half_width = 0.5 * text.height_mm * 0.92 * text.text.chars().count() as f64 + 2.0;
    let (sin, cos) = text.angle_deg.to_radians().sin_cos();
    [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)]
        .map(|(x, y)| {
            let (x, y) = (x * half_width, y * half_height);
            Point::new(
                hundredth(text.centre.x + cos * x - sin * y),
                hundredth(text.centre.y + sin * x + cos * y),
            )
        })
        .to_vec()
}

/// An oval with the maker's name between the scoring lines and the middle of a long table.
fn logo(board: &mut Board, dress: &mut Dress, dice: &mut Dice) {
    let (width, length) = (board.surface.width_mm, board.surface.length_mm);
    let half_width = width * dice.between(0.14, 0.22);
    let half_height = 0.42 * half_width;
    let reach = super::super::view::region_of_play(board);
    let from_end = dice.between(0.7, 1.6) * width;
    let centre = Point::new(width / 2.0, (length - from_end).max(reach.from.y + width / 2.0));
    let colour = if dice.chance(0.7) { INK } else { RED };
    let oval = |share: f64, i: u32| {
        let angle = TAU * f64::from(i) / 48.0;
        let (sin, cos) = angle.sin_cos();
        centre + Vector::new(share * half_width * cos, share * half_height * sin)
    };
    for (share, width_mm) in [(0.97, 3.0), (0.88, 1.5)] {
        for i in 0..48 {
            let paint = Paint::Stroke { from: oval(share, i), to: oval(share, i + 1), width_mm };
            dress.prints.push(Print::paint(paint, colour));
        }
    }
    let text = WORDS[dice.index(WORDS.len())].to_owned();
    let height_mm = (1.5 * half_width / (0.92 * text.chars().count() as f64)).min(0.8 * half_height);
    let name = Numeral { text, centre, height_mm, angle_deg: 0.0, colour, optional: true };
    dress.prints.extend(lettering::strokes(&name).into_iter().map(|paint| Print::paint(paint, colour)));
    let corners = [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)]
        .map(|(x, y)| centre + Vector::new(x * half_width, y * half_height));
    board.prints.push(PrintPart {
        name: "logo".to_owned(),
        region: PrintRegion::Polygon(Polygon::new(corners.to_vec())),
        colours: vec![colour],
        optional: true,
    });
}

/// Bars or the maker's name on the four rails.
fn on_the_frame(board: &Board, dress: &mut Dress, dice: &mut Dice) {
    let Some(rail) = board.rails.first() else { return };
    let (w, l) = (board.surface.width_mm, board.surface.length_mm);
    let out = rail.width_mm / 2.0;
    let bars = dice.chance(0.5);
    let text = WORDS[dice.index(WORDS.len())].to_owned();
    let half = dice.between(0.2, 0.36) * w;
    let sides = [
        (Point::new(w / 2.0, -out), Vector::x(), 0.0),
        (Point::new(w + out, l / 2.0), Vector::y(), 90.0),
        (Point::new(w / 2.0, l + out), -Vector::x(), 180.0),
        (Point::new(-out, l / 2.0), -Vector::y(), 270.0),
    ];
    for (centre, along, angle_deg) in sides {
        if bars {
            let across = Vector::new(-along.y, along.x);
            for off in [-6.0, 0.0, 6.0] {
                let middle = centre + across * off;
                let (from, to) = (middle - along * half, middle + along * half);
                dress.frame_prints.push(Print::paint(Paint::Stroke { from, to, width_mm: 3.0 }, CREAM));
            }
        } else {
            let numeral = Numeral {
                text: text.clone(),
                centre,
                height_mm: 0.35 * rail.width_mm,
                angle_deg,
                colour: CREAM,
                optional: true,
            };
            let strokes = lettering::strokes(&numeral);
            dress.frame_prints.extend(strokes.into_iter().map(|paint| Print::paint(paint, CREAM)));
        }
    }
}
