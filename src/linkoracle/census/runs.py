"""Files that keep a long census: `Run`, unit by unit, and `Checkpoint`, as a whole.

The units of a `Run` are independent of each other. A unit's result is written to an SQLite file in
one transaction with its number, which is the primary key: after a crash or a kill at any moment a
unit is there entirely or not at all, and none can be there twice. Only the process that opened the
run writes.

A pass with a `Checkpoint` needs all that it has found so far for its next step. So every step
writes the new state under a temporary name and renames it: a kill at any moment leaves the one
state or the other.

Each file has a stamp that says what it is of: the version of linkoracle and the parameters.
"""

from __future__ import annotations

import json
import sqlite3
import time
from collections.abc import Callable, Mapping
from concurrent.futures import Executor
from contextlib import closing
from functools import partial
from hashlib import sha256
from importlib.metadata import version
from pathlib import Path
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from linkoracle.batch import Serial, finished
from linkoracle.core.atomic_write import atomic_write
from linkoracle.core.errors import RunError, WorkersLost
from linkoracle.core.limits import Progress


def stamp_of(path: Path | None, parameters: Mapping[str, Any], resume: bool) -> dict[str, str]:
    """The stamp of a run; `RunError` for a file that exists, unless its run is to be resumed."""
    if path is not None and path.exists() and not resume:
        raise RunError(f"{path} exists: resume that run, or choose another file")
    stamp = {"version": version("linkoracle"), **parameters}
    return {name: json.dumps(value) for name, value in stamp.items()}


def check_same(path: Path | None, wanted: Mapping[str, str], found: Mapping[str, str]) -> None:
    """Raise `RunError` for a stamp that is another one."""
    for name in [*wanted, *found]:
        if wanted.get(name) != found.get(name):
            raise RunError(
                f"{path} was begun with {name} = {found.get(name, 'nothing')}, "
                f"which is now {wanted.get(name, 'nothing')}"
            )


#: What a unit of work does: from the unit's number to its result, as JSON can hold it.
Work = Callable[[int], Any]

_SCHEMA = (
    "CREATE TABLE parameter (name TEXT PRIMARY KEY, value TEXT NOT NULL)",
    "CREATE TABLE unit (number INTEGER PRIMARY KEY, seconds REAL NOT NULL, result TEXT NOT NULL)",
)


class Run:
    """The finished units of one piece of work, in a file or, with ``path`` None, in memory.

    ``parameters`` say what the work is; with the version of linkoracle they are its stamp. An
    existing file is opened only with ``resume``, and only if its stamp is the same. Raises
    `RunError` otherwise, and for a file that is no run. Use it as a context manager.

    >>> with Run(None, {"board": "2x2"}, units=3) as run:
    ...     run.finish(1, 0.5, {"found": 7})
    ...     run.missing(), run.results()
    ([0, 2], [{'found': 7}])
    """

    def __init__(
        self, path: Path | None, parameters: dict[str, Any], units: int, *, resume: bool = False
    ) -> None:
        self.units = units
        wanted = stamp_of(path, {**parameters, "units": units}, resume)
        try:
            self._file = sqlite3.connect(path or ":memory:", isolation_level=None, timeout=1)
        except sqlite3.Error as error:
            raise RunError(f"cannot open {path}: {error}") from None
        try:
            check_same(path, wanted, self._begun(wanted))
        except sqlite3.Error as error:
            self._file.close()
            if getattr(error, "sqlite_errorcode", None) == sqlite3.SQLITE_BUSY:
                raise RunError(f"{path} is in use by another program") from None
            raise RunError(f"{path} is not a run of linkoracle: {error}") from None
        except RunError:
            self._file.close()
            raise

    def _begun(self, wanted: dict[str, str]) -> dict[str, str]:
        """Lock the file, and begin a run if it is empty; the stamp that it has."""
        self._file.execute("PRAGMA synchronous = FULL")
        # One writer: a second program on the same file would do the same units again.
        self._file.execute("PRAGMA locking_mode = EXCLUSIVE")
        self._file.execute("BEGIN EXCLUSIVE")
        if not self._file.execute("SELECT name FROM sqlite_master").fetchall():
            for statement in _SCHEMA:
                self._file.execute(statement)
            self._file.executemany("INSERT INTO parameter VALUES (?, ?)", wanted.items())
        found = dict(self._file.execute("SELECT name, value FROM parameter"))
        self._file.execute("COMMIT")
        return found

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._file.close()

    def missing(self) -> list[int]:
        """The numbers of the units still to be done, in order."""
        done = {number for (number,) in self._file.execute("SELECT number FROM unit")}
        return [number for number in range(self.units) if number not in done]

    def finish(self, number: int, seconds: float, result: Any) -> None:
        """Write down a unit. A unit that is there already raises ``sqlite3.IntegrityError``."""
        unit = number, seconds, json.dumps(result)
        self._file.execute("INSERT INTO unit VALUES (?, ?, ?)", unit)

    def results(self) -> list[Any]:
        """The results of the finished units, in the order of their numbers."""
        rows = self._file.execute("SELECT result FROM unit ORDER BY number")
        return [json.loads(result) for (result,) in rows]

    def work(
        self,
        work: Work,
        *,
        executor: Executor | None = None,
        most: int | None = None,
        progress: Progress | None = None,
    ) -> bool:
        """Do the missing units, at most ``most`` of them; whether none is missing then.

        With an ``executor`` (``None``: this process) ``work`` is pickled for every unit, so it
        should be small, and keep in its process what the next unit needs again. ``progress`` gets a
        line with an estimate: the mean time of the finished units, times those missing, by the
        number of workers. It is as good as the units are alike.
        """
        todo = self.missing()[:most]
        workers = getattr(executor, "workers", 1)
        # Few at a time: a unit that is handed out may be lost when the run is ended.
        units = finished(executor or Serial(), partial(_timed, work), todo, window=2 * workers)
        with closing(units):
            try:
                for number, (seconds, result) in units:
                    self.finish(number, seconds, result)
                    if progress is not None:
                        progress(self.estimate(workers), 1 - len(self.missing()) / self.units)
            except WorkersLost as error:
                raise RunError(f"{error}; what is finished is kept: resume the run") from None
        return not self.missing()

    def estimate(self, workers: int = 1) -> str:
        """How far the work has got, and how long the rest should take, as a line to show."""
        done, mean = self._file.execute("SELECT count(*), avg(seconds) FROM unit").fetchone()
        if not done:
            return f"0 of {self.units} units"
        left = mean * (self.units - done) / workers
        minutes = f"{left / 60:.0f} min" if left < 7200 else f"{left / 3600:.1f} h"
        about = f"{left:.0f} s" if left < 120 else minutes
        return f"{done} of {self.units} units, about {about} left"


