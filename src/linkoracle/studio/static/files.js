// Files out of the page, and files that are dropped on it.

import {begin} from "./link.js";
import {attempt, make, sentence, tell} from "./page.js";
import {post} from "./transport.js";

// How a certificate begins.
const PACKED = [0xfd, 0x37, 0x7a, 0x58, 0x5a, 0];

export function save(parts, name, type) {
  const link = make("a", {href: URL.createObjectURL(new Blob(parts, {type})), download: name});
  link.click();
  // Not at once: the browser is about to read it.
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}

// A picture as PNG, twice as large, on white.
export async function pngOf(svg) {
  const image = new Image();
  image.src = `data:image/svg+xml,${encodeURIComponent(svg)}`;
  await image.decode();
  const canvas = make("canvas", {width: 2 * image.width, height: 2 * image.height});
  const pen = canvas.getContext("2d");
  pen.fillStyle = "white";
  pen.fillRect(0, 0, canvas.width, canvas.height);
  pen.drawImage(image, 0, 0, canvas.width, canvas.height);
  return new Promise((resolve) => { canvas.toBlob(resolve, "image/png"); });
}

// Saves a board as a file that the server makes; an Error says why it cannot.
export async function saveAs(format, board) {
  const {data, name, type} = await begin({what: "file", format, board}).done;
  const bytes = Uint8Array.from(atob(data), (letter) => letter.charCodeAt(0));
  save([bytes], name, type);
}

// Calls `open` with the text of a file that is dropped on the page, of at most so many bytes.
export function listenForFiles(open, most) {
  const over = (event) => {
    const {types} = event.dataTransfer;
    if (!types.includes("Files") && !types.includes("text/plain")) return;
    event.preventDefault();
    document.body.classList.toggle("dropping", event.type === "dragover");
  };
  document.addEventListener("dragover", over);
  document.addEventListener("dragleave", () => document.body.classList.remove("dropping"));
  document.addEventListener("drop", async (event) => {
    over(event);
    const {files} = event.dataTransfer;
    if (files.length > 1) tell(`Expected one file, found ${files.length}.`);
    else if (files.length === 0) open(event.dataTransfer.getData("text"));
    else if (files[0].size > most) tell(`Expected a file of at most ${most} bytes.`);
    else take(new Uint8Array(await files[0].arrayBuffer()), open);
  });
}

async function take(bytes, open) {
  if (PACKED.some((byte, at) => bytes[at] !== byte)) {
    open(new TextDecoder().decode(bytes));
    return;
  }
  tell("Verifying the certificate …");
  const letters = Array.from(bytes, (byte) => String.fromCharCode(byte)).join("");
  await attempt(async () => tell(sentence(`certificate ${(await post("verify", btoa(letters))).words}`)));
}
