"""Each sentence is a proof: the rules that it names and its premises imply what it concludes."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import pytest

import linkoracle
from linkoracle.board.constraints import at_least_one
from linkoracle.core import Deadline
from linkoracle.deduce import deduced
from linkoracle.deduce.deduction import Deduction
from linkoracle.deduce.groups import OF_CLUE
from linkoracle.deduce.sentences import steps_by_rules
from linkoracle.generate import makers, puzzles
from linkoracle.kinds import KINDS

#: Kinds whose rules need auxiliary variables of no single clue.
NUMBERED = {"numbrix", "zip"}


def alone(puzzle, rules, step):
    """The model with the rules of the kind, and of the clues at the places of a step."""
    model = puzzle.model
    places = {*step.cells}
    named = {
        number
        for group, numbers in zip(rules.groups, rules.members, strict=True)
        if group.what in ("clue", "region", "circles") and group.place in places
        for number in numbers
    }
    first = model.board.num_vertices + len(rules.faces)
    kept = [
        count
        for number, (count, sort) in enumerate(zip(rules.counts, rules.sorts, strict=True))
        if sort != OF_CLUE or first + number in named
    ]
    faces = list(model.board.free_masks)
    for face in rules.faces:
        if puzzle.faces.face_name(face) in places:
            faces[face] = model.faces[face]
    clauses = [count.literals for count in kept if count == at_least_one(count.literals)]
    counts = [count for count in kept if count != at_least_one(count.literals)]
    return replace(
        model, faces=faces, counts=counts, shapes=(), clauses=clauses, given=(), forbidden=()
    )


def unproven(puzzle, model, step):
    """The facts that a step does not prove."""
    board = model.board
    facts = [1 + edge for edge in step.lines] + [-1 - edge for edge in step.crosses]
    facts += [board.visited(one) for one in step.visited]
    facts += [-board.visited(one) for one in step.unvisited]
    premises = [(one,) for one in step.premises]
    # One of the facts is not so.
    other = model.with_constraints(clauses=[*premises, tuple(-one for one in facts)])
    return [] if linkoracle.decide(other).status == "none" else facts


def proven(puzzle, most):
    """Check the steps of a puzzle; count those of each technique."""
    state = Deduction(puzzle.model)
    assert state.run()
    used = Counter()
    for step in steps_by_rules(puzzle, state)[:most]:
        model = alone(puzzle, state.rules, step)
        assert unproven(puzzle, model, step) == [], (puzzle, step)
        used[step.technique] += 1
    return used


@pytest.mark.parametrize(("size", "most"), [(5, 8), pytest.param(8, 1000, marks=pytest.mark.heavy)])
def test_sentences_are_proofs(size, most):
    used = Counter()
    for kind in sorted(set(makers()) - NUMBERED):
        if KINDS[kind].letters or kind == "slitherlink":
            continue
        for made in puzzles(kind, size, size + 1, seed=1, limit=1):
            used += proven(made.puzzle, most)
    assert used["cases"] > 20
    assert used["count"] > 20


def test_the_path_has_the_steps_of_the_sentences():
    made = next(iter(puzzles("koburin", 6, 6, seed=3, limit=1)))
    found = deduced(made.puzzle, Deadline(None))
    steps, path = found.steps(made.puzzle), found.path()
    assert [(one.technique, one.cost, one.choices) for one in steps] == [one[:3] for one in path]
    for step, numbers in zip(steps, path, strict=True):
        facts = len(step.lines) + len(step.crosses) + len(step.visited) + len(step.unvisited)
        assert (facts, step.length, step.ways) == numbers[3:]
    assert sum(count for _, count in found.technique_runs()) == len(steps)
