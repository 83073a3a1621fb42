// What clicks and keys on the board do besides entering clues: they mark cells for a mask, draw a line or the
// borders of regions, or give lines, crosses and dots that are missing. What is not meant for that goes on to
// where clues are entered.

import {ARROWS, latticeOf} from "./lattice.js";
import {
  BORDERS, FIXED, SKETCH, filled, fills, layerMarks, nextMark, withFilled, withLayers, withMark,
} from "./layers.js";
import {CROSS, LINE, OPEN} from "./marks.js";
import {AreaStroke, LineStroke, crossStroke, drawSide} from "./strokes.js";

const MARK_KEYS = {"#": "must", ".": "none", "?": "either", "Backspace": null, "Delete": null};

// `editor` has active, board, kind, cursor, dot (null unless ends or missing dots are put), select, change, moveDot and
// putDot. `making` has the mode, "mask", "line", "fixed", "borders" or "ends" while this is meant, what is given then,
// `fixes`, and `leaveMode`, back to clues.
export function modesHand(editor, drawing, making) {
  // Whether clicks fill the inside of a loop, or draw.
  const filling = () => making.mode === "line" && fills(editor.board, editor.kind);
  const draws = () => making.mode !== "mask" && !editor.dot && !filling();
  const dividing = () => making.mode === "borders";

  const mark = (cell, wanted) => editor.change(withMark(editor.board, cell, wanted));
  const isFilled = (cell) => filled(editor.board, editor.kind).has(cell);
  const fill = (cell) => editor.change(withFilled(editor.board, editor.kind, cell));

  // For whom lines are drawn, or borders along the sides of cells: on the board as it is now, each time in place
  // of the time before.
  function drawer() {
    const {board, cursor} = editor;
    const lattice = dividing() ? latticeOf(board, {throughCells: false}) : drawing.lattice;
    const names = {fixed: FIXED, borders: BORDERS}[making.mode] ?? SKETCH;
    return {
      board, cursor, drawing: {lattice}, marks: {edges: layerMarks(board, lattice, names)},
      draw: (_, changes) => editor.change(withLayers(board, lattice, names, changes), editor.board !== board),
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

  function begin(place, {button}) {
    const {lattice} = drawing;
    const right = button === 2;
    if (editor.dot) {
      const vertex = lattice.nearestVertex(place);
      // Ends are moved along the rim.
      const fits = making.mode === "fixed" || lattice.around[vertex]?.length < 4;
      if (vertex !== null && fits) editor.putDot(lattice.place(vertex));
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
    else if (editor.dot && key in ARROWS) {
      const [right, down] = ARROWS[key];
      const [row, col] = editor.dot;
      editor.moveDot([clamp(row + down, board.rows), clamp(col + right, board.cols)]);
    } else if (editor.dot && enters) editor.putDot(editor.dot);
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

  return {active: () => editor.active && making.mode !== "clues", begin, key};
}

const clamp = (at, most) => Math.min(Math.max(at, 0), most);
