"""`linkoracle convert` and `draw`: puzzles in another format, and as pictures."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import PurePath
from typing import Any

import click

from linkoracle import render
from linkoracle.cli import options as opt
from linkoracle.cli.program import Named, load, write_output
from linkoracle.cli.solve import are_all, note_of
from linkoracle.cli.work import naming, working
from linkoracle.core import FormatError, NothingFound, alternatives, counted
from linkoracle.formats import write
from linkoracle.solving import diagram, solutions

PICTURES = ("svg", "png", "pdf")


@click.command()
@opt.reading_options
@opt.option("--to target", opt.WRITTEN, "The format to write.", required=True)
@opt.output_option
def convert(named: list[Named], target: str, output: str | None) -> None:
    """Write the puzzles in another format.

    The format of each FILE is detected; docs/reference/file-formats.md says what each can hold.

    \b
    Examples:
      linkoracle convert --to pzpr puzzle.txt
      linkoracle convert --to json -o puzzles.jsonl one.txt two.txt
      linkoracle convert --to text 'https://puzz.link/p?slither/4/4/1ai1220ch'
    """
    written = []
    for entry in named:
        about = entry.about._asdict()
        if len(named) > 1:
            about["name"] = entry.name
        try:
            written.append(write(entry.puzzle, target, **about))
        except FormatError as error:
            raise FormatError(f"{entry.name}: {error.reason}") from None
    write_output(opt.one_text(written, target), output)


@dataclass(frozen=True)
class _Request:
    """What to draw of a puzzle."""

    what: str | None
    overlay: int | None
    regions: bool
    board_file: str | None
    title: str | None

    def __post_init__(self) -> None:
        if self.overlay is not None and self.what is not None:
            raise click.UsageError(f"expected --overlay or --{self.what}, not both")
        if self.regions and (self.overlay is not None or self.what in ("shares", "hint")):
            raise click.UsageError("--regions is for one solution")
        if self.board_file is not None and self.what != "hint":
            raise click.UsageError("--partial-solution is for --hint")


@click.command(short_help="Draw puzzles as SVG, PNG or PDF.")
@click.argument("file", metavar="FILE", type=opt.FILE)
@opt.file_option
@opt.option("--format suffix", PICTURES, "The format.  [default: by the suffix of FILE]")
@opt.way("solution", "Draw a solution.")
@opt.option("--overlay", opt.WholeNumber(2, 4), "Draw up to N solutions over each other.")
@opt.way("shares", "Draw edge frequencies: the fraction of solutions with each edge.")
@opt.way("hint", "Draw the next step of a deduction.")
@opt.flag("--regions", "Draw a solution, and fill its regions.")
@opt.option(
    "--partial-solution board_file",
    opt.FILE,
    "For --hint: lines and crosses, as for `linkoracle grade`.",
)
@opt.option("--theme", ["light", "dark", "print"], "For a screen, or black on white only.", "light")
@opt.option(
    "--cell", opt.Number(4, 400), "Pixels per cell, in a PDF points.  [default: by the board]"
)
@click.option("--title", metavar="TEXT", help="Write TEXT above the board.")
@opt.option("--number", opt.WholeNumber(1), "Draw only puzzle N of the file.")
@opt.kind_options
@opt.searching_options
@opt.packed(_Request, "request")
def draw(
    file: str, output: str, kind: str | None, variant: str | None, request: _Request, **more: Any
) -> None:
    """Draw the puzzle in FILE. A PDF has a page for each puzzle of the file.

    A caption says if there are more solutions than those drawn.
    Exit status 1 if there is no solution, or no step, to draw.

    \b
    Examples:
      linkoracle draw puzzle.txt -o puzzle.svg
      linkoracle draw puzzle.txt -o solved.png --regions --theme dark
      linkoracle draw puzzle.txt -o several.pdf --overlay 3 --theme print
    """
    suffix, number, theme, cell = map(more.pop, ("suffix", "number", "theme", "cell"))
    suffix = suffix or suffix_of(output)
    render.available(suffix)
    chosen = _chosen(load([file], kind, variant), number, suffix, file)
    if request.board_file is not None and len(chosen) != 1:
        raise click.UsageError(f"--partial-solution is for one puzzle, found {len(chosen)}")
    pictures = []
    for entry in chosen:
        with naming(entry):
            pictures.append(_picture(entry, request, more))
    write_pictures(pictures, suffix, theme, output, cell, request.title)


def write_pictures(
    pictures: list[render.Picture],
    suffix: str,
    theme: Any,
    output: str,
    cell: float | None = None,
    title: str | None = None,
) -> None:
    """Write pictures as pages of a PDF, or the only one as SVG or PNG."""
    if suffix == "pdf":
        data: str | bytes = render.pdf(pictures, theme, cell=cell, title=title)
    else:
        data = (render.svg if suffix == "svg" else render.png)(pictures[0], theme, cell=cell)
    write_output(data, output)


def suffix_of(
    output: str, known: Sequence[str] = PICTURES, *, advice: str = "or pass --format"
) -> str:
    """Return the format for the name of a file: its suffix, which must be ``known``.

    ``advice`` says what else a user can do.
    """
    suffix = PurePath(output).suffix.lower().removeprefix(".")
    if output == "-" and advice:
        raise FormatError(f"expected --format with {alternatives(known)} for standard output")
    if suffix not in known:
        *first, last = (f".{one}" for one in known)
        reason = f"end the name in {', '.join(first)} or {last}"
        raise FormatError(f"{reason}, {advice}" if advice else reason, source=output)
    return suffix


def _chosen(named: list[Named], number: int | None, suffix: str, file: str) -> list[Named]:
    """Return the puzzles to draw: one puzzle, or all in a PDF."""
    many = len(named)
    if number is not None and number > many:
        reason = f"there is no puzzle {number}, as the file has {counted(many, 'puzzle')}"
    elif number is None and many > 1 and suffix != "pdf":
        reason = f"expected one puzzle, found {many}: choose with --number, or draw a PDF"
    else:
        return named if number is None else [named[number - 1]]
    raise FormatError(reason, source=file)


def _picture(entry: Named, request: _Request, search: dict[str, Any]) -> render.Picture:
    puzzle, title, timeout = entry.puzzle, request.title, search["timeout"]
    if request.what == "hint":
        with working(entry.name, timeout):
            return _hint(entry, request)
    if request.what == "shares":
        with working(entry.name, timeout) as progress:
            every = diagram(puzzle, timeout=timeout, memory=search["memory"], progress=progress)
            total = every.count()
            if not total:
                raise NothingFound("no solution")
            # Shares are fractions: of very many solutions, all but one are not all.
            note = counted(total, "solution")
            return render.shares(puzzle, every.edge_frequencies(), title=title, note=note)
    if not (request.what or request.overlay or request.regions):
        return render.picture(puzzle, title=title)
    rest = solutions(puzzle, **search)
    with working(entry.name, timeout):
        listed = list(islice(rest, request.overlay or 1))
    if not listed:
        raise NothingFound("no solution")
    note = note_of(len(listed), are_all(entry.name, rest, timeout)).capitalize()
    if request.overlay:
        return render.overlay(puzzle, listed, title=title, note=note)
    return render.picture(puzzle, listed[0], regions=request.regions, title=title, note=note)


def _hint(entry: Named, request: _Request) -> render.Picture:
    """Return a picture of the board with the next step of a deduction."""
    from linkoracle.cli.grade import begun_board
    from linkoracle.deduce import deduced

    puzzle, file = entry.puzzle, request.board_file
    model = begun_board(file, puzzle) if file else puzzle.model
    deduction = deduced(model, None, uniqueness=False)
    fits = deduction.grade.status != "no solution"
    step = next(iter(deduction.steps(puzzle)), None) if fits else None
    if step is None:
        why = "nothing is left to do" if deduction.grade.status == "solved" else "no step found"
        if not fits:
            why = "there is no solution, or none with the lines and crosses that are there"
        raise NothingFound(why)
    marks = render.Marks(
        lines=model.given,
        crosses=model.forbidden,
        new_lines=step.lines,
        new_crosses=step.crosses,
        cells=step.cells,
        caption=step.sentence,
    )
    return render.marked(puzzle, marks, title=request.title)
