"""`SatAlternatives`: other solutions than a known one, while more and more clues are taken away.

A generator knows the solution S that its puzzle shall have, and asks whether another one, a
*alternative*, agrees with S on the clues that are left. Everything here leans on S:

* a model of the solver is S but for a few edges, because the solver's phases are set to S before
  each search; so its components are found from the difference alone, in O(differing edges);
* an alternative is reported as the set of faces whose counts it changes, which is what matters to
  the clues: a puzzle is unique iff its clues meet the set of every alternative;
* a clue that is known to stay, or gone for good, need not be assumed any longer: it becomes a
  clause, and the solver simplifies.

Cuts are those of `linkoracle.sat.clauses`, written for all components but the largest.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Collection, Iterable, Sequence
from functools import lru_cache
from typing import Self

import numpy as np
from numpy.typing import NDArray

from linkoracle.board.lattice import Lattice, Solution
from linkoracle.board.model import ANY_COUNT, LinkModel
from linkoracle.core.errors import ClosedError
from linkoracle.core.limits import Deadline
from linkoracle.sat.clauses import Clauses, count_clauses, one_count
from linkoracle.sat.near_cuts import NearCuts
from linkoracle.sat.search import LazySearch

#: The PySAT solver used when the caller names none. Glucose and MiniSat start on a question sooner,
#: but stray from the known solution: on boards of 30x30 cells they take twice as many rounds.
DEFAULT_SOLVER = "cadical153"


class AlternativeSearch(ABC):
    """Finds solutions of a board that differ from a known one on other faces than the given.

    ``model`` is the board without clues, a loop or a path between two terminals; ``solution`` one
    of its solutions; ``solver`` names a PySAT solver; ``order`` has all faces in the order in which
    their clues are assumed, which makes a core of early ones likely. Use as a context manager, or
    call `close`. Not thread-safe.

    Raises ``ValueError`` for a model with face rules, fixed edges, or several pairs of terminals,
    for a ``solution`` that does not solve it, and an ``order`` that has not every face once. All
    questions raise it for faces that the board has not.
    """

    def __init__(
        self,
        model: LinkModel,
        solution: Solution,
        *,
        solver: str | None = None,
        order: Sequence[int] | None = None,
    ) -> None:
        if model.has_face_rules or len(model.terminals) > 1:
            raise ValueError(
                "alternatives are sought on a board without clues, of one loop or path"
            )
        if model.has_fixed_edges:
            raise ValueError("alternatives are sought on a board without given or forbidden edges")
        self.model = model
        self.solution = solution
        #: The true number of chosen edges around each face.
        self.counts: list[int] = solution.face_counts().ravel().tolist()
        #: The faces on whose clues the last "no alternative" rests.
        self.core: set[int] = set()
        self._closed = False
        self._faces = frozenset(range(len(self.counts)))
        self._order = list(range(len(self.counts)) if order is None else order)
        if sorted(self._on_board(self._order)) != sorted(self._faces):
            raise ValueError(f"expected an order of {len(self._faces)} faces, each of them once")
        self._staying: set[int] = set()
        self._start(solver)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @abstractmethod
    def _start(self, solver: str | None) -> None:
        """Check the solution, and be ready for questions."""

    def close(self) -> None:
        """Free the solver; every question raises `ClosedError` afterwards."""
        self._closed = True

    @property
    @abstractmethod
    def rounds(self) -> int:
        """Calls of the SAT solver so far."""

    @property
    @abstractmethod
    def cuts(self) -> int:
        """Cuts added to the SAT solver so far."""

    def find(
        self,
        kept: Collection[int],
        denied: Sequence[int] = (),
        *,
        timeout: float | Deadline | None = None,
    ) -> frozenset[int] | None:
        """The faces that some alternative changes, none of them in ``kept``; ``None`` without an
        alternative.

        ``kept`` are faces, as a set. With ``denied`` the alternative changes one of these at least,
        which is a more local and so a faster question. Clues that `settle` made stay are always
        kept. After ``None``, `core` is a part of what is kept that already leaves no alternative.
        Raises `SearchTimeout`.
        """
        in_force = self._staying.union(self._on_board(kept))
        asked = list(dict.fromkeys(self._on_board(denied)))
        return self._find(in_force, asked, Deadline.of(timeout))

    def settle(self, faces: Iterable[int], *, stay: bool) -> None:
        """Promise that these clues stay in all later questions, or else that none comes back."""
        self._settle(self._on_board(list(faces)), stay=stay)

    @abstractmethod
    def _find(
        self, in_force: set[int], denied: Sequence[int], deadline: Deadline
    ) -> frozenset[int] | None:
        """`find`, with all clues in force, and faces that the board has."""

    @abstractmethod
    def _settle(self, faces: Iterable[int], *, stay: bool) -> None:
        """`settle`, with faces that the board has."""

    def _on_board(self, faces: Collection[int]) -> Collection[int]:
        """These faces; ``ValueError`` for one that the board has not, `ClosedError` if closed."""
        if self._closed:
            raise ClosedError("the search is closed: it cannot be asked any more")
        # True is in a set that has 1, but is no index of an array.
        if not self._faces.issuperset(faces) or bool in map(type, faces):
            wrong = next(f for f in faces if f not in self._faces or isinstance(f, bool))
            raise ValueError(f"expected a face from 0 to {len(self._faces) - 1}, got {wrong!r}")
        return faces


class SatAlternatives(AlternativeSearch):
    """Finds alternatives by a SAT solver, `DEFAULT_SOLVER` if none is named: see
    `AlternativeSearch`.

    >>> from linkoracle import Lattice, LinkModel, Solution
    >>> board = LinkModel.blank_loop(Lattice(3, 3))
    >>> square = Solution(board.lattice, (0, 1, 3, 5))      # around face 0
    >>> alternatives = SatAlternatives(board, square)
    >>> alternatives.find({1, 2, 3}) is None, sorted(alternatives.core)
    (True, [1, 2, 3])
    >>> sorted(alternatives.find({1, 2}))                         # the loop around face 3
    [0, 3]
    """

    def _start(self, solver: str | None) -> None:
        self._cuts = NearCuts(self.model, self.solution)
        self._search = LazySearch(
            self.model, DEFAULT_SOLVER if solver is None else solver, self._cuts
        )
        self._near = self._cuts.literals + self._add_sides()
        self._face_edges = self.model.lattice.face_edges
        self._selectors = self._clue_selectors()
        self._cuts.demands = {f: -self._selectors[f] for f, n in enumerate(self.counts) if n >= 2}
        self._other = self._search.new_variables(1)
        self._search.add([[-self._other, *(-1 - edge for edge in self.solution.edges)]])
        self._negated_selectors: dict[int, int] = {}
        #: Faces whose clue may be asked about with and without, in a fixed order.
        self._open = dict.fromkeys(self._order)
        self._cuts.staying = self._staying

    def close(self) -> None:
        super().close()
        self._search.close()

    @property
    def rounds(self) -> int:
        return self._search.rounds

    @property
    def cuts(self) -> int:
        return self._search.cuts_added

    def _find(
        self, in_force: set[int], denied: Sequence[int], deadline: Deadline
    ) -> frozenset[int] | None:
        self._cuts.in_force = in_force
        selectors = self._selectors
        assumptions = [selectors[face] for face in self._open if face in in_force]
        if not denied:
            assumptions.append(self._other)
        elif len(denied) == 1:
            assumptions.append(self._negated(denied[0]))
        else:
            some = self._search.new_variables(1)
            self._search.add([[-some, *map(self._negated, denied)]])
            assumptions.append(some)
        self._search.prefer_literals(self._near)
        changed = self._search.next_solution(assumptions, deadline)
        if changed is None:
            blamed = self._search.core
            self.core = self._staying.union(f for f in in_force if selectors[f] in blamed)
            return None
        return self._cuts.changed_faces(changed)

    def _settle(self, faces: Iterable[int], *, stay: bool) -> None:
        for face in faces:
            if face in self._open:
                del self._open[face]
                selector = self._selectors[face]
                self._search.add([[selector if stay else -selector]])
                if stay:
                    self._staying.add(face)

    def _add_sides(self) -> list[int]:
        """Add `side_clauses`, where the line has two sides; their literals in the solution."""
        lattice = self.model.lattice
        ends = tuple(vertex for pair in self.model.terminals for vertex in pair)
        if not has_sides(lattice, ends):
            return []
        first = self._search.new_variables(lattice.num_faces)
        clauses, left = side_clauses(lattice, ends, first)
        self._search.add(clauses)
        variables = first + np.arange(lattice.num_faces)
        literals: list[int] = (variables * (2 * sides(self.solution, left) - 1)).tolist()
        return literals

    def _clue_selectors(self) -> list[int]:
        """For each face a literal under which it has its true count."""
        first = self._search.new_variables(len(self.counts))
        selectors = np.arange(first, first + len(self.counts))
        counts = np.array(self.counts)
        for value in range(5):
            edges, unless = self._face_edges[counts == value], -selectors[counts == value]
            self._search.add(count_clauses(edges, 1 << value, unless))
        literals: list[int] = selectors.tolist()
        return literals

    def _negated(self, face: int) -> int:
        """The selector under which ``face`` has another count."""
        if face not in self._negated_selectors:
            selector = self._search.new_variables(1)
            mask = ANY_COUNT ^ 1 << self.counts[face]
            self._search.add(one_count(self._face_edges[face].tolist(), mask, -selector))
            self._negated_selectors[face] = selector
        return self._negated_selectors[face]


@lru_cache(maxsize=8)
def side_clauses(
    lattice: Lattice, ends: tuple[int, ...], first: int
) -> tuple[Clauses, tuple[int, ...]]:
    """Tell the faces on one side of a line that `has_sides` from those on the other.

    Face *f* gets the variable ``first + f``, and an edge is chosen iff its two sides differ; the
    side beyond the rim is false, but for the part of the rim clockwise from the first of ``ends``
    to the second. Follows from the other rules; it lets the solver see at a distance that a closed
    curve meets the line an even number of times. ``ends`` are no vertices for a loop, or the two
    ends of a path, on the rim. Returns the clauses, and for each row the side (0 or 1) beyond its
    left end. Kept for the last few boards: callers must not change the clauses.
    """
    rows, cols = lattice.rows - 1, lattice.cols - 1
    face = first + np.arange(lattice.num_faces).reshape(rows, cols)
    vertex = np.arange(lattice.num_vertices).reshape(lattice.rows, lattice.cols)
    clauses: Clauses = []
    for edge, one, other in (
        (lattice.right[1:-1, :-1], face[:-1], face[1:]),
        (lattice.down[:-1, 1:-1], face[:, :-1], face[:, 1:]),
    ):
        chosen = edge + 1
        for signs in ((-1, 1, 1), (-1, -1, -1), (1, -1, 1), (1, 1, -1)):
            literals = np.stack([chosen, one, other], axis=-1) * np.array(signs)
            clauses += literals.reshape(-1, 3).tolist()
    rim = (
        (lattice.right[0, :-1], face[0], vertex[0, :-1]),
        (lattice.down[:-1, -1], face[:, -1], vertex[:-1, -1]),
        (lattice.right[-1, -2::-1], face[-1, ::-1], vertex[-1, :0:-1]),
        (lattice.down[-2::-1, 0], face[::-1, 0], vertex[:0:-1, 0]),
    )
    beyond = 0
    left: list[int] = []
    for side in rim:
        left = []
        for edge_id, inside, corner in np.stack(side, axis=1).tolist():
            beyond ^= corner in ends
            left.append(beyond)
            variable = -inside if beyond else inside
            clauses += [[-1 - edge_id, variable], [edge_id + 1, -variable]]
    return clauses, tuple(reversed(left))


def has_sides(lattice: Lattice, ends: Iterable[int]) -> bool:
    """Whether a line with these ends has a side and another: there are faces, no end is inside."""
    last = lattice.rows - 1, lattice.cols - 1
    return lattice.num_faces > 0 and all(
        row in (0, last[0]) or col in (0, last[1]) for row, col in map(lattice.position, ends)
    )


def sides(solution: Solution, left: Sequence[int]) -> NDArray[np.int64]:
    """The side (0 or 1) of each face, from those beyond the left ends of the rows."""
    crossed = solution.mask()[solution.lattice.down[:-1, :-1]]
    side: NDArray[np.int64] = (np.cumsum(crossed, axis=1) + np.array(left)[:, None]) % 2
    return side.ravel()
