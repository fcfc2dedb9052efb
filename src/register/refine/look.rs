//! Looks for the board's paint where a camera expects it.
//!
//! In: pictures and cameras. Out: [`Observation`]s, and how many places were looked at. Also what
//! could be seen at best, to know beforehand whether the lines suffice.

use nalgebra::{Point3, Vector2, Vector3};

use super::{
    RefineOptions, View, bare_sides,
    fit::Observation,
    outline,
    profile::{Cut, Profile},
    stations::{self, Station},
};
use crate::{
    board::{Board, Line},
    camera::Camera,
    capture::{ChannelTables, weighted_light},
    geometry::Point,
};

/// What is used of a board's outline besides its lines.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum OutlineUse {
    /// The lines suffice.
    Nothing,
    /// The borders of its rails, as the board file describes them.
    Rails,
    /// Its sides, as the picture shows them.
    Sides,
}

impl OutlineUse {
    /// `is_open`: whether the lines alone leave a place on the surface open.
    pub fn of(board: &Board, is_open: bool, options: &RefineOptions) -> Self {
        match (is_open, bare_sides::are_looked_for(board, &options.sides)) {
            (false, _) => Self::Nothing,
            (true, true) => Self::Sides,
            (true, false) => Self::Rails,
        }
    }
}

/// What was looked for and what was found.
#[derive(Default)]
pub(super) struct Looked {
    /// Of lines, then of rails.
    pub found: Vec<Observation>,
    /// For each line, stations in view, whether paint was found there or not.
    pub in_view: Vec<usize>,
    /// Places of the surface's sides that were looked at.
    pub side_places: usize,
    /// How many stations a narrow search would look at for each one that this one did.
    pub thinned: f64,
}

impl Looked {
    /// Stations of all lines in view.
    pub fn places(&self) -> usize {
        self.in_view.iter().sum()
    }
}

pub(super) fn look(
    views: &[View],
    board: &Board,
    cameras: &[Camera],
    search_px: f64,
    outline_use: OutlineUse,
    options: &RefineOptions,
) -> Looked {
    let mut looked = Looked { in_view: vec![0; board.lines.len()], thinned: 1.0, ..Looked::default() };
    let mut profile = Profile::default();
    let light = lights_of(board);
    let apart_mm: Vec<f64> =
        (0..board.lines.len()).map(|line| stations::nearest_parallel_mm(board, line)).collect();
    for view in views {
        let camera = &cameras[view.pose];
        let spacing_px = options.spacing_px.max(search_px * options.spacing_of_search);
        looked.thinned = spacing_px / options.spacing_px;
        let (stations, spacing_px) = stations_in_view(board, camera, spacing_px, options);
        let scale_mm = typical_mm_per_px(board, camera).unwrap_or(1.0);
        let narrowest_px = options.search_px.last().copied().unwrap_or(search_px);
        for station in stations {
            let Some(sight) = Sight::of(camera, &station) else { continue };
            looked.in_view[station.line] += 1;
            // Halfway to a parallel line at most: beyond, it is that line which would be found.
            let halfway_px = apart_mm[station.line] / scale_mm / 2.0;
            let search_px = search_px.min(halfway_px.max(narrowest_px));
            let light = &light[station.line];
            let crossing = profile.find_paint(view.picture, &sight.cut, light, search_px, &options.profile);
            let Some(crossing) = crossing else { continue };
            let share = (spacing_px / options.correlation_px).min(1.0);
            looked.found.push(sight.observation(view.pose, &station, crossing.middle_px(), share));
        }
        match outline_use {
            OutlineUse::Nothing => {}
            OutlineUse::Rails => looked.found.extend(outline::look_for_rails(
                view,
                board,
                camera,
                board.lines.len(),
                search_px,
                options.correlation_px,
                &options.outline,
            )),
            OutlineUse::Sides => {
                let seen = bare_sides::look_for_sides(
                    view,
                    board,
                    camera,
                    board.lines.len() + board.rails.len(),
                    search_px,
                    options.correlation_px,
                    &options.sides,
                );
                looked.found.extend(seen.found);
                looked.side_places += seen.places;
            }
        }
    }
    looked
}

/// For each line, tables of the light in which the surface is brighter than its paint.
pub(super) fn lights_of(board: &Board) -> Vec<ChannelTables> {
    let weights = |line: &Line| stations::contrast_weights(board.surface.colour, line);
    board.lines.iter().map(|line| weighted_light(weights(line))).collect()
}

/// What would be seen if every line in view were found exactly where it is expected.
pub(super) fn expected(
    views: &[View],
    board: &Board,
    cameras: &[Camera],
    options: &RefineOptions,
) -> Vec<Observation> {
    views.iter().flat_map(|view| expected_by(view.pose, &cameras[view.pose], board, options)).collect()
}

