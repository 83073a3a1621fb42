// What a player draws, and what the rules say of it. Marks are {edges, faces}: for each edge whether
// it is a line or a cross, for each face whether it is inside or outside; where cells are shaded, these are
// the faces, and shaded or not. None is ever changed.

export const OPEN = 0;
export const LINE = 1;
export const CROSS = 2;
export const INSIDE = 1;
export const OUTSIDE = 2;

// Rows and columns of the faces.
export const facesOf = ({shades}, lattice) =>
  (shades ? [lattice.rows, lattice.cols] : [lattice.rows - 1, lattice.cols - 1]);

export function blankMarks(kind, lattice) {
  const [rows, cols] = facesOf(kind, lattice);
  return {edges: Array(lattice.edges.length).fill(OPEN), faces: Array(rows * cols).fill(OPEN)};
}

// Changes are pairs of an edge, or a face, and what it becomes.
export const withEdges = (marks, changes) => ({...marks, edges: changed(marks.edges, changes)});
export const withFaces = (marks, changes) => ({...marks, faces: changed(marks.faces, changes)});

function changed(list, changes) {
  const made = list.slice();
  for (const [place, value] of changes) made[place] = value;
  return made;
}

// Which of these sides, as `Lattice.sides` has them, are lines or crosses, in words.
export const inWords = (sides, edges) => sides.flatMap(([name, edge]) =>
  (edges[edge] ? [`${name} ${edges[edge] === LINE ? "line" : "cross"}`] : []));

export const placesOf = (list, value) => list.flatMap((found, at) => (found === value ? [at] : []));

// The marks of a player as the server is asked about them; also edges that can be no lines anyway.
export function asked(marks, others = []) {
  const crosses = new Set([...placesOf(marks.edges, CROSS),
    ...others.filter((edge) => marks.edges[edge] !== LINE)]);
  return {
    lines: placesOf(marks.edges, LINE), crosses: [...crosses].sort((a, b) => a - b),
    inside: placesOf(marks.faces, INSIDE), outside: placesOf(marks.faces, OUTSIDE),
  };
}

// What a vertex may have that no line uses.
const HOLE = 1;
const most = (mask) => 31 - Math.clz32(mask);

// The rules of a board as the server tells them: how many lines each vertex and each face may have,
// a bit for each number; pairs of terminals, or one loop. If these are not the `whole` rules, the server
// knows whether lines are a solution.
export class Rules {
  constructor({degrees, faces, terminals, loop, whole}, lattice, shades) {
    Object.assign(this, {degrees, faces, terminals, loop, whole, lattice, shades});
    this.around = degrees.map(() => []);
    lattice.edges.forEach(([r, c, r2, c2], edge) => {
      this.around[r * lattice.cols + c].push(edge);
      this.around[r2 * lattice.cols + c2].push(edge);
    });
    const wide = lattice.cols - 1;
    this.sides = faces.map((_, face) =>
      lattice.sides(Math.floor(face / wide), face % wide, false).map(([, edge]) => edge));
  }

  // Edges at holes: everybody sees that they are no lines.
  get barred() {
    return this.around.flatMap((edges, vertex) => (this.degrees[vertex] === HOLE ? edges : []));
  }

  // Edges that can be no lines, since a vertex or a face beside them has all its lines.
  automatic(marks) {
    const found = new Set();
    const full = (edges, mask) => {
      if (lines(marks, edges) < most(mask)) return;
      for (const edge of edges) if (marks.edges[edge] !== LINE) found.add(edge);
    };
    this.around.forEach((edges, vertex) => full(edges, this.degrees[vertex]));
    this.sides.forEach((edges, face) => full(edges, this.faces[face]));
    if (this.shades) {
      for (const cell of placesOf(marks.faces, INSIDE)) {
        for (const edge of this.around[cell]) if (marks.edges[edge] !== LINE) found.add(edge);
      }
    }
    for (const edge of this.barred) found.delete(edge);
    return found;
  }

  // The faces whose clue is fulfilled.
  done(marks) {
    return this.sides.map((edges, face) =>
      this.faces[face] !== 31 && fits(this.faces[face], lines(marks, edges)));
  }

  solved(marks) {
    const right = (edges, mask) => fits(mask, lines(marks, edges));
    if (!this.around.every((edges, vertex) => right(edges, this.degrees[vertex]))) return false;
    if (!this.sides.every((edges, face) => right(edges, this.faces[face]))) return false;
    if (!this.whole && !this.loop) return true;
    const part = this.#parts(marks);
    const parts = new Set(part.values()).size;
    if (this.loop) return parts === 1;
    return parts === this.terminals.length &&
      this.terminals.every(([one, other]) => part.get(one) === part.get(other));
  }

  // The pairs that are joined.
  joined(marks) {
    const part = this.#parts(marks);
    return this.terminals.filter(([one, other]) =>
      part.has(one) && part.get(one) === part.get(other));
  }

  // For each vertex with a line the part of the lines to which it belongs.
  #parts(marks) {
    const {edges, cols} = this.lattice;
    const part = new Map();
    for (let start = 0; start < this.around.length; start++) {
      const waiting = [start];
      while (waiting.length) {
        const vertex = waiting.pop();
        for (const edge of this.around[vertex]) {
          if (marks.edges[edge] !== LINE) continue;
          const [r, c, r2, c2] = edges[edge];
          for (const end of [r * cols + c, r2 * cols + c2]) {
            if (part.has(end)) continue;
            part.set(end, start);
            waiting.push(end);
          }
        }
      }
    }
    return part;
  }
}

const fits = (mask, number) => ((mask >> number) & 1) === 1;
const lines = (marks, edges) => edges.filter((edge) => marks.edges[edge] === LINE).length;
