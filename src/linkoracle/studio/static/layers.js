// What lies on a board besides its clues: layers of edges, dots, and a mask; and the marks of a player, with the rules.
// Boards and marks are never changed.
//
// Edges: given lines and crosses (`forbidden`) are pairs of vertices. On boards that are not square, vertices are
// numbers. `borders` of regions are pairs of the cells beside them, drawn along the edges of a lattice of dots.
// `sketch` is a loop or path drawn by hand, the target solution of a new puzzle. It is a list of edges, kept beside the
// points of the board. A loop between cells is drawn by filling the cells inside.
//
// Dots: missing ones (`holes`), and the `ends` of a path. All points are kept in reading order.
//
// The mask says which cells get a clue. `marks` has one entry for each cell: "must", "none", "either", or null if the
// cell is unmarked.
//
// The marks of a player are {edges, faces}. Each edge is open, a line or a cross, and each face is open, inside or
// outside. If the kind shades cells, the faces are cells, shaded or not. `notes` are colours and texts of cells, which
// the rules ignore.

import {latticeOf} from "./lattice.js";

export const OPEN = 0;
export const LINE = 1;
export const CROSS = 2;
export const INSIDE = 1;
export const OUTSIDE = 2;
// Number of colours for pieces of lines.
const COLOURS = 8;
// Number of colours of a note, including none.
const NOTES = 5;

// The mark of the edges in each layer.
const LAYERS = {given: LINE, forbidden: CROSS, borders: LINE, sketch: LINE};
// Groups of layers that are drawn together.
export const FIXED = ["given", "forbidden"];
export const BORDERS = ["borders"];
export const SKETCH = ["sketch"];
const MARKS = [null, "must", "either", "none"];

// Compare vertices or edges by reading order.
export function inOrder(one, other) {
  const [first, second] = [one.flat(), other.flat()];
  const at = first.findIndex((part, place) => part !== second[place]);
  return at < 0 ? 0 : first[at] - second[at];
}

export const samePlace = ([row, col], [row2, col2]) => row === row2 && col === col2;

// Return points without empty lists, after `change` has mapped each list and its name to a new list.
export const withoutEmpty = (points, change = (found) => found) => Object.fromEntries(Object.entries(points)
  .map(([name, found]) => [name, change(found, name)]).filter(([, found]) => found.length));

// Return the ends of the side between two neighbouring cells.
export const cornersBetween = ([row, col], [row2, col2]) =>
  [[Math.max(row, row2), Math.max(col, col2)], [Math.min(row, row2) + 1, Math.min(col, col2) + 1]];

function edgesOf(board, lattice, name) {
  if (name === "sketch") return board.sketch ?? [];
  return (board.points[name] ?? []).map((pair) =>
    lattice.between(...(name === "borders" ? cornersBetween(...pair) : pair)));
}

// Return the mark of each edge in these layers: open, a line or a border, or a cross.
export function layerMarks(board, lattice, names) {
  const marks = Array(lattice.edges.length).fill(OPEN);
  for (const name of names) for (const edge of edgesOf(board, lattice, name)) marks[edge] = LAYERS[name];
  return marks;
}

// Return a board with changes, pairs of an edge and its new mark. Lines at missing dots are ignored, and so are
// borders at the border of the board.
export function withLayers(board, lattice, names, changes) {
  const marks = layerMarks(board, lattice, names);
  const touchesHole = (edge) => names === FIXED && lattice.ends(edge).some((end) => isHole(board, end));
  for (const [edge, mark] of changes) if (mark !== LINE || !touchesHole(edge)) marks[edge] = mark;
  if (names === SKETCH) return withSketchEnds(withSketch(board, placesOf(marks, LINE)), lattice);
  const pairs = (name, edge) => (name === "borders" ? lattice.cellsBeside(edge) : [lattice.ends(edge)]);
  const lists = names.map((name) =>
    [name, placesOf(marks, LAYERS[name]).flatMap((edge) => pairs(name, edge)).sort(inOrder)]);
  return {...board, points: withoutEmpty({...board.points, ...Object.fromEntries(lists)})};
}

export const withoutLists = (board, names) => ({...board, points: withoutEmpty(board.points,
  (found, name) => (names.includes(name) ? [] : found))});

export function withSketch(board, edges) {
  const {sketch: _, ...plain} = board;
  return edges.length ? {...plain, sketch: edges} : plain;
}

