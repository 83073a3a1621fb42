"""What the commands share: options, input files, clean endings."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NoReturn, TypeVar

import click

from linkoracle.engines import ENGINES
from linkoracle.errors import (
    FormatError,
    LinkOracleError,
    MemoryLimit,
    NothingFound,
    SearchTimeout,
)
from linkoracle.formats import read_all
from linkoracle.memory import parse_size
from linkoracle.puzzles import KINDS, Puzzle
from linkoracle.sat.search import SOLVERS

#: Exit statuses. 1 is an answer ("not unique", "no solution", "none found"), not a failure.
NO, BAD_INPUT, TIMED_OUT, OUT_OF_MEMORY, INTERRUPTED = 1, 2, 3, 4, 130

Command = TypeVar("Command", bound=Callable[..., Any])


def _size(ctx: click.Context, param: click.Parameter, value: str | None) -> int | None:
    try:
        return None if value is None else parse_size(value)
    except ValueError as error:
        raise click.BadParameter(str(error), ctx, param) from None


def reading_options(command: Command) -> Command:
    """Options that say how to read the files."""
    for option in (
        click.argument("files", nargs=-1, metavar="FILE..."),
        click.option(
            "--rule",
            type=click.Choice(["free", "fill"]),
            help="Read every Numberlink under this rule.",
        ),
        click.option("--kind", type=click.Choice(list(KINDS)), help="Read grids as this puzzle."),
    ):
        command = option(command)
    return command


memory_option = click.option(
    "--memory",
    callback=_size,
    metavar="SIZE",
    help="What the frontier engine may use, such as 4GB. Default: half of what is free.",
)


def searching_options(command: Command) -> Command:
    """Options that say how to search."""
    for option in (
        click.option(
            "--timeout",
            type=click.FloatRange(min=0, min_open=True),
            metavar="SECONDS",
            help="Give up on a puzzle after this time (exit status 3).",
        ),
        memory_option,
        click.option(
            "--solver",
            type=click.Choice(SOLVERS),
            metavar="NAME",
            help="The PySAT solver to use in place of the default.",
        ),
        click.option(
            "--engine", type=click.Choice(ENGINES), default="auto", help="The engine to use."
        ),
    ):
        command = option(command)
    return command


@dataclass(frozen=True)
class Named:
    """A puzzle and the name that answers give it."""

    name: str
    puzzle: Puzzle


def load(files: Sequence[str], kind: str | None, rule: str | None) -> list[Named]:
    """Read every puzzle of every file, ``-`` being standard input; a URL is read as it stands.

    All files are read before anything is answered. A bad file ends the program with exit status 2
    and a line for each bad file.
    """
    if not files:
        raise click.UsageError("expected a FILE, or - for standard input")
    found: list[Named] = []
    failed = False
    for file in files:
        try:
            found += _load_one(file, kind, rule)
        except FormatError as error:
            click.echo(f"error: {error}", err=True)
            failed = True
    if failed:
        sys.exit(BAD_INPUT)
    return found


def _load_one(file: str, kind: str | None, rule: str | None) -> list[Named]:
    shown = "<stdin>" if file == "-" else file
    if file == "-":
        entries = read_all(standard_input() + "\n", kind=kind, rule=rule, name=shown)
    else:
        # What is no file may be a URL or another puzzle on one line.
        source = Path(file) if os.path.exists(file) else file  # noqa: PTH110 - takes any string
        entries = read_all(source, kind=kind, rule=rule)
    if len(entries) == 1:
        return [Named(entries[0].name or shown, entries[0].puzzle)]
    return [Named(entry.name or f"{shown}:{entry.line}", entry.puzzle) for entry in entries]


def standard_input() -> str:
    """All of standard input as text; `FormatError` when it is none."""
    return decoded(sys.stdin.buffer.read())


def decoded(data: bytes, line: int | None = None) -> str:
    """Bytes of standard input as text."""
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise FormatError(
            f"not a text file: {error.reason} at byte {error.start}", source="<stdin>", line=line
        ) from None


@contextmanager
def clean_endings() -> Iterator[None]:
    """Turn errors meant for the user into one line and an exit status, and Ctrl-C into 130."""
    try:
        yield
    except SearchTimeout as error:
        click.echo(f"error: {error}", err=True)
        sys.exit(TIMED_OUT)
    except MemoryLimit as error:
        click.echo(f"error: {error}", err=True)
        sys.exit(OUT_OF_MEMORY)
    except NothingFound as error:
        click.echo(f"error: {error}", err=True)
        sys.exit(NO)
    except LinkOracleError as error:
        click.echo(f"error: {error}", err=True)
        sys.exit(BAD_INPUT)
    except KeyboardInterrupt:
        end_interrupted()


def end_interrupted(told: str = "interrupted") -> NoReturn:
    """Say that Ctrl-C ended the program, and end it.

    What Ctrl-C left half made in a library, such as a compiler, may fail when it is freed now, and
    Python would report that to somebody who knows that he interrupted.
    """
    sys.unraisablehook = lambda _: None
    click.echo(told, err=True)
    sys.exit(INTERRUPTED)


def write_output(text: str | bytes, path: str | None) -> None:
    """Print text or bytes, or write them to ``path``: to a temporary name first, then renamed."""
    if path is None or path == "-":
        click.echo(text, nl=False)
        return
    from linkoracle.files import replaced

    try:
        with replaced(Path(path)) as file:
            file.write(text.encode("utf-8") if isinstance(text, str) else text)
    except OSError as error:
        raise FormatError(f"cannot write: {error.strerror}", source=path) from None


class RangeParam(click.ParamType[Any]):
    """A number, or the lowest and the highest as LOW-HIGH."""

    name = "N|LOW-HIGH"

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> tuple[int, int]:
        low, dash, high = str(value).partition("-")
        if not (low.isdecimal() and (high.isdecimal() or not dash)):
            self.fail(f"expected a number, or two such as 8-12, found {value!r}", param, ctx)
        return int(low), int(high if dash else low)


def table_of(headings: list[str], rows: list[list[object]]) -> str:
    """Lines of right-aligned columns."""
    lines = [headings, *([str(value) for value in row] for row in rows)]
    widths = [max(len(line[place]) for line in lines) for place in range(len(headings))]
    return "\n".join(
        "  ".join(value.rjust(width) for value, width in zip(line, widths, strict=True))
        for line in lines
    )
