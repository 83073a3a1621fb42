"""`Rivals`: other solutions than a known one, while more and more clues are taken away.

A generator knows the solution S that its puzzle shall have, and asks whether another one, a
*rival*, agrees with S on the clues that are left. Everything here leans on S:

* a model of the solver is S but for a few edges, because the solver's phases are set to S before
  each search; so its components are found from the difference alone, in O(differing edges);
* a rival is reported as the set of faces whose counts it changes, which is what matters to the
  clues: a puzzle is unique iff its clues meet the set of every rival;
* a clue that is known to stay, or gone for good, need not be assumed any longer: it becomes a
  clause, and the solver simplifies.

Cuts are those of `linkoracle.sat.cuts`, written for all components but the largest.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from itertools import combinations
from typing import TYPE_CHECKING, Self

import numpy as np

from linkoracle.sat.encoding import Clauses, count_clauses, on_rim, side_clauses, sides
from linkoracle.sat.near_cuts import NearCuts
from linkoracle.sat.search import Deadline, LazySearch

if TYPE_CHECKING:
    from linkoracle.model import LinkModel, Solution

#: The PySAT solver used when the caller names none. Glucose and MiniSat start on a question sooner,
#: but stray from the known solution: on boards of 30x30 cells they take twice as many rounds.
DEFAULT_SOLVER = "cadical153"


class Rivals:
    """Finds solutions of a board that differ from a known one on other faces than the given.

    ``model`` is the board without clues, a loop or a path between two terminals; ``solution`` one
    of its solutions; ``order`` all faces in the order in which their clues are assumed, which
    makes a core of early ones likely. Use as a context manager, or call `close`. Not thread-safe.

    Raises ``ValueError`` for a model with face rules, or several pairs of terminals, or of which
    ``solution`` is none.

    >>> from linkoracle.lattice import Lattice
    >>> from linkoracle.model import LinkModel, Solution
    >>> board = LinkModel.blank_loop(Lattice(3, 3))
    >>> square = Solution(board.lattice, (0, 1, 3, 5))      # around face 0
    >>> rivals = Rivals(board, square)
    >>> rivals.find({1, 2, 3}) is None, sorted(rivals.core)
    (True, [1, 2, 3])
    >>> sorted(rivals.find({1, 2}))                         # the loop around face 3
    [0, 3]
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
            raise ValueError("rivals are sought on a board without clues, of one loop or path")
        self.model = model
        self.solution = solution
        self._cuts = NearCuts(model, solution)
        self._search = LazySearch(model, solver or DEFAULT_SOLVER, self._cuts)
        self._near = self._cuts.literals + self._add_sides()
        #: The true number of chosen edges around each face.
        self.counts: list[int] = solution.face_counts().ravel().tolist()
        self._face_edges = model.lattice.face_edges
        self._selectors = self._clue_selectors()
        self._cuts.demands = {
            face: -selector
            for face, selector in enumerate(self._selectors)
            if self.counts[face] >= 2
        }
        self._other = self._search.new_variables(1)
        self._search.add([[-self._other, *(-1 - edge for edge in solution.edges)]])
        self._deniers: dict[int, int] = {}
        #: Faces whose clue may be asked about with and without, in a fixed order.
        self._open = dict.fromkeys(range(len(self.counts)) if order is None else order)
        self._staying: set[int] = set()
        self._cuts.staying = self._staying
        #: The faces on whose clues the last "no rival" rests.
        self.core: set[int] = set()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Free the solver."""
        self._search.close()

    @property
    def rounds(self) -> int:
        """Calls of the SAT solver so far."""
        return self._search.rounds

    @property
    def cuts(self) -> int:
        """Cuts added so far."""
        return self._search.cuts_added

    def find(
        self,
        kept: Collection[int],
        denied: Sequence[int] = (),
        *,
        timeout: float | Deadline | None = None,
    ) -> frozenset[int] | None:
        """The faces that some rival changes, none of them in ``kept``; ``None`` without a rival.

        ``kept`` are faces, as a set. With ``denied`` the rival changes one of these at least, which
        is a more local and so a faster question. Clues that `settle` made stay are always kept.
        After ``None``, `core` is a part of what is kept that already leaves no rival.
        Raises `SearchTimeout`.
        """
        in_force = self._staying.union(kept)
        self._cuts.in_force = in_force
        selectors = self._selectors
        assumptions = [selectors[face] for face in self._open if face in in_force]
        if not denied:
            assumptions.append(self._other)
        elif len(denied) == 1:
            assumptions.append(self._denier(denied[0]))
        else:
            some = self._search.new_variables(1)
            self._search.add([[-some, *map(self._denier, denied)]])
            assumptions.append(some)
        self._search.prefer_literals(self._near)
        changed = self._search.next_solution(assumptions, Deadline.of(timeout))
        if changed is None:
            blamed = self._search.core
            self.core = {face for face in in_force if selectors[face] in blamed}
            self.core |= self._staying
            return None
        return self._cuts.changed_faces(changed)

    def settle(self, faces: Iterable[int], *, stay: bool) -> None:
        """Promise that these clues stay in all later questions, or else that none comes back."""
        for face in faces:
            if face in self._open:
                del self._open[face]
                self._search.add([[self._selectors[face] if stay else -self._selectors[face]]])
                if stay:
                    self._staying.add(face)

    def _add_sides(self) -> list[int]:
        """Add `side_clauses`, where the line has two sides; their literals in the solution."""
        lattice = self.model.lattice
        ends = tuple(vertex for pair in self.model.terminals for vertex in pair)
        if not on_rim(lattice, ends):
            return []
        first = self._search.new_variables(lattice.num_faces)
        clauses, left = side_clauses(lattice, ends, first)
        self._search.add(clauses)
        variables = first + np.arange(lattice.num_faces)
        literals: list[int] = np.where(
            sides(self.solution, left) > 0, variables, -variables
        ).tolist()
        return literals

    def _clue_selectors(self) -> list[int]:
        """For each face a literal under which it has its true count."""
        first = self._search.new_variables(len(self.counts))
        selectors = np.arange(first, first + len(self.counts))
        counts = np.array(self.counts)
        for value in range(5):
            faces = counts == value
            if faces.any():
                edges = self._face_edges[faces]
                self._search.add(count_clauses(edges, 1 << value, -selectors[faces]))
        literals: list[int] = selectors.tolist()
        return literals

    def _denier(self, face: int) -> int:
        """The literal under which ``face`` has another count."""
        if face not in self._deniers:
            denier = self._search.new_variables(1)
            edges = [int(edge) + 1 for edge in self._face_edges[face]]
            clauses: Clauses = []
            for on in combinations(edges, self.counts[face]):
                clauses.append([-denier, *(-e if e in on else e for e in edges)])
            self._search.add(clauses)
            self._deniers[face] = denier
        return self._deniers[face]
