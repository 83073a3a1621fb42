"""Ctrl-C: put off for a moment, and kept from PySAT."""

from __future__ import annotations

import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from types import FrameType


@contextmanager
def deferred_signals() -> Iterator[None]:
    """Ctrl-C takes effect after what happens inside, so that it is done and counted, or neither.

    For short steps only. Does nothing outside of the main thread, which alone gets signals, and
    where Ctrl-C is not seen to by Python.
    """
    handler = signal.getsignal(signal.SIGINT)
    if not callable(handler) or threading.current_thread() is not threading.main_thread():
        yield
        return
    held: list[tuple[int, FrameType | None]] = []
    signal.signal(signal.SIGINT, lambda number, frame: held.append((number, frame)))
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, handler)
        if held:
            handler(*held[0])


@cache
def leave_interrupts_to_python() -> None:
    """See to Ctrl-C during PySAT's work as soon as its call is over.

    In the main thread, PySAT's C code catches the signal itself and leaves its work by a long jump
    from the handler. That may happen in the middle of an allocation; afterwards the process hangs
    or aborts now and then, at the latest when the solver is freed. In other threads it does no such
    thing, and Python raises ``KeyboardInterrupt`` after the call, with the solver whole. So PySAT
    is told that it is in another thread when one of our modules calls; for other callers nothing
    changes. What may take long is asked in pieces.
    """
    from pysat.solvers import MainThread

    original = MainThread.check
    # No state, such as a flag for the time of a call: an interrupt could come before it is reset.
    MainThread.check = staticmethod(lambda: not _called_by_us() and original())


def _called_by_us() -> bool:
    frame: FrameType | None = sys._getframe(1)
    while frame is not None:
        package = frame.f_globals.get("__name__", "").partition(".")[0]
        if package == "linkoracle" and frame.f_code.co_filename != __file__:
            return True
        if package not in ("linkoracle", "pysat"):
            return False
        frame = frame.f_back
    return False
