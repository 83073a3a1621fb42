"""What is read: a text with a name, lines that can be pointed at; and how puzzles are built.

Which kind, which rule, and whose fault an error is: `decide_kind` and `build` serve every reader.
"""

from __future__ import annotations

import os
from bisect import bisect_right
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import NamedTuple, NoReturn

from linkoracle.core.errors import FormatError, PuzzleError
from linkoracle.kinds import KINDS, Puzzle, kind_named
from linkoracle.kinds.registry import alternatives

#: A longer line is refused at once: it is no puzzle, and would only cost time.
MAX_LINE = 1_000_000

#: A larger board is refused: nothing here could solve it, and it would only fill the memory.
MAX_CELLS = 1_000_000

#: A longer number is refused: no board has that many pairs.
MAX_DIGITS = 18

#: A place in a document as ``(line, column)``, both from 1.
Place = tuple[int, int]

_MAX_SHOWN = 40
_MAX_PATH_SHOWN = 200


@dataclass(frozen=True)
class Entry:
    """A puzzle with its name, if it has one, and its first line in the source, from 1."""

    puzzle: Puzzle
    name: str | None
    line: int


def _refuse(thing: str, value: object, known: Iterable[str]) -> NoReturn:
    expected = ", ".join(map(repr, known))
    raise FormatError(f"expected the {thing} {expected} or None, found {quoted(str(value))}")


class Asked(NamedTuple):
    """What the caller wants read: ``None`` leaves it to the text."""

    kind: str | None
    rule: str | None

    @classmethod
    def checked(cls, kind: str | None, rule: str | None) -> Asked:
        """What the caller asks for; `FormatError` for a kind or rule that there is not."""
        if kind is not None and kind not in KINDS:
            _refuse("kind", kind, KINDS)
        if rule is not None:
            rules = dict.fromkeys(name for found in KINDS.values() for name in found.rules)
            if rule not in rules:
                _refuse("rule", rule, rules)
        return cls(kind, rule)


#: Lists of dots or cells that a puzzle has beside its grid, with the place of each in the text.
Points = Mapping[str, tuple[Sequence[tuple[int, int]], Place]]


def quoted(text: str) -> str:
    """Return ``text`` fit for a message: in quotes, control characters escaped, cut when long.

    >>> quoted("a\\x1b[31m")
    "'a\\\\x1b[31m'"
    """
    shown = repr(text[:_MAX_SHOWN])
    if len(text) > _MAX_SHOWN or len(shown) > _MAX_SHOWN + 2:
        return shown[:_MAX_SHOWN] + "..."
    return shown


def counted(number: int, thing: str) -> str:
    """Return ``1 row``, ``2 rows``: a number with its noun."""
    return f"{number} {thing}" if number == 1 else f"{number} {thing}s"


def clean_name(name: str) -> str | None:
    """Return ``name`` on one line without control characters, or ``None`` when nothing is left."""
    printable = "".join(char if char.isprintable() else " " for char in name)
    return " ".join(printable.split()) or None


class Document:
    """A text and the name that error messages give it.

    Raises `FormatError` for a line of more than `MAX_LINE` characters.

    >>> document = Document("slitherlink\\n3.\\n.2\\n", "a.txt")
    >>> document.lines[1]
    '3.'
    >>> print(document.error("expected a clue", 2, 1))
    a.txt:2:1: expected a clue
    """

    def __init__(self, text: str, name: str | None = None) -> None:
        self.name = name
        self.text = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
        self.lines = self.text.split("\n")
        for number, line in enumerate(self.lines, start=1):
            if len(line) > MAX_LINE:
                raise self.error(
                    f"expected lines of at most {MAX_LINE} characters, found {len(line)}", number
                )

    def error(self, reason: str, line: int | None = None, column: int | None = None) -> FormatError:
        """Return the error that says ``reason`` of this place."""
        return FormatError(reason, source=self.name, line=line, column=column)

    def place(self, offset: int) -> Place:
        """Return the line and column of the character at ``offset`` in ``text``."""
        line = bisect_right(self._starts, offset)
        return line, offset - self._starts[line - 1] + 1

    def offset(self, line: int) -> int:
        """Return the offset in ``text`` at which a line (from 1) begins."""
        return self._starts[line - 1]

    @cached_property
    def _starts(self) -> list[int]:
        starts = [0]
        for line in self.lines:
            starts.append(starts[-1] + len(line) + 1)
        return starts[:-1]

    def nothing_before(self, index: int) -> bool:
        """Tell whether only blank lines and comments precede line ``index`` (from 0)."""
        return all(line.lstrip(" \t")[:1] in ("", "#") for line in self.lines[:index])


