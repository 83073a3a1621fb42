// The solve path of the board, shown step by step.

import {stepWords} from "./answers.js";
import {attempt, byId, replay, say} from "./page.js";
import {Newest} from "./link.js";

export class Steps {
  #board = null;
  #task = new Newest();
  #steps = [];
  #at = -1;
  #solved = false;

  // `host` has the current board; `changed` is called when the shown step changes.
  constructor(host, changed) {
    Object.assign(this, {host, changed});
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
