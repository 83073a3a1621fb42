// Questions that are answered in stages, and puzzles as text.

import {isBack, lost, post, load, socketAt} from "./transport.js";

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
      this.#wait();
    };
  }

  #wait() {
    const wait = RETRY[Math.min(this.#tries++, RETRY.length - 1)];
    setTimeout(() => this.#again(), wait);
  }

  async #again() {
    try {
      if (await isBack()) {
        this.#connect();
        return;
      }
      this.connected(false, STRANGER);
    } catch {
      // Nobody is there.
    }
    this.#wait();
  }
}

// The board that a text in any format is; an Error says why it is none.
export async function read(text) {
  return (await post("read", text)).board;
}

// A board in a format, or as "svg"; an Error says why it cannot be.
export async function write(board, format) {
  return (await post("write", JSON.stringify({board, format}))).text;
}

// The words of a board of a tiling, {name, rows, cols}.
export async function newBoard(size) {
  return (await post("board", JSON.stringify(size))).tiling;
}

// Where the parts of a board are.
export function geometry({tiling}, {throughCells}) {
  return post("geometry", JSON.stringify({tiling, throughCells}));
}

// Whether a certificate, a file as bytes, holds, and what is said of it: {holds, words}.
export function verify(bytes) {
  const letters = Array.from(bytes, (byte) => String.fromCharCode(byte)).join("");
  return post("verify", btoa(letters));
}

// What the page can do besides: {files, catalogue, grades}.
export const offers = () => load("offers");
export const kinds = () => load("kinds");
