// The referee's page: what is asked, what can be entered, what was recorded.
import { disc, el, named_as, put, sheet } from "./dom.js";
import { draw_board, load_board, paint_of } from "./board.js";
import { close_up, seen_for } from "./closeup.js";
import { frame_editor } from "./frame.js";
import { strike_editor } from "./strike.js";
import { new_match } from "./newmatch.js";
import { tr } from "./language.js";
import { link_badge, watch } from "./live.js";
import { change, get, referee, seen, set_referee } from "./session.js";
import { area_words, camera_trouble, clock, doubt_words, event_name, list, number, points_words, sentence, sides } from "./words.js";

const strip = document.getElementById("strip");
const banner = document.getElementById("banner");
const task = document.getElementById("task");
const log = document.getElementById("log");
const undo_last = document.getElementById("undo-last");
const policy = document.getElementById("policy");
const name = document.getElementById("referee-name");
let state = null;
let board = null;
/** What the task card shows, so that an unrelated change does not wipe an entry in progress. */
let showing = "";

name.value = referee();
name.addEventListener("change", () => { set_referee(name.value); name.value = referee(); });
policy.addEventListener("change", () => change("/api/policy", { policy: policy.value }, "Kept."));
document.getElementById("new-match").addEventListener("click", () => new_match(state));
undo_last.addEventListener("click", () => {
  const last = entries.filter((entry) => entry.stands && entry.event > 0)[0];
  if (last) ask_undo(last);
});

/** Challenges are counted where the page is the whole program. */
const reviews = document.getElementById("reviews");
get("/api/home").then(() => get("/api/challenges")).then((told) => {
  reviews.value = told.limit === null ? "" : String(told.limit);
  document.getElementById("reviews-field").hidden = false;
}, () => {});
reviews.addEventListener("change", () => change("/api/challenges/limit", { limit: reviews.value === "" ? null : Number(reviews.value) }, "Kept."));

function game_options() {
  return (state.match && state.match.header.options) || {};
}

function editor_setting(start, replaces, seen_pieces) {
  return {
    board, colours: sides(state).map((side) => side.colour), game: state.match.game, options: game_options(),
    bank: Boolean(game_options().bank), start, replaces: replaces === undefined ? null : replaces, seen: seen_pieces,
    on_board: state.standing.on_board,
  };
}

/** The right editor for an event. */
function editor_for(start, replaces, seen_pieces) {
  if (start.type === "frame") return frame_editor(editor_setting(start, replaces, seen_pieces));
  if (start.type === "strike") return strike_editor(editor_setting(start, replaces));
  return null;
}

function show_strip() {
  if (!state.match) { put(strip); return; }
  const all = sides(state);
  const colours = all.map((side) => side.colour);
  const over = state.standing.status === "won" || state.standing.status === "undecided";
  put(strip,
    all.map((side) => {
      const card = el("div", { class: "mini" },
        el("div", { class: "who" }, el("span", { class: "name" }, side.name),
          el("span", { class: "turn" }, side.won ? "wins the match" : side.plays && !over ? (side.players ? `${state.standing.to_play} to play` : "to play") : "")),
        el("span", { class: "points", "data-score": side.name }, number(side.score)));
      card.style.setProperty("--side", paint_of(board, side.colour, colours));
      return card;
    }),
    el("p", { class: "facts" }, [
      state.match.game_name, state.match.best_of > 1 ? `games ${all.map((side) => side.games).join("\u2013")}, best of ${state.match.best_of}` : null,
      state.match.target ? `to ${state.match.target}` : null,
      camera_words(state.camera),
    ].filter(Boolean).map(tr).join(" \u00b7 ")));
}

/** What the camera is doing, where one runs. */
function camera_words(camera) {
  if (!camera) return null;
  return ["camera: " + String(camera.doing || camera.watching || "running").replace(/-/g, " "), camera.progress].filter(Boolean).join(", ");
}

let wrong_pins = null;

/** Somebody may be guessing the PIN: whoever is logged in is told. */
async function look_for_guessers() {
  const session = await get("/api/session").catch(() => null);
  const told = session && session.wrong_pins && session.wrong_pins.last_hour > 2 ? session.wrong_pins : null;
  if (JSON.stringify(told) === JSON.stringify(wrong_pins)) return;
  wrong_pins = told;
  if (state) show_banner();
}

window.setInterval(look_for_guessers, 15000);
look_for_guessers();

