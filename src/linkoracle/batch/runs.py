"""Files of long computations: a `Run` of independent units, or a `Checkpoint` of one pass.

A `Run` writes the result of a unit to an SQLite file in one transaction with the unit's number, the
primary key. So after a crash or a kill at any time, a unit is in the file completely or not at all,
and never twice. Only the process that opened the run writes. Each unit has a checksum, which
includes the parameters.

A pass with a `Checkpoint` needs its whole state for its next step. So every step writes the new
state under a temporary name and renames it. A kill at any time leaves one of the two states.

Each file has a header: the version of linkoracle and the parameters of the computation.

Checksums detect damage, not forgery: a forged file with matching checksums gives wrong results.
"""

from __future__ import annotations

import errno
import json
import math
import os
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
from linkoracle.core import (
    Progress,
    RunError,
    WorkersLost,
    atomic_write,
    cannot_write,
    discard_empty,
    quoted,
    sqlite_cannot_write,
)


def header_of(path: Path | None, parameters: Mapping[str, Any], resume: bool) -> dict[str, str]:
    """Return the header of a run; raise `RunError` if ``path`` exists and is not resumed."""
    if path is not None and path.exists():
        if not resume:
            raise RunError(f"{path}: the file exists. Resume that run, or choose another file.")
        if not path.is_file():
            raise RunError(f"{path}: not a run of linkoracle: it is not a file")
    # Format 2 is the first one with checksums.
    header = {"version": version("linkoracle"), "format": 2, **parameters}
    return {name: json.dumps(value) for name, value in header.items()}


def check_same(path: Path | None, expected: Mapping[str, str], found: Mapping[str, str]) -> None:
    """Raise `RunError` if the header of a file is not the expected one."""
    for name in [*expected, *found]:
        if expected.get(name) != found.get(name):
            was, now = (header.get(name, "nothing") for header in (found, expected))
            begun = f"the run was begun with {_shown(name)} = {_shown(was)}, which is now {now}"
            raise RunError(f"{path}: {begun}. Use the same options, or choose another file.")


def _shown(text: object) -> str:
    """Return a value from a file for a message: unquoted if it looks like one of ours."""
    return text if isinstance(text, str) and _PLAIN.fullmatch(text) else quoted(str(text))


_PLAIN = re.compile(r'[\w".-]{1,40}', re.ASCII)


#: The work of a unit: takes its number and returns a result that JSON can hold.
ComputeUnit = Callable[[int], Any]

#: The tables by name, with the statements that create them.
_TABLES = {
    "parameter": "CREATE TABLE parameter (name TEXT PRIMARY KEY, value TEXT NOT NULL)",
    "unit": "CREATE TABLE unit (number INTEGER PRIMARY KEY, seconds REAL NOT NULL, "
    "result TEXT NOT NULL, checksum TEXT NOT NULL)",
}


