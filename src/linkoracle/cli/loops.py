"""`linkoracle loops`: all loops of a board, or all solutions of a puzzle, as a whole."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import click

from linkoracle.cli import options as opt
from linkoracle.cli.work import working
from linkoracle.kinds import Puzzle, Slitherlink
from linkoracle.solving import diagram, tally

if TYPE_CHECKING:
    from linkoracle.board.solution import Solution


@click.command(short_help="Count, list or sample all loops of a board.")
@click.argument("rows", type=opt.SIDE, required=False)
@click.argument("cols", type=opt.SIDE, required=False)
@click.option("--clues", "file", metavar="FILE", help="The solutions of this puzzle instead.")
@opt.kind_option
@opt.rule_option
@click.option("--count", "what", flag_value="count", default=True, help="How many (the default).")
@click.option("--list", "what", flag_value="list", help="Draw them all.")
@click.option("--sample", type=opt.SAMPLE, metavar="K", help="Draw K, uniformly.")
@click.option("--seed", type=opt.SEED, help="For --sample: the same seed gives the same loops.")
@click.option("--by-length", "what", flag_value="by-length", help="How many of each length.")
@click.option("--longest", "what", flag_value="longest", help="Draw a longest one.")
@click.option("--shortest", "what", flag_value="shortest", help="Draw a shortest one.")
@opt.json_option("Print walks as JSON lines; draw nothing.")
@opt.ascii_option
@opt.timeout_option("Stop after this time")
@opt.memory_option
def loops(
    what: str,
    sample: int | None,
    seed: int | None,
    as_json: bool,
    ascii_only: bool,
    timeout: float | None,
    memory: int | None,
    **board: Any,
) -> None:
    """Count, list or sample all loops of a board of ROWS x COLS cells, exactly.

    \b
    Examples:
      linkoracle loops 7 7
      linkoracle loops 8 8 --sample 3 --seed 1
      linkoracle loops 6 6 --by-length
      linkoracle loops --clues puzzle.txt --list
    """
    from linkoracle.render.text import draw

    counting = what == "count" and sample is None
    with working("counting" if counting else "listing", timeout) as work:
        puzzle = _puzzle(**board)
        with opt.arguments():
            if counting:
                found = tally(
                    puzzle, engine="frontier", memory=memory, timeout=timeout, progress=work
                )
                work.close()
                click.echo(found.count)
                return
            everything = diagram(puzzle, memory=memory, timeout=timeout, progress=work)
        chosen: Iterable[Solution | None]
        if sample is not None:
            chosen = everything.sample(sample, seed=seed) if everything else []
        elif what == "by-length":
            chosen, lengths = [], sorted(everything.by_length().items())
            work.close()
            for length, number in lengths:
                click.echo(json.dumps([length, number]) if as_json else f"{length} {number}")
        elif what == "list":
            chosen = everything
        else:
            chosen = [everything.longest() if what == "longest" else everything.shortest()]
        work.close()
        for number, solution in enumerate(one for one in chosen if one is not None):
            if as_json:
                click.echo(json.dumps(solution.paths()))
            else:
                picture = draw(puzzle, solution, ascii_only=ascii_only)
                click.echo(("\n" if number else "") + picture)


def _puzzle(
    rows: int | None, cols: int | None, file: str | None, kind: str | None, rule: str | None
) -> Puzzle:
    if file is None:
        if rows is None or cols is None:
            raise click.UsageError("expected ROWS and COLS, or --clues FILE")
        return Slitherlink.blank(*opt.board_size(rows, cols))
    if rows is not None:
        raise click.UsageError("expected ROWS and COLS, or --clues FILE, not both")
    return opt.load_one(file, kind, rule).puzzle
