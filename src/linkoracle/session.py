"""`Session`: a board whose clues and edges change, and a solver that keeps what it has learned.

The JSON lines of `count-solutions --jsonl`, the page of the studio and the board in a notebook are
ways to talk to one.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import replace
from functools import partial
from itertools import islice
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, TypeVar

from linkoracle.board.model import HOLE
from linkoracle.changing import NO_CHANGES, Cell, Changes, ChangingBoard, cell_named
from linkoracle.conflicts import conflicting_clues, conflicting_pairs
from linkoracle.core import COMPILED
from linkoracle.core.errors import PuzzleError, SearchTimeout
from linkoracle.core.limits import Closing, Deadline, Timeout, checked_int
from linkoracle.core.renamed import with_old_arguments
from linkoracle.interruptible import InterruptibleOracle
from linkoracle.sat.answers import Clue, Clues, CountResult, Edges, Engine, Verdict
from linkoracle.sat.cores import find_core
from linkoracle.solving import count_result, decide, solutions

if TYPE_CHECKING:
    from linkoracle.board.solution import Solution
    from linkoracle.deduce.grading import Grade
    from linkoracle.deduce.walk import Step
    from linkoracle.generate import Made
    from linkoracle.kinds import Puzzle
    from linkoracle.sat.oracle import Oracle

Found = TypeVar("Found")

#: Edges of which a query finds out whether all solutions agree on them.
_TOGETHER = 32

_STATUS: tuple[Literal["none", "unique", "many"], ...] = ("none", "unique", "many")


class Forced(NamedTuple):
    """The edges that every solution has, and those that none has; ``whole`` if these are all."""

    lines: list[int]
    crosses: list[int]
    whole: bool


class Session(ChangingBoard, Closing):
    """A board that begins as a puzzle, and queries about it.

    ``clues`` by cell and ``edges``, on or off by their ids, hold now; `set`, `reduce` and
    `generate` change them, and `undo` takes changes back. A query takes ``changes`` that hold for
    it alone: by cell a clue, as for an `Oracle`, or ``None`` for none; by the id of an edge
    ``True``, ``False``, or ``None`` to leave it open. It raises `SearchTimeout` after ``timeout``
    seconds.

    Clues of a kind whose lines run through cells are numbers or words, never sets. Each such puzzle
    of one loop states its rules again, and the solver takes what was stated before from the last
    query. The pairs of a Numberlink are a part of the board: a query with other ones builds another
    `Oracle`, which has learned nothing yet. Changes that leave no puzzle of the kind, such as a
    number that stands alone, raise `PuzzleError` and change nothing.

    ``engine`` is that of `linkoracle.Options`; with ``"plain"`` the kept solver has the clauses of
    the plain engine, too. ``solver`` is a PySAT solver in place of the default, ``memory`` the
    bytes that engines may use beside it. With ``prompt``, queries are answered quickly one after
    the other, and may be interrupted: after ``KeyboardInterrupt`` the session answers as quickly
    as before. Such a session must be closed: an interrupt while Python frees an oracle would free
    its solver twice.

    >>> from linkoracle import Numberlink, Slitherlink
    >>> with Session(Slitherlink([[3, 3], [1, 1]])) as session:
    ...     session.ask().status, session.ask(dict.fromkeys(session.clues)).status
    ...     session.implies((0, 0)), session.reduce([(0, 0), (0, 1), (1, 0), (1, 1)])
    ...     session.clues, session.undo(), session.clues
    ('unique', 'many')
    (True, ('unique', True))
    ({(1, 0): 1, (1, 1): 1}, True, {(1, 0): 1, (1, 1): 1, (0, 0): 3, (0, 1): 3})
    >>> with Session(Numberlink.blank(2, 3)) as session:
    ...     session.set({(0, 0): 1, (0, 2): 1})
    ...     session.count().count, session.ask({(1, 0): 2, (1, 2): 2}).status
    (4, 'unique')
    """

    def __init__(
        self,
        puzzle: Puzzle,
        *,
        engine: Engine = "auto",
        solver: str | None = None,
        memory: int | None = None,
        prompt: bool = False,
    ) -> None:
        super().__init__(puzzle)
        self._engines: dict[str, Any] = {"engine": engine, "solver": solver, "memory": memory}
        plain = engine == "plain" or not COMPILED
        self._solver = InterruptibleOracle(solver, prompt=prompt, plain=plain)
        #: The last query, and its answer.
        self._known: tuple[object, Verdict] | None = None
        if not (prompt or puzzle.through_cells):
            self._solver.open(self.board)

    def close(self) -> None:
        """Free the oracle; the next query would begin with a new one."""
        self._solver.close()

    # ---- queries ----

    def ask(
        self,
        changes: Changes = NO_CHANGES,
        *,
        limit: int | None = None,
        timeout: float | None = None,
    ) -> Verdict:
        """Decide whether there is no solution, one, or more.

        The verdict shows up to two solutions; with ``limit`` (at least 2) up to ``limit``, and no
        core.
        """
        clues, edges = self._posed(changes)
        deadline = Deadline(timeout)
        if limit is None:
            verdict = self._decide(clues, edges, timeout=deadline)
            if self.stated and verdict.core is not None:
                verdict = replace(verdict, core=self.changed(changes)[0], core_edges=edges)
            return verdict
        most = checked_int(limit, "a limit of solutions", 2)
        if self._is_whole(edges):
            found = tuple(islice(solutions(self.board, timeout=timeout, **self._engines), most))
        else:

            def listed(oracle: Oracle, until: Deadline) -> tuple[Solution, ...]:
                every = oracle.solutions(clues, edges=edges, timeout=until.left)
                return tuple(islice(every, most))

            found = self._query(listed, deadline)
        return Verdict(_STATUS[min(len(found), 2)], found, None)

    def core(
        self,
        changes: Changes = NO_CHANGES,
        *,
        containing: Collection[Cell | int] | None = None,
        preview: Callable[[Verdict], object] | None = None,
        timeout: float | None = None,
    ) -> Verdict:
        """`ask`, and find the fewest clues and edges that contradict each other.

        They contain one of ``containing``, cells of clues and ids of edges, if there are such; by
        default those of ``changes``, or else of the last change that stayed. Of several such sets,
        it is the one nearest to these cells: the same whatever was asked before. ``preview`` gets
        a set none of which is redundant before the smallest is searched for.

        That takes up to ten more seconds, and at most half of the time left. Then ``core_minimal``
        of the verdict is false, and the core may have redundant members, or ``core_smallest`` is,
        and fewer may do.

        Of one loop through cells, these are clues that contradict each other whatever the other
        cells hold. Of a Numberlink, they are pairs that cannot be joined together even if cells may
        stay empty; where all can be joined, the core is ``None`` unless edges are on or off.

        >>> from linkoracle.kinds.masyu import Masyu
        >>> with Session(Masyu(["w.b", "...", "..."])) as session:
        ...     session.core().core, session.redundant(), session.ask({(0, 0): None}).status
        ({(0, 0): 'w'}, [(0, 2)], 'many')
        >>> from linkoracle import Slitherlink
        >>> with Session(Slitherlink([[3, 0, None], [None, 3, 0]])) as session:
        ...     session.core().core, session.core({(0, 2): 3}).core
        ({(0, 0): 3, (0, 1): 0}, {(0, 1): 0, (0, 2): 3})
        """
        clues, edges = self._posed(changes)
        deadline = Deadline(timeout)
        edited = self._edited(changes) if containing is None else [*containing]
        how: dict[str, Any] = {
            "timeout": deadline,
            "containing": [("edge" if isinstance(one, int) else "clue", one) for one in edited],
            "order": partial(_distance, [one for one in edited if isinstance(one, tuple)]),
            "preview": preview,
        }
        if self.stated:
            held = self.changed(changes)[0], edges
            return conflicting_clues(self._with, *held, self._decide, self._contradiction, **how)
        if not self._is_whole(edges):
            return find_core(self._decide, self._contradiction, clues, edges, **how)
        verdict = self._decide(timeout=deadline)
        if verdict.status == "many":
            return verdict
        core = self.changed(changes)[0]
        whole = replace(verdict, core=core, core_edges={})
        if verdict.status == "unique":
            return whole

        def show(some: dict[Cell, Clue]) -> None:
            if preview is not None:
                preview(replace(whole, core=some, core_minimal=True))

        found, minimal, smallest = conflicting_pairs(
            self._with(core), deadline, self._engines, edited, show
        )
        return replace(whole, core=found, core_minimal=minimal, core_smallest=smallest)

    def solution(
        self, changes: Changes = NO_CHANGES, *, timeout: float | None = None
    ) -> Solution | None:
        """Find a solution; ``None`` if there is none."""
        clues, edges = self._posed(changes)

        def find(oracle: Oracle, until: Deadline) -> Solution | None:
            return next(oracle.solutions(clues, edges=edges, timeout=until.left), None)

        return self._query(find, Deadline(timeout))

    def implies(
        self, what: Cell | int, changes: Changes = NO_CHANGES, *, timeout: float | None = None
    ) -> bool:
        """Tell whether the clue of a cell, or an edge being on or off, follows from all others.

        So it does if every solution of the puzzle without that clue is one with it. In a
        Numberlink, both numbers of the pair are left out.
        """
        clues, edges = self._posed(changes)
        if isinstance(what, tuple) and self.through_cells:
            held = self.changed(changes)[0]
            return self._entails(self._without(held, what), held, edges, Deadline(timeout))
        follows: bool = self._query(
            lambda oracle, until: oracle.implies(clues, what, edges=edges, timeout=until.left),
            Deadline(timeout),
        )
        return follows

    def redundant(self, *, timeout: float | None = None) -> list[Cell]:
        """The cells without whose clues the solutions are the same, each by itself."""
        deadline = Deadline(timeout)
        return [cell for cell in self.clues if self._is_redundant(cell, deadline)]

    def forced(self, changes: Changes = NO_CHANGES, *, timeout: float | None = None) -> Forced:
        """Find the edges on which all solutions agree: of the others, two are found that differ.

        When the time is over, what is known until then. Raises `PuzzleError` if there is no
        solution.
        """
        deadline = Deadline(timeout)
        verdict = self.ask(changes, timeout=timeout)
        if verdict.status == "none":
            raise PuzzleError("there is no solution that could force an edge")
        solution, first = verdict.solutions[0], {*verdict.solutions[0].edges}
        differs = {edge for other in verdict.solutions for edge in first ^ {*other.edges}}
        clues, held = self._posed(changes)
        # Where an edge is held, or ends at a hole, no solution is to be sought that differs there.
        board = self.board.board
        holes = {vertex for vertex, mask in enumerate(self.board.degrees) if mask == HOLE}
        agreed = {*range(board.num_edges)} - differs
        unknown = [
            edge
            for edge in sorted(agreed - held.keys())
            if not verdict.unique and holes.isdisjoint(board.ends(edge))
        ]
        agreed.difference_update(unknown)
        whole = True
        try:
            while unknown:
                other = self._differing(solution, unknown, clues, held, deadline)
                if other is None:
                    agreed.update(unknown[:_TOGETHER])
                    unknown = unknown[_TOGETHER:]
                else:
                    gone = first ^ {*other.edges}
                    unknown = [edge for edge in unknown if edge not in gone]
        except SearchTimeout:
            whole = False
        sure = sorted(agreed)
        crosses = [edge for edge in sure if edge not in first]
        return Forced([edge for edge in sure if edge in first], crosses, whole)

    def _differing(
        self, known: Solution, unknown: list[int], clues: Clues, edges: Edges, deadline: Deadline
    ) -> Solution | None:
        """Find a solution that differs from a known one at one of the first unknown edges."""
        found: Solution | None = self._query(
            lambda oracle, until: oracle.differing(
                known, unknown, _TOGETHER, clues, edges, timeout=until
            ),
            deadline,
        )
        return found

    def count(
        self, changes: Changes = NO_CHANGES, limit: int | None = None, **options: Any
    ) -> CountResult:
        """Count solutions, up to ``limit``; ``options`` are those of `linkoracle.count_result`."""
        return count_result(self.model(changes), limit, **{**self._engines, **options})

    def grade(self, changes: Changes = NO_CHANGES, **options: Any) -> Grade:
        """Grade as a player would solve it; ``options`` are those of `linkoracle.grade`."""
        from linkoracle.deduce.grading import grade

        return grade(self.model(changes), **options)

    def hint(self, changes: Changes = NO_CHANGES, *, timeout: float | None = None) -> Step | None:
        """Find the next step of a player who has drawn the edges, which must fit a solution.

        ``None`` if none is found.

        >>> from linkoracle import Slitherlink
        >>> with Session(Slitherlink([[4, None]])) as session:
        ...     session.hint({0: True, 1: True}).reason
        'The 4 at r1c1 needs every edge that is left'
        """
        from linkoracle.deduce.counted import hint_by_counts
        from linkoracle.deduce.walk import next_step

        clues, edges = self.changed(changes)
        puzzle, deadline = self._with(clues), Deadline(timeout)
        if not puzzle.model.is_square:
            return hint_by_counts(puzzle, edges, deadline)
        free = {**changes, **dict.fromkeys(edges)}
        unique = puzzle.model.is_free and self.ask(free, timeout=timeout).unique
        return next_step(puzzle, edges, uniqueness=unique, timeout=deadline)

    # ---- what changes clues ----

    def reduce(
        self,
        order: Iterable[Cell] | None = None,
        *,
        seed: int | None = None,
        keep: Iterable[Cell] = (),
        timeout: float | None = None,
    ) -> tuple[str, bool]:
        """Remove clues one after the other, as long as the solution stays the only one.

        Cells come in the ``order`` given, or in one that depends on ``seed`` only; those in
        ``keep`` stay. A clue that its turn finds needed stays needed, since fewer clues have more
        solutions; so what is left depends on the order only. (`generate` spreads them evenly.)
        Where fewer clues may have fewer solutions, as in a Yajilin, every clue has another turn
        after one is gone.

        Returns the status before, and whether the clues that are left are proven to be minimal:
        every one had its turn. After a timeout, what is gone until then stays gone.
        """
        deadline, kept, before = Deadline(timeout), {*keep}, dict(self.clues)
        tried: set[Cell] = set()
        status = self.ask(timeout=timeout).status
        every = [*(self._order(seed) if order is None else order)] if status == "unique" else []
        turns = deque(every)
        try:
            while turns:
                cell = turns.popleft()
                if cell in kept or cell in tried or cell not in self.clues:
                    continue
                tried.add(cell)
                if self._is_redundant(cell, deadline):
                    fewer = self._without(self.clues, cell)
                    if self._states_more(fewer):
                        tried.clear()
                        turns.extend(every)
                    self._put(self.without(cell))
        finally:
            if gone := {cell: clue for cell, clue in before.items() if cell not in self.clues}:
                self._remember(gone)
        return status, status == "unique" and self.clues.keys() <= tried

    thin = reduce

    @with_old_arguments
    def generate(
        self,
        *,
        seed: int | None = None,
        index: int = 0,
        timeout: float | None = None,
        progress: Any = None,
        preview: Any = None,
        **options: Any,
    ) -> Made:
        """Make a puzzle with one solution on this board, and go on with it.

        ``options`` are the fields of the request for its kind, such as `SlitherlinkRequest`. A
        Slitherlink keeps its clues, ends, given and forbidden lines, and holes. A Numberlink keeps
        its cells with numbers. Other kinds are generated from scratch. Edges set on or off are
        forgotten.
        Raises what `linkoracle.generate.puzzle` raises.

        >>> from linkoracle import Slitherlink
        >>> with Session(Slitherlink.blank(5, 5).with_clues({(0, 0): 3})) as session:
        ...     made = session.generate(seed=1, symmetry="half-turn")
        ...     session.clues[0, 0], session.ask().status, session.undo(), session.clues
        (3, 'unique', True, {(0, 0): 3})
        """
        from linkoracle.generate.requests import make, request_on

        request = request_on(self.puzzle, **options)
        how = {"timeout": timeout, "progress": progress, "preview": preview}
        made = make(request, seed=seed, index=index, **how)
        found: dict[Any, Any] = dict(made.puzzle.clue_cells())
        clues: dict[Any, Any] = {cell_named(cell): clue for cell, clue in found.items()}
        blank = dict.fromkeys(found)
        if made.puzzle.with_clues(blank) == self._with({}).with_clues(blank):
            gone: dict[Any, None] = dict.fromkeys([*self.clues, *self.edges])
            self.set({**gone, **clues})
        else:
            self.begin(made.puzzle)
        return made

    def _edited(self, changes: Changes) -> list[Any]:
        """The cells and edges that changes set, or else the last ones that stayed."""
        held = {*self.changed(changes)[0], *self.changed(changes)[1]}
        return [one for one in changes or self.last_change if one in held]

    def _entails(
        self,
        clues: Mapping[Cell, Any],
        others: Mapping[Cell, Any],
        edges: Mapping[int, bool],
        deadline: Deadline,
    ) -> bool:
        """Whether every solution of the puzzle with ``clues`` is one of that with ``others``."""
        if self.stated:
            some, more = self._statements(clues), self._statements(others)
            found: bool = self._query(
                lambda oracle, until: oracle.implies_all(some, more, edges, timeout=until), deadline
            )
            return found
        on = [edge for edge, drawn in edges.items() if drawn]
        model = self._with(clues).model.with_edges(on, edges.keys() - on)
        every = solutions(model, timeout=deadline.left, **self._engines)
        return not any(map(self._with(others).violations, every))

    def _is_redundant(self, cell: Cell, deadline: Deadline) -> bool:
        """Whether the solutions without a clue are those with it."""
        if not self.through_cells:
            return self.implies(cell, timeout=deadline.left)
        fewer, edges = self._without(self.clues, cell), self.edges
        return self._entails(fewer, self.clues, edges, deadline) and self._entails(
            self.clues, fewer, edges, deadline
        )

    def _is_whole(self, edges: Edges) -> bool:
        """Whether a query is about the board alone, which more than one engine can answer."""
        return self.through_cells and not (self.stated or edges)

    def _decide(self, clues: Clues = (), edges: Edges = (), *, timeout: Timeout = None) -> Verdict:
        """`ask` for these clues and edges alone."""
        query, deadline = (self.board, dict(clues), dict(edges or ())), Deadline.of(timeout)
        if self._known is None or self._known[0] != query:
            if self._is_whole(edges):
                verdict = decide(self.board, timeout=deadline.left, **self._engines)
            else:
                verdict = self._named(
                    self._query(
                        lambda oracle, until: oracle.ask(clues, edges, timeout=until), deadline
                    )
                )
            self._known = query, verdict
        return self._known[1]

    def _contradiction(
        self, clues: Clues, edges: Edges, *, timeout: Timeout = None
    ) -> Verdict | None:
        """Return the verdict that there is no solution; ``None`` if there is one."""
        found: Verdict | None = self._query(
            lambda oracle, until: oracle.contradiction(clues, edges, timeout=until),
            Deadline.of(timeout),
        )
        return None if found is None else self._named(found)

    def _named(self, verdict: Verdict) -> Verdict:
        """The verdict with the faces of its core as this session names them."""
        if self._puzzle.tiling is None or verdict.core is None:
            return verdict
        core: dict[Any, Any] = {cell_named(face): clue for face, clue in verdict.core.items()}
        return replace(verdict, core=core)

    def _query(self, work: Callable[[Any, Deadline], Found], deadline: Deadline) -> Found:
        return self._solver.query(self.board.board if self.stated else self.board, work, deadline)


def _distance(cells: Collection[Cell], held: tuple[str, Any]) -> tuple[Any, ...]:
    """How far a clue or an edge, as `find_core` names them, is from any of these cells."""
    what, name = held
    if what == "edge":
        return (1, name)
    if len(name) < 2:
        return (0, name)
    away = min(((row - name[0]) ** 2 + (col - name[1]) ** 2 for row, col in cells), default=0)
    return (0, away, name)
