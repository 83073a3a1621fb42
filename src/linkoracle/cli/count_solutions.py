"""`count-solutions`: how many solutions has each puzzle?"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import click

from linkoracle.cli.jobs import answered, executor_for, jobs_options
from linkoracle.cli.program import Program, complete_files
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
from linkoracle.memory import default_limit
from linkoracle.solving import Tally, tally

if TYPE_CHECKING:
    from linkoracle.puzzles import Puzzle
    from linkoracle.solving import Progress


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
@jobs_options("1 for a single puzzle, else all processors")
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
    jobs: int | None,
    dask: str | None,
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
            if jobs is not None or dask is not None:
                raise click.UsageError("--jsonl answers line by line; it takes no --jobs or --dask")
            status = _answer_lines(kind, rule, unique, asked)
        else:
            named = load(files, kind, rule)
            with executor_for(jobs, dask, alone=len(named) == 1) as executor:
                processes = getattr(executor, "workers", None) if dask is None else None
                answers = answered(_Counting(asked, processes), named, executor)
                status = _print_answers(answers, len(named) > 1, as_json, unique, ascii_only, show)
    sys.exit(status)


complete_files(main)


class _Counting:
    """Counts the solutions of a puzzle, in this process or in one of several on this machine."""

    def __init__(self, asked: dict[str, Any], processes: int | None = None) -> None:
        self._asked = asked
        self._processes = processes
        self.progress: Progress | None = None

    def __call__(self, puzzle: Puzzle) -> tuple[Tally | SearchTimeout, float]:
        """What was found, and the seconds that it took."""
        started = time.perf_counter()
        found: Tally | SearchTimeout
        try:
            found = tally(puzzle, **self._asked, progress=self.progress)
        except SearchTimeout as error:
            found = error
        return found, time.perf_counter() - started

    def __reduce__(self) -> tuple[Any, ...]:
        asked = self._asked
        if self._processes is not None and asked["memory"] is None:
            # What is free here is shared by all.
            asked = {**asked, "memory": max(default_limit() // self._processes, 1)}
        return _Counting, (asked,)


def _print_answers(
    answers: Iterable[tuple[Named, tuple[Tally | SearchTimeout, float]]],
    several: bool,
    as_json: bool,
    unique: bool,
    ascii_only: bool,
    with_solutions: bool,
) -> int:
    status = 0
    for one, (result, seconds) in answers:
        prefix = f"{one.name}: " if several else ""
        if isinstance(result, SearchTimeout):
            status = TIMED_OUT
            if as_json:
                click.echo(json.dumps(_unanswered(one, result)))
            elif prefix:
                click.echo(f"{prefix}timeout")
            click.echo(f"error: {one.name}: {result}", err=True)
            continue
        if unique and status == 0 and (result.count, result.exact) != (1, True):
            status = 1
        if as_json:
            click.echo(json.dumps(answer(one, result, seconds, with_solutions)))
            continue
        click.echo(f"{prefix}{result.count}{'' if result.exact else '+'}")
        if with_solutions:
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
