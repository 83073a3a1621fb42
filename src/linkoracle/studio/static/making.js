// The section that generates puzzles: options, tasks on the board, masks, loops drawn by hand; and the next puzzle for
// a player.

import {BORDERS, FIXED, hasFixed, placesOf, withMarks, withSketch, withoutLists} from "./layers.js";
import {Newest} from "./link.js";
import {difficultiesOf, emptyPartners, sameShape, shapeOf, withCells} from "./board.js";
import {formsOf} from "./clues.js";
import {attempt, byId, chosen, make, say, setOptions} from "./page.js";
import {keepSeconds, usualSeconds} from "./store.js";

// The buttons that begin a task, by the name of the task.
const TASKS = ["new", "add", "thin", "complete", "mask", "line"];
// Milliseconds between updates of the time that a task has taken.
const WAIT = 1000;

export class Making {
  #task = new Newest();
  // The current or last task: its board, its start, its usual and greatest number of seconds, whether it adds clues,
  // and its last message.
  #job = {};
  #kind = null;
  #first = "clues";
  // The preview of the task, {board, lines}; for a failed mask the nearest puzzle, with its `extra` cells.
  shown = null;

  // `host` has the current board, kind and symmetry, and `change`; `changed` is called when the click mode or the
  // preview changes.
  constructor(host, changed) {
    Object.assign(this, {host, changed});
    for (const what of TASKS) byId(`make-${what}`).onclick = () => this.#make(what);
    byId("stop").onclick = () => this.#take();
    for (const input of document.querySelectorAll("[name=mode], [name=fix]")) {
      input.onchange = () => this.#showMode();
    }
    byId("draw-marks").onclick = () => this.#presetMask();
    byId("clear-marks").onclick = () => host.change(withMarks(host.board, []));
    byId("clear-fixed").onclick = () => host.change(withoutLists(host.board, [...FIXED, "holes"]));
    byId("clear-borders").onclick = () => host.change(withoutLists(host.board, BORDERS));
    byId("clear-loop").onclick = () => host.change(withSketch(host.board, []));
    byId("pattern").onchange = () => this.#showLetters();
    byId("unmarked").onchange = this.changed;
    byId("take-near").onclick = () => host.change(withSame(this.shown.board, host.board));
  }

  // What a mask means for unmarked cells: "none", or "either".
  get unmarked() { return byId("unmarked").value; }

  // The clues of the nearest puzzle that the mask does not allow, as a step to show.
  get near() { return this.shown?.extra ? [{lines: [], crosses: [], cells: this.shown.extra}] : []; }

  // The click mode: "clues", "mask", "loop", "fixed", "borders" or "ends".
  get mode() { return chosen("mode"); }
  // What clicks give in the mode "fixed": a "line", a "cross" or a "hole".
  get fixes() { return chosen("fix"); }

  // Return to the first mode: clicks enter clues, if the kind has any.
  leaveMode() {
    byId(`mode-${this.#first}`).checked = true;
    this.#showMode();
  }

