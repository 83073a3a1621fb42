"""How much memory a search may use."""

from __future__ import annotations

import os
import re
from pathlib import Path

from linkoracle.core.errors import MemoryLimit

_UNITS = {"": 1, "k": 10**3, "m": 10**6, "g": 10**9, "t": 10**12}
_BINARY = {"ki": 2**10, "mi": 2**20, "gi": 2**30, "ti": 2**40}
_SIZE = re.compile(r"(\d+(?:\.\d+)?)\s*([kmgt]i?)?b?", re.IGNORECASE)


def parse_size(text: str) -> int:
    """Read a size in bytes, such as ``4GB``, ``512 MiB`` or ``4096``.

    Raises ``ValueError`` for anything else, and for less than one byte.

    >>> parse_size("4GB"), parse_size("1.5 GiB"), parse_size("4096")
    (4000000000, 1610612736, 4096)
    """
    match = _SIZE.fullmatch(text.strip())
    if match is None:
        raise ValueError(f"expected a size such as 4GB or 512MiB, found {text!r}")
    unit = (match[2] or "").lower()
    size = int(float(match[1]) * (_UNITS | _BINARY)[unit])
    if size < 1:
        raise ValueError(f"expected a size of at least one byte, found {text!r}")
    return size


def check_memory(what: str, needed: int, limit: int) -> None:
    """Raise `MemoryLimit`, "``what`` so many MB ...", when more bytes are needed than allowed."""
    if needed > limit:
        raise MemoryLimit(f"{what} {needed >> 20} MB, over the limit of {limit >> 20} MB")


def default_limit() -> int:
    """Half of the memory that is free now, in bytes.

    On Linux, free is what the kernel calls available, or what is left of the control group's limit
    if that is less; elsewhere, a quarter of all memory is taken in place of half of the free.
    """
    try:
        fields = dict(line.split(":", 1) for line in Path("/proc/meminfo").read_text().splitlines())
        free = int(fields["MemAvailable"].split()[0]) * 1024
    except (OSError, KeyError, ValueError):
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") // 4
    try:
        group = Path("/sys/fs/cgroup")
        limit = int((group / "memory.max").read_text())
        free = min(free, limit - int((group / "memory.current").read_text()))
    except (OSError, ValueError):
        pass  # No limit, or not this kind of control group.
    return max(free // 2, 1)
