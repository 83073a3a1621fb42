// What lies on a board besides its clues: layers of edges, dots, and a mask. Boards are never changed.
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

import {latticeOf} from "./lattice.js";
import {CROSS, LINE, OPEN, placesOf} from "./marks.js";

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
