// The page as a whole: the edited board, what is known of it, and how it is opened and kept.

import * as boards from "./board.js";
import {Steps, begins, many, nothing, showCell, showGrade, showHere, showSolutions, withStage} from "./answers.js";
import {Drawing} from "./drawing.js";
import {Editor, History} from "./editor.js";
import {formsOf} from "./clues.js";
import {clueHand, listen, modesHand, playerHand} from "./hands.js";
import {FIXED, hasFixed, inWords, isHole, layerMarks} from "./layers.js";
import {isKnown, learn as learnGeometry, wordsOf} from "./lattice.js";
import {Making} from "./making.js";
import {attempt, byId, chosen, dressButtons, listenForKeys, say, setOptions, showMessage} from "./page.js";
import {Channel, Newest} from "./link.js";
import {Player} from "./play.js";
import {Shape} from "./shape.js";
import {Catalogue, Sharing, listenForFiles} from "./sharing.js";
import {OpenBoards, keepForAll, keepOfTab, keptForAll, keptOfTab} from "./store.js";
import {load, post} from "./transport.js";

// Milliseconds after a change until the history is stored.
const PAUSE = 300;
// Milliseconds until a selected cell is queried: the cursor may only be passing it.
const SELECTED = 60;

const {kinds: allKinds, offers} = await load("about");
const kinds = new Map(allKinds.map((kind) => [kind.name, kind]));
const before = keptForAll();
const ofTab = keptOfTab();
const drawing = new Drawing(byId("board"));
const history = usable(ofTab.design?.now) ? new History(ofTab.design.now, ofTab.design)
  : new History(usable(before.board) ?? firstBoard());
let known = nothing;
let saving = null;
let selecting = null;
// Whether the last query was for the same board, and only the cell differs.
let again = false;
// The number of requests for the geometry of a board.
let learning = 0;
// The parts of the page, created below.
let shape, live, player, making, steps, openBoards, sharing;

function titleOf(board) {
  const {tiling, rows, cols, cells, about} = board;
  const size = boards.isOwn(tiling) ? "its own board" : tiling ?? `${rows}x${cols}`;
  const clues = cells.filter((clue) => clue !== null).length;
  return [about?.name, kindOf(board).title, size, many(clues, "clue")].filter(Boolean).join(" · ");
}

function firstBoard() {
  const [kind] = kinds.values();
  return boards.blank(kind, kind.variants[0].name, 7, 7);
}

function kindOf(board) {
  return boards.kindOn(kinds.get(board?.kind), board);
}

// Return a stored board, or null if the current kinds do not accept it.
function usable(board) {
  const kind = kindOf(board);
  if (!kind?.variants.some(({name}) => name === board.variant)) return null;
  if (!Object.keys(board.points).every((name) => name in kind.lists)) return null;
  return board.tiling || board.cells.length === board.rows * board.cols ? board : null;
}

// Learn the geometry of a board; return false if the server does not send it.
async function learn(board, kind) {
  if (!isKnown(board, kind)) {
    const request = JSON.stringify({board: wordsOf(board), throughCells: kind.throughCells, diagonal: kind.diagonal});
    learning++;
    document.body.dataset.learning = "";
    await attempt(async () => learnGeometry(board, kind, await post("geometry", request)));
    if (!--learning) delete document.body.dataset.learning;
  }
  return isKnown(board, kind);
}

if (!(await learn(history.now, kindOf(history.now)))) {
  history.now = firstBoard();
  await learn(history.now, kindOf(history.now));
}
// A change of the kind need not wait for the geometry of small boards, with lines through cells or not.
learn({rows: 1, cols: 1}, {throughCells: !kindOf(history.now).throughCells});
const editor = new Editor(history, {
  move: (side, more) => shape.move(side, more),
  kindOf,
  symmetry,
  partners: () => byId("partners").checked,
  learn,
  active: () => !player.active,
  changed,
  moved: showPlace,
  drafted: () => { showCells(); showPad(); },
});

// Show where the cursor is, for screen readers as well.
function showPlace() {
  showCursor();
  queryCell();
  const {board, kind, cursor, dot} = editor;
  if (dot) {
    const there = isHole(board, dot) ? "missing" : "there";
    say("here", making.mode === "fixed" ? `Dot ${dot.join(",")}: ${there}` : "");
    return;
  }
  const {lattice} = editor;
  const given = hasFixed(board) ? inWords(lattice.sides(cursor), layerMarks(board, lattice, FIXED)) : [];
  showHere(board, kind, cursor, given);
}

