// The first page: the camera, the table that it sees, the players; then the match begins.
import { disc, el, put, svg, toast } from "./dom.js";
import { link_badge, watch } from "./live.js";
import { change, get, post, seen } from "./session.js";
import { show_reach } from "./reach.js";
import { sentence } from "./words.js";

const by_id = (id) => document.getElementById(id);
const view = { step: "camera", facts: null, found: null, picture: null, games: null, state: null, asked: 0 };

// --- Steps ------------------------------------------------------------------------------------------

const STEPS = [["camera", "Camera"], ["table", "Table"], ["match", "Players"]];

function go(step, quietly) {
  view.step = step;
  STEPS.forEach(([name]) => { by_id(`${name}-card`).hidden = name !== step; });
  const at = STEPS.map(([name]) => name).indexOf(step);
  put(by_id("steps"), STEPS.map(([name, words], i) => el("li", { class: i < at ? "done" : "", "aria-current": name === step ? "step" : null }, words)));
  by_id("reach-card").hidden = step !== "camera";
  if (!quietly) by_id(`${step}-title`).focus();
}

// --- The camera -------------------------------------------------------------------------------------

function tile(one) {
  const picture = one.picture
    ? el("img", { src: one.picture, alt: "", onerror: (event) => put(event.target.parentNode, el("i", {}, "no picture")) })
    : el("i", { "aria-hidden": "true", "data-sign": one.sign });
  return el("button", { type: "button", class: "tile", "data-source": one.source, "aria-pressed": String(Boolean(one.chosen)), onclick: one.act || (() => choose(one.source)) },
    el("span", { class: "tile-picture" }, picture),
    el("span", { class: "tile-name" }, one.name),
    el("span", { class: "small quiet" }, one.told || ""));
}

async function show_cameras() {
  const { facts } = view;
  const watched = facts.watcher;
  const running = watched.source && watched.phase !== "failed" && watched.phase !== "none";
  const tiles = [];
  if (running) tiles.push({ source: "", name: watched.source, told: "in use now", picture: "/api/home/picture?width=480", chosen: true, act: () => look() });
  facts.recordings.forEach((one) => tiles.push({ source: one.source, name: one.name, told: "a recording", sign: "\u25b6" }));
  tiles.push({ source: "phone", name: "This phone or another", told: "its camera, over the network", sign: "\u25af", act: phone });
  put(by_id("cameras"), tiles.map(tile), el("p", { class: "quiet", id: "looking" }, "Looking for cameras\u2026"));
  put(by_id("address-help"), facts.any_file
    ? "An address as your camera\u2019s manual names it, or the path of a film or a folder of pictures on this computer."
    : `An address as your camera\u2019s manual names it. Recordings in ${facts.recordings_folder} are offered above.`);
  put(by_id("address-label"), facts.any_file ? "Address of a network camera, or path of a recording" : "Address of a network camera");
  problem(watched.phase === "failed" ? watched.problem : null);
  const { cameras, problem: trouble } = await get("/api/home/cameras").catch((failure) => ({ cameras: [], problem: failure.message }));
  const plugged = cameras.filter((one) => `camera ${one.source}` !== watched.source || !running);
  const told = (one) => (one.problem ? sentence(one.problem) : one.place);
  put(by_id("cameras"), plugged.map((one) => tile({ source: one.source, name: one.name, told: told(one), picture: one.picture })), tiles.map(tile));
  if (!cameras.length && !running && watched.phase !== "failed") problem(trouble || "No camera is plugged in. Plug one in and look again, or choose another below.", true);
}

function problem(words, again) {
  const box = by_id("camera-problem");
  box.hidden = !words;
  put(box, words ? sentence(words) : null, words && again ? el("span", {}, " ", el("button", { type: "button", onclick: begin }, "Look again")) : null);
}

async function choose(source) {
  try {
    const { watcher } = await post("/api/home/source", { source });
    view.facts.watcher = watcher;
  } catch (failure) { toast(sentence(failure.message), true); return; }
  look();
}

function phone() {
  choose("phone").then(() => { if (/Mobi|Android|iPhone|iPad/.test(window.navigator.userAgent)) window.location.assign("/phone"); });
}

by_id("address-form").addEventListener("submit", (event) => {
  event.preventDefault();
  const address = by_id("address").value.trim();
  if (address) choose(address);
});

