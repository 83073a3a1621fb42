"""`Cubes`: the parts of a search that several processes share.

A cube fixes, for some edges in the middle of the board, whether they are crossed twice (see
`linkoracle.sat.homotopy_clauses`). Each process works on all cubes, in its own order, and skips
those that others have decided.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from linkoracle.board.solution import Solution

#: Called with a decided cube and the known solution.
Report = Callable[[int, "Solution | None"], None]


def orders(processes: int) -> list[list[int]]:
    """Return the order of the cubes for each of up to four processes.

    Two processes meet in the middle. With more there are more cubes, and the others start there.

    >>> orders(2)
    [[0, 1, 2, 3], [3, 2, 1, 0]]
    >>> orders(4)[3]
    [3, 2, 1, 0, 7, 6, 5, 4]
    """
    cubes = list(range(4 if processes < 3 else 8))
    half = len(cubes) // 2
    backwards = cubes[::-1]
    found = [cubes, backwards, cubes[half:] + cubes[:half], backwards[half:] + backwards[:half]]
    return found[:processes]


class Cubes:
    """The cubes of one board, in one process.

    ``order`` has each number once; their number is a power of two. ``report`` is called for each
    cube that this process decides.

    >>> cubes = Cubes([1, 0])
    >>> cubes.bits, cubes.take(1), cubes.lost()
    (1, True, False)
    >>> cubes.decided[1] = None
    >>> cubes.lost(), cubes.take(1)
    (True, False)
    """

    def __init__(self, order: list[int], report: Report | None = None) -> None:
        self.order = order
        self.bits = len(order).bit_length() - 1
        #: For each decided cube, the only solution that it may contain; ``None`` if none was known.
        self.decided: dict[int, Solution | None] = {}
        self._report = report
        self._taken: int | None = None

    def take(self, number: int) -> bool:
        """Return whether a cube is undecided; if so, this process works on it from now on."""
        self._taken = None if number in self.decided else number
        return self._taken is not None

    def decide(self, number: int, known: Solution | None) -> None:
        """Mark the cube as decided: it has no solution other than ``known``."""
        self.decided[number] = known
        self._taken = None
        if self._report is not None:
            self._report(number, known)

    def lost(self) -> bool:
        """Return whether another process has decided the current cube."""
        return self._taken in self.decided
