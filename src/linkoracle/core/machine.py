"""What the machine offers: free memory, and processors."""

from __future__ import annotations

import os
import sys
from pathlib import Path

#: Where Linux has the limits of the control group of this process, if it is in a container.
_GROUP = Path("/sys/fs/cgroup")


def default_limit() -> int:
    """Return half of the free memory, in bytes.

    On Linux, free memory is what is available to the machine and to the control group, including
    cached files that were not used lately. Elsewhere it is taken to be half of all memory.
    """
    try:
        fields = dict(line.split(":", 1) for line in Path("/proc/meminfo").read_text().splitlines())
        free = int(fields["MemAvailable"].split()[0]) * 1024
    except (OSError, KeyError, ValueError):
        return _installed() // 4
    try:
        limit, used = (int((_GROUP / f"memory.{name}").read_text()) for name in ("max", "current"))
        stat = dict(line.split() for line in (_GROUP / "memory.stat").read_text().splitlines())
        # Cached files count as used, but Linux drops these before it refuses memory.
        free = min(free, limit - used + int(stat.get("inactive_file", 0)))
    except (OSError, ValueError):
        pass  # No limit, or another kind of control group.
    return max(free // 2, 1)


def _installed() -> int:
    """Return the memory of the machine, in bytes."""
    if sys.platform == "win32":
        import ctypes

        # A MEMORYSTATUSEX: its size and the load, all memory, the free memory, and others.
        status = (ctypes.c_uint64 * 8)(64)
        ctypes.windll.kernel32.GlobalMemoryStatusEx(status)
        return status[1]
    return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")


#: Number of processes that share the processors available to this one.
_sharing = 1


def share_processors(processes: int) -> None:
    """Set the number of processes, including this one, that share the processors."""
    global _sharing
    if type(processes) is not int or processes < 1:
        raise ValueError(f"expected a number of processes from 1, got {processes!r}")
    _sharing = processes


def processors() -> int:
    """Return the number of processors for this process, at least one.

    On Linux the process may be restricted to some processors of the machine. They are divided by
    the number set with `share_processors`.
    """
    known = os.cpu_count() or 1
    if hasattr(os, "sched_getaffinity"):
        known = len(os.sched_getaffinity(0))
    return max(1, known // _sharing)
