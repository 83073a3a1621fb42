"""`linkoracle draw`: pictures of puzzles as SVG, PNG or PDF."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import islice
from pathlib import PurePath
from typing import TYPE_CHECKING, Any

import click

from linkoracle.cli.progress import shown_progress
from linkoracle.cli.shared import (
    Named,
    clean_endings,
    load,
    searching_options,
    write_output,
)
from linkoracle.errors import FormatError, NothingFound
from linkoracle.formats.document import counted
from linkoracle.puzzles import KINDS
from linkoracle.solving import diagram, solutions

if TYPE_CHECKING:
    from linkoracle.render import Picture

FORMATS = ("svg", "png", "pdf")

_WRONG = "there is no solution, or the lines that are there do not fit one"


@click.command(short_help="Draw puzzles as SVG, PNG or PDF.")
@click.argument("file", metavar="FILE")
@click.option("-o", "--output", metavar="FILE", required=True, help="Write to FILE; - for stdout.")
@click.option(
    "--format", "suffix", type=click.Choice(FORMATS), help="Default: what FILE's name ends in."
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
@click.option("--regions", is_flag=True, help="With a solution, its regions filled.")
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
@click.option("--kind", type=click.Choice(list(KINDS)), help="Read grids as this puzzle.")
@click.option("--rule", type=click.Choice(["free", "fill"]), help="Read a Numberlink so.")
@searching_options
def draw(
    file: str,
    output: str,
    suffix: str | None,
    what: str | None,
    overlay: int | None,
    regions: bool,
    board_file: str | None,
    theme: str,
    cell: float | None,
    title: str | None,
    number: int | None,
    kind: str | None,
    rule: str | None,
    engine: str,
    solver: str | None,
    memory: int | None,
    timeout: float | None,
) -> None:
    """Draw the puzzle in FILE. A PDF has a page for each puzzle of the file.

    Exit status 1 if there is no solution, or no step, to draw.

    \b
    Examples:
      linkoracle draw puzzle.txt -o puzzle.svg
      linkoracle draw puzzle.txt -o solved.png --regions --theme dark
      linkoracle draw puzzle.txt -o several.pdf --overlay 3 --theme print
    """
    if overlay is not None and what is not None:
        raise click.UsageError(f"expected --overlay or --{what}, not both")
    if regions and (overlay is not None or what in ("shares", "hint")):
        raise click.UsageError("--regions is for one solution")
    if board_file is not None and what != "hint":
        raise click.UsageError("--board is for --hint")
    with clean_endings():
        wanted = suffix or _suffix(output)
        from linkoracle.render import pdf, png, svg
        from linkoracle.render.png_format import available

        available(wanted)
        chosen = _chosen(load([file], kind, rule), number, wanted, file)
        if board_file is not None and len(chosen) != 1:
            raise click.UsageError(f"--board is for one puzzle, found {len(chosen)}")

        asked = _Asked(what, overlay, regions, board_file, title)
        search = {"engine": engine, "solver": solver, "memory": memory, "timeout": timeout}
        pictures = [_picture(one, asked, search) for one in chosen]
        if wanted == "pdf":
            data: str | bytes = pdf(pictures, theme, cell=cell, title=title)
        else:
            data = (svg if wanted == "svg" else png)(pictures[0], theme, cell=cell)
        write_output(data, output)


@dataclass(frozen=True)
class _Asked:
    """What of a puzzle is to be drawn."""

    what: str | None
    overlay: int | None
    regions: bool
    board_file: str | None
    title: str | None


def _suffix(output: str) -> str:
    if output == "-":
        raise FormatError(f"expected --format with one of {', '.join(FORMATS)} for standard output")
    suffix = PurePath(output).suffix.lower().removeprefix(".")
    if suffix not in FORMATS:
        raise FormatError(
            f"expected a name that ends in {', '.join('.' + one for one in FORMATS)}, or --format",
            source=output,
        )
    return suffix


def _chosen(named: list[Named], number: int | None, suffix: str, file: str) -> list[Named]:
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


def _picture(one: Named, asked: _Asked, search: dict[str, Any]) -> Picture:
    from linkoracle.render import overlay, picture, shares

    puzzle, title = one.puzzle, asked.title
    if asked.what == "hint":
        return _hint(one, asked)
    if asked.what == "shares":
        with shown_progress("listing") as progress:
            timeout, memory = search["timeout"], search["memory"]
            every = diagram(puzzle, timeout=timeout, memory=memory, progress=progress)
        total = every.count()
        if not total:
            raise NothingFound(f"{one.name}: no solution")
        # As fractions: of very many solutions, all but one are not all.
        note = counted(total, "solution")
        return shares(puzzle, every.edge_shares(), title=title, note=note)
    if not (asked.what or asked.overlay or asked.regions):
        return picture(puzzle, title=title)
    found = list(islice(solutions(puzzle, **search), asked.overlay or 1))
    if not found:
        raise NothingFound(f"{one.name}: no solution")
    if asked.overlay:
        return overlay(puzzle, found, title=title)
    return picture(puzzle, found[0], regions=asked.regions, title=title)


def _hint(one: Named, asked: _Asked) -> Picture:
    """The board with the next step of a deduction."""
    from linkoracle.cli.grade import given_literals
    from linkoracle.deduce.grading import board_of
    from linkoracle.deduce.walk import walk
    from linkoracle.render import Marks, marked

    board = board_of(one.puzzle)
    given = given_literals(asked.board_file, one.puzzle) if asked.board_file else []
    fits = board.put(given) and board.begin() and board.guess(1)
    steps = walk(one.puzzle, board) if fits else []
    if not steps:
        why = _WRONG if not fits else "nothing is left to do" if board.solved else "no step found"
        raise NothingFound(f"{one.name}: {why}")
    marks = Marks(
        lines=[literal >> 1 for literal in given if not literal & 1],
        crosses=[literal >> 1 for literal in given if literal & 1],
        new_lines=steps[0].lines,
        new_crosses=steps[0].crosses,
        cells=steps[0].cells,
        caption=steps[0].sentence,
    )
    return marked(one.puzzle, marks, title=asked.title)
