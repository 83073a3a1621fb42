"""`LinkModel`: what the engines solve.

A solution is a subset of the edges of a board. *Local constraints* say how many edges each vertex
and each face may have, which sets of edges a vertex may have (`Shape`), how many of any literals
are true (`Count`), and clauses with auxiliary variables. The *connectivity constraint* requires a
single loop, or paths that join terminals. A puzzle translates itself into a `LinkModel`; the
engines know nothing else. An engine raises `NotSupported` for a model that it cannot solve.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from itertools import chain, compress, count
from operator import gt
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol, Self

from linkoracle.board.board import Board
from linkoracle.board.lattice import Lattice
from linkoracle.core import NotSupported, checked_int

if TYPE_CHECKING:
    from linkoracle.board.constraints import Clause, Count, Shape

#: Face mask of a square face without a clue: any number of its four edges may be chosen.
ANY_COUNT = 0b11111
#: Degree mask of a vertex that a line may pass through or leave out.
PASS_OR_SKIP = 0b101
#: Degree mask of a vertex that a line must pass through.
PASS = 0b100
#: Degree mask of a terminal.
END = 0b010
#: Degree mask of a vertex that a path with free ends passes through or ends at.
PASS_OR_END = 0b110
#: Degree mask of a vertex that no line may use.
HOLE = 0b001
#: Valid degree masks of vertices that are not terminals, and of all vertices if ends are free.
_BETWEEN_ENDS = bytes([HOLE, PASS, PASS_OR_SKIP])
_FREE = bytes([HOLE, PASS, PASS_OR_END, END])


class Source(NamedTuple):
    """What states the constraints of a model from some numbers of each on, up to the next source.

    ``what`` is a word such as ``"clue"``, or ``None`` for a rule of the kind; ``place`` is its
    cell, if it has one.
    """

    shapes: int
    counts: int
    clauses: int
    what: str | None
    place: Any = None


@dataclass(frozen=True)
class LinkModel:
    """One puzzle, as the engines see it. Immutable and hashable.

    ``degrees[v]`` is a bitmask: bit *d* is set when vertex *v* may have *d* chosen edges. A
    terminal's mask is `END`; any other vertex's is `PASS_OR_SKIP`, `PASS`, or `HOLE`. Where ends
    are free, each is `PASS_OR_END`, `END`, `PASS`, or `HOLE`.
    ``faces[f]`` is the same for the number of chosen edges around face *f*, bit 0 to the number of
    its edges (`Board.edges_of`).
    ``terminals`` are pairs of vertex ids: pair *i* has the ends of path *i*.
    ``given`` and ``forbidden`` are ids of edges that every solution has, or lacks, in increasing
    order.
    ``shapes``, ``counts`` and ``clauses`` are more constraints: see `linkoracle.board.constraints`.
    Clauses may have auxiliary variables; two solutions differ in edges, not in these.
    ``sources`` say what states them, and ``kind`` names the kind of puzzle: these change no
    solution, only explanations and grades.

    The connectivity constraint: without terminals and with ``loop`` true the chosen edges form
    exactly one cycle and nothing else (the empty set is not a cycle). Without terminals and loop,
    if some vertex may have one edge, they form one path through all vertices but the holes, whose
    ends are free. Otherwise they form one path for each pair of terminals and nothing else.

    Raises ``ValueError`` when the arrays have the wrong length, a mask, an id or a literal makes no
    sense, or an edge is given that is forbidden or that has a hole for an end.

    >>> model = LinkModel.blank_loop(Lattice(3, 3))
    >>> len(model.degrees), len(model.faces), model.loop
    (9, 4, True)
    """

    board: Board
    degrees: bytes
    faces: Sequence[int]
    terminals: tuple[tuple[int, int], ...] = ()
    loop: bool = False
    given: tuple[int, ...] = ()
    forbidden: tuple[int, ...] = ()
    shapes: tuple[Shape, ...] = ()
    counts: tuple[Count, ...] = ()
    clauses: Sequence[Clause] = ()
    sources: tuple[Source, ...] = field(default=(), compare=False, repr=False)
    kind: str | None = field(default=None, compare=False, repr=False)

    def __post_init__(self) -> None:
        board = _checked_board(self.board)
        if not isinstance(self.degrees, bytes):
            raise ValueError("expected the degree masks as bytes")
        object.__setattr__(self, "faces", tuple(self.faces))
        if len(self.degrees) != board.num_vertices or len(self.faces) != board.num_faces:
            raise ValueError("need one degree mask per vertex and one count mask per face")
        self._check_faces()
        object.__setattr__(self, "terminals", _pairs(board, self.terminals))
        ends = [vertex for pair in self.terminals for vertex in pair]
        if len(set(ends)) != len(ends):
            raise ValueError(f"terminals must be different vertices, got {self.terminals}")
        if self.loop and ends:
            raise ValueError("a loop has no terminals")
        masks = _FREE if self.free_ends else _BETWEEN_ENDS
        fitting = bytearray(self.degrees)
        for vertex in ends:
            # The check below accepts any valid mask, and refuses a terminal with another mask.
            fitting[vertex] = PASS if fitting[vertex] == END else END
        if fitting.translate(None, masks):
            vertex = next(at for at, mask in enumerate(fitting) if mask not in masks)
            mask = self.degrees[vertex]
            raise ValueError(f"degree mask {mask:#b} at vertex {vertex} is not supported")
        self._normalise_edges()
        if (self.shapes, self.counts, self.clauses) != ((), (), ()):
            self._normalise_constraints()

    def _check_faces(self) -> None:
        # There are few different masks, and nearly all of them fit.
        for mask in set(self.faces):
            checked_int(mask, "a face mask", 0)
        if any(map(gt, self.faces, self.board.free_masks)):
            face = next(compress(count(), map(gt, self.faces, self.board.free_masks)))
            most = self.board.free_masks[face].bit_length() - 1
            raise ValueError(
                f"the mask of face {face} has bits 0 to {most} only, got {self.faces[face]:#b}"
            )

    def count_of_edges(self) -> Count:
        """Return the constraint on the length of one path through all vertices but the holes.

        A solution with `free_ends` satisfies it, and a cycle through these vertices does not.
        """
        from linkoracle.board.constraints import Count

        used = len(self.degrees) - self.degrees.count(HOLE)
        return Count(tuple(range(1, 1 + self.board.num_edges)), 1 << used - 1)

    def _normalise_constraints(self) -> None:
        """Make the constraints tuples of plain numbers."""
        # Most models have none.
        from linkoracle.board.constraints import Apart, Count, Shape, checked_clauses

        board = self.board
        shapes = tuple(Shape(*shape).checked(board) for shape in self.shapes)
        counts = tuple(Count(*count).checked(board.num_variables) for count in self.counts)
        object.__setattr__(self, "shapes", shapes)
        object.__setattr__(self, "counts", counts)
        if not isinstance(self.clauses, Apart):
            object.__setattr__(self, "clauses", checked_clauses(self.clauses))

    @property
    def lattice(self) -> Lattice:
        """The board, if it is a square one; `NotSupported` if not."""
        board: Lattice = self.board.squares()
        return board

    def squares(self, what: str) -> Lattice:
        """Return the square board of a model with `only_masks`; raise `NotSupported` if not.

        ``what`` names the feature that supports no others.

        >>> LinkModel.blank_loop(Board(1, [])).squares("grading")
        Traceback (most recent call last):
            ...
        linkoracle.core.errors.NotSupported: expected a square board for grading, found ...
        """
        board: Lattice = self.board.squares(f"a square board for {what}")
        if not self.only_masks:
            raise NotSupported(f"{what} does not take shapes, counts and clauses")
        return board

    def _normalise_edges(self) -> None:
        """Bring given and forbidden edges into order, and refuse what contradicts itself."""
        for name in ("given", "forbidden"):
            if (edges := getattr(self, name)) != ():
                most = self.board.num_edges - 1
                ids = {checked_int(edge, f"a {name} edge", 0, most) for edge in edges}
                object.__setattr__(self, name, tuple(sorted(ids)))
        for edge in set(self.given).intersection(self.forbidden):
            raise ValueError(f"edge {edge} is both given and forbidden")
        for edge in self.given:
            for vertex in self.board.ends(edge):
                if self.degrees[vertex] == HOLE:
                    raise ValueError(f"edge {edge} is given, but its end {vertex} is a hole")

    @classmethod
    def blank_loop(cls, board: Board) -> LinkModel:
        """Return the model whose solutions are all cycles of the board."""
        degrees = bytes([PASS_OR_SKIP]) * _checked_board(board).num_vertices
        return cls(board, degrees, board.free_masks, loop=True)

    @classmethod
    def blank_paths(
        cls, board: Board, pairs: Iterable[tuple[int, int]], *, cover: bool = False
    ) -> LinkModel:
        """Return the model of disjoint paths that join ``pairs`` of vertex ids.

        With ``cover``, the paths use every vertex.
        """
        terminals = _pairs(_checked_board(board), pairs)
        degrees = bytearray([PASS if cover else PASS_OR_SKIP]) * board.num_vertices
        for pair in terminals:
            for vertex in pair:
                degrees[vertex] = END
        return cls(board, bytes(degrees), board.free_masks, terminals)

    def with_faces(self, clues: Mapping[Any, int | Iterable[int]]) -> Self:
        """Return this model with clues: for a face its number of chosen edges, or allowed numbers.

        A face is named as `Board.face_of` takes it, on squares ``(row, column)``. Raises
        ``ValueError`` for a face off the board, and for more edges than the face has.

        >>> LinkModel.blank_loop(Lattice(2, 3)).with_faces({(0, 0): 3, (0, 1): {0, 1}}).faces
        (8, 3)
        """
        faces = list(self.faces)
        for name, clue in clues.items():
            face = self.board.face_of(name)
            faces[face] = count_mask(clue, self.board.free_masks[face].bit_length() - 1)
        return replace(self, faces=faces)

    def with_constraints(
        self,
        *,
        shapes: Iterable[Shape] = (),
        counts: Iterable[Count] = (),
        clauses: Iterable[Iterable[int]] = (),
    ) -> Self:
        """Return this model with more constraints.

        >>> from linkoracle import Count
        >>> model = LinkModel.blank_loop(Lattice(3, 3)).with_constraints(
        ...     counts=[Count.of([Lattice(3, 3).visited(4)], {1})]
        ... )
        >>> model.counts
        (Count(literals=(17,), allowed=2),)
        """
        added = tuple(map(tuple, clauses))
        return replace(
            self,
            shapes=(*self.shapes, *shapes),
            counts=(*self.counts, *counts),
            clauses=(*self.clauses, *added) if added else self.clauses,
        )

    def with_edges(self, given: Iterable[int] = (), forbidden: Iterable[int] = ()) -> Self:
        """Return this model with more edges given, or forbidden.

        >>> square = LinkModel.blank_loop(Lattice(2, 3)).with_edges(given=[3], forbidden=[6])
        >>> square.given, square.forbidden
        ((3,), (6,))
        """
        given, forbidden = (*self.given, *given), (*self.forbidden, *forbidden)
        # Most puzzles fix no edge, and their models are checked already.
        if (given, forbidden) == (self.given, self.forbidden):
            return self
        return replace(self, given=given, forbidden=forbidden)

    def with_drawn(self, edges: Mapping[int, bool]) -> Self:
        """Return this model with these edges on, if true, or off.

        >>> square = LinkModel.blank_loop(Lattice(2, 3)).with_drawn({3: True, 6: False})
        >>> square.given, square.forbidden
        ((3,), (6,))
        """
        return self.with_edges(
            given=[edge for edge, on in edges.items() if on],
            forbidden=[edge for edge, on in edges.items() if not on],
        )

    def with_holes(self, vertices: Iterable[int]) -> Self:
        """Return this model with these vertices as holes: no line uses them.

        Raises ``ValueError`` for a terminal, and for an end of a given edge.

        >>> LinkModel.blank_loop(Lattice(3, 3)).with_holes([4]).holes
        (4,)
        """
        degrees = bytearray(self.degrees)
        for vertex in vertices:
            degrees[checked_int(vertex, "a hole", 0, len(degrees) - 1)] = HOLE
        return replace(self, degrees=bytes(degrees))

    @property
    def holes(self) -> tuple[int, ...]:
        """The vertices that no line may use, in increasing order."""
        return tuple(vertex for vertex, mask in enumerate(self.degrees) if mask == HOLE)

    @property
    def free_ends(self) -> bool:
        """Whether the solution is one path that may end at any vertex whose mask allows it."""
        return not (self.loop or self.terminals) and any(mask & END for mask in self.degrees)

    @property
    def has_fixed_edges(self) -> bool:
        """Whether some edge is given or forbidden."""
        return bool(self.given or self.forbidden)

    @property
    def has_face_rules(self) -> bool:
        """Whether some face restricts its count."""
        return self.faces != self.board.free_masks

    @property
    def only_masks(self) -> bool:
        """Whether masks and fixed edges are the only local constraints."""
        return not (self.shapes or self.counts or self.clauses or self.free_ends)

    @cached_property
    def num_variables(self) -> int:
        """Variables of all literals; just the edges with `only_masks`."""
        board = self.board
        if self.only_masks:
            return board.num_edges
        highest = getattr(self.clauses, "highest", None)
        if highest is None:
            highest = max(map(abs, chain.from_iterable(self.clauses)), default=0)
        return max(highest, board.num_variables)

    @property
    def first_fresh(self) -> int:
        """The first variable that is neither an edge, nor a visited vertex, nor in a literal."""
        return max(self.num_variables, self.board.num_edges + self.board.num_vertices) + 1

    @property
    def has_auxiliary(self) -> bool:
        """Whether a clause has an auxiliary variable."""
        return bool(self.clauses) and self.num_variables > self.board.num_variables

    @property
    def is_balanced(self) -> bool:
        """Whether a checkerboard argument allows that all vertices that must be used are used.

        Where the vertices have two colours so that each edge joins both, lines alternate between
        them. So the vertices of a loop are as many black as white, and a path has one more of a
        colour if both of its ends have that colour. To a SAT solver that is a pigeonhole problem,
        which it can state but hardly refute. True where a vertex may be left out. O(vertices).
        """
        degrees = self.degrees
        if PASS_OR_SKIP in degrees or (sides := self.board.sides) is None:
            return True
        black = [mask for mask, side in zip(degrees, sides, strict=True) if side == 0]
        used, black_used = (len(masks) - masks.count(HOLE) for masks in (degrees, black))
        if self.free_ends:
            return abs(2 * black_used - used) <= 1
        ends = [sides[vertex] == 0 for pair in self.terminals for vertex in pair]
        return 2 * (2 * black_used - used) == 2 * sum(ends) - len(ends)

    def all_counts(self) -> Iterator[Count]:
        """Yield shapes, counts, clauses and the definitions of visited vertices, all as counts.

        Together with the masks, these are all local constraints.
        """
        from linkoracle.board.constraints import at_least_one

        yield from self.counts
        if self.free_ends:
            yield self.count_of_edges()
        board = self.board
        for shape in self.shapes:
            yield from map(at_least_one, shape.excluded(board, self.degrees[shape.vertex]))
        yield from map(at_least_one, self.clauses)
        counted = (count.literals for count in self.counts)
        literals = set(map(abs, chain.from_iterable(chain(counted, self.clauses))))
        for visited in sorted(literals):
            if board.num_edges < visited <= board.num_variables:
                vertex = visited - board.num_edges - 1
                yield from _visits(visited, tuple(board.edges_at(vertex)))

    @property
    def is_free(self) -> bool:
        """Whether solutions are paths that may leave out any vertex, without further constraints.

        Then a path may be rerouted wherever there is room: see `linkoracle.board.homotopy`. Models
        with holes or fixed edges are not free. Neither are boards that are not squares: the theory
        of taut solutions covers squares only.

        >>> LinkModel.blank_paths(Lattice(2, 3), [(0, 5)]).is_free
        True
        """
        return self._only_joins(PASS_OR_SKIP)

    @property
    def relaxed(self) -> LinkModel | None:
        """The relaxation: the free model of the same pairs, if all vertices must be used.

        It has all solutions of this model. ``None`` for models with other constraints.

        >>> LinkModel.blank_paths(Lattice(2, 2), [(0, 1)], cover=True).relaxed.is_free
        True
        """
        free = self._only_joins(PASS)
        return LinkModel.blank_paths(self.board, self.terminals) if free else None

    def _only_joins(self, mask: int) -> bool:
        """Whether solutions are paths whose only constraint is this mask at all other vertices."""
        fixed = self.has_face_rules or self.has_fixed_edges
        if not (self.terminals and self.only_masks and self.board.is_taut) or fixed:
            return False
        return self.degrees.count(mask) == len(self.degrees) - 2 * len(self.terminals)


# Cached, as a generator tries many puzzles on a board.
@lru_cache(maxsize=1 << 12)
def _visits(visited: int, edges: tuple[int, ...]) -> list[Count]:
    """Return counts that define the variable of a visited vertex with these edges."""
    from linkoracle.board.constraints import at_least_one

    lines = [edge + 1 for edge in edges]
    return [at_least_one((-visited, *lines)), *(at_least_one((visited, -one)) for one in lines)]


def _checked_board(board: object) -> Board:
    if not isinstance(board, Board):
        raise ValueError(f"expected a board, such as Lattice(3, 4), got {board!r}")
    return board


def count_mask(clue: object, most: int) -> int:
    """Return the count mask of a clue: a number up to ``most``, or allowed numbers.

    Raises ``ValueError`` for anything else.

    >>> count_mask(3, 4), count_mask({0, 2}, 4)
    (8, 5)
    """
    if isinstance(clue, Iterable) and not isinstance(clue, (str, bytes)):
        return sum({1 << checked_int(value, "a clue", 0, most) for value in clue})
    return 1 << checked_int(clue, "a clue", 0, most)


def without_auxiliary(model: LinkModel, what: str) -> LinkModel:
    """Return the model; raise `NotSupported` if it has auxiliary variables or free ends.

    ``what`` names the feature that does not support them.
    """
    if model.has_auxiliary:
        raise NotSupported(f"{what} does not take auxiliary variables")
    if model.free_ends:
        raise NotSupported(f"{what} does not take a path whose ends are free")
    return model


def _pairs(board: Board, pairs: Iterable[tuple[int, int]]) -> tuple[tuple[int, int], ...]:
    """Return the pairs as vertex ids; ``ValueError`` for anything else."""
    last, found = board.num_vertices - 1, []
    for pair in pairs:
        try:
            one, other = pair
        except (TypeError, ValueError):
            raise ValueError(f"expected a pair of terminals, got {pair!r}") from None
        one, other = (checked_int(end, "a terminal", 0, last) for end in (one, other))
        found.append((one, other))
    return tuple(found)


class HasModel(Protocol):
    """Anything with a `LinkModel`: a puzzle of any kind."""

    @property
    def model(self) -> LinkModel: ...


#: What queries take: a model, or anything that has one.
Modelled = LinkModel | HasModel


def model_of(puzzle: Modelled) -> LinkModel:
    """Return the model of a puzzle or model; raise ``ValueError`` for any other object.

    >>> blank = LinkModel.blank_loop(Lattice(3, 3))
    >>> model_of(blank) is blank
    True
    """
    model = puzzle if isinstance(puzzle, LinkModel) else getattr(puzzle, "model", None)
    if not isinstance(model, LinkModel):
        raise ValueError(f"expected a LinkModel or something with a .model, got {puzzle!r}")
    return model
