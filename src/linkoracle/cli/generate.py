"""`linkoracle generate`: puzzles that are proven to have one solution."""

from __future__ import annotations

from functools import partial
from typing import Any

import click

from linkoracle.cli.generate_slitherlink import slitherlink
from linkoracle.cli.options import COUNT, RANGE, ReadParam, arguments, board_arguments, matching
from linkoracle.cli.program import complete_files
from linkoracle.cli.streaming import (
    Run,
    making_options,
    seed_option,
    stream,
    symmetry_option,
    tries_option,
)
from linkoracle.generate import MAKERS, NumberlinkRequest, numberlinks
from linkoracle.generate.making import EFFORT, TRIES, makers, puzzles
from linkoracle.generate.numberlink_request import NUMBERLINK_TRIES, REPAIRS
from linkoracle.kinds import kind_named
from linkoracle.kinds.numberlink import RULES


class _Makers(click.Group):
    """A command for each kind that can be made, those registered later included."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return sorted({*super().list_commands(ctx), *makers()})

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        found = super().get_command(ctx, cmd_name)
        return _command(cmd_name) if found is None and cmd_name in makers() else found


@click.group(cls=_Makers)
def generate() -> None:
    """Make puzzles, each proven to have exactly one solution.

    \b
    Examples:
      linkoracle generate slitherlink 10 10 --difficulty tricky -o mine.txt
      linkoracle generate numberlink 8 8 --show
      linkoracle generate simpleloop 8 8 --count 20 --format pzpr
    """


generate.add_command(slitherlink)

_SHARE = ReadParam(
    "A-B",
    "expected a range such as 0.1-0.3, got",
    matching(r"(\d?\.?\d{1,6})-(\d?\.?\d{1,6})", lambda *ends: tuple(map(float, ends))),
)


@generate.command(short_help="Make Numberlinks.")
@board_arguments
@click.option(
    "--pairs",
    type=RANGE,
    metavar="N|A-B",
    help="How many pairs of numbers.  [default: 0.85 to 1.15 times the root of the cells]",
)
@click.option(
    "--min-length",
    type=click.IntRange(1, 1_000_000),
    default=3,
    show_default=True,
    help="Cells of the shortest link.",
)
@click.option("--max-length", type=click.IntRange(1, 1_000_000), help="Cells of the longest link.")
@click.option(
    "--short-share",
    type=_SHARE,
    default="0-1",
    help="Share of links of at most half the average length.",
)
@click.option(
    "--long-share",
    type=_SHARE,
    default="0-1",
    help="Share of links of at least one and a half times the average length.",
)
@click.option(
    "--rule",
    type=click.Choice(RULES),
    default="free",
    show_default=True,
    help="Whether solvers may leave cells empty. The solution uses all of them either way.",
)
@symmetry_option("numbers")
@click.option(
    "--maker",
    type=click.Choice(MAKERS),
    default="links",
    show_default=True,
    help="links: lay links one by one; diagram: uniform over all such puzzles, small boards only.",
)
@seed_option
@click.option(
    "--repairs",
    type=click.IntRange(min=0),
    metavar="N",
    help=f"Re-routings of a board that is not unique.  [default: {REPAIRS}; diagram: 0]",
)
@tries_option("Boards to try", NUMBERLINK_TRIES)
@click.option(
    "--effort",
    type=COUNT,
    default=EFFORT,
    show_default=True,
    metavar="N",
    help="Conflicts of the SAT solver after which a board is dropped as undecided.",
)
@making_options("1 for one puzzle or --maker diagram, else all processors")
def numberlink(rows: int, cols: int, seed: int, run: Run, **asked: Any) -> None:
    """Make Numberlinks of ROWS x COLS cells, each proven to have one solution.

    The same options and seed give the same puzzles; more of them begin with the same ones. Each is
    written as soon as it is made, and stays when Ctrl-C ends the program. With --maker diagram each
    process prepares the board anew.

    \b
    Examples:
      linkoracle generate numberlink 10 10 --show
      linkoracle generate numberlink 8 8 --symmetry half-turn --seed 4
      linkoracle generate numberlink 9 9 --count 100 --format pzpr -o puzzles.txt
    """
    with arguments():
        request = NumberlinkRequest(rows, cols, **asked)
    # Each process would count all boards of this size before the diagram maker's first draw.
    alone = request.maker == "diagram"
    stream(partial(numberlinks, request, seed=seed), run, f"numberlink {rows}x{cols}", alone=alone)


def _command(kind: str) -> click.Command:
    """The command for a kind whose page says how it is made."""

    @click.command(kind, short_help=f"Make puzzles of the kind {kind_named(kind).title}.")
    @board_arguments
    @seed_option
    @tries_option("Runs of the maker", TRIES)
    @making_options("1 for one puzzle, else all processors")
    def make_some(rows: int, cols: int, seed: int, tries: int, run: Run) -> None:
        make = partial(puzzles, kind, rows, cols, seed=seed, tries=tries)
        stream(make, run, f"{kind} {rows}x{cols}")

    title = kind_named(kind).title
    make_some.help = f"""Make puzzles of the kind {title}, of ROWS x COLS cells.

    Each is proven to have one solution. The same options and seed give the same puzzles; more of
    them begin with the same ones. Each is written as soon as it is made, and stays when Ctrl-C ends
    the program.

    \b
    Examples:
      linkoracle generate {kind} 8 8 --show
      linkoracle generate {kind} 8 8 --count 20 -o puzzles.txt
    """
    complete_files(make_some)
    return make_some
