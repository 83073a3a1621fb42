"""Many independent jobs on any executor: in order, nothing lost, nothing twice.

`ordered` and `finished` hand jobs to a `concurrent.futures.Executor`, a few at a time. `Serial`
works in this process, `Processes` in others, `Cluster` on the workers of a Dask scheduler.

>>> list(ordered(Serial(), abs, [-1, 2, -3]))
[1, 2, 3]
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent import futures
from concurrent.futures import Executor, Future
from concurrent.futures.process import BrokenProcessPool, ProcessPoolExecutor
from contextlib import closing, contextmanager, suppress
from importlib.metadata import version
from typing import Any, Generic, TypeVar

from linkoracle.core.errors import MissingExtra, WorkersLost
from linkoracle.core.limits import checked_int, deferred_signals, processors, share_processors

__all__ = ["MAX_WORKERS", "Cluster", "Processes", "Serial", "finished", "ordered"]

Job = TypeVar("Job")
Result = TypeVar("Result")

#: The most processes on one machine; a larger pool ends in errors of the system.
MAX_WORKERS = 1024

#: Seconds to wait for the scheduler of a cluster, and then for a worker.
_PATIENCE = 5.0
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
    many. A job whose worker died (``BrokenExecutor``, a cancelled future, ``KilledWorker`` of Dask)
    is handed out again, up to `RETRIES` times; each result is yielded once. What is in flight is
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

    >>> sorted(finished(Serial(), abs, [-1, -2]))
    [(-2, 2), (-1, 1)]
    """
    room = _room(executor, window)
    return _landed(executor, function, iter(jobs), room, room)


def _landed(
    executor: Executor,
    function: Callable[[Job], Result],
    jobs: Iterator[Job],
    room: int,
    turn: int,
    waiting: Callable[[], object] | None = None,
) -> Generator[tuple[Job, Result], None, None]:
    """Yield jobs with their results, of the first ``turn`` in flight those that are done."""
    flights: list[_Flight[Job, Result]] = []
    check: Callable[[], object] | None = getattr(executor, "check", None)
    tick = None if waiting is None and check is None else _TICK
    try:
        while True:
            # An executor in this process has its answer at once, so it is not asked for more jobs.
            while len(flights) < room and not (flights and flights[-1].instant):
                try:
                    flights.append(_Flight(next(jobs), lambda job: executor.submit(function, job)))
                except StopIteration:
                    break
            if not flights:
                return
            while not (done := [flight for flight in flights[:turn] if flight.future.done()]):
                landing = [flight.future for flight in flights[:turn]]
                futures.wait(landing, tick, futures.FIRST_COMPLETED)
                if check is not None:
                    check()
                if waiting is not None and not flights[0].future.done():
                    waiting()
            lost = [flight for flight in done if flight.lost]
            for flight in done:
                if flight not in lost:
                    flights.remove(flight)
                    yield flight.job, flight.future.result()
            # Jobs that were lost with the same worker do not wait for their turn.
            for flight in flights if lost else ():
                if flight.future.done() and flight.lost:
                    flight.again()
    finally:
        for flight in flights:
            flight.future.cancel()


def _room(executor: Executor, window: int | None) -> int:
    if window is None:
        return _DEPTH * (getattr(executor, "workers", 0) or processors())
    return checked_int(window, "a window of jobs", 1)


class _Flight(Generic[Job, Result]):
    """A job that was handed out."""

    def __init__(self, job: Job, submit: Callable[[Job], Future[Result]]) -> None:
        self.job = job
        self._submit = submit
        self._losses = 0
        self.future = submit(job)
        #: Whether it was done at once: the executor works in this process.
        self.instant = self.future.done()

    @property
    def lost(self) -> bool:
        """Whether there is no answer since the worker died; of a flight that is done."""
        lost: list[type[Exception]] = [futures.BrokenExecutor, futures.CancelledError]
        if distributed := sys.modules.get("distributed"):
            lost.append(distributed.KilledWorker)
        return self.future.cancelled() or isinstance(self.future.exception(), tuple(lost))

    def again(self) -> None:
        """Hand the job out again. Raises `WorkersLost` if that was done too often."""
        self._losses += 1
        if self._losses > RETRIES:
            error = None if self.future.cancelled() else self.future.exception()
            reason = f"{type(error).__name__}: {error}" if error else "it was cancelled"
            raise WorkersLost(
                f"gave up on a job whose worker was lost {self._losses} times ({reason})"
            ) from error
        self.future = self._submit(self.job)


