// What clicks and keys on the board do besides entering clues: they mark cells for a mask, draw a line or the
// borders of regions, or give lines, crosses and dots that are missing. What is not meant for that goes on to
// where clues are entered.

import {ARROWS, latticeOf} from "./lattice.js";
import {BORDERS, FIXED, listedMarks, withListed} from "./listed.js";
import {CROSS, LINE, OPEN} from "./marks.js";
import {filled, fills, nextMark, sketchMarks, withFilled, withLines, withMark} from "./sketch.js";
import {AreaStroke, LineStroke, capturing, crossStroke, drawSide, listenToStrokes} from "./strokes.js";

const MARK_KEYS = {"#": "must", ".": "none", "?": "either", "Backspace": null, "Delete": null};

// `editor` has active, board, kind, cursor, select, change and putDot. `making` has the mode, "mask", "line",
// "fixed" or "borders" while this is meant, what is given then, `fixes`, and `leaveMode`, back to clues.
export function listenModes(svg, editor, drawing, making) {
  const active = () => editor.active && making.mode !== "clues";
  // Whether clicks put holes, fill the inside of a loop, or draw.
  const holes = () => making.mode === "fixed" && making.fixes === "hole";
  const filling = () => making.mode === "line" && fills(editor.board, editor.kind);
  const draws = () => !["mask", "ends"].includes(making.mode) && !holes() && !filling();
  const dividing = () => making.mode === "borders";

  const mark = (cell, wanted) => editor.change(withMark(editor.board, cell, wanted));
  const isFilled = (cell) => filled(editor.board, editor.kind).has(cell);
  const fill = (cell) => editor.change(withFilled(editor.board, editor.kind, cell));

  // For whom lines are drawn, or borders along the sides of cells: on the board as it is now, each time in place
  // of the time before.
  function drawer() {
    const {board, cursor} = editor;
    const lattice = dividing() ? latticeOf(board, {throughCells: false}) : drawing.lattice;
    const names = {fixed: FIXED, borders: BORDERS}[making.mode];
    const edges = names ? listedMarks(board, lattice, names) : sketchMarks(board, lattice);
    const changed = (changes) => (names ? withListed(board, lattice, names, changes)
      : withLines(board, lattice, changes));
    return {
      board, cursor, drawing: {lattice}, marks: {edges},
      draw: (_, changes) => editor.change(changed(changes), editor.board !== board),
      select: (cell) => editor.select(cell, false),
      get side() { return editor.side; },
      turn: (step) => editor.turnSide(step),
    };
  }

  // Marks all cells alike, or fills them.
  function cells(place, step) {
    return new AreaStroke(drawer(), place, {
      areaAt: (at) => drawing.lattice.faceAt(at),
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
      const vertex = lattice.nearestVertex(place);
      if (vertex !== null) editor.putDot(lattice.place(vertex));
      return null;
    }
    if (!draws()) return cells(place, right ? -1 : 1);
    editor.select(lattice.cellAt(place), false);
    const hand = drawer();
    const crosses = making.mode === "fixed" && (right || making.fixes === "cross");
    return crosses ? crossStroke(hand, place) : new LineStroke(hand, place);
  }

  function key({key, ctrlKey, metaKey, shiftKey, altKey}) {
    if (ctrlKey || metaKey) return false;
    const {cursor, board} = editor;
    const {mode} = making;
    const enters = !altKey && [" ", "Enter"].includes(key);
    const fixed = mode === "fixed" && draws();
    if (key === "Escape") making.leaveMode();
    else if (mode === "mask" && key in MARK_KEYS) mark(cursor, MARK_KEYS[key]);
    else if (mode === "mask" && enters) mark(cursor, nextMark(board, cursor, 1));
    else if (filling() && enters) fill(cursor);
    else if (draws() && key in ARROWS && (shiftKey || (altKey && fixed))) {
      drawSide(drawer(), key, shiftKey ? LINE : CROSS);
    } else if (fixed && ["Backspace", "Delete"].includes(key)) {
      drawer().draw("edges", drawing.lattice.sides(cursor).map(([, edge]) => [edge, OPEN]));
    } else return false;
    return true;
  }

  listenToStrokes(svg, drawing, () => active() && making.mode !== "ends", begin);
  capturing(svg, active)("keydown", key);
}
