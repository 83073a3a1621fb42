"""`LinkModel`: what both engines solve.

A link puzzle is a subset of the edges of a lattice under local rules (how many chosen edges each
vertex and each face may have) and one global rule (a single loop; or paths that join terminals).
A puzzle translates itself into a `LinkModel`; the engines know nothing else.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Protocol, Self

from linkoracle.board.lattice import Lattice, Solution
from linkoracle.core.errors import counted
from linkoracle.core.limits import checked_int

#: Face mask of a face without a rule: any number of its four edges may be chosen.
ANY_COUNT = 0b11111
#: Degree mask of a vertex that a line may pass through or leave out.
PASS_OR_SKIP = 0b101
#: Degree mask of a vertex that a line must pass through.
PASS = 0b100
#: Degree mask of a terminal.
END = 0b010
#: Degree mask of a vertex that no line may use.
HOLE = 0b001
#: The degree masks that a vertex may have which is no terminal.
_BETWEEN_ENDS = bytes([HOLE, PASS, PASS_OR_SKIP])


@dataclass(frozen=True)
class LinkModel:
    """One puzzle, as the engines see it. Immutable and hashable.

    ``degrees[v]`` is a bitmask: bit *d* is set when vertex *v* may have *d* chosen edges. A
    terminal's mask is `END`; any other vertex's is `PASS_OR_SKIP`, `PASS`, or `HOLE`.
    ``faces[f]`` is the same for the number of chosen edges around face *f* (bits 0 to 4).
    ``terminals`` are pairs of vertex ids: pair *i* has the ends of path *i*.
    ``given`` and ``forbidden`` are ids of edges that every solution has, or has not; they are kept
    in increasing order.

    The global rule: without terminals and with ``loop`` true the chosen edges form exactly one
    cycle and nothing else (the empty set is not a cycle); otherwise they form one path for each
    pair of terminals and nothing else.

    Raises ``ValueError`` when the arrays have the wrong length, a mask or an id makes no sense, or
    an edge is given that is forbidden or that has a hole for an end.

    >>> model = LinkModel.blank_loop(Lattice(3, 3))
    >>> len(model.degrees), len(model.faces), model.loop
    (9, 4, True)
    """

    lattice: Lattice
    degrees: bytes
    faces: bytes
    terminals: tuple[tuple[int, int], ...] = ()
    loop: bool = False
    given: tuple[int, ...] = ()
    forbidden: tuple[int, ...] = ()

    def __post_init__(self) -> None:
        lattice = _checked_lattice(self.lattice)
        if not isinstance(self.degrees, bytes) or not isinstance(self.faces, bytes):
            raise ValueError("expected the degree and face masks as bytes")
        if len(self.degrees) != lattice.num_vertices or len(self.faces) != lattice.num_faces:
            raise ValueError("need one degree mask per vertex and one count mask per face")
        if max(self.faces, default=0) > ANY_COUNT:
            raise ValueError("a face mask has bits 0 to 4 only")
        object.__setattr__(self, "terminals", _pairs(lattice, self.terminals))
        ends = [vertex for pair in self.terminals for vertex in pair]
        if len(set(ends)) != len(ends):
            raise ValueError(f"terminals must be different vertices, got {self.terminals}")
        if self.loop and ends:
            raise ValueError("a loop has no terminals")
        fitting = bytearray(self.degrees)
        for vertex in ends:
            # An end where it is expected is as good as any other mask.
            fitting[vertex] = PASS if fitting[vertex] == END else END
        if fitting.translate(None, _BETWEEN_ENDS):
            vertex = next(at for at, mask in enumerate(fitting) if mask not in _BETWEEN_ENDS)
            mask = self.degrees[vertex]
            raise ValueError(f"degree mask {mask:#b} at vertex {vertex} is not supported")
        self._settle_edges()

    def _settle_edges(self) -> None:
        """Bring given and forbidden edges into order, and refuse what contradicts itself."""
        for name in ("given", "forbidden"):
            if edges := getattr(self, name):
                most = self.lattice.num_edges - 1
                ids = {checked_int(edge, f"a {name} edge", 0, most) for edge in edges}
                object.__setattr__(self, name, tuple(sorted(ids)))
        for edge in set(self.given).intersection(self.forbidden):
            raise ValueError(f"edge {edge} is both given and forbidden")
        for edge in self.given:
            for vertex in self.lattice.ends(edge):
                if self.degrees[vertex] == HOLE:
                    raise ValueError(f"edge {edge} is given, but its end {vertex} is a hole")

    @classmethod
    def blank_loop(cls, lattice: Lattice) -> LinkModel:
        """The model whose solutions are all cycles of the lattice graph."""
        _checked_lattice(lattice)
        degrees = bytes([PASS_OR_SKIP]) * lattice.num_vertices
        return cls(lattice, degrees, bytes([ANY_COUNT]) * lattice.num_faces, loop=True)

    @classmethod
    def blank_paths(
        cls, lattice: Lattice, pairs: Iterable[tuple[int, int]], *, cover: bool = False
    ) -> LinkModel:
        """Disjoint paths joining ``pairs`` of vertex ids; with ``cover`` every vertex is used."""
        terminals = _pairs(_checked_lattice(lattice), pairs)
        degrees = bytearray([PASS if cover else PASS_OR_SKIP]) * lattice.num_vertices
        for pair in terminals:
            for vertex in pair:
                degrees[vertex] = END
        return cls(lattice, bytes(degrees), bytes([ANY_COUNT]) * lattice.num_faces, terminals)

    def with_edges(self, given: Iterable[int] = (), forbidden: Iterable[int] = ()) -> Self:
        """This model with more edges given, or forbidden.

        >>> square = LinkModel.blank_loop(Lattice(2, 3)).with_edges(given=[3], forbidden=[6])
        >>> square.given, square.forbidden
        ((3,), (6,))
        """
        given, forbidden = (*self.given, *given), (*self.forbidden, *forbidden)
        # Most puzzles fix no edge, and their models are checked already.
        if (given, forbidden) == (self.given, self.forbidden):
            return self
        return replace(self, given=given, forbidden=forbidden)

    def with_holes(self, vertices: Iterable[int]) -> Self:
        """This model without these vertices: no line uses them.

        Raises ``ValueError`` for a terminal, and for an end of a given edge.

        >>> LinkModel.blank_loop(Lattice(3, 3)).with_holes([4]).holes
        (4,)
        """
        degrees = bytearray(self.degrees)
        for vertex in vertices:
            degrees[checked_int(vertex, "a hole", 0, len(degrees) - 1)] = HOLE
        return replace(self, degrees=bytes(degrees))

    def violations(self, solution: Solution | Iterable[int]) -> list[str]:
        """Return the constraints that ``solution`` breaks, a sentence each. O(vertices).

        ``solution`` is a `Solution` or the ids of its edges. The list is empty when it is right.
        Raises ``ValueError`` for anything else.

        >>> LinkModel.blank_loop(Lattice(2, 3)).violations([0, 1, 3, 5])
        []
        >>> LinkModel.blank_loop(Lattice(2, 2)).with_edges(forbidden=[3]).violations(range(4))
        ['edge 3 is forbidden']
        """
        solution = Solution.of(self.lattice, solution)
        if solution.lattice != self.lattice:
            size = f"{self.lattice.rows}x{self.lattice.cols}"
            return [f"the solution is not drawn on {size} vertices"]
        return [*self._local_faults(solution)] or [*self._line_faults(solution)]

    def _local_faults(self, solution: Solution) -> Iterator[str]:
        """The edges that are fixed otherwise, and the vertices and faces whose mask is broken."""
        chosen = solution.marks()
        yield from (
            f"edge {edge} is given, but not chosen" for edge in self.given if not chosen[edge]
        )
        yield from (f"edge {edge} is forbidden" for edge in self.forbidden if chosen[edge])
        counts = [0] * self.lattice.num_vertices
        for edge in solution:
            for vertex in self.lattice.ends(edge):
                counts[vertex] += 1
        around = [count for row in solution.clues() for count in row]
        for what, masks, found in (("vertex", self.degrees, counts), ("face", self.faces, around)):
            for place, (mask, count) in enumerate(zip(masks, found, strict=True)):
                if not mask >> count & 1:
                    allowed = " or ".join(str(k) for k in range(5) if mask >> k & 1) or "no number"
                    yield f"{what} {place} has {counted(count, 'edge')}, expected {allowed}"

    def _line_faults(self, solution: Solution) -> Iterator[str]:
        """Why edges that fit each vertex are not one loop, or not one path for each pair."""
        paths = solution.paths()
        closed = sum(path[0] == path[-1] for path in paths)
        if closed != self.loop:
            yield f"the edges form {counted(closed, 'cycle')}, expected {int(self.loop)}"
        pairs = {tuple(sorted(pair)) for pair in self.terminals}
        for path in paths:
            first, last = (self.lattice.vertex(*path[at]) for at in (0, -1))
            if first != last and (first, last) not in pairs:
                yield f"a path joins the vertices {first} and {last}, which are not a pair"

    @property
    def holes(self) -> tuple[int, ...]:
        """The vertices that no line may use, in increasing order."""
        return tuple(vertex for vertex, mask in enumerate(self.degrees) if mask == HOLE)

    @property
    def has_fixed_edges(self) -> bool:
        """Whether some edge is given or forbidden."""
        return bool(self.given or self.forbidden)

    @property
    def has_face_rules(self) -> bool:
        """Whether some face restricts its count."""
        return any(mask != ANY_COUNT for mask in self.faces)

    @property
    def is_free(self) -> bool:
        """Whether paths are wanted, which may leave out any vertex, and there is no other rule.

        Then a path may be rerouted wherever there is room: see `linkoracle.board.rerouting`. A
        board with holes, or with edges given or forbidden, has not that freedom.

        >>> LinkModel.blank_paths(Lattice(2, 3), [(0, 5)]).is_free
        True
        """
        return self._only_joins(PASS_OR_SKIP)

    @property
    def freed(self) -> LinkModel | None:
        """The free model of the same pairs, if this one only demands that all vertices are used.

        Every solution of this model is one of that. ``None`` for any other model.

        >>> LinkModel.blank_paths(Lattice(2, 2), [(0, 1)], cover=True).freed.is_free
        True
        """
        free = self._only_joins(PASS)
        return LinkModel.blank_paths(self.lattice, self.terminals) if free else None

    def _only_joins(self, mask: int) -> bool:
        """Whether paths are wanted, and the only rule is this mask of all vertices but the ends."""
        if not self.terminals or self.has_face_rules or self.has_fixed_edges:
            return False
        return self.degrees.count(mask) == len(self.degrees) - 2 * len(self.terminals)


def _checked_lattice(lattice: object) -> Lattice:
    if not isinstance(lattice, Lattice):
        raise ValueError(f"expected a Lattice, got {lattice!r}")
    return lattice


def _pairs(lattice: Lattice, pairs: Iterable[tuple[int, int]]) -> tuple[tuple[int, int], ...]:
    """The pairs as vertex ids of the lattice; ``ValueError`` for what is none."""
    last = lattice.num_vertices - 1
    return tuple(
        (checked_int(one, "a terminal", 0, last), checked_int(other, "a terminal", 0, last))
        for one, other in pairs
    )


class HasModel(Protocol):
    """Anything that can be put as a `LinkModel`: a puzzle of any kind."""

    @property
    def model(self) -> LinkModel: ...


#: What may be asked about: a model, or anything that has one.
Modelled = LinkModel | HasModel


def model_of(asked: Modelled) -> LinkModel:
    """The model of what is asked about; ``ValueError`` for what is no model and has none.

    >>> blank = LinkModel.blank_loop(Lattice(3, 3))
    >>> model_of(blank) is blank
    True
    """
    model = asked if isinstance(asked, LinkModel) else getattr(asked, "model", None)
    if not isinstance(model, LinkModel):
        raise ValueError(f"expected a LinkModel or something with a .model, got {asked!r}")
    return model
