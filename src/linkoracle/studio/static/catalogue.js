// The catalogue: puzzles are saved to it, and looked through by their pictures.

import {byId, sentence} from "./page.js";
import {Newest, begin} from "./tasks.js";

export class Catalogue {
  #task = new Newest();
  #last = 0;

  // `host` has the board, the kinds and `change`; `name` and `grades` are those of the catalogue;
  // `tell` says how saving went.
  constructor(host, {catalogue: name, grades}, tell) {
    this.host = host;
    this.tell = tell;
    byId("catalogue-tools").hidden = !name;
    if (!name) return;
    byId("catalogue-title").textContent = `Catalogue ${name}`;
    byId("catalogue-grade").append(
      ...grades.map((grade) => new Option(grade === "none" ? "no grade" : grade, grade)));
    byId("catalogue-kind").append(new Option("any", "any"),
      ...host.kinds.map((kind) => new Option(kind.title, kind.name)));
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
    this.tell("Saving …");
    try {
      const {words} = await begin({what: "save", board: this.host.board,
        name: this.host.board.about?.name ?? null}).done;
      this.tell(sentence(words));
    } catch (error) {
      this.tell(`Not saved: ${error.message}.`);
    }
  }

  #find() {
    this.#last = 0;
    byId("catalogue-shelf").replaceChildren();
    return this.#more();
  }

  async #more() {
    const number = (id) => (byId(id).validity.valid && byId(id).valueAsNumber) || null;
    const asked = {
      what: "find", after: this.#last,
      kind: byId("catalogue-kind").value, grade: byId("catalogue-grade").value,
      rows: number("catalogue-rows"), cols: number("catalogue-cols"),
      certified: byId("catalogue-certified").checked,
    };
    byId("catalogue-more").hidden = true;
    byId("catalogue-told").textContent = "…";
    let told;
    try {
      const found = await this.#task.make(asked);
      if (!found) return;
      byId("catalogue-shelf").append(...found.records.map((record) => this.#item(record)));
      this.#last = found.records.at(-1)?.id ?? this.#last;
      byId("catalogue-more").hidden = !found.more;
      const shown = byId("catalogue-shelf").childElementCount;
      told = shown ? `${shown} shown${found.more ? ", and there are more" : ""}.` : "No puzzle fits.";
      if (found.skipped) told += ` ${found.skipped} cannot be read.`;
    } catch (error) {
      told = `Not read: ${error.message}.`;
    }
    byId("catalogue-told").textContent = told;
  }

  #item({title, size, clues, grade, score, name, certified, board, picture}) {
    const [item, button] = [document.createElement("li"), document.createElement("button")];
    const [image, words] = [document.createElement("img"), document.createElement("span")];
    const graded = grade ? `${grade}${score === null ? "" : ` ${score}`}` : "no grade";
    words.textContent = [name, `${title} ${size}`, clues, graded, certified ? "certificate" : ""]
      .filter(Boolean).join(", ");
    image.alt = "";
    image.src = `data:image/svg+xml,${encodeURIComponent(picture)}`;
    button.type = "button";
    button.disabled = board === null;
    button.onclick = () => {
      byId("catalogue").close();
      this.host.change(board);
      this.tell("Opened.");
    };
    button.append(image, words);
    item.append(button);
    return item;
  }
}
