//! The games and their rules in the project's own words, by id, so that calls can cite them.

use super::{GameId, RuleId};

/// Who decides a rule.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DecidedBy {
    /// Follows from a settled view of the board: a camera decides it.
    Camera,
    /// A camera can propose it from what moved; a person confirms.
    Proposal,
    /// Only a person can know it.
    Referee,
    /// Follows from the events so far: the program keeps count.
    Program,
}

impl DecidedBy {
    pub fn words(self) -> &'static str {
        match self {
            DecidedBy::Camera => "seen",
            DecidedBy::Proposal => "proposed",
            DecidedBy::Referee => "told",
            DecidedBy::Program => "counted",
        }
    }
}

/// One rule.
#[derive(Debug, Clone, Copy)]
pub struct RuleText {
    pub number: u8,
    pub text: &'static str,
    pub decided_by: DecidedBy,
    /// What a person must tell, where that is not all or nothing.
    pub told: &'static str,
}

/// One option with its values and default.
#[derive(Debug, Clone, Copy)]
pub struct OptionText {
    pub name: &'static str,
    pub values: &'static str,
    pub default: &'static str,
}

/// One game.
#[derive(Debug, Clone, Copy)]
pub struct GameText {
    pub game: GameId,
    pub name: &'static str,
    pub summary: &'static str,
    pub options: &'static [OptionText],
    pub rules: &'static [RuleText],
}

impl GameText {
    pub fn of(game: GameId) -> &'static GameText {
        match game {
            GameId::Court => &COURT,
            GameId::LongBoard => &LONG_BOARD,
            GameId::Association => &ASSOCIATION,
            GameId::Kagw => &KAGW,
            GameId::Ludington => &LUDINGTON,
        }
    }
}

impl RuleId {
    /// The rule in words.
    pub fn text(self) -> Option<&'static str> {
        GameText::of(self.game).rules.iter().find(|rule| rule.number == self.number).map(|rule| rule.text)
    }
}

const fn option(name: &'static str, values: &'static str, default: &'static str) -> OptionText {
    OptionText { name, values, default }
}

const fn rule(number: u8, decided_by: DecidedBy, text: &'static str, told: &'static str) -> RuleText {
    RuleText { number, text, decided_by, told }
}

const PLAY: OptionText = option("play", "singles, doubles", "singles");
const MARK: OptionText = option("target", "50, 75, 100", "75");

use DecidedBy::{Camera, Program, Proposal, Referee};

const COURT: GameText = GameText {
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
            "Each side lags one puck to the farthest foul line; the one nearer the line chooses the colour. A second puck that touches or moves the first gives the choice to the first puck's side. Distance is rim to paint, 0 when touching; if both touch, the centre nearer the line's middle wins; too close to call, both lag again.",
            "that the second puck moved the first; the colour chosen",
        ),
        rule(
            2,
            Referee,
            "Four red and four blue pucks; red shoots first, then in turn until all eight are shot. The hand stays behind the nearest foul line; going over is flagged and costs nothing unless the referee takes the puck away.",
            "the hand over the line",
        ),
        rule(
            3,
            Program,
            "Singles: eight pucks are a half round. The players then shoot from the other end and the lead passes to the other colour.",
            "",
        ),
        rule(
            4,
            Program,
            "Doubles: the head plays, then the foot, with the same colour leading at both ends; the lead changes after the round.",
            "",
        ),
        rule(
            5,
            Camera,
            "A puck must clear the paint of the farthest foul line; one that stops short of it or on it is dead and is taken away before the next shot.",
            "",
        ),
        rule(
            6,
            Camera,
            "After all eight pucks each one that lies wholly inside an area and touches no line scores 10, 8, 7 or 10 off. Both colours score, and totals can fall below zero.",
            "",
        ),
        rule(
            7,
            Program,
            "The game is to 50, 75 or 100. All pucks are shot even when the mark is reached. After each half round (or round) the higher total at or over the mark wins.",
            "",
        ),
        rule(
            8,
            Program,
            "A tie at or over the mark: one more round in singles, two in doubles, added to the totals; again while tied. Only the totals decide.",
            "",
        ),
        rule(9, Program, "A match is the best of three games, unless agreed otherwise.", ""),
    ],
};

