"""Deduction by rules: sound on all models, and graded for kinds that have no patterns."""

from __future__ import annotations

import random
from collections import Counter
from contextlib import suppress
from itertools import pairwise

import pytest

import linkoracle
from linkoracle import Lattice, LinkModel
from linkoracle.boards import named
from linkoracle.core import Deadline, source
from linkoracle.deduce import LABELS, hint, within
from linkoracle.deduce.deduction import Deduction, grade_by_rules
from linkoracle.deduce.groups import Flips, rules_of
from linkoracle.deduce.sentences import steps_by_rules
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
def test_counts_and_early_ends_are_those_of_a_twin(number):
    fitting = Counter()
    for model in models(number):
        state, twin = Deduction(model, ("count", "end")), Twin(model)
        fits = state.run()
        assert fits == twin.run()
        fitting[fits] += 1
        if fits:
            # Where a rule is broken, the rest takes no turn.
            edges = range(model.board.num_edges)
            assert state.values == [twin.known.get(edge + 1) for edge in edges]
        assert {step.technique for step in state.steps} <= {"count", "end"}
    assert min(fitting[True], fitting[False]) > number // 10


@pytest.mark.parametrize("number", [60, pytest.param(3000, marks=pytest.mark.heavy)])
def test_every_fact_of_every_step_holds_in_all_solutions(number):
    """Of visited vertices, too; on random boards with one solution, more, or none."""
    used, checked = Counter(), 0
    for seed in range(number):
        rng = random.Random(seed)
        model = constrained.random_model(rng, boards.random_board(rng))
        board = model.board
        solutions = [set(one) for one in constrained.solutions(model)]
        state = Deduction(model)
        assert state.run() or not solutions
        visited = [{end for edge in one for end in board.ends(edge)} for one in solutions]
        for step in state.steps:
            used[step.technique] += 1
            for fact in step.facts:
                at, on = abs(fact) - 1, fact > 0
                for lines, vertices in zip(solutions, visited, strict=True):
                    there = (
                        at in lines if at < board.num_edges else at - board.num_edges in vertices
                    )
                    assert there == on, (seed, step)
                    checked += 1
    assert checked > number
    assert used["cases"] > number // 10


def drawn_path(rng, board, length):
    """Edges of a random path that visits no vertex twice, in any order; and its vertices."""
    lines, seen = [], [rng.randrange(board.num_vertices)]
    while len(lines) < length:
        here = seen[-1]
        ways = [one for one in board.edges_at(here) if sum(board.ends(one)) - here not in seen]
        if not ways:
            break
        lines.append(rng.choice(ways))
        seen.append(sum(board.ends(lines[-1])) - here)
    return rng.sample(lines, len(lines)), seen


def blank_model(rng, board, connectivity, seen):
    """A board without clues, whose terminals lie anywhere but within a path."""
    if connectivity == "loop":
        return LinkModel.blank_loop(board)
    if connectivity == "free ends":
        degrees = bytes([constrained.USUAL[connectivity]] * board.num_vertices)
        return LinkModel(board, degrees, board.free_masks)
    number = 1 if connectivity == "pair" else 2
    apart = [one for one in range(board.num_vertices) if one not in seen[1:]]
    ends = rng.sample(apart, 2 * number)
    pairs = [(ends[2 * k], ends[2 * k + 1]) for k in range(number)]
    return LinkModel.blank_paths(board, pairs, cover=connectivity == "covering")


@pytest.mark.parametrize("number", [60, pytest.param(2000, marks=pytest.mark.heavy)])
@pytest.mark.parametrize("connectivity", constrained.CONNECTIVITIES)
def test_an_early_end_follows_from_its_premises(connectivity, number):
    """They have all lines of the path that would close, also if many lines became known at once."""
    every = Lattice(5, 6), named("honeycomb 3 3"), named("triangular 5 5"), named("cairo 4 4")
    ends = 0
    for seed in range(number):
        rng = random.Random(seed)
        lines, seen = drawn_path(rng, board := rng.choice(every), rng.randint(3, 16))
        model = blank_model(rng, board, connectivity, seen)
        state = Deduction(model, ("count", "end"), [edge + 1 for edge in lines])
        state.run()
        for step in (one for one in state.steps if one.technique == "end"):
            known = [(one,) for one in state.premises(step.number)]
            clauses = [*known, tuple(-fact for fact in step.facts)]
            assert not linkoracle.count_result(model.with_constraints(clauses=clauses), 1).count
            ends += 1
    assert ends > number // 4


@pytest.mark.parametrize("number", [300, pytest.param(5000, marks=pytest.mark.heavy)])
def test_a_flipped_face_makes_another_solution(number):
    """By brute force, on random boards with constraints of all sorts."""
    flipped = 0
    for seed in range(number):
        rng = random.Random(seed)
        model = constrained.random_model(rng, boards.random_board(rng))
        board, flips = model.board, Flips(model, rules_of(model))
        solutions = {frozenset(one) for one in constrained.solutions(model)}
        for lines in solutions:
            visited = {end for edge in lines for end in board.ends(edge)}
            known = {edge + 1: edge in lines for edge in range(board.num_edges)}
            known |= {board.visited(one): one in visited for one in range(board.num_vertices)}
            for edge in range(board.num_edges):
                face = flips.flippable(edge, known)
                if face is not None:
                    assert lines ^ {*board.edges_of(face)} in solutions, (seed, face)
                    flipped += 1
    assert flipped > number


