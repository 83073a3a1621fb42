"""`Catalogue`: a file of different puzzles, each with its solution, grade and source."""

from __future__ import annotations

import json
import os
import sqlite3
import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict, astuple, dataclass
from datetime import UTC, datetime
from functools import cached_property
from importlib.metadata import version
from itertools import islice
from pathlib import Path
from typing import Any

from linkoracle import certificates, deduce
from linkoracle.board import Solution
from linkoracle.catalogue import file
from linkoracle.catalogue.filter import GRADE, GRADES, OUTDATED, Filter, Makers, sound_rows
from linkoracle.catalogue.record import (
    COLUMNS,
    MOST_BYTES,
    MOST_DIGITS,
    Record,
    check_bytes,
    data_of,
    key_of,
    layout_text,
    packed,
    request_of,
    size_text,
)
from linkoracle.core import (
    CatalogueError,
    Closing,
    Drawing,
    Progress,
    checked_int,
    seed_or_fresh,
    some,
)
from linkoracle.core import source as generator
from linkoracle.formats import clean_name, write
from linkoracle.kinds import Puzzle, violations
from linkoracle.solving import decide

#: Number of records read at a time, so that a reader never blocks a writer for long.
_PAGE = 500

_INSERT = (
    f"INSERT INTO puzzle ({', '.join(COLUMNS[1:])}) VALUES (?{', ?' * (len(COLUMNS) - 2)}) "
    "ON CONFLICT (canonical) DO NOTHING"
)
#: Not indexed: pages are read in the order of ids, each from where the last one ended. Rows without
#: a maker are included. Certificates are long.
_SELECT = (
    f"SELECT puzzle.{', '.join(COLUMNS[:-1])}, typeof(certificate) FROM puzzle NOT INDEXED "
    "LEFT JOIN maker ON maker.id = puzzle.maker"
).replace(" maker,", " request,")
#: Called with the error of each row that cannot be read and is skipped.
Skipped = Callable[[CatalogueError], object]

_EVERYTHING = Filter()
#: The first words of changes that make the tables unusable.
_UNUSABLE = ("the table", "there is a trigger")


@dataclass(frozen=True)
class Group:
    """Puzzles of a catalogue with the same kind, variant, size and grade: their number and clues.

    ``grade`` is ``None`` for ungraded puzzles; ``fewest`` and ``most`` are numbers of clues, or of
    pairs.
    """

    kind: str
    variant: str
    rows: int
    cols: int
    grade: str | None
    puzzles: int
    fewest: int
    most: int

    @property
    def size(self) -> str:
        """Rows and columns, such as ``"10x12"``, or the number of faces."""
        return size_text(self.rows, self.cols)


