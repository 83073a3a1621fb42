"""Every kind against brute force: the loops or paths of small boards that its `faults` allow.

A search lists all loops, or all paths through the cells, and the `faults` of the kind check each.
For Numberlinks, `tests.brute_force` has the rules. The lists use neither models nor engines.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import islice, product

import pytest

from linkoracle import NotSupported, Solution, count_result, solutions
from linkoracle.core import below, shuffled, source
from linkoracle.kinds import KINDS, CellPath, Lines
from linkoracle.kinds.checking import loops_on, random_puzzles
from tests import brute_force
from tests.parts import parts

#: The numbers of rows and columns of vertices.
SIZES = ((2, 2), (2, 3), (2, 4), (3, 2), (3, 3), (3, 4), (4, 3), (4, 4))


@lru_cache(maxsize=500)
def paths(board, rows, cols, holes, diagonal):
    """Return all paths through all cells but the holes."""
    steps = [(0, 1), (1, 0), (0, -1), (-1, 0), *[(1, 1), (1, -1), (-1, 1), (-1, -1)] * diagonal]
    cells = set(product(range(rows), range(cols))) - holes
    found, waiting = set(), [[start] for start in cells]
    while waiting:
        walk = waiting.pop()
        if len(walk) == len(cells) > 1:
            found.add(Solution.from_paths(board, [walk]))
        row, col = walk[-1]
        for onward in ((row + down, col + right) for down, right in steps):
            if onward in cells and onward not in walk:
                waiting.append([*walk, onward])
    return [(one.edges, Lines.of(one)) for one in found]


@lru_cache(maxsize=16)
def all_loops(board):
    return [(one.edges, Lines.of(one)) for one in loops_on(board)]


def by_brute_force(puzzle):
    """Return the edge ids of all solutions."""
    board = puzzle.board
    if puzzle.kind == "numberlink":
        found = brute_force.solutions(puzzle)
        return sorted(tuple(sorted(board.edge(*edge) for edge in edges)) for edges in found)
    if isinstance(puzzle, CellPath):
        size = puzzle.rows, puzzle.cols
        candidates = paths(board, *size, frozenset(puzzle.avoided), puzzle.diagonal)
    else:
        candidates = all_loops(board)
    return sorted(edges for edges, lines in candidates if next(puzzle.faults(lines), None) is None)


def some_puzzles(kind, rng):
    """Yield puzzles of a kind on small boards, without end."""
    dots = 0 if kind.through_cells else 1
    while True:
        # Larger boards have too many paths with diagonal steps.
        rows, cols = SIZES[below(rng, SIZES.index((3, 4)) if kind.diagonal else len(SIZES))]
        if kind.kind != "numberlink":
            yield from random_puzzles(kind, rows - dots, cols - dots, 1, rng)
            continue
        cells = shuffled(rng, list(product(range(rows), range(cols))))
        ends = iter(cells[: 2 + 2 * below(rng, 3)])
        variant = list(kind.variants)[below(rng, len(kind.variants))]
        yield kind.from_pairs(rows, cols, list(zip(ends, ends, strict=True)), variant)
        # Clear the cache, which has an entry for each set of ends.
        brute_force.line_sets.cache_clear()


def compare(kind, amount, part):
    """Compare engines with brute force on ``amount`` puzzles; return how many had solutions."""
    solvable = 0
    for number, puzzle in enumerate(islice(some_puzzles(KINDS[kind], source(part, 0)), amount)):
        expected = by_brute_force(puzzle)
        solvable += bool(expected)
        for engine in ("sat", "frontier", *["plain"] * (number % 10 == 0)):
            try:
                found = count_result(puzzle, None, keep=engine != "frontier", engine=engine)
            except NotSupported:
                assert engine == "frontier"
                assert puzzle.model.has_auxiliary or puzzle.model.free_ends
                continue
            assert found.exact
            assert found.count == len(expected), (engine, puzzle)
            if engine != "frontier":
                assert sorted(one.edges for one in found.solutions) == expected, puzzle
            if engine == "plain":
                # One by one, by the solver; all at once, on a small board, by a diagram.
                assert sorted(one.edges for one in solutions(puzzle, engine="plain")) == expected
    return solvable


@pytest.mark.parametrize("kind", list(KINDS))
def test_some_puzzles(kind):
    assert compare(kind, 40, 1) > 1


@parts(range(2, 6), few=1)
@pytest.mark.parametrize("kind", list(KINDS))
def test_many_puzzles(kind, part):
    """Compare 20,000 sets of clues per kind, a quarter in each part."""
    assert compare(kind, 5_000, part) > 100
