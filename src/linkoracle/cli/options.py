"""What the commands share: options, the files that they read, the files that they write."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import fields
from functools import wraps
from pathlib import Path
from typing import Any, TypedDict, TypeVar

import click

from linkoracle.cli.program import FileName, load
from linkoracle.core.errors import LinkOracleError
from linkoracle.core.limits import checked_seconds, parse_size
from linkoracle.formats import FORMATS
from linkoracle.kinds import KINDS
from linkoracle.sat.answers import ENGINES, SOLVERS, Engine

Command = TypeVar("Command", bound=Callable[..., Any])

#: Rows or columns. What a whole board may have is for the library to say.
SIDE = click.IntRange(1, 1_000_000)
#: Cells of the largest board, as of those that are read.
_MOST_CELLS = 1_000_000
#: How many, where nothing depends on there being as many.
COUNT = click.IntRange(1, 2**63 - 1)
#: How many to print of what is chosen at random; all are chosen before the first is printed.
SAMPLE = click.IntRange(1, 1_000_000)
#: A seed; a catalogue keeps it in 64 bits.
SEED = click.IntRange(-(2**63), 2**63 - 1)


def seed_option(told: str) -> Callable[[Command], Command]:
    """``--seed``, which is drawn and told where it is not given: see `tell_seed`."""
    return option("--seed", SEED, f"{told}  [default: a fresh one, told on standard error]")


def tell_seed(asked: int | None, drawn: int) -> None:
    """Tell a seed that nobody gave, so that the command can be repeated."""
    if asked is None:
        click.echo(f"seed: {drawn}", err=True)


class ReadParam(click.ParamType[Any]):
    """What ``read`` makes of a text; ``wrong`` is said of one for which it raises `ValueError`."""

    def __init__(self, name: str, wrong: str, read: Callable[[str], Any]) -> None:
        self.name, self._wrong, self._read = name, wrong, read

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        try:
            return self._read(str(value))
        except (ValueError, OverflowError):
            self.fail(f"{self._wrong} {value!r}", param, ctx)


def matching(pattern: str, read: Callable[..., Any]) -> Callable[[str], Any]:
    """Reads what a regular expression matches: ``read`` gets its groups."""

    def reading(text: str) -> Any:
        match = re.fullmatch(pattern, text, re.ASCII)
        if match is None:
            raise ValueError(text)
        return read(*match.groups())

    return reading


def _seconds(text: str) -> float | None:
    seconds = checked_seconds(float(text))
    if seconds == math.inf:
        raise ValueError(text)
    return seconds


_SECONDS = ReadParam("SECONDS", "expected a positive number of seconds, got", _seconds)
#: Memory in bytes.
_SIZE = ReadParam("SIZE", "expected a size such as 4GB or 512MiB, got", parse_size)

#: A number such as 0.1 or 8.
NUMBER = r"(\d*\.?\d{1,9})"
SPAN = r"(\d{1,6})(?:-(\d{1,6}))?"


def span(low: str, high: str | None) -> tuple[int, int]:
    """What `SPAN` matches."""
    return int(low), int(high or low)


#: A number, or the lowest and the highest.
RANGE = ReadParam(
    "N|LOW-HIGH", "expected a number up to 999999, or two such as 8-12, found", matching(SPAN, span)
)


def together(*options: Callable[[Command], Command]) -> Callable[[Command], Command]:
    """Several options as one decorator, shown by --help in this order."""

    def decorate(command: Command) -> Command:
        for option in reversed(options):
            command = option(command)
        return command

    return decorate


def packed(
    values: type[Any], name: str, *options: Callable[..., Any]
) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """The same; their values come as one argument ``name``, of the dataclass ``values``."""

    def decorate(command: Callable[..., Any]) -> Callable[..., Any]:
        @wraps(command)
        def packing(**asked: Any) -> Any:
            one = values(**{field.name: asked.pop(field.name) for field in fields(values)})
            return command(**{name: one}, **asked)

        packing_too: Callable[..., Any] = together(*options)(packing)
        return packing_too

    return decorate


#: For options that name a file.
FILE = FileName()
#: Grades, spelled out since the package that defines them takes NumPy to load.
GRADES = ["easy", "normal", "tricky", "hard", "extreme", "fiendish", "brutal"]


def option(
    names: str, kind: click.ParamType[Any], told: str, default: Any = None, **more: Any
) -> Callable[[Command], Command]:
    """An option with a value; the help says what is told, and the default if there is one.

    ``names`` is ``--name``, or ``--name argument`` when the command gets it under another name.
    """
    if isinstance(kind, click.IntRange):
        more.setdefault("metavar", "N")
    if default is not None:
        # Left out otherwise: None would do for an option that is required.
        more |= {"default": default, "show_default": True}
    return click.option(*names.split(), type=kind, help=told, **more)


def choice(
    names: str, known: Iterable[str], told: str, default: str | None = None, **more: Any
) -> Callable[[Command], Command]:
    """The same with one of the known words."""
    return option(names, click.Choice(list(known)), told, default, **more)


def flag(option: str, told: str, name: str | None = None) -> Callable[[Command], Command]:
    """An option without a value; ``told`` is what the help says of it."""
    return click.option(*filter(None, (option, name)), is_flag=True, help=told)


def json_option(told: str = "Print one JSON object a puzzle.") -> Callable[[Command], Command]:
    """``--json``, which the command gets as ``as_json``."""
    return flag("--json", told, "as_json")


ascii_option = flag("--ascii", "Draw with ASCII characters only.", "ascii_only")
#: Formats that can be written.
WRITTEN = click.Choice([name for name, one in FORMATS.items() if one.writes])
output_option = option("-o --output", FILE, "Write to FILE, not to standard output.")
#: For what is not text.
file_option = option("-o --output", FILE, "Write to FILE; - for stdout.", required=True)
board_arguments = together(click.argument("rows", type=SIDE), click.argument("cols", type=SIDE))


def timeout_option(what: str = "Give up on a puzzle after this time") -> Callable[..., Any]:
    """``--timeout``: the seconds to hand to `linkoracle.cli.work.working`."""
    return option("--timeout", _SECONDS, f"{what} (exit status 3).")


def path_of(_: click.Context, __: click.Parameter, value: str | None) -> Path | None:
    """For options that name what the library takes as a path."""
    return None if value is None else Path(value)


def store_options(told: str) -> Callable[..., Any]:
    """``--store`` and ``--resume``; the help of the first is what is told."""
    return together(
        option("--store", FILE, told, callback=path_of),
        flag("--resume", "Go on with the run in --store, if it exists."),
    )


_MEMORY = "What the frontier engine may use, such as 4GB. Default: half of what is free."
memory_option = option("--memory", _SIZE, _MEMORY)
kind_option = choice("--kind", KINDS, "Read grids as this.")
_RULE = "Read every puzzle under this rule of its kind, such as free or fill."
# The rules are known when the kinds are loaded, which --help need not do.
rule_option = option("--rule", click.STRING, _RULE, metavar="RULE")
files_options = together(
    kind_option, rule_option, click.argument("files", nargs=-1, metavar="FILE...")
)


def reading_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Options that say what to read; the command gets all puzzles as ``named: list[Named]``."""

    @wraps(command)
    def reading(files: tuple[str, ...], kind: str | None, rule: str | None, **asked: Any) -> Any:
        return command(named=load(files, kind, rule), **asked)

    return files_options(reading)


