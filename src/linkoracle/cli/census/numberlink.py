"""`linkoracle census numberlink`: every Numberlink of a board with one solution."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import click

from linkoracle.cli.census.options import (
    Cell,
    CellParam,
    PairParam,
    check_cells,
    choosing_options,
    print_puzzles,
    stamp,
    within,
)
from linkoracle.cli.progress import shown_progress
from linkoracle.cli.shared import RangeParam, clean_endings, table_of


@click.command(short_help="Every Numberlink of a board.")
@click.argument("rows", type=click.IntRange(min=1))
@click.argument("cols", type=click.IntRange(min=1))
@click.option(
    "--flavour",
    type=click.Choice(["unique_and_covering", "unique_free", "unique_fill"]),
    default="unique_and_covering",
    help="What is counted. The default: of all solutions, in which cells may stay empty, there is "
    "one, and it leaves none empty.",
)
@click.option("--pairs", type=RangeParam(), help="Only puzzles with this many pairs.")
@click.option("--apart", is_flag=True, help="No number stands beside its equal.")
@click.option("--pair", "required", type=PairParam(), multiple=True, help="These cells are a pair.")
@click.option(
    "--end", "ends", type=CellParam(), multiple=True, help="Numbers stand on these cells only."
)
@click.option(
    "--store",
    metavar="FILE",
    help="Keep what is found in this file, after each cell and in the end.",
)
@click.option("--resume", is_flag=True, help="Go on with the run in --store, if it exists.")
@choosing_options
def numberlink(
    rows: int,
    cols: int,
    flavour: str,
    pairs: tuple[int, int] | None,
    apart: bool,
    required: tuple[Any, ...],
    ends: tuple[Cell, ...],
    store: str | None,
    resume: bool,
    listed: bool,
    sample: int | None,
    seed: int | None,
    as_json: bool,
    memory: int | None,
) -> None:
    """Count every Numberlink of ROWS x COLS cells with one solution, by number of pairs.

    A run with --store can be stopped, killed and resumed; resuming a finished one is quick, and may
    ask for other puzzles of the same board and flavour.

    \b
    Examples:
      linkoracle census numberlink 4 4
      linkoracle census numberlink 4 5 --pairs 3 --apart --sample 5 --seed 1
      linkoracle census numberlink 5 6 --store 5x6.npz --resume
    """
    from linkoracle.census.numberlink import instances

    if resume and store is None:
        raise click.UsageError("--resume needs --store FILE")
    with clean_endings():
        check_cells([*ends, *(cell for pair in required for cell in pair)], rows, cols)
        with shown_progress(f"{rows}x{cols}") as progress:
            family = within(
                lambda: instances(
                    rows,
                    cols,
                    flavour,
                    memory=memory,
                    progress=progress,
                    store=None if store is None else Path(store),
                    resume=resume,
                )
            )
        family = within(
            lambda: family.filter(
                pairs=pairs, adjacent_ends=not apart, required=required, ends=ends or None
            )
        )
        if listed or sample is not None:
            print_puzzles(family, sample, seed, as_json)
            return
        numbers = family.by_pairs()
        if as_json:
            found = stamp("numberlink", rows=rows, cols=cols, flavour=flavour)
            click.echo(json.dumps({**found, "puzzles": numbers}))
            return
        table: list[list[object]] = [[number, puzzles] for number, puzzles in numbers.items()]
        click.echo(table_of(["pairs", "puzzles"], [*table, ["all", family.count()]]))
