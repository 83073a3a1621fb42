"""`Checkpoint`: where a long pass stands, in a file that is replaced as a whole.

Unlike a `linkoracle.census.runs.Run`, whose units of work are independent of each other, a pass
needs all that it has found so far for its next step. So every step replaces the file: the new state
is written under a temporary name and renamed, and a kill at any moment leaves the one or the other.
"""

from __future__ import annotations

import json
import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from linkoracle.census.stamps import check_new, check_same, stamp_of
from linkoracle.errors import RunError
from linkoracle.files import replaced

#: Under this name the file keeps what the pass is of.
_STAMP = "linkoracle"


class Checkpoint:
    """A file that keeps named arrays, and what they are of.

    ``parameters`` say what the pass is of; with the version of linkoracle they are its stamp. An
    existing file is used only with ``resume``, and only if its stamp is the same. Raises `RunError`
    otherwise, for a file that is no checkpoint, and when it cannot be written.

    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     Checkpoint(Path(folder, "pass"), {"rows": 3}).save({"states": np.arange(3)})
    ...     Checkpoint(Path(folder, "pass"), {"rows": 3}, resume=True).load()
    {'states': array([0, 1, 2])}
    """

    def __init__(self, path: Path, parameters: Mapping[str, Any], *, resume: bool = False) -> None:
        self.path = path
        self._stamp = stamp_of(parameters)
        check_new(path, resume)
        if not path.parent.is_dir():
            raise RunError(f"cannot write {path}: there is no such folder")

    def load(self) -> dict[str, NDArray[Any]] | None:
        """The arrays that were saved last; ``None`` before the first time."""
        if not self.path.exists():
            return None
        try:
            with np.load(self.path, allow_pickle=False) as file:
                arrays = dict(file)
            found = json.loads(str(arrays.pop(_STAMP)))
        except (OSError, ValueError, KeyError, EOFError, AttributeError, zipfile.BadZipFile):
            raise RunError(f"{self.path} is not a run of linkoracle") from None
        check_same(self.path, self._stamp, found)
        return arrays

    def save(self, arrays: Mapping[str, NDArray[Any]]) -> None:
        """Replace what the file keeps by these arrays."""
        stamp = np.array(json.dumps(self._stamp))
        try:
            with replaced(self.path, durable=True) as file:
                np.savez(file, **{_STAMP: stamp}, **arrays)  # type: ignore[arg-type]
        except OSError as error:
            raise RunError(f"cannot write {self.path}: {error.strerror}") from None
