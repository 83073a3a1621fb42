// The form at the top: the kind, its variant, the board and its size.

import * as boards from "./board.js";
import {latticeOf} from "./lattice.js";
import {attempt, byId, make, setOptions} from "./page.js";
import {post} from "./transport.js";

const SIDES = {top: "row", right: "column", bottom: "row", left: "column"};

export class Shape {
  // The field whose text is not complete.
  #typed = null;

  // `editor` has the board, its kind and `change`; `kinds` maps names to kinds. `offers` has the tilings and the
  // limits of a board. `learn` learns the geometry of a board.
  constructor(editor, kinds, offers, learn) {
    Object.assign(this, {editor, kinds, offers, learn});
    setOptions(byId("kind"), [...kinds.values()].map(({name, title}) => [name, title]));
    byId("shape").oninput = ({target}) => { this.#typed = target; };
    byId("shape").onchange = ({target}) => {
      this.#typed = null;
      attempt(() => this.#changed(target));
    };
    byId("grow-menu").append(...Object.entries(SIDES).flatMap(([side, line]) =>
      [["Add", 1], ["Remove", -1]].map(([word, more]) => make("button", {
        id: `${word.toLowerCase()}-${side}`, onclick: () => this.move(side, more),
      }, `${word} ${side} ${line}`))));
  }

  // Add a row or a column at a side, or remove it.
  move(side, more) {
    const {editor} = this;
    if (editor.board.tiling) return null;
    const sizeOf = (board) => {
      const size = boards.sizeWith(board, side, more);
      this.#check(size.rows, size.cols);
      return size;
    };
    return attempt(() => editor.resize(sizeOf, (board, kind) => boards.withSide(board, kind, side, more)));
  }

  #check(rows, cols) {
    const {cells, side} = this.offers.limits;
    if (Math.min(rows, cols) < 1) throw new Error("Expected at least one row and one column.");
    if (rows * cols > cells) throw new Error(`Expected a board of at most ${cells} cells.`);
    if (Math.max(rows, cols) > side) throw new Error(`Expected at most ${side} rows and columns.`);
  }

  // Show the shape of the board; a board of polygons has neither rows nor columns.
  show() {
    const {board: {variant, tiling, rows, cols}, kind} = this.editor;
    byId("kind").value = kind.name;
    setOptions(byId("variant"), kind.variants.map(({name, says}) => [name, says]));
    byId("variant").value = variant;
    byId("variant").parentElement.hidden = kind.variants.length < 2;
    const own = boards.isOwn(tiling);
    const [name, ...size] = own ? ["own"] : tiling?.split(" ") ?? ["square", rows, cols];
    setOptions(byId("tiling"), [["square", "squares"],
      ...Object.keys(this.offers.tilings).map((one) => [one, one.replaceAll("_", " ")]),
      ...(own ? [["own", "its own"]] : [])]);
    byId("tiling").value = name;
    byId("tiling").parentElement.hidden = !tiling && !kind.onFaces;
    ["rows", "cols"].forEach((id, at) => {
      const input = byId(id);
      input.disabled = own;
      // Keep what is typed while a request to the server runs. On squares, a number may be changed to fit the kind.
      if (document.activeElement !== input || !(tiling || this.#typed === input)) input.value = size[at] ?? input.value;
    });
  }

  async #changed(input) {
    // A size that suits one tiling gives a huge or a tiny board of another.
    const usual = input === byId("tiling") && this.offers.tilings[input.value];
    if (usual) ["rows", "cols"].forEach((id, at) => { byId(id).value = usual[at]; });
    if (!byId("shape").reportValidity()) return;
    const {board} = this.editor;
    const [rows, cols] = [byId("rows"), byId("cols")].map((input) => input.valueAsNumber);
    this.#check(rows, cols);
    const kind = this.kinds.get(byId("kind").value);
    const name = byId("tiling").value;
    if (name !== "square" && kind.onFaces) {
      const changed = await this.#onTiling(kind.onFaces, {name, rows, cols});
      if (changed) this.editor.change(changed);
    } else await this.editor.resize(() => ({rows, cols}), (now) => onSquares(now, kind, rows, cols));
  }

  // Return a board of another tiling or size, or the same board with another kind or variant; null if its geometry
  // is not available.
  async #onTiling(kind, size) {
    const {board} = this.editor;
    const [name, rows, cols] = board.tiling?.split(" ") ?? [];
    const same = size.name === "own" ||
      (name === size.name && Number(rows) === size.rows && Number(cols) === size.cols);
    if (same && board.kind === kind.name) return {...board, variant: variantOf(kind)};
    const tiling = same ? board.tiling : (await post("board", JSON.stringify(size))).tiling;
    if (!(await this.learn({tiling}, kind))) return null;
    const cells = Array(latticeOf({tiling}, kind).cells.length).fill(null);
    return {kind: kind.name, variant: variantOf(kind), tiling, cells, points: {}};
  }
}

// Return the chosen variant if the kind has it, else its first one.
const variantOf = (kind) => kind.variants.find(({name}) => name === byId("variant").value)?.name ?? kind.variants[0].name;

function onSquares(board, kind, rows, cols) {
  if (board.tiling || kind.name !== board.kind) {
    const variant = board.tiling ? variantOf(kind) : kind.variants[0].name;
    return boards.blank(kind, variant, rows, boards.colsFor(kind, rows, cols));
  }
  if (rows !== board.rows || cols !== board.cols) return boards.resized(board, kind, rows, cols);
  return boards.withVariant(board, kind, byId("variant").value);
}