function symmetry() {
  return editor.board.tiling ? "none" : byId("symmetry").value;
}

function changed() {
  const {board} = editor;
  // Old answers stay in sight until new ones arrive, except on a board of another shape.
  if (!drawing.board || !boards.sameShape(board, drawing.board)) known = nothing;
  // The server works on the answer while the board is drawn.
  again = false;
  if (!player.active) queryBoard();
  showAll();
  if (player.active) player.begin(editor.board, editor.kind);
  if (!document.body.classList.contains("alone")) showMessage("");
  save();
}

function queryBoard() {
  clearTimeout(selecting);
  const query = {...editor.board, cell: editor.cursor, edited: editor.edited};
  document.body.dataset.query = live.ask(query, answered);
}

// Query the board again if nothing is known of the selected cell; keep what is known of the board.
function queryCell() {
  clearTimeout(selecting);
  if (!known.values.size || known.values.has(editor.cursor) || editor.dot || player.active) return;
  selecting = setTimeout(() => {
    known = {...known, late: [], done: false};
    again = true;
    queryBoard();
  }, SELECTED);
}

function save() {
  keepForAll({board: editor.board, symmetry: byId("symmetry").value, partners: byId("partners").checked,
    marks: chosen("marks"), play: player.options});
  saveTab();
}

// A history may be large, so it is stored after a pause, and when the page closes.
function saveTab() {
  saving ??= setTimeout(saveTabNow, PAUSE);
}

function saveTabNow() {
  clearTimeout(saving);
  saving = null;
  const state = {view: document.body.dataset.view, next: player.upcoming.board, id: openBoards.id};
  openBoards.keep();
  keepOfTab(state, {design: history, ...(player.history ? {play: player.history} : {})});
}

// `kept` holds what the tab stored: the history of playing this board, and the next puzzle.
function setView(view, kept = {}) {
  document.body.dataset.view = view;
  for (const name of ["design", "play"]) byId(name).ariaPressed = name === view;
  if (view === "play") {
    live.ask(null);
    delete document.body.dataset.query;
    known = nothing;
  } else {
    if (player.active) player.leave();
    again = false;
    queryBoard();
  }
  showAll();
  if (view === "play") player.begin(editor.board, editor.kind, kept.play, kept.next);
  save();
}

function showAll() {
  const {board, kind} = editor;
  showCells();
  making.show(board, kind);
  steps.show(board);
  shape.show();
  byId("undo").disabled = !history.past.length;
  byId("redo").disabled = !history.future.length;
  const {forms} = formsOf(kind);
  for (const id of ["rotate", "reflect", "grow"]) byId(id).hidden = Boolean(board.tiling);
  byId("clear").hidden = !forms.size;
  byId("symmetry-tool").hidden = !forms.size || Boolean(board.tiling);
  byId("partners-tool").hidden = symmetry() === "none" || formsOf(kind).unknown === undefined;
  sharing.show(board, kind);
  showKnown();
  showCursor();
}

function showCells() {
  const {board, kind} = editor;
  // The preview of a generator is shown in place of the board.
  const shown = player.active ? null : making.shown?.board;
  const plain = player.active || shown;
  drawing.showBoard(shown ?? board, kind, plain ? new Set() : boards.emptyPartners(board, symmetry()),
    player.active ? null : editor.draft);
  byId("board").classList.toggle("making", Boolean(shown));
}

function showOverlay() {
  const {mode, near, shown: made, unmarked} = making;
  drawing.showOverlay(player.active || made ? null : mode, mode === "clues" ? steps.shown : near, unmarked);
  if (player.active) return;
  // Answers are hidden during generation, while a mask or loop is drawn, and while steps are shown.
  const shown = !["mask", "loop"].includes(mode) && !steps.shown.length;
  if (made) drawing.showAnswers({...nothing, lines: made.lines}, "lines");
  else drawing.showAnswers(shown ? known : nothing, chosen("marks"));
}

function showKnown() {
  showOverlay();
  if (player.active) return;
  showSolutions(known, editor.board);
  showGrade(known, offers.limits);
  showPad();
}

