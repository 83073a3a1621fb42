"""`InterruptibleOracle`: an oracle for queries about one board after another."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from linkoracle.board.board import Board
from linkoracle.board.model import LinkModel
from linkoracle.core import COMPILED
from linkoracle.core.errors import SearchTimeout
from linkoracle.core.limits import Deadline, deferred_signals
from linkoracle.plain import with_pair_labels
from linkoracle.sat.oracle import Oracle
from linkoracle.sat.statement_oracle import StatementOracle

Found = TypeVar("Found")

#: Seconds of the first step of an interruptible query. Each step takes twice as long as the one
#: before, since work that does not end in one step may begin again in the next.
_FIRST = 0.02
#: Seconds of the longest step. Longer work may be interrupted; the oracle is lost then.
_LONGEST = 0.4


class InterruptibleOracle:
    """Keep the oracle of the last board, and what it has learned, from one query to the next.

    With ``prompt``, queries may be interrupted. An interrupt during a solver's work would leave
    the solver in an unknown state. So queries run in short steps, and interrupts take effect
    between the steps. A query that takes longer loses its oracle when it is interrupted.
    """

    def __init__(self, solver: str | None, *, prompt: bool, plain: bool = not COMPILED) -> None:
        self._solver, self._prompt, self._plain = solver, prompt, plain
        self.oracle: Oracle | None = None
        self._board: Board | LinkModel | None = None

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
            how: Any = {"solver": self._solver, "prompt": self._prompt, "plain": self._plain}
            if isinstance(board, LinkModel):
                self.oracle = Oracle(with_pair_labels(board) if self._plain else board, **how)
            else:
                self.oracle = StatementOracle(board, **how)
            self._board = board
        return self.oracle

    def query(
        self,
        board: Board | LinkModel,
        work: Callable[[Any, Deadline], Found],
        deadline: Deadline,
    ) -> Found:
        """Return what ``work`` finds with the oracle of a board. Raises `SearchTimeout`."""
        # Where nothing is compiled, no signal interrupts: see `linkoracle.core.limits.heed`.
        if not (self._prompt and COMPILED):
            return work(self.open(board), deadline)
        step = _FIRST
        while step <= _LONGEST:
            with deferred_signals():
                try:
                    return work(self.open(board), Deadline(min(step, deadline.left or step)))
                except SearchTimeout:
                    pass
            deadline.check()
            step *= 2
        oracle, self.oracle = self.open(board), None
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
