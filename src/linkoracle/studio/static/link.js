// The server: questions that are answered in stages over a WebSocket, and puzzles as text.

// Milliseconds until the next attempt.
const RETRY = [250, 1000, 3000];
// Whether the server is there, as far as is known. What listens in its place gets no token.
let there = true;

// Whether what answers at our address knows the token in it: whoever started linkoracle anew does.
async function proven() {
  const token = location.pathname.split("/")[1];
  const bytes = (text) => new TextEncoder().encode(text);
  const hex = (found) => [...found].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  const nonce = hex(crypto.getRandomValues(new Uint8Array(16)));
  const answer = await fetch(`/alive?nonce=${nonce}`);
  const {proof} = await answer.json();
  const way = {name: "HMAC", hash: "SHA-256"};
  const key = await crypto.subtle.importKey("raw", bytes(token), way, false, ["sign"]);
  return proof === hex(new Uint8Array(await crypto.subtle.sign(way, key, bytes(nonce))));
}

// The address of a WebSocket at this path; an Error while the server is away.
export function socketAt(path) {
  if (!there) throw new Error(AWAY);
  const address = new URL(path, location.href);
  address.protocol = "ws:";
  address.hash = "";
  return new WebSocket(address);
}

export const AWAY = "there is no connection to linkoracle";
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
  ask(question, told) {
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
      there = false;
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
      there ||= await proven();
    } catch {
      // Nobody is there.
      this.#wait();
      return;
    }
    if (there) {
      this.#connect();
    } else {
      this.connected(false, STRANGER);
      this.#wait();
    }
  }
}

async function post(where, text) {
  let response;
  if (!there) throw new Error(AWAY);
  try {
    response = await fetch(where, {method: "POST", body: text});
  } catch {
    throw new Error(AWAY);
  }
  const answer = await response.json().catch(() => ({error: "the server refused"}));
  if (answer.error) throw new Error(answer.error);
  return answer;
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

// What the page can do besides: {files, catalogue, grades}.
export async function offers() {
  return (await fetch("offers")).json();
}

export async function kinds() {
  return (await fetch("kinds")).json();
}
