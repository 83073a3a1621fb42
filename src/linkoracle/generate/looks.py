"""Layout statistics: the distribution of clues, the shapes of loops, paths and regions.

Designers spread clues evenly, leave no large gaps and use all digits. `layout_statistics` measures
this; ``docs/explanation/benchmarks.md`` compares published puzzles with generated ones.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import chain, groupby, pairwise, product
from math import sqrt
from statistics import fmean, pstdev
from typing import TYPE_CHECKING, Any, TypeVar

from linkoracle.board import SYMMETRIES, Board, Lattice, Solution, orbits
from linkoracle.engines import components
from linkoracle.kinds import Cell, CellLoop, Lines, Puzzle, RegionPuzzle, step

if TYPE_CHECKING:
    from linkoracle.deduce import Grade

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


@dataclass(frozen=True)
class LoopStatistics:
    """Statistics of a puzzle with one loop, or path, through cells, and of its solution.

    ``clues`` is their number; given lines count if there are no others. ``shares`` are the
    fractions of the numbers 0, 1, 2 ... among the clues, ``black`` and ``white`` those of the
    colours. ``unnumbered`` is the number of clues without a number, in kinds whose clues may have
    one. ``symmetry`` is that of the cells with clues, one of
    `linkoracle.board.symmetry.SYMMETRIES`. ``equal`` is the number of pairs of neighbouring cells
    with the same clue. ``empty_square`` is the side of the largest square without a clue, and
    ``block_deviation`` is as in `ClueStatistics`.

    There are so many ``regions``; ``largest`` and ``smallest`` are numbers of cells, ``single``
    the number of regions of one cell. ``border`` is the number of borders between two cells of
    different regions, as a fraction of all pairs of neighbours.

    ``visited`` is the fraction of the cells on the loop, ``turns`` the fraction of those in which
    it turns, ``lone`` that in which it does so between two straight cells, and ``straight`` the
    number of cells of its longest straight run.

    ``opening`` is the number of steps open at first, ``steps`` that of all steps, ``trials`` that
    of trials and guesses among them; ``None`` without a grade.
    """

    clues: int
    shares: tuple[float, ...]
    black: float
    white: float
    unnumbered: int
    symmetry: str
    equal: int
    empty_square: int
    block_deviation: float
    regions: int
    largest: int
    smallest: int
    single: int
    border: float
    visited: float
    turns: float
    lone: float
    straight: int
    opening: int | None = None
    steps: int | None = None
    trials: int | None = None

    def __str__(self) -> str:
        parts = [f"clues {self.clues}", f"visited {self.visited:.0%}", f"turns {self.turns:.0%}"]
        parts.append(f"straight {self.straight}")
        if self.clues:
            parts.append(f"symmetry {self.symmetry}")
            parts.append(f"empty square {self.empty_square}")
        if self.shares:
            numbers = "/".join(map(str, range(len(self.shares))))
            shares = "/".join(f"{share:.0%}".rstrip("%") for share in self.shares)
            parts.append(f"{numbers} {shares} %, {self.unnumbered} without a number")
        if self.black or self.white:
            parts.append(f"black {self.black:.0%}, white {self.white:.0%}")
        if self.regions > 1:
            sizes = f"{self.smallest} to {self.largest} cells, {self.single} of one cell"
            parts.append(f"regions {self.regions} of {sizes}")
        if self.steps is not None:
            parts.append(f"opening {self.opening}, steps {self.steps}, trials {self.trials}")
        return ", ".join(parts)


#: The result of `layout_statistics`.
LayoutStatistics = ClueStatistics | FaceStatistics | PathStatistics | LoopStatistics


def has_layout_statistics(puzzle: Puzzle) -> bool:
    """Return whether a puzzle has layout statistics.

    All kinds have them on rows and columns. On other boards those do whose clues lie between dots.

    >>> from linkoracle import SimpleLoop, Slitherlink, boards
    >>> board = boards.honeycomb(3, 3)
    >>> [has_layout_statistics(one) for one in (Slitherlink.on(board), SimpleLoop.blank(4, 4))]
    [True, True]
    """
    return _statistics_for(puzzle) is not None


def _statistics_for(puzzle: Puzzle) -> Callable[..., LayoutStatistics] | None:
    """Return what measures a puzzle, its solution and its grade; ``None`` if nothing does."""
    clued = puzzle.counts_lines and not puzzle.through_cells
    # Runs and turns are defined only for rows and columns.
    if puzzle.tiling is not None:
        return (lambda board, *_: face_statistics(board)) if clued else None
    if clued:
        return lambda board, *_: clue_statistics(board.grid)
    if isinstance(puzzle, CellLoop) or not puzzle.model.terminals:
        return loop_statistics
    return lambda _, solution, __: path_statistics(solution)


def layout_statistics(
    puzzle: Puzzle, solution: Solution | None = None, grade: Grade | None = None
) -> LayoutStatistics:
    """Return the layout statistics of a puzzle: of its clues, its regions, its loop or its paths.

    A loop or paths through cells need a ``solution``, the clues of a Slitherlink do not. Openings
    and the path of a loop come from its ``grade``. O(cells). Raises ``ValueError`` if the solution
    is missing, and for a puzzle without statistics (`has_layout_statistics`).

    >>> from linkoracle import Slitherlink
    >>> layout_statistics(Slitherlink([[3, None, None], [None, 2, None]]))
    ClueStatistics(density=0.333..., block_deviation=0.0, clue_run=1, blank_run=2, \
empty_rectangle=2, shares=(0.0, 0.0, 0.5, 0.5))
    """
    measure = _statistics_for(puzzle)
    if measure is None:
        raise ValueError(f"expected rows and columns of a {puzzle.title}, found another board")
    if solution is None and (puzzle.through_cells or not puzzle.counts_lines):
        raise ValueError("expected a solution, since only a solution has a loop or paths")
    return measure(puzzle, solution, grade)


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


#: The number of a clue, perhaps with its arrow; the letters for black and white, as circles have
#: them and as the walls of a Castle Wall.
_NUMBER, _ARROW, _BLACK, _WHITE = re.compile(r"\d+"), re.compile(r"\d*[nesw]"), "bx", "wo"


def number_of(clue: object) -> int | None:
    """Return the number of a clue; ``None`` for one without a number.

    >>> [number_of(clue) for clue in (3, -1, "2n", "b12", "w")]
    [3, None, 2, 12, None]
    """
    if isinstance(clue, int):
        return clue if clue >= 0 else None
    found = _NUMBER.search(str(clue))
    return int(found[0]) if found else None


def colour_of(kind: type[Any], clue: object) -> str:
    """Return the letter of the colour of a clue; empty for one without a colour.

    >>> from linkoracle.kinds import KINDS
    >>> [colour_of(KINDS["castlewall"], clue) for clue in ("2w", "2wo", "x")]
    ['', 'o', 'x']
    """
    if isinstance(clue, int) or clue == getattr(kind, "unknown", None):
        return ""
    word = _ARROW.sub("", str(clue)) if kind.arrows else str(clue)
    return next((letter for letter in word if letter in _BLACK + _WHITE), "")


def symmetry_of(cells: Iterable[Cell], rows: int, cols: int) -> str:
    """Return the symmetry of some cells of a board: the first of the names, with most images.

    >>> symmetry_of([(0, 0), (1, 2)], 2, 3), symmetry_of([(0, 1)], 2, 3)
    ('half-turn', 'left-right')
    """
    places = {row * cols + col for row, col in cells}
    best, least = "none", rows * cols + 1
    for name in SYMMETRIES if places else ():
        if rows != cols and name in ("quarter-turn", "diagonal", "antidiagonal"):
            continue
        every = orbits(Lattice(rows + 1, cols + 1), name)
        if len(every) < least and all(
            places.issuperset(orbit) or places.isdisjoint(orbit) for orbit in every
        ):
            best, least = name, len(every)
    return best


def loop_statistics(puzzle: Any, solution: Solution, grade: Grade | None = None) -> LoopStatistics:
    """Return the statistics of a puzzle with one loop, or path, through cells.

    >>> from linkoracle import solve
    >>> from linkoracle.kinds import Masyu
    >>> puzzle = Masyu(["..w.", "..b.", "....", "...."])
    >>> print(loop_statistics(puzzle, solve(puzzle)))
    clues 2, visited 75%, turns 50%, straight 4, symmetry none, empty square 2, black 50%, white 50%
    """
    rows, cols, lines = puzzle.rows, puzzle.cols, Lines.of(solution)
    clues: dict[Cell, Any] = dict(puzzle.clue_cells())
    shown = [[(row, col) in clues for col in range(cols)] for row in range(rows)]
    # Holes are no numbers.
    numbered = clues.values() if getattr(puzzle, "max_clue", None) != 0 else ()
    numbers = [number for clue in numbered if (number := number_of(clue)) is not None]
    colours = [colour_of(type(puzzle), clue) for clue in clues.values()]
    many = max(1, len(clues))
    regions = puzzle.cells_by_region() if isinstance(puzzle, RegionPuzzle) else []
    sizes = [*map(len, regions)] or [0]
    beside = [
        (cell, other)
        for cell in product(range(puzzle.lattice.rows), range(puzzle.lattice.cols))
        for other in (step(cell, "e"), step(cell, "s"))
        if other[0] < puzzle.lattice.rows and other[1] < puzzle.lattice.cols
    ]
    apart = 0
    if isinstance(puzzle, RegionPuzzle):
        apart = sum(puzzle.region_of(one) != puzzle.region_of(other) for one, other in beside)
    turned = _turned(solution)
    path = () if grade is None else grade.path
    return LoopStatistics(
        clues=len(clues) or len(getattr(puzzle, "given", ())),
        shares=tuple(
            numbers.count(number) / many for number in range(max(numbers, default=-1) + 1)
        ),
        black=sum(colour in _BLACK for colour in colours if colour) / many,
        white=sum(colour in _WHITE for colour in colours if colour) / many,
        unnumbered=len(clues) - len(numbers) if numbers else 0,
        symmetry=symmetry_of(clues, rows, cols),
        equal=sum(one in clues and clues[one] == clues.get(other) for one, other in beside),
        empty_square=empty_square(shown),
        block_deviation=pstdev(block_densities(shown)),
        regions=len(regions),
        largest=max(sizes),
        smallest=min(sizes),
        single=sizes.count(1),
        border=apart / max(1, len(beside)),
        visited=len(lines) / puzzle.lattice.num_vertices,
        turns=sum(turned) / max(1, len(lines)),
        lone=sum(
            here and not (before or after)
            for before, here, after in zip(
                [*turned[-1:], *turned[:-1]], turned, [*turned[1:], *turned[:1]], strict=True
            )
        )
        / max(1, len(lines)),
        straight=longest_run([turned * (1 + puzzle.model.loop)], False) + 2 if turned else 0,
        opening=path[0].choices if path else None,
        steps=len(path) if path else None,
        trials=sum(one.technique in ("trial", "guess") for one in path) if path else None,
    )


def _turned(solution: Solution) -> list[bool]:
    """Return whether a loop turns in each of its cells, along it, or a path between its ends."""
    walk = next(iter(solution.paths()), [])
    closed = len(walk) > 1 and walk[0] == walk[-1]
    around = [*walk, walk[1]] if closed else walk
    steps = [(there[0] - here[0], there[1] - here[1]) for here, there in pairwise(around)]
    return [one != other for one, other in pairwise(steps)]


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


def empty_square(shown: Sequence[Sequence[bool]]) -> int:
    """Return the side of the largest square in which nothing is shown. O(cells).

    >>> empty_square([[True, False, False], [False, False, False]])
    2
    """
    best, above = 0, [0] * (len(shown[0]) + 1)
    for row in shown:
        sides = [0]
        for col, cell in enumerate(row):
            # The square with its last corner here is one larger than those of three neighbours.
            sides.append(0 if cell else 1 + min(sides[col], above[col], above[col + 1]))
        best, above = max(best, *sides), sides
    return best


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
