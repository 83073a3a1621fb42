// The next puzzle for a player, of the chosen difficulty, generated while this one is solved.

import {difficultiesOf, shapeOf} from "./board.js";
import {Newest} from "./link.js";
import {attempt, byId, say, setOptions} from "./page.js";

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
