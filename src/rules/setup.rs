//! A match before it begins: game, options, sides. Raw first line in, validated [`Setup`] out.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::{
    BySide, Side,
    event::{Check, MatchEvent, Play, RawOptions, RawSide},
    reason::{Reason, Reasons, Refusal},
};
use crate::board::{Board, PieceKind};

/// The five games.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum GameId {
    Court,
    LongBoard,
    Association,
    Kagw,
    Ludington,
}

impl GameId {
    pub const ALL: [GameId; 5] =
        [GameId::Court, GameId::LongBoard, GameId::Association, GameId::Kagw, GameId::Ludington];

    pub fn named(id: &str) -> Option<GameId> {
        GameId::ALL.into_iter().find(|game| game.id() == id)
    }

    pub fn id(self) -> &'static str {
        match self {
            GameId::Court => "court",
            GameId::LongBoard => "long-board",
            GameId::Association => "association",
            GameId::Kagw => "kagw",
            GameId::Ludington => "ludington",
        }
    }

    /// The piece that belongs to neither side.
    pub fn special(self) -> Option<&'static str> {
        match self {
            GameId::Kagw => Some("queen"),
            GameId::Ludington => Some("green"),
            GameId::Court | GameId::LongBoard | GameId::Association => None,
        }
    }

    /// The letter of its rule ids.
    pub fn letter(self) -> char {
        match self {
            GameId::Court => 'C',
            GameId::LongBoard => 'L',
            GameId::Association => 'N',
            GameId::Kagw => 'K',
            GameId::Ludington => 'U',
        }
    }

    /// The options it takes, beside `play` and `best_of`.
    pub fn own_options(self) -> &'static [&'static str] {
        match self {
            GameId::Court => &["target", "check"],
            GameId::LongBoard | GameId::Kagw => &[],
            GameId::Association => &["target", "bank"],
            GameId::Ludington => &["target", "called", "cushion", "green_continues", "green", "discs"],
        }
    }
}

/// Options of a match, all of them decided. Those that its game does not take keep their defaults.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Options {
    pub play: Play,
    /// Points that end a game; unused in kagw.
    pub target: i32,
    pub best_of: u32,
    pub check: Check,
    pub bank: bool,
    pub called: bool,
    pub cushion: bool,
    pub green_continues: bool,
    pub green: bool,
    pub discs: u32,
}

/// A player's place: a side, and which of its players.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Seat {
    pub side: Side,
    /// 0, or in doubles 1 for the partner.
    pub partner: usize,
}

/// One side: its name, and in doubles its two players.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SideInfo {
    pub name: String,
    pub players: Option<[String; 2]>,
}

/// A validated match.
#[derive(Debug, Clone)]
pub struct Setup {
    pub game: GameId,
    pub options: Options,
    pub sides: BySide<SideInfo>,
    /// The colours that the sides begin with; a lag can swap them.
    pub colours: BySide<String>,
    pub board: Arc<Board>,
}

impl Setup {
    /// Validates a match file's first line. A `board` that its game is not played on is replaced by
    /// the one that ships.
    pub fn new(raw: &MatchEvent, board: Option<Arc<Board>>) -> Result<Setup, Refusal> {
        let Some(game) = GameId::named(&raw.game) else {
            let expected = GameId::ALL.map(GameId::id).join(", ");
            return Err(Reason::UnknownGame { found: raw.game.clone(), expected }.into());
        };
        let board = board_of(game, board)?;
        let mut reasons = Reasons::new(&[]);
        let options = options(game, &raw.options, &board, &mut reasons);
        let sides = match raw.sides.as_slice() {
            [first, second] => BySide::new(first, second),
            other => {
                reasons.add(Reason::NotTwoSides(other.len()));
                return Err(reasons.into_refusal());
            }
        };
        let colours = colours(game, sides, &board, &mut reasons);
        let sides = names(sides, options.play, &mut reasons);
        reasons.or(Setup { game, options, sides, colours, board })
    }

    pub fn name(&self, side: Side) -> &str {
        &self.sides[side].name
    }

    /// The player's name in doubles, else the side's.
    pub fn player(&self, seat: Seat) -> &str {
        let info = &self.sides[seat.side];
        info.players.as_ref().map_or(&info.name, |players| &players[seat.partner % 2])
    }