def _timed(work: Work, number: int) -> tuple[float, Any]:
    """The seconds that a unit takes, and its result."""
    started = time.perf_counter()
    result = work(number)
    return time.perf_counter() - started, result


#: Under this name the file keeps what the pass is of.
_STAMP = "linkoracle"


class Checkpoint:
    """A file that keeps named arrays, and what they are of.

    ``parameters`` say what the pass is of; with the version of linkoracle they are its stamp. An
    existing file is used only with ``resume``, and only if its stamp is the same. Raises `RunError`
    otherwise, for a file that is no checkpoint or was changed, and when it cannot be written.

    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     Checkpoint(Path(folder, "pass"), {"rows": 3}).save({"states": np.arange(3)})
    ...     Checkpoint(Path(folder, "pass"), {"rows": 3}, resume=True).load()
    {'states': array([0, 1, 2])}
    """

    def __init__(self, path: Path, parameters: Mapping[str, Any], *, resume: bool = False) -> None:
        self.path = path
        # Format 2 is the first one with a checksum: kernels check no index that they read.
        self._stamp = stamp_of(path, {"format": 2, **parameters}, resume)
        if not path.parent.is_dir():
            raise RunError(f"cannot write {path}: there is no such folder")

    def load(self) -> dict[str, NDArray[Any]] | None:
        """The arrays that were saved last; ``None`` before the first time."""
        if not self.path.exists():
            return None
        try:
            with np.load(self.path, allow_pickle=False) as file:
                arrays = dict(file)
            found = dict(json.loads(str(arrays.pop(_STAMP))))
            is_same = found.pop("checksum", None) == self._checksum(arrays)
        except Exception:  # A damaged file makes NumPy, zipfile and zlib raise nearly anything.
            raise RunError(f"{self.path} is not a run of linkoracle") from None
        check_same(self.path, self._stamp, found)
        if not is_same:
            raise RunError(f"{self.path} was changed by another program: its checksum does not fit")
        return arrays

    def _checksum(self, arrays: Mapping[str, NDArray[Any]]) -> str:
        """Of the arrays, with their names, types and shapes, and of what they are of."""
        found = sha256(repr(self._stamp).encode())
        for name, array in sorted(arrays.items()):
            found.update(repr((name, array.dtype.str, array.shape)).encode())
            found.update(np.ascontiguousarray(array).data)
        return found.hexdigest()

    def save(self, arrays: Mapping[str, NDArray[Any]]) -> None:
        """Replace what the file keeps by these arrays."""
        stamp = np.array(json.dumps({**self._stamp, "checksum": self._checksum(arrays)}))
        try:
            with atomic_write(self.path, durable=True) as file:
                np.savez(file, **{_STAMP: stamp}, **arrays)  # type: ignore[arg-type]
        except OSError as error:
            raise RunError(f"cannot write {self.path}: {error.strerror}") from None
