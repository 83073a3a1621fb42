"""Work in steps: progress, and running it to its end.

A pass is a generator that yields its progress after each `Step`, so that its caller can interrupt
and continue it. Its threads share tasks: calls of compiled code without the interpreter's lock.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import closing
from typing import TYPE_CHECKING, Self, TypeVar

from linkoracle.core import Deadline, Progress, deferred_signals

if TYPE_CHECKING:
    from concurrent.futures import Future, ThreadPoolExecutor

    from linkoracle.frontier.pass_kernel import Share


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


Task = TypeVar("Task")

#: The fewest states of a layer that threads share: with fewer, starting the threads takes longer.
SHARED_STATES = 1 << 14


class Threads:
    """A number of threads, including the caller's. They start with the first work and end on exit.

    >>> done = []
    >>> with Threads(2) as threads:
    ...     threads.share(done.append, range(4), stop=lambda stopped: None)
    >>> sorted(done)
    [0, 1, 2, 3]
    """

    def __init__(self, number: int) -> None:
        self.number = number
        self._pool: ThreadPoolExecutor | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self._pool is not None:
            self._pool.shutdown()
            self._pool = None

    @property
    def shares(self) -> Share | None:
        """Return `run` for the steps of a pass; ``None`` if there is only one thread."""
        return self.run if self.number > 1 else None

    def run(self, work: Callable[[], object], stop: Callable[[bool], object]) -> None:
        """Call ``work`` in this thread and in all others.

        If a call raises, or on Ctrl-C, ``stop(True)`` must make all running calls return soon; then
        the error is raised. ``stop(False)`` is called last.
        """
        if self.number == 1:
            work()
            return
        from concurrent.futures import ThreadPoolExecutor, wait

        pool = self._pool = self._pool or ThreadPoolExecutor(self.number - 1)

        def other() -> None:
            try:
                work()
            except BaseException:
                stop(True)
                raise

        helping: list[Future[None]] = []
        try:
            with deferred_signals():
                helping.extend(pool.submit(other) for _ in range(self.number - 1))
            work()
            for helper in helping:
                helper.result()
        except BaseException:
            stop(True)
            raise
        finally:
            with deferred_signals():
                wait(helping)
                stop(False)

    def share(
        self, work: Callable[[Task], object], tasks: Iterable[Task], stop: Callable[[bool], object]
    ) -> None:
        """Call ``work`` with each task, in any thread; otherwise like `run`."""
        # A list iterator is thread-safe: each task goes to one thread.
        left: Iterator[Task] = iter(list(tasks))

        def some() -> None:
            for task in left:
                work(task)

        self.run(some, stop)