  #showMode() {
    for (const name of ["mask", "loop", "fixed", "borders"]) byId(`${name}-tools`).hidden = this.mode !== name;
    byId("board").dataset.mode = this.mode;
    const dot = this.mode === "fixed" && this.fixes === "hole" ? [0, 0] : null;
    this.host.moveDot(this.mode === "ends" ? this.host.board.points.ends[0] : dot);
    this.changed();
  }

  // Show the tools for a board; a changed board stops the task on the previous one.
  show(board, kind) {
    if (this.#job.board !== board) {
      this.#stop("Stopped: the board was changed.");
      if (this.near.length) this.#busy();
    }
    if (kind !== this.#kind) this.#showKind(kind);
    this.#showDifficulties(board, kind);
    this.#showModes(board, kind);
    const lacking = emptyPartners(board, this.host.symmetry);
    const simple = formsOf(kind).only !== undefined && !board.tiling;
    byId("make-complete").hidden = (!this.#offers("complete") && !simple) || this.host.symmetry === "none";
    byId("more-clues").parentElement.hidden = !this.#offers("complete") || this.host.symmetry === "none";
    byId("make-complete").disabled = !lacking.size || this.#task.goes;
    byId("make-line").disabled = !board.sketch || this.#task.goes;
    byId("clear-fixed").disabled = !hasFixed(board);
    byId("clear-borders").disabled = !board.points.borders;
  }

  #offers(task) { return this.#kind.making.tasks.includes(task); }

  #showKind(kind) {
    this.#kind = kind;
    const {making} = kind;
    byId("making").hidden = !making.new;
    byId("make-new").hidden = !making.new;
    for (const task of ["add", "thin", "mask", "line"]) byId(`make-${task}`).hidden = !this.#offers(task);
    const {holes} = kind.lists;
    byId("fix-hole").parentElement.hidden = !holes;
    if (byId("fix-hole").checked && !holes) byId("fix-line").checked = true;
    byId("preset-masks").hidden = !making.patterns;
    setOptions(byId("pattern"), [...(making.patterns ?? []), "letters"].map((name) => [name, name]));
    this.#showLetters();
    // The symmetry is chosen at the top, because it also applies to entered clues.
    const fields = (making.new ?? []).filter(({name}) => name !== "symmetry");
    const [path, others] = [true, false].map((is) => fields.filter(({help}) => Boolean(help) === is).map(field));
    const details = make("details", {}, make("summary", {}, "Path of the player"), ...path);
    byId("options").replaceChildren(...others, ...(path.length ? [details] : []));
  }

  // Offer the difficulties that a board of this size can have.
  #showDifficulties(board, kind) {
    const select = byId("option-difficulty");
    if (!select) return;
    const before = select.value;
    const offered = difficultiesOf(kind, board);
    setOptions(select, offered.map((label) => [label, label]));
    if (offered.includes(before)) select.value = before;
  }

  // Show the click modes of this board.
  #showModes({points}, {lists}) {
    const offered = {
      clues: formsOf(this.#kind).forms.size, borders: lists.borders, fixed: lists.given,
      mask: this.#offers("mask"), loop: this.#offers("line"), ends: points.ends,
    };
    for (const [mode, is] of Object.entries(offered)) byId(`mode-${mode}`).parentElement.hidden = !is;
    const found = Object.keys(offered).filter((mode) => offered[mode]);
    byId("modes").hidden = found.length < 2;
    [this.#first] = found;
    if (!found.includes(this.mode)) this.leaveMode();
  }

  #showLetters() { byId("letters").parentElement.hidden = byId("pattern").value !== "letters"; }

  #options() {
    const values = [...byId("options").elements].map((input) => [input.name, valueOf(input)]);
    return {symmetry: this.host.symmetry, seconds: valueOf(byId("seconds")), ...Object.fromEntries(values)};
  }

  #make(what) {
    const {board, kind, symmetry} = this.host;
    const {only} = formsOf(kind);
    // A kind with a single clue needs no solver: all partners get this clue.
    if (what === "complete" && only !== undefined) {
      return this.host.change(withCells(board, [...emptyPartners(board, symmetry)].map((cell) => [cell, only])));
    }
    const options = this.#options();
    const own = {
      new: shapeOf(board),
      // A clue stays where the mask requires one.
      thin: {keep: placesOf(board.marks ?? [], "must")},
      complete: {more: byId("more-clues").checked},
      mask: {marks: board.marks ?? Array(board.cells.length).fill(null), unmarked: this.unmarked},
      line: {lines: board.sketch},
    }[what] ?? {};
    // Without a chosen symmetry most new puzzles are symmetric, like published ones.
    const free = options.symmetry === "none" || !this.#kind.making.new?.some(({name}) => name === "symmetry");
    if (what === "new" && free) delete options.symmetry;
    return this.#run({what, ...options, ...own, board: what === "new" ? undefined : board});
  }

  async #run(task) {
    this.#stop("");
    const {board} = this.host;
    const work = [task.what, board.kind, board.variant, board.tiling ?? [board.rows, board.cols], task.difficulty].join();
    this.#job = {
      board, since: Date.now(), usual: usualSeconds(work), most: task.seconds, adds: task.what === "add", words: "",
    };
    byId("stop").textContent = "Stop";
    const done = this.#task.make(task, (stage) => this.#going(stage), (stage) => this.#show(stage));
    this.#going({words: "", share: null});
    this.#busy();
    let [message, near] = ["", null];
    try {
      const made = await done;
      if (!made) return;
      keepSeconds(work, (Date.now() - this.#job.since) / 1000);
      message = made.words ? `Made: ${made.words}.` : "";
      if (made.board) this.host.change(withSame(made.board, board, task.what !== "new"));
      if (made.marks) this.host.change(withMarks(board, made.marks));
    } catch (error) {
      message = `Not made: ${error.message.replace(/\.$/, "")}.`;
      near = error.nearest ?? null;
    }
    this.#busy(near);
    say("going", message);
  }

  #show(stage) {
    const {board} = this.host;
    if (!sameShape(stage.board, board)) return;
    this.shown = stage;
    if (this.#job.adds) byId("stop").textContent = "Stop and take this";
    this.changed();
  }

  #going({words, share}) {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.#going({words, share}), WAIT);
    this.#job.words = words;
    say("going", ["Making …", words, this.#time(share)].filter(Boolean).join(" · "));
    byId("share").hidden = typeof share !== "number";
    byId("share").value = share ?? 0;
  }

  // Return the time that the task has taken, and an estimate: from its progress, or from earlier tasks.
  #time(share) {
    const {since, usual, most, adds} = this.#job;
    const seconds = Math.round((Date.now() - since) / 1000);
    // While clues are added, the share bounds their number and is no progress.
    if (seconds && share > 0 && !adds) return `${seconds} s, about ${Math.ceil(seconds / share - seconds)} s left`;
    if (usual) return `${seconds} s, usually ${Math.ceil(usual)} s`;
    return seconds && most ? `${seconds} s of at most ${most} s` : "";
  }

  // Show whether a task runs; `near`, the nearest puzzle of a failed one, stays visible.
  #busy(near = null) {
    const {goes} = this.#task;
    byId("stop").hidden = !goes;
    for (const what of TASKS) byId(`make-${what}`).disabled = goes;
    if (goes) return;
    clearTimeout(this.timer);
    byId("share").hidden = true;
    this.shown = near;
    byId("take-near").hidden = !near;
    this.changed();
  }

  // Stop the task. While clues are added, take the last preview, which has one solution.
  #take() {
    const {adds, board, words} = this.#job;
    const best = adds && this.shown;
    this.#stop(best ? `Stopped with the best so far: ${words}.` : "Stopped.");
    if (best) this.host.change(withSame(best.board, board));
  }

  // Stop the task, if one runs.
  #stop(words) {
    if (!this.#task.goes) return;
    this.#task.stop();
    this.#busy();
    say("going", words);
  }

  #presetMask() {
    const named = byId("pattern").value;
    const preset = named === "letters" ? {letters: byId("letters").value} : {pattern: named};
    return this.#run({what: "marks", board: this.host.board, ...preset});
  }
}

