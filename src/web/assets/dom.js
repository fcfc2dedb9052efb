// Small helpers to build pages. Text always goes in as text: nothing from outside becomes markup.

import { tr, tr_attribute } from "./language.js";

const SVG = "http://www.w3.org/2000/svg";

function fill(node, attributes, children) {
  Object.keys(attributes || {}).forEach((name) => {
    const value = attributes[name];
    if (value === null || value === undefined || value === false) return;
    if (name.slice(0, 2) === "on") node.addEventListener(name.slice(2), value);
    else node.setAttribute(name, value === true ? "" : tr_attribute(name, String(value)));
  });
  add(node, children);
  return node;
}

function add(node, children) {
  children.forEach((child) => {
    if (child === null || child === undefined || child === false) return;
    if (Array.isArray(child)) add(node, child);
    else node.appendChild(typeof child === "object" ? child : document.createTextNode(tr(String(child))));
  });
}

/** An HTML element: `el("p", {class: "quiet"}, "text", child)`. */
export function el(tag, attributes, ...children) {
  return fill(document.createElement(tag), attributes, children);
}

/** The same for SVG. */
export function svg(tag, attributes, ...children) {
  return fill(document.createElementNS(SVG, tag), attributes, children);
}

/** Replaces what a node holds. A control that had the focus keeps it, also in its new shape. */
export function put(node, ...children) {
  const held = focus_in(node);
  while (node.firstChild) node.removeChild(node.firstChild);
  add(node, children);
  if (held) give_focus(node, held);
  return node;
}

const CONTROLS = "a[href], button, input, select, textarea, summary";

function name_of(control) {
  return control.id || control.getAttribute("aria-label") || control.textContent;
}

/** Which control of a node has the focus: by its name, and by its place among the others. */
function focus_in(node) {
  const at = document.activeElement;
  if (!at || at === node || !node.contains(at) || !at.matches(CONTROLS)) return null;
  return { name: name_of(at), place: Array.prototype.indexOf.call(node.querySelectorAll(CONTROLS), at) };
}

function give_focus(node, held) {
  const all = Array.prototype.filter.call(node.querySelectorAll(CONTROLS), (control) => !control.disabled);
  const same = all.filter((control) => name_of(control) === held.name)[0];
  const next = same || all[Math.min(held.place, all.length - 1)];
  if (next) next.focus({ preventScroll: true });
}

/** A piece's colour as a small disc. */
export function disc(colour) {
  const node = el("span", { class: "disc", "aria-hidden": "true" });
  node.style.background = colour;
  return node;
}

/** Names a control by what it shows, with a word before and one after for those who do not see it. */
export function named_as(node, before, after) {
  const shown = node.textContent.replace(/\s+/g, " ").trim();
  node.setAttribute("aria-label", `${tr(before)} ${shown}${after ? `, ${tr(after)}` : ""}`.trim());
}

/** Reads something from the browser's store; private windows may refuse. */
export function recall(key) {
  try { return window.localStorage.getItem(key); } catch (error) { return null; }
}

export function remember(key, value) {
  try { window.localStorage.setItem(key, value); } catch (error) { /* only for this page, then */ }
}

let openToast = null;

/** A short message over the page; read aloud by screen readers. */
export function toast(text, bad) {
  if (openToast) openToast.remove();
  openToast = el("div", { class: bad ? "toast bad" : "toast", role: bad ? "alert" : "status" }, text);
  document.body.appendChild(openToast);
  const mine = openToast;
  window.setTimeout(() => { if (openToast === mine) { mine.remove(); openToast = null; } }, bad ? 9000 : 4000);
}

/**
 * A sheet over the page. `build(close)` gives its children. Focus stays inside it, Escape closes it,
 * and the focus goes back to where it was.
 */
export function sheet(title, build, whenClosed) {
  const before = document.activeElement;
  const heading = el("h2", { id: "sheet-title", tabindex: "-1" }, title);
  const box = el("div", { class: "sheet", role: "dialog", "aria-modal": "true", "aria-labelledby": "sheet-title" }, heading);
  const veil = el("div", { class: "veil" }, box);
  const close = (result) => {
    if (!veil.parentNode) return;
    veil.remove();
    document.removeEventListener("keydown", keys, true);
    if (before && before.isConnected && before.focus) before.focus();
    if (whenClosed) whenClosed(result);
  };
  const keys = (event) => {
    if (event.key === "Escape") { event.preventDefault(); close(); return; }
    if (event.key !== "Tab") return;
    const all = Array.prototype.filter.call(
      box.querySelectorAll("a[href], button, input, select, textarea"),
      (node) => !node.disabled && node.offsetParent !== null
    );
    if (!all.length) return;
    const first = all[0];
    const last = all[all.length - 1];
    const at = document.activeElement;
    if (event.shiftKey && (at === first || !box.contains(at))) { event.preventDefault(); last.focus(); }
    else if (!event.shiftKey && (at === last || !box.contains(at))) { event.preventDefault(); first.focus(); }
  };
  veil.addEventListener("click", (event) => { if (event.target === veil) close(); });
  document.addEventListener("keydown", keys, true);
  add(box, [build(close)]);
  document.body.appendChild(veil);
  const wanted = box.querySelector("[data-first]");
  (wanted || heading).focus();
  return close;
}
