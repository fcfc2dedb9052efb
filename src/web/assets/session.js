// Changes: who makes them, on what they are based, and what the server says to them.
import { el, recall, remember, sheet, toast } from "./dom.js";
import { sentence } from "./words.js";

/** The referee's name as it stands in the record. */
export function referee() {
  return recall("linecall-referee") || "Referee";
}

export function set_referee(name) {
  remember("linecall-referee", name.trim() || "Referee");
}

let current = null;

/** What a change is based on: the state that its author sees. */
export function seen(state) {
  current = state;
}

export function revision() {
  return current ? current.revision : null;
}

async function answer_of(answer) {
  const text = await answer.text();
  let body = {};
  try { body = text ? JSON.parse(text) : {}; } catch (error) { body = { error: text }; }
  if (!answer.ok) {
    const failure = new Error(body.error || `the server answered ${answer.status}`);
    failure.status = answer.status;
    failure.body = body;
    throw failure;
  }
  return body;
}

/** Asks once more after the PIN, where it is needed. */
async function with_pin(request) {
  try {
    return await answer_of(await request());
  } catch (failure) {
    if (failure.status !== 401) throw failure;
    if (!(await ask_pin())) throw new Error("Nothing was changed: the referee\u2019s PIN is needed.");
    return answer_of(await request());
  }
}

/** Sends JSON and gives the answer's. */
export function post(path, body) {
  return with_pin(() => fetch(path, {
    method: "POST",
    credentials: "same-origin",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(body || {}),
  }));
}

/** Sends a form with a file; `signal` breaks it off. */
export function upload(path, form, signal) {
  return with_pin(() => fetch(path, { method: "POST", credentials: "same-origin", body: form, signal }));
}

/** Sends a picture as it is. */
export function send(path, picture) {
  return with_pin(() => fetch(path, { method: "POST", credentials: "same-origin", headers: { "Content-Type": picture.type }, body: picture }));
}

export async function get(path) {
  return answer_of(await fetch(path, { credentials: "same-origin" }));
}

/**
 * A change in the referee's name, based on what the page shows. Tells the person when another
 * referee was faster or the rules refuse it. Gives the answer when it was recorded, else false.
 */
export async function change(path, body, done) {
  try {
    const answer = await post(path, Object.assign({ by: referee(), based_on: revision() }, body));
    if (done) toast(done);
    return answer || true;
  } catch (failure) {
    if (failure.status === 409 && failure.body.since) stale(failure.body);
    else toast(sentence(failure.message), true);
    return false;
  }
}

/** Somebody else was faster: says what changed, and nothing is lost. */
function stale(body) {
  sheet("Somebody was faster", (close) => [
    el("p", {}, "Nothing was recorded, because the match has changed since you saw it:"),
    el("ul", { class: "stack" }, body.since.map((entry) => el("li", { class: "note warn" }, `${entry.author}: ${entry.what}`))),
    el("p", { class: "quiet" }, "The page shows the match as it stands now. Look again, and repeat your change if it still holds."),
    el("div", { class: "row fill" }, el("button", { type: "button", class: "main", "data-first": true, onclick: () => close() }, "Look again")),
  ]);
}

/** Asks for the PIN that the terminal shows. */
function ask_pin() {
  return new Promise((resolve) => {
    sheet("Referee\u2019s PIN", (close) => {
      const pin = el("input", { type: "text", inputmode: "numeric", autocomplete: "off", id: "pin", "data-first": true, maxlength: 12 });
      const name = el("input", { type: "text", id: "pin-name", value: referee(), autocomplete: "name", maxlength: 80 });
      const wrong = el("p", { role: "alert", class: "note bad", hidden: true });
      const form = el("form", { class: "stack" },
        el("p", { class: "quiet" }, "It was shown when linecall was started for the first time. Whoever is in already can let this phone in without it, from the Start page. Watching needs no PIN."),
        wrong,
        el("label", { for: "pin", class: "field" }, el("span", {}, "PIN"), pin),
        el("label", { for: "pin-name", class: "field" }, el("span", {}, "Your name, for the record"), name),
        el("div", { class: "row fill" },
          el("button", { type: "button", onclick: () => close(false) }, "Only watch"),
          el("button", { type: "submit", class: "main" }, "Go on")));
      form.addEventListener("submit", async (event) => {
        event.preventDefault();
        try {
          await answer_of(await fetch("/api/session", {
            method: "POST", credentials: "same-origin", headers: { "Content-Type": "application/json" },
            body: JSON.stringify({ pin: pin.value.trim() }),
          }));
          set_referee(name.value);
          close(true);
        } catch (failure) {
          wrong.hidden = false;
          wrong.textContent = sentence(failure.message);
          pin.value = "";
          pin.focus();
        }
      });
      return [form];
    }, (result) => resolve(result === true));
  });
}
