// A line that is drawn by hand, kept with the board as `sketch`, a list of edges. Where the line runs
// between cells, these are filled: the line is the border of what is filled.

import {latticeOf} from "./lattice.js";

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
  if (!board.sketch || kind.throughCells) return found;
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