class Run:
    """The finished units of a computation, in a file or, with ``path`` None, in memory.

    ``parameters`` identify the computation; with the version of linkoracle they are its header. An
    existing file is opened only with ``resume``, and only if its header is the same and all
    checksums match. Otherwise, and if the file is not a run or cannot be read or written, raises
    `RunError`. Use it as a context manager.

    >>> with Run(None, {"board": "2x2"}, units=3) as run:
    ...     run.finish(1, 0.5, {"found": 7})
    ...     run.missing(), run.results()
    ([0, 2], [{'found': 7}])
    """

    def __init__(
        self, path: Path | None, parameters: dict[str, Any], units: int, *, resume: bool = False
    ) -> None:
        self.path, self.units = path, units
        self._header = header_of(path, {**parameters, "units": units}, resume)
        is_new = path is not None and not path.exists()
        try:
            # With an absolute path, a file may even be called ":memory:".
            place = ":memory:" if path is None else path.absolute()
            self._file = sqlite3.connect(place, isolation_level=None, timeout=1)
        except sqlite3.Error as error:
            if unwritten := sqlite_cannot_write(error, path):
                raise unwritten from None
            raise RunError(f"{path}: cannot be opened: {error}") from None
        try:
            with self._sqlite_errors():
                self._begin()
            self.results()
        except BaseException:
            self._file.close()
            if path is not None and is_new:
                discard_empty(path)
            raise

    @contextmanager
    def _sqlite_errors(self) -> Iterator[None]:
        """Turn errors of SQLite into one line that names the file."""
        try:
            yield
        except UnicodeDecodeError:
            # The message of this error would quote damaged bytes.
            raise RunError(f"{self.path}: not a run of linkoracle, or damaged") from None
        except sqlite3.Error as error:
            code = getattr(error, "sqlite_errorcode", 0) & 0xFF
            if code == sqlite3.SQLITE_BUSY:
                raise RunError(f"{self.path}: in use by another program") from None
            if unwritten := sqlite_cannot_write(error, self.path):
                raise unwritten from None
            raise RunError(f"{self.path}: not a run of linkoracle: {error}") from None

    def _begin(self) -> None:
        """Lock the file; begin a run if it is empty, else check that it is this run."""
        # A file from elsewhere may have a schema that calls unsafe functions.
        self._file.execute("PRAGMA trusted_schema = OFF")
        self._file.execute("PRAGMA synchronous = FULL")
        # One writer: a second program on the same file would repeat the same units.
        self._file.execute("PRAGMA locking_mode = EXCLUSIVE")
        self._file.execute("BEGIN EXCLUSIVE")
        if self.path is None or not self.path.stat().st_size:
            for statement in _TABLES.values():
                self._file.execute(statement)
            self._file.executemany("INSERT INTO parameter VALUES (?, ?)", self._header.items())
        else:
            self._check_tables()
        self._file.execute("COMMIT")

    def _check_tables(self) -> None:
        """Raise `RunError` if the header or the tables differ from what a run creates."""
        query = "SELECT name, sql FROM sqlite_master WHERE name NOT LIKE 'sqlite_autoindex_%'"
        found = dict(self._file.execute(query))
        # A view in place of a table must not be queried.
        if found.get("parameter") == _TABLES["parameter"]:
            header = dict(self._file.execute("SELECT name, value FROM parameter"))
            check_same(self.path, self._header, header)
        if found != _TABLES:
            raise RunError(f"{self.path}: not a run of linkoracle: it has other tables")
        ((damage,),) = self._file.execute("PRAGMA integrity_check(1)")
        if damage != "ok":
            raise RunError(f"{self.path}: damaged: {' '.join(damage.split())}")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._file.close()

    def _rows(self, query: str) -> list[Any]:
        with self._sqlite_errors():
            return self._file.execute(query).fetchall()

    def missing(self) -> list[int]:
        """Return the numbers of the unfinished units, in order."""
        done = {number for (number,) in self._rows("SELECT number FROM unit")}
        return [number for number in range(self.units) if number not in done]

    def finish(self, number: int, seconds: float, result: Any) -> None:
        """Store a finished unit. Raises `RunError` if it is stored already."""
        unit = number, float(seconds), json.dumps(result)
        values = *unit, self._sum(*unit)
        with self._sqlite_errors():
            try:
                self._file.execute("INSERT INTO unit VALUES (?, ?, ?, ?)", values)
            except sqlite3.IntegrityError:
                raise RunError(f"{self.path}: unit {number} is stored already") from None

    def _sum(self, *unit: Any) -> str:
        """Return the checksum of a unit and of the header."""
        return sha256(repr((sorted(self._header.items()), unit)).encode()).hexdigest()

    def results(self) -> list[Any]:
        """Return the results of the finished units, in the order of their numbers.

        Raises `RunError` if another program has changed a unit.
        """
        found = []
        for *unit, checksum in self._rows("SELECT * FROM unit ORDER BY number"):
            if unit[0] not in range(self.units):
                raise self.damaged(unit[0], f"there are {self.units} units, from 0 on")
            if checksum != self._sum(*unit):
                raise self.damaged(unit[0], "its checksum does not match")
            try:
                found.append(json.loads(unit[2]))
            except (ValueError, RecursionError):
                raise self.damaged(unit[0], "its result cannot be read") from None
        return found

    def damaged(self, number: int, reason: str) -> RunError:
        """Return the error for a unit whose content differs from what was stored."""
        return RunError(f"{self.path}: unit {number} was changed by another program: {reason}")

    def work(
        self,
        work: ComputeUnit,
        *,
        executor: Executor | None = None,
        most: int | None = None,
        progress: Progress | None = None,
    ) -> bool:
        """Compute at most ``most`` missing units; return whether all units are finished then.

        With an ``executor`` (``None``: this process) ``work`` is pickled for every unit, so
        ``work`` should be small, and cache in its process what later units need. ``progress`` gets
        a line with an estimate: the mean time of a finished unit, times the number of missing
        units, divided by the number of workers.
        """
        todo = self.missing()[:most]
        workers = getattr(executor, "workers", 1)
        # Few at a time: submitted units may be lost when the run is interrupted.
        units = finished(executor or Serial(), partial(_timed, work), todo, window=2 * workers)
        with closing(units):
            try:
                for number, (seconds, result) in units:
                    self.finish(number, seconds, result)
                    if progress is not None:
                        progress(self.estimate(workers), 1 - len(self.missing()) / self.units)
            except WorkersLost as error:
                raise RunError(f"{error}. Finished units are kept: resume the run.") from None
        return not self.missing()

    def estimate(self, workers: int = 1) -> str:
        """Return a line with the progress of the work and an estimate of the time left."""
        ((done, mean),) = self._rows("SELECT count(*), avg(seconds) FROM unit")
        if not done:
            return f"0 of {self.units} units"
        left = mean * (self.units - done) / workers
        minutes = f"{left / 60:.0f} min" if left < 7200 else f"{left / 3600:.1f} h"
        about = f"{left:.0f} s" if left < 120 else minutes
        return f"{done} of {self.units} units, about {about} left"


