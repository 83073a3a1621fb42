// The page as a whole: the board that is edited, what is known of it, and where it comes and goes.

import * as boards from "./board.js";
import {begins, nothing, place, withStage} from "./answers.js";
import {dressButtons, listenForKeys} from "./buttons.js";
import {Catalogue} from "./catalogue.js";
import {Drawing} from "./drawing.js";
import {Editor} from "./editor.js";
import {listenForFiles, save as saveFile, saveAs} from "./files.js";
import {History} from "./history.js";
import {formsOf} from "./clues.js";
import {fixedMarks, hasFixed, isHole} from "./fixed.js";
import {listen} from "./input.js";
import {isKnown, latticeOf, learn as learnGeometry} from "./lattice.js";
import {Making} from "./making.js";
import {inWords} from "./marks.js";
import {listenModes} from "./modes.js";
import {Overlay} from "./overlay.js";
import {byId, setOptions} from "./page.js";
import {Channel, geometry, kinds as loadKinds, offers as loadOffers, read, write} from "./link.js";
import {showAnswer, showCell} from "./panel.js";
import {Player} from "./play.js";
import {Shape} from "./shape.js";
import {Steps} from "./steps.js";
import {keepForAll, keepOfTab, keptForAll, keptOfTab} from "./store.js";

// Milliseconds until what can be undone is kept.
const PAUSE = 300;

const [allKinds, offers] = await Promise.all([loadKinds(), loadOffers()]);
const kinds = new Map(allKinds.map((kind) => [kind.name, kind]));
const before = keptForAll();
const ofTab = keptOfTab();
const drawing = new Drawing(byId("board"));
const overlay = new Overlay(drawing);
const history = usable(ofTab.design?.now) ? new History(ofTab.design.now, ofTab.design)
  : new History(usable(before.board) ?? firstBoard());
let known = nothing;
let shape = null;
// The places of the board of which something is known.
let places = null;
let live = null;
let player = null;
let saving = null;
let making = null;
let steps = null;

function firstBoard() {
  const [kind] = kinds.values();
  return boards.blank(kind, kind.rules[0].name, 7, 7);
}

function kindOf(board) {
  return boards.kindOn(kinds.get(board?.kind), board);
}

// What was kept, unless the kinds of today do not know it.
function usable(board) {
  const kind = kindOf(board);
  if (!kind?.rules.some(({name}) => name === board.rule)) return null;
  if (!Object.keys(board.points).every((name) => name in kind.lists)) return null;
  return board.tiling || board.cells.length === board.rows * board.cols ? board : null;
}

// Learns where the parts of a board are; false if the server does not say it.
async function learn(board, kind) {
  try {
    if (!isKnown(board, kind)) learnGeometry(board, kind, await geometry(board, kind));
    return true;
  } catch (error) {
    tell(error.message);
    return false;
  }
}

const editor = new Editor(history, {
  kinds,
  symmetry,
  learn,
  active: () => !player.active,
  changed,
  moved: showPlace,
  drafted() {
    showCells();
    showPad();
  },
});

// How much of what is known is shown: "clues" alone, "lines", or "all".
const marks = () => document.querySelector("[name=marks]:checked").value;

// Where the cursor is, for those who do not see it as well.
function showPlace() {
  showCursor();
  const {board, kind, cursor, dot} = editor;
  if (dot) {
    const there = isHole(board, dot) ? "missing" : "there";
    byId("here").textContent = editor.dotIs === "hole" ? `Dot ${dot.join(",")}: ${there}` : "";
    return;
  }
  const given = hasFixed(board) ? givenAt(board, kind, cursor) : [];
  const clue = formsOf(kind).textOf(editor.board.cells[cursor]) || "empty";
  byId("here").textContent = [`${place(board, cursor)}: ${clue}`, ...given].join(", ");
}

function givenAt(board, kind, cell) {
  const lattice = latticeOf(board, kind);
  return inWords(lattice.sides(cell), fixedMarks(board, lattice));
}

function symmetry() {
  return editor.board.tiling ? "none" : byId("symmetry").value;
}

function change(board) {
  editor.change(board);
}

function changed() {
  const {board} = editor;
  // What is known stays in sight until it is known anew, but not on a board of another shape.
  if (!places || !boards.sameShape(board, places)) known = nothing;
  places = board;
  showAll();
  if (player.active) playBoard();
  else askLive();
  if (!document.body.classList.contains("alone")) tell("");
  save();
}

