"""`linkoracle grade`: what a person must do to solve a puzzle."""

from __future__ import annotations

import json
import sys
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from linkoracle.cli.progress import announce_compilation
from linkoracle.cli.shared import (
    Named,
    clean_endings,
    load,
    reading_options,
    standard_input,
)
from linkoracle.errors import FormatError
from linkoracle.model import Solution

if TYPE_CHECKING:
    from linkoracle.deduce import Board, Grade, Step
    from linkoracle.puzzles import Puzzle


@click.command(short_help="Say how hard puzzles are for a person.")
@reading_options
@click.option("--explain", "what", flag_value="explain", help="Print every step as a sentence.")
@click.option("--hint", "what", flag_value="hint", help="Print the next step only.")
@click.option(
    "--board",
    "board_file",
    metavar="FILE",
    help='Begin with lines and crosses that are there: {"lines": [...], "crosses": [...]}, lists '
    "of walks over [row, column].",
)
@click.option(
    "--max-depth",
    type=click.IntRange(0, 6),
    default=1,
    show_default=True,
    help="How deep guesses may be nested.",
)
@click.option("--uniqueness", is_flag=True, help="Allow arguments from there being one solution.")
@click.option(
    "--rules", "subset", type=click.Choice(["easy", "hard"]), help="Use this set of rules only."
)
@click.option("--backtracking", is_flag=True, help="Measure the depth of backtracking, too.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object a puzzle.")
def grade(
    files: tuple[str, ...],
    kind: str | None,
    rule: str | None,
    what: str | None,
    board_file: str | None,
    max_depth: int,
    uniqueness: bool,
    subset: str | None,
    backtracking: bool,
    as_json: bool,
) -> None:
    """Grade the puzzles in each FILE: easy, normal, tricky, hard or extreme.

    Solves them as a person would, always by the simplest technique that has something to say. Exit
    status 1 if some puzzle was not solved so.

    \b
    Examples:
      linkoracle grade puzzles.txt
      linkoracle grade --explain puzzle.txt
      linkoracle grade --hint --board half-done.json puzzle.txt
    """
    from linkoracle.deduce.grading import board_of, graded
    from linkoracle.deduce.search import backtrack
    from linkoracle.deduce.walk import walk

    status = 0
    rows: list[tuple[Named, Grade]] = []
    with clean_endings():
        named = load(files, kind, rule)
        if board_file is not None and len(named) != 1:
            raise click.UsageError(f"--board is for one puzzle, found {len(named)}")
        announce_compilation()
        for one in named:
            board = board_of(one.puzzle, uniqueness=uniqueness, subset=subset)
            fits = board_file is None or board.put(given_literals(board_file, one.puzzle))
            fits = fits and board.begin() and board.guess(max_depth)
            depth = None
            if backtracking:
                fresh = board_of(one.puzzle, uniqueness=uniqueness, subset=subset)
                depth = backtrack(fresh, limit=2).depth
            found = graded(board, fits, backtracking=depth)
            status |= found.status != "solved"
            steps = walk(one.puzzle, board) if what else []
            if as_json:
                click.echo(json.dumps(_record(one, found, board, what, steps)))
            elif what:
                _tell(one, found, what, steps, len(named) > 1)
            else:
                rows.append((one, found))
    if rows:
        _print_table(rows)
    sys.exit(status)


def given_literals(file: str, puzzle: Puzzle) -> list[int]:
    """The literals of a board file."""
    shown = "<stdin>" if file == "-" else file
    try:
        text = standard_input() if file == "-" else Path(file).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise FormatError(f"cannot read: {error}", source=file) from None
    try:
        record = json.loads(text)
        parts = [
            Solution.from_paths(puzzle.lattice, record.get(key, [])).edges
            for key in ("lines", "crosses")
        ]
    except (ValueError, TypeError, AttributeError, IndexError, RecursionError) as error:
        raise FormatError(
            'expected a JSON object with "lines" and "crosses", lists of walks over [row, column]; '
            f"{type(error).__name__}: {error}",
            source=shown,
        ) from None
    lines, crosses = parts
    return [2 * edge for edge in lines] + [2 * edge + 1 for edge in crosses]


def _tell(one: Named, found: Grade, what: str, steps: list[Step], several: bool) -> None:
    if several:
        click.echo(f"{one.name}:")
    if what == "hint":
        if steps:
            click.echo(f"[{steps[0].rule or steps[0].technique}] {steps[0].sentence}")
        else:
            click.echo("no step found" if found.status != "solved" else "nothing is left to do")
        return
    for number, step in enumerate(steps, start=1):
        click.echo(f"{number}. [{step.rule or step.technique}] {step.sentence}")
    click.echo(_summary(found))


def _summary(found: Grade) -> str:
    if found.status == "no solution":
        return "There is no solution."
    if found.status == "gave up":
        return f"Gave up: {found.open_edges} edges are open."
    guesses = f", guesses {found.depth} deep" if found.depth else ""
    return f"Solved: {found.label}, {found.total} steps{guesses}."


def _record(
    one: Named, found: Grade, board: Board, what: str | None, steps: list[Step]
) -> dict[str, Any]:
    record = {"name": one.name, "kind": one.puzzle.kind, **asdict(found)}
    if what:
        shown = steps[:1] if what == "hint" else steps
        record["walk"] = [
            {
                "technique": step.technique,
                "rule": step.rule,
                "lines": _pairs(board, step.lines),
                "crosses": _pairs(board, step.crosses),
                "text": step.sentence,
            }
            for step in shown
        ]
    return record


def _pairs(board: Board, edges: tuple[int, ...]) -> list[list[list[int]]]:
    """Edges as walks of one step, as --board reads them."""
    position = board.model.lattice.position
    ends = board.frame.ends
    return [[list(map(int, position(int(end)))) for end in ends[edge]] for edge in edges]


def _print_table(rows: list[tuple[Named, Grade]]) -> None:
    from linkoracle.deduce.techniques import CATALOGUE

    titles = ["puzzle", "grade", "steps", "hardest", "depth"]
    with_depth = any(found.backtracking is not None for _, found in rows)
    titles += ["backtracking"] * with_depth
    order = [technique.name for technique in CATALOGUE]
    cells = []
    for one, found in rows:
        hardest = max(found.steps, key=order.index, default="")
        row = [one.name, found.label or found.status, str(found.total), hardest, str(found.depth)]
        cells.append(row + [str(found.backtracking)] * with_depth)
    if sys.stdout.isatty():
        from rich.console import Console
        from rich.table import Table

        table = Table()
        for title in titles:
            table.add_column(title, justify="right" if title in ("steps", "depth") else "left")
        for row in cells:
            table.add_row(*row)
        Console().print(table)
        return
    widths = [max(map(len, column)) for column in zip(titles, *cells, strict=True)]
    for row in [titles, *cells]:
        shown = (cell.ljust(width) for cell, width in zip(row, widths, strict=True))
        click.echo("  ".join(shown).rstrip())