class Catalogue(Closing):
    """Puzzles in a file (``path`` ``None``: in memory), no two the same up to symmetry.

    Two Slitherlinks are the same if a rotation or reflection maps one to the other
    (`linkoracle.kinds.canonical`); in a Numberlink the names of the numbers do not matter either.

    A missing file is created, unless ``readonly`` or not ``create``. A file of an earlier version
    is updated, or only read if ``readonly``. Each puzzle is written in its own transaction, so a
    program that is killed leaves complete puzzles. Several programs may write to a file at the same
    time. A copy, and one that is pickled, opens the same file; in memory it has the same puzzles.
    Use it as a context manager. Raises `CatalogueError` if the file is not a catalogue or cannot be
    read, and ``OSError`` if it cannot be written.

    >>> from linkoracle import Slitherlink
    >>> with Catalogue(None) as catalogue:
    ...     catalogue.add(Slitherlink([[3, 3], [None, None]]))
    ...     Slitherlink([[None, None], [3, 3]]) in catalogue, len(catalogue)
    True
    (True, 1)
    """

    def __init__(
        self, path: str | os.PathLike[str] | None, *, readonly: bool = False, create: bool = True
    ) -> None:
        self.path = None if path is None else Path(path)
        self._readonly = readonly
        self._file = file.opened(self.path, writing=not readonly, create=create and not readonly)

    def __reduce__(self) -> tuple[Any, ...]:
        if self._closed:
            raise ValueError("a closed catalogue cannot be copied or pickled")
        if self.path is None:
            return _in_memory, (type(self), self._file.serialize())
        return _reopened, (type(self), self.path.absolute(), self._readonly)

    def close(self) -> None:
        """Close the file. All changes are already written."""
        super().close()
        self._file.close()

    def __len__(self) -> int:
        return int(self._rows("SELECT count(*) FROM puzzle")[0][0])

    def __iter__(self) -> Iterator[Record]:
        """Yield all puzzles, as `find` does."""
        return self.find()

    def __contains__(self, puzzle: object) -> bool:
        """Return whether the catalogue has this puzzle, up to symmetry and names of numbers."""
        key = key_of(puzzle)  # type: ignore[arg-type]
        return bool(self._rows("SELECT 1 FROM puzzle WHERE canonical = ?", key))

    def add(
        self,
        puzzle: Puzzle,
        solution: Solution | None = None,
        *,
        name: str | None = None,
        source: Mapping[str, Any] | None = None,
        seed: int | None = None,
        number: int | None = None,
        grade: deduce.Grade | None = None,
        certificate: certificates.Certificate | None = None,
    ) -> bool:
        """Add a puzzle; return false, and change nothing, if the catalogue already has it.

        A given ``solution`` is checked and assumed to be the only one, as generators have proven.
        Without it, the puzzle is solved first. ``source`` is any JSON object; the version of
        linkoracle is added to it. Raises ``ValueError`` for a wrong solution, a puzzle without
        exactly one solution, a ``certificate`` of another puzzle, a ``seed`` that is not a whole
        number, and a ``number`` below 1.
        """
        proof = None if certificate is None else data_of(certificate, puzzle)
        if seed is not None:
            checked_int(seed, "a seed")
            if abs(seed) >= 10 ** (MOST_DIGITS - 1):
                raise ValueError(f"expected a seed of less than {MOST_DIGITS} digits")
        if number is not None:
            checked_int(number, "a number", 1)
        key = key_of(puzzle)
        if self._rows("SELECT 1 FROM puzzle WHERE canonical = ?", key):
            return False
        if solution is None:
            verdict = decide(puzzle)
            if not verdict.unique:
                found = "several solutions" if verdict.solutions else "no solution"
                raise ValueError(f"expected a puzzle with one solution, found {found}")
            solution = verdict.solutions[0]
        elif broken := violations(puzzle, solution):
            raise ValueError(f"the solution is wrong: {broken[0]}")
        request = json.dumps({**(source or {}), "version": version("linkoracle")}, sort_keys=True)
        with file.sqlite_errors(self.path), file.transaction(self._file):
            maker_id = file.maker_of(self._file, request)
            values = (
                *(puzzle.kind, puzzle.variant, *puzzle.faces.shape, puzzle.number_of_clues),
                *(write(puzzle, "text"), packed(solution), key),
                # Seeds may have more digits than the integers of SQLite.
                *(name and clean_name(name), None if seed is None else str(seed), number, maker_id),
                *(datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ"), *_grading(grade)),
                *(layout_text(puzzle, solution), proof),
            )
            return self._file.execute(_INSERT, values).rowcount == 1

    def set_grade(self, id: int, grade: deduce.Grade) -> None:  # noqa: A002 - its name in `Record`
        """Store the grade of a puzzle; replaces an earlier one."""
        update = "UPDATE puzzle SET grade = ?, steps = ?, graded = ? WHERE id = ?"
        with file.sqlite_errors(self.path), file.transaction(self._file):
            self._usable.execute(update, (*_grading(grade), id))

    def set_certificate(self, id: int, certificate: certificates.Certificate) -> None:  # noqa: A002 - as above
        """Store the certificate of a puzzle; replaces an earlier one.

        Raises ``ValueError`` if it is of another puzzle, or not of one solution.
        """
        record = next(self._read(self._chosen([id]), None), None)
        proof = data_of(certificate, None if record is None else record.puzzle)
        with file.sqlite_errors(self.path), file.transaction(self._file):
            self._file.execute("UPDATE puzzle SET certificate = ? WHERE id = ?", (proof, id))

    def certificate(self, record: Record) -> bytes | None:
        """Return the bytes of the certificate file of a puzzle; ``None`` if it has none.

        Verifies it first, which may take as long as making it. Raises `CatalogueError` if it does
        not prove that this puzzle has one solution, and `FormatError` if the puzzle cannot be read.
        """
        if not record.certified:
            return None
        # At most what the verifier accepts; to SQLite, a substring of no bytes is NULL.
        query = f"SELECT substr(certificate, 1, {MOST_BYTES + 1}) FROM puzzle WHERE id = ?"
        data = b"".join(part or b"" for (part,) in self._rows(query, record.id))
        check_bytes(data, record.puzzle)
        return data

    def find(
        self,
        criteria: Filter = _EVERYTHING,
        *,
        limit: int | None = None,
        sample: int | None = None,
        seed: int | None = None,
        skipped: Skipped | None = None,
    ) -> Iterator[Record]:
        """Yield the puzzles that match, in the order in which they were added; at most ``limit``.

        With ``sample``, yields that number of random matches instead, or all if there are fewer.
        The same ``seed`` makes the same choice from the same file. ``None`` draws a fresh seed,
        which the iterator has as ``seed``. Puzzles added in the meantime may be included.

        Raises `CatalogueError` at a damaged row; with ``skipped``, calls that with the error and
        continues. Raises ``ValueError`` for both a limit and a sample, or if one is not a whole
        number from 0.
        """
        if limit is not None and sample is not None:
            raise ValueError("expected a limit or a sample, got both")
        if sample is None:
            stop = None if limit is None else min(checked_int(limit, "a limit", 0), sys.maxsize)
            return islice(self._read(self._pages(criteria), skipped), stop)
        condition, values = self._condition(criteria)
        ids = self._rows(f"SELECT id FROM puzzle WHERE {condition} ORDER BY id", *values)
        chosen = min(checked_int(sample, "a sample", 0), len(ids))
        seed = seed_or_fresh(seed)
        rng = generator(seed, 0)
        drawn = self._chosen(sorted(one for (one,) in some(rng, ids, chosen)))
        return Drawing(self._read(drawn, skipped), seed)

    def _pages(self, criteria: Filter) -> Iterator[Any]:
        after = ""
        last: tuple[int, ...] = ()
        while True:
            # Computed for each page, since another program may add makers.
            condition, values = self._condition(criteria)
            rows = self._rows(
                f"{_SELECT} WHERE {condition}{after} ORDER BY puzzle.id LIMIT {_PAGE}",
                *(*values, *last),
            )
            if not rows:
                return
            after = " AND puzzle.id > ?"
            for row in rows:
                if last >= (row[0],):
                    # The file was truncated; the same rows would be read forever.
                    raise CatalogueError(f"{self.path} is damaged: ids are not in order")
                last = (row[0],)
                yield row

    def _chosen(self, ids: list[int]) -> Iterator[Any]:
        for start in range(0, len(ids), _PAGE):
            some = ids[start : start + _PAGE]
            places = ", ".join("?" * len(some))
            yield from self._rows(
                f"{_SELECT} WHERE puzzle.id IN ({places}) ORDER BY puzzle.id", *some
            )

    def _read(self, rows: Iterator[Any], skipped: Skipped | None) -> Iterator[Record]:
        for row in rows:
            try:
                record = Record.of_row(row)
            except CatalogueError as error:
                named = CatalogueError(f"{self.path or 'catalogue'}: puzzle {row[0]}: {error}")
                if skipped is None:
                    raise named from None
                skipped(named)
            else:
                yield record

    def stats(
        self, criteria: Filter = _EVERYTHING, *, skipped: Skipped | None = None
    ) -> list[Group]:
        """Return the number of puzzles of each kind, variant, size and grade, in this order.

        Reads only these columns, and the source if the filter needs it. Rows with damaged columns
        are not counted: see `find`.
        """
        makers = self._makers(criteria)
        condition, values = criteria.condition(makers)
        sound, columns = sound_rows(), f"kind, variant, rows, cols, {GRADE}"
        each = "typeof(clues) = 'integer'"
        if criteria.sources:
            known = (str(one) for one, request in makers.items() if request is not None)
            each += f" AND maker IN ({', '.join(known)})"
        # The columns that a group shares are checked once.
        counts = (
            f"SELECT {columns}, count(*), min(clues), max(clues), {sound} AND min({each}) "
            f"FROM puzzle WHERE {condition} AND {{}} GROUP BY {columns}"
        )
        sound += f" AND {each}"
        groups = self._rows(counts.format(1), *values)
        # The rest is for files that were changed, and takes several times as long.
        if not all(row[-1] for row in groups):
            damaged = self._rows(
                f"SELECT id FROM puzzle WHERE {condition} AND NOT ({sound}) ORDER BY id", *values
            )
            for _ in self._read(self._chosen([one for (one,) in damaged]), skipped):
                pass
            groups = self._rows(counts.format(sound), *values)
        order = [*GRADES, OUTDATED, None].index
        found = (Group(*row[:-1]) for row in groups)
        return sorted(found, key=lambda one: (*astuple(one)[:4], order(one.grade)))

    def faults(self, *, progress: Progress | None = None) -> Iterator[str]:
        """Yield the faults of the whole file, a sentence each: see `Record.faults`.

        Does not read views and other objects in place of tables.
        """
        with file.sqlite_errors(self.path):
            damage = file.rows_of(self._file, "PRAGMA integrity_check")
            changed = list(file.changes(self._file))
        yield from (f"the file is damaged: {line}" for (line,) in damage if line != "ok")
        yield from changed
        if any(line.startswith(_UNUSABLE) for line in changed):
            return
        for maker, text in self._rows("SELECT id, request FROM maker"):
            if request_of(text) is None:
                yield f"maker {maker}: its request is not a JSON object"
        count = len(self)
        for done, row in enumerate(self._pages(_EVERYTHING)):
            if progress is not None:
                progress(f"{done} of {count} puzzles", min(1.0, done / max(1, count)))
            try:
                record = Record.of_row(row)
                found = record.faults()
                if not found:
                    self.certificate(record)
            except CatalogueError as error:
                found = [str(error)]
            for fault in found:
                yield f"puzzle {row[0]}: {fault}"

    def _condition(self, criteria: Filter) -> tuple[str, list[Any]]:
        return criteria.condition(self._makers(criteria))

    def _makers(self, criteria: Filter) -> Makers:
        rows = self._rows("SELECT id, request FROM maker") if criteria.sources else []
        return {maker: request_of(text) for maker, text in rows}

    @cached_property
    def _usable(self) -> sqlite3.Connection:
        """Return the file; raise `CatalogueError` if its tables were replaced.

        A view in place of a table may have endless rows, and a trigger may write anything.
        """
        with file.sqlite_errors(self.path):
            for change in file.changes(self._file):
                if change.startswith(_UNUSABLE):
                    raise CatalogueError(f"{self.path}: {change}")
        return self._file

    def _rows(self, query: str, *values: Any) -> list[Any]:
        with file.sqlite_errors(self.path):
            return file.rows_of(self._usable, query, values)


def _reopened(kind: type[Catalogue], path: Path, readonly: bool) -> Catalogue:
    """Return a copy of a catalogue in a file."""
    return kind(path, readonly=readonly, create=False)


def _in_memory(kind: type[Catalogue], data: bytes) -> Catalogue:
    """Return a copy of a catalogue in memory."""
    catalogue = kind(None)
    catalogue._file.deserialize(data)
    return catalogue


def _grading(grade: deduce.Grade | None) -> tuple[str | None, int | None, str | None]:
    if grade is None:
        return None, None, None
    if grade.status in ("no solution", "not unique"):
        raise CatalogueError(
            f"expected the grade of a puzzle with one solution, got {grade.status!r}"
        )
    graded = {**asdict(grade), "version": version("linkoracle")}
    # The numbers of all steps would take more room than the puzzle.
    del graded["path"]
    graded |= {"widest": grade.widest, "narrowest": grade.narrowest}
    return grade.label or grade.status, grade.total, json.dumps(graded, sort_keys=True)
