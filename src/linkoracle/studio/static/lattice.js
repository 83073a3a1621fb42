// The lattice on which lines are drawn, numbered as the library numbers it: edges by their first
// vertex in reading order, the edge to the right before the edge down.

export class Lattice {
  constructor(rows, cols) {
    this.rows = rows;
    this.cols = cols;
    this.edges = [];
    this.right = new Map();
    this.down = new Map();
    for (let row = 0; row < rows; row++) {
      for (let col = 0; col < cols; col++) {
        if (col + 1 < cols) {
          this.right.set(row * cols + col, this.edges.length);
          this.edges.push([row, col, row, col + 1]);
        }
        if (row + 1 < rows) {
          this.down.set(row * cols + col, this.edges.length);
          this.edges.push([row, col, row + 1, col]);
        }
      }
    }
  }

  // The edge between two neighbouring vertices.
  between([r, c], [r2, c2]) {
    const first = Math.min(r, r2) * this.cols + Math.min(c, c2);
    return (r === r2 ? this.right : this.down).get(first);
  }

  // The edges by which a cell is told, with their names: around it, or from it to its neighbours.
  sides(row, col, throughCells) {
    const at = (map, r, c) =>
      r < 0 || c < 0 || c >= this.cols ? undefined : map.get(r * this.cols + c);
    const found = throughCells
      ? [["up", at(this.down, row - 1, col)], ["right", at(this.right, row, col)],
         ["down", at(this.down, row, col)], ["left", at(this.right, row, col - 1)]]
      : [["top", at(this.right, row, col)], ["right", at(this.down, row, col + 1)],
         ["bottom", at(this.right, row + 1, col)], ["left", at(this.down, row, col)]];
    return found.filter(([, edge]) => edge !== undefined);
  }
}

export function latticeOf(board, kind) {
  const dots = kind.throughCells ? 0 : 1;
  return new Lattice(board.rows + dots, board.cols + dots);
}

// `Lattice.sides` of a cell by its number.
export function sidesOf(lattice, board, kind, cell) {
  return lattice.sides(Math.floor(cell / board.cols), cell % board.cols, kind.throughCells);
}

// Rows and columns to which arrows lead.
export const ARROWS = {
  ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1],
};

// The names of sides as `Lattice.sides` has them, by arrow.
const SIDES = {
  ArrowUp: ["top", "up"], ArrowDown: ["bottom", "down"], ArrowLeft: ["left"], ArrowRight: ["right"],
};

// The one of these sides to which an arrow leads.
export function sideBy(key, sides) {
  return sides.find(([name]) => SIDES[key].includes(name));
}
