// The edited board: its history, the selection, and the actions of keys and pointers.

import * as boards from "./board.js";
import {DIRECTIONS, formsOf} from "./clues.js";
import {isKnown, latticeOf} from "./lattice.js";

// Milliseconds in which a second digit belongs to the same number.
const TOGETHER = 1500;
// Greatest number of undo steps. All of them are written whenever the tab is stored.
const MOST = 5000;

const same = (one, other) => JSON.stringify(one) === JSON.stringify(other);

export class Editor {
  cursor = 0;
  selected = [0];
  // The vertex under the cursor while endpoints are moved or dots removed, else null.
  dot = null;
  // Typed text that is not a complete clue yet: {cell, text}, or null.
  draft = null;
  // On boards that are not square, the side that keys draw: its cell, and its number there.
  #side = {cell: -1, at: 0};
  // The cells that the last change has changed.
  edited = [];
  // The cell and the time of the last typed key.
  #typed = {cell: -1, at: 0};
  #anchor = 0;
  // The last of the calls of `resize`.
  #resized = Promise.resolve();

  // `board` is the previous board until the geometry of the history's board is known: the page still shows the
  // previous one and may receive answers about it.
  // `host` has `kindOf(board)` and `learn(board, kind)`, which waits for the geometry of a board and returns false if
  // that fails. Optional are `symmetry()`, `partners()` (whether they get clues), `active()`, and `move(side, more)`,
  // which adds or removes a row or column. The editor calls `changed()` for another board, `moved()` for another
  // place of the cursor, and `drafted()` for another draft.
  constructor(history, host) {
    const plain = {symmetry: () => "none", partners: () => false, active: () => true, move() {}};
    Object.assign(this, {history, host: {...plain, ...host}, board: history.now});
  }

  get kind() { return this.host.kindOf(this.board); }
  get lattice() { return latticeOf(this.board, this.kind); }
  get symmetry() { return this.host.symmetry(); }
  get active() { return this.host.active() && this.board === this.history.now && isKnown(this.board, this.kind); }

  // Change the board, with `instead` in place of the last change, so that undo reverts a whole drag.
  change(board, instead = false) {
    const undone = instead && this.history.undo();
    if (this.history.change(board) || undone) this.#changed();
  }

  // Change the board to `made(board, kind)` as soon as earlier calls have ended and the geometry of `sizeOf(board)`,
  // rows and columns, is known.
  resize(sizeOf, made) {
    const work = async () => {
      for (let size; !isKnown(size = sizeOf(this.board), this.kind);) {
        if (!(await this.host.learn(size, this.kind))) return;
      }
      this.change(made(this.board, this.kind));
    };
    this.#resized = this.#resized.catch(() => {}).then(work);
    return this.#resized;
  }

  // Show the board of another history.
  reopen() {
    this.#anchor = this.cursor = 0;
    this.#changed();
  }

