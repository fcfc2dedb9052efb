//! The border between the surface and its rails, for boards whose lines alone leave a direction
//! open (three parallel lines say nothing of where the board lies along them).
//!
//! In: a picture, a camera, the board's rails. Out: [`Observation`]s of the rail's foot, or of its
//! upper edge where that hides the foot. The border is looked for in the ratios of the colours,
//! not in brightness: the shadow that a rail casts on the surface has the surface's ratios.

use nalgebra::{Point3, Vector2, Vector3};

use super::{View, fit::Observation, stations::MAX_OFFSETS};
use crate::{
    board::{Board, BoardSide, Colour, Rail},
    camera::{Camera, Pixel},
    capture::Picture,
    geometry::Point,
};

/// How rails are looked for.
#[derive(Debug, Clone, PartialEq)]
pub struct OutlineOptions {
    /// The outline is used where the lines alone would leave a place on the surface more uncertain
    /// than this, mm (1).
    pub needed_from_mm: f64,
    /// How far the foot of a rail usually lies beside its drawing, at either end, mm (0.3).
    pub offset_mm: f64,
    /// Parallel profiles that are averaged, one pixel apart (7): ratios are noisy.
    pub parallel_profiles: usize,
    /// Distance of profiles along the rail, px (10).
    pub spacing_px: f64,
    /// Surface and rail on either side of the border that are compared, px (6).
    pub side_px: f64,
    /// Blur of the border that belongs to neither, px (2).
    pub blur_px: f64,
    /// Least difference of the logarithms of the colours' ratios between surface and rail (0.06).
    pub min_difference: f64,
    /// Added to linear light before ratios are taken (0.004): less lets the noise of dark pixels in.
    pub dark_light: f32,
}

impl Default for OutlineOptions {
    fn default() -> Self {
        Self {
            needed_from_mm: 1.0,
            offset_mm: 0.3,
            parallel_profiles: 7,
            spacing_px: 10.0,
            side_px: 6.0,
            blur_px: 2.0,
            min_difference: 0.06,
            dark_light: 0.004,
        }
    }
}

/// Sample distance along a profile, px.
const STEP_PX: f64 = 0.5;

/// Logarithms of red to green and of blue to green.
type Ratios = Vector2<f64>;

/// A place on the border between surface and rail.
#[derive(Debug, Clone, Copy)]
struct BorderPlace {
    at: Point3<f64>,
    outward: Vector3<f64>,
    share: f64,
}

/// A place of a rail's border as a camera sees it.
#[derive(Debug, Clone, Copy)]
pub(super) struct RailSight {
    /// Index into [`Board::rails`].
    pub rail: usize,
    place: BorderPlace,
    pub centre: Pixel,
    /// Unit direction in the picture, outward.
    pub across: Vector2<f64>,
    rail_less_surface: Ratios,
}

impl RailSight {
    /// How far beside its expected place the border is seen, outward.
    pub fn find(&self, picture: &Picture, search_px: f64, options: &OutlineOptions) -> Option<f64> {
        find_border(picture, self.centre, self.across, search_px, self.rail_less_surface, options)
    }
}

/// Everywhere that the camera may see the borders of the board's rails, rail after rail.
pub(super) fn rail_sights(board: &Board, camera: &Camera, options: &OutlineOptions) -> Vec<RailSight> {
    let surface = ratios_of(board.surface.colour, options);
    let mut sights = Vec::new();
    for (index, rail) in board.rails.iter().enumerate() {
        let rail_less_surface = ratios_of(rail.colour, options) - surface;
        if rail_less_surface.norm() < options.min_difference {
            continue;
        }
        let seen = border_places(board, rail, camera, options).into_iter().filter_map(|place| {
            let (centre, across) = sight(camera, &place)?;
            Some(RailSight { rail: index, place, centre, across, rail_less_surface })
        });
        sights.extend(seen);
    }
    sights
}

/// Looks for all rails of the board. Their groups are numbered from `first_group`, in the order of
/// [`Board::rails`].
pub(super) fn look_for_rails(
    view: &View,
    board: &Board,
    camera: &Camera,
    first_group: usize,
    search_px: f64,
    correlation_px: f64,
    options: &OutlineOptions,
) -> Vec<Observation> {
    rail_sights(board, camera, options)
        .into_iter()
        .filter_map(|sight| {
            let offset_px = sight.find(view.picture, search_px, options)?;
            let place = &sight.place;
            Some(Observation {
                pose: view.pose,
                edges: [place.at; 2],
                seen: sight.centre + sight.across * offset_px,
                across: sight.across,
                group: first_group + sight.rail,
                normal: place.outward,
                offset_basis: [1.0 - place.share, place.share, 0.0],
                share: (options.spacing_px / correlation_px).min(1.0),
            })
        })
        .collect()
}

/// Offsets of a rail: either end's.
pub(super) const RAIL_OFFSETS: usize = 2;
const _: () = assert!(RAIL_OFFSETS <= MAX_OFFSETS);

