"""The file of a catalogue: SQLite with an application id.

It has a rollback journal, not a write-ahead log. So it is a single file unless a program is
writing, readers leave no other files, and it may be on a network drive. Readers read short pages,
so they block a writer only for a moment.
"""

from __future__ import annotations

import errno
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

from linkoracle.catalogue.filter import MOST
from linkoracle.catalogue.record import COLUMNS, layout_of_columns
from linkoracle.core import (
    CatalogueError,
    cannot_write,
    discard_empty,
    no_folder,
    sqlite_cannot_write,
)

#: The application id that marks an SQLite file as a catalogue: "LOca" as a number.
APPLICATION = 0x4C4F6361
#: Seconds to wait for another program that writes.
_LOCK_SECONDS = 30.0

#: SQL: the layout statistics of a row, for versions that do not store them. The columns may not be
#: valid text.
_MEASURED = "looks_of(CAST(puzzle AS BLOB), CAST(solution AS BLOB))"

_COLUMNS = """
    id INTEGER PRIMARY KEY,
    kind TEXT NOT NULL,
    rule TEXT NOT NULL,
    rows INTEGER NOT NULL,
    cols INTEGER NOT NULL,
    clues INTEGER NOT NULL,
    puzzle TEXT NOT NULL,
    solution TEXT NOT NULL,
    canonical TEXT NOT NULL,
    name TEXT,
    seed TEXT,
    number INTEGER,
    maker INTEGER NOT NULL REFERENCES maker (id),
    added TEXT NOT NULL,
    grade TEXT,
    steps INTEGER,
    graded TEXT"""
_INDEXES = """
CREATE UNIQUE INDEX same ON puzzle (canonical);
CREATE INDEX described ON puzzle (kind, rule, rows, cols, grade, clues);
"""
_TABLES = f"""
CREATE TABLE maker (
    id INTEGER PRIMARY KEY,
    request TEXT NOT NULL UNIQUE
);
CREATE TABLE puzzle ({_COLUMNS}
);{_INDEXES}"""
#: The last column, as it is long: the columns before it can be read without it.
_CERTIFICATES = """
ALTER TABLE puzzle ADD COLUMN certificate BLOB;
"""
_BEFORE = ", ".join(COLUMNS[:-2]).replace("variant", "rule")
#: The new column is before the certificate, so the table is rebuilt.
_LOOKS = f"""
ALTER TABLE puzzle RENAME TO before;
CREATE TABLE puzzle ({_COLUMNS},
    looks TEXT,
    certificate BLOB
);
INSERT INTO puzzle SELECT {_BEFORE}, {_MEASURED}, certificate FROM before;
DROP TABLE before;{_INDEXES}"""
_VARIANT = """
ALTER TABLE puzzle RENAME COLUMN rule TO variant;
"""
#: The statements that turn the tables of each version into those of the next. A new file executes
#: all of them, so its tables equal those of an updated old file.
_STEPS = (_TABLES, _CERTIFICATES, _LOOKS, _VARIANT)
#: The version of the tables that is written, and the latest that is read.
SCHEMA = len(_STEPS)


def opened(path: Path | None, *, writing: bool, create: bool) -> sqlite3.Connection:
    """Open a catalogue; with ``create``, make a missing one. ``None`` is in memory.

    With ``writing``, tables of an earlier version are updated; readers update a copy in memory.

    Raises `CatalogueError` for a file that is not a catalogue, and leaves it unchanged.
    """
    is_new = path is not None and not path.exists()
    if path is None:
        file = _connected(":memory:")
    else:
        _check_header(path, create)
        # Readers, too, open the file for writing if that is allowed: after a crash, the first
        # program has to roll back the unfinished transaction.
        address = f"{path.absolute().as_uri()}?mode={'rwc' if create else 'rw'}"
        with sqlite_errors(path):
            file = _connected(address)
    try:
        with sqlite_errors(path):
            # A file from elsewhere may have views and triggers that call unsafe functions.
            file.execute("PRAGMA trusted_schema = OFF")
            file.execute("PRAGMA synchronous = FULL")
            if create or path is None or (writing and schema(file)):
                _bring_up(file, SCHEMA)
            if not (found := schema(file)):
                raise CatalogueError(f"{path}: not a catalogue: it is empty")
            if not 0 < found <= SCHEMA:
                raise CatalogueError(
                    f"{path} was written by a later version of linkoracle (schema {found}; this "
                    f"version reads {SCHEMA})"
                )
            if found < SCHEMA:
                file = _copied(file)
            if not writing:
                file.execute("PRAGMA query_only = ON")
    except BaseException:
        file.close()
        if path is not None and is_new:
            discard_empty(path)
        raise
    return file


def _connected(address: str) -> sqlite3.Connection:
    file = sqlite3.connect(address, uri=True, isolation_level=None, timeout=_LOCK_SECONDS)
    file.create_function("looks_of", 2, layout_of_columns, deterministic=True)
    return file


def _copied(file: sqlite3.Connection) -> sqlite3.Connection:
    """Return the tables of an earlier version in memory, up to date; close their file."""
    copy = _connected(":memory:")
    with closing(file):
        file.backup(copy)
    _bring_up(copy, SCHEMA)
    return copy


