"""`Count` and `Shape`: what a model says of its solutions besides masks of degrees and faces.

Both are sets of allowed values as bits of a number: bit *k* is set when *k* is allowed. A *literal*
is a number other than 0, as in the DIMACS format, and negative for "not":

* ``edge + 1``: the edge is chosen;
* ``num_edges + vertex + 1`` (`Board.visited`): the vertex has a chosen edge;
* numbers above ``num_edges + num_vertices``: auxiliary variables, in clauses only.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from functools import cached_property, lru_cache
from itertools import chain, combinations, count, product
from typing import NamedTuple, overload

from linkoracle.board.board import Board
from linkoracle.core import checked_int

#: The most edges of a vertex with a shape: its bits are then 32 MB.
MOST_EDGES = 28


class Count(NamedTuple):
    """A count of true literals: ``allowed`` has a bit for each number that may be true.

    A literal that stands twice counts twice. Any length.

    >>> Count.of([1, 2, -3], {0, 2})
    Count(literals=(1, 2, -3), allowed=5)
    """

    literals: tuple[int, ...]
    allowed: int

    @classmethod
    def of(cls, literals: Iterable[int], numbers: Iterable[int]) -> Count:
        """Build from the allowed numbers themselves; ``ValueError`` for a negative one."""
        chosen = tuple(literals)
        return cls(chosen, sum({1 << checked_int(number, "a count", 0) for number in numbers}))

    def checked(self, variables: int) -> Count:
        """Return the count with plain numbers; ``ValueError`` for literals of other variables."""
        literals = tuple(_literal(literal, variables) for literal in self.literals)
        allowed = checked_int(self.allowed, "a mask of counts", 0)
        return Count(literals, allowed & (2 << len(literals)) - 1)


class Shape(NamedTuple):
    """Which sets of its edges may be chosen at a vertex: bit *s* of ``allowed`` is for set *s*.

    Bit *i* of *s* stands for edge *i* of `Board.edges_at`.

    >>> from linkoracle.board.lattice import Lattice
    >>> board = Lattice(3, 3)
    >>> straight = Shape.of(board, 4, [(3, 8), (5, 7)])
    >>> board.edges_at(4), bin(straight.allowed)
    ([7, 8, 5, 3], '0b10000100000')
    """

    vertex: int
    allowed: int

    @classmethod
    def of(cls, board: Board, vertex: int, sets: Iterable[Collection[int]]) -> Shape:
        """Build from the allowed sets of edge ids.

        Raises ``ValueError`` for an edge elsewhere, and for a vertex with more than 28 edges: then
        use clauses.
        """
        vertex = checked_int(vertex, "a vertex", 0, board.num_vertices - 1)
        place = {edge: at for at, edge in enumerate(board.edges_at(vertex))}
        if len(place) > MOST_EDGES:
            raise ValueError(
                f"vertex {vertex} has {len(place)} edges, expected at most {MOST_EDGES} for a "
                "shape, which has a bit for each set of these. Use clauses"
            )
        allowed = 0
        for edges in sets:
            if not place.keys() >= set(edges):
                raise ValueError(f"vertex {vertex} does not have all of the edges {sorted(edges)}")
            allowed |= 1 << sum(1 << place[edge] for edge in set(edges))
        return cls(vertex, allowed)

    def checked(self, board: Board) -> Shape:
        """Return the shape with plain numbers; ``ValueError`` for a vertex off the board."""
        vertex = checked_int(self.vertex, "a vertex of a shape", 0, board.num_vertices - 1)
        return Shape(vertex, checked_int(self.allowed, "the sets of a shape", 0))

    def allowed_sums(self, weights: Sequence[int]) -> int:
        """Return the mask of the sums of weights of the allowed sets of up to two edges."""
        allowed = 0
        for size in range(3):
            for places in combinations(range(len(weights)), size):
                if self.allowed >> sum(1 << place for place in places) & 1:
                    allowed |= 1 << sum(weights[place] for place in places)
        return allowed

    def excluded(self, board: Board, degrees: int) -> list[tuple[int, ...]]:
        """Return a clause for each set that is not allowed; ``degrees`` is the vertex's mask.

        A set is not what is chosen if one of its edges is not chosen, or if an edge beside it is.
        Sets of a size that the mask excludes need no clause. Beside a set of the largest size that
        the mask allows, no edge can be chosen.
        """
        return [*_excluded(self.allowed, tuple(board.edges_at(self.vertex)), degrees)]


Clause = tuple[int, ...]


# Puzzles of which clues come and go have the same shapes again and again.
@lru_cache(1 << 14)
def _excluded(allowed: int, edges: tuple[int, ...], degrees: int) -> tuple[Clause, ...]:
    clauses = []
    for size in range(3):
        if not degrees >> size & 1:
            continue
        may_be_more = degrees >> size + 1
        for places in combinations(range(len(edges)), size):
            if not allowed >> sum(1 << place for place in places) & 1:
                beside = [edge + 1 for at, edge in enumerate(edges) if at not in places]
                inside = [-1 - edges[place] for place in places]
                clauses.append((*inside, *(beside if may_be_more else ())))
    return tuple(clauses)


def checked_clauses(clauses: Iterable[Iterable[int]]) -> tuple[Clause, ...]:
    """Return clauses of plain numbers; ``ValueError`` if one is not a literal."""
    listed = tuple(map(tuple, clauses))
    # Models of paths have tens of thousands of clauses, whose literals are plain numbers.
    literals = [*chain.from_iterable(listed)]
    if 0 not in literals and set(map(type, literals)) <= {int}:
        return listed
    return tuple(tuple(_literal(literal, None) for literal in clause) for clause in listed)


class Apart(Sequence[Clause]):
    """The clauses of paths that do not touch themselves, made when they are first read.

    A path joins visited neighbours, or they are on different paths: paths are *induced*. Variables
    give the number of the path of each vertex in binary, which is constant along lines. For each
    edge, further variables mark digits in which its two vertices differ. Engines that know such
    paths need no clauses: they ask for this class.

    >>> from linkoracle.board.lattice import Lattice
    >>> len(Apart(Lattice(2, 2), [(0, 1), (2, 3)])), Apart(Lattice(2, 2), [(0, 3)])[0]
    (24, (1, -5, -6))
    """

    def __init__(self, board: Board, pairs: Iterable[tuple[int, int]]) -> None:
        self.board, self.pairs = board, tuple(pairs)
        digits = (len(self.pairs) - 1).bit_length()
        #: The highest variable.
        self.highest = board.num_variables + digits * (board.num_vertices + board.num_edges)

    @cached_property
    def _clauses(self) -> tuple[Clause, ...]:
        return tuple(self._made())

    def _made(self) -> Iterator[Clause]:
        board = self.board
        digits = range((len(self.pairs) - 1).bit_length())
        fresh = count(board.num_variables + 1)
        path = [[next(fresh) for _ in digits] for _ in range(board.num_vertices)]
        for number, pair in enumerate(self.pairs):
            for digit, vertex in product(digits, pair):
                yield (path[vertex][digit] if number >> digit & 1 else -path[vertex][digit],)
        for edge in range(board.num_edges):
            one, other = board.ends(edge)
            differ = [next(fresh) for _ in digits]
            for x, y, unlike in zip(path[one], path[other], differ, strict=True):
                yield from ((-edge - 1, -x, y), (-edge - 1, x, -y))
                yield from ((-unlike, x, y), (-unlike, -x, -y))
            yield (edge + 1, -board.visited(one), -board.visited(other), *differ)

    def __len__(self) -> int:
        return len(self._clauses)

    @overload
    def __getitem__(self, index: int) -> Clause: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[Clause, ...]: ...
    def __getitem__(self, index: int | slice) -> Clause | tuple[Clause, ...]:
        return self._clauses[index]

    def __iter__(self) -> Iterator[Clause]:
        return iter(self._clauses)

    def __bool__(self) -> bool:
        return True

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Apart):
            return NotImplemented
        return (self.pairs, self.board) == (other.pairs, other.board)

    def __hash__(self) -> int:
        return hash((self.pairs, self.board))

    def __repr__(self) -> str:
        return f"Apart({self.board!r}, {self.pairs!r})"


# Cached, as the puzzles that a generator tries on a board share most of their clauses.
@lru_cache(maxsize=1 << 14)
def at_least_one(literals: tuple[int, ...]) -> Count:
    """Return a clause as a count."""
    return Count(literals, (2 << len(literals)) - 2)


def _literal(literal: object, variables: int | None) -> int:
    number = checked_int(literal, "a literal")
    if number == 0 or (variables is not None and abs(number) > variables):
        bound = "" if variables is None else f" of up to {variables} variables"
        raise ValueError(f"expected a literal{bound}, got {number}")
    return number
