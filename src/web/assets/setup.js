// Set-up of the camera: a picture, the board's corners dragged or found, the fit's quality, saved.
import { el, put, svg, toast } from "./dom.js";
import { load_board } from "./board.js";
import { start_learning } from "./learn.js";
import { link_badge, watch } from "./live.js";
import { get, post, seen, upload } from "./session.js";
import { path, photo_stage } from "./stage.js";
import { show_tables } from "./tables.js";
import { camera_trouble } from "./words.js";

const hint = document.getElementById("hint");
const find = document.getElementById("find");
const fit = document.getElementById("fit");
const save = document.getElementById("save");
const part = document.getElementById("part");
const quality = document.getElementById("quality");

const view = { fitted: null, board: null, chosen: null, running: false, state: null, tables: null };
const stage_box = document.getElementById("stage");
const stage = photo_stage(stage_box, {
  alt: "The camera\u2019s picture",
  under: lines_layer,
  over: () => (view.fitted ? marks_layer() : null),
  moved: () => { if (view.fitted) { view.fitted = null; ready(); } },
});

function ready() {
  find.disabled = fit.disabled = !stage.id || !view.board;
  save.disabled = !view.fitted;
}

/** A fresh picture: corners a little inside its own, to be dragged. */
function take(answer) {
  stage.take(answer);
  view.fitted = null;
  put(quality, el("li", { class: "quiet" }, "Nothing fitted yet."));
  document.getElementById("teach-card").hidden = true;
  hint.textContent = "Drag the rings to the corners of what is in view: near is where the first player stands. Arrow keys move a chosen ring by a pixel, with Shift by ten.";
  stage.draw();
  ready();
}

/** The four places of the board, in mm, that the rings mark: near left, near right, far right, far left. */
function marked() {
  const { width_mm, length_mm } = view.board.surface;
  let [from, to] = [0, length_mm];
  const foul = view.board.lines.filter((line) => line.role === "foul" && line.end === part.value)[0];
  if (foul && part.value === "far") from = foul.paint.from[1];
  if (foul && part.value === "near") to = foul.paint.from[1];
  return [[0, from], [width_mm, from], [width_mm, to], [0, to]];
}

/** The corners of the whole surface, as the rings have it. */
function surface_corners() {
  const { width_mm, length_mm } = view.board.surface;
  const map = homography(marked(), stage.corners);
  return map ? [[0, 0], [width_mm, 0], [width_mm, length_mm], [0, length_mm]].map(map) : stage.corners;
}

/** The projective map that takes four places to four others, as a function. */
function homography(from, to) {
  const rows = [];
  for (let i = 0; i < 4; i += 1) {
    const [x, y] = from[i];
    const [u, v] = to[i];
    rows.push([x, y, 1, 0, 0, 0, -u * x, -u * y, u]);
    rows.push([0, 0, 0, x, y, 1, -v * x, -v * y, v]);
  }
  for (let c = 0; c < 8; c += 1) {
    let best = c;
    for (let r = c + 1; r < 8; r += 1) if (Math.abs(rows[r][c]) > Math.abs(rows[best][c])) best = r;
    [rows[c], rows[best]] = [rows[best], rows[c]];
    if (Math.abs(rows[c][c]) < 1e-12) return null;
    for (let r = 0; r < 8; r += 1) {
      if (r === c) continue;
      const k = rows[r][c] / rows[c][c];
      for (let j = c; j < 9; j += 1) rows[r][j] -= k * rows[c][j];
    }
  }
  const h = rows.map((row, i) => row[8] / row[i]);
  return ([x, y]) => {
    const w = h[6] * x + h[7] * y + 1;
    return [(h[0] * x + h[1] * y + h[2]) / w, (h[3] * x + h[4] * y + h[5]) / w];
  };
}

/** Points along a painted line, in mm. */
function line_points(paint) {
  if (paint.shape === "stroke") return [paint.from, paint.to];
  const from = paint.shape === "arc" ? paint.start_rad : 0;
  const sweep = paint.shape === "arc" ? paint.sweep_rad : 2 * Math.PI;
  const out = [];
  for (let i = 0; i <= 32; i += 1) {
    const angle = from + (sweep * i) / 32;
    out.push([paint.centre[0] + paint.radius_mm * Math.cos(angle), paint.centre[1] + paint.radius_mm * Math.sin(angle)]);
  }
  return out;
}

function lines_layer() {
  const layer = stage.layer("");
  if (view.fitted) {
    view.fitted.lines.forEach((line) => layer.appendChild(svg("polyline", { class: "fitted", points: path(line) })));
    layer.appendChild(svg("polygon", { class: "outline", points: path(view.fitted.outline) }));
  } else if (view.board) {
    const map = homography(marked(), stage.corners);
    const in_view = (line) => part.value === "whole" || !line.end || line.end === part.value;
    if (map) view.board.lines.filter(in_view).forEach((line) => layer.appendChild(svg("polyline", { class: "guess", points: path(line_points(line.paint).map(map)) })));
    layer.appendChild(svg("polygon", { class: "outline", points: path(stage.corners) }));
  }
  return layer;
}

