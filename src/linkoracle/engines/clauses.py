"""Literals and clauses about edges and path colours, and the PySAT solver that takes them.

Edge *e* is Boolean variable ``e + 1``, in the DIMACS convention of PySAT; further variables follow.
`linkoracle.lines.rules_kernel` makes the clauses of the local constraints,
`linkoracle.engines.connectivity` those of paths and the cuts, with a proof that they are sound.
"""

from __future__ import annotations

import errno
import os
import sys
import tempfile
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import closing
from functools import cache
from types import FrameType
from typing import TYPE_CHECKING, Any, NamedTuple

from linkoracle.core import Deadline, deferred_signals
from linkoracle.engines.answers import DEFAULT_SOLVER, PIECE

if TYPE_CHECKING:
    from linkoracle.board import LinkModel

Clauses = list[list[int]]
#: The edges of a solution.
Chosen = tuple[int, ...]
#: A function that accepts a clause.
Add = Callable[[list[int]], object]

#: The solvers with options in PySAT.
_CONFIGURED = ("cadical153", "cadical195")
#: Bytes that a log must be able to grow by; solvers write larger pieces.
_SPARE = 1 << 16


class PieceSolver:
    """A PySAT solver that returns after every ``piece`` conflicts.

    Between the pieces it checks the deadline and handles Ctrl-C. `close` or the garbage collector
    frees the solver. ``options`` are for CaDiCaL; other solvers have none. With ``proof``, all
    learned clauses are logged.

    >>> solver = PieceSolver("cadical195", 1_000)
    >>> solver.add([1, 2])
    >>> solver.solve([-1], Deadline(None)), solver.model()
    (True, [-1, 2])
    """

    # On the class, as the finaliser also runs if the constructor raises.
    _owner: Any = None

    def __init__(
        self,
        name: str,
        piece: int,
        options: Mapping[str, int] | None = None,
        *,
        proof: bool = False,
    ) -> None:
        from pysat.solvers import Solver

        leave_interrupts_to_python()
        self._piece = piece
        # PySAT's wrapper owns the solver and frees it. Clauses go to the inner class: the wrapper
        # adds a third to the cost of each, and many puzzles cost more to encode than to solve.
        self._owner = Solver(name=name, with_proof=proof)
        if options and name in _CONFIGURED:
            self._owner.configure(options)
        self._solver = self._owner.solver
        self.add: Add = self._solver.add_clause

    def __del__(self) -> None:
        # PySAT's own finalisers could free the solver twice if Ctrl-C came between them.
        self.close()

    def close(self) -> None:
        """Free the solver; it cannot be used afterwards."""
        # Ctrl-C after PySAT frees the solver and before it records that would free it twice; in a
        # finaliser it would be lost.
        with deferred_signals():
            if self._owner is not None:
                self._owner.delete()
            self._owner = self._solver = None

    def solve(self, assumptions: list[int], deadline: Deadline) -> bool:
        """Return whether there is a model. Raises `SearchTimeout` and `ConflictLimit`."""
        while True:
            deadline.check()
            self._solver.conf_budget(self._piece)
            answer = self._solver.solve_limited(assumptions=assumptions)
            if answer is not None:
                return bool(answer)
            deadline.spend(self._piece)

    def model(self) -> list[int]:
        """Return the literals of the last model."""
        model: list[int] = self._solver.get_model()
        return model

    def core(self) -> set[int]:
        """Return the assumptions that the last "no model" depends on."""
        return set(self._solver.get_core() or ())

    def proof(self) -> bytes:
        """Return the log of learned clauses, as binary DRAT.

        Raises ``OSError`` if the log, a temporary file, could not be written.
        """
        from pysolvers import flushpr

        # PySAT's own method converts the proof to text, and may truncate it.
        flushpr(self._solver.prfp)
        self._solver.prfile.seek(0)
        log: bytes = self._solver.prfile.read()
        self._check_space(self._solver.prfile.fileno())
        return log

    @staticmethod
    def _check_space(file: int) -> None:
        """Raise ``OSError`` if a file cannot grow: the solver would not say so."""
        try:
            os.lseek(file, 0, os.SEEK_END)
            if os.write(file, bytes(_SPARE)) == _SPARE:
                return
            error = OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        except OSError as found:
            error = found
        reason = f"cannot write: {error.strerror}, for the log of the solver"
        raise OSError(error.errno, reason, tempfile.gettempdir()) from None

    def prefer(self, literals: list[int]) -> None:
        """Prefer these literals in decisions."""
        self._solver.set_phases(literals)


