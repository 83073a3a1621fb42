// Keys and pointers of a player, turned into marks.

import {ARROWS, sideBy} from "./lattice.js";
import {CROSS, LINE, OPEN, OUTSIDE} from "./marks.js";
import {ColourStroke, CrossStroke, LineStroke, NEAR, nearestEdge, nearestVertex} from "./strokes.js";

// `player` has: active, marks, cursor, kind, board, drawing, tool, colours, and the methods select,
// sides, draw (for as long as a pointer is down), commit, cancel, cycle, hint, check, next, undo, redo.
export function listenToPlayer(svg, player) {
  listenToKeys(svg, player);
  let stroke = null;

  svg.addEventListener("pointerdown", (event) => {
    if (!player.active || stroke) return;
    svg.focus();
    const place = player.drawing.placeOf(event);
    player.select(player.drawing.cellAt(place));
    svg.setPointerCapture(event.pointerId);
    stroke = beginStroke(player, place, event.button === 2);
  });
  svg.addEventListener("pointermove", (event) => {
    if (!stroke) return;
    // Events on the way are told together with the last one, by some browsers.
    const all = event.getCoalescedEvents?.() ?? [];
    for (const one of all.length ? all : [event]) stroke.to(player.drawing.placeOf(one));
  });
  svg.addEventListener("pointerup", () => {
    if (!stroke) return;
    stroke.end();
    stroke = null;
    player.commit();
  });
  svg.addEventListener("pointercancel", () => {
    if (stroke) player.cancel();
    stroke = null;
  });
}

function beginStroke(player, place, right) {
  const {tool, drawing, colours} = player;
  const near = nearestEdge(drawing.lattice, place);
  if (tool === "colour" && colours) return new ColourStroke(player, place, right ? OUTSIDE : null);
  if (right || tool === "cross") return new CrossStroke(player, near);
  const middle = near.far > NEAR && nearestVertex(drawing.lattice, place) === null;
  if (middle && colours && !drawing.kind.throughCells) {
    return new ColourStroke(player, place, null);
  }
  return new LineStroke(player, place, near);
}

function listenToKeys(svg, player) {
  // The edge on this side of the cell under the cursor.
  const sideOf = (key) => sideBy(key, player.sides());

  function arrow(event) {
    const {board, cursor, kind} = player;
    const [down, right] = ARROWS[event.key];
    const [row, col] = [Math.floor(cursor / board.cols) + down, (cursor % board.cols) + right];
    const there = row >= 0 && col >= 0 && row < board.rows && col < board.cols;
    const side = event.shiftKey || event.altKey ? sideOf(event.key) : null;
    if (side) {
      const [, edge] = side;
      const value = event.shiftKey ? LINE : CROSS;
      player.draw("edges", [[edge, player.marks.edges[edge] === value ? OPEN : value]]);
      player.commit();
      // A line through cells takes the cursor along.
      if (event.shiftKey && kind.throughCells && there) player.select(row * board.cols + col);
      else player.select(cursor);
    } else if (there && !event.shiftKey && !event.altKey) player.select(row * board.cols + col);
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
