"""Windows, and the index arrays of a board for the deduction: what depends on sizes only.

A window of ``rows`` x ``cols`` cells has the edges of its cells and the edges that leave its dots
outwards. Its edges are numbered dot by dot in row-major order, at each dot first the edge up (top
row only), then the edge to the left (first column only), to the right, and down. An edge is also
written ``(kind, row, col)``: ``h`` to the right of dot ``(row, col)``, ``v`` down from it; so the
edge up from dot ``(0, 1)`` is ``("v", -1, 1)``.

A *completion* is a set of edges, as a bitmask, that has 0 or 2 lines at every dot of the window.
What all completions agree on that fit some clues, lines and crosses, holds on every board.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from itertools import product
from typing import Any

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view
from numpy.typing import NDArray

from linkoracle.board.lattice import Lattice

#: An edge by the dot at its top left: ``h`` runs to the right of it, ``v`` down.
Edge = tuple[str, int, int]
#: Clues in reading order; ``None`` is an empty cell.
Clues = tuple[int | None, ...]
Ints = NDArray[np.int64]


@dataclass(frozen=True)
class Window:
    """A block of ``rows`` x ``cols`` cells and its edges.

    >>> window = Window(1, 1)
    >>> len(window.edges), window.edges[:4], len(window.completions())
    (12, (('v', -1, 0), ('h', 0, -1), ('h', 0, 0), ('v', 0, 0)), 161)
    """

    rows: int
    cols: int

    @cached_property
    def edges(self) -> tuple[Edge, ...]:
        """The edges in their order: bit *i* of a mask is edge *i*."""
        found: list[Edge] = []
        for row, col in self.dots():
            found += [("v", -1, col)] * (row == 0) + [("h", row, -1)] * (col == 0)
            found += [("h", row, col), ("v", row, col)]
        return tuple(found)

    @cached_property
    def index(self) -> dict[Edge, int]:
        """The number of each edge."""
        return {edge: number for number, edge in enumerate(self.edges)}

    def dots(self) -> list[tuple[int, int]]:
        """The dots of the window in row-major order."""
        return list(product(range(self.rows + 1), range(self.cols + 1)))

    def dot_edges(self, row: int, col: int) -> list[int]:
        """The numbers of the edges up, left, right and down of a dot."""
        around = ("v", row - 1, col), ("h", row, col - 1), ("h", row, col), ("v", row, col)
        return [self.index[edge] for edge in around]

    def cell_edges(self, row: int, col: int) -> list[int]:
        """The numbers of the edges at the top, left, right and bottom of a cell."""
        around = ("h", row, col), ("v", row, col), ("v", row, col + 1), ("h", row + 1, col)
        return [self.index[edge] for edge in around]

    def cells(self) -> list[tuple[int, int]]:
        """The cells in reading order."""
        return list(product(range(self.rows), range(self.cols)))

    def completions(self) -> Ints:
        """All completions, sorted; built once. 161, 11,929, 2,867,739 for 1x1, 2x2, 3x3."""
        return _completions(self)

    def fitting(self, clues: Sequence[int | None]) -> Ints:
        """The completions with these clues."""
        ways = self.completions()
        for cell, clue in zip(self.cells(), clues, strict=True):
            if clue is not None:
                four = [ways >> edge & 1 for edge in self.cell_edges(*cell)]
                ways = ways[np.sum(four, axis=0) == clue]
        return ways

    def mask(self, edges: Iterable[Edge]) -> int:
        """Edges as a bitmask."""
        return sum(1 << self.index[edge] for edge in edges)


def implied(ways: Ints, lines: int, crosses: int, size: int) -> tuple[int, int] | None:
    """Lines and crosses that the completions agree on that fit; ``None`` where none fits.

    >>> window = Window(1, 1)
    >>> lines, crosses = implied(window.fitting([3]), 0, window.mask([("h", 0, 0)]), 12)
    >>> [window.edges[i] for i in range(12) if lines >> i & 1]
    [('v', 0, 0), ('v', 0, 1), ('h', 1, 0)]
    """
    fitting = ways[(ways & lines == lines) & (ways & crosses == 0)]
    if not len(fitting):
        return None
    always = int(np.bitwise_and.reduce(fitting))
    ever = int(np.bitwise_or.reduce(fitting))
    return always, ~ever & ((1 << size) - 1)


@cache
def _completions(window: Window) -> Ints:
    ways = np.zeros(1, dtype=np.int64)
    known = 0
    for dot in window.dots():
        around = window.dot_edges(*dot)
        fresh = [edge for edge in around if not known >> edge & 1]
        lines = np.sum([ways >> edge & 1 for edge in around], axis=0)
        grown = []
        for choice in product((0, 1), repeat=len(fresh)):
            total = lines + sum(choice)
            added = sum(1 << edge for edge, chosen in zip(fresh, choice, strict=True) if chosen)
            grown.append(ways[(total == 0) | (total == 2)] | added)
        ways = np.concatenate(grown)
        known |= sum(1 << edge for edge in fresh)
    return np.sort(ways)


@cache
def lasting_fills() -> Ints:
    """The completions of a cell without a clue that cannot be flipped.

    Flipping takes the other edges around the cell, where these hold one piece of a line, and where
    the dots that this adds to the line are unused: the result is as good a loop, and the counts of
    the four neighbours change. So where those have no clues either, there are two solutions.
    """
    window = Window(1, 1)
    ring = window.cell_edges(0, 0)
    around = [window.dot_edges(*dot) for dot in window.dots()]
    kept = []
    for way in window.completions().tolist():
        top, left, right, bottom = (way >> edge & 1 for edge in ring)
        lines = top + left + right + bottom
        one_piece = lines in (1, 3) or (lines == 2 and top != bottom and left != right)
        flipped = way ^ sum(1 << edge for edge in ring)
        degrees = [sum(flipped >> edge & 1 for edge in edges) for edges in around]
        if not one_piece or not {0, 2}.issuperset(degrees):
            kept.append(way)
    return np.array(kept, dtype=np.int64)


def geometry(lattice: Lattice, rim: tuple[int, ...] = ()) -> dict[str, Ints]:
    """What all boards of one size share: the arrays that `linkoracle.deduce.kernel.Grid` takes.

    The outside is face ``num_faces``, beyond the edges ``rim`` one more. -1 in an array of indices
    says: no such thing. Of an index of items by key, two arrays, ``found[start[key]:start[key +
    1]]`` are those of a key.

    =================================  =============================================================
    ``ends``, ``sides``                of edges: vertices, and faces, the outside second
    ``around``, ``ring``               edges up, left, right, down of vertices and of faces
    ``cut_of``                         of edges: the straight cut that crosses it
    ``cut_start``, ``cut_edges``       edges, by cut
    ``window_faces``, ``window_dots``  faces in and around windows of 2x2, then of 3x3 cells, and
                                       their dots, row by row, filled up with zeros to 25 and 16
    ``square_start``, ``squares_at``   windows of 2x2 cells, by face in or beside them
    ``block_start``, ``blocks_at``     the same of 3x3 cells
    ``cell_edges``                     of faces: the edges of that cell and those that leave it
    ``cell_start``, ``cells_of``       cells, by edge
    ``rim``                            edges with the outside on one side
    ``site_faces``                     up to five: those around a vertex; a face, those beside it
    ``site_pairs``                     those of them, by place, that an edge divides, (sites, 4, 2)
    =================================  =============================================================
    """
    sides = _sides(lattice, rim)
    cuts = list(lattice.down[:-1]) + list(lattice.right[:, :-1].T)
    cut_of = np.empty(lattice.num_edges, dtype=np.int64)
    for number, cut in enumerate(cuts):
        cut_of[cut] = number
    cell_edges = _cell_edges(lattice)
    cell_start, cells_of = _by_item(cell_edges, lattice.num_edges)
    squares, wide = _window_faces(lattice, sides, 2), _window_faces(lattice, sides, 3)
    square_start, squares_at = _by_item(squares, lattice.num_faces + 2)
    block_start, blocks_at = _by_item(wide, lattice.num_faces + 2)
    site_faces, site_pairs = _sites(lattice, sides)
    return {
        "ends": lattice.edge_vertices.astype(np.int64),
        "around": lattice.vertex_edges.astype(np.int64),
        "sides": sides,
        "ring": lattice.face_edges.astype(np.int64),
        "cut_of": cut_of,
        "cut_start": np.cumsum([0, *map(len, cuts)]).astype(np.int64),
        "cut_edges": np.concatenate([np.zeros(0, dtype=np.int64), *cuts]).astype(np.int64),
        "window_faces": np.concatenate([np.pad(squares, ((0, 0), (0, 9))), wide]),
        "window_dots": np.concatenate([_window_dots(lattice, side) for side in (2, 3)]),
        "square_start": square_start,
        "squares_at": squares_at,
        "block_start": block_start,
        "blocks_at": blocks_at,
        "cell_edges": cell_edges,
        "cell_start": cell_start,
        "cells_of": cells_of,
        "rim": np.flatnonzero(sides[:, 1] >= lattice.num_faces),
        "site_faces": site_faces,
        "site_pairs": site_pairs,
    }


def rim_between(lattice: Lattice, ends: tuple[int, int]) -> tuple[int, ...] | None:
    """The edges of the rim from one vertex to the other; ``None`` if one is not on the rim.

    >>> rim_between(Lattice(2, 3), (0, 5))
    (0, 2, 4)
    """
    right, down = lattice.right, lattice.down
    ids = np.arange(lattice.num_vertices).reshape(lattice.rows, lattice.cols)
    # Clockwise from the top left: the dots, and the edge that goes on from each.
    dots = np.concatenate([ids[0, :-1], ids[:-1, -1], ids[-1, :0:-1], ids[:0:-1, 0]]).tolist()
    edges = np.concatenate([right[0, :-1], down[:-1, -1], right[-1, -2::-1], down[-2::-1, 0]])
    if min(ids.shape) < 2 or not set(ends) <= set(dots):
        return None
    first, last = sorted(map(dots.index, ends))
    return tuple(edges[first:last].tolist())


def _sides(lattice: Lattice, rim: tuple[int, ...]) -> Ints:
    sides = np.full((lattice.num_edges, 2), lattice.num_faces, dtype=np.int64)
    faces = np.arange(lattice.num_faces, dtype=np.int64)
    top, left, right, bottom = lattice.face_edges.T
    for edges, column in ((bottom, 1), (right, 1), (top, 0), (left, 0)):
        sides[edges, column] = faces
    # The outside stands second.
    outer = sides[:, 0] == lattice.num_faces
    sides[outer] = sides[outer][:, ::-1]
    sides[list(rim), 1] = lattice.num_faces + 1
    return sides


def _cell_edges(lattice: Lattice) -> Ints:
    """The edges of the window of each cell, in its order; -1 off the board."""
    edges = Window(1, 1).edges
    rows, cols = lattice.rows - 1, lattice.cols - 1
    found = np.full((rows, cols, len(edges)), -1, dtype=np.int64)
    right, down = (np.pad(ids, 1, constant_values=-1) for ids in (lattice.right, lattice.down))
    for place, (kind, row, col) in enumerate(edges):
        ids = down if kind == "v" else right
        found[:, :, place] = ids[row + 1 : row + 1 + rows, col + 1 : col + 1 + cols]
    return found.reshape(-1, len(edges))


def _window_faces(lattice: Lattice, sides: Ints, side: int) -> Ints:
    """The faces in and around each window of ``side`` x ``side`` cells, row by row."""
    rows, cols = lattice.rows - 1, lattice.cols - 1
    board = np.full((rows + 2, cols + 2), rows * cols, dtype=np.int64)
    board[1:-1, 1:-1] = np.arange(rows * cols).reshape(rows, cols)
    if rows and cols:
        board[0, 1:-1] = sides[lattice.right[0, :-1], 1]
        board[-1, 1:-1] = sides[lattice.right[-1, :-1], 1]
        board[1:-1, 0] = sides[lattice.down[:-1, 0], 1]
        board[1:-1, -1] = sides[lattice.down[:-1, -1], 1]
        # Beyond a corner dot is the same outside as beside it; where a path ends there, all the
        # same, for nothing is asked of that dot.
        board[:: rows + 1, 0] = board[:: rows + 1, 1]
        board[:: rows + 1, -1] = board[:: rows + 1, -2]
    return blocks(board, side + 2)


def _window_dots(lattice: Lattice, side: int) -> Ints:
    """The vertices of each window of ``side`` x ``side`` cells, row by row, filled up to 16."""
    found = blocks(np.arange(lattice.num_vertices).reshape(lattice.rows, lattice.cols), side + 1)
    return np.pad(found, ((0, 0), (0, 16 - found.shape[1])))


def blocks(ids: NDArray[Any], side: int) -> NDArray[Any]:
    """What lies in each block of ``side`` x ``side``, row by row: shape ``(blocks, side**2)``."""
    if min(ids.shape) < side:
        return np.zeros((0, side**2), dtype=ids.dtype)
    return sliding_window_view(ids, (side, side)).reshape(-1, side**2)


def _by_item(windows: Ints, items: int) -> tuple[Ints, Ints]:
    """The windows that each edge or face is in, as ``(start, windows)``."""
    window, place = np.nonzero(windows >= 0)
    item = windows[window, place]
    order = np.argsort(item, kind="stable")
    start = np.searchsorted(item[order], np.arange(items + 1))
    return start.astype(np.int64), window[order].astype(np.int64)


def _sites(lattice: Lattice, sides: Ints) -> tuple[Ints, Ints]:
    """The faces around each vertex, then each face and its neighbours; and what divides them."""
    around = [[edge for edge in edges if edge >= 0] for edges in lattice.vertex_edges.tolist()]
    rings = lattice.face_edges.tolist()
    site_faces = np.full((len(around) + len(rings), 5), -1, dtype=np.int64)
    site_pairs = np.full((len(around) + len(rings), 4, 2), -1, dtype=np.int64)
    pair_of = sides.tolist()
    for site, edges in enumerate([*around, *rings]):
        local: dict[int, int] = {}
        for place, edge in enumerate(edges):
            one, other = pair_of[edge]
            site_pairs[site, place, 0] = local.setdefault(one, len(local))
            site_pairs[site, place, 1] = local.setdefault(other, len(local))
        site_faces[site, : len(local)] = list(local)
    return site_faces, site_pairs
