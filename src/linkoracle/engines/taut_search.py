"""`TautSearch`: decide whether a Numberlink has one solution.

`docs/explanation/taut.md` explains why taut solutions suffice. The first search is for a solution
that uses all vertices, the second for one that differs from it in a part of the board only. If
there are such solutions, they take a handful of conflicts; an unrestricted search takes tens of
thousands.

If all vertices must be used, solutions need not be taut. Even so, a taut one is found fastest,
along lanes, and then another one in a part of the board.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING

from linkoracle.board import PASS_OR_SKIP, LinkModel, Solution
from linkoracle.core import ConflictLimit, Deadline, checked_word
from linkoracle.engines.answers import SIDES, Side
from linkoracle.engines.clauses import Colours, other_than
from linkoracle.engines.lanes import FILLING_CELLS, covering
from linkoracle.engines.search import ROOMY, LazySearch

if TYPE_CHECKING:
    from linkoracle.engines.homotopy import HomotopySearch

#: Conflict budget of the search on cells before homotopy classes are used: in total, and at least
#: for each vertex.
_CELLS_CONFLICTS, _VERTEX_CONFLICTS = 4_000, 10

#: Most vertices along a side of a board on which homotopy classes mostly beat cells, and that
#: processes divide. On larger boards a cube is as hard as all; if both sides are longer, the two
#: searches have turns.
DIVIDED = 24

#: Most pairs for which homotopy classes are used: with more, there are few classes, and the
#: triangulation takes seconds.
_MOST_PAIRS = 100

#: If all vertices must be used: conflict budget for a second solution, before it is sought in
#: windows. Most boards take less.
_SECOND_CONFLICTS = 4_000

#: Conflict budget for another solution in a window, and that if all vertices must be used. Nearly
#: all windows take less.
_NEAR_CONFLICTS, _FILLED_NEAR_CONFLICTS = 1_000, 300

#: The width of windows, that if all vertices must be used, and their distance, in vertices. If all
#: vertices must be used, wider windows take much longer.
WIDTH, FILLED_WIDTH, STEP = 14, 10, 4

#: The least longer side of a board, in vertices, for which windows pay off, if vertices may be
#: unused. On smaller boards they are hardly easier than the whole board.
LARGE = 18

#: Called with a decided cube and the known solution.
Report = Callable[[int, "Solution | None"], None]

#: A solution under assumptions, or ``None`` if there is none.
Find = Callable[[list[int], Deadline], Solution | None]


def orders(processes: int) -> list[list[int]]:
    """Return the order of the cubes for each of up to four processes.

    Two processes meet in the middle. With more there are more cubes, and the others start there.

    >>> orders(2)
    [[0, 1, 2, 3], [3, 2, 1, 0]]
    >>> orders(4)[3]
    [3, 2, 1, 0, 7, 6, 5, 4]
    """
    cubes = list(range(4 if processes < 3 else 8))
    half = len(cubes) // 2
    backwards = cubes[::-1]
    found = [cubes, backwards, cubes[half:] + cubes[:half], backwards[half:] + backwards[:half]]
    return found[:processes]


class Cubes:
    """The cubes of one board, in one process: parts of a search that several processes share.

    A cube fixes, for some edges in the middle of the board, whether they are crossed twice (see
    `linkoracle.engines.homotopy`). Each process works on all cubes, in its own order, and
    skips those that others have decided.

    ``order`` has each number once; their number is a power of two. ``report`` is called for each
    cube that this process decides.

    >>> cubes = Cubes([1, 0])
    >>> cubes.bits, cubes.take(1), cubes.lost()
    (1, True, False)
    >>> cubes.decided[1] = None
    >>> cubes.lost(), cubes.take(1)
    (True, False)
    """

    def __init__(self, order: list[int], report: Report | None = None) -> None:
        self.order = order
        self.bits = len(order).bit_length() - 1
        #: For each decided cube, the only solution that it may contain; ``None`` if none was known.
        self.decided: dict[int, Solution | None] = {}
        self._report = report
        self._taken: int | None = None

    def take(self, number: int) -> bool:
        """Return whether a cube is undecided; if so, this process works on it from now on."""
        self._taken = None if number in self.decided else number
        return self._taken is not None

    def decide(self, number: int, known: Solution | None) -> None:
        """Mark the cube as decided: it has no solution other than ``known``."""
        self.decided[number] = known
        self._taken = None
        if self._report is not None:
            self._report(number, known)

    def lost(self) -> bool:
        """Return whether another process has decided the current cube."""
        return self._taken in self.decided


class TautSearch:
    """Taut solutions of the model of ``search``, found by ``find``; ``side`` is the bottom.

    ``colours`` are the variables of `LazySearch.colour`. Raises ``ValueError`` for a side that is
    not in `SIDES`.
    """

    def __init__(self, search: LazySearch, colours: Colours, find: Find, side: Side) -> None:
        checked_word(side, "a side", SIDES)
        self._search = search
        self._colours = colours
        self._find = find
        self._side = side
        #: The variables for used vertices, once the clauses are encoded.
        self._used = range(0)
        self._restriction = 0
        #: Whether there was a search along lanes for a solution that uses all vertices.
        self._sought = False
        #: The search for boards that the search on cells does not decide soon.
        self._homotopy: HomotopySearch | None = None
        #: The conflicts left for the search on cells before that.
        self._left_on_cells = max(
            _CELLS_CONFLICTS, _VERTEX_CONFLICTS * search.model.lattice.num_vertices
        )
        #: Whether to search on cells only, without homotopy classes.
        self.on_cells = len(search.model.terminals) > _MOST_PAIRS
        #: The cubes shared among processes, if several decide the board.
        self.cubes: Cubes | None = None
        #: The last solution without another one nearby.
        self._alone: Solution | None = None

    def only(self) -> list[int]:
        """Return the assumptions that restrict the search to taut solutions."""
        if not self._restriction:
            # Not needed if propagation alone decides.
            self._used, self._restriction = self._search.state_taut(
                self._colours, Deadline(None), self._side, guarded=True
            )
        return [self._restriction]

    def first(self, deadline: Deadline) -> Solution | None:
        """Return a solution, taut or not; ``None`` if there is none."""
        model = self._search.model
        if model.is_free and ROOMY * len(model.terminals) <= model.lattice.num_vertices:
            # On a roomy board, shortest paths one after the other may suffice.
            from linkoracle.engines.repair import routes

            edges, complete = routes(model)
            if complete:
                return Solution(model.lattice, tuple(edges))
        if not self._sought:
            self._sought = True
            # A taut solution that uses all vertices is a covering by paths apart from themselves.
            solution = covering(model, FILLING_CELLS, deadline)
            if solution is not None:
                return solution
        return self.find(self.only(), None, deadline) if model.is_free else self._find([], deadline)

    def second(self, first: Solution, assumed: list[int], deadline: Deadline) -> Solution | None:
        """Return a solution other than ``first``, under assumptions that exclude it."""
        if not self._search.model.is_free:
            # Others are likely to be similar.
            self._search.prefer(first.edges)
            try:
                return self._find(assumed, deadline.with_conflicts(_SECOND_CONFLICTS))
            except ConflictLimit:
                deadline.spend(_SECOND_CONFLICTS)
            return self.near(first, assumed, deadline) or self._find(assumed, deadline)
        return self.near(first, assumed, deadline) or self.find(assumed, first, deadline)

    def find(
        self, assumed: list[int], first: Solution | None, deadline: Deadline
    ) -> Solution | None:
        """Return a taut solution other than ``first``, under assumptions that exclude it."""
        if self.on_cells:
            return self._find(assumed, deadline)
        if self._homotopy is None:
            while self._left_on_cells:
                conflicts = min(self._left_on_cells, deadline.conflicts or self._left_on_cells)
                try:
                    return self._find(assumed, deadline.with_conflicts(conflicts))
                except ConflictLimit:
                    self._left_on_cells -= conflicts
                deadline.spend(conflicts)
            # Most boards are decided without this module.
            from linkoracle.engines.homotopy import HomotopySearch

            self._homotopy = HomotopySearch(
                self._search, self._colours, self._used, self._find, deadline
            )
        if min(self._search.model.lattice.rows, self._search.model.lattice.cols) > DIVIDED:
            return self._alternately(self._homotopy, assumed, deadline)
        if self.cubes is None:
            return self._homotopy.find(assumed, deadline)
        return self._by_cubes(self._homotopy, self.cubes, assumed, first, deadline)

    def _alternately(
        self, homotopy: HomotopySearch, assumed: list[int], deadline: Deadline
    ) -> Solution | None:
        """`find`, by classes and on cells in turns, each with half of the conflicts."""
        conflicts = _CELLS_CONFLICTS
        while True:
            if deadline.conflicts is not None:
                conflicts = max(1, deadline.conflicts // 2)
            for search in (homotopy.find, self._find):
                try:
                    return search(assumed, deadline.with_conflicts(conflicts))
                except ConflictLimit:
                    deadline.spend(conflicts)
            conflicts *= 2

    def _by_cubes(
        self,
        homotopy: HomotopySearch,
        cubes: Cubes,
        assumed: list[int],
        first: Solution | None,
        deadline: Deadline,
    ) -> Solution | None:
        """`find`, in the cubes that no other process has decided."""
        for number in cubes.order:
            if cubes.take(number):
                cube = homotopy.cube(number, cubes.bits)
                found = None if cube is None else homotopy.find(assumed, deadline, cube)
                if found is not None:
                    return found
                cubes.decide(number, first)
            known = cubes.decided[number]
            if known is not None and known != first:
                return known
        return None

    def close(self) -> None:
        """Free the additional solver."""
        if self._homotopy is not None:
            self._homotopy.close()

    def near(self, first: Solution, assumed: list[int], deadline: Deadline) -> Solution | None:
        """Return a solution that differs from ``first`` in one window only, if found soon."""
        if first == self._alone:
            return None
        width, conflicts = FILLED_WIDTH, _FILLED_NEAR_CONFLICTS
        if self._search.model.is_free:
            if max(first.lattice.rows, first.lattice.cols) < LARGE:
                return None
            width, conflicts = WIDTH, _NEAR_CONFLICTS
        for outside in windows(first, width):
            other = self._soon([*assumed, *outside], deadline, conflicts)
            if other is not None:
                return other
        self._alone = first
        return None

    def _soon(self, assumed: list[int], deadline: Deadline, conflicts: int) -> Solution | None:
        """Return a solution found within the conflict budget, or ``None``."""
        try:
            return self._find(assumed, deadline.with_conflicts(conflicts))
        except ConflictLimit:
            return None


def windows(solution: Solution, width: int = WIDTH) -> Iterator[list[int]]:
    """Yield for each window the literals that fix all edges outside it as in ``solution``.

    Windows are ``width`` vertices wide and cover the board; there are none if one would be the
    whole board.

    >>> from linkoracle.board import Lattice
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
    """Return the starts of windows along a side of the board.

    >>> starts(20, 14, 4), starts(10, 14, 4)
    ([0, 4, 6], [0])
    """
    last = max(0, length - width)
    return sorted({*range(0, last, step), last})


