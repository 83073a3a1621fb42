"""The lazy search: a SAT solver, called repeatedly with new cuts until its model is a solution.

`PlainSearch` is the loop, with the clauses and cuts of `linkoracle.engines.plain`; it needs nothing
compiled. `LazySearch` propagates and probes first, and has better clauses and cuts.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import compress
from operator import ne
from typing import TYPE_CHECKING

from linkoracle.board import PASS, LinkModel
from linkoracle.core import Closing, Deadline, SearchTimeout, checked_word
from linkoracle.engines.answers import DEFAULT_SOLVER, PIECE, SOLVERS, Side
from linkoracle.engines.clauses import Add, Chosen, Clauses, Colours, PieceSolver, exactly

if TYPE_CHECKING:
    from linkoracle.engines.connectivity import CutMaker
    from linkoracle.engines.repair import Repairer

#: Options of CaDiCaL for prompt answers.
PROMPT = {"inprocessing": 0, "walk": 0}

#: Number of rounds of a query after which cuts are chosen with more care. Most published puzzles
#: take eight rounds in total.
_EASY_ROUNDS = 10

#: Number of rounds of a query after which boards that are not sparse are repaired: if they still
#: need `_MANY_CUTS`, and in any case. Unique boards gain nothing, and rarely take as many.
_HARD_ROUNDS, _HARDEST_ROUNDS = 20, 100

#: Literals that a search without a solver propagates at most, for each edge of the board.
_AT_ONCE = 12

#: The value of an edge that may differ between solutions.
UNKNOWN = 2

#: Fractions of faces with clues. Up to the first, start from no edges but short paths; up to the
#: second, repair every model; up to the third, repair once a model needs `_MANY_CUTS`.
_EMPTY_FRACTION, _SPARSE_FRACTION, _CLUED_FRACTION = 0.08, 0.22, 0.31
_MANY_CUTS = 24

#: Least vertices for each pair of terminals of a roomy board.
ROOMY = 40


def at_once(
    model: LinkModel,
    deadline: Deadline,
    masks: dict[int, int] | None = None,
    edges: dict[int, bool] | None = None,
    known: Chosen | None = None,
    most: int = 2,
    implied: dict[int, bool] | None = None,
) -> tuple[list[Chosen], bool]:
    """Return up to ``most`` solutions of a model other than ``known``, and whether these are all.

    ``masks`` are counts of faces that hold, too, ``edges`` are on or off. The search propagates,
    probes and backtracks; it needs no solver, and gives up where that would take longer. Edges that
    all these solutions have, or none, as far as probes show, are added to ``implied``. Raises
    `SearchTimeout`.

    >>> from linkoracle.board import Lattice, LinkModel
    >>> at_once(LinkModel.blank_loop(Lattice(3, 3)), Deadline(None), {0: 1 << 4})
    ([(0, 1, 3, 5)], True)
    """
    from linkoracle.engines.connectivity import CutMaker
    from linkoracle.lines.rules_kernel import Rules

    deadline.check()
    rules = Rules(model, shorter=True, masks=masks, edges=edges)
    if not (model.is_balanced and rules.preprocess(deadline)):
        return [], True
    if implied is not None:
        implied |= {edge: on == 1 for edge, on in enumerate(rules.fixed()) if on < UNKNOWN}
    found, every = rules.solutions(known, most, _AT_ONCE * model.board.num_edges, deadline)
    maker = CutMaker(model)
    return [one for one in found if _is_solution(model, maker, one)], every


def _is_solution(model: LinkModel, maker: CutMaker, edges: Chosen) -> bool:
    """Return whether edges that keep all local constraints are one loop, or the paths."""
    # The empty set is no loop, and has no edge to cut.
    return not (model.loop and not edges) and not maker.cuts(edges, {})


class PlainSearch(Closing):
    """A PySAT solver with the local constraints of one model, and the cuts found so far.

    It has the clauses and cuts of the plain engine, and stands in for `LazySearch`, which extends
    it, where nothing is compiled. Cuts are sound for every solution of the model, so they are kept
    for queries under other assumptions. PySAT is loaded, and constraints are encoded, only when
    needed. Use as a context manager, or call `close`; garbage collection closes it, too.

    With ``prompt``, CaDiCaL never pauses to simplify its clauses. Simplification saves work in the
    long run, but sometimes takes half a second on a large board between queries of milliseconds.

    Raises ``ValueError`` for a solver that is not in `SOLVERS`. Under WebAssembly, only CaDiCaL
    keeps to the conflict budgets between which deadlines are checked.
    """

    #: Conflicts between two looks at the clock.
    _piece = PIECE

    def __init__(
        self, model: LinkModel, solver: str | None = None, *, prompt: bool = False
    ) -> None:
        self.solver_name = checked_word(
            DEFAULT_SOLVER if solver is None else solver, "a solver", SOLVERS
        )
        self.model = model
        self._prompt = prompt
        self.rounds = 0
        self.cuts_added = 0
        #: The assumptions that the last "no solution" depends on.
        self.core: set[int] = set()
        self._num_edges = model.board.num_edges
        self._next_variable = model.first_fresh
        #: Whether it is known that there is no solution.
        self._contradiction = False
        self._solver: PieceSolver | None = None

    def close(self) -> None:
        """Free the solver; the search cannot be used afterwards."""
        super().close()
        solver, self._solver = self._solver, None
        if solver is not None:
            solver.close()

    def _open(self, deadline: Deadline) -> PieceSolver:
        """Return the solver with the constraints; on `SearchTimeout` there is none."""
        if self._solver is None:
            solver = PieceSolver(self.solver_name, self._piece, PROMPT if self._prompt else None)
            self._state_rules(solver.add, deadline)
            self._solver = solver
        return self._solver

    def _state_rules(self, add: Add, deadline: Deadline) -> None:
        """Call ``add`` with the clauses of the local constraints."""
        from linkoracle.engines.plain import local_clauses

        deadline.check()
        self._add(local_clauses(self.model, self._fresh()), add)

    def _fresh(self) -> Iterator[int]:
        """Yield new variables, one by one."""
        return iter(partial(self.new_variables, 1), 0)

    @property
    def variables(self) -> int:
        """The number of variables so far."""
        return self._next_variable - 1

    def new_variables(self, count: int) -> int:
        """Reserve ``count`` variables and return the first."""
        first = self._next_variable
        self._next_variable += count
        return first

    def count_clauses(self, literals: list[int], mask: int, unless: list[int]) -> Clauses:
        """Return clauses for a count, with the literals ``unless`` in each: see `Count`."""
        from linkoracle.engines.plain import count_clauses

        return [[*unless, *clause] for clause in count_clauses(literals, mask, self._fresh())]

    def add(self, clauses: Iterable[list[int]], deadline: Deadline | None = None) -> None:
        """Add permanent clauses; does nothing after `close`.

        Raises `SearchTimeout` past the deadline if the constraints are not encoded yet.
        """
        # An iterator of solutions that outlives the search adds a last clause.
        if not (self._closed or self._contradiction):
            self._add(clauses, self._open(deadline or Deadline(None)).add)

    def _add(self, clauses: Iterable[list[int]], add: Add) -> None:
        for clause in clauses:
            if clause:
                add(clause)
            else:
                # Not every solver accepts the empty clause. A cut is empty if a forbidden cycle
                # uses all vertices of a board on which every vertex must be used.
                self._contradiction = True

    def only(self) -> tuple[Chosen, ...] | None:
        """Return the edges of all solutions if at most one is left without a search."""
        return () if self._contradiction else None

    def suppose(self, counts: Mapping[int, tuple[int, int]], edges: Collection[int] = ()) -> None:
        """Set the meaning of the assumptions of the next queries.

        ``counts`` maps faces to a count mask and its selector; ``edges`` are the assumed edges.
        Cuts and repairs of `LazySearch` may depend on them.
        """

    def prefer(self, chosen: Iterable[int]) -> None:
        """Start the next searches near the edge set ``chosen``; `ClosedError` after `close`."""
        self.check_open()
        if not self._contradiction:
            self._open(Deadline(None)).prefer(exactly(chosen, self._num_edges))

    def next_solution(
        self, assumptions: Sequence[int] = (), deadline: Deadline | None = None
    ) -> Chosen | None:
        """Return the edges of a solution under the assumptions, or ``None``.

        Raises `SearchTimeout` past the deadline; the search can be used again. Raises `ClosedError`
        after `close`.
        """
        self.check_open()
        self.core = set()
        if self._contradiction:
            return None
        deadline = Deadline(None) if deadline is None else deadline
        solver, assumed = self._open(deadline), list(assumptions)
        self._begin()
        while not self._contradiction and self._solve(assumed, deadline):
            edges, cuts = self._check(solver.model())
            if not cuts:
                return edges
            self._add_cuts(cuts)
            repaired = self._repaired(edges, len(cuts), assumed, deadline)
            if repaired is not None:
                return repaired
        if assumed and not self._contradiction:
            # Read it now: CaDiCaL aborts the process if a clause was added before.
            self.core = solver.core()
        return None

    def _begin(self) -> None:
        """Begin a query."""

    def _solve(self, assumptions: list[int], deadline: Deadline) -> bool:
        self.rounds += 1
        assert self._solver is not None
        return self._solver.solve(assumptions, deadline)

    def _check(self, values: list[int]) -> tuple[Chosen, Clauses]:
        """Return the edges of a model of the solver, and cuts unless they are a solution."""
        from linkoracle.engines.plain import cuts_of

        chosen = tuple(edge for edge in range(self._num_edges) if values[edge] > 0)
        return chosen, [cut for _, cut in cuts_of(self.model, chosen)]

    def _add_cuts(self, cuts: Clauses) -> None:
        self.add(cuts)
        self.cuts_added += len(cuts)

    def _repaired(
        self, edges: Chosen, cuts: int, assumed: list[int], deadline: Deadline
    ) -> Chosen | None:
        """Look for a solution near edges that needed a number of cuts; ``None`` if none."""


class LazySearch(PlainSearch):
    """A `PlainSearch` that knows and sees more: it probes first, and repairs what needs many cuts.

    Constraints are propagated and probed first (see `linkoracle.lines.rules_kernel`); most puzzles
    never need the solver. Raises `SearchTimeout` if probing a huge board takes longer than until
    ``deadline``.
    """

    def __init__(
        self,
        model: LinkModel,
        solver: str | None = None,
        deadline: Deadline | None = None,
        *,
        prompt: bool = False,
    ) -> None:
        from linkoracle.engines.connectivity import CutMaker
        from linkoracle.lines.rules_kernel import Rules

        super().__init__(model, solver, prompt=prompt)
        deadline = Deadline(None) if deadline is None else deadline
        deadline.check()
        self._piece = max(1, min(PIECE, PIECE * 2_000 // max(1, self._num_edges)))
        self._rules = Rules(model, shorter=True)
        self._next_variable = self._rules.num_variables + 1
        self._contradiction = not model.is_balanced or not self._rules.preprocess(deadline)
        #: For each edge 1 if it is known that every solution has it, 0 if none has, or `UNKNOWN`.
        self._known = self._rules.fixed()
        #: Whether propagation and probes leave at most one set of edges.
        self._decided = UNKNOWN not in self._known and self._rules.is_complete()
        self._cut_maker = CutMaker(model, self._known)
        deadline.check()
        #: The count masks of faces in the next query, and the assumed edges.
        self._masks: dict[int, int] = {}
        self._assumed: Collection[int] = ()
        #: Faces that need two or more edges in a query, and the literals that are false then.
        self._demanding: dict[int, list[int]] = {}
        self._phases_set = False
        #: Whether a repair may help: it needs faces, masks, and few terminals.
        few = ROOMY * len(model.terminals) <= model.board.num_vertices
        self._repairable = few and model.board.num_faces > 0 and model.only_masks

    def _state_rules(self, add: Add, deadline: Deadline) -> None:
        self._rules.state(add, deadline, self.new_variables)

    def only(self) -> tuple[Chosen, ...] | None:
        """Return the edges of all solutions if propagation leaves at most one, else ``None``."""
        if self._contradiction:
            return ()
        if not self._decided:
            return None
        edges = tuple(compress(range(self._num_edges), self._known))
        return (edges,) if _is_solution(self.model, self._cut_maker, edges) else ()

    def count_clauses(self, literals: list[int], mask: int, unless: list[int]) -> Clauses:
        """Return clauses for a count, with the literals ``unless`` in each: see `Count`."""
        from linkoracle.lines.rules_kernel import count_clauses

        return count_clauses(literals, mask, unless, self.new_variables)

    def colour(self, deadline: Deadline) -> Colours:
        """Encode the colours of paths: see `linkoracle.engines.connectivity`.

        At the deadline, closes the search and raises `SearchTimeout`.
        """
        # Loops do not need this module.
        from linkoracle.engines.connectivity import PathClauses

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
        from linkoracle.engines.connectivity import PathClauses

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
        super().prefer(chosen)
        self._phases_set = True

    def _begin(self) -> None:
        self._begun = self.rounds
        #: The number of cuts in a round that triggers a repair.
        self._many = self._hopeful()
        self._repairer: Repairer | None = None

    def _check(self, values: list[int]) -> tuple[Chosen, Clauses]:
        thorough = self.rounds > self._begun + _EASY_ROUNDS
        return self._cut_maker.check(values, self._demanding, thorough=thorough)

    def _hopeful(self) -> float:
        """Return the number of cuts in a round that triggers a repair; start near no edges if good.

        On published puzzles a repair helps only if many rounds of cuts have not.
        """
        if not self._repairable:
            return math.inf
        model = self.model
        free = model.board.free_masks
        ruled = sum(map(ne, model.faces, free)) + sum(
            model.faces[face] == free[face] for face in self._masks
        )
        share = ruled / len(free)
        if share <= _EMPTY_FRACTION and not self._phases_set and PASS not in model.degrees:
            from linkoracle.engines.repair import routes

            self.prefer(routes(model)[0])
        return (
            0 if share <= _SPARSE_FRACTION else _MANY_CUTS if share <= _CLUED_FRACTION else math.inf
        )

    def _repaired(
        self, edges: Chosen, cuts: int, assumed: list[int], deadline: Deadline
    ) -> Chosen | None:
        """Return a solution near these edges, if a repair is due; the next search starts nearby."""
        if self.rounds >= self._begun + _HARD_ROUNDS:
            many = _MANY_CUTS if self.rounds < self._begun + _HARDEST_ROUNDS else 0
            self._many = min(many, self._many)
        if cuts < self._many:
            return None
        # Later rounds continue this repair.
        self._many = 0
        if self._repairer is None:
            from linkoracle.engines.repair import Repairer

            self._repairer = Repairer(self.model)
        if self.rounds < self._repairer.due:
            return None
        maker = self._cut_maker
        free = self.model.board.free_masks
        masks = {face: m for face, m in enumerate(self.model.faces) if m != free[face]}
        fixed = {edge for edge, value in enumerate(self._known) if value != UNKNOWN}
        new, number = self._repairer.repaired(
            maker.components(edges),
            masks | self._masks,
            fixed.union(self._assumed),
            self._repairer.refused,
        )
        # Solved or not, this is a good start for the next search.
        self.prefer(new)
        if cuts_of_new := maker.cuts(new, self._demanding):
            self._add_cuts(cuts_of_new)
        elif self._solve([*assumed, *exactly(new, self._num_edges)], deadline):
            return tuple(new)
        self._repairer.note(number, self.rounds)
        return None
