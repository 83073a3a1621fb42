"""`Record`: what a row of a catalogue says of a puzzle, how texts in rows are written, and which
certificates come in and go out."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from functools import cached_property, lru_cache
from math import isfinite
from types import NoneType
from typing import TYPE_CHECKING, Any, Self

from linkoracle.board.solution import Solution
from linkoracle.catalogue.filter import GRADES
from linkoracle.core.errors import CatalogueError, NoCertificate, counted
from linkoracle.formats import read, write
from linkoracle.formats.reading import clean_name
from linkoracle.kinds import KINDS, Puzzle, canonical, violations
from linkoracle.looks import ClueLooks, LinkLooks, has_looks, looks

if TYPE_CHECKING:
    from linkoracle.certificates import Certificate

#: The columns of a row, in the order of the fields of a `Record`. Those that are no numbers are
#: text; those that are not optional are always there.
COLUMNS = (
    *("id", "kind", "rule", "rows", "cols", "clues", "puzzle", "solution", "canonical"),
    *("name", "seed", "number", "maker", "added", "grade", "steps", "graded", "looks"),
    "certificate",
)
_NUMBERS = ("id", "rows", "cols", "clues", "number", "steps")
_OPTIONAL = ("name", "seed", "number", "grade", "steps", "graded", "looks")
_CALLED = {int: "a whole number", float: "a decimal number", str: "text", bytes: "bytes"}
_HEXADECIMAL = re.compile(r"0|[1-9a-f][0-9a-f]*", re.ASCII)
_MOMENT = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", re.ASCII)
#: The characters of a seed; longer numbers take long to read.
MOST_DIGITS = 4300
#: The name of a rule.
WORD = re.compile(r"[a-z]+")
#: The bytes that are read of a certificate: as `verify_certificate.MOST_BYTES`, which takes the
#: verifier to load.
MOST_BYTES = 2 * 10**7


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


def looks_text(puzzle: Puzzle, solution: Solution) -> str | None:
    """What a puzzle looks like as text; ``None`` for kinds that have neither clues nor links.

    Files hold these texts, and `Record.faults` compares them: other measures need a new schema.

    >>> from linkoracle import Slitherlink, solve
    >>> board = Slitherlink([[3, 3], [None, None]])
    >>> looks_text(board, solve(board))[:32]
    '{"density": 0.5, "block_deviatio'
    """
    return json.dumps(asdict(looks(puzzle, solution))) if has_looks(puzzle) else None


def looks_of_columns(text: bytes, solved: bytes) -> str | None:
    """The same for the texts of a row, in which anything may stand: `looks_text`, or ``None``."""
    try:
        puzzle = read(f"{text.decode()}\n")
        return looks_text(puzzle, unpacked(puzzle, solved.decode()))
    except ValueError:
        return None


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
    version that graded. ``looks`` is what the puzzle looks like, ``None`` for kinds that have
    neither clues nor links. ``maker`` is the request that made the puzzle: command, version and
    parameters; ``seed`` its seed, and ``number`` the place of the puzzle in that run, from 1.
    ``added`` is when, in UTC. ``certified`` says whether the file has a certificate of it, which
    `Catalogue.certificate` reads.
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
    looks: ClueLooks | LinkLooks | None
    certified: bool

    @classmethod
    def of_row(cls, row: Sequence[Any]) -> Self:
        """The record of a row, whose columns stand in the order of the fields.

        In place of the certificate stands its type, as SQLite calls it. Raises `CatalogueError` for
        values that no catalogue writes. The texts of the puzzle and of its solution are read when
        they are first asked for.
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
        if values["looks"] is not None:
            values["looks"] = _looks_in(values["looks"])
        if values["certified"] not in ("null", "blob"):
            raise CatalogueError(f"its certificate is {values['certified']}, expected bytes")
        values["certified"] = values["certified"] == "blob"
        return cls(**values)

    @property
    def score(self) -> int | None:
        """The score of the grade; ``None`` without one, as of grades by earlier versions."""
        found = None if self.graded is None else self.graded.get("score")
        return found if type(found) is int else None

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
        `linkoracle.check_solution`. It does not prove again that there is no other solution.
        """
        try:
            puzzle, solution = self.puzzle, self.solution
        except ValueError as error:
            return [f"it cannot be read: {error}"]
        said = (self.kind, self.rule, self.rows, self.cols, self.clues)
        is_so = (puzzle.kind, puzzle.rule, puzzle.rows, puzzle.cols, puzzle.number_of_clues)
        seen = looks(puzzle, solution) if has_looks(puzzle) else None
        sound = {
            "its description is of another puzzle": said == is_so,
            "its canonical form is of another puzzle": self.key == key_of(puzzle),
            "its text is not as it is written": self.text == write(puzzle, "text"),
            "its name is not one line of text": self.name in (None, clean_name(self.name or "")),
            f"its number is {self.number}": self.number is None or self.number > 0,
            "it has no time at which it was added": _MOMENT.fullmatch(self.added),
            "its looks are not those of the puzzle": self.looks == seen,
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
        known = ("grade", "score", "graded", "maker", "seed", "number", "added", "certified")
        return {
            **{name: getattr(self, name) for name in said},
            "puzzle": json.loads(write(self.puzzle, "json")),
            "solution": self.solution.paths(),
            **{name: getattr(self, name) for name in known},
            "looks": None if self.looks is None else asdict(self.looks),
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


def _form(value: object) -> object:
    """The names and types of what JSON holds; a number that is none fits nothing."""
    if isinstance(value, dict):
        return {name: _form(one) for name, one in value.items()}
    if isinstance(value, (list, tuple)):
        return [_form(one) for one in value]
    return None if isinstance(value, float) and not isfinite(value) else type(value)


#: The forms of looks.
_FORMS: tuple[tuple[type[ClueLooks | LinkLooks], object], ...] = tuple(
    (type(one), _form(asdict(one)))
    for one in (
        ClueLooks(0.0, 0.0, 0, 0, 0, (0.0, 0.0, 0.0, 0.0)),
        LinkLooks(0, 0.0, 0.0, 0.0, 0.0, 0.0),
    )
)


def _looks_in(text: str) -> ClueLooks | LinkLooks:
    """What `looks_text` wrote."""
    found = _json_object(text)
    form = _form(found)
    for kind, right in _FORMS:
        if found is not None and form == right:
            values: Any = {one: tuple(of) if type(of) is list else of for one, of in found.items()}
            return kind(**values)
    raise CatalogueError("its looks are not as they are written")


def _json_object(text: object) -> dict[str, Any] | None:
    try:
        found = json.loads(text) if isinstance(text, str) else None
    except (ValueError, RecursionError):
        found = None
    return found if isinstance(found, dict) else None


#: The request in a text, from which many puzzles come; ``None`` if there is none.
request_of = lru_cache(maxsize=256)(_json_object)


def data_of(certificate: Certificate, puzzle: Puzzle | None) -> bytes:
    """The bytes of a certificate that comes; ``ValueError`` if it is not of one solution of this.

    It is taken to hold, as all do that `linkoracle.certificate` makes.
    """
    if certificate.puzzle != puzzle:
        raise ValueError("expected a certificate of this puzzle, got one of another")
    if len(certificate.solutions) != 1:
        found = counted(len(certificate.solutions), "solution")
        raise ValueError(f"expected a certificate of one solution, got one of {found}")
    return certificate.data


def check_bytes(data: bytes, puzzle: Puzzle) -> None:
    """Verify a certificate that comes from a file, in which somebody may have changed it.

    Raises `CatalogueError` if it does not prove that this very puzzle has one solution.
    """
    from linkoracle.certificates import verify_certificate as checker
    from linkoracle.certificates.writing import record_of

    try:
        _, number, _ = checker.verify(data, checker.Puzzle(record_of(puzzle)))
    except (checker.Refused, NoCertificate, MemoryError) as error:
        raise CatalogueError(f"its certificate does not hold: {error}") from None
    if number != 1:
        raise CatalogueError(f"its certificate is of {counted(number, 'solution')}, expected one")
