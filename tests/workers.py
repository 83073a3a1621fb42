"""The processes of a program under test, as Linux shows them."""

from __future__ import annotations

import os
import subprocess
import time
from collections.abc import Callable
from pathlib import Path


def children(process: int) -> list[int]:
    listed = subprocess.run(
        ["ps", "-o", "pid=", "--ppid", str(process)], capture_output=True, text=True, check=False
    )
    return [int(pid) for pid in listed.stdout.split()]


def alive(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    state = Path(f"/proc/{process}/stat").read_text().rsplit(")", 1)[1].split()[0]
    return state != "Z"


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
        # User and system time, behind the name of the program, which may have spaces.
        fields = Path(f"/proc/{process.pid}/stat").read_text().rpartition(")")[2].split()
        if int(fields[11]) + int(fields[12]) >= ticks:
            return
        time.sleep(0.02)
    raise AssertionError(f"less than {seconds} s of work in {60 * seconds} s")
