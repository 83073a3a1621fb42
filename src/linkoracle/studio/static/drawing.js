// The board as SVG. Elements are created once for each shape of board, then only changed.

import {CELL, drawFigures, formsOf, setClass} from "./clues.js";
import {latticeOf} from "./lattice.js";
import {CROSS, INSIDE, LINE, OUTSIDE, coloursOf, cornersBetween, filled, marksOf} from "./layers.js";
import {shareOf, uniqueClues} from "./answers.js";
import {differs, element, setText} from "./page.js";

const MARGIN = 24;
// Layers, from the lowest up.
const LAYERS = ["cells", "faces", "shades", "grounds", "frames", "marks", "crosses", "fixed", "lines", "clues", "dots",
  "overlay"];

// Paths of a ring, a cross and a broken ring around the middle of a cell.
const ring = (r) => `m${-r} 0a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0`;
const MASK = {must: ring(CELL / 2 - 5), none: "m-9-9l18 18m0-18l-18 18", either: ring(5)};

// Return the coordinates in the SVG of a place of the lattice.
const onPage = (place) => place.map((at) => Math.round((at * CELL + MARGIN) * 1000) / 1000);

export class Drawing {
  constructor(svg) { this.svg = svg; }

  #build(board, kind) {
    if (!differs(this.svg, [board.kind, board.tiling ?? [board.rows, board.cols]])) return;
    this.kind = kind;
    this.board = board;
    this.lattice = latticeOf(board, kind);
    const {lattice} = this;
    const [width, height] = [lattice.width, lattice.height].map((side) => side * CELL + 2 * MARGIN);
    this.svg.replaceChildren();
    this.svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
    this.svg.style.setProperty("--across", width);
    this.svg.style.setProperty("--down", height);
    const looks = [kind.throughCells ? "through" : "around", ...(kind.lists.borders ? ["regions"] : []),
      ...(board.tiling ? ["tiling"] : [])];
    this.svg.setAttribute("class", looks.join(" "));
    const [cells, faces, shades, grounds, frames, marks, crosses, fixed, lines, clues, dots, overlay] =
      LAYERS.map((name) => element("g", {class: name, "aria-hidden": "true"}, this.svg));
    const frame = {x: MARGIN, y: MARGIN, width: lattice.width * CELL, height: lattice.height * CELL};
    if (kind.throughCells && !board.tiling) element("rect", {...frame, class: "frame"}, frames);
    Object.assign(this, {fixed, overlay});
    // The areas to colour: those between lines, or the cells of a kind that shades cells.
    const areas = kind.shades ? lattice.cells.map(({corners}) => corners)
      : lattice.faces.map((walk) => walk.map((vertex) => lattice.points[vertex]));
    this.faces = areas.map((corners) => element("polygon", {points: this.outline(corners)}, faces));
    this.cells = lattice.cells.map(({corners, middle, room}, cell) => {
      const outline = this.outline(corners);
      const [x, y] = onPage(middle);
      // The hint stands beside the clue; on boards that are not square, in its place.
      const [right, down] = board.tiling ? [0, 0] : [CELL / 2 - 4, CELL / 2 - 5];
      return {
        middle: [x, y],
        outline,
        room,
        back: element("polygon", {points: outline, "data-cell": cell}, cells),
        shade: element("polygon", {points: outline}, shades),
        ground: element("g", {}, grounds),
        mark: element("polygon", {points: this.within(cell, 3)}, marks),
        clue: element("g", {class: "clue"}, clues),
        hint: element("text", {x: x + right, y: y + down, class: "hint"}, clues),
      };
    });
    this.edges = lattice.ways.map((way, edge) => {
      const [x, y] = onPage(lattice.middleOf(edge));
      // Crosses are smaller beside cells with little room for their clues.
      const arm = Math.min(4, 5.5 * lattice.edgeScales[edge]);
      const d = `M${x - arm} ${y - arm}l${2 * arm} ${2 * arm}m0-${2 * arm}l-${2 * arm} ${2 * arm}`;
      return {line: element("polyline", {points: this.outline(way)}, lines), cross: element("path", {d}, crosses)};
    });
    this.dots = kind.throughCells ? [] : lattice.points.map((point, vertex) => {
      const [cx, cy] = onPage(point);
      const dot = element("circle", {cx, cy, r: 3}, dots);
      if (!board.tiling && lattice.around[vertex].length < 4) dot.setAttribute("data-dot", lattice.place(vertex));
      return dot;
    });
    this.cursor = element("polygon", {class: "cursor"}, this.svg);
    this.sideCursor = element("polyline", {class: "cursor side off"}, this.svg);
    this.dotCursor = element("circle", {class: "cursor", r: 10}, this.svg);
  }

  // Return places of the lattice as the SVG points of a polygon.
  outline(corners) { return corners.map((corner) => onPage(corner).join()).join(" "); }

  // Return the outline of a cell, moved inwards by `inset` at each side.
  within(cell, inset) {
    const {corners, middle, room} = this.lattice.cells[cell];
    const scale = 1 - (2 * inset) / (CELL * room);
    return this.outline(corners.map((corner) => corner.map((at, axis) => middle[axis] + scale * (at - middle[axis]))));
  }

  // Return the place of a pointer, in units of the lattice.
  placeOf({clientX, clientY}) {
    const {x, y} = new DOMPoint(clientX, clientY).matrixTransform(this.svg.getScreenCTM().inverse());
    return [(x - MARGIN) / CELL, (y - MARGIN) / CELL];
  }

  // Show a board. Highlight the cells `partners`. `draft` is typed text that is not a clue yet: {cell, text}, or null.
  showBoard(board, kind, partners, draft = null) {
    this.#build(board, kind);
    this.board = board;
    const forms = formsOf(kind);
    board.cells.forEach((clue, cell) => {
      const {back} = this.cells[cell];
      back.classList.toggle("partner", partners.has(cell));
      const figures = draft?.cell === cell ? [["text", draft.text]]
        : clue === null ? [] : forms.figures(clue);
      this.#showClue(this.cells[cell], figures, draft?.cell === cell);
    });
    this.#showListed(board, kind);
    this.svg.setAttribute("aria-label", board.tiling ? `${kind.title} on ${board.cells.length} faces`
      : `${kind.title} of ${board.rows} rows and ${board.cols} columns`);
  }

  #showClue(place, figures, isDraft) {
    const {ground, clue} = place;
    if (!differs(clue, [figures, isDraft])) return;
    ground.replaceChildren();
    clue.replaceChildren();
    clue.classList.toggle("draft", isDraft);
    drawFigures(figures, place, ground, clue);
  }

  // Show the annotations by their looks: given lines, crosses, missing dots, endpoints, borders.
  #showListed({points}, {lists, throughCells}) {
    if (!differs(this.fixed, points)) return;
    this.fixed.replaceChildren();
    this.borders = new Map();
    const missing = new Set();
    const ends = new Set();
    const vertex = (place) => this.lattice.vertex(place);
    const line = (way, name) => element("polyline", {points: this.outline(way), class: name}, this.fixed);
    const show = {
      given: (pair) => line(this.lattice.ways[this.lattice.between(...pair)], "given"),
      cross: (pair) => {
        const d = this.edges[this.lattice.between(...pair)].cross.getAttribute("d");
        element("path", {d, class: "forbidden"}, this.fixed);
      },
      border: (pair) => {
        const corners = cornersBetween(...pair).map(([row, col]) => [col, row]);
        this.borders.set(JSON.stringify(pair), line(corners, "border"));
      },
      gap: (place) => missing.add(vertex(place)),
      end: (place) => ends.add(vertex(place)),
      ice: (place) => missing.add(vertex(place)),
    };
    for (const [name, found] of Object.entries(points)) found.forEach(show[lists[name].look]);
    this.dots.forEach((dot, at) => {
      dot.setAttribute("r", ends.has(at) ? 8 : 3);
      dot.classList.toggle("missing", missing.has(at));
    });
    if (throughCells) this.cells.forEach(({back}, at) => back.classList.toggle("outside", missing.has(at)));
  }

  // Show answers. `marks` limits them: with "clues" to nothing, with "lines" to what all solutions share; "all" shows
  // everything, also that cells are visited or outside. Crosses are hidden beside a unique solution, which implies them.
  showAnswers(known, marks) {
    const all = marks === "all";
    const {lines, crosses, shaded, inside} = Object.fromEntries(["lines", "crosses", "shaded", "inside"]
      .map((name) => [name, new Set(marks === "clues" ? [] : known[name])]));
    const [visited, outside] = [known.visited, known.outside].map((places) => new Set(all ? places : []));
    const unique = known.status === "unique";
    if (unique && !all) crosses.clear();
    this.svg.classList.toggle("unique", unique);
    const forms = formsOf(this.kind);
    // Each path between two equal numbers has the colour of its pair.
    const colours = this.kind.pairs ? coloursOf(this.lattice, this.board, this.kind, (edge) => lines.has(edge)) : [];
    this.lattice.edges.forEach((ends, edge) => {
      const {line, cross} = this.edges[edge];
      const used = all ? known.uses.get(edge) : undefined;
      const share = used === undefined ? 0 : shareOf(used, known.total);
      setClass(line, lines.has(edge) ? `forced ${colours[edge] ?? ""}`.trimEnd() : used === undefined ? "" : "share");
      const width = share ? String(1 + 5 * share) : "";
      if (line.style.strokeWidth !== width) line.style.strokeWidth = width;
      const plain = this.kind.throughCells && ends.some((cell) => forms.closes(this.board.cells[cell]));
      setClass(cross, crosses.has(edge) && !plain ? "forced" : "");
    });
    this.faces.forEach((area, at) => setClass(area,
      inside.has(at) ? "inside" : outside.has(at) ? "outside" : visited.has(at) ? "visited" : ""));
    const redundant = new Set((all && known.redundant) || []);
    const conflict = new Set((marks !== "clues" && known.conflict) || []);
    const open = new Set((known.wrong?.borders ?? []).map((pair) => JSON.stringify(pair)));
    for (const [pair, line] of this.borders) line.classList.toggle("open", open.has(pair));
    if (known.wrong?.cell) {
      const [row, col] = known.wrong.cell;
      conflict.add(this.board.tiling ? row : row * this.board.cols + col);
    }
    this.cells.forEach(({mark, hint, shade}, cell) => {
      setClass(shade, shaded.has(cell) ? "shaded" : "");
      setClass(mark, conflict.has(cell) ? "conflict" : redundant.has(cell) ? "redundant" : "");
      setText(hint, all ? uniqueClues(known, this.board, cell).join("") : "");
    });
  }

  // Show the cursor and the selection; `side` is the chosen edge, if any.
  showCursor(cursor, selected, dot, side) {
    const within = new Set(selected.length > 1 ? selected : []);
    this.cells.forEach(({back}, cell) => back.classList.toggle("selected", within.has(cell)));
    this.cursor.setAttribute("points", this.cells[cursor].outline);
    this.sideCursor.classList.toggle("off", side === undefined);
    if (side !== undefined) this.sideCursor.setAttribute("points", this.outline(this.lattice.ways[side]));
    this.cursor.classList.toggle("off", dot !== null);
    this.dotCursor.classList.toggle("off", dot === null);
    this.svg.classList.toggle("ends", dot !== null);
    if (dot === null) return;
    const [x, y] = onPage(this.lattice.points[this.lattice.vertex(dot)]);
    this.dotCursor.setAttribute("cx", x);
    this.dotCursor.setAttribute("cy", y);
  }

  // Show what lies over clues and answers: the mask or the loop of the mode, and the last of `steps`, each
  // {lines, crosses, inside, outside, cells}, with what was decided before it. `unmarked` is what a mask means for unmarked cells.
  showOverlay(mode, steps, unmarked) {
    const {board, kind, overlay: layer} = this;
    layer.replaceChildren();
    const area = (cell, inset, className) =>
      element("polygon", {points: this.within(cell, inset), class: className}, layer);
    // Copy the line or the cross of an edge, with another class.
    const copy = (edge, what, name) => {
      const made = this.edges[edge][what].cloneNode();
      made.removeAttribute("style");
      setClass(made, name);
      layer.append(made);
    };
    if (mode === "mask") {
      marksOf(board).forEach((mark, cell) => {
        const [x, y] = this.cells[cell].middle;
        const draw = MASK[mark ?? (board.cells[cell] === null ? unmarked : "must")];
        const made = element("path", {d: `M${x} ${y}${draw}`, class: mark ?? "unmarked"}, layer);
        made.dataset.mark = mark ?? unmarked;
      });
    }
    if (mode === "loop") {
      for (const cell of filled(board, kind)) area(cell, 0, "inside");
      for (const edge of board.sketch ?? []) copy(edge, "line", "sketch");
    }
    for (const cell of steps.at(-1)?.cells ?? []) area(cell, 2, "about");
    const [inside, outside] = kind.shades ? ["shaded", "visited"] : ["inside", "outside"];
    const face = (at, className) =>
      element("polygon", {points: this.faces[at].getAttribute("points"), class: className}, layer);
    steps.forEach(({lines, crosses, ...areas}, at) => {
      const name = at < steps.length - 1 ? "before" : "new";
      for (const place of areas.inside) face(place, `${inside} ${name}`);
      // A line shows by itself which cells it visits.
      if (!kind.shades) for (const place of areas.outside) face(place, `${outside} ${name}`);
      for (const edge of lines) copy(edge, "line", name);
      for (const edge of crosses) copy(edge, "cross", name);
    });
  }

  // Show the marks of a player. `view` has marks, automatic (edges), wrong {edges, faces}, hint {lines, crosses, inside,
  // outside, cells} or null, trial (the marks before it, or null), pieces (whether each has a colour), done (for each face, whether
  // its clue is satisfied), joined (vertices), ended.
  showMarks(view) {
    const wrong = {edges: new Set(view.wrong.edges), faces: new Set(view.wrong.faces)};
    const [lines, crosses] = [new Set(view.hint?.lines), new Set(view.hint?.crosses)];
    const colours = view.pieces ? coloursOf(this.lattice, this.board, this.kind,
      (edge) => view.marks.edges[edge] === LINE) : [];
    view.marks.edges.forEach((mark, edge) => {
      const {line, cross} = this.edges[edge];
      const bad = wrong.edges.has(edge) ? " wrong" : view.trial && view.trial.edges[edge] !== mark ? " trial" : "";
      setClass(line, mark === LINE ? `drawn ${colours[edge] ?? ""}${bad}` : lines.has(edge) ? "hinted" : "");
      if (line.style.strokeWidth) line.style.strokeWidth = "";
      setClass(cross, mark === CROSS ? `set${bad}` : crosses.has(edge) ? "hinted"
        : view.automatic.has(edge) && mark !== LINE ? "auto" : "");
    });
    const {throughCells, shades} = this.kind;
    const [inside, outside] = shades ? ["shaded", "visited"] : ["inside", "outside"];
    view.marks.faces.forEach((mark, face) => {
      const side = mark === INSIDE ? inside : mark === OUTSIDE ? outside : "";
      const told = view.hint?.inside.includes(face) ? `${inside} told` : view.hint?.outside.includes(face) ? `${outside} told` : "";
      setClass(this.faces[face], side && wrong.faces.has(face) ? `${side} wrong` : side || told);
    });
    const about = new Set(view.hint?.cells);
    const joined = new Set(view.joined);
    this.cells.forEach(({mark, clue, hint, shade}, cell) => {
      const {colour, text = ""} = view.marks.notes?.[cell] ?? {};
      setClass(shade, colour ? `note-${colour}` : "");
      setClass(mark, about.has(cell) ? "hinted" : "");
      clue.classList.toggle("done", throughCells ? joined.has(cell) : view.done[cell] ?? false);
      setText(hint, text);
    });
    this.svg.classList.toggle("ended", view.ended);
  }

  // Erase the marks that answers, shown next, would not replace.
  eraseMarks() {
    this.svg.classList.remove("ended");
    for (const {clue} of this.cells) clue.classList.remove("done");
  }
}
