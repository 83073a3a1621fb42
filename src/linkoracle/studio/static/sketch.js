// What is drawn on a board for a puzzle to be made of it. Boards are never changed.
//
// A mask, where a clue must come and where none may: kept as `marks`, one for each cell: "must", "none", "either",
// or null where nothing is marked.
//
// A line that is drawn by hand, kept with the board as `sketch`, a list of edges. Where the line runs
// between cells, these are filled: the line is the border of what is filled. Not so where it is open.

import {latticeOf} from "./lattice.js";
import {LINE, OPEN} from "./marks.js";

const MARKS = [null, "must", "either", "none"];

export const marksOf = (board) => board.marks ?? Array(board.cells.length).fill(null);

export const withMark = (board, cell, mark) => withMarks(board, marksOf(board).with(cell, mark));

export function withMarks(board, marks) {
  const {marks: _, ...plain} = board;
  return marks.some((mark) => mark !== null) ? {...plain, marks} : plain;
}

// The mark after the one that a cell has (step 1) or before it (-1).
export function nextMark(board, cell, step) {
  const at = MARKS.indexOf(marksOf(board)[cell]);
  return MARKS[(at + step + MARKS.length) % MARKS.length];
}

// Whether cells are filled in place of lines drawn.
export const fills = (board, kind) => !kind.throughCells && !board.points.ends;

function toggled(board, edges) {
  const drawn = new Set(board.sketch ?? []);
  for (const edge of edges) {
    if (!drawn.delete(edge)) drawn.add(edge);
  }
  const {sketch: _, ...plain} = board;
  return drawn.size ? {...plain, sketch: [...drawn].sort((a, b) => a - b)} : plain;
}

export const withoutSketch = (board) => toggled(board, board.sketch ?? []);

// The cell filled, or no longer.
export const withFilled = (board, kind, cell) => toggled(board, latticeOf(board, kind).faceEdges[cell]);

// The cells that are filled.
export function filled(board, kind) {
  if (!board.sketch || !fills(board, kind)) return new Set();
  return latticeOf(board, kind).inside(new Set(board.sketch));
}

// What each edge is: open, or a line.
export function sketchMarks(board, lattice) {
  const drawn = new Set(board.sketch ?? []);
  return lattice.edges.map((_, edge) => (drawn.has(edge) ? LINE : OPEN));
}

// Changes are pairs of an edge and what it becomes. Where an open path along the sides of cells ends, on
// the rim, are the ends of the board.
export function withLines(board, lattice, changes) {
  const before = sketchMarks(board, lattice);
  const changed = [...changes].filter(([edge, mark]) => before[edge] !== mark);
  const drawn = toggled(board, changed.map(([edge]) => edge));
  if (!board.points.ends) return drawn;
  const ends = endsOf(drawn.sketch ?? [], lattice);
  const onRim = ([row, col]) => [0, board.rows].includes(row) || [0, board.cols].includes(col);
  if (ends.length !== 2 || !ends.every(onRim)) return drawn;
  return {...drawn, points: {...drawn.points, ends}};
}

// The vertices where one line ends.
function endsOf(edges, lattice) {
  const drawn = new Set(edges);
  const lines = (end) => lattice.around[end].filter((edge) => drawn.has(edge)).length;
  return [...new Set(edges.flatMap((edge) => lattice.edges[edge]))]
    .filter((end) => lines(end) === 1).map((end) => lattice.place(end));
}
