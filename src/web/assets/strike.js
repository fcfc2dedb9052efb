// A strike of a carrom game while a person enters or corrects it.
import { disc, el, put } from "./dom.js";
import { paint_of } from "./board.js";
import { judged_draft, refused } from "./draft.js";
import { points_words } from "./words.js";

const FATES = [["in-play", "in play"], ["pocketed", "pocketed"], ["off-board", "off the board"]];
const FOULS = [["placement", "Placement"], ["backward", "Backward"], ["early-hit", "Hit too early"], ["arm", "Arm over the diagonal"], ["touched", "Touched a piece"]];

/** As [`frame_editor`]: `setting` has `board`, `colours`, `game`, `options`, `start`, `replaces`, `on_board`. */
export function strike_editor(setting) {
  const { board, colours, game } = setting;
  const start = setting.start || {};
  const special = game === "kagw" ? "queen" : (setting.options || {}).green === false ? null : "green";
  const all = colours.concat(special ? [special] : []);
  const tally = (list) => all.reduce((out, colour) => Object.assign(out, { [colour]: (list || []).filter((c) => c === colour).length }), {});
  const draft = {
    pocketed: tally(start.pocketed), off_board: tally(start.off_board), striker: start.striker || "in-play",
    fouls: start.fouls || [], disturbed: start.disturbed, called: start.called || null, cushioned: start.cushioned,
  };
  const body = el("div", { class: "stack" });
  const verdict = el("div", { class: "preview", role: "status", "aria-live": "polite" });
  const node = el("div", { class: "stack" }, verdict, body);
  const spread = (counts) => all.reduce((out, colour) => out.concat(new Array(counts[colour]).fill(colour)), []);

  const draft_now = judged_draft({ event, replaces: setting.replaces, verdict, draw, show: show_verdict });
  const change = draft_now.change;

  function event() {
    const out = { type: "strike" };
    const pocketed = spread(draft.pocketed);
    const off = spread(draft.off_board);
    if (pocketed.length) out.pocketed = pocketed;
    if (draft.striker !== "in-play") out.striker = draft.striker;
    if (off.length) out.off_board = off;
    if (game === "kagw" && draft.fouls.length) out.fouls = draft.fouls;
    if (game === "kagw" && draft.disturbed === false) out.disturbed = false;
    if ((setting.options || {}).called) out.called = draft.called || "missed";
    if ((setting.options || {}).cushion && draft.cushioned !== undefined && draft.cushioned !== null) out.cushioned = draft.cushioned;
    return out;
  }

  function show_verdict() {
    const judged = draft_now.judged();
    if (refused(judged, verdict)) return;
    const remarks = judged.remarks || [];
    const next = judged.standing.to_play ? `${judged.standing.to_play} plays next.` : "";
    put(verdict,
      el("p", { class: "preview-points" }, Object.keys(judged.points).some((name) => judged.points[name]) ? points_words(judged.points) : next),
      remarks.length ? el("p", { class: "small" }, remarks.join("; ")) : null);
  }

  function stepper(counts, colour, words) {
    const left = setting.on_board && setting.on_board[colour] !== undefined ? setting.on_board[colour] : 9;
    const step = (by) => { counts[colour] = Math.max(0, counts[colour] + by); change(); };
    return el("div", { class: "stepper" },
      disc(paint_of(board, colour, colours)),
      el("span", { class: "piece-name" }, colour),
      el("button", { type: "button", "aria-label": `One ${colour} less ${words}`, disabled: counts[colour] === 0, onclick: () => step(-1) }, "\u2212"),
      el("b", { "aria-label": `${counts[colour]} ${colour} ${words}` }, String(counts[colour])),
      el("button", { type: "button", "aria-label": `One ${colour} more ${words}`, disabled: counts[colour] >= Math.max(left, 1) + 9, onclick: () => step(1) }, "+"));
  }

  function pick(name, choices, now, act) {
    return el("fieldset", {}, el("legend", {}, name), el("div", { class: "row fill" }, choices.map(([value, words]) => el("button", {
      type: "button", "aria-pressed": String(now === value), onclick: () => act(value),
    }, words))));
  }

  function draw() {
    const shot = game === "kagw" ? "Striker" : "Shooter";
    put(body,
      el("fieldset", {}, el("legend", {}, "Pocketed"), all.map((colour) => stepper(draft.pocketed, colour, "pocketed"))),
      pick(shot, FATES, draft.striker, (value) => { draft.striker = value; change(); }),
      game === "kagw" ? el("fieldset", {}, el("legend", {}, "Fouls"), el("div", { class: "row" }, FOULS.map(([value, words]) => el("button", {
        type: "button", "aria-pressed": String(draft.fouls.indexOf(value) >= 0),
        onclick: () => { draft.fouls = draft.fouls.indexOf(value) >= 0 ? draft.fouls.filter((f) => f !== value) : draft.fouls.concat([value]); change(); },
      }, words)))) : null,
      (setting.options || {}).called ? pick("The named disc", [["made", "went in"], ["missed", "missed"]], draft.called || "missed", (value) => { draft.called = value; change(); }) : null,
      (setting.options || {}).cushion ? pick("Cushion first", [[true, "yes"], [false, "no"]], draft.cushioned, (value) => { draft.cushioned = value; change(); }) : null,
      el("details", {}, el("summary", {}, "Off the board, first break"),
        el("div", { class: "stack" }, all.map((colour) => stepper(draft.off_board, colour, "off the board")),
          game === "kagw" ? pick("Break", [[true, "disturbed the group"], [false, "did not"]], draft.disturbed !== false, (value) => { draft.disturbed = value; change(); }) : null)));
  }

  draw();
  draft_now.judge();
  return draft_now.editor(node);
}
