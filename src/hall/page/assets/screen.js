// The big screen: nine tables at a time, then the next nine.
const AT_A_TIME = 9;
const EVERY_MS = 10000;
const tables = document.querySelector("[data-tables]");
let first = 0;

function turn() {
  const all = Array.from(tables.children);
  if (first >= all.length) first = 0;
  all.forEach((node, i) => { node.hidden = i < first || i >= first + AT_A_TIME; });
}
tables.addEventListener("tables", turn);
window.setInterval(() => { first += AT_A_TIME; turn(); }, EVERY_MS);
turn();
