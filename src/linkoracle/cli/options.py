"""The options of the commands: the types of their values, how requests declare them, common ones.

First come the types: numbers in a range, names of files and kinds, days, dots.
"""

from __future__ import annotations

import errno
import math
import re
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, fields
from datetime import date
from functools import wraps
from typing import TYPE_CHECKING, Any

import click

from linkoracle.cli.program import RangedOption, load, printable
from linkoracle.core import (
    LABELS,
    LinkOracleError,
    Option,
    checked_seconds,
    declare,
    options_of,
    parse_size,
)
from linkoracle.engines import ENGINES, SOLVERS, Engine
from linkoracle.formats import FORMATS, MAX_CELLS
from linkoracle.kinds import KINDS, alternatives

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

#: A decorator that adds options to a command.
Decorator = Callable[[Callable[..., Any]], Callable[..., Any]]
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
        from linkoracle.core import cannot_write, no_folder

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


def show_seed(given: int | None, drawn: int) -> None:
    """Print the seed that was drawn if none was ``given``, so that the command can be repeated."""
    if given is None:
        click.echo(f"seed: {drawn}", err=True)


def together(*options: Decorator) -> Decorator:
    """Return several options as one decorator; --help shows them in this order."""

    def decorate(command: Callable[..., Any]) -> Callable[..., Any]:
        for option in reversed(options):
            command = option(command)
        return command

    return decorate


def options(request: type[Any], *names: str, **helps: str) -> Decorator:
    """Return the options that a request declares: those of these ``names``, or all.

    ``helps`` replaces the declared help of some options.
    """
    chosen = {name: one for name, one in options_of(request).items() if not names or name in names}
    return together(*(_of(name, one, helps.get(name, one.help)) for name, one in chosen.items()))


def packed(request: type[Any], name: str, **helps: str) -> Decorator:
    """Return all options of a request; the command gets the request as its argument ``name``."""

    def decorate(command: Callable[..., Any]) -> Callable[..., Any]:
        @wraps(command)
        def packing(**given: Any) -> Any:
            names = [field.name for field in fields(request) if field.name in given]
            values = {one: given.pop(one) for one in names}
            with arguments():
                made = request(**values)
            return command(**{name: made}, **given)

        return options(request, **helps)(packing)

    return decorate


def _of(name: str, about: Option, text: str) -> Decorator:
    """Return the option of the command line for one that a request declares."""
    names, default = about.flag or f"--{name.replace('_', '-')}", about.default
    more: dict[str, Any] = {"metavar": about.form.split()[0]} if about.form else {}
    if isinstance(default, bool):
        # The flag of an option that is on by default turns the option off.
        off = {"flag_value": False} if default and "/" not in names else {}
        return flag(names, text, name, default=default, **off, **more)
    if default == {}:
        more |= {"multiple": True, "callback": lambda _context, _param, pairs: dict(pairs)}
    elif default == ():
        more["multiple"] = True
    elif isinstance(default, tuple):
        default = "-".join(f"{end:g}" for end in default)
    shown = None if default in ((), {}) else default
    return option(f"{names} {name}", _type_of(about), text, shown, **more)


def _type_of(about: Option) -> click.ParamType[Any]:
    """Return the type of the values of an option."""
    if about.words is KINDS:
        return KindName()
    if about.words:
        return click.Choice([*about.words])
    if about.above is not None:
        return Number(about.above, about.most, min_open=True)
    if isinstance(about.least, float):
        return Number(about.least, about.most)
    if isinstance(about.least, int):
        return WholeNumber(about.least, about.most)
    return FORMS[about.form]


def option(
    names: str,
    kind: click.ParamType[Any] | Iterable[str],
    text: str,
    default: Any = None,
    **more: Any,
) -> Decorator:
    """Return an option with a value; ``text`` is its help, with the default if there is one.

    ``names`` is ``--name``, or ``--name argument`` if the command's argument has another name.
    ``kind`` may be a list of words to choose from.
    """
    kind = kind if isinstance(kind, click.ParamType) else click.Choice([*kind])
    if isinstance(kind, WholeNumber):
        more.setdefault("metavar", "N")
    if default is not None:
        # Passed only if there is a default: None would do for a required option.
        more |= {"default": default, "show_default": True}
    return click.option(*names.split(), cls=RangedOption, type=kind, help=text, **more)


