"""Hidoku: a path of consecutive numbers through all cells, which may also run diagonally."""

from __future__ import annotations

from typing import ClassVar

from linkoracle.kinds.cell_paths import Numbrix
from linkoracle.kinds.puzzle import Example


class Hidoku(Numbrix):
    """A Hidoku of ``rows`` x ``cols`` cells. Immutable, hashable, comparable.

    As `Numbrix`, but consecutive numbers stand in cells that touch, at a side or a corner. The
    cells may be the faces of any board, such as a honeycomb.

    >>> from linkoracle import boards, count
    >>> count(Hidoku(["1..", ".9.", "3.."])), count(Hidoku.on(boards.honeycomb(2, 2), "1..4"))
    (2, 2)
    """

    kind = "hidoku"
    title = "Hidoku"
    instruction = (
        "Write a number in each white cell so that each number from 1 to the number of white cells "
        "stands once, and consecutive numbers stand in cells that share a side or a corner."
    )
    example = Example(
        "12 . . 15 ./. 11 . . 1/. 25 17 . ./24 . . . ./. . . 20 19",
        (((1, 4), "UZCDQZLQURQRRRZDCCLLLLUE"),),
    )
    diagonal = True
    on_faces: ClassVar = {"instructions": {"path": instruction}}