@pytest.mark.parametrize("kind", [kind for kind in KINDS if not KINDS[kind].letters])
def test_puzzles_of_all_kinds(kind):
    """But Numberlinks: see the next test."""
    # With diagonal steps, puzzles with few numbers have far more paths.
    size, number = ((3, 4), 12) if KINDS[kind].diagonal else ((4, 4), 24)
    some = list(random_puzzles(KINDS[kind], *size, number, source(3, 0)))
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
    assert len(steps) == found.total == len(state.steps) == len(state.path())
    text = " ".join(step.sentence for step in steps)
    clues = [
        f"arrow {clue} at r{row + 1}c{col + 1}" for (row, col), clue in made.puzzle.clue_cells()
    ]
    assert sum(clue in text for clue in clues) > len(clues) // 3
    assert all(step.sentence.startswith(step.reason) for step in steps)


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


def test_what_techniques_do_not_decide_takes_guesses():
    easy = ("count", "end", "guess")
    graded = 0
    for seed in range(4):
        made = puzzle("countryroad", 7, 7, seed=seed, minimal=True)
        model, forever = made.puzzle.model, Deadline(None)
        state, found = grade_by_rules(model, forever, techniques=easy)
        assert found.status == "solved"
        assert {edge for edge, on in enumerate(state.values) if on} == {*made.solution}
        assert found.guesses == found.steps["guess"] > 0
        assert found.steps.keys() <= {*easy}
        _, without = grade_by_rules(model, forever, techniques=easy[:2])
        assert (without.status, without.guesses, without.score) == ("gave up", 0, None)
        # Too hard is known before all is decided.
        _, half = grade_by_rules(model, forever, found.score // 2, techniques=easy)
        assert half.score is None
        _, whole = grade_by_rules(model, forever, found.score, techniques=easy)
        assert whole.score == found.score
        graded += grade_by_rules(model, forever)[1].guesses == 0
    assert graded == 4


def test_marks_are_known_and_hints_go_on_from_them():
    made = puzzle("yajilin", 7, 7, seed=2)
    model = made.puzzle.model
    lines = set(made.solution.edges)
    on = {vertex for edge in lines for vertex in model.board.ends(edge)}
    state = Deduction(model)
    assert state.run()
    edges, visited = {}, {}
    seen = 0
    while step := hint(made.puzzle, edges, visited):
        # Something new each time, which the solution has, until all lines are known.
        assert step.sentence.startswith(step.reason)
        new = {**dict.fromkeys(step.lines, True), **dict.fromkeys(step.crosses, False)}
        cells = {**dict.fromkeys(step.visited, True), **dict.fromkeys(step.unvisited, False)}
        assert (new.keys() - edges.keys()) | (cells.keys() - visited.keys())
        assert all((edge in lines) == value for edge, value in new.items())
        assert all((vertex in on) == value for vertex, value in cells.items())
        edges |= new
        visited |= cells
        seen += 1
    assert {edge for edge, value in edges.items() if value} == lines
    assert seen > 5


@pytest.mark.parametrize("most", [2, pytest.param(40, marks=pytest.mark.heavy)])
def test_whole_lines_are_right_where_cases_do_not_come_first(most):
    """Steps without cases: crossings, also by sides that clues show, exits, and trials."""
    used, sides = Counter(), 0
    for kind in ("castlewall", "linesweeper", "masyu", "entryexit", "geradeweg"):
        for made in puzzles(kind, 8, 8, seed=1, limit=most):
            lines = set(made.solution.edges)
            state = Deduction(made.puzzle.model, ("count", "end", "crossing", "exit", "trial"))
            assert state.run()
            known = {edge for edge, on in enumerate(state.values) if on}
            assert known <= lines
            assert not any(on is False and edge in lines for edge, on in enumerate(state.values))
            used.update(step.technique for step in state.steps)
            steps = steps_by_rules(made.puzzle, state)
            sides += sum("inside the loop" in step.sentence for step in steps)
    assert min(used[name] for name in ("count", "end", "crossing", "exit", "trial")) > 0
    assert sides > 0


def test_an_early_end_says_which_line_it_excludes():
    """And how the other line between the same neighbours runs."""
    puzzle = KINDS["simpleloop"].blank(4, 4)
    board = puzzle.board
    around = [(1, 1), (1, 2), (2, 2), (2, 1)]
    ends = [board.vertex_of(cell) for cell in around]
    lines = [
        next(edge for edge in board.edges_at(one) if other in board.ends(edge))
        for one, other in pairwise(ends)
    ]
    state = Deduction(puzzle.model, ("count", "end"), [edge + 1 for edge in lines])
    state.run()
    step = next(one for one in steps_by_rules(puzzle, state) if one.technique == "end")
    assert step.sentence.startswith("A line r2c2-r3c2 would close a loop too early, given the line")
    assert step.sentence.endswith("from r2c2 by r2c3 to r3c2: no line r2c2-r3c2.")
