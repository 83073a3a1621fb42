"""Grades, steps and reasons for the page."""

from __future__ import annotations

from itertools import chain

import pytest
from hypothesis import assume, given, settings

from linkoracle import Numberlink, SimpleLoop, Slitherlink, grade, solve
from linkoracle.core import Deadline
from linkoracle.generate import layout_statistics, numberlink, slitherlink
from linkoracle.session.queries import conflicting_pairs
from linkoracle.studio.analysis import uneven
from linkoracle.studio.boards import board_of, places
from linkoracle.studio.tasks import Limits
from tests import brute_force
from tests.strategies import numberlinks, puzzles, simpleloops
from tests.studio.asking import answered
from tests.studio.making import failure, made


@pytest.mark.parametrize(
    "puzzle", [slitherlink(6, 6, seed=2).puzzle, numberlink(6, 6, seed=2).puzzle,
               SimpleLoop.from_holes(2, 3, [(0, 2), (1, 2)]), SimpleLoop.blank(2, 2)],
    ids=["slitherlink", "numberlink", "simpleloop", "no clues"],
)  # fmt: skip
def test_the_grade_is_the_grade_of_the_library(puzzle):
    event, found = answered(board_of(puzzle))["grade"], grade(puzzle)
    assert (event["label"], event["score"], event["steps"], event["depth"]) == (
        found.label, found.score, found.total, found.depth,
    )  # fmt: skip
    # Without clues, a puzzle has no layout.
    seen = str(layout_statistics(puzzle, solve(puzzle), found)) if puzzle.number_of_clues else None
    assert event["looks"] == seen


def test_only_puzzles_with_one_solution_are_graded():
    assert "grade" not in answered(board_of(Slitherlink.blank(2, 2)))
    event = answered(board_of(slitherlink(9, 9, seed=1).puzzle), Limits(grade=1e-6))
    assert event["late"]["grade"].startswith("given up")


@given(puzzle=puzzles())
@settings(max_examples=40)
def test_steps_decide_each_edge_once_and_as_all_solutions_have_it(puzzle):
    found = made(what="steps", board=board_of(puzzle))
    lines = list(chain.from_iterable(step["lines"] for step in found["steps"]))
    crosses = list(chain.from_iterable(step["crosses"] for step in found["steps"]))
    assert len({*lines, *crosses}) == len(lines) + len(crosses)
    cells = range(puzzle.rows * puzzle.cols)
    assert all(cell in cells for step in found["steps"] for cell in step["cells"])
    assert all(step["sentence"].endswith(".") for step in found["steps"])
    shown = [{puzzle.lattice.edge(*edge) for edge in one} for one in brute_force.solutions(puzzle)]
    # In free Numberlinks, steps assume that the solution is unique.
    if len(shown) == 1 or (shown and puzzle.variant != "free"):
        assert all(solution.issuperset(lines) for solution in shown)
        assert all(solution.isdisjoint(crosses) for solution in shown)
    if found["status"] == "solved" and len(shown) == 1:
        assert shown[0] == set(lines)


def test_steps_of_an_invalid_board():
    assert "expected the kind" in failure({"what": "steps", "board": {}})


@given(puzzle=simpleloops())
def test_boards_of_uneven_colours_have_no_solution(puzzle):
    why = uneven(puzzle)
    assume(why is not None)
    assert brute_force.solutions(puzzle) == []
    assert answered(board_of(puzzle))["why"]["reason"] == why


@pytest.mark.parametrize("variant", ["free", "fill"])
def test_a_board_without_numbers_has_no_solution_and_says_why(variant):
    """Check the board with which the studio begins."""
    event = answered(board_of(Numberlink.blank(3, 3, variant)))
    assert event["status"]["status"] == "none"
    assert event["why"]["reason"] == "there are no numbers to join yet"
    assert event.keys() == {"status", "why", "done", "late"}


def test_other_kinds_are_never_uneven():
    assert uneven(Slitherlink([[4, 4]])) is None
    assert uneven(Numberlink([[1, 1, None]], "fill")) is None


def hindering(puzzle):
    """Return the numbers of the cells of conflicting pairs, and whether all pairs are needed."""
    core, minimal, smallest = conflicting_pairs(puzzle, Deadline(None), {})
    return None if core is None else (places(puzzle, core), minimal and smallest)


def test_pairs_do_not_conflict_where_a_given_line_does():
    """Check that pairs are not blamed for a given line that leads nowhere without its pair."""
    puzzle = Numberlink([[1, None, 1], [2, None, 2]], given=[((0, 0), (1, 0))])
    assert brute_force.solutions(puzzle) == []
    assert hindering(puzzle) is None


@given(puzzle=numberlinks())
def test_pairs_conflict_where_they_cannot_all_be_joined(puzzle):
    assume(puzzle.number_of_clues)
    found = hindering(puzzle)
    assert (found is None) == bool(brute_force.solutions(puzzle.with_variant("free")))


@given(puzzle=numberlinks())
def test_all_conflicting_pairs_are_needed(puzzle):
    found = hindering(puzzle)
    assume(found is not None)
    found, minimal = found
    assert minimal
    free = puzzle.with_variant("free")
    numbers = {puzzle.grid[cell // puzzle.cols][cell % puzzle.cols] for cell in found}
    assert len(found) == 2 * len(numbers)

    def left(kept):
        return free.with_clues({at: None for at, number in free.clue_cells() if number not in kept})

    assert brute_force.solutions(left(numbers)) == []
    assert all(brute_force.solutions(left(numbers - {one})) for one in numbers)
    event = answered(board_of(puzzle))["conflict"]
    assert (event["cells"], event["minimal"]) == (found, True)
