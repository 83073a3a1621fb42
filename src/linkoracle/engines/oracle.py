"""`Oracle`: one incremental solver per board, for clues and edges that come and go."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from itertools import compress
from typing import TYPE_CHECKING, Any, Literal, Self

from linkoracle.board import Edge, Lattice, LinkModel, Modelled, Solution, model_of
from linkoracle.core import (
    COMPILED,
    Call,
    Deadline,
    Interruptible,
    MemoryLimit,
    Timeout,
    checked_int,
    interruptible,
)
from linkoracle.engines.answers import Assumptions, Cell, Clues, Edges, Seen, Side, Verdict
from linkoracle.engines.clauses import Chosen, completed, other_than
from linkoracle.engines.search import LazySearch, PlainSearch, at_once

if TYPE_CHECKING:
    from linkoracle.engines.taut_search import Cubes, TautSearch

#: A query without clues and edges.
_NOTHING = Assumptions({}, {}, {}, {})

#: Clues that change from one query to the next, at most, for what is known to be kept.
_FEW = 16

#: Least vertices of a Numberlink with all cells used for which taut solutions help.
_LARGE_VERTICES = 200


class Oracle(Interruptible):
    """One incremental solver for a board: answers queries while clues and edges come and go.

    The board is a `LinkModel` or an object that has one. Its own rules always hold. Every query
    adds to them:

    * ``clues``: for a face the number of chosen edges around it, or a set of allowed numbers. The
      empty set allows none, so there is no solution. A face is named by its cell ``(row, column)``
      on squares, and by its number on other boards (`Board.face_of`).
    * ``edges``: for an edge whether it is chosen. An edge is named by its id or by the two
      positions that it joins (`Board.edge_of`).

    Both are mappings or iterables of pairs. ``None`` stands for no clue, or for an open edge.

    The solver keeps its learned clauses and all cuts from one query to the next, so a series of
    related queries is much cheaper than the same queries to fresh solvers. Use it as a context
    manager, or call `close`, to free the solver early. Not thread-safe, but for `interrupt`. A
    copy, and one that is pickled, begins anew with the same board. ``solver`` names a PySAT solver.
    ``side`` is the side of the board that counts as its bottom in the search for a second
    solution of a free Numberlink. With ``prompt``, CaDiCaL never pauses to simplify its clauses,
    which suits a series of quick queries. ``side`` and ``prompt`` affect only the running time
    (``docs/explanation/taut.md``, ``docs/explanation/sat.md``). ``timeout`` limits the seconds that
    encoding the board may take. With ``plain``, the solver has the clauses and cuts of the plain
    engine (`linkoracle.engines.plain`), as always where nothing is compiled.

    Every query raises ``ValueError`` for an invalid clue, or for a face or an edge that is not on
    the board. It raises `SearchTimeout` after ``timeout`` seconds, and can be repeated then. It
    raises `ClosedError` after `close`.

    >>> oracle = Oracle.slitherlink(2, 2)
    >>> verdict = oracle.ask({(0, 0): 4})
    >>> verdict.status, verdict.solutions[0].paths()
    ('unique', [[(0, 0), (0, 1), (1, 1), (1, 0), (0, 0)]])
    >>> oracle.ask({(0, 0): 3}).status
    'many'
    >>> oracle.ask({(0, 0): {0, 4}, (1, 1): {0, 4}}, edges={0: True}).status
    'unique'
    >>> top, middle = ((0, 0), (0, 1)), ((1, 0), (1, 1))
    >>> oracle.ask(edges={top: True, middle: True}).solutions[0].edges
    (0, 1, 3, 5)
    >>> oracle.implies({(0, 0): 4, (0, 1): 1}, (0, 1))
    True
    """

    def __init__(
        self,
        board: Modelled,
        *,
        solver: str | None = None,
        side: Side = "bottom",
        prompt: bool = False,
        timeout: Timeout = None,
        plain: bool = not COMPILED,
    ) -> None:
        deadline = Deadline.of(timeout)
        self.model = model = model_of(board)
        how = {"solver": solver, "side": side, "prompt": prompt, "plain": plain}
        #: What a copy is made of.
        self._made_of: tuple[Any, dict[str, Any]] = model, how
        self._taut: TautSearch | None = None
        self._search: PlainSearch
        #: Whether a search without the solver may answer: constraints that are no masks take as
        #: long to state as the solver takes to answer.
        self._is_quick = model.only_masks and not plain
        #: The literal under which a face has a count that its mask allows.
        self._selectors: dict[tuple[int, int], int] = {}
        if plain:
            self._search = PlainSearch(model, solver, prompt=prompt)
        else:
            self._search = lazy = LazySearch(model, solver, deadline=deadline, prompt=prompt)
            if len(model.terminals) > 1 or model.is_free:
                colours = lazy.colour(deadline)
                if model.is_free or (model.relaxed and model.board.num_vertices >= _LARGE_VERTICES):
                    # Only Numberlinks need it, so other boards do not load it.
                    from linkoracle.engines.taut_search import TautSearch

                    self._taut = TautSearch(lazy, colours, self._find, side)
        #: The last solutions seen. One of them often answers the first half of the next query
        #: without a search.
        self._seen: deque[Seen] = deque(maxlen=4)
        #: Whether the compiled search may answer, and that around one of these solutions.
        self._is_near = not (plain or model.free_ends)
        self._nearby: Any = None
        self._around: Any = None
        #: The last query, and the faces whose clues the search has not been told yet; ``None``
        #: stands for all.
        self._last: Assumptions | None = None
        self._changed: set[int] | None = None

    @classmethod
    def slitherlink(
        cls,
        rows: int,
        cols: int,
        ends: tuple[tuple[int, int], tuple[int, int]] | None = None,
        *,
        solver: str | None = None,
    ) -> Self:
        """Return the oracle of a blank Slitherlink board of ``rows`` x ``cols`` cells.

        With ``ends``, two dots, the solution is an open path between them instead of a loop.
        """
        lattice = Lattice(rows + 1, cols + 1)
        if ends is None:
            return cls(LinkModel.blank_loop(lattice), solver=solver)
        first, last = (lattice.vertex(*dot) for dot in ends)
        return cls(LinkModel.blank_paths(lattice, [(first, last)]), solver=solver)

    def __reduce__(self) -> tuple[Any, ...]:
        return _opened, (type(self), *self._made_of, self._closed)

    def close(self) -> None:
        """Free the solver; later queries raise `ClosedError`."""
        super().close()
        self._search.close()
        if self._nearby is not None:
            self._nearby.close()
        if self._taut is not None:
            self._taut.close()

    @property
    def rounds(self) -> int:
        """The number of calls of the SAT solver so far."""
        return self._search.rounds

    @property
    def cuts(self) -> int:
        """The number of cuts added so far."""
        return self._search.cuts_added

    @interruptible
    def ask(
        self,
        clues: Clues = (),
        edges: Edges = (),
        *,
        core: bool = False,
        timeout: Timeout = None,
    ) -> Verdict:
        """Decide whether the board with these clues and edges has no solution, one, or more.

        With ``core``, the verdict has clues and edges that suffice for it: see `Verdict`. That
        needs the solver, where otherwise most queries do not.

        >>> Oracle.slitherlink(2, 2).ask({(0, 0): 4, (1, 1): 0}, core=True).core
        {(0, 0): 4}
        """
        query, deadline = self._checked(clues, edges), Deadline.of(timeout)
        if not core and (verdict := self._nearby_verdict(query, deadline)) is not None:
            return verdict
        known = [seen.solution for seen in self._seen if query.fits(seen)]
        deadline.found = max(len(known), deadline.found)
        if len(known) < 2 and not core:
            implied: dict[int, bool] = {}
            known, every = self._at_once(query, known, 2, deadline, implied)
            # The solver need not find again, under assumptions, what follows from them.
            query = query._replace(edges=implied | query.edges)
            if every and len(known) < 2:
                return Verdict("unique" if known else "none", tuple(known), None)
        if len(known) > 1:
            return Verdict("many", (known[0], known[1]), None)
        # Before any search, so that no cut rests on clues of an earlier query.
        assumptions = self._assume(query, deadline)
        first = known[0] if known else self._first(assumptions, deadline)
        if first is None:
            return self._verdict("none", (), query, core)
        deadline.found = max(1, deadline.found)
        second = self._second(first, assumptions, deadline)
        if second is None:
            return self._verdict("unique", (first,), query, core)
        return Verdict("many", (first, second), None)

    @interruptible
    def core(
        self,
        clues: Clues = (),
        edges: Edges = (),
        *,
        timeout: Timeout = None,
    ) -> Verdict:
        """Like `ask` with a core; make the core of a contradiction minimal.

        That takes up to ten more seconds, and at most half of the time left. If it would take
        longer, ``core_minimal`` of the verdict is false, and the core may have redundant members.

        >>> verdict = Oracle.slitherlink(2, 2).core({(0, 0): 4, (0, 1): 3, (1, 1): 0, (1, 0): 2})
        >>> len(verdict.core), verdict.core_minimal
        (2, True)
        """
        from linkoracle.engines.cores import find_core

        return find_core(self.ask, self.contradiction, clues, edges, timeout=timeout)

    @interruptible
    def contradiction(
        self,
        clues: Clues = (),
        edges: Edges = (),
        *,
        core: bool = False,
        timeout: Timeout = None,
    ) -> Verdict | None:
        """Return the verdict "no solution", or ``None`` if there is one. Faster than `ask`."""
        return self._contradiction(self._checked(clues, edges), core, Deadline.of(timeout))

    def _contradiction(self, query: Assumptions, core: bool, deadline: Deadline) -> Verdict | None:
        if any(map(query.fits, self._seen)):
            return None
        if not core:
            known, every = self._at_once(query, [], 1, deadline)
            if known or every:
                return None if known else Verdict("none", (), None)
        if self._first(self._assume(query, deadline), deadline) is not None:
            return None
        return self._verdict("none", (), query, core)

    @interruptible
    def another(
        self,
        solution: Solution,
        clues: Clues = (),
        edges: Edges = (),
        *,
        timeout: Timeout = None,
    ) -> Solution | None:
        """Return a solution with these clues and edges other than ``solution``.

        ``None`` proves that there is no other. ``solution`` must be a solution; it is not checked.
        Cheaper than `ask`, which has to find a first solution.

        >>> oracle = Oracle.slitherlink(2, 2)
        >>> square = Solution(oracle.model.lattice, (0, 1, 3, 5))
        >>> oracle.another(square) is None
        False
        """
        deadline = Deadline.of(timeout)
        # Before any search, so that no cut rests on clues of an earlier query.
        assumptions = self._assume(self._checked(clues, edges), deadline)
        return self._second(solution, assumptions, deadline, like=True)

    @interruptible
    def differing(
        self,
        solution: Solution,
        candidates: Sequence[int],
        number: int,
        clues: Clues = (),
        edges: Edges = (),
        *,
        timeout: Timeout = None,
    ) -> Solution | None:
        """Return a solution that differs at one of the first ``number`` candidates, edges by ids.

        The solver prefers one that differs at all candidates, so that few queries find the edges on
        which all solutions agree (the backbone). ``None`` if all agree on those first ones.

        >>> oracle = Oracle.slitherlink(2, 2)
        >>> square = Solution(oracle.model.lattice, (0, 1, 3, 5))
        >>> oracle.differing(square, [4], 1, {(0, 0): 3}).edges
        (0, 1, 2, 4, 5, 7)
        >>> oracle.differing(square, [0], 1, {(0, 0): 4}) is None
        True
        """
        query, deadline = self._checked(clues, edges), Deadline.of(timeout)
        for edge in candidates:
            checked_int(edge, "the id of an edge", 0, self.model.board.num_edges - 1)
        chosen = {*solution.edges}
        clause = [-1 - edge if edge in chosen else edge + 1 for edge in candidates[:number]]
        with self._if([clause], deadline) as other:
            assumed = [*self._assume(query, deadline), other]
            self._search.prefer(chosen.symmetric_difference(candidates))
            found = self._find(assumed, deadline)
            self._search.prefer(solution.edges)
            return found

    def share(self, cubes: Cubes | None, *, on_cells: bool = False) -> None:
        """Decide a free board from now on together with other processes, or alone again.

        With ``on_cells``, use the search on cells, which ignores homotopy classes.
        """
        if self._taut is not None:
            self._taut.cubes = cubes
            self._taut.on_cells |= on_cells

    @interruptible
    def another_taut(self, known: Iterable[Solution], timeout: Timeout = None) -> Solution | None:
        """Return a taut solution of a free Numberlink that is not ``known``, or ``None``."""
        taut, deadline = self._taut, Deadline.of(timeout)
        assert taut is not None
        with self._if((other_than(solution.edges) for solution in known), deadline) as differs:
            return taut.find([*taut.only(), differs], None, deadline)

    @interruptible
    def implies(
        self,
        clues: Clues,
        what: Cell | Edge,
        *,
        edges: Edges = (),
        timeout: Timeout = None,
    ) -> bool:
        """Return whether the clue of a face, or the value of an edge, follows from the others.

        It does if there are solutions with all others, and each of them agrees with it. False if
        the others contradict each other. ``what`` names the face or the edge. Far cheaper than two
        calls of `ask`, with and without it. Raises ``KeyError`` if ``what`` has no value in
        ``clues`` or ``edges``, and ``ValueError`` if it is in both, which is possible where faces
        are named by their numbers.
        """
        query, deadline = self._checked(clues, edges), Deadline.of(timeout)
        board, edge, face = self.model.board, None, None
        if query.edges:
            with suppress(ValueError):
                edge = board.edge_of(what)
        if what in query.clues:
            if edge in query.edges:
                raise ValueError(
                    f"{what!r} is a face with a clue and an edge: ask with one of them"
                )
            face = board.face_of(what)
        elif edge not in query.edges:
            raise KeyError(f"expected a face with a clue, or an edge that is on or off: {what!r}")
        follows = self._follows(query, face, edge, deadline)
        if follows is not None:
            if follows and face is not None:
                # Most callers remove the clue now.
                del query.clues[what], query.masks[face]
            return follows
        other = query.copy()
        if face is None:
            assert edge is not None
            other.edges[edge] = not query.edges[edge]
        else:
            other.masks[face] ^= board.free_masks[face]
        if any(map(other.fits, self._seen)):
            return False
        known, every = self._at_once(other, [], 1, deadline)
        if known or (not every and self._find(self._assume(other, deadline), deadline)):
            return False
        # The others have solutions only if they have some together with it.
        return self._contradiction(query, False, deadline) is None

    def solutions(
        self,
        clues: Clues = (),
        edges: Edges = (),
        *,
        timeout: Timeout = None,
    ) -> Generator[Solution, None, None]:
        """Yield every solution with these clues and edges, once, in the order they are found.

        Lazy: each solution is searched for when it is requested. Other queries are allowed in
        between. ``timeout`` starts when the first solution is requested.
        """
        return self._list(self._checked(clues, edges).copy(), timeout)

    def _list(self, query: Assumptions, timeout: Timeout) -> Generator[Solution, None, None]:
        deadline = Deadline.of(timeout)
        self.check_open()
        only = None if query.masks or query.edges else self._search.only()
        if only is not None:
            for edges in only:
                deadline.found = max(1, deadline.found)
                yield Solution(self.model.board, edges)
            return
        enumeration = self._search.new_variables(1)
        listed, call = 0, Call()
        try:
            while True:
                with self._calling(call):
                    # There may have been another query since the last solution.
                    found = self._find([*self._assume(query, deadline), enumeration], deadline)
                if found is None:
                    return
                listed += 1
                deadline.found = max(listed, deadline.found)
                self._search.add([[-enumeration, *other_than(found.edges)]])
                yield found
        finally:
            self._search.add([[-enumeration]], deadline)

    def _first(self, assumptions: list[int], deadline: Deadline) -> Solution | None:
        """Return a solution; of a free model a taut one (see `linkoracle.engines.connectivity`)."""
        if not assumptions and (only := self._search.only()) is not None:
            return Solution(self.model.board, only[0]) if only else None
        if assumptions or self._taut is None:
            return self._find(assumptions, deadline)
        return self._taut.first(deadline)

    def _second(
        self, first: Solution, assumptions: list[int], deadline: Deadline, *, like: bool = False
    ) -> Solution | None:
        """Return a solution other than ``first``, and similar to it if possible.

        On a free Numberlink, similarity is preferred only with ``like``: it makes the proof that
        there is no other solution slower.
        """
        if not assumptions and self._search.only() is not None:
            return None
        taut = None if assumptions else self._taut
        if taut is not None and self.model.is_free:
            from linkoracle.board import rerouted

            other = rerouted(self.model.lattice, first)
            if other is not None:
                return Solution(self.model.board, other)
            assumptions = taut.only()
        with self._if([other_than(first.edges)], deadline) as differs:
            assumed = [*assumptions, differs]
            if taut is not None and not like:
                return taut.second(first, assumed, deadline)
            self._search.prefer(first.edges)
            return self._find(assumed, deadline)

    @contextmanager
    def _if(self, clauses: Iterable[list[int]], deadline: Deadline) -> Iterator[int]:
        """Yield a literal under which these clauses hold within this block."""
        holding = self._search.new_variables(1)
        self._search.add([[-holding, *clause] for clause in clauses], deadline)
        try:
            yield holding
        finally:
            self._search.add([[-holding]])

    def _find(self, assumptions: list[int], deadline: Deadline) -> Solution | None:
        edges = self._search.next_solution(assumptions, deadline)
        return None if edges is None else self._noted(edges)

    def _noted(self, edges: Chosen) -> Solution:
        """Return the solution with these edges, and note it for later queries."""
        solution = Solution(self.model.board, edges)
        if all(solution != seen.solution for seen in self._seen):
            self._seen.append(Seen(solution))
        return solution

    def _at_once(
        self,
        query: Assumptions,
        known: list[Solution],
        most: int,
        deadline: Deadline,
        implied: dict[int, bool] | None = None,
    ) -> tuple[list[Solution], bool]:
        """Return up to ``most`` solutions, first the ``known`` one, and whether these are all.

        Without the solver, so there may be others. Edges that follow are added to ``implied``.
        """
        # Without clues and edges, the solver has already what follows from the rules.
        if not (self._is_quick and (query.masks or query.edges)):
            return known, False
        first, more = known[0].edges if known else None, most - len(known)
        others, every = at_once(
            self.model, deadline, query.masks, query.edges, first, more, implied
        )
        return [*known, *map(self._noted, others)], every

    def _verdict(
        self,
        status: Literal["none", "unique"],
        solutions: tuple[Solution, ...],
        query: Assumptions,
        with_core: bool,
    ) -> Verdict:
        """Return the verdict of the last query, with its core if requested."""
        if not with_core:
            return Verdict(status, solutions, None)
        core = self._search.core
        chosen = {e: on for e, on in query.edges.items() if (e + 1 if on else -1 - e) in core}
        edges = {query.names[e]: on for e, on in chosen.items()}
        return Verdict(status, solutions, self._clues_in(core, query), edges)

    def _clues_in(self, core: set[int], query: Assumptions) -> dict[Any, Any]:
        """Return the clues of a query whose literals are in a core."""
        # Cells and masks are in the same order.
        held = [self._selectors[clue] in core for clue in query.masks.items()]
        return dict(compress(query.clues.items(), held))

    def _near(self, query: Assumptions) -> Any:
        """Return the search around a known solution of a query; ``None`` if there is none.

        It keeps what the query demands.
        """
        if not self._is_near:
            return None
        changed, self._changed = self._changed, None
        if query is self._last:
            self._changed = set()
        else:
            changed = None
        nearby = self._nearby
        if nearby is not None and nearby.hold(query.masks, query.edges, changed):
            return nearby
        seen = self._seen_of(query)
        if seen is None:
            return None
        # Boards that are asked about once do not load it.
        from linkoracle.search import NearbyFaces

        self._open_near(seen, lambda model, true: NearbyFaces(model, true, seen.counts))
        if self._nearby is not None and self._nearby.hold(query.masks, query.edges):
            return self._nearby
        return None

    def _seen_of(self, query: Assumptions) -> Seen | None:
        """Return a solution of a query around which to search for others, if one was seen."""
        if self._taut is not None and not (query.masks or query.edges):
            return None
        fitting = (seen for seen in reversed(self._seen) if query.fits(seen))
        return next((seen for seen in fitting if seen.solution.edges), None)

    def _open_near(self, seen: Seen, opened: Callable[[LinkModel, Sequence[int]], Any]) -> None:
        """Begin a search around a solution, in the place of the last one."""
        if self._nearby is not None:
            self._nearby.close()
        self._nearby, self._around = None, seen
        edges = seen.solution.edges
        true: Any = [edge + 1 for edge in edges]
        if not self.model.only_masks:
            true = completed(self.model, edges, Deadline(None))
        try:
            self._nearby = None if true is None else opened(self.model, true)
        except MemoryLimit:
            self._is_near = False

    def _follows(
        self, query: Assumptions, face: int | None, edge: int | None, deadline: Deadline
    ) -> bool | None:
        """Return whether a clue or an edge of a query follows from the rest, if that is easy."""
        nearby = self._near(query)
        follows: bool | None = None
        if nearby is not None and face is None:
            follows = nearby.edge_follows(edge, deadline)
        elif nearby is not None:
            follows = nearby.face_follows(face, query.masks, deadline)
        return follows

    def _nearby_verdict(self, query: Assumptions, deadline: Deadline) -> Verdict | None:
        """Return the verdict of a query of which a solution is known, unless that is too hard."""
        nearby = self._near(query)
        if nearby is None:
            return None
        known = self._around.solution
        deadline.found = max(1, deadline.found)
        is_alone = nearby.is_alone(deadline)
        if is_alone is None:
            return None
        if is_alone:
            return Verdict("unique", (known,), None)
        edges = set(known.edges).symmetric_difference(nearby.flips())
        return Verdict("many", (known, self._noted(tuple(sorted(edges)))), None)

    def _checked(self, clues: Clues, edges: Edges) -> Assumptions:
        self.check_open()
        if clues == () and not edges:
            return _NOTHING
        board, last, changed = self.model.board, self._last, self._changed
        self._last = self._changed = None
        if self._nearby is not None and last is not None and type(clues) is dict:
            cells = self._nearby.differing(clues, last.clues, _FEW)
            if cells is not None:
                query = last
                if cells or edges or last.edges:
                    query = last.changed(board, {cell: clues.get(cell) for cell in cells}, edges)
                if changed is not None:
                    changed.update(map(board.face_of, cells))
                self._last, self._changed = query, changed
                return query
        try:
            self._last = Assumptions.of(board, clues, edges)
        except ValueError as error:
            kind = self.model.kind
            if kind is None or self.model.only_masks:
                raise
            reason = f"{error}. The clues of the kind {kind} are a part of its model"
            raise ValueError(f"{reason}: for clues that change, use linkoracle.Session") from None
        return self._last

    def _assume(self, query: Assumptions, deadline: Deadline) -> list[int]:
        """Return the literals that put a query in force."""
        masks = query.masks.items()
        selectors = {face: self._selector(face, mask, deadline) for face, mask in masks}
        self._search.suppose({face: (mask, selectors[face]) for face, mask in masks}, query.edges)
        return [*selectors.values(), *(e + 1 if on else -1 - e for e, on in query.edges.items())]

    def _selector(self, face: int, mask: int, deadline: Deadline) -> int:
        """Return the literal under which ``face`` has a count that ``mask`` allows."""
        selector = self._selectors.get((face, mask))
        if selector is None:
            selector = self._search.new_variables(1)
            edges = [edge + 1 for edge in self.model.board.edges_of(face)]
            self._search.add(self._search.count_clauses(edges, mask, [-selector]), deadline)
            self._selectors[face, mask] = selector
        return selector


def _opened(kind: type[Oracle], board: Any, how: dict[str, Any], closed: bool) -> Oracle:
    """Return a copied oracle."""
    oracle = kind(board, **how)
    if closed:
        oracle.close()
    return oracle
