"""`linkoracle census board`: every puzzle of a board."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import click

from linkoracle.cli.census.options import stamp
from linkoracle.cli.jobs import executor_for, jobs_options
from linkoracle.cli.progress import shown_progress
from linkoracle.cli.shared import clean_endings, memory_option, table_of
from linkoracle.formats import write
from linkoracle.puzzles import Puzzle

if TYPE_CHECKING:
    from linkoracle.census.board import BoardCensus


@click.command(short_help="Every Slitherlink of a board.")
@click.argument("rows", type=click.IntRange(min=1))
@click.argument("cols", type=click.IntRange(min=1))
@click.option("--fours", is_flag=True, help="Let a cell show the clue 4.")
@click.option("--store", metavar="FILE", help="Keep finished units of work in this SQLite file.")
@click.option("--resume", is_flag=True, help="Go on with the run in --store, if it exists.")
@click.option("--units", type=click.IntRange(min=0), help="Stop after this many units.")
@jobs_options("1, since all share the memory")
@click.option("--examples", is_flag=True, help="Show puzzles that are extreme.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@memory_option
def board(
    rows: int,
    cols: int,
    fours: bool,
    store: str | None,
    resume: bool,
    units: int | None,
    jobs: int | None,
    dask: str | None,
    examples: bool,
    as_json: bool,
    memory: int | None,
) -> None:
    """Count every uniquely solvable Slitherlink of ROWS x COLS cells, by number of clues.

    Clues are 0 to 3, unless --fours is given. "Up to symmetry" counts turns and mirror images of a
    puzzle once. A run with --store can be stopped, killed and resumed.

    \b
    Examples:
      linkoracle census board 4 4
      linkoracle census board 5 5 --store census.sqlite --resume --jobs 2
    """
    from linkoracle.census.board import BoardRun

    if (resume or units is not None) and store is None:
        raise click.UsageError("--resume and --units need --store FILE")
    with clean_endings():
        _check_board(rows, cols)
        path = None if store is None else Path(store)
        with (
            executor_for(jobs, dask, alone=True) as executor,
            BoardRun(
                rows,
                cols,
                fours=fours,
                path=path,
                resume=resume,
                executor=executor,
                memory=memory,
            ) as run,
        ):
            with shown_progress(f"{rows}x{cols}") as progress:
                finished = run.work(most=units, progress=progress)
            if not finished:
                click.echo(f"unfinished: {run.estimate()}")
                return
            counted = run.census()
        click.echo(_board_json(counted) if as_json else _board_text(counted, examples))


def _check_board(rows: int, cols: int) -> None:
    from linkoracle.census.loop_table import MOST_CELLS

    if rows * cols > MOST_CELLS:
        raise click.UsageError(f"expected a board of at most {MOST_CELLS} cells")


def _board_text(counted: BoardCensus, examples: bool) -> str:
    columns = (counted.puzzles, counted.minimal, counted.puzzle_classes, counted.minimal_classes)
    rows: list[list[object]] = [
        [clues, *numbers]
        for clues, numbers in enumerate(zip(*columns, strict=True))
        if any(numbers)
    ]
    rows.append(["all", *map(sum, columns)])
    headings = ["clues", "puzzles", "minimal", "up to symmetry", "minimal up to symmetry"]
    parts = [
        f"{counted.loops} loops, {counted.barren} of them without a puzzle",
        table_of(headings, rows),
    ]
    if examples:
        parts += [f"# {name}\n{write(puzzle, 'text')}" for name, puzzle in _examples(counted)]
    return "\n\n".join(part.rstrip("\n") for part in parts)


def _examples(counted: BoardCensus) -> list[tuple[str, Puzzle]]:
    found: list[tuple[str, Puzzle]] = []
    if counted.fewest is not None and counted.largest is not None:
        found.append(("a puzzle with the fewest clues", counted.fewest))
        found.append(("a minimal puzzle with the most clues", counted.largest))
    for name, record in (("most", counted.richest), ("fewest", counted.poorest)):
        if record is not None:
            puzzle, number = record
            found.append((f"the loop with the {name} puzzles: {number}", puzzle))
    return found


def _board_json(counted: BoardCensus) -> str:
    found = stamp("board", rows=counted.rows, cols=counted.cols, fours=counted.fours)
    for name in ("loops", "barren", "puzzles", "minimal", "puzzle_classes", "minimal_classes"):
        found[name] = getattr(counted, name)
    found["examples"] = {name: {"clues": puzzle.grid} for name, puzzle in _examples(counted)}
    return json.dumps(found)
