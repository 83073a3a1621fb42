"""Check puzzles generated on the page, and the solutions shown there, by pzpr.

The npm package is found as in ``tests/formats/test_pzpr_node.py``. It does not have Simple Loop,
so the puzzles are Slitherlinks and Numberlinks.
"""

from __future__ import annotations

import pytest

from linkoracle import Solution, read
from tests.formats.test_pzpr_node import modules, run_in_node

pytestmark = [pytest.mark.browser, pytest.mark.node, pytest.mark.heavy]
#: Opens each URL, draws lines at these places, and says whether the puzzle is solved, and why not.
SCRIPT = """
const pzpr = require(process.argv[1] + "/pzpr");
const puzzles = JSON.parse(require("fs").readFileSync(0, "utf8"));
const out = [];
let chain = Promise.resolve();
for (const {url, lines} of puzzles) {
  chain = chain.then(() => new Promise((resolve) => {
    const puzzle = new pzpr.Puzzle();
    puzzle.open(url, () => {
      for (const [x, y] of lines) puzzle.board.getb(x, y).setLine();
      const found = puzzle.check(true);
      const one = puzzle.board.getb(...lines[0]);
      one.removeLine();
      const lacking = puzzle.check(true);
      out.push({complete: found.complete, text: found.text, lacking: lacking.complete});
      resolve();
    });
  }));
}
chain.then(() => console.log(JSON.stringify(out)));
"""


def places(puzzle, edges):
    """Yield the middles of edges in units of pzpr: two to a cell, with dots at even numbers."""
    shift = 2 if puzzle.through_cells else 0
    for edge in edges:
        ends = puzzle.lattice.edge_vertices[edge].tolist()
        (row, col), (row2, col2) = map(puzzle.lattice.position, ends)
        yield col + col2 + shift // 2, row + row2 + shift // 2


def options():
    """Yield what to choose on the page for each puzzle."""
    for number in range(50):
        kind = ("slitherlink", "numberlink")[number % 2]
        grade = ("any", "easy", "normal", "tricky", "hard")[number // 2 % 5]
        symmetry = "half-turn" if number % 6 == 0 else "none"
        yield kind, 6 + number % 3, 5 + number % 4, grade, symmetry


def test_pzpr_opens_fifty_puzzles_and_takes_their_solutions(page):
    modules()
    puzzles = []
    for kind, rows, cols, grade, symmetry in options():
        page.page.select_option("#kind", kind)
        page.size(rows, cols)
        page.page.select_option("#symmetry", symmetry)
        page.page.select_option("#option-difficulty", grade)
        before = page.data()["query"]
        page.page.click("#make-new")
        page.until(lambda before=before: page.data()["query"] != before)
        assert page.text("#going").startswith("Made: ")
        page.wait_for_answer()
        page.page.click("#copy-pzpr")
        page.until(lambda: page.text("#message") == "Copied.")
        url, puzzle = page.page.input_value("#text"), page.puzzle
        assert read(url + "\n") == puzzle
        lines = page.classes("lines")
        assert not puzzle.violations(Solution(puzzle.lattice, tuple(lines)))
        puzzles.append({"url": url, "lines": list(places(puzzle, lines))})
    assert len({one["url"] for one in puzzles}) == 50
    answers = run_in_node(SCRIPT, puzzles)
    assert [one for one in answers if not one["complete"]] == []
    assert not any(one["lacking"] for one in answers)
