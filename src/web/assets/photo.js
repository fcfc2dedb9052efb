// A photo goes up; the annotated photo, the calls and the tally come back.
import { disc, el, put, toast } from "./dom.js";
import { load_board, paint_of } from "./board.js";
import { link_badge, watch } from "./live.js";
import { change, get, seen, upload } from "./session.js";
import { CALLS, STATES, about_words, area_words, gap_words, line_words, list, number, sentence, signed } from "./words.js";

const form = document.getElementById("form");
const file = document.getElementById("file");
const drop = document.getElementById("drop");
const board_choice = document.getElementById("board");
const end_field = document.getElementById("end-field");
const send = document.getElementById("send");
const chosen = document.getElementById("chosen");
const result = document.getElementById("result");
let boards = [];
let picked = null;
let state = null;

function pick(photo) {
  picked = photo || null;
  send.disabled = !picked;
  chosen.textContent = picked ? `${picked.name || "photo"}, ${(picked.size / 1e6).toFixed(1)} MB` : "";
}

file.addEventListener("change", () => pick(file.files[0]));
["dragover", "dragenter"].forEach((name) => drop.addEventListener(name, (event) => { event.preventDefault(); drop.classList.add("over"); }));
["dragleave", "drop"].forEach((name) => drop.addEventListener(name, () => drop.classList.remove("over")));
drop.addEventListener("drop", (event) => { event.preventDefault(); pick(event.dataTransfer.files[0]); });
board_choice.addEventListener("change", show_end);

function show_end() {
  const board = boards.filter((one) => one.id === board_choice.value)[0];
  end_field.hidden = board ? !board.two_ended : !boards.some((one) => one.two_ended);
}

form.addEventListener("submit", async (event) => {
  event.preventDefault();
  if (!picked) return;
  const data = new FormData();
  data.append("board", board_choice.value);
  data.append("end", end_field.hidden ? "far" : document.getElementById("end").value);
  data.append("photo", picked, picked.name || "photo.jpg");
  send.disabled = true;
  const abort = window.AbortController ? new window.AbortController() : null;
  const told = el("p", { class: "quiet", role: "status" }, "Sending it\u2026");
  const begun = Date.now();
  const clock = window.setInterval(() => { told.textContent = `Looking for the board and measuring, ${Math.round((Date.now() - begun) / 1000)} s\u2026`; }, 1000);
  put(result, told, el("progress", { "aria-label": "Measuring" }), abort ? el("div", { class: "row" }, el("button", { type: "button", onclick: () => abort.abort() }, "Cancel")) : null);
  result.scrollIntoView({ block: "nearest" });
  try {
    await show(await upload("/api/photo", data, abort ? abort.signal : undefined));
  } catch (failure) {
    if (failure.name === "AbortError") put(result, el("p", { class: "quiet" }, "Cancelled. The photo is still chosen."));
    else put(result, el("h2", {}, "This photo has no score"), el("p", { class: "note bad" }, sentence(failure.message)));
  }
  window.clearInterval(clock);
  send.disabled = false;
});

function piece_words(report, id) {
  const piece = report.pieces.filter((one) => one.id === id)[0];
  return piece ? `${piece.colour} ${id}` : `piece ${id}`;
}

/** Rounded so that nothing becomes certain by it. */
function percent(probability) {
  return probability > 0.99 ? `${Math.min(99.9, 100 * probability).toFixed(1)} %` : `${Math.round(100 * probability)} %`;
}

function row(piece, answer, board) {
  const contact = piece.contact;
  const where = piece.state !== "live" ? STATES[piece.state] || piece.state : area_words(piece.area);
  return el("tr", {},
    el("td", {}, disc(paint_of(board, piece.colour, [])), ` ${piece.colour} ${piece.id}`),
    el("td", { "data-label": "in" }, where),
    el("td", { class: "number", "data-label": "gap" }, contact ? gap_words(contact) : ""),
    el("td", { "data-label": "call" }, contact ? el("span", { class: contact.call === "too-close" ? "tag warn" : "quiet" }, `${CALLS[contact.call]}, ${line_words(contact.line)}`) : ""),
    el("td", { class: "number", "data-label": "points" }, piece.points === null ? "" : el("b", {}, signed(piece.points))),
    el("td", {}, el("a", { href: `/photo/${answer.id}/${piece.id}`, "aria-label": `Review ${piece.colour} ${piece.id}` }, "review")));
}

async function show(answer) {
  const board = await load_board(answer.report.board).catch(() => null);
  const report = answer.report;
  const tally = Object.keys(report.tally).map((colour) => `${colour} ${number(report.tally[colour])}`);
  const doubts = report.doubts || [];
  const fits = state && state.match && state.match.board === report.board && answer.can_record;
  put(result,
    el("div", { class: "spread" }, el("h2", {}, "Tally"), el("p", { class: "quiet small" }, `the lines fit to ${report.registration.rms_px.toFixed(2)} px`)),
    el("p", { class: "tally", id: "tally" }, list(tally)),
    report.board_probability ? el("p", { class: "quiet", id: "found-board" }, `Board: ${board ? board.name : report.board} (found by itself, ${percent(report.board_probability)})`) : null,
    doubts.length ? el("p", { class: "note warn" }, `${doubts.length === 1 ? "One call" : doubts.length + " calls"} could change it: ${doubts.map((doubt) => `${piece_words(report, doubt.piece)} (${about_words(doubt.about)})`).join("; ")}.`) : null,
    (report.uncalled || []).length ? el("p", { class: "note warn" }, `Cannot be called and left out: piece ${list(report.uncalled.map(String))}.`) : null,
    el("a", { href: answer.annotated }, el("img", { class: "shot", src: answer.annotated, alt: "The photo with rims, gaps and areas drawn on it" })),
    fits ? el("div", { class: "row fill" }, el("button", {
      type: "button", class: "main", id: "record-photo",
      onclick: async (event) => {
        const button = event.target;
        button.disabled = true;
        const taken = await change(`/api/photo/${answer.id}/record`, {}, "Handed to the desk.");
        if (!taken) { button.disabled = false; return; }
        const words = taken.asked ? "The referee is asked about it" : "It is recorded in the match";
        put(button.parentNode, el("p", { class: "note good", id: "went" }, `${words}: `, el("a", { href: "/referee" }, taken.asked ? "answer it" : "see it there"), "."));
      },
    }, "Record it in the match")) : null,
    el("div", { class: "found-box", tabindex: "0", role: "region", "aria-label": "Pieces" }, el("table", { class: "found" },
      el("thead", {}, el("tr", {}, ["piece", "in", "gap", "call", "points", ""].map((words) => el("th", { scope: "col" }, words || el("span", { class: "only-read" }, "review"))))),
      el("tbody", {}, report.pieces.map((piece) => row(piece, answer, board))))));
}

get("/api/boards").then((answer) => {
  boards = answer.boards;
  put(board_choice, [el("option", { value: "" }, "Find out which board it is")].concat(boards.map((board) => el("option", { value: board.id }, board.name))));
  choose_board();
}, (failure) => toast(failure.message, true));

/** The match's board is the likely one. */
function choose_board() {
  if (state && state.match && boards.some((one) => one.id === state.match.board) && !picked) {
    board_choice.value = state.match.board;
    if (state.next_end) document.getElementById("end").value = state.next_end;
  }
  show_end();
}

watch((next) => {
  const first = !state;
  state = next;
  seen(state);
  if (first) choose_board();
}, link_badge(document.getElementById("link")));
