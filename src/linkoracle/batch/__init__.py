"""Run independent jobs on any executor: in order, each result exactly once.

`ordered` and `finished` submit jobs to a `concurrent.futures.Executor`, a few at a time. `Serial`
runs them in this process, `Processes` in others, `Cluster` on the workers of a Dask scheduler.

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
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from linkoracle.core import (
    MissingExtra,
    WorkersLost,
    checked_int,
    deferred_signals,
    exports,
    processors,
    share_processors,
)

if not TYPE_CHECKING:
    __all__, __getattr__, __dir__ = exports(
        __name__, {}, own="MAX_WORKERS Cluster Processes Serial finished ordered"
    )

Job = TypeVar("Job")
Result = TypeVar("Result")

#: The most processes on one machine; a larger pool ends in errors of the system.
MAX_WORKERS = 1024

#: Seconds to wait for the scheduler of a cluster, and then for a worker.
_CONNECT_SECONDS = 5.0
#: How often a job is submitted again after its worker died. A job may kill every worker, such as
#: by the memory that the job takes.
RETRIES = 3
#: Jobs in flight for each worker. With fewer, one long job at the head of the order would soon
#: leave the other workers idle.
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

    At most ``window`` jobs are in flight, by default eight a worker, so ``jobs`` may be endless. A
    job whose worker died (``BrokenExecutor``, a cancelled future, ``KilledWorker`` of Dask) is
    submitted again, up to `RETRIES` times; each result is yielded once. Closing the generator, or
    an error, cancels the jobs in flight. While there is nothing to yield, ``waiting`` is called
    repeatedly. So is the method ``check`` of the executor, if it has one; ``check`` may raise when
    no answer can come any more.

    Raises what a job raises when its turn has come, `WorkersLost` for a job that was lost too
    often, ``ValueError`` for a window below 1.
    """
    window = _window(executor, window)
    return _results(_landed(executor, function, iter(jobs), window, 1, waiting))


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
    """Yield each job with its result, in the order in which jobs finish; else like `ordered`.

    >>> sorted(finished(Serial(), abs, [-1, -2]))
    [(-2, 2), (-1, 1)]
    """
    window = _window(executor, window)
    return _landed(executor, function, iter(jobs), window, window)


def _landed(
    executor: Executor,
    function: Callable[[Job], Result],
    jobs: Iterator[Job],
    window: int,
    turn: int,
    waiting: Callable[[], object] | None = None,
) -> Generator[tuple[Job, Result], None, None]:
    """Yield finished jobs with their results; only the first ``turn`` jobs in flight count."""
    flights: list[_Flight[Job, Result]] = []
    check: Callable[[], object] | None = getattr(executor, "check", None)
    tick = None if waiting is None and check is None else _TICK
    try:
        while True:
            # An executor in this process answers at once, so one job is submitted at a time.
            while len(flights) < window and not (flights and flights[-1].instant):
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
            # Other jobs lost with the same worker are submitted again before their turn.
            for flight in flights if lost else ():
                if flight.future.done() and flight.lost:
                    flight.again()
    finally:
        for flight in flights:
            flight.future.cancel()


def _window(executor: Executor, window: int | None) -> int:
    if window is None:
        return _DEPTH * (getattr(executor, "workers", 0) or processors())
    return checked_int(window, "a window of jobs", 1)


class _Flight(Generic[Job, Result]):
    """A submitted job."""

    def __init__(self, job: Job, submit: Callable[[Job], Future[Result]]) -> None:
        self.job = job
        self._submit = submit
        self._losses = 0
        self.future = submit(job)
        #: Whether `submit` finished the job: the executor works in this process.
        self.instant = self.future.done()

    @property
    def lost(self) -> bool:
        """Whether the job has no answer because its worker died; only for a future that is done."""
        lost: list[type[Exception]] = [futures.BrokenExecutor, futures.CancelledError]
        if distributed := sys.modules.get("distributed"):
            lost.append(distributed.KilledWorker)
        return self.future.cancelled() or isinstance(self.future.exception(), tuple(lost))

    def again(self) -> None:
        """Submit the job again. Raises `WorkersLost` if the job was lost too often."""
        self._losses += 1
        if self._losses > RETRIES:
            error = None if self.future.cancelled() else self.future.exception()
            reason = f"{type(error).__name__}: {error}" if error else "it was cancelled"
            raise WorkersLost(
                f"gave up on a job whose worker was lost {self._losses} times ({reason})"
            ) from error
        self.future = self._submit(self.job)


