//! Least squares over lens, poses and how each line's paint lies beside its drawing.
//!
//! In: [`Observation`]s, places in pictures where a known place of the board was seen, and
//! [`Priors`]. Out: the cameras that explain them with their covariance. One lens serves all
//! poses; a pose serves every picture that was taken from it.

use nalgebra::{DMatrix, DVector, Point3, SMatrix, SVector, Vector2, Vector3};

use crate::camera::{CAMERA_PARAMETERS, Camera, CameraCovariance, Lens, ParameterJacobian, Pixel};

use super::stations::MAX_OFFSETS;

/// Free numbers of the lens: one focal length for both axes, principal point, k1 k2 p1 p2. A
/// board's lines cannot tell k3 from k2, so k3 stays as it was given.
const LENS_FREE: usize = 7;
const POSE_FREE: usize = 6;
/// Of the camera's 15 numbers, the ones a free lens number moves.
const LENS_COLUMNS: [&[usize]; LENS_FREE] = [&[0, 1], &[2], &[3], &[4], &[5], &[6], &[7]];
const POSE_COLUMN: usize = 9;

/// A known place of the board, seen in a picture.
#[derive(Debug, Clone, Copy)]
pub(super) struct Observation {
    /// Which pose the picture was taken from.
    pub pose: usize,
    /// The two edges of the paint in board coordinates; what was seen is the middle of their
    /// images. For a single edge both are the same.
    pub edges: [Point3<f64>; 2],
    pub seen: Pixel,
    /// Unit direction in the picture along which it was measured.
    pub across: Vector2<f64>,
    /// Which group's offsets move it, along `normal`, by how much each.
    pub group: usize,
    pub normal: Vector3<f64>,
    pub offset_basis: [f64; MAX_OFFSETS],
    /// Information relative to an independent measurement (neighbours share their errors).
    pub share: f64,
}

/// A line, or a side of the surface, whose paint may lie beside its drawing as a whole.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Group {
    pub offsets: usize,
    /// How far such a line or side usually lies beside its drawing.
    pub usual_mm: f64,
    /// The same on this board, as far as its picture has told.
    pub sigma_mm: f64,
    /// Lines and rails are not found equally well: residuals and offsets are held against those of the same kind.
    pub kind: Kind,
}

impl Group {
    pub fn usual(kind: Kind, offsets: usize, usual_mm: f64) -> Self {
        Self { offsets, usual_mm, sigma_mm: usual_mm, kind }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Line,
    Rail,
}

/// What is known of a number besides the pictures.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Gaussian {
    pub mean: f64,
    pub sigma: f64,
}

/// What is known besides the pictures.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Priors {
    /// Of the natural logarithm of the focal length in pixels.
    pub log_focal: Gaussian,
    /// Of cx, cy, k1, k2, p1, p2.
    pub lens: [Gaussian; LENS_FREE - 1],
    /// Of the camera's height above the board, a pose.
    pub height_mm: Vec<Option<Gaussian>>,
    /// How far rotation (rad) and translation (mm) may be off the first guess. Wide: only what no
    /// line decides is decided by this.
    pub rotation_sigma: f64,
    pub translation_sigma_mm: f64,
}

#[derive(Debug, Clone, PartialEq)]
pub(super) struct FitOptions {
    pub residual_floor_px: f64,
    pub outlier_sigmas: f64,
    /// Trust in how far lines, and rails, usually lie beside their drawing, as a number of their ends.
    pub paint_offset_weight: f64,
    pub rail_offset_weight: f64,
}

#[derive(Debug, Clone)]
pub(super) struct Fit {
    pub cameras: Vec<Camera>,
    pub offsets: Vec<[f64; MAX_OFFSETS]>,
    pub groups: Vec<Group>,
    /// Robust weight of each observation, 0 for one that was left out.
    pub weights: Vec<f64>,
    pub residuals_px: Vec<f64>,
    /// Standard deviation that each observation was held against.
    sigmas_px: Vec<f64>,
    /// Of the observations, which are of lines.
    of_lines: Vec<bool>,
}

impl Fit {
    pub fn start(cameras: Vec<Camera>, groups: Vec<Group>) -> Self {
        let offsets = vec![[0.0; MAX_OFFSETS]; groups.len()];
        Self {
            cameras,
            offsets,
            groups,
            weights: Vec::new(),
            residuals_px: Vec::new(),
            sigmas_px: Vec::new(),
            of_lines: Vec::new(),
        }
    }

