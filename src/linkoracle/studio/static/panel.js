// What stands beside the board: the answer in words, and the cell under the cursor.

import {choices} from "./board.js";
import {countWords, detailWords, edgeWords, gradeWords, grouped, place, statusWords} from "./answers.js";
import {byId, capital, say, setText} from "./page.js";

export function showAnswer(known, board) {
  const [look, words] = statusWords(known);
  byId("status").className = look;
  say("status", words);
  say("count", countWords(known));
  byId("count").classList.toggle("going", known.status === "many" && known.count === null);
  say("detail", detailWords(known, board));
  const [grade, looks] = gradeWords(known);
  say("grade", grade);
  say("looks", looks);
}

// The clues that a cell may have, each a button, with how many solutions each would leave.
export function showCell(board, kind, cell, known, lattice, enter) {
  const [row, col] = [Math.floor(cell / board.cols), cell % board.cols];
  say("cell-title", capital(place(board, cell)));
  const counts = known.values.get(cell);
  const offered = choices(board, kind, cell).map((clue) => ({
    clue,
    face: kind.look === "filled" ? "Filled" : String(clue),
    note: counts ? left(counts[clue]) : "",
  }));
  offered.push({clue: null, face: "Empty", note: ""});
  showButtons(offered, board.cells[cell], enter);
  const sides = lattice.sides(row, col, kind.throughCells)
    .map(([name, edge]) => [name, edgeWords(known, edge)])
    .filter(([, words]) => words)
    .map(([name, words]) => `${name}: ${words}`);
  const list = byId("sides");
  if (list.dataset.told === sides.join()) return;
  list.dataset.told = sides.join();
  list.replaceChildren(...sides.map((words) => {
    const item = document.createElement("li");
    item.textContent = words;
    return item;
  }));
}

const left = (count) => (count === "0" ? "none" : count === "1" ? "unique" : short(count));

function short(count) {
  if (count.length <= 9) return grouped(count);
  return `${count[0]}.${count.slice(1, 3)}·10^${count.length - 1}`;
}

// Buttons stay where they are as long as they are for the same clues: one may have the focus.
function showButtons(offered, current, enter) {
  const pad = byId("keypad");
  const clues = offered.map(({clue}) => clue).join();
  if (pad.dataset.clues !== clues) {
    pad.dataset.clues = clues;
    pad.replaceChildren(...offered.map(({face}) => {
      const button = document.createElement("button");
      const [clue, note] = [document.createElement("b"), document.createElement("small")];
      clue.textContent = face;
      button.type = "button";
      button.append(clue, " ", note);
      return button;
    }));
  }
  offered.forEach(({clue, note}, at) => {
    const button = pad.children[at];
    button.onclick = () => enter(clue);
    button.setAttribute("aria-pressed", String(clue === current));
    setText(button.querySelector("small"), note);
    button.classList.toggle("unique", note === "unique");
  });
}
