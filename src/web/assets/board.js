// The board to scale, in millimetres, with the pieces where they lie.
import { svg } from "./dom.js";
import { number } from "./words.js";

const cache = {};

/** A board by id, asked for once. */
export function load_board(id) {
  if (!cache[id]) {
    cache[id] = fetch("/api/boards/" + encodeURIComponent(id)).then((answer) => {
      if (!answer.ok) { delete cache[id]; throw new Error("the board " + id + " cannot be loaded"); }
      return answer.json();
    });
  }
  return cache[id];
}

/** Room around the surface, mm: a piece that hangs over the end is still seen. */
const MARGIN_MM = 22;

/** What is drawn: the end that is played to, or the whole board where it has no ends. */
export function window_of(board, end) {
  const surface = board.surface;
  const rails = { left: 0, right: 0, near: 0, far: 0 };
  board.rails.forEach((rail) => { rails[rail.side] = rail.width_mm; });
  const at_end = board.areas.filter((area) => area.end === end);
  let near = -rails.near;
  let far = surface.length_mm + rails.far;
  if (at_end.length) {
    const ys = [];
    at_end.forEach((area) => area.polygon.forEach((corner) => ys.push(corner[1])));
    board.lines.forEach((line) => {
      if (line.role === "foul" && line.end === end) ys.push(line.paint.from[1]);
    });
    if (end === "near") far = Math.max.apply(null, ys) + 60;
    else near = Math.min.apply(null, ys) - 60;
  }
  const open = surface.ends !== "frame" ? MARGIN_MM : 0;
  if (near <= 0) near -= open;
  if (far >= surface.length_mm) far += open;
  return { left: -rails.left, right: surface.width_mm + rails.right, near, far };
}

function paint_shape(line) {
  const paint = line.paint;
  const stroke = { stroke: line.colour, "stroke-width": paint.width_mm, fill: line.fill || "none", "stroke-linecap": "round" };
  if (paint.shape === "stroke") {
    return svg("line", Object.assign({ x1: paint.from[0], y1: -paint.from[1], x2: paint.to[0], y2: -paint.to[1] }, stroke));
  }
  if (paint.shape === "ring") {
    return svg("circle", Object.assign({ cx: paint.centre[0], cy: -paint.centre[1], r: paint.radius_mm }, stroke));
  }
  if (paint.shape === "spot") {
    return svg("circle", { cx: paint.centre[0], cy: -paint.centre[1], r: paint.radius_mm, fill: line.colour });
  }
  const at = (angle) => [paint.centre[0] + paint.radius_mm * Math.cos(angle), -(paint.centre[1] + paint.radius_mm * Math.sin(angle))];
  const from = at(paint.start_rad);
  const to = at(paint.start_rad + paint.sweep_rad);
  const large = paint.sweep_rad > Math.PI ? 1 : 0;
  return svg("path", Object.assign({}, stroke, { fill: "none", d: `M${from.join(" ")}A${paint.radius_mm} ${paint.radius_mm} 0 ${large} 0 ${to.join(" ")}` }));
}

function centroid(polygon) {
  let area = 0;
  let x = 0;
  let y = 0;
  polygon.forEach((a, i) => {
    const b = polygon[(i + 1) % polygon.length];
    const cross = a[0] * b[1] - b[0] * a[1];
    area += cross;
    x += (a[0] + b[0]) * cross;
    y += (a[1] + b[1]) * cross;
  });
  return [x / (3 * area), y / (3 * area)];
}

/** The kind of a piece on the board; sets of other colours stand for the board's kinds in turn. */
export function kind_of(board, colour, colours) {
  const named = board.pieces.filter((kind) => kind.name === colour)[0];
  if (named) return named;
  const kinds = board.pieces.filter((kind) => !kind.shooter && kind.count > 1);
  const place = (colours || []).indexOf(colour);
  return kinds[Math.max(0, place) % Math.max(1, kinds.length)] || board.pieces[0];
}

/** What a side's colour looks like. */
export function paint_of(board, colour, colours) {
  return board ? kind_of(board, colour, colours).colour : "#888888";
}

