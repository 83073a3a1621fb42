// Tasks, such as a new puzzle: each over a connection of its own, and stopped with it.

import {AWAY, socketAt} from "./transport.js";

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
// null after `stop`. An Error says why nothing came of it;
// it may have the `nearest` that was found, {board, lines, extra}.
export function begin(task, going = () => {}, shown = () => {}) {
  let socket = null;
  let stopped = false;
  const done = new Promise((resolve, reject) => {
    socket = socketAt("making");
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
      socket?.close();
    },
  };
}
