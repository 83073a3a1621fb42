"""The types of values on the command line: numbers in a range, files, kinds, days, dots, boards."""

from __future__ import annotations

import errno
import math
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from linkoracle import boards, core, formats
from linkoracle.board import Board
from linkoracle.cli.program import text_of
from linkoracle.core import LABELS, LinkOracleError, checked_seconds, parse_size
from linkoracle.kinds import KINDS, alternatives

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

#: A number such as 0.1 or 8.
_NUMBER = r"(\d*\.?\d{1,9})"
_TWO_NUMBERS = f"{_NUMBER}-{_NUMBER}"
_SPAN = r"(\d{1,6})(?:-(\d{1,6}))?"
_DOT = r"(\d{1,6}),(\d{1,6})"
_DOTS = rf"(random)|{_DOT}-{_DOT}"
_LABEL = f"(?:{'|'.join(LABELS)})"
#: The largest number of 64 bits, a bound that messages do not mention.
_LARGEST = 2**63 - 1


class _InRange(click.ParamType[Any]):
    """A number in a range; errors name the range and the argument as a user writes it."""

    _what: str

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        try:
            return super().convert(value, param, ctx)
        except click.BadParameter:
            hint = f"'{param.name}'".upper() if isinstance(param, click.Argument) else None
            reason = f"expected {self._what}{self._bounds()}, found {value!r}"
            raise click.BadParameter(reason, ctx, param, hint) from None

    def _bounds(self) -> str:
        low, high, is_open = (getattr(self, name) for name in ("min", "max", "min_open"))
        least = "" if low in (None, -_LARGEST - 1) else f" {'above' if is_open else 'from'} {low}"
        most = "" if high in (None, _LARGEST) else f" {'up ' if is_open else ''}to {high}"
        return least + most


class WholeNumber(_InRange, click.IntRange):
    """A whole number in a range."""

    _what = "a whole number"


class Number(_InRange, click.FloatRange):
    """A number in a range."""

    name, _what = "number", "a number"


#: Rows or columns. The library limits the size of a whole board.
SIDE = WholeNumber(1, 1_000_000)
#: A number of results, if there are as many.
COUNT = WholeNumber(1, _LARGEST)


class FileName(click.ParamType[str]):
    """The name of a file, or the value read from it; a shell completes file names."""

    name = "FILE"

    def shell_complete(self, ctx: Any, param: Any, incomplete: str) -> list[CompletionItem]:  # noqa: ARG002
        from click.shell_completion import CompletionItem

        return [CompletionItem(incomplete, type="file")]


