"""`linkoracle grade`: what a person must do to solve a puzzle."""

from __future__ import annotations

import json
import sys
import time
from dataclasses import asdict, dataclass, replace
from typing import TYPE_CHECKING, Any

import click

from linkoracle.board.solution import Solution
from linkoracle.cli import options as opt
from linkoracle.cli.program import NO, TIMED_OUT
from linkoracle.cli.work import Question, announce_compilation, answered, executor_for, jobs_options
from linkoracle.core.errors import FormatError, MemoryLimit, SearchTimeout

if TYPE_CHECKING:
    from linkoracle.board.model import LinkModel, Modelled
    from linkoracle.deduce import Board, Grade, Step
    from linkoracle.deduce.grading import Subset
    from linkoracle.kinds import Puzzle

#: Lists of walks over ``[row, column]``.
Walks = list[list[list[int]]]


@click.command(short_help="Say how hard puzzles are for a person.")
@opt.reading_options
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
@opt.flag("--uniqueness", "Allow arguments from there being one solution.")
@click.option(
    "--rules", "subset", type=click.Choice(["easy", "hard"]), help="Use this set of rules only."
)
@opt.flag("--backtracking", "Measure the depth of backtracking, too.")
@opt.timeout_option()
@opt.json_option()
@jobs_options("1 for a single puzzle, else all processors")
def grade(
    named: list[opt.Named],
    board_file: str | None,
    as_json: bool,
    jobs: int | None,
    dask: str | None,
    **asked: Any,
) -> None:
    """Grade the puzzles in each FILE: easy, normal, tricky, hard or extreme.

    Solves them as a person would, always by the simplest technique that has something to say. Where
    that is not enough, it is decided whether there are several solutions, or none. Exit status 1 if
    some puzzle was not solved so, 3 if some puzzle ran out of time.

    \b
    Examples:
      linkoracle grade puzzles.txt
      linkoracle grade --explain puzzle.txt
      linkoracle grade --hint --board half-done.json puzzle.txt
    """
    if board_file is not None and len(named) != 1:
        raise click.UsageError(f"--board is for one puzzle, found {len(named)}")
    begun = None if board_file is None else begun_board(board_file, named[0].puzzle)
    judge = _Judging(begun, **asked)
    what, status = judge.what, 0
    rows: list[tuple[opt.Named, Grade | None]] = []
    try:
        announce_compilation()
        with executor_for(jobs, dask, alone=len(named) == 1) as executor:
            for one, verdict in answered(judge, named, executor, judge.timeout):
                if isinstance(verdict, SearchTimeout):
                    status = TIMED_OUT
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

    ``unique`` is whether there is exactly one solution, and ``None`` where that is not known.
    ``lines`` and ``crosses`` are those of each step, as --board reads them.
    """

    grade: Grade
    unique: bool | None
    steps: list[Step]
    lines: list[Walks]
    crosses: list[Walks]


@dataclass
class _Judging(Question[_Verdict]):
    """Grades a puzzle; there is nothing to tell before that is done."""

    #: The model with the edges of a board file.
    begun: LinkModel | None
    what: str | None
    max_depth: int
    uniqueness: bool
    subset: Subset | None
    backtracking: bool
    timeout: float | None

    def __call__(self, puzzle: Puzzle) -> _Verdict:
        from linkoracle.deduce.grading import attempt
        from linkoracle.deduce.walk import walk

        started = time.monotonic()
        board, found = attempt(
            self.begun or puzzle,
            max_depth=self.max_depth,
            uniqueness=self.uniqueness,
            subset=self.subset,
            backtracking=self.backtracking,
            timeout=self.timeout,
        )
        left = None if self.timeout is None else self.timeout - (time.monotonic() - started)
        found, unique = _certified(found, self.begun or puzzle, self.uniqueness, left)
        steps = walk(puzzle, board) if self.what else []
        if self.what == "hint":
            steps = steps[:1]
        lines = [_pairs(board, step.lines) for step in steps]
        crosses = [_pairs(board, step.crosses) for step in steps]
        return _Verdict(found, unique, steps, lines, crosses)


def _certified(
    found: Grade, asked: Modelled, uniqueness: bool, timeout: float | None
) -> tuple[Grade, bool | None]:
    """The grade with what is so where deduction did not find out, and whether it is unique.

    Deduction that gave up asks for a moment only whether there is one solution; and what takes for
    granted that there is one may solve a puzzle that has several.
    """
    if found.status in ("no solution", "not unique"):
        return found, False
    if found.status == "solved" and not uniqueness:
        return found, True
    if timeout is not None and timeout <= 0:
        return found, None
    from linkoracle.solving import certify

    try:
        verdict = certify(asked, timeout=timeout)
    except (SearchTimeout, MemoryLimit):
        return found, None
    if verdict.unique:
        return found, True
    several = bool(verdict.solutions)
    return replace(found, status="not unique" if several else "no solution", label=None), False


def begun_board(file: str, puzzle: Puzzle) -> LinkModel:
    """The model of a puzzle with the lines given and the crosses forbidden that a file has."""
    shown, text = opt.text_of(file)
    try:
        record = json.loads(text)
        parts = [
            Solution.from_paths(puzzle.lattice, record.get(key, [])).edges
            for key in ("lines", "crosses")
        ]
        return puzzle.model.with_edges(*parts)
    except (ValueError, TypeError, AttributeError, IndexError, RecursionError) as error:
        raise FormatError(
            'expected a JSON object with "lines" and "crosses", lists of walks over [row, column]; '
            f"{type(error).__name__}: {error}",
            source=shown,
        ) from None


def _tell(one: opt.Named, verdict: _Verdict, what: str, several: bool) -> None:
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
    if found.status == "not unique":
        return f"Not unique: there are several solutions, and {found.open_edges} edges are open."
    if found.status == "gave up":
        return f"Gave up: {found.open_edges} edges are open."
    guesses = f", guesses {found.depth} deep" if found.depth else ""
    return f"Solved: {found.label}, {found.total} steps{guesses}."


def _record(one: opt.Named, what: str | None, verdict: _Verdict | SearchTimeout) -> dict[str, Any]:
    record: dict[str, Any] = {"name": one.name, "kind": one.puzzle.kind}
    if isinstance(verdict, SearchTimeout):
        return {**record, "status": "timeout", "error": str(verdict)}
    record |= {**asdict(verdict.grade), "unique": verdict.unique}
    if what:
        steps = zip(verdict.steps, verdict.lines, verdict.crosses, strict=True)
        record["walk"] = [
            {"technique": step.technique, "rule": step.rule, "lines": lines, "crosses": crosses}
            | {"text": step.sentence}
            for step, lines, crosses in steps
        ]
    return record


def _pairs(board: Board, edges: tuple[int, ...]) -> Walks:
    """Edges as walks of one step, as --board reads them."""
    position = board.model.lattice.position
    ends = board.frame.ends
    return [[list(map(int, position(int(end)))) for end in ends[edge]] for edge in edges]


def _print_table(rows: list[tuple[opt.Named, Grade | None]]) -> None:
    from linkoracle.deduce.rules import CATALOGUE

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
