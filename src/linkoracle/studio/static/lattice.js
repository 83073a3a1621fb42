// The geometry of boards: where lines run and cells lie. The unit is the side of a square cell, or the mean side on
// other boards; x points right, y down. Edges and cells have the numbers that the library gives them.

// Greatest distance between a pointer and its vertex or edge, in sides of a cell, scaled down in small cells.
export const NEAR = 0.36;
// Distance to a vertex below which a pointer belongs to no edge.
const UNSURE = 0.2;
// For arrow keys: greatest ratios of sideways to forward distance, tried in turn; the cost of sideways distance from
// the line; and the tolerance of equal distances.
const [ASIDE, BESIDE, SAME] = [[1, 3], 0.3, 1e-3];
// Number of boards that are remembered, and the rows and columns of squares that smaller boards are parts of.
const KNOWN = 24;
const SMALL = 20;

// Steps of the arrow keys in columns and rows, clockwise; then the names of sides of squares, and of ways out of them.
export const ARROWS = {
  ArrowUp: [0, -1], ArrowRight: [1, 0], ArrowDown: [0, 1], ArrowLeft: [-1, 0],
};
export const SIDES = {
  ArrowUp: ["top", "up"], ArrowRight: ["right", "right"], ArrowDown: ["bottom", "down"], ArrowLeft: ["left", "left"],
};

// On boards that are not square, arrows may not reach every cell: these keys visit all cells in order.
const PAGES = {PageDown: 1, PageUp: -1};
// Return whether a key moves the cursor to another cell of a board.
export const leads = (key, {tiling}) => key in ARROWS || (Boolean(tiling) && key in PAGES);

export class Lattice {
  // The last arrow key: the cell that it led to, its axis, and its line across the board.
  #track = {};

  // `geometry` is what `geometry` of the library returns: width, height, corners, cells, middles, rooms, edges and, if
  // lines run through cells, faces and bends. `across` is the number of vertices in a row of squares, 0 elsewhere.
  constructor(geometry, across) {
    const {width, height, corners, cells: walks, middles, rooms, edges, faces = walks, bends} = geometry;
    const points = bends ? middles : corners;
    const cells = walks.map((walk, cell) =>
      ({corners: walk.map((corner) => corners[corner]), middle: middles[cell], room: rooms[cell]}));
    Object.assign(this, {geometry, across, width, height, points, edges, faces, cells, throughCells: Boolean(bends)});
    this.joined = new Map(edges.map(([one, other], edge) => [pairOf(one, other), edge]));
    // The points along each edge, the edges at each vertex, the edges of each face, and the faces beside each edge.
    this.ways = edges.map(([one, other], edge) =>
      [points[one], ...(bends ? [bends[edge]] : []), points[other]]);
    this.around = points.map(() => []);
    edges.forEach((ends, edge) => ends.forEach((end) => this.around[end].push(edge)));
    this.faceEdges = faces.map((walk) => walk.map((one, at) => this.joining(walk.at(at - 1), one)));
    this.beside = edges.map(() => []);
    this.faceEdges.forEach((along, face) => along.forEach((edge) => this.beside[edge].push(face)));
    const lengths = this.ways.map((way) => far(way[0], way.at(-1)));
    // Factors, 1 on squares, by which `NEAR` shrinks at vertices and edges.
    const room = (vertex) => (this.throughCells ? 1.5 * cells[vertex].room : Infinity);
    this.scales = points.map((_, vertex) =>
      Math.min(room(vertex), ...this.around[vertex].map((edge) => lengths[edge])));
    this.edgeScales = edges.map((_, edge) => (this.throughCells ? lengths[edge]
      : Math.min(1, ...this.beside[edge].map((face) => cells[face].room))));
  }

  // The lattice whose lines run along the sides of the same cells; it numbers its edges in its own order.
  get alongSides() {
    const {faces: _, bends: __, ...others} = this.geometry;
    const sides = others.cells.flatMap((walk) => walk.map((one, at) => [one, walk.at(at - 1)]));
    const edges = [...new Map(sides.map((ends) => [pairOf(...ends), ends])).values()];
    const value = new Lattice({...others, edges}, this.across && this.across + 1);
    Object.defineProperty(this, "alongSides", {value});
    return value;
  }

  // Boards name a vertex by its row and column, or by its number on boards that are not square.
  vertex(place) { return this.across ? place[0] * this.across + place[1] : place; }

  place(vertex) { return this.across ? [Math.floor(vertex / this.across), vertex % this.across] : vertex; }

