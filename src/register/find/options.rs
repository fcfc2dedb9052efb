//! Every threshold of the search.

use super::CornerOptions;
use crate::board::End;

/// How the board is searched for. Pixels are those of the reduced picture unless said otherwise.
#[derive(Debug, Clone)]
pub struct FindOptions {
    /// How the surface's own outline is looked for, where the lines are not enough.
    pub outline: crate::outline::OutlineSearch,
    /// The end that is meant when one end of a two-ended board is in view.
    pub prefer_end: End,
    /// Where both ends are in view and look alike, the one that is lower in the picture is the far one.
    pub upside_down: bool,
    /// Longer side of the reduced picture, px. More sees finer lines and takes longer.
    pub working_px: u32,
    /// Pictures with a side shorter than this (px, whole picture) are refused.
    pub min_picture_px: u32,

    /// Shorter edges are ignored, px: pieces, numerals and grain are made of them.
    pub min_segment_px: f64,
    /// At most this many edges, the longest.
    pub max_segments: usize,
    /// Edges this near to a longer one's line belong to it, px; at least a painted line's width.
    pub join_px: f64,

    /// Lens distortions to try in turn until the board is found convincingly: how far the picture's
    /// corners are drawn inward (negative) or outward, as a share. Each one more costs as much time
    /// again where the board is not there.
    pub bends: Vec<f64>,
    /// Share of the marks in view, and of their length, that must be seen to be convincing.
    pub convincing_share: f64,
    /// How far an edge may point beside a vanishing point, degrees. Lenses need some.
    pub direction_tolerance_deg: f64,
    /// Vanishing points come from pairs of this many lines; time grows with the square.
    pub max_direction_lines: usize,
    /// Edges that vote for vanishing points, the longest, and what an edge's vote is worth once a
    /// point it voted for has been taken.
    pub max_direction_voters: usize,
    pub heard_voice: f64,
    /// Vanishing points kept, and pairs of them tried.
    pub max_directions: usize,
    pub max_direction_pairs: usize,
    /// Nearest place of a vanishing point to the picture's middle, in half diagonals.
    pub nearest_vanishing: f64,
    /// How far two vanishing points may be from right angles, degrees.
    pub right_angle_tolerance_deg: f64,
    /// Flattest view: the angle between the camera's axis and straight down, degrees.
    pub max_tilt_deg: f64,
    /// Shortest and longest focal length tried, in half diagonals, and the factor between two.
    pub focal_range: (f64, f64),
    pub focal_factor: f64,
    /// The likeliest focal length, in half diagonals: 1.3 is a phone's main camera; fixed cameras
    /// that look straight down are often longer.
    pub likely_focal: f64,
    /// Two focal lengths are one when shapes on the plane differ by less than this share.
    pub alike_shape: f64,

    /// How far an edge may be from parallel on the plane, degrees.
    pub parallel_tolerance_deg: f64,
    /// Positions across the plane, and how far off an edge may be in the picture, in half diagonals.
    pub profile_bins: usize,
    pub profile_reach: f64,
    /// Edge length that counts as two thirds of a line, in half diagonals.
    pub long_edge: f64,
    /// What a level in view without an edge costs, where a long edge gains 1.
    pub missing_level_cost: f64,
    /// Positions tried as the board's levels; scales and offsets kept for each orientation.
    pub max_peaks: usize,
    pub max_scales: usize,
    pub max_offsets: usize,
    pub max_placements: usize,
    /// The camera's height above the board, mm.
    pub min_height_mm: f64,
    pub max_height_mm: f64,

    /// Places of the board that are looked at.
    pub samples: usize,
    /// What an outline or rail counts next to paint.
    pub outline_weight: f64,
    /// How near an edge must be to a mark to explain it, px.
    pub edge_reach_px: f64,
    /// Marks closer than this tell the same thing, px.
    pub independent_px: f64,
    /// Share of the marks expected to be seen on the right board: wear, pieces and hands hide some.
    pub expected_hits: f64,
    /// Limits of the estimated share that chance would hit.
    pub chance_limits: (f64, f64),
    /// Hypotheses whose marks differ by less than this are one, px.
    pub close_px: f64,

    /// Hypotheses that are looked at in the grey picture, and how far off their marks may be, px.
    pub max_looked_at: usize,
    pub look_reach_px: f64,
    /// How far apart along a mark such looks are, px: fewer are faster, and more are lost.
    pub glance_px: f64,
    /// Share of the marks that chance is taken to hit when they are looked at so.
    pub glance_chance: f64,
    /// Samples on which what was found is polished once more, and how far that looks, px.
    pub final_samples: usize,
    pub final_reaches_px: Vec<f64>,
    /// Hypotheses polished, and how far each round looks for a mark, px.
    pub max_polished: usize,
    pub polish_reaches_px: Vec<f64>,
    /// Rounds in which only the pose is free.
    pub pose_rounds: usize,
    /// Expected error of a mark's place, px, against which the priors below are weighed.
    pub mark_sigma_px: f64,
    /// Prior standard deviation of the focal length's logarithm, and of the distortion at the
    /// picture's corners as a share.
    pub focal_sigma: f64,
    pub bend_sigma: f64,
    /// Where the surface beside a painted line is read, px from the paint's edge.
    pub beside_px: f64,
    /// A mark's contrast must exceed this many standard deviations of noise, plus a number of grey
    /// values, plus a share of the surface's.
    pub noise_sigmas: f64,
    pub least_contrast: f64,
    pub least_relative_contrast: f64,

