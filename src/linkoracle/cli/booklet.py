"""`linkoracle booklet`: puzzles on paper."""

from __future__ import annotations

import re
import sys
from dataclasses import dataclass
from datetime import date
from operator import itemgetter
from typing import Any

import click

from linkoracle import booklets, deduce, render
from linkoracle.cli import options as opt
from linkoracle.cli.draw import suffix_of
from linkoracle.cli.program import NO, Named, load, report, text_of, write_output
from linkoracle.cli.work import naming, working
from linkoracle.core import LABELS, Deadline, FormatError, SearchTimeout, declare
from linkoracle.kinds import KINDS
from linkoracle.solving import decide

#: Arguments of the library for any booklet, and for one on paper.
_ABOUT = ("title", "author", "made", "rules")
_ON_PAPER = ("cover", "paper", "per_page", "blanks")
_FORMATS = ("pdf", "html")
#: Seconds to grade a puzzle for its stars.
_GRADING_SECONDS = 10.0


@dataclass(frozen=True)
class _Request:
    """The contents and the paper of a booklet."""

    title: str | None = declare(None, "The title of the booklet.", form="TEXT")
    author: str | None = declare(None, "The name of the author.", form="TEXT")
    made: date | None = declare(
        None, "The date to print, such as 2026-03-31.", form="DATE", flag="--date"
    )
    foreword: str | None = declare(
        None, "Text before the puzzles: paragraphs between blank lines.", form="FILE"
    )
    instructions: str | None = declare(
        None,
        "Your own instructions: a line '# KIND', and the text below it.",
        form="FILE",
    )
    rules: bool = declare(True, "Leave out the instructions.", flag="--no-instructions")
    cover: bool = declare(True, "Leave out the cover.", flag="--no-cover")
    paper: booklets.Paper = declare("a4", "Paper size.", words=("a4", "a5", "letter"))
    per_page: int | None = declare(
        None,
        "Puzzles per page, at most.  [default: as many as fit with large cells]",
        least=1,
        most=30,
    )
    blanks: booklets.Blanks = declare(
        "time", "Blanks to fill in beside each puzzle.", words=("none", "time", "name")
    )
    with_solutions: bool = declare(
        True, "Put solutions at the back.", flag="--solutions/--no-solutions"
    )
    stars: bool = declare(
        True, "Leave out the stars, and do not grade for them.", flag="--no-stars"
    )
    graded: bool = declare(False, "Print the grade and score of each puzzle.", flag="--grade")
    order: str = declare(
        "file", "Puzzles as in the files, or the easiest first.", words=("file", "grade")
    )
    allow_several: bool = declare(False, "Accept puzzles with multiple solutions, and mark them.")

    def __post_init__(self) -> None:
        if self.instructions is not None and not self.rules:
            raise click.UsageError("expected --instructions or --no-instructions, not both")

    @property
    def grades(self) -> bool:
        """Whether puzzles need grades."""
        return self.stars or self.graded or self.order == "grade"


@click.command()
@opt.files_options
@opt.file_option
@opt.option(
    "--format suffix", _FORMATS, "The format.  [default: by the suffix of FILE; pdf for stdout]"
)
@opt.packed(_Request, "request")
@opt.searching_options
def booklet(
    files: tuple[str, ...],
    kind: str | None,
    variant: str | None,
    output: str,
    suffix: str | None,
    request: _Request,
    **search: Any,
) -> None:
    """Make a booklet of the puzzles in each FILE: PDF in black on white, or cards in HTML.

    Stars show the difficulty. If a puzzle has no solution or several, the command writes no booklet
    (exit status 1).

    \b
    Examples:
      linkoracle booklet puzzles.txt -o book.pdf --order grade --paper a5
      linkoracle booklet puzzles.txt -o cards.html
    """
    web = (suffix or (output != "-" and suffix_of(output, _FORMATS))) == "html"
    if not web:
        render.available("pdf")
    named, own = load(files, kind, variant), dict[str, str]()
    about: dict[str, Any] = {name: getattr(request, name) for name in _ABOUT}
    if request.foreword is not None:
        about["foreword"] = _paragraphs(text_of(request.foreword)[1])
    if request.instructions is not None:
        about["instructions"] = own = _instructions(request.instructions)
    if not web:
        about |= {name: getattr(request, name) for name in _ON_PAPER}
        words = request.title, request.author, about.get("foreword"), *own.values()
        booklets.check_words(
            [*words, *(text for entry in named for text in entry.about)], request.made
        )
    graded = [sheet for sheet in (_sheet(entry, request, search) for entry in named) if sheet]
    if len(graded) < len(named):
        sys.exit(NO)
    if request.order == "grade":
        graded.sort(key=itemgetter(0))
    sheets = [sheet for _, sheet in graded]
    with working(output, None):
        data = (booklets.cards if web else booklets.booklet)(sheets, **about)
    write_output(data, output)


