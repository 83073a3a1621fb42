"""Parts of tilings: exact corners, faces that share them, and random parts.

`Patch` and `Faces` join faces to a board by exact corners. Corners of tilings that do not repeat
are sums of roots of unity, ``a + b t + c t**2 + d t**3``, with four integers and ``t`` for a turn
by 36 degrees (order 10, for Penrose tilings), or by 30 degrees (order 12, for spectres), if edges
have length 1. Order 10 includes multiples by the golden ratio, ``t + 1 / t``. `random_patch` draws
a part of a tiling whose tiles are grouped into ever larger ones.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from math import cos, pi, sin
from random import Random
from typing import Generic, TypeVar

from linkoracle.board import Board, Point
from linkoracle.core import MemoryLimit, checked_int

Number = tuple[int, int, int, int]

#: The golden ratio.
PHI = (1 + 5**0.5) / 2

ZERO: Number = (0, 0, 0, 0)
ONE: Number = (1, 0, 0, 0)

#: The fourth power of ``t`` as a number, by order.
_FOURTH: dict[int, Number] = {10: (-1, 1, -1, 1), 12: (-1, 0, 1, 0)}
#: The powers of ``t`` as complex numbers, by order.
_POWERS = {
    order: tuple(
        complex(cos(2 * power * pi / order), sin(2 * power * pi / order)) for power in (1, 2, 3)
    )
    for order in _FOURTH
}


def add(one: Number, other: Number) -> Number:
    """Return the sum."""
    return (one[0] + other[0], one[1] + other[1], one[2] + other[2], one[3] + other[3])


def negative(number: Number) -> Number:
    """Return the number turned by 180 degrees."""
    a, b, c, d = number
    return (-a, -b, -c, -d)


def turned(number: Number, turns: int, order: int = 10) -> Number:
    """Return the number turned by ``turns`` times one ``order``-th of a full turn.

    >>> turned(ONE, 1), turned(ONE, 4), turned(ONE, -2)
    ((0, 1, 0, 0), (-1, 1, -1, 1), (0, 0, 0, -1))
    >>> turned(ONE, 4, 12)
    (-1, 0, 1, 0)
    """
    a, b, c, d = number
    one, first, second, third = _FOURTH[order]
    for _ in range(turns % order):
        a, b, c, d = d * one, a + d * first, b + d * second, c + d * third
    return (a, b, c, d)


def conjugate(number: Number, order: int = 10) -> Number:
    """Return the mirror image in the real axis.

    >>> conjugate(turned(ONE, 3, 12), 12) == turned(ONE, -3, 12)
    True
    """
    found = ZERO
    for power, count in enumerate(number):
        a, b, c, d = turned(ONE, -power, order)
        found = add(found, (count * a, count * b, count * c, count * d))
    return found


def grown(number: Number, times: int) -> Number:
    """Return a number of order 10 times the golden ratio to the power ``times``.

    >>> grown(ONE, 2) == add(grown(ONE, 1), ONE), grown(grown(ONE, 3), -3)
    (True, (1, 0, 0, 0))
    """
    # PHI is twice the cosine of 36 degrees, and its inverse twice that of 72.
    step = 1 if times > 0 else 2
    for _ in range(abs(times)):
        number = add(turned(number, step), turned(number, -step))
    return number


def value(number: Number, order: int = 10) -> complex:
    """Return the complex number itself.

    >>> abs(value(grown(ONE, 2)) - PHI**2) < 1e-12
    True
    """
    a, b, c, d = number
    first, second, third = _POWERS[order]
    return a + b * first + c * second + d * third


#: The irrational unit of a tiling as an integer; whole parts stay far below half of it.
R = 1 << 40

#: Coordinates ``p + q * root`` as integers ``p + q * R``.
Corner = tuple[int, int]

#: Boards of tilings are made of Python objects, about two kilobytes for each face.
MAX_FACES = 10**6

Key = TypeVar("Key", bound=Hashable)


class Faces(Generic[Key]):
    """Faces, one by one. Two faces share a corner if and only if they have the same key for it."""

    def __init__(self) -> None:
        self._vertex_of: dict[Key, int] = {}
        self._faces: list[list[int]] = []

    def face(self, corners: Iterable[Key]) -> None:
        """Add the face with these corners."""
        vertex_of = self._vertex_of
        self._faces.append([vertex_of.setdefault(corner, len(vertex_of)) for corner in corners])

    def trim(self) -> None:
        """Keep only faces at inner vertices: vertices that faces surround.

        If edges do not connect all inner vertices, the largest connected part counts, and the
        first of equal parts. Loopy cuts the border of tilings that do not repeat in this way.
        """
        walks = [list(zip(walk, [*walk[1:], walk[0]], strict=True)) for walk in self._faces]
        steps = {step for walk in walks for step in walk}
        shore = {end for one, other in steps if (other, one) not in steps for end in (one, other)}
        near: dict[int, list[int]] = {}
        for one, other in steps:
            if one not in shore and other not in shore:
                near.setdefault(one, []).append(other)
        part_of: dict[int, int] = {}
        sizes: dict[int, int] = {}
        for vertex in range(len(self._vertex_of)):
            if vertex in shore or vertex in part_of:
                continue
            part_of[vertex] = vertex
            waiting = [vertex]
            while waiting:
                sizes[vertex] = sizes.get(vertex, 0) + 1
                fresh = [there for there in near.get(waiting.pop(), ()) if there not in part_of]
                part_of |= dict.fromkeys(fresh, vertex)
                waiting += set(fresh)
        largest = max(sizes, key=sizes.__getitem__, default=None)
        inner = {vertex for vertex, part in part_of.items() if part == largest}
        kept = [walk for walk in self._faces if not inner.isdisjoint(walk)]
        keys = list(self._vertex_of)
        self._vertex_of.clear()
        self._faces.clear()
        for walk in kept:
            self.face(keys[vertex] for vertex in walk)

    def board(self, words: str, place: Callable[[Key], Point]) -> Board:
        """Return the board with the name ``words``; ``place`` maps a corner to coordinates.

        The top left corner of its bounding box is (0, 0). Raises ``ValueError`` if no face is left.
        """
        if not self._faces:
            raise ValueError(f"the board {words!r} is too small: no face of it is left")
        places = [place(key) for key in self._vertex_of]
        left, top = (min(axis) for axis in zip(*places, strict=True))
        points = [(x - left, y - top) for x, y in places]
        return Board(
            len(points), sorted(sides(self._faces)), self._faces, points=points, words=words
        )


class Patch(Faces[Corner]):
    """Faces of a tiling that repeats; ``words`` name the board (see `linkoracle.boards`).

    Corners have coordinates ``p + q * root`` with whole numbers ``p`` and ``q`` and one irrational
    ``root`` for the whole tiling. A patch stores such a number as the integer ``p + q * R``. So
    sums are exact, and corners are equal without rounding. ``edge`` is the length of an edge,
    which becomes 1.
    """

    def __init__(self, words: str, root: float, edge: float) -> None:
        super().__init__()
        self._words = words
        self._root = root
        self._edge = edge

    def polygon(self, x: int, y: int, offsets: Iterable[Corner]) -> None:
        """Add the face whose corners are ``(x, y)`` plus each of the offsets."""
        self.face((x + dx, y + dy) for dx, dy in offsets)

    def finished(self) -> Board:
        """Return the board."""
        return self.board(self._words, lambda at: (self._length(at[0]), self._length(at[1])))

    def _length(self, coordinate: int) -> float:
        whole = (coordinate + R // 2) % R - R // 2
        return (whole + (coordinate - whole) // R * self._root) / self._edge


def sides(faces: Iterable[list[int]]) -> set[tuple[int, int]]:
    """Return the sides of all faces, each once, with the smaller vertex first."""
    return {
        (one, other) if one < other else (other, one)
        for walk in faces
        for one, other in zip(walk, [*walk[1:], walk[0]], strict=True)
    }


def checked_cells(rows: object, cols: object, tiles: int = 1) -> tuple[int, int]:
    """Return the two sides of a board, checked; ``tiles`` is the number of faces per cell.

    Raises ``ValueError`` for sides that are not whole numbers from 1, and `MemoryLimit` for more
    faces than `MAX_FACES`.
    """
    height, width = checked_int(rows, "rows", 1), checked_int(cols, "cols", 1)
    if height * width * tiles > MAX_FACES:
        raise MemoryLimit(
            f"expected a board of at most {MAX_FACES} faces, got one of {height} x {width} cells"
            + (f", {tiles} faces each" if tiles > 1 else "")
        )
    return height, width


def cells(rows: int, cols: int) -> Iterator[tuple[int, int]]:
    """Yield each cell as ``(column, row)``, row by row."""
    for row in range(rows):
        for col in range(cols):
            yield col, row


class PatchTooShort(ValueError):
    """The largest tile that a patch names does not cover the board."""

    def __init__(self) -> None:
        super().__init__("the patch is too short for a board of this size")


def _shares(kinds: Mapping[str, Sequence[str]]) -> dict[str, float]:
    """Return the limit frequencies of the kinds of tiles, given the parts of each kind.

    >>> {kind: round(share, 3) for kind, share in _shares({"a": "ab", "b": "a"}).items()}
    {'a': 0.618, 'b': 0.382}
    """
    shares = dict.fromkeys(kinds, 1.0)
    for _ in range(100):
        counts = dict.fromkeys(kinds, 0.0)
        for kind, share in shares.items():
            for part in kinds[kind]:
                counts[part] += share
        total = sum(counts.values())
        shares = {kind: count / total for kind, count in counts.items()}
    return shares


def random_patch(
    rng: Random,
    kinds: Mapping[str, Sequence[str]],
    starts: Sequence[tuple[int, str]],
    made: Callable[[int, Sequence[tuple[str, int]], str], Board],
) -> Board:
    """Return a board around a random tile, in tiles as large as the board needs.

    ``kinds`` has the parts of each kind. ``starts`` are the smallest tiles: a number, and the kind
    of the tile around it. ``made`` makes the board from that number, the kinds and places of the
    tiles around it, smallest first, and the kind of the largest tile. ``made`` raises
    `PatchTooShort` if the largest tile does not cover the board. All parts of the tiling are
    equally likely.
    """
    shares = _shares(kinds)

    def drawn(choices: Sequence[tuple[int, str]]) -> tuple[int, str]:
        mark = rng.random() * sum(shares[kind] for _, kind in choices)
        for choice in choices:
            mark -= shares[choice[1]]
            if mark < 0:
                return choice
        return choices[-1]

    start, kind = drawn(starts)
    places: list[tuple[str, int]] = []
    while True:
        try:
            return made(start, places, kind)
        except PatchTooShort:
            place, kind = drawn(
                [
                    (place, parent)
                    for parent, parts in kinds.items()
                    for place, part in enumerate(parts)
                    if part == kind
                ]
            )
            places.append((kind, place))
