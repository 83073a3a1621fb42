"""The processes of a program under test, as Linux shows them."""

from __future__ import annotations

import os
import subprocess
import time
from collections.abc import Callable
from pathlib import Path


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
    """Wait until something is so, which must be within a minute."""
    until = time.monotonic() + 60
    while not fact():
        assert time.monotonic() < until
        time.sleep(0.02)


def has_worked(process: subprocess.Popen[str], seconds: float) -> None:
    """Wait until a program that only works has taken so many seconds of the processor."""
    ticks = seconds * os.sysconf("SC_CLK_TCK")
    until = time.monotonic() + 60 * seconds
    while time.monotonic() < until:
        assert process.poll() is None
        user, system = _status(process.pid)[11:13]
        if int(user) + int(system) >= ticks:
            return
        time.sleep(0.02)
    raise AssertionError(f"less than {seconds} s of work in {60 * seconds} s")
