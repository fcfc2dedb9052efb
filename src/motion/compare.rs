//! Two small pictures compared: what changed that is neither light nor shake.
//!
//! In: a picture now and one from before. Out: by how much each cell has changed. A lamp or an
//! exposure changes the light smoothly over the picture, a shaken camera shifts all of it by a
//! little: both are fitted (a quadratic gain and a shift, robustly) and taken out. What is left is
//! a thing that came, went or moved.

use nalgebra::{SMatrix, SVector};

use super::{MotionOptions, SmallView};

/// A small picture to compare with.
#[derive(Debug, Clone)]
pub struct Plate {
    pub light: Vec<f32>,
    /// Contrast to the right and down, a cell.
    slope: Vec<[f32; 2]>,
    /// The steepest step to a neighbour in either direction, together: on a thin line the slopes cancel out.
    pub step: Vec<f32>,
}

impl Plate {
    pub fn new(view: &SmallView, light: Vec<f32>) -> Self {
        let mut plate = Self { slope: vec![[0.0; 2]; light.len()], step: vec![0.0; light.len()], light };
        plate.learn_slopes(view);
        plate
    }

    pub fn learn_slopes(&mut self, view: &SmallView) {
        let (width, height) = (view.width, view.height);
        for y in 1..height.saturating_sub(1) {
            for x in 1..width.saturating_sub(1) {
                let at = y * width + x;
                self.slope[at] = [
                    (self.light[at + 1] - self.light[at - 1]) / 2.0,
                    (self.light[at + width] - self.light[at - width]) / 2.0,
                ];
                let step = |other: usize| (self.light[other] - self.light[at]).abs();
                self.step[at] = step(at + 1).max(step(at - 1)) + step(at + width).max(step(at - width));
            }
        }
    }
}

/// What the whole picture did.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Common {
    /// Gain by the polynomial 1, x, y, x², xy, y² over the picture, less one; then the shift in
    /// cells.
    numbers: [f32; PARAMETERS],
    /// Noise of a cell, in steps of 255.
    pub sigma: f32,
}

const PARAMETERS: usize = 8;

/// Every so many cells in both directions are fitted.
const STRIDE: usize = 3;

/// Rounds of the robust fit; it settles within two or three.
const ROUNDS: usize = 4;

/// Residuals beyond so many standard deviations have no weight in the fit.
const CUT_SIGMAS: f32 = 4.0;

/// Standard deviations a median absolute deviation.
const SIGMA_OF_MAD: f32 = 1.4826;

impl Common {
    pub fn nothing() -> Self {
        Self { numbers: [0.0; PARAMETERS], sigma: 1.0 }
    }

    /// Gain in the middle of the picture, less one.
    pub fn gain(&self) -> f32 {
        self.numbers[0]
    }

    /// The largest gain over the picture, less one, by size.
    pub fn gain_most(&self) -> f32 {
        let at = |x: f32, y: f32| self.gain_at(x, y).abs();
        let places = [(0.0, 0.0), (-0.7, -0.7), (0.7, -0.7), (-0.7, 0.7), (0.7, 0.7)];
        places.into_iter().map(|(x, y)| at(x, y)).fold(0.0, f32::max)
    }

    fn gain_at(&self, x: f32, y: f32) -> f32 {
        let n = &self.numbers;
        n[0] + x * (n[1] + x * n[3] + y * n[4]) + y * (n[2] + y * n[5])
    }

    /// What a cell of the plate should look like now.
    fn expected(&self, light: f32, slope: [f32; 2], x: f32, y: f32) -> f32 {
        light * (1.0 + self.gain_at(x, y)) + self.numbers[6] * slope[0] + self.numbers[7] * slope[1]
    }

    /// A plate in the light of the present picture.
    pub fn relit(&self, view: &SmallView, plate: &Plate) -> Vec<f32> {
        let mut light = Vec::with_capacity(plate.light.len());
        for row in 0..view.height {
            let y = unit(row, view.height);
            for column in 0..view.width {
                let x = unit(column, view.width);
                let cell = plate.light[row * view.width + column];
                light.push(cell * (1.0 + self.gain_at(x, y)));
            }
        }
        light
    }
}

/// A row or column as a number from -1 to 1.
fn unit(index: usize, size: usize) -> f32 {
    2.0 * index as f32 / (size.max(2) - 1) as f32 - 1.0
}

