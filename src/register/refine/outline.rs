//! The border between the surface and its rails, for boards whose lines alone leave a direction
//! open (three parallel lines say nothing of where the board lies along them).
//!
//! In: a picture, a camera, the board's rails. Out: [`Observation`]s of the rail's foot, or of its
//! upper edge where that hides the foot. The border is looked for in the ratios of the colours,
//! not in brightness: the shadow that a rail casts on the surface has the surface's ratios. Rails of another colour than the
//! board file's are looked for by what the picture shows of them.

use nalgebra::{Point3, Vector2, Vector3};

use super::{
    View,
    border::{Ratios, find_border, median, ratios, ratios_of, share_of},
    fit::Observation,
    line_ends,
    sides::is_an_outer_edge,
    stations::MAX_OFFSETS,
};
use crate::{
    board::{Board, BoardSide, Rail},
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
    pub px_per_mm: f64,
    pub rail_less_surface: Ratios,
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
    pub fn difference(&self, picture: &Picture, beside_px: f64, options: &OutlineOptions) -> Option<Ratios> {
        let seen = |offset_px: f64| {
            let at = self.centre + self.across * offset_px;
            Some(ratios(picture.sample(at.x, at.y)?, options))
        };
        Some(seen(beside_px)? - seen(-beside_px)?)
    }

    /// The logarithms of light so far outward of the expected border.
    pub fn light(&self, picture: &Picture, offset_px: f64, options: &OutlineOptions) -> Option<Vector3<f64>> {
        let at = self.centre + self.across * offset_px;
        let light = picture.sample(at.x, at.y)?;
        Some(Vector3::from(light.map(|value| f64::from(value + options.dark_light).ln())))
    }

    /// This sight, as if its border were expected `off_mm` outward.
    fn moved(self, off_mm: f64) -> Self {
        Self { centre: self.centre + self.across * (off_mm * self.px_per_mm), ..self }
    }

    /// By how much the logarithms of light on one side of the border differ from those on the other, if it lay `off_mm` outward.
    pub fn step(&self, picture: &Picture, off_mm: f64, options: &OutlineOptions) -> Option<Vector3<f64>> {
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
