// What a pointer draws on its way over the lattice, lines, crosses, sides of faces; and what arrows draw.
//
// `player`, for whom it is drawn, has: marks, drawing, and `draw`, which gets all changes since the
// pointer came down, whenever there is another one; and perhaps `isFixed`, for edges that stay as
// they are. For arrows also board, kind, cursor, select, and perhaps `commit`.

import {ARROWS, sideBy, sidesOf} from "./lattice.js";
import {CROSS, LINE, OPEN} from "./marks.js";

// How near to an edge, or to a vertex, a pointer belongs to it, in sides of a cell.
export const NEAR = 0.36;
// So near to a vertex, no edge is meant.
const UNSURE = 0.2;
// So far a pointer is followed at a time.
const STRIDE = 0.15;

// Listens to events before anybody else, while `active()`: what `work` takes is told to nobody more.
export const capturing = (svg, active) => (name, work) => svg.addEventListener(name, (event) => {
  if (!active() || !work(event)) return;
  event.stopImmediatePropagation();
  event.preventDefault();
}, {capture: true});

// Listens to a pointer while `active()`: `begin`, told where it comes down, may return a stroke.
export function listenToStrokes(svg, drawing, active, begin, ended = () => {}, cancelled = () => {}) {
  let stroke = null;
  const on = capturing(svg, () => stroke !== null || active());

  function end(name, work) {
    on(name, () => {
      const before = stroke;
      stroke = null;
      if (before) work(before);
      return true;
    });
  }

  on("pointerdown", (event) => {
    if (stroke) return true;
    svg.focus();
    svg.setPointerCapture(event.pointerId);
    stroke = begin(drawing.placeOf(event), event.button === 2);
    return true;
  });
  on("pointermove", (event) => {
    // Events on the way are told together with the last one, by some browsers.
    const all = event.getCoalescedEvents?.() ?? [];
    for (const one of all.length ? all : [event]) stroke?.to(drawing.placeOf(one));
    return true;
  });
  end("pointerup", (before) => {
    before.end();
    ended();
  });
  end("pointercancel", cancelled);
}

// The line or the cross on the side of the cell under the cursor to which an arrow leads, or none when
// it is there. A line through cells takes the cursor along.
export function drawSide(player, key, mark) {
  const {board, kind, cursor, drawing, marks} = player;
  const side = sideBy(key, sidesOf(drawing.lattice, board, kind, cursor));
  if (!side) return;
  const [, edge] = side;
  player.draw("edges", [[edge, marks.edges[edge] === mark ? OPEN : mark]]);
  player.commit?.();
  const [down, right] = ARROWS[key];
  const along = kind.throughCells && mark === LINE;
  player.select(along ? cursor + down * board.cols + right : cursor);
}

// A pointer moves in small steps, so that it passes no vertex by.
class Stroke {
  constructor(player, place) {
    this.player = player;
    this.lattice = player.drawing.lattice;
    this.place = place;
    this.changes = new Map();
  }

  to([row, col]) {
    const [from, to] = [this.place ?? [row, col], [row, col]];
    const far = Math.hypot(to[0] - from[0], to[1] - from[1]);
    for (let gone = STRIDE; gone < far; gone += STRIDE) {
      this.at([0, 1].map((axis) => from[axis] + ((to[axis] - from[axis]) * gone) / far));
    }
    this.at(to);
    this.place = to;
  }

  isFixed(edge) { return this.player.isFixed?.(edge) ?? false; }

  end() {}
}

// Lines from vertex to vertex; going back takes the last one away. A click is one line; at a vertex, what
// `tapped` makes of it.
export class LineStroke extends Stroke {
  constructor(player, place, near, tapped = null) {
    super(player, place);
    this.near = near;
    this.tapped = tapped;
    this.vertex = nearestVertex(this.lattice, place);
    this.drawn = [];
    this.begun = place;
    this.farthest = 0;
  }

  at(place) {
    this.farthest = Math.max(this.farthest,
      Math.hypot(place[0] - this.begun[0], place[1] - this.begun[1]));
    const vertex = nearestVertex(this.lattice, place);
    if (vertex === null || vertex === this.vertex) return;
    const edge = this.vertex === null
      ? this.#firstTo(vertex) : between(this.lattice, this.vertex, vertex);
    this.vertex = vertex;
    if (edge !== undefined) this.#pass(edge);
  }