// Move the endpoints of the board to those of an open path that ends on its border.
function withSketchEnds(board, lattice) {
  const {sketch = [], points} = board;
  if (!points.ends) return board;
  const times = new Map();
  for (const end of sketch.flatMap((edge) => lattice.edges[edge])) times.set(end, (times.get(end) ?? 0) + 1);
  const ends = [...times].filter(([, lines]) => lines === 1).map(([end]) => lattice.place(end));
  const onBorder = ([row, col]) => [0, board.rows].includes(row) || [0, board.cols].includes(col);
  return ends.length === 2 && ends.every(onBorder) ? {...board, points: {...points, ends}} : board;
}

// Return whether a loop is drawn by filling cells.
export const fills = (board, kind) => !kind.throughCells && !board.points.ends;

// Return the filled cells.
export const filled = (board, kind) =>
  new Set(board.sketch && fills(board, kind) ? latticeOf(board, kind).inside(board.sketch) : []);

// Fill a cell, or empty it.
export function withFilled(board, kind, cell) {
  const lattice = latticeOf(board, kind);
  const marks = layerMarks(board, lattice, SKETCH);
  for (const edge of lattice.faceEdges[cell]) marks[edge] = marks[edge] === LINE ? OPEN : LINE;
  return withSketch(board, placesOf(marks, LINE));
}

export const isHole = ({points: {holes = []}}, place) => holes.some((hole) => samePlace(hole, place));

// Return whether the board has given lines, crosses or missing dots.
export const hasFixed = ({points}) => [...FIXED, "holes"].some((name) => points[name]);

// Remove a dot, with the given lines that end there, or restore it. An endpoint is never removed.
export function withHole(board, place) {
  const {holes = [], given = [], ends = []} = board.points;
  if (ends.some((end) => samePlace(end, place))) return board;
  const others = holes.filter((hole) => !samePlace(hole, place));
  const points = others.length < holes.length ? {holes: others} : {
    holes: [...holes, place].sort(inOrder),
    given: given.filter((line) => !line.some((end) => samePlace(end, place))),
  };
  return {...board, points: withoutEmpty({...board.points, ...points})};
}

// Move the nearer endpoint to a vertex, unless an endpoint is there or its dot is missing.
export function withEndAt(board, place) {
  const {ends} = board.points;
  const away = ends.map(([row, col]) => Math.abs(row - place[0]) + Math.abs(col - place[1]));
  if (away.includes(0) || isHole(board, place)) return board;
  return {...board, points: {...board.points, ends: ends.with(away[0] <= away[1] ? 0 : 1, place)}};
}

export const marksOf = (board) => board.marks ?? Array(board.cells.length).fill(null);

export function withMarks(board, marks) {
  const {marks: _, ...plain} = board;
  return marks.some((mark) => mark !== null) ? {...plain, marks} : plain;
}

// Return the mark after that of a cell (step 1) or before it (-1).
export function nextMark(board, cell, step) {
  const at = MARKS.indexOf(marksOf(board)[cell]);
  return MARKS[(at + step + MARKS.length) % MARKS.length];
}

// Return marks with changes: pairs of an index in `what`, "edges" or "faces", and the new value.
export function withChanges(marks, what, changes) {
  const list = marks[what].slice();
  for (const [place, value] of changes) list[place] = value;
  return {...marks, [what]: list};
}

// Change the colour in the note of a cell; add a letter to its text, or remove the letter.
export const withColour = (marks, cell) => withNote(marks, cell, (note) =>
  ({...note, colour: ((note.colour ?? 0) + 1) % NOTES}));
export const withLetter = (marks, cell, letter) => withNote(marks, cell, ({text = "", ...note}) =>
  ({...note, text: text.includes(letter) ? text.replace(letter, "") : [...text, letter].sort().join("")}));

function withNote({notes, ...marks}, cell, change) {
  const {[cell]: note = {}, ...others} = notes ?? {};
  const made = change(note);
  return {...marks, notes: made.colour || made.text ? {...others, [cell]: made} : others};
}

// Return as text which of these sides, from `Lattice.sides`, are lines or crosses.
export const inWords = (sides, edges) => sides.flatMap(([name, edge]) =>
  (edges[edge] ? [`${name} ${edges[edge] === LINE ? "line" : "cross"}`] : []));

export const placesOf = (list, value) => list.flatMap((found, at) => (found === value ? [at] : []));

