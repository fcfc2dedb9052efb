//! Tables that no board file knows: random boards as makers, years and people leave them.
//!
//! In: a shipped board of the kind, a view and a seed. Out: a board of its own, whose file is the truth
//! that learning is judged by, and two scenes of it: with pieces and all that lies about, and empty.
//!
//! `board` varies the lengths, `sides` what lies around the surface, `print` what makers print on it,
//! `camera` where people stand, `clutter` what is on the table that is no piece in play.

mod board;
mod camera;
mod clutter;
mod print;
mod set;
mod sides;
mod wear;

use std::path::Path;

use crate::board::{Board, BoardError, BoardNotes};

use super::dice::Dice;
use super::dress::Dress;
use super::layout::random_pieces;
use super::random::{View, dress as dress_pieces, random_light, random_look, random_picture};
use super::scene::{LookPart, PiecePart, SceneFile};
use super::{Scene, SceneError};

pub use set::render_unknown_set;

const BOARD: u64 = 21;
const PRINT: u64 = 22;
const WEAR: u64 = 23;
const PHOTO: u64 = 24;
const EMPTY: u64 = 25;

/// A table of its own.
#[derive(Debug, Clone)]
pub struct UnknownTable {
    /// As its board file says it, to the hundredth of a millimetre.
    pub board: Board,
    pub file: String,
    pub dress: Dress,
    pub look: LookPart,
    /// Of the board it is a variant of.
    template: String,
    seed: u64,
}

/// The table of a seed.
pub fn unknown_table(template: &Board, seed: u64) -> Result<UnknownTable, BoardError> {
    // Boards of two kinds with one seed have nothing in common.
    let seed =
        template.id.bytes().fold(seed, |seed, byte| seed.wrapping_mul(131).wrapping_add(u64::from(byte)));
    let dice = &mut Dice::new(seed, BOARD);
    let mut board = board::varied(template, dice);
    let mut look = random_look(&board, dice);
    look.paint_offsets_mm.clear();
    let mut dress = Dress::default();
    sides::vary(&mut board, &mut look, &mut dress, dice);
    print::add(&mut board, &mut look, &mut dress, &mut Dice::new(seed, PRINT));
    wear::wear(&mut board, &mut look, &mut dress, &mut Dice::new(seed, WEAR));
    board.id = format!("{}-{seed}", template.id);
    board.name = format!("An unknown table, a variant of {}", template.id);
    let file = board.to_toml(&BoardNotes::default());
    // What is drawn is what the file says.
    let board = Board::parse(&file, Path::new(&format!("{}.toml", board.id)))?;
    Ok(UnknownTable { board, file, dress, look, template: template.id.clone(), seed })
}

impl UnknownTable {
    /// A photo with pieces, and with what lies about on tables.
    pub fn photo(&self, view: View) -> Result<Scene, SceneError> {
        let dice = &mut Dice::new(self.seed, PHOTO);
        let mut file = self.scene(view, dice);
        file.pieces = random_pieces(&self.board, dice);
        camera::keep_what_is_in_view(&self.board, &mut file);
        file.pieces.extend(clutter::parked(&self.board, dice));
        dress_pieces(&self.board, &mut file.pieces, self.seed);
        file.objects = clutter::objects(&self.board, &file, dice);
        self.dressed(file)
    }

    /// The empty table from another place.
    pub fn empty_photo(&self, view: View) -> Result<Scene, SceneError> {
        let dice = &mut Dice::new(self.seed, EMPTY);
        let mut file = self.scene(view, dice);
        // The wood is the same wood.
        file.seed = self.seed;
        file.pieces = if dice.chance(0.3) { clutter::parked(&self.board, dice) } else { Vec::new() };
        dress_pieces(&self.board, &mut file.pieces, self.seed);
        self.dressed(file)
    }

    fn scene(&self, view: View, dice: &mut Dice) -> SceneFile {
        let mut file = SceneFile::of_board(self.board.id.clone());
        file.category = Some(format!("{}-unknown-{}", self.template, view.name()));
        file.seed = self.seed;
        file.look = self.look.clone();
        file.camera = camera::random(&self.board, view, dice);
        file.light = random_light(&self.board, dice);
        file.picture = random_picture(view, dice);
        file.picture.jpeg_quality = dice.between(72.0, 94.0) as u8;
        file.picture.noise += dice.between(0.0, 1.0);
        file
    }

    fn dressed(&self, file: SceneFile) -> Result<Scene, SceneError> {
        let mut scene = file.validate_on(self.board.clone(), &self.board.id)?;
        scene.dress = self.dress.clone();
        Ok(scene)
    }
}

/// A piece out of play at some height.
fn parked_piece(colour: &str, at: [f64; 2], z_mm: f64, parked: super::scene::Parked) -> PiecePart {
    let [x_mm, y_mm] = at.map(|v| (v * 1e2).round() / 1e2);
    PiecePart { z_mm: Some(z_mm), parked: Some(parked), ..PiecePart::new(colour, x_mm, y_mm) }
}
