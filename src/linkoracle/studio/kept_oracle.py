"""The solver of a board, kept from one question to the next although questions are interrupted.

What it has learned makes the next answer ten times as quick. An interrupt in the midst of its work
would leave nobody knows what; so it works in steps, between which interrupts take effect. These
are short because the solver never stops to simplify its clauses.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import closing
from typing import TypeVar

from linkoracle.board.model import LinkModel
from linkoracle.board.solution import Solution
from linkoracle.core.errors import SearchTimeout
from linkoracle.core.limits import Deadline, deferred_signals
from linkoracle.sat.answers import Cell, Clues, Verdict
from linkoracle.sat.oracle import Oracle

Found = TypeVar("Found")

#: Seconds of the first step; each is twice as long as the one before, since what does not come to
#: an end in one step may begin again in the next.
_FIRST = 0.02
#: Steps up to so many seconds. What takes longer may be interrupted, and is lost then.
_LONGEST = 0.4


class KeptOracle:
    """An `Oracle` of a board that can be asked again after ``KeyboardInterrupt``.

    Every question raises `SearchTimeout` after its deadline. Must be closed: an interrupt while an
    oracle that nobody has any more is freed would have its solver freed twice.

    >>> from linkoracle import Slitherlink
    >>> oracle = KeptOracle(Slitherlink.blank(2, 2).model)
    >>> oracle.ask({(0, 0): 4}, Deadline(60)).status
    'unique'
    >>> oracle.close()
    """

    def __init__(self, model: LinkModel) -> None:
        self.model = model
        self._oracle: Oracle | None = None

    def close(self) -> None:
        """Free the solver; the next question would begin with a new one."""
        with deferred_signals():
            if self._oracle is not None:
                self._oracle.close()
            self._oracle = None

    def ask(self, clues: Clues, deadline: Deadline) -> Verdict:
        """Whether there is no solution, one, or more."""
        return self._in_steps(lambda oracle, time: oracle.ask(clues, timeout=time), deadline)

    def implies(self, clues: Mapping[Cell, int], cell: Cell, deadline: Deadline) -> bool:
        """Whether the clue of a cell follows from the others."""
        return self._in_steps(
            lambda oracle, time: oracle.implies(clues, cell, timeout=time), deadline
        )

    def first(self, clues: Clues, edges: Mapping[int, bool], deadline: Deadline) -> Solution | None:
        """A solution with these edges, or without them; ``None`` if there is none."""

        def find(oracle: Oracle, time: float | None) -> Solution | None:
            with closing(oracle.solutions(clues, edges=edges, timeout=time)) as found:
                return next(found, None)

        return self._in_steps(find, deadline)

    def _in_steps(self, work: Callable[[Oracle, float | None], Found], deadline: Deadline) -> Found:
        step = _FIRST
        while step <= _LONGEST:
            with deferred_signals():
                try:
                    return work(self._whole(), min(step, deadline.left or step))
                except SearchTimeout:
                    pass
            deadline.check()
            step *= 2
        oracle, self._oracle = self._whole(), None
        try:
            found = work(oracle, deadline.left)
        except SearchTimeout:
            self._oracle = oracle
            raise
        except BaseException:
            oracle.close()
            raise
        self._oracle = oracle
        return found

    def _whole(self) -> Oracle:
        if self._oracle is None:
            self._oracle = Oracle(self.model, prompt=True)
        return self._oracle
