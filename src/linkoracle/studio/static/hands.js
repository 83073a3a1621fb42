// Handlers of keys and pointers on the board: for clues, for the other modes, and for players. Each is a hand, which
// `listen` calls. Strokes draw lines, crosses and colours.
//
// A `player` of strokes has marks, drawing, and `draw`, which receives all changes since the pointer came down, after
// each new one. Optional is `isFixed`, for edges that must not change. Arrow keys also need board, cursor and select;
// `commit` is optional. On boards that are not square they need `side`, the number of the chosen side, and `turn`,
// which chooses the next side (1) or the one before (-1).

import {joined} from "./board.js";
import {formsOf} from "./clues.js";
import {ARROWS, NEAR, SIDES, far, leads} from "./lattice.js";
import * as layers from "./layers.js";

const MARK_KEYS = {"#": "must", ".": "none", "?": "either", "Backspace": null, "Delete": null};
const LETTER = /^[\p{L}\p{N}]$/u;
// Distance between the points at which a moving pointer is followed.
const STRIDE = 0.15;

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
      drawSide(drawer(), key, shiftKey ? layers.LINE : layers.CROSS);
    } else if (fixed && ["Backspace", "Delete"].includes(key)) {
      drawer().draw("edges", drawing.lattice.sides(cursor).map(([, edge]) => [edge, layers.OPEN]));
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
    player.note(layers.withColour);
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
      return mark === layers.OUTSIDE ? layers.OPEN : layers.OUTSIDE;
    },
    put: (changes) => player.draw("faces", changes),
  });
}

function press(player, {key, ctrlKey, metaKey, shiftKey, altKey}) {
  if (ctrlKey || metaKey) return false;
  if (key in ARROWS && (shiftKey || altKey)) drawSide(player, key, shiftKey ? layers.LINE : layers.CROSS);
  else if (leads(key, player.board)) player.select(player.lattice.step(player.cursor, key));
  else if (player.tool === "note" && key === " ") player.note(layers.withColour);
  else if (player.tool === "note" && LETTER.test(key)) {
    player.note((marks, cell) => layers.withLetter(marks, cell, key));
  } else if ([" ", "Enter"].includes(key)) player.cycle();
  else if (["Backspace", "Delete"].includes(key)) player.erase();
  else if (key === "Escape") player.cancel();
  else return false;
  return true;
}

// Pass events to the first of these hands that is `active()`; a key that it does not handle goes to the next one.
// A hand has `key(event)`, which returns whether it handled the key, and `begin(place, event)`, called when a pointer
// comes down, which may return a stroke. Optional are `ended()` and `cancelled()`, called after a stroke.
export function listen(drawing, ...hands) {
  const {svg} = drawing;
  let [hand, stroke] = [null, null];
  svg.addEventListener("keydown", (event) => {
    if (hands.some((one) => one.active() && one.key(event))) event.preventDefault();
  });
  svg.addEventListener("pointerdown", (event) => {
    if (stroke) return;
    hand = hands.find((one) => one.active());
    if (!hand) return;
    event.preventDefault();
    svg.focus();
    svg.setPointerCapture(event.pointerId);
    stroke = hand.begin(drawing.placeOf(event), event);
  });
  svg.addEventListener("pointermove", (event) => {
    // Some browsers report several moves in one event.
    const all = event.getCoalescedEvents?.() ?? [];
    for (const one of all.length ? all : [event]) stroke?.to(drawing.placeOf(one));
  });
  const end = (work) => () => {
    const before = stroke;
    stroke = null;
    if (before) work(before);
  };
  svg.addEventListener("pointerup", end((before) => {
    before.end();
    hand.ended?.();
  }));
  svg.addEventListener("pointercancel", end(() => hand.cancelled?.()));
  svg.addEventListener("contextmenu", (event) => event.preventDefault());
}

// Draw or remove a mark on a side of the cell under the cursor, for an arrow with Shift or Alt. On squares the arrow
// names the side: Shift draws a line, Alt a cross. On other boards left and right choose a side, up draws its line,
// and down its cross.
function drawSide(player, key, mark) {
  const {board, cursor, drawing: {lattice}} = player;
  const sides = lattice.sides(cursor);
  if (!board.tiling) {
    const side = sides.find(([name]) => SIDES[key].includes(name));
    if (side) put(player, side[1], mark);
    return;
  }
  if (!sides.length) return;
  const [right, down] = ARROWS[key];
  player.turn(right);
  if (down) put(player, sides[player.side][1], down < 0 ? layers.LINE : layers.CROSS);
}

