"""Upper bounds for the number of solutions of a blank board, which determine the number of primes.

Fix one solution. Every other solution differs from it by a set of edges with an even number at each
vertex. That is the boundary of a set of faces, and different solutions have different sets. So
``2**faces`` is a bound, for loops and for paths.

Not every set of faces is possible, as a vertex has at most two edges. Divide the board into
*strips* of a few columns of faces. The number of solutions is at most the product, over the strips,
of the number of sets of faces of the strip that are valid at each vertex inside it. This number
does not depend on the fixed solution: in a strip without terminals, which has no holes, that
solution is itself the boundary of a set of faces, and adding this set to each set is one-to-one. So
assume that it has no edge there. A set is then valid at a vertex if its four faces are not a
chessboard, for which all four edges would be chosen; if all vertices must be used, the four faces
must also be neither all in the set nor all outside. For a strip with a terminal inside, where this
argument fails, count all sets of faces.

Short solutions are far fewer: each is a self-avoiding walk of that length.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from math import prod

#: The columns of faces in a strip. More columns hardly improve the bound: see
#: docs/explanation/frontier.md.
_STRIP_COLUMNS = 6
#: The numbers of self-avoiding walks of 1, 2, 3, ... steps on the infinite lattice (OEIS A001411).
_WALKS = (
    *(4, 12, 36, 100, 284, 780, 2172, 5916, 16268),
    *(44100, 120292, 324932, 881500, 2374444, 6416596, 17245332, 46466676, 124658732),
    *(335116620, 897697164, 2408806028, 6444560484, 17266613812, 46146397316, 123481354908),
    *(329712786220, 881317491628),
)


@cache
def _fitting(width: int, cover: bool) -> tuple[tuple[int, ...], ...]:
    """Return for each set of faces of a row of a strip the valid sets of the next row."""

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
    """Return the number of sets of faces of a strip valid at each inner vertex. O(rows 4^width).

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
    """Return an upper bound for the number of loops, or paths between ``ends``, of a board.

    ``height`` and ``width`` are in vertices. With ``cover`` all must be used. ``ends`` are the rows
    and columns of terminals.

    >>> most_solutions(3, 3), most_solutions(9, 9).bit_length(), (2318527339461265).bit_length()
    (14, 58, 52)
    """
    total = 1
    columns = [column for row, column in ends if 0 < row < height - 1]
    for first in range(0, width - 1, _STRIP_COLUMNS):
        last = min(first + _STRIP_COLUMNS, width - 1)
        if any(first < column < last for column in columns):
            total <<= (height - 1) * (last - first)
        else:
            total *= _sets_of_faces(height - 1, last - first, cover)
    return total


def most_of_length(height: int, width: int, length: int, *, loop: bool) -> int:
    """Return an upper bound for the number of loops, or paths between two ends, of a length.

    A loop is counted once, not for each start and direction of a walk around it.

    >>> [most_of_length(4, 4, length, loop=True) for length in (4, 6, 8, 10)]
    [72, 378, 2172, 13014]
    """
    if loop:
        return height * width * _most_walks(length - 1) // (2 * length)
    return _most_walks(length)


def _most_walks(steps: int) -> int:
    """Return an upper bound for the number of self-avoiding walks of ``steps`` steps.

    They are divided into pieces of known counts. Only the first piece can begin with any of four
    steps: the others do not reverse.

    >>> _most_walks(3), _most_walks(28), 3 * _most_walks(27)
    (36, 2643952474884, 2643952474884)
    """
    whole, rest = divmod(steps, len(_WALKS))
    pieces = [_WALKS[-1]] * whole + [_WALKS[rest - 1]] * bool(rest)
    return prod(walks // 4 * 3 for walks in pieces) * 4 // 3
