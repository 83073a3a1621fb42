"""Windows: parts of a board of paths, and the search for alternatives in them.

A *window* is some cells of a board, as a board of its own. A path that leaves it ends there, and a
cell whose path goes on outside only is a hole. A path that leaves a window and comes back could
join its pieces in another order, or stay inside; so its pieces outside belong to the window.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Container, Iterable, Iterator
from dataclasses import dataclass
from itertools import islice
from typing import ClassVar, NamedTuple

from linkoracle.board import (
    END,
    HOLE,
    PASS,
    PASS_OR_SKIP,
    Board,
    Lattice,
    LinkModel,
    Solution,
    board_lists,
)
from linkoracle.core import ConflictLimit, Deadline
from linkoracle.engines import another_in_part, starts
from linkoracle.generate.paths import PathSystem
from linkoracle.kinds import Variant

#: Conflict budget of a window, which counts as unique if undecided. Nearly all need a tenth.
_CONFLICTS = 1_000
#: Steps of an alternative, each the set of its two cells.
Steps = frozenset[frozenset[int]]


class Window(NamedTuple):
    """Some cells, in increasing order, and the board that they form."""

    cells: tuple[int, ...]
    board: Board


def rectangle(board: Lattice, top: int, left: int, rows: int, cols: int) -> Window:
    """Return the window of ``rows`` x ``cols`` cells with this first row and column."""
    down, width = range(top, top + rows), board.cols
    cells = (cell for row in down for cell in range(row * width + left, row * width + left + cols))
    return Window(tuple(cells), Lattice(rows, cols))


def region(board: Board, cells: Iterable[int]) -> Window:
    """Return the window of any cells.

    >>> region(Lattice(2, 3), [0, 4, 1])
    Window(cells=(0, 1, 4), board=<Board: 3 vertices, 2 edges, 0 faces>)
    """
    inside = tuple(sorted(cells))
    place = {cell: number for number, cell in enumerate(inside)}
    edges = sorted(
        (place[one], place[other])
        for one, other in map(board.ends, range(board.num_edges))
        if one in place and other in place
    )
    walks = map(board.walk, range(board.num_faces))
    faces = [[place[cell] for cell in walk] for walk in walks if place.keys() >= {*walk}]
    return Window(inside, Board(len(inside), edges, faces))


@dataclass(frozen=True)
class Rectangles:
    """The windows of rows and columns.

    ``sizes`` are the sides of windows, and the distances between them. Boards hardly larger than
    such a window have none of that size. For each number of cells of the board that is
    ``a_setback``, one change for the worse is allowed before the board is given up: on small boards
    a new attempt is fast.

    ``variants`` are those for which windows are decided, of free boards by taut solutions. Paths
    that use all cells and do not touch themselves need no windows, as hardly any ends have two
    coverings: of 339,432 sets of ends that have one on 4x5 cells, 38.
    """

    board: Lattice

    sizes = ((8, 4), (11, 4), (14, 4))
    a_setback = 80
    variants: ClassVar[tuple[Variant, ...]] = ("free", "fill")

    def every(self) -> Iterator[list[Window]]:
        """Yield the windows of each size, the smallest first."""
        board = self.board
        for size, step in self.sizes:
            if max(board.rows, board.cols) >= size + step:
                rows, cols = min(size, board.rows), min(size, board.cols)
                yield [
                    rectangle(board, top, left, rows, cols)
                    for top in starts(board.rows, rows, step)
                    for left in starts(board.cols, cols, step)
                ]

    def over(self, cells: set[int]) -> Window:
        """Return the smallest window with all these cells."""
        places = [divmod(cell, self.board.cols) for cell in cells]
        (top, bottom), (left, right) = (
            (min(line), max(line)) for line in zip(*places, strict=True)
        )
        return rectangle(self.board, top, left, bottom - top + 1, right - left + 1)

    around = over


@dataclass(frozen=True)
class Regions:
    """The windows of other boards: discs, whose ``sizes`` are roots of numbers of cells.

    Their cells have more neighbours, and paths more routes. There are no taut solutions, which need
    rows.
    """

    board: Board

    sizes = ((3, 1), (5, 2), (8, 4))
    a_setback = 12
    variants: ClassVar[tuple[Variant, ...]] = ("fill", "fill-apart")

    def every(self) -> Iterator[list[Window]]:
        """Yield the windows of each size, the smallest first."""
        for size, step in self.sizes:
            if self.board.num_vertices >= size * (size + step):
                yield list(self._discs(size * size, step * step))

    def _discs(self, size: int, core: int) -> Iterator[Window]:
        """Yield windows of up to ``size`` cells, such that each cell is in the ``core`` of one."""
        around = board_lists(self.board).around
        left = dict.fromkeys(range(self.board.num_vertices))
        while left:
            disc = dict.fromkeys([next(iter(left))])
            waiting = deque(disc)
            while waiting and len(disc) < size:
                fresh = [cell for _, cell in around[waiting.popleft()] if cell not in disc]
                disc |= dict.fromkeys(fresh)
                waiting += fresh
            yield region(self.board, islice(disc, size))
            for cell in islice(disc, core):
                left.pop(cell, None)

    def over(self, cells: set[int]) -> Window:
        """Return the window of these cells."""
        return region(self.board, cells)

    def around(self, cells: set[int]) -> Window:
        """Return the window of these cells and all their neighbours."""
        beside = board_lists(self.board).around
        return region(self.board, cells.union(*([near for _, near in beside[c]] for c in cells)))


def windows_of(board: Board) -> Rectangles | Regions:
    """Return the windows of a board."""
    # Rectangles are decided fast, along lanes, and their alternatives are taut.
    return Rectangles(board) if isinstance(board, Lattice) else Regions(board)


def returning(system: PathSystem, window: Window) -> list[int]:
    """Return the cells of the pieces outside a window of paths that come back into it.

    >>> system = PathSystem(Lattice(3, 3))
    >>> all(system.change(into=step) for step in [(1, 2), (2, 5), (5, 8), (8, 7)])
    True
    >>> returning(system, rectangle(Lattice(3, 3), 0, 0, 3, 2))
    [2, 5, 8]
    """
    inside, found = set(window.cells), dict[int, None]()
    for cell in window.cells:
        for near in system.linked[cell]:
            if near not in inside and near not in found:
                beyond = system.walk(near, cell)
                back = next((at for at, one in enumerate(beyond) if one in inside), 0)
                found.update(dict.fromkeys(beyond[:back]))
    return list(found)


def part(
    system: PathSystem, window: Window, variant: str, cells: Container[int] | None = None
) -> tuple[LinkModel, tuple[int, ...]]:
    """Return the model of a window, and its solution; pieces of paths have their ends as terminals.

    A cell whose path continues only outside is a hole, and so are all but the given ``cells``.

    >>> system = PathSystem(Lattice(3, 3))
    >>> all(system.change(into=step) for step in [(0, 1), (1, 2), (2, 5), (5, 8)])
    True
    >>> model, chosen = part(system, rectangle(Lattice(3, 3), 0, 1, 2, 2), "free")
    >>> model.terminals, model.holes
    (((0, 3),), (2,))
    """
    board = window.board
    place = {cell: board.position(number) for number, cell in enumerate(window.cells)}
    cells = place if cells is None else cells
    between = PASS if variant.startswith("fill") else PASS_OR_SKIP
    degrees = bytearray()
    edges = []
    for cell, here in place.items():
        inside = [near for near in system.linked[cell] if near in cells] if cell in cells else []
        degrees.append((HOLE, END, between)[len(inside)])
        edges += [board.edge(here, place[near]) for near in inside if near > cell]
    chosen = tuple(sorted(edges))
    vertex = {label: number for number, label in enumerate(place.values())}
    paths = Solution(board, chosen).paths()
    pairs = tuple((vertex[path[0]], vertex[path[-1]]) for path in paths)
    return LinkModel(board, bytes(degrees), board.free_masks, pairs), chosen


def second(system: PathSystem, window: Window, variant: str, deadline: Deadline) -> Steps | None:
    """Return the steps of an alternative in a window, if one is found soon.

    A path that leaves the window and comes back may join its pieces in another order, or need no
    piece outside: so these pieces belong to the window.
    """
    cells = {*window.cells, *returning(system, window)}
    if len(cells) > len(window.cells):
        window = windows_of(system.board).over(cells)
    model, chosen = part(system, window, variant, cells)
    if not model.terminals:
        return None
    try:
        found = another_in_part(model, chosen, deadline.with_conflicts(_CONFLICTS))
    except ConflictLimit:
        return None
    if found is None:
        return None
    inside = window.cells
    ends = map(window.board.ends, found)
    return frozenset(frozenset((inside[one], inside[other])) for one, other in ends)