/// The same for one camera.
pub(super) fn expected_by(
    pose: usize,
    camera: &Camera,
    board: &Board,
    options: &RefineOptions,
) -> Vec<Observation> {
    let (stations, spacing_px) = stations_in_view(board, camera, options.spacing_px, options);
    let share = (spacing_px / options.correlation_px).min(1.0);
    let observation =
        |station: &Station| Some(Sight::of(camera, station)?.observation(pose, station, 0.0, share));
    stations.iter().filter_map(observation).collect()
}

/// A station as a camera sees it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Sight {
    pub cut: Cut,
    edges: [Point3<f64>; 2],
}

impl Sight {
    /// Paint seen `offset_px` beside its expected place.
    fn observation(&self, pose: usize, station: &Station, offset_px: f64, share: f64) -> Observation {
        Observation {
            pose,
            edges: self.edges,
            seen: self.cut.centre + self.cut.across * offset_px,
            across: self.cut.across,
            group: station.line,
            normal: Vector3::new(station.normal.x, station.normal.y, 0.0),
            offset_basis: station.offset_basis,
            share,
        }
    }

    pub fn of(camera: &Camera, station: &Station) -> Option<Sight> {
        let half = station.normal * (station.width_mm / 2.0);
        let edges = [station.middle - half, station.middle + half].map(|p| Point3::new(p.x, p.y, 0.0));
        let [a, b] = [camera.project(edges[0])?, camera.project(edges[1])?];
        let centre = nalgebra::center(&a.pixel, &b.pixel);
        let along_board = Vector3::new(-station.normal.y, station.normal.x, 0.0);
        let along: Vector2<f64> = a.by_point * along_board;
        let across = Vector2::new(-along.y, along.x).try_normalize(f64::MIN_POSITIVE)?;
        // From the first edge to the second, whichever way the picture is turned.
        let width_px = across.dot(&(b.pixel - a.pixel));
        let across = if width_px < 0.0 { -across } else { across };
        let [w, h] = camera.image_size.map(f64::from);
        let inside = centre.x >= 0.0 && centre.y >= 0.0 && centre.x < w && centre.y < h;
        inside.then_some(Sight { cut: Cut { centre, across, width_px: width_px.abs() }, edges })
    }
}

/// Stations that the camera sees, and their distance along the lines in pixels.
pub(super) fn stations_in_view(
    board: &Board,
    camera: &Camera,
    spacing_px: f64,
    options: &RefineOptions,
) -> (Vec<Station>, f64) {
    let Some(scale_mm) = typical_mm_per_px(board, camera) else { return (Vec::new(), spacing_px) };
    let clearance_px = options.profile.side_px + options.profile.blur_px;
    let place = |spacing_px: f64| {
        let mut all = stations::stations(board, spacing_px * scale_mm, clearance_px * scale_mm);
        all.retain(|station| {
            camera.image_from_board(station.middle.x, station.middle.y, 0.0).is_some_and(|p| {
                p.x >= 0.0
                    && p.y >= 0.0
                    && p.x < f64::from(camera.image_size[0])
                    && p.y < f64::from(camera.image_size[1])
            })
        });
        all
    };
    let stations = place(spacing_px);
    if stations.len() <= options.max_stations {
        return (stations, spacing_px);
    }
    let wider_px = spacing_px * stations.len() as f64 / options.max_stations as f64;
    (place(wider_px), wider_px)
}

/// Median scale over the part of the surface that is in view.
fn typical_mm_per_px(board: &Board, camera: &Camera) -> Option<f64> {
    let mut scales: Vec<f64> = surface_in_view(board, camera)
        .into_iter()
        .filter_map(|p| camera.mm_per_px(p))
        .filter(|scale| scale.is_finite())
        .collect();
    scales.sort_by(f64::total_cmp);
    scales.get(scales.len() / 2).copied()
}

/// A grid over the surface, as far as it is in the picture.
pub(crate) fn surface_in_view(board: &Board, camera: &Camera) -> Vec<Point> {
    /// Grid places along the shorter side.
    const ACROSS: usize = 8;
    let (width, length) = (board.surface.width_mm, board.surface.length_mm);
    let cell_mm = width.min(length) / ACROSS as f64;
    let places = |size_mm: f64| {
        let count = ((size_mm / cell_mm).round() as usize).max(1);
        (0..=count).map(move |i| size_mm * i as f64 / count as f64)
    };
    let [w, h] = camera.image_size.map(f64::from);
    places(length)
        .flat_map(|y| places(width).map(move |x| Point::new(x, y)))
        .filter(|p| {
            camera
                .image_from_board(p.x, p.y, 0.0)
                .is_some_and(|at| at.x >= 0.0 && at.y >= 0.0 && at.x <= w - 1.0 && at.y <= h - 1.0)
        })
        .collect()
}
