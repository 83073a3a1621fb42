"""Kinds with regions on boards with cells out of play, against their rules and against pzpr.

Boards have holes, cells outside all regions, and clues that the loop leaves out. All loops of a
board are judged by `faults`, by the rules as they are stated here, and, with ``-m node``, by pzpr.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import islice, pairwise, product

import pytest

from linkoracle import FormatError, certificate, count_result, read, write
from linkoracle.certificates import record_of
from linkoracle.certificates import verify_certificate as checker
from linkoracle.core import below, pick, shuffled, source
from linkoracle.kinds import KINDS, Lines, canonical, images
from linkoracle.kinds.checking import loops
from tests.certificates.forging import holds
from tests.kinds.test_pzprjs import ask, needs_pzpr

#: The name of each kind in pzpr. An Entry Exit is a Country Road with the sizes of its regions.
PZPR = {
    "countryroad": "country",
    "detour": "detour",
    "doubleback": "doubleback",
    "dotchiloop": "dotchi",
    "entryexit": "country",
    "regionalyajilin": "yajilin-regions",
}
#: Sizes of boards, in rows and columns. Few loops of the larger ones visit every cell.
SIZES = [(3, 3), (3, 4), (4, 3), (2, 4), (4, 4), (3, 5)]
LARGER = [(3, 3), (3, 4), (4, 3), (4, 4), (4, 5), (5, 4)]
#: Boards for each call of Node.js.
BATCH = 400


@dataclass(frozen=True)
class Loop:
    """A loop: its edges, as ids and as pairs of cells, its cells in order, and those of turns."""

    edges: tuple[int, ...]
    lines: frozenset
    walk: tuple
    turns: frozenset


@lru_cache(maxsize=16)
def loops_of(rows, cols):
    found = []
    for one in loops(rows, cols):
        walk = tuple(one.paths()[0][1:])
        around = zip(walk[-1:] + walk[:-1], walk, walk[1:] + walk[:1], strict=True)
        turns = {b for a, b, c in around if a[0] != c[0] and a[1] != c[1]}
        lines = {frozenset(pair) for pair in pairwise([*walk, walk[0]])}
        found.append(Loop(one.edges, frozenset(lines), walk, frozenset(turns)))
    return found


@dataclass(frozen=True)
class Drawn:
    """A board as it is drawn: names of regions, also below holes, cells out of play, and clues."""

    kind: str
    names: tuple
    out: frozenset
    clues: dict

    @property
    def size(self):
        return len(self.names), len(self.names[0])

    @cached_property
    def cells(self):
        return [*product(*map(range, self.size))]

    def near(self, cell):
        row, col = cell
        every = ((row - 1, col), (row, col + 1), (row + 1, col), (row, col - 1))
        return [(r, c) for r, c in every if 0 <= r < self.size[0] and 0 <= c < self.size[1]]

    def name(self, cell):
        return self.names[cell[0]][cell[1]]

    @cached_property
    def regions(self):
        """The region of each cell in play, a set of cells."""
        found = {}
        for start in self.cells:
            if start in found or start in self.out:
                continue
            part, waiting = {start}, [start]
            while waiting:
                here = waiting.pop()
                for cell in self.near(here):
                    fits = cell not in self.out and self.name(cell) == self.name(here)
                    if fits and cell not in part:
                        part.add(cell)
                        waiting.append(cell)
            found |= dict.fromkeys(part, frozenset(part))
        return found

    @cached_property
    def parts(self):
        return {*self.regions.values()}

    def puzzle(self, number):
        """Return the puzzle; a Double Back has holes, or cells outside all regions, or both."""
        rows, cols = self.size
        grid = [[self.clues.get((row, col)) for col in range(cols)] for row in range(rows)]
        names = [list(row) for row in self.names]
        for place, (row, col) in enumerate(sorted(self.out)):
            how = (number + place) % 3 if self.kind == "doubleback" else 0
            if how != 1:
                names[row][col] = None
            if self.kind == "doubleback" and how > 0:
                grid[row][col] = 0
        return KINDS[self.kind](grid, regions=names)


def allows(board, loop):
    """Return whether the rules, as they are published, allow a loop."""
    regions, parts = board.regions, board.parts
    if KINDS[board.kind].every_cell and len(loop.walk) != len(regions):
        return False
    visited = set(loop.walk)
    if visited & board.out:
        return False
    shaded = regions.keys() - visited
    entered = [sum(len(line & part) == 1 for line in loop.lines) for part in parts]
    of_clues = [(regions.get(cell, frozenset()), clue) for cell, clue in board.clues.items()]
    once = len(parts) == 1 or {*entered} == {2}
    match board.kind:
        case "doubleback":
            return {*entered} == {4}
        case "entryexit":
            return once
        case "detour":
            return all(len(part & loop.turns) == n for part, n in of_clues)
        case "countryroad":
            counted = all(len(part & visited) == n for part, n in of_clues)
            return (
                counted
                and once
                and not any(
                    other in shaded and regions[cell] != regions[other]
                    for cell in shaded
                    for other in board.near(cell)
                )
            )
        case "regionalyajilin":
            counted = all(len(part & shaded) == n for part, n in of_clues)
            return counted and not any(
                other in shaded for cell in shaded for other in board.near(cell)
            )
        case "dotchiloop":
            white = {cell for cell, circle in board.clues.items() if circle == "w"}
            black = board.clues.keys() - white
            same = all(len({cell in loop.turns for cell in part & white}) < 2 for part in parts)
            return white <= visited and not black & visited and same
    raise AssertionError(board.kind)


def boards(kind, rng):
    """Yield random boards of a kind, without end: half of them around a loop, with its clues."""
    while True:
        rows, cols = pick(rng, LARGER if KINDS[kind].every_cell else SIZES)
        known = loops_of(rows, cols)
        loop, names = known[below(rng, len(known))], None
        for _ in range(80 if below(rng, 2) else 0):
            if names is None:
                loop = known[below(rng, len(known))]
                names = _names_along(kind, loop, rows, cols, rng)
        cells = [*product(range(rows), range(cols))]
        if names is None:
            out = {*shuffled(rng, cells)[: below(rng, 4)]}
            names = _merged(rows, cols, rng)
        else:
            unused = [cell for cell in cells if cell not in loop.walk]
            out = {cell for cell in unused if KINDS[kind].every_cell or below(rng, 2)}
        if len(out) < len(cells):
            board = Drawn(kind, names, frozenset(out), {})
            yield Drawn(kind, names, frozenset(out), _clues(board, loop, rng))


def _merged(rows, cols, rng):
    """Return regions that random borders between cells leave."""
    names = [[row * cols + col for col in range(cols)] for row in range(rows)]
    for _ in range(below(rng, 4 * rows * cols)):
        row, col = below(rng, rows), below(rng, cols)
        beside = (row + 1, col) if below(rng, 2) else (row, col + 1)
        if beside[0] < rows and beside[1] < cols:
            old, new = names[beside[0]][beside[1]], names[row][col]
            names = [[new if name == old else name for name in line] for line in names]
    return tuple(map(tuple, names))


def _names_along(kind, loop, rows, cols, rng):
    """Return regions along a loop, each of which it enters as often as the kind says, perhaps."""
    visits = KINDS[kind].visits or 1
    size = len(loop.walk)
    runs = 4 if visits == 2 else 1 + below(rng, 4)
    ends = sorted(shuffled(rng, range(size))[:runs])
    walk = loop.walk[ends[0] :] + loop.walk[: ends[0]]
    parts = [sum(end - ends[0] <= place for end in ends) - 1 for place in range(size)]
    named = {
        cell: part % 2 if visits == 2 else part for cell, part in zip(walk, parts, strict=True)
    }
    board = Drawn(kind, ((0,) * cols,) * rows, frozenset(), {})
    for cell in board.cells:
        if cell not in named:
            near = [named[one] for one in board.near(cell) if one in named]
            named[cell] = pick(rng, near) if near else 9
    names = tuple(tuple(named[row, col] for col in range(cols)) for row in range(rows))
    out = frozenset(board.cells) - {*loop.walk}
    fits = visits == 1 or allows(Drawn(kind, names, out, {}), loop)
    return names if fits else None


def _clues(board, loop, rng):
    """Return some clues of a loop, and perhaps others."""
    regions, visited = board.regions, {*loop.walk}
    if board.kind in ("doubleback", "entryexit"):
        return {}
    if board.kind == "dotchiloop":
        clues = {}
        for cell in shuffled(rng, sorted(regions))[: below(rng, len(regions) + 1)]:
            circle = "w" if cell in visited else "b"
            clues[cell] = circle if below(rng, 12) else pick(rng, ["w", "b"])
        return clues
    counted = {
        "countryroad": visited,
        "detour": loop.turns,
        "regionalyajilin": regions.keys() - visited,
    }[board.kind]
    clues = {}
    for part in sorted(board.parts, key=sorted):
        if below(rng, 2):
            number = len(part & counted) + (0 if below(rng, 8) else below(rng, 3) - 1)
            number = max(number, KINDS[board.kind].min_clue)
            clues[pick(rng, sorted(part))] = number
    return clues


#: Judges loops of boards: for each board its borders, cells out of play, clues and candidates, all
#: at coordinates of pzpr, and perhaps a URL to compare with. Returns the accepted candidates, the
#: URL of the board, and what pzpr makes of the other URL.
JUDGE = """
const puzzle = new pzpr.Puzzle();
const judged = ({name, rows, cols, borders, out, clues, known, candidates, url}) => {
  const found = {};
  puzzle.open(`${name}/${cols}/${rows}`, () => {
    const board = puzzle.board;
    for (const [x, y] of borders) board.getb(x, y).ques = 1;
    for (const [x, y] of out) board.getc(x, y).ques = 7;
    for (const [x, y, clue] of clues) board.getc(x, y).qnum = clue;
    board.rebuildInfo();
    const edges = [];
    board.border.each((one) => { if (one.inside) edges.push(one); });
    const shades = puzzle.pid === "yajilin-regions";
    found.url = puzzle.getURL().split("?")[1];
    found.accepted = candidates.filter((candidate) => {
      for (const one of edges) one.line = 0;
      for (const [x, y] of known[candidate]) board.getb(x, y).line = 1;
      board.linegraph.rebuild();
      if (shades) {
        board.cell.each((cell) => { cell.qans = cell.lcnt === 0 && cell.ques !== 7 ? 1 : 0; });
      }
      if (puzzle.pid === "dotchi") {
        for (const room of board.roommgr.components) room.countMarkAndLine();
      }
      puzzle.checker.resetCache();
      return puzzle.check(false).complete;
    });
  });
  if (url) puzzle.open(url, () => { found.theirs = puzzle.getURL().split("?")[1]; });
  return found;
};
const answers = queries.boards.map(
  (one) => judged({...one, known: queries.known[`${one.rows}x${one.cols}`]}));