const LONG_BOARD: GameText = GameText {
    game: GameId::LongBoard,
    name: "Carrom long board",
    summary: "Only the colour of the most distant puck scores, with its pucks ahead of the other colour's best; to 15, in doubles 21.",
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
            "Pucks are shot in turn until all eight are down: a half round. It is tallied and play goes back from the other end.",
            "",
        ),
        rule(
            3,
            Camera,
            "Only one side scores: the colour of the most distant puck, with those of its pucks that are ahead of the other colour's most distant one. Pucks that fell off or are dead do not count for the order; hanging ones are the most distant. Exactly equal leaders score nothing.",
            "",
        ),
        rule(
            4,
            Camera,
            "3, 2 or 1 by area. A puck must clear an area's line to score in it; touching the line it scores in the area before, and touching the foul line nothing.",
            "",
        ),
        rule(5, Camera, "A puck that hangs over the far end scores 4.", ""),
        rule(
            6,
            Program,
            "The winner of a half round shoots first in the next; in doubles that side's partner at the other end. With no winner the lead stays.",
            "",
        ),
        rule(
            7,
            Program,
            "Singles are to 15, doubles to 21. In doubles one player of each side stands at each end, and the board is cleared in between.",
            "",
        ),
    ],
};

const ASSOCIATION: GameText = GameText {
    game: GameId::Association,
    name: "National Association shuffleboard",
    summary: "Eight rocks a frame; rocks wholly inside an area score it; bank play by option.",
    options: &[PLAY, MARK, option("best_of", "1, 3, 5 …", "1"), option("bank", "true, false", "false")],
    rules: &[
        rule(
            1,
            Referee,
            "Two players, or four with partners who stay at opposite ends. Colours and the first throw go by toss. A rock may be played from anywhere across the width; eight rocks in turn make a frame.",
            "the toss (in the match itself)",
        ),
        rule(
            2,
            Program,
            "The frame's winner plays first in the next one, also when both are below zero; after a tied or scoreless frame the order is reversed.",
            "",
        ),
        rule(
            3,
            Camera,
            "A rock must pass wholly over the further dead line, or it is dead and taken away. Take-outs and raises are legal.",
            "",
        ),
        rule(
            4,
            Camera,
            "After all eight a rock scores 7, 8, 10 or 10 off by the area it rests in; touching a division line it scores nothing.",
            "",
        ),
        rule(5, Program, "To 50, 75 or 100. When both reach it in one frame the higher wins.", ""),
        rule(
            6,
            Camera,
            "A tie then: each side shoots one rock from each end, the leader of the next frame first; a rock is scored and removed before the next. The higher total wins; again while tied.",
            "",
        ),
        rule(
            7,
            Proposal,
            "Bank play: every shot must touch a side bank. A rock that has not is dead and removed; what it moved stays moved.",
            "that a rock touched no bank, unless the camera followed it",
        ),
    ],
};

