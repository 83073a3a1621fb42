// The elements of the page by their ids, how they are made, what they say, and the keys that press buttons.

// Milliseconds in which all is replayed, and for a step at most.
const [REPLAY, STEP] = [10000, 400];

export const byId = (id) => document.getElementById(id);

// A new element with these properties and parts.
export function make(name, properties, ...parts) {
  const made = Object.assign(document.createElement(name), properties);
  made.append(...parts);
  return made;
}

// A new element of a picture with these attributes, in a parent if there is one.
export function element(name, attributes, parent) {
  const made = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  parent?.append(made);
  return made;
}

// What is chosen of the radio buttons of a name.
export const chosen = (name) => document.querySelector(`[name=${name}]:checked`).value;

// What is said already is not said again: a reader of the screen would read it out once more.
export function setText(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

export const say = (id, text) => setText(byId(id), text);

// Says how something went; the same once more is read out once more.
export const tell = (words) => { byId("told").textContent = words; };

// What comes of some work, if anything; an Error is told, or goes to `failed`.
export async function attempt(work, failed = ({message}) => tell(message)) {
  try {
    return await work();
  } catch (error) {
    return failed(error);
  }
}

const shown = new WeakMap();

// Whether what an element is to show differs from what it was to show the last time.
export function differs(element, what) {
  const before = shown.get(element);
  shown.set(element, JSON.stringify(what));
  return shown.get(element) !== before;
}

// The values to choose from, and what stands for each.
export function setOptions(select, found) {
  if (differs(select, found)) select.replaceChildren(...found.map(([value, text]) => new Option(text, value)));
}

export const capital = (text) => `${text[0].toUpperCase()}${text.slice(1)}`;
export const sentence = (text) => `${capital(text)}.`;

export const pause = (milliseconds) => new Promise((resolve) => { setTimeout(resolve, milliseconds); });

// Shows all of these, one after the other; false as soon as another one is shown meanwhile.
export async function replay(all, show, stays) {
  for (const one of all) {
    show(one);
    await pause(Math.min(STEP, REPLAY / all.length));
    if (!stays(one)) return false;
  }
  return true;
}

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
