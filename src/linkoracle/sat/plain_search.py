"""The search of an `Oracle` with the clauses and cuts of the plain engine.

It answers like `LazySearch`, without probes, repairs and compiled modules: see `linkoracle.plain`.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import count as numbers_from
from itertools import islice

from linkoracle import plain
from linkoracle.board.model import LinkModel
from linkoracle.core.errors import ClosedError
from linkoracle.core.limits import Deadline
from linkoracle.sat.answers import DEFAULT_SOLVER, PIECE, SOLVERS
from linkoracle.sat.clauses import PROMPT, Clauses, PieceSolver, exactly


class PlainSearch:
    """A PySAT solver with the local constraints of one model, and the cuts found so far.

    Raises ``ValueError`` for a solver that is not in `SOLVERS`. Under WebAssembly, only CaDiCaL
    keeps to the conflict budgets between which deadlines are checked.
    """

    def __init__(
        self, model: LinkModel, solver: str | None = None, *, prompt: bool = False
    ) -> None:
        name = DEFAULT_SOLVER if solver is None else solver
        if name not in SOLVERS:
            raise ValueError(f"expected a solver out of {', '.join(SOLVERS)}; got {name!r}")
        self.model = model
        self.rounds = 0
        self.cuts_added = 0
        #: The assumptions that the last "no solution" depends on.
        self.core: set[int] = set()
        self._fresh = numbers_from(plain.first_fresh(model))
        #: Whether it is known that there is no solution.
        self._contradiction = False
        self._solver: PieceSolver | None = PieceSolver(name, PIECE, PROMPT if prompt else None)
        self.add(plain.local_clauses(model, self._fresh))

    def close(self) -> None:
        """Free the solver; the search cannot be used afterwards."""
        solver, self._solver = self._solver, None
        if solver is not None:
            solver.close()

    def check_open(self) -> None:
        """Raise `ClosedError` after `close`."""
        if self._solver is None:
            raise ClosedError("the search is closed. Make a new one.")

    def new_variables(self, count: int) -> int:
        """Reserve ``count`` variables and return the first."""
        first, *_ = islice(self._fresh, count)
        return first

    def add(self, clauses: Iterable[list[int]]) -> None:
        """Add permanent clauses; does nothing after `close`."""
        if self._solver is None or self._contradiction:
            return
        for clause in clauses:
            if clause:
                self._solver.add(clause)
            else:
                self._contradiction = True

    def count_clauses(self, literals: list[int], mask: int, unless: list[int]) -> Clauses:
        """Return clauses for a count, with the literals ``unless`` in each: see `Count`."""
        found = plain.count_clauses(literals, mask, self._fresh)
        return [[*unless, *clause] for clause in found]

    def only(self) -> tuple[tuple[int, ...], ...] | None:
        """Return the edges of all solutions if that is known without a search."""
        return () if self._contradiction else None

    def suppose(self, counts: Mapping[int, tuple[int, int]], edges: Collection[int] = ()) -> None:
        """Set the meaning of the assumptions of the next queries, on which no cut depends here."""

    def prefer(self, chosen: Iterable[int]) -> None:
        """Start the next searches near the edge set ``chosen``; `ClosedError` after `close`."""
        self.check_open()
        assert self._solver is not None
        self._solver.prefer(exactly(chosen, self.model.board.num_edges))

    def next_solution(
        self, assumptions: Sequence[int] = (), deadline: Deadline | None = None
    ) -> tuple[int, ...] | None:
        """Return the edges of a solution under the assumptions, or ``None``.

        Raises `SearchTimeout` past the deadline; the search can be used again. Raises `ClosedError`
        after `close`.
        """
        self.check_open()
        self.core = set()
        assert self._solver is not None
        deadline, assumed = deadline or Deadline(None), list(assumptions)
        while not self._contradiction:
            self.rounds += 1
            if not self._solver.solve(assumed, deadline):
                self.core = self._solver.core() if assumed else set()
                break
            values = self._solver.model()
            edges = range(self.model.board.num_edges)
            chosen = tuple(edge for edge in edges if values[edge] > 0)
            cuts = [cut for _, cut in plain.cuts_of(self.model, chosen)]
            if not cuts:
                return chosen
            self.add(cuts)
            self.cuts_added += len(cuts)
        return None
