"""How many solutions a blank board can have at most: so many primes are enough.

Take the lines of one solution as given. Every other solution differs from it by a set of edges that
has an even number of them at each vertex, so by the boundary of a set of faces, and by a different
set for each. So ``2**faces`` is a bound, for loops and for paths.

Not every set of faces will do: a vertex has two edges at most. Cut the board into *strips* of a few
columns of faces. Then there are at most as many solutions as the product, over the strips, of how
many sets of faces each strip has that are right at each vertex within it. That number does not
depend on the solution that was taken as given: within a strip without terminals, which has no
holes, it is itself the boundary of a set of faces, and adding that to each set is one-to-one. So it
may be taken to have no edge there. What is right at a vertex is then: its four faces are no
chessboard, as all four edges would be chosen; and if all vertices must be used, they are not all in
the set or all outside. A strip with a terminal inside, where this argument has a gap, counts with
all its sets of faces.

Short solutions are far fewer: each is a walk of so many steps that meets no vertex twice.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from math import prod

#: Columns of faces in a strip. More make the bound better by little: see docs/frontier.md.
_STRIP = 6
#: Walks of 1, 2, 3, ... steps from a vertex of the endless lattice that meet none twice (OEIS
#: A001411).
_WALKS = (
    *(4, 12, 36, 100, 284, 780, 2172, 5916, 16268),
    *(44100, 120292, 324932, 881500, 2374444, 6416596, 17245332, 46466676, 124658732),
    *(335116620, 897697164, 2408806028, 6444560484, 17266613812, 46146397316, 123481354908),
    *(329712786220, 881317491628),
)


@cache
def _fitting(width: int, cover: bool) -> tuple[tuple[int, ...], ...]:
    """For each set of faces of a row of a strip, the sets that may be in the next row."""

    def fits(above: int, below: int) -> bool:
        for column in range(width - 1):
            left = above >> column & 1, below >> column & 1
            right = above >> column + 1 & 1, below >> column + 1 & 1
            chessboard = left[0] != left[1] and left[0] == right[1] and left[1] == right[0]
            if chessboard or (cover and left[0] == left[1] == right[0] == right[1]):
                return False
        return True

    sets = range(1 << width)
    return tuple(tuple(other for other in sets if fits(one, other)) for one in sets)


@cache
def _sets_of_faces(rows: int, width: int, cover: bool) -> int:
    """Sets of faces of a strip that are right at each vertex within it. O(rows 4^width).

    >>> _sets_of_faces(2, 2, False), _sets_of_faces(2, 2, True)
    (14, 12)
    """
    ways = [1] * (1 << width)
    for _ in range(rows - 1):
        ways = [sum(ways[other] for other in fitting) for fitting in _fitting(width, cover)]
    return sum(ways)


def most_solutions(
    height: int, width: int, *, cover: bool = False, ends: Iterable[tuple[int, int]] = ()
) -> int:
    """A number that the loops, or paths between ``ends``, of a board do not exceed.

    It has so many rows and columns of vertices. With ``cover`` all must be used. ``ends`` are rows
    and columns of terminals.

    >>> most_solutions(3, 3), most_solutions(9, 9).bit_length(), (2318527339461265).bit_length()
    (14, 58, 52)
    """
    total = 1
    columns = [column for row, column in ends if 0 < row < height - 1]
    for first in range(0, width - 1, _STRIP):
        last = min(first + _STRIP, width - 1)
        if any(first < column < last for column in columns):
            total <<= (height - 1) * (last - first)
        else:
            total *= _sets_of_faces(height - 1, last - first, cover)
    return total


def most_of_length(height: int, width: int, length: int, *, loop: bool) -> int:
    """A number that the loops, or paths between two given ends, of a length do not exceed.

    A loop is the same for each vertex where a walk around it begins, and for both directions.

    >>> [most_of_length(4, 4, length, loop=True) for length in (4, 6, 8, 10)]
    [72, 378, 2172, 13014]
    """
    if loop:
        return height * width * _most_walks(length - 1) // (2 * length)
    return _most_walks(length)


def _most_walks(steps: int) -> int:
    """A bound for the walks of so many steps from a vertex that meet none twice.

    They are pieces of walks that are counted. Only the first piece can begin with any of four
    steps: the others do not go back at once.

    >>> _most_walks(3), _most_walks(28), 3 * _most_walks(27)
    (36, 2643952474884, 2643952474884)
    """
    whole, rest = divmod(steps, len(_WALKS))
    pieces = [_WALKS[-1]] * whole + [_WALKS[rest - 1]] * bool(rest)
    return prod(walks // 4 * 3 for walks in pieces) * 4 // 3
