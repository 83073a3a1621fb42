// Draw lines, crosses and colours by keys and a pointer.
//
// `player` has marks, drawing, and `draw`, which receives all changes since the pointer came down, after each new one.
// Optional is `isFixed`, for edges that must not change. Arrow keys also need board, cursor and select; `commit` is
// optional. On boards that are not square they need `side`, the number of the chosen side, and `turn`, which chooses
// the next side (1) or the one before (-1).

import {ARROWS, NEAR, SIDES, far} from "./lattice.js";
import {CROSS, LINE, OPEN} from "./marks.js";

// Distance between the points at which a moving pointer is followed.
const STRIDE = 0.15;

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
export function drawSide(player, key, mark) {
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
  if (down) put(player, sides[player.side][1], down < 0 ? LINE : CROSS);
}

const toggle = (player, edge, mark) =>
  player.draw("edges", [[edge, player.marks.edges[edge] === mark ? OPEN : mark]]);

// Toggle a mark on an edge; a line through cells moves the cursor along.
function put(player, edge, mark) {
  const {cursor, drawing: {lattice}} = player;
  toggle(player, edge, mark);
  player.commit?.();
  const along = lattice.throughCells && mark === LINE;
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
export class LineStroke extends Stroke {
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
      this.value ??= this.player.marks.edges[edge] === LINE ? OPEN : LINE;
      this.changes.set(edge, this.value);
    }
    this.player.draw("edges", this.changes);
  }

  end() {
    if (this.drawn.length || this.farthest > NEAR) return;
    if (this.tapped && this.vertex !== null) this.tapped(this.vertex);
    else if (this.near.far <= NEAR) toggle(this.player, this.near.edge, LINE);
  }
}

// Give all areas under the pointer, faces or cells, the same value. `areaAt` returns the area at a place, or null;
// `first` returns the value for the first area; `put` applies each further change.
export class AreaStroke extends Stroke {
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
export const crossStroke = (player, place) => new AreaStroke(player, place, {
  areaAt(at) {
    const {edge, far: away} = this.lattice.nearestEdge(at);
    const passed = this.changes.size && player.marks.edges[edge] === LINE;
    return away > NEAR || this.isFixed(edge) || passed ? null : edge;
  },
  first: (edge) => (player.marks.edges[edge] === CROSS ? OPEN : CROSS),
  put: (changes) => player.draw("edges", changes),
});
