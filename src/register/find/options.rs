//! Every threshold of the search.

use super::CornerOptions;
use crate::{board::End, camera::Camera};

crate::options::options! {
    /// How the board is searched for. Pixels are those of the reduced picture unless said otherwise.
    #[derive(Debug, Clone)]
    pub struct FindOptions {
        /// How the surface's own outline is looked for, where the lines are not enough.
        pub outline: crate::outline::OutlineSearch = Default::default(),
        /// Cameras from outlines that are refined at most, the likeliest at a glance (all): fewer are faster where many
        /// boards are tried.
        pub most_outline_cameras: usize = 1000,
        /// The end that is meant when one end of a two-ended board is in view.
        #[serde(skip)]
        pub prefer_end: End = End::Far,
        /// Where both ends are in view and look alike, the one that is lower in the picture is the far one.
        #[serde(skip)]
        pub upside_down: bool = false,
        /// Longer side of the reduced picture, px. More sees finer lines and takes longer.
        pub working_px: u32 = 960,
        /// Pictures with a side shorter than this (px, whole picture) are refused.
        pub min_picture_px: u32 = 100,

        /// Shorter edges are ignored, px: pieces, numerals and grain are made of them.
        pub min_segment_px: f64 = 14.0,
        /// At most this many edges, the longest.
        pub max_segments: usize = 600,
        /// Edges this near to a longer one's line belong to it, px; at least a painted line's width.
        pub join_px: f64 = 5.0,

        /// Lens distortions to try in turn until the board is found convincingly: how far the picture's
        /// corners are drawn inward (negative) or outward, as a share. Each one more costs as much time
        /// again where the board is not there.
        pub bends: Vec<f64> = vec![0.0, -0.12, -0.28],
        /// Share of the marks in view, and of their length, that must be seen to be convincing.
        pub convincing_share: f64 = 0.8,
        /// How far an edge may point beside a vanishing point, degrees. Lenses need some.
        pub direction_tolerance_deg: f64 = 1.5,
        /// Vanishing points come from pairs of this many lines; time grows with the square.
        pub max_direction_lines: usize = 40,
        /// Edges that vote for vanishing points, the longest, and what an edge's vote is worth once a
        /// point it voted for has been taken.
        pub max_direction_voters: usize = 150,
        pub heard_voice: f64 = 0.2,
        /// Vanishing points kept, and pairs of them tried.
        pub max_directions: usize = 12,
        pub max_direction_pairs: usize = 10,
        /// Nearest place of a vanishing point to the picture's middle, in half diagonals.
        pub nearest_vanishing: f64 = 0.6,
        /// How far two vanishing points may be from right angles, degrees.
        pub right_angle_tolerance_deg: f64 = 4.0,
        /// Flattest view: the angle between the camera's axis and straight down, degrees.
        pub max_tilt_deg: f64 = 62.0,
        /// Shortest and longest focal length tried, in half diagonals, and the factor between two.
        pub focal_range: (f64, f64) = (0.6, 4.0),
        pub focal_factor: f64 = 1.25,
        /// The likeliest focal length, in half diagonals: 1.3 is a phone's main camera; fixed cameras
        /// that look straight down are often longer.
        pub likely_focal: f64 = 1.6,
        /// Two focal lengths are one when shapes on the plane differ by less than this share.
        pub alike_shape: f64 = 0.02,

        /// How far an edge may be from parallel on the plane, degrees.
        pub parallel_tolerance_deg: f64 = 3.0,
        /// Positions across the plane, and how far off an edge may be in the picture, in half diagonals.
        pub profile_bins: usize = 500,
        pub profile_reach: f64 = 0.013,
        /// Edge length that counts as two thirds of a line, in half diagonals.
        pub long_edge: f64 = 0.12,
        /// What a level in view without an edge costs, where a long edge gains 1.
        pub missing_level_cost: f64 = 0.35,
        /// Positions tried as the board's levels; scales and offsets kept for each orientation.
        pub max_peaks: usize = 12,
        pub max_scales: usize = 30,
        pub max_offsets: usize = 3,
        pub max_placements: usize = 200,
        /// The camera's height above the board, mm.
        pub min_height_mm: f64 = 200.0,
        pub max_height_mm: f64 = 8000.0,

        /// Places of the board that are looked at.
        pub samples: usize = 300,
        /// What an outline or rail counts next to paint.
        pub outline_weight: f64 = 0.5,
        /// How near an edge must be to a mark to explain it, px.
        pub edge_reach_px: f64 = 4.0,
        /// Marks closer than this tell the same thing, px.
        pub independent_px: f64 = 12.0,
        /// Share of the marks expected to be seen on the right board: wear, pieces and hands hide some.
        pub expected_hits: f64 = 0.75,
        /// Limits of the estimated share that chance would hit.
        pub chance_limits: (f64, f64) = (0.03, 0.6),
        /// Hypotheses whose marks differ by less than this are one, px.
        pub close_px: f64 = 6.0,

        /// Hypotheses that are looked at in the grey picture, and how far off their marks may be, px.
        pub max_looked_at: usize = 150,
        pub look_reach_px: f64 = 5.0,
        /// How far apart along a mark such looks are, px: fewer are faster, and more are lost.
        pub glance_px: f64 = 24.0,
        /// Share of the marks that chance is taken to hit when they are looked at so.
        pub glance_chance: f64 = 0.1,
        /// Samples on which what was found is polished once more, and how far that looks, px.
        pub final_samples: usize = 1500,
        pub final_reaches_px: Vec<f64> = vec![2.0, 2.0, 1.5, 1.5],
        /// Hypotheses polished, and how far each round looks for a mark, px.
        pub max_polished: usize = 12,
        pub polish_reaches_px: Vec<f64> = vec![8.0, 7.0, 6.0, 5.0, 5.0, 4.0, 3.0, 2.5, 2.0, 2.0],
        /// Rounds in which only the pose is free.
        pub pose_rounds: usize = 4,
        /// Expected error of a mark's place, px, against which the priors below are weighed.
        pub mark_sigma_px: f64 = 1.0,
        /// Prior standard deviation of the focal length's logarithm, and of the distortion at the
        /// picture's corners as a share.
        pub focal_sigma: f64 = 0.3,
        pub bend_sigma: f64 = 0.06,
        /// Where the surface beside a painted line is read, px from the paint's edge.
        pub beside_px: f64 = 1.5,
        /// A mark's contrast must exceed this many standard deviations of noise, plus a number of grey
        /// values, plus a share of the surface's.
        pub noise_sigmas: f64 = 3.0,
        pub least_contrast: f64 = 1.5,
        pub least_relative_contrast: f64 = 0.02,

        /// How near a mark must be to count as seen in the end, px, and how far beside it the same
        /// test is made to learn what chance gives.
        pub verdict_reach_px: f64 = 1.5,
        pub decoy_gap_px: f64 = 7.5,
        /// Parallel profiles that the final look averages along a straight mark, and their distance, px.
        pub verdict_lines: usize = 5,
        pub line_gap_px: f64 = 2.5,
        /// A mark must show more strongly than this share of the places beside it.
        pub usual_decoys: f64 = 0.85,
        /// Independent samples in view from which on a mark counts as in view.
        pub least_mark_in_view: f64 = 2.0,
        /// How much wider than expected a painted line may look: a factor, and px that blur adds.
        pub widest: f64 = 1.5,
        pub widened_px: f64 = 1.5,
        /// Shorter lines on the surface need no explanation, px; how near a mark explains one, px; and
        /// how strong a line must be, as a share of the board's own.
        pub least_line_px: f64 = 25.0,
        pub explained_px: f64 = 4.0,
        pub strong_line_share: f64 = 0.4,
        /// Places along an edge where it is tested whether it belongs to a painted line, and the share of them that
        /// must show one.
        pub line_tests: usize = 7,
        pub line_tests_share: f64 = 0.7,
        /// Most of the lines on the surface that the board may not have, as a share.
        pub most_unexplained: f64 = 0.35,
        /// To be found: nats against chance, share of the paint in view that is seen, and how far that
        /// exceeds chance, marks seen. Lower finds more hidden boards and more that are not there.
        pub least_score: f64 = 50.0,
        pub least_seen: f64 = 0.6,
        pub least_over_chance: f64 = 0.3,
        pub least_marks: usize = 3,
        /// Marks that must be seen of a board without painted lines: a plain outline is found in any
        /// tray or table.
        pub least_outline_marks: usize = 5,
        /// Share of the marks in view of which most must be seen.
        pub least_marks_share: f64 = 0.7,
        /// Share of the outlines and rails in view that must be seen of a board with paint. More tells boards with
        /// the same lines apart, and loses those whose sides are covered.
        pub least_outline_seen: f64 = 0.6,
        /// Least size of what is in view of the board, as a share of the picture's diagonal.
        pub least_extent: f64 = 0.2,
        /// Scores that differ by less than this share do not decide: of these the camera comes first that misses
        /// least of what it expects in view. Shadows beside rails make as many edges as the rails.
        pub alike_scores: f64 = 0.02,
        /// Cameras returned at most.
        pub max_found: usize = 3,
        /// What corners that a person gives are worth.
        pub corners: CornerOptions = CornerOptions::default(),
    }
}

impl FindOptions {
    /// Whether a camera sees the board from a height and at a slant at which boards are looked for.
    pub(in crate::register) fn is_likely_view(&self, camera: &Camera) -> bool {
        let height_mm = camera.pose.centre_mm().z;
        let is_steep = -camera.pose.rotation.matrix()[(2, 2)] > self.max_tilt_deg.to_radians().cos();
        is_steep && (self.min_height_mm..=self.max_height_mm).contains(&height_mm)
    }

    /// Focal lengths to try, in half diagonals, the likeliest first.
    pub(crate) fn focal_lengths(&self) -> Vec<f64> {
        let (low, high) = self.focal_range;
        let factor = self.focal_factor.max(1.01);
        let mut lengths: Vec<f64> =
            std::iter::successors(Some(low), |f| Some(f * factor)).take_while(|&f| f <= high).collect();
        let unlikely = |f: f64| (f / self.likely_focal).ln().abs();
        lengths.sort_by(|&a, &b| unlikely(a).total_cmp(&unlikely(b)));
        lengths
    }
}
