"""Arrays in files, for what is larger than the memory."""

from __future__ import annotations

import mmap
import os
import tempfile
from math import prod
from pathlib import Path
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from linkoracle.core.errors import RunError


class Allocate(Protocol):
    """Makes an array of zeros, as `numpy.zeros` does in memory."""

    def __call__(self, shape: tuple[int, ...], dtype: np.dtype[Any], /) -> NDArray[Any]: ...


def in_folder(folder: Path, shape: tuple[int, ...], dtype: np.dtype[Any]) -> NDArray[Any]:
    """Zeros in a file of a folder, mapped into memory: the system holds of it what there is room
    for.

    The file has no name, so nothing of it is left when the program ends, however it ends. All of
    its room on the disk is taken at once: a disk that were full later would end the program. Raises
    `RunError` if there is no such room.

    >>> with tempfile.TemporaryDirectory() as folder:
    ...     in_folder(Path(folder), (2,), np.dtype(np.uint64)), os.listdir(folder)
    (array([0, 0], dtype=uint64), [])
    """
    size = prod(shape) * dtype.itemsize
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
    return np.frombuffer(mapped, np.uint8).view(dtype).reshape(shape)


def _reserve(file: int, size: int) -> None:
    """Take so many bytes of the disk."""
    if hasattr(os, "posix_fallocate"):
        os.posix_fallocate(file, 0, size)
        return
    nothing = bytes(1 << 20)
    for start in range(0, size, len(nothing)):
        os.write(file, nothing[: size - start])
