//! `linecall boards`: what there is, as a table or for programs.

use serde_json::json;

use crate::board::Board;

pub(super) fn table(boards: &[Board]) -> String {
    let head = ["ID", "BOARD", "SIZE, MM", "GAMES", "PIECES"].map(str::to_owned);
    let rows: Vec<[String; 5]> = boards
        .iter()
        .map(|board| {
            let pieces: Vec<_> =
                board.pieces.iter().map(|kind| format!("{} {}", kind.count, kind.name)).collect();
            [
                board.id.clone(),
                board.name.clone(),
                format!("{} x {}", board.surface.width_mm, board.surface.length_mm),
                board.games.join(", "),
                pieces.join(", "),
            ]
        })
        .collect();
    let widths: [usize; 5] = std::array::from_fn(|column| {
        rows.iter().chain([&head]).map(|row| row[column].chars().count()).max().unwrap_or(0)
    });
    let line = |row: &[String; 5]| {
        let cells: Vec<_> = row.iter().zip(widths).map(|(cell, width)| format!("{cell:<width$}")).collect();
        format!("{}\n", cells.join("  ").trim_end())
    };
    std::iter::once(&head).chain(&rows).map(line).collect()
}

pub(super) fn as_json(board: &Board) -> serde_json::Value {
    let pieces: Vec<_> = board
        .pieces
        .iter()
        .map(|kind| {
            json!({
                "name": kind.name, "count": kind.count, "colour": kind.colour.to_string(),
                "diameter_mm": kind.diameter_mm, "height_mm": kind.height_mm, "shooter": kind.shooter,
            })
        })
        .collect();
    let mut areas: Vec<serde_json::Value> = Vec::new();
    for area in &board.areas {
        let entry = json!({ "name": area.name, "value": area.value });
        if !areas.contains(&entry) {
            areas.push(entry);
        }
    }
    if let Some(hanging) = &board.hanging {
        areas.push(json!({ "name": hanging.area, "value": hanging.value }));
    }
    json!({
        "id": board.id, "name": board.name, "games": board.games,
        "width_mm": board.surface.width_mm, "length_mm": board.surface.length_mm,
        "areas": areas, "pieces": pieces,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_line_up() {
        let table = table(&Board::shipped().unwrap());
        let lines: Vec<_> = table.lines().collect();
        assert_eq!(lines.len(), 6);
        let column = lines[0].find("SIZE").unwrap();
        for line in &lines[1..] {
            let cell: String = line.chars().skip(column).take(3).collect();
            assert!(cell.parse::<u32>().is_ok(), "{cell:?} in {line:?}");
        }
    }
}
