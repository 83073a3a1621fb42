"""Work in steps: how far it is, and how it is run to its end.

A pass is a generator that says after each `Step` how far it is, so that whoever runs it can leave
it for something else and come back.
"""

from __future__ import annotations

from collections.abc import Generator
from contextlib import closing
from typing import TypeVar

from linkoracle.core.limits import Deadline, Progress

#: How far work is: steps done, all steps, states that the frontier is in. A step decides a vertex,
#: or a row of them.
Step = tuple[int, int, int]
Result = TypeVar("Result")


def finished(
    work: Generator[Step, None, Result],
    deadline: Deadline | None = None,
    progress: Progress | None = None,
) -> Result:
    """What a pass returns when it is run to its end; `SearchTimeout` if that takes too long.

    If it is not, it is closed, and so are the threads that it has.
    """
    # Left to the garbage collector, it might be closed while a thread is being started or ended,
    # and then wait for itself.
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
