//! Half rounds of shuffleboard: eight shots, alternately, then the board is cleared.

use serde_json::{Value, json};

use crate::board::{BoardSide, End, EndKind, LineRole};
use crate::geometry::{Paint, Point, Vector};
use crate::rules::event::{Event, FrameEvent, FramePiece};
use crate::rules::{GameId, Status};

use super::aim;
use super::{EveningError, EveningTruth, FRICTION_MM_S2, HOP_RAIL_MM_S, Table};
use crate::simulate::physics::Left;
use crate::simulate::sequence::SequencePart;
use crate::simulate::stage::{Act, Phase};

/// What a player means to do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Intent {
    /// Come to rest in an area.
    Draw,
    /// Drive on a puck that lies there.
    Knock,
    /// Too weak: it dies before the foul line.
    Short,
    Hang,
    TooLong,
    OverTheSide,
}

const SHOTS_A_SIDE: usize = 4;
/// The hand stays behind the near foul line; pucks start about here.
const START_MM: f64 = 60.0;
/// Pucks that a hand takes in one go.
const HANDFUL: usize = 4;
/// The share of rocks that go off a bank: where they must, and where they need not.
const BANKED_SHARE: [f64; 2] = [0.85, 0.15];
/// How much faster than needed a puck that is to hop over the side meets the rail.
const HOPS_BY: f64 = 1.2;

pub fn play(mut table: Table<'_>) -> Result<EveningTruth, EveningError> {
    let empty = table.options.empty_frames.max(1);
    table.stage.hold(Phase::Empty, empty)?;
    for _ in 0..table.options.rounds {
        if table.record.state().standing().status == Status::TieBreak
            && table.options.game == GameId::Association
        {
            // A play-off is shot rock by rock (N6); the evening ends before it.
            break;
        }
        let Some(leader) = table.record.state().to_play() else { break };
        let colours = table.record.state().colours().clone();
        let mut pucks = Vec::new();
        for _ in 0..SHOTS_A_SIDE {
            for side in [leader.side, leader.side.other()] {
                pucks.push(shoot(&mut table, &colours[side])?);
            }
        }
        if table.people.is_some() {
            // Both sides step back and look at what lies there.
            table.others_leave();
            table.stage.hold(Phase::Still, table.options.still_frames)?;
            if let Some(last) = pucks.last_mut() {
                last.rests_at = table.last_frame();
            }
        }
        let pieces = pucks.iter().map(|puck| as_recorded(&table, puck)).collect();
        let frame = FrameEvent { pieces, end: End::Far, flags: Vec::new(), waive: Vec::new(), by: None };
        // It does not wait for the hand that takes a dead puck away.
        let known_at = pucks.last().map_or(0, |puck| puck.rests_at);
        table.happens(Event::Frame(frame), known_at)?;
        clear(&mut table)?;
        table.stage.hold(Phase::Empty, empty)?;
    }
    Ok(table.into_truth())
}

struct Puck {
    index: usize,
    colour: String,
    /// Dead because it touched no bank (N7).
    unbanked: bool,
    /// The last frame at rest after it was shot.
    rests_at: usize,
}

fn as_recorded(table: &Table<'_>, puck: &Puck) -> FramePiece {
    let banked = puck.unbanked.then_some(false);
    let colour = puck.colour.clone();
    if table.stage.left(puck.index).is_some() {
        return FramePiece { colour, area: Some(None), banked, ..FramePiece::default() };
    }
    let [x, y] = table.stage.place_mm(puck.index);
    FramePiece { colour, x_mm: Some(x), y_mm: Some(y), banked, ..FramePiece::default() }
}

fn shoot(table: &mut Table<'_>, colour: &str) -> Result<Puck, EveningError> {
    let number = table.shots.len();
    table.stage.begin(number);
    if let Some(mut people) = table.people.take() {
        table.others_move(&mut people, &[BoardSide::Left, BoardSide::Right]);
        table.people = Some(people);
    }
    let radius_mm = table.board.piece(colour).map_or(15.0, |kind| kind.radius_mm());
    let (from, velocity) = plan(table, radius_mm);
    let mut piece = table.piece(colour, from.x, from.y);
    piece.velocity_mm_s = Some([velocity.x, velocity.y]);
    let index = table.stage.add(piece);
    let slide = table.stage.slide(index)?;
    let mut told = table.stage.told(&slide);
    let still = table.rest()?;
    let rests_at = table.last_frame();
    let gone = table.stage.left(index);
    let unbanked = table.options.game == GameId::Association && table.options.bank && !slide.side_touched();
    let dead: Vec<usize> = match table.options.game {
        GameId::LongBoard => Vec::new(),
        _ => {
            let on_board: Vec<usize> = table.stage.on_board().collect();
            on_board.into_iter().filter(|i| table.stage.is_dead(*i) || (unbanked && *i == index)).collect()
        }
    };
    let mut hand = Vec::new();
    for dead in &dead {
        let side = table.stage.nearer_side(*dead);
        hand.extend(table.stage.handle(side, &[Act::Take(*dead)])?);
    }
    if !dead.is_empty() {
        table.rest()?;
    }
    told.insert("colour".to_owned(), json!(colour));
    told.insert("event".to_owned(), json!(table.events.len()));
    told.insert("still_frames".to_owned(), json!(still));
    told.insert("hand_frames".to_owned(), json!(hand));
    told.insert("dead_then_removed".to_owned(), json!(!dead.is_empty()));
    let left = gone.or(table.stage.left(index).filter(|_| dead.contains(&index)));
    told.insert("left".to_owned(), json!(left.map(Left::name)));
    table.shots.push(Value::Object(told));
    Ok(Puck { index, colour: colour.to_owned(), unbanked, rests_at })
}

