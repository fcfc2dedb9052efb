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
    border::{Across, Border, BorderColours, Ratios, find_border, median, ratios, ratios_of, share_of},
    fit::Observation,
    line_ends,
    look::shows_a_piece,
    sides::is_an_outer_edge,
    stations::MAX_OFFSETS,
};
use crate::{
    board::{Board, BoardSide, Rail},
    camera::{Camera, Pixel},
    capture::{Picture, srgb},
    geometry::Point,
};

crate::options::options! {
    /// How rails are looked for.
    #[derive(Debug, Clone, PartialEq)]
    pub struct OutlineOptions {
        /// The outline is used where the lines alone would leave a place on the surface more uncertain
        /// than this, mm (1).
        pub needed_from_mm: f64 = 1.0,
        /// How far the foot of a rail, or its upper edge, usually lies beside its drawing, at either end, mm (0.3).
        pub offset_mm: f64 = 0.3,
        /// Rounding of a rail's upper edge, which is what is seen from beyond the rail, where the board file does not say it, mm
        /// (1.5), and how far it may be off that (1). Sharper edges are seen farther in: what is 1 mm rounder is seen 0.4 mm
        /// farther out from 27 degrees beyond it.
        pub rounding_mm: f64 = 1.5,
        pub rounding_spread_mm: f64 = 1.0,
        /// Surface and rail are clearly apart from this many standard deviations of shading and noise on (3). Borders that are
        /// less clear may lie farther beside where they are found, mm (0.6), the more the less they are apart, up to a multiple (2).
        pub clearly_apart: f64 = 3.0,
        pub unclear_offset_mm: f64 = 0.6,
        pub most_unclear: f64 = 2.0,
        /// The least that they are apart for the border to be looked for by what the picture shows of both (1.5). Below, it is
        /// looked for by the ratios of the board file's colours.
        pub least_apart: f64 = 1.5,
        /// Trust in these, as a number of rails' ends, against how far apart this board's rails are seen (3). Less: two
        /// rails judge themselves.
        pub offset_weight: f64 = 3.0,
        /// Parallel profiles that are averaged, one pixel apart (7): ratios are noisy.
        pub parallel_profiles: usize = 7,
        /// Distance of profiles along the rail, px (10).
        pub spacing_px: f64 = 10.0,
        /// Surface and rail on either side of the border that are compared, px (6).
        pub side_px: f64 = 6.0,
        /// Blur of the border that belongs to neither, px (2).
        pub blur_px: f64 = 2.0,
        /// Least difference of the logarithms of the colours' ratios between surface and rail (0.06).
        pub min_difference: f64 = 0.06,
        /// Length on either side of the border in which the light is read to say where exactly it is, px (2). More
        /// is steadier, but shadows along a rail end within it.
        pub near_px: f64 = 2.0,
        /// How much shading changes what is stored of the surface there (0.4: shadows lie along rails), and of the rail
        /// (0.3), as shares; and the noise of the averaged profiles (0.02 of white). More shading
        /// trusts colours and not brightness; more noise the other way round.
        pub surface_shading: f64 = 0.4,
        pub rail_shading: f64 = 0.3,
        pub noise: f64 = 0.02,
        /// By how much pictures blur colours more than brightness, as a standard deviation, px (1: colours at half the density,
        /// as photos and cameras store them).
        pub colour_blur_px: f64 = 1.0,
        /// How far from where the colours change brightness may, px (0.7), or more for rails that are darker than any shadow: the
        /// nearest clear step of it says where the border is. More takes edges of shadows for borders.
        pub colours_off_px: f64 = 0.7,
        /// How fast brightness must change there, as a share of the change from surface to rail a pixel (0.12). Less takes grain
        /// for it where surface and rail are equally dark in the shade.
        pub least_slope: f64 = 0.12,
        /// Where the rail is brighter than the surface: of several such steps the first counts that is at least this share as
        /// clear as the clearest (0.5).
        pub first_step: f64 = 0.5,
        /// The least such step, from surface to rail (0.03 of white). Where there is less, the colours alone say where the border is.
        pub least_step: f64 = 0.03,
        /// The least step from surface to rail at one place, as a share of the usual one along the rail (0.4). Less takes
        /// grain for borders, more leaves out places in the shade.
        pub least_share: f64 = 0.4,
        /// Rails whose ratios differ from the surface's by less than this share of what the board file says are of
        /// another colour (0.1; less than 0 is the opposite colour): then the sides must be seen where they would have to be.
        /// More asks for that on more boards.
        pub least_rail_colour: f64 = 0.1,
        /// The same for each rail by itself where rails are used to place the board (0.2): less is another edge.
        pub least_used_rail_colour: f64 = 0.2,
        /// How much of a rail's colour is seen right within a side that makes that side the rail's outer edge (0.5), as a share
        /// of what the board file says. Less takes the surface in a coloured shade for a rail. What is darker than any soft shadow
        /// ([`Self::side_strong`]) and of another hue is a rail too.
        pub outer_edge_share: f64 = 0.5,
        /// Rails that differ less from the surface by the board file, in logarithms of ratios (0.5), tell nothing:
        /// greys are written down roughly.
        pub telling_rail_colour: f64 = 0.5,
        /// Places that must tell each rail's colour (20).
        pub rail_colour_places: usize = 20,
        /// Least difference of the logarithms of ratios by which rails of another colour are looked for (0.12). Less looks for
        /// rails in the noise of the surface's own colour.
        pub shown_rail_colour: f64 = 0.12,
        /// How far from its expected place the side of a board with such rails may be seen, mm (2): a court's sides are 4.6 mm off
        /// those of an association table of its size. And the distance to either side within which no step is stronger (1.5).
        pub side_off_mm: f64 = 2.0,
        pub side_alone_mm: f64 = 1.5,
        /// The least step of the logarithms of light across such a side (0.15). Less takes grain and gloss for sides, more
        /// refuses rails that look like their surface.
        pub side_step: f64 = 0.15,
        /// The most of that step which is left at that distance from a sharp side (0.6), as one of them must be. More takes soft
        /// shadows for sides, less refuses blurred photos.
        pub side_sharp: f64 = 0.6,
        /// A step that no soft shadow makes, however it is spread, in logarithms of light (1.5).
        pub side_strong: f64 = 1.5,
        /// Lines that run to a side must end there. How far from the border their ends are looked for, mm (20); the length before
        /// and after an end that is compared (3); the least step of the logarithms of light from such a line to the surface
        /// beside it (0.3); and how much of that must be seen before its end (0.7) and may be after it (0.35). Less strict ones
        /// take worn paint and grain for ends.
        pub line_end_reach_mm: f64 = 20.0,
        pub line_end_run_mm: f64 = 3.0,
        pub line_end_step: f64 = 0.3,
        pub line_end_before: f64 = 0.7,
        pub line_end_after: f64 = 0.35,
        /// Added to linear light before ratios are taken (0.004): less lets the noise of dark pixels in.
        pub dark_light: f32 = 0.004,
    }
}

