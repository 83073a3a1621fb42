// Connect the page to the server by WebSockets and requests. The site without a server has another module of
// this name.

// Whether the server is believed to be there. Another program at its address must receive neither path nor cookie.
let there = true;

export const AWAY = "there is no connection to linkoracle";

// Note that the connection is broken.
export const lost = () => { there = false; };

// Return whether the server is there again, or false for another program. Raise an Error if no program answers.
export async function isBack() {
  there ||= await proven();
  return there;
}

// Return whether the program at this address knows the path of the page, which a restarted linkoracle does.
async function proven() {
  const path = location.pathname.split("/")[1];
  const bytes = (text) => new TextEncoder().encode(text);
  const hex = (found) => [...found].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  const nonce = hex(crypto.getRandomValues(new Uint8Array(16)));
  const answer = await fetch(`/alive?nonce=${nonce}`);
  const {proof} = await answer.json();
  const way = {name: "HMAC", hash: "SHA-256"};
  const key = await crypto.subtle.importKey("raw", bytes(path), way, false, ["sign"]);
  return proof === hex(new Uint8Array(await crypto.subtle.sign(way, key, bytes(nonce))));
}

// Open a WebSocket at this path; raise an Error while the server is away.
export function socketAt(path) {
  if (!there) throw new Error(AWAY);
  const address = new URL(path, location.href);
  address.protocol = "ws:";
  address.hash = "";
  return new WebSocket(address);
}

// Send a text to this path and return the answer; raise an Error with the reason if there is none.
export async function post(where, text) {
  if (!there) throw new Error(AWAY);
  const response = await fetch(where, {method: "POST", body: text}).catch(() => { throw new Error(AWAY); });
  const answer = await response.json().catch(() => ({error: "the server refused"}));
  if (answer.error) throw new Error(answer.error);
  return answer;
}

// Return what the server has at this path.
export const load = async (path) => (await fetch(path)).json();
