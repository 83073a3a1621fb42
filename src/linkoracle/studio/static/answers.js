// What is known of the board so far, gathered from the stages of the answer, in words, and beside the board.

import {choicesFor} from "./board.js";
import {CELL, drawFigures, formsOf} from "./clues.js";
import {byId, capital, differs, element, make, say, sentence, setText} from "./page.js";

export const nothing = {
  status: null, lines: [], crosses: [], uses: new Map(), total: null, count: null, exact: false,
  share: null, values: new Map(), redundant: null, shaded: [], conflict: null, why: null, late: [],
  grade: null, wrong: null, lost: null, done: false,
};

// The stages that come first: what was known before holds no longer.
export const begins = (stage) => ["status", "wrong", "lost"].includes(stage.stage) ||
  (stage.stage === "late" && stage.of === "status");

// What is kept of each stage.
const KEPT = {
  status: ({status, shaded = []}) => ({status, shaded}),
  forced: ({lines, crosses}) => ({lines, crosses}),
  counting: ({share}, known) => ({share: share ?? known.share}),
  count: ({count, exact}) => ({count, exact}),
  shares: ({total, uses}) => ({total, uses: new Map(uses)}),
  values: ({values}, known) => ({values: new Map([...known.values, ...values])}),
  redundant: ({cells}) => ({redundant: cells}),
  why: ({reason}) => ({why: reason}),
  grade: (grade) => ({grade}),
  conflict: (proven) => ({conflict: proven.cells, proven}),
  late: (late, known) => ({late: [...known.late, late]}),
  wrong: (wrong) => ({wrong, done: true}),
  lost: ({reason}) => ({lost: reason, done: true}),
  done: () => ({done: true}),
};

export const withStage = (known, stage) => ({...known, ...KEPT[stage.stage]?.(stage, known)});

const grouped = (digits) => digits.replace(/\B(?=(\d{3})+$)/g, "\u202f");
const many = (number, one) => `${number} ${one}${number === 1 ? "" : "s"}`;

const STATUS = {none: "No solution", unique: "One solution", many: "Multiple solutions"};

function statusWords({lost, wrong, status, late}) {
  if (wrong) return ["wrong", "Not a puzzle yet"];
  if (status && !lost) return [status, STATUS[status]];
  return lost || late.length ? ["lost", "No answer"] : ["asking", "…"];
}

function countWords(known) {
  if (known.status !== "many") return "";
  if (known.count === null) {
    const share = known.share === null ? "" : ` (${Math.round(100 * known.share)} %)`;
    return `At least 2 – counting${share} …`;
  }
  return `${known.exact ? "Exactly" : "At least"} ${grouped(known.count)}`;
}

const STAGES = {
  status: "Number of solutions", forced: "Forced lines", count: "Exact count",
  shares: "Edge frequencies", values: "Effect of clues", redundant: "Redundant clues",
  conflict: "Conflicting clues", grade: "Difficulty",
};

function detailWords(known, board) {
  const told = [known.wrong?.reason, known.lost, known.why].filter(Boolean).map(sentence);
  if (known.conflict) {
    told.push(known.conflict.length
      ? `${many(known.conflict.length, "conflicting clue")}: ` +
        `${known.conflict.map((cell) => place(board, cell)).join("; ")}.` +
        fewerWords(known)
      : "The board has no solution even without clues.");
  }
  if (known.status === "unique" && known.redundant) {
    told.push(known.redundant.length
      ? `${many(known.redundant.length, "redundant clue")}: each follows from the others.`
      : "No clue is redundant.");
  }
  if (known.status === "many" && known.values.size) {
    const cells = [...known.values.keys()].filter((cell) => telling(known, board, cell).length).length;
    if (cells) told.push(`${many(cells, "cell")} could make it unique with one more clue.`);
  }
  if (known.status && known.status !== "many" && !known.done) told.push("Still looking …");
  else if (known.count && !known.done) told.push("Still looking at clues …");
  for (const {of, reason} of known.late) told.push(`${STAGES[of]}: ${reason}.`);
  return told.join(" ");
}

// Whether fewer clues may contradict each other.
function fewerWords({done, proven: {minimal, smallest}}) {
  if (smallest) return "";
  if (!done) return " Looking for fewer …";
  return minimal ? " Fewer may be enough." : " Time ran out: some of them may not be needed.";
}

// The clues that leave one solution, in an empty cell. Not the greatest: nothing fits around it but the loop of
// all these sides.
export function telling(known, board, cell) {
  const counts = known.values.get(cell);
  if (known.status !== "many" || !Array.isArray(counts) || board.cells[cell] !== null) return [];
  return counts.flatMap((count, clue) => (count === "1" && clue < counts.length - 1 ? [clue] : []));
}

// A step or a hint: what players call it, unless that is said anyway, and its sentence.
export function stepWords({name, sentence: words}) {
  return name && !words.includes(`"${name}"`) ? `${capital(name)}: ${words}` : words;
}

