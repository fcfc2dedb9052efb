//! Measuring all pieces of a picture, set by set.

use std::cell::RefCell;

use super::{
    EdgeSeen, MeasureOptions, Measurement, cap,
    combine::{Combined, Opinion, Opinions, combine},
    estimate::Estimate,
    make::{Signs, is_capped},
    scene::Scene,
    silhouette,
    solid::{Eye, Shadow},
    subject::{Colours, Subject},
    symmetry,
    uncertainty::point_by_camera,
    view::PlaneView,
};
use crate::{
    board::{Board, Make},
    camera::{BehindRail, Camera},
    capture::Picture,
    detect::Candidate,
    geometry::{Point, Vector},
    register::Registration,
};
use nalgebra::Matrix2;

/// Measures every candidate; the result has the candidates' order and length. `None` where a
/// piece cannot be measured at all.
pub fn measure(
    picture: &Picture,
    board: &Board,
    registration: &Registration,
    candidates: &[Candidate],
    options: &MeasureOptions,
) -> Vec<Option<Measurement>> {
    measure_noting(picture, board, registration, candidates, options, &[])
}

/// The same with the edges of the contour that each was measured by last.
pub fn measure_with_edges(
    picture: &Picture,
    board: &Board,
    registration: &Registration,
    candidates: &[Candidate],
    options: &MeasureOptions,
) -> (Vec<Option<Measurement>>, Vec<Vec<EdgeSeen>>) {
    let edges: Vec<RefCell<Vec<EdgeSeen>>> = candidates.iter().map(|_| RefCell::default()).collect();
    let measured = measure_noting(picture, board, registration, candidates, options, &edges);
    (measured, edges.into_iter().map(RefCell::into_inner).collect())
}

/// `edges`: where the edges of each candidate are noted; none where nobody asks.
fn measure_noting(
    picture: &Picture,
    board: &Board,
    registration: &Registration,
    candidates: &[Candidate],
    options: &MeasureOptions,
    edges: &[RefCell<Vec<EdgeSeen>>],
) -> Vec<Option<Measurement>> {
    let camera = &registration.camera;
    let Some(eye) = Eye::of(camera) else { return vec![None; candidates.len()] };
    let ground = PlaneView::new(camera, 0.0);
    let mut subjects: Vec<Option<Subject>> = candidates
        .iter()
        .map(|c| Subject::new(picture, camera, &eye, c, board.pieces.get(c.kind)?, options))
        .collect();
    let rails = BehindRail::all(board, camera.pose.centre_mm(), 0.0);
    let looks = Looks { eye, ground, camera, rails, options, edges };

    let signs = looks.locate_all(&mut subjects);
    let capped = looks.capped(board, &subjects, &signs);
    let opinions = looks.opinions(&mut subjects, &signs, &capped);
    let combined = combine_sets(&subjects, &opinions, &capped, options);
    combined
        .into_iter()
        .zip(&subjects)
        .zip(&opinions)
        .enumerate()
        .map(|(i, ((combined, subject), opinions))| {
            let mut measurement = finish(registration, subject.as_ref()?, &combined?, opinions, options)?;
            if !capped[i] && !looks.is_outlined(&subjects, i, measurement.centre) {
                // What was taken for the piece is not where its outline is.
                let elsewhere = Matrix2::identity() * options.unshown_sigma_mm.powi(2);
                measurement.own += elsewhere;
                measurement.covariance += elsewhere;
                measurement.trusted = false;
            }
            Some(measurement)
        })
        .collect()
}

/// What one located piece shows of its make, and where its cap would be.
struct LocatedPiece {
    signs: Signs,
    outline: Point,
    cap: Option<cap::Located>,
    /// The colours of a piece that has no neighbours, and the place they were read at.
    alone: Option<(Point, Colours)>,
}

/// A cap fitted by itself.
struct FirstCap {
    estimate: Estimate,
    /// With the radius that was found.
    shape: cap::Shape,
    /// How high it stands above its ring, where the view shows it.
    proud_mm: Option<f64>,
}

/// A cap fitted with what its set shares.
#[derive(Clone, Copy)]
struct SharedCap {
    estimate: Estimate,
    /// Whether its own radius is that of its set.
    agrees: bool,
}

struct Looks<'a> {
    eye: Eye,
    ground: PlaneView,
    camera: &'a Camera,
    /// What rails hide of the board.
    rails: Vec<BehindRail>,
    options: &'a MeasureOptions,
    /// Where the edges of each piece are noted, if anybody asks.
    edges: &'a [RefCell<Vec<EdgeSeen>>],
}

