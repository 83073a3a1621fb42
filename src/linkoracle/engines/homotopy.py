"""Decide a free Numberlink by the homotopy classes of its paths.

`HomotopyClauses` describe the possible homotopy classes. There are few of them, and a solver that
knows nothing of cells refutes most. The search on cells tests each of the others, under conditions
that the class implies. If the conditions are satisfiable, there is a solution. The refuted
conditions, usually a handful, exclude this class and many others (`HomotopySearch`).

The clauses describe the edges of a `Triangulation`: which paths cross each edge, in order. They do
not mention cells. `docs/explanation/homotopy.md` proves that every solution of the board satisfies
them. The reverse is false: they know capacities only along edges, and allow additional cycles.

The paths are drawn as tight as possible, so that inside a triangle each piece of a path

* cuts off a corner, from an edge to another;
* or leaves the terminal at a corner, through the opposite edge;
* or joins the two terminals of an edge, which no path crosses then.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import combinations, pairwise
from typing import NamedTuple

from linkoracle.board import LinkModel, Solution, Triangle, Triangulation
from linkoracle.core import ConflictLimit, Deadline
from linkoracle.engines.answers import PIECE
from linkoracle.engines.clauses import Add, Colours, PieceSolver, on_path
from linkoracle.engines.search import LazySearch

#: A function that accepts a clause, one argument per literal.
Say = Callable[..., None]

#: A literal that is true.
_TRUE = 1


class Crossing(NamedTuple):
    """A path crosses an edge between ``before`` and ``after`` others.

    Before means: nearer to the first end of the edge.
    """

    edge: int
    number: int
    before: int
    after: int


class HomotopyClauses:
    """Variables and clauses for one model of paths. Raises ``ValueError`` for other models.

    The constructor takes O(points**3) time, up to the ``deadline``. There are O(edges * cells**2 *
    bits) clauses, where ``cells`` is the number of cells on an edge.

    >>> from linkoracle.board import Lattice
    >>> model = LinkModel.blank_paths(Lattice(2, 2), [(0, 3)])
    >>> stated = []
    >>> clauses = HomotopyClauses(model)
    >>> clauses.state(stated.append, Deadline(None))
    >>> clauses.num_variables, len(stated)
    (14, 28)
    """

    def __init__(self, model: LinkModel, deadline: Deadline | None = None) -> None:
        self.board = Triangulation(model, deadline)
        self._lattice = model.lattice
        self._bits = max(1, (len(model.terminals) - 1).bit_length())
        self.num_variables = _TRUE
        #: For each edge, whether it is crossed at least once, twice, ...
        self._crossed: list[range] = []
        #: For each edge and each of its ends, the number in binary of the path that crosses it
        #: first, second, ... from that end.
        self._colours: list[dict[int, list[range]]] = []
        for edge, cells in zip(self.board.edges, self.board.cells, strict=True):
            self._crossed.append(self._new(len(cells)))
            self._colours.append({end: [self._new(self._bits) for _ in cells] for end in edge})
        #: For each triangle and corner, whether at least one, two, ... pieces cut the corner off.
        self._cut: list[list[range]] = []
        #: For each triangle and corner, whether a path leaves the terminal there; false if none
        #: can.
        self._leaves: list[list[int]] = []
        #: For each terminal, the literals for the ways to leave it.
        self._exits: list[list[int]] = [[] for _ in range(2 * len(model.terminals))]
        for triangle in self.board.triangles:
            capacities = [len(self._crossed[edge]) for edge in triangle.edges]
            self._cut.append(
                [self._new(min(capacities[place - 1], capacities[place - 2])) for place in range(3)]
            )
            leaves = []
            for point, capacity in zip(triangle.points, capacities, strict=True):
                if point < len(self._exits) and capacity:
                    leaves.append(self._new(1)[0])
                    self._exits[point].append(leaves[-1])
                else:
                    leaves.append(-_TRUE)
            self._leaves.append(leaves)
        #: For each edge that joins the two terminals of a path, whether the path runs along it.
        self._along: dict[int, int] = {}
        for number, (one, other) in enumerate(self.board.edges):
            if one % 2 == 0 and other == one + 1 < len(self._exits):
                self._along[number] = self._new(1)[0]
                for end in (one, other):
                    self._exits[end].append(self._along[number])

    def _new(self, count: int) -> range:
        first = self.num_variables + 1
        self.num_variables += count
        return range(first, first + count)

    def state(self, add: Add, deadline: Deadline) -> None:
        """Call ``add`` with each clause. Raises `SearchTimeout` at the deadline."""

        def say(*clause: int) -> None:
            if _TRUE not in clause:
                # Not every solver accepts the empty clause.
                add([literal for literal in clause if literal != -_TRUE] or [-_TRUE])

        add([_TRUE])
        for edge in range(len(self._crossed)):
            deadline.check()
            self._state_edge(edge, say)
        for triangle, cut, leaves in zip(
            self.board.triangles, self._cut, self._leaves, strict=True
        ):
            deadline.check()
            for place in range(3):
                self._state_corner(triangle, place, cut[place], say)
                self._state_side(triangle, place, cut, leaves[place], say)
                # A path that leaves a corner excludes pieces that cut it off, and other leavers.
                say(-leaves[place], -least(cut[place], 1))
                say(-leaves[place], -leaves[place - 1])
        for edge, along in self._along.items():
            say(-along, -least(self._crossed[edge], 1))
        for exits in self._exits:
            say(*exits)
            for one, other in combinations(exits, 2):
                say(-one, -other)

    def _state_edge(self, edge: int, say: Say) -> None:
        """State that the orders of crossings from both ends are the reverse of each other."""
        crossed = self._crossed[edge]
        for fewer, more in pairwise(crossed):
            say(-more, fewer)
        from_one, from_other = self._colours[edge].values()
        for number in range(1, len(crossed) + 1):
            exactly = (-least(crossed, number), least(crossed, number + 1))
            for place in range(number):
                self._same(from_one[place], from_other[number - 1 - place], exactly, say)

    def _state_corner(self, triangle: Triangle, place: int, cut: range, say: Say) -> None:
        """State that pieces that cut a corner off cross its two edges in the same order."""
        corner = triangle.points[place]
        one, other = (self._colours[triangle.edges[place - back]][corner] for back in (1, 2))
        for fewer, more in pairwise(cut):
            say(-more, fewer)
        for crossing, variable in enumerate(cut):
            self._same(one[crossing], other[crossing], (-variable,), say)

    def _state_side(
        self, triangle: Triangle, place: int, cut: list[range], leaves: int, say: Say
    ) -> None:
        """State which pieces cross an edge: they cut off its ends or leave the third corner."""
        edge, corner = triangle.edges[place], triangle.points[place]
        crossed = self._crossed[edge]
        one, other = cut[place - 2], cut[place - 1]
        for i in range(len(one) + 1):
            for j in range(len(other) + 1):
                exactly = (least(one, i + 1), least(other, j + 1))
                say(-least(one, i), -least(other, j), least(crossed, i + j))
                say(-least(one, i), -least(other, j), -leaves, least(crossed, i + j + 1))
                say(*exactly, leaves, -least(crossed, i + j + 1))
                say(*exactly, -least(crossed, i + j + 2))
        if leaves == -_TRUE:
            return
        for back, pieces in ((2, one), (1, other)):
            colours = self._colours[edge][triangle.points[place - back]]
            for i, colour in enumerate(colours[: len(pieces) + 1]):
                exactly = (-least(pieces, i), least(pieces, i + 1))
                for literal in on_path(colour, corner // 2):
                    say(-leaves, *exactly, literal)

    def _same(self, one: range, other: range, unless: tuple[int, ...], say: Say) -> None:
        """State that two crossings belong to one path unless a literal of ``unless`` is true."""
        for first, second in zip(one, other, strict=True):
            say(*unless, -first, second)
            say(*unless, first, -second)

    def splitting(self, count: int) -> list[int]:
        """Return up to ``count`` literals that split the homotopy classes into cubes.

        Each means that an edge in the middle of the board, with three cells if possible, is crossed
        at least twice.

        >>> from linkoracle.board import Lattice
        >>> board = LinkModel.blank_paths(Lattice(5, 9), [(0, 18), (2, 20), (8, 26)])
        >>> len(HomotopyClauses(board).splitting(2))
        2
        """
        terminals = len(self._exits)

        def unfit(edge: int) -> tuple[int, int]:
            (row, col), (other_row, other_col) = (
                self.board.points[end] for end in self.board.edges[edge]
            )
            # Twice the distance between its middle and that of the board.
            away = abs(row + other_row + 1 - self._lattice.rows)
            away += abs(col + other_col + 1 - self._lattice.cols)
            return abs(len(self._crossed[edge]) - 3), away

        between = (
            edge
            for edge, (_, last) in enumerate(self.board.edges)
            if last < terminals and len(self._crossed[edge]) > 1
        )
        return [self._crossed[edge][1] for edge in sorted(between, key=unfit)[:count]]

    def crossings(self, model: Sequence[int]) -> list[Crossing]:
        """Return which paths cross which edges in a model of the clauses, as from PySAT."""
        found = []
        for edge, crossed in enumerate(self._crossed):
            number = sum(model[variable - 1] > 0 for variable in crossed)
            colours = self._colours[edge][self.board.edges[edge][0]]
            for before, colour in enumerate(colours[:number]):
                path = sum((model[bit - 1] > 0) << place for place, bit in enumerate(colour))
                found.append(Crossing(edge, path, before, number - 1 - before))
        return found

    def excluding(self, crossing: Crossing) -> list[int]:
        """Return a clause that excludes this crossing with at least as many others."""
        colours = self._colours[crossing.edge][self.board.edges[crossing.edge][0]]
        path = on_path(colours[crossing.before], crossing.number)
        total = crossing.before + 1 + crossing.after
        return [-least(self._crossed[crossing.edge], total), *(-literal for literal in path)]


def least(variables: range, number: int) -> int:
    """Return the literal for "at least ``number``", from variables for at least one, two, ...

    >>> least(range(5, 8), 0), least(range(5, 8), 2), least(range(5, 8), 4)
    (1, 6, -1)
    """
    if number <= 0:
        return _TRUE
    return variables[number - 1] if number <= len(variables) else -_TRUE


#: Options of CaDiCaL with which it takes a fifth less time for these clauses.
_OPTIONS = {"chrono": 0, "bumpreasondepth": 3, "shrink": 0}

#: Conflict budget to refute fewer conditions.
_LESS_CONFLICTS = 1_000


class HomotopySearch:
    """Solutions of the model of ``search``, found by ``find`` under assumptions.

    ``colours`` and ``used`` are the variables for the path of each vertex and for whether it has
    one, from the clauses of taut solutions. Raises `SearchTimeout` if the clauses are not complete
    at the deadline. `close` frees the solver.
    """

    def __init__(
        self,
        search: LazySearch,
        colours: Colours,
        used: range,
        find: Callable[[list[int], Deadline], Solution | None],
        deadline: Deadline,
    ) -> None:
        self._search, self._colours, self._used, self._find = search, colours, used, find
        self._clauses = HomotopyClauses(search.model, deadline)
        self._next = self._clauses.num_variables + 1
        self._solver = PieceSolver(search.solver_name, PIECE, _OPTIONS)
        self._clauses.state(self._solver.add, deadline)
        #: The literal of this solver for an assumption of the search on cells.
        self._guards: dict[int, int] = {}
        #: The literals of the search on cells for crossings, and for vertices on paths.
        self._conditions: dict[Crossing, int] = {}
        self._on_path: dict[tuple[int, int], int] = {}

    def cube(self, number: int, bits: int) -> list[int] | None:
        """Return the literals of one of ``2**bits`` cubes; ``None`` if there are fewer cubes."""
        splitting = self._clauses.splitting(bits)
        if number >> len(splitting):
            return None
        return [
            literal if number >> place & 1 else -literal for place, literal in enumerate(splitting)
        ]

    def close(self) -> None:
        """Free the solver; it cannot be used afterwards."""
        self._solver.close()

    def find(
        self, assumed: list[int], deadline: Deadline, cube: list[int] | None = None
    ) -> Solution | None:
        """Return a taut solution under assumptions, or ``None``.

        With a ``cube``, ``None`` means that there is none in the cube; a solution may be in
        another one. Raises `SearchTimeout` and `ConflictLimit`; the next query uses everything
        learned so far.
        """
        for literal in assumed:
            if literal not in self._guards:
                self._guards[literal] = self._next
                self._next += 1
        guards = [self._guards[literal] for literal in assumed]
        while self._solver.solve([*guards, *(cube or ())], deadline):
            crossings = {
                self._condition(crossing): crossing
                for crossing in self._clauses.crossings(self._solver.model())
            }
            found = self._find([*assumed, *crossings], deadline)
            if found is None:
                core, found = self._less(assumed, crossings, deadline)
            if found is not None:
                return found
            refuted = [-self._guards[literal] for literal in assumed if literal in core]
            for literal in core & crossings.keys():
                refuted += self._clauses.excluding(crossings[literal])
            if not refuted:
                return None
            self._solver.add(refuted)
        return None

    def _less(
        self, assumed: list[int], crossings: dict[int, Crossing], deadline: Deadline
    ) -> tuple[set[int], Solution | None]:
        """Return a smaller set of refuted assumptions; or a solution, if one is found.

        Fewer conditions exclude more classes. The literals ``assumed`` always hold: without them, a
        solution would not answer the query.
        """
        core = self._search.core
        for literal in sorted(core & crossings.keys()):
            if literal not in core:
                continue
            fewer = sorted(core & crossings.keys() - {literal})
            try:
                found = self._find([*assumed, *fewer], deadline.with_conflicts(_LESS_CONFLICTS))
            except ConflictLimit:
                continue
            if found is not None:
                return core, found
            core = self._search.core
        return core, None

    def _condition(self, crossing: Crossing) -> int:
        """Return the literal for "this path uses a cell where it can cross the edge"."""
        literal = self._conditions.get(crossing)
        if literal is None:
            literal = self._conditions[crossing] = self._search.new_variables(1)
            cells = self._clauses.board.cells[crossing.edge]
            there = cells[crossing.before : len(cells) - crossing.after]
            on_path = [self._vertex_on(vertex, crossing.number) for vertex in there]
            self._search.add([[-literal, *on_path]])
        return literal

    def _vertex_on(self, vertex: int, number: int) -> int:
        """Return the literal for "this path uses the vertex"."""
        literal = self._on_path.get((vertex, number))
        if literal is None:
            literal = self._on_path[vertex, number] = self._search.new_variables(1)
            own = [self._used[vertex], *on_path(self._colours.of(vertex), number)]
            self._search.add([[-literal, other] for other in own])
        return literal
