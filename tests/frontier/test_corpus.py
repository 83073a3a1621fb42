"""Published Slitherlinks, where a collection lies beside the checkout: nearly all are unique."""

from __future__ import annotations

from pathlib import Path

import pytest

from linkoracle.engines import Oracle
from linkoracle.formats import read_all
from linkoracle.frontier import count
from linkoracle.kinds import Puzzle

CORPUS = Path(__file__).resolve().parents[2].parent / "shared" / "corpus" / "slitherlink.jsonl"


def _puzzles(least: int, most: int) -> list[tuple[str, Puzzle]]:
    if not CORPUS.exists():
        pytest.skip(f"no collection at {CORPUS}")
    return [
        (str(entry.name), entry.puzzle)
        for entry in read_all(CORPUS, kind="slitherlink")
        if least <= min(entry.puzzle.rows, entry.puzzle.cols) <= most
    ]


def _check(puzzles: list[tuple[str, Puzzle]]) -> None:
    for name, puzzle in puzzles:
        found = count(puzzle.model, memory=4 << 30)
        with Oracle(puzzle.model) as oracle:
            assert (found == 1) == oracle.ask().unique, name
            assert found >= 1, name


def test_up_to_twelve_wide() -> None:
    _check(_puzzles(1, 12)[::4])


@pytest.mark.heavy
def test_all() -> None:
    _check(_puzzles(1, 40))
