"""The words for a board, such as ``honeycomb 7 7``."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from importlib import import_module
from typing import NamedTuple

from linkoracle.board import Board


class Tiling(NamedTuple):
    """A kind of board that has a constructor in `linkoracle.boards`."""

    name: str
    #: The number of the type in Loopy's game IDs: ``7x7t2`` is a honeycomb.
    loopy_type: int
    #: In Loopy, both sides of a board have at least this length,
    both_sides: int
    #: and one of the sides has at least this length.
    one_side: int
    #: The module of the constructor, below `linkoracle.boards`.
    module: str = "repeating"


TILINGS = {
    tiling.name: tiling
    for tiling in (
        Tiling("square", 0, 3, 3),
        Tiling("triangular", 1, 3, 3),
        Tiling("honeycomb", 2, 3, 3),
        Tiling("snub_square", 3, 3, 3),
        Tiling("cairo", 4, 3, 4),
        Tiling("great_hexagonal", 5, 3, 3),
        Tiling("octagonal", 6, 3, 3),
        Tiling("kites", 7, 3, 3),
        Tiling("floret", 8, 1, 2),
        Tiling("dodecagonal", 9, 2, 2),
        Tiling("great_dodecagonal", 10, 2, 2),
        Tiling("penrose_kite_dart", 11, 3, 3, "penrose"),
        Tiling("penrose_rhombs", 12, 3, 3, "penrose"),
        Tiling("great_great_dodecagonal", 13, 2, 2),
        Tiling("kagome", 14, 3, 3),
        Tiling("compass_dodecagonal", 15, 2, 2),
        Tiling("hats", 16, 6, 6, "metatiles"),
        Tiling("spectres", 17, 6, 6, "supertiles"),
    )
}

#: The tilings that do not repeat, so that a patch must choose a part.
PATCHED = frozenset(one.name for one in TILINGS.values() if one.module != "repeating")

_SIDE = re.compile(r"[0-9]{1,18}", re.ASCII)


def named(words: str | Sequence[str]) -> Board:
    """Return the board that these words name: a tiling, its rows, its columns, and more.

    ``ears`` may follow ``triangular 7 7``, and a patch must follow ``penrose_rhombs 7 7``. Raises
    ``ValueError`` for invalid words, and `MemoryLimit` if the board is too large.
    ``named(words_of(board))`` equals ``board``.

    >>> named("honeycomb 2 3")
    <Board: 22 vertices, 27 edges, 6 faces>
    >>> named(["square", "7", "7"])
    Lattice(rows=8, cols=8)
    """
    parts = words.split() if isinstance(words, str) else list(words)
    name = parts[0].lower() if parts else ""
    if name not in TILINGS:
        raise ValueError(f"expected a board out of {', '.join(TILINGS)}; got {name!r}")
    last = {"triangular": "[ears]"}.get(name, "PATCH" if name in PATCHED else "")
    sides, more = parts[1:3], [part.upper() for part in parts[3:]]
    if (
        len(sides) < 2
        or not all(map(_SIDE.fullmatch, sides))
        or len(more) > len(last.split())
        or (last == "PATCH" and not more)
        or (last == "[ears]" and more not in ([], ["EARS"]))
    ):
        expected = " ".join(filter(None, [name, "ROWS", "COLS", last]))
        raise ValueError(f"expected {expected!r}, got {' '.join(parts)!r}")
    return made(name, int(sides[0]), int(sides[1]), *more)


@lru_cache(maxsize=8)
def made(name: str, rows: int, cols: int, more: str | None = None) -> Board:
    """Return the board of a valid tiling name; ``more`` is ``ears``, or a patch.

    Caches the last few boards, with everything computed for them.
    """
    make = getattr(import_module(f"linkoracle.boards.{TILINGS[name].module}"), name)
    if name in PATCHED:
        board: Board = make(rows, cols, more)
    elif more:
        board = make(rows, cols, ears=True)
    else:
        board = make(rows, cols)
    return board


def words_of(board: Board) -> str | None:
    """Return the words for which `named` makes this board; ``None`` if there are none.

    >>> from linkoracle.board import Lattice
    >>> words_of(named("honeycomb 2 3")), words_of(Lattice(8, 8))
    ('honeycomb 2 3', 'square 7 7')
    >>> words_of(Board(2, [(0, 1)]))
    """
    return board.words
