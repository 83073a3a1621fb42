// A board that is edited: its history, what is selected, and what keys and pointers ask for.

import * as boards from "./board.js";
import {DIRECTIONS, formsOf} from "./clues.js";
import {withHole} from "./fixed.js";

// Milliseconds in which a second digit belongs to the same number.
const TOGETHER = 1500;

export class Editor {
  cursor = 0;
  selected = [0];
  // The vertex of the cursor while ends are moved or dots taken away, else null; and which it is.
  dot = null;
  dotIs = "end";
  // What was typed and lacks something yet to be a clue: {cell, text}, or null; and what was typed last, and
  // when.
  draft = null;
  #typed = {cell: -1, at: 0};
  #anchor = 0;

  // `host` has `kinds` by their names, `symmetry()`, `active()`, and is told: `changed()` when the
  // board is another one, `moved()` when the cursor is elsewhere, `drafted()` when the draft is another one.
  constructor(history, host) {
    this.history = history;
    this.host = host;
  }

  get board() { return this.history.now; }
  get kind() { return this.host.kinds.get(this.board.kind); }
  get kinds() { return [...this.host.kinds.values()]; }
  get symmetry() { return this.host.symmetry(); }
  get active() { return this.host.active(); }

  // With `instead` in place of the last change: a drag is one step to be undone.
  change(board, instead = false) {
    const undone = instead && this.history.undo();
    if (this.history.change(board) || undone) this.#changed();
  }

  undo() {
    if (this.history.undo()) this.#changed();
  }

  redo() {
    if (this.history.redo()) this.#changed();
  }

  #changed() {
    const {board} = this;
    this.draft = null;
    if (this.cursor >= board.cells.length || this.selected.at(-1) >= board.cells.length) {
      this.#anchor = this.cursor = 0;
    }
    this.selected = boards.rectangle(board, this.#anchor, this.cursor);
    if (this.dotIs === "end" && !board.points.ends) this.dot = null;
    if (this.dot && this.dot.some((at, axis) => at > [board.rows, board.cols][axis])) this.dot = [0, 0];
    this.host.changed();
  }

  select(cell, extend) {
    this.#drop();
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
    this.draft = null;
    if (clue === null) this.erase();
    else this.change(boards.withCells(this.board, this.#placed(clue)));
  }

  // Type a key into the cell under the cursor; false for what the kind does not take there.
  type(key) {
    const {board, cursor, kind} = this;
    const forms = formsOf(kind);
    const now = Date.now();
    const longer = this.#typed.cell === cursor && now - this.#typed.at < TOGETHER;
    const before = this.draft?.text ?? forms.textOf(board.cells[cursor]);
    // No number is greater than what the board has room for.
    const most = forms.most ?? board.cells.length / (kind.pairs ? 2 : 1);
    const text = forms.typed(before, key, {longer, most});
    if (text === null) return false;
    this.#typed = {cell: cursor, at: now, aims: forms.arrows && /\d/.test(key)};
    const clue = forms.clueOf(text);
    if (clue !== undefined) this.enter(clue);
    this.draft = clue === undefined ? {cell: cursor, text} : null;
    this.host.drafted();
    return true;
  }

  // Type the direction of an arrow key, if a number was typed before; false if none was.
  aim(key) {
    if (!this.#typed.aims || this.#typed.cell !== this.cursor) return false;
    return this.type(DIRECTIONS[key]);
  }

  #drop() {
    this.#typed = {cell: -1, at: 0};
    if (!this.draft) return;
    this.draft = null;
    this.host.drafted();
  }

  // A clue, and where there is but one clue to choose from, the same at all places of symmetry.
  #placed(clue) {
    const {kind, board, cursor} = this;
    const single = formsOf(kind).only !== undefined;
    const cells = single ? boards.orbit(board, cursor, this.symmetry) : [cursor];
    return [...cells].map((one) => [one, clue]);
  }

  cycle(step) {
    this.enter(boards.nextClue(this.board, this.kind, this.cursor, step));
  }

  erase() {
    this.#drop();
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
    const found = part(this.board, this.kind, this.selected);
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
