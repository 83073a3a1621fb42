// Where lines run and cells lie, on squares and on all other boards. A unit is the side of a square cell, on
// other boards the mean side; x leads to the right, y down. Edges and cells are numbered as the library
// numbers them.

// How near to a vertex, or to an edge, a pointer belongs to it, in sides of a cell, or what of these there is
// room for.
export const NEAR = 0.36;
// So near to a vertex, no edge is meant.
const UNSURE = 0.2;
// Which cells an arrow leads to: how far they may be to the side of it, by how far they are ahead, if there are
// none nearer to it; how much farther than they are those seem that are beside the line; and what is the same.
const [ASIDE, BESIDE, SAME] = [[1, 3], 0.3, 1e-3];
// So many boards are remembered.
const KNOWN = 24;

// Columns and rows to which arrows lead, clockwise, and the names of sides of squares, or of ways out of them.
export const ARROWS = {
  ArrowUp: [0, -1], ArrowRight: [1, 0], ArrowDown: [0, 1], ArrowLeft: [-1, 0],
};
export const SIDES = {
  ArrowUp: ["top", "up"], ArrowRight: ["right", "right"], ArrowDown: ["bottom", "down"], ArrowLeft: ["left", "left"],
};

// Elsewhere than on squares an arrow may pass a cell by: these keys go to all of them in their order.
const PAGES = {PageDown: 1, PageUp: -1};
// Whether a key leads to another cell of a board.
export const leads = (key, {tiling}) => key in ARROWS || (Boolean(tiling) && key in PAGES);

export class Lattice {
  // Of an arrow that was pressed before: the cell to which it led, its axis, and the line along which.
  #track = {};

  // `told` is what `geometry` of the library says of a board: width, height, points, edges, faces, cells and,
  // if lines run through cells, bends; of rows and columns also how many vertices are in a row, `across`.
  constructor(told) {
    Object.assign(this, told);
    const {points, edges, faces, cells} = this;
    this.throughCells = Boolean(told.bends);
    this.joined = new Map(edges.map(([one, other], edge) => [pairOf(one, other), edge]));
    // The points along each edge, the edges at each vertex, along each face, and the faces beside each edge.
    this.ways = edges.map(([one, other], edge) =>
      [points[one], ...(told.bends ? [told.bends[edge]] : []), points[other]]);
    this.around = points.map(() => []);
    edges.forEach((ends, edge) => ends.forEach((end) => this.around[end].push(edge)));
    this.faceEdges = faces.map((walk) => walk.map((one, at) => this.joining(walk.at(at - 1), one)));
    this.beside = edges.map(() => []);
    this.faceEdges.forEach((along, face) => along.forEach((edge) => this.beside[edge].push(face)));
    const lengths = this.ways.map((way) => far(way[0], way.at(-1)));
    // How much smaller than on squares what is near is, at vertices and edges.
    const room = (vertex) => (this.throughCells ? 1.5 * cells[vertex].room : Infinity);
    this.scales = points.map((_, vertex) =>
      Math.min(room(vertex), ...this.around[vertex].map((edge) => lengths[edge])));
    this.edgeScales = edges.map((_, edge) => (this.throughCells ? lengths[edge]
      : Math.min(1, ...this.beside[edge].map((face) => cells[face].room))));
  }

  // How boards name a vertex: by its row and column, where these are, else by its number.
  vertex(place) { return this.across ? place[0] * this.across + place[1] : place; }

  place(vertex) { return this.across ? [Math.floor(vertex / this.across), vertex % this.across] : vertex; }

  // The ends of an edge as boards name them, and the edge between two of these.
  ends(edge) { return this.edges[edge].map((end) => this.place(end)); }

  between(one, other) { return this.joining(this.vertex(one), this.vertex(other)); }

  // The edge between two neighbouring vertices.
  joining(one, other) { return this.joined.get(pairOf(one, other)); }

  // The vertex at a place, null if none is near.
  nearestVertex(place) {
    const away = this.points.map((point, vertex) => far(point, place) / this.scales[vertex]);
    const least = Math.min(...away);
    return least <= NEAR ? away.indexOf(least) : null;
  }

  // The edge that is nearest to a place, and how far it is, where 1 is what a side of a square is: -1, which is
  // no edge, where several meet.
  nearestEdge(place) {
    const several = this.points.some((point, at) => far(point, place) < UNSURE * this.scales[at]);
    const away = several ? [] : this.ways.map((way, edge) => farFrom(way, place) / this.edgeScales[edge]);
    const least = Math.min(...away);
    return {edge: away.indexOf(least), far: least};
  }

  // The cell at a place, or the nearest one.
  cellAt(place) {
    const away = this.cells.map(({corners}) => farFrom([...corners, corners[0]], place));
    return this.faceAt(place) ?? away.indexOf(Math.min(...away));
  }

  // The cell at a place, or with `between` what lies between lines; null outside.
  faceAt(place, between = false) {
    const areas = between ? this.faces.map((walk) => walk.map((one) => this.points[one]))
      : this.cells.map(({corners}) => corners);
    const found = areas.findIndex((corners) => isWithin(corners.map((one, at) => [one, corners.at(at - 1)]), place));
    return found < 0 ? null : found;
  }

