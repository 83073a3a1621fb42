// What lies over the board besides clues and answers: marks of a mask, a line that is drawn, a step.

import {filled, marksOf} from "./sketch.js";
import {CELL, element, setClass} from "./figures.js";

// A ring, a cross, and a broken ring, around the middle of a cell.
const ring = (r) => `m${-r} 0a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0`;
const DRAWN = {must: ring(CELL / 2 - 5), none: "m-9-9l18 18m0-18l-18 18", either: ring(5)};

// Draws what belongs to the mode, and `step`: null, or what a step of the walk decides,
// {lines, crosses, cells, before}. `unmarked` is what cells have that a mask does not mark.
export function drawOverlay(drawing, board, kind, mode, step, unmarked) {
  const {overlay: layer} = drawing;
  layer.replaceChildren();
  const area = (cell, inset, className) =>
    element("polygon", {points: drawing.within(cell, inset), class: className}, layer);
  // The line or the cross of an edge, in another look.
  const copy = (edge, what, name) => {
    const made = drawing.edges[edge][what].cloneNode();
    made.removeAttribute("style");
    setClass(made, name);
    layer.append(made);
  };
  if (mode === "mask") {
    marksOf(board).forEach((mark, cell) => {
      const [x, y] = drawing.cells[cell].middle;
      const draw = DRAWN[mark ?? (board.cells[cell] === null ? unmarked : "must")];
      const made = element("path", {d: `M${x} ${y}${draw}`, class: mark ?? "unmarked"}, layer);
      made.dataset.mark = mark ?? unmarked;
    });
  }
  if (mode === "line") {
    for (const cell of filled(board, kind)) area(cell, 0, "inside");
    for (const edge of board.sketch ?? []) copy(edge, "line", "sketch");
  }
  if (!step) return;
  for (const cell of step.cells) area(cell, 2, "about");
  for (const [name, {lines, crosses}] of [["before", step.before], ["new", step]]) {
    for (const edge of lines) copy(edge, "line", name);
    for (const edge of crosses) copy(edge, "cross", name);
  }
}
