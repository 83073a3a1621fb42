// What is known of the board: collected from the stages of the answer, and shown as text and on the keypad; and its
// solve path.

import {choicesFor} from "./board.js";
import {CELL, drawFigures, formsOf} from "./clues.js";
import {attempt, byId, capital, differs, element, make, replay, say, sentence, setText} from "./page.js";

export const nothing = {
  status: null, lines: [], crosses: [], uses: new Map(), total: null, count: null, exact: false,
  share: null, values: new Map(), redundant: null, conflict: null, why: null, late: [],
  shaded: [], visited: [], inside: [], outside: [], grade: null, wrong: null, lost: null, done: false,
};

// Return whether a stage is the first of an answer, so that earlier stages are out of date.
export const begins = (stage) => ["status", "wrong", "lost"].includes(stage.stage) ||
  (stage.stage === "late" && stage.of === "status");

// What each stage adds to `known`.
const KEPT = {
  status: ({status, shaded = []}) => ({status, shaded}),
  forced: ({stage: _, whole: __, ...facts}) => facts,
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
export const many = (number, one) => `${number} ${one}${number === 1 ? "" : "s"}`;

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
  status: "Number of solutions", forced: "Forced facts", count: "Exact count",
  shares: "Edge frequencies", values: "Effect of clues", redundant: "Redundant clues",
  conflict: "Conflicting clues", grade: "Difficulty",
};

function detailWords(known, board) {
  const sentences = [known.wrong?.reason, known.lost, known.why].filter(Boolean).map(sentence);
  if (known.conflict) {
    sentences.push(known.conflict.length
      ? `${many(known.conflict.length, "conflicting clue")}: ` +
        `${known.conflict.map((cell) => place(board, cell)).join("; ")}.` +
        fewerWords(known)
      : "The board has no solution even without clues.");
  }
  if (known.status === "unique" && known.redundant) {
    sentences.push(known.redundant.length
      ? `${many(known.redundant.length, "redundant clue")}: each follows from the others.`
      : "No clue is redundant.");
  }
  if (known.status === "many" && known.values.size) {
    const cells = [...known.values.keys()].filter((cell) => uniqueClues(known, board, cell).length).length;
    if (cells) sentences.push(`One more clue makes the puzzle unique in ${many(cells, "cell")}.`);
  }
  if (known.status && known.status !== "many" && !known.done) sentences.push("Still looking …");
  else if (known.count && !known.done) sentences.push("Still looking at clues …");
  for (const {of, reason} of known.late) sentences.push(`${STAGES[of]}: ${reason}.`);
  return sentences.join(" ");
}

// Say whether fewer clues may also contradict each other.
function fewerWords({done, proven: {minimal, smallest}}) {
  if (smallest) return "";
  if (!done) return " Looking for fewer …";
  return minimal ? " Fewer may be enough." : " Time limit reached: some of them may not be needed.";
}

// Return the clues of an empty cell that leave one solution. The greatest clue is excluded: only the loop along all
// sides of the cell fits it.
export function uniqueClues(known, board, cell) {
  const counts = known.values.get(cell);
  if (known.status !== "many" || !Array.isArray(counts) || board.cells[cell] !== null) return [];
  return counts.flatMap((count, clue) => (count === "1" && clue < counts.length - 1 ? [clue] : []));
}

// Return the sentence of a step or hint, after the name of its technique unless the sentence has it.
export function stepWords({name, sentence: words}) {
  return name && !words.includes(`"${name}"`) ? `${capital(name)}: ${words}` : words;
}

// Return the difficulty as text; grading takes at most `seconds`.
function gradeWords({status, grade, done}, seconds) {
  if (status !== "unique") return "Only puzzles with one solution are graded.";
  if (!grade) return done ? "Not graded." : `Grading, at most ${seconds} s …`;
  const {label, score, steps, depth} = grade;
  const guesses = depth ? `, guesses ${depth} deep` : "";
  if (!label) return "Too hard to grade: it needs more than one guess at a time.";
  return `${capital(label)}, score ${score}, ${many(steps, "step")}${guesses}.`;
}