def completed(model: LinkModel, edges: Iterable[int], deadline: Deadline) -> list[int] | None:
    """Return the true variables for these edges: edges, visited vertices, auxiliary ones.

    The auxiliary variables satisfy all clauses; ``None`` if that is impossible. Raises
    `SearchTimeout`.

    >>> from linkoracle.board import Lattice
    >>> from linkoracle.board import LinkModel
    >>> path = LinkModel.blank_paths(Lattice(1, 2), [(0, 1)])
    >>> completed(path.with_constraints(clauses=[(4, -5), (-4,)]), (0,), Deadline(None))
    [1, 2, 3]
    """
    board = model.board
    true = {edge + 1 for edge in edges}
    true |= {board.visited(vertex) for edge in edges for vertex in board.ends(edge)}
    known = board.num_variables
    if model.num_variables <= known:
        return sorted(true)
    with closing(PieceSolver(DEFAULT_SOLVER, PIECE)) as solver:
        for variable in range(1, known + 1):
            solver.add([variable if variable in true else -variable])
        for clause in model.clauses:
            solver.add(list(clause))
        if not solver.solve([], deadline):
            return None
        return [literal for literal in solver.model() if literal > 0]


class Colours(NamedTuple):
    """The variables for the path of each vertex: its number in binary.

    >>> Colours(10, 3).of(2)
    range(16, 19)
    """

    #: The first variable.
    first: int
    #: The number of variables of a vertex.
    bits: int

    def of(self, vertex: int) -> range:
        """Return the variables of a vertex, the lowest bit first."""
        start = self.first + vertex * self.bits
        return range(start, start + self.bits)


def on_path(colour: Sequence[int], number: int) -> list[int]:
    """Return the literals for "the vertex with these variables is on path ``number``".

    >>> on_path([7, 8, 9], 5)
    [7, -8, 9]
    """
    return [variable if number >> bit & 1 else -variable for bit, variable in enumerate(colour)]


def other_than(edges: Iterable[int]) -> list[int]:
    """Return a clause that excludes only the solution with these edges.

    It requires one of these edges to be unused. No solution properly contains another, as the rest
    would be additional cycles.

    >>> other_than((0, 1, 3, 5))
    [-1, -2, -4, -6]
    """
    return [-1 - edge for edge in edges]


def exactly(edges: Iterable[int], num_edges: int) -> list[int]:
    """Return the literals that say that of all edges these are chosen, and no others.

    >>> exactly((0, 2), 4)
    [1, -2, 3, -4]
    """
    literals = list(range(-1, -1 - num_edges, -1))
    for edge in edges:
        literals[edge] = edge + 1
    return literals


@cache
def leave_interrupts_to_python() -> None:
    """Handle Ctrl-C during a PySAT call right after the call.

    In the main thread, PySAT's C code ends by a long jump from a signal handler, possibly in the
    middle of an allocation; then the process sometimes hangs or aborts. In other threads Python
    raises ``KeyboardInterrupt`` after the call and the solver stays intact. So PySAT believes to be
    in another thread when a module of linkoracle calls it. Long searches run in short calls.
    """
    from pysat.solvers import MainThread

    original = MainThread.check
    # No state, such as a flag for the time of a call: an interrupt could come before it is reset.
    MainThread.check = staticmethod(lambda: not _called_by_us() and original())


def _called_by_us() -> bool:
    frame: FrameType | None = sys._getframe(2)
    while frame is not None:
        package = frame.f_globals.get("__name__", "").partition(".")[0]
        if package == "linkoracle":
            return True
        if package not in ("linkoracle", "pysat"):
            return False
        frame = frame.f_back
    return False
