"""Censuses by definition: every clue set of every loop, every board, one by one."""

from __future__ import annotations

from collections import Counter
from functools import cache
from itertools import chain, combinations, product

from linkoracle import Slitherlink
from tests.brute_force import closed_curves, square


def subsets(things: list) -> chain:
    return chain.from_iterable(combinations(things, size) for size in range(len(things) + 1))


@cache
def all_puzzles(rows: int, cols: int, fours: bool) -> frozenset[Slitherlink]:
    """The clue boards that exactly one loop fits."""
    cells = list(product(range(rows), range(cols)))
    fitting: Counter = Counter()
    for curve in closed_curves(rows, cols, None):
        clues = {cell: len(square(*cell) & curve) for cell in cells}
        for shown in subsets([cell for cell in cells if fours or clues[cell] < 4]):
            fitting[tuple((cell, clues[cell]) for cell in shown)] += 1
    blank = Slitherlink.blank(rows, cols)
    return frozenset(
        blank.with_clues(dict(clues)) for clues, loops in fitting.items() if loops == 1
    )


def minimal_puzzles(puzzles: frozenset[Slitherlink]) -> list[Slitherlink]:
    return [
        puzzle
        for puzzle in puzzles
        if not any(puzzle.with_clues({cell: None}) in puzzles for cell, _ in puzzle.clue_cells())
    ]


def by_clues(puzzles: list[Slitherlink] | frozenset[Slitherlink], cells: int) -> tuple[int, ...]:
    sizes = Counter(len(list(puzzle.clue_cells())) for puzzle in puzzles)
    return tuple(sizes[size] for size in range(cells + 1))


def up_to_symmetry(puzzles: list[Slitherlink] | frozenset[Slitherlink]) -> set[Slitherlink]:
    """One puzzle of each class: turns by half, and on square boards by quarters, and mirrors."""
    chosen = set()
    for puzzle in puzzles:
        turns = range(4) if puzzle.rows == puzzle.cols else (0, 2)
        images = [puzzle.rotate(turn) for turn in turns]
        images += [image.reflect() for image in images]
        chosen.add(min(images, key=lambda image: str(image.clues)))
    return chosen
