"""Progress on a terminal, for work that takes longer than a moment."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module

import click

from linkoracle.engines import COMPILING, Progress

#: Seconds before anything is shown: most answers come sooner.
_PATIENCE = 1.0


def announce_compilation() -> None:
    """Say on a terminal that the deduction engine has to be compiled first, if it has."""
    _announce("deduction engine", "linkoracle.deduce")


def announce_search() -> None:
    """The same of the search for rivals."""
    _announce("search", "linkoracle.cdcl.kernel")


def _announce(what: str, where: str) -> None:
    """``where`` is the module whose ``compiled`` knows; it is heavy, so only a terminal waits."""
    if sys.stderr.isatty() and not import_module(where).compiled():
        click.echo(f"compiling the {what} for this machine, once ...", err=True)


@contextmanager
def shown_progress(name: str, *, hidden: bool = False) -> Iterator[Progress | None]:
    """A callback that draws a bar on standard error; ``None`` if hidden, or that is no terminal.

    Standard output may be written to meanwhile, as long as that is not the same terminal.
    """
    if hidden or not sys.stderr.isatty():
        yield None
        return
    started = time.monotonic()
    bar = None

    def show(line: str, share: float | None) -> None:
        nonlocal bar
        if bar is None:
            if time.monotonic() - started < _PATIENCE and line != COMPILING:
                return
            from rich.console import Console
            from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

            bar = Progress(
                TextColumn("{task.description}"),
                BarColumn(),
                TimeElapsedColumn(),
                console=Console(stderr=True),
                transient=True,
                # By default what goes to standard output would come out with the bar.
                redirect_stdout=False,
            )
            bar.add_task(f"{name}: {line}", total=None)
            bar.start()
        bar.update(
            bar.task_ids[0],
            description=f"{name}: {line}",
            total=None if share is None else 1,
            completed=share or 0,
        )

    try:
        yield show
    finally:
        if bar is not None:
            bar.stop()
