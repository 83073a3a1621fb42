"""The options of the commands: how requests declare them, and common ones."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, fields
from functools import wraps
from typing import Any

import click

from linkoracle.cli.program import load, printable
from linkoracle.cli.values import (
    FILE,
    FORMS,
    OUTPUT,
    SIDE,
    KindName,
    Number,
    WholeNumber,
    arguments,
)
from linkoracle.core import Option, declare, options_of
from linkoracle.engines import ENGINES, SOLVERS, Engine
from linkoracle.formats import FORMATS
from linkoracle.kinds import KINDS

#: A decorator that adds options to a command.
Decorator = Callable[[Callable[..., Any]], Callable[..., Any]]


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
    declared = options_of(request).items()
    chosen = {name: about for name, about in declared if not names or name in names}
    return together(
        *(_of(name, about, helps.get(name, about.help)) for name, about in chosen.items())
    )


def packed(request: type[Any], name: str, **helps: str) -> Decorator:
    """Return all options of a request; the command gets the request as its argument ``name``."""

    def decorate(command: Callable[..., Any]) -> Callable[..., Any]:
        @wraps(command)
        def packing(**given: Any) -> Any:
            names = [field.name for field in fields(request) if field.name in given]
            values = {field: given.pop(field) for field in names}
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


class RangedOption(click.Option):
    """An option whose help does not show the range of all 64-bit numbers."""

    def get_help_extra(self, ctx: click.Context) -> Any:
        extra = super().get_help_extra(ctx)
        if str(2**63 - 1) in extra.get("range", ""):
            del extra["range"]
        return extra


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
WRITTEN = [name for name, about in FORMATS.items() if about.writes]
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
