"""Work in steps: progress, and running it to its end.

A pass is a generator that yields its progress after each `Step`, so that its caller can interrupt
and continue it.
"""

from __future__ import annotations

from collections.abc import Generator
from contextlib import closing
from typing import TypeVar

from linkoracle.core.limits import Deadline, Progress

#: Progress: steps done, all steps, number of states. A step decides a vertex or a row of vertices.
Step = tuple[int, int, int]
Result = TypeVar("Result")


def finished(
    work: Generator[Step, None, Result],
    deadline: Deadline | None = None,
    progress: Progress | None = None,
) -> Result:
    """Run a pass to its end and return its result; raise `SearchTimeout` at the deadline.

    An interrupted pass is closed, which ends its threads.
    """
    # The garbage collector might close the pass while a thread starts or ends: a deadlock.
    with closing(work):
        while True:
            try:
                done, steps, states = next(work)
            except StopIteration as end:
                result: Result = end.value
                return result
            if deadline is not None:
                deadline.check()
            if progress is not None:
                progress(f"step {done} of {steps}, {states} states", done / steps)
