//! How boards are weighed against each other.

crate::options::options! {
    /// Evidence is in nats: natural logarithms of odds.
    #[derive(Debug, Clone, PartialEq)]
    pub struct IdentifyOptions {
        /// What one mark of a board can say for or against it at most (3): a hand hides a whole line as easily as
        /// an inch of it.
        pub most_mark_nats: f64 = 3.0,
        /// What each mark that is where the board has it says against a table that nobody described (1): its
        /// lines could be anywhere. Those that it took to place the board say nothing.
        pub agreement_nats: f64 = 1.0,
        pub placing_marks: usize = 4,
        /// However many marks agree, they say no more than this (7): the checks themselves are wrong about once
        /// in a thousand.
        pub most_agreement_nats: f64 = 7.0,
        /// How likely such a table is beforehand, next to a shipped board (1), and one of the person's own (20):
        /// who keeps a board has that board.
        pub unknown_prior: f64 = 1.0,
        pub own_prior: f64 = 20.0,
        /// Paint that no board has says no more than this for such a table (3): a star or a maker's words are one
        /// thing, however many strokes they have.
        pub most_left_over_nats: f64 = 3.0,
        /// A board less likely than this (0.05) is not taken, though its own checks do not refuse it: that is
        /// another table.
        pub least_probability: f64 = 0.05,
        /// The likeliest board is taken where it is so many times likelier than the next (9). More asks people
        /// more often.
        pub least_odds: f64 = 9.0,
        /// What a piece says that is found at the size it would have on the board (1), and all of them at most
        /// (6).
        pub piece_nats: f64 = 1.0,
        pub most_piece_nats: f64 = 6.0,
        /// Cameras from outlines that are refined for a board (6).
        pub most_outline_cameras: usize = 6,
        /// How far lines of two boards may lie apart in the picture and still be the same, px of a picture whose
        /// longer side has 960 (3); and lengths of the boards as a share (0.02).
        pub same_line_px: f64 = 3.0,
        pub same_length_share: f64 = 0.02,
    }
}