/** The pieces that were found, over everything else: each can be tapped. */
function marks_layer() {
  const layer = stage.layer("marks");
  view.fitted.pieces.forEach((piece, i) => layer.appendChild(svg("circle", {
    class: view.chosen === i ? "piece-mark chosen" : "piece-mark", cx: piece.px[0], cy: piece.px[1], r: piece.px_radius,
    onclick: () => { const choice = document.getElementById(`piece-${i}`); if (choice) choice.focus(); },
  })));
  return layer;
}

async function register(corners) {
  const height = Number(document.getElementById("height").value);
  find.disabled = fit.disabled = true;
  put(quality, el("li", { class: "quiet" }, "Fitting\u2026"));
  try {
    const answer = await post("/api/setup/fit", { id: stage.id, board: view.board.id, corners, height_mm: height > 0 ? height : null, at: marked() });
    view.fitted = answer;
    view.chosen = null;
    stage.corners = answer.at.map((place_now, i) => place_now || stage.corners[i]);
    put(quality, answer.quality.map((one) => el("li", { "data-good": one.good }, one.words)));
    show_pieces(answer);
  } catch (failure) {
    view.fitted = null;
    put(quality, el("li", { "data-good": "no" }, failure.message));
  }
  stage.draw();
  ready();
}

function show_pieces(answer) {
  const kinds = view.board.pieces.map((kind) => kind.name);
  document.getElementById("teach-card").hidden = !answer.pieces.length;
  put(document.getElementById("pieces"), answer.pieces.map((piece, i) => el("li", {},
    el("label", { class: "piece-name", for: `piece-${i}` }, `Piece ${i + 1}`),
    el("select", { id: `piece-${i}`, "data-taught": i, onfocus: () => choose_piece(i) }, kinds.map((kind) => el("option", { value: kind, selected: kind === piece.colour }, kind)), el("option", { value: "" }, "no piece")))));
}

/** The piece that is being named is marked in the picture. */
function choose_piece(index) {
  view.chosen = index;
  Array.prototype.forEach.call(stage_box.querySelectorAll(".piece-mark"), (mark, i) => mark.classList.toggle("chosen", i === index));
}

function tell_saved(answer) {
  const since = answer.taken_up ? "Saved, and in use: " : view.running && !answer.download ? "Saved, in use from the next start on: " : "Saved: ";
  toast(since + answer.saved);
  if (answer.download) window.location.assign(answer.download);
}

find.addEventListener("click", () => register(null));
fit.addEventListener("click", () => register(surface_corners()));
save.addEventListener("click", async () => {
  try {
    tell_saved(await post("/api/setup/save", { id: stage.id }));
  } catch (failure) { toast(failure.message, true); }
});
document.getElementById("teach").addEventListener("click", async () => {
  const kinds = Array.prototype.map.call(document.querySelectorAll("[data-taught]"), (choice) => choice.value || null);
  try {
    tell_saved(await post("/api/setup/teach", { id: stage.id, kinds }));
  } catch (failure) { toast(failure.message, true); }
});
document.getElementById("file").addEventListener("change", async (event) => {
  const photo = event.target.files[0];
  if (!photo) return;
  const data = new FormData();
  data.append("photo", photo, photo.name || "photo.jpg");
  try { take(await upload("/api/setup/picture", data)); } catch (failure) { toast(failure.message, true); }
});
document.getElementById("grab").addEventListener("click", async () => {
  try { take(await post("/api/setup/grab", {})); } catch (failure) { toast(failure.message, true); }
});
part.addEventListener("change", () => { view.fitted = null; stage.draw(); ready(); });

/** The camera is set up for the table that was chosen. */
async function choose(id) {
  view.board = id ? await load_board(id).catch(() => null) : null;
  const two_ended = Boolean(view.board) && view.board.areas.some((area) => area.end);
  document.getElementById("part-field").hidden = !two_ended;
  part.value = two_ended ? "far" : "whole";
  view.fitted = null;
  document.getElementById("no-table").hidden = Boolean(view.board);
  stage.draw();
  ready();
}

async function begin() {
  const facts = await get("/api/setup");
  view.running = facts.camera;
  document.getElementById("grab").hidden = !facts.camera;
  const tables = show_tables(facts, { chosen: choose, missing: () => learning.open() });
  view.tables = tables;
  tables.tell(view.state);
  const learning = start_learning(facts, { kept: (board) => tables.refresh(board), closed: () => tables.focus() });
  choose(facts.board);
}

begin().catch((failure) => toast(failure.message, true));

let trouble_shown = null;

watch((state) => {
  seen(state);
  view.state = state;
  if (view.tables) view.tables.tell(state);
  const trouble = camera_trouble(state);
  if (trouble_shown === (trouble && trouble.words)) return;
  trouble_shown = trouble && trouble.words;
  put(document.getElementById("moved"), trouble ? el("div", { class: trouble.lost ? "note bad" : "note warn", role: "alert" },
    el("p", {}, trouble.words, " Its file is of where it was."),
    el("div", { class: "row" }, el("button", { type: "button", class: "main", onclick: () => document.getElementById("grab").click() }, "Take a new picture"))) : null);
}, link_badge(document.getElementById("link")));