  undo() { if (this.history.undo()) this.#changed(); }
  redo() { if (this.history.redo()) this.#changed(); }

  async #changed() {
    const board = this.history.now;
    const kind = this.host.kindOf(board);
    if (!isKnown(board, kind)) {
      const known = await this.host.learn(board, kind);
      if (this.history.now !== board) return;
      // A board that cannot be shown is discarded.
      if (!known) {
        if (this.history.undo()) this.#changed();
        return;
      }
    }
    [this.board, this.edited] = [board, this.history.edited("cells")];
    this.draft = null;
    if (this.cursor >= board.cells.length || this.selected.at(-1) >= board.cells.length) {
      this.#anchor = this.cursor = 0;
    }
    this.selected = this.lattice.rectangle(this.#anchor, this.cursor);
    if (this.dot && this.dot.some((at, axis) => at > [board.rows, board.cols][axis])) this.dot = [0, 0];
    this.host.changed();
  }

  select(cell, extend) {
    this.#drop();
    if (!extend) this.#anchor = cell;
    this.cursor = cell;
    this.selected = this.lattice.rectangle(this.#anchor, cell);
    this.host.moved();
  }

  get side() { return this.#side.cell === this.cursor ? this.#side.at : 0; }
  // The edge of this side, if one was chosen.
  get chosenEdge() {
    return this.#side.cell === this.cursor ? this.lattice.sides(this.cursor)[this.side]?.[1] : undefined;
  }

  // Choose the next side (1) of the cell under the cursor, or the one before (-1).
  turnSide(step) {
    const {length} = this.lattice.sides(this.cursor);
    this.#side = {cell: this.cursor, at: (this.side + step + length) % length || 0};
    this.host.moved();
  }

  // Choose the dot at a place; with null, return to the cell under the cursor.
  moveDot(place) {
    this.dot = place;
    this.host.moved();
  }

  enter(clue) {
    this.draft = null;
    if (clue === null) this.erase();
    else this.change(boards.withCells(this.board, this.#placed(clue)));
  }

  // Type a key into the cell under the cursor; return false if the kind does not allow it there.
  type(key) {
    const {board, cursor, kind} = this;
    const forms = formsOf(kind);
    const now = Date.now();
    const longer = this.#typed.cell === cursor && now - this.#typed.at < TOGETHER;
    const before = this.draft?.text ?? forms.textOf(board.cells[cursor]);
    const most = boards.mostFor(board, kind, cursor);
    const text = forms.typed(before, key, {longer, most});
    const clue = text === null ? undefined : forms.clueOf(text);
    // Numbers of pairs may exceed the number of pairs that fit on the board.
    if (text === null || (!kind.pairs && clue > most)) return false;
    this.#typed = {cell: cursor, at: now, aims: forms.arrows && /\d/.test(key)};
    if (clue !== undefined) this.enter(clue);
    this.draft = clue === undefined ? {cell: cursor, text} : null;
    this.host.drafted();
    return true;
  }

  // Type the direction of an arrow key after a number; return false if no number was typed.
  aim(key) {
    const {aims, cell} = this.#typed;
    return key in DIRECTIONS && Boolean(aims) && cell === this.cursor && this.type(DIRECTIONS[key]);
  }

  #drop() {
    this.#typed = {cell: -1, at: 0};
    if (!this.draft) return;
    this.draft = null;
    this.host.drafted();
  }

  // Return the changes for a clue and its partners: they get the same clue if the kind has only one, else "?".
  #placed(clue) {
    const {kind, board, cursor} = this;
    const {only, unknown} = formsOf(kind);
    const others = [...boards.orbit(board, cursor, this.symmetry)].filter((cell) => cell !== cursor);
    if (only !== undefined) return [cursor, ...others].map((cell) => [cell, clue]);
    const partners = unknown !== undefined && this.host.partners() ? others : [];
    return [[cursor, clue],
      ...partners.filter((cell) => board.cells[cell] === null).map((cell) => [cell, unknown])];
  }

  cycle(step) { this.enter(boards.nextClue(this.board, this.kind, this.cursor, step)); }

  erase() {
    this.#drop();
    const gone = this.selected.flatMap((cell) =>
      [...boards.orbit(this.board, cell, this.symmetry)]);
    this.change(boards.withCells(this.board, gone.map((cell) => [cell, null])));
  }

  // Move the selected clues, unless some would leave the board.
  shift(down, right) {
    if (this.board.tiling) return;
    const [moved] = boards.moved(this.board, this.selected, down, right) ?? [];
    if (!moved) return;
    this.change(moved);
    const step = down * this.board.cols + right;
    this.#anchor += step;
    this.select(this.cursor + step, true);
  }

  // Turn the board by `boards.ROTATED` or `REFLECTED`. If several cells are selected, turn only their clues; return
  // false if these do not fit.
  async turn(way) {
    if (this.selected.length === 1) {
      await this.resize((board) => boards.sizeTurned(board, way), (board, kind) => boards.turned(board, kind, way));
      return true;
    }
    const found = boards.partTurned(this.board, this.kind, this.selected, way);
    if (!found) return false;
    const [board, places] = found;
    [this.#anchor, this.cursor] = [places[0], places.at(-1)];
    this.change(board);
    this.select(this.cursor, true);
    return true;
  }

}

// The current state, the states before it, and the undone ones, stored as changes from one to the next.
// A state is an object that can be written as JSON.
export class History {
  // `kept` is a history read from JSON.
  constructor(state, kept = {}) {
    this.past = kept.past ?? [];
    this.now = state;
    this.future = kept.future ?? [];
  }

  // Change the state; return whether it differs.
  change(state) {
    const patch = state && difference(this.now, state);
    if (!patch?.length) return false;
    this.past.push(patch);
    if (this.past.length > MOST) this.past.shift();
    this.now = state;
    this.future = [];
    return true;
  }

  undo() { return this.#step(this.past, this.future, 1); }
  redo() { return this.#step(this.future, this.past, 2); }

  // Return all states from the first to the current one.
  states() {
    const found = [this.now];
    for (const patch of this.past.toReversed()) found.unshift(patched(found[0], patch, 1));
    return found;
  }

  // Return the indices that the last change has changed in a list of the state.
  edited(key) {
    const change = this.past.at(-1)?.find(([name]) => name === key);
    return change?.length === 2 ? change[1].map(([place]) => place) : [];
  }

  #step(from, to, side) {
    if (!from.length) return false;
    const patch = from.pop();
    to.push(patch);
    this.now = patched(this.now, patch, side);
    return true;
  }
}

// Return the differences, as [key, before, after], or [key, [[place, before, after], ...]] for lists of equal length.
function difference(one, other) {
  const found = [];
  for (const key of new Set([...Object.keys(one), ...Object.keys(other)])) {
    const [before, after] = [one[key], other[key]];
    if (same(before, after)) continue;
    const alike = Array.isArray(before) && before.length === after?.length;
    found.push(alike ? [key, before.flatMap((value, at) => (same(value, after[at]) ? [] : [[at, value, after[at]]]))]
      : [key, before, after]);
  }
  return found;
}

function patched(state, patch, side) {
  const made = {...state};
  for (const change of patch) {
    const [key, places] = change;
    made[key] = change.length === 2 ? state[key].slice() : change[side];
    if (change.length === 2) for (const place of places) made[key][place[0]] = place[side];
  }
  return made;
}