struct Sample {
    x: f32,
    y: f32,
    now: f32,
    before: f32,
    slope: [f32; 2],
}

/// Fits what the whole picture did from `plate` to `now`.
pub fn common_change(view: &SmallView, plate: &Plate, now: &[f32]) -> Common {
    let mut samples = Vec::new();
    for row in (1..view.height.saturating_sub(1)).step_by(STRIDE) {
        for column in (1..view.width.saturating_sub(1)).step_by(STRIDE) {
            let at = row * view.width + column;
            if view.inside[at] {
                let (x, y) = (unit(column, view.width), unit(row, view.height));
                samples.push(Sample { x, y, now: now[at], before: plate.light[at], slope: plate.slope[at] });
            }
        }
    }
    let mut common = Common::nothing();
    if samples.len() < PARAMETERS * 4 {
        return common;
    }
    let mut ratios: Vec<f32> = samples.iter().map(|s| (s.now + 1.0) / (s.before + 1.0)).collect();
    common.numbers[0] = median(&mut ratios) - 1.0;
    let mut residuals = Vec::with_capacity(samples.len());
    for round in 0..=ROUNDS {
        residuals.clear();
        residuals.extend(samples.iter().map(|s| s.now - common.expected(s.before, s.slope, s.x, s.y)));
        let mut sizes: Vec<f32> = residuals.iter().map(|r| r.abs()).collect();
        common.sigma = (SIGMA_OF_MAD * median(&mut sizes)).max(0.3);
        if round == ROUNDS {
            break;
        }
        match step(&samples, &residuals, CUT_SIGMAS * common.sigma) {
            Some(step) => common.numbers.iter_mut().zip(step.iter()).for_each(|(n, s)| *n += *s as f32),
            None => break,
        }
    }
    // A shift by more than a cell is no shake: slopes say nothing about it.
    if common.numbers[6].abs() > 1.0 || common.numbers[7].abs() > 1.0 {
        common.numbers[6] = 0.0;
        common.numbers[7] = 0.0;
    }
    common
}

fn step(samples: &[Sample], residuals: &[f32], cut: f32) -> Option<SVector<f64, PARAMETERS>> {
    let mut normal = SMatrix::<f64, PARAMETERS, PARAMETERS>::zeros();
    let mut right = SVector::<f64, PARAMETERS>::zeros();
    for (s, residual) in samples.iter().zip(residuals) {
        let share = residual / cut;
        if share.abs() >= 1.0 {
            continue;
        }
        let weight = f64::from((1.0 - share * share).powi(2));
        let b = s.before;
        let row = [b, b * s.x, b * s.y, b * s.x * s.x, b * s.x * s.y, b * s.y * s.y, s.slope[0], s.slope[1]]
            .map(f64::from);
        for i in 0..PARAMETERS {
            let weighted = weight * row[i];
            right[i] += weighted * f64::from(*residual);
            for j in i..PARAMETERS {
                normal[(i, j)] += weighted * row[j];
            }
        }
    }
    for i in 0..PARAMETERS {
        for j in 0..i {
            normal[(i, j)] = normal[(j, i)];
        }
        // Keeps a picture without contrast, or of one brightness, solvable.
        normal[(i, i)] += 1.0;
    }
    normal.cholesky().map(|factor| factor.solve(&right))
}

/// How far each cell is from what was expected, beyond what noise and shake explain, in steps of
/// 255; 0 outside the board.
pub fn changes(
    view: &SmallView,
    plate: &Plate,
    now: &[f32],
    common: &Common,
    options: &MotionOptions,
    out: &mut Vec<f32>,
) {
    out.clear();
    let least = options.step_min.max(options.step_sigmas * common.sigma);
    for row in 0..view.height {
        let y = unit(row, view.height);
        for column in 0..view.width {
            let at = row * view.width + column;
            if !view.inside[at] {
                out.push(0.0);
                continue;
            }
            let x = unit(column, view.width);
            let slope = plate.slope[at];
            let off = (now[at] - common.expected(plate.light[at], slope, x, y)).abs();
            let forgiven = least + options.edge_cells * plate.step[at];
            out.push((off - forgiven).max(0.0));
        }
    }
}

fn median(values: &mut [f32]) -> f32 {
    if values.is_empty() {
        return 0.0;
    }
    let middle = values.len() / 2;
    *values.select_nth_unstable_by(middle, f32::total_cmp).1
}
