// Buttons: their icons, their names for those who do not see these, and the keys that press them.

import {element} from "./figures.js";
import {make} from "./page.js";

// Gives the buttons their icons, strokes in a square of 24; a name and a key stand in the title.
export function dressButtons() {
  for (const control of document.querySelectorAll("[data-icon]")) {
    const button = control.closest("label") ?? control;
    const name = button.title || button.textContent;
    const {icon, key} = control.dataset;
    control.ariaLabel = name;
    button.title = key ? `${name} (${key})` : name;
    const picture = element("svg", {viewBox: "0 0 24 24", "aria-hidden": "true"});
    element("path", {d: icon}, picture);
    const words = make("span", {textContent: button.textContent});
    button.replaceChildren(...(control === button ? [] : [control]), picture, words);
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
