"""`linkoracle add-clues`: the fewest additional clues that leave one solution."""

from __future__ import annotations

import sys

import click

from linkoracle.cli import options as opt
from linkoracle.cli.options import option
from linkoracle.cli.program import DONE, INTERRUPTED, TIMED_OUT, Named, report, write_output
from linkoracle.cli.work import naming, working
from linkoracle.formats import write


@click.command("add-clues", short_help="Add the fewest clues that leave one solution.")
@opt.reading_options
@option("--format target", opt.WRITTEN, "The format to write.", "text")
@opt.output_option
@opt.options(
    opt.Timed, timeout="Write the best puzzle found by this time, for each puzzle (exit status 3)."
)
def add_clues(named: list[Named], target: str, output: str | None, timeout: float | None) -> None:
    """Add as few clues as possible to Slitherlinks, so that each has one solution.

    Any solution may become the only one. Standard error reports how many clues were added, and how
    many are needed at least; so does the bar during the search. If --timeout or Ctrl-C stops the
    search, the best puzzle found is written. A minimum is proven only for boards that lack a few
    clues.

    \b
    Examples:
      linkoracle add-clues lacking.txt
      linkoracle add-clues --timeout 60 -o unique.txt lacking.txt
    """
    from linkoracle.generate import add_clues as library

    written, status = [], DONE
    for one in named:
        with naming(one), working(one.name, timeout) as work:
            added = library(one.puzzle, timeout=timeout, progress=work)
        report(f"{one.name}: {added}")
        written.append(write(added.puzzle, target, name=one.name if len(named) > 1 else None))
        if added.interrupted and not work.limit.over:
            status = INTERRUPTED
            break
        status = status if added.proven else TIMED_OUT
    write_output(opt.one_text(written, target), output)
    sys.exit(status)