    /// How near a mark must be to count as seen in the end, px, and how far beside it the same
    /// test is made to learn what chance gives.
    pub verdict_reach_px: f64,
    pub decoy_gap_px: f64,
    /// Parallel profiles that the final look averages along a straight mark, and their distance, px.
    pub verdict_lines: usize,
    pub line_gap_px: f64,
    /// A mark must show more strongly than this share of the places beside it.
    pub usual_decoys: f64,
    /// Independent samples in view from which on a mark counts as in view.
    pub least_mark_in_view: f64,
    /// How much wider than expected a painted line may look: a factor, and px that blur adds.
    pub widest: f64,
    pub widened_px: f64,
    /// Shorter lines on the surface need no explanation, px; how near a mark explains one, px; and
    /// how strong a line must be, as a share of the board's own.
    pub least_line_px: f64,
    pub explained_px: f64,
    pub strong_line_share: f64,
    /// Places along an edge where it is tested whether it belongs to a painted line, and the share of them that
    /// must show one.
    pub line_tests: usize,
    pub line_tests_share: f64,
    /// Most of the lines on the surface that the board may not have, as a share.
    pub most_unexplained: f64,
    /// To be found: nats against chance, share of the paint in view that is seen, and how far that
    /// exceeds chance, marks seen. Lower finds more hidden boards and more that are not there.
    pub least_score: f64,
    pub least_seen: f64,
    pub least_over_chance: f64,
    pub least_marks: usize,
    /// Marks that must be seen of a board without painted lines: a plain outline is found in any
    /// tray or table.
    pub least_outline_marks: usize,
    /// Share of the marks in view of which most must be seen.
    pub least_marks_share: f64,
    /// Share of the outlines and rails in view that must be seen of a board with paint. More tells boards with
    /// the same lines apart, and loses those whose sides are covered.
    pub least_outline_seen: f64,
    /// Least size of what is in view of the board, as a share of the picture's diagonal.
    pub least_extent: f64,
    /// Scores that differ by less than this share do not decide: of these the camera comes first that misses
    /// least of what it expects in view. Shadows beside rails make as many edges as the rails.
    pub alike_scores: f64,
    /// Cameras returned at most.
    pub max_found: usize,
    /// What corners that a person gives are worth.
    pub corners: CornerOptions,
}

impl Default for FindOptions {
    fn default() -> Self {
        Self {
            outline: Default::default(),
            prefer_end: End::Far,
            upside_down: false,
            working_px: 960,
            min_picture_px: 100,
            min_segment_px: 14.0,
            max_segments: 600,
            join_px: 5.0,
            bends: vec![0.0, -0.12, -0.28],
            convincing_share: 0.8,
            direction_tolerance_deg: 1.5,
            max_direction_lines: 40,
            max_direction_voters: 150,
            heard_voice: 0.2,
            max_directions: 12,
            max_direction_pairs: 10,
            nearest_vanishing: 0.6,
            right_angle_tolerance_deg: 4.0,
            max_tilt_deg: 62.0,
            focal_range: (0.6, 4.0),
            focal_factor: 1.25,
            likely_focal: 1.6,
            alike_shape: 0.02,
            parallel_tolerance_deg: 3.0,
            profile_bins: 500,
            profile_reach: 0.013,
            long_edge: 0.12,
            missing_level_cost: 0.35,
            max_peaks: 12,
            max_scales: 30,
            max_offsets: 3,
            max_placements: 200,
            min_height_mm: 200.0,
            max_height_mm: 8000.0,
            samples: 300,
            outline_weight: 0.5,
            edge_reach_px: 4.0,
            independent_px: 12.0,
            expected_hits: 0.75,
            chance_limits: (0.03, 0.6),
            close_px: 6.0,
            max_looked_at: 150,
            look_reach_px: 5.0,
            glance_px: 24.0,
            glance_chance: 0.1,
            final_samples: 1500,
            final_reaches_px: vec![2.0, 2.0, 1.5, 1.5],
            max_polished: 12,
            polish_reaches_px: vec![8.0, 7.0, 6.0, 5.0, 5.0, 4.0, 3.0, 2.5, 2.0, 2.0],
            pose_rounds: 4,
            mark_sigma_px: 1.0,
            focal_sigma: 0.3,
            bend_sigma: 0.06,
            beside_px: 1.5,
            noise_sigmas: 3.0,
            least_contrast: 1.5,
            least_relative_contrast: 0.02,
            verdict_reach_px: 1.5,
            decoy_gap_px: 7.5,
            verdict_lines: 5,
            line_gap_px: 2.5,
            usual_decoys: 0.85,
            least_mark_in_view: 2.0,
            widest: 1.5,
            widened_px: 1.5,
            least_line_px: 25.0,
            explained_px: 4.0,
            strong_line_share: 0.4,
            line_tests: 7,
            line_tests_share: 0.7,
            most_unexplained: 0.35,
            least_score: 50.0,
            least_seen: 0.6,
            least_over_chance: 0.3,
            least_marks: 3,
            least_outline_marks: 5,
            least_marks_share: 0.7,
            least_outline_seen: 0.6,
            least_extent: 0.2,
            alike_scores: 0.02,
            max_found: 3,
            corners: CornerOptions::default(),
        }
    }
}

impl FindOptions {
    /// Focal lengths to try, in half diagonals, the likeliest first.
    pub(in crate::register) fn focal_lengths(&self) -> Vec<f64> {
        let (low, high) = self.focal_range;
        let factor = self.focal_factor.max(1.01);
        let mut lengths: Vec<f64> =
            std::iter::successors(Some(low), |f| Some(f * factor)).take_while(|&f| f <= high).collect();
        let unlikely = |f: f64| (f / self.likely_focal).ln().abs();
        lengths.sort_by(|&a, &b| unlikely(a).total_cmp(&unlikely(b)));
        lengths
    }
}
