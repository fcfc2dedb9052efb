//! The shuffleboard games: court, long board, association.

use super::{
    DecidedBy::{Camera, Program, Proposal, Referee},
    GameText, OptionText, PLAY, option, rule,
};
use crate::rules::GameId;

const MARK: OptionText = option("target", "50, 75, 100", "75");

pub(super) const COURT: GameText = GameText {
    game: GameId::Court,
    name: "Carrom court shuffleboard",
    summary: "Pucks wholly inside an area score it; both colours count.",
    options: &[
        PLAY,
        MARK,
        option("best_of", "1, 3, 5 …", "3"),
        option("check", "half-round, round", "half-round"),
    ],
    rules: &[
        rule(
            1,
            Camera,
            "Each side lags one puck to the farthest foul line; the one nearer the line chooses the \
             colour. A second puck that touches or moves the first gives the choice to the first puck's \
             side. Distance is rim to paint, 0 when touching; if both touch, the centre nearer the \
             line's middle wins; too close to call, both lag again.",
            "that the second puck moved the first; the colour chosen",
        ),
        rule(
            2,
            Referee,
            "Four red and four blue pucks; red shoots first, then in turn until all eight are shot. The \
             hand stays behind the nearest foul line; going over is flagged and costs nothing unless \
             the referee takes the puck away.",
            "the hand over the line",
        ),
        rule(
            3,
            Program,
            "Singles: eight pucks are a half round. The players then shoot from the other end and the \
             lead passes to the other colour.",
            "",
        ),
        rule(
            4,
            Program,
            "Doubles: the head plays, then the foot, with the same colour leading at both ends; the \
             lead changes after the round.",
            "",
        ),
        rule(
            5,
            Camera,
            "A puck must clear the paint of the farthest foul line; one that stops short of it or on it \
             is dead and is taken away before the next shot.",
            "",
        ),
        rule(
            6,
            Camera,
            "After all eight pucks each one that lies wholly inside an area and touches no line scores \
             10, 8, 7 or 10 off. Both colours score, and totals can fall below zero.",
            "",
        ),
        rule(
            7,
            Program,
            "The game is to 50, 75 or 100. All pucks are shot even when the mark is reached. After each \
             half round (or round) the higher total at or over the mark wins.",
            "",
        ),
        rule(
            8,
            Program,
            "A tie at or over the mark: one more round in singles, two in doubles, added to the totals; \
             again while tied. Only the totals decide.",
            "",
        ),
        rule(9, Program, "A match is the best of three games, unless agreed otherwise.", ""),
    ],
};

pub(super) const LONG_BOARD: GameText = GameText {
    game: GameId::LongBoard,
    name: "Carrom long board",
    summary: "Only the colour of the most distant puck scores, with its pucks ahead of the other \
         colour's best; to 15, in doubles 21.",
    options: &[PLAY, option("best_of", "1, 3, 5 …", "1")],
    rules: &[
        rule(
            1,
            Camera,
            "Colour is lagged for as on the court (C1); the hand stays behind the nearest foul line.",
            "the colour chosen; a hand over the line",
        ),
        rule(
            2,
            Program,
            "Pucks are shot in turn until all eight are down: a half round. It is tallied and play goes \
             back from the other end.",
            "",
        ),
        rule(
            3,
            Camera,
            "Only one side scores: the colour of the most distant puck, with those of its pucks that \
             are ahead of the other colour's most distant one. Pucks that fell off or are dead do not \
             count for the order; hanging ones are the most distant. Exactly equal leaders score \
             nothing.",
            "",
        ),
        rule(
            4,
            Camera,
            "3, 2 or 1 by area. A puck must clear an area's line to score in it; touching the line it \
             scores in the area before, and touching the foul line nothing.",
            "",
        ),
        rule(5, Camera, "A puck that hangs over the far end scores 4.", ""),
        rule(
            6,
            Program,
            "The winner of a half round shoots first in the next; in doubles that side's partner at the \
             other end. With no winner the lead stays.",
            "",
        ),
        rule(
            7,
            Program,
            "Singles are to 15, doubles to 21. In doubles one player of each side stands at each end, \
             and the board is cleared in between.",
            "",
        ),
    ],
};

pub(super) const ASSOCIATION: GameText = GameText {
    game: GameId::Association,
    name: "National Association shuffleboard",
    summary: "Eight rocks a frame; rocks wholly inside an area score it; bank play by option.",
    options: &[PLAY, MARK, option("best_of", "1, 3, 5 …", "1"), option("bank", "true, false", "false")],
    rules: &[
        rule(
            1,
            Referee,
            "Two players, or four with partners who stay at opposite ends. Colours and the first throw \
             go by toss. A rock may be played from anywhere across the width; eight rocks in turn make \
             a frame.",
            "the toss (in the match itself)",
        ),
        rule(
            2,
            Program,
            "The frame's winner plays first in the next one, also when both are below zero; after a \
             tied or scoreless frame the order is reversed.",
            "",
        ),
        rule(
            3,
            Camera,
            "A rock must pass wholly over the further dead line, or it is dead and taken away. \
             Take-outs and raises are legal.",
            "",
        ),
        rule(
            4,
            Camera,
            "After all eight a rock scores 7, 8, 10 or 10 off by the area it rests in; touching a \
             division line it scores nothing.",
            "",
        ),
        rule(5, Program, "To 50, 75 or 100. When both reach it in one frame the higher wins.", ""),
        rule(
            6,
            Camera,
            "A tie then: each side shoots one rock from each end, the leader of the next frame first; a \
             rock is scored and removed before the next. The higher total wins; again while tied.",
            "",
        ),
        rule(
            7,
            Proposal,
            "Bank play: every shot must touch a side bank. A rock that has not is dead and removed; \
             what it moved stays moved.",
            "that a rock touched no bank, unless the camera followed it",
        ),
    ],
};
