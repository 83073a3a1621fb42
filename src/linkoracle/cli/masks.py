"""What makers take out of files: masks, loops and boards."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import click
from click.core import ParameterSource

from linkoracle.cli import options as opt
from linkoracle.cli.program import FileName, text_of
from linkoracle.core.errors import FormatError
from linkoracle.core.limits import options_of
from linkoracle.formats.board_texts import board_of_words
from linkoracle.generate import TilingRequest, request_for
from linkoracle.generate.request_parts import MARKED, MARKS


def _after_rows(context: click.Context, param: click.Parameter, cols: int | None) -> int | None:
    if cols is None and context.params.get("rows") is not None:
        raise click.MissingParameter(ctx=context, param=param, param_hint="'COLS'")
    return cols


#: The size of a board that a file may tell as well.
size_arguments = opt.together(
    click.argument("rows", type=opt.SIDE, required=False),
    click.argument("cols", type=opt.SIDE, required=False, callback=_after_rows),
)


class TextParam(FileName):
    """What ``read`` makes of the text of a file, which it gets with the name of the file."""

    def __init__(self, read: Callable[[str, str], Any]) -> None:
        self._read = read

    def convert(self, value: Any, *_: object) -> Any:
        path, text = text_of(value)
        return self._read(text, path)


def _mask_rows(text: str, path: str) -> list[str]:
    """The rows of a mask."""
    from linkoracle.formats.drawings import check_rows

    rows = {number: row for number, line in enumerate(text.splitlines()) if (row := line.strip())}
    if not rows:
        raise FormatError("expected rows of a mask, found none", source=path)

    def wrong(reason: str, row: int, column: int) -> FormatError:
        return FormatError(reason, source=path, line=row + 1, column=column + 1)

    check_rows(rows, MARKS, MARKED, wrong)
    return [*rows.values()]


def _loop_text(text: str, path: str) -> str:
    """The drawing of a loop as text, which a catalogue can keep."""
    from linkoracle.formats.drawings import read_loop

    read_loop(text, path)
    return text


def _board_text(text: str, path: str) -> str:
    """A Slitherlink as text, which a catalogue can keep."""
    from linkoracle.formats import read_all, write

    found = read_all(text + "\n", kind="slitherlink", name=path)
    if len(found) > 1:
        raise FormatError(f"expected one puzzle, found {len(found)}", source=path)
    return write(found[0].puzzle)


#: How options are read that name such a file.
opt.FORMS.update(
    {
        "FILE MASK": TextParam(_mask_rows),
        "FILE LOOP": TextParam(_loop_text),
        "FILE BOARD": TextParam(_board_text),
    }
)


def _on_tiling(tiling: str, rows: int | None, asked: dict[str, Any]) -> TilingRequest:
    """The request for a Slitherlink on a board that is not square."""
    context = click.get_current_context()
    given = {
        name: value
        for name, value in asked.items()
        if context.get_parameter_source(name) is ParameterSource.COMMANDLINE
    }
    known = options_of(TilingRequest)
    for name in given:
        if name not in known:
            raise click.UsageError(f"--{name.replace('_', '-')} needs rows and columns")
    if rows is not None:
        raise click.UsageError("expected ROWS and COLS, or --tiling, found both")
    with opt.arguments():
        return TilingRequest(board_of_words(tiling), **given)


def wanted(kind: str, rows: int | None, cols: int | None, asked: dict[str, Any]) -> Any:
    """The request for a puzzle of a kind. The one that a catalogue keeps gets the size, too."""
    if (tiling := asked.pop("tiling", None)) is not None:
        return _on_tiling(tiling, rows, asked)
    if rows is None and not any(asked.get(name) for name in ("mask", "loop", "board")):
        raise click.UsageError("expected ROWS and COLS, or a file that has a size")
    if asked.get("loop") is not None:
        from linkoracle.formats.drawings import read_loop

        asked["loop"] = read_loop(asked["loop"])
    if asked.get("board") is not None:
        from linkoracle.formats import read

        asked["board"] = read(asked["board"])
        if asked["board"].tiling is not None:
            raise click.UsageError("--board needs rows and columns; --tiling names another board")
    with opt.arguments():
        request: Any = request_for(kind, rows, cols, **asked)
    click.get_current_context().params.update(rows=request.rows, cols=request.cols)
    return request