class Serial(Executor):
    """Does each job in this process before `submit` returns: nothing is pickled.

    >>> Serial().submit(max, 2, 3).result()
    3
    """

    workers = 1

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        """A future that is done. Ctrl-C is not an answer and comes out at once."""
        future: Future[Any] = Future()
        try:
            future.set_result(fn(*args, **kwargs))
        except Exception as error:
            future.set_exception(error)
        return future


class Processes(Executor):
    """Like `ProcessPoolExecutor`, for work that must end cleanly.

    * A process that dies breaks a pool for good; here the next `submit` begins a new one.
    * Workers are spawned: a forked one would inherit the locks of other threads and the state of
      the SAT solvers. They start as jobs come, which takes some tenths of a second.
    * Workers never see Ctrl-C. When this executor is shut down they are ended in the middle of
      what they do, and when this process is killed they end, too.
    * With ``patience``, jobs are done in this process until they took that many seconds: few small
      jobs do not pay for workers.

    Raises ``ValueError`` for less than one worker, or more than `MAX_WORKERS`.

    >>> with Processes(2, patience=60) as executor:
    ...     executor.submit(max, 2, 3).result()
    3
    """

    def __init__(self, workers: int, *, patience: float = 0.0) -> None:
        self.workers = checked_int(workers, "a number of workers", 1, MAX_WORKERS)
        self._patience = patience
        self._serial = Serial()
        self._pool: ProcessPoolExecutor | None = None
        self._shut = False

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        """Hand a job to a worker. Raises ``RuntimeError`` after `shutdown`."""
        if self._shut:
            raise RuntimeError("cannot take jobs after shutdown")
        if self._patience > 0:
            started = time.monotonic()
            try:
                return self._serial.submit(fn, *args, **kwargs)
            finally:
                self._patience -= time.monotonic() - started
        with _interrupts_deferred_signals():
            if self._pool is not None:
                try:
                    return _cancellable(self._pool.submit(fn, *args, **kwargs))
                except BrokenProcessPool:
                    _end(self._pool)
            spawning = multiprocessing.get_context("spawn")
            self._pool = ProcessPoolExecutor(self.workers, spawning, _enter, (self.workers,))
            return _cancellable(self._pool.submit(fn, *args, **kwargs))

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """End the workers: at once, or, with ``wait`` only, when what was submitted is done.

        Leaving the context of the executor ends them at once.
        """
        self._shut = True
        pool, self._pool = self._pool, None
        if pool is not None and wait and not cancel_futures:
            pool.shutdown()
        elif pool is not None:
            _end(pool)

    def __exit__(self, *_: object) -> None:
        self.shutdown(cancel_futures=True)


def _cancellable(future: Future[Any]) -> Future[Any]:
    """A future that may have been cancelled when its pool is ended.

    In Python 3.11 the pool's own thread dies of telling a cancelled future that the pool is broken.
    """

    def set_exception(exception: BaseException | None) -> None:
        with suppress(futures.InvalidStateError):
            Future.set_exception(future, exception)

    future.set_exception = set_exception  # type: ignore[method-assign]
    return future


def _end(pool: ProcessPoolExecutor) -> None:
    """End the processes of a pool in the middle of what they do, and wait until they are gone."""
    # What `ProcessPoolExecutor.terminate_workers` does from Python 3.14 on.
    for process in list((getattr(pool, "_processes", None) or {}).values()):
        process.terminate()
    # The pool's own thread joins them, and is waited for.
    pool.shutdown(wait=True, cancel_futures=True)


