"""The geometry of boards that are not square, in the form that the page draws.

The page computes the geometry of square boards itself, in the same form.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from linkoracle import boards
from linkoracle.board.dual import dual
from linkoracle.boards.naming import TILINGS
from linkoracle.core.errors import PuzzleError
from linkoracle.formats.board_texts import words_of_board
from linkoracle.render.places import PlanePlaces
from linkoracle.render.shapes import Point
from linkoracle.studio.boards import MAX_SIDE, shown_board, tiling_of

#: Decimal places: a cell is at most a few hundred pixels wide.
_DIGITS = 4


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


@lru_cache(maxsize=16)
def geometry(words: str, *, through_cells: bool) -> dict[str, Any]:
    """Return the geometry of a board with lines along sides or ``through_cells``.

    Lengths are in units of the mean side. The result has ``width`` and ``height``; the ``points``
    where lines meet; ``edges`` as pairs of points, and where each of them ``bends``; ``faces``
    between lines, as the points around each; and ``cells``, with ``corners``, ``middle``, and the
    ``room`` for text there, at most 1.

    >>> found = geometry("honeycomb 1 1", through_cells=False)
    >>> len(found["points"]), found["faces"], round(found["cells"][0]["room"], 2)
    (6, [(0, 1, 2, 3, 4, 5)], 1.0)
    """
    tiling = tiling_of(words)
    places = PlanePlaces(tiling, through_cells=through_cells)
    board = dual(tiling) if through_cells else tiling
    ends = [board.ends(edge) for edge in range(board.num_edges)]
    found: dict[str, Any] = {
        "width": places.width,
        "height": places.height,
        "points": [_rounded(places.point(vertex)) for vertex in range(board.num_vertices)],
        "edges": ends,
        "faces": [board.walk(face) for face in range(board.num_faces)],
        "cells": [
            {
                "corners": [*map(_rounded, places.corners(cell))],
                "middle": _rounded(places.middle(cell)),
                "room": round(places.room(cell), _DIGITS),
            }
            for cell in range(tiling.num_faces)
        ],
    }
    if through_cells:
        found["bends"] = [_rounded(places.side(*both)) for both in ends]
    return found


def _rounded(point: Point) -> list[float]:
    x, y = point
    return [round(x, _DIGITS), round(y, _DIGITS)]
