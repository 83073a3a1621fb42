"""Windows: blocks of cells, all their completions, and what these have in common.

A window of ``rows`` x ``cols`` cells has the edges of its cells and the edges that leave its dots
outwards. Its edges are numbered dot by dot in row-major order, at each dot first the edge up (top
row only), then the edge to the left (first column only), to the right, and down. An edge is also
written ``(kind, row, col)``: ``h`` to the right of dot ``(row, col)``, ``v`` down from it; so the
edge up from dot ``(0, 1)`` is ``("v", -1, 1)``.

A *completion* is a set of edges, as a bitmask, that has 0 or 2 lines at every dot of the window.
Edges on which all completions with some clues, lines and crosses agree are implied on every board.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from itertools import product
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    #: Sets of edges, as bitmasks.
    Masks = NDArray[np.int64]

#: An edge by the dot at its top left: ``h`` runs to the right of it, ``v`` down.
Edge = tuple[str, int, int]
#: Clues in reading order; ``None`` is an empty cell.
Clues = tuple[int | None, ...]


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
        """Return the edges in order: bit *i* of a mask is edge *i*."""
        found: list[Edge] = []
        for row, col in self.dots():
            found += [("v", -1, col)] * (row == 0) + [("h", row, -1)] * (col == 0)
            found += [("h", row, col), ("v", row, col)]
        return tuple(found)

    @cached_property
    def index(self) -> dict[Edge, int]:
        """Return the number of each edge."""
        return {edge: number for number, edge in enumerate(self.edges)}

    def dots(self) -> list[tuple[int, int]]:
        """Return the dots of the window in row-major order."""
        return list(product(range(self.rows + 1), range(self.cols + 1)))

    def dot_edges(self, row: int, col: int) -> list[int]:
        """Return the numbers of the edges up, left, right and down of a dot."""
        around = ("v", row - 1, col), ("h", row, col - 1), ("h", row, col), ("v", row, col)
        return [self.index[edge] for edge in around]

    def cell_edges(self, row: int, col: int) -> list[int]:
        """Return the numbers of the edges at the top, left, right and bottom of a cell."""
        around = ("h", row, col), ("v", row, col), ("v", row, col + 1), ("h", row + 1, col)
        return [self.index[edge] for edge in around]

    def cells(self) -> list[tuple[int, int]]:
        """Return the cells in reading order."""
        return list(product(range(self.rows), range(self.cols)))

    def completions(self) -> Masks:
        """All completions, sorted; built once. 161, 11,929, 2,867,739 for 1x1, 2x2, 3x3."""
        return _completions(self)

    def fitting(self, clues: Sequence[int | None]) -> Masks:
        """Return the completions with these clues."""
        ways = self.completions()
        for cell, clue in zip(self.cells(), clues, strict=True):
            if clue is not None:
                ways = ways[sum(ways >> edge & 1 for edge in self.cell_edges(*cell)) == clue]
        return ways

    def mask(self, edges: Iterable[Edge]) -> int:
        """Return edges as a bitmask."""
        return sum(1 << self.index[edge] for edge in edges)


def implied(ways: Masks, lines: int, crosses: int, size: int) -> tuple[int, int] | None:
    """Return the lines and crosses on which all fitting completions agree; ``None`` if none fits.

    >>> window = Window(1, 1)
    >>> lines, crosses = implied(window.fitting([3]), 0, window.mask([("h", 0, 0)]), 12)
    >>> [window.edges[i] for i in range(12) if lines >> i & 1]
    [('v', 0, 0), ('v', 0, 1), ('h', 1, 0)]
    """
    import numpy as np

    fitting = ways[(ways & lines == lines) & (ways & crosses == 0)]
    if not len(fitting):
        return None
    always = int(np.bitwise_and.reduce(fitting))
    ever = int(np.bitwise_or.reduce(fitting))
    return always, ~ever & ((1 << size) - 1)


@cache
def _completions(window: Window) -> Masks:
    import numpy as np

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
