"""`linkoracle grade`: the difficulty of puzzles, and the steps that solve them."""

from __future__ import annotations

import json
import sys
from dataclasses import asdict, dataclass, replace
from typing import Any

import click

from linkoracle import deduce, generate, render
from linkoracle.board import LinkModel, Modelled
from linkoracle.cli import options as opt
from linkoracle.cli.marks import BoardFile, as_json, hint_as_json
from linkoracle.cli.program import NO, TIMED_OUT, Named
from linkoracle.cli.values import FILE, FORMS, OUTPUT, WholeNumber, arguments
from linkoracle.cli.work import PuzzleJob, Spread, answered, jobs_help
from linkoracle.core import Deadline, MemoryLimit, PuzzleError, SearchTimeout
from linkoracle.kinds import Puzzle
from linkoracle.session import Marks, Session
from linkoracle.solving import decide, solve


@click.command()
@opt.reading_options
@opt.way("explain", "Print every step as a sentence.")
@opt.way("hint", "Print a wrong mark, else the next step only.")
@opt.option(
    "--level",
    WholeNumber(1, 3),
    "With --hint: 1 says where to look, 2 which rule helps there, too, 3 what follows.",
    3,
)
@opt.option(
    "--partial-solution board_file",
    FILE,
    'Begin with lines and crosses that are there: {"lines": [...], "crosses": [...]}, lists of '
    'paths over [row, column]. For --hint also lists of places: "visited", "unvisited" (shaded), '
    '"inside", "outside".',
)
@opt.option("--max-depth", WholeNumber(0, 6), "How deep guesses may be nested.", 1)
@click.option(
    "--uniqueness/--no-uniqueness",
    default=None,
    help="Allow arguments that assume a unique solution.  [default: for Numberlinks that may leave "
    "cells empty, or have one solution even then]",
)
@opt.option(
    "--techniques",
    FORMS["NAMES"],
    "Use these techniques only, such as count,end; or a set of patterns: easy or hard.",
    metavar="NAMES",
)
@opt.flag("--backtracking", "Measure the depth of backtracking, too.")
@opt.flag(
    "--statistics",
    "Show layout statistics: of clues, regions, loops and paths.",
    "with_layout",
)
@opt.option(
    "--picture",
    OUTPUT,
    "Draw the path of one puzzle to FILE.svg, FILE.png or FILE.pdf: a number for each step.",
    metavar="FILE",
)
@opt.flag("--labels", "With --picture: name rows and columns, or faces.")
@opt.timeout_option
@opt.json_option()
@opt.packed(Spread, "spread", jobs=jobs_help("1 for a single puzzle, else all processors"))
def grade(
    named: list[Named],
    what: str | None,
    timeout: float | None,
    with_layout: bool,
    as_json: bool,
    spread: Spread,
    techniques: str | None,
    picture: str | None,
    labels: bool,
    level: int,
    **options: Any,
) -> None:
    """Grade the puzzles in each FILE: easy, normal, tricky, hard, extreme, fiendish or brutal.

    Solve each as a player would, always by the simplest technique that applies. Where that is not
    enough, decide whether there are several solutions, or none. Harder techniques and more steps
    give a higher score. For one puzzle, or with --json, the answer also has the solve path: the
    techniques in order, and how many steps are open each time. Exit status 1 if some puzzle was not
    solved in this way, 3 if some ran out of time.

    \b
    Examples:
      linkoracle grade puzzles.txt
      linkoracle grade --explain puzzle.txt
      linkoracle grade --hint --partial-solution half.json puzzle.txt
      linkoracle grade --picture path.svg puzzle.txt
      linkoracle grade --statistics puzzles.txt
    """
    file = options.pop("board_file")
    if file is not None and len(named) != 1:
        raise click.UsageError(f"--partial-solution is for one puzzle, found {len(named)}")
    if picture is not None and len(named) != 1:
        raise click.UsageError(f"--picture is for one puzzle, found {len(named)}")
    if labels and picture is None:
        raise click.UsageError("--labels goes with --picture")
    begun, marks = None, Marks()
    if file is not None:
        puzzle, board = named[0].puzzle, BoardFile(file)
        begun = board.model(puzzle)
        marks = board.marks(puzzle, begun)
    options |= _techniques_of(techniques)
    picture_of = None if picture is None else _PathPicture(picture, labels)
    job = _GradeJob(begun, what, timeout, with_layout, options, marks, level, picture_of)
    status = 0
    rows: list[tuple[str, _Verdict | None]] = []
    try:
        with spread.executor(alone=len(named) == 1) as executor:
            for entry, verdict in answered(job, named, executor, timeout):
                if isinstance(verdict, SearchTimeout):
                    status = TIMED_OUT
                elif verdict.grade.status != "solved":
                    status = status or NO
                if as_json:
                    click.echo(json.dumps(_record(entry, verdict)))
                elif what is None:
                    rows.append(
                        (entry.name, None if isinstance(verdict, SearchTimeout) else verdict)
                    )
                else:
                    _print_steps(entry, verdict, len(named) > 1)
    finally:
        # Also print the rows before Ctrl-C or an error.
        if rows:
            _print_table(rows)
        if len(rows) == len(named) == 1 and rows[0][1] is not None and rows[0][1].technique_runs:
            click.echo(f"solve path: {_runs_text(rows[0][1].technique_runs)}")
            click.echo(f"open steps: {_open_text(rows[0][1].grade)}")
    sys.exit(status)


