//! Sets of unknown tables: a photo with pieces, one of the empty table, and the true board file a table.

use std::path::Path;

use rayon::prelude::*;
use serde_json::json;

use crate::board::Board;

use super::super::set::{SetError, make_folder};
use super::super::{Photo, View, render};
use super::unknown_table;

/// Keeps the seeds of a set's tables apart.
const TABLE_STRIDE: u64 = 1_000_003;

/// Renders a set into a folder: `000.jpg` with pieces, `000-empty.jpg` without, each with its truth beside
/// it, and `000.board.toml`, the board as it is. `done` is told of each table.
pub fn render_unknown_set(
    template: &Board,
    template_name: &str,
    tables: usize,
    view: View,
    seed: u64,
    folder: &Path,
    done: &(dyn Fn() + Sync),
) -> Result<(), SetError> {
    make_folder(folder)?;
    let digits = tables.saturating_sub(1).to_string().len().max(3);
    (0..tables).into_par_iter().try_for_each(|index| {
        let table = unknown_table(template, seed.wrapping_mul(TABLE_STRIDE).wrapping_add(index as u64))?;
        let board_file = format!("{index:0digits$}.board.toml");
        let path = folder.join(&board_file);
        std::fs::write(&path, &table.file).map_err(|source| SetError::Write { path, source })?;
        let tell = |mut photo: Photo| {
            photo.truth.board = template_name.to_owned();
            photo.truth.more.insert("own_board".to_owned(), json!(board_file));
            photo
        };
        tell(render(&table.photo(view)?)).save(&folder.join(format!("{index:0digits$}.jpg")))?;
        tell(render(&table.empty_photo(view)?)).save(&folder.join(format!("{index:0digits$}-empty.jpg")))?;
        done();
        Ok(())
    })
}
