// The state as the server has it, as soon as it changes. Comes back by itself after a lost
// connection, a sleeping tablet or a restarted server.

import { tr } from "./language.js";

/** No word for so long means that the connection is dead: the server says something every 10 s. */
const SILENCE_MS = 25000;
const RETRY_MS = 1000;

/**
 * Calls `show(state)` with every new state. `link("live" | "lost")` is told how the connection is.
 */
export function watch(show, link) {
  let source = null;
  let last_word = Date.now();
  let waiting = null;

  function open() {
    waiting = null;
    last_word = Date.now();
    source = new EventSource("/api/stream");
    source.addEventListener("state", (event) => {
      heard();
      show(JSON.parse(event.data));
    });
    source.addEventListener("beat", heard);
    source.addEventListener("error", () => {
      link("lost");
      // The browser tries again by itself unless it has given up.
      if (source.readyState === 2) again();
    });
  }

  function heard() {
    last_word = Date.now();
    link("live");
  }

  function again() {
    if (waiting) return;
    source.close();
    waiting = window.setTimeout(open, RETRY_MS);
  }

  window.setInterval(() => {
    if (Date.now() - last_word > SILENCE_MS) { link("lost"); again(); }
  }, 2000);
  document.addEventListener("visibilitychange", () => {
    if (!document.hidden && Date.now() - last_word > SILENCE_MS / 2) again();
  });
  open();
}

/** Shows the connection in the page's bar. */
export function link_badge(node) {
  return (state) => {
    node.dataset.state = state;
    node.textContent = tr(state === "live" ? "live" : "connection lost, trying again");
  };
}
