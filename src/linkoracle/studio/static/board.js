// Boards, in the form of the server: {kind, variant, rows, cols, cells, points}. A board that is not square has `tiling`,
// its description, in place of rows and columns. Boards are never changed: each function returns a new one. The page
// adds `about`, and `marks` and `sketch` (see layers.js).

import {formsOf} from "./clues.js";
import {latticeOf} from "./lattice.js";
import {filled, fills, inOrder, samePlace, withFilled, withoutEmpty} from "./layers.js";

export function blank(kind, variant, rows, cols) {
  const board = {kind: kind.name, variant, rows, cols, cells: Array(rows * cols).fill(null), points: {}};
  return withNeededPoints(board, kind);
}

// Return the kind as it applies to a board: on boards that are not square it may differ.
export const kindOn = (kind, board) => (board?.tiling ? kind?.onFaces : kind);

// Return whether a board is given by its polygons instead of a tiling.
export const isOwn = (tiling) => Boolean(tiling?.startsWith("{"));

// Return whether boards have the same kind, size and tiling.
export const sameShape = (one, other) =>
  ["kind", "rows", "cols", "tiling"].every((name) => (one[name] ?? null) === (other[name] ?? null));

// Return the number of columns, or one more if no loop of this kind visits all of an odd number of cells or dots.
export function colsFor(kind, rows, cols) {
  const more = kind.throughCells ? 0 : 1;
  return cols + (kind.making.visitsAll && (rows + more) * (cols + more) % 2);
}

// Return the difficulties that new puzzles of the kind and size of a board can have.
export function difficultiesOf(kind, board) {
  const {values = [], cells = {}} = kind.making.new?.find(({name}) => name === "difficulty") ?? {};
  const within = ([least, most]) => least <= board.cells.length && board.cells.length <= most;
  return values.filter((label) => !cells[label] || within(cells[label]));
}

// Return the request for a new puzzle of the kind, variant and size of a board.
export const shapeOf = ({kind, variant, rows, cols, tiling}) => ({kind, variant, ...(tiling ? {tiling} : {rows, cols})});

// Add endpoints in opposite corners if the variant needs them, and remove them if it does not.
function withNeededPoints(board, kind) {
  const {points} = kind.variants.find((one) => one.name === board.variant);
  const {ends, ...others} = board.points;
  if (!points.ends) return {...board, points: others};
  if (ends) return board;
  return {...board, points: withEnds(others, [[0, 0], lastVertex(board, kind)])};
}

// Return points with these endpoints, and without missing dots there.
const withEnds = (points, ends) => withoutEmpty({...points, ends}, (found, name) =>
  (name === "holes" ? found.filter((hole) => !ends.some((end) => samePlace(end, hole))) : found));

function lastVertex(board, kind) {
  const less = kind.throughCells ? 1 : 0;
  return [board.rows - less, board.cols - less];
}

export function withVariant(board, kind, variant) {
  const changed = withNeededPoints({...board, variant}, kind);
  if (Boolean(changed.points.ends) === Boolean(board.points.ends)) return changed;
  // A loop drawn by hand does not fit a path, and vice versa.
  const {sketch: _, ...rest} = changed;
  return rest;
}

// Return a board with changes, pairs of the number of a cell and its clue, or null.
export function withCells(board, changes) {
  const cells = board.cells.slice();
  for (const [cell, clue] of changes) cells[cell] = clue;
  return {...board, cells};
}

// Return a board with another "name", "author", or text of its "rules".
export function withAbout(board, name, words) {
  const {about: {[name]: _, ...others} = {}, ...plain} = board;
  const about = words ? {...others, [name]: words} : others;
  return Object.keys(about).length ? {...plain, about} : plain;
}

// Return a board of another size, cut off or extended at the right and the bottom.
export function resized(board, kind, rows, cols) {
  const made = placed(board, kind, rows, cols,
    (place, _, now) => (place.every((at, axis) => at < now[axis]) ? place : null),
    // An endpoint on the last row or column stays there.
    (place, before, now) => place.map((at, axis) =>
      (at === before[axis] - 1 ? now[axis] - 1 : Math.min(at, now[axis] - 1))));
  const points = withNewBorders(board, made);
  return {...made, points: points.ends ? withEnds(points, points.ends) : points};
}

