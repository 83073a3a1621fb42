"""Processes that answer queries, and are interrupted by newer queries.

A newer query interrupts the current one at once: the worker receives the query through its pipe,
and then SIGINT, which every step of every engine handles. A worker that dies, or does not take a
query within `GRACE` seconds, is replaced by a new one, which receives the query. If several workers
in a row die before they take a query, no more are started until the next query.
"""

from __future__ import annotations

import asyncio
import logging
import multiprocessing
import os
import signal
import sys
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from multiprocessing.connection import Connection, wait
from types import FrameType
from typing import Any

from linkoracle.batch import end_with_parent
from linkoracle.core import deferred_signals, importing
from linkoracle.studio.analysis import BoardAnalysis
from linkoracle.studio.tasks import Limits

#: Makes, in the process of a worker, the object that answers its queries within limits. Its method
#: ``answer`` gets any query, and a `Report` for the stages of the answer, the last one ``done``.
Factory = Callable[[Limits], Any]
#: An event from a worker: the number of the query, and a stage of its answer.
Event = tuple[int, dict[str, Any]]

_log = logging.getLogger(__name__)

#: Seconds in which a worker must take a query.
GRACE = 1.0
#: Seconds between two interrupts of a worker.
_NUDGE_SECONDS = 0.03
#: Seconds that a new worker may take to start.
_START_SECONDS = 30.0
#: How many workers in a row may die before they take a query.
_START_ATTEMPTS = 3
#: Seconds between the first two of these attempts; each later pause is twice as long.
_RESTART_SECONDS = 0.5
#: How often a query is sent again after its worker died.
_RETRIES = 1
#: The stage by which a worker confirms that it took a query.
_TAKEN = "taken"
#: The stage that says why a worker cannot start; answers have none of this name.
_FAILED = "start failed"
#: Limit on the address space of a worker, in bytes.
_MAX_ADDRESSES = 4 << 30


def serve(pipe: Connection, limits: Limits, answering: Factory) -> None:
    """Take the newest query and answer it, until the pipe is closed: the work of a worker."""
    threading.Thread(target=end_with_parent, daemon=True).start()
    busy, calm = False, 0.0

    def interrupted(_: int, frame: FrameType | None) -> None:
        nonlocal calm
        # Only for a newer query; the terminal sends Ctrl-C to workers, too. An interrupt may be
        # lost, as in a destructor, so several are sent; none may disturb the handling of the first.
        if busy and time.monotonic() >= calm and pipe.poll() and not importing(frame):
            calm = time.monotonic() + _NUDGE_SECONDS / 2
            raise KeyboardInterrupt

    signal.signal(signal.SIGINT, interrupted)
    # Interrupts that are lost need not be reported.
    sys.unraisablehook = lambda _: None
    _limit_memory()
    try:
        answers = answering(limits)
    except Exception as error:
        pipe.send((0, {"stage": _FAILED, "reason": f"{type(error).__name__}: {error}"}))
        raise
    while True:
        try:
            number, query = pipe.recv()
            while pipe.poll():
                number, query = pipe.recv()
        except (EOFError, OSError):
            return

        def report(stage: dict[str, Any], number: int = number) -> None:
            # A message that is cut off would break the pipe.
            with deferred_signals():
                pipe.send((number, stage))

        try:
            # Set before the query is confirmed, since the next query may come then. No earlier
            # interrupt is still being handled.
            busy, calm = True, 0.0
            report({"stage": _TAKEN})
            answers.answer(query, report)
            busy = False
        except OSError:
            return
        except (KeyboardInterrupt, RuntimeError) as error:
            busy = False
            # While a class is created, as in an import, Python turns interrupts into RuntimeError.
            if isinstance(error, RuntimeError) and not calm:
                raise


def _limit_memory() -> None:
    """Let the system refuse memory far beyond the limits of single queries."""
    try:
        import resource
    except ModuleNotFoundError:
        return
    with suppress(OSError, ValueError):
        _, most = resource.getrlimit(resource.RLIMIT_AS)
        resource.setrlimit(resource.RLIMIT_AS, (_MAX_ADDRESSES, most))


class _Process:
    """A worker process, and a thread that passes its events to ``heard``; ``None`` at its death."""

    def __init__(
        self,
        limits: Limits,
        answering: Factory,
        heard: Callable[[_Process, Event | None], object],
    ) -> None:
        spawning = multiprocessing.get_context("spawn")
        self._pipe, theirs = spawning.Pipe()
        served = theirs, limits, answering
        self._process = spawning.Process(target=serve, args=served, daemon=True)
        self._process.start()
        assert self._process.pid is not None
        self.pid = self._process.pid
        theirs.close()
        self._heard = heard
        threading.Thread(target=self._hear, daemon=True).start()

    def _hear(self) -> None:
        while True:
            try:
                event = self._pipe.recv()
            except (EOFError, OSError):
                # The pipe closes a little before the process has an exit status.
                wait([self._process.sentinel], GRACE)
                self._heard(self, None)
                return
            self._heard(self, event)

    def ask(self, number: int, query: object) -> None:
        with suppress(OSError):
            self._pipe.send((number, query))

    def interrupt(self) -> None:
        if self._process.is_alive():
            os.kill(self.pid, signal.SIGINT)

    def end(self) -> None:
        self._process.kill()
        self._process.join()
        self._pipe.close()

    def fate(self) -> str:
        """Say how the process has ended."""
        status = self._process.exitcode or 0
        if status < 0:
            return f"the process was ended by signal {-status} ({signal.strsignal(-status)})"
        return f"the process ended with exit status {status}"


