"""The lazy search: a SAT solver that is asked again, with cuts, until its model is a solution."""

from __future__ import annotations

import math
import time
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, Self

from linkoracle.errors import ConflictLimit, SearchTimeout
from linkoracle.interrupts import held_back
from linkoracle.sat.cuts import CutMaker
from linkoracle.sat.encoding import Clauses, degree_clauses, face_clauses
from linkoracle.sat.interrupts import leave_interrupts_to_python

if TYPE_CHECKING:
    from linkoracle.model import LinkModel

#: The PySAT solver used when the caller names none; `scripts/bench_oracle.py --solvers` compares
#: those that PySAT ships.
DEFAULT_SOLVER = "cadical195"

#: The solvers that can be named: what PySAT has with assumptions, cores, phases, conflict limits.
SOLVERS = (
    "cadical153",
    "cadical195",
    "cadical300",
    "gluecard4",
    "glucose3",
    "glucose4",
    "glucose42",
    "maplechrono",
    "maplecm",
    "maplesat",
    "mergesat3",
    "minicard",
    "minisat22",
)

#: Rounds of a question after which cuts are made with more care. Most published puzzles take eight
#: rounds in all.
_EASY = 10

#: Conflicts between two looks at the clock, when there is a time limit.
_SLICE = 1_000

#: Conflicts after which a search without a limit lets Ctrl-C through: some seconds of work. Few
#: searches have as many, and the others do not notice.
_BREATH = 20_000


