// What the browser stores. Each tab has its own board and history, so that two tabs do not disturb each other. All
// tabs share the initial state of a new tab, the progress of each puzzle, and the list of edited boards, each with its
// history.

import {byId, make} from "./page.js";

const TAB = "linkoracle-studio-tab";
const SHARED = "linkoracle-studio";
const SOLVED = "linkoracle-play:";
const BOARD = "linkoracle-board:";
const TIMES = "linkoracle-times";
// Number of puzzles, boards and durations that are remembered, the last used ones.
const REMEMBERED = 100;
// Number of undo steps that are stored if space is short.
const FEW = 200;

// The browser may refuse storage; the page then works until it is closed.
function reading(key, store = "localStorage") {
  try {
    return JSON.parse(window[store].getItem(key)) ?? {};
  } catch {
    return {};
  }
}

function writing(key, value, store = "localStorage") {
  try {
    window[store].setItem(key, JSON.stringify(value));
    return true;
  } catch {
    return false;
  }
}

export const keptOfTab = () => reading(TAB, "sessionStorage");
export const keptForAll = () => reading(SHARED);
export const keepForAll = (state) => writing(SHARED, state);

const shortened = ({past, now, future}, most) => ({now, past: past.slice(-most), future: future.slice(-most)});

// Store the state and the `histories` by name, or only their last steps if space is short.
export function keepOfTab(state, histories) {
  const all = (most) => Object.entries(histories).map(([name, history]) => [name, shortened(history, most)]);
  [Infinity, FEW].some((most) => writing(TAB, {...state, ...Object.fromEntries(all(most))}, "sessionStorage"));
}

// Return the usual duration of some work, in seconds, with more weight on recent runs; undefined before the first run.
export const usualSeconds = (work) => reading(TIMES)[work];

export function keepSeconds(work, seconds) {
  const {[work]: before = seconds, ...others} = reading(TIMES);
  const kept = Object.entries(others).slice(1 - REMEMBERED);
  writing(TIMES, Object.fromEntries([...kept, [work, (before + seconds) / 2]]));
}

// Return a name for a puzzle, made of its kind, shape, clues and annotations.
export const nameOf = ({kind, variant, rows, cols, tiling, cells, points}) =>
  JSON.stringify([kind, variant, ...(tiling ? [tiling] : [rows, cols]), cells, points]);

// Return the edited boards, each {id, design, when} with its history, the newest first.
function keptBoards() {
  return keysOf(BOARD).map((key) => ({id: key.slice(BOARD.length), ...reading(key)}))
    .filter(({design}) => design?.now).sort((one, other) => other.when - one.when);
}

const keepBoard = (id, history) => keep(BOARD, id, {design: shortened(history, FEW)});
const forgetBoard = (id) => localStorage.removeItem(BOARD + id);

// Return the progress of a puzzle, as given to `keepProgress`, or {}.
export const progressOf = (board) => reading(SOLVED + nameOf(board));

export const keepProgress = (board, progress) => keep(SOLVED, nameOf(board), progress);

const keysOf = (prefix) => Object.keys(localStorage).filter((key) => key.startsWith(prefix));

// Store a value under a name, and delete the values unused for longest.
function keep(prefix, name, value) {
  const newest = prefix + name;
  writing(newest, {...value, when: Date.now()});
  try {
    const keys = keysOf(prefix);
    if (keys.length <= REMEMBERED) return;
    // Values may be large, so each is read once.
    const ages = keys.map((key) => [key === newest ? Infinity : reading(key).when ?? 0, key]);
    ages.sort(([one], [other]) => one - other);
    for (const [, key] of ages.slice(0, -REMEMBERED)) localStorage.removeItem(key);
  } catch {
    // Without storage nothing needs deleting.
  }
}

const freshId = () => crypto.randomUUID();
const isBlank = ({cells, points, sketch, marks}) =>
  cells.every((clue) => clue === null) && !Object.keys(points).length && !sketch && !marks;

export class OpenBoards {
  // `id` is the id of the board in this tab, if it has one. `host` has `history`, `titleOf(board)`, `blank()`, which
  // returns a new board, `usable(board)`, and `opened()`, called after another history is opened.
  constructor(id, host) {
    Object.assign(this, {id: id ?? freshId(), host});
    byId("new-board").onclick = () => this.#open({id: freshId(), design: {now: host.blank()}});
    byId("boards").closest("details").ontoggle = () => this.show();
  }

  // Leave the current board in the list, and give the next one a new id.
  part() { this.id = freshId(); }

  // Store the board of this tab, unless it is blank.
  keep() {
    const {history} = this.host;
    if (!isBlank(history.now) || history.past.length) keepBoard(this.id, history);
    this.show();
  }

  // Show the list, if it is open.
  show() {
    if (!byId("boards").closest("details").open) return;
    const found = keptBoards().filter(({design}) => this.host.usable(design.now));
    byId("boards").replaceChildren(...found.map((one) => {
      const [title, here] = [this.host.titleOf(one.design.now), one.id === this.id];
      return make("li", {}, make("button", {ariaCurrent: here, onclick: () => this.#open(one)}, title),
        make("button", {ariaLabel: `Remove ${title}`, disabled: here, onclick: () => this.#forget(one)}, "✕"));
    }));
  }

  #forget({id}) {
    forgetBoard(id);
    this.show();
  }

  #open({id, design}) {
    const {history} = this.host;
    this.keep();
    this.id = id;
    Object.assign(history, {past: [], future: []}, design);
    this.host.opened();
  }
}
