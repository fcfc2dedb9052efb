// A photo with four rings on the corners of something, a magnifier beside the one that is dragged, and drawings over it.
import { el, put, svg } from "./dom.js";

const NAMES = ["near left", "near right", "far right", "far left"];
/** How much the magnifier enlarges the picture's own pixels. */
const LENS_ZOOM = 4;
/** So much of a side is shown around rings outside of the picture. */
const AROUND = 0.06;

/** The polygon or polyline through places, in SVG's notation. */
export const path = (points) => points.map((p) => `${p[0].toFixed(1)},${p[1].toFixed(1)}`).join(" ");

/** Follows a pointer until it is lifted: `go(dx, dy)` in CSS pixels, then `stop(dx, dy)`. */
export function follow(event, go, stop) {
  const from = [event.clientX, event.clientY];
  let by = [0, 0];
  const move = (moved) => { by = [moved.clientX - from[0], moved.clientY - from[1]]; go(by[0], by[1]); };
  const end = () => {
    window.removeEventListener("pointermove", move);
    window.removeEventListener("pointerup", end);
    window.removeEventListener("pointercancel", end);
    stop(by[0], by[1]);
  };
  window.addEventListener("pointermove", move);
  window.addEventListener("pointerup", end);
  window.addEventListener("pointercancel", end);
}

/**
 * A stage in a box. `hooks.under(stage)` and `hooks.over(stage)` give what is drawn below and above the rings,
 * `hooks.moved()` is told of a ring that a person moved, `hooks.alt` is the picture's description.
 */
