"""`linkoracle generate numberlink`."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any

import click

from linkoracle.cli.jobs import executor_for, jobs_options
from linkoracle.cli.shared import clean_endings
from linkoracle.cli.streaming import Target, stream, streaming_options
from linkoracle.generate import MAKERS, SYMMETRIES, Made, numberlinks
from linkoracle.generate.numberlinks import EFFORT, REPAIRS, TRIES
from linkoracle.puzzles.numberlink import RULES

_PAIRS = re.compile(r"(\d{1,6})(?:-(\d{1,6}))?", re.ASCII)
_SHARE = re.compile(r"(\d?\.?\d{1,6})-(\d?\.?\d{1,6})", re.ASCII)


def _pairs(ctx: click.Context, param: click.Parameter, value: str | None) -> tuple[int, int] | None:
    if value is None:
        return None
    match = _PAIRS.fullmatch(value)
    if match is None:
        raise click.BadParameter(f"expected a number or a range 8-10, got {value!r}", ctx, param)
    return int(match[1]), int(match[2] or match[1])


def _share(ctx: click.Context, param: click.Parameter, value: str) -> tuple[float, float]:
    match = _SHARE.fullmatch(value)
    if match is None:
        raise click.BadParameter(f"expected a range such as 0.1-0.3, got {value!r}", ctx, param)
    return float(match[1]), float(match[2])


@click.command(short_help="Make Numberlinks.")
@click.argument("rows", type=int)
@click.argument("cols", type=int)
@click.option(
    "--pairs",
    callback=_pairs,
    metavar="N|A-B",
    help="How many pairs of numbers.  [default: 0.85 to 1.15 times the root of the cells]",
)
@click.option(
    "--min-length", type=int, default=3, show_default=True, help="Cells of the shortest link."
)
@click.option("--max-length", type=int, help="Cells of the longest link.")
@click.option(
    "--short-share",
    callback=_share,
    default="0-1",
    metavar="A-B",
    help="Share of links of at most half the average length.",
)
@click.option(
    "--long-share",
    callback=_share,
    default="0-1",
    metavar="A-B",
    help="Share of links of at least one and a half times the average length.",
)
@click.option(
    "--rule",
    type=click.Choice(RULES),
    default="free",
    show_default=True,
    help="Whether solvers may leave cells empty. The solution uses all of them either way.",
)
@click.option(
    "--symmetry",
    type=click.Choice(SYMMETRIES),
    default="none",
    show_default=True,
    help="Of the places of the numbers.",
)
@click.option(
    "--maker",
    type=click.Choice(MAKERS),
    default="links",
    show_default=True,
    help="links: lay links one by one; diagram: uniform over all such puzzles, small boards only.",
)
@click.option("--seed", type=int, default=0, show_default=True, help="Other seeds, other puzzles.")
@click.option(
    "--repairs",
    type=click.IntRange(min=0),
    metavar="N",
    help=f"Re-routings of a board that is not unique.  [default: {REPAIRS}; diagram: 0]",
)
@click.option(
    "--tries",
    type=click.IntRange(min=1),
    default=TRIES,
    show_default=True,
    metavar="N",
    help="Boards to try for one puzzle before giving up (exit status 1).",
)
@click.option(
    "--effort",
    type=click.IntRange(min=1),
    default=EFFORT,
    show_default=True,
    metavar="N",
    help="Conflicts of the SAT solver after which a board is dropped as undecided.",
)
@jobs_options("1 for one puzzle or --maker diagram, else all processors")
@streaming_options
def numberlink(
    rows: int,
    cols: int,
    count: int,
    target: str | None,
    output: str | None,
    show: bool,
    ascii_only: bool,
    into: str | None,
    grade: bool,
    jobs: int | None,
    dask: str | None,
    **asked: Any,
) -> None:
    """Make Numberlinks of ROWS x COLS cells, each proven to have one solution.

    The same options and seed give the same puzzles; more of them begin with the same ones. Each is
    written as soon as it is made, and stays when Ctrl-C ends the program. With --maker diagram each
    process prepares the board anew.

    \b
    Examples:
      linkoracle generate numberlink 10 10 --show
      linkoracle generate numberlink 8 8 --symmetry 180 --seed 4
      linkoracle generate numberlink 9 9 --count 100 --format pzpr -o puzzles.txt
    """
    with clean_endings():
        to = Target(target, output, show, ascii_only, into, grade)
        # Each process would count all boards of this size before the diagram maker's first draw.
        alone = count == 1 or asked["maker"] == "diagram"
        with executor_for(jobs, dask, alone=alone) as executor:

            def make(wanted: int | None, trying: Callable[[], None]) -> Iterator[Made]:
                return numberlinks(
                    rows, cols, **asked, wanted=wanted, executor=executor, trying=trying
                )

            stream(make, count, to, f"numberlink {rows}x{cols}")
