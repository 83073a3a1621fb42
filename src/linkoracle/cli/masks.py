"""What makers take out of files: masks, loops and boards, and the size that these ask for."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import click

from linkoracle.cli import options as opt
from linkoracle.cli.program import FileName, text_of
from linkoracle.core.errors import FormatError, counted
from linkoracle.generate import patterns

if TYPE_CHECKING:
    from linkoracle.board.solution import Solution
    from linkoracle.kinds import Puzzle


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

    known = "# (a clue), . (no clue), ? (either) or a digit from 0 to 4"
    check_rows(rows, "#.?0-4", known, wrong)
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


def mask_option(told: str) -> Callable[[opt.Command], opt.Command]:
    """``--mask``, of which the help says what is told."""
    return opt.option("--mask", TextParam(_mask_rows), told)


#: What else may be drawn of a Slitherlink.
drawing_options = opt.together(
    opt.option(
        "--loop",
        TextParam(_loop_text),
        "The loop, drawn in a file: cells inside as # and outside as ., or lines as --show draws "
        "them.",
    ),
    opt.option(
        "--board",
        TextParam(_board_text),
        "A Slitherlink in a file: its clues, ends, given and forbidden lines and holes stay.",
    ),
    opt.choice("--pattern", patterns.PATTERNS, "A mask that is drawn for you."),
    opt.option("--letters", click.STRING, "A mask with these letters and digits.", metavar="TEXT"),
)


def drawings(loop: str | None, board: str | None) -> dict[str, Any]:
    """The loop and the board in these texts, as fields of a request."""
    found: dict[str, Any] = {}
    if loop is not None:
        from linkoracle.formats.drawings import read_loop

        found["loop"] = read_loop(loop)
    if board is not None:
        from linkoracle.formats import read

        found["board"] = read(board)
    return found


def board_size(
    rows: int | None,
    cols: int | None,
    mask: Sequence[str] | None,
    loop: Solution | None = None,
    board: Puzzle | None = None,
) -> tuple[int, int]:
    """The size of board that is asked for: by numbers, or by what is read out of a file.

    Raises `FormatError` where they contradict each other. The request that a catalogue keeps gets
    the size, too.
    """
    sizes = [] if rows is None or cols is None else [("ROWS and COLS say", rows, cols)]
    if mask is not None:
        sizes.append(("the mask has", len(mask), len(mask[0])))
    if loop is not None:
        sizes.append(("the loop has", loop.lattice.rows - 1, loop.lattice.cols - 1))
    if board is not None:
        sizes.append(("the board has", board.rows, board.cols))
    if not sizes:
        raise click.UsageError("expected ROWS and COLS, or a file that has a size")
    (told, *wanted), *others = sizes
    for other, *found in others:
        if found != wanted:
            raise FormatError(
                f"expected one size of board: {told} {_size(*wanted)}, {other} {_size(*found)}"
            )
    click.get_current_context().params.update(rows=wanted[0], cols=wanted[1])
    return wanted[0], wanted[1]


def _size(rows: int, cols: int) -> str:
    return f"{counted(rows, 'row')} of {counted(cols, 'cell')}"


def drawn_mask(
    rows: int, cols: int, pattern: patterns.Pattern | None, letters: str | None
) -> Sequence[str] | None:
    """The mask that a pattern or letters draw, if one of them is given."""
    with opt.arguments():
        if pattern is not None:
            return patterns.pattern(pattern, rows, cols)
        return None if letters is None else patterns.letters(letters, rows, cols)


def fields_of(mask: Sequence[str]) -> dict[str, Any]:
    """What a mask asks for, as fields of a request."""
    cells = {(row, col): mark for row, line in enumerate(mask) for col, mark in enumerate(line)}
    return {
        "must": [cell for cell, mark in cells.items() if mark == "#"],
        "must_not": [cell for cell, mark in cells.items() if mark == "."],
        "digits": {cell: int(mark) for cell, mark in cells.items() if mark.isdigit()},
    }
