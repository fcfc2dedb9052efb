// The scoreboard.
import { disc, el, put, recall, remember } from "./dom.js";
import { draw_board, load_board, paint_of, shape_of } from "./board.js";
import { close_up, seen_for } from "./closeup.js";
import { link_badge, watch } from "./live.js";
import { announcement, speaker } from "./speak.js";
import { area_words, asked_words, camera_trouble, event_name, gap_words, line_words, number, points_words, sides, signed } from "./words.js";

const main = document.getElementById("score");
const announcer = document.getElementById("announcer");
const speech = speaker(document.getElementById("speech"));
let before = null;

const asked_theme = new URLSearchParams(window.location.search).get("theme") || recall("linecall-theme");
if (asked_theme) document.documentElement.dataset.theme = asked_theme;
document.getElementById("theme").addEventListener("click", () => {
  const dark = document.documentElement.dataset.theme
    ? document.documentElement.dataset.theme === "dark"
    : window.matchMedia("(prefers-color-scheme: dark)").matches;
  document.documentElement.dataset.theme = dark ? "light" : "dark";
  remember("linecall-theme", document.documentElement.dataset.theme);
});

function welcome() {
  document.body.classList.remove("on-carrom");
  put(main, el("div", { class: "welcome" },
    el("h1", {}, "No match yet"),
    el("p", {}, "The scoreboard shows the match as soon as a referee starts one."),
    el("a", { class: "button main", href: "/referee" }, "Start a match")));
}

function headline(state) {
  const info = state.match;
  const parts = [el("strong", {}, info.game_name)];
  if (info.best_of > 1) parts.push(el("span", {}, `game ${info.game_number} of ${info.best_of}`));
  if (info.target) parts.push(el("span", {}, `to ${info.target}`));
  if (state.standing.status === "tie-break") parts.push(el("span", { class: "tag warn" }, "tie-break"));
  return el("p", { class: "headline" }, parts);
}

function wins(side, best_of) {
  const needed = Math.floor(best_of / 2) + 1;
  if (best_of < 2) return null;
  const pips = [];
  for (let i = 0; i < Math.max(needed, side.games); i += 1) pips.push(el("i", { class: i < side.games ? "won" : "" }));
  return el("span", { class: "wins", role: "img", "aria-label": `${side.games} games won` }, pips);
}

function side_row(state, side, board, colours) {
  const gain = state.last && state.last.scores ? state.last.scores[side.name] : null;
  const over = state.standing.status === "won" || state.standing.status === "undecided";
  const text = number(side.score);
  const kagw_left = state.standing.on_board ? state.standing.on_board[side.colour] : null;
  const row = el("section", { class: side.won ? "side winner" : "side", "aria-label": side.name },
    el("div", { class: "who" },
      el("h2", { class: "name" }, side.name),
      el("div", { class: "under" },
        disc(paint_of(board, side.colour, colours)),
        wins(side, state.match.best_of),
        side.won ? el("span", { class: "champion" }, "wins the match")
          : side.plays && !over && !state.between_games ? el("span", { class: "turn" }, side.players ? `${state.standing.to_play} to play` : "to play") : null,
        gain ? el("span", { class: gain > 0 ? "gain up" : "gain down" }, signed(gain)) : null,
        side.owed ? el("span", { class: "tag warn" }, `owes ${side.owed}`) : null)),
    kagw_left === null || kagw_left === undefined ? null : el("p", { class: "men-left" }, el("b", {}, String(kagw_left)), " to go"),
    el("p", { class: text.length > 2 ? "points long" : "points", "data-score": side.name }, side.score < 0 ? el("span", { class: "minus" }, "\u2212") : null, String(Math.abs(side.score))));
  row.style.setProperty("--side", paint_of(board, side.colour, colours));
  return row;
}

/** Shots of a half round. */
const SHOTS = 8;

/** Whose shot it is, and which of how many, where the camera knows. */
function progress(state) {
  const camera = state.camera;
  const over = state.standing.status === "won" || state.standing.status === "undecided";
  if (!camera || !camera.progress || over) return null;
  return el("span", { class: "progress" }, camera.progress.replace(/^shot (\d)$/, `shot $1 of ${SHOTS}`));
}

/** A game or a match that was just won fills the panel until play goes on. */
function moment(state) {
  const { standing, last } = state;
  if (standing.status === "undecided") return el("p", { class: "moment" }, "Undecided");
  if (standing.status === "won") return el("p", { class: "moment" }, el("b", {}, standing.winner), " wins the match");
  if (state.between_games && last && last.game_won_by) return el("p", { class: "moment" }, el("b", {}, last.game_won_by), ` wins game ${last.game_number}`);
  return null;
}