function show_banner() {
  const parts = [];
  const trouble = camera_trouble(state);
  if (trouble) {
    const to = trouble.lost ? el("a", { href: "/setup" }, "Set it up again") : el("a", { href: "/calls" }, "Look at them");
    parts.push(el("div", { class: trouble.lost ? "note bad" : "note warn", role: trouble.lost ? "alert" : null }, trouble.words, " ", to));
  }
  if (wrong_pins) parts.push(el("p", { class: "note bad", role: "alert" }, `${wrong_pins.last_hour} wrong PINs in the last hour, from ${wrong_pins.addresses} ${wrong_pins.addresses === 1 ? "address" : "addresses"}. You stay logged in.`));
  state.notes.filter((note) => note.about.indexOf("challenge") === 0 || !/\d+\.\d|x \d|event \d/.test(note.text)).slice(-2).forEach((note) => parts.push(el("p", { class: "note" }, sentence(note.text))));
  if (state.close_calls.length && !state.pending.length) {
    const call = state.close_calls[0];
    parts.push(el("p", { class: "note warn" }, `${call.colour} ${call.piece} is too close to call. `,
      el("a", { href: `/calls/${encodeURIComponent(call.id)}` }, "Review it"),
      state.close_calls.length > 1 ? el("span", {}, ` and ${state.close_calls.length - 1} more`) : null));
  }
  put(banner, parts.length ? el("div", { class: "stack" }, parts) : null);
}

/** The task that is due, as a name; the card is built anew only when it changes. */
function due() {
  if (!state.match) return "start";
  if (state.pending.length) return `pending ${state.pending[0].id}`;
  if (state.standing.status === "won" || state.standing.status === "undecided") return `over ${state.revision}`;
  if (state.standing.to_choose) return `choose ${state.revision}`;
  return `idle ${state.match.number} ${state.standing.status} ${state.match.events}`;
}

function show_task() {
  const now = due();
  if (now === showing) return;
  showing = now;
  if (!state.match) {
    put(task, el("h2", {}, "No match yet"), el("p", { class: "quiet" }, "Say who plays what, and the scoreboard follows."),
      el("div", { class: "big-choices" }, el("button", { type: "button", class: "main", onclick: () => new_match(state) }, "Start a match")));
  } else if (state.pending.length) show_pending(state.pending[0]);
  else if (now.indexOf("over") === 0) show_over();
  else if (now.indexOf("choose") === 0) show_choose();
  else show_idle();
}

function doubt_line(doubt) {
  if (doubt.question) return sentence(doubt.question);
  const pieces = state.table && state.table.source === "proposed" ? state.table.pieces : null;
  return sentence(`too close to call: ${doubt_words(doubt, pieces)}, ${Math.round(doubt.probability * 100)} % the other way`);
}

/** The answers to a question about a strike: what the event is with each of them. */
function answers(doubt, event) {
  const as_it_is = (words) => ({ words, event });
  const but = (words, change) => ({ words, event: Object.assign({}, event, change) });
  const kinds = (event.pocketed || []).concat(event.off_board || []);
  const named = kinds.filter((kind) => (doubt.question || "").indexOf(kind) >= 0)[0];
  const without = (list, kind) => { const at = (list || []).indexOf(kind); return (list || []).filter((_, i) => i !== at); };
  if (doubt.about === "break") return [but("Yes, it was disturbed", { disturbed: true }), but("No", { disturbed: false })];
  if (doubt.about === "cushion") return [but("Yes, off a cushion", { cushioned: true }), but("No", { cushioned: false })];
  if (doubt.about === "placement") {
    const fouls = without(event.fouls, "placement");
    return [but("Placed rightly", { fouls: fouls.length ? fouls : undefined }), but("A foul", { fouls: fouls.concat(["placement"]) })];
  }
  if (doubt.about === "pocketed" && named) {
    const pocketed = without(event.pocketed, named);
    const off_board = without(event.off_board, named);
    return [
      but("Into a pocket", { pocketed: pocketed.concat([named]), off_board: off_board.length ? off_board : undefined }),
      but("Off the board", { pocketed, off_board: off_board.concat([named]) }),
    ];
  }
  return [as_it_is("As the camera saw it")];
}

const same_event = (a, b) => JSON.stringify(a) === JSON.stringify(b);

