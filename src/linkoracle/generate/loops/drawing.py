"""`Drawn`: a loop through cells that changes until it has the shape that people draw.

The loop is the outline of faces between cells. Flipping a face exchanges its sides on the loop for
the others; the loop stays one if the sides on it are one piece, and no other corner is on it. A
cost says how far the loop is from its `Aim`, and flips are accepted as by Metropolis et al.
(*Equation of state calculations by fast computing machines*, J. Chemical Physics 21, 1953).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import lru_cache, reduce
from operator import or_
from random import Random
from typing import Any

from linkoracle.board import Lattice, Solution
from linkoracle.core import below

#: Flips proposed for each cell while a loop is drawn, and the highest and lowest temperature.
_FLIPS, _HOT, _COLD = 40, 2.0, 0.25
#: The cost of a missing turn between straight cells.
_LONE = 2.0
#: For the sides of a face on the loop, as bits (top, bottom, left, right), the corners that a flip
#: allows on the loop (north-west, north-east, south-west, south-east); other sides forbid a flip.
_TOP, _BOTTOM, _LEFT, _RIGHT = 1, 2, 4, 8
_CORNERS = {_TOP: 0b0011, _BOTTOM: 0b1100, _LEFT: 0b0101, _RIGHT: 0b1010}
_ALLOWED = {
    sides: reduce(or_, (corners for side, corners in _CORNERS.items() if sides & side))
    for sides in range(1, 15)
    if sides not in (_TOP | _BOTTOM, _LEFT | _RIGHT)
}


@dataclass(frozen=True)
class Aim:
    """The shape of a loop to aim at.

    ``visited`` is the fraction of cells on the loop, ``turns`` that of these in which it turns.
    Straight runs of more than ``straight`` cells cost more the longer they are. ``apart`` is the
    cost of two neighbouring cells that the loop leaves out. ``lone`` is the fraction of the visited
    cells in which the loop turns between two straight cells, as at black pearls; ``None`` if that
    does not matter.
    """

    visited: float
    turns: float
    straight: int
    apart: float = 0.0
    lone: float | None = None


class Drawn:
    """A loop through the cells of a board, changed by flips of faces.

    ``more`` is an additional cost of a loop with these cells left out, as bits of a number.

    >>> drawn = Drawn(10, 10, Aim(0.8, 0.5, 6), Random(1))
    >>> drawn.anneal()
    >>> loop = drawn.solution()
    >>> len(loop.paths()), 70 < len(loop) < 90
    (1, True)
    """

    def __init__(
        self,
        rows: int,
        cols: int,
        aim: Aim,
        rng: Random,
        more: Callable[[int], float] | None = None,
    ) -> None:
        self.rows, self.cols, self.aim, self.rng, self.more = rows, cols, aim, rng, more
        #: Lines to the east by row, and to the south by column, as bits.
        self.across = [0] * rows
        self.down = [0] * cols
        #: Lines to the south by row, and the turns between straight cells by row.
        self._south = [0] * (rows + 1)
        self._lone = [0] * rows
        #: The cells without a line, as bits.
        self.left_out = (1 << rows * cols) - 1
        self._size = rows * cols
        self._turned = 0
        self._runs = 0.0
        self._pairs = rows * (cols - 1) + cols * (rows - 1)
        self._flip(below(rng, rows - 1), below(rng, cols - 1))
        self.cost = self._cost()

    def load(self, loop: Solution) -> None:
        """Take another loop in place of the present one."""
        board = loop.lattice
        self.across, self.down = [0] * self.rows, [0] * self.cols
        self._south = [0] * (self.rows + 1)
        self.left_out = (1 << self._size) - 1
        for edge in loop:
            (row, col), (other, _) = map(board.position, board.ends(edge))
            if row == other:
                self.across[row] |= 1 << col
            else:
                self.down[col] |= 1 << row
                self._south[row] |= 1 << col
            for vertex in board.ends(edge):
                self.left_out &= ~(1 << vertex)
        cells = range(self._size)
        self._turned = sum(self._turns(*divmod(cell, self.cols)) for cell in cells)
        self._runs = sum(_runs(line, self.aim.straight) for line in (*self.across, *self.down))
        self._pairs = self._touching(self.left_out)
        self._lone = [self._lone_in(row) for row in range(self.rows)]
        self.cost = self._cost()

    def kept(self) -> tuple[list[int], list[int], int, tuple[Any, ...]]:
        """Return what `restore` takes to return to this loop."""
        rest = self._turned, self._runs, self._pairs, self.cost, [*self._south], [*self._lone]
        return [*self.across], [*self.down], self.left_out, rest

    def restore(self, kept: tuple[list[int], list[int], int, tuple[Any, ...]]) -> None:
        """Return to a loop."""
        across, down, self.left_out, rest = kept
        self.across, self.down = [*across], [*down]
        self._turned, self._runs, self._pairs, self.cost, south, lone = rest
        self._south, self._lone = [*south], [*lone]

    def solution(self) -> Solution:
        """Return the loop."""
        board = Lattice(self.rows, self.cols)
        edges = [
            board.edge((row, col), (row, col + 1))
            for row, line in enumerate(self.across)
            for col in range(self.cols - 1)
            if line >> col & 1
        ]
        edges += [
            board.edge((row, col), (row + 1, col))
            for col, line in enumerate(self.down)
            for row in range(self.rows - 1)
            if line >> row & 1
        ]
        return Solution(board, tuple(sorted(edges)))

    def anneal(self, flips: int = _FLIPS) -> None:
        """Change the loop until it is near its aim, by about ``flips`` proposals for each cell."""
        steps = flips * self._size
        cooling = math.log(_COLD / _HOT) / steps
        for step in range(steps):
            face = below(self.rng, self.rows - 1), below(self.rng, self.cols - 1)
            self.propose(*face, _HOT * math.exp(cooling * step))

    def change(self, faces: Iterable[tuple[int, int]], flips: int, warm: float = 1.0) -> bool:
        """Propose flips of these faces; return whether there was one."""
        every, changed = [*faces], False
        for _ in range(flips if every else 0):
            changed |= self.propose(*every[below(self.rng, len(every))], warm)
        return changed

    def propose(self, row: int, col: int, temperature: float) -> bool:
        """Flip a face, unless that raises the cost too much; return whether it is flipped."""
        sides = (
            (self.across[row] >> col & 1)
            | (self.across[row + 1] >> col & 1) << 1
            | (self.down[col] >> row & 1) << 2
            | (self.down[col + 1] >> row & 1) << 3
        )
        allowed = _ALLOWED.get(sides)
        if allowed is None:
            return False
        first = row * self.cols + col
        corners = (self.left_out >> first & 3) | (self.left_out >> first + self.cols & 3) << 2
        if corners ^ 0b1111 != allowed:
            return False
        near = slice(max(0, row - 1), row + 3)
        before = self.left_out, self._turned, self._runs, self._pairs, self.cost
        lone = self._lone[near]
        self._flip(row, col)
        self.cost = self._cost()
        rise = self.cost - before[-1]
        if rise > 0 and self.rng.random() >= math.exp(-rise / temperature):
            self._toggle(row, col)
            self.left_out, self._turned, self._runs, self._pairs, self.cost = before
            self._lone[near] = lone
            return False
        return True

    def _toggle(self, row: int, col: int) -> None:
        self.across[row] ^= 1 << col
        self.across[row + 1] ^= 1 << col
        self.down[col] ^= 1 << row
        self.down[col + 1] ^= 1 << row
        self._south[row] ^= 3 << col

    def _flip(self, row: int, col: int) -> None:
        corners = ((row, col), (row, col + 1), (row + 1, col), (row + 1, col + 1))
        straight = self.aim.straight
        for one in corners:
            self._turned -= self._turns(*one)
        for line in self.across[row], self.across[row + 1], self.down[col], self.down[col + 1]:
            self._runs -= _runs(line, straight)
        self._toggle(row, col)
        for line in self.across[row], self.across[row + 1], self.down[col], self.down[col + 1]:
            self._runs += _runs(line, straight)
        for one in corners:
            self._turned += self._turns(*one)
            cell = one[0] * self.cols + one[1]
            empty = not self._lines(*one)
            if empty != self.left_out >> cell & 1:
                near = self._near(*one)
                self._pairs += near if empty else -near
                self.left_out ^= 1 << cell
        if self.aim.lone is not None:
            for near in range(max(0, row - 1), min(self.rows, row + 3)):
                self._lone[near] = self._lone_in(near)

    def _lines(self, row: int, col: int) -> int:
        """Return the lines at a cell as bits: across in the first two, down in the others."""
        return (self.across[row] << 1 >> col & 3) | (self.down[col] << 1 >> row & 3) << 2

    def _turns(self, row: int, col: int) -> bool:
        lines = self._lines(row, col)
        return lines & 3 in (1, 2) and lines >> 2 in (1, 2)

    def _lone_in(self, row: int) -> int:
        """Return in how many cells of a row the loop turns between straight cells."""
        south = self._south
        north, below, east = south[row - 1] if row else 0, south[row], self.across[row]
        west = east << 1
        level, upright = east & west, north & below
        # The cells above and below that lines go straight through.
        over = north & south[row - 2] if row > 1 else 0
        under = below & south[row + 1]
        turns = (east | west) & (north | below)
        ends = (~east | level >> 1) & (~west | level << 1) & (~north | over) & (~below | under)
        return (turns & ~level & ~upright & ends).bit_count()

    def _near(self, row: int, col: int) -> int:
        """Return how many neighbours of a cell the loop leaves out."""
        cell, free, cols = row * self.cols + col, self.left_out, self.cols
        return (
            (free >> cell - 1 & 1 if col else 0)
            + (free >> cell + 1 & 1 if col + 1 < cols else 0)
            + (free >> cell - cols & 1 if row else 0)
            + (free >> cell + cols & 1)
        )

    def _touching(self, cells: int) -> int:
        """Return how many pairs of these cells are neighbours."""
        last = sum(1 << row * self.cols + self.cols - 1 for row in range(self.rows))
        beside = cells & ~last & cells >> 1
        return beside.bit_count() + (cells & cells >> self.cols).bit_count()

    def _cost(self) -> float:
        visited = self._size - self.left_out.bit_count()
        aim = self.aim
        cost = abs(visited - aim.visited * self._size) + self._runs + aim.apart * self._pairs
        cost += abs(self._turned - aim.turns * visited)
        if aim.lone is not None:
            cost += _LONE * max(0.0, aim.lone * visited - sum(self._lone))
        return cost if self.more is None else cost + self.more(self.left_out)


@lru_cache(maxsize=100_000)
def _runs(line: int, straight: int) -> float:
    """Return the cost of the straight runs of a row or column, one by one.

    >>> _runs(0b1111011, 4), _runs(0b111, 4)
    (1.0, 0.0)
    """
    cost = 0.0
    for run in f"{line:b}".split("0"):
        over = len(run) + 1 - straight
        cost += over * over if over > 0 else 0
    return cost


#: Flips near an alternative at each change of a loop, and their temperatures: higher ones if the
#: loop stays the same.
_CHANGED, _WARM = 8, (1.0, 4.0, 32.0)


def changed_to(
    loop: Solution,
    others: Iterable[Solution],
    aim: Aim,
    rng: Random,
    more: Callable[[int], float] | None = None,
) -> Solution | None:
    """Return the loop with faces flipped beside a line of each of ``others``, near its aim.

    ``None`` if that changes nothing.
    """
    board = loop.lattice
    drawn = Drawn(board.rows, board.cols, aim, rng, more)
    drawn.load(loop)
    found = loop
    for other in others:
        near = {face for edge in {*loop} ^ {*other} for face in board.faces_of(edge)}
        faces = [divmod(face, board.cols - 1) for face in sorted(near) if face >= 0]
        for warm in _WARM:
            drawn.change(faces, _CHANGED, warm)
            if (found := drawn.solution()) != loop:
                break
    return None if found == loop else found
