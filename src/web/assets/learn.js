// A table that is in none of the pictures: photo, outline, one length, its lines, a name.
import { el, put, svg, toast } from "./dom.js";
import { length_mm } from "./lengths.js";
import { post, upload } from "./session.js";
import { follow, path, photo_stage } from "./stage.js";
import { sentence } from "./words.js";

const by_id = (id) => document.getElementById(id);
/** A pointer that moved less than this, in CSS pixels, has tapped. */
const TAP_PX = 4;
/** So many lines of what was said are shown at once. */
const SAID_AT_ONCE = 4;
const OUTLINE_HINT = "Near is where the first player stands. Arrow keys move a chosen ring by a pixel, with Shift by ten.";

/** `hooks.kept(id)` is told of a table that was saved, `hooks.closed()` that the person gave up. */
export function start_learning(facts, hooks) {
  const view = { touched: false, learned: null, chosen: null, busy: false, kind: null };
  const box = by_id("table-stage");
  // Structure comes from the boards that ship; a person's own are as good as their photos.
  const kinds = facts.boards.filter((board) => !board.own);
  const stage = photo_stage(box, {
    alt: "Your photo of the table",
    under: () => (view.learned ? null : outline_layer(stage.corners)),
    over: () => (view.learned ? lines_layer() : null),
    moved: () => { view.touched = true; },
  });

  // --- The photo ---------------------------------------------------------------------------------

  function open() {
    by_id("learn").hidden = false;
    by_id("table-grab").hidden = !facts.camera;
    by_id("learn").scrollIntoView({ block: "start" });
    by_id("learn-title").focus({ preventScroll: true });
  }

  function close() {
    by_id("learn").hidden = true;
    stage.clear();
    [view.touched, view.learned, view.chosen] = [false, null, null];
    ["outline-card", "lines-card", "keep-card"].forEach((card) => { by_id(card).hidden = true; });
    put(by_id("line-chosen"));
    by_id("table-hint").textContent = "";
  }

  async function photo(request) {
    if (view.busy) return;
    busy(true, "Looking for the table\u2019s outline\u2026");
    try {
      const picture = await request();
      const found = await post("/api/setup/outline", { id: picture.id });
      [view.touched, view.learned, view.chosen] = [false, null, null];
      stage.take(picture);
      if (found.corners) stage.corners = found.corners;
      show_outline(found);
    } catch (failure) { complain(failure); return; }
    busy(false);
  }

  function chosen_file(event) {
    const file = event.target.files[0];
    if (!file) return;
    const data = new FormData();
    data.append("photo", file, file.name || "photo.jpg");
    event.target.value = "";
    photo(() => upload("/api/setup/picture", data));
  }

  // --- The outline -------------------------------------------------------------------------------

  function show_outline(found) {
    by_id("outline-card").hidden = false;
    by_id("lines-card").hidden = by_id("keep-card").hidden = true;
    put(by_id("line-chosen"));
    view.touched = !found.corners;
    by_id("outline-told").textContent = !found.corners
      ? "No outline stands out in this photo. Drag the four rings to the corners of the playing surface."
      : found.sides_seen < 4
        ? "The photo cuts the table off. Check the corners that it shows, and leave the others as they are."
        : "Is this the playing surface, without its frame? Drag a ring where it is wrong.";
    by_id("table-hint").textContent = OUTLINE_HINT;
    put(by_id("kind"), kinds.map((board) => el("option", { value: board.id, selected: board.id === found.kind }, board.name)));
    usual_width();
    stage.draw();
  }

  function outline_layer(corners) {
    const layer = stage.layer("");
    layer.appendChild(svg("polygon", { class: "outline", points: path(corners) }));
    return layer;
  }

  function kind() {
    return kinds.filter((board) => board.id === by_id("kind").value)[0];
  }

  /** A kind's usual width stands in the field until a person writes another. */
  function usual_width() {
    const field = by_id("width");
    if (!field.value || field.value === view.usual) field.value = view.usual = `${Math.round(kind().width_mm * 10) / 10} mm`;
    width_told();
  }

  function width_told() {
    const mm = length_mm(by_id("width").value);
    const help = "By tape, from edge to edge across, inside the frame. In mm, cm or inches: 740, 74 cm, 29 1/8 in.";
    by_id("width-help").textContent = mm === null ? help : `${help} That is ${mm.toFixed(1)} mm, ${(mm / 10).toFixed(1)} cm or ${(mm / 25.4).toFixed(2)} inches.`;
    by_id("width").setAttribute("aria-invalid", String(mm === null));
    return mm;
  }

  function turn() {
    stage.corners = stage.corners.slice(1).concat(stage.corners.slice(0, 1));
    view.touched = true;
    stage.draw();
  }

  // --- The lines ---------------------------------------------------------------------------------

  async function learn() {
    const width_mm = width_told();
    if (width_mm === null) { toast("Write the width as a number, such as 740 mm or 29 in.", true); by_id("width").focus(); return; }
    view.corners = stage.corners;
    busy(true, "Looking for its lines. This takes a few seconds\u2026");
    try {
      // Untouched corners are the outline's own, and the learner may know a better outline of this kind.
      const corners = view.touched ? stage.corners : null;
      show_lines(await post("/api/setup/learn", { id: stage.id, kind: kind().id, corners, width_mm }), true);
    } catch (failure) { complain(failure); return; }
    busy(false);
  }

  function show_lines(learned, is_new) {
    view.learned = learned;
    stage.corners = null;
    if (is_new) view.chosen = null;
    by_id("lines-card").hidden = by_id("keep-card").hidden = false;
    by_id("outline-card").hidden = true;
    by_id("table-hint").textContent = "Tap a line to choose it. One that lies beside its paint can be dragged sideways; one that is not painted can be removed.";
    by_id("undo-line").disabled = !learned.can_undo;
    if (is_new) {
      by_id("table-name").value = "";
      const words = (said) => said.map((one) => el("li", {}, one));
      const more = learned.said.slice(SAID_AT_ONCE);
      put(by_id("said"), el("ul", { class: "said" }, words(learned.said.slice(0, SAID_AT_ONCE))),
        more.length ? el("details", {}, el("summary", {}, `${more.length} more`), el("ul", { class: "said" }, words(more))) : null);
    }
    put(by_id("lines"), learned.lines.map((line) => el("li", {}, el("button", {
      type: "button", class: "line-row", "aria-pressed": String(line.index === view.chosen), "data-line-row": line.index, onclick: () => choose_line(line.index),
    }, el("b", {}, line.name), el("span", { class: "small quiet" }, line.place)))));
    by_id("all-lines").querySelector("summary").textContent = `All ${learned.lines.length} lines`;
    stage.draw();
    show_chosen();
    if (is_new) by_id("learn").scrollIntoView({ block: "start" });
  }

  /** Back to the corners and the width, to learn again. */
  function back() {
    [view.learned, view.chosen, stage.corners] = [null, null, view.corners];
    by_id("outline-card").hidden = false;
    by_id("lines-card").hidden = by_id("keep-card").hidden = true;
    by_id("table-hint").textContent = OUTLINE_HINT;
    put(by_id("line-chosen"));
    stage.draw();
    by_id("learn").scrollIntoView({ block: "start" });
  }

  /** Every learned line over the photo: what is seen of it, and a broad one around it to tap and drag. */
  function lines_layer() {
    const layer = stage.layer("learned");
    layer.appendChild(svg("polygon", { class: "outline", points: path(view.learned.outline) }));
    view.learned.lines.forEach((line) => {
      const chosen = line.index === view.chosen;
      const group = svg("g", { class: chosen ? "line chosen" : line.optional ? "line optional" : "line", "data-line": line.index });
      line.curves.forEach((curve) => ["casing", "stroke", "grip"].forEach((kind_of) => group.appendChild(svg("polyline", { class: kind_of, points: path(curve) }))));
      group.addEventListener("pointerdown", (event) => drag_line(event, line, group));
      layer.appendChild(group);
    });
    // The chosen one lies on top, so that it can be taken again where lines cross.
    const top = layer.querySelector(".chosen");
    if (top) layer.appendChild(top);
    return layer;
  }

  function drag_line(event, line, group) {
    if (view.busy || event.button > 0) return;
    event.preventDefault();
    const scale = stage.px();
    const size = box.getBoundingClientRect();
    const from = [(event.clientX - size.left) * scale + stage.frame.left - 0.5, (event.clientY - size.top) * scale + stage.frame.top - 0.5];
    const across = line.moves === "both" ? null : normal_at(line.curves, from);
    const sideways = (dx, dy) => {
      if (!across) return [dx, dy];
      const by = dx * across[0] + dy * across[1];
      return [by * across[0], by * across[1]];
    };
    group.classList.add("dragged");
    follow(event, (dx, dy) => {
      const [x, y] = sideways(dx, dy);
      group.setAttribute("transform", `translate(${(x * scale).toFixed(1)} ${(y * scale).toFixed(1)})`);
    }, (dx, dy) => {
      const [x, y] = sideways(dx, dy);
      if (Math.hypot(x, y) < TAP_PX) { choose_line(line.index); return; }
      view.chosen = line.index;
      alter({ act: "drag", line: line.index, from, to: [from[0] + x * scale, from[1] + y * scale], screen_px: scale });
    });
  }

  /** The direction across a line in the picture, where it is nearest to a place. */
  function normal_at(curves, [x, y]) {
    let best = null;
    curves.forEach((curve) => curve.slice(1).forEach((to, i) => {
      const from = curve[i];
      const away = Math.hypot((from[0] + to[0]) / 2 - x, (from[1] + to[1]) / 2 - y);
      const long = Math.hypot(to[0] - from[0], to[1] - from[1]);
      if (long > 0 && (!best || away < best.away)) best = { away, across: [-(to[1] - from[1]) / long, (to[0] - from[0]) / long] };
    }));
    return best ? best.across : null;
  }

  function choose_line(index) {
    view.chosen = index;
    show_lines(view.learned, false);
    if (by_id("line-chosen").getBoundingClientRect().bottom > window.innerHeight || by_id("line-chosen").getBoundingClientRect().top < 0) {
      by_id("line-chosen").scrollIntoView({ block: "nearest" });
    }
  }

  const STEPS_MM = {
    x: [["1 mm left", [-1, 0]], ["1 mm right", [1, 0]]],
    y: [["1 mm nearer", [0, -1]], ["1 mm farther", [0, 1]]],
  };

  /** What can be done with the chosen line. */
  function show_chosen() {
    const line = view.learned && view.learned.lines.filter((one) => one.index === view.chosen)[0];
    if (!line) { put(by_id("line-chosen")); return; }
    const steps = line.moves === "x" || line.moves === "y" ? STEPS_MM[line.moves] : STEPS_MM.x.concat(STEPS_MM.y);
    const shift = ([words, by_mm]) => el("button", { type: "button", onclick: () => alter({ act: "shift", line: line.index, by_mm }) }, words);
    put(by_id("line-chosen"), el("div", { class: "note" },
      el("p", {}, el("b", {}, line.name)),
      el("p", { class: "small", id: "line-place" }, `${line.place}. Known to about ${line.accuracy_mm.toFixed(1)} mm${line.optional ? "; it may be missing" : ""}.`),
      el("div", { class: "row" }, steps.map(shift), el("button", { type: "button", class: "danger", onclick: () => alter({ act: "remove", line: line.index }) }, "Remove it"))));
  }

  async function alter(change) {
    if (view.busy) return;
    view.busy = true;
    try {
      const learned = await post("/api/setup/learned", Object.assign({ id: stage.id }, change));
      if (change.act === "remove" || change.act === "undo") view.chosen = null;
      show_lines(learned, false);
    } catch (failure) {
      toast(sentence(failure.message), true);
      stage.draw();
    }
    view.busy = false;
  }

  // --- Its name ----------------------------------------------------------------------------------

  async function keep(event) {
    event.preventDefault();
    if (view.busy) return;
    view.busy = true;
    try {
      const kept = await post("/api/setup/keep", { id: stage.id, name: by_id("table-name").value });
      toast(kept.is_table ? `Saved: ${kept.saved}` : sentence(`Saved: ${kept.saved}. But ${kept.why_not}`), !kept.is_table);
      close();
      hooks.kept(kept.board);
    } catch (failure) { toast(sentence(failure.message), true); }
    view.busy = false;
  }

  // --- While it works ----------------------------------------------------------------------------

  function busy(now, words) {
    view.busy = now;
    by_id("learn-lines").disabled = now;
    const shown = now ? [el("p", {}, words), el("progress", { "aria-label": words })] : [];
    put(by_id("learn-progress"), by_id("outline-card").hidden ? [] : shown);
    // Before there is an outline, the stage itself says what is done.
    if (now && by_id("outline-card").hidden) put(box, el("div", { class: "waiting", role: "status" }, shown));
  }

  function complain(failure) {
    busy(false);
    const words = el("p", { class: "note bad", role: "alert" }, sentence(failure.message));
    put(by_id("outline-card").hidden ? box : by_id("learn-progress"), words);
    words.scrollIntoView({ block: "nearest" });
  }

  ["table-shot", "table-file"].forEach((id) => by_id(id).addEventListener("change", chosen_file));
  by_id("table-grab").addEventListener("click", () => photo(() => post("/api/setup/grab", {})));
  by_id("learn-cancel").addEventListener("click", () => { close(); hooks.closed(); });
  by_id("turn").addEventListener("click", turn);
  by_id("kind").addEventListener("change", usual_width);
  by_id("width").addEventListener("input", width_told);
  by_id("learn-lines").addEventListener("click", learn);
  by_id("undo-line").addEventListener("click", () => alter({ act: "undo" }));
  by_id("learn-again").addEventListener("click", back);
  by_id("keep-form").addEventListener("submit", keep);
  return { open };
}
