//! The sides of the surface as the picture shows them, whatever lies beyond: a frame of any colour, a gutter, the floor.
//!
//! In: a picture, a camera, a board whose sides are not described to the millimetre. Out: [`Observation`]s of its sides. A
//! side is where the colour changes most within reach; no colour is expected, so that none can be wrong.

use nalgebra::{Point3, Vector2, Vector3};

use super::{View, fit::Observation, stations::MAX_OFFSETS};
use crate::{
    board::{Board, BoardSide},
    camera::{Camera, Pixel},
    capture::{Picture, srgb},
    geometry::{Paint, Point},
};

crate::options::options! {
    /// How bare sides are looked for.
    #[derive(Debug, Clone, PartialEq)]
    pub struct SideOptions {
        /// A board that is known no better than this has its sides looked for so, mm (1). Rails that are described better
        /// are found better by their description.
        pub rough_from_mm: f64 = 1.0,
        /// How far a side may be looked for, as a share of the search for lines (0.5): an outline has the sides already.
        pub reach_share: f64 = 0.5,
        /// Distance of places along a side, px (10), and parallel profiles that are averaged there (5).
        pub spacing_px: f64 = 10.0,
        pub parallel_profiles: usize = 5,
        /// Length on either side of a step that is compared, px (4).
        pub side_px: f64 = 4.0,
        /// The least step, of 1 from black to white (0.03), and the least as a share of the usual one along the side (0.4).
        pub least_step: f64 = 0.03,
        pub least_share: f64 = 0.4,
        /// Share of a side at either end that is left out (0.04): corners are rounded and have pockets.
        pub end_share: f64 = 0.04,
    }
}

/// All four sides have groups, in this order.
pub(super) const SIDES: [BoardSide; 4] = [BoardSide::Near, BoardSide::Right, BoardSide::Far, BoardSide::Left];

/// A side shifts at either end.
pub(super) const SIDE_OFFSETS: usize = 2;
const _: () = assert!(SIDE_OFFSETS <= MAX_OFFSETS);

/// Whether the board's sides are looked for as the picture shows them.
pub(super) fn are_looked_for(board: &Board, options: &SideOptions) -> bool {
    board.accuracy_mm >= options.rough_from_mm || board.rails.is_empty() && !board.gutters.is_empty()
}

/// What was seen of the sides, and for each at how many places it was looked for and seen.
pub(super) struct SeenSides {
    pub found: Vec<Observation>,
    pub of_sides: [SideCount; SIDES.len()],
}

/// Places where a side was looked for, and where it was seen.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(super) struct SideCount {
    pub places: usize,
    pub seen: usize,
}

/// The side, left (0) or right (1), that a line runs to near a place on it, if that has no rail: there the paint ends with
/// the surface. The place is told by what the shifts of the line's two ends do to it.
pub(super) fn side_at_end(
    board: &Board,
    line: usize,
    [from_share, to_share, _]: [f64; MAX_OFFSETS],
) -> Option<usize> {
    let Paint::Stroke { from, to, .. } = board.lines.get(line)?.paint else { return None };
    if !board.rails.is_empty() {
        return None;
    }
    let end = if from_share > NEAR_END {
        from
    } else if to_share > NEAR_END {
        to
    } else {
        return None;
    };
    let from_sides_mm = [end.x, board.surface.width_mm - end.x];
    from_sides_mm.iter().position(|from_side_mm| *from_side_mm <= RUNS_TO_SIDE_MM)
}

/// Lines that end this close to a side by the board file run to it.
const RUNS_TO_SIDE_MM: f64 = 1.0;
/// What counts as near an end of a line: the last sixteenth of it.
const NEAR_END: f64 = 15.0 / 16.0;

/// Looks for all sides of the surface. Their groups are numbered from `first_group`, in the order of [`SIDES`].
pub(super) fn look_for_sides(
    view: &View,
    board: &Board,
    camera: &Camera,
    first_group: usize,
    search_px: f64,
    correlation_px: f64,
    options: &SideOptions,
) -> SeenSides {
    let mut all = SeenSides { found: Vec::new(), of_sides: Default::default() };
    let reach_px = (search_px * options.reach_share).max(2.0 * options.side_px);
    let stepped: Vec<(usize, SidePlace, Option<Step>)> = SIDES
        .into_iter()
        .enumerate()
        .filter(|(_, side)| !board.is_unseen(*side))
        .flat_map(|(index, side)| {
            let places = places_along(board, side, camera, options);
            places.into_iter().map(move |place| (index, place))
        })
        .map(|(index, place)| {
            let step = strongest_step(view.picture, place.pixel, place.across, reach_px, options);
            (index, place, step)
        })
        .collect();
    // All sides part the surface from what lies around it. Steps far smaller than theirs are grain.
    let mut sizes: Vec<f64> = stepped.iter().filter_map(|(.., step)| Some(step.as_ref()?.size)).collect();
    sizes.sort_by(f64::total_cmp);
    let usual = sizes.get(sizes.len() / 2).copied().unwrap_or(0.0);
    let least = options.least_step.max(options.least_share * usual);
    for (index, place, step) in &stepped {
        // A place too near to the picture's border tells nothing either way.
        let Some(step) = step else { continue };
        all.of_sides[*index].places += 1;
        if step.size < least {
            continue;
        }
        all.of_sides[*index].seen += 1;
        all.found.push(Observation {
            pose: view.pose,
            edges: [place.at; 2],
            seen: place.pixel + place.across * step.offset_px,
            across: place.across,
            group: first_group + index,
            normal: place.outward,
            offset_basis: [1.0 - place.share, place.share, 0.0],
            share: (options.spacing_px / correlation_px).min(1.0),
        });
    }
    all
}

