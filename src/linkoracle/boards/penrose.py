"""The two tilings of Penrose: kites and darts (P2), thin and thick rhombs (P3).

A *patch* chooses the part of the infinite tiling that a board shows. Loopy's game IDs have two
kinds of patches:

* ``G1174,3877,72``: the part around a point of a large triangle, which is turned by an angle and
  divided again and again;
* ``31ABUV``: an orientation, a corner, and the address of the half tile there in ever larger
  triangles (`linkoracle.boards.penrose_addresses`).

Source: ``penrose-legacy.c`` and ``penrose.c`` of Simon Tatham's Portable Puzzle Collection,
https://www.chiark.greenend.org.uk/~sgtatham/puzzles/, and
https://www.chiark.greenend.org.uk/~sgtatham/quasiblog/aperiodic-tilings/
"""

from __future__ import annotations

import re
from contextlib import suppress
from math import cos, floor, hypot, pi, sin
from random import Random
from typing import NamedTuple

from linkoracle.board import Board, Point
from linkoracle.boards.patch import (
    ONE,
    PHI,
    Faces,
    Number,
    add,
    checked_cells,
    grown,
    negative,
    turned,
    value,
)
from linkoracle.boards.penrose_addresses import board_at_address
from linkoracle.core import below, seed_or_fresh, source

_PATCH = re.compile(r"G(-?[0-9]{1,9}),(-?[0-9]{1,9}),([0-9]{1,3})", re.ASCII)

#: A step towards a corner: the direction of an edge, and its length as a power of PHI.
_Step = tuple[int, int]


class _Half(NamedTuple):
    """Half a tile: a triangle with an origin and an edge. Directions are turns by 36 degrees.

    Directions are relative to the edge, and reversed in mirrored halves.
    """

    #: The corners of the tile but the origin, each as a sum of steps. Only the half that is not
    #: mirrored adds the tile.
    tile: tuple[tuple[_Step, ...], ...]
    #: The halves of its division: kind, steps to the origin, direction of the edge, and whether
    #: mirrored.
    parts: tuple[tuple[str, tuple[_Step, ...], int, bool], ...]


#: The divisions of triangles. All edges become shorter by PHI.
_HALVES = {
    "kite": _Half(
        (((-1, 0),), ((0, 0),), ((1, 0),)),
        (
            ("dart", (), 0, False),
            ("kite", ((-1, 0),), 3, False),
            ("kite", ((-1, 0),), 3, True),
        ),
    ),
    "dart": _Half(
        (((-2, 0),), ((-1, -1),), ((0, 0),)),
        (("kite", (), -1, True), ("dart", ((0, 0),), -4, False)),
    ),
    "thick": _Half(
        (((-1, 0),), ((0, 1),), ((1, 0),)),
        (
            ("thick", ((0, 0),), 5, True),
            ("thin", ((0, 0),), -3, False),
            ("thick", ((0, 1),), -4, False),
        ),
    ),
    "thin": _Half(
        (((-1, 0),), ((0, 0), (-1, 0)), ((0, 0),)),
        (("thick", ((0, 0),), 5, True), ("thin", ((0, 0),), -3, False)),
    ),
}
#: The kind of the first triangle, and the final length of an edge in hundredths of a cell.
_START = {"penrose_kite_dart": ("kite", 150), "penrose_rhombs": ("thin", 125)}

# Loopy's game IDs depend on rounding. So the sizes below are in its units, hundredths of a cell,
# and the constants have the same number of digits as in Loopy.
_CELL = 100
_GOLDEN = 1.6180339887
_INCIRCLE = 0.22426
_MARGIN = 3.11
#: The direction 0 of the triangle; direction 0 of edges is symmetric to the axes.
_UPRIGHT = complex(cos(-0.3 * pi), sin(-0.3 * pi))
_COS_54, _SIN_54, _COS_18, _SIN_18 = 0.5877852, 0.8090169, 0.9510565, 0.3090169


class _Size(NamedTuple):
    """The size of the first triangle."""

    start: int
    divisions: int
    #: The greatest distance of a patch from the middle of the triangle.
    radius: int


def _size(name: str, rows: int, cols: int) -> _Size:
    across = hypot(rows, cols)
    least = _START[name][1] * _MARGIN * across
    size, divisions = float(_START[name][1]), 0
    while size * _INCIRCLE < least:
        size, divisions = size * _GOLDEN, divisions + 1
    return _Size(int(size), divisions, int(least - across))


def random_point(name: str, rows: int, cols: int, rng: Random) -> str:
    """Return a random patch; all parts of the triangle are equally likely."""
    radius = _size(name, rows, cols).radius
    while True:
        x, y = (below(rng, 2 * radius + 1) - radius for _ in "xy")
        if hypot(x, y) <= radius:
            return f"G{x},{y},{36 * below(rng, 10)}"