@contextmanager
def _interrupts_deferred_signals() -> Iterator[None]:
    """Put Ctrl-C off: a pool that is interrupted while it starts a worker may forget it.

    It reaches every process, but the parent alone decides what it means: processes started
    meanwhile inherit the blocked signal. The parent may get it through another thread.
    """
    with deferred_signals():
        if not hasattr(signal, "pthread_sigmask"):
            yield
            return
        from multiprocessing import resource_tracker

        # Begun later, it would let the signal through again before the first worker is there.
        resource_tracker.ensure_running()
        before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
        try:
            yield
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _enter(workers: int) -> None:
    """Set up a worker process."""
    share_processors(workers)
    # Where signals cannot be blocked, or another thread than the main one began the worker.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=end_with_parent, daemon=True).start()


def end_with_parent() -> None:
    """End the worker when its parent is gone: a killed parent cannot tell its workers."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        with suppress(OSError):
            parent.join()
        os._exit(1)


class Cluster(Executor):
    """The workers of the Dask scheduler at ``address``, which must have this version of linkoracle.

    A worker that dies costs time and nothing else: Dask hands its jobs to others, and computes
    again the results that it had. Leaving the context cancels what is not done.

    Raises `MissingExtra` without the extra ``dask``, and `WorkersLost` when there is no
    scheduler, no worker, or another version at a worker.
    """

    def __init__(self, address: str, *, patience: float = _PATIENCE) -> None:
        try:
            import distributed
        except ModuleNotFoundError:
            raise MissingExtra("workers of a Dask cluster", "dask") from None

        self._address = address
        try:
            # A client that is given no address leaves threads behind.
            distributed.comm.get_address_host_port(address, strict=True)
            self._client: Any = distributed.Client(address, timeout=patience, set_as_default=False)
        except (OSError, ValueError) as error:
            reason = (str(error).splitlines() or [type(error).__name__])[0]
            raise WorkersLost(f"no Dask scheduler at {address}: {reason}") from None
        try:
            self._check_workers(address, patience)
        except BaseException:
            self._client.close()
            raise
        # Jobs are never taken for one another, even if they look alike.
        self._executor: Executor = self._client.get_executor(pure=False)

    def _check_workers(self, address: str, patience: float) -> None:
        try:
            self._client.wait_for_workers(1, timeout=patience)
            theirs = self._client.run(_own_version)
        except TimeoutError:
            raise WorkersLost(f"the Dask scheduler at {address} has no workers") from None
        except ModuleNotFoundError as error:
            raise WorkersLost(f"a Dask worker of {address} has no linkoracle: {error}") from None
        for worker, found in theirs.items():
            if found != _own_version():
                raise WorkersLost(
                    f"the Dask worker {worker} has linkoracle {found}, this is {_own_version()}"
                )

    @property
    def workers(self) -> int:
        """The number of jobs that can run at a time, now."""
        known = self._client.scheduler_info(n_workers=-1)["workers"].values()
        return sum(worker["nthreads"] for worker in known)

    def check(self) -> None:
        """Raise `WorkersLost` if the scheduler is gone: its futures would never be done."""
        if self._client.status in ("closing", "closed"):
            raise WorkersLost(f"the Dask scheduler at {self._address} is gone")

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        """Hand a job to the scheduler."""
        return self._executor.submit(_alone, fn, *args, **kwargs)

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Leave the cluster, which goes on for others."""
        if self._client.status not in ("closing", "closed"):
            self._executor.shutdown(wait=wait and not cancel_futures)
        self._client.close()

    def __exit__(self, *_: object) -> None:
        self.shutdown(cancel_futures=True)


def _alone(function: Callable[..., Result], *args: Any, **kwargs: Any) -> Result:
    """Do a job on one processor: what other workers of its machine do, a worker does not know."""
    share_processors(os.cpu_count() or 1)
    return function(*args, **kwargs)


def _own_version() -> str:
    return version("linkoracle")
