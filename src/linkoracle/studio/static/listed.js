// What is listed beside the grid of a board, in its points: lines that are given and crosses (`forbidden`), each
// as its two vertices, which are numbers on boards that are not square; dots that are missing (`holes`), and
// `borders` of regions, each as the two cells beside it, which are drawn along the sides of cells, the edges of a
// lattice of dots. All are kept in reading order.

import {inOrder, samePlace, withoutEmpty} from "./board.js";
import {CROSS, LINE, OPEN} from "./marks.js";

// The lists of edges, and what these are in each.
const MARKS = {given: LINE, forbidden: CROSS, borders: LINE};
export const FIXED = ["given", "forbidden"];
export const BORDERS = ["borders"];

// The corners between which two neighbouring cells meet.
export const cornersBetween = ([row, col], [row2, col2]) =>
  [[Math.max(row, row2), Math.max(col, col2)], [Math.min(row, row2) + 1, Math.min(col, col2) + 1]];

// What each edge is by these lists: open, a line or a border, or a cross.
export function listedMarks(board, lattice, names) {
  const marks = Array(lattice.edges.length).fill(OPEN);
  for (const name of names) {
    for (const pair of board.points[name] ?? []) {
      marks[lattice.between(...(name === "borders" ? cornersBetween(...pair) : pair))] = MARKS[name];
    }
  }
  return marks;
}

// Changes are pairs of an edge and what it becomes. No line goes to a dot that is missing, and the rim is a
// border anyway.
export function withListed(board, lattice, names, changes) {
  const marks = listedMarks(board, lattice, names);
  for (const [edge, mark] of changes) {
    if (mark !== LINE || !lattice.ends(edge).some((end) => isHole(board, end))) marks[edge] = mark;
  }
  const pairs = (name, edge) => (name === "borders" ? lattice.cellsBeside(edge) : [lattice.ends(edge)]);
  const lists = names.map((name) => [name, marks.flatMap((mark, edge) =>
    (mark === MARKS[name] ? pairs(name, edge) : [])).sort(inOrder)]);
  return {...board, points: withoutEmpty({...board.points, ...Object.fromEntries(lists)})};
}

// The dot missing, or there again. Lines that were given there are none any more; an end stays.
export function withHole(board, place) {
  const {holes = [], given = [], ends = []} = board.points;
  if (ends.some((end) => samePlace(end, place))) return board;
  const others = holes.filter((hole) => !samePlace(hole, place));
  const points = others.length < holes.length ? {...board.points, holes: others} : {
    ...board.points,
    holes: [...holes, place].sort(inOrder),
    given: given.filter((line) => !line.some((end) => samePlace(end, place))),
  };
  return {...board, points: withoutEmpty(points)};
}

export const isHole = (board, place) =>
  (board.points.holes ?? []).some((hole) => samePlace(hole, place));

// Whether lines, crosses or missing dots are given.
export const hasFixed = (board) => [...FIXED, "holes"].some((name) => board.points[name]);

export const withoutLists = (board, names) =>
  ({...board, points: Object.fromEntries(Object.entries(board.points).filter(([name]) => !names.includes(name)))});
