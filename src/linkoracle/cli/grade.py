"""`linkoracle grade`: what a person must do to solve a puzzle."""

from __future__ import annotations

import json
import sys
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from linkoracle.cli.jobs import answered, executor_for, jobs_options
from linkoracle.cli.progress import announce_compilation
from linkoracle.cli.shared import (
    NO,
    TIMED_OUT,
    Named,
    clean_endings,
    load,
    reading_options,
    standard_input,
)
from linkoracle.errors import FormatError, SearchTimeout
from linkoracle.model import Solution
from linkoracle.sat.search import Deadline

if TYPE_CHECKING:
    from linkoracle.deduce import Board, Grade, Step
    from linkoracle.puzzles import Puzzle
    from linkoracle.solving import Progress

#: Lists of walks over ``[row, column]``.
Walks = list[list[list[int]]]


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
@click.option(
    "--timeout",
    type=click.FloatRange(min=0, min_open=True),
    metavar="SECONDS",
    help="Give up on a puzzle after this time (exit status 3).",
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object a puzzle.")
@jobs_options("1 for a single puzzle, else all processors")
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
    timeout: float | None,
    as_json: bool,
    jobs: int | None,
    dask: str | None,
) -> None:
    """Grade the puzzles in each FILE: easy, normal, tricky, hard or extreme.

    Solves them as a person would, always by the simplest technique that has something to say. Exit
    status 1 if some puzzle was not solved so, 3 if some puzzle ran out of time.

    \b
    Examples:
      linkoracle grade puzzles.txt
      linkoracle grade --explain puzzle.txt
      linkoracle grade --hint --board half-done.json puzzle.txt
    """
    status = 0
    rows: list[tuple[Named, Grade | None]] = []
    try:
        with clean_endings():
            named = load(files, kind, rule)
            if board_file is not None and len(named) != 1:
                raise click.UsageError(f"--board is for one puzzle, found {len(named)}")
            given = [] if board_file is None else given_literals(board_file, named[0].puzzle)
            announce_compilation()
            judge = _Judging(what, given, max_depth, uniqueness, subset, backtracking, timeout)
            with executor_for(jobs, dask, alone=len(named) == 1) as executor:
                for one, verdict in answered(judge, named, executor):
                    if isinstance(verdict, SearchTimeout):
                        status = TIMED_OUT
                        click.echo(f"error: {one.name}: {verdict}", err=True)
                    elif verdict.grade.status != "solved":
                        status = status or NO
                    if as_json:
                        click.echo(json.dumps(_record(one, what, verdict)))
                    elif isinstance(verdict, SearchTimeout):
                        if what:
                            click.echo(f"{one.name}: timeout")
                        rows.append((one, None))
                    elif what:
                        _tell(one, verdict, what, len(named) > 1)
                    else:
                        rows.append((one, verdict.grade))
    finally:
        # Also those that came before Ctrl-C or an error.
        if rows and what is None:
            _print_table(rows)
    sys.exit(status)


@dataclass(frozen=True)
class _Verdict:
    """A grade, and the steps that lead to it where they are asked for.

    ``lines`` and ``crosses`` are those of each step, as --board reads them.
    """

    grade: Grade
    steps: list[Step]
    lines: list[Walks]
    crosses: list[Walks]


@dataclass
class _Judging:
    """Grades a puzzle, in this process or in another one."""

    what: str | None
    given: list[int]
    max_depth: int
    uniqueness: bool
    subset: str | None
    backtracking: bool
    timeout: float | None
    #: Grading has nothing to tell before it is done.
    progress: Progress | None = field(default=None, compare=False)

    def __call__(self, puzzle: Puzzle) -> _Verdict | SearchTimeout:
        from linkoracle.deduce.grading import board_of, graded
        from linkoracle.deduce.search import backtrack
        from linkoracle.deduce.walk import walk

        board = board_of(puzzle, uniqueness=self.uniqueness, subset=self.subset)
        # From here on: the first board of a process has had the techniques loaded.
        deadline = Deadline(self.timeout)
        depth = None
        try:
            fits = board.put(self.given) and board.begin()
            fits = fits and board.guess(self.max_depth, deadline=deadline)
            if self.backtracking:
                fresh = board_of(puzzle, uniqueness=self.uniqueness, subset=self.subset)
                depth = backtrack(fresh, limit=2, deadline=deadline).depth
        except SearchTimeout as error:
            return error
        found = graded(board, fits, backtracking=depth)
        steps = walk(puzzle, board) if self.what else []
        if self.what == "hint":
            steps = steps[:1]
        lines = [_pairs(board, step.lines) for step in steps]
        crosses = [_pairs(board, step.crosses) for step in steps]
        return _Verdict(found, steps, lines, crosses)

    def __reduce__(self) -> tuple[Any, ...]:
        return _Judging, (
            *(self.what, self.given, self.max_depth, self.uniqueness),
            *(self.subset, self.backtracking, self.timeout),
        )


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


def _tell(one: Named, verdict: _Verdict, what: str, several: bool) -> None:
    found, steps = verdict.grade, verdict.steps
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


def _record(one: Named, what: str | None, verdict: _Verdict | SearchTimeout) -> dict[str, Any]:
    record: dict[str, Any] = {"name": one.name, "kind": one.puzzle.kind}
    if isinstance(verdict, SearchTimeout):
        return {**record, "status": "timeout", "error": str(verdict)}
    record |= asdict(verdict.grade)
    if what:
        record["walk"] = [
            {
                "technique": step.technique,
                "rule": step.rule,
                "lines": lines,
                "crosses": crosses,
                "text": step.sentence,
            }
            for step, lines, crosses in zip(
                verdict.steps, verdict.lines, verdict.crosses, strict=True
            )
        ]
    return record


def _pairs(board: Board, edges: tuple[int, ...]) -> Walks:
    """Edges as walks of one step, as --board reads them."""
    position = board.model.lattice.position
    ends = board.frame.ends
    return [[list(map(int, position(int(end)))) for end in ends[edge]] for edge in edges]


def _print_table(rows: list[tuple[Named, Grade | None]]) -> None:
    from linkoracle.deduce.techniques import CATALOGUE

    titles = ["puzzle", "grade", "steps", "hardest", "depth"]
    with_depth = any(found is not None and found.backtracking is not None for _, found in rows)
    titles += ["backtracking"] * with_depth
    order = [technique.name for technique in CATALOGUE]
    cells = []
    for one, found in rows:
        if found is None:
            cells.append([one.name, "timeout", *[""] * (len(titles) - 2)])
            continue
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
