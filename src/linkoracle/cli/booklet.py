"""`linkoracle booklet`: puzzles on paper, certified, with their solutions at the back."""

from __future__ import annotations

import sys

import click

from linkoracle.cli.shared import (
    NO,
    Named,
    clean_endings,
    load,
    reading_options,
    searching_options,
    write_output,
)
from linkoracle.model import Solution
from linkoracle.puzzles import Puzzle
from linkoracle.solving import certify


@click.command(short_help="Print puzzles, solutions at the back.")
@reading_options
@click.option("-o", "--output", metavar="FILE", required=True, help="Write to FILE; - for stdout.")
@click.option(
    "--per-page", type=click.IntRange(1, 30), default=4, show_default=True, help="Puzzles a page."
)
@click.option("--solutions", "with_solutions", is_flag=True, help="Put solutions at the back.")
@click.option(
    "--paper", type=click.Choice(["a4", "letter"]), default="a4", show_default=True, help="Size."
)
@click.option("--title", metavar="TEXT", help="Write TEXT above the first page.")
@click.option("--grade", "graded", is_flag=True, help="Print how hard each puzzle is.")
@click.option(
    "--allow-several", is_flag=True, help="Take puzzles with more than one solution, too."
)
@searching_options
def booklet(
    files: tuple[str, ...],
    kind: str | None,
    rule: str | None,
    output: str,
    per_page: int,
    with_solutions: bool,
    paper: str,
    title: str | None,
    graded: bool,
    allow_several: bool,
    engine: str,
    solver: str | None,
    memory: int | None,
    timeout: float | None,
) -> None:
    """Make a PDF booklet of the puzzles in each FILE, in black on white.

    Every puzzle is certified to have one solution. Exit status 1, and no booklet, if one has not.

    \b
    Examples:
      linkoracle booklet puzzles.txt -o book.pdf --solutions --title Puzzles
      linkoracle booklet puzzles.txt -o book.pdf --paper letter --grade
    """
    from linkoracle.render.booklet import Sheet
    from linkoracle.render.booklet import booklet as bound
    from linkoracle.render.png_format import available

    with clean_endings():
        available("pdf")
        sheets, bad = [], False
        for one in load(files, kind, rule):
            verdict = certify(
                one.puzzle, engine=engine, solver=solver, memory=memory, timeout=timeout
            )
            if verdict.status == "none" or (verdict.status == "many" and not allow_several):
                _complain(one, verdict.status)
                bad = True
                continue
            shown: Solution | None = verdict.solutions[0] if with_solutions else None
            sheets.append(Sheet(one.puzzle, shown, _grade(one.puzzle) if graded else None))
        if bad:
            sys.exit(NO)
        write_output(bound(sheets, per_page=per_page, paper=paper, title=title), output)


def _complain(one: Named, status: str) -> None:
    reason = "no solution" if status == "none" else "more than one solution"
    click.echo(f"error: {one.name}: {reason}", err=True)


def _grade(puzzle: Puzzle) -> str:
    from linkoracle.deduce import grade

    return grade(puzzle).label or "not graded"
