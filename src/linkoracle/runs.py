"""Files that keep long work: `Run`, unit by unit, and `Checkpoint`, as a whole.

The units of a `Run` are independent of each other. A unit's result is written to an SQLite file in
one transaction with its number, which is the primary key: after a crash or a kill at any moment a
unit is there entirely or not at all, and none can be there twice. Only the process that opened the
run writes. Each unit has a checksum, over the parameters as well.

A pass with a `Checkpoint` needs all that it has found so far for its next step. So every step
writes the new state under a temporary name and renames it: a kill at any moment leaves the one
state or the other.

Each file has a stamp that says what it is of: the version of linkoracle and the parameters.

A checksum tells of damage and of changes that somebody made to see what happens. It is no
signature: who writes other results with checksums that fit has a file of other results.
"""

from __future__ import annotations

import json
import math
import re
import sqlite3
import time
import zipfile
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import Executor
from contextlib import closing, contextmanager
from functools import partial
from hashlib import sha256
from importlib.metadata import version
from pathlib import Path
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from linkoracle.batch import Serial, finished
from linkoracle.core.atomic_write import atomic_write
from linkoracle.core.errors import RunError, WorkersLost, quoted
from linkoracle.core.limits import Progress


def stamp_of(path: Path | None, parameters: Mapping[str, Any], resume: bool) -> dict[str, str]:
    """The stamp of a run; `RunError` for a file that exists, unless its run is to be resumed."""
    if path is not None and path.exists() and not resume:
        raise RunError(f"{path} exists: resume that run, or choose another file")
    # Format 2 is the first one with checksums.
    stamp = {"version": version("linkoracle"), "format": 2, **parameters}
    return {name: json.dumps(value) for name, value in stamp.items()}


def check_same(path: Path | None, wanted: Mapping[str, str], found: Mapping[str, str]) -> None:
    """Raise `RunError` for a stamp that is another one."""
    for name in [*wanted, *found]:
        if wanted.get(name) != found.get(name):
            was, now = (stamp.get(name, "nothing") for stamp in (found, wanted))
            raise RunError(
                f"{path} was begun with {_shown(name)} = {_shown(was)}, which is now {now}"
            )


def _shown(text: object) -> str:
    """What a file holds, fit for a message: as it is where it could be one of ours."""
    return text if isinstance(text, str) and _PLAIN.fullmatch(text) else quoted(str(text))


_PLAIN = re.compile(r'[\w".-]{1,40}', re.ASCII)


#: What a unit of work does: from the unit's number to its result, as JSON can hold it.
Work = Callable[[int], Any]

#: The tables by name, with the statements that make them.
_TABLES = {
    "parameter": "CREATE TABLE parameter (name TEXT PRIMARY KEY, value TEXT NOT NULL)",
    "unit": "CREATE TABLE unit (number INTEGER PRIMARY KEY, seconds REAL NOT NULL, "
    "result TEXT NOT NULL, checksum TEXT NOT NULL)",
}
#: Codes of SQLite for a disk that does not take what is written.
_OF_DISKS = {sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR, sqlite3.SQLITE_READONLY}


