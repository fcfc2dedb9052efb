// The hall's pages: pieces are put in their places as they change; buttons send what is written on them.
const name = document.getElementById("by");
if (name) {
  name.value = localStorage.getItem("linecall-name") || "";
  name.addEventListener("change", () => localStorage.setItem("linecall-name", name.value.trim()));
}

/** A button that a thumb is on keeps its place until it is let go. */
let held = false;
let waiting = {};
document.addEventListener("pointerdown", (event) => { held = Boolean(event.target.closest("[data-post]")); });
for (const end of ["pointerup", "pointercancel"]) {
  document.addEventListener(end, () => window.setTimeout(() => { held = false; show({}); }, 0));
}

function show(pieces) {
  Object.assign(waiting, pieces);
  if (held) return;
  const ready = waiting;
  waiting = {};
  for (const [id, html] of Object.entries(ready)) {
    let node = document.getElementById(id);
    const tables = document.querySelector("[data-tables]");
    if (!node && tables && id.startsWith("table-")) {
      node = document.createElement("div");
      node.id = id;
      const after = Array.from(tables.children).find((other) => other.id > id);
      tables.insertBefore(node, after || null);
      tables.dispatchEvent(new Event("tables"));
    }
    // What a person is choosing from in a piece stays as it is until they have chosen.
    if (node) node.innerHTML = html;
  }
}

function watch() {
  const source = new EventSource("/api/stream");
  source.addEventListener("pieces", (event) => show(JSON.parse(event.data)));
  source.addEventListener("error", () => {
    const broker = document.getElementById("broker");
    if (broker) broker.innerHTML = "<span class=\"lost\">connection lost, trying again</span>";
    // The browser tries again by itself unless it has given up.
    if (source.readyState === 2) { source.close(); window.setTimeout(watch, 1000); }
  });
}
watch();

function toast(words, bad) {
  document.querySelectorAll(".toast").forEach((old) => old.remove());
  const node = document.createElement("p");
  node.className = bad ? "toast bad" : "toast";
  node.setAttribute("role", "status");
  node.textContent = words;
  document.body.append(node);
  window.setTimeout(() => node.remove(), bad ? 7000 : 3000);
}

/** Sends a change; asks for the PIN where one is needed. */
async function send(address, body, type) {
  const text = typeof body === "string" ? body : JSON.stringify(body);
  const answer = await fetch(address, { method: "POST", headers: { "content-type": type || "application/json" }, body: text });
  const said = await answer.json().catch(() => ({}));
  if (answer.status === 401) {
    const pin = window.prompt("The hall's PIN, as its terminal shows it");
    if (!pin) return null;
    const session = await fetch("/api/session", { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify({ pin }) });
    if (!session.ok) { toast((await session.json().catch(() => ({}))).error || "The PIN is wrong.", true); return null; }
    return send(address, body, type);
  }
  if (!answer.ok) { toast(said.error || "It could not be done.", true); return null; }
  toast(said.words || "Done.", false);
  return said;
}

document.addEventListener("click", async (event) => {
  const button = event.target.closest("[data-post]");
  if (!button) return;
  const body = JSON.parse(button.dataset.body);
  if (name) body.by = name.value.trim();
  if (name && !body.by) { name.focus(); toast("Your name first: it is recorded.", true); return; }
  button.disabled = true;
  try { await send(button.dataset.post, body); } catch (error) { toast("The hall does not answer.", true); }
  button.disabled = false;
});

function on_submit(id, act) {
  const form = document.getElementById(id);
  if (form) form.addEventListener("submit", (event) => { event.preventDefault(); act(form); });
}
const value = (id) => document.getElementById(id).value;

on_submit("pairings-form", async (form) => {
  const file = document.getElementById("pairings-file").files[0];
  const text = file ? await file.text() : value("pairings-text");
  if (await send("/api/pairings", text, "text/plain")) form.reset();
});
on_submit("draw-form", async (form) => {
  const body = { form: value("draw-form-kind"), game: value("draw-game"), options: { best_of: Number(value("draw-best-of")) }, entrants: value("draw-entrants") };
  if (await send("/api/draw", body)) form.reset();
});
