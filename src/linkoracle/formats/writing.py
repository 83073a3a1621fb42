"""`write`: puzzles in every format, and the writers of formats with rows of cells."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from string import ascii_letters
from typing import Any

from linkoracle.core import FormatError, NotSupported, named, quoted
from linkoracle.formats.reading import FORMATS, MAX_DIGITS, About, clean_name, misplaced
from linkoracle.formats.text import BOARD
from linkoracle.kinds import Puzzle, refuse


@named
def write(
    puzzle: Puzzle,
    format: str = "text",  # noqa: A002 - the word users expect
    *,
    name: str | None = None,
    author: str | None = None,
    rules: str | None = None,
) -> str:
    """Return ``puzzle`` in a format of `FORMATS`. Grids end with a line break, one-liners do not.

    Grids and JSON contain the ``name``, the ``author`` and the ``rules`` in the author's words.

    Raises `FormatError` if there is no such format, if it cannot express the puzzle, or if
    ``rules`` are only the name of a variant.

    >>> from linkoracle.kinds import Slitherlink
    >>> write(Slitherlink([[3, None], [None, 2]]), "pzpr")
    'https://puzz.link/p?slither/2/2/dc'
    """
    one = FORMATS.get(format)
    if one is None or not one.writes:
        known = ", ".join(repr(name) for name, one in FORMATS.items() if one.writes)
        read_only = " (it can only be read)" if format in FORMATS else ""
        raise FormatError(f"expected a format {known}, found {quoted(str(format))}{read_only}")
    if any(isinstance(clue, int) and clue >= 10**MAX_DIGITS for _, clue in puzzle.clue_cells()):
        raise FormatError(f"expected numbers of at most {MAX_DIGITS} digits, found a longer one")
    if reason := misplaced(rules, type(puzzle), "as the rules in the author's words"):
        raise FormatError(reason)
    try:
        return one.write(puzzle, About(name, author, rules))
    except NotSupported:
        raise FormatError(f"{format} has rows and columns only; write text or json") from None


def texts(puzzle: Puzzle) -> list[list[str]]:
    """Return the texts of the cells."""
    symbols = puzzle.symbols
    return [
        ["." if cell is None else symbols.get(cell) or str(cell) for cell in row]
        for row in puzzle.grid
    ]


def needs_spaces(cells: Sequence[Sequence[str]]) -> bool:
    """Return whether a cell has two or more characters, so that cells need spaces between them."""
    return any(len(cell) > 1 for row in cells for cell in row)


def write_rows(cells: Sequence[Sequence[str]]) -> list[str]:
    """Return the rows: without spaces if every cell is one character, else in aligned columns.

    >>> write_rows([["1", "."], [".", "1"]])
    ['1.', '.1']
    >>> write_rows([["10", "."], [".", "10"]])
    ['10  .', ' . 10']
    """
    if not needs_spaces(cells):
        return ["".join(row) for row in cells]
    width = max(len(cell) for row in cells for cell in row)
    return [" ".join(cell.rjust(width) for cell in row) for row in cells]


def write_text(puzzle: Any, about: About) -> str:
    """Return the puzzle as a block below comments with its name, author and rules."""
    lines = comments(about)
    default = next(iter(puzzle.variants))
    lines.append(puzzle.kind if puzzle.variant == default else f"{puzzle.kind} {puzzle.variant}")
    # Rows say how large a board is; another board has words, or a list of its edges.
    if puzzle.tiling is None:
        rows = _size_and_rows(puzzle)
    else:
        from linkoracle.formats.board_texts import words_of_board

        lines.append(f"{BOARD} {words_of_board(puzzle.tiling)}")
        rows = puzzle.text_rows
    below: list[str] = []
    for member, listed in puzzle.annotations.items():
        found = getattr(puzzle, member)
        if found and listed.grid:
            below += [member, *write_rows(names_of(found))]
        elif found:
            lines.append(" ".join([member, *map(listed.text_of, found)]))
    return "\n".join([*lines, *rows, *below, ""])


def _size_and_rows(puzzle: Puzzle) -> list[str]:
    """Return the rows of cells, below their numbers if these do not show from the rows."""
    cells = texts(puzzle)
    size = [f"{puzzle.rows} {puzzle.cols}"] if _needs_dimensions(cells) else []
    return [*size, *write_rows(cells)]


def names_of(grid: Sequence[Sequence[int | None]]) -> list[list[str]]:
    """Return names of regions: letters if they suffice, else numbers from 1.

    >>> names_of([[0, 0], [1, None]])
    [['a', 'a'], ['b', '.']]
    """
    most = max(region for row in grid for region in row if region is not None)
    names = list(ascii_letters) if most < len(ascii_letters) else [*map(str, range(1, most + 2))]
    return [["." if region is None else names[region] for region in row] for row in grid]


def comments(about: About) -> list[str]:
    """Return the comments with the name, the author and the rules, if given."""
    said = about._asdict().items()
    return [f"# {key}: {words}" for key, value in said if (words := clean_name(value or ""))]


def _needs_dimensions(cells: list[list[str]]) -> bool:
    # A single column of two-digit numbers would be read character by character. A first row of two
    # numbers that match the dimensions of the rest would be read as dimensions.
    if not needs_spaces(cells):
        return False
    rows, cols = len(cells), len(cells[0])
    first = sorted(int(cell) for cell in cells[0] if cell.isdigit())
    return cols == 1 or (cols == len(first) == 2 and (rows == 1 or first == sorted((2, rows - 1))))


def _write_sized(puzzle: Puzzle, about: About, *, rows_first: bool) -> str:
    """Return the rows below a line with their dimensions."""
    refuse(puzzle, "a board after its dimensions")
    cells = texts(puzzle)
    flat = [cell for row in cells for cell in row]
    if puzzle.rows == puzzle.cols == 2 and needs_spaces(cells) and "2" not in flat:
        # "2 2" before two rows of two such numbers is itself a row of a valid board.
        raise FormatError("a 2x2 board of such numbers can also be read as a 3x2 board: use 'text'")
    sizes = (puzzle.rows, puzzle.cols) if rows_first else (puzzle.cols, puzzle.rows)
    first = "{} {}".format(*sizes)
    return "\n".join([*comments(about), first, *write_rows(cells), ""])


write_rows_cols = partial(_write_sized, rows_first=True)
write_cols_rows = partial(_write_sized, rows_first=False)
