"""Executors: `Serial` in this process, `Processes` on this machine, `Cluster` on Dask workers."""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future, InvalidStateError
from concurrent.futures.process import BrokenProcessPool, ProcessPoolExecutor
from contextlib import contextmanager, suppress
from importlib.metadata import version
from multiprocessing.context import BaseContext
from typing import Any

from linkoracle.core.errors import WorkersLost
from linkoracle.core.limits import checked_int, deferred_signals

#: Processes that one machine can be asked for; a pool of more ends in errors of the system.
MAX_WORKERS = 1024

#: Seconds to wait for the scheduler of a cluster, and then for a worker.
PATIENCE = 5.0


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
    * With ``patience``, jobs are done in this process until they took so many seconds: few small
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
            context: BaseContext = multiprocessing.get_context("spawn")
            self._pool = ProcessPoolExecutor(self.workers, context, _enter)
            return _cancellable(self._pool.submit(fn, *args, **kwargs))

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """End the workers: at once, or, with ``wait`` only, when what was submitted is done.

        Leaving the context of the executor ends them at once.
        """
        self._shut = True
        pool, self._pool = self._pool, None
        if pool is None:
            return
        if wait and not cancel_futures:
            pool.shutdown()
        else:
            _end(pool)

    def __exit__(self, *_: object) -> None:
        self.shutdown(cancel_futures=True)


def _cancellable(future: Future[Any]) -> Future[Any]:
    """A future that may have been cancelled when its pool is ended.

    In Python 3.11 the pool's own thread dies of telling a cancelled future that the pool is broken.
    """

    def set_exception(exception: BaseException | None) -> None:
        with suppress(InvalidStateError):
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


def _enter() -> None:
    """What a worker does first."""
    # Where signals cannot be blocked, or another thread than the main one began the worker.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    """A parent that was killed tells nobody; without this its workers would wait for ever."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        with suppress(OSError):
            parent.join()
        os._exit(1)


class Cluster(Executor):
    """The workers of the Dask scheduler at ``address``, which must have this version of linkoracle.

    A worker that dies costs time and nothing else: Dask hands its jobs to others, and computes
    again the results that it had. Leaving the context cancels what is not done.

    Raises ``ModuleNotFoundError`` without the extra ``dask``, and `WorkersLost` when there is no
    scheduler, no worker, or another version at a worker.
    """

    def __init__(self, address: str, *, patience: float = PATIENCE) -> None:
        import distributed

        self._address = address
        try:
            # A client that is given no address leaves threads behind.
            distributed.comm.get_address_host_port(address, strict=True)
            self._client: Any = distributed.Client(address, timeout=patience, set_as_default=False)
        except (OSError, ValueError) as error:
            raise WorkersLost(f"no Dask scheduler at {address}: {_first_line(error)}") from None
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
        return self._executor.submit(fn, *args, **kwargs)

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Leave the cluster, which goes on for others."""
        if self._client.status not in ("closing", "closed"):
            self._executor.shutdown(wait=wait and not cancel_futures)
        self._client.close()

    def __exit__(self, *_: object) -> None:
        self.shutdown(cancel_futures=True)


def _own_version() -> str:
    return version("linkoracle")


def _first_line(error: Exception) -> str:
    return (str(error).splitlines() or [type(error).__name__])[0]