function askLive() {
  document.body.dataset.asked = live.ask(editor.board, answered);
}

function save() {
  keepForAll({board: editor.board, symmetry: byId("symmetry").value, marks: marks(), play: player.options});
  saveTab();
}

// What can be undone may be much: it is kept when there is time, and when the page goes.
function saveTab() {
  saving ??= setTimeout(saveTabNow, PAUSE);
}

function saveTabNow() {
  clearTimeout(saving);
  saving = null;
  const state = {view: document.body.dataset.view, next: player.upcoming.board};
  keepOfTab(state, {design: history, ...(player.history ? {play: player.history} : {})});
}

// `kept` is what the tab kept of playing this board, and the next one that was ready.
function setView(view, kept = {}) {
  // A board that is not known yet is shown soon.
  if (!isKnown(editor.board, editor.kind)) return;
  document.body.dataset.view = view;
  for (const name of ["design", "play"]) {
    byId(name).setAttribute("aria-pressed", String(name === view));
  }
  if (view === "play") {
    live.ask(null, () => {});
    delete document.body.dataset.asked;
    known = nothing;
    showAll();
    playBoard(kept);
  } else {
    if (player.active) player.leave();
    askLive();
    showAll();
  }
  save();
}

function playBoard(kept = {}) {
  player.begin(editor.board, editor.kind, kept.play, kept.next);
}

function showAll() {
  const {board, kind} = editor;
  showCells();
  making.show(board, kind);
  steps.show(board);
  showOverlay();
  shape.show();
  byId("undo").disabled = !history.past.length;
  byId("redo").disabled = !history.future.length;
  byId("ends-tool").hidden = !board.points.ends;
  byId("ends").checked = editor.dot !== null && editor.dotIs === "end";
  const {forms} = formsOf(kind);
  for (const id of ["rotate", "reflect"]) byId(id).hidden = Boolean(board.tiling);
  byId("clear").hidden = !forms.size;
  byId("symmetry-tool").hidden = !forms.size || Boolean(board.tiling);
  byId("copy-pzpr").hidden = !kind.url;
  byId("copy-loopy").hidden = !kind.formats.includes("loopy");
  showKnown();
  showCursor();
}

// What a maker has so far, to be seen in place of the board.
function sofar() {
  return player.active ? null : making.shown;
}

function showCells() {
  const {board, kind} = editor;
  const shown = sofar()?.board;
  const plain = player.active || shown;
  drawing.showBoard(shown ?? board, kind, plain ? new Set() : boards.wanted(board, symmetry()),
    player.active ? null : editor.draft);
  byId("board").classList.toggle("making", Boolean(shown));
}

function showMade() {
  showCells();
  showOverlay();
}

function showOverlay() {
  const {board, kind} = editor;
  const mode = player.active ? "play" : making.mode;
  overlay.show(board, kind, sofar() ? "watch" : mode, mode === "clues" ? steps.shown : null);
  if (!player.active) showAnswers();
}

// No answers are in the way while something is made, a mask is marked, a line is drawn, or steps are
// shown.
function showAnswers() {
  const made = sofar();
  if (made) drawing.showAnswers({...nothing, lines: made.lines}, "lines");
  else {
    const answers = ["clues", "fixed", "borders"].includes(making.mode) && !steps.shown;
    drawing.showAnswers(answers ? known : nothing, marks());
  }
}

function showKnown() {
  if (player.active) return;
  showAnswers();
  showAnswer(known, editor.board, offers.limits);
  showPad();
}

function showPad() {
  showCell(editor, known, drawing.lattice);
}

function showCursor() {
  if (player.active) return;
  drawing.showCursor(editor.cursor, editor.selected, editor.dot);
  showPad();
}

function answered(stage) {
  known = withStage(begins(stage) ? nothing : known, stage);
  showKnown();
  if (begins(stage)) document.body.dataset.answered = stage.number;
  if (known.done) document.body.dataset.done = stage.number;
}

function connected(there, reason) {
  const wasAlone = document.body.classList.contains("alone");
  document.body.classList.toggle("alone", !there);
  if (there && wasAlone) tell("");
  if (!there) tell(reason || "No connection to linkoracle. The board is kept in this browser.");
}

function tell(words) {
  byId("told").textContent = words;
}

