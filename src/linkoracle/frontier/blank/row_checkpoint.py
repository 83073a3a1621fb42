"""Checkpoint files with the last row of a long pass."""

from __future__ import annotations

import time
from collections.abc import Mapping
from functools import partial
from math import prod
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from linkoracle.batch.runs import Checkpoint
from linkoracle.core.errors import RunError
from linkoracle.frontier.blank.arrays import NUMBER_BYTES, Allocate
from linkoracle.frontier.blank.passes import Row

#: Seconds of work between two checkpoints.
_EVERY_SECONDS = 60.0
#: The least ratio of that time to the time that the last checkpoint took.
_RATIO = 20


class RowCheckpoint:
    """The file with the last row of one pass; ``parameters`` identify the pass.

    Raises what `linkoracle.batch.runs.Checkpoint` does.
    """

    def __init__(self, path: Path, parameters: Mapping[str, Any]) -> None:
        self._file = Checkpoint(path, parameters, resume=True)
        self._next = time.monotonic() + _EVERY_SECONDS

    def load(self, allocate: Allocate) -> Row | None:
        """Return the last saved row, or ``None``."""
        arrays = self._file.load(partial(_array, allocate))
        if arrays is None:
            return None
        try:
            rows, labels, answer = arrays["reached"].tolist()
            return Row(rows, labels, answer, arrays["words"].data)
        except (KeyError, ValueError):
            raise RunError(f"{self._file.path}: not a row of a pass") from None

    def save(self, row: Row) -> None:
        """Replace the last saved row if that is old enough."""
        started = time.monotonic()
        if started < self._next:
            return
        reached = np.array([row.rows, row.labels, row.answer], dtype=np.uint64)
        self._file.save({"reached": reached, "words": np.asarray(row.words)})
        ended = time.monotonic()
        self._next = ended + max(_EVERY_SECONDS, _RATIO * (ended - started))


def _array(allocate: Allocate, shape: tuple[int, ...], dtype: np.dtype[Any]) -> NDArray[Any]:
    """Return an array in the memory of allocated numbers."""
    size = prod(shape) * dtype.itemsize
    room = allocate(-(-size // NUMBER_BYTES)).cast("B")
    return np.frombuffer(room, np.uint8, size).view(dtype).reshape(shape)
