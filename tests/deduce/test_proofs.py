"""A sentence is a proof, and no step is wrong in any solution: of all kinds, on all boards."""

from __future__ import annotations

import random
from collections import Counter

import pytest

import linkoracle
from linkoracle import Puzzle, generate
from linkoracle.boards import named
from linkoracle.deduce import PATTERNED, TECHNIQUES, deduced, has_patterns
from linkoracle.generate import made_kinds
from linkoracle.session.forced import Sides
from tests.deduce.proofs import LOCAL, PATTERNED, WHOLE, facts_of, refuted, unproven

#: Boards that are not square.
BOARDS = ("honeycomb 4 4", "cairo 3 3", "floret 3 3", "triangular 6 5")
#: Techniques that use the solution, or suppose something without naming what follows, or are none.
GUESSES = ("guess", "refuted", "either", "unique", "given")
#: All sources of puzzles: kinds on squares, and Slitherlinks on other boards.
SOURCES = (*made_kinds(), *BOARDS)
#: Kinds whose steps are patterns.
BY_PATTERNS = ("slitherlink", "numberlink")


def made(source: str, size: int, seed: int) -> Puzzle:
    """Return a puzzle with one solution."""
    if source in BOARDS:
        return generate.slitherlink(named(source), seed=seed).puzzle
    try:
        request = generate.request_for(source, size, size)
    except ValueError:
        # A loop through all cells needs an even number of them.
        request = generate.request_for(source, size, size + 1)
    return generate.make(request, seed=seed).puzzle


def loosened(puzzle: Puzzle, seed: int) -> Puzzle:
    """Return the puzzle without some of its clues: it mostly has several solutions."""
    clues = [*puzzle.clue_cells()]
    if puzzle.kind == "numberlink":
        # Both ends of a path go.
        gone = random.Random(seed).choice([clue for _, clue in clues])
        return puzzle.with_clues({cell: None for cell, clue in clues if clue == gone})
    random.Random(seed).shuffle(clues)
    return puzzle.with_clues({cell: None for cell, _ in clues[: len(clues) // 3]})


def without_proof(puzzle: Puzzle) -> tuple[Counter[str], list[str]]:
    """Return the steps by technique, and the sentences that are no proofs."""
    model, before = puzzle.model, list[int]()
    steps, wrong = deduced(puzzle, None).steps(puzzle), list[str]()
    for step in steps:
        if unproven(model, step, before):
            wrong.append(step.sentence)
        before += facts_of(model, step)
    return Counter(step.technique for step in steps), wrong


def wrong_steps(puzzle: Puzzle) -> tuple[int, list[str]]:
    """Return the number of steps, and the sentences with a fact that a solution contradicts."""
    model = puzzle.model
    every = (*TECHNIQUES, *PATTERNED)
    allowed = [name for name in every if name not in GUESSES]
    steps = deduced(puzzle, None, uniqueness=False, techniques=allowed).steps(puzzle)
    facts = [fact for step in steps for fact in facts_of(model, step)]
    if not refuted(model, facts):
        return len(steps), []
    return len(steps), [one.sentence for one in steps if refuted(model, facts_of(model, one))]


@pytest.mark.parametrize("source", SOURCES)
def test_a_sentence_is_a_proof(source):
    proven = 0
    for seed in range(2):
        techniques, wrong = without_proof(made(source, 6, seed))
        assert wrong == []
        proven += sum(techniques[name] for name in (*LOCAL, *WHOLE, *PATTERNED))
    assert proven > 5


@pytest.mark.parametrize(
    ("source", "techniques"),
    [
        ("slitherlink", {"colour", "shade", "region", "window", "wide"}),
        ("castlewall", {"crossing"}),
        ("honeycomb 4 4", {"crossing"}),
    ],
)
def test_sides_of_a_loop_are_facts_of_steps(source, techniques):
    """Of patterns on squares, of crossings on other boards, and of clues of Castle Walls."""
    told = Counter()
    for seed in range(12 if source in BOARDS else 6):
        puzzle = made(source, 8, seed)
        sides = Sides(puzzle.model)
        facts = sides.facts_of(linkoracle.solve(puzzle))
        for step in deduced(puzzle, None).steps(puzzle):
            told.update(step.technique for _ in (*step.inside, *step.outside))
            assert all(sides.side(face, on=True) in facts for face in step.inside)
            assert all(sides.side(face, on=False) in facts for face in step.outside)
    assert 0 < len(told.keys() & techniques) == len(told)


@pytest.mark.parametrize("source", SOURCES)
def test_no_step_is_wrong_in_any_solution(source):
    taken = 0
    for seed in range(2):
        puzzle = made(source, 6, seed)
        assert has_patterns(puzzle.model) == (source in BY_PATTERNS)
        for one in (puzzle, loosened(puzzle, seed)):
            steps, wrong = wrong_steps(one)
            assert wrong == []
            taken += steps
    assert taken > 5


@pytest.mark.heavy
def test_fifty_thousand_steps():
    """Of all kinds in turn, on larger boards."""
    number, seed, wrong = 0, 0, []
    while number < 50_000:
        for source in SOURCES:
            puzzle = made(source, 10, seed)
            techniques, without = without_proof(puzzle)
            steps, refuted = wrong_steps(loosened(puzzle, seed))
            number += techniques.total() + steps
            wrong += without + refuted
        seed += 1
    assert wrong == []
