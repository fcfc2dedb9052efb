// A frame while a person enters or corrects it: the board with its pieces, a row a piece, and what
// it would score. The server judges every step; nothing is counted here.
import { disc, el, named_as, put, sheet } from "./dom.js";
import { draw_board, kind_of, paint_of } from "./board.js";
import { judged_draft, refused } from "./draft.js";
import { CALLS, STATES, area_words, gap_words, line_words, number, points_words, signed } from "./words.js";

/** A finger on a drawn board is good to so many mm (one standard deviation). */
const FINGER_SIGMA_MM = 4;

/** The piece as it goes into the event. */
function event_piece(piece) {
  const { colour, x_mm, y_mm, sigma_mm, area, touching, banked } = piece;
  const out = { colour };
  if (area !== undefined) {
    out.area = area;
    if (touching) out.touching = true;
  } else {
    Object.assign(out, { x_mm, y_mm });
    if (sigma_mm !== undefined && sigma_mm !== null) out.sigma_mm = sigma_mm;
  }
  if (banked !== undefined && banked !== null) out.banked = banked;
  return out;
}

/**
 * `setting`: `board`, `colours` (the sides' in order), `game`, `bank`, `replaces` (an event's number
 * or null), `start` (a frame event), `seen` (how its pieces were called, where they were).
 * Gives `{ node, event(), changed() }`.
 */