/**
 * Places for pieces that are known by their area only: side by side in the middle of it. Drawn with
 * a broken rim, because that is where they count, not where they lie.
 */
function places(board, end, pieces, colours, view) {
  const rows = {};
  const key = (piece) => (piece.area === null || piece.area === undefined ? "" : piece.area);
  pieces.forEach((piece) => { if (piece.x_mm === null || piece.x_mm === undefined) (rows[key(piece)] = rows[key(piece)] || []).push(piece); });
  const placed = new Map();
  Object.keys(rows).forEach((name) => {
    const area = board.areas.filter((a) => a.name === name && (a.end === end || a.end === null))[0];
    const surface = board.surface;
    const up = end === "near" ? -1 : 1;
    let middle = [surface.width_mm / 2, end === "near" ? view.far - 24 : view.near + 24];
    if (area) middle = centroid(area.polygon);
    else if (board.hanging && name === board.hanging.area) middle = [surface.width_mm / 2, end === "near" ? 0 : surface.length_mm];
    rows[name].forEach((piece, i) => {
      const d = kind_of(board, piece.colour, colours).diameter_mm;
      const across = area && area.polygon.length === 3 ? 2 : 4;
      const in_row = Math.min(across, rows[name].length - Math.floor(i / across) * across);
      const dx = ((i % across) - (in_row - 1) / 2) * d * 1.12;
      const dy = -up * Math.floor(i / across) * d * 1.12;
      placed.set(piece, [middle[0] + dx, middle[1] + dy - up * (area ? d * 0.5 : 0)]);
    });
  });
  return placed;
}

/** Black or white, whichever is read better on a colour. */
function ink_on(hex) {
  const part = (at) => parseInt(hex.slice(at, at + 2), 16) / 255;
  const linear = (v) => (v <= 0.04045 ? v / 12.92 : Math.pow((v + 0.055) / 1.055, 2.4));
  const light = 0.2126 * linear(part(1)) + 0.7152 * linear(part(3)) + 0.0722 * linear(part(5));
  return light > 0.32 ? "#14161a" : "#ffffff";
}

/**
 * The drawing. `options`: `end`, `pieces` (each with `colour`, a place or an area, `points`, `close`,
 * `state`, `label`), `colours` (the sides' in order), `label` for screen readers, `tap_piece(index)`,
 * `tap_area(name)`, `tap_place(x_mm, y_mm)`, `chosen` (an index).
 */
