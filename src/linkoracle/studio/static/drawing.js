// The board as SVG. Elements are made once for a shape of board, and then only changed.

import {bordersOf} from "./board.js";
import {formsOf} from "./clues.js";
import {CELL, drawFigures, element, setClass} from "./figures.js";
import {latticeOf} from "./lattice.js";
import {shareOf, telling} from "./answers.js";
import {setText} from "./page.js";

const MARGIN = 24;

export class Drawing {
  #shape = null;

  constructor(svg) {
    this.svg = svg;
  }

  #build(board, kind) {
    const shape = `${board.kind} ${board.rows} ${board.cols}`;
    if (shape === this.#shape) return;
    this.#shape = shape;
    this.kind = kind;
    this.board = board;
    this.lattice = latticeOf(board, kind);
    const [width, height] = [board.cols * CELL + 2 * MARGIN, board.rows * CELL + 2 * MARGIN];
    this.svg.replaceChildren();
    this.svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
    this.svg.style.setProperty("--width", `${width}px`);
    const [looks, divided] = [kind.throughCells ? "through" : "around", bordersOf(kind) ? " regions" : ""];
    this.svg.setAttribute("class", looks + divided);
    const layer = (name) => element("g", {class: name, "aria-hidden": "true"}, this.svg);
    const [cells, shades, grounds, frames, marks] =
      ["cells", "shades", "grounds", "frames", "marks"].map(layer);
    const [crosses, fixed, lines, clues, dots] =
      ["crosses", "fixed", "lines", "clues", "dots"].map(layer);
    const frame = {x: MARGIN, y: MARGIN, width: board.cols * CELL, height: board.rows * CELL};
    if (kind.throughCells) element("rect", {...frame, class: "frame"}, frames);
    this.fixed = fixed;
    this.fixedTold = "";
    this.cells = board.cells.map((_, cell) => {
      const [x, y] = [(cell % board.cols) * CELL + MARGIN,
        Math.floor(cell / board.cols) * CELL + MARGIN];
      const box = {x, y, width: CELL, height: CELL};
      return {
        told: "",
        middle: [x + CELL / 2, y + CELL / 2],
        back: element("rect", {...box, "data-cell": cell}, cells),
        shade: element("rect", box, shades),
        ground: element("g", {}, grounds),
        mark: element("rect", {x: x + 3, y: y + 3, width: CELL - 6, height: CELL - 6, rx: 6}, marks),
        clue: element("g", {class: "clue"}, clues),
        hint: element("text", {x: x + CELL - 4, y: y + CELL - 5, class: "hint"}, clues),
      };
    });
    this.edges = this.lattice.edges.map(([r, c, r2, c2]) => {
      const [x1, y1] = this.at(r, c);
      const [x2, y2] = this.at(r2, c2);
      const [x, y] = [(x1 + x2) / 2, (y1 + y2) / 2];
      return {
        line: element("line", {x1, y1, x2, y2}, lines),
        cross: element("path", {d: `M${x - 4} ${y - 4}l8 8m0-8l-8 8`}, crosses),
      };
    });
    this.dots = [];
    if (!kind.throughCells) {
      for (let row = 0; row <= board.rows; row++) {
        for (let col = 0; col <= board.cols; col++) {
          const [cx, cy] = this.at(row, col);
          const rim = [0, board.rows].includes(row) || [0, board.cols].includes(col);
          const dot = element("circle", {cx, cy, r: 3}, dots);
          if (rim) dot.setAttribute("data-dot", `${row},${col}`);
          this.dots.push(dot);
        }
      }
    }
    this.cursor = element("rect", {class: "cursor", width: CELL, height: CELL, rx: 4}, this.svg);
    this.dotCursor = element("circle", {class: "cursor", r: 10}, this.svg);
  }

  // Where a vertex is.
  at(row, col) {
    const half = this.kind.throughCells ? CELL / 2 : 0;
    return [col * CELL + MARGIN + half, row * CELL + MARGIN + half];
  }

  // Where a pointer is, as row and column of the lattice, with the parts between.
  placeOf({clientX, clientY}) {
    const {x, y} = new DOMPoint(clientX, clientY).matrixTransform(this.svg.getScreenCTM().inverse());
    const half = this.kind.throughCells ? CELL / 2 : 0;
    return [(y - MARGIN - half) / CELL, (x - MARGIN - half) / CELL];
  }

  // The cell at such a place, or the nearest one.
  cellAt([row, col]) {
    const half = this.kind.throughCells ? 0.5 : 0;
    const {rows, cols} = this.board;
    const within = (at, most) => Math.min(Math.max(Math.floor(at + half), 0), most - 1);
    return within(row, rows) * cols + within(col, cols);
  }

  // `draft` is what is typed and is no clue yet: {cell, text}, or null.
  showBoard(board, kind, wanted, draft = null) {
    this.#build(board, kind);
    this.board = board;
    const forms = formsOf(kind);
    board.cells.forEach((clue, cell) => {
      const {back} = this.cells[cell];
      back.classList.toggle("wanted", wanted.has(cell));
      const figures = draft?.cell === cell ? [["text", draft.text]]
        : clue === null ? [] : forms.figures(clue);
      this.#showClue(this.cells[cell], figures, draft?.cell === cell);
    });
    this.#showListed(board, kind);
    this.svg.setAttribute("aria-label",
      `${kind.title} of ${board.rows} rows and ${board.cols} columns`);
  }