  // Return the ends of an edge as boards name them.
  ends(edge) { return this.edges[edge].map((end) => this.place(end)); }

  // Return the edge between two vertices as boards name them.
  between(one, other) { return this.joining(this.vertex(one), this.vertex(other)); }

  // Return the edge between two neighbouring vertices.
  joining(one, other) { return this.joined.get(pairOf(one, other)); }

  // Return the vertex near a place, or null.
  nearestVertex(place) {
    const away = this.points.map((point, vertex) => far(point, place) / this.scales[vertex]);
    const least = Math.min(...away);
    return least <= NEAR ? away.indexOf(least) : null;
  }

  // Return the edge nearest to a place, and its distance in sides of a square; the edge is -1 near a vertex, where
  // several edges meet.
  nearestEdge(place) {
    const several = this.points.some((point, at) => far(point, place) < UNSURE * this.scales[at]);
    const away = several ? [] : this.ways.map((way, edge) => farFrom(way, place) / this.edgeScales[edge]);
    const least = Math.min(...away);
    return {edge: away.indexOf(least), far: least};
  }

  // Return the cell at a place, or the nearest cell.
  cellAt(place) {
    const away = this.cells.map(({corners}) => farFrom([...corners, corners[0]], place));
    return this.faceAt(place) ?? away.indexOf(Math.min(...away));
  }

  // Return the cell at a place, or with `between` the face between lines; null outside.
  faceAt(place, between = false) {
    const areas = between ? this.faces.map((walk) => walk.map((one) => this.points[one]))
      : this.cells.map(({corners}) => corners);
    const found = areas.findIndex((corners) => isWithin(corners.map((one, at) => [one, corners.at(at - 1)]), place));
    return found < 0 ? null : found;
  }

  // Return a list of the pair of cells beside an edge of a square board; empty at the border.
  cellsBeside(edge) {
    const cells = this.beside[edge].map((face) => [Math.floor(face / this.width), face % this.width]);
    return cells.length < 2 ? [] : [cells];
  }

  // Return the edges around a cell, or from it to its neighbours, each with its name, clockwise from the top. Names
  // are clock positions on boards that are not square.
  sides(cell) {
    const {middle: [x, y]} = this.cells[cell];
    const edges = this.throughCells ? this.around[cell] : this.faceEdges[cell];
    const turn = (edge) => {
      const [x2, y2] = this.middleOf(edge);
      const angle = Math.atan2(x2 - x, y - y2);
      return angle < -1e-6 ? angle + 2 * Math.PI : Math.max(angle, 0);
    };
    const hour = (edge) => Math.round((6 * turn(edge)) / Math.PI) % 12;
    const square = (at) => Object.values(SIDES)[at / 3][Number(this.throughCells)];
    const name = (at) => (this.across ? square(at) : `${at || 12} o'clock`);
    return edges.toSorted((one, other) => turn(one) - turn(other)).map((edge) => [name(hour(edge)), edge]);
  }

  // Return where an edge crosses the side between two cells, or its middle.
  middleOf(edge) {
    const way = this.ways[edge];
    return way.length > 2 ? way[1] : [0, 1].map((axis) => (way[0][axis] + way[1][axis]) / 2);
  }

  // Return the cell that a key leads to. Page keys follow the numbers of cells. Arrows lead to the nearest cell ahead,
  // along the line of the previous arrows of the same axis; at the border they stay on the same cell.
  step(cell, key) {
    if (key in PAGES) return (cell + PAGES[key] + this.cells.length) % this.cells.length;
    const [right, down] = ARROWS[key];
    const axis = right ? 0 : 1;
    const {middle} = this.cells[cell];
    const track = this.#track;
    const line = track.cell === cell && track.axis === axis ? track.line : middle[1 - axis];
    const forth = right + down;
    let [found, least] = [cell, Infinity];
    for (const aside of ASIDE) {
      if (found !== cell) break;
      this.cells.forEach(({middle: other}, number) => {
        const [along, across] = [axis, 1 - axis].map((one) => (other[one] - middle[one]) * forth);
        if (along < SAME || Math.abs(across) > aside * along + SAME / 10) return;
        // Of two equally near cells take the one to the right of the arrow, so that both can be reached.
        const cost = Math.hypot(along, across) + BESIDE * Math.abs(other[1 - axis] - line) -
          SAME * (axis ? -across : across);
        if (cost < least - SAME / 10) [found, least] = [number, cost];
      });
    }
    this.#track = {cell: found, axis, line};
    return found;
  }