    /// Of the lines' residuals; of all where no line is seen.
    pub fn rms_px(&self) -> f64 {
        let no_lines = !self.of_lines.contains(&true);
        let used = self.weights.iter().zip(&self.residuals_px).zip(&self.of_lines);
        let used = used.filter(|((weight, _), of_line)| (**of_line || no_lines) && **weight > 0.0);
        let (weight, squares) =
            used.fold((0.0, 0.0), |(sum, squares), ((w, r), _)| (sum + w, squares + w * r * r));
        if weight > 0.0 { (squares / weight).sqrt() } else { f64::INFINITY }
    }

    /// For each line, the observations of it that still count.
    pub fn used_of_lines(&self, observations: &[Observation], lines: usize) -> Vec<usize> {
        let mut used = vec![0; lines];
        for (observation, _) in observations.iter().zip(&self.weights).filter(|(_, weight)| **weight > 0.0) {
            if let Some(of_line) = used.get_mut(observation.group) {
                *of_line += 1;
            }
        }
        used
    }

    /// Observations that still count.
    pub fn used(&self) -> usize {
        self.weights.iter().filter(|weight| **weight > 0.0).count()
    }
}

/// Moves `fit` to the optimum of the observations as they are, in `rounds` linearisations.
/// `lens_is_free`: whether principal point and distortion move too (not while observations may
/// still be of the wrong line).
pub(super) fn solve(
    fit: &mut Fit,
    observations: &[Observation],
    initial: &[Camera],
    priors: &Priors,
    lens_is_free: bool,
    rounds: usize,
    options: &FitOptions,
) -> Option<()> {
    for _ in 0..rounds {
        let rows = rows_of(fit, observations, lens_is_free);
        let priors = prior_equations(fit, initial, priors, lens_is_free);
        let mut step = DVector::zeros(size_of(fit));
        step.rows_mut(offsets_start(fit), MAX_OFFSETS * fit.groups.len()).copy_from(&known_offsets(fit));
        for _ in 0..REWEIGHINGS {
            reweigh(fit, observations, &rows, &step, options);
            let mut normal = priors.clone();
            add_observations(&mut normal, fit, observations, &rows);
            step = normal.matrix.cholesky()?.solve(&normal.vector);
            if step.iter().any(|s| !s.is_finite()) {
                return None;
            }
        }
        advance(fit, &step);
    }
    Some(())
}

/// Robust weights settle within a few solutions.
const REWEIGHINGS: usize = 4;

/// Covariance of every camera's numbers at the optimum; also learns how far this board's paint
/// and rails lie beside their drawing.
pub(super) fn covariances(
    fit: &mut Fit,
    observations: &[Observation],
    initial: &[Camera],
    priors: &Priors,
    options: &FitOptions,
) -> Option<Vec<CameraCovariance>> {
    let rows = rows_of(fit, observations, true);
    let mut step = DVector::zeros(size_of(fit));
    step.rows_mut(offsets_start(fit), MAX_OFFSETS * fit.groups.len()).copy_from(&known_offsets(fit));
    reweigh(fit, observations, &rows, &step, options);
    let mut normal = prior_equations(fit, initial, priors, true);
    add_observations(&mut normal, fit, observations, &rows);
    let inverse = normal.matrix.cholesky()?.inverse();
    learn_offsets(fit, &inverse, options);
    let of_pose = |pose: usize| {
        let mut spread = DMatrix::zeros(CAMERA_PARAMETERS, inverse.nrows());
        for (free, columns) in LENS_COLUMNS.iter().enumerate() {
            for &column in *columns {
                spread[(column, free)] = 1.0;
            }
        }
        for i in 0..POSE_FREE {
            spread[(POSE_COLUMN + i, LENS_FREE + POSE_FREE * pose + i)] = 1.0;
        }
        let covariance = &spread * &inverse * spread.transpose();
        CameraCovariance::from_iterator(covariance.iter().copied())
    };
    Some((0..fit.cameras.len()).map(of_pose).collect())
}

