// The boards that were edited in this browser: each is kept with its history, and listed to be opened again.

import {byId, make} from "./page.js";
import {forgetBoard, keepBoard, keptBoards} from "./store.js";

const freshId = () => crypto.randomUUID();
const isBlank = ({cells, points, sketch, marks}) =>
  cells.every((clue) => clue === null) && !Object.keys(points).length && !sketch && !marks;

export class OpenBoards {
  // `id` is that of the board in this tab, if it has one; `host` has `history`, `titleOf(board)`, `blank()`, a board
  // to begin with, `usable(board)`, and `opened()`, which is told when the history is another one.
  constructor(id, host) {
    Object.assign(this, {id: id ?? freshId(), host});
    byId("new-board").onclick = () => this.#open({id: freshId(), design: {now: host.blank()}});
    byId("boards").closest("details").ontoggle = () => this.show();
  }

  // What is on the board now stays in the list; what comes next is another one.
  part() { this.id = freshId(); }

  // Keeps the board of this tab, if there is something on it.
  keep() {
    const {history} = this.host;
    if (!isBlank(history.now) || history.past.length) keepBoard(this.id, history);
    this.show();
  }

  // The list, while it can be seen.
  show() {
    if (!byId("boards").closest("details").open) return;
    const found = keptBoards().filter(({design}) => this.host.usable(design.now));
    byId("boards").replaceChildren(...found.map((one) => {
      const [title, here] = [this.host.titleOf(one.design.now), one.id === this.id];
      return make("li", {}, make("button", {ariaCurrent: here, onclick: () => this.#open(one)}, title),
        make("button", {ariaLabel: `Remove ${title}`, disabled: here, onclick: () => this.#forget(one)}, "✕"));
    }));
  }

  #forget({id}) {
    forgetBoard(id);
    this.show();
  }

  #open({id, design}) {
    const {history} = this.host;
    this.keep();
    this.id = id;
    Object.assign(history, {past: [], future: []}, design);
    this.host.opened();
  }
}
