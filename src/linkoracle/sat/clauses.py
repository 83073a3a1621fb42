"""Clauses of a `LinkModel`: local rules, path colours, cuts for the global rule; and the solver.

Edge *e* is Boolean variable ``e + 1``, in the DIMACS convention that PySAT uses; further variables
follow. Clauses of the local rules come from `linkoracle.lines.rules_kernel`, those of paths from
`linkoracle.sat.paths_kernel`, and cuts from `linkoracle.sat.cuts_kernel`, which also says why they
are sound.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import closing
from typing import TYPE_CHECKING, Any, NamedTuple

from linkoracle.core.limits import Deadline, deferred_signals, leave_interrupts_to_python
from linkoracle.lines.rules_kernel import count_clauses
from linkoracle.sat.answers import DEFAULT_SOLVER, PIECE
from linkoracle.sat.cuts_kernel import Component, CutMaker

if TYPE_CHECKING:
    from linkoracle.board.model import LinkModel

__all__ = [
    "Add",
    "Clauses",
    "Colours",
    "Component",
    "CutMaker",
    "PieceSolver",
    "completed",
    "count_clauses",
    "on_path",
    "other_than",
]

Clauses = list[list[int]]
#: What takes a clause.
Add = Callable[[list[int]], object]


#: The solvers that PySAT lets be configured.
_CONFIGURED = ("cadical153", "cadical195")


class PieceSolver:
    """The PySAT solver of this name, left after every ``piece`` conflicts.

    Then the clock is looked at, and Ctrl-C is let through. Freed by `close`, or when it is dropped.
    ``options`` are for CaDiCaL; other solvers take none. With ``proof``, all that is learned is
    kept.

    >>> solver = PieceSolver("cadical195", 1_000)
    >>> solver.add([1, 2])
    >>> solver.solve([-1], Deadline(None)), solver.model()
    (True, [-1, 2])
    """

    # Of the class, since what raises when it is made has a finaliser, too.
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
        # PySAT's wrapper has the solver and frees it; clauses go to the class inside, because the
        # wrapper adds a third to the cost of each, and many puzzles cost more to state than solve.
        self._owner = Solver(name=name, with_proof=proof)
        if options and name in _CONFIGURED:
            self._owner.configure(options)
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

    def solve(self, assumptions: list[int], deadline: Deadline) -> bool:
        """Whether there is a model. `SearchTimeout` and `ConflictLimit` as the deadline says."""
        while True:
            deadline.check()
            self._solver.conf_budget(self._piece)
            answer = self._solver.solve_limited(assumptions=assumptions)
            if answer is not None:
                return bool(answer)
            deadline.spend(self._piece)

    def model(self) -> list[int]:
        """The literals of the model found last."""
        model: list[int] = self._solver.get_model()
        return model

    def core(self) -> set[int]:
        """The assumptions that the last "no model" rests on."""
        return set(self._solver.get_core() or ())

    def proof(self) -> bytes:
        """All that was learned, as binary DRAT."""
        from pysolvers import flushpr

        # PySAT's own way to the proof makes text of it, and may cut off its end.
        flushpr(self._solver.prfp)
        self._solver.prfile.seek(0)
        log: bytes = self._solver.prfile.read()
        return log

    def prefer(self, literals: list[int]) -> None:
        """Where there is a choice, try these first."""
        self._solver.set_phases(literals)


def completed(model: LinkModel, edges: Iterable[int], deadline: Deadline) -> list[int] | None:
    """The variables that are true if these edges are: they, visited vertices, auxiliary ones.

    Of the last, such as fulfil all clauses; ``None`` if none do. Raises `SearchTimeout`.

    >>> from linkoracle.board.lattice import Lattice
    >>> from linkoracle.board.model import LinkModel
    >>> path = LinkModel.blank_paths(Lattice(1, 2), [(0, 1)])
    >>> completed(path.with_constraints(clauses=[(4, -5), (-4,)]), (0,), Deadline(None))
    [1, 2, 3]
    """
    board = model.board
    true = {edge + 1 for edge in edges}
    true |= {board.visited(vertex) for edge in edges for vertex in board.ends(edge)}
    known = board.num_edges + board.num_vertices
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
    """The variables that tell of each vertex the number of its path, in binary.

    >>> Colours(10, 3).of(2)
    range(16, 19)
    """

    #: The first of all.
    first: int
    #: How many each vertex has.
    bits: int

    def of(self, vertex: int) -> range:
        """Those of one vertex, the lowest bit first."""
        start = self.first + vertex * self.bits
        return range(start, start + self.bits)


def on_path(colour: Sequence[int], number: int) -> list[int]:
    """The literals that say that a vertex with these variables is on the path of this number.

    >>> on_path([7, 8, 9], 5)
    [7, -8, 9]
    """
    return [variable if number >> bit & 1 else -variable for bit, variable in enumerate(colour)]


def other_than(edges: Iterable[int]) -> list[int]:
    """A clause that excludes the solution with these edges only.

    It says that some edge of it is off: no solution properly contains another, since what is left
    over would be cycles beside the loop or the paths.

    >>> other_than((0, 1, 3, 5))
    [-1, -2, -4, -6]
    """
    return [-1 - edge for edge in edges]
