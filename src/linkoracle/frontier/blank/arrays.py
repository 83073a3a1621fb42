"""Arrays of numbers, in memory or, if they are larger, in files.

They are `memoryview` objects, which do not need NumPy: loading it takes longer than most counts.
"""

from __future__ import annotations

import mmap
import os
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import TypeAlias

#: Whole numbers below 2^64, in one dimension.
Numbers: TypeAlias = "memoryview[int]"
#: Makes an array of this many zeros.
Allocate = Callable[[int], Numbers]
#: Bytes of a number.
NUMBER_BYTES = 8


def in_memory(number: int) -> Numbers:
    """Return zeros in memory. Raises ``MemoryError``.

    >>> in_memory(2).tolist()
    [0, 0]
    """
    return memoryview(bytearray(NUMBER_BYTES * number)).cast("Q")


def in_folder(folder: Path, number: int) -> Numbers:
    """Return zeros in a memory-mapped file of a folder.

    The file has no name, so it disappears when the program ends for any reason. Its disk space is
    allocated at once, as a disk that is full later would kill the program. Raises ``OSError`` if
    there is not enough space.

    >>> with tempfile.TemporaryDirectory() as folder:
    ...     in_folder(Path(folder), 2).tolist(), os.listdir(folder)
    ([0, 0], [])
    """
    size = NUMBER_BYTES * number
    try:
        with tempfile.TemporaryFile(dir=folder) as file:
            _reserve(file.fileno(), size)
            mapped = mmap.mmap(file.fileno(), size)
    except OSError as error:
        reason = error.strerror or str(error)
        raise OSError(error.errno, f"cannot keep {size} bytes: {reason}", str(folder)) from None
    if hasattr(mmap, "MADV_RANDOM"):
        # Steps read short pieces all over the file, so reading ahead is useless.
        mapped.madvise(mmap.MADV_RANDOM)
    return memoryview(mapped).cast("Q")


def _reserve(file: int, size: int) -> None:
    """Allocate ``size`` bytes of the disk."""
    if hasattr(os, "posix_fallocate"):
        os.posix_fallocate(file, 0, size)
        return
    nothing = bytes(1 << 20)
    for start in range(0, size, len(nothing)):
        os.write(file, nothing[: size - start])
