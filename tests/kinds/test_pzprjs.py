"""All kinds against pzpr of https://github.com/robx/pzprjs: opt in with ``-m node``.

``PZPRJS`` names a checkout in which ``npx grunt`` was run.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from contextlib import suppress
from itertools import islice
from pathlib import Path

import pytest

from linkoracle import FormatError, solutions, violations
from linkoracle.core import below, pick, source
from linkoracle.formats import read, write
from linkoracle.generate import makers, puzzles, slitherlinks
from linkoracle.kinds import KINDS, CellLoop, Lines, ShadingLoop
from linkoracle.kinds.checking import loops, random_puzzles

#: Opens each URL, draws lines (at coordinates of pzpr) and shades cells; pzpr's URL and fault.
OPEN = """
const open = ([url, lines, shaded]) => new Promise((resolve) => {
  const puzzle = new pzpr.Puzzle();
  puzzle.open(url, () => {
    for (const [x, y] of lines) puzzle.board.getb(x, y).line = 1;
    for (const [x, y] of shaded) puzzle.board.getc(x, y).qans = 1;
    puzzle.board.rebuildInfo();
    const found = puzzle.check(true);
    resolve([puzzle.getURL().split("?")[1], found.complete ? null : found[0]]);
  });
});
Promise.all(queries.map(open)).then((found) => console.log(JSON.stringify(found)));
"""

#: The own tests of pzpr by kind: a URL, the lines drawn, and the fault.
OWN = """
let data;
global.ui = {debug: {addDebugData: (_, found) => { data = found; }}};
const open = ([name, fault, board]) => new Promise((resolve) => {
  const puzzle = new pzpr.Puzzle();
  puzzle.open(board, () => {
    const lines = [];
    puzzle.board.border.each((one) => { if (one.line === 1) lines.push([one.bx, one.by]); });
    resolve([name, puzzle.getURL().split("?")[1], lines, fault]);
  });
});
const tests = queries.flatMap((name) => {
  require(process.env.PZPRJS + "/test/script/" + name + ".js");
  return data.failcheck.map(([fault, board]) => [name, fault, board]);
});
Promise.all(tests.map(open)).then((found) => console.log(JSON.stringify(found)));
"""

#: The file of each URL, as pzpr saves it.
SAVE = """
const open = (url) => new Promise((resolve) => {
  const puzzle = new pzpr.Puzzle();
  puzzle.open(url, () => resolve(puzzle.getFileData()));
});
Promise.all(queries.map(open)).then((found) => console.log(JSON.stringify(found)));
"""

#: Faults of marks other than lines. Here, these marks follow from the lines.
OF_MARKS = {"csAdjacent", "lnOnShade", "ceEmpty", "anShadeNe", "bkShadeNe", "cuDivide", "lnOnClue"}


#: Skips tests, before puzzles are generated, if pzpr is missing.
needs_pzpr = pytest.mark.skipif(
    shutil.which("node") is None
    or not Path(os.environ.get("PZPRJS", ""), "dist/js/pzpr.js").is_file(),
    reason="no Node.js, or PZPRJS names no checkout of pzprjs with a build",
)
pytestmark = [pytest.mark.node, needs_pzpr]


def ask(script, queries):
    """Return the answer of Node to a script with the names ``pzpr`` and ``queries``."""
    begin = (
        "const pzpr = require(process.env.PZPRJS);\n"
        "const queries = JSON.parse(require('fs').readFileSync(0, 'utf8'));\n"
    )
    done = subprocess.run(
        ["node", "-e", begin + script], input=json.dumps(queries), capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def places(puzzle, solution):
    """Return lines in coordinates of pzpr, where cells are 2 apart and the first is at 1, 1."""
    start = 1 if puzzle.through_cells else 0
    for edge in solution:
        (row, col), (row2, col2) = map(puzzle.lattice.position, puzzle.lattice.ends(edge))
        yield start + col + col2, start + row + row2


def edges(puzzle, lines):
    """Return the edge ids of lines in coordinates of pzpr."""
    start = 1 if puzzle.through_cells else 0
    for x, y in lines:
        col, row = x - start, y - start
        ends = (row // 2, col // 2), (row // 2 + row % 2, col // 2 + col % 2)
        yield puzzle.lattice.edge(*ends)


@pytest.mark.parametrize("kind", [name for name in makers() if KINDS[name].pzpr is not None])
def test_pzpr_opens_our_urls_and_accepts_our_solutions(kind):
    accepted(puzzles(kind, 6, 6, seed=1, limit=50))


def test_pzpr_knows_slitherlinks_through_every_dot():
    accepted(slitherlinks(5, 5, seed=1, limit=50, fill=True))


def accepted(some):
    made = list(some)
    assert len(made) == 50
    queries = []
    for one in made:
        shaded = [
            (2 * figure.place[1] + 1, 2 * figure.place[0] + 1)
            for figure in one.puzzle.solution_figures(one.solution)
        ]
        queries.append([write(one.puzzle, "pzpr"), [*places(one.puzzle, one.solution)], shaded])
    answers = ask(OPEN, queries)
    for one, (url, _, _), (theirs, fault) in zip(made, queries, answers, strict=True):
        assert theirs.rstrip("/") == url.split("?")[1].rstrip("/")
        assert fault is None, one.puzzle
        assert read(f"https://puzz.link/p?{theirs}") == one.puzzle


def test_what_pzpr_tests_itself_with_is_judged_alike():
    known = [kind.pzpr for kind in KINDS.values() if kind.pzpr is not None]
    compared, unread = 0, set()
    for name, url, lines, fault in ask(OWN, sorted(pzpr.name for pzpr in known)):
        try:
            puzzle = read(f"https://puzz.link/p?{url}")
        except FormatError:
            # Another variant, or arrows without a direction.
            unread.add((name, url.split("/")[1]))
            continue
        if fault not in OF_MARKS:
            assert bool(violations(puzzle, edges(puzzle, lines))) == (fault is not None), url
            compared += 1
    assert compared > 100
    assert unread <= {("castle", "5"), ("yajilin", "3")}


#: Kinds of one loop that pzpr judges by the lines alone. Lines in closed cells it only prevents.
JUDGED = [
    name
    for name, kind in KINDS.items()
    if kind.pzpr is not None and issubclass(kind, CellLoop) and not issubclass(kind, ShadingLoop)
]


@pytest.mark.parametrize("number", [10, pytest.param(500, marks=pytest.mark.heavy)])
@pytest.mark.parametrize("kind", JUDGED)
def test_pzpr_reads_random_urls_and_judges_loops_alike(kind, number):
    """The loops are some random ones, and two that fit the clues, if there are any."""
    rng, some, dots = source(11, 0), [], 0 if KINDS[kind].through_cells else 1
    while len(some) < number:
        rows, cols = 3 + below(rng, 2), 3 + below(rng, 2)
        for puzzle in random_puzzles(KINDS[kind], rows, cols, 1, rng):
            # A URL has no place for some clues, and no words for some variants.
            with suppress(FormatError):
                loops_here = loops(rows + dots, cols + dots)
                drawn = [pick(rng, loops_here) for _ in range(4)]
                drawn += islice(solutions(puzzle), 2)
                fitting = [one for one in drawn if puzzle.avoided.isdisjoint(Lines.of(one))]
                some.append((puzzle, write(puzzle, "pzpr"), fitting))
    queries = [[url, [*places(puzzle, one)], []] for puzzle, url, drawn in some for one in drawn]
    answers = iter(ask(OPEN, queries))
    for puzzle, url, drawn in some:
        for one in drawn:
            theirs, fault = next(answers)
            assert theirs.rstrip("/") == url.split("?")[1].rstrip("/")
            assert bool(violations(puzzle, one.edges)) == (fault is not None), (puzzle, one, fault)
        assert read(url) == _with_clues_first(puzzle)


def _with_clues_first(puzzle):
    """Return a puzzle with the clues of its regions in their first cells."""
    if not puzzle.pzpr.by_region:
        return puzzle
    moved = {cells[0]: clue for cells, _, clue in puzzle.clues_by_region()}
    bare = puzzle.with_clues(dict.fromkeys(dict(puzzle.clue_cells())))
    return bare.with_clues(moved)


def test_files_that_pzpr_saves_are_read():
    some = []
    for kind in KINDS.values():
        if kind.pzpr is not None:
            for puzzle in random_puzzles(kind, 4, 4, 12, source(7, 0)):
                # A URL has no place for some clues.
                with suppress(FormatError):
                    some.append(write(puzzle, "pzpr"))
    assert len(some) > 90
    for url, saved in zip(some, ask(SAVE, some), strict=True):
        inside = saved.replace("\n", "/")
        assert read(saved) == read(f"https://puzz.link/p?{inside}") == read(url)
