"""Boards that are not square: the tilings of Loopy, and polygons of your own.

Each constructor returns a `linkoracle.board.board.Board` of ``rows`` x ``cols`` cells:

>>> from linkoracle import boards
>>> boards.honeycomb(7, 7)
<Board: 126 vertices, 174 edges, 49 faces>

`named` makes a board from the words for it, and `words_of` gives the words of a board. The faces
stand in the order of Loopy, from Simon Tatham's Portable Puzzle Collection, and so do the vertices
unless Loopy leaves out faces at the border.
"""

from typing import TYPE_CHECKING

from linkoracle.core import loader

if TYPE_CHECKING:
    from linkoracle.boards.naming import named, words_of
    from linkoracle.boards.polygons import from_polygons
    from linkoracle.boards.uniform import honeycomb, square, triangular

__all__ = [
    "from_polygons",
    "honeycomb",
    "named",
    "square",
    "triangular",
    "words_of",
]

_HOMES = {
    name: home
    for home, names in {
        "naming": "named words_of",
        "polygons": "from_polygons",
        "uniform": "honeycomb square triangular",
    }.items()
    for name in names.split()
}

if not TYPE_CHECKING:
    __getattr__ = loader(__name__, _HOMES)
