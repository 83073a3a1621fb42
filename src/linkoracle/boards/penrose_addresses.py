"""Penrose tilings by the address of half a tile: its place in ever larger triangles.

A half tile is a triangle. Its corners and edges are numbered counter-clockwise. Edge 0 is the base,
and edge *i* begins at corner *i*. The letters are those of
https://www.chiark.greenend.org.uk/~sgtatham/quasiblog/aperiodic-tilings/: A and B are half kites
and U and V half darts; C and D are half thin rhombs, and X and Y half thick rhombs. The second
letter of each pair is the mirror image of the first.
"""

from __future__ import annotations

import re
from collections import deque
from itertools import pairwise
from math import pi, sin
from typing import NamedTuple

from linkoracle.board import Board
from linkoracle.boards.patch import ONE, PHI, Faces, Number, add, grown, negative, turned, value

_PATCHES = {
    "penrose_kite_dart": re.compile(r"([0-9])([0-2])([ABUV]{1,60})", re.ASCII),
    "penrose_rhombs": re.compile(r"([0-9])([0-2])([CDXY]{1,60})", re.ASCII),
}
#: The size of Loopy's units in hundredths of a cell, across and down; they are wider than high.
_UNITS = {"penrose_kite_dart": (44, 37), "penrose_rhombs": (35, 30)}
#: The length of these units in edges, across and down.
_ACROSS, _DOWN = sin(pi / 5) / 2, 1 / 4


class _Shape(NamedTuple):
    """A triangle: the lengths of its edges as powers of PHI, and the turn after each edge."""

    powers: tuple[int, int, int]
    turns: tuple[int, int, int]


_HALF_KITE = _THIN = _Shape((-1, 0, 0), (3, 4, 3))
_HALF_DART = _Shape((0, -1, -1), (4, 2, 4))
_THICK = _Shape((1, 0, 0), (4, 2, 4))


class _Part(NamedTuple):
    """The position of a smaller triangle: its edge lies on an edge of the larger one, at an end."""

    letter: str
    edge: int
    on: int
    from_end: bool = False


class _Letter(NamedTuple):
    """A kind of half tile."""

    shape: _Shape
    #: The edge shared with the other half of the tile.
    seam: int
    #: The triangles of its division, whose edges are shorter by PHI.
    parts: tuple[_Part, ...]


_LETTERS = {
    "A": _Letter(_HALF_KITE, 2, (_Part("A", 1, 0), _Part("B", 2, 1), _Part("U", 0, 2))),
    "B": _Letter(_HALF_KITE, 1, (_Part("B", 2, 0), _Part("A", 1, 2, True), _Part("V", 1, 2))),
    "U": _Letter(_HALF_DART, 2, (_Part("B", 1, 2), _Part("U", 0, 1))),
    "V": _Letter(_HALF_DART, 1, (_Part("A", 2, 1), _Part("V", 0, 2))),
    "C": _Letter(_THIN, 0, (_Part("C", 2, 0), _Part("Y", 0, 2))),
    "D": _Letter(_THIN, 0, (_Part("D", 1, 0), _Part("X", 0, 1))),
    "X": _Letter(_THICK, 0, (_Part("C", 0, 2), _Part("X", 0, 1), _Part("Y", 0, 0))),
    "Y": _Letter(_THICK, 0, (_Part("D", 0, 1, True), _Part("X", 0, 0, True), _Part("Y", 0, 2))),
}

#: Three corners.
_Corners = tuple[Number, Number, Number]


def _laid(shape: _Shape, edge: int, start: Number, along: Number) -> _Corners:
    """Return the corners of a triangle from one of its edges."""
    corners = {}
    for step in range(3):
        here = (edge + step) % 3
        corners[here] = start
        start = add(start, along)
        after = (here + 1) % 3
        along = grown(turned(along, shape.turns[here]), shape.powers[after] - shape.powers[here])
    return corners[0], corners[1], corners[2]


def _piece(corners: _Corners, edge: int, longer: int, from_end: bool) -> tuple[Number, Number]:
    """Return an edge, longer by a power of PHI, with the same start or the same end."""
    start, end = corners[edge], corners[(edge + 1) % 3]
    along = grown(add(end, negative(start)), longer)
    return add(end, negative(along)) if from_end else start, along


def _whole(part: _Part, corners: _Corners, letter: str) -> _Corners:
    """Return the larger triangle around one of its parts."""
    shape = _LETTERS[letter].shape
    longer = 1 + shape.powers[part.on] - _LETTERS[part.letter].shape.powers[part.edge]
    return _laid(shape, part.on, *_piece(corners, part.edge, longer, part.from_end))