/// Where a shot starts, and how fast.
fn plan(table: &mut Table<'_>, radius_mm: f64) -> (Point, Vector) {
    let [width, length] = [table.board.surface.width_mm, table.board.surface.length_mm];
    let open = table.board.surface.ends == EndKind::Open;
    let lying: Vec<Point> = table.stage.on_board().map(|i| table.stage.bodies()[i].at).collect();
    let intents = [
        (Intent::Draw, 5.0),
        (Intent::Knock, if lying.is_empty() { 0.0 } else { 2.0 }),
        (Intent::Short, 0.9),
        (Intent::Hang, if open && table.board.hanging.is_some() { 1.5 } else { 0.0 }),
        (Intent::TooLong, 0.5),
        (Intent::OverTheSide, if open { 0.3 } else { 0.0 }),
    ];
    let dice = &mut table.dice;
    let intent = dice.weighted(&intents, Intent::Draw);
    let from = Point::new(dice.between(2.0 * radius_mm, width - 2.0 * radius_mm), START_MM);
    let across = |dice: &mut super::Dice| dice.between(radius_mm + 4.0, width - radius_mm - 4.0);
    let foul = foul_line_mm(table.board.lines_at(End::Far));
    let to = match intent {
        Intent::Draw => draw_to(&table.board, radius_mm, foul, dice),
        Intent::Knock => {
            let aimed = dice.pick(&lying).copied().unwrap_or(Point::new(width / 2.0, length - 300.0));
            let aimed = aimed + Vector::new(dice.bell(0.4 * radius_mm), 0.0);
            aimed + (aimed - from).normalize() * dice.between(60.0, 450.0)
        }
        Intent::Short => Point::new(across(dice), foul - radius_mm - dice.between(6.0, 0.07 * length)),
        Intent::Hang => Point::new(across(dice), length - radius_mm + dice.between(2.0, 0.85 * radius_mm)),
        Intent::TooLong => Point::new(across(dice), length + 400.0),
        Intent::OverTheSide => {
            let right = from.x < width / 2.0;
            let wall = Point::new(if right { width } else { 0.0 }, dice.between(foul, length - 150.0));
            let way = wall - from;
            let at_the_rail = HOP_RAIL_MM_S * HOPS_BY * way.norm() / way.x.abs().max(1.0);
            let speed = (at_the_rail.powi(2) + 2.0 * FRICTION_MM_S2 * way.norm()).sqrt();
            return (from, way.normalize() * speed);
        }
    };
    let banks = [BoardSide::Left, BoardSide::Right]
        .iter()
        .all(|side| table.board.rails.iter().any(|rail| rail.side == *side));
    let share = BANKED_SHARE[usize::from(!table.options.bank)];
    let banked = table.options.game == GameId::Association
        && banks
        && matches!(intent, Intent::Draw | Intent::Short)
        && dice.chance(share);
    if banked {
        let wall = if dice.chance(0.5) { radius_mm } else { width - radius_mm };
        let cushion = SequencePart::default().cushion;
        return (from, aim::to_rest_off_a_side(from, to, wall, cushion, FRICTION_MM_S2));
    }
    (from, aim::to_rest_at(from, to, FRICTION_MM_S2))
}

/// The far end's foul line.
fn foul_line_mm<'a>(lines: impl Iterator<Item = &'a crate::board::Line>) -> f64 {
    let at = |line: &crate::board::Line| match line.paint {
        Paint::Stroke { from, .. } => Some(from.y),
        _ => None,
    };
    lines.filter(|line| line.role == LineRole::Foul).filter_map(at).fold(0.0, f64::max)
}

/// A place in one of the areas, or anywhere beyond the foul line.
fn draw_to(board: &crate::board::Board, radius_mm: f64, foul: f64, dice: &mut super::Dice) -> Point {
    let [width, length] = [board.surface.width_mm, board.surface.length_mm];
    let area = if dice.chance(0.75) {
        let areas: Vec<_> = board.areas_at(End::Far).collect();
        dice.pick(&areas).map(|area| area.polygon.vertices().to_vec())
    } else {
        None
    };
    let ends = |values: &mut dyn Iterator<Item = f64>| {
        values.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), v| (low.min(v), high.max(v)))
    };
    let ((x0, x1), (y0, y1)) = match &area {
        Some(corners) => (ends(&mut corners.iter().map(|p| p.x)), ends(&mut corners.iter().map(|p| p.y))),
        None => ((0.0, width), (foul + radius_mm, length - radius_mm)),
    };
    let x = dice.between(x0, x1).clamp(radius_mm + 3.0, width - radius_mm - 3.0);
    let y = dice.between(y0, y1).clamp(foul, length - radius_mm - 2.0);
    Point::new(x, y)
}

/// Hands take what is left, a handful at a time.
fn clear(table: &mut Table<'_>) -> Result<(), EveningError> {
    for side in [BoardSide::Left, BoardSide::Right] {
        let mut left: Vec<usize> =
            table.stage.on_board().filter(|i| table.stage.nearer_side(*i) == side).collect();
        left.sort_by(|a, b| table.stage.bodies()[*a].at.y.total_cmp(&table.stage.bodies()[*b].at.y));
        for handful in left.chunks(HANDFUL) {
            let acts: Vec<Act> = handful.iter().map(|index| Act::Take(*index)).collect();
            table.stage.handle(side, &acts)?;
        }
    }
    Ok(())
}
