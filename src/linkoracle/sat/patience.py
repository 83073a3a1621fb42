"""Ctrl-C while PySAT works: left to Python, which sees to it as soon as the call is over.

In the main thread, PySAT's C code catches the signal itself and leaves its work by a long jump from
the handler. That may happen in the middle of an allocation; afterwards the process hangs or aborts
now and then, at the latest when the solver is freed. In other threads it does no such thing, and
Python raises ``KeyboardInterrupt`` after the call, with the solver whole. So within `patience`
PySAT is told that it is in another thread. What may take long should be asked in pieces.
"""

from __future__ import annotations

import threading
from functools import cache


class _Depth(threading.local):
    value = 0


_depth = _Depth()


class patience:  # noqa: N801 - used like a function, and half as dear as a generator would be
    """A context in which PySAT does not catch Ctrl-C; other threads and callers notice nothing.

    >>> from pysat.solvers import MainThread
    >>> with patience():
    ...     MainThread.check()
    False
    >>> MainThread.check()
    True
    """

    def __enter__(self) -> None:
        _prepare()
        _depth.value += 1

    def __exit__(self, *_: object) -> None:
        _depth.value -= 1


@cache
def _prepare() -> None:
    """Let PySAT's question whether this is the main thread look at `patience` first."""
    from pysat.solvers import MainThread

    original = MainThread.check
    MainThread.check = staticmethod(lambda: not _depth.value and original())
