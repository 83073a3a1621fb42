// The next puzzle for a player, made while this one is solved.

import {begin} from "./tasks.js";

export class Next {
  #task = null;
  #wish = null;

  // `shown` gets what there is to say, and whether a puzzle is ready.
  constructor(shown) {
    this.shown = shown;
    this.board = null;
  }

  // `wish` has kind, rule, rows, cols and grade. What is made, or ready, for the same wish stays.
  want(wish, ready = null) {
    if (JSON.stringify(wish) === JSON.stringify(this.#wish) && (this.#task || this.board)) return;
    this.stop();
    this.#wish = wish;
    this.board = ready;
    if (ready) this.#ready();
    else this.#make();
  }

  async #make() {
    const task = begin({what: "new", ...this.#wish}, () => {});
    this.#task = task;
    this.shown("The next puzzle is being made …", false);
    try {
      const made = await task.done;
      if (this.#task !== task || !made) return;
      this.#task = null;
      this.board = made.board;
      this.#ready();
    } catch (error) {
      if (this.#task !== task) return;
      this.#task = null;
      this.shown(`No next puzzle yet: ${error.message}.`, false);
    }
  }

  #ready() {
    this.shown("The next puzzle is ready.", true);
  }

  // The puzzle that is ready; it is not kept. Without one, it is made anew if that went wrong.
  take() {
    const {board} = this;
    if (!board && !this.#task) this.#make();
    this.board = null;
    return board;
  }

  stop() {
    this.#task?.stop();
    this.#task = this.board = this.#wish = null;
  }
}