def _techniques_of(text: str | None) -> dict[str, Any]:
    """Return the options of `linkoracle.deduce.deduced` for ``--techniques``."""
    if text is None or text in deduce.SUBSETS:
        return {"subset": text}
    with arguments():
        return {"techniques": deduce.techniques_in(text)}


class _PathPicture:
    """A picture of the path of a puzzle, as far as it leads; ``labels`` as of `draw`."""

    def __init__(self, file: str, labels: bool) -> None:
        from linkoracle.cli.draw import suffix_of

        self.file, self.labels = file, labels
        self.suffix = suffix_of(file, advice="")
        render.available(self.suffix)

    def write(self, puzzle: Puzzle, steps: list[deduce.Step], grade: deduce.Grade) -> None:
        """Write the file."""
        from linkoracle.cli.draw import marks_of, write_pictures

        marks = [marks_of(step) for step in steps]
        drawn = render.numbered(puzzle, marks, note=_summary(grade), labels=self.labels)
        write_pictures([drawn], self.suffix, "light", self.file)


@dataclass(frozen=True)
class _Verdict:
    """A grade, and the steps that lead to it, as in JSON, if they are requested.

    ``solve_path`` are these steps. ``unique`` is whether there is exactly one solution, ``None`` if
    unknown. ``layout`` is ``None``, too, if the solution that it needs is unknown.
    """

    grade: deduce.Grade
    technique_runs: list[tuple[str, int]]
    unique: bool | None
    solve_path: list[dict[str, Any]] | None
    hint: dict[str, Any] | None
    layout: generate.LayoutStatistics | None


@dataclass
class _GradeJob(PuzzleJob[_Verdict]):
    """Grade a puzzle with these options."""

    #: The model with the edges of a board file.
    begun: LinkModel | None
    what: str | None
    timeout: float | None
    with_layout: bool
    options: dict[str, Any]
    #: The marks of a player, and the level of a hint.
    marks: Marks
    level: int
    picture: _PathPicture | None

    def __call__(self, puzzle: Puzzle) -> _Verdict:
        deadline, query = Deadline(self.timeout), self.begun or puzzle
        deduction = deduce.deduced(query, self.timeout, **self.options)
        grade, unique = self._decided(deduction, query, deadline)
        seen = self._layout(puzzle, grade, deadline) if self.with_layout else None
        path = hint = None
        if self.what == "explain" or self.picture is not None:
            steps = deduction.steps(puzzle)
            if self.what == "explain":
                path = [as_json(puzzle, step) for step in steps]
            if self.picture is not None:
                self.picture.write(puzzle, steps, grade)
        if self.what == "hint":
            hint = self._hint(puzzle, deadline)
        return _Verdict(grade, deduction.technique_runs(), unique, path, hint, seen)

    def _hint(self, puzzle: Puzzle, deadline: Deadline) -> dict[str, Any]:
        marks = self.marks
        with Session(puzzle) as session:
            try:
                places = {"visited": marks.visited, "inside": marks.inside}
                found = session.hint(marks.edges, **places, timeout=deadline.left)
            except PuzzleError as error:
                return {"text": f"{error.reason}", "step": None, "wrong": None}
        return hint_as_json(puzzle, found, self.level)

    def _layout(
        self, puzzle: Puzzle, grade: deduce.Grade, deadline: Deadline
    ) -> generate.LayoutStatistics | None:
        if not generate.has_layout_statistics(puzzle):
            return None
        try:
            solution = solve(puzzle, timeout=deadline.left) if puzzle.through_cells else None
        except (SearchTimeout, MemoryLimit):
            return None
        if solution is None and puzzle.through_cells:
            return None
        return generate.layout_statistics(puzzle, solution, grade)

    def _decided(
        self, deduction: deduce.Deduced, query: Modelled, deadline: Deadline
    ) -> tuple[deduce.Grade, bool | None]:
        """Return the grade, corrected if deduction was wrong, and whether the puzzle is unique.

        Deduction that gave up has checked uniqueness only briefly, and steps that assume a unique
        solution may solve a puzzle that has several.
        """
        grade = deduction.grade
        if grade.status in ("no solution", "not unique"):
            return grade, False
        if grade.status == "solved" and deduction.proven:
            return grade, True
        try:
            verdict = decide(query, timeout=deadline.left)
        except (SearchTimeout, MemoryLimit):
            return grade, None
        if verdict.unique:
            return grade, True
        ungraded = replace(grade, label=None, score=None)
        return replace(ungraded, status="not unique" if verdict.solutions else "no solution"), False


