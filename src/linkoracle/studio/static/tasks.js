// Tasks of the server, such as a new puzzle: each over a WebSocket of its own, and stopped with it.

import {AWAY, socketAt} from "./link.js";

// Begins a task. `going` gets how it goes, {words, share}, and `shown` what there is so far, {board,
// lines}. `done` is a promise of the last stage, {board, lines, words} or what else the task makes; of null after `stop`. An Error says why
// nothing came of it.
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
      else if (stage.reason) reject(new Error(stage.reason));
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
