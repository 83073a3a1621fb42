"""The board of a Numberlink: its cells, its numbers, and bands along the paths."""

from __future__ import annotations

from linkoracle.model import Solution
from linkoracle.puzzles import Numberlink
from linkoracle.render.shapes import Disc, Line, Shape, Text
from linkoracle.render.themes import BANDS

_TERMINAL = 0.37
#: The height of numbers by how many digits the widest one has; longer ones shrink on.
_SIZES = {1: 0.5, 2: 0.4, 3: 0.33}


def ground(puzzle: Numberlink) -> list[Shape]:
    """What lies below the lines: the cells."""
    rows, cols = float(puzzle.rows), float(puzzle.cols)
    shapes: list[Shape] = []
    for row in range(1, puzzle.rows):
        shapes.append(Line("grid", ((0.0, float(row)), (cols, float(row)))))
    for col in range(1, puzzle.cols):
        shapes.append(Line("grid", ((float(col), 0.0), (float(col), rows))))
    shapes.append(Line("frame", ((0.0, 0.0), (cols, 0.0), (cols, rows), (0.0, rows)), closed=True))
    return shapes


def figures(puzzle: Numberlink) -> list[Shape]:
    """What lies above the lines: the numbers, each on a disc."""
    discs: list[Shape] = []
    numbers: list[Shape] = []
    for row, cells in enumerate(puzzle.numbers):
        for col, number in enumerate(cells):
            if number is not None:
                text = str(number)
                size = _SIZES.get(len(text), 0.93 / len(text))
                discs.append(Disc("terminal", (col + 0.5, row + 0.5), _TERMINAL))
                numbers.append(Text("number", (col + 0.5, row + 0.5), text, size))
    return discs + numbers


def regions(solution: Solution) -> list[Shape]:
    """A band and a line along each path; paths that touch differ, as far as `BANDS` go."""
    walks = solution.paths()
    kinds = kinds_of(walks)
    lines = [tuple((col + 0.5, row + 0.5) for row, col in walk) for walk in walks]
    bands = [Line(f"band {kind}", line) for kind, line in zip(kinds, lines, strict=True)]
    paths = [Line(f"path {kind}", line) for kind, line in zip(kinds, lines, strict=True)]
    return [*bands, *paths]


def kinds_of(walks: list[list[tuple[int, int]]]) -> list[int]:
    """A number below `BANDS` for each walk: the one that the fewest neighbours have, then overall.

    >>> kinds_of([[(0, 0), (0, 1)], [(1, 0), (1, 1)], [(2, 0), (2, 1)]])
    [1, 0, 2]
    """
    owner = {cell: index for index, walk in enumerate(walks) for cell in walk}
    touching: list[set[int]] = [set() for _ in walks]
    for (row, col), index in owner.items():
        for beside in ((row, col + 1), (row + 1, col)):
            other = owner.get(beside, index)
            if other != index:
                touching[index].add(other)
                touching[other].add(index)
    kinds: dict[int, int] = {}
    # Where there are most neighbours there is least choice.
    for index in sorted(range(len(walks)), key=lambda walk: (-len(touching[walk]), walk)):
        near = [kinds[other] for other in touching[index] if other in kinds]
        used = list(kinds.values())
        kinds[index] = min(range(BANDS), key=lambda kind: (near.count(kind), used.count(kind)))
    return [kinds[index] for index in range(len(walks))]
