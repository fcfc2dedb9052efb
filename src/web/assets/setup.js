// Set-up: a picture, the board's corners dragged or found, the fit's quality, saved.
import { el, put, svg, toast } from "./dom.js";
import { load_board } from "./board.js";
import { link_badge, watch } from "./live.js";
import { get, post, seen, upload } from "./session.js";
import { camera_trouble } from "./words.js";

const stage = document.getElementById("stage");
const hint = document.getElementById("hint");
const board_choice = document.getElementById("board");
const find = document.getElementById("find");
const fit = document.getElementById("fit");
const save = document.getElementById("save");
const part = document.getElementById("part");
const quality = document.getElementById("quality");
const NAMES = ["near left", "near right", "far right", "far left"];
/** How much the magnifier enlarges the picture's own pixels. */
const LENS_ZOOM = 4;

const view = { id: null, width: 0, height: 0, corners: null, fitted: null, board: null, dragging: null, chosen: null, running: false };

function ready() {
  find.disabled = fit.disabled = !view.id;
  save.disabled = !view.fitted;
}

/** A fresh picture: corners a little inside its own, to be dragged. */
function take(answer) {
  view.id = answer.id;
  view.width = answer.width;
  view.height = answer.height;
  const mx = answer.width * 0.12;
  const my = answer.height * 0.12;
  view.corners = [[mx, answer.height - my], [answer.width - mx, answer.height - my], [answer.width - mx, my], [mx, my]];
  view.fitted = null;
  put(quality, el("li", { class: "quiet" }, "Nothing fitted yet."));
  document.getElementById("teach-card").hidden = true;
  hint.textContent = "Drag the rings to the corners of what is in view: near is where the first player stands. Arrow keys move a chosen ring by a pixel, with Shift by ten.";
  draw();
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
  const map = homography(marked(), view.corners);
  return map ? [[0, 0], [width_mm, 0], [width_mm, length_mm], [0, length_mm]].map(map) : view.corners;
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

const path = (points) => points.map((p) => `${p[0].toFixed(1)},${p[1].toFixed(1)}`).join(" ");

function lines_layer() {
  const layer = svg("svg", { viewBox: `-0.5 -0.5 ${view.width} ${view.height}`, "aria-hidden": "true" });
  if (view.fitted) {
    view.fitted.lines.forEach((line) => layer.appendChild(svg("polyline", { class: "fitted", points: path(line) })));
    layer.appendChild(svg("polygon", { class: "outline", points: path(view.fitted.outline) }));
  } else if (view.board) {
    const map = homography(marked(), view.corners);
    const in_view = (line) => part.value === "whole" || !line.end || line.end === part.value;
    if (map) view.board.lines.filter(in_view).forEach((line) => layer.appendChild(svg("polyline", { class: "guess", points: path(line_points(line.paint).map(map)) })));
    layer.appendChild(svg("polygon", { class: "outline", points: path(view.corners) }));
  }
  return layer;
}

/** The pieces that were found, over everything else: each can be tapped. */
function marks_layer() {
  const layer = svg("svg", { class: "marks", viewBox: `-0.5 -0.5 ${view.width} ${view.height}`, "aria-hidden": "true" });
  view.fitted.pieces.forEach((piece, i) => layer.appendChild(svg("circle", {
    class: view.chosen === i ? "piece-mark chosen" : "piece-mark", cx: piece.px[0], cy: piece.px[1], r: piece.px_radius,
    onclick: () => { const choice = document.getElementById(`piece-${i}`); if (choice) choice.focus(); },
  })));
  return layer;
}

function draw() {
  if (!view.id) return;
  let picture = stage.querySelector("img");
  if (!picture || picture.dataset.id !== view.id) {
    picture = el("img", { src: `/api/setup/picture/${view.id}`, alt: "The camera\u2019s picture", draggable: "false", "data-id": view.id, width: view.width, height: view.height });
    picture.style.height = "auto";
  }
  const rings = view.corners.map((corner, i) => ring(corner, i));
  put(stage, picture, lines_layer(), rings, view.fitted ? marks_layer() : null, view.dragging === null ? null : lens(view.corners[view.dragging]));
}

function place(node, [x, y]) {
  node.style.left = `${(100 * (x + 0.5)) / view.width}%`;
  node.style.top = `${(100 * (y + 0.5)) / view.height}%`;
}

function ring(corner, index) {
  const node = el("button", {
    type: "button", class: "corner", "data-name": NAMES[index], "data-corner": index,
    "aria-label": `Corner ${NAMES[index]}, at ${Math.round(corner[0])}, ${Math.round(corner[1])}. Move it with the arrow keys.`,
  });
  place(node, corner);
  node.addEventListener("pointerdown", (event) => start_drag(event, index));
  node.addEventListener("keydown", (event) => {
    const by = event.shiftKey ? 10 : 1;
    const step = { ArrowLeft: [-by, 0], ArrowRight: [by, 0], ArrowUp: [0, -by], ArrowDown: [0, by] }[event.key];
    if (!step) return;
    event.preventDefault();
    move(index, [view.corners[index][0] + step[0], view.corners[index][1] + step[1]]);
    const again = stage.querySelector(`[data-corner="${index}"]`);
    if (again) again.focus();
  });
  return node;
}

function move(index, [x, y]) {
  const clamp = (value, most) => Math.min(Math.max(value, -most * 0.5), most * 1.5);
  view.corners[index] = [clamp(x, view.width), clamp(y, view.height)];
  if (view.fitted) { view.fitted = null; ready(); }
  draw();
}

/** Dragging moves the ring by as much as the pointer, so that a thumb does not hide the corner. */
function start_drag(event, index) {
  event.preventDefault();
  const scale = view.width / stage.getBoundingClientRect().width;
  const from = [event.clientX, event.clientY];
  const corner = view.corners[index].slice();
  view.dragging = index;
  const go = (moved) => {
    move(index, [corner[0] + (moved.clientX - from[0]) * scale, corner[1] + (moved.clientY - from[1]) * scale]);
  };
  const stop = () => {
    window.removeEventListener("pointermove", go);
    window.removeEventListener("pointerup", stop);
    window.removeEventListener("pointercancel", stop);
    view.dragging = null;
    draw();
    const ring_now = stage.querySelector(`[data-corner="${index}"]`);
    if (ring_now) ring_now.focus();
  };
  window.addEventListener("pointermove", go);
  window.addEventListener("pointerup", stop);
  window.addEventListener("pointercancel", stop);
  draw();
}

/** The picture around a corner, enlarged, beside the finger. */
function lens([x, y]) {
  const node = el("div", { class: "lens", "aria-hidden": "true" });
  const box = stage.getBoundingClientRect();
  const scale = box.width / view.width;
  const up = y * scale > 190 ? -120 : 120;
  node.style.left = `${Math.min(Math.max(x * scale, 80), box.width - 80)}px`;
  node.style.top = `${Math.max(80, y * scale + up)}px`;
  node.style.backgroundImage = `url("/api/setup/picture/${view.id}")`;
  node.style.backgroundSize = `${view.width * LENS_ZOOM}px auto`;
  node.style.backgroundPosition = `${72 - (x + 0.5) * LENS_ZOOM}px ${72 - (y + 0.5) * LENS_ZOOM}px`;
  return node;
}

async function register(corners) {
  const height = Number(document.getElementById("height").value);
  find.disabled = fit.disabled = true;
  put(quality, el("li", { class: "quiet" }, "Fitting\u2026"));
  try {
    const answer = await post("/api/setup/fit", { id: view.id, board: board_choice.value, corners, height_mm: height > 0 ? height : null, at: marked() });
    view.fitted = answer;
    view.chosen = null;
    view.corners = answer.at.map((place_now, i) => place_now || view.corners[i]);
    put(quality, answer.quality.map((one) => el("li", { "data-good": one.good }, one.words)));
    show_pieces(answer);
  } catch (failure) {
    view.fitted = null;
    put(quality, el("li", { "data-good": "no" }, failure.message));
  }
  draw();
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
  Array.prototype.forEach.call(stage.querySelectorAll(".piece-mark"), (mark, i) => mark.classList.toggle("chosen", i === index));
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
    tell_saved(await post("/api/setup/save", { id: view.id }));
  } catch (failure) { toast(failure.message, true); }
});
document.getElementById("teach").addEventListener("click", async () => {
  const kinds = Array.prototype.map.call(document.querySelectorAll("[data-taught]"), (choice) => choice.value || null);
  try {
    tell_saved(await post("/api/setup/teach", { id: view.id, kinds }));
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
board_choice.addEventListener("change", choose);
part.addEventListener("change", () => { view.fitted = null; draw(); ready(); });
window.addEventListener("resize", draw);

async function choose() {
  view.board = await load_board(board_choice.value).catch(() => null);
  const two_ended = Boolean(view.board) && view.board.areas.some((area) => area.end);
  document.getElementById("part-field").hidden = !two_ended;
  part.value = two_ended ? "far" : "whole";
  view.fitted = null;
  draw();
  ready();
}

get("/api/setup").then((answer) => {
  put(board_choice, answer.boards.map((board) => el("option", { value: board.id }, board.name)));
  if (answer.board) board_choice.value = answer.board;
  view.running = answer.camera;
  document.getElementById("grab").hidden = !answer.camera;
  choose();
}, (failure) => toast(failure.message, true));

let trouble_shown = null;

watch((state) => {
  seen(state);
  const trouble = camera_trouble(state);
  if (trouble_shown === (trouble && trouble.words)) return;
  trouble_shown = trouble && trouble.words;
  put(document.getElementById("moved"), trouble ? el("div", { class: trouble.lost ? "note bad" : "note warn", role: "alert" },
    el("p", {}, trouble.words, " Its file is of where it was."),
    el("div", { class: "row" }, el("button", { type: "button", class: "main", onclick: () => document.getElementById("grab").click() }, "Take a new picture"))) : null);
}, link_badge(document.getElementById("link")));
