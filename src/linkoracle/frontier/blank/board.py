"""Blank boards: the model, the orientation of the board, and the memory that a pass needs.

A board is blank if all its vertices and faces have the same constraint: the solutions are all
cycles, all paths between two vertices, or those that use every vertex.

**Upper bounds** for the number of solutions determine the number of primes. Fix one solution. Every
other solution differs from it by a set of edges with an even number at each vertex. That is the
boundary of a set of faces, and different solutions have different sets. So ``2**faces`` is a bound,
for loops and for paths.

Not every set of faces is possible, as a vertex has at most two edges. Divide the board into
*strips* of a few columns of faces. The number of solutions is at most the product, over the strips,
of the number of sets of faces of the strip that are valid at each vertex inside it. This number
does not depend on the fixed solution: in a strip without terminals, which has no holes, that
solution is itself the boundary of a set of faces, and adding this set to each set is one-to-one. So
assume that it has no edge there. A set is then valid at a vertex if its four faces are not a
chessboard, for which all four edges would be chosen; if all vertices must be used, the four faces
must also be neither all in the set nor all outside. For a strip with a terminal inside, where this
argument fails, count all sets of faces.

Short solutions are far fewer: each is a self-avoiding walk of that length.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from math import prod

#: The row and column of a vertex.
Place = tuple[int, int]

#: Bytes of a number, the count of a word.
NUMBER_BYTES = 8

#: The least width and the greatest height, in vertices, of boards to count with ranks. Narrow
#: boards have few states and long ones need many primes, so a plain pass is faster there.
_PAYING_WIDTH, _PAYING_HEIGHT = 9, 200
#: Narrower boards cannot be split into two halves and a middle.
LEAST_WIDTH = 3


@cache
def count_words(places: int, labels: int, outside: bool, depth: int | None = None) -> int:
    """Return the number of frontier words with these numbers of places and labels.

    See `linkoracle.frontier.blank.ranks_kernel`. With ``outside`` no label is between two ends of a
    path. ``depth`` limits the nesting of paths. Without labels and depth these are the Motzkin
    numbers (OEIS A001006).

    >>> [count_words(places, 0, False) for places in range(9)]
    [1, 1, 2, 4, 9, 21, 51, 127, 323]
    >>> [count_words(3, labels, outside) for labels in (1, 2) for outside in (True, False)]
    [5, 6, 3, 3]
    >>> [count_words(6, 0, False, depth) for depth in (0, 1, 2, 3)]
    [1, 32, 50, 51]
    """
    depth = places if depth is None else depth
    ways = {(0, 0): 1}
    for _ in range(places):
        after: dict[tuple[int, int], int] = {}
        for (opened, seen), number in ways.items():
            steps = [(opened, seen)]
            if opened < depth:
                steps.append((opened + 1, seen))
            if opened:
                steps.append((opened - 1, seen))
            if seen < labels and not (outside and opened):
                steps.append((opened, seen + 1))
            for step in steps:
                after[step] = after.get(step, 0) + number
        ways = after
    return ways.get((0, labels), 0)


class Shape(StrEnum):
    """What a blank board consists of."""

    SQUARES = "squares"
    HONEYCOMB = "honeycomb"
    CYLINDER = "cylinder"
    TRIANGLES = "triangles"

    def __repr__(self) -> str:
        return repr(self.value)


@dataclass(frozen=True)
class BlankBoard:
    """An oriented blank board: rows from the top down, the short side across.

    ``cover`` says whether all vertices must be used. ``ends`` are the terminals, in the order of
    the pass; none for loops, and only on squares. `linkoracle.frontier.blank.tracks` has others.

    ``height`` and ``width`` are in vertices on squares. The rows of a cylinder go around it. A
    honeycomb of r x c cells consists of c + 1 lines from the top down, and its rows are the heights
    2r + 2 at which every second line is linked to the next.

    >>> BlankBoard(17, 17).bytes, BlankBoard(17, 17).words
    (25681968, 2356779)
    """

    height: int
    width: int
    cover: bool = False
    ends: tuple[Place, ...] = ()
    shape: Shape = Shape.SQUARES

    @property
    def places(self) -> int:
        """The places of a frontier word; on a cylinder, one more for the edge around."""
        return self.width + (self.shape is Shape.CYLINDER)

    @property
    def pays(self) -> bool:
        """Whether passes with ranks are faster than one with a hash table."""
        if self.width < _PAYING_WIDTH or self.height > _PAYING_HEIGHT:
            return False
        # Honeycombs are swept along their columns only, cylinders around. A pass with a hash table
        # may take the other direction.
        if self.shape is Shape.HONEYCOMB:
            return self.width <= self.height // 2 + 2
        return self.shape is Shape.SQUARES or 2 * self.width <= 3 * self.height

    @property
    def pays_by_length(self) -> bool:
        """Whether passes for each length are faster than a diagram."""
        return self.pays

    @property
    def vertices(self) -> int:
        """The number of vertices."""
        # Both outer lines of a honeycomb have a vertex less.
        return self.height * self.width - 2 * (self.shape is Shape.HONEYCOMB)

    @property
    def form(self) -> str:
        """The board but for its size and rules, as text."""
        return str(self.shape)

    @property
    def cells(self) -> str:
        """The size in words."""
        if self.shape is Shape.HONEYCOMB:
            return f"a honeycomb of {self.height // 2 - 1}x{self.width - 1} cells"
        if self.shape is Shape.CYLINDER:
            return f"a cylinder of {self.height - 1}x{self.width} cells"
        return f"{self.height - 1}x{self.width - 1} cells"

    def deepest(self, rows: int) -> int:
        """Return how deep paths are nested at most during the row after ``rows`` rows."""
        # On a cylinder, a path may also go around all others.
        return (rows + 1) * (1 + (self.shape is Shape.CYLINDER))

    @property
    def outside(self) -> bool:
        """Whether all terminals are on the border: then no path goes around one."""
        return all(
            row in (0, self.height - 1) or column in (0, self.width - 1)
            for row, column in self.ends
        )

    @property
    def cut(self) -> int:
        """The places of a left half: slightly less than half, as rows of right halves are added."""
        return max(1, (self.places - 3) // 2)

    @property
    def first_vertex(self) -> bool:
        """Whether the pass begins at a terminal."""
        return self.ends[:1] == ((0, 0),)

    @property
    def last_vertex(self) -> bool:
        """Whether the pass ends at a terminal."""
        return self.ends[1:] == ((self.height - 1, self.width - 1),)

    @property
    def phases(self) -> list[tuple[int, int]]:
        """Return the numbers of labels of words, with the number of vertices decided for each."""
        met = [row * self.width + column for row, column in self.ends]
        bounds = [0, *met, self.height * self.width]
        phases = [
            (labels, bounds[labels + 1] - bounds[labels]) for labels in range(len(bounds) - 1)
        ]
        return [
            phase for phase in phases[self.first_vertex :] if phase[0] < 2 or not self.last_vertex
        ]

    def numbers(self, labels: int) -> int:
        """Return the count of numbers in memory: words, and words of one place less."""
        sizes = (self.places, self.places - 1)
        return sum(count_words(places, labels, self.outside) for places in sizes)

    @property
    def words(self) -> int:
        """The most words of a step."""
        return max(count_words(self.places, labels, self.outside) for labels, _ in self.phases)

    @property
    def bytes(self) -> int:
        """The most bytes of numbers at a time, for one prime."""
        most = max(self.numbers(labels) for labels, _ in self.phases)
        for (labels, _), (after, _) in zip(self.phases, self.phases[1:], strict=False):
            # At a terminal the words before and after it are in memory.
            both = self.numbers(labels) + count_words(self.width, after, self.outside)
            most = max(most, both)
        return NUMBER_BYTES * most

    @property
    def memory(self) -> int:
        """An upper bound of the bytes of a pass: of numbers, and of the tables with their ranks.

        The tables grow with the root of the number of words. Their bound is fitted to tables of up
        to 20 vertices across; wider ones are small beside the numbers.

        >>> BlankBoard(9, 9).bytes, BlankBoard(9, 9).memory
        (9264, 276353)
        """
        places = self.places
        root = 3 ** (places / 2) * places / 12
        tables = (400 * (labels + 1) ** 2 * root + 25_000 * places for labels, _ in self.phases)
        # The edges around a cylinder have a table with two numbers of half a word each.
        turns = self.words * NUMBER_BYTES * (self.shape is Shape.CYLINDER)
        return self.bytes + turns + round(sum(tables))

    @property
    def work(self) -> int:
        """The total number of words in all steps of a pass."""
        return sum(
            count_words(self.places, labels, self.outside) * vertices
            for labels, vertices in self.phases
        )

    @property
    def shortest(self) -> int:
        """The fewest vertices of a solution."""
        if self.ends:
            (row, column), (other_row, other_column) = self.ends
            return 1 + abs(row - other_row) + abs(column - other_column)
        if self.shape is Shape.HONEYCOMB:
            return 6
        return min(4, self.width) if self.shape is Shape.CYLINDER else 4

    @property
    def period(self) -> int:
        """The greatest common divisor of all differences of lengths."""
        # All boards are bipartite but cylinders with an odd number of vertices around.
        return 1 if self.shape is Shape.CYLINDER and self.width % 2 else 2

    def most_of_length(self, length: int) -> int:
        """Return an upper bound for the number of solutions of a length."""
        return most_of_length(self.height, self.width, length, loop=not self.ends)

    @property
    def most_solutions(self) -> int:
        """An upper bound for the number of solutions.

        >>> BlankBoard(6, 3, shape=Shape.HONEYCOMB).most_solutions      # 14 loops of 2x2 cells
        16
        """
        sides = self.height, self.width
        if self.shape is Shape.HONEYCOMB:
            return 1 << (self.height // 2 - 1) * (self.width - 1)
        if self.shape is Shape.CYLINDER:
            # Sets of faces, with or without the one beyond an end.
            return 2 * _sets_of_strips(self.height - 1, self.width, self.cover)
        return most_solutions(*sides, cover=self.cover, ends=self.ends)


def orientations(rows: int, cols: int, cover: bool, ends: list[Place]) -> Iterator[BlankBoard]:
    """Yield the board in each orientation with the short side across."""
    for turned in (False, True):
        height, width = (cols, rows) if turned else (rows, cols)
        if width > height:
            continue
        for upside_down in (False, True):
            for reflected in (False, True):
                places = []
                for row, column in ends:
                    down, across = (column, row) if turned else (row, column)
                    places.append(
                        (
                            height - 1 - down if upside_down else down,
                            width - 1 - across if reflected else across,
                        )
                    )
                yield BlankBoard(height, width, cover, tuple(sorted(places)))


#: The columns of faces in a strip. More columns hardly improve the bound: see
#: docs/explanation/frontier.md.
_STRIP_COLUMNS = 6
#: The numbers of self-avoiding walks of 1, 2, 3, ... steps on the infinite lattice (OEIS A001411).
_WALKS = (
    *(4, 12, 36, 100, 284, 780, 2172, 5916, 16268),
    *(44100, 120292, 324932, 881500, 2374444, 6416596, 17245332, 46466676, 124658732),
    *(335116620, 897697164, 2408806028, 6444560484, 17266613812, 46146397316, 123481354908),
    *(329712786220, 881317491628),
)


@cache
def _fitting(width: int, cover: bool) -> tuple[tuple[int, ...], ...]:
    """Return for each set of faces of a row of a strip the valid sets of the next row."""

    def fits(above: int, below: int) -> bool:
        for column in range(width - 1):
            left = above >> column & 1, below >> column & 1
            right = above >> column + 1 & 1, below >> column + 1 & 1
            chessboard = left[0] != left[1] and left[0] == right[1] and left[1] == right[0]
            if chessboard or (cover and left[0] == left[1] == right[0] == right[1]):
                return False
        return True

    sets = range(1 << width)
    return tuple(tuple(other for other in sets if fits(one, other)) for one in sets)


@cache
def _sets_of_faces(rows: int, width: int, cover: bool) -> int:
    """Return the number of sets of faces of a strip valid at each inner vertex. O(rows 4^width).

    >>> _sets_of_faces(2, 2, False), _sets_of_faces(2, 2, True)
    (14, 12)
    """
    ways = [1] * (1 << width)
    for _ in range(rows - 1):
        ways = [sum(ways[other] for other in fitting) for fitting in _fitting(width, cover)]
    return sum(ways)


def most_solutions(
    height: int, width: int, *, cover: bool = False, ends: Iterable[tuple[int, int]] = ()
) -> int:
    """Return an upper bound for the number of loops, or paths between ``ends``, of a board.

    ``height`` and ``width`` are in vertices. With ``cover`` all must be used. ``ends`` are the rows
    and columns of terminals.

    >>> most_solutions(3, 3), most_solutions(9, 9).bit_length(), (2318527339461265).bit_length()
    (14, 58, 52)
    """
    columns = [column for row, column in ends if 0 < row < height - 1]
    return _sets_of_strips(height - 1, width - 1, cover, columns)


def _sets_of_strips(rows: int, cols: int, cover: bool, columns: Iterable[int] = ()) -> int:
    """Return the product of the numbers of sets of faces of strips of ``rows`` by ``cols`` faces.

    ``columns`` are those of terminals inside.
    """
    total, terminals = 1, [*columns]
    for first in range(0, cols, _STRIP_COLUMNS):
        last = min(first + _STRIP_COLUMNS, cols)
        if any(first < column < last for column in terminals):
            total <<= rows * (last - first)
        else:
            total *= _sets_of_faces(rows, last - first, cover)
    return total


def most_of_length(height: int, width: int, length: int, *, loop: bool) -> int:
    """Return an upper bound for the number of loops, or paths between two ends, of a length.

    A loop is counted once, not for each start and direction of a walk around it.

    >>> [most_of_length(4, 4, length, loop=True) for length in (4, 6, 8, 10)]
    [72, 378, 2172, 13014]
    """
    if loop:
        return height * width * _most_walks(length - 1) // (2 * length)
    return _most_walks(length)


def _most_walks(steps: int) -> int:
    """Return an upper bound for the number of self-avoiding walks of ``steps`` steps.

    They are divided into pieces of known counts. Only the first piece can begin with any of four
    steps: the others do not reverse.

    >>> _most_walks(3), _most_walks(28), 3 * _most_walks(27)
    (36, 2643952474884, 2643952474884)
    """
    whole, rest = divmod(steps, len(_WALKS))
    pieces = [_WALKS[-1]] * whole + [_WALKS[rest - 1]] * bool(rest)
    return prod(walks // 4 * 3 for walks in pieces) * 4 // 3
