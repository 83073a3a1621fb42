// The next puzzle for a player, as hard as is chosen, made while this one is solved.

import {shapeOf} from "./board.js";
import {Newest} from "./link.js";
import {attempt, byId, say, setOptions} from "./page.js";

export class Next {
  #task = new Newest();
  #wish = null;
  // The puzzle that is ready, or null.
  board = null;

  // `changed` is called when a puzzle is ready, or none any more.
  constructor(changed) {
    this.changed = changed;
    byId("next-grade").onchange = () => this.#want(null);
  }

  // Like this board, whose grade is null if it has none, and undefined until it is known. What is made, or `ready`,
  // for the same wish stays.
  follow(board, kind, grade, ready = null) {
    Object.assign(this, {like: board, kind, grade});
    const grades = kind.making.new?.find(({name}) => name === "difficulty")?.values ?? [];
    byId("next-puzzle").hidden = !grades.length;
    const select = byId("next-grade");
    const chosen = select.value;
    setOptions(select, [["same", grade ? `${grade}, as this one` : "any"],
      ...grades.filter((one) => one !== "any").map((one) => [one, one])]);
    select.value = grades.includes(chosen) ? chosen : "same";
    this.#want(ready);
  }

  #want(ready) {
    const chosen = byId("next-grade").value;
    if (!this.kind.making.new) return this.stop();
    // The grade of a puzzle that is to be like this one must be known first.
    if (chosen === "same" && this.grade === undefined && !ready) return;
    const wish = {...shapeOf(this.like), difficulty: chosen === "same" ? this.grade ?? "any" : chosen};
    if (JSON.stringify(wish) === JSON.stringify(this.#wish) && (this.#task.goes || this.board)) return;
    this.stop();
    this.#wish = wish;
    if (ready) this.#ready(ready);
    else this.#make();
  }

  async #make() {
    this.#show("The next puzzle is being made …");
    const made = await attempt(() => this.#task.make({what: "new", ...this.#wish}),
      ({message}) => this.#show(`No next puzzle yet: ${message}.`));
    if (made) this.#ready(made.board);
  }

  #ready(board) {
    this.board = board;
    this.#show("The next puzzle is ready.");
  }

  #show(words) {
    say("next-told", words);
    byId("play-next").classList.toggle("ready", Boolean(this.board));
    this.changed();
  }

  // The puzzle that is ready; it is not kept. Without one, it is made anew if that went wrong.
  take() {
    const {board} = this;
    if (!board && !this.#task.goes) this.#make();
    this.board = null;
    return board;
  }

  stop() {
    this.#task.stop();
    this.board = this.#wish = null;
  }
}