class _OutputName(FileName):
    """The name of a file to write; its folder must exist, so that no work is lost."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        if not value:
            self.fail("expected the name of a file, found ''", param, ctx)
        if core.no_folder(value):
            raise core.cannot_write(OSError(errno.ENOENT, ""), value)
        return value


class KindName(click.ParamType[str]):
    """The name of a kind of puzzle. Kinds of other packages are loaded only if needed."""

    name = "kind"

    def convert(self, value: str, param: click.Parameter | None, ctx: click.Context | None) -> str:
        if value not in KINDS:
            known = f"{alternatives(KINDS)} (see `linkoracle kinds`)"
            self.fail(f"expected {known}, found {value!r}", param, ctx)
        return value

    def shell_complete(
        self, _ctx: click.Context, _param: click.Parameter, incomplete: str
    ) -> list[CompletionItem]:
        from click.shell_completion import CompletionItem

        return [CompletionItem(name) for name in KINDS if name.startswith(incomplete)]


class ReadParam(click.ParamType[Any]):
    """The value that ``read`` returns for a text; the message ``wrong`` if it raises `ValueError`.

    With a ``pattern``, a regular expression for the whole text, ``read`` gets its groups.
    """

    def __init__(
        self, name: str, wrong: str, read: Callable[..., Any], pattern: str | None = None
    ) -> None:
        self.name, self._wrong, self._read, self._pattern = name, wrong, read, pattern

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        try:
            if self._pattern is None:
                return self._read(str(value))
            if match := re.fullmatch(self._pattern, str(value), re.ASCII):
                return self._read(*match.groups())
        except (ValueError, OverflowError):
            pass
        return self.fail(f"{self._wrong} {value!r}", param, ctx)


def _seconds(text: str) -> float | None:
    seconds = checked_seconds(float(text))
    if seconds == math.inf:
        raise ValueError(text)
    return seconds


def _span(low: str, high: str | None) -> tuple[int, int]:
    """Return the two numbers that `_SPAN` matches; ``ValueError`` if the first is larger."""
    return _ordered(int(low), int(high or low))


def _ordered(low: Any, high: Any) -> tuple[Any, Any]:
    if low > high:
        raise ValueError("the first number is larger")
    return low, high


def _dots(random: str | None, *at: str) -> Any:
    return random or tuple(sorted(zip(*[map(int, at)] * 2, strict=True)))


def _number(text: str) -> int | float:
    return int(text) if text.isdecimal() else float(text)


def _value(text: str) -> Any:
    """Return the value of a text: on or off, a number, or a range of numbers."""
    if text in ("on", "off"):
        return text == "on"
    ends = re.fullmatch(_TWO_NUMBERS, text, re.ASCII)
    return tuple(map(_number, ends.groups())) if ends else _number(text)


def _floats(low: str, high: str) -> tuple[float, float]:
    return _ordered(float(low), float(high))


#: The types of values that are read from a text, by their names.
_READ = (
    ReadParam("SECONDS", "expected a positive number of seconds, found", _seconds),
    ReadParam("SIZE", "expected a size such as 4GB or 512MiB, found", parse_size),
    ReadParam("DATE", "expected a day such as 2026-03-31, found", date.fromisoformat),
    ReadParam(
        "N|LOW-HIGH",
        "expected a number up to 999999, or two such as 8-12, the lower first, found",
        _span,
        _SPAN,
    ),
    ReadParam(
        "A-B",
        "expected a range such as 0.1-0.3, the lower number first, found",
        _floats,
        _TWO_NUMBERS,
    ),
    ReadParam("random|DOTS", "expected 'random' or two dots such as 0,3-8,5, found", _dots, _DOTS),
    ReadParam(
        "NAME=VALUE",
        "expected NAME=VALUE with on, off, a number or a range, found",
        lambda name, text: (name, _value(text)),
        "([^=]*)=(.*)",
    ),
    ReadParam(
        "ROWSxCOLS",
        "expected a size such as 10x10 or 8-12x10, the lower number first, found",
        lambda *ends: (_span(*ends[:2]), _span(*ends[2:])),
        f"{_SPAN}x{_SPAN}",
    ),
    ReadParam(
        "NAME=LOW-HIGH",
        "expected a statistic with a number or a range, such as density=0.4-0.45, found",
        lambda name, low, high: (name, _floats(low, high or low)),
        f"([a-z]+)={_NUMBER}(?:-{_NUMBER})?",
    ),
    ReadParam(
        "LABEL[..LABEL]",
        f"expected one of {', '.join(LABELS)}, or a range such as normal..hard, found",
        str,
        rf"({_LABEL}(?:\.\.{_LABEL})?)",
    ),
)


@contextmanager
def arguments() -> Iterator[None]:
    """Report a ``ValueError`` of the library to the user, as an error of usage.

    For calls with the user's own values; elsewhere a ``ValueError`` is a defect.
    """
    try:
        yield
    except LinkOracleError:
        raise
    except ValueError as error:
        raise click.UsageError(str(error)) from None


def is_board(text: str) -> bool:
    """Return whether a text is a board: one line that begins with the name of a tiling, or JSON.

    JSON with the kind of a puzzle is a puzzle.
    """
    words = text.split()
    if text.lstrip().startswith("{"):
        return '"kind"' not in text
    return bool(words) and words[0] in boards.TILINGS and "\n" not in text.strip()


class BoardParam(click.ParamType[str]):
    """The words of a board, or a file with words or polygons; a command gets the text.

    ROWS and COLS may come after the name of a tiling; `sized_board` reads the text with them.
    """

    name = "WORDS|FILE"

    def convert(self, value: Any, *_: object) -> str:
        words = str(value)
        return words if is_board(words) else self.read(*named_text(words))

    def read(self, path: str, text: str) -> str:
        """Return the text of a file, if that text is a board."""
        return formats.words_of_board(board_in(path, text))


def named_text(name: str) -> tuple[str, str]:
    """Return the name of a file and its text."""
    if not (name == "-" or Path(name).suffix or "/" in name or Path(name).exists()):
        # Most likely the name of a tiling, not of a file.
        with arguments():
            formats.board_of_words(name)
    return text_of(name)


def board_in(path: str, text: str) -> Board:
    """Return the board of a file; raise `FormatError` for other text."""
    return formats.board_at(formats.Document(text, path), text, (1, 1))


def sized_board(text: str, rows: int | None, cols: int | None) -> Board:
    """Return the board of a text, with ROWS and COLS if these are not in the text."""
    with arguments():
        if cols is None:
            return formats.board_of_words(text)
        name, *more = text.split()
        if text.lstrip().startswith("{") or (more and more[0].isdecimal()):
            raise ValueError("expected ROWS and COLS, or --board with its size, found both")
        return formats.board_of_words(" ".join([name, str(rows), str(cols), *more]))


#: For options that name a file to read, and one to write.
FILE, OUTPUT = FileName(), _OutputName()
#: The types of options whose values are neither words nor numbers, by `Option.form`. Modules of
#: commands add others.
FORMS: dict[str, click.ParamType[Any]] = {
    # Requests check these texts.
    **dict.fromkeys(
        (
            *("", "NAME", "NODE", "TEXT", "ADDRESS", "WEIGHT", "WORD|NAME=VALUE"),
            *("NAMES", "NAMES[=N|LOW-HIGH]", "CELLS"),
        ),
        click.STRING,
    ),
    "FILE": FILE,
    "DIR": FILE,
    "FILE OUTPUT": OUTPUT,
    "DIR OUTPUT": OUTPUT,
    "WORDS|FILE": BoardParam(),
    **{one.name: one for one in _READ},
}
#: A number, or a lowest and a highest number.
RANGE = FORMS["N|LOW-HIGH"]


def board_size(rows: int, cols: int) -> tuple[int, int]:
    """Return the size of a board to make; raise ``UsageError`` if the board is too large."""
    if rows * cols > formats.MAX_CELLS:
        reason = f"expected a board of at most {formats.MAX_CELLS:,} cells, found {rows}x{cols}"
        raise click.UsageError(reason)
    return rows, cols
