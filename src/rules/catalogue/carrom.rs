//! The carrom games: KAGW and Ludington.

use super::{
    DecidedBy::{Camera, Program, Proposal, Referee},
    GameText, PLAY, option, rule,
};
use crate::rules::GameId;

pub(super) const KAGW: GameText = GameText {
    game: GameId::Kagw,
    name: "KAGW carrom",
    summary: "Nine pieces a side and the queen; she must be covered before anyone can win.",
    options: &[PLAY, option("best_of", "1, 3", "3")],
    rules: &[
        rule(
            1,
            Program,
            "Nine white, nine black, one queen. A turn is one or more strikes. In doubles partners sit \
             opposite and turns go clockwise.",
            "",
        ),
        rule(
            2,
            Proposal,
            "The striker touches both lines of the base line, or covers one of its end circles; cutting \
             a circle is a foul. It is flicked forward across the front line with one finger; a piece \
             on or behind that line may not be struck before; hand and arm stay within the diagonals.",
            "backward, early-hit and arm fouls; the camera calls the placement",
        ),
        rule(
            3,
            Proposal,
            "The first turn has three attempts to disturb the centre group; failing all three is a \
             foul.",
            "",
        ),
        rule(
            4,
            Proposal,
            "It does not matter what the striker hits first. Pocketing the queen or own pieces gives \
             another strike; pocketing nothing, or a foul, ends the turn.",
            "which pieces were pocketed, confirmed",
        ),
        rule(
            5,
            Program,
            "Only a side that has an own piece down already may take the queen. Taken earlier, the turn \
             goes on and she returns at its end.",
            "",
        ),
        rule(
            6,
            Program,
            "The queen is covered by an own piece in the same strike or the very next one; uncovered \
             she returns to the centre.",
            "",
        ),
        rule(
            7,
            Proposal,
            "Fouls: striker pocketed; striker or a piece off the board; an opponent's piece pocketed; a \
             breach of K2; touching a piece in play; K3; K9; K10. A foul ends the turn, and one of the \
             side's pocketed pieces returns. One penalty a strike.",
            "touched pieces and what left the board",
        ),
        rule(
            8,
            Program,
            "An opponent's piece that was pocketed stays down, and so do own ones of that strike; a \
             queen taken with it returns.",
            "",
        ),
        rule(9, Program, "The opponent's last piece returns when pocketed, and a penalty piece too.", ""),
        rule(
            10,
            Program,
            "One's own last piece pocketed before the queen is covered returns, and a penalty piece \
             too.",
            "",
        ),
        rule(
            11,
            Referee,
            "With nothing to return the penalty is owed and paid at the end of the turn in which a \
             piece becomes available, before a win is checked. Not called before the next turn, it \
             lapses.",
            "that an owed penalty was forgotten",
        ),
        rule(
            12,
            Program,
            "A side wins when all its pieces are down and the queen is covered by either side. It \
             scores one for each opponent's piece on the board, and 5 if it covered the queen itself.",
            "",
        ),
        rule(
            13,
            Program,
            "Best of three: the first two games take it. At one each a third is played and the points \
             of all three decide; equal totals are undecided.",
            "",
        ),
        rule(
            14,
            Camera,
            "Returned pieces may be stacked in the main circle. A piece on its edge or on another one \
             stays as it is; a striker under a piece is taken out gently.",
            "",
        ),
    ],
};

pub(super) const LUDINGTON: GameText = GameText {
    game: GameId::Ludington,
    name: "Ludington carroms",
    summary: "Pocket all your discs; the green one is worth 5; innings to 30.",
    options: &[
        PLAY,
        option("target", "any above 0", "30"),
        option("best_of", "1, 3, 5 …", "1"),
        option("called", "true, false", "false"),
        option("cushion", "true, false", "false"),
        option("green_continues", "true, false", "false"),
        option("green", "true, false", "true"),
        option("discs", "a side's number", "12"),
    ],
    rules: &[
        rule(
            1,
            Referee,
            "The player of the other colour mixes the discs at the centre, the green one on the spot. \
             Shots are made from inside the base line.",
            "a shot from outside the line",
        ),
        rule(
            2,
            Proposal,
            "A shot that pockets none of one's own discs ends the turn, the green one alone too (option \
             green_continues). Partners sit opposite.",
            "which discs were pocketed, confirmed",
        ),
        rule(
            3,
            Proposal,
            "Shooter pocketed: one own pocketed disc returns as a forfeit, and so do the own discs of \
             that shot. The turn ends; with none to forfeit nothing is owed.",
            "",
        ),
        rule(
            4,
            Program,
            "An opponent's disc stays pocketed and loses the turn, unless an own one went in with it.",
            "",
        ),
        rule(
            5,
            Proposal,
            "A disc off the board returns near the centre. Shooter and green together: only the green \
             returns.",
            "what left the board",
        ),
        rule(6, Proposal, "Any movement of the shooter is a shot.", ""),
        rule(7, Program, "The side that pockets the green scores 5, whoever wins the count.", ""),
        rule(
            8,
            Program,
            "An inning ends when one side has all its discs down and the green is pocketed. Each disc \
             left counts one for the other colour.",
            "",
        ),
        rule(
            9,
            Program,
            "The game is at 30 unless agreed otherwise, checked at the end of an inning; equal at or \
             over it, another inning.",
            "",
        ),
        rule(
            10,
            Referee,
            "Called: the player names a disc. Another one pocketed returns, unless it is the opponent's \
             or the named one went in with it. A miss ends the turn.",
            "whether the named disc went in",
        ),
        rule(
            11,
            Referee,
            "Cushion: a disc inside one's own base line must be hit off a cushion. A breach is recorded \
             and the referee decides.",
            "a shot that met no cushion",
        ),
    ],
};