export function draw_board(board, options) {
  const end = options.end || "far";
  const view = window_of(board, end);
  const width = view.right - view.left;
  const height = view.far - view.near;
  const turned = end === "near";
  const root = svg("svg", {
    class: "board", viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": options.label || board.name,
    preserveAspectRatio: "xMidYMid meet",
  });
  // From the first shooter's place the far end is up; from the other end the board is seen turned.
  const place = turned
    ? `translate(${view.right} ${-view.near}) rotate(180)`
    : `translate(${-view.left} ${view.far})`;
  const ground = svg("g", { transform: place });
  root.appendChild(ground);
  const surface = board.surface;
  board.rails.forEach((rail) => {
    const along = rail.side === "left" || rail.side === "right";
    const x = rail.side === "left" ? -rail.width_mm : rail.side === "right" ? surface.width_mm : view.left;
    const y = along ? view.near : rail.side === "near" ? -rail.width_mm : surface.length_mm;
    const w = along ? rail.width_mm : width;
    const h = along ? Math.min(view.far, surface.length_mm + (board.rails.length > 2 ? rail.width_mm : 0)) - Math.max(view.near, board.rails.length > 2 ? -rail.width_mm : 0) : rail.width_mm;
    const from = along ? Math.max(view.near, board.rails.length > 2 ? -rail.width_mm : 0) : y;
    ground.appendChild(svg("rect", { x, y: -(from + h), width: w, height: h, fill: rail.colour }));
  });
  const from = Math.max(0, view.near);
  const to = Math.min(surface.length_mm, view.far);
  ground.appendChild(svg("rect", { x: 0, y: -to, width: surface.width_mm, height: to - from, fill: surface.colour }));
  const in_view = (line) => !line.end || line.end === end || !board.areas.some((area) => area.end);
  board.pockets.forEach((pocket) => {
    ground.appendChild(svg("circle", { cx: pocket.centre[0], cy: -pocket.centre[1], r: pocket.radius_mm, fill: "#0b0c0e", stroke: "rgba(0,0,0,.4)", "stroke-width": 3 }));
  });
  board.lines.filter(in_view).forEach((line) => ground.appendChild(paint_shape(line)));
  board.numerals.forEach((numeral) => {
    const [x, y] = numeral.centre;
    if (y < from || y > to) return;
    ground.appendChild(svg("text", {
      x, y: -y, fill: numeral.colour, "font-size": numeral.height_mm * 1.36, "text-anchor": "middle", dy: ".36em",
      transform: `rotate(${-numeral.angle_deg} ${x} ${-y})`, opacity: 0.85, "aria-hidden": "true",
    }, numeral.text));
  });
  if (options.tap_area) {
    board.areas.filter((area) => area.end === end || !area.end).forEach((area) => {
      ground.appendChild(svg("polygon", {
        class: "area tappable", "data-area": area.name, points: area.polygon.map((c) => `${c[0]},${-c[1]}`).join(" "),
        onclick: () => options.tap_area(area.name),
      }));
    });
  }
  if (options.tap_place) {
    const sheet = svg("rect", { class: "area tappable", x: view.left, y: -view.far, width, height });
    sheet.addEventListener("click", (event) => {
      const at = root.createSVGPoint();
      at.x = event.clientX;
      at.y = event.clientY;
      const on = at.matrixTransform(ground.getScreenCTM().inverse());
      options.tap_place(on.x, -on.y);
    });
    ground.appendChild(sheet);
  }
  const pieces = options.pieces || [];
  const told = places(board, end, pieces, options.colours, view);
  pieces.forEach((piece, index) => {
    const kind = kind_of(board, piece.colour, options.colours);
    const radius = kind.diameter_mm / 2;
    const by_area = told.has(piece);
    const [x, y] = by_area ? told.get(piece) : [piece.x_mm, piece.y_mm];
    const gone = piece.state === "dead" || piece.state === "off";
    const group = svg("g", { transform: `translate(${x} ${-y})${turned ? " rotate(180)" : ""}`, "data-piece": index + 1 });
    // Where areas are tapped, a piece that only counts in one is no target: a second tap there adds a second piece.
    if (by_area && options.tap_area) group.setAttribute("pointer-events", "none");
    else if (options.tap_piece) {
      group.setAttribute("class", "tappable");
      group.addEventListener("click", (event) => { event.stopPropagation(); options.tap_piece(index); });
      group.appendChild(svg("circle", { r: Math.max(radius * 1.5, width / 18), fill: "transparent" }));
    }
    group.appendChild(svg("circle", { cx: radius * 0.07, cy: radius * 0.12, r: radius, fill: "rgba(0,0,0,.28)" }));
    group.appendChild(svg("circle", {
      r: radius - radius * 0.04, fill: kind.colour, stroke: by_area ? "#ffffff" : "rgba(0,0,0,.55)", "stroke-width": radius * 0.09,
      "stroke-dasharray": by_area ? `${radius * 0.36} ${radius * 0.26}` : null, opacity: gone ? 0.45 : 1,
    }));
    group.appendChild(svg("circle", { r: radius * 0.72, fill: "none", stroke: "rgba(255,255,255,.26)", "stroke-width": radius * 0.07 }));
    const words = piece.close ? "?" : piece.points ? number(piece.points) : "";
    if (words) {
      group.appendChild(svg("text", {
        "text-anchor": "middle", dy: ".36em", "font-size": radius * (words.length > 2 ? 0.78 : 1.02), fill: ink_on(kind.colour),
      }, words));
    }
    if (piece.close) group.appendChild(svg("circle", { class: "halo", r: radius + 7 }));
    if (options.chosen === index) group.appendChild(svg("circle", { class: "chosen", r: radius + 8 }));
    ground.appendChild(group);
  });
  return root;
}

/** The drawing's width over its height. */
export function shape_of(board, end) {
  const view = window_of(board, end || "far");
  return (view.right - view.left) / (view.far - view.near);
}
