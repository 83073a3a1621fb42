"""`TautSearch`: how a Numberlink is asked whether it has one solution.

`docs/taut.md` says why taut solutions suffice. The first one sought leaves no vertex out, the
second is like the first in all but a part of the board. Some boards have none such. On those that
do, they take a handful of conflicts; a search without such limits takes tens of thousands.

Where all vertices must be used, solutions need not be taut. A taut one is found soonest all the
same, and another one in a part of the board.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from linkoracle.board.solution import Solution
from linkoracle.core.errors import ConflictLimit
from linkoracle.core.limits import Deadline
from linkoracle.sat.answers import SIDES
from linkoracle.sat.search import ROOMY, LazySearch

if TYPE_CHECKING:
    from linkoracle.sat.answers import Side
    from linkoracle.sat.clauses import Colours
    from linkoracle.sat.cubes import Cubes
    from linkoracle.sat.homotopy_search import HomotopySearch

#: Conflicts for which a taut solution that leaves no vertex out is sought first. Published boards
#: of up to 30x30 cells have one, and it takes a quarter of them at the most.
_FILLING = 4_000

#: Conflicts for which a solution is sought on cells, before the ways to lead paths are; and at
#: least so many for each vertex.
_CELLS, _A_VERTEX = 4_000, 10

#: Pairs up to which ways are told apart: with more, the terminals alone leave few of them, and it
#: takes seconds to draw the triangles.
_MOST_PAIRS = 100

#: Where all vertices must be used: conflicts for which a solution is sought, and another one,
#: before anything else. Most boards take less.
_FIRST, _SECOND = 1_000, 4_000

#: Conflicts for which another solution is sought in each window, and where all vertices must be
#: used. Nearly all take less.
_NEAR, _FILLED_NEAR = 1_000, 300

#: Vertices across a window, and from one window to the next. Where all vertices must be used, wider
#: windows take much longer.
WIDTH, FILLED_WIDTH, STEP = 14, 10, 4

#: The longer side of a board, in vertices, from which on windows are worth their time, where
#: vertices may be left out. On smaller boards they are hardly easier than the whole of it.
LARGE = 18

#: A solution under assumptions, or ``None`` if there is none.
Find = Callable[[list[int], Deadline], Solution | None]


class TautSearch:
    """Taut solutions of the model of ``search``, found by ``find``; ``side`` is where down is.

    ``colours`` are what `LazySearch.colour` has stated. Raises ``ValueError`` for a side that is
    not one of `SIDES`.
    """

    def __init__(self, search: LazySearch, colours: Colours, find: Find, side: Side) -> None:
        if side not in SIDES:
            raise ValueError(f"expected a side out of {', '.join(SIDES)}; got {side!r}")
        self._search = search
        self._colours = colours
        self._find = find
        self._side = side
        #: The variables that say which vertices are used, once the clauses are stated.
        self._used = range(0)
        self._restriction = 0
        #: Whether a taut solution was sought of a board whose vertices must all be used.
        self._tried = False
        #: What decides boards that the search on cells does not decide soon.
        self._ways: HomotopySearch | None = None
        #: Conflicts that are left for the search on cells, before that.
        self._left_on_cells = max(_CELLS, _A_VERTEX * search.model.lattice.num_vertices)
        #: Whether solutions are sought on cells only, not by the ways to lead paths.
        self.on_cells = len(search.model.terminals) > _MOST_PAIRS
        #: What is divided among processes, if they decide the board together.
        self.cubes: Cubes | None = None
        #: The last solution near which there is no other.
        self._alone: Solution | None = None

    def only(self) -> list[int]:
        """The assumptions that restrict the search to taut solutions."""
        if not self._restriction:
            # Where the rules alone decide, nobody waits for it.
            self._used, self._restriction = self._search.state_taut(
                self._colours, Deadline(None), self._side, guarded=True
            )
        return [self._restriction]

    def first(self, deadline: Deadline) -> Solution | None:
        """A solution, or ``None`` if there is none, taut or not."""
        model = self._search.model
        if not model.is_free:
            return self._filling(deadline)
        if ROOMY * len(model.terminals) <= model.lattice.num_vertices:
            # With so much room, shortest paths one after the other may do.
            from linkoracle.sat.repair import routes

            edges, complete = routes(model)
            if complete:
                return Solution(model.lattice, tuple(edges))
        taut = self.only()
        soon = self._soon([*taut, *self._used], deadline, _FILLING)
        return soon or self._any(taut, None, deadline)

    def _filling(self, deadline: Deadline) -> Solution | None:
        """A solution of a board whose vertices are all used: a taut one is found far sooner."""
        if self._tried:
            return self._find([], deadline)
        try:
            return self._find([], deadline.with_conflicts(_FIRST))
        except ConflictLimit:
            self._tried = True
        taut = self.only()
        try:
            found = self._soon(taut, deadline, _FILLING)
        finally:
            # No other search on this board is restricted.
            self._search.add([[-literal] for literal in taut])
        if found is not None:
            return found
        deadline.spend(_FIRST + _FILLING)
        return self._find([], deadline)

    def second(self, first: Solution, assumed: list[int], deadline: Deadline) -> Solution | None:
        """Another solution than the ``first``, under assumptions that exclude it."""
        if not self._search.model.is_free:
            if not self._tried:
                # A solution that was found at once has others like it, if there are any.
                self._search.prefer(first.edges)
            try:
                return self._find(assumed, deadline.with_conflicts(_SECOND))
            except ConflictLimit:
                deadline.spend(_SECOND)
            return self.near(first, assumed, deadline) or self._find(assumed, deadline)
        return self.near(first, assumed, deadline) or self._any(assumed, first, deadline)

    def _any(
        self, assumed: list[int], first: Solution | None, deadline: Deadline
    ) -> Solution | None:
        """A taut solution other than the ``first``, under assumptions that say so."""
        if self.on_cells:
            return self._find(assumed, deadline)
        if self._ways is None:
            while self._left_on_cells:
                conflicts = min(self._left_on_cells, deadline.conflicts or self._left_on_cells)
                try:
                    return self._find(assumed, deadline.with_conflicts(conflicts))
                except ConflictLimit:
                    self._left_on_cells -= conflicts
                deadline.spend(conflicts)
            # Most boards are decided without.
            from linkoracle.sat.homotopy_search import HomotopySearch

            self._ways = HomotopySearch(
                self._search, self._colours, self._used, self._find, deadline
            )
        if self.cubes is None:
            return self._ways.find(assumed, deadline)
        return self._by_cubes(self._ways, self.cubes, assumed, first, deadline)

    def _by_cubes(
        self,
        ways: HomotopySearch,
        cubes: Cubes,
        assumed: list[int],
        first: Solution | None,
        deadline: Deadline,
    ) -> Solution | None:
        """`_any`, in the cubes that nobody else has decided before."""
        for number in cubes.order:
            if cubes.take(number):
                cube = ways.cube(number, cubes.bits)
                found = None if cube is None else ways.find(assumed, deadline, cube)
                if found is not None:
                    return found
                cubes.decide(number, first)
            known = cubes.decided[number]
            if known is not None and known != first:
                return known
        return None

    def close(self) -> None:
        """Free what was needed besides the search."""
        if self._ways is not None:
            self._ways.close()

    def near(self, first: Solution, assumed: list[int], deadline: Deadline) -> Solution | None:
        """A solution that differs from the ``first`` in one window only, if it is soon found."""
        if first == self._alone:
            return None
        width, conflicts = FILLED_WIDTH, _FILLED_NEAR
        if self._search.model.is_free:
            if max(first.lattice.rows, first.lattice.cols) < LARGE:
                return None
            width, conflicts = WIDTH, _NEAR
        for outside in windows(first, width):
            other = self._soon([*assumed, *outside], deadline, conflicts)
            if other is not None:
                return other
        self._alone = first
        return None

    def _soon(self, assumed: list[int], deadline: Deadline, conflicts: int) -> Solution | None:
        """A solution that takes no more than so many conflicts."""
        try:
            return self._find(assumed, deadline.with_conflicts(conflicts))
        except ConflictLimit:
            return None


def windows(solution: Solution, width: int = WIDTH) -> Iterator[list[int]]:
    """For each window, the literals by which all edges outside of it are as in ``solution``.

    Each is ``width`` vertices across. The windows cover the board; there is none where one would be
    all of it.

    >>> from linkoracle.board.lattice import Lattice
    >>> [len(list(windows(Solution(Lattice(side, side), ())))) for side in (14, 20)]
    [0, 9]
    """
    lattice = solution.lattice
    if max(lattice.rows, lattice.cols) <= width:
        return
    chosen = set(solution.edges)
    places = [tuple(map(lattice.position, lattice.ends(edge))) for edge in range(lattice.num_edges)]
    for top in starts(lattice.rows, width, STEP):
        for left in starts(lattice.cols, width, STEP):
            yield [
                edge + 1 if edge in chosen else -1 - edge
                for edge, ends in enumerate(places)
                if not all(
                    top <= row < top + width and left <= col < left + width for row, col in ends
                )
            ]


def starts(length: int, width: int, step: int) -> list[int]:
    """Where windows begin along a side of the board.

    >>> starts(20, 14, 4), starts(10, 14, 4)
    ([0, 4, 6], [0])
    """
    last = max(0, length - width)
    return sorted({*range(0, last, step), last})
