"""The file of a catalogue: SQLite with a stamp, and `Record`, what a row of it says of a puzzle.

A rollback journal, not a write-ahead log: one file is all there is once nobody writes, readers
leave nothing beside it, and it may lie on a network drive. Readers take what they want in short
pages, so that they never hold up a writer for longer than that.
"""

from __future__ import annotations

import json
import re
import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass, fields
from functools import cached_property, lru_cache
from pathlib import Path
from types import NoneType
from typing import Any, Self

from linkoracle.board.lattice import Solution
from linkoracle.core.errors import CatalogueError
from linkoracle.formats import read, write
from linkoracle.formats.reading import clean_name
from linkoracle.kinds import KINDS, Puzzle, canonical, violations

#: Says that an SQLite file is a catalogue: "LOca" as a number.
APPLICATION = 0x4C4F6361
#: The version of the tables below.
SCHEMA = 1
#: Seconds to wait for another program that writes.
_PATIENCE = 30.0

_TABLES = """
CREATE TABLE maker (
    id INTEGER PRIMARY KEY,
    request TEXT NOT NULL UNIQUE
);
CREATE TABLE puzzle (
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
    graded TEXT
);
CREATE UNIQUE INDEX same ON puzzle (canonical);
CREATE INDEX described ON puzzle (kind, rule, rows, cols, grade, clues);
"""

#: The labels of grades, the easiest first: those of `linkoracle.deduce`, which takes Numba to load.
GRADES = ("easy", "normal", "tricky", "hard", "extreme", "gave up")
#: The columns of a row, in the order of the fields of a `Record`. Those that are no numbers are
#: text; those that are not optional are always there.
COLUMNS = (
    *("id", "kind", "rule", "rows", "cols", "clues", "puzzle", "solution", "canonical"),
    *("name", "seed", "number", "maker", "added", "grade", "steps", "graded"),
)
_NUMBERS = ("id", "rows", "cols", "clues", "number", "steps")
_OPTIONAL = ("name", "seed", "number", "grade", "steps", "graded")
_CALLED = {int: "a whole number", float: "a decimal number", str: "text", bytes: "bytes"}
_HEXADECIMAL = re.compile(r"0|[1-9a-f][0-9a-f]*", re.ASCII)
_MOMENT = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", re.ASCII)
#: The characters of a seed; longer numbers take long to read.
MOST_DIGITS = 4300
#: The name of a rule.
WORD = re.compile(r"[a-z]+")


def opened(path: Path | None, *, writing: bool, create: bool) -> sqlite3.Connection:
    """Open a catalogue; with ``create``, make it if there is nothing yet. ``None`` is in memory.

    Raises `CatalogueError` for a file that is none, which is left as it was.
    """
    if path is None:
        file = sqlite3.connect(":memory:", isolation_level=None)
    else:
        _check_header(path, create)
        # Reading, too, opens for writing where that is allowed: after a crash the first to come
        # has to take back what was half done.
        address = f"{path.absolute().as_uri()}?mode={'rwc' if create else 'rw'}"
        with told(path):
            file = sqlite3.connect(address, uri=True, isolation_level=None, timeout=_PATIENCE)
    try:
        with told(path):
            # A file from elsewhere may hold views and triggers that call what they should not.
            file.execute("PRAGMA trusted_schema = OFF")
            file.execute("PRAGMA synchronous = FULL")
            if create or path is None:
                _begin(file)
            if not (found := _schema(file)):
                raise CatalogueError(f"{path} is not a catalogue: it is empty")
            if found != SCHEMA:
                raise CatalogueError(
                    f"{path} was written by a later version of linkoracle (schema {found}; this "
                    f"version reads {SCHEMA})"
                )
            if not writing:
                file.execute("PRAGMA query_only = ON")
    except BaseException:
        file.close()
        raise
    return file


def _check_header(path: Path, create: bool) -> None:
    """Look at the bytes before SQLite does, which would write to a file that it has to mend."""
    try:
        with path.open("rb") as file:
            header = file.read(100)
    except FileNotFoundError:
        if create:
            return
        raise CatalogueError(f"{path} cannot be read: there is no such file") from None
    except OSError as error:
        raise CatalogueError(f"{path} cannot be read: {error.strerror}") from None
    if not header:
        # A catalogue that was killed while it began, or a file made by `touch`.
        return
    stamped = len(header) == 100 and header[68:72] == APPLICATION.to_bytes(4, "big")
    if not (stamped and header.startswith(b"SQLite format 3\0")):
        raise CatalogueError(f"{path} is not a catalogue of linkoracle")


def _begin(file: sqlite3.Connection) -> None:
    """Make the tables, all of them or none, unless another program has done so."""
    if _schema(file):
        return
    with transaction(file):
        if _schema(file):
            return
        for statement in _TABLES.split(";\n")[:-1]:
            file.execute(statement)
        file.execute(f"PRAGMA application_id = {APPLICATION}")
        file.execute(f"PRAGMA user_version = {SCHEMA}")


