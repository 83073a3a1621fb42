// What stands beside the board: the answer in words, and the cell under the cursor.

import {choicesFor} from "./board.js";
import {formsOf} from "./clues.js";
import {CELL, drawFigures, element} from "./figures.js";
import {countWords, detailWords, edgeWords, gradeWords, grouped, place, statusWords} from "./answers.js";
import {byId, capital, make, setText, say} from "./page.js";

// How many solutions there are; the elements of the answer are found by their ids.
export function showSolutions(known, board, find = byId) {
  const [look, words] = statusWords(known);
  find("status").className = look;
  setText(find("status"), words);
  setText(find("count"), countWords(known));
  find("count").classList.toggle("going", known.status === "many" && known.count === null);
  setText(find("detail"), detailWords(known, board));
}

export function showGrade(known, {grade: seconds}) {
  const [grade, looks] = gradeWords(known, seconds);
  say("grade", grade);
  say("looks", looks);
}

// Where the cursor is, for those who do not see it: the cell, its clue, and what is known besides.
export function showHere(board, kind, cell, known) {
  const clue = formsOf(kind).textOf(board.cells[cell]) || "empty";
  say("here", [`${place(board, cell)}: ${clue}`, ...known].join(", "));
}

// What a cell may have, each a button: whole clues, with how many solutions each would leave, or keys, of
// which clues are made. `editor` has board, kind, cursor, draft, enter and type.
export function showCell(editor, known, lattice) {
  const {board, kind, cursor: cell, draft} = editor;
  say("cell-title", `${capital(place(board, cell))}.`);
  const counts = known.values.get(cell);
  const forms = formsOf(kind);
  const noted = (clue) => (counts?.[clue] ? left(counts[clue]) : "");
  const whole = (clue) => ({
    face: String(clue), name: String(clue), figures: [], note: noted(clue),
    pressed: clue === board.cells[cell], press: () => editor.enter(clue),
  });
  const offered = choicesFor(board, kind, cell)?.map(whole)
    ?? forms.keys(draft?.text ?? forms.textOf(board.cells[cell])).map(({key, clue, ...looks}) => ({
      ...looks, note: noted(clue), press: () => editor.type(key),
      pressed: clue !== undefined && clue === board.cells[cell],
    }));
  if (offered.length) offered.push({...whole(null), face: "Empty", name: "Empty", note: ""});
  // Where lines run along the sides of cells, it is known what each clue would leave.
  byId("keypad").classList.toggle("noted", !kind.throughCells || Boolean(counts));
  byId("cell").hidden = !offered.length;
  showButtons(offered);
  say("takes", `Takes ${kind.clue}.`);
  say("sides", lattice.sides(cell)
    .map(([name, edge]) => [name, edgeWords(known, edge)])
    .filter(([, words]) => words)
    .map(([name, words]) => `${name}: ${words}`).join("; "));
}

const left = (count) => (count === "0" ? "none" : count === "1" ? "unique" : short(count));

function short(count) {
  if (count.endsWith("+")) return `≥\u202f${short(count.slice(0, -1))}`;
  if (count.length <= 9) return grouped(count);
  return `${count[0]}.${count.slice(1, 3)}·10^${count.length - 1}`;
}

// Buttons stay where they are as long as they are for the same clues: one may have the focus.
function showButtons(offered) {
  const pad = byId("keypad");
  const faces = JSON.stringify(offered.map(({face, figures}) => [face, figures]));
  if (pad.dataset.faces !== faces) {
    pad.dataset.faces = faces;
    pad.replaceChildren(...offered.map(({face, figures, name}) => {
      const drawn = figures.some(([look]) => look !== "text");
      return make("button", {}, make("b", {}, drawn ? pictureOf(figures, name) : face), " ", make("small"));
    }));
  }
  offered.forEach(({note, pressed, press}, at) => {
    const button = Object.assign(pad.children[at], {onclick: press, ariaPressed: pressed});
    setText(button.querySelector("small"), note);
    button.classList.toggle("unique", note === "unique");
  });
}

function pictureOf(figures, name) {
  const made = element("svg", {viewBox: `0 0 ${CELL} ${CELL}`, role: "img", "aria-label": name});
  drawFigures(figures, {middle: [CELL / 2, CELL / 2]}, made, made);
  return made;
}