  // Return the cells whose middles lie in the rectangle between the middles of two cells.
  rectangle(one, other) {
    const [[x, y], [x2, y2]] = [one, other].map((cell) => this.cells[cell].middle);
    const between = (at, from, to) => at > Math.min(from, to) - 1e-6 && at < Math.max(from, to) + 1e-6;
    return this.cells.flatMap(({middle}, cell) =>
      (between(middle[0], x, x2) && between(middle[1], y, y2) ? [cell] : []));
  }

  // Return the cells inside the loops of these edges.
  inside(edges) {
    const sides = edges.map((edge) => this.ways[edge]);
    return this.cells.flatMap(({middle}, cell) => (isWithin(sides, middle) ? [cell] : []));
  }
}

const pairOf = (one, other) => (one < other ? `${one} ${other}` : `${other} ${one}`);
export const far = ([x, y], [x2, y2]) => Math.hypot(x - x2, y - y2);

// Return the distance from a place to a line through points.
function farFrom(way, [x, y]) {
  let least = Infinity;
  for (let at = 1; at < way.length; at++) {
    const [[ax, ay], [bx, by]] = [way[at - 1], way[at]];
    const [dx, dy] = [bx - ax, by - ay];
    const along = Math.min(Math.max(((x - ax) * dx + (y - ay) * dy) / (dx * dx + dy * dy || 1), 0), 1);
    least = Math.min(least, Math.hypot(x - ax - along * dx, y - ay - along * dy));
  }
  return least;
}

// Return whether a place is inside these sides: an odd number of sides lies to the right of it.
const isWithin = (sides, [x, y]) => sides.filter(([[ax, ay], [bx, by]]) =>
  (ay > y) !== (by > y) && x < ((bx - ax) * (y - ay)) / (by - ay) + ax).length % 2 === 1;

// Return the part of a geometry of squares that is in its first rows and columns. Numbers keep their order.
function partOf(geometry, height, width) {
  const within = (places) => new Map(places.map(([x, y], at) => [at, x <= width && y <= height])
    .filter(([, inside]) => inside).map(([at], number) => [at, number]));
  const [corners, middles] = [within(geometry.corners), within(geometry.middles)];
  const ofMap = (values, numbers) => values.filter((_, at) => numbers.has(at));
  const renumbered = (lists, numbers) => lists.map((list) => list.map((one) => numbers.get(one)));
  const whole = (list) => !list.includes(undefined);
  const ends = renumbered(geometry.edges, geometry.bends ? middles : corners);
  const found = {width, height, corners: ofMap(geometry.corners, corners), edges: ends.filter(whole),
    cells: renumbered(ofMap(geometry.cells, middles), corners), middles: ofMap(geometry.middles, middles),
    rooms: ofMap(geometry.rooms, middles)};
  return geometry.bends ? {...found, bends: geometry.bends.filter((_, edge) => whole(ends[edge])),
    faces: renumbered(geometry.faces, middles).filter(whole)} : found;
}

// Geometries by the words of their boards, and lattices by their boards; the last used at the end.
const [known, lattices] = [new Map(), new Map()];

// Return the words of the board whose geometry the library is asked for. Small squares are part of one board.
export function wordsOf({tiling, rows, cols}) {
  return tiling ?? (Math.max(rows, cols) <= SMALL ? `square ${SMALL} ${SMALL}` : `square ${rows} ${cols}`);
}

const named = (words, {throughCells, diagonal}) =>
  `${diagonal ? "across" : throughCells ? "through" : "around"} ${words}`;

// Return whether the geometry of a board is known.
export const isKnown = (board, kind) => known.has(named(wordsOf(board), kind));

// Remember the geometry of a board.
export const learn = (board, kind, geometry) => keep(known, named(wordsOf(board), kind), geometry);

function keep(map, name, value) {
  map.delete(name);
  map.set(name, value);
  for (const [oldest] of map) {
    if (map.size <= KNOWN) break;
    map.delete(oldest);
  }
  return value;
}

export function latticeOf(board, kind) {
  const {tiling, rows, cols} = board;
  const name = named(tiling ?? `${rows} ${cols}`, kind);
  if (lattices.has(name)) return keep(lattices, name, lattices.get(name));
  if (!isKnown(board, kind)) throw new Error(`the geometry of ${wordsOf(board)} is not known`);
  const geometry = learn(board, kind, known.get(named(wordsOf(board), kind)));
  return keep(lattices, name, tiling ? new Lattice(geometry, 0)
    : new Lattice(partOf(geometry, rows, cols), cols + (kind.throughCells ? 0 : 1)));
}
