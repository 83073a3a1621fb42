"""`linkoracle board`, and boards that are not square as options name them."""

from __future__ import annotations

import json
from collections import Counter
from typing import Any

import click

from linkoracle.board.board import Board
from linkoracle.cli import options as opt
from linkoracle.cli.draw import suffix_of
from linkoracle.cli.options import FILE, choice, option
from linkoracle.cli.program import FileName, text_of, write_output
from linkoracle.core.errors import FormatError, counted
from linkoracle.formats.board_texts import board_of_words, json_of_board, words_of_board


class BoardParam(click.ParamType[str]):
    """The words of a board, or a file with them or with polygons; a command gets its text.

    A catalogue can keep that text, which `linkoracle.formats.board_texts.board_of_words` reads.
    """

    name = "WORDS|FILE"

    def convert(self, value: Any, *_: object) -> str:
        words = str(value)
        try:
            return words_of_board(board_of_words(words))
        except ValueError as error:
            if " " in words.strip() and "/" not in words:
                # No file has such a name, most likely.
                raise click.UsageError(f"{error}") from None
        return words_of_board(board_in(words))


#: A board that is not square, as an option names it.
TILING = BoardParam()


def board_in(file: str) -> Board:
    """Return the board of a file: words, or JSON. `FormatError` for anything else."""
    source, text = text_of(file)
    try:
        return board_of_words(text.strip())
    except ValueError as error:
        raise FormatError(str(error), source=source) from None


@click.command(short_help="Show a board that is not square.")
@click.argument("file", metavar="FILE", required=False, type=FileName())
@option("--name", click.STRING, "The words of a board, in place of FILE.", metavar="WORDS")
@option("--draw output", FILE, "Draw the board to FILE.svg, FILE.png or FILE.pdf.")
@opt.flag("--numbers", "With --draw: write the number of each face.")
@opt.flag("--polygons", "Print the board as JSON without its name, as verifiers need it.")
@choice("--theme", ["light", "dark", "print"], "For a screen, or black on white only.", "light")
@opt.json_option("Print a JSON object.")
def board(
    file: str | None,
    name: str | None,
    output: str | None,
    numbers: bool,
    polygons: bool,
    theme: Any,
    as_json: bool,
) -> None:
    """Show the board in FILE: its name, how many faces, edges and dots it has, its symmetries.

    FILE has the words of a board, such as honeycomb 7 7, or JSON with its polygons:
    {"polygons": [[[0, 0], [1, 0], [0, 1]], ...]}. Clues of puzzles come in the order of its faces.

    \b
    Examples:
      linkoracle board --name "honeycomb 7 7"
      linkoracle board --name "cairo 5 5" --draw cairo.svg --numbers
    """
    if (file is None) == (name is None):
        raise click.UsageError("expected a FILE or --name")
    with opt.arguments():
        found = board_in(file) if file is not None else board_of_words(name or "")
    about = _about(found)
    if output is not None:
        _draw(found, output, theme, numbers=numbers)
    if polygons:
        click.echo(json.dumps(json_of_board(found, named=False)))
    elif as_json:
        click.echo(json.dumps(about))
    else:
        sides = ", ".join(f"{number} with {size} sides" for size, number in about["sides"].items())
        sizes = ", ".join(counted(about[f"{what}s"], what) for what in ("edge", "dot"))
        moves = "1 symmetry" if about["symmetries"] == 1 else f"{about['symmetries']} symmetries"
        told = f"{counted(about['faces'], 'face')} ({sides}), {sizes}, {moves}"
        click.echo(f"{about['name'] or 'a board without a name'}: {told}")


def _about(found: Board) -> dict[str, Any]:
    from linkoracle import boards
    from linkoracle.board.motions import symmetries

    sides = Counter(len(found.edges_of(face)) for face in range(found.num_faces))
    return {
        "name": boards.words_of(found),
        "faces": found.num_faces,
        "sides": dict(sorted(sides.items())),
        "edges": found.num_edges,
        "dots": found.num_vertices,
        "symmetries": len(symmetries(found)),
    }


def _draw(found: Board, output: str, theme: Any, *, numbers: bool) -> None:
    from linkoracle.render import available, board_picture, pdf, png, svg

    suffix = suffix_of(output)
    available(suffix)
    drawn = board_picture(found, numbers=numbers)
    if suffix == "pdf":
        data: str | bytes = pdf([drawn], theme)
    else:
        data = (svg if suffix == "svg" else png)(drawn, theme)
    write_output(data, output)
