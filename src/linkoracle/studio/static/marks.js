// The marks of a player, and how the rules apply to them. Marks are {edges, faces}. Each edge is open, a line or a
// cross, and each face is open, inside or outside. If the kind shades cells, the faces are cells, shaded or not.
// `notes` are colours and texts of cells, which the rules ignore. Marks are never changed.

export const OPEN = 0;
export const LINE = 1;
export const CROSS = 2;
export const INSIDE = 1;
export const OUTSIDE = 2;
// Number of colours for pieces of lines.
const COLOURS = 8;
// Number of colours of a note, including none.
const NOTES = 5;

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
