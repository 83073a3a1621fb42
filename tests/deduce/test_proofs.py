"""A sentence is a proof, and no step is wrong in any solution: of all kinds, on all boards."""

from __future__ import annotations

import random
from collections import Counter

import pytest

import linkoracle
from linkoracle import Puzzle, deduce, generate
from linkoracle.boards import named
from linkoracle.core import Deadline
from linkoracle.deduce import TECHNIQUES, Deduction, deduced, has_patterns
from linkoracle.generate import made_kinds
from linkoracle.session.forced import Sides
from tests.deduce.proofs import LOCAL, PLACED, WHOLE, facts_of, refuted, unproven

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
    every = (*TECHNIQUES, *deduce.PATTERNED)
    allowed = [name for name in every if name not in GUESSES]
    steps = deduced(puzzle, None, uniqueness=False, techniques=allowed).steps(puzzle)
    facts = [fact for step in steps for fact in facts_of(model, step)]
    if not refuted(model, facts):
        return len(steps), []
    return len(steps), [one.sentence for one in steps if refuted(model, facts_of(model, one))]


@pytest.mark.parametrize("source", SOURCES)
def test_a_sentence_is_a_proof(source):
    proven = 0
    # Crossings on ice make the question what follows from a sentence a long one.
    for seed in range(1 if source == "icewalk" else 2):
        techniques, wrong = without_proof(made(source, 6, seed))
        assert wrong == []
        proven += sum(techniques[name] for name in (*LOCAL, *WHOLE, *PLACED))
    assert proven > 5


@pytest.mark.parametrize(
    ("source", "seeds", "techniques"),
    [
        ("slitherlink", range(6), {"colour", "shade", "region", "window", "wide"}),
        # Few clues show crossings: those of other seeds need none.
        ("castlewall", (10, 25, 28), {"crossing"}),
        ("honeycomb 4 4", range(12), {"crossing"}),
    ],
    ids=["slitherlink", "castlewall", "honeycomb 4 4"],
)
def test_sides_of_a_loop_are_facts_of_steps(source, seeds, techniques):
    """Of patterns on squares, of crossings on other boards, and of clues of Castle Walls."""
    told = Counter()
    for seed in seeds:
        puzzle = made(source, 8, seed)
        sides = Sides(puzzle.model)
        facts = sides.facts_of(linkoracle.solve(puzzle))
        for step in deduced(puzzle, None).steps(puzzle):
            told.update(step.technique for _ in (*step.inside, *step.outside))
            assert all(sides.side(face, on=True) in facts for face in step.inside)
            assert all(sides.side(face, on=False) in facts for face in step.outside)
    assert 0 < len(told.keys() & techniques) == len(told)


@pytest.mark.parametrize(
    ("source", "seed"), [("masyu", 26), ("yajilin", 2), ("grandtour", 19), ("castlewall", 13)]
)
def test_two_edges_that_lead_out_of_an_area(source, seed):
    """Both are lines or neither is, or just one: where a rule refutes one of the ways."""
    puzzle = made(source, 6, seed)
    used = ("count", "end", "crossing", "exit")
    steps = deduced(puzzle, None, techniques=used).steps(puzzle)
    found = [step for step in steps if step.technique == "exit" and step.length]
    assert found
    for step in found:
        assert step.reason.startswith("Two edges lead out of")
        assert unproven(puzzle.model, step) == []


@pytest.mark.parametrize("source", ["yajilin", "masyu", "detour", "linesweeper"])
def test_a_guess_is_a_trial_with_trials_in_it(source):
    shown = 0
    for seed in range(3):
        puzzle = made(source, 6, seed)
        found = deduced(puzzle, None, techniques=("count", "guess"))
        before: list[int] = []
        for step in found.steps(puzzle):
            facts = facts_of(puzzle.model, step)
            if step.technique == "guess" and step.reason.startswith("Suppose"):
                shown += 1
                assert "later a rule is broken" in step.reason
                opposite = puzzle.model.with_constraints(
                    clauses=[*((one,) for one in before), (-facts[0],)]
                )
                assert not linkoracle.count_result(opposite, 1).count
            before += facts
        assert found.grade.depth == min(found.grade.guesses, 1)
    assert shown


@pytest.mark.parametrize(
    ("source", "seed", "more"),
    [
        ("regionalyajilin", 8, ("cases", "crossing")),
        ("balanceloop", 94, ("cases", "crossing")),
        ("triangular 6 5", 7, ()),
    ],
)
def test_uniqueness_is_used_on_request(source, seed, more):
    puzzle = made(source, 6, seed)
    used = ("count", "end", "exit", "unique", *more)
    assert not deduced(puzzle, None, techniques=used).grade.steps.get("unique")
    found = deduced(puzzle, None, uniqueness=True, techniques=used)
    steps = [step for step in found.steps(puzzle) if step.technique == "unique"]
    lines = {*linkoracle.solve(puzzle).edges}
    for step in steps:
        assert lines.issuperset(step.lines)
        assert lines.isdisjoint(step.crosses)
        assert "there would be two solutions" in step.reason
    assert steps
    assert not found.proven


def test_no_trial_refutes_what_is_so():
    puzzle = made("yajilin", 6, 0)
    state = Deduction(puzzle.model, ("count",))
    assert state.run()
    right = state.guesses(linkoracle.solve(puzzle).edges, Deadline(None))
    known = state.known()
    assert all(state.tried_within(one, known, Deadline(None)) is None for one in right)
    assert state.tried_within(-right[0], known, Deadline(None)) is not None


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