  // Where the pointer came down on an edge, this is the first one.
  #firstTo(vertex) {
    const [r, c, r2, c2] = this.lattice.edges[this.near.edge] ?? [];
    const {cols} = this.lattice;
    return [r * cols + c, r2 * cols + c2].includes(vertex) ? this.near.edge : undefined;
  }

  #pass(edge) {
    if (this.drawn.at(-1) === edge) {
      this.drawn.pop();
      this.changes.delete(edge);
    } else {
      this.drawn.push(edge);
      if (this.isFixed(edge)) return;
      // The first line says whether lines are drawn or taken away.
      this.value ??= this.player.marks.edges[edge] === LINE ? OPEN : LINE;
      this.changes.set(edge, this.value);
    }
    this.player.draw("edges", this.changes);
  }

  end() {
    const {edge, far} = this.near;
    if (this.drawn.length || this.farthest > NEAR) return;
    if (this.tapped && this.vertex !== null) {
      this.tapped(this.vertex);
      return;
    }
    if (far > NEAR) return;
    const mark = this.player.marks.edges[edge];
    this.player.draw("edges", [[edge, mark === LINE ? OPEN : LINE]]);
  }
}

// Crosses on all edges that the pointer comes to.
export class CrossStroke extends Stroke {
  constructor(player, near) {
    super(player, null);
    this.#mark(near);
  }

  at(place) {
    this.#mark(nearestEdge(this.lattice, place));
  }

  #mark({edge, far}) {
    if (far > NEAR || this.isFixed(edge)) return;
    const mark = this.player.marks.edges[edge];
    this.value ??= mark === CROSS ? OPEN : CROSS;
    // A line is crossed by a click only.
    if (mark === LINE && this.changes.size) return;
    this.changes.set(edge, this.value);
    this.player.draw("edges", this.changes);
  }
}

// The same for all squares that the pointer comes to, faces or cells: `squareAt` a place, or null;
// `first` what the first one becomes, and with it all others; `put` one more of these changes.
export class SquareStroke extends Stroke {
  constructor(player, place, {squareAt, first, put}) {
    super(player, place);
    Object.assign(this, {squareAt, first, put});
    this.at(place);
  }

  at(place) {
    const square = this.squareAt(place);
    if (square === null || this.changes.has(square)) return;
    if (!this.changes.size) this.value = this.first(square);
    this.changes.set(square, this.value);
    this.put(this.changes, square);
  }
}

// The edge that is nearest to a place, a row and a column of the lattice, and how far it is. None
// where several meet.
export function nearestEdge(lattice, [row, col]) {
  let found = {edge: undefined, far: Infinity};
  if (Math.hypot(row - Math.round(row), col - Math.round(col)) < UNSURE) return found;
  for (const one of [Math.floor(row), Math.floor(row) + 1]) {
    for (const other of [Math.floor(col), Math.floor(col) + 1]) {
      if (one < 0 || other < 0 || other >= lattice.cols) continue;
      const vertex = one * lattice.cols + other;
      const edges = [[lattice.right.get(vertex), 0, 1], [lattice.down.get(vertex), 1, 0]];
      for (const [edge, down, right] of edges) {
        if (edge === undefined) continue;
        const away = (at, from, length) => Math.max(from - at, at - from - length, 0);
        const far = Math.hypot(away(row, one, down), away(col, other, right));
        if (far < found.far) found = {edge, far};
      }
    }
  }
  return found;
}

export function nearestVertex(lattice, [row, col]) {
  const [r, c] = [Math.round(row), Math.round(col)];
  if (r < 0 || c < 0 || r >= lattice.rows || c >= lattice.cols) return null;
  return Math.hypot(row - r, col - c) > NEAR ? null : r * lattice.cols + c;
}

function between(lattice, one, other) {
  const [first, second] = [Math.min(one, other), Math.max(one, other)];
  if (second === first + lattice.cols) return lattice.down.get(first);
  return second === first + 1 ? lattice.right.get(first) : undefined;
}

// The square at a place on so many rows and columns of them; null outside.
export function squareAt([row, col], rows, cols) {
  const [r, c] = [Math.floor(row), Math.floor(col)];
  return r >= 0 && c >= 0 && r < rows && c < cols ? r * cols + c : null;
}
