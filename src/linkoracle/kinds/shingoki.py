"""Shingoki: one loop through all circles that turns at black ones; numbers add both arms."""

from __future__ import annotations

from typing import ClassVar

from linkoracle.kinds.arms import Arms, CircleLoop
from linkoracle.kinds.cell_loops import labelled
from linkoracle.kinds.lines import Lines
from linkoracle.kinds.puzzle import LOOP, Cell, Example


class Shingoki(CircleLoop):
    """A Shingoki of ``rows`` x ``cols`` cells. Immutable, hashable, comparable.

    ``grid`` has rows of words for circles, or ``None``: ``"w"`` for a white and ``"b"`` for a black
    circle, with a number such as ``"b5"`` or without one. The loop visits every circle. It goes
    straight on at white ones and turns at black ones. A number is the sum of the lengths of
    both straight lines that leave the circle.

    >>> from linkoracle import count
    >>> count(Shingoki([". . . b4", ". . . .", ". . w3 ."]))
    1
    """

    kind = "shingoki"
    title = "Shingoki"
    instruction = (
        f"{LOOP}, and passes through every circle. It turns at black circles, and goes straight on "
        "at white ones. A number is the length of the two straight lines together that leave its "
        "circle, each measured up to where the loop turns."
    )
    example = Example(
        ". . . . ./. . . w2 ./. . b3 . b2/b7 . . . ./. . . . .",
        (((0, 0), "RDDRUURDDRDLLLLUUU"),),
    )
    difficulties: ClassVar = labelled(fiendish_from=64)

    @staticmethod
    def constrain_circle(arms: Arms, white: bool) -> None:
        """Require that the loop turns at a black circle, and goes straight on at a white one."""
        if arms.straight != white:
            arms.exclude()

    def colour_of(self, lines: Lines, cell: Cell) -> str:
        """Return ``"b"`` if the loop turns, else ``"w"``."""
        return "b" if lines.turns(cell) else "w"
