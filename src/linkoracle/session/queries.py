"""What a session asks of engines: a kept oracle, and clues that contradict each other."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import replace
from functools import cache, partial
from typing import Any, NamedTuple, TypeVar

from linkoracle.board import Board, LinkModel, Solution, Statements
from linkoracle.core import (
    COMPILED,
    Deadline,
    Interrupted,
    SearchTimeout,
    Timeout,
    deferred_signals,
)
from linkoracle.engines import (
    Ask,
    Cell,
    Clue,
    Clues,
    Conflicts,
    Contradict,
    Edges,
    Engine,
    Oracle,
    StatementOracle,
    Verdict,
    at_once,
    best_core,
    core_deadline,
    find_core,
    with_pair_labels,
)
from linkoracle.kinds import Puzzle, cell_named
from linkoracle.solving import decide, solve

Found = TypeVar("Found")

#: Seconds of the first step of an interruptible query. Each step takes twice as long as the one
#: before, since work that does not end in one step may begin again in the next.
_FIRST = 0.02
#: Seconds of the longest step. Longer work may be interrupted; the oracle is lost then.
_LONGEST = 0.4


class Posed(NamedTuple):
    """Clues as an oracle takes them."""

    #: The board of the query, without the clues that follow.
    model: LinkModel
    #: What the oracle is opened with.
    opened: Board | LinkModel
    stated: dict[Any, Any]


class Queries:
    """Keep the oracle of the last board, and what it has learned, from one query to the next.

    With ``prompt``, queries may be interrupted. An interrupt during a solver's work would leave
    the solver in an unknown state. So queries run in short steps, and interrupts take effect
    between the steps. A query that takes longer loses its oracle when it is interrupted.
    """

    def __init__(
        self, *, engine: Engine, solver: str | None, memory: int | None, prompt: bool
    ) -> None:
        #: The options of `linkoracle.solving` for queries that need no oracle.
        self.engines: dict[str, Any] = {"engine": engine, "solver": solver, "memory": memory}
        self._prompt, self._plain = prompt, engine == "plain" or not COMPILED
        self.oracle: Oracle | None = None
        self._board: Board | LinkModel | None = None
        #: How many puzzles a search without a solver has tried, and how many of them it decided.
        self._tried = self._decided = 0
        #: Whether a query had a solver of its own.
        self._own = False
        #: The last query, and its verdict.
        self._known: tuple[object, Verdict] | None = None
        #: Solutions that the oracle has not seen.
        self._shown: tuple[Solution, ...] = ()

    def __getstate__(self) -> dict[str, Any]:
        # A solver cannot be copied; the next query begins with a new oracle.
        return {**vars(self), "oracle": None, "_board": None}

    def close(self) -> None:
        """Free the oracle; the next query begins with a new oracle."""
        with deferred_signals():
            if self.oracle is not None:
                self.oracle.close()
            self.oracle = None

    def open(self, board: Board | LinkModel) -> Oracle:
        """Return the oracle of a model, or of all loops of a board; free that of another board."""
        if self.oracle is not None and self._board != board:
            self.close()
        if self.oracle is None:
            solver = self.engines["solver"]
            how: Any = {"solver": solver, "prompt": self._prompt, "plain": self._plain}
            if isinstance(board, LinkModel):
                self.oracle = Oracle(with_pair_labels(board) if self._plain else board, **how)
            else:
                self.oracle = StatementOracle(board, **how)
            self._board = board
        if self._shown and isinstance(self.oracle, StatementOracle):
            self.oracle.note(self._shown)
            self._shown = ()
        return self.oracle

    def find(
        self,
        posed: Posed,
        work: Callable[[StatementOracle, Deadline], Found],
        deadline: Deadline,
    ) -> Found:
        """Return what ``work`` finds with the oracle of a query. Raises `SearchTimeout`."""
        # Only statements are asked of more than an `Oracle`.
        opened: Callable[[], Any] = partial(self.open, posed.opened)
        # Where nothing is compiled, no signal interrupts: see `linkoracle.core.limits.heed`.
        if not (self._prompt and COMPILED):
            return work(opened(), deadline)
        step = _FIRST
        while step <= _LONGEST:
            with deferred_signals():
                try:
                    return work(opened(), Deadline(min(step, deadline.left or step)))
                except SearchTimeout:
                    pass
            deadline.check()
            step *= 2
        oracle, self.oracle = opened(), None
        try:
            found = work(oracle, deadline)
        except (SearchTimeout, Interrupted):
            self.oracle = oracle
            raise
        except BaseException:
            oracle.close()
            raise
        self.oracle = oracle
        return found

    def afresh(
        self, model: LinkModel, edges: dict[int, bool], deadline: Deadline
    ) -> Verdict | None:
        """Return the verdict of a model if it needs no kept oracle, which would take longer.

        A search without a solver is tried as long as it decides most puzzles. The kept oracle takes
        long to open, so the first query that needs a solver has its own.
        """
        if self._plain or self.engines["engine"] == "frontier":
            return None
        if 2 * self._tried <= 3 * self._decided + 2:
            self._tried += 1
            found, every = at_once(model, deadline, edges=edges)
            if every or len(found) > 1:
                self._decided += 1
                self._shown = tuple(Solution(model.board, one) for one in found)
                return Verdict(("none", "unique", "many")[len(found)], self._shown, None)
        if self.oracle is None and not self._own:
            self._own = True
            verdict = decide(model.with_drawn(edges), timeout=deadline.left, **self.engines)
            self._shown = verdict.solutions
            return verdict
        return None

    def decided(self, query: object, work: Callable[[], Verdict]) -> Verdict:
        """Return the verdict of a query; ``work`` finds it unless the last query was the same."""
        if self._known is None or self._known[0] != query:
            self._known = query, work()
        return self._known[1]

    def decide(
        self,
        posed: Posed,
        stated: Clues,
        edges: Edges,
        *,
        core: bool = False,
        timeout: Timeout = None,
    ) -> Verdict:
        """Decide for clues in the place of those of ``posed``."""
        return self.decided(
            (posed.model, dict(stated), dict(edges or ()), core),
            lambda: self.find(
                posed,
                lambda oracle, until: oracle.ask(stated, edges, core=core, timeout=until),
                Deadline.of(timeout),
            ),
        )

    def contradiction(
        self,
        posed: Posed,
        stated: Clues,
        edges: Edges,
        *,
        core: bool = False,
        timeout: Timeout = None,
    ) -> Verdict | None:
        """Return the verdict that there is no solution; ``None`` if there is one."""
        return self.find(
            posed,
            lambda oracle, until: oracle.contradiction(stated, edges, core=core, timeout=until),
            Deadline.of(timeout),
        )


def conflicting_clues(
    statements_with: Callable[[dict[Cell, Any]], Statements],
    held: Mapping[Cell, Any],
    drawn: Mapping[int, bool],
    ask: Ask,
    contradiction: Contradict,
    **how: Any,
) -> Verdict:
    """Return the result of `Session.core` for one loop through cells.

    ``statements_with`` returns what the puzzle with some clues states, ``held`` are all clues,
    ``drawn`` edges on or off. ``ask`` and ``contradiction`` take statements. ``how`` is as for
    `find_core`.

    A subset of the clues stands for the statements that its puzzle shares with that of all clues. A
    cell whose clue is left out therefore has no statements. A cell that never had a clue may have
    some, as in a Yajilin. So clues that contradict each other do so whatever the other cells hold.
    """
    every = statements_with(dict(held))

    def stated(clues: Mapping[Cell, Any]) -> dict[Any, Any]:
        return {one: True for one in statements_with(dict(clues)) if one in every}

    @cache
    def statements_of(cell: Cell | None) -> frozenset[Any]:
        """Return the statements of the clue of a cell; for ``None``, of a board without clues."""
        return frozenset(stated({} if cell is None else {cell: held[cell]}))

    def with_clues(core: Verdict, clues: Mapping[Cell, Any]) -> Verdict:
        """Return the verdict with the clues that make the statements of its core."""
        missing = set(core.core or ()) - statements_of(None)
        some = {}
        for cell, clue in clues.items():
            if not missing.isdisjoint(statements_of(cell)):
                some[cell] = clue
                missing -= statements_of(cell)
        # Statements that no clue makes alone come from several together.
        return replace(core, core=dict(clues) if missing else some)

    def decided(clues: Any, edges: Any, *, core: bool, timeout: Timeout) -> Verdict:
        verdict = ask(every, edges, core=core, timeout=timeout)
        if verdict.status == "none":
            return with_clues(verdict, clues)
        if verdict.status == "unique":
            return replace(verdict, core=dict(clues), core_edges=dict(edges))
        return verdict

    def contradicted(clues: Any, edges: Any, *, core: bool, timeout: Timeout) -> Verdict | None:
        verdict = contradiction(stated(clues), edges, core=core, timeout=timeout)
        return None if verdict is None else with_clues(verdict, clues)

    return find_core(decided, contradicted, held, drawn, **how)


def conflicting_pairs(
    puzzle: Puzzle,
    deadline: Deadline,
    engines: dict[str, Any],
    containing: Collection[Cell] = (),
    preview: Callable[[dict[Cell, Clue]], object] | None = None,
) -> tuple[dict[Cell, Clue] | None, bool, bool]:
    """Return the clues of pairs that cannot be joined together, as few as time permits.

    Two flags follow: whether the core is minimal, and whether it is the smallest of those with a
    cell of ``containing``; see `find_core`. The core is ``None`` if all pairs can be joined when
    cells may stay empty, or if there are none.
    """
    model = puzzle.model
    limited = core_deadline(deadline)
    cells: dict[Any, Any] = {cell_named(cell): clue for cell, clue in puzzle.clue_cells()}
    pairs = [tuple(map(cell_named, map(model.board.position, pair))) for pair in model.terminals]
    joins = dict(zip(pairs, model.terminals, strict=True))

    def contradiction(some: Collection[Any]) -> Collection[Any] | None:
        # Paths for all pairs join any subset, if cells may stay empty and no line is given.
        ends = [joins[pair] for pair in some]
        board = LinkModel.blank_paths(model.board, ends).with_edges(forbidden=model.forbidden)
        joined = not ends or solve(board, timeout=limited.left, **engines) is not None
        return None if joined else some

    def clues_of(core: Collection[Any]) -> dict[Cell, Clue]:
        ends = {cell for pair in core for cell in pair}
        return {cell: clue for cell, clue in cells.items() if cell in ends}

    if contradiction(pairs) is None:
        return None, False, False
    edited = [pair for pair in pairs if not {*containing}.isdisjoint(pair)]
    conflicts = Conflicts(pairs, contradiction, pairs, edited)
    shown = None if preview is None else lambda core: preview(clues_of(core))
    core, minimal, smallest = best_core(conflicts, limited, shown, smallest=True)
    return clues_of(core), minimal, smallest


def distance(cells: Collection[Cell], held: tuple[str, Any]) -> tuple[Any, ...]:
    """Return a sort key for clues and edges, as `find_core` names them: the nearest come first."""
    what, name = held
    if what == "edge":
        return (1, name)
    if len(name) < 2:
        return (0, name)
    away = min(((row - name[0]) ** 2 + (col - name[1]) ** 2 for row, col in cells), default=0)
    return (0, away, name)