/// Derivatives of an observation by the lens's free numbers and by its pose.
type CameraGradient = SVector<f64, { LENS_FREE + POSE_FREE }>;
/// Derivatives of an observation by its group's offsets.
type OffsetGradient = SVector<f64, MAX_OFFSETS>;

/// One linearised observation.
struct Row {
    by_camera: CameraGradient,
    by_offsets: OffsetGradient,
    /// How far the seen place is from the expected one with no offsets, px.
    miss_px: f64,
}

impl Row {
    /// What is left of the miss after a step of the camera and with the group's offsets.
    fn residual_px(&self, seen: &Observation, step: &DVector<f64>, offsets_at: usize) -> f64 {
        let pose_at = LENS_FREE + POSE_FREE * seen.pose;
        let lens = step.fixed_rows::<LENS_FREE>(0).dot(&self.by_camera.fixed_rows::<LENS_FREE>(0));
        let pose =
            step.fixed_rows::<POSE_FREE>(pose_at).dot(&self.by_camera.fixed_rows::<POSE_FREE>(LENS_FREE));
        let offsets =
            step.fixed_rows::<MAX_OFFSETS>(offsets_at + MAX_OFFSETS * seen.group).dot(&self.by_offsets);
        self.miss_px - lens - pose - offsets
    }
}

/// The normal equations over lens, poses and offsets.
#[derive(Clone)]
struct Normal {
    matrix: DMatrix<f64>,
    vector: DVector<f64>,
}

impl Normal {
    fn zeros(size: usize) -> Self {
        Self { matrix: DMatrix::zeros(size, size), vector: DVector::zeros(size) }
    }

    /// Adds a row `gradient · step = miss` with the given information; the gradient is sparse.
    fn add(&mut self, gradient: &[(usize, f64)], miss: f64, information: f64) {
        for &(i, a) in gradient {
            self.vector[i] += information * a * miss;
            for &(j, b) in gradient {
                self.matrix[(i, j)] += information * a * b;
            }
        }
    }
}

/// The normal equations of one pose and one group, in fixed sizes because they take most time.
struct Block {
    camera: SMatrix<f64, { LENS_FREE + POSE_FREE }, { LENS_FREE + POSE_FREE }>,
    cross: SMatrix<f64, { LENS_FREE + POSE_FREE }, MAX_OFFSETS>,
    offsets: SMatrix<f64, MAX_OFFSETS, MAX_OFFSETS>,
    camera_side: CameraGradient,
    offset_side: OffsetGradient,
}

impl Block {
    fn zeros() -> Self {
        Self {
            camera: SMatrix::zeros(),
            cross: SMatrix::zeros(),
            offsets: SMatrix::zeros(),
            camera_side: SVector::zeros(),
            offset_side: SVector::zeros(),
        }
    }

    fn add(&mut self, row: &Row, information: f64) {
        let weighted = row.by_camera * information;
        self.camera.ger(1.0, &weighted, &row.by_camera, 1.0);
        self.cross.ger(1.0, &weighted, &row.by_offsets, 1.0);
        self.offsets.ger(information, &row.by_offsets, &row.by_offsets, 1.0);
        self.camera_side += weighted * row.miss_px;
        self.offset_side += row.by_offsets * (information * row.miss_px);
    }

    fn scatter(&self, normal: &mut Normal, pose: usize, group: usize, offsets_at: usize) {
        let camera_index = |i: usize| if i < LENS_FREE { i } else { i + POSE_FREE * pose };
        let offset_index = |k: usize| offsets_at + MAX_OFFSETS * group + k;
        for i in 0..LENS_FREE + POSE_FREE {
            normal.vector[camera_index(i)] += self.camera_side[i];
            for j in 0..LENS_FREE + POSE_FREE {
                normal.matrix[(camera_index(i), camera_index(j))] += self.camera[(i, j)];
            }
            for k in 0..MAX_OFFSETS {
                normal.matrix[(camera_index(i), offset_index(k))] += self.cross[(i, k)];
                normal.matrix[(offset_index(k), camera_index(i))] += self.cross[(i, k)];
            }
        }
        for k in 0..MAX_OFFSETS {
            normal.vector[offset_index(k)] += self.offset_side[k];
            for l in 0..MAX_OFFSETS {
                normal.matrix[(offset_index(k), offset_index(l))] += self.offsets[(k, l)];
            }
        }
    }
}

