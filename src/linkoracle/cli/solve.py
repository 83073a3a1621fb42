"""`linkoracle solve` and `check`: draw solutions, check that a puzzle has exactly one."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Any

import click

from linkoracle import certificates
from linkoracle.board import Solution
from linkoracle.cli import options as opt
from linkoracle.cli.program import DONE, NO, TIMED_OUT, Named, report, text_of
from linkoracle.cli.work import PuzzleJob, answered, checked, drawing, working
from linkoracle.core import FormatError, MemoryLimit, SearchTimeout
from linkoracle.kinds import Puzzle, violations
from linkoracle.solving import decide, solutions


@click.command(short_help="Draw solutions.")
@opt.reading_options
@opt.option("--limit", opt.COUNT, "Show up to N solutions.  [default: 1]")
@opt.flag("--all", "Show every solution.", "show_all")
@opt.ascii_option
@opt.json_option()
@opt.searching_options
def solve(
    named: list[Named],
    limit: int | None,
    show_all: bool,
    ascii_only: bool,
    as_json: bool,
    **search: Any,
) -> None:
    """Draw a solution of each puzzle, and say on standard error if there are more.

    Exit status 1 if some puzzle has none. With --json, "exact" is whether all solutions are shown:
    null if --timeout was too short to find out.

    \b
    Examples:
      linkoracle solve puzzle.txt
      linkoracle solve --all puzzle.txt
      linkoracle solve --json --limit 5 puzzle.txt
    """
    if show_all and limit is not None:
        raise click.UsageError("expected --limit or --all, not both")
    limited = None if show_all else limit or 1
    status, timeout = DONE, search["timeout"]
    for entry in named:
        every = solutions(entry.puzzle, **search)
        with working(entry.name, timeout):
            shown = checked(entry.puzzle, islice(every, limited))
        status = status if shown else NO
        if not as_json:
            if len(named) > 1:
                click.echo(f"{entry.name}:")
            pictures = [
                drawing(entry.puzzle, solution, ascii_only=ascii_only) for solution in shown
            ]
            click.echo("\n\n".join(pictures) or "no solution")
        # Print the picture before the next search, which may take longer.
        exact = are_all(entry.name, every, timeout)
        if as_json:
            paths = [solution.paths() for solution in shown]
            click.echo(json.dumps({"name": entry.name, "solutions": paths, "exact": exact}))
        elif exact is not True:
            report(f"note: {entry.name}: {note_of(len(shown), exact)}")
    sys.exit(status)


def are_all(name: str, rest: Iterator[Solution], timeout: float | None) -> bool | None:
    """Return whether there is no further solution; ``None`` if the time was too short."""
    try:
        with working(name, timeout):
            return next(rest, None) is None
    except (SearchTimeout, MemoryLimit):
        return None


def note_of(shown: int, exact: bool | None) -> str:
    """Return a note for shown solutions that may not be all.

    >>> note_of(1, False), note_of(3, False), note_of(3, True)
    ('one of several solutions', '3 of more than 3 solutions', '')
    """
    if exact:
        return ""
    if exact is None:
        return "it is not known whether there are more solutions"
    return "one of several solutions" if shown == 1 else f"{shown} of more than {shown} solutions"


@click.command(short_help="Check that puzzles are unique, or that solutions are right.")
@opt.reading_options
@opt.option(
    "--solution given",
    opt.FILE,
    "Check these solutions, as `count-solutions --json --show` prints them.",
)
@opt.option(
    "--certificate", opt.FILE, "Verify this certificate of the puzzle, as `linkoracle verify` does."
)
@opt.packed(opt.Searching, "search")
def check(
    named: list[Named], given: str | None, certificate: str | None, search: opt.Searching
) -> None:
    """Check whether each puzzle has exactly one solution.

    For a unique Slitherlink, the answer says how many of its clues suffice. With --solution, check
    given solutions instead, by a program that shares no code with the engines. Exit status 1 if
    some puzzle is not unique, or some solution is wrong.

    \b
    Examples:
      linkoracle check puzzle.txt
      count-solutions --json --show p.txt | linkoracle check --solution - p.txt
    """
    if certificate is not None:
        if given is not None or len(named) != 1:
            raise click.UsageError("--certificate goes with one puzzle, and without --solution")
        sys.exit(_verified(named[0].puzzle, certificate))
    if given is not None:
        sys.exit(_check_solutions(named, given))
    status = DONE
    for entry, answer in answered(_Deciding(search), named, None, search.timeout):
        if isinstance(answer, SearchTimeout):
            status, finding = TIMED_OUT, "timeout"
        else:
            finding, good = answer
            status = status if good else status or NO
        if len(named) > 1 or not isinstance(answer, SearchTimeout):
            click.echo(f"{entry.name}: {finding}" if len(named) > 1 else finding)
    sys.exit(status)


def _verified(puzzle: Puzzle, file: str) -> int:
    """Verify a certificate, which must belong to the puzzle."""
    checker = certificates.verify_certificate
    return checker.main([file], checker.Puzzle(certificates.record_of(puzzle)))


@dataclass
class _Deciding(PuzzleJob[tuple[str, bool]]):
    """Decide whether a puzzle is unique; return the finding as text, too."""

    search: opt.Searching

    def __call__(self, puzzle: Puzzle) -> tuple[str, bool]:
        verdict = decide(puzzle, core=self.search.engine != "frontier", **vars(self.search))
        if verdict.core is not None and verdict.unique:
            clues = sum(1 for _ in puzzle.clue_cells())
            return f"unique ({len(verdict.core)} of the {clues} clues suffice)", True
        if verdict.core is not None:
            if not verdict.core:
                return "no solution, even without clues", False
            cells = ", ".join(f"row {row + 1} column {col + 1}" for row, col in verdict.core)
            # The search for redundant clues in the core takes some seconds at most.
            more = "" if verdict.core_minimal else "; time ran out, so not all may be needed"
            return f"no solution (these clues contradict each other: {cells}{more})", False
        names = {"unique": "unique", "none": "no solution", "many": "not unique"}
        return names[verdict.status], verdict.unique


def _check_solutions(named: list[Named], file: str) -> int:
    """Check the solutions in ``file``: each belongs to the puzzle of its name, or the only one."""
    from linkoracle.cli.messages import from_json, json_object, reading_paths
    from linkoracle.formats import shown

    source, text = text_of(file)
    by_name = {entry.name: entry for entry in named}
    if len(by_name) < len(named):
        raise click.UsageError("expected puzzles of different names, since solutions name theirs")
    given: dict[tuple[str, Solution], Named] = {}
    for number, line in enumerate(text.split("\n"), start=1):
        if not line.strip():
            continue
        with reading_paths("the name of a puzzle and its solutions", source, number):
            record = json_object(line)
            name, listed = record.get("name"), record.get("solutions")
            entry = named[0] if len(named) == 1 else by_name.get(name if type(name) is str else "")
            if entry is None:
                raise ValueError(f"found the name {shown(name)}")
            if type(listed) is not list:
                raise ValueError(f"found {shown(listed)} in place of a list of solutions")
            for value in listed:
                solution = from_json(entry.puzzle.board, value)
                if (entry.name, solution) in given:
                    raise ValueError("found a solution a second time")
                given[entry.name, solution] = entry
    checked_names = {name for name, _ in given}
    for name in by_name:
        if name not in checked_names:
            raise FormatError(
                f"expected at least one solution of {name}, found none", source=source
            )
    status = DONE
    for (_, solution), entry in given.items():
        broken = violations(entry.puzzle, solution)
        finding = f"wrong: {'; '.join(broken)}" if broken else "right"
        click.echo(f"{entry.name}: {finding}" if len(given) > 1 else finding)
        status = NO if broken else status
    return status
