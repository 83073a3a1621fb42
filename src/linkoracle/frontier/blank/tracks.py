"""Blank triangular boards: the steps of a pass along their rows, and the pass.

The rows are *tracks*: a pass goes along all of them at once, from left to right. Where it crosses
them, every second row has a vertex with one edge decided, the others have one with three. So a word
has three and four symbols in turn, not four at each place, as in a pass from row to row.
`linkoracle.frontier.blank.tracks_kernel` has the words and their numbers.

**Upper bound.** A loop is the border of the set of faces inside. Around a vertex the faces inside
are neighbours, as it has two edges of the loop at most. Two rows of faces make a strip. A bound is
the product, over the strips, of the numbers of sets that are valid at the vertices in the middle.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache
from itertools import pairwise, product
from math import prod
from typing import NamedTuple, TypeAlias

from linkoracle.core import Deadline
from linkoracle.frontier.blank.board import NUMBER_BYTES, BlankBoard
from linkoracle.frontier.blank.passes import Allocate, Row, in_memory
from linkoracle.frontier.blank.tracks_kernel import (
    HALF_PLACES,
    HAS_ENDS,
    IS_FREE,
    IS_FULL,
    Crossing,
    HalfWords,
)
from linkoracle.frontier.running import Threads

#: Edges between neighbouring rows lead one to the left or right, those of a row two.
_ALONG = 2
#: The bytes of tables kept for later steps and passes.
_KEPT_BYTES = 1 << 27
#: A bound for the bytes of a step's tables: for each half word, and for any.
_HALF_BYTES, _STEP_BYTES = 120, 20_000
#: The fewest rows for which ranks are faster than a hash table.
_LEAST_ROWS = 11


class TrackStep(NamedTuple):
    """A step: the places ``place`` and ``place + 1``, and the types of all places around it."""

    place: int
    #: Whether an edge joins the two vertices; if not, one of them only has few edges.
    chosen: bool
    before: bytes
    after: bytes
    #: The number of vertices that the pass has not reached.
    to_come: int


@dataclass(frozen=True)
class TrackBoard:
    """A blank triangular board: for each row, the coordinate of its first vertex, and their number.

    Vertices of a row are two apart, and one to the side of their neighbours in other rows.

    >>> triangle = TrackBoard(((2, 1), (1, 2), (0, 3)))
    >>> triangle.vertices, triangle.height, triangle.words
    (6, 7, 6)
    """

    rows: tuple[tuple[int, int], ...]
    cover: bool = False
    ends: tuple[()] = ()

    @property
    def shape(self) -> str:
        return f"triangles {self.rows}"

    @property
    def cells(self) -> str:
        return f"a triangular board of {len(self.rows)} rows of vertices"

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

    #: The shortest loop has three edges, and there are loops of any longer length.
    shortest_loop, period = 3, 1

    @property
    def pays(self) -> bool:
        """Whether passes with ranks are faster than one with a hash table."""
        # That may go from row to row, with four symbols at each place.
        across = max(number for _, number in self.rows)
        return _LEAST_ROWS <= len(self.rows) <= 1.1 * across + 2

    @property
    def places(self) -> Iterator[tuple[int, int]]:
        """The row and the coordinate of each vertex, in the order of the pass."""
        every = (
            (first + _ALONG * at, row)
            for row, (first, number) in enumerate(self.rows)
            for at in range(number)
        )
        for across, row in sorted(every):
            yield row, across

    def near(self, row: int, across: int) -> list[tuple[int, int]]:
        """Return the neighbours of a vertex: on its row, before and after, then on other rows."""
        sides = [(row, across - _ALONG), (row, across + _ALONG)]
        for other in (row - 1, row + 1):
            sides += [(other, across - 1), (other, across + 1)]
        return [place for place in sides if self._has(*place)]

    def _has(self, row: int, across: int) -> bool:
        if not 0 <= row < len(self.rows):
            return False
        first, number = self.rows[row]
        return 0 <= across - first < _ALONG * number and (across - first) % _ALONG == 0

    @cached_property
    def steps(self) -> list[TrackStep]:
        """The steps of a pass."""
        return list(_steps(self))

    @property
    def words(self) -> int:
        """The most words of a step."""
        return max(map(_count, self._types))

    @cached_property
    def _types(self) -> set[bytes]:
        return {types for step in self.steps for types in (step.before, step.after)}

    @property
    def bytes(self) -> int:
        """The most bytes of numbers at a time, for one prime."""
        return NUMBER_BYTES * max(_count(step.before) + _count(step.after) for step in self.steps)

    @property
    def memory(self) -> int:
        """An upper bound of the bytes of a pass."""
        cut = cut_of(self)
        tables = [
            _HALF_BYTES * sum(map(_beginnings, parts_of(step.after, cut))) + _STEP_BYTES
            for step in self.steps
        ]
        return self.bytes + 4 * max(tables) + min(_KEPT_BYTES, sum(tables))

    @property
    def work(self) -> int:
        """The total number of words in all steps of a pass."""
        return sum(_count(step.before) for step in self.steps)

    @property
    def most_solutions(self) -> int:
        """An upper bound for the number of loops.

        >>> TrackBoard(((2, 1), (1, 2), (0, 3))).most_solutions        # 11 loops
        13
        """
        return min(_strips(self, first) for first in (0, 1))

    def most_of_length(self, _length: int) -> int:
        """Return an upper bound for the number of loops of a length."""
        return self.most_solutions


def _steps(board: TrackBoard) -> Iterator[TrackStep]:
    """Yield the steps of a pass."""
    types = bytearray([IS_FULL]) * len(board.rows)
    decided, open_edges = [0] * len(types), [0] * len(types)
    current: dict[int, int] = {}
    to_come = board.vertices

    def type_of(row: int) -> int:
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
        steps = [(other, True) for other, at in near if other != row and current.get(other) == at]
        if types[row] != type_of(row):
            steps.insert(0, (row + 1 if row + 1 < len(types) else row - 1, False))
        for other, chosen in steps:
            before = bytes(types)
            if chosen:
                for one in (row, other):
                    decided[one] += 1
                    open_edges[one] -= 1
                types[other] = type_of(other)
            types[row] = type_of(row)
            yield TrackStep(min(row, other), chosen, before, bytes(types), to_come)


@cache
def _count(types: bytes) -> int:
    """Return the number of words with places of these types."""
    return _ways(types).get(0, 0)


@cache
def _beginnings(types: bytes) -> int:
    """Return the number of half words with places of these types."""
    return sum(_ways(types).values())


def _ways(types: bytes) -> dict[int, int]:
    """Return the number of half words by the number of open ends."""
    ways = {0: 1}
    for place in types:
        after: dict[int, int] = {}
        for depth, number in ways.items():
            flat = bool(place & IS_FREE) + bool(place & IS_FULL)
            after[depth] = after.get(depth, 0) + flat * number
            if place & HAS_ENDS:
                after[depth + 1] = after.get(depth + 1, 0) + number
                if depth:
                    after[depth - 1] = after.get(depth - 1, 0) + number
        ways = after
    return ways


def cut_of(board: TrackBoard) -> int:
    """Return the places of a left half."""
    return len(board.rows) // 2


def parts_of(types: bytes, cut: int) -> tuple[bytes, bytes]:
    """Return the types of both halves, each from the side to the middle."""
    return types[:cut], types[cut:][::-1]


def _strips(board: TrackBoard, first: int) -> int:
    """Return the product of the sets of faces of strips of two rows of faces, from a row on."""
    rows = len(board.rows)
    middles = range(first + 1, rows - 1, 2)
    covered = {row for middle in middles for row in (middle - 1, middle)}
    alone = (_faces(board, row) for row in range(rows - 1) if row not in covered)
    total = prod(_sets_around(board, middle) for middle in middles)
    return total << sum(map(len, alone))


def _faces(board: TrackBoard, row: int) -> set[int]:
    """Return the coordinates of the middles of the faces between a row and the next."""
    first = min(start for start, _ in board.rows)
    last = max(start + _ALONG * number for start, number in board.rows)
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
    for at in range(start, start + _ALONG * number, _ALONG):
        after: dict[tuple[int, int], int] = {}
        for (near, ways_to), here, there in product(ways.items(), choices(at), choices(at + 1)):
            around = (near[0], here[0], there[0], there[1], here[1], near[1])
            changes = sum(one != other for one, other in pairwise((*around, around[0])))
            if changes == 2 or (changes == 0 and not board.cover):
                after[there] = after.get(there, 0) + ways_to
        ways = after
    return sum(ways.values())


#: A board that is counted with ranks.
AnyBoard: TypeAlias = BlankBoard | TrackBoard


class TrackTables:
    """The tables of the steps of all passes over a board; ``memory`` bounds their bytes."""

    threads = 1

    def __init__(
        self, board: TrackBoard, memory: int, deadline: Deadline, allocate: Allocate = in_memory
    ) -> None:
        self.board, self.deadline = board, deadline
        #: Makes an array of numbers.
        self.zeros = allocate
        self._memory, self._taken = memory, 0
        self._halves: dict[tuple[bytes, bool, int], HalfWords] = {}
        self._crossings: dict[TrackStep, Crossing] = {}

    def crossing(self, number: int) -> Crossing:
        """Return the tables of a step."""
        step = self.board.steps[number]._replace(to_come=0)
        if step not in self._crossings:
            kept = min(_KEPT_BYTES, self._memory // 2)
            if self._taken > kept:
                self._halves.clear()
                self._crossings.clear()
                self._taken = 0
            left = self._memory - self._taken
            halves = [*self._halves_of(step.before, left), *self._halves_of(step.after, left)]
            made = Crossing(*halves, place=step.place, chosen=step.chosen, memory=left)
            self._taken += made.bytes
            self._crossings[step] = made
        return self._crossings[step]

    def _halves_of(self, types: bytes, memory: int) -> Iterator[HalfWords]:
        cut = cut_of(self.board)
        parts = types[:cut], types[cut:]
        for right in (False, True):
            # Whatever the types of the other half are, so that a step there changes nothing here.
            beyond = len(parts[not right])
            key = parts[right], right, beyond
            if key not in self._halves:
                made = HalfWords(parts[right], right=right, beyond=beyond, memory=memory)
                self._halves[key] = made
                self._taken += made.bytes
            yield self._halves[key]


class TrackPass:
    """A pass modulo ``prime``: like `linkoracle.frontier.blank.passes.BlankPass`.

    Its rows are steps.
    """

    def __init__(
        self, tables: TrackTables, prime: int, weight: int = 1, begun: Row | None = None
    ) -> None:
        self.tables, self.prime, self.weight = tables, prime, weight
        if begun is None:
            words = tables.zeros(1)
            words[0] = 1
            begun = Row(0, 0, 0, words)
        self.rows, self.words = begun.rows, begun.words
        self._answer = in_memory(1)
        self._answer[0] = begun.answer

    @property
    def answer(self) -> int:
        return int(self._answer[0])

    @property
    def reached(self) -> Row:
        """Return the state to continue from."""
        return Row(self.rows, 0, self.answer, self.words)

    def row(self, deadline: Deadline, _threads: Threads | None = None) -> None:
        """Take the next step. After `SearchTimeout` the pass is unusable."""
        step = self.tables.board.steps[self.rows]
        crossing = self.tables.crossing(self.rows)
        targets = self.tables.zeros(crossing.new_words)
        crossing.cross(
            self.words,
            targets,
            self._answer,
            prime=self.prime,
            weight=self.weight,
            to_come=step.to_come,
            deadline=deadline,
        )
        self.words = targets
        self.rows += 1


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
