"""`count-solutions`: the number of solutions of each puzzle."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any

import click

from linkoracle.cli import options as opt
from linkoracle.cli import work
from linkoracle.cli.program import DONE, NO, TIMED_OUT, Named, Program, load, load_option
from linkoracle.core import SearchTimeout
from linkoracle.engines import CountResult
from linkoracle.kinds import Puzzle


@click.command(
    cls=Program,
    context_settings={"help_option_names": ["-h", "--help"]},
)
@opt.files_options
@opt.options(work.Settings, "limit", "unique", "show")
@opt.ascii_option
@opt.json_option()
@opt.flag(
    "--jsonl", "Read a request a line from standard input; answer each at once with a JSON line."
)
@opt.searching_options
@opt.options(
    work.Spread, jobs=work.jobs_help("1 for a single puzzle and --jsonl, else all processors")
)
@load_option
@click.version_option(package_name="linkoracle")
def main(
    files: tuple[str, ...],
    ascii_only: bool,
    as_json: bool,
    jsonl: bool,
    jobs: int | None,
    dask: str | None,
    **counting: Any,
) -> None:
    """Count the solutions of the puzzles in each FILE (- is standard input).

    Prints one number for a single puzzle, lines NAME: NUMBER for more. Exit status: 0, or 1 with
    --unique when some puzzle is not unique; 2 for bad input; 3 when a time limit was reached. With
    --jsonl, docs/reference/jsonl.md has the requests and the answers.

    \b
    Examples:
      count-solutions puzzle.txt
      count-solutions --limit 2 --show puzzle.txt
      count-solutions --unique puzzles.txt && echo all unique
      some-generator | count-solutions --jsonl --limit 2
    """
    settings, spread = work.Settings(**counting), work.Spread(jobs, dask)
    if settings.unique and settings.limit is None:
        settings = replace(settings, limit=1)
    if jsonl:
        if files not in ((), ("-",)):
            raise click.UsageError("--jsonl reads standard input; it takes no FILE")
        if spread.dask is not None:
            raise click.UsageError("--jsonl is answered on this machine; it takes no --dask")
        from linkoracle.cli.jsonl import serve

        with spread.executor(alone=True) as executor:
            status = serve(sys.stdin.buffer, settings, executor)
    else:
        named = load(files, settings.kind, settings.variant)
        with spread.executor(alone=len(named) == 1) as executor:
            processes = None if spread.dask else getattr(executor, "workers", None)
            job = _Counting(settings, processes)
            answers = work.answered(job, named, executor, settings.timeout)
            status = _print_answers(answers, len(named) > 1, as_json, ascii_only, settings)
    sys.exit(status)


@dataclass
class _Counting(work.PuzzleJob["tuple[CountResult, float]"]):
    """Count the solutions of a puzzle, in this process or in one of several on this machine."""

    settings: work.Settings
    processes: int | None

    def __call__(self, puzzle: Puzzle) -> tuple[CountResult, float]:
        """Return the count and the seconds that the search took. Raises `SearchTimeout`."""
        started = time.perf_counter()
        result = self.settings.count_result(puzzle, self.progress)
        return result, time.perf_counter() - started

    def __getstate__(self) -> dict[str, Any]:
        shared = self.settings.shared(self.processes) if self.processes else self.settings
        return {"settings": shared, "processes": None}


def _print_answers(
    answers: Iterable[tuple[Named, tuple[CountResult, float] | SearchTimeout]],
    several: bool,
    as_json: bool,
    ascii_only: bool,
    settings: work.Settings,
) -> int:
    if as_json:
        from linkoracle.cli.messages import about, count_members
    status = DONE
    for entry, answer in answers:
        result = None if isinstance(answer, SearchTimeout) else answer[0]
        if result is None:
            status = TIMED_OUT
        elif settings.unique and status == DONE and (result.count, result.exact) != (1, True):
            status = NO
        if as_json:
            members = count_members(answer, settings.show)
            click.echo(json.dumps({"name": entry.name, **about(entry.puzzle), **members}))
            continue
        if result is not None or several:
            count = f"{result.count}{'' if result.exact else '+'}" if result else "timeout"
            click.echo(f"{entry.name}: {count}" if several else count)
        if result is not None and settings.show:
            for solution in work.checked(entry.puzzle, result.solutions):
                click.echo("\n" + work.drawing(entry.puzzle, solution, ascii_only=ascii_only))
    return status
