//! The border between the surface and its rails, for boards whose lines alone leave a direction
//! open (three parallel lines say nothing of where the board lies along them).
//!
//! In: a picture, a camera, the board's rails. Out: [`Observation`]s of the rail's foot, or of its
//! upper edge where that hides the foot. The border is looked for in the ratios of the colours,
//! not in brightness: the shadow that a rail casts on the surface has the surface's ratios. Rails of another colour than the
//! board file's are looked for by what the picture shows of them.

use nalgebra::{Matrix3, Point3, Vector2, Vector3};

use super::{View, fit::Observation, line_ends, stations::MAX_OFFSETS};
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
    /// The same for its upper edge (0.6), which is what is seen from beyond the rail: edges are rounded.
    pub upper_offset_mm: f64,
    /// What is added to either for rails of another colour than the board file's, mm (0.6): nothing but the picture tells what is
    /// rail and what is shadow.
    pub other_colour_offset_mm: f64,
    /// Trust in these three, as a number of rails' ends, against how far apart this board's rails are seen (3). Less: two
    /// rails judge themselves.
    pub offset_weight: f64,
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
    /// Length on either side of the border in which the light is read to say where exactly it is, px (2). More
    /// is steadier, but shadows along a rail end within it.
    pub near_px: f64,
    /// How much shading changes the light of the surface there (1: shadows lie along rails), and that of the
    /// rail (0.3), as shares; and the noise of the averaged profiles, in linear light (0.004). More shading
    /// trusts colours and not brightness; more noise the other way round.
    pub surface_shading: f64,
    pub rail_shading: f64,
    pub noise_light: f64,
    /// Rails whose ratios differ from the surface's by less than this share of what the board file says are of
    /// another colour (0.1; less than 0 is the opposite colour): then the sides must be seen where they would have to be.
    /// More asks for that on more boards.
    pub least_rail_colour: f64,
    /// The same for each rail by itself where rails are used to place the board (0.2): less is another edge.
    pub least_used_rail_colour: f64,
    /// How much of a rail's colour is seen right within a side that makes that side the rail's outer edge (0.5), as a share
    /// of what the board file says. Less takes the surface in a coloured shade for a rail. What is darker than any soft shadow
    /// ([`Self::side_strong`]) and of another hue is a rail too.
    pub outer_edge_share: f64,
    /// Rails that differ less from the surface by the board file, in logarithms of ratios (0.5), tell nothing:
    /// greys are written down roughly.
    pub telling_rail_colour: f64,
    /// Places that must tell each rail's colour (20).
    pub rail_colour_places: usize,
    /// Least difference of the logarithms of ratios by which rails of another colour are looked for (0.12). Less looks for
    /// rails in the noise of the surface's own colour.
    pub shown_rail_colour: f64,
    /// How far from its expected place the side of a board with such rails may be seen, mm (2): a court's sides are 4.6 mm off
    /// those of an association table of its size. And the distance to either side within which no step is stronger (1.5).
    pub side_off_mm: f64,
    pub side_alone_mm: f64,
    /// The least step of the logarithms of light across such a side (0.15). Less takes grain and gloss for sides, more
    /// refuses rails that look like their surface.
    pub side_step: f64,
    /// The most of that step which is left at that distance from a sharp side (0.6), as one of them must be. More takes soft
    /// shadows for sides, less refuses blurred photos.
    pub side_sharp: f64,
    /// A step that no soft shadow makes, however it is spread, in logarithms of light (1.5).
    pub side_strong: f64,
    /// Lines that run to a side must end there. How far from the border their ends are looked for, mm (20); the length before
    /// and after an end that is compared (3); the least step of the logarithms of light from such a line to the surface
    /// beside it (0.3); and how much of that must be seen before its end (0.7) and may be after it (0.35). Less strict ones
    /// take worn paint and grain for ends.
    pub line_end_reach_mm: f64,
    pub line_end_run_mm: f64,
    pub line_end_step: f64,
    pub line_end_before: f64,
    pub line_end_after: f64,
    /// Added to linear light before ratios are taken (0.004): less lets the noise of dark pixels in.
    pub dark_light: f32,
}

