"""The lazy search: a SAT solver, called repeatedly with new cuts until its model is a solution."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from functools import partial
from itertools import compress
from operator import ne
from typing import TYPE_CHECKING, Self

from linkoracle.board.model import PASS
from linkoracle.core.errors import ClosedError, SearchTimeout
from linkoracle.core.limits import Deadline
from linkoracle.lines.rules_kernel import Rules, count_clauses
from linkoracle.sat.answers import DEFAULT_SOLVER, PIECE, SOLVERS
from linkoracle.sat.clauses import PROMPT, Add, Clauses, Colours, PieceSolver, exactly
from linkoracle.sat.cuts_kernel import CutMaker

if TYPE_CHECKING:
    from linkoracle.board.model import LinkModel
    from linkoracle.sat.answers import Side
    from linkoracle.sat.repair import Repairer

#: Number of rounds of a query after which cuts are chosen with more care. Most published puzzles
#: take eight rounds in total.
_EASY = 10

#: Number of rounds of a query after which boards that are not sparse are repaired: if they still
#: need `_MANY_CUTS`, and in any case. Unique boards gain nothing, and rarely take as many.
_HARD, _HARDEST = 20, 100

#: The value of an edge that may differ between solutions.
UNKNOWN = 2

#: Fractions of faces with clues. Up to the first, start from no edges but short paths; up to the
#: second, repair every model; up to the third, repair once a model needs `_MANY_CUTS`.
_EMPTY, _SPARSE, _CLUED = 0.08, 0.22, 0.31
_MANY_CUTS = 24

#: Least vertices for each pair of terminals of a roomy board.
ROOMY = 40


class LazySearch:
    """A PySAT solver with the local constraints of one model, and the cuts found so far.

    Cuts are sound for every solution of the model (see `linkoracle.sat.clauses`), so they are kept
    for queries under other assumptions. Use as a context manager, or call `close`; garbage
    collection closes it, too.

    Constraints are propagated and probed first (see `linkoracle.lines.rules_kernel`). PySAT is
    loaded, and open constraints are encoded, only when needed; most puzzles never need it.

    With ``prompt``, CaDiCaL never pauses to simplify its clauses. Simplification saves work in the
    long run, but sometimes takes half a second on a large board between queries of milliseconds.

    Raises ``ValueError`` for a solver that is not in `SOLVERS`, and `SearchTimeout` if probing a
    huge board takes longer than until ``deadline``.
    """

    def __init__(
        self,
        model: LinkModel,
        solver: str | None = None,
        deadline: Deadline | None = None,
        *,
        prompt: bool = False,
    ) -> None:
        name = DEFAULT_SOLVER if solver is None else solver
        if name not in SOLVERS:
            raise ValueError(f"expected a solver out of {', '.join(SOLVERS)}; got {name!r}")
        deadline = Deadline(None) if deadline is None else deadline
        deadline.check()
        self.model = model
        self.solver_name = name
        self._prompt = prompt
        self.rounds = 0
        self.cuts_added = 0
        #: The assumptions that the last "no solution" depends on.
        self.core: set[int] = set()
        self._num_edges = model.board.num_edges
        self._rules = Rules(model)
        #: Whether it is known that there is no solution.
        self._contradiction = not model.is_balanced or not self._rules.preprocess(deadline)
        #: For each edge 1 if it is known that every solution has it, 0 if none has, or `UNKNOWN`.
        self._known = self._rules.fixed()
        #: Whether propagation and probes leave at most one set of edges.
        self._decided = UNKNOWN not in self._known and self._rules.is_complete()
        self._cut_maker = CutMaker(model, self._known)
        deadline.check()
        self._next_variable = model.num_variables + 1
        #: The count masks of faces in the next query, and the assumed edges.
        self._masks: dict[int, int] = {}
        self._assumed: Collection[int] = ()
        #: Faces that need two or more edges in a query, and the literals that are false then.
        self._demanding: dict[int, list[int]] = {}
        self._phases_set = False
        self._piece = max(1, min(PIECE, PIECE * 2_000 // max(1, self._num_edges)))
        self._solver: PieceSolver | None = None
        self._closed = False

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Free the solver; the search cannot be used afterwards."""
        self._closed = True
        solver, self._solver = self._solver, None
        if solver is not None:
            solver.close()

    def _open(self, deadline: Deadline) -> PieceSolver:
        """Return the solver with the constraints; on `SearchTimeout` there is none."""
        if self._solver is None:
            solver = PieceSolver(self.solver_name, self._piece, PROMPT if self._prompt else None)
            self._rules.state(solver.add, deadline, self.new_variables)
            self._solver = solver
        return self._solver

    def only(self) -> tuple[tuple[int, ...], ...] | None:
        """Return the edges of all solutions if propagation leaves at most one, else ``None``."""
        if self._contradiction:
            return ()
        if not self._decided:
            return None
        edges = tuple(compress(range(self._num_edges), self._known))
        # The empty set is no loop, and has no edge to cut.
        empty = self.model.loop and not edges
        return () if empty or self._cut_maker.cuts(edges, {}) else (edges,)

    def new_variables(self, count: int) -> int:
        """Reserve ``count`` variables and return the first."""
        first = self._next_variable
        self._next_variable += count
        return first

    def count_clauses(self, literals: list[int], mask: int, unless: list[int]) -> Clauses:
        """Return clauses for a count, with the literals ``unless`` in each: see `Count`."""
        return count_clauses(literals, mask, unless, self.new_variables)

    def colour(self, deadline: Deadline) -> Colours:
        """Encode the colours of paths: see `linkoracle.sat.paths_kernel`.

        At the deadline, closes the search and raises `SearchTimeout`.
        """
        # Loops do not need this module.
        from linkoracle.sat.paths_kernel import PathClauses

        paths = PathClauses(self.model)
        colours = Colours(self.new_variables(paths.num_colours), paths.bits)
        self._state(partial(paths.state_colours, colours.first), deadline)
        return colours

    def state_taut(
        self, colours: Colours, deadline: Deadline, side: Side = "bottom", *, guarded: bool = False
    ) -> tuple[range, int]:
        """Encode the constraints of taut solutions, with ``side`` as the bottom.

        Returns the variables for used vertices, and with ``guarded`` the literal that activates the
        constraints, otherwise 0. At the deadline, closes the search and raises `SearchTimeout`.
        """
        from linkoracle.sat.paths_kernel import PathClauses

        paths = PathClauses(self.model)
        first = self.new_variables(paths.num_taut)
        guard = self.new_variables(1) if guarded else 0
        unless = [-guard] if guarded else []
        self._state(partial(paths.state_taut, colours.first, first, side, unless), deadline)
        return range(first, first + self.model.board.num_vertices), guard

    def _state(self, stating: Callable[[Add, Deadline], None], deadline: Deadline) -> None:
        """Add possibly millions of clauses, none of them empty."""
        if self._closed or self._contradiction:
            return
        try:
            stating(self._open(deadline).add, deadline)
        except SearchTimeout:
            self.close()
            raise

    def add(self, clauses: Clauses) -> None:
        """Add permanent clauses; does nothing after `close`."""
        if self._closed or self._contradiction:
            # An iterator of solutions that outlives the search adds a last clause.
            return
        add_clause = self._open(Deadline(None)).add
        for clause in clauses:
            if clause:
                add_clause(clause)
            else:
                # Not every solver accepts the empty clause. A cut is empty if a forbidden cycle
                # uses all vertices of a board on which every vertex must be used.
                self._contradiction = True

    def suppose(self, counts: Mapping[int, tuple[int, int]], edges: Collection[int] = ()) -> None:
        """Set the meaning of the assumptions of the next queries.

        ``counts`` maps faces to a count mask and its selector; ``edges`` are the assumed edges.
        Cuts may depend on such a clue; these have the negated selector, so they stay sound when it
        is no longer assumed.
        """
        faces, low = self.model.faces, self.model.board.low_masks
        self._masks = {face: mask & faces[face] for face, (mask, _) in counts.items()}
        self._demanding = {
            face: [-counts[face][1]] for face, mask in self._masks.items() if not mask & low[face]
        }
        self._assumed = edges

    def prefer(self, chosen: Iterable[int]) -> None:
        """Start the next searches near the edge set ``chosen``; `ClosedError` after `close`."""
        self.check_open()
        self._phases_set = True
        if not self._contradiction:
            self._open(Deadline(None)).prefer(exactly(chosen, self._num_edges))

    def next_solution(
        self, assumptions: Sequence[int] = (), deadline: Deadline | None = None
    ) -> tuple[int, ...] | None:
        """Return the edges of a solution under the assumptions, or ``None``.

        Raises `SearchTimeout` past the deadline; the search can be used again. Raises `ClosedError`
        after `close`.
        """
        self.check_open()
        self.core = set()
        if self._contradiction:
            return None
        deadline = Deadline(None) if deadline is None else deadline
        solver = self._open(deadline)
        maker = self._cut_maker
        assumed = list(assumptions)
        hard_from = self.rounds + _EASY
        many = self._hopeful()
        begun = self.rounds
        repairer: Repairer | None = None
        while not self._contradiction and self._solve(assumed, deadline):
            thorough = self.rounds > hard_from
            edges, cuts = maker.judge(solver.model(), self._demanding, thorough=thorough)
            if not cuts:
                return edges
            self._add_cuts(cuts)
            if self.rounds >= begun + _HARD:
                many = min(many, _MANY_CUTS if self.rounds < begun + _HARDEST else 0)
            if len(cuts) >= many:
                # Later rounds continue this repair.
                many = 0
                if repairer is None:
                    from linkoracle.sat.repair import Repairer

                    repairer = Repairer(self.model)
                if self.rounds >= repairer.due:
                    repaired = self._repair(edges, assumed, deadline, repairer)
                    if repaired is not None:
                        return repaired
        if assumed and not self._contradiction:
            # Read it now: CaDiCaL aborts the process if a clause was added before.
            self.core = solver.core()
        return None

    def check_open(self) -> None:
        """Raise `ClosedError` after `close`."""
        if self._closed:
            raise ClosedError("the search is closed. Make a new one.")

    def _hopeful(self) -> float:
        """Return the number of cuts in a round that triggers a repair; start near no edges if good.

        On published puzzles a repair helps only if many rounds of cuts have not.
        """
        model = self.model
        faces, vertices = model.board.num_faces, model.board.num_vertices
        # Repairs need faces and masks.
        if ROOMY * len(model.terminals) > vertices or not faces or not model.only_masks:
            return math.inf
        free = model.board.free_masks
        ruled = sum(map(ne, model.faces, free)) + sum(
            model.faces[face] == free[face] for face in self._masks
        )
        share = ruled / faces
        if share <= _EMPTY and not self._phases_set and PASS not in model.degrees:
            from linkoracle.sat.repair import routes

            self.prefer(routes(model)[0])
        return 0 if share <= _SPARSE else _MANY_CUTS if share <= _CLUED else math.inf

    def _repair(
        self,
        edges: Sequence[int],
        assumed: list[int],
        deadline: Deadline,
        repairer: Repairer,
    ) -> tuple[int, ...] | None:
        """Return a solution near these edges, or ``None``; the next search starts nearby."""
        maker = self._cut_maker
        free = self.model.board.free_masks
        masks = {face: m for face, m in enumerate(self.model.faces) if m != free[face]}
        fixed = {edge for edge, value in enumerate(self._known) if value != UNKNOWN}
        new, number = repairer.repaired(
            maker.components(edges),
            masks | self._masks,
            fixed.union(self._assumed),
            repairer.refused,
        )
        # Solved or not, this is a good start for the next search.
        self.prefer(new)
        if cuts := maker.cuts(new, self._demanding):
            self._add_cuts(cuts)
        elif self._solve([*assumed, *exactly(new, self._num_edges)], deadline):
            return tuple(new)
        repairer.note(number, self.rounds)
        return None

    def _add_cuts(self, cuts: Clauses) -> None:
        self.add(cuts)
        self.cuts_added += len(cuts)

    def _solve(self, assumptions: list[int], deadline: Deadline) -> bool:
        self.rounds += 1
        assert self._solver is not None
        return self._solver.solve(assumptions, deadline)
