// The board as text, links, pictures and files, and what is said about it there.

import {withAbout} from "./board.js";
import {pngOf, save, saveAs} from "./files.js";
import {attempt, byId, tell} from "./page.js";
import {post} from "./transport.js";

const FORMATS = ["pzpr", "loopy", "json", "text"];
const FILES = ["png", "pdf", "certificate"];
const ABOUT = ["name", "author", "rules"];

export class Sharing {
  // `host` has the board and `change`; `offers` the files that can be made.
  constructor(host, offers) {
    this.host = host;
    const wire = (id, work) => { byId(id).onclick = () => attempt(work); };
    for (const format of FORMATS) wire(`copy-${format}`, () => this.#copy(format));
    wire("copy-picture", async () => {
      // The browser gets a promise, so that it knows at once that the user wants it.
      const picture = this.#write("svg").then(pngOf);
      await navigator.clipboard.write([new ClipboardItem({"image/png": picture})]);
      tell("Copied.");
    });
    wire("open-pzpr", async () => { window.open(await this.#write("pzpr"), "_blank", "noopener"); });
    wire("save-svg", async () => {
      save([await this.#write("svg")], `${host.board.kind}.svg`, "image/svg+xml");
      tell("Saved.");
    });
    for (const format of FILES) {
      byId(`save-${format}`).hidden = !offers.files.includes(format);
      wire(`save-${format}`, async () => {
        tell("Making the file …");
        await saveAs(format, host.board);
        tell("Saved.");
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

  // The text of the board in a format, or as "svg".
  async #write(format) {
    return (await post("write", JSON.stringify({board: this.host.board, format}))).text;
  }

  async #copy(format) {
    const text = await this.#write(format);
    byId("text").value = text;
    byId("text").select();
    try {
      await navigator.clipboard.writeText(text);
      tell("Copied.");
    } catch {
      tell("The text above is ready to be copied.");
    }
  }
}
