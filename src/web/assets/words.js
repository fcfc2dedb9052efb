// What the pages say, in one place.

/** A number with a true minus sign. */
export function number(value) {
  return String(value).replace("-", "\u2212");
}

/** With its sign: +8, −10, 0. */
export function signed(value) {
  return value > 0 ? "+" + value : number(value);
}

/** "+0.12 ± 0.09 mm" */
export function gap_words(contact) {
  if (!contact) return "";
  const gap = Number(contact.gap_mm).toFixed(2);
  const sigma = Number(contact.sigma_mm).toFixed(2);
  return `${number(gap)} \u00b1 ${sigma} mm`;
}

export const CALLS = { clear: "clear of the line", touching: "touching the line", "too-close": "too close to call" };

export const STATES = { live: "live", dead: "dead", hanging: "hanging", off: "off the board", stacked: "stacked" };

/** The two sides in their order, with everything a page shows of them. */
export function sides(state) {
  const info = state.match;
  const standing = state.standing;
  if (!info || !standing) return [];
  return info.header.sides.map((side) => ({
    name: side.name,
    players: side.players || null,
    colour: (standing.colours || {})[side.name] || side.colour || "",
    score: (standing.scores || {})[side.name] || 0,
    games: (standing.games || {})[side.name] || 0,
    plays: standing.to_play === side.name || (side.players || []).indexOf(standing.to_play) >= 0,
    owed: (standing.owed || {})[side.name] || 0,
    won: standing.winner === side.name,
  }));
}

/** What one event brought: "Ann +18, Bo +7". */
export function points_words(scores) {
  return Object.keys(scores || {}).map((name) => `${name} ${signed(scores[name])}`).join(", ");
}

export const EVENTS = {
  match: "Match begins", lag: "Lag", choose: "Colour chosen", frame: "Half round", playoff: "Play-off rock",
  strike: "Strike", forgotten: "Penalty forgotten", overrule: "Correction", undo: "Undone",
};

export function event_name(type, game) {
  if (type === "frame" && game === "association") return "Frame";
  if (type === "strike" && game === "ludington") return "Shot";
  return EVENTS[type] || type;
}

/** "a", "a and b", "a, b and c" */
export function list(items) {
  if (items.length < 2) return items.join("");
  return items.slice(0, -1).join(", ") + " and " + items[items.length - 1];
}

/** An area's name as players say it: "8 left", "10 off". */
export function area_words(area) {
  return area === null || area === undefined ? "no area" : String(area).replace(/-/g, " ");
}

/** An area in a sentence: "the 8 on the left". */
export function in_area_words(area) {
  if (area === null || area === undefined) return "no area";
  const [value, side] = String(area).split("-");
  if (side === "left" || side === "right") return `the ${value} on the ${side}`;
  return `the ${area_words(area)}`;
}

/** A line as players say it: "the line of the 10", "the foul line". */
export function line_words(line) {
  const name = String(line);
  if (name === "end") return "the end of the board";
  if (name === "foul" || name === "foul-line") return "the foul line";
  if (name.indexOf("off-") === 0) return "the line of the 10 off";
  const side = /^side-(left|right)$/.exec(name);
  if (side) return `the side line on the ${side[1]}`;
  const across = /^cross-(.+)$/.exec(name);
  if (across) return `the line behind the ${across[1].replace(/-/g, " ")}`;
  const value = /^(?:line-)?(\d+)(?:-(left|right))?$/.exec(name);
  if (value) return `the line of ${in_area_words(value[2] ? `${value[1]}-${value[2]}` : value[1])}`;
  return `the ${name.replace(/-/g, " ")}${/line|circle|edge/.test(name) ? "" : " line"}`;
}

/** What a doubt is about, in a few words. */
export function about_words(about) {
  const colour = /^colour (.+)$/.exec(about);
  if (colour) return `it may be ${colour[1]}`;
  return { end: "the end of the board", order: "which lies ahead", edge: "the edge of the board", stacked: "it lies on another" }[about] || line_words(about);
}

/** What became of the camera, where it was found moved or does not see the board; else null. */
export function camera_trouble(state) {
  const moved = state.camera_moved;
  const lost = Boolean(state.camera && state.camera.watching === "lost") || Boolean(moved && !moved.registered_again);
  if (lost) return { lost, words: "The camera does not find the board any more: it was moved, or it is dark. Nothing is counted." };
  if (!moved) return null;
  const by = moved.moved_px === null ? "" : ` by ${moved.moved_px.toFixed(moved.moved_px < 10 ? 1 : 0)} px`;
  return { lost, words: `The camera has moved${by} and has found the board again. Calls since its last check are marked.` };
}

/** "red 3 at the line behind the 8", or the doubt's own question. Pieces are named as in the list of calls. */
export function doubt_words(doubt, pieces) {
  if (doubt.question) return doubt.question;
  const piece = doubt.piece && pieces ? pieces[doubt.piece - 1] : null;
  const who = piece ? `${piece.colour} ${doubt.piece}` : doubt.piece ? `piece ${doubt.piece}` : "";
  return who ? `${who} (${about_words(doubt.about)})` : about_words(doubt.about);
}

/** What a person is asked about a proposal. */
export function asked_words(pending, pieces) {
  if (!pending.doubts.length) return pending.asks || "please confirm";
  const close = pending.doubts.filter((doubt) => !doubt.question).map((doubt) => doubt_words(doubt, pieces));
  const questions = pending.doubts.filter((doubt) => doubt.question).map((doubt) => doubt.question);
  return (close.length ? [`too close to call: ${list(close)}`] : []).concat(questions).join("; ");
}

/** A time as this place's clocks show it: "20:15". */
export function clock(at) {
  const time = new Date(at);
  return Number.isNaN(time.getTime()) ? "" : time.toLocaleTimeString([], { hour: "2-digit", minute: "2-digit" });
}

/** An evening's date as people say it; another name as it is. */
export function day(name) {
  const date = /^\d{4}-\d{2}-\d{2}$/.test(name) ? new Date(`${name}T12:00`) : null;
  return date ? date.toLocaleDateString([], { weekday: "long", day: "numeric", month: "long", year: "numeric" }) : name;
}

/** With a capital and a full stop. */
export function sentence(text) {
  const words = String(text);
  return words.charAt(0).toUpperCase() + words.slice(1) + (/[.!?]$/.test(words) ? "" : ".");
}
