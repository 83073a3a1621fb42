// A board, all boards before it, and those that were undone.

const same = (one, other) => JSON.stringify(one) === JSON.stringify(other);

export class History {
  constructor(board) {
    this.past = [];
    this.now = board;
    this.future = [];
  }

  // True when that is a change.
  change(board) {
    if (!board || same(board, this.now)) return false;
    this.past.push(this.now);
    this.now = board;
    this.future = [];
    return true;
  }

  undo() {
    return this.#step(this.past, this.future);
  }

  redo() {
    return this.#step(this.future, this.past);
  }

  #step(from, to) {
    if (!from.length) return false;
    to.push(this.now);
    this.now = from.pop();
    return true;
  }
}

// What the browser keeps from one visit to the next. It may refuse to.
const KEY = "linkoracle-studio";

export function kept() {
  try {
    return JSON.parse(localStorage.getItem(KEY)) ?? {};
  } catch {
    return {};
  }
}

export function keep(state) {
  try {
    localStorage.setItem(KEY, JSON.stringify(state));
  } catch {
    // Without a store, the page works until it is closed.
  }
}
