// How phones and televisions reach this page: links, a code to scan, the switch, the PIN.
import { el, put, sheet, toast } from "./dom.js";
import { get, post } from "./session.js";
import { sentence } from "./words.js";

/** Shows it in a node. */
export async function show_reach(node) {
  const facts = await get("/api/reach").catch(() => null);
  if (!facts) { put(node); return; }
  const parts = [];
  if (facts.links.length) {
    parts.push(el("div", { class: "reach" },
      el("img", { src: `${facts.code}?at=${encodeURIComponent(facts.links[0])}`, alt: `A code that leads to ${facts.links[0]}` }),
      el("div", { class: "stack" },
        el("p", {}, "Scan this, or open one of these on a phone or television in the same network:"),
        el("ul", { class: "links" }, facts.links.map((link) => el("li", {}, link))),
        facts.needs_pin ? el("p", { class: "quiet small" }, "Watching needs nothing; changing the match needs the referee\u2019s PIN.") : null)));
  } else {
    parts.push(el("p", { class: "quiet" }, "For now only this computer can open the page."));
  }
  const buttons = [];
  if (facts.can_switch) buttons.push(el("button", { type: "button", onclick: () => turn(node, !facts.on) }, facts.on ? "Close it to the network" : "Open it to the network"));
  if (facts.links.length && facts.needs_pin) {
    buttons.push(el("button", { type: "button", onclick: invite }, "Let a referee\u2019s phone in"));
    buttons.push(el("button", { type: "button", onclick: another_pin }, "Another PIN"));
  }
  put(node, parts, buttons.length ? el("div", { class: "row" }, buttons) : null);
}

async function turn(node, on) {
  try {
    const answer = await post("/api/reach/network", { on });
    await show_reach(node);
    if (answer.pin) show_pin(answer.pin);
  } catch (failure) { toast(sentence(failure.message), true); }
}

async function another_pin() {
  try {
    show_pin((await post("/api/reach/pin", {})).pin);
  } catch (failure) { toast(sentence(failure.message), true); }
}

function show_pin(pin) {
  sheet("The referee\u2019s PIN", (close) => [
    el("p", { class: "pin" }, pin),
    el("p", { class: "quiet" }, "It is shown this once. Whoever has it may change the match from the network."),
    el("div", { class: "row fill" }, el("button", { type: "button", class: "main", "data-first": true, onclick: () => close() }, "Noted")),
  ]);
}

async function invite() {
  try {
    const { link, code, minutes } = await post("/api/session/invitation", {});
    sheet("Let a phone in", (close) => [
      el("p", {}, `Scan this with the referee\u2019s phone: it needs no PIN. It works once, within ${minutes} minutes.`),
      code ? el("img", { src: "data:image/svg+xml;utf8," + encodeURIComponent(code), alt: "A code that logs a phone in", width: 240, height: 240 }) : null,
      el("p", { class: "small quiet" }, link || ""),
      el("div", { class: "row fill" }, el("button", { type: "button", class: "main", "data-first": true, onclick: () => close() }, "Done")),
    ]);
  } catch (failure) { toast(sentence(failure.message), true); }
}
