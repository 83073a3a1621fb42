"""What every front end of the solver answers, against all solutions of small boards.

`tests/front_ends.py` has a small adapter for each front end. A new one is added there, and passes
these checks, or says what it lacks.
"""

from __future__ import annotations

from functools import cache
from random import Random
from typing import Any

import pytest

from linkoracle import NotSupported, Puzzle, SearchTimeout, Slitherlink, boards, generate
from linkoracle.core import PuzzleError
from linkoracle.kinds import KINDS
from linkoracle.kinds.checking import line_systems, loops, random_puzzles
from tests import constrained
from tests.front_ends import (
    FRONT_ENDS,
    Changes,
    Edges,
    FrontEnd,
    TabPage,
    changed,
    is_edge,
    named,
    split,
)

SORTS = ("slitherlink", "path", "honeycomb", "numberlink", "masyu", "yajilin", "simpleloop")


@cache
def every_solution(puzzle: Puzzle) -> frozenset[Edges]:
    """Return all solutions by the rules as a person reads them, or by the definition of a model."""
    if puzzle.tiling is not None or getattr(puzzle, "ends", ()):
        return frozenset(constrained.solutions(puzzle.model))
    lattice = puzzle.lattice
    known = (line_systems if puzzle.letters else loops)(lattice.rows, lattice.cols)
    return frozenset(one.edges for one in known if not puzzle.violations(one))


def fitting(puzzle: Puzzle, changes: Changes) -> set[Edges]:
    """Return the solutions after changes, which may have sets of clues."""
    clues, edges = split(changes)
    sets = {named(cell): clue for cell, clue in clues.items() if isinstance(clue, set)}
    fixed = {cell: None if isinstance(clue, set) else clue for cell, clue in clues.items()}
    board = puzzle.board
    around = {cell: {*board.edges_of(board.face_of(cell))} for cell in sets}
    return {
        one
        for one in every_solution(changed(puzzle, fixed))
        if all((edge in one) == on for edge, on in edges.items())
        and all(len(around[cell].intersection(one)) in clue for cell, clue in sets.items())
    }