  // The cells at both sides of an edge among rows and columns of dots, as one pair; nothing at the rim.
  cellsBeside(edge) {
    const cells = this.beside[edge].map((face) => [Math.floor(face / this.width), face % this.width]);
    return cells.length < 2 ? [] : [cells];
  }

  // The edges by which a cell is told, with their names: around it, or from it to its neighbours; clockwise
  // from the top, named as on a clock where there are no rows and columns.
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

  // Where an edge is crossed by the side between two cells, or lies in the middle.
  middleOf(edge) {
    const way = this.ways[edge];
    return way.length > 2 ? way[1] : [0, 1].map((axis) => (way[0][axis] + way[1][axis]) / 2);
  }

  // The cell to which a key leads: in order of numbers, or an arrow to the nearest one in its direction, along the
  // line on which arrows of the same axis have led here. The same cell at the border.
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
        // Of two cells alike the one to the right, as the arrow looks: so there are ways to both.
        const cost = Math.hypot(along, across) + BESIDE * Math.abs(other[1 - axis] - line) -
          SAME * (axis ? -across : across);
        if (cost < least - SAME / 10) [found, least] = [number, cost];
      });
    }
    this.#track = {cell: found, axis, line};
    return found;
  }

  // The cells whose middles lie in the rectangle between those of two cells.
  rectangle(one, other) {
    const [[x, y], [x2, y2]] = [one, other].map((cell) => this.cells[cell].middle);
    const between = (at, from, to) => at > Math.min(from, to) - 1e-6 && at < Math.max(from, to) + 1e-6;
    return this.cells.flatMap(({middle}, cell) =>
      (between(middle[0], x, x2) && between(middle[1], y, y2) ? [cell] : []));
  }

  // The cells inside of loops along the sides of cells, of these edges.
  inside(edges) {
    const sides = edges.map((edge) => this.ways[edge]);
    return this.cells.flatMap(({middle}, cell) => (isWithin(sides, middle) ? [cell] : []));
  }
}

const pairOf = (one, other) => (one < other ? `${one} ${other}` : `${other} ${one}`);
export const far = ([x, y], [x2, y2]) => Math.hypot(x - x2, y - y2);

// How far a place is from a line through points.
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

// Whether a place is inside of these sides: it sees an odd number of them to the right.
const isWithin = (sides, [x, y]) => sides.filter(([[ax, ay], [bx, by]]) =>
  (ay > y) !== (by > y) && x < ((bx - ax) * (y - ay)) / (by - ay) + ax).length % 2 === 1;

// Rows and columns of dots, or of cells if lines run through these, as `geometry` would say it.
function squares(rows, cols, throughCells) {
  const [less, half] = throughCells ? [0, 0.5] : [1, 0];
  const [down, across] = [rows + less, cols + less];
  const grid = (height, width, part) => Array.from({length: height * width}, (_, at) =>
    part(Math.floor(at / width), at % width));
  const at = (row, col) => row * across + col;
  const points = grid(down, across, (row, col) => [col + half, row + half]);
  const edges = grid(down, across, (row, col) => [[row, col + 1], [row + 1, col]]
    .filter(([row2, col2]) => row2 < down && col2 < across).map((end) => [at(row, col), at(...end)])).flat();
  const corners = (row, col) => [[row, col], [row, col + 1], [row + 1, col + 1], [row + 1, col]];
  const faces = grid(down - 1, across - 1, (row, col) => corners(row, col).map((place) => at(...place)));
  const cells = grid(rows, cols, (row, col) => ({
    corners: corners(row, col).map((place) => place.toReversed()), middle: [col + 0.5, row + 0.5], room: 1,
  }));
  const between = ([one, other]) => [0, 1].map((axis) => (points[one][axis] + points[other][axis]) / 2);
  const told = {width: cols, height: rows, across, points, edges, faces, cells};
  return throughCells ? {...told, bends: edges.map(between)} : told;
}

// Boards by their size, or their words, those used last at the end.
const known = new Map();

const nameOf = ({tiling, rows, cols}, {throughCells}) =>
  `${throughCells ? "through" : "around"} ${tiling ?? `${rows} ${cols}`}`;

// Whether it is known where the parts of a board are. Of squares it always is.
export const isKnown = (board, kind) => !board.tiling || known.has(nameOf(board, kind));

// From now on it is known where the parts of a board are.
export const learn = (board, kind, told) => keep(nameOf(board, kind), new Lattice(told));

function keep(name, lattice) {
  known.delete(name);
  known.set(name, lattice);
  for (const [oldest] of known) {
    if (known.size <= KNOWN) break;
    known.delete(oldest);
  }
  return lattice;
}

export function latticeOf(board, kind) {
  const name = nameOf(board, kind);
  if (!isKnown(board, kind)) throw new Error(`it is not known where the parts of ${board.tiling} are`);
  return keep(name, known.get(name) ?? new Lattice(squares(board.rows, board.cols, kind.throughCells)));
}