// Return the marks of a player as a query to the server; `others` are further edges to send as crosses.
export function asQuery(marks, others = []) {
  const crosses = new Set([...placesOf(marks.edges, CROSS),
    ...others.filter((edge) => marks.edges[edge] !== LINE)]);
  return {
    lines: placesOf(marks.edges, LINE), crosses: [...crosses].sort((a, b) => a - b),
    inside: placesOf(marks.faces, INSIDE), outside: placesOf(marks.faces, OUTSIDE),
  };
}

// The mask of a vertex without lines.
const HOLE = 1;
const most = (mask) => 31 - Math.clz32(mask);

// The rules of a board, sent by the server: the allowed numbers of lines at each vertex and face, a bit for each
// number; pairs of terminals, or one loop. If these are not the `whole` rules, the server must check solutions.
export class Rules {
  constructor({degrees, faces, terminals, loop, whole}, lattice, shades) {
    Object.assign(this, {degrees, faces, terminals, loop, whole, lattice, shades});
    [this.around, this.sides] = [lattice.around, lattice.faceEdges];
    const bounds = (each, masks) => each.map((edges, at) => [edges, masks[at]]);
    this.bounds = [...bounds(this.around, degrees), ...bounds(this.sides, faces)];
  }

  // Edges at holes, which are obviously not lines.
  get atHoles() {
    return this.around.flatMap((edges, vertex) => (this.degrees[vertex] === HOLE ? edges : []));
  }

  // Return the edges that cannot be lines, because a vertex or face beside them has all its lines.
  automatic(marks) {
    const found = new Set();
    const full = (edges, mask) => {
      if (lines(marks, edges) < most(mask)) return;
      for (const edge of edges) if (marks.edges[edge] !== LINE) found.add(edge);
    };
    for (const bound of this.bounds) full(...bound);
    // A shaded cell acts as a hole.
    for (const cell of this.shades ? placesOf(marks.faces, INSIDE) : []) full(this.around[cell], HOLE);
    for (const edge of this.atHoles) found.delete(edge);
    return found;
  }

  // Return for each face whether its clue is satisfied.
  done(marks) {
    return this.sides.map((edges, face) =>
      this.faces[face] !== 2 ** (edges.length + 1) - 1 && fits(this.faces[face], lines(marks, edges)));
  }

  solved(marks) {
    if (!this.bounds.every(([edges, mask]) => fits(mask, lines(marks, edges)))) return false;
    if (!this.whole && !this.loop) return true;
    const part = this.#parts(marks);
    const parts = new Set(part.values()).size;
    if (this.loop) return parts === 1;
    return parts === this.terminals.length &&
      this.terminals.every(([one, other]) => part.get(one) === part.get(other));
  }

  // Return the pairs of terminals that are joined.
  joined(marks) {
    const part = this.#parts(marks);
    return this.terminals.filter(([one, other]) =>
      part.has(one) && part.get(one) === part.get(other));
  }

  #parts(marks) { return partsOf(this.lattice, (edge) => marks.edges[edge] === LINE); }
}

// Map each vertex with a line to its connected component, named by the first vertex.
function partsOf({edges, around}, isLine) {
  const part = new Map();
  for (let start = 0; start < around.length; start++) {
    const waiting = [start];
    while (waiting.length) {
      const vertex = waiting.pop();
      for (const edge of around[vertex]) {
        if (!isLine(edge)) continue;
        for (const end of edges[edge]) {
          if (part.has(end)) continue;
          part.set(end, start);
          waiting.push(end);
        }
      }
    }
  }
  return part;
}

// Return a colour class for each edge: connected lines share a colour, and paths have the colour of their numbers.
// Open edges have none.
export function coloursOf(lattice, board, kind, isLine) {
  const part = partsOf(lattice, isLine);
  const colours = new Map();
  if (kind.pairs) {
    const numbers = [...new Set(board.cells.filter((clue) => clue !== null))].sort((a, b) => a - b);
    board.cells.forEach((clue, cell) => {
      if (clue !== null && part.has(cell)) colours.set(part.get(cell), numbers.indexOf(clue));
    });
  }
  for (const start of part.values()) if (!colours.has(start)) colours.set(start, colours.size);
  return lattice.edges.map(([one], edge) => (isLine(edge) ? `piece-${colours.get(part.get(one)) % COLOURS}` : ""));
}

const fits = (mask, number) => ((mask >> number) & 1) === 1;
const lines = (marks, edges) => edges.filter((edge) => marks.edges[edge] === LINE).length;
