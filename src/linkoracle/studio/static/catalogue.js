// The catalogue: save puzzles to it, and browse its puzzles as pictures.

import {attempt, byId, make, say, sentence, setOptions, showMessage} from "./page.js";
import {Newest} from "./link.js";

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
