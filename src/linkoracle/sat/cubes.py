"""`Cubes`: a board that several processes decide together, cube by cube.

A cube says of some edges in the midst of the board whether they are crossed twice or not (see
`linkoracle.sat.homotopy_clauses`). Each process takes all cubes, in an order of its own, but for
those that others have decided before.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from linkoracle.board.solution import Solution

#: Called with a cube that was decided, and the one solution that is known.
Report = Callable[[int, "Solution | None"], None]


def orders(processes: int) -> list[list[int]]:
    """In which order each of up to four processes takes the cubes.

    Two meet in the middle. With more there are more cubes, and the others come from the middle.

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
    """The cubes of one board, as one process sees them.

    ``order`` has each number once, and there are a power of two. ``report`` hears of each cube that
    this process decides.

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
        #: For each cube that is decided, the solution besides which none is there. It may be
        #: elsewhere; ``None`` if there was none yet.
        self.decided: dict[int, Solution | None] = {}
        self._report = report
        self._taken: int | None = None

    def take(self, number: int) -> bool:
        """Whether a cube is still to be decided; if so, this process works on it from now on."""
        self._taken = None if number in self.decided else number
        return self._taken is not None

    def decide(self, number: int, known: Solution | None) -> None:
        """There is no solution in a cube but the one ``known``, if it is there at all."""
        self.decided[number] = known
        self._taken = None
        if self._report is not None:
            self._report(number, known)

    def lost(self) -> bool:
        """Whether somebody else has decided the cube on which this process works."""
        return self._taken in self.decided
