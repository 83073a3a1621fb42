// Keys and pointers on the board, turned into what they ask for.

import {formsOf} from "./clues.js";
import {ARROWS, PAGES, SIDES} from "./lattice.js";

// `editor` has: active, board, kind, lattice, cursor, selected, dot (null unless ends or holes are put), and the methods
// select, move, moveDot, type, aim, cycle, erase, shift, join, putDot, undo, redo.
export function listen(svg, editor) {
  let dragged = null;

  function step(event) {
    const {board} = editor;
    const [right, down] = ARROWS[event.key];
    if (editor.dot) {
      const [row, col] = editor.dot;
      editor.moveDot([clamp(row + down, board.rows), clamp(col + right, board.cols)]);
    } else if (event.altKey) {
      editor.shift(down, right);
    } else {
      editor.select(editor.lattice.step(editor.cursor, event.key), event.shiftKey);
    }
  }

  // Capitals and small letters are the same key, unless the kind has both.
  const types = (key) => [key, key.toLowerCase(), key.toUpperCase()].some((one) => editor.type(one));
  const aims = ({key, shiftKey, altKey}) => !shiftKey && !altKey && !editor.dot && editor.aim(key);

  svg.addEventListener("keydown", (event) => {
    if (!editor.active) return;
    const {key} = event;
    const command = event.ctrlKey || event.metaKey;
    if (command && key in ARROWS) editor.move(SIDES[key][0], event.shiftKey ? -1 : 1);
    else if (command && key.toLowerCase() === "z") event.shiftKey ? editor.redo() : editor.undo();
    else if (command && key.toLowerCase() === "y") editor.redo();
    else if (command) return;
    else if (key in ARROWS) aims(event) || step(event);
    else if (editor.board.tiling && key in PAGES) editor.select(editor.lattice.step(editor.cursor, key), false);
    else if (["Backspace", "Delete"].includes(key) && !editor.dot) editor.erase();
    else if ([" ", "Enter"].includes(key)) editor.dot ? editor.putDot(editor.dot) : editor.cycle(1);
    else if (key === "Escape") editor.select(editor.cursor, false);
    else if (key.length > 1 || editor.dot || !types(key)) return;
    event.preventDefault();
  });

  const cellOf = (event) => event.target.dataset?.cell;

  svg.addEventListener("pointerdown", (event) => {
    if (!editor.active) return;
    const {dot} = event.target.dataset;
    if (editor.dot) {
      if (dot) editor.putDot(dot.split(",").map(Number));
      return;
    }
    const cell = cellOf(event);
    if (cell === undefined) return;
    svg.focus();
    // A touch would otherwise go on to belong to the cell where it began.
    event.target.releasePointerCapture?.(event.pointerId);
    const here = Number(cell);
    const {cursor, selected, kind} = editor;
    const again = (here === cursor && selected.length === 1) || formsOf(kind).only !== undefined;
    // Where numbers stand in pairs, a drag joins two cells; with Shift it selects, as elsewhere.
    dragged = {from: here, cycles: again && !event.shiftKey, joins: kind.pairs && !event.shiftKey};
    editor.select(here, event.shiftKey);
  });
  svg.addEventListener("pointermove", (event) => {
    const cell = cellOf(event);
    if (!dragged || !event.buttons || cell === undefined || Number(cell) === editor.cursor) return;
    dragged.cycles = false;
    editor.select(Number(cell), !dragged.joins);
  });
  svg.addEventListener("pointerup", (event) => {
    const here = Number(cellOf(event) ?? dragged?.from);
    if (dragged?.cycles && here === dragged.from) editor.cycle(event.button === 2 ? -1 : 1);
    else if (dragged?.joins && here !== dragged.from) editor.join(dragged.from, here);
    dragged = null;
  });
  svg.addEventListener("contextmenu", (event) => event.preventDefault());
}

const clamp = (at, most) => Math.min(Math.max(at, 0), most);
