// The review page when it is served: a way back, and its form for verdicts.
import { el, put, recall } from "./dom.js";
import { get, post, referee, set_referee } from "./session.js";
import { sentence } from "./words.js";

const review = document.querySelector("main.review");
if (review) {
  const to = window.location.pathname.indexOf("/photo/") === 0 ? ["/photo", "Photo"] : ["/calls", "Calls"];
  const nav = el("nav", { class: "review-nav", "aria-label": "Pages" }, el("a", { href: to[0] }, `\u2039 ${to[1]}`), " ", el("a", { href: "/" }, "Score"), " ", el("a", { href: "/referee" }, "Referee"));
  document.body.insertBefore(nav, document.body.firstChild);
}

const form = document.querySelector("[data-verdict-form]");
if (form) {
  const message = form.querySelector("[data-verdict-message]");
  const name = form.querySelector("[name=by]");
  if (!name.value) name.value = recall("linecall-referee") || "";
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const data = new FormData(form);
    set_referee(String(data.get("by")));
    message.textContent = "Recording\u2026";
    try {
      await post(form.getAttribute("action"), {
        ruling: data.get("ruling") || data.get("verdict"), by: data.get("by"), why: data.get("why"), based_on: Number(data.get("based_on")), about: data.get("about"),
      });
      window.location.reload();
    } catch (failure) {
      message.textContent = failure.message;
    }
  });
}

/** A side asks for a review, where it has one left. */
async function show_challenges(node, call) {
  const told = await get("/api/challenges").catch(() => null);
  if (!told || !told.sides.length) return;
  const open = told.open.filter((one) => one.call === call)[0];
  const left = (side) => (side.left === null ? "" : `, ${side.left} left in this game`);
  const message = el("p", { class: "small", role: "status" });
  const ask = async (side) => {
    try {
      await post("/api/challenges", { side: side.name, call, by: referee() });
      show_challenges(node, call);
    } catch (failure) { message.textContent = sentence(failure.message); }
  };
  put(node, el("h2", {}, "Challenge"),
    open ? el("p", {}, `${open.side} has asked for this review. It is kept unless the call is upheld.`)
      : el("div", { class: "row" }, told.sides.map((side) => el("button", { type: "button", disabled: side.left === 0, onclick: () => ask(side) }, `${side.name} asks for a review${left(side)}`))), message);
}

const of_call = /^\/calls\/(.+)$/.exec(window.location.pathname);
if (of_call && form) {
  const node = el("section", { class: "challenge" });
  form.parentNode.insertBefore(node, form);
  show_challenges(node, decodeURIComponent(of_call[1]));
}
