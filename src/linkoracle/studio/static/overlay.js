// What lies over the board besides clues and answers: marks of a mask, a line that is drawn, a step.

import {marksOf} from "./mask.js";
import {filled} from "./sketch.js";
import {CELL, element} from "./drawing.js";

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
      for (const edge of board.sketch ?? []) this.#line(edge, "sketch");
    }
    if (!step) return;
    for (const cell of step.cells) box(cell, 2, "about");
    for (const edge of step.before.lines) this.#line(edge, "before");
    for (const edge of step.before.crosses) this.#edgeCross(edge, "before");
    for (const edge of step.lines) this.#line(edge, "new");
    for (const edge of step.crosses) this.#edgeCross(edge, "new");
  }

  #line(edge, className) {
    const {line} = this.drawing.edges[edge];
    const place = Object.fromEntries(["x1", "y1", "x2", "y2"]
      .map((name) => [name, line.getAttribute(name)]));
    element("line", {...place, class: className}, this.layer);
  }

  #edgeCross(edge, className) {
    const d = this.drawing.edges[edge].cross.getAttribute("d");
    element("path", {d, class: className}, this.layer);
  }

  #cross(cell) {
    const {back} = this.drawing.cells[cell];
    const [x, y] = ["x", "y"].map((name) => Number(back.getAttribute(name)) + CELL / 2);
    element("path", {d: `M${x - 9} ${y - 9}l18 18m0-18l-18 18`, class: "none"}, this.layer);
  }
}