def _schema(file: sqlite3.Connection) -> int:
    return int(file.execute("PRAGMA user_version").fetchone()[0])


def rows_of(file: sqlite3.Connection, question: str, values: Sequence[Any] = ()) -> list[Any]:
    """All rows of an answer. What is stored as text and is none comes as bytes."""
    try:
        return file.execute(question, values).fetchall()
    except sqlite3.OperationalError as error:
        if "decode" not in str(error):
            raise
        file.text_factory = _text_or_bytes
        return file.execute(question, values).fetchall()


def _text_or_bytes(data: bytes) -> str | bytes:
    try:
        return data.decode()
    except UnicodeDecodeError:
        return data


def changes(file: sqlite3.Connection) -> Iterator[str]:
    """How tables, indexes, views and triggers differ from those that `opened` makes.

    What SQLite adds itself is left out.
    """
    question = (
        "SELECT name, type, tbl_name, sql FROM sqlite_master WHERE substr(name, 1, 7) != 'sqlite_'"
    )
    with closing(opened(None, writing=True, create=True)) as fresh:
        wanted = {name: rest for name, *rest in rows_of(fresh, question)}
    found = {name: rest for name, *rest in rows_of(file, question)}
    for name in sorted({*wanted, *found}, key=str):
        if name not in found:
            yield f"the {wanted[name][0]} {name} is missing"
        elif name not in wanted:
            yield f"there is a {found[name][0]} {name!r}, which no catalogue has"
        elif found[name] != wanted[name]:
            yield f"the {wanted[name][0]} {name} is not as it is made"


@contextmanager
def transaction(file: sqlite3.Connection) -> Iterator[None]:
    """All that happens inside is written at the end, or nothing of it."""
    # Immediate: two writers wait for each other here, and not half-way where neither can go on.
    file.execute("BEGIN IMMEDIATE")
    try:
        yield
        file.execute("COMMIT")
    finally:
        if file.in_transaction:
            file.execute("ROLLBACK")


@contextmanager
def told(path: Path | None) -> Iterator[None]:
    """Turn errors of SQLite into one line that names the file."""
    try:
        yield
    except sqlite3.Error as error:
        code = getattr(error, "sqlite_errorcode", 0) & 0xFF
        if code in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
            raise CatalogueError(f"{path} is in use by another program") from None
        raise CatalogueError(f"{path}: {error}") from None
    except OverflowError:
        raise CatalogueError(f"{path}: expected whole numbers below 2**63") from None


def key_of(puzzle: Puzzle) -> str:
    """The text that puzzles share when they are the same up to symmetry and names of numbers.

    Files hold these texts: a change here, or in the native format, makes old files miss
    duplicates, and needs a new schema.
    """
    return write(canonical(puzzle), "text")


def packed(solution: Solution) -> str:
    """A solution as text: a hexadecimal number whose bit *e* says that edge *e* is drawn.

    >>> from linkoracle import Lattice
    >>> packed(Solution(Lattice(3, 3), (0, 1, 3, 5)))
    '2b'
    """
    return f"{sum(1 << edge for edge in solution.edges):x}"


def unpacked(puzzle: Puzzle, text: str) -> Solution:
    """The solution of ``puzzle`` that `packed` wrote; ``ValueError`` if it cannot be one."""
    if not _HEXADECIMAL.fullmatch(text):
        raise ValueError("expected a solution as a hexadecimal number")
    bits = int(text, 16)
    return Solution(puzzle.lattice, tuple(e for e in range(bits.bit_length()) if bits >> e & 1))