def _divided(letter: str, corners: _Corners) -> list[tuple[str, _Corners]]:
    """Return the parts of a triangle with their positions."""
    found = []
    shape = _LETTERS[letter].shape
    for part in _LETTERS[letter].parts:
        own = _LETTERS[part.letter].shape
        longer = own.powers[part.edge] - shape.powers[part.on] - 1
        piece = _piece(corners, part.on, longer, part.from_end)
        found.append((part.letter, _laid(own, part.edge, *piece)))
    return found


def board_at_address(name: str, rows: int, cols: int, patch: str) -> Board:
    """Return the board of a patch like ``31ABUV``: orientation, corner, and address."""
    found = _PATCHES[name].fullmatch(patch)
    if found is None:
        raise ValueError(f"expected a patch like 'G1174,3877,72' or '31ABUV...', got {patch!r}")
    orientation, corner, address = int(found[1]), int(found[2]), found[3]
    shape = _LETTERS[address[0]].shape
    along = turned(grown(ONE, shape.powers[0]), orientation)
    corners = _laid(shape, 0, (0, 0, 0, 0), along)
    shift = negative(corners[corner])
    first = (add(corners[0], shift), add(corners[1], shift), add(corners[2], shift))
    corners = first
    for letter, parent in pairwise(address):
        parts = [part for part in _LETTERS[parent].parts if part.letter == letter]
        if not parts:
            raise ValueError(f"no {parent} has a part {letter}, as the patch {patch!r} says")
        corners = _whole(parts[0], corners, parent)
    across, down = _UNITS[name]
    region = _Region(100 * cols // across, 100 * rows // down)
    region.divide(address[-1], corners, len(address) - 1)
    faces = region.tiles(first)
    faces.trim()
    return faces.board(f"{name} {rows} {cols} {patch}", _place)


def _place(corner: Number) -> tuple[float, float]:
    """Return the coordinates of a corner; Loopy swaps the axes."""
    at = value(corner)
    return at.imag, at.real


class _Region:
    """The half tiles in and around a rectangle, whose sides are in Loopy's units."""

    def __init__(self, width: int, height: int) -> None:
        self._width, self._height = width, height
        #: The half tile to the left of each directed edge, and the number of that edge.
        self._beside: dict[tuple[Number, Number], tuple[str, _Corners]] = {}

    def divide(self, letter: str, corners: _Corners, level: int) -> None:
        """Divide a triangle down to half tiles, except for parts far from the rectangle."""
        # No edge is longer than PHI. Half tiles beside those inside are needed, too.
        far = PHI ** (level + 1) + 2 * PHI
        x, y = _place(corners[0])
        if abs(x) > self._width * _ACROSS / 2 + far or abs(y) > self._height * _DOWN / 2 + far:
            return
        if level == 0:
            for edge in range(3):
                ends = corners[edge], corners[(edge + 1) % 3]
                self._beside[ends] = (letter, corners)
        else:
            for part, where in _divided(letter, corners):
                self.divide(part, where, level - 1)

    def _is_inside(self, corners: _Corners) -> bool:
        """Return whether a triangle lies in the rectangle; exact, as the bounds are integers."""
        root = 5**0.5
        right, top = self._width // 2, self._height // 2
        for a, b, c, d in corners:
            up = 4 * a + b - c + d + (b + c - d) * root
            across = 2 * b + c + d + (c + d) * root
            if not -top <= up <= self._height - top:
                return False
            if not right - self._width <= across <= right:
                return False
        return True

    def tiles(self, first: _Corners) -> Faces[Number]:
        """Return the tiles in Loopy's order: breadth-first from the first half tile."""
        faces: Faces[Number] = Faces()
        start = self._beside[first[0], first[1]]
        waiting = deque([start] if self._is_inside(first) else [])
        placed = {first}
        done: set[_Corners] = set()
        while waiting:
            letter, corners = waiting.popleft()
            seam = _LETTERS[letter].seam
            for edge in range(3):
                ends = corners[(edge + 1) % 3], corners[edge]
                if ends not in self._beside:
                    raise ValueError("the patch is too short for a board of this size")
                other, where = self._beside[ends]
                if not self._is_inside(where):
                    continue
                if where not in placed:
                    placed.add(where)
                    waiting.append((other, where))
                elif edge == seam and not done & {corners, where}:
                    done |= {corners, where}
                    other_seam = _LETTERS[other].seam
                    faces.face(
                        [
                            *(corners[(seam + step) % 3] for step in (1, 2)),
                            *(where[(other_seam + step) % 3] for step in (1, 2)),
                        ]
                    )
        return faces
