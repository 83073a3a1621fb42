"""`linkoracle booklet`: puzzles on paper."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from datetime import date
from operator import itemgetter
from typing import TYPE_CHECKING, Any

import click

from linkoracle.cli import options as opt
from linkoracle.cli.options import choice, option
from linkoracle.cli.program import NO, Named, RenamedOption, load, write_output
from linkoracle.cli.work import working
from linkoracle.core.limits import LABELS, declare
from linkoracle.solving import decide

if TYPE_CHECKING:
    from linkoracle.render import Sheet

_DAY = opt.ReadParam("DATE", "expected a day such as 2026-03-31, got", date.fromisoformat)


@dataclass(frozen=True)
class _Asked:
    """What is to stand in the booklet."""

    with_solutions: bool = declare(False, "Put solutions at the back.", flag="--solutions")
    graded: bool = declare(False, "Print the grade and score of each puzzle.", flag="--grade")
    order: str = declare("file", "As in the files, or the easiest first.", words=("file", "grade"))
    allow_several: bool = declare(
        False, "Take puzzles with more than one solution, too, and say so."
    )


@click.command(short_help="Print puzzles, solutions at the back.")
@opt.files_options
@opt.file_option
@click.option("--title", metavar="TEXT", help="What the booklet is called.")
@click.option("--author", metavar="TEXT", help="Who made it.")
@option("--date made", _DAY, "The day to print, such as 2026-03-31.")
@choice("--paper", ["a4", "a5", "letter"], "Size.", "a4")
@option(
    "--per-page",
    click.IntRange(1, 30),
    "Puzzles a page, at most.  [default: as many as have large cells]",
)
@click.option(
    *("--no-instructions", "rules"),
    cls=RenamedOption,
    flag_value=False,
    default=True,
    help="Leave out the instructions.",
    was="--no-rules",
)
@opt.packed(_Asked, "asked")
@opt.searching_options
def booklet(
    files: tuple[str, ...],
    kind: str | None,
    rule: str | None,
    output: str,
    asked: _Asked,
    **more: Any,
) -> None:
    """Make a PDF booklet of the puzzles in each FILE, in black on white.

    Names of puzzles stand beside their numbers. Every puzzle is certified to have one solution.
    Exit status 1, and no booklet, if one has not.

    \b
    Examples:
      linkoracle booklet puzzles.txt -o book.pdf --solutions --title Puzzles
      linkoracle booklet puzzles.txt -o book.pdf --order grade --grade
      linkoracle booklet puzzles.txt -o book.pdf --per-page 2 --no-instructions
    """
    from linkoracle.render import available
    from linkoracle.render import booklet as bound
    from linkoracle.render.booklets import check_words

    available("pdf")
    layout = {
        name: more.pop(name) for name in ("title", "author", "made", "paper", "per_page", "rules")
    }
    named = load(files, kind, rule)
    own_names = (one.own_name for one in named)
    check_words([layout["title"], layout["author"], *own_names], layout["made"])
    found = [one for one in (_sheet(one, asked, more) for one in named) if one is not None]
    if len(found) < len(named):
        sys.exit(NO)
    if asked.order == "grade":
        found.sort(key=itemgetter(0))
    with working(output, None):
        data = bound([sheet for _, sheet in found], **layout)
    write_output(data, output)


def _sheet(
    one: Named, asked: _Asked, search: dict[str, Any]
) -> tuple[tuple[int, int], Sheet] | None:
    """A puzzle as it stands in the booklet, and how hard it is; ``None`` if it may not stand there.

    Then that is said.
    """
    from linkoracle.render import Sheet

    with working(one.name, search["timeout"]):
        verdict = decide(one.puzzle, **search)
        if verdict.status == "none" or (verdict.status == "many" and not asked.allow_several):
            reason = "no solution" if verdict.status == "none" else "more than one solution"
            click.echo(f"error: {one.name}: {reason}", err=True)
            return None
        # What is not graded is taken for the hardest.
        hardness, label, score = (len(LABELS), 0), None, None
        if verdict.unique and (asked.graded or asked.order == "grade"):
            from linkoracle.deduce import grade

            found = grade(one.puzzle, timeout=search["timeout"])
            label, score = found.label or "not graded", found.score
            if found.label:
                hardness = LABELS.index(found.label), found.score or 0
    sheet = Sheet(
        one.puzzle,
        verdict.solutions[0] if asked.with_solutions else None,
        label if asked.graded else None,
        unique=verdict.unique,
        name=one.own_name,
        score=score if asked.graded else None,
    )
    return hardness, sheet