  #showClue(place, figures, isDraft) {
    const told = JSON.stringify([figures, isDraft]);
    if (place.told === told) return;
    place.told = told;
    const {ground, clue, middle} = place;
    ground.replaceChildren();
    clue.replaceChildren();
    clue.classList.toggle("draft", isDraft);
    drawFigures(figures, ...middle, ground, clue);
  }

  // What is listed beside the grid, by its look: lines that are given, crosses, dots that are missing, ends,
  // borders.
  #showListed({cols, points}, {lists, throughCells}) {
    const told = JSON.stringify(points);
    if (told === this.fixedTold) return;
    this.fixedTold = told;
    this.fixed.replaceChildren();
    this.borders = new Map();
    const missing = new Set();
    const ends = new Set();
    const vertex = ([row, col]) => row * (cols + (throughCells ? 0 : 1)) + col;
    const show = {
      given: ([one, other]) => this.#line(this.at(...one), this.at(...other), "given"),
      cross: (pair) => {
        const d = this.edges[this.lattice.between(...pair)].cross.getAttribute("d");
        element("path", {d, class: "forbidden"}, this.fixed);
      },
      border: (pair) => {
        this.borders.set(JSON.stringify(pair), this.#line(...this.sideBetween(...pair), "border"));
      },
      gap: (place) => missing.add(vertex(place)),
      end: (place) => ends.add(vertex(place)),
    };
    for (const [name, found] of Object.entries(points)) found.forEach(show[lists[name].look]);
    this.dots.forEach((dot, at) => {
      dot.setAttribute("r", ends.has(at) ? 8 : 3);
      dot.classList.toggle("missing", missing.has(at));
    });
    if (throughCells) this.cells.forEach(({back}, at) => back.classList.toggle("outside", missing.has(at)));
  }

  #line([x1, y1], [x2, y2], className) {
    return element("line", {x1, y1, x2, y2, class: className}, this.fixed);
  }

  // The corners between which two neighbouring cells meet.
  sideBetween([row, col], [row2, col2]) {
    const corner = (r, c) => [c * CELL + MARGIN, r * CELL + MARGIN];
    return [corner(Math.max(row, row2), Math.max(col, col2)),
      corner(Math.min(row, row2) + 1, Math.min(col, col2) + 1)];
  }

  showAnswers(known, shown) {
    const lines = new Set(shown.forced ? known.lines : []);
    const crosses = new Set(shown.forced ? known.crosses : []);
    const shaded = new Set(shown.forced ? known.shaded : []);
    const forms = formsOf(this.kind);
    this.lattice.edges.forEach(([r, c, r2, c2], edge) => {
      const {line, cross} = this.edges[edge];
      const used = shown.shares ? known.uses.get(edge) : undefined;
      const share = used === undefined ? 0 : shareOf(used, known.total);
      setClass(line, lines.has(edge) ? "forced" : used === undefined ? "" : "share");
      const width = share ? String(1 + 5 * share) : "";
      if (line.style.strokeWidth !== width) line.style.strokeWidth = width;
      const plain = this.kind.throughCells && [[r, c], [r2, c2]].some(([row, col]) =>
        forms.closes(this.board.cells[row * this.board.cols + col]));
      setClass(cross, crosses.has(edge) && !plain ? "forced" : "");
    });
    const [redundant, conflict] = [new Set(known.redundant ?? []), new Set(known.conflict ?? [])];
    const open = new Set((known.wrong?.borders ?? []).map((pair) => JSON.stringify(pair)));
    for (const [pair, line] of this.borders) line.classList.toggle("open", open.has(pair));
    if (known.wrong?.cell) conflict.add(known.wrong.cell[0] * this.board.cols + known.wrong.cell[1]);
    this.cells.forEach(({mark, hint, shade}, cell) => {
      setClass(shade, shaded.has(cell) ? "shaded" : "");
      setClass(mark, conflict.has(cell) ? "conflict"
        : shown.redundant && redundant.has(cell) ? "redundant" : "");
      setText(hint, shown.values ? telling(known.values.get(cell)).join("") : "");
    });
  }

  showCursor(cursor, selected, dot) {
    const at = (cell) => this.cells[cell].back;
    const within = new Set(selected.length > 1 ? selected : []);
    this.cells.forEach(({back}, cell) => back.classList.toggle("selected", within.has(cell)));
    this.cursor.setAttribute("x", at(cursor).getAttribute("x"));
    this.cursor.setAttribute("y", at(cursor).getAttribute("y"));
    this.cursor.classList.toggle("off", dot !== null);
    this.dotCursor.classList.toggle("off", dot === null);
    this.svg.classList.toggle("ends", dot !== null);
    if (dot !== null) {
      const [x, y] = this.at(...dot);
      this.dotCursor.setAttribute("cx", x);
      this.dotCursor.setAttribute("cy", y);
    }
  }
}
