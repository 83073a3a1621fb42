// Queries, answered in stages over one connection, and tasks, such as a new puzzle. Each task has a connection of its
// own; closing it stops the task.

import {pause} from "./page.js";
import {AWAY, isBack, lost, socketAt} from "./transport.js";

// Milliseconds until the next attempt.
const RETRY = [250, 1000, 3000];

const STRANGER = "Another program answers in place of linkoracle, or it was started with another " +
  "address: open the address that it prints.";

// One query at a time, the newest: the next query cancels the one before.
export class Channel {
  #socket = null;
  #number = 0;
  #query;
  #onStage = null;
  #attempts = 0;

  // Send queries to this path. `connected` receives whether there is a connection, and the reason if there is none.
  constructor(path, connected) {
    Object.assign(this, {path, connected});
    this.#connect();
  }

  // Send a query and return its number; `onStage` receives each stage of the answer.
  ask(query, onStage = () => {}) {
    this.#number++;
    this.#query = query;
    this.#onStage = onStage;
    this.#send();
    return this.#number;
  }

  #send() {
    if (this.#query !== undefined && this.#socket?.readyState === WebSocket.OPEN) {
      this.#socket.send(JSON.stringify({number: this.#number, query: this.#query}));
    }
  }

  // Connect as soon as linkoracle answers.
  async #connect() {
    for (let there; !there;) {
      there = await isBack().catch(() => null);
      if (there === false) this.connected(false, STRANGER);
      if (!there) await this.#pause();
    }
    this.#socket = socketAt(this.path);
    this.#socket.onopen = () => {
      this.#attempts = 0;
      this.connected(true);
      this.#send();
    };
    this.#socket.onmessage = ({data}) => {
      const stage = JSON.parse(data);
      if (stage.number !== this.#number) return;
      // An answered query is not sent again after a reconnection.
      if (["done", "wrong", "lost"].includes(stage.stage)) this.#query = undefined;
      this.#onStage(stage);
    };
    this.#socket.onclose = async ({reason}) => {
      lost();
      this.connected(false, reason);
      await this.#pause();
      this.#connect();
    };
  }

  #pause() { return pause(RETRY[Math.min(this.#attempts++, RETRY.length - 1)]); }
}

// One task at a time, the newest: starting a task stops the one before.
export class Newest {
  #socket = null;

  get goes() { return this.#socket !== null; }

  // Return the last stage of a task, such as {board, lines, words}, or null if the task was stopped. `going` receives
  // its progress, {words, share}, and `shown` its previews, {board, lines}. Raise an Error with the reason if the task
  // fails; `nearest` may hold the nearest puzzle, {board, lines, extra}.
  async make(task, going, shown) {
    this.stop();
    const socket = socketAt("making");
    this.#socket = socket;
    const goes = () => this.#socket === socket;
    try {
      return await new Promise((resolve, reject) => {
        socket.onopen = () => socket.send(JSON.stringify({number: 1, query: task}));
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
