"""`Queries`: the engines of a session, and an oracle that keeps what it has learned."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from linkoracle.board.model import HOLE, LinkModel
from linkoracle.core import COMPILED
from linkoracle.core.errors import PuzzleError, SearchTimeout
from linkoracle.core.limits import Deadline, Timeout, deferred_signals
from linkoracle.engines.oracle import Oracle
from linkoracle.engines.plain import with_pair_labels
from linkoracle.engines.statement_oracle import StatementOracle

if TYPE_CHECKING:
    from linkoracle.board.board import Board
    from linkoracle.board.solution import Solution
    from linkoracle.engines.answers import Clues, Edges, Engine, Verdict

Found = TypeVar("Found")

#: Seconds of the first step of an interruptible query. Each step takes twice as long as the one
#: before, since work that does not end in one step may begin again in the next.
_FIRST = 0.02
#: Seconds of the longest step. Longer work may be interrupted; the oracle is lost then.
_LONGEST = 0.4

#: Number of edges for which one query decides whether all solutions agree.
_EDGES_PER_QUERY = 32


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
        #: The last query, and its verdict.
        self._known: tuple[object, Verdict] | None = None

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
        except SearchTimeout:
            self.oracle = oracle
            raise
        except BaseException:
            oracle.close()
            raise
        self.oracle = oracle
        return found

    def decided(self, query: object, work: Callable[[], Verdict]) -> Verdict:
        """Return the verdict of a query; ``work`` finds it unless the last query was the same."""
        if self._known is None or self._known[0] != query:
            self._known = query, work()
        return self._known[1]

    def decide(
        self, posed: Posed, stated: Clues, edges: Edges, *, timeout: Timeout = None
    ) -> Verdict:
        """Decide for clues in the place of those of ``posed``."""
        return self.decided(
            (posed.model, dict(stated), dict(edges or ())),
            lambda: self.find(
                posed,
                lambda oracle, until: oracle.ask(stated, edges, timeout=until),
                Deadline.of(timeout),
            ),
        )

    def contradiction(
        self, posed: Posed, stated: Clues, edges: Edges, *, timeout: Timeout = None
    ) -> Verdict | None:
        """Return the verdict that there is no solution; ``None`` if there is one."""
        return self.find(
            posed,
            lambda oracle, until: oracle.contradiction(stated, edges, timeout=until),
            Deadline.of(timeout),
        )


class Forced(NamedTuple):
    """The edges of all solutions (``lines``), and of none (``crosses``); ``whole`` if complete."""

    lines: list[int]
    crosses: list[int]
    whole: bool


def forced(
    queries: Queries, posed: Posed, edges: dict[int, bool], verdict: Verdict, deadline: Deadline
) -> Forced:
    """Find the edges on which all solutions agree, from some of them: see `Session.forced`."""
    if verdict.status == "none":
        raise PuzzleError("there is no solution that could force an edge")
    solution, first = verdict.solutions[0], {*verdict.solutions[0].edges}
    differs = {edge for other in verdict.solutions for edge in first ^ {*other.edges}}
    # No solution differs at an edge that is on or off, or that ends at a hole.
    board = posed.model.board
    holes = {vertex for vertex, mask in enumerate(posed.model.degrees) if mask == HOLE}
    agreed = {*range(board.num_edges)} - differs
    unknown = [
        edge
        for edge in sorted(agreed - edges.keys())
        if not verdict.unique and holes.isdisjoint(board.ends(edge))
    ]
    agreed.difference_update(unknown)

    def differing(oracle: StatementOracle, until: Deadline) -> Solution | None:
        """Find a solution that differs from the known one at one of the first unknown edges."""
        return oracle.differing(
            solution, unknown, _EDGES_PER_QUERY, posed.stated, edges, timeout=until
        )

    whole = True
    try:
        while unknown:
            other = queries.find(posed, differing, deadline)
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