console.log(JSON.stringify(answers));
"""


def query(board, url, rng):
    """Return a board for `JUDGE`, with borders beside cells out of play that mean nothing."""
    borders = []
    for cell in board.cells:
        for other in board.near(cell):
            if cell < other and (
                below(rng, 2)
                if {cell, other} & board.out and board.kind == "doubleback"
                else board.name(cell) != board.name(other) and not {cell, other} & board.out
            ):
                borders.append([cell[1] + other[1] + 1, cell[0] + other[0] + 1])
    regions, clues = board.regions, dict(board.clues)
    if board.kind == "entryexit":
        clues = {min(part): len(part) for part in board.parts}
    number = {"w": 1, "b": 2}
    known = loops_of(*board.size)
    inside = [at for at, loop in enumerate(known) if board.out.isdisjoint(loop.walk)]
    if KINDS[board.kind].every_cell:
        # Of the loops that leave a cell out, which pzpr refuses, some will do.
        full = [at for at in inside if len(known[at].walk) == len(regions)]
        inside = [*full, *shuffled(rng, [at for at in inside if at not in {*full}])[:2]]
    return {
        "name": PZPR[board.kind],
        "rows": board.size[0],
        "cols": board.size[1],
        "borders": borders,
        "out": [[2 * col + 1, 2 * row + 1] for row, col in board.out],
        "clues": [[2 * c + 1, 2 * r + 1, number.get(n, n)] for (r, c), n in clues.items()],
        "candidates": inside,
        "url": url,
    }


def url_of(board, puzzle):
    """Return the URL; ``None`` where pzpr has no place for cells outside all regions."""
    if puzzle.pzpr is None:
        return None
    if board.out and board.kind != "doubleback":
        with pytest.raises(FormatError, match="cells outside all regions"):
            write(puzzle, "pzpr")
        return None
    url = write(puzzle, "pzpr")
    assert read(url) == in_first_cells(puzzle)
    return url


def in_first_cells(puzzle):
    """Return a puzzle with the clue of each region in its first cell, as in a URL."""
    if not puzzle.region_clues:
        return puzzle
    gone = {cell: None for cell, _ in puzzle.clue_cells()}
    return puzzle.with_clues(gone | {cells[0]: n for cells, _, n in puzzle.clues_by_region()})


def compare(kind, amount, seed, pzpr=False):
    """Compare judges on boards; return the number of boards, those with solutions, and solutions.

    Engines find the solutions; the judges are `faults`, the rules as stated above, and pzpr.
    """
    rng = source(seed, 0)
    waiting, solvable, total = [], 0, 0
    for number, board in enumerate(islice(boards(kind, rng), amount)):
        puzzle = board.puzzle(number)
        found = count_result(puzzle, None, keep=True)
        assert found.exact
        edges = {frozenset(one.edges) for one in found.solutions}
        known = loops_of(*board.size)
        by_rules = {frozenset(loop.edges) for loop in known if allows(board, loop)}
        assert edges == by_rules, (board, puzzle)
        if not pzpr:
            for one in loops(*board.size):
                refused = next(puzzle.faults(Lines.of(one)), None) is not None
                assert (frozenset(one.edges) in edges) != refused, (board, puzzle)
            if kind in checker.LOOPS:
                check_verifier(board, puzzle, found.solutions, number)
            assert read(write(puzzle, "text")) == read(write(puzzle, "json")) == puzzle
            image = pick(rng, images(puzzle))
            assert canonical(image) == canonical(puzzle)
            assert count_result(image, None).count == len(edges)
        solvable += bool(edges)
        total += len(edges)
        waiting.append((board, puzzle, edges, query(board, url_of(board, puzzle), rng)))
        if pzpr and (len(waiting) == BATCH or number == amount - 1):
            ask_pzpr(waiting)
            waiting = []
    return amount, solvable, total


def check_verifier(board, puzzle, solutions, number):
    """Compare how the verifier reads a board and judges its loops; some have a certificate."""
    record = {"kind": board.kind, "variant": "loop", "grid": [[*row] for row in puzzle.grid]}
    stated = checker.Puzzle(record | {"regions": [[*row] for row in board.puzzle(number).regions]})
    drawn = [
        [None if cell in board.out else board.name(cell) for cell in board.cells[at : at + cols]]
        for cols in board.size[1:]
        for at in range(0, len(board.cells), cols)
    ]
    read_there = checker.Puzzle(record | {"regions": drawn})
    known = checker.Puzzle(record_of(puzzle))
    assert stated.essence == read_there.essence == known.essence
    laid_out, edges = checker.Board(known), {one.edges for one in solutions}
    for loop in loops_of(*board.size):
        try:
            laid_out.check_solution(sorted(loop.edges), "it")
        except checker.Refused:
            assert loop.edges not in edges, (board, puzzle)
        else:
            assert loop.edges in edges, (board, puzzle)
    if number % 10 == 0 and len(solutions) < 20:
        assert holds(certificate(puzzle, limit=20).data, known)


def ask_pzpr(waiting):
    """Ask pzpr about boards; raise for the first on which it differs."""
    known = {
        f"{rows}x{cols}": [
            [[a[1] + b[1] + 1, a[0] + b[0] + 1] for a, b in map(sorted, loop.lines)]
            for loop in loops_of(rows, cols)
        ]
        for rows, cols in {board.size for board, *_ in waiting}
    }
    asked = {"known": known, "boards": [question for *_, question in waiting]}
    for (board, puzzle, edges, question), answer in zip(waiting, ask(JUDGE, asked), strict=True):
        every = loops_of(*board.size)
        accepted = {frozenset(every[at].edges) for at in answer["accepted"]}
        assert accepted == edges, (board, puzzle)
        if question["url"]:
            ours = question["url"].split("?")[1]
            assert answer["theirs"].rstrip("/") == ours.rstrip("/")
            assert read(f"https://puzz.link/p?{answer['url']}") == in_first_cells(puzzle)


@pytest.mark.parametrize("kind", PZPR)
def test_engines_and_faults_follow_the_rules(kind):
    assert compare(kind, 50, 1)[1] > 5


@pytest.mark.heavy
@pytest.mark.parametrize("kind", PZPR)
def test_engines_and_faults_follow_the_rules_on_many_boards(kind):
    assert compare(kind, 2_000, 2)[1] > 200


@needs_pzpr
@pytest.mark.node
@pytest.mark.parametrize("kind", PZPR)
def test_pzpr_agrees(kind):
    assert compare(kind, 400, 3, pzpr=True)[1] > 40


@needs_pzpr
@pytest.mark.node
@pytest.mark.heavy
@pytest.mark.parametrize("kind", PZPR)
def test_pzpr_agrees_on_many_boards(kind):
    """Print how many boards were compared, how many had solutions, and how many solutions."""
    found = compare(kind, 20_000, 4, pzpr=True)
    print(f"{kind}: {found[0]} boards, {found[1]} with solutions, {found[2]} solutions")
    assert found[1] > 2_000
