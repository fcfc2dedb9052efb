//! Whether a fixed camera still stands where it stood.
//!
//! In: a camera, prepared once; then picture after picture. Out: a [`CameraCheck`] each. A near
//! look asks at few places whether the paint is where it should be, and how the picture would have
//! to move as a whole for all of them. That is enough for a camera that stands still. Whatever it
//! cannot vouch for is looked at widely, and the pose is fitted.

use nalgebra::{SMatrix, SVector, Vector2};

use super::{
    Fit, RefineOptions, View, check_enough, check_sizes, fit, fit_options_of, groups_of, is_something_open,
    look::{self, OutlineUse, Sight},
    moved_px,
    outline::{self, RailSight},
    priors_of,
    profile::{Cut, Profile},
    size_scale, surface_in_view,
};
use crate::{
    board::Board,
    camera::{Camera, Pixel},
    capture::{ChannelTables, Picture},
};

/// What became of a fixed camera.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct CameraCheck {
    /// How far the board has moved in the picture, at most, px.
    pub moved_px: f64,
    /// Share of the places in view where paint was found.
    pub found_share: f64,
}

/// A fixed camera, prepared for checks.
#[derive(Debug, Clone)]
pub struct CameraWatch {
    camera: Camera,
    options: RefineOptions,
    /// Where paint is looked for, with its line.
    cuts: Vec<(usize, Cut)>,
    /// Tables a line.
    lights: Vec<ChannelTables>,
    /// Where rails are looked for, on boards whose lines alone leave something open.
    rails: Vec<RailSight>,
    use_rails: bool,
    /// Places all over the surface, as the camera sees them.
    surface: Vec<Pixel>,
}

/// Whether a fixed camera still sees the board's lines where it should: a light look at few
/// stations, for every settled view of a live game. `None` where too little of the lines is to be
/// seen to tell (a hand over the board, lights out, or a camera that was turned away). For many
/// pictures of one camera, keep a [`CameraWatch`].
pub fn check_camera(
    picture: &Picture,
    board: &Board,
    camera: &Camera,
    options: &RefineOptions,
) -> Option<CameraCheck> {
    CameraWatch::new(board, camera, options).check(picture, board)
}

impl CameraWatch {
    pub fn new(board: &Board, camera: &Camera, options: &RefineOptions) -> Self {
        let options = &options.for_board(board);
        let (stations, _) = look::stations_in_view(board, camera, options.spacing_px, options);
        let cuts = stations
            .iter()
            .filter_map(|station| Some((station.line, Sight::of(camera, station)?.cut)))
            .collect();
        let cameras = [*camera];
        let fit = Fit::start(cameras.to_vec(), groups_of(board, &[], &cameras, options));
        let priors = priors_of(&cameras, &[None], Some(camera.lens), options);
        let expected = look::expected_by(0, camera, board, options);
        let use_rails = is_something_open(&expected, board, &fit, &priors, &fit_options_of(options), options);
        let mut rails =
            if use_rails { outline::rail_sights(board, camera, &options.outline) } else { Vec::new() };
        let stride = rails.len().div_ceil(options.check_rail_places.max(1)).max(1);
        rails = rails.into_iter().skip(stride / 2).step_by(stride).collect();
        let surface = surface_in_view(board, camera)
            .into_iter()
            .filter_map(|p| camera.image_from_board(p.x, p.y, 0.0))
            .collect();
        Self {
            camera: *camera,
            options: options.clone(),
            cuts,
            lights: look::lights_of(board),
            rails,
            use_rails,
            surface,
        }
    }

    /// Checks one picture. `board` is the one the watch was made for.
    pub fn check(&self, picture: &Picture, board: &Board) -> Option<CameraCheck> {
        check_sizes(&[View { picture, pose: 0 }], board, &[self.camera]).ok()?;
        self.near_look(picture).or_else(|| self.wide_look(picture, board))
    }

    /// A camera that plainly stands still; `None` where a near look cannot vouch for that.
    fn near_look(&self, picture: &Picture) -> Option<CameraCheck> {
        let options = &self.options;
        let search_px = options.check_near_px * size_scale(self.camera.image_size);
        let mut profile = Profile::default();
        let near = super::ProfileOptions { parallel_profiles: 1, ..options.profile.clone() };
        let mut shifts: Vec<Shift> = Vec::with_capacity(self.cuts.len() + self.rails.len());
        for (line, cut) in &self.cuts {
            if let Some(crossing) = profile.find_paint(picture, cut, &self.lights[*line], search_px, &near) {
                shifts.push(Shift { at: cut.centre, across: cut.across, by_px: crossing.middle_px() });
            }
        }
        let found_share = shifts.len() as f64 / self.cuts.len().max(1) as f64;
        if shifts.len() < options.min_edges || found_share < options.check_near_share {
            return None;
        }
        let lines = shifts.len();
        let rails = outline::as_shown(self.rails.clone(), picture, &options.outline);
        shifts.extend(rails.iter().filter_map(|rail| {
            let by_px = rail.find(picture, search_px, &options.outline)?;
            // What lies farther away is for the wide look.
            (by_px.abs() <= search_px).then_some(Shift { at: rail.centre, across: rail.across, by_px })
        }));
        let rails_found = (shifts.len() - lines) as f64;
        if rails_found < options.check_near_share * self.rails.len() as f64 {
            return None;
        }
        let moved = Movement::explaining(&shifts, self.camera.image_size, search_px)?;
        let moved_px = self.surface.iter().map(|&p| moved.at(p).norm()).fold(0.0, f64::max);
        (moved_px <= options.check_still_px).then_some(CameraCheck { moved_px, found_share })
    }