const toggle = (player, edge, mark) =>
  player.draw("edges", [[edge, player.marks.edges[edge] === mark ? layers.OPEN : mark]]);

// Toggle a mark on an edge; a line through cells moves the cursor along.
function put(player, edge, mark) {
  const {cursor, drawing: {lattice}} = player;
  toggle(player, edge, mark);
  player.commit?.();
  const along = lattice.throughCells && mark === layers.LINE;
  player.select(along ? lattice.edges[edge].find((end) => end !== cursor) : cursor);
}

// Follow a pointer in small steps, so that no vertex is missed.
class Stroke {
  constructor(player, place) {
    Object.assign(this, {player, place, lattice: player.drawing.lattice, changes: new Map()});
  }

  to(to) {
    const from = this.place ?? to;
    const way = far(from, to);
    for (let gone = STRIDE; gone < way; gone += STRIDE) {
      this.at([0, 1].map((axis) => from[axis] + ((to[axis] - from[axis]) * gone) / way));
    }
    this.at(to);
    this.place = to;
  }

  isFixed(edge) { return this.player.isFixed?.(edge) ?? false; }

  end() {}
}

// Draw lines from vertex to vertex; going back removes the last one. A click draws one line, or calls `tapped` at a
// vertex.
class LineStroke extends Stroke {
  constructor(player, place, tapped = null) {
    super(player, place);
    const [near, vertex] = [this.lattice.nearestEdge(place), this.lattice.nearestVertex(place)];
    Object.assign(this, {tapped, near, vertex, drawn: [], begun: place, farthest: 0});
  }

  at(place) {
    this.farthest = Math.max(this.farthest, far(place, this.begun));
    const vertex = this.lattice.nearestVertex(place);
    if (vertex === null || vertex === this.vertex) return;
    // If the pointer came down on an edge, that edge is the first one.
    const first = this.lattice.edges[this.near.edge]?.includes(vertex) ? this.near.edge : undefined;
    const edge = this.vertex === null ? first : this.lattice.joining(this.vertex, vertex);
    this.vertex = vertex;
    if (edge !== undefined) this.#pass(edge);
  }

  #pass(edge) {
    if (this.drawn.at(-1) === edge) {
      this.drawn.pop();
      this.changes.delete(edge);
    } else {
      this.drawn.push(edge);
      if (this.isFixed(edge)) return;
      // The first line decides whether lines are drawn or removed.
      this.value ??= this.player.marks.edges[edge] === layers.LINE ? layers.OPEN : layers.LINE;
      this.changes.set(edge, this.value);
    }
    this.player.draw("edges", this.changes);
  }

  end() {
    if (this.drawn.length || this.farthest > NEAR) return;
    if (this.tapped && this.vertex !== null) this.tapped(this.vertex);
    else if (this.near.far <= NEAR) toggle(this.player, this.near.edge, layers.LINE);
  }
}

// Give all areas under the pointer, faces or cells, the same value. `areaAt` returns the area at a place, or null;
// `first` returns the value for the first area; `put` applies each further change.
class AreaStroke extends Stroke {
  constructor(player, place, {areaAt, first, put}) {
    super(player, place);
    Object.assign(this, {areaAt, first, put});
    this.at(place);
  }

  at(place) {
    const area = this.areaAt(place);
    if (area === null || this.changes.has(area)) return;
    if (!this.changes.size) this.value = this.first(area);
    this.changes.set(area, this.value);
    this.put(this.changes, area);
  }
}

// Draw crosses on all edges under the pointer; only a click replaces a line.
const crossStroke = (player, place) => new AreaStroke(player, place, {
  areaAt(at) {
    const {edge, far: away} = this.lattice.nearestEdge(at);
    const passed = this.changes.size && player.marks.edges[edge] === layers.LINE;
    return away > NEAR || this.isFixed(edge) || passed ? null : edge;
  },
  first: (edge) => (player.marks.edges[edge] === layers.CROSS ? layers.OPEN : layers.CROSS),
  put: (changes) => player.draw("edges", changes),
});
