"""`Deadline`: the moment at which a search has to stop, and how much it may spend until then."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import TIMEOUT_MAX, Event, Thread

from linkoracle.core.checking import checked_int, checked_seconds
from linkoracle.core.errors import ConflictLimit, SearchTimeout

#: Seconds between two calls that shall stop what goes on past a deadline.
_AGAIN = 0.02


class Deadline:
    """A moment after which `check` raises, and a number of conflicts after which `spend` does.

    It may be shared by several questions. ``seconds=None`` never comes; ``conflicts=None`` are
    never used up. Raises ``ValueError`` for limits that are not positive.
    """

    def __init__(self, seconds: float | None, conflicts: int | None = None) -> None:
        seconds = checked_seconds(seconds)
        if conflicts is not None:
            checked_int(conflicts, "a limit of conflicts", 1)
        self._seconds = seconds
        self._until = math.inf if seconds is None else time.monotonic() + seconds
        self._conflicts = conflicts
        self._spent = 0
        #: Solutions seen so far, for the error message.
        self.found = 0

    @classmethod
    def of(cls, timeout: float | Deadline | None) -> Deadline:
        """The deadline itself, or a new one so many seconds from now."""
        return timeout if isinstance(timeout, Deadline) else cls(timeout)

    def with_conflicts(self, conflicts: int) -> Deadline:
        """The same moment, with a limit of conflicts of its own."""
        limited = Deadline(None, conflicts)
        limited._seconds, limited._until, limited.found = self._seconds, self._until, self.found
        return limited

    @property
    def never(self) -> bool:
        return self._seconds is None and self._conflicts is None

    @property
    def left(self) -> float | None:
        """Seconds until then, above 0, as a ``timeout``."""
        return None if self._seconds is None else max(self._until - time.monotonic(), 1e-9)

    @contextmanager
    def interrupting(self, stop: Callable[[], None]) -> Iterator[None]:
        """When the moment comes, call ``stop`` again and again until the work inside is over.

        ``stop`` is called in another thread. Then raises `SearchTimeout`.
        """
        if self._seconds is None:
            yield
            return
        done = Event()

        def watch() -> None:
            # Thousands of years are more than a lock can wait.
            done.wait(None if self.left is None else min(self.left, TIMEOUT_MAX))
            while not done.wait(_AGAIN):
                stop()

        watcher = Thread(target=watch, daemon=True)
        watcher.start()
        try:
            yield
        finally:
            done.set()
            watcher.join()
        self.check()

    def check(self) -> None:
        """Raise `SearchTimeout` if the moment has come."""
        if self._seconds is not None and time.monotonic() >= self._until:
            raise SearchTimeout(self._seconds, self.found)

    def spend(self, conflicts: int) -> None:
        """Count conflicts; raise `ConflictLimit` if they are used up."""
        self._spent += conflicts
        if self._conflicts is not None and self._spent >= self._conflicts:
            raise ConflictLimit(f"undecided after {self._spent} conflicts")
