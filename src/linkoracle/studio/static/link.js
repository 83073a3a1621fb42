// Questions that are answered in stages, over one connection; and tasks, such as a new puzzle, each over one of its
// own, and stopped with it.

import {pause} from "./page.js";
import {AWAY, isBack, lost, socketAt} from "./transport.js";

// Milliseconds until the next attempt.
const RETRY = [250, 1000, 3000];

const STRANGER = "Another program answers in place of linkoracle, or it was started with another " +
  "address: open the address that it prints.";

// One question at a time, the newest: asking the next one gives up the one before.
export class Channel {
  #socket = null;
  #number = 0;
  #question;
  #told = null;
  #tries = 0;

  // At this path, in messages with this key. `connected` gets whether there is a connection, and
  // why not.
  constructor(path, key, connected) {
    Object.assign(this, {path, key, connected});
    this.#connect();
  }

  // `told` gets each stage of the answer. Returns the number of the question.
  ask(question, told = () => {}) {
    this.#number++;
    this.#question = question;
    this.#told = told;
    this.#send();
    return this.#number;
  }

  #send() {
    if (this.#question !== undefined && this.#socket.readyState === WebSocket.OPEN) {
      this.#socket.send(JSON.stringify({number: this.#number, [this.key]: this.#question}));
    }
  }

  #connect() {
    this.#socket = socketAt(this.path);
    this.#socket.onopen = () => {
      this.#tries = 0;
      this.connected(true);
      this.#send();
    };
    this.#socket.onmessage = ({data}) => {
      const stage = JSON.parse(data);
      if (stage.number !== this.#number) return;
      // What is answered is not asked again after a break.
      if (["done", "wrong", "lost"].includes(stage.stage)) this.#question = undefined;
      this.#told(stage);
    };
    this.#socket.onclose = ({reason}) => {
      lost();
      this.connected(false, reason);
      this.#again();
    };
  }

  // Connects again as soon as linkoracle is there.
  async #again() {
    await pause(RETRY[Math.min(this.#tries++, RETRY.length - 1)]);
    const there = await isBack().catch(() => null);
    if (there) {
      this.#connect();
      return;
    }
    if (there === false) this.connected(false, STRANGER);
    this.#again();
  }
}

// Tasks of which only the newest matters: to begin one stops the one before.
export class Newest {
  #socket = null;

  get goes() { return this.#socket !== null; }

  // What a task makes: its last stage, {board, lines, words} or what else; null when it was stopped. `going` gets
  // how it goes, {words, share}, and `shown` what there is so far, {board, lines}. An Error says why nothing came of
  // it; it may have the `nearest` that was found, {board, lines, extra}.
  async make(task, going, shown) {
    this.stop();
    const socket = socketAt("making");
    this.#socket = socket;
    const goes = () => this.#socket === socket;
    try {
      return await new Promise((resolve, reject) => {
        socket.onopen = () => socket.send(JSON.stringify({number: 1, task}));
        socket.onmessage = ({data}) => {
          const stage = JSON.parse(data);
          if (!goes()) return;
          if (stage.stage === "going") going?.(stage);
          else if (stage.stage === "shown") shown?.(stage);
          else if (stage.stage === "made") resolve(stage);
          else if (stage.reason) reject(Object.assign(new Error(stage.reason), {nearest: stage.nearest}));
        };
        socket.onclose = ({reason}) => (goes() ? reject(new Error(reason || AWAY)) : resolve(null));
      });
    } finally {
      if (goes()) this.stop();
    }
  }

  stop() {
    this.#socket?.close();
    this.#socket = null;
  }
}
