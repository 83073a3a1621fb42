"""`count-solutions`: how many solutions has each puzzle?"""

from __future__ import annotations

import json
import sys
import time
from typing import Any

import click

from linkoracle.cli.program import Program, complete_files
from linkoracle.cli.progress import shown_progress
from linkoracle.cli.shared import (
    BAD_INPUT,
    TIMED_OUT,
    Named,
    clean_endings,
    decoded,
    load,
    reading_options,
    searching_options,
)
from linkoracle.errors import FormatError, SearchTimeout
from linkoracle.formats import read_all
from linkoracle.solving import Tally, tally


@click.command(
    cls=Program,
    short_help="Count the solutions of puzzles.",
    context_settings={"help_option_names": ["-h", "--help"]},
)
@reading_options
@click.option(
    "--limit",
    type=click.IntRange(min=1),
    metavar="N",
    help="Stop at N solutions, and print N+ if there are more.",
)
@click.option(
    "--unique", is_flag=True, help="Exit 0 if every puzzle has exactly one solution, else 1."
)
@click.option("--show", is_flag=True, help="Draw the solutions counted.")
@click.option("--ascii", "ascii_only", is_flag=True, help="Draw with ASCII characters only.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object a puzzle.")
@click.option(
    "--jsonl",
    is_flag=True,
    help="Read a puzzle a line from standard input; answer each at once with a JSON line.",
)
@searching_options
@click.version_option(package_name="linkoracle")
def main(
    files: tuple[str, ...],
    kind: str | None,
    rule: str | None,
    limit: int | None,
    unique: bool,
    show: bool,
    ascii_only: bool,
    as_json: bool,
    jsonl: bool,
    engine: str,
    solver: str | None,
    memory: int | None,
    timeout: float | None,
) -> None:
    """Count the solutions of the puzzles in each FILE (- is standard input).

    Prints one number for a single puzzle, lines NAME: NUMBER for more. Exit status: 0, or 1 with
    --unique when some puzzle is not unique; 2 for bad input; 3 when a time limit was reached.

    \b
    Examples:
      count-solutions puzzle.txt
      count-solutions --limit 2 --show puzzle.txt
      count-solutions --unique puzzles.txt && echo all unique
      some-generator | count-solutions --jsonl --limit 2
    """
    if unique and limit is None:
        limit = 1
    asked = {
        "limit": limit,
        "keep": show,
        "engine": engine,
        "solver": solver,
        "memory": memory,
        "timeout": timeout,
    }
    with clean_endings():
        if jsonl:
            if files not in ((), ("-",)):
                raise click.UsageError("--jsonl reads standard input; it takes no FILE")
            status = _answer_lines(kind, rule, unique, asked)
        else:
            status = _answer_files(load(files, kind, rule), as_json, unique, ascii_only, asked)
    sys.exit(status)


complete_files(main)


def _answer_files(
    named: list[Named], as_json: bool, unique: bool, ascii_only: bool, asked: dict[str, Any]
) -> int:
    status = 0
    for one in named:
        started = time.perf_counter()
        prefix = f"{one.name}: " if len(named) > 1 else ""
        try:
            with shown_progress(one.name) as progress:
                result = tally(one.puzzle, **asked, progress=progress)
        except SearchTimeout as error:
            status = TIMED_OUT
            if as_json:
                click.echo(json.dumps(_unanswered(one, error)))
            elif prefix:
                click.echo(f"{prefix}timeout")
            click.echo(f"error: {one.name}: {error}", err=True)
            continue
        if unique and status == 0 and (result.count, result.exact) != (1, True):
            status = 1
        if as_json:
            click.echo(
                json.dumps(answer(one, result, time.perf_counter() - started, asked["keep"]))
            )
            continue
        click.echo(f"{prefix}{result.count}{'' if result.exact else '+'}")
        if asked["keep"]:
            from linkoracle.render.text import draw

            for solution in result.solutions:
                click.echo("\n" + draw(one.puzzle, solution, ascii_only=ascii_only))
    return status


def _answer_lines(kind: str | None, rule: str | None, unique: bool, asked: dict[str, Any]) -> int:
    """A long-running oracle for a program in any language: a line in, a line out, flushed."""
    status = 0
    for number, data in enumerate(sys.stdin.buffer, start=1):
        started = time.perf_counter()
        try:
            text = decoded(data, line=number)
            if not text.strip():
                continue
            entries = read_all(text.rstrip("\n") + "\n", kind=kind, rule=rule, name="<stdin>")
            one = Named(entries[0].name or f"<stdin>:{number}", entries[0].puzzle)
        except FormatError as error:
            status = BAD_INPUT
            # The reader saw one line; the user knows it by its number in the stream.
            error.line = number
            click.echo(json.dumps({"line": number, "error": str(error)}))
            continue
        try:
            result = tally(one.puzzle, **asked)
        except SearchTimeout as error:
            status = status or TIMED_OUT
            click.echo(json.dumps(_unanswered(one, error)))
            continue
        if unique and status == 0 and (result.count, result.exact) != (1, True):
            status = 1
        click.echo(json.dumps(answer(one, result, time.perf_counter() - started, asked["keep"])))
    return status


def _about(one: Named) -> dict[str, Any]:
    puzzle = one.puzzle
    return {
        "name": one.name,
        "kind": puzzle.kind,
        "rule": puzzle.rule,
        "rows": puzzle.rows,
        "cols": puzzle.cols,
    }


def answer(one: Named, result: Tally, seconds: float, with_solutions: bool) -> dict[str, Any]:
    """The JSON object of a counted puzzle; solutions are lists of walks over ``[row, column]``."""
    found = {
        **_about(one),
        "count": result.count,
        "exact": result.exact,
        "engine": result.engine,
        "seconds": round(seconds, 6),
    }
    if with_solutions:
        found["solutions"] = [solution.paths() for solution in result.solutions]
    return found


def _unanswered(one: Named, error: SearchTimeout) -> dict[str, Any]:
    return {**_about(one), "count": error.found, "exact": False, "error": str(error)}
