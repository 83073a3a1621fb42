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
  #task = null;

  get goes() { return this.#task !== null; }

  // What the task makes; null when it was stopped. For the arguments, and an Error, see `begin`.
  async make(asked, going, shown) {
    this.stop();
    const task = begin(asked, going, shown);
    this.#task = task;
    try {
      const made = await task.done;
      return this.#task === task ? made : null;
    } catch (error) {
      if (this.#task === task) throw error;
      return null;
    } finally {
      if (this.#task === task) this.#task = null;
    }
  }

  stop() {
    this.#task?.stop();
    this.#task = null;
  }
}

// Begins a task. `going` gets how it goes, {words, share}, and `shown` what there is so far, {board,
// lines}. `done` is a promise of the last stage, {board, lines, words} or what else the task makes; of
// null after `stop`. An Error, thrown at once if there is no connection, says why nothing came of it; it may have
// the `nearest` that was found, {board, lines, extra}.
export function begin(task, going = () => {}, shown = () => {}) {
  let stopped = false;
  const socket = socketAt("making");
  const done = new Promise((resolve, reject) => {
    socket.onopen = () => socket.send(JSON.stringify({number: 1, task}));
    socket.onmessage = ({data}) => {
      const stage = JSON.parse(data);
      if (stage.stage === "going") going(stage);
      else if (stage.stage === "shown") shown(stage);
      else if (stage.stage === "made") resolve(stage);
      else if (stage.reason) reject(Object.assign(new Error(stage.reason), {nearest: stage.nearest}));
      if (!["going", "shown"].includes(stage.stage)) socket.close();
    };
    socket.onclose = ({reason}) => {
      if (stopped) resolve(null);
      else reject(new Error(reason || AWAY));
    };
  });
  return {
    done,
    stop() {
      stopped = true;
      socket.close();
    },
  };
}
