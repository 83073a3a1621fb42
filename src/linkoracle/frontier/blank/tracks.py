"""Blank boards along whose rows a pass goes: triangles, and others for paths between two vertices.

The rows are *tracks*: a pass goes along all of them at once, from left to right. Where it crosses
those of triangles, every second row has a vertex with one edge decided, the others have one with
three. So a word has three and four symbols in turn, not four at each place, as in a pass from row
to row. `linkoracle.frontier.blank.tracks_kernel` has the words and their numbers.

**Terminals.** From its terminal on, the end of a path is a *label* in the word. Between both ends
of another path it can be only if that goes around the terminal. It cannot if the terminal lies on
the border, and no path had ends at both its sides: on an outer row, or first on its row.

**Upper bounds.** A loop is the border of the set of faces inside, and two paths differ by the
border of a set of faces. Around a vertex the faces inside are neighbours, as it has two edges of
the loop at most. Two rows of triangles make a strip. A bound is the product, over the strips, of
the numbers of sets that are valid at the vertices in the middle. For paths, count those valid at
vertices that are not on the border: in a strip without terminals there, a given path is the border
of a set of faces but for the border of the strip, so that as many sets are valid for it as for no
path.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache, cached_property, lru_cache
from itertools import pairwise, product
from math import prod
from typing import NamedTuple, TypeAlias

from linkoracle.frontier.blank.board import NUMBER_BYTES, BlankBoard, Place, Shape
from linkoracle.frontier.blank.tracks_kernel import HALF_PLACES, HAS_ENDS, IS_FREE, IS_FULL

#: A bound for the bytes of a step's tables: for each half word, and for any.
_HALF_BYTES, _STEP_BYTES = 120, 20_000
#: The bytes of tables kept for later steps and passes.
KEPT_BYTES = 1 << 27
#: About the fewest rows for which ranks are faster than a hash table.
_LEAST_ROWS = 11


class TrackStep(NamedTuple):
    """A step between two neighbouring places, with the types of all places around it."""

    #: The first place; the neighbour of the last one is the first.
    place: int
    #: Whether an edge joins the two vertices; if not, one of them only has few edges.
    chosen: bool
    before: bytes
    after: bytes
    #: The number of vertices that the pass has not reached.
    to_come: int
    #: The number of terminals met before, and whether the vertex of the place is one more.
    labels: int
    meets: bool


@dataclass(frozen=True)
class TrackBoard:
    """A blank board of rows: for each, the coordinate of its first vertex, and their number.

    Vertices of a row are two apart on triangles, and one to the side of their neighbours in other
    rows. On other boards vertices are one apart, and have neighbours in other rows at the same
    coordinate. ``ends`` are the terminals, in the order of the pass, by row and coordinate.

    >>> triangle = TrackBoard(((2, 1), (1, 2), (0, 3)))
    >>> triangle.vertices, triangle.height, triangle.words
    (6, 7, 6)
    """

    rows: tuple[tuple[int, int], ...]
    cover: bool = False
    ends: tuple[Place, ...] = ()
    shape: Shape = Shape.TRIANGLES

    @property
    def form(self) -> str:
        """The board but for its rules, as text."""
        return f"{self.shape} {self.rows}"

    @property
    def cells(self) -> str:
        """The size in words."""
        rows = f"{len(self.rows)} rows of vertices"
        if self.shape is Shape.TRIANGLES:
            return f"a triangular board of {rows}"
        return f"{self.shape}: a board of {rows}"

    @property
    def vertices(self) -> int:
        return sum(number for _, number in self.rows)

    @property
    def width(self) -> int:
        """The places of a word."""
        return len(self.rows)

    @property
    def height(self) -> int:
        """The number of steps."""
        return len(self.steps)

    @property
    def shortest(self) -> int:
        """The fewest vertices of a solution."""
        if not self.ends:
            return {Shape.TRIANGLES: 3, Shape.HONEYCOMB: 6}.get(self.shape, min(4, self.width))
        reached, near, steps = {self.ends[0]}, [self.ends[0]], 1
        while self.ends[1] not in reached:
            near = [place for one in near for place in self.near(*one) if place not in reached]
            reached.update(near)
            steps += 1
        return steps

    @property
    def period(self) -> int:
        """The greatest common divisor of all differences of lengths."""
        odd = self.shape is Shape.CYLINDER and self.width % 2
        return 1 if odd or self.shape is Shape.TRIANGLES else 2

    @property
    def pays(self) -> bool:
        """Whether passes with ranks are faster than one with a hash table."""
        return self._pays(more=0)

    @property
    def pays_by_length(self) -> bool:
        """Whether passes for each length are faster than a diagram."""
        return self._pays(more=1)

    def _pays(self, more: int) -> bool:
        # A pass with a hash table may go from row to row, on triangles with four symbols.
        across = max(number for _, number in self.rows)
        least, most = {
            Shape.TRIANGLES: (_LEAST_ROWS + bool(self.ends), 1.1 * across + 2),
            Shape.HONEYCOMB: (_LEAST_ROWS + 1, across // 2 + 2),
        }.get(self.shape, (_LEAST_ROWS - 1, 1.5 * across))
        return least + more <= len(self.rows) <= most

    @cached_property
    def outside(self) -> bool:
        """Whether no path goes around a terminal."""
        return self.shape is not Shape.CYLINDER and all(
            row in (0, self.width - 1) or across == self.rows[row][0] for row, across in self.ends
        )

    @property
    def _along(self) -> int:
        """The distance of neighbours on a row."""
        return 2 if self.shape is Shape.TRIANGLES else 1

    @property
    def places(self) -> Iterator[Place]:
        """The row and the coordinate of each vertex, in the order of the pass."""
        every = (
            (first + self._along * at, row)
            for row, (first, number) in enumerate(self.rows)
            for at in range(number)
        )
        for across, row in sorted(every):
            yield row, across

    def near(self, row: int, across: int) -> list[Place]:
        """Return the neighbours of a vertex: on its row, before and after, then on other rows."""
        sides = [(row, across - self._along), (row, across + self._along)]
        for other in (row - 1, row + 1):
            if self.shape is Shape.TRIANGLES:
                sides += [(other, across - 1), (other, across + 1)]
            elif self.shape is Shape.CYLINDER:
                sides.append((other % self.width, across))
            elif self.shape is Shape.SQUARES or (min(row, other) + across) % 2 == 0:
                sides.append((other, across))
        return [place for place in sides if self._has(*place)]

    def _has(self, row: int, across: int) -> bool:
        if not 0 <= row < len(self.rows):
            return False
        first, number = self.rows[row]
        return 0 <= across - first < self._along * number and (across - first) % self._along == 0

    @cached_property
    def steps(self) -> list[TrackStep]:
        """The steps of a pass."""
        return list(_steps(self))

    @cached_property
    def words(self) -> int:
        """The most words of a step."""
        return max(max(self._words(step)) for step in self.steps)

    def _words(self, step: TrackStep) -> tuple[int, int]:
        """Return the number of words before and after a step."""
        return (
            _count(step.before, step.labels, self.outside),
            _count(step.after, step.labels + step.meets, self.outside),
        )

    @property
    def bytes(self) -> int:
        """The most bytes of numbers at a time, for one prime."""
        return NUMBER_BYTES * max(sum(self._words(step)) for step in self.steps)

    @property
    def memory(self) -> int:
        """An upper bound of the bytes of a pass."""
        labels = len(self.ends)
        tables = [
            _HALF_BYTES
            * sum(_halves(half, labels, self.outside) for half in _parts(step, self.cut))
            + _STEP_BYTES * (1 + labels)
            for step in self.steps
        ]
        return self.bytes + 4 * max(tables) + min(KEPT_BYTES, sum(tables))

    @property
    def cut(self) -> int:
        """The places of a left half."""
        return len(self.rows) // 2

    @property
    def work(self) -> int:
        """The total number of words in all steps of a pass."""
        return sum(self._words(step)[0] for step in self.steps)

    @property
    def most_solutions(self) -> int:
        """An upper bound for the number of solutions.

        >>> TrackBoard(((2, 1), (1, 2), (0, 3))).most_solutions        # 11 loops
        13
        """
        if self.shape is Shape.TRIANGLES:
            return min(_strips(self, first) for first in (0, 1))
        # The faces, and on a cylinder the one beyond an end.
        edges = sum(len(self.near(*place)) for place in self.places) // 2
        return 1 << edges - self.vertices + 1

    def most_of_length(self, length: int) -> int:
        """Return an upper bound for the number of solutions of a length."""
        degree = {Shape.TRIANGLES: 6, Shape.HONEYCOMB: 3}.get(self.shape, 4)
        # Each step of a walk but the first may not go back.
        walks: int = degree * (degree - 1) ** (length - 1 - (not self.ends))
        return walks if self.ends else self.vertices * walks // (2 * length)

    def mirrored(self, *, rows: bool) -> TrackBoard:
        """Return the same board with the ``rows`` in the other order, or each row."""
        last = max(first + self._along * (number - 1) for first, number in self.rows)

        def there(place: Place) -> Place:
            row, across = place
            return (self.width - 1 - row, across) if rows else (row, last - across)

        lines = [there((row, first)) for row, (first, _) in enumerate(self.rows)]
        if not rows:
            lines = [
                there((row, first + self._along * (number - 1)))
                for row, (first, number) in enumerate(self.rows)
            ]
        numbers = {row: number for (row, _), (_, number) in zip(lines, self.rows, strict=True)}
        # The links of a honeycomb are at even sums of the row and the coordinate.
        shift = (self.width if rows else last) % 2 * (self.shape is Shape.HONEYCOMB)
        return replace(
            self,
            rows=tuple((across + shift, numbers[row]) for row, across in sorted(lines)),
            ends=tuple(sorted(((row, at + shift) for row, at in map(there, self.ends)), key=_turn)),
        )


def _parts(step: TrackStep, cut: int) -> tuple[bytes, bytes]:
    """Return the types of both halves after a step, each from the side to the middle."""
    return step.after[:cut], step.after[cut:][::-1]


def _turn(place: Place) -> Place:
    """Return the turn of a place in a pass."""
    return place[::-1]


def _steps(board: TrackBoard) -> Iterator[TrackStep]:
    """Yield the steps of a pass."""
    types = bytearray([IS_FULL]) * len(board.rows)
    decided, open_edges = [0] * len(types), [0] * len(types)
    current: dict[int, int] = {}
    to_come, labels = board.vertices, 0

    def type_of(row: int) -> int:
        if (row, current[row]) in board.ends:
            return IS_FULL | HAS_ENDS * (open_edges[row] > 0)
        # With one edge to come, a vertex without any is as good as full.
        few = open_edges[row] < 2
        full = IS_FULL if few or decided[row] > 1 else 0
        return (0 if few else IS_FREE) | full | HAS_ENDS * (decided[row] > 0 < open_edges[row])

    for row, across in board.places:
        near = board.near(row, across)
        # The symbol of the vertex before it on the row is that of this vertex.
        begun = row in current
        current[row] = across
        decided[row], open_edges[row] = int(begun), len(near) - begun
        types[row] = IS_FREE | HAS_ENDS * begun
        to_come -= 1
        meets = (row, across) in board.ends
        others = [other for other, at in near if other != row and current.get(other) == at]
        if meets or types[row] != type_of(row):
            before, place = bytes(types), row
            if not meets and row + 1 == len(types):
                place = row - 1
            types[row] = type_of(row)
            yield TrackStep(place, False, before, bytes(types), to_come, labels, meets)
            labels += meets
        for other in others:
            before = bytes(types)
            for one in (row, other):
                decided[one] += 1
                open_edges[one] -= 1
                types[one] = type_of(one)
            place = min(row, other)
            if abs(row - other) > 1:
                place = max(row, other)
            yield TrackStep(place, True, before, bytes(types), to_come, labels, False)


@cache
def _count(types: bytes, labels: int, outside: bool) -> int:
    """Return the number of words with places of these types and so many labels."""
    return _ways(types, labels, outside).get((0, labels), 0)


@cache
def _halves(types: bytes, labels: int, outside: bool) -> int:
    """Return the number of half words with places of these types."""
    return sum(_ways(types, labels, outside).values())


def _ways(types: bytes, labels: int, outside: bool) -> dict[tuple[int, int], int]:
    """Return the number of half words by the numbers of open ends and labels."""
    ways = {(0, 0): 1}
    for place in types:
        flat = bool(place & IS_FREE) + bool(place & IS_FULL)
        after: dict[tuple[int, int], int] = {}
        for (depth, seen), number in ways.items():
            reached = [((depth, seen), flat * number)]
            if place & HAS_ENDS:
                reached.append(((depth + 1, seen), number))
                if depth:
                    reached.append(((depth - 1, seen), number))
                if seen < labels and not (outside and depth):
                    reached.append(((depth, seen + 1), number))
            for state, ways_to in reached:
                after[state] = after.get(state, 0) + ways_to
        ways = after
    return ways


def _strips(board: TrackBoard, first: int) -> int:
    """Return the product of the sets of faces of strips of two rows of faces, from a row on."""
    rows = len(board.rows)
    middles = [
        row
        for row in range(first + 1, rows - 1, 2)
        if not any(_is_inside(board, row, end) for end in board.ends)
    ]
    covered = {row for middle in middles for row in (middle - 1, middle)}
    alone = (_faces(board, row) for row in range(rows - 1) if row not in covered)
    total = prod(_sets_around(board, middle) for middle in middles)
    return total << sum(map(len, alone))


def _is_inside(board: TrackBoard, row: int, place: Place) -> bool:
    """Return whether a vertex is on a row, but not at its beginning or its end."""
    first, number = board.rows[row]
    return place[0] == row and first < place[1] < first + 2 * (number - 1)


def _faces(board: TrackBoard, row: int) -> set[int]:
    """Return the coordinates of the middles of the faces between a row and the next."""
    first = min(start for start, _ in board.rows)
    last = max(start + 2 * number for start, number in board.rows)
    return {
        at
        for at in range(first, last)
        for one, other in ((row, row + 1), (row + 1, row))
        if board._has(one, at - 1) and board._has(one, at + 1) and board._has(other, at)
    }


def _sets_around(board: TrackBoard, row: int) -> int:
    """Return the number of sets of faces on both sides of a row that are valid at its vertices."""
    above, below = _faces(board, row - 1), _faces(board, row)
    start, number = board.rows[row]

    def choices(at: int) -> Iterator[tuple[int, int]]:
        return product((0, 1) if at in above else (0,), (0, 1) if at in below else (0,))

    ways = dict.fromkeys(choices(start - 1), 1)
    for at in range(start, start + 2 * number, 2):
        after: dict[tuple[int, int], int] = {}
        for (near, ways_to), here, there in product(ways.items(), choices(at), choices(at + 1)):
            around = (near[0], here[0], there[0], there[1], here[1], near[1])
            changes = sum(one != other for one, other in pairwise((*around, around[0])))
            is_free = bool(board.ends) and not _is_inside(board, row, (row, at))
            if is_free or changes == 2 or (changes == 0 and not board.cover):
                after[there] = after.get(there, 0) + ways_to
        ways = after
    return sum(ways.values())


#: A board that is counted with ranks.
AnyBoard: TypeAlias = BlankBoard | TrackBoard


def triangle(side: int) -> TrackBoard:
    """Return the triangular grid with ``side`` vertices on each side.

    >>> triangle(3).rows
    ((2, 1), (1, 2), (0, 3))
    """
    return TrackBoard(tuple((side - 1 - row, row + 1) for row in range(side)))


def triangular(rows: int, cols: int) -> TrackBoard:
    """Return the board of `linkoracle.boards.repeating.triangular`.

    >>> triangular(3, 2).rows
    ((1, 3), (0, 4), (1, 3), (2, 2))
    """
    lines = [((row + 1) % 2, cols + 1 + row % 2) for row in range(rows + 1)]
    if rows % 2:
        lines[-1] = (2, cols)
    return TrackBoard(tuple(lines))


@lru_cache(maxsize=4)
def graph_of(board: TrackBoard) -> list[list[int]]:
    """Return the neighbours of each vertex.

    >>> [len(near) for near in graph_of(triangle(3))]
    [2, 4, 2, 4, 4, 2]
    """
    places = list(board.places)
    number = {place: vertex for vertex, place in enumerate(places)}
    return [[number[near] for near in board.near(*place)] for place in places]


#: The most rows: half words have at most so many places.
MOST_ROWS = 2 * HALF_PLACES