function show_pending(pending) {
  let draft = pending.event;
  const given = {};
  const box = el("div", { class: "stack" });
  const confirm = el("button", { type: "button", class: "main", id: "confirm" }, "Confirm");
  let editor = null;
  let shown = null;
  confirm.addEventListener("click", () => {
    const corrected = (editor && editor.changed()) || !same_event(draft, pending.event);
    const event = editor && editor.changed() ? editor.event() : draft;
    change(`/api/proposals/${pending.id}/confirm`, corrected ? { event } : {}, corrected ? "Recorded as corrected." : "Recorded.");
  });

  function question(doubt, i) {
    const figure = doubt.piece ? close_up(shown, doubt.piece) : null;
    const choices = draft.type === "strike" ? answers(doubt, draft) : [];
    return el("li", { class: "asked" }, el("p", {}, doubt_line(doubt)), figure,
      choices.length > 1 ? el("div", { class: "row fill" }, choices.map((choice, n) => el("button", {
        type: "button", "aria-pressed": String(given[i] === n), onclick: () => { given[i] = n; draft = choice.event; draw(); },
      }, choice.words))) : null);
  }

  function draw() {
    editor = editor_for(draft, null, pending.pieces);
    put(box,
      pending.doubts.length ? el("ul", { class: "questions" }, pending.doubts.map(question)) : el("p", { class: "note warn" }, sentence(pending.asks)),
      before_and_after(),
      editor ? editor.node : el("p", { class: "quiet" }, event_name(draft.type, state.match.game)));
  }

  /** A strike moves everything: the board as it was and as it is. */
  function before_and_after() {
    if (!shown || !shown.before || pending.event.type !== "strike") return null;
    const colours = sides(state).map((side) => side.colour);
    const one = (pieces, words) => el("figure", {}, draw_board(board, { end: shown.end, pieces, colours, label: `The board ${words}` }), el("figcaption", { class: "small quiet" }, words));
    return el("div", { class: "before-after" }, one(shown.before, "before"), one(shown.after, "after"));
  }

  draw();
  put(task,
    el("h2", {}, `The camera saw: ${event_name(pending.event.type, state.match.game).toLowerCase()}`),
    box,
    state.pending.length > 1 ? el("p", { class: "small quiet" }, `${state.pending.length - 1} more waiting after this.`) : null,
    el("div", { class: "thumb row" },
      el("button", { type: "button", class: "danger", onclick: () => ask_reject(pending) }, "Did not happen"), confirm));
  if (pending.view) seen_for(pending.id).then((seen) => {
    if (!seen || showing !== `pending ${pending.id}`) return;
    shown = seen;
    if (!(editor && editor.changed())) draw();
  });
}

function ask_reject(pending) {
  ask_why("It did not happen?", "The proposal stays in the record as rejected.", "Reject it", (why) =>
    change(`/api/proposals/${pending.id}/reject`, { why }, "Rejected."));
}

/** A question with an optional reason. */
function ask_why(title, words, button, act) {
  sheet(title, (close) => {
    const why = el("input", { type: "text", id: "why", maxlength: 400, autocomplete: "off" });
    return [
      el("p", { class: "quiet" }, words),
      el("label", { class: "field", for: "why" }, el("span", {}, "Reason, if there is one to tell"), why),
      el("div", { class: "row fill" },
        el("button", { type: "button", onclick: () => close() }, "Keep it"),
        el("button", { type: "button", class: "main", "data-first": true, onclick: () => { close(); act(why.value.trim() || null); } }, button)),
    ];
  });
}

function show_over() {
  const winner = state.standing.winner;
  put(task, el("h2", {}, winner ? `${winner} wins the match` : "The match ends undecided"),
    el("p", { class: "quiet" }, "Anything recorded can still be corrected or undone below."),
    el("div", { class: "big-choices" }, el("button", { type: "button", class: "main", onclick: () => new_match(state, true) }, "Play again")));
}

function show_choose() {
  const side = state.standing.to_choose;
  const colours = sides(state).map((one) => one.colour);
  put(task, el("h2", {}, `${side} chooses the colour`),
    el("div", { class: "big-choices" }, colours.map((colour) => el("button", {
      type: "button", onclick: () => change("/api/events", { event: { type: "choose", side, colour } }, `${side} plays ${colour}.`),
    }, disc(paint_of(board, colour, colours)), "\u2002" + colour))));
}