class Serial(Executor):
    """Run each job in this process before `submit` returns: nothing is pickled.

    >>> Serial().submit(max, 2, 3).result()
    3
    """

    workers = 1

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        """Run a job and return a future that is done. Ctrl-C is raised at once."""
        future: Future[Any] = Future()
        try:
            future.set_result(fn(*args, **kwargs))
        except Exception as error:
            future.set_exception(error)
        return future


class Processes(Executor):
    """Like `ProcessPoolExecutor`, for work that must end cleanly.

    * A process that dies breaks a pool for good; here the next `submit` begins a new pool.
    * Workers are spawned: a forked one would inherit the locks of other threads and the state of
      the SAT solvers. Workers start when jobs come; starting one takes some tenths of a second.
    * Workers never see Ctrl-C. Shutting this executor down ends them in the middle of their jobs.
      When this process is killed, they end, too.
    * The first ``serial_seconds`` of work are done in this process: a few small jobs do not pay
      for workers.
    * In a daemonic process, such as a worker of Celery or of `multiprocessing.Pool`, which may
      start no others, all work is done in this process.

    Raises ``ValueError`` for less than one worker, or more than `MAX_WORKERS`.

    >>> with Processes(2, serial_seconds=60) as executor:
    ...     executor.submit(max, 2, 3).result()
    3
    """

    def __init__(self, workers: int, *, serial_seconds: float = 0.0) -> None:
        """Start no worker yet."""
        self.workers = checked_int(workers, "a number of workers", 1, MAX_WORKERS)
        self._serial_seconds = serial_seconds
        self._serial = Serial()
        self._pool: ProcessPoolExecutor | None = None
        self._shut = False

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        """Submit a job to a worker. Raises ``RuntimeError`` after `shutdown`."""
        if self._shut:
            raise RuntimeError("cannot take jobs after shutdown")
        if multiprocessing.current_process().daemon:
            return self._serial.submit(fn, *args, **kwargs)
        if self._serial_seconds > 0:
            started = time.monotonic()
            try:
                return self._serial.submit(fn, *args, **kwargs)
            finally:
                self._serial_seconds -= time.monotonic() - started
        with _interrupts_deferred_signals():
            if self._pool is not None:
                try:
                    return _cancellable(self._pool.submit(fn, *args, **kwargs))
                except BrokenProcessPool:
                    _end(self._pool)
            spawning = multiprocessing.get_context("spawn")
            self._pool = ProcessPoolExecutor(self.workers, spawning, _enter, (self.workers,))
            return _cancellable(self._pool.submit(fn, *args, **kwargs))

    def __reduce__(self) -> tuple[Any, ...]:
        # A copy starts workers of its own.
        return type(self), (self.workers,), {"_shut": self._shut}

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """End the workers: at once, or, with ``wait`` only, when all submitted jobs are done.

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
    """Allow a future to be cancelled before its pool is ended.

    In Python 3.11 the pool's own thread dies when it sets the exception of a cancelled future.
    """

    def set_exception(exception: BaseException | None) -> None:
        with suppress(futures.InvalidStateError):
            Future.set_exception(future, exception)

    future.set_exception = set_exception  # type: ignore[method-assign]
    return future


def _end(pool: ProcessPoolExecutor) -> None:
    """End the processes of a pool in the middle of their jobs, and wait until they are gone."""
    # Like `ProcessPoolExecutor.terminate_workers` of Python 3.14.
    for process in list((getattr(pool, "_processes", None) or {}).values()):
        process.terminate()
    # The pool's own thread joins the processes; wait for that thread.
    pool.shutdown(wait=True, cancel_futures=True)


@contextmanager
def _interrupts_deferred_signals() -> Iterator[None]:
    """Defer Ctrl-C: a pool that is interrupted while it starts a worker may forget that worker.

    Ctrl-C reaches every process, but only the parent acts on it: processes started meanwhile
    inherit the blocked signal. The parent may get the signal through another thread.
    """
    with deferred_signals():
        if not hasattr(signal, "pthread_sigmask"):
            yield
            return
        from multiprocessing import resource_tracker

        # A tracker started later would unblock the signal before the first worker is there.
        resource_tracker.ensure_running()
        before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
        try:
            yield
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _enter(workers: int) -> None:
    """Set up a worker process."""
    share_processors(workers)
    # For systems that cannot block signals, and for workers started outside the main thread.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=end_with_parent, daemon=True).start()


def end_with_parent() -> None:
    """End the worker when its parent is gone: a killed parent cannot end its workers."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        with suppress(OSError):
            parent.join()
        os._exit(1)