const KAGW: GameText = GameText {
    game: GameId::Kagw,
    name: "KAGW carrom",
    summary: "Nine pieces a side and the queen; she must be covered before anyone can win.",
    options: &[PLAY, option("best_of", "1, 3", "3")],
    rules: &[
        rule(
            1,
            Program,
            "Nine white, nine black, one queen. A turn is one or more strikes. In doubles partners sit opposite and turns go clockwise.",
            "",
        ),
        rule(
            2,
            Proposal,
            "The striker touches both lines of the base line, or covers one of its end circles; cutting a circle is a foul. It is flicked forward across the front line with one finger; a piece on or behind that line may not be struck before; hand and arm stay within the diagonals.",
            "backward, early-hit and arm fouls; the camera calls the placement",
        ),
        rule(
            3,
            Proposal,
            "The first turn has three attempts to disturb the centre group; failing all three is a foul.",
            "",
        ),
        rule(
            4,
            Proposal,
            "It does not matter what the striker hits first. Pocketing the queen or own pieces gives another strike; pocketing nothing, or a foul, ends the turn.",
            "which pieces were pocketed, confirmed",
        ),
        rule(
            5,
            Program,
            "Only a side that has an own piece down already may take the queen. Taken earlier, the turn goes on and she returns at its end.",
            "",
        ),
        rule(
            6,
            Program,
            "The queen is covered by an own piece in the same strike or the very next one; uncovered she returns to the centre.",
            "",
        ),
        rule(
            7,
            Proposal,
            "Fouls: striker pocketed; striker or a piece off the board; an opponent's piece pocketed; a breach of K2; touching a piece in play; K3; K9; K10. A foul ends the turn, and one of the side's pocketed pieces returns. One penalty a strike.",
            "touched pieces and what left the board",
        ),
        rule(
            8,
            Program,
            "An opponent's piece that was pocketed stays down, and so do own ones of that strike; a queen taken with it returns.",
            "",
        ),
        rule(9, Program, "The opponent's last piece returns when pocketed, and a penalty piece too.", ""),
        rule(
            10,
            Program,
            "One's own last piece pocketed before the queen is covered returns, and a penalty piece too.",
            "",
        ),
        rule(
            11,
            Referee,
            "With nothing to return the penalty is owed and paid at the end of the turn in which a piece becomes available, before a win is checked. Not called before the next turn, it lapses.",
            "that an owed penalty was forgotten",
        ),
        rule(
            12,
            Program,
            "A side wins when all its pieces are down and the queen is covered by either side. It scores one for each opponent's piece on the board, and 5 if it covered the queen itself.",
            "",
        ),
        rule(
            13,
            Program,
            "Best of three: the first two games take it. At one each a third is played and the points of all three decide; equal totals are undecided.",
            "",
        ),
        rule(
            14,
            Camera,
            "Returned pieces may be stacked in the main circle. A piece on its edge or on another one stays as it is; a striker under a piece is taken out gently.",
            "",
        ),
    ],
};

const LUDINGTON: GameText = GameText {
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
            "The player of the other colour mixes the discs at the centre, the green one on the spot. Shots are made from inside the base line.",
            "a shot from outside the line",
        ),
        rule(
            2,
            Proposal,
            "A shot that pockets none of one's own discs ends the turn, the green one alone too (option green_continues). Partners sit opposite.",
            "which discs were pocketed, confirmed",
        ),
        rule(
            3,
            Proposal,
            "Shooter pocketed: one own pocketed disc returns as a forfeit, and so do the own discs of that shot. The turn ends; with none to forfeit nothing is owed.",
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
            "A disc off the board returns near the centre. Shooter and green together: only the green returns.",
            "what left the board",
        ),
        rule(6, Proposal, "Any movement of the shooter is a shot.", ""),
        rule(7, Program, "The side that pockets the green scores 5, whoever wins the count.", ""),
        rule(
            8,
            Program,
            "An inning ends when one side has all its discs down and the green is pocketed. Each disc left counts one for the other colour.",
            "",
        ),
        rule(
            9,
            Program,
            "The game is at 30 unless agreed otherwise, checked at the end of an inning; equal at or over it, another inning.",
            "",
        ),
        rule(
            10,
            Referee,
            "Called: the player names a disc. Another one pocketed returns, unless it is the opponent's or the named one went in with it. A miss ends the turn.",
            "whether the named disc went in",
        ),
        rule(
            11,
            Referee,
            "Cushion: a disc inside one's own base line must be hit off a cushion. A breach is recorded and the referee decides.",
            "a shot that met no cushion",
        ),
    ],
};
