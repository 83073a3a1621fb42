// What lies over the board besides clues and answers: marks of a mask, a line that is drawn, a step.

import {marksOf} from "./mask.js";
import {filled} from "./sketch.js";
import {CELL, element, setClass} from "./figures.js";

export class Overlay {
  constructor(drawing) {
    this.drawing = drawing;
    this.layer = element("g", {class: "overlay", "aria-hidden": "true"});
  }

  // What belongs to the mode, and `step`: null, or what a step of the walk decides,
  // {lines, crosses, cells, before}.
  show(board, kind, mode, step) {
    const {drawing, layer} = this;
    // Another shape of board begins without layers.
    if (layer.parentNode !== drawing.svg) drawing.svg.insertBefore(layer, drawing.cursor);
    layer.replaceChildren();
    const box = (cell, inset, className) => {
      const {back} = drawing.cells[cell];
      const [x, y] = ["x", "y"].map((name) => Number(back.getAttribute(name)) + inset);
      const side = CELL - 2 * inset;
      return element("rect", {x, y, width: side, height: side, class: className}, layer);
    };
    if (mode === "mask") {
      marksOf(board).forEach((mark, cell) => {
        if (mark === "must") box(cell, 5, "must").setAttribute("rx", 14);
        if (mark === "none") this.#cross(cell);
      });
    }
    if (mode === "line") {
      for (const cell of filled(board, kind)) box(cell, 0, "inside");
      for (const edge of board.sketch ?? []) this.#copy(edge, "line", "sketch");
    }
    if (!step) return;
    for (const cell of step.cells) box(cell, 2, "about");
    for (const [name, {lines, crosses}] of [["before", step.before], ["new", step]]) {
      for (const edge of lines) this.#copy(edge, "line", name);
      for (const edge of crosses) this.#copy(edge, "cross", name);
    }
  }

  // The line or the cross of an edge, in another look.
  #copy(edge, what, name) {
    const made = this.drawing.edges[edge][what].cloneNode();
    made.removeAttribute("style");
    setClass(made, name);
    this.layer.append(made);
  }

  #cross(cell) {
    const {back} = this.drawing.cells[cell];
    const [x, y] = ["x", "y"].map((name) => Number(back.getAttribute(name)) + CELL / 2);
    element("path", {d: `M${x - 9} ${y - 9}l18 18m0-18l-18 18`, class: "none"}, this.layer);
  }
}