    pub fn side_named(&self, name: &str) -> Option<Side> {
        self.sides.find(|info| info.name == name)
    }

    /// "Ann or Bo".
    pub fn names(&self) -> String {
        format!("{:?} or {:?}", self.sides.first.name, self.sides.second.name)
    }

    /// The board's piece kind that stands for a side's colour. Sets of the association table come in
    /// any two colours, which then stand for those of the board file in turn.
    pub fn kind_of(&self, side: Side, colour: &str) -> &PieceKind {
        let by_order = || match side {
            Side::First => side_kinds(&self.board).next(),
            Side::Second => side_kinds(&self.board).nth(1),
        };
        self.board.piece(colour).or_else(by_order).unwrap_or(&self.board.pieces[0])
    }
}

/// The kinds that sides play: those that come in numbers and are not shot with.
pub(super) fn side_kinds(board: &Board) -> impl Iterator<Item = &PieceKind> {
    board.pieces.iter().filter(|kind| !kind.shooter && kind.count > 1)
}

fn board_of(game: GameId, given: Option<Arc<Board>>) -> Result<Arc<Board>, Refusal> {
    let plays =
        |board: &Board| board.games.iter().any(|id| id == game.id()) && side_kinds(board).count() == 2;
    if let Some(board) = given.filter(|board| plays(board)) {
        return Ok(board);
    }
    shipped(game).ok_or_else(|| Reason::Malformed(format!("no board ships for {}", game.id())).into())
}

/// The board that ships for a game.
pub fn shipped(game: GameId) -> Option<Arc<Board>> {
    static BOARDS: std::sync::OnceLock<Vec<Arc<Board>>> = std::sync::OnceLock::new();
    let boards = BOARDS.get_or_init(|| {
        Board::shipped().map(|all| all.into_iter().map(Arc::new).collect()).unwrap_or_default()
    });
    boards.iter().find(|board| board.games.iter().any(|id| id == game.id())).cloned()
}

fn options(game: GameId, raw: &RawOptions, board: &Board, reasons: &mut Reasons<'_>) -> Options {
    let given = [
        ("target", raw.target.is_some()),
        ("check", raw.check.is_some()),
        ("bank", raw.bank.is_some()),
        ("called", raw.called.is_some()),
        ("cushion", raw.cushion.is_some()),
        ("green_continues", raw.green_continues.is_some()),
        ("green", raw.green.is_some()),
        ("discs", raw.discs.is_some()),
    ];
    for (option, given) in given {
        if given && !game.own_options().contains(&option) {
            let expected = [&["play", "best_of"], game.own_options()].concat().join(", ");
            reasons.add(Reason::OptionNotTaken { option, game: game.id(), expected });
        }
    }
    let play = raw.play.unwrap_or_default();
    let set_size = side_kinds(board).map(|kind| kind.count).min().unwrap_or(0);
    Options {
        play,
        target: target(game, raw.target, play, reasons),
        best_of: best_of(game, raw.best_of, reasons),
        check: raw.check.unwrap_or_default(),
        bank: raw.bank.unwrap_or(false),
        called: raw.called.unwrap_or(false),
        cushion: raw.cushion.unwrap_or(false),
        green_continues: raw.green_continues.unwrap_or(false),
        green: raw.green.unwrap_or(true),
        discs: discs(raw.discs, set_size, reasons),
    }
}

fn target(game: GameId, raw: Option<i64>, play: Play, reasons: &mut Reasons<'_>) -> i32 {
    let (default, expected) = match game {
        GameId::Court | GameId::Association => (75, "50, 75 or 100"),
        GameId::Ludington => (30, "a number above 0"),
        GameId::LongBoard if play == Play::Doubles => (21, ""),
        GameId::LongBoard => (15, ""),
        GameId::Kagw => (0, ""),
    };
    let Some(found) = raw else { return default };
    let allowed = match game {
        GameId::Court | GameId::Association => matches!(found, 50 | 75 | 100),
        GameId::Ludington => found > 0,
        // Refused as an option already.
        GameId::LongBoard | GameId::Kagw => return default,
    };
    match i32::try_from(found).ok().filter(|_| allowed) {
        Some(target) => target,
        None => {
            reasons.add(Reason::OptionValue { option: "target", found, expected: expected.to_owned() });
            default
        }
    }
}

