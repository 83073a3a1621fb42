"""The lazy search: a SAT solver that is asked again, with cuts, until its model is a solution."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from functools import partial
from operator import ne
from typing import TYPE_CHECKING, Self

from linkoracle.board.model import PASS
from linkoracle.core.errors import ClosedError, SearchTimeout
from linkoracle.core.limits import Deadline
from linkoracle.lines.rules_kernel import Rules
from linkoracle.sat.answers import DEFAULT_SOLVER, PIECE, SOLVERS
from linkoracle.sat.clauses import Add, Clauses, Colours, CutMaker, PieceSolver

if TYPE_CHECKING:
    from linkoracle.board.model import LinkModel
    from linkoracle.sat.answers import Side
    from linkoracle.sat.repair import Repairer

#: Options of CaDiCaL with which it answers promptly each time.
_PROMPT = {"inprocessing": 0, "walk": 0}

#: Rounds of a question after which cuts are made with more care. Most published puzzles take eight
#: rounds in all.
_EASY = 10

#: Rounds of a question after which a board is repaired that is not sparse: if it still deserves
#: `_MANY_CUTS`; in any case. What has one solution gains nothing, and seldom has as many.
_HARD, _HARDEST = 20, 100

#: In place of the value of an edge that is not the same in all solutions, for all that is known.
UNKNOWN = 2

#: Shares of faces with a rule: up to the first, it is best to begin with no edges but short paths;
#: up to the second, to repair every model; up to the third, from one that deserves `_MANY_CUTS` on.
_EMPTY, _SPARSE, _CLUED = 0.08, 0.22, 0.31
_MANY_CUTS = 24

#: A board of paths has room when there are so many vertices for each pair of terminals.
ROOMY = 40


class LazySearch:
    """A PySAT solver holding the local rules of one model, and the cuts found so far.

    Cuts are sound for every solution of the model (see `linkoracle.sat.clauses`), so they stay when
    a caller asks again under other assumptions. Use as a context manager, or call `close`; what is
    dropped is closed, too.

    Rules are propagated and probed first (see `linkoracle.lines.rules_kernel`). PySAT is loaded,
    and what they leave open is stated, when that is needed: for most puzzles it never is.

    With ``prompt``, CaDiCaL never stops to simplify its clauses. That saves work in the long run,
    but now and then takes half a second on a large board, in the midst of questions that take
    milliseconds.

    Raises ``ValueError`` for a solver that is not one of `SOLVERS`; `SearchTimeout` if the rules of
    a huge board take longer to probe than until ``deadline``.
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
        #: The assumptions that the last "no solution" rests on.
        self.core: set[int] = set()
        self._num_edges = model.board.num_edges
        self._rules = Rules(model)
        #: Whether it is known that there is no solution.
        self._contradiction = not model.is_balanced or not self._rules.settle(deadline)
        #: For each edge 1 if it is known that every solution has it, 0 if none has, or `UNKNOWN`.
        self._known = self._rules.fixed()
        #: Whether the rules leave one set of edges, or none.
        self._decided = UNKNOWN not in self._known and self._rules.is_complete()
        self._cut_maker = CutMaker(model, self._known)
        deadline.check()
        self._next_variable = model.num_variables + 1
        #: The count masks of faces in the next question, and edges that are assumed there.
        self._masks: dict[int, int] = {}
        self._assumed: Collection[int] = ()
        #: Faces of which a question demands two edges or more, and what is false meanwhile.
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
        """Free the solver. The search cannot be used afterwards."""
        self._closed = True
        solver, self._solver = self._solver, None
        if solver is not None:
            solver.close()

    def _open(self, deadline: Deadline) -> PieceSolver:
        """The solver, with the rules. Raises `SearchTimeout`: then there is none."""
        if self._solver is None:
            solver = PieceSolver(self.solver_name, self._piece, _PROMPT if self._prompt else None)
            self._rules.state(solver.add, deadline, self.new_variables)
            self._solver = solver
        return self._solver

    def only(self) -> tuple[tuple[int, ...], ...] | None:
        """The edges of every solution, if the rules alone leave one or none; ``None`` if more."""
        if self._contradiction:
            return ()
        if not self._decided:
            return None
        edges = tuple(edge for edge, value in enumerate(self._known) if value == 1)
        # There is nothing to cut where there is no edge.
        empty = self.model.loop and not edges
        return () if empty or self._cut_maker.cuts(edges, {}) else (edges,)

    def new_variables(self, count: int) -> int:
        """Reserve ``count`` variables and return the first."""
        first = self._next_variable
        self._next_variable += count
        return first

    def colour(self, deadline: Deadline) -> Colours:
        """State the colours of paths: see `linkoracle.sat.paths_kernel`.

        Time that is up means `close` and `SearchTimeout`.
        """
        # A loop has no paths to wait for.
        from linkoracle.sat.paths_kernel import PathClauses

        paths = PathClauses(self.model)
        colours = Colours(self.new_variables(paths.num_colours), paths.bits)
        self._state(partial(paths.state_colours, colours.first), deadline)
        return colours

    def state_taut(
        self, colours: Colours, deadline: Deadline, side: Side = "bottom", *, guarded: bool = False
    ) -> tuple[range, int]:
        """State what holds of taut solutions, with ``side`` down.

        Returns the variables that say which vertices are used, and with ``guarded`` the literal
        under which all this holds, otherwise 0. Time that is up means `close` and `SearchTimeout`.
        """
        from linkoracle.sat.paths_kernel import PathClauses

        paths = PathClauses(self.model)
        first = self.new_variables(paths.num_taut)
        guard = self.new_variables(1) if guarded else 0
        unless = [-guard] if guarded else []
        self._state(partial(paths.state_taut, colours.first, first, side, unless), deadline)
        return range(first, first + self.model.board.num_vertices), guard

    def _state(self, stating: Callable[[Add, Deadline], None], deadline: Deadline) -> None:
        """Add what may be millions of clauses, none of them empty."""
        if self._closed or self._contradiction:
            return
        try:
            stating(self._open(deadline).add, deadline)
        except SearchTimeout:
            self.close()
            raise

    def add(self, clauses: Clauses) -> None:
        """Add clauses for ever; after `close`, none."""
        if self._closed or self._contradiction:
            # A list of solutions that outlives the search takes its leave with a clause.
            return
        add_clause = self._open(Deadline(None)).add
        for clause in clauses:
            if clause:
                add_clause(clause)
            else:
                # Not every solver takes the empty clause well. A cut is empty when a cycle that
                # must not be fills a board on which every vertex must be used.
                self._contradiction = True

    def suppose(self, counts: Mapping[int, tuple[int, int]], edges: Collection[int] = ()) -> None:
        """Say what the assumptions of the next questions mean, in place of what was said before.

        ``counts`` maps faces to a count mask and the selector under which it holds; ``edges`` are
        those assumed to be on or off. Cuts may rest on such a rule; those that do carry the negated
        selector, and stay sound when it is no longer assumed.
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
            self._open(Deadline(None)).prefer(self._exactly(chosen))

    def _exactly(self, chosen: Iterable[int]) -> list[int]:
        """The literals by which these edges are on, and all others off."""
        literals = list(range(-1, -1 - self._num_edges, -1))
        for edge in chosen:
            literals[edge] = edge + 1
        return literals

    def next_solution(
        self, assumptions: Sequence[int] = (), deadline: Deadline | None = None
    ) -> tuple[int, ...] | None:
        """Edges of one solution under the assumptions, or ``None`` when there is none.

        Raises `SearchTimeout` past the deadline; the search can be used again all the same.
        `ClosedError` after `close`.
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
                # Later rounds finish what was begun.
                many = 0
                if repairer is None:
                    from linkoracle.sat.repair import Repairer

                    repairer = Repairer(self.model)
                if self.rounds >= repairer.due:
                    repaired = self._repair(edges, assumed, deadline, repairer)
                    if repaired is not None:
                        return repaired
        if assumed and not self._contradiction:
            # Now, since CaDiCaL aborts the process when it is asked after another clause came.
            self.core = solver.core()
        return None

    def check_open(self) -> None:
        """Raise `ClosedError` after `close`."""
        if self._closed:
            raise ClosedError("the search is closed: it cannot be asked any more")

    def _hopeful(self) -> float:
        """So many cuts in one round are a reason to repair; and start near none where that helps.

        On published puzzles a repair helps only where cuts have not helped for long.
        """
        model = self.model
        faces, vertices = model.board.num_faces, model.board.num_vertices
        # Repairs are made along faces, by masks.
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
        """A solution near these edges; where there is none at once, stay near what came of it."""
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
        # Solved or not, the next search does well to start here.
        self.prefer(new)
        if cuts := maker.cuts(new, self._demanding):
            self._add_cuts(cuts)
        elif self._solve([*assumed, *self._exactly(new)], deadline):
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
