"""Ctrl-C while PySAT works: left to Python, which sees to it as soon as the call is over.

In the main thread, PySAT's C code catches the signal itself and leaves its work by a long jump from
the handler. That may happen in the middle of an allocation; afterwards the process hangs or aborts
now and then, at the latest when the solver is freed. In other threads it does no such thing, and
Python raises ``KeyboardInterrupt`` after the call, with the solver whole. So PySAT is told that it
is in another thread when one of our modules calls. What may take long is asked in pieces.
"""

from __future__ import annotations

import sys
from functools import cache
from types import FrameType


@cache
def leave_interrupts_to_python() -> None:
    """Let PySAT's question whether this is the main thread look at who calls; for other callers
    than linkoracle nothing changes.
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
