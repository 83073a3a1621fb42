// Tasks of the server, such as a new puzzle: each over a WebSocket of its own, and stopped with it.

import {AWAY, socketAt} from "./link.js";

// Begins a task. `going` gets the stages on the way: {words, share}. `done` is a promise of the last
// stage, {board, lines, words} or what else the task makes; of null after `stop`. An Error says why
// nothing came of it.
export function begin(task, going = () => {}) {
  let socket = null;
  let stopped = false;
  const done = new Promise((resolve, reject) => {
    socket = socketAt("making");
    socket.onopen = () => socket.send(JSON.stringify({number: 1, task}));
    socket.onmessage = ({data}) => {
      const stage = JSON.parse(data);
      if (stage.stage === "going") going(stage);
      else if (stage.stage === "made") resolve(stage);
      else if (stage.reason) reject(new Error(stage.reason));
      if (stage.stage !== "going") socket.close();
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
