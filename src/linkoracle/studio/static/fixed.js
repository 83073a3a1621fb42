// Lines that are given, crosses and missing dots of a board: `given` and `forbidden` of its points,
// each edge as its two vertices, and `holes`. All are kept in reading order.

import {inOrder, samePlace, withoutEmpty} from "./board.js";
import {CROSS, LINE, OPEN} from "./marks.js";

const LISTS = {given: LINE, forbidden: CROSS};
const NAMES = [...Object.keys(LISTS), "holes"];

// What each edge is: open, a line, or a cross.
export function fixedMarks(board, lattice) {
  const marks = Array(lattice.edges.length).fill(OPEN);
  for (const [name, mark] of Object.entries(LISTS)) {
    for (const ends of board.points[name] ?? []) marks[lattice.between(...ends)] = mark;
  }
  return marks;
}

// Changes are pairs of an edge and what it becomes. No line goes to a dot that is missing.
export function withFixed(board, lattice, changes) {
  const marks = fixedMarks(board, lattice);
  for (const [edge, mark] of changes) {
    if (mark !== LINE || !lattice.ends(edge).some((end) => isHole(board, end))) marks[edge] = mark;
  }
  const lists = Object.entries(LISTS).map(([name, mark]) => [name, lattice.edges.flatMap(
    (_, edge) => (marks[edge] === mark ? [lattice.ends(edge)] : []))]);
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

export const hasFixed = (board) => NAMES.some((name) => board.points[name]?.length);

export function withoutFixed(board) {
  const points = Object.entries(board.points).filter(([name]) => !NAMES.includes(name));
  return {...board, points: Object.fromEntries(points)};
}
