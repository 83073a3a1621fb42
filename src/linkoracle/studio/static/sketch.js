// A line that is drawn by hand, kept with the board as `sketch`, a list of edges. Where the line runs
// between cells, these are filled: the line is the border of what is filled. Not so where it is open.

import {latticeOf} from "./lattice.js";
import {LINE} from "./marks.js";

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

export function withoutSketch(board) {
  return toggled(board, board.sketch ?? []);
}

// The cell filled, or no longer.
export function withFilled(board, kind, cell) {
  const [row, col] = [Math.floor(cell / board.cols), cell % board.cols];
  return toggled(board, latticeOf(board, kind).sides(row, col, false).map(([, edge]) => edge));
}

// The cells that are filled: from the left, each edge of the line leads in or out.
export function filled(board, kind) {
  const found = new Set();
  if (!board.sketch || !fills(board, kind)) return found;
  const [lattice, drawn] = [latticeOf(board, kind), new Set(board.sketch)];
  for (let row = 0; row < board.rows; row++) {
    let inside = false;
    for (let col = 0; col < board.cols; col++) {
      if (drawn.has(lattice.down.get(row * lattice.cols + col))) inside = !inside;
      if (inside) found.add(row * board.cols + col);
    }
  }
  return found;
}

// The line from a cell to its neighbour drawn, or no longer; null when they are not neighbours.
export function withStep(board, kind, from, to) {
  const [one, other] = [from, to].map((cell) => [Math.floor(cell / board.cols), cell % board.cols]);
  if (to < 0 || to >= board.cells.length) return null;
  if (Math.abs(one[0] - other[0]) + Math.abs(one[1] - other[1]) !== 1) return null;
  return toggled(board, [latticeOf(board, kind).between(one, other)]);
}

// Lines of an open path along the sides of cells, as pairs of an edge and what it becomes. Where they
// end, on the rim, are the ends of the board.
export function withPath(board, kind, changes) {
  const before = new Set(board.sketch ?? []);
  const changed = [...changes].filter(([edge, mark]) => before.has(edge) !== (mark === LINE));
  const drawn = toggled(board, changed.map(([edge]) => edge));
  const ends = endsOf(drawn.sketch ?? [], latticeOf(board, kind));
  const onRim = ([row, col]) => [0, board.rows].includes(row) || [0, board.cols].includes(col);
  if (ends.length !== 2 || !ends.every(onRim)) return drawn;
  return {...drawn, points: {...drawn.points, ends}};
}

// The vertices where one line ends.
function endsOf(edges, lattice) {
  const times = new Map();
  for (const edge of edges) {
    const [r, c, r2, c2] = lattice.edges[edge];
    for (const place of [`${r},${c}`, `${r2},${c2}`]) times.set(place, (times.get(place) ?? 0) + 1);
  }
  return [...times].filter(([, lines]) => lines === 1).map(([place]) => place.split(",").map(Number));
}
