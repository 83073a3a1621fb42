// The next puzzle for a player, made while this one is solved.

import {Newest} from "./link.js";

export class Next {
  #task = new Newest();
  #wish = null;

  // `shown` gets what there is to say, and whether a puzzle is ready.
  constructor(shown) {
    this.shown = shown;
    this.board = null;
  }

  // `wish` has kind, rule, rows, cols and difficulty. What is made, or ready, for the same wish stays.
  want(wish, ready = null) {
    if (JSON.stringify(wish) === JSON.stringify(this.#wish) && (this.#task.goes || this.board)) return;
    this.stop();
    this.#wish = wish;
    if (ready) this.#ready(ready);
    else this.#make();
  }

  async #make() {
    this.shown("The next puzzle is being made …", false);
    try {
      const made = await this.#task.make({what: "new", ...this.#wish});
      if (made) this.#ready(made.board);
    } catch (error) {
      this.shown(`No next puzzle yet: ${error.message}.`, false);
    }
  }

  #ready(board) {
    this.board = board;
    this.shown("The next puzzle is ready.", true);
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