def flag(option: str, text: str, name: str | None = None, **more: Any) -> Decorator:
    """Return an option without a value; ``text`` is its help."""
    names = *option.split(), *filter(None, [name])
    return click.option(*names, cls=RangedOption, is_flag=True, help=text, **more)


def way(name: str, text: str, **more: Any) -> Decorator:
    """Return one of several options; a command gets the last one given, as ``what``."""
    return click.option(f"--{name}", "what", flag_value=name, help=text, **more)


def json_option(text: str = "Print one JSON object per puzzle.") -> Decorator:
    """Return ``--json``, which the command gets as ``as_json``."""
    return flag("--json", text, "as_json")


ascii_option = flag("--ascii", "Draw with ASCII characters only.", "ascii_only")
#: Formats that can be written.
WRITTEN = [name for name, one in FORMATS.items() if one.writes]
output_option = option("-o --output", OUTPUT, "Write to FILE, not to standard output.")
#: For output that is not text.
file_option = option("-o --output", OUTPUT, "Write to FILE; - for stdout.", required=True)
board_arguments = together(click.argument("rows", type=SIDE), click.argument("cols", type=SIDE))


@dataclass(frozen=True)
class Reading:
    """The kind and variant of puzzles whose texts do not name them."""

    kind: str | None = declare(None, "Read grids as this kind of puzzle.", words=KINDS)
    # The variants are known once the kinds are loaded; --help need not load them.
    variant: str | None = declare(
        None,
        "Read every puzzle as this variant of its kind, such as free or fill.",
        form="NAME",
        flag="--variant",
    )


@dataclass(frozen=True)
class Seeded:
    """A seed; without one, a fresh seed is drawn and printed: see `show_seed`."""

    #: A catalogue keeps seeds in 64 bits.
    seed: int | None = declare(None, "", least=-(2**63), most=2**63 - 1)


@dataclass(frozen=True)
class Timed:
    """The time limit of the work."""

    timeout: float | None = declare(
        None, "Give up on a puzzle after this time (exit status 3).", form="SECONDS"
    )


@dataclass(frozen=True)
class Limited(Timed):
    """The limits of time and memory."""

    memory: int | None = declare(
        None,
        "Memory limit of the frontier engine, such as 4GB.  [default: half of the free memory]",
        form="SIZE",
    )


@dataclass(frozen=True)
class Searching(Limited):
    """The engine and the limits of a search for solutions."""

    engine: Engine = declare("auto", "The engine to use.", words=ENGINES)
    solver: str | None = declare(
        None, "Use this PySAT solver, not the default.", words=SOLVERS, form="NAME"
    )


def seed_help(text: str) -> str:
    """Return the help of ``--seed``."""
    return f"{text}  [default: a fresh one, printed on standard error]"


timeout_option = options(Timed)
stop_option = options(Timed, timeout="Stop after this time (exit status 3).")
searching_options = options(Searching)
memory_option = options(Limited, "memory")
kind_options = options(Reading)
files_options = together(
    kind_options, click.argument("files", nargs=-1, metavar="FILE...", type=FILE)
)


def reading_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options for reading puzzles; the command gets these as ``named: list[Named]``."""

    @wraps(command)
    def reading(files: tuple[str, ...], kind: str | None, variant: str | None, **more: Any) -> Any:
        return command(named=load(files, kind, variant), **more)

    return files_options(reading)


def board_size(rows: int, cols: int) -> tuple[int, int]:
    """Return the size of a board to make; raise ``UsageError`` if the board is too large."""
    if rows * cols > MAX_CELLS:
        reason = f"expected a board of at most {MAX_CELLS:,} cells, found {rows}x{cols}"
        raise click.UsageError(reason)
    return rows, cols


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


def one_text(texts: Iterable[str], target: str, more: bool = False) -> str:
    """Return puzzles as the text of one file, or as ``more`` text for that file.

    A grid takes several lines; a blank line separates two grids.
    """
    between = "" if FORMATS[target].one_line else "\n"
    return between * more + between.join(text.rstrip("\n") + "\n" for text in texts)


def table_of(rows: list[list[object]], align: Callable[[str, int], str] = str.rjust) -> str:
    """Return lines of columns, right-aligned by default; the first row has the headings."""
    lines = [[printable(str(cell)) for cell in row] for row in rows]
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    return "\n".join("  ".join(map(align, line, widths)).rstrip() for line in lines)
