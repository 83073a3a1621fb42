"""The canonical form, compared with orbits found on coordinates by brute force."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations, product

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from linkoracle import Numberlink, Puzzle, SimpleLoop, Slitherlink
from linkoracle.kinds import canonical, images
from tests.strategies import puzzles

#: The content of a puzzle: its variant, and items with their places (cells, dots, or edges).
Said = tuple[str, frozenset[object]]


def orbit(puzzle: Puzzle) -> frozenset[Said]:
    """Return the contents of the images of a puzzle, on coordinates."""
    rows, cols = puzzle.rows, puzzle.cols
    found = set()
    for down, right, swapped in product((False, True), repeat=3):
        if swapped and rows != cols:
            continue

        def moved(row, col, last_row, last_col, down=down, right=right, swapped=swapped):
            row, col = last_row - row if down else row, last_col - col if right else col
            return (col, row) if swapped else (row, col)

        if isinstance(puzzle, Slitherlink):
            things = {(moved(*cell, rows - 1, cols - 1), n) for cell, n in puzzle.clue_cells()}
            things |= {(moved(*dot, rows, cols), "end") for dot in puzzle.ends or ()}
            things |= {(moved(*dot, rows, cols), "hole") for dot in puzzle.holes}
        elif isinstance(puzzle, SimpleLoop):
            things = {moved(*cell, rows - 1, cols - 1) for cell in puzzle.holes}
        else:
            things = {
                frozenset(moved(*cell, rows - 1, cols - 1) for cell in pair)
                for pair in puzzle.pairs().values()
            }
        last = puzzle.lattice.rows - 1, puzzle.lattice.cols - 1
        for name in ("given", "forbidden"):
            for ends in getattr(puzzle, name):
                things.add((frozenset(moved(*end, *last) for end in ends), name))
        found.add((puzzle.variant, frozenset(things)))
    return frozenset(found)


def slitherlinks(rows, cols, values, ends=(None,)):
    for cells in product(values, repeat=rows * cols):
        grid = [cells[row * cols : (row + 1) * cols] for row in range(rows)]
        for one in ends:
            yield Slitherlink(grid, one)


def numberlinks(rows, cols, most):
    cells = list(product(range(rows), range(cols)))
    pairs = list(combinations(cells, 2))
    for number in range(most + 1):
        for chosen in combinations(pairs, number):
            if len({cell for pair in chosen for cell in pair}) == 2 * number:
                for variant in ("free", "fill"):
                    yield Numberlink.from_pairs(rows, cols, chosen, variant)


BORDER = [(0, 0), (0, 1), (0, 2), (1, 0), (1, 1), (1, 2)]
EDGES = [((0, 0), (0, 1)), ((0, 0), (1, 0)), ((0, 1), (1, 1)), ((1, 0), (1, 1))]


def fixed(kind, rows, cols):
    """Yield boards without clues, with up to two given and two forbidden lines."""
    for lines, crosses in product([(), *combinations(EDGES, 1), *combinations(EDGES, 2)], repeat=2):
        if set(lines).isdisjoint(crosses):
            yield replace(kind.blank(rows, cols), given=lines, forbidden=crosses)


def with_holes(rows, cols):
    dots = list(product(range(rows + 1), range(cols + 1)))
    for number in range(3):
        for holes in combinations(dots, number):
            yield Slitherlink([[None] * cols] * rows, holes=holes)


SPACES = {
    "loops 2x2": lambda: slitherlinks(2, 2, (None, 0, 1, 2, 3)),
    "loops 2x3": lambda: slitherlinks(2, 3, (None, 1, 2)),
    "loops 3x3": lambda: slitherlinks(3, 3, (None, 3)),
    "loops 1x4": lambda: slitherlinks(1, 4, (None, 0, 2)),
    "paths 1x2": lambda: slitherlinks(1, 2, (None, 1, 2), [None, *combinations(BORDER, 2)]),
    "paths 2x2": lambda: slitherlinks(
        2, 2, (None, 1), combinations([(0, 0), (0, 1), (1, 0), (2, 2), (1, 2)], 2)
    ),
    "fixed lines of 1x1": lambda: fixed(Slitherlink, 1, 1),
    "fixed lines of 2x2 cells": lambda: fixed(SimpleLoop, 2, 2),
    "fixed lines of 2x3 cells": lambda: fixed(Numberlink, 2, 3),
    "holes 2x3": lambda: with_holes(2, 3),
    "holes 2x2": lambda: with_holes(2, 2),
    "links 2x2": lambda: numberlinks(2, 2, 2),
    "links 2x3": lambda: numberlinks(2, 3, 3),
    "links 3x3": lambda: numberlinks(3, 3, 2),
}


@pytest.mark.parametrize("space", SPACES)
def test_it_tells_orbits_apart_and_nothing_else(space):
    orbit_of = {}
    for puzzle in SPACES[space]():
        assert orbit_of.setdefault(canonical(puzzle), orbit(puzzle)) == orbit(puzzle)
    assert len(set(orbit_of.values())) == len(orbit_of) > 1


def test_as_many_classes_as_burnside_counts():
    """Fillings of 2x2 cells with n values: (n^4 + 2 n^3 + 3 n^2 + 2 n) / 8."""
    values = (None, 0, 1, 2, 3, 4)
    found = {canonical(puzzle) for puzzle in slitherlinks(2, 2, values)}
    n = len(values)
    assert len(found) == (n**4 + 2 * n**3 + 3 * n**2 + 2 * n) // 8


# The first puzzle of a size makes all boards of the size, which may fail the health check.
@settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(puzzles(), st.data())
def test_it_is_the_same_for_all_images(puzzle, data):
    form = canonical(puzzle)
    everything = images(puzzle)
    assert everything[0] == puzzle
    assert len(everything) == (8 if puzzle.rows == puzzle.cols else 4)
    image = data.draw(st.sampled_from(everything))
    if isinstance(image, Numberlink):
        names = data.draw(st.permutations(range(1, 40)))
        grid = [[cell and names[cell] for cell in row] for row in image.numbers]
        image = replace(image, clues=grid, faces=None)
    assert canonical(image) == form
    assert canonical(form) == form
    assert orbit(form) == orbit(puzzle)


def test_what_symmetry_does_not_join():
    grid = [[1, None, None, 1]]
    assert len({canonical(Numberlink(grid, variant)) for variant in ("free", "fill")}) == 2
    board = Slitherlink([[None, 1, None]])
    assert canonical(board) != canonical(board.rotate())
    assert canonical(Slitherlink.blank(1, 1)) != canonical(Slitherlink([[0]]))
    assert canonical(Slitherlink.blank(1, 1, ((0, 0), (0, 1)))) != canonical(
        Slitherlink.blank(1, 1)
    )