class Cluster(Executor):
    """The workers of the Dask scheduler at ``address``, which must have this version of linkoracle.

    A worker that dies only costs time: Dask sends its jobs to other workers, and recomputes the
    results that it held. Leaving the context cancels unfinished jobs.

    Raises `MissingExtra` without the extra ``dask``, and `WorkersLost` when there is no
    scheduler, no worker, or another version at a worker.
    """

    def __init__(self, address: str, *, timeout: float = _CONNECT_SECONDS) -> None:
        """Connect to the scheduler, and wait for a worker, up to ``timeout`` seconds each."""
        try:
            import distributed
        except ModuleNotFoundError:
            raise MissingExtra("workers of a Dask cluster", "dask") from None

        self._address = address
        try:
            # A client that gets an invalid address leaves threads behind.
            distributed.comm.get_address_host_port(address, strict=True)
            self._client: Any = distributed.Client(address, timeout=timeout, set_as_default=False)
        except (OSError, ValueError) as error:
            reason = (str(error).splitlines() or [type(error).__name__])[0]
            raise WorkersLost(f"no Dask scheduler at {address}: {reason}") from None
        try:
            self._check_workers(address, timeout)
        except BaseException:
            self._client.close()
            raise
        # Equal jobs are computed each time.
        self._executor: Executor = self._client.get_executor(pure=False)

    def _check_workers(self, address: str, timeout: float) -> None:
        try:
            self._client.wait_for_workers(1, timeout=timeout)
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

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self._address,)

    @property
    def workers(self) -> int:
        """The number of jobs that can run at the same time now."""
        known = self._client.scheduler_info(n_workers=-1)["workers"].values()
        return sum(worker["nthreads"] for worker in known)

    def check(self) -> None:
        """Raise `WorkersLost` if the scheduler is gone: its futures would never be done."""
        if self._client.status in ("closing", "closed"):
            raise WorkersLost(f"the Dask scheduler at {self._address} is gone")

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        """Submit a job to the scheduler."""
        return self._executor.submit(_alone, fn, *args, **kwargs)

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Disconnect from the cluster, which keeps running for others."""
        if self._client.status not in ("closing", "closed"):
            self._executor.shutdown(wait=wait and not cancel_futures)
        self._client.close()

    def __exit__(self, *_: object) -> None:
        self.shutdown(cancel_futures=True)


def _alone(function: Callable[..., Result], *args: Any, **kwargs: Any) -> Result:
    """Run a job on one processor: a worker does not know what others on its machine do."""
    share_processors(os.cpu_count() or 1)
    return function(*args, **kwargs)


def _own_version() -> str:
    return version("linkoracle")
