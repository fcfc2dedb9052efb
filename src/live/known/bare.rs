//! How the board looks with nothing on it, learned from every frame.
//!
//! In: the cells of a frame and which of them are known to show something else. Out: the bare look
//! of each cell. A cell remembers a few looks and for how long it has had each; the one it had for
//! longest is the board's. A hand that rests somewhere is another look beside it and goes again with
//! the hand, so a first frame with a hand in it heals, and a person who stands still poisons nothing
//! that has been seen before for longer.

use super::{
    lamp::Lamp,
    options::KnownOptions,
    plan::{Plan, Stops, apart, median, minus},
};

/// Every so many cells are fitted for light.
const FITTED_EVERY: usize = 7;

/// Looks that a cell remembers.
const LOOKS: usize = 3;

/// Cells a side of a block that shares one colour of the bare surface.
const BLOCK: usize = 24;

#[derive(Debug, Clone, Copy, Default)]
struct Look {
    colour: Stops,
    secs: f32,
}

/// The bare board.
#[derive(Debug, Clone)]
pub struct Bare {
    cells: Vec<[Look; LOOKS]>,
    /// The bare look of each cell as far as it is known, else the surface's around it.
    pub colour: Vec<Stops>,
    /// The surface's own colour around each cell, without print.
    pub surface: Vec<Stops>,
    surface_secs: Option<f64>,
}

impl Bare {
    pub fn new(plan: &Plan) -> Self {
        Self {
            cells: vec![[Look::default(); LOOKS]; plan.len()],
            colour: Vec::new(),
            surface: Vec::new(),
            surface_secs: None,
        }
    }

    /// Takes the light of the present frame out of it: a lamp changes the board smoothly, and exposure all
    /// of it alike.
    pub fn in_own_light(&self, plan: &Plan, cells: &mut [Stops], options: &KnownOptions) {
        if self.colour.is_empty() {
            return;
        }
        let known: Vec<usize> = (0..cells.len())
            .step_by(FITTED_EVERY)
            .filter(|cell| plan.in_view[*cell] && plan.on_surface[*cell] && self.is_known(*cell, options))
            .collect();
        let mut shifts: Vec<Stops> =
            known.iter().map(|cell| minus(cells[*cell], self.colour[*cell])).collect();
        let places: Vec<[f32; 2]> = known.iter().map(|cell| plan.unit(*cell)).collect();
        let bright: Vec<f32> = shifts.iter().map(|shift| shift.iter().sum::<f32>() / 3.0).collect();
        let lamp = Lamp::fit(&places, &bright);
        for (shift, place) in shifts.iter_mut().zip(&places) {
            *shift = shift.map(|channel| channel - lamp.at(*place));
        }
        let Some(tint) = median(&mut shifts) else { return };
        for (cell, colour) in cells.iter_mut().enumerate() {
            let lit = lamp.at(plan.unit(cell));
            *colour = std::array::from_fn(|channel| colour[channel] - tint[channel] - lit);
        }
    }

    /// The light has changed, and shadows with it: what is seen from now on soon counts for more than what was.
    pub fn is_lit_anew(&mut self, options: &KnownOptions) {
        for look in self.cells.iter_mut().flatten() {
            look.secs = look.secs.min(options.relit_secs);
        }
    }

    /// Prepares the looks for a frame. Cells that were never seen bare are taken for plain surface.
    pub fn look(&mut self, plan: &Plan, cells: &[Stops], time_secs: f64, options: &KnownOptions) {
        let is_due = self.surface_secs.is_none_or(|last| time_secs - last >= options.surface_secs);
        if is_due {
            self.surface_secs = Some(time_secs);
            self.surface = surface_around(plan, |cell| match self.cells[cell][0] {
                look if look.secs > options.look_known_secs => look.colour,
                _ => cells[cell],
            });
        }
        let colour = |(looks, surface): (&[Look; LOOKS], &Stops)| match looks[0] {
            look if look.secs > options.look_known_secs => look.colour,
            _ => *surface,
        };
        self.colour = self.cells.iter().zip(&self.surface).map(colour).collect();
    }

    /// Whether it is known how a cell looks bare.
    pub fn is_known(&self, cell: usize, options: &KnownOptions) -> bool {
        self.cells[cell][0].secs > options.look_known_secs
    }

    /// Learns from a frame: for how long each cell counts as seen bare.
    pub fn learn(&mut self, cells: &[Stops], bare_secs: &[f32], options: &KnownOptions) {
        for ((looks, colour), &elapsed_secs) in self.cells.iter_mut().zip(cells).zip(bare_secs) {
            if elapsed_secs <= 0.0 {
                continue;
            }
            let forgotten = 1.0 - elapsed_secs / options.look_forget_secs;
            looks.iter_mut().for_each(|look| look.secs *= forgotten);
            let near = |look: &&mut Look| look.secs > 0.0 && apart(look.colour, *colour) < options.same_look;
            match looks.iter_mut().find(near) {
                Some(look) => {
                    look.secs = (look.secs + elapsed_secs).min(options.look_most_secs);
                    let share = elapsed_secs / look.secs.min(options.look_mean_secs);
                    for (mean, now) in look.colour.iter_mut().zip(colour) {
                        *mean += (now - *mean) * share.min(1.0);
                    }
                }
                None => looks[LOOKS - 1] = Look { colour: *colour, secs: elapsed_secs },
            }
            looks.sort_by(|a, b| b.secs.total_cmp(&a.secs));
        }
    }
}

/// The surface's own colour around each cell: medians of blocks that reach into their neighbours.
fn surface_around(plan: &Plan, colour_of: impl Fn(usize) -> Stops) -> Vec<Stops> {
    let (across, up) = (plan.width.div_ceil(BLOCK), plan.height.div_ceil(BLOCK));
    let all: Vec<usize> =
        (0..plan.len()).filter(|cell| plan.in_view[*cell] && plan.on_surface[*cell]).collect();
    let whole = median(&mut all.iter().step_by(7).map(|cell| colour_of(*cell)).collect::<Vec<_>>());
    let mut blocks = Vec::with_capacity(across * up);
    for block in 0..across * up {
        let range = |index: usize, size: usize| {
            (index * BLOCK).saturating_sub(BLOCK / 2)..(index * BLOCK + BLOCK + BLOCK / 2).min(size)
        };
        let rows = range(block / across, plan.height);
        let columns = range(block % across, plan.width);
        let cells = rows
            .step_by(2)
            .flat_map(|row| columns.clone().step_by(2).map(move |column| row * plan.width + column));
        let seen = cells.filter(|cell| plan.in_view[*cell] && plan.on_surface[*cell]);
        let mut colours: Vec<Stops> = seen.map(&colour_of).collect();
        blocks.push(median(&mut colours).or(whole).unwrap_or_default());
    }
    let block_of = |cell: usize| (cell / plan.width / BLOCK) * across + cell % plan.width / BLOCK;
    (0..plan.len()).map(|cell| blocks[block_of(cell)]).collect()
}
