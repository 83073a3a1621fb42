"""Files for generators: masks, loops and boards."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import click

import linkoracle.cli.values  # noqa: F401 - adds the types of some options
from linkoracle.board.board import Board
from linkoracle.board.lattice import Lattice
from linkoracle.cli import options as opt
from linkoracle.cli.boards import BoardParam, is_board, sized_board
from linkoracle.cli.options import FORMS, SIDE, FileName
from linkoracle.cli.program import text_of
from linkoracle.core.errors import FormatError
from linkoracle.formats import read, read_all, write
from linkoracle.formats.board_texts import words_of_board
from linkoracle.generate import request_for
from linkoracle.generate.request_parts import MARKED, MARKS, Graded
from linkoracle.generate.requests import options_for


def _after_rows(context: click.Context, param: click.Parameter, cols: int | None) -> int | None:
    if cols is None and context.params.get("rows") is not None:
        raise click.MissingParameter(ctx=context, param=param, param_hint="'COLS'")
    return cols


#: The size of a board; optional, since a file may have the size.
size_arguments = opt.together(
    click.argument("rows", type=SIDE, required=False),
    click.argument("cols", type=SIDE, required=False, callback=_after_rows),
)


class TextParam(FileName):
    """The value that ``read`` returns for the text and the name of a file."""

    def __init__(self, read: Callable[[str, str], Any]) -> None:
        self._read = read

    def convert(self, value: Any, *_: object) -> Any:
        path, text = text_of(value)
        return self._read(text, path)


def _mask_rows(text: str, path: str) -> list[str]:
    """Return the rows of a mask."""
    from linkoracle.formats.drawings import check_rows

    rows = {number: row for number, line in enumerate(text.split("\n")) if (row := line.strip())}
    if not rows:
        raise FormatError("expected rows of a mask, found none", source=path)

    def wrong(reason: str, row: int, column: int) -> FormatError:
        return FormatError(reason, source=path, line=row + 1, column=column + 1)

    check_rows(rows, MARKS, MARKED, wrong)
    return [*rows.values()]


def _loop_text(text: str, path: str) -> str:
    """Return the drawing of a loop as text, which a catalogue can keep."""
    from linkoracle.formats.drawings import read_loop

    read_loop(text, path)
    return text


class BoardOrPuzzle(BoardParam):
    """A board, or a file or a URL with a Slitherlink; a command gets the text."""

    def convert(self, value: Any, *_: object) -> str:
        text = str(value)
        return self.read("--board", text) if "://" in text else super().convert(text)

    def read(self, path: str, text: str) -> str:
        if is_board(text):
            return super().read(path, text)
        found = read_all(text, kind="slitherlink", name=path)
        if len(found) > 1:
            raise FormatError(f"expected one puzzle, found {len(found)}", source=path)
        return write(found[0].puzzle)


#: The types of options that name such a file.
FORMS.update(
    {
        "FILE MASK": TextParam(_mask_rows),
        "FILE LOOP": TextParam(_loop_text),
        "WORDS|FILE PUZZLE": BoardOrPuzzle(),
    }
)


def _on_board(kind: str, board: Board, values: dict[str, Any]) -> Graded:
    """Return the request for a puzzle on a board that is not square."""
    known, declared = options_for(kind, on_board=True), options_for(kind)
    given = {name: value for name, value in values.items() if value != declared[name].default}
    for name in given:
        if name not in known:
            raise click.UsageError(f"--{name.replace('_', '-')} needs rows and columns")
    with opt.arguments():
        return request_for(kind, **{**given, "board": board})


def request_of(kind: str, rows: int | None, cols: int | None, values: dict[str, Any]) -> Any:
    """Return the request for a puzzle of a kind; store its size for the catalogue, too."""
    text = values.get("board")
    if text is not None and is_board(text):
        board = sized_board(text, rows, cols)
        click.get_current_context().params["board"] = words_of_board(board)
        if not isinstance(board, Lattice):
            return _on_board(kind, board, values)
        values["board"], rows, cols = None, board.rows - 1, board.cols - 1
    if rows is None and not any(values.get(name) for name in ("mask", "loop", "board")):
        raise click.UsageError("expected ROWS and COLS, or a file that has a size")
    if values.get("loop") is not None:
        from linkoracle.formats.drawings import read_loop

        values["loop"] = read_loop(values["loop"])
    if values.get("board") is not None:
        values["board"] = read(values["board"])
        if values["board"].tiling is not None:
            raise click.UsageError(
                "puzzles on a board that is not square cannot be completed; --board takes its words"
            )
    with opt.arguments():
        request: Any = request_for(kind, rows, cols, **values)
    click.get_current_context().params.update(rows=request.rows, cols=request.cols)
    return request
