"""The types of the values of options: numbers in a range, names of files and kinds, days, dots."""

from __future__ import annotations

import errno
import math
import re
from collections.abc import Callable
from datetime import date
from typing import TYPE_CHECKING, Any

import click

from linkoracle.core.errors import parse_size
from linkoracle.core.limits import LABELS, checked_seconds
from linkoracle.kinds import KINDS, alternatives

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

#: A number such as 0.1 or 8.
NUMBER = r"(\d*\.?\d{1,9})"
TWO_NUMBERS = f"{NUMBER}-{NUMBER}"
SPAN = r"(\d{1,6})(?:-(\d{1,6}))?"
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
        from linkoracle.core.atomic_write import cannot_write, no_folder

        if not value:
            self.fail("expected the name of a file, found ''", param, ctx)
        if no_folder(value):
            raise cannot_write(OSError(errno.ENOENT, ""), value)
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


def span(low: str, high: str | None) -> tuple[int, int]:
    """Return the two numbers that `SPAN` matches; ``ValueError`` if the first is larger."""
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
    ends = re.fullmatch(TWO_NUMBERS, text, re.ASCII)
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
        span,
        SPAN,
    ),
    ReadParam(
        "A-B",
        "expected a range such as 0.1-0.3, the lower number first, found",
        _floats,
        TWO_NUMBERS,
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
        lambda *ends: (span(*ends[:2]), span(*ends[2:])),
        f"{SPAN}x{SPAN}",
    ),
    ReadParam(
        "NAME=LOW-HIGH",
        "expected a statistic with a number or a range, such as density=0.4-0.45, found",
        lambda name, low, high: (name, _floats(low, high or low)),
        f"([a-z]+)={NUMBER}(?:-{NUMBER})?",
    ),
    ReadParam(
        "LABEL[..LABEL]",
        f"expected one of {', '.join(LABELS)}, or a range such as normal..hard, found",
        str,
        rf"({_LABEL}(?:\.\.{_LABEL})?)",
    ),
)
#: For options that name a file to read, and one to write.
FILE, OUTPUT = FileName(), _OutputName()
#: The types of options whose values are neither words nor numbers, by `Option.form`. Modules of
#: commands add others.
FORMS: dict[str, click.ParamType[Any]] = {
    # Requests check these texts.
    **dict.fromkeys(("", "NAME", "TEXT", "ADDRESS", "WORD|NAME=VALUE"), click.STRING),
    "FILE": FILE,
    "DIR": FILE,
    "FILE OUTPUT": OUTPUT,
    "DIR OUTPUT": OUTPUT,
    **{one.name: one for one in _READ},
}
#: A number, or a lowest and a highest number.
RANGE = FORMS["N|LOW-HIGH"]
