// The elements of the page by their ids, how they are made, and what they say.

// Milliseconds in which all is replayed, and for a step at most.
const [REPLAY, STEP] = [10000, 400];

export const byId = (id) => document.getElementById(id);

// A new element with these properties and parts.
export function make(name, properties, ...parts) {
  const made = Object.assign(document.createElement(name), properties);
  made.append(...parts);
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

// Does something, and tells what went wrong.
export async function attempt(work) {
  try {
    await work();
  } catch (error) {
    tell(error.message);
  }
}

// The values to choose from, and what stands for each.
export function setOptions(select, found) {
  const told = JSON.stringify(found);
  if (select.dataset.told === told) return;
  select.dataset.told = told;
  select.replaceChildren(...found.map(([value, text]) => new Option(text, value)));
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
