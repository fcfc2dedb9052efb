//! Evenings of every game, watched by the umpire alone, who is told where everything lies.

use linecall::{rules::GameId, simulate::EveningOptions};

use super::paper::told_evenings;

#[test]
fn half_rounds_of_court_are_recorded_as_they_were() {
    told_evenings(&EveningOptions::new(GameId::Court, 20, 1)).assert_holds("court", 0.2);
}

#[test]
fn half_rounds_of_the_long_board_are_recorded_as_they_were() {
    told_evenings(&EveningOptions::new(GameId::LongBoard, 20, 2)).assert_holds("long board", 0.2);
}

#[test]
fn half_rounds_of_association_are_recorded_as_they_were() {
    told_evenings(&EveningOptions::new(GameId::Association, 20, 3)).assert_holds("association", 0.1);
}

#[test]
fn games_of_kagw_are_recorded_as_they_were() {
    told_evenings(&EveningOptions::new(GameId::Kagw, 3, 4)).assert_holds("kagw", 0.2);
}

#[test]
fn innings_of_ludington_are_recorded_as_they_were() {
    told_evenings(&EveningOptions::new(GameId::Ludington, 5, 6)).assert_holds("ludington", 0.2);
}

/// Banks: what touched none is dead; what was not seen is asked.
#[test]
fn rocks_that_touched_no_bank_are_noticed_or_asked_about() {
    let options = EveningOptions { bank: true, ..EveningOptions::new(GameId::Association, 6, 9) };
    told_evenings(&options).assert_holds("association, bank", 1.0);
}

/// Cushions: the order of two touches between two frames is asked about.
#[test]
fn discs_hit_off_a_cushion_are_noticed_or_asked_about() {
    let options = EveningOptions { cushion: true, ..EveningOptions::new(GameId::Ludington, 2, 10) };
    told_evenings(&options).assert_holds("ludington, cushion", 0.25);
}
