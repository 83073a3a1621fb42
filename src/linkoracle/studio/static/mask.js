// Masks: where a clue must come and where none may, kept with the board as `marks`, one for each
// cell: "must", "none", "either", or null where nothing is marked. Boards are never changed.

export const MARKS = [null, "must", "either", "none"];

export function marksOf(board) {
  return board.marks ?? Array(board.cells.length).fill(null);
}

export function withMark(board, cell, mark) {
  return withMarks(board, marksOf(board).with(cell, mark));
}

export function withMarks(board, marks) {
  const {marks: _, ...plain} = board;
  return marks.some((mark) => mark !== null) ? {...plain, marks} : plain;
}

// The mark after the one that a cell has (step 1) or before it (-1).
export function nextMark(board, cell, step) {
  const at = MARKS.indexOf(marksOf(board)[cell]);
  return MARKS[(at + step + MARKS.length) % MARKS.length];
}
