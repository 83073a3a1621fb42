// The player's view: marks, feedback on them, and the timer.

import {showHere, stepWords} from "./answers.js";
import {History} from "./editor.js";
import {Channel} from "./link.js";
import {CROSS, FIXED, INSIDE, LINE, OPEN, OUTSIDE, Rules, asQuery, inWords, layerMarks, withChanges}
  from "./layers.js";
import {Next} from "./making.js";
import {byId, chosen, replay, say, sentence, setText, showMessage} from "./page.js";
import {keepProgress, nameOf, progressOf} from "./store.js";

// The levels of a hint.
const LEVELS = 3;
const nothingWrong = {edges: [], faces: []};

export class Player {
  active = false;
  cursor = 0;
  // On boards that are not square: the side of the cell under the cursor, chosen by keys.
  #side = null;
  // The history of the marks, stored by the tab; null before the first board.
  history = null;
  #draft = null;
  // What is known of the puzzle. `fixed` is the given mark of each edge. `rules` and `status` are null, and `grade` is
  // undefined, until the server sends them; an ungraded puzzle has the grade null. `ended` says whether it is solved.
  // `trials` holds the marks before each open trial, the newest trial last.
  #game = {};
  #wrong = nothingWrong;
  #hint = null;
  #channel = null;

  // `studio` has drawing and two methods: open shows another board, changed stores the state. `options` holds the
  // stored options.
  constructor(studio, options = {}) {
    Object.assign(this, {studio, drawing: studio.drawing, timer: new Timer(byId("timer"))});
    this.upcoming = new Next(studio.changed);
    byId("auto-crosses").checked = options.automatic ?? true;
    byId("colour-pieces").checked = options.pieces ?? false;
    this.#wire();
  }

