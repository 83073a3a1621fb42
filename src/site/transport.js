// Connect the page to linkoracle without a server: a worker answers in its place.

import {ABOUT, GEOMETRIES} from "./about.js";
import {Helpers} from "./helpers.js";

export const AWAY = "the solver could not be loaded";
const {body} = document;

let started = null;

// Start the worker at the first query, when the board is already shown.
function helpers() {
  started ??= new Helpers(
    () => { body.dataset.started = ""; },
    (reason) => {
      body.dataset.started = "";
      document.getElementById("message").textContent = `The solver could not be loaded: ${reason}.`;
    });
  return started;
}

export function lost() {}

export async function isBack() {
  return true;
}

// Stand in for a WebSocket: answer one query at a time, the newest.
class Conversation {
  readyState = WebSocket.CONNECTING;
  #job = null;

  constructor(path) {
    this.path = path;
    queueMicrotask(() => {
      this.readyState = WebSocket.OPEN;
      this.onopen?.();
    });
  }

  send(data) {
    const {number, query} = JSON.parse(data);
    if (this.#job) helpers().drop(this.#job);
    const onStage = (stage) => this.onmessage?.({data: JSON.stringify({number, ...stage})});
    this.#job = query === null ? null
      : helpers().ask(this.path, JSON.stringify(query), onStage, this.path !== "making");
  }

  close() {
    if (this.#job) helpers().drop(this.#job);
    this.#job = null;
    this.readyState = WebSocket.CLOSED;
    queueMicrotask(() => this.onclose?.({reason: ""}));
  }
}

export function socketAt(path) {
  return new Conversation(path);
}

// Small boards are shown before the worker has started, and while it works.
export const post = async (where, text) =>
  (where === "geometry" && GEOMETRIES[text]) || helpers().answer(where, text);

// Return what a server would send; it is stored in a file, so that the page need not wait for the worker.
export async function load() {
  return ABOUT;
}
