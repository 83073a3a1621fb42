// The section where puzzles are made: wishes, what is done with the board, masks, lines drawn by hand.

import {BORDERS, FIXED, hasFixed, withMarks, withSketch, withoutLists} from "./layers.js";
import {placesOf} from "./marks.js";
import {Newest} from "./link.js";
import {sameShape, shapeOf, wanted, withCells} from "./board.js";
import {formsOf} from "./clues.js";
import {byId, chosen, make, say, setOptions} from "./page.js";
import {keepSeconds, usualSeconds} from "./store.js";

// The buttons that begin a task, by the name of the task.
const TASKS = ["new", "add", "thin", "complete", "mask", "line"];
// Milliseconds after which it is told how long a task goes on.
const WAIT = 1000;

export class Making {
  #task = new Newest();
  // What is made, or was made last: of which board, since when, the seconds that this takes as a rule and at most,
  // whether clues are added, and what was said last.
  #job = {};
  #kind = null;
  #first = "clues";
  // What the task has so far: {board, lines}; of a mask that was not filled the nearest, with `extra` cells.
  shown = null;

  // `host` has the current board, kind and symmetry, and `change`; `changed` is called when clicks do something
  // else, or when there is something else to be seen of the task.
  constructor(host, changed) {
    Object.assign(this, {host, changed});
    for (const what of TASKS) byId(`make-${what}`).onclick = () => this.#make(what);
    byId("stop").onclick = () => this.#take();
    for (const input of document.querySelectorAll("[name=mode], [name=fix]")) {
      input.onchange = () => this.#showMode();
    }
    byId("draw-marks").onclick = () => this.#readyMask();
    byId("clear-marks").onclick = () => host.change(withMarks(host.board, []));
    byId("clear-fixed").onclick = () => host.change(withoutLists(host.board, [...FIXED, "holes"]));
    byId("clear-borders").onclick = () => host.change(withoutLists(host.board, BORDERS));
    byId("clear-line").onclick = () => host.change(withSketch(host.board, []));
    byId("pattern").onchange = () => this.#showLetters();
    byId("unmarked").onchange = this.changed;
    byId("take-near").onclick = () => host.change(withSame(this.shown.board, host.board));
  }

  // What cells get that a mask does not mark: "none", or "either".
  get unmarked() { return byId("unmarked").value; }

  // The cells of the nearest puzzle that a mask does not allow, to be looked at as in steps.
  get near() { return this.shown?.extra ? [{lines: [], crosses: [], cells: this.shown.extra}] : []; }

  // What clicks on the board do: "clues", "mask", "line", "fixed", "borders" or "ends".
  get mode() { return chosen("mode"); }
  // What is given by clicks in the mode "fixed": a "line", a "cross" or a "hole".
  get fixes() { return chosen("fix"); }

  // Back to what clicks do first: they enter clues, if the kind has any.
  leaveMode() {
    byId(`mode-${this.#first}`).checked = true;
    this.#showMode();
  }