impl Default for OutlineOptions {
    fn default() -> Self {
        Self {
            needed_from_mm: 1.0,
            offset_mm: 0.3,
            upper_offset_mm: 0.6,
            other_colour_offset_mm: 0.6,
            offset_weight: 3.0,
            parallel_profiles: 7,
            spacing_px: 10.0,
            side_px: 6.0,
            blur_px: 2.0,
            min_difference: 0.06,
            near_px: 2.0,
            surface_shading: 1.0,
            rail_shading: 0.3,
            noise_light: 0.004,
            least_rail_colour: 0.1,
            least_used_rail_colour: 0.2,
            outer_edge_share: 0.5,
            telling_rail_colour: 0.5,
            rail_colour_places: 20,
            shown_rail_colour: 0.12,
            side_off_mm: 2.0,
            side_alone_mm: 1.5,
            side_step: 0.15,
            side_sharp: 0.6,
            side_strong: 1.5,
            line_end_reach_mm: 20.0,
            line_end_run_mm: 3.0,
            line_end_step: 0.3,
            line_end_before: 0.7,
            line_end_after: 0.35,
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
    /// Pixels along it for a millimetre outward.
    px_per_mm: f64,
    rail_less_surface: Ratios,
}

impl RailSight {
    /// How far beside its expected place the border is seen, outward.
    pub fn find(&self, picture: &Picture, search_px: f64, options: &OutlineOptions) -> Option<f64> {
        if self.rail_less_surface.norm() < options.min_difference {
            return None;
        }
        find_border(picture, self.centre, self.across, search_px, self.rail_less_surface, options)
    }

    /// By how much the ratios `beside_px` outside of the expected border differ from those as far inside.
    fn difference(&self, picture: &Picture, beside_px: f64, options: &OutlineOptions) -> Option<Ratios> {
        let seen = |offset_px: f64| {
            let at = self.centre + self.across * offset_px;
            Some(ratios(picture.sample(at.x, at.y)?, options))
        };
        Some(seen(beside_px)? - seen(-beside_px)?)
    }

    /// The logarithms of light so far outward of the expected border.
    fn light(&self, picture: &Picture, offset_px: f64, options: &OutlineOptions) -> Option<Vector3<f64>> {
        let at = self.centre + self.across * offset_px;
        let light = picture.sample(at.x, at.y)?;
        Some(Vector3::from(light.map(|value| f64::from(value + options.dark_light).ln())))
    }

    /// This sight, as if its border were expected `off_mm` outward.
    fn moved(self, off_mm: f64) -> Self {
        Self { centre: self.centre + self.across * (off_mm * self.px_per_mm), ..self }
    }

    /// By how much the logarithms of light on one side of the border differ from those on the other, if it lay `off_mm` outward.
    fn step(&self, picture: &Picture, off_mm: f64, options: &OutlineOptions) -> Option<Vector3<f64>> {
        let mean = |way: f64| {
            let count = (options.side_px / 2.0).ceil().max(1.0) as usize;
            let mut sum = Vector3::zeros();
            for i in 0..count {
                let offset_px = off_mm * self.px_per_mm + way * (options.blur_px + i as f64);
                sum += self.light(picture, offset_px, options)?;
            }
            Some(sum / count as f64)
        };
        Some(mean(1.0)? - mean(-1.0)?)
    }
}

/// Everywhere that the camera may see the borders of the board's rails, rail after rail.
pub(super) fn rail_sights(board: &Board, camera: &Camera, options: &OutlineOptions) -> Vec<RailSight> {
    let surface = ratios_of(board.surface.colour, options);
    let mut sights = Vec::new();
    for (index, rail) in board.rails.iter().enumerate() {
        let rail_less_surface = ratios_of(rail.colour, options) - surface;
        let seen = border_places(board, rail, camera, options).into_iter().filter_map(|place| {
            let (centre, across, px_per_mm) = sight(camera, &place)?;
            Some(RailSight { rail: index, place, centre, across, px_per_mm, rail_less_surface })
        });
        sights.extend(seen);
    }
    sights
}

/// The sights as a picture shows their rails: where those are not of the colour that the board file has, by the difference
/// that is seen across their borders. A board has its rails of one make, so all of them together tell it.
pub(super) fn as_shown(
    mut sights: Vec<RailSight>,
    picture: &Picture,
    options: &OutlineOptions,
) -> Vec<RailSight> {
    let beside_px = options.blur_px + options.side_px;
    let shown: Vec<(Ratios, Ratios)> = sights
        .iter()
        .filter_map(|sight| Some((sight.difference(picture, beside_px, options)?, sight.rail_less_surface)))
        .collect();
    if shown.len() < options.rail_colour_places.max(1) {
        return sights;
    }
    let by_file = median(shown.iter().map(|(seen, file)| share_of(seen, file)));
    let usual = Ratios::new(median(shown.iter().map(|(d, _)| d.x)), median(shown.iter().map(|(d, _)| d.y)));
    if by_file < options.least_used_rail_colour && usual.norm() >= options.shown_rail_colour {
        sights.iter_mut().for_each(|sight| sight.rail_less_surface = usual);
    }
    sights
}

/// Whether the rails that a camera sees are looked for in another colour than the board file's.
pub(super) fn are_of_another_colour(
    picture: &Picture,
    board: &Board,
    camera: &Camera,
    options: &OutlineOptions,
) -> bool {
    let of_file = rail_sights(board, camera, options);
    let shown = as_shown(of_file.clone(), picture, options);
    of_file.iter().zip(&shown).any(|(of_file, shown)| of_file.rail_less_surface != shown.rail_less_surface)
}

/// How much of an expected difference is seen: 1 all of it, 0 nothing, or where none is expected.
fn share_of(seen: &Ratios, expected: &Ratios) -> f64 {
    seen.dot(expected) / expected.norm_squared().max(f64::MIN_POSITIVE)
}

pub(super) fn median(values: impl Iterator<Item = f64>) -> f64 {
    let mut values: Vec<f64> = values.collect();
    let middle = values.len() / 2;
    if values.is_empty() { 0.0 } else { *values.select_nth_unstable_by(middle, f64::total_cmp).1 }
}

/// How many of a board's sides are seen where a camera expects them, whatever their colours.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Sides {
    /// Of which enough is in view.
    pub asked: usize,
    /// At which the hue changes, the light more than right beside them, or lines that run to them end.
    pub shown: usize,
    /// Of those, the ones at which it changes at once, or more than by any shadow along a rail.
    pub sharp: usize,
}

pub(super) fn sides_shown(
    sights: &[RailSight],
    board: &Board,
    camera: &Camera,
    picture: &Picture,
    options: &OutlineOptions,
) -> Sides {
    let sights = as_shown(sights.to_vec(), picture, options);
    let mut sides = Sides::default();
    for side in sights.chunk_by(|a, b| a.rail == b.rail) {
        if side.len() < options.rail_colour_places {
            continue;
        }
        sides.asked += 1;
        let rail = &board.rails[side[0].rail];
        let ends_off_mm = line_ends::Ends::seen(board, rail, camera, picture, options).usual_off_mm();
        let lines_end_there = ends_off_mm.is_some_and(|off_mm| off_mm <= options.side_off_mm);
        if lines_end_there || hue_changes_there(side, picture, options) {
            sides.shown += 1;
            sides.sharp += 1;
            continue;
        }
        if ends_off_mm.is_some() {
            // Lines that end elsewhere tell more than steps of light: rails have grain and shadows.
            continue;
        }
        let step_at = |off_mm: f64| {
            let steps: Vec<Vector3<f64>> =
                side.iter().filter_map(|sight| sight.step(picture, off_mm, options)).collect();
            let of = |channel: usize| median(steps.iter().map(|step| step[channel]));
            Vector3::new(of(0), of(1), of(2)).norm()
        };
        let alone = (options.side_alone_mm / SIDE_STEP_MM).ceil().max(1.0) as usize;
        let off = (options.side_off_mm / SIDE_STEP_MM).floor() as usize;
        let reach = (off + alone) as i32;
        let steps: Vec<f64> = (-reach..=reach).map(|i| step_at(f64::from(i) * SIDE_STEP_MM)).collect();
        // Where a rail's wall is seen, its upper edge may be the stronger one: a step need not be the strongest of all, but of
        // those around it.
        let peaks = steps.windows(2 * alone + 1).filter(|around| {
            let most = around.iter().copied().fold(0.0, f64::max);
            around[alone] >= options.side_step && around[alone] >= most
        });
        let is_sharp = |around: &[f64]| {
            around[alone] >= options.side_strong
                || around[0].max(around[2 * alone]) <= options.side_sharp * around[alone]
        };
        let sharp = peaks.map(is_sharp).reduce(|a, b| a || b);
        sides.shown += usize::from(sharp.is_some());
        sides.sharp += usize::from(sharp == Some(true));
    }
    sides
}

/// Whether what a camera takes for a side is its rail's outer edge: then the rail begins within it, in its own colour or in one
/// far darker than the surface. Dark rails on a dark floor look like floor, and their outer edges like sides.
fn is_an_outer_edge(side: &[RailSight], board: &Board, picture: &Picture, options: &OutlineOptions) -> bool {
    let seen: Vec<Vector3<f64>> = side
        .iter()
        .filter_map(|sight| {
            // The middle of the rail that it would then be, and the surface as far beyond that rail's foot again.
            let width_px = board.rails[sight.rail].width_mm * sight.px_per_mm;
            let light = |offset_px: f64| sight.light(picture, offset_px, options);
            Some(light(-0.5 * width_px)? - light(-2.0 * width_px)?)
        })
        .collect();
    if seen.len() < options.rail_colour_places.max(1) {
        return false;
    }
    let usual = |of: fn(&Vector3<f64>) -> f64| median(seen.iter().map(of));
    let ratios = Ratios::new(usual(|light| light.x - light.y), usual(|light| light.z - light.y));
    let expected = side[0].rail_less_surface;
    let is_of_its_colour = expected.norm() >= options.telling_rail_colour
        && share_of(&ratios, &expected) >= options.outer_edge_share;
    let is_dark = usual(Vector3::max) <= -options.side_strong && ratios.norm() >= options.shown_rail_colour;
    is_of_its_colour || is_dark
}

/// Whether any of a board's sides lies on its rail's outer edge.
pub(super) fn is_on_an_outer_edge(
    sights: &[RailSight],
    board: &Board,
    picture: &Picture,
    options: &OutlineOptions,
) -> bool {
    sights.chunk_by(|a, b| a.rail == b.rail).any(|side| is_an_outer_edge(side, board, picture, options))
}

/// Whether the hue along a side changes where it would have to: shadows and gloss change the light along a rail, from one
/// place to the next and over millimetres, but hardly its hue.
fn hue_changes_there(side: &[RailSight], picture: &Picture, options: &OutlineOptions) -> bool {
    let is_telling = |sight: &&RailSight| {
        sight.rail_less_surface.norm() >= options.telling_rail_colour
            && options.side_off_mm * sight.px_per_mm >= options.blur_px
    };
    let asked: Vec<&RailSight> = side.iter().filter(is_telling).collect();
    let off_mm = |sight: &&RailSight| {
        // As far again as it may be off, so that a border which is farther away is found there.
        let search_px = 2.0 * options.side_off_mm * sight.px_per_mm;
        let off_px = sight.find(picture, search_px, options)?;
        Some((off_px / sight.px_per_mm).abs())
    };
    let found: Vec<f64> = asked.iter().filter_map(off_mm).collect();
    found.len() >= options.rail_colour_places
        && 2 * found.len() > asked.len()
        && median(found.into_iter()) <= options.side_off_mm
}

/// Distance between two places where a side is looked for, mm.
const SIDE_STEP_MM: f64 = 0.5;

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
    let mut sights = rail_sights(board, camera, options);
    for side in sights.chunk_by_mut(|a, b| a.rail == b.rail) {
        let rail = &board.rails[side[0].rail];
        let ends_mm =
            line_ends::Ends::seen(board, rail, camera, view.picture, options).agreed_off_mm(options);
        let off_mm = match ends_mm {
            Some(off_mm) if off_mm.abs() > options.side_off_mm => off_mm,
            _ if is_an_outer_edge(side, board, view.picture, options) => -rail.width_mm,
            _ => 0.0,
        };
        // What is within reach is found as it is, and farther away there is more that is no border.
        let out_of_reach = side.iter_mut().filter(|sight| off_mm.abs() * sight.px_per_mm > search_px);
        out_of_reach.for_each(|sight| *sight = sight.moved(off_mm));
    }
    as_shown(sights, view.picture, options)
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

/// How much the rails' colours differ from the surface's, as shares of what the board file says: about 1 on the right
/// board.
#[derive(Debug, Clone, Copy)]
pub(super) struct RailColours {
    /// Of all rails together.
    pub usual: f64,
    /// Of the rail that differs least: one side alone may have been taken for its rail's outer edge.
    pub least: f64,
}

/// `None` where too few places tell.
pub(super) fn rail_colours(
    sights: &[RailSight],
    picture: &Picture,
    options: &OutlineOptions,
) -> Option<RailColours> {
    let beside_px = options.blur_px + options.side_px / 2.0;
    let shares: Vec<(usize, f64)> = sights
        .iter()
        .filter(|sight| sight.rail_less_surface.norm() >= options.telling_rail_colour)
        .filter_map(|sight| {
            let seen = sight.difference(picture, beside_px, options)?;
            Some((sight.rail, share_of(&seen, &sight.rail_less_surface)))
        })
        .collect();
    let usual_of = |shares: &[(usize, f64)]| {
        let is_enough = shares.len() >= options.rail_colour_places.max(1);
        is_enough.then(|| median(shares.iter().map(|(_, share)| *share)))
    };
    let usual = usual_of(&shares)?;
    let each = shares.chunk_by(|a, b| a.0 == b.0).filter_map(usual_of);
    Some(RailColours { usual, least: each.fold(usual, f64::min) })
}

/// Offsets of a rail: either end's.
pub(super) const RAIL_OFFSETS: usize = 2;
const _: () = assert!(RAIL_OFFSETS <= MAX_OFFSETS);

/// Whether the camera stands beyond the rail, so that the rail's upper edge hides its foot.
pub(super) fn hides_its_foot(board: &Board, rail: &Rail, camera: &Camera) -> bool {
    let (from, _, outward) = foot(board, rail.side);
    (camera.pose.centre_mm() - Point3::new(from.x, from.y, 0.0)).dot(&outward) > 0.0
}

/// Where a rail meets the surface, from one end to the other, and the way out.
pub(super) fn foot(board: &Board, side: BoardSide) -> (Point, Point, Vector3<f64>) {
    let (w, l) = (board.surface.width_mm, board.surface.length_mm);
    match side {
        BoardSide::Left => (Point::new(0.0, 0.0), Point::new(0.0, l), Vector3::new(-1.0, 0.0, 0.0)),
        BoardSide::Right => (Point::new(w, 0.0), Point::new(w, l), Vector3::new(1.0, 0.0, 0.0)),
        BoardSide::Near => (Point::new(0.0, 0.0), Point::new(w, 0.0), Vector3::new(0.0, -1.0, 0.0)),
        BoardSide::Far => (Point::new(0.0, l), Point::new(w, l), Vector3::new(0.0, 1.0, 0.0)),
    }
}

fn border_places(board: &Board, rail: &Rail, camera: &Camera, options: &OutlineOptions) -> Vec<BorderPlace> {
    let (from, to, outward) = foot(board, rail.side);
    let middle = nalgebra::center(&from, &to);
    let Some(scale_mm) = camera.mm_per_px(middle).or_else(|| camera.mm_per_px(from)) else {
        return Vec::new();
    };
    let z_mm = if hides_its_foot(board, rail, camera) { rail.height_mm } else { 0.0 };
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

/// The place in the picture, the direction across the border, outward, and the pixels along it for a millimetre.
fn sight(camera: &Camera, place: &BorderPlace) -> Option<(Pixel, Vector2<f64>, f64)> {
    let seen = camera.project(place.at)?;
    let along: Vector2<f64> = seen.by_point * Vector3::new(-place.outward.y, place.outward.x, 0.0);
    let across = Vector2::new(-along.y, along.x).try_normalize(f64::MIN_POSITIVE)?;
    let outward: Vector2<f64> = seen.by_point * place.outward;
    let across = if across.dot(&outward) < 0.0 { -across } else { across };
    Some((seen.pixel, across, across.dot(&outward)))
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
    let mut lights: Vec<Vector3<f64>> = Vec::with_capacity(count);
    for i in 0..count {
        let t = -reach + i as f64 * STEP_PX;
        let mut sum = Vector3::zeros();
        for lane in 0..lanes {
            let at = centre + across * t + along * (lane as f64 - (lanes - 1) as f64 / 2.0);
            sum += Vector3::from(picture.sample(at.x, at.y)?.map(f64::from));
        }
        lights.push(sum / lanes as f64);
    }
    let profile: Vec<f64> = lights
        .iter()
        .map(|light| ratios(light.map(|l| l as f32).into(), options).dot(&towards_rail))
        .collect();
    let side = (options.side_px / STEP_PX).round() as usize;
    let blur = (options.blur_px / STEP_PX).round() as usize;
    let mean = |values: &[f64]| values.iter().sum::<f64>() / values.len().max(1) as f64;
    let mut best: Option<(f64, usize)> = None;
    for i in (side + blur)..count.saturating_sub(side + blur) {
        let inside = mean(&profile[i - blur - side..i - blur]);
        let outside = mean(&profile[i + blur..i + blur + side]);
        let step = outside - inside;
        if best.is_none_or(|(top, _)| step > top) {
            best = Some((step, i));
        }
    }
    let (step, at) = best?;
    if step < options.min_difference {
        return None;
    }
    // The ratios know that it is the border, but not where: where a bright surface and a dark rail mix, the
    // mixture has the surface's ratios until there is little of it. The light itself mixes evenly.
    let mut crossing = at as f64;
    for _ in 0..CROSSING_ROUNDS {
        crossing = half_way(&lights, crossing, options)?;
    }
    Some(-reach + crossing * STEP_PX)
}

/// The levels beside a better crossing are better levels.
const CROSSING_ROUNDS: usize = 2;

/// Where the light is half the surface's and half the rail's, as an index near `from`. Both are read beside
/// it; of all colours' weighted sums, the one is asked that shading of either changes least.
fn half_way(lights: &[Vector3<f64>], from: f64, options: &OutlineOptions) -> Option<f64> {
    let steps = |px: f64| (px / STEP_PX).round() as usize;
    let (near, blur) = (steps(options.near_px), steps(options.blur_px));
    let at = from.round() as usize;
    let mean = |lights: &[Vector3<f64>]| lights.iter().sum::<Vector3<f64>>() / lights.len().max(1) as f64;
    let surface = mean(lights.get(at.checked_sub(blur + near)?..at - blur)?);
    let rail = mean(lights.get(at + blur..at + blur + near)?);
    let spread = surface * surface.transpose() * options.surface_shading.powi(2)
        + rail * rail.transpose() * options.rail_shading.powi(2)
        + Matrix3::identity() * options.noise_light.powi(2);
    let weights = spread.cholesky()?.solve(&(rail - surface));
    let whole = weights.dot(&(rail - surface));
    let rail_share = |i: usize| Some(weights.dot(&(lights.get(i)? - surface)) / whole);
    let crossing = |i: usize| {
        let (a, b) = (rail_share(i)?, rail_share(i + 1)?);
        (a < 0.5 && b >= 0.5).then(|| i as f64 + (0.5 - a) / (b - a))
    };
    (0..=2 * blur).find_map(|k| crossing(at.saturating_sub(k)).or_else(|| crossing(at + k)))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use image::{Rgb, RgbImage};

    use super::*;

    /// A picture whose left part is a surface and whose right part a rail, blurred as a lens does in light;
    /// `shadow` of the surface's light is missing from `shadow_px` before the border on.
    fn border(surface: Vector3<f64>, rail: Vector3<f64>, at_px: f64, shadow: f64, shadow_px: f64) -> Picture {
        let bright = |x: f64| {
            let lit = if x > at_px - shadow_px { 1.0 - shadow } else { 1.0 };
            if x < at_px { surface * lit } else { rail }
        };
        let encoded = |light: f64| {
            let value =
                if light <= 0.0031308 { 12.92 * light } else { 1.055 * light.powf(1.0 / 2.4) - 0.055 };
            (255.0 * value).round() as u8
        };
        let image = RgbImage::from_fn(80, 24, |x, _| {
            let (mut sum, mut weights) = (Vector3::zeros(), 0.0);
            for i in -40..=40 {
                let off_px = f64::from(i) / 10.0;
                let weight = (-off_px * off_px / 2.0).exp();
                sum += bright(f64::from(x) + off_px) * weight;
                weights += weight;
            }
            let light: Vector3<f64> = sum / weights;
            Rgb([encoded(light.x), encoded(light.y), encoded(light.z)])
        });
        Picture::new(image)
    }

    fn found_px(picture: &Picture, surface: Vector3<f64>, rail: Vector3<f64>) -> f64 {
        let options = OutlineOptions::default();
        let of = |light: Vector3<f64>| ratios(light.map(|l| l as f32).into(), &options);
        let centre = Pixel::new(40.0, 12.0);
        let across = Vector2::new(1.0, 0.0);
        40.0 + find_border(picture, centre, across, 5.0, of(rail) - of(surface), &options).unwrap()
    }

    #[test]
    fn the_border_of_a_dark_rail_is_where_the_light_is_half_and_half() {
        let (maple, green) = (Vector3::new(0.69, 0.38, 0.15), Vector3::new(0.014, 0.069, 0.039));
        for at_px in [38.3, 40.0, 41.6] {
            let off_px = found_px(&border(maple, green, at_px, 0.0, 0.0), maple, green) - at_px;
            assert!(off_px.abs() < 0.25, "{off_px:.2} px beside {at_px}");
        }
    }

    #[test]
    fn a_shadow_along_the_rail_is_not_its_border() {
        let (maple, walnut) = (Vector3::new(0.69, 0.48, 0.26), Vector3::new(0.27, 0.105, 0.042));
        for shadow_px in [6.0, 12.0] {
            let off_px = found_px(&border(maple, walnut, 40.0, 0.6, shadow_px), maple, walnut) - 40.0;
            assert!(off_px.abs() < 0.4, "{off_px:.2} px, shadow of {shadow_px} px");
        }
    }

    #[test]
    fn a_side_that_is_the_rails_outer_edge_is_told_by_its_colour() {
        let photo = std::path::Path::new(env!("CARGO_MANIFEST_DIR"))
            .join("fixtures/photos/longboard-overhead/001.jpg");
        let truth = crate::evaluate::Truth::load(&photo.with_extension("json")).unwrap();
        let mut board = Board::named_or_at(&truth.board).unwrap();
        let picture = crate::capture::load_photo(&photo, &Default::default()).unwrap();
        let options = OutlineOptions::default();
        let least = |board: &Board| {
            let sights = rail_sights(board, &truth.camera(), &options);
            rail_colours(&sights, &picture, &options).unwrap().least
        };
        let is_outer = |board: &Board| {
            let sights = rail_sights(board, &truth.camera(), &options);
            is_on_an_outer_edge(&sights, board, &picture, &options)
        };
        assert!(least(&board) > options.least_used_rail_colour && !is_outer(&board));
        board.surface.width_mm += board.rails[0].width_mm;
        assert!(least(&board) < options.least_used_rail_colour && is_outer(&board));
    }
}
