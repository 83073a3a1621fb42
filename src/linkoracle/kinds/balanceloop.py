"""Balance Loop: one loop through all circles, which compare and add both arms."""

from __future__ import annotations

from linkoracle.kinds.arms import Arms, CircleLoop, arms_at
from linkoracle.kinds.lines import Lines
from linkoracle.kinds.puzzle import LOOP, Cell, Example, Pzpr


class BalanceLoop(CircleLoop):
    """A Balance Loop of ``rows`` x ``cols`` cells. Immutable, hashable, comparable.

    ``grid`` has rows of words for circles, or ``None``: ``"w"`` for a white and ``"b"`` for a black
    circle, with a number such as ``"b5"`` or without one. The loop visits every circle. The two
    straight lines that leave a white circle have equal lengths; those that leave a black circle do
    not. A number is the sum of both lengths.

    >>> from linkoracle import count
    >>> count(BalanceLoop([". . . w4", ". . . .", ". . b3 ."]))
    1
    """

    kind = "balanceloop"
    title = "Balance Loop"
    instruction = (
        f"{LOOP}, and passes through every circle. Two straight lines leave a circle, each "
        "measured up to where the loop turns. They are equally long at white circles, and not at "
        "black ones. A number is the length of both together."
    )
    example = Example(
        ". . . . ./. . . . ./. . b3 b3 w2/b7 . . . ./. . . . .",
        (((0, 0), "RDDRUURDDRDLLLLUUU"),),
    )
    pzpr = Pzpr("circles", {("balance", ""): None})

    @staticmethod
    def constrain_circle(arms: Arms, white: bool) -> None:
        """Require equal arms of a white circle, and different arms of a black one."""
        (arms.are_equal if white else arms.differ)()

    def colour_of(self, lines: Lines, cell: Cell) -> str:
        """Return ``"w"`` if all arms are equal, else ``"b"``."""
        return "w" if len({*arms_at(lines, cell)}) == 1 else "b"
