"""Arrays of numbers, in memory or, for what is larger, in files.

They are `memoryview` objects, which need no NumPy: to load it takes longer than most counts.
"""

from __future__ import annotations

import mmap
import os
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import TypeAlias

from linkoracle.core.errors import RunError

#: Whole numbers below 2^64, in one dimension.
Numbers: TypeAlias = "memoryview[int]"
#: Makes so many numbers, all 0.
Allocate = Callable[[int], Numbers]
#: Bytes of a number.
SIZE = 8


def in_memory(number: int) -> Numbers:
    """Zeros in the memory. Raises ``MemoryError``.

    >>> in_memory(2).tolist()
    [0, 0]
    """
    return memoryview(bytearray(SIZE * number)).cast("Q")


def in_folder(folder: Path, number: int) -> Numbers:
    """Zeros in a file of a folder, mapped into memory: the system holds of it what there is room
    for.

    The file has no name, so nothing of it is left when the program ends, however it ends. All of
    its room on the disk is taken at once: a disk that were full later would end the program. Raises
    `RunError` if there is no such room.

    >>> with tempfile.TemporaryDirectory() as folder:
    ...     in_folder(Path(folder), 2).tolist(), os.listdir(folder)
    ([0, 0], [])
    """
    size = SIZE * number
    try:
        with tempfile.TemporaryFile(dir=folder) as file:
            _reserve(file.fileno(), size)
            mapped = mmap.mmap(file.fileno(), size)
    except OSError as error:
        reason = error.strerror or str(error)
        raise RunError(f"cannot keep {size} bytes in a file of {folder}: {reason}") from None
    if hasattr(mmap, "MADV_RANDOM"):
        # Steps touch short pieces all over the file; what is read ahead of them is never used.
        mapped.madvise(mmap.MADV_RANDOM)
    return memoryview(mapped).cast("Q")


def _reserve(file: int, size: int) -> None:
    """Take so many bytes of the disk."""
    if hasattr(os, "posix_fallocate"):
        os.posix_fallocate(file, 0, size)
        return
    nothing = bytes(1 << 20)
    for start in range(0, size, len(nothing)):
        os.write(file, nothing[: size - start])