fn border_places(board: &Board, rail: &Rail, camera: &Camera, options: &OutlineOptions) -> Vec<BorderPlace> {
    let (w, l) = (board.surface.width_mm, board.surface.length_mm);
    let (from, to, outward) = match rail.side {
        BoardSide::Left => (Point::new(0.0, 0.0), Point::new(0.0, l), Vector3::new(-1.0, 0.0, 0.0)),
        BoardSide::Right => (Point::new(w, 0.0), Point::new(w, l), Vector3::new(1.0, 0.0, 0.0)),
        BoardSide::Near => (Point::new(0.0, 0.0), Point::new(w, 0.0), Vector3::new(0.0, -1.0, 0.0)),
        BoardSide::Far => (Point::new(0.0, l), Point::new(w, l), Vector3::new(0.0, 1.0, 0.0)),
    };
    let middle = nalgebra::center(&from, &to);
    let Some(scale_mm) = camera.mm_per_px(middle).or_else(|| camera.mm_per_px(from)) else {
        return Vec::new();
    };
    // From beyond the rail its upper edge hides the foot.
    let to_camera = camera.pose.centre_mm() - Point3::new(middle.x, middle.y, 0.0);
    let z_mm = if to_camera.dot(&outward) > 0.0 { rail.height_mm } else { 0.0 };
    let count = ((to - from).norm() / (options.spacing_px * scale_mm)).floor() as usize;
    let [image_w, image_h] = camera.image_size.map(f64::from);
    (0..count)
        .filter_map(|i| {
            let share = (i as f64 + 0.5) / count as f64;
            let p = from + (to - from) * share;
            let at = Point3::new(p.x, p.y, z_mm);
            let near_pocket = board
                .pockets
                .iter()
                .any(|pocket| (p - pocket.centre).norm() < pocket.radius_mm + options.side_px * scale_mm);
            let seen = camera.image_from_board(at.x, at.y, at.z)?;
            let in_view = seen.x >= 0.0 && seen.y >= 0.0 && seen.x < image_w && seen.y < image_h;
            (in_view && !near_pocket).then_some(BorderPlace { at, outward, share })
        })
        .collect()
}

/// The place in the picture and the direction across the border, outward.
fn sight(camera: &Camera, place: &BorderPlace) -> Option<(Pixel, Vector2<f64>)> {
    let seen = camera.project(place.at)?;
    let along: Vector2<f64> = seen.by_point * Vector3::new(-place.outward.y, place.outward.x, 0.0);
    let across = Vector2::new(-along.y, along.x).try_normalize(f64::MIN_POSITIVE)?;
    let outward: Vector2<f64> = seen.by_point * place.outward;
    Some((seen.pixel, if across.dot(&outward) < 0.0 { -across } else { across }))
}

fn ratios_of(colour: Colour, options: &OutlineOptions) -> Ratios {
    ratios(colour.0.map(|value| super::stations::linear_light(value) as f32), options)
}

fn ratios(rgb: [f32; 3], options: &OutlineOptions) -> Ratios {
    let [r, g, b] = rgb.map(|value| f64::from(value + options.dark_light).ln());
    Ratios::new(r - g, b - g)
}

/// Distance from `centre` along `across` at which the surface's ratios give way to the rail's.
fn find_border(
    picture: &Picture,
    centre: Pixel,
    across: Vector2<f64>,
    search_px: f64,
    rail_less_surface: Ratios,
    options: &OutlineOptions,
) -> Option<f64> {
    let reach = search_px + options.blur_px + options.side_px;
    let count = (2.0 * reach / STEP_PX).ceil() as usize + 1;
    let along = Vector2::new(-across.y, across.x);
    let towards_rail = rail_less_surface.normalize();
    let lanes = options.parallel_profiles.max(1);
    let mut profile = Vec::with_capacity(count);
    for i in 0..count {
        let t = -reach + i as f64 * STEP_PX;
        let mut sum = [0.0_f32; 3];
        for lane in 0..lanes {
            let at = centre + across * t + along * (lane as f64 - (lanes - 1) as f64 / 2.0);
            let rgb = picture.sample(at.x, at.y)?;
            sum = std::array::from_fn(|k| sum[k] + rgb[k]);
        }
        let mean = sum.map(|s| s / lanes as f32);
        profile.push(ratios(mean, options).dot(&towards_rail));
    }
    let side = (options.side_px / STEP_PX).round() as usize;
    let blur = (options.blur_px / STEP_PX).round() as usize;
    let mean = |values: &[f64]| values.iter().sum::<f64>() / values.len().max(1) as f64;
    let mut best: Option<(f64, usize, f64)> = None;
    for i in (side + blur)..count.saturating_sub(side + blur) {
        let inside = mean(&profile[i - blur - side..i - blur]);
        let outside = mean(&profile[i + blur..i + blur + side]);
        let step = outside - inside;
        if best.is_none_or(|(top, _, _)| step > top) {
            best = Some((step, i, (inside + outside) / 2.0));
        }
    }
    let (step, at, half) = best?;
    if step < options.min_difference {
        return None;
    }
    // The crossing nearest to the strongest step.
    let crossing = |i: usize| {
        let (a, b) = (*profile.get(i)?, *profile.get(i + 1)?);
        (a < half && b >= half).then(|| i as f64 + (half - a) / (b - a))
    };
    let nearest = (0..=blur).find_map(|k| crossing(at.saturating_sub(k)).or_else(|| crossing(at + k)))?;
    Some(-reach + nearest * STEP_PX)
}
