// The review page when it is served: a way back, and its form for verdicts.
import { el, recall } from "./dom.js";
import { post, set_referee } from "./session.js";

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
