// What clicks and keys on the board do besides entering clues: they mark cells for a mask, draw a line, or
// give lines, crosses and dots that are missing. What is not meant for that goes on to where clues are
// entered.

import {fixedMarks, withFixed} from "./fixed.js";
import {ARROWS, sidesOf} from "./lattice.js";
import {CROSS, LINE, OPEN} from "./marks.js";
import {nextMark, withMark} from "./mask.js";
import {filled, fills, sketchMarks, withFilled, withLines} from "./sketch.js";
import {CrossStroke, LineStroke, SquareStroke, capturing, drawSide, listenToStrokes, nearestEdge,
  nearestVertex, squareAt} from "./strokes.js";

const MARK_KEYS = {"#": "must", ".": "none", "?": null, "Backspace": null, "Delete": null};

// `editor` has active, board, kind, cursor, select, change and putDot. `making` has the mode, "mask", "line"
// or "fixed" while this is meant, what is given then, `fixes`, and `leaveMode`, back to clues.
export function listenModes(svg, editor, drawing, making) {
  const active = () => editor.active && making.mode !== "clues";
  // Whether clicks put holes, fill the inside of a loop, or draw.
  const holes = () => making.mode === "fixed" && making.fixes === "hole";
  const filling = () => making.mode === "line" && fills(editor.board, editor.kind);
  const draws = () => making.mode !== "mask" && !holes() && !filling();

  const mark = (cell, wanted) => editor.change(withMark(editor.board, cell, wanted));
  const isFilled = (cell) => filled(editor.board, editor.kind).has(cell);
  const fill = (cell) => editor.change(withFilled(editor.board, editor.kind, cell));

  // For whom lines are drawn, on the board as it is now.
  function hand() {
    const {board, kind, cursor} = editor;
    const {lattice} = drawing;
    const [marks, changed] = making.mode === "fixed" ? [fixedMarks, withFixed] : [sketchMarks, withLines];
    return {
      board, kind, cursor, drawing, marks: {edges: marks(board, lattice)},
      draw: (_, changes) => editor.change(changed(board, lattice, changes)),
      select: (cell) => editor.select(cell, false),
    };
  }

  // Marks all cells alike, or fills them.
  function cells(place, step) {
    const {board: {rows, cols}, kind} = editor;
    const half = kind.throughCells ? 0.5 : 0;
    return new SquareStroke(hand(), place, {
      squareAt: ([row, col]) => squareAt([row + half, col + half], rows, cols),
      first: (cell) => (making.mode === "mask" ? nextMark(editor.board, cell, step) : !isFilled(cell)),
      put(changes, cell) {
        editor.select(cell, false);
        const wanted = changes.get(cell);
        if (making.mode === "mask") mark(cell, wanted);
        else if (isFilled(cell) !== wanted) fill(cell);
      },
    });
  }

  function begin(place, right) {
    const {lattice} = drawing;
    if (holes()) {
      const vertex = nearestVertex(lattice, place);
      if (vertex !== null) editor.putDot(Math.floor(vertex / lattice.cols), vertex % lattice.cols);
      return null;
    }
    if (!draws()) return cells(place, right ? -1 : 1);
    editor.select(drawing.cellAt(place), false);
    const near = nearestEdge(lattice, place);
    const crosses = making.mode === "fixed" && (right || making.fixes === "cross");
    return crosses ? new CrossStroke(hand(), near) : new LineStroke(hand(), place, near);
  }

  function key({key, ctrlKey, metaKey, shiftKey, altKey}) {
    if (ctrlKey || metaKey) return false;
    const {cursor, board, kind} = editor;
    const {mode} = making;
    const enters = !altKey && [" ", "Enter"].includes(key);
    const fixed = mode === "fixed" && draws();
    if (key === "Escape") making.leaveMode();
    else if (mode === "mask" && key in MARK_KEYS) mark(cursor, MARK_KEYS[key]);
    else if (mode === "mask" && enters) mark(cursor, nextMark(board, cursor, 1));
    else if (filling() && enters) fill(cursor);
    else if (draws() && key in ARROWS && (shiftKey || (altKey && fixed))) {
      drawSide(hand(), key, shiftKey ? LINE : CROSS);
    } else if (fixed && ["Backspace", "Delete"].includes(key)) {
      hand().draw("edges", sidesOf(drawing.lattice, board, kind, cursor).map(([, edge]) => [edge, OPEN]));
    } else return false;
    return true;
  }

  listenToStrokes(svg, drawing, active, begin);
  capturing(svg, active)("keydown", key);
}