// --- The table --------------------------------------------------------------------------------------

const wait = (ms) => new Promise((done) => { window.setTimeout(done, ms); });

/** Waits for the first picture, then looks which table it shows. */
async function look() {
  go("table");
  view.asked += 1;
  const mine = view.asked;
  view.found = null;
  put(by_id("table-choices"));
  put(by_id("found"));
  put(by_id("table-title"), "Looking for the table\u2026");
  put(by_id("seen"), el("p", { class: "wait" }, "Waiting for the camera\u2019s first picture\u2026"));
  for (;;) {
    const facts = await get("/api/home").catch(() => null);
    if (mine !== view.asked) return;
    if (facts) view.facts = facts;
    const phase = facts && facts.watcher.phase;
    if (phase === "failed") { go("camera"); show_cameras(); return; }
    if (phase === "shown" || phase === "watching" || phase === "ended") break;
    if (facts && facts.watcher.source === "a phone") put(by_id("seen"), el("div", { class: "wait" }, el("p", {}, "Open this page on the phone over the table and tap \u201cThis phone\u201d there, or open "), el("p", {}, el("b", {}, `${window.location.origin}/phone`))));
    await wait(300);
  }
  try {
    view.picture = await post("/api/setup/grab", {});
    show_picture();
    const found = await post("/api/setup/find", { id: view.picture.id });
    if (mine !== view.asked) return;
    show_found(found);
  } catch (failure) {
    if (mine === view.asked) show_found({ found: false, several: [], why: failure.message });
  }
}

function show_picture() {
  const { id, width, height } = view.picture;
  const layer = svg("svg", { viewBox: `0 0 ${width} ${height}`, "aria-hidden": "true" });
  const points = (line) => line.map(([x, y]) => `${x + 0.5},${y + 0.5}`).join(" ");
  if (view.found) {
    view.found.lines.forEach((line) => layer.appendChild(svg("polyline", { class: "fitted", points: points(line) })));
    layer.appendChild(svg("polygon", { class: "outline", points: points(view.found.outline) }));
  }
  put(by_id("seen"), el("img", { src: `/api/setup/picture/${id}`, alt: "What the camera sees", width, height }), layer);
}

/** The picture stays live under the lines that were found. */
window.setInterval(() => {
  const shown = by_id("seen").querySelector("img");
  const live = view.step === "table" && view.found && shown && !document.hidden && view.facts && view.facts.watcher.phase === "shown";
  if (!live) return;
  const next = new Image();
  next.onload = () => { if (shown.isConnected) shown.src = next.src; };
  next.src = `/api/home/picture?width=1280&at=${Date.now()}`;
}, 1000);

function show_found(found) {
  const again = el("button", { type: "button", onclick: look }, "Look again");
  const by_hand = el("a", { class: "button", href: "/setup" }, "Set it up by hand");
  const other = el("button", { type: "button", onclick: () => go("camera") }, "Another camera");
  if (!found.found) {
    put(by_id("table-title"), found.several.length ? "Several tables look like this one" : "The table was not found");
    const why = found.several.length ? `It may be ${found.several.join(" or ")}. Say which of them it is.` : sentence(found.why || "no known table fits the picture");
    put(by_id("found"), el("p", { class: "note warn" }, why),
      found.several.length ? null : el("p", { class: "quiet" }, "All four corners should be in view, evenly lit. A table that is not known yet is learned from a photo."));
    put(by_id("table-choices"),
      found.several.map((board) => el("button", { type: "button", class: "main", onclick: () => fit(board) }, board)),
      found.several.length ? null : el("a", { class: "button main", href: "/setup" }, "Show it my table"), again, other);
    return;
  }
  view.found = found;
  show_picture();
  put(by_id("table-title"), "Is this your table?");
  const bad = found.quality.filter((row) => row.good === "no").length;
  const words = bad ? "It can be used, but calls will be left open more often:" : found.quality.some((row) => row.good === "so") ? "Good enough for most calls:" : "The camera sees it well:";
  put(by_id("found"), el("p", {}, el("b", {}, found.name), `, ${found.probability ? "found by itself" : "as you said"}. ${words}`),
    el("ul", { class: "quality" }, found.quality.map((row) => el("li", { "data-good": row.good }, row.words))));
  put(by_id("table-choices"), el("button", { type: "button", class: "main", id: "is-table", onclick: keep_table }, "Yes, go on"), again, by_hand, other);
}

