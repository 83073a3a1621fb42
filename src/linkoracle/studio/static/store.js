// What the browser keeps. A tab has its own board and all that can be undone there, so two tabs do
// not disturb each other. All tabs share what a new tab begins with, and how far each puzzle is
// solved.

const TAB = "linkoracle-studio-tab";
const SHARED = "linkoracle-studio";
const SOLVED = "linkoracle-play:";
const BOARD = "linkoracle-board:";
const TIMES = "linkoracle-times";
// So many puzzles, and so many boards, are remembered, those touched last, and times of so many sorts of work.
const REMEMBERED = 100;
// So many steps that can be undone are kept where the store is small.
const FEW = 200;

// The browser may refuse any of this; then the page works until it is closed.
function reading(key, store) {
  try {
    return JSON.parse(store().getItem(key)) ?? {};
  } catch {
    return {};
  }
}

function writing(key, value, store) {
  try {
    store().setItem(key, JSON.stringify(value));
    return true;
  } catch {
    return false;
  }
}

const local = () => localStorage;
const session = () => sessionStorage;

export const keptOfTab = () => reading(TAB, session);
export const keptForAll = () => reading(SHARED, local);
export const keepForAll = (state) => writing(SHARED, state, local);

// `state` may have histories by name.
export function keepOfTab(state, histories) {
  const shortened = (most) => Object.fromEntries(Object.entries(histories).map(
    ([name, {past, now, future}]) =>
      [name, {now, past: past.slice(-most), future: future.slice(-most)}]));
  if (!writing(TAB, {...state, ...shortened(Infinity)}, session)) {
    writing(TAB, {...state, ...shortened(FEW)}, session);
  }
}

// Seconds that some work took the last times, the newest counting most; undefined if it was never done.
export const usualSeconds = (work) => reading(TIMES, local)[work];

export function keepSeconds(work, seconds) {
  const {[work]: before = seconds, ...others} = reading(TIMES, local);
  const kept = Object.entries(others).slice(1 - REMEMBERED);
  writing(TIMES, Object.fromEntries([...kept, [work, (before + seconds) / 2]]), local);
}

// A name for a puzzle: all of it but what is drawn on it.
export const nameOf = ({kind, rule, rows, cols, tiling, cells, points}) =>
  JSON.stringify([kind, rule, ...(tiling ? [tiling] : [rows, cols]), cells, points]);

// The boards that were edited, each {id, design, when} with its history, the newest first.
export function keptBoards() {
  return keysOf(BOARD).map((key) => ({id: key.slice(BOARD.length), ...reading(key, local)}))
    .filter(({design}) => design?.now).sort((one, other) => other.when - one.when);
}

export function keepBoard(id, {past, now, future}) {
  keep(BOARD, id, {design: {now, past: past.slice(-FEW), future: future.slice(-FEW)}});
}

export const forgetBoard = (id) => localStorage.removeItem(BOARD + id);

// How far a puzzle is solved: what `keepProgress` was given, or nothing.
export const progressOf = (board) => reading(SOLVED + nameOf(board), local);

export const keepProgress = (board, progress) => keep(SOLVED, nameOf(board), progress);

const keysOf = (prefix) => Object.keys(localStorage).filter((key) => key.startsWith(prefix));

// Keeps something under a name; what was not touched for long makes room.
function keep(prefix, name, value) {
  const newest = prefix + name;
  writing(newest, {...value, when: Date.now()}, local);
  try {
    const keys = keysOf(prefix);
    if (keys.length <= REMEMBERED) return;
    const age = (key) => (key === newest ? Infinity : reading(key, local).when ?? 0);
    keys.sort((one, other) => age(one) - age(other));
    for (const key of keys.slice(0, keys.length - REMEMBERED)) localStorage.removeItem(key);
  } catch {
    // Nothing is kept anyway.
  }
}