#: Options that say how to search.
searching_options = together(
    click.option("--engine", type=click.Choice(ENGINES), default="auto", help="The engine to use."),
    choice("--solver", SOLVERS, "The PySAT solver to use in place of the default.", metavar="NAME"),
    memory_option,
    timeout_option(),
)


class Searching(TypedDict):
    """The values of `searching_options`."""

    engine: Engine
    solver: str | None
    memory: int | None
    timeout: float | None


def board_size(rows: int, cols: int) -> tuple[int, int]:
    """The size of a board to be made here, if there can be one."""
    if rows * cols > _MOST_CELLS:
        reason = f"expected a board of at most {_MOST_CELLS:,} cells, got {rows}x{cols}"
        raise click.UsageError(reason)
    return rows, cols


@contextmanager
def arguments() -> Iterator[None]:
    """What a library says against its arguments (``ValueError``) is said to the user.

    For calls with what the user gave; elsewhere a ``ValueError`` is a defect.
    """
    try:
        yield
    except LinkOracleError:
        raise
    except ValueError as error:
        raise click.UsageError(str(error)) from None


def one_text(texts: Iterable[str], target: str, more: bool = False) -> str:
    """Puzzles as the text of one file, or ``more`` of it.

    A grid takes several lines; a blank one keeps it from the next.
    """
    between = "" if FORMATS[target].one_line else "\n"
    return between * more + between.join(text.rstrip("\n") + "\n" for text in texts)


def write_output(text: str | bytes, path: str | None) -> None:
    """Print text or bytes, or write them to ``path``, which is replaced as a whole or not at all.

    Raises ``OSError``.
    """
    if path is None or path == "-":
        click.echo(text, nl=False)
        return
    from linkoracle.core.atomic_write import atomic_write

    try:
        with atomic_write(Path(path)) as file:
            file.write(text.encode("utf-8") if isinstance(text, str) else text)
    except OSError as error:
        raise cannot_write(error, path) from None


def cannot_write(error: OSError, path: str) -> OSError:
    """The error to raise when ``path`` cannot be written."""
    return OSError(error.errno, f"cannot write: {error.strerror}", path)


def table_of(headings: list[str], rows: list[list[object]]) -> str:
    """Lines of right-aligned columns."""
    lines = [headings, *(list(map(str, row)) for row in rows)]
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    return "\n".join("  ".join(map(str.rjust, line, widths)) for line in lines)
