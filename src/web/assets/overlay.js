// The overlay for streams: names, score, whose turn, and a close call when there is one.
// `?at=top` puts it above, `?calls=off` leaves the calls out.
import { el, put } from "./dom.js";
import { load_board, paint_of } from "./board.js";
import { watch } from "./live.js";
import { gap_words, line_words, number, sides } from "./words.js";

const wanted = new URLSearchParams(window.location.search);
const main = document.getElementById("overlay");
if (wanted.get("at") === "top") main.className = "top";

function call_line(state) {
  if (wanted.get("calls") === "off") return null;
  if (state.pending.length) return el("p", { class: "call" }, "Referee\u2019s call");
  const call = state.close_calls[0];
  if (!call) return null;
  const to = call.contact ? `, ${gap_words(call.contact)} to ${line_words(call.contact.line)}` : "";
  return el("p", { class: "call" }, `Too close to call: ${call.colour} ${call.piece}${to}`);
}

/** Which game it is, how far it goes, and who has won. */
function facts(state) {
  const { match, standing, last } = state;
  if (standing.status === "won") return el("p", { class: "facts won" }, `${standing.winner} wins the match`);
  if (state.between_games && last && last.game_won_by) return el("p", { class: "facts won" }, `${last.game_won_by} wins game ${last.game_number}`);
  const parts = [match.game_name, match.best_of > 1 ? `game ${match.game_number} of ${match.best_of}` : null, match.target ? `to ${match.target}` : null];
  return el("p", { class: "facts" }, parts.filter(Boolean).join(" \u00b7 "));
}

function show(state, board) {
  const all = sides(state);
  const over = state.standing.status === "won" || state.standing.status === "undecided";
  const colours = all.map((side) => side.colour);
  put(main, call_line(state), call_line(state) ? el("br") : null, facts(state), el("div", { class: "lower" }, all.map((side, i) => {
    const first = i ? "" : " first";
    const swatch = el("span", { class: "swatch" + first });
    swatch.style.setProperty("--side", paint_of(board, side.colour, colours));
    return [
      swatch,
      el("span", { class: "name" + first }, el("span", {}, side.name), state.match.best_of > 1 ? el("i", { class: "games" }, String(side.games)) : null,
        side.plays && !over ? el("i", { class: "turn", role: "img", "aria-label": "to play" }) : null),
      el("span", { class: "points" + first, "data-score": side.name }, number(side.score)),
    ];
  })));
}

watch((state) => {
  if (!state.match) { put(main); return; }
  load_board(state.match.board).then((board) => show(state, board), () => show(state, null));
}, () => {});
