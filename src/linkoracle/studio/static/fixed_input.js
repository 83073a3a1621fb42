// What clicks and keys do while lines are given: lines, crosses, and dots that are missing. What is
// not meant for that goes on to where clues are entered.

import {fixedMarks, withFixed} from "./fixed.js";
import {ARROWS, latticeOf, sideBy, sidesOf} from "./lattice.js";
import {CROSS, LINE, OPEN} from "./marks.js";
import {capturing} from "./modes.js";
import {CrossStroke, LineStroke, nearestEdge, nearestVertex} from "./strokes.js";

// `editor` has active, board, kind, cursor, select, change and putDot; `fixing()` says whether this is
// the mode, `tool()` is "line", "cross" or "hole"; `leave` goes back to clues.
export function listenFixed(svg, editor, drawing, fixing, tool, leave) {
  const on = capturing(svg, () => editor.active && fixing());
  let stroke = null;

  const put = (board, changes) => editor.change(withFixed(board, latticeOf(board, editor.kind), changes));

  function begun(event) {
    const {board} = editor;
    const {lattice} = drawing;
    const place = drawing.placeOf(event);
    if (tool() === "hole") {
      const vertex = nearestVertex(lattice, place);
      if (vertex !== null) editor.putDot(Math.floor(vertex / lattice.cols), vertex % lattice.cols);
      return null;
    }
    editor.select(drawing.cellAt(place), false);
    const near = nearestEdge(lattice, place);
    const marks = {edges: fixedMarks(board, lattice)};
    const player = {marks, drawing, draw: (_, changes) => put(board, changes)};
    const crosses = event.button === 2 || tool() === "cross";
    return crosses ? new CrossStroke(player, near) : new LineStroke(player, place, near);
  }

  // The edges on the sides of the cell under the cursor, or from it to its neighbours.
  function sides() {
    const {board, cursor, kind} = editor;
    return sidesOf(latticeOf(board, kind), board, kind, cursor);
  }

  function mark(key, value) {
    const {board, cursor, kind} = editor;
    const side = sideBy(key, sides());
    if (!side) return;
    const [, edge] = side;
    const now = fixedMarks(board, latticeOf(board, kind))[edge];
    put(board, [[edge, now === value ? OPEN : value]]);
    const [down, right] = ARROWS[key];
    // A line through cells takes the cursor along.
    const along = kind.throughCells && value === LINE;
    editor.select(along ? cursor + down * board.cols + right : cursor, false);
  }

  on("keydown", (event) => {
    const {key, shiftKey, altKey} = event;
    if (event.ctrlKey || event.metaKey) return false;
    if (key === "Escape") leave();
    else if (tool() === "hole") return false;
    else if (key in ARROWS && (shiftKey || altKey)) mark(key, shiftKey ? LINE : CROSS);
    else if (["Backspace", "Delete"].includes(key)) {
      put(editor.board, sides().map(([, edge]) => [edge, OPEN]));
    } else return false;
    return true;
  });
  on("pointerdown", (event) => {
    svg.focus();
    svg.setPointerCapture(event.pointerId);
    stroke = begun(event);
    return true;
  });
  on("pointermove", (event) => {
    stroke?.to(drawing.placeOf(event));
    return true;
  });
  on("pointerup", () => {
    stroke?.end();
    stroke = null;
    return true;
  });
}
