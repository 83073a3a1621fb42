"""`Record`: a row of a catalogue; the texts in rows, and checks of certificates."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from functools import cached_property, lru_cache
from math import isfinite
from types import NoneType
from typing import Any, Self

from linkoracle import certificates
from linkoracle.board import Solution
from linkoracle.catalogue.filter import GRADES, OUTDATED
from linkoracle.core import SCALE, CatalogueError, NoCertificate, counted
from linkoracle.formats import clean_name, read, write
from linkoracle.generate import (
    ClueStatistics,
    LayoutStatistics,
    LoopStatistics,
    PathStatistics,
    has_layout_statistics,
    layout_statistics,
)
from linkoracle.kinds import KINDS, Puzzle, canonical, violations

#: The columns of a row, in the order of the fields of a `Record`. They are numbers or texts; those
#: that are not optional are never NULL.
COLUMNS = (
    *("id", "kind", "variant", "rows", "cols", "clues", "puzzle", "solution", "canonical"),
    *("name", "seed", "number", "maker", "added", "grade", "steps", "graded", "looks"),
    "certificate",
)
_NUMBERS = ("id", "rows", "cols", "clues", "number", "steps")
_OPTIONAL = ("name", "seed", "number", "grade", "steps", "graded", "looks")
_CALLED = {int: "a whole number", float: "a decimal number", str: "text", bytes: "bytes"}
_HEXADECIMAL = re.compile(r"0|[1-9a-f][0-9a-f]*", re.ASCII)
_MOMENT = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", re.ASCII)
#: Most digits of a seed; longer numbers take long to read.
MOST_DIGITS = 4300
#: Pattern of the name of a variant, such as "fill-apart".
WORD = re.compile(r"[a-z-]+")
#: Most bytes read of a certificate; the same as `verify_certificate.MOST_BYTES`.
MOST_BYTES = 2 * 10**7


def key_of(puzzle: Puzzle) -> str:
    """Return a text that is the same for puzzles equal up to symmetry and names of numbers.

    Files have these texts. After a change here or in the native format, old files would miss
    duplicates, so it needs a new schema.
    """
    return write(canonical(puzzle), "text")


def size_text(rows: int, cols: int) -> str:
    """Return a size of `size_of` in words.

    >>> size_text(2, 3), size_text(0, 6)
    ('2x3', '6 faces')
    """
    return f"{rows}x{cols}" if rows else counted(cols, "face")


def packed(solution: Solution) -> str:
    """Return a solution as text: a hexadecimal number with bit *e* set if edge *e* is drawn.

    >>> from linkoracle import Lattice
    >>> packed(Solution(Lattice(3, 3), (0, 1, 3, 5)))
    '2b'
    """
    return f"{sum(1 << edge for edge in solution.edges):x}"


def _layout_of(puzzle: Puzzle, solution: Solution) -> LayoutStatistics | None:
    """Return the layout statistics of Slitherlinks and Numberlinks on rows and columns."""
    # Those of other boards and kinds would need a new schema.
    has_any = puzzle.tiling is None and has_layout_statistics(puzzle)
    found = layout_statistics(puzzle, solution) if has_any else None
    return None if isinstance(found, LoopStatistics) else found


def layout_text(puzzle: Puzzle, solution: Solution) -> str | None:
    """Return the layout statistics as text; ``None`` for boards and kinds without them.

    Files have these texts, and `Record.faults` compares them, so other measures need a new schema.

    >>> from linkoracle import Slitherlink, solve
    >>> board = Slitherlink([[3, 3], [None, None]])
    >>> layout_text(board, solve(board))[:32]
    '{"density": 0.5, "block_deviatio'
    """
    found = _layout_of(puzzle, solution)
    return None if found is None else json.dumps(asdict(found))


def layout_of_columns(text: bytes, solved: bytes) -> str | None:
    """Return `layout_text` for the texts of a row, or ``None`` if they are damaged."""
    try:
        puzzle = read(text.decode())
        return layout_text(puzzle, unpacked(puzzle, solved.decode()))
    except ValueError:
        return None


def unpacked(puzzle: Puzzle, text: str) -> Solution:
    """Return the solution that `packed` wrote; raise ``ValueError`` if it cannot be one."""
    if not _HEXADECIMAL.fullmatch(text):
        raise ValueError("expected a solution as a hexadecimal number")
    bits = int(text, 16)
    return Solution(puzzle.board, tuple(e for e in range(bits.bit_length()) if bits >> e & 1))


@dataclass(frozen=True)
class Record:
    """One puzzle of a catalogue.

    ``id`` counts from 1 in the order of addition. On a board that is not square, ``rows`` is 0 and
    ``cols`` the number of faces. ``clues`` is the number of clues, or of pairs.
    ``grade`` is the label, ``"gave up"`` if deduction did not solve the puzzle, ``"outdated"`` if
    it was graded on another scale, or ``None`` before grading. ``steps`` is the number of
    steps, and ``graded`` the whole `linkoracle.deduce.Grade` with the version that graded.
    ``layout`` are the layout statistics, ``None`` for kinds without them. ``source`` is the request
    that made the puzzle: command, version and parameters; ``seed`` is its seed, and ``number`` the
    number of the puzzle in that run, from 1. ``added`` is the time of addition in UTC.
    ``certified`` is whether the file has a certificate of the puzzle, which
    `Catalogue.certificate` reads.
    """

    id: int
    kind: str
    variant: str
    rows: int
    cols: int
    clues: int
    text: str
    solved: str
    key: str
    name: str | None
    seed: int | None
    number: int | None
    source: Mapping[str, Any]
    added: str
    grade: str | None
    steps: int | None
    graded: Mapping[str, Any] | None
    layout: ClueStatistics | PathStatistics | None
    certified: bool

    @classmethod
    def of_row(cls, row: Sequence[Any]) -> Self:
        """Return the record of a row, with columns in the order of the fields.

        The certificate is replaced by its SQLite type. Raises `CatalogueError` for invalid values.
        The texts of the puzzle and of its solution are parsed on first use.
        """
        if wrong := _wrong_type(tuple(map(type, row))):
            raise CatalogueError(wrong)
        values: dict[str, Any] = dict(zip(_FIELDS, row, strict=True))
        if values["id"] < 1:
            raise CatalogueError("expected an id from 1")
        if values["kind"] not in KINDS or not WORD.fullmatch(values["variant"]):
            raise CatalogueError("its kind or variant is unknown")
        if values["grade"] is not None and values["grade"] not in GRADES:
            raise CatalogueError("its grade is unknown")
        if values["seed"] is not None:
            values["seed"] = _whole(values["seed"])
        values["source"] = request_of(values["source"])
        if values["source"] is None:
            raise CatalogueError("its maker is not a JSON object")
        if values["graded"] is not None:
            values["graded"] = _json_object(values["graded"])
            if values["graded"] is None:
                raise CatalogueError("its grade is not a JSON object")
            if values["graded"].get("scale") != SCALE:
                values["grade"] = OUTDATED
        if values["layout"] is not None:
            values["layout"] = _layout_in(values["layout"])
        if values["certified"] not in ("null", "blob"):
            raise CatalogueError(f"its certificate is {values['certified']}, expected bytes")
        values["certified"] = values["certified"] == "blob"
        return cls(**values)

    @property
    def score(self) -> int | None:
        """The score of the grade; ``None`` if there is none, or one on another scale."""
        found = None if self.graded is None else self.graded.get("score")
        if self.grade == OUTDATED:
            return None
        return found if type(found) is int else None

    @property
    def size(self) -> str:
        """Rows and columns, such as ``"10x12"``, or the number of faces."""
        return size_text(self.rows, self.cols)

    @cached_property
    def puzzle(self) -> Puzzle:
        """The puzzle. Raises `FormatError`, a ``ValueError``, if its text is invalid."""
        # `read` never treats a text with a line break as a file name.
        return read(self.text)

    @cached_property
    def solution(self) -> Solution:
        """The solution. Raises ``ValueError`` if its text is invalid."""
        return unpacked(self.puzzle, self.solved)

    def faults(self) -> list[str]:
        """Return the faults of this record, a sentence each; empty if it is sound.

        Parses the puzzle, compares it with the other columns, and checks the solution with
        `linkoracle.check_solution`. Does not prove again that there is no other solution.
        """
        try:
            puzzle, solution = self.puzzle, self.solution
        except ValueError as error:
            return [f"it cannot be read: {error}"]
        described = (self.kind, self.variant, self.rows, self.cols, self.clues)
        description = (puzzle.kind, puzzle.variant, *puzzle.faces.shape, puzzle.number_of_clues)
        broken = violations(puzzle, solution)
        sound = {
            "its kind, variant, size or number of clues is wrong": described == description,
            "its canonical form is wrong": self.key == key_of(puzzle),
            "its text is not in the standard form": self.text == write(puzzle, "text"),
            "its name is not a line of text": self.name in (None, clean_name(self.name or "")),
            f"its number is {self.number}": self.number is None or self.number > 0,
            "its time of addition is invalid": _MOMENT.fullmatch(self.added),
            # Lines that branch have no lengths and turns.
            "its layout statistics are wrong": (
                broken or self.layout == _layout_of(puzzle, solution)
            ),
            "its label, steps and grade contradict each other": self._grade_fits(),
        }
        return [fault for fault, fine in sound.items() if not fine] + broken

    def _grade_fits(self) -> bool:
        if self.graded is None:
            return self.grade is None and self.steps is None
        steps = self.graded.get("steps")
        return (
            self.grade in (OUTDATED, self.graded.get("label") or self.graded.get("status"))
            and isinstance(steps, dict)
            and all(type(number) is int for number in steps.values())
            and sum(steps.values()) == self.steps
        )

    def as_json(self) -> dict[str, Any]:
        """Return all fields for JSON; the solution is vertex paths of ``[row, column]``."""
        first = ("id", "kind", "variant", "rows", "cols", "clues", "name")
        later = ("seed", "number", "added", "certified")
        return {
            **{name: getattr(self, name) for name in first},
            "puzzle": json.loads(write(self.puzzle, "json")),
            "solution": self.solution.paths(),
            **{name: getattr(self, name) for name in ("grade", "score", "graded")},
            "maker": self.source,
            **{name: getattr(self, name) for name in later},
            "looks": None if self.layout is None else asdict(self.layout),
        }


_FIELDS = [field.name for field in fields(Record)]


@lru_cache(maxsize=256)
def _wrong_type(types: tuple[type, ...]) -> str | None:
    """Return the fault in the types of the values of a row, or ``None``; cached."""
    for column, found in zip(COLUMNS, types, strict=True):
        expected = int if column in _NUMBERS else str
        if found is NoneType and column not in _OPTIONAL:
            return f"its {column} is missing"
        if found not in (expected, NoneType):
            return f"its {column} is {_CALLED[found]}, expected {_CALLED[expected]}"
    return None


def _whole(text: str) -> int:
    """Read a seed, which is stored as text as it may exceed the integers of SQLite."""
    try:
        number = int(text[:MOST_DIGITS])
        if str(number) == text:
            return number
    except ValueError:
        pass
    raise CatalogueError("its seed is not a whole number")


def _form(value: object) -> object:
    """Return the names and types in a JSON value; NaN and infinity match nothing."""
    if isinstance(value, dict):
        return {name: _form(one) for name, one in value.items()}
    if isinstance(value, (list, tuple)):
        return [_form(one) for one in value]
    return None if isinstance(value, float) and not isfinite(value) else type(value)


#: The forms of layout statistics.
_FORMS: tuple[tuple[type[ClueStatistics | PathStatistics], object], ...] = tuple(
    (type(one), _form(asdict(one)))
    for one in (
        ClueStatistics(0.0, 0.0, 0, 0, 0, (0.0, 0.0, 0.0, 0.0)),
        PathStatistics(0, 0.0, 0.0, 0.0, 0.0, 0.0),
    )
)


def _layout_in(text: str) -> ClueStatistics | PathStatistics:
    """Read what `layout_text` wrote."""
    found = _json_object(text) or {}
    for kind, right in _FORMS:
        if _form(found) == right:
            values: Any = {one: tuple(of) if type(of) is list else of for one, of in found.items()}
            return kind(**values)
    raise CatalogueError("its layout statistics are invalid")


def _json_object(text: object) -> dict[str, Any] | None:
    try:
        found = json.loads(text) if isinstance(text, str) else None
    except (ValueError, RecursionError):
        found = None
    return found if isinstance(found, dict) else None


#: The request in a text, shared by many puzzles; ``None`` if it cannot be read.
request_of = lru_cache(maxsize=256)(_json_object)


def data_of(certificate: certificates.Certificate, puzzle: Puzzle | None) -> bytes:
    """Return the bytes of a new certificate; ``ValueError`` if it is of another puzzle.

    It must be of one solution. It is not verified, as `linkoracle.certificate` has made it.
    """
    if certificate.puzzle != puzzle:
        raise ValueError("expected a certificate of this puzzle, got one of another")
    if len(certificate.solutions) != 1:
        found = counted(len(certificate.solutions), "solution")
        raise ValueError(f"expected a certificate of one solution, got one of {found}")
    return certificate.data


def check_bytes(data: bytes, puzzle: Puzzle) -> None:
    """Verify a certificate from a file, which may have been changed.

    Raises `CatalogueError` if it does not prove that this puzzle has one solution.
    """
    checker = certificates.verify_certificate
    try:
        _, number, _ = checker.verify(data, checker.Puzzle(certificates.record_of(puzzle)))
    except (checker.Refused, NoCertificate, MemoryError) as error:
        raise CatalogueError(f"its certificate is invalid: {error}") from None
    if number != 1:
        raise CatalogueError(f"its certificate is of {counted(number, 'solution')}, expected one")
