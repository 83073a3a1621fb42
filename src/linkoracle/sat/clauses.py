"""Clauses of a `LinkModel`: local rules, path colours, and cuts for the global rule.

Edge *e* is Boolean variable ``e + 1``, in the DIMACS convention that PySAT uses; further variables
follow. Clauses of the local rules come from `linkoracle.sat.rules_kernel`, those of paths from
`linkoracle.sat.paths_kernel`, and cuts from `linkoracle.sat.cuts_kernel`, which also says why they
are sound.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from linkoracle.board.model import HOLE, PASS_OR_SKIP, LinkModel
from linkoracle.sat.cuts_kernel import Component, CutMaker
from linkoracle.sat.rules_kernel import count_clauses, one_count

__all__ = [
    "Add",
    "Clauses",
    "Colours",
    "Component",
    "CutMaker",
    "count_clauses",
    "is_balanced",
    "on_path",
    "one_count",
    "other_than",
]

Clauses = list[list[int]]
#: What takes a clause.
Add = Callable[[list[int]], object]


def is_balanced(model: LinkModel) -> bool:
    """Whether the vertices that must be used can be used, for all that a checkerboard tells.

    Lines alternate between its black and its white vertices. So those of a loop are as many black
    as white, and a path has one more of a colour if both of its ends have that colour. To the
    solver that is a pigeonhole problem, which it can state but hardly refute. True where a vertex
    may be left out. O(vertices).
    """
    if PASS_OR_SKIP in model.degrees:
        return True
    cols, degrees = model.lattice.cols, model.degrees
    black = b"".join(
        degrees[at + at // cols % 2 : at + cols : 2] for at in range(0, len(degrees), cols)
    )
    used, black_used = (len(masks) - masks.count(HOLE) for masks in (degrees, black))
    ends = [sum(divmod(vertex, cols)) % 2 == 0 for pair in model.terminals for vertex in pair]
    return 2 * (2 * black_used - used) == 2 * sum(ends) - len(ends)


class Colours(NamedTuple):
    """The variables that tell of each vertex the number of its path, in binary.

    >>> Colours(10, 3).of(2)
    range(16, 19)
    """

    #: The first of all.
    first: int
    #: How many each vertex has.
    bits: int

    def of(self, vertex: int) -> range:
        """Those of one vertex, the lowest bit first."""
        start = self.first + vertex * self.bits
        return range(start, start + self.bits)


def on_path(colour: Sequence[int], number: int) -> list[int]:
    """The literals that say that a vertex with these variables is on the path of this number.

    >>> on_path([7, 8, 9], 5)
    [7, -8, 9]
    """
    return [variable if number >> bit & 1 else -variable for bit, variable in enumerate(colour)]


def other_than(edges: Iterable[int]) -> list[int]:
    """A clause that excludes the solution with these edges only.

    It says that some edge of it is off: no solution properly contains another, since what is left
    over would be cycles beside the loop or the paths.

    >>> other_than((0, 1, 3, 5))
    [-1, -2, -4, -6]
    """
    return [-1 - edge for edge in edges]
