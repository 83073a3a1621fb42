// Keys and a pointer on the board, and what they draw: lines, crosses, sides of faces.
//
// `player`, for whom it is drawn, has: marks, drawing, and `draw`, which gets all changes since the
// pointer came down, whenever there is another one; and perhaps `isFixed`, for edges that stay as
// they are. For arrows also board, cursor, select, and perhaps `commit`; on boards that are not square the number
// of the chosen `side`, and `turn` to choose the next one (1) or the one before (-1).

import {ARROWS, NEAR, SIDES, far} from "./lattice.js";
import {CROSS, LINE, OPEN} from "./marks.js";

// So far a pointer is followed at a time.
const STRIDE = 0.15;

// Listens for the first of these hands that is `active()`, or the next one where that does not take a key. A hand has
// `key(event)`, true for what it takes; `begin(place, event)`, told where a pointer comes down, which may return a
// stroke; and perhaps `ended()` and `cancelled()`, told when a stroke is over.
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
    // Events on the way are told together with the last one, by some browsers.
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

// What an arrow with Shift, or with Alt, draws on a side of the cell under the cursor, or takes away when it is
// there. On squares that is the line, with Alt the cross, on the side to which the arrow leads. Elsewhere left
// and right choose a side, and up draws its line, down its cross.
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

// A line through cells takes the cursor along.
function put(player, edge, mark) {
  const {cursor, drawing: {lattice}} = player;
  toggle(player, edge, mark);
  player.commit?.();
  const along = lattice.throughCells && mark === LINE;
  player.select(along ? lattice.edges[edge].find((end) => end !== cursor) : cursor);
}

// A pointer moves in small steps, so that it passes no vertex by.
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

// Lines from vertex to vertex; going back takes the last one away. A click is one line; at a vertex, what
// `tapped` makes of it.
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
    // Where the pointer came down on an edge, this is the first one.
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
      // The first line says whether lines are drawn or taken away.
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

// The same for all areas that the pointer comes to, faces or cells: `areaAt` a place, or null;
// `first` what the first one becomes, and with it all others; `put` one more of these changes.
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

// Crosses on all edges that the pointer comes to; a line is crossed by a click only.
export const crossStroke = (player, place) => new AreaStroke(player, place, {
  areaAt(at) {
    const {edge, far: away} = this.lattice.nearestEdge(at);
    const passed = this.changes.size && player.marks.edges[edge] === LINE;
    return away > NEAR || this.isFixed(edge) || passed ? null : edge;
  },
  first: (edge) => (player.marks.edges[edge] === CROSS ? OPEN : CROSS),
  put: (changes) => player.draw("edges", changes),
});
