// The clues of a kind, and how they are typed and drawn. A form is a clue as it is written, with "#" in place of its
// number. A figure, {look, text}, is a part of a drawn clue, with the place and size that the library's pictures use.

import {element, setText} from "./page.js";

const NUMBER = /\d+/;
const DIGIT = /^\d$/;
// Letters of directions: what an arrow key types, and how a key of the keypad looks.
export const DIRECTIONS = {ArrowUp: "n", ArrowRight: "e", ArrowDown: "s", ArrowLeft: "w"};
const FACES = {n: "↑", e: "→", s: "↓", w: "←"};
// Names of figures for screen readers, by look and text.
const NAMES = {white: "White", black: "Black", either: "Either", grey: "Closed", filled: "Filled", dot: "Dot"};

export const CELL = 40;
const PEARL = 0.4 * CELL;
// Half the length of an arrow, its barbs, and its distance from the middle beside a number.
const [SHAFT, BARB, BESIDE] = [0.28, 0.12, 0.25].map((part) => part * CELL);
const WAYS = {n: [0, -1], e: [1, 0], s: [0, 1], w: [-1, 0]};
// Factors by which texts and circles grow in small cells, because they do not reach into the corners.
const [TEXTS, CIRCLES] = [1.5, 1.2];
// Heights of texts on circles by their digits.
const SIZES = {1: 22, 2: 18, 3: 14};

const known = new WeakMap();

export function formsOf(kind) {
  if (!known.has(kind)) known.set(kind, new Forms(kind));
  return known.get(kind);
}

