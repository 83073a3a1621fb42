"""Options in the two forms that most of them have: one of some words, or a value of some type."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import click

from linkoracle.cli.options import Command
from linkoracle.cli.program import FileName

#: For options that name a file.
FILE = FileName()
#: Grades, spelled out since the package that defines them takes Numba to load.
GRADES = ["easy", "normal", "tricky", "hard", "extreme"]


def option(
    names: str, kind: click.ParamType[Any], told: str, default: Any = None, **more: Any
) -> Callable[[Command], Command]:
    """An option with a value; the help says what is told, and the default if there is one.

    ``names`` is ``--name``, or ``--name argument`` when the command gets it under another name.
    """
    if isinstance(kind, click.IntRange):
        more.setdefault("metavar", "N")
    shown = default is not None
    return click.option(
        *names.split(), type=kind, help=told, default=default, show_default=shown, **more
    )


def choice(
    names: str, known: Iterable[str], told: str, default: str | None = None, **more: Any
) -> Callable[[Command], Command]:
    """The same with one of the known words."""
    return option(names, click.Choice(list(known)), told, default, **more)