def _check_header(path: Path, create: bool) -> None:
    """Check the first bytes. SQLite may write to a file that it opens, to recover it."""
    try:
        with path.open("rb") as file:
            header = file.read(100)
    except FileNotFoundError:
        if not create:
            raise CatalogueError(f"{path}: no such file") from None
        if no_folder(path):
            raise cannot_write(OSError(errno.ENOENT, ""), path) from None
        return
    except OSError as error:
        raise CatalogueError(f"{path}: cannot be read: {error.strerror}") from None
    if not header:
        # A program was killed while it created the catalogue, or `touch` made the file.
        return
    marked = len(header) == 100 and header[68:72] == APPLICATION.to_bytes(4, "big")
    if not (marked and header.startswith(b"SQLite format 3\0")):
        raise CatalogueError(f"{path}: not a catalogue of linkoracle")


def _bring_up(file: sqlite3.Connection, version: int) -> None:
    """Update the tables to a version in one transaction, unless another program has done so."""
    if not 0 <= schema(file) < version:
        return
    with transaction(file):
        for step in _STEPS[schema(file) : version]:
            for statement in step.split(";\n")[:-1]:
                file.execute(statement)
        file.execute(f"PRAGMA application_id = {APPLICATION}")
        file.execute(f"PRAGMA user_version = {version}")


def schema(file: sqlite3.Connection) -> int:
    """Return the version of the tables of a file; 0 if it has none yet."""
    return int(file.execute("PRAGMA user_version").fetchone()[0])


def rows_of(file: sqlite3.Connection, query: str, values: Sequence[Any] = ()) -> list[Any]:
    """Return all rows of a query. Values stored as text that are not valid text come as bytes."""
    try:
        return file.execute(query, values).fetchall()
    except sqlite3.OperationalError as error:
        if "decode" not in str(error):
            raise
        file.text_factory = _text_or_bytes
        return file.execute(query, values).fetchall()


def _text_or_bytes(data: bytes) -> str | bytes:
    try:
        return data.decode()
    except UnicodeDecodeError:
        return data


def changes(file: sqlite3.Connection) -> Iterator[str]:
    """Yield the differences of tables, indexes, views and triggers from those of its version.

    Ignores the objects that SQLite itself adds.
    """
    query = (
        "SELECT name, type, tbl_name, sql FROM sqlite_master WHERE substr(name, 1, 7) != 'sqlite_'"
    )
    with closing(_connected(":memory:")) as fresh:
        _bring_up(fresh, schema(file))
        expected = {name: rest for name, *rest in rows_of(fresh, query)}
    found = {name: rest for name, *rest in rows_of(file, query)}
    for name in sorted({*expected, *found}, key=str):
        if name not in found:
            yield f"the {expected[name][0]} {name} is missing"
        elif name not in expected:
            yield f"there is a {found[name][0]} {name!r}, which no catalogue has"
        elif found[name] != expected[name]:
            yield f"the {expected[name][0]} {name} is not the standard one"


@contextmanager
def transaction(file: sqlite3.Connection) -> Iterator[None]:
    """Write all changes of this block at its end, or none of them."""
    # Immediate, so that two writers wait for each other here and not later, in a deadlock.
    file.execute("BEGIN IMMEDIATE")
    try:
        yield
        file.execute("COMMIT")
    finally:
        if file.in_transaction:
            file.execute("ROLLBACK")


@contextmanager
def sqlite_errors(path: Path | None) -> Iterator[None]:
    """Turn errors of SQLite into one line that names the file."""
    try:
        yield
    except sqlite3.Error as error:
        code = getattr(error, "sqlite_errorcode", 0) & 0xFF
        if code in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
            raise CatalogueError(f"{path} is in use by another program") from None
        if unwritten := sqlite_cannot_write(error, path):
            raise unwritten from None
        raise CatalogueError(f"{path}: {error}") from None
    except UnicodeDecodeError:
        # The message of this error would quote damaged bytes.
        raise CatalogueError(f"{path}: it is damaged") from None
    except OverflowError:
        raise CatalogueError(f"{path}: expected whole numbers below 2**63") from None


def maker_of(file: sqlite3.Connection, request: str) -> int:
    """Return the id of the maker with this request; add it if it is new, in a transaction.

    Raises `CatalogueError` if no id is left.
    """
    known = file.execute("SELECT id FROM maker WHERE request = ?", (request,)).fetchone()
    if known is not None:
        return int(known[0])
    # SQLite could reuse the id of a deleted maker, whose puzzles would then get this one.
    ((last,),) = file.execute(
        "SELECT max(id) FROM (SELECT id FROM maker UNION ALL SELECT maker FROM puzzle) "
        "WHERE typeof(id) = 'integer'"
    )
    if last == MOST:
        raise CatalogueError(f"expected ids of makers below {MOST}")
    new = max(last or 0, 0) + 1
    file.execute("INSERT INTO maker (id, request) VALUES (?, ?)", (new, request))
    return new
