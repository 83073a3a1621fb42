"""The tiling by spectres: one tile that covers the plane, but never repeats.

Nine kinds of supertiles consist of seven or eight smaller ones, and the smallest of one or two
spectres. Source of the rules: David Smith, Joseph Samuel Myers, Craig S. Kaplan and Chaim
Goodman-Strauss, *A chiral aperiodic monotile* (https://arxiv.org/abs/2305.17743). Names of
supertiles, the numbers of their parts, and the order of tiles: ``spectre.c`` of Simon Tatham's
Portable Puzzle Collection, https://www.chiark.greenend.org.uk/~sgtatham/puzzles/
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Sequence
from functools import cache
from typing import NamedTuple

from linkoracle.board import Board
from linkoracle.boards.patch import (
    ONE,
    ZERO,
    Faces,
    Number,
    PatchTooShort,
    add,
    checked_cells,
    conjugate,
    negative,
    random_patch,
    turned,
    value,
)
from linkoracle.core import below, seed_or_fresh, source

#: The parts of each supertile: G, D, J, L, X, P, S, F and Y stand for Gamma, Delta, Theta, Lambda,
#: Xi, Pi, Sigma, Phi and Psi in the paper.
_PARTS = {
    "G": "FXGSPDJ",
    "D": "FPGSXDFX",
    "J": "FPGSYDFP",
    "L": "FPGSYDFX",
    "X": "FYGSYDFP",
    "P": "FYGSYDFX",
    "S": "LPGSXDFX",
    "F": "FPGSYDFY",
    "Y": "FYGSYDFY",
}
#: The chain of the parts of a supertile: from the first part, each touches the previous part. The
#: number of the part, its turn relative to the previous part (by 30 degrees), and the coinciding
#: corners of the previous part and of this part.
_FIRST = 4
_CHAIN = (
    (5, 2, 3, 1),
    (7, 0, 2, 0),
    (6, 2, 3, 1),
    (3, 2, 3, 1),
    (1, 0, 2, 0),
    (0, 2, 3, 1),
    (2, -4, 3, 3),
)
#: The corners of a supertile: the part, and the corner of the part.
_SUPER = ((0, 2), (1, 1), (6, 2), (4, 1))

#: The directions of the edges of a spectre, in units of 30 degrees.
_HEADINGS = (0, 10, 1, 3, 0, 2, 5, 7, 4, 6, 6, 8, 11, 9)
#: The vertices of a spectre that are its corners as a supertile, and that of the second one of G.
_CORNERS, _SECOND = (3, 5, 7, 11), 8
#: The vertex at which Loopy begins to number vertices, in reverse order.
_TOP = 6

_PATCH = re.compile(r"([0-9AB])([01])([0-7]{0,40})([GDJLXPSFY])", re.ASCII)
#: The width and height of a cell in Loopy's units; an edge is twice the square root of 2 long.
_CELL = 7
_EDGE = 8**0.5


class _Motion(NamedTuple):
    """A turn by multiples of 30 degrees, after a mirror image if ``mirrored``; then a shift."""

    mirrored: bool
    turns: int
    shift: Number

    def of(self, number: Number) -> Number:
        """Return the image of a number."""
        seen = conjugate(number, 12) if self.mirrored else number
        return add(turned(seen, self.turns, 12), self.shift)

    def after(self, other: _Motion) -> _Motion:
        """Return the composition: the other motion, followed by this one."""
        turns = -other.turns if self.mirrored else other.turns
        return _Motion(
            self.mirrored != other.mirrored, (self.turns + turns) % 12, self.of(other.shift)
        )

    def back(self) -> _Motion:
        """Return the motion that undoes this one."""
        turns = self.turns if self.mirrored else -self.turns
        plain = _Motion(self.mirrored, turns % 12, ZERO)
        return plain._replace(shift=negative(plain.of(self.shift)))


class _Supertile(NamedTuple):
    """Supertiles of one size: the motions of their parts, their corners, and their reach."""

    parts: dict[int, _Motion]
    corners: tuple[Number, ...]
    reach: float


_STANDING = _Motion(False, 0, ZERO)
#: Edges by direction.
_EDGES = tuple(turned(ONE, heading, 12) for heading in range(12))


def _vertices(motion: _Motion) -> list[Number]:
    """Return the vertices of a moved spectre."""
    side = -1 if motion.mirrored else 1
    at = motion.shift
    found = []
    for heading in _HEADINGS:
        found.append(at)
        at = add(at, _EDGES[(motion.turns + side * heading) % 12])
    return found


@cache
def _supertile(level: int) -> _Supertile:
    """Return the supertiles of a level: spectres at level 0, else made of those one level below."""
    if level == 0:
        shape = _vertices(_STANDING)
        second = _Motion(False, 1, shape[_SECOND])
        reach = 1.0 + max(abs(value(second.of(vertex), 12)) for vertex in shape)
        corners = tuple(shape[corner] for corner in _CORNERS)
        return _Supertile({0: _STANDING, 1: second}, corners, reach)
    below = _supertile(level - 1)
    mirror = _Motion(True, 6, ZERO)
    last = _STANDING
    parts = {_FIRST: mirror}
    for part, turn, corner, own in _CHAIN:
        plain = _Motion(False, (last.turns + turn) % 12, ZERO)
        shift = add(last.of(below.corners[corner]), negative(plain.of(below.corners[own])))
        last = plain._replace(shift=shift)
        parts[part] = mirror.after(last)
    corners = tuple(parts[part].of(below.corners[corner]) for part, corner in _SUPER)
    far = max(abs(value(motion.shift, 12)) for motion in parts.values())
    return _Supertile(parts, corners, far + below.reach)


def spectres(rows: int, cols: int, patch: str | None = None, *, seed: int | None = None) -> Board:
    """Return a part of the tiling by spectres, about ``rows`` x ``cols`` wide.

    A spectre has 14 sides, two of which lie on one line. ``patch`` chooses the part, as in Loopy's
    game IDs: the orientation of a spectre, its place in ever larger supertiles, and the kind of the
    largest. Without ``patch``, the part is random; the same ``seed`` gives the same part.

    Raises ``ValueError`` for an invalid patch, and for a part without a face.

    >>> spectres(6, 6, "80221F")
    <Board: 123 vertices, 137 edges, 15 faces>
    """
    rows, cols = checked_cells(rows, cols)
    if patch is not None:
        return _board(rows, cols, patch)
    rng = source(seed_or_fresh(seed), 0)
    turns = 2 * below(rng, 6)

    def made(first: int, places: Sequence[tuple[str, int]], letter: str) -> Board:
        # The direction of the second spectre of G is between those of all others.
        numbers = "".join(str(place) for _, place in places)
        return _board(rows, cols, f"{turns + first:X}{first}{numbers}{letter}")

    return random_patch(rng, _PARTS, [*((0, letter) for letter in _PARTS), (1, "G")], made)


def _board(rows: int, cols: int, patch: str) -> Board:
    found = _PATCH.fullmatch(patch)
    if found is None:
        raise ValueError(f"expected a patch like '80221F', got {patch!r}")
    orientation, first, places, largest = int(found[1], 12), int(found[2]), found[3], found[4]
    # From the largest supertile down to the spectre.
    where = _STANDING
    letter = largest
    for level in range(len(places), 0, -1):
        place = int(places[level - 1])
        if place >= len(_PARTS[letter]):
            raise ValueError(f"expected parts 0 to 6 of G in the patch, got {patch!r}")
        where = where.after(_supertile(level).parts[place])
        letter = _PARTS[letter][place]
    if first and letter != "G":
        raise ValueError(f"expected one spectre in {letter}, but two in the patch {patch!r}")
    where = where.after(_supertile(0).parts[first])
    # Place the first two vertices of the spectre as Loopy does.
    edge = turned(ONE, orientation, 12)
    across = add(edge, turned(edge, -3, 12))
    start = add(turned(across, 5, 12), turned(across, -5, 12))
    turns = orientation - _HEADINGS[_TOP - 1] + 6
    goal = _Motion(False, turns % 12, ZERO)
    goal = goal._replace(shift=add(start, negative(_vertices(goal)[_TOP])))
    region = _Region(_CELL * cols, _CELL * rows)
    region.divide(largest, len(places), goal.after(where.back()))
    faces = region.tiles((start, add(start, edge)))
    faces.trim()
    return faces.board(f"spectres {rows} {cols} {patch}", _place)


def _place(at: Number) -> tuple[float, float]:
    """Return the coordinates of a vertex, turned by 45 degrees, with y down."""
    here = value(at, 12) * complex(0.5**0.5, -(0.5**0.5))
    return here.real, -here.imag


class _Region:
    """The spectres in and around a rectangle, whose sides are in Loopy's units."""

    def __init__(self, width: int, height: int) -> None:
        self._width, self._height = width, height
        #: The spectre beside each directed edge.
        self._beside: dict[tuple[Number, Number], tuple[Number, ...]] = {}

    def divide(self, letter: str, level: int, motion: _Motion) -> None:
        """Divide a supertile down to spectres, except for parts far from the rectangle."""
        tile = _supertile(level)
        x, y = _place(motion.shift)
        # Spectres beside those inside are needed, too.
        far = tile.reach + _supertile(0).reach
        if abs(x) > self._width / 2 / _EDGE + far or abs(y) > self._height / 2 / _EDGE + far:
            return
        if level:
            for number, part in enumerate(_PARTS[letter]):
                self.divide(part, level - 1, motion.after(tile.parts[number]))
            return
        for number in (0, 1) if letter == "G" else (0,):
            vertices = _vertices(motion.after(tile.parts[number]))
            corners = tuple(vertices[(_TOP - turn) % 14] for turn in range(14))
            for edge in range(14):
                self._beside[corners[edge], corners[(edge + 1) % 14]] = corners

    def _is_inside(self, corners: tuple[Number, ...]) -> bool:
        """Return whether a spectre lies in the rectangle; exact, as the bounds are integers."""
        left, top = self._width // 2, self._height // 2
        for corner in corners:
            a, b, c, d = add(corner, turned(corner, -3, 12))
            across, up = 2 * a + c + b * 3**0.5, 2 * d + b + c * 3**0.5
            if not -left <= across <= self._width - left or not top - self._height <= up <= top:
                return False
        return True

    def tiles(self, first: tuple[Number, Number]) -> Faces[Number]:
        """Return the spectres in Loopy's order: breadth-first from the first one."""
        faces: Faces[Number] = Faces()
        start = self._beside[first]
        placed = {start} if self._is_inside(start) else set()
        waiting = deque(placed)
        while waiting:
            corners = waiting.popleft()
            faces.face(corners)
            for edge in range(14):
                ends = corners[(edge + 1) % 14], corners[edge]
                if ends not in self._beside:
                    raise PatchTooShort
                near = self._beside[ends]
                if near not in placed and self._is_inside(near):
                    placed.add(near)
                    waiting.append(near)
        return faces
