"""`linkoracle loops`: all loops of a board, or all solutions of a puzzle, as a whole."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import click

from linkoracle.cli.progress import shown_progress
from linkoracle.cli.shared import clean_endings, load, memory_option
from linkoracle.puzzles import KINDS, Puzzle, Slitherlink
from linkoracle.solving import diagram, tally

if TYPE_CHECKING:
    from collections.abc import Iterable

    from linkoracle.model import Solution


@click.command(short_help="Count, list or sample all loops of a board.")
@click.argument("rows", type=click.IntRange(min=1), required=False)
@click.argument("cols", type=click.IntRange(min=1), required=False)
@click.option("--clues", "file", metavar="FILE", help="The solutions of this puzzle instead.")
@click.option("--kind", type=click.Choice(list(KINDS)), help="Read a grid as this puzzle.")
@click.option("--rule", type=click.Choice(["free", "fill"]), help="Read a Numberlink so.")
@click.option("--count", "what", flag_value="count", default=True, help="How many (the default).")
@click.option("--list", "what", flag_value="list", help="Draw them all.")
@click.option("--sample", type=click.IntRange(min=1), metavar="K", help="Draw K, uniformly.")
@click.option("--seed", type=int, help="For --sample: the same seed gives the same loops.")
@click.option("--by-length", "what", flag_value="by-length", help="How many of each length.")
@click.option("--longest", "what", flag_value="longest", help="Draw a longest one.")
@click.option("--shortest", "what", flag_value="shortest", help="Draw a shortest one.")
@click.option("--json", "as_json", is_flag=True, help="Print walks as JSON lines; draw nothing.")
@click.option("--ascii", "ascii_only", is_flag=True, help="Draw with ASCII characters only.")
@memory_option
def loops(
    rows: int | None,
    cols: int | None,
    file: str | None,
    kind: str | None,
    rule: str | None,
    what: str,
    sample: int | None,
    seed: int | None,
    as_json: bool,
    ascii_only: bool,
    memory: int | None,
) -> None:
    """Count, list or sample all loops of a board of ROWS x COLS cells, exactly.

    \b
    Examples:
      linkoracle loops 7 7
      linkoracle loops 8 8 --sample 3 --seed 1
      linkoracle loops 6 6 --by-length
      linkoracle loops --clues puzzle.txt --list
    """
    with clean_endings():
        puzzle = _puzzle(rows, cols, file, kind, rule)
        if what == "count" and sample is None:
            with shown_progress("counting") as progress:
                counted = tally(puzzle, engine="frontier", memory=memory, progress=progress)
            click.echo(counted.count)
            return
        with shown_progress("listing") as progress:
            everything = diagram(puzzle, memory=memory, progress=progress)
        if what == "by-length":
            for length, number in sorted(everything.by_length().items()):
                click.echo(json.dumps([length, number]) if as_json else f"{length} {number}")
            return
        chosen: Iterable[Solution | None]
        if sample is not None:
            chosen = everything.sample(sample, seed=seed) if everything else []
        elif what == "list":
            chosen = everything
        else:
            chosen = [everything.longest() if what == "longest" else everything.shortest()]
        _show(puzzle, (one for one in chosen if one is not None), as_json, ascii_only)


def _puzzle(
    rows: int | None, cols: int | None, file: str | None, kind: str | None, rule: str | None
) -> Puzzle:
    if file is None:
        if rows is None or cols is None:
            raise click.UsageError("expected ROWS and COLS, or --clues FILE")
        return Slitherlink.blank(rows, cols)
    if rows is not None:
        raise click.UsageError("expected ROWS and COLS, or --clues FILE, not both")
    named = load([file], kind, rule)
    if len(named) != 1:
        raise click.UsageError(f"expected one puzzle in {file}, found {len(named)}")
    return named[0].puzzle


def _show(puzzle: Puzzle, chosen: Iterable[Solution], as_json: bool, ascii_only: bool) -> None:
    from linkoracle.render.text import draw

    for number, solution in enumerate(chosen):
        if as_json:
            click.echo(json.dumps(solution.paths()))
        else:
            picture = draw(puzzle, solution, ascii_only=ascii_only)
            click.echo(("\n" if number else "") + picture)
