"""`scripts/grade_tables.py`: published Numberlinks by size, with all that `grade` asks SAT."""

from __future__ import annotations

from click.testing import CliRunner

import grade_tables
from linkoracle import Numberlink, write
from linkoracle.deduce import board, grade
from linkoracle.generate import numberlink


def test_links_counts_what_grade_says_where_sat_takes_two_queries(tmp_path, monkeypatch):
    boards = [Numberlink(numberlink(8, 8, seed=s).puzzle.grid, variant="fill") for s in range(6)]
    labels = [grade(board, max_depth=1).label for board in boards]
    # Without what SAT says they are not solved, or only by guesses.
    alone = [grade(board, uniqueness=False, max_depth=1) for board in boards]
    assert any(one.depth or one.label is None for one in alone)
    decided, budgets = board.decided, []

    def exhausted_at_first(model, deadline, conflicts):
        budgets.append(conflicts)
        short = conflicts == board.CONFLICT_BUDGET
        return None if short else decided(model, deadline, conflicts)

    monkeypatch.setattr(board, "decided", exhausted_at_first)
    path = tmp_path / "links.txt"
    path.write_text("\n".join(map(write, boards)))
    words = ["links", "--variant", "fill", "--max-depth", "1", str(path)]
    result = CliRunner().invoke(grade_tables.main, words, catch_exceptions=False)
    assert {board.CONFLICT_BUDGET, board.LARGE_CONFLICT_BUDGET} == {*budgets}
    head, _, row = (line.strip("| ").split(" | ") for line in result.output.splitlines())
    cells = dict(zip(head, row, strict=True))
    assert (cells["size"], cells["puzzles"]) == ("8x8", "6")
    assert {name: int(cells[name]) for name in grade_tables.LABELS} == {
        name: labels.count(name) for name in grade_tables.LABELS
    }