fn offsets_start(fit: &Fit) -> usize {
    LENS_FREE + POSE_FREE * fit.cameras.len()
}

fn size_of(fit: &Fit) -> usize {
    offsets_start(fit) + MAX_OFFSETS * fit.groups.len()
}

fn known_offsets(fit: &Fit) -> DVector<f64> {
    DVector::from_iterator(MAX_OFFSETS * fit.groups.len(), fit.offsets.iter().flatten().copied())
}

fn rows_of(fit: &Fit, observations: &[Observation], lens_is_free: bool) -> Vec<Option<Row>> {
    let row_of = |seen: &Observation| {
        let camera = &fit.cameras[seen.pose];
        let [a, b] = [camera.project(seen.edges[0])?, camera.project(seen.edges[1])?];
        let expected = nalgebra::center(&a.pixel, &b.pixel);
        let by_parameters: ParameterJacobian = (a.by_parameters + b.by_parameters) * 0.5;
        let by_all = seen.across.transpose() * by_parameters;
        let lens_free = if lens_is_free { LENS_FREE } else { 1 };
        let mut by_camera = CameraGradient::zeros();
        for (free, columns) in LENS_COLUMNS.iter().enumerate().take(lens_free) {
            by_camera[free] = columns.iter().map(|&c| by_all[c]).sum();
        }
        for i in 0..POSE_FREE {
            by_camera[LENS_FREE + i] = by_all[POSE_COLUMN + i];
        }
        let by_offset = (seen.across.transpose() * (a.by_point + b.by_point) * 0.5 * seen.normal)[0];
        let count = fit.groups[seen.group].offsets;
        let by_offsets =
            OffsetGradient::from_fn(|k, _| if k < count { by_offset * seen.offset_basis[k] } else { 0.0 });
        Some(Row { by_camera, by_offsets, miss_px: seen.across.dot(&(seen.seen - expected)) })
    };
    observations.iter().map(row_of).collect()
}

/// Robust weights (Tukey's biweight) against the residuals' own spread.
fn reweigh(
    fit: &mut Fit,
    observations: &[Observation],
    rows: &[Option<Row>],
    step: &DVector<f64>,
    options: &FitOptions,
) {
    /// Standard deviation of a normal distribution, in median absolute deviations.
    const SIGMA_PER_MEDIAN: f64 = 1.4826;
    let offsets_at = offsets_start(fit);
    let residuals = rows
        .iter()
        .zip(observations)
        .map(|(row, seen)| row.as_ref().map_or(f64::INFINITY, |row| row.residual_px(seen, step, offsets_at)));
    fit.residuals_px = residuals.collect();
    let kind = |seen: &Observation| fit.groups[seen.group].kind;
    fit.of_lines = observations.iter().map(|seen| kind(seen) == Kind::Line).collect();
    let sigma_px = |of_lines: bool| {
        let alike = fit.residuals_px.iter().zip(&fit.of_lines).filter(|(_, of_line)| **of_line == of_lines);
        let mut sizes: Vec<f64> = alike.map(|(residual, _)| residual.abs()).collect();
        let middle = sizes.len() / 2;
        let median =
            if sizes.is_empty() { 0.0 } else { *sizes.select_nth_unstable_by(middle, f64::total_cmp).1 };
        (SIGMA_PER_MEDIAN * median).max(options.residual_floor_px)
    };
    let (line_px, rail_px) = (sigma_px(true), sigma_px(false));
    fit.sigmas_px = fit.of_lines.iter().map(|&of_line| if of_line { line_px } else { rail_px }).collect();
    let weight = |(residual, sigma_px): (&f64, &f64)| {
        let share = residual / (options.outlier_sigmas * sigma_px);
        if share.abs() < 1.0 { (1.0 - share * share).powi(2) } else { 0.0 }
    };
    fit.weights = fit.residuals_px.iter().zip(&fit.sigmas_px).map(weight).collect();
}

