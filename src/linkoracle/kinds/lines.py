"""`Lines`: the lines of a solution, for checks of the rules.

A kind's `faults` applies its rules as a person does: which lines meet in a cell, how far a line
runs straight on, which cells are inside. This module shares no code with engines or models.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import product

from linkoracle.board import Solution
from linkoracle.kinds.puzzle import Cell, Ends, format_edge, format_place, place_of

#: The changes of row and column for a step north (up), east, south and west.
DIRECTIONS: dict[str, Cell] = {"n": (-1, 0), "e": (0, 1), "s": (1, 0), "w": (0, -1)}
#: The direction back.
OPPOSITE = {"n": "s", "e": "w", "s": "n", "w": "e"}


def step(cell: Cell, direction: str, length: int = 1) -> Cell:
    """Return the position ``length`` steps from ``cell``, on the board or off it.

    >>> step((2, 2), "n"), step((2, 2), "e", 3)
    ((1, 2), (2, 5))
    """
    down, right = DIRECTIONS[direction]
    return cell[0] + length * down, cell[1] + length * right


def around(cell: Cell) -> list[Cell]:
    """Return the eight cells around a cell, on the board or off it."""
    row, col = cell
    return [
        (row + down, col + right) for down, right in product((-1, 0, 1), repeat=2) if down or right
    ]


def reached(start: Cell, beside: Callable[[Cell], Iterable[Cell]]) -> set[Cell]:
    """Return ``start`` and all positions that repeated steps ``beside`` reach from there."""
    found, waiting = {start}, [start]
    while waiting:
        new = {*beside(waiting.pop())} - found
        found |= new
        waiting += new
    return found


class Lines:
    """Lines between neighbouring dots or cells. Iterates over the positions that have a line.

    >>> lines = Lines([((0, 0), (0, 1)), ((0, 1), (0, 2)), ((0, 2), (1, 2))])
    >>> lines.directions((0, 1)), lines.turns((0, 2)), lines.arm((0, 0), "e")
    ('ew', True, 2)
    """

    def __init__(self, edges: Iterable[tuple[Cell, Cell]]) -> None:
        self._beside: dict[Cell, set[Cell]] = {}
        for one, other in edges:
            self._beside.setdefault(one, set()).add(other)
            self._beside.setdefault(other, set()).add(one)
        self._directions: dict[Cell, str] = {}

    @classmethod
    @lru_cache(maxsize=16)
    def of(cls, solution: Solution) -> Lines:
        """Return the lines of a solution between vertices, as puzzles name them."""
        board = solution.board
        ends = (board.ends(edge) for edge in solution)
        return cls((board.vertex_name(one), board.vertex_name(other)) for one, other in ends)

    def __contains__(self, place: object) -> bool:
        return place in self._beside

    def __iter__(self) -> Iterator[Cell]:
        return iter(self._beside)

    def __len__(self) -> int:
        return len(self._beside)

    def __getitem__(self, place: Cell) -> set[Cell]:
        """Return the neighbours that lines join to a position."""
        return self._beside.get(place, set())

    def has_edge(self, one: Cell, other: Cell) -> bool:
        """Return whether a line joins two positions."""
        return other in self._beside.get(one, ())

    def degree(self, place: Cell) -> int:
        """Return how many lines meet in a position."""
        return len(self[place])

    def parts(self) -> list[set[Cell]]:
        """Return the positions of each connected part, in order of iteration."""
        parts: list[set[Cell]] = []
        seen: set[Cell] = set()
        for start in self:
            if start not in seen:
                parts.append(reached(start, self._beside.__getitem__))
                seen |= parts[-1]
        return parts

    def walk(self) -> list[Cell]:
        """Return the positions along a loop, from its first in reading order to its less neighbour.

        >>> Lines([((0, 0), (0, 1)), ((0, 1), (1, 1)), ((1, 1), (1, 0)), ((1, 0), (0, 0))]).walk()
        [(0, 0), (0, 1), (1, 1), (1, 0)]
        """
        walk = [min(self._beside)] if self._beside else []
        while onward := self[walk[-1]].difference(walk[-2:-1]) if walk else ():
            if walk[0] in onward and len(walk) > 2:
                break
            walk.append(min(onward))
        return walk

    def directions(self, cell: Cell) -> str:
        """Return the letters of the directions in which lines leave a cell, sorted."""
        if (found := self._directions.get(cell)) is None:
            found = "".join(d for d in sorted(DIRECTIONS) if step(cell, d) in self[cell])
            self._directions[cell] = found
        return found

    def turns(self, cell: Cell) -> bool:
        """Return whether a line turns by a right angle in a cell."""
        return self.directions(cell) in ("en", "es", "nw", "sw")

    def goes_straight(self, cell: Cell) -> bool:
        """Return whether a line goes straight through a cell."""
        return self.directions(cell) in ("ew", "ns")

    def arm(self, cell: Cell, direction: str) -> int:
        """Return how many consecutive lines lead straight from a cell in this direction."""
        length = 0
        while self.has_edge(cell, onward := step(cell, direction)):
            cell, length = onward, length + 1
        return length

    def encloses(self, cell: Cell) -> bool:
        """Return whether a cell that no line visits is inside a loop through cells.

        If so, a ray to the north, a little to the right of the middle of the cell, crosses an odd
        number of lines.
        """
        row, col = cell
        return sum(self.has_edge((r, col), (r, col + 1)) for r in range(row)) % 2 == 1

    def faults(self, ends: Sequence[Cell] = (), what: str = "dot") -> Iterator[str]:
        """Yield why these are not one loop or, with ``ends``, not one path between them.

        ``what`` names the vertices: a ``"dot"``, ``"cell"`` or ``"face"``.

        >>> [*Lines([((0, 0), (0, 1))]).faults()]
        ['a line ends at dot 0,0', 'a line ends at dot 0,1']
        """
        for place in [*ends, *(place for place in self if place not in ends)]:
            degree = self.degree(place)
            if degree != (1 if place in ends else 2):
                where = f"dot {format_place(place)}" if what == "dot" else place_of(place)
                meet = {0: "no line ends", 1: "a line ends"}.get(degree, f"{degree} lines meet")
                yield f"{meet} at {where}"
        if not self._beside:
            yield "there is no line at all"
        elif (parts := len(self.parts())) > 1:
            yield f"the lines fall into {parts} parts"

    def fixed_faults(self, given: Iterable[Ends], forbidden: Iterable[Ends]) -> Iterator[str]:
        """Yield a sentence for each given line that is missing, and each forbidden one drawn.

        >>> [*Lines([((0, 0), (0, 1))]).fixed_faults([((0, 0), (1, 0))], [((0, 0), (0, 1))])]
        ['the line 0,0-1,0 is given, and is missing', 'the line 0,0-0,1 is forbidden, and is drawn']
        """
        for ends in given:
            if not self.has_edge(*ends):
                yield f"the line {format_edge(ends)} is given, and is missing"
        for ends in forbidden:
            if self.has_edge(*ends):
                yield f"the line {format_edge(ends)} is forbidden, and is drawn"
