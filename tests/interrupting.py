"""Work that is stopped, and how soon: in time of the processor, however busy the machine is."""

from __future__ import annotations

import os
import re
import signal
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from types import FrameType
from typing import Any, TypeVar

import pytest

from linkoracle.core import Deadline, SearchTimeout
from tests.workers import wait_until

Subject = TypeVar("Subject")


class Clock:
    """In place of the module `time`: ``tick`` seconds pass whenever the time is asked for."""

    now = tick = 0.0

    def monotonic(self) -> float:
        self.now += self.tick
        return self.now

    def run_out(self) -> None:
        self.now += 1e9

    def run_out_when_told(self, line: str) -> None:
        """Run out if this says that some clues are needed."""
        if re.match("at least [1-9]", line):
            self.run_out()

    def run_out_after(self, rounds: int, monkeypatch: pytest.MonkeyPatch) -> None:
        """Run out after some rounds of a search for the fewest clues."""
        run, left = Deadline.run, iter(range(rounds))

        def counted(deadline: Deadline, *work: Any) -> Any:
            if next(left, None) is None:
                self.run_out()
            return run(deadline, *work)

        monkeypatch.setattr(Deadline, "run", counted)


@contextmanager
def ends_within(seconds: float) -> Iterator[None]:
    """Fail if what is done inside takes more seconds of the processor, in all threads together."""
    begun = time.process_time()
    yield
    assert time.process_time() - begun < seconds


@contextmanager
def ctrl_c(after: float, within: float) -> Iterator[None]:
    """Send Ctrl-C to what is done inside, and fail if it does not end soon.

    Ctrl-C comes after ``after`` seconds of the processor; the end, at most ``within`` later.
    """
    sent: list[float] = []
    arrived = threading.Event()

    def interrupt(number: int, frame: FrameType | None) -> None:
        arrived.set()
        signal.default_int_handler(number, frame)

    before = signal.signal(signal.SIGINT, interrupt)
    try:
        with pytest.raises(KeyboardInterrupt), _sending(after, sent, arrived):
            yield
        assert time.process_time() - sent[0] < within
    finally:
        signal.signal(signal.SIGINT, before)


@contextmanager
def _sending(after: float, sent: list[float], arrived: threading.Event) -> Iterator[None]:
    """Note when Ctrl-C was sent, unless all is over before; wait until it has arrived."""
    begun, over = time.process_time(), threading.Event()

    def send() -> None:
        while time.process_time() - begun < after:
            if over.wait(0.002):
                return
        os.kill(os.getpid(), signal.SIGINT)
        sent.append(time.process_time())

    sender = threading.Thread(target=send)
    try:
        sender.start()
        yield
    finally:
        over.set()
        try:
            sender.join()
        finally:
            # Ctrl-C may end the wait above.
            sender.join()
            while sent and not arrived.is_set():
                time.sleep(0.001)


def while_at_work(
    make: Callable[[], Subject],
    work: Callable[[Subject, Deadline], object],
    ask: Callable[[Subject], None],
) -> None:
    """Let another thread ``work`` on something, which a time limit ends, and ``ask`` meanwhile.

    The limit is longer each time that it ends the work before all is asked.
    """

    def by_others() -> float:
        return time.process_time() - time.thread_time()

    for seconds in (0.5, 5, 50, 500):
        subject = make()
        with ThreadPoolExecutor(1) as pool:
            begun = by_others()
            working = pool.submit(work, subject, Deadline(seconds))
            # It is in the middle of it when it has taken so many seconds of the processor.
            wait_until(lambda: by_others() - begun > 0.1 or working.done())  # noqa: B023
            try:
                ask(subject)
                return
            except (AssertionError, pytest.fail.Exception, SearchTimeout):
                if not working.done():
                    raise
            finally:
                with pytest.raises(SearchTimeout):
                    working.result()
    pytest.fail("the work is over too soon")