def load(
    source: str | os.PathLike[str], name: str | None, is_puzzle: Callable[[str], bool]
) -> Document:
    """Return the document that ``source`` is or names.

    A string with a line break is text; one without is text when ``is_puzzle`` says so and no file
    has that name, else a path. Raises `FormatError` when there is no such file or it is no text.
    """
    if isinstance(source, str):
        several_lines = "\n" in source or "\r" in source
        blank = not source.strip("\ufeff \t")
        if several_lines or blank or (is_puzzle(source) and not os.path.exists(source)):  # noqa: PTH110 - Path.exists raises on odd strings
            return Document(source, name)
    shown = name or _shown_path(os.fspath(source))
    try:
        data = Path(source).read_bytes()
    except FileNotFoundError:
        raise FormatError(
            "no such file (a puzzle as text has a line break)", source=shown
        ) from None
    except OSError as error:
        raise FormatError(f"cannot be read: {error.strerror}", source=shown) from None
    except ValueError:  # a NUL or a lone surrogate in the path
        raise FormatError("not the name of a file", source=shown) from None
    if b"\0" in data:
        raise FormatError("not a text file: it has NUL bytes", source=shown)
    try:
        return Document(data.decode(), shown)
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise FormatError(
            f"not a text file in UTF-8: found the byte 0x{data[error.start]:02x}",
            source=shown,
            line=line,
        ) from None


def _shown_path(path: str) -> str:
    return path if path.isprintable() and len(path) <= _MAX_PATH_SHOWN else quoted(path)


def decide_kind(
    document: Document, asked: Asked, stated: str | None, line: int, column: int | None = None
) -> type[Puzzle]:
    """Return the kind, from what the text states and what the caller asked for.

    Raises `FormatError` at the given place when the two differ or neither says anything. Nothing
    is inferred from the clues: a grid of digits may be a puzzle of several kinds.
    """
    name = stated or asked.kind
    if name is None:
        raise document.error(
            "expected to be told which puzzle this is, found only a grid "
            f"(add a first line {alternatives(KINDS)}, or pass --kind)",
            line,
        )
    if asked.kind and name != asked.kind:
        raise document.error(f"expected the kind {asked.kind}, found {name}", line, column)
    kind = kind_named(name)
    if asked.rule and asked.rule not in kind.rules:
        raise document.error(
            f"expected for {name} the rule {alternatives(kind.rules)}, "
            f"found {asked.rule!r} asked for",
            line,
        )
    return kind


def checked_size(document: Document, rows: int, cols: int, line: int, column: int) -> None:
    """Raise `FormatError` at the given place when a board has no cell or too many."""
    if not 0 < rows * cols <= MAX_CELLS:
        raise document.error(
            f"expected a board of 1 to {MAX_CELLS} cells, found {rows}x{cols}", line, column
        )


def build(
    document: Document,
    asked: Asked,
    kind: type[Puzzle],
    rule: str | None,
    grid: Sequence[Sequence[int | None]],
    place: Callable[[int, int], Place],
    line: int,
    points: Points | None = None,
) -> Puzzle:
    """Return the puzzle; every complaint of its constructor becomes a `FormatError` at its place.

    ``rule`` is what the text states, if anything; ``place`` maps a cell to the text, and ``line``
    is where the puzzle begins.
    """
    points = points or {}
    for name, (_, at) in points.items():
        if name not in kind.points:
            raise document.error(
                f"expected no {name} in a puzzle of the kind {kind.kind}, found some", *at
            )
    try:
        puzzle = kind.from_grid(grid, rule, **{name: found for name, (found, _) in points.items()})
    except PuzzleError as error:
        where: tuple[int, int | None] = (line, None)
        if error.cell is not None:
            where = place(*error.cell)
        elif points:
            (_, where), *_ = points.values()
        raise document.error(error.reason, *where) from None
    try:
        return puzzle if asked.rule is None else puzzle.with_rule(asked.rule)
    except PuzzleError as error:
        raise document.error(error.reason, line) from None
