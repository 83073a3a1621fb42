"""Sessions on the plain engine, which a browser tab has, and those on the fast engines."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from linkoracle import Session, Slitherlink
from linkoracle.core import PuzzleError
from linkoracle.kinds import KINDS, Puzzle
from linkoracle.kinds.checking import random_puzzles
from tests.kinds.corpora import CORPUS, records

SIX = ("slitherlink", "numberlink", "masyu", "yajilin", "countryroad", "castlewall")


def changed(puzzle: Puzzle, rng: Random) -> list[Puzzle]:
    """The puzzle, and with some clues taken away, and with one that is altered."""
    cells = [cell for cell, _ in puzzle.clue_cells()]
    found = [puzzle]
    if type(puzzle).letters or len(cells) < 2:
        return found
    (one, clue), (_, other) = rng.sample(list(puzzle.clue_cells()), 2)
    fewer: Any = dict.fromkeys(rng.sample(cells, len(cells) // 4))
    for changes in (fewer, {one: other if other != clue else None}):
        try:
            found.append(puzzle.with_clues(changes))
        except PuzzleError:
            # Not every set of clues is a puzzle.
            continue
    return found


def compare(puzzle: Puzzle, plain: Session, fast: Session) -> str:
    """Assert that both sessions say the same of a puzzle; return its status."""
    plain.begin(puzzle)
    fast.begin(puzzle)
    verdict = fast.ask()
    assert plain.ask().status == verdict.status, puzzle
    few, exact = plain.count(limit=20), fast.count(limit=20)
    assert (few.count, few.exact) == (exact.count, exact.exact), puzzle
    if verdict.status == "none":
        core = plain.core()
        assert core.status == "none"
        if core.core:
            # Whatever contradicts, contradicts for the other engine, too.
            part = {cell: None for cell in fast.clues if cell not in core.core}
            if not puzzle.through_cells:
                assert fast.ask(part).status == "none", puzzle
        return "none"
    assert plain.forced() == fast.forced(), puzzle
    if verdict.unique:
        assert plain.ask().solutions == verdict.solutions
        if not type(puzzle).letters:
            assert plain.redundant() == fast.redundant(), puzzle
    return verdict.status


@pytest.mark.parametrize("kind", SIX)
def test_small_boards_have_the_same_answers(kind):
    rng = Random(2)
    puzzles = random_puzzles(KINDS[kind], 3, 4, 12, rng)
    seen = set()
    blank = Slitherlink.blank(2, 2)
    with Session(blank, engine="plain") as plain, Session(blank) as fast:
        for puzzle in puzzles:
            seen.update(compare(one, plain, fast) for one in changed(puzzle, rng))
    assert len(seen) > 1


def test_a_kept_solver_forgets_no_rule_and_keeps_no_clue():
    """The same session, asked about many boards of one size, as a page asks."""
    rng = Random(3)
    blank = Slitherlink.blank(4, 4)
    with Session(blank, engine="plain") as plain, Session(blank) as fast:
        for _ in range(60):
            clues = {(rng.randrange(4), rng.randrange(4)): rng.randrange(4) for _ in range(6)}
            compare(blank.with_clues(clues), plain, fast)
        assert plain.reduce(seed=1) == fast.reduce(seed=1)
        assert plain.clues == fast.clues


@pytest.mark.heavy
@pytest.mark.parametrize("kind", SIX)
def test_published_boards_have_the_same_answers(kind):
    if not CORPUS.exists():
        pytest.skip("no published puzzles beside the repository")
    rng, compared = Random(4), 0
    blank = Slitherlink.blank(2, 2)
    with Session(blank, engine="plain") as plain, Session(blank) as fast:
        for record in records(kind):
            puzzle = record.puzzle
            # The plain engine knows no taut solutions: large Numberlinks take it minutes.
            most = 8 if kind == "numberlink" else 10
            if max(puzzle.rows, puzzle.cols) <= most and compared < 35:
                for one in changed(puzzle, rng):
                    compare(one, plain, fast)
                compared += 1
    assert compared > (5 if kind == "numberlink" else 20)