impl Looks<'_> {
    /// Other pieces near enough to one to cover or to touch it, and rails that may hide part of it.
    fn neighbours(&self, subjects: &[Option<Subject>], of: usize) -> Vec<Shadow> {
        let Some(subject) = &subjects[of] else { return Vec::new() };
        let is_hiding = |rail: &BehindRail| {
            rail.clear_mm(subject.place) < subject.solid.radius_mm + self.options.neighbour_mm
        };
        subjects
            .iter()
            .enumerate()
            .filter(|(i, _)| *i != of)
            .filter_map(|(_, other)| other.as_ref())
            .filter(|other| {
                let reach = subject.solid.radius_mm + other.solid.radius_mm;
                let lean = subject.slope(&self.eye) * subject.solid.top_mm.max(other.solid.top_mm);
                (other.place - subject.place).norm() < reach + lean + self.options.neighbour_mm
            })
            .map(|other| Shadow::new(&other.solid, &self.eye, other.place))
            .chain(self.rails.iter().filter(|rail| is_hiding(rail)).map(|rail| Shadow::Rail(*rail)))
            .collect()
    }

    /// First looks: colours, and the outline to tenths of a millimetre.
    fn locate_all(&self, subjects: &mut [Option<Subject>]) -> Vec<Option<LocatedPiece>> {
        (0..subjects.len())
            .map(|i| {
                let neighbours = self.neighbours(subjects, i);
                let subject = subjects[i].as_mut()?;
                let patch = std::mem::take(&mut subject.patch);
                let scene = Scene {
                    patch: &patch,
                    ground: self.ground,
                    eye: self.eye,
                    neighbours: &neighbours,
                    edges: self.edges.get(i),
                };
                let located = self.locate(subject, &scene);
                subject.patch = patch;
                located
            })
            .collect()
    }

    fn locate(&self, subject: &mut Subject, scene: &Scene) -> Option<LocatedPiece> {
        let options = self.options;
        subject.colours = subject.colours_at(scene, subject.place, options);
        let colours = subject.colours?;
        let outline = colours.outline(subject.slope(&self.eye), options).map(|shade| {
            let shaded = scene.patch.shaded(shade, options.noise_max);
            silhouette::locate(scene, &subject.solid, subject.place, &shaded, false, options)
        });
        let cap = (Signs::ring_contrast(&colours) > options.cap_ring_contrast / 2.0)
            .then(|| colours.cap(options))
            .flatten()
            .and_then(|shade| {
                let shaded = scene.patch.shaded(shade, options.noise_max);
                cap::locate(scene, &subject.solid, subject.place, &shaded, options)
            });
        // A candidate's error brings board and rim into the ring; the better of the two places
        // shows what it is.
        let place = match (&outline, &cap) {
            (Some(outline), Some(cap)) if cap.score > outline.score => cap.centre,
            (Some(outline), _) => outline.centre,
            (None, Some(cap)) => cap.centre,
            (None, None) => subject.place,
        };
        let there = subject.colours_at(scene, place, options);
        let signs = Signs {
            ring_contrast: there.map_or(0.0, |colours| Signs::ring_contrast(&colours)),
            ring_change: there.map_or(0.0, |colours| Signs::ring_change(&colours)),
            outline_score: outline.map_or(0.0, |l| l.score),
            cap_score: cap.as_ref().map_or(0.0, |l| l.score),
        };
        let alone = there.filter(|_| scene.neighbours.is_empty()).map(|colours| (place, colours));
        Some(LocatedPiece { signs, outline: outline.map_or(subject.place, |l| l.centre), cap, alone })
    }

    /// Whether each piece is of a capped set. Pieces of one size are one set.
    fn capped(
        &self,
        board: &Board,
        subjects: &[Option<Subject>],
        located: &[Option<LocatedPiece>],
    ) -> Vec<bool> {
        let size = |s: &Option<Subject>| s.as_ref().map(|s| s.solid.radius_mm.to_bits());
        subjects
            .iter()
            .map(|subject| {
                let Some(subject_of) = subject else { return false };
                let make = board.pieces.get(subject_of.kind).map_or(Make::Any, |k| k.make);
                let signs: Vec<Signs> = subjects
                    .iter()
                    .zip(located)
                    .filter(|(other, _)| size(other) == size(subject))
                    .filter_map(|(_, l)| l.as_ref().map(|l| l.signs))
                    .collect();
                is_capped(make, &signs, self.options)
            })
            .collect()
    }

    /// What each method says of each piece.
    fn opinions(
        &self,
        subjects: &mut [Option<Subject>],
        located: &[Option<LocatedPiece>],
        capped: &[bool],
    ) -> Vec<Opinions> {
        for ((subject, located), &capped) in subjects.iter_mut().zip(located).zip(capped) {
            if let (Some(subject), Some(located)) = (subject, located) {
                subject.place = match (&located.cap, capped) {
                    (Some(cap), true) => cap.centre,
                    _ => located.outline,
                };
            }
        }
        // Colours again, now that the places are known to tenths of a millimetre.
        for i in 0..subjects.len() {
            let neighbours = self.neighbours(subjects, i);
            let Some(subject) = &mut subjects[i] else { continue };
            let known = located[i].as_ref().and_then(|located| located.alone);
            if let Some((_, colours)) = known.filter(|(at, _)| *at == subject.place && neighbours.is_empty())
            {
                subject.colours = Some(colours);
                continue;
            }
            let patch = std::mem::take(&mut subject.patch);
            let scene = Scene {
                patch: &patch,
                ground: self.ground,
                eye: self.eye,
                neighbours: &neighbours,
                edges: self.edges.get(i),
            };
            let again = subject.colours_at(&scene, subject.place, self.options);
            subject.colours = again.or(subject.colours);
            subject.patch = patch;
        }
        let caps = self.cap_estimates(subjects, located, capped);
        (0..subjects.len())
            .map(|i| {
                let neighbours = self.neighbours(subjects, i);
                let Some(subject) = &subjects[i] else { return Opinions::default() };
                let scene = Scene {
                    patch: &subject.patch,
                    ground: self.ground,
                    eye: self.eye,
                    neighbours: &neighbours,
                    edges: self.edges.get(i),
                };
                if capped[i] {
                    let outline = caps[i].map(|cap| self.cap_opinion(subject, &cap));
                    return Opinions { outline, face: None };
                }
                let outline = self.outline_opinion(subject, &scene, subject.place);
                let face = self.clearest_face(subject, &scene, outline.as_ref());
                let outline = self.outline_about(subject, &scene, outline, face.as_ref());
                Opinions { outline, face }
            })
            .collect()
    }

    /// Caps are fitted twice: the second time with the radius and the height above the ring that the set
    /// shares.
    fn cap_estimates(
        &self,
        subjects: &[Option<Subject>],
        located: &[Option<LocatedPiece>],
        capped: &[bool],
    ) -> Vec<Option<SharedCap>> {
        let options = self.options;
        let fit = |i: usize, start: Point, shape: &cap::Shape| -> Option<Estimate> {
            let subject = subjects[i].as_ref()?;
            let neighbours = self.neighbours(subjects, i);
            let scene = Scene {
                patch: &subject.patch,
                ground: self.ground,
                eye: self.eye,
                neighbours: &neighbours,
                edges: self.edges.get(i),
            };
            let colours = subject.colours?;
            let shaded = subject.patch.shaded(colours.cap(options)?, options.noise_max);
            let light = colours.cap_light().map(|shade| subject.patch.shaded(shade, options.noise_max));
            cap::fit(&scene, &subject.solid, start, shape, &shaded, light.as_ref(), options)
        };
        let first: Vec<Option<FirstCap>> = (0..subjects.len())
            .map(|i| {
                let subject = subjects[i].as_ref()?;
                let cap = located[i].as_ref().filter(|_| capped[i])?.cap.as_ref()?;
                let shape = cap.shape;
                let estimate = fit(i, cap.centre, &shape)?;
                let slope = subject.slope(&self.eye);
                let is_shown = slope > options.cap_proud_slope
                    && estimate.near_sigma_mm < options.cap_proud_shown_sigma_mm * slope;
                let proud_mm = is_shown.then(|| shape.proud_mm + estimate.near_mm / slope);
                let radius_mm = shape.radius_mm + estimate.excess_mm;
                Some(FirstCap { estimate, shape: cap::Shape { radius_mm, ..shape }, proud_mm })
            })
            .collect();
        let median_of = |alike: &dyn Fn(&Subject) -> bool, value: &dyn Fn(&FirstCap) -> Option<f64>| {
            let mut values: Vec<f64> = (0..subjects.len())
                .filter(|&k| subjects[k].as_ref().is_some_and(alike))
                .filter_map(|k| value(first[k].as_ref()?))
                .collect();
            let middle = values.len() / 2;
            (values.len() >= options.least_shared_caps)
                .then(|| *values.select_nth_unstable_by(middle, f64::total_cmp).1)
        };
        (0..subjects.len())
            .map(|i| {
                let subject = subjects[i].as_ref()?;
                let located = located[i].as_ref().filter(|_| capped[i])?.cap.as_ref()?;
                // One that did not fit by itself may fit with what the others show.
                let own = first[i].as_ref();
                let of_kind = |s: &Subject| s.kind == subject.kind;
                let of_size = |s: &Subject| s.solid.radius_mm == subject.solid.radius_mm;
                let radius = |cap: &FirstCap| Some(cap.shape.radius_mm);
                let mut shape = own.map_or(located.shape, |own| own.shape);
                // Colours blur differently, so a cap's own kind says most; few of it, then all of its
                // size.
                if let Some(radius_mm) = median_of(&of_kind, &radius) {
                    (shape.radius_mm, shape.radius_sigma_mm) = (radius_mm, options.cap_shared_sigma_mm);
                } else if let Some(radius_mm) = median_of(&of_size, &radius) {
                    (shape.radius_mm, shape.radius_sigma_mm) = (radius_mm, options.cap_any_shared_sigma_mm);
                } else {
                    return own.map(|own| SharedCap { estimate: own.estimate, agrees: false });
                }
                if let Some(proud_mm) = median_of(&of_size, &|cap| cap.proud_mm) {
                    let height_mm = subject.solid.top_mm - subject.solid.base_mm;
                    shape.proud_mm = proud_mm.clamp(0.0, height_mm);
                    shape.proud_sigma_mm = options.cap_shared_proud_sigma_mm;
                }
                let is_of_its_set = |own: &FirstCap| {
                    (own.shape.radius_mm - shape.radius_mm).abs() <= options.trusted_cap_radius_mm
                };
                let again = fit(i, own.map_or(located.centre, |own| own.estimate.centre), &shape);
                let agrees = own.is_some_and(is_of_its_set) && again.is_some();
                let estimate = again.or(own.map(|own| own.estimate))?;
                Some(SharedCap { estimate, agrees })
            })
            .collect()
    }

    /// What the face says about the outline's place. Where that is little, or elsewhere than the outline, a shadow may
    /// have led both astray: then the place counts where the face is most nearly made of circles, if that leaves
    /// much less of its light open.
    fn clearest_face(&self, subject: &Subject, scene: &Scene, outline: Option<&Opinion>) -> Option<Opinion> {
        let options = self.options;
        let start = outline.map_or(subject.place, |outline| outline.estimate.centre);
        let face = self.face_opinion(subject, scene, start);
        let is_clear = |face: &Opinion| {
            face.sigma_mm() < options.trusted_face_sigma_mm
                && (face.estimate.centre - start).norm() < options.second_start_mm
        };
        if face.as_ref().is_some_and(is_clear) {
            return face;
        }
        // What lies beyond a strong face's rim would outweigh its rings; beyond a pale one's it hardly differs from it.
        let wide_mm = options.search_mm.max(options.pale_search_share * subject.solid.radius_mm);
        let (reach_mm, read_mm) = match subject.is_pale(&self.eye, options) {
            true => (wide_mm, wide_mm),
            false => (options.search_mm, options.symmetry_step_mm),
        };
        let around = symmetry::Face::read(scene, subject, self.camera, subject.first_place, read_mm, options);
        let circular = around.and_then(|around| around.most_circular(reach_mm, options));
        let again = circular.and_then(|centre| self.face_opinion(subject, scene, centre));
        // Farther off than detection promises, only rings that leave no doubt are believed.
        let is_near = |face: &Opinion| {
            (face.estimate.centre - subject.first_place).norm() <= options.search_mm
                || face.sigma_mm() < options.trusted_face_sigma_mm
        };
        let again = again.filter(is_near);
        let unexplained = |face: &Opinion| face.estimate.excess_mm.powi(2);
        let most = face.as_ref().map_or(f64::INFINITY, |face| options.better_face * unexplained(face));
        let is_heard = |face: &Opinion| face.sigma_mm() <= options.heard_face_sigma_mm;
        again.filter(|again| unexplained(again) < most).or(face).filter(is_heard)
    }

    /// An outline far from a sure face is looked for again there: edges of a shadow are no outline.
    fn outline_about(
        &self,
        subject: &Subject,
        scene: &Scene,
        outline: Option<Opinion>,
        face: Option<&Opinion>,
    ) -> Option<Opinion> {
        let options = self.options;
        let Some(face) = face.filter(|face| face.sigma_mm() < options.trusted_face_sigma_mm) else {
            return outline;
        };
        let apart_mm = |outline: &Opinion| (outline.estimate.centre - face.estimate.centre).norm();
        if outline.as_ref().is_some_and(|outline| apart_mm(outline) < options.trusted_split_mm) {
            return outline;
        }
        let again = self.outline_opinion(subject, scene, face.estimate.centre);
        again.into_iter().chain(outline).min_by(|a, b| apart_mm(a).total_cmp(&apart_mm(b)))
    }

    /// Whether a piece's outline is to be seen at a place, as far as anything of it can be.
    fn is_outlined(&self, subjects: &[Option<Subject>], of: usize, centre: Point) -> bool {
        let options = self.options;
        let neighbours = self.neighbours(subjects, of);
        let Some(subject) = &subjects[of] else { return false };
        let scene = Scene {
            patch: &subject.patch,
            ground: self.ground,
            eye: self.eye,
            neighbours: &neighbours,
            edges: None,
        };
        let slope = subject.slope(&self.eye);
        let Some(shade) = subject.colours.and_then(|colours| colours.outline(slope, options)) else {
            return false;
        };
        let shaded = subject.patch.shaded(shade, options.noise_max);
        let shown = silhouette::shown(&scene, &subject.solid, centre, &shaded, options);
        shown.free < options.trusted_free || shown.score >= options.trusted_shown
    }

    fn outline_opinion(&self, subject: &Subject, scene: &Scene, start: Point) -> Option<Opinion> {
        let options = self.options;
        let shade = subject.colours?.outline(subject.slope(&self.eye), options)?;
        let shaded = subject.patch.shaded(shade, options.noise_max);
        let estimate = silhouette::fit(scene, &subject.solid, start, &shaded, options)?;
        // What a soft shadow does to one side of a piece shows as excess, or as a near side that is none.
        let by_excess_mm = options.outline_by_excess * estimate.excess_mm.abs();
        let near_surprise = estimate.near_mm.max(0.0)
            / silhouette::near_sigma_mm(scene, &subject.solid, subject.place, options);
        let by_near_mm = options.outline_by_near_mm * near_surprise;
        // Edges that were not believed may have been right.
        let outvoted = estimate.outvoted * options.outline_by_outvoted;
        let suspected = self.along_sight(subject, by_excess_mm, by_near_mm) + outvoted * outvoted.transpose();
        let own = self.contour_covariance(&estimate) + self.floor(subject, options.outline_floor_mm);
        // A rim that shades off on the side away from the lamp makes a piece look smaller, and moves it to the other side.
        let by_light_mm = options.outline_common_mm + options.outline_common_by_glow_mm * shade.glow();
        let common = by_light_mm.hypot(options.outline_common_by_excess * estimate.excess_mm);
        let common = self.leaning(subject, common, options.outline_common_by_slope_mm);
        // From the side the wall of a pale piece may look like the board, or unlike the face.
        let is_trusted = shade.glow() * subject.slope(&self.eye) <= options.trusted_glow_aslant;
        Some(Opinion { estimate, own, common, suspected, is_trusted })
    }

    fn face_opinion(&self, subject: &Subject, scene: &Scene, start: Point) -> Option<Opinion> {
        let options = self.options;
        let step_mm = options.symmetry_step_mm;
        let face = symmetry::Face::read(scene, subject, self.camera, start, step_mm, options)?;
        let estimate = symmetry::fit(&face, subject.solid.top_mm, options)?;
        // A fit that was still on its way ends about one step from where it was going.
        let on_the_way = Matrix2::identity() * estimate.residual_mm.powi(2);
        let own = estimate.covariance + self.floor(subject, options.face_floor_mm) + on_the_way;
        let common = self.leaning(subject, options.face_common_mm, options.face_common_by_slope_mm);
        Some(Opinion { estimate, own, common, suspected: Matrix2::zeros(), is_trusted: true })
    }

    fn cap_opinion(&self, subject: &Subject, cap: &SharedCap) -> Opinion {
        let (options, estimate) = (self.options, cap.estimate);
        let is_trusted = cap.agrees || subject.slope(&self.eye) <= options.cap_trusted_slope;
        let own = self.contour_covariance(&estimate) + self.floor(subject, options.cap_floor_mm);
        let common = self.leaning(subject, options.cap_common_mm, options.cap_common_by_slope_mm);
        // Edges that scatter were misled, and not each by itself: what smears one smears its neighbours.
        let scatter_mm = options.cap_by_scatter * estimate.residual_mm.powi(2) / options.residual_mm;
        let outvoted = estimate.outvoted * options.cap_by_outvoted;
        let suspected = Matrix2::identity() * scatter_mm.powi(2) + outvoted * outvoted.transpose();
        Opinion { estimate, own, common, suspected, is_trusted }
    }

    /// A contour's covariance, wider where its edges do not lie as the model says.
    fn contour_covariance(&self, estimate: &Estimate) -> Matrix2<f64> {
        estimate.covariance * (1.0 + (estimate.residual_mm / self.options.residual_mm).powi(2))
    }

    /// What a method cannot get below, in mm and in pixels.
    fn floor(&self, subject: &Subject, floor_mm: f64) -> Matrix2<f64> {
        let by_pixel = self.options.floor_by_mm_per_px / subject.px_per_mm();
        Matrix2::identity() * (floor_mm.powi(2) + by_pixel.powi(2))
    }

    /// A covariance that is wider along the line of sight, by how much the camera looks from the
    /// side: heights and depths that are not quite as assumed act there.
    fn leaning(&self, subject: &Subject, sigma_mm: f64, by_slope_mm: f64) -> Matrix2<f64> {
        self.along_sight(subject, sigma_mm, by_slope_mm * subject.slope(&self.eye))
    }

    /// A covariance that is wider along the line of sight, by `along_mm`.
    fn along_sight(&self, subject: &Subject, sigma_mm: f64, along_mm: f64) -> Matrix2<f64> {
        let away = (subject.place - self.eye.foot).try_normalize(1e-9).unwrap_or_else(Vector::zeros);
        Matrix2::identity() * sigma_mm.powi(2) + away * away.transpose() * along_mm.powi(2)
    }
}