def some_puzzles(sort: str, number: int) -> list[Puzzle]:
    """Return puzzles with no solution, one, and more."""
    rng = Random(sort)
    if sort in KINDS:
        size = (3, 3) if sort in ("slitherlink", "numberlink") else (3, 4)
        found = random_puzzles(KINDS[sort], *size, 40 * number, rng)
    elif sort == "path":
        path = Slitherlink.blank(2, 3, ((0, 0), (2, 3)))
        found = (with_some_clues(rng, path) for _ in range(40 * number))
    else:
        comb = Slitherlink.on(boards.honeycomb(2, 3), {})
        found = (with_some_clues(rng, comb) for _ in range(40 * number))
    by_status: dict[int, list[Puzzle]] = {0: [], 1: [], 2: []}
    for puzzle in found:
        by_status[min(2, len(every_solution(puzzle)))].append(puzzle)
    each = -(-number // 3)
    return [puzzle for puzzles in by_status.values() for puzzle in puzzles[:each]]


def with_some_clues(rng: Random, blank: Slitherlink) -> Puzzle:
    """Return a puzzle with clues of a solution; perhaps one is wrong."""
    solution, board = rng.choice(sorted(every_solution(blank))), blank.board
    clues = {
        board.face_name(face): len({*board.edges_of(face)}.intersection(solution))
        for face in range(board.num_faces)
        if rng.random() < 0.6
    }
    if clues and rng.random() < 0.3:
        clues[rng.choice(sorted(clues))] = rng.randrange(4)
    return blank.with_clues(clues)


def cells_of(puzzle: Puzzle) -> list[tuple[int, ...]]:
    if puzzle.tiling is not None:
        return [(face,) for face in range(puzzle.board.num_faces)]
    return [(row, col) for row in range(puzzle.rows) for col in range(puzzle.cols)]


def every_clue(puzzle: Puzzle) -> Changes:
    """Return the clues by cell, also those whose number is unknown."""
    return {
        cell if isinstance(cell, tuple) else (cell,): clue for cell, clue in puzzle.clue_cells()
    }


def clues_of(puzzle: Puzzle) -> Changes:
    """Return the clues by cell; not those whose number is unknown."""
    unknown = getattr(puzzle, "unknown", None)
    return {cell: clue for cell, clue in every_clue(puzzle).items() if clue != unknown}


def some_changes(rng: Random, puzzle: Puzzle, lacks: set[str]) -> Changes:
    """Return changes of a few clues and edges that leave a puzzle, some of them sets."""
    clues = clues_of(puzzle)
    while True:
        changes: Changes = {}
        for _ in range(rng.choice((0, 1, 1, 2))):
            cell = rng.choice([*cells_of(puzzle), *clues])
            clue: Any = rng.choice([None, clues.get(cell), *clues.values()])
            if isinstance(puzzle, Slitherlink) and "sets" not in lacks and rng.random() < 0.4:
                clue = {*rng.sample(range(4), 2)}
            changes[cell] = clue
        if "edges" not in lacks:
            for _ in range(rng.choice((0, 0, 1, 2))):
                changes[rng.randrange(puzzle.board.num_edges)] = rng.random() < 0.5
        try:
            fitting(puzzle, changes)
            holes = changed(puzzle, split(changes)[0]).model.holes
        except PuzzleError:
            # Not all clues make a puzzle.
            continue
        ends = {end for edge in split(changes)[1] for end in puzzle.board.ends(edge)}
        if ends.isdisjoint(holes):
            return changes


def check(front: FrontEnd, changes: Changes) -> str:
    """Compare all answers about a puzzle with changes; return the status."""
    puzzle, lacks = front.puzzle, front.lacks
    every = fitting(puzzle, changes)
    number = len(every)
    status, shown = front.ask(changes)
    assert status == ("none", "unique", "many")[min(2, number)]
    assert len(shown) == len({*shown})
    assert {*shown} <= every
    assert len(shown) == min(2, number) or isinstance(front, TabPage)
    if "count" not in lacks:
        most = number if front.most is None else front.most
        assert front.count(changes, None) == (min(number, most), number <= most)
        for limit in (max(1, number - 1), number + 1):
            if not isinstance(front, TabPage):
                assert front.count(changes, limit) == (min(limit, number), number <= limit)
    if "listed" not in lacks:
        for limit in (2, number + 2):
            listed = front.listed(changes, limit)
            assert len(listed) == min(limit, number)
            assert {*listed} <= every
            assert len(listed) == len({*listed})
    if "core" not in lacks:
        check_core(front, changes, every)
    if "implies" not in lacks:
        check_implied(front, changes, every)
    return status


def check_core(front: FrontEnd, changes: Changes, every: set[Edges]) -> None:
    """The core is a part of what is asked, and says as much."""
    puzzle, core = front.puzzle, front.core(changes)
    if core is None:
        # Only the clues of a Slitherlink are all that it says.
        assert len(every) > 1 or not isinstance(puzzle, Slitherlink)
        return
    now = {**every_clue(puzzle), **changes}
    if not front.clued:
        # The rest of the puzzle holds, also clues of unknown value.
        core |= every_clue(changed(puzzle, split(changes)[0]))
    assert core.items() <= now.items()
    gone = {where: None for where in now if not (where in core or is_edge(where))}
    if puzzle.letters and every:
        # All pairs hold; of edges, the core has those that it needs.
        gone = split(changes)[0]
    assert fitting(puzzle, {**gone, **core}) == every
    if isinstance(puzzle, Slitherlink) and not every:
        # No member can be spared.
        for where in core:
            rest = {one: what for one, what in core.items() if one != where}
            spared = {} if is_edge(where) else {where: None}
            assert fitting(puzzle, {**gone, **rest, **spared})


def check_implied(front: FrontEnd, changes: Changes, every: set[Edges]) -> None:
    """What follows: without it there are solutions, and all of them have it."""
    puzzle = front.puzzle
    now = {**clues_of(puzzle), **changes}
    if not front.clued:
        now = split(changes)[1]
    for where in [where for where, what in now.items() if what is not None][-4:]:
        rest = {cell: what for cell, what in changes.items() if cell != where}
        if not is_edge(where):
            clues = split(now)[0].items()
            pair = (cell for cell, clue in clues if puzzle.letters and clue == now[where])
            rest |= dict.fromkeys((where, *pair))
        try:
            without = fitting(puzzle, rest)
        except PuzzleError:
            continue
        if front.is_ambiguous(where, changes):
            with pytest.raises(ValueError, match="is a face with a clue and an edge"):
                front.implies(where, changes)
            continue
        assert front.implies(where, changes) == (set() < without <= every), where


@pytest.mark.parametrize(
    ("number", "changes"), [(2, 1), pytest.param(15, 10, marks=pytest.mark.heavy)]
)
@pytest.mark.parametrize("sort", SORTS)
@pytest.mark.parametrize("front_end", FRONT_ENDS, ids=lambda one: one.__name__)
def test_answers_are_those_of_brute_force(front_end, sort, number, changes):
    """The answers about ``number`` puzzles of a sort, each with some ``changes`` in turn."""
    if sort in front_end.lacks:
        pytest.skip("it refuses these boards, or has no words for them")
    rng, statuses = Random(sort), set()
    for puzzle in some_puzzles(sort, number):
        front = front_end(puzzle)
        if "auxiliary" in front.lacks and puzzle.model.has_auxiliary:
            with pytest.raises(NotSupported, match="does not take auxiliary variables"):
                front.ask({})
            continue
        statuses.add(check(front, {}))
        for _ in range(changes):
            statuses.add(check(front, some_changes(rng, puzzle, front.lacks)))
        # What was asked before leaves no trace.
        check(front, {})
        if "reduced" not in front.lacks:
            check_reduced(front)
        front.close()
    assert len(statuses) > 1


def check_reduced(front: FrontEnd) -> None:
    """No clue that is left can be spared, and the solution is the same."""
    puzzle, left = front.puzzle, front.reduced()
    every, clues = fitting(puzzle, {}), every_clue(puzzle)
    assert left.items() <= clues.items()
    if len(every) != 1:
        assert left.items() >= clues_of(puzzle).items()
        return
    gone = dict.fromkeys(clues.keys() - left.keys())
    assert fitting(puzzle, gone) == every
    if not puzzle.letters:
        for cell in left:
            assert fitting(puzzle, {**gone, cell: None}) != every


@pytest.mark.parametrize("front_end", FRONT_ENDS, ids=lambda one: one.__name__)
def test_invalid_changes_are_refused_and_change_nothing(front_end):
    puzzle = Slitherlink([[3, 3], [1, 1]])
    front = front_end(puzzle)
    wrong: list[Changes] = [{(0, 0): 5}, {(0, 0): 7}, {(9, 9): 1}, {(0, 0): "x"}]
    wrong += [{(0, 0): {1, 7}}] * ("sets" not in front.lacks)
    if "edges" not in front.lacks:
        wrong += [{((0, 0), (1, 1)): True}, {((0, 0), (0, 9)): True}]
    for changes in wrong:
        with pytest.raises(ValueError, match=r"expected|not neighbours|not joined|not both"):
            front.ask(changes)
        assert front.ask({})[0] == "unique", changes
    front.close()


@pytest.mark.parametrize("front_end", FRONT_ENDS, ids=lambda one: one.__name__)
def test_time_limits_end_a_query_that_can_be_repeated(front_end):
    if "timeout" in front_end.lacks:
        pytest.skip("its stages have limits of their own")
    made = generate.slitherlink(6, 6, seed=1)
    front = front_end(made.puzzle)
    with pytest.raises(SearchTimeout):
        front.ask({}, timeout=1e-6)
    assert front.ask({}, timeout=60) == ("unique", [made.solution.edges])
    front.close()
