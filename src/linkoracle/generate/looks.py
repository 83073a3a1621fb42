"""Layout statistics: the distribution of clues over the board, and the shapes of paths.

Designers spread clues evenly, leave no large gaps and use all digits. `layout_statistics` measures
this; ``docs/explanation/benchmarks.md`` compares published puzzles with generated ones.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import chain, groupby, pairwise
from math import sqrt
from statistics import fmean, pstdev
from typing import Any, TypeVar

from linkoracle.board import Board, Solution
from linkoracle.engines import components
from linkoracle.kinds import Puzzle

_Item = TypeVar("_Item")

#: The target number of rows and columns of a block. Blocks of a board are nearly equal.
BLOCK = 5
#: The most cells of a short path, which players see at a glance.
SHORT = 3


@dataclass(frozen=True)
class ClueStatistics:
    """Statistics of the positions and digits of clues.

    ``density`` is the fraction of cells with a clue. ``block_deviation`` is the standard deviation
    of the densities of blocks: the board is divided into bands of rows and of columns about 5 wide,
    whose widths differ by at most one. ``clue_run`` and ``blank_run`` are the most consecutive
    clues and empty cells in a row or a column. ``empty_rectangle`` is the size in cells of the
    largest rectangle without a clue. ``shares`` are the fractions of the digits 0, 1, 2 and 3 among
    the clues, all 0 without clues.
    """

    density: float
    block_deviation: float
    clue_run: int
    blank_run: int
    empty_rectangle: int
    shares: tuple[float, float, float, float]

    def __str__(self) -> str:
        shares = "/".join(f"{share:.0%}".rstrip("%") for share in self.shares)
        return (
            f"density {self.density:.2f}, blocks {self.block_deviation:.3f}, "
            f"run {self.clue_run}, blank {self.blank_run}, rectangle {self.empty_rectangle}, "
            f"0/1/2/3 {shares} %"
        )


@dataclass(frozen=True)
class FaceStatistics:
    """Statistics of the clues of a board that is not square.

    ``density`` and ``block_deviation`` are as in `ClueStatistics`; the numbers of faces of the
    blocks differ by at most one. ``clue_region`` and ``blank_region`` are the sizes of the largest
    connected regions of faces with and without a clue. ``shares`` are the fractions of 0, 1, ...
    up to the greatest clue among the clues.
    """

    density: float
    block_deviation: float
    clue_region: int
    blank_region: int
    shares: tuple[float, ...]

    def __str__(self) -> str:
        numbers = "/".join(map(str, range(len(self.shares))))
        shares = "/".join(f"{share:.0%}".rstrip("%") for share in self.shares)
        return (
            f"density {self.density:.2f}, blocks {self.block_deviation:.3f}, clues together "
            f"{self.clue_region}, blanks together {self.blank_region}, {numbers} {shares} %"
        )


@dataclass(frozen=True)
class PathStatistics:
    """Statistics of the paths of a solution.

    ``links`` is the number of paths; ``turns`` and ``cells`` are their mean numbers of turns and
    cells. ``straight`` is the fraction of paths without a turn, ``short`` the fraction with at most
    3 cells. ``covered`` is the fraction of the cells of the board that belong to a path.
    """

    links: int
    turns: float
    cells: float
    straight: float
    short: float
    covered: float

    def __str__(self) -> str:
        return (
            f"paths {self.links}, straight {self.straight:.0%}, short {self.short:.0%}, "
            f"turns {self.turns:.1f}, cells {self.cells:.1f}, covered {self.covered:.0%}"
        )


#: The result of `layout_statistics`.
LayoutStatistics = ClueStatistics | FaceStatistics | PathStatistics


def has_layout_statistics(puzzle: Puzzle) -> bool:
    """Return whether a puzzle has layout statistics: of clues between dots, or of paths.

    >>> from linkoracle import SimpleLoop, Slitherlink
    >>> [has_layout_statistics(kind.blank(4, 4)) for kind in (Slitherlink, SimpleLoop)]
    [True, False]
    """
    return _statistics_for(puzzle) is not None


def _statistics_for(puzzle: Puzzle) -> Callable[[Any, Solution | None], LayoutStatistics] | None:
    """Return what measures a puzzle and its solution; ``None`` if nothing does."""
    # Runs and turns are defined only for rows and columns.
    if puzzle.tiling is not None:
        return None if puzzle.through_cells else lambda board, _: face_statistics(board)
    if puzzle.counts_lines and not puzzle.through_cells:
        return lambda board, _: clue_statistics(board.grid)
    return _path_statistics if puzzle.model.terminals else None


def _path_statistics(_: Puzzle, solution: Solution | None) -> PathStatistics:
    if solution is None:
        raise ValueError("expected a solution, since only a solution has paths")
    return path_statistics(solution)


def layout_statistics(puzzle: Puzzle, solution: Solution | None = None) -> LayoutStatistics:
    """Return the layout statistics of a puzzle: of its clues, or of its paths.

    Paths need a ``solution``, clues do not. O(cells). Raises ``ValueError`` if the solution is
    missing, and for kinds of puzzles without statistics.

    >>> from linkoracle import Slitherlink
    >>> layout_statistics(Slitherlink([[3, None, None], [None, 2, None]]))
    ClueStatistics(density=0.333..., block_deviation=0.0, clue_run=1, blank_run=2, \
empty_rectangle=2, shares=(0.0, 0.0, 0.5, 0.5))
    """
    measure = _statistics_for(puzzle)
    if measure is None:
        raise ValueError(f"expected a puzzle with clues or paths, found one of {puzzle.title}")
    return measure(puzzle, solution)


def clue_statistics(grid: Sequence[Sequence[int | None]]) -> ClueStatistics:
    """Return the statistics of the clues in these rows of cells; ``None`` is an empty cell.

    >>> clue_statistics([[None, 3], [None, None]]).empty_rectangle
    2
    """
    shown = [[clue is not None for clue in row] for row in grid]
    columns = list(zip(*shown, strict=True))
    clues = [clue for clue in chain.from_iterable(grid) if clue is not None]
    zero, one, two, three = (clues.count(number) / max(1, len(clues)) for number in range(4))
    return ClueStatistics(
        density=len(clues) / (len(shown) * len(columns)),
        block_deviation=pstdev(block_densities(shown)),
        clue_run=longest_run(chain(shown, columns), True),
        blank_run=longest_run(chain(shown, columns), False),
        empty_rectangle=empty_rectangle(shown),
        shares=(zero, one, two, three),
    )


def face_statistics(puzzle: Any) -> FaceStatistics:
    """Return the statistics of the clues of a puzzle on the faces of a board.

    >>> from linkoracle import Slitherlink, boards
    >>> print(face_statistics(Slitherlink.on(boards.honeycomb(2, 3), "3..15.")))
    density 0.50, blocks 0.000, clues together 3, blanks together 3, 0/1/2/3/4/5 0/33/0/33/0/33 %
    """
    clues, board = puzzle.clues, puzzle.faces.dual
    shown = [clue is not None for clue in clues]
    known = [clue for clue in clues if clue is not None]
    lines = max(1, round(sqrt(len(clues)) / BLOCK))
    # Without coordinates, blocks follow the order of the faces.
    places = board.points or [(0.0, 0.0)] * len(clues)
    by_rows = sorted(range(len(clues)), key=lambda face: places[face][1])
    blocks = [
        block
        for line in parts(by_rows, lines)
        for block in parts(sorted(line, key=places.__getitem__), lines)
    ]
    return FaceStatistics(
        density=fmean(shown),
        block_deviation=pstdev(fmean(shown[face] for face in block) for block in blocks),
        clue_region=_largest_region(board, shown, True),
        blank_region=_largest_region(board, shown, False),
        shares=tuple(
            known.count(number) / max(1, len(known)) for number in range(max(known, default=0) + 1)
        ),
    )


def path_statistics(solution: Solution) -> PathStatistics:
    """Return the statistics of the paths of a solution; the vertices are the cells.

    >>> from linkoracle import Lattice, Solution
    >>> path_statistics(Solution(Lattice(2, 2), (0, 2)))
    PathStatistics(links=1, turns=1.0, cells=3.0, straight=0.0, short=1.0, covered=0.75)
    """
    paths = solution.paths()
    turns = [_turns(path) for path in paths]
    cells = [len(path) for path in paths]
    return PathStatistics(
        links=len(paths),
        turns=fmean(turns or [0.0]),
        cells=fmean(cells or [0.0]),
        straight=turns.count(0) / max(1, len(paths)),
        short=sum(size <= SHORT for size in cells) / max(1, len(paths)),
        covered=sum(cells) / solution.lattice.num_vertices,
    )


def _turns(path: Sequence[tuple[int, int]]) -> int:
    upright = [one[1] == other[1] for one, other in pairwise(path)]
    return sum(step != following for step, following in pairwise(upright))


def _largest_region(board: Board, shown: Sequence[bool], value: bool) -> int:
    """Return the most connected vertices that equal ``value``."""
    left = {vertex for vertex, mark in enumerate(shown) if mark is value}
    edges = [edge for edge in range(board.num_edges) if left.issuperset(board.ends(edge))]
    return max(map(len, components(board, edges)), default=min(len(left), 1))


def bands(size: int) -> list[Sequence[int]]:
    """Divide rows or columns into bands of about `BLOCK` whose sizes differ by at most one.

    >>> [len(band) for band in bands(18)]
    [4, 5, 4, 5]
    """
    return parts(range(size), max(1, round(size / BLOCK)))


def parts(items: Sequence[_Item], count: int) -> list[Sequence[_Item]]:
    """Divide a sequence into ``count`` parts whose lengths differ by at most one."""
    cuts = [len(items) * number // count for number in range(count + 1)]
    return [items[start:stop] for start, stop in pairwise(cuts)]


def block_densities(shown: Sequence[Sequence[bool]]) -> list[float]:
    """Return the fraction of cells with a clue of each block; see `ClueStatistics`."""
    return [
        fmean(shown[row][col] for row in rows for col in cols)
        for rows in bands(len(shown))
        for cols in bands(len(shown[0]))
    ]


def longest_run(lines: Iterable[Iterable[bool]], value: bool) -> int:
    """Return the most consecutive cells of a line that equal ``value``.

    >>> longest_run([[True, False, False], [False, True, True]], False)
    2
    """
    runs = (sum(1 for _ in run) for line in lines for shown, run in groupby(line) if shown is value)
    return max(runs, default=0)


def empty_rectangle(shown: Sequence[Sequence[bool]]) -> int:
    """Return the size in cells of the largest rectangle in which nothing is shown. O(cells).

    In each row, the numbers of empty cells above each cell are the bars of a histogram. A stack of
    open bars finds its largest rectangle.

    >>> empty_rectangle([[True, False, False], [False, False, False]])
    4
    """
    best = 0
    heights = [0] * len(shown[0])
    for row in shown:
        heights = [0 if cell else height + 1 for cell, height in zip(row, heights, strict=True)]
        started: list[tuple[int, int]] = []
        for place, height in enumerate([*heights, 0]):
            start = place
            while started and started[-1][1] >= height:
                start, bar = started.pop()
                best = max(best, bar * (place - start))
            started.append((start, height))
    return best