class Run:
    """The finished units of one piece of work, in a file or, with ``path`` None, in memory.

    ``parameters`` say what the work is; with the version of linkoracle they are its stamp. An
    existing file is opened only with ``resume``, and only if its stamp is the same and the checksum
    of each unit fits. Raises `RunError` otherwise, for a file that is no run, and wherever it
    cannot be read or written. Use it as a context manager.

    >>> with Run(None, {"board": "2x2"}, units=3) as run:
    ...     run.finish(1, 0.5, {"found": 7})
    ...     run.missing(), run.results()
    ([0, 2], [{'found': 7}])
    """

    def __init__(
        self, path: Path | None, parameters: dict[str, Any], units: int, *, resume: bool = False
    ) -> None:
        self.path, self.units = path, units
        self._stamp = stamp_of(path, {**parameters, "units": units}, resume)
        if path is not None and path.exists() and not path.is_file():
            raise RunError(f"{path} is not a run of linkoracle: it is no file")
        try:
            # As a whole path, a file may be called ":memory:", too.
            place = ":memory:" if path is None else path.absolute()
            self._file = sqlite3.connect(place, isolation_level=None, timeout=1)
        except sqlite3.Error as error:
            raise RunError(f"cannot open {path}: {error}") from None
        try:
            with self._told():
                self._begin()
            self.results()
        except BaseException:
            self._file.close()
            raise

    @contextmanager
    def _told(self) -> Iterator[None]:
        """Turn errors of SQLite into one line that names the file."""
        try:
            yield
        except UnicodeDecodeError:
            # An error whose message quotes damaged bytes.
            raise RunError(f"{self.path} is not a run of linkoracle: it is damaged") from None
        except sqlite3.Error as error:
            code = getattr(error, "sqlite_errorcode", 0) & 0xFF
            if code == sqlite3.SQLITE_BUSY:
                raise RunError(f"{self.path} is in use by another program") from None
            if code in _OF_DISKS:
                raise RunError(f"cannot write {self.path}: {error}") from None
            raise RunError(f"{self.path} is not a run of linkoracle: {error}") from None

    def _begin(self) -> None:
        """Lock the file; begin a run if it is empty, and check that it is this run if not."""
        # A file from elsewhere may hold what calls functions that it should not.
        self._file.execute("PRAGMA trusted_schema = OFF")
        self._file.execute("PRAGMA synchronous = FULL")
        # One writer: a second program on the same file would do the same units again.
        self._file.execute("PRAGMA locking_mode = EXCLUSIVE")
        self._file.execute("BEGIN EXCLUSIVE")
        if self.path is None or not self.path.stat().st_size:
            for statement in _TABLES.values():
                self._file.execute(statement)
            self._file.executemany("INSERT INTO parameter VALUES (?, ?)", self._stamp.items())
        else:
            self._check_tables()
        self._file.execute("COMMIT")

    def _check_tables(self) -> None:
        """Raise `RunError` for another stamp, and for tables that are not as they are made."""
        question = "SELECT name, sql FROM sqlite_master WHERE name NOT LIKE 'sqlite_autoindex_%'"
        found = dict(self._file.execute(question))
        # Nothing is asked of what may be a view in place of a table.
        if found.get("parameter") == _TABLES["parameter"]:
            stamp = dict(self._file.execute("SELECT name, value FROM parameter"))
            check_same(self.path, self._stamp, stamp)
        if found != _TABLES:
            raise RunError(f"{self.path} is not a run of linkoracle: it has other tables")
        ((damage,),) = self._file.execute("PRAGMA integrity_check(1)")
        if damage != "ok":
            raise RunError(f"{self.path} is damaged: {' '.join(damage.split())}")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._file.close()

    def _rows(self, question: str) -> list[Any]:
        with self._told():
            return self._file.execute(question).fetchall()

    def missing(self) -> list[int]:
        """The numbers of the units still to be done, in order."""
        done = {number for (number,) in self._rows("SELECT number FROM unit")}
        return [number for number in range(self.units) if number not in done]

    def finish(self, number: int, seconds: float, result: Any) -> None:
        """Write down a unit. Raises `RunError` for one that is there already."""
        unit = number, float(seconds), json.dumps(result)
        values = *unit, self._sum(*unit)
        with self._told():
            try:
                self._file.execute("INSERT INTO unit VALUES (?, ?, ?, ?)", values)
            except sqlite3.IntegrityError:
                raise RunError(f"{self.path}: unit {number} is there already") from None

    def _sum(self, *unit: Any) -> str:
        """The checksum of a unit, and of what it is a unit of."""
        return sha256(repr((sorted(self._stamp.items()), unit)).encode()).hexdigest()

    def results(self) -> list[Any]:
        """The results of the finished units, in the order of their numbers.

        Raises `RunError` for a unit that another program changed.
        """
        found = []
        for *unit, checksum in self._rows("SELECT * FROM unit ORDER BY number"):
            if unit[0] not in range(self.units):
                raise self.damaged(unit[0], f"there are {self.units} units, from 0 on")
            if checksum != self._sum(*unit):
                raise self.damaged(unit[0], "its checksum does not fit")
            try:
                found.append(json.loads(unit[2]))
            except (ValueError, RecursionError):
                raise self.damaged(unit[0], "its result cannot be read") from None
        return found

    def damaged(self, number: int, reason: str) -> RunError:
        """The error for a unit that cannot be what was written."""
        return RunError(f"{self.path}: unit {number} was changed by another program: {reason}")

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
        ((done, mean),) = self._rows("SELECT count(*), avg(seconds) FROM unit")
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


def _read_array(
    file: zipfile.ZipFile,
    name: str,
    allocate: Callable[[tuple[int, ...], np.dtype[Any]], NDArray[Any]],
) -> NDArray[Any]:
    """An array as `numpy.savez` writes it, without a second copy in memory."""
    with file.open(name) as member:
        if np.lib.format.read_magic(member) != (1, 0):
            raise ValueError("another format of NumPy's")
        shape, by_columns, dtype = np.lib.format.read_array_header_1_0(member)
        if dtype.hasobject:
            raise ValueError("no array of plain numbers")
        # More than the file has, it would ask for in vain.
        if math.prod(shape) * dtype.itemsize > file.getinfo(name).file_size:
            raise ValueError("an array that ends early")
        array = allocate(shape[::-1] if by_columns else shape, dtype)
        room = array.reshape(-1).view(np.uint8)
        at = 0
        while at < len(room):
            block = member.read(min(_BLOCK, len(room) - at))
            if not block:
                raise ValueError("an array that ends early")
            room[at : at + len(block)] = np.frombuffer(block, np.uint8)
            at += len(block)
        if member.read(1):
            raise ValueError("more than an array")
        # Compiled code takes rows that lie one after the other.
        return np.asarray(array.T if by_columns else array, order="C")


#: Bytes that are read at a time.
_BLOCK = 1 << 20

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
        self._stamp = stamp_of(path, parameters, resume)
        if not path.parent.is_dir():
            raise RunError(f"cannot write {path}: there is no such folder")
        if path.exists() and not path.is_file():
            raise RunError(f"{path} is not a run of linkoracle: it is no file")

    def load(
        self, allocate: Callable[[tuple[int, ...], np.dtype[Any]], NDArray[Any]] = np.zeros
    ) -> dict[str, NDArray[Any]] | None:
        """The arrays that were saved last; ``None`` before the first time.

        Each is read into one that ``allocate`` makes, which may be larger than the memory.
        """
        if not self.path.exists():
            return None
        try:
            with zipfile.ZipFile(self.path) as file:
                arrays = {
                    name.removesuffix(".npy"): _read_array(file, name, allocate)
                    for name in file.namelist()
                }
            found = dict(json.loads(str(arrays.pop(_STAMP))))
            is_same = found.pop("checksum", None) == self._checksum(arrays)
        except RunError:
            raise
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
