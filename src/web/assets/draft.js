// An entry while a person works on it: the server judges every step, and only its newest answer counts.
import { el, put } from "./dom.js";
import { post } from "./session.js";

/**
 * `part`: `event()` as it stands, `replaces` (an event's number or null), `verdict` (the node that
 * says what it would score), `draw()` after a change of the person's, `show()` after an answer.
 * Gives `{ judged(), change(), judge(), editor(node) }`.
 */
export function judged_draft(part) {
  let judged = null;
  let asked = 0;
  let touched = false;

  function judge() {
    asked += 1;
    const mine = asked;
    post("/api/preview", { event: part.event(), replaces: part.replaces }).then((answer) => {
      if (mine !== asked) return;
      judged = answer;
      part.show();
    }, (failure) => { if (mine === asked) put(part.verdict, el("p", { class: "note bad" }, failure.message)); });
  }

  function change() {
    touched = true;
    part.draw();
    judge();
  }

  return {
    judged: () => judged,
    judge,
    change,
    editor: (node) => ({ node, event: part.event, changed: () => touched }),
  };
}

/** What the rules refuse, or nothing yet; true when there is nothing else to say. */
export function refused(judged, verdict) {
  if (judged && !judged.refused) return false;
  put(verdict, judged ? el("p", { class: "note warn" }, judged.refused) : el("p", { class: "quiet" }, "\u2026"));
  return true;
}
