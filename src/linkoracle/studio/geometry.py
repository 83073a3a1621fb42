"""The geometry of boards, squares and all others, in the form that the page draws."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from linkoracle import boards
from linkoracle.boards import TILINGS
from linkoracle.core import PuzzleError
from linkoracle.formats import words_of_board
from linkoracle.render import PlanePlaces, Point
from linkoracle.studio.boards import MAX_SIDE, drawable, shown_board

#: Decimal places: a cell is at most a few hundred pixels wide.
_DIGITS = 4
#: The page asks for these rows and columns of squares, and shows smaller boards as parts of them.
SMALL = 20

#: The rows and columns of a new board of some tilings, so that it has some 40 to 120 faces; others
#: have `_USUAL`.
_USUAL = 7, 7
_SIZES = {
    **dict.fromkeys(("great_hexagonal", "great_great_dodecagonal", "compass_dodecagonal"), (4, 4)),
    **dict.fromkeys(("kites", "floret"), (3, 3)),
    **dict.fromkeys(("snub_square", "great_dodecagonal", "kagome"), (5, 5)),
    "dodecagonal": (4, 4),
    **dict.fromkeys(("hats", "spectres"), (9, 9)),
    "penrose_kite_dart": (10, 10),
    "penrose_rhombs": (12, 12),
}


def tilings() -> dict[str, tuple[int, int]]:
    """Return the boards to choose from by name, each with the rows and columns of a new one.

    >>> list(tilings())[1], tilings()["honeycomb"]
    ('honeycomb', (7, 7))
    """
    return {name: _SIZES.get(name, _USUAL) for name in TILINGS if name != "square"}


def new_board(name: str, rows: int, cols: int) -> str:
    """Return the words of a board of a tiling; a random part of a tiling that does not repeat.

    Raises `PuzzleError` for an unknown tiling, and for a size that the page cannot show.

    >>> new_board("honeycomb", 7, 5)
    'honeycomb 7 5'
    """
    if name not in TILINGS or name == "square":
        raise PuzzleError(f"expected a board out of {', '.join(TILINGS)}, found {name!r}")
    if not (1 <= rows <= MAX_SIDE and 1 <= cols <= MAX_SIDE):
        raise PuzzleError(f"expected 1 to {MAX_SIDE} rows and columns, found {rows}x{cols}")
    return words_of_board(shown_board(getattr(boards, name), rows, cols))


def words_asked(board: dict[str, Any]) -> str:
    """Return the words of the board whose geometry the page asks for to show this one.

    Raises ``TypeError`` if rows and columns are not numbers.

    >>> words_asked({"rows": 3, "cols": 4}), words_asked({"rows": 3, "cols": 40})
    ('square 20 20', 'square 3 40')
    >>> words_asked({"tiling": "honeycomb 2 2"})
    'honeycomb 2 2'
    """
    if board.get("tiling") is not None:
        return str(board["tiling"])
    rows, cols = board.get("rows"), board.get("cols")
    if type(rows) is not int or type(cols) is not int:
        raise TypeError(f"expected rows and columns as numbers, got {rows!r} and {cols!r}")
    return f"square {SMALL} {SMALL}" if max(rows, cols) <= SMALL else f"square {rows} {cols}"


@lru_cache(maxsize=16)
def geometry(words: str, *, through_cells: bool) -> dict[str, Any]:
    """Return the geometry of a board with lines along sides or ``through_cells``.

    Lengths are in units of the mean side. The result has ``width`` and ``height``; the ``corners``
    of cells, and the ``cells`` as the numbers of the corners around each; for each cell the
    ``middles`` and the ``rooms`` for text there, at most 1; and ``edges`` as pairs of points where
    lines meet. These are the corners; or, if lines run through cells, the middles. Then there are
    also the ``faces`` between lines, as the points around each, and where each edge ``bends``.
    Raises `PuzzleError` for a board that the page cannot show.

    >>> found = geometry("honeycomb 1 1", through_cells=False)
    >>> len(found["corners"]), found["cells"], round(found["rooms"][0], 2)
    (6, [(0, 1, 2, 3, 4, 5)], 1.0)
    >>> geometry("square 1 2", through_cells=True)["bends"]
    [[1.0, 0.5]]
    """
    tiling = drawable(words)
    places = PlanePlaces(tiling, through_cells=through_cells)
    cells = range(tiling.num_faces)
    board = tiling.dual if through_cells else tiling
    ends = [board.ends(edge) for edge in range(board.num_edges)]
    found: dict[str, Any] = {
        "width": places.width,
        "height": places.height,
        "corners": [*map(_rounded, places.vertices)],
        "cells": [*map(tiling.walk, cells)],
        "middles": [_rounded(places.middle(cell)) for cell in cells],
        "rooms": [round(places.room(cell), _DIGITS) for cell in cells],
        "edges": ends,
    }
    if through_cells:
        found["faces"] = [*map(board.walk, range(board.num_faces))]
        found["bends"] = [_rounded(places.side(*both)) for both in ends]
    return found


def _rounded(point: Point) -> list[float]:
    x, y = point
    return [round(x, _DIGITS), round(y, _DIGITS)]
