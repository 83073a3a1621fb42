// The current state, the states before it, and the undone ones, stored as changes from one to the next.
// A state is an object that can be written as JSON.

// Greatest number of undo steps. All of them are written whenever the tab is stored.
const MOST = 5000;

const same = (one, other) => JSON.stringify(one) === JSON.stringify(other);

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
