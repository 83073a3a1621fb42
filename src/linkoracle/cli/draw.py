"""`linkoracle convert`, `draw` and `booklet`: puzzles in another form, as pictures, on paper."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from itertools import islice
from pathlib import PurePath
from typing import TYPE_CHECKING, Unpack

import click

from linkoracle.cli import options as opt
from linkoracle.cli.program import NO
from linkoracle.cli.solve import are_all, note_of
from linkoracle.cli.work import working
from linkoracle.core.errors import FormatError, NothingFound
from linkoracle.formats import write
from linkoracle.formats.document import counted
from linkoracle.solving import certify, diagram, solutions

if TYPE_CHECKING:
    from linkoracle.render import Picture
    from linkoracle.render.pages import Paper
    from linkoracle.render.shapes import ThemeName

PICTURES = ("svg", "png", "pdf")

_WRONG = "there is no solution, or the lines that are there do not fit one"


@click.command()
@opt.reading_options
@click.option("--to", "target", type=opt.WRITTEN, required=True, help="The format to write.")
@opt.output_option
def convert(named: list[opt.Named], target: str, output: str | None) -> None:
    """Write the puzzles in another format.

    Every format is recognized when it is read; docs/formats.md says what each can hold.

    \b
    Examples:
      linkoracle convert --to pzpr puzzle.txt
      linkoracle convert --to json -o puzzles.jsonl one.txt two.txt
      linkoracle convert --to text 'https://puzz.link/p?slither/4/4/1ai1220ch'
    """
    written = []
    for one in named:
        try:
            written.append(write(one.puzzle, target, name=one.name if len(named) > 1 else None))
        except FormatError as error:
            raise FormatError(f"{one.name}: {error.reason}") from None
    opt.write_output(opt.one_text(written, target), output)


@dataclass(frozen=True)
class _Asked:
    """What of a puzzle is to be drawn."""

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
            raise click.UsageError("--board is for --hint")


@click.command(short_help="Draw puzzles as SVG, PNG or PDF.")
@click.argument("file", metavar="FILE")
@opt.file_option
@click.option(
    "--format", "suffix", type=click.Choice(PICTURES), help="Default: what FILE's name ends in."
)
@click.option("--solution", "what", flag_value="solution", help="With a solution.")
@click.option(
    "--overlay",
    type=click.IntRange(2, 4),
    metavar="N",
    help="With up to N solutions (2 to 4) over each other.",
)
@click.option("--shares", "what", flag_value="shares", help="Share of solutions for each edge.")
@click.option("--hint", "what", flag_value="hint", help="The next step of a deduction.")
@opt.flag("--regions", "With a solution, its regions filled.")
@click.option(
    "--board",
    "board_file",
    metavar="FILE",
    help="For --hint: the lines and crosses that are there, as for `linkoracle grade`.",
)
@click.option(
    "--theme",
    type=click.Choice(["light", "dark", "print"]),
    default="light",
    show_default=True,
    help="For a light or a dark screen, or for print: black on white only.",
)
@click.option(
    "--cell",
    type=click.FloatRange(4, 400),
    metavar="SIZE",
    help="Pixels from cell to cell (in a PDF: points). Default: by the size of the board.",
)
@click.option("--title", metavar="TEXT", help="Write TEXT above the board.")
@click.option(
    "--number", type=click.IntRange(min=1), metavar="K", help="The K-th puzzle of the file."
)
@opt.kind_option
@opt.rule_option
@opt.searching_options
@opt.packed(_Asked, "asked")
def draw(
    file: str,
    output: str,
    suffix: str | None,
    number: int | None,
    theme: ThemeName,
    cell: float | None,
    kind: str | None,
    rule: str | None,
    asked: _Asked,
    **search: Unpack[opt.Searching],
) -> None:
    """Draw the puzzle in FILE. A PDF has a page for each puzzle of the file.

    A caption tells when a board has more solutions than those that are drawn.
    Exit status 1 if there is no solution, or no step, to draw.

    \b
    Examples:
      linkoracle draw puzzle.txt -o puzzle.svg
      linkoracle draw puzzle.txt -o solved.png --regions --theme dark
      linkoracle draw puzzle.txt -o several.pdf --overlay 3 --theme print
    """
    wanted = suffix or _suffix(output)
    from linkoracle.render import available, pdf, png, svg

    available(wanted)
    chosen = _chosen(opt.load([file], kind, rule), number, wanted, file)
    if asked.board_file is not None and len(chosen) != 1:
        raise click.UsageError(f"--board is for one puzzle, found {len(chosen)}")
    pictures = [_picture(one, asked, search) for one in chosen]
    if wanted == "pdf":
        data: str | bytes = pdf(pictures, theme, cell=cell, title=asked.title)
    else:
        data = (svg if wanted == "svg" else png)(pictures[0], theme, cell=cell)
    opt.write_output(data, output)


def _suffix(output: str) -> str:
    if output == "-":
        raise FormatError(
            f"expected --format with one of {', '.join(PICTURES)} for standard output"
        )
    suffix = PurePath(output).suffix.lower().removeprefix(".")
    if suffix not in PICTURES:
        raise FormatError(
            f"expected a name that ends in {', '.join('.' + one for one in PICTURES)}, or --format",
            source=output,
        )
    return suffix


def _chosen(named: list[opt.Named], number: int | None, suffix: str, file: str) -> list[opt.Named]:
    """The puzzles to draw: one, or all of them in a PDF."""
    if number is not None:
        if number > len(named):
            raise FormatError(
                f"expected a --number up to {len(named)}, as there are puzzles; found {number}",
                source=file,
            )
        return [named[number - 1]]
    if len(named) > 1 and suffix != "pdf":
        raise FormatError(
            f"expected one puzzle, found {len(named)}: choose with --number, or draw a PDF",
            source=file,
        )
    return named


def _picture(one: opt.Named, asked: _Asked, search: opt.Searching) -> Picture:
    from linkoracle.render import overlay, picture, shares

    puzzle, title = one.puzzle, asked.title
    timeout = search["timeout"]
    if asked.what == "hint":
        with working(one.name, timeout):
            return _hint(one, asked)
    if asked.what == "shares":
        with working(one.name, timeout) as progress:
            every = diagram(puzzle, timeout=timeout, memory=search["memory"], progress=progress)
            total = every.count()
            if not total:
                raise NothingFound(f"{one.name}: no solution")
            # As fractions: of very many solutions, all but one are not all.
            note = counted(total, "solution")
            return shares(puzzle, every.edge_shares(), title=title, note=note)
    if not (asked.what or asked.overlay or asked.regions):
        return picture(puzzle, title=title)
    wanted = asked.overlay or 1
    rest = solutions(puzzle, **search)
    with working(one.name, timeout):
        found = list(islice(rest, wanted))
    if not found:
        raise NothingFound(f"{one.name}: no solution")
    exact = True if len(found) < wanted else are_all(one.name, rest, timeout)
    note = note_of(len(found), exact).capitalize()
    if asked.overlay:
        return overlay(puzzle, found, title=title, note=note)
    return picture(puzzle, found[0], regions=asked.regions, title=title, note=note)


def _hint(one: opt.Named, asked: _Asked) -> Picture:
    """The board with the next step of a deduction."""
    from linkoracle.cli.grade import begun_board
    from linkoracle.deduce.board import Board
    from linkoracle.deduce.walk import walk
    from linkoracle.render import Marks, marked

    puzzle, file = one.puzzle, asked.board_file
    board = Board(begun_board(file, puzzle) if file else puzzle.model)
    fits = board.begin() and board.guess(1)
    steps = walk(one.puzzle, board) if fits else []
    if not steps:
        why = _WRONG if not fits else "nothing is left to do" if board.solved else "no step found"
        raise NothingFound(f"{one.name}: {why}")
    marks = Marks(
        lines=board.model.given,
        crosses=board.model.forbidden,
        new_lines=steps[0].lines,
        new_crosses=steps[0].crosses,
        cells=steps[0].cells,
        caption=steps[0].sentence,
    )
    return marked(one.puzzle, marks, title=asked.title)


@click.command(short_help="Print puzzles, solutions at the back.")
@opt.files_options
@opt.file_option
@click.option(
    "--per-page", type=click.IntRange(1, 30), default=4, show_default=True, help="Puzzles a page."
)
@opt.flag("--solutions", "Put solutions at the back.", "with_solutions")
@click.option(
    "--paper", type=click.Choice(["a4", "letter"]), default="a4", show_default=True, help="Size."
)
@click.option("--title", metavar="TEXT", help="Write TEXT above the first page.")
@opt.flag("--grade", "Print how hard each puzzle is.", "graded")
@opt.flag("--allow-several", "Take puzzles with more than one solution, too, and say so.")
@opt.searching_options
def booklet(
    files: tuple[str, ...],
    kind: str | None,
    rule: str | None,
    output: str,
    per_page: int,
    with_solutions: bool,
    paper: Paper,
    title: str | None,
    graded: bool,
    allow_several: bool,
    **search: Unpack[opt.Searching],
) -> None:
    """Make a PDF booklet of the puzzles in each FILE, in black on white.

    Every puzzle is certified to have one solution. Exit status 1, and no booklet, if one has not.

    \b
    Examples:
      linkoracle booklet puzzles.txt -o book.pdf --solutions --title Puzzles
      linkoracle booklet puzzles.txt -o book.pdf --paper letter --grade
    """
    from linkoracle.render import Sheet, available
    from linkoracle.render import booklet as bound

    available("pdf")
    sheets, bad, timeout = [], False, search["timeout"]
    for one in opt.load(files, kind, rule):
        with working(one.name, timeout):
            verdict = certify(one.puzzle, **search)
            if verdict.status == "none" or (verdict.status == "many" and not allow_several):
                reason = "no solution" if verdict.status == "none" else "more than one solution"
                click.echo(f"error: {one.name}: {reason}", err=True)
                bad = True
                continue
            label = None
            if graded and verdict.unique:
                from linkoracle.deduce import grade

                label = grade(one.puzzle, timeout=timeout).label or "not graded"
        shown = verdict.solutions[0] if with_solutions else None
        sheets.append(Sheet(one.puzzle, shown, label, unique=verdict.unique))
    if bad:
        sys.exit(NO)
    opt.write_output(bound(sheets, per_page=per_page, paper=paper, title=title), output)
