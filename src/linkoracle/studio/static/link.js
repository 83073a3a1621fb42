// The server: live answers over one WebSocket, and puzzles as text.

const RETRY = [250, 1000, 3000];

export class Live {
  #socket = null;
  #number = 0;
  #board = null;
  #tries = 0;

  // `answered` gets each stage of the answer to the newest board; `connected` whether there is a
  // connection.
  constructor(answered, connected) {
    this.answered = answered;
    this.connected = connected;
    this.#connect();
  }

  ask(board) {
    this.#number++;
    this.#board = board;
    this.#send();
    return this.#number;
  }

  #send() {
    if (this.#board && this.#socket.readyState === WebSocket.OPEN) {
      this.#socket.send(JSON.stringify({number: this.#number, board: this.#board}));
    }
  }

  #connect() {
    const address = new URL("live", location.href);
    address.protocol = "ws:";
    address.hash = "";
    this.#socket = new WebSocket(address);
    this.#socket.onopen = () => {
      this.#tries = 0;
      this.connected(true);
      this.#send();
    };
    this.#socket.onmessage = ({data}) => {
      const stage = JSON.parse(data);
      if (stage.number === this.#number) this.answered(stage);
    };
    this.#socket.onclose = ({reason}) => {
      this.connected(false, reason);
      const wait = RETRY[Math.min(this.#tries++, RETRY.length - 1)];
      setTimeout(() => this.#connect(), wait);
    };
  }
}

async function post(where, text) {
  let response;
  try {
    response = await fetch(where, {method: "POST", body: text});
  } catch {
    throw new Error("there is no connection to linkoracle");
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

export async function kinds() {
  return (await fetch("kinds")).json();
}