/// Combines within sets: pieces of one kind, made alike.
fn combine_sets(
    subjects: &[Option<Subject>],
    opinions: &[Opinions],
    capped: &[bool],
    options: &MeasureOptions,
) -> Vec<Option<Combined>> {
    let set = |i: usize| subjects[i].as_ref().map(|s| (s.kind, capped[i]));
    let mut sets: Vec<(usize, bool)> = (0..subjects.len()).filter_map(set).collect();
    sets.sort_unstable();
    sets.dedup();
    let mut result = vec![None; subjects.len()];
    for wanted in sets {
        let members: Vec<usize> = (0..subjects.len()).filter(|&i| set(i) == Some(wanted)).collect();
        let of_members: Vec<Opinions> = members.iter().map(|&i| opinions[i]).collect();
        for (i, combined) in members.into_iter().zip(combine(&of_members, options)) {
            result[i] = combined;
        }
    }
    result
}

fn finish(
    registration: &Registration,
    subject: &Subject,
    combined: &Combined,
    opinions: &Opinions,
    options: &MeasureOptions,
) -> Option<Measurement> {
    let heights = [opinions.outline, opinions.face].map(|o| o.map(|o| o.estimate.height_mm));
    let height_mm = match heights {
        [Some(outline), Some(face)] => {
            outline * combined.outline_weight + face * (1.0 - combined.outline_weight)
        }
        [Some(only), None] | [None, Some(only)] => only,
        [None, None] => return None,
    };
    let by_camera = point_by_camera(&registration.camera, combined.centre, height_mm);
    let calibration = by_camera * registration.covariance * by_camera.transpose();
    let own = combined.covariance;
    let sigma_mm = (own.trace() / 2.0).sqrt();
    if sigma_mm.is_nan() || sigma_mm > options.useful_sigma_mm {
        return None;
    }
    let outline_holds = opinions.outline.is_some_and(|o| {
        o.is_trusted
            && o.estimate.residual_mm < options.trusted_residual_mm
            && o.estimate.residual_mm < options.trusted_residual_by_share_mm * o.estimate.share
            && o.estimate.share >= options.trusted_share
    });
    let face_holds = opinions.face.is_some_and(|face| face.sigma_mm() < options.trusted_face_sigma_mm);
    let trusted = (outline_holds || face_holds)
        && sigma_mm < options.trusted_sigma_mm
        && combined.split_mm < options.trusted_split_mm
        && combined.disagreement < options.trusted_disagreement;
    Some(Measurement {
        centre: combined.centre,
        covariance: own + calibration,
        own,
        by_camera,
        px: subject.top.pixel(combined.centre),
        px_radius: subject.solid.radius_mm * subject.px_per_mm(),
        trusted,
    })
}
