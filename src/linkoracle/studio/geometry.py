"""Where the parts of a board that is not square lie, as the page is told it.

The page lays out square boards by itself, in the same form.
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

#: Digits after the point: a cell is some hundred pixels wide at most.
_DIGITS = 4


def tilings() -> list[str]:
    """The names of the boards to choose from.

    >>> tilings()[1]
    'honeycomb'
    """
    return [name for name in TILINGS if name != "square"]


def new_board(name: str, rows: int, cols: int) -> str:
    """The words of a board of a tiling; of one that does not repeat, of a part by chance.

    Raises `PuzzleError` for an unknown tiling, and for a size that the page cannot show.

    >>> new_board("honeycomb", 7, 5)
    'honeycomb 7 5'
    """
    if name not in TILINGS or name == "square":
        raise PuzzleError(f"expected a board out of {', '.join(TILINGS)}, found {name!r}")
    if not (1 <= rows <= MAX_SIDE and 1 <= cols <= MAX_SIDE):
        raise PuzzleError(f"expected at most {MAX_SIDE} rows and columns, found {rows}x{cols}")
    return words_of_board(shown_board(getattr(boards, name), rows, cols))


@lru_cache(maxsize=16)
def geometry(words: str, *, through_cells: bool) -> dict[str, Any]:
    """Where a board lies, in units of the mean side, with lines along sides or ``through_cells``.

    ``width`` and ``height``; the ``points`` where lines meet, and ``edges`` as pairs of these, with
    the point between where they bend (``bends``); ``faces`` between lines, as the points around
    each; and ``cells``, with ``corners``, ``middle``, and the ``room`` there, at most 1.

    >>> told = geometry("honeycomb 1 1", through_cells=False)
    >>> len(told["points"]), told["faces"], round(told["cells"][0]["room"], 2)
    (6, [(0, 1, 2, 3, 4, 5)], 1.0)
    """
    tiling = tiling_of(words)
    places = PlanePlaces(tiling, through_cells=through_cells)
    board = dual(tiling) if through_cells else tiling
    ends = [board.ends(edge) for edge in range(board.num_edges)]
    told: dict[str, Any] = {
        "width": places.width,
        "height": places.height,
        "points": [_told(places.point(vertex)) for vertex in range(board.num_vertices)],
        "edges": ends,
        "faces": [board.walk(face) for face in range(board.num_faces)],
        "cells": [
            {
                "corners": [*map(_told, places.corners(cell))],
                "middle": _told(places.middle(cell)),
                "room": round(places.room(cell), _DIGITS),
            }
            for cell in range(tiling.num_faces)
        ],
    }
    if through_cells:
        told["bends"] = [_told(places.side(*both)) for both in ends]
    return told


def _told(point: Point) -> list[float]:
    x, y = point
    return [round(x, _DIGITS), round(y, _DIGITS)]
