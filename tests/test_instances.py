"""The puzzles under `instances/` have the counts that their README records."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import linkoracle

FOLDER = Path(__file__).resolve().parents[1] / "instances"
TABLE = re.compile(r"^\| `([^`]+\.txt)` \|.*\| (\d+) \|$", re.MULTILINE)
RECORDED = {name: int(count) for name, count in TABLE.findall((FOLDER / "README.md").read_text())}


def test_every_instance_is_recorded():
    assert set(RECORDED) == {path.name for path in FOLDER.glob("*.txt")}
    puzzles = [linkoracle.read(path) for path in FOLDER.glob("*.txt")]
    assert len(puzzles) >= 12
    assert {(p.kind, p.variant) for p in puzzles} == {
        ("slitherlink", "loop"),
        ("slitherlink", "path"),
        ("numberlink", "free"),
        ("numberlink", "fill"),
    }


@pytest.mark.parametrize("name", RECORDED)
def test_recorded_count(name):
    puzzle = linkoracle.read(FOLDER / name)
    tally = linkoracle.count_result(puzzle, keep=True)
    assert tally.count == RECORDED[name]
    assert tally.exact
    for solution in tally.solutions:
        assert linkoracle.violations(puzzle, solution) == []


MINIMAL = re.findall(
    r"^\| `([^`]+\.txt)` \|.*minimal", (FOLDER / "README.md").read_text(), re.MULTILINE
)


@pytest.mark.parametrize("name", MINIMAL)
def test_a_minimal_board_is_not_unique_without_any_one_clue(name):
    puzzle = linkoracle.read(FOLDER / name)
    clues = dict(puzzle.clue_cells())
    with linkoracle.Oracle.slitherlink(puzzle.rows, puzzle.cols, puzzle.ends) as oracle:
        assert oracle.ask(clues).unique
        for cell in clues:
            rest = {place: clue for place, clue in clues.items() if place != cell}
            assert oracle.ask(rest).status == "many"