export function frame_editor(setting) {
  const { board, colours } = setting;
  const start = setting.start || { type: "frame", pieces: [] };
  const draft = {
    end: start.end || "far",
    pieces: (start.pieces || []).map((piece, i) => Object.assign({}, piece, { seen: setting.seen ? setting.seen[i] : null })),
    hand: (start.flags || []).indexOf("hand") >= 0,
    rest: start,
  };
  let adding = colours[0];
  const by_place = setting.game === "long-board";

  const picture = el("div", { class: "editor-board" });
  const rows = el("ul", { class: "pieces" });
  const doubtful = el("ul", { class: "pieces doubtful", "aria-label": "Too close to call" });
  const verdict = el("div", { class: "preview", role: "status", "aria-live": "polite" });
  const adders = el("div", { class: "adders" });
  const options = el("div", { class: "row" });
  const node = el("div", { class: "editor" }, doubtful, el("div", { class: "editor-left" }, picture, adders), el("div", { class: "editor-right stack" }, verdict, rows, options));

  const draft_now = judged_draft({ event, replaces: setting.replaces, verdict, draw, show: draw });
  const change = draft_now.change;

  function event() {
    const out = { type: "frame", pieces: draft.pieces.map(event_piece) };
    if (draft.end !== "far") out.end = draft.end;
    if (draft.hand) out.flags = ["hand"];
    if (draft.rest.waive && draft.rest.waive.length) out.waive = draft.rest.waive;
    return out;
  }

  /** How a piece counts, as the server judged it or as it was seen. */
  function called(index) {
    const piece = draft.pieces[index];
    const judged = draft_now.judged();
    const by_server = judged && judged.pieces && judged.pieces[index];
    return Object.assign({ close: false, points: null, state: null, area: piece.area }, by_server || {}, piece.edited ? {} : piece.seen || {});
  }

  function drawn(index) {
    const piece = draft.pieces[index];
    const now = called(index);
    const seen = piece.seen && !piece.edited ? piece.seen : null;
    const at = piece.area === undefined ? piece : seen || {};
    return { colour: piece.colour, x_mm: at.x_mm, y_mm: at.y_mm, area: now.area, points: now.points, state: now.state, close: now.close };
  }

  /** As in the list of calls. */
  function name_of(index) {
    return `${draft.pieces[index].colour} ${index + 1}`;
  }

  function place_words(index) {
    const now = called(index);
    if (now.state === "dead") return "dead";
    if (now.state === "off") return "off the board";
    if (now.state === "stacked") return "stacked";
    return now.area === null || now.area === undefined ? "in no area" : area_words(now.area);
  }

  function draw() {
    put(picture, draw_board(board, {
      end: draft.end, colours, pieces: draft.pieces.map((_, i) => drawn(i)), label: "The board with the pieces of this frame",
      tap_piece: edit,
      tap_area: by_place ? null : (area) => { if (room(adding)) { draft.pieces.push({ colour: adding, area, edited: true }); change(); } },
      tap_place: by_place ? (x_mm, y_mm) => {
        if (!room(adding)) return;
        draft.pieces.push({ colour: adding, x_mm: Math.round(x_mm * 10) / 10, y_mm: Math.round(y_mm * 10) / 10, sigma_mm: FINGER_SIGMA_MM, edited: true });
        change();
      } : null,
    }));
    // What is in doubt comes first, under the thumb.
    const order = draft.pieces.map((_, i) => i);
    const open = order.filter((i) => called(i).close && !draft.pieces[i].edited);
    doubtful.hidden = !open.length;
    put(doubtful, open.map(row));
    put(rows, order.filter((i) => open.indexOf(i) < 0).map(row));
    put(adders,
      el("p", { class: "small quiet" }, by_place ? "Tap the board to add a piece where it lies:" : "Tap an area to add a piece of this colour:"),
      el("div", { class: "row fill", role: "group", "aria-label": "Colour to add" },
        colours.map((colour) => el("button", { type: "button", "aria-pressed": String(adding === colour), onclick: () => { adding = colour; draw(); } },
          disc(paint_of(board, colour, colours)), "\u2002" + colour + " " + count(colour)))),
      colours.some(room) ? el("button", { type: "button", class: "plain", onclick: add_by_list }, "Add a piece by name") : el("p", { class: "small quiet" }, "All pieces are counted. To change one, tap it."));
    put(options,
      el("label", { class: "check" }, check(draft.hand, (on) => { draft.hand = on; change(); }), "A hand went over the foul line"),
      board.areas.some((area) => area.end === "near") ? el("label", { class: "check" }, check(draft.end === "near", (on) => { draft.end = on ? "near" : "far"; change(); }), "Played to the near end") : null);
    show_verdict();
  }

  function check(on, act) {
    const box = el("input", { type: "checkbox" });
    box.checked = on;
    box.addEventListener("change", () => act(box.checked));
    return box;
  }

  function count(colour) {
    return draft.pieces.filter((piece) => piece.colour === colour).length;
  }

  function room(colour) {
    return count(colour) < kind_of(board, colour, colours).count;
  }

  function row(index) {
    const piece = draft.pieces[index];
    const now = called(index);
    const points = now.points === null || now.points === undefined ? "" : signed(now.points);
    const open = el("button", { type: "button", class: "piece-open", onclick: () => edit(index) },
      disc(paint_of(board, piece.colour, colours)),
      el("span", { class: "piece-name" }, name_of(index)), " ",
      el("span", { class: "piece-place" }, place_words(index), piece.edited && piece.seen ? el("em", { class: "small quiet" }, " changed") : null), " ",
      el("b", { class: "piece-points" }, points));
    named_as(open, "Change");
    return el("li", { class: now.close ? "piece close" : "piece" }, open, now.close && !piece.edited ? quick(index) : null);
  }

  /** The two ways of a close call, side by side. */
  function quick(index) {
    const now = called(index);
    const words = now.contact ? `${gap_words(now.contact)} to ${line_words(now.contact.line)}` : "too close to call";
    return el("div", { class: "quick" },
      el("p", { class: "small" }, words),
      el("div", { class: "row fill" },
        neighbours(index).map((choice) => el("button", { type: "button", onclick: () => { set(index, choice); } }, choice.words))));
  }

  /** What a piece could be instead, the likeliest first. */
  function neighbours(index) {
    const now = called(index);
    const area = now.area;
    const found = board.areas.filter((a) => a.name === area && (a.end === draft.end || !a.end))[0];
    if (!found) return [{ area: null, words: "No score" }];
    if (found.clears) {
      const order = board.areas.filter((a) => a.end === draft.end).sort((a, b) => b.value - a.value);
      const before = order[order.indexOf(found) + 1];
      return [
        { area, words: `${area_words(area)} (${number(found.value)})` },
        before ? { area: before.name, words: `${area_words(before.name)} (${number(before.value)})` } : { area: null, words: "No score" },
      ];
    }
    return [
      { area, words: `Clear: ${number(found.value)}` },
      { area, touching: true, words: "On the line: 0" },
    ];
  }

  function set(index, choice) {
    const piece = draft.pieces[index];
    ["x_mm", "y_mm", "sigma_mm", "touching"].forEach((field) => { delete piece[field]; });
    piece.area = choice.area;
    if (choice.touching) piece.touching = true;
    piece.edited = true;
    change();
  }

  function area_choices() {
    const names = board.areas.filter((a) => a.end === draft.end || !a.end).map((a) => ({ area: a.name, words: `${area_words(a.name)} (${number(a.value)})`, value: a.value }));
    if (board.hanging) names.unshift({ area: board.hanging.area, words: `hanging (${board.hanging.value})`, value: board.hanging.value });
    return names;
  }

  function edit(index) {
    const piece = draft.pieces[index];
    const now = called(index);
    sheet(`Change ${name_of(index)}`, (close) => {
      const choose = (choice) => { close(); set(index, choice); };
      const contact = now.contact;
      const on_line = area_choices().filter((c) => c.area === now.area)[0];
      return [
        el("p", { class: "quiet" }, `Now ${place_words(index)}`, now.state && now.state !== "live" ? ` (${STATES[now.state] || now.state})` : "",
          contact ? `; ${gap_words(contact)} to ${line_words(contact.line)}, ${CALLS[contact.call]}` : "", "."),
        el("h3", { class: "only-read" }, "Where it is"),
        el("div", { class: "grid2" }, area_choices().map((choice) => el("button", {
          type: "button", "aria-pressed": String(choice.area === now.area && !piece.touching), onclick: () => choose(choice),
        }, choice.words))),
        el("div", { class: "grid2" },
          on_line && !(board.hanging && on_line.area === board.hanging.area) ? el("button", { type: "button", "aria-pressed": String(Boolean(piece.touching)), onclick: () => choose({ area: now.area, touching: true }) }, `Touching the line of ${area_words(now.area)}`) : null,
          el("button", { type: "button", "aria-pressed": String(now.area === null), onclick: () => choose({ area: null }) }, "In no area, dead or off")),
        setting.bank ? el("button", { type: "button", "aria-pressed": String(piece.banked === false), onclick: () => { close(); piece.banked = piece.banked === false ? undefined : false; piece.edited = true; change(); } }, "Touched no bank: dead (N7)") : null,
        el("div", { class: "row fill" },
          el("button", { type: "button", class: "danger", onclick: () => { close(); draft.pieces.splice(index, 1); change(); } }, "Not a piece: take it out"),
          el("button", { type: "button", onclick: () => close() }, "Leave it")),
      ];
    });
  }

  function add_by_list() {
    sheet("Add a piece", (close) => colours.filter(room).map((colour) => el("fieldset", {},
      el("legend", {}, disc(paint_of(board, colour, colours)), " " + colour),
      el("div", { class: "grid2" }, area_choices().concat([{ area: null, words: "In no area" }]).map((choice) => el("button", {
        type: "button", "aria-label": `Add ${colour} in ${choice.words}`,
        onclick: () => { close(); draft.pieces.push({ colour, area: choice.area, edited: true }); change(); },
      }, choice.words))))).concat([el("div", { class: "row fill" }, el("button", { type: "button", onclick: () => close() }, "Add none"))]));
  }

  function show_verdict() {
    const judged = draft_now.judged();
    if (refused(judged, verdict)) return;
    put(verdict, el("p", { class: "preview-points" }, points_words(judged.points)),
      el("p", { class: "small quiet" }, "Then ", Object.keys(judged.standing.scores).map((name) => `${name} ${number(judged.standing.scores[name])}`).join(", ")));
  }

  draw();
  draft_now.judge();
  return draft_now.editor(node);
}
