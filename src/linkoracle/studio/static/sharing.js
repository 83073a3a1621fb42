// The board as text, links, pictures and files; its title, author and rules; files dropped on the page; and the
// catalogue: save puzzles to it, and browse its puzzles as pictures.

import {withAbout} from "./board.js";
import {Newest} from "./link.js";
import {attempt, byId, make, say, sentence, setOptions, showMessage} from "./page.js";
import {post} from "./transport.js";

const FORMATS = ["pzpr", "loopy", "json", "text"];
const FILES = ["pdf", "certificate"];
const ABOUT = ["name", "author", "rules"];
// The first bytes of a certificate.
const PACKED = [0xfd, 0x37, 0x7a, 0x58, 0x5a, 0];

export class Sharing {
  // `host` has the board and `change`; `offers` lists the file formats that can be written.
  constructor(host, offers) {
    this.host = host;
    const wire = (id, work) => { byId(id).onclick = () => attempt(work); };
    for (const format of FORMATS) wire(`copy-${format}`, () => this.#copy(format));
    // Links to this page hold every kind and board, with title, author and rules.
    for (const [id, view] of [["copy-page", ""], ["copy-play", "play="]]) {
      wire(id, async () => this.#give(`${location.origin}${location.pathname}#${view}${await this.#write("link")}`));
    }
    const picture = () => this.#write("svg").then(pngOf);
    wire("copy-picture", async () => {
      // The browser gets a promise: it allows a copy only directly after the user's click.
      await navigator.clipboard.write([new ClipboardItem({"image/png": picture()})]);
      showMessage("Copied.");
    });
    wire("save-png", async () => save([await picture()], `${host.board.kind}.png`, "image/png"));
    wire("open-pzpr", async () => { window.open(await this.#write("pzpr"), "_blank", "noopener"); });
    wire("save-svg", async () => save([await this.#write("svg")], `${host.board.kind}.svg`, "image/svg+xml"));
    for (const format of FILES) {
      byId(`save-${format}`).hidden = !offers.files.includes(format);
      wire(`save-${format}`, async () => {
        showMessage("Writing the file …");
        const {data, name, type} = await new Newest().make({what: "file", format, board: host.board});
        save([Uint8Array.from(atob(data), (letter) => letter.charCodeAt(0))], name, type);
      });
    }
    for (const name of ABOUT) {
      byId(`about-${name}`).onchange = ({target}) => host.change(withAbout(host.board, name, target.value.trim()));
    }
  }

  show(board, kind) {
    for (const id of ["copy-pzpr", "open-pzpr"]) byId(id).hidden = !kind.url;
    byId("copy-loopy").hidden = !kind.formats.includes("loopy");
    for (const name of ABOUT) byId(`about-${name}`).value = board.about?.[name] ?? "";
  }

  // Return the text of the board in a format, or as "svg".
  async #write(format) {
    return (await post("write", JSON.stringify({board: this.host.board, format}))).text;
  }

  async #copy(format) {
    await this.#give(await this.#write(format));
  }

  async #give(text) {
    byId("text").value = text;
    byId("text").select();
    // Some browsers have no clipboard, or refuse access to it.
    await attempt(async () => {
      await navigator.clipboard.writeText(text);
      showMessage("Copied.");
    }, () => showMessage("The text above is ready to be copied."));
  }
}

function save(parts, name, type) {
  const link = make("a", {href: URL.createObjectURL(new Blob(parts, {type})), download: name});
  link.click();
  // Later, because the browser still has to read it.
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
  showMessage("Saved.");
}

// Return a picture as PNG at twice its size, on white.
async function pngOf(svg) {
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

// Call `open` with the text of a file that is dropped on the page and has at most `most` bytes.
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
    if (files.length > 1) showMessage(`Expected one file, found ${files.length}.`);
    else if (files.length === 0) open(event.dataTransfer.getData("text"));
    else if (files[0].size > most) showMessage(`Expected a file of at most ${most} bytes.`);
    else take(new Uint8Array(await files[0].arrayBuffer()), open);
  });
}

async function take(bytes, open) {
  if (PACKED.some((byte, at) => bytes[at] !== byte)) {
    open(new TextDecoder().decode(bytes));
    return;
  }
  showMessage("Verifying the certificate …");
  const letters = Array.from(bytes, (byte) => String.fromCharCode(byte)).join("");
  await attempt(async () => showMessage(sentence(`certificate ${(await post("verify", btoa(letters))).words}`)));
}

export class Catalogue {
  #task = new Newest();
  #last = 0;

  // `host` has the board and `change`; `name` and `grades` belong to the catalogue.
  constructor(host, kinds, {catalogue: name, grades}) {
    this.host = host;
    byId("catalogue-tools").hidden = !name;
    if (!name) return;
    say("catalogue-title", `Catalogue ${name}`);
    setOptions(byId("catalogue-grade"), grades.map((grade) => [grade, grade === "none" ? "no grade" : grade]));
    setOptions(byId("catalogue-kind"), [["any", "any"], ...kinds.map((kind) => [kind.name, kind.title])]);
    byId("catalogue-save").onclick = () => this.#save();
    byId("catalogue-browse").onclick = () => {
      byId("catalogue").showModal();
      this.#find();
    };
    byId("catalogue-close").onclick = () => byId("catalogue").close();
    byId("catalogue").onclose = () => {
      this.#task.stop();
      byId("board").focus();
    };
    byId("catalogue-filter").onchange = () => this.#find();
    byId("catalogue-more").onclick = () => this.#more();
  }

  async #save() {
    showMessage("Saving …");
    const {board} = this.host;
    const saved = await attempt(() => new Newest().make({what: "save", board, name: board.about?.name ?? null}),
      ({message}) => showMessage(`Not saved: ${message}.`));
    if (saved) showMessage(sentence(saved.words));
  }

  #find() {
    this.#last = 0;
    byId("catalogue-shelf").replaceChildren();
    this.#more();
  }

  async #more() {
    const number = (id) => (byId(id).validity.valid && byId(id).valueAsNumber) || null;
    const task = {
      what: "find", after: this.#last,
      kind: byId("catalogue-kind").value, grade: byId("catalogue-grade").value,
      rows: number("catalogue-rows"), cols: number("catalogue-cols"),
      certified: byId("catalogue-certified").checked,
    };
    byId("catalogue-more").hidden = true;
    say("catalogue-message", "…");
    const found = await attempt(() => this.#task.make(task),
      ({message}) => say("catalogue-message", `Not read: ${message}.`));
    if (!found) return;
    byId("catalogue-shelf").append(...found.records.map((record) => this.#item(record)));
    this.#last = found.records.at(-1)?.id ?? this.#last;
    byId("catalogue-more").hidden = !found.more;
    const shown = byId("catalogue-shelf").childElementCount;
    const message = shown ? `${shown} shown${found.more ? ", and there are more" : ""}.` : "No puzzle fits.";
    say("catalogue-message", found.skipped ? `${message} ${found.skipped} cannot be read.` : message);
  }

  #item({title, size, clues, grade, score, name, certified, board, picture}) {
    const graded = grade ? `${grade}${score === null ? "" : ` ${score}`}` : "no grade";
    const words = [name, `${title} ${size}`, clues, graded, certified ? "certificate" : ""].filter(Boolean);
    const onclick = () => {
      byId("catalogue").close();
      this.host.change(board);
      showMessage("Opened.");
    };
    return make("li", {}, make("button", {disabled: board === null, onclick},
      make("img", {alt: "", src: `data:image/svg+xml,${encodeURIComponent(picture)}`}),
      make("span", {textContent: words.join(", ")})));
  }
}
