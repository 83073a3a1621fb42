// What lies on a board besides its clues. Boards are never changed.
//
// Edges in layers: lines that are given and crosses (`forbidden`), each as its two vertices, which are numbers on
// boards that are not square; `borders` of regions, each as the two cells beside it, which are drawn along the sides
// of cells, the edges of a lattice of dots; and `sketch`, a line that is drawn by hand for a puzzle to be made of it,
// kept beside the points of the board, as a list of edges. Where that line runs between cells, these are filled: the
// line is the border of what is filled. Not so where it is open.
//
// Dots: those that are missing (`holes`), and `ends` of a path. All points are kept in reading order.
//
// A mask, where a clue must come and where none may: kept as `marks`, one for each cell: "must", "none", "either",
// or null where nothing is marked.

import {latticeOf} from "./lattice.js";
import {CROSS, LINE, OPEN, placesOf} from "./marks.js";

// What edges are in each layer.
const LAYERS = {given: LINE, forbidden: CROSS, borders: LINE, sketch: LINE};
// Layers that are drawn together.
export const FIXED = ["given", "forbidden"];
export const BORDERS = ["borders"];
export const SKETCH = ["sketch"];
const MARKS = [null, "must", "either", "none"];

// Reading order, of vertices and of edges.
export function inOrder(one, other) {
  const [first, second] = [one.flat(), other.flat()];
  const at = first.findIndex((part, place) => part !== second[place]);
  return at < 0 ? 0 : first[at] - second[at];
}

export const samePlace = ([row, col], [row2, col2]) => row === row2 && col === col2;

// Points without the lists in which there is nothing, each as `change` makes it of its places and its name.
export const withoutEmpty = (points, change = (found) => found) => Object.fromEntries(Object.entries(points)
  .map(([name, found]) => [name, change(found, name)]).filter(([, found]) => found.length));

// The corners between which two neighbouring cells meet.
export const cornersBetween = ([row, col], [row2, col2]) =>
  [[Math.max(row, row2), Math.max(col, col2)], [Math.min(row, row2) + 1, Math.min(col, col2) + 1]];

function edgesOf(board, lattice, name) {
  if (name === "sketch") return board.sketch ?? [];
  return (board.points[name] ?? []).map((pair) =>
    lattice.between(...(name === "borders" ? cornersBetween(...pair) : pair)));
}

// What each edge is by these layers: open, a line or a border, or a cross.
export function layerMarks(board, lattice, names) {
  const marks = Array(lattice.edges.length).fill(OPEN);
  for (const name of names) for (const edge of edgesOf(board, lattice, name)) marks[edge] = LAYERS[name];
  return marks;
}

// Changes are pairs of an edge and what it becomes. No line is given to a dot that is missing, and the rim is a
// border anyway.
export function withLayers(board, lattice, names, changes) {
  const marks = layerMarks(board, lattice, names);
  const isBarred = (edge) => names === FIXED && lattice.ends(edge).some((end) => isHole(board, end));
  for (const [edge, mark] of changes) if (mark !== LINE || !isBarred(edge)) marks[edge] = mark;
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

// Where an open path along the sides of cells ends, on the rim, are the ends of the board.
function withSketchEnds(board, lattice) {
  const {sketch = [], points} = board;
  if (!points.ends) return board;
  const times = new Map();
  for (const end of sketch.flatMap((edge) => lattice.edges[edge])) times.set(end, (times.get(end) ?? 0) + 1);
  const ends = [...times].filter(([, lines]) => lines === 1).map(([end]) => lattice.place(end));
  const onRim = ([row, col]) => [0, board.rows].includes(row) || [0, board.cols].includes(col);
  return ends.length === 2 && ends.every(onRim) ? {...board, points: {...points, ends}} : board;
}

// Whether cells are filled in place of lines drawn.
export const fills = (board, kind) => !kind.throughCells && !board.points.ends;

// The cells that are filled.
export const filled = (board, kind) =>
  new Set(board.sketch && fills(board, kind) ? latticeOf(board, kind).inside(board.sketch) : []);

// The cell filled, or no longer.
export function withFilled(board, kind, cell) {
  const lattice = latticeOf(board, kind);
  const marks = layerMarks(board, lattice, SKETCH);
  for (const edge of lattice.faceEdges[cell]) marks[edge] = marks[edge] === LINE ? OPEN : LINE;
  return withSketch(board, placesOf(marks, LINE));
}

export const isHole = ({points: {holes = []}}, place) => holes.some((hole) => samePlace(hole, place));

// Whether lines, crosses or missing dots are given.
export const hasFixed = ({points}) => [...FIXED, "holes"].some((name) => points[name]);

// The dot missing, or there again. Lines that were given there are none any more; an end stays.
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

// The end that is nearer moves to a vertex; nothing happens when one is there, or when the dot is missing.
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

// The mark after the one that a cell has (step 1) or before it (-1).
export function nextMark(board, cell, step) {
  const at = MARKS.indexOf(marksOf(board)[cell]);
  return MARKS[(at + step + MARKS.length) % MARKS.length];
}
