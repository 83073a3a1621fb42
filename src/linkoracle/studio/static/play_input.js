// Keys and pointers of a player, turned into marks.

import {ARROWS} from "./lattice.js";
import {CROSS, LINE, OPEN, OUTSIDE} from "./marks.js";
import {CrossStroke, LineStroke, NEAR, SquareStroke, drawSide, listenToStrokes, nearestEdge, nearestVertex,
  squareAt} from "./strokes.js";

// `player` has: active, marks, cursor, kind, board, drawing, tool, colours, and the methods select,
// sides, draw (for as long as a pointer is down), commit, cancel, cycle, hint, check, next, undo, redo.
export function listenToPlayer(svg, player) {
  listenToKeys(svg, player);
  listenToStrokes(svg, player.drawing, () => player.active,
    (place, right) => beginStroke(player, place, right), () => player.commit(), () => player.cancel());
}

function beginStroke(player, place, right) {
  const {tool, drawing, colours} = player;
  player.select(drawing.cellAt(place));
  const near = nearestEdge(drawing.lattice, place);
  if (tool === "colour" && colours) return colouring(player, place, right);
  const {shades} = drawing.kind;
  const inCell = shades && nearestVertex(drawing.lattice, place) !== null;
  if (inCell && right) return colouring(player, place, true);
  if (right || tool === "cross") return new CrossStroke(player, near);
  if (inCell && tool === "line") return new LineStroke(player, place, near, (cell) => player.colour(cell));
  const middle = near.far > NEAR && nearestVertex(drawing.lattice, place) === null;
  if (middle && colours && !drawing.kind.throughCells) return colouring(player, place, false);
  return new LineStroke(player, place, near);
}

// The sides of faces: the next one, or the outside, and none where that is.
function colouring(player, place, outside) {
  const [rows, cols] = player.faces;
  const half = player.drawing.kind.shades ? 0.5 : 0;
  return new SquareStroke(player, place, {
    squareAt: ([row, col]) => squareAt([row + half, col + half], rows, cols),
    first(face) {
      const mark = player.marks.faces[face];
      if (!outside) return (mark + 1) % 3;
      return mark === OUTSIDE ? OPEN : OUTSIDE;
    },
    put: (changes) => player.draw("faces", changes),
  });
}

function listenToKeys(svg, player) {
  function arrow({key, shiftKey, altKey}) {
    if (shiftKey || altKey) {
      drawSide(player, key, shiftKey ? LINE : CROSS);
      return;
    }
    const {board, cursor} = player;
    const [down, right] = ARROWS[key];
    const [row, col] = [Math.floor(cursor / board.cols) + down, (cursor % board.cols) + right];
    if (row >= 0 && col >= 0 && row < board.rows && col < board.cols) player.select(row * board.cols + col);
  }

  function clear() {
    player.draw("edges", player.sides().map(([, edge]) => [edge, OPEN]));
    player.commit();
  }

  const LETTERS = {h: () => player.hint(), c: () => player.check(), n: () => player.next()};

  svg.addEventListener("keydown", (event) => {
    if (!player.active) return;
    const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    const command = event.ctrlKey || event.metaKey;
    if (command && key === "z") (event.shiftKey ? player.redo : player.undo)();
    else if (command && key === "y") player.redo();
    else if (command) return;
    else if (key in ARROWS) arrow(event);
    else if (key in LETTERS) LETTERS[key]();
    else if ([" ", "Enter"].includes(key)) player.cycle();
    else if (["Backspace", "Delete"].includes(key)) clear();
    else if (key === "Escape") player.cancel();
    else return;
    event.preventDefault();
  });
}