export function photo_stage(box, hooks) {
  const stage = { id: null, width: 0, height: 0, corners: null, frame: null };
  let dragging = null;

  stage.take = (picture) => {
    stage.id = picture.id;
    stage.width = picture.width;
    stage.height = picture.height;
    const [mx, my] = [picture.width * 0.12, picture.height * 0.12];
    stage.corners = [[mx, picture.height - my], [picture.width - mx, picture.height - my], [picture.width - mx, my], [mx, my]];
  };

  /** The part of the photo's plane that is shown: all of the picture, and rings beyond it. */
  function framed() {
    const [xs, ys] = [0, 1].map((axis) => (stage.corners || []).map((corner) => corner[axis]));
    const [ax, ay] = [stage.width * AROUND, stage.height * AROUND];
    const left = Math.min(0, ...xs.map((x) => (x < 0 ? x - ax : 0)));
    const top = Math.min(0, ...ys.map((y) => (y < 0 ? y - ay : 0)));
    const right = Math.max(stage.width, ...xs.map((x) => (x > stage.width ? x + ax : 0)));
    const bottom = Math.max(stage.height, ...ys.map((y) => (y > stage.height ? y + ay : 0)));
    return { left, top, width: right - left, height: bottom - top };
  }

  /** An empty drawing in the photo's pixels. */
  stage.layer = (kind) => svg("svg", {
    class: kind, viewBox: `${stage.frame.left - 0.5} ${stage.frame.top - 0.5} ${stage.frame.width} ${stage.frame.height}`, "aria-hidden": "true",
  });

  /** How many of the photo's pixels one CSS pixel covers. */
  stage.px = () => stage.frame.width / box.getBoundingClientRect().width;

  stage.draw = () => {
    if (!stage.id) return;
    if (dragging !== null) { draw_dragged(); return; }
    stage.frame = framed();
    const { frame } = stage;
    let picture = box.querySelector("img");
    if (!picture || picture.dataset.id !== stage.id) {
      picture = el("img", { src: `/api/setup/picture/${stage.id}`, alt: hooks.alt, draggable: "false", "data-id": stage.id });
    }
    picture.style.left = `${(-100 * frame.left) / frame.width}%`;
    picture.style.top = `${(-100 * frame.top) / frame.height}%`;
    picture.style.width = `${(100 * stage.width) / frame.width}%`;
    const room = el("div", { class: "room" });
    room.style.paddingTop = `${(100 * frame.height) / frame.width}%`;
    put(box, room, picture, hooks.under(stage), (stage.corners || []).map(ring), hooks.over ? hooks.over(stage) : null);
  };

  /** While a ring is dragged it stays the same node: a finger holds on to what it touched. */
  function draw_dragged() {
    const { frame } = stage;
    const under = box.querySelector("svg");
    under.parentNode.replaceChild(hooks.under(stage), under);
    const over = box.querySelector("svg.marks");
    if (over) over.remove();
    place_ring(box.querySelector(`[data-corner="${dragging}"]`), stage.corners[dragging], frame);
    const before = box.querySelector(".lens");
    if (before) before.remove();
    box.appendChild(lens(stage.corners[dragging]));
  }

  function place_ring(node, corner, frame) {
    node.style.left = `${(100 * (corner[0] + 0.5 - frame.left)) / frame.width}%`;
    node.style.top = `${(100 * (corner[1] + 0.5 - frame.top)) / frame.height}%`;
    node.setAttribute("aria-label", `Corner ${node.dataset.name}, at ${Math.round(corner[0])}, ${Math.round(corner[1])}. Move it with the arrow keys.`);
  }

  stage.clear = () => { stage.id = null; stage.corners = null; put(box); };

  function ring(corner, index) {
    const node = el("button", { type: "button", class: "corner", "data-name": NAMES[index], "data-corner": index });
    place_ring(node, corner, stage.frame);
    node.addEventListener("pointerdown", (event) => start_drag(event, index));
    node.addEventListener("keydown", (event) => {
      const by = event.shiftKey ? 10 : 1;
      const step = { ArrowLeft: [-by, 0], ArrowRight: [by, 0], ArrowUp: [0, -by], ArrowDown: [0, by] }[event.key];
      if (!step) return;
      event.preventDefault();
      move(index, [stage.corners[index][0] + step[0], stage.corners[index][1] + step[1]]);
      focus_ring(index);
    });
    return node;
  }

  function focus_ring(index) {
    const ring_now = box.querySelector(`[data-corner="${index}"]`);
    if (ring_now) ring_now.focus({ preventScroll: true });
  }

  function move(index, [x, y]) {
    const clamp = (value, most) => Math.min(Math.max(value, -most * 0.5), most * 1.5);
    stage.corners[index] = [clamp(x, stage.width), clamp(y, stage.height)];
    hooks.moved();
    stage.draw();
  }

  /** Dragging moves the ring by as much as the pointer, so that a thumb does not hide the corner. */
  function start_drag(event, index) {
    event.preventDefault();
    const scale = stage.px();
    const corner = stage.corners[index].slice();
    dragging = index;
    follow(event, (dx, dy) => move(index, [corner[0] + dx * scale, corner[1] + dy * scale]), () => {
      dragging = null;
      stage.draw();
      focus_ring(index);
    });
    stage.draw();
  }

  /** The picture around a corner, enlarged, beside the finger. */
  function lens([x, y]) {
    const node = el("div", { class: "lens", "aria-hidden": "true" });
    const size = box.getBoundingClientRect();
    const scale = 1 / stage.px();
    const at = [(x - stage.frame.left) * scale, (y - stage.frame.top) * scale];
    const up = at[1] > 190 ? -120 : 120;
    node.style.left = `${Math.min(Math.max(at[0], 80), size.width - 80)}px`;
    node.style.top = `${Math.max(80, at[1] + up)}px`;
    node.style.backgroundImage = `url("/api/setup/picture/${stage.id}")`;
    node.style.backgroundSize = `${stage.width * LENS_ZOOM}px auto`;
    node.style.backgroundPosition = `${72 - (x + 0.5) * LENS_ZOOM}px ${72 - (y + 0.5) * LENS_ZOOM}px`;
    return node;
  }

  window.addEventListener("resize", stage.draw);
  return stage;
}
