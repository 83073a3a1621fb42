"""The processes of a program under test, as Linux shows them."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

#: Seconds after which a test gives up waiting; on an idle machine it waits for less than ten.
WAIT_SECONDS = 300


class Program(subprocess.Popen[Any]):
    """A program under test. A test that fails while it runs kills it instead of waiting for it."""

    def __exit__(self, kind: type[BaseException] | None, *rest: Any) -> None:
        if kind is not None:
            self.kill()
        super().__exit__(kind, *rest)


def program(command: str, *files: Path, **options: Any) -> Program:
    """The program `linkoracle` at work, whose errors are read as text."""
    words = [sys.executable, "-m", "linkoracle", *command.split(), *map(str, files)]
    return Program(words, stderr=subprocess.PIPE, text=True, **options)


def children(process: int) -> list[int]:
    """The processes that one started, dead ones that it has not waited for included."""
    running = [int(entry.name) for entry in Path("/proc").iterdir() if entry.name.isdigit()]
    return [one for one in running if _status(one)[1:2] == [str(process)]]


def command(process: int) -> str:
    """With what a process was started; empty if it is gone."""
    return _read(process, "cmdline").replace("\0", " ")


def alive(process: int) -> bool:
    return _status(process)[:1] not in ([], ["Z"])


def _status(process: int) -> list[str]:
    """State, parent and so on; nothing if it is gone."""
    # They stand behind the name of the program, which may have spaces.
    return _read(process, "stat").rpartition(")")[2].split()


def _read(process: int, what: str) -> str:
    try:
        return Path(f"/proc/{process}/{what}").read_text(errors="replace")
    except (FileNotFoundError, ProcessLookupError):
        return ""


def wait_until(fact: Callable[[], object]) -> None:
    """Wait until something is so."""
    until = time.monotonic() + WAIT_SECONDS
    while not fact():
        assert time.monotonic() < until
        time.sleep(0.01)


def wait_for(process: Program, fact: Callable[[], object]) -> None:
    """Wait until something is so, while a program runs."""

    def so() -> object:
        assert process.poll() is None, "it ended before"
        return fact()

    wait_until(so)


def has_worked(process: Program, seconds: float) -> None:
    """Wait until a program that only works has taken so many seconds of the processor."""
    wait_for(process, lambda: worked(process) >= seconds)


def wait_for_end(process: Program, within: float) -> None:
    """Wait until a program has ended; it may take so many seconds of the processor."""
    begun = work = worked(process)
    until = time.monotonic() + WAIT_SECONDS
    while process.poll() is None:
        work = max(work, worked(process))
        assert work - begun < within
        assert time.monotonic() < until
        time.sleep(0.01)


def worked(process: Program) -> float:
    """Seconds of the processor that a program has taken; 0 if it is gone."""
    user, system = _status(process.pid)[11:13] or (0, 0)
    return (int(user) + int(system)) / os.sysconf("SC_CLK_TCK")
