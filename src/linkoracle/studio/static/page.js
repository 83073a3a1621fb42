// The elements of the page by their ids, and what they say.

export const byId = (id) => document.getElementById(id);

// What is said already is not said again: a reader of the screen would read it out once more.
export function setText(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

export const say = (id, text) => setText(byId(id), text);

// The values to choose from, and what stands for each.
export function setOptions(select, found) {
  const told = JSON.stringify(found);
  if (select.dataset.told === told) return;
  select.dataset.told = told;
  select.replaceChildren(...found.map(([value, text]) => new Option(text, value)));
}

export const capital = (text) => `${text[0].toUpperCase()}${text.slice(1)}`;
export const sentence = (text) => `${capital(text)}.`;
