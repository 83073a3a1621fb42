// What a player has drawn, on the board as `Drawing` draws it.

import {setClass} from "./figures.js";
import {setText} from "./page.js";
import {CROSS, INSIDE, LINE, OUTSIDE, coloursOf} from "./marks.js";

// `view` has marks, automatic (edges), wrong {edges, faces}, hint {lines, crosses, cells} or null,
// trial, the marks before it, or null, pieces (whether each has a colour), done (for each face whether its clue is
// fulfilled), joined (vertices), ended.
export function drawMarks(drawing, view) {
  const wrong = {edges: new Set(view.wrong.edges), faces: new Set(view.wrong.faces)};
  const [lines, crosses] = [new Set(view.hint?.lines), new Set(view.hint?.crosses)];
  const colours = view.pieces ? coloursOf(drawing.lattice, drawing.board, drawing.kind,
    (edge) => view.marks.edges[edge] === LINE) : [];
  view.marks.edges.forEach((mark, edge) => {
    const {line, cross} = drawing.edges[edge];
    const bad = wrong.edges.has(edge) ? " wrong" : view.trial && view.trial.edges[edge] !== mark ? " trial" : "";
    setClass(line, mark === LINE ? `drawn ${colours[edge] ?? ""}${bad}` : lines.has(edge) ? "hinted" : "");
    if (line.style.strokeWidth) line.style.strokeWidth = "";
    setClass(cross, mark === CROSS ? `set${bad}` : crosses.has(edge) ? "hinted"
      : view.automatic.has(edge) && mark !== LINE ? "auto" : "");
  });
  const {throughCells, shades} = drawing.kind;
  const [inside, outside] = shades ? ["shaded", "visited"] : ["inside", "outside"];
  view.marks.faces.forEach((mark, face) => {
    const side = mark === INSIDE ? inside : mark === OUTSIDE ? outside : "";
    setClass(drawing.faces[face], side && wrong.faces.has(face) ? `${side} wrong` : side);
  });
  const about = new Set(view.hint?.cells);
  const joined = new Set(view.joined);
  drawing.cells.forEach(({mark, clue, hint, shade}, cell) => {
    const {colour, text = ""} = view.marks.notes?.[cell] ?? {};
    setClass(shade, colour ? `note-${colour}` : "");
    setClass(mark, about.has(cell) ? "hinted" : "");
    clue.classList.toggle("done", throughCells ? joined.has(cell) : view.done[cell] ?? false);
    setText(hint, text);
  });
  drawing.svg.classList.toggle("ended", view.ended);
}

// What answers, shown next, would not replace.
export function eraseMarks(drawing) {
  for (const face of drawing.faces) setClass(face, "");
  drawing.svg.classList.remove("ended");
  for (const {clue} of drawing.cells) clue.classList.remove("done");
}
