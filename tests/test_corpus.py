"""Published puzzles, where the folder that holds them is there."""

from __future__ import annotations

from pathlib import Path

import pytest

import linkoracle

CORPUS = Path(__file__).resolve().parents[2] / "shared" / "corpus"
pytestmark = pytest.mark.skipif(not CORPUS.is_dir(), reason=f"no published puzzles at {CORPUS}")


def test_every_slitherlink_is_decided_and_checked():
    entries = linkoracle.read_all(CORPUS / "slitherlink.jsonl", kind="slitherlink")
    ambiguous = []
    for entry in entries:
        verdict = linkoracle.decide(entry.puzzle)
        assert verdict.solutions, entry.name
        for solution in verdict.solutions:
            assert linkoracle.violations(entry.puzzle, solution) == []
        if not verdict.unique:
            ambiguous.append(entry.name)
    assert ambiguous == ["random_15x15"]


def test_small_numberlinks_are_decided_and_checked():
    entries = linkoracle.read_all(CORPUS / "numberlink.jsonl", kind="numberlink")
    small = [entry for entry in entries if entry.puzzle.rows * entry.puzzle.cols <= 100]
    assert len(small) > 100
    for entry in small:
        verdict = linkoracle.decide(entry.puzzle)
        assert verdict.solutions, entry.name
        for solution in verdict.solutions:
            assert linkoracle.violations(entry.puzzle, solution) == []
