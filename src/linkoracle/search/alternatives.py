"""`CompiledAlternatives`: what `linkoracle.sat.alternatives` does, without a SAT solver, and in one
piece.

Questions about alternatives are small: most are answered after a few conflicts. A SAT solver that
is called from Python, looks at its model and gets its cuts, spends more time on the way than on the
search. Here all of it is compiled (`linkoracle.search.kernel`), and takes a third of the time or
less. Loading Numba takes half a second, so it pays for series of puzzles.

Now and then such a search goes astray, and what is learned there makes it worse. A question that
takes more than `PATIENCE` conflicts is put to `linkoracle.sat` instead.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from linkoracle.board.model import ANY_COUNT
from linkoracle.core.limits import Deadline
from linkoracle.sat import alternatives as sat
from linkoracle.sat.clauses import CutMaker
from linkoracle.search.kernel import run
from linkoracle.search.kernel import state as k
from linkoracle.search.kernel.conflicts import FIRST_LIMIT
from linkoracle.search.kernel.engine import INTERRUPTED, TOO_HARD

if TYPE_CHECKING:
    from linkoracle.board.lattice import Lattice, Solution
    from linkoracle.board.model import LinkModel

#: Conflicts after which a question goes to the SAT solver.
PATIENCE = 1000

#: Conflicts in a series of questions after which the clock is looked at: some tenths of a second.
BREATH = 10_000

#: Stamps and marks are 32-bit numbers; `BREATH` conflicts add less than is left from here on.
_MOST_MARKS = 2**30

#: For each count the rows of demands of a face that differs, is open, or matches.
_DEMANDS = np.array(
    [
        (k.row_of_mask(4, ANY_COUNT ^ 1 << n), k.row_of_count(n), k.row_of_mask(4, 1 << n))
        for n in range(5)
    ]
)


class CompiledAlternatives(sat.AlternativeSearch):
    """Finds alternatives by the compiled search: see
    `linkoracle.sat.alternatives.AlternativeSearch`.

    ``solver`` is for questions that are too hard. Memory: up to ten megabytes for each thousand
    cells.

    >>> from linkoracle import Lattice, LinkModel, Solution
    >>> board = LinkModel.blank_loop(Lattice(3, 3))
    >>> square = Solution(board.lattice, (0, 1, 3, 5))      # around face 0
    >>> alternatives = CompiledAlternatives(board, square)
    >>> alternatives.find({1, 2, 3}) is None, sorted(alternatives.core)
    (True, [1, 2, 3])
    >>> sorted(alternatives.find({1, 2}))                         # the loop around face 3
    [0, 3]
    """

    def _start(self, solver: str | None) -> None:
        lattice, solution = self.model.lattice, self.solution
        if not _fits(self.model, solution):
            raise ValueError("the solution given does not solve this board")
        self._solver = solver
        self._gone: set[int] = set()
        self._by_sat: sat.SatAlternatives | None = None
        self._edges = lattice.num_edges
        blank = _blank(self.model)
        self._numbers = numbers = blank.numbers.copy()
        self._variables = variables = blank.variables.copy()
        self._nodes = nodes = blank.nodes.copy()
        self._lists = np.zeros((k.LISTS, max(2 * len(variables), 256)), dtype=np.int32)
        self._lists[k.RANK, : lattice.num_faces] = self._order
        value = np.zeros(len(variables), dtype=np.int8)
        clauses = np.empty((int(numbers[k.MOST_CLAUSES]), k.C), dtype=np.int32)
        arena = np.empty(int(numbers[k.ARENA_SIZE]), dtype=np.int32)
        edges = blank.edges.copy()
        self._arrays = numbers, value, edges, nodes, variables, self._lists, clauses, arena
        faces = nodes[lattice.num_vertices :]
        self._kept = faces[:, k.KEPT]
        faces[:, k.RULE] = self.counts
        faces[:, k.DEMANDS - 1 : k.DEMANDS + 2] = _DEMANDS[self.counts]
        numbers[k.KNOWN_ON] = len(solution.edges)
        # What is open is decided as in the solution: edges, that faces match, and their sides.
        known = variables[:, k.KNOWN]
        known[:] = -1
        known[list(solution.edges)] = 1
        known[self._edges : self._edges + lattice.num_faces] = 1
        if blank.left is not None:
            known[-1 - lattice.num_faces : -1] = 2 * sat.sides(solution, blank.left) - 1
        self._state_clause([2 * edge + 1 for edge in solution.edges])
        self._state_clause([2 * edge for edge in range(self._edges)])

    def close(self) -> None:
        super().close()
        if self._by_sat is not None:
            self._by_sat.close()

    @property
    def rounds(self) -> int:
        return self._by_sat.rounds if self._by_sat is not None else 0

    @property
    def cuts(self) -> int:
        return self._by_sat.cuts if self._by_sat is not None else 0

    @property
    def conflicts(self) -> int:
        """Conflicts of the compiled search so far."""
        return int(self._numbers[k.CONFLICTS])

    def _find(
        self, in_force: set[int], denied: Sequence[int], deadline: Deadline
    ) -> frozenset[int] | None:
        deadline.check()
        self._keep(in_force)
        self._numbers[k.DENIED] = len(denied)
        self._lists[k.ASKED, : len(denied)] = denied
        answer = self._run(k.FIND, PATIENCE)
        if answer == k.PAUSE:
            self._run(k.DROP)
            alternative = self._fallback().find(in_force, denied, timeout=deadline)
            self.core = set(self._fallback().core)
            return alternative
        found = self._lists[k.CORE, : self._numbers[k.CORE_SIZE]].tolist()
        if answer == k.ALTERNATIVE:
            return frozenset(found)
        self.core = self._staying.union(found)
        return None

    def try_all(
        self, kept: Iterable[int], order: Sequence[int], deadline: Deadline
    ) -> tuple[set[int], list[int], int]:
        """Take away the clue of each face of ``order``, one after the other, unless it is needed.

        Returns the faces that are kept; those of ``order``, if any, that are left, because the
        question about the first one or two of them is too hard; and the number of questions.
        Those that are neither gone nor left are needed for good, as if by `settle`.
        Raises `SearchTimeout`; ``ValueError`` for faces that the board has not.
        """
        numbers = self._numbers
        kept, order = set(kept), list(dict.fromkeys(order))
        self._on_board([*kept, *order])
        # What is settled is no question: a clue that must stay would seem to follow from itself.
        order = [face for face in order if face not in self._staying and face not in self._gone]
        self._keep(self._staying.union(kept))
        self._lists[k.ORDER, : len(order)] = order
        numbers[k.TRIALS], numbers[k.NEXT], numbers[k.WAITING] = len(order), 0, -1
        numbers[k.BATCH] = numbers[k.QUESTIONS] = 0
        outcome = INTERRUPTED
        while outcome == INTERRUPTED:
            deadline.check()
            outcome = self._run(k.THIN, PATIENCE, BREATH)
            for face in order[: numbers[k.NEXT]]:
                if face != numbers[k.WAITING]:
                    self._note(face, bool(self._kept[face]))
        left = [int(numbers[k.WAITING]), *order[numbers[k.NEXT] :]] if outcome == TOO_HARD else []
        return set(np.flatnonzero(self._kept).tolist()), left, int(numbers[k.QUESTIONS])

    def _settle(self, faces: Iterable[int], *, stay: bool) -> None:
        for face in faces:
            if face in self._staying or face in self._gone:
                continue
            self._note(face, stay)
            if stay:
                self._state_clause([2 * (self._edges + face)])

    def _note(self, face: int, stay: bool) -> None:
        (self._staying if stay else self._gone).add(face)
        if self._by_sat is not None:
            self._by_sat.settle((face,), stay=stay)

    def _keep(self, kept: Collection[int]) -> None:
        self._kept[:] = 0
        self._kept[list(kept)] = 1

    def _fallback(self) -> sat.SatAlternatives:
        if self._by_sat is None:
            asked = self.model, self.solution
            self._by_sat = sat.SatAlternatives(*asked, solver=self._solver, order=self._order)
            self._by_sat.settle(sorted(self._staying), stay=True)
            self._by_sat.settle(sorted(self._gone), stay=False)
        return self._by_sat

    def _run(self, task: int, argument: int = 0, spare: int = 0) -> int:
        if max(self._numbers[k.STAMP], self._numbers[k.MARKS]) > _MOST_MARKS:
            self._renumber()
        return int(run(*self._arrays, task, argument, spare))

    def _renumber(self) -> None:
        """Begin anew with stamps and marks, long before they outgrow their columns."""
        variables = self._variables
        queue = np.flatnonzero(variables[:, k.BUMPED] >= 0)
        queue = queue[np.argsort(variables[queue, k.BUMPED])]
        variables[queue, k.BUMPED] = np.arange(len(queue))
        variables[:, k.MARK] = self._nodes[:, k.WALKED] = self._lists[k.LEVEL_MARK] = 0
        self._numbers[k.STAMP], self._numbers[k.MARKS] = len(queue), 0

    def _state_clause(self, literals: Sequence[int]) -> None:
        if len(literals) == 1:
            self._lists[k.UNITS, self._numbers[k.NEW_UNITS]] = literals[0]
            self._numbers[k.NEW_UNITS] += 1
        else:
            self._lists[k.LEARNT, : len(literals)] = literals
            self._run(k.STATE, len(literals))


def _fits(model: LinkModel, solution: Solution) -> bool:
    """Whether the edges form one loop, or one path between the terminals."""
    lattice = model.lattice
    if solution.lattice != lattice or not solution.edges:
        return False
    ends = lattice.edge_vertices[list(solution.edges)].ravel()
    degrees = np.bincount(ends, minlength=lattice.num_vertices).tolist()
    if not all(mask >> degree & 1 for mask, degree in zip(model.degrees, degrees, strict=True)):
        return False
    return CutMaker(model).is_solution(solution.edges)


class _Blank(NamedTuple):
    """The arrays of a board before anything is known of its solution; and its sides, if any."""

    numbers: NDArray[np.int64]
    edges: NDArray[np.int32]
    nodes: NDArray[np.int32]
    variables: NDArray[np.int32]
    left: tuple[int, ...] | None  # the side beyond the left end of each row


@lru_cache(maxsize=8)
def _blank(model: LinkModel) -> _Blank:
    """The arrays of a board, kept for the last few: callers must copy them."""
    lattice = model.lattice
    edges, faces = lattice.num_edges, lattice.num_faces
    ends = tuple(vertex for pair in model.terminals for vertex in pair)
    table = _edge_table(lattice)
    # Decisions start at the end of the queue: with edges, then sides.
    queue = np.arange(edges)
    left = None
    if sat.has_sides(lattice, ends):
        clauses, left = sat.side_clauses(lattice, ends, edges + 1)
        for clause in clauses:
            if len(clause) == 2 and clause[0] < 0:
                # On the rim: chosen iff the face is on side 1, or, where that is negated, on 0.
                table[-clause[0] - 1, k.BEYOND] = clause[1] < 0
        queue = np.concatenate([np.arange(edges + faces, edges + 2 * faces), queue])
    variables = np.zeros((edges + 2 * faces + 1, k.V), dtype=np.int32)
    variables[:, [k.BEFORE, k.AFTER, k.BUMPED, k.WATCH, k.WATCH_NOT]] = -1
    variables[queue[1:], k.BEFORE] = queue[:-1]
    variables[queue[:-1], k.AFTER] = queue[1:]
    variables[queue, k.BUMPED] = np.arange(len(queue))
    numbers = np.zeros(k.NUMBERS, dtype=np.int64)
    numbers[k.EDGES], numbers[k.FACES], numbers[k.VERTICES] = edges, faces, lattice.num_vertices
    numbers[k.VARIABLES], numbers[k.COLUMNS] = len(variables), lattice.cols
    numbers[k.MOST_CLAUSES] = 20_000 + 10 * len(variables)
    numbers[k.ARENA_SIZE] = 600 * len(variables)
    numbers[k.SIDED] = left is not None
    numbers[k.END], numbers[k.OTHER_END] = ends or (-1, -1)
    # The virtual edge between the two ends counts as an edge that is on.
    numbers[k.ON_BOARD] = len(ends) // 2
    numbers[k.CLOSED], numbers[k.WAITING], numbers[k.LIMIT] = -1, -1, FIRST_LIMIT
    numbers[k.FIRST] = numbers[k.LAST] = queue[-1]
    numbers[k.STAMP] = len(queue)
    return _Blank(numbers, table, _nodes(model), variables, left)


def _edge_table(lattice: Lattice) -> NDArray[np.int32]:
    table = np.full((lattice.num_edges, k.E), -1, dtype=np.int32)
    table[:, [k.FROM, k.TO]] = lattice.edge_vertices
    table[:, k.BEYOND] = 0
    top, left, right, bottom = lattice.face_edges.T
    for edges, column in ((top, k.LEFT), (left, k.LEFT), (right, k.RIGHT), (bottom, k.RIGHT)):
        table[edges, column] = np.arange(lattice.num_faces)
    # The only face of a rim edge stands first.
    outer = table[:, k.LEFT] < 0
    table[outer, k.LEFT], table[outer, k.RIGHT] = table[outer, k.RIGHT], -1
    return table


def _nodes(model: LinkModel) -> NDArray[np.int32]:
    lattice = model.lattice
    vertices = lattice.num_vertices
    nodes = np.zeros((vertices + lattice.num_faces, k.N), dtype=np.int32)
    around = nodes[:, k.AT : k.AT + 4]
    around[:vertices] = lattice.vertex_edges
    around[vertices:] = lattice.face_edges
    nodes[:vertices, k.RULE] = list(model.degrees)
    sizes = (around[:vertices] >= 0).sum(axis=1).tolist()
    nodes[:vertices, k.DEMANDS] = list(map(k.row_of_mask, sizes, model.degrees))
    nodes[:vertices, k.MOST] = [mask.bit_length() - 1 for mask in model.degrees]
    nodes[:vertices, k.MATE] = np.arange(vertices)
    for one, other in model.terminals:
        nodes[one, k.MATE], nodes[other, k.MATE] = other, one
        nodes[[one, other], k.LENGTH] = 1
    return nodes
