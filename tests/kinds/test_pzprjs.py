"""Our kinds against pzpr itself, as https://github.com/robx/pzprjs has it: opt in with ``-m node``.

``PZPRJS`` names a checkout of it in which ``npx grunt`` was run.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from pathlib import Path

import pytest

from linkoracle import FormatError, violations
from linkoracle.formats import read, write
from linkoracle.generate import makers, puzzles, slitherlinks
from linkoracle.kinds import KINDS

pytestmark = pytest.mark.node

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
Promise.all(asked.map(open)).then((found) => console.log(JSON.stringify(found)));
"""

#: What pzpr tests itself with, by the name of a kind: a URL, the lines drawn, and the fault.
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
const tests = asked.flatMap((name) => {
  require(process.env.PZPRJS + "/test/script/" + name + ".js");
  return data.failcheck.map(([fault, board]) => [name, fault, board]);
});
Promise.all(tests.map(open)).then((found) => console.log(JSON.stringify(found)));
"""

#: Faults of what a player marks besides lines, which follows from the lines here.
OF_MARKS = {"csAdjacent", "lnOnShade", "ceEmpty", "anShadeNe", "bkShadeNe", "cuDivide", "lnOnClue"}


@pytest.fixture(autouse=True)
def _built():
    """Nothing is made where there is no pzpr to open it."""
    folder = os.environ.get("PZPRJS", "")
    if shutil.which("node") is None or not Path(folder, "dist/js/pzpr.js").is_file():
        pytest.skip("no Node.js, or PZPRJS names no checkout of pzprjs with a build")


def ask(script, asked):
    """What Node answers to a script that finds ``pzpr`` and ``asked`` there."""
    begin = (
        "const pzpr = require(process.env.PZPRJS);\n"
        "const asked = JSON.parse(require('fs').readFileSync(0, 'utf8'));\n"
    )
    done = subprocess.run(
        ["node", "-e", begin + script], input=json.dumps(asked), capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def places(puzzle, solution):
    """Lines in coordinates of pzpr, where cells are 2 apart and the first is at 1, 1."""
    start = 1 if puzzle.through_cells else 0
    for edge in solution:
        (row, col), (row2, col2) = map(puzzle.lattice.position, puzzle.lattice.ends(edge))
        yield start + col + col2, start + row + row2


def edges(puzzle, lines):
    """The ids of lines that are given in coordinates of pzpr."""
    start = 1 if puzzle.through_cells else 0
    for x, y in lines:
        col, row = x - start, y - start
        ends = (row // 2, col // 2), (row // 2 + row % 2, col // 2 + col % 2)
        yield puzzle.lattice.edge(*ends)


@pytest.mark.parametrize("kind", [name for name in makers() if KINDS[name].pzpr is not None])
def test_pzpr_opens_our_urls_and_accepts_our_solutions(kind):
    accepted(puzzles(kind, 6, 6, seed=1, wanted=50))


def test_pzpr_knows_slitherlinks_through_every_dot():
    accepted(slitherlinks(5, 5, seed=1, wanted=50, fill=True))


def accepted(some):
    made = list(some)
    assert len(made) == 50
    asked = []
    for one in made:
        shaded = [
            (2 * figure.place[1] + 1, 2 * figure.place[0] + 1)
            for figure in one.puzzle.solution_figures(one.solution)
        ]
        asked.append([write(one.puzzle, "pzpr"), [*places(one.puzzle, one.solution)], shaded])
    answers = ask(OPEN, asked)
    for one, (url, _, _), (theirs, fault) in zip(made, asked, answers, strict=True):
        assert theirs.rstrip("/") == url.split("?")[1].rstrip("/")
        assert fault is None, one.puzzle
        assert read(f"https://puzz.link/p?{theirs}") == one.puzzle


def test_what_pzpr_tests_itself_with_is_judged_alike():
    known = [kind.pzpr for kind in KINDS.values() if kind.pzpr is not None]
    judged, unread = 0, set()
    for name, url, lines, fault in ask(OWN, sorted(pzpr.name for pzpr in known)):
        try:
            puzzle = read(f"https://puzz.link/p?{url}")
        except FormatError:
            # Another variant, or arrows without a direction.
            unread.add((name, url.split("/")[1]))
            continue
        if fault not in OF_MARKS:
            assert bool(violations(puzzle, edges(puzzle, lines))) == (fault is not None), url
            judged += 1
    assert judged > 100
    variants = {("koburin", "m"), ("yajilin", "o")}
    assert unread <= variants | {("castle", "5"), ("yajilin", "3")}
