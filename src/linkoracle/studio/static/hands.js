// Handlers of keys and pointers on the board: for clues, for the other modes, and for players. Each is a hand, which
// `listen` of strokes.js calls.

import {joined} from "./board.js";
import {formsOf} from "./clues.js";
import {ARROWS, NEAR, SIDES, leads} from "./lattice.js";
import * as layers from "./layers.js";
import {CROSS, LINE, OPEN, OUTSIDE, withColour, withLetter} from "./marks.js";
import {AreaStroke, LineStroke, crossStroke, drawSide} from "./strokes.js";

const MARK_KEYS = {"#": "must", ".": "none", "?": "either", "Backspace": null, "Delete": null};
const LETTER = /^[\p{L}\p{N}]$/u;

// Enter clues. `editor` has active, board, kind, lattice, cursor, selected, dot, and the methods select, type, aim,
// cycle, erase, shift, change, undo and redo; its host has move.
export function clueHand(editor) {
  // Upper and lower case are the same key, unless the kind has both.
  const types = (key) => [key, key.toLowerCase(), key.toUpperCase()].some((one) => editor.type(one));

  function key({key, ctrlKey, metaKey, shiftKey, altKey}) {
    const command = ctrlKey || metaKey;
    if (command && key in ARROWS) editor.host.move(SIDES[key][0], shiftKey ? -1 : 1);
    else if (command && key.toLowerCase() === "z") shiftKey ? editor.redo() : editor.undo();
    else if (command && key.toLowerCase() === "y") editor.redo();
    else if (command || editor.dot) return false;
    else if (key in ARROWS && altKey) editor.shift(...ARROWS[key].toReversed());
    else if (leads(key, editor.board)) {
      if (shiftKey || !editor.aim(key)) editor.select(editor.lattice.step(editor.cursor, key), shiftKey);
    } else if (["Backspace", "Delete"].includes(key)) editor.erase();
    else if ([" ", "Enter"].includes(key)) editor.cycle(1);
    else if (key === "Escape") editor.select(editor.cursor, false);
    else return key.length === 1 && types(key);
    return true;
  }

  function begin(place, {shiftKey, button}) {
    const {lattice, cursor, selected, kind} = editor;
    const from = lattice.faceAt(place);
    if (from === null) return null;
    let cycles = !shiftKey && ((from === cursor && selected.length === 1) || formsOf(kind).only !== undefined);
    // For numbers in pairs a drag joins two cells; with Shift it selects, as for other kinds.
    const joins = kind.pairs && !shiftKey;
    let here = from;
    editor.select(from, shiftKey);
    return {
      to(place) {
        const cell = lattice.faceAt(place);
        here = cell ?? from;
        if (cell === null || cell === editor.cursor) return;
        cycles = false;
        editor.select(cell, !joins);
      },
      end() {
        if (cycles) editor.cycle(button === 2 ? -1 : 1);
        else if (joins && here !== from) editor.change(joined(editor.board, kind, from, here));
      },
    };
  }

  return {active: () => editor.active, begin, key};
}

// Mark cells for a mask, draw a loop or the borders of regions, or give lines, crosses and missing dots. Other keys go
// on to `clueHand`. `editor` has active, board, kind, cursor, select, change, moveDot, and dot, which is null unless
// endpoints or missing dots are placed. `making` has `mode` ("mask", "loop", "fixed", "borders" or "ends"), `fixes`,
// which is what clicks give, and `leaveMode`, which returns to clues.
export function modesHand(editor, drawing, making) {
  // Whether clicks fill the inside of a loop, or draw.
  const filling = () => making.mode === "loop" && layers.fills(editor.board, editor.kind);
  const draws = () => making.mode !== "mask" && !editor.dot && !filling();
  const dividing = () => making.mode === "borders";

  const mark = (cell, value) =>
    editor.change(layers.withMarks(editor.board, layers.marksOf(editor.board).with(cell, value)));
  const isFilled = (cell) => layers.filled(editor.board, editor.kind).has(cell);
  const fill = (cell) => editor.change(layers.withFilled(editor.board, editor.kind, cell));

  function putDot(place) {
    editor.change((making.mode === "ends" ? layers.withEndAt : layers.withHole)(editor.board, place));
    editor.moveDot(place);
  }

  // Return a player for strokes of lines, or of borders along the sides of cells. Each change replaces the previous
  // one, and applies to the board as it is now.
  function drawer() {
    const {board, cursor} = editor;
    const lattice = dividing() ? drawing.lattice.alongSides : drawing.lattice;
    const names = {fixed: layers.FIXED, borders: layers.BORDERS}[making.mode] ?? layers.SKETCH;
    return {
      board, cursor, drawing: {lattice}, marks: {edges: layers.layerMarks(board, lattice, names)},
      draw: (_, changes) => editor.change(layers.withLayers(board, lattice, names, changes), editor.board !== board),
      select: (cell) => editor.select(cell, false),
      get side() { return editor.side; },
      turn: (step) => editor.turnSide(step),
    };
  }

  // Mark all cells under the pointer alike, or fill them.
  function cells(place, step) {
    return new AreaStroke(drawer(), place, {
      areaAt: (at) => drawing.lattice.faceAt(at),
      first: (cell) => (making.mode === "mask" ? layers.nextMark(editor.board, cell, step) : !isFilled(cell)),
      put(changes, cell) {
        editor.select(cell, false);
        const value = changes.get(cell);
        if (making.mode === "mask") mark(cell, value);
        else if (isFilled(cell) !== value) fill(cell);
      },
    });
  }

  function begin(place, {button}) {
    const {lattice} = drawing;
    const right = button === 2;
    if (editor.dot) {
      const vertex = lattice.nearestVertex(place);
      // Endpoints stay on the border.
      const fits = making.mode === "fixed" || lattice.around[vertex]?.length < 4;
      if (vertex !== null && fits) putDot(lattice.place(vertex));
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
    } else if (editor.dot && enters) putDot(editor.dot);
    else if (mode === "mask" && key in MARK_KEYS) mark(cursor, MARK_KEYS[key]);
    else if (mode === "mask" && enters) mark(cursor, layers.nextMark(board, cursor, 1));
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

// Draw the marks of a player. `player` has active, marks, cursor, kind, board, drawing, lattice, tool, colours, sides,
// and the methods select, erase, draw (while a pointer is down), note, commit, cancel and cycle.
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

// Colour faces: change to the next colour, or mark them as outside and unmark them again.
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
  else if (player.tool === "note" && LETTER.test(key)) player.note((marks, cell) => withLetter(marks, cell, key));
  else if ([" ", "Enter"].includes(key)) player.cycle();
  else if (["Backspace", "Delete"].includes(key)) player.erase();
  else if (key === "Escape") player.cancel();
  else return false;
  return true;
}
