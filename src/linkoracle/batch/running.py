"""`ordered` and `finished`: jobs in flight, a bounded number of them."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import (
    FIRST_COMPLETED,
    BrokenExecutor,
    CancelledError,
    Executor,
    Future,
    wait,
)
from contextlib import closing
from typing import Any, Generic, TypeVar

from linkoracle.core.errors import WorkersLost
from linkoracle.core.limits import checked_int

Job = TypeVar("Job")
Result = TypeVar("Result")

#: How often a job is handed out again after its worker died. A job that kills its worker, as by
#: the memory it takes, would do so for ever.
RETRIES = 3
#: Jobs in flight for each worker: with fewer, one long job at the head of the order would soon
#: leave the other workers without any.
_DEPTH = 8
#: Seconds between two calls of ``waiting``.
_TICK = 0.25


def ordered(
    executor: Executor,
    function: Callable[[Job], Result],
    jobs: Iterable[Job],
    *,
    window: int | None = None,
    waiting: Callable[[], object] | None = None,
) -> Generator[Result, None, None]:
    """Yield ``function(job)`` for every job, in the order of the jobs.

    At most ``window`` jobs are in flight, by default eight a worker, so there may be endlessly
    many. A job whose worker died (`BrokenExecutor`, a cancelled future, Dask's ``KilledWorker``) is
    handed out again, up to `RETRIES` times; each result is yielded once. What is in flight is
    cancelled when the generator is closed, and after an error. ``waiting`` is called again and
    again while there is nothing to yield, and so is ``executor.check``, if there is such a method,
    which may raise when no answer can come any more.

    Raises what a job raises when its turn has come, `WorkersLost` for a job that was lost too
    often, ``ValueError`` for a window below 1.
    """
    room = _room(executor, window)
    return _results(_landed(executor, function, iter(jobs), room, 1, waiting))


def _results(pairs: Generator[tuple[Job, Result], None, None]) -> Generator[Result, None, None]:
    with closing(pairs):
        for _, result in pairs:
            yield result


def finished(
    executor: Executor,
    function: Callable[[Job], Result],
    jobs: Iterable[Job],
    *,
    window: int | None = None,
) -> Generator[tuple[Job, Result], None, None]:
    """Yield each job with its result as soon as that is there; else like `ordered`.

    >>> from linkoracle.batch import Serial
    >>> sorted(finished(Serial(), abs, [-1, -2]))
    [(-2, 2), (-1, 1)]
    """
    room = _room(executor, window)
    return _landed(executor, function, iter(jobs), room, room, None)


def _landed(
    executor: Executor,
    function: Callable[[Job], Result],
    jobs: Iterator[Job],
    room: int,
    turn: int,
    waiting: Callable[[], object] | None,
) -> Generator[tuple[Job, Result], None, None]:
    """Yield jobs with their results, of the first ``turn`` in flight those that are done."""
    flights: list[_Flight[Job, Result]] = []
    check: Callable[[], object] | None = getattr(executor, "check", None)
    tick = None if waiting is None and check is None else _TICK
    try:
        while True:
            # An executor that works here has its answer at once; nobody shall wait for more.
            while len(flights) < room and not (flights and flights[-1].instant):
                try:
                    flights.append(_Flight(executor, function, next(jobs)))
                except StopIteration:
                    break
            if not flights:
                return
            while not (done := [flight for flight in flights[:turn] if flight.done]):
                wait([flight.future for flight in flights[:turn]], tick, FIRST_COMPLETED)
                if check is not None:
                    check()
                if waiting is not None and not flights[0].done:
                    waiting()
            lost = [flight for flight in done if flight.lost]
            for flight in done:
                if flight not in lost:
                    flights.remove(flight)
                    yield flight.job, flight.future.result()
            # The others that went down with the same worker shall not wait for their turn.
            for flight in flights if lost else ():
                if flight.done and flight.lost:
                    flight.again()
    finally:
        for flight in flights:
            flight.future.cancel()


def _room(executor: Executor, window: int | None) -> int:
    if window is None:
        return _DEPTH * (getattr(executor, "workers", 0) or os.cpu_count() or 1)
    return checked_int(window, "a window of jobs", 1)


class _Flight(Generic[Job, Result]):
    """A job that was handed out."""

    def __init__(self, executor: Executor, function: Callable[[Job], Result], job: Job) -> None:
        self.job = job
        self._executor = executor
        self._function = function
        self._losses = 0
        self.future: Future[Result] = executor.submit(function, job)
        #: Whether it was done before anybody could wait for it.
        self.instant = self.future.done()

    @property
    def done(self) -> bool:
        return self.future.done()

    @property
    def lost(self) -> bool:
        """Whether there is no answer since the worker died; of a flight that is done."""
        return self.future.cancelled() or isinstance(self.future.exception(), _losses())

    def again(self) -> None:
        """Hand the job out again. Raises `WorkersLost` if that was done too often."""
        self._losses += 1
        if self._losses > RETRIES:
            error = None if self.future.cancelled() else self.future.exception()
            reason = f"{type(error).__name__}: {error}" if error else "it was cancelled"
            raise WorkersLost(
                f"gave up on a job whose worker was lost {self._losses} times ({reason})"
            ) from error
        self.future = self._executor.submit(self._function, self.job)


def _losses() -> tuple[type[BaseException], ...]:
    """The errors that say that a worker died, not that the job failed."""
    distributed: Any = sys.modules.get("distributed")
    killed = (distributed.KilledWorker,) if distributed is not None else ()
    return (BrokenExecutor, CancelledError, *killed)
