//! Print that the template does not have: stars, arcs, words, lines of a maker's own.
//!
//! In: the rectified surface and the board as far as it is known. Out: regions that hold something printed. Two things tell
//! print from pieces, hands and pockets: it is thin, or it is repeated where the board repeats itself.

use image::{GrayImage, Luma};
use imageproc::{
    distance_transform::Norm,
    geometry::convex_hull,
    morphology,
    point::Point as Cell,
    region_labelling::{Connectivity, connected_components},
};

use super::{
    LearnOptions,
    discs::Disc,
    plane::{Plane, colour_of, median, median_colour},
};
use crate::{
    board::{Board, Print, PrintRegion},
    geometry::{Paint, Point, Polygon},
    outline::Lab,
};

const PRINTED: Luma<u8> = Luma([255]);
const BARE: Luma<u8> = Luma([0]);

/// Regions of print that no line, circle or pocket of `board` explains.
pub(super) fn extra_prints(
    plane: &Plane,
    board: &Board,
    wood: Lab,
    discs: &[Disc],
    options: &LearnOptions,
) -> Vec<Print> {
    let thin = thin_print(plane, board, wood, options);
    let (columns, rows) = plane.size();
    let is_free = |p: Point| {
        !discs.iter().any(|disc| (p - disc.centre).norm() < 0.75 * disc.diameter_mm)
            && !is_explained(board, p, options)
    };
    let mask = GrayImage::from_fn(columns as u32, rows as u32, |x, y| {
        let (at, _) = plane.cell(x as usize, y as usize);
        if *thin.get_pixel(x, y) == PRINTED && is_free(at) { PRINTED } else { BARE }
    });
    let bridge = ((options.print_gap_mm / plane.cell_mm).round() as u8).clamp(1, 30);
    let joined = morphology::close(&mask, Norm::L2, bridge);
    let labels = connected_components(&joined, Connectivity::Eight, BARE);
    let mut parts: std::collections::BTreeMap<u32, Vec<Cell<i32>>> = std::collections::BTreeMap::new();
    for (x, y, label) in labels.enumerate_pixels().filter(|(.., label)| label.0[0] != 0) {
        if *mask.get_pixel(x, y) == PRINTED {
            parts.entry(label.0[0]).or_default().push(Cell::new(x as i32, y as i32));
        }
    }
    let least = (options.least_print_mm2 / plane.cell_mm.powi(2)).max(6.0) as usize;
    let mut found: Vec<(usize, Print)> = parts
        .into_values()
        .filter(|cells| cells.len() >= least)
        .filter_map(|cells| Some((cells.len(), print_of(plane, board, &cells, options)?)))
        .collect();
    found.sort_by_key(|(size, _)| std::cmp::Reverse(*size));
    let prints = found.into_iter().take(options.most_prints).enumerate();
    prints.map(|(i, (_, print))| Print { name: format!("print-{}", i + 1), ..print }).collect()
}

/// What differs from the wood and is thinner than any piece.
fn thin_print(plane: &Plane, board: &Board, wood: Lab, options: &LearnOptions) -> GrayImage {
    let (columns, rows) = plane.size();
    let local = plane.usual_nearby(options.usual_mm);
    let far = |x: usize, y: usize| {
        let usual = local.get(x, y).unwrap_or(wood);
        plane.cell(x, y).1.map(|colour| f64::from((colour - usual).norm()))
    };
    // What grain, wear and noise show by themselves is no print.
    let every = (columns / 300).max(1);
    let places = (0..rows).step_by(every).flat_map(|y| (0..columns).step_by(every).map(move |x| (x, y)));
    let noise = median(places.filter_map(|(x, y)| far(x, y))).unwrap_or(0.0);
    let least = f64::from(options.least_print).max(options.print_noises * noise);
    let differs = |x: u32, y: u32| {
        if far(x as usize, y as usize).is_some_and(|far| far > least) { PRINTED } else { BARE }
    };
    let all = GrayImage::from_fn(columns as u32, rows as u32, differs);
    let smallest_mm = board.pieces.iter().map(|kind| kind.diameter_mm).fold(f64::INFINITY, f64::min);
    let thick = ((0.25 * smallest_mm / plane.cell_mm).round() as u8).clamp(2, 60);
    let solid = morphology::dilate(&morphology::open(&all, Norm::L2, thick), Norm::L2, thick / 2);
    GrayImage::from_fn(columns as u32, rows as u32, |x, y| {
        if *all.get_pixel(x, y) == PRINTED && *solid.get_pixel(x, y) == BARE { PRINTED } else { BARE }
    })
}

/// Whether what the board has is printed there, a pocket lies there, or the surface ends.
fn is_explained(board: &Board, p: Point, options: &LearnOptions) -> bool {
    let margin_mm = options.line_gaps_mm[0];
    let (w, l) = (board.surface.width_mm, board.surface.length_mm);
    let edge_mm = p.x.min(p.y).min(w - p.x).min(l - p.y);
    let covers = |paint: &Paint| match *paint {
        Paint::Ring { centre, radius_mm, .. } => {
            (p - centre).norm() < radius_mm + margin_mm && radius_mm < 0.05 * w
                || paint.signed_distance_mm(p) < margin_mm
        }
        _ => paint.signed_distance_mm(p) < margin_mm,
    };
    edge_mm < options.edge_mm
        || board.lines.iter().any(|line| covers(&line.paint))
        || board.prints.iter().any(|print| print.region.signed_distance_mm(p) < margin_mm)
        || board.pockets.iter().any(|pocket| (p - pocket.centre).norm() < 1.25 * pocket.radius_mm)
}

fn print_of(plane: &Plane, board: &Board, cells: &[Cell<i32>], options: &LearnOptions) -> Option<Print> {
    let colours: Vec<Lab> =
        cells.iter().filter_map(|cell| plane.cell(cell.x as usize, cell.y as usize).1).collect();
    let colour = colour_of(median_colour(&colours)?);
    let hull = convex_hull(cells);
    let middle =
        hull.iter().fold((0.0, 0.0), |sum, cell| (sum.0 + f64::from(cell.x), sum.1 + f64::from(cell.y)));
    let middle = (middle.0 / hull.len() as f64, middle.1 / hull.len() as f64);
    let (w, l) = (board.surface.width_mm, board.surface.length_mm);
    let outline: Vec<Point> = thinned(&hull)
        .iter()
        .map(|cell| {
            let (at, _) = plane.cell(cell.x as usize, cell.y as usize);
            let out = nalgebra::Vector2::new(f64::from(cell.x) - middle.0, f64::from(cell.y) - middle.1);
            let p = at + out.try_normalize(1e-9).unwrap_or_default() * options.print_margin_mm;
            Point::new(p.x.clamp(0.0, w), p.y.clamp(0.0, l))
        })
        .collect();
    let polygon = Polygon::new(outline);
    (polygon.vertices().len() >= 3 && polygon.area_mm2() > 1.0).then(|| Print {
        name: String::new(),
        region: PrintRegion::Polygon(polygon),
        colours: vec![colour],
        optional: true,
    })
}

/// A hull of many corners, as one of a few.
fn thinned(hull: &[Cell<i32>]) -> Vec<Cell<i32>> {
    const MOST: usize = 12;
    let every = hull.len().div_ceil(MOST).max(1);
    hull.iter().step_by(every).copied().collect()
}
