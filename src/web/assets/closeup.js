// What was seen of a piece: its place in the frozen picture, enlarged, and the gap with its bar.
import { el, svg } from "./dom.js";
import { CALLS, gap_words, line_words } from "./words.js";

/** So many radii of a piece are shown on each side of its middle. */
const REACH = 2.2;
/** The widest gap that the bar shows, mm. */
const WIDEST_MM = 3;

const cache = {};

/** What was seen for an open question; null where nothing is kept. */
export function seen_for(id) {
  if (!cache[id]) {
    cache[id] = fetch(`/api/proposals/${id}`, { credentials: "same-origin" }).then((answer) => (answer.ok ? answer.json() : null), () => { delete cache[id]; return null; });
  }
  return cache[id];
}

/** The place of a piece in the picture, enlarged. */
function place(shown, piece) {
  const [x, y] = piece.px;
  const reach = REACH * piece.px_radius;
  const [width, height] = shown.size;
  return svg("svg", { class: "place", viewBox: `${x - reach} ${y - reach} ${2 * reach} ${2 * reach}`, role: "img", "aria-label": `${piece.colour} ${piece.piece} in the picture, enlarged` },
    svg("image", { href: shown.picture, x: -0.5, y: -0.5, width, height, preserveAspectRatio: "none" }),
    svg("circle", { cx: x, cy: y, r: piece.px_radius, class: "rim" }));
}

/** The gap on a ruler: left of zero it touches. */
function bar(contact) {
  const most = Math.min(WIDEST_MM, Math.max(0.5, 1.3 * (Math.abs(contact.gap_mm) + 2.6 * contact.sigma_mm)));
  const at = (mm) => 100 * Math.min(1, Math.max(-1, mm / most));
  const { gap_mm: gap, sigma_mm: sigma } = contact;
  return svg("svg", { class: "gap-bar", viewBox: "-106 -16 212 40", role: "img", "aria-label": `gap ${gap_words(contact)}` },
    svg("rect", { x: -106, y: -10, width: 106, height: 20, class: "on-paint" }),
    svg("line", { x1: 0, y1: -14, x2: 0, y2: 14, class: "zero" }),
    svg("line", { x1: at(gap - 2.6 * sigma), y1: 0, x2: at(gap + 2.6 * sigma), y2: 0, class: "thin" }),
    svg("line", { x1: at(gap - sigma), y1: 0, x2: at(gap + sigma), y2: 0, class: "thick" }),
    svg("circle", { cx: at(gap), cy: 0, r: 4, class: "dot" }),
    svg("text", { x: -104, y: 22 }, "on the line"),
    svg("text", { x: 104, y: 22, "text-anchor": "end" }, "clear"));
}

/** A figure of a piece by its number in the view; null where it was not seen. */
export function close_up(shown, number) {
  const piece = shown && shown.size && shown.seen.filter((one) => one.piece === number)[0];
  if (!piece) return null;
  const { contact } = piece;
  return el("figure", { class: "close-up" }, place(shown, piece),
    el("figcaption", {}, el("b", {}, `${piece.colour} ${piece.piece}`),
      contact ? el("span", {}, ` ${gap_words(contact)} to ${line_words(contact.line)}: ${CALLS[contact.call]}`) : null,
      contact ? bar(contact) : null));
}
