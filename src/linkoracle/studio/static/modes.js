// What clicks and keys on the board do besides entering clues: they mark cells for a mask, or draw a
// line. What is not meant for that goes on to where clues are entered.

import {nextMark, marksOf, withMark} from "./mask.js";
import {filled, withFilled, withStep} from "./sketch.js";

const MARK_KEYS = {"#": "must", ".": "none", "?": null, "Backspace": null, "Delete": null};
const STEPS = {ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1]};

// `editor` has active, board, kind, cursor, select and change; `mode()` is "clues", "mask" or "line";
// `leave` goes back to clues.
export function listenModes(svg, editor, mode, leave) {
  let paint = null;

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

  function key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return false;
    const {cursor, board, kind} = editor;
    if (event.key === "Escape") leave();
    else if (mode() === "mask") {
      if (event.key in MARK_KEYS) mark(cursor, MARK_KEYS[event.key]);
      else if ([" ", "Enter"].includes(event.key)) mark(cursor, nextMark(board, cursor, 1));
      else return false;
    } else if (!kind.throughCells && [" ", "Enter"].includes(event.key)) fill(cursor);
    else if (kind.throughCells && event.shiftKey && event.key in STEPS) {
      const [down, right] = STEPS[event.key];
      const to = cursor + down * board.cols + right;
      const drawn = withStep(board, kind, cursor, to);
      if (drawn) {
        editor.change(drawn);
        editor.select(to, false);
      }
    } else return false;
    return true;
  }

  const on = (name, work) => svg.addEventListener(name, (event) => {
    if (!editor.active || mode() === "clues") return;
    if (work(event)) {
      event.stopImmediatePropagation();
      event.preventDefault();
    }
  }, {capture: true});
  const cellOf = (event) => {
    const cell = event.target.dataset?.cell;
    return cell === undefined ? null : Number(cell);
  };
  on("pointerdown", (event) => {
    const cell = cellOf(event);
    if (cell !== null) {
      svg.focus();
      event.target.releasePointerCapture?.(event.pointerId);
      editor.select(cell, false);
      paint = beginning(cell, event.button === 2 ? -1 : 1);
    }
    return true;
  });
  on("pointermove", (event) => {
    const cell = cellOf(event);
    if (paint && event.buttons && cell !== null && cell !== editor.cursor) {
      editor.select(cell, false);
      paint(cell);
    }
    return true;
  });
  on("pointerup", () => {
    paint = null;
    return true;
  });
  on("keydown", key);
}
