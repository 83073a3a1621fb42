"""`linkoracle census loop`: every puzzle of one loop."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING

import click

from linkoracle.cli.census.options import (
    Cell,
    CellParam,
    check_cells,
    choosing_options,
    print_puzzles,
    stamp,
    within,
)
from linkoracle.cli.progress import shown_progress
from linkoracle.cli.shared import INTERRUPTED, TIMED_OUT, RangeParam, clean_endings, load, table_of
from linkoracle.errors import PuzzleError
from linkoracle.formats import write
from linkoracle.puzzles import Slitherlink
from linkoracle.solving import certify, diagram

if TYPE_CHECKING:
    from linkoracle.model import Solution


@click.command(short_help="Every Slitherlink of a loop.")
@click.argument("file", required=False)
@click.option(
    "--random",
    "size",
    type=(click.IntRange(1), click.IntRange(1)),
    help="Take a loop of a board of this many rows and columns, uniformly (see --seed).",
)
@click.option("--fours", is_flag=True, help="Let a cell show the clue 4.")
@click.option("--minimal", is_flag=True, help="Only puzzles from which no clue can be taken.")
@click.option("--smallest", is_flag=True, help="Only puzzles with the fewest clues.")
@click.option("--clues", type=RangeParam(), help="Only puzzles with this many clues.")
@click.option("--with", "required", type=CellParam(), multiple=True, help="This cell has a clue.")
@click.option("--without", "forbidden", type=CellParam(), multiple=True, help="This cell has none.")
@click.option("--no-value", type=click.IntRange(0, 4), help="No clue has this value.")
@click.option(
    "--symmetric",
    metavar="NAME",
    help="The cells with clues have this symmetry: half-turn, left-right, diagonal and so on.",
)
@click.option(
    "--fewest",
    is_flag=True,
    help="Only find one puzzle with the fewest clues: for boards too large for the rest.",
)
@click.option(
    "--timeout",
    type=click.FloatRange(min=0, min_open=True),
    metavar="SECONDS",
    help="For --fewest: stop after this time (exit status 3 if nothing is proven).",
)
@choosing_options
def loop(
    file: str | None,
    size: tuple[int, int] | None,
    fours: bool,
    minimal: bool,
    smallest: bool,
    clues: tuple[int, int] | None,
    required: tuple[Cell, ...],
    forbidden: tuple[Cell, ...],
    no_value: int | None,
    symmetric: str | None,
    fewest: bool,
    timeout: float | None,
    listed: bool,
    sample: int | None,
    seed: int | None,
    as_json: bool,
    memory: int | None,
) -> None:
    """Count every Slitherlink whose only solution is the loop that solves FILE.

    Prints how many there are with each number of clues, and how many of these are minimal, or
    lists or samples them. Cells are counted from 1. Filters apply in the order of --help; boards to
    7 x 5 cells and a little beyond.

    \b
    Examples:
      linkoracle census loop puzzle.txt
      linkoracle census loop puzzle.txt --minimal --clues 8-9 --list
      linkoracle census loop puzzle.txt --symmetric half-turn --sample 3
      linkoracle census loop --random 10 10 --seed 1 --fewest
    """
    from linkoracle.census.loop import puzzles_of

    with clean_endings():
        solution = _solution(file, size, seed)
        if fewest:
            _show_fewest(solution, timeout, as_json)
            return
        check_cells(required + forbidden, solution.lattice.rows - 1, solution.lattice.cols - 1)
        with shown_progress("census") as progress:
            family = within(
                lambda: puzzles_of(solution, fours=fours, memory=memory, progress=progress)
            )
        family = within(
            lambda: family.filter(
                required=required, forbidden=forbidden, clues=clues, without_value=no_value
            )
        )
        if symmetric is not None:
            name = symmetric
            family = within(lambda: family.symmetric(name))
        if minimal:
            family = family.minimal()
        if smallest:
            family = family.smallest()
        if listed or sample is not None:
            print_puzzles(family, sample, seed, as_json)
            return
        numbers, least = family.by_clues(), family.minimal().by_clues()
        if as_json:
            found = stamp("loop", rows=family.full.rows, cols=family.full.cols, fours=fours)
            found |= {"solution": solution.paths(), "puzzles": numbers, "minimal": least}
            click.echo(json.dumps(found))
            return
        rows: list[list[object]] = [
            [number, puzzles, least.get(number, 0)] for number, puzzles in numbers.items()
        ]
        rows.append(["all", family.count(), sum(least.values())])
        click.echo(table_of(["clues", "puzzles", "minimal"], rows))


def _solution(file: str | None, size: tuple[int, int] | None, seed: int | None) -> Solution:
    """The loop asked for: the only solution of a puzzle, or a random one."""
    if (file is None) == (size is None):
        raise click.UsageError("expected a FILE, or --random ROWS COLS")
    if size is not None:
        return diagram(Slitherlink.blank(*size)).sample(1, seed=seed)[0]
    named = load([str(file)], "slitherlink", None)
    if len(named) != 1:
        raise click.UsageError(f"expected one puzzle in {file}, found {len(named)}")
    puzzle = named[0].puzzle
    if not isinstance(puzzle, Slitherlink) or puzzle.ends is not None:
        raise PuzzleError(f"{named[0].name}: expected a Slitherlink with a loop")
    verdict = certify(puzzle)
    if not verdict.unique:
        many = "no" if verdict.status == "none" else "more than one"
        raise PuzzleError(f"{named[0].name}: expected a puzzle with one solution, found {many}")
    return verdict.solutions[0]


def _show_fewest(solution: Solution, timeout: float | None, as_json: bool) -> None:
    from linkoracle.generate.fewest import fewest

    with shown_progress("fewest") as progress:

        def watching(bound: int) -> None:
            if progress is not None:
                progress(f"at least {bound} clues", None)

        found = fewest(solution, timeout=timeout, watching=watching)
    clues = len(list(found.puzzle.clue_cells()))
    if as_json:
        answer = stamp("fewest", clues=clues, at_least=found.lower_bound, grid=found.puzzle.grid)
        click.echo(json.dumps(answer))
    else:
        bound = "the fewest" if found.proven else f"at least {found.lower_bound} are needed"
        click.echo(f"# {clues} clues, {bound}\n{write(found.puzzle, 'text')}", nl=False)
    if not found.proven:
        sys.exit(INTERRUPTED if found.interrupted else TIMED_OUT)