/** The board that a person named. */
async function fit(board) {
  try {
    const answer = await post("/api/setup/fit", { id: view.picture.id, board, corners: null, height_mm: null, at: [] });
    const { boards } = await get("/api/setup");
    const known = boards.filter((one) => one.id === board)[0];
    show_found(Object.assign(answer, { found: true, board, name: known.name, games: known.games }));
  } catch (failure) { toast(sentence(failure.message), true); }
}

async function keep_table() {
  try {
    await post("/api/setup/save", { id: view.picture.id });
  } catch (failure) { toast(sentence(failure.message), true); return; }
  show_match();
}

// --- The players ------------------------------------------------------------------------------------

const TITLES = { target: "Game at", best_of: "Best of" };

async function show_match() {
  const { games, table } = await get("/api/games");
  view.games = games.filter((game) => !table || game.board === table.id);
  const before = view.state && view.state.match ? view.state.match.header : null;
  const first = view.games.filter((game) => before && game.id === before.game)[0] || view.games[0];
  view.draft = { game: first, names: before ? before.sides.map((side) => side.name) : ["", ""], options: {} };
  put(by_id("players"), view.facts.players.map((name) => el("option", { value: name })));
  draw_match();
  go("match");
}

function draw_match() {
  const { game, names, options } = view.draft;
  const parts = [];
  if (view.games.length > 1) {
    parts.push(el("fieldset", {}, el("legend", {}, "Game"), el("div", { class: "row fill" }, view.games.map((one) => el("button", {
      type: "button", "aria-pressed": String(one.id === game.id), onclick: () => { keep_names(); view.draft.game = one; view.draft.options = {}; draw_match(); },
    }, one.name)))));
  }
  parts.push(el("div", { class: "grid2" }, [0, 1].map((i) => el("label", { class: "field", for: `name-${i}` },
    el("span", {}, disc(game.colours[i].colour), ` ${i ? "Second" : "First"}, ${game.colours[i].name}`),
    el("input", { type: "text", id: `name-${i}`, maxlength: 40, autocomplete: "off", list: "players", value: names[i], placeholder: capital(game.colours[i].name) })))));
  game.options.filter((one) => TITLES[one.name] && one.kind === "choice").forEach((one) => {
    const now = options[one.name] === undefined ? one.default : options[one.name];
    parts.push(el("fieldset", {}, el("legend", {}, TITLES[one.name]), el("div", { class: "row fill" }, one.values.map((value) => el("button", {
      type: "button", "aria-pressed": String(value === now), onclick: () => { keep_names(); options[one.name] = value; draw_match(); },
    }, String(value))))));
  });
  put(by_id("match-parts"), el("p", { class: "quiet small" }, game.summary), parts);
}

const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);

function keep_names() {
  view.draft.names = [0, 1].map((i) => by_id(`name-${i}`).value.trim());
}

by_id("back-to-table").addEventListener("click", () => go("table"));
by_id("match-form").addEventListener("submit", async (event) => {
  event.preventDefault();
  keep_names();
  const { game, names, options } = view.draft;
  const sides = [0, 1].map((i) => ({ name: names[i] || capital(game.colours[i].name), colour: game.colours[i].name }));
  if (await change("/api/match", { event: { type: "match", game: game.id, options, sides } }, "The match begins.")) window.location.assign("/");
});

// --- Begin ------------------------------------------------------------------------------------------

async function begin() {
  try {
    view.facts = await get("/api/home");
  } catch (failure) {
    put(by_id("main"), el("h1", {}, "Start"), el("p", { class: "note warn" }, sentence(failure.message)), el("div", { class: "row" }, el("a", { class: "button main", href: "/referee" }, "To the match")));
    return;
  }
  go("camera", true);
  show_cameras();
  show_reach(by_id("reach"));
}

begin();
const waits = new URLSearchParams(window.location.search).has("waiting");
watch((state) => {
  const began = waits && view.state && !view.state.match && state.match && view.step === "camera";
  seen(state);
  view.state = state;
  // A television that was waiting for the first match shows it.
  if (began) window.location.assign("/");
}, link_badge(by_id("link")));
