// The tables to choose from, as pictures: those that ship and a person's own.
import { el, put, toast } from "./dom.js";
import { new_match } from "./newmatch.js";
import { get, post } from "./session.js";
import { sentence } from "./words.js";

/**
 * Shows the tables of `facts`. `hooks.chosen(id)` is told of the one that is chosen, `hooks.missing()` that none of them is
 * the person's.
 */
export function show_tables(facts, hooks) {
  const box = document.getElementById("tables");
  const told = document.getElementById("table-told");
  const start = document.getElementById("start-match");
  let { boards, board } = facts;
  let state = null;

  function tile(one) {
    const size = `${Math.round(one.width_mm)} \u00d7 ${Math.round(one.length_mm)} mm`;
    return el("button", {
      type: "button", class: "tile", "data-board": one.id, "aria-pressed": String(one.id === board), onclick: () => choose(one.id),
    },
    el("span", { class: "tile-picture" }, el("img", { src: one.picture, alt: "", loading: "lazy" })),
    el("span", { class: "tile-name" }, one.name),
    el("span", { class: "small quiet" }, one.own ? `yours, ${size}` : size));
  }

  function draw() {
    put(box, boards.map(tile), el("button", { type: "button", class: "tile", id: "missing", onclick: hooks.missing },
      el("span", { class: "tile-picture tile-new" }),
      el("span", { class: "tile-name" }, "Mine is not here"),
      el("span", { class: "small quiet" }, "learn it from a photo")));
    tell(state);
  }

  function tell(next) {
    state = next;
    const one = boards.filter((known) => known.id === board)[0];
    start.hidden = !one;
    if (!one) { told.textContent = "No table is chosen yet."; return; }
    const running = state && state.match && state.match.board !== one.id && state.standing.status === "playing";
    told.textContent = running
      ? `The next match is played on ${one.name}. The match that runs stays on its own table.`
      : `The match is played on ${one.name}.`;
  }

  async function choose(id) {
    try {
      const answer = await post("/api/setup/table", { board: id });
      board = answer.board;
    } catch (failure) { toast(sentence(failure.message), true); return; }
    draw();
    hooks.chosen(board);
  }

  start.addEventListener("click", () => new_match(state, false, () => window.location.assign("/referee")));
  draw();
  return {
    tell,
    focus: () => { const at = document.getElementById("missing"); if (at) at.focus(); },
    /** A table was learned and kept. */
    refresh: async (id) => {
      const fresh = await get("/api/setup");
      boards = fresh.boards;
      board = fresh.board;
      draw();
      hooks.chosen(board);
      const kept = box.querySelector(`[data-board="${id}"]`);
      if (kept) { kept.focus({ preventScroll: true }); kept.scrollIntoView({ block: "center" }); }
    },
  };
}
