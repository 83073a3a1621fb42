// What a player draws, and what the rules say of it. Marks are {edges, faces}: for each edge whether
// it is a line or a cross, for each face whether it is inside or outside; where cells are shaded, these are
// the faces, and shaded or not. `notes` are colours and texts of cells, which mean nothing to the rules. None is
// ever changed.

export const OPEN = 0;
export const LINE = 1;
export const CROSS = 2;
export const INSIDE = 1;
export const OUTSIDE = 2;
// So many colours there are for pieces of lines.
const COLOURS = 8;
// So many colours, and none, a note may have.
const NOTES = 5;

// Changes are pairs of one of the "edges", or of the "faces", and what it becomes.
export function withChanges(marks, what, changes) {
  const list = marks[what].slice();
  for (const [place, value] of changes) list[place] = value;
  return {...marks, [what]: list};
}

// The note of a cell with another colour, or with a letter more, or without it if it is there.
export const withColour = (marks, cell) => withNote(marks, cell, (note) =>
  ({...note, colour: ((note.colour ?? 0) + 1) % NOTES}));
export const withLetter = (marks, cell, letter) => withNote(marks, cell, ({text = "", ...note}) =>
  ({...note, text: text.includes(letter) ? text.replace(letter, "") : [...text, letter].sort().join("")}));

function withNote({notes, ...marks}, cell, change) {
  const {[cell]: note = {}, ...others} = notes ?? {};
  const made = change(note);
  return {...marks, notes: made.colour || made.text ? {...others, [cell]: made} : others};
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
    [this.around, this.sides] = [lattice.around, lattice.faceEdges];
    const bounds = (each, masks) => each.map((edges, at) => [edges, masks[at]]);
    this.bounds = [...bounds(this.around, degrees), ...bounds(this.sides, faces)];
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
    for (const bound of this.bounds) full(...bound);
    // A shaded cell is as a hole.
    for (const cell of this.shades ? placesOf(marks.faces, INSIDE) : []) full(this.around[cell], HOLE);
    for (const edge of this.barred) found.delete(edge);
    return found;
  }

  // The faces whose clue is fulfilled.
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

  // The pairs that are joined.
  joined(marks) {
    const part = this.#parts(marks);
    return this.terminals.filter(([one, other]) =>
      part.has(one) && part.get(one) === part.get(other));
  }

  #parts(marks) { return partsOf(this.lattice, (edge) => marks.edges[edge] === LINE); }
}

// For each vertex with a line the part of the lines to which it belongs, the first vertex of that.
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

// A name of a colour for each line, the same for lines that hang together, others for pieces that were drawn
// next to each other; where numbers stand in pairs, that of the number.
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
