"""`linkoracle convert`, `draw` and `board`: other formats, and pictures of puzzles and boards."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import PurePath
from typing import Any

import click

from linkoracle import boards, deduce, render
from linkoracle.board import Board, symmetries
from linkoracle.cli import options as opt
from linkoracle.cli.program import Named, load, write_output
from linkoracle.cli.solve import are_all, note_of
from linkoracle.cli.values import (
    FILE,
    OUTPUT,
    Number,
    WholeNumber,
    board_in,
    is_board,
    named_text,
    sized_board,
)
from linkoracle.cli.work import naming, working
from linkoracle.core import FormatError, NothingFound, alternatives, counted
from linkoracle.formats import json_of_board, write
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
    labels: bool

    def __post_init__(self) -> None:
        if self.overlay is not None and self.what is not None:
            raise click.UsageError(f"expected --overlay or --{self.what}, not both")
        if self.regions and (self.overlay is not None or self.what in ("shares", "hint")):
            raise click.UsageError("--regions is for one solution")
        if self.labels and (self.overlay is not None or self.what == "shares"):
            raise click.UsageError("--labels is for a puzzle, a solution or a hint")
        if self.board_file is not None and self.what != "hint":
            raise click.UsageError("--partial-solution is for --hint")


@click.command()
@click.argument("file", metavar="FILE", type=FILE)
@opt.file_option
@opt.option("--format suffix", PICTURES, "The format.  [default: by the suffix of FILE]")
@opt.way("solution", "Draw a solution.")
@opt.option("--overlay", WholeNumber(2, 4), "Draw up to N solutions over each other.")
@opt.way("shares", "Draw edge frequencies: the fraction of solutions with each edge.")
@opt.way("hint", "Draw the next step of a deduction.")
@opt.flag("--regions", "Draw a solution, and fill its regions.")
@opt.option(
    "--partial-solution board_file",
    FILE,
    "For --hint: lines and crosses, as for `linkoracle grade`.",
)
@opt.option("--theme", ["light", "dark", "print"], "For a screen, or black on white only.", "light")
@opt.option("--cell", Number(4, 400), "Pixels per cell, in a PDF points.  [default: by the board]")
@click.option("--title", metavar="TEXT", help="Write TEXT above the board.")
@opt.flag("--labels", "Name rows and columns, or faces, as hints do.")
@opt.option("--number", WholeNumber(1), "Draw only puzzle N of the file.")
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
        return render.picture(puzzle, title=title, labels=request.labels)
    rest = solutions(puzzle, **search)
    with working(entry.name, timeout):
        listed = list(islice(rest, request.overlay or 1))
    if not listed:
        raise NothingFound("no solution")
    note = note_of(len(listed), are_all(entry.name, rest, timeout)).capitalize()
    if request.overlay:
        return render.overlay(puzzle, listed, title=title, note=note)
    about: Any = {"title": title, "note": note, "labels": request.labels}
    return render.picture(puzzle, listed[0], regions=request.regions, **about)


def marks_of(step: deduce.Step, **known: Any) -> render.Marks:
    """Return what a picture shows of a step, beside other marks."""
    facts = ("lines", "crosses", "visited", "unvisited", "inside", "outside")
    new = {f"new_{name}": getattr(step, name) for name in facts}
    return render.Marks(**known, **new, cells=step.cells)


def _hint(entry: Named, request: _Request) -> render.Picture:
    """Return a picture of the board with the next step of a deduction."""
    from linkoracle.cli.marks import BoardFile

    puzzle, file = entry.puzzle, request.board_file
    model = BoardFile(file).model(puzzle) if file else puzzle.model
    deduction = deduce.deduced(model, None, uniqueness=False)
    fits = deduction.grade.status != "no solution"
    step = next(iter(deduction.steps(puzzle)), None) if fits else None
    if step is None:
        why = "nothing is left to do" if deduction.grade.status == "solved" else "no step found"
        if not fits:
            why = "there is no solution, or none with the lines and crosses that are there"
        raise NothingFound(why)
    known = {"lines": model.given, "crosses": model.forbidden}
    marks = marks_of(step, **known, caption=step.sentence)
    return render.marked(puzzle, marks, title=request.title, labels=request.labels)


@click.command(epilog=f"Boards: {', '.join(boards.TILINGS)}.")
@click.argument("words", metavar="FILE|WORDS...", nargs=-1, type=FILE)
@opt.option("--name", click.STRING, "The words as one text, in place of WORDS.", metavar="TEXT")
@opt.option("--draw output", OUTPUT, "Draw the board to FILE.svg, FILE.png or FILE.pdf.")
@opt.flag("--numbers", "With --draw: write the numbers of faces and dots.")
@opt.flag("--polygons", "Print the board as JSON with its polygons, as verifiers need it.")
@opt.option("--theme", ["light", "dark", "print"], "For a screen, or black on white only.", "light")
@opt.json_option("Print a JSON object.")
def board(
    words: tuple[str, ...],
    name: str | None,
    output: str | None,
    numbers: bool,
    polygons: bool,
    theme: Any,
    as_json: bool,
) -> None:
    """Show a board: its name, how many faces, edges and dots it has, its symmetries.

    Name the board by words, such as honeycomb 7 7, or by a FILE with words or with polygons:
    {"polygons": [[[0, 0], [1, 0], [0, 1]], ...]}. Clues of puzzles come in the order of the faces.

    \b
    Examples:
      linkoracle board honeycomb 7 7
      linkoracle board cairo 5 5 --draw cairo.svg --numbers
    """
    if bool(words) == (name is not None):
        raise click.UsageError("expected the words of a board, such as honeycomb 7 7, or a FILE")
    text = name or " ".join(words)
    shown = sized_board(text, None, None) if is_board(text) else board_in(*named_text(text))
    about = _about(shown)
    if output is not None:
        suffix = suffix_of(output, advice="")
        render.available(suffix)
        write_pictures([render.board_picture(shown, numbers=numbers)], suffix, theme, output)
    if polygons:
        click.echo(json.dumps(json_of_board(shown, named=False)))
    elif as_json:
        click.echo(json.dumps(about))
    else:
        sides = ", ".join(f"{number} with {size} sides" for size, number in about["sides"].items())
        sizes = ", ".join(counted(about[f"{what}s"], what) for what in ("edge", "dot"))
        moves = "1 symmetry" if about["symmetries"] == 1 else f"{about['symmetries']} symmetries"
        text = f"{counted(about['faces'], 'face')} ({sides}), {sizes}, {moves}"
        click.echo(f"{about['name'] or 'a board without a name'}: {text}")


def _about(board: Board) -> dict[str, Any]:
    sides = Counter(len(board.edges_of(face)) for face in range(board.num_faces))
    return {
        "name": boards.words_of(board),
        "faces": board.num_faces,
        "sides": dict(sorted(sides.items())),
        "edges": board.num_edges,
        "dots": board.num_vertices,
        "symmetries": len(symmetries(board)),
    }
