"""The two tilings of Penrose: kites and darts (P2), thin and thick rhombs (P3).

A *patch* chooses the part of the infinite tiling that a board shows. Loopy's game IDs have two
kinds of patches:

* ``G1174,3877,72``: the part around a point of a large triangle, which is turned by an angle and
  divided again and again (`linkoracle.boards.penrose_division`);
* ``31ABUV``: an orientation, a corner, and the address of the half tile there in ever larger
  triangles (`linkoracle.boards.penrose_addresses`).

Source: ``penrose-legacy.c`` and ``penrose.c`` of Simon Tatham's Portable Puzzle Collection,
https://www.chiark.greenend.org.uk/~sgtatham/puzzles/, and
https://www.chiark.greenend.org.uk/~sgtatham/quasiblog/aperiodic-tilings/
"""

from __future__ import annotations

from contextlib import suppress

from linkoracle.board.board import Board
from linkoracle.boards.patch import checked_cells
from linkoracle.boards.penrose_addresses import board_at_address
from linkoracle.boards.penrose_division import board_at_point, random_point
from linkoracle.core.randomness import seed_or_fresh, source

#: The most random parts to try, as some have no face.
_ATTEMPTS = 50


def penrose_kite_dart(
    rows: int, cols: int, patch: str | None = None, *, seed: int | None = None
) -> Board:
    """Return a part of Penrose's tiling with kites and darts, about ``rows`` x ``cols`` wide.

    ``patch`` chooses the part, as in Loopy's game IDs. Without ``patch``, the part is random; the
    same ``seed`` gives the same part.

    Raises ``ValueError`` for an invalid patch, and for a part without a face.

    >>> penrose_kite_dart(7, 7, "G-4281,-1409,324")
    <Board: 37 vertices, 62 edges, 26 faces>
    >>> penrose_kite_dart(7, 7, seed=1).words
    'penrose_kite_dart 7 7 G136,3726,36'
    """
    return _penrose("penrose_kite_dart", rows, cols, patch, seed)


def penrose_rhombs(
    rows: int, cols: int, patch: str | None = None, *, seed: int | None = None
) -> Board:
    """Return a part of Penrose's tiling with rhombs, as `penrose_kite_dart` does.

    >>> penrose_rhombs(7, 7, "G-3300,1391,144")
    <Board: 28 vertices, 46 edges, 19 faces>
    """
    return _penrose("penrose_rhombs", rows, cols, patch, seed)


def _penrose(name: str, rows: int, cols: int, patch: str | None, seed: int | None) -> Board:
    rows, cols = checked_cells(rows, cols)
    if patch is not None:
        make = board_at_point if patch.startswith("G") else board_at_address
        return make(name, rows, cols, patch)
    rng = source(seed_or_fresh(seed), 0)
    # On very small boards, few parts or no part have a face.
    for _ in range(_ATTEMPTS):
        with suppress(ValueError):
            return board_at_point(name, rows, cols, random_point(name, rows, cols, rng))
    raise ValueError(f"expected a larger board: no face of {name} {rows} {cols} was found")
