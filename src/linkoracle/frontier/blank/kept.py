"""The last row of a pass in a file, for passes that take long."""

from __future__ import annotations

import time
from collections.abc import Mapping
from functools import partial
from math import prod
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from linkoracle.core.errors import RunError
from linkoracle.frontier.blank.arrays import SIZE, Allocate
from linkoracle.frontier.blank.passes import Row
from linkoracle.runs import Checkpoint

#: Seconds of work between two rows that are kept.
_EVERY = 60.0
#: So many times as long as keeping the last one took, at least.
_SHARE = 20


class KeptRow:
    """The file that keeps the last row of one pass; ``parameters`` say which.

    Raises `RunError` as `linkoracle.runs.Checkpoint` does.
    """

    def __init__(self, path: Path, parameters: Mapping[str, Any]) -> None:
        self._file = Checkpoint(path, parameters, resume=True)
        self._next = time.monotonic() + _EVERY

    def load(self, allocate: Allocate) -> Row | None:
        """The row that was kept last; ``None`` if there is none."""
        arrays = self._file.load(partial(_array, allocate))
        if arrays is None:
            return None
        try:
            rows, labels, answer = arrays["reached"].tolist()
            return Row(rows, labels, answer, arrays["words"].data)
        except (KeyError, ValueError):
            raise RunError(f"{self._file.path} is no row of a pass") from None

    def save(self, row: Row) -> None:
        """Keep a row in place of the last one, if that is long ago."""
        started = time.monotonic()
        if started < self._next:
            return
        reached = np.array([row.rows, row.labels, row.answer], dtype=np.uint64)
        self._file.save({"reached": reached, "words": np.asarray(row.words)})
        ended = time.monotonic()
        self._next = ended + max(_EVERY, _SHARE * (ended - started))


def _array(allocate: Allocate, shape: tuple[int, ...], dtype: np.dtype[Any]) -> NDArray[Any]:
    """An array in the room of numbers."""
    size = prod(shape) * dtype.itemsize
    room = allocate(-(-size // SIZE)).cast("B")
    return np.frombuffer(room, np.uint8, size).view(dtype).reshape(shape)
