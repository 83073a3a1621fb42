// The borders of regions, kept in the points of a board as pairs of neighbouring cells, and drawn along the
// sides of cells, the edges of a lattice of dots.

import {inOrder, withoutEmpty} from "./board.js";
import {LINE, OPEN} from "./marks.js";

// The cells at both sides of an edge; null at the rim.
function cellsAt(lattice, edge) {
  const [row, col, , col2] = lattice.edges[edge];
  const along = col2 > col;
  if (along ? row === 0 || row === lattice.rows - 1 : col === 0 || col === lattice.cols - 1) return null;
  return [along ? [row - 1, col] : [row, col - 1], [row, col]];
}

// What each edge is: open, or a border.
export function borderMarks(board, name, lattice) {
  const drawn = new Set((board.points[name] ?? []).map((pair) => JSON.stringify(pair)));
  return lattice.edges.map((_, edge) => {
    const cells = cellsAt(lattice, edge);
    return cells && drawn.has(JSON.stringify(cells)) ? LINE : OPEN;
  });
}

// Changes are pairs of an edge and what it becomes; the rim is a border anyway.
export function withBorders(board, name, lattice, changes) {
  const marks = borderMarks(board, name, lattice);
  for (const [edge, mark] of changes) marks[edge] = mark;
  const found = marks.flatMap((mark, edge) => {
    const cells = mark === LINE ? cellsAt(lattice, edge) : null;
    return cells ? [cells] : [];
  });
  return {...board, points: withoutEmpty({...board.points, [name]: found.sort(inOrder)})};
}
