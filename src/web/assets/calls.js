// The list of calls, weightiest first.
import { disc, el, put } from "./dom.js";
import { load_board, paint_of } from "./board.js";
import { link_badge, watch } from "./live.js";
import { get, seen } from "./session.js";
import { CALLS, STATES, area_words, clock, event_name, gap_words, line_words, sides } from "./words.js";

const FILTERS = [["all", "All"], ["close", "Close"], ["ruled", "Ruled on"]];
const asked = new URLSearchParams(window.location.search);
const only_event = asked.get("event");
let filter = asked.get("show") || "all";
let state = null;
let board = null;
let calls = [];
let loaded = null;

function keeps(call) {
  if (only_event !== null && String(call.event) !== only_event) return false;
  if (filter === "close") return call.close && !call.verdict && !call.ruled;
  if (filter === "ruled") return Boolean(call.verdict || call.ruled);
  return true;
}

/** "by Dee; measured clear of the line" */
function ruled_words(call) {
  const { by, changed, measured } = call.ruled;
  return `${changed ? "ruled" : "upheld"} by ${by}${measured ? `; measured ${CALLS[measured]}` : ""}`;
}

function row(call) {
  const colours = sides(state).map((side) => side.colour);
  const marks = [];
  if (call.close && !call.verdict) marks.push(el("span", { class: "tag warn" }, call.swing ? `too close, ${call.swing} points` : "too close"));
  if (call.ruled) marks.push(el("span", { class: "tag good" }, ruled_words(call)));
  else if (call.verdict) marks.push(el("span", { class: "tag good" }, `${call.verdict.ruling} by ${call.verdict.by}`));
  else if (call.overruled) marks.push(el("span", { class: "tag" }, "corrected"));
  if (call.undone) marks.push(el("span", { class: "tag" }, "undone"));
  if (call.camera_moved) marks.push(el("span", { class: "tag bad" }, "camera moved"));
  const where = call.state && call.state !== "live" ? STATES[call.state] || call.state : area_words(call.area);
  const what = call.contact ? `${gap_words(call.contact)}` : "";
  const line = call.contact ? ` ${CALLS[call.contact.call]} (${line_words(call.contact.line)})` : call.view ? "" : " entered by hand";
  const body = [
    disc(paint_of(board, call.colour, colours)),
    el("span", { class: "who" }, `${call.colour} ${call.piece} `, el("span", { class: "quiet" }, where)),
    el("span", { class: "gap" }, what),
    el("span", { class: "more" }, `${[event_name(call.type, state.match.game), clock(call.at)].filter(Boolean).join(", ")}:${line} `, marks),
  ];
  const names = ["call-row"];
  if (call.close && !call.verdict) names.push("close");
  if (call.undone) names.push("gone");
  return el("li", {}, call.view
    ? el("a", { class: names.join(" "), href: `/calls/${encodeURIComponent(call.id)}` }, body)
    : el("div", { class: names.join(" ") }, body));
}

function show() {
  put(document.getElementById("filters"), FILTERS.map(([id, words]) => el("button", {
    type: "button", "aria-pressed": String(filter === id), onclick: () => { filter = id; show(); },
  }, words)), only_event !== null ? el("a", { class: "button", href: "/calls" }, `Only one of them: show all`) : null);
  const kept = calls.filter(keeps);
  document.getElementById("count").textContent = `${kept.length} of ${calls.length}`;
  put(document.getElementById("calls"), kept.length ? kept.map(row) : el("li", { class: "quiet" }, calls.length ? "None of these." : "No calls yet: they come with the first frame."));
}

watch(async (next) => {
  state = next;
  seen(state);
  if (loaded === state.revision) return;
  loaded = state.revision;
  if (!state.match) { calls = []; show(); return; }
  try {
    board = await load_board(state.match.board);
    calls = (await get("/api/calls")).calls;
  } catch (failure) { loaded = null; }
  show();
}, link_badge(document.getElementById("link")));