let asked = null;

/** What the referee is asked, as it was seen. */
function asked_figure(state) {
  const pending = state.pending[0];
  const doubt = pending && pending.view && pending.doubts.filter((one) => one.piece)[0];
  if (!doubt) { asked = null; return null; }
  if (asked && asked.id === pending.id) return close_up(asked.shown, doubt.piece);
  asked = { id: pending.id, shown: null };
  seen_for(pending.id).then((shown) => { if (asked && asked.id === pending.id) { asked.shown = shown; refresh(); } });
  return null;
}

function strip(state) {
  const parts = [progress(state)];
  const last = state.last;
  if (last) {
    parts.push(el("span", {}, `${event_name(last.type, state.match.game)}: ${points_words(last.scores)}`));
    if (last.game_won_by && state.standing.status === "playing") {
      parts.push(el("span", { class: "tag good" }, `${last.game_won_by} wins game ${last.game_number}`));
    }
  }
  if (state.standing.queen) parts.push(el("span", { class: "tag" }, queen_words(state)));
  if (state.pending.length) parts.push(el("span", { class: "note warn" }, "The referee is asked: " + asked_words(state.pending[0], state.table ? state.table.pieces : null)));
  else state.close_calls.slice(0, 2).forEach((call) => {
    const to = call.contact ? ` ${gap_words(call.contact)} to ${line_words(call.contact.line)}` : "";
    parts.push(el("span", { class: "note warn" }, `Too close to call: ${call.colour} ${call.piece}${to}`));
  });
  const trouble = camera_trouble(state);
  if (trouble && trouble.lost) parts.push(el("span", { class: "note bad" }, "The camera does not see the board"));
  parts.push(asked_figure(state));
  return el("div", { class: "strip" }, parts);
}

function queen_words(state) {
  const name = state.match.game === "kagw" ? "queen" : "green";
  const words = { "on-board": `${name} on the board`, "to-cover": "queen to be covered", "to-return": "queen to be returned" };
  return words[state.standing.queen] || `${name}: ${state.standing.queen}`;
}

function caption(table) {
  return { camera: "on the board now", view: "as last measured", proposed: "as seen, not yet counted", told: "as entered by the referee", none: "" }[table.source] || "";
}

function show(state, board) {
  const table = state.table;
  const all = sides(state);
  const colours = all.map((side) => side.colour);
  const box = el("figure", { class: "board-box" });
  if (board && table) {
    const frame = el("div", { class: "board-frame" }, draw_board(board, {
      end: table.end, pieces: table.pieces, colours, label: board_words(table),
    }));
    box.appendChild(frame);
    box.appendChild(el("figcaption", { class: "board-caption" }, caption(table)));
    const shape = shape_of(board, table.end);
    const wide = window.matchMedia("(min-width: 700px) and (orientation: landscape)").matches;
    // As wide as the board is when it is as high as the screen, at most half of it.
    box.style.width = wide ? `${Math.min(0.84 * window.innerHeight * shape, 0.46 * window.innerWidth)}px` : "";
  }
  document.body.classList.toggle("on-carrom", Boolean(board) && board.pockets.length > 0);
  put(main,
    el("div", { class: "panel" },
      el("h1", { class: "only-read" }, all.map((side) => `${side.name} ${side.score}`).join(", ")),
      headline(state),
      moment(state),
      el("div", { class: "sides" }, all.map((side) => side_row(state, side, board, colours))),
      strip(state)),
    box);
}

function board_words(table) {
  const counted = table.pieces.map((piece) => `${piece.colour} in ${area_words(piece.area)}${piece.close ? ", too close to call" : ""}`);
  return counted.length ? "The board: " + counted.join("; ") : "The board, empty";
}

let shown = null;
const badge = link_badge(document.getElementById("link"));

function refresh() {
  const state = shown;
  if (!state) return;
  if (!state.match) { welcome(); return; }
  const id = state.table ? state.table.board : state.match.board;
  const late = (board) => { if (shown === state) show(state, board); };
  load_board(id).then(late, () => late(null));
}

window.addEventListener("resize", refresh);

watch((state) => {
  const words = announcement(before, state);
  before = state;
  if (words) { announcer.textContent = words; speech(words); }
  document.title = state.match ? sides(state).map((side) => `${side.name} ${number(side.score)}`).join(" – ") : "Score · linecall";
  shown = state;
  refresh();
}, (link) => {
  badge(link);
  // A score that may be stale says so across the room.
  document.body.classList.toggle("stale", link !== "live");
});
