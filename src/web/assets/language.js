// The language of the pages. English words stand where they are used; every other language is one table in a file of its
// own, by the English. "{}" stands for whatever comes there: a name, a number.
import { GERMAN } from "./german.js";

const TABLES = { de: GERMAN };
const NAMES = { en: "English", de: "Deutsch" };
const KEPT = "linecall-language";
/** Attributes that are read by people. */
const READ = ["aria-label", "placeholder", "alt", "title"];

function kept() {
  try { return window.localStorage.getItem(KEPT); } catch (error) { return null; }
}

/** The one that was chosen, else the browser's, else English. */
export const language = [kept(), String(window.navigator.language || "en").slice(0, 2)].filter((one) => NAMES[one])[0] || "en";

const table = TABLES[language];

/** Words with gaps, as patterns; the longest first, so that the most exact one is taken. */
const patterns = Object.keys(table || {}).filter((words) => words.indexOf("{}") >= 0).sort((a, b) => b.length - a.length).map((words) => ({
  form: new RegExp(`^${words.split("{}").map((part) => part.replace(/[.*+?^$()|[\]\\]/g, "\\$&")).join("(.+?)")}$`),
  words: table[words],
}));

/** A text in the page's language; as it is where nobody has translated it. */
export function tr(text) {
  if (!table || !text) return text;
  const [, before, words, after] = /^(\s*)([\s\S]*?)(\s*)$/.exec(text);
  if (!words) return text;
  if (Object.prototype.hasOwnProperty.call(table, words)) return before + table[words] + after;
  for (let i = 0; i < patterns.length; i += 1) {
    const found = patterns[i].form.exec(words);
    if (found) {
      let n = 0;
      return before + patterns[i].words.replace(/\{\}/g, () => { n += 1; return tr(found[n]); }) + after;
    }
  }
  return text;
}

/** What came with the page. */
function translate(node) {
  const walker = document.createTreeWalker(node, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const text = walker.currentNode;
    // The program's own name is no word.
    if (!text.parentNode.closest(".brand")) text.nodeValue = tr(text.nodeValue);
  }
  READ.forEach((name) => Array.prototype.forEach.call(node.querySelectorAll(`[${name}]`), (one) => one.setAttribute(name, tr(one.getAttribute(name)))));
}

/** An attribute in the page's language, where people read it. */
export function tr_attribute(name, value) {
  return READ.indexOf(name) >= 0 ? tr(value) : value;
}

document.documentElement.lang = language;
if (table) {
  translate(document.body);
  document.title = tr(document.title);
}

Array.prototype.forEach.call(document.querySelectorAll("[data-language]"), (button) => {
  const other = language === "en" ? "de" : "en";
  button.textContent = NAMES[other];
  button.lang = other;
  button.addEventListener("click", () => {
    try { window.localStorage.setItem(KEPT, other); } catch (error) { return; }
    window.location.reload();
  });
});
