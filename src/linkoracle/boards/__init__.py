"""Boards that are not square: the tilings of Loopy, and polygons of your own.

Each constructor returns a `linkoracle.board.board.Board` of ``rows`` x ``cols`` cells:

>>> from linkoracle import boards
>>> boards.honeycomb(7, 7)
<Board: 126 vertices, 174 edges, 49 faces>

`named` makes a board from its words, and `words_of` returns the words of a board. The faces are in
the order of Loopy, from Simon Tatham's Portable Puzzle Collection.
"""

from linkoracle.core import exports

__all__, __getattr__, __dir__ = exports(
    __name__,
    {
        "metatiles": "hats",
        "naming": "named words_of",
        "penrose": "penrose_kite_dart penrose_rhombs",
        "polygons": "from_polygons",
        "repeating": (
            "cairo compass_dodecagonal dodecagonal floret great_dodecagonal "
            "great_great_dodecagonal great_hexagonal honeycomb kagome kites octagonal snub_square "
            "square triangular"
        ),
        "supertiles": "spectres",
    },
    inner={
        "naming": "PATCHED TILINGS Tiling made",
    },
)