// Return a board with the marks and the loop of the previous board, and with its title unless the puzzle is new.
function withSame(made, board, same = true) {
  const {marks, sketch, about} = board;
  const fits = sameShape(made, board);
  return {...made, ...(fits && marks ? {marks} : {}), ...(fits && sketch ? {sketch} : {}),
    ...(same && about ? {about} : {})};
}

// Return the value of an input: null for a number that was not entered.
function valueOf({type, checked, value, valueAsNumber}) {
  if (type === "checkbox") return checked;
  if (type === "number") return valueAsNumber || null;
  return value;
}

// Inputs for the options of a generator, by type.
const INPUTS = {
  choice: {}, flag: {type: "checkbox"}, number: {type: "number", min: "1"}, text: {type: "text", size: 12},
};

function field({name, title, type, values = [], help = ""}) {
  const options = values.map((value) => new Option(value, value));
  const input = make(type === "choice" ? "select" : "input", {name, id: `option-${name}`, title: help, ...INPUTS[type]}, ...options);
  return make("label", {}, ...(type === "flag" ? [input, ` ${title}`] : [`${title} `, input]));
}

// The next puzzle for a player, of the chosen difficulty, generated while this one is solved.
export class Next {
  #task = new Newest();
  #request = null;
  // The puzzle that is ready, or null.
  board = null;

  // `changed` is called when a puzzle becomes ready or is taken.
  constructor(changed) {
    this.changed = changed;
    byId("next-grade").onchange = () => this.#update(null);
  }

  // Generate a puzzle like this board. `grade` is null if the board has none, and undefined until it is known.
  // A running task, or the puzzle `ready`, is kept if the request is the same.
  follow(board, kind, grade, ready = null) {
    Object.assign(this, {like: board, kind, grade});
    const grades = difficultiesOf(kind, board);
    byId("next-puzzle").hidden = !grades.length;
    const select = byId("next-grade");
    const chosen = select.value;
    setOptions(select, [["same", grades.includes(grade) ? `${grade}, as this one` : "any"],
      ...grades.filter((one) => one !== "any").map((one) => [one, one])]);
    select.value = grades.includes(chosen) ? chosen : "same";
    this.#update(ready);
  }

  #update(ready) {
    const chosen = byId("next-grade").value;
    if (!this.kind.making.new) return this.stop();
    // A puzzle of the same difficulty needs the grade of this one first.
    if (chosen === "same" && this.grade === undefined && !ready) return;
    // A puzzle may have a difficulty that generators do not reach at its size.
    const same = difficultiesOf(this.kind, this.like).includes(this.grade) ? this.grade : "any";
    const request = {...shapeOf(this.like), difficulty: chosen === "same" ? same : chosen};
    if (JSON.stringify(request) === JSON.stringify(this.#request) && (this.#task.goes || this.board)) return;
    this.stop();
    this.#request = request;
    if (ready) this.#ready(ready);
    else this.#make();
  }

  async #make() {
    this.#show("Generating the next puzzle …");
    const made = await attempt(() => this.#task.make({what: "new", ...this.#request}),
      ({message}) => this.#show(`No next puzzle: ${message}.`));
    if (made) this.#ready(made.board);
  }

  #ready(board) {
    this.board = board;
    this.#show("The next puzzle is ready.");
  }

  #show(words) {
    say("next-message", words);
    byId("play-next").classList.toggle("ready", Boolean(this.board));
    this.changed();
  }

  // Return the puzzle that is ready, and forget it. Without one, try again if the last task failed.
  take() {
    const {board} = this;
    if (!board && !this.#task.goes) this.#make();
    this.board = null;
    return board;
  }

  stop() {
    this.#task.stop();
    this.board = this.#request = null;
  }
}