function show_idle() {
  const game = state.match.game;
  const choices = [];
  const carrom = game === "kagw" || game === "ludington";
  const over = state.last && state.last.game_won_by && state.between_games;
  if (state.standing.status === "tie-break" && game === "association") {
    choices.push(el("button", { type: "button", class: "main", onclick: enter_playoff }, "Enter a play-off rock"));
  } else if (carrom) {
    choices.push(el("button", { type: "button", class: "main", onclick: () => enter({ type: "strike" }) }, `Enter a ${event_name("strike", game).toLowerCase()}`));
  } else {
    choices.push(el("button", { type: "button", class: "main", onclick: () => enter({ type: "frame", pieces: [], end: next_end() }) }, `Enter a ${event_name("frame", game).toLowerCase()}`));
    choices.push(el("a", { class: "button", href: "/photo" }, "Score it from a photo"));
  }
  if (game === "kagw" && state.last) choices.push(el("button", { type: "button", onclick: () => change("/api/events", { event: { type: "forgotten" } }, "Recorded.") }, "The owed penalty was forgotten (K11)"));
  if ((game === "court" || game === "long-board") && state.lag_possible) choices.push(el("button", { type: "button", onclick: enter_lag }, "Lag for colour"));
  put(task,
    el("h2", {}, over ? `${state.last.game_won_by} wins game ${state.last.game_number}. Next: game ${state.match.game_number}` : `Next: ${event_name(carrom ? "strike" : "frame", game).toLowerCase()}`),
    state.standing.to_play ? el("p", { class: "quiet" }, `${state.standing.to_play} ${carrom ? "is to play" : "leads"}.`) : null,
    el("div", { class: "big-choices" }, choices));
}

/** Play goes to and fro: the next end is the one that was not played to last. */
function next_end() {
  return state.next_end || "far";
}

function enter(start) {
  showing = `entry ${due()}`;
  const editor = editor_for(start);
  put(task, el("h2", {}, `Enter a ${event_name(start.type, state.match.game).toLowerCase()}`), editor.node,
    el("div", { class: "thumb row" },
      el("button", { type: "button", onclick: () => { showing = ""; show_task(); } }, "Cancel"),
      el("button", {
        type: "button", class: "main", id: "record",
        onclick: async () => { if (await change("/api/events", { event: editor.event() }, "Recorded.")) { showing = ""; show_task(); } },
      }, "Record")));
}

function enter_playoff() {
  const colours = sides(state).map((side) => side.colour);
  const end_areas = board.areas.filter((area) => area.end === "far" || !area.end);
  sheet("Play-off rock", (close) => colours.map((colour) => el("fieldset", {}, el("legend", {}, disc(paint_of(board, colour, colours)), " " + colour),
    el("div", { class: "grid2" }, end_areas.map((area) => [area.name, `${area_words(area.name)} (${number(area.value)})`]).concat([[null, "none"]]).map(([area, words]) => el("button", {
      type: "button", "aria-label": `${colour}: ${words}`, onclick: () => { close(); change("/api/events", { event: { type: "playoff", colour, area } }, "Recorded."); },
    }, words))))));
}

function enter_lag() {
  const all = sides(state).map((side) => side.name);
  sheet("Lag for colour", (close) => [
    el("p", { class: "quiet" }, "The camera measures which puck lies nearer. Enter by hand only that the second puck moved the first (C1): the first puck\u2019s side then chooses."),
    el("div", { class: "big-choices" }, all.map((first, i) => el("button", {
      type: "button", onclick: () => { close(); change("/api/events", { event: { type: "lag", first, second: all[1 - i], moved: true } }, "Recorded."); },
    }, `${all[1 - i]} moved ${first}\u2019s puck`))),
    el("div", { class: "row fill" }, el("button", { type: "button", onclick: () => close() }, "Cancel")),
  ]);
}

// --- What was recorded ------------------------------------------------------------------------------

let entries = [];
let log_revision = null;

/** Half rounds, frames and strikes are counted, so that people can name them. */
function numbered(events) {
  const counts = {};
  return events.map((entry) => {
    if (entry.type !== "frame" && entry.type !== "strike") return entry;
    counts[entry.type] = (counts[entry.type] || 0) + 1;
    const [what, ...rest] = entry.words.split(", ");
    return Object.assign({}, entry, { words: [`${what} ${counts[entry.type]}`].concat(rest).join(", ") });
  });
}

async function show_log() {
  if (log_revision === state.revision) return;
  log_revision = state.revision;
  const answer = state.match ? await get("/api/log").catch(() => null) : { events: [] };
  if (!answer) { log_revision = null; return; }
  entries = numbered(answer.events).reverse();
  undo_last.hidden = !entries.some((entry) => entry.stands && entry.event > 0);
  put(log, entries.length ? entries.map(log_row) : el("li", { class: "quiet" }, "Nothing yet."));
}

