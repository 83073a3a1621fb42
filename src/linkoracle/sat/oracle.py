"""`Oracle`: one incremental solver per board, for clues that come and go."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING, Self

import numpy as np

from linkoracle.lattice import Lattice
from linkoracle.model import LinkModel, Solution
from linkoracle.sat.encoding import Clauses, colour_clauses, count_clauses
from linkoracle.sat.search import Deadline, LazySearch

if TYPE_CHECKING:
    from typing import Literal

    from numpy.typing import NDArray

#: A cell of the board (a face of the lattice) as ``(row, column)``, counted from 0.
Cell = tuple[int, int]
#: Clues by cell; pairs of cell and clue do as well.
Clues = Mapping[Cell, int] | Iterable[tuple[Cell, int]]


#: Seconds, or a deadline shared by several questions; ``None`` is no limit.
Timeout = float | Deadline | None


@dataclass(frozen=True)
class Verdict:
    """The answer of `Oracle.ask`: how many solutions, up to two of them, and why.

    ``core`` is a subset of the clues asked about: with ``"unique"`` one that already leaves a
    single solution, with ``"none"`` one that already contradicts itself, with ``"many"`` ``None``.
    It is small, not smallest.
    """

    status: Literal["none", "unique", "many"]
    solutions: tuple[Solution, ...]
    core: dict[Cell, int] | None

    @property
    def unique(self) -> bool:
        return self.status == "unique"


class Oracle:
    """Answers questions about one board while its clues come and go.

    The board is any `LinkModel`; its own rules always hold, and every question adds clues, each
    the exact number of chosen edges around a cell. The solver, what it has learned, and all cuts
    are kept from one question to the next, so a series of related questions is much cheaper than
    the same questions asked of fresh solvers. Use it as a context manager, or call `close`, to free
    the solver early. Not thread-safe. ``solver`` names a PySAT solver.

    >>> oracle = Oracle.slitherlink(2, 2)
    >>> verdict = oracle.ask({(0, 0): 4})
    >>> verdict.status, verdict.solutions[0].paths()
    ('unique', [[(0, 0), (0, 1), (1, 1), (1, 0), (0, 0)]])
    >>> oracle.ask({(0, 0): 3}).status
    'many'
    >>> oracle.implies({(0, 0): 4, (0, 1): 1}, (0, 1))
    True
    """

    def __init__(self, model: LinkModel, *, solver: str | None = None) -> None:
        self.model = model
        self._search = LazySearch(model, solver)
        self._selectors: dict[tuple[int, int], int] = {}
        self._deniers: dict[tuple[int, int], int] = {}
        self._face_edges = model.lattice.face_edges
        #: The assumption that restricts a free model to taut solutions, once it was needed.
        self._restriction: list[int] = []
        if len(model.terminals) > 1 or model.is_free:
            clauses, self._colour = colour_clauses(model, self._search.new_variables)
            self._search.add(clauses)
        #: The last solutions seen, with the counts of their faces. One of them often answers the
        #: first half of the next question without a search.
        self._seen: deque[tuple[Solution, NDArray[np.int64]]] = deque(maxlen=4)

    @classmethod
    def slitherlink(
        cls,
        rows: int,
        cols: int,
        ends: tuple[tuple[int, int], tuple[int, int]] | None = None,
        *,
        solver: str | None = None,
    ) -> Self:
        """The oracle of a Slitherlink board of ``rows`` x ``cols`` cells, to which clues are added.

        With ``ends``, two dots, the open-path variant.
        """
        lattice = Lattice(rows + 1, cols + 1)
        if ends is None:
            return cls(LinkModel.blank_loop(lattice), solver=solver)
        first, last = (lattice.vertex(*dot) for dot in ends)
        return cls(LinkModel.blank_paths(lattice, [(first, last)]), solver=solver)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Free the solver; the oracle cannot be asked afterwards."""
        self._search.close()

    @property
    def rounds(self) -> int:
        """Calls of the SAT solver so far."""
        return self._search.rounds

    @property
    def cuts(self) -> int:
        """Cuts added so far."""
        return self._search.cuts_added

    def ask(self, clues: Clues = (), *, timeout: Timeout = None) -> Verdict:
        """Decide whether the board with these clues has no solution, one, or more.

        Raises `SearchTimeout` after ``timeout`` seconds, and can be asked again; ``ValueError``
        for a clue outside 0-4 or a cell outside the board.
        """
        wanted = self._checked(clues)
        deadline = Deadline.of(timeout)
        known = [solution for solution, counts in self._seen if _fits(counts, wanted)]
        if len(known) > 1:
            return Verdict("many", (known[0], known[1]), None)
        # Before any search, so that no cut rests on clues of an earlier question.
        assumptions, clue_of = self._assume(wanted)
        if not wanted and self.model.is_free:
            return self._ask_free(deadline)
        if known:
            first = known[0]
        else:
            found = self._find(assumptions, deadline)
            if found is None:
                return Verdict("none", (), self._core(clue_of))
            first = found
        deadline.found = max(1, deadline.found)
        second = self._find_another(first, assumptions, deadline)
        if second is None:
            return Verdict("unique", (first,), self._core(clue_of))
        return Verdict("many", (first, second), None)

    def another(self, solution: Solution, *, timeout: Timeout = None) -> Solution | None:
        """A solution of the board without clues other than ``solution``, which must be one.

        ``None`` proves that there is no other. Cheaper than `ask` for whoever knows a solution,
        which is not searched for, nor checked. Raises `SearchTimeout`.

        >>> from linkoracle.puzzles import Numberlink
        >>> puzzle = Numberlink([[1, None, 2], [None, None, None], [1, None, 2]])
        >>> one = Solution.from_paths(
        ...     puzzle.lattice, [[(0, 0), (1, 0), (2, 0)], [(0, 2), (1, 2), (2, 2)]]
        ... )
        >>> Oracle(puzzle.model).another(one) is None
        False
        """
        # Before any search, so that no cut rests on clues of an earlier question.
        assumptions, _ = self._assume({})
        deadline = Deadline.of(timeout)
        if self.model.is_free:
            return self._another_free(solution, deadline)
        return self._find_another(solution, assumptions, deadline)

    def implies(self, clues: Clues, cell: Cell, *, timeout: Timeout = None) -> bool:
        """Whether the clue at ``cell`` follows from the others: they force its value.

        True also when the others contradict each other. Far cheaper than asking for uniqueness
        with and without the clue. Raises ``KeyError`` when ``cell`` has no clue; `SearchTimeout`.
        """
        wanted = self._checked(clues)
        value = wanted.pop(cell)
        face = self.model.lattice.face(*cell)
        for _, counts in self._seen:
            if counts[cell] != value and _fits(counts, wanted):
                return False
        assumptions, _ = self._assume(wanted)
        assumptions.append(self._denier(face, value))
        return self._find(assumptions, Deadline.of(timeout)) is None

    def solutions(self, clues: Clues = (), *, timeout: Timeout = None) -> Iterator[Solution]:
        """Yield every solution with these clues, each once, in the order the solver finds them.

        Lazy: asking for the next one starts the next search. Questions may be asked in between.
        Raises `SearchTimeout` when ``timeout`` seconds have passed since the first was asked for.
        """
        wanted = self._checked(clues)
        deadline = Deadline.of(timeout)
        enumeration = self._search.new_variables(1)
        listed = 0
        try:
            while True:
                # Another question may have been asked since the last solution.
                assumptions, _ = self._assume(wanted)
                found = self._find([*assumptions, enumeration], deadline)
                if found is None:
                    return
                listed += 1
                deadline.found = max(listed, deadline.found)
                self._search.add([[-enumeration, *self._other_than(found)]])
                yield found
        finally:
            self._search.add([[-enumeration]])

    def _ask_free(self, deadline: Deadline) -> Verdict:
        """Decide a free model among its taut solutions: see `linkoracle.sat.taut`."""
        first = self._find(self._taut_only(), deadline)
        if first is None:
            return Verdict("none", (), {})
        deadline.found = max(1, deadline.found)
        second = self._another_free(first, deadline)
        if second is None:
            return Verdict("unique", (first,), {})
        return Verdict("many", (first, second), None)

    def _another_free(self, solution: Solution, deadline: Deadline) -> Solution | None:
        from linkoracle.rerouting import rerouted

        other = rerouted(self.model.lattice, solution)
        if other is not None:
            return Solution(self.model.lattice, other)
        return self._find_another(solution, self._taut_only(), deadline)

    def _taut_only(self) -> list[int]:
        """The assumptions that restrict a free model to taut solutions."""
        if not self._restriction:
            # Only free Numberlinks need it, so others do not wait for it.
            from linkoracle.sat.taut import taut_clauses

            clauses = taut_clauses(self.model, self._colour, self._search.new_variables)
            self._restriction = [self._search.new_variables(1)]
            self._search.add([[-self._restriction[0], *clause] for clause in clauses])
        return self._restriction

    def _find(self, assumptions: list[int], deadline: Deadline) -> Solution | None:
        edges = self._search.next_solution(assumptions, deadline)
        if edges is None:
            return None
        solution = Solution(self.model.lattice, edges)
        if all(solution != seen for seen, _ in self._seen):
            self._seen.append((solution, solution.face_counts()))
        return solution

    def _find_another(
        self, solution: Solution, assumptions: list[int], deadline: Deadline
    ) -> Solution | None:
        other = self._search.new_variables(1)
        self._search.add([[-other, *self._other_than(solution)]])
        self._search.prefer(solution.edges)
        try:
            return self._find([*assumptions, other], deadline)
        finally:
            self._search.add([[-other]])

    @staticmethod
    def _other_than(solution: Solution) -> list[int]:
        """A clause that excludes this solution only.

        It says that some edge of it is off: no solution properly contains another, since what is
        left over would be cycles beside the loop or the paths.
        """
        return [-1 - edge for edge in solution.edges]

    def _core(self, clue_of: dict[int, tuple[Cell, int]]) -> dict[Cell, int]:
        core = self._search.core
        return dict(clue for selector, clue in clue_of.items() if selector in core)

    def _checked(self, clues: Clues) -> dict[Cell, int]:
        lattice = self.model.lattice
        wanted = dict(clues.items() if isinstance(clues, Mapping) else clues)
        for (row, col), value in wanted.items():
            if not (0 <= row < lattice.rows - 1 and 0 <= col < lattice.cols - 1):
                raise ValueError(f"the board has no cell {row},{col}")
            if not 0 <= value <= 4:
                raise ValueError(f"expected a clue from 0 to 4 at {row},{col}, found {value}")
        return wanted

    def _assume(self, wanted: dict[Cell, int]) -> tuple[list[int], dict[int, tuple[Cell, int]]]:
        """Selectors that put the clues in force, and the clue of each."""
        self._search.undemand()
        clue_of = {}
        for cell, value in wanted.items():
            face = self.model.lattice.face(*cell)
            selector = self._selector(face, value)
            clue_of[selector] = cell, value
            if value >= 2:
                self._search.demand(face, selector)
        return list(clue_of), clue_of

    def _selector(self, face: int, value: int) -> int:
        """The literal under which ``face`` has exactly ``value`` chosen edges."""
        if (face, value) not in self._selectors:
            selector = self._search.new_variables(1)
            guard = np.array([-selector])
            self._search.add(count_clauses(self._face_edges[face : face + 1], 1 << value, guard))
            self._selectors[face, value] = selector
        return self._selectors[face, value]

    def _denier(self, face: int, value: int) -> int:
        """The literal under which ``face`` does not have exactly ``value`` chosen edges."""
        if (face, value) not in self._deniers:
            denier = self._search.new_variables(1)
            edges = [int(edge) + 1 for edge in self._face_edges[face]]
            clauses: Clauses = []
            for on in combinations(edges, value):
                clauses.append([-denier, *(-e if e in on else e for e in edges)])
            self._search.add(clauses)
            self._deniers[face, value] = denier
        return self._deniers[face, value]


def _fits(counts: NDArray[np.int64], wanted: dict[Cell, int]) -> bool:
    return all(counts[cell] == value for cell, value in wanted.items())
