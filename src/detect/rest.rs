//! Where a piece can rest: on the surface, as far from a rail as it is wide, and not over a pocket.

use super::{
    DetectOptions,
    check::{Check, Quantity},
    judge::Judge,
};
use crate::{
    board::{Board, BoardSide},
    geometry::Point,
};

impl Judge<'_> {
    /// Whether a rough place can turn out to be one where a piece rests.
    pub fn rests_near_board(&self, place: Point, radius_mm: f64) -> Check {
        let (room_mm, option) = room_to_sides(self.board, place, radius_mm, self.options);
        Check::more_than(Quantity::InsideSides, room_mm, -self.options.place_tolerance * radius_mm, option)
    }

    /// Whether a piece of this radius can rest with its centre there.
    pub fn rests_on_board(&self, centre: Point, radius_mm: f64) -> bool {
        rest_checks(self.board, centre, radius_mm, self.options).iter().all(|check| check.holds)
    }
}

/// Whether a piece of this radius can rest with its centre there, as well as the options let places be off: room to the
/// sides, and to the pockets.
pub(crate) fn rest_checks(
    board: &Board,
    centre: Point,
    radius_mm: f64,
    options: &DetectOptions,
) -> [Check; 2] {
    let (sides_mm, option) = room_to_sides(board, centre, radius_mm, options);
    let pockets_mm = room_to_pockets(board, centre, 1.0, options);
    [
        Check::more_than(Quantity::InsideSides, sides_mm, 0.0, option),
        Check::at_least(Quantity::OutsidePockets, pockets_mm, 0.0, "detect.pocket_tolerance_mm"),
    ]
}

/// The least room that a piece with its centre there has to a pocket, if those lie so many times as far beside their drawing as
/// the board file says that they may; infinite where the board has none.
pub(crate) fn room_to_pockets(board: &Board, centre: Point, times_off: f64, options: &DetectOptions) -> f64 {
    let off_mm = times_off * board.accuracy_mm - options.pocket_tolerance_mm;
    let rooms =
        board.pockets.iter().map(|pocket| (centre - pocket.centre).norm() - (pocket.radius_mm + off_mm));
    rooms.fold(f64::INFINITY, f64::min)
}

/// The least room of such a piece to a side, and the option that says how much less there may be.
fn room_to_sides(
    board: &Board,
    centre: Point,
    radius_mm: f64,
    options: &DetectOptions,
) -> (f64, &'static str) {
    let (w, l) = (board.surface.width_mm, board.surface.length_mm);
    let from_sides = [
        (BoardSide::Left, centre.x),
        (BoardSide::Right, w - centre.x),
        (BoardSide::Near, centre.y),
        (BoardSide::Far, l - centre.y),
    ];
    let rooms =
        from_sides.map(|(side, distance_mm)| match board.rails.iter().any(|rail| rail.side == side) {
            true => (distance_mm - (radius_mm - options.rail_tolerance_mm), "detect.rail_tolerance_mm"),
            false => (distance_mm + options.edge_tolerance_mm, "detect.edge_tolerance_mm"),
        });
    rooms.into_iter().fold((f64::INFINITY, ""), |least, room| if room.0 < least.0 { room } else { least })
}
