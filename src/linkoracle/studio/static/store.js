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

// `histories` by name: all of them, or if that is too much the last steps.
export function keepOfTab(state, histories) {
  const all = (most) => Object.entries(histories).map(([name, history]) => [name, shortened(history, most)]);
  [Infinity, FEW].some((most) => writing(TAB, {...state, ...Object.fromEntries(all(most))}, "sessionStorage"));
}

// Seconds that some work took the last times, the newest counting most; undefined if it was never done.
export const usualSeconds = (work) => reading(TIMES)[work];

export function keepSeconds(work, seconds) {
  const {[work]: before = seconds, ...others} = reading(TIMES);
  const kept = Object.entries(others).slice(1 - REMEMBERED);
  writing(TIMES, Object.fromEntries([...kept, [work, (before + seconds) / 2]]));
}

// A name for a puzzle: all of it but what is drawn on it.
export const nameOf = ({kind, rule, rows, cols, tiling, cells, points}) =>
  JSON.stringify([kind, rule, ...(tiling ? [tiling] : [rows, cols]), cells, points]);

// The boards that were edited, each {id, design, when} with its history, the newest first.
export function keptBoards() {
  return keysOf(BOARD).map((key) => ({id: key.slice(BOARD.length), ...reading(key)}))
    .filter(({design}) => design?.now).sort((one, other) => other.when - one.when);
}

export const keepBoard = (id, history) => keep(BOARD, id, {design: shortened(history, FEW)});
export const forgetBoard = (id) => localStorage.removeItem(BOARD + id);

// How far a puzzle is solved: what `keepProgress` was given, or nothing.
export const progressOf = (board) => reading(SOLVED + nameOf(board));

export const keepProgress = (board, progress) => keep(SOLVED, nameOf(board), progress);

const keysOf = (prefix) => Object.keys(localStorage).filter((key) => key.startsWith(prefix));

// Keeps something under a name; what was not touched for long makes room.
function keep(prefix, name, value) {
  const newest = prefix + name;
  writing(newest, {...value, when: Date.now()});
  try {
    const keys = keysOf(prefix);
    if (keys.length <= REMEMBERED) return;
    // Each is read once: what is kept of a puzzle may be much.
    const ages = keys.map((key) => [key === newest ? Infinity : reading(key).when ?? 0, key]);
    ages.sort(([one], [other]) => one - other);
    for (const [, key] of ages.slice(0, -REMEMBERED)) localStorage.removeItem(key);
  } catch {
    // Nothing is kept anyway.
  }
}
