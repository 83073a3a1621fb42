"""Processes that answer questions, and are interrupted by newer questions.

A question that was begun is left at once when a newer one comes: the worker gets it through its
pipe, and then SIGINT, which every step of every engine heeds. A worker that does not take a
question within `GRACE` seconds, or dies, is replaced, and the new one is asked. When several in a
row die before they take a question, no more are started until the next question comes.
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
from linkoracle.core.limits import deferred_signals, importing
from linkoracle.studio.limits import Limits
from linkoracle.studio.questions import Questions

#: Makes what a worker asks, with its limits, in the process of the worker. Its method ``answer``
#: gets a question, whatever that is, and a `Tell` for the stages of the answer, ``done`` at last.
Factory = Callable[[Limits], Any]
#: What comes back: the number of the question, and a stage of its answer.
Told = tuple[int, dict[str, Any]]

_log = logging.getLogger(__name__)

#: Seconds in which a worker must take a question.
GRACE = 1.0
#: Seconds until it is interrupted once more.
_NUDGE = 0.03
#: Seconds that a new worker may take to start.
_START = 30.0
#: How many workers in a row may die before they take a question.
_START_ATTEMPTS = 3
#: Seconds between the first two of them, twice as many before the next, and so on.
_RESTART_SECONDS = 0.5
#: How often a question is asked again after its worker died.
_RETRIES = 1
#: The stage that says that a question was taken.
_TAKEN = "taken"
#: The stage that says why a worker cannot start; answers have none of this name.
_FAILED = "start failed"
#: Bytes of address space for a worker beyond what it has when it starts.
_ROOM = 4 << 30


def serve(pipe: Connection, limits: Limits, answering: Factory) -> None:
    """What a worker does: take the newest question, and answer it, until the pipe is closed."""
    threading.Thread(target=end_with_parent, daemon=True).start()
    asking, calm = False, 0.0

    def interrupted(_: int, frame: FrameType | None) -> None:
        nonlocal calm
        # Only for a newer question; the terminal sends Ctrl-C to workers, too. An interrupt may be
        # lost, as in a destructor, so there may be several; the first shall come out in peace.
        if asking and time.monotonic() >= calm and pipe.poll() and not importing(frame):
            calm = time.monotonic() + _NUDGE / 2
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
            number, question = pipe.recv()
            while pipe.poll():
                number, question = pipe.recv()
        except (EOFError, OSError):
            return

        def tell(stage: dict[str, Any], number: int = number) -> None:
            # Half a message would be the end of the pipe.
            with deferred_signals():
                pipe.send((number, stage))

        try:
            # Before it is said that this one is taken, which lets the next one come. Whatever was
            # interrupted is over.
            asking, calm = True, 0.0
            tell({"stage": _TAKEN})
            answers.answer(question, tell)
            asking = False
        except OSError:
            return
        except (KeyboardInterrupt, RuntimeError) as error:
            asking = False
            # While a class is made, as in an import, Python turns interrupts into the latter.
            if isinstance(error, RuntimeError) and not calm:
                raise


def _limit_memory() -> None:
    """Let the system refuse what goes far beyond the limits of single questions."""
    try:
        import resource
    except ModuleNotFoundError:
        return
    with suppress(OSError, ValueError):
        _, most = resource.getrlimit(resource.RLIMIT_AS)
        resource.setrlimit(resource.RLIMIT_AS, (_ROOM, most))


class _Process:
    """A worker, and a thread that hears what it says. ``heard`` gets ``None`` when it has died."""

    def __init__(
        self,
        limits: Limits,
        answering: Factory,
        heard: Callable[[_Process, Told | None], object],
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
                told = self._pipe.recv()
            except (EOFError, OSError):
                # Its pipe closes a little earlier than it ends, and how it ends shall be known.
                wait([self._process.sentinel], GRACE)
                self._heard(self, None)
                return
            self._heard(self, told)

    def ask(self, number: int, question: object) -> None:
        with suppress(OSError):
            self._pipe.send((number, question))

    def interrupt(self) -> None:
        if self._process.is_alive():
            os.kill(self.pid, signal.SIGINT)

    def end(self) -> None:
        self._process.kill()
        self._process.join()
        self._pipe.close()

    def fate(self) -> str:
        """Say how a process that is over has ended."""
        status = self._process.exitcode or 0
        if status < 0:
            return f"the process was ended by signal {-status} ({signal.strsignal(-status)})"
        return f"the process ended with exit status {status}"


class Worker:
    """Answers one question at a time, the newest, in a process of its own.

    For one event loop. `ask` returns at once; in the loop, each stage of the answer is told, never
    those of a question that is not the newest. `end` must be called in the end.
    """

    def __init__(self, limits: Limits | None = None, answering: Factory = Questions) -> None:
        self._limits, self._answering = limits or Limits(), answering
        self._loop = asyncio.get_running_loop()
        #: The newest question by a number of our own, and who is told.
        self._question: tuple[int, Any] | None = None
        self._serial = 0
        self._tell: Callable[[dict[str, Any]], object] = lambda _: None
        self._taken = True
        self._ended = False
        self._losses = 0
        #: Workers in a row that have died before they took a question.
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
        if self._question is not None:
            self._send(self._process)

    @property
    def pid(self) -> int:
        """The number of the process that answers now."""
        assert self._process is not None
        return self._process.pid

    def ask(self, question: object, tell: Callable[[dict[str, Any]], object]) -> None:
        """Ask a question, in place of whatever was asked before; ``tell`` gets its stages."""
        self._serial += 1
        self._question, self._losses, self._tell = (self._serial, question), 0, tell
        if self._stopped:
            self._start()
        elif self._taken:
            assert self._process is not None
            self._send(self._process)

    def rest(self) -> None:
        """Give up what was asked; its answer is dropped."""
        # A question that is none is answered at once. It is not worth another attempt to start.
        if not self._stopped:
            self.ask(None, lambda _: None)

    def _send(self, process: _Process) -> None:
        """Hand the newest question out; others wait until it is taken."""
        assert self._question is not None
        self._taken = False
        process.ask(*self._question)
        # One that is about to start would die of a signal.
        if self._fresh:
            self._timer = self._loop.call_later(_START, self._give_up, process)
        else:
            self._nudge(process, self._loop.time() + GRACE)

    def _nudge(self, process: _Process, until: float) -> None:
        """Interrupt what the process does, until it takes the question; end one that does not."""
        if self._loop.time() < until:
            process.interrupt()
            self._timer = self._loop.call_later(_NUDGE, self._nudge, process, until)
        else:
            # Its pipe tells when it is gone.
            process.end()

    def _give_up(self, process: _Process) -> None:
        """End a process that takes too long to start."""
        self._cause = f"the process was not ready within {_START:g} seconds"
        process.end()

    def _heard(self, process: _Process, told: Told | None) -> None:
        with suppress(RuntimeError):  # The loop is closed.
            self._loop.call_soon_threadsafe(self._hear, process, told)

    def _hear(self, process: _Process, told: Told | None) -> None:
        if self._ended or process is not self._process:
            return
        if told is None:
            self._died(process)
            return
        number, stage = told
        if stage["stage"] == _FAILED:
            self._cause = stage["reason"]
        elif stage["stage"] == _TAKEN:
            self._stop_timer()
            self._taken, self._fresh, self._failures = True, False, 0
            if self._question is not None and number != self._question[0]:
                self._send(process)
        elif self._question is not None and number == self._question[0]:
            if stage["stage"] == "done":
                self._question = None
            self._tell(stage)

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
        """Start another worker a little later, or none until the next question."""
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
        """Tell that there will be no answer."""
        if self._question is not None:
            self._question = None
            self._tell({"stage": "lost", "reason": reason})

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
    """Workers for several pages: those that are not needed any more wait for the next page."""

    def __init__(
        self, most: int, limits: Limits | None = None, answering: Factory = Questions
    ) -> None:
        #: How many may be borrowed at a time.
        self.most = most
        self._limits, self._answering = limits, answering
        self._all: list[Worker] = []
        self._idle: list[Worker] = []

    def warm_up(self) -> None:
        """Start a worker before it is needed: that takes some tenths of a second."""
        if worker := self.borrow():
            self.give_back(worker)

    def borrow(self) -> Worker | None:
        """A worker for a page; ``None`` when all are taken."""
        if self._idle:
            return self._idle.pop()
        if len(self._all) == self.most:
            return None
        self._all.append(Worker(self._limits, self._answering))
        return self._all[-1]

    def give_back(self, worker: Worker) -> None:
        """Let a worker be borrowed by others."""
        worker.rest()
        self._idle.append(worker)

    def end(self) -> None:
        """End all of them."""
        for worker in self._all:
            worker.end()
        self._all, self._idle = [], []
