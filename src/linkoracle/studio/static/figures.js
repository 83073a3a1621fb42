// What a kind draws of its clues, and of what it lists beside its grid, as figures: {look, text}, in places
// and sizes as in pictures of the library.

import {setText} from "./page.js";

export const CELL = 40;
const SVG = "http://www.w3.org/2000/svg";
const PEARL = 0.4 * CELL;
// Half an arrow, its barbs, and how far it is from the middle beside a number.
const [SHAFT, BARB, BESIDE] = [0.28, 0.12, 0.25].map((part) => part * CELL);
const DIRECTIONS = {n: [0, -1], e: [1, 0], s: [0, 1], w: [-1, 0]};
// Heights of texts on circles by their digits.
const SIZES = {1: 22, 2: 18, 3: 14};

export function element(name, attributes, parent) {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  parent?.append(made);
  return made;
}

export function setClass(made, name) {
  if (made.getAttribute("class") !== name) made.setAttribute("class", name);
}

// Draws the figures of a cell whose middle is at x, y: what lies below the lines into one group, what lies
// above them into the other.
export function drawFigures(figures, x, y, below, above) {
  const [, paint] = figures.find(([look]) => look === "grey") ?? [];
  const on = paint === undefined ? "bare" : `on-${paint || "grey"}`;
  for (const [look, text] of figures) {
    if (["filled", "grey", "shaded"].includes(look)) ground(look, text, x, y, below);
    else if (["white", "black"].includes(look)) circle(look, text, x, y, text ? above : below);
    else if (look === "label") circle("white", text, x, y, above);
    else if (look === "arrow") arrow(text, x, y, on, above);
    else words(text, x, y, 22, on, above);
  }
}

function ground(look, text, x, y, layer) {
  const inset = text ? 2.5 : 0;
  const [at, side] = [CELL / 2 - inset, CELL - 2 * inset];
  element("rect", {x: x - at, y: y - at, width: side, height: side, class: `${look} ${text}`.trim()}, layer);
}

function circle(look, text, x, y, layer) {
  element("circle", {cx: x, cy: y, r: PEARL, class: look}, layer);
  if (text) words(text, x, y, SIZES[text.length] ?? 11, `on-${look}`, layer);
}

function arrow(text, x, y, className, layer) {
  const [number, direction] = [text.slice(0, -1), text.at(-1)];
  const [right, down] = DIRECTIONS[direction];
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
