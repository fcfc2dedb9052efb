//! Every threshold of the measuring stage.

crate::options::options! {
    /// How pieces and the paint beside them are measured. Fields say their unit, their default where it
    /// needs a reason, and what a change trades.
    #[derive(Debug, Clone)]
    pub struct MeasureOptions {
        // Finding the outline.
        /// How far from its candidate a piece is looked for, in mm. 2.6: detection promises 2; wider finds
        /// neighbours.
        pub search_mm: f64 = 2.6,
        /// Grid of that search, in mm. 0.5: well inside what the fit pulls in; finer costs time.
        pub search_step_mm: f64 = 0.5,
        /// What a place at the search's limit loses of its score, of 1. Keeps a piece with few free directions
        /// near its candidate; too much and a bad candidate is kept.
        pub search_shyness: f64 = 0.15,
        /// Directions around the outline for the search.
        pub coarse_directions: usize = 28,
        /// Directions around the outline for the fit. More average more noise and cost time; the error is
        /// mostly bias.
        pub directions: usize = 60,
        /// Times the outline is moved and its edges are read again.
        pub contour_rounds: usize = 2,
        /// How far from the predicted outline an edge may be in the first round, in mm; half of it in the last.
        /// Wider takes shadows and rings for edges.
        pub edge_reach_mm: f64 = 1.4,
        /// Half pixels from an edge within which neither side's level is read. 2: a lens blurs an edge over
        /// about a pixel either way.
        pub level_near_samples: usize = 2,
        /// Half pixels from an edge at which its levels are read at the latest.
        pub level_far_samples: usize = 6,
        /// Widths of the blur up to which a ring beside an edge has the level of its sides, and from which on its own: its
        /// rounded rim is none of it. Less finds edges against narrow rings too far inward, more misses that the light
        /// differs from side to side.
        pub ring_blurs: [f32; 2] = [3.0, 6.0],
        /// How far, of its contrast, the levels of a ring may lie apart to be taken for one. Lower finds edges against narrow
        /// rings too far inward, higher takes a mirrored lamp for the whole ring.
        pub ring_alike: f32 = 0.3,
        /// Sides of a ring that face the camera more than this do not tell its level.
        pub ring_sideways: f64 = 0.5,
        /// Times the levels and the crossing are found from each other.
        pub level_rounds: usize = 3,
        /// A side's level is where the profile's slope falls below this share of the steepest. Lower reads
        /// levels farther out, into shadows and other surfaces; higher reads them within the blur.
        pub flat_slope: f64 = 0.3,
        /// Least contrast of an edge against that of the whole piece. Lower keeps edges in deep shadow, higher
        /// rejects more grain.
        pub least_contrast: f64 = 0.1,
        /// Contrast against the whole piece's at which an edge has half weight.
        pub half_weight_contrast: f64 = 0.25,
        /// Weight of the base edge toward the camera, of 1: it stands in contact shadow.
        pub near_side_weight: f64 = 0.3,
        /// Wall in view, in mm, with which half of that is lost: from straight above none of it is seen.
        pub near_wall_mm: f64 = 0.5,
        /// Distance from a neighbour's outline within which nothing is read, in mm: blur, and the neighbour's
        /// own error.
        pub mask_mm: f64 = 0.8,
        /// Least share of the directions that must agree for a contour to count. A piece enclosed by others has
        /// little free outline and is left to its face.
        pub least_share: f64 = 0.14,
        /// Standard deviation of one edge, in mm, and the least scale of the robust fit.
        pub edge_scale_mm: f64 = 0.1,
        /// Rounds of reweighting in every robust fit.
        pub robust_rounds: usize = 6,
        /// Scale of the first round, in units of `edge_scale_mm`.
        pub first_robust_scale: f64 = 3.0,

        /// What a channel in which a piece is lighter than the board is worth against one in which it is darker, where it is
        /// both. 2: a shadow hides edges of darker things; more leaves a clear edge for a faint one.
        pub lighter_worth: f32 = 2.0,
        /// Steepness of the view, as distance from the camera's foot point over its height, up to which that holds. 0.5: from
        /// farther aside a wall in shade is as much of the outline as the face.
        pub lighter_slope_max: f64 = 0.5,

        // What shading does to an outline.
        /// Standard deviation of an outline's excess over the drawn radius, in mm, for a face that is dark
        /// against the board.
        pub excess_sigma_mm: f64 = 0.06,
        /// What is added to it by the face's light over its contrast: a bright face's rounded rim shades into a
        /// board that is nearly as bright.
        pub excess_sigma_by_glow_mm: f64 = 0.1,
        /// Standard deviation of the near side's own excess, in mm, seen from straight above.
        pub near_floor_sigma_mm: f64 = 0.03,
        /// What is added to it for every mm of wall in sight: walls mirror the board.
        pub near_sigma_by_wall: f64 = 0.15,

        // Colours around a piece.
        /// Noise of a pixel, as part of the contrast between piece and board, from which the picture around a piece is
        /// smoothed before its edges are looked for. More takes noise for edges (at 0.25 caps of a dim room are taken for
        /// whole pieces, millimetres off), less blurs what is sharp.
        pub noise_max: f64 = 0.1,
        /// Picture read around a piece's outline and search, in mm.
        pub patch_margin_mm: f64 = 3.5,
        /// Radii at which a face's colour is read, of the piece's.
        pub face_rings: Vec<f64> = vec![0.2, 0.45, 0.6],
        /// Radii at which the ring inside the rim is read, of the piece's.
        pub rim_rings: Vec<f64> = vec![0.9],
        /// Radii at which the board's colour is read, of the piece's.
        pub board_rings: Vec<f64> = vec![1.25, 1.4],
        /// Distance from the outline that the board's colour needs, in mm: contact shadow.
        pub board_clear_mm: f64 = 2.5,
        /// Gap between two pieces up to which each minds the other, in mm.
        pub neighbour_mm: f64 = 6.0,

        // Caps.
        /// Radii of caps that are tried, of the piece's.
        pub cap_radius_shares: Vec<f64> = vec![0.62, 0.66, 0.7, 0.74, 0.78, 0.82, 0.86],
        /// What a channel counts in which a cap is lighter than the metal around it, of one in which it is darker. 0.25: the cap's
        /// shadow on its ring and the gap beside it are dark, so in a lighter channel they look like the cap's end, on the
        /// lamp's far side farther in.
        pub cap_lighter_worth: f32 = 0.25,
        /// How far the inside of a cap's edge may be from the cap's shade, of the way to the metal's.
        pub cap_alike: f64 = 0.4,
        /// How much darker than cap and metal an edge of a cap is that counts a quarter, as part of their light: the
        /// cap's shadow on its ring moves it. Less takes noise for shadow, more is moved by shadows.
        pub edge_shadow: f64 = 0.2,
        /// Colour difference of ring and face against that of board and face from which a piece looks capped.
        pub cap_ring_contrast: f64 = 0.3,
        /// The same difference against the brighter of ring and face. Less takes grooved faces for caps, more
        /// misses caps of the metal's own colour.
        pub cap_ring_change: f64 = 0.3,
        /// Weight of the contour's score beside that difference in a piece's vote.
        pub cap_score_weight: f64 = 0.3,
        /// Heights of caps above their rings that are tried, of the piece's height, the usual one first.
        pub cap_proud_shares: Vec<f64> = vec![0.25, 0.12],
        /// Its standard deviation when a cap is first fitted, of the piece's height.
        pub cap_proud_sigma_share: f64 = 0.1,
        /// The same in mm once the caps of its size have given theirs.
        pub cap_shared_proud_sigma_mm: f64 = 0.15,
        /// Steepness of the view from which a cap shows how high it stands.
        pub cap_proud_slope: f64 = 0.2,
        /// Standard deviation of one cap's height above its ring up to which it says anything of its set's, in mm.
        pub cap_proud_shown_sigma_mm: f64 = 0.5,
        /// Rounding of a cap's edge, of its height above the ring.
        pub cap_rim_share: f64 = 0.4,
        /// Standard deviation of a cap's radius when it is first fitted, in mm.
        pub cap_radius_sigma_mm: f64 = 0.6,
        /// The same once the pieces of its kind have given theirs.
        pub cap_shared_sigma_mm: f64 = 0.04,
        /// The same where only the pieces of its size could: colours blur differently.
        pub cap_any_shared_sigma_mm: f64 = 0.12,
        /// Least number of caps whose median radius is believed.
        pub least_shared_caps: usize = 3,

        // The symmetry of the face.
        /// Distance from where the rim's rounding starts within which the face is not read, in px: blur.
        pub face_margin_px: f64 = 2.5,
        /// Width of one ring of the radial profile, in px.
        pub ring_px: f64 = 0.6,
        /// Distance between the outline's place and the face's from which the face's centre is looked for all around the
        /// candidate, in mm: faces with several rings have false centres about 2 mm off, and shadows mislead outlines.
        pub second_start_mm: f64 = 1.2,
        /// Light of a face over its contrast to the board from which it is pale. Such a face's rings are as strong as its
        /// rim, and detection may have taken them for it.
        pub pale_glow: f64 = 1.5,
        /// How far around its candidate a pale face's centre is looked for, as part of the radius. 0.32: rings are a quarter
        /// of it apart; more takes longer and finds neighbours.
        pub pale_search_share: f64 = 0.32,
        /// Grid on which a better centre of a face is looked for, in mm. 0.85: a fit comes from there by itself; finer
        /// costs time with its square.
        pub face_search_step_mm: f64 = 0.85,
        /// Part of the light left open about the first centre that another one may leave open to be the better one. 0.5: a
        /// false centre leaves several times as much, a plain face as much anywhere.
        pub better_face: f64 = 0.5,
        /// Most rounds of the fit.
        pub symmetry_rounds: usize = 4,
        /// Longest step of a round, in mm.
        pub symmetry_step_mm: f64 = 0.8,
        /// A step shorter than this ends the fit, in mm.
        pub symmetry_done_mm: f64 = 0.015,
        /// Pixels that share one noise: compression and demosaicing blur it.
        pub symmetry_correlation: f64 = 2.0,
        /// Pixels of a face that are used, evenly spread. More average more noise and cost time.
        pub most_face_pixels: usize = 900,
        /// Least number of pixels for a fit.
        pub least_face_pixels: usize = 100,

        // Honest errors: what piece by piece differs (floor), and what a set shares (common).
        /// Floor of every method in px: sampling, compression, lens blur.
        pub floor_by_mm_per_px: f64 = 0.028,
        /// Edge residual at which a contour's variance doubles, in mm: its model does not quite hold.
        pub residual_mm: f64 = 0.08,
        /// Floor of the silhouette, in mm.
        pub outline_floor_mm: f64 = 0.014,
        /// Bias that all silhouettes of a kind share, in mm: light from one side.
        pub outline_common_mm: f64 = 0.018,
        /// What is added to it by the face's light over its contrast.
        pub outline_common_by_glow_mm: f64 = 0.042,
        /// Part of an outline's excess that is added to it: what makes all of a rim look smaller or larger seldom does so
        /// evenly. 0.4: of pale pieces' outlines a third to six tenths; more leaves them to faces that are lit from one side.
        pub outline_common_by_excess: f64 = 0.4,
        /// Part of an outline's excess by which its deviation grows: a soft shadow that makes a piece look larger
        /// lies on one side of it.
        pub outline_by_excess: f64 = 0.4,
        /// What an outline may be off by the edges that it did not believe, of how far all edges alike would put it
        /// elsewhere: where a soft shadow lies all around, the sharper side is believed and may be the wrong one.
        pub outline_by_outvoted: f64 = 1.0,
        /// What is added to it along the line of sight, in mm, for each of its expected deviations by which the
        /// near side lies too far out: then it is the far side that was misled, by shadow or paint.
        pub outline_by_near_mm: f64 = 0.3,
        /// What is added to it along the line of sight, by the slope of the view: the rim's rounding is known
        /// to some 0.3 mm.
        pub outline_common_by_slope_mm: f64 = 0.085,
        /// Floor of the face's symmetry, in mm.
        pub face_floor_mm: f64 = 0.014,
        /// Bias that all faces of a kind share, in mm: one wall of a groove is lit, the other is in shadow.
        pub face_common_mm: f64 = 0.085,
        /// What is added to it along the line of sight, by the slope of the view: grooves have depth.
        pub face_common_by_slope_mm: f64 = 0.1,
        /// Floor of a cap's contour, in mm.
        pub cap_floor_mm: f64 = 0.021,
        /// Bias that all caps of a kind share, in mm.
        pub cap_common_mm: f64 = 0.055,
        /// What is added to it along the line of sight.
        pub cap_common_by_slope_mm: f64 = 0.38,
        /// What a cap may be off by the edges that it did not believe, of how far all edges alike would put it elsewhere;
        /// and by the scatter of those it did, where that is more than `residual_mm`: a picture's compression smears the
        /// colours of cap and metal over several pixels, most on the side where both are as bright. Less trusts such
        /// edges, more leaves calls open in clean photos.
        pub cap_by_outvoted: f64 = 1.0,
        pub cap_by_scatter: f64 = 1.0,
        /// Part of the plain difference between two methods that is added to the deviation along it: a large
        /// difference is a sign that a model does not hold, whoever is right.
        pub split_share: f64 = 0.21,

        // When a measurement is trusted with a confident call.
        /// Largest standard deviation, in mm.
        pub trusted_sigma_mm: f64 = 0.5,
        /// Largest squared disagreement of the methods against what was expected.
        pub trusted_disagreement: f64 = 9.0,
        /// Largest plain difference of the methods, in mm.
        pub trusted_split_mm: f64 = 1.0,
        /// Largest edge residual of the contour, in mm.
        pub trusted_residual_mm: f64 = 0.2,
        /// The same for each share of it that agrees: among neighbours the little that is free may be pieced together from
        /// edges of others. More trusts such contours, less leaves calls in hard light open.
        pub trusted_residual_by_share_mm: f64 = 0.45,
        /// Largest light of a face over its contrast to the board, times the steepness of the view, with which an
        /// outline is trusted by itself: beyond, a pale piece's face must show where it lies.
        pub trusted_glow_aslant: f64 = 2.4,
        /// Least share of the outline that must agree where the face does not help.
        pub trusted_share: f64 = 0.2,
        /// Steepest view, as distance from the camera's foot point over its height, in which a cap's contour is
        /// trusted by itself. From the side a narrow ring of metal merges with cap and board; there the caps of
        /// a set must agree about their radius.
        pub cap_trusted_slope: f64 = 0.5,
        /// How far a cap's own radius may be from that of its set to be trusted from the side, in mm.
        pub trusted_cap_radius_mm: f64 = 0.35,
        /// Least contrast across the outline at the measured place, of the piece's own.
        pub trusted_shown: f64 = 0.15,
        /// Standard deviation of a place at which it is not there, in mm.
        pub unshown_sigma_mm: f64 = 1.5,
        /// Share of the outline that must be free for that to say something.
        pub trusted_free: f64 = 0.25,
        /// A measurement whose own deviation is larger is none, in mm: the candidate knows as much.
        pub useful_sigma_mm: f64 = 2.0,
        /// The face helps when its own deviation is below this, in mm.
        pub trusted_face_sigma_mm: f64 = 0.08,
        /// A face whose own deviation is larger has no say, in mm: a plain one agrees with anything, and its centre
        /// would speak against an outline that is right.
        pub heard_face_sigma_mm: f64 = 0.3,

        // The paint beside a piece.
        /// How far beyond the piece's radius along a line its edge is read, in mm. Farther averages more wear,
        /// nearer follows a bent line better.
        pub paint_reach_mm: f64 = 15.0,
        /// How far from the edge the board beside a line is read, in mm.
        pub paint_outside_mm: f64 = 2.5,
        /// Distance between two places where the edge is read, in mm.
        pub paint_step_mm: f64 = 1.0,
        /// How far around a ring, a spot or a line's round end it is read, in radians either way.
        pub paint_arc_rad: f64 = 1.0,
        /// Distance from a piece's outline within which paint is not read, in mm.
        pub paint_mask_mm: f64 = 1.0,
        /// Distance from other paint within which it is not read, in mm.
        pub paint_clear_mm: f64 = 1.0,
        /// Distance between two samples across the edge, in mm.
        pub paint_sample_mm: f64 = 0.25,
        /// Length over which a side's level is read, in mm.
        pub paint_level_mm: f64 = 0.5,
        /// Least number of places that show the edge.
        pub least_paint_stations: usize = 6,
        /// First scale of the robust line through them, in mm.
        pub paint_first_scale_mm: f64 = 0.4,
        /// Standard deviation of the edge's turn against the drawing, in radians.
        pub paint_slope_sigma: f64 = 0.005,
        /// Least deviation of one place, in mm.
        pub paint_noise_mm: f64 = 0.03,
        /// Neighbouring places that share one error: wear and pixels.
        pub paint_correlation: f64 = 3.0,
        /// Floor of an observed edge, in mm.
        pub paint_floor_mm: f64 = 0.03,
        /// Standard deviation of real paint about its drawing, in mm. Lines of a well-made table lie up to 0.17
        /// off.
        pub drawing_sigma_mm: f64 = 0.12,
    }
}
