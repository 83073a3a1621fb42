// The boards edited in this browser, stored with their histories and listed so that they can be opened again.

import {byId, make} from "./page.js";
import {forgetBoard, keepBoard, keptBoards} from "./store.js";

const freshId = () => crypto.randomUUID();
const isBlank = ({cells, points, sketch, marks}) =>
  cells.every((clue) => clue === null) && !Object.keys(points).length && !sketch && !marks;

export class OpenBoards {
  // `id` is the id of the board in this tab, if it has one. `host` has `history`, `titleOf(board)`, `blank()`, which
  // returns a new board, `usable(board)`, and `opened()`, called after another history is opened.
  constructor(id, host) {
    Object.assign(this, {id: id ?? freshId(), host});
    byId("new-board").onclick = () => this.#open({id: freshId(), design: {now: host.blank()}});
    byId("boards").closest("details").ontoggle = () => this.show();
  }

  // Leave the current board in the list, and give the next one a new id.
  part() { this.id = freshId(); }

  // Store the board of this tab, unless it is blank.
  keep() {
    const {history} = this.host;
    if (!isBlank(history.now) || history.past.length) keepBoard(this.id, history);
    this.show();
  }

  // Show the list, if it is open.
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