function place(board, cell) {
  if (board.tiling) return `face ${cell}`;
  return `r${Math.floor(cell / board.cols) + 1}c${(cell % board.cols) + 1}`;
}

// Return what is known of an edge, as text.
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

// Show how many solutions there are; `find` returns the elements of the answer by their ids.
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

// Show the cell under the cursor for screen readers: its place, its clue, and what is known of it.
export function showHere(board, kind, cell, known) {
  const clue = formsOf(kind).textOf(board.cells[cell]) || "empty";
  say("here", [`${place(board, cell)}: ${clue}`, ...known].join(", "));
}

// Show a button for each clue of a cell, with the number of solutions that the clue would leave, or for each key
// that a clue is typed with. The `value` of a button is its clue or key. `editor` has board, kind, lattice, cursor,
// draft, enter and type.
export function showCell(editor, known) {
  const {board, kind, lattice, cursor: cell, draft} = editor;
  say("cell-title", `${place(board, cell)}.`);
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
  // For lines along the sides of cells, the server counts what each clue would leave.
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
  if (count.length <= 7) return grouped(count); // More do not fit on a button.
  return `${count[0]}.${count.slice(1, 3)}·10^${count.length - 1}`;
}

// Replace the buttons only if their clues change: one of them may have the focus.
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

// The solve path of the board, shown step by step.
export class Steps {
  #board = null;
  #task;
  #steps = [];
  #at = -1;
  #solved = false;

  // `host` has the current board; `task` asks for its steps; `changed` is called when the shown step changes.
  constructor(host, task, changed) {
    Object.assign(this, {host, changed});
    this.#task = task;
    byId("step-next").onclick = () => this.#go(1);
    byId("step-back").onclick = () => this.#go(-1);
    byId("step-none").onclick = () => this.#forget();
    byId("step-at").oninput = () => this.#show(byId("step-at").valueAsNumber);
    byId("step-replay").onclick = () => this.#replay();
  }

  // All steps up to the shown one; empty if no step is shown.
  get shown() { return this.#steps.slice(0, this.#at + 1); }

  // Discard the steps if the board has changed.
  show(board) { if (this.#board !== null && board !== this.#board) this.#forget(); }

  #forget(words = "", board = null) {
    this.#task.stop();
    [this.#board, this.#steps, this.#at] = [board, [], -1];
    this.#showMessage(words);
    this.changed();
  }

  async #go(step) {
    if (!(await this.#load())) return;
    const last = this.#steps.length - 1;
    if (step > 0 && this.#at === last) {
      this.#showMessage(last < 0 || !this.#solved ? "No further step found." : "These steps solve the puzzle.");
      return;
    }
    this.#show(this.#at + step);
  }

  #show(at) {
    this.#at = at;
    this.#showMessage(`Step ${at + 1} of ${this.#steps.length}. ${stepWords(this.#steps[at])}`);
    this.changed();
  }

  // Show all steps from the first on; choosing a step ends the replay.
  async #replay() {
    if (!(await this.#load())) return;
    const steps = this.#steps;
    await replay([...steps.keys()], (at) => this.#show(at), (at) => this.#at === at && this.#steps === steps);
  }

  // Load the steps of the board; return whether they are there.
  async #load() {
    const {board} = this.host;
    if (this.#board === board) return true;
    this.#forget("Looking for steps …", board);
    const found = await attempt(() => this.#task.make({what: "steps", board}),
      ({message}) => this.#forget(`No steps: ${message}.`));
    if (found) [this.#steps, this.#solved] = [found.steps, found.status === "solved"];
    return Boolean(found);
  }

  #showMessage(words) {
    say("step", words);
    byId("step-back").disabled = this.#at < 1;
    byId("step-none").hidden = byId("step-at").hidden = this.#at < 0;
    byId("step-at").max = this.#steps.length - 1;
    byId("step-at").value = this.#at;
  }
}
