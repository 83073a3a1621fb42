// Keys and pointers of a player, turned into marks.

import {ARROWS, NEAR, leads} from "./lattice.js";
import {CROSS, LINE, OPEN, OUTSIDE, withColour, withLetter} from "./marks.js";
import {AreaStroke, LineStroke, crossStroke, drawSide} from "./strokes.js";

// `player` has: active, marks, cursor, kind, board, drawing, tool, colours, sides, and the methods
// select, erase, draw (for as long as a pointer is down), note, commit, cancel and cycle.
export const playerHand = (player) => ({
  active: () => player.active,
  key: (event) => press(player, event),
  begin: (place, {button}) => beginStroke(player, place, button === 2),
  ended: () => player.commit(),
  cancelled: () => player.cancel(),
});

function beginStroke(player, place, right) {
  const {tool, drawing, colours} = player;
  const {lattice} = drawing;
  player.select(lattice.cellAt(place));
  if (tool === "colour" && colours) return colouring(player, place, right);
  if (tool === "note") {
    player.note(withColour);
    return null;
  }
  const {shades} = drawing.kind;
  const inCell = shades && lattice.nearestVertex(place) !== null;
  if (inCell && right) return colouring(player, place, true);
  if (right || tool === "cross") return crossStroke(player, place);
  if (inCell && tool === "line") return new LineStroke(player, place, (cell) => player.colour(cell));
  const middle = lattice.nearestEdge(place).far > NEAR && lattice.nearestVertex(place) === null;
  if (middle && colours && !lattice.throughCells) return colouring(player, place, false);
  return new LineStroke(player, place);
}

// The sides of faces: the next one, or the outside, and none where that is.
function colouring(player, place, outside) {
  const {lattice, kind} = player.drawing;
  return new AreaStroke(player, place, {
    areaAt: (at) => lattice.faceAt(at, !kind.shades),
    first(face) {
      const mark = player.marks.faces[face];
      if (!outside) return (mark + 1) % 3;
      return mark === OUTSIDE ? OPEN : OUTSIDE;
    },
    put: (changes) => player.draw("faces", changes),
  });
}

function press(player, {key, ctrlKey, metaKey, shiftKey, altKey}) {
  if (ctrlKey || metaKey) return false;
  if (key in ARROWS && (shiftKey || altKey)) drawSide(player, key, shiftKey ? LINE : CROSS);
  else if (leads(key, player.board)) player.select(player.lattice.step(player.cursor, key));
  else if (player.tool === "note" && key === " ") player.note(withColour);
  else if (player.tool === "note" && /^[\p{L}\p{N}]$/u.test(key)) player.note((marks, cell) => withLetter(marks, cell, key));
  else if ([" ", "Enter"].includes(key)) player.cycle();
  else if (["Backspace", "Delete"].includes(key)) player.erase();
  else if (key === "Escape") player.cancel();
  else return false;
  return true;
}
