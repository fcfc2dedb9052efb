// Earlier evenings, and who played them.
import { draw_board, load_board, window_of } from "./board.js";
import { el, put, sheet, svg, toast } from "./dom.js";
import { link_badge, watch } from "./live.js";
import { get, post, seen } from "./session.js";
import { area_words, clock, day, list, number, sentence } from "./words.js";

const evenings = document.getElementById("evenings");
const players = document.getElementById("players");

function result(one) {
  const score = one.scores.map((points) => number(points === null ? 0 : points)).join("\u2013");
  const games = one.games.some((games) => games > 0) ? `games ${one.games.join("\u2013")}` : null;
  const end = one.winner ? `${one.winner} won` : one.status === "playing" ? "not finished" : "undecided";
  return [games, games ? null : score, end].filter(Boolean).join(", ");
}

function match_row(evening, one) {
  const at = `/api/evenings/${encodeURIComponent(evening.name)}/${one.number}`;
  return el("div", { class: "match-row" },
    el("span", { class: "who" }, `${one.sides.join(" \u2013 ")}`),
    el("span", {}, result(one)),
    el("span", { class: "small quiet" }, [one.game_name, one.begun ? clock(one.begun) : null].filter(Boolean).join(", ")),
    el("span", { class: "links small" },
      el("a", { href: `${at}/sheet.html` }, "Score sheet"), el("a", { href: `${at}/match.csv` }, "Table"), el("a", { href: `${at}/match.jsonl` }, "Match file")));
}

async function show_evenings() {
  const answer = await get("/api/evenings");
  put(evenings, answer.evenings.length ? answer.evenings.map((evening) => el("section", { class: "card" },
    el("h2", {}, day(evening.name)),
    evening.problem ? el("p", { class: "note bad" }, sentence(evening.problem)) : null,
    evening.matches.slice().reverse().map((one) => match_row(evening, one)))) : el("p", { class: "quiet" }, "No match was played yet."));
}

async function show_players() {
  const answer = await get("/api/players");
  put(players, answer.players.length ? answer.players.map((one) => el("li", { class: "piece" },
    el("button", { type: "button", class: "piece-open", onclick: () => open_player(one) },
      el("span", { class: "piece-name" }, one.name), " ",
      el("span", { class: "piece-place" }, `${one.matches} ${one.matches === 1 ? "match" : "matches"}`), " ",
      el("b", { class: "piece-points" }, `${one.won} won`)))) : el("li", { class: "quiet" }, "Nobody yet."));
}

function figures(one) {
  const rows = [["Matches", `${one.matches}, ${one.won} won`]];
  if (one.half_rounds) rows.push(["Points a half round", (one.points / one.half_rounds).toFixed(1)]);
  const areas = Object.keys(one.areas);
  if (areas.length) rows.push(["Counted in", list(areas.map((area) => `${area_words(area)} \u00d7 ${one.areas[area]}`))]);
  if (one.strikes) rows.push(["Pocketed", `${one.pocketed} in ${one.strikes} ${one.strikes === 1 ? "turn" : "turns"}`]);
  if (one.close_won + one.close_lost) rows.push(["Close calls", `${one.close_won} won, ${one.close_lost} lost`]);
  return el("dl", { class: "figures" }, rows.map(([what, words]) => [el("dt", {}, what), el("dd", {}, words)]));
}

/** Where pieces came to rest, as dots on the board. */
async function rests(one, node) {
  const boards = Object.keys(one.rests);
  if (!boards.length) return;
  const board = await load_board(boards[0]).catch(() => null);
  if (!board) return;
  const drawn = draw_board(board, { end: "far", pieces: [], colours: [], label: `Where ${one.name}\u2019s pieces came to rest` });
  const view = window_of(board, "far");
  one.rests[boards[0]].forEach(([x, y]) => drawn.appendChild(svg("circle", { class: "rest", cx: x - view.left, cy: view.far - y, r: 11 })));
  put(node, drawn);
}

function open_player(one) {
  sheet(one.name, (close) => {
    const name = el("input", { type: "text", id: "new-name", value: one.name, maxlength: 80, autocomplete: "off" });
    const board = el("div", { class: "rests" });
    rests(one, board);
    const form = el("form", { class: "stack" }, el("label", { class: "field", for: "new-name" }, el("span", {}, "Name, in all evenings"), name),
      el("div", { class: "row fill" }, el("button", { type: "submit" }, "Rename"), el("button", { type: "button", class: "main", onclick: () => close() }, "Close")));
    form.addEventListener("submit", async (event) => {
      event.preventDefault();
      try {
        await post("/api/players/rename", { name: one.name, to: name.value });
        close();
        await Promise.all([show_evenings(), show_players()]);
      } catch (failure) { toast(sentence(failure.message), true); }
    });
    return [figures(one), board, form];
  });
}

show_evenings().catch((failure) => put(evenings, el("p", { class: "note bad" }, sentence(failure.message))));
show_players().catch((failure) => put(players, el("li", { class: "note bad" }, sentence(failure.message))));
watch(seen, link_badge(document.getElementById("link")));
