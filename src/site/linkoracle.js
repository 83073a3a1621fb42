// linkoracle as a JavaScript module: sessions with loop and path puzzles, answered in a worker.
//
//     import {open} from "./linkoracle.js";
//     const session = await open("slitherlink\n3 3\n1 1");
//     (await session.ask()).status;  // "unique"
//
// linkoracle.d.ts declares the arguments and results of each call.

import {Helpers} from "./helpers.js";

let helpers = null;

async function request(message, signal) {
  signal?.throwIfAborted();
  helpers ??= new Helpers();
  return helpers.answer("session", JSON.stringify(message), signal, true);
}

class Session {
  #number;

  constructor({session, kind, rows, cols}) {
    this.#number = session;
    Object.assign(this, {kind, rows, cols});
  }

  #call(op, {signal, ...options} = {}) {
    return request({op, session: this.#number, ...options}, signal);
  }

  ask(options) { return this.#call("ask", options); }
  forced(options) { return this.#call("forced", options); }
  core(options) { return this.#call("core", options); }
  count(options) { return this.#call("count", options); }
  implies(cell, options) { return this.#call("implies", {...options, cell}); }
  set(changes) { return this.#call("set", changes); }
  undo() { return this.#call("undo"); }
  state() { return this.#call("state"); }
  reduce(options) { return this.#call("reduce", options); }
  async write(format) { return (await this.#call("write", {format})).text; }
  async svg() { return this.write("svg"); }
  async close() { await this.#call("close"); }
}

export async function open(puzzle, {signal} = {}) {
  return new Session(await request({op: "open", puzzle}, signal));
}