fn add_observations(normal: &mut Normal, fit: &Fit, observations: &[Observation], rows: &[Option<Row>]) {
    let offsets_at = offsets_start(fit);
    let mut start = 0;
    // Observations of one pose and group stand together.
    while let Some(first) = observations.get(start) {
        let (pose, group) = (first.pose, first.group);
        let together =
            observations[start..].iter().take_while(|o| o.pose == pose && o.group == group).count();
        let mut block = Block::zeros();
        for i in start..start + together {
            if let Some(row) = &rows[i]
                && fit.weights[i] > 0.0
            {
                block.add(row, fit.weights[i] * observations[i].share / fit.sigmas_px[i].powi(2));
            }
        }
        block.scatter(normal, pose, group, offsets_at);
        start += together;
    }
}

/// What is known besides the pictures, as equations for the next step.
fn prior_equations(fit: &Fit, initial: &[Camera], priors: &Priors, lens_is_free: bool) -> Normal {
    let mut normal = Normal::zeros(size_of(fit));
    let Some(first) = fit.cameras.first() else { return normal };
    let lens = &first.lens;
    let log_focal = &priors.log_focal;
    normal.add(&[(0, 1.0 / lens.fx)], log_focal.mean - lens.fx.ln(), log_focal.sigma.powi(-2));
    let numbers = [lens.cx, lens.cy, lens.k1, lens.k2, lens.p1, lens.p2];
    for (i, (number, prior)) in numbers.iter().zip(&priors.lens).enumerate() {
        let miss = if lens_is_free { prior.mean - number } else { 0.0 };
        normal.add(&[(i + 1, 1.0)], miss, prior.sigma.powi(-2));
    }
    for (pose, (camera, start)) in fit.cameras.iter().zip(initial).enumerate() {
        let at = LENS_FREE + POSE_FREE * pose;
        let turned = (start.pose.rotation * camera.pose.rotation.inverse()).scaled_axis();
        let moved = start.pose.translation_mm - camera.pose.translation_mm;
        for i in 0..3 {
            normal.add(&[(at + i, 1.0)], turned[i], priors.rotation_sigma.powi(-2));
            normal.add(&[(at + 3 + i, 1.0)], moved[i], priors.translation_sigma_mm.powi(-2));
        }
        if let Some(height) = priors.height_mm.get(pose).copied().flatten() {
            let gradient: Vec<_> =
                height_gradient(camera).iter().enumerate().map(|(i, &g)| (at + i, g)).collect();
            normal.add(&gradient, height.mean - camera.pose.centre_mm().z, height.sigma.powi(-2));
        }
    }
    let offsets_at = offsets_start(fit);
    for (index, group) in fit.groups.iter().enumerate() {
        for k in 0..MAX_OFFSETS {
            // Offsets that the group does not have are pinned so that the matrix stays regular.
            let sigma = if k < group.offsets { group.sigma_mm } else { 1.0 };
            normal.add(&[(offsets_at + MAX_OFFSETS * index + k, 1.0)], 0.0, sigma.powi(-2));
        }
    }
    normal
}

/// Derivative of the camera's height by its rotation and translation.
fn height_gradient(camera: &Camera) -> [f64; POSE_FREE] {
    let up_in_camera: Vector3<f64> = camera.pose.rotation * Vector3::z();
    // centre = -Rᵀ t; with R → exp(w) R its z changes by up · (w × t) = w · (t × up).
    let by_rotation = camera.pose.translation_mm.cross(&up_in_camera);
    let by_translation = -up_in_camera;
    [by_rotation.x, by_rotation.y, by_rotation.z, by_translation.x, by_translation.y, by_translation.z]
}

fn advance(fit: &mut Fit, step: &DVector<f64>) {
    let offsets_at = offsets_start(fit);
    for (pose, camera) in fit.cameras.iter_mut().enumerate() {
        let mut full = SVector::<f64, CAMERA_PARAMETERS>::zeros();
        for (free, columns) in LENS_COLUMNS.iter().enumerate() {
            for &column in *columns {
                full[column] = step[free];
            }
        }
        for i in 0..POSE_FREE {
            full[POSE_COLUMN + i] = step[LENS_FREE + POSE_FREE * pose + i];
        }
        // A step that would turn the focal length around is cut.
        let shrink = (0.5 * camera.lens.fx / full[0].abs()).min(1.0);
        *camera = camera.stepped(&(full * shrink));
    }
    for (index, offsets) in fit.offsets.iter_mut().enumerate() {
        for (k, offset) in offsets.iter_mut().enumerate() {
            *offset = step[offsets_at + MAX_OFFSETS * index + k];
        }
    }
}

