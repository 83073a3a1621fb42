// Buttons: their icons, their names for those who do not see these, and the keys that press them.

import {element} from "./figures.js";
import {byId} from "./page.js";

// Strokes in a square of 24.
const ICONS = {
  "undo": "M8 5 3 10l5 5M3 10h11a5.5 5.5 0 0 1 0 11h-4",
  "redo": "M16 5l5 5-5 5M21 10H10a5.5 5.5 0 0 0 0 11h4",
  "rotate": "M19 12a7 7 0 1 1-2-5l2 2M19 3v6h-6",
  "reflect": "M12 3v2m0 3v2m0 4v2m0 3v2M9 7v10H3zM15 7v10h6z",
  "clear": "M4 7h16M9 7V4h6v3M6 7l1 13h10l1-13M10 11v5M14 11v5",
  "mode-clues": "M4 4h16v16H4zM10 9.5 12.5 8v8.5M10 16.5h5",
  "mode-mask": "M4 4h16v16H4zM12 4v16M4 12h16M8 6.5a1.5 1.5 0 1 1 0 3 1.5 1.5 0 0 1 0-3M14.5 14.5l3 3m0-3-3 3",
  "mode-line": "M5 5h8v7h6v7H5z",
  "mode-fixed": "M5 19 5 5h14M14 14l5 5m0-5-5 5",
  "mode-borders": "M4 4h16v16H4zM4 14h7V9h9",
  "ends": "M7 17v-6h10V7M7 17a2 2 0 1 1 0 4 2 2 0 0 1 0-4M17 7a2 2 0 1 1 0-4 2 2 0 0 1 0 4",
  "marks-clues": "M4 4h16v16H4zM10 9.5 12.5 8v8.5",
  "marks-lines": "M4 12h5V5h8v14h3",
  "marks-all": "M4 12h5V5h8v14h3M10.5 11.5l4 4m0-4-4 4M4 18h1m3 0h1",
  "play-check": "M4 13l5 5L20 6",
  "play-hint": "M9 18h6M10 21h4M9 15c0-2-3-3-3-7a6 6 0 0 1 12 0c0 4-3 5-3 7z",
  "play-restart": "M5 12a7 7 0 1 0 2-5L5 9M5 3v6h6",
  "play-next": "M5 5l8 7-8 7zM18 5v14",
  "make-new": "M12 3v5m0 8v5M3 12h5m8 0h5M6 6l3 3m6 6 3 3M18 6l-3 3m-6 6-3 3",
  "make-add": "M12 5v14M5 12h14",
  "make-thin": "M5 12h14",
  "make-complete": "M12 3v18M4 8h4v4H4zM16 8h4v4h-4z",
  "copy-pzpr": "M10 14a4 4 0 0 0 6 0l4-4a4 4 0 0 0-6-6l-1 1M14 10a4 4 0 0 0-6 0l-4 4a4 4 0 0 0 6 6l1-1",
  "save-svg": "M12 3v12M7 11l5 5 5-5M4 20h16",
};
ICONS["play-undo"] = ICONS.undo;
ICONS["play-redo"] = ICONS.redo;

// Gives the buttons their icons; a name and a key stand in the title.
export function dressButtons() {
  for (const [id, d] of Object.entries(ICONS)) {
    const control = byId(id);
    const button = control.closest("label") ?? control;
    const name = button.title || button.textContent;
    const {key} = control.dataset;
    control.setAttribute("aria-label", name);
    button.title = key ? `${name} (${key})` : name;
    const words = document.createElement("span");
    words.textContent = button.textContent;
    const icon = element("svg", {viewBox: "0 0 24 24", "aria-hidden": "true"});
    element("path", {d}, icon);
    button.replaceChildren(...(control === button ? [] : [control]), icon, words);
  }
}

// The key that an event is, as `data-key` has it; capitals and small letters are the same.
function keyOf({key, ctrlKey, metaKey, shiftKey}) {
  const name = key.length === 1 ? key.toUpperCase() : key;
  if (!ctrlKey && !metaKey) return name;
  return shiftKey && name === "Z" ? "Ctrl+Y" : `Ctrl+${name}`;
}

// Keys press the buttons that can be seen. What the board, or a field, takes is not for them; of several
// with the same key the one after the checked one is pressed.
export function listenForKeys() {
  const keyed = [...document.querySelectorAll("[data-key]")];
  const fields = "textarea, select, dialog, input:not([type='radio'], [type='checkbox'])";
  document.addEventListener("keydown", (event) => {
    if (event.defaultPrevented || event.altKey || event.target.closest?.(fields)) return;
    const key = keyOf(event);
    // What is selected in the page is copied as everywhere.
    if (key === "Ctrl+C" && !getSelection().isCollapsed) return;
    const found = keyed.filter((one) => one.dataset.key === key && !one.disabled && one.checkVisibility());
    if (!found.length) return;
    event.preventDefault();
    found[(found.findIndex(({checked}) => checked) + 1) % found.length].click();
  });
}