function showPad() {
  showCell(editor, known);
}

function showCursor() {
  if (player.active) return;
  drawing.showCursor(editor.cursor, editor.selected, editor.dot, editor.chosenEdge);
  showPad();
}

function answered(stage) {
  known = withStage(begins(stage) && !again ? nothing : known, stage);
  showKnown();
  if (begins(stage)) document.body.dataset.answered = stage.number;
  if (known.done) document.body.dataset.done = stage.number;
}

async function turn(way) {
  if (!(await editor.turn(way))) showMessage("The turned selection does not fit on the board.");
}

function connected(there, reason) {
  const wasAlone = document.body.classList.contains("alone");
  document.body.classList.toggle("alone", !there);
  if (there && wasAlone) showMessage("");
  if (!there) showMessage(reason || "No connection to linkoracle. The board is kept in this browser.");
}

function open(text) {
  return attempt(async () => {
    const {board} = await post("read", text);
    if (!kindOf(board)) throw new Error("Boards that are not square need an installed studio.");
    if (!(await learn(board, kindOf(board)))) return;
    saveTabNow();
    openBoards.part();
    editor.change(board);
    showMessage("Opened.");
    byId("board").focus();
  });
}

// Open the puzzle after the # of the address, then remove it from the address.
// #play and #play=puzzle open the page for playing.
async function openLink() {
  const [, plays, text] = location.hash.match(/^#?(play(?:=|$))?(.*)$/s);
  if (location.hash) window.history.replaceState(null, "", location.pathname);
  if (plays && !player.active) setView("play");
  if (!text) return;
  // Text that cannot be decoded is taken as it is.
  await open(await attempt(() => decodeURIComponent(text), () => text));
}

function wire() {
  dressButtons();
  for (const input of document.querySelectorAll("[data-most]")) {
    input.max = offers.limits[input.dataset.most];
    // Typing replaces the number. A click sets the caret only after the focus event. Selecting takes the focus back,
    // so the input must still have it.
    input.onfocus = () => setTimeout(() => { if (document.activeElement === input) input.select(); });
  }
  shape = new Shape(editor, kinds, offers, learn);
  setOptions(byId("symmetry"), Object.entries(boards.SYMMETRIES).map(([name, {title}]) => [name, title]));
  if (before.symmetry in boards.SYMMETRIES) byId("symmetry").value = before.symmetry;
  byId("partners").checked = before.partners ?? false;
  byId(`marks-${before.marks ?? "lines"}`).checked = true;
  for (const input of document.querySelectorAll("#symmetry, #partners, [name=marks]")) {
    input.onchange = () => { showAll(); save(); };
  }
  for (const form of document.forms) form.onsubmit = (event) => event.preventDefault();
  for (const view of ["design", "play"]) byId(view).onclick = () => setView(view);
  window.addEventListener("pagehide", saveTabNow);
  for (const way of ["undo", "redo"]) byId(way).onclick = () => editor[way]();
  byId("rotate").onclick = () => turn(boards.ROTATED);
  byId("reflect").onclick = () => turn(boards.REFLECTED);
  byId("clear").onclick = () => editor.change(boards.withCells(editor.board,
    editor.board.cells.map((_, cell) => [cell, null])));
  byId("open").onclick = () => open(byId("text").value);
  sharing = new Sharing(editor, offers);
  listenForFiles(open, offers.limits.bytes);
  new Catalogue(editor, allKinds, offers);
  document.addEventListener("paste", (event) => {
    if (event.target.closest?.("input, textarea")) return;
    event.preventDefault();
    open(event.clipboardData.getData("text"));
  });
  window.addEventListener("hashchange", openLink);
  making = new Making(editor, showAll);
  steps = new Steps(editor, new Newest(), showOverlay);
  listen(drawing, playerHand(player), modesHand(editor, drawing, making), clueHand(editor));
  listenForKeys();
}

live = new Channel("live", connected);
openBoards = new OpenBoards(ofTab.id, {
  history, titleOf, usable, blank: firstBoard, opened: () => editor.reopen(),
});
player = new Player({drawing, open: (board) => editor.change(board), changed: saveTab}, before.play);
wire();
setView(ofTab.view === "play" ? "play" : "design", ofTab);
await openLink();
document.body.dataset.ready = "";
