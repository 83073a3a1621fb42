"""`linkoracle board`, and options for boards that are not square."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import click

from linkoracle import boards, render
from linkoracle.board import Board
from linkoracle.boards import TILINGS
from linkoracle.cli import options as opt
from linkoracle.cli.draw import suffix_of, write_pictures
from linkoracle.cli.program import text_of
from linkoracle.core import counted
from linkoracle.formats import Document, board_at, board_of_words, json_of_board, words_of_board


def is_board(text: str) -> bool:
    """Return whether a text is a board: one line that begins with the name of a tiling, or JSON.

    JSON with the kind of a puzzle is a puzzle.
    """
    words = text.split()
    if text.lstrip().startswith("{"):
        return '"kind"' not in text
    return bool(words) and words[0] in TILINGS and "\n" not in text.strip()


class BoardParam(click.ParamType[str]):
    """The words of a board, or a file with words or polygons; a command gets the text.

    ROWS and COLS may come after the name of a tiling; `sized_board` reads the text with them.
    """

    name = "WORDS|FILE"

    def convert(self, value: Any, *_: object) -> str:
        words = str(value)
        return words if is_board(words) else self.read(*_file(words))

    def read(self, path: str, text: str) -> str:
        """Return the text of a file, if that text is a board."""
        return words_of_board(_board_in(path, text))


opt.FORMS["WORDS|FILE"] = BoardParam()


def _file(name: str) -> tuple[str, str]:
    """Return the name of a file and its text."""
    if not (name == "-" or Path(name).suffix or "/" in name or Path(name).exists()):
        # Most likely the name of a tiling, not of a file.
        with opt.arguments():
            board_of_words(name)
    return text_of(name)


def _board_in(path: str, text: str) -> Board:
    return board_at(Document(text, path), text, (1, 1))


def sized_board(text: str, rows: int | None, cols: int | None) -> Board:
    """Return the board of a text, with ROWS and COLS if these are not in the text."""
    with opt.arguments():
        if cols is None:
            return board_of_words(text)
        name, *more = text.split()
        if text.lstrip().startswith("{") or (more and more[0].isdecimal()):
            raise ValueError("expected ROWS and COLS, or --board with its size, found both")
        return board_of_words(" ".join([name, str(rows), str(cols), *more]))


@click.command(
    short_help="Show a board that is not square.", epilog=f"Boards: {', '.join(TILINGS)}."
)
@click.argument("words", metavar="FILE|WORDS...", nargs=-1, type=opt.FILE)
@opt.option("--name", click.STRING, "The words as one text, in place of WORDS.", metavar="TEXT")
@opt.option("--draw output", opt.OUTPUT, "Draw the board to FILE.svg, FILE.png or FILE.pdf.")
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
    shown = sized_board(text, None, None) if is_board(text) else _board_in(*_file(text))
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
    from linkoracle.board import symmetries

    sides = Counter(len(board.edges_of(face)) for face in range(board.num_faces))
    return {
        "name": boards.words_of(board),
        "faces": board.num_faces,
        "sides": dict(sorted(sides.items())),
        "edges": board.num_edges,
        "dots": board.num_vertices,
        "symmetries": len(symmetries(board)),
    }