class LazySearch:
    """A PySAT solver holding the local rules of one model, and the cuts found so far.

    Cuts are sound for every solution of the model (see `linkoracle.sat.cuts`), so they stay when a
    caller asks again under other assumptions. Use as a context manager, or call `close`.

    ``cut_maker`` judges the solver's models, where that is to be done in another way than usual;
    what its `CutMaker.judge` returns as edges is what `next_solution` returns.

    Raises ``ValueError`` for a solver that is not one of `SOLVERS`.
    """

    def __init__(
        self, model: LinkModel, solver: str | None = None, cut_maker: CutMaker | None = None
    ) -> None:
        from pysat.solvers import Solver

        name = solver or DEFAULT_SOLVER
        if name not in SOLVERS:
            raise ValueError(f"expected a solver out of {', '.join(SOLVERS)}; got {name!r}")
        leave_interrupts_to_python()
        self.model = model
        self.solver_name = name
        self.rounds = 0
        self.cuts_added = 0
        #: The assumptions that the last "no solution" rests on.
        self.core: set[int] = set()
        self._num_edges = model.lattice.num_edges
        self._cut_maker = cut_maker or CutMaker(model)
        self._next_variable = self._num_edges + 1
        #: Faces that demand two edges or more, and the literals that are false while they do.
        self._demanding: dict[int, list[int]] = {
            face: [] for face, mask in enumerate(model.faces) if not mask & 0b11
        }
        self._contradiction = False
        # PySAT's wrapper owns the solver and frees it; clauses go to the class inside, because the
        # wrapper adds a third to the cost of each, and many puzzles cost more to state than solve.
        self._owner: Any = Solver(name=name)
        self._solver: Any = self._owner.solver
        self.add(degree_clauses(model.lattice, model.degrees))
        self.add(face_clauses(model.lattice, model.faces))
        if model.loop:
            self.add([list(range(1, self._num_edges + 1))])

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Free the solver. The search cannot be used afterwards."""
        # Ctrl-C between the moment when PySAT frees the solver and the one when it notes that would
        # have it freed twice; in a finaliser it would be lost.
        with held_back():
            if self._owner is not None:
                self._owner.delete()
            self._owner = self._solver = None

    def new_variables(self, count: int) -> int:
        """Reserve ``count`` variables and return the first."""
        first = self._next_variable
        self._next_variable += count
        return first

    def add(self, clauses: Clauses) -> None:
        """Add clauses for ever; after `close`, none."""
        if self._solver is None:
            # A list of solutions that outlives the search takes its leave with a clause.
            return
        add_clause = self._solver.add_clause
        for clause in clauses:
            if clause:
                add_clause(clause)
            else:
                # Not every solver takes the empty clause well. A cut is empty when a cycle that
                # must not be fills a board on which every vertex must be used.
                self._contradiction = True

    def demand(self, face: int, selector: int) -> None:
        """Say that while ``selector`` is assumed, ``face`` has two chosen edges or more.

        Until `undemand`, cuts may rest on it; those that do carry the negated selector.
        """
        self._demanding.setdefault(face, [-selector])

    def undemand(self) -> None:
        """Forget the demands of `demand`; the cuts that rest on them stay, and stay sound."""
        self._demanding = {face: why for face, why in self._demanding.items() if not why}

    def prefer(self, chosen: Iterable[int]) -> None:
        """Start the next searches near the edge set ``chosen``."""
        literals = list(range(-1, -1 - self._num_edges, -1))
        for edge in chosen:
            literals[edge] = edge + 1
        self.prefer_literals(literals)

    def prefer_literals(self, literals: list[int]) -> None:
        """Start the next searches near these literals. ``RuntimeError`` after `close`."""
        self._check_open()
        self._solver.set_phases(literals)

    def next_solution(
        self, assumptions: Sequence[int] = (), deadline: Deadline | None = None
    ) -> tuple[int, ...] | None:
        """Edges of one solution under the assumptions, or ``None`` when there is none.

        Raises `SearchTimeout` past the deadline; the search can be used again all the same.
        ``RuntimeError`` after `close`.
        """
        self._check_open()
        self.core = set()
        maker = self._cut_maker
        assumed = list(assumptions)
        easy_until = self.rounds + _EASY
        while not self._contradiction and self._solve(assumed, deadline):
            thorough = self.rounds > easy_until
            edges, cuts = maker.judge(self._solver.get_model(), self._demanding, thorough=thorough)
            if not cuts:
                return edges
            self.add(cuts)
            self.cuts_added += len(cuts)
        if assumed and not self._contradiction:
            # Now, since CaDiCaL aborts the process when it is asked after another clause came.
            self.core = set(self._solver.get_core() or ())
        return None

    def _check_open(self) -> None:
        if self._solver is None:
            raise RuntimeError("the search is closed")

    def _solve(self, assumptions: list[int], deadline: Deadline | None) -> bool:
        self.rounds += 1
        limited = deadline is not None and not deadline.never
        solver = self._solver
        while True:
            if deadline is not None:
                deadline.check()
            solver.conf_budget(_SLICE if limited else _BREATH)
            answer = solver.solve_limited(assumptions=assumptions)
            if answer is not None:
                return bool(answer)
            if deadline is not None:
                deadline.spend(_SLICE if limited else _BREATH)


class Deadline:
    """A moment after which `check` raises, and a number of conflicts after which `spend` does.

    It may be shared by several questions. ``seconds=None`` never comes; ``conflicts=None`` are
    never used up. Raises ``ValueError`` for limits that are not positive.
    """

    def __init__(self, seconds: float | None, conflicts: int | None = None) -> None:
        if seconds is not None and seconds <= 0:
            raise ValueError(f"a time limit must be positive, got {seconds}")
        if conflicts is not None and conflicts <= 0:
            raise ValueError(f"a limit of conflicts must be positive, got {conflicts}")
        self._seconds = seconds
        self._until = math.inf if seconds is None else time.monotonic() + seconds
        self._conflicts = conflicts
        self._spent = 0
        #: Solutions seen so far, for the error message.
        self.found = 0

    @classmethod
    def of(cls, timeout: float | Deadline | None) -> Deadline:
        """The deadline itself, or a new one so many seconds from now."""
        return timeout if isinstance(timeout, Deadline) else cls(timeout)

    def with_conflicts(self, conflicts: int) -> Deadline:
        """The same moment, with a limit of conflicts of its own."""
        limited = Deadline(None, conflicts)
        limited._seconds, limited._until, limited.found = self._seconds, self._until, self.found
        return limited

    @property
    def never(self) -> bool:
        return self._seconds is None and self._conflicts is None

    def check(self) -> None:
        """Raise `SearchTimeout` if the moment has come."""
        if self._seconds is not None and time.monotonic() >= self._until:
            raise SearchTimeout(self._seconds, self.found)

    def spend(self, conflicts: int) -> None:
        """Count conflicts; raise `ConflictLimit` if they are used up."""
        self._spent += conflicts
        if self._conflicts is not None and self._spent >= self._conflicts:
            raise ConflictLimit(f"undecided after {self._spent} conflicts")
