"""Ctrl-C while something works: it is heard soon, and there is an end of it."""

from __future__ import annotations

import signal
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

import pytest


@contextmanager
def ctrl_c(after: float, within: float) -> Iterator[None]:
    """Ctrl-C after so many seconds of what is done inside, which must end within so many more."""
    sent: list[float] = []

    def send() -> None:
        sent.append(time.monotonic())
        signal.raise_signal(signal.SIGINT)

    timer = threading.Timer(after, send)
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        timer.start()
        with pytest.raises(KeyboardInterrupt):
            yield
        assert time.monotonic() - sent[0] < within
    finally:
        timer.cancel()
        signal.signal(signal.SIGINT, before)
