// A board that is edited: its history, what is selected, and what keys and pointers ask for.

import * as boards from "./board.js";
import {withHole} from "./fixed.js";

export class Editor {
  cursor = 0;
  selected = [0];
  // The vertex of the cursor while ends are moved or dots taken away, else null; and which it is.
  dot = null;
  dotIs = "end";
  #anchor = 0;

  // `host` has `kinds` by their names, `symmetry()`, `active()`, and is told: `changed()` when the
  // board is another one, `moved()` when the cursor is elsewhere.
  constructor(history, host) {
    this.history = history;
    this.host = host;
  }

  get board() { return this.history.now; }
  get kind() { return this.host.kinds.get(this.board.kind); }
  get kinds() { return [...this.host.kinds.values()]; }
  get symmetry() { return this.host.symmetry(); }
  get active() { return this.host.active(); }

  change(board) {
    if (this.history.change(board)) this.#changed();
  }

  undo() {
    if (this.history.undo()) this.#changed();
  }

  redo() {
    if (this.history.redo()) this.#changed();
  }

  #changed() {
    const {board} = this;
    if (this.cursor >= board.cells.length || this.selected.at(-1) >= board.cells.length) {
      this.#anchor = this.cursor = 0;
    }
    this.selected = boards.rectangle(board, this.#anchor, this.cursor);
    if (this.dotIs === "end" && !board.points.ends) this.dot = null;
    if (this.dot && this.dot.some((at, axis) => at > [board.rows, board.cols][axis])) this.dot = [0, 0];
    this.host.changed();
  }

  select(cell, extend) {
    if (!extend) this.#anchor = cell;
    this.cursor = cell;
    this.selected = boards.rectangle(this.board, this.#anchor, cell);
    this.host.moved();
  }

  moveDot(row, col) {
    this.dot = [row, col];
    this.host.moved();
  }

  // From now on, what is put at vertices is an "end", or a "hole".
  enterDots(what, place) {
    [this.dotIs, this.dot] = [what, place];
    this.host.moved();
  }

  leaveDots() {
    this.dot = null;
    this.host.moved();
  }

  putDot(row, col) {
    this.dot = [row, col];
    this.change(this.dotIs === "end" ? boards.withEndAt(this.board, row, col)
      : withHole(this.board, [row, col]));
    this.host.moved();
  }

  enter(clue) {
    const {least, most} = this.kind;
    if (clue !== null && (clue < least || (most !== null && clue > most))) return;
    if (clue === null) this.erase();
    else this.change(boards.withCells(this.board, this.#placed(clue)));
  }

  // A clue, and where there is but one clue to choose from, the same at all places of symmetry.
  #placed(clue) {
    const {kind, board, cursor} = this;
    const cells = kind.least === kind.most ? boards.orbit(board, cursor, this.symmetry) : [cursor];
    return [...cells].map((one) => [one, clue]);
  }

  cycle(step) {
    this.enter(boards.nextClue(this.board, this.kind, this.cursor, step));
  }

  erase() {
    const gone = this.selected.flatMap((cell) =>
      [...boards.orbit(this.board, cell, this.symmetry)]);
    this.change(boards.withCells(this.board, gone.map((cell) => [cell, null])));
  }

  // Moves the clues selected; nothing happens when some would leave the board.
  shift(down, right) {
    const moved = boards.moved(this.board, this.selected, down, right);
    if (!moved) return;
    this.change(moved);
    const step = down * this.board.cols + right;
    this.#anchor += step;
    this.select(this.cursor + step, true);
  }

  // Turn the board a quarter clockwise; where several cells are selected, the clues in them. False
  // when these do not fit.
  rotate() { return this.#turn(boards.rotated, boards.rotatedPart); }

  // Mirror the board, or the clues selected, left to right.
  reflect() { return this.#turn(boards.reflected, boards.reflectedPart); }

  #turn(whole, part) {
    if (this.selected.length === 1) {
      this.change(whole(this.board, this.kind));
      return true;
    }
    const found = part(this.board, this.selected);
    if (!found) return false;
    const [board, places] = found;
    [this.#anchor, this.cursor] = [places[0], places.at(-1)];
    this.change(board);
    this.select(this.cursor, true);
    return true;
  }

  // A drag from one cell to another where numbers stand in pairs.
  join(one, other) {
    this.change(boards.joined(this.board, this.kind, one, other));
  }
}