function log_row(entry) {
  const brought = entry.scores ? points_words(entry.scores) : "";
  const gone = !entry.stands;
  const marks = [];
  if (entry.overruled_by) marks.push(el("span", { class: "tag warn" }, `corrected by ${entry.overruled_by}`));
  if (entry.undone_by) marks.push(el("span", { class: "tag" }, `undone by ${entry.undone_by}`));
  if (entry.game_won_by) marks.push(el("span", { class: "tag good" }, `${entry.game_won_by} wins game ${entry.game_number}`));
  const open = el("button", { type: "button", onclick: () => open_entry(entry) },
    el("span", { class: "what" }, el("b", {}, entry.words), " ", el("small", {}, [entry.author, clock(entry.at)].filter(Boolean).join(", "), " ", marks)), " ",
    el("span", { class: "brought" }, brought));
  named_as(open, "", gone ? "undone" : "undo or correct");
  return el("li", { class: gone ? "gone" : "" }, open);
}

function open_entry(entry) {
  const can_correct = entry.stands && (entry.type === "frame" || entry.type === "strike");
  sheet(entry.words, (close) => [
    entry.scores ? el("p", { class: "preview-points" }, points_words(entry.scores)) : null,
    entry.cites && entry.cites.length ? el("p", { class: "quiet" }, `By ${list(entry.cites)}.`, entry.remarks && entry.remarks.length ? ` ${entry.remarks.join("; ")}.` : "") : null,
    el("div", { class: "big-choices" },
      can_correct ? el("button", { type: "button", class: "main", onclick: () => { close(); correct(entry); } }, "Correct it") : null,
      entry.has_calls ? el("a", { class: "button", href: `/calls?event=${entry.event}` }, "Its calls") : null,
      entry.can_undo ? el("button", { type: "button", class: "danger", onclick: () => { close(); ask_undo(entry); } }, "Undo it") : null,
      el("button", { type: "button", onclick: () => close() }, "Leave it")),
  ]);
}

/** What else an undo brings back: a game that was won, and what was played since. */
function reopens(entry) {
  const won = entries.filter((one) => one.stands && one.game_won_by && one.event >= entry.event && one.game_number === entry.game_number)[0];
  if (!won) return "";
  const later = entries.some((one) => one.stands && one.scores && one.event > won.event);
  return `${won.game_won_by} won game ${won.game_number} with it: the game is open again${later ? ", and what was played since counts for it" : ""}. `;
}

function ask_undo(entry) {
  ask_why(`Undo \u201c${entry.words}\u201d?`, `${entry.scores ? points_words(entry.scores) + ". " : ""}${reopens(entry)}It stays in the record as undone; undoing the undo brings it back.`, "Undo it", (why) =>
    change(`/api/events/${entry.event}/undo`, { why }, "Undone."));
}

function correct(entry) {
  showing = `correct ${entry.event}`;
  const editor = editor_for(entry.standing, entry.event, entry.pieces);
  const why = el("input", { type: "text", id: "why-correct", maxlength: 400, autocomplete: "off" });
  const done = () => { showing = ""; show_task(); };
  put(task, el("h2", { tabindex: "-1" }, `Correct: ${entry.words}`), editor.node,
    el("label", { class: "field", for: "why-correct" }, el("span", {}, "Reason, if there is one to tell"), why),
    el("div", { class: "thumb row" },
      el("button", { type: "button", onclick: done }, "Cancel"),
      el("button", {
        type: "button", class: "main", id: "record",
        onclick: async () => { if (await change(`/api/events/${entry.event}/overrule`, { with: editor.event(), why: why.value.trim() || null }, "Corrected.")) done(); },
      }, "Record the correction")));
  task.scrollIntoView({ block: "start" });
  task.querySelector("h2").focus();
}

function entering() {
  return showing.indexOf("entry") === 0 || showing.indexOf("correct") === 0;
}

watch((next) => {
  const other = !state || !state.match || !next.match || state.match.number !== next.match.number;
  state = next;
  seen(state);
  policy.value = state.policy;
  const render = () => {
    show_strip();
    show_banner();
    // An entry in progress stays; a new match or a new question of the camera takes over.
    if (other || !entering() || state.pending.length) show_task();
    show_log();
  };
  if (!state.match) { board = null; showing = ""; render(); return; }
  if (board && board.id === state.match.board) { render(); return; }
  load_board(state.match.board).then((loaded) => { board = loaded; if (state === next) render(); }, () => {});
}, link_badge(document.getElementById("link")));