def _timed(work: ComputeUnit, number: int) -> tuple[float, Any]:
    """Return the seconds that a unit takes, and its result."""
    started = time.perf_counter()
    result = work(number)
    return time.perf_counter() - started, result


def _read_array(
    file: zipfile.ZipFile,
    name: str,
    allocate: Callable[[tuple[int, ...], np.dtype[Any]], NDArray[Any]],
) -> NDArray[Any]:
    """Read an array as `numpy.savez` writes it, without a second copy in memory."""
    with file.open(name) as member:
        if np.lib.format.read_magic(member) != (1, 0):
            raise ValueError("another format of NumPy's")
        shape, by_columns, dtype = np.lib.format.read_array_header_1_0(member)
        if dtype.hasobject:
            raise ValueError("no array of plain numbers")
        # Do not allocate more than the file can hold.
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
        # Kernels need contiguous rows.
        return np.asarray(array.T if by_columns else array, order="C")


#: Bytes read at a time.
_BLOCK = 1 << 20

#: The name of the header in the file.
_HEADER = "linkoracle"


class Checkpoint:
    """A file of named arrays, with a header that identifies the computation.

    ``parameters`` identify the pass; with the version of linkoracle they are its header. An
    existing file is used only with ``resume``, and only if its header is the same. Otherwise, and
    if the file is not a checkpoint, was changed or cannot be written, raises `RunError`.

    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     Checkpoint(Path(folder, "pass"), {"rows": 3}).save({"states": np.arange(3)})
    ...     Checkpoint(Path(folder, "pass"), {"rows": 3}, resume=True).load()
    {'states': array([0, 1, 2])}
    """

    def __init__(self, path: Path, parameters: Mapping[str, Any], *, resume: bool = False) -> None:
        self.path = path
        self._header = header_of(path, parameters, resume)
        if not path.parent.is_dir():
            raise cannot_write(OSError(errno.ENOENT, os.strerror(errno.ENOENT)), path)

    def load(
        self, allocate: Callable[[tuple[int, ...], np.dtype[Any]], NDArray[Any]] = np.zeros
    ) -> dict[str, NDArray[Any]] | None:
        """Return the arrays saved last, or ``None`` if there are none.

        Each is read into an array that ``allocate`` makes, which may be larger than the memory.
        """
        if not self.path.exists():
            return None
        try:
            with zipfile.ZipFile(self.path) as file:
                arrays = {
                    name.removesuffix(".npy"): _read_array(file, name, allocate)
                    for name in file.namelist()
                }
            found = dict(json.loads(str(arrays.pop(_HEADER))))
            is_same = found.pop("checksum", None) == self._checksum(arrays)
        except RunError:
            raise
        except Exception:  # On a damaged file, NumPy, zipfile and zlib raise nearly anything.
            raise RunError(f"{self.path}: not a run of linkoracle") from None
        check_same(self.path, self._header, found)
        if not is_same:
            reason = "its checksum does not match"
            raise RunError(f"{self.path}: changed by another program: {reason}")
        return arrays

    def _checksum(self, arrays: Mapping[str, NDArray[Any]]) -> str:
        """Return a checksum of the arrays, their names, types and shapes, and the header."""
        found = sha256(repr(self._header).encode())
        for name, array in sorted(arrays.items()):
            found.update(repr((name, array.dtype.str, array.shape)).encode())
            found.update(np.ascontiguousarray(array).data)
        return found.hexdigest()

    def save(self, arrays: Mapping[str, NDArray[Any]]) -> None:
        """Replace the contents of the file by these arrays."""
        header = np.array(json.dumps({**self._header, "checksum": self._checksum(arrays)}))
        try:
            with atomic_write(self.path, durable=True) as file:
                np.savez(file, **{_HEADER: header}, **arrays)  # type: ignore[arg-type]
        except OSError as error:
            raise cannot_write(error, self.path) from None
