//! The five games: events in, tally out. Knows no pixels.