  get lattice() { return this.drawing.lattice; }
  // The side that keys draw.
  get side() { return this.#side ?? 0; }
  // The edges around the cell under the cursor, or from it, with their names.
  get sides() { return this.lattice.sides(this.cursor); }
  get marks() { return this.#draft ?? this.history.now; }
  get tool() { return chosen("tool"); }
  get options() {
    return {automatic: byId("auto-crosses").checked, pieces: byId("colour-pieces").checked};
  }
  // The marks before the newest open trial, or null.
  get trial() { return this.#game.trials.at(-1) ?? null; }
  // Whether areas can be coloured.
  get colours() { return this.#game.rules?.loop || !this.kind.throughCells; }

  // Show a board to play, with its stored progress, or with the history `kept`.
  begin(board, kind, kept = null, upcoming = null) {
    const again = this.board && nameOf(board) === nameOf(this.board);
    this.active = true;
    if (!again) {
      this.#keep();
      [this.board, this.kind] = [board, kind];
      [this.cursor, this.#side] = [0, null];
      const progress = progressOf(board);
      const history = kept ?? progress.history ?? {};
      this.#game = {
        fixed: layerMarks(board, this.lattice, FIXED), rules: null, status: null, grade: undefined,
        ended: false, trials: [],
      };
      const blank = this.#blank();
      const fits = ["edges", "faces"].every((key) => history.now?.[key]?.length === blank[key].length);
      this.history = fits ? new History(history.now, history) : new History(blank);
      if (fits) this.#game.trials = progress.trials ?? [];
      this.timer.set(false, progress.seconds ?? 0);
    }
    this.timer.set(!this.#game.ended);
    this.#forget();
    const beside = Object.keys(board.points).map((name) => kind.lists[name].instruction);
    const instructions = [kind.instructions[board.variant], ...beside].filter(Boolean);
    say("instructions", instructions.join(" "));
    this.#channel ??= new Channel("playing", (there, reason) => {
      if (reason) showMessage(reason);
      else if (there && this.active) this.#showNext();
    });
    if (!this.#game.rules) this.#ask("rules", {});
    this.#showNext(upcoming);
    this.show();
  }

  leave() {
    this.active = false;
    this.#draft = null;
    this.timer.set(false);
    this.#keep();
    this.upcoming.stop();
    this.drawing.eraseMarks();
  }

  // Return only the marks that the puzzle gives.
  #blank() {
    const {length} = this.kind.shades ? this.lattice.cells : this.lattice.faces;
    return {edges: this.#game.fixed, faces: Array(length).fill(OPEN), notes: {}};
  }

  // Return whether the puzzle gives this edge, as a line or as a cross.
  isFixed(edge) { return this.#game.fixed[edge] !== OPEN; }

  // Draw these changes until they are committed or cancelled.
  draw(what, changes) {
    const free = [...changes].filter(([edge]) => what !== "edges" || !this.isFixed(edge));
    this.#draft = withChanges(this.history.now, what, free);
    this.#forget();
    this.show();
  }

  commit() {
    const draft = this.#draft;
    this.#draft = null;
    if (draft && this.history.change(draft)) this.#changed();
    else this.show();
  }

  // Discard the draft, the hint and the highlighted mistakes.
  cancel() {
    this.#draft = null;
    this.#forget();
    this.show();
  }

  // Remove the lines and crosses at the cell under the cursor.
  erase() {
    this.draw("edges", this.sides.map(([, edge]) => [edge, OPEN]));
    this.commit();
  }

  // Change the note of the cell under the cursor.
  note(change) {
    this.#draft = change(this.history.now, this.cursor);
    this.commit();
  }

  // Begin a trial: the marks from now on can be kept or dropped together.
  beginTrial() {
    this.#game.trials.push(this.history.now);
    this.#changed();
  }

  keepTrial() {
    this.#game.trials.pop();
    this.#changed();
  }

  dropTrial() {
    this.history.change(this.#game.trials.pop());
    this.#changed();
  }

  // Show all states of the board from the first on; drawing ends the replay.
  async replay() {
    const shown = (state) => {
      this.#draft = state;
      this.show();
    };
    if (await replay(this.history.states(), shown, (state) => this.#draft === state)) this.cancel();
  }

  undo() { if (this.history.undo()) this.#changed(); }
  redo() { if (this.history.redo()) this.#changed(); }

  restart() {
    if (!this.history.change(this.#blank())) return;
    this.#game.trials = [];
    this.#game.ended = false;
    this.timer.set(true, 0);
    this.#changed();
  }

  // Change the colour of the cell under the cursor. If lines run through cells without shading, colour the corner at
  // its bottom right, or an area beside the chosen side.
  cycle() {
    const face = this.#faceAtCursor();
    if (!this.colours || face === undefined) return;
    this.colour(face);
    this.commit();
  }

  #faceAtCursor() {
    const {cursor, kind, lattice} = this;
    if (kind.shades || !kind.throughCells) return cursor;
    if (this.board.tiling) return lattice.beside[this.sides[this.side]?.[1]]?.[0];
    return lattice.faceAt([0, 1].map((axis) => lattice.cells[cursor].middle[axis] + 0.5), true) ?? undefined;
  }

  colour(face) { this.draw("faces", [[face, (this.marks.faces[face] + 1) % 3]]); }

  // Choose another side of the cell under the cursor.
  turn(step) {
    const {length} = this.sides;
    this.#side = (this.side + step + length) % length || 0;
    this.select(this.cursor);
  }

  select(cell) {
    if (cell !== this.cursor) this.#side = null;
    this.cursor = cell;
    const {sides} = this;
    const chosen = sides[this.#side];
    this.drawing.showCursor(cell, [cell], null, chosen?.[1]);
    const details = inWords(sides, this.marks.edges);
    if (chosen) details.unshift(`side at ${chosen[0]}`);
    showHere(this.board, this.kind, cell, details);
  }

  check() {
    this.#ask("check", asQuery(this.marks));
  }

  // Show a hint; if one is shown, its next level: where to look, which rule helps there, what follows.
  hint() {
    if (this.#hint && this.#hint.level < LEVELS) return this.#showHint(this.#hint.level + 1);
    if (this.#hint) return;
    this.#ask("hint", asQuery(this.marks, [...this.#game.rules.atHoles, ...this.#automatic()]));
  }

  #showHint(level) {
    this.#hint.level = level;
    const {where, rule} = this.#hint;
    say("hint-message", level < LEVELS ? [where, rule].slice(0, level).join(" ") : stepWords(this.#hint));
    this.show();
  }

  // Draw the lines, crosses and areas of the hint.
  take() {
    const {lines, crosses, inside, outside} = this.#hint;
    const edges = [...lines.map((edge) => [edge, LINE]), ...crosses.map((edge) => [edge, CROSS])];
    const areas = [...inside.map((area) => [area, INSIDE]), ...outside.map((area) => [area, OUTSIDE])];
    this.draw("edges", edges);
    this.#draft = withChanges(this.#draft, "faces", areas);
    this.commit();
    this.drawing.svg.focus();
  }

  next() {
    const board = this.upcoming.take();
    if (!board) return;
    this.studio.open(board);
    this.drawing.svg.focus();
  }

  show() {
    const rules = this.#game.rules;
    this.drawing.showMarks({
      marks: this.marks, automatic: new Set(this.#automatic()), wrong: this.#wrong, hint: this.#shownHint,
      done: rules?.done(this.marks) ?? [], joined: rules?.joined(this.marks).flat() ?? [],
      ended: this.#game.ended, trial: this.trial, pieces: this.options.pieces,
    });
    byId("trial").hidden = !this.trial;
    say("trial-name", this.#game.trials.length > 1 ? `Trial ${this.#game.trials.length}` : "Trial");
    byId("play-replay").disabled = byId("play-undo").disabled = !this.history.past.length;
    byId("play-redo").disabled = !this.history.future.length;
    const own = this.marks.edges.filter((_, edge) => !this.isFixed(edge));
    byId("play-restart").disabled = ![...own, ...this.marks.faces].some(Boolean);
    byId("play-check").disabled = byId("play-hint").disabled = this.#game.ended || !rules;
    const told = this.#hint?.level === LEVELS ? this.#hint : null;
    byId("hint-more").hidden = !this.#hint || Boolean(told);
    byId("hint-take").hidden = !["lines", "crosses", "inside", "outside"].some((name) => told?.[name].length);
    byId("colour-tool").hidden = !this.colours;
    say("colour-name", this.kind.shades ? "Shaded cells" : "Inside and outside");
    if (!this.colours && this.tool === "colour") byId("tool-line").checked = true;
    this.select(this.cursor);
  }

  // What the level of the hint shows on the board: first the cells, at last what follows.
  get #shownHint() {
    if (!this.#hint || this.#hint.level === LEVELS) return this.#hint;
    return {cells: this.#hint.cells, lines: [], crosses: [], inside: [], outside: []};
  }

  #automatic() { return this.#game.rules && this.options.automatic ? [...this.#game.rules.automatic(this.marks)] : []; }

  #changed() {
    this.#forget();
    this.#checkSolved();
    this.show();
    this.#keep();
  }

  // Check whether the marks are a solution; if the page lacks some rules, the server checks.
  #checkSolved() {
    const ended = this.#game.rules?.solved(this.marks) ?? false;
    if (ended && !this.#game.rules.whole) this.#ask("finished", asQuery(this.marks));
    else this.#end(ended);
  }

  #end(ended) {
    if (ended === this.#game.ended) return;
    this.#game.ended = ended;
    this.timer.set(this.active && !ended);
    this.#showMessage(ended ? "right" : "", ended ? `Solved in ${clock(this.timer.seconds)}.` : "");
  }

  #keep() {
    if (!this.history) return;
    keepProgress(this.board, {history: this.history, seconds: this.timer.seconds, trials: this.#game.trials});
    this.studio.changed();
  }

  // Discard hints and mistakes, which belong to earlier marks.
  #forget() {
    this.#wrong = nothingWrong;
    this.#hint = null;
    if (!this.#game.ended) this.#showMessage("", this.#game.status === "none" ? "This puzzle has no solution." : "");
    say("hint-message", "");
  }

  #showMessage(look, words) {
    byId("play-message").className = look;
    say("play-message", words);
  }

  #ask(what, content) {
    const {board, marks: drawn} = this;
    document.body.dataset.playQuery = this.#channel.ask({what, board, ...content}, (stage) => {
      if (this.board !== board || !this.active) return;
      if (stage.stage === "finished" && this.marks !== drawn) return;
      this.#stages[stage.stage](stage, what);
      document.body.dataset.playAnswered = stage.stage === "done" ? stage.number : "";
    });
  }

  // Handle each stage of the answer to the query `what`.
  #stages = {
    rules: (stage) => {
      this.#game.rules = new Rules(stage, this.lattice, this.kind.shades);
      this.#checkSolved();
      this.show();
    },
    status: ({status}) => {
      this.#game.status = status;
      if (status === "none") this.#forget();
      if (status !== "unique") this.#setGrade(null);
    },
    grade: ({label}) => this.#setGrade(label),
    finished: ({faults: [fault]}) => {
      if (fault) this.#showMessage("wrong", `Not yet: ${fault}.`);
      else this.#end(true);
      this.show();
    },
    checked: ({edges, faces}) => {
      this.#wrong = {edges, faces};
      const wrong = edges.length + faces.length;
      if (!wrong) this.#showMessage("right", "No mistakes so far.");
      else if (this.#game.status === "many") this.#showMessage("wrong", "No solution contains all these marks.");
      else this.#showMessage("wrong", `${wrong === 1 ? "1 mark is" : `${wrong} marks are`} wrong (highlighted).`);
      this.show();
    },
    hint: (stage) => {
      this.#hint = stage;
      // A hint without a technique has one level.
      this.#showHint(stage.name ? 1 : LEVELS);
    },
    wrong: ({reason}) => this.#showMessage("wrong", sentence(reason)),
    late: ({reason}) => this.#showMessage("wrong", `No answer: ${reason}.`),
    lost: (stage) => this.#stages.late(stage),
    // Repeat the first query if another one cancelled it before the grade came.
    done: (_, what) => { if (what !== "rules" && this.#game.grade === undefined) this.#ask("rules", {}); },
  };

  #setGrade(label) {
    this.#game.grade = label;
    this.#showNext();
  }

  #showNext(ready) { this.upcoming.follow(this.board, this.kind, this.#game.grade, ready); }

  #wire() {
    const buttons = {
      "play-undo": "undo", "play-redo": "redo", "play-check": "check", "play-hint": "hint", "play-next": "next",
      "play-restart": "restart", "play-trial": "beginTrial", "play-replay": "replay", "trial-keep": "keepTrial",
      "trial-drop": "dropTrial", "hint-take": "take", "hint-more": "hint",
    };
    for (const [id, method] of Object.entries(buttons)) byId(id).onclick = () => this[method]();
    byId("drawing").onchange = () => {
      this.show();
      this.studio.changed();
    };
    window.addEventListener("pagehide", () => { if (this.active) this.#keep(); });
  }
}

// Seconds that the player has spent on a puzzle; the timer stops while the page is hidden.
class Timer {
  #runs = false;
  #seconds = 0;
  #last = performance.now();

  constructor(shown) {
    this.shown = shown;
    setInterval(() => this.#tick(), 250);
    document.addEventListener("visibilitychange", () => this.#tick(document.hidden));
  }

  get seconds() {
    this.#tick();
    return this.#seconds;
  }

  // Start or stop the timer at this number of seconds.
  set(runs, seconds = this.seconds) {
    [this.#runs, this.#seconds, this.#last] = [runs, seconds, performance.now()];
    this.#tick();
  }

  // Add the time since the last tick if the page was visible.
  #tick(seen = !document.hidden) {
    const now = performance.now();
    if (this.#runs && seen) this.#seconds += (now - this.#last) / 1000;
    this.#last = now;
    setText(this.shown, clock(this.#seconds));
  }
}

function clock(seconds) {
  const two = (number) => String(number).padStart(2, "0");
  const whole = Math.floor(seconds);
  const [hours, minutes] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60];
  return hours ? `${hours}:${two(minutes)}:${two(whole % 60)}` : `${minutes}:${two(whole % 60)}`;
}
