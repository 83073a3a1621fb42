"""The tiling by hats: one tile and its mirror image cover the plane, but never repeat.

Four kinds of metatiles, H, T, P and F, are divided into smaller metatiles again and again, and the
smallest into hats. Neighbours share some of their parts. A division changes the shapes a little, so
the corners that a metatile shares with its neighbours determine the positions of its parts.

Corners are ``x + y * r`` with whole numbers and ``r`` for a turn by 60 degrees; 6 is the side of
the triangles that consist of three kites, eight of which are a hat. Source of the rules: David
Smith, Joseph Samuel Myers, Craig S. Kaplan and Chaim Goodman-Strauss, *An aperiodic monotile*
(https://arxiv.org/abs/2303.10798). Coordinates, numbers of parts and the order of tiles:
``auxiliary/hatgen.c`` and ``hat.c`` of Simon Tatham's Portable Puzzle Collection,
https://www.chiark.greenend.org.uk/~sgtatham/puzzles/
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Sequence
from functools import cache
from math import hypot, sqrt
from typing import NamedTuple

from linkoracle.board import Board
from linkoracle.boards.patch import Corner, Faces, PatchTooShort, checked_cells, random_patch
from linkoracle.core import below, seed_or_fresh, source

#: The corners of each metatile, before and after its division.
_CORNERS = {
    "H": ((0, 0), (4, -2), (12, 6), (10, 10), (-6, 18), (-8, 16)),
    "T": ((0, 0), (6, 6), (-6, 12)),
    "P": ((0, 0), (4, 4), (-4, 20), (-8, 16)),
    "F": ((0, 0), (4, -2), (6, 0), (-2, 16), (-6, 12)),
}
_DIVIDED = {
    "H": ((0, 0), (12, -6), (30, 12), (24, 24), (-12, 42), (-18, 36)),
    "T": ((0, 0), (12, 12), (-12, 24)),
    "P": ((0, 0), (14, 8), (-4, 44), (-18, 36)),
    "F": ((0, 0), (14, -4), (18, 6), (0, 42), (-14, 34)),
}


class _Part(NamedTuple):
    """A metatile, or a hat: its kind, its origin, and its turn in units of 60 degrees."""

    letter: str
    x: int
    y: int
    turns: int

    @property
    def origin(self) -> Corner:
        return self.x, self.y

    def of(self, corner: Corner) -> Corner:
        """Return the position of a corner of this tile."""
        x, y = _turned(corner, self.turns)
        return self.x + x, self.y + y

    def part(self, inner: _Part) -> _Part:
        """Return a part of this tile at its position."""
        return _Part(inner.letter, *self.of(inner.origin), (self.turns + inner.turns) % 6)


def _turned(corner: Corner, turns: int) -> Corner:
    x, y = corner
    for _ in range(turns % 6):
        x, y = -y, x + y
    return x, y


def _parts(text: str) -> tuple[_Part, ...]:
    words = (word.split(",") for word in text.split())
    return tuple(_Part(word[0], *map(int, word[1:])) for word in words)


#: The parts of each metatile: kind, origin, turns. Parts with a star are beside its border, and
#: belong to its neighbours.
_METATILES = {
    "H": _parts(
        "H,-4,20,0 H,2,2,0 H,8,26,4 T,6,24,3 P,-8,16,0 P,4,34,4 P,6,0,5"
        " F,-10,38,2 F,-10,44,4 F,-4,2,0 F,2,2,4 F,26,14,0 F,32,8,2"
    ),
    "T": _parts("H,10,10,2 P,-6,0,0 P,8,14,1 P,18,6,2 F,-14,34,3 F,-8,-2,5 F,22,4,1"),
    "P": _parts(
        "H,4,22,1 H,10,10,2 P,-6,0,0 P,6,24,0 P,8,14,1"
        " F,-20,40,5 F,-14,34,3 F,-8,-2,5 F,4,46,2 F,10,10,0 F,16,4,2"
    ),
    "F": _parts(
        "H,8,20,1 H,14,8,2 P,10,22,0 P,12,12,1"
        " F,-16,38,5 F,-10,32,3 F,-4,2,0 F,2,2,4 F,8,44,2 F,14,8,0 F,20,2,2"
    ),
}
#: The parts that belong to one metatile alone, so that each part counts once.
_OWN = {
    "H": (0, 1, 2, 3, 4, 5, 6, 8, 9, 12),
    "T": (0,),
    "P": (0, 1, 4, 5, 10),
    "F": (0, 1, 3, 6, 8, 10),
}
#: The hats of each metatile; an M is a mirrored hat.
_HATS = {
    "H": _parts("N,6,0,0 N,6,6,4 N,0,12,0 M,0,6,3"),
    "T": _parts("N,-2,10,2"),
    "P": _parts("N,-2,10,2 N,-2,16,1"),
    "F": _parts("N,0,6,2 N,0,12,1"),
}
#: The corners of a hat, and the middle and the blunt corner of each of its kites.
_HAT = (
    *((-6, 6), (-9, 6), (-8, 4), (-6, 3), (-6, 0), (-3, -3), (-2, -2)),
    *((0, -3), (0, 0), (3, 0), (2, 2), (0, 3), (-2, 4), (-3, 3)),
)
_KITES = (
    *(((-6, 6), (-8, 4)), ((-6, 6), (-4, 2)), ((-6, 0), (-4, 2)), ((-6, 0), (-2, -2))),
    *(((0, 0), (-2, -2)), ((0, 0), (-4, 2)), ((0, 0), (-2, 4)), ((0, 0), (2, 2))),
)
#: The greatest distance of a corner of a hat from its origin, in units of `_Region._is_inside`.
_HAT_REACH = 24
#: The blunt corner of the first kite of a board, whose middle is (0, 0).
_BLUNT = (2, 2)

_PATCH = re.compile(r"([0-7]),([0-3]),((?:[0-9]{1,2},){1,40})([HTPF])", re.ASCII)
#: Metatiles up to this far beyond the board are kept. Distances shrink by a factor for each level
#: of metatiles, here less than the square of the golden ratio, to be safe.
_REACH, _SHRINK = 60.0, 2.3


def hats(rows: int, cols: int, patch: str | None = None, *, seed: int | None = None) -> Board:
    """Return a part of the tiling by hats, about ``rows`` x ``cols`` wide.

    A hat has 14 sides, two of which lie on one line. ``patch`` chooses the part, as in Loopy's game
    IDs: a kite of a hat, the hat, its place in ever larger metatiles, and the kind of the largest.
    Without ``patch``, the part is random; the same ``seed`` gives the same part.

    Raises ``ValueError`` for an invalid patch, and for a part without a face.

    >>> hats(6, 6, "6,0,0,0,3,F")
    <Board: 143 vertices, 160 edges, 18 faces>
    """
    rows, cols = checked_cells(rows, cols)
    if patch is not None:
        return _board(rows, cols, patch)
    rng = source(seed_or_fresh(seed), 0)
    kinds = {
        letter: [parts[number].letter for number in _OWN[letter]]
        for letter, parts in _METATILES.items()
    }
    starts = [(number, letter) for letter in _HATS for number in range(len(_HATS[letter]))]

    def made(start: int, places: Sequence[tuple[str, int]], letter: str) -> Board:
        if not places:
            raise PatchTooShort
        numbers = [kite, start, *(_OWN[parent][place] for parent, place in places)]
        return _board(rows, cols, f"{','.join(map(str, numbers))},{letter}")

    kite = below(rng, 8)
    return random_patch(rng, kinds, starts, made)


def _board(rows: int, cols: int, patch: str) -> Board:
    found = _PATCH.fullmatch(patch)
    if found is None:
        raise ValueError(f"expected a patch like '6,0,0,0,3,F', got {patch!r}")
    kite, hat = int(found[1]), int(found[2])
    places = [int(place) for place in found[3].split(",")[:-1]]
    far = hypot(6 * cols, 6 * rows)
    # The metatiles around that of the first hat, from the largest size down.
    here = _Part(found[4], 0, 0, 0)
    near = [here]
    for level in range(len(places), 0, -1):
        place = places[level - 1]
        if place >= len(_METATILES[here.letter]):
            raise ValueError(f"expected a part of {here.letter}, got {place} in {patch!r}")
        near, here = _divided(near, here, place)
        reach = far / _SHRINK ** (level - 1) + _REACH
        near = [one for one in near if _distance(one.origin, here.origin) <= reach]
    if hat >= len(_HATS[here.letter]):
        raise ValueError(f"expected a hat of {here.letter}, got {hat} in {patch!r}")
    words = ",".join([*map(str, (kite, hat, *places)), found[4]])
    return _Region(rows, cols, near, here.part(_HATS[here.letter][hat]), kite).board(
        f"hats {rows} {cols} {words}"
    )


def _distance(one: Corner, other: Corner) -> float:
    x, y = one[0] - other[0], one[1] - other[1]
    return sqrt(x * x + x * y + y * y)


def _divided(metatiles: list[_Part], here: _Part, place: int) -> tuple[list[_Part], _Part]:
    """Return the parts of all metatiles, and among them the part ``place`` of ``here``."""
    around: dict[Corner, list[_Part]] = {}
    for one in metatiles:
        for corner in _CORNERS[one.letter]:
            around.setdefault(one.of(corner), []).append(one)
    goes_to = {here.origin: (0, 0)}
    waiting = deque(around[here.origin])
    placed = set(waiting)
    found: dict[_Part, None] = {}
    chosen = here
    while waiting:
        one = waiting.popleft()
        before = [one.of(corner) for corner in _CORNERS[one.letter]]
        plain = _Part(one.letter, 0, 0, one.turns)
        after = [plain.of(corner) for corner in _DIVIDED[one.letter]]
        number = next(number for number, corner in enumerate(before) if corner in goes_to)
        x, y = (
            there - own for there, own in zip(goes_to[before[number]], after[number], strict=True)
        )
        whole = plain._replace(x=x, y=y)
        for corner, (own_x, own_y) in zip(before, after, strict=True):
            if goes_to.setdefault(corner, (own_x + x, own_y + y)) != (own_x + x, own_y + y):
                raise AssertionError(f"metatiles do not fit at {corner}")
            fresh = [other for other in around[corner] if other not in placed]
            placed.update(fresh)
            waiting += fresh
        parts = [whole.part(part) for part in _METATILES[one.letter]]
        found |= dict.fromkeys(parts)
        if one == here:
            chosen = parts[place]
    return list(found), chosen


class _Hat(NamedTuple):
    """A hat at its position."""

    corners: list[Corner]
    #: The middle and the blunt corner of each kite.
    kites: list[tuple[Corner, Corner]]


@cache
def _outline(letter: str, turns: int) -> _Hat:
    """Return a hat at the origin, turned by a multiple of 60 degrees."""
    mirrored = letter == "M"

    def seen(corner: Corner) -> Corner:
        x, y = corner
        return _turned((x + y, -y) if mirrored else corner, turns)

    # Reverse mirror images, whose corners run the other way round.
    corners = [seen(corner) for corner in _HAT[:: -1 if mirrored else 1]]
    return _Hat(corners, [(seen(middle), seen(blunt)) for middle, blunt in _KITES])


def _hat(part: _Part) -> _Hat:
    """Return a hat at its position."""
    outline, x, y = _outline(part.letter, part.turns), part.x, part.y
    return _Hat(
        [(dx + x, dy + y) for dx, dy in outline.corners],
        [((dx + x, dy + y), (bx + x, by + y)) for (dx, dy), (bx, by) in outline.kites],
    )


class _Region:
    """The hats around a rectangle, moved so that a given kite lies in its corner."""

    def __init__(self, rows: int, cols: int, metatiles: list[_Part], hat: _Part, kite: int) -> None:
        self._rows, self._cols = rows, cols
        middle, blunt = _hat(hat).kites[kite]
        out = blunt[0] - middle[0], blunt[1] - middle[1]
        turns = next(turns for turns in range(6) if _turned(out, turns) == _BLUNT)
        x, y = _turned(middle, turns)
        motion = _Part("", -x, -y, turns)
        moved = (motion.part(one.part(inner)) for one in metatiles for inner in _HATS[one.letter])
        self._hats = [_hat(one) for one in moved if self._is_inside(one.origin, _HAT_REACH)]

    def board(self, words: str) -> Board:
        """Return the board, its faces in Loopy's order: that of the first kite of each hat."""
        self._check()
        inside = [hat for hat in self._hats if all(map(self._is_inside, hat.corners))]
        faces: Faces[Corner] = Faces()
        for hat in sorted(inside, key=lambda hat: self._rank(*hat.kites[0])):
            faces.face(hat.corners)
        faces.trim()
        return faces.board(words, _place)

    def _is_inside(self, corner: Corner, margin: int = 0) -> bool:
        x, y = corner
        return (
            -margin <= 2 * x + y <= 12 * self._cols + margin
            and -margin <= y <= 6 * self._rows + margin
        )

    def _check(self) -> None:
        """Raise `PatchTooShort` unless hats cover the rectangle."""
        covered = {kite for hat in self._hats for kite in hat.kites}
        for y in range(0, 6 * self._rows + 1, 6):
            for x in range(-3 * (y // 6) // 6 * 6, 6 * self._cols + 1, 6):
                for turns in range(6):
                    kite = _Part("", x, y, turns)
                    middle, blunt, *beside = map(kite.of, ((0, 0), _BLUNT, (3, 0), (0, 3)))
                    inside = all(map(self._is_inside, (middle, blunt, *beside)))
                    if inside and (middle, blunt) not in covered:
                        raise PatchTooShort

    def _rank(self, middle: Corner, blunt: Corner) -> tuple[int, int, int]:
        """Return the rank of a kite in Loopy's order, which follows lines to the right and back.

        To the right, the order has the kites above a line, and back those below the next line.
        """
        x, y = middle
        out = blunt[0] - x, blunt[1] - y
        sector = next(turns for turns in range(6) if _turned(_BLUNT, turns) == out)
        strip = y // 3 - (sector > 2)
        across = 2 * x + y
        if sector <= 2:
            return strip, across, -sector
        # At the end of every second line, the last kite follows the kite before it.
        last = strip % 4 == 1 and across == 12 * self._cols - 6
        return strip, -across, {5: 0, 4: -1 if last else 1, 3: 2}[sector]


def _place(corner: Corner) -> tuple[float, float]:
    """Return the coordinates of a corner; the shorter sides have length 1."""
    x, y = corner
    return (x + y / 2) / 3**0.5, y / 2