class Worker:
    """Answer one query at a time, the newest, in a separate process.

    For one event loop. `ask` returns at once; each stage of the answer is reported in the loop, but
    only for the newest query. `end` must be called when the worker is no longer needed.
    """

    def __init__(self, limits: Limits | None = None, answering: Factory = BoardAnalysis) -> None:
        self._limits, self._answering = limits or Limits(), answering
        self._loop = asyncio.get_running_loop()
        #: The newest query with its serial number, and the function that receives its stages.
        self._query: tuple[int, Any] | None = None
        self._serial = 0
        self._report: Callable[[dict[str, Any]], object] = lambda _: None
        self._taken = True
        self._ended = False
        self._losses = 0
        #: Workers in a row that have died before they took a query.
        self._failures = 0
        self._timer: asyncio.TimerHandle | None = None
        self._start()

    def _start(self) -> None:
        self._fresh, self._stopped, self._cause = True, False, ""
        self._process: _Process | None = None
        try:
            self._process = _Process(self._limits, self._answering, self._heard)
        except OSError as error:
            self._fail(str(error))
            return
        self._taken = True
        if self._query is not None:
            self._send(self._process)

    @property
    def pid(self) -> int:
        """The id of the process that answers now."""
        assert self._process is not None
        return self._process.pid

    def ask(self, query: object, report: Callable[[dict[str, Any]], object]) -> None:
        """Put a query in place of any earlier one; ``report`` receives the stages of its answer."""
        self._serial += 1
        self._query, self._losses, self._report = (self._serial, query), 0, report
        if self._stopped:
            self._start()
        elif self._taken:
            assert self._process is not None
            self._send(self._process)

    def rest(self) -> None:
        """Give up the current query; its answer is dropped."""
        # ``None`` is answered at once. It is not worth another attempt to start.
        if not self._stopped:
            self.ask(None, lambda _: None)

    def _send(self, process: _Process) -> None:
        """Send the newest query to the process; later ones wait until it is taken."""
        assert self._query is not None
        self._taken = False
        process.ask(*self._query)
        # A signal would kill a process that is about to start.
        if self._fresh:
            self._timer = self._loop.call_later(_START_SECONDS, self._give_up, process)
        else:
            self._nudge(process, self._loop.time() + GRACE)

    def _nudge(self, process: _Process, until: float) -> None:
        """Interrupt a process until it takes the query; end the process if it does not."""
        if self._loop.time() < until:
            process.interrupt()
            self._timer = self._loop.call_later(_NUDGE_SECONDS, self._nudge, process, until)
        else:
            # The thread of the process reports its death.
            process.end()

    def _give_up(self, process: _Process) -> None:
        """End a process that takes too long to start."""
        self._cause = f"the process was not ready within {_START_SECONDS:g} seconds"
        process.end()

    def _heard(self, process: _Process, event: Event | None) -> None:
        with suppress(RuntimeError):  # The loop is closed.
            self._loop.call_soon_threadsafe(self._hear, process, event)

    def _hear(self, process: _Process, event: Event | None) -> None:
        if self._ended or process is not self._process:
            return
        if event is None:
            self._died(process)
            return
        number, stage = event
        if stage["stage"] == _FAILED:
            self._cause = stage["reason"]
        elif stage["stage"] == _TAKEN:
            self._stop_timer()
            self._taken, self._fresh, self._failures = True, False, 0
            if self._query is not None and number != self._query[0]:
                self._send(process)
        elif self._query is not None and number == self._query[0]:
            if stage["stage"] == "done":
                self._query = None
            self._report(stage)

    def _died(self, process: _Process) -> None:
        self._stop_timer()
        process.end()
        if self._fresh:
            self._fail(self._cause or process.fate())
            return
        self._losses += 1
        if self._losses > _RETRIES:
            self._lose(
                "the solver stopped unexpectedly on this board and was restarted; "
                "change the board to try again"
            )
        self._start()

    def _fail(self, cause: str) -> None:
        """Start another worker after a pause; after too many attempts, wait for the next query."""
        self._taken = False
        self._failures += 1
        if self._failures < _START_ATTEMPTS:
            pause = _RESTART_SECONDS * 2 ** (self._failures - 1)
            self._timer = self._loop.call_later(pause, self._start)
            return
        reason = f"the engine could not be started in {self._failures} attempts ({cause})"
        _log.error("%s", reason)
        self._stopped, self._failures = True, 0
        self._lose(f"{reason}; change the board or ask again to make another attempt")

    def _lose(self, reason: str) -> None:
        """Report that there will be no answer."""
        if self._query is not None:
            self._query = None
            self._report({"stage": "lost", "reason": reason})

    def _stop_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()

    def end(self) -> None:
        """End the process in the middle of what it does."""
        self._ended = True
        self._stop_timer()
        if self._process is not None:
            self._process.end()


class Workers:
    """Workers for several pages; a worker that a page has given back waits for the next one."""

    def __init__(
        self, most: int, limits: Limits | None = None, answering: Factory = BoardAnalysis
    ) -> None:
        #: How many workers may be borrowed at a time.
        self.most = most
        self._limits, self._answering = limits, answering
        self._all: list[Worker] = []
        self._idle: list[Worker] = []

    def warm_up(self) -> None:
        """Start a worker before it is needed: starting takes some tenths of a second."""
        if worker := self.borrow():
            self.give_back(worker)

    def borrow(self) -> Worker | None:
        """Return a worker for a page; ``None`` if all are taken."""
        if self._idle:
            return self._idle.pop()
        if len(self._all) == self.most:
            return None
        self._all.append(Worker(self._limits, self._answering))
        return self._all[-1]

    def give_back(self, worker: Worker) -> None:
        """Return a worker that a page no longer needs."""
        worker.rest()
        self._idle.append(worker)

    def end(self) -> None:
        """End all workers."""
        for worker in self._all:
            worker.end()
        self._all, self._idle = [], []