    /// Looks as far as a bumped camera may have moved, and fits its pose.
    fn wide_look(&self, picture: &Picture, board: &Board) -> Option<CameraCheck> {
        let options = &self.options;
        let (views, cameras) = ([View { picture, pose: 0 }], [self.camera]);
        let search_px = options.check_search_px * size_scale(self.camera.image_size);
        let looked = look::look(
            &views,
            board,
            &cameras,
            search_px,
            OutlineUse::of(board, self.use_rails, options),
            options,
        );
        check_enough(&looked, board, options).ok()?;
        if looked.found.len() < options.min_edges {
            return None;
        }
        // The lens of a fixed camera stays; only its pose may move.
        let priors = priors_of(&cameras, &[None], Some(self.camera.lens), options);
        let mut fit = Fit::start(cameras.to_vec(), groups_of(board, &[], &cameras, options));
        fit::solve(&mut fit, &looked.found, &cameras, &priors, false, 1, &fit_options_of(options))?;
        let found_share = looked.found.len() as f64 / looked.places().max(1) as f64;
        Some(CameraCheck { moved_px: moved_px(board, &cameras, &fit.cameras), found_share })
    }
}

/// Paint or a border seen beside its expected place.
struct Shift {
    at: Pixel,
    across: Vector2<f64>,
    by_px: f64,
}

/// Numbers of an affine movement: a shift of u that grows along u and v, and one of v.
const FREE: usize = 6;

/// How a picture as a whole has moved: a small turn, shift or tilt of the camera is nearly affine.
struct Movement {
    numbers: SVector<f64, FREE>,
    middle: Vector2<f64>,
    half_px: f64,
}

impl Movement {
    /// The movement that explains most shifts. What they leave open is taken as still, to about
    /// `usual_px`.
    fn explaining(shifts: &[Shift], [width, height]: [u32; 2], usual_px: f64) -> Option<Self> {
        /// Rounds of reweighting; they settle within a few.
        const ROUNDS: usize = 3;
        /// Least spread of the shifts, px.
        const FLOOR_PX: f64 = 0.1;
        /// Standard deviation of a normal distribution, in median absolute deviations.
        const SIGMA_PER_MEDIAN: f64 = 1.4826;
        let (w, h) = (f64::from(width), f64::from(height));
        let mut movement =
            Self { numbers: SVector::zeros(), middle: Vector2::new(w, h) / 2.0, half_px: w.max(h) / 2.0 };
        let mut misses: Vec<f64> = Vec::with_capacity(shifts.len());
        for _ in 0..ROUNDS {
            misses.clear();
            misses.extend(shifts.iter().map(|s| (s.by_px - s.across.dot(&movement.at(s.at))).abs()));
            let mut sorted = misses.clone();
            let middle = sorted.len() / 2;
            let median = *sorted.select_nth_unstable_by(middle, f64::total_cmp).1;
            let sigma_px = (SIGMA_PER_MEDIAN * median).max(FLOOR_PX);
            let prior = (sigma_px / usual_px).powi(2);
            let mut normal = SMatrix::<f64, FREE, FREE>::identity() * prior;
            let mut right = SVector::<f64, FREE>::zeros();
            for (shift, miss) in shifts.iter().zip(&misses) {
                let weight = 1.0 / (1.0 + (miss / (2.0 * sigma_px)).powi(2)).powi(2);
                let [a, b] = movement.place(shift.at);
                let (x, y) = (shift.across.x, shift.across.y);
                let row = SVector::from([x, x * a, x * b, y, y * a, y * b]);
                normal.ger(weight, &row, &row, 1.0);
                right += row * (weight * shift.by_px);
            }
            movement.numbers = normal.cholesky()?.solve(&right);
        }
        Some(movement)
    }

    /// A pixel, from the picture's middle in units of half its longer side.
    fn place(&self, at: Pixel) -> [f64; 2] {
        let from_middle = (at.coords - self.middle) / self.half_px;
        [from_middle.x, from_middle.y]
    }

    fn at(&self, at: Pixel) -> Vector2<f64> {
        let ([a, b], n) = (self.place(at), &self.numbers);
        Vector2::new(n[0] + n[1] * a + n[2] * b, n[3] + n[4] * a + n[5] * b)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_movement_is_found_though_some_places_mislead() {
        let size = [1920, 1080];
        let truth = |p: Pixel| Vector2::new(1.2 - 0.0006 * p.y, -0.4 + 0.0006 * p.x);
        let shifts: Vec<Shift> = (0..120)
            .map(|i| {
                let at = Pixel::new(f64::from(i % 12) * 150.0 + 60.0, f64::from(i / 12) * 100.0 + 40.0);
                let across = if i % 3 == 0 { Vector2::x() } else { Vector2::y() };
                let misled = if i % 10 == 0 { 2.5 } else { 0.0 };
                Shift { at, across, by_px: across.dot(&truth(at)) + misled }
            })
            .collect();
        let movement = Movement::explaining(&shifts, size, 3.0).expect("enough places");
        for at in [Pixel::new(0.0, 0.0), Pixel::new(1919.0, 0.0), Pixel::new(900.0, 1079.0)] {
            let miss_px = (movement.at(at) - truth(at)).norm();
            assert!(miss_px < 0.05, "{at}: {miss_px}");
        }
    }

    #[test]
    fn what_no_place_tells_is_taken_as_still() {
        let shifts: Vec<Shift> = (0..60)
            .map(|i| Shift { at: Pixel::new(500.0, f64::from(i) * 15.0), across: Vector2::y(), by_px: 0.2 })
            .collect();
        let movement = Movement::explaining(&shifts, [1920, 1080], 3.0).expect("enough places");
        let at_left = movement.at(Pixel::new(500.0, 300.0));
        assert!(at_left.x.abs() < 1e-9 && (at_left.y - 0.2).abs() < 0.01, "{at_left}");
    }
}
