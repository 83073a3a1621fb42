"""Boards in box-drawing characters.

Lines run between dots, with clues in the cells, or through the cells. All columns have the width of
the widest number, so that wide boards and long numbers line up. Given lines are heavy, or ``=`` and
``!`` in ASCII. A forbidden line is a cross, and a missing dot is a blank.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from itertools import product
from typing import Any

from linkoracle.board import Solution
from linkoracle.core import named
from linkoracle.kinds import Cell, Puzzle, edges_shown, format_edge

#: The signs of figures in cells, in Unicode and in ASCII, which precede their texts.
_SIGNS = {
    "text": ("", ""),
    "label": ("", ""),
    "filled": ("█", "#"),
    "shaded": ("▒", "%"),
    "white": ("○", "o"),
    "black": ("●", "@"),
    "either": ("?", "?"),
    "arrow": ("", ""),
    "dot": ("•", "o"),
    "ice": ("░", ":"),
}
#: Lines down to the left, down to the right, and both, in Unicode and in ASCII.
_SLANTS = (("╱", "/"), ("╲", "\\"), ("╳", "X"))  # noqa: RUF001 - drawings of lines
#: Arrows for the letters of directions.
_ARROWS = [str.maketrans("nesw", arrows) for arrows in ("↑→↓←", "^>v<")]
#: Borders by the directions that meet: none, up, left, up and left ...; and with a line across.
_BORDERS, _CROSSED_BORDERS = (
    " ║═╝═╚═╩║║╗╣╔╠╦╬",
    {"─": "╫", "━": "╫", "│": "╪", "┃": "╪"} | {sign: sign for sign in "-|=!"},
)
_BORDERS_ASCII = " :~+~+~+::++++++"
#: The texts in cells.
Labels = dict[tuple[int, int], str]

#: A vertex by its lines: up, left, right, down as bits 1, 2, 4, 8. Both tables also have branches,
#: to draw wrong solutions.
BOX = "·╵╴┘╶└─┴╷│┐┤┌├┬┼"
_ASCII = ".|-+-+-+||++++++"
#: A vertex with given lines only; and a cross.
HEAVY_BOX, _CROSS = "·╹╸┛╺┗━┻╻┃┓┫┏┣┳╋", "\N{MULTIPLICATION SIGN}"
_HEAVY_ASCII, _CROSS_ASCII = ".!=+=+=+!!++++++", "x"

#: The marks of an edge besides 0, nothing, and 1, a line of a solution.
_GIVEN, _CROSSED = 2, 3


#: Lines to draw: a solution, or the ids of its edges.
Drawn = Solution | Iterable[int]


@named
def draw(puzzle: Puzzle, solution: Drawn | None = None, *, ascii_only: bool = False) -> str:
    """Draw the board, with the lines of a solution if given. No line break at the end.

    ``solution`` is a `Solution` or the ids of its edges. Raises ``ValueError`` if ``puzzle`` is not
    a puzzle, and for a solution of a board of another size.

    >>> from linkoracle import Slitherlink, solve
    >>> puzzle = Slitherlink([[3, None, None], [None, 2, 3]])
    >>> print(draw(puzzle, solve(puzzle)))
    ┌───┐   ·   ·
    │ 3 │
    │   └───────┐
    │     2   3 │
    └───────────┘
    """
    solution = drawn_on(puzzle, solution)
    # Box-drawing characters show rows and columns only.
    if puzzle.tiling is not None:
        return _in_words(puzzle, solution)
    figures = list(puzzle.figures())
    if solution is not None:
        figures += puzzle.solution_figures(solution)
    labels = {
        figure.place: _SIGNS[figure.look][ascii_only]
        + (figure.text.translate(_ARROWS[ascii_only]) if figure.look == "arrow" else figure.text)
        for figure in figures
        if figure.look in _SIGNS
        and figure.to is None
        # Lines on ice show more.
        and not (figure.look == "ice" and solution is not None)
    }
    for figure in figures:
        if figure.look == "grey" and figure.text in ("white", "black"):
            labels[figure.place] = labels.get(figure.place, "") + _SIGNS[figure.text][ascii_only]
    width = max(map(len, labels.values()), default=1)
    gaps = {figure.place for figure in figures if figure.look == "gap"}
    drawn = _drawn(puzzle, solution, labels, gaps, width, ascii_only)
    borders = {(figure.place, figure.to) for figure in figures if figure.look == "border"}
    for figure in figures:
        if figure.look == "dot" and figure.to is not None:
            (row, col), (row2, col2) = figure.place, figure.to
            at = (col + 1) * (width + 3) - 2 if col2 > col else col * (width + 3) + width // 2
            drawn[row + row2][at] = _SIGNS["dot"][ascii_only]
    if borders:
        _draw_borders(drawn, borders, width + 3, _BORDERS_ASCII if ascii_only else _BORDERS)
    rows = ["".join(row) for row in drawn]
    if beside := {figure.place: figure.text for figure in figures if figure.look == "beside"}:
        rows = _with_numbers(rows, beside, puzzle, width)
    return "\n".join(row.rstrip() for row in rows)


def _with_numbers(rows: list[str], beside: Labels, puzzle: Puzzle, width: int) -> list[str]:
    """Return rows with numbers to the left of them, and above them."""
    first = 0 if puzzle.through_cells else 1
    wide = max(map(len, beside.values()))
    left = [
        beside.get((number // 2, -1), "") if number % 2 == first else ""
        for number in range(len(rows))
    ]
    above = [beside.get((-1, col), "") for col in range(puzzle.cols)]
    top = "".join(text.center(width) + " " * 3 for text in above)
    corner = beside.get((-1, -1), "")
    return [
        f"{text:>{wide}}  {row}" for text, row in zip([corner, *left], [top, *rows], strict=True)
    ]


def _in_words(puzzle: Any, solution: Solution | None) -> str:
    """Return a board that is not square in words: clues, and vertices or faces along lines."""
    lines = [f"{puzzle.title}, {puzzle.size}", *puzzle.text_rows]
    for name, listed in puzzle.annotations.items():
        if found := getattr(puzzle, name):
            lines.append(f"{listed.what}: {' '.join(map(format_edge, found))}")
    what = "face" if puzzle.through_cells else "dot"
    for walk in () if solution is None else solution.walks():
        lines.append(f"line from {what} to {what}: {' '.join(map(str, walk))}")
    return "\n".join(lines)


def _draw_borders(
    drawn: list[list[str]], borders: set[tuple[Cell, Cell | None]], pitch: int, signs: str
) -> None:
    """Draw borders into alternating rows of cells and gaps, with cells ``pitch`` apart."""

    def put(row: int, col: int, sign: str) -> None:
        if 0 <= col < len(drawn[row]):
            drawn[row][col] = _CROSSED_BORDERS.get(drawn[row][col], sign)

    corners: dict[Cell, int] = {}
    for (row, col), other in borders:
        if other == (row, col + 1):
            put(2 * row, (col + 1) * pitch - 2, signs[9])
            ends = ((row - 1, col), 8), ((row, col), 1)
        else:
            for place in range(col * pitch - 1, (col + 1) * pitch - 2):
                put(2 * row + 1, place, signs[6])
            ends = ((row, col - 1), 4), ((row, col), 2)
        for corner, bit in ends:
            corners[corner] = corners.get(corner, 0) | bit
    for (row, col), bits in corners.items():
        if 0 <= 2 * row + 1 < len(drawn):
            put(2 * row + 1, (col + 1) * pitch - 2, signs[bits])


def drawn_on(puzzle: Puzzle, solution: Drawn | None) -> Solution | None:
    """Return ``solution`` on the board of ``puzzle``; raise ``ValueError`` if it does not fit."""
    if not hasattr(puzzle, "figures"):
        raise ValueError(f"expected a puzzle to draw, got a {type(puzzle).__name__}")
    if solution is None:
        return None
    solution = Solution.of(puzzle.board, solution)
    if solution.board != puzzle.board:
        raise ValueError("the solution belongs to a board of another size")
    return solution


@cache
def _vertices(light: str, heavy: str) -> dict[tuple[int, ...], str]:
    """Return the characters of vertices, by the marks of their edges up, left, right and down."""
    found = {}
    for around in product(range(4), repeat=4):
        lines, given = (
            sum(1 << place for place, drawn in enumerate(around) if drawn in of)
            for of in ((1, _GIVEN), (_GIVEN,))
        )
        found[around] = (heavy if lines == given else light)[lines]
    return found


def _drawn(
    puzzle: Puzzle,
    solution: Solution | None,
    labels: Labels,
    gaps: set[Cell],
    width: int,
    ascii_only: bool,
) -> list[list[str]]:
    """Return the characters of lines and labels row by row; labels are up to ``width`` wide.

    Each column takes three more characters. A cross is in the middle of its edge.
    """
    light, heavy, cross = (
        (_ASCII, _HEAVY_ASCII, _CROSS_ASCII) if ascii_only else (BOX, HEAVY_BOX, _CROSS)
    )
    lattice = puzzle.lattice
    marks = bytearray(puzzle.board.num_edges) if solution is None else solution.marks()
    for edge in edges_shown(puzzle, "cross"):
        marks[edge] = marks[edge] or _CROSSED
    for edge in edges_shown(puzzle, "given"):
        marks[edge] = _GIVEN
    slanted = _slanted(puzzle, marks)
    rights, downs = lattice.edge_rows(slanted.pop(None, marks))
    none = bytes(lattice.cols)
    vertices = _vertices(light, heavy)
    level, upright = (f" {light[bits]}{heavy[bits]}{cross}" for bits in (6, 9))
    pitch, through = width + 3, puzzle.through_cells
    # The position of a single character in its column.
    middle = width // 2 if through else 0
    drawn: list[list[str]] = []
    for row, (up, right, down) in enumerate(
        zip([none, *downs], rights, [*downs, none], strict=True)
    ):
        across, below = "", [" "] * (pitch * lattice.cols)
        lefts, right = b"\0" + right, right + b"\0"
        for col, around in enumerate(zip(up, lefts, right, down, strict=True)):
            label = " " if (row, col) in gaps else vertices[around]
            before = 0
            if through:
                label = labels.get((row, col), label)
                before = (width - len(label) + 1) // 2
            elif beside := labels.get((row, col)):
                start = col * pitch + 2 + width - len(beside)
                below[start : start + len(beside)] = beside
            came, goes = level[lefts[col]], level[right[col]]
            room = pitch - before - len(label)
            across += (" " if came == cross else came) * before + label
            across += goes.center(room) if goes == cross else goes * room
            below[col * pitch + middle] = upright[down[col]]
        drawn += [list(across), below]
    for (row, col), sign in slanted.items():
        drawn[2 * row + 1][(col + 1) * pitch - 2] = sign[ascii_only]
    # No edges lead down from the last vertices.
    return drawn[:-1]


def _slanted(puzzle: Puzzle, marks: bytearray) -> dict[Any, Any]:
    """Return the signs of diagonal lines by their upper left cells; by ``None``, other marks."""
    if not puzzle.diagonal:
        return {}
    board, lattice = puzzle.board, puzzle.lattice
    found: dict[Any, Any] = {None: bytearray(lattice.num_edges)}
    for edge, mark in enumerate(marks):
        (row, col), (row2, col2) = map(board.position, board.ends(edge))
        if row == row2 or col == col2:
            found[None][lattice.edge((row, col), (row2, col2))] = mark
        elif mark and mark != _CROSSED:
            sign = _SLANTS[col < col2]
            at = row, min(col, col2)
            found[at] = sign if at not in found else _SLANTS[2]
    return found