fn best_of(game: GameId, raw: Option<i64>, reasons: &mut Reasons<'_>) -> u32 {
    let default = if matches!(game, GameId::Court | GameId::Kagw) { 3 } else { 1 };
    let Some(found) = raw else { return default };
    let allowed = if game == GameId::Kagw { matches!(found, 1 | 3) } else { found > 0 && found % 2 == 1 };
    match u32::try_from(found).ok().filter(|_| allowed) {
        Some(best_of) => best_of,
        None => {
            let expected = if game == GameId::Kagw { "1 or 3" } else { "an odd number: 1, 3, 5 …" };
            reasons.add(Reason::OptionValue { option: "best_of", found, expected: expected.to_owned() });
            default
        }
    }
}

fn discs(raw: Option<i64>, set_size: usize, reasons: &mut Reasons<'_>) -> u32 {
    let most = u32::try_from(set_size).unwrap_or(u32::MAX);
    let Some(found) = raw else { return most };
    match u32::try_from(found).ok().filter(|n| (1..=most).contains(n)) {
        Some(discs) => discs,
        None => {
            let expected = format!("a number from 1 to {most}");
            reasons.add(Reason::OptionValue { option: "discs", found, expected });
            most
        }
    }
}

fn colours(
    game: GameId,
    sides: BySide<&RawSide>,
    board: &Board,
    reasons: &mut Reasons<'_>,
) -> BySide<String> {
    let known: Vec<&str> = side_kinds(board).map(|kind| kind.name.as_str()).collect();
    // N1: any two colours; a rock of the association table is only told from the other side's.
    let any_colour = game == GameId::Association;
    for (_, side) in sides.iter() {
        if let Some(found) = side.colour.as_ref()
            && (found.trim().is_empty() || !any_colour && !known.contains(&found.as_str()))
        {
            let expected = known.join(" and ");
            reasons.add(Reason::ColourOfGame { found: found.clone(), game: game.id(), expected });
        }
    }
    // A colour that is not given is the first that the other side has not.
    let left = |taken: Option<&String>| {
        known
            .iter()
            .find(|name| taken.is_none_or(|t| t != *name))
            .map_or(String::new(), |name| (*name).to_owned())
    };
    let first = sides.first.colour.clone().unwrap_or_else(|| left(sides.second.colour.as_ref()));
    let second = sides.second.colour.clone().unwrap_or_else(|| left(Some(&first)));
    if first == second {
        reasons.add(Reason::SameColour(first.clone()));
    }
    BySide::new(first, second)
}

fn names(sides: BySide<&RawSide>, play: Play, reasons: &mut Reasons<'_>) -> BySide<SideInfo> {
    for (number, (_, side)) in sides.iter().enumerate() {
        let players = side.players.as_deref().unwrap_or_default();
        if side.name.trim().is_empty() || players.iter().any(|player| player.trim().is_empty()) {
            reasons.add(Reason::NoName(number + 1));
        }
        if play == Play::Doubles && players.len() != 2 {
            reasons.add(Reason::NotTwoPlayers { name: side.name.clone(), found: players.len() });
        }
        if play == Play::Singles && side.players.is_some() {
            reasons.add(Reason::PlayersInSingles(side.name.clone()));
        }
    }
    if sides.first.name == sides.second.name {
        reasons.add(Reason::SameName(sides.first.name.clone()));
    }
    let players: Vec<&String> =
        sides.iter().flat_map(|(_, side)| side.players.as_deref().unwrap_or_default()).collect();
    for (i, player) in players.iter().enumerate() {
        if players[..i].contains(player) {
            reasons.add(Reason::SameName((*player).clone()));
        }
    }
    BySide::from_fn(|side| SideInfo {
        name: sides[side].name.clone(),
        players: match (play, sides[side].players.as_deref()) {
            (Play::Doubles, Some([one, two])) => Some([one.clone(), two.clone()]),
            _ => None,
        },
    })
}
