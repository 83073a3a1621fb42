// How the page reaches linkoracle: a server, by WebSockets and requests. The site without a server has
// another module of this name.

// Whether the server is there, as far as is known. What listens in its place gets no token.
let there = true;

export const AWAY = "there is no connection to linkoracle";

// The connection is broken.
export const lost = () => { there = false; };

// Whether the server is there again; false for another one. An Error if none is there.
export async function isBack() {
  there ||= await proven();
  return there;
}

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

// The answer to a text that is sent to this path; an Error says why there is none.
export async function post(where, text) {
  if (!there) throw new Error(AWAY);
  const response = await fetch(where, {method: "POST", body: text}).catch(() => { throw new Error(AWAY); });
  const answer = await response.json().catch(() => ({error: "the server refused"}));
  if (answer.error) throw new Error(answer.error);
  return answer;
}

// What the server tells at this path.
export const load = async (path) => (await fetch(path)).json();
