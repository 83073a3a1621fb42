// What clicks and keys on the board do besides entering clues: they mark cells for a mask, or draw a
// line. What is not meant for that goes on to where clues are entered.

import {nextMark, marksOf, withMark} from "./mask.js";
import {ARROWS, latticeOf, sideBy, sidesOf} from "./lattice.js";
import {LINE, OPEN} from "./marks.js";
import {filled, fills, withFilled, withPath, withStep} from "./sketch.js";
import {LineStroke, nearestEdge} from "./strokes.js";

const MARK_KEYS = {"#": "must", ".": "none", "?": null, "Backspace": null, "Delete": null};

// Listens to events before anybody else, while `active()`: what `work` takes is told to nobody more.
export const capturing = (svg, active) => (name, work) => svg.addEventListener(name, (event) => {
  if (!active() || !work(event)) return;
  event.stopImmediatePropagation();
  event.preventDefault();
}, {capture: true});

// `editor` has active, board, kind, cursor, select and change; `mode()` is "mask" or "line" while this
// is meant; `leave` goes back to clues.
export function listenModes(svg, editor, drawing, mode, leave) {
  let paint = null;
  let stroke = null;

  const mark = (cell, wanted) => editor.change(withMark(editor.board, cell, wanted));
  const isFilled = (cell) => filled(editor.board, editor.kind).has(cell);
  const fill = (cell) => editor.change(withFilled(editor.board, editor.kind, cell));

  // How a drag goes on from the cell where it begins.
  function beginning(cell, step) {
    if (mode() === "mask") {
      const wanted = nextMark(editor.board, cell, step);
      mark(cell, wanted);
      return (other) => {
        if (marksOf(editor.board)[other] !== wanted) mark(other, wanted);
      };
    }
    if (editor.kind.throughCells) {
      let last = cell;
      return (other) => {
        const board = withStep(editor.board, editor.kind, last, other);
        last = other;
        if (board) editor.change(board);
      };
    }
    fill(cell);
    const wanted = isFilled(cell);
    return (other) => {
      if (isFilled(other) !== wanted) fill(other);
    };
  }

  // Whether an open path is drawn along the sides of cells, as a player draws lines.
  const drawsPath = () => mode() === "line" && !editor.kind.throughCells &&
    !fills(editor.board, editor.kind);

  function beginPath(event) {
    const {board, kind} = editor;
    const {lattice} = drawing;
    const drawn = new Set(board.sketch ?? []);
    const marks = {edges: lattice.edges.map((_, edge) => (drawn.has(edge) ? LINE : OPEN))};
    const draw = (_, changes) => editor.change(withPath(board, kind, changes));
    const place = drawing.placeOf(event);
    svg.setPointerCapture(event.pointerId);
    editor.select(drawing.cellAt(place), false);
    return new LineStroke({marks, drawing, draw}, place, nearestEdge(lattice, place));
  }

  function drawSide(key) {
    const {board, kind, cursor} = editor;
    const [, edge] = sideBy(key, sidesOf(latticeOf(board, kind), board, kind, cursor));
    const drawn = (board.sketch ?? []).includes(edge);
    editor.change(withPath(board, kind, [[edge, drawn ? OPEN : LINE]]));
  }

  function key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return false;
    const {cursor, board, kind} = editor;
    if (event.key === "Escape") leave();
    else if (mode() === "mask") {
      if (event.key in MARK_KEYS) mark(cursor, MARK_KEYS[event.key]);
      else if ([" ", "Enter"].includes(event.key)) mark(cursor, nextMark(board, cursor, 1));
      else return false;
    } else if (fills(board, kind) && [" ", "Enter"].includes(event.key)) fill(cursor);
    else if (drawsPath() && event.shiftKey && event.key in ARROWS) drawSide(event.key);
    else if (kind.throughCells && event.shiftKey && event.key in ARROWS) {
      const [down, right] = ARROWS[event.key];
      const to = cursor + down * board.cols + right;
      const drawn = withStep(board, kind, cursor, to);
      if (drawn) {
        editor.change(drawn);
        editor.select(to, false);
      }
    } else return false;
    return true;
  }

  const on = capturing(svg, () => editor.active && ["mask", "line"].includes(mode()));
  const cellOf = (event) => {
    const cell = event.target.dataset?.cell;
    return cell === undefined ? null : Number(cell);
  };
  on("pointerdown", (event) => {
    svg.focus();
    if (drawsPath()) {
      stroke = beginPath(event);
      return true;
    }
    const cell = cellOf(event);
    if (cell !== null) {
      event.target.releasePointerCapture?.(event.pointerId);
      editor.select(cell, false);
      paint = beginning(cell, event.button === 2 ? -1 : 1);
    }
    return true;
  });
  on("pointermove", (event) => {
    stroke?.to(drawing.placeOf(event));
    if (stroke) return true;
    const cell = cellOf(event);
    if (paint && event.buttons && cell !== null && cell !== editor.cursor) {
      editor.select(cell, false);
      paint(cell);
    }
    return true;
  });
  on("pointerup", () => {
    stroke?.end();
    paint = stroke = null;
    return true;
  });
  on("keydown", key);
}