  #showMode() {
    for (const name of ["mask", "line", "fixed", "borders"]) byId(`${name}-tools`).hidden = this.mode !== name;
    byId("board").dataset.mode = this.mode;
    const dot = this.mode === "fixed" && this.fixes === "hole" ? [0, 0] : null;
    this.host.moveDot(this.mode === "ends" ? this.host.board.points.ends[0] : dot);
    this.changed();
  }

  // The board has changed: what was being made of the one before is not wanted any more.
  show(board, kind) {
    if (this.#job.board !== board) {
      this.#stop("Stopped: the board was changed.");
      if (this.near.length) this.#busy();
    }
    if (kind !== this.#kind) this.#showKind(kind);
    this.#showModes(board, kind);
    const lacking = wanted(board, this.host.symmetry);
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
    byId("ready-masks").hidden = !making.patterns;
    setOptions(byId("pattern"), [...(making.patterns ?? []), "letters"].map((name) => [name, name]));
    this.#showLetters();
    // The symmetry is chosen once, for clues that are entered as well.
    byId("wishes").replaceChildren(...(making.new ?? [])
      .filter(({name}) => name !== "symmetry").map(field));
  }

  // What clicks can do on this board.
  #showModes({points}, {lists}) {
    const offered = {
      clues: formsOf(this.#kind).forms.size, borders: lists.borders, fixed: lists.given,
      mask: this.#offers("mask"), line: this.#offers("line"), ends: points.ends,
    };
    for (const [mode, is] of Object.entries(offered)) byId(`mode-${mode}`).parentElement.hidden = !is;
    const found = Object.keys(offered).filter((mode) => offered[mode]);
    byId("modes").hidden = found.length < 2;
    [this.#first] = found;
    if (!found.includes(this.mode)) this.leaveMode();
  }

  #showLetters() { byId("letters").parentElement.hidden = byId("pattern").value !== "letters"; }

  #wishes() {
    const valueOf = ({type, checked, value, valueAsNumber}) =>
      ({checkbox: checked, number: valueAsNumber || null}[type] ?? value);
    const wishes = [...byId("wishes").elements].map((input) => [input.name, valueOf(input)]);
    return {symmetry: this.host.symmetry, seconds: byId("seconds").valueAsNumber || null, ...Object.fromEntries(wishes)};
  }

  #make(what) {
    const {board, kind} = this.host;
    const {only} = formsOf(kind);
    // Where there is but one clue, it stands at all places of symmetry.
    if (what === "complete" && only !== undefined) {
      return this.host.change(withCells(board, [...wanted(board, this.host.symmetry)].map((cell) => [cell, only])));
    }
    const wishes = this.#wishes();
    const own = {
      new: shapeOf(board),
      // Clues must stay where a mask wants one.
      thin: {keep: placesOf(board.marks ?? [], "must")},
      complete: {more: byId("more-clues").checked},
      mask: {marks: board.marks ?? Array(board.cells.length).fill(null), unmarked: this.unmarked},
      line: {lines: board.sketch},
    }[what] ?? {};
    // Where none is chosen, new puzzles are mostly symmetric, as published ones are.
    const free = wishes.symmetry === "none" || !this.#kind.making.new?.some(({name}) => name === "symmetry");
    if (what === "new" && free) delete wishes.symmetry;
    return this.#run({what, ...wishes, ...own, board: what === "new" ? undefined : board});
  }

  async #run(asked) {
    this.#stop("");
    const {board} = this.host;
    const work = [asked.what, board.kind, board.rule, board.tiling ?? [board.rows, board.cols], asked.difficulty].join();
    this.#job = {
      board, since: Date.now(), usual: usualSeconds(work), most: asked.seconds, adds: asked.what === "add", words: "",
    };
    byId("stop").textContent = "Stop";
    const done = this.#task.make(asked, (stage) => this.#going(stage), (stage) => this.#show(stage));
    this.#going({words: "", share: null});
    this.#busy();
    let [told, near] = ["", null];
    try {
      const made = await done;
      if (!made) return;
      keepSeconds(work, (Date.now() - this.#job.since) / 1000);
      told = made.words ? `Made: ${made.words}.` : "";
      if (made.board) this.host.change(withSame(made.board, board, asked.what !== "new"));
      if (made.marks) this.host.change(withMarks(board, made.marks));
    } catch (error) {
      told = `Not made: ${error.message.replace(/\.$/, "")}.`;
      near = error.nearest ?? null;
    }
    this.#busy(near);
    say("going", told);
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

  // How long it goes on, and for how long it will: by what is done, or by the last times.
  #time(share) {
    const {since, usual, most, adds} = this.#job;
    const seconds = Math.round((Date.now() - since) / 1000);
    // Of clues that are added, it is said how few may do, not how much is done.
    if (seconds && share > 0 && !adds) return `${seconds} s, about ${Math.ceil(seconds / share - seconds)} s left`;
    if (usual) return `${seconds} s, usually ${Math.ceil(usual)} s`;
    return seconds && most ? `${seconds} s of at most ${most} s` : "";
  }

  // Shows whether something is being made; the nearest puzzle to what was may stay.
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

  // Stops; where every board that was shown has one solution, the last one is taken.
  #take() {
    const {adds, board, words} = this.#job;
    const best = adds && this.shown;
    this.#stop(best ? `Stopped with the best so far: ${words}.` : "Stopped.");
    if (best) this.host.change(withSame(best.board, board));
  }

  // Gives up what is being made, if anything is.
  #stop(words) {
    if (!this.#task.goes) return;
    this.#task.stop();
    this.#busy();
    say("going", words);
  }

  #readyMask() {
    const named = byId("pattern").value;
    const said = named === "letters" ? {letters: byId("letters").value} : {pattern: named};
    return this.#run({what: "marks", board: this.host.board, ...said});
  }
}

// The marks and the line of a board stay when it gets other clues, and what is said about it, unless it is new.
function withSame(made, board, same = true) {
  const {marks, sketch, about} = board;
  const fits = sameShape(made, board);
  return {...made, ...(fits && marks ? {marks} : {}), ...(fits && sketch ? {sketch} : {}),
    ...(same && about ? {about} : {})};
}

// Inputs for the wishes that a maker knows, by their types.
const INPUTS = {choice: {}, flag: {type: "checkbox"}, number: {type: "number", min: "1"}};

function field({name, title, type, values = []}) {
  const options = values.map((value) => new Option(value, value));
  const input = make(type === "choice" ? "select" : "input", {name, id: `wish-${name}`, ...INPUTS[type]}, ...options);
  return make("label", {}, ...(type === "flag" ? [input, ` ${title}`] : [`${title} `, input]));
}