// Return a board of another size, whose geometry must be known, with its content moved. `move` maps the place of a cell or vertex to its new place,
// or null if it is removed; it also receives the old and new numbers of rows and columns. `moveEnd` maps endpoints.
function placed(board, kind, rows, cols, move, moveEnd = move) {
  const more = kind.throughCells ? 0 : 1;
  const vertices = [[board.rows + more, board.cols + more], [rows + more, cols + more]];
  const {sketch, ...rest} = board;
  const moveCell = (place) => move(place, [board.rows, board.cols], [rows, cols]);
  const eachCell = (values) => {
    const found = Array(rows * cols).fill(null);
    values.forEach((value, cell) => {
      const place = moveCell(placeAt(board, cell));
      if (place) found[numberAt({cols}, place)] = value;
    });
    return found;
  };
  const one = (ends) => {
    const found = ends.map((end) => move(end, ...vertices));
    return found.every(Boolean) ? [found.sort(inOrder)] : [];
  };
  // An annotation is a vertex, or an edge as two vertices; endpoints keep their order.
  const listed = (found, name) => (name === "ends" ? found.map((end) => moveEnd(end, ...vertices))
    : found.flatMap((place) => (Array.isArray(place[0]) ? one(place) : one([place]).flat())).sort(inOrder));
  const made = {...rest, rows, cols, cells: eachCell(board.cells), points: withoutEmpty(board.points, listed)};
  if (board.marks) made.marks = eachCell(board.marks);
  if (!sketch) return made;
  // Move the filled cells, or else the drawn lines.
  if (fills(board, kind)) {
    return [...filled(board, kind)].map((cell) => moveCell(placeAt(board, cell))).filter(Boolean)
      .reduce((other, place) => withFilled(other, kind, numberAt(other, place)), made);
  }
  const [before, after] = [latticeOf(board, kind), latticeOf(made, kind)];
  const drawn = sketch.flatMap((edge) => one(before.ends(edge)).map((ends) => after.between(...ends)));
  return drawn.length ? {...made, sketch: drawn.sort((a, b) => a - b)} : made;
}

// Return the rows and columns of a board with one more at a side, "top", "right", "bottom" or "left", or one fewer if
// `more` is -1.
export function sizeWith({rows, cols}, side, more) {
  const upright = side === "top" || side === "bottom";
  return {rows: rows + (upright ? more : 0), cols: cols + (upright ? 0 : more)};
}

// Return a board of that size.
export function withSide(board, kind, side, more) {
  const size = Object.values(sizeWith(board, side, more));
  const flip = {top: FLIPPED, left: REFLECTED}[side];
  return flip ? turned(resized(turned(board, kind, flip), kind, ...size), kind, flip) : resized(board, kind, ...size);
}

// Add borders so that new rows and columns of a board are separate regions.
function withNewBorders(board, {rows, cols, points}) {
  if (!points.borders) return points;
  const part = ([row, col]) => `${row >= board.rows} ${col >= board.cols}`;
  const others = ([row, col]) => [[row + 1, col], [row, col + 1]]
    .filter((other) => other[0] < rows && other[1] < cols && part(other) !== part([row, col]));
  const cells = Array.from({length: rows * cols}, (_, cell) => placeAt({cols}, cell));
  const added = cells.flatMap((cell) => others(cell).map((other) => [cell, other]));
  return {...points, borders: [...points.borders, ...added].sort(inOrder)};
}

// Map a place by a quarter turn clockwise or by a reflection, given the numbers of rows and columns.
const quarter = ([r, c], rows) => [c, rows - 1 - r];
const leftRight = ([r, c], rows, cols) => [r, cols - 1 - c];
const topBottom = ([r, c], rows) => [rows - 1 - r, c];

// A quarter turn clockwise, and reflections left to right and top to bottom: the map of places, and of the letters of
// arrows.
export const ROTATED = {map: quarter, letters: {n: "e", e: "s", s: "w", w: "n"}};
export const REFLECTED = {map: leftRight, letters: {e: "w", w: "e"}};
const FLIPPED = {map: topBottom, letters: {n: "s", s: "n"}};
const redirected = (clue, kind, letters) => (kind.arrows && typeof clue === "string"
  ? clue.replace(/[nesw]/g, (letter) => letters[letter] ?? letter) : clue);

// Return the rows and columns of a board after such a motion.
export const sizeTurned = ({rows, cols}, {map}) => (map === quarter ? {rows: cols, cols: rows} : {rows, cols});

export function turned(board, kind, {map, letters}) {
  const {rows, cols} = sizeTurned(board, {map});
  const made = placed(board, kind, rows, cols, (place, before) => map(place, ...before));
  return {...made, cells: made.cells.map((clue) => redirected(clue, kind, letters))};
}

const placeAt = ({cols}, cell) => [Math.floor(cell / cols), cell % cols];
const numberAt = ({cols}, [row, col]) => row * cols + col;

// Move the clues in these cells down and right: see `replaced`.
export const moved = (board, selected, down, right) =>
  replaced(board, selected, ([row, col]) => [row + down, col + right]);

// Turn the clues in a rectangle of cells, keeping its top left cell: see `replaced`.
export function partTurned(board, kind, selected, {map, letters}) {
  const [[top, left], [bottom, right]] = [selected[0], selected.at(-1)].map((cell) => placeAt(board, cell));
  const turn = ([row, col]) => {
    const [down, across] = map([row - top, col - left], bottom - top + 1, right - left + 1);
    return [top + down, left + across];
  };
  return replaced(board, selected, turn, (clue) => redirected(clue, kind, letters));
}