def another_in_part(
    model: LinkModel, chosen: Sequence[int], deadline: Deadline
) -> tuple[int, ...] | None:
    """Return the edges of a solution of ``model`` other than ``chosen``, or ``None``.

    For a part of a Numberlink. Boards of hundreds of cells are rarely unique, and the reason is
    nearly always in a small part; deciding that alone takes a thousandth of the time. Paths outside
    are fixed, so a path that leaves the part ends there, and a vertex whose path has both edges
    outside is a hole.

    The model has paths, no clues and no fixed edges, possibly holes. Either all other vertices may
    be unused, or none; ``chosen`` uses all of them, and if they may be unused, its paths have no
    chord. Then ``None`` proves that there is no other solution: see ``docs/explanation/taut.md``.

    Raises `SearchTimeout` and `ConflictLimit`.

    >>> from linkoracle.board import Lattice
    >>> corner = LinkModel.blank_paths(Lattice(2, 2), [(0, 3)], cover=False).with_holes([2])
    >>> another_in_part(corner, (0, 2), Deadline(None)) is None
    True
    >>> straight = LinkModel.blank_paths(Lattice(3, 3), [(0, 2), (3, 5), (6, 8)])
    >>> another_in_part(straight, (0, 2, 5, 7, 10, 11), Deadline(None)) is None
    True
    """
    with LazySearch(model, deadline=deadline) as search:
        if search.only() is not None:
            return None
        free = PASS_OR_SKIP in model.degrees
        if free or len(model.terminals) > 1:
            colours = search.colour(deadline)
            if free:
                search.state_taut(colours, deadline)
        search.add([other_than(chosen)])
        return search.next_solution((), deadline)