def board_at_point(name: str, rows: int, cols: int, patch: str) -> Board:
    """Return the board of a patch like ``G1174,3877,72``: a point and an angle in degrees."""
    found = _PATCH.fullmatch(patch)
    if found is None:
        raise ValueError(f"expected a patch like 'G1174,3877,72', got {patch!r}")
    x, y, angle = map(int, found.groups())
    size = _size(name, rows, cols)
    if hypot(x, y) > size.radius:
        raise ValueError(
            f"expected a point at most {size.radius} away from the middle, got {x},{y}"
        )
    if angle % 36 or angle >= 360:
        raise ValueError(f"expected an angle out of 0, 36, ..., 324, got {angle}")
    division = _Division(size, x, y, cols * _CELL // 2, rows * _CELL // 2)
    middle = negative(grown(add(turned(ONE, 1), turned(ONE, 2)), -2))
    division.divide(
        _START[name][0], turned(middle, angle // 36), 2 + angle // 36, 0, mirrored=False
    )
    division.faces.trim()
    return division.faces.board(f"{name} {rows} {cols} G{x},{y},{angle}", division.place)


class _Division:
    """The division of the triangle, and the tiles inside a rectangle."""

    def __init__(self, size: _Size, x: int, y: int, half_width: int, half_height: int) -> None:
        self.faces: Faces[Number] = Faces()
        self._size = size
        self._middle = (x, y)
        self._half = (half_width, half_height)
        # For each number of divisions, the edges by direction; a tile uses the next longer edges.
        lengths = (grown(ONE, -level) for level in range(-1, size.divisions + 2))
        self._edges = [[turned(length, turns) for turns in range(10)] for length in lengths]

    def place(self, at: Number) -> Point:
        """Return the coordinates of a corner; edges of the tiling have length 1."""
        here = _UPRIGHT * value(at) * PHI**self._size.divisions
        return here.real, here.imag

    def divide(self, half: str, origin: Number, turns: int, level: int, *, mirrored: bool) -> None:
        """Divide one triangle, or add its tile after the last division."""
        if not self._is_near(origin, level):
            return
        side = -1 if mirrored else 1

        def end(steps: tuple[_Step, ...]) -> Number:
            at = origin
            for turn, power in steps:
                at = add(at, self._edges[1 + level - power][(turns + side * turn) % 10])
            return at

        tile, parts = _HALVES[half]
        if level < self._size.divisions:
            for kind, steps, turn, flipped in parts:
                self.divide(
                    kind,
                    end(steps),
                    turns + side * turn,
                    level + 1,
                    mirrored=mirrored != flipped,
                )
        elif not mirrored:
            corners = [origin, *map(end, tile)]
            if all(map(self._is_inside, corners)):
                self.faces.face(corners)

    def _is_near(self, origin: Number, level: int) -> bool:
        """Return whether a triangle may reach into the rectangle."""
        # No edge is longer than PHI times that of the division.
        reach = 1.7 * self._size.start * PHI**-level
        here = self._size.start * _UPRIGHT * value(origin)
        (x, y), (across, down) = self._middle, self._half
        return abs(here.real - x) <= across + reach and abs(here.imag - y) <= down + reach

    def _is_inside(self, corner: Number) -> bool:
        """Return whether a corner is in the rectangle, rounded as Loopy does."""
        a, b, c, d = (self._size.start * part for part in corner)
        (x, y), (across, down) = self._middle, self._half
        return (
            abs(_nearest((d + a) * _COS_54 + (c + b) * _COS_18) - x) <= across
            and abs(_nearest((d - a) * _SIN_54 + (c - b) * _SIN_18) - y) <= down
        )


def _nearest(number: float) -> int:
    """Return the nearest whole number; halves round away from 0."""
    return floor(number + 0.5) if number > 0 else -floor(0.5 - number)


#: The most random parts to try, as some have no face.
_ATTEMPTS = 50


def penrose_kite_dart(
    rows: int, cols: int, patch: str | None = None, *, seed: int | None = None
) -> Board:
    """Return a part of Penrose's tiling with kites and darts, about ``rows`` x ``cols`` wide.

    ``patch`` chooses the part, as in Loopy's game IDs. Without ``patch``, the part is random; the
    same ``seed`` gives the same part.

    Raises ``ValueError`` for an invalid patch, and for a part without a face.

    >>> penrose_kite_dart(7, 7, "G-4281,-1409,324")
    <Board: 37 vertices, 62 edges, 26 faces>
    >>> penrose_kite_dart(7, 7, seed=1).words
    'penrose_kite_dart 7 7 G136,3726,36'
    """
    return _penrose("penrose_kite_dart", rows, cols, patch, seed)


def penrose_rhombs(
    rows: int, cols: int, patch: str | None = None, *, seed: int | None = None
) -> Board:
    """Return a part of Penrose's tiling with rhombs, as `penrose_kite_dart` does.

    >>> penrose_rhombs(7, 7, "G-3300,1391,144")
    <Board: 28 vertices, 46 edges, 19 faces>
    """
    return _penrose("penrose_rhombs", rows, cols, patch, seed)


def _penrose(name: str, rows: int, cols: int, patch: str | None, seed: int | None) -> Board:
    rows, cols = checked_cells(rows, cols)
    if patch is not None:
        make = board_at_point if patch.startswith("G") else board_at_address
        return make(name, rows, cols, patch)
    rng = source(seed_or_fresh(seed), 0)
    # On very small boards, few parts or no part have a face.
    for _ in range(_ATTEMPTS):
        with suppress(ValueError):
            return board_at_point(name, rows, cols, random_point(name, rows, cols, rng))
    raise ValueError(f"expected a larger board: no face of {name} {rows} {cols} was found")
