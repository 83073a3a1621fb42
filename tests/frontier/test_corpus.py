"""Published Slitherlinks, where a collection lies beside the checkout: nearly all are unique."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from linkoracle.frontier import count
from linkoracle.puzzles import Slitherlink
from linkoracle.sat.oracle import Oracle

CORPUS = Path(__file__).resolve().parents[2].parent / "shared" / "corpus" / "slitherlink.jsonl"


def _puzzles(least: int, most: int) -> list[tuple[str, Slitherlink]]:
    if not CORPUS.exists():
        pytest.skip(f"no collection at {CORPUS}")
    puzzles = []
    for line in CORPUS.read_text().splitlines():
        record = json.loads(line)
        if least <= min(record["rows"], record["cols"]) <= most:
            rows = [row.split() for row in record["grid"].splitlines()]
            clues = [[None if cell == "." else int(cell) for cell in row] for row in rows]
            puzzles.append((record["id"], Slitherlink(clues)))
    return puzzles


def _check(puzzles: list[tuple[str, Slitherlink]]) -> None:
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
