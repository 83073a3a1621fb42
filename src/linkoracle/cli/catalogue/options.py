"""What the catalogue commands share: options that say which puzzles are meant."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

import click

from linkoracle.cli.shared import RangeParam
from linkoracle.puzzles import KINDS

if TYPE_CHECKING:
    from linkoracle.catalogue import Filter

Command = TypeVar("Command", bound=Callable[..., Any])

_SPAN = r"(\d{1,6})(?:-(\d{1,6}))?"
_SIZE = re.compile(rf"{_SPAN}x{_SPAN}", re.ASCII)


class SizeParam(click.ParamType[Any]):
    """Rows and columns, each a number or a range."""

    name = "ROWSxCOLS"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        match = _SIZE.fullmatch(str(value))
        if match is None:
            self.fail(f"expected a size such as 10x10 or 8-12x10, found {value!r}", param, ctx)
        low, high, low2, high2 = match.groups()
        return (int(low), int(high or low)), (int(low2), int(high2 or low2))


def choosing_options(command: Command) -> Command:
    """The catalogue, and options that say which of its puzzles; `wanted` takes all but ``file``."""
    for option in (
        click.option(
            "--maker",
            "makers",
            multiple=True,
            metavar="WORD|NAME=VALUE",
            help="Only puzzles of commands with this word, such as generate, or of requests with "
            "this value, such as shape=uniform. May be repeated: all must fit.",
        ),
        click.option(
            "--clues",
            "--pairs",
            "clues",
            type=RangeParam(),
            help="Only puzzles with so many clues, or pairs.",
        ),
        click.option(
            "--grade",
            "grades",
            # Spelled out, so that --help need not load SQLite.
            type=click.Choice(["easy", "normal", "tricky", "hard", "extreme", "gave up", "none"]),
            multiple=True,
            help="Only puzzles of this grade; none: without one. May be repeated: one must fit.",
        ),
        click.option(
            "--size", type=SizeParam(), help="Only boards of this size, such as 10x10 or 8-12x10."
        ),
        click.option(
            "--rule",
            type=click.Choice(["loop", "path", "free", "fill"]),
            help="Only puzzles under this rule.",
        ),
        click.option("--kind", type=click.Choice(list(KINDS)), help="Only these puzzles."),
        click.argument("file", metavar="CATALOGUE"),
    ):
        command = option(command)
    return command


def wanted(size: Any, **asked: Any) -> Filter:
    """The filter that the options describe."""
    from linkoracle.catalogue import Filter

    rows, cols = size or (None, None)
    return Filter(rows=rows, cols=cols, **asked)