class Forms {
  constructor({clues, arrows}) {
    this.forms = new Map(Object.entries(clues));
    this.arrows = arrows;
    // Clues are numbers, or else their text.
    const {"#": number} = clues;
    this.least = number?.least ?? 0;
    this.most = number ? number.most : null;
    this.symbols = new Map([...this.forms].filter(([, {clue}]) => clue !== undefined)
      .map(([text, {clue}]) => [clue, text]));
    this.numeric = Boolean(number) || this.symbols.size > 0;
    this.letters = [...new Set([...this.forms.keys()].join("").replace(/#/g, ""))];
    this.counts = [...this.forms.keys()].some((form) => form.includes("#"));
  }

  // The clue of a kind with a single clue, else undefined.
  get only() {
    const [[text] = []] = this.forms;
    return this.forms.size === 1 && !this.counts ? this.clueOf(text) : undefined;
  }

  // The clue "?" of a kind that has it, else undefined.
  get unknown() { return this.forms.has("?") ? this.clueOf("?") : undefined; }

  // Return the clue that a text stands for, or undefined if it is not a clue.
  clueOf(text) {
    const form = this.forms.get(text);
    if (form) return form.clue ?? text;
    if (text && this.symbols.has(Number(text))) return Number(text);
    const [digits] = text.match(NUMBER) ?? [];
    const {least, most} = this.forms.get(text.replace(NUMBER, "#")) ?? {};
    const number = Number(digits);
    if (!digits || least === undefined || number < least || number > (most ?? Infinity)) return undefined;
    return this.numeric ? number : text;
  }

  textOf(clue) { return clue === null ? "" : this.symbols.get(clue) ?? String(clue); }

  // Return the figures of a clue, as looks and texts.
  figures(clue) {
    const text = this.textOf(clue);
    const [digits] = text.match(NUMBER) ?? [];
    const {figures} = this.forms.get(text) ?? this.forms.get(text.replace(NUMBER, "#")) ??
      {figures: [["text", text]]};
    return figures.map(([look, words]) => [look, words.replace("#", digits)]);
  }

  // Return whether a clue visibly closes its cell to lines.
  closes(clue) {
    return clue !== null && this.figures(clue).some(([look]) => ["filled", "grey"].includes(look));
  }

  // Return the text of a cell after a key, possibly incomplete, or null if the key has no meaning there. The key
  // replaces the part of the same sort: the number, the arrow, or the rest. With `longer` a digit extends the number.
  typed(text, key, {longer = false, most = Infinity} = {}) {
    const part = {digits: "", arrow: "", other: ""};
    for (const letter of text) part[this.#sortOf(letter)] += letter;
    const sort = this.#sortOf(key);
    const grown = sort === "digits" && longer && part.digits !== "0" ? part.digits + key : key;
    const candidates = [];
    for (const one of grown === key || Number(grown) > most ? [key] : [grown, key]) {
      const {digits, arrow, other} = {...part, [sort]: one};
      candidates.push(digits + arrow + other, other + digits + arrow);
    }
    // After a comma, a list goes on.
    if (text.endsWith(",")) candidates.unshift(text + key);
    candidates.push(text + key, key);
    return candidates.find((one) => this.clueOf(one) !== undefined || this.#lacks(one)) ?? null;
  }

  #sortOf(letter) {
    return DIGIT.test(letter) ? "digits" : this.arrows && "nesw".includes(letter) ? "arrow" : "other";
  }

  // Return whether a text becomes a clue by adding an end or an arrow.
  #lacks(text) {
    const shape = text.replace(NUMBER, "#");
    return [...this.forms.keys()].some((form) => form !== shape &&
      (form.startsWith(shape) || (this.arrows && form.replace(/[nesw]/, "") === shape)));
  }

  // Return the clues that clicks on a cell with this clue go through: the directions of its arrow; else no clue, the
  // digits and the other clues.
  cycle(clue) {
    const keys = this.keys(this.textOf(clue)).filter((key) => key.clue !== undefined);
    const of = (sort) => keys.filter((key) => key.sort === sort).map((key) => key.clue);
    const arrows = of("arrow");
    return arrows.length ? arrows : [null, ...(this.numeric ? of("digits") : []), ...of("other")];
  }

  // Return the keys of the keypad for a cell with this text: what each types, its face or figures and its name, and
  // the resulting clue, undefined while it is incomplete.
  keys(text) {
    const digits = this.counts ? [..."0123456789"] : [];
    return [...digits, ...this.letters].flatMap((key) => {
      const made = this.typed(text, key);
      if (made === null) return [];
      const clue = this.clueOf(made);
      const sort = this.#sortOf(key);
      const face = sort === "arrow" ? FACES[key] : key;
      const figures = sort === "other" && clue !== undefined ? this.figures(this.clueOf(key) ?? clue) : [];
      const name = figures.map(([look, words]) => NAMES[words] ?? NAMES[look] ?? words).join(" ");
      return [{key, sort, clue, figures, face, name: name || face}];
    });
  }
}

export function setClass(made, name) {
  if (made.getAttribute("class") !== name) made.setAttribute("class", name);
}

// Draw the figures of a cell into two groups, one below the lines and one above. A place has the `middle` of the cell,
// its `outline`, and its `room`, which is 1 in squares.
export function drawFigures(figures, {middle: [x, y], outline, room = 1}, below, above) {
  const [, paint] = figures.find(([look]) => look === "grey") ?? [];
  const on = paint === undefined ? "bare" : `on-${paint || "grey"}`;
  for (const [look, text] of figures) {
    if (["filled", "grey", "shaded"].includes(look)) ground(look, text, x, y, outline, below);
    else if (["white", "black", "either"].includes(look)) circle(look, text, x, y, 1, text ? above : below);
    else if (look === "label") circle("white", text, x, y, Math.min(1, CIRCLES * room), above);
    else if (look === "arrow") arrow(text, x, y, on, above);
    else if (look === "dot") dot(text, x, y, above);
    else words(text, x, y, Math.min(22, 64 / text.length) * Math.min(1, TEXTS * room), on, above);
  }
}

function ground(look, text, x, y, outline, layer) {
  const className = `${look} ${text}`.trim();
  if (outline && !text) {
    element("polygon", {points: outline, class: className}, layer);
    return;
  }
  const inset = text ? 2.5 : 0;
  const [at, side] = [CELL / 2 - inset, CELL - 2 * inset];
  element("rect", {x: x - at, y: y - at, width: side, height: side, class: className}, layer);
}

function circle(look, text, x, y, scale, layer) {
  element("circle", {cx: x, cy: y, r: scale * PEARL, class: look}, layer);
  if (text) words(text, x, y, scale * (SIZES[text.length] ?? 11), `on-${look}`, layer);
}

// Draw a dot in the middle of a cell, or on the side in a direction.
function dot(text, x, y, layer) {
  const [right, down] = WAYS[text] ?? [0, 0];
  element("circle", {cx: x + right * CELL / 2, cy: y + down * CELL / 2, r: 0.12 * CELL, class: "white"}, layer);
}

function arrow(text, x, y, className, layer) {
  const [number, direction] = [text.slice(0, -1), text.at(-1)];
  const [right, down] = WAYS[direction];
  const away = number ? BESIDE : 0;
  const [cx, cy] = down ? [x + away, y] : [x, y - away];
  const [tipX, tipY] = [cx + SHAFT * right, cy + SHAFT * down];
  const barb = (side) => `${tipX - BARB * right + side * down} ${tipY - BARB * down + side * right}`;
  const d = `M${cx - SHAFT * right} ${cy - SHAFT * down}L${tipX} ${tipY}` +
    `M${barb(-BARB)}L${tipX} ${tipY}L${barb(BARB)}`;
  element("path", {d, class: `arrow ${className}`}, layer);
  if (!number) return;
  const size = number.length === 1 ? 20 : 16;
  words(number, down ? x - 0.1 * CELL : x, down ? y : y + 0.1 * CELL, size, className, layer);
}

function words(text, x, y, size, className, layer) {
  setText(element("text", {x, y, "font-size": size, class: className}, layer), text);
}
