// Calls for the ear: what is new, and after a correction only what it changed.
import { recall, remember } from "./dom.js";
import { tr } from "./language.js";
import { list, sides } from "./words.js";

const plain = (value) => (value < 0 ? `minus ${-value}` : String(value));

/** What to say when the state goes from `before` to `after`; nothing when nobody needs to hear it. */
export function announcement(before, after) {
  if (!before || !after.match || before.revision === after.revision) return "";
  const now = sides(after);
  if (!before.match || before.match.number !== after.match.number) {
    return `New match: ${list(now.map((side) => side.name))}.`;
  }
  const was = sides(before);
  const changed = now.filter((side, i) => !was[i] || was[i].name !== side.name || was[i].score !== side.score || was[i].games !== side.games);
  const latest = after.latest || {};
  const ended = after.standing.status !== before.standing.status && after.standing.winner
    ? ` ${after.standing.winner} wins the match.` : "";
  if (latest.correction) {
    if (!changed.length && !ended) return "";
    const games = changed.filter((side) => was.some((old) => old.name === side.name && old.games !== side.games));
    const words = changed.map((side) => `${side.name} ${plain(side.score)}`);
    const also = games.length ? ` Games: ${list(games.map((side) => `${side.name} ${side.games}`))}.` : "";
    return `Correction: ${list(words)}.${also}${ended}`;
  }
  if (after.match.events === before.match.events) {
    if (after.pending.length > before.pending.length) return "Referee, please.";
    return "";
  }
  const last = after.last;
  if (!last || last.event !== latest.event) return "";
  const gains = Object.keys(last.scores || {}).filter((name) => last.scores[name] !== 0).map((name) => `${name} ${plain(last.scores[name])}`);
  const totals = now.map((side) => `${side.name} ${plain(side.score)}`);
  const game = last.game_won_by && !ended ? ` ${last.game_won_by} wins the game.` : "";
  if (after.standing.on_board) {
    return (gains.length ? `${list(gains)}.` : "") + game + ended;
  }
  return `${gains.length ? "Scored: " + list(gains) : "No score"}. Total: ${list(totals)}.${game}${ended}`;
}

/** Speaks by the browser's own voice once the button is on. */
export function speaker(button) {
  const can = "speechSynthesis" in window;
  let on = can && recall("linecall-speech") === "on";
  const label = () => {
    button.setAttribute("aria-pressed", String(on));
    button.textContent = tr(on ? "Speaking calls" : "Speak calls");
  };
  button.hidden = !can;
  button.addEventListener("click", () => {
    on = !on;
    remember("linecall-speech", on ? "on" : "off");
    label();
    if (on) say("Calls are spoken.");
    else window.speechSynthesis.cancel();
  });
  label();
  function say(words) {
    const call = new SpeechSynthesisUtterance(words);
    call.lang = "en";
    window.speechSynthesis.speak(call);
  }
  return (words) => { if (on) say(words); };
}