// The grade, which takes at most so many seconds.
function gradeWords({status, grade, done}, seconds) {
  if (status !== "unique") return "Only puzzles with one solution are graded.";
  if (!grade) return done ? "Not graded." : `Grading, at most ${seconds} s …`;
  const {label, score, steps, depth} = grade;
  const guesses = depth ? `, guesses ${depth} deep` : "";
  if (!label) return "Harder than one guess at a time.";
  return `${capital(label)}, score ${score}, ${many(steps, "step")}${guesses}.`;
}

function place(board, cell) {
  if (board.tiling) return `face ${cell}`;
  return `row ${Math.floor(cell / board.cols) + 1}, column ${(cell % board.cols) + 1}`;
}

// What is known of an edge, in words.
function edgeWords(known, edge) {
  if (known.lines.includes(edge)) return "a line in every solution";
  if (known.crosses.includes(edge)) return "no line in any solution";
  if (known.uses.has(edge)) {
    const [used, total] = [known.uses.get(edge), known.total];
    const share = percent(used, total);
    return `a line in ${total.length < 7 ? `${grouped(used)} of ${grouped(total)} (${share})` : share}`;
  }
  return known.status === "many" && known.lines.length + known.crosses.length ? "either" : "";
}

export const shareOf = (used, total) => Number((BigInt(used) * 100000n) / BigInt(total)) / 100000;
const percent = (used, total) => `${(100 * shareOf(used, total)).toFixed(1)} %`;

// How many solutions there are; the elements of the answer are found by their ids.
export function showSolutions(known, board, find = byId) {
  const [look, words] = statusWords(known);
  find("status").className = look;
  setText(find("status"), words);
  setText(find("count"), countWords(known));
  find("count").classList.toggle("going", known.status === "many" && known.count === null);
  setText(find("detail"), detailWords(known, board));
}

export function showGrade(known, {grade: seconds}) {
  say("grade", gradeWords(known, seconds));
  say("looks", known.grade?.looks ? sentence(known.grade.looks) : "");
}

// Where the cursor is, for those who do not see it: the cell, its clue, and what is known besides.
export function showHere(board, kind, cell, known) {
  const clue = formsOf(kind).textOf(board.cells[cell]) || "empty";
  say("here", [`${place(board, cell)}: ${clue}`, ...known].join(", "));
}

// What a cell may have, each a button: whole clues, with how many solutions each would leave, or keys, of
// which clues are made, as the `value` of the button says it. `editor` has board, kind, lattice,
// cursor, draft, enter and type.
export function showCell(editor, known) {
  const {board, kind, lattice, cursor: cell, draft} = editor;
  say("cell-title", `${capital(place(board, cell))}.`);
  const counts = known.values.get(cell);
  const forms = formsOf(kind);
  const noted = (clue) => (counts?.[clue] ? left(counts[clue]) : "");
  const whole = (clue) => ({
    face: String(clue), name: String(clue), value: clue, figures: [], note: noted(clue),
    pressed: clue === board.cells[cell], press: () => editor.enter(clue),
  });
  const offered = choicesFor(board, kind, cell)?.map(whole)
    ?? forms.keys(draft?.text ?? forms.textOf(board.cells[cell])).map(({key, clue, ...looks}) => ({
      ...looks, value: key, note: noted(clue), press: () => editor.type(key),
      pressed: clue !== undefined && clue === board.cells[cell],
    }));
  if (offered.length) offered.push({...whole(null), face: "Empty", name: "Empty", value: "", note: ""});
  // Where lines run along the sides of cells, it is known what each clue would leave.
  byId("keypad").classList.toggle("noted", !kind.throughCells || Boolean(counts));
  byId("cell").hidden = !offered.length;
  showButtons(offered);
  say("takes", `Takes ${kind.clue}.`);
  say("sides", lattice.sides(cell)
    .map(([name, edge]) => [name, edgeWords(known, edge)])
    .filter(([, words]) => words)
    .map(([name, words]) => `${name}: ${words}`).join("; "));
}

const left = (count) => (count === "0" ? "none" : count === "1" ? "unique" : short(count));

function short(count) {
  if (count.endsWith("+")) return `≥\u202f${short(count.slice(0, -1))}`;
  if (count.length <= 9) return grouped(count);
  return `${count[0]}.${count.slice(1, 3)}·10^${count.length - 1}`;
}

// Buttons stay where they are as long as they are for the same clues: one may have the focus.
function showButtons(offered) {
  const pad = byId("keypad");
  if (differs(pad, offered.map(({face, figures}) => [face, figures]))) {
    pad.replaceChildren(...offered.map(({face, figures, name, value}) => {
      const drawn = figures.some(([look]) => look !== "text");
      return make("button", {value}, make("b", {}, drawn ? pictureOf(figures, name) : face), " ", make("small"));
    }));
  }
  offered.forEach(({note, pressed, press}, at) => {
    const button = Object.assign(pad.children[at], {onclick: press, ariaPressed: pressed});
    setText(button.querySelector("small"), note);
    button.classList.toggle("unique", note === "unique");
  });
}

function pictureOf(figures, name) {
  const made = element("svg", {viewBox: `0 0 ${CELL} ${CELL}`, role: "img", "aria-label": name});
  drawFigures(figures, {middle: [CELL / 2, CELL / 2]}, made, made);
  return made;
}