@dataclass(frozen=True)
class Record:
    """One puzzle of a catalogue.

    ``id`` counts from 1 in the order in which puzzles came. ``clues`` is the number of clues, of
    pairs, or of what else the kind counts. ``grade`` is the label of the grade, ``"gave up"`` where
    deduction did not solve the puzzle, or ``None`` before grading; ``steps`` is how many
    steps it took and ``graded`` all of the grade, as `linkoracle.deduce.Grade` has it, with the
    version that graded. ``maker`` is the request that made the puzzle: command, version and
    parameters; ``seed`` its seed, and ``number`` the place of the puzzle in that run, from 1.
    ``added`` is when, in UTC.
    """

    id: int
    kind: str
    rule: str
    rows: int
    cols: int
    clues: int
    text: str
    solved: str
    key: str
    name: str | None
    seed: int | None
    number: int | None
    maker: Mapping[str, Any]
    added: str
    grade: str | None
    steps: int | None
    graded: Mapping[str, Any] | None

    @classmethod
    def of_row(cls, row: Sequence[Any]) -> Self:
        """The record of a row, whose columns stand in the order of the fields.

        Raises `CatalogueError` for values that no catalogue writes. The texts of the puzzle and of
        its solution are read when they are first asked for.
        """
        if wrong := _wrong_type(tuple(map(type, row))):
            raise CatalogueError(wrong)
        values: dict[str, Any] = dict(zip(_FIELDS, row, strict=True))
        if values["id"] < 1:
            raise CatalogueError("expected an id from 1")
        if values["kind"] not in KINDS or not WORD.fullmatch(values["rule"]):
            raise CatalogueError("its kind or its rule is unknown")
        if values["grade"] is not None and values["grade"] not in GRADES:
            raise CatalogueError("its grade is unknown")
        if values["seed"] is not None:
            values["seed"] = _whole(values["seed"])
        values["maker"] = request_of(values["maker"])
        if values["maker"] is None:
            raise CatalogueError("its maker is no JSON object")
        if values["graded"] is not None:
            values["graded"] = _json_object(values["graded"])
            if values["graded"] is None:
                raise CatalogueError("its grade is no JSON object")
        return cls(**values)

    @property
    def size(self) -> str:
        """Rows and columns, as ``"10x12"``."""
        return f"{self.rows}x{self.cols}"

    @cached_property
    def puzzle(self) -> Puzzle:
        """Raises `FormatError`, a ``ValueError``, for a text that is no puzzle."""
        # A text with a line break is never taken for the name of a file.
        return read(f"{self.text}\n")

    @cached_property
    def solution(self) -> Solution:
        """Raises ``ValueError`` for a text that is no solution of the puzzle."""
        return unpacked(self.puzzle, self.solved)

    def faults(self) -> list[str]:
        """What is wrong with this record, a sentence each; empty when nothing is.

        Reads the puzzle again, compares what the file says of it, and puts the solution before
        `linkoracle.verify`. It does not prove again that there is no other solution.
        """
        try:
            puzzle, solution = self.puzzle, self.solution
        except ValueError as error:
            return [f"it cannot be read: {error}"]
        said = (self.kind, self.rule, self.rows, self.cols, self.clues)
        is_so = (puzzle.kind, puzzle.rule, puzzle.rows, puzzle.cols, puzzle.number_of_clues)
        sound = {
            "its description is of another puzzle": said == is_so,
            "its canonical form is of another puzzle": self.key == key_of(puzzle),
            "its text is not as it is written": self.text == write(puzzle, "text"),
            "its name is not one line of text": self.name in (None, clean_name(self.name or "")),
            f"its number is {self.number}": self.number is None or self.number > 0,
            "it has no time at which it was added": _MOMENT.fullmatch(self.added),
            "its grade, its steps and all of its grade do not fit together": self._grade_fits(),
        }
        return [fault for fault, fine in sound.items() if not fine] + violations(puzzle, solution)

    def _grade_fits(self) -> bool:
        if self.graded is None:
            return self.grade is None and self.steps is None
        steps = self.graded.get("steps")
        return (
            (self.graded.get("label") or self.graded.get("status")) == self.grade
            and isinstance(steps, dict)
            and all(type(number) is int for number in steps.values())
            and sum(steps.values()) == self.steps
        )

    def as_json(self) -> dict[str, Any]:
        """Everything as JSON can hold it; the solution as walks over ``[row, column]``."""
        said = ("id", "kind", "rule", "rows", "cols", "clues", "name")
        known = ("grade", "graded", "maker", "seed", "number", "added")
        return {
            **{name: getattr(self, name) for name in said},
            "puzzle": json.loads(write(self.puzzle, "json")),
            "solution": self.solution.paths(),
            **{name: getattr(self, name) for name in known},
        }


_FIELDS = [field.name for field in fields(Record)]


@lru_cache(maxsize=256)
def _wrong_type(types: tuple[type, ...]) -> str | None:
    """What is wrong with the types of the values of a row; few different ones come."""
    for column, found in zip(COLUMNS, types, strict=True):
        wanted = int if column in _NUMBERS else str
        if found is NoneType and column not in _OPTIONAL:
            return f"its {column} is missing"
        if found not in (wanted, NoneType):
            return f"its {column} is {_CALLED[found]}, expected {_CALLED[wanted]}"
    return None


def _whole(text: str) -> int:
    """A seed, which is written as text since it may have more digits than numbers of SQLite."""
    try:
        number = int(text[:MOST_DIGITS])
        if str(number) == text:
            return number
    except ValueError:
        pass
    raise CatalogueError("its seed is no whole number")


def _json_object(text: object) -> dict[str, Any] | None:
    try:
        found = json.loads(text) if isinstance(text, str) else None
    except (ValueError, RecursionError):
        found = None
    return found if isinstance(found, dict) else None


#: The request in a text, from which many puzzles come; ``None`` if there is none.
request_of = lru_cache(maxsize=256)(_json_object)
