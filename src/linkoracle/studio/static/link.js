// The server: questions that are answered in stages over a WebSocket, and puzzles as text.

const RETRY = [250, 1000, 3000];

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
    const address = new URL(this.path, location.href);
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
      if (stage.number !== this.#number) return;
      // What is answered is not asked again after a break.
      if (["done", "wrong", "lost"].includes(stage.stage)) this.#question = undefined;
      this.#told(stage);
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