impl OutlineOptions {
    /// How far from a border what is beside it is looked at, px.
    fn beside_px(&self) -> f64 {
        self.blur_px + self.side_px
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
    /// How much of the rail's wall is seen beyond its foot, px; 0 where the upper edge hides the foot.
    wall_px: f64,
    pub rail_less_surface: Ratios,
    /// What a picture shows on either side of it, usually along its rail.
    colours: Option<BorderColours>,
}

impl RailSight {
    /// How far beside its expected place the border is seen, outward.
    pub fn find(&self, picture: &Picture, search_px: f64, options: &OutlineOptions) -> Option<f64> {
        if self.rail_less_surface.norm() < options.min_difference {
            return None;
        }
        // Colours from no farther away than the border may be are of who knows what.
        let is_known = |colours: &BorderColours| {
            search_px <= options.beside_px() && colours.apart() >= options.least_apart
        };
        let colours = self.colours.filter(is_known);
        let border = colours.map_or(Border::Ratios(self.rail_less_surface), Border::Colours);
        let across = Across { centre: self.centre, way: self.across, wall_px: self.wall_px };
        find_border(picture, &across, search_px, border, options)
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
            let top = place.at + Vector3::new(0.0, 0.0, rail.height_mm - place.at.z);
            let wall = camera.image_from_board(top.x, top.y, top.z)? - centre;
            Some(RailSight {
                rail: index,
                place,
                centre,
                across,
                px_per_mm,
                wall_px: wall.dot(&across).max(0.0),
                rail_less_surface,
                colours: None,
            })
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
    let beside_px = options.beside_px();
    for side in sights.chunk_by_mut(|a, b| a.rail == b.rail) {
        let colours = colours_of(side, picture, options);
        side.iter_mut().for_each(|sight| sight.colours = colours);
    }
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

/// What a picture usually stores on either side of a rail's border; `None` where that is too little to tell, or the same.
fn colours_of(side: &[RailSight], picture: &Picture, options: &OutlineOptions) -> Option<BorderColours> {
    let usual = |offset_px: f64| {
        let stored: Vec<Vector3<f64>> = side
            .iter()
            .filter_map(|sight| {
                let at = sight.centre + sight.across * offset_px;
                let light = picture.sample(at.x, at.y)?;
                Some(Vector3::from(light.map(|value| srgb::encoded(f64::from(value)))))
            })
            .collect();
        let of = |channel: usize| median(stored.iter().map(|value| value[channel]));
        (stored.len() >= options.rail_colour_places.max(1)).then(|| Vector3::new(of(0), of(1), of(2)))
    };
    let (surface, rail) = (usual(-options.beside_px())?, usual(options.beside_px())?);
    BorderColours::between(surface, rail, options)
}

/// For each rail, how much farther than usual its border may lie beside where it is found, mm: rails that look like their
/// surface are found at the edges of their shadows and walls, too.
pub(super) fn unclear_mm(
    views: &[View],
    board: &Board,
    cameras: &[Camera],
    options: &OutlineOptions,
) -> Vec<f64> {
    let mut unclear_mm = vec![0.0_f64; board.rails.len()];
    for view in views {
        let sights = rail_sights(board, &cameras[view.pose], options);
        for side in sights.chunk_by(|a, b| a.rail == b.rail) {
            let apart = colours_of(side, view.picture, options).map_or(0.0, |colours| colours.apart());
            let times = if apart < options.clearly_apart {
                (options.clearly_apart / apart).min(options.most_unclear)
            } else {
                0.0
            };
            let of_rail = &mut unclear_mm[side[0].rail];
            *of_rail = of_rail.max(times * options.unclear_offset_mm);
        }
    }
    unclear_mm
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

/// A rail's upper edge as seen from beyond it: the place where the line of sight grazes its rounding.
#[derive(Debug, Clone, Copy)]
struct GrazedEdge {
    /// How far outward of the rail's inner face it is touched, mm.
    outward_mm: f64,
    z_mm: f64,
    /// How much farther out the edge is seen for a rounding that is 1 mm larger, mm.
    by_rounding: f64,
}

impl GrazedEdge {
    fn of(
        rail: &Rail,
        foot: Point3<f64>,
        outward: &Vector3<f64>,
        eye: Point3<f64>,
        rounding_mm: f64,
    ) -> Self {
        let beyond_mm = (eye - foot).dot(outward);
        // From below its top a rail shows that top's height.
        let above_mm = (eye.z - rail.height_mm).max(f64::MIN_POSITIVE);
        let slant_mm = beyond_mm.hypot(above_mm);
        let (sin, cos) = (beyond_mm / slant_mm, above_mm / slant_mm);
        Self {
            outward_mm: rounding_mm * (1.0 - cos),
            z_mm: rail.height_mm - rounding_mm * (1.0 - sin),
            by_rounding: (sin + cos - 1.0) / cos,
        }
    }
}

/// How far a rail's foot or upper edge may lie beside where it is looked for, seen by these cameras, mm.
pub(super) fn usual_offset_mm(
    board: &Board,
    rail: &Rail,
    cameras: &[Camera],
    options: &OutlineOptions,
) -> f64 {
    if rail.rounding_mm.is_some() {
        return options.offset_mm;
    }
    let (from, to, outward) = foot(board, rail.side);
    let middle = nalgebra::center(&from, &to);
    let foot = Point3::new(middle.x, middle.y, 0.0);
    let by_rounding = cameras
        .iter()
        .filter(|camera| hides_its_foot(board, rail, camera))
        .map(|camera| {
            GrazedEdge::of(rail, foot, &outward, camera.pose.centre_mm(), options.rounding_mm).by_rounding
        })
        .fold(0.0, f64::max);
    options.offset_mm.hypot(options.rounding_spread_mm * by_rounding)
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
    let scale_mm = camera.mm_per_px(middle).or_else(|| camera.mm_per_px(from));
    let Some(scale_mm) = scale_mm.filter(|scale_mm| shows_a_piece(board, camera, *scale_mm)) else {
        return Vec::new();
    };
    let is_hidden = hides_its_foot(board, rail, camera);
    let rounding_mm = rail.rounding_mm.unwrap_or(options.rounding_mm);
    let eye = camera.pose.centre_mm();
    let count = ((to - from).norm() / (options.spacing_px * scale_mm)).floor() as usize;
    let [image_w, image_h] = camera.image_size.map(f64::from);
    (0..count)
        .filter_map(|i| {
            let share = (i as f64 + 0.5) / count as f64;
            let p = from + (to - from) * share;
            let foot = Point3::new(p.x, p.y, 0.0);
            let at = if is_hidden {
                let edge = GrazedEdge::of(rail, foot, &outward, eye, rounding_mm);
                foot + outward * edge.outward_mm + Vector3::new(0.0, 0.0, edge.z_mm)
            } else {
                foot
            };
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

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;

    fn rail(rounding_mm: Option<f64>) -> Rail {
        let board = Board::named_or_at("carrom-long-board").unwrap();
        Rail { rounding_mm, ..board.rails[0].clone() }
    }

    /// Where on the level of a rail's top the line of sight over a place of its edge goes through, outward of its inner face.
    fn seen_outward_mm(outward_mm: f64, z_mm: f64, eye: Point3<f64>, rail: &Rail) -> f64 {
        let beyond_mm = -eye.x;
        outward_mm + (beyond_mm - outward_mm) * (rail.height_mm - z_mm) / (eye.z - z_mm)
    }

    #[test]
    fn the_line_of_sight_grazes_the_rounding_where_nothing_else_of_it_stands_out() {
        let (foot, outward) = (Point3::new(0.0, 700.0, 0.0), -Vector3::x());
        for (rounding_mm, eye) in
            [(1.5, Point3::new(-300.0, 700.0, 600.0)), (4.0, Point3::new(-30.0, 900.0, 800.0))]
        {
            let rail = rail(Some(rounding_mm));
            let edge = GrazedEdge::of(&rail, foot, &outward, eye, rounding_mm);
            let seen_mm = seen_outward_mm(edge.outward_mm, edge.z_mm, eye, &rail);
            let around = (0..=900).map(|i| f64::from(i).to_radians() / 10.0);
            let innermost_mm = around
                .map(|angle| {
                    let outward_mm = rounding_mm * (1.0 - angle.cos());
                    let z_mm = rail.height_mm - rounding_mm * (1.0 - angle.sin());
                    seen_outward_mm(outward_mm, z_mm, eye, &rail)
                })
                .fold(f64::INFINITY, f64::min);
            assert!((seen_mm - innermost_mm).abs() < 0.01, "{seen_mm} mm, not {innermost_mm}");
            assert!((seen_mm - rounding_mm * edge.by_rounding).abs() < 0.01, "{seen_mm} mm");
        }
    }

    #[test]
    fn a_rounding_that_is_not_known_makes_the_edge_less_certain_the_more_it_is_seen_from_beyond() {
        let board = Board::named_or_at("carrom-long-board").unwrap();
        let options = OutlineOptions::default();
        let camera = |name: &str| {
            let truth = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/photos").join(name);
            crate::evaluate::Truth::load(&truth).unwrap().camera()
        };
        // A court is as wide and as long; it is seen from beyond its left rail.
        let cameras = [camera("court-oblique-phone/000.json")];
        let left = Rail { side: BoardSide::Left, ..rail(None) };
        assert!(hides_its_foot(&board, &left, &cameras[0]));
        assert!(usual_offset_mm(&board, &left, &cameras, &options) > options.offset_mm + 0.1);
        let known = Rail { rounding_mm: Some(1.5), ..left.clone() };
        let right = Rail { side: BoardSide::Right, ..left };
        for rail in [known, right] {
            assert_eq!(usual_offset_mm(&board, &rail, &cameras, &options), options.offset_mm);
        }
    }
}
