"""The symmetries that a maker can give to the places of numbers.

The links themselves are made symmetric, and so are their ends. That rules two symmetries out. Under
a mirror along a diagonal, a cell on it is joined to both cells right and below, or to both above
and left. The first cell of the diagonal goes right and below, the last above and left, so somewhere
two cells in a row go towards each other, and close a ring of four. Under a quarter turn, the middle
cell of a board with an odd side would be joined to none or to all four of its neighbours.
"""

from __future__ import annotations

from typing import NamedTuple


class _Turn(NamedTuple):
    """First rows and columns change places, then each may run backwards."""

    transposed: bool
    rows_backwards: bool
    cols_backwards: bool


_HALF = _Turn(False, True, True)
_MIRROR = _Turn(False, False, True)
_FLIP = _Turn(False, True, False)

#: The turns of each symmetry besides standing still.
_TURNS: dict[str, tuple[_Turn, ...]] = {
    "none": (),
    "180": (_HALF,),
    "90": (_HALF, _Turn(True, False, True), _Turn(True, True, False)),
    "mirror": (_MIRROR,),
    "flip": (_FLIP,),
    "both": (_HALF, _MIRROR, _FLIP),
}
#: The names: turned by 180 or 90 degrees; mirrored left to right, top to bottom, or both ways.
SYMMETRIES = tuple(_TURNS)


def images(rows: int, cols: int, symmetry: str) -> list[list[int]]:
    """For each turn of a symmetry, where it takes every cell (cells in reading order).

    Raises ``ValueError`` for an unknown symmetry, or one that boards of this size cannot have.

    >>> images(1, 3, "180")
    [[2, 1, 0]]
    """
    if symmetry not in _TURNS:
        known = ", ".join(SYMMETRIES)
        raise ValueError(f"expected one of the symmetries {known}, got {symmetry!r}")
    turns = _TURNS[symmetry]
    if any(turn.transposed for turn in turns) and (rows != cols or rows % 2):
        raise ValueError(
            f"the symmetry {symmetry} needs a square board with an even side, got {rows}x{cols}"
        )
    found = []
    for turn in turns:
        image = []
        for cell in range(rows * cols):
            row, col = divmod(cell, cols)
            if turn.transposed:
                row, col = col, row
            if turn.rows_backwards:
                row = rows - 1 - row
            if turn.cols_backwards:
                col = cols - 1 - col
            image.append(row * cols + col)
        found.append(image)
    return found