async function attempt(work) {
  try {
    await work();
  } catch (error) {
    tell(error.message);
  }
}

function open(text) {
  return attempt(async () => {
    const board = await read(text);
    if (!kindOf(board)) throw new Error("Boards that are not square need an installed studio.");
    if (!(await learn(board, kindOf(board)))) return;
    change(board);
    tell("Opened.");
    byId("board").focus();
  });
}

function copy(format) {
  return attempt(async () => {
    const text = await write(editor.board, format);
    byId("text").value = text;
    byId("text").select();
    try {
      await navigator.clipboard.writeText(text);
      tell("Copied.");
    } catch {
      tell("The text above is ready to be copied.");
    }
  });
}

function saveBoard(format) {
  return attempt(async () => {
    const {board} = editor;
    tell("Making the file …");
    if (format === "svg") saveFile([await write(board, "svg")], `${board.kind}.svg`, "image/svg+xml");
    else await saveAs(format, board);
    tell("Saved.");
  });
}

// A puzzle after the # of the address; the address then stands for the page alone again.
// With "play" before it, it is to be played: #play, or #play=puzzle.
async function openLink() {
  const [, plays, text] = location.hash.match(/^#?(play(?:=|$))?(.*)$/s);
  if (location.hash) window.history.replaceState(null, "", location.pathname);
  if (plays && !player.active) setView("play");
  if (!text) return;
  let plain = text;
  try {
    plain = decodeURIComponent(text);
  } catch {
    // Not encoded.
  }
  await open(plain);
}

function wire() {
  dressButtons();
  for (const input of document.querySelectorAll("[data-most]")) {
    input.max = offers.limits[input.dataset.most];
  }
  shape = new Shape(editor, kinds, offers, {learn, attempt});
  setOptions(byId("symmetry"), Object.entries(boards.SYMMETRIES).map(([name, {title}]) => [name, title]));
  if (before.symmetry in boards.SYMMETRIES) byId("symmetry").value = before.symmetry;
  for (const input of document.querySelectorAll("[name=marks]")) {
    input.checked = input.value === (before.marks ?? "lines");
    input.onchange = () => { showKnown(); save(); };
  }
  for (const form of document.forms) form.onsubmit = (event) => event.preventDefault();
  byId("symmetry").onchange = () => { showAll(); save(); };
  for (const view of ["design", "play"]) byId(view).onclick = () => setView(view);
  window.addEventListener("pagehide", saveTabNow);
  byId("undo").onclick = () => editor.undo();
  byId("redo").onclick = () => editor.redo();
  for (const way of ["rotate", "reflect"]) {
    byId(way).onclick = () => {
      if (!editor[way]()) tell("What is selected does not fit there when it is turned.");
    };
  }
  byId("clear").onclick = () => change(boards.withCells(editor.board,
    editor.board.cells.map((_, cell) => [cell, null])));
  byId("ends").onchange = () => {
    const {checked} = byId("ends");
    making.leaveMode();
    if (checked) editor.enterDots("end", editor.board.points.ends[0]);
    else editor.leaveDots();
    showAll();
    byId("board").focus();
  };
  byId("open").onclick = () => open(byId("text").value);
  for (const format of ["pzpr", "loopy", "json", "text"]) {
    byId(`copy-${format}`).onclick = () => copy(format);
  }
  for (const format of ["svg", "png", "pdf", "certificate"]) {
    byId(`save-${format}`).hidden = format !== "svg" && !offers.files.includes(format);
    byId(`save-${format}`).onclick = () => saveBoard(format);
  }
  listenForFiles(open, tell, offers.limits.bytes);
  new Catalogue(editor, offers, tell);
  document.addEventListener("paste", (event) => {
    if (event.target.closest?.("input, textarea")) return;
    event.preventDefault();
    open(event.clipboardData.getData("text"));
  });
  window.addEventListener("hashchange", openLink);
  making = new Making(editor, showAll, showMade);
  steps = new Steps(editor, showOverlay);
  listenModes(byId("board"), editor, drawing, making);
  listen(byId("board"), editor);
  listenForKeys();
}

live = new Channel("live", "board", connected);
player = new Player({drawing, tell, open: change, changed: saveTab}, before.play);
if (!(await learn(editor.board, editor.kind))) history.now = firstBoard();
wire();
setView(ofTab.view === "play" ? "play" : "design", ofTab);
await openLink();
document.body.dataset.ready = "";