def _paragraphs(text: str) -> str:
    """Return a text with each paragraph on one line, and a blank line between paragraphs."""
    return "\n\n".join(" ".join(part.split()) for part in re.split(r"\n\s*\n", text.strip()))


def _instructions(file: str) -> dict[str, str]:
    """Return the user's own instructions, by kind, or kind and variant.

    Raises `FormatError` for text without a kind, unknown kinds, and kinds without text.
    """
    name, text = text_of(file)
    listed: dict[str, list[str]] = {}
    lines: list[str] | None = None
    heads: dict[str, int] = {}
    for number, line in enumerate(text.split("\n"), start=1):
        if line.startswith("#"):
            called = " ".join(line[1:].split())
            known, _, variant = called.partition(" ")
            if known not in KINDS or (variant and variant not in KINDS[known].variants):
                reason = f"expected a kind of puzzle and perhaps its variant, found {called!r}"
                raise FormatError(reason, source=name, line=number, column=1)
            lines, heads[called] = listed.setdefault(called, []), number
        elif lines is not None:
            lines.append(line)
        elif line.strip():
            reason = "expected a line such as '# slitherlink' above the instructions"
            raise FormatError(reason, source=name, line=number, column=1)
    own = {called: _paragraphs("\n".join(lines)) for called, lines in listed.items()}
    for called, words in own.items():
        if not words:
            reason = f"expected instructions below '# {called}', found none"
            raise FormatError(reason, source=name, line=heads[called])
    return own


def _sheet(
    entry: Named, request: _Request, search: dict[str, Any]
) -> tuple[tuple[int, int], booklets.Sheet] | None:
    """Return the sheet of a puzzle with its difficulty, for sorting.

    For a puzzle that may not be in the booklet, print an error and return ``None``.
    """
    with naming(entry):
        # Some boards cannot be drawn, which is better known before the search.
        render.places_of(entry.puzzle)
    deadline = Deadline(search["timeout"])
    with working(entry.name, search["timeout"]) as work:
        verdict = decide(entry.puzzle, **search)
        if verdict.status == "none" or (verdict.status == "many" and not request.allow_several):
            several = "more than one solution. Pass --allow-several to print it"
            reason = "no solution" if verdict.status == "none" else several
            report(f"error: {entry.name}: {reason}")
            return None
        label = score = None
        if verdict.unique and request.grades:
            work("grading")
            if (grade := _grade(entry, deadline.left)) is not None:
                label, score = grade.label, grade.score
    # Puzzles without a grade come last.
    hardness = (LABELS.index(label), score or 0) if label else (len(LABELS), 0)
    sheet = booklets.Sheet(
        entry.puzzle,
        verdict.solutions[0] if request.with_solutions else None,
        label if request.stars or request.graded else None,
        unique=verdict.unique,
        **entry.about._asdict(),
        score=score if request.graded else None,
    )
    return hardness, sheet


def _grade(entry: Named, left: float | None) -> deduce.Grade | None:
    """Return the grade of a puzzle; print a warning and return ``None`` if grading takes long."""
    seconds = _GRADING_SECONDS if left is None else min(_GRADING_SECONDS, left)
    try:
        return deduce.grade(entry.puzzle, timeout=seconds)
    except SearchTimeout:
        reason = f"not graded within {seconds:.2g} seconds, so it gets no stars"
        report(f"warning: {entry.name}: {reason}")
        return None
