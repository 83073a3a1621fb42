"""`linkoracle solve`: draw solutions."""

from __future__ import annotations

import json
import sys
from itertools import islice

import click

from linkoracle.cli.shared import clean_endings, load, reading_options, searching_options
from linkoracle.solving import solutions


@click.command()
@reading_options
@click.option("--limit", type=click.IntRange(min=1), default=1, help="Show up to N solutions.")
@click.option("--all", "show_all", is_flag=True, help="Show every solution.")
@click.option("--ascii", "ascii_only", is_flag=True, help="Draw with ASCII characters only.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object a puzzle.")
@searching_options
def solve(
    files: tuple[str, ...],
    kind: str | None,
    rule: str | None,
    limit: int,
    show_all: bool,
    ascii_only: bool,
    as_json: bool,
    engine: str,
    solver: str | None,
    memory: int | None,
    timeout: float | None,
) -> None:
    """Draw a solution of each puzzle. Exit status 1 if some puzzle has none.

    \b
    Examples:
      linkoracle solve puzzle.txt
      linkoracle solve --all puzzle.txt
      linkoracle solve --json --limit 5 puzzle.txt
    """
    from linkoracle.render.text import draw

    status = 0
    with clean_endings():
        named = load(files, kind, rule)
        for one in named:
            found = solutions(
                one.puzzle, engine=engine, solver=solver, memory=memory, timeout=timeout
            )
            shown = list(islice(found, None if show_all else limit))
            if not shown:
                status = 1
            if as_json:
                paths = [solution.paths() for solution in shown]
                click.echo(json.dumps({"name": one.name, "solutions": paths}))
                continue
            if len(named) > 1:
                click.echo(f"{one.name}:")
            pictures = [draw(one.puzzle, solution, ascii_only=ascii_only) for solution in shown]
            click.echo("\n\n".join(pictures) or "no solution")
    sys.exit(status)
