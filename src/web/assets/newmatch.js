// The form that starts a match: who, what, how far.
import { disc, el, put, sheet, toast } from "./dom.js";
import { change, get } from "./session.js";

const TITLES = {
  play: "Play", target: "Game at", best_of: "Best of", check: "Mark checked after each", bank: "Bank shots only (N7)",
  called: "Discs are called (U10)", cushion: "Cushion first (U11)", green_continues: "The green one keeps the turn",
  green: "With the green one", discs: "Discs a side",
};

/** Opens the form; `again` keeps who played and swaps who begins. */
export async function new_match(state, again) {
  let games;
  try { games = (await get("/api/games")).games; } catch (failure) { toast(failure.message, true); return; }
  const before = state && state.match ? state.match.header : null;
  let sides = before ? before.sides.slice() : [{ name: "" }, { name: "" }];
  if (again && before && before.game !== "court") sides = sides.reverse();
  const draft = { game: before ? before.game : games[0].id, options: Object.assign({}, before ? before.options : {}), sides };
  sheet("New match", (close) => {
    const form = el("form", { class: "stack" });
    const parts = el("div", { class: "stack" });
    const players = [];

    function draw() {
      const game = games.filter((one) => one.id === draft.game)[0];
      const doubles = draft.options.play === "doubles";
      players.length = 0;
      put(parts,
        el("div", { class: "grid2", role: "group", "aria-label": "Game" }, games.map((one) => el("button", {
          type: "button", "aria-pressed": String(one.id === draft.game), onclick: () => { keep(); draft.game = one.id; draft.options = { play: draft.options.play }; draw(); },
        }, one.name))),
        el("p", { class: "small quiet" }, game.summary),
        [0, 1].map((i) => side(game, i, doubles)),
        el("div", { class: "stack" }, game.options.map(option)));
    }

    function side(game, i, doubles) {
      const was = draft.sides[i] || {};
      const field = (label, value, id) => {
        const input = el("input", { type: "text", id, maxlength: 40, autocomplete: "off", required: true, value: value || "" });
        return { input, node: el("label", { class: "field", for: id }, el("span", {}, label), input) };
      };
      const title = field(doubles ? "Team" : "Name", was.name, `side-${i}`);
      const mates = doubles ? [0, 1].map((p) => field(p ? "Partner" : "Player", (was.players || [])[p], `side-${i}-player-${p}`)) : [];
      players.push({ title: title.input, mates: mates.map((mate) => mate.input), colour: game.colours[i].name });
      return el("fieldset", {}, el("legend", {}, disc(game.colours[i].colour), ` ${i ? "Second" : "First"}: ${game.colours[i].name}`),
        title.node, mates.length ? el("div", { class: "grid2" }, mates.map((mate) => mate.node)) : null);
    }

    function option(one) {
      const id = `option-${one.name}`;
      const now = draft.options[one.name] === undefined ? one.default : draft.options[one.name];
      const set = (value) => { if (value === one.default) delete draft.options[one.name]; else draft.options[one.name] = value; };
      if (one.kind === "bool") {
        const box = el("input", { type: "checkbox", id });
        box.checked = now;
        box.addEventListener("change", () => set(box.checked));
        return el("label", { class: "check", for: id }, box, TITLES[one.name] || one.name);
      }
      if (one.kind === "number") {
        const input = el("input", { type: "number", id, value: now, min: 1, inputmode: "numeric" });
        input.addEventListener("change", () => set(Number(input.value)));
        return el("label", { class: "field", for: id }, el("span", {}, TITLES[one.name] || one.name), input);
      }
      return el("fieldset", {}, el("legend", {}, TITLES[one.name] || one.name), el("div", { class: "row fill" }, one.values.map((value) => el("button", {
        type: "button", "aria-pressed": String(value === now), onclick: () => { keep(); set(value); draw(); },
      }, String(value)))));
    }

    function keep() {
      draft.sides = players.map((player) => {
        const kept = { name: player.title.value.trim(), colour: player.colour };
        if (player.mates.length) kept.players = player.mates.map((mate) => mate.value.trim());
        return kept;
      });
    }

    form.addEventListener("submit", async (event) => {
      event.preventDefault();
      keep();
      const begun = await change("/api/match", { event: { type: "match", game: draft.game, options: draft.options, sides: draft.sides } }, "The match begins.");
      if (begun) close();
    });
    draw();
    form.appendChild(parts);
    form.appendChild(el("div", { class: "row fill" },
      el("button", { type: "button", onclick: () => close() }, "Cancel"),
      el("button", { type: "submit", class: "main" }, "Start the match")));
    return [before && state.standing.status === "playing" ? el("p", { class: "note warn" }, "The match that is being played stays in the record as it stands.") : null, form];
  });
}
