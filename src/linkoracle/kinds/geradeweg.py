"""Geradeweg: one loop through all numbers, which are the lengths of straight lines."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, ClassVar

from linkoracle.kinds.arms import ArmLoop, Arms, arms_at
from linkoracle.kinds.lines import Lines
from linkoracle.kinds.puzzle import LOOP, Cell, Example, Pzpr, place_of


class Geradeweg(ArmLoop):
    """A Geradeweg of ``rows`` x ``cols`` cells. Immutable, hashable, comparable.

    ``grid`` has rows of numbers from 1, of -1 (``?``) for an unknown number, or ``None``. The
    loop visits every number, which is the length of the straight line there. If the loop turns at
    a number, both straight lines that meet there have this length.

    >>> from linkoracle import count
    >>> count(Geradeweg(["..2.", "1..2", "...."]))
    1
    """

    kind = "geradeweg"
    title = "Geradeweg"
    instruction = (
        f"{LOOP}, and passes through every cell with a number. A number is the length of the "
        "straight line through it. Where the loop turns at a number, both straight lines that meet "
        "there have this length. A question mark is any number."
    )
    example = Example("..... .222. ....1 .4... .....", (((0, 0), "RDDRUURDDRDLLLLUUU"),))
    min_clue = 1
    symbols: ClassVar = {-1: "?"}
    clue = "a number from 1, or '?' (-1)"
    unknown = -1
    pzpr = Pzpr("hex_or_unknown", {("geradeweg", ""): None})

    @classmethod
    def constrain_arms(cls, arms: Arms, clue: int) -> None:
        """Require the lengths of the arms."""
        if clue == -1:
            if not arms.straight:
                arms.are_equal()
        elif arms.straight:
            arms.have_sum(clue)
        else:
            arms.have_length(clue)

    def clue_faults(self, lines: Lines) -> Iterator[str]:
        """Yield a sentence for each unvisited number, and each straight line of another length."""
        for cell, number in self.clue_cells():
            lengths = _lengths(lines, cell)
            if not lengths:
                yield f"no line passes the number at {place_of(cell)}"
            elif len(lengths) > 1:
                yield f"the straight lines that meet at {place_of(cell)} differ in length"
            elif number not in (-1, *lengths):
                yield f"the straight line at {place_of(cell)} is not of length {number}"

    def clues_of(self, lines: Lines) -> Iterator[tuple[Cell, Any]]:
        """Yield the numbers of all cells that the loop allows."""
        for cell in sorted(lines):
            lengths = _lengths(lines, cell)
            if len(lengths) == 1:
                yield cell, lengths.pop()


def _lengths(lines: Lines, cell: Cell) -> set[int]:
    """Return the lengths of the straight lines through a cell."""
    arms = arms_at(lines, cell)
    return {sum(arms)} if lines.goes_straight(cell) else {*arms}