// Move the clues in these cells by `map`, and change them. Return the board and the new cells, or null if some clue
// would leave the board.
function replaced(board, selected, map, change = (clue) => clue) {
  const changes = new Map(selected.map((cell) => [cell, null]));
  const cells = [];
  for (const one of selected) {
    const [row, col] = map(placeAt(board, one));
    if (row < 0 || col < 0 || row >= board.rows || col >= board.cols) return null;
    cells.push(row * board.cols + col);
    changes.set(cells.at(-1), change(board.cells[one]));
  }
  return [withCells(board, changes), cells.sort((a, b) => a - b)];
}

// Return the board after a drag between two cells, for numbers in pairs: add a pair, complete a pair, or move a
// number. Return null if both cells have numbers.
export function joined(board, kind, one, other) {
  const [before, there] = [board.cells[one], board.cells[other]];
  if (before !== null && there !== null) return null;
  if (before !== null) return withCells(board, [[one, null], [other, before]]);
  if (there === null) {
    const fresh = freshNumber(board, kind);
    return withCells(board, [[one, fresh], [other, fresh]]);
  }
  const alone = board.cells.filter((clue) => clue === there).length === 1;
  return alone ? withCells(board, [[one, there]]) : withCells(board, [[other, null], [one, there]]);
}

// Return the least number that no cell except this one has.
function freshNumber(board, kind, cell = null) {
  const used = new Set(board.cells.filter((_, other) => other !== cell));
  let fresh = formsOf(kind).least;
  while (used.has(fresh)) fresh++;
  return fresh;
}

// Symmetries of clues, by their names in the library. Those that swap rows and columns need a `square` board.
export const SYMMETRIES = {
  none: {title: "none", maps: []},
  "half-turn": {title: "half turn", maps: [([r, c], rows, cols) => [rows - 1 - r, cols - 1 - c]]},
  "quarter-turn": {title: "quarter turn", maps: [quarter], square: true},
  "left-right": {title: "left and right", maps: [leftRight]},
  "top-bottom": {title: "top and bottom", maps: [topBottom]},
  both: {title: "both of these", maps: [leftRight, topBottom]},
  diagonal: {title: "diagonal", maps: [([r, c]) => [c, r]], square: true},
  antidiagonal: {title: "other diagonal", maps: [([r, c], rows, cols) => [cols - 1 - c, rows - 1 - r]], square: true},
};

// Return the cell and all cells that the symmetry maps it to.
export function orbit(board, cell, symmetry) {
  const {maps, square} = SYMMETRIES[symmetry];
  const found = new Set([cell]);
  if (square && board.rows !== board.cols) return found;
  for (const one of found) {
    for (const map of maps) found.add(numberAt(board, map(placeAt(board, one), board.rows, board.cols)));
  }
  return found;
}

// Return the empty cells that need a clue to make the clues symmetric.
export function emptyPartners(board, symmetry) {
  const places = board.cells.flatMap((clue, cell) => (clue === null ? [] : [...orbit(board, cell, symmetry)]));
  return new Set(places.filter((cell) => board.cells[cell] === null));
}

// Return the clue after that of a cell (step 1) or before it (-1), in the order of clicks.
export function nextClue(board, kind, cell, step) {
  const choices = choicesFor(board, kind, cell);
  const clues = choices ? [null, ...choices] : formsOf(kind).cycle(board.cells[cell]);
  const at = clues.indexOf(board.cells[cell]);
  return clues[(at + step + clues.length) % clues.length];
}

// Return the greatest number for a cell, bounded by the kind, the sides of the cell, or the size of the board.
export function mostFor(board, kind, cell) {
  if (board.tiling && !kind.throughCells) return latticeOf(board, kind).sides(cell).length;
  return formsOf(kind).most ?? board.cells.length / (kind.pairs ? 2 : 1);
}

// Return the clues to offer for a cell if they depend on it, else null.
export function choicesFor(board, kind, cell) {
  if (kind.pairs) return pairChoices(board, kind, cell);
  return board.tiling && !kind.throughCells ? [...Array(mostFor(board, kind, cell) + 1).keys()] : null;
}

// Return the numbers to offer for a cell of pairs: those that occur once, that of the cell, and a new one.
function pairChoices(board, kind, cell) {
  const others = board.cells.filter((clue, other) => clue !== null && other !== cell);
  const alone = others.filter((clue) => others.indexOf(clue) === others.lastIndexOf(clue));
  const own = board.cells[cell] ?? freshNumber(board, kind, cell);
  return [...new Set([...alone, freshNumber(board, kind, cell), own])].sort((a, b) => a - b);
}
