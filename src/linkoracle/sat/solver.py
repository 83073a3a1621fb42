"""`PieceSolver`: a PySAT solver that works in pieces."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from linkoracle.core.limits import Deadline, deferred_signals, leave_interrupts_to_python

if TYPE_CHECKING:
    from linkoracle.sat.clauses import Add

#: The solvers that PySAT lets be configured, and what makes them answer promptly each time.
_CONFIGURED = ("cadical153", "cadical195")
_PROMPT = {"inprocessing": 0, "walk": 0}


class PieceSolver:
    """The PySAT solver of this name, left after every ``piece`` conflicts.

    Then the clock is looked at, and Ctrl-C is let through. Freed by `close`, or when it is dropped.
    With ``prompt``, CaDiCaL never stops to simplify its clauses.

    >>> solver = PieceSolver("cadical195", 1_000)
    >>> solver.add([1, 2])
    >>> solver.solve([-1]), solver.model(), solver.solve([-1, -2]), solver.core()
    (True, [-1, 2], False, {-1, -2})
    """

    # Of the class, since what raises when it is made has a finaliser, too.
    _owner: Any = None

    def __init__(self, name: str, piece: int, *, prompt: bool = False) -> None:
        from pysat.solvers import Solver

        leave_interrupts_to_python()
        self._piece = piece
        # PySAT's wrapper has the solver and frees it; clauses go to the class inside, because the
        # wrapper adds a third to the cost of each, and many puzzles cost more to state than solve.
        self._owner = Solver(name=name)
        if prompt and name in _CONFIGURED:
            self._owner.configure(_PROMPT)
        self._solver = self._owner.solver
        self.add: Add = self._solver.add_clause

    def __del__(self) -> None:
        # PySAT's own finalisers would free the solver twice if Ctrl-C came between them.
        self.close()

    def close(self) -> None:
        """Free the solver, which cannot be used afterwards."""
        # Ctrl-C between the moment when PySAT frees the solver and the one when it notes that would
        # have it freed twice; in a finaliser it would be lost.
        with deferred_signals():
            if self._owner is not None:
                self._owner.delete()
            self._owner = self._solver = None

    def solve(self, assumptions: list[int], deadline: Deadline | None = None) -> bool:
        """Whether there is a model. `SearchTimeout` and `ConflictLimit` as the deadline says."""
        solver = self._solver
        while True:
            if deadline is not None:
                deadline.check()
            solver.conf_budget(self._piece)
            answer = solver.solve_limited(assumptions=assumptions)
            if answer is not None:
                return bool(answer)
            if deadline is not None:
                deadline.spend(self._piece)

    def model(self) -> list[int]:
        """The literals of the model found last."""
        model: list[int] = self._solver.get_model()
        return model

    def core(self) -> set[int]:
        """The assumptions that the last "no model" rests on."""
        return set(self._solver.get_core() or ())

    def prefer(self, literals: list[int]) -> None:
        """Where there is a choice, try these first."""
        self._solver.set_phases(literals)