/// How far this board's paint and rails lie beside their drawing, from how they scatter: for each kind a weighted mean
/// of what boards usually do and of what is seen of this one, uncertainty included.
fn learn_offsets(fit: &mut Fit, inverse: &DMatrix<f64>, options: &FitOptions) {
    let of_lines = scatter(fit, inverse, Kind::Line, options.paint_offset_weight);
    // Two rails that are misread alike (one wall lit, the other in shade) lie as far apart as they should: that they fit
    // is no sign that they are known better than usual. That they do not fit is one that they are not.
    let of_rails = scatter(fit, inverse, Kind::Rail, options.rail_offset_weight).max(1.0);
    for group in &mut fit.groups {
        let times = match group.kind {
            Kind::Line => of_lines,
            Kind::Rail => of_rails,
        };
        group.sigma_mm = group.usual_mm * times;
    }
}

/// How many times as far as usual the groups of a kind lie beside their drawing.
fn scatter(fit: &Fit, inverse: &DMatrix<f64>, kind: Kind, usual_weight: f64) -> f64 {
    let offsets_at = offsets_start(fit);
    let (mut sum, mut weight) = (usual_weight, usual_weight);
    for (index, group) in fit.groups.iter().enumerate().filter(|(_, group)| group.kind == kind) {
        let at = offsets_at + MAX_OFFSETS * index;
        // A group without observations still has the variance of its prior.
        if inverse[(at, at)] >= 0.999 * group.sigma_mm.powi(2) {
            continue;
        }
        for k in 0..group.offsets {
            let variance = inverse[(at + k, at + k)];
            sum += (fit.offsets[index][k].powi(2) + variance) / group.usual_mm.powi(2);
            weight += 1.0;
        }
    }
    (sum / weight).sqrt()
}

/// Principal point and distortion in the order of [`Priors::lens`].
pub(super) fn lens_priors(mean: &Lens, sigmas: [f64; LENS_FREE - 1]) -> [Gaussian; LENS_FREE - 1] {
    let means = [mean.cx, mean.cy, mean.k1, mean.k2, mean.p1, mean.p2];
    std::array::from_fn(|i| Gaussian { mean: means[i], sigma: sigmas[i] })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two lines and two rails whose ends were seen this far beside their drawing, exactly.
    fn learned(line_mm: f64, rail_mm: f64) -> Fit {
        let groups = vec![
            Group::usual(Kind::Line, 2, 0.08),
            Group::usual(Kind::Line, 2, 0.08),
            Group::usual(Kind::Rail, 2, 0.3),
            Group::usual(Kind::Rail, 2, 0.6),
        ];
        let mut fit = Fit::start(Vec::new(), groups);
        let (line, rail) = ([line_mm, -line_mm, 0.0], [rail_mm, rail_mm, 0.0]);
        fit.offsets = vec![line, line, rail, rail];
        let options = FitOptions {
            residual_floor_px: 0.04,
            outlier_sigmas: 4.7,
            paint_offset_weight: 3.0,
            rail_offset_weight: 3.0,
        };
        let known = DMatrix::identity(size_of(&fit), size_of(&fit)) * 1e-6;
        learn_offsets(&mut fit, &known, &options);
        fit
    }

    #[test]
    fn rails_farther_apart_than_the_board_is_wide_are_known_less_well() {
        let fit = learned(0.0, 1.0);
        let [narrow, wide] = [fit.groups[2].sigma_mm, fit.groups[3].sigma_mm];
        assert!(narrow > 0.5 && (wide / narrow - 2.0).abs() < 1e-9, "{narrow} {wide}");
        assert!(fit.groups[0].sigma_mm < 0.08, "of lines it says nothing: {}", fit.groups[0].sigma_mm);
    }

    #[test]
    fn rails_that_fit_are_known_no_better_than_usual_but_lines_are() {
        let fit = learned(0.0, 0.0);
        assert_eq!(fit.groups[2].sigma_mm, 0.3);
        assert!(fit.groups[0].sigma_mm < 0.08, "{}", fit.groups[0].sigma_mm);
        assert!(learned(0.3, 0.0).groups[0].sigma_mm > 0.15);
    }
}
