// The board as SVG. Elements are made once for a shape of board, and then only changed.

import {latticeOf} from "./lattice.js";
import {shareOf, telling} from "./answers.js";
import {setText} from "./page.js";

export const CELL = 40;
const MARGIN = 24;
const SVG = "http://www.w3.org/2000/svg";

export function element(name, attributes, parent) {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  parent?.append(made);
  return made;
}

export function setClass(made, name) {
  if (made.getAttribute("class") !== name) made.setAttribute("class", name);
}

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
    this.svg.setAttribute("class", kind.throughCells ? "through" : "around");
    const layer = (name) => element("g", {class: name, "aria-hidden": "true"}, this.svg);
    const [cells, marks] = [layer("cells"), layer("marks")];
    const [crosses, fixed, lines, clues, dots] =
      ["crosses", "fixed", "lines", "clues", "dots"].map(layer);
    this.fixed = fixed;
    this.fixedTold = "";
    this.cells = board.cells.map((_, cell) => {
      const [x, y] = [(cell % board.cols) * CELL + MARGIN,
        Math.floor(cell / board.cols) * CELL + MARGIN];
      const box = {x, y, width: CELL, height: CELL};
      return {
        back: element("rect", {...box, "data-cell": cell}, cells),
        mark: element("rect", {x: x + 3, y: y + 3, width: CELL - 6, height: CELL - 6, rx: 6}, marks),
        clue: element("text", {x: x + CELL / 2, y: y + CELL / 2}, clues),
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

  showBoard(board, kind, wanted) {
    this.#build(board, kind);
    this.board = board;
    const filled = kind.look === "filled";
    board.cells.forEach((clue, cell) => {
      const {back, clue: text} = this.cells[cell];
      back.classList.toggle("filled", filled && clue !== null);
      back.classList.toggle("label", kind.look === "label" && clue !== null);
      back.classList.toggle("wanted", wanted.has(cell));
      setText(text, clue === null || filled ? "" : String(clue));
    });
    const ends = new Set((board.points.ends ?? []).map(([r, c]) => r * (board.cols + 1) + c));
    this.dots.forEach((dot, vertex) => dot.setAttribute("r", ends.has(vertex) ? 8 : 3));
    this.#showFixed(board);
    this.svg.setAttribute("aria-label",
      `${kind.title} of ${board.rows} rows and ${board.cols} columns`);
  }

  // Lines that are given, crosses, and dots that are missing. Few boards have any.
  #showFixed({cols, points: {given = [], forbidden = [], holes = []}}) {
    const told = JSON.stringify([given, forbidden, holes]);
    if (told === this.fixedTold) return;
    this.fixedTold = told;
    this.fixed.replaceChildren();
    for (const [[r, c], [r2, c2]] of given) {
      const [[x1, y1], [x2, y2]] = [this.at(r, c), this.at(r2, c2)];
      element("line", {x1, y1, x2, y2, class: "given"}, this.fixed);
    }
    for (const ends of forbidden) {
      const d = this.edges[this.lattice.between(...ends)].cross.getAttribute("d");
      element("path", {d, class: "forbidden"}, this.fixed);
    }
    const missing = new Set(holes.map(([r, c]) => r * (cols + 1) + c));
    this.dots.forEach((dot, vertex) => dot.classList.toggle("missing", missing.has(vertex)));
  }

  showAnswers(known, shown) {
    const lines = new Set(shown.forced ? known.lines : []);
    const crosses = new Set(shown.forced ? known.crosses : []);
    this.lattice.edges.forEach(([r, c, r2, c2], edge) => {
      const {line, cross} = this.edges[edge];
      const used = shown.shares ? known.uses.get(edge) : undefined;
      const share = used === undefined ? 0 : shareOf(used, known.total);
      setClass(line, lines.has(edge) ? "forced" : used === undefined ? "" : "share");
      const width = share ? String(1 + 5 * share) : "";
      if (line.style.strokeWidth !== width) line.style.strokeWidth = width;
      // Everybody sees that no line goes through a filled cell.
      const plain = this.kind.look === "filled" &&
        [[r, c], [r2, c2]].some(([row, col]) => this.board.cells[row * this.board.cols + col] !== null);
      setClass(cross, crosses.has(edge) && !plain ? "forced" : "");
    });
    const [redundant, conflict] = [new Set(known.redundant), new Set(known.conflict ?? [])];
    if (known.wrong?.cell) conflict.add(known.wrong.cell[0] * this.board.cols + known.wrong.cell[1]);
    this.cells.forEach(({mark, hint}, cell) => {
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
