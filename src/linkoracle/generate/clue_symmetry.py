"""Symmetric clue patterns: which cells carry a clue together."""

from __future__ import annotations

from functools import lru_cache

#: Symmetries of clue patterns: none; half a turn; left to right; top to bottom; all of these three;
#: a quarter turn (square boards only).
CLUE_SYMMETRIES = ("none", "180", "mirror", "flip", "both", "90")


@lru_cache(maxsize=8)
def orbits(rows: int, cols: int, symmetry: str) -> tuple[tuple[int, ...], ...]:
    """The faces of a board (``row * cols + col``) in sets that the symmetry maps to each other.

    In the order of their smallest members; kept for the last few boards. Raises ``ValueError`` for
    a name that is not one of `CLUE_SYMMETRIES`, and for a quarter turn of a board that is not
    square.

    >>> orbits(2, 2, "180")
    ((0, 3), (1, 2))
    >>> orbits(1, 3, "mirror")
    ((0, 2), (1,))
    """
    if symmetry not in CLUE_SYMMETRIES:
        known = ", ".join(CLUE_SYMMETRIES)
        raise ValueError(f"expected a symmetry out of {known}; got {symmetry!r}")
    if symmetry == "90" and rows != cols:
        raise ValueError(f"the symmetry 90 needs a square board, got {rows}x{cols}")
    found: dict[tuple[int, ...], None] = {}
    for row in range(rows):
        for col in range(cols):
            below, beyond = rows - 1 - row, cols - 1 - col
            cells = {
                "none": [],
                "180": [(below, beyond)],
                "mirror": [(row, beyond)],
                "flip": [(below, col)],
                "both": [(below, beyond), (row, beyond), (below, col)],
                "90": [(below, beyond), (col, below), (beyond, row)],
            }[symmetry]
            faces = {r * cols + c for r, c in [(row, col), *cells]}
            found[tuple(sorted(faces))] = None
    return tuple(found)
