// The board in a notebook: it sends changes to the kernel and shows the kernel's answers.

import {begins, nothing, showSolutions, withStage} from "./answers.js";
import {kindOn} from "./board.js";
import {Drawing} from "./drawing.js";
import {Editor, History} from "./editor.js";
import {clueHand, listen} from "./hands.js";
import {isKnown, learn, wordsOf} from "./lattice.js";
import {element, make} from "./page.js";

// Follow the theme of the notebook, light or dark; without one, that of the browser. Return a function that
// stops following.
function followTheme(el) {
  const {body} = document;
  const follow = () => {
    el.style.colorScheme = {true: "light", false: "dark"}[body.dataset.jpThemeLight] ?? "";
  };
  const observer = new MutationObserver(follow);
  observer.observe(body, {attributes: true, attributeFilter: ["data-jp-theme-light"]});
  follow();
  return () => observer.disconnect();
}

// Show the widget. `model` has `board`, `kinds`, `geometry` (of the board, with its words as `board`),
// `answer` (its board, and the stages so far), and `looks`, a style sheet.
function render({model, el}) {
  // Keys act on the board instead of the notebook.
  el.dataset.lmSuppressShortcuts = "true";
  el.addEventListener("keydown", (event) => event.stopPropagation());
  const leaveTheme = followTheme(el);
  const root = el.attachShadow({mode: "open"});
  const svg = element("svg", {id: "board", tabindex: 0, role: "application"});
  const [undo, redo] = ["Undo", "Redo"].map((name) => make("button", {type: "button"}, name));
  root.append(make("style", {}, model.get("looks")), make("div", {className: "widget"}, svg,
    make("section", {id: "answer"}, ...["status", "count", "detail"].map((id) => make("p", {id})),
      make("div", {className: "tools"}, undo, redo))));

  const kinds = new Map(model.get("kinds").map((kind) => [kind.name, kind]));
  const history = new History(model.get("board"));
  const drawing = new Drawing(svg);
  let known = nothing;

  const showCursor = () => drawing.showCursor(editor.cursor, editor.selected, editor.dot);
  const showBoard = () => drawing.showBoard(editor.board, editor.kind, new Set(), editor.draft);

  const editor = new Editor(history, {
    kindOf: (board) => kindOn(kinds.get(board.kind), board),
    learn: learnBoard,
    changed() {
      known = nothing;
      show();
      model.set("board", editor.board);
      model.save_changes();
    },
    moved: showCursor,
    drafted: showBoard,
  });

  // Wait until the kernel sends the geometry of a board.
  function learnBoard(board, kind) {
    return new Promise((resolve) => {
      function look() {
        const geometry = model.get("geometry");
        const isOther = Boolean(geometry.bends) !== kind.throughCells || geometry.diagonal !== kind.diagonal;
        if (geometry.board !== wordsOf(board) || isOther) return;
        learn(board, kind, geometry);
        model.off("change:geometry", look);
        resolve(true);
      }
      model.on("change:geometry", look);
      look();
    });
  }

  function show() {
    showBoard();
    undo.disabled = !history.past.length;
    redo.disabled = !history.future.length;
    showKnown();
    showCursor();
  }

  function showKnown() {
    drawing.showAnswers(known, "all");
    showSolutions(known, editor.board, (id) => root.getElementById(id));
  }

  function answered() {
    const {board, stages} = model.get("answer");
    // Ignore answers about an older board.
    if (JSON.stringify(board) !== JSON.stringify(editor.board) || !isKnown(board, editor.kind)) return;
    known = stages.reduce((found, one) => withStage(begins(one) ? nothing : found, one), nothing);
    showKnown();
  }

  const replaced = () => editor.change(model.get("board"));
  model.on("change:board", replaced);
  model.on("change:answer", answered);
  undo.onclick = () => editor.undo();
  redo.onclick = () => editor.redo();
  listen(drawing, clueHand(editor));
  if (isKnown(editor.board, editor.kind)) show();
  else learnBoard(editor.board, editor.kind).then(() => { show(); answered(); });
  if (drawing.kind) answered();
  return () => {
    leaveTheme();
    model.off("change:board", replaced);
    model.off("change:answer", answered);
  };
}

export default {render};
