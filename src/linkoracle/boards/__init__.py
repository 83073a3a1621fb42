"""Boards that are not square: the tilings of Loopy, and polygons of your own.

Each constructor returns a `linkoracle.board.board.Board` of ``rows`` x ``cols`` cells:

>>> from linkoracle import boards
>>> boards.honeycomb(7, 7)
<Board: 126 vertices, 174 edges, 49 faces>

`named` makes a board from its words, and `words_of` returns the words of a board. The faces are in
the order of Loopy, from Simon Tatham's Portable Puzzle Collection.
"""

from typing import TYPE_CHECKING

from linkoracle.core import loader

if TYPE_CHECKING:
    from linkoracle.boards.metatiles import hats
    from linkoracle.boards.naming import named, words_of
    from linkoracle.boards.penrose import penrose_kite_dart, penrose_rhombs
    from linkoracle.boards.polygons import from_polygons
    from linkoracle.boards.repeating import (
        cairo,
        compass_dodecagonal,
        dodecagonal,
        floret,
        great_dodecagonal,
        great_great_dodecagonal,
        great_hexagonal,
        honeycomb,
        kagome,
        kites,
        octagonal,
        snub_square,
        square,
        triangular,
    )
    from linkoracle.boards.supertiles import spectres

__all__ = [
    "cairo",
    "compass_dodecagonal",
    "dodecagonal",
    "floret",
    "from_polygons",
    "great_dodecagonal",
    "great_great_dodecagonal",
    "great_hexagonal",
    "hats",
    "honeycomb",
    "kagome",
    "kites",
    "named",
    "octagonal",
    "penrose_kite_dart",
    "penrose_rhombs",
    "snub_square",
    "spectres",
    "square",
    "triangular",
    "words_of",
]

_HOMES = dict.fromkeys(__all__, "repeating") | {
    "from_polygons": "polygons",
    "hats": "metatiles",
    "named": "naming",
    "penrose_kite_dart": "penrose",
    "penrose_rhombs": "penrose",
    "spectres": "supertiles",
    "words_of": "naming",
}

if not TYPE_CHECKING:
    __getattr__ = loader(__name__, _HOMES)