/// A place on a side as a camera sees it.
struct SidePlace {
    at: Point3<f64>,
    outward: Vector3<f64>,
    share: f64,
    pixel: Pixel,
    /// Unit direction in the picture, outward.
    across: Vector2<f64>,
}

fn places_along(board: &Board, side: BoardSide, camera: &Camera, options: &SideOptions) -> Vec<SidePlace> {
    /// Places that are tried to learn the side's length in the picture.
    const TRIED: usize = 64;
    let (w, l) = (board.surface.width_mm, board.surface.length_mm);
    let (from, to, outward) = match side {
        BoardSide::Near => (Point::new(0.0, 0.0), Point::new(w, 0.0), -Vector3::y()),
        BoardSide::Right => (Point::new(w, 0.0), Point::new(w, l), Vector3::x()),
        BoardSide::Far => (Point::new(w, l), Point::new(0.0, l), Vector3::y()),
        BoardSide::Left => (Point::new(0.0, l), Point::new(0.0, 0.0), -Vector3::x()),
    };
    let place = |share: f64| {
        let p = from + (to - from) * share;
        let at = Point3::new(p.x, p.y, 0.0);
        let seen = camera.project(at)?;
        let [width, height] = camera.image_size.map(f64::from);
        let is_inside = |p: &Pixel| p.x >= 0.0 && p.y >= 0.0 && p.x <= width - 1.0 && p.y <= height - 1.0;
        let along: Vector2<f64> = seen.by_point * Vector3::new(to.x - from.x, to.y - from.y, 0.0);
        let normal = Vector2::new(-along.y, along.x).try_normalize(f64::MIN_POSITIVE)?;
        let across = if normal.dot(&(seen.by_point * outward)) < 0.0 { -normal } else { normal };
        is_inside(&seen.pixel).then_some(SidePlace { at, outward, share, pixel: seen.pixel, across })
    };
    let inner = |share: f64| options.end_share + (1.0 - 2.0 * options.end_share) * share;
    let tried: Vec<SidePlace> = (0..=TRIED).filter_map(|i| place(inner(i as f64 / TRIED as f64))).collect();
    let length_px: f64 = tried.windows(2).map(|two| (two[1].pixel - two[0].pixel).norm()).sum();
    let [Some(first), Some(last)] = [tried.first(), tried.last()] else { return Vec::new() };
    let count = (length_px / options.spacing_px) as usize;
    (0..count)
        .filter_map(|i| place(first.share + (last.share - first.share) * (i as f64 + 0.5) / count as f64))
        .collect()
}

#[derive(Debug, Clone, Copy)]
struct Step {
    offset_px: f64,
    /// Of 1 from black to white, over all channels.
    size: f64,
}

/// Where the stored colour changes most across a side, to a fraction of a pixel.
fn strongest_step(
    picture: &Picture,
    centre: Pixel,
    across: Vector2<f64>,
    reach_px: f64,
    options: &SideOptions,
) -> Option<Step> {
    let along = Vector2::new(-across.y, across.x);
    let half = options.side_px.round().max(1.0) as usize;
    let reach = reach_px.round() as usize;
    let lanes = options.parallel_profiles.max(1);
    let stored = |offset_px: f64| -> Option<Vector3<f64>> {
        let mut sum = Vector3::zeros();
        for lane in 0..lanes {
            let at = centre + across * offset_px + along * (lane as f64 - (lanes - 1) as f64 / 2.0);
            let light = picture.sample(at.x, at.y)?;
            sum += Vector3::from(light.map(|value| srgb::encoded(f64::from(value))));
        }
        Some(sum / lanes as f64)
    };
    let first = -(reach as f64) - half as f64;
    let profile: Vec<Vector3<f64>> =
        (0..2 * (reach + half)).map(|i| stored(first + 0.5 + i as f64)).collect::<Option<_>>()?;
    let mean = |from: usize| profile[from..from + half].iter().sum::<Vector3<f64>>() / half as f64;
    let sizes: Vec<f64> = (0..=2 * reach).map(|i| (mean(i + half) - mean(i)).norm()).collect();
    let best = (1..sizes.len().checked_sub(1)?).max_by(|&a, &b| sizes[a].total_cmp(&sizes[b]))?;
    let (before, here, after) = (sizes[best - 1], sizes[best], sizes[best + 1]);
    let bend = before - 2.0 * here + after;
    let part = if bend < 0.0 { (0.5 * (before - after) / bend).clamp(-0.5, 0.5) } else { 0.0 };
    Some(Step { offset_px: best as f64 + part - reach as f64, size: here })
}
