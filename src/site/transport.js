// How the page reaches linkoracle where there is no server: a worker answers in its place.

import {ABOUT} from "./about.js";
import {Helpers} from "./helpers.js";

export const AWAY = "the solver could not be loaded";
const {body} = document;

let started = null;

// The first question starts the worker: by then the board is there.
function helpers() {
  started ??= new Helpers(
    () => { body.dataset.started = ""; },
    (reason) => {
      body.dataset.started = "";
      document.getElementById("told").textContent = `The solver could not be loaded: ${reason}.`;
    });
  return started;
}

export function lost() {}

export async function isBack() {
  return true;
}

// What a WebSocket would be: one question at a time, the newest.
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
    const {number, ...asked} = JSON.parse(data);
    const [question] = Object.values(asked);
    if (this.#job) helpers().drop(this.#job);
    const told = (stage) => this.onmessage?.({data: JSON.stringify({number, ...stage})});
    this.#job = question === null ? null
      : helpers().ask(this.path, JSON.stringify(question), told, this.path !== "making");
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

export const post = (where, text) => helpers().answer(where, text);

// What the server would tell is written down, so that the page needs not wait for the worker.
export async function load() {
  return ABOUT;
}
