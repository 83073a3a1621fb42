"""The words for a board: ``honeycomb 7 7``."""

from __future__ import annotations

import re
from collections.abc import Sequence
from importlib import import_module
from typing import NamedTuple

from linkoracle.board.board import Board
from linkoracle.board.lattice import Lattice


class Tiling(NamedTuple):
    """A kind of board that has a constructor in `linkoracle.boards`."""

    name: str
    #: The module of the constructor, below `linkoracle.boards`.
    module: str
    #: The number of the type in Loopy's game IDs: ``7x7t2`` is a honeycomb.
    loopy_type: int
    #: Loopy has boards with both sides at least this long,
    both_sides: int
    #: and one of them at least this long.
    one_side: int


TILINGS = {
    tiling.name: tiling
    for tiling in (
        Tiling("square", "uniform", 0, 3, 3),
        Tiling("triangular", "uniform", 1, 3, 3),
        Tiling("honeycomb", "uniform", 2, 3, 3),
        Tiling("snub_square", "uniform", 3, 3, 3),
        Tiling("cairo", "irregular", 4, 3, 4),
        Tiling("great_hexagonal", "uniform", 5, 3, 3),
        Tiling("octagonal", "uniform", 6, 3, 3),
        Tiling("kites", "irregular", 7, 3, 3),
        Tiling("floret", "irregular", 8, 1, 2),
        Tiling("dodecagonal", "uniform", 9, 2, 2),
        Tiling("great_dodecagonal", "uniform", 10, 2, 2),
        Tiling("penrose_kite_dart", "penrose", 11, 3, 3),
        Tiling("penrose_rhombs", "penrose", 12, 3, 3),
        Tiling("great_great_dodecagonal", "uniform", 13, 2, 2),
        Tiling("kagome", "uniform", 14, 3, 3),
        Tiling("compass_dodecagonal", "uniform", 15, 2, 2),
    )
}

_SIDE = re.compile(r"[0-9]{1,18}", re.ASCII)


def named(words: str | Sequence[str]) -> Board:
    """Return the board that these words name: a tiling, its rows and its columns.

    Raises ``ValueError`` that says what was expected, and `MemoryLimit` for a board that is too
    large. ``named(words_of(board))`` equals ``board``.

    >>> named("honeycomb 2 3")
    <Board: 22 vertices, 27 edges, 6 faces>
    >>> named(["square", "7", "7"])
    Lattice(rows=8, cols=8)
    """
    name, *rest = (
        words.split() if isinstance(words, str) else [*words, *([""] if not words else [])]
    )
    tiling = TILINGS.get(name)
    if tiling is None:
        raise ValueError(f"expected a board out of {', '.join(TILINGS)}; got {name!r}")
    sides = rest[:2]
    if len(sides) < 2 or not all(map(_SIDE.fullmatch, sides)):
        raise ValueError(f"expected '{name} ROWS COLS', got {' '.join([name, *rest])!r}")
    make = getattr(import_module(f"linkoracle.boards.{tiling.module}"), name)
    rows, cols = map(int, sides)
    more = rest[2:]
    if name == "triangular" and more == ["ears"]:
        return make(rows, cols, ears=True)
    if more:
        raise ValueError(f"expected nothing after '{name} {rows} {cols}', got {more[0]!r}")
    return make(rows, cols)


def words_of(board: Board) -> str | None:
    """Return the words that make this board by `named`; ``None`` if there are none.

    >>> words_of(named("honeycomb 2 3")), words_of(Lattice(8, 8))
    ('honeycomb 2 3', 'square 7 7')
    >>> words_of(Board(2, [(0, 1)]))
    """
    if isinstance(board, Lattice):
        return f"square {board.rows - 1} {board.cols - 1}" if board.num_faces else None
    return board.words
