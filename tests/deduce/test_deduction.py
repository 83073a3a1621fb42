"""Deduction from counts: sound on all models, and graded for kinds that have no patterns."""

from __future__ import annotations

import random
from collections import Counter
from contextlib import suppress

import pytest

import linkoracle
from linkoracle.core import Deadline, source
from linkoracle.deduce import LABELS, within
from linkoracle.deduce.deduction import Deduction, grade_by_rules, steps_by_rules
from linkoracle.generate import makers, numberlinks, puzzle, puzzles
from linkoracle.kinds import KINDS
from linkoracle.kinds.checking import random_puzzles
from tests import boards, constrained
from tests.deduce.twin import Twin


def test_nothing_is_decided_against_a_solution():
    """On random boards with shapes, counts and clauses, against brute force."""
    decided = refused = 0
    for seed in range(400):
        rng = random.Random(seed)
        model = constrained.random_model(rng, boards.random_board(rng))
        expected = [set(solution) for solution in constrained.solutions(model)]
        state = Deduction(model)
        if not state.run():
            assert not expected
            refused += 1
            continue
        for edge, value in enumerate(state.values):
            if value is not None:
                assert all((edge in solution) == value for solution in expected)
                decided += 1
    assert decided > 500
    assert refused > 10


def models(number):
    """Models and positions: on random boards, and of puzzles with one solution or more."""
    for seed in range(number):
        rng = random.Random(seed)
        model = constrained.random_model(rng, boards.random_board(rng))
        yield model
        # In a position, which need not fit a solution.
        fixed = {*model.given, *model.forbidden}
        free = [edge for edge in range(model.board.num_edges) if edge not in fixed]
        chosen = rng.sample(free, min(3, len(free)))
        with suppress(ValueError):
            yield model.with_edges(given=chosen[:1], forbidden=chosen[1:])
    for kind in ("detour", "shingoki", "zip"):
        for made in puzzles(kind, 6, 6, seed=1, limit=max(1, number // 100)):
            yield made.puzzle.model
            some = [cell for cell, _ in made.puzzle.clue_cells()][1:4]
            yield made.puzzle.with_clues(dict.fromkeys(some)).model
    for made in numberlinks(4, 5, seed=1, limit=max(1, number // 100), variant="fill-apart"):
        yield made.puzzle.model


@pytest.mark.parametrize("number", [100, pytest.param(5000, marks=pytest.mark.heavy)])
def test_the_kernel_takes_the_steps_of_its_twin(number):
    """The same steps in the same order, though it repeats only probes that may find more."""
    techniques = Counter()
    for model in models(number):
        state, twin = Deduction(model), Twin(model)
        assert state.run() == twin.run()
        assert state.steps == twin.steps
        assert state.values == [twin.known.get(edge + 1) for edge in range(model.board.num_edges)]
        techniques.update(step.technique for step in state.steps)
    assert min(techniques[name] for name in ("count", "end", "trial")) > number // 10


@pytest.mark.parametrize("kind", [kind for kind in KINDS if not KINDS[kind].letters])
def test_puzzles_of_all_kinds(kind):
    """But Numberlinks: see the next test."""
    some = list(random_puzzles(KINDS[kind], 4, 4, 24, source(3, 0)))
    if kind in makers():
        some += (made.puzzle for made in puzzles(kind, 4, 5, seed=1, limit=3))
    assert compared(some)


@pytest.mark.parametrize("variant", ["apart", "fill-apart"])
def test_numberlinks_that_touch_no_path_twice(variant):
    made = [one.puzzle for one in numberlinks(4, 5, seed=1, limit=8, variant=variant)]
    # The same numbers under the other rules, too, which mostly leave more solutions, or none.
    assert compared([one.with_variant(other) for one in made for other in one.variants])


def compared(some):
    """Compare grades with the number of solutions; return how many puzzles were solved."""
    graded = 0
    for one in some:
        state, found = grade_by_rules(one.model, Deadline(None))
        count = linkoracle.count_result(one, 2).count
        assert (found.status == "no solution") <= (count == 0)
        assert (found.status == "not unique") <= (count == 2)
        if found.status == "solved":
            assert count == 1
            solution = linkoracle.solve(one)
            assert state.values == [edge in solution for edge in range(len(state.values))]
            graded += 1
    return graded


def test_label_and_score_agree_and_steps_name_rules():
    made = puzzle("yajilin", 7, 7, seed=1)
    found = linkoracle.grade(made.puzzle)
    assert found.status == "solved"
    assert LABELS[found.score // 100] == found.label
    state, _ = grade_by_rules(made.puzzle.model, Deadline(None))
    steps = steps_by_rules(made.puzzle, state)
    assert len(steps) == found.total == len(state.steps)
    text = " ".join(step.sentence for step in steps)
    clues = [f"The {clue} at r{row + 1}c{col + 1}" for (row, col), clue in made.puzzle.clue_cells()]
    # Those that decide cells by themselves are no steps.
    assert sum(clue in text for clue in clues) > len(clues) // 3
    assert all("line between r" in step.sentence or "the loop" in step.sentence for step in steps)


def test_grades_select_puzzles():
    made = [puzzle("masyu", 6, 6, seed=seed).puzzle for seed in range(6)]
    labels = [linkoracle.grade(one).label for one in made]
    for label in LABELS[:5]:
        grade = within(label, least=label)
        for one, graded in zip(made, labels, strict=True):
            assert (grade.check(one) == 0) == (graded == label)
            assert within(label)(one) == (
                graded is not None and LABELS.index(graded) <= LABELS.index(label)
            )


def test_what_probes_do_not_decide_takes_guesses():
    graded = 0
    for seed in range(4):
        made = puzzle("countryroad", 7, 7, seed=seed, minimal=True)
        state, found = grade_by_rules(made.puzzle.model, Deadline(None))
        assert found.status == "solved"
        assert state.solved
        assert {edge for edge, on in enumerate(state.values) if on} == {*made.solution}
        assert found.guesses == found.steps.get("guess", 0)
        graded += found.guesses > 0
        # Too hard is known before all is decided.
        _, half = grade_by_rules(made.puzzle.model, Deadline(None), found.score // 2)
        assert half.score is None
        _, whole = grade_by_rules(made.puzzle.model, Deadline(None), found.score)
        assert whole.score == found.score
    assert graded
