"""What a puzzle looks like: how its clues lie on the board, and how its links run.

Whoever draws puzzles by hand spreads the clues evenly, leaves no great holes and uses all numbers.
`looks` puts figures to that; ``docs/generating.md`` has those of published boards and of ours.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import chain, groupby, pairwise
from statistics import fmean, pstdev
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from linkoracle.board.solution import Solution
    from linkoracle.kinds import Puzzle

#: Boards are cut into blocks of as near to so many rows and columns as they can be.
BLOCK = 5
#: A link of up to so many cells is short: it is seen at a glance.
SHORT = 3


@dataclass(frozen=True)
class ClueLooks:
    """How the clues lie on a board of cells.

    ``density`` is the share of cells with a clue, and ``block_deviation`` the standard deviation of
    the densities of blocks: the board is cut into bands of rows and of columns, as near to
    5 wide as can be, and none differs from another by more than one. ``clue_run`` and ``blank_run``
    are the most clues, and empty cells, that follow each other in a row or a column, and
    ``empty_rectangle`` is the size in cells of the largest rectangle without any clue. ``shares``
    are those of the numbers 0, 1, 2 and 3 among the clues, all 0 without any.
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
class LinkLooks:
    """How the paths of a solution run through the cells.

    ``links`` is how many there are, ``turns`` and ``cells`` how many of these one has in the mean,
    ``straight`` the share of those without a turn, ``short`` that of those with at most 3 cells,
    and ``covered`` the share of the cells of the board through which a path runs.
    """

    links: int
    turns: float
    cells: float
    straight: float
    short: float
    covered: float

    def __str__(self) -> str:
        return (
            f"links {self.links}, straight {self.straight:.0%}, short {self.short:.0%}, "
            f"turns {self.turns:.1f}, cells {self.cells:.1f}, covered {self.covered:.0%}"
        )


def has_looks(puzzle: Puzzle) -> bool:
    """Whether a puzzle has clues between the dots, or links.

    >>> from linkoracle import SimpleLoop, Slitherlink
    >>> has_looks(Slitherlink.blank(3, 3)), has_looks(SimpleLoop.blank(4, 4))
    (True, False)
    """
    return not puzzle.through_cells or bool(puzzle.model.terminals)


def looks(puzzle: Puzzle, solution: Solution | None = None) -> ClueLooks | LinkLooks:
    """What a puzzle looks like: its clues if its line runs between the cells, else its links.

    Links need a ``solution``, clues do not. O(cells). Raises ``ValueError`` where it is missing,
    and for kinds of puzzles that have neither.

    >>> from linkoracle import Slitherlink
    >>> looks(Slitherlink([[3, None, None], [None, 2, None]]))
    ClueLooks(density=0.333..., block_deviation=0.0, clue_run=1, blank_run=2, empty_rectangle=2, \
shares=(0.0, 0.0, 0.5, 0.5))
    """
    if not has_looks(puzzle):
        raise ValueError(f"expected a puzzle with clues or links, found one of {puzzle.title}")
    if not puzzle.through_cells:
        return clue_looks(puzzle.grid)
    if solution is None:
        raise ValueError("expected a solution, since only that has links")
    return link_looks(solution)


def clue_looks(grid: Sequence[Sequence[int | None]]) -> ClueLooks:
    """What the clues of these rows of cells look like; ``None`` is a cell without one.

    >>> clue_looks([[None, 3], [None, None]]).empty_rectangle
    2
    """
    shown = [[clue is not None for clue in row] for row in grid]
    columns = list(zip(*shown, strict=True))
    clues = [clue for clue in chain.from_iterable(grid) if clue is not None]
    zero, one, two, three = (clues.count(number) / max(1, len(clues)) for number in range(4))
    return ClueLooks(
        density=len(clues) / (len(shown) * len(columns)),
        block_deviation=pstdev(block_densities(shown)),
        clue_run=longest_run(chain(shown, columns), True),
        blank_run=longest_run(chain(shown, columns), False),
        empty_rectangle=empty_rectangle(shown),
        shares=(zero, one, two, three),
    )


def link_looks(solution: Solution) -> LinkLooks:
    """What the paths of a solution look like, on a lattice whose vertices are the cells.

    >>> from linkoracle import Lattice, Solution
    >>> link_looks(Solution(Lattice(2, 2), (0, 2)))
    LinkLooks(links=1, turns=1.0, cells=3.0, straight=0.0, short=1.0, covered=0.75)
    """
    paths = solution.paths()
    turns = [_turns(path) for path in paths]
    cells = [len(path) for path in paths]
    return LinkLooks(
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


def bands(size: int) -> list[range]:
    """Rows, or columns, cut into bands as near to `BLOCK` as can be, which differ by one at most.

    >>> [len(band) for band in bands(18)]
    [4, 5, 4, 5]
    """
    count = max(1, round(size / BLOCK))
    cuts = [size * number // count for number in range(count + 1)]
    return [range(start, stop) for start, stop in pairwise(cuts)]


def block_densities(shown: Sequence[Sequence[bool]]) -> list[float]:
    """The share of cells with a clue of each block; see `ClueLooks`."""
    return [
        fmean(shown[row][col] for row in rows for col in cols)
        for rows in bands(len(shown))
        for cols in bands(len(shown[0]))
    ]


def longest_run(lines: Iterable[Iterable[bool]], wanted: bool) -> int:
    """The most cells in a row of any line that are ``wanted``.

    >>> longest_run([[True, False, False], [False, True, True]], False)
    2
    """
    runs = (
        sum(1 for _ in run) for line in lines for shown, run in groupby(line) if shown is wanted
    )
    return max(runs, default=0)


def empty_rectangle(shown: Sequence[Sequence[bool]]) -> int:
    """The cells of the largest rectangle in which nothing is shown. O(cells).

    Row by row, the empty cells above each cell are the bars of a histogram, and its largest
    rectangle is found with a stack of bars that are not ended yet.

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