def _print_steps(entry: Named, verdict: _Verdict | SearchTimeout, several: bool) -> None:
    if isinstance(verdict, SearchTimeout):
        click.echo(f"{entry.name}: timeout")
        return
    if several:
        click.echo(f"{entry.name}:")
    steps = [
        f"[{step['rule'] or step['technique']}] {step['text']}" for step in verdict.solve_path or ()
    ]
    if verdict.hint is not None:
        solved = verdict.grade.status == "solved"
        nothing = "nothing is left to do" if solved else "no step found"
        click.echo(verdict.hint["text"] or nothing)
        return
    for number, step in enumerate(steps, start=1):
        click.echo(f"{number}. {step}")
    if verdict.technique_runs:
        click.echo(f"Solve path: {_runs_text(verdict.technique_runs)}.")
        click.echo(f"Open steps: {_open_text(verdict.grade)}.")
    click.echo(_summary(verdict.grade))
    if verdict.layout is not None:
        click.echo(f"Layout: {verdict.layout}.")


def _summary(grade: deduce.Grade) -> str:
    if grade.status == "no solution":
        return "There is no solution."
    if grade.status == "not unique":
        return f"Not unique: there are several solutions, and {grade.open_edges} edges are open."
    if grade.status == "gave up":
        return f"Gave up: {grade.open_edges} edges are open."
    guesses = f", guesses {grade.depth} deep" if grade.depth else ""
    return f"Solved: {grade.label}, score {grade.score}, {grade.total} steps{guesses}."


def _runs_text(runs: list[tuple[str, int]]) -> str:
    return ", ".join(f"{name} {steps}" for name, steps in runs)


def _open_text(grade: deduce.Grade) -> str:
    """Return how many steps are open at each step, and where fewest and most are."""
    numbers = " ".join(str(step.choices) for step in grade.path)
    return f"{numbers} (narrowest {grade.narrowest}, widest {grade.widest})"


def _record(entry: Named, verdict: _Verdict | SearchTimeout) -> dict[str, Any]:
    record: dict[str, Any] = {"name": entry.name, "kind": entry.puzzle.kind}
    if isinstance(verdict, SearchTimeout):
        return {**record, "status": "timeout", "error": str(verdict)}
    record |= {**asdict(verdict.grade), "unique": verdict.unique, "course": verdict.technique_runs}
    if verdict.layout is not None:
        record["looks"] = asdict(verdict.layout)
    if verdict.hint is not None:
        record["hint"] = verdict.hint
    return record if verdict.solve_path is None else {**record, "walk": verdict.solve_path}


def _or_empty(value: object) -> str:
    return "" if value is None else str(value)


def _print_table(rows: list[tuple[str, _Verdict | None]]) -> None:
    order = [
        *deduce.TECHNIQUES[:-1],
        *(technique.name for technique in deduce.CATALOGUE),
        deduce.TECHNIQUES[-1],
    ]
    lines: list[list[object]] = [
        ["puzzle", "grade", "score", "steps", "hardest", "depth", "backtracking", "layout"]
    ]
    for name, verdict in rows:
        cells = ["timeout", *[""] * 6]
        if verdict is not None:
            grade = verdict.grade
            hardest = max(grade.steps, key=order.index, default="")
            cells = [grade.label or grade.status, _or_empty(grade.score), str(grade.total)]
            cells += [hardest, str(grade.depth), _or_empty(grade.backtracking)]
            cells.append(_or_empty(verdict.layout))
        lines.append([name, *cells])
    # Leave out the columns of options that are off.
    for column in (7, 6):
        if not any(line[column] for line in lines[1:]):
            lines = [line[:column] + line[column + 1 :] for line in lines]
    click.echo(opt.table_of(lines, str.ljust))
