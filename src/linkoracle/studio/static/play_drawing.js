// What a player has drawn, on the board as `Drawing` draws it.

import {CELL, element, setClass} from "./figures.js";
import {setText} from "./page.js";
import {CROSS, INSIDE, LINE, OUTSIDE, facesOf} from "./marks.js";

export class PlayDrawing {
  #faces = [];
  #layer = null;

  constructor(drawing) {
    this.drawing = drawing;
  }

  // `view` has marks, automatic (edges), wrong {edges, faces}, hint {lines, crosses, cells} or null,
  // done (for each face whether its clue is fulfilled), joined (vertices), ended.
  show(view) {
    const {drawing} = this;
    if (!this.#layer?.isConnected) this.#build();
    const wrong = {edges: new Set(view.wrong.edges), faces: new Set(view.wrong.faces)};
    const [lines, crosses] = [new Set(view.hint?.lines), new Set(view.hint?.crosses)];
    view.marks.edges.forEach((mark, edge) => {
      const {line, cross} = drawing.edges[edge];
      const bad = wrong.edges.has(edge) ? " wrong" : "";
      setClass(line, mark === LINE ? `drawn${bad}` : lines.has(edge) ? "hinted" : "");
      if (line.style.strokeWidth) line.style.strokeWidth = "";
      setClass(cross, mark === CROSS ? `set${bad}` : crosses.has(edge) ? "hinted"
        : view.automatic.has(edge) && mark !== LINE ? "auto" : "");
    });
    const {throughCells, shades} = drawing.kind;
    const [inside, outside] = shades ? ["shaded", "visited"] : ["inside", "outside"];
    view.marks.faces.forEach((mark, face) => {
      const side = mark === INSIDE ? inside : mark === OUTSIDE ? outside : "";
      setClass(this.#faces[face], side && wrong.faces.has(face) ? `${side} wrong` : side);
    });
    const about = new Set(view.hint?.cells);
    const joined = new Set(view.joined);
    drawing.cells.forEach(({mark, clue, hint}, cell) => {
      setClass(mark, about.has(cell) ? "hinted" : "");
      clue.classList.toggle("done", throughCells ? joined.has(cell) : view.done[cell] ?? false);
      setText(hint, "");
    });
    drawing.svg.classList.toggle("ended", view.ended);
  }

  // Faces are drawn between their vertices: cells, or what lies between the middles of four cells; or where
  // cells are shaded, around their vertices.
  #build() {
    const {drawing} = this;
    this.#layer = element("g", {class: "faces", "aria-hidden": "true"}, null);
    drawing.svg.querySelector(".cells").after(this.#layer);
    const {shades} = drawing.kind;
    const [rows, cols] = facesOf(drawing.kind, drawing.lattice);
    this.#faces = [];
    for (let row = 0; row < rows; row++) {
      for (let col = 0; col < cols; col++) {
        const [x, y] = drawing.at(row, col).map((at) => at - (shades ? CELL / 2 : 0));
        this.#faces.push(element("rect", {x, y, width: CELL, height: CELL}, this.#layer));
      }
    }
  }

  // What answers, shown next, would not replace.
  leave() {
    this.#layer?.remove();
    this.drawing.svg.classList.remove("ended");
    for (const {clue} of this.drawing.cells) clue.classList.remove("done");
  }
}
