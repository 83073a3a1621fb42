"""`QueriedBoard`: a puzzle whose clues and edges change, and queries about it."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import replace
from functools import partial
from itertools import chain, islice
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, TypeVar

from linkoracle.board.model import HOLE
from linkoracle.changing import (
    NO_CHANGES,
    Cell,
    Changes,
    ChangingBoard,
    ReadChanges,
    cell_named,
)
from linkoracle.conflicts import conflicting_clues, conflicting_pairs
from linkoracle.core import COMPILED
from linkoracle.core.errors import PuzzleError, SearchTimeout
from linkoracle.core.limits import Closing, Deadline, Timeout, checked_int
from linkoracle.interruptible import InterruptibleOracle
from linkoracle.sat.answers import Clue, Clues, CountResult, Edges, Engine, Verdict
from linkoracle.sat.cores import find_core
from linkoracle.solving import count_result, decide, solutions

if TYPE_CHECKING:
    from linkoracle.board.solution import Solution
    from linkoracle.kinds import Puzzle
    from linkoracle.sat.statement_oracle import StatementOracle

Found = TypeVar("Found")

#: Number of edges for which one query decides whether all solutions agree.
_EDGES_PER_QUERY = 32

_STATUS: tuple[Literal["none", "unique", "many"], ...] = ("none", "unique", "many")


class Forced(NamedTuple):
    """The edges of all solutions (``lines``), and of none (``crosses``); ``whole`` if complete."""

    lines: list[int]
    crosses: list[int]
    whole: bool


class QueriedBoard(ChangingBoard, Closing):
    """A board that changes, with a solver that keeps what it has learned: see `Session`."""

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
        #: The last query, and its verdict.
        self._known: tuple[object, Verdict] | None = None
        if not (prompt or puzzle.through_cells):
            self._solver.open(self.board)

    def close(self) -> None:
        """Free the oracle; another query would create a new one."""
        self._solver.close()

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
        changes = self.read(changes)
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
            found = self._query(
                lambda oracle, until: tuple(
                    islice(oracle.solutions(clues, edges=edges, timeout=until.left), most)
                ),
                deadline,
            )
        return Verdict(_STATUS[min(len(found), 2)], found, None)

    def core(
        self,
        changes: Changes = NO_CHANGES,
        *,
        containing: Collection[Any] | None = None,
        preview: Callable[[Verdict], object] | None = None,
        timeout: float | None = None,
    ) -> Verdict:
        """Decide like `ask`, and find the fewest clues and edges that contradict each other.

        The core contains one of ``containing``, cells of clues and edges, if possible; by
        default those of ``changes``, or else of the last change that `undo` would undo. Of several
        such cores, the result is the one nearest to these cells, whatever the earlier queries were.
        ``preview`` gets a minimal core before the search for the smallest one.

        The search takes up to ten more seconds, and at most half of the time left. If time runs
        out, ``core_minimal`` of the verdict may be false: the core may have redundant members. Or
        ``core_smallest`` is false: a smaller core may exist.

        For one loop through cells, the core has clues that contradict each other whatever the other
        cells hold. For a Numberlink, it has pairs that cannot be joined together even if cells may
        stay empty; where all pairs can be joined, it is ``None`` unless edges are on or off.

        >>> from linkoracle import Session
        >>> from linkoracle.kinds.masyu import Masyu
        >>> with Session(Masyu(["w.b", "...", "..."])) as session:
        ...     session.core().core, session.redundant(), session.ask({(0, 0): None}).status
        ({(0, 0): 'w'}, [], 'many')
        >>> from linkoracle import Slitherlink
        >>> with Session(Slitherlink([[3, 0, None], [None, 3, 0]])) as session:
        ...     session.core().core, session.core({(0, 2): 3}).core
        ({(0, 0): 3, (0, 1): 0}, {(0, 1): 0, (0, 2): 3})
        """
        changes = self.read(changes)
        clues, edges = self._posed(changes)
        deadline = Deadline(timeout)
        edited = self._edited(changes) if containing is None else [*map(self.named, containing)]
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
        return self._query(
            lambda oracle, until: next(
                oracle.solutions(clues, edges=edges, timeout=until.left), None
            ),
            Deadline(timeout),
        )

    def implies(
        self, what: Any, changes: Changes = NO_CHANGES, *, timeout: float | None = None
    ) -> bool:
        """Return whether the clue of a cell, or an edge being on or off, follows from all others.

        It follows if there are solutions without it, and each of them is one with it. So a puzzle
        with one solution keeps this solution, and no other, if a clue that follows is removed.
        False if the others contradict each other, as they may where a clue also closes its cell: in
        a Yajilin, a cell without a clue must be visited or shaded. In a Numberlink, both numbers of
        the pair are left out.

        >>> from linkoracle import Session
        >>> from linkoracle.kinds import Yajilin
        >>> with Session(Yajilin([". . .", ". x .", ". . ."])) as session:
        ...     session.ask().status, session.implies((1, 1))
        ('unique', False)
        """
        changes, what = self.read(changes), self.named(what)
        clues, edges = self._posed(changes)
        if isinstance(what, tuple) and self.through_cells:
            held = self.changed(changes)[0]
            return self._entails(self._without(held, what), held, edges, Deadline(timeout))
        return self._query(
            lambda oracle, until: oracle.implies(clues, what, edges=edges, timeout=until.left),
            Deadline(timeout),
        )

    def redundant(self, *, timeout: float | None = None) -> list[Cell]:
        """Return the cells of clues each of which can be removed without changing the solutions.

        That is none if there is no solution.
        """
        deadline = Deadline(timeout)
        return [cell for cell in self.clues if self._is_redundant(cell, deadline)]

    def forced(self, changes: Changes = NO_CHANGES, *, timeout: float | None = None) -> Forced:
        """Find the edges on which all solutions agree.

        After ``timeout`` seconds, return the edges found so far. Raises `PuzzleError` if there is
        no solution.
        """
        changes, deadline = self.read(changes), Deadline(timeout)
        verdict = self.ask(changes, timeout=timeout)
        if verdict.status == "none":
            raise PuzzleError("there is no solution that could force an edge")
        solution, first = verdict.solutions[0], {*verdict.solutions[0].edges}
        differs = {edge for other in verdict.solutions for edge in first ^ {*other.edges}}
        clues, held = self._posed(changes)
        # No solution differs at an edge that is on or off, or that ends at a hole.
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
                    agreed.update(unknown[:_EDGES_PER_QUERY])
                    unknown = unknown[_EDGES_PER_QUERY:]
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
        return self._query(
            lambda oracle, until: oracle.differing(
                known, unknown, _EDGES_PER_QUERY, clues, edges, timeout=until
            ),
            deadline,
        )

    def count(
        self, changes: Changes = NO_CHANGES, limit: int | None = None, **options: Any
    ) -> CountResult:
        """Count solutions, up to ``limit``; ``options`` are those of `linkoracle.count_result`."""
        return count_result(self.model(changes), limit, **{**self._engines, **options})

    def _edited(self, changes: ReadChanges) -> list[Any]:
        """Return the cells and edges that changes set, or else those that `undo` would restore."""
        held = {*self.changed(changes)[0], *self.changed(changes)[1]}
        return [one for one in changes or self.last_change if one in held]

    def _entails(
        self,
        clues: Mapping[Cell, Any],
        others: Mapping[Cell, Any],
        edges: Mapping[int, bool],
        deadline: Deadline,
    ) -> bool:
        """Return whether there are solutions with ``clues``, all of them also with ``others``."""
        if self.stated:
            some, more = self._statements(clues), self._statements(others)
            return self._query(
                lambda oracle, until: oracle.implies_all(some, more, edges, timeout=until), deadline
            )
        on = [edge for edge, drawn in edges.items() if drawn]
        model = self._with(clues).model.with_edges(on, edges.keys() - on)
        every = solutions(model, timeout=deadline.left, **self._engines)
        first, fuller = next(every, None), self._with(others)
        return first is not None and not any(map(fuller.violations, chain((first,), every)))

    def _is_redundant(self, cell: Cell, deadline: Deadline) -> bool:
        """Return whether the solutions without a clue are those with the clue."""
        if not self.through_cells:
            return self.implies(cell, timeout=deadline.left)
        fewer, edges = self._without(self.clues, cell), self.edges
        return self._entails(fewer, self.clues, edges, deadline) and self._entails(
            self.clues, fewer, edges, deadline
        )

    def _is_whole(self, edges: Edges) -> bool:
        """Return whether a query is about the board alone, which several engines can answer."""
        return self.through_cells and not (self.stated or edges)

    def _decide(self, clues: Clues = (), edges: Edges = (), *, timeout: Timeout = None) -> Verdict:
        """Decide for these clues and edges alone."""
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
        found = self._query(
            lambda oracle, until: oracle.contradiction(clues, edges, timeout=until),
            Deadline.of(timeout),
        )
        return None if found is None else self._named(found)

    def _named(self, verdict: Verdict) -> Verdict:
        """Return the verdict with the faces of its core as this session names them."""
        if self._puzzle.tiling is None or verdict.core is None:
            return verdict
        core: dict[Any, Any] = {cell_named(face): clue for face, clue in verdict.core.items()}
        return replace(verdict, core=core)

    def _query(
        self, work: Callable[[StatementOracle, Deadline], Found], deadline: Deadline
    ) -> Found:
        return self._solver.query(self.board.board if self.stated else self.board, work, deadline)


def _distance(cells: Collection[Cell], held: tuple[str, Any]) -> tuple[Any, ...]:
    """Return a sort key for clues and edges, as `find_core` names them: the nearest come first."""
    what, name = held
    if what == "edge":
        return (1, name)
    if len(name) < 2:
        return (0, name)
    away = min(((row - name[0]) ** 2 + (col - name[1]) ** 2 for row, col in cells), default=0)
    return (0, away, name)
