// What a pointer draws on its way over the lattice: lines, crosses, sides of faces.
//
// `player`, for whom it is drawn, has: marks, drawing, and `draw`, which gets all changes since the
// pointer came down, whenever there is another one; and perhaps `isFixed`, for edges that stay as
// they are.

import {CROSS, LINE, OPEN} from "./marks.js";

// How near to an edge, or to a vertex, a pointer belongs to it, in sides of a cell.
export const NEAR = 0.36;
// So near to a vertex, no edge is meant.
const UNSURE = 0.2;
// So far a pointer is followed at a time.
const STRIDE = 0.15;

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

// Lines from vertex to vertex; going back takes the last one away. A click is one line.
export class LineStroke extends Stroke {
  constructor(player, place, near) {
    super(player, place);
    this.near = near;
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
    if (this.drawn.length || this.farthest > NEAR || far > NEAR) return;
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

// The side of all faces that the pointer comes to.
export class ColourStroke extends Stroke {
  constructor(player, place, value) {
    super(player, place);
    this.value = value;
    this.at(place);
  }

  at(place) {
    const face = faceAt(this.lattice, place);
    if (face === null || this.changes.has(face)) return;
    const mark = this.player.marks.faces[face];
    if (this.value === null) this.value = (mark + 1) % 3;
    else if (!this.changes.size && mark === this.value) this.value = OPEN;
    this.changes.set(face, this.value);
    this.player.draw("faces", this.changes);
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

function faceAt(lattice, [row, col]) {
  const [r, c] = [Math.floor(row), Math.floor(col)];
  const inside = r >= 0 && c >= 0 && r < lattice.rows - 1 && c < lattice.cols - 1;
  return inside ? r * (lattice.cols - 1) + c : null;
}
