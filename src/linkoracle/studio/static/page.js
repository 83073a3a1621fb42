// Find, create and fill elements of the page, and press buttons by keys.

// Milliseconds that a whole replay may take, and a single step.
const [REPLAY, STEP] = [10000, 400];

export const byId = (id) => document.getElementById(id);

// Create an element with these properties and parts.
export function make(name, properties, ...parts) {
  const made = Object.assign(document.createElement(name), properties);
  made.append(...parts);
  return made;
}

// Create an SVG element with these attributes, and append it to `parent` if given.
export function element(name, attributes, parent) {
  const made = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  parent?.append(made);
  return made;
}

// Return the value of the checked radio button with this name.
export const chosen = (name) => document.querySelector(`[name=${name}]:checked`).value;

// Set a text only if it differs: a screen reader would read the same text out again.
export function setText(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

export const say = (id, text) => setText(byId(id), text);

// Show how an action went; screen readers read the same message out each time.
export const showMessage = (text) => { byId("message").textContent = text; };

// Return the result of some work; show an Error as a message, or pass it to `failed`.
export async function attempt(work, failed = ({message}) => showMessage(message)) {
  try {
    return await work();
  } catch (error) {
    return failed(error);
  }
}

const shown = new WeakMap();

// Return whether `what` an element is to show differs from the last call.
export function differs(element, what) {
  const before = shown.get(element);
  shown.set(element, JSON.stringify(what));
  return shown.get(element) !== before;
}

// Set the values to choose from, each with its label.
export function setOptions(select, found) {
  if (differs(select, found)) select.replaceChildren(...found.map(([value, text]) => new Option(text, value)));
}

export const capital = (text) => `${text[0].toUpperCase()}${text.slice(1)}`;
export const sentence = (text) => `${capital(text)}.`;

export const pause = (milliseconds) => new Promise((resolve) => { setTimeout(resolve, milliseconds); });

// Show all of these, one after the other; return false as soon as `stays` fails.
export async function replay(all, show, stays) {
  for (const one of all) {
    show(one);
    await pause(Math.min(STEP, REPLAY / all.length));
    if (!stays(one)) return false;
  }
  return true;
}

// Give the buttons their icons, strokes in a square of 24; the title holds name and key.
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

// Return the key of an event as written in `data-key`; upper and lower case are the same.
function keyOf({key, ctrlKey, metaKey, shiftKey}) {
  const name = key.length === 1 ? key.toUpperCase() : key;
  if (!ctrlKey && !metaKey) return name;
  return shiftKey && name === "Z" ? "Ctrl+Y" : `Ctrl+${name}`;
}

// Let keys press visible buttons, except keys that the board or a field handles. Of several buttons with
// the same key, press the one after the checked one.
export function listenForKeys() {
  const keyed = [...document.querySelectorAll("[data-key]")];
  const fields = "textarea, select, dialog, input:not([type='radio'], [type='checkbox'])";
  document.addEventListener("keydown", (event) => {
    if (event.defaultPrevented || event.altKey || event.target.closest?.(fields)) return;
    const key = keyOf(event);
    // Selected text is copied as on any page.
    if (key === "Ctrl+C" && !getSelection().isCollapsed) return;
    const found = keyed.filter((one) => one.dataset.key === key && !one.disabled && one.checkVisibility());
    if (!found.length) return;
    event.preventDefault();
    found[(found.findIndex(({checked}) => checked) + 1) % found.length].click();
  });
}
